//! The step of a monitor as a list of statements, in any language that has Booleans, integers and assignments.
//!
//! Each temporal operator becomes the memory that `logic::memory` plans for it: fields of the state, and statements that compute its value
//! and update the fields. A [`Spelling`] says how a language writes them.

use crate::specification::Inexpressible;
use crate::specification::expression::{Language, Text};
use crate::specification::scope::Ty;
use logic::memory::{Cell, Line, Memory, Room, plan};
use logic::{Binary, Bound, Dialect, Fun, Unary};

/// The limits of a delay: a bit for each step, or one pair of counters where that is much shorter.
pub(super) const ROOM: Room = Room { bits: 1 << 16, stages: 1, worth: 256 };

/// A delay up to this many steps is one word.
const WORD: u64 = 64;
/// A longer text becomes a variable of its own.
const LONG: usize = 240;

/// A field of the state. At the start it is false or zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) kind: Stored,
    /// What it stores, as a comment.
    pub(super) what: String,
}

/// What a field stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stored {
    Bool,
    /// An unsigned integer of 8, 16, 32 or 64 bits.
    Count {
        bits: u8,
    },
    /// One bit for each step of a delay.
    Ring {
        steps: u64,
    },
    /// A value of a type.
    Value(Ty),
}

impl Field {
    /// The bytes of the field in C.
    pub(super) fn bytes(&self) -> u64 {
        match &self.kind {
            Stored::Bool | Stored::Value(Ty::Bool) => 1,
            Stored::Count { bits } => u64::from(bits / 8),
            Stored::Ring { steps } => steps.div_ceil(8),
            Stored::Value(Ty::Int | Ty::Real) => 8,
            Stored::Value(Ty::Enum(_) | Ty::Value(_)) => 4,
        }
    }

    /// The bytes of its largest part, which decide where it is placed.
    pub(super) fn alignment(&self) -> u64 {
        if matches!(self.kind, Stored::Ring { .. }) { 1 } else { self.bytes() }
    }
}

/// How a language writes the statements of a step.
pub(super) trait Spelling {
    fn dialect(&self) -> &'static Dialect;

    /// A field of the state.
    fn field(&self, name: &str) -> String;

    /// A field that counts, as a number whose bits can be shifted.
    fn number(&self, field: &Field) -> String {
        self.field(&field.name)
    }

    /// A new variable that does not change.
    fn local(&self, name: &str, ty: &Ty, value: &str) -> String;

    /// A new value of a field.
    fn assign(&self, field: &Field, value: &str) -> String;

    /// A choice between two values.
    fn choose(&self, condition: &str, a: &str, b: &str) -> String;

    /// A number that is counted to.
    fn count(&self, number: u64) -> String;

    /// Stores a bit in a ring and returns the one that was stored `steps` steps ago. `ring` has the bits, `place` the next place.
    fn ring(&self, ring: &str, place: &str, steps: u64, now: &str) -> String;

    /// An integer as a real number.
    fn real(&self, whole: &Text) -> Text;

    /// A constant that is not negative.
    fn numeral(&mut self, digits: String, real: bool) -> Text;
}

/// The statements so far.
#[derive(Debug)]
pub(super) struct Body<S> {
    pub(super) spelling: S,
    pub(super) fields: Vec<Field>,
    pub(super) lines: Vec<String>,
    /// The number of names that were given.
    given: usize,
}

/// A place in a body to return to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    fields: usize,
    lines: usize,
}

impl<S: Spelling> Body<S> {
    pub(super) fn new(spelling: S) -> Body<S> {
        Body { spelling, fields: Vec::new(), lines: Vec::new(), given: 0 }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { fields: self.fields.len(), lines: self.lines.len() }
    }

    /// Forgets what came after a mark.
    pub(super) fn undo(&mut self, mark: Mark) {
        self.fields.truncate(mark.fields);
        self.lines.truncate(mark.lines);
    }

    /// The bytes of the fields after a mark.
    pub(super) fn bytes_since(&self, mark: Mark) -> u64 {
        self.fields[mark.fields..].iter().map(Field::bytes).sum()
    }

    /// Whether a ring is used.
    pub(super) fn has_rings(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.kind, Stored::Ring { .. }))
    }

    fn name(&mut self, letter: char) -> String {
        self.given += 1;
        format!("{letter}{}", self.given)
    }

    /// A variable with a value.
    fn keep(&mut self, ty: &Ty, value: &str) -> Text {
        let name = self.name('v');
        self.lines.push(self.spelling.local(&name, ty, value));
        Text::closed(name)
    }

    fn store(&mut self, kind: Stored, what: &str) -> Field {
        let name = self.name('m');
        let field = Field { name, kind, what: what.to_owned() };
        self.fields.push(field.clone());
        field
    }

    /// A counter from 0 to a number.
    fn counter(&mut self, top: u64, what: &str) -> Field {
        let bits = match top {
            0..=0xff => 8,
            0x100..=0xffff => 16,
            0x1_0000..=0xffff_ffff => 32,
            _ => 64,
        };
        self.store(Stored::Count { bits }, what)
    }

    fn get(&self, field: &Field) -> String {
        self.spelling.field(&field.name)
    }

    fn set(&mut self, field: &Field, value: &str) {
        self.lines.push(self.spelling.assign(field, value));
    }

    fn constant(&self, truth: bool) -> &'static str {
        self.spelling.dialect().constants[usize::from(truth)]
    }

    fn and(&self, a: &Text, b: &Text) -> Text {
        let (no, yes) = (self.constant(false), self.constant(true));
        match (a.text.as_str(), b.text.as_str()) {
            (a, _) if a == yes => b.clone(),
            (_, b) if b == yes => a.clone(),
            (a, b) if a == no || b == no => Text::closed(no),
            _ => Text::open(format!("{} {} {}", a.enclosed(), self.spelling.dialect().and, b.enclosed())),
        }
    }

    fn or(&self, a: &Text, b: &Text) -> Text {
        Text::open(format!("{} {} {}", a.enclosed(), self.spelling.dialect().or, b.enclosed()))
    }

    fn not(&self, a: &Text) -> Text {
        let not = self.spelling.dialect().not;
        let word =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.->".contains(&byte));
        match a.text.strip_prefix(not) {
            _ if a.text == self.constant(true) => Text::closed(self.constant(false)),
            _ if a.text == self.constant(false) => Text::closed(self.constant(true)),
            Some(rest) if word(rest) => Text::closed(rest),
            _ => Text::open(format!("{not}{}", a.enclosed())),
        }
    }

    /// A comparison of a counter with a number.
    fn compare(&self, field: &Field, relation: &str, number: u64) -> Text {
        Text::open(format!("{} {relation} {}", self.get(field), self.spelling.count(number)))
    }

    /// A counter with a number added to it or subtracted from it.
    fn shift(&self, field: &Field, sign: char) -> String {
        format!("{} {sign} {}", self.get(field), self.spelling.count(1))
    }

    /// `O` over a window. A clock is enough for the first step, and for whether there was a step so long ago.
    fn once(&mut self, bound: Bound, operand: &Text) -> Result<Text, Inexpressible> {
        let all = Text::closed(self.constant(true));
        let bound = match operand.text.as_str() {
            _ if bound.is_empty() => return Ok(Text::closed(self.constant(false))),
            text if text == self.at_start().text => bound,
            text if text == all.text && bound.lo == 0 => return Ok(all),
            text if text == all.text => Bound::new(bound.lo, None),
            _ => return self.since(bound, &all, operand),
        };
        Ok(self.cell(Cell::Clock { bound }, &all, operand))
    }

    /// `way S target` over a window.
    fn since(&mut self, bound: Bound, way: &Text, target: &Text) -> Result<Text, Inexpressible> {
        let too_long = |steps| Inexpressible::Delay { steps, limit: ROOM.bits };
        match plan(bound, ROOM).map_err(|why| too_long(why.steps))? {
            Memory::Never => Ok(Text::closed(self.constant(false))),
            Memory::Cell(cell) => Ok(self.cell(cell, way, target)),
            Memory::Delayed { near, steps, line } => {
                let near = self.cell(near, way, target);
                Ok(match line {
                    Line::Bits if steps <= WORD => self.word(steps, way, &near),
                    Line::Bits => self.ring(steps, way, &near),
                    Line::Stages { .. } => self.stage(steps, way, &near),
                })
            }
        }
    }

    /// A cell, as [`Cell::step`] defines it.
    fn cell(&mut self, cell: Cell, way: &Text, target: &Text) -> Text {
        match cell {
            Cell::Now => target.clone(),
            Cell::Latch => {
                let latch = self.store(Stored::Bool, "whether it holds");
                let on = self.and(way, &Text::closed(self.get(&latch)));
                let holds = self.or(target, &on).text;
                self.set(&latch, &holds);
                Text::closed(self.get(&latch))
            }
            Cell::Recent { steps } => {
                let left = self.counter(steps, "the steps for which it still holds");
                let target = self.simple(target);
                let on = self.and(way, &self.compare(&left, ">", 0));
                let holds = self.or(&target, &on).text;
                let holds = self.keep(&Ty::Bool, &holds);
                let [all, none] = [steps, 0].map(|number| self.spelling.count(number));
                let less = self.shift(&left, '-');
                let rest = self.spelling.choose(&holds.text, &less, &none);
                let next = self.spelling.choose(&target.text, &all, &rest);
                self.set(&left, &next);
                holds
            }
            Cell::Oldest { steps } => {
                let age = self.counter(steps.saturating_add(1), "the age of the oldest one, plus one");
                let on = self.and(way, &self.compare(&age, ">", 0)).text;
                let on = self.keep(&Ty::Bool, &on);
                let holds = self.and(&on, &self.compare(&age, ">=", steps)).text;
                let holds = self.keep(&Ty::Bool, &holds);
                let [none, one, full] =
                    [0, 1, steps.saturating_add(1)].map(|number| self.spelling.count(number));
                let fresh = self.spelling.choose(&target.text, &one, &none);
                let is_young = self.compare(&age, "<", steps).text;
                let older = self.spelling.choose(&is_young, &self.shift(&age, '+'), &full);
                let next = self.spelling.choose(&on.text, &older, &fresh);
                self.set(&age, &next);
                holds
            }
            Cell::Clock { bound } => {
                let top = bound.hi.map_or(bound.lo, |hi| hi.saturating_add(1));
                let age = self.counter(top, "the steps since the start");
                let mut holds = Text::closed(self.constant(true));
                if bound.lo > 0 {
                    holds = self.compare(&age, ">=", bound.lo);
                }
                if let Some(hi) = bound.hi {
                    holds = self.and(&holds, &self.compare(&age, "<=", hi));
                }
                let holds = self.keep(&Ty::Bool, &holds.text);
                let is_counting = self.compare(&age, "<", top).text;
                let next =
                    self.spelling.choose(&is_counting, &self.shift(&age, '+'), &self.spelling.count(top));
                self.set(&age, &next);
                holds
            }
        }
    }

    /// What was true some steps ago, unless `way` has failed since: a word of bits.
    fn word(&mut self, steps: u64, way: &Text, signal: &Text) -> Text {
        if steps == 1 {
            let last = self.store(Stored::Bool, "whether it held at the last step");
            let holds = self.and(way, &Text::closed(self.get(&last))).text;
            let holds = self.keep(&Ty::Bool, &holds);
            self.set(&last, &signal.text);
            return holds;
        }
        let line = self.counter(u64::MAX >> (64 - steps), "the last steps, one bit for each");
        let [none, one, last, all] =
            [0, 1, steps - 1, u64::MAX >> (64 - steps)].map(|number| self.spelling.count(number));
        let before = self.spelling.number(&line);
        let out = Text::open(format!("(({before} >> {last}) & {one}) != {none}"));
        let holds = self.and(way, &out).text;
        let holds = self.keep(&Ty::Bool, &holds);
        let kept = match way.text == self.constant(true) {
            true => before,
            false => self.spelling.choose(&way.text, &before, &none),
        };
        let new = self.spelling.choose(&signal.text, &one, &none);
        self.set(&line, &format!("(({kept} << {one}) | {new}) & {all}"));
        holds
    }

    /// The same for a longer time: a ring of bits, and a counter of the steps since `way` last failed.
    fn ring(&mut self, steps: u64, way: &Text, signal: &Text) -> Text {
        let place = self.store(Stored::Count { bits: 32 }, "the next place in the ring");
        let ring = self.store(Stored::Ring { steps }, "the last steps, one bit for each");
        let call = self.spelling.ring(&ring.name, &place.name, steps, &signal.text);
        let out = self.keep(&Ty::Bool, &call);
        if way.text == self.constant(true) {
            return out;
        }
        let failed = self.not(way);
        let lately =
            self.cell(Cell::Recent { steps: steps - 1 }, &Text::closed(self.constant(true)), &failed);
        let free = self.not(&lately);
        self.and(&out, &free)
    }

    /// The same for a signal that stays true so long that it changes at most once up and once down in that time: two counters with the
    /// steps until the last rise and the last fall arrive, 0 if they have.
    fn stage(&mut self, steps: u64, way: &Text, signal: &Text) -> Text {
        let sent = self.store(Stored::Bool, "whether it held at the last step");
        let arrived = self.store(Stored::Bool, "whether it held that long before the last step");
        let signal = self.simple(signal);
        let before = self.and(way, &Text::closed(self.get(&sent)));
        let stays = Text::closed(self.get(&arrived));
        let mut arrives = Vec::new();
        for (old, new, what) in [
            (&before, &signal, "the steps until the last rise arrives"),
            (&signal, &before, "the steps until the last fall arrives"),
        ] {
            let left = self.counter(steps, what);
            let now = self.compare(&left, "==", 1).text;
            arrives.push(self.keep(&Ty::Bool, &now));
            let changes = self.and(new, &self.not(old)).text;
            let [all, none] = [steps, 0].map(|number| self.spelling.count(number));
            let on = self.and(way, &self.compare(&left, ">", 0)).text;
            let rest = self.spelling.choose(&on, &self.shift(&left, '-'), &none);
            let next = self.spelling.choose(&changes, &all, &rest);
            self.set(&left, &next);
        }
        let still = self.and(&stays, &self.not(&arrives[1]));
        let either = self.or(&arrives[0], &still);
        let now = self.and(way, &either).text;
        let now = self.keep(&Ty::Bool, &now);
        self.set(&sent, &signal.text);
        self.set(&arrived, &now.text);
        now
    }

    /// A text that may be written several times.
    fn simple(&mut self, text: &Text) -> Text {
        if text.is_closed() { text.clone() } else { self.keep(&Ty::Bool, &text.text) }
    }

    /// The first step.
    fn at_start(&self) -> Text {
        self.not(&Text::closed(self.spelling.field(STARTED)))
    }
}

/// The field that is false at the first step.
pub(super) const STARTED: &str = "started";

impl<S: Spelling> Language for Body<S> {
    fn dialect(&self) -> &'static Dialect {
        self.spelling.dialect()
    }

    fn window(&mut self, op: Unary, bound: Bound, operand: &Text) -> Result<Text, Inexpressible> {
        match op {
            Unary::Once => self.once(bound, operand),
            Unary::Historically if bound == Bound::NEXT && operand.text == self.constant(false) => {
                Ok(self.at_start())
            }
            Unary::Historically => {
                let absent = self.not(operand);
                let once = self.once(bound, &absent)?;
                Ok(self.not(&once))
            }
            Unary::Finally | Unary::Globally => Err(Inexpressible::Future),
        }
    }

    fn way(&mut self, op: Binary, bound: Bound, way: &Text, target: &Text) -> Result<Text, Inexpressible> {
        match op {
            Binary::Since => self.since(bound, way, target),
            Binary::Triggered => {
                let since = self.since(bound, &self.not(way), &self.not(target))?;
                Ok(self.not(&since))
            }
            Binary::Until | Binary::Release => Err(Inexpressible::Future),
        }
    }

    fn implication(&mut self, condition: &Text, conclusion: &Text) -> Option<Text> {
        Some(self.or(&self.not(condition), conclusion))
    }

    fn shared(&mut self, text: Text, ty: &Ty, uses: usize) -> Text {
        let is_known = matches!(ty, Ty::Bool | Ty::Int | Ty::Real | Ty::Enum(_));
        let is_constant = text.text.bytes().all(|byte| byte.is_ascii_digit() || b".-".contains(&byte));
        if is_known && !is_constant && !text.is_closed() && (uses > 1 || text.text.len() > LONG) {
            return self.keep(ty, &text.text);
        }
        text
    }

    fn real(&mut self, whole: &Text) -> Result<Text, Inexpressible> {
        Ok(self.spelling.real(whole))
    }

    fn numeral(&mut self, digits: String, real: bool) -> Text {
        self.spelling.numeral(digits, real)
    }

    fn largest(&self) -> Option<u64> {
        Some(i64::MAX as u64)
    }

    fn remainder(&mut self, a: &Text, b: &Text, safe: bool) -> Result<Text, Inexpressible> {
        let rest = Text::open(format!("{} % {}", a.enclosed(), b.enclosed()));
        if safe {
            return Ok(rest);
        }
        let rest = self.keep(&Ty::Int, &rest.text).text;
        let (negative, more) = (format!("{rest} < 0"), format!("{rest} + {}", b.enclosed()));
        Ok(Text::open(self.spelling.choose(&negative, &more, &rest)))
    }

    fn choice(&mut self, condition: &Text, a: &Text, b: &Text) -> Result<Text, Inexpressible> {
        Ok(Text::open(self.spelling.choose(&condition.text, &a.enclosed(), &b.enclosed())))
    }

    fn function(&mut self, fun: Fun, real: bool, arguments: &[Text]) -> Result<Text, Inexpressible> {
        let ty = if real { Ty::Real } else { Ty::Int };
        let mut kept: Vec<String> = Vec::new();
        for argument in arguments {
            kept.push(self.keep(&ty, &argument.text).text);
        }
        let relation = match (fun, kept.as_slice()) {
            (Fun::Abs, [only]) => {
                let zero = if real { self.spelling.numeral("0.0".into(), true).text } else { "0".into() };
                let text = self.spelling.choose(&format!("{only} < {zero}"), &format!("-{only}"), only);
                return Ok(Text::open(text));
            }
            (Fun::Abs, _) => return Err(Inexpressible::SeveralArguments),
            (Fun::Min, _) => "<",
            (Fun::Max, _) => ">",
        };
        let mut kept = kept.into_iter();
        let mut best = kept.next().ok_or(Inexpressible::NoArguments)?;
        for other in kept {
            let text = self.spelling.choose(&format!("{other} {relation} {best}"), &other, &best);
            best = self.keep(&ty, &text).text;
        }
        Ok(Text::closed(best))
    }

    fn previous(&mut self, initial: &Text, what: &Text, ty: &Ty) -> Result<Text, Inexpressible> {
        let field = self.store(Stored::Value(ty.clone()), "the last value");
        let at_start = self.at_start().text;
        let value = self.spelling.choose(&at_start, &initial.enclosed(), &self.get(&field));
        let value = self.keep(ty, &value);
        self.set(&field, &what.text);
        Ok(value)
    }
}
