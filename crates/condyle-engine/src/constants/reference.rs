//! Constants of the reference configuration: inertia of dofs, inverse weights of bodies, dofs and tendons, lengths, missing data of
//! equalities, offsets of cameras and lights, damping from damping ratios.
//!
//! Whole data: the reference configuration is worked out in data of its own.

use condyle_math::sparse::Pattern;
use condyle_math::{MIN_VALUE, dense, mat3, matrix, quat, scalar, sparse_structure, spatial, vec3};
use condyle_model::{EqualityType, JointType, Model, ObjectType, TrackingMode};

use super::{ConstantsError, flex};
use crate::actuation::hill_muscle;
use crate::jacobian;
use crate::position::{camera_light, inertia, kinematics, transmission};
use crate::{Data, position};

/// Set the constants that depend on `qpos0`.
pub(super) fn set_reference(model: &mut Model, data: &mut Data) {
    compute(model, data);
    model.flexedge_length0.copy_from_slice(&data.flexes.flexedge_length);
    model.tendon_length0.copy_from_slice(&data.tendons.ten_length);
    model.actuator_length0.copy_from_slice(&data.transmission.actuator_length);
    body_weights(model, data);
    dof_weights(model, data);
    flex::set_edge_weights(model, data);
    tendon_and_actuator_weights(model, data);
    hill_muscle::resolve_peak_forces(model);
    for equality in 0..model.neq {
        equality_data(model, data, equality);
    }
    camera_and_light_offsets(model, data);
    damping_from_ratio(model, data);
}

/// Positions, inertia and transmissions in the reference configuration, with all cameras and lights fixed to their bodies.
fn compute(model: &mut Model, data: &mut Data) {
    let camera_modes = model.cam_mode.clone();
    let light_modes = model.light_mode.clone();
    model.cam_mode.fill(TrackingMode::Fixed as i32);
    model.light_mode.fill(TrackingMode::Fixed as i32);
    data.state.qpos.copy_from_slice(&model.qpos0);
    super::poses(model, data);
    camera_light::cameras_and_lights(model, &data.awake, &mut data.kinematics);
    set_dof_inertia(model, data);
    super::tendons(model, data);
    let Data { state, awake, kinematics, flexes, tendons, inertia, rows, contacts, transmission, .. } = data;
    let buffers = &mut data.scratch.smooth;
    inertia::joint_inertia(model, awake, kinematics, tendons, inertia);
    inertia::factor(model, awake, inertia);
    position::flex::flexes(model, kinematics, flexes, buffers);
    position::flex::reference_rates(model, kinematics, flexes, buffers);
    transmission::transmissions(
        model,
        state,
        awake,
        kinematics,
        tendons,
        rows,
        contacts,
        transmission,
        buffers,
    );
    // Written into place: whoever looks at these arrays keeps seeing them.
    model.cam_mode.copy_from_slice(&camera_modes);
    model.light_mode.copy_from_slice(&light_modes);
}

/// `dof_M0`: the diagonal of the inertia, armature and the inertia of springs included.
fn set_dof_inertia(model: &mut Model, data: &mut Data) {
    let crb = &mut data.inertia.crb;
    crb.copy_from_slice(&data.kinematics.cinert);
    for body in (1..model.nbody).rev() {
        let parent = model.body_parentid[body] as usize;
        if parent > 0 {
            let child = crb[body];
            for (sum, value) in crb[parent].iter_mut().zip(child) {
                *sum += value;
            }
        }
    }
    for dof in 0..model.nv {
        let axis = &data.kinematics.cdof[dof];
        let momentum = spatial::mul_inertia(&crb[model.dof_bodyid[dof] as usize], axis);
        model.dof_M0[dof] = inertia::added_inertia(model, dof) + dense::dot6(axis, &momentum);
    }
}

/// Whether the weight of a body follows from its mass: it only slides and its springs add no inertia.
fn slides_by_mass_alone(model: &Model, body: usize) -> bool {
    let first = model.body_dofadr(body).unwrap_or(0);
    let dofs = first..first + model.body_dofnum[body] as usize;
    model.body_simple[body] == 2 && dofs.into_iter().all(|dof| inertia::spring_inertia(model, dof) == 0.0)
}

/// Bodies that only slide need mass: their weight is its inverse.
pub(super) fn check_sliding_masses(model: &Model) -> Result<(), ConstantsError> {
    let massless = |&body: &usize| {
        model.body_weldid[body] != 0 && model.body_mass[body] == 0.0 && slides_by_mass_alone(model, body)
    };
    (1..model.nbody).find(massless).map_or(Ok(()), |body| Err(ConstantsError::Massless { body }))
}

/// Translational and rotational inverse inertia of every body at its centre of mass, averaged over axes.
fn body_weights(model: &mut Model, data: &Data) {
    let nv = model.nv;
    let mut rows = vec![0.0; 6 * nv];
    let mut solved = vec![0.0; 6 * nv];
    let mut inverse = [0.0; 36];
    for body in 0..model.nbody {
        if body == 0 || model.body_weldid[body] == 0 {
            model.body_invweight0[body] = [0.0; 2];
            continue;
        }
        if slides_by_mass_alone(model, body) {
            model.body_invweight0[body] = [1.0 / scalar::max(MIN_VALUE, model.body_mass[body]), 0.0];
            continue;
        }
        if nv > 0 {
            let (translation, rotation) = rows.split_at_mut(3 * nv);
            jacobian::of_body_com(model, &data.kinematics, Some(translation), Some(rotation), body);
            solved.copy_from_slice(&rows);
            inertia::solve(model, &data.inertia, &mut solved);
            matrix::mul_transposed_right(&mut inverse, &rows, &solved, 6, nv, 6);
        }
        let mut translation = (inverse[0] + inverse[7] + inverse[14]) / 3.0;
        let mut rotation = (inverse[21] + inverse[28] + inverse[35]) / 3.0;
        // A body that can only slide or only turn borrows the other weight, so that no constraint on it degenerates.
        if translation < MIN_VALUE && rotation > MIN_VALUE {
            translation = rotation;
        } else if rotation < MIN_VALUE && translation > MIN_VALUE {
            rotation = translation;
        }
        model.body_invweight0[body] = [translation, rotation];
    }
}

/// Inverse inertia of every dof, averaged over the translations and over the rotations of a joint.
fn dof_weights(model: &mut Model, data: &Data) {
    let nv = model.nv;
    let mut rows = vec![0.0; 6 * nv];
    let mut solved = vec![0.0; 6 * nv];
    let mut inverse = [0.0; 36];
    for joint in 0..model.njnt {
        let dof = model.jnt_dofadr[joint] as usize;
        let body = model.jnt_bodyid[joint] as usize;
        if slides_by_mass_alone(model, body) {
            model.dof_invweight0[dof] = 1.0 / scalar::max(MIN_VALUE, model.body_mass[body]);
            continue;
        }
        let count = match model.jnt_type(joint) {
            Some(JointType::Free) => 6,
            Some(JointType::Ball) => 3,
            _ => 1,
        };
        let unit = &mut rows[..count * nv];
        unit.fill(0.0);
        for k in 0..count {
            unit[k * (nv + 1) + dof] = 1.0;
        }
        let solved = &mut solved[..count * nv];
        solved.copy_from_slice(unit);
        inertia::solve(model, &data.inertia, solved);
        matrix::mul_transposed_right(&mut inverse, unit, solved, count, nv, count);
        let weights = &mut model.dof_invweight0[dof..dof + count];
        match count {
            6 => {
                weights[..3].fill((inverse[0] + inverse[7] + inverse[14]) / 3.0);
                weights[3..].fill((inverse[21] + inverse[28] + inverse[35]) / 3.0);
            }
            3 => weights.fill((inverse[0] + inverse[4] + inverse[8]) / 3.0),
            _ => weights[0] = inverse[0],
        }
    }
}

/// Inverse inertia along every tendon, and the acceleration a unit force of every actuator causes.
fn tendon_and_actuator_weights(model: &mut Model, data: &Data) {
    let nv = model.nv;
    if nv == 0 {
        model.tendon_invweight0.fill(0.0);
        model.actuator_acc0.fill(0.0);
        return;
    }
    let mut row = vec![0.0; nv];
    let mut solved = vec![0.0; nv];
    for tendon in 0..model.ntendon {
        if jacobian::is_sparse(model) {
            row.fill(0.0);
            let start = data.tendons.ten_J_rowadr[tendon] as usize;
            for address in start..start + data.tendons.ten_J_rownnz[tendon] as usize {
                row[data.tendons.ten_J_colind[address] as usize] = data.tendons.ten_J[address];
            }
        } else {
            row.copy_from_slice(&data.tendons.ten_J[tendon * nv..][..nv]);
        }
        solved.copy_from_slice(&row);
        inertia::solve(model, &data.inertia, &mut solved);
        model.tendon_invweight0[tendon] = dense::dot(&row, &solved);
    }
    for actuator in 0..model.nu {
        dense_moment(data, actuator, &mut solved);
        inertia::solve(model, &data.inertia, &mut solved);
        model.actuator_acc0[actuator] = dense::norm(&solved);
    }
}

/// The moment of an actuator as a dense row.
pub(super) fn dense_moment(data: &Data, actuator: usize, row: &mut [f64]) {
    let moments = &data.transmission;
    let pattern = Pattern {
        rownnz: &moments.moment_rownnz[actuator..actuator + 1],
        rowadr: &moments.moment_rowadr[actuator..actuator + 1],
        colind: &moments.moment_colind,
    };
    let columns = row.len();
    sparse_structure::to_dense(row, &moments.actuator_moment, pattern, columns);
}

/// Anchors and relative poses of connects and welds that the user left to the reference configuration.
fn equality_data(model: &mut Model, data: &Data, equality: usize) {
    let kinematics = &data.kinematics;
    let first = model.eq_obj1id(equality).unwrap_or(0);
    let second = model.eq_obj2id(equality).unwrap_or(0);
    let between_bodies = model.eq_objtype(equality) == Some(ObjectType::Body);
    let kind = model.eq_type(equality);
    let values = &mut model.eq_data[equality];
    let anchor = [values[0], values[1], values[2]];
    let other_frame = |from: usize, to: usize| {
        let point = vec3::sub(kinematics::place_point(kinematics, anchor, from), kinematics.xpos[to]);
        mat3::mul_vec_transposed(&kinematics.xmat[to], point)
    };
    match kind {
        Some(EqualityType::Connect) if between_bodies => {
            values[3..6].copy_from_slice(&other_frame(first, second));
        }
        Some(EqualityType::Connect) => values.fill(0.0),
        Some(EqualityType::Weld) if between_bodies => {
            let relative = [values[6], values[7], values[8], values[9]];
            if relative != [0.0; 4] {
                values[6..10].copy_from_slice(&quat::normalize(relative).0);
                return;
            }
            values[3..6].copy_from_slice(&other_frame(second, first));
            let turn = quat::mul(quat::conjugate(kinematics.xquat[first]), kinematics.xquat[second]);
            values[6..10].copy_from_slice(&turn);
        }
        _ => {}
    }
}

/// Offsets that tracking cameras and lights keep.
fn camera_and_light_offsets(model: &mut Model, data: &Data) {
    let k = &data.kinematics;
    let followed = |body: i32, target: i32| (if target >= 0 { target } else { body }) as usize;
    for camera in 0..model.ncam {
        let body = model.cam_bodyid[camera];
        let center = k.subtree_com[followed(body, model.cam_targetbodyid[camera])];
        model.cam_pos0[camera] = vec3::sub(k.cam_xpos[camera], k.xpos[body as usize]);
        model.cam_poscom0[camera] = vec3::sub(k.cam_xpos[camera], center);
        model.cam_mat0[camera] = k.cam_xmat[camera];
    }
    for light in 0..model.nlight {
        let body = model.light_bodyid[light];
        let center = k.subtree_com[followed(body, model.light_targetbodyid[light])];
        model.light_pos0[light] = vec3::sub(k.light_xpos[light], k.xpos[body as usize]);
        model.light_poscom0[light] = vec3::sub(k.light_xpos[light], center);
        model.light_dir0[light] = k.light_xdir[light];
    }
}

/// A positive velocity coefficient of a position-like actuator is a damping ratio: replace it by the damping it stands for.
fn damping_from_ratio(model: &mut Model, data: &Data) {
    for actuator in 0..model.nu {
        let stiffness = model.actuator_gainprm[actuator][0];
        let bias = &mut model.actuator_biasprm[actuator];
        if stiffness != -bias[1] || bias[2] <= 0.0 {
            continue;
        }
        let start = data.transmission.moment_rowadr[actuator] as usize;
        let mut mass = 0.0;
        for address in start..start + data.transmission.moment_rownnz[actuator] as usize {
            let moment = data.transmission.actuator_moment[address].abs();
            let square = moment * moment;
            if square > MIN_VALUE {
                mass += model.dof_M0[data.transmission.moment_colind[address] as usize] / square;
            }
        }
        let damping = bias[2] * 2.0 * (stiffness * mass).sqrt();
        bias[2] = -damping;
    }
}
