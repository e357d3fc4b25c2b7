//! Atoms as an arithmetic problem: unknowns, and the bounds on them that make each atom true or false.
//!
//! Booleans are unknowns between 0 and 1. Names are rational unknowns too: constant names are 1, 2, 3 and so on, and any other number
//! is some other name, since names are compared only for equality and there are arbitrarily many. A call is a separate variable, as
//! it is a separate column in a trace. A nonlinear term is opaque: an unknown that is independent of the variables inside. That adds
//! states, but never removes one.

use super::cases::{Number, Truth, combine, relate};
use super::kinds::{Kind, kinds};
use crate::eval::EvalError;
use crate::eval::eval_state;
use crate::linear::{Linear, Literal, Side, compare_zero};
use crate::store::{Arith, Formula, Fun, Id, Node, Rel, Sort, Store, Symbol, Term};
use crate::trace::Value;
use dashu_int::ops::BitTest;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;

/// Constant powers of larger numbers are not computed.
const MAX_POWER_BITS: usize = 64;

/// Something whose value is to be found.
pub(super) struct Unknown {
    /// The variable or call whose value it is.
    pub(super) id: Option<Id>,
    pub(super) kind: Kind,
    /// The linear form of other unknowns that it is equal to.
    pub(super) form: Option<Vec<(usize, RBig)>>,
}

/// Unknowns and atoms.
pub(super) struct Problem {
    pub(super) unknowns: Vec<Unknown>,
    /// Parallel to the atoms.
    pub(super) atoms: Vec<Truth>,
    /// The nonlinear terms and formulas, which are free unknowns.
    pub(super) opaque: Vec<(usize, Id)>,
    /// The variables that are constants.
    pub(super) constants: Vec<(Id, Symbol)>,
    /// The constant names; the number of the first is 1.
    pub(super) names: Vec<Symbol>,
}

impl Problem {
    pub(super) fn new(store: &Store, atoms: &[Id], sort_of: &dyn Fn(&str) -> Sort) -> Problem {
        let ids = store.reachable_until(atoms.iter().copied(), |node| matches!(node, Node::Call(..)));
        let problem = Problem {
            unknowns: Vec::new(),
            atoms: Vec::new(),
            opaque: Vec::new(),
            constants: Vec::new(),
            names: Vec::new(),
        };
        let kinds = kinds(store, atoms, &ids, sort_of);
        let mut reader =
            Reader { store, kinds, problem, rows: FxHashMap::default(), meanings: FxHashMap::default() };
        for &id in &ids {
            let meaning = reader.read(id).unwrap_or_else(|| reader.opaque(id));
            reader.meanings.insert(id, meaning);
        }
        for &atom in atoms {
            let truth = reader.root(atom);
            reader.problem.atoms.push(truth);
        }
        reader.problem
    }
}

impl Problem {
    /// The unknowns whose values determine all others, those of variables and calls first.
    pub(super) fn free(&self) -> Vec<usize> {
        let free = (0..self.unknowns.len()).filter(|&index| self.unknowns[index].form.is_none());
        let (named, rest): (Vec<usize>, Vec<usize>) =
            free.partition(|&index| self.unknowns[index].id.is_some());
        [named, rest].concat()
    }

    /// The constant name with a number.
    pub(super) fn name_of(&self, number: &RBig) -> Option<Symbol> {
        (1..).zip(&self.names).find(|(code, _)| *number == RBig::from(*code)).map(|(_, symbol)| *symbol)
    }
}

/// The meaning of a node.
#[derive(Clone)]
enum Meaning {
    Truth(Truth),
    Number(Number),
}

struct Reader<'s> {
    store: &'s Store,
    kinds: FxHashMap<Id, Kind>,
    problem: Problem,
    rows: FxHashMap<Vec<(usize, RBig)>, usize>,
    meanings: FxHashMap<Id, Meaning>,
}

impl Reader<'_> {
    /// The meaning of a node from those of its children; `None` if it is not linear.
    fn read(&mut self, id: Id) -> Option<Meaning> {
        let node = self.store.node(id);
        Some(match node {
            Node::True => Meaning::Truth(Truth::constant(true)),
            Node::False => Meaning::Truth(Truth::constant(false)),
            Node::Not(f) => Meaning::Truth(self.truth(*f)?.clone().not()),
            Node::And(operands) => {
                let all = |all: Truth, f: &Formula| all.and(self.truth(*f)?);
                Meaning::Truth(operands.iter().try_fold(Truth::constant(true), all)?)
            }
            Node::Or(operands) => {
                let any = |any: Truth, f: &Formula| any.or(self.truth(*f)?);
                Meaning::Truth(operands.iter().try_fold(Truth::constant(false), any)?)
            }
            Node::Implies(a, b) => Meaning::Truth(self.truth(*a)?.clone().not().or(self.truth(*b)?)?),
            Node::Xor(a, b) => Meaning::Truth(self.truth(*a)?.iff(self.truth(*b)?)?.not()),
            Node::Iff(a, b) => Meaning::Truth(self.truth(*a)?.iff(self.truth(*b)?)?),
            Node::Bool(f) => Meaning::Truth(self.truth(*f)?.clone()),
            Node::Rel(rel, a, b) => Meaning::Truth(self.relation(*rel, *a, *b)?),
            Node::Num(value, _) => constant(value.clone()),
            Node::Var(symbol) if self.kinds[&id] == Kind::Constant => {
                self.problem.constants.push((id, *symbol));
                self.name(*symbol)
            }
            Node::Value(symbol) if self.kinds[&id] == Kind::Name => self.name(*symbol),
            Node::Var(_) | Node::Call(..) => self.free(id, Some(id)),
            Node::Neg(t) => {
                let number = self.number(*t)?.iter();
                let negated = number.map(|(case, form)| (case.clone(), form.clone().scaled(&-RBig::ONE)));
                Meaning::Number(negated.collect())
            }
            Node::Arith(op, a, b) => {
                let (a, b) = (self.number(*a)?.clone(), self.number(*b)?.clone());
                Meaning::Number(combine(&a, &b, |x, y| self.arithmetic(id, *op, x, y))?)
            }
            Node::Fun(fun, arguments) => Meaning::Number(self.function(*fun, arguments)?),
            Node::Ite(condition, a, b) => {
                let condition = self.truth(*condition)?;
                match (&self.meanings[&a.id()], &self.meanings[&b.id()]) {
                    (Meaning::Truth(a), Meaning::Truth(b)) => Meaning::Truth(condition.choose(a, b)?),
                    (Meaning::Number(a), Meaning::Number(b)) => {
                        Meaning::Number(condition.choose_number(a, b)?)
                    }
                    (Meaning::Truth(_), Meaning::Number(_)) | (Meaning::Number(_), Meaning::Truth(_)) => {
                        return None;
                    }
                }
            }
            Node::Value(_) | Node::Hole(_) | Node::Pre(..) | Node::Unary(..) | Node::Binary(..) => {
                return None;
            }
        })
    }

    /// When an atom is true; a node that cannot be a Boolean is opaque.
    fn root(&mut self, atom: Id) -> Truth {
        let read = self.meanings[&atom].clone();
        match read {
            Meaning::Truth(truth) => truth,
            Meaning::Number(_) => {
                self.problem.opaque.push((self.problem.unknowns.len(), atom));
                self.free_truth(None)
            }
        }
    }

    fn truth(&self, f: Formula) -> Option<&Truth> {
        match &self.meanings[&f.id()] {
            Meaning::Truth(truth) => Some(truth),
            Meaning::Number(_) => None,
        }
    }

    fn number(&self, t: Term) -> Option<&Number> {
        match &self.meanings[&t.id()] {
            Meaning::Truth(_) => None,
            Meaning::Number(number) => Some(number),
        }
    }

    fn opaque(&mut self, id: Id) -> Meaning {
        self.problem.opaque.push((self.problem.unknowns.len(), id));
        self.free(id, None)
    }

    /// A new unknown of the kind of a node.
    fn free(&mut self, id: Id, variable: Option<Id>) -> Meaning {
        match self.kinds[&id] {
            Kind::Truth => Meaning::Truth(self.free_truth(variable)),
            kind @ (Kind::Whole | Kind::Rational | Kind::Name | Kind::Constant) => {
                let unknown = self.unknown(variable, kind, None);
                Meaning::Number(vec![(Vec::new(), Linear::unknown(unknown))])
            }
        }
    }

    fn free_truth(&mut self, variable: Option<Id>) -> Truth {
        let unknown = self.unknown(variable, Kind::Truth, None);
        let yes = vec![vec![Literal::at_least(unknown, RBig::ONE)]];
        Truth { yes, no: vec![vec![Literal::at_most(unknown, RBig::ZERO)]] }
    }

    fn unknown(&mut self, id: Option<Id>, kind: Kind, form: Option<Vec<(usize, RBig)>>) -> usize {
        self.problem.unknowns.push(Unknown { id, kind, form });
        self.problem.unknowns.len() - 1
    }

    /// The number of a constant name.
    fn name(&mut self, symbol: Symbol) -> Meaning {
        let names = &mut self.problem.names;
        let place = names.iter().position(|&known| known == symbol).unwrap_or(names.len());
        if place == names.len() {
            names.push(symbol);
        }
        constant(RBig::from(place + 1))
    }

    fn relation(&mut self, rel: Rel, a: Term, b: Term) -> Option<Truth> {
        match (&self.meanings[&a.id()], &self.meanings[&b.id()]) {
            (Meaning::Truth(a), Meaning::Truth(b)) => match rel {
                Rel::Eq => a.iff(b),
                Rel::Ne => a.iff(b).map(Truth::not),
                Rel::Lt | Rel::Le | Rel::Gt | Rel::Ge => None,
            },
            (Meaning::Number(a), Meaning::Number(b)) => {
                let (a, b) = (a.clone(), b.clone());
                relate(&a, &b, |x, y| self.compare(rel, &x.clone().minus(y)))
            }
            (Meaning::Truth(_), Meaning::Number(_)) | (Meaning::Number(_), Meaning::Truth(_)) => None,
        }
    }

    /// When a linear form compares with zero as given.
    fn compare(&mut self, rel: Rel, form: &Linear) -> Truth {
        if let Some(constant) = form.as_constant() {
            return Truth::constant(compare_zero(rel, constant));
        }
        let (scale, row) = form.primitive();
        let limit = -&form.constant / &scale;
        let flipped = scale < RBig::ZERO;
        let unknown = self.row(row);
        let whole = self.problem.unknowns[unknown].kind == Kind::Whole;
        let below = |strict| Literal::order(unknown, whole, strict, Side::Upper, limit.clone());
        let above = |strict| Literal::order(unknown, whole, strict, Side::Lower, limit.clone());
        let order = |yes: Literal, no: Literal| Truth { yes: vec![vec![yes]], no: vec![vec![no]] };
        match (rel, flipped) {
            (Rel::Lt, false) | (Rel::Gt, true) => order(below(true), above(false)),
            (Rel::Le, false) | (Rel::Ge, true) => order(below(false), above(true)),
            (Rel::Gt, false) | (Rel::Lt, true) => order(above(true), below(false)),
            (Rel::Ge, false) | (Rel::Le, true) => order(above(false), below(true)),
            (Rel::Eq | Rel::Ne, _) => {
                let equal = vec![vec![above(false), below(false)]];
                let truth = Truth { yes: equal, no: vec![vec![above(true)], vec![below(true)]] };
                if rel == Rel::Eq { truth } else { truth.not() }
            }
        }
    }

    /// The unknown for a row with coprime integer factors.
    fn row(&mut self, row: Vec<(usize, RBig)>) -> usize {
        if let [(unknown, _)] = row.as_slice() {
            return *unknown;
        }
        if let Some(&unknown) = self.rows.get(&row) {
            return unknown;
        }
        let whole = row.iter().all(|(unknown, _)| self.problem.unknowns[*unknown].kind == Kind::Whole);
        let kind = if whole { Kind::Whole } else { Kind::Rational };
        let unknown = self.unknown(None, kind, Some(row.clone()));
        self.rows.insert(row, unknown);
        unknown
    }

    fn arithmetic(&mut self, id: Id, op: Arith, x: &Linear, y: &Linear) -> Option<Number> {
        let always = |form: Linear| Some(vec![(Vec::new(), form)]);
        match (op, x.as_constant(), y.as_constant()) {
            (Arith::Add, _, _) => always(x.clone().plus(y)),
            (Arith::Sub, _, _) => always(x.clone().minus(y)),
            (Arith::Mul, _, Some(factor)) => always(x.clone().scaled(factor)),
            (Arith::Mul, Some(factor), _) => always(y.clone().scaled(factor)),
            (Arith::Div, _, Some(divisor)) if !divisor.is_zero() => {
                always(x.clone().scaled(&(RBig::ONE / divisor)))
            }
            (Arith::Mod, _, Some(divisor)) if !divisor.is_zero() && divisor.is_int() => {
                self.remainder(x, divisor)
            }
            (Arith::Pow, Some(base), Some(exponent)) => {
                let bits = [base.numerator(), exponent.numerator()].map(BitTest::bit_len);
                if bits[0].max(base.denominator().bit_len()) > MAX_POWER_BITS || bits[1] > 6 {
                    return None;
                }
                match eval_state(self.store, id, &mut |_, _| Err(EvalError::UnfilledHole)) {
                    Ok(Value::Num(power)) => always(Linear::constant(power)),
                    Ok(Value::Bool(_) | Value::Name(_)) | Err(_) => None,
                }
            }
            (Arith::Mul | Arith::Div | Arith::Mod | Arith::Pow, _, _) => None,
        }
    }

    /// The Euclidean remainder of an integer form: `x - m*q` between 0 and `m - 1` for an integer quotient `q`.
    fn remainder(&mut self, x: &Linear, divisor: &RBig) -> Option<Number> {
        let is_whole = |unknown: &usize| self.problem.unknowns[*unknown].kind == Kind::Whole;
        if !x.constant.is_int()
            || !x.factors.iter().all(|(unknown, factor)| factor.is_int() && is_whole(unknown))
        {
            return None;
        }
        let divisor = if *divisor < RBig::ZERO { -divisor.clone() } else { divisor.clone() };
        let quotient = self.unknown(None, Kind::Whole, None);
        let remainder = x.clone().minus(&Linear::unknown(quotient).scaled(&divisor));
        let range = [
            self.compare(Rel::Ge, &remainder),
            self.compare(Rel::Lt, &remainder.clone().minus(&Linear::constant(divisor))),
        ];
        let condition = range.into_iter().flat_map(|truth| truth.yes).flatten().collect();
        Some(vec![(condition, remainder)])
    }

    fn function(&mut self, fun: Fun, arguments: &[Term]) -> Option<Number> {
        let numbers: Vec<Number> =
            arguments.iter().map(|&t| self.number(t).cloned()).collect::<Option<_>>()?;
        let (first, rest) = numbers.split_first()?;
        match fun {
            Fun::Abs if !rest.is_empty() => None,
            Fun::Abs => {
                let negated = |form: &Linear| form.clone().scaled(&-RBig::ONE);
                let zero = vec![(Vec::new(), Linear::default())];
                combine(first, &zero, |x, _| Some(self.extreme(Rel::Ge, x, &negated(x))))
            }
            Fun::Min => rest
                .iter()
                .try_fold(first.clone(), |a, b| combine(&a, b, |x, y| Some(self.extreme(Rel::Le, x, y)))),
            Fun::Max => rest
                .iter()
                .try_fold(first.clone(), |a, b| combine(&a, b, |x, y| Some(self.extreme(Rel::Ge, x, y)))),
        }
    }

    /// `x` if `x rel y`, otherwise `y`.
    fn extreme(&mut self, rel: Rel, x: &Linear, y: &Linear) -> Number {
        let truth = self.compare(rel, &x.clone().minus(y));
        let first = truth.yes.into_iter().map(|case| (case, x.clone()));
        first.chain(truth.no.into_iter().map(|case| (case, y.clone()))).collect()
    }
}

fn constant(value: RBig) -> Meaning {
    Meaning::Number(vec![(Vec::new(), Linear::constant(value))])
}
