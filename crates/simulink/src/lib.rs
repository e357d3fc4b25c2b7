//! Simulink models without MATLAB: reading files, compiling them into a plan, and lowering the plan to a `system::System`.
//!
//! In the order of the phases:
//!
//! - [`read`]: model files (`.mdl` and `.slx`) to a [`diagram::Diagram`]: sheets, blocks, lines, and parameters as text;
//!   [`mat`]: data files; [`matlab`]: constant expressions, with their [`value`]s
//! - [`mod@chart`]: Stateflow charts and the code of MATLAB Function blocks, as in the file
//! - [`library`]: replaces links to library blocks with ordinary blocks, or with the content of other files
//! - [`mod@plan`]: the diagram with its wires resolved, parameters evaluated, and classes, sizes and sample times inferred
//! - `blocks`: [`BlockKind`], and the definition of each kind, one file for each family of blocks
//! - [`mod@lower`]: the plan as a `system::System`; [`mod@attach`]: contracts attached to such a system
//! - [`mod@info`]: components and ports, for people and for other tools; [`mod@observer`]: requirements as blocks;
//!   [`write()`]: a diagram as `.mdl` text
//!
//! Invariants: reading never panics, whatever the bytes, and stays within limits that are values; what is not supported is listed by
//! path and type, never dropped silently; no I/O.

pub mod attach;
mod blocks;
pub mod chart;
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
pub use container::FileError;
pub use container::Limits;
pub use container::Place;
pub use container::Spot;
pub use library::abstract_block;
pub use read::{Reading, read};
pub use write::write;
