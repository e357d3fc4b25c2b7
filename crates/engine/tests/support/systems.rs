//! Random small systems, each of a kind, and hand-made ones.

use system::{Expr, Origin, Pool, System, Type, Width};

/// A small generator of numbers.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    fn pick(&mut self, all: &[Expr]) -> Expr {
        all[self.roll(all.len() as u64) as usize]
    }
}

/// What a random system has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Truth values and enumerations.
    Finite,
    /// Counters that stop or start again, and small bounded inputs.
    Counters,
    /// Machine integers of three bits.
    Machine,
    /// Real and whole numbers that are copied and compared with constants.
    Copies,
    /// Sums of whole numbers without bounds.
    Linear,
}

/// A random system with one property.
pub(crate) fn random(dice: &mut Dice, kind: Kind) -> System {
    let mut system = System::default();
    let colour = system.pool.declare_enum("Colour", &["red", "green", "blue"]);
    let number = match kind {
        Kind::Finite => Type::Enum(colour),
        Kind::Counters | Kind::Linear => Type::Int,
        Kind::Machine => Type::Machine(Width { signed: dice.roll(2) == 0, bits: 3 }),
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
        let init = constant(&mut system.pool, dice, ty);
        let counts = matches!(kind, Kind::Counters | Kind::Linear) && ty == Type::Int;
        let var = system.add_state(name, ty, (counts || dice.roll(4) > 0).then_some(init));
        let now = system.expr(var);
        all.push(now);
        states.push((var, now));
    }
    for (var, now) in states {
        let guard = truth(&mut system.pool, dice, &all, 2);
        let ty = system.pool.type_of(now);
        let new = step(&mut system.pool, dice, &all, now, ty, kind);
        let next = system.pool.ite(guard, new, now);
        system.set_next(var, next);
    }
    if dice.roll(3) == 0 {
        let assumed = truth(&mut system.pool, dice, &all, 1);
        system.assumptions.push(assumed);
    }
    if dice.roll(3) == 0 {
        let initially = truth(&mut system.pool, dice, &all, 1);
        system.initial.push(initially);
    }
    let parts: Vec<Expr> = (0..3).map(|_| truth(&mut system.pool, dice, &all[2..], 2)).collect();
    let property = system.pool.or(parts);
    system.add_property("random", Origin::Unknown, property);
    system
}

fn step(pool: &mut Pool, dice: &mut Dice, all: &[Expr], now: Expr, ty: Type, kind: Kind) -> Expr {
    let same: Vec<Expr> = all.iter().copied().filter(|it| pool.type_of(*it) == ty).collect();
    match (ty, kind) {
        (Type::Bool, _) => truth(pool, dice, all, 2),
        (Type::Int, Kind::Counters) => {
            let (one, top, zero) = (pool.int(1), pool.int(2 + dice.roll(4)), pool.int(0));
            let more = pool.add(now, one);
            let full = pool.ge(now, top);
            let behind = if dice.roll(2) == 0 { zero } else { top };
            pool.ite(full, behind, more)
        }
        (Type::Int | Type::Machine(_), Kind::Linear | Kind::Machine) => {
            let (a, b) = (dice.pick(&same), dice.pick(&same));
            match dice.roll(5) {
                0 => constant(pool, dice, ty),
                1 => pool.sub(a, b),
                2 if kind == Kind::Machine => pool.mul(a, b),
                3 if kind == Kind::Machine => pool.bit_not(a),
                _ => pool.add(a, b),
            }
        }
        _ if dice.roll(3) == 0 => constant(pool, dice, ty),
        _ => dice.pick(&same),
    }
}

fn constant(pool: &mut Pool, dice: &mut Dice, ty: Type) -> Expr {
    let small = dice.roll(3) as i64 - 1;
    match ty {
        Type::Bool => pool.bool(small == 0),
        Type::Int => pool.int(small),
        Type::Real => pool.real(small),
        Type::Enum(id) => pool.literal(id, (small + 1) as u32),
        Type::Machine(width) => pool.machine(width, small.into()),
    }
}

fn truth(pool: &mut Pool, dice: &mut Dice, all: &[Expr], depth: u32) -> Expr {
    if depth == 0 || dice.roll(5) == 0 {
        let atom = dice.pick(all);
        let ty = pool.type_of(atom);
        let other = constant(pool, dice, ty);
        return match (ty, dice.roll(3)) {
            (Type::Bool, _) => atom,
            (Type::Int | Type::Real | Type::Machine(_), 0) => pool.lt(atom, other),
            (Type::Int | Type::Real | Type::Machine(_), 1) => pool.le(atom, other),
            _ => pool.eq(atom, other),
        };
    }
    let a = truth(pool, dice, all, depth - 1);
    let b = truth(pool, dice, all, depth - 1);
    match dice.roll(4) {
        0 => pool.and([a, b]),
        1 => pool.or([a, b]),
        2 => pool.xor(a, b),
        _ => pool.not(a),
    }
}
