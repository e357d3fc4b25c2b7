//! What each requirement needs from a trace: its columns, read as it uses them, and the formulas that the engine evaluates.

use super::names;
use super::timing::Steps;
use crate::Error;
use crate::around::{Asked, Sources};
use crate::cli::{Eval, Output};
use crate::reading::Reading;
use crate::sentences::Question;
use logic::{Formula, RBig, Sort, Store};
use record::{Demand, Input, Kind};
use requirement::{Condition, Context, Requirement, Timing, Watch, watch};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The columns of a trace by the names of variables.
#[derive(Clone, Default, PartialEq)]
pub(in crate::commands) struct Columns {
    /// The number of the column in the file, and what its first cells are.
    known: BTreeMap<String, (usize, Sort)>,
}

/// Which columns variables are read from: those that the command line gives must exist, those of the project file are used where they do.
pub(in crate::commands) struct Map {
    pub(in crate::commands) given: Vec<(String, String)>,
    pub(in crate::commands) kept: Vec<(String, String)>,
}

/// Everything about the requirements that a trace with certain columns can be asked.
pub(super) struct Plan {
    /// The columns of the trace.
    pub(super) given: Columns,
    /// The same, with the names of variables that are spelled differently.
    pub(super) columns: Columns,
    pub(super) store: Store,
    pub(super) readings: Vec<Reading>,
    pub(super) needs: Vec<Result<Need, Unchecked>>,
}

/// What a requirement needs.
pub(super) struct Need {
    /// Its columns, with the kind that they are read as.
    pub(super) inputs: Vec<Input>,
    /// How the engine watches it; `None` if it looks ahead.
    pub(super) watch: Option<Watch>,
    /// Its duration in real time, if that is measured on the times of the trace.
    pub(super) timed: Option<Duration>,
    /// Columns whose names differ from those of their variables in letter case or signs alone.
    pub(super) notes: Vec<String>,
}

/// A duration that is measured on the times of the trace.
#[derive(Clone)]
pub(super) struct Duration {
    pub(super) demand: Demand,
    pub(super) seconds: RBig,
    /// In scope now, and the response does not hold.
    pub(super) unmet: Formula,
}

/// Why there is no verdict.
#[derive(Clone, Debug)]
pub(super) enum Unchecked {
    /// There is nothing to check.
    Note,
    /// The trace does not have these columns; and what could be meant.
    NotRecorded(Vec<String>, Option<String>),
    /// The trace has no value where one is needed, or cannot be read further.
    Flawed(String),
    /// The sentence has errors, or a value is undefined.
    Failed(String),
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unchecked::Note => write!(f, "a note has no formal meaning"),
            Unchecked::NotRecorded(names, hint) => {
                let word = if names.len() == 1 { "column" } else { "columns" };
                write!(f, "the trace has no {word} {}", names.join(", "))?;
                hint.as_ref().map_or(Ok(()), |hint| write!(f, "; if it is called otherwise: `--map {hint}`"))
            }
            Unchecked::Flawed(reason) | Unchecked::Failed(reason) => f.write_str(reason),
        }
    }
}

impl Columns {
    /// The columns of a file, some of them with the names of variables.
    pub(in crate::commands) fn new(
        signals: impl IntoIterator<Item = (String, Sort)>,
        map: &Map,
    ) -> Result<Columns, Error> {
        let mut known = BTreeMap::new();
        for (at, (name, sort)) in signals.into_iter().enumerate() {
            known.insert(name, (at, sort));
        }
        let kept =
            map.kept.iter().filter_map(|(variable, column)| Some((variable.clone(), *known.get(column)?)));
        let kept: Vec<(String, (usize, Sort))> = kept.collect();
        let mapped: Vec<(String, (usize, Sort))> = map
            .given
            .iter()
            .map(|(variable, column)| match known.get(column) {
                Some(&found) => Ok((variable.clone(), found)),
                None => {
                    let near = syntax::nearest(column, known.keys().map(String::as_str));
                    let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                    Err(Error::input("--map", format_args!("the trace has no column `{column}`{hint}")))
                }
            })
            .collect::<Result<_, _>>()?;
        known.extend(kept);
        known.extend(mapped);
        Ok(Columns { known })
    }

    pub(super) fn names(&self) -> BTreeSet<&str> {
        self.known.keys().map(String::as_str).collect()
    }

    /// The number of the column of a variable.
    pub(in crate::commands) fn number(&self, name: &str) -> Option<usize> {
        self.known.get(name).map(|(number, _)| *number)
    }

    /// The kind of a column that is used with a sort.
    fn kind(&self, name: &str, used: Sort) -> Kind {
        let sort =
            if used == Sort::Any { self.known.get(name).map_or(used, |(_, sort)| *sort) } else { used };
        match sort {
            Sort::Bool => Kind::Truth,
            Sort::Enum => Kind::Name,
            Sort::Int | Sort::Real | Sort::Any => Kind::Number,
        }
    }

    /// The column that may be meant: the only one whose last part is the name of the variable, or one that is spelled almost like it.
    fn near(&self, name: &str) -> Option<&str> {
        let wanted = plain(name);
        let last = |column: &&String| {
            column.rsplit(['.', '/', ':']).next().is_some_and(|part| plain(part) == wanted)
        };
        let mut found = self.known.keys().filter(last);
        match (found.next(), found.next()) {
            (Some(one), None) => Some(one),
            _ => syntax::nearest(name, self.known.keys().map(String::as_str)),
        }
    }

    /// The only column whose name is that of a variable but for letter case and signs.
    pub(in crate::commands) fn alike(&self, name: &str) -> Option<(&str, (usize, Sort))> {
        let wanted = plain(name);
        let mut alike = self.known.iter().filter(|(column, _)| plain(column) == wanted);
        let found = alike.next().map(|(column, &found)| (column.as_str(), found));
        found.filter(|_| alike.next().is_none() && !wanted.is_empty())
    }
}

/// A name without signs and letter case.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Plan {
    pub(super) fn new(
        command: &Eval,
        context: &Context,
        sources: &Sources,
        asked: &[Asked],
        steps: &Steps,
        given: Columns,
    ) -> Result<Plan, Error> {
        let mut columns = given.clone();
        let mut context = context.clone();
        if let Some(name) = context.constants.keys().find(|name| columns.known.contains_key(*name)) {
            let reason = format!("`{name}` is also a column of the trace; rename one of the two");
            return Err(Error::input("--const", reason));
        }
        let signals: FxHashMap<String, Sort> =
            columns.known.iter().map(|(name, (_, sort))| (name.clone(), *sort)).collect();
        let keeps = |name: &str| signals.contains_key(name);
        let mut store = Store::default();
        let mut read = |signals: FxHashMap<String, Sort>| -> Result<Vec<Reading>, Error> {
            context.signals = Some(signals);
            let question = Question {
                sentences: &command.sentences,
                around: &command.around,
                context: &context,
                output: Output::Human,
                // A recorded value is what happened, whatever its definition says.
                keeps: &keeps,
                share: true,
            };
            let mut readings = question.readings(sources, asked, &mut store)?;
            for formula in &command.formula {
                let mut reading = Reading::formula(std::mem::take(&mut store), formula, &context);
                store = std::mem::take(&mut reading.store);
                readings.push(reading);
            }
            Ok(readings)
        };
        let mut readings = read(signals.clone())?;
        // If the first cells of a column are not what a sentence uses it as, they are what is wrong, and not the sentence.
        let is_mismatched = |reading: &Reading| {
            let mut found = reading.lowered.diagnostics.iter().map(|found| found.code);
            reading.lowered.requirement.is_none()
                && found.any(|code| code == requirement::codes::TYPE_MISMATCH)
        };
        if readings.iter().any(is_mismatched) {
            let others = read(signals.keys().map(|name| (name.clone(), Sort::Any)).collect())?;
            for (reading, other) in readings.iter_mut().zip(others) {
                if is_mismatched(reading) && other.lowered.requirement.is_some() {
                    *reading = other;
                }
            }
        }
        let needs: Vec<Result<Need, Unchecked>> =
            readings.iter().map(|reading| need(&mut store, reading, &mut columns, steps)).collect();
        // What is measured on the times does not count as steps.
        for (reading, need) in readings.iter_mut().zip(&needs) {
            if need.as_ref().is_ok_and(|need| need.timed.is_some()) {
                reading.lowered.diagnostics.retain(|found| found.code != requirement::codes::UNITS_AS_STEPS);
            }
        }
        Ok(Plan { given, columns, store, readings, needs })
    }
}

fn need(
    store: &mut Store,
    reading: &Reading,
    columns: &mut Columns,
    steps: &Steps,
) -> Result<Need, Unchecked> {
    let Some(requirement) = &reading.lowered.requirement else {
        let broken = || Unchecked::Failed("the sentence has errors".into());
        return Err(if reading.is_note() { Unchecked::Note } else { broken() });
    };
    names::compared(store, requirement, &columns.names())?;
    let used = names::columns(store, requirement, &reading.lowered.sorts.names);
    let mut notes = Vec::new();
    let mut missing = Vec::new();
    for name in used.keys() {
        if columns.number(name).is_some() {
            continue;
        }
        match columns.alike(name).map(|(column, found)| (column.to_owned(), found)) {
            Some((column, found)) => {
                notes.push(format!("`{name}` is read from the column `{column}`"));
                columns.known.insert(name.clone(), found);
            }
            None => missing.push(name.clone()),
        }
    }
    if !missing.is_empty() {
        let quoted = |name: &String| format!("`{name}`");
        return Err(match reading.id {
            Some(_) => {
                let hints = missing.iter().filter_map(|name| Some(format!("{name}={}", columns.near(name)?)));
                let hints: Vec<String> = hints.collect();
                let hint = (!hints.is_empty()).then(|| hints.join(" --map "));
                Unchecked::NotRecorded(missing.iter().map(quoted).collect(), hint)
            }
            None => Unchecked::Failed(names::absent(store, requirement, &missing[0])),
        });
    }
    let input =
        |(name, sort): (&String, &Sort)| Input { name: name.clone(), kind: columns.kind(name, *sort) };
    let inputs = used.iter().map(input).collect();
    let watch = watch(store, requirement).ok();
    let seconds = steps.duration(requirement, reading.lowered.unit).filter(|_| watch.is_some());
    let timed = seconds.and_then(|seconds| timed(store, requirement, seconds));
    Ok(Need { inputs, watch, timed, notes })
}

/// A requirement whose duration is measured on the times: its response is what the same requirement always demands.
fn timed(store: &mut Store, requirement: &Requirement, seconds: RBig) -> Option<Duration> {
    let demand = match requirement.timing {
        Timing::Within(_) => Demand::Within,
        Timing::For(_) => Demand::For,
        Timing::After(_) => Demand::After,
        _ => return None,
    };
    let always = Requirement { condition: Condition::Null, timing: Timing::Always, ..requirement.clone() };
    let unmet = watch(store, &always).ok()?.bad;
    Some(Duration { demand, seconds, unmet })
}
