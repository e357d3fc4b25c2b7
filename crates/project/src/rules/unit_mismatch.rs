//! [`UNIT_MISMATCH`]: what is compared or added has the same unit, written the same way. A product may convert, so its unit is
//! unknown; what has no unit fits everything.

use super::sentence::Remark;
use crate::component::Component;
use crate::reading::Reading;
use syntax::{Expr, Infix, Kind, NodeRef};

diagnostics::codes! {
    UNIT_MISMATCH "E0515" "Quantities with different units are compared or added.",
        "A number means something else in another unit: 100 km/h is not 100 m/s, and no check of numbers would notice. \
         Units are compared as they are written; a product or quotient may convert one into another.",
        "| speed | input | real | km/h |\n| LIMIT | constant | real | m/s |\n\nthe pump shall always satisfy speed < LIMIT"
            => "| speed | input | real | km/h |\n| LIMIT | constant | real | m/s |\n\n\
                the pump shall always satisfy speed < LIMIT * 3.6";
}

/// Adds a remark for each comparison, sum or difference of different units.
pub(super) fn check(reading: &Reading, component: &Component, remarks: &mut Vec<Remark>) {
    let has_unit = |name: &str| component.symbol(name).is_some_and(|symbol| symbol.variable.unit.is_some());
    if reading.parsed.names.iter().filter(|name| has_unit(&name.name)).count() < 2 {
        return;
    }
    for node in reading.parsed.parse.tree.nodes() {
        if !matches!(node.kind(), Kind::Infix | Kind::Call) {
            continue;
        }
        let Some(operands) = alike(node) else { continue };
        let mut known: Option<(String, String)> = None;
        for operand in operands {
            let Some((name, unit)) = unit(operand, component) else { continue };
            match &known {
                None => known = Some((name, unit)),
                Some((_, first)) if *first == unit => {}
                Some((other, first)) => {
                    let message = format!("`{other}` is in {first}, but `{name}` is in {unit}");
                    let hint = "convert one of them, or give both the same unit";
                    let mut remark = Remark::new(UNIT_MISMATCH, node.span(), message, hint);
                    remark.variables = vec![other.clone(), name];
                    remarks.push(remark);
                    break;
                }
            }
        }
    }
}

/// The operands that must have one unit.
fn alike(node: NodeRef) -> Option<Vec<NodeRef>> {
    match Expr::of(node) {
        Expr::Infix(operands, operators) => match operators.first()?.0 {
            Infix::Less | Infix::LessEqual | Infix::Greater | Infix::GreaterEqual | Infix::Equal => {
                Some(operands)
            }
            Infix::NotEqual | Infix::Add | Infix::Subtract => Some(operands),
            Infix::Iff | Infix::Implies | Infix::Xor | Infix::Or | Infix::And => None,
            Infix::Multiply | Infix::Divide | Infix::Modulo | Infix::Power => None,
        },
        Expr::Call(name, _, mut arguments) => {
            let name = name.to_ascii_lowercase();
            if name == "ite" && arguments.len() == 3 {
                arguments.remove(0);
                return Some(arguments);
            }
            let joins = ["min", "max", "abs", "pre"].iter().any(|known| {
                name.strip_prefix(known).is_some_and(|rest| ["", "int", "real"].contains(&rest))
            });
            joins.then_some(arguments)
        }
        _ => None,
    }
}

/// The first variable below a node that decides its unit, and the unit. Parsing limits how deep this goes.
fn unit(node: NodeRef, component: &Component) -> Option<(String, String)> {
    match Expr::of(node) {
        Expr::Name(name) => {
            let unit = component.symbol(&name)?.variable.unit.as_ref()?.trim();
            Some((name.into_owned(), unit.to_string()))
        }
        Expr::Minus(operand) => unit(operand, component),
        Expr::Infix(_, operators) if !matches!(operators.first()?.0, Infix::Add | Infix::Subtract) => None,
        Expr::Infix(..) | Expr::Call(..) => {
            alike(node)?.into_iter().find_map(|operand| unit(operand, component))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::expect_responses;

    #[test]
    fn units() {
        let rows = "v;input;real;km/h\nw;output;real;km/h\nm;input;real;m/s\nL;constant;real;m/s;30\nn;input;real\nb;input;bool";
        expect_responses(
            &["E0515"],
            rows,
            &[
                ("v < w", ""),
                ("v < m", "E0515 v < m (v) (m)"),
                ("v = L", "E0515 v = L (v) (L)"),
                ("v < 3 & m < 3", ""),
                ("v < m * 3.6", ""),
                ("v < n & m < n", ""),
                ("v + n < w - m", "E0515 w - m (w) (m)"),
                ("n + v < -m", "E0515 n + v < -m (v) (m)"),
                ("max(v, m) > 3", "E0515 max(v, m) (v) (m)"),
                ("absReal(v) > m", "E0515 absReal(v) > m (v) (m)"),
                ("ite(b, v, w) > 3", ""),
                ("(v > 3) = (m > 3)", ""),
            ],
        );
    }
}
