//! Suites for people.

use super::run::words;
use super::{Obligation, Tested};
use crate::render::visible;
use base::{counted, listed};
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(super) fn human(tested: &Tested) -> String {
    let mut out = String::new();
    for test in &tested.tests {
        let _ = writeln!(out, "{}", visible(&test.name));
        for line in test.table().lines() {
            let _ = writeln!(out, "  {line}");
        }
        let shown = tested.obligations.iter().filter(|it| it.test.as_ref() == Some(&test.name));
        let mut moments: Vec<String> = Vec::new();
        let mut others = 0;
        for it in shown {
            match it.kind {
                "moments" => moments.push(moment(it)),
                _ => others += 1,
            }
        }
        for it in moments {
            let _ = writeln!(out, "  shows {it}");
        }
        if others > 0 {
            let _ = writeln!(out, "  shows {}", counted(others, "further obligation"));
        }
        let killed = tested.mutants.list.iter().filter(|it| it.test.as_ref() == Some(&test.name)).count();
        if killed > 0 {
            let _ = writeln!(out, "  kills {}", counted(killed, "mutant"));
        }
        for wrong in &test.wrong {
            let values = wrong.outputs.0.iter().map(|(name, value)| format!("{}={value}", visible(name)));
            let values: Vec<String> = values.collect();
            let (id, step) = (visible(&wrong.requirement), wrong.step);
            let _ = writeln!(out, "  at step {step}, only {id} forbids {}", values.join(" "));
        }
        out.push('\n');
    }
    if tested.tests.iter().any(|it| it.free.iter().any(|it| !it.is_empty())) {
        out += "a correct system may choose other outputs than those in parentheses\n";
    }
    let mut others: Vec<&Obligation> =
        tested.obligations.iter().filter(|it| it.status != "covered").collect();
    others.sort_by_key(|it| it.status);
    for it in &others {
        let (id, text) = (visible(&it.requirement), visible(&it.text));
        match (it.status, &it.reason) {
            ("unreachable", _) if it.forbidden_by.is_empty() => {
                let _ = writeln!(out, "{id}: {text}: unreachable in itself");
            }
            ("unreachable", _) => {
                let by = listed(it.forbidden_by.iter().map(|it| visible(it)));
                let _ = writeln!(out, "{id}: {text}: unreachable, forbidden by {by}");
            }
            (_, reason) => {
                let _ = writeln!(out, "{id}: {text}: unknown: {}", reason.as_deref().unwrap_or_default());
            }
        }
    }
    for it in tested.mutants.list.iter().filter(|it| it.status == "undecided") {
        let (id, reason) = (visible(&it.requirement), it.reason.as_deref().unwrap_or_default());
        let _ = writeln!(out, "{id}: a mutant ({}) is undecided: {reason}", it.kind);
    }
    for it in &tested.not_tested {
        let _ = writeln!(out, "{}: not tested: {}", visible(&it.id), visible(&it.reason));
    }
    for it in &tested.groups {
        let ids = listed(it.requirements.iter().map(|it| visible(it)));
        let note = match it.systems {
            "unrealizable" => "no system satisfies them; the tests need the help of the environment",
            "unknown" => {
                "it is not known whether a system satisfies them; the tests need the help of the environment"
            }
            "contradictory" => "no run satisfies them, so there are no tests; `shall realize` shows why",
            "timeout" => "timeout",
            _ => continue,
        };
        let _ = writeln!(out, "{ids}: {note}");
    }
    for ran in &tested.runs {
        if let Some(why) = words(ran) {
            let _ = writeln!(out, "{}: {}: {}", visible(&ran.test), ran.result, visible(&why));
        }
    }
    let count = |status: &str| tested.obligations.iter().filter(|it| it.status == status).count();
    let forced = tested.obligations.iter().filter(|it| it.forced == Some(true)).count();
    let steps: usize = tested.tests.iter().map(|it| it.steps.len()).sum();
    let (tests, one) = (tested.tests.len(), &tested.one_each);
    let _ = writeln!(
        out,
        "{}, {}; one test for each goal would be {}, {}",
        counted(tests, "test"),
        counted(steps, "step"),
        counted(one.tests, "test"),
        counted(one.steps, "step")
    );
    let _ = writeln!(
        out,
        "obligations: {} covered ({forced} can be forced), {} unreachable, {} unknown",
        count("covered"),
        count("unreachable"),
        count("unknown")
    );
    // Each reason once.
    let mut unforced: BTreeMap<&str, usize> = BTreeMap::new();
    let covered = tested.obligations.iter().filter(|it| it.status == "covered");
    covered.filter_map(|it| it.reason.as_deref()).for_each(|it| *unforced.entry(it).or_default() += 1);
    for (reason, count) in unforced {
        let _ = writeln!(out, "forcing: {count} not decided: {}", visible(reason));
    }
    let mutants = &tested.mutants;
    let _ = writeln!(
        out,
        "mutants: {} killed, {} equivalent, {} undecided",
        mutants.killed, mutants.equivalent, mutants.undecided
    );
    let proofs =
        tested.obligations.iter().map(|it| it.checked).chain(mutants.list.iter().map(|it| it.checked));
    let (checked, unchecked): (Vec<bool>, Vec<bool>) = proofs.flatten().partition(|it| *it);
    if !unchecked.is_empty() {
        let _ = writeln!(out, "proofs: {} checked, {} not checked", checked.len(), unchecked.len());
    }
    if !tested.runs.is_empty() {
        let count = |result: &str| tested.runs.iter().filter(|it| it.result == result).count();
        let _ = writeln!(
            out,
            "runs: {} passed, {} failed, {} inconclusive, {} broken",
            count("passed"),
            count("failed"),
            count("inconclusive"),
            count("broken")
        );
    }
    if let Some(it) = &tested.rehearsal {
        it.not_shown.iter().for_each(|it| out += &format!("{}\n", visible(it)));
        let (strategies, runs) = (counted(it.strategies, "strategy"), counted(it.runs, "run"));
        let _ = writeln!(out, "rehearsal: {strategies}, {runs}, {} not shown", it.not_shown.len());
    }
    out
}

fn moment(it: &Obligation) -> String {
    let step = it.step.unwrap_or_default();
    format!("{}: {}, at step {step}", visible(&it.requirement), it.text)
}
