//! Making a suite: a case for each obligation that no case meets yet, a case for each mutant that no case kills yet, and of all these only as many
//! rows as are needed.

use crate::explore::{Exploration, explore};
use crate::machine::compile;
use crate::machine::{Infinite, Machine, Test};
use crate::reading::Semantics;
use crate::replay::{Verdict, replay};
use crate::suite::candidates::{Candidate, candidate};
use crate::suite::drive::{self, Kill};
use crate::suite::mutants::{Mutant, mutants};
use crate::suite::obligations::{Judge, Obligation, all, with_bounds};
use crate::suite::paths::Stimulus;
use crate::suite::product::{self, Difference};
use crate::suite::tour::Atlas;
use crate::suite::{Case, Fate, Options, Status, Suite, pairs, paths, table};
use crate::system::Dfrs;
use crate::vectors::read_vectors;
use base::{Worth, cover};
use logic::RBig;
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes a test suite for a system; not if its values or times cannot be told apart finitely.
pub fn generate(dfrs: &Dfrs, options: Options) -> Result<Suite, Infinite> {
    let semantics = Semantics::discrete(options.reading);
    let plain = compile(dfrs, semantics)?;
    let all_runs = explore(&plain, options.environment, options.budget);
    let forbidden = product::choices(&all_runs);
    let certain = all_runs.situations.first().is_some_and(|it| drive::only_outcome(&it.closure).is_some());
    let finer = with_bounds(dfrs);
    let mut machine = compile(&finer, semantics)?;
    machine.rules.truncate(plain.rules.len());
    let everything = explore(&machine, options.environment, options.budget);
    let mut tested = machine.clone();
    tested.restrictions.extend(product::translated(&plain, &machine, &forbidden));
    let found = explore(&tested, options.environment, options.budget);

    let obligations = all(dfrs, options.pairs);
    let judge = Judge::new(dfrs, &tested, &obligations);
    let mut maker = Maker {
        dfrs,
        plain: &plain,
        all_runs: &all_runs,
        tested: &tested,
        judge: &judge,
        obligations: &obligations,
        forbidden: &forbidden,
        options,
        statuses: Vec::new(),
        candidates: Vec::new(),
    };
    maker.limits(&everything);
    let bodies = if options.mutants { mutants(dfrs) } else { Vec::new() };
    let mut fates = vec![(Fate::Unknown, Kill::Sure); bodies.len()];
    if certain {
        maker.cover(&found);
        maker.candidates = reduced(&maker.candidates, &[]);
        fates = maker.mutants(&bodies);
        let kills = maker.kills(&bodies, &fates);
        maker.candidates = reduced(&maker.candidates, &kills);
        maker.delay(&bodies, &fates);
        maker.candidates.retain(|it| passes(dfrs, semantics, it));
        maker.settle(&bodies, &mut fates);
    }
    let name =
        |(number, it): (usize, Candidate)| Case { name: format!("case {}", number + 1), rows: it.rows };
    Ok(Suite {
        obligations: obligations.iter().copied().zip(maker.statuses).collect(),
        cases: maker.candidates.into_iter().enumerate().map(name).collect(),
        mutants: bodies.into_iter().zip(fates.into_iter().map(|it| it.0)).collect(),
        stopped: everything.stopped.or(found.stopped),
        ambiguous: forbidden.len(),
    })
}

struct Maker<'s> {
    dfrs: &'s Dfrs,
    plain: &'s Machine<'s>,
    all_runs: &'s Exploration<'s, 's>,
    tested: &'s Machine<'s>,
    judge: &'s Judge<'s>,
    obligations: &'s [Obligation],
    forbidden: &'s [Vec<Test>],
    options: Options,
    statuses: Vec<Status>,
    candidates: Vec<Candidate>,
}

impl Maker<'_> {
    /// What can be met at all, even where the system has a choice.
    fn limits(&mut self, everything: &Exploration<'_, '_>) {
        let open = if everything.stopped.is_some() { Status::Unknown } else { Status::Unreachable };
        self.statuses = vec![open; self.obligations.len()];
        for situation in &everything.situations {
            for goal in self.judge.met(&situation.closure) {
                self.statuses[goal] = Status::Ambiguous;
            }
        }
    }

    /// Runs that meet all obligations that can be met.
    fn cover(&mut self, found: &Exploration<'_, '_>) {
        let atlas = Atlas::new(found, self.judge, self.options.environment);
        let mut open: FxHashSet<usize> = (0..self.statuses.len()).collect();
        let mut first: FxHashMap<usize, usize> = FxHashMap::default();
        for (number, met) in atlas.met.iter().enumerate() {
            met.iter().for_each(|goal| {
                first.entry(*goal).or_insert(number);
            });
        }
        // Without a run they stay open.
        first.keys().for_each(|&goal| self.statuses[goal] = Status::Unknown);
        if found.stopped.is_some() {
            self.statuses.fill(Status::Unknown);
        }
        // The farthest first: others lie on the way.
        let mut aims: Vec<usize> = first.values().copied().collect();
        aims.sort_unstable();
        aims.dedup();
        for number in aims.into_iter().rev() {
            if atlas.met[number].iter().any(|goal| open.contains(goal) && first[goal] == number) {
                self.extend(paths::stimulus(found, number), &atlas, &mut open);
            }
        }
        if self.options.pairs {
            self.pairs(found, &atlas, &mut open);
        }
    }

    /// A run for each pair that no run shows yet.
    fn pairs(&mut self, found: &Exploration<'_, '_>, atlas: &Atlas<'_, '_, '_>, open: &mut FxHashSet<usize>) {
        for (pair, stimulus) in pairs::pairs(found) {
            let Some(goal) = self.obligations.iter().position(|it| *it == pair) else { continue };
            self.statuses[goal] = Status::Unknown;
            if open.contains(&goal) {
                self.extend(stimulus, atlas, open);
            }
        }
    }

    fn extend(&mut self, stimulus: Option<Stimulus>, atlas: &Atlas<'_, '_, '_>, open: &mut FxHashSet<usize>) {
        let longer = stimulus.map(|stimulus| atlas.extended(stimulus, open));
        let run = longer.and_then(|it| candidate(self.tested, self.judge, &it));
        for (goal, _) in run.iter().flat_map(|it| &it.goals) {
            open.remove(goal);
        }
        self.candidates.extend(run);
    }

    /// Kills mutants that survive all runs so far, or finds that they are none; and how surely each can be killed.
    fn mutants(&mut self, bodies: &[Mutant]) -> Vec<(Fate, Kill)> {
        let mut fates = Vec::new();
        for body in bodies {
            let mutant = body.apply(self.dfrs);
            let Ok(machine) = compile(&mutant, self.plain.semantics) else {
                fates.push((Fate::Unknown, Kill::Sure));
                continue;
            };
            let dies = |run: &Candidate, kill| drive::first_difference(&machine, &run.rows, kill).is_some();
            if let Some(case) = self.candidates.iter().position(|run| dies(run, Kill::Sure)) {
                fates.push((Fate::Killed(case), Kill::Sure));
                continue;
            }
            if product::reacts_alike(self.all_runs, &machine) {
                fates.push((Fate::Equivalent, Kill::Sure));
                continue;
            }
            let Options { environment, mutant_budget, .. } = self.options;
            let difference = product::difference(
                self.dfrs,
                &mutant,
                self.plain,
                self.forbidden,
                environment,
                mutant_budget,
            );
            let stimulus = match difference {
                Difference::None => {
                    fates.push((Fate::Equivalent, Kill::Sure));
                    continue;
                }
                Difference::Unknown => None,
                Difference::After(stimulus) => Some(stimulus),
            };
            let run = stimulus.and_then(|it| candidate(self.tested, self.judge, &it));
            self.candidates.extend(run);
            let found = [Kill::Sure, Kill::Possible].into_iter().find_map(|kill| {
                let case = self.candidates.iter().rposition(|run| dies(run, kill));
                case.map(|case| (Fate::Killed(case), kill))
            });
            fates.push(found.unwrap_or((Fate::Unknown, Kill::Sure)));
        }
        fates
    }

    /// For each run the mutants it kills as surely as can be, each with the number of rows that takes.
    fn kills(&self, bodies: &[Mutant], fates: &[(Fate, Kill)]) -> Vec<Vec<(usize, usize)>> {
        let mut kills = vec![Vec::new(); self.candidates.len()];
        for (number, (body, (fate, kill))) in bodies.iter().zip(fates).enumerate() {
            let Fate::Killed(_) = fate else { continue };
            let mutant = body.apply(self.dfrs);
            let Ok(machine) = compile(&mutant, self.plain.semantics) else { continue };
            for (run, kills) in self.candidates.iter().zip(&mut kills) {
                kills
                    .extend(drive::first_difference(&machine, &run.rows, *kill).map(|row| (number, row + 1)));
            }
        }
        kills
    }

    /// Lets every other run begin late, if it is as good then: an implementation may be right only in its first minute.
    fn delay(&mut self, bodies: &[Mutant], fates: &[(Fate, Kill)]) {
        let starts = self.tested.timers.iter().flat_map(|it| &it.ages.starts);
        let Some(last) = starts.map(|(start, _)| *start).max() else { return };
        let by = RBig::from(last) * RBig::from(2) + RBig::ONE;
        let before = self.kills(bodies, fates);
        let early = self.candidates.clone();
        for run in self.candidates.iter_mut().skip(1).step_by(2) {
            let later = run.rows.iter().skip(1).map(|row| (&row.time + &by, row.inputs.clone())).collect();
            let met = |it: &Candidate| run.goals.iter().all(|goal| it.goals.contains(goal));
            if let Some(late) = candidate(self.tested, self.judge, &later).filter(met) {
                *run = late;
            }
        }
        let after = self.kills(bodies, fates);
        for (number, run) in early.into_iter().enumerate() {
            if !before[number].iter().all(|kill| after[number].contains(kill)) {
                self.candidates[number] = run;
            }
        }
    }

    /// Says which case does what, now that they are chosen.
    fn settle(&mut self, bodies: &[Mutant], fates: &mut [(Fate, Kill)]) {
        for (case, run) in self.candidates.iter().enumerate() {
            for &(goal, _) in &run.goals {
                if !matches!(self.statuses[goal], Status::Covered(_)) {
                    self.statuses[goal] = Status::Covered(case);
                }
            }
        }
        let kills = self.kills(bodies, fates);
        for (number, (fate, _)) in fates.iter_mut().enumerate() {
            if let Fate::Killed(_) = fate {
                let case = kills.iter().position(|it| it.iter().any(|(mutant, _)| *mutant == number));
                *fate = case.map_or(Fate::Unknown, Fate::Killed);
            }
        }
    }
}

/// As few rows as reach all goals of these runs and kill all mutants that they kill.
fn reduced(candidates: &[Candidate], kills: &[Vec<(usize, usize)>]) -> Vec<Candidate> {
    let goals = candidates.iter().flat_map(|it| &it.goals).map(|it| it.0 + 1).max().unwrap_or(0);
    let worth = |(number, run): (usize, &Candidate)| {
        let killed = kills.get(number).into_iter().flatten().map(|(mutant, row)| (goals + mutant, *row));
        Worth { rows: run.rows.len(), goals: run.goals.iter().copied().chain(killed).collect() }
    };
    let worths: Vec<Worth> = candidates.iter().enumerate().map(worth).collect();
    cover(&worths)
        .into_iter()
        .map(|(number, rows)| {
            let Candidate { rows: all, goals } = &candidates[number];
            let goals = goals.iter().copied().filter(|(_, at)| *at <= rows).collect();
            Candidate { rows: all[..rows].to_vec(), goals }
        })
        .collect()
}

/// Whether a run, written and read again, is the only one with its inputs.
fn passes(dfrs: &Dfrs, semantics: Semantics, run: &Candidate) -> bool {
    let case = Case { name: "case".to_owned(), rows: run.rows.clone() };
    read_vectors(dfrs, &table::csv(dfrs, &[case])).is_ok_and(|vectors| {
        replay(dfrs, semantics, &vectors).iter().all(|report| report.verdict == Verdict::Deterministic)
    })
}
