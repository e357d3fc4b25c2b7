//! From a formula to a small Büchi automaton: several translations are tried, and the smallest automaton is kept.

pub(crate) mod context;
pub mod finite;
pub(crate) mod implication;
pub(crate) mod ltl;
pub(crate) mod past;
pub(crate) mod read;
pub(crate) mod rules;
pub(crate) mod sample;
pub(crate) mod tableau;

use crate::automaton::degeneralize::{Levels, degeneralize};
use crate::automaton::graph::{Alphabet, Graph, by_width};
use crate::automaton::scc::OfArcs as _;
use crate::automaton::scc::{Elsewhere, components, fewer_marks, pruned, saturated, useful};
use crate::automaton::simulate::{backward, forward};
use crate::automaton::weak::minimal_weak;
use crate::automaton::{Buchi, General, Guard, Guards};
use crate::limits::{Limit, Limits};
use crate::translate::context::simpler;
use crate::translate::ltl::Ltl;
use crate::translate::past::remember;
use crate::translate::read::Problem;
use crate::translate::read::read;
use crate::translate::tableau::Expander;
use crate::translate::tableau::Style;
use crate::translate::tableau::Table;
use crate::translate::tableau::tableau;
use logic::{Formula, Id, Store};

/// The Büchi automaton of a formula: it accepts the infinite words at whose first position the formula holds.
pub fn translate(store: &Store, formula: Formula, limits: Limits) -> Result<Buchi, Limit> {
    translate_over(store, formula, &[], limits)
}

/// As [`translate`]; the automaton has the given atoms first, then the others of the formula.
pub fn translate_over(store: &Store, formula: Formula, atoms: &[Id], limits: Limits) -> Result<Buchi, Limit> {
    let mut problem = read(store, formula, atoms, false)?;
    let buchi = smallest_of(&mut problem, limits)?;
    if !WORTH_A_LOOK.contains(&buchi.steps.len()) {
        return Ok(buchi);
    }
    let propositions = problem.atoms.len() + problem.hidden.len();
    let tried = Limits { states: TRIED, steps: 2 * TRIED_STEPS, ..limits };
    let simpler = simpler(&mut problem.arena, problem.root, propositions, QUESTIONS, tried);
    if simpler == problem.root {
        return Ok(buchi);
    }
    problem.root = simpler;
    let other = smallest_of(&mut problem, limits)?;
    Ok(if other.size() < buchi.size() { other } else { buchi })
}

fn smallest_of(problem: &mut Problem, limits: Limits) -> Result<Buchi, Limit> {
    let tables = tables(problem, limits)?;
    let used: Vec<Guard> =
        tables.all().flat_map(|table| table.edges.iter().flatten()).map(|edge| edge.guard).collect();
    let alphabet = Alphabet::new(tables.guards.clone(), problem.atoms.clone(), used, Guard::TRUE)?;
    by_width!(alphabet, smallest(alphabet, &tables, limits))
}

/// A small Büchi automaton that accepts the words of a generalized one.
pub fn reduce(general: &General, limits: Limits) -> Result<Buchi, Limit> {
    let used: Vec<Guard> = general.edges.iter().flatten().map(|edge| edge.guard).collect();
    let alphabet = Alphabet::new(general.guards.clone(), general.atoms.clone(), used, Guard::TRUE)?;
    by_width!(alphabet, reduce_graph(alphabet, general, limits))
}

fn reduce_graph<const W: usize>(
    alphabet: Alphabet,
    general: &General,
    mut limits: Limits,
) -> Result<Buchi, Limit> {
    let graph = alphabet.graph::<W>(general.initial, &general.edges, general.marks);
    let graph = small_general(graph, &mut limits)?;
    let buchi = small_buchi(&graph, &mut limits)?;
    let accepting = buchi.accepting();
    alphabet.buchi(&buchi, accepting)
}

/// The generalized automata of a formula, and of its negation if that was within the limits.
pub(crate) struct Tables {
    guards: Guards,
    positive: Vec<Table>,
    negative: Option<Table>,
}

impl Tables {
    fn all(&self) -> impl Iterator<Item = &Table> {
        self.positive.iter().chain(&self.negative)
    }
}

/// The range of automaton sizes for which further analysis of the formula pays off: smaller ones are small enough, and larger ones
/// take too long.
const WORTH_A_LOOK: std::ops::Range<usize> = 6..60;

/// The maximum number of queries about the parts of a formula.
const QUESTIONS: usize = 20;

/// The number of automata to reduce among those that differ in their levels.
const PROMISING: usize = 6;

/// The maximum number of states of a speculative automaton.
const TRIED: usize = 400;

/// The maximum number of steps of a speculative translation.
const TRIED_STEPS: usize = 100_000;

fn tables(problem: &mut Problem, limits: Limits) -> Result<Tables, Limit> {
    let root = problem.arena.and([problem.root, problem.meanings]);
    let other = problem.arena.and([!problem.root, problem.meanings]);
    let waiting = problem.arena.waiting(root);
    let (mut positive, mut guards) = (Vec::new(), Guards::with_limit(limits.nodes));
    let tried = Limits { states: limits.states.min(TRIED), steps: limits.steps.min(TRIED_STEPS), ..limits };
    let mut failed = Ok(());
    for style in [Style { postpone: false }, Style { postpone: true }] {
        for f in if waiting == root { vec![root] } else { vec![root, waiting] } {
            // The first translation may take long; the others must be short.
            let limits = if positive.is_empty() && failed.is_ok() { limits } else { tried };
            match table(problem, &mut guards, f, style, limits) {
                Ok(table) => positive.push(table),
                Err(limit) => failed = Err(limit),
            }
        }
        // If the first translation was long, the others are not tried.
        if positive.iter().all(|table| table.edges.len() > TRIED) {
            break;
        }
    }
    if positive.is_empty() {
        failed?;
    }
    let negative = table(problem, &mut guards, other, Style { postpone: false }, tried).ok();
    Ok(Tables { guards, positive, negative })
}

/// The generalized automaton of one formula of a problem, over the atoms.
pub(crate) fn table(
    problem: &mut Problem,
    guards: &mut Guards,
    f: Ltl,
    style: Style,
    limits: Limits,
) -> Result<Table, Limit> {
    let propositions = problem.atoms.len() + problem.hidden.len();
    let mut expander = Expander::new(&mut problem.arena, std::mem::take(guards), propositions, style, limits);
    let table = tableau(&mut expander, f);
    *guards = expander.guards;
    if guards.is_full() {
        return Err(Limit::Nodes);
    }
    let table = table?;
    if problem.hidden.is_empty() { Ok(table) } else { remember(problem, guards, &table, limits) }
}

fn smallest<const W: usize>(alphabet: Alphabet, tables: &Tables, mut limits: Limits) -> Result<Buchi, Limit> {
    let limits = &mut limits;
    let graph = |table: &Table| alphabet.graph::<W>(0, &table.edges, table.marks);
    let mut best: Option<Graph<W>> = None;
    let mut offer = |candidate: Graph<W>| {
        if best.as_ref().is_none_or(|best| candidate.size() < best.size()) {
            best = Some(candidate);
        }
    };
    let mut generals = Vec::new();
    for table in &tables.positive {
        let general = small_general(graph(table), limits)?;
        if !generals.contains(&general) {
            generals.push(general);
        }
    }
    for general in &generals {
        offer(small_buchi(general, limits)?);
    }
    if let (true, Some(negative)) = (alphabet.disjoint, &tables.negative) {
        let negative = pruned(&graph(negative), Elsewhere::All);
        if let Some(general) = generals.iter().min_by_key(|general| general.size()) {
            let mut tried = Limits { states: TRIED, steps: 1_000_000, ..*limits };
            if let Ok(Some(weak)) = minimal_weak(general, &negative, alphabet.classes.len(), &mut tried) {
                offer(reduced_buchi(&weak, limits)?);
            }
        }
    }
    let buchi = best.unwrap_or_else(|| Graph::nothing(1));
    let accepting = buchi.accepting();
    alphabet.buchi(&buchi, accepting)
}

/// Reduces a generalized automaton until nothing changes.
pub(crate) fn small_general<const W: usize>(graph: Graph<W>, limits: &mut Limits) -> Result<Graph<W>, Limit> {
    let mut graph = graph;
    loop {
        let size = graph.size();
        // Marks that make no difference are optional; either choice may make states equal.
        for elsewhere in [Elsewhere::None, Elsewhere::All] {
            graph = forward(&pruned(&graph, elsewhere), limits)?;
            graph = backward(&pruned(&graph, elsewhere), false, limits)?;
        }
        graph = fewer_marks(pruned(&graph, Elsewhere::All));
        if graph.size() >= size {
            return Ok(graph);
        }
    }
}

/// The smallest Büchi automaton found for a generalized one.
pub(crate) fn small_buchi<const W: usize>(graph: &Graph<W>, limits: &mut Limits) -> Result<Graph<W>, Limit> {
    let mut variants = vec![graph.clone()];
    for variant in [fewer_marks(saturated(graph.clone())), pruned(graph, Elsewhere::None)] {
        if !variants.contains(&variant) {
            variants.push(variant);
        }
    }
    let mut tries: Vec<Graph<W>> = Vec::new();
    for graph in variants {
        let marks = graph.full.count_ones();
        for order in orders(marks) {
            for enter in 0..=marks as usize {
                for count_entry in [true, false] {
                    let levels = Levels { order: order.clone(), enter, count_entry };
                    let buchi = without_useless(&degeneralize(&graph, &levels, limits)?);
                    if !tries.contains(&buchi) {
                        tries.push(buchi);
                    }
                }
            }
        }
    }
    // Reduction takes longer than everything before: only the most promising automata are reduced.
    tries.sort_by_key(Graph::size);
    let mut best: Option<Graph<W>> = None;
    for buchi in tries.iter().take(PROMISING) {
        let buchi = reduced_buchi(buchi, limits)?;
        if best.as_ref().is_none_or(|best| buchi.size() < best.size()) {
            best = Some(buchi);
        }
    }
    Ok(best.unwrap_or_else(|| Graph::nothing(1)))
}

/// Orders of marks to try: all permutations of few marks, rotations of many.
fn orders(marks: u32) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..marks).collect();
    let mut orders = vec![identity.clone()];
    if marks == 3 {
        orders =
            [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map(|o| o.to_vec()).to_vec();
    } else if marks > 1 {
        orders.push(identity.iter().rev().copied().collect());
    }
    orders
}

/// Reduces a Büchi automaton until nothing changes.
pub(crate) fn reduced_buchi<const W: usize>(
    graph: &Graph<W>,
    limits: &mut Limits,
) -> Result<Graph<W>, Limit> {
    let mut graph = without_useless(graph);
    loop {
        let size = graph.size();
        // Whether a state on no cycle accepts makes no difference; either choice may make it equal to another.
        for passing in [true, false] {
            graph = without_useless(&forward(&with_passing(graph, passing), limits)?);
            graph = without_useless(&backward(&with_passing(graph, passing), true, limits)?);
        }
        if graph.size() >= size {
            return Ok(graph);
        }
    }
}

/// Makes the states on no cycle accepting or not.
fn with_passing<const W: usize>(mut graph: Graph<W>, accepting: bool) -> Graph<W> {
    let all = components(&graph, |_, _| true);
    let looping: Vec<bool> = all.marks(&graph).iter().map(Option::is_some).collect();
    for (state, arcs) in graph.arcs.iter_mut().enumerate() {
        if !looping[all.of[state] as usize] {
            arcs.iter_mut().for_each(|arc| arc.marks = u64::from(accepting));
        }
    }
    graph
}

fn without_useless<const W: usize>(graph: &Graph<W>) -> Graph<W> {
    let useful = useful(graph);
    graph.trimmed(|state| useful[state as usize])
}
