//! One old project and small changes to it.

use super::*;
use crate::Config;

const OLD: &str = "# Pump\n\n| name | kind | type | definition |\n|---|---|---|---|\n| x | input | int 0..10 | |\n| LIMIT | constant | int | 3 |\n\
    | m | mode | bool | `x > 5` |\n| k | internal | bool | `if LIMIT > 2 then true else false` |\n| y | output | bool | |\n\n## P-0: Top\n\nWhy.\n\n## P-1\n\n```fretish\nwhen x > LIMIT, the Pump shall immediately satisfy y\n```\n\n\
    - status: draft\n\n## P-2\n\n```fretish\nin m mode, the Pump shall always satisfy y\n```\n\n## P-3\n\n```fretish\nthe Pump shall within 20 ms satisfy y\n```\n\n## P-4\n\n```fretish\nthe Pump shall always satisfy k\n```\n";

fn changed(edits: &[(&str, &str)], step: &str) -> Diff {
    let mut text = OLD.to_string();
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let project = |text: &str, step: &str| Project {
        config: Config::read(&format!("[project]\nstep = \"{step}\"\n")).0,
        documents: vec![Document::read("a.md", text)],
    };
    diff(&project(OLD, "10 ms"), &project(&text, step))
}

fn shown(diff: &Diff) -> String {
    let mut out = Vec::new();
    for change in diff
        .requirements
        .iter()
        .filter(|change| change.class != Class::Unchanged || !change.edited.is_empty())
    {
        let mut line = format!("{} {}", change.id, change.class.name());
        line += &change.was.as_ref().map_or(String::new(), |was| format!(" was {was}"));
        line += &change.causes.iter().map(|cause| format!(" [{cause}]")).collect::<String>();
        line += &change.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        line += &change.edited.iter().map(|edited| format!(" {}", edited.what)).collect::<String>();
        line += if change.only_old.is_some() { " -" } else { "" };
        line += if change.only_new.is_some() { " +" } else { "" };
        out.push(line);
    }
    out.join("\n")
}

#[test]
fn classes() {
    let rule = "when x > LIMIT, the Pump shall immediately satisfy y";
    for (edits, expected) in [
        (&[][..], ""),
        (
            &[("Why.", "Because."), ("draft", "approved")],
            "P-0 unchanged rationale\nP-1 unchanged attribute status",
        ),
        (&[(rule, "when !(x <= LIMIT), the Pump shall at the first timepoint satisfy y")], "P-1 reworded"),
        (&[(rule, "when x >= LIMIT, the Pump shall immediately satisfy y & z")], "P-1 changed - +"),
        (&[(rule, "whenever x > LIMIT, the Pump shall immediately satisfy y")], "P-1 stronger -"),
        (&[("x > LIMIT, the", "x > LIMIT & LIMIT < 3, the")], "P-1 weaker +"),
        (&[("20 ms", "30 ms")], "P-3 weaker +"),
        (
            &[("| 3 |", "| 4 |")],
            "P-1 changed [`LIMIT` changed from 3 to 4] - +\nP-4 undecided [`LIMIT` changed from 3 to 4] \
            (`LIMIT` changed, and a definition that uses it cannot be read as an expression)",
        ),
        (&[("`x > 5`", "`x > 4`")], "P-2 stronger [the definition of `m` changed from `x > 5` to `x > 4`] -"),
        (&[("`x > 5`", "`x >= 6 \\| x > 5`")], ""),
        (
            &[("`x > 5`", "`if x then y else z`")],
            "P-2 undecided [the definition of `m` changed from `x > 5` to \
            `if x then y else z`] (the definition of `m` changed and is Lustre, not an expression of sentences)",
        ),
        (&[(rule, "when x > LIMIT & x <= 10, the Pump shall immediately satisfy y")], "P-1 reworded"),
        (
            &[(rule, "when x >= 4, the Pump shall immediately satisfy y")],
            "P-1 undecided (the only difference gives an integer a fractional value)",
        ),
        (&[("in m mode,", "in x > 5 mode,")], "P-2 reworded"),
        (
            &[("`x > 5`", "`x > 5 => x > 5`")],
            "P-2 stronger [the definition of `m` changed from `x > 5` to `x > 5 => x > 5`] -",
        ),
        (
            &[("`x > 5`", "`y -> x > 5`")],
            "P-2 undecided [the definition of `m` changed from `x > 5` to `y -> x > 5`] (the definition of `m` changed \
             and is Lustre, because of `->`; write `=>` for an implication)",
        ),
        (&[("## P-2", "## P-9")], "P-9 renamed was P-2"),
        (&[("## P-0: Top\n\nWhy.\n\n", ""), ("## P-3", "## Q1\n\nNew.\n\n## P-3")], "Q1 added\nP-0 removed"),
        (&[(rule, "when x > LIMIT, the Pump must y")], "P-1 undecided (the new sentence has no meaning)"),
        (
            &[("Why.", "```fretish\nPump shall always satisfy y\n```")],
            "P-0 stronger (it had no sentence) rationale",
        ),
        (
            &[("x > LIMIT", "preReal(0, x) > LIMIT")],
            "P-1 undecided (a comparison takes the value of another step)",
        ),
    ] {
        assert_eq!(shown(&changed(edits, "10 ms")), expected, "{edits:?}");
    }
    let slower = "P-3 stronger [the step changed from 10 ms to 20 ms] -";
    assert_eq!(shown(&changed(&[], "20 ms")), slower);
}

#[test]
fn variables_and_outcome() {
    let diff = changed(
        &[
            ("| int 0..10 |", "| int 0..20 |"),
            ("| y | output | bool | |", "| y | output | bool | |\n| w | input | bool | |"),
        ],
        "10 ms",
    );
    let names: Vec<String> =
        diff.variables.iter().map(|change| format!("{} {}", change.name, change.class.name())).collect();
    assert_eq!(names, ["x changed", "w added"]);
    assert!(diff.changes_meaning() && !diff.is_undecided() && diff.step.is_none());
    assert!(!changed(&[("Why.", "So.")], "10 ms").changes_meaning());
    assert!(changed(&[], "5 ms").step.is_some());
}
