//! Functions of two fields `A` and `B` in one frame whose minima or zeros are contacts.
//!
//! | | value | use |
//! |---|---|---|
//! | overlap | `A + B + |max(A, B)|` | descent towards the deepest point |
//! | intersection | `max(A, B)` | depth, which rejects false minima of inexact fields |
//! | middle | `A − B` | its zero set is the contact surface, its gradient the normal |

use condyle_math::scalar::max_first;
use condyle_math::{Mat3, Vec3, mat3, vec3};

use super::Field;

/// Sees where a search evaluates its fields, each point in the field's own frame. Fields are numbered like the arguments of the search.
pub trait Watch {
    /// The search begins: the bounding boxes meet.
    fn begin(&mut self) {}
    /// Another starting point.
    fn start(&mut self) {}
    /// The value of a field is asked for.
    fn value(&mut self, field: usize, point: Vec3) {
        let _ = (field, point);
    }
    /// The gradient of a field is asked for.
    fn gradient(&mut self, field: usize, point: Vec3) {
        let _ = (field, point);
    }
}

/// Nobody watches.
impl Watch for () {}

/// Which function of the two fields is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Combination {
    Overlap,
    Intersection,
}

/// Two fields; points are given in the frame of the first, which is the second argument of the search.
pub(super) struct FieldPair<'a, W> {
    pub first: &'a Field<'a>,
    pub second: &'a Field<'a>,
    /// From the frame of the first to that of the second.
    pub offset: Vec3,
    pub rotation: Mat3,
    pub watch: &'a mut W,
}

impl<W: Watch> FieldPair<'_, W> {
    fn in_second(&self, x: Vec3) -> Vec3 {
        vec3::add(mat3::mul_vec(&self.rotation, x), self.offset)
    }

    fn distances(&mut self, x: Vec3) -> (f64, f64) {
        let y = self.in_second(x);
        self.watch.value(1, x);
        self.watch.value(0, y);
        (self.first.distance(x), self.second.distance(y))
    }

    fn first_gradient(&mut self, x: Vec3) -> Vec3 {
        self.watch.gradient(1, x);
        self.first.gradient(x)
    }

    fn second_gradient(&mut self, x: Vec3) -> Vec3 {
        let y = self.in_second(x);
        self.watch.gradient(0, y);
        mat3::mul_vec_transposed(&self.rotation, self.second.gradient(y))
    }

    pub(super) fn value(&mut self, combination: Combination, x: Vec3) -> f64 {
        let (a, b) = self.distances(x);
        match combination {
            Combination::Overlap => a + b + max_first(a, b).abs(),
            Combination::Intersection => max_first(a, b),
        }
    }

    pub(super) fn gradient(&mut self, combination: Combination, x: Vec3) -> Vec3 {
        let (a, b) = self.distances(x);
        match combination {
            Combination::Overlap => {
                let (first, second) = (self.first_gradient(x), self.second_gradient(x));
                let larger = if a > b { first } else { second };
                let sign = if max_first(a, b) > 0.0 { 1.0 } else { -1.0 };
                vec3::add_scaled(vec3::add(first, second), larger, sign)
            }
            Combination::Intersection => {
                if a > b {
                    self.first_gradient(x)
                } else {
                    self.second_gradient(x)
                }
            }
        }
    }

    /// Unit gradient of the middle function.
    pub(super) fn middle_gradient(&mut self, x: Vec3) -> Vec3 {
        let first = vec3::normalize(self.first_gradient(x)).0;
        let second = vec3::normalize(self.second_gradient(x)).0;
        vec3::normalize(vec3::sub(first, second)).0
    }
}
