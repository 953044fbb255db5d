//! A wrench applied at a site, in the frame of the site or of a reference site.
//!
//! Without a reference site there is no length. With one, length is the displacement of the site in the frame of the reference, by
//! translational and rotational gear; dofs above both sites have no part in the moment.

use condyle_math::{dense, mat3, matrix, quat, vec3};
use condyle_model::Model;

use super::store_dense;
use crate::data::{Kinematics, SmoothScratch, Transmission, scratch};
use crate::jacobian;

/// Length and moment of an actuator at a site.
pub(super) fn site(
    model: &Model,
    kinematics: &Kinematics,
    actuator: usize,
    out: &mut Transmission,
    buffers: &mut SmoothScratch,
) {
    let nv = model.nv;
    let [site, reference] = model.actuator_trnid[actuator];
    let site = site as usize;
    let gear = &model.actuator_gear[actuator];
    let (push, twist) = ([gear[0], gear[1], gear[2]], [gear[3], gear[4], gear[5]]);

    let SmoothScratch { jacobian: [translation, rotation, other, part], dof_force, .. } = buffers;
    let translation = scratch::sized(translation, 3 * nv);
    let rotation = scratch::sized(rotation, 3 * nv);
    let other = scratch::sized(other, 3 * nv);
    let part = scratch::sized(part, nv);
    let row = scratch::sized(dof_force, nv);
    jacobian::of_site(model, kinematics, Some(translation), Some(rotation), site);
    let mut length = 0.0;
    match usize::try_from(reference) {
        Err(_) => {
            let axes = &kinematics.site_xmat[site];
            matrix::mul_transposed_vec(row, translation, &mat3::mul_vec(axes, push));
            matrix::mul_transposed_vec(part, rotation, &mat3::mul_vec(axes, twist));
            dense::add_to(row, part);
        }
        Ok(reference) => {
            row.fill(0.0);
            let axes = &kinematics.site_xmat[reference];
            let common = common_dof(model, site, reference);
            if push != [0.0; 3] {
                let offset = vec3::sub(kinematics.site_xpos[site], kinematics.site_xpos[reference]);
                length += vec3::dot(mat3::mul_vec_transposed(axes, offset), push);
                jacobian::of_site(model, kinematics, Some(other), None, reference);
                relative(model, translation, other, common);
                matrix::mul_transposed_vec(row, translation, &mat3::mul_vec(axes, push));
            }
            if twist != [0.0; 3] {
                let orientation = |site: usize| {
                    quat::mul(model.site_quat[site], kinematics.xquat[model.site_bodyid[site] as usize])
                };
                length += vec3::dot(quat::sub(orientation(site), orientation(reference)), twist);
                jacobian::of_site(model, kinematics, None, Some(other), reference);
                relative(model, rotation, other, common);
                matrix::mul_transposed_vec(part, rotation, &mat3::mul_vec(axes, twist));
                dense::add_to(row, part);
            }
        }
    }
    out.actuator_length[actuator] = length;
    store_dense(out, actuator, row);
}

/// `jacobian -= reference`, with the columns of the common dofs cleared.
fn relative(model: &Model, jacobian: &mut [f64], reference: &[f64], common: Option<usize>) {
    dense::sub_from(jacobian, reference);
    let above = std::iter::successors(common, |dof| model.dof_parentid(*dof));
    for dof in above {
        jacobian::set_column(jacobian, model.nv, dof, [0.0; 3]);
    }
}

/// The nearest dof that moves both sites.
fn common_dof(model: &Model, site1: usize, site2: usize) -> Option<usize> {
    let last = |site: usize| jacobian::last_dof(model, model.site_bodyid[site] as usize);
    let parent = |dof: usize| model.dof_parentid(dof);
    let (mut dof1, mut dof2) = (last(site1)?, last(site2)?);
    while dof1 != dof2 {
        if dof1 < dof2 {
            dof2 = parent(dof2)?;
        } else {
            dof1 = parent(dof1)?;
        }
    }
    Some(dof1)
}
