//! Tokens to expressions, by precedence climbing with the levels of MATLAB. A blank inside brackets separates elements
//! where it would in MATLAB: `[1 -2]` has two, `[1 - 2]` and `[1-2]` one.
//!
//! Every node knows how deep it is, and none is deeper than [`DEEPEST`], so that walks may recurse.

use super::Error;
use super::lex::{Lexed, Token, lex};

const DEEPEST: u32 = 150;

/// A parsed expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expression {
    /// What it is.
    pub(crate) kind: Kind,
    /// The byte in the text.
    pub(super) at: usize,
    depth: u32,
}

impl Expression {
    /// An expression that is not in a text.
    pub(crate) fn new(kind: Kind) -> Expression {
        Expression { kind, at: 0, depth: 0 }
    }

    /// The name, if it is nothing else.
    pub(crate) fn name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// How deep its parts are nested.
    pub(crate) fn depth(&self) -> usize {
        self.depth as usize
    }

    /// The names in it, in any order. The parser limits the nesting, so this may recurse.
    pub(crate) fn names<'e>(&'e self, found: &mut Vec<&'e str>) {
        match &self.kind {
            Kind::Name(name) => found.push(name),
            Kind::Matrix(rows) => rows.iter().flatten().for_each(|it| it.names(found)),
            Kind::Cell(elements) => elements.iter().for_each(|it| it.names(found)),
            Kind::Unary(_, a) | Kind::Function(_, a) => a.names(found),
            Kind::Binary(_, a, b) => [a, b].iter().for_each(|it| it.names(found)),
            Kind::Range(a, step, b) => {
                [Some(a), step.as_ref(), Some(b)].into_iter().flatten().for_each(|it| it.names(found));
            }
            Kind::At(inner, index) => {
                inner.names(found);
                if let Index::Call(arguments) | Index::Cell(arguments) = index {
                    arguments.iter().for_each(|it| it.names(found));
                }
            }
            Kind::Number(_) | Kind::Imaginary(_) | Kind::Text(_) | Kind::Colon | Kind::End => {}
        }
    }

    /// The byte in the text at which it starts.
    pub(super) fn start(&self) -> usize {
        let mut first = self;
        while let Kind::At(inner, _) = &first.kind {
            first = inner;
        }
        first.at
    }
}

/// The kinds of expressions.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    /// A number.
    Number(f64),
    /// A number times the imaginary unit.
    Imaginary(f64),
    /// A text in quotes.
    Text(String),
    /// A variable or a function without arguments.
    Name(String),
    /// `:` as an index.
    Colon,
    /// `end` as an index.
    End,
    /// `[…]`: rows of elements.
    Matrix(Vec<Vec<Expression>>),
    /// `{…}`: elements, rows one after the other.
    Cell(Vec<Expression>),
    /// One operand.
    Unary(Unary, Box<Expression>),
    /// Two operands.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `a:b` or `a:b:c`: first, step, last.
    Range(Box<Expression>, Option<Box<Expression>>, Box<Expression>),
    /// `@name`, or `@(a, b) …` with its parameters.
    Function(Option<Vec<String>>, Box<Expression>),
    /// `a(…)`, `a{…}` or `a.b`: an index, a cell, a call or a field.
    At(Box<Expression>, Index),
}

/// What follows a value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Index {
    /// `(…)`.
    Call(Vec<Expression>),
    /// `{…}`.
    Cell(Vec<Expression>),
    /// `.name`.
    Field(String),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `~`
    Not,
    /// `.'`
    Transpose,
    /// `'`: the transpose with conjugate numbers.
    Adjoint,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Or,
    And,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    Add,
    Subtract,
    /// `*`
    Times,
    /// `/`
    Over,
    /// `\`
    Under,
    /// `.*`
    EachTimes,
    /// `./`
    EachOver,
    /// `.\`
    EachUnder,
    /// `^`
    Power,
    /// `.^`
    EachPower,
}

impl Binary {
    /// Whether the result is a Boolean: a comparison, or a combination of Booleans.
    pub(crate) fn is_of_truth(self) -> bool {
        LEVELS[..RANGE].iter().any(|level| level.iter().any(|(_, operator)| *operator == self))
    }
}

/// One expression, and nothing after it.
pub(crate) fn expression(text: &str) -> Result<Expression, Error> {
    let (tokens, errors) = lex(text);
    if let Some(error) = errors.into_iter().next() {
        return Err(error);
    }
    let mut parser = Parser::new(&tokens, text.len());
    parser.newlines();
    let found = parser.any()?;
    while parser.take(";") || parser.newlines() {}
    match parser.peek() {
        None => Ok(found),
        Some(lexed) => Err(Error::new(lexed.at, "unexpected text after the expression")),
    }
}

pub(super) struct Parser<'a> {
    tokens: &'a [Lexed],
    place: usize,
    end: usize,
    depth: u32,
    /// Whether blanks separate.
    matrix: bool,
}

/// Levels of binary operators, the loosest first. Those before the range give Booleans; the range has no operator here.
const LEVELS: [&[(&str, Binary)]; 8] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::Or)],
    &[("&", Binary::And)],
    &[
        ("<", Binary::Less),
        ("<=", Binary::LessEqual),
        (">", Binary::Greater),
        (">=", Binary::GreaterEqual),
        ("==", Binary::Equal),
        ("~=", Binary::NotEqual),
        ("!=", Binary::NotEqual),
    ],
    &[],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[
        ("*", Binary::Times),
        ("/", Binary::Over),
        ("\\", Binary::Under),
        (".*", Binary::EachTimes),
        ("./", Binary::EachOver),
        (".\\", Binary::EachUnder),
    ],
];
/// The level of the range.
const RANGE: usize = 5;

impl<'a> Parser<'a> {
    pub(super) fn new(tokens: &'a [Lexed], end: usize) -> Parser<'a> {
        Parser { tokens, place: 0, end, depth: 0, matrix: false }
    }

    pub(super) fn peek(&self) -> Option<&'a Lexed> {
        self.tokens.get(self.place)
    }

    pub(super) fn at(&self) -> usize {
        self.peek().map_or(self.end, |lexed| lexed.at)
    }

    fn sign(&self) -> Option<&'static str> {
        match self.peek()?.token {
            Token::Sign(sign) => Some(sign),
            Token::Number(_) | Token::Imaginary(_) | Token::Text(_) | Token::Name(_) | Token::Newline => None,
        }
    }

    pub(super) fn take(&mut self, sign: &str) -> bool {
        let found = self.sign() == Some(sign);
        self.place += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), Error> {
        if self.take(sign) { Ok(()) } else { Err(Error::new(self.at(), format!("`{sign}` is missing here"))) }
    }

    pub(super) fn newlines(&mut self) -> bool {
        let from = self.place;
        while self.peek().is_some_and(|lexed| lexed.token == Token::Newline) {
            self.place += 1;
        }
        self.place > from
    }

    /// Runs a parser one level deeper.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth >= DEEPEST {
            return Err(deep(self.at()));
        }
        self.depth += 1;
        let found = inner(self);
        self.depth -= 1;
        found
    }

    /// Runs a parser in which blanks separate elements or do not.
    fn within<T>(
        &mut self,
        matrix: bool,
        inner: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let outer = std::mem::replace(&mut self.matrix, matrix);
        let found = self.deeper(inner);
        self.matrix = outer;
        found
    }

    /// The number of tokens so far.
    pub(super) fn place(&self) -> usize {
        self.place
    }

    /// Skips a token.
    pub(super) fn skip(&mut self) {
        self.place += 1;
    }

    /// An expression of a statement.
    pub(super) fn value(&mut self) -> Result<Expression, Error> {
        (self.depth, self.matrix) = (0, false);
        self.any()
    }

    fn any(&mut self) -> Result<Expression, Error> {
        self.level(0)
    }

    /// An expression whose operators are of a level or of tighter ones.
    fn level(&mut self, least: usize) -> Result<Expression, Error> {
        let mut left = self.signed(Parser::power)?;
        let mut is_range = false;
        loop {
            let at = self.at();
            if least <= RANGE && !is_range && self.is_colon() {
                left = self.range(left)?;
                is_range = true;
                continue;
            }
            let Some((level, operator)) = self.operator().filter(|it| it.0 >= least) else {
                return Ok(left);
            };
            self.place += 1;
            let right = self.level(level + 1)?;
            let depth = left.depth.max(right.depth);
            left = node(Kind::Binary(operator, Box::new(left), Box::new(right)), at, depth)?;
        }
    }

    /// The binary operator that comes next, with its level. In a matrix, a sign after a blank belongs to the next element.
    fn operator(&self) -> Option<(usize, Binary)> {
        let (lexed, sign) = (self.peek()?, self.sign()?);
        if self.matrix && lexed.before && !lexed.after && matches!(sign, "+" | "-") {
            return None;
        }
        let own = |level: &&[(&str, Binary)]| level.iter().find(|it| it.0 == sign).map(|it| it.1);
        LEVELS.iter().enumerate().find_map(|(number, level)| Some((number, own(level)?)))
    }

    /// Whether a colon of a range comes next: `a(1, :)` is not a range.
    fn is_colon(&self) -> bool {
        let next = self.tokens.get(self.place + 1).map(|lexed| &lexed.token);
        self.sign() == Some(":") && !matches!(next, None | Some(Token::Sign(")" | ",")))
    }

    /// The rest of a range.
    fn range(&mut self, first: Expression) -> Result<Expression, Error> {
        let at = self.at();
        self.place += 1;
        let second = self.level(RANGE + 1)?;
        if !self.is_colon() {
            let depth = first.depth.max(second.depth);
            return node(Kind::Range(Box::new(first), None, Box::new(second)), at, depth);
        }
        self.place += 1;
        let third = self.level(RANGE + 1)?;
        let depth = first.depth.max(second.depth).max(third.depth);
        node(Kind::Range(Box::new(first), Some(Box::new(second)), Box::new(third)), at, depth)
    }

    /// Signs before an operand.
    fn signed(&mut self, operand: fn(&mut Self) -> Result<Expression, Error>) -> Result<Expression, Error> {
        let at = self.at();
        // An output that is not used: `[~, i] = max(a)`.
        let next = self.tokens.get(self.place + 1).map(|lexed| &lexed.token);
        if self.sign() == Some("~") && matches!(next, Some(Token::Sign("," | "]"))) {
            self.place += 1;
            return node(Kind::Name("~".to_owned()), at, 0);
        }
        let operator = match self.sign() {
            Some("-") => Unary::Minus,
            Some("+") => Unary::Plus,
            Some("~" | "!") => Unary::Not,
            _ => return operand(self),
        };
        self.place += 1;
        let operand = self.deeper(|parser| parser.signed(operand))?;
        let depth = operand.depth;
        node(Kind::Unary(operator, Box::new(operand)), at, depth)
    }

    /// Powers associate to the left and bind tighter than signs before them: `-2^2` is -4; a sign after `^` binds tighter: `2^-1`.
    fn power(&mut self) -> Result<Expression, Error> {
        let mut left = self.postfix()?;
        loop {
            let at = self.at();
            let operator = match self.sign() {
                Some("^") => Binary::Power,
                Some(".^") => Binary::EachPower,
                _ => return Ok(left),
            };
            self.place += 1;
            let right = self.signed(Parser::postfix)?;
            let depth = left.depth.max(right.depth);
            left = node(Kind::Binary(operator, Box::new(left), Box::new(right)), at, depth)?;
        }
    }

    fn postfix(&mut self) -> Result<Expression, Error> {
        let mut value = self.primary()?;
        while let Some(lexed) = self.peek() {
            let at = lexed.at;
            let apart = self.matrix && lexed.before;
            let depth = value.depth;
            match self.sign() {
                Some(sign @ ("'" | ".'")) => {
                    self.place += 1;
                    let operator = if sign == "'" { Unary::Adjoint } else { Unary::Transpose };
                    value = node(Kind::Unary(operator, Box::new(value)), at, depth)?;
                    continue;
                }
                Some(_) if apart => break,
                _ => {}
            }
            let (index, depth) = match self.sign() {
                Some("(") => {
                    let arguments = self.list("(", ")")?;
                    (Index::Call(arguments.0), depth.max(arguments.1))
                }
                Some("{") => {
                    let arguments = self.list("{", "}")?;
                    (Index::Cell(arguments.0), depth.max(arguments.1))
                }
                Some(".") => {
                    self.place += 1;
                    let Some(Lexed { token: Token::Name(name), .. }) = self.peek() else {
                        return Err(Error::new(self.at(), "the name of a field is missing here"));
                    };
                    self.place += 1;
                    (Index::Field(name.clone()), depth)
                }
                _ => break,
            };
            value = node(Kind::At(Box::new(value), index), at, depth)?;
        }
        Ok(value)
    }

    /// Arguments in parentheses, with the depth of the deepest.
    fn list(&mut self, open: &str, close: &str) -> Result<(Vec<Expression>, u32), Error> {
        self.expect(open)?;
        self.within(false, |parser| {
            let mut found = vec![];
            parser.newlines();
            while !parser.take(close) {
                if !found.is_empty() {
                    parser.expect(",")?;
                }
                parser.newlines();
                let next = parser.tokens.get(parser.place + 1).map(|lexed| &lexed.token);
                let alone = matches!(next, None | Some(Token::Sign(")" | "}" | "]" | ",")));
                found.push(if parser.sign() == Some(":") && alone {
                    parser.place += 1;
                    node(Kind::Colon, parser.at(), 0)?
                } else {
                    parser.any()?
                });
                parser.newlines();
            }
            let depth = found.iter().map(|argument| argument.depth).max().unwrap_or(0);
            Ok((found, depth))
        })
    }

    fn primary(&mut self) -> Result<Expression, Error> {
        let Some(lexed) = self.peek() else {
            return Err(Error::new(self.end, "a value is missing here"));
        };
        let at = lexed.at;
        let kind = match &lexed.token {
            Token::Number(number) => Kind::Number(*number),
            Token::Imaginary(number) => Kind::Imaginary(*number),
            Token::Text(text) => Kind::Text(text.clone()),
            Token::Name(name) if name == "end" => Kind::End,
            Token::Name(name) => Kind::Name(name.clone()),
            Token::Sign("(") => {
                self.place += 1;
                let inner = self.within(false, |parser| {
                    parser.newlines();
                    let inner = parser.any()?;
                    parser.newlines();
                    Ok(inner)
                })?;
                self.expect(")")?;
                return Ok(inner);
            }
            Token::Sign("@") => return self.handle(),
            Token::Sign("[") => return self.rows("]"),
            Token::Sign("{") => return self.rows("}"),
            Token::Sign(_) | Token::Newline => return Err(Error::new(at, "a value is missing here")),
        };
        self.place += 1;
        node(kind, at, 0)
    }

    /// A function handle.
    fn handle(&mut self) -> Result<Expression, Error> {
        let at = self.at();
        self.place += 1;
        if !self.take("(") {
            let Some(Lexed { token: Token::Name(name), at: inner, .. }) = self.peek() else {
                return Err(Error::new(self.at(), "the name of a function is missing here"));
            };
            self.place += 1;
            let name = node(Kind::Name(name.clone()), *inner, 0)?;
            return node(Kind::Function(None, Box::new(name)), at, 1);
        }
        let mut parameters = Vec::new();
        while !self.take(")") {
            match self.peek().map(|it| &it.token) {
                Some(Token::Name(name)) => parameters.push(name.clone()),
                Some(Token::Sign("~")) => parameters.push("~".to_owned()),
                _ => return Err(Error::new(self.at(), "the name of a parameter is missing here")),
            }
            self.place += 1;
            self.take(",");
        }
        let body = self.within(false, Parser::any)?;
        let depth = body.depth;
        node(Kind::Function(Some(parameters), Box::new(body)), at, depth)
    }

    /// The rows of a matrix or a cell.
    fn rows(&mut self, close: &str) -> Result<Expression, Error> {
        let at = self.at();
        self.place += 1;
        let rows = self.within(true, |parser| {
            let mut rows = vec![vec![]];
            loop {
                if parser.take(close) {
                    return Ok(rows);
                }
                if parser.take(";") || parser.newlines() {
                    rows.push(vec![]);
                } else if !parser.take(",") {
                    let element = parser.any()?;
                    if let Some(row) = rows.last_mut() {
                        row.push(element);
                    }
                }
            }
        })?;
        let depth = rows.iter().flatten().map(|element| element.depth).max().unwrap_or(0);
        let rows = rows.into_iter().filter(|row| !row.is_empty());
        let kind =
            if close == "]" { Kind::Matrix(rows.collect()) } else { Kind::Cell(rows.flatten().collect()) };
        node(kind, at, depth)
    }
}

fn node(kind: Kind, at: usize, inner: u32) -> Result<Expression, Error> {
    if inner >= DEEPEST { Err(deep(at)) } else { Ok(Expression { kind, at, depth: inner + 1 }) }
}

fn deep(at: usize) -> Error {
    Error::new(at, "the expression is nested too deeply").hint("give parts of it a name")
}

impl Parser<'_> {
    /// Whether the line or the text ends after some tokens.
    pub(super) fn is_line_end(&self, after: usize) -> bool {
        self.tokens.get(self.place + after).is_none_or(|it| it.token == Token::Newline)
    }

    /// Whether an option such as `-all` comes after the next token.
    pub(super) fn has_option(&self) -> bool {
        let next = self.tokens.get(self.place + 1);
        next.is_some_and(|it| it.token == Token::Sign("-") && it.before && !it.after)
    }

    /// A call of a function with the words of the rest of its line as texts.
    pub(super) fn command(&mut self, function: Expression) -> Expression {
        let mut words: Vec<Expression> = Vec::new();
        while let Some(lexed) = self.peek() {
            let text = match &lexed.token {
                Token::Newline | Token::Sign(";" | ",") => break,
                Token::Name(text) | Token::Text(text) => text.clone(),
                Token::Number(number) => number.to_string(),
                Token::Imaginary(number) => format!("{number}i"),
                Token::Sign(sign) => (*sign).to_owned(),
            };
            match words.last_mut() {
                Some(Expression { kind: Kind::Text(last), .. }) if !lexed.before => last.push_str(&text),
                _ => words.push(Expression { kind: Kind::Text(text), at: lexed.at, depth: 1 }),
            }
            self.place += 1;
        }
        let at = function.at;
        Expression { kind: Kind::At(Box::new(function), Index::Call(words)), at, depth: 2 }
    }

    /// Skips to the end of a statement that is not understood.
    pub(super) fn recover(&mut self) {
        while self.peek().is_some_and(|it| it.token != Token::Newline) && self.sign() != Some(";") {
            self.place += 1;
        }
    }
}
