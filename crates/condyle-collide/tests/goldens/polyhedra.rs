//! Meshes with the arrays that the convex algorithms read: hull graph, polygons with their normals, and polygons around each vertex.

use condyle_collide::convex::{HullGraph, MeshShape, PolygonTable, SupportTable};
use condyle_math::{Vec3, vec3};

pub(crate) struct Polyhedron {
    pub(crate) vertices: Vec<[f32; 3]>,
    faces: Vec<Vec<i32>>,
    graph: Vec<i32>,
    normals: Vec<Vec3>,
    starts: Vec<i32>,
    counts: Vec<i32>,
    corners: Vec<i32>,
    map_starts: Vec<i32>,
    map_counts: Vec<i32>,
    map: Vec<i32>,
    table: Option<SupportTable>,
}

impl Polyhedron {
    /// A box whose sides are rectangles.
    pub(crate) fn brick() -> Self {
        let corner = |k: i32| [0, 1, 2].map(|axis| if k & (1 << axis) == 0 { -1.0 } else { 1.0 });
        let vertices = (0..8).map(|k| {
            let [x, y, z]: [f32; 3] = corner(k);
            [0.3 * x, 0.4 * y, 0.2 * z]
        });
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Self::new(vertices.collect(), faces.map(Vec::from).to_vec())
    }

    /// A skew octahedron.
    pub(crate) fn crystal() -> Self {
        let vertices = vec![
            [0.5, 0.05, 0.0],
            [-0.4, 0.0, 0.1],
            [0.1, 0.35, 0.0],
            [0.0, -0.3, 0.05],
            [0.0, 0.1, 0.45],
            [0.05, 0.0, -0.35],
        ];
        let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        Self::new(vertices, faces.map(Vec::from).to_vec())
    }

    fn new(vertices: Vec<[f32; 3]>, faces: Vec<Vec<i32>>) -> Self {
        let count = vertices.len();
        let place = |index: i32| vertices[index as usize].map(f64::from);
        let normal = |face: &Vec<i32>| {
            let [a, b, c] = [place(face[0]), place(face[1]), place(face[2])];
            vec3::normalize(vec3::cross(vec3::sub(b, a), vec3::sub(c, a))).0
        };
        let normals: Vec<Vec3> = faces.iter().map(normal).collect();
        for (face, normal) in faces.iter().zip(&normals) {
            assert!(
                vec3::dot(*normal, place(face[0])) > 0.0,
                "faces are counter-clockwise seen from outside"
            );
        }

        let neighbours = |vertex: i32| {
            let mut found = Vec::new();
            for face in &faces {
                for (k, corner) in face.iter().enumerate() {
                    let next = face[(k + 1) % face.len()];
                    if *corner == vertex && !found.contains(&next) {
                        found.push(next);
                    }
                }
            }
            found
        };
        let (mut starts, mut edges) = (Vec::new(), Vec::new());
        for vertex in 0..count as i32 {
            starts.push(edges.len() as i32);
            edges.extend(neighbours(vertex));
            edges.push(-1);
        }
        let graph =
            [vec![count as i32, faces.len() as i32], starts, (0..count as i32).collect(), edges].concat();

        let around: Vec<Vec<i32>> = (0..count as i32)
            .map(|vertex| {
                (0..faces.len())
                    .filter(|face| faces[*face].contains(&vertex))
                    .map(|face| face as i32)
                    .collect()
            })
            .collect();
        let mut solid = Self {
            graph,
            normals,
            starts: running(&faces),
            counts: faces.iter().map(|face| face.len() as i32).collect(),
            corners: faces.concat(),
            map_starts: running(&around),
            map_counts: around.iter().map(|faces| faces.len() as i32).collect(),
            map: around.concat(),
            vertices,
            faces,
            table: None,
        };
        solid.table = SupportTable::new(&solid.shape(false));
        solid
    }

    pub(crate) fn shape(&self, table: bool) -> MeshShape<'_> {
        MeshShape {
            vertices: &self.vertices,
            hull: HullGraph::from_packed(&self.graph),
            polygons: PolygonTable {
                normals: &self.normals,
                vertex_starts: &self.starts,
                vertex_counts: &self.counts,
                vertices: &self.corners,
                map_starts: &self.map_starts,
                map_counts: &self.map_counts,
                map: &self.map,
                own_polygons: [0, self.faces.len() as i32],
                own_vertices: [0, self.vertices.len() as i32],
            },
            table: self.table.as_ref().filter(|_| table),
        }
    }

    /// The first triangle of each face.
    pub(crate) fn triangles(&self) -> Vec<[i32; 3]> {
        self.faces.iter().map(|face| [face[0], face[1], face[2]]).collect()
    }
}

/// Where each list starts when they follow one another.
fn running(lists: &[Vec<i32>]) -> Vec<i32> {
    let mut next = 0;
    lists
        .iter()
        .map(|list| {
            next += list.len() as i32;
            next - list.len() as i32
        })
        .collect()
}
