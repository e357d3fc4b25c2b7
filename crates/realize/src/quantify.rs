//! Quantifiers over numbers: a number is eliminated from a diagram from below, where its atoms are.
//!
//! What is above the atoms of a number does not depend on it, so only the diagrams below are changed, each of them once. One with few
//! paths is a disjunction of conjunctions: bounds from below are compared with bounds from above (Fourier and Motzkin). Others are
//! eliminated by test points (Loos and Weispfenning 1993): as a number grows, each atom changes its truth once. Where the function
//! becomes true, some atom has just changed, so it is enough to try minus infinity and the places right after these changes: `p` or,
//! for a change right after `p`, "p plus an infinitesimal". Over integers both are exact if coefficients are 1 or -1; a pair of
//! bounds needs only one such coefficient. Others are refused.

use crate::arena::{Arena, Meaning};
use crate::game::Order;
use crate::linear::{Atom, Linear};
use crate::verdict::Gap;
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::bdd::Bdd;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use system::{Type, Value, Var};

/// The number of checks of limits for each look at the clock.
const CHECKS: usize = 16;

/// The largest number of atoms of one game.
const ATOMS: usize = 3000;

/// The largest number of paths of a diagram that is eliminated path by path.
const PATHS: usize = 16;

/// A literal of a comparison: the variable of the diagrams, and whether it is true.
type Literal = (u32, bool);

/// What literals say about numbers: paths of diagrams have the same few of them.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    /// The bound of a number, and whether it is an upper one.
    each: FxHashMap<(Literal, Var), (bool, Rc<Bound>)>,
    /// Whether there is a number between a lower and an upper bound.
    between: FxHashMap<(Literal, Literal, Var), Bdd>,
}

/// A bound of a number: a positive multiple of it is at most, or at least, a term.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bound {
    factor: RBig,
    term: Linear,
    strict: bool,
}

/// A place to try.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Point {
    /// Below everything.
    Lowest,
    /// A term, and whether a little more than it is meant.
    At(Linear, bool),
}

impl Arena<'_, '_> {
    /// Whether a diagram is true for some value of a number.
    pub(crate) fn exists_number(&mut self, f: Bdd, x: Var) -> Result<Bdd, Gap> {
        let Some((variable, low, high)) = self.m.split(f) else { return Ok(f) };
        if let Some(known) = self.projected.get(&(f, x)) {
            return Ok(*known);
        }
        let without = if self.mentions(variable, x) {
            self.project(f, x)?
        } else {
            let (less, more) = (self.exists_number(low, x)?, self.exists_number(high, x)?);
            if (less, more) == (low, high) {
                f
            } else {
                let condition = self.m.variable(variable);
                self.m.choose(condition, more, less)
            }
        };
        let without = self.tidy(without);
        self.check()?;
        self.projected.insert((f, x), without);
        Ok(without)
    }

    fn mentions(&self, variable: u32, x: Var) -> bool {
        matches!(&self.meanings[variable as usize], Meaning::Atom(atom) if atom.coefficient(x).is_some())
    }

    /// The diagrams within one that begin with atoms of a number and are not within others of them.
    pub(crate) fn bottoms(&self, f: Bdd, x: Var) -> Vec<Bdd> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut open = vec![f];
        while let Some(f) = open.pop() {
            let Some((variable, low, high)) = self.m.split(f) else { continue };
            if !seen.insert(f) {
                continue;
            }
            if self.mentions(variable, x) { found.push(f) } else { open.extend([low, high]) }
        }
        found
    }

    /// Eliminates a number from a diagram that begins with one of its atoms.
    fn project(&mut self, f: Bdd, x: Var) -> Result<Bdd, Gap> {
        let mut found = Bdd::FALSE;
        if let Some(paths) = self.paths(f) {
            for path in paths {
                let possible = self.between(&path, x)?;
                found = self.m.or(found, possible);
                self.check()?;
            }
            return Ok(found);
        }
        for point in self.points(f, x)? {
            let there = self.at(f, x, &point);
            let there = self.tidy(there);
            found = self.m.or(found, there);
            self.check()?;
            if found == Bdd::TRUE {
                break;
            }
        }
        Ok(found)
    }

    /// The ways to make a function true, if there are few.
    fn paths(&self, f: Bdd) -> Option<Vec<Vec<Literal>>> {
        let mut paths = Vec::new();
        let mut open: Vec<(Bdd, Vec<Literal>)> = vec![(f, Vec::new())];
        while let Some((f, path)) = open.pop() {
            match self.m.split(f) {
                None if f == Bdd::TRUE => paths.push(path),
                None => {}
                Some((variable, low, high)) => {
                    for (to, value) in [(low, false), (high, true)] {
                        open.push((to, path.iter().copied().chain([(variable, value)]).collect()));
                    }
                }
            }
            if paths.len() > PATHS || open.len() > PATHS * 8 {
                return None;
            }
        }
        Some(paths)
    }

    /// Whether some value of a number makes all of these literals true.
    fn between(&mut self, path: &[Literal], x: Var) -> Result<Bdd, Gap> {
        let mut all = Bdd::TRUE;
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for &(variable, holds) in path {
            if !self.mentions(variable, x) {
                let literal = self.m.variable(variable);
                let literal = if holds { literal } else { self.m.not(literal) };
                all = self.m.and(all, literal);
                continue;
            }
            let (is_upper, bound) = self.bound((variable, holds), x)?;
            if is_upper { &mut upper } else { &mut lower }.push(((variable, holds), bound));
        }
        // A number that is fixed needs no comparisons of other bounds with each other.
        type Side = (Literal, Rc<Bound>);
        let is_fixed =
            |low: &&Side| upper.iter().any(|it: &Side| it.1 == low.1 && !it.1.strict && it.1.factor.is_one());
        let pairs: Vec<(&Side, &Side)> = match lower.iter().find(is_fixed) {
            Some(value) => {
                let above = upper.iter().map(|it| (value, it));
                let below = lower.iter().map(|it| (it, value));
                below.chain(above).filter(|it| it.0.1 != it.1.1).collect()
            }
            None => lower.iter().flat_map(|low| upper.iter().map(move |high| (low, high))).collect(),
        };
        let is_int = self.type_of(x) == Type::Int;
        for ((lower, low), (upper, high)) in pairs {
            if is_int && !low.factor.is_one() && !high.factor.is_one() {
                return Err(Gap::Integers);
            }
            let key = (*lower, *upper, x);
            let nonempty = match self.bounds.between.get(&key) {
                Some(known) => *known,
                None => {
                    let term = low.term.times(&high.factor).plus(&-low.factor.clone(), &high.term);
                    let nonempty = self.below_zero(&term, !low.strict && !high.strict);
                    self.bounds.between.insert(key, nonempty);
                    nonempty
                }
            };
            all = self.m.and(all, nonempty);
        }
        Ok(all)
    }

    /// What an atom or its negation says about a number, and whether that is an upper bound.
    fn bound(&mut self, literal: Literal, x: Var) -> Result<(bool, Rc<Bound>), Gap> {
        if let Some(known) = self.bounds.each.get(&(literal, x)) {
            return Ok(known.clone());
        }
        let Meaning::Atom(atom) = &self.meanings[literal.0 as usize] else { return Err(Gap::NoValue) };
        let (is_upper, bound) = self.bound_of(atom, x, literal.1)?;
        let found = (is_upper, Rc::new(bound));
        self.bounds.each.insert((literal, x), found.clone());
        Ok(found)
    }

    fn bound_of(&self, atom: &Atom, x: Var, holds: bool) -> Result<(bool, Bound), Gap> {
        let mut rest = atom.linear();
        let Some(factor) = rest.terms.remove(&x) else { return Err(Gap::NoValue) };
        let is_int = self.type_of(x) == Type::Int;
        if is_int && atom.form.iter().any(|it| self.type_of(it.0) != Type::Int) {
            return Err(Gap::Integers);
        }
        let mut limit = atom.limit.clone();
        // The negation of `form <= n` is `form >= n + 1` over integers.
        let mut strict = holds != atom.or_equal;
        if is_int && !holds {
            limit += RBig::ONE;
            strict = false;
        }
        let term = Linear::constant(limit).plus(&-RBig::ONE, &rest);
        let is_positive = factor > RBig::ZERO;
        let (mut factor, mut term) =
            if is_positive { (factor, term) } else { (-factor, term.times(&-RBig::ONE)) };
        if !is_int {
            term = term.times(&(RBig::ONE / &factor));
            factor = RBig::ONE;
        }
        Ok((holds == is_positive, Bound { factor, term, strict }))
    }

    pub(crate) fn exists_numbers(&mut self, f: Bdd, xs: &[Var]) -> Result<Bdd, Gap> {
        xs.iter().try_fold(f, |f, x| self.exists_number(f, *x))
    }

    /// The places to try for a number.
    pub(crate) fn points(&mut self, f: Bdd, x: Var) -> Result<Vec<Point>, Gap> {
        let mut points = vec![Point::Lowest];
        for (variable, atom) in self.atoms_in(f) {
            let Some(coefficient) = atom.coefficient(x).cloned() else { continue };
            if self.type_of(x) == Type::Int && !self.is_unit(&atom, &coefficient) {
                return Err(Gap::Integers);
            }
            let grows = coefficient > IBig::ZERO;
            // With a positive coefficient the atom becomes false as the number grows. That helps only a function that is sometimes
            // true because the atom is false.
            let [low, high] = [false, true].map(|it| self.m.fixed(f, variable, it));
            let helps = if grows { (low, high) } else { (high, low) };
            let not_other = self.m.not(helps.1);
            if self.m.and(helps.0, not_other) == Bdd::FALSE {
                continue;
            }
            let point = self.change(&atom, x, &coefficient);
            if !points.contains(&point) {
                points.push(point);
            }
        }
        Ok(points)
    }

    fn is_unit(&self, atom: &Atom, coefficient: &IBig) -> bool {
        let one = coefficient == &IBig::ONE || *coefficient == -IBig::ONE;
        one && atom.form.iter().all(|it| self.type_of(it.0) == Type::Int)
    }

    /// The first place after the atom's change.
    fn change(&self, atom: &Atom, x: Var, coefficient: &IBig) -> Point {
        let mut rest = atom.linear();
        rest.terms.remove(&x);
        let limit = Linear::constant(atom.limit.clone());
        let place = limit.plus(&-RBig::ONE, &rest).times(&(RBig::ONE / RBig::from(coefficient.clone())));
        let grows = *coefficient > IBig::ZERO;
        // `x < p` and `x >= p` change at p, `x <= p` and `x > p` after it.
        let after = grows == atom.or_equal;
        if after && self.type_of(x) == Type::Int {
            return Point::At(place.plus(&RBig::ONE, &Linear::constant(RBig::ONE)), false);
        }
        Point::At(place, after)
    }

    /// The diagram at a place.
    pub(crate) fn at(&mut self, f: Bdd, x: Var, point: &Point) -> Bdd {
        let mut replaced: FxHashMap<u32, Bdd> = FxHashMap::default();
        for (variable, atom) in self.atoms_in(f) {
            let Some(coefficient) = atom.coefficient(x) else { continue };
            let grows = *coefficient > IBig::ZERO;
            let value = match point {
                Point::Lowest => Bdd::constant(grows),
                Point::At(place, after) => {
                    let mut term = atom.linear();
                    term.constant -= &atom.limit;
                    let or_equal = if *after { !grows } else { atom.or_equal };
                    self.below_zero(&term.replace(x, place), or_equal)
                }
            };
            replaced.insert(variable, value);
        }
        let all: Vec<Bdd> = (0..self.meanings.len() as u32)
            .map(|it| replaced.get(&it).copied().unwrap_or_else(|| self.m.variable(it)))
            .collect();
        self.m.compose(f, &all)
    }

    /// Stops where a limit is reached: what a full manager returns means nothing.
    pub(crate) fn check(&self) -> Result<(), Gap> {
        self.checks.set(self.checks.get() + 1);
        // The first check looks at it, too: many games are small.
        if self.checks.get() % CHECKS == 1 && (self.budget.stop)() {
            return Err(Gap::Time);
        }
        if self.m.is_full() {
            return Err(Gap::Nodes(self.budget.nodes));
        }
        if self.atom_count() > ATOMS {
            return Err(Gap::Atoms(self.atom_count()));
        }
        Ok(())
    }

    /// Whether two sets of states are equal as sets of numbers, not only as diagrams.
    pub(crate) fn is_same(&mut self, larger: Bdd, smaller: Bdd) -> Result<bool, Gap> {
        if larger == smaller {
            return Ok(true);
        }
        let outside = self.m.not(smaller);
        let difference = self.m.and(larger, outside);
        Ok(!self.is_possible(difference)?)
    }

    /// Whether some values of all variables make a function true.
    pub(crate) fn is_possible(&mut self, f: Bdd) -> Result<bool, Gap> {
        if self.atoms_in(f).is_empty() {
            return Ok(f != Bdd::FALSE);
        }
        let atoms = self.atoms_in(f);
        let mut numbers: Vec<Var> = atoms.iter().flat_map(|it| it.1.form.iter().map(|it| it.0)).collect();
        numbers.sort_unstable_by_key(|it| (self.turn(*it), *it));
        numbers.dedup();
        Ok(self.exists_numbers(f, &numbers)? != Bdd::FALSE)
    }

    /// The same set, without tests that other thresholds of the same form decide: a smaller threshold implies the larger ones, which
    /// come right after it.
    pub(crate) fn tidy(&mut self, f: Bdd) -> Bdd {
        // What a full manager returns means nothing, and is not remembered: without this, each path would be walked.
        if self.atom_count() == 0 || self.m.is_full() {
            return f;
        }
        let Some((variable, low, high)) = self.m.split(f) else { return f };
        if let Some(known) = self.tidied.get(&f) {
            return *known;
        }
        let implied = self.given(high, variable);
        let (low, high) = (self.tidy(low), self.tidy(implied));
        let tidied = if self.given(low, variable) == high && low != high {
            low
        } else {
            let condition = self.m.variable(variable);
            self.m.choose(condition, high, low)
        };
        self.tidied.insert(f, tidied);
        self.tidied.insert(tidied, tidied);
        tidied
    }

    /// A diagram that comes after an atom, where the atom is true: so are the larger thresholds of its form.
    fn given(&self, mut f: Bdd, atom: u32) -> Bdd {
        let Meaning::Atom(first) = &self.meanings[atom as usize] else { return f };
        while let Some((variable, _, high)) = self.m.split(f)
            && matches!(&self.meanings[variable as usize], Meaning::Atom(it) if it.form == first.form)
        {
            f = high;
        }
        f
    }

    /// Values of the given variables that make a function true, if there are any; the function must depend on nothing else. Small
    /// numbers are preferred, and false, and the first literal.
    pub(crate) fn values(&mut self, f: Bdd, numbers: &[Var]) -> Result<Option<Values>, Gap> {
        let mut steps = vec![f];
        for x in numbers {
            let last = steps[steps.len() - 1];
            steps.push(self.exists_number(last, *x)?);
        }
        let Some(bits) = self.m.example(steps[steps.len() - 1], self.meanings.len()) else { return Ok(None) };
        let mut values = Values { bits, numbers: FxHashMap::default() };
        for (place, x) in numbers.iter().enumerate().rev() {
            let f = self.evaluated(steps[place], &values);
            let number = match self.pins.get(x) {
                Some(number) => number.clone(),
                None => self.number_for(f, *x)?,
            };
            values.numbers.insert(*x, number);
        }
        Ok(Some(values))
    }

    /// The function with the known bits and numbers in place.
    pub(crate) fn evaluated(&mut self, f: Bdd, values: &Values) -> Bdd {
        let support: Vec<u32> = self.m.support(f).iter().collect();
        let mut fixed = f;
        for variable in support {
            if !matches!(self.meanings[variable as usize], Meaning::Atom(_))
                && let Some(value) = values.bits.get(variable as usize)
            {
                fixed = self.m.fixed(fixed, variable, *value);
            }
        }
        self.with_numbers(fixed, values)
    }

    /// The function with the known numbers in place.
    pub(crate) fn with_numbers(&mut self, f: Bdd, values: &Values) -> Bdd {
        let mut all: Vec<Bdd> = (0..self.meanings.len() as u32).map(|it| self.m.variable(it)).collect();
        for (variable, atom) in self.atoms_in(f) {
            let mut term = atom.linear();
            term.constant -= &atom.limit;
            for (var, _) in &atom.form {
                if let Some(number) = values.numbers.get(var) {
                    term = term.replace(*var, &Linear::constant(number.clone()));
                }
            }
            all[variable as usize] = self.below_zero(&term, atom.or_equal);
        }
        self.m.compose(f, &all)
    }

    /// A number that makes a function of it alone true; zero if it is as good as any.
    pub(crate) fn number_for(&mut self, f: Bdd, x: Var) -> Result<RBig, Gap> {
        let is_int = self.type_of(x) == Type::Int;
        let mut places: Vec<RBig> = Vec::new();
        for point in self.points(f, x)? {
            if let Point::At(term, _) = point {
                places.push(term.constant);
            }
        }
        for (_, atom) in self.atoms_in(f) {
            if let Some(coefficient) = atom.coefficient(x) {
                places.push(&atom.limit / RBig::from(coefficient.clone()));
            }
        }
        places.push(RBig::ZERO);
        places.sort();
        places.dedup();
        let mut tries = vec![RBig::ZERO];
        for pair in places.windows(2) {
            let middle = (&pair[0] + &pair[1]) / RBig::from(2);
            tries.extend([pair[0].clone(), middle]);
        }
        let (first, last) = (places[0].clone(), places[places.len() - 1].clone());
        tries.extend([
            RBig::from(first.floor()) - RBig::ONE,
            last.clone(),
            RBig::from(last.floor()) + RBig::ONE,
        ]);
        if is_int {
            tries = tries.iter().flat_map(|it| [RBig::from(it.floor()), RBig::from(it.ceil())]).collect();
        }
        tries.sort_by_key(|it| (it.clone().numerator().clone().into_parts().1, it.denominator().clone()));
        for number in tries {
            let known = Values { bits: Vec::new(), numbers: FxHashMap::from_iter([(x, number.clone())]) };
            if self.evaluated(f, &known) == Bdd::TRUE {
                return Ok(number);
            }
        }
        Err(Gap::NoValue)
    }
}

/// Values of variables: bits by variable of the diagrams, numbers by variable of the game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    pub(crate) bits: Vec<bool>,
    pub(crate) numbers: FxHashMap<Var, RBig>,
}

impl Arena<'_, '_> {
    /// The value of a variable of the game.
    pub(crate) fn value_of(&self, values: &Values, var: Var) -> Value {
        let ty = self.type_of(var);
        let Some(block) = self.blocks[var.index()] else {
            return match (values.numbers.get(&var), ty) {
                (Some(number), Type::Int) => Value::Int(number.floor()),
                (Some(number), Type::Real) => Value::Real(number.clone()),
                _ => Value::any_of(ty),
            };
        };
        let bit = |it: u32| values.bits.get((block.first + it) as usize).copied().unwrap_or(false);
        let number = (0..block.width).fold(0u64, |all, it| all << 1 | u64::from(bit(it)));
        match ty {
            Type::Bool => Value::Bool(number == 1),
            Type::Enum(_) => Value::Enum(number as u32),
            Type::Int | Type::Real | Type::Machine(_) => Value::Int(IBig::from(number)),
        }
    }

    /// Adds the value of a variable of the game.
    pub(crate) fn set(&self, values: &mut Values, var: Var, value: &Value) {
        let number = match value {
            Value::Bool(value) => u64::from(*value),
            Value::Enum(place) => u64::from(*place),
            Value::Int(number) if self.blocks[var.index()].is_some() => {
                u64::try_from(number.clone()).unwrap_or(0)
            }
            Value::Int(number) => {
                values.numbers.insert(var, RBig::from(number.clone()));
                return;
            }
            Value::Real(number) => {
                values.numbers.insert(var, number.clone());
                return;
            }
            Value::Machine(_) | Value::Undefined => return,
        };
        let Some(block) = self.blocks[var.index()] else { return };
        values.bits.resize(self.meanings.len().max(values.bits.len()), false);
        for bit in 0..block.width {
            values.bits[(block.first + bit) as usize] = number >> (block.width - 1 - bit) & 1 == 1;
        }
    }
}

/// Which players choose in which order; kept here because quantifiers follow it.
impl Order {
    /// The name, as in commands and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Order::Mealy => "mealy",
            Order::Moore => "moore",
        }
    }
}
