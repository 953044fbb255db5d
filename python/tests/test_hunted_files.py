"""Files whose reading a hunt found to differ from MuJoCo: each beside the live reference."""

import ctypes
import struct
import warnings
import zlib
from decimal import Decimal

import condyle
import mujoco
import numpy as np
import pytest
from conftest import assert_same_bits

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nvt .5 .5\nf 1/1 3/3 2/2\nf 1/1 2/2 4/4\nf 1/1 4/4 3/3\nf 2/2 3/3 4/4\n"


def _load(engine, xml, assets=None):
    """A model, or None where the engine refuses it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return engine.MjModel.from_xml_string(xml, assets)
        except ValueError:
            return None


def _agree(xml, assets=None, names=""):
    """Both load or both refuse; the arrays named have equal bits. Returns our model."""
    theirs, ours = _load(mujoco, xml, assets), _load(condyle, xml, assets)
    assert (theirs is None) == (ours is None), xml
    if theirs is not None:
        for name in names.split():
            a, b = np.asarray(getattr(theirs, name)), np.asarray(getattr(ours, name))
            assert a.shape == b.shape and ((a == b) | (np.isnan(a) & np.isnan(b))).all(), f"{name}\n{a}\n{b}"
    return ours


def _texture_coordinates(engine, words, name):
    """The first texture coordinates of an OBJ file with these words. Every file has its own name: MuJoCo keeps what it has read."""
    lines = ["v 0 0 0", "v 1 0 0", "v 0 1 0", "v 0 0 1"] + [f"vt {word} 1" for word in words]
    lines += ["f 1/1 3/3 2/2", "f 1/1 2/2 4/4", "f 1/1 4/4 3/3", "f 2/2 3/3 4/4"]
    xml = f"<mujoco><asset><mesh name='m' file='{name}.obj'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
    return engine.MjModel.from_xml_string(xml, {f"{name}.obj": "\n".join(lines).encode()}).mesh_texcoord[:, 0].copy()


WORDS = """nan -nan NAN nanx nan(1) inf -inf infinity infx in 1e39 -1e39 1e308 0x10 0x1p3 0X1.8p-2 0x 0x.8 0xg 0xp3 1e 1e+ 1e- 1e5x . -. +.5
--1 +-1 1.5.5 1,5 5. 1_0 1d2 1e-46 1e-45 7e-46 1e99999999999999999999 0e99999999999999999999 1e-99999999999999999999 0x1p99999 0x1p-149
0x1.8p-150 16777217 1f 1e2.5 00012 -0 - 0x1.00000100000001p0 340282356779733661637539395458142568447
340282356779733661637539395458142568448 1.00000005960464477543 1.00000005960464477546""".split()


def test_numbers_of_obj_files_are_those_of_the_reference():
    words = [*WORDS, "0.1\x0b2", "\x0b1", "\x0c1"]
    theirs, ours = (_texture_coordinates(engine, words, "words") for engine in (mujoco, condyle))
    for word, a, b in zip(words, theirs, ours, strict=True):
        assert np.isnan(a) and np.isnan(b) or (a == b and np.signbit(a) == np.signbit(b)), (word, a, b)


def test_numbers_between_two_singles_are_rounded_as_in_the_reference():
    rng = np.random.default_rng(3)
    words = []
    for _ in range(1500):
        low = np.float32(rng.uniform(0, 10) * 10.0 ** rng.integers(-42, 30))
        middle = (float(low) + float(np.nextafter(low, np.float32(np.inf)))) / 2
        text = format(Decimal(middle), rng.choice(["f", ".17e", ".21e"]))
        words.append(text + rng.choice(["", "1", "0000000000000000001"]) if "e" not in text else text)
    theirs, ours = (_texture_coordinates(engine, words, "middles") for engine in (mujoco, condyle))
    assert_same_bits(ours, theirs)
    # Not simply the nearest single of the nearest double.
    through_double = np.array([np.float32(float(word)) for word in words])
    assert (theirs != through_double).any() and ctypes.sizeof(ctypes.c_longdouble) == 16


@pytest.mark.parametrize("word", ["nan", "inf", "-inf", "1e39", "0x10", "1e", "5"])
def test_vertices_of_obj_files_that_are_no_numbers(word):
    text = TETRAHEDRON.replace("v 0 0 1", f"v 0 0 {word}")
    name = f"vertex{word.encode().hex()}.obj"
    xml = f"<mujoco><asset><mesh name='m' file='{name}' inertia='exact'/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
    _agree(xml, {name: text.encode()}, "mesh_vert mesh_pos body_inertia")


@pytest.mark.parametrize("attribute", ["meaninertia", "meanmass", "meansize", "extent"])
@pytest.mark.parametrize("value", ["nan", "inf", "3"])
def test_statistics_that_are_not_a_number_are_not_given(attribute, value):
    xml = f"<mujoco><statistic {attribute}='{value}'/><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    theirs, ours = _load(mujoco, xml), _load(condyle, xml)
    assert getattr(theirs.stat, attribute) == getattr(ours.stat, attribute)


@pytest.mark.parametrize("value", ["nan nan nan", "nan 0 0", "0 0 nan", "1 2 3"])
def test_a_center_that_starts_with_no_number_is_not_given(value):
    xml = f"<mujoco><statistic center='{value}'/><worldbody><body pos='1 0 0'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    theirs, ours = _load(mujoco, xml), _load(condyle, xml)
    assert_same_bits(ours.stat.center, theirs.stat.center)


@pytest.mark.parametrize("bad", ["nan", "inf"])
@pytest.mark.parametrize(
    "inner",
    [
        "<freejoint/><geom size='.1' mass='{}'/>",
        "<freejoint/><geom class='heavy' size='.1' mass='{}'/>",
        "<freejoint/><geom size='.1' pos='{} 0 0'/>",
        "<freejoint/><inertial pos='{} 0 0' mass='1' diaginertia='1 1 1'/><geom size='.1'/>",
        "<geom size='.1'/><geom type='box' size='.1 .1 .1' pos='0 {} 0'/>",
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><freejoint/><geom size='.1'/><geom size='.1' pos='0 {} 0'/>",
    ],
)
@pytest.mark.parametrize("bound", ["", "<compiler boundmass='1' boundinertia='1'/>"])
def test_masses_and_places_that_are_not_finite(inner, bad, bound):
    xml = f"""<mujoco>{bound}<default><default class='heavy'><geom mass='7'/></default></default>
    <worldbody><body>{inner.format(bad)}</body></worldbody></mujoco>"""
    _agree(xml, None, "body_mass body_inertia body_ipos body_iquat body_sameframe body_simple M_rownnz")


KEYED = """<mujoco><worldbody>
<body mocap="true" pos="4 5 6" quat="0 1 0 0"><geom size=".1"/></body><body mocap="true" pos="7 8 9" quat="0 0 1 0"><geom size=".1"/></body>
<body pos="1 2 3" quat="0 0 0 1"><freejoint/><geom size=".1"/></body><body pos="3 2 3" quat="0 0 0 1"><joint type="ball"/><geom size=".1"/></body>
<body pos="5 2 3"><joint ref="20"/><joint axis="1 0 0"/><geom size=".1"/></body></worldbody>
<keyframe><key name="short" {}="{}"/></keyframe></mujoco>"""


@pytest.mark.parametrize(("attribute", "length"), [("qpos", 13), ("qvel", 11), ("mpos", 6), ("mquat", 8)])
def test_short_keyframes_are_filled_in_as_by_the_reference_with_a_warning(attribute, length):
    for count in range(length + 2):
        xml = KEYED.format(attribute, " ".join(str(i + 1) for i in range(count)))
        _agree(xml, None, "key_qpos key_qvel key_mpos key_mquat")
    with pytest.warns(UserWarning, match=f"{attribute} has 1 of {length} numbers"):
        condyle.MjModel.from_xml_string(KEYED.format(attribute, "1"))


@pytest.mark.parametrize(
    "compiler", ["<compiler discardvisual='true'/>", "<compiler discardvisual='false'/>", "<compiler fusestatic='false'/>"]
)
def test_texture_coordinates_stay_when_what_is_only_seen_is_dropped(compiler):
    xml = f"""<mujoco>{compiler}<asset><mesh name="m" file="kept.obj"/><mesh name="n" vertex="0 0 0 1 0 0 0 1 0 0 0 1" texcoord="0 0 1 0 0 1 1 1"/>
    </asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/><geom type="mesh" mesh="n"/></body></worldbody></mujoco>"""
    names = "mesh_texcoordadr mesh_texcoordnum mesh_texcoord mesh_facetexcoord mesh_vert mesh_face"
    ours = _agree(xml, {"kept.obj": TETRAHEDRON.encode()}, names)
    assert ours.mesh_texcoordadr[0] == 0
    robot = f"""<robot name="r"><mujoco>{compiler}</mujoco><link name="a"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><mesh filename="kept.obj"/></geometry></collision>
    </link></robot>"""
    assert _agree(robot, {"kept.obj": TETRAHEDRON.encode()}, names).mesh_texcoordadr[0] == 0


@pytest.mark.parametrize("discard", ["true", "false"])
@pytest.mark.parametrize(
    "asset",
    [
        "<texture type='2d' builtin='flat' width='8' height='8'/>",
        "<texture name='' type='cube' builtin='flat' width='8' height='8'/>",
        "<texture type='skybox' builtin='flat' width='8' height='8'/>",
        "<texture type='2d' file='missing.png'/>",
        "<material/>",
        "<material name='a'/><material name='a'/>",
        "<material name='a' texture='unknown'/>",
        "<texture name='t' type='2d' builtin='flat' width='8' height='8'/><texture name='t' type='2d' builtin='flat' width='8' height='8'/>",
    ],
)
def test_names_of_textures_are_checked_although_they_are_dropped(asset, discard):
    _agree(f"<mujoco><compiler discardvisual='{discard}'/><asset>{asset}</asset><worldbody><geom size='.1'/></worldbody></mujoco>")


@pytest.mark.parametrize("sensor", ["framepos", "framequat", "framezaxis", "framelinvel", "frameangvel"])
@pytest.mark.parametrize("reference", ["reftype='foo' refname='b'", "reftype='' refname='unknown'", "reftype='foo'", "reftype='joint' refname='j'"])
def test_frame_sensors_with_an_unknown_type_of_reference(sensor, reference):
    xml = f"""<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
    <sensor><{sensor} objtype="body" objname="b" {reference}/></sensor></mujoco>"""
    ours = _agree(xml, None, "sensor_reftype sensor_refid sensor_dim")
    if ours is not None:
        with pytest.warns(UserWarning, match="not an object type"):
            condyle.MjModel.from_xml_string(xml)


def _chunk(kind, body, damage=0):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body) ^ damage)


def _png(extra=b"", colour=2, end=None):
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, colour, 0, 0, 0))
    palette = _chunk(b"PLTE", bytes(6)) if colour == 3 else b""
    rows = bytes(2 * (1 + 2 * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]))
    return b"\x89PNG\r\n\x1a\n" + header + palette + extra + _chunk(b"IDAT", zlib.compress(rows)) + (_chunk(b"IEND", b"") if end is None else end)


def _strange_pictures():
    whole = _png(_chunk(b"gAMA", bytes(4)))
    for length in range(1, len(whole)):
        yield f"cut to {length}", whole[:length]
    for byte in range(len(whole)):
        yield f"byte {byte}", whole[:byte] + bytes([whole[byte] ^ 4]) + whole[byte + 1 :]
    for kind in b"tIME pHYs gAMA cHRM sRGB sBIT bKGD tEXt zTXt iTXt iCCP eXIf cICP mDCV cLLI hIST sPLT abCd AbCd tRNS PLTE IHDR".split():
        for colour in (0, 2, 3, 4, 6):
            for length in (0, 1, 2, 3, 4, 6, 7, 8, 9, 24, 32, 80):
                yield f"{kind} of {length} in colour {colour}", _png(_chunk(kind, bytes([1] * length)), colour)
        yield f"damaged {kind}", _png(_chunk(kind, bytes([1] * 4), 5))
    for place in range(4):
        for byte in b"\0\x12 19@AZ[`az{\x7f\x80\xff":
            yield f"name with {byte} at {place}", _png(_chunk(b"abCd"[:place] + bytes([byte]) + b"abCd"[place + 1 :], b"1"))
    for text in (b"key\0text", b"\0text", b"k" * 79 + b"\0", b"k" * 80 + b"\0x"):
        yield f"text {text}", _png(_chunk(b"tEXt", text))
    yield "long end", _png(end=_chunk(b"IEND", b"abc"))
    yield "more after the end", whole + b"more"


def test_pictures_are_refused_where_the_reference_refuses_them():
    xml = '<mujoco><asset><texture name="t" type="2d" file="p.png"/></asset><worldbody><geom size=".1"/></worldbody></mujoco>'
    # With its cache on, the reference answers for the picture it read under this name before.
    capacity = mujoco.mj_getCacheCapacity(mujoco.mj_getCache())
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    different, refused = [], 0
    try:
        for name, content in _strange_pictures():
            accepted = []
            for engine in (mujoco, condyle):
                try:
                    accepted.append(engine.MjModel.from_xml_string(xml, {"p.png": content}).tex_data.tobytes())
                except ValueError:
                    accepted.append(None)
            refused += accepted[0] is None
            if accepted[0] != accepted[1]:
                different.append(name)
    finally:
        mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), capacity)
    assert not different
    assert refused > 500
