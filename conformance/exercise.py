"""What a build with counters runs, so that the compiler knows what to optimise for: see xtask/src/guided.rs.

Every model of the repository takes steps for a moment, alone and in a batch, from its first keyframe and with random controls. Nothing is
compared, and only the module itself and numpy are needed.
"""

import pathlib
import time

import condyle
import numpy as np

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
SECONDS = 0.3
APART = {"malformed", "extensions"}


def step(m, d, seconds):
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        condyle.mj_step(m, d, nstep=5)


def main():
    paths = [path for path in sorted(MODELS.rglob("*.xml")) if not APART & set(path.relative_to(MODELS).parts)]
    random = np.random.default_rng(0)
    run = 0
    for path in paths:
        try:
            m = condyle.MjModel.from_xml_path(str(path))
        except ValueError:
            continue
        if m.nv == 0:
            continue
        d = condyle.MjData(m)
        if m.nkey:
            condyle.mj_resetDataKeyframe(m, d, 0)
        low, high = m.actuator_ctrlrange.T
        low, high = (np.where(m.actuator_ctrllimited, side, given) for side, given in ((low, -1.0), (high, 1.0)))
        d.ctrl[:] = random.uniform(low, high)
        # What is measured most gets most of the time.
        step(m, d, 10 * SECONDS if "bench" in path.parts else SECONDS)
        run += 1
    if not run:
        raise SystemExit(f"no model under {MODELS} could be run")
    m = condyle.MjModel.from_xml_path(str(MODELS / "bench" / "figure.xml"))
    batch = condyle.Batch(m, 16, 1)
    for _ in range(100):
        batch.ctrl[...] = random.uniform(-1, 1, batch.ctrl.shape)
        batch.step(nstep=5)
    print(f"{run} models")


if __name__ == "__main__":
    main()
