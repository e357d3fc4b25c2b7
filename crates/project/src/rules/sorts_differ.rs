//! [`SORTS_DIFFER`]: the sentences of a component agree on the type of an undeclared variable.

use super::Context;
use crate::component::Symbol;
use crate::finding::Finding;
use crate::project::Analysis;
use logic::Sort;

diagnostics::codes! {
    SORTS_DIFFER "E0518" "Two sentences give a variable different types.",
        "A variable has the same type in all sentences of its component. Without a declaration, the sentences must agree.",
        "when level the pump shall immediately satisfy alarm\nwhen level > 3 the pump shall immediately satisfy alarm"
            => "when level > 3 the pump shall immediately satisfy alarm";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    let components = context.analysis.components.iter();
    components.flat_map(|it| &it.variables).for_each(|symbol| clash(context, symbol, findings));
}

/// Reports an undeclared variable that two sentences give different types.
fn clash(context: &Context, symbol: &Symbol, findings: &mut Vec<Finding>) {
    if !symbol.type_inferred {
        return;
    }
    let family = |sort: Sort| match sort {
        Sort::Bool => Some("a Boolean"),
        Sort::Int | Sort::Real => Some("a number"),
        Sort::Enum => Some("the name of a value"),
        Sort::Any => None,
    };
    let mut known = symbol.uses.iter().filter_map(|used| Some((used, family(used.sort)?)));
    let Some((first, word)) = known.next() else { return };
    let name = &symbol.variable.name;
    let mut last = None;
    for (used, other) in known.filter(|&(_, other)| other != word) {
        if last.replace(used.place) == Some(used.place) {
            continue;
        }
        let span = Analysis::in_document(context.project, used.place, used.span);
        let message = format!("`{name}` is {other} here, but {word} in another sentence");
        let hint = "declare its type, or use another name";
        let found = context.about(used.place, SORTS_DIFFER, span, message, hint);
        let there = Analysis::in_document(context.project, first.place, first.span);
        findings.push(found.related(first.place.document, there, format!("{word} here")));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, pump};

    #[test]
    fn types() {
        let sentences = ["the Pump shall always satisfy x", "the Pump shall always satisfy x > 2"];
        expect(&[&pump("", &sentences)], &["E0518"], &["E0518 x (x)"]);
        expect(&[&pump("x;output;int", &sentences[1..])], &["E0518"], &[]);
    }
}
