//! `shall formalize`: sentences in, formulas out.

use crate::cli::{End, Formalize, Logic, Output, Spelling};
use crate::json::{self, Diagnostic, Fields, Named};
use crate::reading::Reading;
use crate::render::visible;
use crate::sentences::Question;
use crate::{Error, Outcome};
use logic::{Dialect, Formula, Store};
use requirement::{Ending, Refusal, Requirement, future, past};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use syntax::Span;

/// The formulas that can be requested, with their names in output.
const LOGICS: [(Logic, &str); 3] =
    [(Logic::Past, "past"), (Logic::Future, "future"), (Logic::FutureInfinite, "future_infinite")];

pub(crate) fn run(command: &Formalize, output: Output) -> Result<Outcome, Error> {
    let context = &command.input.known.context()?;
    let question = Question::of(&command.input, context, output);
    let wanted = Wanted { logic: command.logic, dialect: command.dialect, end: command.end };
    question.in_parallel(|reading| {
        let formulas = formulas(reading, wanted);
        let text = output.entry(|| human(reading, &formulas), || document(reading, &formulas, wanted));
        (reading.outcome(), text)
    })
}

/// The document about a sentence, with all formulas in a notation.
pub(crate) fn answer(reading: &mut Reading, dialect: Spelling) -> serde_json::Value {
    let wanted = Wanted { logic: Logic::All, dialect, end: End::Last };
    let formulas = formulas(reading, wanted);
    json!(document(reading, &formulas, wanted))
}

/// Which formulas, and how they are written.
#[derive(Clone, Copy)]
struct Wanted {
    logic: Logic,
    dialect: Spelling,
    end: End,
}

/// A formula in the requested notation.
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

fn formulas(reading: &mut Reading, wanted: Wanted) -> Formulas {
    let mut formulas = Formulas { printed: Vec::new(), renamed: Vec::new() };
    let Some(requirement) = reading.lowered.requirement.clone() else { return formulas };
    let dialect = dialect(wanted.dialect);
    let mut made = Vec::new();
    for (logic, name) in LOGICS {
        if wanted.logic != Logic::All && wanted.logic != logic {
            continue;
        }
        match formula(&mut reading.store, &requirement, logic, wanted.end) {
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
        .filter(|(symbol, name)| wanted.dialect != Spelling::Latex && store.name(*symbol) != name);
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
    reading.lowered.diagnostics.push(syntax::Diagnostic::new(code, span, message, hint));
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
    let mut out = format!("{}\n  template         {key}\n", visible(&reading.title()));
    for Printed { name, text, .. } in &formulas.printed {
        out.push_str(&format!("  {:<16} {}\n", name.replace('_', "-"), visible(text)));
    }
    for (from, to) in &formulas.renamed {
        out.push_str(&format!("  renamed          {} to {}\n", visible(from), visible(to)));
    }
    out
}

/// The formulas of a sentence.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Formalized<'a> {
    /// The sentence as it was given.
    sentence: &'a str,
    /// The template, scope,condition,timing, such as `in,regular,within`; the timing is `null` where the sentence gives none
    /// (it then means `eventually`). `null` if the response could not be read.
    key: Option<String>,
    /// The fields that could be read.
    fields: Fields<'a>,
    /// The formulas in the requested notation (SMV unless `--dialect` says otherwise).
    formulas: PerLogic<&'a str>,
    /// The number of nodes in the tree of each formula; a comparison counts as one node, bounds as none.
    nodes: PerLogic<u64>,
    /// The notation: `smv`, `unicode`, `latex`, `spot` or `shall`.
    dialect: &'static str,
    /// Names that the notation reserves or cannot spell: from the user's name to the printed one.
    renamed: Named<String>,
    /// What is wrong or odd in the sentence.
    diagnostics: Vec<Diagnostic<'a>>,
}

/// Something for each kind of formula: `null` where there is no such formula, left out if `--logic` requests another one.
#[derive(Serialize, JsonSchema)]
struct PerLogic<T> {
    /// For the formula that is true at the last point of a finite trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    past: Option<Option<T>>,
    /// For the formula that is true at the first point of a finite trace. It marks the end by the proposition `LAST`, true at the
    /// last point; with `--end weak-next` it uses weak next instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    future: Option<Option<T>>,
    /// For the formula that is true at the first point of an infinite trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    future_infinite: Option<Option<T>>,
}

fn document<'a>(reading: &'a Reading, formulas: &'a Formulas, wanted: Wanted) -> Formalized<'a> {
    fn per_logic<'a, T>(
        formulas: &'a Formulas,
        wanted: Wanted,
        of: impl Fn(&'a Printed) -> T,
    ) -> PerLogic<T> {
        let [past, future, future_infinite] = LOGICS.map(|(logic, name)| {
            let printed = || formulas.printed.iter().find(|printed| printed.name == name).map(&of);
            (wanted.logic == Logic::All || wanted.logic == logic).then(printed)
        });
        PerLogic { past, future, future_infinite }
    }
    let mut renamed = formulas.renamed.clone();
    renamed.sort();
    Formalized {
        sentence: &reading.text,
        key: reading.lowered.key.map(|key| key.to_string()),
        fields: (&reading.fields).into(),
        formulas: per_logic(formulas, wanted, |printed| printed.text.as_str()),
        nodes: per_logic(formulas, wanted, |printed| printed.nodes),
        dialect: dialect(wanted.dialect).name,
        renamed: Named(renamed),
        diagnostics: json::diagnostics(reading.diagnostics()),
    }
}
