//! The abstract scene of a simulation: a list of elements to draw, cameras, lights, picking and mouse motion.

pub use condyle_vis::{
    Camera, CameraFrame, CameraType, Category, Figure, FigureSettings, FrameKind, Frustum, Geom, GlCamera,
    LabelKind, Light, MouseAction, Options, Perturbation, RenderFlag, Scene, SceneFlexes, SceneSettings,
    SceneSkins, Selection, Stereo, VisError, VisualFlag, add_geoms, align_to_camera, average_camera, perturb,
    select, update_scene,
};
