//! Past-time formulas as part of a system: their memory becomes state, and their value a Boolean expression.
//!
//! Each temporal operator becomes latches and counters as planned by `logic::memory` (`latch`); terms become expressions with
//! explicit conversions (`term`). The expression is true at a step exactly when the formula holds there, which for
//! `requirement::past` means that the requirement holds on the trace that ends there.

mod latch;
mod term;

use crate::expr::{Expr, Function, Pool, Signature, Type};
use crate::system::System;
use logic::memory::{Cell, TooLong, oldest_only};
use logic::{Binary, Bound, Formula, Id, Node, Store, Unary};
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a formula cannot be made part of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MonitorError {
    /// No signal of this name is bound.
    UnknownSignal {
        /// The name.
        name: String,
    },
    /// The formula refers to the future.
    LooksAhead,
    /// Something is used as a Boolean and is not one.
    NotBoolean {
        /// The part of the formula.
        part: String,
    },
    /// Something is used as a number and is not one.
    NotNumber {
        /// The part of the formula.
        part: String,
    },
    /// Two values of different kinds are compared.
    Incomparable {
        /// The comparison.
        part: String,
    },
    /// A remainder of numbers that are not integers.
    NotWhole {
        /// The part of the formula.
        part: String,
    },
    /// A power whose exponent is not a small integer, or a function with the wrong number of arguments.
    Unsupported {
        /// The part of the formula.
        part: String,
    },
    /// A delay needs too much state.
    TooLong(TooLong),
    /// A hole in the formula that was not filled.
    UnfilledHole,
}

/// Adds the memory of a past-time formula, and returns its value. If it fails, the system has more state but the same behaviour.
///
/// `binding` returns the expression of a signal; [`names`] collects all signals of a system by name.
pub fn add_formula(
    system: &mut System,
    store: &mut Store,
    formula: Formula,
    binding: &dyn Fn(&str) -> Option<Expr>,
) -> Result<Expr, MonitorError> {
    let formula = oldest_only(store, formula);
    let mut lowering = Lowering { system, store, binding, known: FxHashMap::default() };
    for id in lowering.store.reachable([formula.id()]) {
        let lowered = lowering.node(id)?;
        lowering.known.insert(id, lowered);
    }
    lowering.truth(formula.id())
}

/// Adds the memory of several past-time formulas, and returns the value of each. What they have in common is stored once.
pub fn add_formulas(
    system: &mut System,
    store: &Store,
    formulas: &[Formula],
    binding: &dyn Fn(&str) -> Option<Expr>,
) -> Vec<Result<Expr, MonitorError>> {
    let mut lowering = Lowering { system, store, binding, known: FxHashMap::default() };
    let add = |formula: &Formula| {
        for id in lowering.store.reachable([formula.id()]) {
            if !lowering.known.contains_key(&id) {
                let lowered = lowering.node(id)?;
                lowering.known.insert(id, lowered);
            }
        }
        lowering.truth(formula.id())
    };
    formulas.iter().map(add).collect()
}

/// All variables and outputs of a system by name, for use as a binding.
pub fn names(system: &mut System) -> FxHashMap<String, Expr> {
    let outputs: Vec<(String, Expr)> = system.outputs.iter().map(|it| (it.name.clone(), it.value)).collect();
    let variables: Vec<String> = system.variables.iter().map(|it| it.name.clone()).collect();
    let variables = variables.into_iter().filter_map(|name| {
        let expr = system.named(&name)?;
        Some((name, expr))
    });
    outputs.into_iter().chain(variables.collect::<Vec<_>>()).collect()
}

/// A lowered node.
#[derive(Clone, Debug)]
enum Lowered {
    /// An expression.
    Expr(Expr),
    /// An unbound name, or a choice of such names: a literal if it meets an enumeration.
    Name(String),
    /// A function, whose type depends on how its value is used.
    Call(String, Vec<Expr>),
}

struct Lowering<'a> {
    system: &'a mut System,
    store: &'a Store,
    binding: &'a dyn Fn(&str) -> Option<Expr>,
    known: FxHashMap<Id, Lowered>,
}

impl Lowering<'_> {
    fn node(&mut self, id: Id) -> Result<Lowered, MonitorError> {
        let store = self.store;
        let expr = match store.node(id) {
            Node::True => Pool::TRUE,
            Node::False => Pool::FALSE,
            Node::Var(symbol) => match (self.binding)(store.name(*symbol)) {
                Some(expr) => expr,
                None => return Ok(Lowered::Name(store.name(*symbol).to_owned())),
            },
            Node::Hole(_) => return Err(MonitorError::UnfilledHole),
            Node::Call(symbol, arguments) => {
                let arguments: Result<Vec<Expr>, MonitorError> =
                    arguments.iter().map(|it| self.value(*it)).collect();
                return Ok(Lowered::Call(store.name(*symbol).to_owned(), arguments?));
            }
            Node::Not(a) => {
                let a = self.truth(a.id())?;
                self.system.pool.not(a)
            }
            Node::And(operands) => {
                let operands = self.truths(operands)?;
                self.system.pool.and(operands)
            }
            Node::Or(operands) => {
                let operands = self.truths(operands)?;
                self.system.pool.or(operands)
            }
            Node::Xor(a, b) => {
                let (a, b) = (self.truth(a.id())?, self.truth(b.id())?);
                self.system.pool.xor(a, b)
            }
            Node::Implies(a, b) => {
                let (a, b) = (self.truth(a.id())?, self.truth(b.id())?);
                self.system.pool.implies(a, b)
            }
            Node::Iff(a, b) => {
                let (a, b) = (self.truth(a.id())?, self.truth(b.id())?);
                self.system.pool.iff(a, b)
            }
            Node::Bool(f) => self.truth(f.id())?,
            Node::Unary(op, bound, f) => {
                let truth = self.truth(f.id())?;
                match op {
                    Unary::Once if self.is_first_point(*f) => {
                        let clock = Cell::Clock { bound: *bound };
                        latch::cell(self.system, clock, Pool::TRUE, truth)
                    }
                    Unary::Once => latch::since(self.system, *bound, Pool::TRUE, truth)?,
                    Unary::Historically => {
                        let absent = self.system.pool.not(truth);
                        let once = latch::since(self.system, *bound, Pool::TRUE, absent)?;
                        self.system.pool.not(once)
                    }
                    Unary::Finally | Unary::Globally => return Err(MonitorError::LooksAhead),
                }
            }
            Node::Binary(op, bound, a, b) => {
                let (a, b) = (self.truth(a.id())?, self.truth(b.id())?);
                match op {
                    Binary::Since => latch::since(self.system, *bound, a, b)?,
                    Binary::Triggered => {
                        let (a, b) = (self.system.pool.not(a), self.system.pool.not(b));
                        let since = latch::since(self.system, *bound, a, b)?;
                        self.system.pool.not(since)
                    }
                    Binary::Until | Binary::Release => return Err(MonitorError::LooksAhead),
                }
            }
            _ => return self.term(id),
        };
        Ok(Lowered::Expr(expr))
    }

    fn is_first_point(&self, f: Formula) -> bool {
        matches!(*self.store.node(f), Node::Unary(Unary::Historically, Bound::NEXT, g) if g == self.store.bottom())
    }

    fn truths(&mut self, operands: &[Formula]) -> Result<Vec<Expr>, MonitorError> {
        operands.iter().map(|it| self.truth(it.id())).collect()
    }

    /// A lowered node as a Boolean.
    fn truth(&mut self, id: Id) -> Result<Expr, MonitorError> {
        let expr = self.typed(id, Type::Bool)?;
        if self.system.pool.type_of(expr) == Type::Bool {
            return Ok(expr);
        }
        Err(MonitorError::NotBoolean { part: self.shown(id) })
    }

    /// A lowered node as a value of its own type.
    fn value(&mut self, id: Id) -> Result<Expr, MonitorError> {
        self.typed(id, Type::Real)
    }

    /// A lowered node as an expression; a declared function returns a value of the expected type.
    fn typed(&mut self, id: Id, wanted: Type) -> Result<Expr, MonitorError> {
        match self.known.get(&id).cloned() {
            Some(Lowered::Expr(expr)) => Ok(expr),
            Some(Lowered::Name(name)) => Err(MonitorError::UnknownSignal { name }),
            Some(Lowered::Call(name, arguments)) => self.call(id, &name, &arguments, wanted),
            None => Err(MonitorError::UnfilledHole),
        }
    }

    fn call(&mut self, id: Id, name: &str, arguments: &[Expr], result: Type) -> Result<Expr, MonitorError> {
        let pool = &mut self.system.pool;
        let known = Function::NAMED.into_iter().find(|it| it.name() == Some(name));
        match known.filter(|_| result == Type::Real) {
            Some(function) if function.arity() == Some(arguments.len()) => {
                let reals: Result<Vec<Expr>, MonitorError> =
                    arguments.iter().map(|it| self.real(id, *it)).collect();
                Ok(self.system.pool.apply(function, &reals?))
            }
            Some(_) => Err(MonitorError::Unsupported { part: self.shown(id) }),
            None => {
                let parameters = arguments.iter().map(|it| pool.type_of(*it)).collect();
                let function = pool.declare_function(Signature { name: name.to_owned(), parameters, result });
                Ok(pool.apply(Function::Declared(function), arguments))
            }
        }
    }

    fn shown(&self, id: Id) -> String {
        let formula = self.store.as_formula(id);
        let text = formula.and_then(|it| logic::print(self.store, it, &logic::SHALL).ok());
        match (text, self.store.node(id)) {
            (Some(text), _) => text,
            (None, Node::Num(value, _)) => value.to_string(),
            (None, Node::Value(symbol)) => self.store.name(*symbol).to_owned(),
            (None, _) => "a term".to_owned(),
        }
    }
}

impl fmt::Display for MonitorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MonitorError::UnknownSignal { name } => write!(f, "the model has no signal `{name}`"),
            MonitorError::LooksAhead => write!(f, "the formula looks into the future"),
            MonitorError::NotBoolean { part } => write!(f, "`{part}` is not a Boolean in the model"),
            MonitorError::NotNumber { part } => write!(f, "`{part}` is not a number in the model"),
            MonitorError::Incomparable { part } => write!(f, "`{part}` compares values of different kinds"),
            MonitorError::NotWhole { part } => {
                write!(f, "`{part}` takes a remainder of numbers that are not whole")
            }
            MonitorError::Unsupported { part } => write!(f, "`{part}` cannot be computed in a model"),
            MonitorError::TooLong(cause) => write!(f, "{cause}"),
            MonitorError::UnfilledHole => write!(f, "a part of the formula is not filled in"),
        }
    }
}

impl std::error::Error for MonitorError {}
