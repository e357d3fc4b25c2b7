//! Shapes backward: which outputs take what their readers need, and what a reader needs.

use super::Unit;
use super::infer::Known;
use super::rules::Case;
use crate::value::{Class, Matrix, Value};

/// Whether an output takes what its readers need if nothing else says what it is.
pub(super) fn takes_from_readers(unit: &Unit, is_source: bool) -> bool {
    let inherits = unit.words.get("OutDataTypeStr").is_some_and(|text| text.contains("back propagation"));
    is_source
        || inherits
        || matches!(
            unit.kind.as_str(),
            "Inport"
                | "SubSystem"
                | "SignalConversion"
                | "SignalSpecification"
                | "UnitDelay"
                | "Memory"
                | "Delay"
                | "Merge"
                | "ZeroOrderHold"
                | "RateTransition"
        )
}

/// What an input has to be, as far as the unit says.
pub(super) fn needed(unit: &Unit, place: usize, outputs: &[Known], inputs: &[Known]) -> Known {
    let word = unit.words.get("OutDataTypeStr").map_or("", |text| text.trim());
    let output = outputs.first().unwrap_or(&Known::NOTHING);
    let others = || inputs.iter().enumerate().filter(|(k, _)| *k != place);
    let other = || others().find_map(|(_, known)| known.class());
    match unit.kind.as_str() {
        "SubSystem" => outputs.get(place).cloned().unwrap_or(Known::NOTHING),
        "Inport"
        | "SignalConversion"
        | "SignalSpecification"
        | "UnitDelay"
        | "Memory"
        | "Merge"
        | "ZeroOrderHold"
        | "RateTransition" => output.clone(),
        "Delay" | "Gain" | "Saturate" | "RateLimiter" | "Abs" | "UnaryMinus" | "Bias" if place == 0 => {
            Known::new(output.class(), if unit.kind == "Gain" { None } else { output.size() })
        }
        "Outport" => {
            let case = Case { unit, inputs: &[], loose: false, booleans: true };
            Known::new(case.explicit(), case.given_size())
        }
        "Logic" => Known::new(Some(Class::Boolean), None),
        "Demux" => Known::new(None, width_of_demux(unit).map(|width| vec![width])),
        "Selector" if place == 0 => Known::new(None, width_of_selector(unit).map(|width| vec![width])),
        "RelationalOperator" => Known::new(other(), None),
        "Switch" if place == 1 => Known::NOTHING,
        "Switch" | "Sum" | "Product" | "MinMax" | "MultiPortSwitch"
            if word.is_empty() || word.starts_with("Inherit") =>
        {
            let data = |k: usize| unit.kind != "Switch" || k != 1;
            let other = others().filter(|(k, _)| data(*k)).find_map(|(_, known)| known.class());
            Known::new(other.or(output.class()), None)
        }
        "Switch" | "Sum" | "MinMax" => Known::new(output.class(), None),
        _ => Known::NOTHING,
    }
}

/// The width that a demux asks for: that of all its outputs.
fn width_of_demux(unit: &Unit) -> Option<usize> {
    let matrix = unit.values.get("Outputs").and_then(Value::matrix)?;
    let whole = matrix.entries.iter().all(|size| (1.0..=1e6).contains(size));
    whole.then(|| matrix.entries.iter().sum::<f64>() as usize)
}

/// The width that a selector of vectors asks for.
fn width_of_selector(unit: &Unit) -> Option<usize> {
    let number = |name: &str| unit.values.get(name).and_then(Value::matrix).and_then(Matrix::single);
    let width = number("InputPortWidth").filter(|width| (1.0..=1e6).contains(width))?;
    (number("NumberOfDimensions").unwrap_or(1.0) == 1.0).then_some(width as usize)
}
