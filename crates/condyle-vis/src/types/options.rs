//! What is shown.

use condyle_model::records;

use super::{GROUPS, VisualFlag};

const FIRST_THREE: [u8; GROUPS] = [1, 1, 1, 0, 0, 0];

records! {
    Options: "What is shown." {
        label: i32 = 0, "What gets labels (`LabelKind`).";
        frame: i32 = 0, "What gets frames (`FrameKind`).";
        geomgroup: [u8; GROUPS] = FIRST_THREE, "Groups of geoms that are shown.";
        sitegroup: [u8; GROUPS] = FIRST_THREE, "Groups of sites that are shown.";
        jointgroup: [u8; GROUPS] = FIRST_THREE, "Groups of joints that are shown.";
        tendongroup: [u8; GROUPS] = FIRST_THREE, "Groups of tendons that are shown.";
        actuatorgroup: [u8; GROUPS] = FIRST_THREE, "Groups of actuators that are shown.";
        flexgroup: [u8; GROUPS] = FIRST_THREE, "Groups of flexes that are shown.";
        skingroup: [u8; GROUPS] = FIRST_THREE, "Groups of skins that are shown.";
        flags: [u8; VisualFlag::COUNT] = VisualFlag::defaults(), "What else is shown, by `VisualFlag`.";
        bvh_depth: i32 = 1, "Level of bounding volumes that is shown.";
        flex_layer: i32 = 0, "Layer of elements of solid flexes that is shown.";
    }
}

impl Options {
    /// Whether a flag is on.
    #[inline]
    pub const fn shows(&self, flag: VisualFlag) -> bool {
        self.flags[flag as usize] != 0
    }

    /// Switches a flag.
    pub const fn set(&mut self, flag: VisualFlag, on: bool) {
        self.flags[flag as usize] = on as u8;
    }
}
