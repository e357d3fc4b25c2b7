//! The system and its transition system as graphs for Graphviz, and the latter in the Aldebaran format (`.aut`), which
//! CADP, mCRL2 and other tools for labelled transition systems read.
//!
//! In the graph of the system, inputs are on the left, outputs and timers on the right, and the entries of each component
//! in a box; a dashed line reads the previous value, a dotted one resets a timer. The labels of transitions are those of
//! the paper's Fig. 10: `?` before inputs, `!` before outputs; a delay is `delay(3)`, and `i` is internal.

use ::dfrs::replay::show;
use ::dfrs::tiots::{Label, Tiots};
use ::dfrs::{Dfrs, Effect, Entry, Kind, Moment, Operand, Sort, english};
use draw::terminal::plain;
use logic::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The longest line of a label, in letters.
const LABEL_ROOM: usize = 46;

/// The symbolic system as a graph: variables, components with their entries, and what each entry reads and writes.
pub fn system_graph(dfrs: &Dfrs) -> String {
    let mut dot = String::from("digraph system {\nrankdir=LR; fontname=\"sans-serif\";\n");
    dot += "node [shape=box style=\"rounded,filled\" fillcolor=white color=\"#1d5bb8\" fontname=\"sans-serif\" fontsize=12];\n";
    dot += "edge [color=\"#5b6878\" arrowsize=0.7 fontname=\"sans-serif\" fontsize=10];\n";
    for (number, variable) in dfrs.variables.iter().enumerate() {
        let sort = match &variable.sort {
            Sort::Bool { .. } => "boolean".to_owned(),
            Sort::Int => "integer".to_owned(),
            Sort::Real => "number".to_owned(),
            Sort::Names(names) => names.join(", "),
        };
        let (shape, kind) = match variable.kind {
            Kind::Input => ("shape=cds color=\"#55606d\"", "input"),
            Kind::Output => ("shape=box color=\"#1d5bb8\"", "output"),
            Kind::Timer => ("shape=hexagon color=\"#0b6b60\"", "timer"),
        };
        let words = format!("{}\n{kind}: {sort}", variable.name.replace('_', " "));
        let _ = writeln!(dot, "v{number} [{shape} label={}];", quote(&words));
    }
    let mut edges = String::new();
    let mut number = 0;
    for (place, function) in dfrs.functions.iter().enumerate() {
        let _ = writeln!(dot, "subgraph cluster{place} {{\nlabel={};", quote(&function.component));
        dot += "style=\"rounded,filled\" fillcolor=\"#edf2f9\" color=\"#55606d\";\n";
        for entry in &function.entries {
            let id = dfrs.requirements.get(entry.requirement).map_or("?", |origin| origin.id.as_str());
            let said = english::entry(dfrs, &function.component, entry);
            let _ = writeln!(dot, "e{number} [label={} tooltip={}];", quote(id), quote(&said));
            arrows(&mut edges, number, entry);
            number += 1;
        }
        dot += "}\n";
    }
    dot + &edges + "}\n"
}

fn arrows(edges: &mut String, number: usize, entry: &Entry) {
    let mut reads: BTreeSet<(usize, Moment)> = BTreeSet::new();
    let mut read = |operand: &Operand| match operand {
        Operand::Constant(_) => {}
        Operand::Variable(moment, variable) => {
            reads.insert((*variable, *moment));
        }
        Operand::Sum(terms, _) => {
            reads.extend(terms.iter().map(|(_, moment, variable)| (*variable, *moment)))
        }
    };
    for condition in entry.guard.iter().flatten() {
        read(&Operand::Variable(condition.moment, condition.variable));
        read(&condition.operand);
    }
    for timed in entry.timed.iter().flatten() {
        read(&Operand::Variable(Moment::Now, timed.timer));
    }
    for assignment in &entry.effect {
        match &assignment.effect {
            Effect::Assign(operand) => read(operand),
            Effect::Reset => {}
        }
    }
    for (variable, moment) in reads {
        let style = match moment {
            Moment::Now => "",
            Moment::Before => " [style=dashed]",
        };
        let _ = writeln!(edges, "v{variable} -> e{number}{style};");
    }
    for assignment in &entry.effect {
        let style = match &assignment.effect {
            Effect::Assign(_) => "color=\"#1d5bb8\"",
            Effect::Reset => "color=\"#0b6b60\" style=dotted",
        };
        let _ = writeln!(edges, "e{number} -> v{} [{style}];", assignment.variable);
    }
}

/// The transition system as a graph, from the initial state 0.
pub fn transition_graph(dfrs: &Dfrs, tiots: &Tiots) -> String {
    let mut dot = String::from("digraph transitions {\nrankdir=LR; fontname=\"sans-serif\";\n");
    if !tiots.complete {
        dot += "label=\"not all states are shown\"; labelloc=t;\n";
    }
    dot += "node [shape=circle style=filled fillcolor=white color=\"#55606d\" fontname=\"sans-serif\" fontsize=10];\n";
    dot += "edge [arrowsize=0.7 fontname=\"sans-serif\" fontsize=10];\n";
    dot += "start [shape=point width=0.1 label=\"\"];\nstart -> s0;\n";
    for state in 0..tiots.states {
        let _ = writeln!(dot, "s{state} [label=\"{state}\"];");
    }
    for transition in &tiots.transitions {
        let colour = match &transition.label {
            Label::Delay(_) => "#55606d",
            Label::Input(_) => "#a04a06",
            Label::Output(_) => "#1d5bb8",
            Label::Internal => "#0b6b60",
        };
        let words = quote(&label(dfrs, &transition.label));
        let (from, to) = (transition.from, transition.to);
        let _ = writeln!(dot, "s{from} -> s{to} [label={words} color=\"{colour}\" fontcolor=\"{colour}\"];");
    }
    dot + "}\n"
}

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
fn label(dfrs: &Dfrs, label: &Label) -> String {
    let values = |values: &[(usize, Value)]| -> String {
        let list: Vec<String> = values
            .iter()
            .map(|(variable, value)| {
                let name = dfrs.variables.get(*variable).map_or("?", |it| it.name.as_str());
                format!("{name}={}", show(dfrs, *variable, value))
            })
            .collect();
        plain(&list.join(", "))
    };
    match label {
        Label::Delay(by) => format!("delay({by})"),
        Label::Input(inputs) => format!("?{}", values(inputs)),
        Label::Output(outputs) => format!("!{}", values(outputs)),
        Label::Internal => "i".to_owned(),
    }
}

/// A quoted string, broken into lines between words.
fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for (place, line) in text.lines().enumerate() {
        if place > 0 {
            quoted.push_str("\\n");
        }
        let mut room = 0;
        for word in plain(line).split(' ') {
            let letters = word.chars().count();
            if room > 0 && room + letters >= LABEL_ROOM {
                quoted.push_str("\\n");
                room = 0;
            } else if room > 0 {
                quoted.push(' ');
            }
            room += letters + 1;
            quoted += &word.replace('\\', "\\\\").replace('"', "\\\"");
        }
    }
    quoted + "\""
}
