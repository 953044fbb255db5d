"""`MjSpec`: MuJoCo's own tests, random edits compared with MuJoCo, and what editing must not do."""

import gc
import pathlib
import subprocess
import sys
import time

import numpy as np
import pytest

import condyle as mj

CONFORMANCE = pathlib.Path(__file__).parents[2] / "conformance"


def run(script: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(CONFORMANCE / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_all_of_mujocos_own_tests_pass():
    pytest.importorskip("mujoco")
    pytest.importorskip("absl")
    pytest.importorskip("etils")
    done = run("mujoco_specs_test.py")
    assert done.returncode == 0, done.stderr[-4000:]
    assert "47 of 47 tests pass" in done.stdout


def test_random_edits_give_the_models_of_mujoco():
    pytest.importorskip("mujoco")
    done = run("spec_edits.py", "--count", "400")
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


def test_a_spec_compiled_again_keeps_nothing_of_the_first_time():
    mujoco = pytest.importorskip("mujoco")
    xml = """<mujoco><worldbody><body name="a"><joint name="j"/><geom name="g" size=".1"/><geom name="h" size=".1"/></body>
      <body name="b"><geom name="i" size=".1"/></body></worldbody><keyframe><key name="k" qpos=".3"/></keyframe></mujoco>"""

    def without_geoms(module, compile_before):
        spec = module.MjSpec.from_string(xml)
        if compile_before:
            spec.compile()
        spec.delete(spec.geom("i"))
        return spec.compile().body_bvhadr.tolist()

    assert without_geoms(mj, True) == without_geoms(mj, False) == without_geoms(mujoco, False) == [-1, 0, -1]
    assert without_geoms(mujoco, True) == [-1, 0, 3]

    def with_a_new_body(module, compile_before):
        spec = module.MjSpec.from_string(xml)
        if compile_before:
            spec.compile()
        added = spec.worldbody.add_body(name="c")
        added.add_geom(size=[0.1, 0, 0])
        spec.add_exclude(bodyname1="a", bodyname2="c")
        found = spec.body("c") is not None
        spec.delete(added)
        return found, spec.compile().nexclude

    assert with_a_new_body(mj, True) == with_a_new_body(mj, False) == with_a_new_body(mujoco, False) == (True, 0)
    with pytest.raises(ValueError, match="not found in bodypair"):
        with_a_new_body(mujoco, True)

    def without_a_joint(module):
        spec = module.MjSpec.from_string(xml)
        spec.compile()
        added = spec.body("b").add_joint(name="new")
        spec.compile()
        spec.delete(added)
        return spec.compile().key_qpos.tolist()

    assert without_a_joint(mj) == [[0.3]]
    with pytest.raises(ValueError, match="invalid qpos size"):
        without_a_joint(mujoco)


def test_adding_geoms_takes_time_in_proportion_to_their_number():
    def seconds(count: int) -> float:
        body = mj.MjSpec().worldbody.add_body()
        start = time.process_time()
        for number in range(count):
            body.add_geom(name=f"geom{number}", size=[0.1, 0.1, 0.1])
        return time.process_time() - start

    seconds(500)
    assert seconds(8000) < 40 * max(seconds(1000), 0.001)


def test_a_deleted_element_says_so():
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="a")
    geom = body.add_geom(size=[1])
    spec.delete(body)
    for element in (body, geom):
        with pytest.raises(ReferenceError, match="deleted"):
            _ = element.pos
        with pytest.raises((ReferenceError, ValueError)):
            spec.delete(element)
    with pytest.raises(ReferenceError):
        body.add_geom()
    with pytest.raises(ValueError, match="world"):
        spec.delete(spec.worldbody)
    assert spec.compile().nbody == 1


def test_a_refused_keyword_leaves_nothing_behind():
    spec = mj.MjSpec()
    with pytest.raises(ValueError):
        spec.worldbody.add_geom(name="g", pos=[1, 2])
    with pytest.raises(TypeError):
        spec.worldbody.add_geom(name="g", speed=1)
    assert spec.geoms == []
    spec.worldbody.add_geom(name="g", size=[1])
    assert spec.compile().ngeom == 1


def test_arrays_stay_live_through_compilation_and_collection():
    spec = mj.MjSpec()
    geom = spec.worldbody.add_geom(size=[1])
    position = geom.pos
    for value in (1.0, 2.0):
        position[0] = value
        gc.collect()
        assert spec.compile().geom_pos[0, 0] == value
    geom.pos = [3, 0, 0]
    assert position[0] == 3


def test_an_error_names_the_element_and_its_note():
    spec = mj.MjSpec()
    spec.worldbody.add_geom(name="good", size=[1])
    spec.worldbody.add_geom(name="bad", info="made in a loop")
    with pytest.raises(ValueError, match="Element name 'bad', id 1, made in a loop"):
        spec.compile()


def test_attached_elements_are_those_of_the_parent():
    child = mj.MjSpec()
    arm = child.worldbody.add_body(name="arm")
    geom = arm.add_geom(name="g", size=[1])
    parent = mj.MjSpec()
    frame = parent.worldbody.add_frame(pos=[0, 0, 1])
    assert frame.attach_body(arm, prefix="left-") is arm
    assert (arm.name, geom.name, parent.geom("left-g")) == ("left-arm", "left-g", geom)
    geom.size[0] = 0.5
    assert parent.compile().geom_size[0, 0] == 0.5
    with pytest.raises(ValueError, match="attached by reference"):
        child.compile()


def test_copies_are_apart():
    spec = mj.MjSpec()
    geom = spec.worldbody.add_geom(name="g", size=[1])
    copy = spec.copy()
    geom.size[0] = 2
    np.testing.assert_array_equal(copy.geom("g").size, [1, 0, 0])


def test_recompiling_keeps_the_state_of_what_stays():
    spec = mj.MjSpec()
    first, second = (spec.worldbody.add_body(name=name) for name in ("first", "second"))
    for body in (first, second):
        body.add_geom(size=[1])
        body.add_joint(name=body.name)
    model = spec.compile()
    data = mj.MjData(model)
    data.qpos[:] = [0.25, 0.5]
    data.time = 3
    spec.delete(first)
    new_model, new_data = spec.recompile(model, data)
    assert (new_model.nq, new_data.qpos[0], new_data.time) == (1, 0.5, 3)


def test_a_column_is_a_vector():
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(pos=np.array([[1.0], [2.0], [3.0]]))
    body.fullinertia = np.full((6, 1), 2.0)
    assert list(body.pos) == [1, 2, 3] and list(body.fullinertia) == [2] * 6


def test_keyframes_of_attached_specs_are_completed_as_in_mujoco():
    mujoco = pytest.importorskip("mujoco")
    child = """<mujoco><worldbody><body name="arm"><joint name="elbow"/><geom size=".1"/><body name="hand" pos="0 0 1"><joint type="ball"/>
      <geom size=".1"/></body></body></worldbody><actuator><general joint="elbow" dyntype="integrator"/></actuator>
      <keyframe><key qpos="0.3 1 0 0 0" act="5" ctrl="0.2"/></keyframe></mujoco>"""
    found = []
    for module in (mj, mujoco):
        for deleted in (False, True):
            spec = module.MjSpec.from_string(child)
            extra = spec.worldbody.add_body(name="extra", pos=[1, 2, 3])
            extra.add_geom(size=[0.1, 0.1, 0.1])
            spec.attach(module.MjSpec.from_string(child), prefix="p-", frame=spec.worldbody.add_frame())
            if deleted:
                spec.delete(extra)
            spec.body("arm").add_joint(name="late", type=module.mjtJoint.mjJNT_SLIDE, ref=0.5)
            spec.worldbody.add_body(name="flying", pos=[1, 2, 3]).add_freejoint()
            spec.body("flying").add_geom(size=[0.1, 0.1, 0.1])
            model = spec.compile()
            found.append([np.array(getattr(model, name)).tolist() for name in ("key_qpos", "key_qvel", "key_act", "key_ctrl")])
    assert found[:2] == found[2:]
    assert found[0] != found[1]


def test_a_spec_reproduces_bugs_of_mujoco_where_asked():
    text = '<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody></mujoco>'
    spec = mj.MjSpec.from_string(text)
    plain, bugs = spec.compile(), spec.compile(reference_bugs=True)
    # A snapshot belongs to models that take the same step.
    snapshot = mj.MjData(mj.MjModel.from_xml_string(text, reference_bugs=True)).snapshot()
    mj.MjData(bugs).restore(snapshot)
    with pytest.raises(ValueError):
        mj.MjData(plain).restore(snapshot)
    # Compiling again keeps the choice.
    model, data = spec.recompile(bugs, mj.MjData(bugs))
    data.restore(snapshot)
    assert model.njnt == 1
