//! Faces of flexes: flat faces of elements, or smooth surfaces that close around them.

use condyle_engine::Data;
use condyle_math::{Vec3, vec3};
use condyle_model::Model;

use crate::element::narrow;
use crate::types::{Options, Scene, VisualFlag};

impl Scene {
    /// Updates vertices and faces of all flexes. Reference: `mjv_updateActiveFlex`.
    pub fn update_flexes(&mut self, model: &Model, data: &Data, options: &Options) {
        let shows = |flag: VisualFlag| options.flags[flag as usize];
        self.settings.flexvertopt = shows(VisualFlag::FlexVertex);
        self.settings.flexedgeopt = shows(VisualFlag::FlexEdge);
        self.settings.flexfaceopt = shows(VisualFlag::FlexFace);
        self.settings.flexskinopt = shows(VisualFlag::FlexSkin);
        let positions = data.flexes.flexvert_xpos.as_flattened();
        for (vertex, position) in self.flexes.flexvert.iter_mut().zip(positions) {
            *vertex = *position as f32;
        }
        for flex in 0..model.nflex {
            let used = self.update_flex(model, data, options, flex);
            if let Some(count) = self.flexes.flexfaceused.get_mut(flex) {
                *count = used as i32;
            }
        }
    }

    /// Updates the faces of one flex and returns their number.
    fn update_flex(&mut self, model: &Model, data: &Data, options: &Options, flex: usize) -> usize {
        let (faces, smooth) = (options.shows(VisualFlag::FlexFace), options.shows(VisualFlag::FlexSkin));
        let dimension = model.flex_dim[flex];
        if dimension == 1 || !(faces || smooth) {
            return 0;
        }
        let Some(shape) = Shape::new(model, data, flex) else { return 0 };
        let Some(mut out) = Faces::new(self, model, flex) else { return 0 };
        match (smooth, dimension) {
            (false, 2) => flat_membrane(&shape, &mut out),
            (false, _) => flat_solid(model, options, flex, &shape, &mut out),
            (true, 2) => smooth_membrane(&shape, &mut out),
            (true, _) => smooth_solid(&shape, &mut out),
        }
        out.count
    }
}

/// A flex as its faces see it.
struct Shape<'a> {
    vertices: &'a [Vec3],
    /// Vertices per element.
    corners: usize,
    /// Vertices of elements and their texture coordinates.
    elements: &'a [i32],
    element_texture: &'a [i32],
    /// Vertices of the fragments of the shell.
    shell: &'a [i32],
    radius: f64,
    flat: bool,
}

impl<'a> Shape<'a> {
    fn new(model: &'a Model, data: &'a Data, flex: usize) -> Option<Self> {
        let dimension = usize::try_from(model.flex_dim[flex]).ok()?;
        let part = |first: i32, count: i32, width: usize| {
            let first = usize::try_from(first).unwrap_or(0);
            first..first + usize::try_from(count).unwrap_or(0) * width
        };
        let elements = part(model.flex_elemdataadr[flex], model.flex_elemnum[flex], dimension + 1);
        let shell = part(model.flex_shelldataadr[flex], model.flex_shellnum[flex], dimension);
        let vertices = part(model.flex_vertadr[flex], model.flex_vertnum[flex], 1);
        Some(Self {
            vertices: data.flexes.flexvert_xpos.get(vertices)?,
            corners: dimension + 1,
            elements: model.flex_elem.get(elements.clone())?,
            element_texture: model.flex_elemtexcoord.get(elements)?,
            shell: model.flex_shell.get(shell)?,
            radius: model.flex_radius[flex],
            flat: model.flex_flatskin[flex] != 0,
        })
    }

    fn elements(&self) -> impl Iterator<Item = (&[i32], &[i32])> {
        self.elements.chunks_exact(self.corners).zip(self.element_texture.chunks_exact(self.corners))
    }

    fn shell(&self) -> impl Iterator<Item = &[i32]> {
        self.shell.chunks_exact(self.corners - 1)
    }

    fn vertex(&self, index: i32) -> Vec3 {
        self.vertices[index as usize]
    }

    /// Unit normal of a triangle.
    fn normal(&self, corners: [i32; 3]) -> Vec3 {
        let [a, b, c] = corners.map(|corner| self.vertex(corner));
        vec3::normalize(vec3::cross(vec3::sub(b, a), vec3::sub(c, a))).0
    }
}

/// Room for the faces of one flex.
struct Faces<'a> {
    faces: &'a mut [[f32; 9]],
    normals: &'a mut [[f32; 9]],
    texture: &'a mut [[f32; 6]],
    /// Texture coordinates of the flex, if it has any.
    source: Option<&'a [[f32; 2]]>,
    count: usize,
}

impl<'a> Faces<'a> {
    fn new(scene: &'a mut Scene, model: &'a Model, flex: usize) -> Option<Self> {
        let flexes = &mut scene.flexes;
        let first = usize::try_from(*flexes.flexfaceadr.get(flex)?).ok()?;
        let range = first..first + usize::try_from(*flexes.flexfacenum.get(flex)?).ok()?;
        let source = model.flex_texcoordadr(flex);
        Some(Self {
            faces: flexes.flexface.as_chunks_mut().0.get_mut(range.clone())?,
            normals: flexes.flexnormal.as_chunks_mut().0.get_mut(range.clone())?,
            texture: flexes.flextexcoord.as_chunks_mut().0.get_mut(range)?,
            source: source.and_then(|first| model.flex_texcoord.get(first..)),
            count: 0,
        })
    }

    /// Appends a face with texture coordinates by index; zero for an index that does not exist.
    fn push(&mut self, positions: [Vec3; 3], normals: [Vec3; 3], texture: [i32; 3]) {
        let Some(face) = self.faces.get_mut(self.count) else { return };
        face.copy_from_slice(positions.map(|position| narrow(&position)).as_flattened());
        self.normals[self.count].copy_from_slice(normals.map(|normal| narrow(&normal)).as_flattened());
        if let Some(source) = self.source {
            for (target, index) in self.texture[self.count].as_chunks_mut().0.iter_mut().zip(texture) {
                let known = usize::try_from(index).ok().and_then(|index| source.get(index));
                *target = known.copied().unwrap_or_default();
            }
        }
        self.count += 1;
    }

    /// Appends a flat face, moved out by the radius.
    fn push_flat(&mut self, shape: &Shape<'_>, corners: [i32; 3], texture: [i32; 3]) {
        let normal = shape.normal(corners);
        let moved = corners.map(|corner| vec3::add_scaled(shape.vertex(corner), normal, shape.radius));
        self.push(moved, [normal; 3], texture);
    }

    /// Appends a face of a smooth surface on the side of the sign of `radius`.
    fn push_smooth(
        &mut self,
        shape: &Shape<'_>,
        vertex_normals: &[Vec3],
        radius: f64,
        corners: [i32; 3],
        texture: [i32; 3],
    ) {
        let sign = if radius > 0.0 { 1.0 } else { -1.0 };
        let at = |corner: i32| vertex_normals[corner as usize];
        let normals = if shape.flat { [shape.normal(corners); 3] } else { corners.map(at) };
        let normals = normals.map(|normal| normal.map(|x| sign * x));
        let moved = corners.map(|corner| vec3::add_scaled(shape.vertex(corner), at(corner), radius));
        self.push(moved, normals, texture);
    }

    /// Appends one of the two triangles that close the rim of a membrane along an edge.
    fn push_rim(&mut self, shape: &Shape<'_>, vertex_normals: &[Vec3], radius: f64, [from, to]: [i32; 2]) {
        let along = vec3::sub(shape.vertex(to), shape.vertex(from));
        let mut normal = vec3::cross(along, vertex_normals[to as usize]);
        if radius < 0.0 {
            normal = vec3::scale(normal, -1.0);
        }
        let normal = vec3::normalize(normal).0;
        let corners = [from, to, to];
        let signs = [1.0, -1.0, 1.0];
        let moved = std::array::from_fn(|k| {
            let corner = corners[k];
            vec3::add_scaled(shape.vertex(corner), vertex_normals[corner as usize], signs[k] * radius)
        });
        self.push(moved, [normal; 3], corners);
    }
}

/// Both sides of every triangle.
fn flat_membrane(shape: &Shape<'_>, out: &mut Faces<'_>) {
    for (e, t) in shape.elements() {
        out.push_flat(shape, [e[0], e[1], e[2]], [t[0], t[1], t[2]]);
        out.push_flat(shape, [e[0], e[2], e[1]], [t[0], t[2], t[1]]);
    }
}

/// The four faces of every tetrahedron of the shown layer.
fn flat_solid(model: &Model, options: &Options, flex: usize, shape: &Shape<'_>, out: &mut Faces<'_>) {
    let first = model.flex_elemadr[flex].max(0) as usize;
    for (index, (e, t)) in shape.elements().enumerate() {
        if model.flex_elemlayer[first + index] != options.flex_layer {
            continue;
        }
        for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]] {
            out.push_flat(shape, [e[a], e[b], e[c]], [t[a], t[b], t[c]]);
        }
    }
}

/// Unit sums of the normals of the triangles around each vertex.
fn vertex_normals<'a>(shape: &Shape<'_>, triangles: impl Iterator<Item = &'a [i32]>) -> Vec<Vec3> {
    let mut normals = vec![[0.0; 3]; shape.vertices.len()];
    for triangle in triangles {
        let corners = [triangle[0], triangle[1], triangle[2]];
        let normal = shape.normal(corners);
        for corner in corners {
            normals[corner as usize] = vec3::add(normals[corner as usize], normal);
        }
    }
    for normal in &mut normals {
        vec3::normalize_mut(normal);
    }
    normals
}

/// Both sides of a membrane as smooth surfaces, and its rim.
fn smooth_membrane(shape: &Shape<'_>, out: &mut Faces<'_>) {
    let normals = vertex_normals(shape, shape.elements().map(|(element, _)| element));
    let radius = shape.radius;
    for (e, t) in shape.elements() {
        out.push_smooth(shape, &normals, radius, [e[0], e[1], e[2]], [t[0], t[1], t[2]]);
        out.push_smooth(shape, &normals, -radius, [e[0], e[2], e[1]], [t[0], t[2], t[1]]);
    }
    for edge in shape.shell() {
        out.push_rim(shape, &normals, radius, [edge[0], edge[1]]);
        out.push_rim(shape, &normals, -radius, [edge[1], edge[0]]);
    }
}

/// The shell of a solid as a smooth surface.
fn smooth_solid(shape: &Shape<'_>, out: &mut Faces<'_>) {
    let normals = vertex_normals(shape, shape.shell());
    for s in shape.shell() {
        let corners = [s[0], s[1], s[2]];
        out.push_smooth(shape, &normals, shape.radius, corners, corners);
    }
}
