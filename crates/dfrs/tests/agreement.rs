//! The search over classes and zones finds exactly what a search over all small numbers finds, unit by unit, on a thousand random systems.
//!
//! The oracle below shares no code with the library but the model. Dense time is compared with
//! discrete time in small units; and every scenario has to run.

mod support;

use base::Random;
use logic::{RBig, Rel, Value};
use shall_dfrs::explore::{Budget, Environment, explore};
use shall_dfrs::{Clock, Dfrs, Effect, Kind, Moment, Operand, Reading, Semantics, Sort, compile};
use std::collections::{BTreeSet, HashSet};
use support::system;

const CAP: i64 = 5;

/// A random system with up to two inputs, two outputs and two timers.
fn random(random: &mut Random) -> Dfrs {
    let inputs: Vec<&str> = match random.below(3) {
        0 => vec!["a"],
        1 => vec!["n"],
        _ => vec!["a", "n"],
    };
    let outputs: &[&str] = if random.below(2) == 0 { &["x"] } else { &["x", "y"] };
    let timers: &[&str] = [&[][..], &["s"], &["s"], &["s", "t"]][random.below(4) as usize];
    let mut lines: Vec<String> = Vec::new();
    for name in inputs.iter().chain(outputs) {
        lines.push(
            match *name {
                "a" => "in a: bool = false",
                "n" => "in n: int = 1",
                "x" => "out x: p, q, r = p",
                _ => "out y: bool = false",
            }
            .to_owned(),
        );
    }
    lines.extend(timers.iter().map(|timer| format!("timer {timer}")));
    lines.push("component c".to_owned());
    let atom = |random: &mut Random| {
        let all: Vec<&str> = inputs.iter().chain(outputs).copied().collect();
        let name = random.pick(&all);
        let was = random.pick(&["", "", "was "]);
        let equal = random.pick(&["=", "=", "!="]);
        match name {
            "n" => format!("{was}n {} {}", random.pick(&["<", "<=", ">", ">=", "=", "!="]), random.below(3)),
            "x" => format!("{was}x {equal} {}", random.pick(&["p", "q", "r"])),
            _ => format!("{was}{name} {equal} {}", random.pick(&["true", "false"])),
        }
    };
    let timed = |random: &mut Random| {
        let relation = random.pick(&["<", "<=", ">", ">=", "=", "!=", "<=", ">="]);
        format!("{} {relation} {}", random.pick(timers), 1 + random.below(3))
    };
    for number in 0..1 + random.below(4) {
        let mut clauses: Vec<String> = Vec::new();
        for _ in 0..1 + random.below(2) {
            let clause = atom(random);
            clauses.push(if random.below(4) == 0 { format!("{clause} | {}", atom(random)) } else { clause });
        }
        for _ in 0..if timers.is_empty() { 0 } else { random.below(3) } {
            let clause = timed(random);
            clauses.push(if random.below(5) == 0 { format!("{clause} | {}", timed(random)) } else { clause });
        }
        let mut effects: Vec<String> = Vec::new();
        for name in outputs.iter().chain(timers) {
            if random.below(2) == 0 || effects.is_empty() && name == outputs.last().expect("an output") {
                effects.push(match *name {
                    "x" => format!("x := {}", random.pick(&["p", "q", "r"])),
                    "y" => format!("y := {}", random.pick(&["true", "false"])),
                    timer => format!("reset {timer}"),
                });
            }
        }
        lines.push(format!("R{number}: {} => {}", clauses.join(" & "), effects.join("; ")));
    }
    system(&lines.join("\n"))
}

/// The same system, with each unit of time split into several.
fn finer(dfrs: &Dfrs, units: i64) -> Dfrs {
    let mut finer = dfrs.clone();
    let entries = finer.functions.iter_mut().flat_map(|it| &mut it.entries);
    for timed in entries.flat_map(|it| it.timed.iter_mut().flatten()) {
        timed.bound = &timed.bound * RBig::from(units);
    }
    finer
}

/// A state of the oracle: values before and now; for timers the age.
type Row = (Vec<i64>, Vec<i64>);

struct Oracle<'a> {
    dfrs: &'a Dfrs,
    reading: Reading,
    entries: Vec<&'a shall_dfrs::Entry>,
}

fn small(sort: &Sort, value: &Value) -> i64 {
    match (sort, value) {
        (Sort::Names(names), Value::Name(name)) => {
            names.iter().position(|it| it == name).expect("known") as i64
        }
        (_, Value::Num(number)) => i64::try_from(number.floor()).expect("small"),
        (_, Value::Bool(truth)) => i64::from(*truth),
        (_, Value::Name(_)) => unreachable!("a name of no sort"),
    }
}

fn big(sort: &Sort, value: i64) -> Value {
    match sort {
        Sort::Bool { .. } => Value::Bool(value != 0),
        Sort::Int | Sort::Real => Value::Num(RBig::from(value)),
        Sort::Names(names) => {
            let name = usize::try_from(value).ok().and_then(|place| names.get(place));
            Value::Name(name.cloned().unwrap_or_default())
        }
    }
}

impl Oracle<'_> {
    fn constant(&self, variable: usize, operand: &Operand) -> i64 {
        match operand {
            Operand::Constant(value) => small(&self.dfrs.variables[variable].sort, value),
            Operand::Variable(..) | Operand::Sum(..) => unreachable!("constants only"),
        }
    }

    fn enabled(&self, entry: &shall_dfrs::Entry, row: &Row) -> bool {
        entry.guard.iter().all(|any| {
            any.iter().any(|it| {
                let values = if it.moment == Moment::Now { &row.1 } else { &row.0 };
                it.relation.holds(&values[it.variable], &self.constant(it.variable, &it.operand))
            })
        }) && entry.timed.iter().all(|any| {
            any.iter().any(|it| {
                it.relation.holds(&row.1[it.timer], &i64::try_from(it.bound.floor()).expect("small"))
            })
        })
    }

    /// The next state, if the reaction counts.
    fn reaction(&self, entry: &shall_dfrs::Entry, row: &Row) -> Option<Row> {
        let mut next = row.clone();
        for it in &entry.effect {
            match &it.effect {
                Effect::Reset => next.1[it.variable] = 0,
                Effect::Assign(operand) => {
                    if self.reading != Reading::Synchronous {
                        next.0[it.variable] = row.1[it.variable];
                    }
                    next.1[it.variable] = self.constant(it.variable, operand);
                }
            }
        }
        let outputs = entry.effect.iter().any(|it| it.effect != Effect::Reset);
        let moved = |variable: usize| next.1[variable] != row.1[variable];
        let counts = match self.reading {
            Reading::Literal => next != *row,
            Reading::Current => next.1 != row.1,
            Reading::Synchronous => {
                entry.effect.iter().any(|it| (it.effect != Effect::Reset || !outputs) && moved(it.variable))
            }
        };
        counts.then_some(next)
    }

    fn reactions(&self, row: &Row) -> Vec<Row> {
        let enabled = self.entries.iter().filter(|entry| self.enabled(entry, row));
        enabled.filter_map(|entry| self.reaction(entry, row)).collect()
    }

    fn is(&self, variable: usize, kind: Kind) -> bool {
        self.dfrs.variables[variable].kind == kind
    }

    fn later(&self, row: &Row, by: i64, cap: i64) -> Row {
        let mut next = row.clone();
        for variable in (0..row.1.len()).filter(|&it| self.is(it, Kind::Timer)) {
            next.1[variable] = (next.1[variable] + by).min(cap);
        }
        next
    }

    fn shift(&self, row: &mut Row, outputs: bool) {
        for variable in 0..row.1.len() {
            if self.is(variable, Kind::Input) || outputs && self.is(variable, Kind::Output) {
                row.0[variable] = row.1[variable];
            }
        }
    }

    /// The longest delay, if there is one.
    fn deadline(&self, row: &Row) -> i64 {
        let far = 3 * CAP;
        let mut frozen = row.clone();
        if self.reading == Reading::Synchronous {
            self.shift(&mut frozen, true);
        }
        let last = |entry: &&shall_dfrs::Entry| {
            let reacts = |by: &i64| {
                let later = self.later(&frozen, *by, i64::MAX);
                self.enabled(entry, &later) && self.reaction(entry, &later).is_some()
            };
            (1..=far).rev().find(reacts).filter(|&by| by < far)
        };
        self.entries.iter().filter_map(last).min().unwrap_or(far)
    }

    /// Rows that are stable, and rows before any reaction.
    fn search(&self) -> (HashSet<Row>, HashSet<Row>) {
        let initial: Vec<i64> = self
            .dfrs
            .variables
            .iter()
            .map(|it| if it.kind == Kind::Timer { 0 } else { small(&it.sort, &it.initial) })
            .collect();
        let start = (initial.clone(), initial);
        let (mut stable, mut situations) = (HashSet::new(), HashSet::from([start.clone()]));
        let mut seen = HashSet::from([start.clone()]);
        let mut open = vec![start];
        while let Some(row) = open.pop() {
            let mut next = self.reactions(&row);
            if next.is_empty() {
                stable.insert(row.clone());
                for by in 1..=self.deadline(&row).min(CAP) {
                    let mut later = vec![self.later(&row, by, CAP)];
                    self.shift(&mut later[0], self.reading == Reading::Synchronous);
                    for variable in (0..row.1.len()).filter(|&it| self.is(it, Kind::Input)) {
                        let range =
                            if self.dfrs.variables[variable].sort == Sort::Int { -1..=3 } else { 0..=1 };
                        later = later
                            .iter()
                            .flat_map(|row| {
                                range.clone().map(|value| {
                                    let mut row = row.clone();
                                    row.1[variable] = value;
                                    row
                                })
                            })
                            .collect();
                    }
                    situations.extend(later.iter().cloned());
                    next.extend(later);
                }
            }
            open.extend(next.into_iter().filter(|row| seen.insert(row.clone())));
        }
        (stable, situations)
    }
}

#[test]
fn classes_and_zones_agree_with_all_small_numbers() {
    let mut source = Random::new(7);
    let mut sizes = (0, 0);
    let mut compared = 0;
    for round in 0..1000 {
        let dfrs = random(&mut source);
        let reading = Reading::ALL[round % 3];
        let machine = compile(&dfrs, Semantics::discrete(reading)).expect("finite");
        let found = explore(&machine, Environment::Free, Budget::default());
        let oracle = Oracle {
            dfrs: &dfrs,
            reading,
            entries: dfrs.functions.iter().flat_map(|it| &it.entries).collect(),
        };
        let (stable, situations) = oracle.search();
        // For each variable, the classes of the values from -1 on.
        let table = |it: &shall_dfrs::machine::Slot| -> Vec<Option<u16>> {
            let sort = &dfrs.variables[it.variable].sort;
            (-1..=3).map(|value| it.classes.class_of(&big(sort, value))).collect()
        };
        let classes: Vec<Vec<Option<u16>>> = machine.variables.iter().map(table).collect();
        let slots = |row: &Row| -> Vec<u16> {
            let class = |place: usize, values: &[i64]| {
                let value = values[machine.variables[place].variable];
                classes[place][(value + 1) as usize].expect("a class")
            };
            let count = machine.variables.len();
            let now = (0..count).map(|place| class(place, &row.1));
            let before = (0..count).map(|place| class(place, &row.0));
            let ages = machine.timers.iter().map(|it| it.ages.class_of(row.1[it.variable], 1));
            now.chain(before).chain(ages).collect()
        };
        let expected: BTreeSet<Vec<u16>> = stable.iter().map(slots).collect();
        let nodes: BTreeSet<Vec<u16>> = found.nodes.iter().map(|node| node.slots.to_vec()).collect();
        assert_eq!(nodes, expected, "round {round} {reading:?}: {:#?}", dfrs.requirements);
        let expected: BTreeSet<Vec<u16>> = situations.iter().map(slots).collect();
        let reached: BTreeSet<Vec<u16>> = found.situations.iter().map(|it| it.slots().to_vec()).collect();
        assert_eq!(reached, expected, "round {round} {reading:?}: {:#?}", dfrs.requirements);
        for number in (0..found.situations.len()).step_by(1 + found.situations.len() / 5) {
            assert!(found.scenario(number, &[]).is_some(), "round {round}: situation {number} does not run");
        }
        sizes = (sizes.0 + stable.len(), sizes.1 + nodes.len());

        let machine = compile(&dfrs, Semantics { reading, clock: Clock::Dense }).expect("finite");
        let dense = explore(&machine, Environment::Free, Budget::default());
        // Dense time is discrete time with a unit that is small enough, unless a deadline is open: dense time never gets past that
        // without a reaction, discrete time does from one unit before it.
        let timed = || oracle.entries.iter().flat_map(|it| it.timed.iter().flatten());
        if timed().all(|it| matches!(it.relation, Rel::Le | Rel::Ge | Rel::Gt | Rel::Eq)) {
            let fine = finer(&dfrs, 10);
            let machine = compile(&fine, Semantics::discrete(reading)).expect("finite");
            let fine = explore(&machine, Environment::Free, Budget::default());
            let nodes: BTreeSet<&[u16]> = fine.nodes.iter().map(|node| &*node.slots).collect();
            let all: BTreeSet<&[u16]> = dense.nodes.iter().map(|node| &*node.slots).collect();
            assert_eq!(all, nodes, "round {round} {reading:?}: {:#?}", dfrs.requirements);
            compared += 1;
        }
        for number in (0..dense.situations.len()).step_by(1 + dense.situations.len() / 5) {
            assert!(
                dense.scenario(number, &[]).is_some(),
                "round {round}: dense situation {number} does not run"
            );
        }
    }
    assert!(compared > 500, "{compared} systems without open deadlines");
    assert!(sizes.0 > 10_000, "the systems are too small: {sizes:?}");
}
