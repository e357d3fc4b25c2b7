//! The parser's machinery: a cursor over the tokens without white space, opening and closing nodes, diagnostics. It contains no
//! grammar; those are in [`crate::fretish`], [`crate::sysreq`], [`crate::formula`] and [`crate::expression`].

use crate::codes;
use crate::tree::{Node, Token};
use crate::{
    Code, Diagnostic, Hint, Kind, MAX_BYTES, Parse, Phrases, Severity, Span, Tree, Word, formula, lexer,
};

/// The maximum number of reported errors per text.
const MAX_ERRORS: usize = 100;

pub(crate) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    /// The tokens that are not white space: index among all tokens, and the keyword they spell.
    solid: Vec<(u32, Option<Word>)>,
    /// Position in `solid`.
    position: usize,
    nodes: Vec<Node>,
    diagnostics: Vec<Diagnostic>,
    /// Whether the text contains the word `shall`.
    pub(crate) has_shall: bool,
    /// Whether `shall`, or what replaces it, has been read.
    pub(crate) past_shall: bool,
    pub(crate) depth: u32,
    pub(crate) language: Language,
    /// Set when the rest of the text is left unparsed: then nothing more is reported.
    gave_up: bool,
    /// Whether `and when …` opens the next clause: at the top level of a scope or condition.
    pub(crate) in_clause: bool,
}

/// The operators that an expression may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Fretish,
    Formula,
    SysReq,
}

impl Language {
    /// An example text of this language.
    fn example(self) -> &'static str {
        match self {
            Language::Fretish | Language::Formula => {
                "write a sentence such as `the pump shall always satisfy !overheated`"
            }
            Language::SysReq => {
                "write a sentence such as `When the tank is full, the pump system shall assign off to the pump.`"
            }
        }
    }
}

/// The index of an open node.
pub(crate) struct Open(usize);

/// A position at which a node can be opened later, around what has been read since.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    node: usize,
    token: u32,
}

/// Parses a whole text with the given grammar.
pub(crate) fn parse(
    text: &str,
    language: Language,
    phrases: &Phrases,
    root: Kind,
    grammar: impl FnOnce(&mut Parser),
) -> Parse {
    let too_long = text.len() > MAX_BYTES;
    let (tokens, phrases) = if too_long {
        (vec![Token { kind: Kind::Unknown, span: Span::new(0, text.len() as u32) }], Vec::new())
    } else {
        let tokens = lexer::tokens(text);
        let tokens = if language == Language::Formula { formula::split(text, tokens) } else { tokens };
        phrases.join(text, tokens)
    };
    let word =
        |token: &Token| (token.kind == Kind::Name).then(|| Word::of(&text[token.span.range()])).flatten();
    let mut solid = Vec::with_capacity(tokens.len() / 2 + 1);
    let found = tokens.iter().enumerate().filter(|(_, token)| token.kind != Kind::Whitespace);
    solid.extend(found.map(|(index, token)| (index as u32, word(token))));

    let mut parser = Parser {
        text,
        tokens,
        solid,
        position: 0,
        nodes: Vec::with_capacity(32),
        diagnostics: Vec::new(),
        has_shall: false,
        past_shall: false,
        depth: 0,
        language,
        gave_up: false,
        in_clause: false,
    };
    parser.has_shall = parser.find_word(Word::Shall).is_some();
    parser.nodes.push(Node { kind: root, first: 0, last: parser.tokens.len() as u32, end: 0 });
    if too_long {
        parser.position = 1;
        let message = format!("the text has {} bytes; at most {MAX_BYTES} are read", text.len());
        parser.report(codes::TOO_LONG, Span::new(0, 0), message, "split the text into one sentence per line");
    } else if parser.solid.is_empty() {
        let span = Span::new(0, text.len() as u32);
        parser.report(codes::EMPTY, span, "the text is empty", language.example());
    } else {
        parser.check_quotes();
        grammar(&mut parser);
    }
    parser.nodes[0].end = parser.nodes.len() as u32;
    Parse {
        tree: Tree { text: text.into(), tokens: parser.tokens, nodes: parser.nodes, phrases },
        diagnostics: parser.diagnostics,
    }
}

impl<'t> Parser<'t> {
    fn token(&self, ahead: usize) -> Option<Token> {
        self.solid.get(self.position.saturating_add(ahead)).map(|&(index, _)| self.tokens[index as usize])
    }

    /// Whether the whole text has been read.
    pub(crate) fn at_end(&self) -> bool {
        self.position >= self.solid.len()
    }

    /// The kind of the previous token.
    pub(crate) fn kind_before(&self) -> Option<Kind> {
        let &(index, _) = self.solid.get(self.position.checked_sub(1)?)?;
        Some(self.tokens[index as usize].kind)
    }

    /// The kind of the token `ahead` tokens ahead.
    pub(crate) fn kind(&self, ahead: usize) -> Option<Kind> {
        self.token(ahead).map(|token| token.kind)
    }

    /// The keyword `ahead` tokens ahead.
    pub(crate) fn word(&self, ahead: usize) -> Option<Word> {
        self.solid.get(self.position + ahead).and_then(|&(_, word)| word)
    }

    /// The text of the current token, empty at the end.
    pub(crate) fn current(&self) -> &'t str {
        self.text_at(0)
    }

    /// The text of the token `ahead` tokens ahead, empty after the end.
    pub(crate) fn text_at(&self, ahead: usize) -> &'t str {
        self.token(ahead).map_or("", |token| &self.text[token.span.range()])
    }

    /// The span of the current token; at the end, the empty span after the text.
    pub(crate) fn span(&self) -> Span {
        self.span_at(0)
    }

    /// The span from an earlier token position up to the current token, exclusive.
    pub(crate) fn span_since(&self, position: usize) -> Span {
        match (self.solid.get(position), self.solid.get(self.position.max(1) - 1)) {
            (Some(&(first, _)), Some(&(last, _))) if position < self.position => {
                self.tokens[first as usize].span.to(self.tokens[last as usize].span)
            }
            _ => self.span(),
        }
    }

    /// The span of the token `ahead` tokens ahead; after the end, the empty span after the text.
    pub(crate) fn span_at(&self, ahead: usize) -> Span {
        self.token(ahead).map_or_else(|| Span::new(self.text_end(), self.text_end()), |token| token.span)
    }

    fn text_end(&self) -> u32 {
        self.solid.last().map_or(0, |&(index, _)| self.tokens[index as usize].span.end)
    }

    pub(crate) fn text_of(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }

    /// The number of tokens read.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn at(&self, kind: Kind) -> bool {
        self.kind(0) == Some(kind)
    }

    pub(crate) fn at_word(&self, word: Word) -> bool {
        self.word(0) == Some(word)
    }

    /// The distance to the first token that spells this keyword.
    pub(crate) fn find_word(&self, word: Word) -> Option<usize> {
        self.solid[self.position.min(self.solid.len())..].iter().position(|&(_, found)| found == Some(word))
    }

    /// Treats the current token as this keyword from now on.
    pub(crate) fn treat_as(&mut self, word: Word) {
        if let Some(entry) = self.solid.get_mut(self.position) {
            entry.1 = Some(word);
        }
    }

    pub(crate) fn bump(&mut self) {
        self.bump_by(1);
    }

    pub(crate) fn bump_by(&mut self, count: usize) {
        self.position = self.position.saturating_add(count).min(self.solid.len());
    }

    pub(crate) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        self.position += usize::from(found);
        found
    }

    pub(crate) fn eat_word(&mut self, word: Word) -> bool {
        let found = self.at_word(word);
        self.position += usize::from(found);
        found
    }

    /// The index of the current token among all tokens.
    fn here(&self) -> u32 {
        self.solid.get(self.position).map_or(self.tokens.len() as u32, |&(index, _)| index)
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { node: self.nodes.len(), token: self.here() }
    }

    pub(crate) fn open(&mut self, kind: Kind) -> Open {
        let first = self.here();
        self.nodes.push(Node { kind, first, last: first, end: 0 });
        Open(self.nodes.len() - 1)
    }

    /// Opens a node around everything read since the mark.
    pub(crate) fn open_at(&mut self, mark: Mark, kind: Kind) -> Open {
        self.nodes.insert(mark.node, Node { kind, first: mark.token, last: mark.token, end: 0 });
        for node in &mut self.nodes[mark.node + 1..] {
            node.end += 1;
        }
        Open(mark.node)
    }

    pub(crate) fn close(&mut self, open: &Open) {
        let end = self.nodes.len() as u32;
        let last = self.solid.get(self.position.max(1) - 1).map_or(0, |&(index, _)| index + 1);
        let node = &mut self.nodes[open.0];
        node.end = end;
        node.last = last.max(node.first);
    }

    /// Reads one token into an error node.
    pub(crate) fn skip_one(&mut self) {
        let error = self.open(Kind::Error);
        self.bump();
        self.close(&error);
    }

    /// Reads the next `ahead` tokens into an error node.
    pub(crate) fn skip(&mut self, ahead: usize) {
        if ahead > 0 {
            let error = self.open(Kind::Error);
            self.bump_by(ahead);
            self.close(&error);
        }
    }

    /// Leaves the rest of the text unparsed.
    pub(crate) fn give_up(&mut self) {
        self.skip(usize::MAX);
        self.gave_up = true;
    }

    /// Reports a finding. A second error at the same position would only be a consequence of the first.
    pub(crate) fn report(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<Hint>,
    ) {
        let consequence = |earlier: &Diagnostic| {
            earlier.span.start == span.start && [earlier.severity(), code.severity()] == [Severity::Error; 2]
        };
        let listed = self.diagnostics.len();
        if self.gave_up || listed > MAX_ERRORS || self.diagnostics.iter().any(consequence) {
            return;
        }
        let diagnostic = if listed < MAX_ERRORS {
            Diagnostic::new(code, span, message, hint)
        } else {
            let message = format!("more than {MAX_ERRORS} errors; the rest is not listed");
            Diagnostic::new(codes::TOO_MANY_ERRORS, span, message, "fix the first ones and check again")
        };
        self.diagnostics.push(diagnostic);
    }

    /// The places of all tokens of a kind.
    pub(crate) fn spans(&self, kind: Kind) -> Vec<Span> {
        self.tokens.iter().filter(|token| token.kind == kind).map(|token| token.span).collect()
    }

    /// Whether such a diagnostic has been reported.
    pub(crate) fn has(&self, code: Code) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.code == code)
    }

    /// Reports unsupported quotation marks, and an unclosed one.
    fn check_quotes(&mut self) {
        for index in 0..self.tokens.len() {
            let Token { kind, span } = self.tokens[index];
            let text = self.text_of(span);
            if self.language != Language::SysReq && kind == Kind::Quoted && !text.starts_with('"') {
                let message = format!("{text} is not in double quotes");
                let hint = Hint::replace_with(format!("\"{}\"", crate::ast::name(text)));
                self.report(codes::UNKNOWN_CHARACTER, span, message, hint);
            }
        }
        let open = self.tokens.last().filter(|token| {
            let text = &self.text[token.span.range()];
            token.kind == Kind::Quoted && text.starts_with('"') && !crate::ast::is_closed(text)
        });
        if let Some(&Token { span, .. }) = open {
            let start = Span::new(span.start, span.start + 1);
            let message = "this quotation mark is never closed";
            let hint = "add the closing `\"`";
            self.report(codes::UNCLOSED_QUOTE, start, message, hint);
        }
    }
}
