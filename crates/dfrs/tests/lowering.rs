//! From sentences to systems: what each form means, every mistake with its code, place and hint, and texts that are no documents.

use dfrs::{Dictionary, dump, english, lower, lower_with, read};
use syntax::{Diagnostic, Severity};

const INITIAL: &str = "W0301";

fn findings(text: &str) -> Vec<Diagnostic> {
    let found = lower(&read(text)).diagnostics;
    for diagnostic in &found {
        assert!(text.get(diagnostic.span.range()).is_some(), "{diagnostic:?}");
    }
    found.into_iter().filter(|found| found.code.id() != INITIAL).collect()
}

/// The entries and restrictions of a document without findings.
fn entries(text: &str) -> Vec<String> {
    assert_eq!(findings(text), [], "{text}");
    let system = lower(&read(text)).system.expect("no error, so there is a system");
    dump(&system).lines().filter(|line| line.starts_with([' ', 'n'])).map(|line| line.trim().into()).collect()
}

/// The guards of one condition.
#[track_caller]
fn guard(condition: &str, expected: &str) {
    let text = format!("REQ001: When {condition}, the s shall: reset the t timer, assign 1 to the out.");
    let found = entries(&text);
    let guards: Vec<&str> =
        found.iter().filter_map(|line| line[8..].split_once(" -> ")).map(|pair| pair.0).collect();
    assert_eq!(guards.join(" // "), expected, "{condition}");
}

/// What one action does.
#[track_caller]
fn effect(action: &str, expected: &str) {
    let found = entries(&format!("REQ001: When the z is 1, and the y is 2, the s shall {action}."));
    assert_eq!(found[0].split_once(" -> ").map(|pair| pair.1), Some(expected), "{action}");
}

#[test]
fn guards() {
    guard("the v is 1", "v = 1");
    guard("the v is not 1", "v != 1");
    guard("the v was greater than 1", "prev(v) > 1");
    guard("the v is not greater than 1.5", "v <= 1.5");
    guard("the v is different from 1", "v != 1");
    guard("the v is not different from 1", "v = 1");
    guard("the b is pressed", "b = true");
    guard("the b is not pressed", "b != true");
    guard("the b changes to pressed", "prev(b) != true & b = true");
    guard("the b changes to not pressed", "prev(b) = true & b != true");
    guard("the v changes to lower than or equal to 80", "prev(v) > 80 & v <= 80");
    guard("the m changes from left to right", "prev(m) = 0 & m = 1");
    guard("the m is b or a", "(m = 1 | m = 0)");
    guard("the b changes from not pressed to pressed", "prev(b) = false & b = true");
    guard("the m changes from not a to b", "prev(m) != 0 & m = 1");
    guard("the v is greater than the w, and the w is 1", "v > w & w = 1");
    guard("the v becomes greater than the w, and the w is 1", "prev(v) <= prev(w) & v > w & w = 1");
    guard("the v is lower than the limit plus 5", "v < limit + 5");
    guard("the v is lower than 2 times the limit minus the w minus 3", "v < 2 * limit + -1 * w + -3");
    guard("the v is 2 plus 3", "v = 5");
    guard("the t timer is greater than 3", "t_timer > 3");
    // Under `or`, a change is distributed; what is said elsewhere is left out.
    guard("the v changes to 1 or the w is 2", "(prev(v) != 1 | w = 2) & (v = 1 | w = 2)");
    guard("the v is 1, and the v changes to 1 or the w is 2", "v = 1 & (prev(v) != 1 | w = 2)");
    // What holds in any case is left out.
    guard("the m changes to a or b", "(m = 0 | prev(m) != 1) & (prev(m) != 0 | m = 1) & (m = 0 | m = 1)");
    // What is written twice stays.
    guard("the v is 1, and the v is 1", "v = 1 & v = 1");
    // Values and timers under one `or` are several entries.
    guard("the v is 1 or the t timer is 2, and the w is 3", "v = 1 & w = 3 // w = 3 & t_timer = 2");
    guard(
        "the v is 1 or the t timer is 2, and the w is 3 or the t timer is 4",
        "v = 1 & w = 3 // w = 3 & t_timer = 2 // v = 1 & t_timer = 4 // t_timer = 2 & t_timer = 4",
    );
}

#[test]
fn effects() {
    effect("assign 1 to the out", "out := 1");
    effect("assign the z to the out", "out := z");
    effect("assign the out plus 1 to the out", "out := out + 1");
    effect("assign the z times 25 minus the y plus 1 to the out", "out := 25 * z + -1 * y + 1");
    effect("add 1 to the out", "out := out + 1");
    effect("subtract the z from the out", "out := out + -1 * z + 0");
    effect("increase the out by the z plus 1", "out := out + z + 1");
    effect("decrease the out by 2", "out := out + -2");
    effect("reset the delay", "delay := now");
    effect(
        "assign not open to the out, assign the out to the out3, set the out2 to not true",
        "out := false, out3 := out, out2 := false",
    );
    effect("assign the z minus the z to the out", "out := 0");
}

#[test]
fn environments() {
    let text = "The lever never changes from left to right.
        The v is never lower than 0.
        When the lever is left or the v is 3, the v cannot become 4.
        When the lever is idle, and the v is 1, the s shall assign 1 to the out.";
    assert_eq!(
        entries(text),
        [
            "REQ001: lever = 0 & v = 1 -> out := 1",
            "never ENV001: prev(lever) = 1 & lever = 2",
            "never ENV002: v < 0",
            "never ENV003: lever = 1 & prev(v) != 4 & v = 4",
            "never ENV003: v = 3 & prev(v) != 4 & v = 4",
        ]
    );
}

/// One finding: its code, the words it points at, and a part of its hint.
#[track_caller]
fn slip(text: &str, code: &str, at: &str, hint: &str) {
    let found = findings(text);
    let codes: Vec<_> = found.iter().map(|found| found.code.id()).collect();
    assert_eq!(codes, [code], "{text}\n{found:#?}");
    assert_eq!(&text[found[0].span.range()], at, "{text}\n{found:#?}");
    assert!(found[0].hint.contains(hint), "{text}\n{found:#?}");
    let failed = lower(&read(text)).system.is_none();
    assert_eq!(failed, found[0].severity() == Severity::Error, "{text}");
}

#[test]
fn slips() {
    let out = "the s shall assign 1 to the out.";
    let reset = "the s shall reset the t timer.";
    for (text, code, at, hint) in [
        (format!("When the v is 1, and the v is idle, {out}"), "E0401", "idle", "either numbers"),
        (format!("When the v is true, and the v is idle, {out}"), "E0401", "idle", "`true` and `false`"),
        (format!("When the v is 1, and the v is the w, and the w is idle, {out}"), "E0401", "idle", "article"),
        ("When the v is 1, the s shall add 1 to the out2.\nWhen the v is 2, the s shall assign true to the out2.".into(), "E0401", "true", "either numbers"),
        (format!("When the v is 1, and the v is lower than the w plus idle, {out}"), "E0401", "idle", "article"),
        (format!("When the v is greater than idle, {out}"), "E0402", "idle", "`is not`"),
        (format!("When the v is greater than true, {out}"), "E0402", "true", "`is not`"),
        (format!("When the v is idle, and the w is busy, and the v is greater than the w, {out}"), "E0402", "the w", "`is not`"),
        (format!("When the v is 1, the s shall assign 1 to the t timer.\nWhen the v is 2, {reset}"), "E0403", "the t timer", "reset the t timer"),
        (format!("Initially, the t timer is 5.\nWhen the v is 1, {reset}"), "E0403", "the t timer is 5", "remove"),
        (format!("When the v is 1, the s shall reset the out.\nWhen the v is 2, {out}"), "E0404", "the out", "assign 0 to the out"),
        (format!("When the t timer was 1, {reset}"), "E0405", "was", "as it is now"),
        (format!("When the t timer changes to 1, {reset}"), "E0405", "changes", "as it is now"),
        (format!("When the t timer is idle, {reset}"), "E0406", "idle", "a number"),
        ("When the mode is idle, the s shall reset the mode.".into(), "E0406", "idle", "because it is reset"),
        (format!("When the t timer is greater than 30 seconds, {reset}"), "E0109", "seconds", "one unit"),
        (format!("When the v is 1, and the v is greater than the t timer, {reset}"), "E0406", "the t timer", "a number"),
        ("When the v is 1, the s shall: assign 1 to the out, assign 2 to the out.".into(), "E0407", "assign 2 to the out", "at once"),
        (format!("A1: When the v is 1, {out}\nA1: When the v is 2, {out}"), "E0408", "A1", "sentence 1"),
        (format!("When the v is 1, {out}\nThe out is never lower than 0."), "E0409", "The out", "inputs"),
        (format!("When the t timer is 1, {reset}\nThe t timer is never lower than 0."), "E0409", "The t timer", "inputs"),
        (format!("Initially, the v is greater than 1.\nWhen the v is 1, {out}"), "E0410", "the v is greater than 1", "Initially"),
        (format!("Initially, the v is the w.\nWhen the v is 1, and the w is 2, {out}"), "E0410", "the v is the w", "Initially"),
        (format!("Initially, the v is 1.\nInitially, the v is 2.\nWhen the v is 1, {out}"), "E0411", "the v is 2", "keep one"),
        ("When the v is 1, the s shall assign not a to the out.\nWhen the v is 2, the s shall assign b to the out.".into(), "E0410", "not a", "which"),
        (format!("When the v is lower than the w times the v, {out}"), "E0414", "the v", "numbers only"),
        (format!("When input1 is 1, and the v is input1, {out}"), "E0312", "input1", "`the input1`"),
        (format!("When the v is 1, and the v is 1.5, {out}"), "W0302", "1.5", "with a point"),
        (format!("When the t timer is 1, {out}"), "W0303", "the t timer", "reset the t timer"),
        (format!("When the t timer is 1.5, {reset}"), "W0304", "1.5", "smaller unit"),
        (format!("Initially, the w is 1.\nWhen the v is 1, {out}"), "W0306", "the w", "spelled"),
        (format!("When the v is 1e99999999, {out}"), "E0207", "1e99999999", "round"),
        ("When the v is 1, the s shall: assign the level to the out, reset the t timer.\nWhen the v is 2, the s shall assign low to the out.".into(), "W0308", "the level", "Initially"),
        ("When the v is 1, the s shall assign open to the out.".into(), "W0309", "the out", "`not open`"),
        (out.into(), "E0302", "the", "say when"),
    ] {
        // The number is reported with its sentence.
        let at = if code == "E0207" { &text[..] } else { at };
        slip(&text, code, at, hint);
    }
}

#[test]
fn too_many_cases() {
    let changes: Vec<String> = (0..12).map(|k| format!("the v changes to {k}")).collect();
    slip(
        &format!("When {}, the s shall assign 1 to the out.", changes.join(" or ")),
        "E0412",
        &format!("When {}, the s shall assign 1 to the out.", changes.join(" or ")),
        "several requirements",
    );
}

#[test]
fn initial_values() {
    let text = "Initially, the b is not pressed, and the m is y.\nWhen the b is pressed, and the v is 1, and the m is x, the s shall assign false to the n.";
    let lowered = lower(&read(text));
    let system = lowered.system.expect("no error");
    let shown: Vec<String> = system
        .variables
        .iter()
        .map(|found| format!("{} {} {}", found.name, english::plain(&found.initial), found.initial_given))
        .collect();
    assert_eq!(shown, ["b false true", "m y true", "v 0 false", "n false false"]);
    let found: Vec<_> =
        lowered.diagnostics.iter().map(|found| (found.code.id(), found.message.as_str())).collect();
    assert_eq!(found, [(INITIAL, "initial values are missing; these are assumed: v = 0, n = false")]);
}

#[test]
fn documents() {
    let text = "# a comment\n\nA-1: When the v is 1,\n  the s shall\n  : assign 1 to the x.\nWhen the v is 2, the s shall assign 2 to the x\nWhen the v is 3, the s shall assign 3 to the x\n# another\nREQ002: when the v is 4, the s shall assign 4 to the x\nThe v is never 9\n\nInitially, the v is 0.";
    let document = read(text);
    let ids: Vec<&str> = document.sentences.iter().map(|found| found.id.as_str()).collect();
    assert_eq!(ids, ["A-1", "REQ003", "REQ004", "REQ002", "ENV001", "INIT001"]);
    assert_eq!(document.diagnostics, []);
    for sentence in &document.sentences {
        assert_eq!(&text[sentence.offset..][..sentence.text().len()], sentence.text());
    }
    let broken = read("# x\nR: When the v si 1, the s shall reset the t.");
    let found = &broken.diagnostics[0];
    assert_eq!((found.code.id(), found.span.start), ("E0306", 12));
    assert!(broken.sentences[0].frame.is_none());
}

#[test]
fn frames_are_as_in_table_1() {
    let document = read(
        "When the system mode is idle, and the coin sensor changes to true, the coffee machine system shall: reset the request timer, assign choice to the system mode.",
    );
    let table = document.sentences[0].frame.as_ref().expect("it has no errors").table();
    let expected = "\
Condition #1 - Main Verb (CAC): is
  CPT: the system mode                   CFV: -
  CMD: -                                 CTV: idle
Condition #2 - Main Verb (CAC): changes
  CPT: the coin sensor                   CFV: -
  CMD: -                                 CTV: true
Action #1 - Main Verb (ACT): reset
  AGT: the coffee machine system         TOV: -
  PAT: the request timer
Action #2 - Main Verb (ACT): assign
  AGT: the coffee machine system         TOV: choice
  PAT: the system mode
";
    assert_eq!(table, expected);
}

#[test]
fn dictionaries() {
    let (dictionary, wrong) = Dictionary::parse(
        "# words\ninput the coin sensor\noutput: system mode\noutput the lamp\ntimer request timer\nvalue idle\nvalue choice\nagent the coffee machine\ninptu x\n",
    );
    assert_eq!(wrong.len(), 1);
    assert!(wrong[0].hint.contains("`input`"), "{wrong:?}");
    let text = "When the coin senser is true, and the system mode is idel, the cofee machine shall: assign choice to the system mode, assign false to the coin sensor.";
    let found = lower_with(&read(text), Some(&dictionary)).diagnostics;
    let shown: Vec<String> = found
        .iter()
        .filter(|found| found.code.id() != INITIAL)
        .map(|found| format!("{} {} {}", found.code.id(), &text[found.span.range()], found.hint))
        .collect();
    assert_eq!(
        shown,
        [
            "W0307  write a requirement for it, or list it as an input",
            "W0305 the coin senser did you mean `coin sensor`?",
            "W0305 idel did you mean `idle`?",
            "W0305 the cofee machine did you mean `coffee machine`?",
            "E0409 the coin sensor inputs are written by the environment; list it as an output",
        ]
    );
}

#[test]
fn words_for_values() {
    let text = "When the lights were not off, and the b is pressed, and the v is greater than 1, and the m is 'and', and the m is \"a \\\"b\\\"\", the s shall assign 1 to the out.\nWhen the lights are on, the s shall assign 2 to the out.";
    let system = lower(&read(text)).system.expect("no error");
    let shown: Vec<String> = system.functions[0].entries[0]
        .guard
        .iter()
        .flatten()
        .map(|found| english::condition(&system, found))
        .collect();
    assert_eq!(
        shown,
        [
            "the lights were not off",
            "the b is pressed",
            "the v is greater than 1",
            "the m is \"and\"",
            "the m is \"a \\\"b\\\"\""
        ]
    );
    let initial = system.variables.iter().map(|found| &found.initial);
    assert_eq!(
        english::situation(&system, initial),
        "the b is not pressed, the lights are off, the m is \"a \\\"b\\\"\", the v is 0, the out is 0"
    );
}

#[test]
fn any_text_is_a_document() {
    let good = include_str!("../../../examples/dfrs/turn_indicator_tip.req");
    let words: Vec<&str> = good.split_inclusive([' ', '\n']).collect();
    let mut state = 11u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % limit.max(1)
    };
    for _ in 0..1500 {
        let start = below(words.len());
        let mut text: Vec<&str> = words[start..(start + 1 + below(120)).min(words.len())].to_vec();
        for _ in 0..below(6) {
            let at = below(text.len());
            text[at] = match below(4) {
                0 => "",
                1 => "the voltage ",
                2 => "# ",
                _ => words[below(words.len())],
            };
        }
        findings(&text.concat());
    }
}
