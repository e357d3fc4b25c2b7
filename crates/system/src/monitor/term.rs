//! Terms as expressions: numbers with explicit conversions, literals of enumerations, previous values.
//!
//! Requirements use exact numbers. So machine integers become the integers they represent, and integers become reals where the other
//! operand is real.

use super::{Lowered, Lowering, MonitorError, latch};
use crate::expr::{EnumId, Expr, Node as ModelNode, Pool, Type};
use dashu_int::IBig;
use dashu_ratio::RBig;
use logic::{Arith, Fun, Id, Node, Numeral, Rel, Term};

/// The largest exponent that is expanded into a product.
const MAX_EXPONENT: u32 = 16;

impl Lowering<'_> {
    pub(super) fn term(&mut self, id: Id) -> Result<Lowered, MonitorError> {
        let store = self.store;
        let expr = match store.node(id) {
            Node::Num(value, Numeral::Int) if value.is_int() => {
                self.system.pool.int(value.numerator().clone())
            }
            Node::Num(value, _) => self.system.pool.real(value.clone()),
            Node::Value(symbol) => return Ok(Lowered::Name(store.name(*symbol).to_owned())),
            Node::Rel(rel, a, b) => self.compare(id, *rel, *a, *b)?,
            Node::Neg(a) => {
                let a = self.number(*a)?;
                self.system.pool.neg(a)
            }
            Node::Arith(op, a, b) => self.arith(id, *op, *a, *b)?,
            Node::Fun(fun, arguments) => self.fun(id, *fun, arguments)?,
            Node::Ite(condition, a, b) => {
                let condition = self.truth(condition.id())?;
                let Some((a, b)) = self.pair(id, *a, *b)? else {
                    return Ok(Lowered::Name(self.name_of(id)));
                };
                self.system.pool.ite(condition, a, b)
            }
            Node::Pre(initial, t) => {
                let Some((initial, t)) = self.pair(id, *initial, *t)? else {
                    return Ok(Lowered::Name(self.name_of(id)));
                };
                previous(self, initial, t)
            }
            _ => return Err(MonitorError::UnfilledHole),
        };
        Ok(Lowered::Expr(expr))
    }

    fn compare(&mut self, id: Id, rel: Rel, a: Term, b: Term) -> Result<Expr, MonitorError> {
        let Some((x, y)) = self.pair(id, a, b)? else {
            return Err(MonitorError::UnknownSignal { name: self.name_of(a.id()) });
        };
        let pool = &mut self.system.pool;
        if !pool.type_of(x).is_number() && !matches!(rel, Rel::Eq | Rel::Ne) {
            return Err(MonitorError::NotNumber { part: self.shown(a.id()) });
        }
        Ok(pool.compare(rel, x, y))
    }

    /// Two terms as values of one type; `None` if both are names without a known enumeration.
    fn pair(&mut self, id: Id, a: Term, b: Term) -> Result<Option<(Expr, Expr)>, MonitorError> {
        let unbound = |it: &Self, term: Term| matches!(it.known.get(&term.id()), Some(Lowered::Name(_)));
        let (x, y) = match (unbound(self, a), unbound(self, b)) {
            (true, true) => return Ok(None),
            (true, false) => {
                let y = self.value(b.id())?;
                (self.literal(a.id(), y)?, y)
            }
            (false, true) => {
                let x = self.value(a.id())?;
                (x, self.literal(b.id(), x)?)
            }
            (false, false) => (self.value(a.id())?, self.value(b.id())?),
        };
        let (left, right) = (self.system.pool.type_of(x), self.system.pool.type_of(y));
        if left == right {
            return Ok(Some((x, y)));
        }
        if !left.is_number() || !right.is_number() {
            return Err(MonitorError::Incomparable { part: self.shown(id) });
        }
        self.joined(x, y).map(Some)
    }

    /// Two numbers as integers, or as reals if one of them is real.
    fn joined(&mut self, x: Expr, y: Expr) -> Result<(Expr, Expr), MonitorError> {
        let pool = &mut self.system.pool;
        let real = pool.type_of(x) == Type::Real || pool.type_of(y) == Type::Real;
        let ty = if real { Type::Real } else { Type::Int };
        Ok((pool.cast(ty, x), pool.cast(ty, y)))
    }

    /// A name, or a choice of names, as literals of the enumeration of another expression.
    fn literal(&mut self, root: Id, like: Expr) -> Result<Expr, MonitorError> {
        let Type::Enum(id) = self.system.pool.type_of(like) else {
            return Err(MonitorError::UnknownSignal { name: self.name_of(root) });
        };
        self.literals(root, id)
    }

    fn literals(&mut self, root: Id, id: EnumId) -> Result<Expr, MonitorError> {
        let store = self.store;
        // Ids of names, choices and previous values below the root, children first.
        let unbound: Vec<Id> = store
            .reachable([root])
            .into_iter()
            .filter(|it| matches!(self.known.get(it), Some(Lowered::Name(_))))
            .collect();
        let mut found: rustc_hash::FxHashMap<Id, Expr> = rustc_hash::FxHashMap::default();
        for it in unbound {
            let inner = |term: &Term| found.get(&term.id()).copied().ok_or(MonitorError::UnfilledHole);
            let expr = match store.node(it) {
                Node::Ite(condition, a, b) => {
                    let (a, b) = (inner(a)?, inner(b)?);
                    let condition = self.truth(condition.id())?;
                    self.system.pool.ite(condition, a, b)
                }
                Node::Pre(initial, t) => {
                    let (initial, t) = (inner(initial)?, inner(t)?);
                    previous(self, initial, t)
                }
                _ => {
                    let name = self.name_of(it);
                    match self.system.pool.literal_named(id, &name) {
                        Some(literal) => literal,
                        // It may be a name below another part, which does not have this enumeration.
                        None if it != root => continue,
                        None => return Err(MonitorError::UnknownSignal { name }),
                    }
                }
            };
            found.insert(it, expr);
        }
        found.get(&root).copied().ok_or_else(|| MonitorError::UnknownSignal { name: self.name_of(root) })
    }

    fn name_of(&self, id: Id) -> String {
        match self.known.get(&id) {
            Some(Lowered::Name(name)) => name.clone(),
            Some(Lowered::Expr(_) | Lowered::Call(..)) | None => self.shown(id),
        }
    }

    /// A term as an integer or a real number.
    fn number(&mut self, t: Term) -> Result<Expr, MonitorError> {
        let value = self.value(t.id())?;
        match self.system.pool.type_of(value) {
            Type::Int | Type::Real => Ok(value),
            Type::Machine(_) => Ok(self.system.pool.cast(Type::Int, value)),
            Type::Bool | Type::Enum(_) => Err(MonitorError::NotNumber { part: self.shown(t.id()) }),
        }
    }

    /// A number as a real number.
    pub(super) fn real(&mut self, id: Id, value: Expr) -> Result<Expr, MonitorError> {
        if !self.system.pool.type_of(value).is_number() {
            return Err(MonitorError::NotNumber { part: self.shown(id) });
        }
        Ok(self.system.pool.cast(Type::Real, value))
    }

    fn arith(&mut self, id: Id, op: Arith, a: Term, b: Term) -> Result<Expr, MonitorError> {
        let (x, y) = (self.number(a)?, self.number(b)?);
        let (x, y) = self.joined(x, y)?;
        let pool = &mut self.system.pool;
        Ok(match op {
            Arith::Add => pool.add(x, y),
            Arith::Sub => pool.sub(x, y),
            Arith::Mul => pool.mul(x, y),
            Arith::Div => {
                let (x, y) = (pool.cast(Type::Real, x), pool.cast(Type::Real, y));
                pool.div(x, y)
            }
            Arith::Mod if pool.type_of(x) == Type::Int => pool.modulo(x, y),
            Arith::Mod => return Err(MonitorError::NotWhole { part: self.shown(id) }),
            Arith::Pow => {
                let exponent = match pool.node(y) {
                    ModelNode::Int(value) => i32::try_from(value).ok(),
                    ModelNode::Real(value) if value.is_int() => i32::try_from(value.numerator()).ok(),
                    _ => None,
                };
                let Some(exponent) = exponent.filter(|it| it.unsigned_abs() <= MAX_EXPONENT) else {
                    return Err(MonitorError::Unsupported { part: self.shown(id) });
                };
                power(pool, x, exponent)
            }
        })
    }

    fn fun(&mut self, id: Id, fun: Fun, arguments: &[Term]) -> Result<Expr, MonitorError> {
        let numbers: Result<Vec<Expr>, MonitorError> = arguments.iter().map(|it| self.number(*it)).collect();
        let numbers = numbers?;
        match (fun, &numbers[..]) {
            (Fun::Abs, [only]) => Ok(self.system.pool.abs(*only)),
            (Fun::Min | Fun::Max, [first, rest @ ..]) => {
                let mut best = *first;
                for other in rest {
                    let (x, y) = self.joined(best, *other)?;
                    let pool = &mut self.system.pool;
                    best = if fun == Fun::Min { pool.min(x, y) } else { pool.max(x, y) };
                }
                Ok(best)
            }
            (Fun::Abs | Fun::Min | Fun::Max, _) => Err(MonitorError::Unsupported { part: self.shown(id) }),
        }
    }
}

/// A term at the previous step; `initial` at step 0.
fn previous(lowering: &mut Lowering, initial: Expr, t: Expr) -> Expr {
    let system = &mut *lowering.system;
    let ty = system.pool.type_of(t);
    let constant = system.pool.node(initial).is_constant();
    // If the initial value is computed, the state's own initial value is never read.
    let start = if constant { initial } else { default(&mut system.pool, ty) };
    let name = latch::fresh(system, "pre");
    let var = system.add_state(&name, ty, Some(start));
    system.set_next(var, t);
    let before = system.expr(var);
    if constant {
        return before;
    }
    let (started, running) = latch::add_latch(system, "started");
    system.set_next(started, Pool::TRUE);
    system.pool.ite(running, before, initial)
}

fn default(pool: &mut Pool, ty: Type) -> Expr {
    match ty {
        Type::Bool => Pool::FALSE,
        Type::Enum(id) => pool.literal(id, 0),
        Type::Int | Type::Machine(_) | Type::Real => pool.number(ty, &IBig::ZERO).unwrap_or(Pool::FALSE),
    }
}

fn power(pool: &mut Pool, base: Expr, exponent: i32) -> Expr {
    let base = if exponent < 0 { pool.cast(Type::Real, base) } else { base };
    let one = pool.number(pool.type_of(base), &IBig::ONE).unwrap_or(base);
    let power = (0..exponent.unsigned_abs()).fold(one, |product, _| pool.mul(product, base));
    if exponent < 0 {
        let one = pool.real(RBig::ONE);
        return pool.div(one, power);
    }
    power
}
