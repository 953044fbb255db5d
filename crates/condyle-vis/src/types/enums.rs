//! What can be shown, labelled, tracked and steered.

use condyle_model::enumerations;

enumerations! {
    /// What moves an element of the scene; also bits of a mask.
    Category {
        /// Part of a body that never moves.
        Static = 1,
        /// Part of any other body.
        Dynamic = 2,
        /// Not part of the model: arrows, frames, labels.
        Decor = 4,
    }
    /// What moving the mouse means.
    MouseAction {
        None = 0,
        RotateVertical = 1,
        RotateHorizontal = 2,
        MoveVertical = 3,
        MoveHorizontal = 4,
        Zoom = 5,
        /// As `MoveVertical`, in the frame of what is looked at.
        MoveVerticalRelative = 6,
        /// As `MoveHorizontal`, in the frame of what is looked at.
        MoveHorizontalRelative = 7,
    }
    /// Where a camera's pose comes from.
    CameraType {
        /// Look-at point, distance and two angles.
        Free = 0,
        /// As free, with a look-at point that follows a body.
        Tracking = 1,
        /// A camera of the model.
        Fixed = 2,
        /// The caller sets the scene's cameras.
        User = 3,
    }
    /// What gets a label.
    LabelKind {
        None = 0,
        Body = 1,
        Joint = 2,
        Geom = 3,
        Site = 4,
        Camera = 5,
        Light = 6,
        Tendon = 7,
        Actuator = 8,
        Constraint = 9,
        Flex = 10,
        Skin = 11,
        Selection = 12,
        SelectionPoint = 13,
        ContactPoint = 14,
        ContactForce = 15,
        Island = 16,
    }
    /// What gets a frame of three axes.
    FrameKind {
        None = 0,
        Body = 1,
        Geom = 2,
        Site = 3,
        Camera = 4,
        Light = 5,
        Contact = 6,
        World = 7,
    }
    /// Index into [`Options::flags`](super::Options::flags): what is shown.
    VisualFlag {
        ConvexHull = 0,
        Texture = 1,
        Joint = 2,
        Camera = 3,
        Actuator = 4,
        Activation = 5,
        Light = 6,
        Tendon = 7,
        RangeFinder = 8,
        Constraint = 9,
        Inertia = 10,
        ScaleInertia = 11,
        PerturbForce = 12,
        PerturbObject = 13,
        ContactPoint = 14,
        Island = 15,
        ContactForce = 16,
        ContactSplit = 17,
        Transparent = 18,
        AutoConnect = 19,
        CenterOfMass = 20,
        Select = 21,
        Static = 22,
        Skin = 23,
        FlexVertex = 24,
        FlexEdge = 25,
        FlexFace = 26,
        FlexSkin = 27,
        BodyTree = 28,
        MeshTree = 29,
        SdfIterations = 30,
    }
    /// Index into the rendering flags of a scene: how it is drawn.
    RenderFlag {
        Shadow = 0,
        Wireframe = 1,
        Reflection = 2,
        Additive = 3,
        Skybox = 4,
        Fog = 5,
        Haze = 6,
        Depth = 7,
        Segment = 8,
        IdColor = 9,
        CullFace = 10,
    }
    /// How the pictures of two eyes are shown.
    Stereo {
        None = 0,
        QuadBuffered = 1,
        SideBySide = 2,
    }
}

impl Category {
    /// Mask of all categories.
    pub const ALL_BITS: i32 = 7;
}

/// Bits of a perturbation.
pub mod perturb {
    /// The perturbation moves the body.
    pub const TRANSLATE: i32 = 1;
    /// The perturbation turns the body.
    pub const ROTATE: i32 = 2;
}

impl LabelKind {
    /// Names that interfaces show, by value.
    pub const NAMES: [&'static str; 17] = [
        "None",
        "Body",
        "Joint",
        "Geom",
        "Site",
        "Camera",
        "Light",
        "Tendon",
        "Actuator",
        "Constraint",
        "Flex",
        "Skin",
        "Selection",
        "SelPoint",
        "Contact",
        "ContactForce",
        "Island",
    ];
}

impl FrameKind {
    /// Names that interfaces show, by value.
    pub const NAMES: [&'static str; 8] =
        ["None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World"];
}

impl VisualFlag {
    /// Name that interfaces show, initial value and key, by value.
    pub const TABLE: [(&'static str, bool, &'static str); 31] = [
        ("Convex Hull", false, "H"),
        ("Texture", true, "X"),
        ("Joint", false, "J"),
        ("Camera", false, "Q"),
        ("Actuator", false, "U"),
        ("Activation", false, ","),
        ("Light", false, "Z"),
        ("Tendon", true, "V"),
        ("Range Finder", true, "Y"),
        ("Equality", false, "E"),
        ("Inertia", false, "I"),
        ("Scale Inertia", false, "'"),
        ("Perturb Force", false, "B"),
        ("Perturb Object", true, "O"),
        ("Contact Point", false, "C"),
        ("Island", false, "N"),
        ("Contact Force", false, "F"),
        ("Contact Split", false, "P"),
        ("Transparent", false, "T"),
        ("Auto Connect", false, "A"),
        ("Center of Mass", false, "M"),
        ("Select Point", false, ""),
        ("Static Body", true, "D"),
        ("Skin", true, ";"),
        ("Flex Vert", false, ""),
        ("Flex Edge", true, ""),
        ("Flex Face", false, ""),
        ("Flex Skin", true, ""),
        ("Body Tree", false, "`"),
        ("Mesh Tree", false, "\\"),
        ("SDF iters", false, ""),
    ];
    /// Number of flags.
    pub const COUNT: usize = Self::TABLE.len();

    /// Initial values, by value of the flag.
    pub const fn defaults() -> [u8; Self::COUNT] {
        let mut flags = [0; Self::COUNT];
        let mut index = 0;
        while index < Self::COUNT {
            flags[index] = Self::TABLE[index].1 as u8;
            index += 1;
        }
        flags
    }
}

impl RenderFlag {
    /// Name that interfaces show, initial value and key, by value.
    pub const TABLE: [(&'static str, bool, &'static str); 11] = [
        ("Shadow", true, "S"),
        ("Wireframe", false, "W"),
        ("Reflection", true, "R"),
        ("Additive", false, "L"),
        ("Skybox", true, "K"),
        ("Fog", false, "G"),
        ("Haze", true, "/"),
        ("Depth", false, ""),
        ("Segment", false, ","),
        ("Id Color", false, ""),
        ("Cull Face", true, ""),
    ];
    /// Number of flags.
    pub const COUNT: usize = Self::TABLE.len();

    /// Initial values, by value of the flag.
    pub const fn defaults() -> [u8; Self::COUNT] {
        let mut flags = [0; Self::COUNT];
        let mut index = 0;
        while index < Self::COUNT {
            flags[index] = Self::TABLE[index].1 as u8;
            index += 1;
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_an_entry_for_every_value() {
        assert_eq!(LabelKind::ALL.len(), LabelKind::NAMES.len());
        assert_eq!(FrameKind::ALL.len(), FrameKind::NAMES.len());
        assert_eq!(VisualFlag::ALL.len(), VisualFlag::COUNT);
        assert_eq!(RenderFlag::ALL.len(), RenderFlag::COUNT);
    }
}
