//! Sensors: what they measure exists, and they write as many numbers as their kind has.

use super::objects::check_history;
use super::{inside, optional};
use crate::sensors::{CONTACT_FIELDS, RAY_FIELDS, Reference, fields_width};
use crate::{JointType, Model, ObjectType, SensorType};

pub(super) fn check(model: &Model) -> Result<(), String> {
    for sensor in 0..model.nsensor {
        let Some(kind) = model.sensor_type(sensor) else {
            return Err(format!("sensor_type[{sensor}] is {}", model.sensor_type[sensor]));
        };
        if model.sensor_needstage(sensor).is_none() {
            return Err(format!("sensor_needstage[{sensor}] is {}", model.sensor_needstage[sensor]));
        }
        if !measures(model, sensor, kind) {
            return Err(format!("sensor {sensor} measures an object that does not exist"));
        }
        let (start, dim) = (model.sensor_adr[sensor], model.sensor_dim[sensor]);
        if start < 0 || !fits(model, sensor, kind, dim) {
            return Err(format!("sensor {sensor} writes {dim} numbers at {start}"));
        }
        let samples = model.sensor_history[sensor][0];
        check_history("sensor", sensor, samples, dim, model.sensor_historyadr[sensor], model.nhistory)?;
    }
    Ok(())
}

/// Number of elements of a kind.
fn count(model: &Model, kind: ObjectType) -> Option<usize> {
    Some(match kind {
        ObjectType::Body | ObjectType::XBody => model.nbody,
        ObjectType::Joint => model.njnt,
        ObjectType::Dof => model.nv,
        ObjectType::Geom => model.ngeom,
        ObjectType::Site => model.nsite,
        ObjectType::Camera => model.ncam,
        ObjectType::Light => model.nlight,
        ObjectType::Flex => model.nflex,
        ObjectType::Mesh => model.nmesh,
        ObjectType::Skin => model.nskin,
        ObjectType::HField => model.nhfield,
        ObjectType::Texture => model.ntex,
        ObjectType::Material => model.nmat,
        ObjectType::Pair => model.npair,
        ObjectType::Exclude => model.nexclude,
        ObjectType::Equality => model.neq,
        ObjectType::Tendon => model.ntendon,
        ObjectType::Actuator => model.nu,
        ObjectType::Sensor => model.nsensor,
        ObjectType::Numeric => model.nnumeric,
        ObjectType::Text => model.ntext,
        ObjectType::Tuple => model.ntuple,
        ObjectType::Key => model.nkey,
        ObjectType::Plugin => model.nplugin,
        ObjectType::Unknown | ObjectType::Frame | ObjectType::Default | ObjectType::Model => return None,
    })
}

fn measures(model: &Model, sensor: usize, kind: SensorType) -> bool {
    let object = model.sensor_objtype(sensor);
    let reference = model.sensor_reftype(sensor);
    let (id, other) = (model.sensor_objid[sensor], model.sensor_refid[sensor]);
    let (Some(object), Some(reference)) = (object, reference) else { return false };
    let exists = |kind: ObjectType, id: i32| count(model, kind).is_none_or(|count| optional(id, count));
    if !exists(object, id) || !exists(reference, other) {
        return false;
    }
    let is_one_of = |wanted: &[ObjectType], kind: ObjectType, id: i32| {
        wanted.contains(&kind) && count(model, kind).is_some_and(|count| inside(id, count))
    };
    let rule = kind.rule();
    let measured = rule.objects.is_empty() || is_one_of(rule.objects, object, id);
    let referred = match rule.reference {
        Reference::Free => true,
        Reference::May(kinds) => other == -1 || is_one_of(kinds, reference, other),
        Reference::Must(kinds) => is_one_of(kinds, reference, other),
    };
    let of_ball = matches!(kind, SensorType::BallQuat | SensorType::BallAngVel);
    measured && referred && (!of_ball || model.jnt_type.get(id as usize) == Some(&(JointType::Ball as i32)))
}

fn fits(model: &Model, sensor: usize, kind: SensorType, dim: i32) -> bool {
    if let Some(width) = kind.rule().dim {
        return usize::try_from(dim) == Ok(width);
    }
    let fields = model.sensor_intprm[sensor][0];
    match kind {
        SensorType::Contact => {
            let slot = fields_width(fields, &CONTACT_FIELDS) as i32;
            slot > 0 && dim >= slot && dim % slot == 0
        }
        SensorType::Rangefinder => {
            let rays = if model.sensor_objtype(sensor) == Some(ObjectType::Camera) {
                let [columns, rows] = model.cam_resolution[model.sensor_objid[sensor] as usize];
                i64::from(columns).saturating_mul(i64::from(rows))
            } else {
                1
            };
            let width = fields_width(fields, &RAY_FIELDS) as i64;
            rays >= 0 && rays.saturating_mul(width) == i64::from(dim)
        }
        _ => true,
    }
}
