//! Guards and effects of entries as expressions over the values of a moment; the counterpart of `crate::step`.

use super::{Build, Refusal, number};
use crate::{Assignment, Condition, Effect, Entry, Moment, Operand, Reading, Timed};
use logic::Rel;
use system::expr::{Expr, Pool, Type};

/// The values of a moment: for timers `now` is the age.
#[derive(Clone)]
pub(super) struct View {
    pub(super) now: Vec<Expr>,
    pub(super) before: Vec<Expr>,
}

impl View {
    fn at(&self, moment: Moment, variable: usize) -> Expr {
        match moment {
            Moment::Now => self.now[variable],
            Moment::Before => self.before[variable],
        }
    }
}

impl Build<'_> {
    /// Whether the guards of an entry hold and it would do something that counts.
    pub(super) fn enabled(&mut self, view: &View, entry: &Entry) -> Expr {
        let guard = self.guard(view, entry);
        let timed = self.timed(view, entry);
        let changes = self.changes(view, entry, false);
        self.system.pool.and([guard, timed, changes])
    }

    /// The guard about values.
    pub(super) fn guard(&mut self, view: &View, entry: &Entry) -> Expr {
        self.clauses(&entry.guard, |build, it| build.condition(view, it))
    }

    /// All of these, of each any.
    fn clauses<T>(&mut self, clauses: &[Vec<T>], mut lower: impl FnMut(&mut Self, &T) -> Expr) -> Expr {
        let mut all = Vec::new();
        for any in clauses {
            let any: Vec<Expr> = any.iter().map(|it| lower(self, it)).collect();
            all.push(self.system.pool.or(any));
        }
        self.system.pool.and(all)
    }

    /// The guard about timers.
    pub(super) fn timed(&mut self, view: &View, entry: &Entry) -> Expr {
        self.clauses(&entry.timed, |build, it| build.age(view, it))
    }

    /// Whether an entry does something that counts. `later` is after some delay, when every timer runs.
    pub(super) fn changes(&mut self, view: &View, entry: &Entry, later: bool) -> Expr {
        let outputs = entry.effect.iter().any(|it| it.effect != Effect::Reset);
        let mut any = Vec::new();
        for assignment in &entry.effect {
            let now = view.now[assignment.variable];
            match &assignment.effect {
                Effect::Reset if self.reading == Reading::Synchronous && outputs => {}
                Effect::Reset if later => any.push(Pool::TRUE),
                Effect::Reset => {
                    let zero = self.system.pool.int(0);
                    any.push(self.system.pool.ne(now, zero));
                }
                Effect::Assign(operand) => {
                    if let Some(value) = self.assigned(view, assignment.variable, operand) {
                        any.push(self.system.pool.ne(now, value));
                    }
                    if self.reading == Reading::Literal {
                        any.push(self.system.pool.ne(view.before[assignment.variable], now));
                    }
                }
            }
        }
        self.system.pool.or(any)
    }

    /// The view after the first entry that fires; as it is if none does.
    pub(super) fn fire_first(
        &mut self,
        view: &View,
        entries: &[&Entry],
        fires: &[Expr],
    ) -> Result<View, Refusal> {
        let mut next = view.clone();
        for (entry, &fires) in entries.iter().zip(fires).rev() {
            let mut fired = view.clone();
            for assignment in &entry.effect {
                let variable = assignment.variable;
                fired.now[variable] = self.effect(view, assignment)?;
                if self.reading != Reading::Synchronous && assignment.effect != Effect::Reset {
                    fired.before[variable] = view.now[variable];
                }
            }
            for variable in 0..view.now.len() {
                let pool = &mut self.system.pool;
                next.now[variable] = pool.ite(fires, fired.now[variable], next.now[variable]);
                next.before[variable] = pool.ite(fires, fired.before[variable], next.before[variable]);
            }
        }
        Ok(next)
    }

    /// A comparison of values.
    pub(super) fn condition(&mut self, view: &View, condition: &Condition) -> Expr {
        let left = view.at(condition.moment, condition.variable);
        let Some(right) = self.operand(view, condition.variable, &condition.operand) else {
            // Values of different sorts: they are different, and not in any order.
            return self.system.pool.bool(condition.relation == Rel::Ne);
        };
        self.related(left, condition.relation, right)
    }

    fn related(&mut self, left: Expr, relation: Rel, right: Expr) -> Expr {
        let pool = &mut self.system.pool;
        let (x, y) = (pool.type_of(left), pool.type_of(right));
        let (left, right) = if x != y && x.is_number() && y.is_number() {
            (pool.cast(Type::Real, left), pool.cast(Type::Real, right))
        } else {
            (left, right)
        };
        pool.compare(relation, left, right)
    }

    /// What a variable is compared with.
    fn operand(&mut self, view: &View, variable: usize, operand: &Operand) -> Option<Expr> {
        match operand {
            Operand::Constant(value) => match (self.constant(variable, value), value) {
                (Some(expr), _) => Some(expr),
                // An integer compared with a fraction.
                (None, logic::Value::Num(value)) if self.types[variable] == Type::Int => {
                    Some(self.system.pool.real(value.clone()))
                }
                (None, _) => None,
            },
            Operand::Variable(moment, other) => {
                let (x, y) = (self.types[variable], self.types[*other]);
                (x == y || x.is_number() && y.is_number()).then(|| view.at(*moment, *other))
            }
            Operand::Sum(terms, constant) => {
                let numbers =
                    terms.iter().all(|(factor, _, it)| factor.is_int() && self.types[*it] == Type::Int);
                let ty = if numbers && constant.is_int() { Type::Int } else { Type::Real };
                let mut sum = number(&mut self.system.pool, ty, constant)?;
                for (factor, moment, it) in terms {
                    let pool = &mut self.system.pool;
                    let factor = number(pool, ty, factor)?;
                    let value = pool.cast(ty, view.at(*moment, *it));
                    let term = pool.mul(factor, value);
                    sum = pool.add(sum, term);
                }
                Some(sum)
            }
        }
    }

    /// A value that is assigned, as the variable's type has it.
    fn assigned(&mut self, view: &View, variable: usize, operand: &Operand) -> Option<Expr> {
        let value = self.operand(view, variable, operand)?;
        let pool = &mut self.system.pool;
        match (self.types[variable], pool.type_of(value)) {
            (wanted, found) if wanted == found => Some(value),
            (Type::Real, Type::Int) => Some(pool.cast(Type::Real, value)),
            _ => None,
        }
    }

    fn effect(&mut self, view: &View, assignment: &Assignment) -> Result<Expr, Refusal> {
        match &assignment.effect {
            Effect::Reset => Ok(self.system.pool.int(0)),
            Effect::Assign(operand) => self
                .assigned(view, assignment.variable, operand)
                .ok_or_else(|| Refusal::WrongSort(self.dfrs.variables[assignment.variable].name.clone())),
        }
    }

    /// An age is an integer, so a fraction as its bound is rounded.
    fn age(&mut self, view: &View, timed: &Timed) -> Expr {
        let age = view.now[timed.timer];
        let (relation, bound) = match timed.relation {
            Rel::Lt => (Rel::Lt, timed.bound.ceil()),
            Rel::Le => (Rel::Le, timed.bound.floor()),
            Rel::Gt => (Rel::Gt, timed.bound.floor()),
            Rel::Ge => (Rel::Ge, timed.bound.ceil()),
            Rel::Eq | Rel::Ne if !timed.bound.is_int() => {
                return self.system.pool.bool(timed.relation == Rel::Ne);
            }
            Rel::Eq | Rel::Ne => (timed.relation, timed.bound.floor()),
        };
        let bound = self.system.pool.int(bound);
        self.related(age, relation, bound)
    }
}
