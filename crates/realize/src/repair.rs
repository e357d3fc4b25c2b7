//! Ways out of a conflict. Each one is tried before it is shown: with it, the requirements are realizable.

use crate::fixpoint::Budget;
use crate::game::{Game, Order};
use crate::ladder::{Trigger, is_redundant, triggers};
use crate::play::Play;
use crate::set::{Member, game};
use crate::solve::{Outcome, decide};
use logic::Store;
use requirement::specification::Variable;
use requirement::{Condition, Reading, Requirement, Scope, Timing};
use system::{Expr, Pool, Type, Value, Var};

/// A way out of a conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Another duration of a requirement: the nearest one that makes the whole group realizable, or the conflict.
    Duration {
        /// The index of the requirement among the members.
        member: usize,
        /// The steps that it has.
        from: u64,
        /// The steps that work.
        to: u64,
        /// Whether all requirements of the group are then realizable together; otherwise only those of the conflict.
        whole: bool,
    },
    /// Inputs that never come together.
    Assumption {
        /// The inputs and their values.
        inputs: Vec<(String, String)>,
        /// Whether all requirements of the group are then realizable together; otherwise only those of the conflict.
        whole: bool,
    },
    /// A requirement that does not count while another one is due.
    Exemption {
        /// The index of the requirement among the members.
        member: usize,
        /// The index of the one that takes precedence.
        other: usize,
        /// What of the requirement changes.
        change: Change,
        /// Whether all requirements of the group are then realizable together; otherwise only those of the conflict.
        whole: bool,
    },
    /// Dropping a requirement.
    Drop {
        /// The index of the requirement among the members.
        member: usize,
        /// Whether the others of the group are then realizable together; otherwise only those of the conflict.
        whole: bool,
    },
}

impl Repair {
    /// Whether all requirements of the group are then realizable together.
    fn is_whole(&self) -> bool {
        match self {
            Repair::Duration { whole, .. }
            | Repair::Assumption { whole, .. }
            | Repair::Exemption { whole, .. }
            | Repair::Drop { whole, .. } => *whole,
        }
    }
}

/// How a requirement is exempted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Its condition demands also that the other one's expression is false.
    Condition,
    /// Its response is due only if the other one's expression is false.
    Response,
}

/// The expression that says when a requirement takes precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Its condition.
    Condition,
    /// Its mode.
    Mode,
    /// Both.
    Both,
}

/// A set of requirements with a conflict.
#[derive(Clone, Copy)]
pub struct Conflicting<'a> {
    /// All variables.
    pub variables: &'a [Variable],
    /// All members.
    pub members: &'a [Member<'a>],
    /// The members of the group that shares outputs.
    pub group: &'a [usize],
    /// The members in conflict.
    pub conflict: &'a [usize],
    /// The reading.
    pub reading: Reading,
    /// Who chooses first.
    pub order: Order,
}

/// The largest number of inputs of an assumption.
const MOST_VALUES: usize = 7;
/// The largest number of requirements in a conflict for which exemptions are tried.
const MOST_EXEMPTED: usize = 3;
/// The largest number of nodes for one attempt: what takes longer than the conflict itself is not worth it.
const NODES: usize = 400_000;
/// The longest duration that is tried.
const LONGEST: u64 = 1 << 14;

/// Repairs of a conflict.
pub fn repairs(store: &mut Store, set: Conflicting, play: Option<&Play>, budget: Budget) -> Vec<Repair> {
    let budget = budget.at_most(NODES);
    let mut found = Vec::new();
    for member in set.conflict {
        found.extend(duration(store, set, *member, budget));
    }
    let assumed = play.and_then(|play| assumption(store, set, play, budget));
    let (useful, useless): (Vec<_>, Vec<_>) = assumed.into_iter().partition(|it| it.1);
    found.extend(useful.into_iter().map(|it| it.0));
    if set.conflict.len() <= MOST_EXEMPTED {
        let pairs = set.conflict.iter().flat_map(|a| set.conflict.iter().map(move |b| (*a, *b)));
        for (member, other) in pairs.filter(|it| it.0 != it.1) {
            found.extend(exemption(store, set, (member, other), budget));
        }
    }
    // What is enough for the group is enough for the conflict. Where nothing is, the conflict is at least removed.
    for (set_of, whole) in [(set.group, true), (set.conflict, false)] {
        if !whole && found.iter().any(Repair::is_whole) {
            break;
        }
        for member in set.conflict {
            let rest: Vec<usize> = set_of.iter().copied().filter(|it| it != member).collect();
            if set.is_realizable(store, &rest, None, budget) {
                found.push(Repair::Drop { member: *member, whole });
            }
        }
    }
    if found.is_empty() {
        found.extend(useless.into_iter().map(|it| it.0));
    }
    found
}

/// When a requirement takes precedence over another one; `None` if it has neither a condition nor a mode of its own, or if temporal
/// predicates are in them.
pub fn due(it: &Requirement, over: &Requirement) -> Option<Due> {
    if !it.predicates.is_empty() {
        return None;
    }
    let has_mode = matches!(it.scope, Scope::In(_)) && it.scope != over.scope;
    match (it.condition, has_mode) {
        (Condition::Null, false) => None,
        (Condition::Null, true) => Some(Due::Mode),
        (_, true) => Some(Due::Both),
        (_, false) => Some(Due::Condition),
    }
}

impl Conflicting<'_> {
    /// The game of some members, with all assumptions, one of them perhaps changed, and the member of each guarantee.
    fn game(
        &self,
        store: &mut Store,
        chosen: &[usize],
        changed: Option<(usize, &Requirement)>,
    ) -> (Game, Vec<usize>) {
        let with = |it: usize| match changed {
            Some((member, changed)) if member == it => changed.clone(),
            _ => self.members[it].requirement.clone(),
        };
        let is_in = |it: &usize| chosen.contains(it) || self.members[*it].assumption;
        let requirements: Vec<(usize, Requirement)> =
            (0..self.members.len()).filter(is_in).map(|it| (it, with(it))).collect();
        let members: Vec<Member> = requirements
            .iter()
            .map(|(it, requirement)| Member { requirement, ..self.members[*it].clone() })
            .collect();
        let set = game(store, self.variables, &members, self.reading);
        (set.game, set.members.into_iter().map(|it| requirements[it].0).collect())
    }

    fn is_realizable(
        &self,
        store: &mut Store,
        chosen: &[usize],
        changed: Option<(usize, &Requirement)>,
        budget: Budget,
    ) -> bool {
        let (game, _) = self.game(store, chosen, changed);
        let parts = game.components();
        parts.iter().all(|it| decide(&game.part(&it.guarantees), self.order, budget) == Outcome::Realizable)
    }
}

/// The nearest duration of a member that makes the whole group realizable or, if there is none, that removes the conflict.
fn duration(store: &mut Store, set: Conflicting, member: usize, budget: Budget) -> Option<Repair> {
    let requirement = set.members[member].requirement;
    let (from, make): (u64, fn(u64) -> Timing) = match requirement.timing {
        Timing::Within(steps) => (steps, Timing::Within),
        Timing::For(steps) => (steps, Timing::For),
        _ => return None,
    };
    // A longer `within` and a shorter `for` demand less; where the scope denies them, it is the other way round.
    let longer = matches!(requirement.timing, Timing::Within(_)) != requirement.scope.denies();
    let mut nearest = |from: u64, chosen: &[usize]| {
        let mut works = |steps: u64| {
            let changed = Requirement { timing: make(steps), ..requirement.clone() };
            set.is_realizable(store, chosen, Some((member, &changed)), budget)
        };
        // Between a duration that does not work and one that does.
        let (mut bad, mut good) = (from, None);
        if longer {
            let mut step = 1;
            while good.is_none() && from + step <= LONGEST {
                match works(from + step) {
                    true => good = Some(from + step),
                    false => bad = from + step,
                }
                step *= 2;
            }
        } else if from > 0 && works(0) {
            good = Some(0);
        }
        let mut good = good?;
        while good.abs_diff(bad) > 1 {
            let middle = good.midpoint(bad);
            if works(middle) { good = middle } else { bad = middle }
        }
        Some(good)
    };
    let enough = nearest(from, set.conflict)?;
    // One step back, so that a duration that is enough for the conflict is tried for the whole group.
    let before = if longer { enough - 1 } else { enough + 1 };
    let whole = nearest(before, set.group);
    Some(Repair::Duration { member, from, to: whole.unwrap_or(enough), whole: whole.is_some() })
}

/// A member that does not count while another one is due, if that leaves something of it.
fn exemption(
    store: &mut Store,
    set: Conflicting,
    (member, other): (usize, usize),
    budget: Budget,
) -> Option<Repair> {
    let (it, first) = (set.members[member].requirement, set.members[other].requirement);
    let mut parts = Vec::new();
    let due = due(first, it)?;
    if let (Scope::In(mode), Due::Mode | Due::Both) = (first.scope, due) {
        parts.push(mode);
    }
    if let Condition::Regular(condition) | Condition::Holding(condition) = first.condition {
        parts.push(condition);
    }
    let due = store.and(parts);
    let free = store.not(due);
    let condition = match it.condition {
        Condition::Null => None,
        Condition::Regular(condition) => Some(Condition::Regular(store.and2(condition, free))),
        Condition::Holding(condition) => Some(Condition::Holding(store.and2(condition, free))),
    };
    let response = store.or2(due, it.response);
    let changes = [
        condition.map(|condition| (Change::Condition, Requirement { condition, ..it.clone() })),
        Some((Change::Response, Requirement { response, ..it.clone() })),
    ];
    changes.into_iter().flatten().find_map(|(change, changed)| {
        let changed = Some((member, &changed));
        if !set.is_realizable(store, set.conflict, changed, budget) {
            return None;
        }
        // What follows from the others is as good as dropped.
        let (game, members) = set.game(store, set.conflict, changed);
        let place = members.iter().position(|it| *it == member)?;
        let is_left = is_redundant(&game, place, budget) == Ok(false);
        let whole = is_left && set.is_realizable(store, set.group, changed, budget);
        is_left.then_some(Repair::Exemption { member, other, change, whole })
    })
}

/// Values of inputs at the last step of the play that must not come together, as many as possible, and whether all requirements of the
/// conflict can still be triggered.
fn assumption(store: &mut Store, set: Conflicting, play: &Play, budget: Budget) -> Option<(Repair, bool)> {
    if play.loops_to.is_some() {
        return None;
    }
    let (base, _) = set.game(store, set.conflict, None);
    let last = play.steps.last()?;
    let mut literals: Vec<(Var, Value)> = Vec::new();
    for (var, value) in last {
        let finite = matches!(base.system.variables[var.index()].ty, Type::Bool | Type::Enum(_));
        if finite && base.system.inputs.contains(var) && !base.is_output(*var) {
            literals.push((*var, value.clone()));
        }
    }
    let without = |game: &Game, literals: &[(Var, Value)]| {
        let mut game = game.clone();
        let together: Vec<Expr> =
            literals.iter().map(|(var, value)| literal(&mut game, *var, value)).collect();
        let together = game.system.pool.and(together);
        let never = game.system.pool.not(together);
        game.system.assumptions.push(never);
        game
    };
    let works = |game: &Game, literals: &[(Var, Value)]| {
        let game = without(game, literals);
        let parts = game.components();
        parts.iter().all(|it| decide(&game.part(&it.guarantees), set.order, budget) == Outcome::Realizable)
    };
    // The weakest assumption excludes the fewest inputs: it has the most values. One value alone would take an input away.
    literals.truncate(MOST_VALUES);
    let count = literals.len() as u32;
    let mut choices: Vec<u32> = (1..1u32 << count).filter(|it| it.count_ones() > 1).collect();
    choices.sort_by_key(|it| (count - it.count_ones(), *it));
    let chosen = |it: u32| -> Vec<(Var, Value)> {
        let kept = literals.iter().enumerate().filter(|(place, _)| it >> place & 1 == 1);
        kept.map(|it| it.1.clone()).collect()
    };
    let is_useful = |needed: &[(Var, Value)]| {
        let game = without(&base, needed);
        let triggers = game
            .components()
            .into_iter()
            .flat_map(|it| triggers(&game.part(&it.guarantees), set.order, budget));
        triggers.into_iter().all(|it| it != Ok(Trigger::Impossible))
    };
    let mut working = choices.into_iter().map(chosen).filter(|it| works(&base, it));
    let first = working.next()?;
    let useful = [first.clone()].into_iter().chain(working).find(|it| is_useful(it));
    let (needed, is_useful) = useful.map_or((first, false), |it| (it, true));
    let whole = works(&set.game(store, set.group, None).0, &needed);
    let shown = needed.iter().map(|(var, value)| {
        let variable = &base.system.variables[var.index()];
        let value = match (value, variable.ty) {
            (Value::Bool(value), _) => value.to_string(),
            (Value::Enum(place), Type::Enum(id)) => {
                base.system.pool.enumeration(id).literals[*place as usize].clone()
            }
            _ => String::new(),
        };
        (variable.name.clone(), value)
    });
    Some((Repair::Assumption { inputs: shown.collect(), whole }, is_useful))
}

fn literal(game: &mut Game, var: Var, value: &Value) -> Expr {
    let now = game.system.expr(var);
    match (value, game.system.variables[var.index()].ty) {
        (Value::Bool(true), _) => now,
        (Value::Bool(false), _) => game.system.pool.not(now),
        (Value::Enum(place), Type::Enum(id)) => {
            let literal = game.system.pool.literal(id, *place);
            game.system.pool.eq(now, literal)
        }
        _ => Pool::TRUE,
    }
}
