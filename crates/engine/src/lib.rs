//! Engines that decide properties of a `system::System`, with evidence for each verdict.
//!
//! - [`verify`]: all engines within a time limit; [`Verdict`]: valid with a [`Certificate`], invalid with a replayed trace, or
//!   unknown with a reason
//! - [`check`]: the separate checker of certificates
//! - [`Connect`], [`Session`]: how a solver process is reached; `solver::process` talks to it, `solver::bits` needs none
//! - [`minimize`]: counterexamples made short and simple
//! - engines: `bmc`, `induction`, `ic3`, `invariants`, `random`, `boxes` for nonlinear inequalities, and [`mod@explicit`], a search
//!   through all states
//! - `liveness`: what must recur on infinite behaviours, by measures and lassos
//! - [`falsify_in_doubles`]: what holds for real numbers may fail in doubles
//!
//! Invariants: no I/O and no clock here. A property is valid only if the checker agrees (or a search visited every state, which the
//! certificate then states), and invalid only if the simulator agrees.

mod engines;
mod evidence;
mod liveness;
mod portfolio;
mod prepare;
mod progress;
mod questions;
mod solver;
mod verdict;
mod walk;

pub use engines::explicit;
pub use evidence::certificate::check;
pub use evidence::minimize::minimize;
pub use liveness::{Measure, verify};
pub use portfolio::{Config, Engine};
pub use progress::Progress;
pub use questions::{Possible, Reasoning, reason, sides};
pub use solver::session::{AnswerScanner, Connect, NoSolver, Session, SolverError, complete};
pub use verdict::{Answer, Certificate, Counterexample, Loop, Part, Proof, Recurrence, Verdict, Why};
pub use walk::doubles::falsify_in_doubles;
