//! [`NO_DEFINITION`]: a constant has a definition.

use super::Context;
use crate::finding::Finding;
use requirement::specification::Kind;

diagnostics::codes! {
    NO_DEFINITION "W0504" "A constant has no definition.",
        "A constant without a number cannot be used as a duration, and exports leave it undefined.",
        "| LIMIT | constant | int | | |" => "| LIMIT | constant | int | | 30 |";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    for declared in context.declarations() {
        let variable = &declared.symbol.variable;
        if variable.kind == Kind::Constant && variable.definition.is_none() {
            let name = declared.name();
            let message = format!("the constant `{}` has no definition", name.text);
            let hint = "write its number in the column `definition`";
            findings.push(declared.finding(NO_DEFINITION, name.span, message, hint));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::expect_tables;

    #[test]
    fn constants() {
        expect_tables(
            &["W0504"],
            "when x > K the Pump shall always satisfy y",
            &[
                ("x;input;int\nK;constant;int;;3\ny;output;bool", &[]),
                ("x;input;int\nK;constant;int\ny;output;bool", &["W0504 K"]),
            ],
        );
    }
}
