//! The printer: one engine for every dialect.
//!
//! A node becomes a list of pieces, texts and children; a stack of pieces replaces recursion. Each node has a `Level`, each position
//! requires one, and parentheses are added where the node binds less tightly. An operator that the dialect lacks is rejected by name:
//! never dropped, never printed as something else.

pub mod adapt;
pub mod dialect;
pub mod names;

use crate::number::format_decimal;
use crate::print::dialect::{Atoms, Bounds, Choice, Dialect, SHALL};
use crate::print::names::{quote, spellings};
use crate::store::{Arith, Binary, Bound, Formula, Id, Node, Numeral, Store, Symbol, Term, Unary};
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt;

pub use adapt::adapt;

/// The maximum length of a text: a formula with much sharing can exceed any memory.
const MAX_TEXT: usize = 1 << 28;

/// An operator that a dialect cannot express.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The dialect.
    pub dialect: &'static str,
    /// The operator.
    pub operator: &'static str,
    /// Why it cannot be expressed.
    pub reason: &'static str,
}

type Result<T, E = Unsupported> = std::result::Result<T, E>;

/// The text of a formula or term.
pub fn print(store: &Store, f: impl Into<Id>, dialect: &Dialect) -> Result<String, Unsupported> {
    let root = f.into();
    print_with(store, root, dialect, &spellings(store, [root], dialect))
}

/// The text of a formula or term with given spellings of its names, as
/// [`rename_all`](crate::rename_all) finds them for a whole document.
pub fn print_with(
    store: &Store,
    f: impl Into<Id>,
    dialect: &Dialect,
    names: &[(Symbol, String)],
) -> Result<String, Unsupported> {
    let names = names.iter().map(|(symbol, name)| (*symbol, name.as_str())).collect();
    let printer = Printer { store, dialect, names };
    let mut text = String::new();
    let mut stack = vec![Piece::Child(f.into(), Level::Way)];
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(&piece),
            Piece::Child(id, asked) => {
                // The pieces are laid out on the stack itself and then reversed: the first must be popped first.
                let start = stack.len();
                let level = printer.layout(id, &mut stack)?;
                if level < asked {
                    text.push('(');
                    stack.push(")".into());
                }
                stack[start..].reverse();
            }
        }
        if text.len() > MAX_TEXT {
            return printer.refuse("this formula", "its text would be too long");
        }
    }
    Ok(text)
}

/// How tightly a node binds, from loose to tight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// U, R, S, T: in parentheses whenever they are operands.
    Way,
    Iff,
    Implies,
    Or,
    And,
    Comparison,
    Window,
    Not,
    /// A sign: in parentheses whenever it is an operand of arithmetic.
    Sign,
    Sum,
    Product,
    Power,
    Atom,
}

#[derive(Clone)]
enum Piece<'a> {
    Text(Cow<'a, str>),
    Child(Id, Level),
}

impl<'a> From<&'a str> for Piece<'a> {
    fn from(text: &'a str) -> Piece<'a> {
        Piece::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Piece<'_> {
    fn from(text: String) -> Self {
        Piece::Text(Cow::Owned(text))
    }
}

struct Printer<'a> {
    store: &'a Store,
    dialect: &'a Dialect,
    names: FxHashMap<Symbol, &'a str>,
}

impl<'a> Printer<'a> {
    fn layout(&self, id: Id, out: &mut Vec<Piece<'a>>) -> Result<Level> {
        let d = self.dialect;
        match self.store.node(id) {
            Node::True => self.text(out, d.constants[1]),
            Node::False => self.text(out, d.constants[0]),
            Node::Var(symbol) | Node::Value(symbol) => self.text(out, self.name(*symbol)),
            Node::Hole(_) => self.refuse("a hole", "it must be filled in before"),
            Node::Call(..) | Node::Rel(..) if d.atoms == Atoms::Quoted => {
                self.check_state(id)?;
                self.text(out, quote(&print(self.store, id, &SHALL)?))
            }
            Node::Call(symbol, arguments) => {
                self.check_state(id)?;
                self.function(out, self.name(*symbol), arguments.iter().copied())
            }
            Node::Not(f) => {
                out.extend([d.not.into(), Piece::Child(f.id(), Level::Window)]);
                Ok(Level::Not)
            }
            Node::And(operands) => {
                self.infix(out, operands.iter().map(|f| f.id()), d.and, Level::And, Level::Comparison)
            }
            Node::Or(operands) => {
                self.infix(out, operands.iter().map(|f| f.id()), d.or, Level::Or, Level::And)
            }
            Node::Xor(a, b) => self.infix(out, [a.id(), b.id()], d.xor, Level::Or, Level::And),
            Node::Implies(a, b) => self.infix(out, [a.id(), b.id()], d.implies, Level::Implies, Level::Or),
            Node::Iff(a, b) => self.infix(out, [a.id(), b.id()], d.iff, Level::Iff, Level::Or),
            Node::Rel(rel, a, b) => {
                self.check_state(id)?;
                self.infix(out, [a.id(), b.id()], d.relations[*rel as usize], Level::Comparison, Level::Sign)
            }
            Node::Unary(op, bound, f) => self.window(out, *op, *bound, *f),
            Node::Binary(op, bound, a, b) => {
                let operator = self.way(*op, *bound)?;
                self.infix(out, [a.id(), b.id()], operator, Level::Way, Level::Not)
            }
            Node::Num(value, numeral) => {
                let (text, level) = self.number(value, *numeral);
                out.push(text.into());
                Ok(level)
            }
            Node::Neg(t) => {
                out.extend(["-".into(), Piece::Child(t.id(), Level::Atom)]);
                Ok(Level::Sign)
            }
            Node::Arith(op, a, b) => self.arithmetic(out, *op, *a, *b),
            Node::Fun(fun, arguments) => {
                let name = d.functions[*fun as usize];
                match arguments.split_last() {
                    Some((last, first)) if d.two_arguments && first.len() > 1 => {
                        for t in &first[..first.len() - 1] {
                            out.extend([
                                name.into(),
                                "(".into(),
                                Piece::Child(t.id(), Level::Way),
                                ", ".into(),
                            ]);
                        }
                        self.function(out, name, [first[first.len() - 1].id(), last.id()])?;
                        self.text(out, ")".repeat(first.len() - 1))
                    }
                    Some(_) | None => self.function(out, name, arguments.iter().map(|t| t.id())),
                }
            }
            Node::Ite(c, a, b) => match d.choice {
                Choice::Call(name) => self.function(out, name, [c.id(), a.id(), b.id()]),
                Choice::Question => {
                    out.extend(["(".into(), Piece::Child(c.id(), Level::Or), " ? ".into()]);
                    out.extend([Piece::Child(a.id(), Level::Sign), " : ".into()]);
                    out.extend([Piece::Child(b.id(), Level::Sign), ")".into()]);
                    Ok(Level::Atom)
                }
            },
            Node::Pre(initial, t) => match d.pre {
                Some(name) => self.function(out, name, [initial.id(), t.id()]),
                None => self.refuse("pre", "the previous value of a term cannot be written there"),
            },
            // Booleans as values do not nest, so this is only one level.
            Node::Bool(f) => self.layout(f.id(), out),
        }
    }

    fn text(&self, out: &mut Vec<Piece<'a>>, text: impl Into<Piece<'a>>) -> Result<Level> {
        out.push(text.into());
        Ok(Level::Atom)
    }

    fn name(&self, symbol: Symbol) -> &'a str {
        self.names.get(&symbol).copied().unwrap_or_else(|| self.store.name(symbol))
    }

    fn infix(
        &self,
        out: &mut Vec<Piece<'a>>,
        operands: impl IntoIterator<Item = Id>,
        operator: impl Into<Piece<'a>>,
        level: Level,
        asked: Level,
    ) -> Result<Level> {
        let operator = operator.into();
        for (i, operand) in operands.into_iter().enumerate() {
            if i > 0 {
                out.extend([" ".into(), operator.clone(), " ".into()]);
            }
            out.push(Piece::Child(operand, asked));
        }
        Ok(level)
    }

    fn function(
        &self,
        out: &mut Vec<Piece<'a>>,
        name: &'a str,
        arguments: impl IntoIterator<Item = Id>,
    ) -> Result<Level> {
        out.extend([name.into(), "(".into()]);
        for (i, argument) in arguments.into_iter().enumerate() {
            if i > 0 {
                out.push(", ".into());
            }
            out.push(Piece::Child(argument, Level::Way));
        }
        self.text(out, ")")
    }

    fn arithmetic(&self, out: &mut Vec<Piece<'a>>, op: Arith, a: Term, b: Term) -> Result<Level> {
        let Some(operator) = self.dialect.arithmetic[op as usize] else {
            return self.refuse("power", "there is no such operator");
        };
        let (level, left, right) = match op {
            Arith::Add | Arith::Sub => (Level::Sum, Level::Sum, Level::Product),
            Arith::Mul | Arith::Div | Arith::Mod => (Level::Product, Level::Product, Level::Power),
            Arith::Pow => {
                let end = self.dialect.exponent_end;
                let asked = if end.is_empty() { Level::Atom } else { Level::Way };
                out.extend([
                    Piece::Child(a.id(), Level::Atom),
                    operator.into(),
                    Piece::Child(b.id(), asked),
                    end.into(),
                ]);
                return Ok(Level::Power);
            }
        };
        out.extend([
            Piece::Child(a.id(), left),
            " ".into(),
            operator.into(),
            " ".into(),
            Piece::Child(b.id(), right),
        ]);
        Ok(level)
    }

    fn number(&self, value: &RBig, numeral: Numeral) -> (String, Level) {
        let zero = RBig::ZERO;
        let sign = if *value < zero { "-" } else { "" };
        let level = if *value < zero { Level::Sign } else { Level::Atom };
        match format_decimal(value) {
            Some(text) if numeral == Numeral::Real && !text.contains('.') => (format!("{text}.0"), level),
            Some(text) => (text, level),
            None => {
                let [before, between] = self.dialect.fraction;
                let magnitude = if *value < zero { -value.clone() } else { value.clone() };
                let (numerator, denominator) = magnitude.into_parts();
                // Without a notation of its own, a fraction is a division.
                let level = if before.is_empty() { level.min(Level::Product) } else { level };
                (format!("{sign}{before}{numerator}{between}{denominator}"), level)
            }
        }
    }

    fn window(&self, out: &mut Vec<Piece<'a>>, op: Unary, bound: Bound, f: Formula) -> Result<Level> {
        let d = self.dialect;
        let first_point = op == Unary::Historically && bound == Bound::NEXT && f == self.store.bottom();
        if let (true, Some(text)) = (first_point, d.first_point) {
            return self.text(out, text);
        }
        let (name, step_name) = match op {
            Unary::Finally => ("finally", "next"),
            Unary::Globally => ("globally", "weak next"),
            Unary::Once => ("once", "yesterday"),
            Unary::Historically => ("historically", "weak yesterday"),
        };
        let Some(spelling) = d.windows[op as usize] else {
            let name = if bound == Bound::NEXT { step_name } else { name };
            return self.refuse(name, "it has no past operators");
        };
        let symbol = spelling.symbol;
        let text: Piece = if bound == Bound::ALL {
            symbol.into()
        } else if bound == Bound::NEXT {
            match spelling.step {
                Some(step) => step.into(),
                None => return self.refuse(step_name, "its traces do not end, and there weak next is next"),
            }
        } else if let Some(bounds) = self.bounds(bound) {
            format!("{symbol}{bounds}").into()
        } else {
            // An unbounded window that begins later: F[2,∞) is F[2,2] F.
            let start = Bound::exactly(bound.lo);
            let step = spelling.step.filter(|_| start == Bound::NEXT).map(str::to_owned);
            let step = step.unwrap_or_else(|| format!("{symbol}{}", self.bounds(start).unwrap_or_default()));
            format!("{step} {symbol}").into()
        };
        out.extend([text, " ".into(), Piece::Child(f.id(), Level::Window)]);
        Ok(Level::Window)
    }

    fn way(&self, op: Binary, bound: Bound) -> Result<Piece<'a>> {
        let (name, bounded_name) = match op {
            Binary::Until => ("until", "until with bounds"),
            Binary::Release => ("release", "release with bounds"),
            Binary::Since => ("since", "since with bounds"),
            Binary::Triggered => ("triggered", "triggered with bounds"),
        };
        let Some(symbol) = self.dialect.ways[op as usize] else {
            return self.refuse(name, "it has no past operators");
        };
        if bound == Bound::ALL {
            return Ok(symbol.into());
        }
        match self.bounds(bound).filter(|_| self.dialect.bounded_ways) {
            Some(bounds) => Ok(format!("{symbol}{bounds}").into()),
            None => {
                self.refuse(bounded_name, "only operators over a window have bounds; adapt the formula first")
            }
        }
    }

    fn bounds(&self, Bound { lo, hi }: Bound) -> Option<String> {
        match (self.dialect.bounds, hi) {
            (Bounds::Short, None) => Some(format!("[>={lo}]")),
            (Bounds::Short, Some(hi)) if lo == hi => Some(format!("[={lo}]")),
            (Bounds::Short, Some(hi)) if lo == 0 => Some(format!("[<={hi}]")),
            (Bounds::Short, Some(hi)) => Some(format!("[{lo},{hi}]")),
            (Bounds::Interval { open, endless, .. }, None) => endless.map(|end| format!("{open}{lo}{end}")),
            (Bounds::Interval { open, between, close, .. }, Some(hi)) => {
                Some(format!("{open}{lo}{between}{hi}{close}"))
            }
        }
    }

    /// Rejects temporal operators below a comparison or a call where the dialect requires states there.
    fn check_state(&self, id: Id) -> Result<()> {
        let temporal = |id: Id| matches!(self.store.node(id), Node::Unary(..) | Node::Binary(..));
        match self.dialect.atoms {
            Atoms::States | Atoms::Quoted if self.store.reachable([id]).into_iter().any(temporal) => {
                self.refuse("a temporal operator in a term", "comparisons and calls are about one state")
            }
            Atoms::Full | Atoms::States | Atoms::Quoted => Ok(()),
        }
    }

    fn refuse<T>(&self, operator: &'static str, reason: &'static str) -> Result<T> {
        Err(Unsupported { dialect: self.dialect.name, operator, reason })
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot express {}: {}", self.dialect, self.operator, self.reason)
    }
}

impl std::error::Error for Unsupported {}

#[cfg(test)]
mod tests;
