//! Requirements meet models: which signal each variable is, what is wrong with that, and which sentences become properties.

use lustre::read;
use shall_project::mapping::{lustre_signals, requests};
use shall_project::monitors::{Monitors, Question, Unknown, attach};
use shall_project::{Cache, Config, Document, Project, Source};

const MODEL: &str = "\
type Gear = enum { low, high };
node tank(level: real; Valve_Open_1: bool; count: int; gear: Gear) returns (alarm, full: bool);
var inner: bool;
let
  inner = level > 3.0;
  alarm = inner;
  full = helper(count);
tel
node helper(n: int) returns (big: bool); var n_1: int; let n_1 = n; big = n > 5; tel
";

fn attached(
    table: &str,
    sentences: &str,
    config: &str,
    said: &[(&str, &str)],
    only: &[&str],
) -> (Project, Result<Monitors, Unknown>) {
    let mut text = String::from("## Tank\n\n| name | kind | type | definition |\n|---|---|---|---|\n");
    text += table;
    for (number, sentence) in sentences.split(';').enumerate() {
        text += &format!("\n## T-{}: a title\n\n```fretish\n{}\n```\n", number + 1, sentence.trim());
    }
    let (config, found) = Config::read(config);
    assert!(found.is_empty(), "{found:?}");
    let project = Project { config, documents: vec![Document::read("tank.md", text)] };
    let analysis = project.analyse(&mut Cache::default());
    let program = read(MODEL, &|_| None);
    assert!(!program.is_wrong(), "{:?}", program.diagnostics);
    let node = program.nodes().into_iter().find(|it| it.name == "tank").expect("a node");
    let mut system = program.system("tank", &Default::default()).expect("a system");
    system.properties.clear();
    let signals = lustre_signals(&system, &node);
    let said: Vec<(String, String)> = said.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
    let only: Vec<String> = only.iter().map(ToString::to_string).collect();
    let requests = requests(&project, "Tank", &said);
    let question = Question {
        component: "Tank",
        only: &only,
        requests: &requests,
        reading: requirement::Reading::Endless,
    };
    let mut monitors = attach(&project, &analysis, question, &mut system, &signals);
    if let Ok(monitors) = &mut monitors {
        monitors.assume_others(&project, &analysis, question, &mut system, &signals);
    }
    assert!(system.check().is_empty(), "{:?}", system.check());
    (project, monitors)
}

/// All that became of the sentences, in one line for each.
fn shown(project: &Project, monitors: &Result<Monitors, Unknown>) -> String {
    let monitors = match monitors {
        Ok(monitors) => monitors,
        Err(message) => return format!("error: {message}"),
    };
    let mut lines = Vec::new();
    for it in &monitors.list {
        let signals: Vec<String> = it.signals.iter().map(|(a, b)| format!("{a}={b}")).collect();
        lines.push(format!("{} {}", it.id, signals.join(" ")));
    }
    lines.extend(monitors.refused.iter().map(|it| format!("{} refused: {}", it.id, it.reason)));
    for found in &monitors.findings {
        let span = found.diagnostic.span.range();
        let place = match found.source {
            Source::Document(at) => &project.documents[at].text[span],
            Source::Config => "shall.toml",
        };
        lines.push(format!("{} at {place}: {}", found.diagnostic.code.id(), found.diagnostic.message));
    }
    lines.extend(monitors.assumed.iter().map(|it| format!("assumed {it}")));
    lines.join("\n")
}

#[test]
fn names() {
    let plain = "whenever level > 3 Tank shall immediately satisfy alarm";
    for (table, sentences, said, only, expected) in [
        // The same name, with the range of the input.
        (
            "| level | input | real 0..9 | |\n| alarm | output | bool | |\n",
            plain,
            &[][..],
            &[][..],
            "T-1 level=level alarm=alarm\nassumed level: real 0..9",
        ),
        // The range of an input that the sentence does not mention, and of one that the model alone calls an input.
        (
            "| level | input | real 20..600 | |\n| alarm | output | bool | |\n",
            "Tank shall always satisfy !alarm",
            &[],
            &[],
            "T-1 alarm=alarm\nassumed level: real 20..600",
        ),
        (
            "| level | internal | real 20..600 | |\n| alarm | output | bool | |\n",
            plain,
            &[],
            &[],
            "T-1 level=level alarm=alarm\nassumed level: real 20..600",
        ),
        // Almost the same name; nothing is declared.
        (
            "",
            "whenever valve_open Tank shall immediately satisfy alarm",
            &[],
            &[],
            "T-1 valve_open=Valve_Open_1 alarm=alarm",
        ),
        // As it is said, also inside a callee.
        (
            "| level | input | real | |\n",
            "whenever wet Tank shall immediately satisfy big",
            &[("wet", "inner"), ("big", "helper.big")],
            &[],
            "T-1 wet=inner big=helper.big",
        ),
        // Definitions are put in, one inside the other, and constants are numbers.
        (
            "| wet | internal | bool | `level > LIMIT` |\n| LIMIT | constant | real | 3 |\n| level | input | real | |\n| alarm | output | bool | |\n| on | mode | bool | `wet & alarm` |\n",
            "in on mode Tank shall always satisfy full",
            &[],
            &[],
            "T-1 level=level alarm=alarm full=full",
        ),
        // Unless the variable is said to be a signal.
        (
            "| wet | internal | bool | `level > 3` |\n",
            "whenever wet Tank shall immediately satisfy alarm",
            &[("wet", "inner")],
            &[],
            "T-1 wet=inner alarm=alarm",
        ),
        // Values of an enumeration.
        (
            "| gear | input | enum(low, high) | |\n",
            "whenever gear = high Tank shall immediately satisfy alarm",
            &[],
            &[],
            "T-1 gear=gear alarm=alarm",
        ),
        // Also those that only the model declares.
        (
            "",
            "whenever gear = high Tank shall immediately satisfy alarm",
            &[],
            &[],
            "T-1 gear=gear alarm=alarm",
        ),
        // Some of them.
        (
            "",
            "whenever full Tank shall immediately satisfy alarm; Tank shall always satisfy full",
            &[],
            &["T-2"],
            "T-2 full=full",
        ),
    ] {
        let (project, monitors) = attached(table, sentences, "", said, only);
        assert_eq!(shown(&project, &monitors), expected, "{sentences}");
    }
}

#[test]
fn mistakes() {
    for (table, sentences, config, said, only, expected) in [
        (
            "| levle | input | real | |\n",
            "whenever levle > 3 Tank shall immediately satisfy alarm; Tank shall always satisfy full",
            "",
            &[][..],
            &[][..],
            "T-2 full=full\nT-1 refused: `levle` is not a signal of the model\n\
             E0519 at levle: `levle`: the model has no signal with this name",
        ),
        (
            "",
            "Tank shall always satisfy brim",
            "",
            &[],
            &[],
            "T-1 refused: `brim` is not a signal of the model\nE0519 at brim: `brim`: the model has no signal with this name",
        ),
        (
            "| alarm | output | real | |\n",
            "Tank shall always satisfy alarm > 3",
            "",
            &[],
            &[],
            "T-1 refused: `alarm` is not a signal of the model\n\
             E0520 at alarm: `alarm` cannot be the signal `alarm`: the signal is `bool`, but the variable is `real`",
        ),
        (
            "| gear | input | enum(low, middle) | |\n",
            "Tank shall always satisfy gear = middle",
            "",
            &[],
            &[],
            "T-1 refused: `gear` is not a signal of the model\n\
             E0520 at gear: `gear` cannot be the signal `gear`: it has no value `middle`",
        ),
        (
            "| alarm | input | bool | |\n",
            "whenever alarm Tank shall immediately satisfy full",
            "",
            &[],
            &[],
            "T-1 alarm=alarm full=full\nW0509 at alarm: `alarm` is an input, but the model decides `alarm`",
        ),
        (
            "",
            "Tank shall always satisfy brim",
            "[model.Tank]\nmap = { brim = \"fulll\" }\n",
            &[],
            &[],
            "T-1 refused: `brim` is not a signal of the model\nE0519 at shall.toml: `brim`: the model has no signal `fulll`",
        ),
        (
            "",
            "Tank shall always satisfy full",
            "[model.Tank]\nmap = { ful = \"full\" }\n",
            &[],
            &[],
            "T-1 full=full\nE0521 at shall.toml: `Tank` has no variable `ful`",
        ),
        // The command line counts more than the project file.
        (
            "",
            "Tank shall always satisfy brim",
            "[model.Tank]\nmap = { brim = \"fulll\" }\n",
            &[("brim", "full")],
            &[],
            "T-1 brim=full",
        ),
        (
            "",
            "Tank shall always satisfy full",
            "",
            &[("ful", "full")],
            &[],
            "error: `Tank` has no variable `ful`: did you mean `full`?",
        ),
        (
            "",
            "Tank shall always satisfy full",
            "",
            &[],
            &["T-3"],
            "error: `Tank` has no requirement `T-3` in FRETish: did you mean `T-1`?",
        ),
        ("", "Tank shall satisfy", "", &[], &[], "T-1 refused: the sentence has errors"),
        (
            "| wet | internal | bool | `false -> pre alarm` |\n",
            "Tank shall always satisfy wet",
            "",
            &[],
            &[],
            "T-1 refused: the definition of `wet` is Lustre, because of `->`; write `=>` for an implication",
        ),
        // `->` is Lustre's in every definition, `=>` is an implication in all of them.
        (
            "| wet | internal | bool | `full -> alarm` |\n",
            "Tank shall always satisfy wet",
            "",
            &[],
            &[],
            "T-1 refused: the definition of `wet` is Lustre, because of `->`; write `=>` for an implication",
        ),
        (
            "| wet | internal | bool | `full => alarm` |\n| full | output | bool | |\n| alarm | output | bool | |\n",
            "Tank shall always satisfy wet",
            "",
            &[],
            &[],
            "T-1 full=full alarm=alarm",
        ),
        (
            "| wet | internal | bool | `persisted(2, alarm)` |\n| alarm | output | bool | |\n",
            "in alarm mode Tank shall always satisfy wet; in wet mode Tank shall always satisfy alarm",
            "",
            &[],
            &[],
            "T-2 alarm=alarm\nT-1 refused: the definition of `wet` looks at several steps, which the scope of the \
             sentence would cut off",
        ),
        (
            "| wet | internal | bool | `count + 1` |\n| count | input | int | |\n",
            "Tank shall always satisfy wet",
            "",
            &[],
            &[],
            "T-1 refused: a definition does not fit where its name is used",
        ),
        (
            "| wet | internal | bool | `level > 3` |\n",
            "Tank shall always satisfy wet",
            "",
            &[],
            &[],
            "T-1 refused: `level` is not declared",
        ),
        (
            "| a | internal | bool | `b` |\n| b | internal | bool | `a` |\n",
            "Tank shall always satisfy a",
            "",
            &[],
            &[],
            "T-1 refused: `a` is defined by itself",
        ),
        // A Boolean is compared with a number: nobody declared what it is.
        (
            "",
            "Tank shall always satisfy alarm > 3",
            "",
            &[],
            &[],
            "T-1 refused: `alarm > 3` compares values of different kinds",
        ),
    ] {
        let (project, monitors) = attached(table, sentences, config, said, only);
        assert_eq!(shown(&project, &monitors), expected, "{sentences}");
    }
}

/// Definitions are shared, so that neither a long chain nor one that doubles at each step grows.
#[test]
fn chains_of_definitions() {
    for (first, each) in [("`full`", "`!d#`"), ("`full`", "`(d# & alarm) xor (d# or full)`")] {
        let mut table = format!(
            "| full | output | bool | |\n| alarm | output | bool | |\n| d0 | internal | bool | {first} |\n"
        );
        for at in 1..3000 {
            table += &format!("| d{at} | internal | bool | {} |\n", each.replace('#', &(at - 1).to_string()));
        }
        let (project, monitors) = attached(&table, "Tank shall always satisfy d2999", "", &[], &[]);
        let shown = shown(&project, &monitors);
        assert!(shown.starts_with("T-1 full=full"), "{shown}");
    }
}
