//! Is there a requirement for every situation? Strictly (paper, definition 4.2): after every delay some guard holds. In practice: when inputs
//! change in a way that matters, some guard holds; a gap in which no change matters is only noted.
//!
//! A gap is said as generally as it is true: variables that do not matter are dropped, and values that do not either are added.

use super::cube::{self, Cube};
use crate::classes::{Class, ClassSet};
use crate::explore::Exploration;
use crate::findings::{Case, Finding, Grade, Values, What};
use crate::machine::Machine;
use crate::scenario::Scenario;
use crate::system::Moment;
use logic::{RBig, Value};

/// How many situations have a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// Situations after a delay.
    pub situations: usize,
    /// Those in which no guard holds.
    pub silent: usize,
    /// A shortest scenario that leads to one of them.
    pub scenario: Option<Scenario>,
}

/// How many situations are covered, and which changes of inputs are not.
pub(crate) fn gaps(found: &Exploration<'_, '_>) -> (Coverage, Vec<Finding>) {
    let machine = found.machine;
    let mut coverage = Coverage { situations: 0, silent: 0, scenario: None };
    let mut findings: Vec<(Cube, Finding)> = Vec::new();
    for (number, situation) in found.situations.iter().enumerate().skip(1) {
        coverage.situations += 1;
        let slots = situation.slots();
        if machine.rules.iter().any(|rule| machine.holds(rule, slots)) {
            continue;
        }
        coverage.silent += 1;
        if coverage.silent == 1 {
            coverage.scenario = found.scenario(number, &[]);
        }
        if findings.iter().any(|(known, _)| cube::contains(known, slots)) {
            continue;
        }
        let cube = generalise(machine, slots);
        let grade = if changes(machine, &cube) { Grade::Warning } else { Grade::Note };
        let what = What::Uncovered { cases: cases(machine, &cube) };
        let scenario = found.scenario(number, &[]);
        findings.push((cube, Finding { what, grade, requirements: Vec::new(), scenario }));
    }
    (coverage, findings.into_iter().map(|(_, finding)| finding).collect())
}

/// A largest cube around a state in which no guard can hold; an input that changes in it is one whose change matters.
fn generalise(machine: &Machine<'_>, slots: &[Class]) -> Cube {
    let full = cube::full(machine);
    let count = machine.variables.len();
    let silent = |cube: &Cube| machine.rules.iter().all(|rule| !cube::possible(cube, &[rule]));
    let inputs = |place: &usize| machine.variables[*place].input;
    // What says the least goes first: ages, previous outputs, outputs, inputs that stay, and then the others.
    let mut groups: Vec<Vec<usize>> = (2 * count..machine.width()).map(|slot| vec![slot]).collect();
    groups.extend((0..count).filter(|place| !inputs(place)).map(|place| vec![count + place]));
    groups.extend((0..count).filter(|place| !inputs(place)).map(|place| vec![place]));
    let stays = |place: &usize| slots[*place] == slots[count + place];
    groups.extend((0..count).filter(inputs).filter(stays).map(|place| vec![place, count + place]));
    groups.extend(
        (0..count).filter(inputs).filter(|place| !stays(place)).map(|place| vec![place, count + place]),
    );
    groups.extend((0..count).filter(inputs).map(|place| vec![count + place]));
    groups.extend((0..count).filter(inputs).map(|place| vec![place]));
    let mut cube = cube::point(slots);
    let mut attempt = |change: &dyn Fn(&mut Cube)| {
        let mut wider = cube.clone();
        change(&mut wider);
        if silent(&wider) {
            cube = wider;
        }
    };
    for group in &groups {
        attempt(&|cube| group.iter().for_each(|&slot| cube[slot] = full[slot]));
    }
    for slot in 0..full.len() {
        for class in (0..128).filter(|class| full[slot] >> class & 1 == 1) {
            attempt(&|cube| {
                // A change stays a change.
                let place = slot % count.max(1);
                let other = if slot < count { slot + count } else { place };
                let pair = slot < 2 * count && machine.variables[place].input;
                if !pair || cube[slot] & cube[other] != 0 || cube[other] >> class & 1 == 0 {
                    cube[slot] |= 1 << class;
                }
            });
        }
    }
    cube
}

/// Whether some input surely changes.
fn changes(machine: &Machine<'_>, cube: &Cube) -> bool {
    let count = machine.variables.len();
    (0..count).any(|place| machine.variables[place].input && cube[place] & cube[count + place] == 0)
}

/// A cube as conditions.
pub(crate) fn cases(machine: &Machine<'_>, cube: &Cube) -> Vec<Case> {
    let full = cube::full(machine);
    let count = machine.variables.len();
    let mut cases = Vec::new();
    for slot in (0..cube.len()).filter(|&slot| cube[slot] != full[slot]) {
        let (variable, values) = if slot < 2 * count {
            let it = &machine.variables[slot % count];
            let named = || classes(cube[slot]).map(|class| it.classes.value(class)).collect();
            let values =
                it.classes.intervals(cube[slot]).map_or_else(|| Values::Any(named()), Values::Intervals);
            (it.variable, values)
        } else {
            (machine.timers[slot - 2 * count].variable, ages(machine, slot - 2 * count, cube[slot]))
        };
        let moment = if (count..2 * count).contains(&slot) { Moment::Before } else { Moment::Now };
        cases.push(Case { variable, moment, values });
    }
    cases
}

fn ages(machine: &Machine<'_>, timer: usize, set: ClassSet) -> Values {
    let ages = &machine.timers[timer].ages;
    let unit = RBig::from(machine.units);
    let number = |bound: i64| RBig::from(bound) / &unit;
    let mut intervals: Vec<crate::classes::Interval> = Vec::new();
    let mut last = None;
    for class in classes(set) {
        let (start, included) = ages.start(class);
        let high = ages.end(class).map(|(end, starts)| (number(end), !starts));
        match intervals.last_mut() {
            Some(interval) if last == Some(class.wrapping_sub(1)) => interval.high = high,
            Some(_) | None => {
                intervals.push(crate::classes::Interval { low: Some((number(start), included)), high });
            }
        }
        last = Some(class);
    }
    Values::Intervals(intervals)
}

fn classes(set: ClassSet) -> impl Iterator<Item = Class> {
    (0..128).filter(move |class| set >> class & 1 == 1)
}

/// The values that an output can have: all of its enumeration, and the numbers that are assigned to it.
pub(crate) fn output_values(machine: &Machine<'_>, slot: usize) -> Vec<(Class, Value)> {
    let it = &machine.variables[slot];
    let written = |class: &Class| {
        let writes = machine.rules.iter().flat_map(|rule| &rule.writes);
        writes
            .filter(|(place, _)| *place == slot)
            .any(|(_, write)| matches!(write, crate::machine::Write::Class(written) if written == class))
    };
    let numbers = it.classes.intervals(0).is_some();
    let classes = (0..it.classes.count() as Class).filter(|class| !numbers || written(class));
    classes.map(|class| (class, it.classes.value(class))).collect()
}
