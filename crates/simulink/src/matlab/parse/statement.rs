//! Statements, one after the other. Only assignments are run; of everything else it is known which variables it may set, so that no
//! older value is taken for the one that MATLAB would compute.

use super::{Expression, Parser};
use crate::matlab::Error;
use crate::matlab::lex::{Lexed, Token, lex};

/// What may leave out or repeat all that follows.
const BRANCHES: [&str; 8] = ["if", "for", "parfor", "while", "switch", "try", "return", "function"];

/// A statement.
pub(in crate::matlab) struct Statement {
    /// The variables that it sets.
    pub(in crate::matlab) names: Vec<String>,
    /// Where to, and what; or why it cannot be run.
    pub(in crate::matlab) assignment: Result<(Expression, Expression), Error>,
}

/// The statements of a text, and what is no token in it.
pub(in crate::matlab) fn statements(text: &str) -> (Vec<Statement>, Vec<Error>) {
    let (tokens, errors) = lex(text);
    let mut parser = Parser::new(&tokens, text.len());
    let (mut found, mut branches) = (vec![], false);
    loop {
        while parser.newlines() || parser.take(";") || parser.take(",") {}
        let Some(first) = parser.peek() else { return (found, errors) };
        let start = parser.place;
        let mut assignment = parser.assignment();
        if assignment.is_err() {
            parser.recover();
        }
        let own = &tokens[start..parser.place];
        branches |= own.iter().any(branches_off);
        if branches && assignment.is_ok() {
            assignment = Err(Error::new(first.at, "whether this is run, and how often, is not known here"));
        }
        found.push(Statement { names: targets(own), assignment });
    }
}

fn branches_off(lexed: &Lexed) -> bool {
    matches!(&lexed.token, Token::Name(name) if BRANCHES.contains(&name.as_str()))
}

/// The variables on the left of each `=`; neither their fields nor what their indices are made of.
fn targets(tokens: &[Lexed]) -> Vec<String> {
    let mut names = vec![];
    let ends = tokens.iter().enumerate().filter(|(_, it)| it.token == Token::Sign("="));
    for (end, _) in ends {
        // The brackets around a place, from the right.
        let mut around: Vec<&str> = vec![];
        for place in (0..end).rev() {
            let is_field = place.checked_sub(1).is_some_and(|it| tokens[it].token == Token::Sign("."));
            match &tokens[place].token {
                Token::Sign("=") => break,
                Token::Name(_) if branches_off(&tokens[place]) => break,
                Token::Newline | Token::Sign(";" | ",") if around.is_empty() => break,
                Token::Sign(close @ (")" | "]" | "}")) => around.push(close),
                Token::Sign("(" | "[" | "{") if around.pop().is_none() => break,
                Token::Name(name) if !is_field && matches!(around[..], [] | ["]"]) => {
                    names.push(name.clone())
                }
                _ => {}
            }
        }
    }
    names
}

impl Parser<'_> {
    fn assignment(&mut self) -> Result<(Expression, Expression), Error> {
        let at = self.at();
        (self.depth, self.matrix) = (0, false);
        let target = self.postfix()?;
        if !self.take("=") {
            return Err(Error::new(at, "only assignments are run").hint("set the variable to its value"));
        }
        let value = self.any()?;
        let ends = matches!(self.sign(), Some(";" | ",")) || self.newlines() || self.peek().is_none();
        if ends { Ok((target, value)) } else { Err(Error::new(self.at(), "the statement should end here")) }
    }

    /// To the end of the statement that is not understood.
    fn recover(&mut self) {
        while self.peek().is_some_and(|it| it.token != Token::Newline) && self.sign() != Some(";") {
            self.place += 1;
        }
    }
}
