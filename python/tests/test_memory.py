"""Memory is released with the objects, and views outlive them."""

import gc
import pathlib

import numpy as np

import condyle

PILE = str(pathlib.Path(__file__).resolve().parent.parent.parent / "models" / "bench" / "pile.xml")


def resident():
    """Memory of this process in MB."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def test_data_and_models_whose_arrays_were_read_are_released():
    model = condyle.MjModel.from_xml_path(PILE)
    binary = model.to_binary()

    def churn(count):
        for _ in range(count):
            data = condyle.MjData(model)
            condyle.mj_forward(model, data)
            assert data.qpos.size and data.geom_xpos.size and data.contact.dist.size == data.ncon
            other = condyle.MjModel.from_binary(binary)
            assert other.geom_size.size and other.opt.gravity.size
        gc.collect()

    churn(20)
    before = resident()
    churn(400)
    assert resident() - before < 30


def test_a_view_outlives_the_object_it_was_read_from():
    model = condyle.MjModel.from_xml_path(PILE)
    data = condyle.MjData(model)
    qpos, size, gravity = data.qpos, model.geom_size, model.opt.gravity
    kept = qpos.copy(), size.copy(), gravity.copy()
    del data, model
    gc.collect()
    others = [condyle.MjData(condyle.MjModel.from_xml_path(PILE)) for _ in range(5)]
    assert len(others) == 5
    for view, values in zip((qpos, size, gravity), kept):
        np.testing.assert_array_equal(view, values)
    qpos[:] = 1
