//! Strongly connected components, and what they imply about marks.
//!
//! Only a component with all marks on its inner arcs can contain an accepting run; states that reach none are useless. A mark matters
//! only on arcs inside such components, and there only where a cycle could avoid it.

use crate::automaton::graph::{Arc, Graph};
pub(crate) use base::Components;

/// The components of the subgraph of arcs for which `use_arc` holds.
pub(crate) fn components<const W: usize>(
    graph: &Graph<W>,
    use_arc: impl Fn(usize, &Arc<W>) -> bool,
) -> Components {
    let use_arc = &use_arc;
    base::components(graph.arcs.len(), |state| {
        let arcs = graph.arcs[state as usize].iter();
        arcs.filter(move |arc| use_arc(state as usize, arc)).map(|arc| arc.target)
    })
}

/// Properties of arcs with respect to components.
pub(crate) trait OfArcs {
    /// Whether an arc stays in a component.
    fn inside<const W: usize>(&self, state: usize, arc: &Arc<W>) -> bool;
    /// For each component, the marks on its arcs; `None` if it has no arcs.
    fn marks<const W: usize>(&self, graph: &Graph<W>) -> Vec<Option<u64>>;
}

impl OfArcs for Components {
    fn inside<const W: usize>(&self, state: usize, arc: &Arc<W>) -> bool {
        self.of[state] == self.of[arc.target as usize]
    }

    fn marks<const W: usize>(&self, graph: &Graph<W>) -> Vec<Option<u64>> {
        let mut marks = vec![None; self.count];
        for (state, arcs) in graph.arcs.iter().enumerate() {
            for arc in arcs.iter().filter(|arc| self.inside(state, arc)) {
                let seen: &mut Option<u64> = &mut marks[self.of[state] as usize];
                *seen = Some(seen.unwrap_or(0) | arc.marks);
            }
        }
        marks
    }
}

/// The marks of arcs outside the cycles of accepting components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Elsewhere {
    /// No mark.
    None,
    /// All marks.
    All,
}

/// Which states reach an accepting component, and which components accept.
fn live<const W: usize>(graph: &Graph<W>, all: &Components) -> (Vec<bool>, Vec<bool>) {
    let accepting: Vec<bool> = all.marks(graph).iter().map(|&seen| seen == Some(graph.full)).collect();
    let mut useful = accepting.clone();
    // Components are numbered in reverse topological order: successors are known first.
    for (component, members) in all.members().iter().enumerate() {
        let targets = members.iter().flat_map(|&state| &graph.arcs[state as usize]);
        useful[component] |= targets.map(|arc| all.of[arc.target as usize]).any(|to| useful[to as usize]);
    }
    (all.of.iter().map(|&component| useful[component as usize]).collect(), accepting)
}

/// Which states reach an accepting component.
pub(crate) fn useful<const W: usize>(graph: &Graph<W>) -> Vec<bool> {
    live(graph, &components(graph, |_, _| true)).0
}

/// Removes useless states, and sets the marks that do not matter to `elsewhere`.
pub(crate) fn pruned<const W: usize>(graph: &Graph<W>, elsewhere: Elsewhere) -> Graph<W> {
    let all = components(graph, |_, _| true);
    let (useful, accepting) = live(graph, &all);
    let mut marked = graph.clone();
    for (state, arcs) in marked.arcs.iter_mut().enumerate() {
        for arc in arcs {
            let inside = all.inside(state, arc);
            if !inside || !accepting[all.of[state] as usize] {
                arc.marks = match elsewhere {
                    // In a rejecting component no arc may have all marks.
                    Elsewhere::All if !inside => graph.full,
                    Elsewhere::All | Elsewhere::None => 0,
                };
            }
        }
    }
    marked.trimmed(|state| useful[state as usize])
}

/// Adds every mark to the arcs inside components where no cycle avoids it, and removes marks that occur wherever another mark does.
pub(crate) fn saturated<const W: usize>(mut graph: Graph<W>) -> Graph<W> {
    let all = components(&graph, |_, _| true);
    let mut rest = graph.full;
    while rest != 0 {
        let mark = rest & rest.wrapping_neg();
        rest &= !mark;
        let avoiding = components(&graph, |state, arc| arc.marks & mark == 0 && all.inside(state, arc));
        for (state, arcs) in graph.arcs.iter_mut().enumerate() {
            for arc in arcs {
                if all.inside(state, arc) && !avoiding.inside(state, arc) {
                    arc.marks |= mark;
                }
            }
        }
    }
    graph
}

/// Removes marks that occur wherever some other mark does; the remaining ones are renumbered.
pub(crate) fn fewer_marks<const W: usize>(mut graph: Graph<W>) -> Graph<W> {
    let all = components(&graph, |_, _| true);
    let inside: Vec<u64> = graph
        .arcs
        .iter()
        .enumerate()
        .flat_map(|(state, arcs)| arcs.iter().map(move |arc| (state, arc)))
        .filter(|(state, arc)| all.inside(*state, arc))
        .map(|(_, arc)| arc.marks)
        .collect();
    let mut kept: Vec<u64> = (0..64).map(|k| 1u64 << k).filter(|mark| graph.full & mark != 0).collect();
    let mut k = 0;
    while k < kept.len() {
        let mark = kept[k];
        let implied = kept.iter().any(|&other| {
            other != mark && inside.iter().all(|marks| marks & other == 0 || marks & mark != 0)
        });
        let everywhere = inside.iter().all(|marks| marks & mark != 0);
        if implied || everywhere {
            kept.remove(k);
        } else {
            k += 1;
        }
    }
    for arc in graph.arcs.iter_mut().flatten() {
        arc.marks = kept
            .iter()
            .enumerate()
            .filter(|(_, mark)| arc.marks & **mark != 0)
            .fold(0, |m, (k, _)| m | 1 << k);
    }
    graph.full = crate::translate::tableau::all_marks(kept.len() as u32);
    graph
}
