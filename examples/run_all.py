"""Runs every Python example and every notebook, each in a process and an empty folder of its own.

    python examples/run_all.py

What needs an extra that is not installed is named and left out. Ends with an error when anything fails.
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


def main():
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
