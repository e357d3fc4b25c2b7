//! Quantifiers over numbers: a number is eliminated from a diagram by test points (Loos and Weispfenning 1993).
//!
//! As a number grows, each atom changes its truth once. Where the function becomes true, some atom has just changed, so it is enough
//! to try minus infinity and the places right after these changes: `p` or, for a change right after `p`, "p plus an infinitesimal". Each
//! try replaces the atoms with atoms over the other variables, which is one composition of diagrams. Over integers the places are
//! whole if all coefficients are 1 or -1; other coefficients are refused.

use crate::arena::{Arena, Meaning};
use crate::game::Order;
use crate::linear::{Atom, Linear};
use crate::verdict::Gap;
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::bdd::Bdd;
use rustc_hash::FxHashMap;
use system::{Type, Value, Var};

/// The largest number of atoms of one game.
const ATOMS: usize = 3000;

/// A place to try.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Point {
    /// Below everything.
    Lowest,
    /// A term, and whether a little more than it is meant.
    At(Linear, bool),
}

impl Arena<'_> {
    /// Whether a diagram is true for some value of a number.
    pub(crate) fn exists_number(&mut self, f: Bdd, x: Var) -> Result<Bdd, Gap> {
        let f = self.tidy(f);
        let points = self.points(f, x)?;
        let mut found = Bdd::FALSE;
        for point in points {
            let there = self.at(f, x, &point);
            let there = self.tidy(there);
            found = self.m.or(found, there);
            self.check()?;
            if found == Bdd::TRUE {
                break;
            }
        }
        Ok(self.tidy(found))
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
        if self.m.is_full() {
            return Err(Gap::Nodes(self.m.size()));
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
        let mut numbers: Vec<Var> = Vec::new();
        for (_, atom) in self.atoms_in(f) {
            numbers.extend(atom.form.iter().map(|it| it.0));
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(self.exists_numbers(f, &numbers)? != Bdd::FALSE)
    }

    /// What always holds between atoms of the same form, for each form with more than one: smaller thresholds imply larger ones.
    fn chains(&mut self, f: Bdd) -> Vec<Bdd> {
        let mut atoms: Vec<(Atom, u32)> = self.atoms_in(f).into_iter().map(|(it, atom)| (atom, it)).collect();
        atoms.sort();
        let mut chains = Vec::new();
        for form in atoms.chunk_by(|a, b| a.0.form == b.0.form).filter(|it| it.len() > 1) {
            let mut chain = Bdd::TRUE;
            for pair in form.windows(2).rev() {
                let [small, large] = [pair[0].1, pair[1].1].map(|it| self.m.variable(it));
                let implied = self.m.choose(small, large, Bdd::TRUE);
                chain = self.m.and(chain, implied);
            }
            chains.push(chain);
        }
        chains
    }

    /// The same set with fewer nodes, by what always holds between its atoms.
    pub(crate) fn tidy(&mut self, f: Bdd) -> Bdd {
        self.chains(f).into_iter().fold(f, |f, chain| self.m.restrict(f, chain))
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
            let number = self.number_for(f, *x)?;
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
    fn number_for(&mut self, f: Bdd, x: Var) -> Result<RBig, Gap> {
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

impl Arena<'_> {
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
