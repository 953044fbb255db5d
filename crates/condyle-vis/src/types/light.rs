//! One light.

use condyle_model::records;

records! {
    Light: "One light of the scene." {
        id: i32 = 0, "Light of the model; -1 for the headlight.";
        pos: [f32; 3] = [0.0; 3], "Position in the world frame, m.";
        dir: [f32; 3] = [0.0; 3], "Direction in the world frame.";
        r#type: i32 = 0, "Kind of light (`LightType`).";
        texid: i32 = 0, "Texture of an image light.";
        attenuation: [f32; 3] = [0.0; 3], "Constant, linear and quadratic attenuation.";
        cutoff: f32 = 0.0, "Half angle of a spot light, degrees.";
        exponent: f32 = 0.0, "How a spot light fades towards its edge.";
        ambient: [f32; 3] = [0.0; 3], "Ambient colour.";
        diffuse: [f32; 3] = [0.0; 3], "Diffuse colour.";
        specular: [f32; 3] = [0.0; 3], "Specular colour.";
        headlight: u8 = 0, "1: the light attached to the camera.";
        castshadow: u8 = 0, "1: casts shadows.";
        bulbradius: f32 = 0.0, "Radius of the bulb, for soft shadows, m.";
        intensity: f32 = 0.0, "Intensity, cd.";
        range: f32 = 0.0, "Distance at which the light ends, m.";
    }
}
