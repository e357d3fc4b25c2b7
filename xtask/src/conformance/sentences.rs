//! Sentences with the key and the fields that FRET gives them. Expressions are compared as trees, so that white
//! space and redundant parentheses do not matter. Where we differ on purpose, `docs/fretish.md` says why.

use crate::failure::{Result, no_problems, problem};
use crate::files;
use logic::Store;
use requirement::{Context, Fields, lower};
use syntax::fretish::{Sentence, parse};
use syntax::{Expr, Kind, NodeRef, Severity};

/// Sentences that FRET rejects and that have no meaning for us either: they begin like this.
const MEANINGLESS: &[(&str, &str)] = &[
    ("while disabledPS_PL, HK_PL shall start", "no `satisfy`"),
    ("if NOMINAL & standby AUTOPILOT shall transition", "no `satisfy`"),
    ("The AVAPrototype shall achieve", "no `satisfy`"),
    ("strictly after M,", "`strictly` is not a word of the language"),
    ("strictly after m mode (which", "`strictly` is not a word of the language"),
    ("strictly after M mode (which", "`strictly` is not a word of the language"),
    ("Recovery_System shall eventually increment", "no `satisfy`"),
    ("when P, FSW shall increment", "no `satisfy`"),
    ("only when P & Q,", "`only` qualifies a scope, not a condition"),
    (
        "in roll_hold mode RollAutopilot shall immediately satisfy abs(roll_angle) =>",
        "a number where a Boolean is needed",
    ),
    ("component shall always satisfy $forAll", "`$` cannot be in a name"),
    ("nickel", "no `shall`"),
    ("if (backing_pre | turning_pre) Forklift", "an unmatched parenthesis"),
    ("if (forwarding_pre & spec_loaded_pre) Forklift", "an unmatched parenthesis"),
];

/// Checks every sentence of the file.
pub(super) fn check(text: &str) -> Result {
    let mut same = 0;
    let mut accepted = 0;
    let mut problems = Vec::new();
    for cells in files::rows(text) {
        let [_, _, sentence, status, key, mode, condition, stop, response, duration, component] = cells[..]
        else {
            return problem(format!("a row does not have 11 cells: {}", cells.join("\t")));
        };
        let parse = parse(sentence);
        let lowered = lower(&mut Store::default(), &parse, &Context::default());
        let fields = Fields::of(Sentence::of(&parse.tree));
        let errors: Vec<String> = lowered
            .diagnostics
            .iter()
            .filter(|d| d.severity() == Severity::Error)
            .map(|d| format!("{}: {}", d.code.id(), d.message))
            .collect();
        match status {
            "nasa" => {
                let text = |field: &Option<requirement::Field>| {
                    field.as_ref().map_or(String::new(), |field| field.text.clone())
                };
                let pairs = [
                    ("key", lowered.key.map_or(String::new(), |key| key.to_string()), key.to_string()),
                    ("scope", canonical(&text(&fields.scope_mode)), canonical(mode)),
                    ("condition", canonical(&text(&fields.condition)), canonical(condition)),
                    ("stop", canonical(&text(&fields.stop)), canonical(stop)),
                    ("response", canonical(&text(&fields.response)), canonical(response)),
                    ("duration", text(&fields.duration), duration.to_string()),
                    ("component", text(&fields.component), component.to_string()),
                ];
                let differing = pairs.iter().filter(|(_, ours, theirs)| ours != theirs);
                problems.extend(differing.map(|(field, ours, theirs)| {
                    format!("{sentence}\n  {field}: `{ours}`, FRET `{theirs}`")
                }));
                problems.extend(errors.iter().map(|error| format!("{sentence}\n  {error}")));
                same += 1;
            }
            "parse_error" => {
                let meaningless = MEANINGLESS.iter().any(|(start, _)| sentence.starts_with(start));
                if meaningless == errors.is_empty() {
                    problems.push(format!("{sentence}\n  rejected by FRET, and by us with {errors:?}"));
                }
                accepted += usize::from(errors.is_empty());
            }
            _ => {
                if Sentence::of(&parse.tree).freeform().is_none() {
                    problems.push(format!("{sentence}\n  is a note for FRET, but not for us"));
                }
            }
        }
    }
    println!(
        "{same} sentences have the key and fields that FRET gives them; {accepted} that it rejects are accepted"
    );
    no_problems(problems)
}

/// An expression with all its parentheses and no others.
fn canonical(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let parse = parse(&format!("x shall satisfy {text}"));
    match Sentence::of(&parse.tree).response() {
        Some(node) => grouped(node),
        None => format!("unreadable: {text}"),
    }
}

fn grouped(node: NodeRef) -> String {
    if node.kind() == Kind::Paren {
        return node.children().next().map_or(String::new(), grouped);
    }
    let children: Vec<String> = node.children().map(grouped).collect();
    match Expr::of(node) {
        Expr::Name(_) | Expr::Number(_) | Expr::Truth(_) => node.text().to_string(),
        Expr::Infix(_, operators) => {
            let rest = operators
                .iter()
                .zip(&children[1..])
                .map(|((operator, _), operand)| format!(" {operator:?} {operand}"));
            format!("({}{})", children[0], rest.collect::<String>())
        }
        Expr::IfThen(..) => format!("({})", children.join(" Implies ")),
        _ => {
            let head = node.own_tokens().next().map_or(String::new(), |(_, _, text)| text.to_string());
            format!("{head}({})", children.join(", "))
        }
    }
}
