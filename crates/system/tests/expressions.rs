//! Expressions: the constructors change no value, systems are checked, shown and sliced, and simulation goes step by step.

extern crate shall_system as system;

mod support;

use base::Random;
use dashu_int::IBig;
use logic::RBig;
use system::{Bits, Expr, Function, Node, Origin, Pool, System, Type, Value, Var, Width, evaluate, simulate};

const BYTE: Width = Width { signed: true, bits: 8 };
const WORD: Width = Width { signed: false, bits: 64 };

/// Two variables of each type.
fn variables() -> (System, Vec<Expr>) {
    let mut system = System::default();
    let colour = system.pool.declare_enum("Colour", &["red", "green"]);
    let types =
        [Type::Bool, Type::Int, Type::Real, Type::Machine(BYTE), Type::Machine(WORD), Type::Enum(colour)];
    let mut all = Vec::new();
    for (place, ty) in types.into_iter().flat_map(|it| [it, it]).enumerate() {
        let var = system.add_input(&format!("v{place}"), ty);
        all.push(system.expr(var));
    }
    (system, all)
}

fn random_value(rng: &mut Random, ty: Type) -> Value {
    let small = rng.below(9) as i64 - 4;
    match ty {
        Type::Bool => Value::Bool(small > 0),
        Type::Int => Value::Int(small.into()),
        Type::Real => Value::Real(RBig::from_parts(small.into(), 2u8.into())),
        Type::Machine(width) => {
            let value = [small.into(), width.least(), width.greatest()][rng.below(3) as usize];
            Value::Machine(width.wrap(value))
        }
        Type::Enum(_) => Value::Enum(rng.below(2) as u32),
    }
}

fn constant(pool: &mut Pool, ty: Type, value: &Value) -> Expr {
    match (ty, value) {
        (_, Value::Bool(truth)) => pool.bool(*truth),
        (_, Value::Int(number)) => pool.int(number.clone()),
        (_, Value::Real(number)) => pool.real(number.clone()),
        (Type::Machine(width), Value::Machine(number)) => pool.machine(width, *number),
        (Type::Enum(id), Value::Enum(place)) => pool.literal(id, *place),
        _ => panic!("{value:?} of {ty:?}"),
    }
}

fn random(pool: &mut Pool, rng: &mut Random, all: &[Expr], ty: Type, depth: u32) -> Expr {
    if depth == 0 || rng.below(6) == 0 {
        if rng.below(3) == 0 {
            let value = random_value(rng, ty);
            return constant(pool, ty, &value);
        }
        let mine: Vec<Expr> = all.iter().copied().filter(|it| pool.type_of(*it) == ty).collect();
        return mine[rng.below(mine.len() as u64) as usize];
    }
    let below = |pool: &mut Pool, rng: &mut Random, ty| random(pool, rng, all, ty, depth - 1);
    if rng.below(4) == 0 {
        let (c, a, b) = (below(pool, rng, Type::Bool), below(pool, rng, ty), below(pool, rng, ty));
        return pool.ite(c, a, b);
    }
    match ty {
        Type::Bool => {
            let other = pool.type_of(all[rng.below(all.len() as u64) as usize]);
            let (a, b) = (below(pool, rng, Type::Bool), below(pool, rng, Type::Bool));
            let (x, y) = (below(pool, rng, other), below(pool, rng, other));
            match rng.below(8) {
                0 => pool.and([a, b]),
                1 => pool.or([a, b]),
                2 => pool.xor(a, b),
                3 => pool.implies(a, b),
                4 => pool.not(a),
                5 if other.is_number() => pool.lt(x, y),
                6 if other.is_number() => pool.ge(x, y),
                _ => pool.eq(x, y),
            }
        }
        Type::Enum(_) => below(pool, rng, ty),
        Type::Int | Type::Real | Type::Machine(_) => {
            let (a, b) = (below(pool, rng, ty), below(pool, rng, ty));
            match (rng.below(9), ty) {
                (0, _) => pool.add(a, b),
                (1, _) => pool.sub(a, b),
                (2, _) => pool.mul(a, b),
                (3, _) => pool.neg(a),
                (4, _) => pool.max(a, b),
                (5, Type::Real) => pool.div(a, b),
                (5, _) => pool.int_div(a, b),
                (6, Type::Real) => pool.floor(a),
                (6, _) => pool.modulo(a, b),
                (7, Type::Machine(width)) => {
                    let op = [Bits::And, Bits::Or, Bits::Xor][rng.below(3) as usize];
                    let shift = if rng.below(2) == 0 { Bits::ShiftLeft } else { Bits::ShiftRight };
                    let unsigned = pool.cast(Type::Machine(Width { signed: false, ..width }), b);
                    let not = pool.bit_not(a);
                    if rng.below(2) == 0 { pool.bits(op, not, b) } else { pool.bits(shift, a, unsigned) }
                }
                (_, Type::Int) => {
                    let other = [Type::Real, Type::Machine(BYTE)][rng.below(2) as usize];
                    let from = below(pool, rng, other);
                    pool.cast(Type::Int, from)
                }
                (_, Type::Real) => {
                    let from = below(pool, rng, Type::Int);
                    pool.cast(Type::Real, from)
                }
                (_, _) => {
                    let other = [Type::Int, Type::Machine(WORD)][rng.below(2) as usize];
                    let from = below(pool, rng, other);
                    pool.cast(ty, from)
                }
            }
        }
    }
}

#[test]
fn constructors_change_no_value() {
    let mut rng = Random::new(9);
    let (mut system, all) = variables();
    let mut decided = 0;
    for round in 0..20_000 {
        let ty = system.pool.type_of(all[rng.below(all.len() as u64) as usize]);
        let expr = random(&mut system.pool, &mut rng, &all, ty, 4);
        let values: Vec<Value> = system.variables.iter().map(|it| random_value(&mut rng, it.ty)).collect();
        let constants: Vec<Expr> = (0..values.len())
            .map(|it| constant(&mut system.pool, system.variables[it].ty, &values[it]))
            .collect();
        let value = evaluate(&system.pool, expr, |var: Var| values[var.index()].clone());
        let folded = system.pool.substitute(&[expr], &|var| constants.get(var.index()).copied())[0];
        let again: Value = evaluate(&system.pool, folded, |_| Value::Undefined);
        if value != Value::Undefined {
            assert_eq!(again, value, "round {round}: {}", system.show(expr));
            assert!(system.pool.node(folded).is_constant(), "{}", system.show(folded));
            decided += 1;
        }
    }
    assert!(decided > 15_000, "{decided}");
    let any = system.pool.eq(all[0], all[1]);
    system.add_property("any", Origin::Unknown, any);
    assert_eq!(system.check(), Vec::<String>::new());
}

#[test]
fn normal_forms() {
    let (mut system, all) = variables();
    let (p, q, x, y) = (all[0], all[1], all[2], all[3]);
    let pool = &mut system.pool;
    let not_p = pool.not(p);
    let less = pool.lt(x, y);
    let both = pool.and([q, p]);
    let more = pool.le(y, x);
    let either = pool.or([p, q]);
    let turned = pool.ite(p, y, x);
    let same = pool.eq(y, x);
    let cases = [
        (pool.not(not_p), p),
        (pool.not(less), more),
        (pool.and([p, p]), p),
        (pool.and([p, not_p]), Pool::FALSE),
        (pool.or([both, not_p, p]), Pool::TRUE),
        (pool.and([p, both]), both),
        (pool.ite(not_p, x, y), turned),
        (pool.ite(p, Pool::TRUE, q), either),
        (pool.ite(p, q, Pool::FALSE), both),
        (pool.eq(p, not_p), Pool::FALSE),
        (pool.eq(x, y), same),
        (pool.iff(p, Pool::FALSE), not_p),
    ];
    for (left, right) in cases {
        assert_eq!(left, right, "{} {}", system.show(left), system.show(right));
    }
}

#[test]
fn whole_division_is_euclidean_and_that_of_machine_integers_truncates() {
    let mut pool = Pool::default();
    for (a, b, quotient, rest) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1)] {
        let (x, y) = (pool.int(a), pool.int(b));
        assert_eq!(pool.int_div(x, y), pool.int(quotient), "{a} div {b}");
        assert_eq!(pool.modulo(x, y), pool.int(rest), "{a} mod {b}");
    }
    let (x, y) = (pool.machine(BYTE, -7), pool.machine(BYTE, 2));
    assert_eq!(pool.int_div(x, y), pool.machine(BYTE, -3));
    assert_eq!(pool.modulo(x, y), pool.machine(BYTE, -1));
    assert_eq!(pool.machine(BYTE, 200), pool.machine(BYTE, -56));
    let huge = pool.int(IBig::from(10).pow(30));
    assert_eq!(pool.cast(Type::Machine(BYTE), huge), pool.machine(BYTE, 0));
    let zero = pool.int(0);
    let one = pool.int(1);
    let undefined = pool.int_div(one, zero);
    assert_eq!(evaluate::<RBig>(&pool, undefined, |_| Value::Undefined), Value::Undefined);
}

/// A filter `y := y / 2 + u`, with `root` as an output and `y < 3` to be checked.
fn filter() -> System {
    let mut system = System::default();
    let u = system.add_input("u", Type::Real);
    let zero = system.pool.real(0);
    let y = system.add_state("y", Type::Real, Some(zero));
    let other = system.add_state("other", Type::Int, None);
    let (u, now, other) = (system.expr(u), system.expr(y), system.expr(other));
    let pool = &mut system.pool;
    let (two, three, seven) = (pool.real(2), pool.real(3), pool.int(7));
    let half = pool.div(now, two);
    let next = pool.add(half, u);
    let root = pool.apply(Function::Sqrt, &[now]);
    let good = pool.lt(now, three);
    let beyond = pool.lt(other, seven);
    system.set_next(y, next);
    system.add_output("root", root);
    system.add_local("beyond", beyond);
    system.add_property("small", Origin::Text(0..3), good);
    system
}

#[test]
fn simulation_is_exact_or_in_doubles() {
    let system = filter();
    let rows: Vec<Vec<Value>> = [1, 1, 4, 0].map(|u| vec![Value::Real(RBig::from(u))]).into();
    let run = simulate(&system, &[], &rows);
    assert_eq!(
        run.show(&system),
        "0: u = 1, y = 0, other = undefined, root = 0, beyond = undefined\n\
         1: u = 1, y = 1, other = undefined, root = 1, beyond = undefined\n\
         2: u = 4, y = 3/2, other = undefined, root = undefined, beyond = undefined\n\
         3: u = 0, y = 19/4, other = undefined, root = undefined, beyond = undefined\n"
    );
    let verdicts: Vec<Option<bool>> = run.steps.iter().map(|it| it.properties[0]).collect();
    assert_eq!(verdicts, [Some(true), Some(true), Some(true), Some(false)]);
    assert_eq!(run.value(&system, 3, "y"), Some(&Value::Real(RBig::from_parts(19.into(), 4u8.into()))));
    assert_eq!(run.trace(&system).expect("steps").names(), ["u", "y"]);
    // Where `other` starts is not given, and does not matter.
    assert!(system::refutes(&system, &run, 0));
    let mut other_run = run.clone();
    other_run.steps[2].values[0] = Value::Real(RBig::from(3));
    assert!(!system::refutes(&system, &other_run, 0));

    let rows: Vec<Vec<Value<f64>>> = [0.5, 0.1, 0.0].map(|u| vec![Value::Real(u)]).into();
    let run = simulate(&system, &[], &rows);
    assert_eq!(run.value(&system, 2, "root"), Some(&Value::Real(0.35f64.sqrt())));
}

#[test]
fn slices_keep_what_matters() {
    let mut system = filter();
    let v = system.add_input("v", Type::Bool);
    let v = system.expr(v);
    assert_eq!(system.slice(&[0]).inputs.len(), 1);
    system.assumptions.push(v);
    let slice = system.slice(&[0]);
    assert_eq!((slice.inputs.len(), slice.state.len(), slice.outputs.len()), (2, 1, 1));
    assert_eq!(
        slice.to_string(),
        "input u: real\ninput v: bool\nstate y: real := 0.0, then ((y / 2.0) + u)\noutput root = sqrt(y)\n\
         assume v\ncheck \"small\": (y < 3.0)\n"
    );
}

#[test]
fn faults_are_found() {
    let (mut system, all) = variables();
    let mixed = system.pool.add(all[2], all[4]);
    let wide = system.add_input("v0", Type::Machine(Width { signed: false, bits: 200 }));
    let state = system.add_state("s", Type::Bool, Some(all[0]));
    system.set_next(state, mixed);
    system.assumptions.push(all[2]);
    assert_eq!(
        system.check(),
        [
            "`v0` is the name of two variables or outputs",
            "`v0` has a width that is not 1 to 64 bits",
            "the next of `s` is not of its type",
            "the init of `s` depends on variables",
            "`v2` is not a Boolean",
            "`(v2 + v4)` is not well typed",
        ]
    );
    let wide = system.expr(wide);
    assert!(matches!(system.pool.node(wide), Node::Var(_)));
}
