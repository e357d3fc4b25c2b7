//! `shall formalize`: sentences in, formulas out.

use super::{Reading, SharedUnit};
use crate::cli::{End, Formalize, Logic, Output, Spelling};
use crate::render::visible;
use crate::{Outcome, json, print};
use logic::{Dialect, Formula, Store};
use requirement::{Ending, Refusal, Requirement, future, past};
use serde_json::{Map, Value as Json, json};
use syntax::{Diagnostic, Span};

/// The formulas that can be asked for, with their names in output.
const LOGICS: [(Logic, &str); 3] =
    [(Logic::Past, "past"), (Logic::Future, "future"), (Logic::FutureInfinite, "future_infinite")];

pub(crate) fn run(command: &Formalize, output: Output) -> Result<Outcome, String> {
    let context = command.input.known.context()?;
    let (given, list) = command.input.read()?;
    let mut results = Vec::new();
    let mut outcome = Outcome::Fine;
    let mut unit = SharedUnit::default();
    for given in &given {
        let mut reading = Reading::of(given, &context);
        if !list && context.step.is_none() {
            unit.admit(&mut reading);
        }
        let formulas = formulas(&mut reading, command);
        outcome = outcome.max(reading.outcome());
        match output {
            Output::Human => {
                reading.complain();
                print(human(&reading, &formulas))?;
            }
            // Lines are written as they come, so that a long list can be watched.
            Output::JsonLines => json::write(&[document(&reading, &formulas, command)], output, list)?,
            Output::Json => results.push(document(&reading, &formulas, command)),
        }
    }
    json::write(&results, output, list)?;
    Ok(outcome)
}

/// A formula in the asked dialect.
struct Printed {
    name: &'static str,
    text: String,
    nodes: u64,
}

struct Formulas {
    printed: Vec<Printed>,
    /// Names that had to be changed for the dialect.
    renamed: Vec<(String, String)>,
}

fn formulas(reading: &mut Reading, command: &Formalize) -> Formulas {
    let mut formulas = Formulas { printed: Vec::new(), renamed: Vec::new() };
    let Some(requirement) = reading.lowered.requirement.clone() else { return formulas };
    let dialect = dialect(command.dialect);
    let mut made = Vec::new();
    for (logic, name) in LOGICS {
        if command.logic != Logic::All && command.logic != logic {
            continue;
        }
        match formula(&mut reading.store, &requirement, logic, command.end) {
            Ok(formula) => made.push((name, logic::adapt(&mut reading.store, formula, dialect))),
            Err(refusal) => refused(reading, logic, &refusal.to_string()),
        }
    }
    let store = &reading.store;
    let roots: Vec<Formula> = made.iter().map(|&(_, formula)| formula).collect();
    let names = logic::rename_all(store, &roots, dialect);
    let mut unsupported = Vec::new();
    for (name, formula) in made {
        match logic::print_with(store, formula, dialect, &names) {
            Ok(text) => formulas.printed.push(Printed { name, text, nodes: store.tree_size(formula) }),
            Err(error) => unsupported.push((name, error.to_string())),
        }
    }
    // Typesetting a name does not change it.
    let changed = names
        .iter()
        .filter(|(symbol, name)| command.dialect != Spelling::Latex && store.name(*symbol) != name);
    formulas.renamed =
        changed.map(|(symbol, name)| (store.name(*symbol).to_string(), name.clone())).collect();
    for (name, error) in unsupported {
        let logic = LOGICS.iter().find(|(_, known)| *known == name).map_or(Logic::All, |&(logic, _)| logic);
        refused(reading, logic, &error);
    }
    formulas
}

fn formula(store: &mut Store, requirement: &Requirement, logic: Logic, end: End) -> Result<Formula, Refusal> {
    let ending = match end {
        End::Last => Ending::Last,
        End::WeakNext => Ending::WeakNext,
    };
    match logic {
        Logic::Past | Logic::All => past(store, requirement),
        Logic::Future => future(store, requirement, ending),
        Logic::FutureInfinite => future(store, requirement, Ending::Infinite),
    }
}

/// Says that there is no such formula, and why.
fn refused(reading: &mut Reading, logic: Logic, reason: &str) {
    let (code, kind) = match logic {
        Logic::Past | Logic::All => (requirement::codes::NO_PAST_FORMULA, "past-time formula"),
        Logic::Future => (requirement::codes::NO_FUTURE_FORMULA, "future-time formula"),
        Logic::FutureInfinite => {
            (requirement::codes::NO_FUTURE_FORMULA, "future-time formula for infinite traces")
        }
    };
    let message = format!("there is no {kind}: {reason}");
    let hint = "use another kind of formula (`--logic`) or spelling (`--dialect`); `shall eval` supports every requirement";
    let span = Span::new(0, reading.text.len() as u32);
    reading.lowered.diagnostics.push(Diagnostic::new(code, span, message, hint));
}

pub(crate) fn dialect(spelling: Spelling) -> &'static Dialect {
    match spelling {
        Spelling::Smv => &logic::SMV,
        Spelling::Unicode => &logic::UNICODE,
        Spelling::Latex => &logic::LATEX,
        Spelling::Spot => &logic::SPOT,
        Spelling::Shall => &logic::SHALL,
    }
}

fn human(reading: &Reading, formulas: &Formulas) -> String {
    let Some(key) = reading.lowered.key.filter(|_| reading.lowered.requirement.is_some()) else {
        return String::new();
    };
    let mut out = format!("{}\n  template         {key}\n", visible(reading.text.trim()));
    for Printed { name, text, .. } in &formulas.printed {
        out.push_str(&format!("  {:<16} {}\n", name.replace('_', "-"), visible(text)));
    }
    for (from, to) in &formulas.renamed {
        out.push_str(&format!("  renamed          {} to {}\n", visible(from), visible(to)));
    }
    out
}

fn document(reading: &Reading, formulas: &Formulas, command: &Formalize) -> Json {
    let asked =
        LOGICS.into_iter().filter(|&(logic, _)| command.logic == Logic::All || command.logic == logic);
    let mut texts = Map::new();
    let mut nodes = Map::new();
    for (_, name) in asked {
        let printed = formulas.printed.iter().find(|printed| printed.name == name);
        texts.insert(name.into(), printed.map_or(Json::Null, |printed| json!(printed.text)));
        nodes.insert(name.into(), printed.map_or(Json::Null, |printed| json!(printed.nodes)));
    }
    json!({
        "sentence": reading.text,
        "key": reading.lowered.key.map(|key| key.to_string()),
        "fields": json::fields(&reading.fields),
        "formulas": texts,
        "nodes": nodes,
        "dialect": dialect(command.dialect).name,
        "renamed": formulas.renamed.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
        "diagnostics": json::diagnostics(reading.diagnostics()),
    })
}
