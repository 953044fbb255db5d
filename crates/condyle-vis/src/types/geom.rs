//! One drawable element.

use condyle_model::{GeomType, records};

use super::text;

records! {
    Geom: "One drawable element." {
        r#type: i32 = 1001, "Shape (`GeomType`).";
        dataid: i32 = -1, "Height field, number of the plane, or twice the mesh plus 1 for its hull; -1: none.";
        objtype: i32 = 0, "Kind of model element (`ObjectType`); unknown for decoration.";
        objid: i32 = 0, "Number of the model element.";
        category: i32 = 0, "What moves it (`Category`).";
        matid: i32 = -1, "Material with textures; -1: none.";
        texcoord: i32 = 0, "1: mesh or flex with texture coordinates.";
        segid: i32 = 0, "Number in segmentation pictures; -1: not shown.";
        size: [f32; 3] = [0.1; 3], "Scale along the three axes, m.";
        pos: [f32; 3] = [0.0; 3], "Position in the world frame, m.";
        mat: [f32; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], "Rotation to the world frame, rows one after the other.";
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0], "Colour and opacity.";
        emission: f32 = 0.0, "Emission coefficient.";
        specular: f32 = 0.5, "Specular coefficient.";
        shininess: f32 = 0.5, "Shininess coefficient.";
        reflectance: f32 = 0.0, "Reflectance coefficient.";
        label: [u8; 100] = [0; 100], "Text beside the element, ends with a zero.";
        camdist: f32 = 0.0, "Distance to the camera, for sorting; set by who draws.";
        modelrbound: f32 = 0.0, "Radius of the bounding sphere of a geom of the model; 0 for other elements.";
        transparent: u8 = 0, "1: drawn as transparent; set by who draws.";
    }
}

impl Geom {
    /// Shape as a typed value; `None` for a number without meaning.
    pub fn shape(&self) -> Option<GeomType> {
        GeomType::from_i32(self.r#type)
    }

    /// Text beside the element; empty for none.
    pub fn label_text(&self) -> &str {
        text(&self.label)
    }
}
