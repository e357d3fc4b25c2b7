//! Random small systems, each of a kind, and hand-made ones.

#![allow(dead_code)]

use base::Random;
use system::{Expr, Origin, Pool, System, Type, Width};

/// What a random system has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Booleans and enumerations.
    Finite,
    /// Counters that stop or start again, and small bounded inputs.
    Counters,
    /// Machine integers of three bits.
    Machine,
    /// Reals and integers that are copied and compared with constants.
    Copies,
    /// Sums of integers without bounds.
    Linear,
}

/// A random system with one property.
pub(crate) fn random(rng: &mut Random, kind: Kind) -> System {
    let mut system = System::default();
    let colour = system.pool.declare_enum("Colour", &["red", "green", "blue"]);
    let number = match kind {
        Kind::Finite => Type::Enum(colour),
        Kind::Counters | Kind::Linear => Type::Int,
        Kind::Machine => Type::Machine(Width { signed: rng.below(2) == 0, bits: 3 }),
        Kind::Copies => Type::Real,
    };
    let mut all: Vec<Expr> = Vec::new();
    for (name, ty) in [("b", Type::Bool), ("n", number)] {
        let var = system.add_input(name, ty);
        all.push(system.expr(var));
    }
    if matches!(kind, Kind::Counters) {
        let (low, high) = (system.pool.int(-1), system.pool.int(2));
        let range = [system.pool.le(low, all[1]), system.pool.le(all[1], high)];
        system.assumptions.extend(range);
    }
    let mut states = Vec::new();
    for (name, ty) in
        [("p", Type::Bool), ("q", Type::Bool), ("e", Type::Enum(colour)), ("x", number), ("y", number)]
    {
        let init = constant(&mut system.pool, rng, ty);
        let counts = matches!(kind, Kind::Counters | Kind::Linear) && ty == Type::Int;
        let var = system.add_state(name, ty, (counts || rng.below(4) > 0).then_some(init));
        let now = system.expr(var);
        all.push(now);
        states.push((var, now));
    }
    for (var, now) in states {
        let guard = truth(&mut system.pool, rng, &all, 2);
        let ty = system.pool.type_of(now);
        let new = step(&mut system.pool, rng, &all, now, ty, kind);
        let next = system.pool.ite(guard, new, now);
        system.set_next(var, next);
    }
    assume(&mut system, rng, &all, 3);
    let parts: Vec<Expr> = (0..3).map(|_| truth(&mut system.pool, rng, &all[2..], 2)).collect();
    let property = system.pool.or(parts);
    system.add_property("random", Origin::Unknown, property);
    system
}

/// One in this many systems has an assumption, and one in this many an initial condition.
pub(crate) fn assume(system: &mut System, rng: &mut Random, all: &[Expr], rarity: u64) {
    if rng.below(rarity) == 0 {
        let assumed = truth(&mut system.pool, rng, all, 1);
        system.assumptions.push(assumed);
    }
    if rng.below(rarity) == 0 {
        let initially = truth(&mut system.pool, rng, all, 1);
        system.initial.push(initially);
    }
}

fn step(pool: &mut Pool, rng: &mut Random, all: &[Expr], now: Expr, ty: Type, kind: Kind) -> Expr {
    let same: Vec<Expr> = all.iter().copied().filter(|it| pool.type_of(*it) == ty).collect();
    match (ty, kind) {
        (Type::Bool, _) => truth(pool, rng, all, 2),
        (Type::Int, Kind::Counters) => {
            let (one, top, zero) = (pool.int(1), pool.int(2 + rng.below(4)), pool.int(0));
            let more = pool.add(now, one);
            let full = pool.ge(now, top);
            let behind = if rng.below(2) == 0 { zero } else { top };
            pool.ite(full, behind, more)
        }
        (Type::Int | Type::Machine(_), Kind::Linear | Kind::Machine) => {
            let (a, b) = (rng.pick(&same), rng.pick(&same));
            match rng.below(5) {
                0 => constant(pool, rng, ty),
                1 => pool.sub(a, b),
                2 if kind == Kind::Machine => pool.mul(a, b),
                3 if kind == Kind::Machine => pool.bit_not(a),
                _ => pool.add(a, b),
            }
        }
        _ if rng.below(3) == 0 => constant(pool, rng, ty),
        _ => rng.pick(&same),
    }
}

pub(crate) fn constant(pool: &mut Pool, rng: &mut Random, ty: Type) -> Expr {
    let small = rng.below(3) as i64 - 1;
    match ty {
        Type::Bool => pool.bool(small == 0),
        Type::Int => pool.int(small),
        Type::Real => pool.real(small),
        Type::Enum(id) => pool.literal(id, (small + 1) as u32),
        Type::Machine(width) => pool.machine(width, small.into()),
    }
}

pub(crate) fn truth(pool: &mut Pool, rng: &mut Random, all: &[Expr], depth: u32) -> Expr {
    if depth == 0 || rng.below(5) == 0 {
        let atom = rng.pick(all);
        let ty = pool.type_of(atom);
        let other = constant(pool, rng, ty);
        return match (ty, rng.below(3)) {
            (Type::Bool, _) => atom,
            (Type::Int | Type::Real | Type::Machine(_), 0) => pool.lt(atom, other),
            (Type::Int | Type::Real | Type::Machine(_), 1) => pool.le(atom, other),
            _ => pool.eq(atom, other),
        };
    }
    let a = truth(pool, rng, all, depth - 1);
    let b = truth(pool, rng, all, depth - 1);
    match rng.below(4) {
        0 => pool.and([a, b]),
        1 => pool.or([a, b]),
        2 => pool.xor(a, b),
        _ => pool.not(a),
    }
}
