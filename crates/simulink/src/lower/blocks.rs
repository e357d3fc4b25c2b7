//! Which family a kind of block belongs to, which of its inputs its outputs need in the same step, and who computes it.

use super::parameters::{Fault, Outcome, entries, word};
use super::wires::Layout;
use super::work::{Signal, Work};
use super::{arithmetic, control, discrete, formula, functions, limits, logic, lookup, matrices, memory};
use crate::library::{ASSUMPTION, OBJECTIVE};
use crate::plan::{Unit, UnitId};
use crate::value::Class;
use model::{Expr, Type, Width};

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
        "Inport" if layout.home(id) == layout.top => Role::Input,
        "SubSystem" if unit.inside.is_some() && !unit.controls.is_empty() => Role::Conditional,
        "SubSystem" if unit.inside.is_some() => Role::Wires,
        "Assertion" if word(unit, "Enabled") == "off" => Role::Nothing,
        "Assertion" | OBJECTIVE | ASSUMPTION | "ProofObjective" | "ProofAssumption" => Role::Claim,
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
    matches!(unit.kind.as_str(), ASSUMPTION | "ProofAssumption")
}

/// The type of the scalars of a class.
pub(crate) fn type_of(class: Class) -> Type {
    match class {
        Class::Double | Class::Single => Type::Real,
        Class::Boolean => Type::Bool,
        Class::Integer(bits, signed) => Type::Machine(Width { signed, bits }),
    }
}

/// Whether a unit remembers.
pub(crate) fn has_memory(unit: &Unit) -> bool {
    matches!(
        unit.kind.as_str(),
        "UnitDelay"
            | "Memory"
            | "Delay"
            | "DiscreteIntegrator"
            | "DiscreteTransferFcn"
            | "DiscreteFilter"
            | "DiscreteFir"
            | "DiscreteZeroPole"
            | "DiscreteStateSpace"
            | "RateLimiter"
            | "Merge"
            | "Relay"
    )
}

/// Whether the outputs of a step depend on an input of the same step.
pub(crate) fn feedthrough(unit: &Unit, input: usize) -> bool {
    match unit.kind.as_str() {
        "UnitDelay" | "Memory" => false,
        "Delay" => input > 0 || entries(unit, "DelayLength") == [0.0],
        "DiscreteIntegrator" => input > 0 || !word(unit, "IntegratorMethod").contains("Forward"),
        "DiscreteTransferFcn"
        | "DiscreteFilter"
        | "DiscreteFir"
        | "DiscreteZeroPole"
        | "DiscreteStateSpace" => discrete::direct(unit),
        _ => true,
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
        "Constant" => arithmetic::constant(work, unit).map(one),
        "Ground" => arithmetic::ground(work, unit).map(one),
        "Sum" => arithmetic::sum(work, unit, inputs).map(one),
        "Product" => arithmetic::product(work, unit, inputs).map(one),
        "Gain" => arithmetic::gain(work, unit, inputs).map(one),
        "Bias" | "UnaryMinus" | "Abs" | "Signum" | "DataTypeConversion" | "RateTransition"
        | "ZeroOrderHold" | "MinMax" | "SampleTimeMath" | "InitialCondition" | "Polyval" | "Width" => {
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
        _ => Err(unsupported(unit)),
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

fn unsupported(unit: &Unit) -> Fault {
    let message = format!("blocks of type `{}` are not supported", unit.kind);
    let hint = match unit.kind.as_str() {
        "Integrator" | "TransferFcn" | "StateSpace" | "ZeroPole" | "Derivative" | "TransportDelay" => {
            "use its discrete counterpart"
        }
        "SubSystem" | "Reference" | "ModelReference" => {
            "save the model with its library links broken, so that the inside is there"
        }
        "S-Function" | "MATLABFcn" => "build it from basic blocks",
        _ => "check a subsystem without it, or build it from basic blocks",
    };
    Fault::hint(message, hint)
}
