//! Meshes: read from files, written in the model, built in or made by plugins; processed; and which need a hull.

use std::sync::Arc;

use condyle_asset::cache::{self, Fingerprint};
use condyle_asset::isosurface::isosurface;
use condyle_asset::mesh::{BuiltinMesh, builtin_mesh};
use condyle_asset::{
    AssetError, CompiledMesh, MeshData, MeshInertia as AssetInertia, MeshOptions, compile_mesh, msh, obj,
    scene, stl,
};
use condyle_base::diagnostic::Diagnostic;
use condyle_base::files;
use condyle_collide::sdf::Shape;
use condyle_model::{GeomType, Model};

use super::asset_file::{Reader, asset_error, asset_name, content_type, stripped};
use super::in_parallel::{available_threads, in_parallel};
use super::problems::{ASSET, element_error, label};
use super::source::AssetSource;
use super::work::Work;
use crate::element::Mesh;
use crate::orientation::{MeshBuiltin, MeshInertia};
use crate::spec::Spec;

/// Scene files, which MuJoCo does not read.
const COLLADA: &str = "model/vnd.collada+xml";
const GLTF: &str = "model/gltf";

/// A mesh while the model is compiled.
pub(crate) struct MeshWork<'s> {
    pub source: &'s Mesh,
    pub name: String,
    pub file: String,
    pub need_hull: bool,
    pub need_sdf: bool,
    /// Shape an extension makes the mesh from, or why it cannot.
    pub shape: Option<Result<Shape, Diagnostic>>,
    pub compiled: Option<Arc<CompiledMesh>>,
    pub visual: bool,
    pub discarded: bool,
}

impl<'s> MeshWork<'s> {
    pub(super) fn new(spec: &Spec, source: &'s Mesh) -> Self {
        Self {
            source,
            name: asset_name(&source.info.name, &source.file),
            file: stripped(spec, &source.file),
            need_hull: false,
            need_sdf: source.needsdf,
            shape: None,
            compiled: None,
            visual: true,
            discarded: false,
        }
    }
}

impl Work<'_> {
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

    /// Reads and processes the meshes, several at a time.
    pub(super) fn compile_meshes(&mut self, source: &dyn AssetSource) {
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
        let (others, pronoun) = match meshes.count() {
            0 => (format!("is a {format} file"), "it"),
            1 => (format!("and one more are {format} files"), "them"),
            count => (format!("and {count} more are {format} files"), "them"),
        };
        let message = format!("mesh '{}' {others}, which MuJoCo 3.5.0 does not read", first.source.info.name);
        let warning = Diagnostic::warning("W0708", message).at(first.source.info.at("file"));
        let help = format!("convert {pronoun} to OBJ or binary STL if the model should load there too");
        Some(warning.help(help))
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

    /// The meshes of the model in their order.
    pub(super) fn compiled_meshes(&self) -> impl Iterator<Item = (&MeshWork<'_>, &Arc<CompiledMesh>)> {
        let kept = self.meshes.iter().filter(|mesh| !mesh.discarded);
        kept.filter_map(|mesh| mesh.compiled.as_ref().map(|compiled| (mesh, compiled)))
    }

    pub(super) fn write_meshes(&self, model: &mut Model) {
        let mut volume =
            self.body_order.iter().map(|&body| self.bodies[body].bvh.node_id.len()).sum::<usize>();
        let (mut vertex, mut normal, mut texcoord, mut face, mut graph) = (0, 0, 0, 0, 0);
        let (mut polygon, mut corner, mut map, mut cell) = (0, 0, 0, 0);
        for (at, (mesh, compiled)) in self.compiled_meshes().enumerate() {
            let polygons = &compiled.polygons;
            let vertices = compiled.vertices_f32();
            let (nvertex, nface) = (compiled.vertices.len(), compiled.faces.len() / 3);
            let (nnormal, ntexcoord) = (compiled.normals.len() / 3, compiled.texcoords.len() / 2);
            let nodes = compiled.bvh.node_id.len();
            model.mesh_polyadr[at] = polygon as i32;
            model.mesh_polynum[at] = polygons.outlines.len() as i32;
            model.mesh_vertadr[at] = vertex as i32;
            model.mesh_vertnum[at] = nvertex as i32;
            model.mesh_normaladr[at] = normal as i32;
            model.mesh_normalnum[at] = nnormal as i32;
            model.mesh_texcoordadr[at] = if ntexcoord > 0 { texcoord as i32 } else { -1 };
            model.mesh_texcoordnum[at] = ntexcoord as i32;
            model.mesh_faceadr[at] = face as i32;
            model.mesh_facenum[at] = nface as i32;
            model.mesh_bvhnum[at] = nodes as i32;
            model.mesh_bvhadr[at] = if nodes > 0 { volume as i32 } else { -1 };
            model.mesh_octnum[at] = 0;
            model.mesh_octadr[at] = -1;
            if let Some(octree) = &compiled.octree {
                let cells = octree.level.len();
                model.mesh_octnum[at] = cells as i32;
                model.mesh_octadr[at] = cell as i32;
                model.oct_depth[cell..cell + cells].copy_from_slice(&octree.level);
                model.oct_child[cell..cell + cells].copy_from_slice(&octree.child);
                model.oct_aabb[cell..cell + cells].copy_from_slice(&octree.aabb);
                model.oct_coeff[cell..cell + cells].copy_from_slice(&octree.coefficient);
                cell += cells;
            }
            mesh.source.write_entries(model, at);
            model.mesh_pos[at] = compiled.position;
            model.mesh_quat[at] = compiled.orientation;
            copy_rows(&mut model.mesh_vert, vertex, &vertices);
            copy_rows(&mut model.mesh_normal, normal, &compiled.normals);
            copy_rows(&mut model.mesh_texcoord, texcoord, &compiled.texcoords);
            copy_rows(&mut model.mesh_face, face, &compiled.faces);
            copy_rows(&mut model.mesh_facenormal, face, &compiled.face_normals);
            if ntexcoord > 0 {
                copy_rows(&mut model.mesh_facetexcoord, face, &compiled.face_texcoords);
            }
            model.mesh_graphadr[at] = -1;
            if let Some(hull) = &compiled.hull {
                let array = hull.to_array();
                model.mesh_graphadr[at] = graph as i32;
                model.mesh_graph[graph..graph + array.len()].copy_from_slice(&array);
                graph += array.len();
            }
            for (outline, row) in polygons.outlines.iter().zip(&polygons.normals) {
                model.mesh_polynormal[polygon] = *row;
                model.mesh_polyvertadr[polygon] = corner as i32;
                model.mesh_polyvertnum[polygon] = outline.len() as i32;
                model.mesh_polyvert[corner..corner + outline.len()].copy_from_slice(outline);
                polygon += 1;
                corner += outline.len();
            }
            for (offset, around) in polygons.around_vertex.iter().enumerate() {
                model.mesh_polymapadr[vertex + offset] = map as i32;
                model.mesh_polymapnum[vertex + offset] = around.len() as i32;
                model.mesh_polymap[map..map + around.len()].copy_from_slice(around);
                map += around.len();
            }
            for node in 0..nodes {
                model.bvh_aabb[volume + node] = compiled.bvh.aabb[node];
                model.bvh_child[volume + node] = compiled.bvh.child[node];
                model.bvh_depth[volume + node] = compiled.bvh.level[node];
                model.bvh_nodeid[volume + node] = compiled.bvh.node_id[node];
            }
            vertex += nvertex;
            normal += nnormal;
            texcoord += ntexcoord;
            face += nface;
            volume += nodes;
        }
    }
}

/// Content type of a mesh file that holds a scene.
fn scene_type(file: &str) -> Option<&'static str> {
    match files::extension(file).to_ascii_lowercase().as_str() {
        ".dae" => Some(COLLADA),
        ".glb" | ".gltf" => Some(GLTF),
        _ => None,
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

/// Copies flat values into an array of rows, starting at a row.
pub(super) fn copy_rows<S: Copy, const N: usize>(target: &mut [[S; N]], row: usize, values: &[S]) {
    let flat = target.as_flattened_mut();
    flat[row * N..row * N + values.len()].copy_from_slice(values);
}
