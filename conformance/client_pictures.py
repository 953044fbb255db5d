"""Clients that draw, unmodified from PyPI, on MuJoCo with software OpenGL (EGL) and on Condyle: their pictures side by side.

    python conformance/client_pictures.py [--all] [--only NAME ...] [--environment FOLDER]

gymnasium's `rgb_array`, `depth_array` and `rgbd_tuple`, dm_control's `physics.render` with colours, depth, segmentation and an overlay and
its wrapper for pixels, robosuite's camera observations. Each client runs in a process on either engine, in the environment that
`clients.py` makes, and leaves its pictures in a file; then they are compared. Without `--all` every fifth task of dm_control is drawn.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import clients  # noqa: E402

SIZE = 84
# Mean difference of colours and of depths over their range, and share of equal numbers in pictures of identities.
MOST_COLOR, MOST_DEPTH, LEAST_SAME = 6.0, 0.01, 0.99
# Letters are our own, and two lines of text take a third of so small a picture.
MOST_OVERLAY = 8.0


def gymnasium():
    import gymnasium as gym

    names = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum", "Pusher",
             "Reacher", "Swimmer", "Walker2d"]  # fmt: skip
    for name in names:

        def run(name=name):
            for mode in ("rgb_array", "depth_array", "rgbd_tuple"):
                environment = gym.make(f"{name}-v5", render_mode=mode, width=SIZE, height=SIZE)
                environment.reset(seed=3)
                environment.action_space.seed(3)
                for _ in range(3):
                    environment.step(environment.action_space.sample())
                picture = environment.render()
                if mode == "rgbd_tuple":
                    yield "rgbd_color", picture[0]
                    yield "rgbd_depth", picture[1]
                else:
                    yield mode.replace("rgb_array", "color").replace("depth_array", "depth"), picture
                environment.close()

        yield name, run


def dm_control():
    import numpy as np
    from dm_control import suite
    from dm_control.mujoco.engine import TextOverlay
    from dm_control.suite.wrappers import pixels

    def run(domain, task):
        environment = suite.load(domain, task, task_kwargs={"random": 1})
        environment.reset()
        random, spec = np.random.RandomState(2), environment.action_spec()
        low, high = np.maximum(spec.minimum, -10), np.minimum(spec.maximum, 10)
        for _ in range(3):
            environment.step(random.uniform(low, high, spec.shape))
        physics = environment.physics
        yield "color", physics.render(SIZE, SIZE, camera_id=0)
        yield "depth", physics.render(SIZE, SIZE, camera_id=0, depth=True)
        yield "segmentation", physics.render(SIZE, SIZE, camera_id=0, segmentation=True)
        yield "overlay_color", physics.render(SIZE, SIZE, camera_id=0, overlays=[TextOverlay("left", "right")])
        wrapped = pixels.Wrapper(environment, render_kwargs={"width": SIZE, "height": SIZE, "camera_id": 0})
        yield "pixels_color", wrapped.reset().observation["pixels"]

    for domain, task in suite.ALL_TASKS:
        yield f"{domain}-{task}", lambda domain=domain, task=task: run(domain, task)


def robosuite():
    import numpy as np
    import robosuite as package

    def run(name):
        np.random.seed(1)
        environment = package.make(
            name, robots="Panda", has_renderer=False, has_offscreen_renderer=True, use_camera_obs=True, camera_names="agentview",
            camera_heights=SIZE, camera_widths=SIZE, camera_depths=True, camera_segmentations="element", seed=1,
        )  # fmt: skip
        observation = environment.reset()
        yield "color", observation["agentview_image"]
        yield "depth", observation["agentview_depth"]
        yield "segmentation", observation["agentview_segmentation_element"]
        environment.close()

    for name in ("Lift", "Stack", "Door"):
        yield name, lambda name=name: run(name)


CLIENTS = [gymnasium, dm_control, robosuite]


def draw(client, sample, file):
    """All pictures of a client into a file, with what failed."""
    import numpy as np

    pictures = {}
    for number, (name, run) in enumerate(client()):
        if sample and client is dm_control and number % 5:
            continue
        try:
            for kind, picture in run():
                pictures[f"{name} {kind}"] = np.asarray(picture)
        except Exception:
            pictures[f"{name} failed"] = np.array(traceback.format_exc().strip().splitlines()[-1])
    np.savez(file, **pictures)


def differs(name, theirs, ours):
    """What is wrong with a picture; None if nothing is."""
    import numpy as np

    if theirs.shape != ours.shape or theirs.dtype != ours.dtype:
        return f"{ours.dtype} {ours.shape}, not {theirs.dtype} {theirs.shape}"
    if "segmentation" in name:
        same = float((theirs == ours).mean())
        return f"{100 * same:.2f}% are the same" if same < LEAST_SAME else None
    a, b = theirs.astype(float), ours.astype(float)
    if "depth" in name:
        mean = float(np.abs(a - b).mean() / max(np.ptp(a), 1e-9))
        return f"depths differ by {mean:.4f} of their range" if mean > MOST_DEPTH else None
    mean = float(np.abs(a - b).mean())
    most = MOST_OVERLAY if "overlay" in name else MOST_COLOR
    return f"colours differ by {mean:.2f}" if mean > most else None


def compare(python, name, sample):
    import numpy as np

    files = []
    with tempfile.TemporaryDirectory() as folder:
        for engine in ("mujoco", "condyle"):
            environment = {**os.environ, "MUJOCO_GL": "egl", "PYTHONPATH": str(clients.ROOT / "python"), "CONDYLE_AS_MUJOCO": ""}
            file = pathlib.Path(folder) / f"{engine}.npz"
            start = [python, "-m", "condyle.as_mujoco"] if engine == "condyle" else [python]
            more = ["--inside", name, "--file", str(file)] + (["--sample"] if sample else [])
            done = subprocess.run([*start, __file__, *more], env=environment, capture_output=True, text=True)
            if not file.exists():
                print(f"{name} on {engine}: {(done.stderr or done.stdout).strip()[-300:]}")
                return False
            files.append(dict(np.load(file)))
    theirs, ours = files
    problems = [f"{key}: {ours[key]}" for key in ours if key.endswith(" failed") and key not in theirs]
    shared = [key for key in theirs if key in ours and not key.endswith(" failed")]
    stopped = {key.removesuffix("failed") for key in ours if key.endswith(" failed")}
    missing = [key for key in theirs if key not in ours and not any(key.startswith(name) for name in stopped)]
    problems += [f"{key}: there is no such picture" for key in missing]
    for key in shared:
        problem = differs(key, theirs[key], ours[key])
        if problem:
            problems.append(f"{key}: {problem}")
    colors = [np.abs(theirs[key].astype(float) - ours[key]).mean() for key in shared if "color" in key and "overlay" not in key]
    worst = f"colours differ by {np.mean(colors):.3f} of 255 in the mean, at most {max(colors):.2f}" if colors else "no picture in colour without text"
    failed = sum(key.endswith(" failed") for key in theirs)
    print(f"{name}: {len(shared)} pictures, {len(problems)} problems; {worst}; {failed} fail on MuJoCo too")
    for problem in problems:
        print(f"  {problem}")
    return not problems and bool(shared)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[client.__name__ for client in CLIENTS], help="clients to run")
    parser.add_argument("--all", action="store_true", help="every task of dm_control instead of every fifth")
    parser.add_argument("--environment", type=pathlib.Path, default=clients.ROOT / "target/clients", help="folder of the virtual environment")
    for hidden in ("--inside", "--file"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    parser.add_argument("--sample", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        return draw(globals()[arguments.inside], arguments.sample, arguments.file)
    python = clients.prepare(arguments.environment)
    wanted = arguments.only or [client.__name__ for client in CLIENTS]
    results = [compare(str(python), name, not arguments.all) for name in wanted]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
