//! Statements of MATLAB code, of scripts and of the functions of MATLAB Function blocks.

use super::Error;
use super::lex::{Token, lex};
use super::parse::{Expression, Kind, Parser};

/// The maximum nesting of statements.
const DEEPEST: usize = 40;

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) inputs: Vec<String>,
    pub(crate) outputs: Vec<String>,
    pub(crate) body: Vec<Statement>,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Statement {
    /// `a = e`, `[a, b] = f(c)`; without a target for a call alone.
    Assign(Vec<Expression>, Expression),
    /// Conditions with their statements, and those of `else`.
    If(Vec<(Expression, Vec<Statement>)>, Vec<Statement>),
    /// A value, cases with their statements, and those of `otherwise`.
    Switch(Expression, Vec<(Expression, Vec<Statement>)>, Vec<Statement>),
    /// A variable, its values, and the statements.
    For(String, Expression, Vec<Statement>),
    While(Expression, Vec<Statement>),
    Persistent(Vec<String>),
    Global(Vec<String>),
    /// Statements, and those that run if one of them has an error.
    Try(Vec<Statement>, Vec<Statement>),
    Break,
    Continue,
    Return,
}

/// The functions of a text; the first one is the main one.
pub(crate) fn functions(text: &str) -> Result<Vec<Function>, Error> {
    let (tokens, errors) = lex(text);
    if let Some(error) = errors.into_iter().next() {
        return Err(error);
    }
    let mut parser = Parser::new(&tokens, text.len());
    let mut found = Vec::new();
    loop {
        parser.blank();
        if parser.peek().is_none() {
            break;
        }
        if !parser.word("function") {
            return Err(Error::new(parser.at(), "`function` is missing here"));
        }
        found.push(parser.function()?);
    }
    if found.is_empty() { Err(Error::new(0, "there is no function")) } else { Ok(found) }
}

impl Parser<'_> {
    /// Skips ends of lines and of statements.
    pub(super) fn blank(&mut self) {
        while self.newlines() || self.take(";") || self.take(",") {}
    }

    fn next_word(&self) -> Option<&str> {
        match &self.peek()?.token {
            Token::Name(name) => Some(name),
            Token::Number(_) | Token::Imaginary(_) | Token::Text(_) | Token::Sign(_) | Token::Newline => None,
        }
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.next_word() == Some(word);
        if found {
            self.skip();
        }
        found
    }

    fn name(&mut self) -> Result<String, Error> {
        let name = self.next_word().map(str::to_owned);
        let name = name.ok_or_else(|| Error::new(self.at(), "a name is missing here"))?;
        self.skip();
        Ok(name)
    }

    fn names(&mut self, close: &str) -> Result<Vec<String>, Error> {
        let mut names = Vec::new();
        while !self.take(close) {
            names.push(self.name()?);
            self.take(",");
        }
        Ok(names)
    }

    /// `y = f(a, b)`, `[y, z] = f(a)`, `f(a)`, and the body up to the next function.
    fn function(&mut self) -> Result<Function, Error> {
        let (mut outputs, mut name) = (Vec::new(), String::new());
        if self.take("[") {
            outputs = self.names("]")?;
            if !self.take("=") {
                return Err(Error::new(self.at(), "`=` is missing here"));
            }
        } else {
            name = self.name()?;
            if self.take("=") {
                outputs = vec![std::mem::take(&mut name)];
            }
        }
        if name.is_empty() {
            name = self.name()?;
        }
        let inputs = if self.take("(") { self.names(")")? } else { Vec::new() };
        let body = self.block(0)?;
        // The end of a function may be written or not.
        self.word("end");
        Ok(Function { name, inputs, outputs, body })
    }

    /// Statements up to a word that ends them, which stays.
    fn block(&mut self, depth: usize) -> Result<Vec<Statement>, Error> {
        if depth > DEEPEST {
            return Err(Error::new(self.at(), "the statements are nested too deeply"));
        }
        let mut found = Vec::new();
        loop {
            self.blank();
            match self.next_word() {
                None if self.peek().is_none() => return Ok(found),
                Some("end" | "else" | "elseif" | "case" | "otherwise" | "catch" | "function") => {
                    return Ok(found);
                }
                _ => found.push(self.statement(depth)?),
            }
        }
    }

    fn close(&mut self) -> Result<(), Error> {
        self.blank();
        if self.word("end") { Ok(()) } else { Err(Error::new(self.at(), "`end` is missing here")) }
    }

    /// A statement, and nothing after it.
    pub(super) fn whole_statement(&mut self) -> Result<Statement, Error> {
        let statement = self.statement(0)?;
        let ends = self.peek().is_none() || self.newlines() || self.take(";") || self.take(",");
        if ends { Ok(statement) } else { Err(Error::new(self.at(), "unexpected text after the statement")) }
    }

    fn statement(&mut self, depth: usize) -> Result<Statement, Error> {
        let word = self.next_word().unwrap_or_default().to_owned();
        let at = self.at();
        match word.as_str() {
            "if" => {
                let mut branches = Vec::new();
                let mut otherwise = Vec::new();
                self.skip();
                loop {
                    let condition = self.value()?;
                    branches.push((condition, self.block(depth + 1)?));
                    self.blank();
                    if self.word("elseif") {
                        continue;
                    }
                    if self.word("else") {
                        otherwise = self.block(depth + 1)?;
                    }
                    self.close()?;
                    return Ok(Statement::If(branches, otherwise));
                }
            }
            "switch" => {
                self.skip();
                let value = self.value()?;
                let (mut cases, mut otherwise) = (Vec::new(), Vec::new());
                loop {
                    self.blank();
                    if self.word("case") {
                        let case = self.value()?;
                        cases.push((case, self.block(depth + 1)?));
                    } else if self.word("otherwise") {
                        otherwise = self.block(depth + 1)?;
                    } else {
                        self.close()?;
                        return Ok(Statement::Switch(value, cases, otherwise));
                    }
                }
            }
            "for" => {
                self.skip();
                let paren = self.take("(");
                let name = self.name()?;
                if !self.take("=") {
                    return Err(Error::new(self.at(), "`=` is missing here"));
                }
                let values = self.value()?;
                if paren {
                    self.take(")");
                }
                let body = self.block(depth + 1)?;
                self.close()?;
                Ok(Statement::For(name, values, body))
            }
            "while" => {
                self.skip();
                let condition = self.value()?;
                let body = self.block(depth + 1)?;
                self.close()?;
                Ok(Statement::While(condition, body))
            }
            "persistent" | "global" => {
                self.skip();
                let mut names = Vec::new();
                while self.next_word().is_some() {
                    names.push(self.name()?);
                }
                Ok(if word == "global" { Statement::Global(names) } else { Statement::Persistent(names) })
            }
            "try" => {
                self.skip();
                let body = self.block(depth + 1)?;
                self.blank();
                let mut caught = Vec::new();
                if self.word("catch") {
                    // The name of the error.
                    if self.next_word().is_some_and(|it| it != "end") && self.is_line_end(1) {
                        self.skip();
                    }
                    caught = self.block(depth + 1)?;
                }
                self.close()?;
                Ok(Statement::Try(body, caught))
            }
            "break" | "continue" | "return" => {
                self.skip();
                Ok(match word.as_str() {
                    "break" => Statement::Break,
                    "continue" => Statement::Continue,
                    _ => Statement::Return,
                })
            }
            "parfor" => {
                Err(Error::new(at, format!("`{word}` is not supported")).hint("use other statements"))
            }
            // A command with an option.
            "clear" | "clearvars" if self.has_option() => {
                self.skip();
                let function = Expression::new(Kind::Name(word));
                Ok(Statement::Assign(Vec::new(), self.command(function)))
            }
            _ => self.assignment_or_call(),
        }
    }

    fn assignment_or_call(&mut self) -> Result<Statement, Error> {
        let target = self.value()?;
        if !self.take("=") {
            // A call may have its arguments without brackets: `hold on`.
            let is_command = target.name().is_some() && self.next_word().is_some();
            let call = if is_command { self.command(target) } else { target };
            return Ok(Statement::Assign(Vec::new(), call));
        }
        let value = self.value()?;
        let targets = match target.kind {
            Kind::Matrix(rows) => rows.into_iter().flatten().collect(),
            _ => vec![target],
        };
        Ok(Statement::Assign(targets, value))
    }
}
