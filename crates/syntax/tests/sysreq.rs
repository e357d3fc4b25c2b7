//! SysReq-CNL sentences: every surface form, every mistake with its code, place and hint, and texts that are none.

use base::Random;
use shall_syntax::sysreq::{Action, Condition, Form, Operand, Sentence, Value, parse};

fn value(value: &Option<Value>) -> String {
    let Some(value) = value else { return "-".into() };
    let operand = |operand: &Operand| match operand {
        Operand::Number(text, _) => text.clone(),
        Operand::Truth(truth, _) => truth.to_string(),
        Operand::Phrase(phrase) if phrase.article => format!("[{}]", phrase.words),
        Operand::Phrase(phrase) => format!("'{}'", phrase.words),
    };
    let mut text = String::new();
    for (index, (joint, found)) in value.operands.iter().enumerate() {
        if index > 0 {
            text.push_str(&format!(" {joint:?} "));
        }
        text.push_str(&operand(found));
    }
    text
}

fn condition(found: &Condition) -> String {
    let subject = found.subject.as_ref().map_or("?", |subject| &subject.words);
    let not = if found.not { "not " } else { "" };
    let from = found.from.as_ref().map_or(String::new(), |_| format!("{} -> ", value(&found.from)));
    format!("{subject} {:?} {not}{:?} {from}{}", found.verb, found.comparative, value(&found.value))
}

fn action(found: &Action) -> String {
    let patient = found.patient.as_ref().map_or("?", |patient| &patient.words);
    format!("{:?} {patient} {}", found.verb, value(&found.value))
}

/// A sentence on one line: `conditions / agent / actions`, or the facts.
fn summary(text: &str) -> String {
    let parse = parse(text);
    let sentence = Sentence::of(&parse.tree);
    let any = |list: &Vec<Condition>| list.iter().map(condition).collect::<Vec<_>>().join(" | ");
    let guard = sentence.guard.iter().map(any).collect::<Vec<_>>().join(" & ");
    let facts = sentence.facts.iter().map(condition).collect::<Vec<_>>().join(" & ");
    let agent = sentence.agent.as_ref().map_or("-".into(), |agent| agent.words.clone());
    let actions = sentence.actions.iter().map(action).collect::<Vec<_>>().join("; ");
    match sentence.form {
        Form::Requirement => format!("{guard} / {agent} / {actions}"),
        Form::Environment if guard.is_empty() => format!("never {facts}"),
        Form::Environment => format!("{guard} / never {facts}"),
        Form::Initial => format!("initially {facts}"),
    }
}

fn codes(text: &str) -> Vec<&'static str> {
    let parse = parse(text);
    let joined: String = parse.tree.tokens().map(|(_, text)| text).collect();
    assert_eq!(joined, text, "the tree keeps every byte");
    for found in &parse.diagnostics {
        assert!(!found.hint.is_empty() && !found.message.is_empty(), "{found:?}");
        assert!(text.get(found.span.range()).is_some(), "{found:?}");
    }
    parse.diagnostics.iter().map(|found| found.code.id()).collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(codes(text), [""; 0], "{text}\n{:#?}", parse(text).diagnostics);
    assert_eq!(summary(text), expected, "{text}");
}

/// One condition.
#[track_caller]
fn when(text: &str, expected: &str) {
    check(&format!("When {text}, the s shall reset the t."), &format!("{expected} / s / Reset t -"));
}

/// One action.
#[track_caller]
fn shall(text: &str, expected: &str) {
    check(&format!("When the x is 1, the s shall {text}."), &format!("x Is Equal 1 / s / {expected}"));
}

/// One slip is one error: its code, the words it points at, and a part of its hint.
#[track_caller]
fn slip(text: &str, code: &str, at: &str, hint: &str) {
    assert_eq!(codes(text), [code], "{text}\n{:#?}", parse(text).diagnostics);
    let found = &parse(text).diagnostics[0];
    assert_eq!(&text[found.span.range()], at, "{text}\n{found:#?}");
    assert!(found.hint.contains(hint), "{found:#?}");
}

#[test]
fn conditions() {
    when("the system mode is idle", "system mode Is Equal 'idle'");
    when("system_mode IS Idle", "system_mode Is Equal 'idle'");
    when("the  system\n mode   is\tidle", "system mode Is Equal 'idle'");
    when("the lights are off", "lights Is Equal 'off'");
    when("the coin sensor was not false", "coin sensor Was not Equal false");
    when("the lights were off", "lights Was Equal 'off'");
    when("the mode is preparing weak coffee", "mode Is Equal 'preparing weak coffee'");
    when("the mode is 'on'", "mode Is Equal 'on'");
    when("the mode is \"on and off\"", "mode Is Equal 'on and off'");
    when("the mode is ‘on’", "mode Is Equal 'on'");
    when("the mode is “on”", "mode Is Equal 'on'");
    when("the lever is on neutral position", "lever Is Equal 'on neutral position'");
    when("the lever is in the left position", "lever Is Equal 'in the left position'");
    when("the left-turn lamp is stand-by", "left-turn lamp Is Equal 'stand-by'");
    when("a is true", "a Is Equal true");
    when("the sensor a is TRUE", "sensor a Is Equal true");
    when("the level is -5", "level Is Equal -5");
    when("the level is +5.25", "level Is Equal 5.25");
    when("the level is level 2", "level Is Equal 'level 2'");
    when("the v is greater than 80", "v Is Greater 80");
    when("the v is higher than 80", "v Is Greater 80");
    when("the v is more than 80", "v Is Greater 80");
    when("the v is lower than 80", "v Is Lower 80");
    when("the v is less than 80", "v Is Lower 80");
    when("the v is lesser than 80", "v Is Lower 80");
    when("the v is greater than or equal to 80.5", "v Is GreaterOrEqual 80.5");
    when("the v is lower than or equal to -1", "v Is LowerOrEqual -1");
    when("the v is at least 5", "v Is GreaterOrEqual 5");
    when("the v was not at most -5", "v Was not LowerOrEqual -5");
    when("the v is equal to 3", "v Is Equal 3");
    when("the v is not equal to 3", "v Is not Equal 3");
    when("the v is different from 3", "v Is Different 3");
    when("the v is not greater than 3", "v Is not Greater 3");
    when("the v is more", "v Is Equal 'more'");
    when("the v changes to true", "v Changes Equal true");
    when("the lights change to left", "lights Changes Equal 'left'");
    when("the v changes from left to right", "v Changes Equal 'left' -> 'right'");
    when("the v changes to lower than or equal to 80", "v Changes LowerOrEqual 80");
    when("the v changes to not high", "v Changes not Equal 'high'");
    when("the v becomes greater than or equal to 9", "v Becomes GreaterOrEqual 9");
    when("the gear change is true", "gear change Is Equal true");
    when("the speed is greater than the limit speed", "speed Is Greater [limit speed]");
    when("the speed is greater than the limit plus 5", "speed Is Greater [limit] Plus 5");
    when("the speed is 2 * the limit - 1", "speed Is Equal 2 Times [limit] Minus 1");
}

#[test]
fn joints() {
    when("the a is 1, and the b is 2", "a Is Equal 1 & b Is Equal 2");
    when("the a is 1 or the b is 2, and the c is 3", "a Is Equal 1 | b Is Equal 2 & c Is Equal 3");
    when("the a is greater than or equal to 1 or the b is 2", "a Is GreaterOrEqual 1 | b Is Equal 2");
    when(
        "the lights are left or right or both",
        "lights Is Equal 'left' | lights Is Equal 'right' | lights Is Equal 'both'",
    );
    when("the v is lower than 1 or greater than 9", "v Is Lower 1 | v Is Greater 9");
    when("the v changes to 1 or 2", "v Changes Equal 1 | v Changes Equal 2");
    for opening in ["When", "when", "WHENEVER", "If", "While"] {
        let text = format!("{opening} the x is 1, then the s shall reset the t");
        check(&text, "x Is Equal 1 / s / Reset t -");
    }
    check(
        "When input1 is true, the system shall assign 1 to output1.",
        "input1 Is Equal true / system / Assign output1 1",
    );
}

#[test]
fn actions() {
    shall("assign choice to the system mode", "Assign system mode 'choice'");
    shall("assign 'on' to the left indication lights", "Assign left indication lights 'on'");
    shall("assign -1.5 to the level", "Assign level -1.5");
    shall("assign ready to start to the mode", "Assign mode 'ready to start'");
    shall("reset the request timer", "Reset request timer -");
    shall("change the mode to idle", "Set mode 'idle'");
    shall("set the mode to on neutral position", "Set mode 'on neutral position'");
    shall("set the 'time to live' to 5", "Set time to live 5");
    shall("assign the speed plus 1 to the speed", "Assign speed [speed] Plus 1");
    shall(
        "assign the speed minus the drag times 2 to the speed",
        "Assign speed [speed] Minus [drag] Times 2",
    );
    shall("add 1 to the counter", "Add counter 1");
    shall("subtract 2 from the counter", "Subtract counter 2");
    shall("increase the counter by the step", "Increase counter [step]");
    shall("decrease the counter by 3", "Decrease counter 3");
    let both = "Reset t -; Assign m 'idle'";
    shall(": reset the t, assign idle to the m", both);
    shall(": reset the t, and assign idle to the m", both);
    shall("reset the t and assign idle to the m", both);
    shall("reset the t, assign idle to the m", both);
}

#[test]
fn other_sentences() {
    check(
        "The turn indicator lever never changes from left to right.",
        "never turn indicator lever Changes Equal 'left' -> 'right'",
    );
    check("The voltage is never lower than 0.", "never voltage Is Lower 0");
    check("The voltage cannot be lower than 0", "never voltage Is Lower 0");
    check("The voltage can never be lower than 0", "never voltage Is Lower 0");
    check("The voltage can not become 7", "never voltage Becomes Equal 7");
    check("The lights never change to red.", "never lights Changes Equal 'red'");
    check("The stall is never deep.", "never stall Is Equal 'deep'");
    check(
        "When the power is off, the lever never changes to left.",
        "power Is Equal 'off' / never lever Changes Equal 'left'",
    );
    check("Initially, the system mode is idle.", "initially system mode Is Equal 'idle'");
    check(
        "initially the mode is idle, and the v is 3, and the button is not pressed",
        "initially mode Is Equal 'idle' & v Is Equal 3 & button Is not Equal 'pressed'",
    );
}

#[test]
fn slips() {
    let end = ", the s shall reset the t.";
    for (text, code, at, hint) in [
        ("the v is grater than 5", "E0309", "grater than", "`greater than`"),
        ("the v is greater then 5", "E0309", "greater then", "`greater than`"),
        ("the v is lowr than 5", "E0309", "lowr than", "`lower than`"),
        ("the v is greater 5", "E0309", "greater", "`greater than`"),
        ("the v is greater or equal to 5", "E0309", "greater or equal to", "greater than or equal to"),
        ("the v is less than or equal 5", "E0309", "or equal", "or equal to"),
        ("the v is equal or greater than 5", "E0309", "equal or greater than", "greater than or equal to"),
        ("the v is equl to 5", "E0309", "equl to", "`equal to`"),
        ("the v is different than 5", "E0309", "different than", "`different from`"),
        ("the v is >= 5", "E0309", ">=", "greater than or equal to"),
        ("the v is bigger than 5", "E0309", "bigger than", "`higher than`"),
        ("the v chnages to 5", "E0306", "chnages", "`changes`"),
        ("the v becoms 5", "E0306", "becoms", "`becomes`"),
        ("the v si 5", "E0306", "the v si 5", "`is`"),
        ("the v changes 5", "E0109", "5", "changes to y"),
        ("the v changes", "E0308", ",", "changes to y"),
        ("the v changes from 5", "E0308", ",", "changes from x to y"),
        ("the v is", "E0308", ",", "a number"),
        ("the v is greater than", "E0308", ",", "a number"),
        ("is 5", "E0307", "is", "name it"),
        ("the is 5", "E0307", "is", "name it"),
        ("the v is 5 and the w is 6", "E0304", "and", "binds more tightly"),
        ("the v is 5, the w is 6", "E0304", "the", "`, and`"),
        ("the v is 5 the w is 6", "E0304", "is", "`, and`"),
        ("the v is 5, or the w is 6", "E0305", ", or", "without a comma"),
        ("the lights are not left or right", "E0312", "right", "repeat the subject"),
        ("the v is idle $", "E0110", "$", "quotes"),
        ("the v is (5)", "E0109", "(", "binds more tightly"),
        ("the v is 5; and the w is 6", "E0109", ";", "`,`"),
        ("the v does not change to 5", "E0109", "does", "is not"),
        ("the v never is 5", "E0109", "never", "is not"),
        ("the v is never 5", "E0109", "never", "quotes"),
        ("the v is either left or right", "E0109", "either", "remove it"),
        ("the v is idle the w changes to 5", "E0304", "changes", "`, and`"),
        ("the v is greater than 5 km", "E0109", "km", "the same unit"),
        ("the v is lower than the w plus", "E0308", ",", "the speed plus 1"),
        ("the v is lower than minus the w", "E0308", "minus", "the speed plus 1"),
        ("the v isn't 5", "E0306", "the v isn't 5", "is not"),
        ("the v = 5", "E0309", "=", "equal to"),
        ("the v is between 5 and 6", "E0304", "and", ", and"),
        ("the v was 5 and is 6", "E0304", "and", ", and"),
        ("the v is 5, and", "E0306", ",", "a condition such as"),
        ("the driver's door is open", "E0119", "'", "apostrophe"),
        ("the v is 'on", "E0119", "'", "close it"),
        ("the v is 5, and", "E0306", ",", "a condition such as"),
    ] {
        slip(&format!("When {text}{end}"), code, at, hint);
    }
    let start = "When the x is 1, the s ";
    for (text, code, at, hint) in [
        ("shal reset the t", "E0101", "shal", "`shall`"),
        ("must reset the t", "E0101", "must", "`shall`"),
        ("shall reste the t", "E0310", "reste", "`reset`"),
        ("shall asign 1 to the y", "E0310", "asign", "`assign`"),
        ("shall illuminate the y", "E0310", "illuminate", "`assign v to x`"),
        ("shall", "E0310", "", "`assign v to x`"),
        ("shall: reset the t, the y", "E0310", "the", "`assign v to x`"),
        ("shall assign 1", "E0311", "", "assign idle to the system mode"),
        ("shall assign to the y", "E0308", "to", "a number"),
        ("shall assign 1 to the", "E0307", "", "name it"),
        ("shall reset", "E0307", "", "name it"),
        ("shall reset the counter to 0", "E0109", "to 0", "set the counter to 0"),
        ("shall set the y", "E0311", "", "set the system mode to idle"),
        ("shall set the time to live to 5", "E0312", "the time to live to 5", "quotes"),
        ("shall change the y from 1 to 2", "E0109", "from 1", "condition"),
        ("shall subtract 1 to the y", "E0311", "", "subtract 1 from the counter"),
        ("shall reset the t, and the u shall reset the v", "E0109", "the", "two requirements"),
        ("shall: reset the t; assign 1 to the y", "E0109", ";", "`,`"),
        ("shall: reset the t assign 1 to the y", "E0303", "assign", "commas"),
        ("shall not reset the t", "E0109", "not", "instead"),
        ("shall reset the t or reset the u", "E0109", "or", "commas"),
        ("shall reset the t when the y is 1", "E0107", "when", "put it first"),
        ("shall reset the t. It is good.", "E0109", "It", "one sentence"),
    ] {
        slip(&format!("{start}{text}"), code, at, hint);
    }
    for (text, code, at, hint) in [
        ("", "E0100", "", "When"),
        ("the s shall reset the t.", "E0302", "the", "say when"),
        ("When the x is 1, and the s shall reset the t.", "E0306", "the", "a condition such as"),
        ("The s shall reset the t when the x is 1.", "E0107", "when", "put it first"),
        ("When the x is 1 then the s shall reset the t.", "E0303", "then", "comma"),
        ("Wen the x is 1, the s shall reset the t.", "E0301", "Wen", "`when`"),
        ("The x is 1, the s shall reset the t.", "E0301", "The", "`When`"),
        ("When the x is 1 the s shall reset the t.", "E0303", "the", "comma"),
        ("When the x is 1, shall reset the t.", "E0103", "shall", "name it"),
        ("When the x is 1, the shall reset the t.", "E0103", "the", "name it"),
        ("When the x is 1, the s reset the t.", "E0101", "", "shall"),
        ("When the x is 1.", "E0101", "", "shall"),
        ("The system mode is idle.", "E0101", "The", "Initially"),
        ("hello world", "E0101", "hello", "When"),
        ("The lever never left.", "E0306", "left", "never changes"),
        ("Initially, the mode is idle or busy.", "E0109", "or", "one value"),
        ("When the x is 1, the s shall: reset the t, .", "E0310", ".", "`assign v to x`"),
        ("When the x is \"on, the s shall reset the t.", "E0119", "\"", "closing"),
    ] {
        slip(text, code, at, hint);
    }
}

#[test]
fn any_text_has_a_tree() {
    let words = [
        "When",
        "the",
        "a",
        "mode",
        "is",
        "was",
        "changes",
        "change",
        "becomes",
        "not",
        "greater",
        "than",
        "or",
        "equal",
        "to",
        "from",
        "5",
        "-",
        "-3.5",
        ",",
        "and",
        ".",
        ":",
        "shall",
        "assign",
        "reset",
        "set",
        "add",
        "by",
        "never",
        "cannot",
        "can",
        "be",
        "Initially",
        "then",
        "'on'",
        "\"",
        "'",
        "true",
        "plus",
        "minus",
        "times",
        "(",
        "$",
        "≤",
        "\n",
        "%",
        "“",
        "at",
        "least",
        "least 5",
        "in",
        "if",
        "must",
        "shal",
        "lower",
    ];
    let good = "When the flashing mode is left or right, and the voltage changes from 5 to greater than or equal to 80, the lights component shall: assign 'on' to the lights, reset the flashing timer.";
    let mut random = Random::new(7);
    for round in 0..20_000 {
        let mut text = String::new();
        if round % 2 == 0 {
            for _ in 0..random.below(24) {
                text.push_str(words[random.below(words.len())]);
                text.push_str([" ", "", "  "][random.below(3)]);
            }
        } else {
            let mut pieces: Vec<&str> = good.split(' ').collect();
            for _ in 0..1 + random.below(4) {
                let at = random.below(pieces.len());
                match random.below(3) {
                    0 => drop(pieces.remove(at)),
                    1 => pieces.insert(at, words[random.below(words.len())]),
                    _ => pieces[at] = words[random.below(words.len())],
                }
            }
            text = pieces.join(" ");
        }
        codes(&text);
        let _ = summary(&text);
    }
}

#[test]
fn large_texts_are_read() {
    for piece in [
        "the ",
        "When ",
        "and ",
        ", ",
        "(",
        "the x is 1 or ",
        ", and the x is 1 ",
        "-",
        "shall ",
        "to ",
        "plus 1 ",
    ] {
        for head in ["", "When ", "When the x is ", "When the x is 1, the s shall assign "] {
            let text = format!("{head}{}", piece.repeat(5_000));
            codes(&text);
            let _ = summary(&text);
        }
    }
}
