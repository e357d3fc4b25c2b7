//! Compiling a system: which values are told apart, and what each entry tests and writes.
//!
//! Fails only where there are not finitely many classes, or more than a machine word holds.

use crate::classes::{Ages, Class, ClassSet, Classes, MAX_CLASSES};
use crate::machine::{Infinite, Machine, Rule, Slot, Test, Ticker, Window, Write, gcd};
use crate::reading::{Clock, Semantics};
use crate::step;
use crate::system::{Condition, Dfrs, Effect, Entry, Kind, Moment, Operand, Timed};
use logic::{RBig, Rel, Value};

/// Compiles a system.
pub fn compile(dfrs: &Dfrs, semantics: Semantics) -> Result<Machine<'_>, Infinite> {
    let mut machine = Machine {
        dfrs,
        semantics,
        variables: Vec::new(),
        timers: Vec::new(),
        rules: Vec::new(),
        restrictions: Vec::new(),
        units: units(dfrs, semantics.clock)?,
    };
    for (variable, it) in dfrs.variables.iter().enumerate() {
        match it.kind {
            Kind::Input | Kind::Output => {
                let (compared, assigned) = literals(dfrs, variable)?;
                let classes = Classes::split(&it.sort, &compared, &assigned, &it.initial);
                if classes.len() >= MAX_CLASSES {
                    return Err(Infinite::TooManyValues { variable });
                }
                machine.variables.push(Slot { variable, input: it.kind == Kind::Input, classes });
            }
            Kind::Timer => {
                let bounds = step::entries(dfrs).flat_map(|entry| entry.timed.iter().flatten());
                let mut compared = Vec::new();
                for timed in bounds.filter(|timed| timed.timer == variable) {
                    if let Bound::Compare(relation, bound) = machine.bound(timed)? {
                        compared.push((relation, bound));
                    }
                }
                let ages = Ages::split(semantics.clock, &compared);
                if ages.len() >= MAX_CLASSES {
                    return Err(Infinite::TooManyValues { variable });
                }
                machine.timers.push(Ticker { variable, ages });
            }
        }
    }
    machine.rules = step::entries(dfrs).map(|entry| machine.rule(entry)).collect::<Result<_, _>>()?;
    machine.restrictions = dfrs
        .restrictions
        .iter()
        .map(|it| it.never.iter().map(|condition| machine.test(condition)).collect())
        .collect::<Result<_, _>>()?;
    Ok(machine)
}

/// A timed condition in units.
enum Bound {
    Always,
    Never,
    Compare(Rel, i64),
}

impl Machine<'_> {
    fn rule(&self, entry: &Entry) -> Result<Rule, Infinite> {
        let mut clauses: Vec<Vec<Test>> = Vec::new();
        for any in &entry.guard {
            clauses.push(any.iter().map(|condition| self.test(condition)).collect::<Result<_, _>>()?);
        }
        let mut timed = Vec::new();
        for any in &entry.timed {
            timed.push(any.iter().map(|it| self.timed(it)).collect::<Result<Vec<Test>, _>>()?);
        }
        let windows = self.windows(&timed);
        clauses.extend(timed);
        let (all, any): (Vec<_>, Vec<_>) = clauses.into_iter().partition(|clause| clause.len() == 1);
        let mut rule = Rule {
            requirement: entry.requirement,
            all: all.into_iter().flatten().collect(),
            any,
            writes: Vec::new(),
            resets: Vec::new(),
            windows,
        };
        for assignment in &entry.effect {
            let Some(slot) = self.slot(assignment.variable) else { continue };
            match &assignment.effect {
                Effect::Reset => rule.resets.push(slot),
                Effect::Assign(operand) => {
                    rule.writes.push((slot, self.write(assignment.variable, slot, operand)?));
                }
            }
        }
        Ok(rule)
    }

    fn write(&self, variable: usize, slot: usize, operand: &Operand) -> Result<Write, Infinite> {
        match operand {
            Operand::Constant(value) => {
                let class = self.variables[slot].classes.class_of(value);
                class.map(Write::Class).ok_or(Infinite::Arithmetic { variable })
            }
            Operand::Variable(moment, other) => {
                let (from, table) = self.table(slot, *moment, *other, variable)?;
                Ok(Write::Copy(from, table))
            }
            Operand::Sum(..) => Err(Infinite::Arithmetic { variable }),
        }
    }

    fn test(&self, condition: &Condition) -> Result<Test, Infinite> {
        let variable = condition.variable;
        let slot = self.slot(variable).ok_or(Infinite::Arithmetic { variable })?;
        let place = self.at(condition.moment, slot);
        match &condition.operand {
            Operand::Constant(value) => {
                Ok(Test::In(place, self.variables[slot].classes.matching(condition.relation, value)))
            }
            Operand::Variable(moment, other) => {
                let (from, table) = self.table(slot, *moment, *other, variable)?;
                Ok(Test::Same(place, from, table, condition.relation == Rel::Eq))
            }
            Operand::Sum(..) => Err(Infinite::Arithmetic { variable }),
        }
    }

    fn at(&self, moment: Moment, slot: usize) -> usize {
        match moment {
            Moment::Now => slot,
            Moment::Before => self.variables.len() + slot,
        }
    }

    /// For each class of another variable, the class of the same value here: only values that are classes of their own have one.
    fn table(
        &self,
        slot: usize,
        moment: Moment,
        other: usize,
        variable: usize,
    ) -> Result<(usize, Vec<Class>), Infinite> {
        let from = self.slot(other).filter(|&it| it < self.variables.len());
        let from = from.ok_or(Infinite::Arithmetic { variable })?;
        let (here, there) = (&self.variables[slot].classes, &self.variables[from].classes);
        if matches!(here, Classes::Numbers(_)) || matches!(there, Classes::Numbers(_)) {
            return Err(Infinite::Arithmetic { variable });
        }
        let table = (0..=there.len() as Class)
            .map(|class| here.class_of(&there.value(class)).unwrap_or(here.len() as Class))
            .collect();
        Ok((self.at(moment, from), table))
    }

    fn bound(&self, timed: &Timed) -> Result<Bound, Infinite> {
        let whole = timed.bound.is_int();
        let (relation, bound) = match (self.semantics.clock, timed.relation) {
            (Clock::Discrete, Rel::Eq) if !whole => return Ok(Bound::Never),
            (Clock::Discrete, Rel::Ne) if !whole => return Ok(Bound::Always),
            (Clock::Discrete, Rel::Lt) if !whole => (Rel::Le, RBig::from(timed.bound.floor())),
            (Clock::Discrete, Rel::Ge) if !whole => (Rel::Gt, RBig::from(timed.bound.floor())),
            (Clock::Discrete, relation) => (relation, RBig::from(timed.bound.floor())),
            (Clock::Dense, relation) => (relation, &timed.bound * RBig::from(self.units)),
        };
        let small = i64::try_from(bound.floor()).ok().filter(|bound| bound.abs() < 1 << 40);
        small.map(|bound| Bound::Compare(relation, bound)).ok_or(Infinite::Bound { variable: timed.timer })
    }

    fn timed(&self, timed: &Timed) -> Result<Test, Infinite> {
        let variable = timed.timer;
        let place = self.timers.iter().position(|it| it.variable == variable);
        let place = place.ok_or(Infinite::Arithmetic { variable })?;
        let set = match self.bound(timed)? {
            Bound::Always => ClassSet::MAX,
            Bound::Never => 0,
            Bound::Compare(relation, bound) => self.timers[place].ages.matching(relation, bound),
        };
        Ok(Test::In(self.first_timer() + place, set))
    }

    /// The boxes of a timed guard, if each of them ends.
    fn windows(&self, timed: &[Vec<Test>]) -> Vec<Window> {
        let last: Vec<Class> = self.timers.iter().map(|it| it.ages.len() as Class - 1).collect();
        let mut windows: Vec<Window> = vec![last.iter().map(|&last| (0, last)).collect()];
        for clause in timed {
            let mut cut = Vec::new();
            for window in &windows {
                for test in clause {
                    let Test::In(slot, set) = test else { continue };
                    let timer = slot - self.first_timer();
                    for (low, high) in runs(*set, last[timer]) {
                        let (from, to) = window[timer];
                        if low.max(from) <= high.min(to) {
                            let mut part = window.clone();
                            part[timer] = (low.max(from), high.min(to));
                            if !cut.contains(&part) {
                                cut.push(part);
                            }
                        }
                    }
                }
            }
            windows = cut;
        }
        let endless = |window: &Window| window.iter().zip(&last).all(|((_, high), last)| high == last);
        if windows.iter().any(endless) { Vec::new() } else { windows }
    }
}

/// The runs of neighbours in a set.
fn runs(set: ClassSet, last: Class) -> Vec<(Class, Class)> {
    let mut runs: Vec<(Class, Class)> = Vec::new();
    for class in (0..=last).filter(|class| set >> class & 1 == 1) {
        match runs.last_mut() {
            Some(run) if run.1 + 1 == class => run.1 = class,
            Some(_) | None => runs.push((class, class)),
        }
    }
    runs
}

/// A number of units in which every bound is whole.
fn units(dfrs: &Dfrs, clock: Clock) -> Result<i64, Infinite> {
    let mut units: i64 = 1;
    for timed in step::entries(dfrs).flat_map(|entry| entry.timed.iter().flatten()) {
        if clock == Clock::Dense {
            let variable = timed.timer;
            let part = i64::try_from(timed.bound.denominator().clone()).ok();
            let common = part.and_then(|part| (units / gcd(units, part)).checked_mul(part));
            units = common.filter(|&it| it < 1 << 20).ok_or(Infinite::Bound { variable })?;
        }
    }
    Ok(units)
}

type Literals = (Vec<(Rel, RBig)>, Vec<RBig>);

/// The numbers that a variable is compared with, and those it gets.
fn literals(dfrs: &Dfrs, variable: usize) -> Result<Literals, Infinite> {
    let (mut compared, mut assigned): Literals = Default::default();
    let guards = step::entries(dfrs).flat_map(|entry| entry.guard.iter().flatten());
    for condition in guards.chain(dfrs.restrictions.iter().flat_map(|it| &it.never)) {
        if condition.variable == variable
            && let Operand::Constant(Value::Num(number)) = &condition.operand
        {
            compared.push((condition.relation, number.clone()));
        }
    }
    for assignment in step::entries(dfrs).flat_map(|entry| &entry.effect) {
        if assignment.variable == variable
            && let Effect::Assign(Operand::Constant(Value::Num(number))) = &assignment.effect
        {
            assigned.push(number.clone());
        }
    }
    Ok((compared, assigned))
}
