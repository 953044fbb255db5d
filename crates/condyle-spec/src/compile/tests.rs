//! Whole models compiled from specs written by hand, against numbers of the reference.

use condyle_model::{GeomType, JointType, Model, ObjectType, SensorType, TransmissionType};

use super::{CompileOptions, FileSystem, compile};
use crate::element::PositionParameters;
use crate::orientation::{InertiaFromGeom, Orientation};
use crate::spec::Spec;

fn build(spec: &Spec) -> Model {
    match compile(spec, &FileSystem, &CompileOptions::default()) {
        Ok(compiled) => compiled.model,
        Err(problems) => panic!("{problems:?}"),
    }
}

fn messages(spec: &Spec) -> Vec<String> {
    let problems = compile(spec, &FileSystem, &CompileOptions::default()).unwrap_err();
    problems.into_iter().map(|problem| problem.message).collect()
}

fn arm() -> Spec {
    let mut spec = Spec::new();
    let world = spec.world();
    let floor = spec.add_geom(world, None);
    spec.geoms[floor].info.name = "floor".to_owned();
    spec.geoms[floor].kind = GeomType::Plane;
    spec.geoms[floor].size = [0.0, 0.0, 1.0];
    let arm = spec.add_body(world);
    spec.bodies[arm].info.name = "arm".to_owned();
    spec.bodies[arm].pos = [0.0, 0.0, 1.0];
    spec.bodies[arm].alt = Some(Orientation::Euler([10.0, 20.0, 30.0]));
    let hinge = spec.add_joint(arm, None);
    spec.joints[hinge].info.name = "hinge".to_owned();
    spec.joints[hinge].axis = [0.0, 1.0, 0.0];
    spec.joints[hinge].range = [-30.0, 60.0];
    let rod = spec.add_geom(arm, None);
    spec.geoms[rod].info.name = "rod".to_owned();
    spec.geoms[rod].kind = GeomType::Capsule;
    spec.geoms[rod].fromto = Some([0.0, 0.0, 0.0, 0.3, 0.0, 0.4]);
    spec.geoms[rod].size[0] = 0.05;
    let ball = spec.add_geom(arm, None);
    spec.geoms[ball].info.name = "ball".to_owned();
    spec.geoms[ball].pos = [0.1, 0.2, 0.3];
    spec.geoms[ball].size[0] = 0.1;
    spec.geoms[ball].mass = Some(2.0);
    let tip = spec.add_site(arm, None);
    spec.sites[tip].info.name = "tip".to_owned();
    spec.sites[tip].pos = [0.3, 0.0, 0.4];
    let free = spec.add_body(arm);
    spec.bodies[free].info.name = "free".to_owned();
    let joint = spec.add_joint(free, None);
    spec.joints[joint].kind = JointType::Ball;
    let block = spec.add_geom(free, None);
    spec.geoms[block].info.name = "box".to_owned();
    spec.geoms[block].kind = GeomType::Box;
    spec.geoms[block].size = [0.1, 0.2, 0.3];
    spec.geoms[block].quat = [1.0, 1.0, 0.0, 0.0];
    let servo = spec.add_actuator(None);
    spec.actuators[servo].trntype = TransmissionType::Joint;
    spec.actuators[servo].target = "hinge".to_owned();
    let parameters = PositionParameters { kp: 5.0, inheritrange: 1.0, ..PositionParameters::default() };
    spec.actuators[servo].set_to_position(&parameters).unwrap();
    let sensor = spec.add_sensor();
    spec.sensors[sensor].kind = SensorType::FramePos;
    spec.sensors[sensor].objtype = ObjectType::Site;
    spec.sensors[sensor].objname = "tip".to_owned();
    spec
}

#[test]
fn an_arm_has_the_reference_numbers_to_the_last_bit() {
    let model = build(&arm());
    assert_eq!(
        model.body_quat[1],
        [0.943714364147489, 0.12767944069578063, 0.14487812541736914, 0.2685358227515692]
    );
    assert_eq!(model.body_mass, [0.0, 6.4505895925855405, 48.00000000000001]);
    assert_eq!(model.body_ipos[1], [0.13449754110617385, 0.06200983557530453, 0.23100491778765228]);
    assert_eq!(
        model.body_iquat[1],
        [0.9246795786930644, -0.05233130608285773, 0.2756166441253371, 0.2574190681219365]
    );
    assert_eq!(model.body_inertia[1], [0.20286877504254205, 0.1381454862101053, 0.07815562612926943]);
    assert_eq!(model.body_inertia[2], [2.0800000000000005, 1.6000000000000003, 0.8000000000000003]);
    assert_eq!(model.geom_quat[1], [0.31622776601683794, -0.0, -0.9486832980505138, 0.0]);
    assert_eq!(model.geom_size[1], [0.05, 0.25, 0.0]);
    assert_eq!(model.jnt_range[0], [-0.5235987755982988, 1.0471975511965976]);
    assert_eq!(model.actuator_ctrlrange[0], [-0.5235987755982989, 1.0471975511965976]);
    assert_eq!(
        model.bvh_aabb[2],
        [
            3.091415165523692e-09,
            -0.06267828748826275,
            -0.0334407407870822,
            0.06708204220784363,
            0.1447043392796008,
            0.30702227468388893
        ]
    );
    assert_eq!(model.bvh_child, [[-1, -1], [1, 2], [-1, -1], [-1, -1], [-1, -1]]);
}

#[test]
fn sizes_names_and_sparsity_are_the_references() {
    let model = build(&arm());
    assert_eq!((model.nM, model.nC, model.nD, model.nB), (10, 10, 16, 12));
    assert_eq!((model.narena, model.nbuffer, model.nnames), (13631488, 12520, 60));
    assert_eq!(
        model.names_map,
        [-1, 0, -1, 2, -1, 1, 0, -1, -1, -1, 3, -1, -1, -1, 1, 0, 2, -1, 0, -1, -1, -1, -1, -1]
    );
    assert_eq!(model.body_simple, [1, 0, 0]);
    assert_eq!(model.M_colind, [0, 0, 1, 0, 1, 2, 0, 1, 2, 3]);
    assert_eq!(model.mapM2D, [0, 1, 3, 6, 1, 2, 4, 7, 3, 4, 5, 8, 6, 7, 8, 9]);
    assert_eq!(model.signature, 16988709718014679780);
}

#[test]
fn constants_of_the_reference_configuration_are_the_references() {
    let model = build(&arm());
    assert_eq!(model.body_invweight0[1], [0.03913601131972428, 0.5477179078343225]);
    assert_eq!(model.body_invweight0[2], [0.7852564102564106; 2]);
    assert_eq!(model.dof_invweight0[0], 1.6431537235029674);
    assert_eq!(model.dof_M0, [1.4085857857949795, 2.079999999999998, 0.7999999999999996, 1.5999999999999994]);
    assert_eq!(model.dof_length[0], 0.3710411913388995);
    assert_eq!(model.body_subtreemass, [54.450589592585544, 54.450589592585544, 48.00000000000001]);
    assert_eq!((model.stat.meaninertia, model.stat.extent), (1.4721464464487442, 2.454352196374235));
    assert_eq!((model.stat.meansize, model.stat.meanmass), (0.37260346500814684, 27.225294796292772));
}

#[test]
fn independent_problems_are_reported_together() {
    let mut spec = arm();
    let world = spec.world();
    let body = spec.add_body(world);
    let joint = spec.add_joint(body, None);
    spec.joints[joint].axis = [0.0; 3];
    let geom = spec.add_geom(body, None);
    spec.geoms[geom].meshname = "teapot".to_owned();
    let exclude = spec.add_exclude();
    spec.excludes[exclude].bodyname1 = "armm".to_owned();
    spec.excludes[exclude].bodyname2 = "free".to_owned();
    let sensor = spec.add_sensor();
    spec.sensors[sensor].kind = SensorType::JointPos;
    spec.sensors[sensor].objtype = ObjectType::Joint;
    spec.sensors[sensor].objname = "elbow".to_owned();
    let found = messages(&spec);
    for expected in ["no mesh is named 'teapot'", "axis is too small", "no body is named 'armm'", "'elbow'"] {
        assert!(found.iter().any(|message| message.contains(expected)), "{expected} in {found:?}");
    }
}

#[test]
fn bounds_come_before_balance() {
    let compile_with = |bound: f64| {
        let mut spec = Spec::new();
        spec.compiler.boundinertia = bound;
        spec.compiler.balanceinertia = true;
        let world = spec.world();
        let body = spec.add_body(world);
        spec.bodies[body].explicit_inertial = true;
        spec.bodies[body].ipos = Some([0.0; 3]);
        spec.bodies[body].mass = 1.0;
        spec.bodies[body].inertia = [1.0, 1.0, 5.0];
        build(&spec).body_inertia[1]
    };
    assert_eq!(compile_with(2.0), [3.0; 3]);
    assert_eq!(compile_with(3.0), [3.0, 3.0, 5.0]);
}

#[test]
fn a_body_without_mass_takes_its_own_pose_as_inertial_frame() {
    let mut spec = Spec::new();
    let world = spec.world();
    let body = spec.add_body(world);
    spec.bodies[body].pos = [1.0, 2.0, 3.0];
    spec.compiler.inertiafromgeom = InertiaFromGeom::Auto;
    assert_eq!(build(&spec).body_ipos[1], [1.0, 2.0, 3.0]);
}

/// A parent with a joint and a rotated static child, both unit masses.
fn fusible() -> Spec {
    let mut spec = Spec::new();
    spec.compiler.fusestatic = true;
    let world = spec.world();
    let parent = spec.add_body(world);
    spec.add_joint(parent, None);
    let child = spec.add_body(parent);
    spec.bodies[child].alt = Some(Orientation::Euler([0.0, 0.0, 90.0]));
    for (body, x) in [(parent, 0.0), (child, 1.0)] {
        let geom = spec.add_geom(body, None);
        spec.geoms[geom].size[0] = 0.1;
        spec.geoms[geom].mass = Some(1.0);
        spec.geoms[geom].pos = [x, 0.0, 0.0];
    }
    let camera = spec.add_camera(child, None);
    spec.cameras[camera].pos = [1.0, 0.0, 0.0];
    spec
}

#[test]
fn fusing_keeps_the_centre_of_mass_and_moves_cameras() {
    let model = build(&fusible());
    assert_eq!(model.nbody, 2);
    assert_eq!(model.body_mass[1], 2.0);
    let [x, y, z] = model.body_ipos[1];
    assert!(x.abs() < 1e-15 && (y - 0.5).abs() < 1e-15 && z == 0.0);
    assert_eq!(model.cam_bodyid, [1]);
    assert!((model.cam_pos[0][1] - 1.0).abs() < 1e-15);
    assert!((model.geom_pos[1][1] - 1.0).abs() < 1e-15);
}

#[test]
fn reference_bugs_bring_back_the_wrong_fused_inertia() {
    let options = CompileOptions::default().reference_bugs(true);
    let model = compile(&fusible(), &FileSystem, &options).unwrap().model;
    assert_eq!(model.body_ipos[1], [0.5, 0.0, 0.0]);
}

#[test]
fn a_named_body_that_is_used_is_not_fused() {
    let mut spec = fusible();
    let child = spec.bodies.ids().nth(2).unwrap();
    spec.bodies[child].info.name = "tool".to_owned();
    let exclude = spec.add_exclude();
    spec.excludes[exclude].bodyname1 = "tool".to_owned();
    spec.excludes[exclude].bodyname2 = "world".to_owned();
    assert_eq!(build(&spec).nbody, 3);
}

#[test]
fn visual_geoms_are_discarded_but_their_mass_stays() {
    let mut spec = Spec::new();
    spec.compiler.discardvisual = true;
    let world = spec.world();
    let body = spec.add_body(world);
    spec.add_joint(body, None);
    for mask in [0, 1] {
        let geom = spec.add_geom(body, None);
        spec.geoms[geom].size[0] = 0.1;
        spec.geoms[geom].mass = Some(1.0);
        spec.geoms[geom].contype = mask;
        spec.geoms[geom].conaffinity = 0;
    }
    let model = build(&spec);
    assert_eq!((model.ngeom, model.body_mass[1]), (1, 2.0));
}

#[test]
fn joints_a_keyframe_does_not_reach_have_their_reference_or_zero() {
    let mut spec = Spec::new();
    let world = spec.world();
    let (first, second) = (spec.add_body(world), spec.add_body(world));
    for body in [first, second] {
        let geom = spec.add_geom(body, None);
        spec.geoms[geom].size[0] = 0.1;
    }
    spec.bodies[second].pos = [1.0, 2.0, 3.0];
    spec.add_free_joint(second);
    // Stored after the joint of the second body, numbered before it.
    let slide = spec.add_joint(first, None);
    spec.joints[slide].kind = JointType::Slide;
    let other = spec.add_joint(first, None);
    (spec.joints[other].kind, spec.joints[other].reference) = (JointType::Slide, 0.5);
    let key = spec.add_key();
    spec.keys[key].qpos = vec![0.3];
    assert_eq!(build(&spec).key_qpos, [0.3, 0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_short_keyframe_is_completed_and_a_long_one_refused() {
    let mut spec = Spec::new();
    let world = spec.world();
    let body = spec.add_body(world);
    spec.add_free_joint(body);
    let geom = spec.add_geom(body, None);
    spec.geoms[geom].size[0] = 0.1;
    let key = spec.add_key();
    spec.keys[key].qpos = vec![1.0, 2.0, 3.0];
    assert_eq!(build(&spec).key_qpos, [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
    spec.keys[key].qpos = vec![0.0; 8];
    assert!(messages(&spec)[0].contains("expected 7, got 8"));
}
