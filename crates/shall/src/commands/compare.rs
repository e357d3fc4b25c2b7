//! `shall compare`: is one requirement or formula stronger than another, and which trace tells them apart?

use super::side::Side;
use crate::cli::{Compare, Output};
use crate::{Outcome, json, print, render};
use check::{Comparison, Relation, Subject, Traces, Undecided, compare};
use logic::{Store, Trace};
use requirement::oracle::judge;
use requirement::reason;
use serde_json::{Value as Json, json};
use syntax::Severity;

pub(crate) fn run(command: &Compare, output: Output) -> Result<Outcome, String> {
    let context = command.known.context()?;
    let mut store = Store::default();
    let (a, b) = (Side::read(&mut store, &command.a, &context), Side::read(&mut store, &command.b, &context));
    let traces = if command.infinite { Traces::Infinite } else { Traces::Finite };
    let compared = match (&a.subject, &b.subject) {
        (Some(one), Some(two)) => Some(compare(&mut store, one, two, traces)),
        (None, _) | (_, None) => None,
    };
    let outcome = match &compared {
        None => Outcome::Findings,
        Some(Ok(_)) => Outcome::Fine,
        Some(Err(Undecided::Replay)) => Outcome::Failure,
        Some(Err(_)) => Outcome::Inconclusive,
    };
    match output {
        Output::Human => {
            a.complain();
            b.complain();
            if let Some(compared) = &compared {
                print(render::lines(&human(&store, &a, &b, compared)))?;
            }
        }
        Output::Json | Output::JsonLines => {
            json::write(&[document(&store, &a, &b, compared.as_ref())], output, false)?
        }
    }
    Ok(outcome)
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

fn document(store: &Store, a: &Side, b: &Side, compared: Option<&Result<Comparison, Undecided>>) -> Json {
    let comparison = compared.and_then(|compared| compared.as_ref().ok());
    let trace = |trace: Option<&Trace>, a_holds: bool| {
        trace.map(|trace| {
            let mut twin = json!({
                "steps": json::steps(trace),
                "a": a.verdict(store, trace, a_holds),
                "b": b.verdict(store, trace, !a_holds),
            });
            if let Some(start) = trace.loop_start() {
                twin["loop"] = json!(start);
            }
            twin
        })
    };
    let error = compared.and_then(|compared| compared.as_ref().err()).map(ToString::to_string);
    let unreadable =
        [a, b].iter().any(|side| side.diagnostics.iter().any(|d| d.severity() == Severity::Error));
    json!({
        "a": a.text,
        "b": b.text,
        "relation": comparison.map(|comparison| comparison.relation.name()),
        "a_not_b": trace(comparison.and_then(|comparison| comparison.a_not_b.as_ref()), true),
        "b_not_a": trace(comparison.and_then(|comparison| comparison.b_not_a.as_ref()), false),
        "error": error.or(unreadable.then(|| "a side has errors".to_string())),
        "diagnostics": { "a": json::diagnostics(&a.diagnostics), "b": json::diagnostics(&b.diagnostics) },
    })
}
