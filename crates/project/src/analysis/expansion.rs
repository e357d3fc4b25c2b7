//! Sentences with definitions in the place of the names that they define: what is left speaks of signals alone.

use crate::component::Symbol;
use crate::project::{Analysis, Known, Project};
use crate::reading::{Occurrence, Parsed, context};
use logic::Store;
use requirement::specification::Definition;
use requirement::{Lowered, lower};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;
use syntax::Span;

/// A sentence, read with its definitions.
pub(crate) struct Expanded<'a> {
    pub(crate) lowered: Lowered,
    /// The names that are left, each once, in the order in which they are met. A definition that is not an expression
    /// leaves its name.
    pub(crate) names: Vec<&'a Occurrence>,
}

/// Why a sentence cannot be read with its definitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// It is not a FRETish sentence.
    NoSentence,
    /// This name is defined by itself.
    Cycle(String),
    /// The definition of this name looks at a stretch of steps, and the scope of the sentence would cut it off.
    CutByScope(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Problem::NoSentence => write!(f, "it is not a FRETish sentence"),
            Problem::Cycle(name) => write!(f, "`{name}` is defined by itself"),
            Problem::CutByScope(name) => write!(
                f,
                "the definition of `{name}` looks at several steps, which the scope of the sentence would cut off"
            ),
        }
    }
}

impl std::error::Error for Problem {}

impl Analysis {
    /// The sentence of a requirement in a store, with the definitions of those names that `is_replaced` selects.
    pub fn expanded(
        &self,
        project: &Project,
        known: &Known,
        store: &mut Store,
        is_replaced: &dyn Fn(&str) -> bool,
    ) -> Result<Lowered, Problem> {
        expand(store, project, self, known, is_replaced).map(|expanded| expanded.lowered)
    }
}

/// Reads a sentence with the definitions of those variables that `is_replaced` names.
pub(crate) fn expand<'a>(
    store: &mut Store,
    project: &Project,
    analysis: &'a Analysis,
    known: &'a Known,
    is_replaced: &dyn Fn(&str) -> bool,
) -> Result<Expanded<'a>, Problem> {
    let parsed: &'a Parsed = &known.reading.as_ref().ok_or(Problem::NoSentence)?.parsed;
    let component = known.component.and_then(|index| analysis.components.at(index));
    let defined = |name: &str| component?.symbol(name).filter(|_| is_replaced(name));
    let (definitions, names) = needed(parsed.names.iter(), &defined)?;
    if let Some(scope) = &parsed.fields.scope {
        let outside = |span: Span| span.end <= scope.span.start || scope.span.end <= span.start;
        let inner = needed(parsed.names.iter().filter(|name| outside(name.span)), &defined)?.0;
        let cut = |(_, it): &&(String, Arc<Definition>)| it.expression().is_ok_and(|it| it.is_cut_by_scopes);
        if let Some((name, _)) = inner.iter().find(cut) {
            return Err(Problem::CutByScope(name.clone()));
        }
    }
    let referent = |name: &str| analysis.components.referent(known.component, name);
    let referents = names.iter().map(|name| (name.name.as_str(), referent(&name.name)));
    let lowered = lower(store, &parsed.parse, &context(referents, project.config.step.clone(), definitions));
    Ok(Expanded { lowered, names })
}

/// Definitions by name, each after those it uses.
type Definitions = Vec<(String, Arc<Definition>)>;

/// The definitions that names need, and the names that are left.
fn needed<'a>(
    names: impl DoubleEndedIterator<Item = &'a Occurrence>,
    defined: &dyn Fn(&str) -> Option<&'a Symbol>,
) -> Result<(Definitions, Vec<&'a Occurrence>), Problem> {
    let mut definitions = Vec::new();
    let mut left = Vec::new();
    // Whether all that a name needs is there already; false while its definition is being followed.
    let mut done: FxHashMap<(&str, bool), bool> = FxHashMap::default();
    // A definition comes up again, with `true`, when all names in it are done.
    let mut open: Vec<(&Occurrence, bool)> = names.rev().map(|name| (name, false)).collect();
    while let Some((name, is_last)) = open.pop() {
        let key = (name.name.as_str(), name.called);
        let symbol = if name.called { None } else { defined(&name.name) };
        let definition = symbol.and_then(Symbol::expansion);
        match (definition, definition.and_then(|it| it.expression().ok())) {
            (Some(definition), Some(_)) if is_last => {
                done.insert(key, true);
                definitions.push((name.name.clone(), definition.clone()));
            }
            (_, expression) => match (done.get(&key), expression) {
                (Some(true), _) => {}
                (Some(false), _) => return Err(Problem::Cycle(name.name.clone())),
                (None, None) => {
                    done.insert(key, true);
                    left.push(name);
                }
                (None, Some(expression)) => {
                    done.insert(key, false);
                    open.push((name, true));
                    open.extend(expression.names.iter().rev().map(|name| (name, false)));
                }
            },
        }
    }
    Ok((definitions, left))
}
