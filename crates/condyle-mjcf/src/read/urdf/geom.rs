//! Shapes of links: visuals and collisions to geoms, and their mesh files.

use super::{Robot, mesh_files};
use crate::conversion::ConversionKind;
use crate::report::Tried;
use crate::xml::{Element, NodeId};
use condyle_base::{Diagnostic, files};
use condyle_model::GeomType;
use condyle_spec::{Geom, Mesh};

/// Places that are listed when a mesh file is not found.
const PLACES_SHOWN: usize = 8;

impl Robot<'_> {
    pub(super) fn geom(&mut self, node: NodeId, collides: bool) -> Option<Geom> {
        let tree = self.reader.tree;
        let geometry = self.only(node, "geometry", true)?;
        let mut geom = Geom { kind: GeomType::Box, ..Geom::default() };
        self.reader.place(tree.get(node), &mut geom.info);
        if !collides {
            (geom.contype, geom.conaffinity, geom.group, geom.density) = (0, 0, 1, 0.0);
        }
        if let Some(shape) = self.only(geometry, "box", false) {
            let size = self.numbers::<3>(shape, "size", true).unwrap_or_default();
            geom.size = size.map(|length| length / 2.0);
        } else if let Some(shape) = self.only(geometry, "cylinder", false) {
            geom.kind = GeomType::Cylinder;
            self.round(shape, &mut geom);
        } else if let Some(shape) = self.only(geometry, "sphere", false) {
            geom.kind = GeomType::Sphere;
            geom.size[0] = self.numbers::<1>(shape, "radius", true).map_or(0.0, |[radius]| radius);
        } else if let Some(shape) = self.only(geometry, "capsule", false) {
            geom.kind = GeomType::Capsule;
            self.round(shape, &mut geom);
        } else if let Some(shape) = self.only(geometry, "mesh", false) {
            geom.kind = GeomType::Mesh;
            geom.meshname = self.mesh(shape)?;
        } else {
            self.reader.report_at(
                Diagnostic::error("E0607", "<geometry> holds no shape"),
                &tree.get(geometry).location(),
                "shapes are <box>, <cylinder>, <sphere>, <capsule> and <mesh>",
            );
            return None;
        }
        (geom.pos, geom.quat) = self.origin(node);
        Some(geom)
    }

    fn round(&mut self, shape: NodeId, geom: &mut Geom) {
        geom.size[0] = self.numbers::<1>(shape, "radius", true).map_or(0.0, |[radius]| radius);
        geom.size[1] = self.numbers::<1>(shape, "length", true).map_or(0.0, |[length]| length / 2.0);
    }

    /// The mesh of a file and scale; one is added for each scale.
    fn mesh(&mut self, node: NodeId) -> Option<String> {
        let element = self.reader.tree.get(node);
        let has_file = self.reader.require(element, "filename");
        let scale = self.numbers::<3>(node, "scale", false).unwrap_or([1.0; 3]);
        if !has_file {
            return None;
        }
        let written = element.attribute("filename").unwrap_or_default();
        let file = if self.reader.spec.strippath { files::last_part(written) } else { written };
        let stem = files::without_extension(files::last_part(file)).to_owned();
        let place = element.location_of("filename");
        if file != written {
            let message = format!(
                "mesh file '{written}' is looked for as '{file}' in meshdir, then by its package or path"
            );
            self.note(ConversionKind::Changed, place.clone(), message);
        }
        let elsewhere = self.elsewhere(element, file);
        let used = (scale, elsewhere.clone());
        let uses = self.meshes.entry(stem.clone()).or_default();
        let named = |index: usize| if index == 0 { stem.clone() } else { format!("{stem}{index}") };
        if let Some(index) = uses.iter().position(|known| *known == used) {
            // A second use takes the name of the first, as MuJoCo does for files of its own.
            return Some(if elsewhere.is_some() { named(index) } else { stem });
        }
        let name = named(uses.len());
        uses.push(used);
        let id = self.reader.spec.add_mesh(None);
        let mut mesh: Mesh = std::mem::take(&mut self.reader.spec.meshes[id]);
        self.reader.place(element, &mut mesh.info);
        mesh.info.attributes.push(("file", place.clone()));
        mesh.info.name.clone_from(&name);
        match elsewhere {
            Some(path) => {
                mesh.file.clone_from(&path);
                self.elsewhere.push((place, path));
            }
            None => file.clone_into(&mut mesh.file),
        }
        mesh.scale = scale;
        self.reader.spec.meshes[id] = mesh;
        Some(name)
    }

    /// The path of a mesh file that is not where MuJoCo looks for it, if it is found elsewhere.
    fn elsewhere(&mut self, element: &Element, file: &str) -> Option<String> {
        let written = element.attribute("filename").unwrap_or_default();
        let options = self.reader.options;
        let model_folder = self.reader.folders.model.clone();
        let mesh_folder = files::join(&model_folder, &self.reader.spec.compiler.meshdir);
        if options.files.exists(&files::join(&mesh_folder, file)) {
            return None;
        }
        match mesh_files::locate(written, &model_folder, &mesh_folder, &options.files, &options.urdf) {
            Ok(path) => Some(path),
            Err(mut paths) => {
                let help = match mesh_files::package(written) {
                    Some(name) => format!(
                        "say where the package is: --package {name}=DIR (Python: packages={{\"{name}\": \"DIR\"}}), or set ROS_PACKAGE_PATH"
                    ),
                    None => "write a path from the folder of the URDF, or set meshdir in <mujoco><compiler>"
                        .to_owned(),
                };
                let more = paths.len().saturating_sub(PLACES_SHOWN);
                paths.truncate(PLACES_SHOWN);
                let help = if more > 0 { format!("{help}; {more} more places were searched") } else { help };
                let named_at = element.location_of("filename");
                self.reader.report.tried.push(Tried { named_at, paths, help: Some(help) });
                None
            }
        }
    }
}
