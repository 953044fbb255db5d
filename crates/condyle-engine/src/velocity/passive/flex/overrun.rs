//! Three numbers from the address of a body's first dof, whatever dofs it has.
//!
//! Bending and interpolation take a body for three translations. Where it has fewer dofs, MuJoCo reads and writes past its own:
//! the dofs of other bodies or, outside the array, whatever its memory holds there. Models loaded with `reference_bugs` get the same
//! numbers; others use these functions for bodies that do have three dofs. The arrays follow each other in the order of the data's
//! fields, each starting at a multiple of eight numbers, with zeros between. A body without dofs has address −1.

use condyle_math::Vec3;
use condyle_model::Model;

use crate::data::{Passive, State};

/// Numbers to which the start of an array is rounded up.
const ALIGNMENT: usize = 8;

/// Where a number lies, seen from an array of some length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the last element of the array before, if that ends where this one starts.
    Before,
    Inside(usize),
    /// In the array after.
    After(usize),
    Gap,
}

/// Place of the element `index` of an array of `length` elements.
fn place(index: isize, length: usize) -> Place {
    let Ok(index) = usize::try_from(index) else { return Place::Before };
    let end = length.next_multiple_of(ALIGNMENT);
    if index < length {
        Place::Inside(index)
    } else if index < end {
        Place::Gap
    } else {
        Place::After(index - end)
    }
}

fn touches_next(length: usize) -> bool {
    length.is_multiple_of(ALIGNMENT)
}

/// Three velocities from the first dof of a body on.
pub(super) fn velocity(model: &Model, state: &State, body: usize) -> Vec3 {
    let start = model.body_dofadr[body] as isize;
    if let Ok(first) = usize::try_from(start)
        && let Some([x, y, z]) = state.qvel.get(first..first + 3)
    {
        return [*x, *y, *z];
    }
    std::array::from_fn(|k| velocity_at(state, start + k as isize))
}

fn velocity_at(state: &State, index: isize) -> f64 {
    let following = [&state.act, &state.history, &state.qacc_warmstart];
    match place(index, state.qvel.len()) {
        Place::Before if touches_next(state.qpos.len()) => state.qpos.last().copied().unwrap_or(0.0),
        Place::Inside(dof) => state.qvel[dof],
        Place::After(k) => {
            let next = following.into_iter().find(|array| !array.is_empty());
            next.and_then(|array| array.get(k)).copied().unwrap_or(0.0)
        }
        Place::Before | Place::Gap => 0.0,
    }
}

/// Add to three spring forces from the first dof of a body on.
pub(super) fn add_spring(model: &Model, out: &mut Passive, body: usize, force: Vec3) {
    for (index, component) in (model.body_dofadr[body] as isize..).zip(force) {
        match place(index, model.nv) {
            Place::Inside(dof) => out.qfrc_spring[dof] += component,
            Place::After(k) => add(&mut out.qfrc_damper, k, component),
            // Bias forces lie before; they are computed after passive forces.
            Place::Before | Place::Gap => {}
        }
    }
}

/// Add to three damper forces from the first dof of a body on.
pub(super) fn add_damper(model: &Model, out: &mut Passive, body: usize, force: Vec3) {
    for (index, component) in (model.body_dofadr[body] as isize..).zip(force) {
        match place(index, model.nv) {
            Place::Before if touches_next(model.nv) => {
                if let Some(last) = out.qfrc_spring.last_mut() {
                    *last += component;
                }
            }
            Place::Inside(dof) => out.qfrc_damper[dof] += component,
            Place::After(k) => add(&mut out.qfrc_gravcomp, k, component),
            Place::Before | Place::Gap => {}
        }
    }
}

fn add(array: &mut [f64], index: usize, value: f64) {
    if let Some(element) = array.get_mut(index) {
        *element += value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_neighbours_only_when_they_fill_their_lines() {
        assert_eq!(place(-1, 8), Place::Before);
        assert_eq!(place(7, 8), Place::Inside(7));
        assert_eq!(place(8, 8), Place::After(0));
        assert_eq!(place(7, 7), Place::Gap);
        assert_eq!(place(8, 7), Place::After(0));
        assert_eq!(place(1, 1), Place::Gap);
        assert!(touches_next(16) && !touches_next(15));
    }
}
