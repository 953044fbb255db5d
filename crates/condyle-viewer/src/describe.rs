//! A model in words for the page: its tree, its sliders, its cameras and what its elements are called.

use condyle::Timer;
use condyle_base::json::{self, Object};
use condyle_model::{JointType, Model, ObjectType, TextureRole, TextureType};
use condyle_vis::{FrameKind, LabelKind, RenderFlag, VisualFlag};

/// What a page must know of a model before the first frame, as JSON.
pub(crate) fn model(model: &Model, name: &str, revision: u32, warnings: &str, passive: bool) -> String {
    let mut text = String::new();
    let mut object = Object::open(&mut text);
    object.string("type", "model").integer("revision", Some(revision as usize)).string("name", name);
    object.string("warnings", warnings).boolean("passive", passive);
    object.number("timestep", model.opt.timestep).number("extent", model.stat.extent);
    object.numbers("center", &model.stat.center);
    bodies(object.member("bodies"), model);
    joints(object.member("joints"), model);
    actuators(object.member("actuators"), model);
    sensors(object.member("sensors"), model);
    for (member, kind, count) in [
        ("geoms", ObjectType::Geom, model.ngeom),
        ("cameras", ObjectType::Camera, model.ncam),
        ("keyframes", ObjectType::Key, model.nkey),
        ("equalities", ObjectType::Equality, model.neq),
    ] {
        json::list(object.member(member), 0..count, |out, id| json::string(out, &model.label(kind, id)));
    }
    json::list(object.member("geomBody"), &model.geom_bodyid[..], |out, body| {
        json::number(out, f64::from(*body))
    });
    materials(object.member("materials"), model);
    textures(object.member("textures"), model);
    visual(&mut object, model);
    object.close();
    text
}

fn bodies(out: &mut String, model: &Model) {
    json::list(out, 0..model.nbody, |out, body| {
        let mut object = Object::open(out);
        object.string("name", &model.label(ObjectType::Body, body));
        object.number("parent", f64::from(model.body_parentid[body]));
        object.number("mass", model.body_mass[body]);
        object.close();
    });
}

fn joints(out: &mut String, model: &Model) {
    json::list(out, 0..model.njnt, |out, joint| {
        let (kind, coordinates, dofs) = match model.jnt_type(joint) {
            Some(JointType::Free) => ("free", 7, 6),
            Some(JointType::Ball) => ("ball", 4, 3),
            Some(JointType::Slide) => ("slide", 1, 1),
            _ => ("hinge", 1, 1),
        };
        let mut object = Object::open(out);
        object.string("name", &model.label(ObjectType::Joint, joint)).string("kind", kind);
        object.number("qpos", f64::from(model.jnt_qposadr[joint]));
        object.number("dof", f64::from(model.jnt_dofadr[joint]));
        object.integer("coordinates", Some(coordinates)).integer("dofs", Some(dofs));
        object.number("body", f64::from(model.jnt_bodyid[joint]));
        object.boolean("limited", model.jnt_limited[joint] != 0);
        object.numbers("range", &model.jnt_range[joint]);
        object.close();
    });
}

fn actuators(out: &mut String, model: &Model) {
    json::list(out, 0..model.nu, |out, actuator| {
        let mut object = Object::open(out);
        object.string("name", &model.label(ObjectType::Actuator, actuator));
        object.boolean("limited", model.actuator_ctrllimited[actuator] != 0);
        object.numbers("range", &model.actuator_ctrlrange[actuator]);
        object.close();
    });
}

fn sensors(out: &mut String, model: &Model) {
    json::list(out, 0..model.nsensor, |out, sensor| {
        let mut object = Object::open(out);
        object.string("name", &model.label(ObjectType::Sensor, sensor));
        object.number("address", f64::from(model.sensor_adr[sensor]));
        object.number("dimension", f64::from(model.sensor_dim[sensor]));
        object.close();
    });
}

fn materials(out: &mut String, model: &Model) {
    json::list(out, 0..model.nmat, |out, material| {
        let mut object = Object::open(out);
        object.number("texture", f64::from(model.mat_texid[material][TextureRole::Rgb as usize]));
        object.boolean("uniform", model.mat_texuniform[material] != 0);
        object.numbers("repeat", &model.mat_texrepeat[material].map(f64::from));
        object.close();
    });
}

fn textures(out: &mut String, model: &Model) {
    json::list(out, 0..model.ntex, |out, texture| {
        let kind = match model.tex_type(texture) {
            Some(TextureType::Flat) => "flat",
            Some(TextureType::Skybox) => "skybox",
            _ => "cube",
        };
        json::string(out, kind);
    });
}

/// How the model wants to be drawn, and the names of what can be switched.
fn visual(object: &mut Object<'_>, model: &Model) {
    let map = &model.vis.map;
    let extent = model.stat.extent;
    object.number("fogStart", f64::from(map.fogstart) * extent);
    object.number("fogEnd", f64::from(map.fogend) * extent);
    object.number("far", f64::from(map.zfar) * extent);
    object.number("shadowClip", f64::from(map.shadowclip) * extent);
    object.number("shadowScale", f64::from(map.shadowscale));
    object.numbers("fog", &model.vis.rgba.fog.map(f64::from));
    object.numbers("haze", &model.vis.rgba.haze.map(f64::from));
    let switch = |out: &mut String, (name, _, key): &(&str, bool, &str)| {
        let mut object = Object::open(out);
        object.string("name", name).string("key", key);
        object.close();
    };
    json::list(object.member("flags"), &VisualFlag::TABLE, switch);
    json::list(object.member("renderFlags"), &RenderFlag::TABLE, switch);
    json::list(object.member("labels"), LabelKind::NAMES, json::string);
    json::list(object.member("frames"), FrameKind::NAMES, json::string);
    json::list(object.member("timers"), &Timer::ALL, |out, (_, name, parent)| {
        let parent = parent.and_then(|parent| Timer::ALL.iter().position(|(timer, _, _)| *timer == parent));
        let mut object = Object::open(out);
        object.string("name", name).integer("parent", parent);
        object.close();
    });
}

/// A message of one string.
pub(crate) fn note(kind: &str, text: &str) -> String {
    let mut message = String::new();
    let mut object = Object::open(&mut message);
    object.string("type", kind).string("text", text);
    object.close();
    message
}
