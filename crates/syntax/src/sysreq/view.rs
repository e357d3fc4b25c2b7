//! The phrases of a sentence's tree. Every part is optional here: the view of an invalid sentence contains what could be parsed.
//! After `or`, a condition without a subject has the subject and the verb of the previous one.

use super::action::ActionVerb;
use super::key::Key;
use crate::{Kind, NodeRef, Span, Tree, ast};

/// The forms of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// `When …, the system shall …`
    Requirement,
    /// `The lever never changes from left to right.`
    Environment,
    /// `Initially, the system mode is idle.`
    Initial,
}

/// A sentence with its phrases.
#[derive(Debug, Clone)]
pub struct Sentence<'t> {
    /// Its form.
    pub form: Form,
    /// A conjunction of disjunctions of conditions.
    pub guard: Vec<Vec<Condition<'t>>>,
    /// The component that acts.
    pub agent: Option<Phrase<'t>>,
    /// Its actions.
    pub actions: Vec<Action<'t>>,
    /// What never happens, or the initial values.
    pub facts: Vec<Condition<'t>>,
}

/// A condition as written.
#[derive(Debug, Clone)]
pub struct Condition<'t> {
    /// The whole condition.
    pub node: NodeRef<'t>,
    /// Its subject.
    pub subject: Option<Phrase<'t>>,
    /// The verb's node.
    pub verb_node: Option<NodeRef<'t>>,
    /// The verb.
    pub verb: Verb,
    /// `not` and the comparison.
    pub modifier: Option<NodeRef<'t>>,
    /// Whether it contains `not`.
    pub not: bool,
    /// The comparison.
    pub comparative: Comparative,
    /// The value after `from`.
    pub from: Option<Value<'t>>,
    /// The value.
    pub value: Option<Value<'t>>,
}

/// The verb of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verb {
    /// `is`, `are`: now.
    Is,
    /// `was`, `were`: before.
    Was,
    /// `changes`: not before, but now.
    Changes,
    /// `becomes`: the same as `changes to`.
    Becomes,
}

/// The kinds of comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Comparative {
    Lower,
    LowerOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Different,
}

/// A value as written: operands, each with the operator before it.
#[derive(Debug, Clone)]
pub struct Value<'t> {
    /// The whole value.
    pub node: NodeRef<'t>,
    /// The operands; `Plus` before the first.
    pub operands: Vec<(Arithmetic, Operand<'t>)>,
}

/// The operators between operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Arithmetic {
    Plus,
    Minus,
    Times,
}

/// One operand of a value.
#[derive(Debug, Clone)]
pub enum Operand<'t> {
    /// A number with its sign.
    Number(String, Span),
    /// `true` or `false`.
    Truth(bool, Span),
    /// Words: the name of a value or, with an article, possibly a variable.
    Phrase(Phrase<'t>),
}

/// A noun phrase.
#[derive(Debug, Clone)]
pub struct Phrase<'t> {
    /// The whole phrase, with its article.
    pub node: NodeRef<'t>,
    /// Whether it has an article.
    pub article: bool,
    /// Whether a part of it is in quotation marks.
    pub quoted: bool,
    /// The words without the article and quotation marks, in lower case, with single spaces between them.
    pub words: String,
}

/// An action as written.
#[derive(Debug, Clone)]
pub struct Action<'t> {
    /// The whole action.
    pub node: NodeRef<'t>,
    /// The verb's node.
    pub verb_node: NodeRef<'t>,
    /// The verb.
    pub verb: ActionVerb,
    /// The variable that it changes.
    pub patient: Option<Phrase<'t>>,
    /// The value.
    pub value: Option<Value<'t>>,
}

impl<'t> Sentence<'t> {
    /// The view of a tree made by [`super::parse`].
    pub fn of(tree: &'t Tree) -> Sentence<'t> {
        let root = tree.root();
        let (form, holder) = match (root.child(Kind::Environment), root.child(Kind::Initial)) {
            (Some(node), _) => (Form::Environment, Some(node)),
            (None, Some(node)) => (Form::Initial, Some(node)),
            (None, None) => (Form::Requirement, None),
        };
        let of_kind = |node: NodeRef<'t>, kind| node.children().filter(move |child| child.kind() == kind);
        Sentence {
            form,
            guard: root.child(Kind::Guard).map_or(Vec::new(), |guard| {
                of_kind(guard, Kind::Disjunction).map(|node| conditions(node)).collect()
            }),
            agent: root.child(Kind::Agent).map(phrase),
            actions: of_kind(root, Kind::Action).filter_map(action).collect(),
            facts: holder.map_or(Vec::new(), |node| of_kind(node, Kind::Comparison).map(condition).collect()),
        }
    }
}

/// The conditions of a disjunction; omitted parts are taken from the previous one.
fn conditions(node: NodeRef) -> Vec<Condition> {
    let mut conditions: Vec<Condition> = Vec::new();
    for child in node.children().filter(|child| child.kind() == Kind::Comparison) {
        let mut found = condition(child);
        if let (None, None, Some(earlier)) = (&found.subject, found.verb_node, conditions.last()) {
            found.subject = earlier.subject.clone();
            found.verb_node = earlier.verb_node;
            found.verb = earlier.verb;
            found.from = earlier.from.clone();
        }
        conditions.push(found);
    }
    conditions
}

fn condition(node: NodeRef) -> Condition {
    let verb_node = node.child(Kind::Verb);
    let verb = match verb_node.and_then(|verb| Key::of(verb.text())) {
        Some(Key::Was) => Verb::Was,
        Some(Key::Changes | Key::Change) => Verb::Changes,
        Some(Key::Becomes) => Verb::Becomes,
        _ => Verb::Is,
    };
    let modifier = node.child(Kind::Modifier);
    let (not, comparative) = modifier.map_or((false, Comparative::Equal), comparative);
    Condition {
        node,
        subject: node.child(Kind::NounPhrase).map(phrase),
        verb_node,
        verb,
        modifier,
        not,
        comparative,
        from: node.child(Kind::FromValue).map(value),
        value: node.child(Kind::Value).map(value),
    }
}

fn comparative(modifier: NodeRef) -> (bool, Comparative) {
    let words = || modifier.own_tokens().map(|(_, _, text)| text);
    let has = |key| words().any(|text| Key::of(text) == Some(key));
    let bound = |word: &str| words().any(|text| text.eq_ignore_ascii_case(word));
    let comparative = match (has(Key::Greater), has(Key::Lower), has(Key::Equal)) {
        (true, _, true) => Comparative::GreaterOrEqual,
        (true, _, false) => Comparative::Greater,
        (false, true, true) => Comparative::LowerOrEqual,
        (false, true, false) => Comparative::Lower,
        (false, false, _) if has(Key::Different) => Comparative::Different,
        (false, false, _) if bound("least") => Comparative::GreaterOrEqual,
        (false, false, _) if bound("most") => Comparative::LowerOrEqual,
        (false, false, _) => Comparative::Equal,
    };
    (has(Key::Not), comparative)
}

fn value(node: NodeRef) -> Value {
    let mut joints = node.own_tokens().peekable();
    let mut operands = Vec::new();
    for child in node.children().filter(|child| child.kind() == Kind::Operand) {
        let mut joint = Arithmetic::Plus;
        while let Some((kind, _, text)) = joints.next_if(|(_, span, _)| span.start < child.span().start) {
            joint = match (kind, Key::of(text)) {
                (Kind::Minus, _) | (_, Some(Key::Minus)) => Arithmetic::Minus,
                (Kind::Star, _) | (_, Some(Key::Times)) => Arithmetic::Times,
                _ => Arithmetic::Plus,
            };
        }
        operands.push((joint, operand(child)));
    }
    Value { node, operands }
}

fn operand(node: NodeRef) -> Operand {
    let tokens: Vec<_> = node.own_tokens().collect();
    match tokens[..] {
        [(Kind::Number, span, text)] => Operand::Number(text.to_string(), span),
        [(Kind::Minus, sign, _), (Kind::Number, span, text)] => {
            Operand::Number(format!("-{text}"), sign.to(span))
        }
        [(Kind::Plus, sign, _), (Kind::Number, span, text)] => {
            Operand::Number(text.to_string(), sign.to(span))
        }
        _ => {
            let phrase = phrase(node);
            match phrase.words.as_str() {
                "true" => Operand::Truth(true, node.span()),
                "false" => Operand::Truth(false, node.span()),
                _ => Operand::Phrase(phrase),
            }
        }
    }
}

fn action(node: NodeRef) -> Option<Action> {
    let verb_node = node.child(Kind::Verb)?;
    Some(Action {
        node,
        verb_node,
        verb: ActionVerb::of(verb_node.text())?,
        patient: node.child(Kind::NounPhrase).map(phrase),
        value: node.child(Kind::Value).map(value),
    })
}

fn phrase(node: NodeRef) -> Phrase {
    let mut tokens = node.own_tokens().peekable();
    let head = tokens.next_if(|&(_, _, text)| Key::of(text) == Some(Key::Article));
    // A single letter is a name: `a is true`.
    let article = head.filter(|_| tokens.peek().is_some());
    let mut words = String::new();
    let mut quoted = false;
    let mut end = None;
    for (kind, span, text) in article.is_none().then_some(head).flatten().into_iter().chain(tokens) {
        if end.is_some_and(|end| end != span.start) {
            words.push(' ');
        }
        end = Some(span.end);
        quoted |= kind == Kind::Quoted;
        let text = if kind == Kind::Quoted { ast::name(text) } else { text.into() };
        words.push_str(&text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase());
    }
    Phrase { node, article: article.is_some(), quoted, words }
}
