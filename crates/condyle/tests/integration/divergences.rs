//! Contract: docs/divergences.md. Where Condyle deliberately differs from the reference, and where it follows the reference although
//! another reading seems natural, a test here shows which it is.

use condyle::{Files, LoadError, LoadOptions, Loaded, Model, Sim, load_str};

fn load_with(text: &str, change: impl FnOnce(&mut LoadOptions)) -> Result<Loaded, LoadError> {
    let mut options = LoadOptions::default().files(Files::without_disk());
    change(&mut options);
    load_str(text, &options)
}

fn model(text: &str) -> Model {
    load_with(text, |_| {}).unwrap_or_else(|problem| panic!("{problem}")).model
}

fn refused(text: &str) -> LoadError {
    load_with(text, |_| {}).map(|_| ()).expect_err("the model must be refused")
}

/// A model whose world holds `body`, followed by `rest`.
fn world(body: &str, rest: &str) -> String {
    format!("<mujoco><worldbody>{body}</worldbody>{rest}</mujoco>")
}

#[test]
fn several_orientations_are_an_error_and_lenient_takes_euler_first() {
    let text = world(r#"<body euler="0 0 90" quat="1 0 0 0"><geom size=".1"/></body>"#, "");
    assert!(refused(&text).message.contains("orientation"));
    let loaded = load_with(&text, |options| options.lenient = true).unwrap();
    assert_eq!(loaded.warnings.len(), 1);
    assert!((loaded.model.body_quat[1][3] - 0.5f64.sqrt()).abs() < 1e-15);
}

#[test]
fn an_unknown_class_is_an_error_and_lenient_uses_the_enclosing_default() {
    let text = r#"<mujoco><default><geom size=".3"/></default>
        <worldbody><geom class="nowhere"/></worldbody></mujoco>"#;
    assert!(refused(text).message.contains("nowhere"));
    let loaded = load_with(text, |options| options.lenient = true).unwrap();
    assert_eq!(loaded.warnings.len(), 1);
    assert_eq!(loaded.model.geom_size[0][0], 0.3);
}

#[test]
fn a_frame_moves_the_joints_of_its_body_but_not_its_inertial() {
    let text = world(
        r#"<body><frame pos="1 0 0"><joint pos="0 1 0"/><inertial pos="0 0 1" mass="1" diaginertia="1 1 1"/></frame></body>"#,
        "",
    );
    let loaded = load_with(&text, |_| {}).unwrap();
    assert_eq!(loaded.model.jnt_pos[0], [1.0, 1.0, 0.0]);
    assert_eq!(loaded.model.body_ipos[1], [0.0, 0.0, 1.0]);
    assert!(
        loaded.warnings.iter().any(|warning| warning.message.contains("inertial")),
        "{:?}",
        loaded.warnings
    );
}

#[test]
fn a_muscle_gets_no_activation_range() {
    let text = world(
        r#"<body><joint name="j"/><geom size=".1" pos="1 0 0"/></body>"#,
        r#"<actuator><muscle joint="j" lengthrange="0 1"/></actuator>"#,
    );
    let model = model(&text);
    assert_eq!((model.actuator_actlimited[0], model.actuator_actrange[0]), (0, [0.0, 0.0]));
}

#[test]
fn geometric_distance_sensors_have_the_names_of_the_reference() {
    let bodies = r#"<geom name="a" size=".1"/><geom name="b" size=".1" pos="1 0 0"/>"#;
    let sensor =
        |name: &str| world(bodies, &format!(r#"<sensor><{name} geom1="a" geom2="b" cutoff="2"/></sensor>"#));
    let dimensions = ["distance", "normal", "fromto"].map(|name| model(&sensor(name)).sensor_dim[0]);
    assert_eq!(dimensions, [1, 3, 6]);
    refused(&sensor("geomdist"));
}

#[test]
fn the_actuator_force_of_a_ball_joint_cannot_be_sensed() {
    let text = world(
        r#"<body><joint name="j" type="ball"/><geom size=".1"/></body>"#,
        r#"<sensor><jointactuatorfrc joint="j"/></sensor>"#,
    );
    refused(&text);
}

#[test]
fn ball_and_free_joints_are_driven_along_their_gear() {
    for (joint, gear, dofs) in [("ball", "0 1 0", 3), ("free", "0 0 0 0 1 0", 6)] {
        let text = world(
            &format!(r#"<body><joint name="j" type="{joint}"/><geom size=".1"/></body>"#),
            &format!(r#"<actuator><motor joint="j" gear="{gear}"/></actuator>"#),
        );
        let mut sim = Sim::new(model(&text));
        sim.data.inputs.ctrl[0] = 2.0;
        sim.forward();
        let mut expected = vec![0.0; dofs];
        expected[dofs - 2] = 2.0;
        assert_eq!(*sim.data.actuation.qfrc_actuator, *expected);
    }
}

#[test]
fn a_slider_crank_out_of_reach_has_the_projected_length() {
    let text = world(
        r#"<site name="slide" zaxis="0 0 1"/>
           <body pos="3 0 2"><joint axis="0 1 0"/><geom size=".1"/><site name="crank"/></body>"#,
        r#"<actuator><general cranksite="crank" slidersite="slide" cranklength="1"/></actuator>"#,
    );
    let mut sim = Sim::new(model(&text));
    sim.forward();
    assert_eq!(sim.data.transmission.actuator_length[0], 2.0);
}

#[test]
fn an_include_is_looked_up_beside_the_main_file_first_then_beside_the_including_one() {
    let insert = |files: &mut Files, name: &str, text: &str| assert!(files.insert(name, text.as_bytes()));
    let text = r#"<mujoco><include file="parts/a.xml"/></mujoco>"#;
    let inner = r#"<mujoco><include file="b.xml"/></mujoco>"#;
    let sized = |size: f64| format!(r#"<mujoco><worldbody><geom size="{size}"/></worldbody></mujoco>"#);
    let beside_both = load_with(text, |options| {
        insert(&mut options.files, "parts/a.xml", inner);
        insert(&mut options.files, "parts/b.xml", &sized(0.2));
        insert(&mut options.files, "b.xml", &sized(0.1));
    });
    assert_eq!(beside_both.unwrap().model.geom_size[0][0], 0.1);
    let beside_the_part = load_with(text, |options| {
        insert(&mut options.files, "parts/a.xml", inner);
        insert(&mut options.files, "parts/b.xml", &sized(0.2));
    });
    assert_eq!(beside_the_part.unwrap().model.geom_size[0][0], 0.2);
}

#[test]
fn the_inertial_rotation_of_a_urdf_counts_unless_bugs_are_asked_for() {
    let text = r#"<robot name="r"><link name="base"/><link name="arm"><inertial>
        <origin xyz="0 0 0" rpy="0 0 1.5707963267948966"/><mass value="1"/>
        <inertia ixx="3" iyy="2" izz="1.5" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"#;
    // Moment about the body's x axis: first row of the rotation matrix, squared, times the principal moments.
    let about_x = |model: &Model| {
        let ([w, x, y, z], moments) = (model.body_iquat[1], model.body_inertia[1]);
        let row = [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)];
        row.iter().zip(moments).map(|(part, moment)| part * part * moment).sum::<f64>()
    };
    assert!((about_x(&model(text)) - 2.0).abs() < 1e-12);
    let wrong = load_with(text, |options| options.reference_bugs = true).unwrap().model;
    assert!((about_x(&wrong) - 3.0).abs() < 1e-12);
}

/// A cube of eight control nodes, each a body with so many sliders along x, y and z.
fn cube_of_nodes(sliders: [usize; 8]) -> String {
    let mut bodies = String::new();
    for (node, number) in sliders.into_iter().enumerate() {
        let place = format!("{} {} {}", node >> 2 & 1, node >> 1 & 1, node & 1);
        let joints: String = ["1 0 0", "0 1 0", "0 0 1"][..number]
            .iter()
            .map(|axis| format!(r#"<joint type="slide" axis="{axis}"/>"#))
            .collect();
        bodies += &format!(r#"<body name="n{node}" pos="{place}">{joints}<geom size=".02"/></body>"#);
    }
    let names: String = (0..8).map(|node| format!("n{node} ")).collect();
    // Eight cells between 27 vertices, six tetrahedra each.
    let half = |step: usize| step as f64 / 2.0;
    let vertices: String =
        (0..27).map(|v| format!("{} {} {} ", half(v / 9), half(v / 3 % 3), half(v % 3))).collect();
    let cells = (0..8).map(|cell| 9 * (cell >> 2 & 1) + 3 * (cell >> 1 & 1) + (cell & 1));
    let walks = [[9, 3], [3, 1], [1, 9], [3, 9], [1, 3], [9, 1]];
    let elements: String = cells
        .flat_map(|corner| walks.map(|[first, second]| (corner, first, second)))
        .map(|(corner, first, second)| {
            let (a, b) = (corner + first, corner + first + second);
            if [[9, 3], [3, 1], [1, 9]].contains(&[first, second]) { [corner, a, b] } else { [corner, b, a] }
                .map(|vertex| format!("{vertex} "))
                .concat()
                + &format!("{} ", corner + 13)
        })
        .collect();
    let flex = format!(
        r#"<deformable><flex name="f" dim="3" node="{names}" body="{}" vertex="{vertices}" element="{elements}">
           <elasticity young="1e3" poisson=".2" damping=".3"/>
           <contact selfcollide="none" contype="0" conaffinity="0"/></flex></deformable>"#,
        "world ".repeat(27)
    );
    world(&bodies, &flex)
}

#[test]
fn nodes_with_few_dofs_are_pushed_along_their_own_dofs_unless_bugs_are_asked_for() {
    let forces = |sliders: [usize; 8], reference_bugs: bool| {
        let loaded = load_with(&cube_of_nodes(sliders), |options| options.reference_bugs = reference_bugs);
        let mut sim = Sim::new(loaded.unwrap_or_else(|problem| panic!("{problem}")).model);
        let mut forces = vec![None; 24];
        let dofs: Vec<usize> =
            sliders.iter().enumerate().flat_map(|(node, n)| (0..*n).map(move |k| 3 * node + k)).collect();
        for (dof, place) in dofs.iter().enumerate() {
            // Only dofs that both cubes have are displaced and move.
            let moves = place % 3 != 2 && *place < 21;
            sim.data.state.qpos[dof] = if moves { 0.01 * (*place as f64).sin() } else { 0.0 };
            sim.data.state.qvel[dof] = if moves { 0.1 * (*place as f64).cos() } else { 0.0 };
        }
        sim.forward();
        for (dof, place) in dofs.iter().enumerate() {
            forces[*place] = Some([sim.data.passive.qfrc_spring[dof], sim.data.passive.qfrc_damper[dof]]);
        }
        forces
    };
    let few = [2, 3, 2, 3, 3, 3, 3, 0];
    let largest_difference = |reference_bugs: bool| {
        let (few, all) = (forces(few, reference_bugs), forces([3; 8], reference_bugs));
        let pairs = few.iter().zip(&all).filter_map(|(few, all)| few.zip(*all));
        pairs
            .flat_map(|(few, all)| [0, 1].map(|k| (few[k] - all[k]).abs()))
            .fold(0.0, |a: f64, b| if b > a { b } else { a })
    };
    let scale = forces([3; 8], false)
        .iter()
        .flatten()
        .flatten()
        .fold(0.0, |a: f64, b| if b.abs() > a { b.abs() } else { a });
    assert!(
        scale > 1.0 && largest_difference(false) < 1e-12 * scale,
        "{scale} {}",
        largest_difference(false)
    );
    assert!(largest_difference(true) > 1e-3 * scale);
}

#[test]
fn a_pile_of_contacts_is_not_cut_off() {
    let spheres: String = (0..300)
        .map(|i| format!(r#"<body pos="{} 0 .09"><freejoint/><geom size=".1"/></body>"#, i))
        .collect();
    let text = world(
        &format!(r#"<geom type="plane" size="0 0 1"/>{spheres}"#),
        r#"<size nconmax="10" njmax="20"/>"#,
    );
    let mut sim = Sim::new(model(&text));
    sim.forward();
    assert_eq!(sim.data.contacts.len(), 300);
    assert!(sim.data.rows.nefc >= 300);
}

#[test]
fn independent_problems_are_reported_together() {
    let text = world(r#"<geom size=".1" colour="red"/><geom size=".1" shape="round"/>"#, "");
    let problem = refused(&text);
    let lines: Vec<_> = problem.diagnostics.iter().filter(|one| one.is_error()).collect();
    assert!(lines.len() >= 2, "{problem}");
}
#[test]
fn negative_gravity_compensation_alone_acts() {
    let text = world(r#"<body gravcomp="-1"><freejoint/><geom size=".1" mass="1"/></body>"#, "");
    let mut sim = Sim::new(model(&text));
    sim.forward();
    assert_eq!(sim.data.passive.qfrc_gravcomp[2], -9.81);
    assert!((sim.data.acceleration.qacc[2] + 2.0 * 9.81).abs() < 1e-12);
}

#[test]
fn an_unset_spring_length_comes_from_the_spring_configuration() {
    let text = world(
        r#"<body><joint name="j" type="slide" axis="1 0 0" ref="0" springref="0.25"/><geom size=".1"/></body>"#,
        r#"<tendon><fixed stiffness="1"><joint joint="j" coef="2"/></fixed></tendon>"#,
    );
    assert_eq!(model(&text).tendon_lengthspring[0], [0.5, 0.5]);
}

#[test]
fn every_copy_of_a_replicated_plugin_has_an_instance_of_its_own() {
    let text = r#"<mujoco>
        <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
        <worldbody><replicate count="3" offset="1 0 0"><body><joint type="ball"/>
            <plugin plugin="mujoco.elasticity.cable"><config key="bend" value="1e6"/></plugin>
            <geom type="capsule" fromto="0 0 0 .1 0 0" size=".01"/>
        </body></replicate></worldbody>
    </mujoco>"#;
    let model = model(text);
    let mut instances = model.body_plugin[1..].to_vec();
    instances.dedup();
    assert_eq!(instances.len(), 3);
    assert!(instances.iter().all(|instance| (0..model.nplugin as i32).contains(instance)));
}

#[test]
fn a_tree_with_a_plugin_can_start_asleep() {
    let text = r#"<mujoco>
        <option><flag sleep="enable" gravity="disable"/></option>
        <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
        <worldbody><body sleep="init"><joint type="ball"/>
            <plugin plugin="mujoco.elasticity.cable"><config key="bend" value="1e6"/></plugin>
            <geom type="capsule" fromto="0 0 0 .1 0 0" size=".01"/>
        </body></worldbody>
    </mujoco>"#;
    let mut sim = Sim::new(model(text));
    sim.step();
    assert_eq!(sim.data.state.qpos[..], [1.0, 0.0, 0.0, 0.0]);
}

/// Two equal cubes lie alike on two equal slabs; only the number of the geom tells them apart.
#[test]
fn a_mesh_beside_a_distance_field_takes_the_octree_at_the_number_of_its_geom() {
    let text = r#"<mujoco><asset>
            <mesh name="cube" vertex="-.1 -.1 -.1 .1 -.1 -.1 .1 .1 -.1 -.1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 .1 .1 .1 -.1 .1 .1"/>
            <mesh name="slab" vertex="-.3 -.3 -.05 .3 -.3 -.05 .3 .3 -.05 -.3 .3 -.05 -.3 -.3 .05 .3 -.3 .05 .3 .3 .05 -.3 .3 .05"/>
        </asset><worldbody>
            <body pos="0 0 .14"><freejoint/><geom type="mesh" mesh="cube"/></body>
            <body pos="2 0 .14"><freejoint/><geom type="mesh" mesh="cube"/></body>
            <body pos="0 0 2"><freejoint/><geom type="sdf" mesh="cube"/></body>
            <body><geom type="sdf" mesh="slab"/><geom type="sdf" mesh="slab" pos="2 0 0"/></body>
        </worldbody></mujoco>"#;
    let mut sim = Sim::new(model(text));
    sim.forward();
    let depths = |geom: i32| {
        let of_geom = sim.data.contacts.iter().filter(move |contact| contact.geom.contains(&geom));
        of_geom.map(|contact| contact.dist).collect::<Vec<_>>()
    };
    assert!(!depths(0).is_empty());
    assert_ne!(depths(0), depths(1));
}
