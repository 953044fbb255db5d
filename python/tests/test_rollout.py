"""Batches of trajectories, to the last bit beside the reference's own module."""

import copy
import pathlib
import threading

import mujoco
import numpy as np
import pytest
from mujoco import rollout as their_rollout
from conftest import assert_same_bits, same_bits

import condyle
from condyle import rollout

ROOT = pathlib.Path(__file__).resolve().parents[2]
FULL = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
USER = [component for component in mujoco.mjtState.__members__.values() if bin(component).count("1") == 1]
USER = [int(component) for component in USER if int(component) & int(mujoco.mjtState.mjSTATE_USER)]

XML = """
<mujoco>
  <size nuserdata="3"/>
  <option timestep="0.004"/>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="hand" mocap="true" pos="0.6 0 0.4" quat="2 0 0 1"><geom type="box" size="0.05 0.05 0.05"/></body>
    <body name="cart" pos="0 0 0.3">
      <joint name="slide" type="slide" axis="1 0 0" range="-1 1" limited="true"/>
      <geom type="box" size="0.1 0.1 0.1" mass="1"/>
      <body name="pole" pos="0 0 0.1">
        <joint name="hinge" axis="0 1 0" damping="0.05"/>
        <geom name="rod" type="capsule" size="0.03" fromto="0 0 0 0 0 0.6"/>
      </body>
    </body>
    <body name="ball" pos="0.5 0 0.2"><freejoint/><geom size="0.06"/></body>
  </worldbody>
  <equality><weld body1="hand" body2="ball" active="false"/><joint joint1="hinge" polycoef="0.1 0 0 0 0"/></equality>
  <actuator>
    <motor joint="slide" gear="10"/>
    <general joint="hinge" dyntype="filter" dynprm="0.05" gainprm="3" biastype="affine" biasprm="0 -3 -0.1"/>
  </actuator>
  <sensor><jointpos joint="hinge"/><framelinacc objtype="body" objname="ball"/><clock/></sensor>
</mujoco>
"""
FIGURE = (ROOT / "models/bench/figure.xml").read_text()


class Side:
    """One engine: the same calls can be made of both."""

    def __init__(self, module, function, source=XML):
        self.module, self.rollout = module, function
        self.model = module.MjModel.from_xml_string(source)

    def data(self, count=1):
        return [self.module.MjData(self.model) for _ in range(count)]


def sides(source=XML):
    return Side(mujoco, their_rollout, source), Side(condyle, rollout, source)


def starts(side, count, seed=0, spread=0.05):
    """Initial states near the reference configuration."""
    state = np.zeros(side.module.mj_stateSize(side.model, FULL))
    side.module.mj_getState(side.model, side.module.MjData(side.model), state, FULL)
    states = np.tile(state, (count, 1))
    first = 1 + side.model.nq
    rng = np.random.default_rng(seed)
    states[:, first : first + side.model.nv] = rng.normal(size=(count, side.model.nv)) * spread
    return states


def assert_same(ours, theirs, what=""):
    for one, other, name in zip(ours, theirs, ("state", "sensordata")):
        assert_same_bits(one, other, f"{what} {name}", any_nan=True)


def own_models():
    folders = [folder for folder in sorted((ROOT / "models").iterdir()) if folder.is_dir()]
    folders = [folder for folder in folders if folder.name not in ("malformed", "extensions", "plugin")]
    return [path for folder in folders for path in sorted(folder.glob("*.xml"))]


def test_every_model_of_ours_rolls_out_as_in_the_reference_on_one_thread_and_on_three():
    count = 0
    for path in own_models():
        try:
            theirs = mujoco.MjModel.from_xml_path(str(path))
        except ValueError:
            continue
        model = condyle.MjModel.from_xml_path(str(path), reference_bugs=True)
        side = Side.__new__(Side)
        side.module, side.model = mujoco, theirs
        initial = starts(side, 5, spread=0.2)
        control = np.random.default_rng(1).normal(size=(5, 12, theirs.nu))
        expected = their_rollout.rollout(theirs, mujoco.MjData(theirs), initial, control)
        assert_same(rollout.rollout(model, condyle.MjData(model), initial, control), expected, path)
        # Some models show what the trajectory before left; with several data each is as if it were alone.
        alone = [their_rollout.rollout(theirs, mujoco.MjData(theirs), *given) for given in zip(initial, control)]
        data = [condyle.MjData(model) for _ in range(3)]
        several = rollout.rollout(model, data, initial, control)
        assert_same(several, [np.concatenate(parts) for parts in zip(*alone)], path)
        count += 1
    assert count > 100


@pytest.mark.parametrize("threads", range(1, 9))
def test_any_number_of_threads_gives_the_bits_of_the_reference(threads):
    results = []
    for side in sides(FIGURE):
        initial = starts(side, 13)
        control = np.random.default_rng(2).normal(size=(13, 25, side.model.nu))
        for chunk_size in (None, 1, 4, 100):
            results.append(
                side.rollout.rollout(side.model, side.data(threads), initial, control, chunk_size=chunk_size)
            )
    for result in results[1:]:
        assert_same(result, results[0])


@pytest.mark.parametrize("components", [*[[one] for one in USER], USER, USER[::2], USER[1::3], []])
def test_controls_may_be_any_user_components(components):
    spec = sum(components)
    results = []
    for side in sides():
        width = side.module.mj_stateSize(side.model, spec)
        rng = np.random.default_rng(3)
        control = rng.normal(size=(4, 15, width)) * 0.5
        # Flags are bytes: what becomes of other numbers is part of the result.
        control[0] = rng.integers(-2, 3, size=(15, width)) * 0.5
        results.append(side.rollout.rollout(side.model, side.data(), starts(side, 4), control, control_spec=spec))
        results.append(side.rollout.rollout(side.model, side.data(3), starts(side, 4), control, control_spec=spec))
    for result in results[1:]:
        assert_same(result, results[0])


def test_what_a_call_does_not_give_is_taken_from_the_data():
    """Without controls the components of `control_spec` stay, user data always does, everything else is set."""
    for spec in (0, int(mujoco.mjtState.mjSTATE_CTRL), sum(USER)):
        results = []
        for side in sides():
            data = side.data()
            for name in ("ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "userdata"):
                array = getattr(data[0], name)
                array[:] = np.random.default_rng(4).normal(size=array.shape) * 0.3
            data[0].eq_active[:] = 1
            results.append(side.rollout.rollout(side.model, data, starts(side, 3), nstep=10, control_spec=spec))
            results.append((data[0].userdata.copy(), data[0].mocap_quat.copy()))
        assert_same(results[2], results[0])
        assert all(same_bits(one, other, any_nan=True) for one, other in zip(results[3], results[1]))


def test_several_data_start_from_the_first_whatever_the_others_hold():
    ours = sides()[1]
    data = ours.data(4)
    for index, one in enumerate(data):
        one.ctrl[:] = 0.3 + index
    expected = rollout.rollout(ours.model, [copy.copy(data[0])], starts(ours, 9), nstep=20)
    assert_same(rollout.rollout(ours.model, data, starts(ours, 9), nstep=20), expected)
    # A trajectory that ends in a reset, which clears the controls, does not show in the others.
    initial = starts(ours, 9)
    initial[::2, 1] = np.nan
    state, _ = rollout.rollout(ours.model, data, initial, nstep=20)
    assert same_bits(state[1::2], expected[0][1::2], any_nan=True)


def test_trajectories_of_sleeping_trees_do_not_depend_on_each_other_with_several_data():
    source = XML.replace('<option timestep="0.004"/>', '<option timestep="0.004"><flag sleep="enable"/></option>')
    theirs, ours = sides(source)
    initial = np.repeat(starts(ours, 1, spread=0), 6, axis=0)
    initial[3, 1:4] += 0.1
    single = [
        side.rollout.rollout(side.model, side.data(), initial, nstep=60, control_spec=0) for side in (theirs, ours)
    ]
    assert_same(single[1], single[0])
    for threads in (2, 3, 5):
        state, _ = rollout.rollout(ours.model, ours.data(threads), initial, nstep=60, control_spec=0)
        assert all(same_bits(state[index], single[0][0][0], any_nan=True) for index in (0, 1, 2, 4, 5))
        alone = rollout.rollout(ours.model, ours.data(), initial[3], nstep=60, control_spec=0)[0]
        assert same_bits(state[3], alone[0], any_nan=True)


@pytest.mark.parametrize("flag", ["", '<option><flag autoreset="disable"/></option>'])
@pytest.mark.parametrize("spoiled", ["position", "velocity", "time", "control", "warm start", "large control"])
def test_a_diverged_trajectory_repeats_its_last_step_as_in_the_reference(flag, spoiled):
    results = []
    for side in sides(XML.replace("<worldbody>", flag + "<worldbody>", 1)):
        initial = starts(side, 4)
        control = np.random.default_rng(5).normal(size=(4, 9, side.model.nu))
        warmstart = np.zeros((4, side.model.nv))
        if spoiled == "position":
            # Without a reset the collisions go on from it, and there is no order among NaN.
            initial[1, 2] = 1e11 if flag else np.nan
        elif spoiled == "velocity":
            initial[1, 1 + side.model.nq] = 1e11
        elif spoiled == "time":
            initial[1, 0] = np.inf
        elif spoiled == "control":
            control[1, 4, 0] = np.nan
        elif spoiled == "warm start":
            warmstart[1] = np.nan
        elif spoiled == "large control":
            control[1, 3:, 0] = 1e30
        for threads in (1, 2):
            arguments = {"initial_warmstart": warmstart}
            results.append(side.rollout.rollout(side.model, side.data(threads), initial, control, **arguments))
    for result in results[1:]:
        assert_same(result, results[0])
    if spoiled in ("position", "control"):
        last = 1 if spoiled == "position" else 5
        assert same_bits(results[0][0][1, -1], results[0][0][1, last], any_nan=True)


def test_a_warm_start_goes_on_where_a_step_ended():
    results = []
    for side in sides(FIGURE):
        data = side.data()
        whole = side.rollout.rollout(side.model, data, starts(side, 1), nstep=40)
        first = side.rollout.rollout(side.model, data, starts(side, 1), nstep=25)
        warmstart = data[0].qacc_warmstart.copy()
        rest = side.rollout.rollout(side.model, data, first[0][0, -1], nstep=15, initial_warmstart=warmstart)
        assert same_bits(rest[0][0], whole[0][0, 25:], any_nan=True)
        cold = side.rollout.rollout(side.model, data, first[0][0, -1], nstep=15)
        results += [whole, cold]
    assert_same(results[2], results[0])
    assert_same(results[3], results[1])


def test_every_trajectory_may_have_a_model_of_its_own():
    results = []
    for side in sides():
        models = [side.module.MjModel.from_xml_string(XML) for _ in range(6)]
        for index, model in enumerate(models):
            model.opt.gravity[2] = -index
            model.body("pole").mass = 0.1 + index
            model.body("hand").pos = [0.1 * index, 0, 0.4]
            model.equality(0).active0 = index % 2
        for threads in (1, 3):
            results.append(side.rollout.rollout(models, side.data(threads), starts(side, 1), nstep=12))
        results.append(side.rollout.rollout(tuple(models), side.data(), starts(side, 6), nstep=12))
        results.append(side.rollout.rollout(models[:1], side.data(), starts(side, 6), nstep=12))
    for one, other in zip(results[4:], results[:4]):
        assert_same(one, other)
    assert_same(results[5], results[4])


# Shapes with names for the sizes, as they are given; None for an array that is not.
SHAPES = [
    {"initial_state": "n"},
    {"initial_state": "1n"},
    {"initial_state": "Bn"},
    {"initial_state": "Bn", "nstep": 1},
    {"initial_state": "Bn", "nstep": 0},
    {"initial_state": "n", "control": "c"},
    {"initial_state": "n", "control": "Tc"},
    {"initial_state": "n", "control": "BTc"},
    {"initial_state": "Bn", "control": "Tc"},
    {"initial_state": "Bn", "control": "B1c", "nstep": 7},
    {"initial_state": "Bn", "control": "c", "nstep": 7},
    {"initial_state": "1n", "control": "1Tc", "initial_warmstart": "Bv"},
    {"initial_state": "Bn", "control": "BTc", "initial_warmstart": "v"},
    {"initial_state": "n", "state": "BTn"},
    {"initial_state": "n", "sensordata": "BTs"},
    {"initial_state": "n", "state": "Tn", "sensordata": "Ts"},
    {"initial_state": "n", "state": "n", "sensordata": "s"},
    {"initial_state": "Bn", "state": "BTn", "sensordata": "BTs", "control": "BTc"},
    {"initial_state": "Bn", "state": "BTn", "nstep": 7},
    {"initial_state": "Bn", "nstep": 7, "models": 4},
    {"initial_state": "n", "nstep": 7, "models": 4},
    {"initial_state": "n", "control": "Tc", "models": 1},
]
# What does not fit.
BAD_SHAPES = [
    {"initial_state": "x"},
    {"initial_state": "Bx"},
    {"initial_state": "11n"},
    {"initial_state": ""},
    {"initial_state": "n", "control": "x"},
    {"initial_state": "n", "control": "BBTc"},
    {"initial_state": "n", "control": ""},
    {"initial_state": "Bn", "control": "xTc"},
    {"initial_state": "Bn", "control": "BTc", "nstep": 3},
    {"initial_state": "Bn", "control": "BTc", "nstep": -3},
    {"initial_state": "Bn", "nstep": -3},
    {"initial_state": "Bn", "nstep": 2.5},
    {"initial_state": "Bn", "nstep": "7"},
    {"initial_state": "Bn", "chunk_size": 2.5, "nstep": 7},
    {"initial_state": "Bn", "initial_warmstart": "xv"},
    {"initial_state": "Bn", "initial_warmstart": "x"},
    {"initial_state": "Bn", "initial_warmstart": "BTv"},
    {"initial_state": "Bn", "state": "BTx"},
    {"initial_state": "Bn", "state": "Tn"},
    {"initial_state": "Bn", "state": "xTn"},
    {"initial_state": "Bn", "state": "BTn", "sensordata": "Bxs"},
    {"initial_state": "Bn", "state": "BTn", "control": "Bxc"},
    {"initial_state": "Bn", "sensordata": "BTx"},
    {"initial_state": "Bn", "sensordata": "1Ts"},
    {"initial_state": "Bn", "models": 3, "nstep": 7},
    {"initial_state": "Bn", "models": 0, "nstep": 7},
    {"initial_state": "n", "models": 0, "nstep": 7},
    {"initial_state": "n", "data": 0},
    {"initial_state": "n", "control_spec": int(mujoco.mjtState.mjSTATE_QPOS)},
    {"initial_state": "n", "control_spec": 1 << 20},
    {"initial_state": "n", "control_spec": -1},
    {"initial_state": "n", "control_spec": 1.5},
    {"initial_state": "n", "skip_checks": True},
    {"initial_state": "n", "control": "list"},
    {"initial_state": "list"},
    {"initial_state": "Bn", "state": "list"},
]


def call(side, case, dtype=np.float64):
    """Make the call a case describes; returns its result and the arrays given as outputs."""
    model = side.model
    sizes = {"B": 4, "T": 7, "n": len(starts(side, 1)[0]), "c": model.nu, "v": model.nv, "s": model.nsensordata}
    sizes.update({"1": 1, "x": 3})
    arguments, outputs = {}, []
    for name, value in case.items():
        if name in ("models", "data"):
            continue
        if value == "list":
            arguments[name] = [1.0, 2.0]
        elif isinstance(value, str) and name not in ("nstep",):
            shape = tuple(sizes[letter] for letter in value)
            array = np.random.default_rng(6).normal(size=shape)
            arguments[name] = (np.asarray(array) * 0.1).astype(dtype)
            if name in ("state", "sensordata"):
                outputs.append(arguments[name])
        else:
            arguments[name] = value
    models = [model] * case["models"] if "models" in case else model
    data = side.data(case["data"]) if "data" in case else side.data()[0]
    return side.rollout.rollout(models, data, **arguments), outputs


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("case", SHAPES, ids=str)
def test_shapes_are_completed_and_outputs_written_in_place_as_in_the_reference(case, dtype):
    (theirs, their_outputs), (ours, our_outputs) = (call(side, case, dtype) for side in sides())
    assert_same(ours, theirs)
    for one, other in zip(our_outputs, their_outputs):
        assert same_bits(one, other, any_nan=True)
        results = zip(ours, theirs)
        assert any(np.shares_memory(one, a) == np.shares_memory(other, b) for a, b in results)


@pytest.mark.parametrize("case", BAD_SHAPES, ids=str)
def test_what_does_not_fit_raises_what_the_reference_raises(case):
    raised = []
    for side in sides():
        with pytest.raises(Exception) as error:
            call(side, case)
        raised.append(error.type)
    assert raised[0] is raised[1]


def test_a_number_of_threads_that_is_not_that_of_the_data_raises_what_the_reference_raises():
    for threads, count in ((0, 2), (2, 1), (2, 3), (1, 2), (1, 0), (3, 0)):
        for side in sides():
            with side.rollout.Rollout(nthread=threads) as kept, pytest.raises(ValueError):
                kept.rollout(side.model, side.data(count), starts(side, 2))


def test_models_of_other_sizes_and_data_given_twice_are_refused():
    ours = sides()[1]
    other = condyle.MjModel.from_xml_string(FIGURE)
    with pytest.raises(ValueError, match="sizes"):
        rollout.rollout([ours.model, other], ours.data(), starts(ours, 2), nstep=3)
    with pytest.raises(ValueError, match="sizes"):
        rollout.rollout(ours.model, condyle.MjData(other), starts(ours, 2), nstep=3)
    data = ours.data()[0]
    with pytest.raises(ValueError, match="twice"):
        rollout.rollout(ours.model, [data, data], starts(ours, 2), nstep=3)
    with pytest.raises(ValueError, match="chunk"):
        rollout.rollout(ours.model, ours.data(2), starts(ours, 2), nstep=3, chunk_size=-1)


def test_checks_can_be_skipped():
    results = []
    for side in sides():
        state, sensordata = np.zeros((5, 6, len(starts(side, 1)[0]))), np.zeros((5, 6, side.model.nsensordata))
        control = np.random.default_rng(8).normal(size=(5, 6, side.model.nu))
        with side.rollout.Rollout(nthread=2) as kept:
            arguments = {"skip_checks": True, "nstep": 6, "state": state, "sensordata": sensordata}
            result = kept.rollout([side.model] * 5, side.data(2), starts(side, 5), control, **arguments)
        assert result[0] is state and result[1] is sensordata
        results.append(result)
        with pytest.raises(IndexError):
            side.rollout.rollout([side.model] * 4, side.data(), starts(side, 5), skip_checks=True, nstep=6)
        with pytest.raises(ValueError):
            side.rollout.rollout(
                [side.model] * 5, side.data(), starts(side, 5), skip_checks=True, nstep=6, state=state[:4]
            )
        with pytest.raises(TypeError):
            side.rollout.rollout(side.model, side.data(), starts(side, 5), skip_checks=True, nstep=6)
    assert_same(results[1], results[0])


def test_outputs_may_overlap_the_initial_states():
    results = []
    for side in sides():
        state = starts(side, 4)[:, np.newaxis, :].copy()
        data = side.data(2)
        for _ in range(5):
            side.rollout.rollout(side.model, data, state[:, 0], state=state)
        results.append((state, state))
    assert_same(results[1], results[0])


def test_threads_are_kept_and_let_go():
    ours = sides()[1]
    expected = rollout.rollout(ours.model, ours.data(), starts(ours, 4), nstep=5)
    with rollout.Rollout(nthread=3) as kept:
        for _ in range(3):
            assert_same(kept.rollout(ours.model, ours.data(3), starts(ours, 4), nstep=5), expected)
    for module in (rollout, their_rollout):
        closed = module.Rollout(nthread=2)
        closed.close()
        with pytest.raises(RuntimeError):
            closed.rollout(None, None, None)
    for threads in (2, 2, 3, 1):
        arguments = {"nstep": 5, "persistent_pool": True}
        assert_same(rollout.rollout(ours.model, ours.data(threads), starts(ours, 4), **arguments), expected)
        assert rollout.persistent_rollout.nthread == (threads if threads > 1 else 0)
    rollout.shutdown_persistent_pool()
    rollout.shutdown_persistent_pool()
    assert rollout.persistent_rollout is None


def test_the_interpreter_lock_is_released_during_a_rollout():
    ours = sides(FIGURE)[1]
    data = ours.data()[0]
    work = threading.Thread(target=rollout.rollout, args=(ours.model, data, starts(ours, 40)), kwargs={"nstep": 100})
    work.start()
    in_use = False
    while work.is_alive() and not in_use:
        try:
            data.time = 0.0
        except RuntimeError:
            in_use = True
    work.join()
    assert in_use


@pytest.fixture
def no_callbacks():
    yield
    for module in (mujoco, condyle):
        module.set_mjcb_control(None)


def test_callbacks_are_called_in_every_trajectory(no_callbacks):
    results = []
    for side in sides():
        models = [side.module.MjModel.from_xml_string(XML) for _ in range(4)]
        for index, model in enumerate(models):
            model.opt.gravity[2] = -index

        def push(model, data):
            data.ctrl[0] = model.opt.gravity[2] * data.qpos[0] + data.time

        side.module.set_mjcb_control(push)
        results.append(side.rollout.rollout(models, side.data(), starts(side, 4), nstep=10))
        side.module.set_mjcb_control(None)
    assert_same(results[1], results[0])
    ours = sides()[1]
    condyle.set_mjcb_control(push)
    assert_same(rollout.rollout(models, ours.data(3), starts(ours, 4), nstep=10), results[0])


def test_an_exception_in_a_callback_ends_the_call(no_callbacks):
    ours = sides()[1]

    def fail(model, data):
        if data.time > 0.01:
            raise KeyError("no")

    condyle.set_mjcb_control(fail)
    for threads in (1, 3):
        data = ours.data(threads)
        with pytest.raises(KeyError):
            rollout.rollout(ours.model, data, starts(ours, 6), nstep=10)
        condyle.set_mjcb_control(None)
        rollout.rollout(ours.model, data, starts(ours, 6), nstep=10)
        condyle.set_mjcb_control(fail)


def test_a_policy_of_the_data_holds_in_a_rollout():
    ours = sides()[1]
    initial = starts(ours, 3)
    initial[1, 2] = np.nan
    for policy in ("hold", "error"):
        data = ours.data(2)
        for one in data:
            one.non_finite_policy = policy
        state, _ = rollout.rollout(ours.model, data, initial, nstep=4)
        assert np.isnan(state[1]).any() == (policy == "error")
        assert np.isfinite(state[::2]).all()
