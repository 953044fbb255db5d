"""What all tests share: the check that no call moves an array that a numpy view shows, and the comparison of bits."""

import numpy as np

from condyle import _condyle


def pytest_configure():
    _condyle._check_places(True)


def array(values):
    """An array with at least one axis; bytes become numbers."""
    return np.frombuffer(values, np.uint8) if isinstance(values, bytes) else np.ascontiguousarray(values)


def different_bits(ours, theirs, any_nan=False):
    """Where two arrays of one shape differ in a bit; with `any_nan` one NaN is as good as another."""
    ours, theirs = array(ours), array(theirs)
    if not np.issubdtype(ours.dtype, np.floating) and not np.issubdtype(theirs.dtype, np.floating):
        return ours != theirs
    ours, theirs = ours.astype(np.float64), theirs.astype(np.float64)
    different = ours.view(np.uint64) != theirs.view(np.uint64)
    return different & ~(np.isnan(ours) & np.isnan(theirs)) if any_nan else different


def same_bits(ours, theirs, any_nan=False):
    """Whether two arrays agree in shape and in every bit."""
    return array(ours).shape == array(theirs).shape and not different_bits(ours, theirs, any_nan).any()


def assert_same_bits(ours, theirs, what="", any_nan=False):
    """Fail with the first element that differs, and its place."""
    ours, theirs = array(ours), array(theirs)
    assert ours.shape == theirs.shape, f"{what}: shape {ours.shape} beside {theirs.shape}"
    places = np.flatnonzero(different_bits(ours, theirs, any_nan))
    if places.size:
        first = places[0]
        raise AssertionError(
            f"{what}: {places.size} of {ours.size} differ; element {first} is {ours.ravel()[first]!r} beside {theirs.ravel()[first]!r}"
        )


def assert_same_fields(ours, theirs, names, what="", any_nan=False):
    """[`assert_same_bits`] of attributes of two objects."""
    for name in names:
        assert_same_bits(getattr(ours, name), getattr(theirs, name), f"{what} {name}".strip(), any_nan)
