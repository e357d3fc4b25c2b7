//! A picture with its conditions printed: the input of every drawing.
//!
//! Only this module looks at formulas, and only this module meets a picture of unknown depth: a plan is at most
//! [`MAX_DEPTH`] levels deep, so drawings may recurse over it.

use super::Undrawable;
use ::timeline::picture::{Moment, Picture, Piece, Shows};
use logic::{LATEX, SHALL, Store, Trace, UNICODE, print};
use std::rc::Rc;

/// The deepest nesting of pieces.
pub(super) const MAX_DEPTH: usize = 200;
/// The largest number of pieces.
pub(super) const MAX_PIECES: usize = 10_000;

/// The largest number of characters of a condition, so that widths stay small numbers.
const MAX_CONDITION: usize = 4_000;

/// The words for a choice without alternatives.
pub(super) const DEAD_END: &str = "dead end";

/// One of the alternatives happens, with all its lanes.
pub(super) struct Plan {
    pub(super) alternatives: Vec<Vec<Part>>,
    shows: Shows,
}

/// A part of a lane; see [`Piece`].
pub(super) enum Part {
    Step(Guard),
    Sequence(Vec<Part>),
    Either(Vec<Part>),
    Repeat(Box<Part>, Times),
    Forever(Box<Part>),
}

/// The condition of a step.
pub(super) struct Guard {
    /// Whether everything is allowed.
    pub(super) anything: bool,
    /// For people: the condition in symbols.
    pub(super) symbols: String,
    /// For LaTeX in math mode.
    pub(super) latex: String,
    /// For programs: the condition in our own dialect.
    pub(super) code: String,
    /// A trace through the step, and where it passes.
    pub(super) example: Option<(Rc<Trace>, usize)>,
}

/// How often something happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Times {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

impl Plan {
    /// The plan of a picture.
    pub(super) fn of(store: &Store, picture: &Picture) -> Result<Plan, Undrawable> {
        let mut planner = Planner { store, pieces: 0 };
        let mut alternatives = Vec::new();
        for alternative in &picture.alternatives {
            let lanes: Result<_, _> =
                alternative.lanes.iter().map(|lane| planner.part(&lane.piece, 0)).collect();
            alternatives.push(lanes?);
        }
        Ok(Plan { alternatives, shows: picture.shows })
    }

    /// A notice if there are no traces, or all of them.
    pub(super) fn notice(&self) -> Option<&'static str> {
        match self.alternatives.as_slice() {
            [] => Some(self.shows.nothing()),
            [lanes] => match lanes.as_slice() {
                [Part::Forever(body)] if matches!(&**body, Part::Step(guard) if guard.anything) => {
                    Some(self.shows.everything())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The whole picture in one sentence, for screen readers.
    pub(super) fn words(&self) -> String {
        if self.alternatives.is_empty() {
            return format!("Nothing is drawn: {}.", self.shows.nothing());
        }
        let alternative = |lanes: &Vec<Part>| {
            let lanes: Vec<String> = lanes.iter().map(Part::words).collect();
            if lanes.len() == 1 { lanes.concat() } else { format!("together, {}", lanes.join("; and ")) }
        };
        let alternatives: Vec<String> = self.alternatives.iter().map(alternative).collect();
        format!("From the start: {}.", alternatives.join("; or else "))
    }
}

impl Part {
    /// Whether this part skips the other parts of its choice.
    pub(super) fn is_skip(&self) -> bool {
        matches!(self, Part::Sequence(parts) if parts.is_empty())
    }

    /// Whether `found` holds for the part or one inside it.
    pub(super) fn any(&self, found: &dyn Fn(&Part) -> bool) -> bool {
        found(self)
            || match self {
                Part::Step(_) => false,
                Part::Sequence(parts) | Part::Either(parts) => parts.iter().any(|part| part.any(found)),
                Part::Repeat(body, _) | Part::Forever(body) => body.any(found),
            }
    }

    fn words(&self) -> String {
        match self {
            Part::Step(guard) => guard.label().to_owned(),
            Part::Sequence(parts) if parts.is_empty() => "nothing".into(),
            Part::Sequence(parts) => parts.iter().map(Part::words).collect::<Vec<_>>().join(", then "),
            Part::Either(parts) if parts.is_empty() => DEAD_END.into(),
            Part::Either(parts) => {
                format!("either ({})", parts.iter().map(Part::words).collect::<Vec<_>>().join(") or ("))
            }
            Part::Repeat(body, times) => format!("{} times ({})", times.range(), body.words()),
            Part::Forever(body) => format!("forever ({})", body.words()),
        }
    }
}

impl Guard {
    /// The condition for people, in one line.
    pub(super) fn label(&self) -> &str {
        if self.anything { "anything" } else { &self.symbols }
    }
}

impl Times {
    /// The count beside a line that skips the loop: how often it is taken if it is not skipped. Nothing if that is once.
    pub(super) fn beside_skip(self) -> Option<String> {
        let taken = Times { min: self.min.max(1), ..self };
        (taken != Times { min: 1, max: Some(1) }).then(|| taken.range())
    }

    /// The count as drawings show it.
    pub(super) fn range(self) -> String {
        match self {
            Times { min, max: None } => format!("{min}..∞"),
            Times { min, max: Some(max) } if min == max => format!("×{min}"),
            Times { min, max: Some(max) } => format!("{min}..{max}"),
        }
    }
}

struct Planner<'a> {
    store: &'a Store,
    pieces: usize,
}

impl Planner<'_> {
    fn part(&mut self, piece: &Piece, depth: usize) -> Result<Part, Undrawable> {
        if depth >= MAX_DEPTH {
            return Err(Undrawable::Deep { limit: MAX_DEPTH });
        }
        self.pieces += 1;
        if self.pieces > MAX_PIECES {
            return Err(Undrawable::Large { limit: MAX_PIECES });
        }
        Ok(match piece {
            Piece::Step(moment) => Part::Step(self.guard(moment)?),
            Piece::Sequence(pieces) => Part::Sequence(self.parts(pieces, depth)?),
            Piece::Either(pieces) => Part::Either(self.parts(pieces, depth)?),
            Piece::Repeat(body, min, max) => {
                Part::Repeat(self.part(body, depth + 1)?.into(), Times { min: *min, max: *max })
            }
            Piece::Forever(body) => Part::Forever(self.part(body, depth + 1)?.into()),
        })
    }

    fn parts(&mut self, pieces: &[Piece], depth: usize) -> Result<Vec<Part>, Undrawable> {
        pieces.iter().map(|piece| self.part(piece, depth + 1)).collect()
    }

    fn guard(&self, moment: &Moment) -> Result<Guard, Undrawable> {
        let text = |dialect| print(self.store, moment.condition, dialect).map_err(Undrawable::Condition);
        let symbols = crate::terminal::plain(&text(&UNICODE)?);
        if symbols.chars().count() > MAX_CONDITION {
            return Err(Undrawable::Long { limit: MAX_CONDITION });
        }
        Ok(Guard {
            anything: moment.condition == self.store.top(),
            symbols,
            latex: text(&LATEX)?,
            code: text(&SHALL)?,
            example: moment.example.clone(),
        })
    }
}
