//! Jacobians of points and frames: `3 × nv` matrices in row-major order that map `qvel` to linear or angular velocity.
//!
//! Column `i` of the translational Jacobian of a point on a body is `cdof_i` moved to that point, for every dof on the way from the
//! body to the root; other columns are zero. Sparse forms over a chain of dofs are in [`chain`]. Reference:
//! `mj_jac`, `mj_jacDot`, `mj_jacPointAxis`, `mj_jacSubtreeCom`, `mj_angmomMat`.

pub mod chain;
pub mod force;

use condyle_math::{Spatial, Vec3, dense, mat3, matrix, spatial, vec3};
use condyle_model::{Jacobian, JointType, Model};

use crate::data::{Kinematics, Velocity};

/// Whether Jacobians are stored by their non-zeros; decided by the option, or by size when it is automatic.
#[inline]
pub fn is_sparse(model: &Model) -> bool {
    model.opt.jacobian() == Some(Jacobian::Sparse)
        || (model.opt.jacobian() == Some(Jacobian::Auto) && model.nv >= 60)
}

/// The dofs that move a body, from the nearest to the root.
#[inline]
pub fn dofs_above(model: &Model, body: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(last_dof(model, body), |dof| model.dof_parentid(*dof))
}

/// The nearest dof that moves a body; `None` for a body fixed to the world.
#[inline]
pub(crate) fn last_dof(model: &Model, body: usize) -> Option<usize> {
    let body = model.body_weldid[body] as usize;
    if body == 0 {
        return None;
    }
    usize::try_from(model.body_dofadr[body] + model.body_dofnum[body] - 1).ok()
}

/// Velocity of the point at `offset` from the centre of mass of the tree, caused by one dof.
#[inline(always)]
pub(crate) fn point_column(dof: &Spatial, offset: Vec3) -> Vec3 {
    vec3::add(spatial::translational(dof), vec3::cross(spatial::rotational(dof), offset))
}

/// Write a column of a `3 × stride` matrix.
#[inline(always)]
pub(crate) fn set_column(matrix: &mut [f64], stride: usize, column: usize, value: Vec3) {
    for (row, x) in value.into_iter().enumerate() {
        matrix[row * stride + column] = x;
    }
}

/// Translational and rotational Jacobians of a world point moving with a body.
pub fn of_point(
    model: &Model,
    kinematics: &Kinematics,
    mut translation: Option<&mut [f64]>,
    mut rotation: Option<&mut [f64]>,
    point: Vec3,
    body: usize,
) {
    let nv = model.nv;
    for matrix in [translation.as_deref_mut(), rotation.as_deref_mut()].into_iter().flatten() {
        matrix[..3 * nv].fill(0.0);
    }
    let offset = vec3::sub(point, kinematics.subtree_com[model.body_rootid[body] as usize]);
    for dof in dofs_above(model, body) {
        let axis = &kinematics.cdof[dof];
        if let Some(matrix) = &mut rotation {
            set_column(matrix, nv, dof, spatial::rotational(axis));
        }
        if let Some(matrix) = &mut translation {
            set_column(matrix, nv, dof, point_column(axis, offset));
        }
    }
}

/// Jacobians of the frame of a body.
pub fn of_body(
    model: &Model,
    kinematics: &Kinematics,
    translation: Option<&mut [f64]>,
    rotation: Option<&mut [f64]>,
    body: usize,
) {
    of_point(model, kinematics, translation, rotation, kinematics.xpos[body], body);
}

/// Jacobians of the inertial frame of a body.
pub fn of_body_com(
    model: &Model,
    kinematics: &Kinematics,
    translation: Option<&mut [f64]>,
    rotation: Option<&mut [f64]>,
    body: usize,
) {
    of_point(model, kinematics, translation, rotation, kinematics.xipos[body], body);
}

/// Jacobians of a geom.
pub fn of_geom(
    model: &Model,
    kinematics: &Kinematics,
    translation: Option<&mut [f64]>,
    rotation: Option<&mut [f64]>,
    geom: usize,
) {
    let body = model.geom_bodyid[geom] as usize;
    of_point(model, kinematics, translation, rotation, kinematics.geom_xpos[geom], body);
}

/// Jacobians of a site.
pub fn of_site(
    model: &Model,
    kinematics: &Kinematics,
    translation: Option<&mut [f64]>,
    rotation: Option<&mut [f64]>,
    site: usize,
) {
    let body = model.site_bodyid[site] as usize;
    of_point(model, kinematics, translation, rotation, kinematics.site_xpos[site], body);
}

/// Bodies of the subtree of `body`, in order.
fn subtree(model: &Model, body: usize) -> impl Iterator<Item = usize> + '_ {
    (body..model.nbody).take_while(move |b| *b == body || model.body_parentid[*b] as usize >= body)
}

/// Jacobian of the centre of mass of a subtree; `buffer` holds `3 nv` numbers.
pub fn of_subtree_com(
    model: &Model,
    kinematics: &Kinematics,
    translation: &mut [f64],
    body: usize,
    buffer: &mut [f64],
) {
    let length = 3 * model.nv;
    let (translation, buffer) = (&mut translation[..length], &mut buffer[..length]);
    translation.fill(0.0);
    for b in subtree(model, body) {
        of_point(model, kinematics, Some(buffer), None, kinematics.xipos[b], b);
        dense::add_scaled_to(translation, buffer, model.body_mass[b]);
    }
    dense::scale_mut(translation, 1.0 / model.body_subtreemass[body]);
}

/// Jacobians of a world point and of the direction `axis`, both moving with a body. `rotation` receives the rotational Jacobian.
pub fn of_point_and_axis(
    model: &Model,
    kinematics: &Kinematics,
    translation: Option<&mut [f64]>,
    axis_jacobian: &mut [f64],
    rotation: &mut [f64],
    point: Vec3,
    axis: Vec3,
    body: usize,
) {
    let nv = model.nv;
    of_point(model, kinematics, translation, Some(rotation), point, body);
    for i in 0..nv {
        let column = [rotation[i], rotation[nv + i], rotation[2 * nv + i]];
        set_column(axis_jacobian, nv, i, vec3::cross(column, axis));
    }
}

/// Time derivative of the Jacobians of [`of_point`].
pub fn time_derivative(
    model: &Model,
    kinematics: &Kinematics,
    velocity: &Velocity,
    mut translation: Option<&mut [f64]>,
    mut rotation: Option<&mut [f64]>,
    point: Vec3,
    body: usize,
) {
    let nv = model.nv;
    for matrix in [translation.as_deref_mut(), rotation.as_deref_mut()].into_iter().flatten() {
        matrix[..3 * nv].fill(0.0);
    }
    let center = kinematics.subtree_com[model.body_rootid[body] as usize];
    let offset = vec3::sub(point, center);
    let point_velocity = spatial::transform(&velocity.cvel[body], spatial::Kind::Motion, point, center, None);
    for dof in dofs_above(model, body) {
        let axis = &kinematics.cdof[dof];
        let rate = if turns_with_body(model, dof) {
            spatial::cross_motion(&velocity.cvel[model.dof_bodyid[dof] as usize], axis)
        } else {
            velocity.cdof_dot[dof]
        };
        if let Some(matrix) = &mut rotation {
            // Added to the cleared matrix, which turns a negative zero into a positive one.
            set_column(matrix, nv, dof, spatial::rotational(&rate).map(|x| 0.0 + x));
        }
        if let Some(matrix) = &mut translation {
            let of_axis = vec3::cross(spatial::rotational(&rate), offset);
            let of_point = vec3::cross(spatial::rotational(axis), spatial::translational(&point_velocity));
            let column = std::array::from_fn(|i| 0.0 + (rate[3 + i] + of_axis[i] + of_point[i]));
            set_column(matrix, nv, dof, column);
        }
    }
}

/// Whether a dof is a rotation about an axis fixed in the body it moves (ball joints, rotations of free joints).
fn turns_with_body(model: &Model, dof: usize) -> bool {
    let joint = model.dof_jntid[dof] as usize;
    match model.jnt_type(joint) {
        Some(JointType::Ball) => true,
        Some(JointType::Free) => dof >= model.jnt_dofadr[joint] as usize + 3,
        _ => false,
    }
}

/// Matrix that maps `qvel` to the angular momentum of a subtree about its centre of mass; `buffer` holds `12 nv` numbers.
pub fn angular_momentum(
    model: &Model,
    kinematics: &Kinematics,
    result: &mut [f64],
    body: usize,
    buffer: &mut [f64],
) {
    let nv = model.nv;
    let length = 3 * nv;
    let result = &mut result[..length];
    result.fill(0.0);
    let (translation, rest) = buffer.split_at_mut(length);
    let (rotation, rest) = rest.split_at_mut(length);
    let (spin, rest) = rest.split_at_mut(length);
    let orbit = &mut rest[..length];
    let center = kinematics.subtree_com[body];
    for b in subtree(model, body) {
        of_body_com(model, kinematics, Some(translation), Some(rotation), b);
        let moments = model.body_inertia[b];
        let axes = &kinematics.ximat[b];
        let diagonal = [moments[0], 0.0, 0.0, 0.0, moments[1], 0.0, 0.0, 0.0, moments[2]];
        let inertia = mat3::mul_transposed_right(&mat3::mul(axes, &diagonal), axes);
        matrix::mul(spin, &inertia, rotation, 3, 3, nv);
        let c = vec3::sub(kinematics.xipos[b], center);
        let skew = [0.0, -c[2], c[1], c[2], 0.0, -c[0], -c[1], c[0], 0.0];
        matrix::mul(orbit, &skew, translation, 3, 3, nv);
        dense::scale_mut(orbit, model.body_mass[b]);
        dense::add_to(result, spin);
        dense::add_to(result, orbit);
    }
}
