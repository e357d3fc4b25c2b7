//! Data-flow reactive systems: from requirements in controlled English (SysReq-CNL) to timed models (Carvalho, Cavalcanti, Sampaio,
//! "Modelling timed reactive systems from natural-language requirements").
//!
//! The modules are grouped by phase, and each phase uses only those before it:
//!
//! - `text`: sentences, and the thematic roles of their phrases
//! - `model`: the words of a project, and the symbolic system (s-DFRS) made from the sentences: variables, and for each component what it does under which guards
//! - `semantics`: three ways to read it, its runs step by step, and compiled for speed
//! - `analysis`: everything that can happen, and what is wrong with it
//! - `testing`: test suites, and test vectors against the system
//! - [`discrete`]: the system in discrete time as a `system::System`, for the engines

mod analysis;
pub mod codes;
pub mod discrete;
mod model;
mod semantics;
mod testing;
mod text;

pub(crate) use analysis::completeness;
pub use analysis::{compare, explore, findings, report, scenario};
pub use model::dictionary::Dictionary;
pub use model::dump::dump;
pub use model::lower::{Lowered, lower, lower_with};
pub use model::system::{
    Assignment, Condition, Dfrs, Effect, Entry, Function, Kind, Moment, Operand, Origin, Restriction, Sort,
    Source, Timed, Variable,
};
pub use model::{english, system};
pub use semantics::classes;
pub use semantics::closure;
pub use semantics::machine;
pub use semantics::machine::compile;
pub(crate) use semantics::reading;
pub use semantics::reading::{Clock, Reading, Semantics};
pub use semantics::step;
pub use semantics::tiots;
pub(crate) use semantics::zone;
pub use testing::replay;
pub use testing::suite;
pub use testing::vectors;
pub use text::document::{Document, read};
pub use text::frames::Frame;
pub use text::{document, frames};
