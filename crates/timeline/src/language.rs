//! The languages of expressions: automata by positions, small machines as bit sets, inclusion, products.
//!
//! What is drawn is the result of elimination and rewriting; it is compared with its automaton by these methods, which share no code
//! with them.

pub mod positions;

pub(crate) mod inclusion;
pub(crate) mod machine;
pub(crate) mod product;
