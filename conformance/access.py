"""Time of everyday Python access beside MuJoCo's module: by name, enumerations, arrays of rows and contacts, copies and pickles.

    cargo xtask bench --access [--bursts N]

Both modules run the same expression in turn; the fastest burst of each counts, in processor time of the thread.
"""

import copy
import math
import pickle
import time

import mujoco

import condyle

XML = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="arm" pos="0 0 .3"><freejoint name="root"/><geom name="hand" type="box" size=".1 .1 .1"/>
    <body name="fore"><joint name="elbow"/><geom name="finger" size=".05" pos=".3 0 0"/><site name="tip"/></body></body>
  <body name="ball" pos="1 0 .05"><freejoint/><geom size=".06"/></body></worldbody>
  <actuator><motor name="pull" joint="elbow"/></actuator><sensor><gyro name="imu" site="tip"/></sensor></mujoco>"""

EXPRESSIONS = (
    "m.geom('hand')", "m.geom(1)", "m.geom('hand').size", "m.joint('elbow').qposadr", "m.body('fore').mass[0]", "d.body('fore').xpos",
    "d.joint('elbow').qpos[0]", "d.actuator('pull').ctrl", "d.sensor('imu').data", "d.geom('hand').xmat", "d.site('tip').xpos",
    "mj.mjtJoint.mjJNT_HINGE", "mj.mjtJoint(3)", "int(mj.mjtJoint.mjJNT_HINGE)", "mj.mjtJoint.mjJNT_HINGE == 3", "str(mj.mjtJoint.mjJNT_HINGE)",
    "mj.mjtJoint.mjJNT_HINGE.value", "mj.mjtJoint.mjJNT_HINGE.name", "m.jnt_type[1] == mj.mjtJoint.mjJNT_HINGE",
    "d.efc_J", "d.efc_force", "d.efc_pos", "d.efc_type", "d.contact", "d.contact[0]", "d.contact[0].dist", "d.contact.geom1", "d.ncon",
    "d.qpos", "m.body_mass", "m.opt.timestep", "d.time", "d.warning.number", "d.timer[0].number",
    "mj.mj_name2id(m, mj.mjtObj.mjOBJ_GEOM, 'hand')", "mj.mj_id2name(m, mj.mjtObj.mjOBJ_GEOM, 1)",
    "copy.copy(d)", "copy.deepcopy(m)", "pickle.dumps(m)", "pickle.loads(pickled_m)", "pickle.dumps(d)", "pickle.loads(pickled_d)",
)  # fmt: skip


def names(mj):
    model = mj.MjModel.from_xml_string(XML)
    data = mj.MjData(model)
    mj.mj_step(model, data, nstep=120)
    assert data.ncon > 0 and data.nefc > 0
    return {"mj": mj, "m": model, "d": data, "copy": copy, "pickle": pickle, "pickled_m": pickle.dumps(model), "pickled_d": pickle.dumps(data)}


def runner(expression, scope):
    source = f"def run(count, clock):\n started = clock()\n for _ in range(count):\n  {expression}\n return clock() - started"
    local = dict(scope)
    exec(source, local)
    return local["run"]


def main(args):
    theirs, ours = names(mujoco), names(condyle)
    slower = []
    for expression in EXPRESSIONS:
        runs = [runner(expression, theirs), runner(expression, ours)]
        once = max(1e-7, min(runs[0](3, time.thread_time) / 3 for _ in range(5)))
        count = max(1, int(0.001 / once))
        best = [math.inf, math.inf]
        for _ in range(args.bursts):
            best = [min(least, run(count, time.thread_time)) for least, run in zip(best, runs)]
        ratio = best[0] / best[1]
        if ratio < 1:
            slower.append(expression)
        print(f"{expression:50} {1e9 * best[1] / count:10.0f} ns  {1e9 * best[0] / count:10.0f} ns  x{ratio:.2f}", flush=True)
    print(f"{len(EXPRESSIONS) - len(slower)} of {len(EXPRESSIONS)} at least as fast; slower: {', '.join(slower) or 'none'}")
