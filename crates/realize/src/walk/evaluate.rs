//! Diagrams for known values: only what is on the way is looked at.

use crate::arena::{Arena, Meaning};
use crate::linear::Linear;
use crate::quantify::Values;
use crate::verdict::Gap;
use dashu_ratio::RBig;
use logic::bdd::Bdd;
use rustc_hash::FxHashMap;
use system::{Value, Var};

impl Arena<'_, '_> {
    /// Whether a function is true for these values of everything that it depends on; it is not where a number has no value.
    pub(crate) fn holds(&self, mut f: Bdd, values: &Values) -> bool {
        while let Some((variable, low, high)) = self.m.split(f) {
            let place = variable as usize;
            let is_true = match &self.meanings[place] {
                Meaning::Bit(..) => values.bits.get(place).copied().unwrap_or(false),
                Meaning::Opaque(_) | Meaning::Selector(_) => return false,
                Meaning::Atom(atom) => {
                    let mut sum = RBig::ZERO;
                    for (var, factor) in &atom.form {
                        let Some(number) = values.numbers.get(var) else { return false };
                        sum += number * RBig::from(factor.clone());
                    }
                    if atom.or_equal { sum <= atom.limit } else { sum < atom.limit }
                }
            };
            f = if is_true { high } else { low };
        }
        f == Bdd::TRUE
    }

    /// Whether a variable has a value, as a diagram.
    pub(crate) fn equals(&mut self, var: Var, value: &Value) -> Option<Bdd> {
        let mut values = Values::default();
        self.set(&mut values, var, value);
        if let Some(block) = self.blocks[var.index()] {
            let bits = block.first..block.first + block.width;
            return Some(bits.fold(Bdd::TRUE, |all, it| {
                let bit = self.m.variable(it);
                let is_set = values.bits.get(it as usize).copied().unwrap_or(false);
                let bit = if is_set { bit } else { self.m.not(bit) };
                self.m.and(all, bit)
            }));
        }
        let number = Linear::constant(values.numbers.get(&var)?.clone());
        let difference = Linear::variable(var).plus(&-RBig::ONE, &number);
        let at_most = self.below_zero(&difference, true);
        let at_least = self.below_zero(&difference.times(&-RBig::ONE), true);
        Some(self.m.and(at_most, at_least))
    }

    /// A function with the values of some variables in place; the others stay.
    pub(crate) fn cofactor(&mut self, f: Bdd, now: &FxHashMap<Var, Value>) -> Bdd {
        let values = crate::play::known(self, now);
        self.cofactor_with(f, (&values, now), &mut FxHashMap::default())
    }

    fn cofactor_with(
        &mut self,
        f: Bdd,
        (values, now): (&Values, &FxHashMap<Var, Value>),
        known: &mut FxHashMap<Bdd, Bdd>,
    ) -> Bdd {
        let Some((variable, low, high)) = self.m.split(f) else { return f };
        if let Some(result) = known.get(&f) {
            return *result;
        }
        let condition = match &self.meanings[variable as usize] {
            Meaning::Bit(var, _) if now.contains_key(var) => {
                Bdd::constant(values.bits.get(variable as usize).copied().unwrap_or(false))
            }
            Meaning::Bit(..) | Meaning::Opaque(_) | Meaning::Selector(_) => self.m.variable(variable),
            Meaning::Atom(atom) => {
                let or_equal = atom.or_equal;
                let mut term = atom.linear();
                term.constant -= &atom.limit;
                for (var, _) in &atom.form {
                    if let Some(number) = values.numbers.get(var) {
                        term = term.replace(*var, &Linear::constant(number.clone()));
                    }
                }
                self.below_zero(&term, or_equal)
            }
        };
        let result = match condition {
            Bdd::TRUE => self.cofactor_with(high, (values, now), known),
            Bdd::FALSE => self.cofactor_with(low, (values, now), known),
            _ => {
                let low = self.cofactor_with(low, (values, now), known);
                let high = self.cofactor_with(high, (values, now), known);
                self.m.choose(condition, high, low)
            }
        };
        known.insert(f, result);
        result
    }

    /// Values that make several functions true, if there are any. A number is eliminated from those that mention it alone.
    pub(crate) fn values_of(&mut self, functions: Vec<Bdd>, numbers: &[Var]) -> Result<Option<Values>, Gap> {
        let mut open = functions;
        let mut eliminated: Vec<(Var, Bdd)> = Vec::new();
        for x in numbers {
            let mentions = |it: &Bdd| self.atoms_in(*it).iter().any(|it| it.1.coefficient(*x).is_some());
            let (mine, rest): (Vec<Bdd>, Vec<Bdd>) = open.into_iter().partition(mentions);
            let all = mine.into_iter().fold(Bdd::TRUE, |all, it| self.m.and(all, it));
            open = rest;
            open.push(self.exists_number(all, *x)?);
            eliminated.push((*x, all));
        }
        let all = open.into_iter().fold(Bdd::TRUE, |all, it| self.m.and(all, it));
        self.check()?;
        let Some(bits) = self.m.example(all, self.meanings.len()) else { return Ok(None) };
        let mut values = Values { bits, numbers: FxHashMap::default() };
        for (x, f) in eliminated.into_iter().rev() {
            let f = self.evaluated(f, &values);
            values.numbers.insert(x, self.number_for(f, x)?);
        }
        Ok(Some(values))
    }
}
