//! What is kept between steps changes no bit, and is dropped when the model is edited.

use std::fmt::Write as _;

use condyle::{Data, LoadOptions, Model, asset_cache, load, load_str, step};

use crate::models;

/// The model with every array exposed: nothing made from it is kept.
fn without_caches(model: &Model) -> Model {
    let model = model.clone();
    for array in Model::ARRAYS {
        model.expose(array.name);
    }
    model
}

/// Step a model with and without anything kept, and compare.
fn assert_same_steps(name: &str, model: &Model, steps: usize) {
    let bare = without_caches(model);
    let (mut data, mut other) = (Data::new(model), Data::new(&bare));
    for count in 0..steps {
        step(model, &mut data);
        step(&bare, &mut other);
        assert_eq!(data.contacts, other.contacts, "{name}, step {count}");
        let bits = |data: &Data| data.state.qpos.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&data), bits(&other), "{name}, step {count}");
    }
}

fn model_of(xml: &str) -> Model {
    load_str(xml, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model
}

/// A share between 0 and 1 that looks random.
fn share(i: usize, k: usize) -> f64 {
    (i * k % 997) as f64 / 997.0
}

/// A geom of some shape.
fn geom(i: usize) -> String {
    let (kind, size) =
        [("box", ".1 .2 .15"), ("sphere", ".2"), ("capsule", ".1 .2"), ("cylinder", ".15 .1")][i % 4];
    let turn = [90.0 * share(i, 17), 90.0 * share(i, 71), 0.0];
    format!("<geom type='{kind}' size='{size}' euler='{} {} {}'", turn[0], turn[1], turn[2])
}

/// Fixed geoms, in the world or in bodies of their own, with things of several geoms that fall among them.
fn room(in_bodies: bool) -> String {
    let mut xml = "<mujoco><worldbody><geom type='plane' size='0 0 1'/>".to_owned();
    for i in 0..150 {
        let place = format!("pos='{} {} {}'", 6.0 * share(i, 7), 6.0 * share(i, 13), share(i, 29));
        let _ = match in_bodies {
            true => write!(xml, "<body {place}>{}/></body>", geom(i)),
            false => write!(xml, "{} {place}/>", geom(i)),
        };
    }
    for i in 0..12 {
        let _ = write!(xml, "<body pos='{} {} 1.6'><freejoint/>", 6.0 * share(i, 91), 6.0 * share(i, 53));
        for k in 0..5 {
            let _ = write!(xml, "{} pos='{} 0 0'/>", geom(i + k), 0.3 * k as f64);
        }
        xml += "</body>";
    }
    xml + "</worldbody></mujoco>"
}

#[test]
fn rooms_of_fixed_geoms_step_to_the_same_bits_without_anything_kept() {
    assert_same_steps("geoms in the world", &model_of(&room(false)), 300);
    assert_same_steps("geoms in bodies", &model_of(&room(true)), 300);
}

#[test]
fn a_field_of_bodies_that_fall_asleep_steps_to_the_same_bits_without_anything_kept() {
    for flags in ["<flag sleep='enable'/>", ""] {
        let mut xml = format!(
            "<mujoco><option>{flags}</option><worldbody><geom type='plane' size='0 0 1'/>
             <body mocap='true' pos='3 3 .2'><geom type='box' size='2 .3 .3'/></body>"
        );
        for i in 0..120 {
            let place = [8.0 * share(i, 7), 8.0 * share(i, 13), 0.3 + 0.4 * share(i, 29)];
            let _ = write!(
                xml,
                "<body pos='{} {} {}'><freejoint/>{}/></body>",
                place[0],
                place[1],
                place[2],
                geom(i)
            );
        }
        let model = model_of(&(xml + "</worldbody></mujoco>"));
        assert_same_steps("field", &model, 400);
    }
}

/// Boxes at rest on a plane, every third with a lid on a hinge, and one that swings beside them.
fn resting() -> Model {
    let mut xml =
        "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='0 0 1'/>
        <body pos='0 0 9'><joint axis='0 1 0'/><geom type='box' size='.1 .1 .1' pos='.8 0 0'/></body>"
            .to_owned();
    for i in 0..60 {
        let lid = "<body pos='0 0 .1'><joint axis='1 0 0' damping='1'/><geom type='box' size='.05 .05 .05' pos='0 0 .05'/></body>";
        let lid = if i % 3 == 0 { lid } else { "" };
        let (x, y) = ((i % 8) as f64, (i / 8) as f64);
        let _ =
            write!(xml, "<body pos='{x} {y} .1'><freejoint/><geom type='box' size='.1 .1 .1'/>{lid}</body>");
    }
    model_of(&(xml + "</worldbody></mujoco>"))
}

/// Change something that sleeping bodies or their bounds follow from.
fn disturb(kind: usize, model: &mut Model, data: &mut Data) {
    let (body, address) = (40 + kind, 1 + 7 * (20 + kind) + 10);
    match kind {
        0 => data.state.qpos[address] += 0.01,
        1 => data.kinematics.xpos[body][0] += 0.01,
        2 => data.kinematics.xquat[body] = [0.6, 0.8, 0.0, 0.0],
        3 => data.kinematics.geom_xpos[body] = [0.0, 0.0, 9.0],
        4 => model.geom_rbound[body] = 12.0,
        5 => data.kinematics.xanchor[body] = [7.0; 3],
        6 => model.qpos0.iter_mut().for_each(|x| *x += 0.25),
        _ => model.jnt_axis[body] = [0.0, 0.0, 1.0],
    }
}

#[test]
fn what_happens_to_sleeping_bodies_is_noticed() {
    for kind in 0..8 {
        let mut model = resting();
        let mut bare = without_caches(&model);
        let (mut data, mut other) = (Data::new(&model), Data::new(&bare));
        (0..400).for_each(|_| step(&model, &mut data));
        (0..400).for_each(|_| step(&bare, &mut other));
        assert!(data.awake.ntree_awake < 5, "{} trees are awake", data.awake.ntree_awake);
        disturb(kind, &mut model, &mut data);
        disturb(kind, &mut bare, &mut other);
        for count in 0..40 {
            step(&model, &mut data);
            step(&bare, &mut other);
            assert_eq!(data.state.tree_asleep, other.state.tree_asleep, "kind {kind}, step {count}");
            assert_eq!(data.state.qpos, other.state.qpos, "kind {kind}, step {count}");
            assert_eq!(data.contacts, other.contacts, "kind {kind}, step {count}");
            assert_eq!(data.kinematics.xpos, other.kinematics.xpos, "kind {kind}, step {count}");
            assert_eq!(data.kinematics.xanchor, other.kinematics.xanchor, "kind {kind}, step {count}");
            assert_eq!(data.kinematics.xaxis, other.kinematics.xaxis, "kind {kind}, step {count}");
        }
    }
}

#[test]
fn steps_after_a_jump_are_those_of_a_fresh_simulation() {
    for in_bodies in [false, true] {
        let model = model_of(&room(in_bodies));
        let mut data = Data::new(&model);
        (0..100).for_each(|_| step(&model, &mut data));
        let (qpos, qvel) = (data.state.qpos.clone(), data.state.qvel.clone());
        (0..200).for_each(|_| step(&model, &mut data));
        let mut fresh = Data::new(&model);
        condyle::reset(&model, &mut data);
        for each in [&mut data, &mut fresh] {
            each.state.qpos.copy_from_slice(&qpos);
            each.state.qvel.copy_from_slice(&qvel);
            (0..50).for_each(|_| step(&model, each));
        }
        assert_eq!(data.contacts, fresh.contacts);
        assert_eq!(data.state.qpos, fresh.state.qpos);
    }
}

#[test]
fn models_are_the_same_with_and_without_the_asset_cache() {
    let folder = std::env::temp_dir().join(format!("condyle-asset-cache-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let ball = include_bytes!("../../../../models/flexcomp/ball.obj");
    std::fs::write(folder.join("ball.obj"), ball).unwrap();
    let path = folder.join("model.xml");
    let xml = |scale: f64, collides: u8| {
        format!(
            "<mujoco><asset><mesh name='a' file='ball.obj' scale='{scale} 1 1'/><mesh name='b' file='ball.obj'/>
             <mesh name='c' vertex='0 0 0 1 0 0 0 1 0 0 0 {scale}'/></asset><worldbody>
             <geom type='mesh' mesh='a' contype='{collides}' conaffinity='0'/><geom type='mesh' mesh='b'/>
             <geom type='mesh' mesh='c'/></worldbody></mujoco>"
        )
    };
    let capacity = asset_cache::capacity();
    let mut seen = Vec::new();
    // Scale and the need of a hull are parameters; the content of the file changes under its name.
    for (scale, collides, file) in [(1.0, 1, 0), (2.0, 1, 0), (2.0, 0, 0), (2.0, 0, 1)] {
        std::fs::write(&path, xml(scale, collides)).unwrap();
        if file == 1 {
            let moved = String::from_utf8_lossy(ball).replacen("v ", "v 1", 1);
            std::fs::write(folder.join("ball.obj"), moved).unwrap();
        }
        let load = || condyle::model::mjb::write(&load(&path).unwrap_or_else(|error| panic!("{error}")));
        asset_cache::set_capacity(0);
        let without = load();
        asset_cache::set_capacity(capacity);
        assert!(load() == without && load() == without, "scale {scale}, collides {collides}, file {file}");
        assert!(!seen.contains(&without));
        seen.push(without);
    }
    assert!(asset_cache::size() > 1000);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_own_model_steps_to_the_same_bits_without_anything_kept() {
    for (name, model) in models::all() {
        assert_same_steps(&name, &model, 60);
    }
}

#[test]
fn an_edited_collision_mask_counts_in_the_next_step() {
    let xml = r#"<mujoco><worldbody>
        <body pos="0 0 0"><freejoint/><geom size=".1"/></body>
        <body pos=".15 0 0"><freejoint/><geom size=".1"/></body>
        <body pos="5 0 0"><freejoint/><geom size=".1"/></body>
      </worldbody></mujoco>"#;
    let mut model = model_of(xml);
    let mut data = Data::new(&model);
    step(&model, &mut data);
    assert_eq!(data.contacts.len(), 1);
    model.geom_contype[1] = 0;
    model.geom_conaffinity[1] = 0;
    step(&model, &mut data);
    assert_eq!(data.contacts.len(), 0);
    model.geom_conaffinity[1] = 1;
    step(&model, &mut data);
    assert_eq!(data.contacts.len(), 1);
}
