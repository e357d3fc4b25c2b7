//! [`UNCONSTRAINED`]: each output that is used occurs in a response.

use super::Context;
use crate::finding::Finding;
use requirement::specification::Kind;

diagnostics::codes! {
    UNCONSTRAINED "W0506" "No response constrains an output.",
        "An output that occurs in no response may do anything: every implementation satisfies the requirements.",
        "| alarm | output | bool |\n| off | output | bool |\n\nwhen alarm the pump shall immediately satisfy off"
            => "| level | input | int |\n| alarm | output | bool |\n\n\
                when level > 3 the pump shall immediately satisfy alarm";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    for declared in context.declarations().filter(|declared| context.is_used(declared)) {
        let symbol = declared.symbol;
        let output = symbol.variable.kind == Kind::Output && !symbol.kind_inferred;
        if output && !symbol.uses.iter().any(|used| used.decides) {
            let name = declared.name();
            let message = format!("no response constrains the output `{}`", name.text);
            let hint = "write a requirement for it, or declare it as an input";
            findings.push(declared.finding(UNCONSTRAINED, name.span, message, hint));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::expect_tables;

    #[test]
    fn outputs() {
        expect_tables(
            &["W0506"],
            "when x > 3 the Pump shall always satisfy y",
            &[
                ("x;input;int\ny;output;bool", &[]),
                ("x;output;int\ny;output;bool", &["W0506 x"]),
                ("x;;int\ny;output;bool", &[]),
            ],
        );
    }
}
