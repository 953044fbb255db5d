//! The camera a user steers and the camera a picture is taken with.

use condyle_model::records;

records! {
    Camera: "A camera as the user controls it." {
        r#type: i32 = 0, "Where the pose comes from (`CameraType`).";
        fixedcamid: i32 = -1, "Camera of the model, for fixed cameras.";
        trackbodyid: i32 = -1, "Body that is followed, for tracking cameras.";
        lookat: [f64; 3] = [0.0; 3], "Point that is looked at, in the world frame, m.";
        distance: f64 = 2.0, "Distance to the point that is looked at, m.";
        azimuth: f64 = 90.0, "Angle about the vertical axis, degrees.";
        elevation: f64 = -45.0, "Angle above the horizon, degrees.";
        orthographic: i32 = 0, "1: orthographic, 0: perspective.";
    }
    GlCamera: "A camera as the picture is drawn with it." {
        pos: [f32; 3] = [0.0; 3], "Position in the world frame, m.";
        forward: [f32; 3] = [0.0; 3], "Direction of view.";
        up: [f32; 3] = [0.0; 3], "Upward direction.";
        frustum_center: f32 = 0.0, "Horizontal centre of the near plane; its edges follow from the picture's shape.";
        frustum_width: f32 = 0.0, "Half width of the near plane, for cameras with a sensor size; pictures do not use it.";
        frustum_bottom: f32 = 0.0, "Lower edge of the near plane.";
        frustum_top: f32 = 0.0, "Upper edge of the near plane.";
        frustum_near: f32 = 0.0, "Near clipping distance, m.";
        frustum_far: f32 = 0.0, "Far clipping distance, m.";
        orthographic: i32 = 0, "1: orthographic, 0: perspective.";
    }
}
