//! Who touches whom, where, how deeply and with what force, in world axes.
//!
//! The normal points from the first geom to the second. A contact pushes with `force` on the second geom and with `−force` on the
//! first, and twists likewise with `torque` about the contact point. Slip is the velocity of the second geom's surface against the
//! first's in the tangent plane. How much of the friction cone is used is
//!
//! ```text
//! elliptic:  √Σ(fᵢ/μᵢ)² / fₙ        pyramidal:  Σ|fᵢ|/μᵢ / fₙ
//! ```
//!
//! over all friction directions (sliding, spinning, rolling) of the contact; at 1 it slips. The Coulomb margin is `μ₁ fₙ − |fₜ|`, the
//! sliding force that is left.

use condyle_math::{Vec3, mat3, spatial, spatial::Kind, vec3};
use condyle_model::{Cone, Model};

use crate::Data;
use crate::data::Contact;

use super::contact_force::contact_force;
use crate::constraint::contact_bodies;
use crate::constraint::rows::contact::EXCLUDE_PASSIVE;

/// Share of the cone from which on a contact counts as slipping.
const SLIPPING: f64 = 0.999;

/// Whether a contact carries force, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContactStatus {
    /// It is a constraint, and friction holds.
    Sticking,
    /// It is a constraint, and its friction cone is used up.
    Slipping,
    /// It is a constraint without friction.
    Frictionless,
    /// It is a constraint whose force is zero: the surfaces part.
    Separating,
    /// It is inside the gap.
    InGap,
    /// It pushes as a passive force of a flex.
    Passive,
    /// It is no constraint for another reason: nothing can move, or constraints are disabled.
    NotAConstraint,
}

impl ContactStatus {
    /// A short name that does not change.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sticking => "sticking",
            Self::Slipping => "slipping",
            Self::Frictionless => "frictionless",
            Self::Separating => "separating",
            Self::InGap => "in gap",
            Self::Passive => "passive",
            Self::NotAConstraint => "not a constraint",
        }
    }
}

/// What touches on one side of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactPart {
    /// A geom.
    Geom(usize),
    /// An element of a flex: the flex and the element.
    FlexElement(usize, usize),
    /// A vertex of a flex: the flex and the vertex.
    FlexVertex(usize, usize),
    /// A flex as a whole.
    Flex(usize),
    /// Nothing of the model, in contacts that were changed from outside.
    Unknown,
}

/// What one side of a contact moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactMover {
    /// One body.
    Body(usize),
    /// Several bodies, as an element of a flex does.
    Several,
    /// No body of the model, in contacts that were changed from outside.
    Unknown,
}

/// One side of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSide {
    /// What touches.
    pub part: ContactPart,
    /// The bodies it moves with.
    pub mover: ContactMover,
    /// Force on this side, world axes, N.
    pub force: Vec3,
    /// Torque on this side about the contact point, world axes, N·m.
    pub torque: Vec3,
}

/// A contact as a person asks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactReport {
    /// Number of the contact.
    pub index: usize,
    /// The first geom and the second.
    pub sides: [ContactSide; 2],
    /// Midpoint between the surfaces, world frame, m.
    pub point: Vec3,
    /// Unit vector from the first geom to the second, world axes.
    pub normal: Vec3,
    /// Distance of the surfaces, m; negative when they overlap.
    pub distance: f64,
    /// How deeply the surfaces overlap, m; zero when they do not.
    pub depth: f64,
    /// Whether the contact carries force.
    pub status: ContactStatus,
    /// Dimension of the contact: 1, 3, 4 or 6.
    pub dimension: i32,
    /// Force along the normal, N.
    pub normal_force: f64,
    /// Size of the force in the tangent plane, N.
    pub friction_force: f64,
    /// Friction coefficients: two sliding, spinning, two rolling.
    pub friction: [f64; 5],
    /// Velocity of the second surface relative to the first in the tangent plane, world axes, m/s.
    pub slip: Vec3,
    /// Velocity of the second surface relative to the first along the normal, m/s; positive when they separate.
    pub normal_velocity: f64,
    /// Share of the friction cone in use, 0 to 1; 0 without force or friction.
    pub cone_usage: f64,
    /// Additional tangential force at which the contact would slip, N.
    pub coulomb_margin: f64,
}

impl Data {
    /// Every contact with world forces and friction, in the order of `contacts`. Needs `forward` or `step` before.
    pub fn contact_reports(&self, model: &Model) -> Vec<ContactReport> {
        (0..self.contacts.len()).map(|index| self.contact_report(model, index)).collect()
    }

    fn contact_report(&self, model: &Model, index: usize) -> ContactReport {
        let contact = &self.contacts[index];
        let local = contact_force(model, &self.solution, contact);
        let turn = |v: [f64; 3]| mat3::mul_vec_transposed(&contact.frame, v);
        let force = turn([local[0], local[1], local[2]]);
        let torque = turn([local[3], local[4], local[5]]);
        let side = |i: usize, sign: f64| ContactSide {
            part: part(model, contact, i),
            mover: mover(model, contact, i),
            force: vec3::scale(force, sign),
            torque: vec3::scale(torque, sign),
        };
        let sides = [side(0, -1.0), side(1, 1.0)];
        let normal = mat3::row(&contact.frame, 0);
        let velocities = [0, 1].map(|side| self.side_velocity(model, contact, side));
        let relative = vec3::sub(velocities[1], velocities[0]);
        let normal_velocity = vec3::dot(relative, normal);
        let friction_force = local[1].hypot(local[2]);
        let cone_usage = cone_usage(model, contact, &local);
        ContactReport {
            index,
            point: contact.pos,
            normal,
            distance: contact.dist,
            depth: if contact.dist < 0.0 { -contact.dist } else { 0.0 },
            status: status(contact, local[0], cone_usage),
            dimension: contact.dim,
            normal_force: local[0],
            friction_force,
            friction: contact.friction,
            slip: vec3::add_scaled(relative, normal, -normal_velocity),
            normal_velocity,
            cone_usage,
            coulomb_margin: if contact.dim > 1 {
                contact.friction[0] * local[0] - friction_force
            } else {
                0.0
            },
            sides,
        }
    }

    /// Velocity of a side of a contact at the contact point, world axes: the mean over its bodies.
    fn side_velocity(&self, model: &Model, contact: &Contact, side: usize) -> Vec3 {
        let mut velocity = [0.0; 3];
        if contact_bodies::is_known(model, contact, side) {
            contact_bodies::visit(model, &self.flexes, contact, side, 1.0, |body, share| {
                velocity = vec3::add_scaled(velocity, self.surface_velocity(model, body, contact.pos), share);
            });
        }
        velocity
    }

    /// Velocity of the point of a body that is at `point`, world axes.
    fn surface_velocity(&self, model: &Model, body: usize, point: Vec3) -> Vec3 {
        if model.body_weldid[body] == 0 {
            return [0.0; 3];
        }
        let center = self.kinematics.subtree_com[model.body_rootid[body] as usize];
        let moved = spatial::transform(&self.velocity.cvel[body], Kind::Motion, point, center, None);
        spatial::translational(&moved)
    }
}

impl ContactSide {
    /// The geom on this side; `None` for a flex.
    pub const fn geom(&self) -> Option<usize> {
        match self.part {
            ContactPart::Geom(geom) => Some(geom),
            ContactPart::FlexElement(..)
            | ContactPart::FlexVertex(..)
            | ContactPart::Flex(_)
            | ContactPart::Unknown => None,
        }
    }

    /// The body this side moves with; `None` when there are several.
    pub const fn body(&self) -> Option<usize> {
        match self.mover {
            ContactMover::Body(body) => Some(body),
            ContactMover::Several | ContactMover::Unknown => None,
        }
    }
}

fn part(model: &Model, contact: &Contact, side: usize) -> ContactPart {
    let within = |index: i32, count: usize| usize::try_from(index).ok().filter(|index| *index < count);
    if let Some(geom) = within(contact.geom[side], model.ngeom) {
        return ContactPart::Geom(geom);
    }
    let Some(flex) = within(contact.flex[side], model.nflex) else { return ContactPart::Unknown };
    match (usize::try_from(contact.elem[side]), usize::try_from(contact.vert[side])) {
        (Ok(element), _) => ContactPart::FlexElement(flex, element),
        (_, Ok(vertex)) => ContactPart::FlexVertex(flex, vertex),
        _ => ContactPart::Flex(flex),
    }
}

fn mover(model: &Model, contact: &Contact, side: usize) -> ContactMover {
    if !contact_bodies::is_known(model, contact, side) {
        return ContactMover::Unknown;
    }
    contact_bodies::single(model, contact, side).map_or(ContactMover::Several, ContactMover::Body)
}

fn cone_usage(model: &Model, contact: &Contact, local: &[f64; 6]) -> f64 {
    let directions = contact.dim.clamp(1, 6) as usize - 1;
    if !(local[0] > 0.0) || directions == 0 {
        return 0.0;
    }
    let shares =
        local[1..=directions].iter().zip(&contact.friction).map(|(force, friction)| force / friction);
    if model.opt.cone() == Some(Cone::Elliptic) {
        shares.map(|share| share * share).sum::<f64>().sqrt() / local[0]
    } else {
        shares.map(f64::abs).sum::<f64>() / local[0]
    }
}

fn status(contact: &Contact, normal_force: f64, cone_usage: f64) -> ContactStatus {
    if contact.exclude == 1 {
        ContactStatus::InGap
    } else if contact.exclude == EXCLUDE_PASSIVE {
        ContactStatus::Passive
    } else if contact.efc_address < 0 {
        ContactStatus::NotAConstraint
    } else if !(normal_force > 0.0) {
        ContactStatus::Separating
    } else if contact.dim == 1 {
        ContactStatus::Frictionless
    } else if cone_usage >= SLIPPING {
        ContactStatus::Slipping
    } else {
        ContactStatus::Sticking
    }
}
