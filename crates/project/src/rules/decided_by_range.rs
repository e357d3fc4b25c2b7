//! [`DECIDED_BY_RANGE`]: the declared ranges leave comparisons open.
//!
//! Each side is enclosed in an interval by exact arithmetic; a verdict is given only if the intervals decide it.

use super::sentence::Remark;
use crate::component::Component;
use crate::reading::Reading;
use logic::{RBig, parse_decimal};
use requirement::specification::{Range, Type};
use syntax::{Expr, Infix, Kind, NodeRef};

diagnostics::codes! {
    DECIDED_BY_RANGE "W0503" "The ranges of variables decide a comparison.",
        "A comparison that is always true or always false makes no difference. Often there is a digit too many, or the range in \
         the table is wrong.",
        "| level | input | int 0..255 |\n\nwhen level > 300 the pump shall immediately satisfy alarm"
            => "| level | input | int 0..255 |\n\nwhen level > 200 the pump shall immediately satisfy alarm";
}

/// Adds a remark for each comparison that the ranges decide.
pub(super) fn check(reading: &Reading, component: &Component, remarks: &mut Vec<Remark>) {
    let limited = |name: &str| {
        component.symbol(name).is_some_and(|symbol| match &symbol.variable.ty {
            Type::Int(range) | Type::Real(range) => !range.is_open() || symbol.number().is_some(),
            Type::Bool | Type::Enum(_) => false,
        })
    };
    if !reading.parsed.names.iter().any(|name| limited(&name.name)) {
        return;
    }
    for node in reading.parsed.parse.tree.nodes().filter(|node| node.kind() == Kind::Infix) {
        let Expr::Infix(operands, operators) = Expr::of(node) else { continue };
        let (&[left, right], Some(&(operator, _))) = (&operands[..], operators.first()) else { continue };
        let mut names = Vec::new();
        let Some(truth) = decided(operator, || {
            Some((interval(left, component, &mut names)?, interval(right, component, &mut names)?))
        }) else {
            continue;
        };
        names.retain(|name| limited(name));
        names.dedup();
        let Some(first) = names.first() else { continue };
        let mut ranges: Vec<String> = Vec::new();
        for name in names.iter().filter_map(|name| component.symbol(name)) {
            let shown = match &name.variable.definition {
                Some(number) if name.number().is_some() => number.trim().to_string(),
                Some(_) | None => format!("`{}`", name.variable.ty),
            };
            ranges.push(format!("`{}` is {shown}", name.variable.name));
        }
        ranges.dedup();
        let message = format!("`{}` is always {truth}: {}", shown(node), ranges.join(", "));
        let hint = format!("check the comparison, or the range of `{first}` in the table");
        let mut remark = Remark::new(DECIDED_BY_RANGE, node.span(), message, hint);
        remark.variables = names;
        remarks.push(remark);
    }
}

/// A node's text, short enough for a message.
fn shown(node: NodeRef) -> String {
    let text = node.text().split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The truth of a comparison if the intervals leave no doubt.
fn decided(operator: Infix, sides: impl FnOnce() -> Option<(Range, Range)>) -> Option<bool> {
    let less = |a: &Range, b: &Range| a.high.as_ref().zip(b.low.as_ref()).is_some_and(|(a, b)| a < b);
    let at_most = |a: &Range, b: &Range| a.high.as_ref().zip(b.low.as_ref()).is_some_and(|(a, b)| a <= b);
    let verdict = |yes: bool, no: bool| yes.then_some(true).or(no.then_some(false));
    match operator {
        Infix::Less => sides().and_then(|(a, b)| verdict(less(&a, &b), at_most(&b, &a))),
        Infix::LessEqual => sides().and_then(|(a, b)| verdict(at_most(&a, &b), less(&b, &a))),
        Infix::Greater => sides().and_then(|(a, b)| verdict(less(&b, &a), at_most(&a, &b))),
        Infix::GreaterEqual => sides().and_then(|(a, b)| verdict(at_most(&b, &a), less(&a, &b))),
        Infix::Equal => sides().and_then(|(a, b)| verdict(equal(&a, &b), less(&a, &b) || less(&b, &a))),
        Infix::NotEqual => sides().and_then(|(a, b)| verdict(less(&a, &b) || less(&b, &a), equal(&a, &b))),
        Infix::Iff | Infix::Implies | Infix::Xor | Infix::Or | Infix::And => None,
        Infix::Add | Infix::Subtract | Infix::Multiply | Infix::Divide | Infix::Modulo | Infix::Power => None,
    }
}

/// Whether both sides are one and the same number.
fn equal(a: &Range, b: &Range) -> bool {
    a.low.is_some() && a.low == a.high && a == b
}

/// An interval that holds all values of an expression, and the names in it. Parsing limits how deep this goes.
fn interval(node: NodeRef, component: &Component, names: &mut Vec<String>) -> Option<Range> {
    let point = |number: RBig| Range { low: Some(number.clone()), high: Some(number) };
    match Expr::of(node) {
        Expr::Number(text) => parse_decimal(text).map(point),
        Expr::Name(name) => {
            let symbol = component.symbol(&name)?;
            names.push(name.into_owned());
            match (symbol.number(), &symbol.variable.ty) {
                (Some(number), _) => Some(point(number)),
                (None, Type::Int(range) | Type::Real(range)) => Some(range.clone()),
                (None, Type::Bool | Type::Enum(_)) => None,
            }
        }
        Expr::Minus(operand) => Some(scaled(&interval(operand, component, names)?, &RBig::from(-1))),
        Expr::Infix(operands, operators) => {
            let mut operands = operands.into_iter();
            let mut sum = interval(operands.next()?, component, names)?;
            for (operand, (operator, _)) in operands.zip(operators) {
                let next = interval(operand, component, names)?;
                sum = match operator {
                    Infix::Add => plus(&sum, &next),
                    Infix::Subtract => plus(&sum, &scaled(&next, &RBig::from(-1))),
                    Infix::Multiply => match (single(&sum), single(&next)) {
                        (Some(factor), _) => scaled(&next, factor),
                        (None, Some(factor)) => scaled(&sum, factor),
                        (None, None) => return None,
                    },
                    _ => return None,
                };
            }
            Some(sum)
        }
        _ => None,
    }
}

fn single(range: &Range) -> Option<&RBig> {
    range.low.as_ref().filter(|_| range.low == range.high)
}

fn plus(a: &Range, b: &Range) -> Range {
    let add = |a: &Option<RBig>, b: &Option<RBig>| Some(a.as_ref()? + b.as_ref()?);
    Range { low: add(&a.low, &b.low), high: add(&a.high, &b.high) }
}

fn scaled(range: &Range, factor: &RBig) -> Range {
    if *factor == RBig::ZERO {
        return Range { low: Some(RBig::ZERO), high: Some(RBig::ZERO) };
    }
    let times = |end: &Option<RBig>| end.as_ref().map(|end| end * factor);
    match *factor > RBig::ZERO {
        true => Range { low: times(&range.low), high: times(&range.high) },
        false => Range { low: times(&range.high), high: times(&range.low) },
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect_responses, project, pump};

    const ROWS: &str = "x;input;int 0..255\ny;output;real -1.5..\nK;constant;int;;7\nz;input;int\nb;input;bool\nn;input;real";

    #[test]
    fn ranges() {
        expect_responses(
            &["W0503"],
            ROWS,
            &[
                ("x > 300", "W0503 x > 300 (x)"),
                ("x > 254", ""),
                ("x > 255", "W0503 x > 255 (x)"),
                ("x >= 0", "W0503 x >= 0 (x)"),
                ("x <= 254", ""),
                ("0 <= x", "W0503 0 <= x (x)"),
                ("x = 256", "W0503 x = 256 (x)"),
                ("x != -1", "W0503 x != -1 (x)"),
                ("y > -1.5", ""),
                ("y >= -1.5", "W0503 y >= -1.5 (y)"),
                ("y < x", ""),
                ("y < -2 + 0 * x", "W0503 y < -2 + 0 * x (y) (x)"),
                ("2 * x + 1 > 511", "W0503 2 * x + 1 > 511 (x)"),
                ("2 * x + 1 > 510", ""),
                ("-x > 0", "W0503 -x > 0 (x)"),
                ("z > K", ""),
                ("K > 7", "W0503 K > 7 (K)"),
                ("K = 7", "W0503 K = 7 (K)"),
                ("x * x < 0", ""),
                ("x - z > 300", ""),
                ("n > 300", ""),
                ("unknown > 300", ""),
                ("(x > 3) = b", ""),
            ],
        );
    }

    #[test]
    fn message() {
        let text = pump(ROWS, &["the Pump shall always satisfy x > 300"]);
        let (_, checked) = project(&[&text]);
        let found = checked.findings.iter().find(|found| found.diagnostic.code.id() == "W0503").unwrap();
        assert_eq!(found.diagnostic.message, "`x > 300` is always false: `x` is `int 0..255`");
    }
}
