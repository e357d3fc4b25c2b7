//! Expressions of Lustre, by precedence as in Kind 2: `when` binds weakest, then `->`, `=>`, `or`, `and`, comparisons,
//! sums, products, operations on bits, `pre`, casts, `not`, `^`, and last `[i]` and `.f`.

use super::lexer::Token;
use super::parser::Parser;
use super::{Binary, Call, Choice, ExprId, ExprKind, Name, Number, Quantifier, Right, Step, Unary};
use crate::Span;
use crate::codes;

/// The precedence levels of infix operators.
const WHEN: u8 = 0;
const ARROW: u8 = 1;
const IMPLIES: u8 = 2;
const PRODUCT: u8 = 7;
const SHIFT: u8 = 10;

impl Parser<'_> {
    /// Parses an expression; `None` after a report.
    pub(super) fn expression(&mut self) -> Option<ExprId> {
        self.ranked(WHEN)
    }

    /// Parses expressions between commas, up to and including a closing symbol.
    pub(super) fn list(&mut self, close: &str) -> Option<Vec<ExprId>> {
        let mut found = Vec::new();
        if self.eat(close) {
            return Some(found);
        }
        loop {
            found.push(self.expression()?);
            if !self.eat(",") {
                self.expect(close)?;
                return Some(found);
            }
        }
    }

    /// Parses an expression whose outermost operators have at least this precedence.
    fn ranked(&mut self, rank: u8) -> Option<ExprId> {
        self.deeper(|p| p.ranked_here(rank))
    }

    fn ranked_here(&mut self, rank: u8) -> Option<ExprId> {
        let start = self.span();
        let mut left = self.prefix()?;
        // All operators of the open chain have this precedence.
        let mut open: Option<u8> = None;
        loop {
            if let Some((mut operator, its)) = self.binary().filter(|it| it.1 >= rank) {
                self.advance();
                if operator == Binary::And && self.at_word("then") {
                    // Not the `then` of a condition, because an operand is missing here.
                    self.advance();
                    operator = Binary::AndThen;
                } else if operator == Binary::Or && self.at_word("else") {
                    self.advance();
                    operator = Binary::OrElse;
                }
                if open != Some(its) {
                    self.higher()?;
                }
                let right = self.ranked(its + 1)?;
                let span = self.since(start);
                match (&mut self.ast.exprs[left.0 as usize].kind, open) {
                    (ExprKind::Chain(_, rest), Some(before)) if before == its => {
                        rest.push((operator, right));
                        // Children come before parents, so the chain moves after its new operand.
                        let chain =
                            std::mem::replace(&mut self.ast.exprs[left.0 as usize].kind, ExprKind::Missing);
                        left = self.add(chain, span);
                    }
                    _ => left = self.add(ExprKind::Chain(left, vec![(operator, right)]), span),
                }
                open = Some(its);
            } else if let Some((operator, its)) = self.right().filter(|it| it.1 >= rank) {
                self.advance();
                self.higher()?;
                let right = self.ranked(its)?;
                let span = self.since(start);
                left = self.add(ExprKind::Right(operator, left, right), span);
                open = None;
            } else if rank == WHEN && self.eat_word("when") {
                self.higher()?;
                let clock = self.clock()?;
                let span = self.since(start);
                left = self.add(ExprKind::When(left, clock), span);
                open = None;
            } else {
                return Some(left);
            }
        }
    }

    fn binary(&self) -> Option<(Binary, u8)> {
        let found = match self.token() {
            Token::Sign(sign) => match sign {
                "<" => (Binary::Less, 5),
                "<=" => (Binary::LessEqual, 5),
                "=" => (Binary::Equal, 5),
                "<>" => (Binary::NotEqual, 5),
                ">=" => (Binary::GreaterEqual, 5),
                ">" => (Binary::Greater, 5),
                "+" => (Binary::Plus, 6),
                "-" => (Binary::Minus, 6),
                "*" => (Binary::Times, PRODUCT),
                "/" => (Binary::Divide, PRODUCT),
                "||" => (Binary::BitOr, 8),
                "&&" => (Binary::BitAnd, 9),
                _ => return None,
            },
            Token::Name => match self.slice(self.span()) {
                "in" => (Binary::In, 5),
                "or" => (Binary::Or, 3),
                "xor" => (Binary::Xor, 3),
                "and" => (Binary::And, 4),
                "div" => (Binary::IntDivide, PRODUCT),
                "mod" => (Binary::Modulo, PRODUCT),
                "lsh" => (Binary::ShiftLeft, SHIFT),
                "rsh" => (Binary::ShiftRight, SHIFT),
                _ => return None,
            },
            Token::Int | Token::Decimal | Token::Text | Token::End => return None,
        };
        Some(found)
    }

    fn right(&self) -> Option<(Right, u8)> {
        match self.token() {
            Token::Sign("->") => Some((Right::Arrow, ARROW)),
            Token::Sign("=>") => Some((Right::Implies, IMPLIES)),
            Token::Sign("==>") => Some((Right::LazyImplies, IMPLIES)),
            Token::Name if self.at_word("fby") => Some((Right::Fby, ARROW)),
            _ => None,
        }
    }

    /// Parses prefix operators.
    fn prefix(&mut self) -> Option<ExprId> {
        let start = self.span();
        let unary = match self.token() {
            Token::Sign("-") => Some((Unary::Minus, PRODUCT)),
            Token::Sign("!") => Some((Unary::BitNot, SHIFT + 1)),
            Token::Name if self.at_word("not") => Some((Unary::Not, SHIFT + 1)),
            Token::Name if self.at_word("pre") => Some((Unary::Pre, SHIFT + 1)),
            _ => None,
        };
        if let Some((operator, rank)) = unary {
            self.advance();
            let operand = self.ranked(rank)?;
            let span = self.since(start);
            return Some(self.add(ExprKind::Unary(operator, operand), span));
        }
        if let Some(number) = self.number_type() {
            // A cast to a machine integer extends as far as possible, as in Kind 2.
            let rank = if matches!(number, Number::Machine { .. }) { WHEN } else { SHIFT + 1 };
            let operand = self.ranked(rank)?;
            let span = self.since(start);
            return Some(self.add(ExprKind::Cast(number, operand), span));
        }
        let mut operand = self.primary()?;
        while let Some(size) = self.size()? {
            let span = self.since(start);
            operand = self.add(ExprKind::Repeat(operand, size), span);
        }
        Some(operand)
    }

    /// What follows `^`, if that is next.
    pub(super) fn size(&mut self) -> Option<Option<ExprId>> {
        if !self.eat("^") {
            return Some(None);
        }
        self.higher()?;
        self.postfixed().map(Some)
    }

    /// Parses the right operand of `^`.
    pub(super) fn postfixed(&mut self) -> Option<ExprId> {
        self.deeper(Self::primary)
    }

    /// Consumes `int`, `uint8`, ….
    pub(super) fn number_type(&mut self) -> Option<Number> {
        if self.token() != Token::Name {
            return None;
        }
        let number = match self.slice(self.span()) {
            "int" => Number::Int,
            "real" => Number::Real,
            "sint" | "uint" if self.ahead(1) == Token::Sign("<") || self.ahead(1) == Token::Sign("@") => {
                let signed = self.at_word("sint");
                let at = if self.ahead(1) == Token::Sign("@") { 3 } else { 2 };
                let bits: u8 = self.tokens.get(self.at + at).and_then(|it| self.slice(it.1).parse().ok())?;
                if !(1..=64).contains(&bits) || self.ahead(at + 1) != Token::Sign(">") {
                    return None;
                }
                (0..at + 1).for_each(|_| self.advance());
                Number::Machine { signed, bits }
            }
            word => {
                let (signed, bits) = word
                    .strip_prefix("uint")
                    .map(|bits| (false, bits))
                    .or(word.strip_prefix("int").map(|it| (true, it)))?;
                let bits = match bits {
                    "8" => 8,
                    "16" => 16,
                    "32" => 32,
                    "64" => 64,
                    _ => return None,
                };
                Number::Machine { signed, bits }
            }
        };
        self.advance();
        Some(number)
    }

    fn primary(&mut self) -> Option<ExprId> {
        let start = self.span();
        let mut found = self.atom(start)?;
        loop {
            let kind = if self.eat("[") {
                self.higher()?;
                let index = self.expression()?;
                if self.eat(":=") {
                    found = self.updates(found, index, start)?;
                    continue;
                }
                if self.at_sign("..") || self.at_sign(",") {
                    self.unsupported(self.span(), "a slice of an array", "write `s[k] = a[l + k];`");
                    return None;
                }
                self.expect("]")?;
                ExprKind::Index(found, index)
            } else if self.at_sign("{") && self.ahead(2) == Token::Sign(":=") {
                self.advance();
                let field = self.name()?;
                self.expect(":=")?;
                let value = self.expression()?;
                self.expect("}")?;
                ExprKind::Update(found, vec![Step::Field(field)], value)
            } else if self.eat(".%") {
                self.higher()?;
                let (number, place) = self.part_number()?;
                ExprKind::Project(found, number, place)
            } else if self.eat(".") {
                self.higher()?;
                ExprKind::Field(found, self.name()?)
            } else {
                return Some(found);
            };
            let span = self.since(start);
            found = self.add(kind, span);
        }
    }

    /// `a[i := v; j := w]`, from the first value on.
    fn updates(&mut self, mut found: ExprId, mut index: ExprId, start: Span) -> Option<ExprId> {
        loop {
            self.higher()?;
            let value = self.expression()?;
            let span = self.since(start);
            found = self.add(ExprKind::Update(found, vec![Step::Index(index)], value), span);
            if !self.eat(";") && !self.eat(",") {
                self.expect("]")?;
                return Some(found);
            }
            index = self.expression()?;
            self.expect(":=")?;
        }
    }

    /// The body of a quantifier ends at `->`.
    pub(super) fn quantifier_body(&mut self) -> Option<ExprId> {
        self.ranked(IMPLIES)
    }

    /// The number of a part, with its place, after `.%`.
    fn part_number(&mut self) -> Option<(u32, Span)> {
        let place = self.span();
        let number = self.slice(place).parse().ok().filter(|_| self.token() == Token::Int);
        let Some(number) = number else {
            self.unexpected("a number");
            return None;
        };
        self.advance();
        Some((number, place))
    }

    /// `.f[2] = v)`, after `(a with`.
    fn with_update(&mut self, whole: ExprId, start: Span) -> Option<ExprId> {
        let mut path = Vec::new();
        loop {
            if self.eat("[") {
                path.push(Step::Index(self.expression()?));
                self.expect("]")?;
            } else if self.eat(".%") {
                let (number, place) = self.part_number()?;
                path.push(Step::Part(number, place));
            } else if self.eat(".") {
                path.push(Step::Field(self.name()?));
            } else {
                break;
            }
        }
        if path.is_empty() || path.len() > 64 {
            self.unexpected("`.` or `[`");
            return None;
        }
        self.expect("=")?;
        let value = self.expression()?;
        self.expect(")")?;
        let span = self.since(start);
        Some(self.add(ExprKind::Update(whole, path, value), span))
    }

    fn atom(&mut self, start: Span) -> Option<ExprId> {
        let text = self.slice(start).to_owned();
        let kind = match self.token() {
            Token::Int => {
                self.advance();
                ExprKind::Int(text)
            }
            Token::Decimal => {
                self.advance();
                ExprKind::Decimal(text)
            }
            Token::Sign("(") => return self.parenthesis(start),
            Token::Sign("[") => {
                self.advance();
                ExprKind::Array(self.list("]")?)
            }
            Token::Sign("{") => {
                self.advance();
                let parts = self.list("}")?;
                ExprKind::Braces(parts, self.type_arguments()?)
            }
            Token::Sign("'") if self.ahead(1) == Token::Sign("(") => {
                self.advance();
                self.advance();
                ExprKind::Tuple(self.list(")")?)
            }
            Token::Sign("::") => {
                let mut path = Vec::new();
                while self.eat("::") {
                    path.push(self.name()?);
                }
                ExprKind::Mode(path)
            }
            Token::Sign("#") => {
                self.unsupported(start, "the operator `#`", "write the pairs that exclude each other");
                return None;
            }
            Token::Name => return self.worded(start, &text),
            Token::Text | Token::Sign(_) | Token::End => {
                self.unexpected("an expression");
                return None;
            }
        };
        let span = self.since(start);
        Some(self.add(kind, span))
    }

    /// Parses what begins with a keyword.
    fn worded(&mut self, start: Span, word: &str) -> Option<ExprId> {
        let kind = match word {
            "true" | "false" => {
                self.advance();
                ExprKind::Bool(word == "true")
            }
            "if" => {
                self.advance();
                let condition = self.expression()?;
                self.expect_word("then")?;
                let then = self.expression()?;
                self.expect_word("else")?;
                let otherwise = self.ranked(ARROW)?;
                ExprKind::If(condition, then, otherwise)
            }
            "when" => {
                self.advance();
                let condition = self.ranked(ARROW)?;
                self.expect_word("then")?;
                let then = self.ranked(ARROW)?;
                self.expect_word("else")?;
                let otherwise = self.ranked(ARROW)?;
                ExprKind::LazyIf(condition, then, otherwise)
            }
            "forall" | "exists" => {
                self.advance();
                let all = word == "forall";
                self.quantified(if all { Quantifier::Forall } else { Quantifier::Exists })?
            }
            "any" | "choose" if matches!(self.ahead(1), Token::Sign("{" | "@")) || self.type_ahead() => {
                self.advance();
                self.chosen(if word == "any" { Choice::Any } else { Choice::Choose })?
            }
            "match" if self.name_ahead() || self.ahead(1) == Token::Sign("(") => {
                self.advance();
                self.matched()?
            }
            "last" if self.name_ahead() => {
                self.advance();
                ExprKind::Last(self.long_name()?)
            }
            "current" if self.name_ahead() => {
                self.unsupported(start, "`current`", "use `merge`, or `activate` with `initial default`");
                return None;
            }
            "map" if self.ahead(1) == Token::Sign("[") => {
                self.advance();
                self.advance();
                let mut pairs = Vec::new();
                while !self.eat("]") {
                    let key = self.expression()?;
                    self.expect(":=")?;
                    pairs.push((key, self.expression()?));
                    if !self.eat(";") && !self.eat(",") {
                        self.expect("]")?;
                        break;
                    }
                }
                ExprKind::Map(pairs, self.type_arguments()?)
            }
            "merge" => {
                self.advance();
                self.merge()?
            }
            "condact" => {
                self.advance();
                self.condact()?
            }
            _ => {
                let name = if self.at_dotted_call() { self.long_name()? } else { self.name()? };
                let types = self.type_arguments()?;
                if self.at_sign("?") && self.ahead(1) == Token::Sign("(") {
                    self.advance();
                    self.advance();
                    let value = self.expression()?;
                    self.expect(")")?;
                    ExprKind::Test(name, value)
                } else if self.eat("(") {
                    let arguments = self.list(")")?;
                    let (every, restart, defaults) = (None, None, None);
                    ExprKind::Call(Call { node: name, types, arguments, every, restart, defaults })
                } else if self.at_sign("{") && self.ahead(2) != Token::Sign(":=") {
                    self.record(name)?
                } else if !types.is_empty() {
                    let (every, restart, defaults) = (None, None, None);
                    ExprKind::Call(Call {
                        node: name,
                        types,
                        arguments: Vec::new(),
                        every,
                        restart,
                        defaults,
                    })
                } else {
                    ExprKind::Name(name.text)
                }
            }
        };
        let span = self.since(start);
        Some(self.add(kind, span))
    }

    /// Whether a type follows the current word.
    fn type_ahead(&self) -> bool {
        let next = self.tokens.get(self.at + 1).map_or("", |it| self.slice(it.1));
        let machine = next.strip_prefix("uint").or(next.strip_prefix("int"));
        ["int", "bool", "real", "subrange", "subtype"].contains(&next)
            || machine.is_some_and(|bits| ["8", "16", "32", "64"].contains(&bits))
    }

    /// `(a)`, `(a, b)`, `(a : t)`, `(a with .f = b)`, `(activate f every c)(a)`.
    fn parenthesis(&mut self, start: Span) -> Option<ExprId> {
        if self.word_ahead(1, "activate") || self.word_ahead(1, "restart") {
            let kind = ExprKind::Call(self.clocked_call()?);
            let span = self.since(start);
            return Some(self.add(kind, span));
        }
        self.advance();
        let first = self.expression()?;
        if self.eat_word("with") {
            return self.with_update(first, start);
        }
        if self.eat(":") {
            let ty = self.ty()?;
            self.expect(")")?;
            let span = self.since(start);
            return Some(self.add(ExprKind::Typed(first, ty), span));
        }
        if self.eat(")") {
            return Some(first);
        }
        if !self.eat(",") {
            let message = format!("the parenthesis is not closed before `{}`", self.slice(self.span()));
            self.report(codes::UNCLOSED_PAREN, start, message, "close it with `)`");
            return None;
        }
        let mut all = vec![first];
        all.extend(self.list(")")?);
        let span = self.since(start);
        Some(self.add(ExprKind::Group(all), span))
    }

    fn record(&mut self, name: Name) -> Option<ExprKind> {
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.eat("}") {
            let field = self.name()?;
            self.expect("=")?;
            fields.push((field, self.expression()?));
            if !self.eat(";") && !self.eat(",") {
                self.expect("}")?;
                break;
            }
        }
        Some(ExprKind::Record(name, fields))
    }
}
