//! Everything as plain JSON, for programs: components, variables, and requirements with their formulas in our own notation.
//!
//! A missing formula is null, and `refusals` says why. `docs/exports.md` lists the members, which are stable.

use super::{Inexpressible, LeftOut, Written, future_of, past_of};
use logic::{Formula, SHALL, Store};
use requirement::specification::{Component, Item, Variable};
use requirement::{Ending, Field, Fields};
use serde_json::{Map, Value, json};

pub(super) fn write(store: &mut Store, components: &[Component]) -> Written {
    let mut left_out = Vec::new();
    let mut list = Vec::new();
    for component in components {
        let variables: Vec<Value> = component.variables.iter().map(variable).collect();
        let items: Vec<Value> =
            component.items.iter().map(|item| requirement(store, item, &mut left_out)).collect();
        list.push(json!({ "name": component.name, "variables": variables, "requirements": items }));
    }
    let document = json!({ "format": "shall-specification", "version": 1, "components": list });
    Written { text: format!("{document:#}\n"), renamed: Vec::new(), left_out, warnings: Vec::new() }
}

fn variable(variable: &Variable) -> Value {
    json!({
        "name": variable.name,
        "kind": variable.kind.name(),
        "type": variable.ty.to_string(),
        "unit": variable.unit,
        "definition": variable.definition,
        "phrase": variable.phrase,
        "description": variable.description,
    })
}

fn requirement(store: &mut Store, item: &Item, left_out: &mut Vec<LeftOut>) -> Value {
    let key = item.requirement.key();
    let mut refusals = Vec::new();
    let mut text = |store: &Store, name: &str, formula: Result<Formula, Inexpressible>| {
        let text = formula.and_then(|f| Ok(logic::print(store, f, &SHALL)?));
        text.map_err(|why| refusals.push(json!({ "formula": name, "reason": why.to_string() }))).ok()
    };
    let past = past_of(store, item);
    let past = text(store, "past", past);
    let finite = future_of(store, item, Ending::WeakNext);
    let finite = text(store, "future_finite", finite);
    let infinite = future_of(store, item, Ending::Infinite);
    let infinite = text(store, "future_infinite", infinite);
    if past.is_none() && finite.is_none() && infinite.is_none() {
        left_out.push(LeftOut::new(&item.id, Inexpressible::NoFormula));
    }
    json!({
        "id": item.id,
        "role": item.role.name(),
        "text": item.text,
        "component": item.requirement.component,
        "key": { "scope": key.scope, "condition": key.condition, "timing": key.timing },
        "steps": item.requirement.timing.steps(),
        "fields": fields(&item.text),
        "past": past,
        "future_finite": finite,
        "future_infinite": infinite,
        "refusals": refusals,
    })
}

/// The fields of a sentence that can be read.
fn fields(text: &str) -> Value {
    let parse = syntax::fretish::parse(text);
    let fields = Fields::of(syntax::fretish::Sentence::of(&parse.tree));
    let present =
        |(name, field): (&str, &Option<Field>)| Some((name.to_owned(), field.as_ref()?.text.clone().into()));
    Value::Object(fields.named().into_iter().filter_map(present).collect::<Map<String, Value>>())
}
