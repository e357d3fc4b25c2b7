//! Formulas on finite words: automata that accept a word by their last state.
//!
//! What must still hold after a letter is a function of formulas about the next position; taken as a whole, it is the state of a
//! deterministic automaton, and its minimal solutions are the states of a nondeterministic one. Where the word ends, every strong
//! next is false and every weak next true (De Giacomo and Vardi 2013). Both are reduced; the smaller is kept.

use crate::automaton::graph::{Alphabet, Arc, Graph, Letters, by_width};
use crate::automaton::scc::{Elsewhere, pruned};
use crate::automaton::simulate::{backward, forward};
use crate::automaton::weak::table;
use crate::automaton::weak::{partition, subsets};
use crate::automaton::{Buchi, Edge, Guard, Guards};
use crate::limits::{Limit, Limits};
use crate::translate::ltl::Ltl;
use crate::translate::ltl::Op;
use crate::translate::past::Moment;
use crate::translate::past::blank;
use crate::translate::past::guessed;
use crate::translate::past::moment;
use crate::translate::read::Problem;
use crate::translate::read::read;
use crate::translate::tableau::Expander;
use crate::translate::tableau::Later;
use crate::translate::tableau::Style;
use base::Interned;
use logic::{Formula, Id, Store};

/// The automaton of the nonempty finite words at whose first position the formula holds. The given atoms come first.
pub fn translate_finite(
    store: &Store,
    formula: Formula,
    atoms: &[Id],
    limits: Limits,
) -> Result<Buchi, Limit> {
    let mut problem = read(store, formula, atoms, true)?;
    let start = problem.arena.and([problem.root, problem.meanings]);
    smallest_of(&problem, Question { start, end: Ltl::TRUE }, limits)
}

/// The automaton of the nonempty finite words at whose last position the formula, usually a past-time one, holds.
pub fn translate_at_end(
    store: &Store,
    formula: Formula,
    atoms: &[Id],
    limits: Limits,
) -> Result<Buchi, Limit> {
    let problem = read(store, formula, atoms, true)?;
    let question = Question { start: problem.meanings, end: problem.root };
    smallest_of(&problem, question, limits)
}

/// What must hold at the first position, and what at the last.
#[derive(Debug, Clone, Copy)]
struct Question {
    start: Ltl,
    end: Ltl,
}

/// The number of states after which the deterministic automaton is abandoned.
const DETERMINISTIC: usize = 5_000;

fn smallest_of(problem: &Problem, question: Question, limits: Limits) -> Result<Buchi, Limit> {
    let few = Limits { states: limits.states.min(DETERMINISTIC), ..limits };
    let ways = [unfold(problem, question, true, few), unfold(problem, question, false, limits)];
    let mut best: Option<Buchi> = None;
    let mut failed = None;
    for (way, limits) in ways.into_iter().zip([few, limits]) {
        let reduced = way.and_then(|unfolded| reduce(problem, unfolded, limits));
        match reduced {
            Ok(buchi) if best.as_ref().is_none_or(|best| buchi.size() < best.size()) => best = Some(buchi),
            Ok(_) => {}
            Err(limit) => failed = Some(limit),
        }
    }
    best.ok_or(failed.unwrap_or(Limit::States))
}

/// An automaton before reduction; it starts in state 0.
struct Unfolded {
    guards: Guards,
    edges: Vec<Vec<Edge>>,
    accepting: Vec<bool>,
}

/// A state: what must still hold, the memory, and whether the condition for the end held at the last letter.
type Place = (Option<Guard>, u32, bool);

fn unfold(
    problem: &Problem,
    question: Question,
    deterministic: bool,
    mut limits: Limits,
) -> Result<Unfolded, Limit> {
    let propositions = problem.atoms.len() + problem.hidden.len();
    let mut arena = problem.arena.clone();
    let style = Style { postpone: false };
    let mut expander =
        Expander::new(&mut arena, Guards::with_limit(limits.nodes), propositions, style, limits);
    let end = expander.expand(question.end, false)?;
    let end = finish(&mut expander, end);
    let mut memories = Interned::from_iter([blank(problem)]);
    let mut moments: Vec<Moment> = Vec::new();
    let mut places: Interned<Place> = Interned::from_iter([(None, 0, false)]);
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    while edges.len() < places.len() {
        let (rest, memory, _) = places[edges.len()];
        while moments.len() <= memory as usize {
            let moment = moment(problem, &mut expander.guards, &memories[moments.len()], &mut limits)?;
            moments.push(moment);
        }
        let Moment { values, next } = moments[memory as usize].clone();
        let now = match rest {
            None => expander.expand(question.start, false)?,
            Some(rest) => advance(&mut expander, propositions, rest)?,
        };
        let now = expander.guards.compose(now, &values);
        let end = expander.guards.compose(end, &values);
        let mut out: Vec<Edge> = Vec::new();
        for (condition, after) in next {
            let after = memories.intern(after);
            let here = expander.guards.and(now, condition);
            for (letters, rest) in expander.classes(here)? {
                let rests = if deterministic { vec![rest] } else { solutions(&mut expander, rest)? };
                for rest in rests.into_iter().filter(|&rest| rest != Guard::FALSE) {
                    for held in [true, false] {
                        let side = if held { end } else { expander.guards.not(end) };
                        let letters = expander.guards.and(letters, side);
                        let guard = guessed(problem, &mut expander.guards, letters);
                        if guard == Guard::FALSE {
                            continue;
                        }
                        limits.spend(1 + out.len())?;
                        let target = limits.number(&mut places, (Some(rest), after, held))?;
                        match out.iter_mut().find(|edge| edge.target == target) {
                            Some(edge) => edge.guard = expander.guards.or(edge.guard, guard),
                            None => out.push(Edge { guard, target, marks: 0 }),
                        }
                    }
                }
            }
        }
        if expander.guards.is_full() {
            return Err(Limit::Nodes);
        }
        edges.push(out);
    }
    let accepts = |&(rest, _, held): &Place| held && rest.is_some_and(|rest| may_end(&expander, rest));
    let accepting = places.iter().map(accepts).collect();
    Ok(Unfolded { guards: expander.guards, edges, accepting })
}

/// What must hold at the next position, expanded there.
fn advance(expander: &mut Expander, propositions: usize, rest: Guard) -> Result<Guard, Limit> {
    let mut replacements: Vec<Guard> =
        (0..propositions).map(|k| expander.guards.variable(k as u32)).collect();
    let mut needed = vec![false; expander.later.len()];
    let mut open = vec![rest];
    while let Some((variable, low, high)) = open.pop().and_then(|f| expander.guards.split(f)) {
        needed[variable as usize - propositions] = true;
        open.extend([low, high].into_iter().filter(|f| expander.guards.split(*f).is_some()));
    }
    for (k, needed) in needed.into_iter().enumerate() {
        let formula = match expander.later[k] {
            Later::Next(f) | Later::Promise(f) => f,
        };
        let read = match *expander.arena.op(formula) {
            Op::Next { f, .. } if needed => expander.expand(f, false)?,
            _ => Guard::FALSE,
        };
        replacements.push(read);
    }
    Ok(expander.guards.compose(rest, &replacements))
}

/// The minimal solutions, each as a function.
fn solutions(expander: &mut Expander, rest: Guard) -> Result<Vec<Guard>, Limit> {
    let mut list = Vec::new();
    for solution in expander.solutions(rest)? {
        let mut all = Guard::TRUE;
        for f in solution.next {
            let variable = expander.later(Later::Next(f))?;
            all = expander.guards.and(all, variable);
        }
        list.push(all);
    }
    Ok(list)
}

/// Whether a variable is true where the word ends.
fn at_the_end(expander: &Expander, k: usize) -> bool {
    let (Later::Next(f) | Later::Promise(f)) = expander.later[k];
    matches!(expander.arena.op(f), Op::Next { strong: false, .. })
}

fn may_end(expander: &Expander, mut rest: Guard) -> bool {
    while let Some((variable, low, high)) = expander.guards.split(rest) {
        rest = if at_the_end(expander, variable as usize - expander.propositions()) { high } else { low };
    }
    rest == Guard::TRUE
}

/// A diagram evaluated where the word ends.
fn finish(expander: &mut Expander, f: Guard) -> Guard {
    let propositions = expander.propositions();
    let mut replacements: Vec<Guard> =
        (0..propositions).map(|k| expander.guards.variable(k as u32)).collect();
    for k in 0..expander.later.len() {
        replacements.push(Guard::constant(at_the_end(expander, k)));
    }
    expander.guards.compose(f, &replacements)
}

fn reduce(problem: &Problem, unfolded: Unfolded, limits: Limits) -> Result<Buchi, Limit> {
    let Unfolded { guards, edges, accepting } = unfolded;
    let used: Vec<Guard> = edges.iter().flatten().map(|edge| edge.guard).collect();
    let alphabet = Alphabet::new(guards, problem.atoms.clone(), used, Guard::TRUE)?;
    by_width!(alphabet, reduce_graph(alphabet, &edges, &accepting, limits))
}

/// The end of a word is an extra letter, which accepting states read, and then nothing else is read: so the reductions can treat an
/// automaton on finite words as one on infinite words.
fn reduce_graph<const W: usize>(
    alphabet: Alphabet,
    edges: &[Vec<Edge>],
    accepting: &[bool],
    mut limits: Limits,
) -> Result<Buchi, Limit> {
    let limits = &mut limits;
    let mut graph = alphabet.graph::<W>(0, edges, 1);
    let (end_letter, end_state) = (alphabet.classes.len(), graph.len() as u32);
    let to_end = |marks| Arc { target: end_state, marks, letters: Letters::one(end_letter) };
    for (arcs, _) in graph.arcs.iter_mut().zip(accepting).filter(|(_, accepting)| **accepting) {
        arcs.push(to_end(0));
    }
    graph.arcs.push(vec![to_end(1)]);
    let graph = pruned(&graph, Elsewhere::None);
    let mut best = small(graph.clone(), limits)?;
    if alphabet.disjoint {
        let mut few = Limits { states: limits.states.min(DETERMINISTIC), ..*limits };
        if let Ok(minimal) = minimal(&graph, end_letter, &mut few)
            && minimal.size() <= best.size()
        {
            best = minimal;
        }
    }
    without_end(alphabet, &best, end_letter)
}

fn small<const W: usize>(mut graph: Graph<W>, limits: &mut Limits) -> Result<Graph<W>, Limit> {
    loop {
        let size = graph.size();
        graph = pruned(&forward(&graph, limits)?, Elsewhere::None);
        graph = pruned(&backward(&graph, false, limits)?, Elsewhere::None);
        if graph.size() >= size {
            return Ok(graph);
        }
    }
}

/// The minimal deterministic automaton.
fn minimal<const W: usize>(
    graph: &Graph<W>,
    end_letter: usize,
    limits: &mut Limits,
) -> Result<Graph<W>, Limit> {
    let classes = end_letter + 1;
    let subsets = subsets(graph, classes, limits)?;
    // Only the state after the end loops on the end letter.
    let after_end = |state: usize| {
        let loops = |q: &u32| {
            graph.arcs[*q as usize].iter().any(|arc| arc.target == *q && arc.letters.has(end_letter))
        };
        subsets.sets[state].iter().any(loops)
    };
    let block = partition(&table(&subsets.graph, classes), |state| u32::from(after_end(state)));
    let blocks = block.iter().max().map_or(0, |&top| top as usize + 1);
    let mut arcs: Vec<Vec<Arc<W>>> = vec![Vec::new(); blocks];
    for (state, out) in subsets.graph.arcs.iter().enumerate().rev() {
        let marks = u64::from(after_end(state));
        let to = |arc: &Arc<W>| Arc { target: block[arc.target as usize], marks, ..*arc };
        arcs[block[state] as usize] = out.iter().map(to).collect();
    }
    Ok(pruned(&Graph { initial: block[0], arcs, full: 1 }, Elsewhere::None))
}

/// Replaces the end letter with accepting states.
fn without_end<const W: usize>(
    alphabet: Alphabet,
    graph: &Graph<W>,
    end_letter: usize,
) -> Result<Buchi, Limit> {
    let ends = |arc: &Arc<W>| arc.letters.has(end_letter);
    let last = graph.arcs.iter().flatten().find(|arc| ends(arc)).map(|arc| arc.target);
    let mut body = graph.trimmed(|state| Some(state) != last);
    // The same numbering, with the arcs to the end kept to determine the accepting states.
    let mut accepting = Vec::with_capacity(body.len());
    let mut order = vec![graph.initial];
    let mut seen = vec![false; graph.len()];
    seen[graph.initial as usize] = true;
    while let Some(&state) = order.get(accepting.len()) {
        accepting.push(graph.arcs[state as usize].iter().any(ends));
        for arc in graph.arcs[state as usize].iter().filter(|arc| Some(arc.target) != last) {
            if !std::mem::replace(&mut seen[arc.target as usize], true) {
                order.push(arc.target);
            }
        }
    }
    accepting.truncate(body.len());
    for arc in body.arcs.iter_mut().flatten() {
        arc.letters = arc.letters.without(Letters::one(end_letter));
    }
    alphabet.buchi(&body, accepting)
}
