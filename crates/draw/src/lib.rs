//! Drawings: requirements, formulas and traces for a terminal, as SVG files and in other formats for pictures.
//!
//! - [`diagram`]: the scene of a requirement, for a terminal and as an SVG file
//! - [`timeline`](mod@timeline): what a formula allows, drawn: SVG, PNG, terminal, Graphviz, LaTeX; and read back
//! - [`table`]: a trace as a table for people and as CSV for programs
//! - [`waveform`](mod@waveform): a trace of a model as signals over time: SVG, and VCD for waveform viewers
//! - [`signals`]: a scenario of a data-flow reactive system as signals over time
//! - [`words`]: text in a terminal
//!
//! Invariants: every function is pure, total and deterministic, returns text or bytes and touches no file; whatever
//! characters the user's names contain, the text is well formed.

pub mod diagram;
pub mod signals;
pub mod table;
pub mod timeline;
pub mod waveform;
pub mod words;

pub use diagram::canvas::escape;
pub use words::columns;
