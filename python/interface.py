"""Writes `docs/python.md`: every name of MuJoCo's Python module beside what stands under it in Condyle.

Names, parameters, values and attributes are compared with the installed `mujoco` package; what differs in behaviour is told in the tables
below. `cargo xtask interface` runs it; a test fails when the page is out of date, or when a table tells of a name that is not there.
"""

import importlib
import inspect
import pathlib
import re
import textwrap
import types

import mujoco

import condyle
from condyle import stand_in
from condyle.stand_in import gl_context

TARGET = pathlib.Path(__file__).resolve().parents[1] / "docs/python.md"

#: Module-level names that behave differently, and how.
DIFFERS = {
    "mj_addContact": "there is no capacity, so it always returns 0",
    "mj_getCacheSize": "the same assets take another number of bytes",
    "mj_loadAllPluginLibraries": "nothing to load: plugins that come with MuJoCo are built in",
    "mj_loadPluginLibrary": "refuses: compiled plugins cannot be loaded; those that come with MuJoCo are built in",
    "mj_printData": "the text has the same fields in another layout",
    "mj_printFormattedData": "the text has the same fields in another layout",
    "mj_printFormattedModel": "the text has the same fields in another layout",
    "mj_printFormattedScene": "the text has the same fields in another layout",
    "mj_printModel": "the text has the same fields in another layout",
    "mj_printScene": "the text has the same fields in another layout",
    "mj_saveLastXML": "writes the model it is given, also one that was loaded from a binary file or edited",
    "mju_standardNormal": "draws from Python's `random`, so `random.seed` makes it repeat",
    "set_mju_user_free": "kept, never called: memory is Rust's",
    "set_mju_user_malloc": "kept, never called: memory is Rust's",
    "set_mju_user_warning": "kept, never called: warnings are counted in `data.warning` and named in `data.report`",
    "GLContext": "needs no OpenGL; making it current does nothing",
    "HEADERS_DIR": "a folder that does not exist: there are no C headers",
    "MjrContext": "holds no OpenGL objects; pictures come from a software rasteriser",
    "PLUGINS_DIR": "a folder that does not exist: plugins are built in",
    "PLUGIN_HANDLES": "empty: plugins are built in",
    "Renderer": "draws with a software rasteriser: depth and segmentation as MuJoCo's, colours close to it",
    "mjr_render": "draws with a software rasteriser: depth and segmentation as MuJoCo's, colours close to it",
}

#: Attributes that behave differently, and how.
DIFFERS_IN_CLASS = {
    "MjData": {
        "maxuse_arena": "0: there is no arena",
        "maxuse_con": "contacts in use now; there is no capacity",
        "maxuse_efc": "constraint rows in use now; there is no capacity",
        "maxuse_stack": "0: there is no stack",
        "maxuse_threadstack": "zeros: there is no stack",
        "nbuffer": "bytes of Condyle's own arrays",
        "parena": "0: there is no arena",
        "pbase": "0: there is no stack",
        "plugin_data": "zeros: what plugins keep is theirs",
        "pstack": "0 and read-only: there is no stack",
        "threadpool": "0: `data.threads` sets how many threads solve islands",
    },
}

#: Modules below `mujoco`, and what answers for them.
MODULES = {
    "mujoco.gl_context": ("differs", "contexts need no OpenGL"),
    "mujoco.egl": ("differs", "contexts need no OpenGL"),
    "mujoco.glfw": ("differs", "contexts need no OpenGL"),
    "mujoco.osmesa": ("differs", "contexts need no OpenGL"),
    "mujoco.introspect": ("same", "MuJoCo's own package, where it is installed"),
    "mujoco.minimize": ("same", ""),
    "mujoco.msh2obj": ("same", ""),
    "mujoco.renderer": ("differs", "draws with a software rasteriser"),
    "mujoco.rollout": ("same", "trajectories do not depend on the number of threads"),
    "mujoco.sysid": ("same", "MuJoCo's own package, where it is installed, runs on Condyle"),
    "mujoco.usd": ("same", "MuJoCo's own package, where it is installed, runs on Condyle"),
    "mujoco.viewer": ("differs", "opens in a browser"),
}

HEADER = """<!-- Written by `cargo xtask interface`. -->
# MuJoCo's Python interface in Condyle

Code written for `mujoco` 3.5.0 runs on Condyle under that name: `condyle.install()` before the first import, `python -m condyle.as_mujoco
script.py`, or the environment variable `CONDYLE_AS_MUJOCO=1`. This page lists every name of `mujoco` 3.5.0. *Same* means the same
parameters and, as the tests and the [comparison](conformance.md) show, the same results; the other entries say how they differ. Deliberate
differences in physics are in [divergences](divergences.md).

Two things hold everywhere. Bad arguments, including garbage written into the arrays of a model, raise exceptions and never end the process.
And nothing has a capacity: there is no arena, no stack and no limit on the number of contacts.

"""


def public(names):
    """Names MuJoCo means to be used: not those of Python modules it happens to import."""
    for name in sorted(names):
        value = getattr(mujoco, name)
        foreign = getattr(value, "__module__", "") in ("typing", "collections.abc")
        if not name.startswith("_") and not foreign and not (isinstance(value, types.ModuleType) and "mujoco" not in value.__name__):
            yield name


def parameters(function):
    """Names of the parameters of a function of MuJoCo, from the signature its documentation begins with."""
    line = next((line for line in (function.__doc__ or "").splitlines() if line.startswith(function.__name__ + "(")), None)
    if line is None:
        return None
    inner = line[line.index("(") + 1 : line.rindex(") ->") if ") ->" in line else line.rindex(")")]
    while re.search(r"\[[^\[\]]*\]", inner):
        inner = re.sub(r"\[[^\[\]]*\]", "", inner)
    names = [re.split("[:=]", part)[0].strip() for part in inner.split(",")]
    return [name for name in names if name and not re.fullmatch(r"\*|/|arg\d+", name)]


def of_function(name, theirs, ours):
    wanted = parameters(theirs)
    try:
        found = list(inspect.signature(ours).parameters)
    except (TypeError, ValueError):
        return "same", ""
    if wanted and found[: len(wanted)] != wanted:
        return "differs", f"parameters are {', '.join(found)}"
    return "same", ""


def of_value(name, theirs, ours):
    if isinstance(theirs, (int, float, str, tuple)) and theirs != ours:
        return "differs", f"is {ours!r}"
    return "same", ""


def instance(module, name):
    """An object of a class that shows its fields on objects only."""
    made = {"MjvScene": lambda: module.MjvScene(), "MjrContext": None}.get(name, getattr(module, name))
    try:
        return made() if made is not None else None
    except Exception:
        return None


def attributes(name, cls):
    """Public attributes of a class of MuJoCo with status and note."""
    ours = gl_context.GLContext if name == "GLContext" else getattr(condyle, name, None)
    enumeration = hasattr(cls, "__members__")
    members = set(cls.__members__) if enumeration else set()
    example = None
    for attribute in sorted(dir(cls)):
        if attribute.startswith("_"):
            continue
        if enumeration:
            same = attribute in ("name", "value") or int(getattr(cls, attribute)) == int(getattr(ours, attribute, -(10**9)))
            yield attribute, "same" if same and (attribute in members or attribute in ("name", "value")) else "missing", ""
            continue
        there = hasattr(ours, attribute)
        if not there and name.startswith(("Mjv", "MjSpec", "Mjr")):
            example = example or (context() if name == "MjrContext" else instance(condyle, name))
            there = example is not None and hasattr(example, attribute)
        note = DIFFERS_IN_CLASS.get(name, {}).get(attribute, "")
        yield attribute, "missing" if not there else "differs" if note else "same", note


def context():
    model = condyle.MjModel.from_xml_string("<mujoco/>")
    return condyle.MjrContext(model, int(condyle.mjtFontScale.mjFONTSCALE_100))


def status(name):
    """Status and note of a name of the module."""
    theirs = getattr(mujoco, name)
    names = stand_in._names()
    if isinstance(theirs, types.ModuleType):
        return MODULES[theirs.__name__]
    if name in ("GLContext", "HEADERS_DIR", "PLUGINS_DIR", "PLUGIN_HANDLES"):
        return "differs", DIFFERS[name]
    if name not in names:
        return "missing", "using it is an AttributeError"
    ours = names[name]
    if name in DIFFERS:
        return "differs", DIFFERS[name]
    if callable(theirs) and not isinstance(theirs, type):
        return of_function(name, theirs, ours)
    if not isinstance(theirs, type):
        return of_value(name, theirs, ours)
    return "same", ""


def code(names):
    return ", ".join(f"`{name}`" for name in names)


def wrapped(line):
    return "\n".join(textwrap.wrap(line, 140, break_long_words=False, break_on_hyphens=False))


def section(title, names):
    """A heading, what is the same in one paragraph, and a table of what is not."""
    found = {name: status(name) for name in names}
    lines = [f"## {title}\n"]
    same = [name for name, (kind, _) in found.items() if kind == "same"]
    lines.append(wrapped(f"**Same** ({len(same)}): " + code(same)) + "\n")
    rows = [(name, kind, note) for name, (kind, note) in found.items() if kind != "same"]
    if rows:
        lines += ["| name | | how |", "|---|---|---|"] + [f"| `{name}` | {kind} | {note} |" for name, kind, note in rows] + [""]
    return lines


def classes(names):
    lines = ["## Classes\n"]
    for name in names:
        cls = getattr(mujoco, name)
        kind, note = status(name)
        if kind == "missing":
            lines += [f"### `{name}`\n", f"Missing: {note}.\n"]
            continue
        found = list(attributes(name, cls))
        same = [attribute for attribute, status_, _ in found if status_ == "same"]
        lines.append(f"### `{name}`\n")
        if kind == "differs":
            lines.append(f"Differs: {note}.\n")
        lines.append(wrapped(f"**Same** ({len(same)}): " + (code(same) or "nothing else")) + "\n")
        rows = [row for row in found if row[1] != "same"]
        if rows:
            lines += ["| attribute | | how |", "|---|---|---|"] + [f"| `{a}` | {s} | {r} |" for a, s, r in rows] + [""]
    return lines


def modules():
    lines = ["## Modules\n", "| module | | how |", "|---|---|---|"]
    for name, (kind, note) in sorted(MODULES.items()):
        lines.append(f"| `{name}` | {kind} | {note} |")
    return lines + [""]


def check_tables():
    """Every name the tables tell of is one of MuJoCo's."""
    for name in DIFFERS:
        getattr(mujoco, name)
    for name, rows in DIFFERS_IN_CLASS.items():
        for attribute in rows:
            getattr(getattr(mujoco, name), attribute)
    for name in MODULES:
        if name != "mujoco.usd":
            assert importlib.util.find_spec(name) is not None, name


def text():
    """The page."""
    check_tables()
    names = [name for name in public(dir(mujoco)) if not isinstance(getattr(mujoco, name), types.ModuleType)]
    types_ = [name for name in names if isinstance(getattr(mujoco, name), type)]
    enumerations = [name for name in types_ if hasattr(getattr(mujoco, name), "__members__")]
    functions = [name for name in names if name not in types_ and callable(getattr(mujoco, name))]
    rest = [name for name in names if name not in types_ and name not in functions]
    lines = section("Functions", functions) + section("Constants", rest) + modules()
    lines += classes([name for name in types_ if name not in enumerations])
    lines += ["## Enumerations\n", "Members, values and the way they print are MuJoCo's.\n"]
    for name in enumerations:
        wrong = [attribute for attribute, kind, _ in attributes(name, getattr(mujoco, name)) if kind != "same"]
        assert not wrong, (name, wrong)
    lines.append(wrapped(f"**Same** ({len(enumerations)}): " + code(enumerations)) + "\n")
    body = "\n".join(lines)
    counts = {kind: len(re.findall(rf"^\| `[^`]*` \| {kind} \|", body, re.M)) for kind in ("differs", "missing")}
    same = sum(int(number) for number in re.findall(r"\*\*Same\*\* \((\d+)\)", body)) + len(re.findall(r"^\| `[^`]*` \| same \|", body, re.M))
    summary = f"Of {same + sum(counts.values())} names, {same} are the same, {counts['differs']} differ and {counts['missing']} are missing.\n\n"
    return HEADER + summary + body.rstrip("\n") + "\n"


if __name__ == "__main__":
    TARGET.write_text(text())
