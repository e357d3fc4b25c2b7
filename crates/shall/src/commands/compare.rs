//! `shall compare`: is one requirement or formula stronger than another, and which trace tells them apart?

use crate::around::Sources;
use crate::cli::{Compare, Output};
use crate::json::{self, Diagnostic, Values};
use crate::reading::Side;
use crate::{Error, Outcome, render};
use check::{Comparison, Relation, Subject, Traces, Undecided, compare};
use logic::{Store, Trace};
use requirement::oracle::judge;
use requirement::reason;
use schemars::JsonSchema;
use serde::Serialize;
use syntax::Severity;

pub(crate) fn run(command: &Compare, output: Output) -> Result<Outcome, Error> {
    let sources = Sources::open(&command.around, [&command.a, &command.b])?;
    let Answer { store, a, b, compared } = Answer::new(command, &sources)?;
    let outcome = match &compared {
        None => Outcome::Findings,
        Some(Ok(_)) => Outcome::Fine,
        Some(Err(Undecided::Replay)) => Outcome::Failure,
        Some(Err(_)) => Outcome::Inconclusive,
    };
    if output == Output::Human {
        a.complain();
        b.complain();
    }
    let people = || {
        compared.as_ref().map(|compared| render::lines(&human(&store, &a, &b, compared))).unwrap_or_default()
    };
    output.show(people, || document(&store, &a, &b, compared.as_ref()))?;
    Ok(outcome)
}

/// The document about two texts that are not in a project.
pub(crate) fn answer(command: &Compare) -> Result<serde_json::Value, Error> {
    let Answer { store, a, b, compared } = Answer::new(command, &Sources::none())?;
    Ok(serde_json::json!(document(&store, &a, &b, compared.as_ref())))
}

/// Two texts and how they relate, if both can be read.
struct Answer {
    store: Store,
    a: Side,
    b: Side,
    compared: Option<Result<Comparison, Undecided>>,
}

impl Answer {
    fn new(command: &Compare, sources: &Sources) -> Result<Answer, Error> {
        let context = command.known.context()?;
        let mut store = Store::default();
        let mut side = |text: &str| Side::of(&mut store, sources, sources.one(text)?, &context);
        let (a, b) = (side(&command.a)?, side(&command.b)?);
        let traces = if command.infinite { Traces::Infinite } else { Traces::Finite };
        let compared = match (&a.subject, &b.subject) {
            (Some(one), Some(two)) => Some(compare(&mut store, one, two, traces)),
            (None, _) | (_, None) => None,
        };
        Ok(Answer { store, a, b, compared })
    }
}

impl Side {
    /// What the trace means for this side: whether it holds, and for a sentence why.
    fn verdict(&self, store: &Store, trace: &Trace, holds: bool) -> String {
        let word = if holds { "holds" } else { "is violated" };
        match (&self.subject, &self.fields) {
            (Some(Subject::Requirement(requirement)), Some(fields)) => match judge(store, requirement, trace)
            {
                Ok(verdict) => format!("{word}: {}", reason(requirement, fields, &verdict)),
                Err(_) => word.into(),
            },
            _ => {
                if holds {
                    "is true".into()
                } else {
                    "is false".into()
                }
            }
        }
    }
}

fn human(store: &Store, a: &Side, b: &Side, compared: &Result<Comparison, Undecided>) -> String {
    let mut out = format!("A: {}\nB: {}\n", a.text.trim(), b.text.trim());
    let Comparison { relation, a_not_b, b_not_a } = match compared {
        Ok(comparison) => comparison,
        Err(reason) => return format!("{out}not decided: {reason}\n"),
    };
    out.push_str(match relation {
        Relation::Equal => "equal: they hold on the same traces.\n",
        Relation::Stronger => "A is stronger: wherever A holds, B holds.\n",
        Relation::Weaker => "A is weaker: wherever B holds, A holds.\n",
        Relation::Incomparable => "incomparable: each can hold without the other.\n",
        Relation::Contradictory => "contradictory: they never hold together.\n",
    });
    for (title, trace, a_holds) in [("A without B", a_not_b, true), ("B without A", b_not_a, false)] {
        if let Some(trace) = trace {
            let kind = match trace.loop_start() {
                None => "the shortest trace",
                Some(_) => "a trace that repeats from ↻ on for ever",
            };
            out.push_str(&format!("\n{title}, {kind}:\n\n"));
            draw::table::text(trace).lines().for_each(|line| out.push_str(&format!("  {line}\n")));
            out.push_str(&format!("\n  A {}\n", a.verdict(store, trace, a_holds)));
            out.push_str(&format!("  B {}\n", b.verdict(store, trace, !a_holds)));
        }
    }
    out
}

/// How two texts relate.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Compared<'a> {
    /// The first text as it was given.
    a: &'a str,
    /// The second text as it was given.
    b: &'a str,
    /// `equal`, `stronger` (A implies B), `weaker`, `incomparable` or `contradictory` (they never hold together), over all finite
    /// traces, or with `--infinite` over all infinite ones; `null` if it was not decided, and then `error` says why.
    relation: Option<&'static str>,
    /// A shortest trace on which A holds and B does not; `null` if there is none. With `--infinite` it is short but not always
    /// the shortest.
    a_not_b: Option<DistinguishingTrace>,
    /// A trace on which B holds and A does not, likewise.
    b_not_a: Option<DistinguishingTrace>,
    /// Why there is no relation.
    error: Option<String>,
    /// What is wrong or odd in each text.
    diagnostics: Sides<'a>,
}

/// A trace that tells two texts apart.
#[derive(Serialize, JsonSchema)]
struct DistinguishingTrace {
    /// The steps, each with a value for every name.
    steps: Vec<Values>,
    /// What the trace means for A.
    a: String,
    /// What the trace means for B.
    b: String,
    /// With `--infinite`, the index of the first step that repeats for ever; otherwise left out.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    repeats: Option<usize>,
}

/// Diagnostics of two texts.
#[derive(Serialize, JsonSchema)]
struct Sides<'a> {
    /// Those of the first.
    a: Vec<Diagnostic<'a>>,
    /// Those of the second.
    b: Vec<Diagnostic<'a>>,
}

fn document<'a>(
    store: &Store,
    a: &'a Side,
    b: &'a Side,
    compared: Option<&Result<Comparison, Undecided>>,
) -> Compared<'a> {
    let comparison = compared.and_then(|compared| compared.as_ref().ok());
    let apart = |trace: &Trace, a_holds: bool| DistinguishingTrace {
        steps: json::steps(trace),
        a: a.verdict(store, trace, a_holds),
        b: b.verdict(store, trace, !a_holds),
        repeats: trace.loop_start(),
    };
    let error = compared.and_then(|compared| compared.as_ref().err()).map(ToString::to_string);
    let unreadable =
        [a, b].iter().any(|side| side.diagnostics.iter().any(|d| d.severity() == Severity::Error));
    Compared {
        a: &a.text,
        b: &b.text,
        relation: comparison.map(|comparison| comparison.relation.name()),
        a_not_b: comparison.and_then(|it| it.a_not_b.as_ref()).map(|trace| apart(trace, true)),
        b_not_a: comparison.and_then(|it| it.b_not_a.as_ref()).map(|trace| apart(trace, false)),
        error: error.or(unreadable.then(|| "a side has errors".to_string())),
        diagnostics: Sides { a: json::diagnostics(&a.diagnostics), b: json::diagnostics(&b.diagnostics) },
    }
}
