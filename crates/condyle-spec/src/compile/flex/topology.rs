//! What follows from the list of elements: orientation, edges, flaps, surface, layers, and pairs that may touch.
//!
//! A fragment is an element without one vertex: an end of a segment, a side of a triangle, a face of a tetrahedron. Sorting all
//! fragments brings those of neighbours together; a fragment without a partner lies on the surface.

use std::collections::{HashMap, VecDeque};

use condyle_math::{Vec3, vec3};

/// Ends of the edges of a segment, a triangle and a tetrahedron, as corners of the element.
const EDGES: [&[[usize; 2]]; 3] =
    [&[[0, 1]], &[[1, 2], [2, 0], [0, 1]], &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]]];

/// Corners of the fragments of a segment, a triangle and a tetrahedron, right-handed seen from outside.
const FRAGMENTS: [&[&[usize]]; 3] =
    [&[&[0], &[1]], &[&[0, 1], &[1, 2], &[2, 0]], &[&[0, 1, 2], &[0, 2, 3], &[0, 3, 1], &[1, 3, 2]]];

/// Lists over the elements of a flex. All indices count within the flex.
pub(crate) struct Topology {
    pub corners: usize,
    /// Vertices of the elements, tetrahedra turned right-handed.
    pub elem: Vec<i32>,
    /// Vertices of the edges, the smaller first.
    pub edges: Vec<[i32; 2]>,
    /// Edges of the elements.
    pub element_edges: Vec<i32>,
    /// For triangles, the two vertices of each edge and the ones opposite, −1 for none.
    pub flaps: Vec<[i32; 4]>,
    /// Vertices of the fragments on the surface.
    pub shell: Vec<i32>,
    /// Distance of each element from the surface.
    pub layers: Vec<i32>,
    /// Elements and vertices of their neighbours that may touch.
    pub pairs: Vec<[i32; 2]>,
}

/// An element without one vertex. The derived order is by sorted vertices, then element, then vertices as given.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fragment {
    sorted: [i32; 3],
    element: i32,
    vertices: [i32; 3],
}

/// Two elements with a common fragment.
struct Connection {
    elements: [usize; 2],
    common: [i32; 3],
}

impl Topology {
    /// `elements` must name existing vertices, each at most once per element.
    pub(crate) fn new(dim: usize, elements: &[i32], vertices: &[Vec3]) -> Self {
        let mut elem = elements.to_vec();
        if dim == 3 {
            turn_outward(&mut elem, vertices);
        }
        let (edges, element_edges) = edges(dim, &elem);
        let flaps = if dim == 2 { flaps(&elem, &element_edges, edges.len()) } else { Vec::new() };
        let fragments = fragments(dim, &elem);
        let (connections, border_fragments) = connect(&fragments);
        let mut on_border = vec![false; elem.len() / (dim + 1)];
        let mut shell = Vec::with_capacity(border_fragments.len() * dim);
        for &fragment in &border_fragments {
            on_border[fragments[fragment].element as usize] = true;
            shell.extend_from_slice(&fragments[fragment].vertices[..dim]);
        }
        let layers = if dim == 3 { layers(&on_border, &connections) } else { vec![0; on_border.len()] };
        let pairs = if dim == 3 { Vec::new() } else { pairs(dim, &elem, &on_border, &connections) };
        Self { corners: dim + 1, elem, edges, element_edges, flaps, shell, layers, pairs }
    }

    pub(crate) fn element_count(&self) -> usize {
        self.elem.len() / self.corners
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = &[i32]> {
        self.elem.chunks_exact(self.corners)
    }
}

/// Swaps two vertices of the tetrahedra whose faces point inward.
fn turn_outward(elem: &mut [i32], vertices: &[Vec3]) {
    for element in elem.chunks_exact_mut(4) {
        let origin = vertices[element[0] as usize];
        let [first, second, third] =
            [1, 2, 3].map(|corner: usize| vec3::sub(vertices[element[corner] as usize], origin));
        if vec3::dot(vec3::cross(first, second), third) > 0.0 {
            element.swap(1, 2);
        }
    }
}

/// All edges in the order they are met, and the edges of each element.
fn edges(dim: usize, elem: &[i32]) -> (Vec<[i32; 2]>, Vec<i32>) {
    let mut edges = Vec::new();
    let mut of_elements = Vec::new();
    let mut known: HashMap<[i32; 2], i32> = HashMap::new();
    for element in elem.chunks_exact(dim + 1) {
        for &[from, to] in EDGES[dim - 1] {
            let (from, to) = (element[from], element[to]);
            let ends = [from.min(to), from.max(to)];
            of_elements.push(*known.entry(ends).or_insert_with(|| {
                edges.push(ends);
                edges.len() as i32 - 1
            }));
        }
    }
    (edges, of_elements)
}

/// Pairs of triangles about their common edge. Of more than two triangles the first and the last count.
fn flaps(elem: &[i32], element_edges: &[i32], edge_count: usize) -> Vec<[i32; 4]> {
    let mut flaps: Vec<[i32; 4]> = Vec::with_capacity(edge_count);
    for (element, edges) in elem.chunks_exact(3).zip(element_edges.chunks_exact(3)) {
        for (&edge, &[from, to]) in edges.iter().zip(EDGES[1]) {
            let opposite = element[(to + 1) % 3];
            match flaps.get_mut(edge as usize) {
                Some(flap) => flap[3] = opposite,
                None => flaps.push([element[from], element[to], opposite, -1]),
            }
        }
    }
    flaps
}

/// All fragments, sorted.
fn fragments(dim: usize, elem: &[i32]) -> Vec<Fragment> {
    let mut fragments = Vec::with_capacity(elem.len());
    for (index, element) in elem.chunks_exact(dim + 1).enumerate() {
        for corners in FRAGMENTS[dim - 1] {
            let mut vertices = [0; 3];
            for (vertex, &corner) in vertices.iter_mut().zip(*corners) {
                *vertex = element[corner];
            }
            let mut sorted = vertices;
            sorted[..dim].sort_unstable();
            fragments.push(Fragment { sorted, element: index as i32, vertices });
        }
    }
    fragments.sort_unstable();
    fragments
}

/// Neighbouring elements, and the positions of the fragments that have no partner.
fn connect(fragments: &[Fragment]) -> (Vec<Connection>, Vec<usize>) {
    let mut connections = Vec::new();
    let mut border = Vec::new();
    let mut start = 0;
    for group in fragments.chunk_by(|one, other| one.sorted == other.sorted) {
        for pair in group.windows(2) {
            let elements = [pair[0].element as usize, pair[1].element as usize];
            connections.push(Connection { elements, common: pair[1].sorted });
        }
        if group.len() == 1 {
            border.push(start);
        }
        start += group.len();
    }
    (connections, border)
}

/// Steps from each element to the nearest one on the surface; more than there are elements if it is not reached.
fn layers(on_border: &[bool], connections: &[Connection]) -> Vec<i32> {
    let count = on_border.len();
    let mut neighbours = vec![Vec::new(); count];
    for &Connection { elements: [one, other], .. } in connections {
        neighbours[one].push(other);
        neighbours[other].push(one);
    }
    let unreached = count as i32 + 1;
    let mut layers: Vec<i32> = on_border.iter().map(|&border| if border { 0 } else { unreached }).collect();
    let mut queue: VecDeque<usize> = (0..count).filter(|&element| on_border[element]).collect();
    while let Some(element) = queue.pop_front() {
        for &neighbour in &neighbours[element] {
            if layers[neighbour] == unreached {
                layers[neighbour] = layers[element] + 1;
                queue.push_back(neighbour);
            }
        }
    }
    layers
}

/// Each element on the surface with the far vertices of its neighbours.
fn pairs(dim: usize, elem: &[i32], on_border: &[bool], connections: &[Connection]) -> Vec<[i32; 2]> {
    let mut pairs = Vec::new();
    for &Connection { elements: [one, other], ref common } in connections {
        if !on_border[one] && !on_border[other] {
            continue;
        }
        for (element, neighbour) in [(one, other), (other, one)] {
            let corners = &elem[element * (dim + 1)..(element + 1) * (dim + 1)];
            if let Some(&far) = corners.iter().find(|corner| !common[..dim].contains(corner)) {
                pairs.push([neighbour as i32, far]);
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_triangles_share_an_edge_and_see_each_other() {
        let square = Topology::new(2, &[0, 1, 2, 0, 2, 3], &[[0.0; 3]; 4]);
        assert_eq!(square.edges, [[1, 2], [0, 2], [0, 1], [2, 3], [0, 3]]);
        assert_eq!(square.element_edges, [0, 1, 2, 3, 4, 1]);
        assert_eq!(square.flaps[1], [2, 0, 1, 3]);
        assert_eq!(square.flaps[0], [1, 2, 0, -1]);
        assert_eq!(square.shell, [0, 1, 3, 0, 1, 2, 2, 3]);
        assert_eq!(square.pairs, [[1, 1], [0, 3]]);
    }

    #[test]
    fn tetrahedra_are_turned_so_that_faces_point_outward() {
        let vertices = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(Topology::new(3, &[0, 1, 2, 3], &vertices).elem, [0, 2, 1, 3]);
        assert_eq!(Topology::new(3, &[0, 2, 1, 3], &vertices).elem, [0, 2, 1, 3]);
    }

    #[test]
    fn elements_without_way_to_the_surface_are_beyond_all_layers() {
        // The same tetrahedron twice: every face has a partner.
        let twice = Topology::new(3, &[0, 1, 2, 3, 0, 1, 2, 3], &[[0.0; 3]; 4]);
        assert_eq!(twice.layers, [3, 3]);
        assert!(twice.shell.is_empty());
    }

    #[test]
    fn layers_count_steps_to_the_surface() {
        let connection = |one, other| Connection { elements: [one, other], common: [0; 3] };
        let chain = [connection(3, 2), connection(2, 1), connection(1, 0)];
        assert_eq!(layers(&[true, false, false, false], &chain), [0, 1, 2, 3]);
    }
}
