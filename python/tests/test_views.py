"""Views stay what they are: no function may replace an array of a model or a fixed array of a simulation.

A numpy view points into the memory of its array. For every function that takes a model or a simulation, all views are read before and
after, and written through: a copy of the object must show the same bytes.
"""

from __future__ import annotations

import ast
import copy
import inspect
import pathlib

import condyle
import mujoco
import numpy as np
import pytest
from conftest import assert_same_bits

XML = """
<mujoco>
  <option><flag energy="enable" sleep="enable"/></option>
  <asset><texture name="t" type="2d" builtin="checker" width="4" height="4"/></asset>
  <worldbody>
    <light mode="trackcom"/><light mode="targetbody" target="b"/>
    <camera mode="trackcom"/><camera mode="trackcom"/><camera mode="trackcom"/>
    <camera mode="trackcom"/><camera mode="trackcom"/><camera mode="targetbodycom" target="b"/>
    <geom type="plane" size="1 1 1"/>
    <body name="m" mocap="true" pos="0 0 3"><geom size=".1"/></body>
    <body name="b" pos="0 0 .1"><freejoint/><geom name="g" size=".1"/><site name="s"/>
      <body pos=".3 0 0"><joint name="h" axis="0 1 0"/><geom size=".05"/><site name="e"/></body></body>
    <body pos="1 0 .2"><joint name="k" type="slide" axis="0 0 1"/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <tendon><spatial name="t"><site site="s"/><site site="e"/></spatial></tendon>
  <equality><connect body1="b" body2="m" anchor="0 0 0" active="false"/></equality>
  <actuator><position joint="h" kp="3" dampratio="1"/><adhesion body="b" ctrlrange="0 1"/></actuator>
  <sensor><accelerometer site="s"/><jointpos joint="h"/></sensor>
  <keyframe><key qpos="0 0 1 1 0 0 0 .1 .2"/></keyframe>
</mujoco>
"""


def _functions() -> list[tuple[str, list[tuple[str, str]]]]:
    """Name and parameters of every function whose first parameters include a model or a simulation."""
    stub = pathlib.Path(inspect.getfile(condyle)).with_name("_condyle.pyi")
    found = []
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            parameters = [(a.arg, ast.unparse(a.annotation) if a.annotation else "") for a in node.args.args]
            if any(kind in ("MjModel", "MjData") for _, kind in parameters):
                found.append((node.name, parameters))
    return found


FUNCTIONS = _functions()


def _argument(name: str, kind: str, m, d, other, folder):
    """A plausible argument, by the name of the parameter or else by its type."""
    nv, state = m.nv, condyle.mj_stateSize(m, 0x3FFF)
    transition = 2 * nv + m.na
    known = {
        "dest": other, "src": other, "dst": d, "sig": 0x3FFF, "srcsig": 0x3FFF, "dstsig": 0x3FFF,
        "state": np.zeros(state), "filename": str(folder / "saved"), "nstep": 3, "N": 4, "key": 0,
        "body": 2, "geom": 2, "site": 0, "geomid": 0, "jar": np.zeros(d.nefc), "cost": np.zeros(1),
        "mat": np.zeros((3, nv)), "force": np.ones(3), "torque": np.ones(3), "qfrc_target": np.zeros(nv),
        "qpos": m.qpos0.copy(), "qpos1": m.qpos0.copy(), "qpos2": m.qpos0.copy(), "qvel": np.zeros(nv),
        "M": d.qM.copy(), "jacp": np.zeros((3, nv)), "jacr": np.zeros((3, nv)), "A": np.zeros((transition, transition)),
        "result": np.zeros(nv), "eps": 1e-6, "flg_centered": 1, "distmax": 1.0,
        "fromto": np.zeros(6), "DfDq": np.zeros((nv, nv)), "index": 0, "type": mujoco.mjtObj.mjOBJ_BODY, "objtype": 1,
        "objid": 1, "res": np.zeros(nv), "vec": np.ones(nv), "x": np.zeros((1, nv)), "y": np.ones((1, nv)),
        "sqrtInvD": np.ones(nv), "nray": 1, "action": 1, "name": "b", "dt": 0.01,
    }  # fmt: skip
    drawn = kind.split(" | ")[0]
    if drawn == "MjvScene":
        scene = condyle.MjvScene(m, 200)
        condyle.mjv_updateScene(m, d, condyle.MjvOption(), None, condyle.MjvCamera(), 7, scene)
        return scene
    if drawn.startswith("Mjv"):
        return getattr(condyle, drawn)()
    if kind == "MjModel":
        return m
    if kind == "MjData":
        return known.get(name, d)
    if name in known:
        return known[name]
    if "None" in kind:
        return None
    return 0 if kind == "int" else 0.5 if kind == "float" else np.ones(3)


def _special(name: str, m, d) -> dict[str, np.ndarray]:
    """Arguments whose size depends on the function."""
    state = condyle.mj_stateSize(m, 0x3FFF)
    ray = {"pnt": np.array([0.0, 0, 2]), "vec": np.array([0.0, 0, -1]), "geomid": np.zeros(1, np.int32), "dist": np.zeros(1)}
    return {
        "mj_extractState": {"src": np.zeros(state), "dst": np.zeros(state)},
        "mj_objectVelocity": {"res": np.zeros(6)},
        "mj_objectAcceleration": {"res": np.zeros(6)},
        "mj_contactForce": {"result": np.zeros(6)},
        "mj_fullM": {"dst": np.zeros((m.nv, m.nv))},
        "mj_mulJacVec": {"res": np.zeros(d.nefc)},
        "mj_mulJacTVec": {"vec": np.zeros(d.nefc)},
        "mjv_cameraFrustum": {name: np.zeros(2, np.float32) for name in ("zver", "zhor", "zclip")},
        "mjv_select": {
            "selpnt": np.zeros(3), "geomid": np.zeros(1, np.int32), "flexid": np.zeros(1, np.int32), "skinid": np.zeros(1, np.int32),
        },
        "mj_ray": ray,
        "mj_multiRay": ray,
    }.get(name, {})


def _call(name: str, parameters, m, d, other, folder) -> bool:
    special = _special(name, m, d)
    arguments = [
        special[parameter] if parameter in special else _argument(parameter, kind, m, d, other, folder)
        for parameter, kind in parameters
    ]
    try:
        getattr(condyle, name)(*arguments)
    except (TypeError, ValueError, IndexError, RuntimeError, KeyError):
        return False
    return True


def _views(thing) -> dict[str, np.ndarray]:
    """Every live view of a model or a simulation, by name."""
    table = type(thing)._array_table()
    return {
        row[0]: getattr(thing, row[0])
        for row in table
        if row[0] not in ("names", "paths", "text_data") and not (len(row) > 6 and row[6])
    }


def _assert_views_show(thing, views: dict[str, np.ndarray], when: str) -> None:
    """Views show what the object holds, and what is written through them arrives."""
    for written in (False, True):
        if written:
            before = {name: view.copy() for name, view in views.items()}
            for view in views.values():
                if view.flags.writeable:
                    view.reshape(-1).view(np.uint8)[...] ^= 1
        fresh = copy.copy(thing)
        for name, view in views.items():
            assert_same_bits(getattr(fresh, name), view, f"{name} {when}, written={written}")
        if written:
            for name, view in views.items():
                if view.flags.writeable:
                    view[...] = before[name]


def test_the_functions_are_found() -> None:
    names = {name for name, _ in FUNCTIONS}
    assert {"mj_step", "mj_setConst", "mjd_transitionFD", "mj_copyData"} <= names
    assert len(names) > 90


@pytest.mark.parametrize(("name", "parameters"), FUNCTIONS, ids=[name for name, _ in FUNCTIONS])
def test_no_function_moves_an_array(name, parameters, tmp_path) -> None:
    m = condyle.MjModel.from_xml_string(XML)
    d, other = condyle.MjData(m), condyle.MjData(m)
    condyle.mj_step(m, d, 3)
    model_views, data_views = _views(m), _views(d)
    _assert_views_show(m, model_views, "before")
    worked = _call(name, parameters, m, d, other, tmp_path)
    held = [np.full(64, 7, np.int32) for _ in range(64)]  # would land where something was freed
    _assert_views_show(m, model_views, f"after {name}")
    _assert_views_show(d, data_views, f"after {name}")
    assert worked or name in REFUSED or name not in dir(mujoco), f"{name} refused its arguments"
    del held


# Functions that need an object this model does not have.
REFUSED = {
    "mj_rayFlex",
    "mj_rayHfield",
    "mj_rayMesh",
    "mjr_uploadHField",
    "mjr_uploadMesh",
    "mjr_uploadTexture",
}


def test_camera_modes_survive_new_constants() -> None:
    m = condyle.MjModel.from_xml_string(XML)
    d = condyle.MjData(m)
    view, modes = m.cam_mode, m.cam_mode.copy()
    condyle.mj_setConst(m, d)
    held = [np.full(len(view), 0x7070707, np.int32) for _ in range(256)]
    np.testing.assert_array_equal(view, modes)
    del held
