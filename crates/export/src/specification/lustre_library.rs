//! The operators over the past as Lustre nodes: those that a file uses, and no others.
//!
//! A window `[0,n]` is a counter of steps since the operand last held, a window `[n,∞)` a counter of steps since it first did;
//! both stop counting where the answer no longer depends on it, so `O[0,100000] p` is one call with one number as memory.
//! For `[l,u]` with 0 < l neither is enough, because a newer occurrence must not hide an older one: the window `[0,u-l]`
//! is delayed by l steps. Its runs are longer than u - l, so a stage of `u - l + 2` steps has at most one rise and one fall on
//! the way and remembers their ages (`later`). Where that takes many stages, as for `[n,n]`, every step on the way is a cell of
//! its own (`delay_n`): n arbitrary bits cannot be remembered in less. The text is short all the same, because a
//! delay is two halves. Every `pre` is behind a `->`; windows of nothing are false for O and S, true for H and T.

use super::Inexpressible;
use logic::{Binary, Bound, Fun, Unary};
use std::collections::BTreeSet;

/// The longest line of delay cells.
pub(super) const MAX_DELAY: u64 = 1 << 16;

/// The most stages with counters that replace a line of cells.
const MAX_STAGES: u64 = 8;

/// A node of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Piece {
    /// `Y`, or `Z`, whose value at the first step is true.
    Yesterday(bool),
    Window(Unary, Bound),
    Way(Binary, Bound),
    SinceInclusive,
    Later,
    Delay(u64),
    /// With real numbers or whole ones.
    Number(Fun, bool),
}

/// The nodes that are used, each behind those it uses itself.
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
        let name = self.need(Piece::Window(op, shape(bound)))?;
        Ok(match parameter(bound) {
            Some(n) => format!("{name}({n}, {p})"),
            None => format!("{name}({p})"),
        })
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
        let name = self.need(Piece::Way(op, shape(bound)))?;
        Ok(match parameter(bound) {
            Some(n) => format!("{name}({n}, {q}, {p})"),
            None => format!("{name}({q}, {p})"),
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
            Piece::Window(op, bound) => self.window_definition(op, bound)?,
            Piece::Way(op, bound) => self.way_definition(op, bound)?,
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

    fn window_definition(&mut self, op: Unary, bound: Bound) -> Result<Definition, Inexpressible> {
        let Bound { lo, hi } = bound;
        if op == Unary::Historically && bound != Bound::ALL {
            // The dual operator of the opposite.
            let dual = self.need(Piece::Window(Unary::Once, bound))?;
            let (meaning, inputs, arguments) = match is_parametric(bound) {
                true if lo == 0 => {
                    ("p held at all of the last n + 1 steps".into(), "const n: int; p: bool", "n, not p")
                }
                true => (
                    "p held at all steps that are n or more steps ago".into(),
                    "const n: int; p: bool",
                    "n, not p",
                ),
                false => (
                    format!("p held at all steps from {} to {lo} steps ago", hi.unwrap_or(lo)),
                    "p: bool",
                    "not p",
                ),
            };
            return Ok((meaning, inputs.into(), "", format!("holds = not {dual}({arguments});")));
        }
        Ok(match (lo, hi) {
            (0, None) if op == Unary::Historically => {
                ("p held at all steps so far".into(), "p: bool".into(), "", "holds = p and (true -> pre holds);".into())
            }
            (0, None) => {
                ("p held at some step so far".into(), "p: bool".into(), "", "holds = p or (false -> pre holds);".into())
            }
            (0, Some(_)) => (
                "p held at some of the last n + 1 steps; age counts the steps since then".into(),
                "const n: int; p: bool".into(),
                "age: int;",
                "age = if p then 0 else (n + 1 -> if pre age <= n then pre age + 1 else n + 1);\n  holds = age <= n;".into(),
            ),
            (_, None) => (
                "p held at some step that is n or more steps ago; count has the steps from the first p to now".into(),
                "const n: int; p: bool".into(),
                "count: int;",
                "count = (if p then 1 else 0) -> if pre count > n then pre count\n    \
                 else if p or pre count > 0 then pre count + 1 else 0;\n  holds = count > n;"
                    .into(),
            ),
            (lo, Some(hi)) => {
                let width = hi.saturating_sub(lo);
                let recent = match width {
                    0 => "p".to_string(),
                    width => {
                        let counter = self.need(Piece::Window(Unary::Once, shape(Bound::upto(width))))?;
                        format!("{counter}({width}, p)")
                    }
                };
                let delayed = self.delayed(recent, lo, width)?;
                (format!("p held at some step from {hi} to {lo} steps ago"), "p: bool".into(), "", format!("holds = {delayed};"))
            }
        })
    }

    fn way_definition(&mut self, op: Binary, bound: Bound) -> Result<Definition, Inexpressible> {
        let Bound { lo, hi } = bound;
        if op == Binary::Triggered {
            let dual = self.need(Piece::Way(Binary::Since, bound))?;
            let inputs = if is_parametric(bound) { "const n: int; q, p: bool" } else { "q, p: bool" };
            let arguments = if is_parametric(bound) { "n, not q, not p" } else { "not q, not p" };
            let meaning =
                format!("the dual of {dual}: q held all the time, or since a step with p and at it");
            return Ok((meaning, inputs.into(), "", format!("holds = not {dual}({arguments});")));
        }
        Ok(match (lo, hi) {
            (0, None) => (
                "q held at some step, and p at all steps since".into(),
                "q, p: bool".into(),
                "",
                "holds = q or (p and (false -> pre holds));".into(),
            ),
            (0, Some(_)) => (
                "q held at some of the last n + 1 steps, and p at all steps since; age counts them".into(),
                "const n: int; q, p: bool".into(),
                "age: int;",
                "age = if q then 0 else (n + 1 -> if p and pre age <= n then pre age + 1 else n + 1);\n  \
                 holds = age <= n;"
                    .into(),
            ),
            (_, None) => (
                "q held n or more steps ago, and p at all steps since; count has the steps from the first such q to now".into(),
                "const n: int; q, p: bool".into(),
                "count: int;",
                "count = (if q then 1 else 0) -> if p and pre count > 0 then (if pre count > n then pre count else pre count + 1)\n    \
                 else if q then 1 else 0;\n  holds = count > n;"
                    .into(),
            ),
            (lo, Some(hi)) => {
                let width = hi.saturating_sub(lo);
                let recent = match width {
                    0 => "q".to_string(),
                    width => format!("{}({width}, q, p)", self.need(Piece::Way(Binary::Since, shape(Bound::upto(width))))?),
                };
                let delayed = self.cells(&recent, lo)?;
                let stayed = match lo {
                    1 => "p".to_string(),
                    _ => format!("{}({}, p)", self.need(Piece::Window(Unary::Historically, shape(Bound::upto(lo - 1))))?, lo - 1),
                };
                let meaning = format!("q held at some step from {hi} to {lo} steps ago, and p at all steps since");
                (meaning, "q, p: bool".into(), "", format!("holds = {stayed} and {delayed};"))
            }
        })
    }

    /// What held so many steps ago. The text is true in runs longer than `width`.
    fn delayed(&mut self, text: String, steps: u64, width: u64) -> Result<String, Inexpressible> {
        let stage = width.saturating_add(2);
        let stages = steps.div_ceil(stage);
        if stages > MAX_STAGES || steps < 4 * stages {
            return self.cells(&text, steps);
        }
        let later = self.need(Piece::Later)?;
        let mut delayed = text;
        let mut rest = steps;
        while rest > 0 {
            let part = rest.min(stage);
            delayed = format!("{later}({part}, {delayed})");
            rest -= part;
        }
        Ok(delayed)
    }

    /// As [`delayed`](Self::delayed), for anything: a cell for each step.
    fn cells(&mut self, text: &str, steps: u64) -> Result<String, Inexpressible> {
        if steps > MAX_DELAY {
            return Err(Inexpressible::Delay { steps, limit: MAX_DELAY });
        }
        Ok(format!("{}({text})", self.need(Piece::Delay(steps))?))
    }
}

/// Meaning, inputs, local variables and equations.
type Definition = (String, String, &'static str, String);

/// Windows that differ only in a number share a node.
fn shape(bound: Bound) -> Bound {
    match bound {
        Bound { lo: 0, hi: Some(_) } => Bound::upto(0),
        Bound { lo: 1.., hi: None } => Bound::new(1, None),
        other => other,
    }
}

fn is_parametric(bound: Bound) -> bool {
    parameter(bound).is_some()
}

/// The number that a node with a shared window takes.
fn parameter(bound: Bound) -> Option<u64> {
    match bound {
        Bound { lo: 0, hi } => hi,
        Bound { lo, hi: None } => Some(lo),
        Bound { hi: Some(_), .. } => None,
    }
}

/// The name of a node.
fn name(piece: Piece) -> String {
    let windowed = |letter: &str, bound: Bound| match (bound.lo, bound.hi) {
        (0, None) => letter.to_string(),
        (0, Some(_)) => format!("{letter}T"),
        (_, None) => format!("{letter}L"),
        (lo, Some(hi)) => format!("{letter}_{lo}_{hi}"),
    };
    match piece {
        Piece::Yesterday(false) => "Y".into(),
        Piece::Yesterday(true) => "Z".into(),
        Piece::SinceInclusive => "SI".into(),
        Piece::Window(Unary::Historically | Unary::Globally, bound) => windowed("H", bound),
        Piece::Window(Unary::Once | Unary::Finally, bound) => windowed("O", bound),
        Piece::Way(Binary::Since | Binary::Until, bound) => windowed("S", bound),
        Piece::Way(Binary::Triggered | Binary::Release, bound) => windowed("T", bound),
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
