//! Pictures of a model, drawn in software: `condyle render`, and the video of a run.

mod image;
mod render;
mod video;
mod view;

pub(crate) use render::{RenderArguments, render};
pub(crate) use video::Video;
pub(crate) use view::ViewArguments;
