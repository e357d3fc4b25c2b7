//! What a block is for lowering, and which family computes it.

use super::parameters::{Fault, Outcome, word};
use super::wires::Layout;
use super::work::{Signal, Work};
use super::{arithmetic, control, discrete, formula, functions, limits, logic, lookup, matrices, memory};
use crate::plan::{Unit, UnitId, unsupported};
use crate::value::Class;
use system::{Expr, Type, Width};

/// What a unit is for lowering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// An input of the system.
    Input,
    /// It computes its outputs.
    Compute,
    /// A subsystem that does not run at every step.
    Conditional,
    /// It only carries signals.
    Wires,
    /// What it says must hold, or is assumed.
    Claim,
    /// It has no outputs.
    Nothing,
}

pub(crate) fn role(layout: &Layout, id: UnitId) -> Role {
    let unit = layout.unit(id);
    match unit.kind.as_str() {
        _ if layout.refused.contains_key(&id) && unit.outputs.is_empty() => Role::Nothing,
        _ if layout.refused.contains_key(&id) => Role::Compute,
        "Inport" if layout.home(id) == layout.top => Role::Input,
        "SubSystem" if unit.inside.is_some() && !unit.controls.is_empty() => Role::Conditional,
        "SubSystem" if unit.inside.is_some() => Role::Wires,
        "Assertion" if word(unit, "Enabled") == "off" => Role::Nothing,
        "ProofObjective" | "ProofAssumption" if word(unit, "enabled") == "off" => Role::Nothing,
        "Assertion" | "ProofObjective" | "ProofAssumption" => Role::Claim,
        "Inport"
        | "Outport"
        | "Mux"
        | "Demux"
        | "BusCreator"
        | "BusSelector"
        | "BusAssignment"
        | "Concatenate"
        | "SignalConversion"
        | "Reshape"
        | "SignalSpecification"
        | "BusToVector" => Role::Wires,
        "ActionPort" | "EnablePort" | "TriggerPort" | "ResetPort" => Role::Nothing,
        _ if unit.outputs.is_empty() => Role::Nothing,
        _ => Role::Compute,
    }
}

/// Whether it is assumed rather than claimed.
pub(crate) fn is_assumption(unit: &Unit) -> bool {
    unit.kind == "ProofAssumption"
}

/// The type of the scalars of a class.
pub(crate) fn type_of(class: Class) -> Type {
    match class {
        Class::Double | Class::Single => Type::Real,
        Class::Boolean => Type::Bool,
        Class::Integer(bits, signed) => Type::Machine(Width { signed, bits }),
    }
}

/// The outputs of a unit, and its states. Inputs that the outputs do not need are empty.
pub(crate) fn begin(
    work: &mut Work,
    id: UnitId,
    unit: &Unit,
    inputs: &[Signal],
    running: &[Expr],
) -> Outcome<Vec<Vec<Expr>>> {
    let one = |scalars: Vec<Expr>| vec![scalars];
    match unit.kind.as_str() {
        "RateTransition" => {
            is_no_faster(work.layout, unit)?;
            arithmetic::simple(work, unit, inputs).map(one)
        }
        "Constant" => arithmetic::constant(work, unit).map(one),
        "Ground" => arithmetic::ground(work, unit).map(one),
        "Sum" => arithmetic::sum(work, unit, inputs).map(one),
        "Product" => arithmetic::product(work, unit, inputs).map(one),
        "Gain" => arithmetic::gain(work, unit, inputs).map(one),
        "Bias" | "UnaryMinus" | "Abs" | "Signum" | "DataTypeConversion" | "ZeroOrderHold" | "MinMax"
        | "SampleTimeMath" | "InitialCondition" | "Polyval" | "Width" => {
            arithmetic::simple(work, unit, inputs).map(one)
        }
        "DotProduct" => matrices::dot(work, inputs).map(one),
        "Selector" => matrices::select(work, unit, inputs).map(one),
        "Assignment" => matrices::assign(work, unit, inputs).map(one),
        "RelationalOperator" => logic::compare(work, unit, inputs).map(one),
        "Logic" => logic::logic(work, unit, inputs).map(one),
        "Switch" => logic::switch(work, unit, inputs).map(one),
        "MultiPortSwitch" => logic::multiport(work, unit, inputs).map(one),
        "Math" | "Sqrt" | "Trigonometry" | "Rounding" => functions::function(work, unit, inputs),
        "Fcn" => formula::fcn(work, unit, inputs).map(one),
        "Lookup" | "Lookup2D" | "Lookup_n-D" => lookup::lookup(work, unit, inputs).map(one),
        "Saturate" | "DeadZone" | "Quantizer" => limits::limit(work, unit, inputs).map(one),
        "RateLimiter" | "Relay" => limits::limit_rate(work, id, unit, inputs).map(one),
        "UnitDelay" | "Memory" | "Delay" => memory::delay(work, id, unit, inputs).map(one),
        "DiscreteIntegrator" => discrete::integrator(work, id, unit, inputs).map(one),
        "DiscreteTransferFcn"
        | "DiscreteFilter"
        | "DiscreteFir"
        | "DiscreteZeroPole"
        | "DiscreteStateSpace" => discrete::linear(work, id, unit, inputs).map(one),
        "If" => control::if_block(work, unit, inputs),
        "SwitchCase" => control::switch_case(work, unit, inputs),
        "Merge" => control::merge(work, id, unit, inputs, running).map(one),
        kind => {
            let (message, hint) = unsupported(kind);
            Err(Fault::hint(message, hint))
        }
    }
}

/// The next values of the states that need inputs the outputs did not.
pub(crate) fn finish(work: &mut Work, id: UnitId, unit: &Unit, inputs: &[Signal]) -> Outcome<()> {
    match unit.kind.as_str() {
        "UnitDelay" | "Memory" | "Delay" => memory::finish(work, id, inputs),
        "DiscreteIntegrator" => discrete::finish_integrator(work, id, unit, inputs),
        "DiscreteTransferFcn"
        | "DiscreteFilter"
        | "DiscreteFir"
        | "DiscreteZeroPole"
        | "DiscreteStateSpace" => discrete::finish_linear(work, id, unit, inputs),
        _ => Ok(()),
    }
}

/// To a faster rate, a transition delays its input by one of its steps or not, as its settings and its machine say.
fn is_no_faster(layout: &Layout, unit: &Unit) -> Outcome<()> {
    let source = unit.inputs.first().copied().flatten();
    let Some(before) = source.and_then(|it| layout.plan.unit(it.unit)) else { return Ok(()) };
    let fits =
        |now: &Unit| now.every.is_multiple_of(before.every) && now.offset % before.every == before.offset;
    if before.every == 0 || unit.every > 0 && fits(unit) {
        return Ok(());
    }
    Err(Fault::hint(
        "a transition to a faster rate is not supported",
        "use a `UnitDelay` with the slow sample time",
    ))
}
