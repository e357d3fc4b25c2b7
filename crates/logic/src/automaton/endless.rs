//! Automata on infinite words. A run of a weak automaton eventually stays among accepting or among rejecting states, and that
//! decides; every construction for finite words except projection also works for such automata. Projection uses subsets with
//! breakpoints (Miyano, Hayashi 1984).

use super::determinize::{MAX_STATES, Nfa, Simulation};
use super::{Dfa, TooManyStates, Track};
use base::{Components, Interned};
use std::fmt;

/// Why an automaton on infinite words could not be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotWeak {
    /// It would have too many states.
    TooManyStates(TooManyStates),
    /// No weak automaton accepts these words.
    Alternating,
}

impl fmt::Display for NotWeak {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NotWeak::TooManyStates(limit) => write!(f, "{limit}"),
            NotWeak::Alternating => write!(f, "no weak automaton accepts these infinite words"),
        }
    }
}

impl std::error::Error for NotWeak {}

impl Dfa {
    /// For a weak automaton: a deterministic automaton that visits accepting states only finitely often exactly on the infinite words
    /// that are accepted for some values of these tracks.
    pub fn project_endless(&self, hidden: &[Track]) -> Result<Dfa, NotWeak> {
        self.without(hidden).with_breakpoints()
    }

    /// For an automaton that accepts the words on which it visits accepting states only finitely often: a weak automaton for the same
    /// words. It exists exactly if no strongly connected component has loops of both kinds (Staiger, Wagner 1974).
    pub fn weak(self) -> Result<Dfa, NotWeak> {
        let Components { of: component, count } = self.components(|_| true);
        let Components { of: calm, count: calm_count } = self.components(|state| !self.accepts(state));
        let restless: Vec<bool> = in_any(&component, count, |state| self.accepts(state));
        let loops = self.loops(&component, count, |_| true);
        let mut calm_loop = vec![false; count];
        let inner = self.loops(&calm, calm_count, |state| !self.accepts(state));
        for state in 0..self.states() {
            if !self.accepts(state as u32) && inner[calm[state] as usize] {
                calm_loop[component[state] as usize] = true;
            }
        }
        if (0..count).any(|part| loops[part] && restless[part] && calm_loop[part]) {
            return Err(NotWeak::Alternating);
        }
        // The largest colour of what follows, made even for accepting loops and odd for others, so that merging equal states finds
        // the smallest automaton (Löding 2001). Components are numbered from the last to the first.
        let mut colour = vec![0u32; count];
        for part in 0..count {
            let members =
                (0..self.states() as u32).filter(|&state| component[state as usize] as usize == part);
            let targets = members.flat_map(|state| (0..self.letters()).map(move |letter| (state, letter)));
            let behind = targets
                .map(|(state, letter)| component[self.step(state, letter) as usize] as usize)
                .filter(|&target| target != part)
                .map(|target| colour[target])
                .max()
                .unwrap_or(0);
            let odd = loops[part] && restless[part];
            let fits = !loops[part] || (behind % 2 == 1) == odd;
            colour[part] = if fits { behind } else { behind + 1 };
        }
        let accepting = component.iter().map(|&part| colour[part as usize] % 2 == 0).collect();
        Ok(Dfa { accepting, ..self }.minimized())
    }

    /// The strongly connected components of the kept states; each other state is its own component.
    fn components(&self, kept: impl Fn(u32) -> bool) -> Components {
        let kept = &kept;
        base::components(self.states(), |state| {
            let letters = if kept(state) { 0..self.letters() } else { 0..0 };
            letters.map(move |letter| self.step(state, letter)).filter(move |&target| kept(target))
        })
    }

    /// Which components have a loop.
    fn loops(&self, component: &[u32], count: usize, kept: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut loops = vec![false; count];
        for state in (0..self.states() as u32).filter(|&state| kept(state)) {
            let home = component[state as usize];
            loops[home as usize] |=
                (0..self.letters()).any(|letter| component[self.step(state, letter) as usize] == home);
        }
        loops
    }
}

fn in_any(component: &[u32], count: usize, has: impl Fn(u32) -> bool) -> Vec<bool> {
    let mut any = vec![false; count];
    for (state, &part) in component.iter().enumerate() {
        any[part as usize] |= has(state as u32);
    }
    any
}

/// The current states of all runs, and of those that have stayed among accepting states since the last breakpoint.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Runs {
    all: Vec<u32>,
    steady: Vec<u32>,
    /// Whether no run was steady any more.
    breaks: bool,
}

impl Nfa {
    /// There are infinitely many breakpoints exactly if no run stays among accepting states.
    fn with_breakpoints(&self) -> Result<Dfa, NotWeak> {
        let simulated = self.simulation();
        let mut seen = Interned::from_iter([Runs { all: vec![0], steady: Vec::new(), breaks: true }]);
        let mut next = Vec::new();
        let mut done = 0;
        while done < seen.len() {
            for letter in 0..self.letters() {
                next.push(seen.intern(self.after(&seen[done], letter, &simulated)));
            }
            done += 1;
            if seen.len() > MAX_STATES {
                return Err(NotWeak::TooManyStates(TooManyStates));
            }
        }
        let accepting = seen.iter().map(|runs| runs.breaks).collect();
        Ok(Dfa { tracks: self.tracks.as_slice().into(), next, accepting }.minimized())
    }

    fn after(&self, runs: &Runs, letter: usize, simulated: &Simulation) -> Runs {
        let targets = |from: &[u32]| {
            let targets = from.iter().flat_map(|&state| &self.next[state as usize * self.letters() + letter]);
            let mut targets: Vec<u32> = targets.copied().collect();
            targets.sort_unstable();
            targets.dedup();
            targets
        };
        let accepts = |state: &u32| self.accepting[*state as usize];
        let mut all = targets(&runs.all);
        let mut steady = targets(&runs.steady);
        steady.retain(accepts);
        let breaks = steady.is_empty();
        if breaks {
            steady = all.iter().copied().filter(accepts).collect();
        }
        // A run that another one simulates is redundant; a steady one only if the other is steady as well, because the other takes
        // over its record.
        let before = steady.clone();
        steady.retain(|&state| !simulated.outdone(state, &before));
        let before = all.clone();
        all.retain(|&state| {
            let superfluous = simulated.outdone(state, &before)
                || steady.iter().any(|&other| simulated.holds(state, other));
            steady.contains(&state) || !superfluous
        });
        Runs { all, steady, breaks }
    }
}
