//! Hash-consing: equal items are stored once, so comparing items is comparing their numbers.

use indexmap::{Equivalent, IndexSet};
use rustc_hash::FxBuildHasher;
use std::hash::Hash;
use std::ops::Index;

/// A list of different items, numbered in the order in which they were added.
///
/// ```
/// let mut words = shall_base::Interned::default();
/// let door = words.intern("door".to_owned());
/// assert_eq!((door, words.intern("lamp".to_owned())), (0, 1));
/// assert_eq!((words.get("door"), words.get("key")), (Some(door), None));
/// assert_eq!(words[1], "lamp");
/// ```
#[derive(Debug, Clone)]
pub struct Interned<T>(IndexSet<T, FxBuildHasher>);

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned::with_capacity(0)
    }
}

impl<T> Interned<T> {
    /// An empty list with room for this number of items.
    pub fn with_capacity(items: usize) -> Interned<T> {
        Interned(IndexSet::with_capacity_and_hasher(items, FxBuildHasher))
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The items in the order of their numbers.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.0.iter()
    }
}

impl<T: Hash + Eq> FromIterator<T> for Interned<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Interned<T> {
        Interned(items.into_iter().collect())
    }
}

impl<T: Hash + Eq> Interned<T> {
    /// The number of an item, which is added if it is new. A new item has the largest number: it is new exactly if `len`
    /// has grown.
    pub fn intern(&mut self, item: T) -> u32 {
        number(self.0.insert_full(item).0)
    }

    /// The number of an item that is already in the list.
    pub fn get<Q: Hash + Equivalent<T> + ?Sized>(&self, item: &Q) -> Option<u32> {
        self.0.get_index_of(item).map(number)
    }
}

impl<T> Index<usize> for Interned<T> {
    type Output = T;

    fn index(&self, number: usize) -> &T {
        &self.0[number]
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 items: memory ends before")
}
