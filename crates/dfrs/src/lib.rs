//! Data-flow reactive systems: from requirements in controlled English (SysReq-CNL) to timed models (Carvalho, Cavalcanti, Sampaio,
//! "Modelling timed reactive systems from natural-language requirements").
//!
//! - [`document`]: a text of sentences; [`dictionary`]: the words it may use
//! - [`frames`]: the thematic roles of each sentence; [`mod@lower`]: all of them as one system
//! - [`system`]: the symbolic model (s-DFRS): variables, and for each component what it does under which guards
//! - [`english`]: the system in the words of its requirements; [`mod@dump`]: with symbols
//! - [`reading`]: three ways to read it; [`step`]: its runs, step by step; [`machine`]: compiled, for speed
//! - [`replay`]: test vectors against it; [`mod@explore`], [`findings`]: everything that can happen, and what is wrong with it
//! - [`report`]: findings and scenarios in words; [`compare`]: where the readings differ; [`mod@tiots`]: as a transition system; [`discrete`]: as a `System` in steps

pub mod classes;
pub mod closure;
pub mod codes;
pub mod compare;
pub mod completeness;
pub mod dictionary;
pub mod discrete;
pub mod document;
pub mod dump;
pub mod english;
pub mod explore;
pub mod findings;
pub mod frames;
pub mod lower;
pub mod machine;
pub mod reading;
pub mod replay;
pub mod report;
pub mod scenario;
pub mod step;
pub mod suite;
pub mod system;
pub mod tiots;
pub mod vectors;
pub mod zone;

mod compile;
mod consistency;
mod cube;
mod reachability;
mod replay_engine;
mod values;
mod walk;

pub use compile::compile;
pub use dictionary::Dictionary;
pub use document::{Document, read};
pub use dump::dump;
pub use frames::Frame;
pub use lower::{Lowered, lower, lower_with};
pub use reading::{Clock, Reading, Semantics};
pub use system::{
    Assignment, Condition, Dfrs, Effect, Entry, Function, Kind, Moment, Operand, Origin, Restriction, Sort,
    Source, Timed, Variable,
};
