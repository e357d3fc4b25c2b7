//! Combining automata: guards transferred from one set of diagrams to another, and intersections.

use crate::automaton::{Edge, General, Guard, Guards};
use crate::limits::{Limit, Limits};
use base::Interned;
use logic::Id;
use rustc_hash::FxHashMap;

/// The edges of an automaton with guards in the given diagrams. Missing atoms are added.
pub(crate) fn import(guards: &mut Guards, atoms: &mut Vec<Id>, other: &General) -> Vec<Vec<Edge>> {
    let place = |atoms: &mut Vec<Id>, atom: Id| {
        atoms.iter().position(|&known| known == atom).unwrap_or_else(|| {
            atoms.push(atom);
            atoms.len() - 1
        })
    };
    let rename: Vec<u32> = other.atoms.iter().map(|&atom| place(atoms, atom) as u32).collect();
    let mut known = FxHashMap::from_iter([(Guard::TRUE, Guard::TRUE), (Guard::FALSE, Guard::FALSE)]);
    let mut carry = |guard: Guard| {
        // Diagrams are as deep as there are variables; an explicit stack avoids even that recursion.
        let mut open = vec![guard];
        while let Some(&f) = open.last() {
            let split = other.guards.split(f).filter(|_| !known.contains_key(&f));
            let Some((variable, low, high)) = split else {
                open.pop();
                continue;
            };
            match (known.get(&low).copied(), known.get(&high).copied()) {
                (Some(low), Some(high)) => {
                    let variable = guards.variable(rename[variable as usize]);
                    let result = guards.choose(variable, high, low);
                    known.insert(f, result);
                }
                _ => open.extend([low, high]),
            }
        }
        known[&guard]
    };
    let mut edge = |edge: &Edge| Edge { guard: carry(edge.guard), ..*edge };
    other.edges.iter().map(|edges| edges.iter().map(&mut edge).collect()).collect()
}

/// The automaton of the words that both accept.
pub fn intersection(a: &General, b: &General, mut limits: Limits) -> Result<General, Limit> {
    if a.marks + b.marks > 64 {
        return Err(Limit::Marks);
    }
    let (mut guards, mut atoms) = (a.guards.clone(), a.atoms.clone());
    let other = import(&mut guards, &mut atoms, b);
    let mut places = Interned::from_iter([(a.initial, b.initial)]);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < places.len() {
        let (p, q) = places[edges.len()];
        let mut out = Vec::new();
        for one in &a.edges[p as usize] {
            for two in &other[q as usize] {
                limits.spend(1)?;
                let guard = guards.and(one.guard, two.guard);
                if guard == Guard::FALSE {
                    continue;
                }
                let target = limits.number(&mut places, (one.target, two.target))?;
                let above = two.marks.checked_shl(a.marks).unwrap_or(0);
                out.push(Edge { guard, target, marks: one.marks | above });
            }
        }
        if guards.is_full() {
            return Err(Limit::Nodes);
        }
        edges.push(out);
    }
    Ok(General { guards, atoms, initial: 0, edges, marks: a.marks + b.marks })
}
