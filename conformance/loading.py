"""Time to load the largest mesh models beside the reference.

    cargo xtask bench --load [--only NAME] [--count N] [--rounds N]

The models are those of the corpora with most mesh vertices, one for each set of meshes, without plugins. The process is bound to one
processor and the reference's asset cache is off, so both engines read and process every mesh in one thread each time. They load in
turn, and the fastest load of each counts. Before timing, every array of the two models must be equal.
"""

import gc
import hashlib
import json
import math
import os
import pathlib
import sys
import time
import warnings

import mujoco

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import condyle  # noqa: E402
from levels import compare_models  # noqa: E402
from run import ROOT, corpora  # noqa: E402

REPORT = ROOT / "conformance" / "loading.json"


def theirs(path):
    return mujoco.MjModel.from_xml_path(path)


def ours(path):
    return condyle.MjModel.from_xml_path(path, reference_bugs=True)


def largest(count, only):
    """Names and paths of the models with most mesh vertices, no two with the same meshes."""
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


def main(args):
    warnings.simplefilter("ignore")
    mujoco.set_mju_user_warning(lambda message: None)
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    results = {}
    for vertices, meshes, name, path in largest(args.count, args.only):
        difference, _ = compare_models(theirs(path), ours(path))
        best = [math.inf, math.inf]
        for _ in range(args.rounds):
            best = [min(best[0], seconds(theirs, path)), min(best[1], seconds(ours, path))]
        ratio = best[0] / best[1]
        results[name] = {"vertices": vertices, "meshes": meshes, "theirs": best[0], "ours": best[1], "ratio": ratio,
                         "difference": difference}
        mark = f"  DIFFERS: {difference}" if difference else ""
        print(f"{name:80} {vertices:7} vertices  {1000 * best[1]:7.0f} ms  {1000 * best[0]:7.0f} ms  x{ratio:.2f}{mark}", flush=True)
    REPORT.write_text(json.dumps(results, indent=1))
    if results:
        mean = math.exp(sum(math.log(result["ratio"]) for result in results.values()) / len(results))
        slowest = min(results, key=lambda name: results[name]["ratio"])
        print(f"{len(results)} models; geometric mean x{mean:.2f}, slowest x{results[slowest]['ratio']:.2f} ({slowest})")
