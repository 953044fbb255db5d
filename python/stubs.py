"""Writes `condyle/_condyle.pyi`, the types of the compiled module, for editors and type checkers.

Arrays, sizes and options come from the field tables and from a small model, parameters and documentation from the module itself, types of
arguments and results from the declarations in the Rust sources. `cargo xtask stubs` runs it; a test fails when the file is out of date.
"""

import inspect
import pathlib
import re
import sys

import numpy as np

import condyle
from condyle import _condyle, named, records

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = ROOT / "python/condyle/_condyle.pyi"

HEADER = '''# Written by `cargo xtask stubs`.
"""The compiled module: models, simulations and the functions of MuJoCo under their own names."""

import os
from collections.abc import Callable, Iterator
from typing import Any, Generic, Literal, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

_T = TypeVar("_T", bound=np.generic)
_Path = str | bytes | os.PathLike[str]

class _Array(Generic[_T]):
    """A live view: reading gives a numpy array, assigning writes all of its elements."""
    @overload
    def __get__(self, instance: None, owner: type) -> Any: ...
    @overload
    def __get__(self, instance: object, owner: type) -> NDArray[_T]: ...
    def __set__(self, instance: object, value: ArrayLike) -> None: ...
'''

# A model that has what objects of all classes are made from.
SAMPLE = """
<mujoco>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body><freejoint/><geom size=".1"/></body>
  </worldbody>
</mujoco>
"""

# Methods and attributes of the classes that no table lists.
MODEL = '''    @staticmethod
    def from_xml_path(filename: _Path, assets: dict[str, bytes] | None = None, *, lenient: bool = False, reference_bugs: bool = False, packages: dict[str, _Path] | None = None, search: bool = True, mimic: bool = False, actuators: str = "none", floating_base: bool = False, repair_inertia: bool = False) -> MjModel: ...
    @staticmethod
    def from_xml_string(xml: str | bytes, assets: dict[str, bytes] | None = None, *, lenient: bool = False, reference_bugs: bool = False, packages: dict[str, _Path] | None = None, search: bool = True, mimic: bool = False, actuators: str = "none", floating_base: bool = False, repair_inertia: bool = False) -> MjModel: ...
    @staticmethod
    def from_binary_path(
        filename: _Path, assets: dict[str, bytes] | None = None, *, reference_bugs: bool = False
    ) -> MjModel: ...
    @staticmethod
    def from_binary(data: bytes, name: str | None = None, reference_bugs: bool = False) -> MjModel: ...
    def to_binary(self) -> bytes: ...
    def to_xml(self, assets: dict[str, bytes] | None = None) -> str: ...
    def bind(self, elements: Any) -> Any: ...
    def bind_scalar(self, elements: Any) -> Any: ...
    @staticmethod
    def _array_table() -> list[tuple[str, str, list[str], int, str]]: ...
    @staticmethod
    def _field_table() -> list[tuple[str, str]]: ...
    def _memory(self, name: str) -> NDArray[np.uint8]: ...
    def _twin(self) -> MjModel: ...
    _all_fields: tuple[str, ...]
    _size_fields: tuple[str, ...]
    @property
    def _sizes(self) -> NDArray[np.int64]: ...
    @property
    def _reference_bugs(self) -> bool: ...
    @property
    def _fingerprint(self) -> int: ...
    @property
    def _address(self) -> int: ...
    @property
    def _named(self) -> dict[int, Any] | None: ...
    def __copy__(self) -> MjModel: ...
    def __deepcopy__(self, _memo: Any) -> MjModel: ...
    @property
    def opt(self) -> MjOption: ...
    @property
    def stat(self) -> MjStatistic: ...
    @property
    def vis(self) -> MjVisual: ...
    @property
    def signature(self) -> int: ...
'''
DATA = '''    def __new__(cls, model: MjModel) -> MjData: ...
    def bind(self, elements: Any) -> Any: ...
    def bind_scalar(self, elements: Any) -> Any: ...
    def snapshot(self) -> Snapshot: ...
    def restore(self, snapshot: Snapshot) -> None: ...
    @staticmethod
    def _from_snapshot(model: MjModel, snapshot: Snapshot) -> MjData: ...
    @staticmethod
    def _array_table() -> list[tuple[str, str, list[str], int, str, str, bool]]: ...
    @staticmethod
    def _groups() -> list[str]: ...
    @staticmethod
    def _scalar_table() -> list[tuple[str, str]]: ...
    @staticmethod
    def _field_table() -> list[tuple[str, str]]: ...
    def _contacts(self) -> NDArray[Any]: ...
    def _twin(self) -> MjData: ...
    _all_fields: tuple[str, ...]
    @property
    def _address(self) -> int: ...
    @property
    def _named(self) -> dict[int, Any] | None: ...
    def __copy__(self) -> MjData: ...
    def __deepcopy__(self, _memo: Any) -> MjData: ...
    time: float
    non_finite_policy: Literal["auto_reset", "hold", "error"]
    threads: int
    @property
    def model(self) -> MjModel: ...
    @property
    def contact(self) -> _MjContactList: ...
    @property
    def warning(self) -> _MjWarningStatList: ...
    @property
    def solver(self) -> _MjSolverStatList: ...
    @property
    def timer(self) -> _MjTimerStatList: ...
    @property
    def report(self) -> StepReport: ...
    solver_niter: _Array[np.int32]
    solver_nnz: _Array[np.int32]
    solver_fwdinv: _Array[np.float64]
    @property
    def maxuse_threadstack(self) -> NDArray[np.int64]: ...
    @property
    def plugin_data(self) -> NDArray[np.int64]: ...
'''
# Classes whose attributes are read only, with the types of the attributes.
REPORTS = {
    "IslandReport": {
        "island": "int", "iterations": "int", "improvement": "float", "gradient": "float",
        "end": 'Literal["converged", "stalled", "iteration_limit"]',
    },
    "NonFinite": {
        "stage": "str", "quantity": "str", "index": "int", "value": "float", "joint": "int", "body": "int", "step": "int",
        "time": "float", "cause": "tuple[str, int | None]", "contributions": "list[tuple[str, int, float]]",
    },
    "StepReport": {
        "step": "int", "time": "float", "tolerance": "float", "converged": "bool", "solved": "int", "unconverged": "int",
        "stalled": "int", "worst": "IslandReport | None", "islands": "list[IslandReport]", "warnings": "dict[str, int]",
        "issues": "dict[str, int]", "resets": "int", "held": "bool", "bad_control": "int | None",
        "non_finite": "NonFinite | None",
    },
    "PairStep": {"rule": "str", "verdict": "str", "message": "str", "help": "str | None", "numbers": "dict[str, float]"},
    "PairExplanation": {
        "geoms": "tuple[int, int]", "collides": "bool", "active": "bool", "stopped_by": "str | None", "summary": "str",
        "steps": "list[PairStep]", "contacts": "list[MjContact]",
    },
    "ContactReport": {
        **{name: "int" for name in ("index", "dimension")},
        **{name: "int | None" for name in ("geom1", "geom2", "body1", "body2")},
        **{name: "str" for name in ("geom1_name", "geom2_name", "body1_name", "body2_name", "status")},
        **{name: "float" for name in (
            "distance", "depth", "normal_force", "friction_force", "normal_velocity", "cone_usage", "coulomb_margin")},
        **{name: "NDArray[np.float64]" for name in (
            "point", "normal", "force_on_geom1", "force_on_geom2", "torque_on_geom1", "torque_on_geom2", "friction", "slip")},
    },
}
# Further methods of these classes.
REPORT_METHODS = {"PairExplanation": "    def to_json(self) -> str: ...\n"}

OTHERS = '''
_spec: Any
__version__: str
# Which processors the module runs on.
_compiled_for: str

class MjrRect:
    """A rectangle of a picture, pixels."""
    def __new__(cls, left: int, bottom: int, width: int, height: int) -> MjrRect: ...
    left: int
    bottom: int
    width: int
    height: int
    def __copy__(self) -> MjrRect: ...
    def __deepcopy__(self, memo: Any, /) -> MjrRect: ...

class MjrContext:
    """What a model needs to be drawn, and the pictures that are drawn into. No graphics driver takes part."""
    def __new__(cls, model: MjModel | None = None, fontscale: int | None = None) -> MjrContext: ...
    def free(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

class Snapshot:
    """A simulation set aside. Made by `data.snapshot()`; `bytes(snapshot)` and `Snapshot(bytes)` take it to files and other processes."""
    def __new__(cls, bytes: bytes) -> Snapshot: ...
    def __bytes__(self) -> bytes: ...
    def __len__(self) -> int: ...
    @property
    def model_fingerprint(self) -> int: ...

class FatalError(Exception): ...

class EngineError(RuntimeError):
    """The engine failed where it should not have. The data it worked on is in no defined state: make a new one."""

class _Field:
    """An attribute of a class."""
    def __new__(cls, name: str, doc: str) -> _Field: ...

class NonFiniteError(ArithmeticError):
    """A step met an invalid value under the policy 'error'; `report` of the data has the details."""

class _Batch:
    nsim: int
    nthread: int
    nstate: int
    persistent: bool
    non_finite_policy: str
    def __new__(cls, model: MjModel, nsim: int, nthread: int = ..., persistent: bool = ...) -> _Batch: ...
    def __getattr__(self, name: str) -> Any: ...

class _BatchRenderer:
    """Pictures of many simulations; `condyle.render_batch` is the convenient way to use it."""
    def __new__(cls, model: MjModel, width: int, height: int, threads: int) -> _BatchRenderer: ...
    def __getattr__(self, name: str) -> Any: ...

class _Rollout:
    """Threads for batches of trajectories. `condyle.rollout` is the comfortable way to use them."""
    def __new__(cls, *, nthread: int) -> _Rollout: ...
    def rollout(self, model: list[MjModel], data: list[MjData], nstep: int, control_spec: int, state0: NDArray[np.float64], warmstart0: NDArray[np.float64] | None = None, control: NDArray[np.float64] | None = None, state: NDArray[np.float64] | None = None, sensordata: NDArray[np.float64] | None = None, chunk_size: int | None = None) -> None: ...

class _ViewerSession:
    """A simulation with the pages that show it. `condyle.viewer` is the comfortable way to use it."""
    url: str | None
    pages: int
    def __new__(cls, model: MjModel, data: MjData, name: str, passive: bool, host: str, port: int) -> _ViewerSession: ...
    @staticmethod
    def has_page() -> bool: ...
    def show(self, model: MjModel, data: MjData) -> None: ...
    def sync(self, model: MjModel, data: MjData, camera: MjvCamera, options: MjvOption, perturbation: MjvPerturb, scene: MjvScene, state_only: bool) -> list[int]: ...
    def fetch(self, data: MjData) -> None: ...
    def tell(self, kind: str, text: str) -> None: ...
    def take_reload(self) -> bool: ...
    def command(self, line: str) -> None: ...
    def close(self) -> None: ...
'''

# Python types of Rust types.
TYPES = {
    "()": "None", "f64": "float", "bool": "bool", "&str": "str", "String": "str", "PathBuf": "_Path", "FilePath": "_Path",
    "Int": "int", "i32": "int", "i64": "int", "usize": "int", "u32": "int",
    "Py<MjModel>": "MjModel", "Py<MjData>": "MjData", "PairExplanation": "PairExplanation", "Bound<PyDict>": "dict[str, Any]",
    **{f"{bound}Mjv{name}{end}": f"Mjv{name}" for name in ("Camera", "GLCamera", "Geom", "Option", "Perturb", "Figure", "Scene")
       for bound, end in (("&Bound<", ">"), ("", ""))},
    "f32": "float", "Text": "str | bytes", "PyRef<MjrRect>": "MjrRect", "MjrRect": "MjrRect", "&Bound<MjrContext>": "MjrContext",
    **{f"{kind}<{rust}>{end}": f"NDArray[np.{name}]" for rust, name in (("u8", "uint8"), ("f32", "float32"))
       for kind, end in (("Bound<PyArrayDyn", ">"), ("PyReadonlyArrayDyn", ""))},
    "Bound<PyArray1<f64>>": "NDArray[np.float64]", "Bound<PyArray1<u8>>": "NDArray[np.uint8]",
}
DTYPES = {"": "np.float64", "f64": "np.float64", "f32": "np.float32", "i32": "np.int32", "u8": "np.uint8"}
# What objects of any type have to be, by the name of the parameter.
ANY = {
    "sig": "int", "srcsig": "int", "dstsig": "int", "geom1": "int | str", "geom2": "int | str", "actuator": "int | str",
}
# Functions of callbacks: what they are called with and what they give.
CALLBACKS = {
    "control": "[MjModel, MjData], object",
    "passive": "[MjModel, MjData], object",
    "sensor": "[MjModel, MjData, int], object",
    "act_dyn": "[MjModel, MjData, int], float",
    "act_gain": "[MjModel, MjData, int], float",
    "act_bias": "[MjModel, MjData, int], float",
    "contactfilter": "[MjModel, MjData, int, int], object",
    "time": "[], float",
}


def without_lifetimes(rust):
    return re.sub(r"'\w+(, )?", "", rust).replace("<>", "")


def python_type(rust, parameter=""):
    """The Python type of a Rust type as it is written in a declaration."""
    rust = without_lifetimes(rust).strip()
    if match := re.fullmatch(r"PyResult<(.*)>", rust):
        return python_type(match[1])
    if match := re.fullmatch(r"Option<(.*)>", rust):
        return python_type(match[1], parameter) + " | None"
    if re.fullmatch(r"(Vector|Matrix|Fixed)(<\w+>)?", rust) or rust.startswith("PyReadonlyArray1<"):
        return "ArrayLike" if not rust.startswith("Py") else "NDArray[np.float64]"
    if match := re.fullmatch(r"(?:Vector|Matrix)Mut(?:<(\w*)>)?", rust):
        return f"NDArray[{DTYPES[match[1] or '']}]"
    if rust.startswith("FixedMut"):
        return "NDArray[np.float64]"
    if rust in ("Bound<PyAny>", "&Bound<PyAny>"):
        return ANY[parameter]
    return TYPES[rust]


def declarations():
    """Types of arguments and result of the functions declared in the Rust sources, by name."""
    found = {}
    for path in sorted((ROOT / "crates/condyle-python/src").rglob("*.rs")):
        source = path.read_text()
        # A function, or a row of a macro that makes one: `name(arguments) -> result {` or `name(arguments) => value;`.
        for match in re.finditer(r"\b(mj[duvr]?_\w+|explain_pair_of|muscle_curves|muscle_state)(?:<'py>)?\(([^(){}]*)\)(?: -> ([^{;=]+?))?\s+(?:\{|=>)", source):
            name = match[1].replace("explain_pair_of", "explain_pair")
            arguments = {}
            for part in re.split("[,;]", without_lifetimes(match[2])):
                if not part.strip():
                    continue
                argument, _, rust = (text.strip() for text in part.partition(":"))
                if not rust:
                    rust = "VectorMut" if argument == "res" else "Vector"
                elif rust.isdigit():
                    rust = "FixedMut"
                arguments[argument.removeprefix("r#")] = rust
            found.setdefault(name, (arguments, match[3] or "()"))
        # A stage: `name => function;`.
        for match in re.finditer(r"^\s+(mj_\w+) => ", source, re.MULTILINE):
            found.setdefault(match[1], ({"m": "Py<MjModel>", "d": "Py<MjData>"}, "()"))
        # An upload: `name(number, method);`.
        for match in re.finditer(r"^\s+(mjr_upload\w+)\((\w+), \w+\);", source, re.MULTILINE):
            found[match[1]] = ({"m": "Py<MjModel>", "con": "&Bound<MjrContext>", match[2]: "Int"}, "()")
    return found


def documented(text, indent):
    """A docstring, or nothing."""
    if not text:
        return ""
    return f'{indent}"""{text}"""\n'


def function(name, declared):
    """The stub of one function."""
    value = getattr(_condyle, name)
    if match := re.fullmatch(r"(set|get)_mjcb_(\w+)", name):
        kind = f"Callable[{CALLBACKS[match[2]]}] | None"
        arguments, result = (f"callback: {kind}", "None") if match[1] == "set" else ("", kind)
    elif name == "_contacts":
        arguments, result = "model: MjModel, data: MjData", "tuple[list[ContactReport], str, str]"
    elif name.startswith("_"):
        return f"{name}: Callable[..., Any]\n"
    else:
        types, result = declared[name]
        parts = []
        for parameter in inspect.signature(value).parameters.values():
            kind = python_type(types[parameter.name], parameter.name)
            default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
            parts.append(f"{parameter.name}: {kind}{default}")
        arguments, result = ", ".join(parts), python_type(result)
    doc = documented(inspect.getdoc(value), "    ")
    return f"def {name}({arguments}) -> {result}:" + (f"\n{doc}" if doc else " ...\n")


def attribute(name, kind, doc="", writable=False):
    """An attribute of a class."""
    if writable:
        return f"    {name}: {kind}\n" + documented(doc, "    ")
    if doc:
        return f"    @property\n    def {name}(self) -> {kind}:\n{documented(doc, ' ' * 8)}"
    return f"    @property\n    def {name}(self) -> {kind}: ...\n"


def meaning(dims, width, doc):
    shape = list(dims) + ([str(width)] if width > 1 else [])
    return f"{doc} ({', '.join(shape)})"


def accessors(word):
    """Methods that give the rows of an object, `model.body("name")`."""
    text = ""
    for method, (title, _, _, _, others) in named._KINDS.items():
        if f"_Mj{word}{title}Views" in named.VIEWS:
            for name in (method, *others):
                text += f"    def {name}(self, name: str | int = \"\") -> _Mj{word}{title}Views: ...\n"
    return text


def model_class(model):
    text = f"\nclass MjModel:\n{documented(inspect.getdoc(_condyle.MjModel), '    ')}{MODEL}{accessors('Model')}"
    table = {name: (dtype, meaning(dims, width, doc)) for name, dtype, dims, width, doc in _condyle.MjModel._array_table()}
    listed = {name for pair in re.findall(r"def (\w+)|^    (\w+):", text, re.MULTILINE) for name in pair}
    for name in sorted(set(dir(model)) - set(dir(object)) - listed):
        if name.startswith("__"):
            continue
        value = getattr(model, name)
        if isinstance(value, np.ndarray):
            dtype, doc = table.get(name, (value.dtype.name, ""))
            writable = value.flags.writeable
            text += attribute(name, f"{'_Array' if writable else 'NDArray'}[np.{dtype}]", doc, writable)
        elif isinstance(value, bytes):
            text += attribute(name, "bytes")
        elif isinstance(value, int):
            text += attribute(name, "int")
        else:
            raise TypeError(f"MjModel.{name} is {value!r}")
    return text


def data_class(data):
    text = f"\nclass MjData:\n{documented(inspect.getdoc(_condyle.MjData), '    ')}{DATA}{accessors('Data')}"
    listed = set(re.findall(r"def (\w+)|^    (\w+):", text, re.MULTILINE))
    listed = {name for pair in listed for name in pair}
    docs = {row[0]: meaning(row[2], row[3], row[4]) for row in _condyle.MjData._array_table()}
    for name in sorted(set(dir(data)) - set(dir(object)) - listed):
        if name.startswith("__"):
            continue
        value = getattr(data, name)
        if isinstance(value, np.ndarray):
            text += attribute(name, f"_Array[np.{value.dtype.name}]", docs[name], writable=True)
        elif isinstance(value, (int, float)):
            text += attribute(name, type(value).__name__)
        else:
            raise TypeError(f"MjData.{name} is {value!r}")
    return text


def record_class(name, cls):
    """A record and, if there is one, the list of them."""
    text = f"\nclass {name}:\n{documented(inspect.getdoc(cls), '    ')}    def __init__(self) -> None: ...\n"
    for field in sorted(cls._names()):
        kind, doc = cls._layout.fields[field][0], inspect.getdoc(getattr(cls, field))
        plain = "float" if kind.base.kind == "f" else "int"
        text += attribute(field, f"_Array[np.{kind.base.name}]" if kind.shape else plain, doc, writable=True)
    lists = getattr(records, f"_{name}List", None)
    if lists is not None:
        text += f"\nclass _{name}List:\n{documented(inspect.getdoc(lists), '    ')}    def __len__(self) -> int: ...\n"
        text += f"    @overload\n    def __getitem__(self, index: int) -> {name}: ...\n"
        text += f"    @overload\n    def __getitem__(self, index: slice) -> _{name}List: ...\n"
        text += f"    def __iter__(self) -> Iterator[{name}]: ...\n"
        text += "".join(f"    {field}: _Array[np.{cls._layout.fields[field][0].base.name}]\n" for field in sorted(cls._names()))
    return text


# Parts of a scene, and how it can be made.
SCENE = {"geoms": "tuple[MjvGeom, ...]", "lights": "tuple[MjvLight, ...]", "camera": "tuple[MjvGLCamera, MjvGLCamera]"}
SCENE_INIT = """    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(self, model: MjModel, maxgeom: int) -> None: ...
"""


def visual_classes():
    """Records of the abstract scene."""
    text = ""
    docs = {kind: dict(fields) for kind, fields in _condyle._drawing_fields()}
    for name in ("MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvOption", "MjvPerturb", "MjvScene"):
        kind = getattr(_condyle, name)
        value = kind()
        text += f"\nclass {name}:\n{documented(inspect.getdoc(kind), '    ')}"
        text += SCENE_INIT if name == "MjvScene" else "    def __init__(self) -> None: ...\n"
        for field in sorted(set(dir(value)) - set(dir(object))):
            if field.startswith("__"):
                continue
            member = getattr(value, field)
            if isinstance(member, tuple):
                text += attribute(field, SCENE[field], inspect.getdoc(getattr(kind, field)))
            elif isinstance(member, np.ndarray):
                dtype = "bytes_" if member.dtype.kind == "S" else member.dtype.name
                text += attribute(field, f"_Array[np.{dtype}]", docs[kind].get(field), writable=True)
            else:
                text += attribute(field, type(member).__name__, docs[kind].get(field), writable=field in docs[kind])
        text += f"    def __copy__(self) -> {name}: ...\n    def __deepcopy__(self, memo: Any, /) -> {name}: ...\n"
    return text


def record_classes():
    text = ""
    for name, cls in {**records._CLASSES, "MjLROpt": records.MjLROpt}.items():
        text += record_class(name if name in dir(_condyle) else f"_{name}", cls)
    text += f"\nclass MjVisual:\n{documented(inspect.getdoc(records.MjVisual), '    ')}    def __init__(self) -> None: ...\n"
    return text + "".join(f"    {topic}: _MjVisual{title}\n" for topic, title in records.MjVisual._TOPICS.items())


def view_classes():
    dtypes = {row[0]: row[1] for row in (*_condyle.MjModel._array_table(), *_condyle.MjData._array_table())}
    text = '\nclass _View:\n    """Rows of one object."""\n' + attribute("id", "int") + attribute("name", "str")
    for name, (_, fields) in named.VIEWS.items():
        text += f"\nclass {name}(_View):\n"
        text += "".join(f"    {field}: _Array[np.{dtypes[array]}]\n" for field, array in sorted(fields.items()))
    return text


def report_classes():
    text = ""
    for name, kinds in REPORTS.items():
        value = getattr(_condyle, name)
        text += f"\nclass {name}:\n{documented(inspect.getdoc(value), '    ')}"
        for field, kind in kinds.items():
            text += attribute(field, kind, inspect.getdoc(getattr(value, field)))
        text += REPORT_METHODS.get(name, "")
    return text


def stubs():
    """The text of the stub file."""
    model = condyle.MjModel.from_xml_string(SAMPLE)
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    text = HEADER + model_class(model) + data_class(data)
    text += record_classes() + view_classes() + report_classes() + visual_classes() + OTHERS
    declared = declarations()
    names = [name for name in dir(_condyle) if inspect.isbuiltin(getattr(_condyle, name))]
    return text + "\n" + "".join(function(name, declared) for name in sorted(names))


if __name__ == "__main__":
    TARGET.write_text(stubs())
    sys.stdout.write(f"wrote {TARGET.relative_to(ROOT)}\n")
