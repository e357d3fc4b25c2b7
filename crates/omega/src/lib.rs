//! Automata on infinite words (Büchi): built from temporal formulas, reduced, compared and exchanged.
//!
//! - [`mod@translate`]: from formulas to small automata: preparation (`read`, `past`, `ltl`, `rules`), tableaux, and
//!   [`translate::finite`] for finite words
//! - [`automaton`]: the automata, whose guards are decision diagrams over the atoms, and algorithms on them: reduction by
//!   simulation, degeneralization, determinization, products, [`automaton::cubes`]
//! - [`decide`]: satisfiability, validity, implication, equivalence, each with a word as witness; [`decide::empty`]: short words;
//!   [`decide::lasso`]: given words; [`decide::class`]: safety, guarantee, obligation, recurrence, persistence, reactivity
//! - [`hoa`]: automata as text; [`limits`]: when to give up

pub mod automaton;
pub mod decide;
pub mod hoa;
pub mod limits;
pub mod translate;

pub use automaton::cubes;
pub use automaton::product::intersection;
pub use automaton::{Buchi, Edge, General, Guard, Guards, Step};
pub use decide::class::{Class, class};
pub use decide::empty::{self, Lasso, find_word};
pub use decide::lasso::{accepts_lasso, accepts_word};
pub use limits::{Limit, Limits};
pub use translate::finite::{translate_at_end, translate_finite};
pub use translate::{reduce, translate, translate_over};
