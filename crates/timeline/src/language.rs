//! The languages of expressions: automata by positions, small machines as bit sets, inclusion, products.
//!
//! What is drawn was made by elimination and rewriting; it is compared with its automaton on these ways, which share nothing with them.

pub mod positions;

pub(crate) mod inclusion;
pub(crate) mod machine;
pub(crate) mod product;
