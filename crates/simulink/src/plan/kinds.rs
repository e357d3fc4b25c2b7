//! What is known about each kind of block before any signal is: its numbers, its outputs, whether it is supported, and
//! whether its outputs depend on its inputs within a step.

use super::Unit;
use crate::value::{Matrix, Value};

/// Parameters that are numbers, for each kind. An index of dimensions stands for `1` to `30`.
const NUMBERS: [(&str, &[&str]); 47] = [
    ("Assignment", &["NumberOfDimensions", "Indices"]),
    ("Backlash", &["BacklashWidth", "InitialOutput"]),
    ("Bias", &["Bias"]),
    ("Concatenate", &["NumInputs", "ConcatenateDimension"]),
    ("Constant", &["Value"]),
    ("DeadZone", &["LowerValue", "UpperValue"]),
    ("Delay", &["DelayLength", "InitialCondition"]),
    ("Demux", &["Outputs"]),
    ("DiscreteFilter", &["Numerator", "Denominator", "InitialStates"]),
    ("DiscreteFir", &["Coefficients", "InitialStates"]),
    ("DiscreteIntegrator", &["gainval", "InitialCondition", "UpperSaturationLimit", "LowerSaturationLimit"]),
    ("DiscreteStateSpace", &["A", "B", "C", "D", "X0", "InitialCondition"]),
    ("DiscreteTransferFcn", &["Numerator", "Denominator", "InitialStates"]),
    ("DiscreteZeroPole", &["Zeros", "Poles", "Gain"]),
    ("Fcn", &[]),
    ("Gain", &["Gain"]),
    ("InitialCondition", &["Value"]),
    ("Inport", &["PortDimensions"]),
    ("Lookup", &["InputValues", "Table", "OutputValues"]),
    ("Lookup2D", &["RowIndex", "ColumnIndex", "Table", "OutputValues"]),
    ("Lookup_n-D", &["NumberOfTableDimensions", "Table"]),
    ("Memory", &["InitialCondition", "X0"]),
    ("Merge", &["InitialOutput"]),
    ("MultiPortSwitch", &["DataPortIndices"]),
    ("Mux", &[]),
    ("Outport", &["InitialOutput", "PortDimensions"]),
    ("Polyval", &["Coefs"]),
    ("ProofAssumption", &["intervals"]),
    ("ProofObjective", &["intervals"]),
    ("Quantizer", &["QuantizationInterval"]),
    ("RateLimiter", &["RisingSlewLimit", "FallingSlewLimit", "InitialCondition"]),
    ("RateTransition", &["InitialCondition", "X0"]),
    ("Relay", &["OnSwitchValue", "OffSwitchValue", "OnOutputValue", "OffOutputValue"]),
    ("Reshape", &["OutputDimensions"]),
    ("SampleTimeMath", &["weightValue"]),
    ("Saturate", &["UpperLimit", "LowerLimit"]),
    ("Selector", &["NumberOfDimensions", "InputPortWidth", "Indices", "OutputSizes"]),
    ("SignalSpecification", &["Dimensions"]),
    ("Step", &["Time", "Before", "After"]),
    ("Sum", &["CollapseDim"]),
    ("Switch", &["Threshold"]),
    ("SwitchCase", &["CaseConditions"]),
    ("UnitDelay", &["InitialCondition", "X0"]),
    ("Width", &[]),
    ("ZeroOrderHold", &[]),
    ("DataTypeConversion", &[]),
    ("PulseGenerator", &["Amplitude", "Period", "PulseWidth", "PhaseDelay"]),
];

/// Kinds that have a meaning here and no numbers of their own.
const OTHERS: [&str; 42] = [
    "Abs",
    "ActionPort",
    "Assertion",
    "BusAssignment",
    "BusCreator",
    "BusSelector",
    "BusToVector",
    "DataTypeDuplicate",
    "DataTypePropagation",
    "DocBlock",
    "DotProduct",
    "EnablePort",
    "Ground",
    "If",
    "Logic",
    "Math",
    "MinMax",
    "Product",
    "RelationalOperator",
    "ResetPort",
    "Rounding",
    "SignalConversion",
    "Signum",
    "Sqrt",
    "SubSystem",
    "Trigonometry",
    "TriggerPort",
    "UnaryMinus",
    "Terminator",
    "Scope",
    "Display",
    "FloatingScope",
    "ToWorkspace",
    "ToFile",
    "From",
    "Goto",
    "GotoTagVisibility",
    "InportShadow",
    "Stop",
    "CMBlock",
    "ModelInfo",
    "Record",
];

/// Blocks that carry a wire, show something or document: they have no unit.
pub(super) fn is_passive(kind: &str) -> bool {
    matches!(
        kind,
        "From"
            | "Goto"
            | "GotoTagVisibility"
            | "InportShadow"
            | "Terminator"
            | "Scope"
            | "Display"
            | "FloatingScope"
            | "ToWorkspace"
            | "ToFile"
            | "Stop"
            | "DataTypeDuplicate"
            | "DataTypePropagation"
            | "DocBlock"
            | "CMBlock"
            | "ModelInfo"
            | "Record"
    )
}

/// Parameters of a kind that are numbers.
pub(super) fn numbers(kind: &str) -> Vec<String> {
    let listed = NUMBERS.iter().find(|(other, _)| *other == kind).map_or(&[][..], |(_, names)| names);
    let mut names: Vec<String> = listed.iter().map(ToString::to_string).collect();
    if kind == "Lookup_n-D" {
        for stem in ["", "FirstPoint", "Spacing"] {
            names.extend((1..=30).map(|number| format!("BreakpointsForDimension{number}{stem}")));
        }
    }
    names
}

/// Why a block has no meaning here, and what could be done instead.
pub(crate) fn refusal(unit: &Unit) -> Option<(String, &'static str)> {
    let word = |name: &str| unit.words.get(name).map_or("", String::as_str);
    let known = NUMBERS.iter().any(|(kind, _)| *kind == unit.kind) || OTHERS.contains(&unit.kind.as_str());
    let inner = word("SFBlockType");
    match unit.kind.as_str() {
        _ if word("Commented") == "through" => {
            Some(("a block that is commented through is not supported".into(), "replace it by a line"))
        }
        "SubSystem" if word("Variant") == "on" => {
            Some(("variants are not supported".into(), "put the active one in its place"))
        }
        "Inport" | "Outport" if word("IsBusElementPort") == "on" => Some((
            "a port of one element of a bus is not supported".into(),
            "take the whole bus, and select its element",
        )),
        "RateTransition" if word("OutPortSampleTimeOpt").starts_with("Multiple") => {
            Some(("its rate is a multiple, which is not supported".into(), "give the sample time in seconds"))
        }
        "SubSystem" if !matches!(inner, "" | "NONE") => {
            Some((format!("`{inner}` is not supported"), "draw it with blocks, or give it a contract"))
        }
        "SubSystem" if unit.inside.is_none() => {
            Some(("the inside of this subsystem is not in the file".into(), "save the model with it"))
        }
        _ if known => None,
        "Integrator" | "TransferFcn" | "StateSpace" | "ZeroPole" | "Derivative" | "TransportDelay" => {
            Some(("this block is continuous".into(), "use its discrete form: models run in fixed steps"))
        }
        "Reference" => {
            let source = word("SourceBlock").split_whitespace().collect::<Vec<&str>>().join(" ");
            Some((
                format!("the link to the library block `{source}` is not resolved"),
                "break the link and save the model",
            ))
        }
        "M-S-Function" if word("FunctionName") == "contract" => Some((
            "this block watches a CoCoSim contract".into(),
            "check the requirements of the contract instead",
        )),
        "ModelReference" => {
            Some(("references to other models are not followed".into(), "put the model in as a subsystem"))
        }
        "S-Function" | "M-S-Function" | "MATLABFcn" => {
            Some(("code is not read".into(), "draw it with blocks, or give it a contract"))
        }
        kind => Some(unsupported(kind)),
    }
}

/// Why a kind has no meaning here.
pub(crate) fn unsupported(kind: &str) -> (String, &'static str) {
    (format!("blocks of the type `{kind}` are not supported"), "replace it by basic blocks")
}

/// Whether a block that is refused says how its whole sheet runs, or what leaves it.
pub(crate) fn governs(unit: &Unit) -> bool {
    let alone = unit.outputs.is_empty() && unit.inputs.iter().all(Option::is_none);
    alone || matches!(unit.kind.as_str(), "Outport" | "ForIterator" | "WhileIterator" | "ForEach")
}

/// The number of outputs; none if the kind does not say.
pub(super) fn outputs(unit: &Unit) -> Option<usize> {
    let word = |name: &str| unit.words.get(name).map_or("", String::as_str);
    Some(match unit.kind.as_str() {
        "Outport" | "ActionPort" | "ResetPort" | "Assertion" | "ProofObjective" | "ProofAssumption" => 0,
        "EnablePort" | "TriggerPort" => usize::from(word("ShowOutputPort") == "on"),
        "BusSelector" if word("OutputAsBus") == "on" => 1,
        "BusSelector" => word("OutputSignals").split(',').count(),
        "Demux" => match unit.values.get("Outputs").and_then(Value::matrix) {
            Some(matrix) => {
                matrix.single().map_or(matrix.entries.len(), |count| count.clamp(0.0, 1e5) as usize)
            }
            None => return None,
        },
        "If" => 1 + clauses(word("ElseIfExpressions")).len() + usize::from(word("ShowElse") != "off"),
        "SwitchCase" => match unit.values.get("CaseConditions") {
            Some(Value::Cell(cases)) => cases.len() + usize::from(word("ShowDefaultCase") == "on"),
            _ => return None,
        },
        "Trigonometry" => 1 + usize::from(word("Operator") == "sincos"),
        kind if NUMBERS.iter().any(|(other, _)| *other == kind) || OTHERS.contains(&kind) => {
            if kind == "SubSystem" { return None } else { 1 }
        }
        _ => return None,
    })
}

/// The parts of a list with commas outside of brackets.
pub(crate) fn clauses(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0i64, 0, vec![]);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    if text.trim().is_empty() { vec![] } else { parts }
}

/// Whether outputs depend on an input within a step.
pub(crate) fn is_direct(unit: &Unit, input: usize) -> bool {
    let word = |name: &str| unit.words.get(name).map_or("", String::as_str);
    let matrix = |name: &str| unit.values.get(name).and_then(Value::matrix);
    let starts = |name: &str| matrix(name).is_none_or(|it| it.entries.first().is_none_or(|it| *it != 0.0));
    let fits = |over: &str, under: &str| match (matrix(over), matrix(under)) {
        (Some(over), Some(under)) => over.entries.len() >= under.entries.len(),
        _ => true,
    };
    match unit.kind.as_str() {
        "UnitDelay" | "Memory" => false,
        "Delay" => input > 0 || matrix("DelayLength").and_then(Matrix::single) == Some(0.0),
        "DiscreteIntegrator" => input > 0 || !word("IntegratorMethod").contains("Forward"),
        "DiscreteTransferFcn" => fits("Numerator", "Denominator") && starts("Numerator"),
        "DiscreteFilter" => starts("Numerator"),
        "DiscreteFir" => starts("Coefficients"),
        "DiscreteZeroPole" => fits("Zeros", "Poles"),
        "DiscreteStateSpace" => matrix("D").is_none_or(|it| it.entries.iter().any(|entry| *entry != 0.0)),
        _ => true,
    }
}

/// Whether a block remembers: its output changes even if its inputs do not.
pub(crate) fn remembers(kind: &str) -> bool {
    matches!(
        kind,
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
            | "Relay"
            | "Backlash"
            | "Merge"
            | "Inport"
            | "Step"
            | "PulseGenerator"
    )
}
