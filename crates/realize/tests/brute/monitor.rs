//! A requirement on Boolean variables, judged step by step from the definitions of the language: intervals, triggers, and one obligation
//! for each trigger. It shares nothing with the formulas of the product.

use requirement::template::{scopes, timings};
use requirement::{Condition, Requirement};

/// A Boolean function of four variables: bit `k` of the table is the value where the variables are the bits of `k`.
pub(crate) type Table = u16;

/// A sentence over tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sentence {
    pub(crate) scope: u8,
    pub(crate) mode: Table,
    pub(crate) condition: u8,
    pub(crate) cond: Table,
    pub(crate) timing: u8,
    pub(crate) steps: u8,
    pub(crate) stop: Table,
    pub(crate) res: Table,
}

/// What is remembered between two steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Memory {
    started: bool,
    mode_before: bool,
    mode_seen: bool,
    mode_left: bool,
    in_scope: bool,
    cond_before: bool,
    /// The ages of obligations that are not met, and for `finally` whether the response held at the last step.
    ages: Vec<u8>,
    last_res: bool,
}

/// What a step shows.
pub(crate) struct Shown {
    pub(crate) memory: Memory,
    pub(crate) violated: bool,
    /// Something that must happen eventually has not happened.
    pub(crate) owed: bool,
    /// The run must not end here.
    pub(crate) unfinished: bool,
}

fn at(table: Table, letter: u8) -> bool {
    table >> letter & 1 == 1
}

/// The timings, with denials spelled out.
#[derive(Clone, Copy)]
enum Demand {
    Immediately,
    Next,
    Finally,
    Always,
    Eventually,
    Within,
    For,
    After,
    Until,
    Before,
    NotAfter,
}

impl Sentence {
    fn demand(&self) -> (Demand, bool) {
        let denies = self.scope >= 5;
        // The second value: whether the response is negated.
        match (self.timing, denies) {
            (0, _) => (Demand::Immediately, denies),
            (1, _) => (Demand::Next, denies),
            (2, _) => (Demand::Finally, denies),
            (3, false) => (Demand::Always, false),
            (3, true) => (Demand::Eventually, true),
            (4, false) => (Demand::Always, true),
            (4, true) => (Demand::Eventually, false),
            (5, false) => (Demand::Eventually, false),
            (5, true) => (Demand::Always, true),
            (6, false) => (Demand::Within, false),
            (6, true) => (Demand::For, true),
            (7, false) => (Demand::For, false),
            (7, true) => (Demand::Within, true),
            (8, false) => (Demand::After, false),
            (8, true) => (Demand::NotAfter, false),
            (9, false) => (Demand::Until, false),
            (9, true) => (Demand::Before, true),
            (_, false) => (Demand::Before, false),
            (_, true) => (Demand::Until, true),
        }
    }

    pub(crate) fn step(&self, before: &Memory, letter: u8) -> Shown {
        let (demand, negated) = self.demand();
        let mode = at(self.mode, letter);
        let left_now = before.started && before.mode_before && !mode;
        let mode_left = before.mode_left || left_now;
        let mode_seen = before.mode_seen || mode;
        let in_scope = match self.scope {
            0 => true,
            1 => mode,
            2 | 5 => !mode,
            3 => !mode_seen,
            4 => mode_left,
            6 => mode_seen,
            _ => !mode_left,
        };
        let begins = in_scope && !(before.started && before.in_scope);
        let mut violated = false;
        let mut ages = before.ages.clone();
        if !in_scope || begins {
            // The interval before this step, if there was one, is over.
            violated = match demand {
                Demand::Eventually => !ages.is_empty(),
                Demand::Finally => !ages.is_empty() && !before.last_res,
                _ => false,
            };
            ages.clear();
        }
        let cond = at(self.cond, letter);
        let triggered = in_scope
            && match self.condition {
                0 => begins,
                1 => cond && (begins || !before.cond_before),
                _ => cond,
            };
        if triggered {
            ages.push(0);
        }
        let res = at(self.res, letter) != negated;
        let stop = at(self.stop, letter);
        let mut left: Vec<u8> = Vec::new();
        for &age in &ages {
            let n = self.steps;
            // Some(true): met, Some(false): violated, None: open.
            let decided = match demand {
                Demand::Immediately => Some(res),
                Demand::Next => (age == 1).then_some(res),
                Demand::Finally => None,
                Demand::Always => (!res).then_some(false),
                Demand::Eventually => res.then_some(true),
                Demand::Within => match (res, age == n) {
                    (true, _) => Some(true),
                    (false, true) => Some(false),
                    (false, false) => None,
                },
                Demand::For => match (res, age == n) {
                    (false, _) => Some(false),
                    (true, true) => Some(true),
                    (true, false) => None,
                },
                Demand::After => match (res, age == n + 1) {
                    (true, true) => Some(true),
                    (false, true) => Some(false),
                    (true, false) => Some(false),
                    (false, false) => None,
                },
                Demand::Until => match (stop, res) {
                    (true, _) => Some(true),
                    (false, true) => None,
                    (false, false) => Some(false),
                },
                Demand::Before => match (stop, res) {
                    (true, _) => Some(false),
                    (false, true) => Some(true),
                    (false, false) => None,
                },
                Demand::NotAfter => match (res, age == n + 1) {
                    (true, true) => Some(false),
                    (true, false) => Some(true),
                    (false, true) => Some(true),
                    (false, false) => None,
                },
            };
            match decided {
                Some(true) => {}
                Some(false) => violated = true,
                None => left.push(age),
            }
        }
        let counts =
            matches!(demand, Demand::Next | Demand::Within | Demand::For | Demand::After | Demand::NotAfter);
        let mut ages: Vec<u8> = left.into_iter().map(|age| if counts { age + 1 } else { 0 }).collect();
        ages.sort_unstable();
        ages.dedup();
        let owed = matches!(demand, Demand::Eventually) && !ages.is_empty();
        let unfinished = owed || matches!(demand, Demand::Finally) && !ages.is_empty() && !res;
        let memory = Memory {
            started: true,
            mode_before: mode,
            mode_seen,
            mode_left,
            in_scope,
            cond_before: cond,
            ages,
            last_res: matches!(demand, Demand::Finally) && res,
        };
        Shown { memory, violated, owed, unfinished }
    }
}

/// The sentence as a requirement of the product.
pub(crate) fn requirement(store: &mut logic::Store, it: &Sentence, names: &[&str; 4]) -> Requirement {
    let mut formula = |table: Table| {
        let mut rows = Vec::new();
        for letter in (0..16u8).filter(|letter| at(table, *letter)) {
            let mut literals = Vec::new();
            for (bit, name) in names.iter().enumerate() {
                let symbol = store.symbol(name);
                let var = store.var(symbol);
                literals.push(if letter >> bit & 1 == 1 { var } else { store.not(var) });
            }
            rows.push(store.and(literals));
        }
        store.or(rows)
    };
    let (mode, cond, stop, res) = (formula(it.mode), formula(it.cond), formula(it.stop), formula(it.res));
    let n = u64::from(it.steps);
    Requirement {
        scope: scopes(mode)[usize::from(it.scope)],
        condition: [Condition::Null, Condition::Regular(cond), Condition::Holding(cond)]
            [usize::from(it.condition)],
        component: "sw".to_owned(),
        timing: timings(stop, n)[usize::from(it.timing)],
        response: res,
        predicates: Vec::new(),
    }
}
