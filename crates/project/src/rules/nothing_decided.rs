//! [`NOTHING_DECIDED`]: a response leaves its component something to decide.

use super::Context;
use crate::finding::Finding;
use crate::project::{Analysis, Known};
use diagnostics::Span;
use requirement::specification::{ContractRole, Kind};

diagnostics::codes! {
    NOTHING_DECIDED "W0507" "The component decides nothing in the response.",
        "A response about inputs and constants alone constrains the environment, which the component does not control. It may \
         be meant as an assumption.",
        "| level | input | int |\n\nthe pump shall always satisfy level < 10"
            => "| level | input | int |\n| valve | output | bool |\n\n\
                when level >= 10 the pump shall immediately satisfy !valve";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    findings.extend(context.analysis.requirements.iter().filter_map(|known| one(context, known)));
}

/// A response in which the environment decides everything.
fn one(context: &Context, known: &Known) -> Option<Finding> {
    if known.role == ContractRole::Assumption {
        return None;
    }
    let reading = known.reading.as_ref()?;
    let component =
        context.analysis.components.at(known.component?).filter(|component| component.declared)?;
    let response = reading.parsed.fields.response.as_ref()?;
    let inside = |span: Span| response.span.start <= span.start && span.end <= response.span.end;
    let mut mentioned = false;
    for name in reading.parsed.names.iter().filter(|name| inside(name.span)) {
        match component.symbol(&name.name) {
            Some(symbol) if symbol.declaration.is_some() && !symbol.kind_inferred => {
                match symbol.variable.kind {
                    Kind::Input | Kind::Constant => mentioned = true,
                    Kind::Output | Kind::Internal | Kind::Mode | Kind::Function => return None,
                }
            }
            Some(_) => return None,
            // A value of an enumeration.
            None => {}
        }
    }
    let span = Analysis::in_document(context.project, known.place, response.span);
    let message = format!("`{}` decides nothing in the response", component.name);
    let hint = "mention an output, write it as a condition, or state `- role: assumption`";
    (mentioned && reading.is_sound())
        .then(|| context.about(known.place, NOTHING_DECIDED, span, message, hint))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, pump};

    #[test]
    fn responses() {
        for (rows, sentence, expected) in [
            ("x;input;int\ny;output;bool", "when x > 3 the Pump shall always satisfy y", &[][..]),
            ("x;input;int\ny;input;bool", "when x > 3 the Pump shall always satisfy y", &["W0507 y"]),
            ("s;input;enum(a, b)", "the Pump shall always satisfy s = a", &["W0507 s = a"]),
            ("s;;", "the Pump shall always satisfy s", &[]),
        ] {
            expect(&[&pump(rows, &[sentence])], &["W0507"], expected);
        }
        let assumption =
            pump("x;input;int", &["the Pump shall always satisfy x > 3"]) + "\n- role: assumption\n";
        expect(&[&assumption], &["W0507"], &[]);
    }
}
