"""Which MuJoCo version added or removed which element, attribute and word of MJCF.

Downloads the wheels of all versions from 3.5.0 on (into a folder that is thrown away, or kept with --cache), asks the library in each
of them for its schema, and writes the differences to crates/condyle-mjcf/src/schema/versions.txt. What a schema does not list, such as
attributes of <frame>, words and how many numbers an attribute takes, is probed: a small model with it is loaded by every version.
"""

import argparse
import ctypes
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "crates/condyle-mjcf/src/schema/versions.txt"
FIRST = (3, 5, 0)

BODY = '<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/>{}</body></worldbody></mujoco>'
JOINT = '<mujoco><worldbody><body><joint {}/><geom size=".1"/></body></worldbody></mujoco>'
TENDON = (
    '<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>'
    '<tendon><fixed {}><joint joint="j" coef="1"/></fixed></tendon></mujoco>'
)
OPTION = "<mujoco><option {}/></mujoco>"
GENERAL = (
    '<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>'
    '<actuator><general joint="j" {}/></actuator></mujoco>'
)
FLEXCOMP = (
    '<mujoco><worldbody><body><flexcomp name="f" {}><edge {}/></flexcomp></body></worldbody></mujoco>'
)
GRID = 'type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" mass="1"'

# Values that some version takes and 3.5.0 does not: entry of the table, model that loads where it is taken.
PROBES = {
    "joint:damping=numbers": JOINT.format('damping="1 2 3"'),
    "joint:stiffness=numbers": JOINT.format('stiffness="1 2 3"'),
    "tendon:damping=numbers": TENDON.format('damping="1 2 3"'),
    "tendon:stiffness=numbers": TENDON.format('stiffness="1 2 3"'),
}

# Attributes in which words are tried: entry of the table, model with a place for the word.
WORDS = {
    "option:integrator": OPTION.format('integrator="{}"'),
    "option:solver": OPTION.format('solver="{}"'),
    "option:cone": OPTION.format('cone="{}"'),
    "option:jacobian": OPTION.format('jacobian="{}"'),
    "compiler:inertiafromgeom": '<mujoco><compiler inertiafromgeom="{}"/></mujoco>',
    "compiler:fusestatic": '<mujoco><compiler fusestatic="{}"/></mujoco>',
    "compiler:autolimits": '<mujoco><compiler autolimits="{}"/></mujoco>',
    "body:sleep": '<mujoco><worldbody><body sleep="{}"><freejoint/><geom size=".1"/></body></worldbody></mujoco>',
    "joint:type": JOINT.format('type="{}"'),
    "geom:type": BODY.format('<geom type="{}" size=".1 .1 .1"/>'),
    "geom:fluidshape": BODY.format('<geom fluidshape="{}" size=".1 .1 .1"/>'),
    "site:type": BODY.format('<site type="{}" size=".1 .1 .1"/>'),
    "camera:mode": BODY.format('<camera mode="{}" target="b"/>'),
    "camera:projection": BODY.format('<camera projection="{}"/>'),
    "light:type": BODY.format('<light type="{}"/>'),
    "mesh:inertia": '<mujoco><asset><mesh name="m" builtin="sphere" params="1" inertia="{}"/></asset></mujoco>',
    "mesh:builtin": '<mujoco><asset><mesh name="m" builtin="{}" params="1"/></asset></mujoco>',
    "texture:type": '<mujoco><asset><texture name="t" type="{}" builtin="flat" width="4" height="4"/></asset></mujoco>',
    "texture:builtin": '<mujoco><asset><texture name="t" type="2d" builtin="{}" width="4" height="4"/></asset></mujoco>',
    "actuator:dyntype": GENERAL.format('dyntype="{}"'),
    "actuator:gaintype": GENERAL.format('gaintype="{}"'),
    "actuator:biastype": GENERAL.format('biastype="{}"'),
    "actuator:interp": GENERAL.format('interp="{}"'),
    "flexcomp:type": FLEXCOMP.format('dim="2" count="3 3 1" spacing=".1 .1 .1" mass="1" type="{}"', ""),
    "flexcomp:dof": FLEXCOMP.format(GRID + ' dof="{}"', ""),
    "flexcomp/edge:equality": FLEXCOMP.format(GRID, 'equality="{}"'),
    "flexcomp/contact:selfcollide": FLEXCOMP.replace("<edge {}/>", '<contact selfcollide="{{}}"/>').format(GRID),
    "flexcomp/elasticity:elastic2d": FLEXCOMP.replace("<edge {}/>", '<elasticity elastic2d="{{}}"/>').format(GRID),
    "rangefinder:data": '<mujoco><worldbody><site name="s"/></worldbody><sensor><rangefinder site="s" data="{}"/></sensor></mujoco>',
    "contact:data": '<mujoco><worldbody><geom name="g" size="1"/></worldbody><sensor><contact geom1="g" data="{}"/></sensor></mujoco>',
    "contact:reduce": '<mujoco><worldbody><geom name="g" size="1"/></worldbody><sensor><contact geom1="g" reduce="{}"/></sensor></mujoco>',
}
# Words too short to be told from the machine code around them, and attributes of frames that are in no schema.
SHORT_WORDS = {"pid", "so3", "pos", "vel"}
FRAME_ATTRIBUTES = ["scale", "scaling", "massscale"]
REFUSED = re.compile(r"keyword|invalid|unknown|unrecogni[sz]ed|violation|too much|size|unsupported|deprecated", re.IGNORECASE)


def versions(python):
    """All released versions from 3.5.0 on, oldest first."""
    out = subprocess.run([python, "-m", "pip", "index", "versions", "mujoco"], check=True, capture_output=True, text=True).stdout
    line = next(line for line in out.splitlines() if line.startswith("Available versions:"))
    found = [name.strip() for name in line.split(":", 1)[1].split(",")]
    plain = [tuple(map(int, name.split("."))) for name in found if re.fullmatch(r"\d+\.\d+\.\d+", name)]
    return [".".join(map(str, version)) for version in sorted(plain) if version >= FIRST]


def library(python, version, folder):
    """The shared library of a version, fetched if it is not in the folder yet."""
    place = folder / version
    # The library moved to a package of its own in 4.0.0.
    for package in ("mujoco", "mujoco-core"):
        found = sorted(place.glob("mujoco/libmujoco.so*"))
        if found:
            return found[0]
        command = [python, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", str(place)]
        subprocess.run([*command, f"{package}=={version}"], check=True)
        for wheel in place.glob("*.whl"):
            zipfile.ZipFile(wheel).extractall(place)
    return sorted(place.glob("mujoco/libmujoco.so*"))[0]


def schema(text):
    """Attributes by the path of their element, from the text of a printed schema."""
    table, path, attributes = {}, [], None
    for line in text.splitlines():
        start = re.match(r"( *)(\S+) \((.)\)(.*)", line)
        if start:
            level = len(start[1]) // 3
            path[level:] = [start[2].replace("(world)", "")]
            attributes = table.setdefault("/".join(path[1:]) or path[0], set())
            line = start[4]
        if attributes is not None:
            attributes.update(line.split())
    return table


def words_of(path):
    """Short words in a library, which may be words of its format."""
    return {word.decode() for word in re.findall(rb"(?<=\x00)[A-Za-z][a-z]{3,15}(?=\x00)", path.read_bytes())}


def ask(path, words, attributes):
    """What one version knows; runs in a process of its own, because only one version can be loaded."""
    library = ctypes.CDLL(path)
    buffer = ctypes.create_string_buffer(1 << 20)
    library.mj_printSchema(None, buffer, len(buffer), 0, 0)
    table = schema(buffer.value.decode())
    library.mj_loadXML.restype = ctypes.c_void_p
    library.mj_deleteModel.argtypes = [ctypes.c_void_p]
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:

        def problem(text):
            file.seek(0)
            file.truncate()
            file.write(text)
            file.flush()
            error = ctypes.create_string_buffer(2000)
            model = library.mj_loadXML(file.name.encode(), None, error, len(error))
            if model:
                library.mj_deleteModel(model)
                return ""
            return error.value.decode(errors="replace") or "error"

        probed = {entry: not problem(text) for entry, text in PROBES.items()}
        for entry, text in WORDS.items():
            refusal = problem(text.replace("{}", "nosuchword"))
            assert REFUSED.search(refusal), (entry, refusal)
            same = refusal.replace("nosuchword", "{}")
            for word in words:
                answer = problem(text.replace("{}", word))
                # A word is known when it loads or when the complaint is another one than that about an unknown word.
                probed[f"{entry}={word}"] = not answer or answer.replace(word, "{}") != same
        # Attributes of frames are in no schema. One that is read refuses a value that is none.
        for name in attributes:
            frame = f'<mujoco><worldbody><frame {name}="no such value"/></worldbody></mujoco>'
            probed[f"frame:{name}"] = bool(problem(frame))
    return {"schema": {key: sorted(value) for key, value in table.items()}, "probed": probed}


def history(known):
    """Signs and versions at which something came or went, from its presence in version after version."""
    steps, before = [], known[0][1]
    for version, present in known[1:]:
        if present != before:
            steps.append(("+" if present else "-") + version)
        before = present
    return steps


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cache", type=pathlib.Path, help="keep the wheels in this folder")
    arguments.add_argument("--ask", help=argparse.SUPPRESS)
    arguments = arguments.parse_args()
    if arguments.ask:
        words, attributes = json.load(sys.stdin)
        print(json.dumps(ask(arguments.ask, words, attributes)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.cache or pathlib.Path(scratch)
        names = versions(sys.executable)
        libraries = {name: library(sys.executable, name, folder) for name in names}
        found = [words_of(path) for path in libraries.values()]
        words = sorted(set.union(*found) - set.intersection(*found) | SHORT_WORDS)
        attributes = [*FRAME_ATTRIBUTES, "pos", "quat", "fuse", "simple", "gravcomp", "user", "count", "offset"]
        answers = {}
        for name, path in libraries.items():
            request = json.dumps([words, attributes])
            command = [sys.executable, __file__, "--ask", str(path)]
            answer = subprocess.run(command, check=True, input=request, capture_output=True, text=True).stdout
            answers[name] = json.loads(answer[answer.rindex('{"schema"'):])
            print(name, len(answers[name]["schema"]), "elements", flush=True)
    lines = []
    elements = sorted(set().union(*(answer["schema"] for answer in answers.values())))
    for element in elements:
        steps = history([(name, element in answer["schema"]) for name, answer in answers.items()])
        if steps:
            lines.append(f"{element} {' '.join(steps)}")
        everything = sorted(set().union(*(answer["schema"].get(element, []) for answer in answers.values())))
        for attribute in everything:
            presence = [(name, attribute in answer["schema"][element]) for name, answer in answers.items() if element in answer["schema"]]
            changes = history(presence)
            if changes:
                lines.append(f"{element}:{attribute} {' '.join(changes)}")
    for entry in sorted(answers[names[0]]["probed"]):
        steps = history([(name, answer["probed"][entry]) for name, answer in answers.items()])
        if steps:
            lines.append(f"{entry} {' '.join(steps)}")
    header = f"# What MuJoCo {names[0]} to {names[-1]} added (+) and removed (-); written by `cargo xtask schema-versions`.\n"
    TABLE.write_text(header + f"versions {' '.join(names)}\n" + "\n".join(lines) + "\n")
    print(f"{len(lines)} differences in {TABLE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
