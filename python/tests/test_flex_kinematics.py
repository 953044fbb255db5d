"""Kinematics, equality rows, energies and constants of deformable bodies, to the last bit beside the reference.

Along the motion of our flex models in the reference, both engines compute everything from the same state: positions, boxes, edges and
strains with their Jacobians, rows and islands, energy, forces between bodies and inverse dynamics. Constants are set anew after the
masses were changed.
"""

import pathlib

import mujoco
import numpy as np
import pytest
from conftest import assert_same_fields

import condyle

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "models" / "flex"
MODELS = sorted(FOLDER.glob("*.xml"))
STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
POSITIONS = ("flexvert_xpos", "flexelem_aabb", "bvh_aabb_dyn", "flexedge_length", "flexedge_J", "flexvert_length",
             "flexvert_J", "flexedge_velocity")  # fmt: skip
ROWS = ("efc_type", "efc_id", "efc_pos", "efc_J", "efc_diagApprox", "efc_KBIP", "efc_vel", "efc_aref")
ISLANDS = ("tree_island", "dof_island", "efc_island")
FORCES = ("energy", "cacc", "cfrc_ext", "cfrc_int")
INVERSE = ("qfrc_inverse", "qfrc_constraint")
CONSTANTS = ("flexedge_length0", "flexedge_invweight0", "flexedge_J_rownnz", "flexedge_J_rowadr", "flexedge_J_colind",
             "flexvert_J_rownnz", "flexvert_J_rowadr", "flexvert_J_colind", "flex_vertedgeadr", "flex_vertedgenum",
             "flex_vertedge", "flex_vertmetric", "flex_vert0", "dof_length", "tree_sleep_policy")  # fmt: skip


def name(path):
    return path.stem


def in_both(theirs):
    buffer = np.zeros(mujoco.mj_sizeModel(theirs), np.uint8)
    mujoco.mj_saveModel(theirs, None, buffer)
    return condyle.MjModel.from_binary(buffer.tobytes())


def states(m, count=4, stride=25):
    d = mujoco.MjData(m)
    for _ in range(count):
        state = np.zeros(mujoco.mj_stateSize(m, STATE))
        mujoco.mj_getState(m, d, state, STATE)
        yield state
        mujoco.mj_step(m, d, nstep=stride)


@pytest.mark.parametrize("path", MODELS, ids=name)
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_positions_rows_and_energies_of_flexes(path, jacobian):
    m = mujoco.MjModel.from_xml_path(str(path))
    m.vis.global_.bvactive = 0
    m.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    m.opt.jacobian = getattr(mujoco.mjtJacobian, f"mjJAC_{jacobian.upper()}")
    cm = in_both(m)
    d, cd = mujoco.MjData(m), condyle.MjData(cm)
    for state in states(m):
        mujoco.mj_setState(m, d, state, STATE)
        condyle.mj_setState(cm, cd, state, STATE)
        mujoco.mj_forward(m, d)
        condyle.mj_forward(cm, cd)
        assert_same_fields(cd, d, POSITIONS)
        rows = d.efc_J.size if jacobian == "sparse" else d.nefc * m.nv
        assert np.array_equal(cd.efc_J.ravel()[:rows], d.efc_J.ravel()[:rows])
        assert_same_fields(cd, d, [field for field in ROWS if field != "efc_J"])
        assert cd.nisland == d.nisland
        if d.nisland:
            assert_same_fields(cd, d, ISLANDS)
        mujoco.mj_rnePostConstraint(m, d)
        condyle.mj_rnePostConstraint(cm, cd)
        assert_same_fields(cd, d, FORCES)
        mujoco.mj_inverse(m, d)
        condyle.mj_inverse(cm, cd)
        assert_same_fields(cd, d, INVERSE)


@pytest.mark.parametrize("path", MODELS, ids=name)
def test_constants_of_flexes_set_anew(path):
    m = mujoco.MjModel.from_xml_path(str(path))
    cm = in_both(m)
    factor = 1 + 0.1 * np.random.default_rng(0).uniform(size=m.nbody)
    for model in (m, cm):
        model.body_mass[:] *= factor
        model.body_inertia[:] *= factor[:, None]
        model.flexedge_length0[:] = 7
        model.flexedge_J_rownnz[:] = 0
        model.flex_vertmetric[:] = 0
    mujoco.mj_setConst(m, mujoco.MjData(m))
    condyle.mj_setConst(cm, condyle.MjData(cm))
    assert_same_fields(cm, m, CONSTANTS)
    assert (m.stat.meansize, m.stat.extent) == (cm.stat.meansize, cm.stat.extent)


PINNED = """
<mujoco>
  <option jacobian="{}"/>
  <worldbody>
    <flexcomp name="sheet" type="grid" count="5 5 1" spacing=".1 .1 .1" pos="0 0 1" radius=".01" dim="2" mass="1">
      <edge equality="vert"/>
      <contact internal="false" selfcollide="none"/>
      <pin gridrange="0 0 1 4"/>
    </flexcomp>
  </worldbody>
</mujoco>"""


def test_strain_rows_that_nothing_moves_do_not_stop_the_step():
    with pytest.raises(ValueError, match="mis-allocation"):
        mujoco.MjModel.from_xml_string(PINNED.format("sparse"))
    sparse = condyle.MjModel.from_xml_string(PINNED.format("sparse"))
    data = condyle.MjData(sparse)
    condyle.mj_step(sparse, data)
    assert data.nefc == 40  # five of the 25 vertices are pinned and have pinned neighbours only
    dense = mujoco.MjModel.from_xml_string(PINNED.format("dense"))
    cm = in_both(dense)
    d, cd = mujoco.MjData(dense), condyle.MjData(cm)
    mujoco.mj_forward(dense, d)
    condyle.mj_forward(cm, cd)
    assert_same_fields(cd, d, ("efc_pos", "efc_diagApprox", "efc_R"))
