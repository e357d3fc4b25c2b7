//! Every operator on bits against the evaluator: on all small values, and on random ones of larger widths. Proofs are checked on
//! these bits too, so a bug here would go unnoticed anywhere else.

use super::Blast;
use crate::solver::context::{Context as _, Start};
use base::Random;
use system::{Bits, Expr, Pool, System, Type, Value, Width, evaluate};

const OPERATIONS: [Bits; 5] = [Bits::And, Bits::Or, Bits::Xor, Bits::ShiftLeft, Bits::ShiftRight];

/// All terms over a condition and two values of a type.
fn terms(pool: &mut Pool, ty: Type, [c, x, y]: [Expr; 3]) -> Vec<Expr> {
    let mut all = vec![pool.eq(x, y), pool.ne(x, y), pool.ite(c, x, y)];
    if ty == Type::Bool {
        all.extend([pool.not(x), pool.and([x, y, c]), pool.or([x, y, c]), pool.and([x, y]), pool.xor(x, y)]);
    }
    if ty.is_number() {
        all.extend([
            pool.lt(x, y),
            pool.le(x, y),
            pool.neg(x),
            pool.add(x, y),
            pool.sub(x, y),
            pool.mul(x, y),
        ]);
        // Results of results: words that are longer than their values need. Products of products are slow.
        let (sum, product) = (pool.add(x, y), pool.mul(x, y));
        if !matches!(ty, Type::Machine(width) if width.bits > 16) {
            let more =
                [pool.lt(sum, product), pool.ite(c, sum, product), pool.mul(sum, y), pool.neg(product)];
            all.extend(more);
        }
        for bits in [1, 3, 8, 64] {
            let casts = [true, false].map(|signed| pool.cast(Type::Machine(Width { signed, bits }), x));
            all.extend(casts);
        }
    }
    match ty {
        Type::Int => {
            for divisor in [1, 2, 3, 7] {
                let divisor = pool.int(divisor);
                all.extend([pool.int_div(x, divisor), pool.modulo(x, divisor)]);
            }
        }
        Type::Machine(_) => {
            all.extend([pool.bit_not(x), pool.cast(Type::Int, x)]);
            all.extend(OPERATIONS.map(|op| pool.bits(op, x, y)));
        }
        Type::Bool | Type::Real | Type::Enum(_) => {}
    }
    all
}

fn constant(pool: &mut Pool, ty: Type, value: &Value) -> Expr {
    match (ty, value) {
        (Type::Machine(width), Value::Machine(it)) => pool.machine(width, *it),
        (Type::Enum(id), Value::Enum(it)) => pool.literal(id, *it),
        (_, Value::Bool(it)) => pool.bool(*it),
        (_, Value::Int(it)) => pool.int(it.clone()),
        _ => panic!("{value:?} is no {ty:?}"),
    }
}

/// Compares all terms over some values of a type; integers are within the range of these.
fn compare(mut system: System, ty: Type, pairs: &[[Value; 2]]) {
    let vars = [("c", Type::Bool), ("x", ty), ("y", ty)].map(|(name, ty)| system.add_input(name, ty));
    let exprs = vars.map(|it| system.expr(it));
    if ty == Type::Int {
        let values = || pairs.iter().flatten();
        let number = |it: &Value| if let Value::Int(it) = it { it.clone() } else { 0.into() };
        let (low, high) = (values().map(number).min(), values().map(number).max());
        for it in &exprs[1..] {
            let (low, high) = (system.pool.int(low.clone().unwrap()), system.pool.int(high.clone().unwrap()));
            let range = [system.pool.le(low, *it), system.pool.le(*it, high)];
            system.assumptions.extend(range);
        }
    }
    for term in terms(&mut system.pool, ty, exprs) {
        let mut context = Blast::new(&system, Start::Free, &|| false);
        for (place, [x, y]) in pairs.iter().enumerate() {
            let given = [Value::Bool(place % 2 == 0), x.clone(), y.clone()];
            let value = evaluate(&system.pool, term, |var| {
                vars.iter().position(|it| *it == var).map_or(Value::Undefined, |it| given[it].clone())
            });
            let mut asked = Vec::new();
            let all = exprs.iter().chain([&term]).zip(given.iter().chain([&value]));
            for (expr, value) in all {
                let ty = system.pool.type_of(*expr);
                let is = constant(&mut system.pool, ty, value);
                let same = system.pool.eq(*expr, is);
                asked.push(context.literal(&system, same, 0).unwrap());
            }
            let shown = || format!("{} of {given:?} is {value:?}", system.show(term));
            assert_eq!(context.solve(&asked), Ok(true), "{}", shown());
            asked[3] = !asked[3];
            assert_eq!(context.solve(&asked), Ok(false), "{}", shown());
        }
    }
}

fn all_pairs(values: &[Value]) -> Vec<[Value; 2]> {
    values.iter().flat_map(|x| values.iter().map(|y| [x.clone(), y.clone()])).collect()
}

#[test]
fn all_small_values() {
    let mut system = System::default();
    let colour = system.pool.declare_enum("Colour", &["red", "green", "blue"]);
    compare(system.clone(), Type::Bool, &all_pairs(&[false, true].map(Value::Bool)));
    compare(system.clone(), Type::Enum(colour), &all_pairs(&[0, 1, 2].map(Value::Enum)));
    // As many as fit into a word, so that each operation needs a longer one.
    let whole: Vec<Value> = (-4..4).map(|it| Value::Int(it.into())).collect();
    compare(system.clone(), Type::Int, &all_pairs(&whole));
    for (signed, bits) in [(true, 3), (false, 3), (true, 1), (false, 1)] {
        let width = Width { signed, bits };
        let values: Vec<Value> = (width.least()..=width.greatest()).map(Value::Machine).collect();
        compare(system.clone(), Type::Machine(width), &all_pairs(&values));
    }
}

#[test]
fn some_large_values() {
    let mut rng = Random::new(5);
    let mut number = move |bits: u32| (rng.below(usize::MAX) as i128 - (1 << 52)) >> (53 - bits.min(53));
    let pairs: Vec<[Value; 2]> = (0..4).map(|_| [0; 2].map(|_| Value::Int(number(16).into()))).collect();
    compare(System::default(), Type::Int, &pairs);
    for (signed, bits) in [(true, 8), (false, 16), (true, 64), (false, 64)] {
        let width = Width { signed, bits };
        let mut pairs: Vec<[Value; 2]> = Vec::new();
        for shift in [0, 1, i128::from(bits) - 1, i128::from(bits), -1] {
            let x = number(bits.into());
            pairs.push([x, shift].map(|it| Value::Machine(width.wrap(it))));
        }
        pairs.push([width.least(), width.greatest()].map(Value::Machine));
        pairs.push([number(bits.into()), number(bits.into())].map(|it| Value::Machine(width.wrap(it))));
        compare(System::default(), Type::Machine(width), &pairs);
    }
}
