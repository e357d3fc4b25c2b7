//! Minimal weak deterministic automata for obligations (Dax, Eisinger and Klaedtke 2007; minimal by Löding 2001).
//!
//! If the language is an obligation, the subset automaton accepts it with the right choice of accepting components, and one word
//! around each component determines it. The choice is verified against the language and its complement.

use crate::automaton::graph::{Arc, Graph, Letters};
use crate::automaton::scc::OfArcs as _;
use crate::automaton::scc::{Components, components};
use crate::limits::{Limit, Limits};
use base::Interned;
use rustc_hash::FxHashMap;

/// A complete deterministic automaton: the subsets of a graph.
#[derive(Debug, Clone)]
pub(crate) struct Subsets<const W: usize> {
    pub(crate) graph: Graph<W>,
    pub(crate) sets: Interned<Vec<u32>>,
}

/// The subset automaton, ignoring marks.
pub(crate) fn subsets<const W: usize>(
    graph: &Graph<W>,
    classes: usize,
    limits: &mut Limits,
) -> Result<Subsets<W>, Limit> {
    let mut sets = Interned::from_iter([vec![graph.initial]]);
    let mut arcs: Vec<Vec<Arc<W>>> = Vec::new();
    while arcs.len() < sets.len() {
        let set = sets[arcs.len()].clone();
        let mut out: Vec<Arc<W>> = Vec::new();
        for class in 0..classes {
            let mut next = Vec::new();
            for &state in &set {
                let here = graph.arcs[state as usize].iter();
                next.extend(here.filter(|arc| arc.letters.has(class)).map(|arc| arc.target));
            }
            limits.spend(1 + set.len() + next.len())?;
            next.sort_unstable();
            next.dedup();
            let target = limits.number(&mut sets, next)?;
            match out.iter_mut().find(|arc| arc.target == target) {
                Some(arc) => arc.letters = arc.letters.or(Letters::one(class)),
                None => out.push(Arc { target, marks: 0, letters: Letters::one(class) }),
            }
        }
        arcs.push(out);
    }
    Ok(Subsets { graph: Graph { initial: 0, arcs, full: 1 }, sets })
}

/// The minimal weak deterministic automaton of the language of `graph`, as a graph with one mark, if the language is an obligation.
/// `complement` accepts all other words.
pub(crate) fn minimal_weak<const W: usize>(
    graph: &Graph<W>,
    complement: &Graph<W>,
    classes: usize,
    limits: &mut Limits,
) -> Result<Option<Graph<W>>, Limit> {
    let subsets = subsets(graph, classes, limits)?;
    let all = components(&subsets.graph, |_, _| true);
    let accepts = accepting_components(graph, &subsets, &all, limits)?;
    let weak = |state: u32| accepts[all.of[state as usize] as usize];
    // No accepted word may stay in a rejecting component, nor a word of the complement in an accepting one.
    if meet(graph, &subsets.graph, |state| !weak(state), limits)?
        || meet(complement, &subsets.graph, weak, limits)?
    {
        return Ok(None);
    }
    Ok(Some(minimized(&subsets.graph, &all, &accepts, classes)))
}

/// For each component of the subset automaton, whether a word around it is accepted.
fn accepting_components<const W: usize>(
    graph: &Graph<W>,
    subsets: &Subsets<W>,
    all: &Components,
    limits: &mut Limits,
) -> Result<Vec<bool>, Limit> {
    let mut accepts = vec![false; all.count];
    let mut done = vec![false; all.count];
    for state in 0..subsets.graph.len() {
        let component = all.of[state] as usize;
        if done[component] {
            continue;
        }
        done[component] = true;
        if let Some(word) = cycle(&subsets.graph, all, state) {
            accepts[component] = accepts_loop(graph, &subsets.sets[state], &word, limits)?;
        }
    }
    Ok(accepts)
}

/// A shortest word that leads from a state back to it.
fn cycle<const W: usize>(graph: &Graph<W>, all: &Components, state: usize) -> Option<Vec<usize>> {
    let mut parent: FxHashMap<u32, (u32, usize)> = FxHashMap::default();
    let mut queue = vec![state as u32];
    let mut at = 0;
    while let Some(&from) = queue.get(at) {
        at += 1;
        for arc in graph.arcs[from as usize].iter().filter(|arc| all.inside(from as usize, arc)) {
            let letter = arc.letters.first()?;
            if arc.target as usize == state {
                let mut word = vec![letter];
                let mut place = from;
                while place as usize != state {
                    let (before, letter) = parent[&place];
                    word.push(letter);
                    place = before;
                }
                word.reverse();
                return Some(word);
            }
            parent.entry(arc.target).or_insert_with(|| {
                queue.push(arc.target);
                (from, letter)
            });
        }
    }
    None
}

/// Whether a word, repeated forever, is accepted from one of the states.
fn accepts_loop<const W: usize>(
    graph: &Graph<W>,
    from: &[u32],
    word: &[usize],
    limits: &mut Limits,
) -> Result<bool, Limit> {
    let len = word.len();
    let mut places: Interned<(u32, usize)> = from.iter().map(|&state| (state, 0)).collect();
    let mut arcs: Vec<Vec<Arc<W>>> = Vec::new();
    while arcs.len() < places.len() {
        let (state, position) = places[arcs.len()];
        let mut out = Vec::new();
        for arc in graph.arcs[state as usize].iter().filter(|arc| arc.letters.has(word[position])) {
            limits.spend(1)?;
            let target = places.intern((arc.target, (position + 1) % len));
            out.push(Arc { target, ..*arc });
        }
        arcs.push(out);
    }
    Ok(has_accepting_cycle(&Graph { initial: 0, arcs, full: graph.full }))
}

/// Whether a component of the graph has all marks.
pub(crate) fn has_accepting_cycle<const W: usize>(graph: &Graph<W>) -> bool {
    components(graph, |_, _| true).marks(graph).contains(&Some(graph.full))
}

/// The pairs of states that two automata reach together, each with its arcs and the marks of both.
#[expect(clippy::type_complexity, reason = "it is taken apart at once")]
pub(crate) fn together<const W: usize>(
    graph: &Graph<W>,
    other: &Graph<W>,
    limits: &mut Limits,
) -> Result<(Interned<(u32, u32)>, Vec<Vec<(Arc<W>, u64)>>), Limit> {
    let mut places = Interned::from_iter([(graph.initial, other.initial)]);
    let mut arcs: Vec<Vec<(Arc<W>, u64)>> = Vec::new();
    while arcs.len() < places.len() {
        let (p, q) = places[arcs.len()];
        let mut out = Vec::new();
        for a in &graph.arcs[p as usize] {
            for b in &other.arcs[q as usize] {
                limits.spend(1)?;
                let letters = a.letters.and(b.letters);
                if !letters.is_empty() {
                    let target = limits.number(&mut places, (a.target, b.target))?;
                    out.push((Arc { target, marks: a.marks, letters }, b.marks));
                }
            }
        }
        arcs.push(out);
    }
    Ok((places, arcs))
}

/// Whether a word accepted by `graph` has a run in the deterministic `other` that eventually stays among the chosen states.
pub(crate) fn meet<const W: usize>(
    graph: &Graph<W>,
    other: &Graph<W>,
    chosen: impl Fn(u32) -> bool,
    limits: &mut Limits,
) -> Result<bool, Limit> {
    let (places, pairs) = together(graph, other, limits)?;
    let arcs = pairs.iter().map(|out| out.iter().map(|&(arc, _)| arc).collect()).collect();
    // Components of the other automaton are left for good, so staying in a chosen one can be checked arc by arc.
    let product = Graph { initial: 0, arcs, full: graph.full };
    let stays = |state: usize| chosen(places[state].1);
    let inside = components(&product, |state, arc| stays(state) && stays(arc.target as usize));
    let mut marks: Vec<Option<u64>> = vec![None; inside.count];
    for (state, arcs) in product.arcs.iter().enumerate().filter(|(state, _)| stays(*state)) {
        for arc in arcs.iter().filter(|arc| inside.inside(state, arc)) {
            let seen = &mut marks[inside.of[state] as usize];
            *seen = Some(seen.unwrap_or(0) | arc.marks);
        }
    }
    Ok(marks.contains(&Some(product.full)))
}

/// The minimal automaton for a weak deterministic one.
fn minimized<const W: usize>(
    graph: &Graph<W>,
    all: &Components,
    accepts: &[bool],
    classes: usize,
) -> Graph<W> {
    // The least colours that do not increase along arcs, even where accepting: equal for states with the same language (Löding).
    let mut colour: Vec<Option<u32>> = vec![None; all.count];
    let mut looping = vec![false; all.count];
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); all.count];
    for (state, arcs) in graph.arcs.iter().enumerate() {
        members[all.of[state] as usize].push(state);
        looping[all.of[state] as usize] |= arcs.iter().any(|arc| all.inside(state, arc));
    }
    for component in 0..all.count {
        let targets = members[component].iter().flat_map(|&state| &graph.arcs[state]);
        let below = targets.filter_map(|arc| colour[all.of[arc.target as usize] as usize]).max().unwrap_or(0);
        let odd = u32::from(!accepts[component]);
        colour[component] = Some(if looping[component] && below % 2 != odd { below + 1 } else { below });
    }
    let colour_of = |state: usize| colour[all.of[state] as usize].unwrap_or(0);
    let block = partition(&table(graph, classes), colour_of);
    let blocks = block.iter().max().map_or(0, |&top| top as usize + 1);
    let mut arcs: Vec<Option<Vec<Arc<W>>>> = vec![None; blocks];
    for (state, out) in graph.arcs.iter().enumerate() {
        let marks = u64::from(colour_of(state) % 2 == 0);
        let to = |arc: &Arc<W>| Arc { target: block[arc.target as usize], marks, ..*arc };
        arcs[block[state] as usize].get_or_insert_with(|| out.iter().map(to).collect());
    }
    let arcs = arcs.into_iter().map(Option::unwrap_or_default).collect();
    let minimal = Graph { initial: block[graph.initial as usize], arcs, full: 1 };
    let useful = crate::automaton::scc::useful(&minimal);
    minimal.trimmed(|state| useful[state as usize])
}

/// For each state of a complete deterministic automaton, its target by class of letters.
pub(crate) fn table<const W: usize>(graph: &Graph<W>, classes: usize) -> Vec<Vec<u32>> {
    let row = |arcs: &Vec<Arc<W>>| {
        let to = |class| arcs.iter().find(|arc| arc.letters.has(class)).map_or(0, |arc| arc.target);
        (0..classes).map(to).collect()
    };
    graph.arcs.iter().map(row).collect()
}

/// The coarsest partition of the states of a complete table that respects the colours and the steps (Moore 1956).
pub(crate) fn partition(table: &[Vec<u32>], colour: impl Fn(usize) -> u32) -> Vec<u32> {
    let mut block: Vec<u32> = (0..table.len()).map(&colour).collect();
    let mut count = 0;
    loop {
        let mut signatures: Interned<(u32, Vec<u32>)> = Interned::default();
        let signature = |(state, row): (usize, &Vec<u32>)| {
            signatures.intern((block[state], row.iter().map(|&to| block[to as usize]).collect()))
        };
        block = table.iter().enumerate().map(signature).collect();
        let found = signatures.len();
        if found == count {
            return block;
        }
        count = found;
    }
}
