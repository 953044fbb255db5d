"""Batches beside a loop over MuJoCo's own `MjData`, to the last bit, for any number of threads."""

import hashlib
import os
import pathlib
import pickle
import signal

import mujoco
import numpy as np
import pytest

import condyle

ROOT = pathlib.Path(__file__).resolve().parents[2]
NSIM = 7

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="cart" pos="0 0 .2">
      <joint name="slide" type="slide" axis="1 0 0" range="-1 1"/>
      <geom type="box" size=".1 .1 .05" mass="1"/>
      <body name="pole" pos="0 0 .05">
        <joint name="hinge" axis="0 1 0"/>
        <geom name="rod" type="capsule" fromto="0 0 0 0 0 .5" size=".02" mass=".1"/>
        <site name="tip" pos="0 0 .5"/>
      </body>
    </body>
    <body name="ball" pos=".5 0 .3"><freejoint/><geom size=".06"/></body>
  </worldbody>
  <equality><weld body1="ball" body2="cart" active="false"/></equality>
  <actuator>
    <motor name="push" joint="slide" gear="5"/>
    <general name="turn" joint="hinge" dyntype="filter" dynprm="0.02" gainprm="5" biastype="affine" biasprm="0 -5 0"/>
  </actuator>
  <sensor><jointpos joint="hinge"/><accelerometer site="tip"/></sensor>
  <keyframe><key qpos="0.3 0.5 .5 0 .3 1 0 0 0" ctrl="0.1 0.2" act="0.2"/></keyframe>
</mujoco>
"""


def models(xml=XML):
    return condyle.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)


@pytest.mark.parametrize("nthread", range(1, 9))
@pytest.mark.parametrize("persistent", [False, True])
def test_a_batch_is_a_loop_over_mujoco(nthread, persistent):
    model, theirs = models()
    batch = condyle.Batch(model, NSIM, nthread, persistent)
    fields = ("qpos", "qvel", "act", "sensordata", "xpos", "qfrc_constraint", "actuator_force")
    rows = {name: batch.bind(name) for name in fields}
    datas = [mujoco.MjData(theirs) for _ in range(NSIM)]
    random = np.random.default_rng(1)
    for call in range(20):
        controls = random.uniform(-1, 1, (NSIM, model.nu))
        batch.ctrl = controls
        for data, control in zip(datas, controls):
            data.ctrl[:] = control
        if call == 9:
            chosen = np.array([1, 4])
            batch.reset(chosen, keyframe=0)
            for sim in chosen:
                mujoco.mj_resetDataKeyframe(theirs, datas[sim], 0)
                mujoco.mj_forward(theirs, datas[sim])
        else:
            chosen = np.arange(NSIM)[np.arange(NSIM) % 3 != call % 4]
            batch.step(chosen, nstep=3)
            for sim in chosen:
                mujoco.mj_step(theirs, datas[sim], 3)
        for sim in chosen:
            for name in fields:
                np.testing.assert_array_equal(rows[name][sim], getattr(datas[sim], name), f"{name} of {sim}, call {call}")


def test_masses_of_its_own_for_each_simulation():
    model, theirs = models()
    batch = condyle.Batch(model, NSIM, 2)
    batch.body("pole").mass = np.linspace(0.1, 0.9, NSIM)[:, None]
    batch.set_const()
    batch.actuator("push").ctrl = 0.5
    batch.step(nstep=20)
    for sim in range(NSIM):
        single = mujoco.MjModel.from_xml_string(XML)
        single.body_mass[2] = np.linspace(0.1, 0.9, NSIM)[sim]
        data = mujoco.MjData(single)
        mujoco.mj_setConst(single, data)
        mujoco.mj_resetData(single, data)
        data.ctrl[0] = 0.5
        mujoco.mj_step(single, data, 20)
        np.testing.assert_array_equal(batch.qpos[sim], data.qpos)
        np.testing.assert_array_equal(batch.get_model(sim).body_subtreemass, single.body_subtreemass)
        np.testing.assert_array_equal(batch.expanded("body_invweight0")[sim], single.body_invweight0)


def test_a_sliding_body_without_mass_is_refused_where_mujoco_refuses_it():
    model, theirs = models('''<mujoco><worldbody><body name="block"><joint type="slide"/><geom size=".1" mass="1"/></body></worldbody></mujoco>''')
    theirs.body_mass[1] = 0
    with pytest.raises(mujoco.FatalError, match="moving body 1 has 0 mass"):
        mujoco.mj_setConst(theirs, mujoco.MjData(theirs))
    batch = condyle.Batch(model, 3, 2)
    batch.expand("body_mass")[:, 1] = [0, 2, 0]
    with pytest.raises(condyle.SimulationError, match="moving body 1 has 0 mass") as caught:
        batch.set_const([0, 1])
    assert list(caught.value.ids) == [0] and batch.status[2] == 0
    model.body_mass[1] = 0
    with pytest.raises(ValueError, match="moving body 1 has 0 mass"):
        condyle.mj_setConst(model, condyle.MjData(model))


def test_options_of_its_own_for_each_simulation():
    model, theirs = models()
    batch = condyle.Batch(model, 3, 1)
    batch.expand("opt.gravity")[:, 2] = [-1, -5, -20]
    batch.step(nstep=30)
    for sim, gravity in enumerate([-1, -5, -20]):
        single = mujoco.MjModel.from_xml_string(XML)
        single.opt.gravity[2] = gravity
        data = mujoco.MjData(single)
        mujoco.mj_step(single, data, 30)
        np.testing.assert_array_equal(batch.qpos[sim], data.qpos)


@pytest.mark.parametrize("policy", ["auto_reset", "error"])
def test_a_poisoned_simulation_leaves_the_others_alone(policy):
    model, _ = models()
    clean, poisoned = (condyle.Batch(model, NSIM, 3) for _ in range(2))
    poisoned.non_finite_policy = policy
    poisoned.qvel[3, 2] = np.nan
    clean.step(nstep=25)
    if policy == "error":
        with pytest.raises(condyle.SimulationError, match=r"1 of 7 simulations \(3\)") as caught:
            poisoned.step(nstep=25)
        assert list(caught.value.ids) == [3] and poisoned.error(3) and poisoned.time[3] == 0
    else:
        poisoned.step(nstep=25)
        assert poisoned.warning[3, int(condyle.mjtWarning.mjWARN_BADQVEL), 1] == 1
    others = np.arange(NSIM) != 3
    np.testing.assert_array_equal(poisoned.state[others], clean.state[others])


def test_a_rollout_is_that_of_single_steps():
    model, _ = models()
    one, other = (condyle.Batch(model, NSIM, 2) for _ in range(2))
    controls = np.random.default_rng(2).uniform(-1, 1, (3, 12, model.nu))
    ids = [0, 2, 5]
    records = one.rollout(12, controls, record=("qpos", "sensordata", "ncon", "time"), ids=ids)
    other.bind("sensordata"), other.bind("ncon")
    for step in range(12):
        other.ctrl[ids] = controls[:, step]
        other.step(ids)
        for name in ("qpos", "sensordata", "ncon"):
            np.testing.assert_array_equal(records[name][:, step], other.bind(name)[ids])
    np.testing.assert_array_equal(records["time"][:, -1, 0] if records["time"].ndim > 2 else records["time"][:, -1], one.time[ids])
    np.testing.assert_array_equal(one.state, other.state)


def test_jacobians_and_rays_are_those_of_single_simulations():
    model, theirs = models()
    batch = condyle.Batch(model, NSIM, 2)
    batch.qpos[:, 1] = np.linspace(-1, 1, NSIM)
    state = batch.state.copy()
    points = np.random.default_rng(3).uniform(-1, 1, (NSIM, 3))
    jacp, jacr = batch.jac(2, points)
    distances, geoms, normals = batch.ray([0.0, -1.0, 0.4], [0.0, 1.0, 0.0], normal=True)
    np.testing.assert_array_equal(batch.state, state)
    data = mujoco.MjData(theirs)
    for sim in range(NSIM):
        data.qpos[:] = batch.qpos[sim]
        mujoco.mj_kinematics(theirs, data)
        mujoco.mj_comPos(theirs, data)
        expected = np.zeros((2, 3, theirs.nv))
        mujoco.mj_jac(theirs, data, expected[0], expected[1], points[sim], 2)
        np.testing.assert_array_equal(jacp[sim], expected[0])
        np.testing.assert_array_equal(jacr[sim], expected[1])
        geom, normal = np.zeros(1, np.int32), np.zeros(3)
        distance = mujoco.mj_ray(theirs, data, np.array([0, -1, 0.4]), np.array([0.0, 1, 0]), None, 1, -1, geom, normal)
        assert (distances[sim, 0], geoms[sim, 0]) == (distance, geom[0])
        np.testing.assert_array_equal(normals[sim, 0], normal)


def test_a_pickled_batch_goes_on_with_the_same_bits():
    model, _ = models()
    batch = condyle.Batch(model, NSIM, 2)
    batch.bind("xpos")
    batch.expand("geom_friction")[:, 0, 0] = np.linspace(0.2, 1, NSIM)
    batch.expand("body_mass")[:, 1] = np.linspace(1, 2, NSIM)
    batch.set_const()
    batch.step(nstep=5)
    copy = pickle.loads(pickle.dumps(batch))
    for one in (batch, copy):
        one.step(nstep=10)
    np.testing.assert_array_equal(copy.state, batch.state)
    np.testing.assert_array_equal(copy.xpos, batch.xpos)


def test_a_model_that_sleeps_needs_a_data_for_each_simulation():
    xml = XML.replace("<worldbody>", '<option><flag sleep="enable"/></option><worldbody>', 1)
    model, theirs = models(xml)
    with pytest.raises(ValueError, match="persistent"):
        condyle.Batch(model, NSIM)
    batch = condyle.Batch(model, 3, 2, persistent=True)
    data = mujoco.MjData(theirs)
    for _ in range(20):
        batch.step(nstep=20)
        mujoco.mj_step(theirs, data, 20)
    for sim in range(3):
        np.testing.assert_array_equal(batch.qpos[sim], data.qpos)


def test_four_thousand_humanoids_fit_into_two_gibibytes():
    script = (
        "import sys, resource, condyle, numpy as np\n"
        "model = condyle.MjModel.from_xml_path(sys.argv[1])\n"
        "batch = condyle.Batch(model, 4096, 2)\n"
        "batch.bind('xpos'), batch.bind('sensordata'), batch.bind('cvel')\n"
        "batch.step()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    import subprocess
    import sys

    model = ROOT / "models/bench/figure.xml"
    result = subprocess.run([sys.executable, "-c", script, str(model)], capture_output=True, text=True, check=True)
    assert int(result.stdout) * 1024 < 2 << 30


def test_what_is_wrong_is_said():
    model, _ = models()
    batch = condyle.Batch(model, NSIM, 1)
    for call, message in (
        (lambda: batch.bind("body_mass"), r"use expand\('body_mass'\)"),
        (lambda: batch.bind("qpso"), "did you mean 'qpos'"),
        (lambda: batch.bind("efc_force"), "arena"),
        (lambda: batch.expand("xpos"), r"use bind\('xpos'\)"),
        (lambda: batch.expand("mesh_vert"), "asset"),
        (lambda: batch.step([2, 1]), "got 2 before 1"),
        (lambda: batch.step([NSIM]), f"got {NSIM}"),
        (lambda: batch.reset(keyframe=4), "keyframe"),
        (lambda: setattr(batch, "xpos", 0), "computed by every call"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(AttributeError, match="did you mean 'qpos'"):
        batch.joint("hinge").qpso
    assert batch.qpos.base is not None and not batch.xpos.flags.writeable


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda batch: condyle.Batch(batch.model, 2**40), MemoryError, "GiB"),
        (lambda batch: condyle.Batch(batch.model, 2**40, persistent=True), MemoryError, "GiB"),
        (lambda batch: condyle.Batch(batch.model, -1), ValueError, "negative"),
        (lambda batch: condyle.Batch(batch.model, 2, nthread=10**6), ValueError, "nthread"),
        (lambda batch: batch.step([1, 1]), ValueError, "got 1 before 1"),
        (lambda batch: batch.step([-1]), ValueError, "got -1"),
        (lambda batch: batch.step([1.0]), ValueError, "integers"),
        (lambda batch: batch.step([[1]]), ValueError, "one-dimensional"),
        (lambda batch: batch.step([True]), ValueError, "mask"),
        (lambda batch: batch.step(nstep=-1), ValueError, "nstep must not be negative"),
        (lambda batch: batch.rollout(2, record="qpos"), ValueError, r"record=\('qpos',\)"),
        (lambda batch: batch.error(-1), IndexError, "got -1"),
        (lambda batch: batch.get_data(-1), IndexError, "got -1"),
        (lambda batch: batch.get_model(2**40), IndexError, "got"),
        (lambda batch: setattr(batch, "status", 0), ValueError, "read-only"),
        (lambda batch: batch.rollout(2, out={"qpos": batch.xpos}), ValueError, "writable"),
    ],
)
def test_odd_calls_are_refused_and_change_nothing(call, kind, message):
    batch = condyle.Batch(models()[0], NSIM, 2)
    batch.step(nstep=3)
    state = batch.state.copy()
    with pytest.raises(kind, match=message):
        call(batch)
    np.testing.assert_array_equal(batch.state, state)


def test_nothing_is_done_for_no_simulations():
    batch = condyle.Batch(models()[0], NSIM, 2)
    state = batch.state.copy()
    batch.step([]), batch.forward(np.zeros(NSIM, bool)), batch.reset([], keyframe=[])
    assert batch.rollout(3, ids=[])["qpos"].shape == (0, 3, batch.model.nq)
    assert batch.render(ids=[], size=(4, 4)).shape == (0, 4, 4, 3)
    np.testing.assert_array_equal(batch.state, state)
    condyle.Batch(batch.model, 0, 2).step(nstep=5)


def test_assigning_the_states_sets_the_simulations():
    batch = condyle.Batch(models()[0], NSIM, 2)
    start, qpos = batch.state.copy(), batch.qpos
    batch.step(nstep=10)
    assert not np.array_equal(batch.state, start)
    batch.state = start
    np.testing.assert_array_equal(batch.state, start)
    assert np.shares_memory(batch.state, qpos)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process.*fork:DeprecationWarning")
def test_a_forked_process_goes_on_with_a_batch():
    """Threads stay behind when a process is forked, as `multiprocessing` does; the child starts its own."""
    batch = condyle.Batch(models()[0], NSIM, 3)
    batch.step(nstep=5)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        batch.step(nstep=5)
        batch.render(size=(4, 4))
        after = hashlib.sha256(batch.state.tobytes()).digest()[0]
        del batch
        os._exit(after)
    _, status = os.waitpid(child, 0)
    batch.step(nstep=5)
    assert not os.WIFSIGNALED(status)
    assert os.waitstatus_to_exitcode(status) == hashlib.sha256(batch.state.tobytes()).digest()[0]


def test_a_transmission_changed_to_one_of_more_dofs_is_survived(capfd):
    """The moments of actuators have room for those the model was compiled with."""
    xml = """<mujoco><worldbody><body name="ball" pos="0 0 1"><freejoint name="free"/><geom size=".1"/></body>
    <body><joint name="one"/><geom size=".1" pos=".2 0 0"/></body><body><joint name="two"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
    <actuator><motor joint="one"/><motor joint="two"/></actuator></mujoco>"""
    batch = condyle.Batch(condyle.MjModel.from_xml_string(xml), 3, 1)
    batch.expand("actuator_trnid")[1, 0, 0] = batch.model.joint("free").id
    batch.ctrl = 1.0
    clean = condyle.Batch(batch.model, 3, 1)
    clean.ctrl = 1.0
    for each in (batch, clean):
        each.step(nstep=5)
    np.testing.assert_array_equal(batch.state[[0, 2]], clean.state[[0, 2]])
    assert not batch.status.any() and "panicked" not in capfd.readouterr().err
