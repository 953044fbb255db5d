//! Hulls of small point sets.

use super::*;

fn cube(steps: usize) -> Vec<Vec3> {
    let mut points = Vec::new();
    for i in 0..=steps {
        for j in 0..=steps {
            for k in 0..=steps {
                points.push([i, j, k].map(|x| x as f64 / steps as f64));
            }
        }
    }
    points
}

/// Numbers in [-1, 1) that look random.
fn scatter(count: usize) -> Vec<Vec3> {
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1_u64 << 23) as f64 - 1.0
    };
    (0..count).map(|_| [next(), next(), next()]).collect()
}

/// Every edge of a closed surface is met once in each direction, and no point is above a face.
fn assert_encloses(points: &[Vec3], graph: &HullGraph) {
    let mut edges: Vec<(i32, i32)> = Vec::new();
    for &[a, b, c] in graph.faces.as_chunks::<3>().0 {
        edges.extend([(a, b), (b, c), (c, a)]);
        let [p, q, r] = [a, b, c].map(|i| points[i as usize]);
        let normal = condyle_math::vec3::cross(
            [q[0] - p[0], q[1] - p[1], q[2] - p[2]],
            [r[0] - p[0], r[1] - p[1], r[2] - p[2]],
        );
        for point in points {
            let height = (0..3).map(|i| normal[i] * (point[i] - p[i])).sum::<f64>();
            assert!(height < 1e-9);
        }
    }
    edges.sort();
    assert!(edges.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(edges.iter().all(|&(a, b)| edges.binary_search(&(b, a)).is_ok()));
    assert_eq!(graph.faces.len() / 3 + 4, 2 * graph.vertices.len());
}

#[test]
fn a_cube_full_of_points_has_eight_vertices() {
    let points = cube(4);
    let graph = convex_hull(&points, -1).unwrap();
    assert_eq!((graph.vertices.len(), graph.faces.len()), (8, 36));
    assert_encloses(&points, &graph);
}

#[test]
fn scattered_points_are_enclosed() {
    let points = scatter(500);
    let graph = convex_hull(&points, -1).unwrap();
    assert_encloses(&points, &graph);
    let ends = graph.edges.iter().filter(|&&end| end < 0).count();
    assert_eq!(ends, graph.vertices.len());
}

#[test]
fn points_on_a_sphere_are_all_vertices() {
    let points: Vec<Vec3> = scatter(300).into_iter().map(|p| condyle_math::vec3::normalize(p).0).collect();
    let graph = convex_hull(&points, -1).unwrap();
    assert_eq!(graph.vertices.len(), 300);
    assert_encloses(&points, &graph);
}

#[test]
fn the_number_of_vertices_can_be_bounded() {
    let points = scatter(500);
    assert_eq!(convex_hull(&points, 12).unwrap().vertices.len(), 12);
    assert_eq!(convex_hull(&points, 4).unwrap().faces.len(), 12);
}

#[test]
fn flat_and_repeated_points_are_refused_with_a_reason() {
    let flat: Vec<Vec3> = scatter(50).into_iter().map(|p| [p[0], 2.5, p[2]]).collect();
    let error = convex_hull(&flat, -1).unwrap_err();
    assert!(error.message.contains("flat along y"), "{error}");
    let oblique: Vec<Vec3> = scatter(50).into_iter().map(|p| [p[0], p[1], p[0] + p[1]]).collect();
    assert!(convex_hull(&oblique, -1).unwrap_err().message.contains("oblique"));
    let same = vec![[1.0, 2.0, 3.0]; 20];
    assert!(convex_hull(&same, -1).unwrap_err().message.contains("only 1 different"));
    assert_eq!(convex_hull(&scatter(3), -1).unwrap_err().code, "hull-points");
}

#[test]
fn the_array_holds_counts_starts_vertices_edges_and_faces() {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let array = convex_hull(&points, -1).unwrap().to_array();
    assert_eq!(array.len(), 2 + 3 * 4 + 6 * 4);
    assert_eq!(array[..6], [4, 4, 0, 4, 8, 12]);
}
