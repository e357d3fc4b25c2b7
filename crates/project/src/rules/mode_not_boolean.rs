//! [`MODE_NOT_BOOLEAN`]: a mode is true or false.

use super::Context;
use crate::document::Column;
use crate::finding::Finding;
use requirement::specification::{Kind, Type};

diagnostics::codes! {
    MODE_NOT_BOOLEAN "E0516" "A mode is Boolean.",
        "A mode is on or off at each step, so it is true or false.",
        "| filling | mode | int |" => "| filling | mode | bool | | `level > 0` |";
}

pub(super) fn check(context: &Context, findings: &mut Vec<Finding>) {
    for declared in context.declarations() {
        let (symbol, variable) = (declared.symbol, &declared.symbol.variable);
        if variable.kind == Kind::Mode && !symbol.type_inferred && variable.ty != Type::Bool {
            let cell = declared.row.cell(declared.table, &Column::Type).filter(|cell| !cell.text.is_empty());
            let name = declared.name();
            let span = cell.map_or(name.span, |cell| cell.span);
            let message = format!("the mode `{}` is `{}`", name.text, variable.ty);
            let hint = "declare it as `bool`, and define it with a comparison";
            findings.push(declared.finding(MODE_NOT_BOOLEAN, span, message, hint));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{expect, pump};

    #[test]
    fn modes() {
        let sentence = "in m > 2 mode the Pump shall always satisfy y";
        expect(&[&pump("m;mode;int\ny;output;bool", &[sentence])], &["E0516"], &["E0516 int"]);
        let sentence = "in m mode the Pump shall always satisfy y";
        expect(&[&pump("m;mode;bool\ny;output;bool", &[sentence])], &["E0516"], &[]);
    }
}
