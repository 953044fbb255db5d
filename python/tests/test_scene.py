"""The abstract scene beside MuJoCo: classes, functions, errors, and the bits of scenes of some models."""

import copy
import pathlib
import sys
import weakref

import mujoco
import numpy as np
import pytest

import condyle

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "conformance"))
import scenes  # noqa: E402

XML = """
<mujoco>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="side" pos="0 -2 1" xyaxes="1 0 0 0 .5 1"/>
    <geom type="plane" size="0 0 1"/>
    <body name="box" pos="0 0 1"><freejoint/><geom name="cube" type="box" size=".1 .2 .3"/></body>
  </worldbody>
</mujoco>
"""
CLASSES = ["MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom", "MjvLight", "MjvOption", "MjvPerturb", "MjvScene"]
# One model of each kind of element.
MODELS = [
    "actuator", "constraint", "contact", "flex", "flexcomp", "passive", "sensor", "tendon", "transmission",
]


@pytest.fixture
def simulation():
    model = condyle.MjModel.from_xml_string(XML)
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    scene, camera = condyle.MjvScene(model, 100), condyle.MjvCamera()
    condyle.mjv_defaultFreeCamera(model, camera)
    condyle.mjv_updateScene(model, data, condyle.MjvOption(), None, camera, 7, scene)
    return model, data, scene, camera


def public(value):
    return [name for name in dir(value) if not name.startswith("_")]


def sample(folder):
    """Models of a folder, two of them, that MuJoCo accepts and that have no plugins."""
    found = []
    for path in sorted((ROOT / "models" / folder).glob("*.xml")):
        try:
            m = mujoco.MjModel.from_xml_path(str(path))
        except ValueError:
            continue
        if m.nplugin == 0 and m.nv < 200:
            found.append(path)
        if len(found) == 2:
            break
    return found


@pytest.mark.parametrize("folder", MODELS)
def test_scenes_have_the_bits_of_mujoco(folder):
    mujoco.set_mju_user_warning(lambda message: None)
    paths = sample(folder)
    assert paths
    for path in paths:
        result = scenes.grade(str(path), states=2, picks=50)
        assert result["requests"] > 60, path
        assert not result["differences"], (path, result["differences"])


@pytest.mark.parametrize("name", CLASSES)
def test_classes_have_the_attributes_types_and_defaults_of_mujoco(name):
    ours, theirs = getattr(condyle, name)(), getattr(mujoco, name)()
    assert public(ours) == public(theirs)
    for field in public(theirs):
        a, b = getattr(ours, field), getattr(theirs, field)
        if isinstance(b, tuple):
            assert len(a) == len(b)
            continue
        assert type(a) is type(b), field
        if isinstance(b, np.ndarray):
            assert (a.dtype, a.shape) == (b.dtype, b.shape), field
        assert np.array_equal(a, b), field


@pytest.mark.parametrize("name", CLASSES)
def test_fields_stand_on_their_classes(name):
    theirs, ours = getattr(mujoco, name), getattr(condyle, name)
    assert set(public(theirs)) <= set(public(ours))
    for field in public(theirs):
        assert getattr(ours, field).__doc__, field
    assert len(dir(ours())) == len(set(dir(ours())))


@pytest.mark.parametrize("name", [name for name in CLASSES if name not in ("MjvFigure", "MjvScene")])
def test_records_show_themselves_compare_and_copy_as_those_of_mujoco(name):
    ours, theirs = getattr(condyle, name), getattr(mujoco, name)
    assert repr(ours()) == repr(theirs())
    assert ours() == ours()
    field = next(field for field in public(theirs()) if isinstance(getattr(theirs(), field), (int, float)))
    changed = ours()
    setattr(changed, field, 1 - getattr(changed, field))
    assert changed != ours()
    assert copy.copy(changed) == changed and copy.deepcopy(changed) == changed
    with pytest.raises(TypeError):
        hash(changed)


@pytest.mark.parametrize("name", CLASSES)
def test_classes_can_be_subclassed_with_constructors_of_their_own(name):
    class Extended(getattr(condyle, name)):
        def __init__(self, label, *rest):
            super().__init__()
            self.own = label

    extended = Extended("x", object())
    assert extended.own == "x"
    assert weakref.ref(extended)() is extended
    with pytest.raises(TypeError):
        getattr(condyle, name)("not an argument")
    with pytest.raises(AttributeError):
        getattr(condyle, name)().no_such_field = 1


def test_a_subclass_finds_the_elements_of_its_base(simulation):
    # As dm_control has it: a property of the same name over what the base has.
    class Scene(condyle.MjvScene):
        @property
        def geoms(self):
            return super().geoms[: super().ngeom]

    model, data = simulation[:2]
    scene = Scene(model, 100)
    camera = condyle.MjvCamera()
    condyle.mjv_updateScene(model, data, condyle.MjvOption(), condyle.MjvPerturb(), camera, condyle.mjtCatBit.mjCAT_ALL, scene)
    assert len(scene.geoms) == scene.ngeom > 0
    scene.ngeom = 1
    assert len(scene.geoms) == 1


def test_every_function_of_mujoco_is_there():
    names = [name for name in dir(mujoco) if name.startswith("mjv_")]
    assert len(names) == 28
    assert [name for name in names if not callable(getattr(condyle, name, None))] == []


def test_elements_are_live_and_outlive_their_scene(simulation):
    _, _, scene, _ = simulation
    geom = scene.geoms[1]
    position = geom.pos
    position[0] = 5
    assert scene.geoms[1].pos[0] == 5
    assert scene.geoms is scene.geoms and scene.geoms[1] is geom
    scene.ngeom += 1
    condyle.mjv_initGeom(scene.geoms[scene.ngeom - 1], 2, [0.1, 0, 0], np.zeros(3), np.eye(3).flatten(), np.ones(4))
    assert scene.geoms[scene.ngeom - 1].type == 2
    scene.flags[0] = 0
    other = copy.copy(scene)
    other.geoms[1].pos[0] = 7
    assert (scene.geoms[1].pos[0], other.geoms[1].pos[0], other.flags[0]) == (5, 7, 0)
    del scene, other, simulation
    assert geom.pos[0] == 5 and position[0] == 5


def test_values_that_do_not_fit_are_refused():
    geom, camera = condyle.MjvGeom(), condyle.MjvCamera()
    geom.label = "x" * 99
    with pytest.raises(ValueError, match=r"len\(label\) cannot exceed 99: got length 150"):
        geom.label = "x" * 150
    for value in ("a", 1.5, 2**40):
        with pytest.raises(TypeError):
            camera.type = value
    with pytest.raises(TypeError):
        geom.transparent = 300
    with pytest.raises(ValueError):
        camera.lookat = [1, 2]
    camera.lookat = [1, 2, 3]
    assert camera.lookat.tolist() == [1, 2, 3]
    figure = condyle.MjvFigure()
    figure.linename[3] = b"abc"
    figure.title = "title"
    assert (figure.linename[3], figure.title) == (b"abc", "title")


def test_errors_are_those_of_mujoco(simulation):
    model, data, *_ = simulation
    m = mujoco.MjModel.from_xml_string(XML)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)

    def message(engine, call):
        objects = (model, data) if engine is condyle else (m, d)
        with pytest.raises(engine.FatalError) as raised:
            call(engine, *objects, engine.MjvScene(objects[0], 10), engine.MjvCamera())
        return str(raised.value)

    def camera(kind):
        def call(engine, model, data, scene, camera):
            camera.type = kind
            engine.mjv_updateCamera(model, data, camera, scene)
        return call

    def steered(call):
        def wrapped(engine, model, data, scene, camera):
            engine.mjv_updateCamera(model, data, camera, scene)
            call(engine, model, data, scene, camera)
        return wrapped

    def small(engine, model, data, scene, camera):
        scene.scale = 0
        engine.mjv_room2model(np.zeros(3), np.zeros(4), np.zeros(3), np.zeros(4), scene)

    calls = [
        lambda engine, model, data, scene, camera: engine.mjv_connector(engine.MjvGeom(), 6, 0.1, np.zeros(3), np.ones(3)),
        lambda engine, model, data, scene, camera: engine.mjv_makeLights(model, data, scene),
        lambda engine, model, data, scene, camera: engine.mjv_frustumHeight(scene),
        lambda engine, model, data, scene, camera: engine.mjv_cameraInRoom(np.zeros(3), np.zeros(3), np.zeros(3), scene),
        camera(1), camera(2), camera(7), small,
        steered(lambda engine, model, data, scene, camera: engine.mjv_moveCamera(model, 0, 0.0, 0.0, scene, camera)),
        steered(lambda engine, model, data, scene, camera: engine.mjv_movePerturb(model, data, 0, 0.0, 0.0, scene, engine.MjvPerturb())),
    ]
    for call in calls:
        assert message(condyle, call) == message(mujoco, call)


def test_a_full_scene_says_so_and_counts_a_warning(simulation):
    model, data, _, camera = simulation
    scene = condyle.MjvScene(model, 1)
    condyle.mjv_updateScene(model, data, condyle.MjvOption(), None, camera, 7, scene)
    assert (scene.ngeom, scene.status) == (1, 1)
    warning = data.warning[condyle.mjtWarning.mjWARN_VGEOMFULL]
    assert (warning.number, warning.lastinfo) == (1, 1)


def test_wrong_arguments_are_type_errors(simulation):
    model, data, scene, camera = simulation
    options = condyle.MjvOption()
    with pytest.raises(TypeError):
        condyle.mjv_updateScene(model, data, options, None, None, 7, scene)
    with pytest.raises(TypeError):
        condyle.mjv_addGeoms(model, data, options, None, 7, scene)
    with pytest.raises(TypeError):
        condyle.mjv_cameraInModel(np.zeros(2), np.zeros(3), np.zeros(3), scene)
    with pytest.raises(TypeError):
        condyle.mjv_initGeom(condyle.MjvGeom(), 2, None, None, None, None)
    with pytest.raises(TypeError):
        condyle.MjvScene(model)


def test_a_scene_of_another_model_is_refused(simulation):
    model, data, _, camera = simulation
    cloth = condyle.MjModel.from_xml_string(
        "<mujoco><worldbody><flexcomp name='cloth' type='grid' count='3 3 1' spacing='.1 .1 .1'/></worldbody></mujoco>"
    )
    other = condyle.MjData(cloth)
    scene = condyle.MjvScene(model, 10)
    with pytest.raises(condyle.FatalError, match="another model"):
        condyle.mjv_updateScene(cloth, other, condyle.MjvOption(), None, camera, 7, scene)
    with pytest.raises(ValueError, match="another model"):
        condyle.mjv_updateScene(cloth, data, condyle.MjvOption(), None, camera, 7, scene)


def test_selections_that_do_not_exist_do_nothing(simulation):
    model, data, scene, camera = simulation
    options = condyle.MjvOption()
    options.flags[:] = 1
    for select in (-5, model.nbody, 10**6):
        perturbation = condyle.MjvPerturb()
        perturbation.select, perturbation.active, perturbation.flexselect = select, 3, 50
        condyle.mjv_initPerturb(model, data, scene, perturbation)
        condyle.mjv_movePerturb(model, data, 7, 0.1, 0.1, scene, perturbation)
        condyle.mjv_applyPerturbPose(model, data, perturbation, 1)
        condyle.mjv_applyPerturbForce(model, data, perturbation)
        condyle.mjv_updateScene(model, data, options, perturbation, camera, 7, scene)
    assert not data.xfrc_applied.any()


def drawn_with(model, data, *flags, depth=1):
    """The elements of a scene with some flags, made in memory that was used before."""
    scene, options = condyle.MjvScene(model, 5000), condyle.MjvOption()
    options.bvh_depth = depth
    for geom in scene.geoms:
        geom.objtype = geom.objid = geom.category = geom.segid = geom.transparent = 77
        geom.camdist = 7.0
    for flag in flags:
        options.flags[flag] = 1
    condyle.mjv_updateScene(model, data, options, None, condyle.MjvCamera(), 7, scene)
    return scene.geoms[: scene.ngeom]


def test_what_plugins_leave_unwritten_has_values():
    for path, shape in (("touch_grid", condyle.mjtGeom.mjGEOM_BOX), ("gear_gear", condyle.mjtGeom.mjGEOM_SPHERE)):
        model = condyle.MjModel.from_xml_path(str(ROOT / f"models/plugin/{path}.xml"))
        data = condyle.MjData(model)
        condyle.mj_forward(model, data)
        geoms = drawn_with(model, data, condyle.mjtVisFlag.mjVIS_SDFITER)
        drawn = [(place, geom) for place, geom in enumerate(geoms) if geom.objtype == condyle.mjtObj.mjOBJ_UNKNOWN]
        assert any(geom.type == shape for _, geom in drawn)
        for place, geom in drawn:
            assert (geom.category, geom.segid, geom.camdist, geom.transparent) == (4, place, 0, 0)
            assert 0 <= geom.objid < 77


def test_the_search_between_distance_fields_is_that_of_the_state():
    model = condyle.MjModel.from_xml_path(str(ROOT / "models/plugin/gear_gear.xml"))
    data = condyle.MjData(model)
    lines = []
    for offset in (0.0, 10.0, 0.0):
        condyle.mj_forward(model, data)
        data.geom_xpos[0] += [offset, 0, 0]
        geoms = drawn_with(model, data, condyle.mjtVisFlag.mjVIS_SDFITER)
        lines.append([(tuple(g.pos), tuple(g.size), tuple(g.rgba)) for g in geoms if g.type == condyle.mjtGeom.mjGEOM_LINE])
    assert len(lines[0]) > 50 and lines[1] == [] and lines[2] == lines[0]


MESH = """
<mujoco>
  <asset><mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1  .3 .3 .9  .7 .1 .5"/></asset>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .5"><freejoint/><geom type="mesh" mesh="tetra"/><geom size=".2" pos="1 1 0"/></body>
    <site name="eye" pos=".2 .2 5" euler="180 0 0"/><camera name="wide" pos=".3 .3 6" resolution="8 6" fovy="40"/>
  </worldbody>
  <sensor><rangefinder site="eye"/><rangefinder camera="wide"/></sensor>
</mujoco>
"""
PILE = f"""
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/><geom type="box" size=".5 .5 .1" pos="1 0 .1"/>
    {"".join(
        f'<body pos="{0.3 * i} {0.1 * (i % 3)} {0.5 + 0.4 * i}"><freejoint/><geom size=".15"/><geom type="box" size=".1 .2 .1" pos=".2 0 0"/>'
        f'<geom type="capsule" size=".05 .2" pos="-.2 0 0" margin=".02"/></body>'
        for i in range(5)
    )}
  </worldbody>
</mujoco>
"""
SEARCH = """
<mujoco>
  <extension><plugin plugin="mujoco.sdf.bowl"><instance name="bowl"/></plugin></extension>
  <asset>
    <mesh name="bowl"><plugin instance="bowl"/></mesh>
    <mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1" scale=".3 .3 .3"/>
  </asset>
  <worldbody>
    <body><geom type="sdf" mesh="bowl"><plugin instance="bowl"/></geom></body>
    <body pos=".3 .05 .1"><freejoint/><geom type="mesh" mesh="tetra"/></body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("text", [MESH, PILE, SEARCH], ids=["rays", "bodies", "search"])
def test_the_volumes_that_are_visited_are_marked(text):
    """After any step, by collision detection of bodies, by rays of range finders and by the search between a mesh and a distance field."""
    m = mujoco.MjModel.from_xml_string(text)
    pair = scenes.Pair(m, scenes.compare.to_condyle(m))
    data = condyle.MjData(pair.models[0]), mujoco.MjData(m)
    marked = set()
    for step in range(60):
        for engine, model, item in zip((condyle, mujoco), pair.models, data):
            engine.mj_step(model, item)
        if step % 6 == 0:
            marked.add(int(data[1].bvh_active.sum()))
            for depth in range(5):
                pair.reset_options(bvh_depth=depth, flags={28: 1, 29: 1})
                assert pair.update(data) is None, (step, depth)
    assert max(marked) > 2
    assert not data[0].bvh_active.any()


def test_rays_of_programs_mark_no_volumes():
    model = condyle.MjModel.from_xml_string(MESH)
    model.opt.disableflags |= condyle.mjtDisableBit.mjDSBL_SENSOR
    data = condyle.MjData(model)

    def boxes():
        geoms = drawn_with(model, data, condyle.mjtVisFlag.mjVIS_MESHBVH)
        return sum(geom.type == condyle.mjtGeom.mjGEOM_LINEBOX for geom in geoms)

    assert boxes() == 0
    condyle.mj_forward(model, data)
    assert condyle.mj_ray(model, data, [0.2, 0.2, 5], [0, 0, -1], None, 1, -1, np.zeros(1, np.int32)) > 0
    assert boxes() == 0
    data.bvh_active[:] = 1
    marked = boxes()
    data.bvh_active[:] = 0
    model.vis.global_.bvactive = 0
    assert boxes() == marked > 0


def test_cables_are_coloured_in_the_scene_alone():
    model = condyle.MjModel.from_xml_path(str(ROOT / "models/plugin/cable.xml"))
    data = condyle.MjData(model)
    condyle.mj_forward(model, data)
    before = model.geom_rgba.copy()
    scene = condyle.MjvScene(model, 100)
    condyle.mjv_updateScene(model, data, condyle.MjvOption(), None, condyle.MjvCamera(), 7, scene)
    assert np.array_equal(model.geom_rgba, before)
    colours = {tuple(geom.rgba) for geom in scene.geoms[: scene.ngeom] if geom.objtype == condyle.mjtObj.mjOBJ_GEOM}
    assert len(colours) > 1
