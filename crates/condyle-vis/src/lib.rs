//! The abstract scene: a model and its data in; drawable elements, cameras and lights out.
//!
//! [`types`] holds plain values: [`Scene`] with its [`Geom`]s, [`Light`]s and two [`GlCamera`]s, the [`Camera`] a user steers, the
//! [`Options`] that say what is shown, the [`Perturbation`] of a mouse and a 2D [`Figure`]. Nothing here draws: a rasteriser, a browser
//! page or any other front end reads the list.

pub mod types;

pub use types::{
    Camera, CameraType, Category, Figure, FigureSettings, FrameKind, Geom, GlCamera, LabelKind, Light,
    MouseAction, Options, Perturbation, RenderFlag, Scene, SceneFlexes, SceneSettings, SceneSkins, Stereo,
    VisualFlag, perturb,
};
