"""`python -m condyle` is the command line."""

import pathlib
import subprocess
import sys

import condyle

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "condyle", *arguments], capture_output=True, text=True)


def test_the_module_has_the_version_of_the_command():
    assert run("--version").stdout.split() == ["condyle", condyle.__version__]


def test_a_command_runs_and_ends_with_its_exit_code():
    good, bad = run("check", str(MODELS / "robot/quadruped.xml")), run("check", str(MODELS / "malformed/xml_unclosed_body.xml"))
    assert good.returncode == 0 and bad.returncode == 1
    assert "E0111" in bad.stdout + bad.stderr


def test_a_wrong_argument_shows_how_it_is_used():
    result = run("simulate")
    assert result.returncode == 2 and "Usage" in result.stderr
