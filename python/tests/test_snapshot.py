"""A snapshot continues with the same bits: in the same data, in fresh data and in another process.

Every cut point is a random step of a random motion. By default a few per model are tried; `CONDYLE_CAMPAIGN=full` tries 200.
"""

import os
import pathlib
import pickle
import subprocess
import sys

import mujoco
import numpy as np
import pytest

import condyle

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
FULL = os.environ.get("CONDYLE_CAMPAIGN") == "full"
CUTS = 200 if FULL else 4
LONGEST, AFTER = (600, 40) if FULL else (250, 25)
NAMES = (
    "bench/figure", "bench/leg", "bench/chain", "bench/pile", "bench/cubes", "constraint/connect", "constraint/tendonequality",
    "constraint/island", "constraint/noslip", "constraint/sparsepgs", "contact/condims", "contact/onmesh", "actuator/delay_linear",
    "actuator/muscle", "actuator/dynamics", "integrator/implicit", "integrator/rk4contact", "state/mocap", "state/sleep", "tendon/wrap",
)
CHILD = """
import pickle, sys
import numpy as np
import condyle
model, jobs = pickle.load(sys.stdin.buffer)
model = condyle.MjModel.from_binary(model)
data = condyle.MjData(model)
results = []
for snapshot, controls in jobs:
    data.restore(snapshot)
    for control in controls:
        data.ctrl[:] = control
        condyle.mj_step(model, data)
    results.append(bytes(data.snapshot()))
pickle.dump(results, sys.stdout.buffer)
"""


def load(name):
    return condyle.MjModel.from_xml_path(str(MODELS / f"{name}.xml"))


def run(model, data, controls):
    for control in controls:
        data.ctrl[:] = control
        condyle.mj_step(model, data)
    return bytes(data.snapshot())


def disturb(model, data, rng):
    """Inputs of every kind, some of the time."""
    if rng.random() < 0.5:
        data.qfrc_applied[:] = rng.normal(size=model.nv) * 0.1
        data.xfrc_applied[:] = rng.normal(size=(model.nbody, 6)) * 0.1
    if model.nmocap:
        data.mocap_pos[:] += 0.01 * rng.normal(size=data.mocap_pos.shape)


@pytest.mark.parametrize("name", NAMES)
def test_continuation_has_the_same_bits(name):
    model = load(name)
    rng = np.random.default_rng(5)
    cuts = sorted(rng.integers(1, LONGEST, CUTS))
    data, step, jobs, expected = condyle.MjData(model), 0, [], []
    for cut in cuts:
        disturb(model, data, rng)
        run(model, data, rng.uniform(-1, 1, (cut - step, model.nu)))
        step = cut
        snapshot, controls = data.snapshot(), rng.uniform(-1, 1, (AFTER, model.nu))
        result = run(model, data, controls)
        jobs.append((snapshot, controls))
        expected.append(result)

        fresh = condyle.MjData(model)
        fresh.restore(snapshot)
        assert bytes(fresh.snapshot()) == bytes(snapshot), f"cut at {cut}: a restored simulation is another one"
        assert run(model, fresh, controls) == result, f"cut at {cut}: fresh data"
        data.restore(snapshot)
        assert run(model, data, controls) == result, f"cut at {cut}: same data"
        data.restore(snapshot)

    binary = np.zeros(condyle.mj_sizeModel(model), np.uint8)
    condyle.mj_saveModel(model, None, binary)
    package = pathlib.Path(condyle.__file__).resolve().parents[1]
    answer = subprocess.run([sys.executable, "-c", CHILD], input=pickle.dumps((binary.tobytes(), jobs)), capture_output=True, check=True,
                            env={**os.environ, "PYTHONPATH": str(package)})
    assert pickle.loads(answer.stdout) == expected, "another process"


def test_another_model_is_refused():
    model = load("bench/figure")
    snapshot = condyle.MjData(model).snapshot()
    heavier = load("bench/figure")
    heavier.body_mass[1] *= 2
    with pytest.raises(ValueError, match="another model"):
        condyle.MjData(heavier).restore(snapshot)
    with pytest.raises(ValueError, match="another model"):
        condyle.MjData(load("bench/leg")).restore(snapshot)


def test_damaged_bytes_are_refused():
    model = load("state/sleep")
    data = condyle.MjData(model)
    good = bytes(data.snapshot())
    assert bytes(condyle.Snapshot(good)) == good
    rng = np.random.default_rng(0)
    for _ in range(2000):
        damaged = bytearray(good)
        for _ in range(rng.integers(1, 4)):
            damaged[rng.integers(len(damaged))] ^= 1 << rng.integers(8)
        if rng.random() < 0.3:
            damaged = damaged[:rng.integers(len(damaged))]
        if bytes(damaged) != good:
            with pytest.raises(ValueError):
                data.restore(condyle.Snapshot(bytes(damaged)))
    assert bytes(data.snapshot()) == good


def test_a_snapshot_also_restores_what_the_reference_computes():
    """The motion after a restore is the reference's too."""
    path = str(MODELS / "bench/figure.xml")
    m = mujoco.MjModel.from_xml_path(path)
    d = mujoco.MjData(m)
    model = load("bench/figure")
    data = condyle.MjData(model)
    mujoco.mj_step(m, d, nstep=200)
    condyle.mj_step(model, data, nstep=120)
    other = condyle.MjData(model)
    other.restore(pickle.loads(pickle.dumps(data.snapshot())))
    condyle.mj_step(model, other, nstep=80)
    assert np.array_equal(np.asarray(other.qpos).view(np.uint64), d.qpos.view(np.uint64))
