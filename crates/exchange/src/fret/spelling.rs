//! Expressions and names as FRET spells them in its records: the tokens of the sentence with a space between them,
//! `p => q` for `if p then q`. What FRET cannot read (`and`, `not`, `≤`) is respelled.

use syntax::fretish::{Sentence, parse};
use syntax::{Expr, Infix, Kind, NodeRef, Severity, Word};

/// Names that every sentence may use and that are not variables.
const PREDEFINED: [&str; 18] = [
    "persisted",
    "occurred",
    "persists",
    "occurs",
    "prevOcc",
    "nextOcc",
    "preBool",
    "preInt",
    "preReal",
    "absReal",
    "absInt",
    "minReal",
    "minInt",
    "maxReal",
    "maxInt",
    "FTP",
    "LAST",
    "ite",
];

/// What a sentence is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mentions {
    /// The component, as written.
    pub component: String,
    /// The variables and functions, as written, in the order of the sentence, each once.
    pub variables: Vec<String>,
}

/// What a sentence is about; nothing if it cannot be read, or is a note.
pub fn mentions(text: &str) -> Option<Mentions> {
    let parse = parse(trimmed(text));
    let wrong = parse.diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error);
    let component = component(parse.tree.root())?;
    (!wrong).then(|| Mentions { component, variables: variables(Sentence::of(&parse.tree)) })
}

/// The text that positions count in: without white space around it and without its final dot.
pub(super) fn trimmed(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix('.').map_or(text, str::trim_end)
}

/// The component as written, without its article.
pub(super) fn component(root: NodeRef) -> Option<String> {
    let node = root.child(Kind::Component)?;
    let start = node.own_tokens().find(|(_, _, text)| Word::of(text) != Some(Word::The))?.1.start;
    node.text().get((start - node.span().start) as usize..).map(str::to_string)
}

/// The names in the order in which FRET finds them.
pub(super) fn variables(sentence: Sentence) -> Vec<String> {
    let clauses = sentence.clauses();
    let scope = sentence.scope().and_then(|scope| scope.mode);
    let stop = sentence.timing().and_then(|timing| timing.stop);
    let conditions = clauses.iter().filter_map(|clause| clause.expression);
    let expressions = scope.into_iter().chain(conditions).chain(stop).chain(sentence.response());
    let mut names: Vec<String> = Vec::new();
    let mut open: Vec<NodeRef> = Vec::new();
    for expression in expressions {
        open.push(expression);
        while let Some(node) = open.pop() {
            let name = match node.kind() {
                Kind::NameRef => Some(node.text()),
                Kind::Call => node.own_tokens().next().map(|(_, _, text)| text),
                _ => None,
            };
            let known = |name: &&str| PREDEFINED.contains(name) || names.iter().any(|known| known == name);
            if let Some(name) = name.filter(|name| !known(name)) {
                names.push(name.to_string());
            }
            let first = open.len();
            open.extend(node.children());
            open[first..].reverse();
        }
    }
    names
}

/// An expression in FRET's spelling.
pub(super) fn spelled(node: NodeRef) -> String {
    let mut tokens = Vec::new();
    spell(node, true, &mut tokens);
    tokens.join(" ")
}

/// `alone`: nothing is next to the expression that could bind a part of it. Nesting is limited by the parser.
fn spell(node: NodeRef, alone: bool, out: &mut Vec<String>) {
    match (node.kind(), Expr::of(node)) {
        (Kind::IfThen, Expr::IfThen(p, q)) => enclosed(!alone, out, |out| {
            let loose = p.kind() == Kind::IfThen
                || p.kind() == Kind::Infix
                    && matches!(Expr::of(p), Expr::Infix(_, operators)
                        if operators.iter().any(|(operator, _)| matches!(operator, Infix::Implies | Infix::Iff)));
            enclosed(loose, out, |out| spell(p, true, out));
            out.push("=>".into());
            spell(q, alone, out);
        }),
        (Kind::Is, Expr::Is(operand, true)) => spell(operand, alone, out),
        (Kind::Is, Expr::Is(operand, false)) => {
            out.push("!".into());
            enclosed(true, out, |out| spell(operand, true, out));
        }
        // A sign that touches its number is one token with it.
        (Kind::Prefix, Expr::Minus(operand))
            if operand.kind() == Kind::Literal && operand.span().start == node.span().start + 1 =>
        {
            out.push(format!("-{}", operand.text()));
        }
        (Kind::Truth, Expr::Truth(truth)) => out.push(truth.to_string()),
        (kind, _) => {
            let mut tokens = node.own_tokens().peekable();
            let inside = matches!(kind, Kind::Paren | Kind::Call);
            for child in node.children() {
                let start = child.span().start;
                while let Some(token) = tokens.next_if(|(_, span, _)| span.start < start) {
                    out.push(symbol(kind, token.0, token.2).to_string());
                }
                spell(child, inside, out);
            }
            out.extend(tokens.map(|token| symbol(kind, token.0, token.2).to_string()));
        }
    }
}

fn enclosed(parentheses: bool, out: &mut Vec<String>, inner: impl FnOnce(&mut Vec<String>)) {
    if parentheses {
        out.push("(".into());
    }
    inner(out);
    if parentheses {
        out.push(")".into());
    }
}

/// A token in the spelling that FRET reads.
fn symbol(node: Kind, token: Kind, text: &str) -> &str {
    match token {
        Kind::Bang => "!",
        Kind::And => "&",
        Kind::Or => "|",
        Kind::Xor => "xor",
        Kind::Implies if !text.is_ascii() => "=>",
        Kind::Iff if !text.is_ascii() => "<=>",
        Kind::LessEqual => "<=",
        Kind::GreaterEqual => ">=",
        Kind::Equal => "=",
        Kind::NotEqual | Kind::LessGreater => "!=",
        Kind::Minus => "-",
        Kind::Star => "*",
        Kind::Name if matches!(node, Kind::Infix | Kind::Prefix) => match Word::of(text) {
            Some(Word::And) => "&",
            Some(Word::Or) => "|",
            Some(Word::Not) => "!",
            Some(Word::Implies) => "=>",
            Some(Word::Iff) => "<=>",
            _ => text,
        },
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(text: &str) -> String {
        let parse = parse(&format!("the pump shall satisfy {text}"));
        Sentence::of(&parse.tree).response().map_or("?".into(), spelled)
    }

    #[test]
    fn expressions() {
        for (text, expected) in [
            ("x=1&!(y<-3.5)", "x = 1 & ! ( y < -3.5 )"),
            ("x - 1 > - y", "x - 1 > - y"),
            ("if p then q", "p => q"),
            ("(if p then q)", "( p => q )"),
            ("r & if p then q", "r & ( p => q )"),
            ("if a -> b then c", "( a -> b ) => c"),
            ("not p and q or TRUE", "! p & q | true"),
            ("f(x,y) ≤ 2", "f ( x , y ) <= 2"),
            ("at the previous occurrence of p, q", "at the previous occurrence of p , q"),
            ("a <-> b => c", "a <-> b => c"),
            ("\"two words\" == 3", "\"two words\" = 3"),
        ] {
            assert_eq!(response(text), expected, "{text}");
        }
    }

    #[test]
    fn names() {
        let found = mentions(
            "In hold mode when f(b, preBool(false, a)) The pump shall until s satisfy a & b + 1 > 0.",
        );
        let found = found.expect("the sentence can be read");
        assert_eq!(found.component, "pump");
        assert_eq!(found.variables, ["hold", "f", "b", "a", "s"]);
        assert_eq!(mentions("nonsense"), None);
        assert_eq!(mentions("\"a note\""), None);
    }
}
