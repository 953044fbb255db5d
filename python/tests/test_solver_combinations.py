"""Every solver with every cone, Jacobian storage and island mode, on models with every kind of constraint.

After `forward` all arrays of all stages are compared with the reference, after `step` the state has to have its bits. By default a few
combinations per model run, chosen so that the models together see all of them; `CONDYLE_CAMPAIGN=full` runs every combination, and also
on models of the corpora that are present.
"""

import itertools
import os
import pathlib
import sys

import mujoco
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "conformance"))
import compare  # noqa: E402
import levels  # noqa: E402
import run  # noqa: E402

import condyle  # noqa: E402

FULL = os.environ.get("CONDYLE_CAMPAIGN") == "full"
SAMPLED = 3  # combinations per model unless all are asked for
COMBINATIONS = list(itertools.product(("pgs", "cg", "newton"), ("pyramidal", "elliptic"), ("dense", "sparse"), (True, False)))

# Folder and name below `models/`, and no-slip iterations to set on top of what the model says.
OWN = {
    "constraint/connect": 0, "constraint/weld": 0, "constraint/jointequality": 3, "constraint/tendonequality": 0,
    "constraint/friction": 0, "constraint/noslip": 0, "constraint/noslippyramid": 0, "constraint/limit": 0,
    "constraint/island": 0, "constraint/impratio": 0, "constraint/refsafe": 0, "constraint/coldstart": 0,
    "contact/condims": 0, "contact/elliptic1": 5, "contact/pyramidal3": 0, "contact/elliptic4": 4, "contact/pyramidal6": 5,
    "contact/onmesh": 0, "tendon/limit": 0, "tendon/wrap": 0, "state/sleep": 0, "bench/figure": 0, "bench/pile": 0,
}
# Parts of names of corpus models.
FOREIGN = {
    "gymnasium": ("humanoid.xml", "ant.xml", "hopper.xml", "walker2d.xml"),
    "dm_control": ("suite/humanoid_CMU.xml", "suite/dog.xml", "suite/quadruped.xml", "suite/finger.xml", "suite/stacker.xml"),
    "shared": ("shadow_hand/scene_right.xml", "agility_cassie/scene.xml",
               "tendon_arm/arm26.xml", "22_humanoids.xml", "slider_crank/slider_crank.xml", "humanoid/humanoid.xml"),
}


def cases():
    """Path, no-slip iterations and combinations of each model."""
    for index, (name, noslip) in enumerate(OWN.items()):
        start = index * SAMPLED
        chosen = range(len(COMBINATIONS)) if FULL else [(start + k) % len(COMBINATIONS) for k in range(SAMPLED)]
        yield name, ROOT / "models" / f"{name}.xml", noslip, [COMBINATIONS[k] for k in chosen]
    if not FULL:
        return
    for corpus, folder, files in run.corpora():
        for wanted in FOREIGN.get(corpus, ()):
            for path in files:
                if path.as_posix().endswith("/" + wanted):
                    yield f"{corpus}/{wanted}", path, 0, COMBINATIONS
                    break


def configure(models, solver, cone, jacobian, islands, noslip):
    for model in models:
        model.opt.solver = ("pgs", "cg", "newton").index(solver)
        model.opt.cone = ("pyramidal", "elliptic").index(cone)
        model.opt.jacobian = ("dense", "sparse").index(jacobian)
        flag = int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
        model.opt.disableflags = model.opt.disableflags & ~flag if islands else model.opt.disableflags | flag
        if noslip:
            model.opt.noslip_iterations = noslip


def statistics(data):
    """Iterations and non-zeros of each island, and what each iteration recorded."""
    niter = np.asarray(data.solver_niter).copy()
    result = {"niter": niter, "nnz": np.asarray(data.solver_nnz).copy()}
    for field in ("improvement", "gradient", "lineslope", "nactive", "nchange", "neval", "nupdate"):
        column = np.asarray(getattr(data.solver, field)).reshape(len(niter), -1)
        result[field] = np.concatenate([column[island, :min(count, 200)] for island, count in enumerate(niter)])
    return result


def constraint_queries(module, m, d):
    """What the constraint-side functions say about the present rows and contacts."""
    rng = np.random.default_rng(4)
    result = {}
    forces = np.zeros((d.ncon, 6))
    for contact in range(d.ncon):
        module.mj_contactForce(m, d, contact, forces[contact])
    result["mj_contactForce"] = forces
    module.mj_rnePostConstraint(m, d)
    for name in ("cacc", "cfrc_ext", "cfrc_int"):
        result[name] = np.array(getattr(d, name))
    if d.nefc:
        rows, dofs, cost = np.zeros(d.nefc), np.zeros(m.nv), np.zeros(1)
        module.mj_mulJacVec(m, d, rows, rng.normal(size=m.nv))
        module.mj_mulJacTVec(m, d, dofs, rng.normal(size=d.nefc))
        module.mj_constraintUpdate(m, d, rng.normal(size=d.nefc), cost, 1)
        result.update(mj_mulJacVec=rows, mj_mulJacTVec=dofs, cost=cost, efc_force=np.array(d.efc_force),
                      efc_state=np.array(d.efc_state, float), qfrc_constraint=np.array(d.qfrc_constraint))
    return result


@pytest.mark.parametrize("name,path,noslip,combinations", [pytest.param(*case, id=case[0]) for case in cases()])
def test_combinations_have_the_reference_bits(name, path, noslip, combinations):
    m = mujoco.MjModel.from_xml_path(str(path))
    m.vis.global_.bvactive = 0
    cm = compare.to_condyle(m)
    failures = []
    for combination in combinations:
        configure((m, cm), *combination, noslip)
        result = {"levels": {}, "first": None, "states": 0, "ties": 0}
        levels.grade_dynamics(m, cm, result, states=4, seed=1, budget=20.0)
        if not all(result["levels"].values()):
            failures.append(f"{combination}: {result['first']}")
        d, cd = mujoco.MjData(m), condyle.MjData(cm)
        for _ in range(40):
            mujoco.mj_step(m, d)
            condyle.mj_step(cm, cd)
        theirs = statistics(d)
        for field, ours in statistics(cd).items():
            if not np.array_equal(ours, theirs[field], equal_nan=True):
                failures.append(f"{combination}: solver {field} ours {ours} theirs {theirs[field]}")
        theirs = constraint_queries(mujoco, m, d)
        for query, ours in constraint_queries(condyle, cm, cd).items():
            if compare.difference("query", query, ours, theirs[query]):
                failures.append(f"{combination}: {query} ours {ours} theirs {theirs[query]}")
        assert np.array_equal(cd.qpos.view(np.uint64), d.qpos.view(np.uint64)) or failures, combination
    assert not failures, "\n".join(failures)
