//! Contacts, equalities, tendons, actuators, sensors and keyframes.

use super::Writer;
use super::text::Text;
use crate::read::sensor::OBJECT_TYPES;
use crate::schema::Schema;
use condyle_model::sensors::{FRAMES, Reference};
use condyle_model::{
    BiasType, DynamicsType, EqualityType, GainType, JointType, ObjectType, SensorType, TransmissionType, hill,
};
use condyle_spec::{Actuator, Equality, Exclude, Id, Key, Limited, Pair, SavedState, Sensor, Tendon, Wrap};
use std::f64::consts::PI;

/// Whether reading the dynamics type of this actuator, which its class does not have, would fill in values.
fn brings_defaults(actuator: &Actuator, class: &Actuator) -> bool {
    actuator.dyntype == DynamicsType::HillMuscle && class.dyntype != DynamicsType::HillMuscle
}

/// Attributes of the dynamics of an actuator; the first three are those that [`brings_defaults`] speaks of.
const DYNAMICS: [&str; 6] = ["actlimited", "actrange", "dynprm", "actdim", "dyntype", "actearly"];
/// Attributes of its gain and bias; the first two are those that [`brings_defaults`] speaks of.
const GAIN: [&str; 4] = ["gaintype", "biastype", "gainprm", "biasprm"];

/// Whether actuators have this attribute and their classes do not.
fn is_own(name: &str) -> bool {
    matches!(name, "refsite" | "slidersite" | "lengthrange")
}

impl Writer<'_> {
    pub(super) fn contacts(&mut self) {
        let spec = self.spec;
        if spec.pairs.is_empty() && spec.excludes.is_empty() {
            return;
        }
        self.text.start("contact");
        self.text.open("contact");
        for pair in spec.pairs.values() {
            self.text.start("pair");
            self.identity(&pair.info, spec.main_class());
            self.text.text("geom1", &pair.geomname1);
            self.text.text("geom2", &pair.geomname2);
            self.pair_values(pair, &self.class_of(&pair.info).pair);
            self.text.empty();
        }
        for exclude in spec.excludes.values() {
            self.text.start("exclude");
            self.text.text_unless("name", &exclude.info.name, "");
            self.text.attributes(exclude, &Exclude::default(), |_| true);
            self.text.empty();
        }
        self.text.close();
    }

    pub(super) fn pair_values(&mut self, pair: &Pair, default: &Pair) {
        self.text.attributes(pair, default, |_| true);
    }

    pub(super) fn equalities(&mut self) {
        let spec = self.spec;
        if spec.equalities.is_empty() {
            return;
        }
        self.text.start("equality");
        self.text.open("equality");
        for equality in spec.equalities.values() {
            let name = match equality.kind {
                EqualityType::Connect => "connect",
                EqualityType::Weld => "weld",
                EqualityType::Joint => "joint",
                EqualityType::Tendon => "tendon",
                EqualityType::Flex => "flex",
                EqualityType::FlexVert => "flexvert",
                EqualityType::Distance => continue,
            };
            self.text.start(name);
            self.identity(&equality.info, spec.main_class());
            self.equality_objects(equality);
            self.equality_values(equality, &self.class_of(&equality.info).equality);
            self.text.empty();
        }
        self.text.close();
    }

    fn equality_objects(&mut self, equality: &Equality) {
        let data = &equality.data;
        let text = &mut self.text;
        let (first, second) = match (equality.kind, equality.objtype) {
            (EqualityType::Connect | EqualityType::Weld, ObjectType::Site) => ("site1", "site2"),
            (EqualityType::Connect | EqualityType::Weld, _) => ("body1", "body2"),
            (EqualityType::Joint, _) => ("joint1", "joint2"),
            (EqualityType::Tendon, _) => ("tendon1", "tendon2"),
            _ => ("flex", ""),
        };
        text.text(first, &equality.name1);
        if !second.is_empty() {
            text.text_unless(second, &equality.name2, "");
        }
        let by_body = equality.objtype != ObjectType::Site;
        match equality.kind {
            EqualityType::Connect if by_body => text.list("anchor", data.get(..3).unwrap_or_default()),
            EqualityType::Weld => {
                if by_body {
                    text.list("anchor", data.get(..3).unwrap_or_default());
                    text.list("relpose", data.get(3..10).unwrap_or_default());
                }
                text.number("torquescale", data[10], 1.0);
            }
            EqualityType::Joint | EqualityType::Tendon => {
                text.list("polycoef", data.get(..5).unwrap_or_default())
            }
            _ => {}
        }
    }

    pub(super) fn equality_values(&mut self, equality: &Equality, default: &Equality) {
        self.text.attributes(equality, default, |_| true);
    }

    pub(super) fn tendons(&mut self) {
        let spec = self.spec;
        if spec.tendons.is_empty() {
            return;
        }
        self.text.start("tendon");
        self.text.open("tendon");
        for tendon in spec.tendons.values() {
            let fixed = matches!(tendon.path.first(), Some((Wrap::Joint { .. }, _)));
            let name = if fixed { "fixed" } else { "spatial" };
            self.text.start(name);
            self.identity(&tendon.info, spec.main_class());
            let class = &self.class_of(&tendon.info).tendon;
            self.tendon_values(tendon, class, false);
            if !fixed {
                self.tendon_look(tendon, class);
            }
            self.text.open(name);
            for (wrap, _) in &tendon.path {
                self.wrap(wrap);
            }
            self.text.close();
        }
        self.text.close();
    }

    /// A class holds the look of spatial tendons and no actuator forces; a fixed tendon has no look.
    pub(super) fn tendon_values(&mut self, tendon: &Tendon, default: &Tendon, in_class: bool) {
        let is_look = |name: &str| matches!(name, "material" | "width" | "rgba");
        let is_force = |name: &str| matches!(name, "actuatorfrclimited" | "actuatorfrcrange" | "armature");
        let text = &mut self.text;
        text.attributes(tendon, default, |name| name == "limited");
        text.attributes(tendon, default, |name| if in_class { is_look(name) } else { is_force(name) });
        text.attributes(tendon, default, |name| name != "limited" && !is_look(name) && !is_force(name));
    }

    fn tendon_look(&mut self, tendon: &Tendon, default: &Tendon) {
        self.text.attributes(tendon, default, |name| matches!(name, "material" | "width" | "rgba"));
    }

    fn wrap(&mut self, wrap: &Wrap) {
        let text = &mut self.text;
        match wrap {
            Wrap::Joint { joint, coef } => {
                text.start("joint");
                text.text("joint", joint);
                text.numbers("coef", &[*coef]);
            }
            Wrap::Site { site } => {
                text.start("site");
                text.text("site", site);
            }
            Wrap::Geom { geom, sidesite } => {
                text.start("geom");
                text.text("geom", geom);
                text.text_unless("sidesite", sidesite, "");
            }
            Wrap::Pulley { divisor } => {
                text.start("pulley");
                text.numbers("divisor", &[*divisor]);
            }
        }
        text.empty();
    }

    #[deny(clippy::wildcard_enum_match_arm)]
    pub(super) fn actuators(&mut self) {
        let spec = self.spec;
        if spec.actuators.is_empty() {
            return;
        }
        self.text.start("actuator");
        self.text.open("actuator");
        for actuator in spec.actuators.values() {
            let class = &self.class_of(&actuator.info).actuator;
            let name = match actuator {
                _ if actuator.plugin.active => "plugin",
                _ if self.is_plain_hill_muscle(actuator, class) => "hillmuscle",
                _ if actuator.inheritrange == 0.0 => "general",
                _ if actuator.dyntype == DynamicsType::Integrator => "intvelocity",
                _ => "position",
            };
            self.text.start(name);
            self.identity(&actuator.info, spec.main_class());
            let target = match actuator.trntype {
                TransmissionType::Joint => "joint",
                TransmissionType::JointInParent => "jointinparent",
                TransmissionType::SliderCrank => "cranksite",
                TransmissionType::Tendon => "tendon",
                TransmissionType::Site => "site",
                TransmissionType::Body => "body",
                TransmissionType::Undefined => "",
            };
            if !target.is_empty() {
                self.text.text(target, &actuator.target);
            }
            self.text.attributes(actuator, &Actuator::default(), is_own);
            match name {
                "plugin" => {
                    self.plugin_attributes(&actuator.plugin);
                    self.common_values(actuator, class);
                    self.dynamics_values(actuator, class);
                    self.plugin_config(&actuator.plugin, "plugin");
                    continue;
                }
                "general" => self.general_values(actuator, class),
                "hillmuscle" => self.hill_muscle_values(actuator, class),
                _ => self.servo_values(actuator, class),
            }
            self.text.empty();
        }
        self.text.close();
    }

    /// What all actuators have.
    fn common_values(&mut self, actuator: &Actuator, default: &Actuator) {
        self.text.attributes(actuator, default, |name| {
            !is_own(name) && !DYNAMICS.contains(&name) && !GAIN.contains(&name)
        });
    }

    fn dynamics_values(&mut self, actuator: &Actuator, default: &Actuator) {
        let text = &mut self.text;
        if brings_defaults(actuator, default) {
            text.word_always("actlimited", "auto", actuator.actlimited as i32);
            text.numbers("actrange", &actuator.actrange);
            text.numbers("dynprm", &actuator.dynprm);
            text.attributes(actuator, default, |name| DYNAMICS[3..].contains(&name));
        } else {
            text.attributes(actuator, default, |name| DYNAMICS.contains(&name));
        }
    }

    pub(super) fn general_values(&mut self, actuator: &Actuator, default: &Actuator) {
        self.common_values(actuator, default);
        self.dynamics_values(actuator, default);
        let text = &mut self.text;
        if brings_defaults(actuator, default) {
            text.word_always("gaintype", "gaintype", actuator.gaintype as i32);
            text.word_always("biastype", "biastype", actuator.biastype as i32);
            text.attributes(actuator, default, |name| GAIN[2..].contains(&name));
        } else {
            text.attributes(actuator, default, |name| GAIN.contains(&name));
        }
    }

    /// Whether the shortcut of a Hill-type muscle says everything about the actuator.
    fn is_plain_hill_muscle(&self, actuator: &Actuator, class: &Actuator) -> bool {
        let flag = |value: f64| value == 0.0 || value == 1.0;
        let (gain, dynamics) = (&actuator.gainprm, &actuator.dynprm);
        let inherited = class.dyntype == DynamicsType::HillMuscle && class.gaintype == GainType::HillMuscle;
        let (gain_rest, dynamics_rest) = if inherited {
            (&class.gainprm[..2], &class.dynprm[9..])
        } else {
            (&hill::DEFAULT_GAIN[..2], &hill::DEFAULT_DYNAMICS[9..])
        };
        let known_class = inherited
            || (class.dyntype != DynamicsType::HillMuscle && class.gaintype != GainType::HillMuscle);
        actuator.dyntype == DynamicsType::HillMuscle
            && actuator.gaintype == GainType::HillMuscle
            && actuator.biastype == BiasType::HillMuscle
            && known_class
            && gain[..2] == *gain_rest
            && dynamics[9..] == *dynamics_rest
            && hill::Curve::WORDS.iter().any(|(_, number)| f64::from(*number) == dynamics[hill::CURVE])
            && flag(gain[hill::VARYING_PENNATION])
            && flag(dynamics[hill::COMPLIANT_TENDON])
            && actuator.biasprm == class.biasprm
            && actuator.actdim == class.actdim
            && actuator.inheritrange == 0.0
            && !matches!(actuator.trntype, TransmissionType::Site | TransmissionType::Body)
            && actuator.actlimited != Limited::Auto
            && actuator.actrange != [0.0; 2]
            && self.angle_to_read(gain[hill::PENNATION_ANGLE]).is_some()
    }

    /// The number in the unit of angles of the file that reads back to this angle, if there is one.
    fn angle_to_read(&self, angle: f64) -> Option<f64> {
        if self.radians || !self.spec.compiler.degree {
            return Some(angle);
        }
        let factor = std::f64::consts::PI / 180.0;
        let near = angle / factor;
        [near, near.next_down(), near.next_up()].into_iter().find(|degrees| degrees * factor == angle)
    }

    fn hill_muscle_values(&mut self, actuator: &Actuator, default: &Actuator) {
        self.common_values(actuator, default);
        self.text.word_always("actlimited", "auto", actuator.actlimited as i32);
        let (gain, dynamics) = (&actuator.gainprm, &actuator.dynprm);
        let pennation = self.angle_to_read(gain[hill::PENNATION_ANGLE]).unwrap_or_default();
        let text = &mut self.text;
        text.numbers("actrange", &actuator.actrange);
        text.flag("actearly", actuator.actearly, default.actearly);
        text.numbers("timeconst", &dynamics[..2]);
        text.numbers("tausmooth", &dynamics[2..3]);
        text.numbers("maxisometricforce", &[gain[hill::FORCE]]);
        text.numbers("scale", &[gain[hill::SCALE]]);
        text.numbers("optimalfiberlength", &[gain[hill::OPTIMAL_FIBER_LENGTH]]);
        text.numbers("tendonslacklength", &[gain[hill::TENDON_SLACK_LENGTH]]);
        text.numbers("maxcontractionvelocity", &[gain[hill::MAX_CONTRACTION_VELOCITY]]);
        text.numbers("pennation", &[pennation]);
        text.text("varyingpennation", if gain[hill::VARYING_PENNATION] != 0.0 { "true" } else { "false" });
        text.word_always("tendonmodel", "tendonmodel", dynamics[hill::COMPLIANT_TENDON] as i32);
        text.numbers("tendonstiffness", &[gain[hill::TENDON_STIFFNESS]]);
        text.numbers("fiberdamping", &[dynamics[hill::FIBER_DAMPING]]);
        // Like all curves' own parameters these are zero unless they were given.
        if dynamics[hill::CURVE..9] != default.dynprm[hill::CURVE..9] || dynamics[hill::CURVE..9] != [0.0; 4]
        {
            text.word_always("curve", "musclecurve", dynamics[hill::CURVE] as i32);
            text.numbers("passivestrain", &[dynamics[hill::PASSIVE_STRAIN]]);
            text.numbers("maxeccentricforce", &[dynamics[hill::ECCENTRIC_FORCE]]);
            text.numbers("activewidth", &[dynamics[hill::ACTIVE_WIDTH]]);
        }
    }

    /// A servo whose range is that of its target.
    fn servo_values(&mut self, actuator: &Actuator, default: &Actuator) {
        self.common_values(actuator, default);
        let text = &mut self.text;
        text.numbers("kp", &[actuator.gainprm[0]]);
        // A positive velocity term stands for a damping ratio.
        if actuator.biasprm[2] > 0.0 {
            text.numbers("dampratio", &[actuator.biasprm[2]]);
        } else {
            text.numbers("kv", &[-actuator.biasprm[2]]);
        }
        if actuator.dyntype == DynamicsType::FilterExact {
            text.numbers("timeconst", &[actuator.dynprm[0]]);
        }
        text.numbers("inheritrange", &[actuator.inheritrange]);
    }

    pub(super) fn sensors(&mut self) {
        let spec = self.spec;
        if spec.sensors.is_empty() {
            return;
        }
        self.text.start("sensor");
        self.text.open("sensor");
        for sensor in spec.sensors.values() {
            self.sensor(sensor);
        }
        self.text.close();
    }

    fn sensor(&mut self, sensor: &Sensor) {
        let name = sensor.kind.rule().word;
        self.text.start(name);
        self.text.text_unless("name", &sensor.info.name, "");
        measured(&mut self.text, sensor);
        let row = Schema::get().find(&["sensor", name]);
        self.text.attributes(sensor, &Sensor::default(), |name| row.is_some_and(|row| row.reads(name)));
        if sensor.kind == SensorType::Plugin {
            self.plugin_attributes(&sensor.plugin);
            self.plugin_config(&sensor.plugin, "plugin");
        } else {
            self.text.empty();
        }
    }

    pub(super) fn keys(&mut self) {
        let spec = self.spec;
        if spec.keys.is_empty() {
            return;
        }
        self.text.start("keyframe");
        self.text.open("keyframe");
        for key in spec.keys.values() {
            let full = key.saved.as_ref().map(|saved| self.full_key(key, saved));
            let key = full.as_ref().unwrap_or(key);
            let text = &mut self.text;
            text.start("key");
            text.text_unless("name", &key.info.name, "");
            text.attributes(key, &Key::default(), |_| true);
            text.empty();
        }
        self.text.close();
    }

    /// A keyframe of an attached spec with the arrays of the whole model; what it leaves out comes from the spec.
    fn full_key(&self, key: &Key, saved: &SavedState) -> Key {
        let spec = self.spec;
        let mut full = Key { info: key.info.clone(), time: key.time, ..Key::default() };
        fn part<T>(parts: Option<&Vec<(Id<T>, Vec<f64>)>>, id: Id<T>) -> Option<&[f64]> {
            parts
                .and_then(|parts| parts.iter().find(|(known, _)| *known == id))
                .map(|(_, values)| values.as_slice())
        }
        for body_id in spec.bodies_depth_first() {
            let body = &spec.bodies[body_id];
            let (pos, quat) = spec.body_pose(body_id);
            for &id in body.joints() {
                let joint = &spec.joints[id];
                let degree = spec.compiler_of(joint.info.origin).degree;
                let (reference, degrees): (Vec<f64>, usize) = match joint.kind {
                    JointType::Free => (pos.iter().chain(&quat).copied().collect(), 6),
                    JointType::Ball => (vec![1.0, 0.0, 0.0, 0.0], 3),
                    JointType::Hinge if degree => (vec![joint.reference * (PI / 180.0)], 1),
                    JointType::Slide | JointType::Hinge => (vec![joint.reference], 1),
                };
                if saved.qpos.is_some() {
                    full.qpos.extend(part(saved.qpos.as_ref(), id).unwrap_or(&reference));
                }
                if saved.qvel.is_some() {
                    full.qvel.extend(part(saved.qvel.as_ref(), id).unwrap_or(&vec![0.0; degrees]));
                }
            }
            if body.mocap {
                if saved.mpos.is_some() {
                    full.mpos.extend(part(saved.mpos.as_ref(), body_id).unwrap_or(&pos));
                }
                if saved.mquat.is_some() {
                    full.mquat.extend(part(saved.mquat.as_ref(), body_id).unwrap_or(&quat));
                }
            }
        }
        for (id, actuator) in spec.actuators.iter() {
            if saved.ctrl.is_some() {
                full.ctrl.extend(part(saved.ctrl.as_ref(), id).unwrap_or(&[0.0]));
            }
            if saved.act.is_some() && actuator.dyntype != DynamicsType::None {
                let count = actuator.activation_count().max(1);
                full.act.extend(part(saved.act.as_ref(), id).unwrap_or(&vec![0.0; count]));
            }
        }
        full
    }
}

/// The attributes that say what a sensor measures.
fn measured(text: &mut Text, sensor: &Sensor) {
    use SensorType as S;
    let rule = sensor.kind.rule();
    let type_name = |kind: ObjectType| OBJECT_TYPES.iter().find(|row| row.1 == kind).map_or("", |row| row.0);
    match (sensor.kind, rule.only_object()) {
        (S::Tactile, _) => {
            text.text("geom", &sensor.refname);
            text.text("mesh", &sensor.objname);
        }
        (_, Some(object)) => {
            text.text(object.word(), &sensor.objname);
            if let Reference::Must([reference]) = rule.reference {
                text.text(reference.word(), &sensor.refname);
            }
        }
        (S::Rangefinder, _) => {
            text.text(if sensor.objtype == ObjectType::Site { "site" } else { "camera" }, &sensor.objname);
            text.words("data", "raydata", sensor.intprm[0], true);
        }
        (S::GeomDistance | S::GeomNormal | S::GeomFromTo, _) => {
            let word = |kind, body, geom| if kind == ObjectType::Body { body } else { geom };
            text.text(word(sensor.objtype, "body1", "geom1"), &sensor.objname);
            text.text(word(sensor.reftype, "body2", "geom2"), &sensor.refname);
        }
        (S::Contact, _) => contact_criteria(text, sensor),
        (S::User, _) => {
            if sensor.objtype != ObjectType::Unknown {
                text.text("objtype", type_name(sensor.objtype));
                text.text("objname", &sensor.objname);
            }
            text.numbers("dim", &[sensor.dim]);
            text.word_always("needstage", "needstage", sensor.needstage as i32);
            text.word_always("datatype", "datatype", sensor.datatype as i32);
        }
        (S::EPotential | S::EKinetic | S::Clock, _) => {}
        // Objects with a frame, and those of plugins.
        _ => {
            let named = rule.objects == FRAMES || sensor.objtype != ObjectType::Unknown;
            if named {
                text.text("objtype", type_name(sensor.objtype));
                text.text("objname", &sensor.objname);
            }
            if let Reference::Must([reference]) = rule.reference {
                text.text(reference.word(), &sensor.refname);
            } else if sensor.reftype != ObjectType::Unknown {
                text.text("reftype", type_name(sensor.reftype));
                text.text("refname", &sensor.refname);
            }
        }
    }
}

/// Which contacts a contact sensor matches, and what it gives of them.
fn contact_criteria(text: &mut Text, sensor: &Sensor) {
    for (kind, name, number) in
        [(sensor.objtype, &sensor.objname, "1"), (sensor.reftype, &sensor.refname, "2")]
    {
        match kind {
            ObjectType::Site => text.text("site", name),
            ObjectType::Body => text.text(&format!("body{number}"), name),
            ObjectType::XBody => text.text(&format!("subtree{number}"), name),
            ObjectType::Geom => text.text(&format!("geom{number}"), name),
            _ => {}
        }
    }
    text.words("data", "contactdata", sensor.intprm[0], true);
    text.word("reduce", "reduce", sensor.intprm[1], 0);
    text.number("num", sensor.intprm[2], 1);
}
