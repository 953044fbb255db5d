"""A sample of the programs that run on Condyle unchanged: `cargo xtask clients --all` runs all of them."""

import pathlib
import subprocess
import sys

import mujoco
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


@pytest.mark.parametrize("name, count", [("renderer_test", 6), ("render_test", 3), ("viewer_test", 1)])
def test_tests_of_mujoco_that_draw_pass(name, count, capsys):
    passed = clients.run_test(sys.executable, pathlib.Path(mujoco.__file__).parent, name)
    printed = capsys.readouterr().out
    assert passed, printed
    assert f"Ran {count} test" in printed
