//! Whether everything that moves has mass and inertia.

use super::problems::{INERTIA, element_error};
use super::work::Work;
use crate::element::{Body, Info};
use condyle_base::diagnostic::Diagnostic;

/// Least mass and least moment of inertia of what moves.
const LEAST: f64 = condyle_math::MIN_VALUE;

impl Work<'_> {
    /// A body that moves needs mass and inertia, its own or that of something welded to it.
    pub(super) fn check_moving_masses(&mut self) {
        for &index in &self.body_order {
            let body = &self.bodies[index];
            if index == 0 || body.joints.is_empty() || self.has_inertia(index) {
                continue;
            }
            let names = &body.source.info;
            let problem = negative_as_written(body.source).unwrap_or_else(|| {
                let message = "mass and inertia of moving bodies must be larger than 1e-15";
                let problem = element_error(INERTIA, body.source, "", message);
                if body.geoms.is_empty() {
                    problem.help("add a geom or an <inertial>, or weld a body with mass to it")
                } else {
                    problem.note(inertia_note(names, body.mass, body.inertia))
                }
            });
            self.problems.push(problem);
        }
    }

    fn has_inertia(&self, index: usize) -> bool {
        let mut stack = vec![index];
        while let Some(index) = stack.pop() {
            let body = &self.bodies[index];
            if body.mass >= LEAST && body.inertia.iter().all(|&moment| moment >= LEAST) {
                return true;
            }
            stack.extend(body.children.iter().filter(|&&child| self.bodies[child].joints.is_empty()));
        }
        false
    }
}

/// The problem of an inertial with a negative number, which the bounds of the compiler have raised to zero by now.
fn negative_as_written(body: &Body) -> Option<Diagnostic> {
    if !body.explicit_inertial {
        return None;
    }
    if body.mass < 0.0 {
        let message = format!("the mass is {}, but must be positive", body.mass);
        return Some(element_error(INERTIA, body, "mass", message).help("a mass is given in kilograms"));
    }
    let moment = body.inertia.iter().find(|&&moment| moment < 0.0)?;
    let message = format!("the moment of inertia {moment} must be positive");
    Some(element_error(INERTIA, body, "diaginertia", message).help("moments of inertia are given in kg·m²"))
}

fn inertia_note(info: &Info, mass: f64, inertia: [f64; 3]) -> String {
    let name = if info.name.is_empty() { "the body" } else { &info.name };
    format!("{name} has mass {mass} and inertia ({}, {}, {})", inertia[0], inertia[1], inertia[2])
}
