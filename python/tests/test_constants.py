"""`mj_setConst` after an edit works in the data as the reference does: only `qpos` and what follows from it change."""

import condyle
import mujoco
import pytest
from conftest import assert_same_fields

XML = """
<mujoco>
  <option>%s</option>
  <worldbody>
    <light mode="trackcom"/><camera mode="trackcom"/><camera mode="targetbody" target="b"/>
    <geom type="plane" size="5 5 1"/>
    <body name="m" mocap="true" pos="0 0 3"><geom size=".1" contype="0" conaffinity="0"/></body>
    <body name="b" pos="0 0 .099"><freejoint/><geom size=".1"/><site name="s"/>
      <body pos=".3 0 0"><joint name="h" axis="0 1 0" springref="20" stiffness="1"/><geom size=".05"/><site name="e" pos="0 0 .1"/>
      </body></body>
    <body pos="1 0 .0999" sleep="%s"><freejoint/><geom name="g" type="box" size=".1 .1 .1"/><site name="f"/></body>
    <body name="stuck" pos="2 0 .0999"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <tendon><spatial name="t" stiffness="2"><site site="s"/><site site="e"/></spatial></tendon>
  <equality><connect body1="b" body2="m" anchor="0 0 .2" active="false"/></equality>
  <actuator><position joint="h" kp="3" dampratio="1"/><adhesion body="stuck" ctrlrange="0 1"/>
    <general tendon="t" dyntype="filter" dynprm=".1"/></actuator>
  <sensor><accelerometer site="s"/><framepos objtype="site" objname="e"/></sensor>
</mujoco>
"""


def _pair(flag="", sleep="auto"):
    text = XML % (flag, sleep)
    reference = mujoco.MjModel.from_xml_string(text)
    ours = condyle.MjModel.from_xml_string(text)
    return (reference, mujoco.MjData(reference)), (ours, condyle.MjData(ours))


MODEL = [row[0] for row in condyle.MjModel._array_table() if row[0] not in ("names", "paths", "text_data")]
DATA = (
    "qpos qvel act ctrl qacc_warmstart qfrc_applied xfrc_applied mocap_pos mocap_quat eq_active xpos xquat xipos subtree_com cinert "
    "cdof cam_xpos light_xpos ten_length ten_J qM qLD actuator_length crb qfrc_bias qacc sensordata cvel tree_asleep time geom_xpos "
    "site_xpos energy"
).split()


@pytest.mark.parametrize("sleep", ["auto", "init"])
@pytest.mark.parametrize("flag", ["", '<flag sleep="enable"/>'])
@pytest.mark.parametrize("steps", [0, 1, 40])
def test_new_constants_leave_the_rest_of_the_data_alone(flag, sleep, steps):
    pairs = _pair(flag, sleep)
    for engine, (m, d) in zip((mujoco, condyle), pairs):
        d.ctrl[:] = [0.2, 1.0, 0.4]
        d.qvel[6] = 0.3
        engine.mj_step(m, d, steps) if steps else engine.mj_forward(m, d)
        d.qfrc_applied[3] = 0.5
        d.xfrc_applied[2, 4] = 0.25
        d.mocap_pos[0] = [1, 2, 3]
        m.body_mass[2] = 3.0
        m.qpos0[7] = 0.3
        m.body_gravcomp[3] = 0.5
        engine.mj_setConst(m, d)
    (reference, data), (ours, our_data) = pairs
    assert_same_fields(reference, ours, MODEL, "model")
    assert_same_fields(reference.stat, ours.stat, ["meaninertia", "meanmass", "meansize", "extent", "center"], "stat")
    assert_same_fields(data, our_data, DATA, "data")
    assert ours.ngravcomp == reference.ngravcomp
    for _ in range(5):
        mujoco.mj_step(reference, data)
        condyle.mj_step(ours, our_data)
        assert_same_fields(data, our_data, DATA, "data afterwards")


def test_an_edit_that_cannot_be_used_leaves_the_model_as_it_was():
    text = XML % ('<flag sleep="enable"/>', "init")
    text = text.replace('<site site="e"/></spatial>', '<site site="e"/><site site="f"/></spatial>').replace(' stiffness="2"', "")
    m = condyle.MjModel.from_xml_string(text.replace("<general tendon", "<!--").replace('dynprm=".1"/>', "-->"))
    d = condyle.MjData(m)
    before = m.to_binary()
    m.tendon_stiffness[0] = 2.0
    edited = m.to_binary()
    with pytest.raises(ValueError, match="sleeping not allowed"):
        condyle.mj_setConst(m, d)
    assert m.to_binary() == edited != before
