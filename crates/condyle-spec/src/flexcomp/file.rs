//! Points from a file: the triangles of a mesh, tetrahedra from a point inside to them, or a Gmsh file.

use condyle_asset::{MeshData, gmsh, obj, stl};
use condyle_math::{MIN_VALUE, vec3};

use super::{Flexcomp, FlexcompProblem, FlexcompType, Shape};
use crate::compile::{AssetSource, content_type, strip_path};
use crate::spec::Spec;

impl Flexcomp {
    /// What the file holds.
    pub(super) fn shape_from_file(
        &self,
        spec: &Spec,
        source: &dyn AssetSource,
    ) -> Result<Shape, FlexcompProblem> {
        let file = if spec.strippath { strip_path(&self.file) } else { &self.file };
        let name = condyle_base::files::join(&spec.compiler.meshdir, file);
        let format = content_type("", &name);
        let mesh = self.kind == FlexcompType::Mesh;
        if mesh && format.as_deref() == Some("model/vnd.mujoco.msh") {
            let message = "legacy MSH files are not read here";
            return Err(FlexcompProblem::file(message, "use type=\"gmsh\", STL or OBJ"));
        }
        let bytes = source.read(&spec.modelfiledir, &name).map_err(|reason| {
            let message = format!("cannot read file '{name}': {reason}");
            FlexcompProblem::file(
                message,
                "paths start from the model file's folder, then meshdir or assetdir",
            )
        })?;
        let inside = |error| FlexcompProblem::inside(file, error);
        if !mesh {
            return self.gmsh_shape(gmsh::read(&bytes).map_err(inside)?);
        }
        let mut data = match format.as_deref() {
            Some("model/stl") => stl::read(&bytes, false),
            Some("model/obj") => obj::read(&bytes, false),
            _ => {
                let message = format!("unknown or unsupported mesh file '{file}'");
                return Err(FlexcompProblem::file(message, "binary STL and OBJ files can be read"));
            }
        }
        .map_err(inside)?;
        data.merge_repeated_vertices();
        self.mesh_shape(data, file)
    }

    /// Points and elements of a Gmsh file, after those that are given.
    fn gmsh_shape(&self, data: condyle_asset::GmshData) -> Result<Shape, FlexcompProblem> {
        let mut shape = self.given(usize::try_from(data.dim).unwrap_or(1).clamp(1, 3))?;
        shape.points.extend_from_slice(data.points.as_chunks::<3>().0);
        shape.elements.extend_from_slice(&data.elements);
        Ok(shape)
    }

    /// The surface of a mesh, or the solid between it and the origin. Texture coordinates of the mesh come before given ones.
    fn mesh_shape(&self, data: MeshData, file: &str) -> Result<Shape, FlexcompProblem> {
        let vertices = data.vertices.as_chunks::<3>().0;
        if vertices.is_empty() || data.faces.is_empty() {
            let message = format!("file '{file}': a mesh with vertices and faces is required");
            return Err(FlexcompProblem::file(message, "export the mesh with its triangles"));
        }
        let mut shape = Shape {
            dim: self.dim(),
            points: vertices.iter().map(|vertex| vertex.map(f64::from)).collect(),
            texcoords: self.texcoords.clone(),
            ..Shape::default()
        };
        if !data.texcoords.is_empty() {
            (shape.texcoords, shape.element_texcoords) = (data.texcoords, data.face_texcoords);
        }
        if shape.dim == 2 {
            shape.elements = data.faces;
            return Ok(shape);
        }
        shape.points.insert(0, self.origin);
        shape.elements.clone_from(&self.elements);
        for face in data.faces.as_chunks::<3>().0 {
            let tetrahedron = face.map(|vertex| vertex.saturating_add(1));
            let mut edges = [[0.0; 3]; 3];
            for (edge, &vertex) in edges.iter_mut().zip(&tetrahedron) {
                let index = usize::try_from(vertex).ok().filter(|&index| index > 0);
                let Some(point) = index.and_then(|index| shape.points.get(index)) else {
                    let message =
                        format!("file '{file}': a face refers to vertex {}", vertex.saturating_sub(1));
                    let help = format!("there are {} vertices", shape.points.len() - 1);
                    return Err(FlexcompProblem::file(message, help));
                };
                *edge = vec3::sub(*point, self.origin);
            }
            // Faces that are seen from the origin, or contain it, enclose nothing.
            let [a, b, c] = edges;
            if vec3::dot(vec3::cross(a, b), c) < MIN_VALUE {
                continue;
            }
            shape.elements.push(0);
            shape.elements.extend(tetrahedron);
        }
        Ok(shape)
    }
}
