//! The state of the Lustre parser: tokens, arenas, diagnostics, and error recovery.
//!
//! A parsing function that fails returns `None` after a report; its caller skips to where parsing can continue.

use super::lexer::{Token, tokens};
use super::{Ast, Expr, ExprId, ExprKind, MAX_BYTES, MAX_DEPTH, Name, Type, TypeId, TypeKind};
use crate::codes;
use crate::{Code, Diagnostic, Span};

/// Parses one file.
pub(super) fn parse(text: &str) -> Ast {
    let mut parser = Parser { text, tokens: Vec::new(), at: 0, depth: 0, height: 0, ast: Ast::default() };
    if text.len() > MAX_BYTES {
        let message = format!("the program has {} bytes; the limit is {MAX_BYTES}", text.len());
        parser.report(codes::TOO_LONG, Span::new(0, 0), message, "split it into several files");
        return parser.ast;
    }
    parser.tokens = tokens(text, &mut parser.ast.diagnostics);
    parser.declarations();
    parser.ast
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<(Token, Span)>,
    pub(super) at: usize,
    depth: u32,
    /// The nesting depth of what was parsed at this level.
    height: u32,
    pub(super) ast: Ast,
}

/// The maximum number of reported errors per file.
pub(super) const MAX_DIAGNOSTICS: usize = 200;

/// Words that cannot be names of variables or nodes.
const KEYWORDS: &[&str] = &[
    "node", "function", "contract", "imported", "returns", "var", "const", "type", "let", "tel", "if",
    "then", "else", "pre", "fby", "and", "or", "xor", "not", "div", "mod", "true", "false", "assert", "when",
    "merge", "condact", "activate", "restart", "every", "initial", "default", "int", "real", "bool",
    "subrange", "of", "enum", "struct", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
    "uint64", "include", "lsh", "rsh", "forall", "exists",
];

/// Keywords and symbols that open a declaration.
const OPENING: &[&str] = &[
    "node",
    "function",
    "contract",
    "const",
    "type",
    "include",
    "datatype",
    "lemma",
    "transparent",
    "opaque",
];

impl Parser<'_> {
    pub(super) fn token(&self) -> Token {
        self.tokens.get(self.at).map_or(Token::End, |it| it.0)
    }

    pub(super) fn ahead(&self, steps: usize) -> Token {
        self.tokens.get(self.at + steps).map_or(Token::End, |it| it.0)
    }

    pub(super) fn span(&self) -> Span {
        let end = self.text.len() as u32;
        self.tokens.get(self.at).map_or(Span::new(end, end), |it| it.1)
    }

    /// The span of the previous token.
    pub(super) fn last(&self) -> Span {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(Span::new(0, 0), |it| it.1)
    }

    pub(super) fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len());
    }

    pub(super) fn at_sign(&self, sign: &str) -> bool {
        matches!(self.token(), Token::Sign(it) if it == sign)
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.token() == Token::Name && self.slice(self.span()) == word
    }

    pub(super) fn word_ahead(&self, steps: usize, word: &str) -> bool {
        self.tokens.get(self.at + steps).is_some_and(|it| it.0 == Token::Name && self.slice(it.1) == word)
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.at_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes the symbol; `None` after a report.
    pub(super) fn expect(&mut self, sign: &str) -> Option<()> {
        if self.eat(sign) {
            return Some(());
        }
        self.unexpected(&format!("`{sign}`"));
        None
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Option<()> {
        if self.eat_word(word) {
            return Some(());
        }
        self.unexpected(&format!("`{word}`"));
        None
    }

    /// Parses a name that is not a keyword; `None` after a report.
    pub(super) fn name(&mut self) -> Option<Name> {
        let span = self.span();
        let text = self.slice(span).to_owned();
        if self.token() != Token::Name || KEYWORDS.contains(&text.as_str()) {
            self.unexpected("a name");
            return None;
        }
        self.advance();
        Some(Name { text, span })
    }

    /// Parses a name with the dots and numbers of JKind, which flattens records and arrays: `a.b[0]`.
    pub(super) fn long_name(&mut self) -> Option<Name> {
        let mut name = self.name()?;
        loop {
            if self.at_sign(".") && self.ahead(1) == Token::Name {
                self.advance();
                name.text = format!("{}.{}", name.text, self.slice(self.span()));
            } else if self.at_sign("[") && self.ahead(1) == Token::Int && self.ahead(2) == Token::Sign("]") {
                self.advance();
                name.text = format!("{}[{}]", name.text, self.slice(self.span()));
                self.advance();
            } else {
                return Some(name);
            }
            self.advance();
            name.span = self.since(name.span);
        }
    }

    /// Whether a call of something with dots in its name begins here.
    pub(super) fn at_dotted_call(&self) -> bool {
        let mut end = 1;
        while self.ahead(end) == Token::Sign(".") && self.ahead(end + 1) == Token::Name {
            end += 2;
        }
        end > 1 && self.ahead(end) == Token::Sign("(")
    }

    /// Parses a quoted text and returns it without the quotes.
    pub(super) fn quoted(&mut self) -> Option<Name> {
        if self.token() != Token::Text {
            return None;
        }
        let span = self.span();
        let text = self.slice(span).trim_matches('"').to_owned();
        self.advance();
        Some(Name { text, span })
    }

    pub(super) fn unexpected(&mut self, wanted: &str) {
        let span = self.span();
        let found = match self.token() {
            Token::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.slice(span)),
        };
        let message = format!("expected {wanted}, found {found}");
        self.report(codes::BAD_LUSTRE, span, message, &format!("write {wanted} here"));
    }

    /// Refuses a construct by name: once, however often it is used.
    pub(super) fn unsupported(&mut self, span: Span, what: &str, hint: &str) {
        let message = format!("{what} is not supported");
        if !self.ast.diagnostics.iter().any(|it| it.message == message) {
            self.report(codes::NOT_SUPPORTED, span, message, hint);
        }
    }

    pub(super) fn report(&mut self, code: Code, span: Span, message: String, hint: &str) {
        let count = self.ast.diagnostics.len();
        if count == MAX_DIAGNOSTICS {
            let message = format!("more than {MAX_DIAGNOSTICS} errors; the rest is not listed");
            let more =
                Diagnostic::new(codes::TOO_MANY_ERRORS, span, message, "fix the first ones and check again");
            self.ast.diagnostics.push(more);
        }
        if count >= MAX_DIAGNOSTICS {
            return;
        }
        let last = self.ast.diagnostics.last();
        // One mistake is reported once, even if several rules fail on it.
        if last.is_some_and(|it| it.span == span && it.code == code) {
            return;
        }
        self.ast.diagnostics.push(Diagnostic::new(code, span, message, hint));
    }

    /// Skips past the next `;`, but not past the end of a body or the start of a declaration.
    pub(super) fn recover(&mut self) {
        loop {
            match self.token() {
                Token::End => return,
                Token::Sign(";") => return self.advance(),
                Token::Sign("*)" | "(*@contract") => return,
                Token::Name => {
                    let word = self.slice(self.span());
                    if matches!(word, "tel" | "let" | "noc" | "assume" | "guarantee" | "mode")
                        || OPENING.contains(&word)
                    {
                        return;
                    }
                    self.advance();
                }
                Token::Int | Token::Decimal | Token::Text | Token::Sign(_) => self.advance(),
            }
        }
    }

    /// Skips as [`recover`](Self::recover) does, but always past the start of the failed rule.
    pub(super) fn recover_from(&mut self, before: usize) {
        self.recover();
        if self.at == before {
            self.advance();
        }
    }

    /// Skips to the start of a declaration.
    pub(super) fn recover_declaration(&mut self) {
        while self.token() != Token::End && !self.at_opening() {
            self.advance();
        }
    }

    pub(super) fn at_opening(&self) -> bool {
        let word = self.slice(self.span());
        // These words are also allowed as names.
        let soft = ["datatype", "lemma", "transparent", "opaque"].contains(&word);
        self.token() == Token::Name && OPENING.contains(&word) && (!soft || self.ahead(1) == Token::Name)
    }

    /// Whether the next word but one could be a name, so that the current word is not one.
    pub(super) fn name_ahead(&self) -> bool {
        const ENDS: &[&str] =
            &["in", "fi", "end", "provided", "from", "within", "at", "with", "every", "elsif"];
        let next = self.tokens.get(self.at + 1).map_or("", |it| self.slice(it.1));
        self.ahead(1) == Token::Name && !KEYWORDS.contains(&next) && !ENDS.contains(&next)
    }

    /// Runs a rule one level deeper, or reports that it is too deep.
    pub(super) fn deeper<T>(&mut self, rule: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        self.depth += 1;
        let beside = std::mem::take(&mut self.height);
        let result = rule(self);
        self.depth -= 1;
        let inner = std::mem::replace(&mut self.height, beside);
        if inner >= MAX_DEPTH {
            return self.too_deep();
        }
        self.height = beside.max(inner + 1);
        result
    }

    /// Nests what was parsed at this level one deeper, or reports that it is too deep.
    pub(super) fn higher(&mut self) -> Option<()> {
        if self.height >= MAX_DEPTH {
            return self.too_deep();
        }
        self.height += 1;
        Some(())
    }

    fn too_deep<T>(&mut self) -> Option<T> {
        let message = format!("this is nested deeper than {MAX_DEPTH} levels");
        self.report(codes::TOO_DEEP, self.span(), message, "give a part of it a name of its own");
        None
    }

    pub(super) fn add(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.ast.exprs.push(Expr { kind, span });
        ExprId(self.ast.exprs.len() as u32 - 1)
    }

    pub(super) fn add_type(&mut self, kind: TypeKind, span: Span) -> TypeId {
        self.ast.types.push(Type { kind, span });
        TypeId(self.ast.types.len() as u32 - 1)
    }

    /// The span from a token to the previous one.
    pub(super) fn since(&self, start: Span) -> Span {
        if self.last().end < start.start { start } else { start.to(self.last()) }
    }
}
