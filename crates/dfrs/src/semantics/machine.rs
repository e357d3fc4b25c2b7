//! A system compiled for speed: every value is the number of its class, and every guard a few bit tests.
//!
//! A state is a row of slots: the current values, the previous values, and the class of each timer's age. A reset sets
//! its slot to zero, the class of age zero. Systems that compare or assign numbers of variables to each other do not have finitely many classes:
//! [`compile`] says so, and [`crate::step`] still runs them.

use crate::classes::{Ages, Class, ClassSet, Classes, MAX_CLASSES};
use crate::reading::{Clock, Reading, Semantics};
use crate::step;
use crate::system::{Condition, Dfrs, Effect, Entry, Kind, Moment, Operand, Timed};
use logic::{RBig, Rel, Value};

/// A compiled system.
#[derive(Debug, Clone)]
pub struct Machine<'a> {
    /// What it was compiled from.
    pub dfrs: &'a Dfrs,
    /// How it is read.
    pub semantics: Semantics,
    /// The inputs and outputs; their place is their current slot.
    pub variables: Vec<Slot>,
    /// The timers; their slots come after the previous values.
    pub timers: Vec<Ticker>,
    /// The entries of all functions.
    pub rules: Vec<Rule>,
    /// What the environment never does.
    pub restrictions: Vec<Vec<Test>>,
    /// Units per time unit of the requirements.
    pub units: i64,
}

/// An input or output.
#[derive(Debug, Clone)]
pub struct Slot {
    /// Its number in the system.
    pub variable: usize,
    /// Whether the environment writes it.
    pub input: bool,
    /// Its values.
    pub classes: Classes,
}

/// A timer.
#[derive(Debug, Clone)]
pub struct Ticker {
    /// Its number in the system.
    pub variable: usize,
    /// The classes of its age.
    pub ages: Ages,
}

/// A compiled entry.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The number of the requirement.
    pub requirement: usize,
    /// All of these, and
    pub all: Vec<Test>,
    /// of each of these any.
    pub any: Vec<Vec<Test>>,
    /// Current slots that get a value.
    pub writes: Vec<(usize, Write)>,
    /// Slots of timers that are reset.
    pub resets: Vec<usize>,
    /// When it is enabled, as far as timers go: one of these boxes; only if some box has no end in every timer, this is empty.
    pub windows: Vec<Window>,
}

/// For each timer, the first and the last class of a range.
pub type Window = Vec<(Class, Class)>;

/// A test of slots.
#[derive(Debug, Clone)]
pub enum Test {
    /// The class is one of these.
    In(usize, ClassSet),
    /// The two slots have values that are equal, or not; the table gives the class in the first for each in the second.
    Same(usize, usize, Vec<Class>, bool),
}

/// What is written into a slot.
#[derive(Debug, Clone)]
pub enum Write {
    /// A class.
    Class(Class),
    /// The value of another slot, through a table.
    Copy(usize, Vec<Class>),
}

/// Why a system cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Infinite {
    /// A requirement compares a number with another variable, or computes one.
    Arithmetic {
        /// The number of the variable.
        variable: usize,
    },
    /// A variable has more values than fit.
    TooManyValues {
        /// The number of the variable.
        variable: usize,
    },
    /// A bound of time is too large or too fine.
    Bound {
        /// The number of the timer.
        variable: usize,
    },
}

impl Infinite {
    /// The reason in words.
    pub fn reason(&self, dfrs: &Dfrs) -> String {
        let name = |variable: &usize| dfrs.variables.get(*variable).map_or("", |it| it.name.as_str());
        match self {
            Infinite::Arithmetic { variable } => {
                format!("`{}` is compared with or computed from other variables", name(variable))
            }
            Infinite::TooManyValues { variable } => {
                format!("`{}` has more than {MAX_CLASSES} values to tell apart", name(variable))
            }
            Infinite::Bound { variable } => {
                format!("a bound on `{}` is too large or too fine", name(variable))
            }
        }
    }
}

impl Machine<'_> {
    /// The number of slots of a state.
    pub fn width(&self) -> usize {
        2 * self.variables.len() + self.timers.len()
    }

    /// The slot of a variable's current value, or of a timer.
    pub fn slot(&self, variable: usize) -> Option<usize> {
        let timer = || self.timers.iter().position(|it| it.variable == variable);
        let value = self.variables.iter().position(|it| it.variable == variable);
        value.or_else(|| timer().map(|place| 2 * self.variables.len() + place))
    }

    /// The slot of the first timer.
    pub fn first_timer(&self) -> usize {
        2 * self.variables.len()
    }

    /// The state at the start.
    pub fn initial(&self) -> Vec<Class> {
        let values = self
            .variables
            .iter()
            .map(|it| it.classes.class_of(&self.dfrs.variables[it.variable].initial).unwrap_or_default());
        let now: Vec<Class> = values.collect();
        [now.clone(), now, vec![0; self.timers.len()]].concat()
    }

    /// Whether the guards of a rule hold.
    pub fn holds(&self, rule: &Rule, slots: &[Class]) -> bool {
        rule.all.iter().all(|test| test.holds(slots))
            && rule.any.iter().all(|any| any.iter().any(|test| test.holds(slots)))
    }

    /// Whether the guards of a rule hold, but for what they say about timers.
    pub fn holds_untimed(&self, rule: &Rule, slots: &[Class]) -> bool {
        let timers = self.first_timer();
        let holds = |test: &Test| test.slot() >= timers || test.holds(slots);
        rule.all.iter().all(holds) && rule.any.iter().all(|any| any.iter().any(holds))
    }

    /// Whether a rule would do something that counts.
    pub fn changes(&self, rule: &Rule, slots: &[Class]) -> bool {
        self.moves(rule, slots) || self.resets_count(rule) && rule.resets.iter().any(|&slot| slots[slot] != 0)
    }

    fn moves(&self, rule: &Rule, slots: &[Class]) -> bool {
        let old = self.variables.len();
        let literal = self.semantics.reading == Reading::Literal;
        rule.writes.iter().any(|(slot, write)| {
            slots[*slot] != write.class(slots) || literal && slots[*slot] != slots[old + slot]
        })
    }

    fn resets_count(&self, rule: &Rule) -> bool {
        self.semantics.reading != Reading::Synchronous || rule.writes.is_empty()
    }

    /// Does what a rule says.
    pub fn fire(&self, rule: &Rule, slots: &mut [Class]) {
        let copies = rule.writes.iter().any(|(_, write)| matches!(write, Write::Copy(..)));
        // All at the same time: what is copied is read before anything is written.
        let read: Vec<Class> = if copies {
            rule.writes.iter().map(|(_, write)| write.class(slots)).collect()
        } else {
            Vec::new()
        };
        for (place, (slot, write)) in rule.writes.iter().enumerate() {
            let class = read.get(place).copied().unwrap_or_else(|| write.class(slots));
            if self.semantics.reading != Reading::Synchronous {
                slots[self.variables.len() + slot] = slots[*slot];
            }
            slots[*slot] = class;
        }
        for &slot in &rule.resets {
            slots[slot] = 0;
        }
    }

    /// The previous values as they are once a delay has begun; the inputs keep their values.
    pub fn wait(&self, slots: &mut [Class]) {
        let all = self.semantics.reading == Reading::Synchronous;
        for (place, variable) in self.variables.iter().enumerate() {
            if all || variable.input {
                slots[self.variables.len() + place] = slots[place];
            }
        }
    }

    /// Whether a rule has to react at some time, if only time passed, as far as the values in these slots say.
    pub fn waits(&self, rule: &Rule, slots: &[Class]) -> bool {
        !rule.windows.is_empty()
            && self.holds_untimed(rule, slots)
            && (self.moves(rule, slots) || self.resets_count(rule) && !rule.resets.is_empty())
    }

    /// The rules that have to react at some time, if only time passed from a stable state on.
    pub fn pending<'m>(&'m self, slots: &[Class]) -> impl Iterator<Item = &'m Rule> {
        let mut later = slots.to_vec();
        if self.semantics.reading == Reading::Synchronous {
            self.wait(&mut later);
        }
        self.rules.iter().filter(move |rule| self.waits(rule, &later))
    }

    /// The last delay after which the windows of a rule are open, and whether it is reached, in units of which `finer` make one.
    pub fn last_delay(&self, rule: &Rule, finer: i64, ages: impl Fn(usize) -> i64) -> Option<(i64, bool)> {
        let mut last: Option<i64> = None;
        for window in &rule.windows {
            // Twice the delay, and one more or less for a bound that is not reached.
            let (mut low, mut high) = (1, i64::MAX);
            for (timer, &(first, end)) in window.iter().enumerate() {
                let classes = &self.timers[timer].ages;
                let twice =
                    |start: i64| start.saturating_mul(finer).saturating_sub(ages(timer)).saturating_mul(2);
                let (start, included) = classes.start(first);
                low = low.max(twice(start).saturating_add(i64::from(!included)));
                if let Some((start, included)) = classes.end(end) {
                    high = high.min(twice(start).saturating_sub(i64::from(included)));
                }
            }
            if low <= high {
                last = last.max(Some(high));
            }
        }
        last.map(|high| match (self.semantics.clock, high % 2 == 0) {
            (_, true) => (high / 2, true),
            (Clock::Dense, false) => (high / 2 + 1, false),
            (Clock::Discrete, false) => (high / 2 + 1 - finer, true),
        })
    }

    /// The number of combinations of inputs.
    pub fn combinations(&self) -> usize {
        let sizes = self.variables.iter().filter(|it| it.input).map(|it| it.classes.count());
        sizes.fold(1, usize::saturating_mul)
    }

    /// Sets the inputs to a combination, and counts those that change.
    pub fn choose(&self, before: &[Class], slots: &mut [Class], mut combination: usize) -> usize {
        let mut changed = 0;
        for (place, variable) in self.variables.iter().enumerate().filter(|(_, it)| it.input) {
            let size = variable.classes.count();
            slots[place] = (combination % size) as Class;
            combination /= size;
            changed += usize::from(slots[place] != before[place]);
        }
        changed
    }

    /// Whether the environment never does this.
    pub fn forbidden(&self, slots: &[Class]) -> bool {
        self.restrictions.iter().any(|never| never.iter().all(|test| test.holds(slots)))
    }
}

impl Test {
    /// Whether a state passes.
    #[inline]
    pub fn holds(&self, slots: &[Class]) -> bool {
        match self {
            Test::In(slot, set) => set >> (slots[*slot] & 127) & 1 == 1,
            Test::Same(left, right, table, equal) => {
                (table.get(usize::from(slots[*right])) == Some(&slots[*left])) == *equal
            }
        }
    }

    /// The slot that it tests.
    pub fn slot(&self) -> usize {
        match self {
            Test::In(slot, _) | Test::Same(slot, ..) => *slot,
        }
    }
}

impl Write {
    /// Whether both always write the same.
    pub(crate) fn surely_equals(&self, other: &Write) -> bool {
        match (self, other) {
            (Write::Class(mine), Write::Class(its)) => mine == its,
            (Write::Class(_) | Write::Copy(..), _) => false,
        }
    }

    #[inline]
    pub(crate) fn class(&self, slots: &[Class]) -> Class {
        match self {
            Write::Class(class) => *class,
            Write::Copy(slot, table) => table.get(usize::from(slots[*slot])).copied().unwrap_or_default(),
        }
    }
}

pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

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
                if classes.count() >= MAX_CLASSES {
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
                if ages.count() >= MAX_CLASSES {
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
        let table = (0..=there.count() as Class)
            .map(|class| here.class_of(&there.value(class)).unwrap_or(here.count() as Class))
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
        let last: Vec<Class> = self.timers.iter().map(|it| it.ages.count() as Class - 1).collect();
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
