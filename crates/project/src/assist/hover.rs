//! What the thing under the cursor means, in Markdown: a sentence in words and as formulas, a variable with all that is
//! known about it, a word of the language.

use super::locate::{Target, locate, touches};
use super::words::about;
use crate::component::{Component, Symbol};
use crate::document::Language;
use crate::project::{Analysis, Place, Project};
use logic::{Dialect, Formula, Store};
use requirement::explain::{Explanation, explain};
use requirement::{Ending, Refusal, future, past};
use syntax::Span;

/// A formula with more nodes than this is not shown.
const MAX_NODES: u64 = 2_000;

/// What is shown, and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The bytes of the document.
    pub span: Span,
    /// The text.
    pub markdown: String,
}

/// What is known about a position.
pub fn hover(project: &Project, analysis: &Analysis, document: usize, offset: u32) -> Option<Hover> {
    if let Some(found) = locate(project, analysis, document, offset) {
        let markdown = match &found.target {
            Target::Variable { component, name } | Target::Phrase { component, name } => {
                variable(project, analysis, component, name)?
            }
            Target::Value { component, name } => value(analysis, component, name)?,
            Target::Component(name) => component_text(project, analysis, name),
            Target::Requirement(id) => requirement(project, analysis, id),
            Target::Word(word) => {
                let meaning = found.place.and_then(|place| meaning(project, analysis, place));
                [about(word), meaning].into_iter().flatten().collect::<Vec<_>>().join("\n\n---\n\n")
            }
        };
        return Some(Hover { span: found.span, markdown });
    }
    let entries = &project.documents.get(document)?.entries;
    let at = entries
        .iter()
        .position(|entry| entry.sentence.is_some_and(|sentence| touches(sentence.span, offset)))?;
    let span = entries.get(at)?.sentence?.span;
    Some(Hover { span, markdown: meaning(project, analysis, Place { document, entry: at })? })
}

/// A sentence in words, its template and its formulas.
fn meaning(project: &Project, analysis: &Analysis, place: Place) -> Option<String> {
    if project.entry(place).sentence?.language != Language::Fretish {
        return None;
    }
    let reading = analysis.at(place)?.reading.as_ref()?;
    let Some(requirement) = &reading.lowered.requirement else {
        return Some(match reading.is_sound() {
            true => "A note: it has no formal meaning.".into(),
            false => "The sentence has no meaning until its errors are fixed.".into(),
        });
    };
    let Explanation { scope, trigger, response } = explain(requirement, &reading.parsed.fields);
    let mut out = format!("{scope} {trigger} {response}");
    if let Some(key) = &reading.lowered.key {
        out.push_str(&format!("\n\nTemplate: {key}"));
    }
    let mut store = reading.store.clone();
    let formulas =
        [("Past", past(&mut store, requirement)), ("Future", future(&mut store, requirement, Ending::Last))];
    for (name, formula) in formulas {
        out.push_str(&format!("\n\n{name}: {}", shown(&mut store, formula)));
    }
    Some(out)
}

fn shown(store: &mut Store, formula: Result<Formula, Refusal>) -> String {
    const DIALECT: &Dialect = &logic::UNICODE;
    let formula = match formula {
        Ok(formula) => logic::adapt(store, formula, DIALECT),
        Err(refusal) => return format!("none, because {refusal}"),
    };
    let nodes = store.tree_size(formula);
    if nodes > MAX_NODES {
        return format!("a formula of {nodes} nodes");
    }
    match logic::print(store, formula, DIALECT) {
        Ok(text) => format!("\n```\n{text}\n```"),
        Err(error) => format!("not shown: {error}"),
    }
}

fn variable(project: &Project, analysis: &Analysis, component: &str, name: &str) -> Option<String> {
    let symbol = analysis.components.get(component)?.symbol(name)?;
    let mut out = format!("`{name}`: {}", signature(symbol));
    let variable = &symbol.variable;
    if let Some(phrase) = &variable.phrase {
        out.push_str(&format!("\n\nIn words: *{phrase}*"));
    }
    if !variable.description.is_empty() {
        out.push_str(&format!("\n\n{}", variable.description));
    }
    if let Some(definition) = &variable.definition {
        out.push_str(&format!("\n\nDefined as `{definition}`"));
    }
    let inferred = match (symbol.kind_inferred, symbol.type_inferred) {
        (true, true) => " Its kind and type are inferred.",
        (true, false) => " Its kind is inferred.",
        (false, true) => " Its type is inferred.",
        (false, false) => "",
    };
    let uses = counted(symbol.uses.len(), "use");
    out.push_str(&match symbol.declaration.and_then(|at| project.documents.get(at.document)) {
        Some(document) => format!("\n\nDeclared in {}, {uses}.{inferred}", document.name),
        None => format!("\n\nNot declared, {uses}.{inferred}"),
    });
    Some(out)
}

/// Kind, type and unit of a variable, and its component.
pub(super) fn signature(symbol: &Symbol) -> String {
    let variable = &symbol.variable;
    let unit = variable.unit.as_ref().map_or(String::new(), |unit| format!(" in {unit}"));
    format!("{} {}{unit}", variable.kind.name(), variable.ty)
}

fn value(analysis: &Analysis, component: &str, name: &str) -> Option<String> {
    let symbol = analysis.components.get(component)?.enumeration_of(name)?;
    Some(format!("`{name}`: a value of `{}`, {}", symbol.variable.name, symbol.variable.ty))
}

fn component_text(project: &Project, analysis: &Analysis, name: &str) -> String {
    let mut out = format!("`{name}`: component");
    if let Some(text) = project.config.components.get(name).and_then(|keys| keys.get("description")) {
        out.push_str(&format!("\n\n{text}"));
    }
    let owned = |owner: &Component| owner.name == name;
    let requirements = analysis
        .requirements
        .iter()
        .filter(|known| known.component.and_then(|index| analysis.components.at(index)).is_some_and(owned))
        .count();
    let variables = analysis.components.get(name).map_or(0, |component| component.variables.len());
    let (variables, requirements) = (counted(variables, "variable"), counted(requirements, "requirement"));
    out + &format!("\n\n{variables}, {requirements}.")
}

fn requirement(project: &Project, analysis: &Analysis, id: &str) -> String {
    let Some(place) = project.find(id) else { return format!("`{id}`: there is no such requirement") };
    let title = project.entry(place).title.as_ref().map_or(String::new(), |title| format!(" {}", title.text));
    let mut out = format!("**{id}**{title}");
    if let Some(sentence) = project.sentence(place).filter(|sentence| !sentence.is_empty()) {
        out.push_str(&format!("\n\n```fretish\n{sentence}\n```"));
    }
    if let Some(meaning) = meaning(project, analysis, place) {
        out.push_str(&format!("\n\n{meaning}"));
    }
    out
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
