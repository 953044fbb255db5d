"""Contacts of our own models along 60 steps: same list, same order, same bits as the reference."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "conformance"))
import contact_lists  # noqa: E402

FILES = sorted(
    path for path in (ROOT / "models").rglob("*.xml") if not {"malformed", "plugin"} & set(path.relative_to(ROOT).parts)
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT / "models").as_posix())
def test_contact_lists_equal_the_reference_along_a_trajectory(path):
    tally, notes = contact_lists.run(path)
    if tally is None:
        pytest.skip("deformable bodies")
    assert tally.identical == tally.states == 60, (tally, notes)
    assert not notes
