//! Accelerations of the bodies and the forces between them once the constraint forces are known.
//!
//! `cfrc_ext` collects applied forces, contacts and the reactions of connect and weld equalities; a Newton–Euler pass with the solved
//! acceleration then gives `cacc` and the interaction forces `cfrc_int` of each body with its parent.
//! Reference: `mj_rnePostConstraint`, including that the torque of a weld enters unscaled.

use condyle_math::spatial::Kind;
use condyle_math::{Spatial, Vec3, dense, mat3, spatial, vec3};
use condyle_model::{EqualityType, Model, ObjectType};

use crate::Data;
use crate::constraint::rows::flex::stretchable_edges;
use crate::data::Kinematics;
use crate::query::contact_force::contact_force;
use crate::velocity::bias::{body_force, gravity_acceleration, own_dofs};

/// Compute `cacc`, `cfrc_ext` and `cfrc_int`.
pub fn update(model: &Model, data: &mut Data) {
    data.acceleration.cacc[0] = gravity_acceleration(model);
    data.acceleration.cfrc_ext.fill([0.0; 6]);
    add_applied(model, data);
    add_contacts(model, data);
    add_equalities(model, data);
    accumulate(model, data);
    data.acceleration.flg_rnepost = true;
}

/// A force at `point` moved to the reference point of a body's tree.
fn to_tree(model: &Model, kinematics: &Kinematics, force: &Spatial, body: usize, point: Vec3) -> Spatial {
    let center = kinematics.subtree_com[model.body_rootid[body] as usize];
    spatial::transform(force, Kind::Force, center, point, None)
}

fn add_applied(model: &Model, data: &mut Data) {
    for body in 1..model.nbody {
        let applied = &data.inputs.xfrc_applied[body];
        if !dense::is_zero(applied) {
            let force = spatial::join(spatial::translational(applied), spatial::rotational(applied));
            let moved = to_tree(model, &data.kinematics, &force, body, data.kinematics.xipos[body]);
            spatial::add_to(&mut data.acceleration.cfrc_ext[body], &moved);
        }
    }
}

fn add_contacts(model: &Model, data: &mut Data) {
    for contact in &data.contacts {
        let [Ok(geom1), Ok(geom2)] = contact.geom.map(usize::try_from) else { continue };
        if contact.efc_address < 0 {
            continue;
        }
        let local = contact_force(model, &data.constraint, contact);
        let force = spatial::join(
            mat3::mul_vec_transposed(&contact.frame, spatial::translational(&local)),
            mat3::mul_vec_transposed(&contact.frame, spatial::rotational(&local)),
        );
        let external = &mut data.acceleration.cfrc_ext;
        let body1 = model.geom_bodyid[geom1] as usize;
        if body1 > 0 {
            let moved = to_tree(model, &data.kinematics, &force, body1, contact.pos);
            sub_from(&mut external[body1], &moved);
        }
        let body2 = model.geom_bodyid[geom2] as usize;
        if body2 > 0 {
            let moved = to_tree(model, &data.kinematics, &force, body2, contact.pos);
            spatial::add_to(&mut external[body2], &moved);
        }
    }
}

fn sub_from(target: &mut Spatial, value: &Spatial) {
    for (x, v) in target.iter_mut().zip(value) {
        *x -= v;
    }
}

fn add_equalities(model: &Model, data: &mut Data) {
    let mut row = 0;
    while row < data.constraint.ne {
        let equality = data.constraint.efc_id[row] as usize;
        let Some(kind) = EqualityType::from_i32(model.eq_type[equality]) else { return };
        let rows = match kind {
            EqualityType::Connect => 3,
            EqualityType::Weld => 6,
            EqualityType::Joint | EqualityType::Tendon | EqualityType::Distance => 1,
            EqualityType::Flex => stretchable_edges(model, model.eq_obj1id[equality] as usize).count(),
            EqualityType::FlexVert => 2 * model.flex_vertnum[model.eq_obj1id[equality] as usize] as usize,
        };
        if matches!(kind, EqualityType::Connect | EqualityType::Weld) {
            add_anchor_forces(model, data, equality, kind, row);
        }
        // A row that covers nothing would repeat forever.
        row += rows.max(1);
    }
}

/// Reactions of a connect or weld on both its bodies.
fn add_anchor_forces(model: &Model, data: &mut Data, equality: usize, kind: EqualityType, row: usize) {
    // Behind an equality on a flex with dropped rows the count is ahead of the rows and may run over the end.
    let force = |k: usize| data.constraint.efc_force.get(row + k).copied().unwrap_or(0.0);
    let push = [force(0), force(1), force(2)];
    let torque = match kind {
        EqualityType::Weld => [force(3), force(4), force(5)],
        _ => [0.0; 3],
    };
    let force = spatial::join(torque, push);
    let between_bodies = model.eq_objtype[equality] == ObjectType::Body as i32;
    let anchors = &model.eq_data[equality];
    let is_weld = kind == EqualityType::Weld;
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
        let kinematics = &data.kinematics;
        let point = vec3::add(mat3::mul_vec(&kinematics.xmat[body], offset), kinematics.xpos[body]);
        let moved = to_tree(model, kinematics, &force, body, point);
        let external = &mut data.acceleration.cfrc_ext[body];
        if side == 0 {
            spatial::add_to(external, &moved);
        } else {
            sub_from(external, &moved);
        }
    }
}

/// Accelerations outward, then interaction forces inward.
fn accumulate(model: &Model, data: &mut Data) {
    let Data { state, kinematics, velocity, acceleration, .. } = data;
    acceleration.cfrc_int[0] = [0.0; 6];
    for body in 1..model.nbody {
        let dofs = own_dofs(model, body);
        let coriolis = spatial::mul_dofs(&velocity.cdof_dot[dofs.clone()], &state.qvel[dofs.clone()]);
        let mut own = spatial::add(&acceleration.cacc[model.body_parentid[body] as usize], &coriolis);
        let joints = spatial::mul_dofs(&kinematics.cdof[dofs.clone()], &acceleration.qacc[dofs]);
        spatial::add_to(&mut own, &joints);
        acceleration.cacc[body] = own;
        let needed = body_force(kinematics, velocity, &own, body);
        let external = &acceleration.cfrc_ext[body];
        acceleration.cfrc_int[body] = std::array::from_fn(|i| needed[i] - external[i]);
    }
    for body in (1..model.nbody).rev() {
        let child = acceleration.cfrc_int[body];
        spatial::add_to(&mut acceleration.cfrc_int[model.body_parentid[body] as usize], &child);
    }
}
