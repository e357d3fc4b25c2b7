//! Formulas with one small error each: what a test suite or a proof must tell from the original.

use crate::store::{Bound, Formula, Id, Node, Rel, Store};

/// A kind of error.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mutation {
    /// An end of a window is one step off.
    Bound,
    /// A part is negated.
    Negation,
    /// An operand is missing.
    Operand,
    /// An operator is replaced: `&` with `|`, H with O, S with T.
    Operator,
    /// A comparison is strict where it was not, or the other way round.
    Comparison,
    /// The end of an interval is forgotten.
    ScopeEnd,
}

impl Mutation {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Mutation::Bound => "bound off by one",
            Mutation::Negation => "negated",
            Mutation::Operand => "operand dropped",
            Mutation::Operator => "operator swapped",
            Mutation::Comparison => "comparison shifted",
            Mutation::ScopeEnd => "scope end forgotten",
        }
    }
}

/// All formulas that differ from this one in one place, with the kind of the error.
pub fn mutants(store: &mut Store, formula: Formula) -> Vec<(Mutation, Formula)> {
    let mut mutants = Vec::new();
    for id in store.reachable_until([formula.id()], |node| !node.is_operator()) {
        for (kind, replacement) in changes(store, id) {
            let mutant = store.map(formula.id(), |_, at| (at == id).then_some(replacement));
            if let Some(mutant) = store.as_formula(mutant).filter(|&mutant| mutant != formula) {
                mutants.push((kind, mutant));
            }
        }
    }
    mutants
}

/// The changes of a node, with their kinds.
fn changes(s: &mut Store, id: Id) -> Vec<(Mutation, Id)> {
    let Some(f) = s.as_formula(id) else { return Vec::new() };
    let mut changes = vec![(Mutation::Negation, s.not(f))];
    match s.node(id).clone() {
        Node::And(list) => {
            changes.push((Mutation::Operator, s.or(list.iter().copied())));
            changes.extend((0..list.len()).map(|k| (Mutation::Operand, s.and(without(&list, k)))));
        }
        Node::Or(list) => {
            changes.push((Mutation::Operator, s.and(list.iter().copied())));
            changes.extend((0..list.len()).map(|k| (Mutation::Operand, s.or(without(&list, k)))));
        }
        Node::Implies(a, b) => changes.extend([
            (Mutation::Operator, s.implies(b, a)),
            (Mutation::Operator, s.iff(a, b)),
            (Mutation::Operand, b),
        ]),
        Node::Unary(op, bound, a) => {
            changes.extend([(Mutation::Operator, s.unary(op.dual(), bound, a)), (Mutation::Operand, a)]);
            changes.extend(shifted(bound).into_iter().map(|bound| (Mutation::Bound, s.unary(op, bound, a))));
        }
        Node::Binary(op, bound, a, b) => {
            changes.extend([(Mutation::Operator, s.binary(op.dual(), bound, a, b)), (Mutation::Operand, b)]);
            let never = s.bottom();
            let always = s.top();
            // The left operand of release and triggered is where an interval ends.
            changes.extend([
                (Mutation::ScopeEnd, s.binary(op, bound, never, b)),
                (Mutation::ScopeEnd, s.binary(op, bound, always, b)),
            ]);
        }
        Node::Rel(rel, a, b) => {
            let other = match rel {
                Rel::Lt => Some(Rel::Le),
                Rel::Le => Some(Rel::Lt),
                Rel::Gt => Some(Rel::Ge),
                Rel::Ge => Some(Rel::Gt),
                Rel::Eq | Rel::Ne => None,
            };
            changes.extend(other.map(|it| (Mutation::Comparison, s.rel(it, a, b))));
        }
        _ => {}
    }
    changes.into_iter().map(|(kind, formula)| (kind, formula.id())).collect()
}

fn without(list: &[Formula], k: usize) -> Vec<Formula> {
    list.iter().enumerate().filter(|(index, _)| *index != k).map(|(_, &f)| f).collect()
}

/// The bounds with one end moved by one step.
fn shifted(Bound { lo, hi }: Bound) -> Vec<Bound> {
    let mut bounds = vec![Bound { lo: lo + 1, hi }];
    bounds.extend(lo.checked_sub(1).map(|lo| Bound { lo, hi }));
    if let Some(hi) = hi {
        bounds.push(Bound { lo, hi: Some(hi + 1) });
        bounds.extend(hi.checked_sub(1).map(|hi| Bound { lo, hi: Some(hi) }));
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SHALL, print};

    #[test]
    fn each_part_is_changed_in_each_way() {
        let mut store = Store::default();
        let names = ["p", "q"].map(|name| store.symbol(name));
        let [p, q] = names.map(|symbol| store.var(symbol));
        let once = store.once(Bound::upto(2), q);
        let formula = store.implies(p, once);
        let texts: Vec<(Mutation, String)> = mutants(&mut store, formula)
            .into_iter()
            .map(|(kind, it)| (kind, print(&store, it, &SHALL).expect("all operators are known")))
            .collect();
        for (kind, text) in [
            (Mutation::Negation, "!p -> O[<=2] q"),
            (Mutation::Operator, "p -> H[<=2] q"),
            (Mutation::Operator, "O[<=2] q -> p"),
            (Mutation::Operand, "O[<=2] q"),
            (Mutation::Bound, "p -> O[<=3] q"),
            (Mutation::Bound, "p -> O[1,2] q"),
        ] {
            assert!(texts.iter().any(|it| it.0 == kind && it.1 == text), "{text}: {texts:?}");
        }
    }
}
