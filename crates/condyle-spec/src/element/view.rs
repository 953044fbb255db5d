//! Cameras and lights.

use condyle_model::{LightType, Projection, TrackingMode};

use super::body::Frame;
use super::table::element;
use crate::arena::Id;
use crate::edit::form::CAMERA_OUTPUT;
use crate::orientation::Orientation;

element! {
    /// A camera. It looks along its -z axis.
    Camera {
        parts {
            /// Frame whose coordinates the pose is in, besides those of the body.
            pub frame: Option<Id<Frame>> = None;
            /// Orientation, where it is not given as a quaternion.
            pub alt: Option<Orientation> = None;
        }
        /// Body the camera looks at in the target modes.
        targetbody: String = String::new(), "target" -> Body => cam_targetbodyid;
        /// How the camera follows bodies.
        mode: TrackingMode = TrackingMode::Fixed, "mode" => cam_mode;
        /// Perspective or orthographic.
        projection as "proj": Projection = Projection::Perspective, "projection" => cam_projection;
        /// Distance between the eyes in stereo, m.
        ipd: f64 = 0.068, "ipd" => cam_ipd;
        /// Width and height of the image, pixels.
        resolution: [i32; 2] = [1, 1], "resolution" => cam_resolution;
        /// Kinds of image to render, as bits: 1 colour, 2 depth, 4 distance, 8 normal, 16 segmentation.
        output: i32 = 1, "output" bits(CAMERA_OUTPUT) => cam_output;
        /// Principal point on the image sensor, pixels from its centre.
        principal_pixel: [f32; 2] = [0.0; 2], "principalpixel";
        /// Principal point on the image sensor, m from its centre.
        principal_length: [f32; 2] = [0.0; 2], "principal";
        /// Focal length along x and y, pixels.
        focal_pixel: [f32; 2] = [0.0; 2], "focalpixel";
        /// Focal length along x and y, m.
        focal_length: [f32; 2] = [0.0; 2], "focal";
        /// Width and height of the image sensor, m; in place of `fovy`.
        sensor_size: [f32; 2] = [0.0; 2], "sensorsize" by_hand => cam_sensorsize;
        /// Vertical field of view: degrees, or m when orthographic.
        fovy: f64 = 45.0, "fovy" by_hand => cam_fovy;
        /// User numbers. Unlike those of other elements they never come from a class.
        userdata: Vec<f64> = Vec::new(), "user" by_hand => cam_user by nuser_cam;
        /// Focal length x, y and principal point x, y on the image sensor, m; computed from the other attributes.
        intrinsic: [f32; 4] = [0.0; 4], ;
        /// Position in the body frame, m.
        pos: [f64; 3] = [0.0; 3], "pos" by_hand => cam_pos;
        /// Orientation in the body frame, w first.
        quat: [f64; 4] = [1.0, 0.0, 0.0, 0.0], "quat" quaternion by_hand => cam_quat;
    }
}

element! {
    /// A light.
    Light {
        parts {
            /// Frame whose coordinates the pose is in, besides those of the body.
            pub frame: Option<Id<Frame>> = None;
        }
        /// Body the light points at in the target modes.
        targetbody: String = String::new(), "target" -> Body => light_targetbodyid;
        /// Texture of an image light.
        texture: String = String::new(), "texture" -> Texture => light_texid;
        /// How the light follows bodies.
        mode: TrackingMode = TrackingMode::Fixed, "mode" => light_mode;
        /// Kind of light.
        kind as "type": LightType = LightType::Spot, "type" => light_type;
        /// Whether it casts shadows.
        castshadow: bool = true, "castshadow" => light_castshadow;
        /// Whether it is on.
        active: bool = true, "active" => light_active;
        /// Position in the body frame, m.
        pos: [f64; 3] = [0.0; 3], "pos" => light_pos;
        /// Direction of the light in the body frame, of any length.
        dir: [f64; 3] = [0.0, 0.0, -1.0], "dir" => light_dir;
        /// Radius of the source for soft shadows, m.
        bulbradius: f32 = 0.02, "bulbradius" => light_bulbradius;
        /// Intensity, cd.
        intensity: f32 = 0.0, "intensity" => light_intensity;
        /// Distance beyond which the light has no effect, m.
        range: f32 = 10.0, "range" => light_range;
        /// Constant, linear and quadratic fall-off with distance.
        attenuation: [f32; 3] = [1.0, 0.0, 0.0], "attenuation" => light_attenuation;
        /// Half angle of a spot, degrees.
        cutoff: f32 = 45.0, "cutoff" => light_cutoff;
        /// How sharply a spot fades from its axis.
        exponent: f32 = 10.0, "exponent" => light_exponent;
        /// Ambient colour, 0 to 1.
        ambient: [f32; 3] = [0.0; 3], "ambient" => light_ambient;
        /// Diffuse colour, 0 to 1.
        diffuse: [f32; 3] = [0.7; 3], "diffuse" => light_diffuse;
        /// Specular colour, 0 to 1.
        specular: [f32; 3] = [0.3; 3], "specular" => light_specular;
    }
}
