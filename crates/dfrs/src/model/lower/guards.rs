//! Guards as conjunctions of disjunctions (Algorithms 3 and 4 of the paper).
//!
//! `changes to v` is "not before, but now": two conditions at the same time, so under `or` they are distributed, and what another
//! part of the guard says already is left out. A disjunction of values and timers is split into several entries, since guards keep
//! the two apart.

use super::names::{Meaning, is_timer_name};
use super::operands::Scope;
use super::{Diagnostics, Reader};
use crate::codes;
use crate::frames::{Atom as Word, ConditionFrame, Term};
use crate::system::{Condition, Kind, Moment, Operand, Sort, Source, Timed};
use logic::{RBig, Rel, Value};
use syntax::sysreq::Verb;

/// More disjunctions than this are refused.
const MAX_CLAUSES: usize = 1024;
/// More entries for one requirement than this are refused.
const MAX_ENTRIES: usize = 256;

/// A comparison in a guard.
#[derive(Debug, Clone)]
pub(super) enum Atom {
    Static(Condition),
    Timed(Timed),
}

/// The two parts of an entry's guard.
pub(super) type Guard = (Vec<Vec<Condition>>, Vec<Vec<Timed>>);

/// The guards of a requirement: one for each of its entries. Nothing if something is wrong.
pub(super) fn guards(scope: Scope, reader: &Reader, out: &mut Diagnostics) -> Option<Vec<Guard>> {
    let clauses = clauses(scope, reader, out)?;
    let mut guards: Vec<Guard> = vec![Default::default()];
    for clause in clauses {
        let (statics, timed) = divide(clause);
        if !statics.is_empty() && !timed.is_empty() && guards.len() * 2 > MAX_ENTRIES {
            too_many(reader, out);
            return None;
        }
        let mut others = if timed.is_empty() || statics.is_empty() { Vec::new() } else { guards.clone() };
        if statics.is_empty() {
            guards.iter_mut().for_each(|guard| guard.1.push(timed.clone()));
        } else {
            guards.iter_mut().for_each(|guard| guard.0.push(statics.clone()));
            others.iter_mut().for_each(|guard| guard.1.push(timed.clone()));
            guards.append(&mut others);
        }
    }
    Some(guards)
}

fn divide(clause: Vec<Atom>) -> (Vec<Condition>, Vec<Timed>) {
    let (mut statics, mut timed) = (Vec::new(), Vec::new());
    for atom in clause {
        match atom {
            Atom::Static(condition) => statics.push(condition),
            Atom::Timed(condition) => timed.push(condition),
        }
    }
    (statics, timed)
}

/// All conditions of a requirement, as all of these, of each any.
pub(super) fn clauses(scope: Scope, reader: &Reader, out: &mut Diagnostics) -> Option<Vec<Vec<Atom>>> {
    // What was written as one condition stays, even if another one says more; what comes from distribution may be superfluous.
    let mut clauses: Vec<(Vec<Atom>, bool)> = Vec::new();
    let mut complete = true;
    for list in &reader.frame.conditions {
        let mut product: Vec<Vec<Atom>> = vec![Vec::new()];
        let mut distributed = false;
        for found in list {
            let Some(parts) = parts(scope, reader, found, out) else {
                complete = false;
                continue;
            };
            distributed |= parts.len() > 1;
            if clauses.len() + product.len() * parts.len() > MAX_CLAUSES {
                too_many(reader, out);
                return None;
            }
            product = parts
                .iter()
                .flat_map(|part| {
                    product.iter().map(|clause| {
                        let mut clause = clause.clone();
                        if !clause.iter().any(|other| same(other, part)) {
                            clause.push(part.clone());
                        }
                        clause
                    })
                })
                .collect();
        }
        clauses.extend(product.into_iter().map(|clause| (clause, distributed)));
    }
    let superfluous = |index: usize| {
        let (clause, distributed) = &clauses[index];
        let others_stay = || clauses.iter().any(|(clause, _)| !always(clause));
        if *distributed && always(clause) && others_stay() {
            return true;
        }
        let implied = |(other, (weaker, _)): (usize, &(Vec<Atom>, bool))| {
            let within = weaker.iter().all(|atom| clause.iter().any(|mine| same(atom, mine)));
            other != index && within && (weaker.len() < clause.len() || other < index)
        };
        *distributed && clauses.iter().enumerate().any(implied)
    };
    let kept: Vec<usize> = (0..clauses.len()).filter(|&index| !superfluous(index)).collect();
    complete.then(|| kept.into_iter().map(|index| clauses[index].0.clone()).collect())
}

fn too_many(reader: &Reader, out: &mut Diagnostics) {
    let message = "the conditions of this requirement have too many cases".to_string();
    let hint = "write several requirements instead of one with many `or`";
    out.report(
        codes::TOO_MANY_CASES,
        reader.sentence.place(&(0..reader.sentence.text().len())),
        message,
        hint,
    );
}

/// Whether two comparisons say the same, wherever they are.
fn same(a: &Atom, b: &Atom) -> bool {
    match (a, b) {
        (Atom::Static(a), Atom::Static(b)) => {
            a.moment == b.moment
                && a.variable == b.variable
                && a.relation == b.relation
                && a.operand == b.operand
        }
        (Atom::Timed(a), Atom::Timed(b)) => {
            a.timer == b.timer && a.relation == b.relation && a.bound == b.bound
        }
        (Atom::Static(_), Atom::Timed(_)) | (Atom::Timed(_), Atom::Static(_)) => false,
    }
}

/// Whether one of these comparisons holds in any case: one and its opposite, or different from this and from that.
fn always(clause: &[Atom]) -> bool {
    let statics = || {
        clause.iter().filter_map(|atom| match atom {
            Atom::Static(condition) => Some(condition),
            Atom::Timed(_) => None,
        })
    };
    statics().any(|a| {
        statics().any(|b| {
            let about_one = a.moment == b.moment && a.variable == b.variable;
            let constants = [&a.operand, &b.operand].iter().all(|one| matches!(one, Operand::Constant(_)));
            let unequal =
                a.relation == Rel::Ne && b.relation == Rel::Ne && constants && a.operand != b.operand;
            about_one && (unequal || a.relation == b.relation.complement() && a.operand == b.operand)
        })
    })
}

/// What one condition says: one or two comparisons at the same time.
pub(super) fn parts(
    scope: Scope,
    reader: &Reader,
    found: &ConditionFrame,
    out: &mut Diagnostics,
) -> Option<Vec<Atom>> {
    let variable = scope.names.of(&found.variable);
    if scope.names.list[variable].kind == Kind::Timer {
        return timed(variable, reader, found, out).map(|timed| vec![Atom::Timed(timed)]);
    }
    let source = Source { span: found.span.clone() };
    let atom = |moment, relation, operand| {
        Atom::Static(Condition { moment, variable, relation, operand, source: source.clone() })
    };
    let value = scope.operand(reader, variable, &found.ctv, out);
    let from = found.cfv.as_ref().map(|term| origin(scope, reader, variable, term, out));
    let (value, from) = match (value, from) {
        (Some(value), None) => (value, None),
        (Some(value), Some(Some(from))) => (value, Some(from)),
        _ => return None,
    };
    Some(match (found.verb, from) {
        (Verb::Is, _) => vec![atom(Moment::Now, found.relation, value)],
        (Verb::Was, _) => vec![atom(Moment::Before, found.relation, before(value))],
        (Verb::Changes | Verb::Becomes, None) => vec![
            atom(Moment::Before, found.relation.complement(), before(value.clone())),
            atom(Moment::Now, found.relation, value),
        ],
        (Verb::Changes | Verb::Becomes, Some((relation, from))) => {
            vec![atom(Moment::Before, relation, before(from)), atom(Moment::Now, found.relation, value)]
        }
    })
}

/// What a value changes from: a value, or any but one.
fn origin(
    scope: Scope,
    reader: &Reader,
    variable: usize,
    term: &Term,
    out: &mut Diagnostics,
) -> Option<(Rel, Operand)> {
    if let ([(_, single)], Sort::Names(_)) = (&term.operands[..], &scope.sorts[variable])
        && let Meaning::Not(words) = scope.names.meaning(single)
    {
        return Some((Rel::Ne, Operand::Constant(Value::Name(words.to_string()))));
    }
    Some((Rel::Eq, scope.operand(reader, variable, term, out)?))
}

/// The same value at the previous moment: what was is compared with what was.
fn before(operand: Operand) -> Operand {
    match operand {
        Operand::Constant(value) => Operand::Constant(value),
        Operand::Variable(_, variable) => Operand::Variable(Moment::Before, variable),
        Operand::Sum(terms, constant) => {
            let terms = terms.into_iter().map(|(factor, _, at)| (factor, Moment::Before, at)).collect();
            Operand::Sum(terms, constant)
        }
    }
}

fn timed(timer: usize, reader: &Reader, found: &ConditionFrame, out: &mut Diagnostics) -> Option<Timed> {
    let place = |span| reader.sentence.place(span);
    if found.verb != Verb::Is {
        let message = format!("`{}` is a timer: it has no previous value", found.cpt.text);
        let hint = format!("compare its current value: `{} is …`", found.cpt.text);
        out.report(codes::TIMER_PAST, place(&found.cac.span), message, hint);
        return None;
    }
    let Some(bound) = bound(&found.ctv) else {
        let message = format!("the timer `{}` is compared with `{}`", found.cpt.text, found.ctv.role.text);
        let hint = if is_timer_name(&found.variable) {
            "compare a timer with a number: `the request timer is greater than 30`"
        } else {
            "it is a timer because it is reset; give another variable its first value with `assign`"
        };
        out.report(codes::TIMER_VALUE, place(&found.ctv.role.span), message, hint);
        return None;
    };
    if !bound.is_int() {
        let message = format!(
            "`{}` is not an integer, so a timer in whole steps never has this value",
            found.ctv.role.text
        );
        let hint = "use a smaller unit, unless time is continuous";
        out.report(codes::FRACTIONAL_BOUND, place(&found.ctv.role.span), message, hint);
    }
    Some(Timed { timer, relation: found.relation, bound, source: Source { span: found.span.clone() } })
}

fn bound(term: &Term) -> Option<RBig> {
    match &term.operands[..] {
        [(_, operand)] => match &operand.atom {
            Word::Number { value, .. } => Some(value.clone()),
            Word::Truth(_) | Word::Phrase { .. } => None,
        },
        _ => None,
    }
}
