//! [`UNKNOWN_VALUE`], [`DISJOINT_VALUES`]: what is compared with an enumeration is one of its values. The fix writes the near
//! value.

use super::sentence::Remark;
use crate::component::{Component, Symbol};
use crate::reading::Reading;
use diagnostics::Hint;
use requirement::specification::Type;
use syntax::{Expr, Infix, Kind, NodeRef, nearest};

diagnostics::codes! {
    UNKNOWN_VALUE "E0513" "A name is not a value of the enumeration.",
        "A value that the enumeration does not have is never equal to the variable, so the comparison is always false. Usually \
         it is a typo.",
        "| state | output | enum(idle, ready) |\n\nthe pump shall always satisfy state = redy"
            => "| state | output | enum(idle, ready) |\n\nthe pump shall always satisfy state = ready";
    DISJOINT_VALUES "E0514" "Two enumerations have no value in common.",
        "Variables whose enumerations share no value are never equal.",
        "| state | output | enum(idle, ready) |\n| lamp | output | enum(red, green) |\n\n\
         the pump shall always satisfy state = lamp"
            => "| state | output | enum(idle, ready) |\n| lamp | output | enum(red, green) |\n\n\
                the pump shall always satisfy state = ready <=> lamp = green";
}

/// Adds a remark for each comparison with an enumeration that cannot be meant.
pub(super) fn check(reading: &Reading, component: &Component, remarks: &mut Vec<Remark>) {
    let is_enum = |name: &str| values(component.symbol(name)).is_some();
    if !reading.parsed.names.iter().any(|name| is_enum(&name.name)) {
        return;
    }
    for node in reading.parsed.parse.tree.nodes().filter(|node| node.kind() == Kind::Infix) {
        let Expr::Infix(operands, operators) = Expr::of(node) else { continue };
        let (&[left, right], Some((Infix::Equal | Infix::NotEqual, _))) = (&operands[..], operators.first())
        else {
            continue;
        };
        let (Expr::Name(one), Expr::Name(other)) = (Expr::of(left), Expr::of(right)) else { continue };
        let symbols = (declared(component, &one), declared(component, &other));
        match (values(symbols.0), values(symbols.1)) {
            (Some(these), Some(those)) => {
                if !these.iter().any(|value| those.contains(value)) {
                    let message = format!("`{one}` and `{other}` have no value in common");
                    let hint = "compare each with one of its own values";
                    let mut remark = Remark::new(DISJOINT_VALUES, node.span(), message, hint);
                    remark.variables = vec![one.into_owned(), other.into_owned()];
                    remarks.push(remark);
                }
            }
            (Some(values), None) if symbols.1.is_none() => value(&one, values, right, &other, remarks),
            (None, Some(values)) if symbols.0.is_none() => value(&other, values, left, &one, remarks),
            (Some(_), None) | (None, Some(_)) | (None, None) => {}
        }
    }
}

fn declared<'c>(component: &'c Component, name: &str) -> Option<&'c Symbol> {
    component.symbol(name).filter(|symbol| symbol.declaration.is_some())
}

/// The values of an enumeration.
fn values(symbol: Option<&Symbol>) -> Option<&[String]> {
    match &symbol?.variable.ty {
        Type::Enum(values) => Some(values),
        Type::Bool | Type::Int(_) | Type::Real(_) => None,
    }
}

/// Reports a name that is not a value of the variable.
fn value(variable: &str, values: &[String], at: NodeRef, name: &str, remarks: &mut Vec<Remark>) {
    if values.iter().any(|value| value == name) {
        return;
    }
    let near = nearest(name, values.iter().map(String::as_str));
    let hint = Hint::near(near, || format!("its values are {}", values.join(", "))).safe();
    let message = format!("`{name}` is not a value of `{variable}`");
    let mut remark = Remark::new(UNKNOWN_VALUE, at.span(), message, hint);
    remark.variables = vec![variable.to_string()];
    remarks.push(remark);
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect_responses, fixed, pump};

    const ROWS: &str = "state;output;enum(idle, ready)\nnext;output;enum(ready, gone)\nlamp;output;enum(red, green)\n\
                        b;input;bool";

    #[test]
    fn values() {
        expect_responses(
            &["E0513", "E0514", "W0501"],
            ROWS,
            &[
                ("state = idle", ""),
                ("state = idel", "E0513 idel (state)"),
                ("red = state", "E0513 red (state)"),
                ("state != nothing", "E0513 nothing (state)"),
                ("state = next", ""),
                ("state = lamp", "E0514 state = lamp (state) (lamp)"),
                ("other = idle", "W0501 other"),
                ("b = true", ""),
            ],
        );
    }

    #[test]
    fn a_typo_is_fixed() {
        let text = pump(ROWS, &["the Pump shall always satisfy state = \"Idle\" | state = idel"]);
        let expected = text.replace("\"Idle\"", "idle").replace("idel", "idle");
        assert_eq!(fixed(&[&text], "E0513"), expected);
    }
}
