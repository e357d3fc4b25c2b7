//! The engines: each takes a `task` (one property of one system) and returns a violation, a proof or nothing.
//!
//! `bmc`, `induction`, `ic3` and `invariants` query a solver; `explicit` visits all states, and `boxes` ranges of values. `joint` takes
//! many properties at once.
//! Random walks are in `crate::walk`.

pub(crate) mod bmc;
pub(crate) mod boxes;
pub mod explicit;
pub(crate) mod ic3;
pub(crate) mod induction;
pub(crate) mod invariants;
pub(crate) mod joint;
pub(crate) mod predicates;
pub(crate) mod relations;
pub(crate) mod task;
