//! The abstract scene: a model and its data in; drawable elements, cameras and lights out.
//!
//! Internal: programs depend on the crate `condyle`, which re-exports what they need. Everything here may change in any version.
//!
//! [`update_scene`] is the whole of it: elements kind by kind (`build/`), cameras, lights, vertices of flexes and skins. What a mouse
//! does is in `interact/`.
//!
//! [`types`] holds plain values: [`Scene`] with its [`Geom`]s, [`Light`]s and two [`GlCamera`]s, the [`Camera`] a user steers, the
//! [`Options`] that say what is shown, the [`Perturbation`] of a mouse and a 2D [`Figure`]. Nothing here draws: a rasteriser, a browser
//! page or any other front end reads the list.

#![warn(missing_docs)]

mod build;
mod camera;
mod element;
mod error;
mod flex;
mod halton;
mod interact;
mod light;
mod skin;
pub mod types;
mod update;

pub use build::add_geoms;
pub use camera::{CameraFrame, Frustum, align_to_camera, average_camera};
pub use error::VisError;
pub use halton::halton;
pub use interact::{Selection, select};
pub use types::{
    Camera, CameraType, Category, Figure, FigureSettings, FrameKind, Geom, GlCamera, LabelKind, Light,
    MouseAction, Options, Perturbation, RenderFlag, Scene, SceneFlexes, SceneSettings, SceneSkins, Stereo,
    VisualFlag, perturb,
};
pub use update::update_scene;
