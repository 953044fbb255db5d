//! Jacobian of the difference of two points (or orientations) on two bodies: `J₂ − J₁`, 3 rows of translation and 3 of rotation.
//!
//! Row `k`, dof `i` of a point Jacobian is component `k` of `c_lin + c_ang × (point − com)` where `c` is the motion axis of the dof
//! about the centre of mass of its tree. Dense storage has a column for every dof, sparse storage only for the dofs that move
//! one of the bodies. Reference: `mj_jacDifPair`, `mj_mergeChain`.

use condyle_math::{Vec3, vec3};
use condyle_model::Model;

use crate::data::Kinematics;

/// Where `J₂ − J₁` is stored: `translation` and `rotation` have three rows of `width` values.
#[derive(Clone, Debug, Default)]
pub struct PointJacobian {
    /// Dofs of the columns in sparse storage, ascending; empty in dense storage.
    pub columns: Vec<i32>,
    /// Velocity of the point by the velocities of dofs.
    pub translation: Vec<f64>,
    /// Angular velocity by the velocities of dofs.
    pub rotation: Vec<f64>,
    /// Number of columns.
    pub width: usize,
}

/// A point that moves with a body.
#[derive(Clone, Copy)]
pub(super) struct BodyPoint {
    pub body: usize,
    pub point: Vec3,
}

impl PointJacobian {
    /// Compute `J(second) − J(first)`, with rotations if asked. Returns the number of columns; zero when nothing can move.
    pub(super) fn compute(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        first: BodyPoint,
        second: BodyPoint,
        with_rotation: bool,
        sparse: bool,
    ) -> usize {
        self.columns.clear();
        self.width = model.nv;
        if self.width == 0 {
            return 0;
        }
        let both_simple = model.body_simple[first.body] != 0 && model.body_simple[second.body] != 0;
        if sparse {
            if both_simple {
                merge_simple(model, first.body, second.body, &mut self.columns);
            } else {
                merge_chains(model, first.body, second.body, &mut self.columns);
            }
            self.width = self.columns.len();
            if self.width == 0 {
                return 0;
            }
        }
        self.translation.clear();
        self.translation.resize(3 * self.width, 0.0);
        self.rotation.clear();
        self.rotation.resize(if with_rotation { 3 * self.width } else { 0 }, 0.0);
        if sparse && both_simple {
            let (offset1, offset2) = if first.body < second.body {
                (0, model.body_dofnum[first.body])
            } else {
                (model.body_dofnum[second.body], 0)
            };
            self.place_simple(model, kinematics, first, offset1 as usize, true);
            self.place_simple(model, kinematics, second, offset2 as usize, false);
        } else {
            // Zero minus a value is not the same as its negation when the value is zero; hence second first, then subtract.
            self.walk_chain(model, kinematics, second, sparse, |out, value| *out = value);
            self.walk_chain(model, kinematics, first, sparse, |out, value| *out -= value);
        }
        self.width
    }

    /// Visit the dofs that move `at.body`, from the last to the first, combining their columns into the result.
    #[inline(always)]
    fn walk_chain(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        at: BodyPoint,
        sparse: bool,
        combine: impl Fn(&mut f64, f64),
    ) {
        let offset = vec3::sub(at.point, kinematics.subtree_com[model.body_rootid[at.body] as usize]);
        let body = model.body_weldid[at.body] as usize;
        if body == 0 {
            return;
        }
        let width = self.width;
        let mut dof = model.body_dofadr[body] + model.body_dofnum[body] - 1;
        let mut cursor = width;
        while dof >= 0 {
            let column = if sparse {
                while cursor > 0 && self.columns[cursor - 1] > dof {
                    cursor -= 1;
                }
                cursor.saturating_sub(1)
            } else {
                dof as usize
            };
            let axis = &kinematics.cdof[dof as usize];
            let angular = [axis[0], axis[1], axis[2]];
            let turn = vec3::cross(angular, offset);
            for k in 0..3 {
                combine(&mut self.translation[k * width + column], axis[3 + k] + turn[k]);
            }
            if !self.rotation.is_empty() {
                for k in 0..3 {
                    combine(&mut self.rotation[k * width + column], angular[k]);
                }
            }
            dof = model.dof_parentid[dof as usize];
        }
    }

    /// Columns of a body that is its own tree, from `column` on.
    fn place_simple(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        at: BodyPoint,
        mut column: usize,
        negate: bool,
    ) {
        let offset = vec3::sub(at.point, kinematics.subtree_com[model.body_rootid[at.body] as usize]);
        let width = self.width;
        let start = model.body_dofadr[at.body].max(0) as usize;
        for dof in start..start + model.body_dofnum[at.body] as usize {
            let axis = &kinematics.cdof[dof];
            let angular = [axis[0], axis[1], axis[2]];
            let turn = vec3::cross(angular, offset);
            for k in 0..3 {
                let value = axis[3 + k] + turn[k];
                self.translation[k * width + column] = if negate { -value } else { value };
                if !self.rotation.is_empty() {
                    self.rotation[k * width + column] = if negate { -angular[k] } else { angular[k] };
                }
            }
            column += 1;
        }
    }
}

/// Dofs that move either body, ascending.
fn merge_chains(model: &Model, body1: usize, body2: usize, columns: &mut Vec<i32>) {
    let last_dof = |body: usize| {
        let body = model.body_weldid[body] as usize;
        model.body_dofadr[body] + model.body_dofnum[body] - 1
    };
    if model.body_weldid[body1] == 0 && model.body_weldid[body2] == 0 {
        return;
    }
    let (mut dof1, mut dof2) = (last_dof(body1), last_dof(body2));
    while dof1 >= 0 || dof2 >= 0 {
        let dof = dof1.max(dof2);
        columns.push(dof);
        if dof1 == dof {
            dof1 = model.dof_parentid[dof as usize];
        }
        if dof2 == dof {
            dof2 = model.dof_parentid[dof as usize];
        }
    }
    columns.reverse();
}

/// Dofs of two bodies that are trees of their own, those of the lower body first.
fn merge_simple(model: &Model, body1: usize, body2: usize, columns: &mut Vec<i32>) {
    for body in [body1.min(body2), body1.max(body2)] {
        let start = model.body_dofadr[body];
        columns.extend(start..start + model.body_dofnum[body]);
    }
}
