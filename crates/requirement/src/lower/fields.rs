//! The fields of a sentence as text, each with its span: what a reader checks first.

use super::is_predefined;
use syntax::fretish::{Join, Qualifier, Sentence};
use syntax::{Expr, Infix, Kind, NodeRef, Span, Tree};

/// A field: its text and span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The field's text. Expressions are in normal form: `&` for `and`, `p => q` for `if p then q`.
    pub text: String,
    /// Its span in the sentence.
    pub span: Span,
}

/// The fields of a sentence, as far as they could be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields {
    /// The whole scope, as written.
    pub scope: Option<Field>,
    /// The mode's expression.
    pub scope_mode: Option<Field>,
    /// The condition's expression: its clauses folded, `unless` negated. The span covers the clauses with their keywords.
    pub condition: Option<Field>,
    /// The component's name.
    pub component: Option<Field>,
    /// `with probability …`, as written.
    pub probability: Option<Field>,
    /// The whole timing, as written.
    pub timing: Option<Field>,
    /// The number or constant of the duration.
    pub duration: Option<Field>,
    /// The stop expression.
    pub stop: Option<Field>,
    /// The response's expression.
    pub response: Option<Field>,
    /// The phrases, each with the name that it stands for, once and in order.
    pub phrases: Vec<(String, String)>,
}

/// A name in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The name, without quotes.
    pub name: String,
    /// Its span in the text.
    pub span: Span,
    /// Whether it is called: `f(x)`.
    pub called: bool,
    /// Whether a phrase stands for it.
    pub phrased: bool,
}

/// The names in the expressions of a text, in order, except predefined ones.
pub fn occurrences(tree: &Tree) -> Vec<Occurrence> {
    let occurrence = |node: NodeRef| match (node.kind(), Expr::of(node)) {
        (Kind::NameRef, Expr::Name(name)) if name != "FTP" => {
            let phrased = node.phrase().is_some();
            Some(Occurrence { name: name.into_owned(), span: node.span(), called: false, phrased })
        }
        (Kind::Call, Expr::Call(name, span, arguments)) if !is_predefined(&name, arguments.len()) => {
            Some(Occurrence { name: name.into_owned(), span, called: true, phrased: false })
        }
        _ => None,
    };
    let mut names: Vec<Occurrence> = tree.nodes().filter_map(occurrence).collect();
    names.sort_by_key(|occurrence| occurrence.span.start);
    names
}

impl Fields {
    /// All fields with their names.
    pub fn named(&self) -> [(&'static str, &Option<Field>); 9] {
        [
            ("scope", &self.scope),
            ("scope_mode", &self.scope_mode),
            ("condition", &self.condition),
            ("component", &self.component),
            ("probability", &self.probability),
            ("timing", &self.timing),
            ("duration", &self.duration),
            ("stop", &self.stop),
            ("response", &self.response),
        ]
    }

    /// The fields of a sentence.
    pub fn of(sentence: Sentence) -> Fields {
        let written = |node: NodeRef| Field {
            text: node.text().split_whitespace().collect::<Vec<_>>().join(" "),
            span: node.span(),
        };
        let expression = |node: NodeRef| Field { text: spelled(node), span: node.span() };
        let scope = sentence.scope();
        let timing = sentence.timing();
        let mut phrases: Vec<(String, String)> = Vec::new();
        for (phrase, name) in sentence.phrases() {
            if phrases.iter().all(|(_, known)| known != name) {
                phrases.push((phrase.split_whitespace().collect::<Vec<_>>().join(" "), name.to_owned()));
            }
        }
        Fields {
            phrases,
            scope: scope.map(|scope| written(scope.node)),
            scope_mode: scope.and_then(|scope| scope.mode).map(expression),
            condition: sentence
                .condition()
                .map(|node| Field { text: condition(sentence), span: node.span() })
                .filter(|field| !field.text.is_empty()),
            component: sentence.component().map(|(name, span)| Field { text: name.into_owned(), span }),
            probability: sentence.probability().map(written),
            timing: timing.map(|timing| written(timing.node)),
            duration: timing
                .and_then(|timing| timing.duration)
                .map(|d| Field { text: d.amount.to_string(), span: d.span }),
            stop: timing.and_then(|timing| timing.stop).map(expression),
            response: sentence.response().map(expression),
        }
    }
}

fn condition(sentence: Sentence) -> String {
    let mut folded = String::new();
    for clause in sentence.clauses() {
        let text = clause.expression.map_or(String::new(), spelled);
        let text = if clause.qualifier == Qualifier::Unless { format!("!({text})") } else { text };
        folded = match (folded.is_empty(), clause.join) {
            (true, _) => text,
            (false, Join::And) => format!("({folded}) & ({text})"),
            (false, Join::Or) => format!("({folded}) | ({text})"),
        };
    }
    folded
}

/// An expression in normal form, with the user's parentheses.
fn spelled(node: NodeRef) -> String {
    let mut out = String::new();
    spell(node, true, &mut out);
    out
}

/// `alone`: there is nothing next to the expression that could bind a part of it.
fn spell(node: NodeRef, alone: bool, out: &mut String) {
    if node.kind() == Kind::Paren {
        out.push('(');
        if let Some(inner) = node.children().next() {
            spell(inner, true, out);
        }
        out.push(')');
        return;
    }
    match Expr::of(node) {
        Expr::Infix(operands, operators) => {
            for (index, operand) in operands.into_iter().enumerate() {
                if let Some(&(operator, _)) = index.checked_sub(1).and_then(|index| operators.get(index)) {
                    out.push(' ');
                    out.push_str(symbol(operator));
                    out.push(' ');
                }
                spell(operand, false, out);
            }
        }
        Expr::IfThen(p, q) => {
            out.push_str(if alone { "" } else { "(" });
            spell(p, false, out);
            out.push_str(" => ");
            spell(q, false, out);
            out.push_str(if alone { "" } else { ")" });
        }
        Expr::Not(operand) => {
            out.push('!');
            spell(operand, false, out);
        }
        Expr::Minus(operand) => {
            out.push('-');
            spell(operand, false, out);
        }
        Expr::Is(operand, true) => spell(operand, alone, out),
        Expr::Is(operand, false) => {
            out.push_str("!(");
            spell(operand, true, out);
            out.push(')');
        }
        Expr::Call(_, span, arguments) => {
            call(&node.text()[..(span.end - span.start) as usize], &arguments, out)
        }
        Expr::Occurrence { previous, event, then } => {
            call(if previous { "prevOcc" } else { "nextOcc" }, &[event, then], out)
        }
        Expr::Truth(truth) => out.push_str(if truth { "true" } else { "false" }),
        // A phrase is several words: after `!` and beside a sign, parentheses show where it ends.
        Expr::Name(_) if node.phrase().is_some() => {
            let words = node.text().split_whitespace().collect::<Vec<_>>().join(" ");
            out.push_str(&if alone { words } else { format!("({words})") });
        }
        Expr::Name(_)
        | Expr::Number(_)
        | Expr::TemporalPrefix(..)
        | Expr::TemporalInfix(..)
        | Expr::Error => out.push_str(node.text()),
    }
}

fn call(name: &str, arguments: &[NodeRef], out: &mut String) {
    out.push_str(name);
    out.push('(');
    for (index, &argument) in arguments.iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        spell(argument, true, out);
    }
    out.push(')');
}

fn symbol(operator: Infix) -> &'static str {
    match operator {
        Infix::Iff => "<=>",
        Infix::Implies => "=>",
        Infix::Xor => "xor",
        Infix::Or => "|",
        Infix::And => "&",
        Infix::Less => "<",
        Infix::LessEqual => "<=",
        Infix::Greater => ">",
        Infix::GreaterEqual => ">=",
        Infix::Equal => "=",
        Infix::NotEqual => "!=",
        Infix::Add => "+",
        Infix::Subtract => "-",
        Infix::Multiply => "*",
        Infix::Divide => "/",
        Infix::Modulo => "mod",
        Infix::Power => "^",
    }
}
