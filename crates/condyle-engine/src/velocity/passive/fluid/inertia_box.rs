//! Fluid forces on the box that has the inertia of the body: viscous resistance of the sphere of mean diameter, and quadratic drag
//! on each face.
//!
//! Reference: `mj_inertiaBoxFluidModel`.

use condyle_math::{MIN_VALUE, PI, Spatial, Vec3, scalar};
use condyle_model::Model;

/// Edge lengths of the box with the mass and inertia of a body.
pub(crate) fn equivalent_box(model: &Model, body: usize) -> Vec3 {
    let [x, y, z] = model.body_inertia[body];
    let mass = model.body_mass[body];
    let edge = |moment: f64| (scalar::max(MIN_VALUE, moment) / mass * 6.0).sqrt();
    [edge(y + z - x), edge(x + z - y), edge(x + y - z)]
}

/// Torque and force on a body that moves with `velocity` in its inertial frame.
pub fn force(model: &Model, body: usize, velocity: &Spatial) -> Spatial {
    let edges = equivalent_box(model, body);
    let v = velocity;
    let mut wrench = [0.0; 6];
    let viscosity = model.opt.viscosity;
    if viscosity > 0.0 {
        let diameter = (edges[0] + edges[1] + edges[2]) / 3.0;
        let angular = -PI * diameter * diameter * diameter * viscosity;
        let linear = -3.0 * PI * diameter * viscosity;
        for i in 0..3 {
            wrench[i] = v[i] * angular;
            wrench[3 + i] = v[3 + i] * linear;
        }
    }
    let density = model.opt.density;
    if density > 0.0 {
        let fourth = edges.map(|x| x * x * x * x);
        for (axis, (j, k)) in [(1, 2), (0, 2), (0, 1)].into_iter().enumerate() {
            let speed = v[3 + axis];
            wrench[3 + axis] -= 0.5 * density * edges[j] * edges[k] * speed.abs() * speed;
            let spin = v[axis];
            wrench[axis] -= density * edges[axis] * (fourth[j] + fourth[k]) * spin.abs() * spin / 64.0;
        }
    }
    wrench
}
