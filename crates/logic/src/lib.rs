//! Temporal logic: formulas over past and future with bounds, traces, meaning, simplification and printing.
//!
//! - [`store`]: formulas and terms, hash-consed; smart constructors are the only way to make a node
//! - [`number`]: exact decimal text; [`trace`]: finite traces and lassos
//! - [`eval`]: what a formula means on a trace, or on many traces at once
//! - [`simplify`](mod@simplify): named rewrite rules
//! - [`adapt`](mod@adapt): replaces operators that a dialect lacks
//! - [`symbolic`]: decides properties of traces of every length; [`bdd`]: sets of bit vectors
//! - with the feature `testing`: `first_order` and `automaton`, definitions as automata, for proofs that formulas are equal to them; and
//!   `testing`, random formulas
//! - [`letters`](mod@letters): which atoms can be true together at one step, with values of the variables
//! - [`linear`]: linear forms and bounds on them; [`simplex`]: whether bounds have values in common
//! - [`mutate`]: formulas with one small error
//! - [`memory`]: the state that past-time operators need, as a plan for every target
//! - [`dialect`]: one table of spellings per dialect; [`print`](mod@print): the printer that uses them
//!
//! Invariants: children have smaller ids than their parents, and no function recurses over a formula; every identity and rule holds
//! at every position of finite and infinite traces; formulas become text only in `print`.

#[cfg(any(test, feature = "testing"))]
pub mod automaton;
pub mod bdd;
pub mod eval;
#[cfg(any(test, feature = "testing"))]
pub mod first_order;
pub mod letters;
pub mod linear;
pub mod memory;
pub mod mutate;
pub mod number;
pub mod print;
pub mod simplex;
pub mod simplify;
pub mod store;
pub mod symbolic;
pub mod trace;

#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use dashu_ratio::RBig;
pub use eval::{
    EvalError, Online, Shape, Truth, eval_state, holds_at, observed_value, partial_values, truth_table,
    values,
};
pub use letters::{Letter, Letters, TooManyLetters, letters};
pub use number::{format_decimal, parse_decimal, parse_number};
pub use print::dialect::{DIALECTS, Dialect, LATEX, SHALL, SMV, SPOT, UNICODE};
pub use print::names::rename_all;
pub use print::{Unsupported, adapt, dialect, names, print, print_with};
pub use simplify::{Family, RULES, Rule, simplify};
pub use store::{
    Arith, Binary, Bound, Class, Formula, Fun, Id, Node, Numeral, Rel, Sort, Store, Symbol, Term, Unary,
};
pub use trace::{Trace, TraceError, Value};
