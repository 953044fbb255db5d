//! Textures: read from files, written in the model or made from a pattern.

use std::sync::Arc;

use condyle_asset::cache::{self, Fingerprint};
use condyle_asset::image;
use condyle_asset::texture::{
    BuiltinTexture, Mark, Pattern, builtin_texture, cube_from_grid, cube_from_squares,
};
use condyle_base::diagnostic::Diagnostic;
use condyle_model::{ColorSpace, Model, TextureType};

use super::asset_file::{Reader, asset_error, asset_name, content_type, strip_path, stripped};
use super::in_parallel::{available_threads, in_parallel};
use super::problems::{ASSET, VALUE, element_error};
use super::source::AssetSource;
use super::work::Work;
use crate::element::Texture;
use crate::orientation::{TextureBuiltin, TextureMark};
use crate::spec::Spec;

/// A texture while the model is compiled.
pub(crate) struct TextureWork<'s> {
    pub source: &'s Texture,
    pub name: String,
    pub file: String,
    pub colorspace: i32,
    pub width: usize,
    pub height: usize,
    pub channels: usize,
    pub data: Vec<u8>,
}

impl<'s> TextureWork<'s> {
    pub(super) fn new(spec: &Spec, source: &'s Texture) -> Self {
        Self {
            source,
            name: asset_name(&source.info.name, &source.file),
            file: stripped(spec, &source.file),
            colorspace: source.colorspace as i32,
            width: 0,
            height: 0,
            channels: 0,
            data: Vec::new(),
        }
    }
}

impl Work<'_> {
    /// Reads or makes the textures, several at a time.
    pub(super) fn compile_textures(&mut self, source: &dyn AssetSource) {
        let reader = Reader { spec: self.spec, source };
        let threads = if self.spec.compiler.usethread { available_threads() } else { 1 };
        let images = in_parallel(&self.textures, threads, |texture| load_texture(reader, texture));
        for (texture, result) in self.textures.iter_mut().zip(images) {
            match result {
                Ok((image, colorspace)) => {
                    texture.width = image.width;
                    texture.height = image.height;
                    texture.channels = image.channels;
                    texture.data = image.pixels;
                    texture.colorspace = colorspace as i32;
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    pub(super) fn write_textures(&self, model: &mut Model) {
        let mut address = 0;
        for (at, texture) in self.textures.iter().enumerate() {
            texture.source.write_entries(model, at);
            model.tex_colorspace[at] = texture.colorspace;
            model.tex_height[at] = texture.height as i32;
            model.tex_width[at] = texture.width as i32;
            model.tex_nchannel[at] = texture.channels as i32;
            model.tex_adr[at] = address as i64;
            model.tex_data[address..address + texture.data.len()].copy_from_slice(&texture.data);
            address += texture.data.len();
        }
    }
}

fn load_texture(
    reader: Reader<'_>,
    texture: &TextureWork<'_>,
) -> Result<(image::Image, ColorSpace), Diagnostic> {
    let source = texture.source;
    let in_asset = |error| asset_error(source, &texture.file, error);
    let flat = source.kind == TextureType::Flat;
    if !source.data.is_empty() {
        let [width, height, channels] =
            [source.width, source.height, source.nchannel].map(|n| usize::try_from(n).unwrap_or(0));
        let expected = width.saturating_mul(height).saturating_mul(channels);
        if source.data.len() != expected {
            let message = format!("texture has {} bytes, expected {expected}", source.data.len());
            return Err(element_error(VALUE, source, "", message));
        }
        let mut image = image::Image { width, height, channels, srgb: false, pixels: source.data.clone() };
        flip(&mut image, source.hflip, source.vflip);
        return Ok((image, source.colorspace));
    }
    if let Some(pattern) = match source.builtin {
        TextureBuiltin::None => None,
        TextureBuiltin::Gradient => Some(Pattern::Gradient),
        TextureBuiltin::Checker => Some(Pattern::Checker),
        TextureBuiltin::Flat => Some(Pattern::Flat),
    } {
        let made = builtin_texture(&BuiltinTexture {
            pattern,
            mark: match source.mark {
                TextureMark::None => Mark::None,
                TextureMark::Edge => Mark::Edge,
                TextureMark::Cross => Mark::Cross,
                TextureMark::Random => Mark::Random(source.random),
            },
            rgb1: source.rgb1,
            rgb2: source.rgb2,
            mark_rgb: source.markrgb,
            width: source.width,
            height: source.height,
            channels: source.nchannel,
            cube: !flat,
        });
        return made.map(|image| (image, source.colorspace)).map_err(in_asset);
    }
    let colorspace = |srgb: bool| match (source.colorspace, srgb) {
        (ColorSpace::Auto, true) => ColorSpace::Srgb,
        (ColorSpace::Auto, false) => ColorSpace::Linear,
        (given, _) => given,
    };
    if !texture.file.is_empty() {
        let image = load_image(reader, texture, &texture.file)?;
        let colorspace = colorspace(image.srgb);
        if flat {
            return Ok((image, colorspace));
        }
        let cube =
            cube_from_grid(&image, source.gridsize, &source.gridlayout, &source.rgb1).map_err(in_asset)?;
        return Ok((cube, colorspace));
    }
    if flat {
        let message = "a 2d texture needs a file or a builtin pattern";
        return Err(element_error(ASSET, source, "", message));
    }
    let mut squares: [Option<image::Image>; 6] = Default::default();
    for (square, file) in squares.iter_mut().zip(&source.cubefiles).filter(|(_, file)| !file.is_empty()) {
        let file = if reader.spec.strippath { strip_path(file) } else { file };
        *square = Some(load_image(reader, texture, file)?);
    }
    let srgb = squares.iter().flatten().next().is_some_and(|image| image.srgb);
    let cube = cube_from_squares(&squares, &source.rgb1).map_err(in_asset)?;
    Ok((cube, colorspace(srgb)))
}

fn load_image(reader: Reader<'_>, texture: &TextureWork<'_>, file: &str) -> Result<image::Image, Diagnostic> {
    let source = texture.source;
    let compiler = reader.spec.compiler_of(source.info.origin);
    let bytes = reader.read(source, &compiler.texturedir, file)?;
    let kind = content_type(&source.content_type, file);
    let loaded = match kind.as_deref() {
        Some("image/png") => {
            let channels = usize::try_from(source.nchannel).unwrap_or(0);
            let mut fingerprint = Fingerprint::new("png");
            fingerprint.bytes(&bytes);
            fingerprint.number(channels as u64);
            cache::get_or_make(&fingerprint, || image::read_png(&bytes, channels)).map(Arc::unwrap_or_clone)
        }
        Some("image/ktx") => {
            if source.hflip || source.vflip {
                return Err(element_error(VALUE, source, "hflip", "cannot flip KTX textures"));
            }
            image::read_ktx(&bytes)
        }
        None | Some("image/vnd.mujoco.texture") => image::read_binary(&bytes),
        Some(other) => {
            let message = format!("unsupported content type '{other}'");
            return Err(element_error(ASSET, source, "content_type", message));
        }
    };
    let mut image = loaded.map_err(|error| asset_error(source, file, error))?;
    flip(&mut image, source.hflip, source.vflip);
    Ok(image)
}

fn flip(image: &mut image::Image, horizontally: bool, vertically: bool) {
    if horizontally {
        image.flip_horizontally();
    }
    if vertically {
        image.flip_vertically();
    }
}
