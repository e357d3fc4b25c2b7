//! What leaves the tool for other tools: models, specifications, test vectors and test programs.
//!
//! - [`dfrs`](mod@dfrs): data-flow reactive systems for checkers, as tables and as graphs
//! - [`specification`]: the requirements of a whole project for model checkers, monitors and programs
//! - [`system`]: models in steps as Lustre programs
//! - [`vectors`]: test traces with expected verdicts, for other tools
//!
//! Invariants: every function is pure, total and deterministic, gives text or bytes and touches no file; whatever
//! characters the user's names contain, the text is well formed.

pub mod dfrs;
pub mod harness;
pub mod specification;
pub mod system;
pub mod vectors;
