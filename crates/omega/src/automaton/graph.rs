//! Automata for fast algorithms: a guard is a set of classes of letters, and a set is a few machine words.
//!
//! Letters that no guard distinguishes form one class ([`Alphabet`]). All reductions work on these graphs; diagrams are needed only
//! for conversion. A Büchi automaton is a graph with one mark, which is on all arcs of a state or on none.

use crate::automaton::{Buchi, Edge, Guard, Guards, Step};
use crate::limits::Limit;
use crate::translate::tableau::all_marks;
use logic::Id;
use rustc_hash::FxHashMap;

/// A set of classes of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Letters<const W: usize>(pub(crate) [u64; W]);

/// Calls a function with the number of machine words that the alphabet needs.
macro_rules! by_width {
    ($alphabet:expr, $function:ident($($argument:expr),*)) => {
        match $alphabet.words() {
            1 => $function::<1>($($argument),*),
            4 => $function::<4>($($argument),*),
            _ => $function::<16>($($argument),*),
        }
    };
}
pub(crate) use by_width;

impl<const W: usize> Letters<W> {
    pub(crate) const NONE: Letters<W> = Letters([0; W]);

    pub(crate) fn one(class: usize) -> Letters<W> {
        let mut letters = Letters::NONE;
        letters.0[class / 64] |= 1 << (class % 64);
        letters
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(crate) fn or(mut self, other: Letters<W>) -> Letters<W> {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        self
    }

    pub(crate) fn and(mut self, other: Letters<W>) -> Letters<W> {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        self
    }

    pub(crate) fn without(mut self, other: Letters<W>) -> Letters<W> {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= !b);
        self
    }

    pub(crate) fn has(self, class: usize) -> bool {
        self.0[class / 64] >> (class % 64) & 1 == 1
    }

    /// The first class.
    pub(crate) fn first(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }
}

/// An edge of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arc<const W: usize> {
    pub(crate) target: u32,
    pub(crate) marks: u64,
    pub(crate) letters: Letters<W>,
}

/// An automaton.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Graph<const W: usize> {
    pub(crate) initial: u32,
    pub(crate) arcs: Vec<Vec<Arc<W>>>,
    /// All marks.
    pub(crate) full: u64,
}

/// The classes of letters.
#[derive(Debug, Clone)]
pub(crate) struct Alphabet {
    pub(crate) guards: Guards,
    pub(crate) atoms: Vec<Id>,
    /// The classes are disjoint, unless there were too many: then each is an original guard.
    pub(crate) classes: Vec<Guard>,
    pub(crate) disjoint: bool,
    sets: FxHashMap<Guard, Vec<u32>>,
}

/// The maximum number of classes.
pub(crate) const CLASSES: usize = 1023;

impl Alphabet {
    /// The classes that these guards distinguish among the possible letters.
    pub(crate) fn new(
        mut guards: Guards,
        atoms: Vec<Id>,
        used: impl IntoIterator<Item = Guard>,
        possible: Guard,
    ) -> Result<Alphabet, Limit> {
        let mut distinct: Vec<Guard> = used.into_iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let mut classes: Vec<(Guard, Vec<u32>)> = vec![(possible, Vec::new())];
        for (k, &guard) in distinct.iter().enumerate() {
            let mut split = Vec::with_capacity(classes.len() + 1);
            let other = guards.not(guard);
            for (class, inside) in classes {
                let (yes, no) = (guards.and(class, guard), guards.and(class, other));
                if no != Guard::FALSE {
                    split.push((no, inside.clone()));
                }
                if yes != Guard::FALSE {
                    let mut inside = inside;
                    inside.push(k as u32);
                    split.push((yes, inside));
                }
            }
            classes = split;
            if guards.is_full() {
                return Err(Limit::Nodes);
            }
            if classes.len() > CLASSES {
                return Alphabet::of_guards(guards, atoms, &distinct, possible);
            }
        }
        let mut sets: FxHashMap<Guard, Vec<u32>> =
            distinct.iter().map(|&guard| (guard, Vec::new())).collect();
        for (class, (_, inside)) in classes.iter().enumerate() {
            for &k in inside {
                if let Some(set) = sets.get_mut(&distinct[k as usize]) {
                    set.push(class as u32);
                }
            }
        }
        let classes = classes.into_iter().map(|(class, _)| class).collect();
        Ok(Alphabet { guards, atoms, classes, disjoint: true, sets })
    }

    /// Treats each guard as one letter: simulations found in this way are simulations.
    fn of_guards(
        mut guards: Guards,
        atoms: Vec<Id>,
        distinct: &[Guard],
        possible: Guard,
    ) -> Result<Alphabet, Limit> {
        if distinct.len() > CLASSES {
            return Err(Limit::Letters);
        }
        let sets = distinct.iter().zip(0..).map(|(&guard, k)| (guard, vec![k])).collect();
        let classes = distinct.iter().map(|&guard| guards.and(guard, possible)).collect();
        Ok(Alphabet { guards, atoms, classes, disjoint: false, sets })
    }

    /// The number of machine words in a set of classes: 1, 4 or 16. There is always room for one more class.
    pub(crate) fn words(&self) -> usize {
        match self.classes.len() {
            ..=63 => 1,
            64..=255 => 4,
            _ => 16,
        }
    }

    pub(crate) fn letters<const W: usize>(&self, guard: Guard) -> Letters<W> {
        let classes = self.sets.get(&guard).map_or(&[][..], Vec::as_slice);
        classes.iter().fold(Letters::NONE, |set, &class| set.or(Letters::one(class as usize)))
    }

    /// The graph of a generalized automaton with these guards.
    pub(crate) fn graph<const W: usize>(&self, initial: u32, edges: &[Vec<Edge>], marks: u32) -> Graph<W> {
        let arcs = edges.iter().map(|edges| {
            let arc = |edge: &Edge| Arc {
                target: edge.target,
                marks: edge.marks,
                letters: self.letters(edge.guard),
            };
            edges.iter().map(arc).filter(|arc| !arc.letters.is_empty()).collect()
        });
        Graph { initial, arcs: arcs.collect(), full: all_marks(marks) }
    }

    /// The guard of a set of classes.
    fn guard<const W: usize>(
        &mut self,
        letters: Letters<W>,
        known: &mut FxHashMap<Letters<W>, Guard>,
    ) -> Guard {
        if let Some(&guard) = known.get(&letters) {
            return guard;
        }
        let mut guard = Guard::FALSE;
        for class in 0..self.classes.len() {
            if letters.has(class) {
                guard = self.guards.or(guard, self.classes[class]);
            }
        }
        known.insert(letters, guard);
        guard
    }

    /// The Büchi automaton of a graph, with the given accepting states.
    pub(crate) fn buchi<const W: usize>(
        mut self,
        graph: &Graph<W>,
        accepting: Vec<bool>,
    ) -> Result<Buchi, Limit> {
        let mut known = FxHashMap::default();
        let mut steps = Vec::with_capacity(graph.arcs.len());
        for arcs in &graph.arcs {
            let mut out: Vec<Step> = Vec::with_capacity(arcs.len());
            for arc in merged(arcs) {
                out.push(Step { guard: self.guard(arc.letters, &mut known), target: arc.target });
            }
            steps.push(out);
        }
        if self.guards.is_full() {
            return Err(Limit::Nodes);
        }
        Ok(Buchi { guards: self.guards, atoms: self.atoms, initial: graph.initial, steps, accepting })
    }
}

/// The arcs, sorted, with one arc per target and marks.
pub(crate) fn merged<const W: usize>(arcs: &[Arc<W>]) -> Vec<Arc<W>> {
    let mut sorted = arcs.to_vec();
    sorted.sort_unstable();
    let mut out: Vec<Arc<W>> = Vec::with_capacity(sorted.len());
    for arc in sorted {
        match out.last_mut() {
            Some(last) if last.target == arc.target && last.marks == arc.marks => {
                last.letters = last.letters.or(arc.letters);
            }
            _ => out.push(arc),
        }
    }
    out
}

impl<const W: usize> Graph<W> {
    /// The automaton that accepts nothing.
    pub(crate) fn nothing(full: u64) -> Graph<W> {
        Graph { initial: 0, arcs: vec![Vec::new()], full }
    }

    pub(crate) fn len(&self) -> usize {
        self.arcs.len()
    }

    /// Whether each state of a graph with one mark accepts.
    pub(crate) fn accepting(&self) -> Vec<bool> {
        self.arcs.iter().map(|arcs| arcs.first().is_some_and(|arc| arc.marks & 1 == 1)).collect()
    }

    /// The number of states and of edges.
    pub(crate) fn size(&self) -> (usize, usize) {
        let pairs = |arcs: &Vec<Arc<W>>| {
            let mut targets: Vec<u32> = arcs.iter().map(|arc| arc.target).collect();
            targets.sort_unstable();
            targets.dedup();
            targets.len()
        };
        (self.arcs.len(), self.arcs.iter().map(pairs).sum())
    }

    /// The part that satisfies `keep` and is reachable within it, numbered in the order of discovery; arcs are merged.
    pub(crate) fn trimmed(&self, keep: impl Fn(u32) -> bool) -> Graph<W> {
        if !keep(self.initial) {
            return Graph::nothing(self.full);
        }
        let mut number: Vec<Option<u32>> = vec![None; self.arcs.len()];
        let mut order = vec![self.initial];
        number[self.initial as usize] = Some(0);
        let mut arcs: Vec<Vec<Arc<W>>> = Vec::new();
        while let Some(&state) = order.get(arcs.len()) {
            let mut out = Vec::new();
            for arc in &self.arcs[state as usize] {
                if !keep(arc.target) || arc.letters.is_empty() {
                    continue;
                }
                let target = *number[arc.target as usize].get_or_insert_with(|| {
                    order.push(arc.target);
                    order.len() as u32 - 1
                });
                out.push(Arc { target, ..*arc });
            }
            arcs.push(merged(&out));
        }
        Graph { initial: 0, arcs, full: self.full }
    }
}
