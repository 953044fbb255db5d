"""What the documents show: their Python runs, their command lines are possible, their links lead somewhere."""

import functools
import importlib.util
import pathlib
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest

import condyle

ROOT = pathlib.Path(__file__).resolve().parents[2]


#: Documents whose Python blocks run as they are; those of docs/cluster.md need Ray and run in test_ray.py.
RUN_AS_THEY_ARE = ("README.md", "python/README.md", "docs/guide.md", "docs/index.md", "docs/from-mujoco.md")


def documents():
    for pattern in ("*.md", "docs/*.md", "python/*.md", "python/condyle/*.md", "crates/*/README.md", "crates/*/npm/*.md", ".github/**/*.md"):
        yield from sorted(ROOT.glob(pattern))


def blocks(language, names=None):
    for document in documents():
        name = document.relative_to(ROOT).as_posix()
        if names is None or name in names:
            found = re.findall(rf"^```{language}\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)
            for number, block in enumerate(found):
                yield pytest.param(block, id=f"{name}-{number}")


def test_there_are_examples():
    assert len(list(blocks("python", RUN_AS_THEY_ARE))) >= 8


@pytest.mark.parametrize("source", blocks("python", RUN_AS_THEY_ARE))
def test_example_runs(source, capsys):
    exec(compile(source, "<example>", "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize("source", blocks("python", ("docs/viewer.md",)))
def test_example_with_a_viewer_runs(source, monkeypatch, tmp_path):
    from condyle import viewer

    (tmp_path / "robot.xml").write_text("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONDYLE_VIEWER_OPEN", "0")
    left = iter([True, True, True, False])
    monkeypatch.setattr(viewer.Handle, "is_running", lambda self: next(left))
    names = {}
    exec(compile(source, "<example>", "exec"), names)
    assert names["data"].time > 0


def test_no_python_block_is_left_out():
    """Every block is run here, or by test_ray.py, or is a file of `examples`, which test_examples.py runs."""
    for document in documents():
        name = document.relative_to(ROOT).as_posix()
        if name in (*RUN_AS_THEY_ARE, "docs/viewer.md", "docs/cluster.md", "python/condyle/SKILL.md"):
            continue
        for block in re.findall(r"^```python\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL):
            included = re.fullmatch(r'--8<-- "(examples/python/\w+\.py)"\n', block)
            assert included and (ROOT / included.group(1)).is_file(), f"{name}: nothing runs this block:\n{block}"


def test_quick_reference_runs(monkeypatch, tmp_path):
    """Its blocks one after the other, with a robot that has what they name."""
    (tmp_path / "robot.xml").write_text("""<mujoco><worldbody><light pos="0 0 3"/><body name="box"><freejoint/><geom size=".1"/><site name="centre"/>
    <body name="hand" pos=".2 0 0"><joint name="elbow" axis="0 1 0"/><geom size=".05"/></body></body></worldbody>
    <actuator><motor name="elbow" joint="elbow"/></actuator><sensor><gyro name="imu" site="centre"/></sensor></mujoco>""")
    monkeypatch.chdir(tmp_path)
    names = {
        "condyle": condyle,
        "masses": np.linspace(1, 2, 1024)[:, None],
        "policy": lambda qpos, qvel: qvel[:, -1:],
        "done": np.arange(1024) % 2 == 0,
        "controls": np.zeros((1024, 100, 1)),
    }
    for block in blocks("python", ("python/condyle/SKILL.md",)):
        exec(compile(block.values[0], "SKILL.md", "exec"), names)
    assert (tmp_path / "robot.png").stat().st_size > 0 and names["model"].body("tool").mass == 0.1
    assert names["batch"].time.max() > names["batch"].time.min()


@pytest.mark.parametrize("source", blocks("xml"))
def test_fragments_of_models_load(source):
    """A fragment of actuators, in a model with what it names."""
    names = re.findall(r'tendon="(\w+)"', source)
    paths = "".join(f'<spatial name="{name}"><site site="a"/><site site="b"/></spatial>' for name in names)
    model = condyle.MjModel.from_xml_string(
        f"""<mujoco><worldbody><site name="a"/><body pos="0 0 -.29"><joint type="slide" axis="0 0 1"/><geom size=".02"/>
        <site name="b"/></body></worldbody><tendon>{paths}</tendon>{source}</mujoco>"""
    )
    assert model.nu == len(re.findall("<hillmuscle|<motor", source))


@pytest.mark.parametrize("source", blocks("js"))
def test_javascript_uses_what_the_package_declares(source):
    """The package itself is tested by `cargo xtask viewer-test`."""
    declared = (ROOT / "crates/condyle-wasm/npm/index.d.ts").read_text()
    names = set(re.findall(r"(?:engine|sim|session)\.(\w+)", source)) | set(re.findall(r"import \{ (\w+) \}", source))
    assert names and [name for name in names if not re.search(rf"\b{name}\b[(?:]", declared)] == []


@functools.cache
def options_of(command):
    run = subprocess.run([sys.executable, "-m", "condyle", command, "--help"], capture_output=True, text=True)
    assert run.returncode == 0, f"condyle {command}: {run.stderr}"
    return set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", run.stdout))


def commands():
    """Every command line of the documents, from blocks and from the tables of README."""
    for block in blocks("sh"):
        for line in block.values[0].splitlines():
            line = line.split("#")[0].strip()
            if line:
                yield pytest.param(line, id=line)
    for line in re.findall(r"^\| `(condyle [^`]*)`", (ROOT / "README.md").read_text(), re.MULTILINE):
        yield pytest.param(line, id=line)


@pytest.mark.parametrize("line", commands())
def test_command_lines_are_possible(line):
    """The program has the command and every option; packages and parts of the repository that are installed exist."""
    words = shlex.split(line)
    while words and "=" in words[0]:
        words.pop(0)
    if pathlib.PurePath(words[0]).name == "condyle":
        known = options_of(words[1])
        for word in words[2:]:
            if word.startswith("-") and not re.fullmatch(r"-?[\d.,-]+", word):
                assert word.split("=")[0] in known, f"condyle {words[1]} has no option {word}"
        return
    if words[0] in ("pip", "npm"):
        return
    assert words[0] in ("cargo", "python", "xacro", "rustup", "git", "bash"), line
    if words[:2] == ["cargo", "xtask"]:
        assert f"\n  {words[2]} " in (ROOT / "xtask/src/main.rs").read_text(), line
    if words[:2] in (["cargo", "add"], ["cargo", "install"]):
        names = [word for word in words[2:] if not word.startswith("-") and "/" not in word]
        assert all((ROOT / "crates" / name).is_dir() for name in names), line


def test_links_lead_somewhere():
    wrong = []
    for document in documents():
        text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if not re.match(r"\w+:|#", link) and not (document.parent / link.split("#")[0]).exists():
                wrong.append(f"{document.relative_to(ROOT)}: {link}")
    assert not wrong


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


def test_every_code_of_the_sources_is_on_the_page_with_its_example():
    """The page is made by running the examples; each has the code, a message and a cure."""
    module = reference()
    shown = module.examples()
    assert set(shown) == module.codes()
    assert [code for code, (problem, example) in shown.items() if problem["code"] != code or not problem["message"] or not example] == []
    assert [code for code, (problem, _) in shown.items() if not problem["help"]] == []
    page = (ROOT / "docs/diagnostics.md").read_text()
    assert set(re.findall(r"^\| `([EW]\d{4})` \| \S.* \| \S.* \| \S.* \|$", page, re.MULTILINE)) == module.codes()


def test_every_attribute_of_mjcf_has_a_meaning():
    page = (ROOT / "docs/mjcf.md").read_text()
    rows = re.findall(r"^\| `\w+` \|.*\|$", page, re.MULTILINE)
    assert len(rows) > 1800
    assert [row for row in rows if row.rsplit("|", 2)[1].strip() == ""] == []
