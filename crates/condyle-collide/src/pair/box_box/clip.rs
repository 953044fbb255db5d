//! What both clipping cases share: a frame in which the clipping face looks up, and crossings of a line with the face's border.

use condyle_math::{MIN_VALUE, Mat3, Vec3, mat3, vec3};

/// A signed permutation of axes that turns a face of a box to +z.
pub(super) struct FaceFrame {
    source: [usize; 3],
    sign: [f64; 3],
}

impl FaceFrame {
    /// For a face by index: axis, plus 3 for the negative side.
    pub(super) fn new(face: usize) -> Self {
        let (source, sign) = match face {
            0 => ([2, 1, 0], [-1.0, 1.0, 1.0]),
            1 => ([0, 2, 1], [1.0, -1.0, 1.0]),
            2 => ([0, 1, 2], [1.0, 1.0, 1.0]),
            3 => ([2, 1, 0], [1.0, 1.0, -1.0]),
            4 => ([0, 2, 1], [1.0, 1.0, -1.0]),
            _ => ([0, 1, 2], [-1.0, 1.0, -1.0]),
        };
        Self { source, sign }
    }

    /// The permutation as a matrix.
    pub(super) fn matrix(&self) -> Mat3 {
        let mut m = [0.0; 9];
        for row in 0..3 {
            m[3 * row + self.source[row]] = self.sign[row];
        }
        m
    }

    /// A vector of the box frame in the face frame.
    pub(super) fn turn(&self, v: Vec3) -> Vec3 {
        std::array::from_fn(|row| v[self.source[row]] * self.sign[row])
    }

    /// A matrix whose columns are vectors of the box frame, in the face frame.
    pub(super) fn turn_rows(&self, m: &Mat3) -> Mat3 {
        let rows: [Vec3; 3] =
            std::array::from_fn(|row| vec3::scale(mat3::row(m, self.source[row]), self.sign[row]));
        std::array::from_fn(|i| rows[i / 3][i % 3])
    }
}

/// Where a line crosses a border of the rectangle `|x| ≤ half[0], |y| ≤ half[1]`.
pub(super) struct Crossing {
    /// The axis across the border: 0 for x = const.
    pub axis: usize,
    /// The border's coordinate on that axis.
    pub border: f64,
    /// Position on the line, 0 at its start and 1 at its end.
    pub along: f64,
    /// Coordinate on the other axis.
    pub across: f64,
}

/// Call `found` for each border crossing of the line from `start` to `start + direction`: x borders first, negative side first.
pub(super) fn border_crossings(start: Vec3, direction: Vec3, half: Vec3, mut found: impl FnMut(Crossing)) {
    for axis in 0..2 {
        let other = 1 - axis;
        if !(direction[axis].abs() > MIN_VALUE) {
            continue;
        }
        for side in [-1.0, 1.0] {
            let border = half[axis] * side;
            let along = (border - start[axis]) * (1.0 / direction[axis]);
            if along < 0.0 || along > 1.0 {
                continue;
            }
            let across = start[other] + direction[other] * along;
            if across.abs() > half[other] {
                continue;
            }
            found(Crossing { axis, border, along, across });
        }
    }
}

/// The parallelogram `origin + u first + v second`, seen along z.
pub(super) struct Parallelogram {
    pub origin: Vec3,
    pub first: Vec3,
    pub second: Vec3,
}

impl Parallelogram {
    /// Its four sides as start and direction.
    pub(super) fn sides(&self) -> [(Vec3, Vec3); 4] {
        let &Self { origin, first, second } = self;
        [
            (origin, first),
            (origin, second),
            (vec3::add(origin, first), second),
            (vec3::add(origin, second), first),
        ]
    }

    /// Twice the signed area of the triangle under it, seen along z.
    pub(super) fn area(&self) -> f64 {
        self.first[0] * self.second[1] - self.second[0] * self.first[1]
    }

    /// Coordinates `(u, v)` of the point `(x, y)`, divided by `area`.
    pub(super) fn coordinates(&self, x: f64, y: f64, area: f64) -> (f64, f64) {
        let (x, y) = (x - self.origin[0], y - self.origin[1]);
        let u = (x * self.second[1] - y * self.second[0]) * (1.0 / area);
        let v = (y * self.first[0] - x * self.first[1]) * (1.0 / area);
        (u, v)
    }
}

/// Corners of the rectangle, the sign of y changing fastest.
pub(super) fn rectangle_corners(half: Vec3) -> [(f64, f64); 4] {
    [(-half[0], -half[1]), (-half[0], half[1]), (half[0], -half[1]), (half[0], half[1])]
}
