//! Pictures without a graphics driver: an abstract scene in; colour, depth and segmentation out.
//!
//! Internal: programs depend on the crate `condyle`, which re-exports what they need. Everything here may change in any version.
//!
//! The picture is that of the fixed graphics pipeline MuJoCo draws with: corners of surfaces are lit, colours interpolated, textures
//! and fog applied, shadows and one mirror added, transparent surfaces blended in order and four samples averaged for each pixel.
//! Coverage is decided with integers and colours with exactly rounded operations alone, so a picture has the same bits on every
//! machine and for every number of threads.
//!
//! | part | file |
//! |---|---|
//! | surfaces | `shape.rs`, `builtin.rs`, `model_shapes.rs`, `surface.rs`, `texture.rs`, `even.rs`, `context.rs`, `fingerprint.rs` |
//! | scene to surfaces | `assemble.rs`, `draw.rs`, `view.rs` |
//! | surfaces to triangles in tiles | `setup.rs`, `wire.rs`, `batch.rs`, `window.rs` |
//! | visible surfaces and colours | `raster.rs`, `lanes.rs`, `shade.rs`, `few.rs`, `cells.rs`, `corner.rs`, `light.rs`, `tiles.rs` |
//! | shadows | `lamp.rs`, `shadow.rs`, `cover.rs` |
//! | all together | `frame.rs` |
//! | text and figures over a picture | `overlay.rs`, `figure.rs`, `font.rs` |

#![warn(missing_docs)]

mod assemble;
mod batch;
mod builtin;
mod cells;
pub mod context;
mod corner;
mod cover;
mod draw;
mod even;
mod exact;
mod few;
pub mod figure;
mod fingerprint;
pub mod font;
mod font_metrics;
mod frame;
mod lamp;
mod lanes;
mod light;
mod model_shapes;
pub mod overlay;
mod printf;
mod raster;
mod setup;
mod shade;
mod shadow;
mod shape;
pub mod surface;
pub mod target;
mod texture;
mod tiles;
mod vector;
mod view;
mod window;
mod wire;

pub use context::{Context, RenderError, Settings};
pub use frame::Renderer;
pub use target::Target;
pub use view::Rect;
