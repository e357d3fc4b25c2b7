//! Satisfiability: questions about expressions at the steps of an unrolled system, and who answers them.
//!
//! The engines ask a `context`. `bits` and `circuit` answer with the built-in SAT solver; `process`, `smt` and `axioms` put the question
//! to a solver process, which is reached through a `session`.

pub(crate) mod axioms;
pub(crate) mod bits;
pub(crate) mod circuit;
pub(crate) mod context;
pub(crate) mod process;
pub(crate) mod session;
pub(crate) mod smt;
