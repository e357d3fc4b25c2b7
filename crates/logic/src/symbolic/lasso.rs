//! Infinite traces: the search for a lasso on which a future-time formula holds.
//!
//! The machine of such a formula reads backwards, so its bits between two letters describe everything that follows. On an infinite
//! trace there is no end to start from: the bits are guessed, each letter must be consistent with the guesses on both sides, and what
//! depends on later letters must be settled infinitely often (Clarke, Grumberg, Hamaguchi 1994). Sets of guesses move forwards in
//! time by replacing variables; those on or after a loop that settles everything are a greatest fixed point (Emerson, Lei 1986).

use super::machine::{Companion, Edge};
use super::memory::{Effect, Memory, check_direction, is_atom};
use super::{Asked, Letter, MAX_NODES, Undecided};
use crate::bdd::{Bdd, Manager};
use crate::print::adapt::adapt;
use crate::print::dialect::SMV;
use crate::store::{Formula, Id, Store};
use rustc_hash::FxHashMap;

/// An infinite trace: its letters, and the first of those that repeat forever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lasso {
    /// The letters.
    pub letters: Vec<Letter>,
    /// Where the loop starts.
    pub loop_start: usize,
}

/// Conditions on the companion in the loop.
#[derive(Default)]
pub(super) struct Around<'a> {
    /// It visits one of these states.
    pub(super) through: Option<&'a dyn Fn(u32) -> bool>,
    /// It visits none of these states.
    pub(super) avoiding: Option<&'a dyn Fn(u32) -> bool>,
}

/// Guesses, by the companion's state.
type Set = Vec<Bdd>;

/// A guess with the companion's state, between two letters.
type Point = (u32, Vec<bool>);

/// A lasso on which a formula holds and the companion meets the conditions.
pub(super) fn search(
    store: &mut Store,
    formula: Formula,
    atoms: &[Id],
    letters: &[Letter],
    companion: &Companion,
    around: &Around,
) -> Result<Option<Lasso>, Undecided> {
    let formula = adapt(store, formula, &SMV);
    let ids = store.reachable_until([formula.id()], is_atom);
    check_direction(store, &ids, Asked::AtStart)?;
    let memory = Memory::new(store, &ids)?;
    let mut manager = Manager::with_limit(MAX_NODES);
    let effects: Vec<Effect> = letters
        .iter()
        .map(|letter| {
            let truth: FxHashMap<Id, bool> = atoms.iter().copied().zip(letter.iter().copied()).collect();
            memory.step(store, &ids, formula, &mut manager, &truth)
        })
        .collect();
    let passes = |edge: &&Edge| around.avoiding.is_none_or(|bad| !bad(edge.source) && !bad(edge.target));
    let inner: Vec<Edge> = companion.edges.iter().filter(passes).copied().collect();
    let mut search = Search { manager, effects, bits: memory.initial.len(), states: companion.states };

    let starts: Vec<Edge> =
        companion.edges.iter().filter(|edge| companion.starts.contains(&edge.source)).copied().collect();
    let mut first = search.nothing();
    for edge in &starts {
        let any = &mut first[edge.target as usize];
        *any = search.manager.or(*any, search.effects[edge.letter].output);
    }
    let everything = vec![Bdd::TRUE; companion.states];
    let rings = search.rings(&first, &companion.edges, &everything)?;
    let reached = search.union(&rings);
    let settled = search.effects.first().map_or(0, |effect| effect.settled.len());
    let demands = Demands { settled, good: around.through };
    let hull = search.hull(reached, &inner, &demands)?;
    let Some(point) = search.nearest(&hull, &rings) else { return Ok(None) };
    let cycle = search.cycle(point, &hull, &inner, &demands)?;
    let around = search.lasso(&cycle, &rings, companion, &starts);
    let still = search.standstill(&hull, &rings, &inner, &demands)?;
    let still = still.map(|step| search.lasso(&vec![step], &rings, companion, &starts));
    let shorter = still.into_iter().chain([around]).min_by_key(Indices::len);
    Ok(shorter.map(|lasso| lasso.map(|letter| letters[letter].clone())))
}

/// What a loop must do at least once: settle each unbounded operator, and visit a good state of the companion.
struct Demands<'a> {
    settled: usize,
    good: Option<&'a dyn Fn(u32) -> bool>,
}

impl Demands<'_> {
    fn count(&self) -> usize {
        // A loop without demands must still be a loop.
        (self.settled + usize::from(self.good.is_some())).max(1)
    }

    /// The guesses after an edge for which the edge meets a demand.
    fn met(&self, demand: usize, edge: &Edge, effect: &Effect) -> Bdd {
        match effect.settled.get(demand) {
            Some(&settled) => settled,
            None => Bdd::constant(self.good.is_none_or(|good| good(edge.target))),
        }
    }
}

/// A closed walk: points in temporal order, each with the edge that leads to it from the one before.
type Walk = Vec<(Point, Edge)>;

struct Search {
    manager: Manager,
    effects: Vec<Effect>,
    bits: usize,
    states: usize,
}

impl Search {
    fn nothing(&self) -> Set {
        vec![Bdd::FALSE; self.states]
    }

    fn within(&self) -> Result<(), Undecided> {
        if self.manager.is_full() { Err(Undecided::TooLarge) } else { Ok(()) }
    }

    fn union(&mut self, sets: &[Set]) -> Set {
        let mut all = self.nothing();
        for set in sets {
            for (any, &more) in all.iter_mut().zip(set) {
                *any = self.manager.or(*any, more);
            }
        }
        all
    }

    fn meet(&mut self, a: &Set, b: &Set) -> Set {
        a.iter().zip(b).map(|(&a, &b)| self.manager.and(a, b)).collect()
    }

    /// The successors of a set along these edges, where the step is allowed.
    fn after(
        &mut self,
        set: &Set,
        edges: &[Edge],
        allowed: impl Fn(&Edge, &Effect) -> Bdd,
    ) -> Result<Set, Undecided> {
        let mut moved: FxHashMap<(Bdd, usize), Bdd> = FxHashMap::default();
        let mut result = self.nothing();
        for edge in edges.iter().filter(|edge| set[edge.source as usize] != Bdd::FALSE) {
            let Search { manager, effects, .. } = self;
            let effect = &effects[edge.letter];
            let from = set[edge.source as usize];
            let to = *moved.entry((from, edge.letter)).or_insert_with(|| manager.compose(from, &effect.next));
            let to = manager.and(to, allowed(edge, effect));
            let any = &mut result[edge.target as usize];
            *any = manager.or(*any, to);
            self.within()?;
        }
        Ok(result)
    }

    /// What is reachable from a set inside a larger one; ring k is new after k steps.
    fn rings(&mut self, first: &Set, edges: &[Edge], inside: &Set) -> Result<Vec<Set>, Undecided> {
        let mut seen = self.nothing();
        let mut rings = Vec::new();
        let mut next = self.meet(first, inside);
        loop {
            let mut fresh = false;
            for (new, seen) in next.iter_mut().zip(&mut seen) {
                *new = self.manager.choose(*seen, Bdd::FALSE, *new);
                fresh |= *new != Bdd::FALSE;
                *seen = self.manager.or(*seen, *new);
            }
            if !fresh {
                return Ok(rings);
            }
            let after = self.after(&next, edges, |_, _| Bdd::TRUE)?;
            rings.push(next);
            next = self.meet(&after, inside);
        }
    }

    /// The guesses of a set from which every demand is met infinitely often inside it.
    fn hull(&mut self, mut set: Set, edges: &[Edge], demands: &Demands) -> Result<Set, Undecided> {
        loop {
            let before = set.clone();
            for demand in 0..demands.count() {
                let met = self.after(&set, edges, |edge, effect| demands.met(demand, edge, effect))?;
                let rings = self.rings(&met, edges, &set)?;
                set = self.union(&rings);
            }
            if set == before {
                return Ok(set);
            }
        }
    }

    /// A point of a set in the first ring that has one.
    fn nearest(&mut self, set: &Set, rings: &[Set]) -> Option<Point> {
        rings.iter().find_map(|ring| {
            let common = self.meet(set, ring);
            let example =
                |(state, &bdd): (usize, &Bdd)| Some((state as u32, self.manager.example(bdd, self.bits)?));
            common.iter().enumerate().find_map(example)
        })
    }

    /// The nearest loop of one step that meets all demands, if there is one.
    fn standstill(
        &mut self,
        hull: &Set,
        rings: &[Set],
        edges: &[Edge],
        demands: &Demands,
    ) -> Result<Option<(Point, Edge)>, Undecided> {
        let mut found: Option<(usize, Point, Edge)> = None;
        for edge in edges.iter().filter(|edge| edge.source == edge.target) {
            let Search { manager, effects, .. } = self;
            let effect = &effects[edge.letter];
            let mut same = hull[edge.source as usize];
            for demand in 0..demands.count() {
                same = manager.and(same, demands.met(demand, edge, effect));
            }
            for (variable, &next) in effect.next.iter().enumerate() {
                let bit = manager.variable(variable as u32);
                let kept = manager.iff(bit, next);
                same = manager.and(same, kept);
            }
            self.within()?;
            let mut set = self.nothing();
            set[edge.source as usize] = same;
            let limit = found.as_ref().map_or(rings.len(), |(ring, ..)| *ring);
            if let Some(point) = self.nearest(&set, &rings[..limit]) {
                let ring = rings.iter().position(|ring| self.contains(ring, &point)).unwrap_or(limit);
                found = Some((ring, point, *edge));
            }
        }
        Ok(found.map(|(_, point, edge)| (point, edge)))
    }

    fn contains(&self, set: &Set, (state, bits): &Point) -> bool {
        self.manager.value(set[*state as usize], bits)
    }

    /// The point before an edge; the bits before a letter follow from those after it.
    fn before(&self, (_, bits): &Point, edge: &Edge) -> Point {
        let next = &self.effects[edge.letter].next;
        (edge.source, next.iter().map(|&bit| self.manager.value(bit, bits)).collect())
    }

    /// An allowed edge to a point from inside a set.
    fn back(
        &self,
        point: &Point,
        set: &Set,
        edges: &[Edge],
        allowed: impl Fn(&Edge, &Effect) -> Bdd,
    ) -> Option<(Point, Edge)> {
        edges.iter().filter(|edge| edge.target == point.0).find_map(|edge| {
            let from = self.before(point, edge);
            let met = allowed(edge, &self.effects[edge.letter]);
            (self.contains(set, &from) && self.manager.value(met, &point.1)).then_some((from, *edge))
        })
    }

    /// Walks back along rings to the first one; adds the visited points to the front of the walk.
    fn walk_back(&self, mut point: Point, rings: &[Set], edges: &[Edge], walk: &mut Walk) -> Point {
        let ring = rings.iter().position(|ring| self.contains(ring, &point));
        for ring in rings[..ring.expect("the point is in a ring")].iter().rev() {
            let (from, edge) = self
                .back(&point, ring, edges, |_, _| Bdd::TRUE)
                .expect("each ring follows the one before it");
            walk.insert(0, (point, edge));
            point = from;
        }
        point
    }

    /// A closed walk in a hull that meets all demands.
    fn cycle(
        &mut self,
        mut last: Point,
        hull: &Set,
        edges: &[Edge],
        demands: &Demands,
    ) -> Result<Walk, Undecided> {
        loop {
            let mut walk = Walk::new();
            let mut point = last.clone();
            for demand in 0..demands.count() {
                let met = self.after(hull, edges, |edge, effect| demands.met(demand, edge, effect))?;
                let rings = self.rings(&met, edges, hull)?;
                point = self.walk_back(point, &rings, edges, &mut walk);
                let (from, edge) = self
                    .back(&point, hull, edges, |edge, effect| demands.met(demand, edge, effect))
                    .expect("the first ring follows the demand");
                walk.insert(0, (point, edge));
                point = from;
            }
            // From the last point back to the first; if that is impossible, the first lies in an earlier part of the hull, and the
            // search continues there.
            let mut only = self.nothing();
            only[last.0 as usize] = self.exactly(&last.1);
            let rings = self.rings(&only, edges, hull)?;
            if rings.iter().any(|ring| self.contains(ring, &point)) {
                self.walk_back(point, &rings, edges, &mut walk);
                return Ok(walk);
            }
            last = point;
        }
    }

    fn exactly(&mut self, bits: &[bool]) -> Bdd {
        let mut all = Bdd::TRUE;
        for (variable, &bit) in bits.iter().enumerate().rev() {
            let value = self.manager.variable(variable as u32);
            all = match bit {
                true => self.manager.and(value, all),
                false => self.manager.choose(value, Bdd::FALSE, all),
            };
        }
        all
    }

    /// The letters of a closed walk, after a shortest path to it.
    fn lasso(&self, cycle: &Walk, rings: &[Set], companion: &Companion, starts: &[Edge]) -> Indices {
        let ring_of = |point: &Point| rings.iter().position(|ring| self.contains(ring, point));
        let entry = (0..cycle.len()).min_by_key(|&at| ring_of(&cycle[at].0)).unwrap_or(0);
        let point = cycle[entry].0.clone();
        let mut walk = Walk::new();
        let start = self.walk_back(point, rings, &companion.edges, &mut walk);
        let opens = |edge: &&Edge| {
            edge.target == start.0 && self.manager.value(self.effects[edge.letter].output, &start.1)
        };
        let opening = starts.iter().find(opens).expect("the first ring follows a first letter");
        let stem = std::iter::once(opening.letter).chain(walk.iter().map(|(_, edge)| edge.letter));
        let around = cycle[entry + 1..].iter().chain(&cycle[..=entry]).map(|(_, edge)| edge.letter);
        Indices { stem: stem.collect(), around: around.collect() }.wound_up()
    }
}

/// A lasso as indices of letters.
struct Indices {
    stem: Vec<usize>,
    around: Vec<usize>,
}

impl Indices {
    /// The same trace without repetition: a loop that repeats a shorter one is shortened, and a stem that ends like the loop is cut.
    fn wound_up(mut self) -> Indices {
        let length = self.around.len();
        let period = (1..=length)
            .find(|&period| {
                length.is_multiple_of(period)
                    && (period..length).all(|at| self.around[at] == self.around[at - period])
            })
            .unwrap_or(length);
        self.around.truncate(period);
        while self.stem.last().is_some_and(|letter| self.around.last() == Some(letter)) {
            self.stem.pop();
            self.around.rotate_right(1);
        }
        self
    }

    fn len(&self) -> usize {
        self.stem.len() + self.around.len()
    }

    fn map(self, letter: impl Fn(usize) -> Letter) -> Lasso {
        let loop_start = self.stem.len();
        Lasso { letters: self.stem.into_iter().chain(self.around).map(letter).collect(), loop_start }
    }
}
