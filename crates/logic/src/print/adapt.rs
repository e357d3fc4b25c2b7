//! Rewriting formulas for dialects that lack an operator: equivalent at every position of finite and infinite traces.
//!
//! Bounds move from U, R, S, T to the operators over windows: `p U[0,n] q` is `(p U q) & F[0,n] q`, because only the first q matters,
//! and a window that begins later is reached first. R, S, T are dual and mirrored.

use crate::print::dialect::Dialect;
use crate::store::{Binary, Bound, Formula, Node, Store, Unary};

/// The formula without operators that the dialect lacks and others can express. What cannot be expressed stays, and the printer
/// rejects it.
pub fn adapt(store: &mut Store, f: Formula, dialect: &Dialect) -> Formula {
    let adapted = store.transform(
        f.id(),
        |_, _| None,
        |store, id| {
            if let Node::Binary(op, bound, a, b) = *store.node(id)
                && bound != Bound::ALL
                && !dialect.bounded_ways
            {
                return without_bounds(store, op, bound, a, b, dialect).id();
            }
            id
        },
    );
    store.as_formula(adapted).unwrap_or(f)
}

fn without_bounds(
    store: &mut Store,
    op: Binary,
    bound: Bound,
    a: Formula,
    b: Formula,
    dialect: &Dialect,
) -> Formula {
    let window = op.window();
    let join = |store: &mut Store, x, y| {
        if window.is_existential() { store.and2(x, y) } else { store.or2(x, y) }
    };
    let from_there = if bound.is_point() {
        b
    } else {
        let endless = store.binary(op, Bound::ALL, a, b);
        match bound.hi {
            None => endless,
            Some(hi) => {
                let near = store.unary(window, Bound::upto(hi - bound.lo), b);
                join(store, endless, near)
            }
        }
    };
    if bound.lo == 0 {
        return from_there;
    }
    let way = store.unary(window.dual(), Bound::upto(bound.lo - 1), a);
    let later = later(store, window, bound.lo, from_there, dialect);
    join(store, way, later)
}

/// The formula `steps` positions away. Weak next, if it has no spelling, is next between negations.
fn later(store: &mut Store, window: Unary, steps: u64, f: Formula, dialect: &Dialect) -> Formula {
    let spelled = dialect.windows[window as usize].is_some_and(|spelling| spelling.step.is_some());
    if steps > 1 || spelled {
        return store.unary(window, Bound::exactly(steps), f);
    }
    let negated = store.not(f);
    let next = store.unary(window.dual(), Bound::NEXT, negated);
    store.not(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::dialect::{DIALECTS, SHALL, SMV};
    use crate::print::print;
    use crate::testing::{assert_equivalent, random_formulas, read, shall};

    fn check(input: &str, expected: &str) {
        let mut store = Store::default();
        let f = read(&mut store, input);
        let adapted = adapt(&mut store, f, &SMV);
        assert_eq!(print(&store, adapted, &SMV).as_deref(), Ok(expected), "{input}");
        assert_equivalent(&store, f, adapted);
        assert_eq!(adapt(&mut store, f, &SHALL), f);
    }

    #[test]
    fn bounded_ways() {
        check("(U[0,3] a b)", "(a U b) & F [0,3] b");
        check("(R[0,3] a b)", "(a V b) | G [0,3] b");
        check("(S[2,] a b)", "H [0,1] a & O [2,2] (a S b)");
        check("(S[2,2] a b)", "H [0,1] a & O [2,2] b");
        check("(U[1,3] a b)", "a & X ((a U b) & F [0,2] b)");
        check("(R[1,3] a b)", "a | !X !((a V b) | G [0,2] b)");
        check("(T[1,3] a b)", "a | Z ((a T b) | H [0,2] b)");
        check("(G (-> a (U[0,2] b c)))", "G (a -> (b U c) & F [0,2] c)");
    }

    #[test]
    fn random_formulas_keep_their_meaning() {
        random_formulas((3, 500), ["a", "b", "c"], 4, |store, f| {
            for dialect in DIALECTS {
                let adapted = adapt(store, f, dialect);
                assert_equivalent(store, f, adapted);
                if let Err(error) = print(store, adapted, dialect) {
                    let reason = format!("{} in {}", error, shall(store, adapted));
                    assert!(error.operator == "weak next" || error.reason.contains("past"), "{reason}");
                }
            }
        });
    }
}
