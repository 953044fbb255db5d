//! Contract: an attribute is declared once. What the table of an element says about an attribute holds without another line of code:
//! it is read, in elements and in default classes, it is written, it reaches the array of the model that its row names, and it comes
//! back from there.

use condyle_mjcf::schema::{Count, Form};
use condyle_mjcf::{LoadOptions, load_str, to_mjcf};
use condyle_model::Model;
use condyle_spec::edit::form::Mjcf;
use condyle_spec::edit::{Attributed, Value};
use condyle_spec::{
    Actuator, Body, Camera, CompileOptions, Equality, Exclude, FileSystem, Flex, Geom, HField, Joint, Key,
    Light, Material, Mesh, Numeric, Pair, Sensor, Site, Skin, Spec, Tendon, Text, Texture, compile,
};

/// A value that is not the default one.
fn other_value(mjcf: &Mjcf, default: &str) -> String {
    let numbers = |count: Count, step: f64| {
        let count = match count {
            Count::Exactly(count) | Count::AtMost(count) => count,
            Count::Any => 3,
        };
        let values = (1..=count).map(|index| (step * index as f64).to_string());
        values.collect::<Vec<_>>().join(" ")
    };
    match mjcf.form {
        Form::Real(count) | Form::Float(count) => numbers(count, 0.125),
        Form::Int(count) => numbers(count, 2.0),
        Form::Integer => "4".to_owned(),
        Form::Quaternion => "0 1 0 0".to_owned(),
        Form::Word(words) | Form::Words(words) => {
            let other = words.iter().rev().find(|(word, _)| *word != default);
            other.map(|(word, _)| (*word).to_owned()).unwrap()
        }
        _ => "other".to_owned(),
    }
}

/// One element in a model that has all it may refer to.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The sections of a model; at `@` stand the attributes of the element, at `#` the elements inside it that have some.
    element: &'static str,
    tag: &'static str,
    /// Attributes that the element needs, or that go with one.
    always: &'static str,
    with: &'static [(&'static str, &'static str)],
    /// Values where the first other one would need more of the model.
    values: &'static [(&'static str, &'static str)],
    /// Attributes that only make sense with others, so that the model is not compiled.
    alone: &'static [&'static str],
    /// Attributes that a class cannot have.
    no_class: &'static [&'static str],
    /// Attributes that elements inside it need.
    parts: &'static str,
    /// Attributes that the element does not have under this name.
    not_here: &'static [&'static str],
    /// The attributes to look at; empty: all.
    only: &'static [&'static str],
    /// The element inside the element to look at.
    part: Option<&'static str>,
}

const ASSETS: &str = "<asset><material name='other'/><texture name='other' type='2d' builtin='flat' width='2' \
    height='2'/><mesh name='other' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><hfield name='other' nrow='2' ncol='2' \
    size='1 1 1 1'/></asset>";

/// Where an attribute is given.
#[derive(Clone, Copy, PartialEq)]
enum At {
    Element,
    Class,
    Nowhere,
}

/// Attributes of several texts; the first one counts, and an empty one is left out.
fn merged(texts: &[&str]) -> String {
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    for pair in texts.iter().flat_map(|text| text.split_inclusive("' ")) {
        let Some((name, value)) = pair.trim().split_once("='") else { continue };
        if attributes.iter().all(|(known, _)| *known != name) {
            attributes.push((name, value.trim_end_matches('\'')));
        }
    }
    attributes.retain(|(_, value)| !value.is_empty());
    attributes.iter().map(|(name, value)| format!("{name}='{value}' ")).collect()
}

impl Place {
    fn has(&self, mjcf: &Mjcf) -> bool {
        let parts = self.element.contains('#') || mjcf.part.is_none();
        let here = parts && self.part.is_none_or(|part| mjcf.part == Some(part));
        here && !self.not_here.contains(&mjcf.name)
            && (self.only.is_empty() || self.only.contains(&mjcf.name))
    }

    fn text(&self, mjcf: &Mjcf, value: &str, at: At) -> String {
        let attribute = mjcf.name;
        let given = format!("{attribute}='{value}'");
        let with = self.with.iter().find(|row| row.0 == attribute).map_or("", |row| row.1);
        let own = if at == At::Element { given.as_str() } else { "" };
        let (own, inside) = if mjcf.part.is_some() { ("", own) } else { (own, "") };
        let part = mjcf.part.map(|part| format!("<{part} {}/>", merged(&[inside, self.parts])));
        let element = self.element.replace('@', &merged(&[own, with, self.always]));
        let element = element.replace('#', &part.unwrap_or_default());
        let class = if at == At::Class {
            format!("<default><{} {given}/></default>", self.tag)
        } else {
            String::new()
        };
        format!("<mujoco>{class}{ASSETS}{element}</mujoco>")
    }
}

fn load(text: &str) -> Spec {
    match load_str(text, &LoadOptions::default()) {
        Ok((spec, _)) => spec,
        Err(problems) => panic!("{text}\n{problems:?}"),
    }
}

fn model_of(spec: &Spec) -> Model {
    match compile(spec, &FileSystem, &CompileOptions::default()) {
        Ok(compiled) => compiled.model,
        Err(problems) => panic!("{}\n{problems:?}", to_mjcf(spec)),
    }
}

/// Goes through all `wanted` rows of a table; returns how many arrays of the model it saw change.
fn check_table<T: Attributed + Default>(
    place: &Place,
    wanted: impl Fn(&Mjcf) -> bool,
    in_spec: impl Fn(&Spec) -> &T,
    in_class: Option<&dyn Fn(&Spec) -> &T>,
) -> usize {
    let plain = T::default();
    let mut arrays = 0;
    for attribute in T::ATTRIBUTES {
        let Some(mjcf) = attribute.mjcf.filter(&wanted) else { continue };
        let name = mjcf.name;
        let default = (attribute.value)(&plain);
        let chosen = place.values.iter().find(|row| row.0 == name);
        let value =
            chosen.map_or_else(|| other_value(&mjcf, &default.written(mjcf.form)), |row| row.1.to_owned());
        let spec = load(&place.text(&mjcf, &value, At::Element));
        let read = (attribute.value)(in_spec(&spec));
        assert_ne!(read, default, "{name} is read");
        let again = load(&to_mjcf(&spec));
        assert_eq!((attribute.value)(in_spec(&again)), read, "{name} is written: {}", to_mjcf(&spec));
        if let Some(in_class) = in_class.filter(|_| !place.no_class.contains(&name)) {
            let spec = load(&place.text(&mjcf, &value, At::Class));
            assert_eq!((attribute.value)(in_class(&spec)), read, "{name} in a class");
            if name != "user" || place.tag != "camera" {
                assert_eq!((attribute.value)(in_spec(&spec)), read, "{name} from a class");
            }
            let again = load(&to_mjcf(&spec));
            assert_eq!((attribute.value)(in_spec(&again)), (attribute.value)(in_spec(&spec)), "{name}");
        }
        let Some(column) = attribute.column.filter(|_| !place.alone.contains(&name)) else { continue };
        let without = model_of(&load(&place.text(&mjcf, &value, At::Nowhere)));
        let with = model_of(&spec);
        let differs = format!("{:?}", without.array(column)) != format!("{:?}", with.array(column));
        assert!(differs, "{name} reaches {column}");
        arrays += 1;
        let back = Spec::from_model(&with).unwrap();
        if !matches!(read, Value::Text(_)) && !mjcf.is_angle {
            assert_eq!(
                format!("{:?}", model_of(&back).array(column)),
                format!("{:?}", with.array(column)),
                "{name} comes back from {column}"
            );
        }
    }
    arrays
}

macro_rules! table {
    ($kind:ident, $arena:ident, $place:expr) => {
        table!($kind, $arena, $place => None)
    };
    ($kind:ident, $arena:ident, $member:ident, $place:expr) => {
        table!($kind, $arena, $place => Some(&|spec: &Spec| &spec.classes[spec.main_class()].$member))
    };
    ($kind:ident, $arena:ident, $place:expr => $class:expr) => {{
        let place: Place = $place;
        check_table::<$kind>(&place, |mjcf| place.has(mjcf), |spec| spec.$arena.values().last().unwrap(), $class)
    }};
}

const BODY: &str =
    "<worldbody><geom name='a' size='1'/><body name='other'><joint name='hinge'/><geom name='b' size='1'/>";

#[test]
fn attributes_of_joints_follow_from_their_table() {
    let place = Place {
        element: "<worldbody><body><joint @/><geom size='1'/></body></worldbody>",
        tag: "joint",
        always: "",
        with: &[("limited", "range='0 1'"), ("actuatorfrclimited", "actuatorfrcrange='-1 1'")],
        values: &[],
        alone: &["limited", "actuatorfrclimited"],
        ..Place::default()
    };
    assert!(table!(Joint, joints, joint, place) >= 18);
}

#[test]
fn attributes_of_geoms_sites_cameras_and_lights_follow_from_their_tables() {
    let inside = |element: &'static str, tag, with, no_class| Place {
        element,
        tag,
        always: if matches!(tag, "geom" | "site") { "size='.1 .1 .1'" } else { "" },
        with,
        values: if tag == "light" {
            &[("mode", "track"), ("type", "directional"), ("dir", "0 1 0")]
        } else {
            &[("mode", "track"), ("type", "box")]
        },
        alone: &["size", "mesh", "hfield", "fromto", "target", "texture", "fovy", "sensorsize"],
        no_class,
        ..Place::default()
    };
    let geom = "<worldbody><body name='other'><geom @/></body></worldbody>";
    let with: &[(&str, &str)] =
        &[("fromto", "type='capsule' size='.1'"), ("mesh", "type='mesh'"), ("hfield", "type='hfield'")];
    assert!(table!(Geom, geoms, geom, inside(geom, "geom", with, &["size", "fromto"])) >= 15);
    let site = "<worldbody><body name='other'><geom size='1'/><site @/></body></worldbody>";
    assert!(table!(Site, sites, site, inside(site, "site", with, &["size", "type", "fromto"])) >= 7);
    let camera = "<worldbody><body name='other'><geom size='1'/></body><body><geom size='1'/><camera @/></body></worldbody>";
    let with: &[(&str, &str)] = &[("sensorsize", "focal='1 1'")];
    let not_in_class = &["target", "user", "sensorsize"];
    assert!(table!(Camera, cameras, camera, inside(camera, "camera", with, not_in_class)) >= 7);
    let light = "<worldbody><body name='other'><geom size='1'/></body><body><geom size='1'/><light @/></body></worldbody>";
    assert!(table!(Light, lights, light, inside(light, "light", &[], &["target", "texture"])) >= 14);
}

#[test]
fn attributes_of_relations_and_tendons_follow_from_their_tables() {
    let pair = Box::leak(format!("{BODY}</body></worldbody><contact><pair @/></contact>").into_boxed_str());
    let place = Place {
        element: &pair.replace("name='a'", "name='other'").leak()[..],
        tag: "pair",
        always: "",
        with: &[
            ("geom1", "geom2='b'"),
            ("geom2", "geom1='b'"),
            ("condim", "geom1='other' geom2='b'"),
            ("solref", "geom1='other' geom2='b'"),
            ("solreffriction", "geom1='other' geom2='b'"),
            ("solimp", "geom1='other' geom2='b'"),
            ("margin", "geom1='other' geom2='b'"),
            ("gap", "geom1='other' geom2='b'"),
            ("friction", "geom1='other' geom2='b'"),
        ],
        values: &[],
        alone: &["geom1", "geom2"],
        no_class: &["geom1", "geom2"],
        ..Place::default()
    };
    assert_eq!(table!(Pair, pairs, pair, place), 7);
    let equality = format!("{BODY}</body></worldbody><equality><joint joint1='hinge' @/></equality>");
    let place = Place {
        element: equality.leak(),
        tag: "equality",
        always: "",
        with: &[],
        values: &[],
        alone: &[],
        ..Place::default()
    };
    assert_eq!(table!(Equality, equalities, equality, place), 3);
    let tendon = format!(
        "{BODY}<site name='s'/></body><site name='t' pos='0 0 2'/></worldbody><tendon><spatial @><site site='s'/><site site='t'/></spatial></tendon>"
    );
    let place = Place {
        element: tendon.leak(),
        tag: "tendon",
        always: "",
        with: &[("limited", "range='0 1'"), ("actuatorfrclimited", "actuatorfrcrange='-1 1'")],
        values: &[],
        alone: &["limited", "actuatorfrclimited"],
        no_class: &["actuatorfrclimited", "actuatorfrcrange", "armature"],
        ..Place::default()
    };
    assert!(table!(Tendon, tendons, tendon, place) >= 14);
    let place = Place {
        element: "<asset><material @/></asset><worldbody><geom size='1'/></worldbody>",
        tag: "material",
        always: "name='m'",
        with: &[],
        values: &[],
        alone: &[],
        ..Place::default()
    };
    assert_eq!(table!(Material, materials, material, place), 9);
}

const DRIVEN: &str = "<worldbody><site name='other' pos='0 0 1'/><site name='s'/><body><joint name='j' range='0 1'/><geom size='1'/></body></worldbody>";

#[test]
fn attributes_of_actuators_follow_from_their_table() {
    let place = Place {
        element: format!("{DRIVEN}<actuator><general @/></actuator>").leak(),
        tag: "general",
        always: "joint='j'",
        with: &[
            ("refsite", "site='s' joint=''"),
            ("slidersite", "cranksite='s' cranklength='2' joint=''"),
            ("cranklength", "cranksite='s' slidersite='other' joint=''"),
            ("ctrllimited", "ctrlrange='0 1'"),
            ("forcelimited", "forcerange='0 1'"),
            ("actlimited", "actrange='0 1' dyntype='filter'"),
            ("actrange", "dyntype='filter'"),
            ("actearly", "dyntype='filter'"),
            ("interp", "nsample='4'"),
            ("delay", "nsample='100'"),
        ],
        values: &[("dyntype", "filter"), ("gaintype", "affine"), ("biastype", "affine"), ("actdim", "1")],
        alone: &["ctrllimited", "forcelimited", "actlimited", "cranklength"],
        no_class: &["refsite", "slidersite", "lengthrange"],
        not_here: &["inheritrange"],
        ..Place::default()
    };
    assert_eq!(table!(Actuator, actuators, actuator, place), 17);
    let place = Place {
        element: format!("{DRIVEN}<actuator><position joint='j' @/></actuator>").leak(),
        tag: "position",
        only: &["inheritrange"],
        ..Place::default()
    };
    table!(Actuator, actuators, place);
}

#[test]
fn attributes_of_sensors_and_keys_follow_from_their_tables() {
    let place = Place {
        element: format!("{DRIVEN}<sensor><jointpos joint='j' @/></sensor>").leak(),
        with: &[("interp", "nsample='4'"), ("delay", "nsample='100'"), ("interval", "nsample='4'")],
        values: &[("interval", "0.125 -0.0625")],
        not_here: &["datatype", "needstage", "dim"],
        ..Place::default()
    };
    assert_eq!(table!(Sensor, sensors, place), 7);
    let place = Place {
        element: format!("{DRIVEN}<sensor><user @/></sensor>").leak(),
        always: "dim='2'",
        values: &[("dim", "3"), ("needstage", "vel"), ("datatype", "positive")],
        only: &["datatype", "needstage", "dim"],
        ..Place::default()
    };
    assert_eq!(table!(Sensor, sensors, place), 3);
    let place = Place {
        element: "<worldbody><body mocap='true'><geom size='1'/></body><body><joint type='ball'/><geom size='1'/></body>\
            <body><joint name='j'/><geom size='1'/></body></worldbody><actuator><motor joint='j'/><motor joint='j'/>\
            <general joint='j' dyntype='filter'/></actuator><keyframe><key @/></keyframe>",
        values: &[
            ("qpos", "0 1 0 0 2"),
            ("qvel", "1 2 3 4"),
            ("act", "3"),
            ("mpos", "1 2 3"),
            ("mquat", "0 1 0 0"),
            ("ctrl", "1 2 3"),
        ],
        ..Place::default()
    };
    assert_eq!(table!(Key, keys, place), 7);
}

#[test]
fn attributes_of_assets_follow_from_their_tables() {
    let mesh = Place {
        element: "<asset><mesh @/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody>",
        tag: "mesh",
        always: "name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'",
        with: &[("normal", "face='0 2 1 0 1 3 0 3 2 1 2 3'"), ("texcoord", "face='0 2 1 0 1 3 0 3 2 1 2 3'")],
        values: &[
            ("vertex", "0 0 0 2 0 0 0 2 0 0 0 2"),
            ("face", "0 2 1 0 1 3 0 3 2 1 2 3"),
            ("normal", "0 0 1 0 0 1 0 0 1 0 0 1"),
            ("texcoord", "0 0 1 0 0 1 1 1"),
            ("refquat", "0 1 0 0"),
        ],
        // Meshes come back turned to their principal axes once more, which the last bits show.
        alone: &["vertex", "normal", "face"],
        no_class: &[
            "content_type",
            "file",
            "refpos",
            "refquat",
            "smoothnormal",
            "material",
            "vertex",
            "face",
            "normal",
            "texcoord",
        ],
        ..Place::default()
    };
    assert_eq!(table!(Mesh, meshes, mesh, mesh), 2);
    let texture = Place {
        element: "<asset><texture @/></asset><worldbody><geom size='1'/></worldbody>",
        always: "name='t' type='2d' builtin='flat' width='8' height='8'",
        values: &[
            ("type", "skybox"),
            ("gridlayout", "R"),
            ("width", "16"),
            ("height", "16"),
            ("nchannel", "4"),
        ],
        ..Place::default()
    };
    assert_eq!(table!(Texture, textures, texture), 5);
    let hfield = Place {
        element: "<asset><hfield @/></asset><worldbody><geom type='hfield' hfield='h'/></worldbody>",
        always: "name='h' nrow='2' ncol='2' size='1 1 1 1'",
        values: &[("elevation", "1 2 3 4")],
        ..Place::default()
    };
    assert_eq!(table!(HField, hfields, hfield), 4);
    let skin = Place {
        element: "<worldbody><body name='b'><geom size='1'/></body></worldbody><deformable><skin @><bone body='b' \
            bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></deformable>",
        always: "vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'",
        values: &[("vertex", "0 0 0 2 0 0 0 2 0"), ("face", "0 2 1"), ("texcoord", "0 0 1 0 0 1")],
        ..Place::default()
    };
    assert_eq!(table!(Skin, skins, skin), 7);
}

#[test]
fn attributes_of_bodies_follow_from_their_table() {
    let body = Place {
        element: "<default><default class='other'/></default><worldbody><body @><geom size='1'/></body></worldbody>",
        not_here: &["sleep"],
        ..Place::default()
    };
    assert_eq!(table!(Body, bodies, body), 5);
    let body = Place {
        element: "<worldbody><body @><freejoint/><geom size='1'/></body></worldbody>",
        values: &[("sleep", "never")],
        only: &["sleep"],
        ..Place::default()
    };
    assert_eq!(table!(Body, bodies, body), 1);
    let body = Place {
        element: "<worldbody><body>#<geom size='1'/></body></worldbody>",
        parts: "pos='0 0 0' mass='1' diaginertia='1 1 1'",
        values: &[("diaginertia", "1 1.5 2")],
        not_here: &["fullinertia"],
        part: Some("inertial"),
        ..Place::default()
    };
    assert_eq!(table!(Body, bodies, body), 4);
    let body = Place {
        parts: "pos='0 0 0' mass='1'",
        values: &[("fullinertia", "2 2 2 .5 0 0")],
        not_here: &[],
        only: &["fullinertia"],
        alone: &["fullinertia"],
        ..body
    };
    table!(Body, bodies, body);
}

#[test]
fn attributes_of_flexes_follow_from_their_table() {
    let flex = Place {
        element: "<worldbody><body name='other'><joint type='slide'/><geom size='1'/></body><body name='b' pos='1 0 0'>\
            <joint type='slide'/><geom size='1'/></body><body name='c' pos='0 1 0'><joint type='slide'/><geom size='1'/>\
            </body></worldbody><deformable><flex name='f' @>#</flex></deformable>",
        always: "body='other b c' element='0 1 2'",
        values: &[
            ("body", "other c b"),
            ("element", "0 2 1"),
            ("vertex", "1 0 0 0 1 0 0 0 1"),
            ("texcoord", "0 0 1 0 0 1"),
            ("elemtexcoord", "1 0 2"),
            ("elastic2d", "bend"),
        ],
        with: &[("elemtexcoord", "texcoord='0 0 1 0 0 1'"), ("stiffness", "dim='1' element='0 1'")],
        // These need other elements, or nodes.
        alone: &["dim", "node"],
        ..Place::default()
    };
    assert_eq!(table!(Flex, flexes, flex), 27);
}

#[test]
fn attributes_of_custom_elements_and_exclusions_follow_from_their_tables() {
    let numeric = Place {
        element: "<worldbody/><custom><numeric name='n' @/></custom>",
        always: "data='1 2'",
        values: &[("data", "3 4 5")],
        ..Place::default()
    };
    assert_eq!(table!(Numeric, numerics, numeric), 2);
    let text = Place {
        element: "<worldbody/><custom><text name='n' @/></custom>",
        always: "data='some'",
        ..Place::default()
    };
    assert_eq!(table!(Text, texts, text), 1);
    let exclude = Place {
        element: "<worldbody><body name='other'/><body name='b'/></worldbody><contact><exclude @/></contact>",
        always: "body1='b' body2='b'",
        ..Place::default()
    };
    table!(Exclude, excludes, exclude);
}
