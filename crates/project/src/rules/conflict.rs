//! [`CONFLICT`] and [`IDLE`]: an implementation can satisfy the requirements of a component together, and trigger each of them.

use super::pairs::Answer;
use crate::finding::Finding;
use crate::project::{Known, Project};
use base::{counted, listed};
use diagnostics::Diagnostic;

diagnostics::codes! {
    CONFLICT "W0530" "No implementation can satisfy these requirements together.",
        "Each of them can be satisfied, but for some inputs every choice of outputs violates one of them. Usually one of them takes \
         precedence and the others do not say so. `shall realize` shows such inputs, and ways out.",
        "| brake | input | bool |\n| engage | input | bool |\n| active | output | bool |\n\n\
         whenever brake the pump shall immediately satisfy !active\nwhen engage the pump shall immediately satisfy active"
            => "| brake | input | bool |\n| engage | input | bool |\n| active | output | bool |\n\n\
                whenever brake the pump shall immediately satisfy !active\n\
                when engage & !brake the pump shall immediately satisfy active";
    IDLE "W0531" "Other requirements prevent this one from ever being triggered.",
        "An implementation that satisfies all requirements never triggers it, so it demands nothing. Often two requirements about one \
         mode contradict each other, and the only way to satisfy both is never to enter the mode.",
        "| on | output | bool |\n| lamp | output | bool |\n\n\
         whenever on the pump shall immediately satisfy lamp\nwhenever on the pump shall immediately satisfy !lamp"
            => "| on | output | bool |\n| lamp | output | bool |\n\nwhenever on the pump shall immediately satisfy lamp";
}

/// How requirements conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clash {
    /// The number of steps before the one at which no outputs are left, if that is known.
    pub(super) after: Option<usize>,
    /// What each requirement leaves of the outputs at that step, in words, if each of them leaves less than everything.
    pub(super) leaves: Vec<String>,
}

/// What there is to say about a pair; the second is the later one.
pub(super) fn finding(project: &Project, [first, second]: [&Known; 2], answer: &Answer) -> Option<Finding> {
    let id = |known: &Known| format!("`{}`", project.entry(known.place).id.text);
    match answer {
        Answer::Fine | Answer::Unknown(_) => None,
        Answer::Conflict(clash) => conflict(project, &[first, second], clash),
        Answer::Idle([true, true]) => {
            let message =
                format!("contradicts {}: to satisfy both, neither may ever be triggered", id(first));
            Some(about(project, second, &[first], IDLE, message, "check the responses of both"))
        }
        Answer::Idle([is_first, _]) => {
            let (idle, cause) = if *is_first { (first, second) } else { (second, first) };
            let message = format!("it is never triggered: {} forbids it", id(cause));
            Some(about(project, idle, &[cause], IDLE, message, "check the conditions of both"))
        }
    }
}

/// The finding about requirements that conflict, at the last of them.
pub(super) fn conflict(project: &Project, known: &[&Known], clash: &Clash) -> Option<Finding> {
    let (last, others) = known.split_last()?;
    let id = |known: &&Known| format!("`{}`", project.entry(known.place).id.text);
    let step = match clash.after {
        None => String::new(),
        Some(0) => "at the first step, ".to_owned(),
        Some(after) => format!("after {}, ", counted(after, "step")),
    };
    let how = if clash.leaves.len() == known.len() {
        let demands = known.iter().zip(&clash.leaves).enumerate().map(|(at, (known, leaves))| {
            format!("{}{} {leaves}", id(known), if at == 0 { " can demand" } else { "" })
        });
        listed(demands)
    } else {
        "for some inputs, every choice of outputs violates one of them".to_owned()
    };
    let message = format!("conflicts with {}: {step}{how}", listed(others.iter().map(id)));
    let hint =
        "say which of them takes precedence, or what the environment never does; `shall realize` shows how";
    Some(about(project, last, others, CONFLICT, message, hint))
}

/// A finding about a requirement, with others.
pub(super) fn about(
    project: &Project,
    known: &Known,
    others: &[&Known],
    code: diagnostics::Code,
    message: String,
    hint: &str,
) -> Finding {
    let span = |known: &Known| {
        let entry = project.entry(known.place);
        entry.sentence.map_or(entry.id.span, |it| it.span)
    };
    let diagnostic = Diagnostic::new(code, span(known), message, hint);
    let requirement = Some(project.entry(known.place).id.text.clone());
    let found = Finding { requirement, ..Finding::new(known.place.document, diagnostic) };
    others.iter().fold(found, |found, other| {
        let id = &project.entry(other.place).id.text;
        found.related(other.place.document, span(other), format!("`{id}` is here"))
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, pump};

    const TABLE: &str = "p;input;bool\nq;input;bool\nx;input;int 0..9\ny;output;bool\nn;output;int 0..9\ns;output;enum(a, b, c)\n\
                         m;mode;bool;;s = a\nlate;internal;bool;;x > 5";

    /// What is found in sentences about the table, without the texts of the sentences.
    #[track_caller]
    fn found(sentences: &[&str], expected: &[&str]) {
        let text = pump(TABLE, sentences);
        let expected: Vec<String> = expected
            .iter()
            .map(|it| {
                let (code, places) = it.split_once(' ').unwrap_or_default();
                let at = |place: &str| sentences[place.parse::<usize>().unwrap_or_default()];
                let (one, other) = places.split_once(' ').unwrap_or_default();
                format!("{code} {} ({})", at(one), at(other))
            })
            .collect();
        expect(&[&text], &["W0530", "W0531"], &expected.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn pairs() {
        let always = "the Pump shall always satisfy";
        let at_once = "the Pump shall immediately satisfy";
        for (one, other, expected) in [
            (format!("{always} y"), "the Pump shall never satisfy y".into(), &["W0530 1 0"][..]),
            (format!("when p {at_once} n = 3"), format!("when p {at_once} n = 4"), &["W0530 1 0"]),
            (format!("when p {at_once} n = 3"), format!("when q {at_once} n = 4"), &["W0530 1 0"]),
            (format!("whenever p {at_once} n = 3"), format!("whenever !p {at_once} n = 4"), &[]),
            (format!("when x > 3 {at_once} y"), format!("when late {at_once} !y"), &["W0530 1 0"]),
            (format!("when x < 3 {at_once} y"), format!("when late {at_once} !y"), &[]),
            (format!("{always} n > 3 & n < 6"), format!("when p {at_once} n >= 6 | y"), &[]),
            (format!("{always} n > 3 & n < 6"), format!("when p {at_once} n >= 6"), &["W0530 1 0"]),
            (format!("{always} n < 1"), format!("when p {at_once} n < 5 & n > 0"), &["W0530 1 0"]),
            (
                "when p the Pump shall within 3 ticks satisfy y".into(),
                "when p the Pump shall for 3 ticks satisfy !y".into(),
                &["W0530 1 0"],
            ),
            (
                "when p the Pump shall within 4 ticks satisfy y".into(),
                "the Pump shall for 3 ticks satisfy !y".into(),
                &[],
            ),
            (
                "the Pump shall eventually satisfy y".into(),
                "the Pump shall never satisfy y".into(),
                &["W0530 1 0"],
            ),
            ("the Pump shall after 3 ticks satisfy y".into(), format!("{always} y"), &["W0530 1 0"]),
            // Only one of them is about outputs.
            (format!("when p {at_once} q"), format!("when p {at_once} y"), &[]),
            // The component can keep out of the mode.
            (format!("in m mode {at_once} y"), format!("in m mode {at_once} !y"), &["W0531 1 0"]),
            (format!("in m mode {at_once} s = b"), format!("{always} y"), &[]),
            (format!("whenever y {at_once} n = 3"), format!("{always} n = 4"), &["W0531 0 1"]),
        ] {
            found(&[&one, &other], expected);
        }
    }

    #[test]
    fn assumptions_are_kept() {
        let mut text = pump(
            TABLE,
            &["when p the Pump shall immediately satisfy y", "when q the Pump shall immediately satisfy !y"],
        );
        let conflict = [
            "W0530 when q the Pump shall immediately satisfy !y (when p the Pump shall immediately satisfy y)",
        ];
        expect(&[&text], &["W0530"], &conflict);
        text += "\n## P-9\n\n```fretish\nthe Pump shall never satisfy p & q\n```\n\n- role: assumption\n";
        expect(&[&text], &["W0530"], &[]);
    }
}
