//! Blocks that are not supported, each with the reason and an alternative.

use super::{BlockKind, Definition, ELEMENTWISE};
use crate::plan::Fault;

/// An unknown type.
pub(super) const UNKNOWN: Definition =
    Definition { outputs: |_| None, refusal: |unit| Some(kind(&unit.kind)), ..ELEMENTWISE };

/// A block that sets how often the inside of its subsystem runs.
pub(super) const ITERATOR: Definition = Definition { governs: true, ..UNKNOWN };

pub(super) const CONTINUOUS: Definition = Definition {
    refusal: |_| {
        Some(Fault::hint(
            "this block is continuous",
            "use its discrete form, because models run in fixed steps",
        ))
    },
    ..UNKNOWN
};

pub(super) const REFERENCE: Definition = Definition {
    refusal: |unit| {
        let source = unit.word("SourceBlock").split_whitespace().collect::<Vec<&str>>().join(" ");
        let message = format!("the link to the library block `{source}` is not resolved");
        Some(Fault::hint(message, "break the link and save the model"))
    },
    ..UNKNOWN
};

pub(super) const MODEL_REFERENCE: Definition = Definition {
    refusal: |_| {
        Some(Fault::hint("references to other models are not followed", "insert the model as a subsystem"))
    },
    ..UNKNOWN
};

pub(super) const CODE: Definition = Definition {
    refusal: |_| Some(Fault::hint("code is not read", "replace it with blocks, or give it a contract")),
    ..UNKNOWN
};

pub(super) const M_S_FUNCTION: Definition = Definition {
    refusal: |unit| match unit.word("FunctionName") {
        "contract" => Some(Fault::hint(
            "this block watches a CoCoSim contract",
            "check the requirements of the contract instead",
        )),
        _ => (CODE.refusal)(unit),
    },
    ..UNKNOWN
};

/// The error for a kind that is not supported.
pub(super) fn kind(kind: &BlockKind) -> Fault {
    Fault::hint(format!("blocks of the type `{kind}` are not supported"), "replace it with basic blocks")
}
