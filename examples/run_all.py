"""Runs every Python example and every notebook, each in a process and an empty folder of its own.

    python examples/run_all.py [--notebooks]

What needs an extra that is not installed is named and left out. With `--notebooks` the notebooks alone run, in Jupyter's own kernel (`pip install
nbclient ipykernel`), and have to show as many pictures as when they were written. Ends with an error when anything fails.
"""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
# Arguments that make an example short, and packages that an example needs beside ours.
SHORT = {"train_with_ppo": ["--updates", "2", "--plot", "curve.svg"]}
NEEDS = {"train_with_ppo": "gymnasium"}


def program(path):
    """What is run for an example or a notebook."""
    if path.suffix == ".py":
        return [str(path), *SHORT.get(path.stem, ())]
    cells = json.loads(path.read_text())["cells"]
    return ["-c", "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")]


def pictures(cells):
    """How many pictures a notebook shows."""
    return sum("image/png" in output.get("data", ()) for cell in cells for output in cell.get("outputs", ()))


def in_jupyter():
    """Run the notebooks as Jupyter does."""
    import nbclient
    import nbformat

    failed = []
    for path in sorted((FOLDER / "notebooks").glob("*.ipynb")):
        before = pictures(json.loads(path.read_text())["cells"])
        notebook = nbformat.read(path, as_version=4)
        problem = None
        with tempfile.TemporaryDirectory() as folder:
            try:
                nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
            except nbclient.exceptions.CellExecutionError as error:
                problem = str(error)
        if problem is None and pictures(notebook.cells) != before:
            problem = "shows other pictures than when it was written"
        if problem:
            failed.append(path.name)
        print(f"{path.name}: {problem or f'runs and shows {before} picture' + 's' * (before != 1)}")
    return 1 if failed else 0


def main():
    if "--notebooks" in sys.argv[1:]:
        return in_jupyter()
    paths = sorted((FOLDER / "python").glob("*.py")) + sorted((FOLDER / "notebooks").glob("*.ipynb"))
    failed, ran = [], 0
    for path in paths:
        name = f"{path.parent.name}/{path.name}"
        needed = NEEDS.get(path.stem)
        if needed and importlib.util.find_spec(needed) is None:
            print(f"{name}: left out, needs {needed}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, *program(path)], cwd=folder, capture_output=True, text=True)
        ran += 1
        if done.returncode != 0 or not done.stdout.strip():
            failed.append(name)
            print(f"{name}: FAILED\n{done.stdout}{done.stderr}")
        else:
            print(f"{name}: {done.stdout.strip().splitlines()[-1]}")
    print(f"{ran - len(failed)} of {ran} run")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
