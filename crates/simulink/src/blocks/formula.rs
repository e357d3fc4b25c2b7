//! Expressions inside blocks: those of `Fcn` and the conditions of `If`, read and lowered in one go.
//!
//! One grammar serves both: numbers, inputs (`u`, `u(2)`, `u[2]`, `u2`), functions, `^`, signs, `* /`, `+ -`, comparisons, `!`/`~`, and
//! `&`/`&&`, `|`/`||`. Truth values count as 1 and 0 where numbers are wanted. Nesting is limited.

use super::functions::{of_one, of_two, power};
use super::logic::relation;
use super::{Definition, ELEMENTWISE, Instance, Lowering};
use crate::lower::Work;
use crate::plan::{Fault, Outcome};
use model::Expr;

/// How deep brackets may be nested.
const MAX_DEPTH: usize = 100;

pub(super) const FCN: Definition = Definition {
    shapes: |case| case.one(case.floating(), Some(vec![1])),
    lowering: Lowering::One(|work, block| {
        let value = Reader::new(work, block, block.word("Expr"), false)?.whole()?;
        Ok(vec![work.real_of(value)])
    }),
    ..ELEMENTWISE
};

/// A condition over `u1`, `u2` and so on.
pub(super) fn condition(work: &mut Work, block: &Instance, text: &str) -> Outcome<Expr> {
    let value = Reader::new(work, block, text, true)?.whole()?;
    Ok(work.truth_of(value))
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Number(f64),
    Name(String),
    Sign(&'static str),
}

const SIGNS: [&str; 24] = [
    "==", "~=", "!=", "<=", ">=", "&&", "||", ".*", "./", ".^", "<", ">", "&", "|", "!", "~", "+", "-", "*",
    "/", "^", "(", ")", ",",
];

fn tokens(text: &str) -> Outcome<Vec<Token>> {
    let mut all = Vec::new();
    let mut rest = text.trim_start();
    while let Some(letter) = rest.chars().next() {
        let is_number = |it: &str| it.starts_with(|c: char| c.is_ascii_digit());
        let token = if is_number(rest) || rest.strip_prefix('.').is_some_and(is_number) {
            let end = number_end(rest);
            let number =
                rest[..end].parse().map_err(|_| Fault::new(format!("`{}` is no number", &rest[..end])))?;
            rest = &rest[end..];
            Token::Number(number)
        } else if letter.is_ascii_alphabetic() || letter == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let name = rest[..end].to_owned();
            rest = &rest[end..];
            Token::Name(name)
        } else if letter == '[' || letter == ']' {
            rest = &rest[1..];
            Token::Sign(if letter == '[' { "(" } else { ")" })
        } else if let Some(sign) = SIGNS.iter().find(|it| rest.starts_with(**it)) {
            rest = &rest[sign.len()..];
            Token::Sign(sign.strip_prefix('.').unwrap_or(sign))
        } else {
            return Err(Fault::new(format!(
                "its expression has the character `{letter}`, which is not known"
            )));
        };
        all.push(token);
        rest = rest.trim_start();
    }
    Ok(all)
}

/// Where a number ends: digits, a point, digits, an exponent.
fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut end = digits(0);
    // In `2.*u` the point belongs to the operator.
    if bytes.get(end) == Some(&b'.') && !matches!(bytes.get(end + 1), Some(b'*' | b'/' | b'^')) {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let after = digits(end + 1 + sign);
        if after > end + 1 + sign {
            end = after;
        }
    }
    end
}

struct Reader<'r, 'p> {
    work: &'r mut Work<'p>,
    block: &'r Instance<'r>,
    tokens: Vec<Token>,
    next: usize,
    /// Whether `u2` is the second input, as in `If`; otherwise there is one vector `u`.
    numbered: bool,
    depth: usize,
}

impl<'r, 'p> Reader<'r, 'p> {
    fn new(
        work: &'r mut Work<'p>,
        block: &'r Instance<'r>,
        text: &str,
        numbered: bool,
    ) -> Outcome<Reader<'r, 'p>> {
        Ok(Reader { work, block, tokens: tokens(text)?, next: 0, numbered, depth: 0 })
    }

    fn whole(&mut self) -> Outcome<Expr> {
        let value = self.or()?;
        match self.tokens.get(self.next) {
            None => Ok(value),
            Some(token) => {
                Err(Fault::new(format!("its expression goes on with {} unexpectedly", show(token))))
            }
        }
    }

    fn sign(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        match self.tokens.get(self.next) {
            Some(Token::Sign(sign)) if signs.contains(sign) => {
                self.next += 1;
                Some(sign)
            }
            _ => None,
        }
    }

    fn or(&mut self) -> Outcome<Expr> {
        let mut value = self.and()?;
        while self.sign(&["||", "|"]).is_some() {
            let other = self.and()?;
            let (a, b) = (self.work.truth_of(value), self.work.truth_of(other));
            value = self.work.pool().or([a, b]);
        }
        Ok(value)
    }

    fn and(&mut self) -> Outcome<Expr> {
        let mut value = self.comparison()?;
        while self.sign(&["&&", "&"]).is_some() {
            let other = self.comparison()?;
            let (a, b) = (self.work.truth_of(value), self.work.truth_of(other));
            value = self.work.pool().and([a, b]);
        }
        Ok(value)
    }

    fn comparison(&mut self) -> Outcome<Expr> {
        let mut value = self.sum()?;
        while let Some(operator) = self.sign(&["==", "~=", "!=", "<=", ">=", "<", ">"]) {
            let other = self.sum()?;
            value = relation(self.work, operator, value, other)?;
        }
        Ok(value)
    }

    fn sum(&mut self) -> Outcome<Expr> {
        let mut value = self.product()?;
        while let Some(operator) = self.sign(&["+", "-"]) {
            let other = self.product()?;
            let [a, b] = self.work.common([value, other]);
            let pool = self.work.pool();
            value = if operator == "+" { pool.add(a, b) } else { pool.sub(a, b) };
        }
        Ok(value)
    }

    fn product(&mut self) -> Outcome<Expr> {
        let mut value = self.signed()?;
        while let Some(operator) = self.sign(&["*", "/"]) {
            let other = self.signed()?;
            if operator == "/" {
                let (a, b) = (self.work.real_of(value), self.work.real_of(other));
                value = self.work.pool().div(a, b);
            } else {
                let [a, b] = self.work.common([value, other]);
                value = self.work.pool().mul(a, b);
            }
        }
        Ok(value)
    }

    fn signed(&mut self) -> Outcome<Expr> {
        let mut signs = Vec::new();
        while let Some(sign) = self.sign(&["+", "-", "!", "~"]) {
            signs.push(sign);
        }
        let mut value = self.power()?;
        for sign in signs.into_iter().rev() {
            value = match sign {
                "-" => {
                    let value = self.work.whole_of(value);
                    self.work.pool().neg(value)
                }
                "+" => value,
                _ => {
                    let truth = self.work.truth_of(value);
                    self.work.pool().not(truth)
                }
            };
        }
        Ok(value)
    }

    fn power(&mut self) -> Outcome<Expr> {
        let mut value = self.primary()?;
        while self.sign(&["^"]).is_some() {
            let minus = self.sign(&["-", "+"]) == Some("-");
            let exponent = self.primary()?;
            let (a, b) = (self.work.real_of(value), self.work.real_of(exponent));
            let b = if minus { self.work.pool().neg(b) } else { b };
            value = power(self.work, a, b);
        }
        Ok(value)
    }

    fn primary(&mut self) -> Outcome<Expr> {
        let token = self.tokens.get(self.next).cloned();
        self.next += 1;
        match token {
            Some(Token::Number(number)) => self.work.real(number),
            Some(Token::Name(name)) => self.name(&name),
            Some(Token::Sign("(")) => {
                let mut inner = self.arguments()?;
                match (inner.pop(), inner.is_empty()) {
                    (Some(value), true) => Ok(value),
                    _ => Err(Fault::new("its expression has a list where one number is wanted")),
                }
            }
            Some(token) => {
                Err(Fault::new(format!("its expression has {} where a value is wanted", show(&token))))
            }
            None => Err(Fault::new("its expression ends where a value is wanted")),
        }
    }

    /// What stands in brackets, after the opening one.
    fn arguments(&mut self) -> Outcome<Vec<Expr>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::new(format!(
                "its expression has more than {MAX_DEPTH} brackets in each other"
            )));
        }
        let mut all = vec![self.or()?];
        while self.sign(&[","]).is_some() {
            all.push(self.or()?);
        }
        self.depth -= 1;
        match self.sign(&[")"]) {
            Some(_) => Ok(all),
            None => Err(Fault::new("a closing bracket is missing in its expression")),
        }
    }

    fn name(&mut self, name: &str) -> Outcome<Expr> {
        let number: Option<usize> = name.strip_prefix('u').and_then(|it| it.parse().ok());
        let input = match (name, number) {
            ("u", _) => self.block.signals.first(),
            (_, Some(number)) if self.numbered => self.block.signals.get(number.wrapping_sub(1)),
            _ => None,
        };
        if let Some(input) = input {
            let place = match self.sign(&["("]) {
                None => 1,
                Some(_) => self.index()?,
            };
            let found = input.scalars.get(place.wrapping_sub(1)).copied();
            return found.ok_or_else(|| Fault::new(format!("its input `{name}` has no element {place}")));
        }
        if self.sign(&["("]).is_some() {
            let arguments = self.arguments()?;
            return match arguments[..] {
                [a] => of_one(self.work, name, a),
                [a, b] => of_two(self.work, name, a, b),
                _ => Err(Fault::new(format!("the function `{name}` has too many arguments"))),
            };
        }
        match (name, self.block.entries(name)) {
            (_, [number]) => self.work.real(*number),
            ("pi", _) => self.work.real(std::f64::consts::PI),
            ("true", _) => Ok(model::Pool::TRUE),
            ("false", _) => Ok(model::Pool::FALSE),
            _ => Err(Fault::new(format!("the name `{name}` in its expression is not known"))),
        }
    }

    /// A constant index in brackets, after the opening one.
    fn index(&mut self) -> Outcome<usize> {
        let token = self.tokens.get(self.next).cloned();
        self.next += 1;
        let (Some(Token::Number(number)), Some(_)) = (token, self.sign(&[")"])) else {
            return Err(Fault::new("an index in its expression is no number"));
        };
        Ok(number as usize)
    }
}

fn show(token: &Token) -> String {
    match token {
        Token::Number(number) => format!("`{number}`"),
        Token::Name(name) => format!("`{name}`"),
        Token::Sign(sign) => format!("`{sign}`"),
    }
}
