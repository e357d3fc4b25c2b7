//! Temporal formulas: the expressions of sentences plus temporal operators with bounds.
//!
//! | | future | past |
//! |---|---|---|
//! | prefix | `X` `N` (weak next) `F` `G`, also `[]` `<>` `□` `◇` `○` | `Y` `Z` (weak yesterday) `O` `H`, also `●` `◆` `■` |
//! | infix | `U` `R` (or `V`) `W` `M` | `S` `T` |
//!
//! Each may have a bound: `[a,b]`, `[a:b]`, `[a..b]`, `[<=n]`, `[<n]`, `[>=n]`, `[>n]`, `[=n]`, `[n]`, `[a,∞)`. A variable with the
//! name of an operator is written in double quotes.

use crate::codes;
use crate::expression::{Level, at_level, expression, found};
use crate::parser::{Language, Parser, parse as parse_with};
use crate::{Kind, Parse};

/// Parses a temporal formula.
pub fn parse(text: &str) -> Parse {
    parse_with(text, Language::Formula, Kind::Formula, |p| {
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
    fn table() {
        check("G (p -> F [0,3] q)", &[]);
        check("[]<>p && !(a U b) || x + 1 > 3", &[]);
        check("X[!] p", &[]);
        check("◇[2,∞) ⊤ ∧ □[2,∞] ⊥", &[]);
        check("\"X\" & p", &[]);
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
