//! [`UNUSED_VARIABLE`]: a sentence or a definition uses each declared variable.

use super::Context;
use crate::finding::Finding;

diagnostics::codes! {
    UNUSED_VARIABLE "W0502" "No sentence uses a declared variable.",
        "A variable that no sentence and no definition uses is left over, or the requirement that needs it is missing.",
        "| spare | input | int |\n| alarm | output | bool |\n\nthe pump shall always satisfy alarm"
            => "| alarm | output | bool |\n\nthe pump shall always satisfy alarm";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    for declared in context.declarations().filter(|declared| !context.is_used(declared)) {
        let (name, component) = (declared.name(), &declared.component.name);
        let message = format!("no sentence of `{component}` uses `{}`", name.text);
        let hint = "remove the row, or write the requirement that needs it";
        findings.push(declared.finding(UNUSED_VARIABLE, name.span, message, hint));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::expect_tables;

    #[test]
    fn unused_variables() {
        expect_tables(
            &["W0502"],
            "when x > 3 the Pump shall always satisfy y",
            &[
                ("x;input;int\ny;output;bool", &[]),
                ("x;input;int\nz;input;int\ny;output;bool", &["W0502 z"]),
                ("x;input;int\nz;input;int\ny;output;bool;;z > 3", &[]),
            ],
        );
    }
}
