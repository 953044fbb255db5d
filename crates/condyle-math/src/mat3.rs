//! 3×3 matrices in row-major order.

use crate::{Mat3, Vec3};

/// The identity.
pub const IDENTITY: Mat3 = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// `m v`
#[inline(always)]
pub fn mul_vec(m: &Mat3, v: Vec3) -> Vec3 {
    [
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    ]
}

/// `mᵀ v`
#[inline(always)]
pub fn mul_vec_transposed(m: &Mat3, v: Vec3) -> Vec3 {
    [
        m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
        m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
        m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
    ]
}

/// `a b`
#[inline(always)]
pub fn mul(a: &Mat3, b: &Mat3) -> Mat3 {
    let mut out = [0.0; 9];
    for row in 0..3 {
        for col in 0..3 {
            out[3 * row + col] =
                a[3 * row] * b[col] + a[3 * row + 1] * b[3 + col] + a[3 * row + 2] * b[6 + col];
        }
    }
    out
}

/// `aᵀ b`
#[inline(always)]
pub fn mul_transposed_left(a: &Mat3, b: &Mat3) -> Mat3 {
    mul(&transpose(a), b)
}

/// `a bᵀ`
#[inline(always)]
pub fn mul_transposed_right(a: &Mat3, b: &Mat3) -> Mat3 {
    mul(a, &transpose(b))
}

/// `mᵀ`
#[inline(always)]
pub fn transpose(m: &Mat3) -> Mat3 {
    [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]]
}

/// Column `i` of `m`.
#[inline(always)]
pub fn column(m: &Mat3, i: usize) -> Vec3 {
    [m[i], m[i + 3], m[i + 6]]
}

/// Row `i` of `m`.
#[inline(always)]
pub fn row(m: &Mat3, i: usize) -> Vec3 {
    [m[3 * i], m[3 * i + 1], m[3 * i + 2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_with_a_transpose_agree_with_the_plain_product() {
        let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0];
        let b = [0.5, -1.0, 2.0, 3.0, 0.25, -2.0, 1.0, 1.5, 4.0];
        assert_eq!(mul_transposed_left(&transpose(&a), &b), mul(&a, &b));
        assert_eq!(mul_transposed_right(&a, &transpose(&b)), mul(&a, &b));
        assert_eq!(mul_vec(&a, column(&b, 1)), column(&mul(&a, &b), 1));
    }
}
