"""One case of each kind. A case is a kind and a seed; it returns (outcome, where, text).

Outcomes: `same`, `rejected` (by both), `different`, `listed` (in docs/divergences.md).
"""

import pathlib
import struct
import warnings

import condyle
import generate
import judge
import known
import mujoco
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPECIAL = ["nan", "inf", "-inf", "1e308", "-1", "0", "-0", "1e-320", "", "a", "99999999999999999999", "0x10", "+.5", "1e", "1,5", "5."]


def verdict(xml, where):
    if where is None:
        return "same", None, xml
    topic = known.topic(xml, where)
    return ("listed", topic, xml) if topic else ("different", where, xml)


def run_model(xml, steps, seed, assets=None):
    """Load in both engines, compare the models, then drive both with the same controls and compare every state."""
    theirs, ours = judge.load(xml, assets)
    if theirs is None and ours is None:
        return "rejected", None, xml
    if theirs is None or ours is None:
        return verdict(xml, "load: only " + ("MuJoCo" if ours is None else "Condyle") + " accepts")
    where = judge.models(theirs, ours)
    if where:
        return verdict(xml, where)
    d, e = mujoco.MjData(theirs), condyle.MjData(ours)
    rng = np.random.default_rng(seed)
    for step in range(steps):
        if step % 10 == 0 and theirs.nu:
            d.ctrl[:] = e.ctrl[:] = rng.uniform(-1, 1, theirs.nu)
        mujoco.mj_step(theirs, d)
        condyle.mj_step(ours, e)
        if steps < 100 or step % 25 == 0 or step == steps - 1:
            where = judge.data(d, e)
            if where:
                return verdict(xml, f"{where} at step {step}")
    return "same", None, xml


def models(seed):
    return run_model(generate.model(seed), 40, seed)


def long(seed):
    return run_model(generate.model(seed), 2000, seed)


def mutations(seed):
    """A generated or own model with a few places of its text changed."""
    rng = np.random.default_rng(seed)
    own = sorted((ROOT / "models").glob("*/*.xml"))
    path = own[rng.integers(len(own))]
    text = generate.model(seed) if rng.random() < 0.6 else path.read_text(errors="replace")
    for _ in range(rng.integers(1, 4)):
        quotes = [i for i, c in enumerate(text) if c == '"']
        if len(quotes) < 4:
            break
        at = 2 * int(rng.integers(len(quotes) // 2))
        start, end = quotes[at] + 1, quotes[at + 1]
        choice = rng.integers(5)
        if choice == 0:
            text = text[:start] + SPECIAL[rng.integers(len(SPECIAL))] + text[end:]
        elif choice == 1:
            words = text[start:end].split() or [""]
            words[rng.integers(len(words))] = SPECIAL[rng.integers(len(SPECIAL))]
            text = text[:start] + " ".join(words) + text[end:]
        elif choice == 2:
            other = 2 * int(rng.integers(len(quotes) // 2))
            text = text[:start] + text[quotes[other] + 1 : quotes[other + 1]] + text[end:]
        elif choice == 3:
            word = text.rfind(" ", 0, start)
            text = text[:word] + text[end + 1 :]
        else:
            cut = int(rng.integers(len(text)))
            text = text[:cut] + text[cut + int(rng.integers(1, 4)) :]
    return run_model(text, 3, seed)


def text(seed):
    """Spellings of numbers."""
    rng = np.random.default_rng(seed)
    digits = "".join(rng.choice(list("0123456789.+-eExXnaif "), rng.integers(1, 9)))
    word = digits if rng.random() < 0.5 else repr(float(rng.normal() * 10.0 ** rng.integers(-320, 300)))
    xml = f'<mujoco><worldbody><body pos="{word} 0 0"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    return run_model(xml, 0, seed)


def meshes(seed):
    """Small OBJ and STL files with strange content."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(4, 12)), 3)).round(int(rng.integers(0, 7)))
    faces = rng.integers(0, len(points), (int(rng.integers(4, 20)), 3))
    if rng.random() < 0.5:
        lines = [f"v {x} {y} {z}" for x, y, z in points]
        if rng.random() < 0.3:
            lines += [f"vt {u:.3f} {v:.3f}" for u, v in rng.random((len(points), 2))]
            lines += [f"f {a + 1}/{a + 1} {b + 1}/{b + 1} {c + 1}/{c + 1}" for a, b, c in faces]
        else:
            lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
        if rng.random() < 0.3:
            at = rng.integers(len(lines))
            lines[at] = lines[at].replace(lines[at].split()[-1], SPECIAL[rng.integers(len(SPECIAL))])
        name, content = "m.obj", "\n".join(lines).encode()
    else:
        content = bytes(80) + struct.pack("<I", len(faces))
        for face in faces:
            content += struct.pack("<12fH", 0, 0, 0, *points[face].ravel(), 0)
        if rng.random() < 0.2:
            content = content[: rng.integers(len(content))]
        name = "m.stl"
    inertia = ["convex", "exact", "legacy", "shell"][rng.integers(4)]
    xml = f"""<mujoco><asset><mesh name="m" file="{name}" inertia="{inertia}"/></asset>
    <worldbody><geom type="plane" size="3 3 1"/><body pos="0 0 1"><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""
    return run_model(xml, 20, seed, {name: content})


PLAIN = (
    "mj_step mj_step1 mj_step2 mj_forward mj_inverse mj_kinematics mj_comPos mj_camlight mj_tendon mj_transmission mj_makeM mj_factorM "
    "mj_fwdPosition mj_fwdVelocity mj_fwdActuation mj_fwdAcceleration mj_fwdConstraint mj_sensorPos mj_sensorVel mj_sensorAcc "
    "mj_energyPos mj_energyVel mj_passive mj_comVel mj_rnePostConstraint mj_subtreeVel mj_resetData mj_setConst mj_collision "
    "mj_invPosition mj_invVelocity mj_invConstraint mj_compareFwdInv"
).split()


def api(seed):
    """A random sequence of calls on both engines."""
    xml = generate.model(seed)
    theirs, ours = judge.load(xml)
    if theirs is None or ours is None:
        return run_model(xml, 0, seed)
    rng = np.random.default_rng(seed)
    d, e = mujoco.MjData(theirs), condyle.MjData(ours)
    pairs = [(mujoco, theirs, d), (condyle, ours, e)]
    for engine, m, data in pairs:
        engine.mj_forward(m, data)
    done = []
    for _ in range(25):
        choice = rng.random()
        if choice < 0.6:
            name = PLAIN[rng.integers(len(PLAIN))]
            for engine, m, data in pairs:
                getattr(engine, name)(m, data)
        elif choice < 0.75:
            name, values = "edit", rng.normal(size=theirs.nq) * 0.1
            for _, _, data in pairs:
                data.qpos[:] += values
                data.qvel[:] = values[: theirs.nv] if theirs.nv <= theirs.nq else 0
        elif choice < 0.85:
            name, body = "jacobian", int(rng.integers(theirs.nbody))
            found = []
            for engine, m, data in pairs:
                jacobian = np.zeros((2, 3, m.nv))
                engine.mj_jacBodyCom(m, data, jacobian[0], jacobian[1], body)
                found.append(jacobian)
            if not judge.same(*found):
                return verdict(xml, f"result of mj_jacBodyCom after {done}")
        elif choice < 0.95:
            name, bit = "flag", 1 << int(rng.integers(19))
            for _, m, _ in pairs:
                m.opt.disableflags ^= bit
        else:
            name, mass = "mass", float(rng.uniform(0.1, 2))
            for engine, m, data in pairs:
                m.body_mass[1] = mass
                engine.mj_setConst(m, data)
        done.append(name)
        where = judge.data(d, e)
        if where:
            return verdict(xml, f"{where} after {' '.join(done[-4:])}")
    return "same", None, xml


KINDS = {"models": models, "mutations": mutations, "api": api, "text": text, "meshes": meshes, "long": long}


def run(kind, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return KINDS[kind](seed)
