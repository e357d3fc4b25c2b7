//! Definitions of variables: read as expressions of sentences where that is possible, otherwise passed on as Lustre.
//!
//! A target may be unable to hold some definitions, such as those about other steps in SMV. They take the place of their names, and
//! so do definitions that depend on them ([`Definitions`]). Text that is passed on is checked token by token, so that it cannot
//! end the place where it is written.

use super::Inexpressible;
use super::scope::Scope;
use logic::{Formula, Id, Node, Store};
use requirement::Context;
use requirement::specification::{Component, Definition, Kind, Token, Variable};
use std::collections::BTreeMap;

/// The definitions of a component, read.
pub(super) struct Definitions {
    /// For each defined variable, by its index: its definition, or why it cannot be read.
    read: BTreeMap<usize, Result<Id, Inexpressible>>,
    /// What takes the place of names.
    replaced: BTreeMap<String, Id>,
    /// The variables whose definitions are written, each after those that it uses.
    order: Vec<usize>,
}

/// A defined variable in a file.
pub(super) enum Defined<'d> {
    /// Its definition is written.
    Written(Id),
    /// Its definition takes the place of its name.
    Replaced,
    /// It has no definition that the target can hold.
    Failed(&'d Inexpressible),
}

impl Definitions {
    /// Reads the definitions of a component. Those that `is_replaced` takes the place of their names.
    pub(super) fn of(
        store: &mut Store,
        component: &Component,
        is_replaced: impl Fn(&Store, Id) -> bool,
    ) -> Definitions {
        let is_defined = |variable: &Variable| {
            variable.definition.is_some()
                && matches!(variable.kind, Kind::Internal | Kind::Mode | Kind::Constant)
        };
        let mut all = Definitions { read: BTreeMap::new(), replaced: BTreeMap::new(), order: Vec::new() };
        for (at, variable) in component.variables.iter().enumerate().filter(|(_, it)| is_defined(it)) {
            all.read.insert(at, read(store, component, variable));
        }
        let index = |name: &str| component.variables.iter().position(|variable| variable.name == name);
        let uses: BTreeMap<usize, Vec<usize>> = all
            .read
            .iter()
            .filter_map(|(&at, id)| Some((at, *id.as_ref().ok()?)))
            .map(|(at, id)| (at, names(store, id).iter().filter_map(|name| index(name)).collect()))
            .collect();
        for at in in_order(&uses, &mut all.read) {
            let Some(Ok(id)) = all.read.get(&at).cloned() else { continue };
            let with_others = all.substitute(store, id);
            // A definition that uses one that is replaced changes.
            if with_others != id || is_replaced(store, id) {
                all.replaced.insert(component.variables[at].name.clone(), with_others);
            } else {
                all.order.push(at);
            }
        }
        all
    }

    /// What becomes of a variable; `None` if it is not defined.
    pub(super) fn get(&self, component: &Component, at: usize) -> Option<Defined<'_>> {
        Some(match self.read.get(&at)? {
            Err(why) => Defined::Failed(why),
            Ok(_) if self.replaced.contains_key(&component.variables[at].name) => Defined::Replaced,
            Ok(id) => Defined::Written(*id),
        })
    }

    /// The variables whose definitions are written, each after those that it uses.
    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    /// A formula with definitions in the place of names.
    pub(super) fn apply(&self, store: &mut Store, formula: Formula) -> Formula {
        let id = self.substitute(store, formula.id());
        store.as_formula(id).unwrap_or(formula)
    }

    fn substitute(&self, store: &mut Store, id: Id) -> Id {
        if self.replaced.is_empty() {
            return id;
        }
        store.map(id, |store, id| match store.node(id) {
            Node::Var(symbol) => self.replaced.get(store.name(*symbol)).copied(),
            _ => None,
        })
    }
}

/// Whether an expression refers to other steps.
pub(super) fn is_temporal(store: &Store, id: Id) -> bool {
    let temporal = |id: &Id| matches!(store.node(*id), Node::Unary(..) | Node::Binary(..) | Node::Pre(..));
    store.reachable([id]).iter().any(temporal)
}

/// The names of the variables in an expression.
pub(super) fn names(store: &Store, id: Id) -> Vec<String> {
    let name = |id| match store.node(id) {
        Node::Var(symbol) => Some(store.name(*symbol).to_owned()),
        _ => None,
    };
    store.reachable([id]).into_iter().filter_map(name).collect()
}

/// The variables in an order in which each comes after those it uses. One that depends on itself cannot be read.
fn in_order(
    uses: &BTreeMap<usize, Vec<usize>>,
    read: &mut BTreeMap<usize, Result<Id, Inexpressible>>,
) -> Vec<usize> {
    let mut order = Vec::new();
    // False while the definitions that a variable uses are followed.
    let mut done: BTreeMap<usize, bool> = BTreeMap::new();
    for &start in uses.keys() {
        let mut open = vec![(start, false)];
        while let Some((at, is_last)) = open.pop() {
            match done.get(&at) {
                _ if is_last => {
                    done.insert(at, true);
                    order.push(at);
                }
                Some(true) => {}
                Some(false) => {
                    read.insert(at, Err(Inexpressible::CyclicDefinition));
                }
                None => {
                    let Some(uses) = uses.get(&at) else { continue };
                    done.insert(at, false);
                    open.push((at, true));
                    open.extend(uses.iter().rev().map(|&used| (used, false)));
                }
            }
        }
    }
    order
}

/// A definition as a term of the store, or why it cannot be read.
pub(super) fn read(
    store: &mut Store,
    component: &Component,
    variable: &Variable,
) -> Result<Id, Inexpressible> {
    let text = variable.definition.as_deref().unwrap_or_default().trim();
    if text.is_empty() {
        return Err(Inexpressible::NoDefinition);
    }
    let definition = match Definition::read(text) {
        Definition::Expression(expression) => expression,
        Definition::Lustre { .. } => return Err(Inexpressible::LustreDefinition),
        Definition::Unreadable { .. } => return Err(Inexpressible::UnreadableDefinition),
    };
    let signals = component.variables.iter().map(|it| (it.name.clone(), it.ty.sort())).collect();
    let context = Context { signals: Some(signals), ..Context::default() };
    definition.term(store, &context, variable.ty.sort()).ok_or(Inexpressible::UnreadableDefinition)
}

/// A definition as Lustre: its own text, with the spellings of sentences (`&`, `!=`) translated and names as they are
/// written in the file.
pub(super) fn lustre(text: &str, scope: &Scope) -> Result<String, Inexpressible> {
    let tokens = requirement::specification::lustre(text).map_err(Inexpressible::NotLustre)?;
    let emitted = |token| match token {
        Token::Other(text) => Ok(text),
        Token::Name(name) => match scope.get(&name) {
            Some(entry) => Ok(entry.emitted.clone()),
            None => Err(Inexpressible::UnknownWord(name)),
        },
    };
    Ok(joined(&tokens.into_iter().map(emitted).collect::<Result<Vec<_>, _>>()?))
}

/// The tokens with spaces between them, but not inside parentheses.
fn joined(tokens: &[String]) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let call = token == "("
            && at > 0
            && tokens[at - 1].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let word = ["not", "and", "or", "xor", "if", "then", "else", "pre", "mod", "div"];
        let tight = at == 0
            || tokens[at - 1] == "("
            || [")", ","].contains(&token.as_str())
            || call && !word.contains(&tokens[at - 1].as_str());
        if !tight {
            text.push(' ');
        }
        text.push_str(token);
    }
    text
}
