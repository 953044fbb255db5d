"""The Python examples of the documents run."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def examples():
    for document in ("README.md", "docs/guide.md"):
        blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / document).read_text(), re.MULTILINE | re.DOTALL)
        for number, block in enumerate(blocks):
            yield pytest.param(block, id=f"{document}-{number}")


def test_there_are_examples():
    assert len(list(examples())) >= 2


@pytest.mark.parametrize("source", examples())
def test_example_runs(source, capsys):
    exec(compile(source, "<example>", "exec"), {})
    assert capsys.readouterr().out
