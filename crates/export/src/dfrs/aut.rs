//! The transition system in the Aldebaran format (`.aut`), for CADP, mCRL2 and other readers of labelled transition systems.
//!
//! Labels are those of the paper's Fig. 10: `?` before all inputs, `!` before all outputs; a delay is `delay(3)`, and `i` is internal.

use ::dfrs::Dfrs;
use ::dfrs::replay::show;
use ::dfrs::tiots::{Label, Tiots};
use logic::Value;
use std::fmt::Write;

/// The transition system as text in the Aldebaran format.
pub fn aldebaran(dfrs: &Dfrs, tiots: &Tiots) -> String {
    let mut text = format!("des (0, {}, {})\n", tiots.transitions.len(), tiots.states);
    for transition in &tiots.transitions {
        let label = match &transition.label {
            Label::Internal => "i".to_owned(),
            Label::Delay(_) | Label::Input(_) | Label::Output(_) => {
                format!("\"{}\"", label(dfrs, &transition.label).replace(['"', '\\'], "'"))
            }
        };
        let _ = writeln!(text, "({}, {label}, {})", transition.from, transition.to);
    }
    text
}

/// What happens in a transition, on one line.
pub(super) fn label(dfrs: &Dfrs, label: &Label) -> String {
    let values = |values: &[(usize, Value)]| -> String {
        let list: Vec<String> = values
            .iter()
            .map(|(variable, value)| {
                let name = dfrs.variables.get(*variable).map_or("?", |it| it.name.as_str());
                format!("{name}={}", show(dfrs, *variable, value))
            })
            .collect();
        draw::terminal::plain(&list.join(", "))
    };
    match label {
        Label::Delay(by) => format!("delay({by})"),
        Label::Input(inputs) => format!("?{}", values(inputs)),
        Label::Output(outputs) => format!("!{}", values(outputs)),
        Label::Internal => "i".to_owned(),
    }
}
