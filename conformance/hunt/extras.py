"""Rarer parts of random models: deformable bodies, meshes, height fields, plugins, mocap bodies, keyframes, muscles, copies, frames.

Each function takes the writer of `generate` and returns text for a section; assets come as files.
"""

import images


def assets(writer):
    """Meshes and a height field, by chance; sets the names bodies may use."""
    out = []
    writer.meshes, writer.hfields, writer.files = [], [], {}
    if writer.chance(0.25):
        count = int(writer.rng.integers(4, 12))
        points = writer.numbers(3 * count, 0.15)
        inertia = writer.pick(["convex", "exact", "legacy", "shell"])
        out.append(f'<mesh name="m0" vertex="{points}" inertia="{inertia}"/>')
        writer.meshes.append("m0")
    if writer.chance(0.15):
        kind, params = writer.pick([("sphere", "1"), ("hemisphere", "2"), ("cone", "6 .3"), ("wedge", "6 6 30 40 .2"), ("plate", "4 5")])
        out.append(f'<mesh name="m1" builtin="{kind}" params="{params}" scale=".1 .15 .1"/>')
        writer.meshes.append("m1")
    if writer.chance(0.15):
        rows, columns = int(writer.rng.integers(2, 7)), int(writer.rng.integers(2, 7))
        heights = " ".join(f"{x:.3g}" for x in writer.rng.random(rows * columns))
        out.append(f'<hfield name="h0" nrow="{rows}" ncol="{columns}" elevation="{heights}" size="2 2 .2 .1"/>')
        writer.hfields.append("h0")
    if writer.chance(0.1):
        writer.files["t.png"] = images.random_png(writer.rng)[0]
        out.append('<texture name="t0" type="2d" file="t.png"/><material name="a0" texture="t0"/>')
    return f"<asset>{''.join(out)}</asset>" if out else ""


def world(writer):
    """Bodies of other kinds: mocap, a cable, cloth, copies in frames."""
    out = []
    if writer.hfields:
        out.append('<geom type="hfield" hfield="h0"/>')
    if writer.chance(0.15):
        writer.mocaps.append("c0")
        inner = '<body pos=".1 0 .1"><geom size=".05"/></body>' if writer.chance(0.3) else ""
        out.append(f'<body name="c0" mocap="true" pos="{writer.numbers(3, 0.5)}"><geom size=".06"/>{inner}</body>')
    if writer.chance(0.12):
        out.append(_cloth(writer))
    if writer.chance(0.1):
        out.append(_cable(writer))
    if writer.chance(0.15):
        joint = writer.pick(["<freejoint/>", '<joint axis="0 1 0" damping=".1"/>', '<joint type="slide" axis="0 0 1" stiffness="20"/>'])
        copy = f'<body pos="0 0 .{writer.rng.integers(2, 9)}">{joint}<geom type="capsule" size=".04 .08" euler="{writer.numbers(3, 30)}"/></body>'
        out.append(f'<replicate count="{writer.rng.integers(2, 4)}" offset=".3 .1 0" euler="0 0 20">{copy}</replicate>')
    if writer.chance(0.1):
        out.append(f'<frame pos="{writer.numbers(3, 0.3)}" euler="{writer.numbers(3, 30)}"><body><joint/><geom type="box" size=".1 .05 .02"/></body></frame>')
    return "".join(out)


def _cloth(writer):
    dim = int(writer.pick([1, 2, 2, 3]))
    count = {1: "5 1 1", 2: "3 4 1", 3: "3 2 2"}[dim]
    inner = []
    if writer.chance(0.5):
        inner.append(f'<edge equality="{writer.pick(["true", "false"])}" damping="{writer.pick([0, 0.01])}"/>')
    elif dim > 1:
        inner.append(f'<elasticity young="{writer.pick(["1e3", "1e4"])}" poisson=".2" damping=".001" thickness=".01"/>')
    contact = f'selfcollide="{writer.pick(["none", "auto", "bvh"])}" internal="false"' if dim > 1 else 'selfcollide="none" internal="false"'
    inner.append(f'<contact {contact} condim="{writer.pick([1, 3])}"/>')
    if writer.chance(0.4):
        inner.append('<pin id="0"/>')
    freedom = f'dof="{writer.pick(["full", "radial", "trilinear"])}"' if dim == 3 and writer.chance(0.3) else ""
    return (
        f'<flexcomp name="f0" type="grid" dim="{dim}" count="{count}" spacing=".1 .1 .1" mass=".5" radius=".01" {freedom} '
        f'pos="{writer.numbers(2, 0.2)} .6">{"".join(inner)}</flexcomp>'
    )


def _cable(writer):
    writer.extensions.add("mujoco.elasticity.cable")
    ends = writer.pick(["free", "ball", "none"])
    return (
        f'<composite prefix="k" type="cable" curve="s 0 0" count="{writer.rng.integers(4, 8)} 1 1" size=".5" offset="0 1 .5" initial="{ends}">'
        f'<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="{writer.pick(["1e4", "1e6"])}"/>'
        '<config key="bend" value="1e5"/></plugin><joint kind="main" damping=".01"/><geom type="capsule" size=".01" density="300"/></composite>'
    )


def actuators(writer):
    """Muscles on spatial tendons and a PID plugin."""
    out = []
    for tendon in writer.tendon_names[:1]:
        if writer.chance(0.4):
            out.append(f'<muscle tendon="{tendon}" lengthrange=".05 .8" force="{writer.pick([5, 50])}"/>')
        elif writer.chance(0.3):
            out.append(f'<position tendon="{tendon}" kp="{writer.pick([1, 30])}"/>')
    if writer.scalars and writer.chance(0.1):
        writer.extensions.add("mujoco.pid")
        config = "".join(f'<config key="{key}" value="{value}"/>' for key, value in (("kp", 3), ("ki", 0.5), ("kd", 0.1)))
        out.append(f'<plugin plugin="mujoco.pid" joint="{writer.pick(writer.scalars)}" actdim="1">{config}</plugin>')
    if writer.bodies and writer.chance(0.1):
        out.append(f'<adhesion body="{writer.pick(writer.bodies)}" ctrlrange="0 1" gain="5"/>')
    return "".join(out)


def keyframes(writer):
    """Keyframes, complete or not."""
    if not writer.chance(0.25):
        return ""
    out = [f'<key name="k0" time="{writer.pick([0, 1.5])}"/>']
    if writer.chance(0.5):
        out.append(f'<key name="k1" qpos="{writer.numbers(int(writer.rng.integers(1, 4)))}"/>')
    if writer.mocaps and writer.chance(0.5):
        out.append(f'<key mpos="{writer.numbers(3)}"/>')
    return f"<keyframe>{''.join(out)}</keyframe>"


def excludes(writer):
    if len(writer.bodies) > 1 and writer.chance(0.1):
        return f'<contact><exclude body1="{writer.bodies[0]}" body2="{writer.bodies[1]}"/></contact>'
    return ""


def extension(writer):
    plugins = "".join(f'<plugin plugin="{name}"/>' for name in sorted(writer.extensions))
    return f"<extension>{plugins}</extension>" if plugins else ""
