//! Contract: an attribute is declared once. What the table of an element says about an attribute holds without another line of code:
//! it is read, in elements and in default classes, it is written, it reaches the array of the model that its row names, and it comes
//! back from there.

use condyle_mjcf::schema::{Count, Form};
use condyle_mjcf::{LoadOptions, load_str, to_mjcf};
use condyle_model::Model;
use condyle_spec::edit::form::Mjcf;
use condyle_spec::edit::{Attributed, Value};
use condyle_spec::{
    Camera, CompileOptions, Equality, FileSystem, Geom, Joint, Light, Material, Pair, Site, Spec, Tendon,
    compile,
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
struct Place {
    /// Text before the attributes; the element or its default class follows.
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
}

const ASSETS: &str = "<asset><material name='other'/><texture name='other' type='2d' builtin='flat' width='2' \
    height='2'/><mesh name='other' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><hfield name='other' nrow='2' ncol='2' \
    size='1 1 1 1'/></asset>";

impl Place {
    fn text(&self, attribute: &str, value: &str, in_class: bool) -> String {
        let given = format!("{attribute}='{value}'");
        let with = self.with.iter().find(|row| row.0 == attribute).map_or("", |row| row.1);
        let alone = attribute == "size" || with.contains("size=") || with.contains("type=");
        let always = if alone { "" } else { self.always };
        let own = if in_class { "" } else { given.as_str() };
        let element = self.element.replace("@", &format!("{own} {with} {always}"));
        let class =
            if in_class { format!("<default><{} {given}/></default>", self.tag) } else { String::new() };
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

/// Goes through all rows of a table; returns how many arrays of the model it saw change.
fn check_table<T: Attributed + Default>(
    place: &Place,
    in_spec: impl Fn(&Spec) -> &T,
    in_class: impl Fn(&Spec) -> &T,
) -> usize {
    let plain = T::default();
    let mut arrays = 0;
    for attribute in T::ATTRIBUTES {
        let Some(mjcf) = attribute.mjcf else { continue };
        let name = mjcf.name;
        let default = (attribute.value)(&plain);
        let chosen = place.values.iter().find(|row| row.0 == name);
        let value =
            chosen.map_or_else(|| other_value(&mjcf, &default.written(mjcf.form)), |row| row.1.to_owned());
        let spec = load(&place.text(name, &value, false));
        let read = (attribute.value)(in_spec(&spec));
        assert_ne!(read, default, "{name} is read");
        let again = load(&to_mjcf(&spec));
        assert_eq!((attribute.value)(in_spec(&again)), read, "{name} is written: {}", to_mjcf(&spec));
        if !place.no_class.contains(&name) {
            let spec = load(&place.text(name, &value, true));
            assert_eq!((attribute.value)(in_class(&spec)), read, "{name} in a class");
            if name != "user" || place.tag != "camera" {
                assert_eq!((attribute.value)(in_spec(&spec)), read, "{name} from a class");
            }
            let again = load(&to_mjcf(&spec));
            assert_eq!((attribute.value)(in_spec(&again)), (attribute.value)(in_spec(&spec)), "{name}");
        }
        let Some(column) = attribute.column.filter(|_| !place.alone.contains(&name)) else { continue };
        let (without, with) = (
            model_of(&load(&place.text(name, &value, true).replace(&format!("{name}='{value}'"), ""))),
            model_of(&spec),
        );
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
    ($kind:ident, $arena:ident, $member:ident, $place:expr) => {
        check_table::<$kind>(
            &$place,
            |spec| spec.$arena.values().last().unwrap(),
            |spec| &spec.classes[spec.main_class()].$member,
        )
    };
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
        no_class: &[],
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
        no_class: &[],
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
    };
    assert!(table!(Tendon, tendons, tendon, place) >= 14);
    let place = Place {
        element: "<asset><material @/></asset><worldbody><geom size='1'/></worldbody>",
        tag: "material",
        always: "name='m'",
        with: &[],
        values: &[],
        alone: &[],
        no_class: &[],
    };
    assert_eq!(table!(Material, materials, material, place), 9);
}
