//! One timeline with everything that is said about it.

use crate::Error;
use check::{Examples, Subject, Traces, examples};
use logic::{Formula, Store, Trace};
use omega::{Buchi, Class, Limits};
use std::time::Instant;
use timeline::picture::{Picture, Shows};
use timeline::text::{Script, print};
use timeline::{Budget, Statistics, Words, draw, paint};

/// The work of one unit of `--limit-work`, which takes about a second.
const WORK_UNIT: u64 = 30_000_000;

/// The most nodes of a timeline of violations that is put into words.
const FEW_NODES: u64 = 7;

/// Which traces a timeline is to show.
pub(super) struct Shown {
    /// Between the texts and the timeline, if it needs words.
    pub(super) heading: &'static str,
    /// Above a drawing on its own.
    pub(super) title: String,
    pub(super) shows: Shows,
    pub(super) formula: Formula,
}

/// A timeline, drawn and measured.
pub(super) struct View {
    pub(super) asked: Shown,
    pub(super) picture: Picture,
    pub(super) statistics: Statistics,
    /// The automaton of the whole formula, if it is small enough.
    pub(super) automaton: Option<Buchi>,
    /// What the automaton reads.
    pub(super) words: Words,
    /// Alternatives joined by `+`, lanes by `∩`.
    pub(super) regex: String,
    pub(super) class: Option<Class>,
    pub(super) notices: Vec<String>,
    pub(super) inside: Option<Trace>,
    pub(super) outside: Option<Trace>,
    pub(super) seconds: f64,
}

impl View {
    pub(super) fn new(store: &mut Store, asked: Shown, words: Words, limit: u32) -> Result<View, Error> {
        let Shown { formula, shows, .. } = asked;
        let start = Instant::now();
        let budget = Budget { work: WORK_UNIT * u64::from(limit), ..Budget::default() };
        let mut timeline = draw(store, formula, words, budget).map_err(Error::refused)?;
        let picture = paint::picture(store, &mut timeline, formula).map_err(Error::refused)?;
        let picture = Picture { shows, ..picture };
        let regex = regex(store, &mut timeline)?;
        let traces = match words {
            Words::Finite => Traces::Finite,
            Words::Infinite => Traces::Infinite,
        };
        let found = examples(store, &Subject::Formula(formula), traces).ok();
        let (automaton, class) = match words {
            Words::Finite => (omega::translate_finite(store, formula, &[], Limits::default()).ok(), None),
            Words::Infinite => (
                omega::translate(store, formula, Limits::default()).ok(),
                omega::class(store, formula, Limits::default()).ok(),
            ),
        };
        let mut notices = notices(store, &asked, words, found.as_ref(), timeline.statistics());
        if timeline.exhausted {
            notices.push(
                "the search for a smaller picture was cut short; a larger --limit-work may help".into(),
            );
        }
        let (inside, outside) = found.map_or((None, None), |found| (found.inside, found.outside));
        let statistics = timeline.statistics();
        let seconds = start.elapsed().as_secs_f64();
        Ok(View {
            asked,
            picture,
            statistics,
            automaton,
            words,
            regex,
            class,
            notices,
            inside,
            outside,
            seconds,
        })
    }
}

fn regex(store: &mut Store, timeline: &mut timeline::Timeline) -> Result<String, Error> {
    let mut ways = Vec::new();
    for lanes in timeline.alternatives.clone() {
        let mut texts = Vec::new();
        for lane in lanes {
            let text = print(store, &mut timeline.expressions, &timeline.atoms, lane, Script::Unicode);
            texts.push(text.map_err(Error::refused)?);
        }
        ways.push(match texts.len() {
            1 => texts.remove(0),
            _ => texts.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(" ∩ "),
        });
    }
    Ok(if ways.is_empty() { "∅".into() } else { ways.join(" + ") })
}

/// What a reader should know before looking.
fn notices(
    store: &mut Store,
    asked: &Shown,
    words: Words,
    found: Option<&Examples>,
    statistics: Statistics,
) -> Vec<String> {
    match found {
        Some(Examples { inside: None, .. }) => return vec![asked.shows.nothing().into()],
        Some(Examples { outside: None, .. }) => return vec![asked.shows.everything().into()],
        Some(Examples { inside: Some(_), outside: Some(_) }) | None => {}
    }
    if asked.shows != Shows::Allowed {
        return Vec::new();
    }
    let negation = store.not(asked.formula);
    let Ok(mut violations) = draw(store, negation, words, Budget::default()) else { return Vec::new() };
    let few = violations.statistics();
    if few.drawn_nodes > FEW_NODES || few.drawn_nodes >= statistics.drawn_nodes || few.lanes != 1 {
        return Vec::new();
    }
    regex(store, &mut violations).map(|regex| format!("it holds unless {regex}")).into_iter().collect()
}
