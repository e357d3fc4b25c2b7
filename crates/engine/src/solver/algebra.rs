//! Comparisons that polynomial arithmetic decides: both sides are equal, or differ by a constant, whatever their variables are.
//!
//! Numbers become polynomials with rational coefficients over atoms: variables, choices, quotients, and functions of polynomials.
//! Sines and cosines of the same argument satisfy s² + c² = 1; a power of a sine is rewritten with it until each sine occurs at most
//! once in a term. These rules are a Gröbner basis, because their leading terms have no common factor, so equal polynomials modulo
//! the rules have the same normal form. All arithmetic is exact. What exceeds the limits is left alone.

use base::Interned;
use dashu_int::ops::BitTest;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use system::places::number;
use system::{Expr, Function, Node, Pool, System, Type};

/// The number of terms added and multiplied for one system.
const FUEL: usize = 300_000;
/// The number of terms of a polynomial.
const TERMS: usize = 5_000;
/// The number of bits of a coefficient.
const BITS: usize = 4_096;

/// Replaces decided comparisons in the assumptions and properties of a system.
pub(crate) fn decide(system: &mut System) {
    let roots: Vec<Expr> =
        system.assumptions.iter().copied().chain(system.properties.iter().map(|it| it.value)).collect();
    let decided = decided(&system.pool, &roots);
    if decided.is_empty() {
        return;
    }
    let truth = |truth: &bool| if *truth { Pool::TRUE } else { Pool::FALSE };
    let new = system.pool.replace(&roots, &|expr, _| decided.get(&expr).map(truth));
    let assumptions = system.assumptions.iter_mut();
    let targets = assumptions.chain(system.properties.iter_mut().map(|it| &mut it.value));
    targets.zip(new).for_each(|(target, new)| *target = new);
}

/// The comparisons below the roots whose sides differ by a constant.
fn decided(pool: &Pool, roots: &[Expr]) -> FxHashMap<Expr, bool> {
    let mut forms = Forms {
        pool,
        atoms: Interned::default(),
        all: Interned::default(),
        of: FxHashMap::default(),
        fuel: FUEL,
    };
    let mut found = FxHashMap::default();
    for expr in pool.reachable(roots.iter().copied()) {
        forms.visit(expr);
        let (Node::Eq(a, b) | Node::Lt(a, b) | Node::Le(a, b)) = pool.node(expr) else { continue };
        let Some(opposite) = forms.get(*b).map(|it| it.scaled(&RBig::from(-1))) else { continue };
        let difference = forms.sum(*a, &opposite).and_then(|it| it.constant());
        let Some(difference) = difference else { continue };
        found.insert(
            expr,
            match pool.node(expr) {
                Node::Eq(..) => difference.is_zero(),
                Node::Lt(..) => difference < RBig::ZERO,
                _ => difference <= RBig::ZERO,
            },
        );
    }
    found
}

/// What polynomials are built from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Atom {
    /// A number that is not a polynomial.
    Opaque(Expr),
    /// A function of polynomials, by number.
    Apply(Function, Vec<u32>),
}

/// Atoms by number, ascending, each with its power.
type Monomial = Vec<(u32, u32)>;

/// The coefficient of each term; none is zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Polynomial(BTreeMap<Monomial, RBig>);

/// The normal forms of the numbers of a pool.
struct Forms<'a> {
    pool: &'a Pool,
    atoms: Interned<Atom>,
    all: Interned<Polynomial>,
    of: FxHashMap<Expr, u32>,
    fuel: usize,
}

impl Forms<'_> {
    /// Adds the normal form of a number whose children were visited before.
    fn visit(&mut self, expr: Expr) {
        if !matches!(self.pool.type_of(expr), Type::Int | Type::Real) {
            return;
        }
        let form = match number(self.pool, expr) {
            Some(number) => Some(Polynomial::number(number)),
            None => self.form(expr),
        };
        if let Some(form) = form {
            let place = self.all.intern(form);
            self.of.insert(expr, place);
        }
    }

    fn get(&self, expr: Expr) -> Option<&Polynomial> {
        self.of.get(&expr).map(|place| &self.all[*place as usize])
    }

    fn sum(&mut self, a: Expr, b: &Polynomial) -> Option<Polynomial> {
        let a = self.of.get(&a).map(|place| &self.all[*place as usize])?;
        self.fuel = self.fuel.checked_sub(a.0.len() + b.0.len())?;
        a.plus(b)
    }

    fn form(&mut self, expr: Expr) -> Option<Polynomial> {
        match self.pool.node(expr) {
            Node::Neg(a) => Some(self.get(*a)?.scaled(&RBig::from(-1))),
            Node::Add(a, b) => {
                let b = self.get(*b)?.clone();
                self.sum(*a, &b)
            }
            Node::Mul(a, b) => {
                let (a, b) = (self.get(*a)?.clone(), self.get(*b)?.clone());
                self.product(&a, &b)
            }
            Node::Div(a, b) => match self.get(*b)?.constant() {
                Some(divisor) if !divisor.is_zero() => Some(self.get(*a)?.scaled(&(RBig::ONE / divisor))),
                _ => Some(self.atom(Atom::Opaque(expr))),
            },
            Node::Cast(Type::Real, a) if self.pool.type_of(*a) == Type::Int => self.get(*a).cloned(),
            Node::Apply(Function::Single, arguments) => self.get(*arguments.first()?).cloned(),
            Node::Apply(function, arguments) => {
                let arguments: Option<Vec<u32>> =
                    arguments.iter().map(|it| self.of.get(it).copied()).collect();
                match arguments {
                    Some(arguments) => Some(self.applied(*function, arguments)),
                    None => Some(self.atom(Atom::Opaque(expr))),
                }
            }
            _ => Some(self.atom(Atom::Opaque(expr))),
        }
    }

    /// A function value. Sine is odd and cosine is even, so that the first coefficient of their argument can be made positive.
    fn applied(&mut self, function: Function, mut arguments: Vec<u32>) -> Polynomial {
        let minus = RBig::from(-1);
        let mut turned = false;
        if let (Function::Sin | Function::Cos, [argument]) = (function, &mut arguments[..]) {
            let form = &self.all[*argument as usize];
            turned = form.0.values().next().is_some_and(|it| *it < RBig::ZERO);
            if turned {
                let opposite = form.scaled(&minus);
                *argument = self.all.intern(opposite);
            }
        }
        let value = self.atom(Atom::Apply(function, arguments));
        if turned && function == Function::Sin { value.scaled(&minus) } else { value }
    }

    fn atom(&mut self, atom: Atom) -> Polynomial {
        let number = self.atoms.intern(atom);
        Polynomial(BTreeMap::from([(vec![(number, 1)], RBig::ONE)]))
    }

    /// The product in normal form, unless it is too large.
    fn product(&mut self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (left, x) in &a.0 {
            for (right, y) in &b.0 {
                self.fuel = self.fuel.checked_sub(1)?;
                sum.add(multiplied(left, right), x * y)?;
            }
        }
        // A term without squares of sines is final. The others lose one square at a time to the cosine of the same argument.
        let squared = |forms: &Self, term: &Monomial| {
            term.iter().position(|it| {
                it.1 > 1 && matches!(forms.atoms[it.0 as usize], Atom::Apply(Function::Sin, _))
            })
        };
        let mut open: Vec<Monomial> =
            sum.0.keys().filter(|it| squared(self, it).is_some()).cloned().collect();
        while let Some(term) = open.pop() {
            let Some(place) = squared(self, &term) else { continue };
            let Some(coefficient) = sum.0.remove(&term) else { continue };
            self.fuel = self.fuel.checked_sub(1)?;
            let (sine, power) = term[place];
            let Atom::Apply(_, arguments) = &self.atoms[sine as usize] else { continue };
            let cosine = Atom::Apply(Function::Cos, arguments.clone());
            let cosine = self.atoms.intern(cosine);
            let mut rest = term;
            rest.remove(place);
            if power > 2 {
                rest.insert(place, (sine, power - 2));
            }
            let other = multiplied(&rest, &[(cosine, 2)]);
            sum.add(other.clone(), -coefficient.clone())?;
            sum.add(rest.clone(), coefficient)?;
            open.extend([other, rest]);
        }
        Some(sum)
    }
}

/// The product of two terms without their coefficients.
fn multiplied(a: &[(u32, u32)], b: &[(u32, u32)]) -> Monomial {
    let mut powers: BTreeMap<u32, u32> = a.iter().copied().collect();
    for (atom, power) in b {
        let sum = powers.entry(*atom).or_default();
        *sum = sum.saturating_add(*power);
    }
    powers.into_iter().collect()
}

impl Polynomial {
    fn number(number: RBig) -> Polynomial {
        let mut form = Polynomial::default();
        if !number.is_zero() {
            form.0.insert(Monomial::new(), number);
        }
        form
    }

    /// Its value, if it has no atoms.
    fn constant(&self) -> Option<RBig> {
        match self.0.iter().next() {
            None => Some(RBig::ZERO),
            Some((term, coefficient)) if term.is_empty() && self.0.len() == 1 => Some(coefficient.clone()),
            Some(_) => None,
        }
    }

    fn scaled(&self, by: &RBig) -> Polynomial {
        if by.is_zero() {
            return Polynomial::default();
        }
        Polynomial(self.0.iter().map(|(term, coefficient)| (term.clone(), coefficient * by)).collect())
    }

    fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut sum = self.clone();
        for (term, coefficient) in &other.0 {
            sum.add(term.clone(), coefficient.clone())?;
        }
        Some(sum)
    }

    /// Adds a term; `None` if a limit is exceeded.
    fn add(&mut self, term: Monomial, coefficient: RBig) -> Option<()> {
        let old = self.0.remove(&term).unwrap_or(RBig::ZERO);
        let new = old + coefficient;
        if new.numerator().bit_len() + new.denominator().bit_len() > BITS || self.0.len() >= TERMS {
            return None;
        }
        if !new.is_zero() {
            self.0.insert(term, new);
        }
        Some(())
    }
}
