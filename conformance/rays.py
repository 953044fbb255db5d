"""Random rays into every model, beside the reference: distance, geom and normal to the last bit.

    python conformance/rays.py [--corpus NAME] [--only NAME] [--rays 400]

Rays start around and inside a model in a state of a seeded trajectory and are aimed at its geoms or anywhere, with filters by group, static
geoms and body; one at a time, and many from one point with a cutoff, where both engines prune by bounding boxes and angles.
"""

import argparse
import collections
import os
import pathlib
import sys

import mujoco
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare  # noqa: E402
import condyle  # noqa: E402
from run import corpora  # noqa: E402

BUNCH = 40  # rays from one point


def same(a, b):
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    if a.dtype.kind != "f":
        return np.array_equal(a, b)
    return bool(((a.view(np.int64) == b.view(np.int64)) | (np.isnan(a) & np.isnan(b))).all())


def aim(m, d, rng, count):
    """An origin and directions: at geoms, at random, and along axes."""
    center, extent = m.stat.center, max(m.stat.extent, 0.1)
    origin = center + rng.normal(size=3) * extent * rng.choice([0.2, 1.0, 3.0])
    directions = rng.normal(size=(count, 3))
    places = np.concatenate([d.geom_xpos, d.flexvert_xpos.reshape(-1, 3)[:: max(1, m.nflexvert // 20)]])
    targets = places[rng.integers(0, len(places), count)]
    radius = np.minimum(m.geom_rbound.max(initial=0.1), extent)
    aimed = targets + rng.normal(size=(count, 3)) * radius * rng.choice([0.1, 0.5], (count, 1)) - origin
    chosen = rng.random(count) < 0.8
    directions[chosen] = aimed[chosen]
    axial = rng.random(count) < 0.05
    directions[axial] = np.eye(3)[rng.integers(0, 3, axial.sum())] * rng.choice([-2.0, 1.0], (axial.sum(), 1))
    directions[np.linalg.norm(directions, axis=1) < 1e-9] = [0, 0, -1]
    return origin, directions * np.exp(rng.uniform(-1, 1, (count, 1)))


def filters(m, rng):
    group = None if rng.random() < 0.5 else rng.integers(0, 2, 6).astype(np.uint8)
    return group, int(rng.random() < 0.7), int(rng.integers(-1, m.nbody)) if rng.random() < 0.4 else -1


def cast_all(engine, m, d, casts):
    """Distances, geoms and normals of all casts."""
    found = []
    for origin, directions, (group, static, body), cutoff in casts:
        count = len(directions)
        geom, distance, normal = np.full(count, -7, np.int32), np.zeros(count), np.zeros((count, 3))
        if cutoff is None:
            one = np.zeros(1, np.int32)
            for i in range(count):
                distance[i] = engine.mj_ray(m, d, origin, directions[i], group, static, body, one, normal[i])
                geom[i] = one[0]
        else:
            flat = normal.reshape(-1)
            engine.mj_multiRay(m, d, origin, directions.reshape(-1), group, static, body, geom, distance, flat, count, cutoff)
        found.append((distance, geom, normal))
    return found


def run(path, rays=400, seed=0):
    """Rays cast, rays that differ, and hits by type of geom; `None` for models left out."""
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    try:
        m = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return None
    if m.ngeom + m.nflex == 0:
        return None
    cm = compare.to_condyle(m)
    cd, rng = condyle.MjData(cm), np.random.default_rng(seed)
    cast, different, hits = 0, 0, collections.Counter()
    for d in compare.visit(m, 2, seed):
        mujoco.mj_fwdPosition(m, d)
        for name in ("geom_xpos", "geom_xmat", "xpos", "xquat", "xmat", "xipos", "ximat", "flexvert_xpos",
                     "flexelem_aabb", "bvh_aabb_dyn"):
            getattr(cd, name)[:] = getattr(d, name)
        casts = []
        for index in range(max(1, rays // (2 * BUNCH))):
            origin, directions = aim(m, d, rng, BUNCH)
            cutoff = None if index % 2 else float(rng.choice([1e10, m.stat.extent, 0.3 * m.stat.extent]))
            casts.append((origin, directions, filters(m, rng), cutoff))
        for ours, theirs in zip(cast_all(condyle, cm, cd, casts), cast_all(mujoco, m, d, casts)):
            cast += BUNCH
            for i in range(BUNCH):
                different += not all(same(a[i : i + 1], b[i : i + 1]) for a, b in zip(ours, theirs))
            hit = theirs[1][theirs[0] >= 0]
            hits.update(mujoco.mjtGeom(int(kind)).name[7:].lower() for kind in m.geom_type[hit[hit >= 0]])
    return cast, different, hits


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus")
    parser.add_argument("--only", default="")
    parser.add_argument("--rays", type=int, default=400)
    args = parser.parse_args()
    os.chdir(os.environ.get("TMPDIR", "/tmp"))  # the reference writes its log to the working directory
    mujoco.set_mju_user_warning(lambda message: None)
    bad = 0
    print("| corpus | models | rays | hits | different |\n|---|---|---|---|---|")
    everything = collections.Counter()
    for corpus, folder, files in corpora():
        if args.corpus and corpus != args.corpus:
            continue
        models = rays = different = 0
        hits = collections.Counter()
        for path in files:
            name = path.relative_to(folder).as_posix()
            found = run(path, args.rays) if args.only in name else None
            if found:
                models, rays, different = models + 1, rays + found[0], different + found[1]
                hits.update(found[2])
                if found[1]:
                    print(f"{corpus}/{name}: {found[1]} of {found[0]} rays differ", file=sys.stderr, flush=True)
        print(f"| {corpus} | {models} | {rays} | {sum(hits.values())} | {different} |", flush=True)
        bad += different
        everything.update(hits)
    print("hits by type:", ", ".join(f"{kind} {count}" for kind, count in everything.most_common()))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
