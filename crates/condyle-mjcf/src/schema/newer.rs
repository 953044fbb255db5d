//! What MuJoCo after 3.5.0 added to the format and took from it: since when, what it does, and what to write instead.
//!
//! Versions are in `versions.txt`, which `cargo xtask schema-versions` writes from the schemas of all released versions. What a name
//! does is written here. A file that uses something newer is refused, as MuJoCo 3.5.0 refuses it. Lenient loading skips what only
//! looks different or only helps other programs, and what is given but switched off; it never skips what would change the motion.

use std::sync::OnceLock;

/// What is lost when a newer element, attribute or word is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The motion or a sensor would be another one.
    Motion,
    /// Pictures would look different.
    Looks,
    /// Nothing that can be computed or seen.
    Nothing,
}

/// One difference between MuJoCo 3.5.0 and a later version.
#[derive(Clone, Debug)]
pub struct Change {
    /// Path of the element, without the root.
    pub path: &'static str,
    /// The attribute, or the element itself.
    pub attribute: Option<&'static str>,
    /// The word of the attribute, `numbers` for more numbers than before.
    pub word: Option<&'static str>,
    /// Since when later versions have it.
    pub added: Option<&'static str>,
    /// Since when they do not have it any more.
    pub removed: Option<&'static str>,
}

impl Change {
    fn parse(line: &'static str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let name = words.next()?;
        let (path, attribute) = name.split_once(':').map_or((name, None), |(path, rest)| (path, Some(rest)));
        let (attribute, word) = match attribute.and_then(|attribute| attribute.split_once('=')) {
            Some((attribute, word)) => (Some(attribute), Some(word)),
            None => (attribute, None),
        };
        let mut change = Self { path, attribute, word, added: None, removed: None };
        for step in words {
            match step.split_at_checked(1)? {
                ("+", version) => change.added = change.added.or(Some(version)),
                (_, version) => change.removed = Some(version),
            }
        }
        Some(change)
    }

    /// Name of the element.
    pub fn element(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    fn parent(&self) -> &'static str {
        let mut parts = self.path.rsplit('/').skip(1);
        parts.next().unwrap_or("mujoco")
    }

    fn meaning(&self) -> Option<&'static Meaning> {
        let fits = |known: &str, name: &str| known == "*" || known.split(' ').any(|known| known == name);
        MEANINGS.iter().find(|meaning| match (self.attribute, self.word) {
            (None, _) => {
                meaning.word.is_empty()
                    && meaning.attribute.is_empty()
                    && fits(meaning.element, self.element())
            }
            (Some(attribute), word) => {
                meaning.attribute == attribute
                    && meaning.word == word.unwrap_or("")
                    && fits(meaning.element, self.element())
            }
        })
    }

    /// What is lost when it is skipped.
    pub fn effect(&self) -> Effect {
        self.meaning().map_or(Effect::Motion, |meaning| meaning.effect)
    }

    /// Since when, what it does and what to write for 3.5.0.
    pub fn message(&self) -> Option<String> {
        let meaning = self.meaning()?;
        let (does, instead) = (meaning.does, meaning.instead);
        Some(match (self.added, self.removed) {
            (Some(added), _) => format!("since MuJoCo {added}; it {does}; for 3.5.0 {instead}"),
            (None, removed) => format!("removed in MuJoCo {}; it {does}; {instead}", removed.unwrap_or("?")),
        })
    }
}

/// All differences, in the order of the table.
pub fn changes() -> &'static [Change] {
    static CHANGES: OnceLock<Vec<Change>> = OnceLock::new();
    CHANGES.get_or_init(|| {
        let lines = include_str!("versions.txt").lines();
        lines
            .filter(|line| !line.starts_with('#') && !line.starts_with("versions "))
            .filter_map(Change::parse)
            .collect()
    })
}

/// The versions the differences were found in, oldest first.
pub fn versions() -> Vec<&'static str> {
    let line = include_str!("versions.txt").lines().find_map(|line| line.strip_prefix("versions "));
    line.map(|line| line.split_ascii_whitespace().collect()).unwrap_or_default()
}

fn added(wanted: impl Fn(&Change) -> bool) -> Option<&'static Change> {
    changes().iter().find(|change| change.added.is_some() && wanted(change))
}

/// An element that a later version has inside `parent`.
pub fn newer_element(parent: &str, element: &str) -> Option<&'static Change> {
    added(|change| change.attribute.is_none() && change.element() == element && change.parent() == parent)
}

/// An attribute that a later version has.
pub fn newer_attribute(element: &str, attribute: &str) -> Option<&'static Change> {
    added(|change| {
        change.attribute == Some(attribute) && change.word.is_none() && change.element() == element
    })
}

/// A word that a later version takes, or `numbers` when it takes more of them.
pub fn newer_word(element: &str, attribute: &str, word: &str) -> Option<&'static Change> {
    let same_kind = |change: &Change| {
        change.element() == element
            || change.path == "tendon" && matches!(element, "fixed" | "spatial")
            || change.path == "actuator" && element == "general"
    };
    added(|change| change.attribute == Some(attribute) && change.word == Some(word) && same_kind(change))
}

/// Whether a value switches off what its attribute is for.
pub fn is_neutral(value: &str) -> bool {
    let mut words = value.split_ascii_whitespace().peekable();
    words.peek().is_some()
        && words.all(|word| matches!(word, "disable" | "false" | "auto" | "none") || word.parse() == Ok(0.0))
}

struct Meaning {
    /// Elements, or all.
    element: &'static str,
    /// Attribute; empty for the element itself.
    attribute: &'static str,
    word: &'static str,
    effect: Effect,
    /// Goes on after "it".
    does: &'static str,
    /// Goes on after "for 3.5.0", or after a semicolon for what was removed.
    instead: &'static str,
}

const fn attribute(
    element: &'static str,
    attribute: &'static str,
    effect: Effect,
    does: &'static str,
    instead: &'static str,
) -> Meaning {
    Meaning { element, attribute, word: "", effect, does, instead }
}

const fn word(
    element: &'static str,
    attribute: &'static str,
    word: &'static str,
    effect: Effect,
    does: &'static str,
    instead: &'static str,
) -> Meaning {
    Meaning { element, attribute, word, effect, does, instead }
}

const fn element(name: &'static str, does: &'static str, instead: &'static str) -> Meaning {
    Meaning { element: name, attribute: "", word: "", effect: Effect::Motion, does, instead }
}

use Effect::{Looks, Motion, Nothing};

static MEANINGS: &[Meaning] = &[
    // Elements.
    element(
        "dcmotor",
        "models a DC motor with its voltage, resistance and inductance",
        "write a <general> or <velocity> with the motor's torque constant as gain and its back-EMF as bias",
    ),
    element(
        "pid",
        "is a servo with set points for position and velocity, an integral term and a feedforward",
        "write a <position> with kp and kv; there is no integral term",
    ),
    element(
        "orientation",
        "is a servo for the orientation of a ball or free joint or of a site",
        "write three <position> actuators with gear along x, y and z",
    ),
    element(
        "flexstrain",
        "keeps the strain of a flex at its initial value",
        "write <flex> or edge equality=\"true\" in <flexcomp>",
    ),
    Meaning {
        effect: Looks,
        ..element("texture", "gives textures a default class", "write the attributes on each <texture>")
    },
    element("composite", "is still part of 3.5.0", "newer models build cables with <flexcomp>"),
    element("flexvert", "is still part of 3.5.0", "newer models use <flexstrain>"),
    // Parts of <composite>, which went with it.
    element(
        "geom joint plugin config site skin",
        "was a part of <composite> and is still part of 3.5.0",
        "newer models build cables with <flexcomp>",
    ),
    // Bodies and what is in them.
    attribute(
        "geom",
        "surfacevel",
        Motion,
        "moves the surface of the geom as contacts see it, like a conveyor belt",
        "write a slide or hinge joint with a <velocity> actuator under the surface",
    ),
    attribute(
        "geom pair",
        "adhesion",
        Motion,
        "lets contacts pull with a force of up to this size",
        "write an <adhesion> actuator on the body with a constant control",
    ),
    attribute(
        "geom",
        "castshadow",
        Looks,
        "says whether the geom casts a shadow",
        "delete it; every geom casts one",
    ),
    attribute(
        "light",
        "softness",
        Looks,
        "softens the edge of a spotlight",
        "write exponent, which softens the whole cone",
    ),
    attribute(
        "site",
        "mesh",
        Motion,
        "gives the site the shape of a mesh, which touch and insidesite sensors see",
        "write a site of another type; for its appearance add a <geom> with contype=\"0\" conaffinity=\"0\" and mass=\"0\"",
    ),
    attribute(
        "body",
        "fuse",
        Motion,
        "says whether fusestatic may merge this body with its parent",
        "write fusestatic=\"false\" in <compiler> to keep all static bodies",
    ),
    attribute(
        "body",
        "simple",
        Nothing,
        "switches off a shortcut for bodies with a diagonal inertia",
        "delete it",
    ),
    attribute(
        "attach",
        "frame",
        Motion,
        "attaches one frame of the other model",
        "put the contents of the frame into a <body> there and attach that",
    ),
    attribute(
        "joint fixed spatial tendon",
        "springyield",
        Motion,
        "lets the spring yield for good beyond this deflection",
        "delete it if the spring stays elastic; there is no plasticity",
    ),
    attribute(
        "tendon",
        "armature",
        Motion,
        "sets the default of tendons' armature",
        "write armature on each <spatial> or <fixed>",
    ),
    attribute(
        "tendon",
        "actuatorfrcrange",
        Motion,
        "sets the default of tendons' actuatorfrcrange",
        "write actuatorfrcrange on each <spatial> or <fixed>",
    ),
    attribute(
        "tendon",
        "actuatorfrclimited",
        Motion,
        "sets the default of tendons' actuatorfrclimited",
        "write actuatorfrclimited on each <spatial> or <fixed>",
    ),
    // Actuators.
    attribute(
        "*",
        "armature",
        Motion,
        "adds rotor inertia seen through the actuator's gear",
        "write armature on the joint: this value times gear squared",
    ),
    attribute(
        "*",
        "damping",
        Motion,
        "adds damping seen through the actuator's gear",
        "write damping on the joint: this value times gear squared",
    ),
    attribute(
        "intvelocity",
        "actlimited",
        Motion,
        "says whether the integrated set point is limited",
        "write actrange alone; an <intvelocity> is always limited",
    ),
    attribute("general", "input", Nothing, "is what the actuator's control means", "delete it"),
    attribute(
        "general",
        "ffrange",
        Motion,
        "limits the feedforward input of a PID servo",
        "delete it; there is no such input",
    ),
    attribute(
        "general",
        "velrange",
        Motion,
        "limits the velocity set point of a PID servo",
        "delete it; there is no such input",
    ),
    attribute(
        "general",
        "inheritrange",
        Motion,
        "takes the range of the control from the joint",
        "write ctrlrange, or use <position>, which has inheritrange",
    ),
    // Assets and settings.
    attribute(
        "texture",
        "class",
        Looks,
        "names the default class of the texture",
        "write the attributes of the class on the texture",
    ),
    attribute(
        "texture",
        "embed",
        Nothing,
        "says whether the pixels are kept in the model or only the file name",
        "delete it; pixels are kept",
    ),
    attribute(
        "compiler",
        "conflict",
        Nothing,
        "says what happens when an attached model has other settings",
        "delete it; the settings of the outer model count",
    ),
    attribute(
        "compiler",
        "passthrough",
        Nothing,
        "leaves textures out of the model and keeps their file names",
        "delete it; textures are read",
    ),
    attribute("compiler", "savecanonical", Nothing, "says in which notation the model is saved", "delete it"),
    attribute(
        "compiler",
        "savecompiled",
        Nothing,
        "says whether compiled or original values are saved",
        "delete it",
    ),
    attribute(
        "flag",
        "diagexact",
        Motion,
        "computes the exact diagonal of the constraint inertia, which changes the softness of constraints",
        "delete it; the approximation from body weights is used",
    ),
    attribute(
        "flag",
        "ipc",
        Motion,
        "switches to barrier contacts of the discrete integrator",
        "delete it and choose another integrator",
    ),
    attribute(
        "flag",
        "speculative",
        Motion,
        "adds contacts ahead of fast bodies so that they do not pass through thin ones",
        "write a shorter timestep or thicker geoms",
    ),
    attribute(
        "insidesite",
        "enclosed",
        Motion,
        "measures how far the object reaches out of the site instead of whether its centre is inside",
        "delete it if the centre is enough",
    ),
    attribute(
        "tactile",
        "cutoff",
        Motion,
        "limits the values of the sensor",
        "delete it and limit the values in your own code",
    ),
    attribute(
        "key",
        "plastic",
        Motion,
        "stores the plastic deformation of springs and flexes",
        "delete it; there is no plasticity",
    ),
    // Deformable bodies.
    attribute(
        "flex flexcomp",
        "cellcount",
        Motion,
        "divides the interpolation of the flex into cells",
        "delete it; there is one cell",
    ),
    attribute("flexstrain", "cell", Motion, "names the cell whose strain is kept", "delete the <flexstrain>"),
    attribute(
        "flex",
        "dof",
        Motion,
        "chooses trilinear or quadratic interpolation",
        "write dof on a <flexcomp>, which makes the nodes",
    ),
    attribute(
        "flex",
        "nodecoord",
        Motion,
        "places the nodes beside the origins of their bodies",
        "write a body of its own for each node",
    ),
    attribute(
        "flexcomp",
        "mesh",
        Motion,
        "takes the points from a <mesh> asset",
        "write type=\"mesh\" and file with the mesh's file",
    ),
    attribute(
        "elasticity",
        "section",
        Motion,
        "chooses the cross-section of a rod that bends and twists",
        "delete it; rods of 3.5.0 stretch only",
    ),
    attribute(
        "elasticity",
        "sectionsize",
        Motion,
        "gives the half-sizes of the cross-section of a rod",
        "delete it; rods of 3.5.0 stretch only",
    ),
    attribute(
        "elasticity",
        "shear",
        Motion,
        "gives the shear modulus of a rod that twists",
        "delete it; rods of 3.5.0 stretch only",
    ),
    attribute(
        "elasticity",
        "yield",
        Motion,
        "gives the strain from which on the material yields for good",
        "delete it; there is no plasticity",
    ),
    attribute("contact", "internal", Motion, "is still part of 3.5.0", "newer models use selfcollide"),
    attribute(
        "contact",
        "vertcollide",
        Motion,
        "is still part of 3.5.0",
        "newer versions always collide vertices",
    ),
    // Attributes of frames, which 3.5.0 does not check.
    attribute(
        "frame",
        "scale",
        Motion,
        "resizes everything inside the frame",
        "resize the elements themselves; 3.5.0 ignores it in silence",
    ),
    attribute(
        "frame",
        "scaling",
        Motion,
        "chooses how forces and times follow the scale of the frame",
        "delete it with scale; 3.5.0 ignores it in silence",
    ),
    attribute(
        "frame",
        "massscale",
        Motion,
        "multiplies the masses of everything inside the frame",
        "change the masses or densities themselves; 3.5.0 ignores it in silence",
    ),
    // Words and numbers.
    word(
        "option",
        "integrator",
        "discrete",
        Motion,
        "steps velocities and contacts together in one optimisation",
        "write integrator=\"implicitfast\"",
    ),
    word(
        "joint tendon",
        "damping",
        "numbers",
        Motion,
        "makes damping a polynomial of the speed",
        "write the first number alone for linear damping",
    ),
    word(
        "joint tendon",
        "stiffness",
        "numbers",
        Motion,
        "makes the spring force a polynomial of the deflection",
        "write the first number alone for a linear spring",
    ),
    word(
        "edge",
        "equality",
        "strain",
        Motion,
        "keeps the strain of the flex at its initial value",
        "write equality=\"true\", or \"vert\" in two dimensions",
    ),
    word(
        "edge",
        "equality",
        "vert",
        Motion,
        "is still part of 3.5.0",
        "newer models use equality=\"strain\"",
    ),
    word(
        "actuator",
        "dyntype",
        "dcmotor",
        Motion,
        "is a part of the <dcmotor> actuator",
        "write an affine gain and bias with the motor's constants",
    ),
    word(
        "actuator",
        "dyntype",
        "pid",
        Motion,
        "is a part of the <pid> actuator",
        "write a <position> with kp and kv",
    ),
    word(
        "actuator",
        "gaintype",
        "dcmotor",
        Motion,
        "is a part of the <dcmotor> actuator",
        "write an affine gain and bias with the motor's constants",
    ),
    word(
        "actuator",
        "gaintype",
        "pid",
        Motion,
        "is a part of the <pid> actuator",
        "write a <position> with kp and kv",
    ),
    word(
        "actuator",
        "gaintype",
        "so3",
        Motion,
        "is a part of the <orientation> actuator",
        "write three <position> actuators with gear along x, y and z",
    ),
    word(
        "actuator",
        "biastype",
        "dcmotor",
        Motion,
        "is a part of the <dcmotor> actuator",
        "write an affine gain and bias with the motor's constants",
    ),
    word(
        "actuator",
        "biastype",
        "so3",
        Motion,
        "is a part of the <orientation> actuator",
        "write three <position> actuators with gear along x, y and z",
    ),
    word(
        "contact",
        "data",
        "linvel",
        Motion,
        "reports the relative linear velocity at the contact",
        "take the velocities of the two bodies with <framelinvel> sensors",
    ),
    word(
        "contact",
        "data",
        "angvel",
        Motion,
        "reports the relative angular velocity at the contact",
        "take the velocities of the two bodies with <frameangvel> sensors",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Schema;

    #[test]
    fn every_difference_has_its_version_and_a_message() {
        let mut silent = Vec::new();
        for change in changes() {
            assert!(change.added.is_some() || change.removed.is_some(), "{change:?}");
            for version in change.added.iter().chain(&change.removed) {
                assert!(versions().contains(version), "{change:?}");
            }
            match change.message() {
                Some(message) => assert!(message.contains("MuJoCo ") && message.len() > 40, "{message}"),
                None => silent.push(format!("{change:?}")),
            }
        }
        assert!(silent.is_empty(), "without a message:\n{}", silent.join("\n"));
        assert_eq!((versions().first(), versions().last()), (Some(&"3.5.0"), Some(&"4.0.0")));
        assert!(changes().len() >= 100, "{}", changes().len());
    }

    #[test]
    fn every_meaning_belongs_to_a_difference() {
        for meaning in MEANINGS {
            let used = changes()
                .iter()
                .any(|change| change.meaning().is_some_and(|found| std::ptr::eq(found, meaning)));
            assert!(used, "{} {} {}", meaning.element, meaning.attribute, meaning.word);
        }
    }

    #[test]
    fn what_was_added_is_not_in_the_table_and_what_was_removed_is() {
        for change in changes().iter().filter(|change| change.word.is_none() && change.path != "frame") {
            let path: Vec<&str> = change.path.split('/').collect();
            let row = Schema::get().find(&path);
            let known = match (row, change.attribute) {
                (Some(row), Some(attribute)) => row.attribute(attribute).is_some(),
                (row, None) => row.is_some(),
                (None, Some(_)) => false,
            };
            assert_eq!(known, change.added.is_none(), "{change:?}");
        }
    }

    #[test]
    fn values_that_switch_off_are_recognised() {
        for (value, neutral) in
            [("0 0 0", true), ("disable", true), ("0.1", false), ("enable", false), ("", false)]
        {
            assert_eq!(is_neutral(value), neutral, "{value}");
        }
    }
}
