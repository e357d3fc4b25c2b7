//! Parsing automata, and generalized automata as text: for tests and fuzzing.

mod lexer;
mod reader;

use super::writer::{header, label, line};
use crate::automaton::General;
use logic::Store;

pub use lexer::HoaError;
pub use reader::read;

/// The text of a generalized automaton, with marks on edges.
pub fn write_general(store: &Store, general: &General) -> String {
    let mut out = header(store, &general.atoms, general.edges.len(), general.initial);
    let sets: Vec<String> = (0..general.marks).map(|mark| format!("Inf({mark})")).collect();
    match general.marks {
        0 => out.push_str("acc-name: all\nAcceptance: 0 t\n"),
        1 => out.push_str("acc-name: Buchi\nAcceptance: 1 Inf(0)\n"),
        n => line(
            &mut out,
            format_args!("acc-name: generalized-Buchi {n}\nAcceptance: {n} {}", sets.join("&")),
        ),
    }
    out.push_str("properties: trans-labels explicit-labels trans-acc\n--BODY--\n");
    for (state, edges) in general.edges.iter().enumerate() {
        line(&mut out, format_args!("State: {state}"));
        for edge in edges {
            let label = label(&general.guards, edge.guard);
            let marks: Vec<String> = (0..general.marks)
                .filter(|mark| edge.marks >> mark & 1 == 1)
                .map(|mark| mark.to_string())
                .collect();
            let marks = if marks.is_empty() { String::new() } else { format!(" {{{}}}", marks.join(" ")) };
            line(&mut out, format_args!("[{label}] {}{marks}", edge.target));
        }
    }
    out.push_str("--END--\n");
    out
}
