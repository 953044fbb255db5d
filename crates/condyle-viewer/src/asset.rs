//! Meshes, height fields, textures and the topology of skins as binary messages, each sent once when a page first needs it.
//!
//! All begin with the byte 1, the kind, two zeros, the revision of the model and the number of the asset (u32 each). Then
//!
//! | kind | content |
//! |---|---|
//! | mesh, height field, skin | corners, faces, whether there are texture coordinates (u32 each); positions, normals (f32, three each), texture coordinates (f32, two each), faces (u32, three each) |
//! | texture | width, height, faces, whether colours are sRGB (u32 each); red, green, blue, alpha bytes |

use condyle_model::{ColorSpace, Model, TextureType};
use condyle_render::surface::{self, Shape};

use crate::bytes::Writer;
use crate::command::AssetKind;

/// First byte of an asset message.
pub(crate) const ASSET: u8 = 1;

/// Most texels of a texture that are sent.
const MOST_TEXELS: usize = 1 << 26;

/// The message; `None` when the model has no such asset.
pub(crate) fn encode(model: &Model, revision: u32, kind: AssetKind, number: usize) -> Option<Vec<u8>> {
    let mut out = Writer::default();
    out.bytes(&[ASSET, kind as u8, 0, 0]);
    out.unsigned(revision as usize);
    out.unsigned(number);
    match kind {
        AssetKind::Mesh if number / 2 < model.nmesh => {
            let mesh = number / 2;
            let shape = if number % 2 == 1 { surface::hull(model, mesh) } else { surface::mesh(model, mesh) };
            write_shape(&mut out, &shape);
        }
        AssetKind::HeightField if number < model.nhfield => {
            write_shape(&mut out, &surface::height_field(model, number));
        }
        AssetKind::Skin if number < model.nskin => write_shape(&mut out, &surface::skin(model, number)),
        AssetKind::Texture if number < model.ntex => write_texture(&mut out, model, number)?,
        AssetKind::Mesh | AssetKind::HeightField | AssetKind::Skin | AssetKind::Texture => return None,
    }
    Some(out.bytes)
}

fn write_shape(out: &mut Writer, shape: &Shape) {
    // A skin has no positions of its own: they come with every frame.
    let textured = !shape.texcoords.is_empty();
    out.unsigned(shape.positions.len());
    out.unsigned(shape.faces.len());
    out.unsigned(if textured { shape.texcoords.len() } else { 0 });
    out.singles(shape.positions.as_flattened());
    out.singles(shape.normals.as_flattened());
    out.singles(shape.texcoords.as_flattened());
    for corner in shape.faces.as_flattened() {
        out.unsigned(*corner as usize);
    }
}

fn write_texture(out: &mut Writer, model: &Model, texture: usize) -> Option<()> {
    let flat = model.tex_type[texture] == TextureType::Flat as i32;
    let width = usize::try_from(model.tex_width[texture]).ok()?;
    let height = usize::try_from(model.tex_height[texture]).ok()?;
    let channels =
        usize::try_from(model.tex_nchannel[texture]).ok().filter(|count| (1..=4).contains(count))?;
    // A cube has six faces one above the other, or one that is repeated.
    let faces = if flat { 1 } else { (height / width.max(1)).min(6) };
    let texels = width.checked_mul(height).filter(|texels| *texels <= MOST_TEXELS)?;
    let start = usize::try_from(model.tex_adr[texture]).ok()?;
    let data = model.tex_data.get(start..start.checked_add(texels * channels)?)?;
    out.unsigned(width);
    out.unsigned(if flat { height } else { width });
    out.unsigned(faces);
    out.unsigned(usize::from(flat && model.tex_colorspace[texture] == ColorSpace::Srgb as i32));
    for texel in data.chunks_exact(channels) {
        let byte = |channel: usize| texel.get(channel).copied();
        let red = texel[0];
        let grey = channels < 3;
        let green = if grey { red } else { byte(1).unwrap_or(red) };
        let blue = if grey { red } else { byte(2).unwrap_or(red) };
        out.bytes(&[red, green, blue, byte(3).unwrap_or(255)]);
    }
    Some(())
}
