"""Passive forces of deformable bodies, their derivatives and the integrators, to the last bit beside the reference."""

import mujoco
import numpy as np
import pytest
from conftest import assert_same_bits

import condyle

STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
DISABLE, ENABLE = mujoco.mjtDisableBit, mujoco.mjtEnableBit
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
FORCES = ("flexvert_xpos", "flexedge_length", "flexedge_velocity", "flexedge_J", "qfrc_spring", "qfrc_damper", "qfrc_fluid",
          "qfrc_gravcomp", "qfrc_passive", "qfrc_bias", "qacc_smooth", "qacc")
ALONE = '<contact selfcollide="none" internal="false"/>'
PUSHES = '<contact selfcollide="none" internal="false" passive="true" condim="{}" margin=".01"/>'
SOLID = '<elasticity young="2e3" poisson=".2" damping=".01"/>'
HINGE, FREE = '<joint axis="1 2 3" damping=".1"/>', "<freejoint/>"
SLIDES = '<joint type="slide" axis="0 1 0"/><joint type="slide" axis="1 0 0"/><joint type="slide"/>'


def shell(kind, damping=0.01):
    return f'<elasticity young="1e3" poisson=".2" damping="{damping}" thickness=".02" elastic2d="{kind}"/>'


def flex(inside, dim=3, count=None, dof="full", name="f", pos="0 0 .3", type_="grid", extra=""):
    count = count or {1: "6 1 1", 2: "4 3 1", 3: "3 3 3"}[dim]
    if dof in ("trilinear", "quadratic"):
        count = {"trilinear": "4 3 4", "quadratic": "7 6 6"}[dof]
        inside += "" if "<contact" in inside else ALONE
    return (f'<flexcomp name="{name}" type="{type_}" dim="{dim}" count="{count}" spacing=".1 .1 .1" dof="{dof}" radius=".01" '
            f'mass="1" pos="{pos}" {extra}>{inside}</flexcomp>')


def on_body(joints, inside):
    return f'<body name="carrier" pos="0 0 1" euler="10 20 30">{joints}<geom size=".05"/>{inside}</body>'


def interpolated(dofs):
    """A flex between eight bodies with the given numbers of sliders, where the reference takes all for having three."""
    grid = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{flex(SOLID, dof='trilinear')}</worldbody></mujoco>")
    size = np.array([0.3, 0.2, 0.3])
    bodies = ""
    for node, number in enumerate(dofs):
        place = " ".join(map(str, size * [node >> 2 & 1, node >> 1 & 1, node & 1]))
        joints = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1")[:number])
        bodies += f'<body name="n{node}" pos="{place}">{joints}<geom size=".02"/></body>'
    vertices, elements = (grid.flex_vert0 * size).ravel(), grid.flex_elem
    return (f'{bodies}</worldbody><deformable><flex name="f" dim="3" node="{" ".join(f"n{i}" for i in range(8))}" '
            f'body="{" ".join(["world"] * grid.nflexvert)}" vertex="{" ".join(map(str, vertices))}" '
            f'element="{" ".join(map(str, elements))}">{SOLID}{ALONE}</flex></deformable><worldbody>')


MODELS = {
    "segments": flex('<edge stiffness="100" damping=".5"/><pin id="0"/>', 1),
    "segments on a moving body": on_body(FREE, flex('<edge stiffness="100" damping=".5"/><pin id="0 3"/>', 1)),
    "triangles that bend": flex(shell("bend"), 2),
    "triangles that stretch": flex(shell("stretch") + '<edge damping=".2"/>', 2),
    "triangles that do both": flex(shell("both") + '<edge damping=".2"/>', 2),
    "curved triangles": flex(shell("both"), 2, "3 3 3", type_="ellipsoid"),
    "triangles pinned to a hinge": on_body(HINGE, flex(shell("stretch") + '<pin id="0 1 5"/>', 2)),
    "triangles pinned to sliders": on_body(SLIDES, flex(shell("both") + '<pin id="0 1 5"/>', 2)),
    "tetrahedra": flex(SOLID),
    "tetrahedra pinned to a free body": on_body(FREE, flex(SOLID + '<pin id="0 1"/>')),
    "radial": on_body(FREE, flex(SOLID + '<edge damping=".3"/>', 3, "4 4 4", "radial", type_="ellipsoid")),
    "trilinear": flex(SOLID, dof="trilinear"),
    "trilinear on a hinge": on_body(HINGE, flex(SOLID + '<pin id="0 3"/>', dof="trilinear")),
    "trilinear surface": flex(shell("none"), 2, dof="trilinear", type_="box"),
    "two trilinear": flex(SOLID, dof="trilinear") +
                     flex('<elasticity young="1e3" damping=".3"/>', dof="trilinear", name="g", pos="1 0 0"),
    "quadratic": flex(SOLID, dof="quadratic"),
    "quadratic on a free body": on_body(FREE, flex(SOLID + '<pin id="0 1 2"/>', dof="quadratic")),
    "all kinds": flex(SOLID, dof="trilinear") + flex(SOLID, name="g") + flex(shell("both") + '<edge damping=".1"/>', 2, name="h"),
    "rigid": flex(SOLID, extra='rigid="true"') + on_body(HINGE, ""),
    "nodes on static bodies": interpolated([0, 3, 3, 2, 0, 0, 0, 0]),
    "nodes with few dofs": interpolated([3, 3, 3, 3, 1, 1, 1, 1]),
    "nodes with few dofs and a gap": interpolated([0, 3, 3, 1, 0, 0, 0, 0]),
}


class Pair:
    """A model and its data in both engines."""

    def __init__(self, world, integrator=0, disable=0, enable=0, option=""):
        self.m = mujoco.MjModel.from_xml_string(f"<mujoco><option {option}/><worldbody>{world}</worldbody></mujoco>")
        self.m.opt.integrator, self.m.opt.disableflags, self.m.opt.enableflags = integrator, disable, enable
        buffer = np.zeros(mujoco.mj_sizeModel(self.m), np.uint8)
        mujoco.mj_saveModel(self.m, None, buffer)
        self.cm = condyle.MjModel.from_binary(buffer.tobytes(), reference_bugs=True)
        self.d, self.cd = mujoco.MjData(self.m), condyle.MjData(self.cm)

    def strain(self, seed, size=0.004):
        """A random state near the first."""
        rng = np.random.default_rng(seed)
        mujoco.mj_resetData(self.m, self.d)
        self.d.qvel[:] = 0.1 * rng.normal(size=self.m.nv)
        mujoco.mj_integratePos(self.m, self.d.qpos, size * rng.normal(size=self.m.nv), 1.0)
        state = np.zeros(mujoco.mj_stateSize(self.m, STATE))
        mujoco.mj_getState(self.m, self.d, state, STATE)
        condyle.mj_resetData(self.cm, self.cd)
        condyle.mj_setState(self.cm, self.cd, state, STATE)

    def both(self, function, *results, before=(), after=()):
        """Call a function of both modules, with fresh result arrays after `before`, and compare the results."""
        ours, theirs = [np.zeros(shape) for shape in results], [np.zeros(shape) for shape in results]
        getattr(mujoco, function)(self.m, self.d, *before, *theirs, *after)
        getattr(condyle, function)(self.cm, self.cd, *before, *ours, *after)
        for index, (a, b) in enumerate(zip(ours, theirs)):
            assert_same_bits(a, b, f"{function} result {index}", any_nan=True)

    def compare(self, names):
        for name in names:
            assert_same_bits(getattr(self.cd, name), getattr(self.d, name), name, any_nan=True)

    def steps(self, count):
        for _ in range(count):
            self.both("mj_step")
            self.compare(("qpos", "qvel", "qacc_warmstart", "energy"))
            if self.m.opt.integrator >= 2:
                self.compare(("qDeriv",))


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", MODELS)
def test_forces_and_steps(name, integrator):
    for disable in (0, DISABLE.mjDSBL_SPRING, DISABLE.mjDSBL_DAMPER, DISABLE.mjDSBL_SPRING | DISABLE.mjDSBL_DAMPER):
        pair = Pair(MODELS[name], INTEGRATORS[integrator], int(disable | DISABLE.mjDSBL_CONTACT), int(ENABLE.mjENBL_ENERGY))
        for seed in range(2):
            pair.strain(seed)
            pair.both("mj_forward")
            pair.compare(FORCES)
            pair.steps(2)


@pytest.mark.parametrize("integrator", ("Euler", "implicit", "implicitfast"))
@pytest.mark.parametrize("name", [name for name in MODELS if "quadratic" not in name and name != "all kinds"])
def test_derivatives_and_inverse(name, integrator):
    discrete = int(ENABLE.mjENBL_INVDISCRETE)
    pair = Pair(MODELS[name], INTEGRATORS[integrator], int(DISABLE.mjDSBL_CONTACT), discrete, 'density="5" viscosity=".2"')
    pair.strain(3)
    pair.both("mj_forward")
    nv = pair.m.nv
    pair.d.qacc[:] = pair.cd.qacc[:] = np.random.default_rng(4).normal(size=nv)
    pair.both("mj_inverse")
    pair.compare(("qfrc_inverse", "qacc"))
    pair.both("mjd_transitionFD", (2 * nv, 2 * nv), before=(1e-6, 0), after=(None, None, None))


@pytest.mark.parametrize("jacobian", ("dense", "sparse"))
@pytest.mark.parametrize("condim", (1, 3, 6))
def test_contacts_that_push_by_themselves(jacobian, condim):
    contact = PUSHES.format(condim)
    scene = ('<geom type="plane" size="2 2 .1"/><geom size=".1" pos="0 0 .05"/>'
             '<body pos=".2 0 .4"><freejoint/><geom type="box" size=".1 .1 .1"/></body>')
    worlds = (
        flex(SOLID + contact, pos="0 0 .12"),
        flex(SOLID + contact, dof="trilinear", pos="0 0 .15"),
        flex(shell("both") + contact, 2, pos="0 0 .12") + flex(shell("both"), 2, name="g", pos=".05 .02 .13"),
        flex('<edge stiffness="100" damping="1"/>' + contact, 1, pos="0 0 .15"),
    )
    for world in worlds:
        for disable in (0, int(DISABLE.mjDSBL_SPRING)):
            pair = Pair(scene + world, 3, disable, option=f'jacobian="{jacobian}"')
            pair.strain(5)
            pair.both("mj_forward")
            assert (pair.d.contact.exclude == 4).any()
            assert_same_bits(pair.cd.contact.exclude, pair.d.contact.exclude, "exclude", any_nan=True)
            pair.compare(FORCES)
            pair.steps(2)


def test_interpolated_bodies_are_integrated_differently_while_another_body_sleeps():
    box = '<geom type="plane" size="5 5 .1"/><body pos="2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
    for integrator in (2, 3):
        pair = Pair(box + flex(SOLID, dof="trilinear", pos="0 0 3"), integrator, 0, int(ENABLE.mjENBL_SLEEP))
        pair.strain(0, 0.0)
        pair.steps(20)
        assert pair.d.nv_awake == pair.m.nv
        while pair.d.nv_awake == pair.m.nv:
            assert pair.d.time < 2
            pair.steps(1)
        pair.steps(5)


def test_invalid_positions_are_passed_on():
    for name in ("triangles that do both", "tetrahedra", "trilinear", "quadratic"):
        for value in (np.nan, np.inf, 1e200):
            pair = Pair(MODELS[name], 3, int(DISABLE.mjDSBL_CONTACT))
            pair.strain(1)
            pair.d.qpos[4] = pair.cd.qpos[4] = value
            pair.both("mj_forward")
            pair.compare(("qfrc_spring", "qfrc_damper", "qfrc_passive"))
            pair.both("mj_step")
            pair.compare(("qpos", "qvel"))
