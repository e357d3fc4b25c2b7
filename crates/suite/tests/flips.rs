//! FLIP obligations against their definition: a change of one occurrence at one position changes the value.

use logic::{Bound, Formula, Id, Node, Shape, Store, truth_table};
use requirement::past;
use requirement::template::templates;
use shall_suite::flip::{Occurrence, decides, occurrences};

/// A trace for each bit.
type Bundle = [u64; 64];

/// The value of bit `bit` of a trace, for the 4096 traces from `start` on.
fn bits(start: u64, bit: u64) -> Bundle {
    std::array::from_fn(|word| {
        (0..64).fold(0, |all, at| all | (((start + word as u64 * 64 + at) >> bit) & 1) << at)
    })
}

/// The formula with one occurrence replaced.
fn replaced(s: &mut Store, formula: Formula, path: &[usize], with: Formula) -> Formula {
    let Some((&at, rest)) = path.split_first() else { return with };
    let node = s.node(formula).clone();
    let child = node.child(at).and_then(|it| s.as_formula(it)).expect("the way leads through formulas");
    let new = replaced(s, child, rest, with);
    let put = |list: &[Formula]| -> Vec<Formula> {
        list.iter().enumerate().map(|(k, it)| if k == at { new } else { *it }).collect()
    };
    match node {
        Node::Not(_) => s.not(new),
        Node::And(list) => s.and(put(&list)),
        Node::Or(list) => s.or(put(&list)),
        Node::Implies(a, b) => {
            if at == 0 {
                s.implies(new, b)
            } else {
                s.implies(a, new)
            }
        }
        Node::Xor(a, b) => {
            if at == 0 {
                s.xor(new, b)
            } else {
                s.xor(a, new)
            }
        }
        Node::Iff(a, b) => {
            if at == 0 {
                s.iff(new, b)
            } else {
                s.iff(a, new)
            }
        }
        Node::Unary(op, bound, _) => s.unary(op, bound, new),
        Node::Binary(op, bound, a, b) => {
            if at == 0 {
                s.binary(op, bound, new, b)
            } else {
                s.binary(op, bound, a, new)
            }
        }
        other => panic!("{other:?} is not an operator"),
    }
}

/// What a comparison found.
#[derive(Default, Debug, PartialEq, Eq)]
struct Found {
    occurrences: u64,
    exact: u64,
    decided: u64,
}

/// Compares the rule with the definition on all traces of a length.
fn compare(store: &mut Store, formula: Formula, length: usize, found: &mut Found) {
    let atoms: Vec<Id> = store
        .reachable([formula.id()])
        .into_iter()
        .filter(|id| matches!(store.node(*id), Node::Var(_)))
        .collect();
    let changed = store.symbol("changed");
    let changed = store.var(changed);
    for occurrence in occurrences(store, formula) {
        let Occurrence { atom, path } = &occurrence;
        let rule = decides(store, formula, &occurrence);
        let other = replaced(store, formula, path, changed);
        found.occurrences += 1;
        let mut exact = true;
        let traces = 1u64 << (atoms.len() * length);
        for start in (0..traces).step_by(4096) {
            let value = |id: Id, position: usize| -> Bundle {
                let place = atoms.iter().position(|it| *it == id).expect("is an atom");
                bits(start, (place * length + position) as u64)
            };
            let last = |formula: Formula, flipped: Option<usize>| -> Bundle {
                truth_table(store, formula, Shape::finite(length), |id, position| {
                    let of = if id == changed.id() { atom.id() } else { id };
                    let plain = value(of, position);
                    let flips = id == changed.id() && flipped == Some(position);
                    if flips { plain.map(|it| !it) } else { plain }
                })[length - 1]
            };
            let holds = last(formula, None);
            let by_rule = last(rule, None);
            let mut by_definition: Bundle = [0; 64];
            for position in 0..length {
                let changed = last(other, Some(position));
                for word in 0..64 {
                    by_definition[word] |= holds[word] & !changed[word];
                }
            }
            for word in 0..64 {
                assert_eq!(
                    by_rule[word] & !by_definition[word],
                    0,
                    "the rule holds and no change of {path:?} at one position matters: {}",
                    logic::print(store, formula, &logic::SHALL).expect("has a spelling")
                );
                exact &= by_rule[word] == by_definition[word];
                found.decided += u64::from(by_rule[word].count_ones());
            }
        }
        found.exact += u64::from(exact);
    }
}

#[test]
fn rules_agree_with_the_definition_on_all_short_traces_of_all_templates() {
    let mut found = Found::default();
    for steps in [0, 1, 2] {
        let mut store = Store::default();
        for template in templates(&mut store, steps) {
            let formula = past(&mut store, &template).expect("looks back only");
            compare(&mut store, formula, 3, &mut found);
        }
    }
    assert!(found.decided > 1_000_000, "{found:?}");
    println!("{found:?}");
}

#[test]
fn rules_of_each_operator_are_exact_on_atoms() {
    let mut store = Store::default();
    let names = ["p", "q", "r"].map(|name| store.symbol(name));
    let [p, q, r] = names.map(|symbol| store.var(symbol));
    let s = &mut store;
    let bounds = [Bound::ALL, Bound::upto(2), Bound::exactly(1), Bound::new(1, 2), Bound::new(1, None)];
    let mut formulas = Vec::new();
    for bound in bounds {
        let (once, always) = (s.once(bound, p), s.historically(bound, p));
        let both = s.and2(p, q);
        formulas.extend([once, always, s.once(bound, both), s.historically(bound, both)]);
        let due = s.implies(q, once);
        formulas.extend([due, s.historically(Bound::ALL, due), s.xor(p, q), s.iff(p, r)]);
    }
    let (since, triggered) = (s.since(Bound::ALL, p, q), s.triggered(Bound::ALL, p, q));
    let either = s.or2(since, r);
    formulas.extend([since, triggered, either, s.not(since), s.not(triggered)]);
    let mut found = Found::default();
    for formula in formulas {
        for length in 1..=4 {
            compare(&mut store, formula, length, &mut found);
        }
    }
    assert_eq!(found.exact, found.occurrences, "{found:?}");
}
