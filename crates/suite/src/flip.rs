//! Where one occurrence of an atom decides the value of a past-time formula: unique first cause, FLIP.
//!
//! An occurrence *decides* at a step if a change of its value at one position changes the value of the whole formula there. Going up
//! from the occurrence, two conditions are kept for each part: it is true and would become false, and it is false and would become true.
//! A part that needs one witness (O, the right side of S, the left side of T) is changed by one position only if that witness is
//! the only one. The rules are sound for every formula, and exact for windows of up to three steps without another temporal operator above the
//! occurrence (compare Whalen, Rajan, Heimdahl and Miller 2006; FRET's rule for the left side of T has a parenthesis in the
//! wrong place).

use logic::{Binary, Bound, Formula, Id, Node, Store, Unary};

/// An occurrence of an atom in a formula: the index of the operand to take at each operator, from the root on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The atom.
    pub atom: Formula,
    /// The way to it.
    pub path: Vec<usize>,
}

/// The most occurrences of one formula.
const MOST: usize = 64;

/// The widest window whose positions are written out one by one; of wider ones only the ends are, because each position between them
/// needs memory of its own.
const WIDEST: u64 = 2;

/// The occurrences of atoms in a formula, from left to right; the first ones if there are very many.
pub fn occurrences(store: &Store, formula: Formula) -> Vec<Occurrence> {
    let mut found = Vec::new();
    let mut open: Vec<(Id, Vec<usize>)> = vec![(formula.id(), Vec::new())];
    while let Some((id, path)) = open.pop() {
        if found.len() == MOST {
            break;
        }
        let node = store.node(id);
        if node.is_operator() {
            let children: Vec<Id> = node.children().collect();
            for (at, child) in children.into_iter().enumerate().rev() {
                open.push((child, path.iter().copied().chain([at]).collect()));
            }
        } else if !matches!(node, Node::True | Node::False)
            && let Some(atom) = store.as_formula(id)
        {
            found.push(Occurrence { atom, path });
        }
    }
    found
}

/// Where a part would change.
#[derive(Clone, Copy)]
struct Change {
    /// It is true and would be false.
    falls: Formula,
    /// It is false and would be true.
    rises: Formula,
}

/// Where a formula is true and an occurrence decides that. Never true if a rule is missing.
pub fn decides(store: &mut Store, formula: Formula, occurrence: &Occurrence) -> Formula {
    let mut parents: Vec<(Id, usize)> = Vec::new();
    let mut id = formula.id();
    for &at in &occurrence.path {
        parents.push((id, at));
        let Some(child) = store.node(id).child(at) else { return store.bottom() };
        id = child;
    }
    let mut change = Change { falls: occurrence.atom, rises: store.not(occurrence.atom) };
    let mut temporal = false;
    for (parent, at) in parents.into_iter().rev() {
        change = above(store, parent, at, change, temporal);
        temporal |= matches!(store.node(parent), Node::Unary(..) | Node::Binary(..));
    }
    logic::simplify(store, change.falls)
}

/// Where a part would change, if its operand would. `temporal` says whether the operand has temporal operators above the occurrence.
fn above(s: &mut Store, parent: Id, at: usize, change: Change, temporal: bool) -> Change {
    let Change { falls, rises } = change;
    let none = Change { falls: s.bottom(), rises: s.bottom() };
    let Some(whole) = s.as_formula(parent) else { return none };
    let with = |s: &mut Store, Change { falls, rises }: Change, condition: Formula| Change {
        falls: s.and2(falls, condition),
        rises: s.and2(rises, condition),
    };
    match s.node(parent).clone() {
        Node::Not(_) => swapped(change),
        Node::And(operands) => {
            let others = others(&operands, at);
            let all = s.and(others);
            with(s, change, all)
        }
        Node::Or(operands) => {
            let others = others(&operands, at);
            let some = s.or(others);
            let none = s.not(some);
            with(s, change, none)
        }
        Node::Implies(premise, conclusion) => {
            let (change, condition) =
                if at == 0 { (swapped(change), s.not(conclusion)) } else { (change, premise) };
            with(s, change, condition)
        }
        Node::Xor(..) | Node::Iff(..) if !temporal => {
            let either = s.or2(falls, rises);
            let not_whole = s.not(whole);
            Change { falls: s.and2(either, whole), rises: s.and2(either, not_whole) }
        }
        Node::Unary(Unary::Once, bound, operand) => once(s, bound, operand, whole, change),
        Node::Unary(Unary::Historically, bound, operand) => {
            let (operand, whole) = (s.not(operand), s.not(whole));
            swapped(once(s, bound, operand, whole, swapped(change)))
        }
        Node::Binary(Binary::Since, bound, way, target) => since(s, bound, (way, target), whole, at, change),
        Node::Binary(Binary::Triggered, bound, way, target) => {
            let (way, target, whole) = (s.not(way), s.not(target), s.not(whole));
            swapped(since(s, bound, (way, target), whole, at, swapped(change)))
        }
        _ => none,
    }
}

fn swapped(Change { falls, rises }: Change) -> Change {
    Change { falls: rises, rises: falls }
}

fn others(operands: &[Formula], at: usize) -> Vec<Formula> {
    operands.iter().enumerate().filter(|it| it.0 != at).map(|it| *it.1).collect()
}

fn once(s: &mut Store, bound: Bound, operand: Formula, whole: Formula, change: Change) -> Change {
    let risen = s.once(bound, change.rises);
    let not_whole = s.not(whole);
    Change { falls: only(s, bound, operand, change.falls), rises: s.and2(not_whole, risen) }
}

/// In a window, a formula holds at exactly one position, and a condition holds there.
fn only(s: &mut Store, bound: Bound, formula: Formula, condition: Formula) -> Formula {
    let absent = s.not(formula);
    let Some(hi) = bound.hi else {
        let earlier = s.once(Bound::new(1, None), formula);
        let first = s.not(earlier);
        let witness = s.and2(condition, first);
        let last = s.since(Bound::ALL, absent, witness);
        return s.once(Bound::exactly(bound.lo), last);
    };
    let width = hi.saturating_sub(bound.lo);
    let places: Vec<u64> =
        if width <= WIDEST { (bound.lo..=hi).collect() } else { vec![bound.lo, bound.lo + 1, hi - 1, hi] };
    let mut found = Vec::new();
    for place in places {
        let here = s.once(Bound::exactly(place), condition);
        let later = match place.checked_sub(1).filter(|it| *it >= bound.lo) {
            Some(end) => s.historically(Bound::new(bound.lo, end), absent),
            None => s.top(),
        };
        let earlier = if place < hi { s.historically(Bound::new(place + 1, hi), absent) } else { s.top() };
        found.push(s.and([here, later, earlier]));
    }
    s.or(found)
}

/// `way S target`: where the way breaks, every earlier witness is lost; where the target is lost, it must have been the only witness.
fn since(
    s: &mut Store,
    bound: Bound,
    (way, target): (Formula, Formula),
    whole: Formula,
    at: usize,
    Change { falls, rises }: Change,
) -> Change {
    let not_whole = s.not(whole);
    let none = s.not(target);
    let from_start = bound == Bound::ALL;
    if at == 0 {
        let broken = s.and2(falls, none);
        let broken = s.since(Bound::ALL, none, broken);
        let falls = s.and2(whole, broken);
        let before = s.yesterday(whole);
        let repaired = s.and2(rises, before);
        let repaired = s.since(Bound::ALL, way, repaired);
        let rises = if from_start { s.and2(not_whole, repaired) } else { s.bottom() };
        return Change { falls, rises };
    }
    let new = s.since(bound, way, rises);
    let rises = s.and2(not_whole, new);
    let before = s.yesterday(whole);
    let another = s.and2(way, before);
    let no_other = s.not(another);
    let witness = s.and2(falls, no_other);
    let alone = s.and2(way, none);
    let falls = if from_start { s.since(Bound::ALL, alone, witness) } else { s.bottom() };
    Change { falls, rises }
}
