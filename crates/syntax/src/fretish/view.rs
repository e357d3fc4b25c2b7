//! The fields of a sentence's tree. Every field is optional here: the view of an invalid sentence contains what could be parsed.

use crate::ast;
use crate::word::Word;
use crate::{Kind, NodeRef, Span, Tree};
use std::borrow::Cow;

/// A sentence with its fields.
#[derive(Debug, Clone, Copy)]
pub struct Sentence<'t> {
    root: NodeRef<'t>,
}

/// The kinds of scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ScopeKind {
    In,
    NotIn,
    Before,
    After,
    OnlyIn,
    OnlyBefore,
    OnlyAfter,
}

/// A scope as written.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'t> {
    /// The whole field.
    pub node: NodeRef<'t>,
    /// The kind of scope.
    pub kind: ScopeKind,
    /// The mode's expression.
    pub mode: Option<NodeRef<'t>>,
}

/// The keyword that opens a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Qualifier {
    /// `when`, `if`, `upon`, `where`
    When,
    /// `whenever`
    Whenever,
    /// `unless`
    Unless,
}

/// What joins a clause to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Join {
    And,
    Or,
}

/// One clause of a condition.
#[derive(Debug, Clone, Copy)]
pub struct Clause<'t> {
    /// How it joins the clauses before it; meaningless for the first.
    pub join: Join,
    /// The keyword that opens it.
    pub qualifier: Qualifier,
    /// Its expression.
    pub expression: Option<NodeRef<'t>>,
}

/// The kinds of timing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TimingWord {
    Immediately,
    Next,
    Finally,
    Eventually,
    Always,
    Never,
    Within,
    For,
    After,
    Until,
    Before,
}

/// A timing as written.
#[derive(Debug, Clone, Copy)]
pub struct Timing<'t> {
    /// The whole field.
    pub node: NodeRef<'t>,
    /// The kind of timing.
    pub word: TimingWord,
    /// The duration, for the timings that have one.
    pub duration: Option<Duration<'t>>,
    /// The stop expression of `until` and `before`.
    pub stop: Option<NodeRef<'t>>,
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Unit {
    Tick,
    Microsecond,
    Millisecond,
    Second,
    Minute,
    Hour,
}

/// A duration as written.
#[derive(Debug, Clone, Copy)]
pub struct Duration<'t> {
    /// The whole duration.
    pub node: NodeRef<'t>,
    /// The number or the constant's name, with its sign.
    pub amount: &'t str,
    /// The span of the amount.
    pub span: Span,
    /// Whether the amount is a named constant.
    pub named: bool,
    /// The unit, if one is given.
    pub unit: Option<Unit>,
}

impl Unit {
    fn of(text: &str) -> Option<Unit> {
        Some(match Word::of(text)? {
            Word::Tick => Unit::Tick,
            Word::Microsecond => Unit::Microsecond,
            Word::Millisecond => Unit::Millisecond,
            Word::Second => Unit::Second,
            Word::Minute => Unit::Minute,
            Word::Hour => Unit::Hour,
            _ => return None,
        })
    }

    /// The unit with this name, such as `ms`.
    pub fn parse(text: &str) -> Option<Unit> {
        Unit::of(text.trim())
    }

    /// The plural of the unit's name.
    pub fn plural(self) -> &'static str {
        match self {
            Unit::Tick => "ticks",
            Unit::Microsecond => "microseconds",
            Unit::Millisecond => "milliseconds",
            Unit::Second => "seconds",
            Unit::Minute => "minutes",
            Unit::Hour => "hours",
        }
    }
}

impl<'t> Sentence<'t> {
    /// The view of a tree made by [`super::parse`].
    pub fn of(tree: &'t Tree) -> Sentence<'t> {
        Sentence { root: tree.root() }
    }

    /// The text of a sentence that is entirely quoted.
    pub fn freeform(self) -> Option<Cow<'t, str>> {
        self.root.child(Kind::Freeform).map(|node| ast::name(node.text()))
    }

    /// The scope.
    pub fn scope(self) -> Option<Scope<'t>> {
        let node = self.root.child(Kind::Scope)?;
        let has = |word| node.own_tokens().any(|(_, _, text)| Word::of(text) == Some(word));
        let kind = match (has(Word::Before), has(Word::After), has(Word::Only)) {
            (true, _, false) => ScopeKind::Before,
            (true, _, true) => ScopeKind::OnlyBefore,
            (_, true, false) => ScopeKind::After,
            (_, true, true) => ScopeKind::OnlyAfter,
            (false, false, true) => ScopeKind::OnlyIn,
            (false, false, false) if has(Word::Except) || has(Word::Unless) || has(Word::Not) => {
                ScopeKind::NotIn
            }
            (false, false, false) => ScopeKind::In,
        };
        Some(Scope { node, kind, mode: expression(node) })
    }

    /// The condition's node.
    pub fn condition(self) -> Option<NodeRef<'t>> {
        self.root.child(Kind::Condition)
    }

    /// The clauses of the condition.
    pub fn clauses(self) -> Vec<Clause<'t>> {
        let Some(condition) = self.condition() else { return Vec::new() };
        let mut joints = condition.own_tokens().peekable();
        condition
            .children()
            .filter(|child| child.kind() == Kind::Clause)
            .map(|node| {
                let mut join = Join::And;
                while let Some((_, _, text)) = joints.next_if(|(_, span, _)| span.start < node.span().start) {
                    if Word::of(text) == Some(Word::Or) {
                        join = Join::Or;
                    }
                }
                let qualifier = match node.own_tokens().next().and_then(|(_, _, text)| Word::of(text)) {
                    Some(Word::Whenever) => Qualifier::Whenever,
                    Some(Word::Unless) => Qualifier::Unless,
                    _ => Qualifier::When,
                };
                Clause { join, qualifier, expression: expression(node) }
            })
            .collect()
    }

    /// The component's name, and its span without the article.
    pub fn component(self) -> Option<(Cow<'t, str>, Span)> {
        let node = self.root.child(Kind::Component)?;
        let mut tokens = node.own_tokens().peekable();
        let head = tokens.next()?;
        let article = Word::of(head.2) == Some(Word::The);
        let first = if article { tokens.next().unwrap_or(head) } else { head };
        match tokens.last() {
            None => Some((ast::name(first.2), first.1)),
            Some(last) => {
                let inner = first.1.start - node.span().start;
                Some((Cow::Borrowed(&node.text()[inner as usize..]), first.1.to(last.1)))
            }
        }
    }

    /// The phrases as written, each with the name that it stands for.
    pub fn phrases(self) -> impl Iterator<Item = (&'t str, &'t str)> {
        let tree = self.root.tree();
        tree.phrases().map(|(span, name)| (&tree.text()[span.range()], name))
    }

    /// `with probability …`
    pub fn probability(self) -> Option<NodeRef<'t>> {
        self.root.child(Kind::Probability)
    }

    /// The timing; a sentence without one means `eventually`.
    pub fn timing(self) -> Option<Timing<'t>> {
        let node = self.root.child(Kind::Timing)?;
        let words: Vec<Word> = node.own_tokens().filter_map(|(_, _, text)| Word::of(text)).collect();
        let word = match *words.first()? {
            Word::Immediately | Word::Initially => TimingWord::Immediately,
            Word::At if words.contains(&Word::Next) => TimingWord::Next,
            Word::At if words.contains(&Word::Last) => TimingWord::Finally,
            Word::At if words.contains(&Word::First) || words.contains(&Word::Same) => {
                TimingWord::Immediately
            }
            Word::Finally => TimingWord::Finally,
            Word::Eventually => TimingWord::Eventually,
            Word::Always => TimingWord::Always,
            Word::Never => TimingWord::Never,
            Word::Within => TimingWord::Within,
            Word::For => TimingWord::For,
            Word::After => TimingWord::After,
            Word::Until => TimingWord::Until,
            Word::Before => TimingWord::Before,
            _ => return None,
        };
        let stop = matches!(word, TimingWord::Until | TimingWord::Before).then(|| expression(node)).flatten();
        Some(Timing { node, word, duration: node.child(Kind::Duration).and_then(duration), stop })
    }

    /// The response's expression.
    pub fn response(self) -> Option<NodeRef<'t>> {
        self.root.child(Kind::Response).and_then(expression)
    }
}

/// The expression among a field's children.
fn expression(node: NodeRef) -> Option<NodeRef> {
    node.children().find(|child| child.kind() != Kind::Error)
}

fn duration(node: NodeRef) -> Option<Duration> {
    if node.children().next().is_some() {
        return None;
    }
    let mut tokens = node.own_tokens().peekable();
    let sign = tokens.next_if(|&(kind, ..)| kind == Kind::Minus);
    let (kind, span, amount) = tokens.next()?;
    let unit = tokens.next().and_then(|(_, _, text)| Unit::of(text));
    let (amount, span) = match sign {
        Some((_, sign, _)) => (&node.text()[..(span.end - sign.start) as usize], sign.to(span)),
        None => (node.tree().phrase_at(span.start).unwrap_or(amount), span),
    };
    Some(Duration { node, amount, span, named: kind != Kind::Number, unit })
}
