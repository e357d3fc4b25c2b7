//! Parts of a formula that the rest makes redundant, found by automata queries.
//!
//! In negation normal form every part occurs positively. So a part may be replaced with true or false, or an until with its weak
//! form, if the whole does not change; that is one emptiness check. Large automata are worth these queries.

use crate::automaton::Guards;
use crate::limits::Limits;
use crate::translate::ltl::{Arena, Ltl, Op};
use crate::translate::sample::{Sample, samples};
use crate::translate::tableau::{Expander, Style, Table, tableau};
use rustc_hash::FxHashMap;

/// Formulas with more parts than this are left unchanged.
const PARTS: usize = 200;

/// An equivalent formula without redundant parts; `questions` is the maximum number of queries.
pub(crate) fn simpler(
    arena: &mut Arena,
    root: Ltl,
    propositions: usize,
    mut questions: usize,
    limits: Limits,
) -> Ltl {
    let mut f = root;
    let samples = samples(propositions);
    let truth: Vec<u64> = samples.iter().map(|sample| sample.holds(arena, root)).collect();
    let mut parts = parts_of(arena, f);
    if parts.len() > PARTS {
        return f;
    }
    let mut at = 0;
    while at < parts.len() {
        let part = parts[at];
        at += 1;
        for (instead, weaker) in replacements(arena, part) {
            let g = replaced(arena, f, part, instead);
            let differs = |(sample, truth): (&Sample, &u64)| sample.holds(arena, g) != *truth;
            if g == f || questions == 0 || samples.iter().zip(&truth).any(differs) {
                continue;
            }
            questions -= 1;
            let difference = if weaker { [g, !f] } else { [f, !g] };
            if is_empty(arena, difference, propositions, limits) {
                f = g;
                parts = parts_of(arena, f);
                at = 0;
                break;
            }
        }
    }
    f
}

/// The parts of a formula that are not literals, large ones first.
fn parts_of(arena: &Arena, root: Ltl) -> Vec<Ltl> {
    let mut parts = vec![root];
    let mut at = 0;
    while let Some(&f) = parts.get(at) {
        at += 1;
        for g in arena.operands(f) {
            if !parts.contains(&g) {
                parts.push(g);
            }
        }
        if parts.len() > PARTS {
            break;
        }
    }
    parts.sort_unstable_by(|a, b| b.cmp(a));
    parts.retain(|&f| f != root && f > Ltl::FALSE);
    parts
}

/// The candidates to replace a part, and whether each is weaker.
fn replacements(arena: &mut Arena, part: Ltl) -> Vec<(Ltl, bool)> {
    let mut list = vec![(Ltl::TRUE, true), (Ltl::FALSE, false)];
    if let Op::Until(None, a, b) = *arena.op(part)
        && a != Ltl::TRUE
    {
        let either = arena.or([a, b]);
        list.push((arena.release(None, b, either), true));
    }
    list
}

/// The formula with one part replaced.
fn replaced(arena: &mut Arena, root: Ltl, part: Ltl, instead: Ltl) -> Ltl {
    let mut known: FxHashMap<Ltl, Ltl> = FxHashMap::default();
    known.insert(part, instead);
    arena.rebuild(root, known)
}

/// Whether no word satisfies both formulas. Returns false if a limit is reached.
fn is_empty(arena: &mut Arena, both: [Ltl; 2], propositions: usize, limits: Limits) -> bool {
    let f = arena.and_plain(both);
    let style = Style { postpone: false };
    let mut expander = Expander::new(arena, Guards::with_limit(limits.nodes), propositions, style, limits);
    tableau(&mut expander, f).is_ok_and(|table| !accepts_something(&table))
}

fn accepts_something(table: &Table) -> bool {
    use crate::automaton::graph::{Arc, Graph, Letters};
    let arc =
        |edge: &crate::Edge| Arc::<1> { target: edge.target, marks: edge.marks, letters: Letters::NONE };
    let arcs = table.edges.iter().map(|edges| edges.iter().map(arc).collect()).collect();
    let full = crate::translate::tableau::all_marks(table.marks);
    crate::automaton::weak::has_accepting_cycle(&Graph { initial: 0, arcs, full })
}
