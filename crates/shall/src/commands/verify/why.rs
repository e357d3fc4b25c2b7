//! Why a property does not hold: whether its condition is ever met, whether its response can hold then, and under which stronger
//! condition it holds.

use super::show::Show;
use crate::json::Values;
use crate::render::visible;
use base::counted;
use engine::{Answer, Config, Part, Possible, Reasoning, Verdict, reason, sides};
use schemars::JsonSchema;
use serde::Serialize;
use system::Pool;

/// The most stronger conditions that are looked for.
const MOST: usize = 8;

/// The answers about one property. If it holds, only its condition is examined: it may hold because that is never met.
pub(super) fn ask(part: &Part, verdict: &Verdict, config: &Config) -> Option<Reasoning> {
    let mut system = part.system.clone();
    let sides = sides(&mut system, verdict.property)?;
    let most = match verdict.answer {
        Answer::Invalid(_) => MOST,
        Answer::Valid(_) if sides.0 == Pool::TRUE => return None,
        Answer::Valid(_) | Answer::Unknown(_) => 0,
    };
    Some(reason(&system, sides, config, most))
}

pub(super) fn human(show: &Show, why: &Reasoning) -> String {
    let mut out = String::new();
    let mut line = |text: String| out.push_str(&format!("  {}\n", visible(&text)));
    let said = |what: &str, possible: &Possible| match possible {
        Possible::Yes(found) => format!("{what}: after {}", counted(found.run.steps.len(), "step")),
        Possible::Never => format!("{what}: never"),
        Possible::Unknown(why) => format!("{what}: not decided: {why}"),
    };
    line(said("the condition is met", &why.premise));
    if matches!(why.premise, Possible::Never) {
        line("so the property says nothing about this model".into());
        return out;
    }
    line(said("the response holds together with it", &why.both));
    if let Some(conclusion) = &why.conclusion {
        line(said("the response holds at all", conclusion));
    }
    if let Some(found) = &why.stronger.first() {
        line(format!("it holds under a stronger condition, with in addition: {}", found.join(" and ")));
        why.stronger[1..].iter().for_each(|found| line(format!("  or: {}", found.join(" and "))));
    }
    match (why.undecided, why.cut) {
        (0, false) => {}
        (undecided, true) => line(format!("not all conditions were tried; {undecided} of them not decided")),
        (undecided, false) => line(format!("not decided: {}", counted(undecided, "condition"))),
    }
    if let Possible::Yes(found) = &why.both
        && let Some(trace) = show.trace(found)
    {
        out += "  a run with the condition and the response:\n";
        out += &show.table(&trace, None, "    ");
    }
    out
}

/// Why a property does not hold, or holds only under a condition.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Why {
    /// Whether its condition can be met.
    condition: Reachable,
    /// Whether its condition can be met and its response hold at the same time.
    both: Reachable,
    /// Whether its response can hold at all; asked only if they never hold together.
    response: Option<Reachable>,
    /// Stronger conditions under which it holds, each a list of conditions to add.
    stronger: Vec<Vec<String>>,
    /// The number of conditions that were not decided.
    undecided: usize,
    /// Whether all conditions were tried.
    complete: bool,
}

/// Whether something can happen.
#[derive(Serialize, JsonSchema)]
struct Reachable {
    /// `yes`, `never` or `unknown`.
    answer: &'static str,
    /// Why it is unknown.
    reason: Option<String>,
    /// The steps of a run on which it happens.
    trace: Option<Vec<Values>>,
}

pub(super) fn document(show: &Show, why: &Reasoning) -> Why {
    let reachable = |possible: &Possible| match possible {
        Possible::Yes(found) => {
            let trace = show.trace(found).map(|trace| show.steps(&trace));
            Reachable { answer: "yes", reason: None, trace }
        }
        Possible::Never => Reachable { answer: "never", reason: None, trace: None },
        Possible::Unknown(why) => Reachable { answer: "unknown", reason: Some(why.to_string()), trace: None },
    };
    Why {
        condition: reachable(&why.premise),
        both: reachable(&why.both),
        response: why.conclusion.as_ref().map(reachable),
        stronger: why.stronger.clone(),
        undecided: why.undecided,
        complete: !why.cut,
    }
}
