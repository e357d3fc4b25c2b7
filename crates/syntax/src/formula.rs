//! Temporal formulas: the expressions of sentences plus temporal operators with bounds.
//!
//! | | future | past |
//! |---|---|---|
//! | prefix | `X` `N` (weak next) `F` `G`, also `[]` `<>` `□` `◇` `○` | `Y` `Z` (weak yesterday) `O` `H`, also `●` `◆` `■` |
//! | infix | `U` `R` (or `V`) `W` `M` | `S` `T` |
//!
//! Each may have a bound: `[a,b]`, `[a:b]`, `[a..b]`, `[<=n]`, `[<n]`, `[>=n]`, `[>n]`, `[=n]`, `[n]`, `[a,∞)`. A variable with the
//! name of an operator is written in double quotes. `GFa` is `G F a`, as in Spot and in papers: `F`, `G` and `X` may be written without a
//! space before an operand of one letter. Before a longer word, that would be a guess, so it is reported.

use crate::codes;
use crate::expression::{Level, at_level, expression, found};
use crate::parser::{Language, Parser, parse as parse_with};
use crate::tree::Token;
use crate::{Hint, Kind, Parse, Phrases, Span};
use std::collections::BTreeSet;

/// Parses a temporal formula.
pub fn parse(text: &str) -> Parse {
    parse_with(text, Language::Formula, &Phrases::default(), Kind::Formula, |p| {
        report_glued(p);
        expression(p);
        p.eat(Kind::Dot);
        while !p.at_end() {
            let message = format!("expected an operator or the end, found {}", found(p));
            if p.at(Kind::RightParen) {
                p.report(codes::UNMATCHED_PAREN, p.span(), "this parenthesis was never opened", "remove it");
            } else {
                let hint = "combine formulas with `&`, `|`, `->` or a temporal operator";
                p.report(codes::UNEXPECTED, p.span(), message, hint);
            }
            p.skip_one();
            if !p.at_end() {
                expression(p);
            }
        }
    })
}

/// The operators `F`, `G` and `X` before a lower-case operand in one word, and that operand: `GF` and `a` in `GFa`.
fn glued(word: &str) -> Option<(&str, &str)> {
    let operand = word.trim_start_matches(['F', 'G', 'X']);
    let operators = &word[..word.len() - operand.len()];
    let found = !operators.is_empty() && operand.starts_with(|c: char| c.is_ascii_lowercase());
    found.then_some((operators, operand))
}

/// Whether a name is one letter, perhaps with a number: `a`, `p0`, `p_1`.
fn is_letter(name: &str) -> bool {
    name.chars().skip(1).all(|c| c.is_ascii_digit() || c == '_')
}

/// Splits words such as `GFa` into their operators and their operand.
pub(crate) fn split(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    let mut split = Vec::with_capacity(tokens.len());
    for token in tokens {
        let word = (token.kind == Kind::Name).then(|| &text[token.span.range()]);
        let Some((operators, _)) = word.and_then(glued).filter(|(_, operand)| is_letter(operand)) else {
            split.push(token);
            continue;
        };
        let mut start = token.span.start;
        for _ in operators.bytes() {
            split.push(Token { kind: Kind::Name, span: Span::new(start, start + 1) });
            start += 1;
        }
        split.push(Token { kind: Kind::Name, span: Span::new(start, token.span.end) });
    }
    split
}

/// Reports longer words that begin with operators. With several operators, or if the rest is a name of the formula, it is
/// unclear what is meant; otherwise the word is a name.
fn report_glued(p: &mut Parser) {
    let spans = p.spans(Kind::Name);
    let names: BTreeSet<&str> = spans.iter().map(|&span| p.text_of(span)).collect();
    for span in spans {
        let word = p.text_of(span);
        let Some((operators, operand)) = glued(word) else { continue };
        let spaced: String = operators.chars().flat_map(|operator| [operator, ' ']).collect();
        let spaced = format!("{spaced}{operand}");
        if operators.len() > 1 || names.contains(operand) {
            let message = format!("`{word}` could be a name or `{spaced}`");
            p.report(codes::GLUED_OPERATOR, span, message, Hint::replace_with(spaced));
        } else {
            let message = format!("`{word}` is read as a name");
            let hint = format!("for the operator, write `{spaced}`; for the name, write `\"{word}\"`");
            p.report(codes::GLUED_NAME, span, message, hint);
        }
    }
}

/// Whether this text is a prefix operator.
pub(crate) fn is_prefix(text: &str) -> bool {
    matches!(text, "X" | "N" | "F" | "G" | "Y" | "Z" | "O" | "H")
}

/// Whether this text is an infix operator.
pub(crate) fn is_infix(text: &str) -> bool {
    matches!(text, "U" | "R" | "V" | "W" | "M" | "S" | "T")
}

/// Parses a prefix operator, its bound and its operand.
pub(crate) fn prefix(p: &mut Parser) {
    let node = p.open(Kind::TemporalPrefix);
    let bracket = p.at(Kind::LeftBracket);
    p.bump();
    if bracket && !p.eat(Kind::RightBracket) {
        let message = "expected `]`: `[]` means always";
        let hint = "write a bound after its operator: `G[0,3] p`";
        p.report(codes::UNEXPECTED, p.span(), message, hint);
    }
    bound(p);
    at_level(p, Level::Not);
    p.close(&node);
}

/// Parses a bound, if there is one. `X[!]` is Spot's strong next, which is our `X`.
pub(crate) fn bound(p: &mut Parser) {
    if !p.at(Kind::LeftBracket) || p.kind(1) == Some(Kind::RightBracket) {
        return;
    }
    let node = p.open(Kind::Bound);
    let start = p.position();
    p.bump();
    let well_formed = match p.kind(0) {
        Some(Kind::Bang) => {
            p.bump();
            true
        }
        Some(Kind::LessEqual | Kind::Less | Kind::GreaterEqual | Kind::Greater | Kind::Equal) => {
            p.bump();
            number(p)
        }
        _ => {
            let first = number(p);
            let separated =
                if p.eat(Kind::Dot) { p.eat(Kind::Dot) } else { p.eat(Kind::Comma) || p.eat(Kind::Colon) };
            let endless = separated && p.current() == "∞";
            p.bump_by(usize::from(endless));
            first && (!separated || endless || number(p))
        }
    };
    // An unbounded interval may be half-open: `[2,∞)`.
    let closed = p.eat(Kind::RightBracket) || p.eat(Kind::RightParen);
    if !(well_formed && closed) {
        let message = format!("this bound is invalid near {}", found(p));
        let hint = "bounds are integers: `[0,3]`, `[<=3]`, `[=3]` or `[>=3]`";
        p.report(codes::BAD_BOUND, p.span_since(start), message, hint);
    }
    p.close(&node);
}

fn number(p: &mut Parser) -> bool {
    let whole = p.at(Kind::Number) && p.current().bytes().all(|b| b.is_ascii_digit());
    if p.at(Kind::Number) {
        p.bump();
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, codes: &[&str]) {
        let parse = parse(text);
        let found: Vec<_> = parse.diagnostics.iter().map(|d| d.code.id()).collect();
        assert_eq!(found, codes, "{text}\n{}{:#?}", parse.tree.outline(), parse.diagnostics);
        assert_eq!(parse.tree.tokens().map(|(_, text)| text).collect::<String>(), text);
    }

    #[test]
    fn every_operator_takes_every_bound() {
        for operator in ["X", "N", "F", "G", "Y", "Z", "O", "H", "□", "◇", "○", "■", "◆", "●", "[]", "<>"]
        {
            for bound in ["", "[0,3]", "[2:5]", "[2..5]", "[<=3]", "[<3]", "[>=2]", "[>2]", "[=3]", "[3]"] {
                check(&format!("{operator}{bound} p"), &[]);
            }
        }
        for operator in ["U", "R", "V", "W", "M", "S", "T"] {
            check(&format!("p {operator} q"), &[]);
            check(&format!("p {operator}[<=4] q"), &[]);
        }
    }

    #[test]
    fn operators_need_no_space_before_a_letter() {
        for (text, spaced) in [("GFa", "G F a"), ("Xb", "X b"), ("FGp", "F G p"), ("a U XXb1", "a U X X b1")]
        {
            let outline = |text: &str| {
                let parse = parse(text);
                let solid = parse.tree.tokens().filter(|(kind, _)| *kind != Kind::Whitespace);
                solid.map(|(_, text)| text.to_owned()).collect::<Vec<_>>()
            };
            assert_eq!(outline(text), outline(spaced), "{text}");
        }
    }

    #[test]
    fn table() {
        check("G (p -> F [0,3] q)", &[]);
        check("[]<>p && !(a U b) || x + 1 > 3", &[]);
        check("X[!] p", &[]);
        check("◇[2,∞) ⊤ ∧ □[2,∞] ⊥", &[]);
        check("\"X\" & p", &[]);
        check("GFa & Xb & FGp0 & XXp_1 & !Fa", &[]);
        check("\"GFa\" & G0 & GPS & FTP & X_1", &[]);
        check("G (request -> Xgrant)", &["W0107"]);
        check("G (grant -> Xgrant)", &["E0125"]);
        check("GFready", &["E0125"]);
        check("G (\"Gear\" -> \"GFready\")", &[]);
        check("p U q U r", &["E0109"]);
        check("G", &["E0104"]);
        check("G[1.5] p", &["E0122"]);
        check("G[0,", &["E0122", "E0104"]);
        check("p q", &["E0109"]);
        check("(p", &["E0111"]);
        check("p)", &["E0112"]);
        check("", &["E0100"]);
        check("   ", &["E0100"]);
    }
}
