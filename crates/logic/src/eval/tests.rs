//! Small traces by hand, and random formulas against the definitions evaluated position by position.

use super::*;
use crate::number::parse_decimal;
use crate::testing::{random_formula, read, shall};
use base::Random;

/// Evaluates on a trace whose columns are written as text: `p: T F` for Booleans, `x: 1.5 2` for numbers, `m: on off` for names.
/// Positions from `>` on repeat.
fn check(columns: &str, formula: &str, expected: &str) {
    let mut store = Store::default();
    let f = read(&mut store, formula);
    let mut trace = None;
    for column in columns.split(';') {
        let (name, values) = column.split_once(':').expect("a name");
        let loop_start = values.split_whitespace().position(|value| value == ">");
        let values: Vec<Value> = values.split_whitespace().filter(|&value| value != ">").map(cell).collect();
        let so_far = trace.unwrap_or_else(|| Trace::new(values.len(), loop_start).expect("positions"));
        trace = Some(so_far.with(name.trim(), values).expect("a column"));
    }
    let shown = match super::values(&store, f, &trace.expect("a trace")) {
        Ok(values) => values.iter().map(|&value| if value { '1' } else { '0' }).collect(),
        Err(error) => error.to_string(),
    };
    assert_eq!(shown, expected, "{formula} on {columns}");
}

fn cell(text: &str) -> Value {
    match (text, parse_decimal(text)) {
        ("T", _) => Value::Bool(true),
        ("F", _) => Value::Bool(false),
        (_, Some(number)) => Value::Num(number),
        (_, None) => Value::Name(text.to_owned()),
    }
}

#[test]
fn traces() {
    for (columns, formula, expected) in [
        ("p: T F T", "p", "101"),
        ("p: T F T", "(X true)", "110"),
        ("p: T F T", "(N p)", "011"),
        ("p: T F T", "(Z p)", "110"),
        ("p: T F T", "(Z false)", "100"),
        ("p: F F T F", "(F p)", "1110"),
        ("p: F F T F", "(F[0,1] p)", "0110"),
        ("p: F F T F", "(F[2,18446744073709551615] p)", "1000"),
        ("p: F F T F", "(H[1,2] (! p))", "1110"),
        ("p: T T F F; q: F F T F", "(U p q)", "1110"),
        ("p: T T F F; q: F F T F", "(U[0,1] p q)", "0110"),
        ("p: F T T T; q: T F F F", "(S[2,] p q)", "0011"),
        ("p: F > T F", "(G (F p))", "111"),
        ("p: F > T F", "(F (G p))", "000"),
        ("p: T > F F", "(G (O p))", "111"),
        ("p: T > F F", "(F (O[5,5] p))", "111"),
        ("p: T > F F", "(G (F[0,7] (O[0,6] p)))", "000"),
        ("p: T > F", "(X (X (Y p)))", "00"),
        ("x: 1 2.5 3", "(> (pre 2 x) 1.5)", "101"),
        ("x: 1 > 2 3", "(G (< (pre 0 x) 3))", "000"),
        ("x: 1 2 3", "(= (+ x (pre 0 (pre 5 x))) 4)", "001"),
        ("x: 1 2; p: T F", "(= (ite (O[1,1] p) x 7) x)", "01"),
        ("m: on off", "(= m 'on)", "10"),
        ("sin(x): 0 1; x: F F", "(= (call sin x) 1)", "01"),
        ("p: T F; ok(p, 2): T F", "(Y (call ok p 2))", "01"),
        ("p: T", "(& p q)", "the trace has no column `q`"),
        ("p: T", "(call f p 1)", "`f(p, 1)` has no meaning, and the trace has no column of that name"),
        ("x: 1 0", "(> (/ 1 x) 0)", "at position 1: division by zero"),
        ("x: 1 0", "(F x)", "at position 0: `x` is not a Boolean"),
        ("x: 1 on", "(> x 0)", "at position 1: `x` is not a number"),
        ("p: T", "(& p ?0)", "at position 0: a part of the formula is not filled in"),
        ("p: T > F F", "(G (O[0,99999999999] p))", "the bounds reach back too far for a trace with a loop"),
        ("p: T > F F", "(O[0,99999999999] p)", "111"),
    ] {
        check(columns, formula, expected);
    }
}

#[test]
fn one_position() {
    let mut store = Store::default();
    let f = read(&mut store, "(X p)");
    let trace = Trace::new(2, None).and_then(|t| t.with("p", vec![Value::Bool(true); 2])).expect("a trace");
    assert_eq!(holds_at(&store, f, &trace, 0), Ok(true));
    assert_eq!(holds_at(&store, f, &trace, 1), Ok(false));
    assert_eq!(holds_at(&store, f, &trace, 2), Err(EvalError::NoSuchPosition { position: 2 }));
}

/// The definitions, position by position. A trace with a loop is unrolled so far that all of it repeats long before the end; each
/// future operator shortens the known part.
fn by_definition(store: &Store, root: Formula, shape: Shape, atom: impl Fn(Id, usize) -> bool) -> Vec<bool> {
    const FAR: usize = 100;
    let endless = shape.loop_start.is_some();
    let mut known: FxHashMap<Id, Vec<bool>> = FxHashMap::default();
    for id in store.reachable([root.id()]) {
        let get = |f: Formula, t: usize| known[&f.id()][t];
        let len = |f: Formula| known[&f.id()].len();
        let column: Vec<bool> = match store.node(id) {
            Node::Not(f) => (0..len(*f)).map(|t| !get(*f, t)).collect(),
            Node::And(fs) => {
                let shortest = fs.iter().map(|&f| len(f)).min().expect("operands");
                (0..shortest).map(|t| fs.iter().all(|&f| get(f, t))).collect()
            }
            Node::Or(fs) => {
                let shortest = fs.iter().map(|&f| len(f)).min().expect("operands");
                (0..shortest).map(|t| fs.iter().any(|&f| get(f, t))).collect()
            }
            Node::Implies(a, b) => (0..len(*a).min(len(*b))).map(|t| !get(*a, t) || get(*b, t)).collect(),
            Node::Iff(a, b) => (0..len(*a).min(len(*b))).map(|t| get(*a, t) == get(*b, t)).collect(),
            Node::Unary(..) | Node::Binary(..) => {
                let (window, bound, way, goal) = match *store.node(id) {
                    Node::Binary(op, bound, a, b) => (op.window(), bound, Some(a), b),
                    Node::Unary(op, bound, f) => (op, bound, None, f),
                    _ => unreachable!("one of the two"),
                };
                let all = way.map_or(len(goal), |way| len(way).min(len(goal)));
                let lo = bound.lo as usize;
                let far = if window.is_future() { FAR } else { all };
                let hi = bound.hi.map_or(lo + far, |hi| hi as usize);
                let len = if endless && window.is_future() { all - hi } else { all };
                let existential = window.is_existential();
                let seen = |f: Formula, t: usize| get(f, t) == existential;
                let at = |t: usize| {
                    let place = |k: usize| match window.is_future() {
                        true => Some(t + k).filter(|&place| place < all),
                        false => t.checked_sub(k),
                    };
                    let reached =
                        (lo..=hi).filter(|&k| place(k).is_some_and(|place| seen(goal, place))).any(|k| {
                            way.is_none_or(|way| {
                                (0..k).all(|k| place(k).is_some_and(|place| seen(way, place)))
                            })
                        });
                    reached == existential
                };
                (0..len).map(at).collect()
            }
            node => {
                let len = if endless { 8 * FAR } else { shape.len };
                let value = |t| *node == Node::True || (*node != Node::False && atom(id, t));
                (0..len).filter_map(|t| shape.fold(t as u128)).map(value).collect()
            }
        };
        known.insert(id, column);
    }
    known[&root.id()][..shape.len].to_vec()
}

#[test]
fn truth_tables_follow_the_definitions() {
    let mut rng = Random::new(1);
    for round in 0..4_000_usize {
        let mut store = Store::default();
        let atoms = ["a", "b", "c"].map(|name| read(&mut store, name));
        let f = random_formula(&mut store, &mut rng, &atoms, 4);
        let len = 1 + round % 9;
        let loop_start = (round % 2 == 0).then(|| round / 2 % len);
        let shape = Shape { len, loop_start };
        let bits: Vec<bool> = (0..3 * len).map(|_| rng.below(3) == 0).collect();
        let leaf = |id: Id, t: usize| bits[3 * t + atoms.iter().position(|a| a.id() == id).expect("an atom")];
        let expected = by_definition(&store, f, shape, leaf);
        assert_eq!(
            truth_table(&store, f, shape, leaf),
            expected,
            "{} on {shape:?} {bits:?}",
            shall(&store, f)
        );
    }
}

#[test]
fn many_traces_at_once_are_the_single_ones() {
    let mut store = Store::default();
    let f = read(&mut store, "(<-> (U[1,2] a (O b)) (H[0,1] (-> a b)))");
    let bit = |id: Id, t: usize, trace: u64| trace.rotate_left(7 * id.0 + 3 * t as u32).is_multiple_of(3);
    let shape = Shape::lasso(5, 2);
    let together: Vec<u64> = truth_table(&store, f, shape, |id, t| {
        (0..64).fold(0, |bits, trace| bits | u64::from(bit(id, t, trace)) << trace)
    });
    for trace in 0..64 {
        let alone = truth_table(&store, f, shape, |id, t| bit(id, t, trace));
        assert!(alone.iter().zip(&together).all(|(&one, all)| one == (all >> trace & 1 == 1)));
    }
}

#[test]
fn long_traces_with_large_windows_take_linear_time() {
    let mut store = Store::default();
    let f = read(&mut store, "(G[0,90000] (-> a (& (F[1000,80000] b) (S[500,70000] (! b) a))))");
    let truths = truth_table(&store, f, Shape::finite(200_000), |id, t| (t + id.index()) % 7919 == 0);
    assert_eq!(truths.len(), 200_000);
}

/// An undefined term has no effect where the rest decides.
#[test]
fn undefined_values_matter_only_where_they_decide() {
    let columns = "x: 6 6 6; y: 0 2 3";
    check(columns, "(-> (!= y 0) (>= (/ x y) 2))", "111");
    check(columns, "(H (-> (!= y 0) (>= (/ x y) 2)))", "111");
    check(columns, "(F (= (/ x y) 2))", "111");
    check(columns, "(| (= y 0) (< (/ x y) 3))", "101");
    check(columns, "(>= (ite (= y 0) 2 (/ x y)) 2)", "111");
    check(columns, "(>= (/ x y) 2)", "at position 0: division by zero");
}
