//! Satisfiability: queries about expressions at the steps of an unrolled system, and the solvers that answer them.
//!
//! The engines query a `context`. `bits` and `circuit` use the built-in SAT solver; `process`, `smt` and `axioms` use a solver
//! process, which is reached through a `session`. `linear` decides linear comparisons without a process. What they are bad at is left
//! to `algebra` (polynomial identities) and `boxes` (nonlinear inequalities).

pub(crate) mod algebra;
pub(crate) mod axioms;
pub(crate) mod bits;
pub(crate) mod boxes;
pub(crate) mod choices;
pub(crate) mod circuit;
pub(crate) mod context;
pub(crate) mod linear;
pub(crate) mod process;
pub(crate) mod session;
pub(crate) mod smt;
