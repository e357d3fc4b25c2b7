//! Files for other tools: specifications, models, test vectors and test programs.
//!
//! - [`specification`]: the requirements of a whole project, for model checkers, monitors and programs
//! - [`dfrs`](mod@dfrs): data-flow reactive systems, as models for checkers, as tables and as graphs
//! - [`system`]: transition systems as Lustre programs
//! - [`vectors`]: test traces with expected verdicts
//! - [`harness`]: test suites of controlled English as C programs
//! - [`suite`]: tests from requirements, for FRET and Kind 2 and as programs in C, Rust and Python
//!
//! Invariants: every function is pure, total and deterministic, returns text and touches no file; whatever characters the
//! user's names contain, the text is well formed.

pub mod dfrs;
pub mod harness;
pub mod specification;
pub mod suite;
pub mod system;
pub mod vectors;
