//! [`SORTS_DIFFER`]: the sentences of a component agree on the type of an undeclared variable.

use super::Context;
use crate::component::{Component, Use};
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
    for component in context.analysis.components.iter() {
        component.clashes.iter().for_each(|clash| report(context, component, clash, findings));
    }
}

/// Reports the uses of variables that must have the same type, where they have different ones.
fn report(context: &Context, component: &Component, clash: &[usize], findings: &mut Vec<Finding>) {
    let family = |sort: Sort| match sort {
        Sort::Bool => Some("a Boolean"),
        Sort::Int | Sort::Real => Some("a number"),
        Sort::Enum => Some("the name of a value"),
        Sort::Any => None,
    };
    let symbols = clash.iter().map(|&index| &component.variables[index]);
    let uses =
        symbols.flat_map(|symbol| symbol.uses.iter().map(|used| (symbol.variable.name.as_str(), used)));
    let mut known: Vec<(&str, &Use, &str)> =
        uses.filter_map(|(name, used)| Some((name, used, family(used.sort)?))).collect();
    known.sort_by_key(|(_, used, _)| (used.place, used.span.start));
    let Some((&(first, at, word), rest)) = known.split_first() else { return };
    let mut last = None;
    for &(name, used, other) in rest.iter().filter(|(_, _, other)| *other != word) {
        if last.replace((used.place, name)) == Some((used.place, name)) {
            continue;
        }
        let span = Analysis::in_document(context.project, used.place, used.span);
        let message = match name == first {
            true => format!("`{name}` is {other} here, but {word} in another sentence"),
            false => {
                format!("`{name}` is {other} here, but must have the type of `{first}`, which is {word}")
            }
        };
        let hint = "declare its type, or use another name";
        let found = context.about(used.place, SORTS_DIFFER, span, message, hint);
        let there = Analysis::in_document(context.project, at.place, at.span);
        findings.push(found.related(at.place.document, there, format!("{word} here")));
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
        let through = [
            "the Pump shall always satisfy x > 2",
            "the Pump shall always satisfy x = y",
            "the Pump shall always satisfy y",
        ];
        expect(&[&pump("", &through)], &["E0518"], &["E0518 y (x)"]);
    }
}
