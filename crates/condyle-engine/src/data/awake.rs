//! Which bodies and dofs a stage visits: all of them, or the awake ones when part of the model sleeps.

use condyle_model::{Model, enable};

use super::Awake;

/// An ascending run of indices: all from `first` on, or those in a list.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    first: usize,
    count: usize,
    list: Option<&'a [i32]>,
}

impl<'a> Selection<'a> {
    /// The indices in ascending order.
    #[inline]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + 'a {
        (0..self.count).map(move |k| match self.list {
            Some(list) => list[k] as usize,
            None => self.first + k,
        })
    }

    /// The list behind the selection; `None` when it is everything.
    #[inline]
    pub fn list(self) -> Option<&'a [i32]> {
        self.list
    }

    /// The selection without index 0, which for bodies is the world and never sleeps.
    #[inline]
    pub fn without_first(self) -> Self {
        match self.list {
            Some(list) => Self { first: 0, count: list.len() - 1, list: Some(&list[1..]) },
            None => Self { first: 1, count: self.count.saturating_sub(1), list: None },
        }
    }
}

impl Awake {
    /// Whether sleeping is enabled and something sleeps, so that stages visit index lists.
    #[inline]
    pub fn filters(&self, model: &Model) -> bool {
        sleep_enabled(model) && self.nv_awake < model.nv
    }

    /// Whether sleeping is enabled and a body sleeps.
    #[inline]
    pub fn any_body_asleep(&self, model: &Model) -> bool {
        sleep_enabled(model) && self.nbody_awake < model.nbody
    }

    /// Bodies that are awake or static.
    #[inline]
    pub fn bodies(&self, model: &Model) -> Selection<'_> {
        self.select(model, 0, model.nbody, &self.body_awake_ind[..self.nbody_awake])
    }

    /// Bodies, without the world, whose parent is awake or static.
    #[inline]
    pub fn bodies_below_awake(&self, model: &Model) -> Selection<'_> {
        self.select(model, 1, model.nbody.saturating_sub(1), &self.parent_awake_ind[..self.nparent_awake])
    }

    /// Dofs of awake trees.
    #[inline]
    pub fn dofs(&self, model: &Model) -> Selection<'_> {
        self.select(model, 0, model.nv, &self.dof_awake_ind[..self.nv_awake])
    }

    #[inline]
    fn select<'a>(&self, model: &Model, first: usize, count: usize, list: &'a [i32]) -> Selection<'a> {
        if self.filters(model) {
            Selection { first: 0, count: list.len(), list: Some(list) }
        } else {
            Selection { first, count, list: None }
        }
    }
}

/// Whether trees may fall asleep.
#[inline]
pub fn sleep_enabled(model: &Model) -> bool {
    model.opt.enableflags & enable::SLEEP != 0
}
