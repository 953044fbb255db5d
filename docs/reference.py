"""Writes the pages that come from the code: MJCF from the table of elements, diagnostics from the malformed models, the command line
from its help. `python docs/reference.py` writes them; a test compares."""

import html
import json
import pathlib
import re
import subprocess
import sys

import condyle

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOTE = "<!-- Written by docs/reference.py; do not edit. -->\n"

OCCURS = {"!": "once", "?": "at most once", "*": "any number of times", "R": "any number of times, also inside itself"}
# Arrays an element's attributes become: prefixes of names of the model's arrays, and names that differ.
PREFIXES = {
    "body": ("body_",), "joint": ("jnt_", "dof_"), "geom": ("geom_",), "site": ("site_",), "camera": ("cam_",), "light": ("light_",),
    "mesh": ("mesh_",), "hfield": ("hfield_",), "texture": ("tex_",), "material": ("mat_",), "pair": ("pair_",), "key": ("key_",),
    "spatial": ("tendon_",), "fixed": ("tendon_",), "tendon": ("tendon_",), "equality": ("eq_",), "connect": ("eq_",), "weld": ("eq_",),
    "general": ("actuator_",), "motor": ("actuator_",), "position": ("actuator_",), "velocity": ("actuator_",),
    "intvelocity": ("actuator_",), "damper": ("actuator_",), "cylinder": ("actuator_",), "muscle": ("actuator_",),
    "adhesion": ("actuator_",), "flex": ("flex_",), "skin": ("skin_",), "option": ("opt.",), "statistic": ("stat.",),
}
ALIASES = {("joint", "springref"): "qpos_spring", ("joint", "ref"): "qpos0", ("geom", "type"): "geom_type"}


def arrays():
    known = {name: doc for name, _, _, _, doc in condyle.MjModel._array_table()}
    for record in ("opt", "stat"):
        for field in condyle._condyle._record_table(record) if hasattr(condyle._condyle, "_record_table") else ():
            known[f"{record}.{field[0]}"] = field[-1]
    return known


def mjcf():
    """Every element and attribute, with its form, default and meaning and the array it becomes."""
    known = arrays()
    out = [
        "# MJCF\n", NOTE,
        "Every element and attribute that Condyle reads, generated from the tables the reader itself uses. The last column gives the meaning of",
        "an attribute with its unit, and the model array it becomes; [Fields](fields.md) lists all arrays. Extensions do not exist in",
        "MuJoCo.\n",
    ]
    for path, occurs, attributes, extension in condyle._condyle._mjcf_table():
        out.append(f"## {' / '.join(path[1:]) if len(path) > 1 else path[0]}\n")
        out.append(f"Occurs {OCCURS[occurs]}{' in `' + path[-2] + '`' if len(path) > 1 else ''}.{' Extension.' if extension else ''}\n")
        if not attributes:
            continue
        out += ["| attribute | value | default | meaning |", "|---|---|---|---|"]
        for name, form, default, array, meaning, beyond in attributes:
            if not meaning:
                names = [ALIASES.get((path[-1], name))] + [prefix + name for prefix in PREFIXES.get(path[-1], ())]
                array = next((array for array in names if array in known), None)
                meaning = known[array] if array else ""
            meaning = f"`{array}`: {meaning}" if array else meaning
            if beyond and not extension:
                meaning += " Extension."
            out.append(f"| `{name}` | {form} | {default} | {meaning} |".replace("  ", " "))
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def command(*arguments):
    result = subprocess.run([sys.executable, "-m", "condyle", *arguments], capture_output=True, text=True, cwd=ROOT)
    return result.stdout


def diagnostics():
    """One example and its help for every code that a malformed model of the repository shows."""
    files = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "models/malformed").glob("*.xml"))
    shown = {}
    for problem in _problems(command("check", "--format", "json", *files)):
        shown.setdefault(problem["code"], problem)
    out = [
        "# Diagnostics\n", NOTE,
        "Every problem in a model file is reported with a stable code, its position and, where possible, a suggestion. `condyle check` shows all",
        "problems in a file at once. The table has an example of each code, with the file in the repository that produces it:\n",
        "| code | example | suggestion | file |", "|---|---|---|---|",
    ]
    for code, problem in sorted(shown.items()):
        texts = (html.escape(str(problem.get(key) or ""), quote=False) for key in ("message", "help"))
        message, cure = (text.replace("|", "\\|").replace("\n", " ") for text in texts)
        place = problem.get("location") or {}
        name = pathlib.PurePosixPath(str(place.get("file", ""))).name
        out.append(f"| `{code}` | {message} | {cure} | {name} |".replace("  ", " "))
    return "\n".join(out) + "\n"


def _problems(text):
    """One problem on each line."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def command_line():
    """The help of every command."""
    overview = command("--help")
    names = re.findall(r"^  ([a-z-]+) ", overview.split("Commands:")[1].split("Options:")[0], re.MULTILINE)
    out = ["# Command line\n", NOTE, "`condyle`, or `python -m condyle` where the Python package is installed.\n", "```text", overview.rstrip(), "```\n"]
    for name in names:
        if name != "help":
            out += [f"## condyle {name}\n", "```text", command(name, "--help").rstrip(), "```\n"]
    return "\n".join(out).rstrip() + "\n"


PAGES = {"mjcf.md": mjcf, "diagnostics.md": diagnostics, "command-line.md": command_line}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (ROOT / "docs" / name).write_text(page())
        print("wrote docs/" + name)
