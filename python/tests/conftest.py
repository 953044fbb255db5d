"""Every test runs with the check that no call moves an array that a numpy view shows."""

from condyle import _condyle

_condyle._check_places(True)
