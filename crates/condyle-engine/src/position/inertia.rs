//! Joint-space inertia `M` by the composite rigid body algorithm, and its factorisation.
//!
//! `M(i,j) = cdof_jᵀ · crb_i · cdof_i` for every ancestor `j` of dof `i`, where `crb_i` is the inertia of everything the dof moves;
//! armature adds to the diagonal, and so does `springinertia · stiffness` (an extension). Dofs of simple bodies have a constant diagonal from the model. `qM` repeats `M` in the older
//! layout, diagonal first. Reference: `mj_crb`, `mj_makeM`, `mj_factorM`.

use condyle_math::sparse::{self, Pattern};
use condyle_math::{dense, spatial, tree_ldl};
use condyle_model::Model;

use super::tendon;
use crate::data::{Awake, Inertia, Kinematics, Tendons};

/// Sparsity of `M`: lower triangle, diagonal last in each row.
#[inline]
pub fn mass_pattern(model: &Model) -> Pattern<'_> {
    Pattern { rownnz: &model.M_rownnz, rowadr: &model.M_rowadr, colind: &model.M_colind }
}

/// Inertia of a dof beside that of the bodies: armature, and the part in proportion to the joint's stiffness.
#[inline]
pub fn added_inertia(model: &Model, dof: usize) -> f64 {
    match spring_inertia(model, dof) {
        0.0 => model.dof_armature[dof],
        springs => model.dof_armature[dof] + springs,
    }
}

/// `springinertia · stiffness` of the joint of a dof. Without the extension it is zero whatever the stiffness.
#[inline]
pub fn spring_inertia(model: &Model, dof: usize) -> f64 {
    let joint = model.dof_jntid[dof] as usize;
    let factor = model.jnt_springinertia[joint];
    if factor == 0.0 { 0.0 } else { factor * model.jnt_stiffness[joint] }
}

/// `crb`, `M` and `qM`.
pub fn joint_inertia(
    model: &Model,
    awake: &Awake,
    kinematics: &Kinematics,
    tendons: &Tendons,
    out: &mut Inertia,
) {
    composite_inertia(model, awake, kinematics, out);
    tendon::armature::add_to_inertia(model, awake, tendons, &mut out.M);
    dense::scatter(&mut out.qM, &out.M, &model.mapM2M);
}

/// `crb` and the rigid-body part of `M`.
#[inline(never)]
pub fn composite_inertia(model: &Model, awake: &Awake, kinematics: &Kinematics, out: &mut Inertia) {
    // Slices of one length: a single check of the index serves them all.
    let n = model.nbody;
    let (parents, cinert, crb) = (&model.body_parentid[..n], &kinematics.cinert[..n], &mut out.crb[..n]);
    match awake.bodies(model).list() {
        None => crb.copy_from_slice(cinert),
        Some(bodies) => {
            for body in bodies {
                crb[*body as usize] = cinert[*body as usize];
            }
        }
    }
    for body in awake.bodies_below_awake(model).iter().rev() {
        let parent = parents[body] as usize;
        if parent > 0 {
            let child = crb[body];
            for (sum, value) in crb[parent].iter_mut().zip(child) {
                *sum += value;
            }
        }
    }

    let nv = model.nv;
    let (rownnz, rowadr) = (&model.M_rownnz[..nv], &model.M_rowadr[..nv]);
    let (simple, bodies) = (&model.dof_simplenum[..nv], &model.dof_bodyid[..nv]);
    let cdof = &kinematics.cdof[..nv];
    for dof in awake.dofs(model).iter() {
        let start = rowadr[dof] as usize;
        let place = start..start + rownnz[dof] as usize;
        let (row, columns) = (&mut out.M[place.clone()], &model.M_colind[place]);
        if simple[dof] != 0 {
            row.fill(0.0);
            row[0] = model.dof_M0[dof];
            continue;
        }
        let momentum = spatial::mul_inertia(&crb[bodies[dof] as usize], &cdof[dof]);
        // The ancestors, then the dof itself.
        let Some((diagonal, row)) = row.split_last_mut() else { continue };
        for (element, ancestor) in row.iter_mut().zip(columns) {
            // The zero decides the sign of a product that is zero.
            *element = 0.0 + dense::dot6(&cdof[*ancestor as usize], &momentum);
        }
        *diagonal = added_inertia(model, dof) + dense::dot6(&cdof[dof], &momentum);
    }
}

/// `qLD` and `qLDiagInv` from `M`.
pub fn factor(model: &Model, awake: &Awake, out: &mut Inertia) {
    let pattern = mass_pattern(model);
    let dofs = awake.dofs(model).list();
    match dofs {
        None => out.qLD.copy_from_slice(&out.M),
        Some(list) => sparse::copy_rows(&mut out.qLD, &out.M, pattern, list),
    }
    tree_ldl::factor(&mut out.qLD, &mut out.qLDiagInv, pattern, dofs);
}

/// `result = M v`
pub fn mul_inertia(model: &Model, inertia: &Inertia, result: &mut [f64], v: &[f64]) {
    sparse::mul_symmetric_vec(result, &inertia.M, v, mass_pattern(model));
}

/// `result = M^(1/2) v`, with the square root from the factorisation: `D^(1/2) L v`.
pub fn mul_sqrt_inertia(model: &Model, inertia: &Inertia, result: &mut [f64], v: &[f64]) {
    let pattern = mass_pattern(model);
    for dof in 0..model.nv {
        let row = pattern.range(dof);
        let left = row.start..row.end - 1;
        let mut value = v[dof];
        if model.dof_simplenum[dof] == 0 {
            value += sparse::dot(&inertia.qLD[left.clone()], &pattern.colind[left], v);
        }
        result[dof] = value * inertia.qLD[row.end - 1].sqrt();
    }
}

/// `x ← M⁻¹ x` for vectors stored one after the other.
pub fn solve(model: &Model, inertia: &Inertia, x: &mut [f64]) {
    tree_ldl::solve(x, &inertia.qLD, &inertia.qLDiagInv, mass_pattern(model), None);
}

/// `x ← D^(-1/2) L⁻ᵀ x` for vectors stored one after the other; `sqrt_inverse_diagonal` holds `D^(-1/2)`.
pub fn half_solve(model: &Model, inertia: &Inertia, x: &mut [f64], sqrt_inverse_diagonal: &[f64]) {
    tree_ldl::solve_half(x, &inertia.qLD, sqrt_inverse_diagonal, mass_pattern(model));
}

/// Write a matrix in the layout of `qM` as a full `nv × nv` matrix.
pub fn full_matrix(model: &Model, result: &mut [f64], legacy: &[f64]) {
    let nv = model.nv;
    result[..nv * nv].fill(0.0);
    let mut address = 0;
    for row in 0..nv {
        let mut column = row;
        loop {
            result[row * nv + column] = legacy[address];
            result[column * nv + row] = legacy[address];
            address += 1;
            let Some(parent) = model.dof_parentid(column) else { break };
            column = parent;
        }
    }
}
