//! Storage for the elements of a [`Spec`](crate::Spec): a vector per kind of element and a typed index into it.
//!
//! An id stays valid while its element exists; ids of different kinds cannot be mixed up, and a removed element leaves a hole
//! so that the ids of the others do not move. Iteration is always in order of creation.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Typed index of an element in its [`Arena`].
pub struct Id<T> {
    index: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    pub(crate) const fn new(index: u32) -> Self {
        Self { index, kind: PhantomData }
    }

    /// Position of the element in order of creation.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.index.cmp(&other.index)
    }
}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}

/// Elements of one kind, addressed by [`Id`].
#[derive(Clone, Debug)]
pub struct Arena<T> {
    items: Vec<Option<T>>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T> Arena<T> {
    /// Appends an element.
    pub(crate) fn push(&mut self, item: T) -> Id<T> {
        let index = self.items.len() as u32;
        self.items.push(Some(item));
        Id::new(index)
    }

    /// The element, unless it was removed.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.items.get(id.index()).and_then(Option::as_ref)
    }

    /// The element for editing, unless it was removed.
    pub fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        self.items.get_mut(id.index()).and_then(Option::as_mut)
    }

    /// Takes the element out; its id is not used again.
    pub(crate) fn remove(&mut self, id: Id<T>) -> Option<T> {
        self.items.get_mut(id.index()).and_then(Option::take)
    }

    /// Number of elements ever added; every id lies below it.
    pub fn slots(&self) -> usize {
        self.items.len()
    }

    /// Number of elements present.
    pub fn len(&self) -> usize {
        self.items.iter().filter(|item| item.is_some()).count()
    }

    /// Whether no element is present.
    pub fn is_empty(&self) -> bool {
        self.items.iter().all(Option::is_none)
    }

    /// Ids and elements in order of creation.
    pub fn iter(&self) -> impl Iterator<Item = (Id<T>, &T)> {
        self.items
            .iter()
            .enumerate()
            .filter_map(|(index, item)| item.as_ref().map(|item| (Id::new(index as u32), item)))
    }

    /// Ids and elements in order of creation, for editing.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Id<T>, &mut T)> {
        self.items
            .iter_mut()
            .enumerate()
            .filter_map(|(index, item)| item.as_mut().map(|item| (Id::new(index as u32), item)))
    }

    /// Ids in order of creation.
    pub fn ids(&self) -> impl Iterator<Item = Id<T>> + '_ {
        self.iter().map(|(id, _)| id)
    }

    /// Elements in order of creation.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.items.iter().filter_map(Option::as_ref)
    }
}

/// Panics when the element was removed; use [`Arena::get`] for ids that may be stale.
impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;

    fn index(&self, id: Id<T>) -> &T {
        self.get(id).expect("the element of this id was removed")
    }
}

impl<T> IndexMut<Id<T>> for Arena<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        self.get_mut(id).expect("the element of this id was removed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removing_keeps_the_other_ids() {
        let mut arena = Arena::default();
        let first = arena.push("a");
        let second = arena.push("b");
        assert_eq!(arena.remove(first), Some("a"));
        assert_eq!(arena.get(first), None);
        assert_eq!(arena[second], "b");
        assert_eq!(arena.len(), 1);
        assert_eq!(arena.ids().collect::<Vec<_>>(), vec![second]);
    }
}
