//! What the format used to have, and what other formats have, for help lines. Later versions are in `newer.rs`.

/// A help line for an attribute that this version does not know, if another version did.
pub fn attribute_history(element: &str, attribute: &str) -> Option<&'static str> {
    ATTRIBUTES
        .iter()
        .find(|(elements, name, _)| {
            *name == attribute && (elements.is_empty() || elements.split(' ').any(|known| known == element))
        })
        .map(|(_, _, help)| *help)
}

/// A help line for an element that this version does not know, if another version did.
pub fn element_history(parent: &str, element: &str) -> Option<&'static str> {
    ELEMENTS
        .iter()
        .find(|(parents, name, _)| {
            *name == element && (parents.is_empty() || parents.split(' ').any(|known| known == parent))
        })
        .map(|(_, _, help)| *help)
}

/// Elements (all if empty), attribute, help.
const ATTRIBUTES: &[(&str, &str, &str)] = &[
    ("compiler", "convexhull", "removed in MuJoCo 3.2.5: hulls are computed when they are needed; delete it"),
    ("compiler", "exactmeshinertia", "removed in MuJoCo 3.2.5: set inertia=\"exact\" on the mesh instead"),
    ("option", "apirate", "removed in MuJoCo 3.3.7, where it had no effect; delete it"),
    ("option", "collision", "removed in MuJoCo 3.0.0; use contact pairs, contype and conaffinity"),
    ("option", "mpr_iterations", "renamed to 'ccd_iterations' in MuJoCo 3.2.3"),
    ("option", "mpr_tolerance", "renamed to 'ccd_tolerance' in MuJoCo 3.2.3"),
    ("flag", "passive", "replaced by 'spring' and 'damper' in MuJoCo 3.3.6"),
    ("flag", "sensornoise", "removed from MuJoCo; add noise to sensordata in your own code"),
    ("camera", "orthographic", "renamed in MuJoCo 3.5.0: write projection=\"orthographic\""),
    ("joint", "actuatorforcerange", "renamed to 'actuatorfrcrange' in MuJoCo 3.0.0"),
    ("joint", "actuatorforcelimited", "renamed to 'actuatorfrclimited' in MuJoCo 3.0.0"),
    (
        "body geom site camera light joint inertial",
        "parent",
        "bodies are nested in one another; put the element inside its body",
    ),
    ("geom", "axis", "write fromto, zaxis or quat to turn a geom"),
    (
        "geom site body camera frame",
        "rpy",
        "write euler, and eulerseq=\"XYZ\" in <compiler> for the URDF convention",
    ),
    ("geom site body camera frame", "xyz", "the position is called 'pos'"),
    ("geom", "radius", "sizes are given in 'size': radius first, then half-length"),
    ("geom", "length", "sizes are given in 'size': radius first, then half-length"),
    ("geom", "color", "colours are given in 'rgba'"),
    ("motor velocity damper cylinder muscle", "kp", "only <position> and <intvelocity> take it"),
    ("muscle", "tausmooth", "default classes do not accept it in MuJoCo 3.5.0; set it on the muscle itself"),
    (
        "body",
        "class",
        "bodies have no class of their own; 'childclass' sets the class of the elements inside",
    ),
    ("joint", "initial", "the initial coordinate is called 'ref'"),
];

/// Parents (all if empty), element, help.
const ELEMENTS: &[(&str, &str, &str)] = &[
    ("equality", "distance", "removed in MuJoCo 2.2.2; use a tendon with a limit, or a connect constraint"),
    ("default", "hfield", "height fields have no default class"),
    ("default", "sensor", "sensors have no default class"),
    ("default", "body", "bodies have no default class"),
    ("mujoco", "geom", "geoms belong inside <worldbody> or a <body>"),
    ("mujoco", "joint", "joints belong inside a <body>"),
    ("mujoco", "light", "lights belong inside <worldbody> or a <body>"),
    ("mujoco", "camera", "cameras belong inside <worldbody> or a <body>"),
    ("mujoco", "mesh", "meshes belong inside <asset>"),
    ("mujoco", "texture", "textures belong inside <asset>"),
    ("mujoco", "material", "materials belong inside <asset>"),
    ("mujoco", "flag", "flags belong inside <option>"),
    ("mujoco", "key", "keys belong inside <keyframe>"),
    ("mujoco", "motor", "actuators belong inside <actuator>"),
    ("mujoco", "link", "this is a URDF element; a URDF file has a <robot> root element"),
    ("mujoco", "plugin", "plugins belong inside <extension>"),
    (
        "worldbody body",
        "visual",
        "this is a URDF element; write a <geom> with contype=\"0\" conaffinity=\"0\"",
    ),
    ("worldbody body", "collision", "this is a URDF element; write a <geom>"),
    ("worldbody body", "origin", "this is a URDF element; write pos and quat or euler on the body"),
    ("worldbody body", "freeJoint", "element names are case-sensitive: <freejoint>"),
    ("sensor", "geomdist", "called <distance> in MJCF"),
    ("sensor", "geomnormal", "called <normal> in MJCF"),
    ("sensor", "geompoint", "called <fromto> in MJCF"),
    ("sensor", "jointactfrc", "called <jointactuatorfrc> in MJCF"),
];
