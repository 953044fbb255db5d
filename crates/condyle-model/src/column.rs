//! An array of a model that knows when it was last changed.
//!
//! Work that depends on the model alone (support tables of hulls, filters of pairs) is kept between steps. It must notice an edited
//! model without comparing arrays, so every array has a revision: a number that no other content in the process has. Reading is free;
//! taking the array mutably forgets the number, and the next look at it draws a new one.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

/// The revision of an array that was edited since it was last looked at.
const UNKNOWN: u64 = 0;
/// The revision of an array that somebody may change unseen, through a pointer.
const EXPOSED: u64 = u64::MAX;

static NEXT: AtomicU64 = AtomicU64::new(1);

/// An array of a [`Model`](crate::Model). It behaves like the vector inside.
#[derive(Debug)]
pub struct Column<T> {
    values: Vec<T>,
    revision: AtomicU64,
}

impl<T> Column<T> {
    /// A number that stands for the present content: equal numbers mean equal content. `None` if the content may change unseen.
    #[inline]
    pub fn revision(&self) -> Option<u64> {
        match self.revision.load(Ordering::Relaxed) {
            EXPOSED => None,
            UNKNOWN => Some(self.draw()),
            revision => Some(revision),
        }
    }

    /// From now on the content may change through a pointer handed out: [`Self::revision`] is `None` for good.
    pub fn expose(&self) {
        self.revision.store(EXPOSED, Ordering::Relaxed);
    }

    /// Draw a revision; of several threads that look at once, all get the same.
    #[cold]
    fn draw(&self) -> u64 {
        let fresh = NEXT.fetch_add(1, Ordering::Relaxed);
        match self.revision.compare_exchange(UNKNOWN, fresh, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => fresh,
            Err(drawn) => drawn,
        }
    }
}

impl<T> Deref for Column<T> {
    type Target = Vec<T>;

    #[inline(always)]
    fn deref(&self) -> &Vec<T> {
        &self.values
    }
}

impl<T> DerefMut for Column<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        let revision = self.revision.get_mut();
        if *revision != EXPOSED {
            *revision = UNKNOWN;
        }
        &mut self.values
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(values: Vec<T>) -> Self {
        Self { values, revision: AtomicU64::new(UNKNOWN) }
    }
}

impl<T> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Clone> Clone for Column<T> {
    /// The copy has the same content and so the same revision; nobody has a pointer into it yet.
    fn clone(&self) -> Self {
        let revision = self.revision().unwrap_or(UNKNOWN);
        Self { values: self.values.clone(), revision: AtomicU64::new(revision) }
    }
}

impl<T: PartialEq> PartialEq for Column<T> {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl<T: PartialEq> PartialEq<Vec<T>> for Column<T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        self.values == *other
    }
}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for Column<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        self.values == *other
    }
}

impl<'a, T> IntoIterator for &'a Column<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.values.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Column<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.deref_mut().iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_changes_the_revision_and_reading_does_not() {
        let mut column = Column::from(vec![1.0, 2.0]);
        let first = column.revision();
        assert_eq!(column.iter().sum::<f64>(), 3.0);
        assert_eq!(column.revision(), first);
        column[1] = 3.0;
        let second = column.revision();
        assert!(second.is_some() && second != first);
    }

    #[test]
    fn a_copy_keeps_the_revision_until_one_of_the_two_is_edited() {
        let mut column = Column::from(vec![1, 2]);
        let mut copy = column.clone();
        assert_eq!(copy.revision(), column.revision());
        column[0] = 7;
        copy[0] = 8;
        assert_ne!(copy.revision(), column.revision());
    }

    #[test]
    fn an_exposed_array_has_no_revision_but_its_copy_has() {
        let mut column = Column::from(vec![1, 2]);
        column.expose();
        column[0] = 5;
        assert_eq!(column.revision(), None);
        assert!(column.clone().revision().is_some());
    }
}
