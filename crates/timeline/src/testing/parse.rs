//! Parsing expressions: from text back to a timeline.
//!
//! Grammar: `union = sequence {"+" sequence}`, `sequence = item {[";"] item}`, `item = primary {"*" | "^ω" | "^w"}`,
//! `primary = "(" [union] ")" | "[" condition "]" | "ε" | "∅"`; a condition has `!`, `&`, `|`, `->`, `<->`, `true`, `false`, names,
//! and the atoms that are known already, as they are printed. Errors say where. Nesting is limited, so no text is too deep.

use crate::expression::{Expr, Expressions};
use logic::{Id, SHALL, Store};
use omega::Guard;
use std::fmt;
use std::ops::Range;

/// The maximum nesting depth of a text.
const DEPTH: u32 = 200;

/// The maximum length of a text.
const LONGEST: usize = 1 << 20;

/// An error and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The position, in bytes.
    pub place: Range<usize>,
    /// What is wrong.
    pub message: &'static str,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.message, self.place.start)
    }
}

impl std::error::Error for ParseError {}

/// Parses an expression. Names that are not among the atoms become Boolean variables and new atoms.
pub fn parse(
    store: &mut Store,
    arena: &mut Expressions,
    atoms: &mut Vec<Id>,
    text: &str,
) -> Result<Expr, ParseError> {
    if text.len() > LONGEST {
        return Err(ParseError { place: 0..0, message: "the text is too long" });
    }
    let mut known: Vec<(String, u32)> = Vec::new();
    for (number, &atom) in atoms.iter().enumerate() {
        if let Ok(spelling) = logic::print(store, atom, &SHALL) {
            known.push((spelling, number as u32));
        }
    }
    known.sort_by_key(|(spelling, number)| (std::cmp::Reverse(spelling.len()), *number));
    let mut parser = Parser { store, arena, atoms, known, text, at: 0 };
    let expr = parser.union(0)?;
    parser.space();
    if parser.at < text.len() { parser.fail("an operator or the end was expected here") } else { Ok(expr) }
}

struct Parser<'a> {
    store: &'a mut Store,
    arena: &'a mut Expressions,
    atoms: &'a mut Vec<Id>,
    known: Vec<(String, u32)>,
    text: &'a str,
    at: usize,
}

type Parsed<T> = Result<T, ParseError>;

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn fail<T>(&self, message: &'static str) -> Parsed<T> {
        let end = self.rest().chars().next().map_or(self.at, |c| self.at + c.len_utf8());
        Err(ParseError { place: self.at..end, message })
    }

    fn wrong<T>(&self, start: usize, message: &'static str) -> Parsed<T> {
        Err(ParseError { place: start..self.at, message })
    }

    fn deeper(&self, depth: u32) -> Parsed<u32> {
        if depth >= DEPTH { self.fail("this is nested too deeply") } else { Ok(depth + 1) }
    }

    fn union(&mut self, depth: u32) -> Parsed<Expr> {
        let depth = self.deeper(depth)?;
        self.space();
        let start = self.at;
        let mut parts = vec![self.sequence(depth)?];
        while self.eat("+") {
            parts.push(self.sequence(depth)?);
        }
        let mut sorts =
            parts.iter().filter(|&&part| part != Expr::EMPTY).map(|&part| self.arena.infinite(part));
        let first = sorts.next();
        if sorts.any(|sort| Some(sort) != first) {
            return self.wrong(start, "finite and infinite ways cannot be mixed in a choice");
        }
        Ok(self.arena.union(parts))
    }

    fn sequence(&mut self, depth: u32) -> Parsed<Expr> {
        self.space();
        let start = self.at;
        let mut parts = vec![self.item(depth)?];
        loop {
            let semicolon = self.eat(";");
            self.space();
            let more = self.rest().starts_with(['(', '[', 'ε', '∅']);
            if !more && semicolon {
                return self.fail("a step was expected after `;`");
            }
            if !more {
                return Ok(self.arena.sequence(parts));
            }
            if parts.last().is_some_and(|&last| self.arena.infinite(last)) {
                return self.wrong(start, "nothing comes after for ever");
            }
            parts.push(self.item(depth)?);
        }
    }

    fn item(&mut self, depth: u32) -> Parsed<Expr> {
        self.space();
        let start = self.at;
        let mut expr = self.primary(depth)?;
        loop {
            let star = self.eat("*");
            let forever = !star && (self.eat("^ω") || self.eat("^w"));
            if (star || forever) && self.arena.infinite(expr) {
                return self.wrong(start, "what goes on for ever cannot be repeated");
            }
            match (star, forever) {
                (true, _) => expr = self.arena.star(expr),
                (_, true) => expr = self.arena.omega(expr),
                _ => return Ok(expr),
            }
        }
    }

    fn primary(&mut self, depth: u32) -> Parsed<Expr> {
        if self.eat("ε") {
            return Ok(Expr::EPSILON);
        }
        if self.eat("∅") {
            return Ok(Expr::EMPTY);
        }
        if self.eat("(") {
            if self.eat(")") {
                return Ok(Expr::EPSILON);
            }
            let inner = self.union(depth)?;
            return if self.eat(")") { Ok(inner) } else { self.fail("`)` was expected here") };
        }
        if self.eat("[") {
            let guard = self.condition(depth, 0)?;
            if !self.eat("]") {
                return self.fail("`]` was expected here");
            }
            return Ok(self.arena.step(guard));
        }
        self.fail("a step in brackets or a group in parentheses was expected here")
    }

    /// A condition whose operators bind at least as tightly as `level`: 0 for `<->`, 1 for `->`, 2 for `|`, 3 for `&`.
    fn condition(&mut self, depth: u32, level: u32) -> Parsed<Guard> {
        let depth = self.deeper(depth)?;
        if level == 4 {
            return self.literal(depth);
        }
        let mut left = self.condition(depth, level + 1)?;
        let token = ["<->", "->", "|", "&"][level as usize];
        while self.eat(token) {
            // Implication is right-associative.
            let right = self.condition(depth, if level == 1 { 1 } else { level + 1 })?;
            let guards = &mut self.arena.guards;
            left = match level {
                0 => guards.iff(left, right),
                1 => guards.choose(left, right, Guard::TRUE),
                2 => guards.or(left, right),
                _ => guards.and(left, right),
            };
        }
        Ok(left)
    }

    fn literal(&mut self, depth: u32) -> Parsed<Guard> {
        let mut negated = false;
        while self.eat("!") {
            negated = !negated;
        }
        let guard = self.atom(depth)?;
        Ok(if negated { self.arena.guards.not(guard) } else { guard })
    }

    fn atom(&mut self, depth: u32) -> Parsed<Guard> {
        self.space();
        let rest = self.rest();
        let ends = |length: usize| {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            !(rest[..length].ends_with(word) && rest[length..].starts_with(word))
        };
        for (word, guard) in [("true", Guard::TRUE), ("false", Guard::FALSE)] {
            if rest.starts_with(word) && ends(word.len()) {
                self.at += word.len();
                return Ok(guard);
            }
        }
        let known = self
            .known
            .iter()
            .find(|(spelling, _)| rest.starts_with(spelling.as_str()) && ends(spelling.len()));
        if let Some(&(ref spelling, number)) = known {
            self.at += spelling.len();
            return Ok(self.arena.guards.variable(number));
        }
        if self.eat("(") {
            let inner = self.condition(depth, 0)?;
            return if self.eat(")") { Ok(inner) } else { self.fail("`)` was expected here") };
        }
        let name = self.name()?;
        let symbol = self.store.symbol(&name);
        let atom = self.store.var(symbol).id();
        let number = match self.atoms.iter().position(|&other| other == atom) {
            Some(number) => number,
            None => {
                self.atoms.push(atom);
                self.atoms.len() - 1
            }
        };
        Ok(self.arena.guards.variable(number as u32))
    }

    fn name(&mut self) -> Parsed<String> {
        if self.eat("\"") {
            let mut name = String::new();
            let mut chars = self.rest().char_indices();
            while let Some((k, c)) = chars.next() {
                match c {
                    '"' => {
                        self.at += k + 1;
                        return Ok(name);
                    }
                    '\\' => name.extend(chars.next().map(|(_, c)| c)),
                    c => name.push(c),
                }
            }
            return self.fail("the quotation mark is not closed");
        }
        let rest = self.rest();
        let length =
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        if length == 0 || rest.starts_with(|c: char| c.is_numeric() || c == '.') {
            return self.fail("a name was expected here");
        }
        let name = rest[..length].to_owned();
        self.at += length;
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::text::{Script, print};
    use crate::testing::{World, small_expressions};

    #[test]
    fn what_is_printed_is_read_back() {
        let mut store = Store::default();
        let symbol = store.symbol("a b");
        let mut atoms = vec![store.var(symbol).id()];
        let (mut arena, finite, infinite) = small_expressions();
        for expr in finite.into_iter().chain(infinite).step_by(3) {
            for script in [Script::Unicode, Script::Ascii] {
                let text = print(&mut store, &mut arena, &atoms, expr, script).expect("a short text");
                assert_eq!(parse(&mut store, &mut arena, &mut atoms, &text), Ok(expr), "{text}");
            }
        }
    }

    #[test]
    fn readings() {
        for (text, expected) in [
            ("[a];[b] ; [c]^w", "[a] [b] [c]^ω"),
            ("([a] + [b]) [c]", "[a | b] [c]"),
            ("[a & !b | c -> d]", "[d | !(a & !b | c)]"),
            ("() + [a]", "ε + [a]"),
            ("[false]", "∅"),
            ("[true]**", "[true]*"),
            ("[!(a & b & c)]", "[!a | !b | !c]"),
            ("[a <-> b]", "[a & b | !a & !b]"),
        ] {
            let mut world = World::new();
            let expr = world.read(text);
            let again = world.read(expected);
            assert_eq!(expr, again, "{text} is {}", world.show(expr));
        }
    }

    #[test]
    fn errors_say_where() {
        let deep = "(".repeat(100_000);
        for (text, expected) in [
            ("", "a step in brackets or a group in parentheses was expected here at 0"),
            ("[a", "`]` was expected here at 2"),
            ("([a]", "`)` was expected here at 4"),
            ("[a]^ω [b]", "nothing comes after for ever at 0"),
            ("[b] ([a]^ω)*", "what goes on for ever cannot be repeated at 4"),
            ("[a] + [b]^ω", "finite and infinite ways cannot be mixed in a choice at 0"),
            ("[a &]", "a name was expected here at 4"),
            ("[a] )", "an operator or the end was expected here at 4"),
            ("[a];", "a step was expected after `;` at 4"),
            ("[\"a]", "the quotation mark is not closed at 2"),
            (&deep, "this is nested too deeply at 200"),
        ] {
            let mut world = World::new();
            let World { store, arena, atoms } = &mut world;
            let error = parse(store, arena, atoms, text).expect_err("an error");
            assert_eq!(error.to_string(), expected, "{}", &text[..text.len().min(20)]);
        }
    }

    /// No text makes the parser panic.
    #[test]
    fn noise() {
        let pieces = [
            "[", "]", "(", ")", "a", "!", "&", "|", "->", "<->", "+", "*", "^ω", "^w", "ε", "∅", ";", "\"",
            " ", "é", "1",
        ];
        let mut rng = base::Random::new(1);
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                text.push_str(rng.pick(&pieces));
            }
            let mut world = World::new();
            let World { store, arena, atoms } = &mut world;
            let _ = parse(store, arena, atoms, &text);
        }
    }
}
