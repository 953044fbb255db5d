//! Vectors, rotations, spatial algebra and linear algebra kernels in a fixed order of operations.
//!
//! Internal: programs depend on the crate `condyle`, which re-exports what they need. Everything here may change in any version.
//!
//! Every function states its result as one expression order; no fused multiply-add, no reassociation. Two calls with equal
//! inputs give equal bits on every thread and in every build.

#![warn(missing_docs)]

pub mod band;
pub mod block_diagonal;
pub mod box_qp;
pub mod cholesky;
pub mod dense;
pub mod eigen;
pub mod lu;
pub mod mat3;
pub mod matrix;
pub mod qcqp;
pub mod quat;
pub mod rotation;
pub mod scalar;
mod simd;
pub mod sparse;
pub mod sparse_cholesky;
pub mod sparse_gram;
pub mod sparse_structure;
pub mod spatial;
pub mod tree_ldl;
pub mod vec3;

pub use simd::{Registers, Work};

/// Three components, usually metres or radians.
pub type Vec3 = [f64; 3];
/// Unit quaternion, real part first.
pub type Quat = [f64; 4];
/// 3×3 matrix in row-major order.
pub type Mat3 = [f64; 9];
/// Spatial vector: rotational part first, translational part second.
pub type Spatial = [f64; 6];
/// Rigid-body inertia about a point: xx yy zz xy xz yz, mass times offset, mass.
pub type Inertia = [f64; 10];

/// Smallest length, mass or pivot that still counts as non-zero.
pub const MIN_VALUE: f64 = 1e-15;
/// π as the reference writes it.
pub const PI: f64 = 3.14159265358979323846;
