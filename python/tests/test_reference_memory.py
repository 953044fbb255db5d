"""Where MuJoCo reads memory it has not set or does not own, or crashes: what Condyle does instead. Nothing here asks the reference."""

import struct
import zlib

import condyle
import numpy as np
import pytest


def test_touching_vertices_without_normals_read_zero():
    # Three normals per vertex are expected; this mesh has one.
    xml = """<mujoco><asset><mesh name="pad" vertex="-.1 -.1 -.1 .1 -.1 -.1 .1 .1 -.1 -.1 .1 -.1 0 0 .1" normal="0 0 1 0 0 1 0 0 1 0 0 1 0 0 1"/></asset>
    <worldbody><geom name="skin" type="mesh" mesh="pad"/><body pos="0 0 .15"><freejoint/><geom size=".1"/></body></worldbody>
    <sensor><tactile mesh="pad" geom="skin"/></sensor></mujoco>"""
    m = condyle.MjModel.from_xml_string(xml)
    d = condyle.MjData(m)
    condyle.mj_step(m, d, 20)
    assert d.ncon and m.mesh_normalnum[0] < 3 * m.mesh_vertnum[0]
    assert len(d.sensordata) == 3 * m.mesh_vertnum[0] and np.isfinite(d.sensordata).all()


@pytest.mark.parametrize("field", ["qpos", "qvel"])
def test_derivatives_of_a_step_that_resets_are_zero_and_the_state_stays(field):
    m = condyle.MjModel.from_xml_string(
        "<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='.1'/></body></worldbody><actuator><motor joint='j'/></actuator></mujoco>"
    )
    d = condyle.MjData(m)
    d.time = 3.5
    getattr(d, field)[0] = np.nan
    a, b = np.ones((2, 2)), np.ones((2, 1))
    condyle.mjd_transitionFD(m, d, 1e-6, True, a, b, None, None)
    assert not a.any() and not b.any()
    assert np.isnan(getattr(d, field)[0]) and d.time == 3.5


def test_a_mesh_that_no_geom_uses_may_ask_for_its_hull():
    m = condyle.MjModel.from_xml_string(
        "<mujoco><asset><mesh name='m' inertia='convex' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><geom size='.1'/></worldbody></mujoco>"
    )
    assert m.nmesh == 1 and m.mesh_vertnum[0] == 4


@pytest.mark.parametrize(
    "parts",
    [
        ("mujoco.pid", "<joint name='j'/>", "", "<actuator><plugin joint='j' plugin='mujoco.pid' instance='gone'/></actuator>"),
        ("mujoco.pid", "<joint name='j'/>", "", "<actuator><plugin joint='j' instance='gone'/></actuator>"),
        ("mujoco.elasticity.cable", "<joint type='ball'/>", "<plugin instance='gone'/>", ""),
    ],
)
def test_a_missing_plugin_instance_is_an_error(parts):
    name, joint, inner, section = parts
    xml = f"""<mujoco><extension><plugin plugin='{name}'/></extension><worldbody><body>{inner}{joint}<geom size='.1'/></body></worldbody>
    {section}</mujoco>"""
    with pytest.raises(ValueError, match="no plugin is named 'gone'"):
        condyle.MjModel.from_xml_string(xml)


def test_forces_of_rows_are_zero_until_a_solver_has_run():
    m = condyle.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    d = condyle.MjData(m)
    condyle.mj_fwdPosition(m, d)
    assert d.nefc == 4 and not d.efc_force.any()
    force = np.ones(6)
    condyle.mj_contactForce(m, d, 0, force)
    assert not force.any()
    condyle.mj_rnePostConstraint(m, d)
    assert not d.cfrc_ext.any()


def test_a_builtin_texture_of_more_than_two_gigabytes_is_an_error():
    xml = "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='30000' height='30000'/></asset></mujoco>"
    with pytest.raises(ValueError, match="too large"):
        condyle.MjModel.from_xml_string(xml)


@pytest.mark.parametrize("channels", [1, 4])
@pytest.mark.parametrize("kind", ["cube", "skybox"])
def test_cube_textures_have_three_channels(kind, channels):
    rows = b"".join(b"\0" + bytes(12) for _ in range(4))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    png = b"\x89PNG\r\n\x1a\n"
    for name, body in chunks:
        png += struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    xml = "<mujoco><asset><texture name='t' type='{}' file='p.png' nchannel='{}'/></asset></mujoco>"
    assert condyle.MjModel.from_xml_string(xml.format(kind, 3), {"p.png": png}).tex_nchannel[0] == 3
    with pytest.raises(ValueError, match="cube textures need three channels"):
        condyle.MjModel.from_xml_string(xml.format(kind, channels), {"p.png": png})


def test_data_of_models_that_may_sleep_can_be_made():
    xml = """<mujoco><option><flag sleep="enable"/></option><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
    <body pos="0 0 1"><freejoint/><geom size=".1"/><site name="a"/></body><body pos="1 0 1"><joint type="slide"/><geom size=".1"/><site name="b"/></body>
    <composite prefix="k" type="cable" curve="s 0 0" count="4 1 1" size=".5" offset="0 1 .5" initial="ball"><plugin plugin="mujoco.elasticity.cable">
    <config key="bend" value="1e5"/></plugin><joint kind="main" damping=".01"/><geom type="capsule" size=".01"/></composite></worldbody>
    <tendon><spatial damping=".5"><site site="a"/><site site="b"/></spatial></tendon></mujoco>"""
    m = condyle.MjModel.from_xml_string(xml)
    for _ in range(20):
        d = condyle.MjData(m)
        condyle.mj_step(m, d, 3)
        assert (d.tree_asleep < 0).all()
