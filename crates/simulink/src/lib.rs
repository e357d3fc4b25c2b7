//! Simulink models, read without MATLAB: files, what they mean, and what they mean as a `model::System`.
//!
//! - [`diagram`]: what a file says, before any meaning: sheets, blocks, lines, parameters as text
//! - `mdl`, `slx`: the two file formats, both to a [`diagram::Diagram`]
//! - [`value`]: values of MATLAB expressions; `matlab`: constant expressions; `mat`: data files
//! - [`plan`]: the diagram with its wires resolved, parameters evaluated, types and sizes found
//! - `lower`: the plan as a `model::System`, one file per family of blocks
//!
//! Invariants: any bytes are read without a panic, within limits that are values; what is not supported is listed by path
//! and type, never dropped in silence; no I/O.

pub mod diagram;
pub mod plan;
pub mod value;
