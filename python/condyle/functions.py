"""Functions that need no engine: defaults, versions, keyframes, printing, log files, caches.

Together with the compiled module, these are all of MuJoCo's functions that do not draw. A function that manages memory or files which
Condyle does without keeps its signature and does nothing; its docstring says so.
"""

import os as _os
import random as _random
import sys as _sys
import time as _time
from typing import Any, Callable, List, Optional

import numpy as _np

from condyle import _condyle, constants as _constants
from condyle.enums import mjtObj as _mjtObj, mjtWarning as _mjtWarning

_FatalError = _condyle.FatalError


class UnexpectedError(Exception):
    """The error MuJoCo's bindings raise for what cannot happen."""


def mj_version() -> int:
    """Version of MuJoCo whose interface this is, as a number."""
    return _constants.mjVERSION_HEADER


def mj_versionString() -> str:
    """Version of MuJoCo whose interface this is."""
    return "3.5.0"


def mj_defaultSolRefImp(solref: Any, solimp: Any) -> None:
    """Write the default reference and impedance parameters into two arrays; either may be None."""
    if solref is not None:
        solref[:2] = (0.02, 1.0)
    if solimp is not None:
        solimp[:5] = (0.9, 0.95, 0.001, 0.5, 2.0)


def mj_setKeyframe(m: Any, d: Any, k: int) -> None:
    """Write the state of the data into a keyframe of the model."""
    if k >= m.nkey:
        raise _FatalError(f"mj_setKeyframe: index must be smaller than {m.nkey} (keyframes allocated in model)")
    if k < 0:
        raise _FatalError("mj_setKeyframe: keyframe index cannot be negative")
    m.key_time[k] = d.time
    for target, source in (
        (m.key_qpos, d.qpos), (m.key_qvel, d.qvel), (m.key_act, d.act), (m.key_mpos, d.mocap_pos), (m.key_mquat, d.mocap_quat),
        (m.key_ctrl, d.ctrl),
    ):  # fmt: skip
        target[k] = _np.reshape(source, -1)


def mj_setTotalmass(m: Any, newmass: float) -> None:
    """Scale masses and inertias so that the total mass is `newmass`. Call `mj_setConst` afterwards."""
    smallest = _constants.mjMINVAL
    scale = max(smallest, float(newmass) / max(smallest, _condyle.mj_getTotalmass(m)))
    m.body_mass[1:] *= scale
    m.body_inertia[1:] *= scale


def mj_setLengthRange(m: Any, d: Any, index: int, opt: Any) -> None:
    """Compute the length range of an actuator with the given options."""
    _condyle._length_range(m, d, index, [float(getattr(opt, name)) for name in opt._names()])


def mj_addContact(m: Any, d: Any, con: Any) -> int:
    """Add a contact to the end of `data.contact`, for the next `mj_makeConstraint`. There is no capacity, so the answer is 0."""
    _condyle._add_contact(m, d, con._own_row().tobytes())
    return 0


def mj_addM(m: Any, d: Any, dst: Any, rownnz: Any, rowadr: Any, colind: Any) -> None:
    """Add the joint-space inertia to a matrix: its lower triangle to a dense one, or to a sparse one with the given pattern."""
    inertia, nv = d.M, m.nv
    if rownnz is None or rowadr is None or colind is None:
        dense = dst.reshape(nv, nv)
        for row in range(nv):
            start = m.M_rowadr[row]
            for at in range(start, start + m.M_rownnz[row]):
                dense[row, m.M_colind[at]] += inertia[at]
        return
    for row in range(nv):
        start, first = m.M_rowadr[row], rowadr[row]
        present = {int(colind[first + at]): float(dst[first + at]) for at in range(rownnz[row])}
        for at in range(start, start + m.M_rownnz[row]):
            column = int(m.M_colind[at])
            present[column] = present.get(column, 0.0) + float(inertia[at])
        rownnz[row] = len(present)
        for at, column in enumerate(sorted(present)):
            colind[first + at], dst[first + at] = column, present[column]


def mj_local2Global(d: Any, xpos: Any, xmat: Any, pos: Any, quat: Any, body: int, sameframe: int) -> None:
    """World pose of a pose in a body frame; `sameframe` says which part of it coincides with the body or its inertial frame."""
    frame, body = int(sameframe), int(body)
    if not 0 <= body < d.model.nbody:
        raise IndexError(f"body {body} is out of range: there are {d.model.nbody}")
    if xpos is not None and pos is not None:
        if frame in (1, 2):
            xpos[:] = (d.xpos if frame == 1 else d.xipos)[body]
        else:
            _condyle.mju_mulMatVec3(xpos, d.xmat[body], pos)
            xpos[:] += d.xpos[body]
    if xmat is not None and quat is not None:
        if frame == 0:
            product = _np.zeros(4)
            _condyle.mju_mulQuat(product, d.xquat[body], quat)
            _condyle.mju_quat2Mat(xmat, product)
        else:
            xmat[:] = (d.xmat if frame in (1, 3) else d.ximat)[body]


def mj_resetDataDebug(m: Any, d: Any, debug_value: int) -> None:
    """Reset, and fill everything a step computes with a byte, so that stale values become visible."""
    _condyle.mj_resetData(m, d)
    if int(debug_value):
        kept = {"state", "inputs", "awake"}
        for name, _, _, _, _, group, grows in _condyle.MjData._array_table():
            if group not in kept and not grows:
                getattr(d, name).view(_np.uint8)[...] = int(debug_value)


def mj_resetCallbacks() -> None:
    """Remove all callbacks."""
    for point in ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter", "time"):
        getattr(_condyle, f"set_mjcb_{point}")(None)


def _history(buffer: Any, samples: int, dim: int, times: Any, values: Any, user: float) -> None:
    given = _np.array(buffer[2 : 2 + samples] if times is None else times, float).reshape(-1)
    numbers = _np.array(values, float).reshape(-1)
    if len(given) != samples:
        raise TypeError(f"times should have {samples} elements, got {len(given)}")
    if len(numbers) != samples * dim:
        raise TypeError(f"values should have {samples * dim} elements, got {len(numbers)}")
    if not (_np.diff(given) > 0).all():
        raise _FatalError("times must be strictly increasing")
    buffer[0], buffer[1] = user, samples - 1
    buffer[2 : 2 + samples] = given
    buffer[2 + samples : 2 + samples * (1 + dim)] = numbers


def mj_initCtrlHistory(m: Any, d: Any, id: int, times: Any, values: Any) -> None:
    """Fill an actuator's buffer of past controls; if no times are given, those in the buffer stay."""
    if not 0 <= id < m.nu:
        raise _FatalError(f"mj_initCtrlHistory: invalid actuator id {id}")
    samples = int(m.actuator_history[id, 0])
    if samples == 0:
        raise _FatalError(f"mj_initCtrlHistory: actuator {id} has no history buffer")
    buffer = d.history[int(m.actuator_historyadr[id]) :]
    _history(buffer, samples, 1, times, values, float(buffer[0]))


def mj_initSensorHistory(m: Any, d: Any, id: int, times: Any, values: Any, phase: float) -> None:
    """Fill a sensor's buffer of past readings; if no times are given, those in the buffer stay."""
    if not 0 <= id < m.nsensor:
        raise _FatalError(f"mj_initSensorHistory: invalid sensor id {id}")
    samples = int(m.sensor_history[id, 0])
    if samples == 0:
        raise _FatalError(f"mj_initSensorHistory: sensor {id} has no history buffer")
    buffer = d.history[int(m.sensor_historyadr[id]) :]
    _history(buffer, samples, int(m.sensor_dim[id]), times, values, float(phase))


def mj_readSensor(m: Any, d: Any, id: int, time: float, result: Any, interp: int) -> Any:
    """Reading of a sensor at a past time, written to `result` and returned."""
    values = _condyle._read_sensor(m, d, id, time, interp)
    if len(result) != len(values):
        raise TypeError(f"result should have {len(values)} elements, got {len(result)}")
    result[:] = values
    return result


# The asset cache belongs to the process. Plugin libraries: plugins are built in.
class _Cache:
    """The processed meshes and images that are kept for the next time they are loaded."""


_cache = _Cache()


def mj_getCache() -> _Cache:
    """The asset cache, as an object to pass to the other cache functions."""
    return _cache


def mj_getCacheSize(cache: _Cache) -> int:
    """Bytes in the asset cache."""
    return _condyle._asset_cache(None, False)[0]


def mj_getCacheCapacity(cache: _Cache) -> int:
    """Capacity of the asset cache in bytes."""
    return _condyle._asset_cache(None, False)[1]


def mj_setCacheCapacity(cache: _Cache, size: int) -> int:
    """Set the capacity of the asset cache and return it; zero switches it off."""
    return _condyle._asset_cache(int(size), False)[1]


def mj_clearCache(cache: _Cache) -> None:
    """Empty the asset cache."""
    _condyle._asset_cache(None, True)


def mj_loadPluginLibrary(path: str) -> None:
    """Does nothing: plugin libraries cannot be loaded; the plugins that come with MuJoCo are built in."""
    if not _os.path.exists(path):
        raise _FatalError(f"mj_loadPluginLibrary: no file '{path}'")
    raise _FatalError("mj_loadPluginLibrary: compiled plugins cannot be loaded; those that come with MuJoCo are built in")


def mj_loadAllPluginLibraries(directory: str) -> None:
    """Does nothing: the plugins that come with MuJoCo are built in."""


# Text.
_TYPES = (
    "", "body", "xbody", "joint", "dof", "geom", "site", "camera", "light", "flex", "mesh", "skin", "hfield", "texture", "material", "pair",
    "exclude", "equality", "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key", "plugin",
)  # fmt: skip


def mju_type2Str(type: int) -> Optional[str]:
    """Name of a kind of object (`mjtObj`), or None."""
    number = int(type)
    if number == int(_mjtObj.mjOBJ_FRAME):
        return "frame"
    return _TYPES[number] if 0 < number < len(_TYPES) else None


def mju_str2Type(str: Any) -> int:
    """Kind of object (`mjtObj`) with this name; 0 if there is none."""
    name = str.decode() if isinstance(str, bytes) else str
    if name == "frame":
        return int(_mjtObj.mjOBJ_FRAME)
    return _TYPES.index(name) if name and name in _TYPES else 0


_WARNINGS = {
    _mjtWarning.mjWARN_INERTIA: "Inertia matrix is too close to singular at DOF {}. Check model.",
    _mjtWarning.mjWARN_CONTACTFULL: "Too many contacts. The arena memory is full, increase arena memory allocation.(ncon = {})",
    _mjtWarning.mjWARN_CNSTRFULL: (
        "Insufficient arena memory for the number of constraints generated. Increase arena memory allocation above {} bytes."
    ),
    _mjtWarning.mjWARN_VGEOMFULL: "Pre-allocated visual geom buffer is full. Increase maxgeom above {}.",
    _mjtWarning.mjWARN_BADQPOS: "Nan, Inf or huge value in QPOS at DOF {}. The simulation is unstable.",
    _mjtWarning.mjWARN_BADQVEL: "Nan, Inf or huge value in QVEL at DOF {}. The simulation is unstable.",
    _mjtWarning.mjWARN_BADQACC: "Nan, Inf or huge value in QACC at DOF {}. The simulation is unstable.",
    _mjtWarning.mjWARN_BADCTRL: "Nan, Inf or huge value in CTRL at ACTUATOR {}. The simulation is unstable.",
}


def mju_warningText(warning: int, info: int) -> str:
    """The text of a warning (`mjtWarning`)."""
    text = _WARNINGS.get(int(warning))  # type: ignore[call-overload]
    return text.format(info) if text else f"Unknown warning type {int(warning)}."


def mju_writeLog(type: Any, msg: Any) -> None:
    """Append a line with a time stamp to MUJOCO_LOG.TXT in the working directory."""
    texts = [text.decode() if isinstance(text, bytes) else text for text in (type, msg)]
    with open("MUJOCO_LOG.TXT", "a") as log:
        log.write(f"{_time.asctime()}\n{texts[0]}: {texts[1]}\n\n")


def mju_writeNumBytes(nbytes: int) -> str:
    """A number of bytes as text, with the largest unit that divides it."""
    number = int(nbytes)
    for power, letter in ((6, "E"), (5, "P"), (4, "T"), (3, "G"), (2, "M"), (1, "K")):
        if number and number % (1 << (10 * power)) == 0:
            return f"{number >> (10 * power)}{letter}"
    return str(number)


def mju_printMat(mat: Any) -> None:
    """Print a matrix."""
    for row in _np.atleast_2d(mat):
        _sys.stdout.write("".join(f"{value:.8f} " for value in row) + "\n")
    _sys.stdout.write("\n")


def mju_printMatSparse(mat: Any, rownnz: Any, rowadr: Any, colind: Any) -> None:
    """Print a sparse matrix, each value followed by its column."""
    for count, start in zip(rownnz, rowadr):
        _sys.stdout.write("".join(f"{mat[at]:.8f} {colind[at]}  " for at in range(start, start + count)) + "\n")
    _sys.stdout.write("\n")


def mju_standardNormal(num2: Optional[Any] = None) -> float:
    """A normally distributed random number; a second one is written to the array `num2`. Uses Python's generator, so `random.seed` applies."""
    if num2 is not None and hasattr(num2, "__setitem__"):
        num2[0] = _random.gauss(0.0, 1.0)
    return _random.gauss(0.0, 1.0)


def mju_raySkin(nface: int, nvert: int, face: Any, vert: Any, pnt: Any, vec: Any, vertid: Any = None) -> float:
    """Distance along a ray to the triangles of a skin, in multiples of `vec`, or -1; the nearest vertex goes into `vertid`."""
    faces, points = _np.reshape(face, (-1, 3))[:nface], _np.reshape(vert, (-1, 3))[:nvert].astype(float)
    origin, direction = _np.asarray(pnt, float), _np.asarray(vec, float)
    a, b, c = (points[faces[:, corner]] for corner in range(3))
    normal = _np.cross(b - a, c - a)
    with _np.errstate(divide="ignore", invalid="ignore"):
        at = ((a - origin) * normal).sum(1) / (normal @ direction)
        hit = origin + at[:, None] * direction
        sides = [(_np.cross(end - start, hit - start) * normal).sum(1) for start, end in ((a, b), (b, c), (c, a))]
        found = (at >= 0) & _np.isfinite(at) & (_np.min(sides, axis=0) >= 0)
    if not found.any():
        return -1.0
    best = int(_np.flatnonzero(found)[_np.argmin(at[found])])
    if vertid is not None:
        corners = faces[best]
        vertid[0] = corners[_np.argmin(((points[corners] - hit[best]) ** 2).sum(1))]
    return float(at[best])


def mju_getXMLDependencies(filename: Any) -> List[str]:
    """A model file and all files it refers to, found through includes."""
    import xml.etree.ElementTree as tree

    start = _os.fsdecode(filename) if isinstance(filename, bytes) else _os.fspath(filename)
    found: List[str] = []

    def visit(path: str) -> None:
        if path in found:
            return
        found.append(path)
        folder, folders = _os.path.dirname(path), {}
        root = tree.parse(path).getroot()
        for compiler in root.iter("compiler"):
            assets = compiler.get("assetdir")
            folders["mesh"] = compiler.get("meshdir", assets or "")
            folders["texture"] = compiler.get("texturedir", assets or "")
        for element in root.iter():
            name = element.get("file")
            if name and element.tag == "include":
                visit(_os.path.join(folder, name))
            elif name:
                kind = "texture" if element.tag == "texture" else "mesh"
                other = _os.path.join(folder, folders.get(kind, ""), name)
                if other not in found:
                    found.append(other)

    visit(start)
    return found


def _listing(object: Any, title: str, float_format: str) -> str:
    def number(value: Any) -> str:
        return float_format % value if isinstance(value, (float, _np.floating)) else str(value)

    lines = [title, ""]
    for name in type(object)._all_fields:
        value = getattr(object, name)
        if isinstance(value, _np.ndarray) and value.size:
            lines.append(name)
            rows = value.reshape(len(value), -1)
            lines += ["  " + " ".join(number(item) for item in row.tolist()) for row in rows]
            lines.append("")
        elif isinstance(value, (int, float)):
            lines.append(f"{name:24}{number(value)}")
        elif hasattr(value, "_row") or name == "vis":
            lines += [name, repr(value), ""]
    return "\n".join(lines) + "\n"


def mj_printFormattedModel(m: Any, filename: Any, float_format: str) -> None:
    """Write every field of the model to a text file, with a `printf` format for numbers."""
    with open(_os.fsdecode(filename), "w") as target:
        target.write(_listing(m, "MjModel", float_format))


def mj_printModel(m: Any, filename: Any) -> None:
    """Write every field of the model to a text file."""
    mj_printFormattedModel(m, filename, "%- 9.2g")


def mj_printFormattedData(m: Any, d: Any, filename: Any, float_format: str) -> None:
    """Write every field of the data to a text file, with a `printf` format for numbers."""
    with open(_os.fsdecode(filename), "w") as target:
        target.write(_listing(d, "MjData", float_format))


def mj_printData(m: Any, d: Any, filename: Any) -> None:
    """Write every field of the data to a text file."""
    mj_printFormattedData(m, d, filename, "%- 9.2g")


def mj_printFormattedScene(s: Any, filename: Any, float_format: str) -> None:
    """Write the contents of a scene to a text file, with a `printf` format for numbers."""

    def shown(value: Any) -> str:
        if isinstance(value, _np.ndarray):
            return " ".join(shown(item) for item in value.reshape(-1).tolist())
        return float_format % value if isinstance(value, float) else str(value)

    lines = ["MjvScene", ""]
    for title, items in (("geom", s.geoms[: s.ngeom]), ("light", s.lights[: s.nlight]), ("camera", s.camera)):
        for number, item in enumerate(items):
            lines.append(f"{title} {number}")
            names = (name for name in item.__dir__() if not name.startswith("_"))
            lines += [f"  {name:24}{shown(getattr(item, name))}" for name in sorted(names)] + [""]
    with open(_os.fsdecode(filename), "w") as target:
        target.write("\n".join(lines) + "\n")


def mj_printScene(s: Any, filename: Any) -> None:
    """Write the contents of a scene to a text file."""
    mj_printFormattedScene(s, filename, "%- 9.2g")


# What MuJoCo calls besides the callbacks of a step. Warnings are counted in `data.warning`; memory is Rust's own.
_user: dict = {}


def _user_function(name: str, doc: str) -> Any:
    def set_(function: Optional[Callable[..., Any]]) -> None:
        if function is not None and not callable(function):
            raise TypeError("callback is not an Optional[Callable]")
        _user[name] = function

    set_.__name__ = set_.__qualname__ = f"set_mju_user_{name}"
    set_.__doc__ = doc

    def get() -> Optional[Callable[..., Any]]:
        return _user.get(name)

    get.__name__ = get.__qualname__ = f"get_mju_user_{name}"
    get.__doc__ = f"What `set_mju_user_{name}` set."
    return set_, get


set_mju_user_warning, get_mju_user_warning = _user_function(
    "warning", "Keep a function for warnings. Condyle raises none while it steps: they are in `data.warning` and `data.report`."
)
set_mju_user_malloc, get_mju_user_malloc = _user_function("malloc", "Keep a function that allocates; it is never called.")
set_mju_user_free, get_mju_user_free = _user_function("free", "Keep a function that frees; it is never called.")

__all__ = [_name for _name in dir() if _name.startswith(("mj_", "mju_", "set_mju_", "get_mju_")) or _name == "UnexpectedError"]
