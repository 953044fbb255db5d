use super::*;

fn line(count: usize, kind: GeomType) -> Cable {
    let shape = [CurveShape::Line, CurveShape::Zero, CurveShape::Zero];
    Cable {
        points: Curve { count, shape, ..Curve::default() }.points(),
        geom: Geom { kind, size: [0.01, 0.02, 0.03], ..Geom::default() },
        ..Cable::default()
    }
}

#[test]
fn a_cable_is_a_chain_with_named_ends() {
    let mut spec = Spec::new();
    let cable = Cable { prefix: "rope ".to_owned(), root: CableRoot::Fixed, ..line(5, GeomType::Capsule) };
    let bodies = spec.add_cable(spec.world(), &cable).unwrap();
    let names: Vec<&str> = bodies.iter().map(|&body| spec.bodies[body].info.name.as_str()).collect();
    assert_eq!(names, ["rope B_first", "rope B_1", "rope B_2", "rope B_last"]);
    assert_eq!(spec.bodies[bodies[2]].parent, Some(bodies[1]));
    assert!((spec.bodies[bodies[2]].pos[0] - 0.25).abs() < 1e-12);
    assert_eq!((spec.joints.len(), spec.excludes.len(), spec.sites.len(), spec.skins.len()), (3, 3, 2, 0));
}

#[test]
fn points_that_names_or_memory_do_not_allow_are_refused() {
    for count in [0, 1, 3, MOST_POINTS + 1] {
        let mut spec = Spec::new();
        let refused = spec.add_cable(spec.world(), &line(count, GeomType::Capsule));
        assert_eq!(refused, Err(CableError::Points(count)));
        assert_eq!((spec.bodies.len(), spec.texts.len()), (1, 0));
    }
    let mut spec = Spec::new();
    let world = spec.world();
    assert_eq!(spec.add_cable(world, &line(5, GeomType::Sphere)), Err(CableError::GeomType));
    assert_eq!(spec.add_cable(world, &line(2, GeomType::Box)), Err(CableError::SkinPoints(2)));
    let mut fine = line(5, GeomType::Box);
    fine.skin.subgrid = usize::MAX;
    assert_eq!(spec.add_cable(world, &fine), Err(CableError::SkinVertices));
}

#[test]
fn weights_of_every_skin_vertex_sum_to_one() {
    for subgrid in [0, 1, 4] {
        let mut cable = line(6, GeomType::Box);
        cable.skin.subgrid = subgrid;
        let mut spec = Spec::new();
        spec.add_cable(spec.world(), &cable).unwrap();
        let skin = spec.skins.values().next().unwrap();
        let mut sums = vec![0.0; skin.vertices.len() / 3];
        for bone in &skin.bones {
            for (&vertex, &weight) in bone.vertid.iter().zip(&bone.vertweight) {
                sums[vertex as usize] += f64::from(weight);
            }
        }
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-6), "{subgrid}: {sums:?}");
    }
}

#[test]
fn the_skin_is_a_closed_surface() {
    let mut cable = line(4, GeomType::Box);
    cable.skin.subgrid = 2;
    let skin = skin::make(&cable);
    let mut edges = std::collections::HashMap::new();
    for face in skin.faces.chunks(3) {
        for (a, b) in [(face[0], face[1]), (face[1], face[2]), (face[2], face[0])] {
            *edges.entry((a, b)).or_insert(0) += 1;
        }
    }
    assert!(edges.iter().all(|(&(a, b), &count)| count == 1 && edges.get(&(b, a)) == Some(&1)));
}
