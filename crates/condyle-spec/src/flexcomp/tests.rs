use super::*;
use crate::compile::FileSystem;

fn add(flexcomp: &Flexcomp) -> Result<(Spec, FlexcompParts), Vec<FlexcompProblem>> {
    let mut spec = Spec::new();
    let parts = spec.add_flexcomp(spec.world(), flexcomp, &FileSystem)?;
    Ok((spec, parts))
}

fn made(flexcomp: &Flexcomp) -> (Spec, FlexcompParts) {
    add(flexcomp).unwrap()
}

fn named() -> Flexcomp {
    Flexcomp { name: "f".to_owned(), ..Flexcomp::default() }
}

fn with_dim(dim: i32) -> Flexcomp {
    Flexcomp { flex: Flex { dim, ..Flex::default() }, ..named() }
}

#[test]
fn every_free_point_is_a_body_on_three_slides() {
    let cloth = Flexcomp { count: [3, 2, 1], mass: 6.0, ..named() };
    let (spec, parts) = made(&cloth);
    assert_eq!((parts.bodies.len(), spec.joints.len(), spec.geoms.len()), (6, 18, 0));
    let last = &spec.bodies[parts.bodies[5]];
    assert_eq!((last.info.name.as_str(), last.pos), ("f_5", [0.02, 0.01, 0.0]));
    assert_eq!((last.mass, last.inertia), (1.0, [2.0 * 0.005 * 0.005 / 3.0; 3]));
    let flex = &spec.flexes[parts.flex];
    assert_eq!(flex.elem, [0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3]);
    assert!(flex.vert.is_empty());
    assert_eq!(flex.vertbody.len(), 6);
}

#[test]
fn pinned_points_belong_to_the_parent_and_keep_their_place() {
    let pins = Pins { ids: vec![0], grid: vec![2, 1], ..Pins::default() };
    let (spec, parts) = made(&Flexcomp { count: [3, 2, 1], pins, ..named() });
    assert_eq!(parts.bodies.len(), 4);
    let flex = &spec.flexes[parts.flex];
    assert_eq!(flex.vertbody, ["world", "f_1", "f_2", "f_3", "f_4", "world"]);
    assert_eq!(flex.vert[..6], [-0.02, -0.01, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(flex.vert[15..], [0.02, 0.01, 0.0]);
}

#[test]
fn all_points_pinned_are_a_rigid_flex() {
    let pins = Pins { ranges: vec![0, 5], ..Pins::default() };
    let (spec, parts) = made(&Flexcomp { count: [3, 2, 1], pins, ..named() });
    assert!(parts.bodies.is_empty());
    assert_eq!(spec.flexes[parts.flex].vertbody, ["world"]);
    assert_eq!(spec.flexes[parts.flex].vert.len(), 18);
}

#[test]
fn shells_have_the_points_of_their_sides_and_every_index_is_used() {
    for kind in [FlexcompType::Box, FlexcompType::Cylinder, FlexcompType::Ellipsoid] {
        for count in [[2, 2, 2], [3, 3, 3], [2, 4, 3], [4, 2, 5], [5, 3, 2]] {
            for dim in 1..=3 {
                let flexcomp = Flexcomp { kind, count, ..with_dim(dim) };
                let (spec, parts) = made(&flexcomp);
                let [x, y, z] = count.map(|count| count as usize);
                let closed = x * y * z - (x - 2) * (y - 2) * (z - 2);
                let points = match dim {
                    1 => closed,
                    2 => closed - (x - 2) * (y - 2),
                    _ => closed + 1,
                };
                assert_eq!(parts.bodies.len(), points, "{count:?} {dim}");
                let mut used: Vec<i32> = spec.flexes[parts.flex].elem.clone();
                used.sort_unstable();
                used.dedup();
                assert_eq!(used, (0..points as i32).collect::<Vec<_>>(), "{count:?} {dim}");
            }
        }
    }
}

#[test]
fn radial_points_slide_away_from_a_fixed_middle() {
    let flexcomp =
        Flexcomp { kind: FlexcompType::Ellipsoid, dof: FlexcompDof::Radial, count: [3; 3], ..with_dim(3) };
    let (spec, parts) = made(&flexcomp);
    assert_eq!((parts.bodies.len(), spec.joints.len()), (26, 26));
    assert_eq!(spec.flexes[parts.flex].vertbody[0], "world");
    let joint = spec.joints.values().next().unwrap();
    assert!(joint.axis.iter().all(|&x| (x + 1.0 / 3.0_f64.sqrt()).abs() < 1e-12));
}

#[test]
fn interpolation_makes_bodies_of_nodes_whose_masses_sum_up() {
    for (dof, nodes) in [(FlexcompDof::Trilinear, 8), (FlexcompDof::Quadratic, 27)] {
        let flexcomp = Flexcomp { dof, count: [4; 3], mass: 3.0, ..with_dim(3) };
        let (spec, parts) = made(&flexcomp);
        assert_eq!((parts.bodies.len(), spec.flexes[parts.flex].nodebody.len()), (nodes, nodes));
        let mass: f64 = parts.bodies.iter().map(|&body| spec.bodies[body].mass).sum();
        assert!((mass - 3.0).abs() < 1e-12);
        let flex = &spec.flexes[parts.flex];
        assert!(flex.vertbody.iter().all(|name| name == "world"));
        assert_eq!((flex.vert.len(), flex.node.len()), (3 * 64, 0));
    }
}

#[test]
fn points_without_elements_are_dropped() {
    let flexcomp = Flexcomp {
        kind: FlexcompType::Direct,
        points: vec![9.0, 9.0, 9.0, 0.0, 0.0, 0.0, 8.0, 8.0, 8.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        elements: vec![1, 3, 4],
        texcoords: vec![9.0, 9.0, 0.0, 0.0, 8.0, 8.0, 1.0, 0.0, 0.0, 1.0],
        pins: Pins { ids: vec![0, 4], ..Pins::default() },
        scale: [2.0, 1.0, 1.0],
        ..named()
    };
    let (spec, parts) = made(&flexcomp);
    let flex = &spec.flexes[parts.flex];
    assert_eq!(flex.elem, [0, 1, 2]);
    assert_eq!(flex.texcoord, [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    assert_eq!(flex.vertbody, ["f_0", "f_1", "world"]);
    assert_eq!(spec.bodies[parts.bodies[1]].pos, [2.0, 0.0, 0.0]);
}

#[test]
fn edges_can_be_held_by_a_constraint() {
    let mut flexcomp = Flexcomp { equality: Some(flexcomp_equality(false)), count: [2, 2, 1], ..named() };
    let (spec, _) = made(&flexcomp);
    let equality = spec.equalities.values().next().unwrap();
    assert_eq!((equality.kind, equality.name1.as_str()), (EqualityType::Flex, "f"));
    flexcomp.flex.elastic2d = 3;
    assert_eq!(add(&flexcomp).unwrap_err()[0].attribute, "elastic2d");
}

#[test]
fn counts_beyond_the_limits_are_refused_before_anything_is_made() {
    for (kind, dim) in [(FlexcompType::Grid, 3), (FlexcompType::Box, 2), (FlexcompType::Grid, 1)] {
        let flexcomp = Flexcomp { kind, count: [i32::MAX; 3], ..with_dim(dim) };
        assert_eq!(add(&flexcomp).unwrap_err()[0].kind, ProblemKind::TooLarge);
    }
    let many = Flexcomp { count: [300, 300, 1], ..named() };
    assert_eq!(add(&many).unwrap_err()[0].kind, ProblemKind::TooLarge);
    let mut spec = Spec::new();
    let rigid = Flexcomp { rigid: true, count: [400, 400, 1], ..named() };
    assert!(spec.add_flexcomp(spec.world(), &rigid, &FileSystem).is_ok());
    let again = spec.add_flexcomp(spec.world(), &rigid, &FileSystem).unwrap_err();
    assert_eq!(again[0].kind, ProblemKind::TooLarge);
    assert_eq!(spec.flexes.len(), 1);
}

#[test]
fn a_shell_of_one_layer_and_a_pin_outside_are_refused() {
    let flat = Flexcomp { kind: FlexcompType::Box, count: [3, 3, 1], ..with_dim(3) };
    assert_eq!(add(&flat).unwrap_err()[0].attribute, "count");
    let pins = Pins { grid_ranges: vec![0, 0, 0, 9, 9, 9], ..Pins::default() };
    let outside = Flexcomp { kind: FlexcompType::Box, dof: FlexcompDof::Trilinear, pins, ..with_dim(3) };
    assert_eq!(add(&outside).unwrap_err()[0].attribute, "gridrange");
    let layers = Flexcomp { count: [3, 3, 2], ..named() };
    assert_eq!(add(&layers).unwrap_err()[0].attribute, "count");
}
