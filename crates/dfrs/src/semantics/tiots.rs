//! A system as a timed input-output transition system (paper, section 5.1), as plain data: states are numbers, the first is the start.
//!
//! A delay is followed by an input; a reaction to a stable state is an output, one to another state is internal; and
//! where nothing reacts, an output says that nothing changed. Ages are capped where nothing tells them apart, so that it is finite.

use crate::machine::Machine;
use crate::semantics::walk;
use crate::semantics::walk::Still;
use base::Interned;
use logic::Value;

/// A transition system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tiots {
    /// The number of states.
    pub states: usize,
    /// Sorted by the number of the first state.
    pub transitions: Vec<Transition>,
    /// Whether all states are there; not if the limit was reached.
    pub complete: bool,
}

/// A transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// From this state.
    pub from: usize,
    /// With this label.
    pub label: Label,
    /// To this state.
    pub to: usize,
}

/// What happens in a transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// Time passes.
    Delay(i64),
    /// All inputs get values.
    Input(Vec<(usize, Value)>),
    /// All outputs are shown.
    Output(Vec<(usize, Value)>),
    /// Something reacts, and more will.
    Internal,
}

/// Why two states are different.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    /// A state of the system.
    At(Still),
    /// After a delay, before the inputs.
    Waited(Still, i64),
    /// Nothing reacts, and that is still to be shown.
    Quiet(Still),
}

/// The transition system of a system in discrete time, with these delays and at most this number of states.
pub fn tiots(machine: &Machine<'_>, delays: &[i64], limit: usize) -> Tiots {
    let mut places = Interned::from_iter([Place::At(walk::start(machine))]);
    let mut tiots = Tiots { states: 0, transitions: Vec::new(), complete: true };
    let mut next = 0;
    while next < places.len() {
        for (label, place) in follow(machine, &places[next], delays) {
            if places.len() >= limit && places.get(&place).is_none() {
                tiots.complete = false;
                continue;
            }
            tiots.transitions.push(Transition { from: next, label, to: places.intern(place) as usize });
        }
        next += 1;
    }
    tiots.states = places.len();
    tiots
}

fn follow(machine: &Machine<'_>, place: &Place, delays: &[i64]) -> Vec<(Label, Place)> {
    match place {
        Place::At(still) => {
            let reactions = walk::react(machine, still);
            if !reactions.is_empty() {
                let reaction = |(_, after): (usize, Still)| {
                    let rests = walk::react(machine, &after).is_empty();
                    let label = if rests { shown(machine, &after, false) } else { Label::Internal };
                    (label, Place::At(after))
                };
                return reactions.into_iter().map(reaction).collect();
            }
            let last = walk::deadline(machine, still).unwrap_or(i64::MAX);
            let delays = delays.iter().copied().filter(|&by| by > 0 && by <= last);
            delays.map(|by| (Label::Delay(by), Place::Waited(still.clone(), by))).collect()
        }
        Place::Waited(still, by) => {
            let after =
                (0..machine.combinations()).filter_map(|inputs| walk::wait(machine, still, *by, inputs));
            after
                .map(|after| {
                    let label = shown(machine, &after, true);
                    let quiet = walk::react(machine, &after).is_empty();
                    (label, if quiet { Place::Quiet(after) } else { Place::At(after) })
                })
                .collect()
        }
        Place::Quiet(still) => vec![(shown(machine, still, false), Place::At(still.clone()))],
    }
}

fn shown(machine: &Machine<'_>, still: &Still, inputs: bool) -> Label {
    let variables = machine.variables.iter().enumerate().filter(|(_, it)| it.input == inputs);
    let values = variables.map(|(place, it)| (it.variable, it.classes.value(still.slots[place]))).collect();
    if inputs { Label::Input(values) } else { Label::Output(values) }
}
