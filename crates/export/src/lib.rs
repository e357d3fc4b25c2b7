//! What leaves the tool as a document: drawings of requirements and tables of traces.
//!
//! - [`dfrs`](mod@dfrs): data-flow reactive systems for checkers, as tables, graphs and signals over time
//! - [`diagram`]: the scene of a requirement, for a terminal and as an SVG file
//! - [`timeline`](mod@timeline): what a formula allows, drawn: SVG, PNG, terminal, Graphviz, LaTeX; and read back
//! - [`specification`]: the requirements of a whole project for model checkers, monitors and programs
//! - [`system`]: models in steps as Lustre programs
//! - [`table`]: a trace as a table for people and as CSV for programs
//! - [`waveform`](mod@waveform): a run of a model as signals over time: SVG, and VCD for viewers of waves
//! - [`vectors`]: test traces with expected verdicts, for other tools
//!
//! Invariants: every function is pure, total and deterministic, gives text or bytes and touches no file; whatever
//! characters the user's names contain, the text is well formed.

pub mod dfrs;
pub mod diagram;
pub mod harness;
pub mod specification;
pub mod system;
pub mod table;
pub mod timeline;
pub mod vectors;
pub mod waveform;

mod words;

pub use words::columns;
