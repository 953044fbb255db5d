"""A sample of the programs that run on Condyle unchanged: `cargo xtask clients --all` runs all of them."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "conformance"))
import clients  # noqa: E402


def test_environments_of_gymnasium_compute_the_same_numbers(capsys):
    try:
        folder = clients.prepare_small(ROOT / "target/clients")
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip("PyPI cannot be reached, so gymnasium is left out")
    same = clients.compare(sys.executable, "gymnasium", True, folder)
    assert same, capsys.readouterr().out
    assert "3 of 3 bit-identical" in capsys.readouterr().out
