"""The Python examples of the documents run."""

import importlib.util
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def examples():
    for document in ("README.md", "python/README.md", "docs/guide.md", "docs/index.md", "docs/from-mujoco.md"):
        blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / document).read_text(), re.MULTILINE | re.DOTALL)
        for number, block in enumerate(blocks):
            yield pytest.param(block, id=f"{document}-{number}")


def test_there_are_examples():
    assert len(list(examples())) >= 2


@pytest.mark.parametrize("source", examples())
def test_example_runs(source, capsys):
    exec(compile(source, "<example>", "exec"), {})
    assert capsys.readouterr().out


def reference():
    specification = importlib.util.spec_from_file_location("reference", ROOT / "docs" / "reference.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["mjcf.md", "diagnostics.md", "command-line.md"])
def test_pages_from_the_code_leave_nothing_out(name):
    """Every element, attribute, code and command is there; `cargo xtask docs` writes the pages anew."""
    sections = re.compile(r"^(?:## .*|\| `[^`]+` \|)", re.MULTILINE)
    wanted, found = (sections.findall(text) for text in (reference().PAGES[name](), (ROOT / "docs" / name).read_text()))
    assert len(wanted) > 8
    assert [line for line in wanted if line not in found] == [], "run `cargo xtask docs`"
