//! Which requirement can react next after which, and how to make it.
//!
//! Along the edges of an exploration every run can be followed, but not every path is a run: ages may not fit. So a pair on no path is
//! out of reach, and a pair on a path is only taken once times are found for it.

use crate::classes::Class;
use crate::explore::Exploration;
use crate::suite::drive;
use crate::suite::obligations::Obligation;
use crate::suite::paths::{self, Aim, Stimulus};
use rustc_hash::FxHashMap;

/// Each pair that lies on a path, with samples that show it if there are such.
pub(crate) fn pairs(found: &Exploration<'_, '_>) -> Vec<(Obligation, Option<Stimulus>)> {
    let fired: Vec<Vec<usize>> = found
        .situations
        .iter()
        .map(|situation| {
            let closure = &situation.closure;
            let path = drive::only_outcome(closure).map_or(Vec::new(), |outcome| closure.path(outcome));
            path.into_iter().map(|rule| found.machine.rules[rule].requirement).collect()
        })
        .collect();
    let mut search =
        Search { found, fired, queue: Vec::new(), known: FxHashMap::default(), pairs: Vec::new() };
    let Some(start) = search.fired.first().cloned() else { return Vec::new() };
    search.step(None, None, 0, 0, &start);
    let mut next = 0;
    while next < search.queue.len() {
        let (node, last, ..) = search.queue[next];
        let from = found.edges.partition_point(|edge| edge.from < node);
        for edge in found.edges[from..].iter().take_while(|edge| edge.from == node) {
            let fired = search.fired[edge.situation].clone();
            search.step(Some(next), last, edge.to, edge.situation, &fired);
        }
        next += 1;
    }
    search.pairs
}

/// A node, the requirement that reacted last, the place in the queue it was reached from, and the situation between.
type Place = (usize, Option<usize>, Option<usize>, usize);

struct Search<'e, 'm, 'a> {
    found: &'e Exploration<'m, 'a>,
    fired: Vec<Vec<usize>>,
    queue: Vec<Place>,
    known: FxHashMap<(usize, Option<usize>), usize>,
    pairs: Vec<(Obligation, Option<Stimulus>)>,
}

impl Search<'_, '_, '_> {
    fn step(
        &mut self,
        from: Option<usize>,
        last: Option<usize>,
        to: usize,
        situation: usize,
        fired: &[usize],
    ) {
        let mut before = last;
        for &then in fired {
            if let Some(first) = before {
                self.pair(Obligation::Pair { first, then }, from, situation);
            }
            before = Some(then);
        }
        if !self.known.contains_key(&(to, before)) {
            self.known.insert((to, before), self.queue.len());
            self.queue.push((to, before, from, situation));
        }
    }

    fn pair(&mut self, pair: Obligation, from: Option<usize>, situation: usize) {
        let known = self.pairs.iter().position(|(other, _)| *other == pair);
        if known.is_some_and(|known| self.pairs[known].1.is_some()) {
            return;
        }
        let stimulus = from.and_then(|from| self.stimulus(from, situation));
        match known {
            Some(known) => self.pairs[known].1 = stimulus,
            None => self.pairs.push((pair, stimulus)),
        }
    }

    /// Samples that lead along the path of the search into a situation.
    fn stimulus(&self, from: usize, situation: usize) -> Option<Stimulus> {
        let last = self.found.situations[situation].slots();
        let mut aims: Vec<Aim<'_>> = vec![(last, last)];
        let mut start: &[Class] = last;
        let mut at = Some(from);
        while let Some(place) = at {
            let (node, _, before, situation) = self.queue[place];
            let slots = &self.found.nodes[node].slots;
            match before {
                Some(_) => aims.push((self.found.situations[situation].slots(), slots)),
                None => start = slots,
            }
            at = before;
        }
        aims.reverse();
        paths::concrete(self.found.machine, start, &aims)
    }
}
