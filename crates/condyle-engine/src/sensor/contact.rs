//! The contact sensor: which contacts match, how they are reduced, and which of their fields are reported.

use condyle_math::{MIN_VALUE, Mat3, Spatial, Vec3, mat3, scalar, spatial, vec3};
use condyle_model::sensors::{CONTACT_FIELDS, fields_width};
use condyle_model::{Model, ObjectType};

use super::position::site_contains;
use crate::constraint::contact_force::contact_force;
use crate::data::{Contact, Kinematics, Solution};

/// Fields in the order of [`CONTACT_FIELDS`].
const FOUND: usize = 0;
const FORCE: usize = 1;
const TORQUE: usize = 2;
const DISTANCE: usize = 3;
const POSITION: usize = 4;
const NORMAL: usize = 5;
const TANGENT: usize = 6;

const REDUCE_MIN_DISTANCE: i32 = 1;
const REDUCE_MAX_FORCE: i32 = 2;
const REDUCE_NET_FORCE: i32 = 3;

/// A contact that matches the sensor.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Match {
    /// What matches are ordered by, smallest first.
    criterion: f64,
    contact: usize,
    /// Whether the contact is seen from its second side.
    flipped: bool,
}

/// Matches of the present sensor, kept to avoid allocation.
#[derive(Clone, Debug, Default)]
pub struct ContactSensorScratch {
    matches: Vec<Match>,
}

/// Compute a contact sensor.
pub(super) fn compute(
    model: &Model,
    kinematics: &Kinematics,
    contacts: &[Contact],
    solution: &Solution,
    sensor: usize,
    reading: &mut [f64],
    ContactSensorScratch { matches }: &mut ContactSensorScratch,
) {
    reading.fill(0.0);
    let [fields, reduce, ..] = model.sensor_intprm[sensor];
    let offsets = field_offsets(fields);
    let slot_size = fields_width(fields, &CONTACT_FIELDS);
    if slot_size == 0 {
        return;
    }
    let all = AllContacts { model, kinematics, contacts, solution };
    matches.clear();
    all.find_matches(sensor, reduce, matches);
    if reduce == REDUCE_NET_FORCE {
        all.write_net_force(matches, &offsets, reading);
    } else {
        if reduce == REDUCE_MIN_DISTANCE || reduce == REDUCE_MAX_FORCE {
            // Contact numbers break ties, so an unstable sort has one answer.
            matches.sort_unstable_by(|a, b| {
                a.criterion
                    .partial_cmp(&b.criterion)
                    .unwrap_or(std::cmp::Ordering::Equal)
                    .then(a.contact.cmp(&b.contact))
            });
        }
        for (slot, found) in reading.chunks_exact_mut(slot_size).zip(matches.iter()) {
            all.write_slot(found, matches.len(), &offsets, slot);
        }
    }
}

/// Where each requested field starts within a slot.
fn field_offsets(fields: i32) -> [Option<usize>; 7] {
    let mut start = 0;
    std::array::from_fn(|field| {
        (fields & (1 << field) != 0).then(|| {
            start += CONTACT_FIELDS[field];
            start - CONTACT_FIELDS[field]
        })
    })
}

type Side = (Option<ObjectType>, i32);

/// Whether a contact matches both sides of the sensor and, if so, whether it is seen from its second geom.
fn match_side(
    model: &Model,
    kinematics: &Kinematics,
    contact: &Contact,
    first: Side,
    second: Side,
) -> Option<bool> {
    let unspecified = |side: Side| matches!(side.0, Some(ObjectType::Unknown) | None);
    if unspecified(first) && unspecified(second) {
        return Some(false);
    }
    if first.0 == Some(ObjectType::Site)
        && !usize::try_from(first.1).is_ok_and(|site| site_contains(model, kinematics, site, contact.pos))
    {
        return None;
    }
    let [first_1, first_2] = contact.geom.map(|geom| involves(model, geom, first));
    let [second_1, second_2] = contact.geom.map(|geom| involves(model, geom, second));
    if !(first_1 || first_2) || !(second_1 || second_2) {
        return None;
    }
    if !unspecified(first) && !unspecified(second) {
        let (regular, reverse) = (first_1 && second_2, first_2 && second_1);
        return if regular {
            Some(false)
        } else if reverse {
            Some(true)
        } else {
            None
        };
    }
    Some(if unspecified(first) { !second_2 } else { !first_1 })
}

/// Whether a geom of a contact is the object of a sensor side, or belongs to it.
fn involves(model: &Model, geom: i32, (kind, id): Side) -> bool {
    let mut body = usize::try_from(geom).map_or(-1, |geom| model.geom_bodyid[geom]);
    match kind {
        // A site has already been tested by position.
        Some(ObjectType::Unknown | ObjectType::Site) | None => true,
        Some(ObjectType::Geom) => id == geom,
        Some(ObjectType::Body) => id == body,
        Some(ObjectType::XBody) => {
            while body > id {
                body = model.body_parentid[body as usize];
            }
            body == id
        }
        _ => false,
    }
}

/// The contacts of a step and what is needed to match and measure them.
struct AllContacts<'a> {
    model: &'a Model,
    kinematics: &'a Kinematics,
    contacts: &'a [Contact],
    solution: &'a Solution,
}

impl AllContacts<'_> {
    /// Append all contacts that match a sensor.
    fn find_matches(&self, sensor: usize, reduce: i32, matches: &mut Vec<Match>) {
        let Self { model, kinematics, contacts, solution } = *self;
        let first = (model.sensor_objtype(sensor), model.sensor_objid[sensor]);
        let second = (model.sensor_reftype(sensor), model.sensor_refid[sensor]);
        for (index, contact) in contacts.iter().enumerate() {
            let Some(flipped) = match_side(model, kinematics, contact, first, second) else { continue };
            let criterion = match reduce {
                REDUCE_MIN_DISTANCE => contact.dist,
                REDUCE_MAX_FORCE => {
                    let force = spatial::rotational(&contact_force(model, solution, contact));
                    -vec3::dot(force, force)
                }
                _ => 0.0,
            };
            matches.push(Match { criterion, contact: index, flipped });
        }
    }

    /// One contact in one slot. Seen from the second side, the frame is turned by half a circle about its second tangent.
    fn write_slot(&self, found: &Match, count: usize, offsets: &[Option<usize>; 7], slot: &mut [f64]) {
        let contact = &self.contacts[found.contact];
        let mut put = |field: usize, values: &[f64]| {
            if let Some(start) = offsets[field] {
                slot[start..start + values.len()].copy_from_slice(values);
            }
        };
        put(FOUND, &[count as f64]);
        if offsets[FORCE].is_some() || offsets[TORQUE].is_some() {
            let wrench = contact_force(self.model, self.solution, contact);
            let (mut force, mut torque) = (spatial::rotational(&wrench), spatial::translational(&wrench));
            if found.flipped {
                force[2] *= -1.0;
                torque[2] *= -1.0;
            }
            put(FORCE, &force);
            put(TORQUE, &torque);
        }
        put(DISTANCE, &[contact.dist]);
        put(POSITION, &contact.pos);
        let oriented = |axis: Vec3| if found.flipped { vec3::scale(axis, -1.0) } else { axis };
        put(NORMAL, &oriented(mat3::row(&contact.frame, 0)));
        put(TANGENT, &oriented(mat3::row(&contact.frame, 1)));
    }

    /// All matches as one wrench about their force-weighted centre, in world axes.
    fn write_net_force(&self, matches: &[Match], offsets: &[Option<usize>; 7], slot: &mut [f64]) {
        let wrench_of = |found: &Match| -> (Spatial, Vec3, &Mat3) {
            let contact = &self.contacts[found.contact];
            let mut wrench = contact_force(self.model, self.solution, contact);
            if found.flipped {
                wrench = wrench.map(|value| -value);
            }
            (wrench, contact.pos, &contact.frame)
        };
        let (mut center, mut total) = ([0.0; 3], 0.0);
        for found in matches {
            let (wrench, position, _) = wrench_of(found);
            let weight = vec3::norm(spatial::rotational(&wrench));
            center = vec3::add_scaled(center, position, weight);
            total += weight;
        }
        center = vec3::scale(center, 1.0 / scalar::max(total, MIN_VALUE));
        let (mut force, mut torque) = ([0.0; 3], [0.0; 3]);
        for found in matches {
            let (wrench, position, frame) = wrench_of(found);
            let own_force = mat3::mul_vec_transposed(frame, spatial::rotational(&wrench));
            let own_torque = mat3::mul_vec_transposed(frame, spatial::translational(&wrench));
            force = vec3::add(force, own_force);
            torque = vec3::add(torque, own_torque);
            torque = vec3::add(torque, vec3::cross(vec3::sub(position, center), own_force));
        }
        let mut put = |field: usize, values: &[f64]| {
            if let Some(start) = offsets[field] {
                slot[start..start + values.len()].copy_from_slice(values);
            }
        };
        put(FOUND, &[matches.len() as f64]);
        put(FORCE, &force);
        put(TORQUE, &torque);
        put(DISTANCE, &[0.0]);
        put(POSITION, &center);
        put(NORMAL, &[1.0, 0.0, 0.0]);
        put(TANGENT, &[0.0, 1.0, 0.0]);
    }
}
