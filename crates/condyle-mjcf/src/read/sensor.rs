//! Sensors: what each element measures and which attributes name the measured objects.

use super::Reader;
use super::attributes::Attributes;
use crate::xml::{Element, NodeId};
use condyle_base::Diagnostic;
use condyle_base::diagnostic::did_you_mean;
use condyle_model::sensors::{FRAMES, Reference, SensorRule};
use condyle_model::{ObjectType, SensorDataType, SensorType, Stage};
use condyle_spec::Sensor;

/// Names of object types as `objtype` and `reftype` take them.
pub(crate) const OBJECT_TYPES: &[(&str, ObjectType)] = &[
    ("body", ObjectType::Body),
    ("xbody", ObjectType::XBody),
    ("joint", ObjectType::Joint),
    ("dof", ObjectType::Dof),
    ("geom", ObjectType::Geom),
    ("site", ObjectType::Site),
    ("camera", ObjectType::Camera),
    ("light", ObjectType::Light),
    ("flex", ObjectType::Flex),
    ("mesh", ObjectType::Mesh),
    ("skin", ObjectType::Skin),
    ("hfield", ObjectType::HField),
    ("texture", ObjectType::Texture),
    ("material", ObjectType::Material),
    ("pair", ObjectType::Pair),
    ("exclude", ObjectType::Exclude),
    ("equality", ObjectType::Equality),
    ("tendon", ObjectType::Tendon),
    ("actuator", ObjectType::Actuator),
    ("sensor", ObjectType::Sensor),
    ("numeric", ObjectType::Numeric),
    ("text", ObjectType::Text),
    ("tuple", ObjectType::Tuple),
    ("key", ObjectType::Key),
    ("plugin", ObjectType::Plugin),
];

impl Reader<'_> {
    pub(super) fn sensor(&mut self, node: NodeId) {
        let element = self.tree.get(node);
        let mut sensor = Sensor::default();
        self.named::<Sensor>(element, &mut sensor.info);
        Attributes(element).read(&mut sensor);
        self.measured(node, &mut sensor);
        let id = self.spec.add_sensor();
        self.spec.sensors[id] = sensor;
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not by hand here, the rule of the sensor says"
    )]
    fn measured(&mut self, node: NodeId, sensor: &mut Sensor) {
        let element = self.tree.get(node);
        let a = Attributes(element);
        let Some(rule) = SensorRule::of_word(&element.name) else { return };
        sensor.kind = rule.kind;
        match rule.kind {
            SensorType::Rangefinder => self.rangefinder(element, sensor),
            SensorType::GeomDistance | SensorType::GeomNormal | SensorType::GeomFromTo => {
                self.distance(element, sensor)
            }
            SensorType::Contact => self.contact_sensor(element, sensor),
            SensorType::User => self.user_sensor(element, sensor),
            SensorType::Tactile => {
                sensor.reftype = ObjectType::Geom;
                sensor.objtype = ObjectType::Mesh;
                self.require(element, "geom");
                self.require(element, "mesh");
                a.set_text("geom", &mut sensor.refname);
                a.set_text("mesh", &mut sensor.objname);
            }
            SensorType::Plugin => self.plugin_sensor(node, sensor),
            _ => {
                if let Some(object) = rule.only_object() {
                    sensor.objtype = object;
                    self.require(element, object.word());
                    a.set_text(object.word(), &mut sensor.objname);
                } else if rule.objects == FRAMES {
                    self.require(element, "objtype");
                    self.require(element, "objname");
                    sensor.objtype = self.object_type(element, "objtype");
                    a.set_text("objname", &mut sensor.objname);
                }
                match rule.reference {
                    Reference::Must([reference]) => {
                        sensor.reftype = *reference;
                        self.require(element, reference.word());
                        a.set_text(reference.word(), &mut sensor.refname);
                    }
                    // Accelerations are always those in the world.
                    Reference::May(_) if rule.stage != Stage::Acc => self.relative_to(element, sensor),
                    Reference::May(_) | Reference::Must(_) | Reference::Free => {}
                }
            }
        }
    }

    /// An object type by name; unknown names are reported.
    fn object_type(&mut self, element: &Element, attribute: &str) -> ObjectType {
        let Some(text) = Attributes(element).get(attribute) else { return ObjectType::Unknown };
        if let Some((_, object)) = OBJECT_TYPES.iter().find(|(name, _)| *name == text) {
            return *object;
        }
        let help = match did_you_mean(text, OBJECT_TYPES.iter().map(|(name, _)| *name)) {
            Some(close) => format!("did you mean '{close}'?"),
            None => "objects with a frame are body, xbody, geom, site and camera".to_owned(),
        };
        self.report_at(
            Diagnostic::error("E0430", format!("'{text}' is not an object type")),
            &element.location_of(attribute),
            help,
        );
        ObjectType::Unknown
    }

    fn relative_to(&mut self, element: &Element, sensor: &mut Sensor) {
        let a = Attributes(element);
        if a.has("reftype") {
            sensor.reftype = self.user_object_type(element, "reftype");
            self.require(element, "refname");
            if sensor.reftype == ObjectType::Unknown {
                let text = a.get("reftype").unwrap_or("");
                let message =
                    format!("'{text}' is not an object type; the sensor measures in the global frame");
                let help =
                    "use reftype=\"body\", xbody, geom, site or camera, or leave reftype and refname out";
                self.report_at(Diagnostic::warning("W0407", message), &element.location_of("reftype"), help);
            } else {
                a.set_text("refname", &mut sensor.refname);
            }
        } else if let Some(name) = a.get("refname") {
            self.report_at(
                Diagnostic::error("E0431", format!("refname '{name}' is given but reftype is missing")),
                &element.location_of("refname"),
                "add reftype=\"body\", xbody, geom, site or camera",
            );
        }
    }

    fn rangefinder(&mut self, element: &Element, sensor: &mut Sensor) {
        let a = Attributes(element);
        let by_site = a.set_text("site", &mut sensor.objname);
        let by_camera = a.set_text("camera", &mut sensor.objname);
        sensor.objtype = if by_site { ObjectType::Site } else { ObjectType::Camera };
        if by_site == by_camera {
            self.report_at(
                Diagnostic::error("E0432", "<rangefinder> needs a site or a camera, and only one of them"),
                &element.location(),
                "give 'site' for one ray, or 'camera' for one ray per pixel",
            );
        }
        sensor.intprm[0] = self.data_bits(element, "raydata");
    }

    /// Bits of the `data` words, which must be in order; the first word of the set if none are given.
    fn data_bits(&mut self, element: &Element, set: &str) -> i32 {
        let Some(values) = Attributes(element).word_list("data", set) else { return 1 };
        if values.windows(2).any(|pair| pair.first() > pair.last()) {
            let order: Vec<&str> =
                crate::schema::keywords(set).unwrap_or_default().iter().map(|(word, _)| *word).collect();
            self.report_at(
                Diagnostic::error("E0433", "the keywords of 'data' are out of order"),
                &element.location_of("data"),
                format!("the order is {}", order.join(", ")),
            );
        }
        values.into_iter().fold(0, |bits, value| bits | 1 << value)
    }

    fn distance(&mut self, element: &Element, sensor: &mut Sensor) {
        let a = Attributes(element);
        for (body, geom, kind, name) in [
            ("body1", "geom1", &mut sensor.objtype, &mut sensor.objname),
            ("body2", "geom2", &mut sensor.reftype, &mut sensor.refname),
        ] {
            let by_body = a.set_text(body, name);
            let by_geom = a.set_text(geom, name);
            *kind = if by_body { ObjectType::Body } else { ObjectType::Geom };
            if by_body == by_geom {
                self.report_at(
                    Diagnostic::error("E0434", format!("<{}> needs one of {geom} and {body}", element.name)),
                    &element.location(),
                    format!("give '{geom}' for one geom, or '{body}' for all geoms of a body"),
                );
            }
        }
    }

    fn contact_sensor(&mut self, element: &Element, sensor: &mut Sensor) {
        const FIRST: &[(&str, ObjectType)] = &[
            ("site", ObjectType::Site),
            ("body1", ObjectType::Body),
            ("subtree1", ObjectType::XBody),
            ("geom1", ObjectType::Geom),
        ];
        const SECOND: &[(&str, ObjectType)] =
            &[("body2", ObjectType::Body), ("subtree2", ObjectType::XBody), ("geom2", ObjectType::Geom)];
        let a = Attributes(element);
        for (choices, kind, name) in [
            (FIRST, &mut sensor.objtype, &mut sensor.objname),
            (SECOND, &mut sensor.reftype, &mut sensor.refname),
        ] {
            let given: Vec<_> = choices.iter().filter(|(attribute, _)| a.has(attribute)).collect();
            if let [_, (second, _), ..] = given.as_slice() {
                let names: Vec<&str> = choices.iter().map(|(attribute, _)| *attribute).collect();
                self.report_at(
                    Diagnostic::error("E0435", format!("at most one of {} can be given", names.join(", "))),
                    &element.location_of(second),
                    "delete the others",
                );
            }
            if let Some((attribute, object)) = given.first() {
                *kind = *object;
                a.set_text(attribute, name);
            }
        }
        sensor.intprm[0] = self.data_bits(element, "contactdata");
        sensor.intprm[1] = a.word("reduce", "reduce").unwrap_or(0);
        sensor.intprm[2] = a.number("num").unwrap_or(1);
        if sensor.intprm[2] <= 0 {
            self.report_at(
                Diagnostic::error("E0436", "'num' must be positive"),
                &element.location_of("num"),
                "it is the number of contacts reported",
            );
        }
    }

    fn user_sensor(&mut self, element: &Element, sensor: &mut Sensor) {
        let a = Attributes(element);
        let named = a.set_text("objname", &mut sensor.objname);
        if a.has("objtype") {
            sensor.objtype = self.user_object_type(element, "objtype");
            if !named {
                self.report_at(
                    Diagnostic::error("E0437", "objtype is given but objname is missing"),
                    &element.location_of("objtype"),
                    "add objname",
                );
            }
        } else if named {
            self.report_at(
                Diagnostic::error("E0431", "objname is given but objtype is missing"),
                &element.location_of("objname"),
                "add objtype",
            );
        }
        self.require(element, "dim");
        a.set("dim", &mut sensor.dim);
        a.set_word("needstage", "needstage", Stage::from_i32, &mut sensor.needstage);
        a.set_word("datatype", "datatype", SensorDataType::from_i32, &mut sensor.datatype);
    }

    /// An object type by name; unknown names count as none.
    fn user_object_type(&mut self, element: &Element, attribute: &str) -> ObjectType {
        let text = Attributes(element).get(attribute).unwrap_or("");
        OBJECT_TYPES.iter().find(|(name, _)| *name == text).map_or(ObjectType::Unknown, |(_, object)| *object)
    }

    fn plugin_sensor(&mut self, node: NodeId, sensor: &mut Sensor) {
        let element = self.tree.get(node);
        let a = Attributes(element);
        self.plugin_reference(node, &mut sensor.plugin);
        sensor.objtype = self.user_object_type(element, "objtype");
        sensor.reftype = self.user_object_type(element, "reftype");
        a.set_text("objname", &mut sensor.objname);
        a.set_text("refname", &mut sensor.refname);
        for (what, kind, name) in
            [("obj", sensor.objtype, &sensor.objname), ("ref", sensor.reftype, &sensor.refname)]
        {
            if (kind == ObjectType::Unknown) != name.is_empty() {
                self.report_at(
                    Diagnostic::error("E0431", format!("{what}type and {what}name must be given together")),
                    &element.location(),
                    format!("give both {what}type and {what}name, or neither"),
                );
            }
        }
    }
}
