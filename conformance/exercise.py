"""What a build with counters runs, so that the compiler knows what to optimise for: see xtask/src/guided.rs.

Every model of the repository takes steps for a moment, alone and in a batch, from its first keyframe and with random controls; so do
larger scenes of the kinds people time: cloth, soft bodies, piles, rows that sleep or fall, crowds, rooms. Pictures are drawn small and large. What
is never run here is laid out for size instead of speed. Nothing is compared, and only the module itself and numpy are needed.
"""

import pathlib
import time

import condyle
import numpy as np

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
SECONDS = 0.3
APART = {"malformed", "extensions"}

CLOTH = """<flexcomp name="cloth" type="grid" count="15 15 1" spacing=".05 .05 .05" dim="2" radius=".005" mass="1" pos="0 0 1">
  <edge equality="true" damping=".01"/><contact selfcollide="none"/></flexcomp><geom size=".3" pos="0 0 .5"/>"""
SHEET = """<flexcomp name="sheet" type="grid" count="12 12 1" spacing=".05 .05 .05" dim="2" radius=".005" mass="1" pos="0 0 1">
  <elasticity young="1e4" poisson=".1" damping=".01" thickness=".01" elastic2d="both"/><contact selfcollide="auto"/></flexcomp>
  <geom type="capsule" size=".2 .4" pos="0 0 .5" euler="90 0 0"/>"""
SHELL = """<flexcomp name="shell" type="ellipsoid" count="9 9 9" spacing=".04 .04 .04" dim="2" radius=".005" mass="1" pos="0 0 .5" dof="trilinear">
  <elasticity young="1e3" poisson=".1" damping=".001" elastic2d="stretch"/><contact selfcollide="none" internal="false"/></flexcomp>
  <geom type="plane" size="2 2 .1"/>"""
SOLID = """<flexcomp name="solid" type="grid" count="5 5 5" spacing=".1 .1 .1" dim="3" radius=".01" mass="5" pos="0 0 .6">
  <elasticity young="1e4" poisson=".2" damping=".001"/><contact selfcollide="none" internal="false"/></flexcomp>
  <geom type="plane" size="2 2 .1"/>"""
BLOCK = """<flexcomp name="block" type="grid" count="8 8 8" spacing=".07 .07 .07" dim="3" radius=".001" mass="5" pos="0 0 .8" dof="trilinear">
  <elasticity young="1e4" poisson=".1" damping=".01"/><contact selfcollide="none" internal="false"/></flexcomp>
  <geom type="capsule" size=".1 .1" condim="1"/><geom type="plane" size="2 2 .1"/>"""
LEAVES = """<geom type="plane" size="5 5 .1"/><replicate count="5" offset="0 0 .2"><replicate count="5" offset=".3 0 0" euler="10 20 30"><body pos="0 0 1">
  <freejoint/><geom type="{shape}" size=".1 .06 .002" mass=".01" fluidshape="ellipsoid"/></body></replicate></replicate>"""
GRAINS = """<geom type="plane" size="5 5 .1"/><replicate count="12" offset="0 0 .12"><replicate count="5" offset=".12 0 0"><replicate count="5" offset="0 .12 0">
  <body pos="0 0 .1"><freejoint/><geom size=".05"/></body></replicate></replicate></replicate>"""
HEAP = """<geom type="plane" size="50 50 .1"/><replicate count="10" offset=".001 .002 .21"><replicate count="10" offset=".22 0 0"><replicate count="10" offset="0 .22 0">
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></replicate></replicate></replicate>"""
PILE = """<geom type="plane" size="5 5 .1"/><replicate count="4" offset="0 0 .35"><replicate count="3" offset=".21 0 0"><body pos="0 0 .2">
  <freejoint/><geom {geom}/></body></replicate></replicate>"""
DOMINOS = """<geom type="plane" size="9 9 .1"/><replicate count="40" offset=".25 0 0"><body pos="0 0 .25"><freejoint/>
  <geom type="box" size=".04 .15 .25"/></body></replicate>"""
PUSHED = DOMINOS + '<body pos="-.2 0 .6" euler="0 35 0"><freejoint/><geom type="box" size=".04 .15 .3"/></body>'
STONE = '<asset><mesh name="stone" vertex="0 0 0  .2 0 0  0 .2 0  .2 .2 0  0 0 .2  .2 0 .2  .05 .2 .2  .15 .15 .22"/></asset>'

#: Larger scenes: options, assets, and what is in the world.
SCENES = (
    ('<option timestep=".002"/>', "", CLOTH),
    ('<option timestep=".002" solver="CG"/>', "", CLOTH),
    ('<option timestep=".001" integrator="implicitfast"/>', "", SHEET),
    ('<option timestep=".002"/>', "", SHELL),
    ('<option timestep=".001" integrator="implicitfast"/>', "", SOLID),
    ('<option timestep=".001" solver="CG" tolerance="1e-6" integrator="implicitfast"/>', "", SHELL.replace("9 9 9", "20 20 20")),
    ('<option timestep=".001" solver="CG" tolerance="1e-6" integrator="implicitfast"/>', "", BLOCK),
    ('<option timestep=".001"/>', "", BLOCK.replace("trilinear", "quadratic")),
    ('<option density="1.2" viscosity="2e-5" integrator="implicitfast"/>', "", LEAVES.format(shape="ellipsoid")),
    ('<option density="1.2" viscosity="2e-5" integrator="implicit"/>', "", LEAVES.format(shape="box")),
    ('<option solver="CG" timestep=".004"/>', "", GRAINS),
    ('<option solver="CG"/>', "", HEAP),
    ("", "", PILE.format(geom='type="box" size=".1 .1 .1"')),
    ('<option solver="CG" cone="elliptic"/>', "", PILE.format(geom='type="capsule" size=".08 .05"')),
    ('<option solver="PGS"/>', "", PILE.format(geom='type="ellipsoid" size=".1 .08 .09"')),
    ("", STONE, PILE.format(geom='type="mesh" mesh="stone"')),
    ('<option><flag sleep="enable"/></option>', "", DOMINOS),
    ('<option><flag sleep="enable"/></option>', "", PUSHED),
    ('<option cone="elliptic"><flag sleep="enable"/></option>', "", PUSHED),
)

#: What is drawn: surfaces with and without textures, mirrors, haze, a height field, shapes of every kind.
GALLERY = """<mujoco>
  <visual><map haze=".3" znear=".01"/><quality shadowsize="2048"/></visual>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".4 .6 .8" rgb2="0 0 0" width="128" height="768"/>
    <texture name="squares" type="2d" builtin="checker" rgb1=".1 .2 .3" rgb2=".2 .3 .4" width="300" height="300" mark="edge"/>
    <texture name="skin" type="cube" builtin="flat" rgb1=".8 .6 .4" mark="random" markrgb="1 1 1" width="64" height="384"/>
    <material name="floor" texture="squares" texrepeat="5 5" texuniform="true" reflectance=".2"/>
    <material name="skin" texture="skin" shininess=".8" specular=".5"/>
    <hfield name="hills" nrow="120" ncol="120" size="8 8 .6 .1" elevation="{heights}"/>
  </asset>
  <worldbody>
    <light directional="true" pos="0 0 6" dir=".3 .2 -1"/><light pos="2 -2 4" dir="-.4 .4 -1" cutoff="50"/>
    {ground}
    <replicate count="6" offset=".7 0 0"><body pos="-2 0 1"><geom type="capsule" size=".1 .2" material="skin"/><geom type="box" size=".1 .2 .1" pos="0 .5 0"/>
      <geom type="sphere" size=".15" pos="0 1 0" material="skin"/><geom type="cylinder" size=".1 .2" pos="0 -.5 0" rgba=".2 .8 .3 .5"/>
      <geom type="ellipsoid" size=".1 .2 .15" pos="0 -1 0" rgba=".9 .2 .2 1"/></body></replicate>
  </worldbody>
</mujoco>"""
FLOOR, HILLS = '<geom type="plane" size="0 0 .1" material="floor"/>', '<geom type="hfield" hfield="hills"/>'


def step(m, d, seconds):
    # Processor time: what is counted must not depend on what else the machine does.
    ends = time.process_time() + seconds
    while time.process_time() < ends:
        condyle.mj_step(m, d, nstep=5)


def draw(model, seconds):
    """Small and large pictures, with and without shadows, mirrors and samples."""
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    model.vis.global_.offwidth, model.vis.global_.offheight = 640, 480
    for samples in (4, 0):
        model.vis.quality.offsamples = samples
        for width, height in ((84, 84), (640, 480)):
            with condyle.Renderer(model, height, width) as renderer:
                out = np.empty((height, width, 3), np.uint8)
                for flag in (condyle.mjtRndFlag.mjRND_SHADOW, condyle.mjtRndFlag.mjRND_REFLECTION):
                    renderer.scene.flags[int(flag)] = samples > 0
                ends = time.process_time() + seconds / 4
                while time.process_time() < ends:
                    renderer.update_scene(data)
                    renderer.render(out=out)


def room(robot, random):
    """A robot among fixed boxes."""
    spec = condyle.MjSpec.from_file(str(MODELS / robot))
    for x, y in random.uniform(-6, 6, (200, 2)):
        spec.worldbody.add_geom(type=condyle.mjtGeom.mjGEOM_BOX, size=[0.1, 0.1, 0.1], pos=[x, y, 0.05])
    m = spec.compile()
    step(m, condyle.MjData(m), 5 * SECONDS)


def crowd(side, random):
    """A square of figures that fall beside each other."""
    figure = condyle.MjSpec.from_file(str(MODELS / "bench" / "figure.xml"))
    whole = condyle.MjSpec()
    for number in range(side * side):
        frame = whole.worldbody.add_frame(pos=[2.0 * (number % side), 2.0 * (number // side), 0])
        whole.attach(figure.copy(), prefix=f"{number}_", frame=frame)
    m = whole.compile()
    d = condyle.MjData(m)
    d.ctrl[:] = random.uniform(-1, 1, m.nu)
    step(m, d, 5 * SECONDS)


def main():
    paths = [path for path in sorted(MODELS.rglob("*.xml")) if not APART & set(path.relative_to(MODELS).parts)]
    random = np.random.default_rng(0)
    run = 0
    for path in paths:
        try:
            m = condyle.MjModel.from_xml_path(str(path))
        except ValueError:
            continue
        if m.nv == 0:
            continue
        d = condyle.MjData(m)
        if m.nkey:
            condyle.mj_resetDataKeyframe(m, d, 0)
        low, high = m.actuator_ctrlrange.T
        low, high = (np.where(m.actuator_ctrllimited, side, given) for side, given in ((low, -1.0), (high, 1.0)))
        d.ctrl[:] = random.uniform(low, high)
        # What is measured most gets most of the time.
        step(m, d, 10 * SECONDS if "bench" in path.parts else SECONDS)
        run += 1
    for option, assets, world in SCENES:
        m = condyle.MjModel.from_xml_string(f"<mujoco>{option}{assets}<worldbody>{world}</worldbody></mujoco>")
        step(m, condyle.MjData(m), 5 * SECONDS)
    crowd(3, random)
    crowd(7, random)
    for robot in ("bench/figure.xml", "robot/quadruped.xml"):
        room(robot, random)
    heights = " ".join(f"{height:.3f}" for height in random.uniform(0, 1, 120 * 120))
    for ground in (FLOOR, HILLS):
        draw(condyle.MjModel.from_xml_string(GALLERY.format(heights=heights, ground=ground)), 10 * SECONDS)
    draw(condyle.MjModel.from_xml_path(str(MODELS / "bench" / "figure.xml")), 10 * SECONDS)
    if not run:
        raise SystemExit(f"no model under {MODELS} could be run")
    m = condyle.MjModel.from_xml_path(str(MODELS / "bench" / "figure.xml"))
    batch = condyle.Batch(m, 16, 1)
    for _ in range(100):
        batch.ctrl[...] = random.uniform(-1, 1, batch.ctrl.shape)
        batch.step(nstep=5)
    print(f"{run} models")


if __name__ == "__main__":
    main()
