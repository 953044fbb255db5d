"""Writes the pages that come from the code: MJCF from the table of elements, diagnostics from an example of each code, the command line
from its help. `python docs/reference.py` writes them; a test compares."""

import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import condyle

ROOT = pathlib.Path(__file__).resolve().parents[1]
NOTE = "<!-- Written by docs/reference.py; do not edit. -->\n"

OCCURS = {"!": "once", "?": "at most once", "*": "any number of times", "R": "any number of times, also inside itself"}
#: Elements that may stand where others do.
METAS = {
    "frame": "It stands in a body and moves what is inside it.",
    "replicate": "It stands in a body and stands for copies of what is inside it.",
    "include": "It stands anywhere.",
}


def mjcf():
    """Every element and attribute, with its form, default and meaning and the array it becomes."""
    out = [
        "# MJCF\n", NOTE,
        "Every element and attribute that Condyle reads, generated from the tables the reader itself uses. The last column gives the meaning of",
        "an attribute with its unit, after the model array it becomes; [Fields](fields.md) lists all arrays. An empty default means that the",
        "attribute must be given, or that nothing takes its place. Extensions do not exist in MuJoCo.\n",
    ]
    for path, occurs, attributes, extension in condyle._condyle._mjcf_table():
        out.append(f"## {' / '.join(path[1:]) if len(path) > 1 else path[0]}\n")
        inside = f" in `{path[-2]}`" if len(path) > 1 and path[-1] not in METAS else ""
        out.append(f"Occurs {OCCURS[occurs]}{inside}.{' Extension.' if extension else ''} {METAS.get(path[-1], '')}".rstrip() + "\n")
        if not attributes:
            continue
        out += ["| attribute | value | default | meaning |", "|---|---|---|---|"]
        for name, form, default, array, meaning, beyond in attributes:
            meaning = f"`{array}`: {meaning}" if array else meaning
            if beyond and not extension:
                meaning += " Extension."
            default = f"`{default}`" if default else ""
            out.append(f"| `{name}` | {form} | {default} | {meaning} |".replace("  ", " "))
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def command(*arguments, cwd=ROOT, text=None):
    """What the command line prints."""
    return subprocess.run([sys.executable, "-m", "condyle", *arguments], capture_output=True, text=True, cwd=cwd, input=text).stdout


#: Examples: models with one defect each, and one for every code that none of these has, called like the code.
MALFORMED = ROOT / "models/malformed"
#: Options without which an example has another code, or none.
OPTIONS = {
    "W0201": ["--lenient"],
    "W0402": ["--lenient"],
    "W0403": ["--lenient"],
    "W0606": ["--package", "arm=models/malformed/codes/parts"],
    "W0608": ["--repair-inertia"],
}
#: Examples that are too large to keep, or not there: what they are, and the command that shows them.
MADE = {
    "E0001": ("a file that does not exist", ["missing.xml"], {}),
    "E0003": ("64 MiB of text", ["-"], {"-": lambda: "<mujoco>" + " " * (64 << 20) + "</mujoco>"}),
    "E0004": ("5,000,001 times `<size/>`", ["many.xml"], {"many.xml": lambda: "<mujoco>" + "<size/>" * 5_000_000 + "</mujoco>"}),
    "E0005": (
        "500 times `<body>` inside one another",
        ["deep.xml"],
        {"deep.xml": lambda: "<mujoco><worldbody>" + "<body>" * 500 + "</body>" * 500 + "</worldbody></mujoco>"},
    ),
    "E0006": (
        "a `<geom>` with 257 attributes",
        ["wide.xml"],
        {"wide.xml": lambda: "<mujoco><worldbody><geom " + " ".join(f'a{i}="1"' for i in range(257)) + "/></worldbody></mujoco>"},
    ),
    "E0503": (
        "33 files, each of which includes the next",
        ["part0.xml"],
        {f"part{i}.xml": (lambda i=i: f'<mujoco><include file="part{i + 1}.xml"/></mujoco>') for i in range(33)},
    ),
}


def codes():
    """Every code in the sources of the crates, their tests left out."""
    found = set()
    for path in sorted(ROOT.glob("crates/*/src/**/*.rs")):
        found |= set(re.findall(r'"([EW]\d{4})"', path.read_text().split("#[cfg(test)]")[0]))
    return found


def examples():
    """The first problem with each code, and what shows it: file and line, or a description of the input."""
    shown = {}
    paths = [path for folder in (MALFORMED, MALFORMED / "codes") for path in sorted(folder.iterdir()) if path.is_file()]
    plain = [path for path in paths if path.stem not in OPTIONS]
    names = [path.relative_to(ROOT).as_posix() for path in plain if path.suffix in (".xml", ".urdf")]
    found = _problems(command("check", "--format", "json", *names))
    for code, options in OPTIONS.items():
        (path,) = (MALFORMED / "codes").glob(f"{code}.*")
        found += _problems(command("check", "--format", "json", *options, path.relative_to(ROOT).as_posix()))
    for problem in found:
        # The example that is called like the code is the better one.
        code = problem["code"]
        own = pathlib.PurePath((problem["location"] or {}).get("file", code)).stem == code
        if code not in shown or own and not shown[code][2]:
            shown[code] = problem, _input(problem, OPTIONS.get(code, ())), own
    shown = {code: (problem, example) for code, (problem, example, _) in shown.items()}
    for code, (description, arguments, files) in MADE.items():
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                if name != "-":
                    (pathlib.Path(folder) / name).write_text(content())
            text = files["-"]() if "-" in files else None
            found = _problems(command("check", "--format", "json", *arguments, cwd=folder, text=text))
        shown[code] = next(problem for problem in found if problem["code"] == code), description
    return shown


def _input(problem, options):
    """The part of its line that a problem is about, with a link to the file."""
    place = problem["location"]
    if not place:
        (path,) = (MALFORMED / "codes").glob(problem["code"] + ".*")
        return f"[{path.name}](../{path.relative_to(ROOT).as_posix()})"
    path = ROOT / place["file"]
    content = path.read_bytes()
    line = (content.splitlines() or [b""])[place["line"] - 1 :][:1]
    text = line[0].decode("utf-8", "replace").replace("\0", "\\0") if line else ""
    first = max(0, place["column"] - 1 - 30)
    last = place["column"] - 1 + min(place["end"] - place["start"], 60) + 30
    part = text[first:last].strip()
    part = ("… " if text[:first].strip() else "") + part + (" …" if text[last:].strip() else "")
    link = f"[{path.name}](../{path.relative_to(ROOT).as_posix()})" + (f" with `{options[0]}`" if options else "")
    return (f"<code>{html.escape(part, quote=False)}</code> in {link}" if part and b"\xff" not in content else link).replace("|", "\\|")


def diagnostics():
    """Every code with an example of its input, the message and the cure."""
    shown = examples()
    out = [
        "# Diagnostics\n", NOTE,
        "Every problem in a model file is reported with a stable code, its position and what to do about it. `condyle check` shows all problems in a",
        "file at once. Codes that start with E are errors: the file does not load. Codes that start with W are warnings: it loads, but something may not",
        "be meant as it is written, or MuJoCo treats it differently.\n",
        "Each code has an example: input that produces it, the message and the cure that come with it. Some codes have several messages.\n",
    ]
    for heading, letter in (("Errors", "E"), ("Warnings", "W")):
        out += [f"## {heading}\n", "| code | input | message | cure |", "|---|---|---|---|"]
        for code, (problem, example) in sorted(shown.items()):
            if code[0] == letter:
                texts = (html.escape(str(problem.get(key) or ""), quote=False) for key in ("message", "help"))
                message, cure = (text.replace("|", "\\|").replace("\n", " ").replace("\0", "\\0") for text in texts)
                out.append(f"| `{code}` | {example} | {message} | {cure} |".replace("  ", " "))
        out.append("")
    return "\n".join(out).rstrip() + "\n"


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
