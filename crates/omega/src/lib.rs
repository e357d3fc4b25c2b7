//! What happens for ever: automata on infinite words (Büchi), made from temporal formulas, reduced, compared and exchanged.
//!
//! - [`automaton`]: the automata; guards are decision diagrams over the atoms of the formula
//! - [`mod@translate`]: from formulas to small automata on infinite words; [`finite`]: on finite words
//! - [`decide`]: satisfiable, valid, implied, equivalent, each with a word as witness; [`empty`]: short words; [`lasso`]: given ones
//! - [`mod@class`]: safety, guarantee, obligation, recurrence, persistence, reactivity
//! - [`hoa`]: automata as text; [`mod@cubes`]: guards as sums of products; [`limits`]: when to give up

pub mod automaton;
pub mod class;
pub mod cubes;
pub mod decide;
pub mod empty;
pub mod finite;
pub mod hoa;
pub mod lasso;
pub mod limits;
pub mod translate;

mod context;
mod degeneralize;
mod determinize;
mod graph;
mod implication;
mod ltl;
mod parity;
mod past;
mod product;
mod read;
mod rules;
mod sample;
mod scc;
mod simulate;
mod tableau;
mod weak;

pub use automaton::{Buchi, Edge, General, Guard, Guards, Step};
pub use class::{Class, class};
pub use empty::{Lasso, find_word, find_word_of};
pub use finite::{translate_at_end, translate_finite};
pub use lasso::{accepts_lasso, accepts_word};
pub use limits::{Limit, Limits};
pub use product::intersection;
pub use translate::{reduce, translate, translate_over};
