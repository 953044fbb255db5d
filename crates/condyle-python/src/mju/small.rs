//! Vectors of three and four elements, quaternions, poses, spatial vectors.

use condyle_math::{eigen, mat3, quat, rotation, spatial, vec3};
use pyo3::prelude::*;

use super::arrays::{Fixed, FixedMut, MatrixMut, Vector, require};
use super::{FatalError, add_functions};
use crate::view::Text;

/// Functions of fixed-size arguments that write one fixed-size result.
macro_rules! into_result {
    ($($(#[$meta:meta])* $name:ident($res:ident: $n:literal $(, $arg:ident: $ty:ty)*) => $value:expr;)*) => {$(
        $(#[$meta])*
        #[pyfunction]
        fn $name($res: FixedMut<'_, $n> $(, $arg: $ty)*) -> PyResult<()> {
            $res.set($value)
        }
    )*};
}

/// Functions of fixed-size arguments that change their first argument.
macro_rules! in_place {
    ($($(#[$meta:meta])* $name:ident($res:ident: $n:literal $(, $arg:ident: $ty:ty)*) => $value:expr;)*) => {$(
        $(#[$meta])*
        #[pyfunction]
        fn $name($res: FixedMut<'_, $n> $(, $arg: $ty)*) -> PyResult<()> {
            $res.map(|$res| $value)
        }
    )*};
}

into_result! {
    /// `res = 0`
    mju_zero3(res: 3) => [0.0; 3];
    /// `res = data`
    mju_copy3(res: 3, data: Fixed<3>) => data.0;
    /// `res = vec * scl`
    mju_scl3(res: 3, vec: Fixed<3>, scl: f64) => vec3::scale(vec.0, scl);
    /// `res = vec1 + vec2`
    mju_add3(res: 3, vec1: Fixed<3>, vec2: Fixed<3>) => vec3::add(vec1.0, vec2.0);
    /// `res = vec1 - vec2`
    mju_sub3(res: 3, vec1: Fixed<3>, vec2: Fixed<3>) => vec3::sub(vec1.0, vec2.0);
    /// `res = vec1 + vec2 * scl`
    mju_addScl3(res: 3, vec1: Fixed<3>, vec2: Fixed<3>, scl: f64) => vec3::add_scaled(vec1.0, vec2.0, scl);
    /// `res = mat @ vec` for a 3×3 matrix.
    mju_mulMatVec3(res: 3, mat: Fixed<9>, vec: Fixed<3>) => mat3::mul_vec(&mat.0, vec.0);
    /// `res = mat.T @ vec` for a 3×3 matrix.
    mju_mulMatTVec3(res: 3, mat: Fixed<9>, vec: Fixed<3>) => mat3::mul_vec_transposed(&mat.0, vec.0);
    /// Vector product.
    mju_cross(res: 3, a: Fixed<3>, b: Fixed<3>) => vec3::cross(a.0, b.0);
    /// `res = 0`
    mju_zero4(res: 4) => [0.0; 4];
    /// `res = (1, 0, 0, 0)`
    mju_unit4(res: 4) => quat::IDENTITY;
    /// `res = data`
    mju_copy4(res: 4, data: Fixed<4>) => data.0;
    /// Rotate a vector by a quaternion.
    mju_rotVecQuat(res: 3, vec: Fixed<3>, quat: Fixed<4>) => quat::rotate_or_zero(vec.0, quat.0);
    /// The inverse rotation.
    mju_negQuat(res: 4, quat: Fixed<4>) => quat::conjugate(quat.0);
    /// Product of quaternions.
    mju_mulQuat(res: 4, quat1: Fixed<4>, quat2: Fixed<4>) => quat::mul(quat1.0, quat2.0);
    /// Product of a quaternion and a vector.
    mju_mulQuatAxis(res: 4, quat: Fixed<4>, axis: Fixed<3>) => quat::mul_axis(quat.0, axis.0);
    /// Rotation about an axis.
    mju_axisAngle2Quat(res: 4, axis: Fixed<3>, angle: f64) => quat::from_axis_angle(axis.0, angle);
    /// Angular velocity that makes a rotation in the time `dt`.
    mju_quat2Vel(res: 3, quat: Fixed<4>, dt: f64) => quat::to_velocity(quat.0, dt);
    /// Rotation vector from `qb` to `qa`.
    mju_subQuat(res: 3, qa: Fixed<4>, qb: Fixed<4>) => quat::sub(qa.0, qb.0);
    /// Quaternion to rotation matrix.
    mju_quat2Mat(res: 9, quat: Fixed<4>) => quat::to_mat(&quat.0);
    /// Rotation matrix to quaternion.
    mju_mat2Quat(quat: 4, mat: Fixed<9>) => quat::from_mat(&mat.0);
    /// Time derivative of a quaternion.
    mju_derivQuat(res: 4, quat: Fixed<4>, vel: Fixed<3>) => quat::derivative(quat.0, vel.0);
    /// Rotation that takes the z axis to `vec`.
    mju_quatZ2Vec(quat: 4, vec: Fixed<3>) => quat::z_to_vec(vec.0);
    /// Transform a vector by a pose.
    mju_trnVecPose(res: 3, pos: Fixed<3>, quat: Fixed<4>, vec: Fixed<3>)
        => vec3::add(quat::rotate(vec.0, quat.0), pos.0);
}

in_place! {
    /// `res += vec`
    mju_addTo3(res: 3, vec: Fixed<3>) => vec3::add(res, vec.0);
    /// `res -= vec`
    mju_subFrom3(res: 3, vec: Fixed<3>) => vec3::sub(res, vec.0);
    /// `res += vec * scl`
    mju_addToScl3(res: 3, vec: Fixed<3>, scl: f64) => vec3::add_scaled(res, vec.0, scl);
    /// Turn a quaternion with an angular velocity for the time `scale`.
    mju_quatIntegrate(quat: 4, vel: Fixed<3>, scale: f64) => quat::integrate(quat, vel.0, scale);
}

/// Normalise in place and return the former length.
#[pyfunction]
fn mju_normalize3(vec: FixedMut<'_, 3>) -> PyResult<f64> {
    let (unit, length) = vec3::normalize(vec.get()?);
    vec.set(unit)?;
    Ok(length)
}

/// Normalise in place and return the former length.
#[pyfunction]
fn mju_normalize4(vec: FixedMut<'_, 4>) -> PyResult<f64> {
    let (unit, length) = quat::normalize(vec.get()?);
    vec.set(unit)?;
    Ok(length)
}

/// Length.
#[pyfunction]
fn mju_norm3(vec: Fixed<3>) -> f64 {
    vec3::norm(vec.0)
}

/// Scalar product.
#[pyfunction]
fn mju_dot3(vec1: Fixed<3>, vec2: Fixed<3>) -> f64 {
    vec3::dot(vec1.0, vec2.0)
}

/// Distance.
#[pyfunction]
fn mju_dist3(pos1: Fixed<3>, pos2: Fixed<3>) -> f64 {
    vec3::distance(pos1.0, pos2.0)
}

/// Refine `quat` to the rotational part of a matrix; returns the number of iterations.
#[pyfunction]
fn mju_mat2Rot(quat: FixedMut<'_, 4>, mat: Fixed<9>) -> PyResult<usize> {
    let (found, iterations) = rotation::extract(&mat.0, quat.get()?);
    quat.set(found)?;
    Ok(iterations)
}

/// Quaternion of three rotations about the axes `seq`: lower case moving, upper case fixed.
#[pyfunction]
fn mju_euler2Quat(quat: FixedMut<'_, 4>, euler: Fixed<3>, seq: Text<'_>) -> PyResult<()> {
    if seq.chars().count() != 3 {
        return Err(FatalError::new_err("mju_euler2Quat: seq must contain exactly 3 characters"));
    }
    if let Some((at, letter)) = seq.chars().enumerate().find(|(_, letter)| !"xyzXYZ".contains(*letter)) {
        return Err(FatalError::new_err(format!(
            "mju_euler2Quat: seq[{at}] is '{letter}', should be one of x, y, z, X, Y, Z"
        )));
    }
    match rotation::from_euler(euler.0, &seq) {
        Some(value) => quat.set(value),
        None => Err(FatalError::new_err("mju_euler2Quat: seq must be three of x, y, z, X, Y, Z")),
    }
}

/// Compose two poses.
#[pyfunction]
fn mju_mulPose(
    posres: FixedMut<'_, 3>,
    quatres: FixedMut<'_, 4>,
    pos1: Fixed<3>,
    quat1: Fixed<4>,
    pos2: Fixed<3>,
    quat2: Fixed<4>,
) -> PyResult<()> {
    let (position, rotation) = spatial::mul_pose(pos1.0, quat1.0, pos2.0, quat2.0);
    posres.set(position)?;
    quatres.set(rotation)
}

/// Invert a pose.
#[pyfunction]
fn mju_negPose(
    posres: FixedMut<'_, 3>,
    quatres: FixedMut<'_, 4>,
    pos: Fixed<3>,
    quat: Fixed<4>,
) -> PyResult<()> {
    let (position, rotation) = spatial::invert_pose(pos.0, quat.0);
    posres.set(position)?;
    quatres.set(rotation)
}

/// Move a motion or force vector to another point and frame.
#[pyfunction]
fn mju_transformSpatial(
    res: FixedMut<'_, 6>,
    vec: Fixed<6>,
    flg_force: i32,
    newpos: Fixed<3>,
    oldpos: Fixed<3>,
    rotnew2old: Fixed<9>,
) -> PyResult<()> {
    let kind = if flg_force != 0 { spatial::Kind::Force } else { spatial::Kind::Motion };
    res.set(spatial::transform(&vec.0, kind, newpos.0, oldpos.0, Some(&rotnew2old.0)))
}

/// Eigenvalues and principal axes of a symmetric 3×3 matrix; returns the number of iterations.
#[pyfunction]
fn mju_eig3(
    eigval: FixedMut<'_, 3>,
    eigvec: FixedMut<'_, 9>,
    quat: FixedMut<'_, 4>,
    mat: Fixed<9>,
) -> PyResult<usize> {
    let found = eigen::eigen3(&mat.0);
    eigval.set(found.values)?;
    eigvec.set(found.vectors)?;
    quat.set(found.quat)?;
    Ok(found.iterations)
}

/// Derivatives of the rotation vector from `qb` to `qa`.
#[pyfunction]
fn mjd_subQuat(qa: Vector, qb: Vector, Da: Option<MatrixMut<'_>>, Db: Option<MatrixMut<'_>>) -> PyResult<()> {
    require(qa.len() == 4, "qa must have size 4")?;
    require(qb.len() == 4, "qb must have size 4")?;
    let nine = |m: &Option<MatrixMut<'_>>| m.as_ref().is_none_or(|m| m.rows * m.columns == 9);
    require(nine(&Da), "Da must have size 9")?;
    require(nine(&Db), "Db must have size 9")?;
    let (by_a, by_b) = rotation::sub_derivative([qa[0], qa[1], qa[2], qa[3]], [qb[0], qb[1], qb[2], qb[3]]);
    for (target, value) in [(Da, by_a), (Db, by_b)] {
        if let Some(target) = target {
            target.edit(|out| out.copy_from_slice(&value))?;
        }
    }
    Ok(())
}

/// Derivatives of turning a quaternion with an angular velocity.
#[pyfunction]
fn mjd_quatIntegrate(
    vel: Fixed<3>,
    scale: f64,
    Dquat: FixedMut<'_, 9>,
    Dvel: FixedMut<'_, 9>,
    Dscale: FixedMut<'_, 3>,
) -> PyResult<()> {
    let found = rotation::integrate_derivative(vel.0, scale);
    Dquat.set(found.by_quat)?;
    Dvel.set(found.by_velocity)?;
    Dscale.set(found.by_time)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_functions!(module,
        mju_zero3 mju_copy3 mju_scl3 mju_add3 mju_sub3 mju_addScl3 mju_mulMatVec3 mju_mulMatTVec3 mju_cross
        mju_zero4 mju_unit4 mju_copy4 mju_rotVecQuat mju_negQuat mju_mulQuat mju_mulQuatAxis mju_axisAngle2Quat
        mju_quat2Vel mju_subQuat mju_quat2Mat mju_mat2Quat mju_derivQuat mju_quatZ2Vec mju_trnVecPose
        mju_addTo3 mju_subFrom3 mju_addToScl3 mju_quatIntegrate mju_normalize3 mju_normalize4 mju_norm3 mju_dot3
        mju_dist3 mju_mat2Rot mju_euler2Quat mju_mulPose mju_negPose mju_transformSpatial mju_eig3
        mjd_subQuat mjd_quatIntegrate
    )
}
