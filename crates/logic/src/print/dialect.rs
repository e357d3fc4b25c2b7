//! One table of spellings per dialect, which `print` uses.
//!
//! A dialect defines the spelling of each operator; `None` means that it has no such operator. Precedence is not in the table: the
//! printer adds the parentheses that every dialect needs or any reader would want.

use crate::print::names::is_plain_in_shall;
use crate::print::names::is_plain_in_smv;
use crate::print::names::is_plain_in_spot;

/// The notation of one target language.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// The name of the dialect, for messages and options.
    pub name: &'static str,
    /// False and true.
    pub constants: [&'static str; 2],
    /// `H[1,1] false`: the first position.
    pub first_point: Option<&'static str>,
    /// Negation, with a trailing space where one is needed.
    pub not: &'static str,
    /// Conjunction.
    pub and: &'static str,
    /// Disjunction.
    pub or: &'static str,
    /// Exclusive or.
    pub xor: &'static str,
    /// Implication.
    pub implies: &'static str,
    /// Equivalence.
    pub iff: &'static str,
    /// F, G, O, H, in the order of [`Unary`](crate::Unary), each with its single step X, N, Y, Z.
    pub windows: [Option<Window>; 4],
    /// U, R, S, T, in the order of [`Binary`](crate::Binary).
    pub ways: [Option<&'static str>; 4],
    /// Whether U, R, S, T can have bounds.
    pub bounded_ways: bool,
    /// How bounds are written.
    pub bounds: Bounds,
    /// `<`, `<=`, `>`, `>=`, `=`, `!=`, in the order of [`Rel`](crate::Rel).
    pub relations: [&'static str; 6],
    /// `+`, `-`, `*`, `/`, `mod`, `^`, in the order of [`Arith`](crate::Arith).
    pub arithmetic: [Option<&'static str>; 6],
    /// The text after an exponent, where it is enclosed.
    pub exponent_end: &'static str,
    /// `abs`, `min`, `max`, in the order of [`Fun`](crate::Fun).
    pub functions: [&'static str; 3],
    /// Whether `min` and `max` take only two arguments, so that more are nested.
    pub two_arguments: bool,
    /// Choice between two terms.
    pub choice: Choice,
    /// The function of the previous value.
    pub pre: Option<&'static str>,
    /// The texts before and between the parts of a fraction whose decimals never end.
    pub fraction: [&'static str; 2],
    /// How names are written.
    pub names: Names,
    /// Comparisons and calls.
    pub atoms: Atoms,
}

/// The spelling of an operator over a window.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The operator.
    pub symbol: &'static str,
    /// The operator with the window `[1,1]`.
    pub step: Option<&'static str>,
}

const fn with_step(symbol: &'static str, step: &'static str) -> Option<Window> {
    Some(Window { symbol, step: Some(step) })
}

const fn without_step(symbol: &'static str) -> Option<Window> {
    Some(Window { symbol, step: None })
}

/// How the bounds of a window are written.
#[derive(Clone, Copy, Debug)]
pub enum Bounds {
    /// `[<=3]`, `[=3]`, `[2,5]`, `[>=2]`.
    Short,
    /// Always both ends.
    Interval {
        /// The text before the lower end.
        open: &'static str,
        /// The text between the ends.
        between: &'static str,
        /// The text after the upper end.
        close: &'static str,
        /// The text after the lower end if there is no upper end; `None` if this cannot be written.
        endless: Option<&'static str>,
    },
}

/// How a choice between two terms is written.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// A function of three arguments.
    Call(&'static str),
    /// `(c ? a : b)`.
    Question,
}

/// How names are written. The functions return whether a name can be written as it is.
#[derive(Clone, Copy, Debug)]
pub enum Names {
    /// Other names are put in double quotes.
    Quoted(fn(&str) -> bool),
    /// Other names are replaced with unused names.
    Renamed(fn(&str) -> bool),
    /// All names are LaTeX text.
    Latex,
}

/// How comparisons and calls are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atoms {
    /// In full; anything may be below them.
    Full,
    /// In full; temporal operators cannot be below them.
    States,
    /// In double quotes, as text of the `SHALL` dialect; temporal operators cannot be below them.
    Quoted,
}

/// The native notation.
pub const SHALL: Dialect = Dialect {
    name: "shall",
    constants: ["false", "true"],
    first_point: Some("FTP"),
    not: "!",
    and: "&",
    or: "|",
    xor: "xor",
    implies: "->",
    iff: "<->",
    windows: [with_step("F", "X"), with_step("G", "N"), with_step("O", "Y"), with_step("H", "Z")],
    ways: [Some("U"), Some("R"), Some("S"), Some("T")],
    bounded_ways: true,
    bounds: Bounds::Short,
    relations: ["<", "<=", ">", ">=", "=", "!="],
    arithmetic: [Some("+"), Some("-"), Some("*"), Some("/"), Some("mod"), Some(" ^ ")],
    exponent_end: "",
    functions: ["abs", "min", "max"],
    two_arguments: false,
    choice: Choice::Call("ite"),
    pre: Some("pre"),
    fraction: ["", " / "],
    names: Names::Quoted(is_plain_in_shall),
    atoms: Atoms::Full,
};

/// NuSMV and nuXmv: traces are infinite, so there is no weak next; bounds only on F, G, O, H.
pub const SMV: Dialect = Dialect {
    name: "smv",
    constants: ["FALSE", "TRUE"],
    first_point: None,
    windows: [with_step("F", "X"), without_step("G"), with_step("O", "Y"), with_step("H", "Z")],
    ways: [Some("U"), Some("V"), Some("S"), Some("T")],
    bounded_ways: false,
    bounds: Bounds::Interval { open: " [", between: ",", close: "]", endless: None },
    arithmetic: [Some("+"), Some("-"), Some("*"), Some("/"), Some("mod"), None],
    two_arguments: true,
    choice: Choice::Question,
    pre: None,
    fraction: ["f'", "/"],
    names: Names::Renamed(is_plain_in_smv),
    atoms: Atoms::States,
    ..SHALL
};

/// Spot: only future operators, and everything that is not Boolean is a quoted atom.
pub const SPOT: Dialect = Dialect {
    name: "spot",
    constants: ["0", "1"],
    first_point: None,
    windows: [with_step("F", "X"), without_step("G"), None, None],
    ways: [Some("U"), Some("R"), None, None],
    bounded_ways: false,
    bounds: Bounds::Interval { open: "[", between: ":", close: "]", endless: None },
    names: Names::Quoted(is_plain_in_spot),
    atoms: Atoms::Quoted,
    ..SHALL
};

/// Mathematical symbols, for readers.
pub const UNICODE: Dialect = Dialect {
    name: "unicode",
    constants: ["⊥", "⊤"],
    not: "¬",
    and: "∧",
    or: "∨",
    xor: "⊕",
    implies: "→",
    iff: "↔",
    windows: [with_step("◇", "○"), with_step("□", "N"), with_step("◆", "●"), with_step("■", "Z")],
    bounds: Bounds::Interval { open: "[", between: ",", close: "]", endless: Some(",∞)") },
    relations: ["<", "≤", ">", "≥", "=", "≠"],
    arithmetic: [Some("+"), Some("-"), Some("·"), Some("/"), Some("mod"), Some(" ^ ")],
    ..SHALL
};

/// LaTeX, for math mode.
pub const LATEX: Dialect = Dialect {
    name: "latex",
    constants: ["\\bot", "\\top"],
    first_point: Some("\\mathrm{FTP}"),
    not: "\\neg ",
    and: "\\land",
    or: "\\lor",
    xor: "\\oplus",
    implies: "\\rightarrow",
    iff: "\\leftrightarrow",
    windows: [
        with_step("\\mathbf{F}", "\\mathbf{X}"),
        with_step("\\mathbf{G}", "\\mathbf{N}"),
        with_step("\\mathbf{O}", "\\mathbf{Y}"),
        with_step("\\mathbf{H}", "\\mathbf{Z}"),
    ],
    ways: [Some("\\mathbf{U}"), Some("\\mathbf{R}"), Some("\\mathbf{S}"), Some("\\mathbf{T}")],
    bounds: Bounds::Interval { open: "_{[", between: ",", close: "]}", endless: Some(",\\infty)}") },
    relations: ["<", "\\le", ">", "\\ge", "=", "\\ne"],
    arithmetic: [Some("+"), Some("-"), Some("\\cdot"), Some("/"), Some("\\bmod"), Some("^{")],
    exponent_end: "}",
    functions: ["\\mathrm{abs}", "\\mathrm{min}", "\\mathrm{max}"],
    choice: Choice::Call("\\mathrm{ite}"),
    pre: Some("\\mathrm{pre}"),
    names: Names::Latex,
    ..SHALL
};

/// Every dialect of this crate.
pub const DIALECTS: &[&Dialect] = &[&SHALL, &SMV, &SPOT, &UNICODE, &LATEX];

impl Dialect {
    /// Whether a name can be written as it is.
    pub fn is_plain(&self, name: &str) -> bool {
        match self.names {
            Names::Quoted(plain) | Names::Renamed(plain) => plain(name),
            Names::Latex => base::names::is_identifier(name, ""),
        }
    }
}
