"""Pickles of simulations: with their model for anywhere, and small for places that have it."""

import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import condyle
from condyle import pickling

BENCH = pathlib.Path(__file__).resolve().parents[2] / "models/bench"
# Stands for meshes and height fields: most of a model is what simulations do not change.
FIELD = (
    '<mujoco><asset><hfield name="land" nrow="100" ncol="100" size="5 5 1 .1"/></asset><worldbody><geom type="hfield" hfield="land"/>'
    '<body pos="0 0 2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
)
# Bytes beside the state: names, types and counts.
FRAME = 6000


@pytest.fixture
def model():
    yield condyle.MjModel.from_xml_string(FIELD)
    pickling.forget()


def stepped(model, steps=5):
    data = condyle.MjData(model)
    condyle.mj_step(model, data, nstep=steps)
    return data


def test_simulations_of_one_model_in_one_pickle_hold_it_once(model):
    data, batch = stepped(model), condyle.Batch(model, 4, 1)
    alone = len(pickle.dumps(data))
    assert alone > len(model.to_binary()) > 40_000
    together = pickle.dumps([model, data, stepped(model, 9), batch, data.snapshot(), batch])
    assert len(together) < alone + 3 * FRAME + len(bytes(data.snapshot()))
    one, first, second, many, _, same = pickle.loads(together)
    assert first.model is one and second.model is one and many.model is one and same is many
    np.testing.assert_array_equal(first.qpos, data.qpos)


def test_without_the_model_a_pickle_is_a_state(model):
    data, batch = stepped(model), condyle.Batch(model, 100, 1)
    batch.qvel[:, 0] = np.linspace(0, 1, 100)
    batch.step(nstep=3)
    sent = pickling.dumps([data, batch])
    assert len(sent) < len(bytes(data.snapshot())) + batch.state.nbytes + batch.warning.nbytes + FRAME
    there = pickle.loads(pickle.dumps(model))
    for known in ([there], []):
        if not known:
            pickling.keep(there)
        got, many = pickling.loads(sent, known)
        assert got.model is there and many.model is there
        condyle.mj_step(there, got, nstep=20)
        many.step(nstep=20)
        other = stepped(model, 25)
        np.testing.assert_array_equal(got.qpos, other.qpos)
        expected = pickle.loads(pickle.dumps(batch))
        expected.step(nstep=20)
        np.testing.assert_array_equal(many.state, expected.state)


def test_a_model_that_is_not_here_is_named(model):
    sent = pickling.dumps({"data": stepped(model)})
    with pytest.raises(pickling.UnknownModelError, match=f"{pickling.fingerprint(model):016x}") as problem:
        pickling.loads(sent)
    assert problem.value.fingerprint == pickling.fingerprint(model)
    pickling.keep(model)
    assert pickling.loads(sent)["data"].model is model
    model.opt.timestep *= 2
    with pytest.raises(pickling.UnknownModelError, match="changed"):
        pickling.loads(sent)
    model.opt.timestep /= 2
    assert pickling.loads(sent)["data"].model is model
    pickling.forget(model)
    with pytest.raises(pickling.UnknownModelError):
        pickling.loads(sent)


def test_damaged_pickles_are_refused(model):
    class Strange(pickle.Pickler):
        def persistent_id(self, value):
            return ("other", 1) if value == "x" else None

    import io

    file = io.BytesIO()
    Strange(file).dump(["x"])
    with pytest.raises(pickle.UnpicklingError, match="other"):
        pickling.loads(file.getvalue())
    with pytest.raises(pickle.UnpicklingError):
        pickle.loads(pickling.dumps(model))


def test_a_fresh_process_reads_an_ordinary_pickle(model, tmp_path):
    data, batch = stepped(model), condyle.Batch(model, 3, 1)
    file = tmp_path / "simulations.pickle"
    file.write_bytes(pickle.dumps([data, batch]))
    # Nothing of the package is imported there before the pickle asks for it.
    program = (
        "import pickle, sys; data, batch = pickle.load(open(sys.argv[1], 'rb')); batch.step(nstep=9); import condyle; "
        "condyle.mj_step(data.model, data, nstep=9); print(data.qpos.tobytes().hex(), batch.state.tobytes().hex())"
    )
    out = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True)
    condyle.mj_step(model, data, nstep=9)
    batch.step(nstep=9)
    assert out.stdout.split() == [data.qpos.tobytes().hex(), batch.state.tobytes().hex()]


def test_constants_of_a_batch_are_those_it_had():
    """`set_const` for some simulations, and masses that were changed after it."""
    model = condyle.MjModel.from_xml_path(str(BENCH / "figure.xml"))
    batch = condyle.Batch(model, 6, 1)
    batch.expand("body_mass")[:, 1] *= np.linspace(1, 3, 6)
    batch.set_const([0, 2, 4])
    batch.expand("body_mass")[:, 2] *= 1.1
    copies = [pickle.loads(pickle.dumps(batch)), pickling.loads(pickling.dumps(batch), [model])]
    for sim in range(6):
        for copied in copies:
            one, other = batch.get_model(sim), copied.get_model(sim)
            assert one.stat.meaninertia == other.stat.meaninertia
            assert pickling.fingerprint(one) == pickling.fingerprint(other)
    for one in (batch, *copies):
        one.qvel[:] = 0.1
        one.step(nstep=50)
    for copied in copies:
        np.testing.assert_array_equal(copied.state, batch.state)
    with pytest.raises(ValueError):
        condyle.Batch(model, 6, 1)._set_own_values({}, np.zeros((5, 8)))
