//! `condyle render`: one picture of a model.

use std::path::PathBuf;

use clap::Args;
use condyle::pictures::Kind;

use super::image;
use super::view::{ViewArguments, in_words};
use crate::state::StateArguments;
use crate::{Outcome, file, sayln};

/// Endings of single pictures.
const ENDINGS: [&str; 2] = ["png", "npy"];

#[derive(Args)]
pub(crate) struct RenderArguments {
    /// Model file.
    model: PathBuf,
    /// Output file: .png to look at, .npy for raw numbers.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    state: StateArguments,
    #[command(flatten)]
    view: ViewArguments,
    /// Draw depth, the distance from the camera's plane: 16 bits in millimetres as PNG, metres as NPY.
    #[arg(long, conflicts_with = "segmentation")]
    depth: bool,
    /// Draw which element each pixel shows: a colour per element as PNG, its number and kind as NPY.
    #[arg(long)]
    segmentation: bool,
}

pub(crate) fn render(arguments: &RenderArguments) -> Outcome {
    let path = &arguments.output;
    file::check_ending(path, "pictures", &ENDINGS)?;
    file::check_writable(path)?;
    let kind = match (arguments.depth, arguments.segmentation) {
        (true, _) => Kind::Depth,
        (_, true) => Kind::Segmentation,
        _ => Kind::Color,
    };
    let numbers = file::has_ending(path, "npy");
    if numbers && kind == Kind::Color {
        return Err(format!(
            "{}: colours are written as .png\n  = help: .npy is for --depth and --segmentation",
            path.display()
        ));
    }
    let sim = arguments.state.prepare(&arguments.model)?;
    let mut camera = arguments.view.camera(&sim.model)?;
    let mut photographer = arguments.view.photographer(&sim.model)?;
    photographer.take(&sim.model, &sim.data, &mut camera, kind).map_err(|error| in_words(&error))?;
    let size = [photographer.width(), photographer.height()];
    let [width, height] = size;
    let bytes = match kind {
        Kind::Color => {
            let mut rgb = vec![0; width * height * 3];
            photographer.read_color(&mut rgb);
            image::color_png(size, &rgb)?
        }
        Kind::Depth => {
            let mut depth = vec![0.0_f32; width * height];
            photographer.read_depth(&mut depth);
            let values = depth.iter().map(|value| value.to_le_bytes());
            if numbers {
                image::npy("<f4", &format!("({height}, {width})"), values)?
            } else {
                image::depth_png(size, &depth)?
            }
        }
        Kind::Segmentation => {
            let mut pairs = vec![0; width * height * 2];
            photographer.read_segmentation(&mut pairs);
            let values = pairs.iter().map(|value| value.to_le_bytes());
            if numbers {
                image::npy("<i4", &format!("({height}, {width}, 2)"), values)?
            } else {
                image::segmentation_png(size, &pairs)?
            }
        }
    };
    file::write(path, &bytes)?;
    sayln!("{}: {width}x{height} pixels at {:.3} s", path.display(), sim.time());
    Ok(0)
}
