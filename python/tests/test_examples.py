"""The Python examples run, and say something."""

import pathlib
import runpy
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"
# Trainings take minutes; `cargo xtask examples --all` runs them.
LONG = {"train_with_ppo.py"}


def examples():
    return sorted(path.name for path in FOLDER.glob("*.py") if path.name not in LONG)


@pytest.mark.parametrize("name", examples())
def test_example_runs(name, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [name])
    runpy.run_path(str(FOLDER / name), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_most_examples_have_a_twin_in_rust():
    twins = {path.stem for path in (FOLDER.parent / "rust").glob("*.rs")} - {"lib"}
    assert len(twins & {name[:-3] for name in examples()}) >= 9
