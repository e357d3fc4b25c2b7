//! Components for tests: variables by their types in words, requirements by their sentences.

use logic::Store;
use requirement::specification::{Component, ContractRole, Item, Kind, Type, Variable};
use requirement::{Context, lower};

pub(crate) fn variable(name: &str, kind: Kind, ty: &str, definition: Option<&str>) -> Variable {
    Variable {
        name: name.into(),
        kind,
        ty: Type::parse(ty).expect("a type"),
        unit: None,
        definition: definition.map(str::to_owned),
        phrase: None,
        description: String::new(),
    }
}

pub(crate) fn component(
    store: &mut Store,
    name: &str,
    variables: Vec<Variable>,
    sentences: &[(&str, &str)],
) -> Component {
    let signals = variables.iter().map(|it| (it.name.clone(), it.ty.sort())).collect();
    let context = Context { signals: Some(signals), ..Context::default() };
    let item = |(id, text): &(&str, &str)| {
        let lowered = lower(store, &syntax::fretish::parse(text), &context);
        let requirement = lowered.requirement.unwrap_or_else(|| panic!("{text}: {:?}", lowered.diagnostics));
        Item { id: (*id).into(), role: ContractRole::of_id(id), text: (*text).into(), requirement }
    };
    let items = sentences.iter().map(item).collect();
    Component { name: name.into(), variables, items }
}
