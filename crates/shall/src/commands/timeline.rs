//! `shall timeline`: what a formula or sentence allows, as timelines.

mod view;
mod write;

use crate::around::{Asked, Sources};
use crate::cli::{Output, Timeline};
use crate::files::{is_standard, print_bytes};
use crate::json::List;
use crate::reading::{Given, Side};
use crate::{Error, Outcome, print, render, tell};
use check::Subject;
use logic::{Formula, Node, Store};
use requirement::{Context, Ending, future, past};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::{Duration, Instant};
use timeline::Words;
use timeline::picture::Shows;
use view::{Shown, View};

pub(crate) use write::Drawn;

pub(crate) fn run(command: &Timeline, output: Output) -> Result<Outcome, Error> {
    let context = command.known.context()?;
    let sources = Sources::open(&command.around, command.texts.iter().chain(&command.against))?;
    let texts = sources.asked(&command.texts)?;
    let files = texts.len() * if command.against.is_some() { 2 } else { 1 };
    let mut list = List::new(output, "timelines");
    let mut outcome = Outcome::Fine;
    let mut progress = Progress::new(texts.len());
    let count = texts.len();
    for (number, text) in texts.into_iter().enumerate() {
        progress.at(number);
        let answer = Answer::new(command, &sources, text, &context)?;
        outcome = outcome.max(answer.outcome());
        for (place, view) in answer.views.iter().enumerate() {
            if let (Some(file), Ok(view)) = (&command.file, view) {
                let number = (files > 1).then_some(number * (files / count) + place + 1);
                write::to_file(&answer.store, view, file, number, command)?;
            }
        }
        if output == Output::Human {
            answer.sides.iter().for_each(Side::complain);
            // A picture on standard output is not mixed with text.
            if !command.file.as_deref().is_some_and(is_standard) {
                print(render::lines(&answer.human(command)?))?;
            }
        } else {
            let mut out = Vec::new();
            list.add(&mut out, &output.text(&answer.document(command)));
            print_bytes(&out)?;
        }
    }
    list.end()?;
    Ok(outcome)
}

/// The document about the first text, which is not in a project, and its drawings.
pub(crate) fn answer(command: &Timeline) -> Result<(serde_json::Value, Vec<Option<Rendered>>), Error> {
    let text = Asked::Text(Given::of(command.texts.first().map_or("", String::as_str)));
    let answer = Answer::new(command, &Sources::none(), text, &command.known.context()?)?;
    let drawing = |view: &Result<View, Error>| {
        let view = view.as_ref().ok()?;
        Some(Rendered {
            svg: write::svg(&answer.store, view).ok()?,
            tikz: write::tikz(&answer.store, view).ok()?,
        })
    };
    Ok((serde_json::json!(answer.document(command)), answer.views.iter().map(drawing).collect()))
}

/// A drawing of a timeline.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Rendered {
    /// The drawing as SVG.
    svg: String,
    /// A LaTeX document.
    tikz: String,
}

/// What is known about one text.
struct Answer {
    store: Store,
    sides: Vec<Side>,
    /// What is drawn, or why not. Two for a comparison.
    views: Vec<Result<View, Error>>,
    words: Words,
}

impl Answer {
    fn new(command: &Timeline, sources: &Sources, text: Asked, context: &Context) -> Result<Answer, Error> {
        let mut store = Store::default();
        let mut sides = vec![Side::of(&mut store, sources, text, context)?];
        if let Some(other) = &command.against {
            sides.push(Side::of(&mut store, sources, sources.one(other)?, context)?);
        }
        let subjects: Option<Vec<Subject>> = sides.iter().map(|side| side.subject.clone()).collect();
        let Some(subjects) = subjects else {
            return Ok(Answer { store, sides, views: Vec::new(), words: Words::Infinite });
        };
        let finite = command.finite || subjects.iter().any(|subject| looks_back(&mut store, subject));
        let words = if finite { Words::Finite } else { Words::Infinite };
        let formulas: Result<Vec<Formula>, Error> =
            subjects.iter().map(|subject| formula(&mut store, subject, words)).collect();
        let views = match formulas {
            Err(reason) => vec![Err(reason)],
            Ok(formulas) => {
                let texts: Vec<&str> = sides.iter().map(|side| side.text.trim()).collect();
                views(&mut store, command, &texts, &formulas, words)
            }
        };
        Ok(Answer { store, sides, views, words })
    }

    fn outcome(&self) -> Outcome {
        match (self.views.is_empty(), self.views.iter().all(Result::is_ok)) {
            (true, _) => Outcome::Findings,
            (false, true) => Outcome::Fine,
            (false, false) => Outcome::Inconclusive,
        }
    }
}

/// The timelines of one formula, or of the difference of two.
fn views(
    store: &mut Store,
    command: &Timeline,
    texts: &[&str],
    formulas: &[Formula],
    words: Words,
) -> Vec<Result<View, Error>> {
    let draw = |store: &mut Store, asked: Shown| View::new(store, asked, words, command.limit_work);
    if let (&[a, b], &[text_a, text_b]) = (formulas, texts) {
        let (not_a, not_b) = (store.not(a), store.not(b));
        let sides = [("A without B", a, not_b, text_a, text_b), ("B without A", b, not_a, text_b, text_a)];
        let only = sides.map(|(heading, with, without, text, other)| {
            let formula = store.and2(with, without);
            let title = format!("{text} — but not: {other}");
            draw(store, Shown { heading, title, shows: Shows::Difference, formula })
        });
        return only.into();
    }
    let (formula, text) = (formulas[0], texts[0]);
    let opposite = store.not(formula);
    let violations = |heading: &'static str| {
        let title = format!("What violates: {text}");
        Shown { heading, title, shows: Shows::Violations, formula: opposite }
    };
    if command.negate {
        return vec![draw(store, violations("what violates it"))];
    }
    let asked = Shown { heading: "", title: text.to_owned(), shows: Shows::Allowed, formula };
    // Often what is too large to be drawn is violated in one short way.
    vec![
        draw(store, asked).or_else(|reason| {
            draw(store, violations("too large to draw; what violates it")).map_err(|_| reason)
        }),
    ]
}

/// Whether a subject is about the past alone, or has no future-time formula.
fn looks_back(store: &mut Store, subject: &Subject) -> bool {
    match subject {
        Subject::Requirement(requirement) => future(store, requirement, Ending::Infinite).is_err(),
        Subject::Formula(formula) => directions(store, *formula) == (true, false),
    }
}

/// Whether a formula has past operators, and future ones.
fn directions(store: &Store, formula: Formula) -> (bool, bool) {
    let mut found = (false, false);
    for id in store.reachable([formula.id()]) {
        let of_future = match store.node(id) {
            Node::Unary(op, ..) => op.is_future(),
            Node::Binary(op, ..) => op.window().is_future(),
            _ => continue,
        };
        found = (found.0 | !of_future, found.1 | of_future);
    }
    found
}

/// The formula that is drawn, asked at the start.
fn formula(store: &mut Store, subject: &Subject, words: Words) -> Result<Formula, Error> {
    let at_end = |store: &mut Store, formula: Formula| {
        let never = store.bottom();
        let last = store.weak_next(never);
        let here = store.and2(last, formula);
        store.finally(logic::Bound::ALL, here)
    };
    match (subject, words) {
        (Subject::Formula(formula), Words::Finite) if directions(store, *formula) == (true, false) => {
            Ok(at_end(store, *formula))
        }
        (Subject::Formula(formula), Words::Finite | Words::Infinite) => Ok(*formula),
        (Subject::Requirement(requirement), Words::Infinite) => {
            future(store, requirement, Ending::Infinite).map_err(Error::refused)
        }
        (Subject::Requirement(requirement), Words::Finite) => {
            if let Ok(formula) = future(store, requirement, Ending::WeakNext) {
                return Ok(formula);
            }
            let formula = past(store, requirement).map_err(Error::refused)?;
            Ok(at_end(store, formula))
        }
    }
}

/// Progress on standard error, once a second.
struct Progress {
    total: usize,
    told: Instant,
}

impl Progress {
    fn new(total: usize) -> Progress {
        Progress { total, told: Instant::now() }
    }

    fn at(&mut self, number: usize) {
        if self.told.elapsed() >= Duration::from_secs(1) {
            self.told = Instant::now();
            tell(format_args!("{number} of {} drawn", self.total));
        }
    }
}
