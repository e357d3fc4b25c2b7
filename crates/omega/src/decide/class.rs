//! The class of a formula in the hierarchy of Manna and Pnueli (1990), decided semantically, not by syntax.
//!
//! A safety formula is violated by a finite prefix, a guarantee is satisfied by one; obligations are Boolean combinations of both; a
//! recurrence holds infinitely often, a persistence from some point on; everything else is reactivity.

use crate::automaton::determinize::determinize;
use crate::automaton::graph::{Alphabet, Graph, by_width};
use crate::automaton::parity::no_loop_in_loop;
use crate::automaton::scc::{Elsewhere, pruned};
use crate::automaton::weak::{meet, subsets};
use crate::automaton::{Guard, Guards};
use crate::limits::{Limit, Limits};
use crate::translate::read::read;
use crate::translate::tableau::{Style, Table};
use crate::translate::{small_buchi, small_general, table};
use logic::{Formula, Store};
use std::fmt;

/// The classes that a formula belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// Every violation has a finite prefix that cannot be repaired.
    pub safety: bool,
    /// Every word on which it holds has a finite prefix that guarantees it.
    pub guarantee: bool,
    /// A deterministic Büchi automaton accepts its words.
    pub recurrence: bool,
    /// A deterministic Büchi automaton accepts the words of its negation.
    pub persistence: bool,
}

impl Class {
    /// Whether the formula is a Boolean combination of safety and guarantee: recurrence and persistence at once.
    pub fn obligation(self) -> bool {
        self.recurrence && self.persistence
    }
}

/// The smallest classes that apply, as in "guarantee safety".
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.guarantee, self.safety) {
            (true, true) => "guarantee safety",
            (true, false) => "guarantee",
            (false, true) => "safety",
            (false, false) => match (self.recurrence, self.persistence) {
                (true, true) => "obligation",
                (true, false) => "recurrence",
                (false, true) => "persistence",
                (false, false) => "reactivity",
            },
        })
    }
}

/// The classes of a formula.
pub fn class(store: &Store, formula: Formula, limits: Limits) -> Result<Class, Limit> {
    let mut problem = read(store, formula, &[], false)?;
    let mut guards = Guards::with_limit(limits.nodes);
    let holds = problem.arena.and([problem.root, problem.meanings]);
    let fails = problem.arena.and([!problem.root, problem.meanings]);
    let mut make = |f| table(&mut problem, &mut guards, f, Style { postpone: false }, limits);
    let tables = [make(holds)?, make(fails)?];
    let used: Vec<Guard> =
        tables.iter().flat_map(|table| table.edges.iter().flatten()).map(|edge| edge.guard).collect();
    let alphabet = Alphabet::new(guards, problem.atoms, used, Guard::TRUE)?;
    if !alphabet.disjoint {
        return Err(Limit::Letters);
    }
    by_width!(alphabet, class_of_graphs(&alphabet, &tables, limits))
}

fn class_of_graphs<const W: usize>(
    alphabet: &Alphabet,
    tables: &[Table; 2],
    mut limits: Limits,
) -> Result<Class, Limit> {
    let limits = &mut limits;
    let classes = alphabet.classes.len();
    let mut small = |table: &Table| small_general(alphabet.graph::<W>(0, &table.edges, table.marks), limits);
    let (holds, fails) = (small(&tables[0])?, small(&tables[1])?);
    let safety = is_closed(&holds, &fails, classes, limits)?;
    let guarantee = is_closed(&fails, &holds, classes, limits)?;
    if safety || guarantee {
        return Ok(Class { safety, guarantee, recurrence: true, persistence: true });
    }
    let buchi = small_buchi(&holds, limits)?;
    let parity = determinize(&buchi, classes, limits)?;
    let (recurrence, persistence) = (no_loop_in_loop(&parity, false), no_loop_in_loop(&parity, true));
    Ok(Class { safety, guarantee, recurrence, persistence })
}

/// Whether every word whose prefixes can all be continued to words of the language is in the language. `complement` accepts all other
/// words.
fn is_closed<const W: usize>(
    graph: &Graph<W>,
    complement: &Graph<W>,
    classes: usize,
    limits: &mut Limits,
) -> Result<bool, Limit> {
    let live = pruned(graph, Elsewhere::None);
    let subsets = subsets(&live, classes, limits)?;
    // A subset is the set of states after some prefix; the empty one cannot be continued.
    let nothing = live.arcs.iter().all(Vec::is_empty);
    let can_go_on = |state: u32| !nothing && !subsets.sets[state as usize].is_empty();
    Ok(!meet(complement, &subsets.graph, can_go_on, limits)?)
}
