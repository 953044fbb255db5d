"""Random sequences of edits of an `MjSpec`, made with Condyle and with MuJoCo: the compiled models have the same arrays, or both refuse.

    python conformance/spec_edits.py --count 10000

MuJoCo runs in child processes, because some sequences crash it; those are counted and left out. "Left over" are sequences where MuJoCo's
result depends on an earlier compilation of the same spec, and without that compilation is ours, or where it keeps bounding volumes from there.
"""

import argparse
import multiprocessing
import random
import sys
import warnings

import numpy as np

CHILDREN = [
    """<mujoco><default><geom density="500"/><default class="soft"><geom solref="0.05 1"/></default></default>
    <asset><material name="red" rgba="1 0 0 1"/></asset>
    <worldbody><site name="top"/><body name="arm" pos="0 0 1"><joint name="elbow" axis="0 1 0" range="-30 30"/>
    <geom name="upper" class="soft" type="capsule" size="0.1" fromto="0 0 0 0 0 1" material="red"/>
    <body name="hand" pos="0 0 1"><joint name="wrist"/><geom size="0.1" name="palm"/><site name="tip"/></body></body></worldbody>
    <actuator><position name="pull" joint="elbow" kp="5"/></actuator>
    <sensor><jointpos name="angle" joint="elbow"/><framepos name="where" objtype="site" objname="tip"/></sensor>
    <keyframe><key name="bent" qpos="0.3 0.1" ctrl="0.2"/></keyframe></mujoco>""",
    """<mujoco><compiler angle="radian"/><worldbody><frame pos="0 1 0" euler="0.2 0 0"><body name="ball"><freejoint name="fly"/>
    <geom name="round" size="0.2"/></body></frame><geom name="floor" type="plane" size="1 1 1"/></worldbody>
    <contact><exclude name="no" body1="world" body2="ball"/></contact></mujoco>""",
    """<mujoco><worldbody><body name="a"><joint name="j1" type="slide"/><geom size="0.1"/><site name="s1"/>
    <body name="b" pos="1 0 0" axisangle="0 0 1 20"><joint name="j2" type="ball"/><geom type="box" size="0.1 0.2 0.3"/><site name="s2" pos="0 0 1"/></body></body></worldbody>
    <tendon><spatial name="rope" limited="true" range="0 2"><site site="s1"/><site site="s2"/></spatial></tendon>
    <equality><weld name="glue" body1="a" body2="b"/></equality><actuator><motor name="m" tendon="rope"/></actuator></mujoco>""",
]


class Editor:
    """The edits of one seed, on one of the two modules."""

    def __init__(self, mj, seed: int):
        self.mj, self.random, self.count = mj, random.Random(seed), 0
        self.spec = mj.MjSpec() if self.random.random() < 0.6 else mj.MjSpec.from_string(self.random.choice(CHILDREN))
        if self.random.random() < 0.3:
            self.spec.copy_during_attach = True
        self.log, self.compilations = [], 0

    def name(self) -> str:
        self.count += 1
        return f"e{self.count}"

    def number(self, low=-1.0, high=1.0) -> float:
        return round(self.random.uniform(low, high), 3)

    def vector(self, size=3):
        return [self.number() for _ in range(size)]

    def pose(self) -> dict:
        values = {"pos": self.vector()}
        kind = self.random.randrange(6)
        if kind < 4:
            name, size = (("euler", 3), ("axisangle", 4), ("zaxis", 3), ("quat", 4))[kind]
            values[name] = self.vector(size)
        elif kind == 4:
            values["xyaxes"] = [1, self.number(), 0, 0, 1, self.number()]
        return values

    def body(self):
        return self.random.choice(self.spec.bodies)

    def holder(self):
        body = self.body()
        frames = body.frames
        return self.random.choice(frames) if frames and self.random.random() < 0.3 else body

    def default(self):
        known = [self.spec.find_default(name) for name in ("c1", "c2", "c3")]
        known = [default for default in known if default is not None]
        return self.random.choice(known) if known and self.random.random() < 0.4 else None

    def one(self, plural: str):
        found = getattr(self.spec, plural)
        return self.random.choice(found) if found else None

    def add_body(self):
        body = self.holder().add_body(name=self.name(), **self.pose())
        if self.random.random() < 0.6:
            body.add_geom(name=self.name(), size=[0.1 + abs(self.number()), 0.2, 0.3])
        if self.random.random() < 0.2:
            body.mass, body.inertia, body.ipos, body.explicitinertial = 2, [1, 1, 1], self.vector(), 1
        if self.random.random() < 0.1:
            body.mocap = 1

    def add_geom(self):
        kind = self.random.choice([2, 3, 4, 5, 6])
        values = {} if self.random.random() < 0.3 else self.pose()
        if kind in (3, 5) and self.random.random() < 0.3:
            values = {"fromto": [*self.vector(), *[2 + v for v in self.vector()]]}
        geom = self.holder().add_geom(
            self.default(), name=self.name(), type=kind, size=[0.1 + abs(self.number()), 0.2, 0.3], **values
        )
        if self.random.random() < 0.3:
            geom.friction[0], geom.condim, geom.group = abs(self.number()), self.random.choice([1, 3, 4, 6]), 2
        if self.random.random() < 0.2:
            geom.mass = abs(self.number()) + 0.1
        if self.random.random() < 0.1:
            geom.rgba = [0.1, 0.2, 0.3, 1]

    def add_joint(self):
        bodies = self.spec.bodies[1:]
        if not bodies:
            return
        joint = self.random.choice(bodies).add_joint(
            self.default(), name=self.name(), type=self.random.choice([1, 2, 3, 3, 3]), axis=self.vector(), pos=self.vector()
        )
        if self.random.random() < 0.4:
            joint.range = sorted(90 * v for v in self.vector(2))
        if self.random.random() < 0.3:
            joint.stiffness, joint.damping, joint.armature = abs(self.number()), abs(self.number()), abs(self.number())

    def add_free(self):
        bodies = [body for body in self.spec.worldbody.bodies if not body.joints]
        if bodies:
            self.random.choice(bodies).add_freejoint(name=self.name())

    def add_site(self):
        self.holder().add_site(self.default(), name=self.name(), size=[0.1], **self.pose())

    def add_camera(self):
        self.holder().add_camera(name=self.name(), fovy=30 + 20 * abs(self.number()), **self.pose())

    def add_light(self):
        self.holder().add_light(name=self.name(), pos=self.vector(), dir=self.vector(), cutoff=30)

    def add_frame(self):
        body = self.body()
        frame = body.add_frame(name=self.name(), **self.pose())
        for kind in ("geoms", "sites", "bodies"):
            parts = getattr(body, kind)
            if parts and self.random.random() < 0.4:
                self.random.choice(parts).set_frame(frame)

    def add_default(self):
        names = [name for name in ("c1", "c2", "c3") if self.spec.find_default(name) is None]
        if names:
            default = self.spec.add_default(names[0], self.default() or self.spec.default)
        else:
            default = self.default() or self.spec.default
        default.geom.solref = [0.01 + abs(self.number()), 1]
        default.joint.damping = abs(self.number())
        default.site.rgba = [1, 0, 0, 1]
        default.actuator.ctrlrange = [-1, 1]

    def add_actuator(self):
        joint, site = self.one("joints"), self.one("sites")
        kinds = self.mj.mjtTrn
        if joint is not None and self.random.random() < 0.8:
            values = {"trntype": kinds.mjTRN_JOINT, "target": joint.name}
        elif site is not None:
            values = {"trntype": kinds.mjTRN_SITE, "target": site.name}
        else:
            values = {"trntype": kinds.mjTRN_JOINT, "target": "nobody"}
        actuator = self.spec.add_actuator(self.default(), name=self.name(), gear=self.vector(6), **values)
        kind = self.random.randrange(5)
        if kind == 0:
            actuator.set_to_motor()
        elif kind == 1:
            actuator.set_to_position(kp=5 + self.number(), kv=0.5)
        elif kind == 2:
            actuator.set_to_velocity(kv=0.5)
        elif kind == 3:
            actuator.set_to_intvelocity(kp=2, timeconst=0.1)
            actuator.actrange = [-1, 1]

    def add_sensor(self):
        obj, sens = self.mj.mjtObj, self.mj.mjtSensor
        joint, site, body = self.one("joints"), self.one("sites"), self.body()
        kind = self.random.randrange(5)
        if kind == 0 and joint is not None:
            values = {"type": sens.mjSENS_JOINTPOS, "objtype": obj.mjOBJ_JOINT, "objname": joint.name}
        elif kind == 1 and site is not None:
            values = {"type": sens.mjSENS_ACCELEROMETER, "objtype": obj.mjOBJ_SITE, "objname": site.name}
        elif kind == 2:
            values = {"type": sens.mjSENS_FRAMEPOS, "objtype": obj.mjOBJ_BODY, "objname": body.name}
        elif kind == 3:
            values = {"type": sens.mjSENS_CLOCK}
        else:
            values = {"type": sens.mjSENS_SUBTREECOM, "objtype": obj.mjOBJ_BODY, "objname": body.name}
        self.spec.add_sensor(name=self.name(), cutoff=abs(self.number()), **values)

    def add_tendon(self):
        joints, sites = self.spec.joints, self.spec.sites
        tendon = self.spec.add_tendon(self.default(), name=self.name(), stiffness=abs(self.number()))
        if len(sites) > 1 and self.random.random() < 0.6:
            for site in self.random.sample(sites, 2):
                tendon.wrap_site(site.name)
        elif joints:
            for joint in self.random.sample(joints, min(2, len(joints))):
                tendon.wrap_joint(joint.name, self.number())

    def add_equality(self):
        bodies = self.spec.bodies
        if len(bodies) < 2:
            return
        first, second = self.random.sample(bodies, 2)
        kind = self.random.choice([self.mj.mjtEq.mjEQ_CONNECT, self.mj.mjtEq.mjEQ_WELD])
        self.spec.add_equality(
            name=self.name(), type=kind, objtype=self.mj.mjtObj.mjOBJ_BODY, name1=first.name, name2=second.name,
            data=[*self.vector(), 0, 0, 0, 1, 0, 0, 0, 1],
        )  # fmt: skip

    def add_contact(self):
        bodies, geoms = self.spec.bodies, self.spec.geoms
        if len(bodies) > 1 and self.random.random() < 0.5:
            first, second = self.random.sample(bodies, 2)
            self.spec.add_exclude(name=self.name(), bodyname1=first.name, bodyname2=second.name)
        elif len(geoms) > 1:
            first, second = self.random.sample(geoms, 2)
            self.spec.add_pair(name=self.name(), geomname1=first.name, geomname2=second.name, condim=3, margin=0.01)

    def add_asset(self):
        kind = self.random.randrange(4)
        if kind == 0:
            texture = self.spec.add_texture(name=self.name(), builtin=self.mj.mjtBuiltin.mjBUILTIN_CHECKER, width=8, height=8)
            texture.type = self.mj.mjtTexture.mjTEXTURE_2D
            material = self.spec.add_material(name=self.name(), rgba=[1, 0.5, 0.25, 1])
            material.textures[1] = texture.name
        elif kind == 1:
            mesh = self.spec.add_mesh(name=self.name(), scale=[1 + abs(self.number())] * 3)
            shape = self.random.randrange(3)
            if shape == 0:
                mesh.make_sphere(subdivision=1)
            elif shape == 1:
                mesh.make_cone(nedge=6, radius=0.5)
            else:
                mesh.uservert = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
            self.body().add_geom(name=self.name(), type=self.mj.mjtGeom.mjGEOM_MESH, meshname=mesh.name)
        elif kind == 2:
            self.spec.add_numeric(name=self.name(), data=self.vector(4), size=5)
            self.spec.add_text(name=self.name(), data="words")
        else:
            body = self.body()
            self.spec.add_tuple(name=self.name(), objtype=[self.mj.mjtObj.mjOBJ_BODY], objname=[body.name], objprm=[1.5])

    def add_key(self):
        self.spec.add_key(name=self.name(), time=abs(self.number()))

    def rename(self):
        element = self.one(self.random.choice(["geoms", "sites", "joints", "bodies", "actuators", "materials"]))
        if element is not None and element.name != "world":
            element.name = self.name()

    def change(self):
        element = self.one("geoms")
        if element is not None:
            element.pos[self.random.randrange(3)] = self.number()
            element.density = 100 + 50 * abs(self.number())
        element = self.one("joints")
        if element is not None:
            element.armature = abs(self.number())
        self.spec.option.timestep = 0.001 + abs(self.number()) / 1000
        self.spec.option.gravity[2] = -9 - abs(self.number())
        # A frame MuJoCo has compiled keeps its orientation, so units are changed before the first compilation only.
        degree = self.random.random() < 0.7
        if not self.compilations:
            self.spec.compiler.degree = degree

    def set_class(self):
        element, default = self.one("geoms"), self.default()
        if element is not None and default is not None:
            element.classname = default

    def delete(self):
        kind = self.random.choice(
            ["geoms", "sites", "joints", "bodies", "bodies", "actuators", "sensors", "tendons", "equalities", "excludes", "pairs",
             "keys", "cameras", "lights", "tuples"]
        )  # fmt: skip
        found = [element for element in getattr(self.spec, kind) if element.name != "world"]
        if found:
            self.spec.delete(self.random.choice(found))

    def attach(self):
        child = self.mj.MjSpec.from_string(self.random.choice(CHILDREN))
        prefix = self.name() + "-"
        kind = self.random.randrange(4)
        site = self.one("sites")
        if kind == 0 and site is not None:
            self.spec.attach(child, prefix=prefix, site=site)
        elif kind == 1:
            self.spec.attach(child, prefix=prefix, suffix="_s", frame=self.body().add_frame(name=self.name(), **self.pose()))
        elif kind == 2 and site is not None:
            site.attach_body(child.bodies[1], prefix=prefix)
        else:
            frame = self.body().add_frame(**self.pose())
            attached = frame.attach_body(child.bodies[1], prefix=prefix)
            attached.pos = self.vector()

    EDITS = (
        [add_body, add_geom] * 5 + [add_joint] * 4 + [add_site, add_frame, add_default, add_actuator, add_sensor, change, delete] * 2
        + [add_free, add_camera, add_light, add_tendon, add_equality, add_contact, add_asset, add_key, rename, set_class, attach]
    )  # fmt: skip

    def edit(self) -> None:
        """One edit; a refusal is part of the log."""
        edit = self.random.choice(self.EDITS)
        try:
            edit(self)
            self.log.append(edit.__name__)
        except (ValueError, TypeError) as error:
            self.log.append(f"{edit.__name__} refused")
            self.last_error = str(error)

    def compiled(self):
        self.compilations += 1
        try:
            return self.spec.compile()
        except ValueError as error:
            return str(error)


def arrays(model, table) -> dict:
    found = {}
    for name in table:
        if name in ("signature",):
            continue
        value = getattr(model, name)
        found[name] = bytes(value) if isinstance(value, bytes) else np.array(value)
    # When it compiles a spec again, MuJoCo leaves numbers of the trees it made before in inner nodes; only leaves have a meaning.
    found["bvh_nodeid"] = np.where(found["bvh_child"][:, 0] < 0, found["bvh_nodeid"], -1)
    found["opt.timestep"], found["signature"] = np.array(model.opt.timestep), np.array(model.signature, dtype=np.uint64)
    return found


def run(mj, seed: int, table, without=()) -> list:
    """What a sequence gives at each compilation: arrays or a refusal, with the log so far. Compilations of the numbers `without` are left out."""
    warnings.simplefilter("ignore")
    editor = Editor(mj, seed)
    results = []
    for number in range(editor.random.randrange(1, 4)):
        for _ in range(editor.random.randrange(3, 18)):
            editor.edit()
        if number in without:
            editor.compilations += 1
            results.append((list(editor.log), None))
            continue
        model = editor.compiled()
        result = model if isinstance(model, str) else arrays(model, table)
        results.append((list(editor.log), result))
        if isinstance(model, str):
            # MuJoCo repeats the problem of the last compilation in later edits.
            break
    return results


def _reference(seeds, table, pipe, without=()):
    import mujoco

    mujoco.set_mju_user_warning(lambda text: None)
    for seed in seeds:
        pipe.send(run(mujoco, seed, table, without))
    pipe.close()


def has_trees_of_nothing(model) -> bool:
    """Whether a body without geoms has bounding volumes: MuJoCo leaves it those of an earlier compilation."""
    return not isinstance(model, str) and bool(((model["body_geomnum"] == 0) & (model["body_bvhnum"] > 0)).any())


def is_left_over(seed: int, ours, theirs, table, at: int, words: str) -> bool:
    """Whether MuJoCo, too, gives our result of a compilation when the spec was not compiled before, or not as often.

    MuJoCo keeps parts of what it compiled in the spec (docs/divergences.md lists which); Condyle compiles as if for the first time.
    """
    if words.startswith("body_bvh") and has_trees_of_nothing(theirs[at][1]):
        return True
    return any(
        _agrees_without(seed, ours, table, at, [number for number in range(at) if choice >> number & 1]) for choice in range(1, 1 << at)
    )


def _agrees_without(seed, ours, table, at, without) -> bool:
    pipe, child_pipe = multiprocessing.Pipe()
    arguments = ([seed], table, child_pipe, without)
    child = multiprocessing.get_context("fork").Process(target=_reference, args=arguments, daemon=True)
    child.start()
    child_pipe.close()
    try:
        theirs = pipe.recv() if pipe.poll(60) else None
    except (EOFError, OSError):
        theirs = None
    child.kill()
    child.join()
    return theirs is not None and len(theirs) > at and difference(ours[at : at + 1], theirs[at : at + 1]) is None


def difference(ours, theirs):
    """The first difference of two results: at which compilation, and in words."""
    for at, ((log, one), (other_log, two)) in enumerate(zip(ours, theirs)):
        if log != other_log:
            first = next((i for i, (a, b) in enumerate(zip(log, other_log)) if a != b), min(len(log), len(other_log)))
            if log[first : first + 1] == ["delete refused"]:
                # MuJoCo does not delete a body when a keyframe does not fit, but does not say so; what follows has no meaning.
                return None
            return at, f"edit {first} differs: {log[first:first + 1]} {other_log[first:first + 1]}"
        if isinstance(one, str) != isinstance(two, str):
            return at, f"ours {one if isinstance(one, str) else 'compiles'}; MuJoCo {two if isinstance(two, str) else 'compiles'}"
        if isinstance(one, str):
            continue
        for name in one:
            if isinstance(one[name], bytes):
                same = one[name] == two[name]
            else:
                same = one[name].shape == two[name].shape and np.array_equal(one[name], two[name], equal_nan=one[name].dtype.kind == "f")
            if not same:
                return at, f"{name} differs: {one[name]!r} {two[name]!r}"[:600]
    return None


def compare(seeds, show: int = 10) -> dict:
    """Compares sequences; counts of what was found."""
    import condyle

    table = [row[0] for row in condyle.MjModel._array_table()]
    counts = {"same": 0, "both refuse": 0, "left over": 0, "differ": 0, "crashed": 0, "panic": 0}
    pending = list(seeds)
    while pending:
        pipe, child_pipe = multiprocessing.Pipe()
        child = multiprocessing.get_context("fork").Process(target=_reference, args=(pending, table, child_pipe), daemon=True)
        child.start()
        child_pipe.close()
        done = 0
        for seed in pending:
            try:
                theirs = pipe.recv() if pipe.poll(60) else None
            except (EOFError, OSError):
                theirs = None
            done += 1
            if theirs is None:
                counts["crashed"] += 1
                child.kill()
                break
            try:
                ours = run(condyle, seed, table)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                counts["panic"] += 1
                print(f"seed {seed}: {type(error).__name__}: {error}")
                continue
            found = difference(ours, theirs)
            if found and is_left_over(seed, ours, theirs, table, *found):
                counts["left over"] += 1
            elif found:
                counts["differ"] += 1
                if counts["differ"] <= show:
                    print(f"seed {seed}: compilation {found[0]}: {found[1]}")
            elif all(isinstance(result, str) for _, result in ours):
                counts["both refuse"] += 1
            else:
                counts["same"] += 1
        child.join(5)
        pending = pending[done:]
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    counts = compare(range(options.first, options.first + options.count), options.show)
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    return 1 if counts["differ"] or counts["panic"] else 0


if __name__ == "__main__":
    sys.exit(main())
