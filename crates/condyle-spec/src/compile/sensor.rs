//! Sensors: what they measure, of which object, and how many numbers that gives. Reference: mjCSensor::Compile.

use condyle_base::diagnostic::Diagnostic;
use condyle_model::plugins::{BUILT_IN, Capability};
use condyle_model::sensors::{CONTACT_FIELDS, FRAMES, RAY_FIELDS, fields_width};
use condyle_model::{
    DynamicsType, GeomType, JointType, Model, ObjectType, SensorDataType, SensorType, Stage,
};

use super::actuator::MAX_SAMPLES;
use super::ids::Ids;
use super::problems::{REFERENCE, STRUCTURE, TOO_LARGE, VALUE, element_error};
use super::user_values::check_user;
use super::work::Work;
use crate::element::Sensor;

/// Most numbers one sensor may give.
const MAX_DIM: usize = 1 << 26;

/// A sensor while the model is compiled.
pub(crate) struct SensorWork<'s> {
    pub source: &'s Sensor,
    pub object: Option<usize>,
    pub reference: Option<usize>,
    pub datatype: SensorDataType,
    pub stage: Stage,
    pub dim: usize,
    pub plugin: Option<usize>,
}

impl<'s> Work<'s> {
    pub(super) fn compile_sensors(&mut self) {
        for source in self.spec.sensors.values() {
            let compiled = self.compile_sensor(source).and_then(|sensor| self.attach_plugin(sensor));
            match compiled {
                Ok(sensor) => {
                    for (kind, object) in
                        [(source.objtype, sensor.object), (source.reftype, sensor.reference)]
                    {
                        match (kind, object) {
                            (ObjectType::Geom, Some(geom)) => self.geoms[geom].visual = false,
                            (ObjectType::Mesh, Some(mesh)) => self.meshes[mesh].visual = false,
                            _ => {}
                        }
                    }
                    self.sensors.push(sensor);
                }
                Err(problem) => self.problems.push(problem),
            }
        }
    }

    fn compile_sensor(&self, source: &'s Sensor) -> Result<SensorWork<'s>, Diagnostic> {
        check_user(source, source.userdata.len(), self.nuser.sensor, "nuser_sensor")?;
        check_timing(source)?;
        let (object, reference) = self.sensor_objects(source)?;
        let rule = source.kind.rule();
        let user = source.kind == SensorType::User;
        let (datatype, stage) =
            if user { (source.datatype, source.needstage) } else { (rule.datatype, rule.stage) };
        self.check_sensor(source, object, reference)?;
        let dim = self.sensor_dim(source, object);
        if dim > MAX_DIM {
            let message = format!("sensor gives {dim} numbers, but at most {MAX_DIM} are allowed");
            return Err(element_error(TOO_LARGE, source, "", message));
        }
        let direction = datatype == SensorDataType::Axis && source.kind != SensorType::GeomNormal;
        if source.cutoff > 0.0 && (datatype == SensorDataType::Quaternion || direction) {
            let message = "cutoff cannot be applied to axis or quaternion data";
            return Err(element_error(VALUE, source, "cutoff", message));
        }
        Ok(SensorWork { source, object, reference, datatype, stage, dim, plugin: None })
    }

    /// The plugin of a plugin sensor decides its stage and how many numbers it gives.
    fn attach_plugin(&mut self, mut sensor: SensorWork<'s>) -> Result<SensorWork<'s>, Diagnostic> {
        let source = sensor.source;
        if source.kind == SensorType::Plugin {
            let instance = self.resolve_plugin(source, &source.plugin, Capability::Sensor(Stage::None))?;
            let slot = self.plugins[instance].slot.unwrap_or_default();
            if let Some(Capability::Sensor(stage)) = BUILT_IN.get(slot).map(|extension| extension.capability)
            {
                sensor.stage = stage;
            }
            sensor.dim = self.plugin_sensor_size(instance)?;
            sensor.plugin = Some(instance);
        }
        Ok(sensor)
    }

    fn sensor_objects(&self, source: &Sensor) -> Result<(Option<usize>, Option<usize>), Diagnostic> {
        use SensorType as S;
        let mut object = None;
        if source.objtype != ObjectType::Unknown {
            if source.objname.is_empty() {
                return Err(element_error(REFERENCE, source, "objname", "missing name of sensorized object"));
            }
            object = Some(self.require(source, attribute_of(source), source.objtype, &source.objname)?);
        } else if !matches!(
            source.kind,
            S::EPotential | S::EKinetic | S::Clock | S::Plugin | S::Contact | S::User
        ) {
            return Err(element_error(VALUE, source, "", "sensor has no object"));
        }
        let mut reference = None;
        if source.reftype != ObjectType::Unknown {
            if source.refname.is_empty() {
                return Err(element_error(REFERENCE, source, "refname", "missing name of reference object"));
            }
            reference = Some(self.require(source, "refname", source.reftype, &source.refname)?);
            if !FRAMES.contains(&source.reftype) {
                let message = "reference object must be (x)body, geom, site or camera";
                return Err(element_error(VALUE, source, "reftype", message));
            }
        }
        Ok((object, reference))
    }

    fn check_sensor(
        &self,
        source: &Sensor,
        object: Option<usize>,
        reference: Option<usize>,
    ) -> Result<(), Diagnostic> {
        use SensorType as S;
        let fail = |message: &str| Err(element_error(VALUE, source, "", message));
        if let Some(kind) = source.kind.rule().only_object()
            && source.objtype != kind
        {
            let message = if source.kind == S::Tactile {
                "sensor must be associated with a mesh".to_owned()
            } else {
                format!("sensor must be attached to {}", kind.word())
            };
            return Err(element_error(STRUCTURE, source, "", message));
        }
        let joint = object.filter(|_| source.objtype == ObjectType::Joint).map(|joint| &self.joints[joint]);
        match source.kind {
            S::CamProjection => {
                let camera = reference
                    .filter(|_| source.reftype == ObjectType::Camera)
                    .map(|c| self.cameras[c].source);
                if camera.is_none_or(|camera| camera.resolution.contains(&0)) {
                    return fail("camera projection sensor requires camera resolution");
                }
            }
            S::Rangefinder => {
                if !matches!(source.objtype, ObjectType::Site | ObjectType::Camera) {
                    return fail("sensor must be attached to site or camera");
                }
                check_fields(source, RAY_FIELDS.len())?;
            }
            S::JointPos | S::JointVel | S::JointActuatorForce => {
                if joint.is_none_or(|j| !matches!(j.source.kind, JointType::Slide | JointType::Hinge)) {
                    return fail("joint must be slide or hinge in sensor");
                }
            }
            S::FiberLength | S::FiberVelocity | S::FiberForce | S::TendonForce | S::Pennation => {
                let muscle = object.and_then(|id| self.actuators.get(id));
                if muscle.is_none_or(|muscle| muscle.source.dyntype != DynamicsType::HillMuscle) {
                    return fail("actuator must be a Hill-type muscle in sensor");
                }
            }
            S::BallQuat | S::BallAngVel => {
                if joint.is_none_or(|joint| joint.source.kind != JointType::Ball) {
                    return fail("joint must be ball in sensor");
                }
            }
            S::JointLimitPos | S::JointLimitVel | S::JointLimitForce => {
                if joint.is_none_or(|joint| !joint.limited) {
                    return fail("joint must be limited in sensor");
                }
            }
            S::TendonLimitPos | S::TendonLimitVel | S::TendonLimitForce => {
                let tendon = self.tendons.iter().find(|tendon| tendon.source.info.name == source.objname);
                if tendon.is_some_and(|tendon| !tendon.limited) {
                    return fail("tendon must be limited in sensor");
                }
            }
            S::FramePos
            | S::FrameQuat
            | S::FrameXAxis
            | S::FrameYAxis
            | S::FrameZAxis
            | S::FrameLinVel
            | S::FrameAngVel
            | S::FrameLinAcc
            | S::FrameAngAcc
            | S::InsideSite => {
                if !FRAMES.contains(&source.objtype) {
                    return fail("sensor must be attached to (x)body, geom, site or camera");
                }
                if source.kind == S::InsideSite && source.reftype != ObjectType::Site {
                    return fail("sensor must be associated with a site");
                }
            }
            S::GeomDistance | S::GeomNormal | S::GeomFromTo => {
                self.check_distance_sensor(source, object, reference)?;
            }
            S::Contact => check_contact_sensor(source)?,
            S::Touch
            | S::Accelerometer
            | S::Velocimeter
            | S::Gyro
            | S::Force
            | S::Torque
            | S::Magnetometer
            | S::TendonPos
            | S::TendonVel
            | S::TendonActuatorForce
            | S::ActuatorPos
            | S::ActuatorVel
            | S::ActuatorForce
            | S::SubtreeCom
            | S::SubtreeLinVel
            | S::SubtreeAngMom
            | S::EPotential
            | S::EKinetic
            | S::Clock
            | S::Plugin => {}
            S::User => {
                if source.dim < 0 {
                    return fail("sensor dim must be non-negative");
                }
                if source.datatype == SensorDataType::Axis && source.dim != 3 {
                    return fail("datatype axis requires dim=3");
                }
                if source.datatype == SensorDataType::Quaternion && source.dim != 4 {
                    return fail("datatype quaternion requires dim=4");
                }
            }
            S::Tactile => {
                if source.reftype != ObjectType::Geom {
                    return fail("sensor must be associated with a geom");
                }
            }
        }
        Ok(())
    }

    fn check_distance_sensor(
        &self,
        source: &Sensor,
        object: Option<usize>,
        reference: Option<usize>,
    ) -> Result<(), Diagnostic> {
        let fail = |message: &str| Err(element_error(VALUE, source, "", message));
        let allowed = |kind| matches!(kind, ObjectType::Body | ObjectType::Geom);
        if !allowed(source.objtype) || !allowed(source.reftype) {
            return fail("sensor must be attached to body or geom");
        }
        if source.objtype == source.reftype && object == reference {
            return fail("1st body/geom must be different from 2nd body/geom");
        }
        for (kind, index) in [(source.objtype, object), (source.reftype, reference)] {
            if let (ObjectType::Geom, Some(geom)) = (kind, index)
                && self.geoms[geom].source.kind == GeomType::HField
            {
                return fail("height fields are not supported in geom distance sensors");
            }
        }
        Ok(())
    }

    fn sensor_dim(&self, source: &Sensor, object: Option<usize>) -> usize {
        match (source.kind, source.kind.rule().dim) {
            (_, Some(dim)) => dim,
            (SensorType::Contact, None) => {
                let count = usize::try_from(source.intprm[2]).unwrap_or(0);
                count.saturating_mul(fields_width(source.intprm[0], &CONTACT_FIELDS))
            }
            (SensorType::Rangefinder, None) => {
                let mut rays = 1_usize;
                if let (ObjectType::Camera, Some(camera)) = (source.objtype, object) {
                    for pixels in self.cameras[camera].source.resolution {
                        rays = rays.saturating_mul(usize::try_from(pixels).unwrap_or(0));
                    }
                }
                rays.saturating_mul(fields_width(source.intprm[0], &RAY_FIELDS))
            }
            (SensorType::Tactile, None) => {
                let mesh = object.filter(|_| source.objtype == ObjectType::Mesh);
                let mesh = mesh.and_then(|mesh| self.meshes[mesh].compiled.as_ref());
                mesh.map_or(0, |mesh| 3 * mesh.vertices.len())
            }
            (SensorType::User, None) => usize::try_from(source.dim).unwrap_or(0),
            // A plugin says it itself.
            (_, None) => 0,
        }
    }

    pub(super) fn write_sensors(&self, model: &mut Model, ids: &Ids, history: &mut i32) {
        let mut address = 0;
        for (at, sensor) in self.sensors.iter().enumerate() {
            let source = sensor.source;
            source.write_entries(model, at);
            model.sensor_datatype[at] = sensor.datatype as i32;
            model.sensor_needstage[at] = sensor.stage as i32;
            model.sensor_objid[at] = ids.maybe(source.objtype, sensor.object);
            model.sensor_refid[at] = ids.maybe(source.reftype, sensor.reference);
            model.sensor_dim[at] = sensor.dim as i32;
            model.sensor_history[at] = [source.nsample, source.interp];
            model.sensor_historyadr[at] = -1;
            if source.nsample > 0 {
                model.sensor_historyadr[at] = *history;
                *history += 2 + source.nsample + source.nsample * sensor.dim as i32;
            }
            model.sensor_plugin[at] = sensor.plugin.map_or(-1, |plugin| plugin as i32);
            model.sensor_adr[at] = address;
            address += sensor.dim as i32;
        }
    }
}

/// Attribute that names the object of a sensor.
fn attribute_of(source: &Sensor) -> &'static str {
    match source.objtype {
        ObjectType::Site => "site",
        ObjectType::Joint => "joint",
        ObjectType::Tendon => "tendon",
        ObjectType::Actuator => "actuator",
        _ => "objname",
    }
}

fn check_timing(source: &Sensor) -> Result<(), Diagnostic> {
    let fail = |attribute: &str, message: &str| Err(element_error(VALUE, source, attribute, message));
    if source.noise < 0.0 {
        return fail("noise", "negative noise in sensor");
    }
    if source.cutoff < 0.0 {
        return fail("cutoff", "negative cutoff in sensor");
    }
    let [period, phase] = source.interval;
    if period < 0.0 {
        return fail("interval", "negative interval in sensor");
    }
    if phase > 0.0 {
        return fail("interval", "positive phase in sensor");
    }
    if period > 0.0 && phase <= -period {
        return fail("interval", "phase must be greater than -period in sensor");
    }
    if source.delay > 0.0 && source.nsample <= 0 {
        return fail("delay", "delay > 0 needs a history buffer; set nsample");
    }
    if source.nsample > MAX_SAMPLES {
        return fail("nsample", "at most 2^24 samples in sensor history buffer");
    }
    Ok(())
}

/// The first integer parameter must choose at least one field and only existing ones.
fn check_fields(source: &Sensor, fields: usize) -> Result<(), Diagnostic> {
    let spec = source.intprm[0];
    let mask = (1 << fields) - 1;
    if spec <= 0 || spec & mask == 0 || spec & !mask != 0 {
        let message = format!("data spec {spec} must choose some of the {fields} fields");
        return Err(element_error(VALUE, source, "data", message));
    }
    Ok(())
}

fn check_contact_sensor(source: &Sensor) -> Result<(), Diagnostic> {
    let fail = |attribute: &str, message: String| Err(element_error(VALUE, source, attribute, message));
    use ObjectType as O;
    if !matches!(source.objtype, O::Site | O::Body | O::XBody | O::Geom | O::Unknown) {
        return fail("", "first matching criterion: if set, must be (x)body, geom or site".to_owned());
    }
    if !matches!(source.reftype, O::Body | O::XBody | O::Geom | O::Unknown) {
        return fail("", "second matching criterion: if set, must be (x)body or geom".to_owned());
    }
    check_fields(source, CONTACT_FIELDS.len())?;
    let [_, reduce, count] = source.intprm;
    if !(0..=3).contains(&reduce) {
        return fail("reduce", format!("unknown reduction criterion {reduce}; expected 0, 1, 2 or 3"));
    }
    if count <= 0 {
        return fail("num", format!("num must be positive, but is {count}"));
    }
    Ok(())
}
