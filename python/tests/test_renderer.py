"""Pictures: MuJoCo's Renderer and mjr functions, single pictures and batches."""

import concurrent.futures
import copy
import gc
import struct
import weakref
import zlib

import numpy as np
import pytest

import condyle

XML = """<mujoco><worldbody><light pos="0 0 3"/><camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
<geom type="plane" size="2 2 .1" rgba=".5 .5 .5 1"/>
<body pos="0 0 1"><freejoint/><geom name="red" type="sphere" size=".3" rgba="1 0 0 1"/></body></worldbody></mujoco>"""


@pytest.fixture
def sim():
    model = condyle.MjModel.from_xml_string(XML)
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    return model, data


def test_a_picture_shows_the_sphere_red_in_the_middle(sim):
    rgb = condyle.render(*sim, camera="side", width=64, height=48)
    assert rgb.shape == (48, 64, 3) and rgb.dtype == np.uint8
    red, green, blue = rgb[24, 32].tolist()
    assert red > 60 and green < 0.5 * red and blue < 0.5 * red
    assert rgb._repr_png_().startswith(b"\x89PNG")


def test_depth_is_in_metres_and_segmentation_names_objects(sim):
    depth = condyle.render(*sim, camera="side", width=65, height=65, depth=True)
    assert abs(depth[32, 32] - 2.7) < 1e-2
    seen = condyle.render(*sim, camera="side", width=65, height=65, segmentation=True)
    assert seen[32, 32].tolist() == [1, int(condyle.mjtObj.mjOBJ_GEOM)]
    assert seen[0, 0].tolist() == [-1, -1]


def test_two_pictures_of_a_state_are_equal(sim):
    assert np.array_equal(condyle.render(*sim), condyle.render(*sim))


def test_batches_of_states_and_of_simulations_are_the_single_pictures(sim):
    model, data = sim
    size = condyle.mj_stateSize(model, 8223)
    states = np.zeros((3, size))
    singles = []
    with condyle.Renderer(model, 40, 50) as renderer:
        for row in states:
            data.qpos[2] += 0.2
            condyle.mj_getState(model, data, row, 8223)
            condyle.mj_forward(model, data)
            renderer.update_scene(data, "side")
            singles.append(renderer.render())
    for nthread in (1, 2, 5):
        batch = condyle.render_batch(model, states, "side", (40, 50), nthread=nthread)
        assert np.array_equal(batch, singles)
    other = condyle.MjData(model)
    found = condyle.render_batch(model, [other, data], ["side", "side"], (40, 50), depth=True, segmentation=True)
    assert np.array_equal(found["rgb"][1], singles[-1])
    assert found["depth"].shape == (2, 40, 50) and found["segmentation"].shape == (2, 40, 50, 2)


TEXTURED = """<mujoco><asset><texture name="t" type="2d" builtin="flat" rgb1="1 0 0" width="8" height="8"/>
<material name="m" texture="t"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 .1" elevation="0 0 0 1"/></asset>
<worldbody><light pos="0 0 3"/><geom type="plane" size="0 0 .1" material="m"/><geom type="hfield" hfield="h"/>
<body name="ball" pos="0 0 1"><freejoint/><geom size=".3"/></body></worldbody></mujoco>"""


def test_pictures_show_the_model_as_it_is_now():
    model = condyle.MjModel.from_xml_string(TEXTURED)
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)

    def change_texture():
        model.tex_data[:] = 255 - model.tex_data

    def change_heights():
        model.hfield_data[:] = 1 - model.hfield_data

    def change_fog():
        model.vis.map.fogstart = 0.1

    def change_divisions():
        model.vis.quality.numslices = 5

    def change_length():
        model.stat.extent = 1.5 * model.stat.extent

    def pictures(model):
        flags = {condyle.mjtRndFlag.mjRND_FOG: True}
        one = condyle.render(model, data, width=60, height=40, flags=flags)
        return one, condyle.render_batch(model, [data, data], size=(40, 60), flags=flags, nthread=2)

    before = pictures(model)[0]
    for change in (change_texture, change_heights, change_fog, change_divisions, change_length):
        change()
        one, batch = pictures(model)
        fresh, fresh_batch = pictures(copy.deepcopy(model))
        assert not np.array_equal(one, before), change.__name__
        assert np.array_equal(one, fresh) and np.array_equal(batch, fresh_batch), change.__name__
        assert np.array_equal(batch[1], one), change.__name__
        before = one
    assert np.array_equal(condyle.render(model, data, width=60, height=40), condyle.render(copy.deepcopy(model), data, width=60, height=40))


def test_what_is_kept_for_the_next_picture_goes_with_the_model(sim):
    model, data = condyle.MjModel.from_xml_string(XML), sim[1]
    for width in (20, 21, 22, 23):
        condyle.render(model, data, width=width, height=10)
        condyle.render_batch(model, [data], size=(10, width))
    assert len(condyle.renderer._idle[model]) == 2
    seen = weakref.ref(model)
    del model
    gc.collect()
    assert seen() is None


def test_pictures_from_many_threads_are_those_of_one(sim):
    model, data = sim
    cameras = [-1, "side"]
    expected = [condyle.render(model, data, camera=camera, width=60, height=40) for camera in cameras]

    def draw(number):
        camera = cameras[number % 2]
        batch = condyle.render_batch(model, [condyle.MjData(model)], camera, (40, 60), nthread=2)
        return condyle.render(model, data, camera=camera, width=60, height=40), batch.shape

    with concurrent.futures.ThreadPoolExecutor(6) as threads:
        for number, (picture, shape) in enumerate(threads.map(draw, range(60))):
            assert np.array_equal(picture, expected[number % 2]) and shape == (1, 40, 60, 3)


def test_a_batch_draws_its_simulations_as_they_are(sim):
    model, _ = sim
    singles = []
    data = condyle.MjData(model)
    for height in range(4):
        data.qpos[2] = 1 + 0.2 * height
        condyle.mj_forward(model, data)
        singles.append(condyle.render(model, data, "side", width=50, height=40))
    for nthread in (1, 2, 8):
        batch = condyle.Batch(model, 4, nthread)
        batch.qpos[:, 2] = 1 + 0.2 * np.arange(4)
        before = batch.state.copy()
        assert np.array_equal(batch.render("side", (40, 50)), singles)
        assert np.array_equal(batch.render("side", (40, 50), ids=[2, 0]), [singles[2], singles[0]])
        found = batch.render(["side"] * 4, (40, 50), depth=True, segmentation=True)
        assert np.array_equal(found["rgb"], singles) and found["depth"].shape == (4, 40, 50)
        assert np.array_equal(batch.state, before)
        alone = condyle.Batch(model, 4, nthread)
        alone.qpos[:] = batch.qpos
        alone.expand("geom_rgba")[2, 1] = 0, 1, 0, 1
        pictures = alone.render("side", (40, 50), depth=True)
        assert np.array_equal(pictures["rgb"][[0, 1, 3]], [singles[0], singles[1], singles[3]])
        assert not np.array_equal(pictures["rgb"][2], singles[2])
        assert np.array_equal(pictures["depth"], found["depth"])
        with pytest.raises(ValueError, match="2 cameras for 4 pictures"):
            batch.render(["side", "side"])


def test_wrong_arguments_are_refused_with_a_reason(sim):
    model, data = sim
    with pytest.raises(ValueError, match='The camera "none" does not exist.'):
        condyle.render(model, data, camera="none")
    with pytest.raises(ValueError, match=r"out of range \[-1, 1\)"):
        condyle.render(model, data, camera=4)
    with pytest.raises(ValueError, match="Image width 900 > framebuffer width 640"):
        condyle.Renderer(model, 100, 900)
    with pytest.raises(ValueError, match="numbers, got 3"):
        condyle.render_batch(model, np.zeros((2, 3)))
    for width, height in ((0, 4), (4, -1), (16385, 4), (2**40, 2)):
        message = f"a picture cannot have {width} by {height} pixels\n  help: pictures have 1 to 16384 pixels along each side"
        with pytest.raises(ValueError, match=message):
            condyle.render(model, data, width=width, height=height)
        with pytest.raises(ValueError, match=message):
            condyle.render_batch(model, [data], size=(height, width))
    for size in ((4, 2.5), (4, "4"), (float("nan"), 4)):
        with pytest.raises(TypeError):
            condyle.render_batch(model, [data], size=size)
        with pytest.raises(TypeError):
            condyle.render(model, data, width=size[0], height=size[1])
    for camera in (None, [], b"side"):
        with pytest.raises(TypeError, match="a camera is a number, a name or an MjvCamera"):
            condyle.render(model, data, camera)
    with pytest.raises(TypeError, match="pictures are written to an array, not to str"):
        condyle.render_batch(model, [data], out="x")
    renderer = condyle.Renderer(model)
    renderer.close()
    with pytest.raises(RuntimeError, match="render cannot be called after close."):
        renderer.render()


def test_contexts_can_be_freed_twice_and_referred_to_weakly(sim):
    context = condyle.MjrContext(sim[0], condyle.mjtFontScale.mjFONTSCALE_150)
    assert (context.offWidth, context.charHeight, context.offSamples) == (640, 28, 4)
    seen = weakref.ref(context)
    context.free()
    context.free()
    assert context.offWidth == 0
    del context
    gc.collect()
    assert seen() is None


def test_text_rectangles_figures_and_auxiliary_pictures_change_pixels(sim):
    context = condyle.MjrContext(sim[0], 100)
    whole = condyle.MjrRect(0, 0, 200, 100)
    pixels = np.zeros((100, 200, 3), np.uint8)

    def changed():
        before = pixels.copy()
        condyle.mjr_readPixels(pixels, None, whole, context)
        return (before != pixels).any()

    condyle.mjr_rectangle(whole, 0, 0, 0.5, 1)
    assert changed()
    condyle.mjr_overlay(0, 0, whole, b"time", "1.5", context)
    assert changed()
    condyle.mjr_text(2, "big", context, 0.5, 0.1, 1, 1, 1)
    assert changed()
    condyle.mjr_label(condyle.MjrRect(10, 10, 80, 30), 0, "ok", 1, 0, 0, 1, 1, 1, 1, context)
    assert changed()
    figure = condyle.MjvFigure()
    condyle.mjv_defaultFigure(figure)
    condyle.mjr_figure(whole, figure, context)
    assert changed()
    condyle.mjr_addAux(0, 50, 50, 0, context)
    condyle.mjr_setAux(0, context)
    condyle.mjr_rectangle(condyle.MjrRect(0, 0, 50, 50), 0, 1, 0, 1)
    condyle.mjr_restoreBuffer(context)
    condyle.mjr_blitAux(0, condyle.MjrRect(0, 0, 50, 50), 20, 20, context)
    assert changed()
    with pytest.raises(condyle.FatalError, match="Invalid aux buffer index"):
        condyle.mjr_setAux(99, context)


def test_a_picture_is_saved_as_png(tmp_path):
    model = condyle.MjModel.from_xml_string("<mujoco><worldbody><light pos='0 0 3'/><geom size='.3' rgba='1 0 0 1'/></worldbody></mujoco>")
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    picture = condyle.render(model, data, width=40, height=30)
    picture.save(tmp_path / "ball.png")
    content = (tmp_path / "ball.png").read_bytes()
    assert content.startswith(b"\x89PNG") and struct.unpack(">II", content[16:24]) == (40, 30)
    start = content.index(b"IDAT")
    (length,) = struct.unpack(">I", content[start - 4 : start])
    rows = np.frombuffer(zlib.decompress(content[start + 4 : start + 4 + length]), np.uint8).reshape(30, 121)
    np.testing.assert_array_equal(rows[:, 1:].reshape(30, 40, 3), picture)
    with pytest.raises(ValueError, match="only colours"):
        condyle.render(model, data, width=40, height=30, depth=True).save(tmp_path / "depth.png")


LAMP = """<mujoco><visual><headlight ambient="0 0 0" diffuse="0 0 0" specular="0 0 0"/><map fogstart="1" fogend="3"/><rgba fog="0 0 1 1"/></visual>
<statistic extent="1" center="0 0 0"/>
<worldbody><light pos="0 0 3" dir="0 0 -1" directional="true" ambient="0 0 0"/>
<geom type="box" size=".5 .5 .01" pos="-.5 0 1" rgba=".1 .1 .1 1"/></worldbody></mujoco>"""


def line_colours(**flags):
    """Colours of a line that lies half in the shadow of a box, seen from the side: in the shadow and in the light."""
    model = condyle.MjModel.from_xml_string(LAMP)
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    with condyle.Renderer(model, 65, 65) as renderer:
        camera = condyle.MjvCamera()
        camera.distance, camera.elevation, camera.azimuth = 2.0, 0.0, 90.0
        renderer.update_scene(data, camera)
        scene = renderer.scene
        line = scene.geoms[scene.ngeom]
        white = np.array([0.25, 0.25, 0.25, 1], np.float32)
        condyle.mjv_initGeom(line, condyle.mjtGeom.mjGEOM_LINE, np.zeros(3), np.zeros(3), np.eye(3).ravel(), white)
        condyle.mjv_connector(line, condyle.mjtGeom.mjGEOM_LINE, 4, np.array([-0.8, 0, 0]), np.array([0.8, 0, 0]))
        scene.ngeom += 1
        for name, value in flags.items():
            scene.flags[getattr(condyle.mjtRndFlag, f"mjRND_{name}")] = value
        picture = renderer.render()
    return picture[32, 20].tolist(), picture[32, 44].tolist()


def test_lines_are_brighter_where_a_lamp_with_shadows_shines_on_them():
    assert line_colours() == ([64] * 3, [128] * 3)
    assert line_colours(SHADOW=0) == ([64] * 3, [64] * 3)


def test_lines_fade_in_fog():
    # Half way through the fog, whose colour takes no part in what a lamp adds.
    dark, bright = line_colours(FOG=1)
    assert dark == [32, 32, 32 + 127]
    assert bright == [64, 64, 64 + 127]


def test_edges_alone_have_the_colours_along_them_and_mirror_images_on_lines_only():
    model = condyle.MjModel.from_xml_string("""<mujoco><asset>
    <texture name="t" type="2d" builtin="flat" mark="edge" markrgb="1 1 1" rgb1="0 0 0" width="64" height="64"/>
    <material name="m" texture="t" texuniform="true" reflectance=".5"/></asset>
    <worldbody><light pos="0 0 3"/><geom type="plane" size="1 1 .5" material="m"/>
    <geom type="box" size=".2 .2 .2" pos="0 0 .5" rgba="1 0 0 1"/></worldbody></mujoco>""")
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)

    def draw(**values):
        flags = {getattr(condyle.mjtRndFlag, f"mjRND_{name}"): value for name, value in values.items()}
        return condyle.render(model, data, width=160, height=120, flags=flags)

    picture = draw(WIREFRAME=1, SHADOW=0)
    # Lines of the floor lie on the white marks of its texture.
    assert (picture.min(axis=2) > 60).sum() > 150
    # The mirror image shows on the lines of the floor only.
    more = (draw(WIREFRAME=1, SHADOW=0, REFLECTION=0) != picture).any(axis=2).sum()
    assert more < 0.2 * (draw(SHADOW=0, REFLECTION=0) != draw(SHADOW=0)).any(axis=2).sum()
