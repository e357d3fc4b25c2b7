//! Files for other tools: specifications, models, test vectors and test programs.
//!
//! - [`specification`]: the requirements of a whole project, for model checkers, monitors and programs
//! - [`dfrs`](mod@dfrs): data-flow reactive systems, as models for checkers, as tables and as graphs
//! - [`system`]: transition systems as Lustre programs
//! - [`vectors`]: test traces with expected verdicts
//! - [`harness`]: test suites as C programs
//!
//! Invariants: every function is pure, total and deterministic, returns text and touches no file; whatever characters the
//! user's names contain, the text is well formed.

pub mod dfrs;
pub mod harness;
pub mod specification;
pub mod system;
pub mod vectors;
