//! What an entry assigns (Algorithm 5 of the paper).

use super::operands::Scope;
use super::{Diagnostics, Reader};
use crate::codes;
use crate::frames::ActionFrame;
use crate::system::{Assignment, Effect, Source};
use syntax::sysreq::ActionVerb;

/// The assignments of a requirement. Nothing if something is wrong.
pub(super) fn effect(scope: Scope, reader: &Reader, out: &mut Diagnostics) -> Option<Vec<Assignment>> {
    let mut effect: Vec<Assignment> = Vec::new();
    let mut complete = true;
    for found in &reader.frame.actions {
        let variable = scope.names.of(&found.variable);
        if effect.iter().any(|earlier| earlier.variable == variable) {
            let message = format!("`{}` is assigned twice in one requirement", found.pat.text);
            let hint = "keep one of them, or write two requirements: all assignments happen at once";
            out.report(codes::ASSIGNED_TWICE, reader.sentence.place(&found.span), message, hint);
        }
        match value(scope, reader, variable, found, out) {
            Some(value) => {
                let source = Source { span: found.span.clone() };
                effect.push(Assignment { variable, effect: value, source });
            }
            None => complete = false,
        }
    }
    complete.then_some(effect)
}

fn value(
    scope: Scope,
    reader: &Reader,
    variable: usize,
    found: &ActionFrame,
    out: &mut Diagnostics,
) -> Option<Effect> {
    let factor = match found.verb {
        ActionVerb::Reset => return Some(Effect::Reset),
        ActionVerb::Assign | ActionVerb::Set => 0,
        ActionVerb::Add | ActionVerb::Increase => 1,
        ActionVerb::Subtract | ActionVerb::Decrease => -1,
    };
    let term = found.tov.as_ref()?;
    let operand = if factor == 0 {
        scope.operand(reader, variable, term, out)
    } else {
        scope.step(reader, variable, factor, term, out)
    };
    operand.map(Effect::Assign)
}
