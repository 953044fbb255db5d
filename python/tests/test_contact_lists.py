"""Contacts of our own models along 60 steps: same list, same order, same bits as the reference."""

import pathlib
import sys

import mujoco
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "conformance"))
import contact_lists  # noqa: E402

FILES = sorted(
    path
    for path in (ROOT / "models").rglob("*.xml")
    if not {"malformed", "plugin", "extensions"} & set(path.relative_to(ROOT).parts)
)
# What goes beyond MuJoCo, so that there is nothing to compare with.
EXTENSIONS = sorted((ROOT / "models/extensions").rglob("*.xml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT / "models").as_posix())
def test_contact_lists_equal_the_reference_along_a_trajectory(path):
    tally, notes = contact_lists.run(path)
    assert tally is not None, "MuJoCo does not read this model"
    assert tally.identical == tally.states == 60, (tally, notes)
    assert not notes


@pytest.mark.parametrize("path", EXTENSIONS, ids=lambda path: path.name)
def test_only_models_mujoco_does_not_read_are_left_out(path):
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_path(str(path))
