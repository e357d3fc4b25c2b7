//! [`DECLARED_TWICE`]: the tables of a component declare each variable once.

use super::Context;
use crate::finding::Finding;
use diagnostics::{Diagnostic, Span};
use rustc_hash::FxHashMap;

diagnostics::codes! {
    DECLARED_TWICE "E0512" "A variable is declared twice in one component.",
        "The first of two declarations counts, which surprises whoever reads the second.",
        "| level | input | int 0..10 |\n| level | input | real |" => "| level | input | int 0..10 |";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    let mut first: FxHashMap<(&str, &str), (usize, Span)> = FxHashMap::default();
    for (document, text) in context.project.documents.iter().enumerate() {
        for table in &text.tables {
            for row in &table.rows {
                let name = &row.declaration.name;
                let key = (table.component.text.as_str(), name.text.as_str());
                let (where_first, span) = *first.entry(key).or_insert((document, name.span));
                if (where_first, span) != (document, name.span) {
                    let message = format!("`{}` is declared twice for `{}`", name.text, table.component.text);
                    let hint = "keep one of the two; the first counts";
                    let diagnostic = Diagnostic::new(DECLARED_TWICE, name.span, message, hint);
                    let found = Finding::new(document, diagnostic);
                    findings.push(found.related(where_first, span, "first declared here"));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, pump};

    #[test]
    fn declarations() {
        let again = pump("x;input;int\nx;input;real", &[]);
        expect(&[&again], &["E0512"], &["E0512 x (x)"]);
        let text = pump("y;output;bool", &["the Pump shall always satisfy y"]);
        expect(&[&text, &pump("y;output;bool", &[])], &["E0512"], &["E0512 y (y)"]);
    }
}
