"""Time to load the largest mesh models, first and again, and memory of a simulation, beside the reference.

    cargo xtask bench --load [--only NAME] [--count N] [--rounds N]
    cargo xtask bench --memory [--only NAME] [--all]                    memory alone, of every model

The models are those of the corpora with most mesh vertices, one for each set of meshes, without plugins. The process is bound to one
processor. Both engines load in turn, and the fastest load of each counts: first with the asset caches of both off, so that every mesh
is read and processed in one thread each time, then with both caches on and filled. Before timing, every array of the two models must
be equal, with and without the caches.

Memory is what the process grows by for one more `MjData` that has taken 20 steps, measured over several of them in a process of its own
for each engine.
"""

import gc
import hashlib
import json
import math
import os
import pathlib
import subprocess
import sys
import time
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORT = ROOT / "conformance" / "loading.json"
CAPACITY = 500 << 20
SIMULATIONS = 10


def engine(name):
    if name == "mujoco":
        import mujoco as module
    else:
        import condyle as module
    return module


def theirs(path):
    return engine("mujoco").MjModel.from_xml_path(path)


def ours(path):
    return engine("condyle").MjModel.from_xml_path(path, reference_bugs=True)


def keep_assets(keep):
    """Switch the caches of both engines on or off; they are empty afterwards."""
    for name in ("mujoco", "condyle"):
        module = engine(name)
        cache = module.mj_getCache()
        module.mj_setCacheCapacity(cache, CAPACITY if keep else 0)
        module.mj_clearCache(cache)


def largest(count, only):
    """Names and paths of the models with most mesh vertices, no two with the same meshes."""
    from run import corpora

    found = {}
    for corpus, folder, files in corpora():
        for path in files:
            name = f"{corpus}/{path.relative_to(folder).as_posix()}"
            if only and only not in name:
                continue
            try:
                m = theirs(str(path))
            except ValueError:
                continue
            if m.nmeshvert and not m.nplugin:
                meshes = hashlib.sha256(m.mesh_vert.tobytes()).digest()
                found.setdefault(meshes, (m.nmeshvert, m.nmesh, name, str(path)))
    return sorted(found.values(), reverse=True)[:count]


def seconds(load, path):
    gc.collect()
    started = time.perf_counter()
    load(path)
    return time.perf_counter() - started


def fastest(path, rounds):
    """Shortest time of both engines to load a model, in turn."""
    best = [math.inf, math.inf]
    for _ in range(rounds):
        best = [min(best[0], seconds(theirs, path)), min(best[1], seconds(ours, path))]
    return best


def resident():
    """Bytes of memory the process has."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def child(name, path):
    """Print how many bytes one more simulation takes."""
    module = engine(name)
    m = (theirs if name == "mujoco" else ours)(path)
    kept = []

    def add():
        d = module.MjData(m)
        module.mj_step(m, d, nstep=20)
        kept.append(d)

    for _ in range(3):
        add()
    before = resident()
    for _ in range(SIMULATIONS):
        add()
    print((resident() - before) // SIMULATIONS)


def memory(name, path):
    command = [sys.executable, str(pathlib.Path(__file__).resolve()), "--child", name, path]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main(args):
    from levels import compare_models

    warnings.simplefilter("ignore")
    engine("mujoco").set_mju_user_warning(lambda message: None)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    results = {}
    print(f"{'':80} {'vertices':>8}  {'first, ms':>16}        {'again, ms':>16}        {'memory, kB':>16}")
    for vertices, meshes, name, path in largest(args.count, args.only):
        keep_assets(False)
        difference, _ = compare_models(theirs(path), ours(path))
        first = fastest(path, args.rounds)
        keep_assets(True)
        theirs(path), ours(path)
        difference = difference or compare_models(theirs(path), ours(path))[0]
        again = fastest(path, args.rounds)
        taken = [memory(each, path) for each in ("mujoco", "condyle")]
        results[name] = {
            "vertices": vertices, "meshes": meshes, "difference": difference,
            "first": {"theirs": first[0], "ours": first[1], "ratio": first[0] / first[1]},
            "again": {"theirs": again[0], "ours": again[1], "ratio": again[0] / again[1]},
            "memory": {"theirs": taken[0], "ours": taken[1], "ratio": taken[0] / max(taken[1], 1)},
        }
        mark = f"  DIFFERS: {difference}" if difference else ""
        print(f"{name:80} {vertices:8}  {1000 * first[1]:7.0f} {1000 * first[0]:8.0f}  x{first[0] / first[1]:.2f}"
              f"  {1000 * again[1]:7.0f} {1000 * again[0]:8.0f}  x{again[0] / again[1]:.2f}"
              f"  {taken[1] / 1000:7.0f} {taken[0] / 1000:8.0f}  x{taken[0] / max(taken[1], 1):.2f}{mark}", flush=True)
    REPORT.write_text(json.dumps(results, indent=1))
    for what in ("first", "again", "memory"):
        ratios = {name: result[what]["ratio"] for name, result in results.items() if result[what]["ratio"] > 0}
        if ratios:
            worst = min(ratios, key=ratios.get)
            print(f"{what}: geometric mean x{mean(ratios.values()):.2f}, least x{ratios[worst]:.2f} ({worst})")


def every(models):
    """Memory of one more simulation of each model, where it is more than ours or theirs to notice."""
    results = {}
    for name, path in models:
        try:
            taken = [memory(each, str(path)) for each in ("mujoco", "condyle")]
        except subprocess.CalledProcessError:
            continue
        # Less than a page or two for each simulation says nothing about either engine.
        if min(taken) < 8192:
            continue
        results[name] = taken[0] / taken[1]
        print(f"{name:80} {taken[1] / 1000:9.0f} {taken[0] / 1000:9.0f} kB  x{taken[0] / taken[1]:.2f}", flush=True)
    if results:
        more = [name for name, ratio in results.items() if ratio < 1]
        print(f"{len(results)} models: geometric mean x{mean(results.values()):.2f}; {len(more)} take more than in MuJoCo")
        for name in sorted(more, key=results.get):
            print(f"  x{results[name]:.2f} {name}")


if __name__ == "__main__" and sys.argv[1:2] == ["--child"]:
    child(sys.argv[2], sys.argv[3])
