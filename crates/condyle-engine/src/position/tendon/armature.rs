//! Inertia of tendons: a tendon with armature `a` and Jacobian `J` adds `a Jᵀ J` to the joint-space inertia.
//!
//! Only entries the kinematic tree already has are kept. Reference: `mj_tendonArmature`.

use condyle_math::sparse;
use condyle_model::Model;

use crate::data::{Awake, Tendons};
use crate::jacobian::is_sparse;
use crate::position::inertia::mass_pattern;
use crate::sleep::{self, SleepState};

/// `M += Σ armature Jᵀ J`
pub fn add_to_inertia(model: &Model, awake: &Awake, tendons: &Tendons, mass: &mut [f64]) {
    let filter = awake.filters(model);
    let pattern = mass_pattern(model);
    for tendon in 0..model.ntendon {
        let armature = model.tendon_armature[tendon];
        if armature == 0.0 || (filter && sleep::tendon_state(model, awake, tendon) == SleepState::Asleep) {
            continue;
        }
        if is_sparse(model) {
            let start = tendons.ten_J_rowadr[tendon] as usize;
            let row = start..start + tendons.ten_J_rownnz[tendon] as usize;
            let (jacobian, columns) = (&tendons.ten_J[row.clone()], &tendons.ten_J_colind[row]);
            for (&value, &dof) in jacobian.iter().zip(columns) {
                if value != 0.0 {
                    let range = pattern.range(dof as usize);
                    sparse::add_scaled_common(
                        &mut mass[range.clone()],
                        &pattern.colind[range],
                        jacobian,
                        columns,
                        armature * value,
                    );
                }
            }
        } else {
            let jacobian = &tendons.ten_J[tendon * model.nv..][..model.nv];
            for (dof, &value) in jacobian.iter().enumerate() {
                if value != 0.0 {
                    for address in pattern.range(dof) {
                        mass[address] += armature * value * jacobian[pattern.colind[address] as usize];
                    }
                }
            }
        }
    }
}
