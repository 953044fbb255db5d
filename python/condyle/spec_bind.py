"""`bind`: parts of a model or its data by the elements of the spec they were compiled from; and state carried to a new model."""

from collections.abc import Sequence as _Sequence

import numpy as _np

from condyle import _condyle

_ACCESS = {
    "MjsBody": "body", "MjsGeom": "geom", "MjsJoint": "joint", "MjsSite": "site", "MjsCamera": "camera", "MjsLight": "light",
    "MjsMesh": "mesh", "MjsHField": "hfield", "MjsTexture": "texture", "MjsMaterial": "material", "MjsSkin": "skin",
    "MjsFlex": "flex", "MjsPair": "pair", "MjsExclude": "exclude", "MjsEquality": "equality", "MjsTendon": "tendon",
    "MjsActuator": "actuator", "MjsSensor": "sensor", "MjsNumeric": "numeric", "MjsText": "text", "MjsTuple": "tuple",
    "MjsKey": "key",
}  # fmt: skip


def _one(owner, model, element):
    if element.signature != model.signature:
        raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    access = getattr(owner, _ACCESS[type(element).__name__], None)
    if access is None:
        raise TypeError(f"{type(element).__name__} has no part in {type(owner).__name__}")
    return access(element.id)


class _Bound:
    """Parts of several elements, one after the other."""

    def __init__(self, parts, writable: bool):
        object.__setattr__(self, "_parts", parts)
        object.__setattr__(self, "_writable", writable)

    def __getattr__(self, name: str):
        items: list = []
        for part in self._parts:
            items.extend(_np.atleast_1d(getattr(part, name)))
        return items

    def __setattr__(self, name: str, value) -> None:
        if not self._writable:
            raise AttributeError(f"Cannot set {name} on MjModel.")
        values = iter(value)
        for part in self._parts:
            setattr(part, name, next(values))


def _bind_model(model, elements):
    """The part of the model that was compiled from an element of a spec, or from each of several."""
    if isinstance(elements, _Sequence):
        return _Bound([_one(model, model, element) for element in elements], False)
    return _one(model, model, elements)


def _bind_data(data, elements):
    """The part of the data that belongs to an element of a spec, or to each of several."""
    if isinstance(elements, _Sequence):
        return _Bound([_one(data, data.model, element) for element in elements], True)
    return _one(data, data.model, elements)


def install() -> None:
    _condyle.MjModel.bind = _bind_model  # type: ignore[method-assign]
    _condyle.MjData.bind = _bind_data  # type: ignore[method-assign]
    # MuJoCo's names for binding a single element.
    _condyle.MjModel.bind_scalar = _bind_model  # type: ignore[method-assign]
    _condyle.MjData.bind_scalar = _bind_data  # type: ignore[method-assign]


def _sizes(kind: int) -> "tuple[int, int]":
    return {0: (7, 6), 1: (4, 3)}.get(int(kind), (1, 1))


def carry_state(old, new, model, data, new_model, new_data) -> None:
    """Write the state of elements that are in both models into the new data."""
    for index, now in new["joint"].items():
        before = old["joint"].get(index)
        if before is None or before >= model.njnt or model.jnt_type[before] != new_model.jnt_type[now]:
            continue
        nq, nv = _sizes(model.jnt_type[before])
        source, target = int(model.jnt_qposadr[before]), int(new_model.jnt_qposadr[now])
        new_data.qpos[target : target + nq] = data.qpos[source : source + nq]
        source, target = int(model.jnt_dofadr[before]), int(new_model.jnt_dofadr[now])
        new_data.qvel[target : target + nv] = data.qvel[source : source + nv]
    for index, now in new["actuator"].items():
        before = old["actuator"].get(index)
        if before is None or before >= model.nu:
            continue
        new_data.ctrl[now] = data.ctrl[before]
        count = min(int(model.actuator_actnum[before]), int(new_model.actuator_actnum[now]))
        if count > 0:
            source, target = int(model.actuator_actadr[before]), int(new_model.actuator_actadr[now])
            new_data.act[target : target + count] = data.act[source : source + count]
    for index, now in new["body"].items():
        before = old["body"].get(index)
        if before is None or before >= model.nbody:
            continue
        source, target = int(model.body_mocapid[before]), int(new_model.body_mocapid[now])
        if source >= 0 and target >= 0:
            new_data.mocap_pos[target] = data.mocap_pos[source]
            new_data.mocap_quat[target] = data.mocap_quat[source]
