//! Engines that decide properties of a `system::System`, and the evidence for what they say.
//!
//! - [`verify`]: all engines under a budget; [`Verdict`]: valid with a [`Certificate`], invalid with a replayed run, or unknown with a reason
//! - [`check`]: the separate checker of certificates
//! - [`Connect`], [`Session`]: how a solver process is reached; `process` and `smt` speak to it, `bits` does without
//! - [`minimize`]: counterexamples made short and simple
//! - engines: `bmc`, `induction`, `ic3`, `invariants`, `random`, and [`mod@explicit`], a search through all states
//! - [`falsify_in_doubles`]: what holds for real numbers may fail in doubles
//!
//! Invariants: no I/O and no clock here; nothing is valid before the checker agrees (or a search met every state and says so), nothing is
//! invalid before the simulator agrees.

mod engines;
mod evidence;
mod news;
mod portfolio;
mod prepare;
mod questions;
mod solver;
mod verdict;
mod walk;

pub use engines::explicit;
pub use evidence::certificate::check;
pub use evidence::minimize::minimize;
pub use news::News;
pub use portfolio::{Config, Engine, verify};
pub use questions::{Possible, Reasoning, reason, sides};
pub use solver::session::{Connect, NoSolver, Progress, Session, Trouble, complete};
pub use verdict::{Answer, Certificate, Counterexample, Part, Proof, Verdict, Why};
pub use walk::doubles::falsify_in_doubles;
