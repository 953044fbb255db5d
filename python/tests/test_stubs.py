"""The types in `_condyle.pyi` are those of the compiled module."""

import ast
import importlib.util
import inspect
import pathlib

import numpy as np
import pytest

import condyle
from condyle import _condyle, named, records

PYTHON = pathlib.Path(__file__).resolve().parents[1]
TREE = ast.parse((PYTHON / "condyle/_condyle.pyi").read_text())
CLASSES = {node.name: node for node in TREE.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in TREE.body if isinstance(node, ast.FunctionDef)}
# Records of a model.
RECORDS = {"MjOption": "opt", "MjStatistic": "stat", "MjVisual": "vis"}

XML = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="a"><joint name="j" type="slide" axis="0 0 1"/><geom name="g" size=".1"/></body>
    <body name="b" pos="1 0 0"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor name="m" joint="j"/></actuator>
  <sensor><jointpos name="s" joint="j"/></sensor>
</mujoco>
"""


@pytest.fixture(scope="module")
def world():
    model = condyle.MjModel.from_xml_string(XML)
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    return model, data


def members(node):
    """Attributes of a class in the stubs with their types as text, and its methods."""
    attributes, methods = {}, {}
    for part in node.body:
        if isinstance(part, ast.AnnAssign):
            attributes[part.target.id] = ast.unparse(part.annotation)
        elif isinstance(part, ast.FunctionDef):
            decorators = [ast.unparse(decorator) for decorator in part.decorator_list]
            if "property" in decorators:
                attributes[part.name] = ast.unparse(part.returns)
            else:
                methods[part.name] = part
    return attributes, methods


def agrees(value, kind):
    """Whether a value is of the type the stubs give."""
    if " | " in kind and not kind.startswith(("dict", "list", "tuple")):
        return any(agrees(value, part) for part in kind.split(" | "))
    if kind.startswith(("_Array[", "NDArray[")):
        return isinstance(value, np.ndarray) and f"np.{value.dtype.name}" == kind.split("[")[1].rstrip("]")
    if kind.startswith("Literal["):
        return repr(value) in kind
    if kind == "None":
        return value is None
    name = kind.split("[")[0]
    if name.startswith("_MjVisual"):
        return isinstance(value, records._CLASSES[name[1:]])
    plain = {"int": int, "float": float, "str": str, "bool": bool, "bytes": bytes, "list": list, "dict": dict, "tuple": tuple}
    return isinstance(value, plain.get(name) or getattr(_condyle, name))


def test_the_stubs_are_up_to_date():
    specification = importlib.util.spec_from_file_location("stubs", PYTHON / "stubs.py")
    generator = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(generator)
    written = generator.TARGET.read_text()
    assert written == generator.stubs(), "run `cargo xtask stubs`"


def test_stubs_and_module_have_the_same_names():
    hooks = {node.target.id for node in TREE.body if isinstance(node, ast.AnnAssign)} - {"__version__", "_compiled_for"}
    names = {name for name in dir(_condyle) if not name.startswith("__")} - {"_instruments", "_compiled_for"}
    made = {"_Array", "_View", "_Path", *named.VIEWS, *(name for name in CLASSES if name.startswith("_MjVisual"))}
    assert names == (set(CLASSES) | set(FUNCTIONS) | hooks) - made


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_functions_have_the_parameters_of_the_module(name):
    declared = FUNCTIONS[name].args
    count = len(declared.args) - len(declared.defaults)
    defaults = [inspect.Parameter.empty] * count + [ast.literal_eval(default) for default in declared.defaults]
    parameters = inspect.signature(getattr(_condyle, name)).parameters.values()
    assert [(p.name, p.default) for p in parameters] == [(a.arg, d) for a, d in zip(declared.args, defaults)]
    assert all(argument.annotation for argument in declared.args) and FUNCTIONS[name].returns


@pytest.mark.parametrize("name", ["MjModel", "MjData"])
def test_attributes_of_models_and_data_are_complete_and_of_their_types(name, world):
    value = world[name == "MjData"]
    attributes, methods = members(CLASSES[name])
    public = {attribute for attribute in dir(value) if not attribute.startswith("__")}
    assert public == {part for part in (*attributes, *methods) if not part.startswith("__")}
    for attribute, kind in attributes.items():
        assert agrees(getattr(value, attribute), kind), (attribute, kind)
        if kind.startswith("_Array["):
            array = getattr(value, attribute)
            setattr(value, attribute, array.tolist() if array.size else array.copy())
        elif kind.startswith("NDArray["):
            with pytest.raises((AttributeError, TypeError, ValueError)):
                setattr(value, attribute, 0)
    for method in methods:
        assert callable(getattr(value, method))


def test_options_and_views_have_the_fields_of_the_stubs(world):
    model, data = world
    found = [(name, getattr(model, attribute)) for name, attribute in RECORDS.items()]
    for name, record in found:
        attributes, _ = members(CLASSES[name])
        assert set(attributes) == set(getattr(record, "_TOPICS", None) or record._names())
        for attribute, kind in attributes.items():
            assert agrees(getattr(record, attribute), kind), (name, attribute)
            if kind.startswith("_MjVisual"):
                found.append((kind, getattr(record, attribute)))
    for owner, method in [(model, "body"), (data, "body"), (model, "jnt"), (data, "joint"), (data, "sensor"), (data, "actuator")]:
        view = getattr(owner, method)(0)
        returned = ast.unparse(members(CLASSES[type(owner).__name__])[1][method].returns)
        assert returned == type(view).__name__
        attributes, _ = members(CLASSES[returned])
        assert set(attributes) == set(view._fields)
        for attribute, kind in attributes.items():
            assert agrees(getattr(view, attribute), kind), (returned, attribute)


def test_contacts_and_reports_have_the_attributes_of_the_stubs(world):
    model, data = world
    bad = condyle.MjData(model)
    bad.qpos[0] = np.nan
    condyle.mj_step(model, bad)
    explanation = condyle.explain_pair(model, data, "floor", "g")
    values = [data.contact, data.contact[0], data.warning, data.warning[0], data.solver, data.solver[0], data.timer]
    values += [data.timer[0], data.report, data.report.islands[0], bad.report, bad.report.non_finite, explanation]
    values += [explanation.steps[0], condyle.contacts(model, data)[0], data.snapshot()]
    for value in values:
        attributes, methods = members(CLASSES[type(value).__name__])
        own = {name for name in dir(value) if not name.startswith("__")}
        own |= {name for name in vars(type(value)) if not name.startswith("__")}
        if isinstance(value, records.Record):
            own = {name for name in own if not name.startswith("_")}
        if not type(value).__name__.endswith("List"):
            assert own == {name for name in (*attributes, *methods) if not name.startswith("__")}, type(value)
        for attribute, kind in attributes.items():
            assert agrees(getattr(value, attribute), kind), (type(value), attribute, kind)


def test_the_package_says_that_it_is_typed():
    assert (PYTHON / "condyle/py.typed").exists()
