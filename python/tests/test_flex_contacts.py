"""Contacts of deformable bodies and their constraint rows, to the last bit beside the reference.

Every kind of pair is made to touch: geoms of all types with segments, triangles and tetrahedra, flexes with each other, and flexes
with themselves in every mode. The reference moves; at each visited state both engines detect contacts and build rows.
"""

import copy

import mujoco
import numpy as np
import pytest

import condyle

STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
FIELDS = ("geom", "flex", "elem", "vert", "dim", "dist", "pos", "frame", "includemargin", "friction", "solref",
          "solreffriction", "solimp", "exclude", "efc_address")  # fmt: skip
ROWS = ("efc_type", "efc_id", "efc_pos", "efc_margin", "efc_D", "efc_R", "efc_diagApprox", "efc_KBIP")
SPARSE = ("efc_J", "efc_J_rownnz", "efc_J_rowadr", "efc_J_colind")
HILLS = " ".join(str((7919 * i) % 101 / 100) for i in range(72))
GEOMS = {
    "plane": '<geom type="plane" size="3 3 .1"/>',
    "hfield": '<geom type="hfield" hfield="hills"/>',
    "sphere": '<geom size=".25" pos="0 0 .1"/><geom size=".2" pos=".4 .1 .1"/>',
    "capsule": '<geom type="capsule" size=".15" fromto="-.5 0 .1 .5 .1 .15"/>',
    "ellipsoid": '<geom type="ellipsoid" size=".3 .4 .2"/>',
    "cylinder": '<geom type="cylinder" size=".2 .3" euler="80 0 0"/>',
    "box": '<geom type="box" size=".3 .2 .15" euler="10 20 30"/><geom type="box" size=".1 .1 .25" pos=".4 .3 0"/>',
    "mesh": '<geom type="mesh" mesh="block"/>',
}
COUNTS = {1: "7 1 1", 2: "6 6 1", 3: "4 4 3"}


def flex(name, dim, place, contact="", count=None, more=""):
    elasticity = '<elasticity young="2e3" poisson=".2" damping=".002" thickness=".02"/>' if dim > 1 else ""
    return f"""
    <flexcomp name="{name}" type="grid" count="{count or COUNTS[dim]}" spacing=".12 .12 .12" dim="{dim}" radius=".02"
              mass=".5" {place} {more}>
      <contact {contact}/><edge stiffness="{200 if dim == 1 else 0}" damping=".1"/>{elasticity}
    </flexcomp>"""


def compiled(world, option=""):
    return mujoco.MjModel.from_xml_string(f"""
    <mujoco>
      <option {option}/>
      <size memory="60M"/>
      <asset>
        <hfield name="hills" nrow="8" ncol="9" size="1 1 .3 .2" elevation="{HILLS}"/>
        <mesh name="block" vertex=".3 0 0 -.3 0 0 0 .3 0 0 -.3 0 0 0 .3 0 0 -.3 .2 .2 .2 -.2 .2 .2 .2 -.2 .2
                                   -.2 -.2 .2 .2 .2 -.2 -.2 .2 -.2 .2 -.2 -.2"/>
      </asset>
      <worldbody>{world}</worldbody>
    </mujoco>""")


def three_flexes(contact=""):
    return (
        flex("line", 1, 'pos="-.2 .1 .45" euler="0 10 30"', contact)
        + flex("cloth", 2, 'pos=".1 0 .55" euler="10 0 0"', contact)
        + flex("block", 3, 'pos="0 .1 .75" euler="5 10 0"', contact)
    )


def itself(mode, internal="false"):
    contact = f'selfcollide="{mode}" internal="{internal}" activelayers="1"'
    return (
        GEOMS["plane"]
        + flex("line", 1, 'pos="0 0 .3" euler="0 80 0"', contact, "15 1 1")
        + flex("cloth", 2, 'pos="1 0 .3" euler="0 80 0"', contact)
        + flex("block", 3, 'pos="-1 0 .3"', contact, "4 4 4")
    )


class Pair:
    """A model in both engines."""

    def __init__(self, model):
        self.m = model
        buffer = np.zeros(mujoco.mj_sizeModel(model), np.uint8)
        mujoco.mj_saveModel(model, None, buffer)
        self.cm = condyle.MjModel.from_binary(buffer.tobytes())
        self.d, self.cd = mujoco.MjData(model), condyle.MjData(self.cm)
        self.state = np.zeros(mujoco.mj_stateSize(model, STATE))

    def place(self, data):
        """Both engines to the position stage in the state of `data`."""
        mujoco.mj_getState(self.m, data, self.state, STATE)
        mujoco.mj_setState(self.m, self.d, self.state, STATE)
        condyle.mj_setState(self.cm, self.cd, self.state, STATE)
        mujoco.mj_fwdPosition(self.m, self.d)
        condyle.mj_fwdPosition(self.cm, self.cd)

    def assert_equal(self, what):
        pairs = [(f"contact.{name}", getattr(self.cd.contact, name), getattr(self.d.contact, name)) for name in FIELDS]
        sparse = self.m.opt.jacobian == 1 or (self.m.opt.jacobian == 2 and self.m.nv >= 60)
        rows = ROWS + SPARSE if sparse else ROWS + ("efc_J",)
        pairs += [(name, getattr(self.cd, name), getattr(self.d, name)) for name in rows]
        for name, ours, theirs in pairs:
            ours, theirs = np.ravel(ours), np.ravel(theirs)
            if name == "efc_J":
                theirs = theirs[: ours.size]
            assert ours.shape == theirs.shape, (what, name, ours.size, theirs.size)
            same = np.array_equal(ours.astype(theirs.dtype).view(np.uint8), theirs.view(np.uint8))
            assert same, (what, name, np.flatnonzero(ours != theirs)[:5])


def follow(model, states, stride, change=None):
    """Compare along a motion of the reference; returns all visited contacts as (geom, flex, elem, vert, exclude)."""
    data = mujoco.MjData(model)
    pair = Pair(change(copy.copy(model)) if change else model)
    seen = []
    for index in range(states):
        pair.place(data)
        pair.assert_equal(index)
        contact = pair.d.contact
        seen.append(np.column_stack([contact.geom, contact.flex, contact.elem, contact.vert, contact.exclude]))
        mujoco.mj_step(model, data, nstep=stride)
    return np.concatenate(seen), pair


def on_geoms(kind):
    """A segment, a triangle and a tetrahedron mesh, each above geoms of one type."""
    parts = [GEOMS["plane"] if kind == "plane" else ""]
    for dim in (1, 2, 3):
        if kind != "plane":
            parts.append(f'<body pos="{2 * dim} 0 0">{GEOMS[kind]}</body>')
        parts.append(flex(f"flex{dim}", dim, f'pos="{2 * dim} 0 .5" euler="{5 * dim} 10 {20 * dim}"'))
    if kind not in ("plane", "hfield"):
        parts.append(f'<body pos="6.1 .1 1.1"><freejoint/>{GEOMS[kind]}</body>')
    return compiled("".join(parts))


@pytest.mark.parametrize("kind", [kind for kind in GEOMS if kind != "hfield"])
def test_geoms_touch_vertices_segments_triangles_and_tetrahedra(kind):
    seen, _ = follow(on_geoms(kind), 9, 30)
    of_geom = seen[(seen[:, 0] >= 0) & (seen[:, 3] >= 0)]
    assert set(of_geom[:, 3]) == {0, 1, 2}
    assert ((of_geom[:, 7] >= 0) if kind == "plane" else (of_geom[:, 5] >= 0)).all()


def test_flexes_touch_each_other():
    seen, _ = follow(compiled(GEOMS["plane"] + three_flexes()), 10, 25)
    pairs = {tuple(pair) for pair in seen[seen[:, 2] >= 0][:, 2:4].tolist()}
    assert {(0, 1), (1, 2)} <= pairs


@pytest.mark.parametrize("mode", ["narrow", "bvh", "sap", "auto"])
def test_a_flex_touches_itself(mode):
    seen, _ = follow(compiled(itself(mode, "true")), 9, 45)
    own = seen[(seen[:, 2] >= 0) & (seen[:, 2] == seen[:, 3])]
    elements, internal = own[(own[:, 4] >= 0) & (own[:, 5] >= 0)], own[(own[:, 4] < 0) | (own[:, 5] < 0)]
    assert len(elements) and len(internal)
    none, _ = follow(compiled(itself("none")), 9, 45)
    assert not ((none[:, 2] >= 0) & (none[:, 2] == none[:, 3])).any()


def fields(**values):
    def change(model):
        for name, value in values.items():
            if name.startswith("opt_"):
                setattr(model.opt, name[4:], value)
            else:
                getattr(model, name)[:] = value
        return model

    return change


DISABLE, ENABLE = mujoco.mjtDisableBit, mujoco.mjtEnableBit
CHANGES = {
    "margin and gap": fields(flex_margin=0.01, geom_margin=0.005, body_margin=0.005, flex_gap=0.004),
    "no midphase": fields(opt_disableflags=int(DISABLE.mjDSBL_MIDPHASE)),
    "portal refinement": fields(opt_disableflags=int(DISABLE.mjDSBL_NATIVECCD)),
    "parents collide": fields(opt_disableflags=int(DISABLE.mjDSBL_FILTERPARENT)),
    "several contacts": fields(opt_enableflags=int(ENABLE.mjENBL_MULTICCD)),
    "override": fields(opt_enableflags=int(ENABLE.mjENBL_OVERRIDE), opt_o_margin=0.01),
    "elliptic": fields(opt_cone=1),
    "frictionless": fields(flex_condim=1, geom_condim=1),
    "rolling": fields(flex_condim=6, opt_jacobian=0),
    "priority": fields(flex_priority=[1, 0, 2], flex_friction=[0.3, 0.02, 0.001]),
    "all layers": fields(flex_activelayers=9, flex_selfcollide=1),
    "passive": fields(flex_passive=[0, 1, 0]),
    "other masks": fields(flex_contype=2, flex_conaffinity=1, geom_contype=1, geom_conaffinity=4),
}


@pytest.mark.parametrize("name", CHANGES)
def test_options_and_contact_parameters(name):
    world = GEOMS["plane"] + GEOMS["box"] + f'<body pos=".2 0 .9"><freejoint/>{GEOMS["mesh"]}</body>'
    model = compiled(world + three_flexes('selfcollide="auto" internal="true"'))
    seen, pair = follow(model, 5, 30, CHANGES[name])
    assert len(seen) > 50
    if name == "passive":
        touches_cloth = (seen[:, 2:4] == 1).any(axis=1)
        assert touches_cloth.any() and (seen[touches_cloth, 8] == 4).all()
    if name == "margin and gap":
        assert {0, 1} <= set(seen[:, 8])


def test_rigid_and_interpolated_flexes():
    rigid = flex("rigid", 2, "", "", "3 3 1", 'rigid="true"')
    soft = '<flexcomp name="soft" type="grid" count="5 5 5" spacing=".08 .08 .08" dim="3" radius=".01" mass="1"'
    soft += ' dof="trilinear" pos="0 0 .5"><contact selfcollide="none"/>'
    soft += '<elasticity young="1e4" poisson=".1" damping=".01"/></flexcomp>'
    falling = f'<body name="plate" pos="0 0 .9"><freejoint/><geom type="box" size=".05 .05 .05"/>{rigid}</body>'
    model = compiled(GEOMS["box"] + GEOMS["plane"] + soft + falling, 'integrator="implicitfast"')
    seen, _ = follow(model, 14, 25)
    assert {0, 1} <= set(seen[:, 3])


def test_height_fields_on_elements_do_not_depend_on_what_ran_before():
    model = on_geoms("hfield")
    # The reference's own detector leaves part of the prism unset; portal refinement does not read that part.
    seen, _ = follow(model, 9, 25, fields(opt_disableflags=int(DISABLE.mjDSBL_NATIVECCD)))
    assert set(seen[seen[:, 0] >= 0, 3]) == {0, 1, 2}
    model.opt.disableflags = 0
    first, again = Pair(model), Pair(model)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=120)
    again.place(data)
    mujoco.mj_step(model, data, nstep=20)
    first.place(data)
    again.place(data)
    assert first.cd.ncon > 20
    assert np.array_equal(first.cd.contact.pos, again.cd.contact.pos)


def test_spinning_friction_of_elements_is_the_same_in_dense_and_sparse_storage():
    model = compiled(GEOMS["box"] + flex("cloth", 2, 'pos=".1 0 .3" euler="10 0 0"', 'condim="6"'))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=60)
    jacobians = []
    for storage in (0, 1):
        model.opt.jacobian = storage
        pair = Pair(model)
        pair.place(data)
        jacobian = np.zeros((pair.cd.nefc, model.nv))
        if storage:
            for row in range(pair.cd.nefc):
                entries = slice(pair.cd.efc_J_rowadr[row], pair.cd.efc_J_rowadr[row] + pair.cd.efc_J_rownnz[row])
                jacobian[row, np.ravel(pair.cd.efc_J_colind)[entries]] = np.ravel(pair.cd.efc_J)[entries]
        else:
            pair.assert_equal("dense")
            jacobian[:] = np.reshape(pair.cd.efc_J, jacobian.shape)
        jacobians.append(jacobian)
    assert (pair.cd.contact.elem[:, 1] >= 0).any()
    assert np.array_equal(*jacobians)


def test_interpolated_flexes_in_contact_do_not_stop_the_step():
    world = "".join(
        f'<flexcomp name="soft{i}" type="grid" count="5 5 5" spacing=".08 .08 .08" dim="3" radius=".01" mass="1"'
        f' dof="trilinear" pos="0 0 {0.34 * i}"><contact selfcollide="none"/></flexcomp>'
        for i in range(2)
    )
    pair = Pair(compiled(world, 'jacobian="sparse"'))
    with pytest.raises(mujoco.FatalError, match="mis-allocation"):
        mujoco.mj_forward(pair.m, pair.d)
    condyle.mj_forward(pair.cm, pair.cd)
    assert pair.cd.ncon > 0 and np.isfinite(pair.cd.qacc).all()
    model = compiled(world, 'jacobian="dense"')
    seen, _ = follow(model, 1, 1)
    assert len(seen) == pair.cd.ncon


def test_invalid_vertices_do_not_stop_detection():
    model = compiled(GEOMS["box"] + GEOMS["plane"] + three_flexes('selfcollide="auto" internal="true"'))
    pair = Pair(model)
    for value in (np.nan, np.inf, 1e300, 0.0):
        for start in (0, 7 * 3, 43 * 3):
            condyle.mj_resetData(pair.cm, pair.cd)
            pair.cd.qpos[start : start + 30] = value
            condyle.mj_fwdPosition(pair.cm, pair.cd)
            assert len(condyle.contacts(pair.cm, pair.cd)) == pair.cd.ncon


def test_reports_name_parts_of_flexes():
    model = compiled(GEOMS["plane"] + GEOMS["box"] + three_flexes())
    pair, data = Pair(model), mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=200)
    pair.place(data)
    condyle.mj_forward(pair.cm, pair.cd)
    reports = condyle.contacts(pair.cm, pair.cd)
    assert len(reports) == pair.d.ncon
    for report, contact in zip(reports, pair.d.contact):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_FLEX, contact.flex[1])
        part = f"element {contact.elem[1]}" if contact.elem[1] >= 0 else f"vertex {contact.vert[1]}"
        assert report.geom2 is None and report.geom2_name == f"{name} {part}"
        assert (report.body2 is None) == (contact.elem[1] >= 0)
        assert np.isfinite(report.slip).all() and report.status in str(report)
    assert any(report.body2 is None for report in reports) and any(report.body2 for report in reports)


def test_rays_meet_a_flex_of_the_scene():
    model = compiled(three_flexes())
    pair, data = Pair(model), mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=40)
    pair.place(data)
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(150):
        number = int(rng.integers(3))
        target = pair.d.flexvert_xpos[rng.integers(model.nflexvert)] + 0.03 * rng.normal(size=3)
        away = rng.normal(size=3)
        shown = rng.integers(0, 2, 4).tolist()
        answers = []
        for engine, m, d in ((mujoco, model, pair.d), (condyle, pair.cm, pair.cd)):
            vertex, normal = np.full(1, -7, np.int32), np.ones(3)
            distance = engine.mj_rayFlex(m, d, 0, *shown, number, target + away, -away, vertex, normal)
            answers.append((distance, vertex[0], *normal))
        assert answers[0] == answers[1]
        hits += answers[0][0] >= 0
    assert hits > 30
