//! Data-flow reactive systems: from requirements in controlled English (SysReq-CNL) to timed models (Carvalho, Cavalcanti, Sampaio,
//! "Modelling timed reactive systems from natural-language requirements").
//!
//! - [`document`]: a text of sentences; [`dictionary`]: the words it may use
//! - [`frames`]: the thematic roles of each sentence; [`mod@lower`]: all of them as one system
//! - [`system`]: the symbolic model (s-DFRS): variables, and for each component what it does under which guards
//! - [`english`]: the system in the words of its requirements; [`mod@dump`]: with symbols

pub mod dictionary;
pub mod document;
pub mod dump;
pub mod english;
pub mod frames;
pub mod lower;
pub mod system;

pub use dictionary::Dictionary;
pub use document::{Document, read};
pub use dump::dump;
pub use frames::Frame;
pub use lower::{Lowered, lower, lower_with};
pub use system::{
    Assignment, Condition, Dfrs, Effect, Entry, Function, Kind, Moment, Operand, Origin, Restriction, Sort,
    Source, Timed, Variable,
};
