//! Where the meshes of a URDF are found: every way to write a path, the variables of ROS, the options of all commands, and what is copied.

use crate::common::{Folder, command, condyle, stderr, stdout};
use std::path::Path;

const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// A robot of one link with a mesh.
fn robot(mesh: &str) -> String {
    format!(
        "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>\
         <collision><geometry><mesh filename='{mesh}'/></geometry></collision></link></robot>"
    )
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[test]
fn every_way_to_write_a_path_is_resolved() {
    let folder = Folder::new("ways");
    let root = folder.path("ws/src/arm");
    write(&root.join("meshes/cube.obj"), CUBE);
    write(&root.join("urdf/cubes/near.obj"), CUBE);
    let absolute = root.join("meshes/cube.obj").display().to_string();
    let with_host = format!("file://{absolute}");
    for way in [
        "package://arm/meshes/cube.obj",
        "package://arm//meshes/cube.obj",
        "package://other_name/meshes/cube.obj",
        "model://arm/meshes/cube.obj",
        "$(find arm)/meshes/cube.obj",
        "../meshes/cube.obj",
        "meshes/cube.obj",
        "arm/meshes/cube.obj",
        "cubes/near.obj",
        "./cubes/near.obj",
        &absolute,
        &with_host,
    ] {
        let file = root.join("urdf/arm.urdf");
        write(&file, &robot(way));
        let checked = condyle(&["check", &file.display().to_string()]);
        assert!(checked.status.success(), "{way}\n{}", stdout(&checked));
    }
    let file = root.join("urdf/arm.urdf");
    write(&file, &robot("package://arm/meshes/absent.obj"));
    let checked = condyle(&["check", &file.display().to_string()]);
    assert!(
        !checked.status.success() && stdout(&checked).contains("--package arm=DIR"),
        "{}",
        stdout(&checked)
    );
}

#[test]
fn packages_are_found_through_the_variables_of_ros() {
    let folder = Folder::new("variables");
    let file = folder.path("robot/arm.urdf");
    write(&file, &robot("package://arm/meshes/cube.obj"));
    write(&folder.path("src/arm/meshes/cube.obj"), CUBE);
    write(&folder.path("install/share/arm/meshes/cube.obj"), CUBE);
    let file = file.display().to_string();
    let run = |variable: &str, value: &str| {
        let mut command = command(&["info", &file]);
        command.env_remove("ROS_PACKAGE_PATH").env_remove("AMENT_PREFIX_PATH").env(variable, value);
        command.output().unwrap()
    };
    let at = |place: &str| folder.path(place).display().to_string();
    assert!(!run("UNRELATED", "x").status.success());
    for (variable, value) in [
        ("ROS_PACKAGE_PATH", at("src")),
        ("ROS_PACKAGE_PATH", at("src/arm")),
        ("ROS_PACKAGE_PATH", format!("/nowhere::{}", at("src"))),
        ("AMENT_PREFIX_PATH", at("install")),
        ("AMENT_PREFIX_PATH", format!("{}:{}", at("robot"), at("install"))),
    ] {
        let output = run(variable, &value);
        assert!(output.status.success(), "{variable}={value}\n{}", stderr(&output));
    }
    for (variable, value) in [("AMENT_PREFIX_PATH", at("src")), ("ROS_PACKAGE_PATH", at("install"))] {
        assert!(!run(variable, &value).status.success(), "{variable}={value}");
    }
}

#[test]
fn all_commands_that_load_a_robot_take_its_options() {
    let folder = Folder::new("commands");
    let file = folder.path("robot/arm.urdf");
    write(&file, &robot("package://arm/meshes/cube.obj"));
    write(&folder.path("elsewhere/meshes/cube.obj"), CUBE);
    let file = file.display().to_string();
    let package = format!("arm={}", folder.path("elsewhere").display());
    for arguments in [
        vec!["run", &file, "--steps", "1"],
        vec!["info", &file],
        vec!["check", &file],
        vec!["muscle", &file],
        vec!["bench", &file, "--steps", "1", "--rounds", "1"],
        vec!["contacts", &file],
        vec!["explain-pair", &file, "a", "a"],
    ] {
        let plain = condyle(&arguments);
        assert!(!plain.status.success(), "{arguments:?}");
        let with: Vec<&str> =
            arguments.iter().copied().chain(["--package", &package, "--floating-base"]).collect();
        let output = condyle(&with);
        let said = stderr(&output) + &stdout(&output);
        // The one geom of the robot is no pair; what counts is that it loads.
        assert!(output.status.success() || said.contains("same geom"), "{with:?}\n{said}");
        assert!(!said.contains("cannot read file"), "{said}");
    }
    // A viewer does not end by itself.
    assert!(stdout(&condyle(&["view", "--help"])).contains("--floating-base"));
}

#[test]
fn buffers_and_pictures_of_gltf_files_are_copied_along() {
    let folder = Folder::new("gltf");
    // Two files with buffers of one name, each a tetrahedron of another size.
    for (place, size) in [("one", 1.0_f32), ("two", 2.0)] {
        let points = [[0.0, 0.0, 0.0], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]];
        let mut buffer: Vec<u8> = points.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let corners: [u16; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
        buffer.extend(corners.iter().flat_map(|corner| corner.to_le_bytes()));
        let at = folder.path(place);
        std::fs::create_dir_all(at.join("parts")).unwrap();
        std::fs::write(at.join("parts/my data.bin"), &buffer).unwrap();
        std::fs::write(at.join("look.png"), b"not looked at").unwrap();
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"uri":"parts/my%20data.bin","byteLength":{}}}],
            "bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":24}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
            {{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"images":[{{"uri":"look.png"}},{{"uri":"absent.png"}}],
            "nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}]}}"#,
            buffer.len()
        );
        std::fs::write(at.join("shape.gltf"), json).unwrap();
    }
    let file = folder.path("model.xml");
    let text = "<mujoco><asset><mesh name='one' file='one/shape.gltf'/><mesh name='two' file='two/shape.gltf'/></asset><worldbody>\
                <geom type='mesh' mesh='one'/><geom type='mesh' mesh='two'/></worldbody></mujoco>";
    write(&file, text);
    let output = folder.path("bundle/model.xml");
    std::fs::create_dir_all(output.parent().unwrap()).unwrap();
    let (file, written) = (file.display().to_string(), output.display().to_string());
    let converted = condyle(&["convert", &file, "-o", &written, "--copy-assets"]);
    assert!(converted.status.success(), "{}", stderr(&converted));
    // Moved together, and without what they were made of, the copies load.
    let moved = folder.path("moved");
    std::fs::rename(folder.path("bundle"), &moved).unwrap();
    for place in ["one", "two"] {
        std::fs::remove_dir_all(folder.path(place)).unwrap();
    }
    let checked = condyle(&["check", &moved.join("model.xml").display().to_string()]);
    assert!(checked.status.success(), "{}", stdout(&checked));
    assert!(moved.join("assets/shape/look.png").exists());
}
