"""A short run of the campaign over every pair of shapes (`cargo xtask collisions` runs it in full).

`CONDYLE_CAMPAIGN_CASES` sets the number of placements per pair and algorithm (default 60).
"""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "conformance"))
import collisions  # noqa: E402

CASES = int(os.environ.get("CONDYLE_CAMPAIGN_CASES", "60"))
# Contact points of these tests are never outside a shape by more than half the contact distance.
EXACT_POINTS = {*collisions.CLOSED, *collisions.SUPPORT} - {"box-box"}


@pytest.mark.parametrize("pair, algorithm", collisions.rows_of_campaign(), ids=lambda part: part.replace(", ", "-"))
def test_placements_agree_with_the_reference(pair, algorithm):
    row = collisions.run_row(pair, algorithm, CASES, seed=1)
    assert row.cases == CASES
    assert row.identical == CASES, (row.line(), row.first)
    assert row.normal < 1e-14
    if pair in EXACT_POINTS:
        assert row.off == 0, row.line()
    if pair == "sphere-sphere":
        assert row.swap_off == 0, row.line()
