"""Random sequences of calls on both engines: stages, edits, options, rays, distances, Jacobians, finite differences, states, `mju_*`.

A sequence is a list of (name, number); the number seeds what the call needs, so that a sequence can be made shorter without changing
the calls that stay.
"""

import condyle
import generate
import judge
import mujoco
import numpy as np

STAGES = (
    "mj_step mj_step1 mj_step2 mj_forward mj_inverse mj_kinematics mj_comPos mj_camlight mj_flex mj_tendon mj_transmission mj_makeM mj_factorM "
    "mj_fwdPosition mj_fwdVelocity mj_fwdActuation mj_fwdAcceleration mj_fwdConstraint mj_sensorPos mj_sensorVel mj_sensorAcc "
    "mj_energyPos mj_energyVel mj_passive mj_comVel mj_rnePostConstraint mj_subtreeVel mj_resetData mj_setConst mj_collision "
    "mj_invPosition mj_invVelocity mj_invConstraint mj_compareFwdInv mj_makeConstraint mj_island mj_projectConstraint mj_referenceConstraint "
    "mj_Euler mj_implicit"
).split()
OTHERS = "qpos qvel ctrl flag enable option mass ray distance jacobian object finite state full solve inputs keyframe differentiate force forward inverse math".split()
# Rows made anew have no forces until a solver has run: what the reference then reads is left over in its memory.
MAKING = {"mj_step1", "mj_fwdPosition", "mj_makeConstraint", "mj_invPosition", "mj_collision"}
# The velocity stage sets what the rows aim at.
AIMING = {"mj_step", "mj_forward", "mj_inverse", "mj_fwdVelocity", "mj_invVelocity", "mj_referenceConstraint", "mj_step1", "force"}
AIMED = {"mj_fwdConstraint", "mj_invConstraint", "mj_compareFwdInv", "mj_step2", "forward", "inverse", "finite"}
SOLVING = {"mj_step", "mj_step2", "mj_forward", "mj_inverse", "mj_fwdConstraint", "mj_invConstraint", "forward", "inverse", "force", "mj_resetData"}
READING = {"mj_rnePostConstraint", "mj_sensorAcc", "object", "mj_Euler", "mj_implicit", "finite"}
# After a change of options or a reset, rows and matrices of the old ones are left: only what makes everything anew is decided.
FULL = {"mj_step", "mj_forward", "mj_step1", "mj_fwdPosition"}
HARMLESS = set("mj_resetData qpos qvel ctrl inputs option flag enable keyframe state math differentiate".split())
# Without the dual matrix, the solvers that need it crash the reference.
WITHOUT_MATRIX = {"mj_makeConstraint", "mj_invPosition", "mj_inverse", "inverse"}
NEEDING_MATRIX = {"mj_fwdConstraint", "mj_step2", "forward", "finite"}
LENGTH = 25


def sequence(seed):
    rng = np.random.default_rng(seed)
    names = [STAGES[rng.integers(len(STAGES))] if rng.random() < 0.5 else OTHERS[rng.integers(len(OTHERS))] for _ in range(LENGTH)]
    return [(name, int(rng.integers(1 << 30))) for name in names]


class Pair:
    """Both engines with the same model."""

    def __init__(self, theirs, ours):
        self.sides = [(mujoco, theirs, mujoco.MjData(theirs)), (condyle, ours, condyle.MjData(ours))]
        self.unsolved = self.stale = self.bare = self.aimless = False
        self.each(lambda engine, m, d: engine.mj_forward(m, d))
        self.watch = judge.Watch(self.sides[0][2], self.sides[1][2])

    def possible(self, name):
        """Whether the result of a call is decided by what was called before."""
        option = self.sides[0][1].opt
        needs_matrix = option.solver == 0 or option.noslip_iterations > 0
        if (self.stale and name not in FULL | HARMLESS) or (self.bare and needs_matrix and name in NEEDING_MATRIX):
            return False
        if name == "mj_implicit" and option.integrator not in (2, 3) or self.unsolved and name not in SOLVING and name in READING:
            return False
        if self.aimless and name in AIMED or name == "finite" and self.sides[0][1].nhistory:
            return False
        self.aimless = (self.aimless or name in MAKING) and name not in AIMING
        self.unsolved = (self.unsolved or name in MAKING) and name not in SOLVING
        self.stale = (self.stale or name in ("option", "flag", "mj_resetData", "keyframe")) and name not in FULL
        self.bare = (self.bare or name in WITHOUT_MATRIX) and name not in FULL | {"mj_projectConstraint"}
        return True

    def each(self, call):
        return [call(*side) for side in self.sides]

    def compare(self):
        return self.watch.difference()


def _agree(results):
    a, b = results
    if isinstance(a, tuple):
        return all(_agree(pair) for pair in zip(a, b, strict=True))
    return judge.same(a, b)


def _one_of(array, rng):
    return int(rng.integers(array)) if array else None


def call(pair, name, number):  # noqa: PLR0911, PLR0912, PLR0915 a table of calls
    """Make one call on both engines; the name of what differs in its result, or None."""
    rng = np.random.default_rng(number)
    theirs = pair.sides[0][1]
    nq, nv, nu = theirs.nq, theirs.nv, theirs.nu
    if name in STAGES:
        pair.each(lambda engine, m, d: getattr(engine, name)(m, d))
        return None
    if name == "qpos":
        values = rng.normal(size=nq) * 0.1
        pair.each(lambda engine, m, d: d.qpos.__setitem__(slice(None), d.qpos + values))
    elif name == "qvel":
        values = rng.normal(size=nv)
        pair.each(lambda engine, m, d: d.qvel.__setitem__(slice(None), values))
    elif name == "ctrl" and nu:
        values = rng.normal(size=nu)
        pair.each(lambda engine, m, d: d.ctrl.__setitem__(slice(None), values))
    elif name == "inputs":
        values, wrench = rng.normal(size=nv), rng.normal(size=(theirs.nbody, 6))
        wrench[0] = 0
        pair.each(lambda engine, m, d: (d.qfrc_applied.__setitem__(slice(None), values), d.xfrc_applied.__setitem__(slice(None), wrench)))
    elif name in ("flag", "enable"):
        field, bits = ("disableflags", 19) if name == "flag" else ("enableflags", 5)
        bit = 1 << int(rng.integers(bits))
        # Sleeping starts with a reset only.
        if name == "enable" and bit == 1 << 5:
            return None
        pair.each(lambda engine, m, d: setattr(m.opt, field, getattr(m.opt, field) ^ bit))
    elif name == "option":
        field, value = [
            ("integrator", int(rng.integers(4))), ("solver", int(rng.integers(3))), ("cone", int(rng.integers(2))),
            ("timestep", float(rng.choice([0.001, 0.01]))), ("iterations", int(rng.integers(1, 60))), ("noslip_iterations", int(rng.integers(4))),
            ("impratio", float(rng.choice([1, 5]))), ("viscosity", float(rng.choice([0, 0.01]))), ("jacobian", int(rng.integers(3))),
        ][rng.integers(9)]
        pair.each(lambda engine, m, d: setattr(m.opt, field, value))
    elif name == "mass":
        mass, body = float(rng.uniform(0.1, 2)), int(rng.integers(1, max(theirs.nbody, 2)))
        if theirs.nbody > 1:
            pair.each(lambda engine, m, d: (m.body_mass.__setitem__(body, mass), engine.mj_setConst(m, d)))
    elif name == "keyframe" and theirs.nkey:
        key = int(rng.integers(theirs.nkey))
        pair.each(lambda engine, m, d: engine.mj_resetDataKeyframe(m, d, key))
    elif name == "state":
        spec = int(rng.integers(1, 1 << 14))
        size = mujoco.mj_stateSize(theirs, spec)

        def get(engine, m, d):
            values = np.zeros(size)
            engine.mj_getState(m, d, values, spec)
            engine.mj_setState(m, d, values, spec)
            return values

        return None if _agree(pair.each(get)) else "result of mj_getState"
    else:
        return query(pair, name, rng)
    return None


def query(pair, name, rng):
    """Calls whose result is compared."""
    theirs = pair.sides[0][1]
    nv = theirs.nv
    if name == "ray":
        point, direction = rng.normal(size=3), rng.normal(size=3)

        def ray(engine, m, d):
            geom = np.zeros((1, 1), np.int32)
            return np.array([engine.mj_ray(m, d, point, direction, None, 1, -1, geom), geom[0, 0]])

        results = pair.each(ray)
    elif name == "distance" and theirs.ngeom > 1:
        a, b = (int(x) for x in rng.integers(0, theirs.ngeom, 2))
        skipped = (int(mujoco.mjtGeom.mjGEOM_HFIELD), int(mujoco.mjtGeom.mjGEOM_PLANE))
        if theirs.geom_type[a] in skipped and theirs.geom_type[b] in skipped:
            return None

        def distance(engine, m, d):
            ends = np.zeros(6)
            return np.append(engine.mj_geomDistance(m, d, a, b, 2.0, ends), ends)

        results = pair.each(distance)
    elif name == "jacobian":
        body, point = int(rng.integers(theirs.nbody)), rng.normal(size=3)

        def jacobian(engine, m, d):
            out = np.zeros((8, 3, m.nv))
            engine.mj_jacBody(m, d, out[0], out[1], body)
            engine.mj_jacBodyCom(m, d, out[2], out[3], body)
            engine.mj_jac(m, d, out[4], out[5], point, body)
            engine.mj_jacSubtreeCom(m, d, out[6], body)
            engine.mj_jacDot(m, d, out[7], None, point, body)
            return out

        results = pair.each(jacobian)
    elif name == "object":
        body, local = int(rng.integers(theirs.nbody)), int(rng.integers(2))

        def motion(engine, m, d):
            out = np.zeros((2, 6))
            engine.mj_objectVelocity(m, d, engine.mjtObj.mjOBJ_BODY, body, out[0], local)
            engine.mj_objectAcceleration(m, d, engine.mjtObj.mjOBJ_BODY, body, out[1], local)
            return out

        results = pair.each(motion)
    elif name == "finite" and 0 < nv <= 12 and theirs.opt.integrator != 1:
        size, centred = 2 * nv + theirs.na, int(rng.integers(2))

        def transition(engine, m, d):
            a, b = np.zeros((size, size)), np.zeros((size, m.nu))
            engine.mjd_transitionFD(m, d, 1e-6, centred, a, b, None, None)
            return a, b

        results = pair.each(transition)
    elif name == "full" and nv:

        def matrix(engine, m, d):
            out = np.zeros((nv, nv))
            engine.mj_fullM(m, out, d.qM)
            return out

        results = pair.each(matrix)
    elif name == "solve" and nv:
        values = rng.normal(size=(2, nv))

        def solve(engine, m, d):
            out = np.zeros((3, nv))
            engine.mj_solveM(m, d, out[:2], values)
            engine.mj_mulM(m, d, out[2], values[0])
            return out

        results = pair.each(solve)
    elif name == "differentiate" and nv:
        a, b = rng.normal(size=(2, theirs.nq))

        def differentiate(engine, m, d):
            out, moved = np.zeros(nv), a.copy()
            engine.mj_normalizeQuat(m, moved)
            engine.mj_differentiatePos(m, out, 0.1, moved, b)
            engine.mj_integratePos(m, moved, out, 0.1)
            return out, moved

        results = pair.each(differentiate)
    elif name == "force":
        count = pair.sides[0][2].ncon

        def force(engine, m, d):
            out = np.zeros((count, 6))
            for index in range(count):
                engine.mj_contactForce(m, d, index, out[index])
            return out

        # Before the solver has run, the reference's forces are whatever its memory holds.
        pair.each(lambda engine, m, d: engine.mj_forward(m, d))
        count = pair.sides[0][2].ncon
        results = pair.each(force)
    elif name in ("forward", "inverse"):
        stage, sensors = int(rng.integers(3)), int(rng.integers(2))
        pair.each(lambda engine, m, d: getattr(engine, f"mj_{name}Skip")(m, d, stage, sensors))
        return None
    elif name == "math":
        return special_values(rng)
    else:
        return None
    return None if _agree(results) else f"result of {name}"


VALUES = np.array([0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e308, 1e-308, 5e-324, 1e-15, 1e-16, np.pi, 0.5, 2.0, 1e10, -1e10])
# Name, shapes of the arrays written, shapes of the arrays read (0 is a number).
FUNCTIONS = [
    ("mju_normalize3", [3], []), ("mju_normalize4", [4], []), ("mju_rotVecQuat", [3], [3, 4]), ("mju_mulQuat", [4], [4, 4]), ("mju_mulQuatAxis", [4], [4, 3]),
    ("mju_axisAngle2Quat", [4], [3, 0]), ("mju_quat2Vel", [3], [4, 0]), ("mju_subQuat", [3], [4, 4]), ("mju_quat2Mat", [9], [4]),
    ("mju_mat2Quat", [4], [9]), ("mju_derivQuat", [4], [4, 3]), ("mju_quatIntegrate", [4], [3, 0]), ("mju_quatZ2Vec", [4], [3]),
    ("mju_negPose", [3, 4], [3, 4]), ("mju_mulPose", [3, 4], [3, 4, 3, 4]), ("mju_trnVecPose", [3], [3, 4, 3]), ("mju_cross", [3], [3, 3]),
    ("mju_addScl3", [3], [3, 3, 0]), ("mju_dist3", [], [3, 3]), ("mju_dot3", [], [3, 3]), ("mju_norm3", [], [3]), ("mju_norm", [], [7]), ("mju_sum", [], [6]),
    ("mju_dot", [], [9, 9]), ("mju_transformSpatial", [6], [6, 1, 3, 3, 9]), ("mju_sign", [], [0]), ("mju_round", [], [0]), ("mju_sigmoid", [], [0]),
    ("mju_clip", [], [0, 0, 0]), ("mju_min", [], [0, 0]), ("mju_max", [], [0, 0]), ("mju_isBad", [], [0]),
    ("mju_springDamper", [], [0, 0, 0, 0, 0]), ("mju_mat2Rot", [4], [9]),
]


def special_values(rng):
    """One `mju_*` function on numbers that are often special."""
    name, written, read = FUNCTIONS[rng.integers(len(FUNCTIONS))]
    if written is None or name == "mju_transformSpatial":
        return None

    def draw(size):
        values = np.where(rng.random(max(size, 1)) < 0.3, VALUES[rng.integers(len(VALUES), size=max(size, 1))], rng.normal(size=max(size, 1)))
        return float(values[0]) if size == 0 else values

    given = [draw(size) for size in read]
    start = [draw(size) for size in written]
    if name == "mju_round" and not abs(given[0]) < 2**31:
        return None

    def call_one(engine):
        out = [values.copy() for values in start]
        result = getattr(engine, name)(*out, *given)
        return tuple(np.atleast_1d(np.asarray(x, dtype=float)) for x in [*out, 0.0 if result is None else result])

    results = [call_one(engine) for engine in (mujoco, condyle)]
    return None if _agree(results) else f"result of {name} of {[np.asarray(x).tolist() for x in [*start, *given]]}"


def play(xml, files, calls):
    """The first difference of a sequence of calls and how many calls it took, or None."""
    theirs, ours = judge.load(xml, files)
    if theirs is None or ours is None:
        return None
    try:
        pair = Pair(theirs, ours)
    except mujoco.FatalError as error:
        return f"MuJoCo stops: {error}", 0
    for count, (name, number) in enumerate(calls, 1):
        if not pair.possible(name):
            continue
        try:
            where = call(pair, name, number)
        except mujoco.FatalError as error:
            return f"MuJoCo stops: {error}", count
        where = where or pair.compare()
        if where:
            return where + (", its memory is full" if judge.full(pair.sides[0][2]) else ""), count
    where = pair.watch.stale()
    return (where, len(calls)) if where else None


def shorten(xml, files, calls, where):
    """Leave out calls as long as the same array differs."""
    kept = list(calls)
    for index in range(len(calls) - 2, -1, -1):
        fewer = kept[:index] + kept[index + 1 :]
        found = play(xml, files, fewer)
        if found and found[0].split(" ")[0] == where.split(" ")[0]:
            kept = fewer[: found[1]]
    return kept


def api(seed):
    """(where, text of the sequence, xml) of a random sequence on a random model."""
    xml, files = generate.model_and_files(seed)
    calls = sequence(seed)
    found = play(xml, files, calls)
    if found is None:
        return None, "", xml
    where, count = found
    calls = shorten(xml, files, calls[:count], where)
    return f"{where} after {' '.join(name for name, _ in calls)}", repr(calls), xml
