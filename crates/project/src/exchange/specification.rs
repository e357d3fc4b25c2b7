//! The project as components with requirements in one store of formulas: what contracts and monitors are made from.

use crate::component::Component as Declared;
use crate::project::{Analysis, Project};
use crate::reading::context;
use logic::Store;
use requirement::lower;
use requirement::specification::{Component, Item};

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
        let Some(text) = project.sentence(known.place) else { continue };
        let component = known.component.map(|index| analysis.components[index].name.clone());
        let Some((reading, index)) = known.reading.as_ref().zip(known.component) else {
            left_out.push(LeftOut { id, component, reason: "it is not a FRETish sentence".into() });
            continue;
        };
        let referent = |name: &str| analysis.components.referent(Some(index), name);
        let names = reading.parsed.names.iter().map(|it| (it.name.as_str(), referent(&it.name)));
        let context = context(names, project.config.step.clone(), Vec::new());
        match lower(store, &reading.parsed.parse, &context).requirement {
            Some(requirement) => {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                components[index].items.push(Item { id, role: known.role, text, requirement });
            }
            None => left_out.push(LeftOut { id, component, reason: "the sentence has errors".into() }),
        }
    }
    (components, left_out)
}
