"""The Python examples run, and say something."""

import json
import pathlib
import runpy
import sys

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"
# Arguments that make an example short; alone, the training takes a minute or more.
SHORT = {"train_with_ppo.py": ["--updates", "2", "--plot", "curve.svg"]}


def examples():
    return sorted(path.name for path in FOLDER.glob("*.py"))


@pytest.mark.parametrize("name", examples())
def test_example_runs(name, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [name, *SHORT.get(name, ())])
    runpy.run_path(str(FOLDER / name), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_the_training_learns_the_same_on_gymnasiums_vectors(capsys, monkeypatch):
    pytest.importorskip("gymnasium")
    pytest.importorskip("mujoco")
    monkeypatch.setattr(sys, "argv", ["train_with_ppo.py", "--updates", "3", "--environments", "2", "--compare"])
    runpy.run_path(str(FOLDER / "train_with_ppo.py"), run_name="__main__")
    assert len([line for line in capsys.readouterr().out.splitlines() if "in the environments" in line]) == 3


def test_examples_have_a_twin_in_rust():
    twins = {path.stem for path in (FOLDER.parent / "rust").glob("*.rs")} - {"lib"}
    assert {name[:-3] for name in examples()} == twins


def notebooks():
    return sorted((FOLDER.parent / "notebooks").glob("*.ipynb"))


def test_there_are_ten_notebooks():
    assert len(notebooks()) >= 10


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_notebook_runs(path, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    cells = json.loads(path.read_text())["cells"]
    assert cells[0]["cell_type"] == "markdown"
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), path.name, "exec"), names)
    assert capsys.readouterr().out.strip()


def test_most_notebooks_show_a_picture():
    shown = [path for path in notebooks() if '"image/png"' in path.read_text()]
    assert len(shown) >= 10
