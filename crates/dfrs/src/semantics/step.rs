//! The expanded system (e-DFRS, paper section 4.2), one step at a time and on exact values: what an animator needs.
//!
//! A state is stable if no entry is enabled that changes something. In a stable state time passes, up to the deadline, and
//! the inputs get new values; in the others an entry reacts. This is the reference: it reads the model as it is written, and every scenario
//! that an analysis finds is run here again before it is shown.

use crate::reading::{Clock, Reading, Semantics};
use crate::system::{Assignment, Condition, Dfrs, Effect, Entry, Kind, Moment, Operand, Sort, Timed};
use logic::{RBig, Rel, Value};

/// A state: for each variable its previous and current value. The value of a timer is the time of its last reset.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// Previous values.
    pub before: Vec<Value>,
    /// Current values.
    pub now: Vec<Value>,
    /// The global clock.
    pub clock: RBig,
}

/// A function transition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reaction {
    /// The number of the entry, counted over all functions.
    pub entry: usize,
    /// The number of the requirement it comes from.
    pub requirement: usize,
    /// Where it leads.
    pub state: State,
}

/// How long time may pass without a reaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadline {
    /// The longest delay.
    pub delay: RBig,
    /// Whether it may be that long; if not, only shorter ones.
    pub included: bool,
    /// The entry that has to react by then.
    pub entry: usize,
}

/// Why a delay is not possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Something has to react first.
    Unstable,
    /// A delay is greater than zero.
    NotPositive,
    /// In discrete time a delay is an integer.
    NotWhole,
    /// An entry has to react before.
    Late(Deadline),
    /// This variable is not an input.
    NotAnInput(usize),
    /// This input cannot have such a value.
    WrongSort(usize),
    /// The environment never does this: the number of the restriction.
    Restricted(usize),
}

/// What a state can come to by reactions alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// Each stable state with a shortest sequence of entries that leads to it.
    pub stable: Vec<(Vec<usize>, State)>,
    /// Whether reactions can go on forever, or for longer than the limit.
    pub endless: bool,
}

/// The entries of all functions, in order: the number of an entry is its place here.
pub fn entries(dfrs: &Dfrs) -> impl Iterator<Item = &Entry> {
    dfrs.functions.iter().flat_map(|function| &function.entries)
}

/// The state at the start.
pub fn initial(dfrs: &Dfrs) -> State {
    let values: Vec<Value> = dfrs
        .variables
        .iter()
        .map(|variable| match variable.kind {
            Kind::Timer => Value::Num(RBig::ZERO),
            Kind::Input | Kind::Output => variable.initial.clone(),
        })
        .collect();
    State { before: values.clone(), now: values, clock: RBig::ZERO }
}

/// Whether the guards of an entry hold.
pub fn holds(entry: &Entry, state: &State) -> bool {
    static_guard(entry, state) && timed_guard(entry, state, &RBig::ZERO)
}

/// The state after the assignments of an entry.
pub fn fire(entry: &Entry, semantics: Semantics, state: &State) -> State {
    let mut next = state.clone();
    for assignment in &entry.effect {
        let value = assigned(assignment, state);
        let old = std::mem::replace(&mut next.now[assignment.variable], value);
        if semantics.reading != Reading::Synchronous && assignment.effect != Effect::Reset {
            next.before[assignment.variable] = old;
        }
    }
    next
}

/// Whether an entry would do something that counts.
pub fn changes(entry: &Entry, semantics: Semantics, state: &State) -> bool {
    let outputs = entry.effect.iter().any(|assignment| assignment.effect != Effect::Reset);
    entry.effect.iter().any(|assignment| {
        let moves = state.now[assignment.variable] != assigned(assignment, state);
        match (semantics.reading, &assignment.effect) {
            (Reading::Literal, Effect::Assign(_)) => {
                moves || state.before[assignment.variable] != state.now[assignment.variable]
            }
            (Reading::Synchronous, Effect::Reset) => moves && !outputs,
            (Reading::Literal | Reading::Current, Effect::Reset)
            | (Reading::Current | Reading::Synchronous, Effect::Assign(_)) => moves,
        }
    })
}

/// The function transitions of a state; it is stable if there are none.
pub fn react(dfrs: &Dfrs, semantics: Semantics, state: &State) -> Vec<Reaction> {
    entries(dfrs)
        .enumerate()
        .filter(|(_, entry)| holds(entry, state) && changes(entry, semantics, state))
        .map(|(number, entry)| Reaction {
            entry: number,
            requirement: entry.requirement,
            state: fire(entry, semantics, state),
        })
        .collect()
}

/// All stable states that reactions can lead to, visiting at most `limit` states.
pub fn settle(dfrs: &Dfrs, semantics: Semantics, state: State, limit: usize) -> Settled {
    let mut seen: Vec<(Vec<usize>, State)> = vec![(Vec::new(), state)];
    let mut settled = Settled { stable: Vec::new(), endless: false };
    let mut edges: Vec<Vec<usize>> = Vec::new();
    let mut next = 0;
    while next < seen.len() {
        let (path, state) = seen[next].clone();
        let reactions = react(dfrs, semantics, &state);
        let mut targets = Vec::new();
        for reaction in &reactions {
            let known = seen.iter().position(|(_, other)| *other == reaction.state);
            targets.push(known.unwrap_or(seen.len()));
            if known.is_none() {
                if seen.len() == limit {
                    settled.endless = true;
                    return settled;
                }
                let path = path.iter().copied().chain([reaction.entry]).collect();
                seen.push((path, reaction.state.clone()));
            }
        }
        if reactions.is_empty() {
            settled.stable.push((path, state));
        }
        edges.push(targets);
        next += 1;
    }
    settled.endless = has_cycle(&edges);
    settled
}

/// How long time may pass in a stable state: the first of the last moments at which each entry would still react, if no input changed
/// (paper: `maxDelays`). An open bound is a supremum that is not reached.
pub fn deadline(dfrs: &Dfrs, semantics: Semantics, state: &State) -> Option<Deadline> {
    let mut later = waiting(dfrs, semantics, state);
    // Any delay makes every reset count.
    later.clock = &state.clock + RBig::ONE;
    let mut first: Option<Deadline> = None;
    for (number, entry) in entries(dfrs).enumerate() {
        if !static_guard(entry, &later) || !changes(entry, semantics, &later) {
            continue;
        }
        if let Some((delay, included)) = last_enabling_delay(entry, semantics.clock, state) {
            let sooner = first.as_ref().is_none_or(|first| {
                delay < first.delay || delay == first.delay && first.included && !included
            });
            if sooner {
                first = Some(Deadline { delay, included, entry: number });
            }
        }
    }
    first
}

/// A delay transition: time passes, and the inputs that are named get new values; the others keep theirs.
pub fn delay(
    dfrs: &Dfrs,
    semantics: Semantics,
    state: &State,
    by: &RBig,
    inputs: &[(usize, Value)],
) -> Result<State, Refusal> {
    if !react(dfrs, semantics, state).is_empty() {
        return Err(Refusal::Unstable);
    }
    if *by <= RBig::ZERO {
        return Err(Refusal::NotPositive);
    }
    if semantics.clock == Clock::Discrete && !by.is_int() {
        return Err(Refusal::NotWhole);
    }
    if let Some(deadline) = deadline(dfrs, semantics, state)
        && (*by > deadline.delay || *by == deadline.delay && !deadline.included)
    {
        return Err(Refusal::Late(deadline));
    }
    let mut next = waiting(dfrs, semantics, state);
    next.clock = &state.clock + by;
    for (place, variable) in dfrs.variables.iter().enumerate() {
        if variable.kind == Kind::Input {
            next.before[place] = state.now[place].clone();
        }
    }
    for (place, value) in inputs {
        let variable = dfrs
            .variables
            .get(*place)
            .filter(|it| it.kind == Kind::Input)
            .ok_or(Refusal::NotAnInput(*place))?;
        if !fits(&variable.sort, value) {
            return Err(Refusal::WrongSort(*place));
        }
        next.now[*place] = value.clone();
    }
    let forbidden = dfrs
        .restrictions
        .iter()
        .position(|never| never.never.iter().all(|condition| meets(condition, &next)));
    forbidden.map_or(Ok(next), |number| Err(Refusal::Restricted(number)))
}

/// Whether a value is of a sort. Names outside the enumeration do fit: the environment may know more.
fn fits(sort: &Sort, value: &Value) -> bool {
    match (sort, value) {
        (Sort::Bool { .. }, Value::Bool(_))
        | (Sort::Real, Value::Num(_))
        | (Sort::Names(_), Value::Name(_)) => true,
        (Sort::Int, Value::Num(number)) => number.is_int(),
        (Sort::Bool { .. } | Sort::Int | Sort::Real | Sort::Names(_), _) => false,
    }
}

/// The state whose guards say what would happen if only time passed.
fn waiting(dfrs: &Dfrs, semantics: Semantics, state: &State) -> State {
    let mut next = state.clone();
    if semantics.reading == Reading::Synchronous {
        for (place, variable) in dfrs.variables.iter().enumerate() {
            if variable.kind != Kind::Timer {
                next.before[place] = next.now[place].clone();
            }
        }
    }
    next
}

fn assigned(assignment: &Assignment, state: &State) -> Value {
    match &assignment.effect {
        Effect::Reset => Value::Num(state.clock.clone()),
        Effect::Assign(operand) => value_of(operand, state),
    }
}

fn value_of(operand: &Operand, state: &State) -> Value {
    let at = |moment: &Moment, variable: usize| match moment {
        Moment::Now => &state.now[variable],
        Moment::Before => &state.before[variable],
    };
    match operand {
        Operand::Constant(value) => value.clone(),
        Operand::Variable(moment, variable) => at(moment, *variable).clone(),
        Operand::Sum(terms, constant) => {
            Value::Num(terms.iter().fold(constant.clone(), |sum, (factor, moment, variable)| {
                match at(moment, *variable) {
                    Value::Num(number) => sum + factor * number,
                    Value::Bool(_) | Value::Name(_) => sum,
                }
            }))
        }
    }
}

fn static_guard(entry: &Entry, state: &State) -> bool {
    entry.guard.iter().all(|any| any.iter().any(|condition| meets(condition, state)))
}

fn timed_guard(entry: &Entry, state: &State, later: &RBig) -> bool {
    let meets = |timed: &Timed| related(&(age(state, timed.timer) + later), timed.relation, &timed.bound);
    entry.timed.iter().all(|any| any.iter().any(meets))
}

fn age(state: &State, timer: usize) -> RBig {
    match &state.now[timer] {
        Value::Num(reset) => &state.clock - reset,
        Value::Bool(_) | Value::Name(_) => RBig::ZERO,
    }
}

pub(crate) fn meets(condition: &Condition, state: &State) -> bool {
    let left = match condition.moment {
        Moment::Now => &state.now[condition.variable],
        Moment::Before => &state.before[condition.variable],
    };
    match (left, &value_of(&condition.operand, state)) {
        (Value::Num(left), Value::Num(right)) => related(left, condition.relation, right),
        (left, right) => match condition.relation {
            Rel::Eq => left == right,
            Rel::Ne => left != right,
            Rel::Lt | Rel::Le | Rel::Gt | Rel::Ge => false,
        },
    }
}

/// Whether two numbers compare so.
pub(crate) fn related<T: Ord>(left: &T, relation: Rel, right: &T) -> bool {
    relation.holds(left, right)
}

/// The last delay after which the timed guard holds, and whether it is reached; `None` if there is none or no last one.
///
/// The guard can only turn at the bounds it names: it is constant at each of them and between two neighbours.
fn last_enabling_delay(entry: &Entry, clock: Clock, state: &State) -> Option<(RBig, bool)> {
    let mut turns: Vec<RBig> =
        entry.timed.iter().flatten().map(|it| &it.bound - age(state, it.timer)).collect();
    turns.retain(|turn| *turn > RBig::ZERO);
    turns.sort();
    turns.dedup();
    let holds = |delay: &RBig| timed_guard(entry, state, delay);
    let beyond = turns.last().map_or(RBig::ONE, |last| RBig::from(last.floor()) + RBig::ONE);
    if holds(&beyond) {
        return None;
    }
    for (place, turn) in turns.iter().enumerate().rev() {
        let previous = if place == 0 { RBig::ZERO } else { turns[place - 1].clone() };
        match clock {
            Clock::Dense => {
                if holds(turn) {
                    return Some((turn.clone(), true));
                }
                if holds(&((&previous + turn) / RBig::from(2))) {
                    return Some((turn.clone(), false));
                }
            }
            Clock::Discrete => {
                if turn.is_int() && holds(turn) {
                    return Some((turn.clone(), true));
                }
                let below = RBig::from(turn.ceil()) - RBig::ONE;
                if below > previous && holds(&below) {
                    return Some((below, true));
                }
            }
        }
    }
    None
}

/// Whether a graph has a cycle.
pub(crate) fn has_cycle(edges: &[Vec<usize>]) -> bool {
    // Take away what leads only to what is taken away, from the ends on.
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for &to in targets {
            sources[to].push(from);
        }
    }
    let mut open: Vec<usize> = edges.iter().map(Vec::len).collect();
    let mut ends: Vec<usize> = (0..edges.len()).filter(|&node| open[node] == 0).collect();
    let mut taken = 0;
    while let Some(node) = ends.pop() {
        taken += 1;
        for &from in &sources[node] {
            open[from] -= 1;
            if open[from] == 0 {
                ends.push(from);
            }
        }
    }
    taken < edges.len()
}
