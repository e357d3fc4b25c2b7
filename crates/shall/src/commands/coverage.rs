//! `shall coverage`: what recorded traces already show of what tests must show, and which tests would show the rest.

use super::eval::traces::{Source, expanded};
use super::tests::{Test, each_component};
use crate::cli::Output;
use crate::cli::tests::Coverage;
use crate::render::visible;
use crate::{Error, Outcome};
use base::{counted, listed};
use logic::{Formula, Node, Store};
use project::set::ComponentSet;
use record::{Block, Check, Findings, Kind};
use requirement::specification::{Type, Variable};
use requirement::{Watch, past, watch};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Instant;
use suite::{Fate, Status, Suite};

/// What recorded traces show.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Covered {
    /// The traces.
    traces: Vec<Recorded>,
    /// What must be shown.
    obligations: Vec<Goal>,
    /// Requirements with a small error that a trace tells from the requirement.
    mutants: Counts,
    /// Tests that would show what no trace shows.
    missing_tests: Vec<Test>,
}

/// A recorded trace.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Recorded {
    /// The file.
    file: String,
    /// The number of steps.
    steps: u64,
    /// Why it could not be read to its end; otherwise `null`.
    broken: Option<String>,
    /// The ids of requirements that it violates.
    violated: Vec<String>,
    /// The ids of requirements whose variables it does not have.
    not_recorded: Vec<String>,
}

/// Something that must be shown.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Goal {
    /// The id of the requirement.
    requirement: String,
    /// `moments`, `causes`, `decisions` or `boundaries`.
    kind: &'static str,
    /// What must be shown.
    text: String,
    /// `met` by a trace; `missing`; `unreachable`: no correct system shows it; `unknown`: no trace shows it, and whether it can be shown is
    /// not known.
    status: &'static str,
    /// The file of the trace that shows it; otherwise `null`.
    trace: Option<String>,
    /// The step at which it does; otherwise `null`.
    step: Option<u64>,
    /// The name of a test that would show it, if it is missing; otherwise `null`.
    test: Option<String>,
}

/// Numbers of mutants.
#[derive(Serialize, JsonSchema, Default)]
pub(crate) struct Counts {
    /// Those that a trace tells from the requirement.
    killed: usize,
    /// Those that a test would tell from it, and no trace does.
    alive: usize,
    /// Those that are equal to the requirement, as far as correct systems go.
    equivalent: usize,
    /// Those that are not decided.
    undecided: usize,
}

pub(crate) fn run(command: &Coverage, output: Output) -> Result<Outcome, Error> {
    let mut files = Vec::new();
    for trace in &command.trace {
        files.extend(expanded(trace)?);
    }
    let sources: Vec<Source> = files.iter().map(|it| Source::of(it)).collect::<Result<_, _>>()?;
    let recorded = |it: &Source| Recorded {
        file: it.name(),
        steps: 0,
        broken: None,
        violated: Vec::new(),
        not_recorded: Vec::new(),
    };
    let mut covered = Covered {
        traces: sources.iter().map(recorded).collect(),
        obligations: Vec::new(),
        mutants: Counts::default(),
        missing_tests: Vec::new(),
    };
    let mut failed = None;
    each_component(&command.wanted, (Instant::now(), false), |done| {
        if let Err(error) = covered.add(done.name, done.set, &sources, &done.made) {
            failed.get_or_insert(error);
        }
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    output.show(|| covered.human(), || &covered)?;
    let has = |status: &str| covered.obligations.iter().any(|it| it.status == status);
    Ok(match (has("missing") || covered.mutants.alive > 0, has("unknown") || covered.mutants.undecided > 0) {
        (true, _) => Outcome::Findings,
        (false, true) => Outcome::Inconclusive,
        (false, false) => Outcome::Fine,
    })
}

impl Covered {
    fn add(
        &mut self,
        component: &str,
        set: &mut ComponentSet,
        sources: &[Source],
        made: &Suite,
    ) -> Result<(), Error> {
        let mut goals: Vec<(usize, Formula)> =
            made.obligations.iter().map(|it| (it.0.member, it.0.formula)).collect();
        for (mutant, _) in &made.mutants {
            let requirement = set.members[mutant.member].requirement.clone();
            let Ok(verdict) = past(&mut set.store, &requirement) else { continue };
            goals.push((mutant.member, set.store.xor(verdict, mutant.formula)));
        }
        let mut watches = Vec::new();
        for (member, it) in set.members.iter().enumerate() {
            watches.extend(watch(&mut set.store, &it.requirement).ok().map(|it| (member, it)));
        }
        let mut met: Vec<Option<(String, u64)>> = vec![None; goals.len()];
        for (source, recorded) in sources.iter().zip(&mut self.traces) {
            let pass = pass(source, &set.store, &set.variables, &goals, &watches)?;
            (recorded.steps, recorded.broken) = (pass.steps, pass.broken);
            let id = |it: &usize| set.members[*it].id.clone();
            recorded.violated.extend(pass.violated.iter().map(id));
            recorded.not_recorded.extend(pass.not_recorded.iter().map(id));
            for (known, step) in met.iter_mut().zip(pass.met) {
                if let Some(step) = step {
                    known.get_or_insert_with(|| (source.name(), step));
                }
            }
        }
        let mut wanted: BTreeSet<usize> = BTreeSet::new();
        let test_name = |test: usize| super::tests::test_name(component, test);
        let mut met = met.into_iter();
        for (obligation, status) in &made.obligations {
            let mut goal = Goal {
                requirement: set.members[obligation.member].id.clone(),
                kind: obligation.criterion.name(),
                text: obligation.text.clone(),
                status: "met",
                trace: None,
                step: None,
                test: None,
            };
            match (met.next().flatten(), status) {
                (Some((file, step)), _) => (goal.trace, goal.step) = (Some(file), Some(step)),
                (None, Status::Covered { test, .. }) => {
                    goal.status = "missing";
                    goal.test = Some(test_name(*test));
                    wanted.insert(*test);
                }
                (None, Status::Unreachable { .. }) => goal.status = "unreachable",
                (None, Status::Unknown(_)) => goal.status = "unknown",
            }
            self.obligations.push(goal);
        }
        for (_, fate) in &made.mutants {
            match (met.next().flatten(), fate) {
                (Some(_), _) => self.mutants.killed += 1,
                (None, Fate::Killed(it)) => {
                    self.mutants.alive += 1;
                    wanted.insert(it.test);
                }
                (None, Fate::Equivalent { .. }) => self.mutants.equivalent += 1,
                (None, Fate::Undecided(_)) => self.mutants.undecided += 1,
            }
        }
        let ids: Vec<&str> = set.members.iter().map(|it| it.id.as_str()).collect();
        let tests = made.tests.iter().enumerate().filter(|it| wanted.contains(&it.0));
        self.missing_tests.extend(tests.map(|(at, it)| Test::new(component, at, 0, it, &ids)));
        Ok(())
    }

    fn human(&self) -> String {
        let mut out = String::new();
        for it in &self.traces {
            let _ = writeln!(out, "{}: {}", visible(&it.file), counted(it.steps as usize, "step"));
            for (ids, text) in
                [(&it.violated, "violates"), (&it.not_recorded, "does not have the variables of")]
            {
                if !ids.is_empty() {
                    let _ = writeln!(out, "  {text} {}", listed(ids.iter().map(|it| visible(it))));
                }
            }
            if let Some(why) = &it.broken {
                let _ = writeln!(out, "  cannot be read further: {}", visible(why));
            }
        }
        let mut missing: BTreeMap<&str, Vec<&Goal>> = BTreeMap::new();
        for it in self.obligations.iter().filter(|it| it.status == "missing") {
            missing.entry(&it.requirement).or_default().push(it);
        }
        for (id, goals) in missing {
            let _ = writeln!(out, "\n{}: not shown", visible(id));
            for it in goals {
                let test = it.test.as_deref().unwrap_or_default();
                let _ = writeln!(out, "  {} ({test})", visible(&it.text));
            }
        }
        for test in &self.missing_tests {
            let _ = writeln!(out, "\n{}\n{}", visible(test.name()), test.table().trim_end());
        }
        let count = |status: &str| self.obligations.iter().filter(|it| it.status == status).count();
        let _ = writeln!(
            out,
            "\nobligations: {} met, {} missing, {} unreachable, {} unknown",
            count("met"),
            count("missing"),
            count("unreachable"),
            count("unknown")
        );
        let Counts { killed, alive, equivalent, undecided } = self.mutants;
        let _ = writeln!(
            out,
            "mutants: {killed} killed, {alive} alive, {equivalent} equivalent, {undecided} undecided"
        );
        if !self.missing_tests.is_empty() {
            let steps: usize = self.missing_tests.iter().map(Test::len).sum();
            let tests = counted(self.missing_tests.len(), "test");
            let _ = writeln!(out, "{tests} with {} would show the rest", counted(steps, "step"));
        }
        out
    }
}

/// What one pass over a trace has found.
struct Pass {
    steps: u64,
    broken: Option<String>,
    met: Vec<Option<u64>>,
    violated: Vec<usize>,
    not_recorded: Vec<usize>,
}

/// Reads a trace once: goals are watched as if they were violations, so that the first one has its step.
fn pass(
    source: &Source,
    store: &Store,
    variables: &[Variable],
    goals: &[(usize, Formula)],
    watches: &[(usize, Watch)],
) -> Result<Pass, Error> {
    let mut reader = source.reader()?;
    let columns: BTreeMap<String, usize> =
        reader.signals().iter().enumerate().map(|(at, it)| (it.name.clone(), at)).collect();
    let is_variable = |name: &str| variables.iter().any(|it| it.name == name);
    let is_recorded = |formulas: &[Formula]| {
        let names = store.reachable(formulas.iter().map(|it| it.id())).into_iter();
        let mut names = names.filter_map(|id| match store.node(id) {
            Node::Var(symbol) => Some(store.name(*symbol)),
            _ => None,
        });
        names.all(|name| columns.contains_key(name) || !is_variable(name))
    };
    let goal = |formula: Formula| Watch {
        bad: formula,
        bad_at_end: store.bottom(),
        left: store.bottom(),
        trigger: store.bottom(),
        scope: store.top(),
        active: None,
    };
    let mut asked: Vec<Watch> = Vec::new();
    let mut places: Vec<Option<usize>> = Vec::new();
    let mut not_recorded: BTreeSet<usize> = BTreeSet::new();
    let all = goals.iter().map(|(member, it)| (*member, goal(*it), vec![*it]));
    let all =
        all.chain(watches.iter().map(|(member, it)| (*member, *it, vec![it.bad, it.bad_at_end, it.left])));
    for (member, watch, formulas) in all {
        if is_recorded(&formulas) {
            places.push(Some(asked.len()));
            asked.push(watch);
        } else {
            not_recorded.insert(member);
            places.push(None);
        }
    }
    let kind = |name: &str| match variables.iter().find(|it| it.name == name).map(|it| &it.ty) {
        Some(Type::Bool) => Kind::Truth,
        Some(Type::Enum(_)) => Kind::Name,
        Some(Type::Int(_) | Type::Real(_)) | None => Kind::Number,
    };
    let refused = |error: record::NotPast| Error::Internal(error.to_string());
    let mut check = Check::new(store, &asked, kind).map_err(refused)?;
    let inputs = check.inputs().to_vec();
    let numbers: Vec<Option<usize>> = inputs.iter().map(|it| columns.get(&it.name).copied()).collect();
    reader.select(&numbers);
    let mut block = Block::new(&inputs);
    let mut broken = None;
    loop {
        match reader.fill(&mut block) {
            Ok(0) => break,
            Ok(_) => check.block(store, &block),
            Err(error) => {
                broken = Some(error.to_string());
                break;
            }
        }
    }
    let flaw = block.columns.iter().filter_map(|it| it.flaw.as_ref()).min_by_key(|it| it.step);
    // From the first cell without a value on, nothing is shown.
    let until = flaw.map_or(u64::MAX, |it| it.step);
    if let Some(flaw) = flaw {
        broken.get_or_insert_with(|| format!("{}: {}", flaw.place, flaw.reason));
    }
    let steps = check.steps();
    let found: Vec<Findings> = check.finish();
    let first = |place: &Option<usize>| {
        let run = found[(*place)?].runs.first()?;
        (run.first < until).then_some(run.first)
    };
    let (of_goals, of_watches) = places.split_at(goals.len());
    let violated = of_watches.iter().zip(watches).filter(|it| first(it.0).is_some());
    Ok(Pass {
        steps,
        broken,
        met: of_goals.iter().map(first).collect(),
        violated: violated.map(|it| it.1.0).collect(),
        not_recorded: not_recorded.into_iter().collect(),
    })
}
