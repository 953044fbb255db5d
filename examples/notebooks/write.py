"""Writes the notebooks from the Python examples, with what they print and show: the first sentence as a heading, one cell for each part of
the program with the comment before it as text, and where a picture helps, one that draws the end.

    python examples/notebooks/write.py
"""

import ast
import base64
import contextlib
import io
import itertools
import json
import os
import pathlib
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
NAMES = """first_simulation control_by_name contacts_and_forces sensors build_a_model edit_a_robot inverse_dynamics_and_ik
linearise_and_balance batches_and_randomisation predictive_control record_and_replay callbacks urdf_to_mjcf""".split()
#: What is drawn, and azimuth, elevation and distance of the camera.
PICTURES = {
    "first_simulation": ("model, data", 120, -15, 1.5),
    "control_by_name": ("model, data", 90, -10, 1.5),
    "contacts_and_forces": ("model, data", 130, -20, 1.1),
    "sensors": ("model, data", 90, -10, 2.5),
    "build_a_model": ("model, data", 90, -10, 4.5),
    "edit_a_robot": ("after, data", 120, -20, 1.2),
    "inverse_dynamics_and_ik": ("model, data", 90, -10, 1.6),
    "linearise_and_balance": ("model, data", 120, -15, 1.9),
    "predictive_control": ("model, data", 90, -5, 3.5),
    "record_and_replay": ("model, data", 120, -20, 1.0),
    "urdf_to_mjcf": ("again, data", 120, -15, 1.2),
}
#: Lines before the drawing where the example leaves no simulation.
BEFORE = {
    name: f"data = condyle.MjData({model})\ncondyle.mj_forward({model}, data)\n"
    for name, model in (("edit_a_robot", "after"), ("urdf_to_mjcf", "again"))
}


def cells(source):
    """The docstring as text, then the statements in groups that blank lines part, each after the comment it begins with."""
    tree = ast.parse(source)
    lines = source.splitlines()
    yield "markdown", ast.get_docstring(tree)
    group, end = [], None
    for statement in tree.body[1:]:
        start = statement.lineno
        while start > 1 and lines[start - 2].startswith("#"):
            start -= 1
        if end is not None and start > end + 1 and (lines[start - 1].startswith("#") or any("import" not in line for line in group)):
            yield from explained(group)
            group = []
        group += lines[(end or start - 1) if group else start - 1 : statement.end_lineno]
        end = statement.end_lineno
    yield from explained(group)


def explained(group):
    """Lines of a program as code, after the comment they begin with as text."""
    lines = "\n".join(group).strip("\n").splitlines()
    comment = list(itertools.takewhile(lambda line: line.startswith("#"), lines))
    if comment:
        yield "markdown", " ".join(line.lstrip("# ") for line in comment)
    yield "code", "\n".join(lines[len(comment) :])


def drawing(name):
    """The cell that draws the end."""
    shown, azimuth, elevation, distance = PICTURES[name]
    model, _, data = shown.partition(", ")
    return (
        f"{BEFORE.get(name, '')}camera = condyle.MjvCamera()\ncondyle.mjv_defaultFreeCamera({model}, camera)\n"
        f"camera.azimuth, camera.elevation, camera.distance = {azimuth}, {elevation}, {distance}\n"
        f"{model}.vis.headlight.ambient = {model}.vis.headlight.diffuse = [0.5, 0.5, 0.5]\n"
        f"picture = condyle.render({model}, {data}, camera, 480, 270)\n"
        f"picture[condyle.render({model}, {data}, camera, 480, 270, segmentation=True)[:, :, 0] < 0] = 240\npicture"
    )


def outputs(source, names):
    """What a cell prints and shows."""
    body, printed, value = ast.parse(source).body, io.StringIO(), None
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    found = []
    if printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(keepends=True)})
    if hasattr(value, "_repr_png_"):
        picture = base64.b64encode(value._repr_png_()).decode()
        data = {"image/png": picture, "text/plain": [f"a picture of {value.shape[1]} by {value.shape[0]} pixels"]}
        found.append({"output_type": "display_data", "data": data, "metadata": {}})
    return found


def notebook(name):
    """One example as a notebook."""
    parts = list(cells((FOLDER.parent / "python" / f"{name}.py").read_text()))
    if name in PICTURES:
        parts += [("markdown", "What it looks like in the end, on a plain background:"), ("code", drawing(name))]
    out, names = [], {"__name__": "__main__"}
    for kind, text in parts:
        if kind == "markdown" and not out:
            text = f"# {name.replace('_', ' ').capitalize()}\n\n{text}"
        cell = {"cell_type": kind, "id": f"{name[:20]}-{len(out)}", "metadata": {}, "source": text.splitlines(keepends=True)}
        if kind == "code":
            cell.update(execution_count=None, outputs=outputs(text, names))
        out.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": out, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in NAMES:
            (FOLDER / f"{name}.ipynb").write_text(json.dumps(notebook(name), indent=1) + "\n")
            print("wrote", name)
        os.chdir(FOLDER)
