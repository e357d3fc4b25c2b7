//! FRETish sentences: every surface form, and every mistake with its code.

use shall_syntax::Expr;
use shall_syntax::fretish::{Sentence, parse};
use std::time::{Duration, Instant};

/// The fields of a sentence on one line: `scope mode / clauses / component / timing argument / response`.
fn summary(text: &str) -> String {
    let parse = parse(text);
    let sentence = Sentence::of(&parse.tree);
    if let Some(note) = sentence.freeform() {
        return format!("freeform {note}");
    }
    let scope =
        sentence.scope().map_or("-".into(), |s| format!("{:?} {}", s.kind, s.mode.map_or("?", |m| m.text())));
    let mut clauses: Vec<String> = Vec::new();
    for clause in sentence.clauses() {
        let joint = if clauses.is_empty() { String::new() } else { format!("{:?} ", clause.join) };
        clauses.push(format!(
            "{joint}{:?} {}",
            clause.qualifier,
            clause.expression.map_or("?", |e| e.text())
        ));
    }
    let clauses = if clauses.is_empty() { "-".into() } else { clauses.join("; ") };
    let component = sentence.component().map_or("-".into(), |(name, _)| name.into_owned());
    let timing = sentence.timing().map_or("-".into(), |t| {
        let unit = t.duration.and_then(|d| d.unit).map_or(String::new(), |u| format!(" {u:?}"));
        let duration = t.duration.map_or(String::new(), |d| format!(" {}{unit}", d.amount));
        format!("{:?}{duration}{}", t.word, t.stop.map_or(String::new(), |s| format!(" {}", s.text())))
    });
    let response = sentence.response().map_or("-", |r| r.text());
    format!("{scope} / {clauses} / {component} / {timing} / {response}")
}

fn codes(text: &str) -> Vec<&'static str> {
    let parse = parse(text);
    assert_eq!(
        parse.tree.tokens().map(|(_, text)| text).collect::<String>(),
        text,
        "the tree keeps every byte"
    );
    for diagnostic in &parse.diagnostics {
        assert!(!diagnostic.hint.is_empty() && diagnostic.span.end as usize <= text.len(), "{diagnostic:?}");
    }
    parse.diagnostics.iter().map(|d| d.code.id()).collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(codes(text), [""; 0], "{text}");
    assert_eq!(summary(text), expected, "{text}");
}

#[track_caller]
fn refuse(text: &str, expected: &[&str], readable: &str) {
    assert_eq!(codes(text), expected, "{text}\n{:#?}", parse(text).diagnostics);
    assert_eq!(summary(text), readable, "{text}");
}

/// One slip is one error: its code, the words it points at, a part of its hint, and the fields beside it.
#[track_caller]
fn slip(text: &str, code: &str, at: &str, hint: &str, readable: &str) {
    refuse(text, &[code], readable);
    let found = &parse(text).diagnostics[0];
    assert_eq!(&text[found.span.range()], at, "{found:#?}");
    assert!(found.hint.contains(hint), "{found:#?}");
}

#[test]
fn scopes() {
    for words in [
        "in M",
        "in M mode",
        "in mode M",
        "during M",
        "during mode M",
        "when in M",
        "if in M mode",
        "while M",
        "IN M",
        "In mode M,",
    ] {
        check(&format!("{words} sw shall satisfy p"), "In M / - / sw / - / p");
        check(&format!("{words} the sw shall satisfy p"), "In M / - / sw / - / p");
    }
    for words in [
        "when not in M",
        "if not in M mode",
        "unless in M",
        "except in M",
        "except during M",
        "except when in M",
        "except if in M mode",
        "except while M",
    ] {
        check(&format!("{words} the sw shall satisfy p"), "NotIn M / - / sw / - / p");
    }
    for words in ["only in M", "only during M", "only when in M", "only if in mode M", "only while M"] {
        check(&format!("{words}, shall the sw satisfy p"), "OnlyIn M / - / sw / - / p");
    }
    check("before M the sw shall satisfy p", "Before M / - / sw / - / p");
    check("after x > 3, the sw shall satisfy p", "After x > 3 / - / sw / - / p");
    check("only before mode M shall sw satisfy p", "OnlyBefore M / - / sw / - / p");
    check("only after M mode shall the sw satisfy p", "OnlyAfter M / - / sw / - / p");
    check("while readonly & x the sw shall satisfy p", "In readonly & x / - / sw / - / p");
    check("except while mode = landed the sw shall satisfy p", "NotIn mode = landed / - / sw / - / p");
    check("in \"roll hold\" mode the sw shall satisfy p", "In \"roll hold\" / - / sw / - / p");
    check("in mode sw shall satisfy p", "In mode / - / sw / - / p");
}

#[test]
fn conditions() {
    for word in ["when", "if", "upon", "where", "Upon"] {
        check(&format!("{word} p the sw shall satisfy q"), "- / When p / sw / - / q");
    }
    check("whenever p & q, sw shall satisfy r", "- / Whenever p & q / sw / - / r");
    check("unless p and unless q, the sw shall satisfy r", "- / Unless p; And Unless q / sw / - / r");
    check(
        "when p(a) or unless q(c) and upon x > 0 the sw shall satisfy r",
        "- / When p(a); Or Unless q(c); And When x > 0 / sw / - / r",
    );
    check(
        "When p, OR if (if q then s), the sw shall satisfy r",
        "- / When p; Or When (if q then s) / sw / - / r",
    );
    check("upon t when c the sw shall satisfy r", "- / When t; And When c / sw / - / r");
    check("when p and q or r the sw shall satisfy r", "- / When p and q or r / sw / - / r");
    check("when in M mode and when p the sw shall satisfy r", "In M / When p / sw / - / r");
    check("when p is true the sw shall satisfy r", "- / When p is true / sw / - / r");
    check("if x-1 > 0 is FALSE, sw shall satisfy r", "- / When x-1 > 0 is FALSE / sw / - / r");
    check("when not p the sw shall satisfy r", "- / When not p / sw / - / r");
    check("when in > 3 the sw shall satisfy r", "- / When in > 3 / sw / - / r");
    check("if p, then the sw shall satisfy r", "- / When p / sw / - / r");
    check("if p component shall satisfy r", "- / When p / component / - / r");
    check("if !mode = 4 IM shall satisfy r", "- / When !mode = 4 / IM / - / r");
    check(
        "when at the previous occurrence of p, q the sw shall satisfy r",
        "- / When at the previous occurrence of p, q / sw / - / r",
    );
}

#[test]
fn timings() {
    for (words, expected) in [
        ("immediately", "Immediately"),
        ("initially", "Immediately"),
        ("at the first timepoint", "Immediately"),
        ("at the same timepoint", "Immediately"),
        ("at the next timepoint", "Next"),
        ("at the next time point", "Next"),
        ("finally", "Finally"),
        ("at the last timepoint", "Finally"),
        ("eventually", "Eventually"),
        ("always", "Always"),
        ("NEVER", "Never"),
        ("within 3 ticks", "Within 3 Tick"),
        ("within 0.5 seconds", "Within 0.5 Second"),
        ("within 1e3 ms", "Within 1e3 Millisecond"),
        ("for 2 minutes", "For 2 Minute"),
        ("after 10 hours", "After 10 Hour"),
        ("within RESPONSE_TIME", "Within RESPONSE_TIME"),
        ("within RESPONSE_TIME microsecs", "Within RESPONSE_TIME Microsecond"),
        ("until x = 0", "Until x = 0"),
        ("before if p then q", "Before if p then q"),
        ("until not p", "Until not p"),
        ("until p is true", "Until p is true"),
        ("before p is false", "Before p is false"),
        ("within .5 seconds", "Within .5 Second"),
    ] {
        check(&format!("the sw shall {words} satisfy p"), &format!("- / - / sw / {expected} / p"));
        check(&format!("sw shall, {words}, satisfy p"), &format!("- / - / sw / {expected} / p"));
    }
    check("sw shall satisfy p", "- / - / sw / - / p");
    check("sw shall with probability > 0.98 always satisfy p", "- / - / sw / Always / p");
}

#[test]
fn responses_and_names() {
    for response in [
        "p.",
        "~p",
        "x & if p then q",
        "(p => q) <=> r",
        "a && b || !c",
        "x == 3",
        "x != -3.0e2",
        "abs(x - y) <= 0.1",
        "x = .1 | x > -.5e3",
        "TRUE",
        "p implies q and not r",
        "R | T | count",
        "x mod 2 = 0",
        "2^3^2 > -x",
        "f()",
        "mode",
        "before & after",
        "persisted(3, p) & FTP",
        "\"a b\" > 3",
        "p is true",
        "x <> 3",
        "größe > 0",
        "a xor b xor c",
        "¬p ∧ q → r",
    ] {
        check(
            &format!("sw shall always satisfy {response}"),
            &format!("- / - / sw / Always / {}", response.trim_end_matches('.')),
        );
    }
    check("\u{200b}the sw\u{200b} shall satisfy p\u{200b}", "- / - / sw / - / p");
    check("\"landing gear\" shall satisfy p", "- / - / landing gear / - / p");
    check("\"the sw shall do the \\\"right\\\" thing\"", "freeform the sw shall do the \"right\" thing");
}

#[test]
fn mistakes() {
    refuse("nickel", &["E0101"], "- / - / - / - / -");
    refuse("the pump must always satisfy p", &["E0101"], "- / - / pump / Always / p");
    refuse("the pump always satisfy p", &["E0101"], "- / - / pump / Always / p");
    refuse("the pump shal within 3 ticks satisfy p", &["E0101"], "- / - / pump / Within 3 Tick / p");
    refuse("when p the pump satisfy q", &["E0101"], "- / When p / pump / - / q");
    refuse("the pump shall not satisfy p", &["E0106"], "- / - / pump / - / p");
    refuse("the pump shall start", &["E0102"], "- / - / pump / - / -");
    refuse("the pump shall satsify p", &["E0102"], "- / - / pump / - / p");
    refuse("the pump shall always", &["E0102"], "- / - / pump / Always / -");
    refuse("the pump shall satisfy", &["E0104"], "- / - / pump / - / -");
    refuse("shall satisfy p", &["E0103"], "- / - / - / - / p");
    refuse("the landing gear shall satisfy p", &["E0105"], "- / - / landing gear / - / p");
    refuse("the pump shall satisfy p within 3 seconds", &["E0107"], "- / - / pump / Within 3 Second / p");
    refuse("the pump shall satisfy p when q", &["E0107"], "- / When q / pump / - / p");
    refuse("always the pump shall satisfy p", &["E0107"], "- / - / pump / Always / p");
    refuse("when p, in M mode, the pump shall satisfy q", &["E0107"], "In M / When p / pump / - / q");
    refuse("the pump shall when p satisfy q", &["E0107"], "- / When p / pump / - / q");
    refuse("in A in B the pump shall satisfy p", &["E0108"], "In A / - / pump / - / p");
    refuse("the pump shall always never satisfy p", &["E0108"], "- / - / pump / Always / p");
    refuse("the pump shall alwys satisfy p", &["E0109"], "- / - / pump / - / p");
    refuse("strictly after M, the pump shall satisfy p", &["E0109"], "After M / - / pump / - / p");
    refuse("the pump shall satisfy p q", &["E0109"], "- / - / pump / - / p");
    refuse("the pump shall satisfy $p", &["E0110"], "- / - / pump / - / p");
    refuse("the pump shall satisfy (p & q", &["E0111"], "- / - / pump / - / (p & q");
    refuse("the pump shall satisfy (p & q))", &["E0112"], "- / - / pump / - / (p & q)");
    refuse("the pump shall satisfy 0 < x < 5", &["E0113"], "- / - / pump / - / 0 < x < 5");
    refuse("the pump shall within 3 satisfy p", &["E0114"], "- / - / pump / Within 3 / p");
    refuse("the pump shall within 3 secnds satisfy p", &["E0115"], "- / - / pump / Within 3 / p");
    refuse(
        "the pump shall within five seconds satisfy p",
        &["E0116"],
        "- / - / pump / Within five Second / p",
    );
    refuse("the pump shall within satisfy p", &["E0116"], "- / - / pump / Within / p");
    refuse("the pump shall within satisfy (p)", &["E0116"], "- / - / pump / Within / (p)");
    refuse("the pump shall within -3 ticks satisfy p", &["E0116"], "- / - / pump / Within -3 Tick / p");
    refuse("only when p & q, pump shall satisfy r", &["E0117"], "OnlyIn p & q / - / pump / - / r");
    refuse("the pump shall satisfy if p & q", &["E0118"], "- / - / pump / - / if p & q");
    refuse("the pump shall satisfy \"p", &["E0119"], "- / - / pump / - / \"p");
    refuse("when p & the pump shall satisfy", &["E0104", "E0104"], "- / When p & / pump / - / -");
    refuse("the pump shall at the third timepoint satisfy p", &["E0109"], "- / - / pump / - / p");
    refuse(
        "the pump shall within 3 secnds satisfy (p & & q",
        &["E0115", "E0104", "E0111"],
        "- / - / pump / Within 3 / (p & & q",
    );
    refuse("", &["E0100"], "- / - / - / - / -");
    refuse(
        "when p & q is false the pump shall satisfy r",
        &["W0103"],
        "- / When p & q is false / pump / - / r",
    );
}

#[test]
fn slips_in_expressions() {
    let response = |text: &str, code, at, hint, readable: &str| {
        let readable = format!("- / - / c / Always / {readable}");
        slip(&format!("c shall always satisfy {text}"), code, at, hint, &readable);
    };
    response("if p q", "E0118", "q", "if p then q", "if p");
    response("x =< y", "E0104", "=<", "replace it with `<=`", "x =< y");
    response("x > = -y", "E0104", "> =", "replace it with `>=`", "x > = -y");
    response("x is 3", "E0109", "3", "compare values with `=`", "x is 3");
    response("x is greater than 3", "E0109", "greater than 3", "`>`", "x is greater than 3");
    response("p is not true", "E0109", "not true", "write `is false`", "p is not true");
    response("p is true & q", "E0109", "&", "put `is true` last", "p is true");
    response("p is true and q is false or r", "E0109", "and", "parentheses", "p is true");
    response("(p is true & q)", "E0109", "&", "put `is true` last", "(p is true & q)");
    response("'p'", "E0110", "'p'", "\"p\"", "'p'");
    response("“p q” & r", "E0110", "“p q”", "\"p q\"", "“p q” & r");
    response("pump's", "E0109", "'", "ends the sentence", "pump");
    response("x < 20% & q", "E0109", "%", "in the table of variables", "x < 20% & q");
    response("f(3 ms, p)", "E0203", "ms", "bounds count steps", "f(3 ms, p)");
    response("(p q) & r", "E0109", "q", "operator", "(p q) & r");
    response("f(p q, r)", "E0109", "q", "operator", "f(p q, r)");
    response(", q", "E0109", ",", "remove", "q");
    response(": q", "E0109", ":", "remove", "q");
    response("satisfy q", "E0109", "satisfy", "remove", "q");
    response("the q", "E0109", "the", "remove", "q");
    slip("when x is 3 c shall satisfy q", "E0109", "3", "`=`", "- / When x is 3 / c / - / q");
    slip("when p is c shall satisfy q", "E0109", "c", "`=`", "- / When p is / c / - / q");
    slip(
        "when p is true & q, c shall satisfy r",
        "E0109",
        "&",
        "put `is true` last",
        "- / When p is true / c / - / r",
    );
    slip(
        "when persisted(2 seconds, p) the c shall satisfy q",
        "E0203",
        "seconds",
        "bounds count steps",
        "- / When persisted(2 seconds, p) / c / - / q",
    );
    slip("'my pump' shall satisfy q", "E0110", "'my pump'", "\"my pump\"", "- / - / my pump / - / q");
    let read = |text: &str| {
        let parse = parse(&format!("c shall satisfy {text}"));
        format!("{:?}", Sentence::of(&parse.tree).response().map(Expr::of))
    };
    assert_eq!(read("x is 3"), "Some(Error)");
    assert!(read("x is FALSE").contains("Is("));
}

#[test]
fn slips_in_fields() {
    for (fields, code, at, hint, readable) in [
        ("if p then q", "E0109", "then", "parentheses", "- / When p"),
        ("except before m", "E0117", "before", "except in M", "NotIn m / -"),
        ("only not in m", "E0117", "not", "only in M", "OnlyIn m / -"),
        ("only p & q,", "E0117", "p", "only while p", "OnlyIn p & q / -"),
        ("when p and in m", "E0107", "in m", "scope first", "In m / When p"),
        ("when p, or in m mode,", "E0107", "in m mode", "scope first", "In m / When p"),
        ("in m and in n", "E0108", "in n", "one scope", "In m / -"),
        ("only not before m", "E0117", "not", "only in M", "OnlyIn m / -"),
        ("when p, or while q is true", "E0107", "while q is true", "scope first", "In q is true / When p"),
        ("when p,,, ", "E0109", ",", "scope, condition", "- / When p"),
    ] {
        for component in ["c", "the c"] {
            let text = format!("{fields} {component} shall satisfy r");
            slip(&text, code, at, hint, &format!("{readable} / c / - / r"));
        }
    }
    for (timing, code, at, hint, readable) in [
        ("within 3 + 2 ticks", "E0116", "3 + 2", "a number or a named constant", "Within"),
        ("within (3) ticks", "E0116", "(3)", "a number or a named constant", "Within"),
        ("for 2 * T seconds", "E0116", "2 * T", "a number or a named constant", "For"),
        ("after f(x)", "E0116", "f(x)", "a number or a named constant", "After"),
        ("at next timepoint", "E0109", "at next timepoint", "`at the next timepoint`", "Next"),
        ("at the previous timepoint", "E0109", "at the previous timepoint", "`at the first timepoint`", "-"),
        ("at the end of the run", "E0109", "at the end of the run", "`at the last timepoint`", "-"),
        ("at startup", "E0109", "at startup", "`at the first timepoint`", "-"),
        ("until 3 ticks", "E0109", "until 3 ticks", "`for 3 ticks` or `within 3 ticks`", "Until"),
        ("before 3 s", "E0109", "before 3 s", "`for 3 s` or `within 3 s`", "Before"),
        ("the", "E0109", "the", "write a timing", "-"),
    ] {
        let readable = format!("- / - / c / {readable} / r");
        slip(&format!("c shall {timing} satisfy r"), code, at, hint, &readable);
    }
    for word in ["satisfies", "Satisfied", "satsify"] {
        let hint = "did you mean `satisfy`?";
        slip(&format!("c shall {word} r & s"), "E0102", word, hint, "- / - / c / - / r & s");
        slip(&format!("c shall always {word} r"), "E0102", word, hint, "- / - / c / Always / r");
    }
    slip("the c satisfies r", "E0101", "satisfies", "the pump shall", "- / - / c / - / r");
    for component in ["c", "the c"] {
        let text = format!("after 3 ticks {component} shall satisfy r");
        slip(&text, "E0107", "after 3 ticks", "after `shall`", "- / - / c / After 3 Tick / r");
    }
    slip("shall always satisfy r", "E0103", "shall", "the pump shall", "- / - / - / Always / r");
    slip("when p, shall, satisfy r", "E0103", "shall", "the pump shall", "- / When p / - / - / r");
    slip("the shall satisfy r", "E0103", "the", "the pump shall", "- / - / - / - / r");
    slip("c shall shall satisfy r", "E0109", "shall", "remove", "- / - / c / - / r");
    slip("c shall satisfy r,", "E0109", ",", "remove", "- / - / c / - / r");
    refuse("shall shall satisfy r", &["E0109", "E0103"], "- / - / - / - / r");
    refuse("the shall always satisfy the", &["E0103", "E0104"], "- / - / - / Always / -");
    refuse("if p then the c must satisfy r", &["E0101"], "- / When p / c / - / r");
    refuse("if p then q", &["E0101"], "- / When p / - / - / -");
    refuse("or in m c shall satisfy r", &["E0109"], "In m / - / c / - / r");
    refuse("in m or when p c shall satisfy r", &["E0109"], "In m / When p / c / - / r");
    refuse("at the start the c shall satisfy r", &["E0109"], "- / - / c / - / r");
    // No fix writes the word that is there.
    for text in ["the p the q the c shall satisfy r", "c shall at satisfy r", "in in in shall satisfy r"] {
        for found in parse(text).diagnostics {
            let edits = found.fix.iter().flat_map(|fix| &fix.edits);
            assert!(edits.into_iter().all(|(span, new)| text[span.range()] != **new), "{text} {found:?}");
        }
    }
}

#[test]
fn any_text_is_read_without_harm() {
    let deep = |open: &str, close: &str| {
        format!("sw shall satisfy {}p{}", open.repeat(100_000), close.repeat(100_000))
    };
    assert_eq!(codes(&deep("(", ")")), ["E0121"]);
    assert_eq!(codes(&deep("!", "")), ["E0121"]);
    assert_eq!(codes(&deep("if ", "")), ["E0121"]);
    assert_eq!(codes(&deep("f(", "")), ["E0121"]);
    assert_eq!(codes(&deep("p & ", "")), [""; 0]);
    assert_eq!(codes(&"x".repeat(10 << 20)), ["E0120"]);
    assert_eq!(codes(&"$".repeat(100_000)), ["E0101"]);
    assert_eq!(codes(&format!("sw shall satisfy {}", "$".repeat(1000))).len(), 2);
}

#[test]
fn long_texts_take_linear_time() {
    let start = Instant::now();
    for piece in [
        "in a ",
        ", ",
        "p ",
        "( ",
        ") ",
        "shall ",
        "when p ",
        "when (p q ",
        "in (p q ",
        "at the x ",
        "the ",
        "only ",
        "until 3 s ",
        "x is 3 & ",
        "p is true & ",
        "f(2 s ",
        "and in m ",
        "„ ",
        "'a ",
        "..",
    ] {
        for (before, after) in [("", ""), ("when p ", "c shall satisfy p"), ("c shall satisfy ", "")] {
            summary(&format!("{before}{}{after}", piece.repeat(600_000 / piece.len())));
        }
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}
