//! Robots as ROS has them: packages, scene files, xacro, joints that follow others, actuators, bases that move; and saving them elsewhere.

use condyle::diagnostic::render_all;
use condyle::{
    Diagnostic, LoadError, LoadOptions, Loaded, LoadedSpec, ObjectType, UrdfActuators, UrdfOptions,
    load_spec, load_str, load_with, save_spec, save_spec_with_assets,
};
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots")
}

/// A folder of its own for one test, removed when the test ends well.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("condyle-robots-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn copy(&self, from: &str, to: &str) {
        let target = self.0.join(to);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        std::fs::copy(fixtures().join("arm_description").join(from), target).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

fn with(urdf: UrdfOptions) -> LoadOptions {
    LoadOptions::default().urdf(urdf)
}

fn arm(urdf: UrdfOptions) -> Result<Loaded, LoadError> {
    load_with(fixtures().join("arm_description/urdf/arm.urdf"), &with(urdf))
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&str> {
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn meshes_of_a_package_are_found_in_the_folders_around_the_model() {
    let loaded = arm(UrdfOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let model = &loaded.model;
    // Two uses of the cube with different scales, the prism and the wedge.
    assert_eq!((model.nmesh, model.ngeom, model.njnt, model.nu, model.neq), (4, 4, 2, 0, 0));
    let mut found = codes(&loaded.warnings);
    found.sort_unstable();
    assert_eq!(found, ["W0601", "W0603", "W0605", "W0606", "W0708"], "{}", render_all(&loaded.warnings));
    // The prism is 1 by 1 by 2 m, 3 m away: its file is in centimetres.
    let prism = (0..model.nmesh).find(|&mesh| model.name(ObjectType::Mesh, mesh) == "prism").unwrap();
    assert!((model.mesh_pos[prism][0] - (3.0 + 1.0 / 3.0)).abs() < 1e-6, "{:?}", model.mesh_pos[prism]);
    assert!((model.mesh_pos[prism][2] - 1.0).abs() < 1e-6, "{:?}", model.mesh_pos[prism]);
}

#[test]
fn without_search_the_error_says_where_it_looked_and_what_to_write() {
    let error = arm(UrdfOptions::default().search(false)).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("cannot read file 'cube.obj'"), "{text}");
    assert!(text.contains("--package arm_description=DIR"), "{text}");
    assert!(text.contains("urdf/cube.obj'"), "{text}");
    assert!(!text.contains("strippath"), "{text}");
}

#[test]
fn given_packages_are_looked_at_and_nowhere_else_without_search() {
    let scratch = Scratch::new("packages");
    for mesh in ["cube.obj", "prism.dae", "wedge.gltf"] {
        scratch.copy(&format!("meshes/{mesh}"), &format!("elsewhere/meshes/{mesh}"));
        scratch.copy(&format!("meshes/{mesh}"), &format!("install/share/arm_description/meshes/{mesh}"));
    }
    scratch.copy("urdf/arm.urdf", "robot/arm.urdf");
    let file = scratch.0.join("robot/arm.urdf");
    let failed = load_with(&file, &LoadOptions::default()).unwrap_err().to_string();
    assert!(failed.contains("more places were searched") || failed.contains("looked for"), "{failed}");
    let packages = vec![("arm_description".to_owned(), scratch.0.join("elsewhere"))];
    let options = with(UrdfOptions::default().packages(packages).search(false));
    assert_eq!(load_with(&file, &options).unwrap().model.nmesh, 4);
}

#[test]
fn what_mujoco_finds_stays_as_mujoco_has_it() {
    // The bare name in meshdir comes first, whatever stands before it.
    let scratch = Scratch::new("stripped");
    scratch.copy("meshes/cube.obj", "cube.obj");
    scratch.copy("meshes/cube.obj", "meshes/cube.obj");
    let text = "<robot name='r'><link name='a'><collision><geometry><mesh filename='package://x/meshes/cube.obj'/></geometry>\
                </collision></link></robot>";
    let file = scratch.0.join("r.urdf");
    std::fs::write(&file, text).unwrap();
    let LoadedSpec { spec, warnings, .. } = load_spec(&file, &LoadOptions::default()).unwrap();
    assert!(spec.strippath && warnings.is_empty(), "{}", render_all(&warnings));
    assert_eq!(spec.meshes.values().next().unwrap().file, "cube.obj");
    // Without it the path counts.
    std::fs::remove_file(scratch.0.join("cube.obj")).unwrap();
    let LoadedSpec { spec, warnings, .. } = load_spec(&file, &LoadOptions::default()).unwrap();
    assert_eq!(codes(&warnings), ["W0606"]);
    assert!(spec.meshes.values().next().unwrap().file.ends_with("meshes/cube.obj"));
}

#[test]
fn options_make_equalities_actuators_and_a_base_that_moves() {
    let urdf = UrdfOptions::default().mimic(true).actuators(UrdfActuators::Transmission).floating_base(true);
    let loaded = arm(urdf.clone()).unwrap_or_else(|error| panic!("{error}"));
    let model = &loaded.model;
    assert_eq!((model.neq, model.nu, model.nq, model.nv), (1, 1, 9, 8));
    assert_eq!(model.eq_data[0][..3], [0.5, -2.0, 0.0]);
    assert_eq!(model.name(ObjectType::Actuator, 0), "shoulder");
    assert_eq!((model.actuator_ctrllimited[0], model.actuator_ctrlrange[0]), (1, [-20.0, 20.0]));
    assert_eq!(model.name(ObjectType::Joint, 0), "floating_base");
    let mut found = codes(&loaded.warnings);
    found.sort_unstable();
    assert_eq!(found, ["W0606", "W0708"], "{}", render_all(&loaded.warnings));
    let effort = arm(urdf.actuators(UrdfActuators::Effort)).unwrap().model;
    assert_eq!(effort.nu, 2);
    assert_eq!(effort.actuator_ctrlrange[1], [-10.0, 10.0]);
}

#[test]
fn command_interfaces_of_ros2_control_are_transmissions_too() {
    let text = "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0'\
                ixz='0' iyz='0'/></inertial></link><joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>\
                <ros2_control name='c' type='system'><joint name='j'><command_interface name='effort'/></joint></ros2_control></robot>";
    let urdf = UrdfOptions::default().actuators(UrdfActuators::Transmission);
    assert_eq!(load_str(text, &with(urdf)).unwrap().model.nu, 1);
    assert_eq!(load_str(text, &LoadOptions::default()).unwrap().model.nu, 0);
}

#[test]
fn xacro_is_named_as_what_it_is() {
    let text = "<robot name='r' xmlns:xacro='x'><xacro:property name='width' value='0.2'/><link name='a'><collision><geometry>\
                <box size='${width} 1 1'/></geometry></collision></link></robot>";
    let error = load_str(text, &LoadOptions::default()).unwrap_err();
    assert_eq!(codes(&error.diagnostics), ["E0609"], "{error}");
    assert!(error.to_string().contains("xacro FILE -o"), "{error}");
    // What MuJoCo loads still loads.
    let text = "<robot name='r' xmlns:xacro='x'><xacro:include filename='a.xacro'/><link name='a'/></robot>";
    assert_eq!(codes(&load_str(text, &LoadOptions::default()).unwrap().warnings), ["W0607"]);
    // A URDF that xacro has made declares it and is no xacro.
    let text = "<robot name='r' xmlns:xacro='x'><link name='a'/></robot>";
    assert!(load_str(text, &LoadOptions::default()).unwrap().warnings.is_empty());
}

const MODEL: &str = "<mujoco><compiler meshdir='meshes' texturedir='textures'/><asset><mesh file='cube.obj'/>\
    <mesh name='b' file='sub/cube.obj'/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='cube'/></body>\
    <geom type='mesh' mesh='b'/></worldbody></mujoco>";

fn saved_model(name: &str) -> (Scratch, PathBuf) {
    let scratch = Scratch::new(name);
    scratch.copy("meshes/cube.obj", "model/meshes/cube.obj");
    scratch.copy("meshes/cube.obj", "model/meshes/sub/cube.obj");
    let file = scratch.0.join("model/model.xml");
    std::fs::write(&file, MODEL).unwrap();
    (scratch, file)
}

#[test]
fn a_model_saved_in_another_folder_loads_there() {
    let (scratch, file) = saved_model("rebase");
    let spec = load_spec(&file, &LoadOptions::default()).unwrap().spec;
    let first = load_with(&file, &LoadOptions::default()).unwrap().model;
    for place in ["out.xml", "deep/down/out.xml", "model/beside.xml"] {
        let output = scratch.0.join(place);
        std::fs::create_dir_all(output.parent().unwrap()).unwrap();
        save_spec(&spec, &output).unwrap();
        let again = load_with(&output, &LoadOptions::default())
            .unwrap_or_else(|error| panic!("{place}\n{error}"))
            .model;
        assert_eq!(again.mesh_vert, first.mesh_vert);
        let text = std::fs::read_to_string(&output).unwrap();
        assert!(!text.contains(&*scratch.0.to_string_lossy()), "{place} has whole paths\n{text}");
    }
}

#[test]
fn a_model_saved_with_its_assets_can_be_moved() {
    let (scratch, file) = saved_model("assets");
    let spec = load_spec(&file, &LoadOptions::default()).unwrap().spec;
    let output = scratch.0.join("bundle/out.xml");
    std::fs::create_dir_all(output.parent().unwrap()).unwrap();
    assert_eq!(save_spec_with_assets(&spec, &output).unwrap(), 2);
    std::fs::remove_dir_all(scratch.0.join("model")).unwrap();
    std::fs::rename(scratch.0.join("bundle"), scratch.0.join("moved")).unwrap();
    let model = load_with(scratch.0.join("moved/out.xml"), &LoadOptions::default()).unwrap().model;
    assert_eq!(model.nmesh, 2);
}

#[test]
fn a_converted_urdf_keeps_its_meshes_equalities_and_actuators() {
    let scratch = Scratch::new("convert");
    let urdf = UrdfOptions::default().mimic(true).actuators(UrdfActuators::Effort);
    let spec = load_spec(fixtures().join("arm_description/urdf/arm.urdf"), &with(urdf)).unwrap().spec;
    let output = scratch.0.join("arm.xml");
    save_spec(&spec, &output).unwrap();
    let model = load_with(&output, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model;
    assert_eq!((model.nmesh, model.neq, model.nu), (4, 1, 2));
}

/// Two links: a base whose products of inertia equal its moments, which many exporters write for "nothing", and one that is too flat.
const IMPOSSIBLE: &str = r#"<robot name="r">
  <link name="base"><inertial><mass value="1e-6"/><inertia ixx="1e-6" ixy="1e-6" ixz="1e-6" iyy="1e-6" iyz="1e-6" izz="1e-6"/></inertial></link>
  <link name="flat"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.2"/></inertial></link>
  <link name="sound"><inertial><mass value="1"/><inertia ixx="3" ixy="0.1" ixz="0" iyy="2" iyz="0" izz="2"/></inertial></link>
  <joint name="a" type="continuous"><parent link="base"/><child link="flat"/><axis xyz="0 0 1"/></joint>
  <joint name="b" type="continuous"><parent link="flat"/><child link="sound"/><axis xyz="0 0 1"/></joint></robot>"#;

#[test]
fn links_with_an_impossible_inertia_are_an_error_that_names_the_cure_or_are_repaired() {
    let error = load_str(IMPOSSIBLE, &LoadOptions::default()).unwrap_err();
    assert_eq!(codes(&error.diagnostics).iter().filter(|code| **code == "E0704").count(), 2, "{error}");
    for diagnostic in error.diagnostics.iter().filter(|diagnostic| diagnostic.code == "E0704") {
        assert!(
            diagnostic.help.as_ref().is_some_and(|help| help.contains("--repair-inertia")),
            "{diagnostic:?}"
        );
    }
    let floating = UrdfOptions::default().repair_inertia(true).floating_base(true);
    for urdf in [UrdfOptions::default().repair_inertia(true), floating] {
        let loaded = load_str(IMPOSSIBLE, &with(urdf)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(codes(&loaded.warnings).iter().filter(|code| **code == "W0608").count(), 2);
        let model = &loaded.model;
        for body in 1..model.nbody {
            let [a, b, c] = model.body_inertia[body];
            assert!(a > 0.0 && b > 0.0 && c > 0.0 && a + b >= c && a + c >= b && b + c >= a, "{a} {b} {c}");
        }
        let sound = model.body_inertia[model.nbody - 1];
        assert!((sound.iter().sum::<f64>() - 7.0).abs() < 1e-12, "a possible inertia stays: {sound:?}");
    }
}

#[test]
fn a_text_stl_is_read_with_a_warning() {
    let scratch = Scratch::new("text-stl");
    let corner = |p: [i32; 3]| format!("vertex {} {} {}\n", p[0], p[1], p[2]);
    let corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let mut text = "solid tetrahedron\n".to_owned();
    for face in [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
        let places: String = face.iter().map(|&index: &usize| corner(corners[index])).collect();
        text += &format!("facet normal 0 0 0\nouter loop\n{places}endloop\nendfacet\n");
    }
    std::fs::write(scratch.0.join("t.stl"), text + "endsolid tetrahedron\n").unwrap();
    let xml = r#"<mujoco><asset><mesh file="t.stl"/></asset><worldbody><geom type="mesh" mesh="t"/></worldbody></mujoco>"#;
    std::fs::write(scratch.0.join("m.xml"), xml).unwrap();
    let loaded =
        load_with(scratch.0.join("m.xml"), &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(codes(&loaded.warnings), ["W0708"]);
    assert!(loaded.warnings[0].message.contains("text STL"), "{:?}", loaded.warnings[0]);
    assert_eq!((loaded.model.nmeshvert, loaded.model.nmeshface), (4, 4));
}
