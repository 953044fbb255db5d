//! Pictures of a model, drawn in software: `condyle render`, and the video of a run.

mod image;
mod render;
mod video;
mod view;

pub use render::{RenderArguments, render};
pub use video::Video;
pub use view::ViewArguments;
