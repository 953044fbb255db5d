"""Random models: a seed becomes MJCF text that mixes elements, options and flags, and the files it needs."""

import extras
import numpy as np

FLAGS = (
    "constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart filterparent actuation refsafe sensor "
    "midphase eulerdamp nativeccd island energy fwdinv invdiscrete multiccd sleep override"
).split()
RARE_OFF = {"constraint", "contact", "actuation", "sensor", "gravity"}
ENABLED = {"energy", "fwdinv", "invdiscrete", "multiccd", "sleep", "override"}


class Writer:
    """Text of one model, with the names other sections may refer to."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.bodies, self.joints, self.scalars, self.sites, self.geoms, self.limited = [], [], [], [], [], []
        self.meshes, self.hfields, self.mocaps, self.tendon_names = [], [], [], []
        self.files, self.extensions, self.wrapping = {}, set(), []

    def numbers(self, count, scale=1.0, round_to=3):
        return " ".join(f"{x:.{round_to}g}" for x in self.rng.normal(size=count) * scale)

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, values):
        return values[self.rng.integers(len(values))]

    def option(self):
        flags = []
        for flag in FLAGS:
            share = 0.02 if flag in RARE_OFF else 0.12
            if self.chance(share):
                flags.append(f'{flag}="{"enable" if flag in ENABLED else "disable"}"')
        attributes = [
            f'timestep="{self.pick([0.0005, 0.002, 0.005, 0.01])}"',
            f'integrator="{self.pick(["Euler", "RK4", "implicit", "implicitfast"])}"',
            f'solver="{self.pick(["Newton", "CG", "PGS"])}"',
            f'cone="{self.pick(["pyramidal", "elliptic"])}"',
            f'jacobian="{self.pick(["auto", "dense", "sparse"])}"',
        ]
        if self.chance(0.2):
            attributes.append(f'density="{self.pick([1.2, 1000])}" viscosity="{self.pick([0, 0.01])}" wind="{self.numbers(3)}"')
        if self.chance(0.2):
            attributes.append(f'noslip_iterations="{self.rng.integers(1, 5)}"')
        if self.chance(0.2):
            attributes.append(f'impratio="{self.pick([0.5, 2, 10])}"')
        return f"<option {' '.join(attributes)}><flag {' '.join(flags)}/></option>"

    def geom(self):
        kind = self.pick(["sphere", "capsule", "box", "cylinder", "ellipsoid", "sphere", "box"])
        name = f"g{len(self.geoms)}"
        self.geoms.append(name)
        if kind in ("sphere", "cylinder"):
            self.wrapping.append(name)
        size = " ".join(f"{x:.3g}" for x in self.rng.uniform(0.03, 0.2, 3))
        extra = ""
        if self.chance(0.3):
            extra += f' condim="{self.pick([1, 3, 4, 6])}"'
        if self.chance(0.2):
            extra += f' friction="{self.pick([0, 0.3, 1])} .01 .001"'
        if self.chance(0.2):
            extra += f' margin="{self.pick([0.01, 0.05])}" gap="{self.pick([0, 0.02])}"'
        if self.chance(0.1):
            extra += ' fluidshape="ellipsoid"'
        if self.chance(0.15):
            extra += f' solref="{self.pick(["0.01 1", "0.05 0.5", "-500 -20"])}"'
        shape = f'type="{kind}" size="{size}"'
        if self.meshes and self.chance(0.3):
            self.wrapping = [known for known in self.wrapping if known != name]
            shape = f'type="{self.pick(["mesh", "mesh", "box", "capsule"])}" mesh="{self.pick(self.meshes)}"'
        return f'<geom name="{name}" {shape} pos="{self.numbers(3, 0.1)}" euler="{self.numbers(3, 40)}"{extra}/>'

    def joint(self, kinds):
        kind = self.pick(kinds)
        name = f"j{len(self.joints)}"
        self.joints.append(name)
        if kind != "ball":
            self.scalars.append(name)
        extra = f' axis="{self.numbers(3)}"' if kind != "ball" else ""
        if self.chance(0.3):
            extra += f' stiffness="{self.pick([0.5, 5, 50])}"'
        if self.chance(0.4):
            extra += f' damping="{self.pick([0.1, 1])}"'
        if self.chance(0.2):
            extra += f' frictionloss="{self.pick([0.1, 1])}"'
        if self.chance(0.2):
            extra += f' armature="{self.pick([0.01, 0.1])}"'
        if self.chance(0.3):
            extra += ' range="0 60"' if kind == "ball" else ' range="-40 50"'
            if kind != "ball":
                self.limited.append(name)
        return f'<joint name="{name}" type="{kind}" pos="{self.numbers(3, 0.05)}"{extra}/>'

    def body(self, depth):
        name = f"b{len(self.bodies)}"
        self.bodies.append(name)
        extra = f' gravcomp="{self.pick([0.5, 1])}"' if self.chance(0.1) else ""
        inner = [self.geom() for _ in range(self.rng.integers(1, 3))]
        if depth == 0 and self.chance(0.5):
            inner.insert(0, "<freejoint/>")
        else:
            # Nothing that turns may follow a ball.
            count = self.pick([0, 1, 1, 1, 2])
            kinds = ["hinge", "slide"] + (["ball"] if count == 1 else [])
            inner[:0] = [self.joint(kinds) for _ in range(count)]
        if self.chance(0.7):
            site = f"s{len(self.sites)}"
            self.sites.append(site)
            inner.append(f'<site name="{site}" pos="{self.numbers(3, 0.1)}" euler="{self.numbers(3, 40)}"/>')
        if self.chance(0.1):
            inner.append(f'<camera mode="{self.pick(["fixed", "track", "trackcom"])}" pos="{self.numbers(3)}"/>')
        if self.chance(0.1):
            inner.append(f'<light mode="{self.pick(["fixed", "trackcom"])}"/>')
        while depth < 4 and self.chance(0.45):
            inner.append(self.body(depth + 1))
        height = f"{self.rng.uniform(0.1, 0.8):.3g}" if depth == 0 else f"{self.rng.normal() * 0.2:.3g}"
        return f'<body name="{name}" pos="{self.numbers(2, 0.3)} {height}" euler="{self.numbers(3, 30)}"{extra}>{"".join(inner)}</body>'

    def tendons(self):
        out = []
        if len(self.sites) >= 2 and self.chance(0.4):
            chosen = self.rng.permutation(self.sites)[: self.rng.integers(2, 4)]
            extra = f' stiffness="{self.pick([0, 5])}" damping="{self.pick([0, 0.5])}"'
            if self.chance(0.3):
                extra += ' range="0 .3" limited="true"'
            path = [f'<site site="{s}"/>' for s in chosen]
            if self.chance(0.3):
                path.insert(1, f'<geom geom="{self.pick(self.wrapping)}"/>' if self.wrapping else '<pulley divisor="2"/>')
                if not self.wrapping:
                    path += [f'<site site="{s}"/>' for s in chosen[:2]]
                    path.insert(0, f'<site site="{chosen[0]}"/>')
            out.append(f'<spatial name="t0"{extra}>' + "".join(path) + "</spatial>")
        if self.scalars and self.chance(0.3):
            inner = "".join(f'<joint joint="{j}" coef="{self.numbers(1)}"/>' for j in self.scalars[:3])
            out.append(f'<fixed name="t1" frictionloss="{self.pick([0, 0.2])}">{inner}</fixed>')
        self.tendon_names = [f"t{k}" for k in (0, 1) if any(f'name="t{k}"' in text for text in out)]
        return f"<tendon>{''.join(out)}</tendon>"

    def actuators(self):
        out = []
        for _ in range(self.rng.integers(0, 5)):
            kinds = ["motor", "position", "velocity", "general", "muscle", "damper", "intvelocity"]
            kind = self.pick(kinds)
            if self.scalars and self.chance(0.7):
                target = f'joint="{self.pick(self.scalars)}"'
            elif self.sites and kind != "muscle":
                target = f'site="{self.pick(self.sites)}" gear="{self.numbers(6)}"'
            else:
                continue
            extra = {
                "position": f' kp="{self.pick([1, 20])}" kv="{self.pick([0, 1])}"',
                "velocity": ' kv="1"',
                "general": f' dyntype="{self.pick(["none", "filter", "integrator", "filterexact"])}" dynprm="0.1" gainprm="2"',
                "muscle": ' lengthrange=".1 1"',
                "damper": ' kv="1" ctrlrange="0 1"',
                "intvelocity": ' kp="3" actrange="-1 1"',
            }.get(kind, "")
            if kind in ("motor", "position", "velocity") and self.chance(0.3):
                extra += ' ctrlrange="-1 1" forcerange="-2 2"'
            if kind in ("motor", "position") and self.chance(0.15):
                extra += ' nsample="4" delay=".006"'
            out.append(f"<{kind} {target}{extra}/>")
        out.append(extras.actuators(self))
        return f"<actuator>{''.join(out)}</actuator>"

    def sensors(self):
        out = []
        at_site = "accelerometer velocimeter gyro force torque magnetometer rangefinder touch".split()
        for kind in self.rng.permutation(at_site)[: self.rng.integers(0, 5)]:
            if self.sites:
                extra = ' nsample="3" delay=".004"' if self.chance(0.15) else ""
                extra += ' cutoff="5"' if self.chance(0.1) else ""
                out.append(f'<{kind} site="{self.pick(self.sites)}"{extra}/>')
        for kind, among in (("jointpos", self.scalars), ("jointvel", self.scalars), ("jointlimitpos", self.limited)):
            if among and self.chance(0.3):
                out.append(f'<{kind} joint="{self.pick(among)}"/>')
        for kind in ("framepos", "framequat", "framelinvel", "frameangacc", "framexaxis"):
            if self.chance(0.3):
                out.append(f'<{kind} objtype="body" objname="{self.pick(self.bodies)}"/>')
        for kind in ("subtreecom", "subtreelinvel", "subtreeangmom"):
            if self.chance(0.2):
                out.append(f'<{kind} body="{self.pick(self.bodies)}"/>')
        if len(self.geoms) > 1 and self.chance(0.3):
            out.append(f'<distance geom1="{self.geoms[0]}" geom2="{self.geoms[-1]}" cutoff="2"/>')
        return f"<sensor>{''.join(out)}</sensor>"

    def equalities(self):
        out = []
        if len(self.bodies) > 1 and self.chance(0.3):
            out.append(f'<{self.pick(["connect", "weld"])} body1="{self.bodies[0]}" body2="{self.bodies[-1]}" anchor="0 0 .1"/>')
        if len(self.scalars) > 1 and self.chance(0.3):
            out.append(f'<joint joint1="{self.scalars[0]}" joint2="{self.scalars[1]}" polycoef="0 {self.numbers(1)} .1 0 0"/>')
        return f"<equality>{''.join(out)}</equality>"

    def model(self):
        assets = extras.assets(self)
        trees = "".join(self.body(0) for _ in range(self.rng.integers(1, 4))) + extras.world(self)
        sections = [self.tendons(), self.actuators(), self.sensors(), self.equalities(), extras.excludes(self)]
        floor = '<geom name="floor" type="plane" size="3 3 1"/>' if self.chance(0.8) else ""
        if self.chance(0.2) and len(self.geoms) > 1:
            sections.append(f'<contact><pair geom1="{self.geoms[0]}" geom2="{self.geoms[-1]}" condim="{self.pick([1, 3, 4, 6])}"/></contact>')
        sections.append(extras.keyframes(self))
        head = f"{self.option()}{extras.extension(self)}{assets}"
        return f"<mujoco>{head}<worldbody>{floor}{trees}</worldbody>{''.join(sections)}</mujoco>"


def model_and_files(seed):
    """MJCF text and files for a seed."""
    writer = Writer(seed)
    return writer.model(), writer.files


def model(seed):
    """MJCF text for a seed."""
    return model_and_files(seed)[0]
