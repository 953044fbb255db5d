//! Plain values of the scene. Names of fields are those of MuJoCo's structures, so that a comparison and the Python attributes are
//! mechanical.

mod camera;
mod enums;
mod figure;
mod geom;
mod light;
mod options;
mod perturbation;
mod scene;
mod text;

pub use camera::{Camera, GlCamera};
pub use enums::{
    CameraType, Category, FrameKind, LabelKind, MouseAction, RenderFlag, Stereo, VisualFlag, perturb,
};
pub use figure::{Figure, FigureSettings};
pub use geom::Geom;
pub use light::Light;
pub use options::Options;
pub use perturbation::Perturbation;
pub use scene::{Scene, SceneFlexes, SceneSettings, SceneSkins};
pub use text::{set_text, text};

/// Groups of geoms, sites, joints and so on that options can show or hide.
pub const GROUPS: usize = 6;
/// Most lights of a scene.
pub const MAX_LIGHTS: usize = 100;
/// Most lines of a figure.
pub const MAX_LINES: usize = 100;
/// Most points of a line of a figure.
pub const MAX_LINE_POINTS: usize = 1001;
/// Most divisions of the grid of a plane.
pub const MAX_PLANE_GRID: usize = 200;
/// Bytes of a label, closing zero included.
pub const LABEL_BYTES: usize = 100;
