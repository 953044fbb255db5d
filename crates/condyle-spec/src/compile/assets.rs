//! Assets: meshes, textures, height fields and skins read and processed, and the elements that use them.

use std::path::Path;
use std::sync::Arc;

use condyle_asset::cache::{self, Fingerprint};
use condyle_asset::isosurface::isosurface;
use condyle_asset::mesh::{BuiltinMesh, builtin_mesh};
use condyle_asset::texture::{
    BuiltinTexture, Mark, Pattern, builtin_texture, cube_from_grid, cube_from_squares,
};
use condyle_asset::{
    AssetError, CompiledMesh, MeshData, MeshInertia as AssetInertia, MeshOptions, compile_mesh, hfield,
    image, msh, obj, scene, skin, stl,
};
use condyle_model::diagnostic::Diagnostic;
use condyle_model::files::{LFS_HELP, is_lfs_pointer};
use condyle_model::{ColorSpace, GeomType, ObjectType, TextureType, files};

use super::problems::{ASSET, TOO_LARGE, VALUE, element_error, label};
use super::source::AssetSource;
use super::work::{HFieldWork, MeshWork, SkinWork, TextureWork, Work, strip_path};
use crate::element::{Element, Info};
use crate::orientation::{MeshBuiltin, MeshInertia, TextureBuiltin, TextureMark};
use crate::spec::Spec;

/// Most elevations of a height field.
const MAX_ELEVATIONS: usize = 1 << 26;

/// Content type of an asset: as declared, or by the extension of its file; `None` when neither is known.
pub(crate) fn content_type(declared: &str, file: &str) -> Option<String> {
    if !declared.is_empty() {
        let (kind, rest) = declared.split_once('/')?;
        let subtype = rest.split(';').next().unwrap_or("");
        return (!kind.is_empty() && !subtype.is_empty()).then(|| format!("{kind}/{subtype}"));
    }
    let extension = file.rfind('.').map_or("", |dot| &file[dot..]).to_ascii_lowercase();
    let known = match extension.as_str() {
        ".stl" => "model/stl",
        ".obj" => "model/obj",
        ".ply" => "model/ply",
        ".msh" => "model/vnd.mujoco.msh",
        ".png" => "image/png",
        _ => return None,
    };
    Some(known.to_owned())
}

/// Scene files, which MuJoCo does not read.
const COLLADA: &str = "model/vnd.collada+xml";
const GLTF: &str = "model/gltf";

/// Content type of a mesh file that holds a scene.
fn scene_type(file: &str) -> Option<&'static str> {
    match files::extension(file).to_ascii_lowercase().as_str() {
        ".dae" => Some(COLLADA),
        ".glb" | ".gltf" => Some(GLTF),
        _ => None,
    }
}

/// An error inside an asset, at the element that uses it.
fn asset_error<T: Element>(element: &T, file: &str, error: AssetError) -> Diagnostic {
    let place = match error.location {
        condyle_asset::Location::Whole => String::new(),
        condyle_asset::Location::Byte(offset) => format!(" (byte {offset})"),
        condyle_asset::Location::Line(line) => format!(" (line {line})"),
    };
    let file = if file.is_empty() { String::new() } else { format!("file '{file}': ") };
    let mut diagnostic = element_error(ASSET, element, "file", format!("{file}{}{place}", error.message));
    diagnostic.notes = error.notes;
    match error.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// Reads asset files for the elements of one spec.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub spec: &'a Spec,
    pub source: &'a dyn AssetSource,
}

impl Reader<'_> {
    fn read<T: Element>(&self, element: &T, directory: &str, file: &str) -> Result<Vec<u8>, Diagnostic> {
        let folder = self.folder(element.info());
        let name = files::join(directory, file);
        let bytes = self.source.read(folder, &name).map_err(|reason| {
            let path = files::join(&folder.to_string_lossy(), &name);
            element_error(ASSET, element, "file", format!("cannot read file '{file}': {reason}"))
                .note(format!("looked for '{path}'"))
                .help("paths start from the model file's folder, then meshdir, texturedir or assetdir")
        })?;
        if is_lfs_pointer(&bytes) {
            let message = format!("file '{file}' is a git-LFS pointer, not the file itself");
            return Err(element_error(ASSET, element, "file", message).help(LFS_HELP));
        }
        Ok(bytes)
    }

    fn folder(&self, info: &Info) -> &Path {
        let attached = info.origin.0.checked_sub(1).and_then(|index| self.spec.attached.get(index as usize));
        match attached {
            Some((_, folder)) if !folder.as_os_str().is_empty() => folder,
            _ => &self.spec.modelfiledir,
        }
    }
}

impl Work<'_> {
    /// Connects geoms, sites, tendons, skins and materials with their assets, and notes which meshes need a hull.
    pub(super) fn index_assets(&mut self) {
        let mut problems = Vec::new();
        for index in 0..self.geoms.len() {
            let source = self.geoms[index].source;
            if !source.meshname.is_empty() {
                match self.require(source, "mesh", ObjectType::Mesh, &source.meshname) {
                    Ok(mesh) => {
                        self.geoms[index].mesh = Some(mesh);
                        self.meshes[mesh].need_sdf |= source.kind == GeomType::Sdf;
                    }
                    Err(problem) => problems.push(problem),
                }
            }
            if !source.hfieldname.is_empty() {
                match self.require(source, "hfield", ObjectType::HField, &source.hfieldname) {
                    Ok(hfield) => self.geoms[index].hfield = Some(hfield),
                    Err(problem) => problems.push(problem),
                }
            }
            let mesh_material = self.geoms[index].mesh.map(|mesh| self.meshes[mesh].source.material.as_str());
            let material =
                if source.material.is_empty() { mesh_material.unwrap_or("") } else { &source.material };
            match self.material(source, material) {
                Ok(material) => self.geoms[index].material = material,
                Err(problem) => problems.push(problem),
            }
        }
        for index in 0..self.sites.len() {
            let source = self.sites[index].source;
            match self.material(source, &source.material) {
                Ok(material) => self.sites[index].material = material,
                Err(problem) => problems.push(problem),
            }
        }
        for index in 0..self.skins.len() {
            let source = self.skins[index].source;
            match self.material(source, &source.material) {
                Ok(material) => self.skins[index].material = material,
                Err(problem) => problems.push(problem),
            }
        }
        for index in 0..self.materials.len() {
            let source = self.materials[index].source;
            for (role, name) in source.textures.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
                match self.require(source, "texture", ObjectType::Texture, name) {
                    Ok(texture) => self.materials[index].textures[role] = Some(texture),
                    Err(problem) => problems.push(problem),
                }
            }
        }
        for problem in problems {
            self.problems.push(problem);
        }
    }

    /// Connects tendons with their materials.
    pub(super) fn index_tendon_materials(&mut self) {
        for index in 0..self.tendons.len() {
            let source = self.tendons[index].source;
            match self.material(source, &source.material) {
                Ok(material) => self.tendons[index].material = material,
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    pub(crate) fn material<T: Element>(&self, element: &T, name: &str) -> Result<Option<usize>, Diagnostic> {
        if name.is_empty() || self.spec.compiler.discardvisual {
            return Ok(None);
        }
        self.require(element, "material", ObjectType::Material, name).map(Some)
    }

    /// Marks the meshes whose convex hull is needed: those that can collide or take their inertia from it.
    pub(super) fn mark_needed_hulls(&mut self) {
        let mut in_pair = vec![false; self.geoms.len()];
        for pair in &self.pairs {
            for geom in pair.geoms {
                in_pair[geom] = true;
            }
        }
        for (geom, paired) in self.geoms.iter().zip(in_pair) {
            let Some(mesh) = geom.mesh else { continue };
            let source = geom.source;
            let collides = source.contype != 0 || source.conaffinity != 0 || paired;
            if matches!(source.kind, GeomType::Mesh | GeomType::Sdf)
                && (collides || self.meshes[mesh].source.inertia == MeshInertia::Convex)
            {
                self.meshes[mesh].need_hull = true;
            }
        }
    }

    /// Reads and processes meshes and textures, several at a time.
    pub(super) fn compile_meshes_and_textures(&mut self, source: &dyn AssetSource) {
        let reader = Reader { spec: self.spec, source };
        let threads = if self.spec.compiler.usethread { available_threads() } else { 1 };
        let compiled = in_parallel(&self.meshes, threads, |mesh| load_mesh(reader, mesh));
        for (index, result) in compiled.into_iter().enumerate() {
            match result {
                Ok(compiled) => self.meshes[index].compiled = Some(compiled),
                Err(problem) => {
                    let problem = self.with_users(problem, index);
                    self.problems.push(problem);
                }
            }
        }
        self.warn_of_formats();
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

    /// Says once for each format which meshes MuJoCo would not read.
    fn warn_of_formats(&mut self) {
        let is_scene = |mesh: &MeshWork<'_>| {
            content_type(&mesh.source.content_type, &mesh.file).is_none() && scene_type(&mesh.file).is_some()
        };
        let is_text = |mesh: &MeshWork<'_>| mesh.compiled.as_ref().is_some_and(|found| found.from_text_stl);
        let scenes = self.warning_of_format("Collada or glTF", is_scene);
        let texts = self.warning_of_format("text STL", is_text);
        for warning in scenes.into_iter().chain(texts) {
            self.problems.push(warning);
        }
    }

    fn warning_of_format(&self, format: &str, is_in: impl Fn(&MeshWork<'_>) -> bool) -> Option<Diagnostic> {
        let mut meshes = self.meshes.iter().filter(|mesh| is_in(mesh));
        let first = meshes.next()?;
        let others = match meshes.count() {
            0 => format!("is a {format} file"),
            1 => format!("and one more are {format} files"),
            count => format!("and {count} more are {format} files"),
        };
        let message = format!("mesh '{}' {others}, which MuJoCo 3.5.0 does not read", first.source.info.name);
        let warning = Diagnostic::warning("W0708", message).at(first.source.info.at("file"));
        Some(warning.help("convert them to OBJ or binary STL if the model is to load there too"))
    }

    /// The problem of a mesh with the geoms that use it.
    fn with_users(&self, problem: Diagnostic, mesh: usize) -> Diagnostic {
        let mut users = self.geoms.iter().filter(|geom| geom.mesh == Some(mesh)).map(|geom| geom.source);
        let Some(first) = users.next() else { return problem.note("no geom uses this mesh") };
        let place = first.info.location.as_ref().map_or(String::new(), |location| format!(" at {location}"));
        let others = match users.count() {
            0 => String::new(),
            1 => " and one more".to_owned(),
            count => format!(" and {count} more"),
        };
        problem.note(format!("used by {}{place}{others}", label("geom", &first.info)))
    }

    /// Reads the height fields.
    pub(super) fn compile_hfields(&mut self, source: &dyn AssetSource) {
        let reader = Reader { spec: self.spec, source };
        for index in 0..self.hfields.len() {
            match load_hfield(reader, &self.hfields[index]) {
                Ok(field) => {
                    let hfield = &mut self.hfields[index];
                    hfield.rows = field.rows;
                    hfield.columns = field.columns;
                    hfield.elevation = field.elevations;
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    /// Reads the skins and finds the bodies that move them.
    pub(super) fn compile_skins(&mut self, source: &dyn AssetSource) {
        let reader = Reader { spec: self.spec, source };
        for index in 0..self.skins.len() {
            if let Err(problem) = self.compile_skin(reader, index) {
                self.problems.push(problem);
            }
        }
    }

    fn compile_skin(&mut self, reader: Reader<'_>, index: usize) -> Result<(), Diagnostic> {
        let source = self.skins[index].source;
        let file = self.skins[index].file.clone();
        let data = load_skin(reader, &self.skins[index])?;
        let data = skin::compile(data).map_err(|error| asset_error(source, &file, error))?;
        let mut bones = Vec::with_capacity(data.bones.len());
        for bone in &data.bones {
            bones.push(self.require(source, "body", ObjectType::Body, &bone.body)?);
        }
        let skin = &mut self.skins[index];
        (skin.data, skin.bones) = (data, bones);
        Ok(())
    }
}

fn load_mesh(reader: Reader<'_>, mesh: &MeshWork<'_>) -> Result<Arc<CompiledMesh>, Diagnostic> {
    let source = mesh.source;
    let mut options = MeshOptions {
        scale: source.scale,
        reference_position: source.refpos,
        reference_orientation: source.refquat,
        inertia: match source.inertia {
            MeshInertia::Convex => AssetInertia::Convex,
            MeshInertia::Exact => AssetInertia::Exact,
            MeshInertia::Legacy => AssetInertia::Legacy,
            MeshInertia::Shell => AssetInertia::Shell,
        },
        smooth_normals: source.smoothnormal,
        max_hull_vertices: source.maxhullvert,
        need_hull: mesh.need_hull,
        need_distance_field: mesh.need_sdf,
        ..MeshOptions::default()
    };
    let inline = MeshData {
        vertices: source.vertices.clone(),
        normals: source.normals.clone(),
        texcoords: source.texcoords.clone(),
        faces: source.faces.clone(),
        face_normals: source.face_normals.clone(),
        face_texcoords: source.face_texcoords.clone(),
    };
    let in_asset = |error| asset_error(source, &mesh.file, error);
    let mut data = inline;
    if let Some(kind) = builtin_kind(source.builtin) {
        data = builtin_mesh(kind, &source.params).map_err(in_asset)?;
        if kind == BuiltinMesh::Plate {
            options.inertia = AssetInertia::Shell;
        }
    }
    if let Some(shape) = &mesh.shape {
        let shape = shape.clone()?;
        let made = isosurface(shape.half_extents(), |point| shape.distance(point)).map_err(in_asset)?;
        data = MeshData { texcoords: data.texcoords, face_texcoords: data.face_texcoords, ..made };
        options.reorient = false;
        options.need_distance_field = false;
    } else if !mesh.file.is_empty() {
        return load_mesh_file(reader, mesh, data, options);
    } else {
        // Normal indices written in the model complete a file; a mesh without one takes them from its faces.
        data.face_normals.clear();
    }
    let fingerprint = mesh_fingerprint("", &[], &data, &options);
    cache::get_or_make(&fingerprint, || compile_mesh(data, &options)).map_err(in_asset)
}

/// A mesh from a file, completed with what is written in the model.
fn load_mesh_file(
    reader: Reader<'_>,
    mesh: &MeshWork<'_>,
    inline: MeshData,
    mut options: MeshOptions,
) -> Result<Arc<CompiledMesh>, Diagnostic> {
    let source = mesh.source;
    let in_asset = |error| asset_error(source, &mesh.file, error);
    let compiler = reader.spec.compiler_of(source.info.origin);
    let bytes = reader.read(source, &compiler.meshdir, &mesh.file)?;
    let kind =
        content_type(&source.content_type, &mesh.file).or_else(|| scene_type(&mesh.file).map(str::to_owned));
    let mirrored = options.mirrored();
    options.from_obj = kind.as_deref() == Some("model/obj");
    let beside = |name: &str| {
        let beside = files::join(files::folder(&mesh.file), name);
        reader.source.read(reader.folder(&source.info), &files::join(&compiler.meshdir, &beside))
    };
    let read: &dyn Fn() -> Result<MeshData, AssetError> = match kind.as_deref() {
        Some("model/stl") => &|| stl::read(&bytes, mirrored),
        Some("model/obj") => &|| obj::read(&bytes, mirrored),
        Some("model/vnd.mujoco.msh") => &|| msh::read(&bytes, mirrored),
        Some(COLLADA) => &|| scene::read_collada(&bytes, mirrored),
        Some(GLTF) => &|| scene::read_gltf(&bytes, mirrored, &beside),
        _ => {
            let message = format!("unknown or unsupported mesh file '{}'", mesh.file);
            return Err(element_error(ASSET, source, "file", message)
                .help("STL, OBJ, MSH, Collada and glTF files can be read; convert other formats to OBJ"));
        }
    };
    let make = |inline: MeshData| {
        let mut data = read()?;
        data.complete_with(inline)?;
        let compiled = compile_mesh(data, &options)?;
        let from_text_stl = kind.as_deref() == Some("model/stl") && stl::is_text(&bytes);
        Ok(CompiledMesh { from_text_stl, ..compiled })
    };
    // A glTF file may read others, whose content is not known before.
    if kind.as_deref() == Some(GLTF) || !cache::is_on() {
        return make(inline).map(Arc::new).map_err(in_asset);
    }
    let fingerprint = mesh_fingerprint(kind.as_deref().unwrap_or_default(), &bytes, &inline, &options);
    cache::get_or_make(&fingerprint, || make(inline)).map_err(in_asset)
}

/// Everything a mesh is made from.
fn mesh_fingerprint(kind: &str, file: &[u8], inline: &MeshData, options: &MeshOptions) -> Fingerprint {
    let MeshData { vertices, normals, texcoords, faces, face_normals, face_texcoords } = inline;
    let MeshOptions {
        scale,
        reference_position,
        reference_orientation,
        inertia,
        smooth_normals,
        max_hull_vertices,
        need_hull,
        need_distance_field,
        reorient,
        from_obj,
    } = options;
    let mut fingerprint = Fingerprint::new("mesh");
    fingerprint.bytes(kind.as_bytes());
    fingerprint.bytes(file);
    for numbers in [vertices, normals, texcoords] {
        fingerprint.singles(numbers);
    }
    for numbers in [faces, face_normals, face_texcoords] {
        fingerprint.integers(numbers);
    }
    for numbers in [&scale[..], &reference_position[..], &reference_orientation[..]] {
        fingerprint.doubles(numbers);
    }
    fingerprint.number(*inertia as u64);
    fingerprint.integers(&[*max_hull_vertices]);
    for choice in [smooth_normals, need_hull, need_distance_field, reorient, from_obj] {
        fingerprint.number(u64::from(*choice));
    }
    fingerprint
}

fn builtin_kind(kind: MeshBuiltin) -> Option<BuiltinMesh> {
    Some(match kind {
        MeshBuiltin::None => return None,
        MeshBuiltin::Sphere => BuiltinMesh::Sphere,
        MeshBuiltin::Hemisphere => BuiltinMesh::Hemisphere,
        MeshBuiltin::Cone => BuiltinMesh::Cone,
        MeshBuiltin::Supersphere => BuiltinMesh::Supersphere,
        MeshBuiltin::Supertorus => BuiltinMesh::Supertorus,
        MeshBuiltin::Wedge => BuiltinMesh::Wedge,
        MeshBuiltin::Plate => BuiltinMesh::Plate,
    })
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

fn load_hfield(reader: Reader<'_>, field: &HFieldWork<'_>) -> Result<hfield::HeightField, Diagnostic> {
    let source = field.source;
    let [rows, columns] = [source.nrow, source.ncol].map(|n| usize::try_from(n).unwrap_or(0));
    if rows.saturating_mul(columns) > MAX_ELEVATIONS {
        let message = format!("{rows} by {columns} elevations, at most {MAX_ELEVATIONS} are possible");
        return Err(element_error(TOO_LARGE, source, "nrow", message));
    }
    if source.size.iter().any(|&size| size <= 0.0) {
        return Err(element_error(VALUE, source, "size", "size parameters must be positive"));
    }
    let mut loaded = if field.file.is_empty() {
        if !source.elevation.is_empty() && source.elevation.len() != rows * columns {
            let message =
                format!("elevation has {} values, nrow*ncol is {}", source.elevation.len(), rows * columns);
            return Err(element_error(VALUE, source, "elevation", message));
        }
        hfield::HeightField { rows, columns, elevations: source.elevation.clone() }
    } else {
        if rows > 0 || columns > 0 || !source.elevation.is_empty() {
            return Err(element_error(VALUE, source, "file", "hfield specified from file and manually"));
        }
        let compiler = reader.spec.compiler_of(source.info.origin);
        let bytes = reader.read(source, &compiler.meshdir, &field.file)?;
        let kind = content_type(&source.content_type, &field.file);
        match kind.as_deref() {
            Some("image/png") => hfield::read_png(&bytes),
            None | Some("image/vnd.mujoco.hfield") => hfield::read_binary(&bytes),
            Some(other) => {
                let message = format!("unsupported content type '{other}'");
                return Err(element_error(ASSET, source, "content_type", message));
            }
        }
        .map_err(|error| asset_error(source, &field.file, error))?
    };
    if loaded.rows < 1 || loaded.columns < 1 || loaded.elevations.is_empty() {
        let message = "hfield has no elevations";
        return Err(
            element_error(VALUE, source, "nrow", message).help("set file, or nrow, ncol and elevation")
        );
    }
    hfield::normalize(&mut loaded).map_err(|error| asset_error(source, &field.file, error))?;
    Ok(loaded)
}

fn load_skin(reader: Reader<'_>, skin: &SkinWork<'_>) -> Result<skin::SkinData, Diagnostic> {
    let source = skin.source;
    if skin.file.is_empty() {
        return Ok(skin::SkinData {
            vertices: source.vertices.clone(),
            texcoords: source.texcoords.clone(),
            faces: source.faces.clone(),
            bones: source
                .bones
                .iter()
                .map(|bone| skin::SkinBone {
                    body: bone.body.clone(),
                    position: bone.bindpos,
                    orientation: bone.bindquat,
                    vertices: bone.vertid.clone(),
                    weights: bone.vertweight.clone(),
                })
                .collect(),
        });
    }
    let inline = !source.vertices.is_empty()
        || !source.texcoords.is_empty()
        || !source.faces.is_empty()
        || !source.bones.is_empty();
    if inline {
        return Err(element_error(VALUE, source, "file", "both skin data and file were specified"));
    }
    if !skin.file.to_ascii_lowercase().ends_with(".skn") {
        return Err(element_error(ASSET, source, "file", "unknown skin file type, expected .skn"));
    }
    let compiler = reader.spec.compiler_of(source.info.origin);
    let bytes = reader.read(source, &compiler.meshdir, &skin.file)?;
    skin::read(&bytes).map_err(|error| asset_error(source, &skin.file, error))
}

fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Applies a function to all items, several at a time; the results are in order.
fn in_parallel<T: Sync, R: Send>(items: &[T], threads: usize, function: impl Fn(&T) -> R + Sync) -> Vec<R> {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let threads = threads.min(items.len());
    if threads < 2 {
        return items.iter().map(function).collect();
    }
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new((0..items.len()).map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = function(item);
                    if let Ok(mut results) = results.lock() {
                        results[index] = Some(result);
                    }
                }
            });
        }
    });
    results.into_inner().map(|results| results.into_iter().flatten().collect()).unwrap_or_default()
}
