//! What the readers of our files require, as docs/exports.md has it from their manuals and from trials: small checkers of
//! the text, run on a component that has everything that was once refused.

mod component;

use component::{component, variable};
use logic::Store;
use requirement::specification::{Component, Kind, Variable};
use shall_export::specification::{Form, Options, Refused, Target, Written, write};
use std::collections::BTreeSet;

fn of_responses(store: &mut Store, variables: Vec<Variable>, responses: &[&str]) -> Component {
    let sentence = |(at, response)| (format!("C-{at}"), format!("the C shall always satisfy {response}"));
    let sentences: Vec<(String, String)> = responses.iter().enumerate().map(sentence).collect();
    let sentences: Vec<(&str, &str)> = sentences.iter().map(|it| (it.0.as_str(), it.1.as_str())).collect();
    component(store, "C", variables, &sentences)
}

fn exported(target: Target, form: Form, variables: Vec<Variable>, responses: &[&str]) -> Written {
    let mut store = Store::default();
    let components = [of_responses(&mut store, variables, responses)];
    write(&mut store, &components, target, &Options { form, ..Options::default() }).expect("there is a file")
}

/// All that was once refused by one of the readers.
fn everything() -> (Vec<Variable>, Vec<&'static str>) {
    let variables = vec![
        // Definitions that are used before they come, that name another variable, and that refer to other steps.
        variable("warm", Kind::Internal, "bool", Some("hot & late")),
        variable("hot", Kind::Internal, "bool", Some("t > limit")),
        variable("alias", Kind::Internal, "int", Some("t")),
        variable("late", Kind::Internal, "bool", Some("occurred(3, previous)")),
        variable("limit", Kind::Constant, "int", Some("-3")),
        variable("t", Kind::Input, "int32", None),
        variable("wide", Kind::Input, "int -2147483648..-2147483640", None),
        // Names that some reader reserves.
        variable("previous", Kind::Input, "bool", None),
        variable("ENUMERATE", Kind::Output, "bool", None),
        variable("Word", Kind::Output, "bool", None),
        variable("ITYPE", Kind::Output, "bool", None),
        variable("NEXTWFF", Kind::Output, "bool", None),
        variable("COMPID", Kind::Output, "bool", None),
        variable("assuming", Kind::Output, "bool", None),
        variable("root", Kind::Function, "real", None),
    ];
    let responses = vec![
        "warm => Word | ITYPE",
        "alias > -5 & wide < 0",
        "late => (NEXTWFF & COMPID & assuming & ENUMERATE)",
        "root(t) > 2 & root(t) < 3",
    ];
    (variables, responses)
}

/// The words and numbers of a line, without its comment.
fn words(line: &str) -> Vec<&str> {
    let code = line.split("--").next().unwrap_or_default();
    let word = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
    code.split(|c| !word(c)).filter(|word| !word.is_empty()).collect()
}

/// NuSMV 2.6: integers have 31 bits without their sign, names are not reserved words, and only a specification has operators
/// over time.
fn check_smv(text: &str) {
    const TEMPORAL: &[&str] = &["X", "F", "G", "U", "V", "Y", "Z", "O", "H", "S", "T"];
    const RESERVED: &[&str] = &["Word", "ITYPE", "NEXTWFF", "COMPID"];
    for line in text.lines() {
        for word in words(line) {
            let too_large = word.parse::<u64>().is_ok_and(|number| number > i32::MAX as u64);
            assert!(!too_large && !RESERVED.contains(&word), "{word}: {line}");
            assert!(line.starts_with("LTLSPEC") || !TEMPORAL.contains(&word), "{word}: {line}");
        }
    }
}

/// Kind 2: a contract has at least one item, each function is declared once, and names are not keywords.
fn check_lustre(text: &str) {
    let mut functions = BTreeSet::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("function imported ") {
            assert!(functions.insert(rest.split('(').next()), "{line}");
        }
        assert!(!words(line).contains(&"assuming"), "{line}");
    }
    for contract in text.split("\ncontract ").skip(1) {
        let body = contract.split("let\n").nth(1).and_then(|rest| rest.split("tel").next()).expect("a body");
        assert!(body.lines().any(|line| !words(line).is_empty()), "{contract}");
    }
}

/// C2PO: what is defined is known only after its definition, which is not a name alone; there is no minus before a number; no
/// name begins with `prev` or `ENUM`.
fn check_c2po(text: &str) {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut section = "";
    for line in text.lines().filter(|line| !words(line).is_empty()) {
        if !line.starts_with(' ') {
            section = line;
            continue;
        }
        let code = line.split("--").next().unwrap_or_default().trim();
        let all = words(code);
        assert!(!all.iter().any(|word| word.starts_with("prev") || word.starts_with("ENUM")), "{line}");
        for sign in code.match_indices('-').map(|(at, _)| at).filter(|&at| !code[at..].starts_with("->")) {
            let before = code[..sign].trim_end();
            assert!(before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == ')'), "{line}");
        }
        let keywords = ["H", "O", "S", "G", "F", "U", "M", "true", "false", "abs"];
        let used: Vec<&str> = all[1..]
            .iter()
            .copied()
            .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()) && !keywords.contains(word))
            .collect();
        match section {
            "INPUT" => {}
            "DEFINE" => {
                let value = code.split(":=").nth(1).expect("a definition").trim().trim_end_matches(';');
                assert!(used.iter().all(|word| known.contains(word)), "{line}");
                assert!(!used.contains(&value), "{line}");
            }
            _ => assert!(used.iter().all(|word| known.contains(word)), "{line}\n{known:?}"),
        }
        known.insert(all[0]);
    }
}

#[test]
fn modules_are_read_by_nusmv() {
    for form in [Form::Past, Form::FutureInfinite] {
        let (variables, responses) = everything();
        let written = exported(Target::Smv, form, variables, &responses);
        check_smv(&written.text);
        // The definition about other steps takes the place of its name, also through another definition.
        let line = "-- C-2: the C shall always satisfy late => (NEXTWFF & COMPID & assuming & ENUMERATE)\n\
                    LTLSPEC NAME C-2 := G ((O [0,3] previous) -> ";
        assert!(form != Form::Past || written.text.contains(line), "{}", written.text);
        for line in
            ["INVAR -2147483647 <= t + 1;", "INVAR t <= 2147483647;", "INVAR -2147483647 <= wide + 1;"]
        {
            assert!(written.text.lines().any(|other| other == line), "{line}\n{}", written.text);
        }
        assert_eq!(written.left_out, [], "{}", written.text);
    }
}

#[test]
fn what_nusmv_cannot_count_to_is_left_out() {
    let variables =
        vec![variable("big", Kind::Input, "uint64", None), variable("y", Kind::Output, "int", None)];
    let written = exported(Target::Smv, Form::Past, variables, &["y > 3000000000", "y > big"]);
    check_smv(&written.text);
    let left_out: Vec<String> = written.left_out.iter().map(ToString::to_string).collect();
    assert_eq!(
        left_out,
        [
            "big: the target has no integers as large as 18446744073709551615; the variable has no such bound",
            "C-0: the target has no integers as large as 3000000000",
        ]
    );
}

#[test]
fn contracts_are_read_by_kind_2() {
    let (variables, responses) = everything();
    let written = exported(Target::CoCoSpec, Form::Past, variables, &responses);
    check_lustre(&written.text);
    let declared = "function imported root(a1: int) returns (value: real);";
    assert!(written.text.lines().any(|line| line == declared), "{}", written.text);
    // A component without requirements has no contract.
    let empty = exported(Target::CoCoSpec, Form::Past, vec![variable("x", Kind::Input, "int", None)], &[]);
    check_lustre(&empty.text);
    assert!(!empty.text.contains("contract CSpec"), "{}", empty.text);
}

#[test]
fn specifications_are_read_by_c2po() {
    let (variables, responses) = everything();
    let written = exported(Target::C2po, Form::Past, variables, &responses[..3]);
    check_c2po(&written.text);
    assert!(written.text.contains("limit := 0 - 3;"), "{}", written.text);
    assert!(written.text.contains("(t > (0 - 5))"), "{}", written.text);
    assert!(!written.text.contains("Warning"), "{}", written.text);
}

#[test]
fn missions_are_read_by_c2po() {
    let (variables, _) = everything();
    let responses =
        ["hot => Word", "persists(2, Word) | occurs(3, hot)", "at the next occurrence of hot, Word"];
    let written = exported(Target::C2po, Form::FutureInfinite, variables, &responses);
    check_c2po(&written.text);
    assert!(written.text.contains("\nFTSPEC\n"), "{}", written.text);
    assert!(written.text.contains("C_0: G[0,M] (hot -> Word);"), "{}", written.text);
    assert!(written.text.contains("(G[0,2] Word) || (F[0,3] hot)"), "{}", written.text);
    let mut store = Store::default();
    let components = [of_responses(&mut store, everything().0, &["Word"])];
    let options = Options { form: Form::FutureFinite, ..Options::default() };
    assert_eq!(write(&mut store, &components, Target::C2po, &options), Err(Refused::FiniteFuture));
}

/// Copilot: every name is defined once, with its type, or belongs to Copilot; parentheses match; names of values begin with a
/// small letter.
fn check_copilot(text: &str) {
    const COPILOT: &str = "module where import qualified do let in compile constant extern mux not xor true false mod abs negate \
                           trigger reify main spec n p q before count held";
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let mut defined: Vec<&str> = Vec::new();
    let mut typed: BTreeSet<&str> = BTreeSet::new();
    for line in &code {
        if let Some((name, _)) = line.split_once(" :: ").filter(|_| !line.starts_with(' ')) {
            assert!(typed.insert(name), "{line}");
        } else if let Some((head, _)) = line.split_once(" = ").filter(|_| !line.starts_with(' ')) {
            defined.extend(head.split(' ').next());
        }
    }
    assert_eq!(defined.iter().copied().collect::<BTreeSet<_>>(), typed, "{text}");
    assert_eq!(defined.len(), typed.len(), "{text}");
    for line in code.iter().filter(|line| !line.starts_with("import") && !line.contains(" :: ")) {
        let mut depth = 0;
        for c in line.chars() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            assert!(depth >= 0, "{line}");
        }
        assert_eq!(depth, 0, "{line}");
        let outside_texts: String = line.split('"').step_by(2).collect();
        for word in words(&outside_texts) {
            let is_name = word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.contains('.');
            let known = typed.contains(word) || COPILOT.split_whitespace().any(|other| other == word);
            assert!(!is_name || known, "{word}: {line}");
        }
    }
}

#[test]
fn modules_are_read_by_copilot() {
    let (variables, mut responses) = everything();
    responses.extend([
        "persisted(2, Word)",
        "occurred(1, 4, Word)",
        "at the previous occurrence of Word, hot",
    ]);
    let written = exported(Target::Copilot, Form::Past, variables, &responses);
    check_copilot(&written.text);
    let left_out: Vec<&str> = written.left_out.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(left_out, ["root", "C-3"], "{}", written.text);
    for part in [
        "late = onceWithin 3 previous\n",
        "limit = negate 3\n",
        "previously (onceWithin 3 ",
        "trigger \"violated_c_C_0\" (not c_C_0) []",
    ] {
        let part = part.replace(
            "c_C_0",
            written.renamed.iter().find(|it| it.original == "C-0").map_or("", |it| &it.emitted),
        );
        assert!(written.text.contains(&part), "{part}\n{}", written.text);
    }
}

#[test]
fn since_is_marked_where_readers_misjudge_it() {
    let sentences = ["at the previous occurrence of Word, ITYPE", "Word"];
    for (target, warning) in [(Target::C2po, "-- Warning: uses S"), (Target::Ogma, "PTLTL.since")] {
        let variables = || {
            vec![variable("Word", Kind::Input, "bool", None), variable("ITYPE", Kind::Output, "bool", None)]
        };
        let text = exported(target, Form::Past, variables(), &sentences).text;
        assert_eq!(text.matches(warning).count(), 1, "{text}");
        let text = exported(target, Form::Past, variables(), &sentences[1..]).text;
        assert!(!text.contains(warning), "{text}");
    }
}
