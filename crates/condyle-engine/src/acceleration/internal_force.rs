//! Accelerations of the bodies and the forces between them once the constraint forces are known.
//!
//! `cfrc_ext` collects applied forces, contacts and the reactions of connect and weld equalities; a Newton–Euler pass with the solved
//! acceleration then gives `cacc` and the interaction forces `cfrc_int` of each body with its parent.
//! Reference: `mj_rnePostConstraint`, including that the torque of a weld enters unscaled.

use condyle_math::spatial::Kind;
use condyle_math::{Spatial, Vec3, dense, mat3, spatial, vec3};
use condyle_model::{EqualityType, Model, ObjectType};

use crate::constraint::contact_force::contact_force;
use crate::constraint::rows::flex::stretchable_edges;
use crate::data::{Acceleration, BodyForces, Contact, Inputs, Kinematics, Rows, Solution, State, Velocity};
use crate::velocity::bias::{body_force, gravity_acceleration, own_dofs};

/// Compute `cacc`, `cfrc_ext` and `cfrc_int`.
pub fn update(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    kinematics: &Kinematics,
    rows: &Rows,
    contacts: &[Contact],
    velocity: &Velocity,
    solution: &Solution,
    acceleration: &Acceleration,
    out: &mut BodyForces,
) {
    out.cacc[0] = gravity_acceleration(model);
    let external = &mut out.cfrc_ext;
    external.fill([0.0; 6]);
    add_applied(model, inputs, kinematics, external);
    add_contacts(model, kinematics, contacts, solution, external);
    add_equalities(model, kinematics, rows, solution, external);
    accumulate(model, state, kinematics, velocity, acceleration, out);
    out.flg_rnepost = true;
}

/// A force at `point` moved to the reference point of a body's tree.
fn to_tree(model: &Model, kinematics: &Kinematics, force: &Spatial, body: usize, point: Vec3) -> Spatial {
    let center = kinematics.subtree_com[model.body_rootid[body] as usize];
    spatial::transform(force, Kind::Force, center, point, None)
}

fn add_applied(model: &Model, inputs: &Inputs, kinematics: &Kinematics, external: &mut [Spatial]) {
    for body in 1..model.nbody {
        let applied = &inputs.xfrc_applied[body];
        if !dense::is_zero(applied) {
            let force = spatial::join(spatial::translational(applied), spatial::rotational(applied));
            let moved = to_tree(model, kinematics, &force, body, kinematics.xipos[body]);
            spatial::add_to(&mut external[body], &moved);
        }
    }
}

fn add_contacts(
    model: &Model,
    kinematics: &Kinematics,
    contacts: &[Contact],
    solution: &Solution,
    external: &mut [Spatial],
) {
    for contact in contacts {
        let [Ok(geom1), Ok(geom2)] = contact.geom.map(usize::try_from) else { continue };
        if contact.efc_address < 0 {
            continue;
        }
        let local = contact_force(model, solution, contact);
        let force = spatial::join(
            mat3::mul_vec_transposed(&contact.frame, spatial::translational(&local)),
            mat3::mul_vec_transposed(&contact.frame, spatial::rotational(&local)),
        );
        let body1 = model.geom_bodyid[geom1] as usize;
        if body1 > 0 {
            let moved = to_tree(model, kinematics, &force, body1, contact.pos);
            sub_from(&mut external[body1], &moved);
        }
        let body2 = model.geom_bodyid[geom2] as usize;
        if body2 > 0 {
            let moved = to_tree(model, kinematics, &force, body2, contact.pos);
            spatial::add_to(&mut external[body2], &moved);
        }
    }
}

fn sub_from(target: &mut Spatial, value: &Spatial) {
    for (x, v) in target.iter_mut().zip(value) {
        *x -= v;
    }
}

fn add_equalities(
    model: &Model,
    kinematics: &Kinematics,
    table: &Rows,
    solution: &Solution,
    external: &mut [Spatial],
) {
    let mut row = 0;
    // Rows that were forgotten leave their numbers behind.
    while row < table.ne && row < table.efc_id.len() {
        let equality = table.efc_id[row] as usize;
        let Some(kind) = model.eq_type(equality) else { return };
        let rows = match kind {
            EqualityType::Connect => 3,
            EqualityType::Weld => 6,
            EqualityType::Joint | EqualityType::Tendon | EqualityType::Distance => 1,
            EqualityType::Flex => stretchable_edges(model, model.eq_obj1id[equality] as usize).count(),
            EqualityType::FlexVert => 2 * model.flex_vertnum[model.eq_obj1id[equality] as usize] as usize,
        };
        if matches!(kind, EqualityType::Connect | EqualityType::Weld) {
            // Behind an equality on a flex with dropped rows the count is ahead of the rows and may run over the end.
            let force = |k: usize| solution.efc_force.get(row + k).copied().unwrap_or(0.0);
            add_anchor_forces(model, kinematics, equality, kind, force, external);
        }
        // A row that covers nothing would repeat forever.
        row += rows.max(1);
    }
}

/// Reactions of a connect or weld on both its bodies.
fn add_anchor_forces(
    model: &Model,
    kinematics: &Kinematics,
    equality: usize,
    kind: EqualityType,
    force: impl Fn(usize) -> f64,
    external: &mut [Spatial],
) {
    let push = [force(0), force(1), force(2)];
    let is_weld = kind == EqualityType::Weld;
    let torque = if is_weld { [force(3), force(4), force(5)] } else { [0.0; 3] };
    let force = spatial::join(torque, push);
    let between_bodies = model.eq_objtype(equality) == Some(ObjectType::Body);
    let anchors = &model.eq_data[equality];
    // The two anchors are stored in opposite order for connect and weld.
    let sides = [(model.eq_obj1id[equality], is_weld), (model.eq_obj2id[equality], !is_weld)];
    for (side, (object, second_anchor)) in sides.into_iter().enumerate() {
        let object = object as usize;
        let body = if between_bodies { object } else { model.site_bodyid[object] as usize };
        if body == 0 {
            continue;
        }
        let offset = if between_bodies {
            let start = if second_anchor { 3 } else { 0 };
            [anchors[start], anchors[start + 1], anchors[start + 2]]
        } else {
            model.site_pos[object]
        };
        let point = vec3::add(mat3::mul_vec(&kinematics.xmat[body], offset), kinematics.xpos[body]);
        let moved = to_tree(model, kinematics, &force, body, point);
        let external = &mut external[body];
        if side == 0 {
            spatial::add_to(external, &moved);
        } else {
            sub_from(external, &moved);
        }
    }
}

/// Accelerations outward, then interaction forces inward.
fn accumulate(
    model: &Model,
    state: &State,
    kinematics: &Kinematics,
    velocity: &Velocity,
    acceleration: &Acceleration,
    out: &mut BodyForces,
) {
    out.cfrc_int[0] = [0.0; 6];
    for body in 1..model.nbody {
        let dofs = own_dofs(model, body);
        let coriolis = spatial::mul_dofs(&velocity.cdof_dot[dofs.clone()], &state.qvel[dofs.clone()]);
        let mut own = spatial::add(&out.cacc[model.body_parentid[body] as usize], &coriolis);
        let joints = spatial::mul_dofs(&kinematics.cdof[dofs.clone()], &acceleration.qacc[dofs]);
        spatial::add_to(&mut own, &joints);
        out.cacc[body] = own;
        let needed = body_force(kinematics, velocity, &own, body);
        let external = &out.cfrc_ext[body];
        out.cfrc_int[body] = std::array::from_fn(|i| needed[i] - external[i]);
    }
    for body in (1..model.nbody).rev() {
        let child = out.cfrc_int[body];
        spatial::add_to(&mut out.cfrc_int[model.body_parentid[body] as usize], &child);
    }
}
