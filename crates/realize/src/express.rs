//! Diagrams back as expressions, and moves as expressions: a relation between what a player sees and what it does becomes a function.

use crate::arena::{Arena, Block, Meaning, Owner};
use crate::linear::{Atom, Linear};
use crate::quantify::{Point, Values};
use crate::verdict::Gap;
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::bdd::{Bdd, Variables};
use rustc_hash::FxHashMap;
use system::{Expr, Pool, System, Type, Var};

/// The largest number of intervals into which a counter is divided at one node.
const INTERVALS: usize = 20_000;

/// A system in which expressions are built.
pub(crate) struct Builder<'s> {
    pub(crate) system: &'s mut System,
    known: Known,
}

/// Expressions of diagrams.
type Known = FxHashMap<Bdd, Expr>;

/// The values that variables had one step before; those that are listed keep it where they can.
pub(crate) type Last = FxHashMap<Var, Expr>;

/// Gives expressions to nodes at which a decision ends.
type End<'e, 's> = &'e mut dyn FnMut(&mut Builder<'s>, Bdd) -> Result<Option<Expr>, Gap>;

impl<'s> Builder<'s> {
    pub(crate) fn new(system: &'s mut System) -> Builder<'s> {
        Builder { system, known: FxHashMap::default() }
    }

    /// A diagram as an expression.
    pub(crate) fn truth(&mut self, arena: &Arena, f: Bdd) -> Result<Expr, Gap> {
        let mut known = std::mem::take(&mut self.known);
        let result = self.decision(arena, f, &mut known, &mut |_, f| {
            Ok(match f {
                Bdd::TRUE => Some(Pool::TRUE),
                Bdd::FALSE => Some(Pool::FALSE),
                _ => None,
            })
        });
        self.known = known;
        result
    }

    /// A diagram as a decision between the expressions that `end` gives to some of its nodes, at least to the constants.
    fn decision(&mut self, arena: &Arena, f: Bdd, known: &mut Known, end: End<'_, 's>) -> Result<Expr, Gap> {
        if let Some(known) = known.get(&f) {
            return Ok(*known);
        }
        let ended = end(self, f)?;
        let expr = match (ended, arena.m.split(f)) {
            (Some(expr), _) => expr,
            (None, None) => return Err(Gap::NoValue),
            (None, Some((variable, low, high))) => {
                let block = match &arena.meanings[variable as usize] {
                    Meaning::Bit(var, _) if arena.type_of(*var) == Type::Int => {
                        arena.blocks[var.index()].map(|block| (*var, block))
                    }
                    _ => None,
                };
                match block {
                    Some(block) => self.counter(arena, f, block, known, end)?,
                    None => {
                        let condition = self.condition(arena, variable)?;
                        let low = self.decision(arena, low, known, end)?;
                        let high = self.decision(arena, high, known, end)?;
                        self.system.pool.ite(condition, high, low)
                    }
                }
            }
        };
        known.insert(f, expr);
        Ok(expr)
    }

    /// A function of a counter and what comes after it: a chain of intervals.
    fn counter(
        &mut self,
        arena: &Arena,
        f: Bdd,
        (var, block): (Var, Block),
        known: &mut Known,
        end: End<'_, 's>,
    ) -> Result<Expr, Gap> {
        let mut intervals: Vec<(u64, Bdd)> = Vec::new();
        // From large to small, so that the list ends with the smallest.
        let mut open: Vec<(u32, u64, u64, Bdd)> = vec![(0, 0, (1u64 << block.width) - 1, f)];
        while let Some((bit, low, high, f)) = open.pop() {
            if low >= block.size {
                continue;
            }
            match arena.m.split(f) {
                Some((variable, zero, one))
                    if variable < block.first + block.width && variable >= block.first =>
                {
                    let middle = low + (high - low) / 2;
                    let (zero, one) = if variable == block.first + bit { (zero, one) } else { (f, f) };
                    // The smaller half is pushed last and so taken first.
                    open.push((bit + 1, middle + 1, high, one));
                    open.push((bit + 1, low, middle, zero));
                }
                _ => match intervals.last_mut() {
                    Some((end, same)) if *same == f => *end = high,
                    _ => intervals.push((high, f)),
                },
            }
            if intervals.len() > INTERVALS || open.len() > INTERVALS {
                return Err(Gap::Nodes(INTERVALS));
            }
        }
        let now = self.system.expr(var);
        let mut expr = Pool::FALSE;
        for (place, (last, f)) in intervals.iter().enumerate().rev() {
            let value = self.decision(arena, *f, known, end)?;
            expr = if place + 1 == intervals.len() {
                value
            } else {
                let last = self.system.pool.int(*last);
                let here = self.system.pool.le(now, last);
                self.system.pool.ite(here, value, expr)
            };
        }
        Ok(expr)
    }

    fn condition(&mut self, arena: &Arena, variable: u32) -> Result<Expr, Gap> {
        match &arena.meanings[variable as usize] {
            Meaning::Bit(var, bit) => {
                let now = self.system.expr(*var);
                let (Type::Enum(id), Some(block)) = (arena.type_of(*var), arena.blocks[var.index()]) else {
                    return Ok(now);
                };
                let literals = (0..block.size).filter(|it| it >> (block.width - 1 - bit) & 1 == 1);
                let equal: Vec<Expr> = literals
                    .map(|it| {
                        let literal = self.system.pool.literal(id, it as u32);
                        self.system.pool.eq(now, literal)
                    })
                    .collect();
                Ok(self.system.pool.or(equal))
            }
            Meaning::Atom(atom) => Ok(self.atom(arena, atom)),
            // It depends on nothing that is chosen later, so it is seen.
            Meaning::Opaque(Some(expr)) if !arena.chosen_last().contains(variable) => Ok(*expr),
            Meaning::Opaque(_) | Meaning::Selector(_) => Err(Gap::Nonlinear),
        }
    }

    fn atom(&mut self, arena: &Arena, atom: &Atom) -> Expr {
        let ints = atom.form.iter().all(|it| arena.type_of(it.0) == Type::Int);
        let ty = if ints { Type::Int } else { Type::Real };
        let form = self.linear(&atom.linear(), ty);
        let limit = self.number(&atom.limit, ty);
        let pool = &mut self.system.pool;
        if atom.or_equal { pool.le(form, limit) } else { pool.lt(form, limit) }
    }

    fn number(&mut self, value: &RBig, ty: Type) -> Expr {
        match ty {
            Type::Int => self.system.pool.int(value.floor()),
            _ => self.system.pool.real(value.clone()),
        }
    }

    fn linear(&mut self, term: &Linear, ty: Type) -> Expr {
        let mut sum = self.number(&term.constant, ty);
        for (var, coefficient) in &term.terms {
            let now = self.system.expr(*var);
            let now = if self.system.pool.type_of(now) == ty { now } else { self.system.pool.cast(ty, now) };
            let factor = self.number(coefficient, ty);
            let product = self.system.pool.mul(factor, now);
            sum = self.system.pool.add(sum, product);
        }
        sum
    }

    /// A move: for each variable of a player an expression over what the player sees, such that the relation holds wherever any move
    /// makes it hold. The last value, false, the first literal and 0 are preferred, in this order.
    pub(crate) fn moves(
        &mut self,
        arena: &mut Arena,
        relation: Bdd,
        owner: Owner,
        last: &Last,
    ) -> Result<Vec<(Var, Expr)>, Gap> {
        let (order, relations) = eliminated(arena, relation, owner)?;
        let mut chosen: FxHashMap<Var, Expr> = FxHashMap::default();
        for (place, var) in order.iter().enumerate().rev() {
            let value = match arena.blocks[var.index()] {
                Some(block) => self.choose_literal(arena, relations[place], *var, block)?,
                None => match arena.pins.get(var) {
                    Some(value) => self.number(value, arena.type_of(*var)),
                    None => self.choose_number(arena, relations[place], *var)?,
                },
            };
            let value = match last.get(var) {
                Some(last) => {
                    let allowed = self.truth(arena, relations[place])?;
                    let pool = &mut self.system.pool;
                    let stays = pool.substitute(&[allowed], &|it| (it == *var).then_some(*last))[0];
                    pool.ite(stays, *last, value)
                }
                None => value,
            };
            let value = self.system.pool.substitute(&[value], &|var| chosen.get(&var).copied())[0];
            chosen.insert(*var, value);
        }
        let mut moves: Vec<(Var, Expr)> = chosen.into_iter().collect();
        moves.sort_unstable();
        Ok(moves)
    }

    /// For each variable of the system player, which values of it the relation allows, given those that are chosen before it.
    pub(crate) fn allowed(&mut self, arena: &mut Arena, relation: Bdd) -> Result<Vec<(Var, Expr)>, Gap> {
        let (order, relations) = eliminated(arena, relation, Owner::System)?;
        let mut allowed = Vec::new();
        for (var, relation) in order.iter().zip(relations) {
            allowed.push((*var, self.truth(arena, relation)?));
        }
        Ok(allowed)
    }

    /// A move of the environment whose numbers are those of the first of some points at which any move makes the relation hold.
    pub(crate) fn moves_to_points(
        &mut self,
        arena: &mut Arena,
        relation: Bdd,
        points: &[Values],
    ) -> Result<Vec<(Var, Expr)>, Gap> {
        let bits = arena.bits_of(Owner::Environment);
        let mut numbers: FxHashMap<Var, Expr> = FxHashMap::default();
        let mut at_point = Bdd::FALSE;
        for point in points.iter().rev() {
            let there = arena.with_numbers(relation, point);
            let there = arena.tidy(there);
            let possible = arena.m.exists(there, &bits);
            at_point = arena.m.choose(possible, there, at_point);
            arena.check()?;
            let possible = self.truth(arena, possible)?;
            for (var, number) in &point.numbers {
                let number = self.number(number, arena.type_of(*var));
                let other = numbers.get(var).copied().unwrap_or(number);
                numbers.insert(*var, self.system.pool.ite(possible, number, other));
            }
        }
        let moves = self.moves(arena, at_point, Owner::Environment, &Last::default())?;
        Ok(moves.into_iter().map(|(var, value)| (var, numbers.get(&var).copied().unwrap_or(value))).collect())
    }

    fn choose_literal(&mut self, arena: &mut Arena, f: Bdd, var: Var, block: Block) -> Result<Expr, Gap> {
        let Type::Enum(id) = arena.type_of(var) else {
            let allowed = with_value(arena, f, block, 0);
            let allowed = self.truth(arena, allowed)?;
            return Ok(self.system.pool.not(allowed));
        };
        let mut value = self.system.pool.literal(id, block.size as u32 - 1);
        for place in (0..block.size.saturating_sub(1)).rev() {
            let allowed = with_value(arena, f, block, place);
            let allowed = self.truth(arena, allowed)?;
            let literal = self.system.pool.literal(id, place as u32);
            value = self.system.pool.ite(allowed, literal, value);
        }
        Ok(value)
    }

    /// A number that makes a function true wherever one does: a decision about what the other variables are, and then test points.
    fn choose_number(&mut self, arena: &mut Arena, f: Bdd, var: Var) -> Result<Expr, Gap> {
        let mut values: Known = FxHashMap::default();
        for bottom in arena.bottoms(f, var) {
            let value = self.test_points(arena, bottom, var)?;
            values.insert(bottom, value);
        }
        let zero = self.number(&RBig::ZERO, arena.type_of(var));
        // Where nothing makes it true, the value does not matter: it is that of the other branch.
        let possible = |mut f: Bdd| {
            while let Some((_, low, high)) = arena.m.split(f)
                && !values.contains_key(&f)
                && (low == Bdd::FALSE || high == Bdd::FALSE)
            {
                f = if low == Bdd::FALSE { high } else { low };
            }
            f
        };
        let mut decided: Known = FxHashMap::default();
        self.decision(arena, f, &mut decided, &mut |_, f| {
            Ok(match possible(f) {
                Bdd::TRUE | Bdd::FALSE => Some(zero),
                f => values.get(&f).copied(),
            })
        })
    }

    fn test_points(&mut self, arena: &mut Arena, f: Bdd, var: Var) -> Result<Expr, Gap> {
        let ty = arena.type_of(var);
        let zero = Point::At(Linear::constant(RBig::ZERO), false);
        let mut points = arena.points(f, var)?;
        points.retain(|it| *it != zero);
        points.insert(0, zero);
        // Every place where an atom changes.
        let mut places: Vec<Expr> = Vec::new();
        for (_, atom) in arena.atoms_in(f) {
            if let Some(coefficient) = atom.coefficient(var) {
                let place = place_of(&atom, var, coefficient);
                let place = self.linear(&place, ty);
                places.push(place);
            }
        }
        let mut value = self.number(&RBig::ZERO, ty);
        for point in points.iter().rev() {
            let there = arena.at(f, var, point);
            let there = self.truth(arena, there)?;
            let number = match point {
                Point::At(term, false) => self.linear(term, ty),
                Point::At(term, true) => {
                    let term = self.linear(term, ty);
                    self.little_more(term, &places)
                }
                Point::Lowest => {
                    let one = self.number(&RBig::ONE, ty);
                    let pool = &mut self.system.pool;
                    let least = places.iter().copied().reduce(|a, b| pool.min(a, b));
                    match least {
                        Some(least) => pool.sub(least, one),
                        None => self.number(&RBig::ZERO, ty),
                    }
                }
            };
            value = self.system.pool.ite(there, number, value);
        }
        arena.check()?;
        Ok(value)
    }

    /// A number that is greater than a term and less than every place above it.
    fn little_more(&mut self, term: Expr, places: &[Expr]) -> Expr {
        let pool = &mut self.system.pool;
        let (two, half) = (pool.real(RBig::from(2)), pool.real(RBig::ONE / RBig::from(2)));
        let mut above = pool.add(term, two);
        for place in places {
            let greater = pool.gt(*place, term);
            let nearer = pool.min(above, *place);
            above = pool.ite(greater, nearer, above);
        }
        let sum = pool.add(term, above);
        pool.mul(half, sum)
    }
}

/// The variables of a player, last chosen first, and for each of them the relation without those that are chosen after it.
fn eliminated(arena: &mut Arena, relation: Bdd, owner: Owner) -> Result<(Vec<Var>, Vec<Bdd>), Gap> {
    let inputs = &arena.game.system.inputs;
    let mine: Vec<Var> = inputs.iter().copied().filter(|it| arena.owners[it.index()] == owner).collect();
    let (bits, numbers): (Vec<Var>, Vec<Var>) =
        mine.into_iter().partition(|it| arena.blocks[it.index()].is_some());
    // Numbers are chosen last: eliminated first.
    let order: Vec<Var> = numbers.into_iter().chain(bits).collect();
    let mut relations = vec![relation];
    for var in &order {
        let last = relations[relations.len() - 1];
        let next = match arena.blocks[var.index()] {
            Some(block) => {
                let bits: Variables = (block.first..block.first + block.width).collect();
                arena.m.exists(last, &bits)
            }
            None => arena.exists_number(last, *var)?,
        };
        arena.check()?;
        relations.push(next);
    }
    Ok((order, relations))
}

/// Whether a relation leaves an output more than one value somewhere; numbers are not looked at.
pub(crate) fn leaves_choice(arena: &mut Arena, relation: Bdd, var: Var) -> Result<bool, Gap> {
    let Some(block) = arena.blocks[var.index()] else { return Ok(true) };
    let numbers = arena.numbers_of(Owner::System);
    let relation = arena.exists_numbers(relation, &numbers)?;
    let own = block.first..block.first + block.width;
    let others: Variables = arena.bits_of(Owner::System).iter().filter(|it| !own.contains(it)).collect();
    let relation = arena.m.exists(relation, &others);
    let (mut one, mut two) = (Bdd::FALSE, Bdd::FALSE);
    for value in 0..block.size {
        let here = with_value(arena, relation, block, value);
        let again = arena.m.and(one, here);
        two = arena.m.or(two, again);
        one = arena.m.or(one, here);
    }
    arena.check()?;
    Ok(two != Bdd::FALSE)
}

/// A function in which a variable of bits has a value.
fn with_value(arena: &mut Arena, f: Bdd, block: Block, value: u64) -> Bdd {
    let is_set = |bit: u32| value >> (block.width - 1 - bit) & 1 == 1;
    (0..block.width).fold(f, |f, bit| arena.m.fixed(f, block.first + bit, is_set(bit)))
}

/// Where an atom changes its truth.
fn place_of(atom: &Atom, var: Var, coefficient: &IBig) -> Linear {
    let mut rest = atom.linear();
    rest.terms.remove(&var);
    let limit = Linear::constant(atom.limit.clone());
    limit.plus(&-RBig::ONE, &rest).times(&(RBig::ONE / RBig::from(coefficient.clone())))
}
