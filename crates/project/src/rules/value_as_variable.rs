//! [`VALUE_AS_VARIABLE`]: a variable is not called like a value of an enumeration of its component, because sentences could
//! mean either.

use super::Context;
use crate::finding::Finding;
use diagnostics::Diagnostic;

diagnostics::codes! {
    VALUE_AS_VARIABLE "E0526" "A variable is called like a value of an enumeration.",
        "A name that stands for a variable and for a value is read as the variable, so `state = filling` compares the state with \
         the mode, and not with its value. `shall rename variable` leaves the value as it is.",
        "| state | input | enum(idle, filling) |\n| filling | mode | bool | | `state = filling` |"
            => "| state | input | enum(idle, filling) |\n| is_filling | mode | bool | | `state = filling` |";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    for component in context.analysis.components.iter() {
        for symbol in &component.variables {
            let name = &symbol.variable.name;
            let (Some(declared), Some(other)) = (symbol.declaration, component.enumeration_of(name)) else {
                continue;
            };
            let place = |at: crate::component::Declared| {
                let table = &context.project.documents[at.document].tables[at.table];
                (at.document, table.rows[at.row].declaration.name.span)
            };
            let (kind, of) = (symbol.variable.kind.name(), &other.variable.name);
            let article = if kind.starts_with(['i', 'o']) { "an" } else { "a" };
            let message = format!("`{name}` is {article} {kind} and also a value of `{of}`");
            let hint = format!("give it another name: `shall rename variable {name} is_{name}`");
            let (document, span) = place(declared);
            let mut found = Finding::new(document, Diagnostic::new(VALUE_AS_VARIABLE, span, message, hint));
            if let Some(other) = other.declaration {
                let (document, span) = place(other);
                found = found.related(document, span, "the value is declared here");
            }
            findings.push(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, pump};

    #[test]
    fn a_mode_called_like_a_value() {
        let codes = &["E0526", "E0517"];
        let rows = "state;input;enum(idle, filling)\nfilling;mode;bool;;state = filling";
        expect(
            &[&pump(rows, &["in filling mode the Pump shall always satisfy x"])],
            codes,
            &["E0526 filling (state)"],
        );
        let rows = "state;input;enum(idle, filling)\nis_filling;mode;bool;;state = filling";
        expect(&[&pump(rows, &["in is_filling mode the Pump shall always satisfy x"])], codes, &[]);
    }
}
