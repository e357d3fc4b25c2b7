//! Data-flow reactive systems: from requirements in controlled English (SysReq-CNL) to timed models (Carvalho, Cavalcanti, Sampaio,
//! "Modelling timed reactive systems from natural-language requirements").
//!
//! - [`system`]: the symbolic model (s-DFRS): variables, and for each component what it does under which guards

pub mod system;

pub use system::{
    Assignment, Condition, Dfrs, Effect, Entry, Function, Kind, Moment, Operand, Origin, Restriction, Sort,
    Source, Timed, Variable,
};
