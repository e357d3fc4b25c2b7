//! The project as components with requirements in one store of formulas: what contracts and monitors are made from.

use crate::component::Component as Declared;
use crate::finding::Finding;
use crate::project::{Analysis, Project};
use crate::reading::context;
use diagnostics::{Diagnostic, Span};
use logic::Store;
use requirement::lower;
use requirement::specification::{Component, Item};

diagnostics::codes! {
    LEFT_OUT "W0521" "An export leaves something out.",
        "A contract or model without the requirement says less than the project. `check.exports` in the project file lists the \
         targets that are checked.",
        "[check]\nexports = [\"cocospec\"]\n\nthe pump shall always satisfy persists(3, on)"
            => "[check]\nexports = [\"cocospec\"]\n\nthe pump shall always satisfy persisted(3, on)";
}

/// A finding about something that a target leaves out: a requirement with this id, or a variable with this name.
pub fn left_out(
    project: &Project,
    analysis: &Analysis,
    component: Option<&str>,
    (target, id, reason): (&str, &str, &str),
) -> Finding {
    let message = format!("`{id}` is left out of the export to {target}: {reason}");
    let hint = "write it in another way, or remove the target from `check.exports` in the project file";
    let about = |span| Diagnostic::new(LEFT_OUT, span, message.clone(), hint);
    if let Some(place) = project.find(id) {
        let entry = project.entry(place);
        let span = entry.sentence.map_or(entry.id.span, |sentence| sentence.span);
        return Finding { requirement: Some(id.into()), ..Finding::new(place.document, about(span)) };
    }
    let components = analysis.components.iter().filter(|it| component.is_none_or(|name| it.name == name));
    let declared = components.filter_map(|component| component.symbol(id)?.declaration).next();
    match declared {
        Some(at) => {
            let row = &project.documents[at.document].tables[at.table].rows[at.row];
            Finding::new(at.document, about(row.declaration.name.span))
        }
        None => Finding::in_config(about(Span::new(0, 0))),
    }
}

/// A requirement that has no formal meaning, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its id.
    pub id: String,
    /// Its component, if that is known.
    pub component: Option<String>,
    /// Why.
    pub reason: String,
}

/// The components with everything that has a formal meaning, and what has none.
pub fn specification(
    project: &Project,
    analysis: &Analysis,
    store: &mut Store,
) -> (Vec<Component>, Vec<LeftOut>) {
    let variables =
        |component: &Declared| component.variables.iter().map(|symbol| symbol.variable.clone()).collect();
    let mut components: Vec<Component> = analysis
        .components
        .iter()
        .map(|component| Component {
            name: component.name.clone(),
            variables: variables(component),
            items: Vec::new(),
        })
        .collect();
    let mut left_out = Vec::new();
    for known in &analysis.requirements {
        let entry = project.entry(known.place);
        let id = entry.id.text.clone();
        if project.sentence(known.place).is_none() {
            continue;
        }
        let component = known.component.map(|index| analysis.components[index].name.clone());
        let Some((reading, index)) = known.reading.as_ref().zip(known.component) else {
            left_out.push(LeftOut { id, component, reason: "it is not a FRETish sentence".into() });
            continue;
        };
        if reading.parsed.probability().is_some() {
            let reason =
                "it states a probability, which is about all runs, and formulas are about one".into();
            left_out.push(LeftOut { id, component, reason });
            continue;
        }
        let referent = |name: &str| analysis.components.referent(Some(index), name);
        let names = reading.parsed.names.iter().map(|it| (it.name.as_str(), referent(&it.name)));
        let context = context(names, project.config.step.clone(), Vec::new());
        match lower(store, &reading.parsed.parse, &context).requirement {
            Some(requirement) => {
                let text = reading.parsed.parse.tree.without_phrases();
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                components[index].items.push(Item { id, role: known.role, text, requirement });
            }
            None => left_out.push(LeftOut { id, component, reason: "the sentence has errors".into() }),
        }
    }
    (components, left_out)
}
