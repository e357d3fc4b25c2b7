//! `shall watch`: violations as they happen, on rows of CSV that arrive on standard input.
//!
//! The formulas are those of monitors, followed step by step on exact values. A violation is told as soon as a row shows it; at the end
//! of the input each requirement gets its verdict.

mod growing;

use super::eval::explained::decided;
use super::eval::plan::{Columns, Map};
use super::export::Chosen;
use super::monitor::chosen;
use crate::cli::Output;
use crate::cli::exchange::Watch as Command;
use crate::files::print_bytes;
use crate::render::visible;
use crate::{Error, Outcome, tell};
use ::export::specification::{Subject, Subjects};
use base::counted;
use growing::Growing;
use logic::{EvalError, Formula, Node, Online, Store, Value};
use record::csv::{Csv, Malformed};
use record::{Block, Input, Kind, Run};
use requirement::oracle::Verdict;
use requirement::specification::Type;
use requirement::{Fields, Requirement, Watch, reason};
use schemars::JsonSchema;
use serde::Serialize;
use std::io;
use syntax::fretish::Sentence;

/// A violation that begins, or a verdict at the end.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Event<'e> {
    /// The id of the requirement.
    requirement: &'e str,
    /// `violated` as soon as a violation begins; at the end `holds`, `vacuous`, `violated` or `not_checked`.
    verdict: &'e str,
    /// Whether this is the verdict at the end.
    is_final: bool,
    /// The step at which the violation begins, or the first violating step.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<u64>,
    /// The time of that step.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    /// The step of the trigger whose response is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    trigger: Option<u64>,
    /// At the end, the number of steps that violate the requirement.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    /// Why the requirement is violated, or not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

pub(crate) fn run(command: &Command, output: Output) -> Result<Outcome, Error> {
    let Some(mut chosen) = chosen(&command.which)? else { return Ok(Outcome::Findings) };
    let unread = |error: Malformed| Error::input("standard input", error);
    let growing = Growing::of(io::stdin().lock()).map_err(unreadable)?;
    let mut csv = Csv::open(&growing).map_err(unread)?;
    // Names mean the same columns as for `shall eval`.
    let signals = csv.head().signals.iter().map(|signal| (signal.name.clone(), signal.sort));
    let map = Map { given: command.map.clone(), kept: chosen.columns.clone().into_iter().collect() };
    let columns = Columns::new(signals, &map)?;
    let column = |variable: &str| {
        columns.number(variable).or_else(|| columns.alike(variable).map(|(_, (number, _))| number))
    };
    chosen.recorded(|name| column(name).is_some());
    let subjects = Subjects::of(&mut chosen.store, &chosen.components);
    let read = subjects.variables.iter().filter_map(|variable| {
        let kind = match variable.ty {
            Type::Bool => Kind::Truth,
            Type::Enum(_) => Kind::Name,
            Type::Int(_) | Type::Real(_) => Kind::Number,
        };
        Some((Input { name: variable.name.clone(), kind }, column(&variable.name)?))
    });
    let (mut inputs, mut numbers): (Vec<Input>, Vec<usize>) = read.unzip();
    let own_count = inputs.len();
    if let Some(time) = csv.head().time {
        inputs.push(Input { name: String::new(), kind: Kind::Number });
        numbers.push(time.column);
    }
    let mut watched: Vec<Watched> =
        subjects.list.iter().map(|it| Watched::new(&chosen, it, &inputs[..own_count])).collect();
    let unable = subjects.left_out.iter().map(|it| (&it.id, &it.reason));
    let left_out: Vec<_> = chosen.left_out.iter().map(|it| (&it.id, &it.reason)).chain(unable).collect();
    let absent = watched.iter().filter_map(|it| Some((&it.subject.id, it.flaw.as_ref()?)));
    for (id, reason) in left_out.iter().map(|(id, reason)| (*id, *reason)).chain(absent) {
        tell(format_args!("warning: `{}` is not watched: {}", visible(id), visible(reason)));
    }
    csv.select(&numbers.into_iter().map(Some).collect::<Vec<_>>());
    let mut block = Block::new(&inputs);
    let mut mark = csv.mark(&block);
    let mut clock = Clock::default();
    let mut broken = None;
    while broken.is_none() {
        csv.go_to(mark, &mut block).map_err(unread)?;
        if let Err(error) = csv.fill(&mut block) {
            broken = Some(Broken { reason: error.to_string(), is_disordered: false });
        }
        let mut out = Vec::new();
        for row in 0..block.rows {
            let time = inputs.get(own_count).map(|_| block.columns[own_count].value(row));
            if !clock.tick(time) {
                let reason = format!("the time at step {} is not after the one before", clock.steps);
                broken = Some(Broken { reason, is_disordered: true });
                break;
            }
            for it in &mut watched {
                if let Some(begun) = it.step(&chosen.store, &inputs, &block, row, &clock) {
                    out.extend(it.event(begun).text(output).into_bytes());
                }
            }
        }
        print_bytes(&out)?;
        mark = csv.mark(&block);
        // Rows before one that cannot be read come first; it is met when reading goes on after them.
        if block.rows == 0 && broken.is_none() && !growing.more().map_err(unreadable)? {
            break;
        }
    }
    if clock.steps == 0 {
        let reason = broken.map_or("there is a header but no rows".into(), |it| it.reason);
        return Err(Error::input("standard input", reason));
    }
    let mut outcome = if left_out.is_empty() { Outcome::Fine } else { Outcome::Inconclusive };
    let mut out = Vec::new();
    for it in &mut watched {
        outcome = outcome.max(it.end(&clock, broken.as_ref(), output, &mut out));
    }
    print_bytes(&out)?;
    Ok(outcome)
}

fn unreadable(error: io::Error) -> Error {
    Error::Read("standard input".into(), error)
}

impl Event<'_> {
    fn new<'e>(requirement: &'e str, verdict: &'e str, step: Option<u64>, time: Option<String>) -> Event<'e> {
        let (trigger, count, reason) = (None, None, None);
        Event { requirement, verdict, is_final: false, step, time, trigger, count, reason }
    }

    fn text(&self, output: Output) -> String {
        let human = || {
            let mut text = format!("{}: {}", visible(self.requirement), self.verdict.replace('_', " "));
            if let Some(step) = self.step {
                text += if self.is_final { ", first at step " } else { " at step " };
                text += &step.to_string();
            }
            if let Some(time) = &self.time {
                text += &format!(", time {time}");
            }
            if let Some(count) = self.count.filter(|&count| count > 0) {
                text += &format!("; {} in all", counted(count as usize, "step"));
            }
            if let Some(reason) = &self.reason {
                text += &format!(": {}", visible(reason));
            }
            format!("{text}\n")
        };
        match output {
            Output::Human => human(),
            // Nobody waits for the end of a document.
            Output::Json | Output::JsonLines => format!("{}\n", Output::JsonLines.text(self)),
        }
    }
}

/// Why the trace is not read further.
struct Broken {
    reason: String,
    /// Whether the order of the rows is in doubt, so that nothing is checked.
    is_disordered: bool,
}

/// The steps so far.
#[derive(Default)]
struct Clock {
    steps: u64,
    /// The times of the last step and of the one before it.
    times: [Option<Value>; 2],
}

impl Clock {
    /// The next step; false if its time is not after the last one.
    fn tick(&mut self, time: Option<Value>) -> bool {
        let [last, _] = &mut self.times;
        if let (Some(Value::Num(before)), Some(Value::Num(now))) = (&last, &time)
            && now <= before
        {
            return false;
        }
        self.times = [time, last.take()];
        self.steps += 1;
        true
    }

    /// The last step, or the one before it, with its time.
    fn at(&self, ago: usize) -> (u64, Option<String>) {
        let shown = |value: &Value| match value {
            Value::Num(number) => logic::format_decimal(number),
            Value::Bool(_) | Value::Name(_) => None,
        };
        (self.steps - 1 - ago as u64, self.times[ago].as_ref().and_then(shown))
    }
}

/// A requirement in the course of the trace.
struct Watched<'s> {
    id: &'s str,
    subject: &'s Subject,
    /// The requirement and the texts of its fields, to say why it is violated.
    meaning: Option<(&'s Requirement, Fields)>,
    online: Option<Online>,
    /// The first step of the current scope interval, and of the time in which a trigger has been active.
    scope: Option<u64>,
    active: Option<u64>,
    /// The same at the step of the last row that is violated.
    run_began: (Option<u64>, Option<u64>),
    /// The inputs that it uses.
    used: Vec<usize>,
    /// Why it is not checked from some step on.
    flaw: Option<String>,
    /// Why its verdict was open at some step.
    open: Option<String>,
    owed: bool,
    triggered: bool,
    /// The first violating step, with its time, and the last one.
    first: Option<(u64, Option<String>)>,
    last: Option<u64>,
    count: u64,
}

impl<'s> Watched<'s> {
    fn new(chosen: &'s Chosen, subject: &'s Subject, inputs: &[Input]) -> Watched<'s> {
        let store = &chosen.store;
        let names = subject.names(store);
        let item = chosen.components.iter().flat_map(|it| &it.items).find(|item| item.id == subject.id);
        let meaning = item.map(|item| {
            let parse = syntax::fretish::parse(&item.text);
            (&item.requirement, Fields::of(Sentence::of(&parse.tree)))
        });
        let more = [Some(subject.watch.scope), subject.watch.active].into_iter().flatten();
        let formulas: Vec<Formula> = subject.formulas().into_iter().chain(more).collect();
        let missing: Vec<String> = names
            .iter()
            .filter(|name| !inputs.iter().any(|input| input.name == **name))
            .map(|name| format!("`{name}`"))
            .collect();
        let word = if missing.len() == 1 { "column" } else { "columns" };
        let online = Online::new(store, &formulas);
        let unable = online.is_none().then(|| "the formula is not of past time".to_owned());
        let absent = (!missing.is_empty()).then(|| format!("the trace has no {word} {}", missing.join(", ")));
        Watched {
            id: &subject.id,
            subject,
            meaning,
            online,
            scope: None,
            active: None,
            run_began: (None, None),
            used: (0..inputs.len()).filter(|&at| names.contains(&inputs[at].name)).collect(),
            flaw: absent.or(unable),
            open: None,
            owed: false,
            triggered: false,
            first: None,
            last: None,
            count: 0,
        }
    }

    /// Reads a row. Returns the step at which a violation begins, with its time.
    fn step(
        &mut self,
        store: &Store,
        inputs: &[Input],
        block: &Block,
        row: usize,
        clock: &Clock,
    ) -> Option<(u64, Option<String>)> {
        let step = block.start + row as u64;
        let flaws = self.used.iter().filter_map(|&at| block.columns[at].flaw.as_ref());
        if let Some(flaw) = flaws.filter(|flaw| flaw.step <= step).min_by_key(|flaw| flaw.step) {
            self.flaw.get_or_insert_with(|| format!("{}: {}", flaw.place, flaw.reason));
        }
        let (Some(online), None) = (&mut self.online, &self.flaw) else { return None };
        let mut leaf = |_, node: &Node| match node {
            Node::Var(symbol) => {
                let name = store.name(*symbol);
                let at = inputs.iter().position(|input| input.name == name);
                let at = at.ok_or_else(|| EvalError::MissingColumn { name: name.to_owned() })?;
                Ok(block.columns[at].value(row))
            }
            _ => Err(EvalError::UnfilledHole),
        };
        online.step(store, &mut leaf);
        let [bad, left, owed, trigger] = self.subject.formulas().map(|formula| online.holds(formula));
        if let Some(error) = [&bad, &left].into_iter().find_map(|value| value.as_ref().err()) {
            self.open.get_or_insert_with(|| format!("at step {step}: {error}"));
        }
        let Watch { scope, active, .. } = self.subject.watch;
        let since = |formula: Formula, from: Option<u64>| {
            (online.holds(formula) == Ok(true)).then(|| from.unwrap_or(step))
        };
        // What is shown one step later belongs to the interval before.
        let before = (self.scope, self.active);
        self.scope = since(scope, self.scope);
        self.active = active.and_then(|active| since(active, self.active));
        if bad != Ok(true) && left == Ok(true) {
            self.run_began = before;
        } else {
            self.run_began = (self.scope, self.active);
        }
        self.owed = owed == Ok(true);
        self.triggered |= trigger == Ok(true);
        match (bad, left) {
            (Ok(true), _) => self.violate(clock.at(0)),
            (_, Ok(true)) => self.violate(clock.at(1)),
            _ => None,
        }
    }

    /// A violation that begins at a step.
    fn event(&self, (step, time): (u64, Option<String>)) -> Event<'s> {
        let event = Event::new(self.id, "violated", Some(step), time);
        let Some((requirement, fields)) = &self.meaning else { return event };
        let (scope, trigger) = self.run_began;
        let run = Run { first: step, last: step, interval: scope.unwrap_or(0), trigger };
        let decision = decided(requirement, &run);
        let verdict = Verdict { violation: Some(decision), met: None, intervals: 1, triggers: 1 };
        let reason = reason(requirement, fields, &verdict);
        Event { trigger: Some(decision.trigger as u64), reason: Some(reason), ..event }
    }

    /// Records a violating step, and returns it if the one before it is not.
    fn violate(&mut self, (step, time): (u64, Option<String>)) -> Option<(u64, Option<String>)> {
        let continues = self.last.is_some_and(|last| last + 1 == step);
        self.count += 1;
        self.last = Some(step);
        self.first.get_or_insert_with(|| (step, time.clone()));
        (!continues).then_some((step, time))
    }

    /// Writes the verdict at the end of the trace.
    fn end(&mut self, clock: &Clock, broken: Option<&Broken>, output: Output, out: &mut Vec<u8>) -> Outcome {
        if self.owed && self.flaw.is_none() && broken.is_none() {
            self.violate(clock.at(0));
        }
        if broken.is_some_and(|it| it.is_disordered) {
            (self.first, self.count) = (None, 0);
        }
        let broken = broken.map(|it| it.reason.as_str());
        let flaw = self.flaw.as_deref().or(broken).or(self.open.as_deref());
        let (verdict, outcome) = match (&self.first, flaw) {
            (Some(_), _) => ("violated", Outcome::Findings),
            (None, Some(_)) => ("not_checked", Outcome::Inconclusive),
            (None, None) if self.triggered => ("holds", Outcome::Fine),
            (None, None) => ("vacuous", Outcome::Fine),
        };
        let (step, time) = self.first.clone().unzip();
        let cut_short = |flaw: &str| match self.first {
            Some(_) => format!("not checked to the end: {flaw}"),
            None => flaw.to_owned(),
        };
        let event = Event {
            is_final: true,
            count: Some(self.count),
            reason: flaw.map(cut_short),
            ..Event::new(self.id, verdict, step, time.flatten())
        };
        out.extend(event.text(output).into_bytes());
        outcome
    }
}
