//! Jacobians: how a point of the model moves for each joint velocity.

use condyle_engine::{Data, jacobian};
use condyle_model::Model;

use crate::handle::{BodyId, SiteId};

/// Jacobian of a point that moves with a body: its velocity is `translation · qvel`, the angular velocity of the body
/// `rotation · qvel`, both in world axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian {
    /// Three rows of `nv` numbers, one row after the other: the velocity of the point.
    pub translation: Vec<f64>,
    /// Three rows of `nv` numbers, one row after the other: the angular velocity.
    pub rotation: Vec<f64>,
    /// The number of velocities of the model, `nv`.
    pub columns: usize,
}

impl Jacobian {
    fn filled(model: &Model, fill: impl FnOnce(Option<&mut [f64]>, Option<&mut [f64]>)) -> Self {
        let zeros = vec![0.0; 3 * model.nv];
        let mut made = Self { translation: zeros.clone(), rotation: zeros, columns: model.nv };
        fill(Some(&mut made.translation), Some(&mut made.rotation));
        made
    }

    pub(crate) fn of_point(model: &Model, data: &Data, body: BodyId, point: [f64; 3]) -> Self {
        Self::filled(model, |translation, rotation| {
            jacobian::of_point(model, &data.kinematics, translation, rotation, point, body.index());
        })
    }

    pub(crate) fn of_center_of_mass(model: &Model, data: &Data, body: BodyId) -> Self {
        let mut made = Self::filled(model, |_, _| {});
        let mut buffer = vec![0.0; 3 * model.nv];
        jacobian::of_subtree_com(model, &data.kinematics, &mut made.translation, body.index(), &mut buffer);
        made
    }

    pub(crate) fn of_site(model: &Model, data: &Data, site: SiteId) -> Self {
        Self::filled(model, |translation, rotation| {
            jacobian::of_site(model, &data.kinematics, translation, rotation, site.index());
        })
    }

    /// Linear and angular velocity for joint velocities `qvel`.
    pub fn velocity(&self, qvel: &[f64]) -> ([f64; 3], [f64; 3]) {
        let product = |matrix: &[f64]| {
            let mut rows = matrix.chunks_exact(self.columns.max(1));
            [(); 3].map(|()| rows.next().map_or(0.0, |row| row.iter().zip(qvel).map(|(a, b)| a * b).sum()))
        };
        (product(&self.translation), product(&self.rotation))
    }

    /// Joint forces that do the work of a force and a torque at the point: the transpose applied to them.
    pub fn joint_forces(&self, force: [f64; 3], torque: [f64; 3]) -> Vec<f64> {
        let at = |matrix: &[f64], values: [f64; 3], column: usize| -> f64 {
            (0..3).map(|row| matrix[row * self.columns + column] * values[row]).sum()
        };
        let columns = 0..self.columns;
        columns
            .map(|column| at(&self.translation, force, column) + at(&self.rotation, torque, column))
            .collect()
    }
}
