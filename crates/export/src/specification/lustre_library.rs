//! The operators over the past as Lustre nodes: those that a file uses, and no others.
//!
//! Each is the text of a memory that `logic::memory` plans, so `O[0,100000] p` is one call with one number as memory. A delayed
//! window `[l,u]` is a chain of stages that remember the ages of a rise and a fall (`later`), or a line of cells, one for each
//! step (`delay_n`); that text is short all the same, because a delay is two halves. Every `pre` is after a `->`; windows of nothing are
//! false for O and S, true for H and T.

use super::Inexpressible;
use logic::memory::Cell;
use logic::memory::Line;
use logic::memory::Memory;
use logic::memory::Room;
use logic::memory::TooLong;
use logic::memory::plan;
use logic::{Binary, Bound, Fun, Unary};
use std::collections::BTreeSet;

/// The longest delays of a window. What S delays may change at every step, so it has no stages.
const WINDOW: Room = Room { bits: 1 << 16, stages: 8, worth: 4 };
const WAY: Room = Room { stages: 0, ..WINDOW };

/// A node of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Piece {
    /// `Y`, or `Z`, whose value at the first step is true.
    Yesterday(bool),
    Window(Unary, Kind),
    Way(Binary, Kind),
    SinceInclusive,
    Later,
    Delay(u64),
    /// With real numbers or whole ones.
    Number(Fun, bool),
}

/// What a node over a window remembers. Windows that differ only in a number share a node, which takes the number as a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Latch,
    Recent,
    Oldest,
    Delayed { near: Cell, steps: u64, line: Line },
}

impl Kind {
    /// The kind of a window and the parameter of its node; windows of this position alone, or of none, have no node.
    fn of(bound: Bound, room: Room) -> Result<Option<(Kind, Option<u64>)>, Inexpressible> {
        Ok(match plan(bound, room).map_err(refused)? {
            Memory::Never | Memory::Cell(Cell::Now | Cell::Clock { .. }) => None,
            Memory::Cell(Cell::Latch) => Some((Kind::Latch, None)),
            Memory::Cell(Cell::Recent { steps }) => Some((Kind::Recent, Some(steps))),
            Memory::Cell(Cell::Oldest { steps }) => Some((Kind::Oldest, Some(steps))),
            Memory::Delayed { near, steps, line } => Some((Kind::Delayed { near, steps, line }, None)),
        })
    }

    fn is_parametric(self) -> bool {
        matches!(self, Kind::Recent | Kind::Oldest)
    }
}

fn refused(TooLong { steps }: TooLong) -> Inexpressible {
    Inexpressible::Delay { steps, limit: WINDOW.bits }
}

/// The nodes that are used, each after those it uses itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Library {
    known: BTreeSet<Piece>,
    text: String,
}

impl Library {
    /// The text of all nodes that are used.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// A call of an operator over a window.
    pub(super) fn window(&mut self, op: Unary, bound: Bound, p: &str) -> Result<String, Inexpressible> {
        let strong = match op {
            Unary::Once => true,
            Unary::Historically => false,
            Unary::Finally | Unary::Globally => return Err(Inexpressible::Future),
        };
        if bound == Bound::NEXT {
            return Ok(format!("{}({p})", self.need(Piece::Yesterday(!strong))?));
        }
        let Some((kind, parameter)) = Kind::of(bound, WINDOW)? else {
            return Ok(if bound.is_empty() { (!strong).to_string() } else { p.to_string() });
        };
        self.call(Piece::Window(op, kind), parameter, p)
    }

    /// A call of S or T. As in FRET's library, the target comes first: `S(q, p)` is p since q.
    pub(super) fn way(
        &mut self,
        op: Binary,
        bound: Bound,
        p: &str,
        q: &str,
    ) -> Result<String, Inexpressible> {
        if matches!(op, Binary::Until | Binary::Release) {
            return Err(Inexpressible::Future);
        }
        let Some((kind, parameter)) = Kind::of(bound, WAY)? else {
            return Ok(if bound.is_empty() { (op == Binary::Triggered).to_string() } else { q.to_string() });
        };
        self.call(Piece::Way(op, kind), parameter, &format!("{q}, {p}"))
    }

    fn call(
        &mut self,
        piece: Piece,
        parameter: Option<u64>,
        arguments: &str,
    ) -> Result<String, Inexpressible> {
        let name = self.need(piece)?;
        Ok(match parameter {
            Some(n) => format!("{name}({n}, {arguments})"),
            None => format!("{name}({arguments})"),
        })
    }

    /// The name of a node, which is added with those it uses.
    pub(super) fn need(&mut self, piece: Piece) -> Result<String, Inexpressible> {
        let name = name(piece);
        if !self.known.contains(&piece) {
            let text = self.definition(piece)?;
            if self.known.insert(piece) {
                self.text.push_str(&text);
            }
        }
        Ok(name)
    }

    /// The text of a node; those it uses are added before.
    fn definition(&mut self, piece: Piece) -> Result<String, Inexpressible> {
        let own = name(piece);
        let (meaning, inputs, locals, equations) = match piece {
            Piece::Yesterday(weak) => {
                let first = if weak { "p held at the previous step, if there is one" } else { "p held at the previous step" };
                (first.into(), "p: bool".to_string(), "", format!("holds = {weak} -> pre p;"))
            }
            Piece::SinceInclusive => (
                "q held at some step, and p at that step and at all steps since".into(),
                "q, p: bool".into(),
                "",
                "holds = p and (q or (false -> pre holds));".into(),
            ),
            Piece::Window(op, kind) => self.window_definition(op, kind)?,
            Piece::Way(op, kind) => self.way_definition(op, kind)?,
            Piece::Later => (
                "p held n steps ago; for p that rises, and falls, at most once in n steps".into(),
                "const n: int; p: bool".into(),
                "rise, fall: int;",
                "rise = if p and (true -> not pre p) then 0 else (n -> if pre rise < n then pre rise + 1 else n);\n  \
                 fall = if not p and (false -> pre p) then 0 else (n -> if pre fall < n then pre fall + 1 else n);\n  \
                 holds = if rise = n and fall = n then p else (rise = n or (fall < n and rise < fall));"
                    .into(),
            ),
            Piece::Delay(1) => {
                ("p held one step ago".into(), "p: bool".into(), "", "holds = false -> pre p;".into())
            }
            Piece::Delay(n) => {
                let mut inner = "p".to_string();
                if n.is_power_of_two() {
                    let half = self.need(Piece::Delay(n / 2))?;
                    inner = format!("{half}({half}(p))");
                } else {
                    for bit in (0..64).map(|bit| 1_u64 << bit).filter(|bit| n & bit != 0) {
                        inner = format!("{}({inner})", self.need(Piece::Delay(bit))?);
                    }
                }
                (format!("p held {n} steps ago"), "p: bool".into(), "", format!("holds = {inner};"))
            }
            Piece::Number(fun, real) => return Ok(number(fun, &own, real)),
        };
        let locals = if locals.is_empty() { String::new() } else { format!("var {locals}\n") };
        Ok(format!(
            "-- {meaning}\nnode {own}({inputs}) returns (holds: bool);\n{locals}let\n  {equations}\ntel\n\n"
        ))
    }

    fn window_definition(&mut self, op: Unary, kind: Kind) -> Result<Definition, Inexpressible> {
        if op == Unary::Historically && kind != Kind::Latch {
            // The dual operator of the opposite.
            let dual = self.need(Piece::Window(Unary::Once, kind))?;
            let meaning = match kind {
                Kind::Latch | Kind::Recent => "p held at all of the last n + 1 steps".into(),
                Kind::Oldest => "p held at all steps that are n or more steps ago".into(),
                Kind::Delayed { near, steps, .. } => {
                    format!("p held at all steps from {} to {steps} steps ago", steps + width(near))
                }
            };
            let (inputs, arguments) = if kind.is_parametric() {
                ("const n: int; p: bool", "n, not p")
            } else {
                ("p: bool", "not p")
            };
            return Ok((meaning, inputs.into(), "", format!("holds = not {dual}({arguments});")));
        }
        Ok(match kind {
            Kind::Latch if op == Unary::Historically => {
                ("p held at all steps so far".into(), "p: bool".into(), "", "holds = p and (true -> pre holds);".into())
            }
            Kind::Latch => {
                ("p held at some step so far".into(), "p: bool".into(), "", "holds = p or (false -> pre holds);".into())
            }
            Kind::Recent => (
                "p held at some of the last n + 1 steps; age counts the steps since then".into(),
                "const n: int; p: bool".into(),
                "age: int;",
                "age = if p then 0 else (n + 1 -> if pre age <= n then pre age + 1 else n + 1);\n  holds = age <= n;".into(),
            ),
            Kind::Oldest => (
                "p held at some step that is n or more steps ago; count has the steps from the first p to now".into(),
                "const n: int; p: bool".into(),
                "count: int;",
                "count = (if p then 1 else 0) -> if pre count > n then pre count\n    \
                 else if p or pre count > 0 then pre count + 1 else 0;\n  holds = count > n;"
                    .into(),
            ),
            Kind::Delayed { near, steps, line } => {
                let recent = self.near(near, |kind| Piece::Window(Unary::Once, kind), "p", "p")?;
                let delayed = self.delayed(recent, steps, line)?;
                let meaning = format!("p held at some step from {} to {steps} steps ago", steps + width(near));
                (meaning, "p: bool".into(), "", format!("holds = {delayed};"))
            }
        })
    }

    fn way_definition(&mut self, op: Binary, kind: Kind) -> Result<Definition, Inexpressible> {
        if op == Binary::Triggered {
            let dual = self.need(Piece::Way(Binary::Since, kind))?;
            let inputs = if kind.is_parametric() { "const n: int; q, p: bool" } else { "q, p: bool" };
            let arguments = if kind.is_parametric() { "n, not q, not p" } else { "not q, not p" };
            let meaning =
                format!("the dual of {dual}: q held all the time, or since a step with p and at it");
            return Ok((meaning, inputs.into(), "", format!("holds = not {dual}({arguments});")));
        }
        Ok(match kind {
            Kind::Latch => (
                "q held at some step, and p at all steps since".into(),
                "q, p: bool".into(),
                "",
                "holds = q or (p and (false -> pre holds));".into(),
            ),
            Kind::Recent => (
                "q held at some of the last n + 1 steps, and p at all steps since; age counts them".into(),
                "const n: int; q, p: bool".into(),
                "age: int;",
                "age = if q then 0 else (n + 1 -> if p and pre age <= n then pre age + 1 else n + 1);\n  \
                 holds = age <= n;"
                    .into(),
            ),
            Kind::Oldest => (
                "q held n or more steps ago, and p at all steps since; count has the steps from the first such q to now".into(),
                "const n: int; q, p: bool".into(),
                "count: int;",
                "count = (if q then 1 else 0) -> if p and pre count > 0 then (if pre count > n then pre count else pre count + 1)\n    \
                 else if q then 1 else 0;\n  holds = count > n;"
                    .into(),
            ),
            Kind::Delayed { near, steps, line } => {
                let recent = self.near(near, |kind| Piece::Way(Binary::Since, kind), "q", "q, p")?;
                let delayed = self.delayed(recent, steps, line)?;
                let stayed = self.window(Unary::Historically, Bound::upto(steps - 1), "p")?;
                let meaning = format!(
                    "q held at some step from {} to {steps} steps ago, and p at all steps since",
                    steps + width(near)
                );
                (meaning, "q, p: bool".into(), "", format!("holds = {stayed} and {delayed};"))
            }
        })
    }

    /// What is delayed: a window that begins now.
    fn near(
        &mut self,
        cell: Cell,
        piece: impl Fn(Kind) -> Piece,
        target: &str,
        arguments: &str,
    ) -> Result<String, Inexpressible> {
        match width(cell) {
            0 => Ok(target.to_string()),
            n => self.call(piece(Kind::Recent), Some(n), arguments),
        }
    }

    /// What held some steps ago.
    fn delayed(&mut self, text: String, steps: u64, line: Line) -> Result<String, Inexpressible> {
        let Line::Stages { length } = line else {
            return Ok(format!("{}({text})", self.need(Piece::Delay(steps))?));
        };
        let later = self.need(Piece::Later)?;
        let mut delayed = text;
        let mut rest = steps;
        while rest > 0 {
            let part = rest.min(length);
            delayed = format!("{later}({part}, {delayed})");
            rest -= part;
        }
        Ok(delayed)
    }
}

/// Meaning, inputs, local variables and equations.
type Definition = (String, String, &'static str, String);

/// How far back a window that begins now reaches.
fn width(cell: Cell) -> u64 {
    match cell {
        Cell::Recent { steps } => steps,
        Cell::Now | Cell::Latch | Cell::Oldest { .. } | Cell::Clock { .. } => 0,
    }
}

/// The name of a node.
fn name(piece: Piece) -> String {
    let windowed = |letter: &str, kind: Kind| match kind {
        Kind::Latch => letter.to_string(),
        Kind::Recent => format!("{letter}T"),
        Kind::Oldest => format!("{letter}L"),
        Kind::Delayed { near, steps, .. } => format!("{letter}_{steps}_{}", steps + width(near)),
    };
    match piece {
        Piece::Yesterday(false) => "Y".into(),
        Piece::Yesterday(true) => "Z".into(),
        Piece::SinceInclusive => "SI".into(),
        Piece::Window(Unary::Historically | Unary::Globally, kind) => windowed("H", kind),
        Piece::Window(Unary::Once | Unary::Finally, kind) => windowed("O", kind),
        Piece::Way(Binary::Since | Binary::Until, kind) => windowed("S", kind),
        Piece::Way(Binary::Triggered | Binary::Release, kind) => windowed("T", kind),
        Piece::Later => "later".into(),
        Piece::Delay(n) => format!("delay_{n}"),
        Piece::Number(fun, real) => {
            let fun = ["abs", "min", "max"][fun as usize];
            format!("{fun}_{}", if real { "real" } else { "int" })
        }
    }
}

fn number(fun: Fun, own: &str, real: bool) -> String {
    let (sort, zero) = if real { ("real", "0.0") } else { ("int", "0") };
    let (inputs, value) = match fun {
        Fun::Abs => ("a", format!("if a < {zero} then -a else a")),
        Fun::Min => ("a, b", "if a < b then a else b".to_string()),
        Fun::Max => ("a, b", "if a < b then b else a".to_string()),
    };
    format!("function {own}({inputs}: {sort}) returns (value: {sort});\nlet\n  value = {value};\ntel\n\n")
}

/// Whether a name looks like a node of the library, so that nothing else may be called so.
pub(super) fn is_library_name(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = |text: &str| text.split_once('_').is_some_and(|(lo, hi)| digits(lo) && digits(hi));
    let plain = ["Y", "Z", "SI", "H", "O", "S", "T", "HT", "OT", "ST", "TT", "HL", "OL", "SL", "TL", "later"];
    plain.contains(&name)
        || name.strip_prefix("delay_").is_some_and(digits)
        || ["H_", "O_", "S_", "T_"].iter().any(|start| name.strip_prefix(start).is_some_and(numbered))
        || ["abs_", "min_", "max_"]
            .iter()
            .any(|start| matches!(name.strip_prefix(start), Some("int" | "real")))
}
