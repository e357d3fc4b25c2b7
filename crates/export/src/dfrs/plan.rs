//! A system as checkers need it: finitely many integers for each signal, integer bounds for each timer.
//!
//! Booleans and names are numbers, names in alphabetical order; of a number, those values are kept that guards can
//! distinguish (`dfrs::classes`), multiplied by a scale if they are fractions. Time is in units that make every bound an
//! integer. The deadline of a rule is the last age of its timer at which it would still react.

use super::Refusal;
use super::expr::{Expr, Term};
use ::dfrs::Moment::{Before, Now};
use ::dfrs::{
    Clock, Condition, Dfrs, Effect, Entry, Kind, Operand, Reading, Semantics, Sort, Timed, compile, step,
};
use logic::{RBig, Rel, Value};

/// A system, ready to be written.
pub(super) struct Plan<'a> {
    pub(super) dfrs: &'a Dfrs,
    pub(super) semantics: Semantics,
    /// Clock units per time unit.
    pub(super) units: i64,
    pub(super) signals: Vec<Signal>,
    pub(super) timers: Vec<Timer>,
    pub(super) rules: Vec<Rule>,
    /// Conditions that the environment never fulfils.
    pub(super) nevers: Vec<Expr>,
}

/// An input or output.
pub(super) struct Signal {
    pub(super) variable: usize,
    pub(super) input: bool,
    pub(super) domain: Domain,
    pub(super) initial: i64,
}

/// The values of a signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Domain {
    Bool,
    Names(Vec<String>),
    /// In order, each multiplied by the scale.
    Numbers(Vec<i64>, i64),
}

/// A timer.
pub(super) struct Timer {
    pub(super) variable: usize,
    /// The ages that it is compared with, in order and not negative.
    pub(super) bounds: Vec<i64>,
}

/// An entry.
pub(super) struct Rule {
    /// The id of its requirement, with a number if that has several entries.
    pub(super) id: String,
    pub(super) requirement: usize,
    /// About values.
    pub(super) guard: Expr,
    /// About timers.
    pub(super) timed: Expr,
    /// Whether it would change anything.
    pub(super) changes: Expr,
    /// The same for a time at which every timer runs.
    pub(super) changes_later: Expr,
    pub(super) writes: Vec<(usize, Term)>,
    pub(super) resets: Vec<usize>,
    pub(super) due: Option<Due>,
}

/// The last age of a timer at which a rule would react.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Due {
    pub(super) timer: usize,
    pub(super) age: i64,
    /// Whether the rule still reacts at this age.
    pub(super) included: bool,
}

impl Domain {
    /// All values, in order.
    pub(super) fn values(&self) -> Vec<i64> {
        match self {
            Domain::Bool => vec![0, 1],
            Domain::Names(names) => (0..names.len() as i64).collect(),
            Domain::Numbers(values, _) => values.clone(),
        }
    }
}

impl Timer {
    /// The age from which on ages are not distinguished.
    pub(super) fn cap(&self) -> i64 {
        self.bounds.last().map_or(1, |last| last + 1)
    }
}

impl Rule {
    /// Whether it reacts.
    pub(super) fn enabled(&self) -> Expr {
        Expr::all([self.guard.clone(), self.timed.clone(), self.changes.clone()])
    }

    /// Whether it would react if its timers allowed it.
    pub(super) fn pending(&self) -> Expr {
        Expr::all([self.guard.clone(), self.changes_later.clone()])
    }
}

impl<'a> Plan<'a> {
    /// For a target that counts time in steps.
    pub(super) fn discrete(
        dfrs: &'a Dfrs,
        semantics: Semantics,
        target: &'static str,
    ) -> Result<Plan<'a>, Refusal> {
        match semantics.clock {
            Clock::Discrete => Plan::of(dfrs, semantics),
            Clock::Dense => Err(Refusal::DenseTime { target }),
        }
    }

    pub(super) fn of(dfrs: &'a Dfrs, semantics: Semantics) -> Result<Plan<'a>, Refusal> {
        let machine = compile(dfrs, semantics).map_err(Refusal::Infinite)?;
        let mut plan = Plan {
            dfrs,
            semantics,
            units: machine.units,
            signals: Vec::new(),
            timers: Vec::new(),
            rules: Vec::new(),
            nevers: Vec::new(),
        };
        for slot in &machine.variables {
            let classes: Vec<Value> =
                (0..slot.classes.count()).map(|class| slot.classes.value(class as u16)).collect();
            plan.signals.push(signal(dfrs, slot.variable, &classes)?);
        }
        for ticker in &machine.timers {
            plan.timers.push(Timer { variable: ticker.variable, bounds: Vec::new() });
        }
        for (number, entry) in step::entries(dfrs).enumerate() {
            let rule = plan.rule(number, entry)?;
            plan.rules.push(rule);
        }
        for restriction in &dfrs.restrictions {
            let all: Result<Vec<Expr>, Refusal> =
                restriction.never.iter().map(|condition| plan.condition(condition)).collect();
            plan.nevers.push(Expr::all(all?));
        }
        let mut bounds: Vec<(usize, i64)> = Vec::new();
        for rule in &plan.rules {
            rule.timed.bounds(&mut bounds);
            rule.changes.bounds(&mut bounds);
            bounds.extend(rule.due.map(|due| (due.timer, due.age)));
        }
        bounds.sort_unstable();
        bounds.dedup();
        for (timer, bound) in bounds {
            plan.timers[timer].bounds.push(bound);
        }
        Ok(plan)
    }

    /// The name of a signal in the requirements.
    pub(super) fn name(&self, signal: usize) -> &'a str {
        &self.dfrs.variables[self.signals[signal].variable].name
    }

    /// The name of a timer in the requirements.
    pub(super) fn timer_name(&self, timer: usize) -> &'a str {
        &self.dfrs.variables[self.timers[timer].variable].name
    }

    /// The inputs, as indices of signals.
    pub(super) fn inputs(&self) -> Vec<usize> {
        (0..self.signals.len()).filter(|&signal| self.signals[signal].input).collect()
    }

    /// The rules that have a deadline.
    pub(super) fn deadlines(&self) -> impl Iterator<Item = (usize, Due)> + '_ {
        self.rules.iter().enumerate().filter_map(|(number, rule)| Some((number, rule.due?)))
    }

    /// Whether the previous value of every signal is stored when a delay begins; otherwise only that of inputs, when it ends.
    pub(super) fn latches(&self) -> bool {
        self.semantics.reading == Reading::Synchronous
    }

    fn rule(&self, number: usize, entry: &Entry) -> Result<Rule, Refusal> {
        let mut clauses = Vec::new();
        for any in &entry.guard {
            let any: Result<Vec<Expr>, Refusal> =
                any.iter().map(|condition| self.condition(condition)).collect();
            clauses.push(Expr::any(any?));
        }
        let mut timed = Vec::new();
        for any in &entry.timed {
            let any: Result<Vec<Expr>, Refusal> = any.iter().map(|it| self.timed(it)).collect();
            timed.push(Expr::any(any?));
        }
        let timed = Expr::all(timed);
        let (mut writes, mut resets) = (Vec::new(), Vec::new());
        for assignment in &entry.effect {
            match &assignment.effect {
                Effect::Reset => resets.push(self.timer_of(assignment.variable)?),
                Effect::Assign(operand) => {
                    let signal = self.signal_of(assignment.variable)?;
                    writes.push((signal, self.term(signal, operand)?));
                }
            }
        }
        let literal = self.semantics.reading == Reading::Literal;
        let mut moves: Vec<Expr> = Vec::new();
        for (signal, term) in &writes {
            moves.push(Expr::Value(Now, *signal, Rel::Ne, term.clone()));
            if literal {
                moves.push(Expr::Value(Before, *signal, Rel::Ne, Term::Signal(Now, *signal)));
            }
        }
        let resets_count = self.semantics.reading != Reading::Synchronous || writes.is_empty();
        let runs = |timer: &usize| Expr::Age(*timer, Rel::Ne, 0);
        let changes = if resets_count {
            Expr::any(moves.iter().cloned().chain(resets.iter().map(runs)))
        } else {
            Expr::any(moves.iter().cloned())
        };
        let changes_later =
            if resets_count && !resets.is_empty() { Expr::Truth(true) } else { Expr::any(moves) };
        let due = self.due(entry.requirement, &timed)?;
        let siblings = step::entries(self.dfrs).filter(|other| other.requirement == entry.requirement);
        let before = step::entries(self.dfrs).take(number);
        let place = before.filter(|other| other.requirement == entry.requirement).count();
        let id = self.dfrs.requirements.get(entry.requirement).map_or("REQ", |origin| origin.id.as_str());
        let id = if siblings.count() > 1 { format!("{id}_{}", place + 1) } else { id.to_owned() };
        let (guard, requirement) = (Expr::all(clauses), entry.requirement);
        Ok(Rule { id, requirement, guard, timed, changes, changes_later, writes, resets, due })
    }

    fn condition(&self, condition: &Condition) -> Result<Expr, Refusal> {
        let signal = self.signal_of(condition.variable)?;
        let term = match &condition.operand {
            // A number between the values can be compared, although it is not a value.
            Operand::Constant(Value::Num(number)) => match &self.signals[signal].domain {
                Domain::Numbers(_, scale) => Term::Constant(whole(number, *scale, condition.variable)?),
                Domain::Bool | Domain::Names(_) => {
                    return Err(Refusal::UnknownValue { variable: condition.variable });
                }
            },
            operand => self.term(signal, operand)?,
        };
        Ok(Expr::Value(condition.moment, signal, condition.relation, term))
    }

    fn term(&self, signal: usize, operand: &Operand) -> Result<Term, Refusal> {
        let Signal { variable, domain, .. } = &self.signals[signal];
        match operand {
            Operand::Constant(value) => number(domain, *variable, value).map(Term::Constant),
            Operand::Variable(moment, other) => {
                let other = self.signal_of(*other)?;
                if self.signals[other].domain != *domain {
                    let right = self.signals[other].variable;
                    return Err(Refusal::DifferentNames { left: *variable, right });
                }
                Ok(Term::Signal(*moment, other))
            }
            Operand::Sum(..) => {
                Err(Refusal::Infinite(::dfrs::machine::Infinite::Arithmetic { variable: *variable }))
            }
        }
    }

    fn timed(&self, timed: &Timed) -> Result<Expr, Refusal> {
        let timer = self.timer_of(timed.timer)?;
        let is_whole = timed.bound.is_int();
        let floor = || RBig::from(timed.bound.floor());
        let (relation, bound) = match (self.semantics.clock, timed.relation) {
            (Clock::Dense, relation) => (relation, &timed.bound * RBig::from(self.units)),
            (Clock::Discrete, relation) if is_whole => (relation, timed.bound.clone()),
            (Clock::Discrete, Rel::Eq) => return Ok(Expr::Truth(false)),
            (Clock::Discrete, Rel::Ne) => return Ok(Expr::Truth(true)),
            (Clock::Discrete, Rel::Lt | Rel::Le) => (Rel::Le, floor()),
            (Clock::Discrete, Rel::Gt | Rel::Ge) => (Rel::Gt, floor()),
        };
        if bound < RBig::ZERO {
            return Ok(Expr::Truth(relation.holds(&0, &-1)));
        }
        Ok(Expr::Age(timer, relation, whole(&bound, 1, timed.timer)?))
    }

    /// The last age at which a guard on one timer holds, if there is one.
    fn due(&self, requirement: usize, timed: &Expr) -> Result<Option<Due>, Refusal> {
        let mut bounds = Vec::new();
        timed.bounds(&mut bounds);
        bounds.sort_unstable();
        bounds.dedup();
        let Some(&(timer, _)) = bounds.first() else { return Ok(None) };
        let most = bounds.iter().map(|(_, bound)| *bound).max().unwrap_or(0);
        if timed.holds_at(&|_| 2 * most + 2) {
            return Ok(None);
        }
        if bounds.iter().any(|(other, _)| *other != timer) {
            return Err(Refusal::SeveralTimers { requirement });
        }
        for (place, &(_, bound)) in bounds.iter().enumerate().rev() {
            let below = place.checked_sub(1).map_or(0, |place| bounds[place].1);
            let (age, included) = match self.semantics.clock {
                _ if timed.holds_at(&|_| 2 * bound) => (bound, true),
                Clock::Dense if bound > 0 && timed.holds_at(&|_| below + bound) => (bound, false),
                Clock::Discrete if bound - 1 > below && timed.holds_at(&|_| 2 * (bound - 1)) => {
                    (bound - 1, true)
                }
                Clock::Dense | Clock::Discrete => continue,
            };
            return Ok((age > 0).then_some(Due { timer, age, included }));
        }
        Ok(None)
    }

    fn signal_of(&self, variable: usize) -> Result<usize, Refusal> {
        let found = self.signals.iter().position(|it| it.variable == variable);
        found.ok_or(Refusal::UnknownValue { variable })
    }

    fn timer_of(&self, variable: usize) -> Result<usize, Refusal> {
        let found = self.timers.iter().position(|it| it.variable == variable);
        found.ok_or(Refusal::UnknownValue { variable })
    }
}

fn signal(dfrs: &Dfrs, variable: usize, classes: &[Value]) -> Result<Signal, Refusal> {
    let it = &dfrs.variables[variable];
    let input = it.kind == Kind::Input;
    let domain = match &it.sort {
        Sort::Bool { .. } => Domain::Bool,
        Sort::Names(names) => Domain::Names(names.clone()),
        Sort::Int | Sort::Real => {
            let assigned: Vec<Value> = step::entries(dfrs)
                .flat_map(|entry| &entry.effect)
                .filter(|assignment| assignment.variable == variable)
                .filter_map(|assignment| match &assignment.effect {
                    Effect::Assign(Operand::Constant(value)) => Some(value.clone()),
                    Effect::Assign(Operand::Variable(..) | Operand::Sum(..)) | Effect::Reset => None,
                })
                .collect();
            let kept = if input { classes } else { &assigned };
            let numbers: Vec<&RBig> = kept.iter().chain([&it.initial]).filter_map(number_in).collect();
            let guards = step::entries(dfrs).flat_map(|entry| entry.guard.iter().flatten());
            let conditions = guards.chain(dfrs.restrictions.iter().flat_map(|it| &it.never));
            let compared =
                conditions.filter(|it| it.variable == variable).filter_map(|it| match &it.operand {
                    Operand::Constant(value) => number_in(value),
                    Operand::Variable(..) | Operand::Sum(..) => None,
                });
            let scale = numbers.iter().copied().chain(compared).try_fold(1_i64, |scale, number| {
                let part = i64::try_from(number.denominator().clone()).ok()?;
                (scale / gcd(scale, part)).checked_mul(part).filter(|&scale| scale < 1 << 20)
            });
            let scale = scale.ok_or(Refusal::TooLarge { variable })?;
            let values: Result<Vec<i64>, Refusal> =
                numbers.into_iter().map(|number| whole(number, scale, variable)).collect();
            let mut values = values?;
            values.sort_unstable();
            values.dedup();
            Domain::Numbers(values, scale)
        }
    };
    let initial = number(&domain, variable, &it.initial)?;
    Ok(Signal { variable, input, domain, initial })
}

fn number_in(value: &Value) -> Option<&RBig> {
    match value {
        Value::Num(number) => Some(number),
        Value::Bool(_) | Value::Name(_) => None,
    }
}

/// A value as a number of its domain.
fn number(domain: &Domain, variable: usize, value: &Value) -> Result<i64, Refusal> {
    let found = match (domain, value) {
        (Domain::Bool, Value::Bool(truth)) => Some(i64::from(*truth)),
        (Domain::Names(names), Value::Name(name)) => {
            names.iter().position(|known| known == name).map(|place| place as i64)
        }
        (Domain::Numbers(values, scale), Value::Num(number)) => {
            Some(whole(number, *scale, variable)?).filter(|number| values.contains(number))
        }
        (Domain::Bool | Domain::Names(_) | Domain::Numbers(..), _) => None,
    };
    found.ok_or(Refusal::UnknownValue { variable })
}

fn whole(number: &RBig, scale: i64, variable: usize) -> Result<i64, Refusal> {
    let scaled = number * RBig::from(scale);
    let small = i64::try_from(scaled.floor()).ok().filter(|it| scaled.is_int() && it.abs() < 1 << 30);
    small.ok_or(Refusal::TooLarge { variable })
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
