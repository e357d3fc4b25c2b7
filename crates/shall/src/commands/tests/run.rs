//! Tests run against a model or a program, and what came of them.

use super::model::Model;
use super::program::{self, Program};
use super::{Tested, test_name};
use crate::cli::tests::Tried;
use crate::commands::source::{Chosen, Hints, Source};
use crate::json::{Values, steps};
use crate::render::junit::escaped;
use crate::{Error, Outcome};
use logic::{Formula, Value};
use project::set::ComponentSet;
use realize::Member;
use requirement::{Watch, watch};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;
use suite::{
    Attempt, Broken, Config, Judges, Status, Subject, Suite, Verdict, attempt, defaults, force, mentioned,
};

/// A test that was run.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Ran {
    /// The name of the test; for a strategy, what it forces.
    pub(super) test: String,
    /// Whether the inputs depend on what the system did.
    strategy: bool,
    /// `passed`; `failed`: a requirement is violated; `inconclusive`: no requirement is violated, but the system did not show what the
    /// test is for; `broken`: the system did not answer.
    pub(super) result: &'static str,
    /// The id of the violated requirement; otherwise `null`.
    requirement: Option<String>,
    /// The step at which it is violated, or the system did not answer; otherwise `null`.
    step: Option<usize>,
    /// Why; `null` if it passed or failed.
    reason: Option<String>,
    /// What happened.
    steps: Vec<Values>,
}

/// Tests in a row that get no answer before the rest is left out.
const PATIENCE: usize = 3;

/// Runs all tests of a component.
pub(super) fn run(
    tested: &mut Tested,
    (tried, map): (&Tried, &[(String, String)]),
    (component, set, made): (&str, &mut ComponentSet, &Suite),
    config: Config,
) -> Result<(), Error> {
    let words: Vec<String>;
    let variables = set.variables.clone();
    let mut subject: Box<dyn Subject> = match (&tried.run, &tried.exec) {
        (Some(file), _) => {
            let source = Source::open(file, &Hints::default())?;
            let node = source.node(tried.node.as_deref())?;
            let Chosen { system, .. } = source.system(&node).map_err(|it| Error::Reported(it.outcome))?;
            Box::new(Model { system, in_doubles: source.computes_in_doubles(), rows: Vec::new() })
        }
        (None, Some(command)) => {
            words = command.split_whitespace().map(str::to_owned).collect();
            Box::new(Program::new(&words, &variables, map, Duration::from_secs_f64(tried.step_timeout)))
        }
        (None, None) => return Ok(()),
    };
    let mut subject = Renamed { inner: subject.as_mut(), map };
    let mut runner = Runner { set, made, component, silent: 0, shown: BTreeSet::new() };
    for test in 0..made.tests.len() {
        let ran = runner.fixed(test, &mut subject);
        tested.runs.push(ran);
    }
    let can_be_forced =
        |at: &usize| matches!(made.obligations[*at].1, Status::Covered { forced: Ok(true), .. });
    let left = (0..made.obligations.len()).filter(|at| can_be_forced(at) && !runner.shown.contains(at));
    let left: Vec<usize> = left.collect();
    for obligations in left.chunk_by(|a, b| made.obligations[*a].0.member == made.obligations[*b].0.member) {
        tested.runs.extend(runner.forced(obligations, config, &mut subject));
    }
    let first = tested.obligations.len() - made.obligations.len();
    for (at, it) in tested.obligations[first..].iter_mut().enumerate() {
        it.result = Some(if runner.shown.contains(&at) { "shown" } else { "not shown" });
    }
    Ok(())
}

/// Requirements as they are watched, by index.
type Watches = Vec<(usize, Watch)>;

struct Runner<'a> {
    set: &'a mut ComponentSet,
    made: &'a Suite,
    component: &'a str,
    /// Tests in a row without an answer.
    silent: usize,
    /// The obligations that were shown.
    shown: BTreeSet<usize>,
}

impl Runner<'_> {
    /// Runs a test with its own inputs.
    fn fixed(&mut self, test: usize, subject: &mut dyn Subject) -> Ran {
        let it = &self.made.tests[test];
        let group = &self.made.groups[it.group];
        let (requirements, assumptions) = self.watches(&group.members);
        let is_mine = |status: &Status| matches!(status, Status::Covered { test: at, .. } if *at == test);
        let mine: Vec<usize> =
            (0..self.made.obligations.len()).filter(|at| is_mine(&self.made.obligations[*at].1)).collect();
        let goals: Vec<Formula> = mine.iter().map(|it| self.made.obligations[*it].0.formula).collect();
        let needed = mentioned(&self.set.store, &self.set.variables, &requirements);
        let judges = Judges {
            requirements: &requirements,
            assumptions: &assumptions,
            goals: &goals,
            needed: &needed,
            settles: true,
        };
        let rest = defaults(&self.set.variables);
        let mut next = |steps: &[Vec<(String, Value)>]| {
            (steps.len() < it.trace.len()).then(|| inputs(it, &group.outputs, &rest, steps.len()))
        };
        let name = test_name(self.component, test);
        if self.silent >= PATIENCE {
            return self.left_out(name, false);
        }
        let done = attempt(&self.set.store, judges, &mut next, subject);
        self.shown.extend(done.shown.iter().map(|it| mine[*it]));
        self.ran(name, false, done)
    }

    /// Runs strategies for obligations of one requirement.
    fn forced(&mut self, obligations: &[usize], config: Config, subject: &mut dyn Subject) -> Vec<Ran> {
        let Some(&first) = obligations.first() else { return Vec::new() };
        let member = self.made.obligations[first].0.member;
        let name =
            |it: &usize| format!("{}: {}", self.set.members[member].id, self.made.obligations[*it].0.text);
        let names: Vec<String> = obligations.iter().map(name).collect();
        if self.silent >= PATIENCE {
            return names.into_iter().map(|it| self.left_out(it, true)).collect();
        }
        let group = self.made.groups.iter().find(|it| it.members.contains(&member));
        let in_group = |at: &usize| {
            self.set.members[*at].assumption || group.is_some_and(|group| group.members.contains(at))
        };
        let chosen: Vec<usize> = (0..self.set.members.len()).filter(in_group).collect();
        let members: Vec<Member> = chosen.iter().map(|at| self.set.members[*at].member()).collect();
        let goals: Vec<Formula> = obligations.iter().map(|it| self.made.obligations[*it].0.formula).collect();
        let rest = defaults(&self.set.variables);
        let with = (&rest[..], subject, 1);
        let done = force(&mut self.set.store, &self.set.variables, &members, &goals, config, with);
        let mut all = Vec::new();
        for ((obligation, name), done) in obligations.iter().zip(names).zip(done) {
            let mut attempt = match done {
                Ok(Some(mut done)) if !done.is_empty() => done.remove(0).attempt,
                other => {
                    let why =
                        other.err().map_or_else(|| "no strategy was found".to_owned(), |it| it.to_string());
                    Attempt { verdict: Verdict::Inconclusive(why), trace: None, shown: Vec::new() }
                }
            };
            if let Verdict::Failed { member, .. } = &mut attempt.verdict {
                *member = chosen[*member];
            }
            if !attempt.shown.is_empty() {
                self.shown.insert(*obligation);
            }
            all.push(self.ran(name, true, attempt));
        }
        all
    }

    fn watches(&mut self, chosen: &[usize]) -> (Watches, Watches) {
        let (mut requirements, mut assumptions) = (Vec::new(), Vec::new());
        for (at, it) in self.set.members.iter().enumerate() {
            if let Ok(watch) = watch(&mut self.set.store, &it.requirement) {
                match it.assumption {
                    true => assumptions.push((at, watch)),
                    false if chosen.contains(&at) => requirements.push((at, watch)),
                    false => {}
                }
            }
        }
        (requirements, assumptions)
    }

    fn left_out(&self, test: String, strategy: bool) -> Ran {
        let reason = Some(format!("not run: {PATIENCE} tests in a row got no answer"));
        Ran { test, strategy, result: "broken", requirement: None, step: None, reason, steps: Vec::new() }
    }

    fn ran(&mut self, test: String, strategy: bool, done: Attempt) -> Ran {
        let steps = done.trace.as_ref().map(steps).unwrap_or_default();
        let mut ran =
            Ran { test, strategy, result: "passed", requirement: None, step: None, reason: None, steps };
        self.silent = if matches!(done.verdict, Verdict::Broken { .. }) { self.silent + 1 } else { 0 };
        match done.verdict {
            Verdict::Passed => {}
            Verdict::Failed { member, step } => {
                ran.result = "failed";
                (ran.requirement, ran.step) = (Some(self.set.members[member].id.clone()), Some(step));
            }
            Verdict::Inconclusive(reason) => (ran.result, ran.reason) = ("inconclusive", Some(reason)),
            Verdict::Broken { step, reason } => {
                (ran.result, ran.step, ran.reason) = ("broken", Some(step), Some(reason));
            }
        }
        ran
    }
}

/// A system that has other names for some variables.
struct Renamed<'a> {
    inner: &'a mut dyn Subject,
    map: &'a [(String, String)],
}

impl Subject for Renamed<'_> {
    fn restart(&mut self) -> Result<(), Broken> {
        self.inner.restart()
    }

    fn step(&mut self, inputs: &[(String, Value)]) -> Result<Vec<(String, Value)>, Broken> {
        let there = |name: &String| self.map.iter().find(|it| it.0 == *name).map_or(name, |it| &it.1).clone();
        let inputs: Vec<(String, Value)> = inputs.iter().map(|it| (there(&it.0), it.1.clone())).collect();
        let here = |name: String| self.map.iter().find(|it| it.1 == name).map_or(name, |it| it.0.clone());
        Ok(self.inner.step(&inputs)?.into_iter().map(|it| (here(it.0), it.1)).collect())
    }
}

/// The inputs of a step of a test: its own, and other ones that have any value.
pub(super) fn inputs(
    test: &suite::Test,
    outputs: &[String],
    rest: &[(String, Value)],
    step: usize,
) -> Vec<(String, Value)> {
    let names = test.trace.names();
    let own = (0..names.len()).filter(|at| !outputs.contains(&names[*at]));
    let own = own.map(|at| (names[at].clone(), test.trace.value(at, step).clone()));
    own.chain(rest.iter().filter(|it| !names.contains(&it.0)).cloned()).collect()
}

/// How runs end.
pub(super) fn outcome(runs: &[Ran]) -> Outcome {
    let has = |result: &str| runs.iter().any(|it| it.result == result);
    match (has("failed") || has("broken"), has("inconclusive")) {
        (true, _) => Outcome::Findings,
        (false, true) => Outcome::Inconclusive,
        (false, false) => Outcome::Fine,
    }
}

/// A run in words, if it did not pass.
pub(super) fn words(ran: &Ran) -> Option<String> {
    let step = ran.step.map_or(String::new(), |it| format!(" at step {it}"));
    let requirement = ran.requirement.as_deref().unwrap_or_default();
    let reason = ran.reason.as_deref().unwrap_or_default();
    match ran.result {
        "passed" => None,
        "failed" => Some(format!("{requirement} is violated{step}")),
        _ => Some(format!("{reason}{step}")),
    }
}

/// The results as JUnit XML.
pub(super) fn junit(tested: &Tested) -> String {
    let count = |result: &str| tested.runs.iter().filter(|it| it.result == result).count();
    let (all, failed, broken, open) =
        (tested.runs.len(), count("failed"), count("broken"), count("inconclusive"));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"shall tests\">\n  <testsuite name=\"requirements\" tests=\"{all}\" failures=\"{failed}\" errors=\"{broken}\" skipped=\"{open}\">\n"
    );
    for ran in &tested.runs {
        let text = words(ran).map(|it| escaped(&it)).unwrap_or_default();
        let content = match ran.result {
            "failed" => {
                let id = escaped(ran.requirement.as_deref().unwrap_or_default());
                format!("<failure type=\"{id}\" message=\"{text}\"/>")
            }
            "broken" => format!("<error message=\"{text}\"/>"),
            "inconclusive" => format!("<skipped message=\"{text}\"/>"),
            _ => String::new(),
        };
        let class = if ran.strategy { "strategies" } else { "tests" };
        let name = escaped(&ran.test);
        let _ = writeln!(out, "    <testcase classname=\"{class}\" name=\"{name}\">{content}</testcase>");
    }
    out + "  </testsuite>\n</testsuites>\n"
}

/// The results as a page: what every requirement must show, by which test, and what came of it.
pub(super) fn html(tested: &Tested) -> String {
    let mut rows = String::new();
    for it in &tested.obligations {
        let ran = it.test.as_ref().and_then(|test| tested.runs.iter().find(|ran| ran.test == *test));
        let came = match (it.status, it.result) {
            ("covered", Some(result)) => result,
            (status, _) => status,
        };
        let why = ran.and_then(words).unwrap_or_default();
        let cells = [&it.requirement, it.kind, &it.text, it.test.as_deref().unwrap_or_default(), came, &why];
        let cells: String = cells.iter().map(|it| format!("<td>{}</td>", escaped(it))).collect();
        let _ = writeln!(rows, "<tr class=\"{}\">{cells}</tr>", came.replace(' ', "-"));
    }
    let mut runs = String::new();
    for ran in &tested.runs {
        let cells = [ran.test.as_str(), ran.result, &words(ran).unwrap_or_default()];
        let cells: String = cells.iter().map(|it| format!("<td>{}</td>", escaped(it))).collect();
        let _ = writeln!(runs, "<tr class=\"{}\">{cells}</tr>", ran.result);
    }
    let tables: String = tested.tests.iter().map(table).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>shall tests</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
        <h1>Tests</h1>\n<table>\n<thead><tr><th>test</th><th>result</th><th>reason</th></tr></thead>\n<tbody>\n{runs}</tbody>\n</table>\n\
        <h1>Requirements</h1>\n<table>\n<thead><tr><th>requirement</th><th>criterion</th><th>must be shown</th><th>test</th><th>result</th><th>reason</th></tr></thead>\n\
        <tbody>\n{rows}</tbody>\n</table>\n\
        <h1>Inputs and outputs</h1>\n<p>A correct system may choose other outputs than those in parentheses.</p>\n{tables}</body>\n</html>\n"
    )
}

/// A test as a table, with a column for each step.
fn table(test: &super::Test) -> String {
    let trace = &test.trace;
    let steps: String = (0..trace.len()).map(|step| format!("<th>{step}</th>")).collect();
    let mut rows = String::new();
    for (column, name) in trace.names().iter().enumerate() {
        let cell = |step: usize| {
            let value = escaped(&program::cell(trace.value(column, step)));
            match test.free[step].contains(name) {
                true => format!("<td class=\"free\">({value})</td>"),
                false => format!("<td>{value}</td>"),
            }
        };
        let cells: String = (0..trace.len()).map(cell).collect();
        let _ = writeln!(rows, "<tr><th>{}</th>{cells}</tr>", escaped(name));
    }
    let name = escaped(&test.name);
    format!(
        "<h2>{name}</h2>\n<table class=\"steps\">\n<thead><tr><th>step</th>{steps}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )
}

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}
td,th{padding:.3rem .6rem;border-bottom:1px solid #8886;text-align:left;vertical-align:top}
tr.failed td,tr.broken td{color:#c62828}
tr.inconclusive td,tr.not-shown td,tr.unknown td{color:#b26a00}
table.steps{width:auto}
td.free{opacity:.6}
";
