//! What MJCF and URDF texts mean: includes, settings, classes, shortcuts, copies.

use condyle_base::Files;
use condyle_base::diagnostic::render_all;
use condyle_mjcf::{LoadOptions, load_path, load_str};
use condyle_model::{GainType, JointType};
use condyle_spec::{Limited, Orientation, Spec, find_by_name};

fn read(text: &str) -> Spec {
    load_str(text, &LoadOptions::default()).unwrap_or_else(|problems| panic!("{}", render_all(&problems))).0
}

fn refused(text: &str) -> String {
    render_all(&load_str(text, &LoadOptions::default()).expect_err("the text is accepted"))
}

fn with_files(files: &[(&str, &str)]) -> LoadOptions {
    let mut given = Files::without_disk();
    for (name, text) in files {
        assert!(given.insert(name, text.as_bytes().to_vec()));
    }
    LoadOptions::default().files(given)
}

#[test]
fn includes_are_spliced_where_they_stand_and_nest() {
    let options = with_files(&[
        (
            "m/main.xml",
            "<mujoco><worldbody><geom name='a' size='1'/><include file='sub/part.xml'/></worldbody></mujoco>",
        ),
        ("m/sub/part.xml", "<any><geom name='b' size='1'/><include file='deep.xml'/></any>"),
        ("m/sub/deep.xml", "<any><geom name='c' size='1'/></any>"),
    ]);
    let (spec, _) =
        load_path("m/main.xml", &options).unwrap_or_else(|problems| panic!("{}", render_all(&problems)));
    let names: Vec<&str> = spec.geoms.values().map(|geom| geom.info.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[test]
fn a_problem_in_an_included_file_is_shown_with_the_way_to_it() {
    let options = with_files(&[
        ("main.xml", "<mujoco>\n  <include file='part.xml'/>\n</mujoco>"),
        ("part.xml", "<any>\n  <worldbody>\n    <geom sise='1'/>\n  </worldbody>\n</any>"),
    ]);
    let problems = load_path("main.xml", &options).unwrap_err();
    let rendered = problems[0].render();
    assert!(
        rendered.contains("--> part.xml:3:11") && rendered.contains("included from main.xml:2:3"),
        "{rendered}"
    );
}

#[test]
fn later_compiler_elements_are_applied_on_top() {
    let spec = read("<mujoco><compiler meshdir='m' assetdir='a'/><compiler angle='radian'/></mujoco>");
    assert_eq!((spec.compiler.meshdir.as_str(), spec.compiler.texturedir.as_str()), ("m", "a"));
    assert!(!spec.compiler.degree);
    let spec = read("<mujoco><compiler meshdir='m'/><compiler assetdir='a'/></mujoco>");
    assert_eq!(spec.compiler.meshdir, "a");
}

#[test]
fn classes_copy_the_class_around_them_and_elements_the_nearest_childclass() {
    let spec = read(
        "<mujoco><default><geom group='1' rgba='1 0 0 1'/><default class='c'><geom group='2'/></default></default>\
         <worldbody><geom name='w' size='1'/><body childclass='c'><geom name='x' size='1'/>\
         <frame childclass='main'><geom name='y' size='1'/></frame><geom name='z' class='main' size='1'/></body>\
         </worldbody></mujoco>",
    );
    let group = |name: &str| spec.geoms[find_by_name(&spec.geoms, name).unwrap()].group;
    assert_eq!((group("w"), group("x"), group("y"), group("z")), (1, 2, 1, 1));
    assert!(spec.geoms.values().all(|geom| geom.rgba == [1.0, 0.0, 0.0, 1.0]));
}

#[test]
fn shortcuts_of_one_class_write_the_same_actuator() {
    let spec = read(
        "<mujoco><default><position kp='7'/></default><worldbody><body><joint name='j'/><geom size='1'/></body>\
         </worldbody><actuator><velocity joint='j'/><motor joint='j'/></actuator></mujoco>",
    );
    let actuators: Vec<_> = spec.actuators.values().collect();
    assert_eq!((actuators[0].gainprm[0], actuators[0].biasprm[2]), (7.0, -7.0));
    assert_eq!((actuators[1].gainprm[0], actuators[1].gaintype), (1.0, GainType::Fixed));
}

#[test]
fn a_class_orientation_stays_beside_an_element_quaternion() {
    let spec = read(
        "<mujoco><default><geom euler='0 0 90'/></default><worldbody><geom size='1' quat='0 1 0 0'/></worldbody></mujoco>",
    );
    let geom = spec.geoms.values().next().unwrap();
    assert_eq!(geom.alt, Some(Orientation::Euler([0.0, 0.0, 90.0])));
    assert_eq!(geom.quat, [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn one_spring_length_stands_for_both() {
    let spec = read(
        "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>\
         <tendon><fixed springlength='.3'><joint joint='j' coef='1'/></fixed></tendon></mujoco>",
    );
    assert_eq!(spec.tendons.values().next().unwrap().springlength, [0.3, 0.3]);
}

#[test]
fn empty_vectors_count_as_not_given_but_empty_integers_do_not() {
    let spec = read("<mujoco><worldbody><geom size='1' pos='' rgba=' '/></worldbody></mujoco>");
    assert_eq!(spec.geoms.values().next().unwrap().pos, [0.0; 3]);
    assert!(refused("<mujoco><worldbody><geom size='1' group=''/></worldbody></mujoco>").contains("E0211"));
}

#[test]
fn frames_warn_about_what_they_do_not_move() {
    let text = "<mujoco><worldbody><body><frame pos='1 0 0'><freejoint/><inertial pos='0 0 0' mass='1' \
                diaginertia='1 1 1'/></frame></body></worldbody></mujoco>";
    let (_, warnings) = load_str(text, &LoadOptions::default()).unwrap();
    let codes: Vec<&str> = warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["W0405", "W0404"]);
}

#[test]
fn replicated_names_are_numbered_and_nested_ones_get_both_numbers() {
    let spec = read(
        "<mujoco><worldbody><replicate count='2' sep='-'><replicate count='2' offset='0 0 1'><body name='b'>\
         <geom size='1'/></body></replicate></replicate></worldbody></mujoco>",
    );
    let names: Vec<&str> = spec.bodies.values().map(|body| body.info.name.as_str()).collect();
    assert_eq!(names, ["world", "b0-0", "b1-0", "b0-1", "b1-1"]);
}

#[test]
fn an_attached_model_keeps_its_own_units() {
    let options = with_files(&[
        (
            "main.xml",
            "<mujoco><compiler angle='radian'/><asset><model name='m' file='part.xml'/></asset><worldbody>\
             <attach model='m' body='b' prefix='p_'/></worldbody></mujoco>",
        ),
        (
            "part.xml",
            "<mujoco><worldbody><body name='b' euler='0 0 90'><geom size='1'/></body></worldbody></mujoco>",
        ),
    ]);
    let (spec, _) =
        load_path("main.xml", &options).unwrap_or_else(|problems| panic!("{}", render_all(&problems)));
    let body = &spec.bodies[find_by_name(&spec.bodies, "p_b").unwrap()];
    assert!(spec.compiler_of(body.info.origin).degree && !spec.compiler.degree);
}

#[test]
fn models_that_load_each_other_are_refused() {
    let options = with_files(&[
        ("a.xml", "<mujoco><asset><model name='b' file='b.xml'/></asset></mujoco>"),
        ("b.xml", "<mujoco><asset><model name='a' file='a.xml'/></asset></mujoco>"),
    ]);
    let problems = load_path("a.xml", &options).unwrap_err();
    assert!(problems.iter().any(|problem| problem.code == "E0008"), "{}", render_all(&problems));
}

#[test]
fn elements_nested_too_deeply_are_refused_without_exhausting_the_stack() {
    let deep = |levels: usize| {
        format!(
            "<mujoco><worldbody>{}{}</worldbody></mujoco>",
            "<body>".repeat(levels),
            "</body>".repeat(levels)
        )
    };
    assert!(load_str(&deep(490), &LoadOptions::default()).is_ok());
    assert!(refused(&deep(100_000)).contains("E0005"));
}

#[test]
fn urdf_joints_links_and_limits_become_bodies_joints_and_ranges() {
    let spec = read(
        "<robot name='r'><link name='base'/><link name='arm'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' \
         ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><box size='2 4 6'/></geometry></collision></link>\
         <link name='tip'/><joint name='j' type='revolute'><parent link='base'/><child link='arm'/>\
         <limit lower='-1' upper='2' effort='5'/></joint><joint name='k' type='planar'><parent link='arm'/>\
         <child link='tip'/><limit lower='1'/></joint></robot>",
    );
    assert_eq!(spec.modelname, "r");
    assert!(
        spec.strippath && spec.compiler.fusestatic && spec.compiler.discardvisual && !spec.compiler.degree
    );
    let joints: Vec<_> = spec.joints.values().collect();
    let names: Vec<&str> = joints.iter().map(|joint| joint.info.name.as_str()).collect();
    assert_eq!(names, ["j", "k_TX", "k_TY", "k_RZ"]);
    assert_eq!(
        (joints[0].kind, joints[0].range, joints[0].actfrcrange),
        (JointType::Hinge, [-1.0, 2.0], [-5.0, 5.0])
    );
    assert_eq!(joints[1].limited, Limited::False);
    assert_eq!(spec.geoms.values().next().unwrap().size, [1.0, 2.0, 3.0]);
}

#[test]
fn urdf_inertia_turns_with_its_frame_unless_the_reference_bug_is_wanted() {
    let text = "<robot name='r'><link name='a'><inertial><origin rpy='0 0 1.5707963267948966'/><mass value='1'/>\
                <inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
    let inertia = |reference_bugs: bool| {
        let options = LoadOptions::default().reference_bugs(reference_bugs);
        let (spec, _) = load_str(text, &options).unwrap();
        let body = find_by_name(&spec.bodies, "a").unwrap();
        spec.bodies[body].fullinertia.unwrap()
    };
    assert_eq!(inertia(true), [1.0, 2.0, 2.5, 0.0, 0.0, 0.0]);
    let turned = inertia(false);
    assert!((turned[0] - 2.0).abs() < 1e-12 && (turned[1] - 1.0).abs() < 1e-12 && turned[2] == 2.5);
}

/// A triangle over three bodies; `contact` and `more` are put into the flex and before the world.
fn triangle(attributes: &str, contact: &str, more: &str) -> String {
    let body = |name, pos| format!("<body name='{name}' pos='{pos}'><joint/><geom size='1'/></body>");
    let bodies = [body("a", "0 0 0"), body("b", "1 0 0"), body("c", "0 1 0")].concat();
    format!(
        "<mujoco>{more}<worldbody><body name='all'>{bodies}</body></worldbody><deformable>\
         <flex name='f' body='a b c' element='0 1 2' {attributes}>{contact}</flex></deformable></mujoco>"
    )
}

#[test]
fn passive_of_a_flex_is_what_is_written_unless_bugs_are_asked_for() {
    let passive = |attributes, contact, reference_bugs| {
        let options = LoadOptions::default().reference_bugs(reference_bugs);
        let (spec, _) = load_str(&triangle(attributes, contact, ""), &options).unwrap();
        spec.flexes.values().next().unwrap().passive
    };
    assert_eq!(passive("", "<contact passive='true'/>", false), 1);
    assert_eq!(passive("", "<contact passive='true' internal='false'/>", true), 0);
    assert_eq!(passive("flatskin='true'", "<contact passive='false'/>", true), 1);
    assert_eq!(passive("flatskin='true'", "<contact passive='false'/>", false), 0);
    let made = "<mujoco><worldbody><flexcomp name='f' type='grid' dim='2' count='2 2 1' spacing='1 1 1'>\
                <contact passive='true'/></flexcomp></worldbody></mujoco>";
    let options = LoadOptions::default().reference_bugs(true);
    let (spec, _) = load_str(made, &options).unwrap();
    assert_eq!(spec.flexes.values().next().unwrap().passive, 1, "a flexcomp is read as written");
}

#[test]
fn passive_of_a_flexcomp_is_what_is_written_with_and_without_bugs() {
    let passive = |contact: &str, reference_bugs| {
        let text = format!(
            "<mujoco><worldbody><flexcomp name='f' dim='1' count='3 1 1'>{contact}</flexcomp></worldbody></mujoco>"
        );
        let options = LoadOptions::default().reference_bugs(reference_bugs);
        let (spec, _) = load_str(&text, &options).unwrap();
        spec.flexes.values().next().unwrap().passive
    };
    for bugs in [false, true] {
        assert_eq!(passive("<contact passive='true' internal='false'/>", bugs), 1);
        assert_eq!(passive("<contact passive='false' internal='true'/>", bugs), 0);
    }
}

#[test]
fn a_free_joint_reaches_the_world_when_the_body_between_is_fused() {
    let compiled = |fuse, contact| {
        let spec = read(&format!(
            "<mujoco><compiler fusestatic='{fuse}'/><worldbody><body name='between' pos='0 0 1'><geom size='1'/>\
             <body name='free' pos='0 0 2'><freejoint/><geom size='1'/></body></body></worldbody>{contact}</mujoco>"
        ));
        let options = condyle_spec::CompileOptions::default().reference_bugs(false);
        condyle_spec::compile(&spec, &Files::without_disk(), &options)
    };
    assert_eq!(compiled("true", "").unwrap().model.qpos0, [0.0, 0.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
    let named = "<contact><exclude body1='between' body2='free'/></contact>";
    for (fuse, contact) in [("false", ""), ("true", named)] {
        let problems = render_all(&compiled(fuse, contact).unwrap_err());
        assert!(problems.contains("free joint can only be used on top level"), "{problems}");
    }
}

#[test]
fn a_flex_loses_its_material_when_what_is_only_seen_is_dropped() {
    let text = triangle(
        "material='silk'",
        "",
        "<compiler discardvisual='true'/><asset><material name='silk'/></asset>",
    );
    let compiled = |reference_bugs| {
        let spec = read(&text);
        condyle_spec::compile(
            &spec,
            &Files::without_disk(),
            &condyle_spec::CompileOptions::default().reference_bugs(reference_bugs),
        )
    };
    assert_eq!(compiled(false).unwrap().model.flex_matid, [-1]);
    assert!(render_all(&compiled(true).unwrap_err()).contains("materials are dropped"));
}

#[test]
fn a_bending_flex_over_pinned_bodies_is_an_error_when_attached() {
    let child = triangle("", "<elasticity young='1' thickness='0.1' elastic2d='bend'/>", "");
    let options = with_files(&[
        ("child.xml", &child),
        (
            "main.xml",
            "<mujoco><asset><model name='m' file='child.xml'/></asset><worldbody>\
             <attach model='m' body='all' prefix='p_'/></worldbody></mujoco>",
        ),
    ]);
    let (spec, _) = load_path("main.xml", &options).unwrap();
    assert_eq!(spec.flexes.values().next().unwrap().vertbody, ["p_a", "p_b", "p_c"]);
    let problems = condyle_spec::compile(&spec, &options.files, &Default::default()).unwrap_err();
    assert!(render_all(&problems).contains("does not have three joints"));
}
