"""`python -m condyle` is the command line."""

import pathlib
import signal
import subprocess
import sys
import time

import condyle
import pytest

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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_an_interrupted_run_keeps_what_it_recorded_and_shows_no_traceback(tmp_path):
    recording = tmp_path / "run.csv"
    command = [sys.executable, "-m", "condyle", "run", str(MODELS / "bench/leg.xml"), "--seconds", "1e6", "--record", str(recording)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        while not (recording.exists() and recording.stat().st_size):
            assert running.poll() is None, running.stderr.read()
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130 and "interrupted after" in out
    assert "Traceback" not in err and len(recording.read_text().splitlines()) > 2
