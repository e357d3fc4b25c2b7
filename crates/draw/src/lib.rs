//! Drawings: requirements, formulas and traces for a terminal, as SVG files and in other picture formats.
//!
//! What is drawn:
//!
//! - [`diagram`]: the scene of a requirement: SVG, terminal
//! - [`timeline`](mod@timeline): what a formula allows: SVG, PNG, terminal, Graphviz, LaTeX
//! - [`waveform`](mod@waveform): a trace of a model as signals over time: SVG, VCD
//! - [`signals`]: a scenario of a data-flow reactive system as signals over time: SVG, terminal
//! - [`table`]: a trace as a table: terminal, CSV
//! - [`blocks`]: a block diagram: SVG
//!
//! What they are drawn with: `svg`, the one writer of SVG with its styles and text measures, and [`terminal`], the
//! width of text in a terminal.
//!
//! Invariants: every function is pure, total and deterministic, returns text or bytes and touches no file; whatever
//! characters the user's names contain, the text is well formed.

pub mod blocks;
pub mod diagram;
pub mod signals;
mod svg;
pub mod table;
pub mod terminal;
pub mod timeline;
pub mod waveform;

pub use svg::escape;
pub use terminal::columns;
