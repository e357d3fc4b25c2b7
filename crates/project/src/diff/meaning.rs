//! One requirement in two versions, each in its own context: definitions take the place of the names they define, and both
//! sentences are read into one store and compared on all finite traces.

use super::{Class, types, variables};
use crate::component::Symbol;
use crate::expansion::{Problem, expand};
use crate::project::{Analysis, Known, Project};
use check::{Comparison, Relation, Subject, Traces, Undecided, compare};
use logic::{Sort, Store, Trace};
use requirement::oracle::judge;
use requirement::specification::Definition;
use requirement::{Lowered, Refusal, Requirement, past, reason};
use std::fmt;

/// A trace that tells the versions apart, and what each of them says of it.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Witness {
    pub trace: Trace,
    pub old: String,
    pub new: String,
}

/// What is known about a pair of sentences.
pub(super) struct Verdict {
    pub(super) class: Class,
    pub(super) causes: Vec<String>,
    pub(super) only_old: Option<Witness>,
    pub(super) only_new: Option<Witness>,
    pub(super) reason: Option<String>,
}

/// A sentence with its context.
pub(super) struct Side<'v> {
    project: &'v Project,
    analysis: &'v Analysis,
    known: &'v Known,
    /// The variables that it speaks of, also through definitions, in the order in which they are met.
    ground: Vec<&'v Symbol>,
    /// Those among them whose part in it is not known: a definition that is not an expression mentions them.
    hidden: Vec<&'v Symbol>,
}

impl<'v> Side<'v> {
    pub(super) fn of(project: &'v Project, analysis: &'v Analysis, known: &'v Known) -> Side<'v> {
        let mut side = Side { project, analysis, known, ground: Vec::new(), hidden: Vec::new() };
        let sentence = known.reading.iter().flat_map(|reading| &reading.parsed.names);
        let mut open: Vec<(Vec<&str>, bool)> =
            vec![(sentence.map(|name| name.name.as_str()).collect(), false)];
        while let Some((names, hidden)) = open.pop() {
            for name in names {
                let Some(symbol) = side.declared(name) else { continue };
                let list = if hidden { &mut side.hidden } else { &mut side.ground };
                if list.iter().any(|known| known.variable.name == symbol.variable.name) {
                    continue;
                }
                list.push(symbol);
                match symbol.definition.as_deref() {
                    None => {}
                    Some(Definition::Expression(it)) => {
                        open.push((it.names.iter().map(|name| name.name.as_str()).collect(), hidden));
                    }
                    Some(Definition::Lustre { names, .. } | Definition::Unreadable { words: names, .. }) => {
                        open.push((names.iter().map(String::as_str).collect(), true));
                    }
                }
            }
        }
        side
    }

    fn declared(&self, name: &str) -> Option<&'v Symbol> {
        self.analysis.components.at(self.known.component?)?.symbol(name)
    }

    fn symbol(&self, name: &str) -> Option<&'v Symbol> {
        self.ground.iter().chain(&self.hidden).copied().find(|symbol| symbol.variable.name == name)
    }

    /// Reads the sentence, with its definitions or with the names that they define.
    fn lowered(&self, store: &mut Store, with_definitions: bool) -> Result<Lowered, Problem> {
        let expanded = expand(store, self.project, self.analysis, self.known, &|_| with_definitions)?;
        Ok(expanded.lowered)
    }

    fn is_sound(&self) -> bool {
        self.known
            .reading
            .as_ref()
            .is_some_and(|reading| reading.is_sound() && reading.lowered.requirement.is_some())
    }

    /// Whether it is a text in quotes.
    fn is_note(&self) -> bool {
        self.known.reading.as_ref().is_some_and(|reading| reading.is_sound())
    }

    fn says(&self, store: &Store, lowered: &Lowered, trace: &Trace, holds: bool) -> String {
        let word = if holds { "holds" } else { "is violated" };
        let (Some(requirement), Some(reading)) = (&lowered.requirement, &self.known.reading) else {
            return word.into();
        };
        match judge(store, requirement, trace) {
            Ok(verdict) => format!("{word}: {}", reason(requirement, &reading.parsed.fields, &verdict)),
            Err(_) => word.into(),
        }
    }
}

/// Why two sentences cannot be compared.
enum Obstacle {
    Expansion(Problem),
    /// A definition makes no sense in its sentence.
    Misfit,
    /// This name is a number in one version and something else in the other.
    OtherSort(String),
    Comparison(Undecided),
    /// The declared types cannot be taken into account.
    Types(Refusal),
    /// The only difference gives an integer a fractional value.
    Fraction,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Obstacle::Expansion(problem) => problem.fmt(f),
            Obstacle::Misfit => write!(f, "a definition does not fit where its name is used"),
            Obstacle::OtherSort(name) => {
                write!(f, "`{name}` is of another type now, and the two cannot be compared")
            }
            Obstacle::Comparison(undecided) => undecided.fmt(f),
            Obstacle::Types(refusal) => {
                write!(f, "the declared types could not be taken into account: {refusal}")
            }
            Obstacle::Fraction => write!(f, "the only difference gives an integer a fractional value"),
        }
    }
}

/// Compares two sentences.
pub(super) fn compared(old: &Side, new: &Side, same_words: bool) -> Verdict {
    let mut verdict = Verdict {
        class: Class::Unchanged,
        causes: causes(old, new),
        only_old: None,
        only_new: None,
        reason: None,
    };
    if same_words && verdict.causes.is_empty() {
        return verdict;
    }
    let undecided = |reason: String, mut verdict: Verdict| {
        verdict.class = Class::Undecided;
        verdict.reason = Some(reason);
        verdict
    };
    match (old.is_sound(), new.is_sound()) {
        (true, true) => {}
        (false, true) => return undecided("the old sentence has no meaning".into(), verdict),
        (true, false) => return undecided("the new sentence has no meaning".into(), verdict),
        (false, false) if old.is_note() && new.is_note() => {
            let reason = Some("texts in quotes have no formal meaning".into());
            return Verdict { class: Class::Reworded, reason, ..verdict };
        }
        (false, false) => return undecided("neither sentence has a meaning".into(), verdict),
    }
    if let Some(reason) = unreadable(old, new) {
        return undecided(reason, verdict);
    }
    let mut store = Store::default();
    let (before, after, found) = match expanded_comparison(&mut store, old, new) {
        Ok(found) => found,
        // Equal in every context is equal in these two, if they did not change.
        Err(_) if verdict.causes.is_empty() && equal_as_written(old, new) => {
            verdict.class = Class::Reworded;
            return verdict;
        }
        Err(obstacle) => return undecided(obstacle.to_string(), verdict),
    };
    let Comparison { relation, a_not_b, b_not_a } = found;
    verdict.class = match relation {
        Relation::Equal if same_words => Class::Unchanged,
        Relation::Equal => Class::Reworded,
        Relation::Weaker => Class::Stronger,
        Relation::Stronger => Class::Weaker,
        Relation::Incomparable | Relation::Contradictory => Class::Changed,
    };
    let witness = |trace: Option<Trace>, old_holds: bool| {
        trace.map(|trace| Witness {
            old: old.says(&store, &before, &trace, old_holds),
            new: new.says(&store, &after, &trace, !old_holds),
            trace,
        })
    };
    verdict.only_old = witness(a_not_b, true);
    verdict.only_new = witness(b_not_a, false);
    verdict
}

/// Compares the sentences with their definitions.
fn expanded_comparison(
    store: &mut Store,
    old: &Side,
    new: &Side,
) -> Result<(Lowered, Lowered, Comparison), Obstacle> {
    let lowered = |side: &Side, store: &mut Store| side.lowered(store, true).map_err(Obstacle::Expansion);
    let (before, after) = (lowered(old, store)?, lowered(new, store)?);
    if let Some(name) = other_sort(&before, &after) {
        return Err(Obstacle::OtherSort(name));
    }
    let (Some(first), Some(second)) = (&before.requirement, &after.requirement) else {
        return Err(Obstacle::Misfit);
    };
    let [first, second] = [first, second].map(|requirement| Subject::Requirement(requirement.clone()));
    let found = compare(store, &first, &second, Traces::Finite).map_err(Obstacle::Comparison)?;
    let found = with_types(store, old, new, (&before, &after), found)?;
    Ok((before, after, found))
}

/// The comparison on traces whose values are of the declared types. What was found on all traces is kept where its
/// traces are such.
fn with_types(
    store: &mut Store,
    old: &Side,
    new: &Side,
    read: (&Lowered, &Lowered),
    found: Comparison,
) -> Result<Comparison, Obstacle> {
    let symbols = types::agreed(&old.ground, &new.ground);
    let typed = |found: &Comparison| {
        [&found.a_not_b, &found.b_not_a].into_iter().flatten().all(|trace| types::fits(trace, &symbols))
    };
    if typed(&found) {
        return Ok(found);
    }
    let used = |name: &str| read.0.sorts.names.contains_key(name) || read.1.sorts.names.contains_key(name);
    let assumed = types::assumption(store, &symbols, used);
    let (Some(first), Some(second)) = (&read.0.requirement, &read.1.requirement) else {
        return Err(Obstacle::Misfit);
    };
    let mut typed_formula = |requirement: &Requirement| match past(store, requirement) {
        Ok(formula) => Ok(Subject::Formula(store.and2(formula, assumed))),
        Err(refusal) => Err(Obstacle::Types(refusal)),
    };
    let pair = [typed_formula(first)?, typed_formula(second)?];
    let found = compare(store, &pair[0], &pair[1], Traces::Finite).map_err(Obstacle::Comparison)?;
    let replayed = |trace: &Option<Trace>, first_holds: bool| {
        let holds =
            |requirement| judge(store, requirement, trace.as_ref()?).ok().map(|verdict| verdict.holds());
        trace.is_none() || (holds(first), holds(second)) == (Some(first_holds), Some(!first_holds))
    };
    if !replayed(&found.a_not_b, true) || !replayed(&found.b_not_a, false) {
        return Err(Obstacle::Comparison(Undecided::Replay));
    }
    if typed(&found) { Ok(found) } else { Err(Obstacle::Fraction) }
}

/// What changed around the sentences.
fn causes(old: &Side, new: &Side) -> Vec<String> {
    let mut causes = Vec::new();
    let timed =
        |side: &Side| side.known.reading.as_ref().is_some_and(|reading| reading.lowered.unit.is_some());
    let (before, after) = (&old.project.config.step, &new.project.config.step);
    if before != after && (timed(old) || timed(new)) {
        let shown =
            |step: &Option<requirement::Step>| step.as_ref().map_or("none".into(), ToString::to_string);
        causes.push(format!("the step changed from {} to {}", shown(before), shown(after)));
    }
    let mut seen: Vec<&str> = Vec::new();
    for symbol in new.ground.iter().chain(&new.hidden) {
        let name = &symbol.variable.name;
        let Some(before) = old.symbol(name).filter(|_| !seen.contains(&name.as_str())) else { continue };
        seen.push(name);
        for (what, was, is) in variables::differences(before, symbol) {
            causes.push(match what {
                _ if variables::IN_WORDS.contains(&what) => continue,
                "definition" if before.number().is_some() && symbol.number().is_some() => {
                    format!("`{name}` changed from {was} to {is}")
                }
                _ => {
                    let shown =
                        |text: String| if text.is_empty() { "none".into() } else { format!("`{text}`") };
                    format!("the {what} of `{name}` changed from {} to {}", shown(was), shown(is))
                }
            });
        }
    }
    causes
}

/// What changed where a definition is not an expression.
fn unreadable(old: &Side, new: &Side) -> Option<String> {
    let lost = |symbol: &Symbol| symbol.expansion().and_then(|it| it.expression().err());
    let all = |side: &Side<'_>| {
        side.ground.iter().chain(&side.hidden).map(|symbol| symbol.variable.name.clone()).collect::<Vec<_>>()
    };
    let shared = all(new).into_iter().filter(|name| all(old).contains(name));
    for name in shared {
        let (Some(before), Some(after)) = (old.declared(&name), new.declared(&name)) else { continue };
        if before.variable.definition != after.variable.definition
            && let Some(reason) = lost(after).or(lost(before))
        {
            return Some(format!("the definition of `{name}` changed and {reason}"));
        }
        let hidden = old.hidden.iter().chain(&new.hidden).any(|symbol| symbol.variable.name == name);
        if hidden
            && variables::differences(before, after)
                .iter()
                .any(|(what, ..)| !variables::IN_WORDS.contains(what))
        {
            return Some(format!(
                "`{name}` changed, and a definition that uses it cannot be read as an expression"
            ));
        }
    }
    None
}

/// A name that is a number in one sentence and a Boolean or a name in the other.
fn other_sort(old: &Lowered, new: &Lowered) -> Option<String> {
    let group = |sort: Sort| match sort {
        Sort::Any => None,
        Sort::Int | Sort::Real => Some(0),
        Sort::Bool => Some(1),
        Sort::Enum => Some(2),
    };
    let mut names: Vec<&String> = old.sorts.names.keys().collect();
    names.sort();
    let differ = |name: &&String| {
        let pair = (group(old.sorts.names[*name]), new.sorts.names.get(*name).and_then(|&sort| group(sort)));
        matches!(pair, (Some(one), Some(other)) if one != other)
    };
    names.into_iter().find(differ).cloned()
}

/// Whether the sentences are equal with their defined names left open.
fn equal_as_written(old: &Side, new: &Side) -> bool {
    let mut store = Store::default();
    let mut read = |side: &Side| side.lowered(&mut store, false).ok()?.requirement;
    let (Some(first), Some(second)) = (read(old), read(new)) else { return false };
    let (first, second) = (Subject::Requirement(first), Subject::Requirement(second));
    compare(&mut store, &first, &second, Traces::Finite).is_ok_and(|found| found.relation == Relation::Equal)
}
