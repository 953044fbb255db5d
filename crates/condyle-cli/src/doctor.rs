//! What in a model may make a simulation diverge: springs, dampers and servo gains that are too stiff for the time step.
//!
//! A spring of stiffness k on an inertia m oscillates at ω = √(k/m); integrated explicitly it is stable below `dt ω = 2`. Explicit
//! damping d is stable below `dt d/m = 2`. Joint damping is implicit except in RK4 or with `eulerdamp` off, damping of actuators only
//! in the implicit integrators. The inertia is that of the joint in the reference configuration.

use condyle::model::{BiasType, Integrator, JointType, TransmissionType, disable};
use condyle::{Model, NonFinite, ObjectType};

use crate::label::{joint_unit, label, short};

/// Most hints given.
const MOST: usize = 3;
const STABLE_BELOW: f64 = 2.0;

/// Suspicious elements on the kinematic tree of an invalid value, the worst first.
pub(crate) fn hints(model: &Model, found: &NonFinite) -> Vec<String> {
    let tree = model.body_treeid[found.body];
    let mut hints: Vec<(f64, String)> = Vec::new();
    for joint in 0..model.njnt {
        if model.body_treeid[model.jnt_bodyid[joint] as usize] == tree {
            joint_hints(model, joint, &mut hints);
        }
    }
    for actuator in 0..model.nu {
        let kind = model.actuator_trntype(actuator);
        let joint = model.actuator_trnid[actuator][0] as usize;
        if matches!(kind, Some(TransmissionType::Joint | TransmissionType::JointInParent))
            && model.body_treeid[model.jnt_bodyid[joint] as usize] == tree
        {
            actuator_hints(model, actuator, joint, &mut hints);
        }
    }
    hints.sort_by(|a, b| b.0.total_cmp(&a.0));
    hints.into_iter().take(MOST).map(|(_, text)| text).collect()
}

/// Least inertia of the dofs of a joint in the reference configuration.
fn inertia(model: &Model, joint: usize) -> f64 {
    let first = model.jnt_dofadr[joint] as usize;
    let count = match model.jnt_type(joint) {
        Some(JointType::Free) => 6,
        Some(JointType::Ball) => 3,
        _ => 1,
    };
    model.dof_M0[first..first + count].iter().copied().fold(f64::INFINITY, f64::min).max(1e-15)
}

/// Whether velocity-dependent forces are integrated explicitly: of joints, of actuators.
fn explicit_damping(model: &Model) -> (bool, bool) {
    match Integrator::from_i32(model.opt.integrator) {
        Some(Integrator::Euler) => (model.opt.disableflags & disable::EULERDAMP != 0, true),
        Some(Integrator::Rk4) => (true, true),
        _ => (false, false),
    }
}

fn joint_hints(model: &Model, joint: usize, hints: &mut Vec<(f64, String)>) {
    let name = label(model, ObjectType::Joint, joint);
    let (unit, mass) = (joint_unit(model, joint), inertia(model, joint));
    spring(model, &format!("stiffness of joint '{name}'"), model.jnt_stiffness[joint], unit, mass, hints);
    if explicit_damping(model).0 {
        let damping = model.dof_damping[model.jnt_dofadr[joint] as usize];
        damper(model, &format!("damping of joint '{name}'"), damping, unit, mass, hints);
    }
}

fn actuator_hints(model: &Model, actuator: usize, joint: usize, hints: &mut Vec<(f64, String)>) {
    if model.actuator_biastype[actuator] != BiasType::Affine as i32 {
        return;
    }
    let name = label(model, ObjectType::Actuator, actuator);
    let gear = model.actuator_gear[actuator][0];
    let (unit, mass) = (joint_unit(model, joint), inertia(model, joint));
    let [_, position, velocity, ..] = model.actuator_biasprm[actuator];
    spring(model, &format!("kp of actuator '{name}'"), -position * gear * gear, unit, mass, hints);
    if explicit_damping(model).1 {
        damper(model, &format!("kv of actuator '{name}'"), -velocity * gear * gear, unit, mass, hints);
    }
}

fn spring(model: &Model, what: &str, stiffness: f64, unit: &str, mass: f64, hints: &mut Vec<(f64, String)>) {
    let dt = model.opt.timestep;
    let ratio = dt * (stiffness / mass).sqrt();
    if ratio > STABLE_BELOW {
        let (force, inertia) = units(unit);
        let text = format!(
            "{what}, {} {force}/{unit} on an inertia of {} {inertia}: dt·√(k/m) is {}, stable below {STABLE_BELOW}; use a time step \
             below {} s, less stiffness or more armature",
            short(stiffness),
            short(mass),
            short(ratio),
            short(dt * STABLE_BELOW / ratio)
        );
        hints.push((ratio, text));
    }
}

fn damper(model: &Model, what: &str, damping: f64, unit: &str, mass: f64, hints: &mut Vec<(f64, String)>) {
    let dt = model.opt.timestep;
    let ratio = dt * damping / mass;
    if ratio > STABLE_BELOW {
        let (force, inertia) = units(unit);
        let text = format!(
            "{what}, {} {force}·s/{unit} on an inertia of {} {inertia}: dt·d/m is {}, stable below {STABLE_BELOW}; use \
             integrator=\"implicitfast\", or a time step below {} s",
            short(damping),
            short(mass),
            short(ratio),
            short(dt * STABLE_BELOW / ratio)
        );
        hints.push((ratio, text));
    }
}

/// Units of force and inertia that belong to a coordinate.
fn units(unit: &str) -> (&'static str, &'static str) {
    if unit == "rad" { ("N·m", "kg·m²") } else { ("N", "kg") }
}
