//! Blocks that repeat the inside of their subsystem within a step: `ForIterator` and `WhileIterator`.
//!
//! The turns are unrolled, so their number needs a limit: a number, or the greatest value of a small type.

use super::{Definition, ELEMENTWISE, Lowering};
use crate::lower::Work;
use crate::plan::{Fault, Outcome, Unit};
use crate::value::Class;
use system::{Expr, Node, Pool, Type};

/// The maximum number of turns in a step.
pub(super) const MAX_TURNS: usize = 1_000;

pub(super) const FOR_ITERATOR: Definition = Definition {
    numbers: &["IterationLimit"],
    uses: |unit, _| unit.word("IterationSource") != "external",
    defaults: &[("IterationLimit", "5"), ("ShowIterationPort", "on")],
    outputs: |unit| Some(usize::from(unit.is_on("ShowIterationPort"))),
    refusal: |unit| {
        unit.is_on("ExternalIncrement").then(|| {
            Fault::hint("a loop that sets its number itself is not supported", "let it count by one")
        })
    },
    governs: true,
    shapes: |case| {
        let names = ["IterationVariableDataType", "OutputDataType"].map(|it| case.unit.word(it));
        let class = names.into_iter().find_map(Class::named).unwrap_or(Class::Integer(32, true));
        case.one(Some(class), Some(vec![1]))
    },
    sample_time: |_| None,
    direct: |_, _| false,
    lowering: Lowering::Nothing,
    ..ELEMENTWISE
};

pub(super) const WHILE_ITERATOR: Definition = Definition {
    numbers: &["MaxIters"],
    uses: |_, _| true,
    defaults: &[("MaxIters", "5"), ("ShowIterationPort", "off"), ("WhileBlockType", "while")],
    ..FOR_ITERATOR
};

/// How often a loop goes round in a step.
pub(crate) struct Turns {
    /// The maximum number of turns.
    pub(crate) most: usize,
    /// Whether the first turn takes place.
    pub(crate) begins: Expr,
    /// Whether states begin anew in each step.
    pub(crate) resets: bool,
}

/// The turns of a loop, with the inputs of its iterator that come from outside.
pub(crate) fn turns(
    work: &mut Work,
    unit: &Unit,
    first: Option<Expr>,
    second: Option<Expr>,
) -> Outcome<Turns> {
    let resets = unit.word("ResetStates") == "reset";
    if unit.kind == super::BlockKind::WhileIterator {
        if unit.single("MaxIters").is_some_and(|it| it < 0.0) {
            return Err(Fault::hint(
                "its number of turns has no limit",
                "give a maximum number of iterations",
            ));
        }
        let most = unit.count("MaxIters", MAX_TURNS)?;
        let begins = match (unit.word("WhileBlockType"), second) {
            ("do-while", _) => Pool::TRUE,
            (_, Some(condition)) => work.truth_of(condition),
            (_, None) => {
                return Err(Fault::new("its initial condition does not come from outside its subsystem"));
            }
        };
        return Ok(Turns { most, begins, resets });
    }
    if unit.word("IterationSource") != "external" {
        let most = unit.count("IterationLimit", MAX_TURNS)?;
        return Ok(Turns { most, begins: Pool::TRUE, resets });
    }
    let limit =
        first.ok_or_else(|| Fault::new("its number of turns does not come from outside its subsystem"))?;
    let ty = work.pool().type_of(limit);
    let real = work.real_of(limit);
    let most = match (work.pool().node(real), ty) {
        (Node::Real(number), _) => Some(number.to_f64().value()),
        (_, Type::Machine(width)) => Some(width.greatest() as f64),
        _ => None,
    };
    let Some(most) = most.filter(|it| *it <= MAX_TURNS as f64) else {
        let message = format!("its number of turns is a signal that may be greater than {MAX_TURNS}");
        return Err(Fault::hint(message, "give it as a number, or as a signal of the type uint8"));
    };
    let whole = work.round("Zero", real);
    let zero = work.ratio(0, 1);
    let begins = work.pool().gt(whole, zero);
    Ok(Turns { most: most.max(0.0) as usize, begins, resets })
}
