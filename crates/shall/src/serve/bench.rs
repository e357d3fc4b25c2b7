//! The trace bench: a sentence on a trace that somebody paints, with what is due and when.

use super::project::Known;
use crate::Error;
use crate::json;
use crate::reading::{Given, Reading};
use ::serve::{Kind, Refusal};
use logic::{EvalError, Node, Sort, Trace, Value};
use requirement::oracle::{Decision, Interval, decisions, judge};
use requirement::{Requirement, reason};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// The most steps of a trace.
const MAX_STEPS: usize = 1000;

/// A sentence and a trace.
#[derive(Deserialize)]
pub(super) struct Asked {
    text: String,
    /// The component of the project to which the sentence belongs.
    pub(super) component: Option<String>,
    steps: usize,
    #[serde(default)]
    columns: Vec<Column>,
}

/// The values of a signal.
#[derive(Deserialize, Serialize, JsonSchema, Clone)]
struct Column {
    /// Its name.
    name: String,
    /// A value for each step.
    #[schemars(with = "Vec<json::Value>")]
    values: Vec<Json>,
}

/// What is known about a sentence on a trace.
#[derive(Serialize, JsonSchema, Default)]
pub(crate) struct Benched {
    /// The signals of the sentence.
    signals: Vec<Signal>,
    /// Their values: as they were given, and false, 0 or nothing where none was given.
    columns: Vec<Column>,
    /// `holds`, `vacuous` (it was never triggered) or `violated`.
    verdict: Option<&'static str>,
    /// Why.
    reason: Option<String>,
    /// Why there is no verdict.
    error: Option<String>,
    /// Where the sentence applies.
    intervals: Vec<Steps>,
    /// What triggers it, and what comes of it.
    triggers: Vec<Trigger>,
}

/// A signal and its values.
#[derive(Serialize, JsonSchema)]
struct Signal {
    /// Its name.
    name: String,
    /// `bool`, `int`, `real`, `enum` or `any`.
    sort: &'static str,
}

/// Steps of a trace, both ends included; without an end, they never end.
#[derive(Serialize, JsonSchema)]
struct Steps {
    /// The first step.
    from: usize,
    /// The last step.
    to: Option<usize>,
}

/// A trigger.
#[derive(Serialize, JsonSchema)]
struct Trigger {
    /// Where it is.
    step: usize,
    /// The interval in which it is.
    interval: Steps,
    /// The step that decides what comes of it; there is none if that takes forever.
    decided: Option<usize>,
    /// Whether what is required then comes.
    met: bool,
    /// Whether it need not come, because the interval ends before it is due.
    cut: bool,
}

impl From<Interval> for Steps {
    fn from(Interval { lo, hi }: Interval) -> Steps {
        Steps { from: lo, to: reached(hi) }
    }
}

/// A step, unless it is never reached.
fn reached(step: usize) -> Option<usize> {
    (step != usize::MAX).then_some(step)
}

pub(super) fn answer(asked: &Asked, known: &Known) -> Result<Json, Refusal> {
    if asked.steps == 0 || asked.steps > MAX_STEPS {
        return Err(Refusal::new(Kind::Malformed, format_args!("a trace has 1 to {MAX_STEPS} steps")));
    }
    let reading = Reading::of(Given::of(&asked.text), &known.context);
    let Some(requirement) = &reading.lowered.requirement else {
        return Ok(json!(Benched { error: Some("the sentence has errors".into()), ..Benched::default() }));
    };
    let signals = signals(&reading, requirement);
    let mut benched = Benched {
        columns: signals.iter().map(|(name, sort)| asked.column(name, *sort)).collect(),
        signals: signals.into_iter().map(|(name, sort)| Signal { name, sort: word(sort) }).collect(),
        ..Benched::default()
    };
    let judged = trace(&benched.columns, asked.steps)
        .and_then(|trace| benched.judge(&reading, requirement, &trace).map_err(Error::refused));
    benched.error = judged.err().map(|error| error.to_string());
    Ok(json!(benched))
}

impl Benched {
    fn judge(
        &mut self,
        reading: &Reading,
        requirement: &Requirement,
        trace: &Trace,
    ) -> Result<(), EvalError> {
        let verdict = judge(&reading.store, requirement, trace)?;
        let (intervals, triggers) = decisions(&reading.store, requirement, trace)?;
        self.verdict = Some(match (verdict.holds(), verdict.vacuous()) {
            (_, true) => "vacuous",
            (true, false) => "holds",
            (false, false) => "violated",
        });
        self.reason = Some(reason(requirement, &reading.fields, &verdict));
        self.intervals = intervals.into_iter().map(Steps::from).collect();
        let trigger = |(Decision { interval, trigger, step, cut }, met)| Trigger {
            step: trigger,
            interval: interval.into(),
            decided: reached(step),
            met,
            cut,
        };
        self.triggers = triggers.into_iter().map(trigger).collect();
        Ok(())
    }
}

impl Asked {
    /// The column of a signal: as it was given, or false, zero or empty where nothing was given.
    fn column(&self, name: &str, sort: Sort) -> Column {
        let empty = match sort {
            Sort::Bool | Sort::Any => Json::Bool(false),
            Sort::Int | Sort::Real => json!(0),
            Sort::Enum => json!(""),
        };
        let given = self.columns.iter().find(|column| column.name == name);
        let mut values = given.map_or_else(Vec::new, |column| column.values.clone());
        values.resize(self.steps, empty);
        Column { name: name.to_owned(), values }
    }
}

/// The signals of a requirement with their sorts, in the order of the sentence.
fn signals(reading: &Reading, requirement: &Requirement) -> Vec<(String, Sort)> {
    let Reading { store, lowered, .. } = reading;
    let predicates = requirement.predicates.iter().flat_map(requirement::Predicate::arguments);
    let roots = requirement.expressions().map(logic::Formula::id).chain(predicates);
    let mut signals = Vec::new();
    for id in store.reachable_until(roots, |node| matches!(node, Node::Call(..))) {
        let name = match store.node(id) {
            Node::Var(symbol) => store.name(*symbol).to_owned(),
            Node::Call(..) => logic::print(store, id, &logic::SHALL).unwrap_or_default(),
            _ => continue,
        };
        let sort = lowered.sorts.names.get(&name).copied().unwrap_or(match store.as_formula(id) {
            Some(_) => Sort::Bool,
            None => Sort::Any,
        });
        signals.push((name, sort));
    }
    signals
}

fn word(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "bool",
        Sort::Int => "int",
        Sort::Real => "real",
        Sort::Enum => "enum",
        Sort::Any => "any",
    }
}

fn trace(columns: &[Column], steps: usize) -> Result<Trace, Error> {
    let empty = Trace::new(steps, None).map_err(Error::refused)?;
    columns.iter().try_fold(empty, |trace, Column { name, values }| {
        let values = values.iter().map(value).collect::<Option<Vec<Value>>>();
        let values =
            values.ok_or_else(|| Error::Refused(format!("`{name}` has a value of no known kind")))?;
        trace.with(name, values).map_err(Error::refused)
    })
}

/// A value: a Boolean, a number, or a text that is a number or a name.
fn value(value: &Json) -> Option<Value> {
    match value {
        Json::Bool(truth) => Some(Value::Bool(*truth)),
        Json::Number(number) => logic::parse_decimal(&number.to_string()).map(Value::Num),
        Json::String(text) => Some(match logic::parse_decimal(text.trim()) {
            Some(number) => Value::Num(number),
            None => Value::Name(text.trim().to_owned()),
        }),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}
