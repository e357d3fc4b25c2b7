//! What is given besides the requirements: initial values, and what the environment never does.

use super::guards::{Atom, clauses, parts};
use super::operands::{Scope, constant};
use super::{Diagnostics, Reader, variable};
use crate::codes;
use crate::frames::ConditionFrame;
use crate::system::{Condition, Dfrs, Kind, Origin, Restriction, Sort, Variable};
use logic::{RBig, Rel, Value};
use syntax::Span;
use syntax::sysreq::{Form, Verb};

/// More combinations of one sentence than this are refused.
const MAX_RESTRICTIONS: usize = 256;

/// The variables, with initial values as far as they are given.
pub(super) fn variables(
    scope: Scope,
    readers: &[Reader],
    complete: bool,
    out: &mut Diagnostics,
) -> Vec<Variable> {
    let mut given: Vec<Option<Option<Value>>> = vec![None; scope.sorts.len()];
    for reader in readers.iter().filter(|reader| reader.frame.form == Form::Initial) {
        for found in &reader.frame.facts {
            let at = scope.names.of(&found.variable);
            let span = reader.sentence.place(&found.span);
            if given[at].is_some() {
                let message = format!("the initial value of `{}` is given twice", found.cpt.text);
                out.report(codes::INITIAL_TWICE, span, message, "keep one of them");
                continue;
            }
            given[at] = Some(initial(scope, at, found, span, out));
        }
    }
    let missing: Vec<usize> = (0..given.len())
        .filter(|&at| given[at].is_none() && scope.names.list[at].kind != Kind::Timer)
        .collect();
    if complete && let Some(&first) = missing.iter().min_by_key(|&&at| scope.names.list[at].first) {
        let one = |&at: &usize| {
            let name = &scope.names.list[at].name;
            format!("{name} = {}", crate::english::plain(&default(&scope.sorts[at])))
        };
        let list: Vec<String> = missing.iter().map(one).collect();
        let message = format!("initial values are not given; the defaults are {}", list.join(", "));
        let name = scope.names.list[first].name.replace('_', " ");
        let hint = format!("write `Initially, the {name} is ….`");
        out.report(codes::DEFAULT_INITIAL, scope.names.list[first].first, message, hint);
    }
    (0..given.len()).map(|at| variable(scope, at, given[at].take().flatten())).collect()
}

/// What a variable starts with if nobody says so.
pub(super) fn default(sort: &Sort) -> Value {
    match sort {
        Sort::Bool { .. } => Value::Bool(false),
        Sort::Int | Sort::Real => Value::Num(RBig::ZERO),
        Sort::Names(names) => names.first().map_or(Value::Bool(false), |name| Value::Name(name.clone())),
    }
}

fn initial(
    scope: Scope,
    at: usize,
    found: &ConditionFrame,
    span: Span,
    out: &mut Diagnostics,
) -> Option<Value> {
    if scope.names.list[at].kind == Kind::Timer {
        let message = format!("`{}` is a timer, and timers start at 0", found.cpt.text);
        out.report(codes::TIMER_ASSIGNED, span, message, "remove this initial value");
        return None;
    }
    let value = match &found.ctv.operands[..] {
        [(_, operand)] => constant(&scope.sorts[at], &scope.names.meaning(operand)),
        _ => None,
    };
    let is = found.verb == Verb::Is && found.cfv.is_none();
    let value = match (value, found.relation) {
        (Some(value), Rel::Eq) if is => Some(value),
        (Some(Value::Bool(truth)), Rel::Ne) if is => Some(Value::Bool(!truth)),
        _ => None,
    };
    if value.is_none()
        && !out.0.iter().any(|earlier| span.start <= earlier.span.start && earlier.span.end <= span.end)
    {
        let message = format!("`{}` does not start with exactly one value here", found.cpt.text);
        let hint = "write `Initially, the system mode is idle.`";
        out.report(codes::NOT_CONSTANT, span, message, hint);
    }
    value
}

/// What an environment sentence excludes.
pub(super) fn restriction(scope: Scope, reader: &Reader, system: &mut Dfrs, out: &mut Diagnostics) {
    let guard = clauses(scope, reader, out);
    let facts: Option<Vec<_>> =
        reader.frame.facts.iter().map(|found| parts(scope, reader, found, out)).collect();
    let (Some(guard), Some(facts)) = (guard, facts) else { return };
    let mut never: Vec<Vec<Condition>> = vec![Vec::new()];
    for clause in guard.into_iter().chain(facts.into_iter().flatten().map(|atom| vec![atom])) {
        let conditions: Vec<Condition> = clause
            .into_iter()
            .filter_map(|atom| match atom {
                Atom::Static(condition) => Some(condition),
                Atom::Timed(_) => None,
            })
            .collect();
        if never.len() * conditions.len() > MAX_RESTRICTIONS {
            let span = reader.sentence.place(&(0..reader.sentence.text().len()));
            let message = "this sentence excludes too many combinations".to_string();
            out.report(codes::TOO_MANY_CASES, span, message, "write several sentences");
            return;
        }
        let joined = |earlier: &Vec<Condition>| {
            conditions
                .iter()
                .map(|last| [&earlier[..], std::slice::from_ref(last)].concat())
                .collect::<Vec<_>>()
        };
        never = never.iter().flat_map(joined).collect();
    }
    let origin = Origin { id: reader.sentence.id.clone(), text: reader.sentence.text().to_string() };
    system.restrictions.extend(never.into_iter().map(|never| Restriction { never, origin: origin.clone() }));
}
