//! Blocks that are not supported, each with the reason and an alternative.

use super::{BlockKind, Definition, ELEMENTWISE, Instance, Lowering};
use crate::library::CLOSED;
use crate::lower::Work;
use crate::plan::{Fault, Known, Outcome};
use system::Expr;

/// An unknown type.
pub(super) const UNKNOWN: Definition =
    Definition { outputs: |_| None, refusal: |unit| Some(kind(&unit.kind)), ..ELEMENTWISE };

/// A block that the user replaces: its outputs may have any values, of the types that their readers need.
pub(super) const ABSTRACT: Definition = Definition {
    outputs: |_| None,
    shapes: |case| vec![Known::NOTHING; case.unit.outputs.len()],
    inherits: true,
    remembers: true,
    direct: |_, _| false,
    sample_time: |_| None,
    lowering: Lowering::All(free),
    ..ELEMENTWISE
};

/// A linear system without a value; one with a value becomes a block for its form.
pub(super) const LINEAR_SYSTEM: Definition = Definition { numbers: &["IC", "Y0", "U0"], ..ELEMENTWISE };

pub(super) const REFERENCE: Definition = Definition {
    refusal: |unit| {
        if !unit.word(CLOSED).is_empty() {
            return Some(Fault::new(unit.word(CLOSED)));
        }
        let source = unit.word("SourceBlock").split_whitespace().collect::<Vec<&str>>().join(" ");
        let message = format!("the link to the library block `{source}` is not resolved");
        let library = source.split('/').next().unwrap_or_default();
        let fault =
            Fault::hint(message, "put the library beside the model, or break the link and save the model");
        Some(fault.because(format!("the library `{library}` is not resolved")))
    },
    ..UNKNOWN
};

pub(super) const MODEL_REFERENCE: Definition = Definition {
    refusal: |unit| {
        let reason = unit.word(CLOSED);
        if !reason.is_empty() {
            return Some(Fault::new(reason));
        }
        let name = ["ModelName", "ModelNameDialog", "ModelFile"].map(|it| unit.word(it));
        let name = name.into_iter().find(|it| !it.is_empty()).unwrap_or_default();
        let name = name.trim_end_matches(".slx").trim_end_matches(".mdl");
        let hint = "put the file of the model beside this one";
        Some(Fault::hint(format!("the model `{name}` that it refers to is not there"), hint))
    },
    ..UNKNOWN
};

pub(super) const CODE: Definition = Definition {
    refusal: |_| {
        Some(Fault::hint(
            "code is not read",
            "replace it with blocks, or with free inputs (`--abstract PATH`)",
        ))
    },
    ..UNKNOWN
};

/// A second-order integrator that two integrators do not replace (`library::second`).
pub(super) const SECOND_ORDER: Definition = Definition {
    refusal: |_| {
        Some(Fault::hint(
            "an `x` that wraps, that starts `dx/dt` again at its limits, or that has limits together with ports is not supported",
            "use two integrators",
        ))
    },
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

/// Inputs of the system instead of the outputs of a block.
fn free(work: &mut Work, block: &Instance) -> Outcome<Vec<Vec<Expr>>> {
    work.free(block)
}

/// The error for a kind that is not supported.
pub(super) fn kind(kind: &BlockKind) -> Fault {
    let hint = "replace it with basic blocks, or with free inputs (`--abstract PATH`)";
    Fault::hint(format!("blocks of the type `{kind}` are not supported"), hint)
}
