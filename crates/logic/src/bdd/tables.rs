//! The tables of a manager: its nodes, each stored once, and results of choices, some of which are forgotten.
//!
//! Almost all time of a manager is spent in these two, so both are plain arrays. Which results are forgotten depends on the order of the
//! operations alone, and no result depends on it.

use super::{Bdd, Node};

/// No entry: the number of the leaf, which is not looked up.
const NONE: u32 = 0;

/// Different nodes, numbered in the order in which they were added.
#[derive(Debug, Clone)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    /// Numbers of nodes at the places of their hashes, or after them, each with another part of the hash, so that few nodes are compared;
    /// a power of two, at most three quarters of it used.
    slots: Vec<(u32, u32)>,
}

impl Nodes {
    /// The leaf, which has the first number.
    pub(super) fn new(leaf: Node) -> Nodes {
        Nodes { nodes: vec![leaf], slots: vec![(0, NONE); 64] }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> Node {
        self.nodes[number as usize]
    }

    /// The number of a node that is not a leaf; it is added if it is new.
    pub(super) fn intern(&mut self, node: Node) -> u32 {
        if self.nodes.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let (mut at, tag) = self.place(&node);
        loop {
            match self.slots[at] {
                (_, NONE) => break,
                (same, number) if same == tag && self.nodes[number as usize] == node => return number,
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
        let number = u32::try_from(self.nodes.len()).ok().filter(|it| *it < 1 << 31);
        let number = number.expect("the limit of a manager is below 2^31 nodes");
        self.nodes.push(node);
        self.slots[at] = (tag, number);
        number
    }

    /// The first place of a node, and another part of its hash.
    fn place(&self, node: &Node) -> (usize, u32) {
        let hash = mixed(node.variable, node.low, node.high);
        (hash as usize & (self.slots.len() - 1), (hash >> 32) as u32)
    }

    fn grow(&mut self) {
        self.slots = vec![(0, NONE); self.slots.len() * 2];
        for number in 1..self.nodes.len() {
            let (mut at, tag) = self.place(&self.nodes[number]);
            while self.slots[at].1 != NONE {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = (tag, number as u32);
        }
    }
}

/// Results of choices. A result takes the place of another one with the same hash.
#[derive(Debug, Clone, Default)]
pub(super) struct Choices {
    /// The operands and the result. Zeros, of which new ones consist, are not the key of any: no choice has a constant condition.
    entries: Vec<[u32; 4]>,
}

/// The largest number of results.
const MOST: usize = 1 << 20;

impl Choices {
    #[inline]
    pub(super) fn get(&self, (f, g, h): (Bdd, Bdd, Bdd)) -> Option<Bdd> {
        let last = self.entries.len().checked_sub(1)?;
        let [a, b, c, result] = self.entries[mixed(f.0, g, h) as usize & last];
        ([a, b, c] == [f.0, g.0, h.0]).then_some(Bdd(result))
    }

    /// Adds a result of a manager with this number of nodes.
    #[inline]
    pub(super) fn insert(&mut self, (f, g, h): (Bdd, Bdd, Bdd), result: Bdd, nodes: usize) {
        if self.entries.len() < MOST && self.entries.len() < nodes {
            self.grow(nodes);
        }
        let last = self.entries.len() - 1;
        self.entries[mixed(f.0, g, h) as usize & last] = [f.0, g.0, h.0, result.0];
    }

    fn grow(&mut self, nodes: usize) {
        let size = (2 * nodes).next_power_of_two().clamp(64, MOST);
        let old = std::mem::replace(&mut self.entries, vec![[0; 4]; size]);
        for entry in old.into_iter().filter(|it| *it != [0; 4]) {
            let [f, g, h, _] = entry;
            self.entries[mixed(f, Bdd(g), Bdd(h)) as usize & (size - 1)] = entry;
        }
    }
}

/// A hash of three numbers.
fn mixed(a: u32, b: Bdd, c: Bdd) -> u64 {
    let mut hash = u64::from(a).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ u64::from(b.0)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    hash = (hash ^ hash >> 29 ^ u64::from(c.0)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    hash ^ hash >> 32
}
