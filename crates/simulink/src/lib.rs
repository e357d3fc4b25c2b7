//! Simulink models, read without MATLAB: files, what they mean, and what they mean as a `model::System`.
//!
//! - [`diagram`]: what a file says, before any meaning: sheets, blocks, lines, parameters as text
//! - [`read`], [`write()`]: model files to a [`diagram::Diagram`] (`mdl` and `slx`, by way of one `tree`), and back to text
//! - [`library`]: links to library blocks, resolved
//! - [`value`]: values of MATLAB expressions; [`matlab`]: constant expressions; [`mat`]: data files
//! - [`mod@plan`]: the diagram with its wires resolved, parameters evaluated, types and sizes found
//! - [`mod@info`]: what a plan says about components and ports, for people and for other tools
//! - [`mod@attach`]: contracts beside the systems of models; [`mod@observer`]: observers as blocks
//! - [`mod@lower`]: the plan as a `model::System`, one file per family of blocks
//!
//! Invariants: any bytes are read without a panic, within limits that are values; what is not supported is listed by path
//! and type, never dropped in silence; no I/O.

pub mod attach;
mod blocks;
pub mod diagram;
pub mod info;
pub mod library;
pub mod lower;
pub mod mat;
pub mod matlab;
pub mod observer;
pub mod plan;
mod read;
pub mod value;
mod write;

pub use blocks::BlockKind;
pub use exchange::{Limits, Place, Spot, Trouble};
pub use read::{Reading, read};
pub use write::write;
