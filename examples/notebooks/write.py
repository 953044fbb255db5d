"""Writes the notebooks from the Python examples: the first sentence as a heading, then one cell for each part of the program.

    python examples/notebooks/write.py
"""

import ast
import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent
NAMES = """first_simulation control_by_name contacts_and_forces sensors build_a_model edit_a_robot inverse_dynamics_and_ik
linearise_and_balance batches_and_randomisation predictive_control record_and_replay callbacks urdf_to_mjcf""".split()


def cells(source):
    """The docstring as text, then the statements in groups that blank lines part."""
    tree = ast.parse(source)
    lines = source.splitlines()
    yield "markdown", ast.get_docstring(tree)
    group, end = [], None
    for statement in tree.body[1:]:
        start = statement.lineno
        while start > 1 and lines[start - 2].startswith("#"):
            start -= 1
        if end is not None and start > end + 1 and any("import" not in line for line in group):
            yield "code", "\n".join(group).strip("\n")
            group = []
        group += lines[(end or start - 1) if group else start - 1 : statement.end_lineno]
        end = statement.end_lineno
    yield "code", "\n".join(group).strip("\n")


def notebook(name):
    """One example as a notebook."""
    out = []
    for kind, text in cells((FOLDER.parent / "python" / f"{name}.py").read_text()):
        if kind == "markdown":
            text = f"# {name.replace('_', ' ').capitalize()}\n\n{text}"
        cell = {"cell_type": kind, "id": f"{name[:20]}-{len(out)}", "metadata": {}, "source": text.splitlines(keepends=True)}
        out.append(cell if kind == "markdown" else {**cell, "execution_count": None, "outputs": []})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": out, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    for name in NAMES:
        (FOLDER / f"{name}.ipynb").write_text(json.dumps(notebook(name), indent=1) + "\n")
        print("wrote", name)
