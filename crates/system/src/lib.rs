//! Systems: inputs, state, outputs, properties; what every front end lowers to and every engine reads.
//!
//! - [`expr`]: typed expressions, stored once; smart constructors are the only way to make one
//! - [`system`]: the model in discrete steps; `check` tests whether it is well formed, `text` prints it, `compose` combines two
//! - [`value`]: values, over exact numbers or doubles; [`mod@evaluate`]: expressions on them; [`mod@simulate`]: traces
//! - [`monitor`]: past-time formulas as part of a system
//! - [`definition`]: inputs that assumptions define; [`places`]: numbers for which only the position among constants matters
//!
//! Invariants: children have smaller ids than their parents, and no function recurses over an expression.

pub mod definition;
pub mod evaluate;
pub mod expr;
pub mod monitor;
pub mod places;
pub mod simulate;
pub mod system;
pub mod value;

mod arithmetic;
mod build;
mod check;
mod compose;
mod double;
mod text;

pub use definition::{Definition, complete};
pub use evaluate::{Evaluator, evaluate};
pub use expr::{
    Bits, EnumId, Enumeration, Expr, Function, FunctionId, Node, Pool, Signature, Type, Var, Width,
};
pub use monitor::{MonitorError, add_formula, add_formulas, names};
pub use places::Places;
pub use simulate::{Run, Step, refutes, simulate};
pub use system::{Goal, Origin, Output, Property, State, System, Variable};
pub use value::{Real, Value};
