"""Instructions per step, counted by valgrind: figures that do not depend on what else the machine does.

    cargo xtask bench --instructions [--only NAME] [--all]      both engines
    cargo xtask instructions [--update]                         eight models of ours against the recorded counts

Each engine runs all models in one Python process under callgrind, which collects inside the step function alone. Both start from the
same state, take a few steps in halves (`mj_step1`, `mj_step2`, which are not counted) so that buffers have their size, and then
`STEPS` whole steps. The counts repeat to a few parts in ten thousand, but they belong to a compiler, a profile and a processor:
library functions such as `memcpy` come in versions. So `conformance/instructions.json` records each count with these, and the guard
compares only where they are the same; a count more than 2% above the record fails, and one more than 2% below asks for a new
record. Valgrind hides AVX-512 from the programs it runs, so processors with and without it share a record.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "conformance" / "instructions.json"
STEPS = 10
TOLERANCE = 0.02
GUARDED = [
    "models/bench/chain.xml",
    "models/bench/cubes.xml",
    "models/bench/figure.xml",
    "models/bench/leg.xml",
    "models/bench/pile.xml",
    "corpora/gymnasium/gymnasium/envs/mujoco/assets/half_cheetah.xml",
    "corpora/gymnasium/gymnasium/envs/mujoco/assets/humanoid.xml",
    "corpora/dm_control/dm_control/suite/humanoid_CMU.xml",
]
# Where callgrind collects, and the function that begins a new part of its output.
COUNTED = {"condyle": "condyle_engine::step::run::run*", "mujoco": "mj_step"}
DIVIDER = {"condyle": "condyle_engine::step::reset::reset", "mujoco": "mj_resetData"}


def child(engine, folder):
    """Run the models prepared in `folder`; this is what valgrind watches."""
    import numpy as np

    if engine == "mujoco":
        import mujoco as module

        load = module.MjModel.from_binary_path
    else:
        import condyle as module

        def load(path):
            return module.MjModel.from_binary(pathlib.Path(path).read_bytes())

    signature = int(module.mjtState.mjSTATE_INTEGRATION)
    for path in sorted(pathlib.Path(folder).glob("*.mjb")):
        m = load(str(path))
        d = module.MjData(m)
        # Making an MjData installs MuJoCo's clock.
        module.set_mjcb_time(None)
        module.mj_resetData(m, d)
        module.mj_setState(m, d, np.fromfile(path.with_suffix(".state")), signature)
        for _ in range(3):
            module.mj_step1(m, d)
            module.mj_step2(m, d)
        module.mj_step(m, d, nstep=STEPS)
        module.mj_resetData(m, d)


def prepare(paths, folder):
    """Write every model that can be counted and a state of it; returns which were."""
    import compare
    import mujoco
    import numpy as np

    kept = []
    for path in paths:
        try:
            m = mujoco.MjModel.from_xml_path(str(path))
        except ValueError:
            continue
        if m.nv == 0 or m.nplugin:
            continue
        m.vis.global_.bvactive = 0
        d = mujoco.MjData(m)
        if m.nkey:
            mujoco.mj_resetDataKeyframe(m, d, 0)
        d.ctrl[:] = compare.controls(m, np.random.default_rng(0))
        mujoco.mj_step(m, d, nstep=50)
        state = np.zeros(mujoco.mj_stateSize(m, compare.STATE))
        mujoco.mj_getState(m, d, state, compare.STATE)
        place = pathlib.Path(folder) / f"{len(kept):04}"
        state.tofile(place.with_suffix(".state"))
        mujoco.mj_saveModel(m, str(place.with_suffix(".mjb")), None)
        kept.append(path)
    return kept


def count(engine, folder, expected):
    """Instructions per step of every model in `folder`, in order."""
    with tempfile.TemporaryDirectory() as out:
        command = [
            "valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}/part",
            "--collect-atstart=no", f"--toggle-collect={COUNTED[engine]}", f"--dump-before={DIVIDER[engine]}*",
            sys.executable, str(pathlib.Path(__file__).resolve()), "--child", engine, str(folder),
        ]
        subprocess.run(command, check=True, cwd=out, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": ""})
        counts = []
        for part in sorted(pathlib.Path(out).glob("part.*"), key=lambda part: int(part.suffix[1:])):
            total = re.search(r"^totals: (\d+)", part.read_text(), re.MULTILINE)
            if total and int(total[1]):
                counts.append(int(total[1]) // STEPS)
    if len(counts) != expected:
        raise SystemExit(f"callgrind made {len(counts)} counts for {expected} models of {engine}")
    return counts


def table(models, environment):
    """Both engines on all models."""
    if not shutil.which("valgrind"):
        raise SystemExit("counting instructions needs valgrind: apt-get install valgrind")
    with tempfile.TemporaryDirectory() as folder:
        names = {path: name for name, path in models}
        kept = prepare([path for _, path in models], folder)
        ours, theirs = (count(engine, folder, len(kept)) for engine in ("condyle", "mujoco"))
    for path, mine, other in zip(kept, ours, theirs):
        print(f"{names[path]:60} {mine:12,} {other:12,}  x{other / mine:.2f}")
    print(f"instructions per step, ours and MuJoCo's; commit {environment['commit'][:10]}, {environment['processor']}")


def circumstances():
    """What a count belongs to."""
    compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.strip()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    flags = re.search(r"^flags\s*: (.*)$", cpuinfo.read_text(), re.MULTILINE) if cpuinfo.exists() else None
    present = set(flags[1].split()) if flags else set()
    registers = [name for name in ("avx", "avx2", "fma", "erms") if name in present]
    return f"{os.environ.get('CONDYLE_PROFILE', 'release')}, {compiler}, {' '.join(registers)}"


def guard(update):
    """Compare the counts of the guarded models with the record; returns whether they are as recorded."""
    if not shutil.which("valgrind"):
        print("instruction counts were not checked: valgrind is not installed (apt-get install valgrind)")
        return True
    paths = [ROOT / name for name in GUARDED]
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise SystemExit(f"models of the guard are missing: {', '.join(missing)}")
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    now = circumstances()
    if now not in record and not update:
        print(f"instruction counts were not checked: no record for {now}; `cargo xtask instructions --update` makes one")
        return True
    with tempfile.TemporaryDirectory() as folder:
        kept = prepare(paths, folder)
        counts = dict(zip(GUARDED, count("condyle", folder, len(paths)))) if len(kept) == len(paths) else {}
    if not counts:
        raise SystemExit("a model of the guard does not load")
    if update:
        record[now] = counts
        RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
        print(f"recorded for {now}")
        return True
    good = True
    for name, found in counts.items():
        known = record[now].get(name, 0)
        change = found / known - 1 if known else float("inf")
        verdict = "more than recorded" if change > TOLERANCE else "fewer: record anew" if change < -TOLERANCE else ""
        good &= not verdict
        print(f"{name:70} {found:10,} {known:10,} {100 * change:+6.2f}%  {verdict}")
    if not good:
        print("instruction counts changed; if they are meant to, `cargo xtask instructions --update` records them")
    return good


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3])
    else:
        sys.exit(0 if guard("--update" in sys.argv) else 1)
