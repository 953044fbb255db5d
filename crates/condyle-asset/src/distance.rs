//! Signed distance from points to a triangle mesh.
//!
//! The nearest triangle is found with a tree of bounding spheres. The sign is that of the angle-weighted normal of the nearest
//! vertex, edge or face (Bærentzen and Aanæs 2005): positive outside.

use std::collections::HashMap;

use condyle_math::{Vec3, vec3};

use crate::sort::sort;

#[derive(Debug, Clone, Copy)]
struct Sphere {
    centre: Vec3,
    radius: f64,
}

#[derive(Debug, Clone, Copy)]
enum Node {
    Leaf(usize),
    Inner { left: usize, left_sphere: Sphere, right: usize, right_sphere: Sphere },
}

/// A mesh prepared for distance queries.
pub(crate) struct MeshDistance {
    vertices: Vec<Vec3>,
    triangles: Vec<[usize; 3]>,
    nodes: Vec<Node>,
    face_normals: Vec<Vec3>,
    edge_normals: Vec<[Vec3; 3]>,
    vertex_normals: Vec<Vec3>,
}

/// Part of a triangle that is nearest to a point: a vertex, an edge (0-1, 1-2, 0-2) or the face.
#[derive(Debug, Clone, Copy)]
enum Nearest {
    Vertex(usize),
    Edge(usize),
    Face,
}

struct Hit {
    distance: f64,
    triangle: usize,
    nearest: Nearest,
    barycentric: Vec3,
}

fn normalized(v: Vec3) -> Vec3 {
    let norm = vec3::dot(v, v).sqrt();
    v.map(|x| x / norm)
}

fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

impl MeshDistance {
    /// Prepares a mesh with at least one face; indices have been checked.
    pub(crate) fn new(vertices: &[Vec3], faces: &[i32]) -> Self {
        let triangles: Vec<[usize; 3]> =
            faces.as_chunks::<3>().0.iter().map(|f| f.map(|i| i as usize)).collect();
        let mut mesh = Self {
            vertices: vertices.to_vec(),
            triangles,
            nodes: Vec::new(),
            face_normals: Vec::new(),
            edge_normals: Vec::new(),
            vertex_normals: vec![[0.0; 3]; vertices.len()],
        };
        let mut order: Vec<usize> = (0..mesh.triangles.len()).collect();
        if !order.is_empty() {
            mesh.build_tree(&mut order);
        }
        mesh.compute_normals();
        mesh
    }

    fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex])
    }

    /// Adds the node of `triangles` and everything below it; its index and bounding sphere. The depth is log2 of the count.
    fn build_tree(&mut self, triangles: &mut [usize]) -> (usize, Sphere) {
        let index = self.nodes.len();
        self.nodes.push(Node::Leaf(triangles[0]));
        if triangles.len() == 1 {
            let [a, b, c] = self.corners(triangles[0]);
            let centre = vec3::add(vec3::add(a, b), c).map(|x| x / 3.0);
            let reach = |corner: Vec3| vec3::norm(vec3::sub(corner, centre));
            return (index, Sphere { centre, radius: larger(larger(reach(a), reach(b)), reach(c)) });
        }
        let (mut top, mut bottom, mut centre) = ([f64::MIN; 3], [f64::MAX; 3], [0.0; 3]);
        for &triangle in triangles.iter() {
            for corner in self.corners(triangle) {
                centre = vec3::add(centre, corner);
                for i in 0..3 {
                    top[i] = larger(top[i], corner[i]);
                    bottom[i] = if corner[i] < bottom[i] { corner[i] } else { bottom[i] };
                }
            }
        }
        let centre = centre.map(|x| x / (3 * triangles.len()) as f64);
        let mut radius_square = 0.0;
        for &triangle in triangles.iter() {
            for corner in self.corners(triangle) {
                let offset = vec3::sub(centre, corner);
                radius_square = larger(radius_square, vec3::dot(offset, offset));
            }
        }
        let diagonal = vec3::sub(top, bottom);
        let mut axis = 0;
        for i in 1..3 {
            if diagonal[axis] < diagonal[i] {
                axis = i;
            }
        }
        let position = |triangle: usize| self.vertices[self.triangles[triangle][0]][axis];
        sort(triangles, &|&a: &usize, &b: &usize| position(a) < position(b));
        let (first, second) = triangles.split_at_mut(triangles.len() / 2);
        let (left, left_sphere) = self.build_tree(first);
        let (right, right_sphere) = self.build_tree(second);
        self.nodes[index] = Node::Inner { left, left_sphere, right, right_sphere };
        (index, Sphere { centre, radius: radius_square.sqrt() })
    }

    /// Normals of faces, of edges (sum of the faces that share them) and of vertices (weighted by angle).
    fn compute_normals(&mut self) {
        let mut edges: HashMap<(usize, usize), Vec3> = HashMap::new();
        let key = |i: usize, j: usize| (i.min(j), i.max(j));
        for triangle in 0..self.triangles.len() {
            let [i, j, k] = self.triangles[triangle];
            let [a, b, c] = self.corners(triangle);
            let normal = normalized(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)));
            self.face_normals.push(normal);
            let angle = |p: Vec3, q: Vec3, r: Vec3| {
                vec3::dot(normalized(vec3::sub(q, p)), normalized(vec3::sub(r, p))).acos()
            };
            for (vertex, angle) in [(i, angle(a, b, c)), (j, angle(b, a, c)), (k, angle(c, b, a))] {
                self.vertex_normals[vertex] =
                    vec3::add(self.vertex_normals[vertex], normal.map(|x| angle * x));
            }
            for edge in [key(i, j), key(j, k), key(i, k)] {
                edges.entry(edge).and_modify(|sum| *sum = vec3::add(*sum, normal)).or_insert(normal);
            }
        }
        for normal in &mut self.vertex_normals {
            *normal = normalized(*normal);
        }
        for &[i, j, k] in &self.triangles {
            let of = |i: usize, j: usize| normalized(edges.get(&key(i, j)).copied().unwrap_or_default());
            self.edge_normals.push([of(i, j), of(j, k), of(i, k)]);
        }
    }

    /// Distance of `point` from the surface, negative inside.
    pub(crate) fn signed_distance(&self, point: Vec3) -> f64 {
        let mut hit = Hit { distance: f64::MAX, triangle: 0, nearest: Nearest::Face, barycentric: [0.0; 3] };
        if !self.nodes.is_empty() {
            self.search(0, point, &mut hit);
        }
        let Some(&triangle) = self.triangles.get(hit.triangle) else {
            return hit.distance;
        };
        let normal = match hit.nearest {
            Nearest::Vertex(corner) => self.vertex_normals[triangle[corner]],
            Nearest::Edge(edge) => self.edge_normals[hit.triangle][edge],
            Nearest::Face => self.face_normals[hit.triangle],
        };
        let [a, b, c] = self.corners(hit.triangle);
        let [u, v, w] = hit.barycentric;
        let nearest = vec3::add(vec3::add(a.map(|x| u * x), b.map(|x| v * x)), c.map(|x| w * x));
        if vec3::dot(vec3::sub(point, nearest), normal) >= 0.0 { hit.distance } else { -hit.distance }
    }

    /// Looks at the nearer child first; the depth is log2 of the number of triangles.
    fn search(&self, node: usize, point: Vec3, hit: &mut Hit) {
        match self.nodes[node] {
            Node::Leaf(triangle) => {
                let (square, nearest, barycentric) = nearest_on_triangle(point, self.corners(triangle));
                if square < hit.distance * hit.distance {
                    *hit = Hit { distance: square.sqrt(), triangle, nearest, barycentric };
                }
            }
            Node::Inner { left, left_sphere, right, right_sphere } => {
                let gap = |sphere: Sphere| vec3::norm(vec3::sub(point, sphere.centre)) - sphere.radius;
                let (to_left, to_right) = (gap(left_sphere), gap(right_sphere));
                let children = if to_left < to_right {
                    [(left, to_left), (right, to_right)]
                } else {
                    [(right, to_right), (left, to_left)]
                };
                for (child, gap) in children {
                    if gap < hit.distance {
                        self.search(child, point, hit);
                    }
                }
            }
        }
    }
}

/// Squared distance to a triangle, its nearest part and the barycentric coordinates of the nearest point (Ericson 2005).
fn nearest_on_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> (f64, Nearest, Vec3) {
    let square = |nearest: Vec3| {
        let offset = vec3::sub(p, nearest);
        vec3::dot(offset, offset)
    };
    let (ab, ac, bc) = (vec3::sub(b, a), vec3::sub(c, a), vec3::sub(c, b));
    let (ap, bp, cp) = (vec3::sub(p, a), vec3::sub(p, b), vec3::sub(p, c));
    let (s_from, s_to) = (vec3::dot(ap, ab), vec3::dot(bp, vec3::sub(a, b)));
    let (t_from, t_to) = (vec3::dot(ap, ac), vec3::dot(cp, vec3::sub(a, c)));
    if s_from <= 0.0 && t_from <= 0.0 {
        return (square(a), Nearest::Vertex(0), [1.0, 0.0, 0.0]);
    }
    let (u_from, u_to) = (vec3::dot(bp, bc), vec3::dot(cp, vec3::sub(b, c)));
    if s_to <= 0.0 && u_from <= 0.0 {
        return (square(b), Nearest::Vertex(1), [0.0, 1.0, 0.0]);
    }
    if t_to <= 0.0 && u_to <= 0.0 {
        return (square(c), Nearest::Vertex(2), [0.0, 0.0, 1.0]);
    }
    let normal = vec3::cross(ab, ac);
    let (pa, pb, pc) = (vec3::sub(a, p), vec3::sub(b, p), vec3::sub(c, p));
    let between = |q: Vec3, r: Vec3, from: f64, to: f64| {
        let along = from / (from + to);
        let start = 1.0 - along;
        (square(vec3::add(q.map(|x| start * x), r.map(|x| along * x))), start, along)
    };
    let outside_ab = vec3::dot(normal, vec3::cross(pa, pb));
    if outside_ab <= 0.0 && s_from >= 0.0 && s_to >= 0.0 {
        let (square, start, along) = between(a, b, s_from, s_to);
        return (square, Nearest::Edge(0), [start, along, 0.0]);
    }
    let outside_bc = vec3::dot(normal, vec3::cross(pb, pc));
    if outside_bc <= 0.0 && u_from >= 0.0 && u_to >= 0.0 {
        let (square, start, along) = between(b, c, u_from, u_to);
        return (square, Nearest::Edge(1), [0.0, start, along]);
    }
    let outside_ac = vec3::dot(normal, vec3::cross(pc, pa));
    if outside_ac <= 0.0 && t_from >= 0.0 && t_to >= 0.0 {
        let (square, start, along) = between(a, c, t_from, t_to);
        return (square, Nearest::Edge(2), [start, 0.0, along]);
    }
    let sum = outside_bc + outside_ac + outside_ab;
    let u = outside_bc / sum;
    let v = outside_ac / sum;
    let w = 1.0 - u - v;
    let nearest = vec3::add(vec3::add(a.map(|x| u * x), b.map(|x| v * x)), c.map(|x| w * x));
    (square(nearest), Nearest::Face, [u, v, w])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_a_tetrahedron_are_negative_inside() {
        let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mesh = MeshDistance::new(&vertices, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
        assert_eq!(mesh.signed_distance([0.1, 0.2, -0.5]), 0.5);
        assert!((mesh.signed_distance([0.1, 0.1, 0.1]) + 0.1).abs() < 1e-15);
        assert!((mesh.signed_distance([-3.0, -4.0, 0.0]) - 5.0).abs() < 1e-15);
        assert!((mesh.signed_distance([1.0, 1.0, 1.0]) - 2.0 / 3.0_f64.sqrt()).abs() < 1e-14);
    }
}
