"""Differences that docs/divergences.md lists: each is recognised by what the model has, and names the topic of its row."""

import re


def _negative_gravcomp(xml, _where):
    values = [float(v) for v in re.findall(r'gravcomp="([-+.\deE]+)"', xml)]
    return any(v < 0 for v in values) and not any(v > 0 for v in values)


def _small_memory(xml, where):
    return "its memory is full" in where or "out of memory, stack overflow" in where or re.search(r'\b(memory|nconmax|njmax|nstack)="', xml) is not None


def _cube_channels(xml, where):
    return where.startswith("load: only MuJoCo") and re.search(r'type="(cube|skybox)" file="[^"]*" nchannel="[14]"', xml) is not None


def _texture_corners(xml, where):
    return where.startswith("load: only MuJoCo") and "elemtexcoord" in xml


def _loose_plugin(xml, where):
    bad_grid = "mujoco.sensor.touch_grid" in xml and re.search(r'value="[^"]*nan', xml, re.IGNORECASE) is not None
    return where.startswith("load: only MuJoCo") and ("mujoco.elasticity.cable" in xml or bad_grid)


def _no_number_in_bounds(xml, where):
    return where.startswith("data.") and re.search(r'<flex[^>]*radius="[-+]?nan"|margin="[^"]*\bnan\b', xml, re.IGNORECASE) is not None


def _spinning_elements(xml, where):
    stops = where.startswith("MuJoCo stops: treeFirst: no tree found")
    # An option changed between calls may be the storage.
    sparse = 'jacobian="dense"' not in xml or " option" in where
    shown = stops or sparse and where.startswith(("data.", "result of force"))
    return shown and "<flex" in xml and re.search(r'condim="[46]"', xml) is not None


def _islands_of_older_rows(_xml, where):
    return re.match(r"data\.nisland after .*\bmj_makeConstraint$", where) is not None


def _height_field_and_flex(xml, where):
    return where.startswith("data.") and "<hfield" in xml and "<flex" in xml


def _stops(*words):
    return lambda xml, where: where.startswith(("MuJoCo stops", "load: only Condyle")) and any(word in where for word in words)


# Topic in docs/divergences.md and the test that recognises it.
RULES = [
    ("negative `gravcomp`", _negative_gravcomp),
    ("capacities", _small_memory),
    ("height field and flex", _height_field_and_flex),
    ("spinning and rolling friction of flex elements (`condim` 4 and 6) in sparse storage", _spinning_elements),
    ("joint attribute `springinertia`", lambda xml, where: "springinertia" in xml),
    ("Hill-type muscle", lambda xml, where: "hillmuscle" in xml),
    ("NaN as the radius of a flex or the margin of a geom", _no_number_in_bounds),
    ("contact without a normal", _stops("xaxis of contact frame undefined")),
    (
        "incomplete plugin settings (a grid without size or with a NaN gamma, a shape without extent, a cable body without ball joint)",
        _loose_plugin,
    ),
    ("`pair` of geoms on bodies that no joint moves", _stops("between two static bodies")),
    ("sleeping together with active equalities of tendons or flexes", _stops("does not yet support sleeping")),
    ("creating data for a model with sleeping enabled and a cable or a tendon between trees", _stops("invalid sleep state index")),
    ("constraint rows that move nothing", _stops("treeFirst: no tree found")),
    ("contacts of flex elements at huge distances", _stops("element body weight sum")),
    ("trees that fall asleep while they have constraint rows", _stops("found sleeping tree")),
    ("islands after constraint rows were remade (`mj_makeConstraint` without `mj_island`)", _islands_of_older_rows),
    ("singular matrix of the implicit integrator", _stops("diagonal element too small")),
    ("singular Hessian of the sparse Newton solver", _stops("rank-deficient")),
    ("discrete inverse dynamics (`invdiscrete`) with RK4", _stops("not supported by RK4")),
    ("cube or skybox texture from a file with other than three channels", _cube_channels),
    (
        "more `elemtexcoord` than element corners, a flex without elements that can collide, nodes without their own vertex position or body",
        _texture_corners,
    ),
    ("`discardvisual` with a flex that has a material", lambda xml, where: "discardvisual" in xml and "<flex" in xml and "material" in xml),
]


def topic(xml, where):
    """The topic of the row that covers a difference, or None."""
    for name, recognises in RULES:
        try:
            if recognises(xml, where):
                return name
        except ValueError:
            continue
    return None
