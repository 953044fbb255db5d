//! Vectors of three numbers and matrices of three rows and four columns, in single precision as graphics pipelines compute.

pub(crate) type Vec3 = [f32; 3];

/// An affine map, or the first three rows of a projection: `row · (x, y, z, 1)`.
pub(crate) type Affine = [[f32; 4]; 3];

#[inline]
pub(crate) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline]
pub(crate) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline]
pub(crate) fn scale(a: Vec3, factor: f32) -> Vec3 {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

#[inline]
pub(crate) fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Unit vector; the z axis for a vector without length.
pub(crate) fn normalize(a: Vec3) -> Vec3 {
    let length = dot(a, a).sqrt();
    if length < 1e-10 { [0.0, 0.0, 1.0] } else { scale(a, 1.0 / length) }
}

/// Unit normal of a triangle.
pub(crate) fn triangle_normal(a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    normalize(cross(sub(b, a), sub(c, a)))
}

pub(crate) const IDENTITY: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// `first` after `second`: the map that applies `second` and then `first`.
pub(crate) fn compose(first: &Affine, second: &Affine) -> Affine {
    let mut out = [[0.0; 4]; 3];
    for row in 0..3 {
        for column in 0..4 {
            let mut sum = first[row][0] * second[0][column]
                + first[row][1] * second[1][column]
                + first[row][2] * second[2][column];
            if column == 3 {
                sum += first[row][3];
            }
            out[row][column] = sum;
        }
    }
    out
}

#[inline]
pub(crate) fn transform(map: &Affine, p: Vec3) -> Vec3 {
    [
        map[0][0] * p[0] + map[0][1] * p[1] + map[0][2] * p[2] + map[0][3],
        map[1][0] * p[0] + map[1][1] * p[1] + map[1][2] * p[2] + map[1][3],
        map[2][0] * p[0] + map[2][1] * p[1] + map[2][2] * p[2] + map[2][3],
    ]
}

/// Direction without the translation.
#[inline]
pub(crate) fn rotate(map: &Affine, p: Vec3) -> Vec3 {
    [
        map[0][0] * p[0] + map[0][1] * p[1] + map[0][2] * p[2],
        map[1][0] * p[0] + map[1][1] * p[1] + map[1][2] * p[2],
        map[2][0] * p[0] + map[2][1] * p[1] + map[2][2] * p[2],
    ]
}

/// Rotation (rows one after the other) and position as a map.
pub(crate) fn pose(mat: &[f32; 9], pos: Vec3) -> Affine {
    [[mat[0], mat[1], mat[2], pos[0]], [mat[3], mat[4], mat[5], pos[1]], [mat[6], mat[7], mat[8], pos[2]]]
}

/// Scale, then translation: `factor ∘ p + offset`.
pub(crate) fn scale_translate(factor: Vec3, offset: Vec3) -> Affine {
    [[factor[0], 0.0, 0.0, offset[0]], [0.0, factor[1], 0.0, offset[1]], [0.0, 0.0, factor[2], offset[2]]]
}

/// Cofactors of the linear part: maps normals up to a factor, whose sign is that of the determinant.
pub(crate) fn normal_map(map: &Affine) -> [Vec3; 3] {
    let row = |i: usize| [map[i][0], map[i][1], map[i][2]];
    let (a, b, c) = (row(0), row(1), row(2));
    let cofactors = [cross(b, c), cross(c, a), cross(a, b)];
    if dot(a, cofactors[0]) < 0.0 { cofactors.map(|row| scale(row, -1.0)) } else { cofactors }
}

/// Largest factor by which the linear part stretches, from above.
pub(crate) fn stretch(map: &Affine) -> f32 {
    let mut sum = 0.0;
    for row in map {
        sum += row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    }
    sum.sqrt()
}

/// View from `eye` along `forward`: x to the right, y up, z backward.
pub(crate) fn look_at(eye: Vec3, forward: Vec3, up: Vec3) -> Affine {
    let f = normalize(forward);
    let s = normalize(cross(f, up));
    let u = normalize(cross(s, f));
    [[s[0], s[1], s[2], -dot(s, eye)], [u[0], u[1], u[2], -dot(u, eye)], [-f[0], -f[1], -f[2], dot(f, eye)]]
}

/// Mirror at the plane through `point` with unit normal `axis`.
pub(crate) fn mirror(point: Vec3, axis: Vec3) -> Affine {
    let mut out = IDENTITY;
    let distance = dot(axis, point);
    for row in 0..3 {
        for column in 0..3 {
            out[row][column] -= 2.0 * axis[row] * axis[column];
        }
        out[row][3] = 2.0 * axis[row] * distance;
    }
    out
}

/// A vector orthogonal to `v`, for an upward direction: `v` times the negative x axis, or times y where that is short.
pub(crate) fn orthogonal(v: Vec3) -> Vec3 {
    let side = cross(v, [-1.0, 0.0, 0.0]);
    if dot(side, side) > 0.01 { normalize(side) } else { normalize(cross(v, [0.0, 1.0, 0.0])) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_is_its_own_inverse() {
        let map = mirror([0.0, 0.0, 2.0], [0.0, 0.0, 1.0]);
        assert_eq!(transform(&map, [1.0, 2.0, 3.0]), [1.0, 2.0, 1.0]);
        assert_eq!(compose(&map, &map), IDENTITY);
    }

    #[test]
    fn normals_stay_outward_under_a_mirror() {
        let map = scale_translate([-1.0, 1.0, 1.0], [0.0; 3]);
        let normal = normal_map(&map);
        assert_eq!(normal[0], [-1.0, 0.0, 0.0]);
        assert_eq!(normal[1], [0.0, 1.0, 0.0]);
    }
}
