//! [`COMPONENT_SPELLING`]: a component is spelt as it is declared. The fix writes the declared name.

use super::{Context, quoted};
use crate::finding::Finding;
use crate::project::Analysis;
use diagnostics::Hint;

diagnostics::codes! {
    COMPONENT_SPELLING "W0508" "A component is spelt almost like a declared one.",
        "A sentence about a misspelt component belongs to another component, without its variables.",
        "# RollAutopilot\n\n| on | output | bool |\n\nthe RollAutoPilot shall always satisfy on"
            => "# RollAutopilot\n\n| on | output | bool |\n\nthe RollAutopilot shall always satisfy on";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    for (at, (_, near)) in context.components().enumerate() {
        let Some(near) = near else { continue };
        for known in context.analysis.requirements.iter().filter(|known| known.component == Some(at)) {
            let field = known.reading.as_ref().and_then(|reading| reading.parsed.fields.component.as_ref());
            let Some(field) = field else { continue };
            let span = Analysis::in_document(context.project, known.place, field.span);
            let message = format!("the component `{}` is not declared, but `{near}` is", field.text);
            let hint = Hint::did_you_mean(near).written(quoted(near)).safe();
            findings.push(context.about(known.place, COMPONENT_SPELLING, span, message, hint));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, fixed, pump};

    #[test]
    fn components() {
        let text = pump("x;output;bool", &["the Pumpp shall always satisfy x"]);
        expect(&[&text], &["W0508"], &["W0508 Pumpp"]);
        assert_eq!(fixed(&[&text], "W0508"), text.replace("Pumpp", "Pump"));
        expect(&[&pump("x;output;bool", &["the Valve shall always satisfy x"])], &["W0508"], &[]);
    }
}
