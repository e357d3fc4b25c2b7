//! Transitions: paths through junctions, and what happens when one is taken.

use super::label;
use super::{MAX_FLOW, MAX_PATH, Machine, ordered};
use crate::chart::{End, StateKind, Transition};
use crate::plan::{Fault, Outcome};
use std::collections::BTreeMap;
use system::{Expr, Pool};

impl<'a> Machine<'a, '_, '_> {
    /// Tries transitions one after the other under a guard; returns when one of them is taken. The source is the state that they leave;
    /// `actions` are those of the path so far.
    pub(super) fn transitions(
        &mut self,
        transitions: &[&'a Transition],
        guard: Expr,
        source: Option<usize>,
        actions: &mut Vec<String>,
        depth: usize,
    ) -> Outcome<Expr> {
        if depth > MAX_PATH {
            return Err(Fault::hint(
                "its junctions form a loop, which is not supported",
                "use a state or a block for the loop",
            ));
        }
        let mut taken = Pool::FALSE;
        for transition in transitions {
            let not_yet = self.pool().not(taken);
            let live = self.pool().and([guard, not_yet]);
            if live == Pool::FALSE {
                break;
            }
            let (holds, at_end) = self.tried(transition, live, source)?;
            let before = actions.len();
            if !at_end.is_empty() {
                actions.push(at_end);
            }
            let done = match transition.to {
                End::State(target) => {
                    self.take(transition, source, target, holds, actions)?;
                    holds
                }
                End::Junction(junction) if self.chart.junctions[junction].history => {
                    let parent = self.chart.junctions[junction].parent;
                    let parent =
                        parent.ok_or_else(|| Fault::new("a history junction of the chart is entered"))?;
                    self.take(transition, source, parent, holds, actions)?;
                    holds
                }
                End::Junction(junction) => {
                    let next = self.after(junction);
                    if next.is_empty() {
                        if !actions.is_empty() {
                            let hint = "write it in braces, as a condition action";
                            return Err(Fault::hint(
                                "a path that ends at a junction has a transition action",
                                hint,
                            ));
                        }
                        holds
                    } else {
                        self.deeper(1, |it| it.transitions(&next, holds, source, actions, depth + 1))?
                    }
                }
                End::None => return Err(Fault::new("a transition leads nowhere")),
            };
            actions.truncate(before);
            taken = self.pool().or([taken, done]);
        }
        Ok(taken)
    }

    /// Tries a transition under a guard: returns when its event happens and its condition holds, after which its condition actions have run;
    /// and its other actions.
    fn tried(
        &mut self,
        transition: &Transition,
        live: Expr,
        source: Option<usize>,
    ) -> Outcome<(Expr, String)> {
        self.visit()?;
        let text = label::without_comments(&transition.label, self.chart.matlab);
        let parts = label::transition(&text);
        let event = self.event(parts.event, source)?;
        let mut holds = self.pool().and([live, event]);
        if !parts.condition.is_empty() {
            let condition = self.term(parts.condition, holds, source)?;
            let condition = self.work.truth_of(condition);
            holds = self.pool().and([holds, condition]);
        }
        self.actions(&[parts.at_once], holds, source)?;
        Ok((holds, parts.at_end.to_owned()))
    }

    /// Takes a path from a state, or a default path, to a state.
    fn take(
        &mut self,
        last: &Transition,
        source: Option<usize>,
        target: usize,
        guard: Expr,
        actions: &[String],
    ) -> Outcome<()> {
        if guard == Pool::FALSE {
            return Ok(());
        }
        let above = self.above(target);
        // The innermost state that stays active: around both, and around the target alone on a default path.
        let scope = match source {
            None => last.parent,
            Some(source) => {
                let own = self.above(source);
                let is_inner = self.inner_of(last, source);
                let inside = above.contains(&Some(source)) || target == source;
                match inside {
                    true if is_inner => Some(source),
                    true => self.parent_of(&self.chart.states[source]),
                    false => own.into_iter().find(|it| above.contains(it)).flatten(),
                }
            }
        };
        if source.is_some() {
            let inside = self.inside(scope);
            let inside = if self.is_parallel(scope) {
                // Beside others, only the one that is left is exited.
                inside.into_iter().filter(|it| source == Some(*it) || self.is_around(*it, source)).collect()
            } else {
                inside
            };
            for child in inside.into_iter().rev() {
                let active = self.active[child];
                let guard = self.pool().and([guard, active]);
                self.exit(child, guard)?;
            }
        }
        for text in actions {
            self.actions(&[text], guard, source)?;
        }
        if scope == Some(target) {
            return self.enter_inside(scope, guard);
        }
        let mut chain: Vec<usize> = vec![target];
        chain.extend(above.into_iter().flatten().take_while(|it| Some(*it) != scope));
        chain.reverse();
        self.enter_chain(&chain, guard)
    }

    /// Whether a path began with a transition that is drawn inside its source.
    fn inner_of(&self, last: &Transition, source: usize) -> bool {
        match last.from {
            End::State(_) => last.parent == Some(source),
            // Its last part is drawn where the path is.
            End::Junction(_) | End::None => {
                last.parent == Some(source) || self.is_around(source, last.parent)
            }
        }
    }

    pub(super) fn is_around(&self, outer: usize, inner: Option<usize>) -> bool {
        inner.is_some_and(|it| self.above(it).contains(&Some(outer)))
    }

    /// The states around a state, from the inside out, and the chart.
    pub(super) fn above(&self, state: usize) -> Vec<Option<usize>> {
        let mut all = Vec::new();
        let mut now = Some(state);
        while let Some(state) = now.filter(|_| all.len() <= self.chart.states.len()) {
            now = self.parent_of(&self.chart.states[state]);
            all.push(now);
        }
        all
    }

    /// Exits a state with all states inside, from the inside out.
    fn exit(&mut self, state: usize, guard: Expr) -> Outcome<()> {
        if guard == Pool::FALSE {
            return Ok(());
        }
        self.visit()?;
        let inside = self.inside(Some(state));
        for &child in &inside {
            if let Some(&last) = self.last.get(&child) {
                let active = self.active[child];
                let last = self.pool().ite(guard, active, last);
                self.last.insert(child, last);
            }
        }
        for child in inside.into_iter().rev() {
            let active = self.active[child];
            let guard = self.pool().and([guard, active]);
            self.exit(child, guard)?;
        }
        let labels = self.labels;
        self.actions(&label::state(&labels[state]).exit, guard, Some(state))?;
        let off = self.pool().not(guard);
        let active = self.active[state];
        self.active[state] = self.pool().and([active, off]);
        Ok(())
    }

    /// Enters states from the outside in, and then what the last one enters by itself.
    fn enter_chain(&mut self, chain: &[usize], guard: Expr) -> Outcome<()> {
        let [state, rest @ ..] = chain else { return Ok(()) };
        self.enter(*state, guard)?;
        let Some(&next) = rest.first() else { return self.enter_inside(Some(*state), guard) };
        if !self.is_parallel(Some(*state)) {
            return self.enter_chain(rest, guard);
        }
        for child in self.inside(Some(*state)) {
            if child == next {
                self.enter_chain(rest, guard)?;
            } else {
                self.enter_chain(&[child], guard)?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, state: usize, guard: Expr) -> Outcome<()> {
        self.visit()?;
        let active = self.active[state];
        self.active[state] = self.pool().or([active, guard]);
        let own: Vec<_> =
            self.count.iter().filter(|it| it.0.0 == state).map(|it| (it.0.clone(), *it.1)).collect();
        for (key, count) in own {
            let zero = self.pool().int(0);
            let count = self.pool().ite(guard, zero, count);
            self.count.insert(key, count);
        }
        let before = self.entries.get(&state).copied().unwrap_or(Pool::FALSE);
        let entered = self.pool().or([before, guard]);
        self.entries.insert(state, entered);
        if self.chart.moore {
            return Ok(());
        }
        let labels = self.labels;
        self.actions(&label::state(&labels[state]).entry, guard, Some(state))
    }

    /// Enters what is inside a state, or in the chart: all that run side by side, the last active one, or where the default
    /// transition leads.
    pub(super) fn enter_inside(&mut self, parent: Option<usize>, guard: Expr) -> Outcome<()> {
        if guard == Pool::FALSE {
            return Ok(());
        }
        let inside = self.inside(parent);
        if self.is_parallel(parent) {
            for child in inside {
                self.enter_chain(&[child], guard)?;
            }
            return Ok(());
        }
        let mut rest = guard;
        for &child in &inside {
            let Some(&last) = self.last.get(&child) else { continue };
            let again = self.pool().and([guard, last]);
            self.enter_chain(&[child], again)?;
            let other = self.pool().not(last);
            rest = self.pool().and([rest, other]);
        }
        let flows =
            self.chart.transitions.iter().any(|it| it.from == End::None && self.drawn_in(it) == parent);
        if inside.is_empty() && !flows {
            return Ok(());
        }
        match inside[..] {
            // A single state needs no default transition.
            [only] if !flows => self.enter_chain(&[only], rest),
            _ => self.default(parent, rest),
        }
    }

    fn drawn_in(&self, transition: &Transition) -> Option<usize> {
        let group = |it: &usize| self.chart.states[*it].kind == StateKind::Group;
        match transition.parent.filter(group) {
            Some(group) => self.parent_of(&self.chart.states[group]),
            None => transition.parent,
        }
    }

    /// Takes the default transitions.
    pub(super) fn default(&mut self, parent: Option<usize>, guard: Expr) -> Outcome<()> {
        if guard == Pool::FALSE {
            return Ok(());
        }
        let own = self.chart.transitions.iter();
        let own = own.filter(|it| it.from == End::None && self.drawn_in(it) == parent).collect();
        let transitions = ordered(own);
        if let Some(order) = self.flow_order(&transitions) {
            return self.flow(&transitions, &order, guard);
        }
        self.transitions(&transitions, guard, None, &mut Vec::new(), 0).map(drop)
    }

    /// The junctions that transitions lead to, each before those after it, except in loops; none if one of them leads to a state, or may be
    /// a dead end from which other paths are tried.
    fn flow_order(&self, transitions: &[&'a Transition]) -> Option<Vec<usize>> {
        let plain = |it: &Transition| {
            let text = label::without_comments(&it.label, self.chart.matlab);
            label::transition(&text).at_end.is_empty()
        };
        let always = |it: &Transition| {
            let text = label::without_comments(&it.label, self.chart.matlab);
            let parts = label::transition(&text);
            matches!(parts.event, "" | "?") && parts.condition.is_empty()
        };
        let targets = |all: &[&'a Transition]| -> Option<Vec<usize>> {
            let target = |it: &&Transition| match it.to {
                End::Junction(junction) if plain(it) && !self.chart.junctions[junction].history => {
                    Some(junction)
                }
                _ => None,
            };
            all.iter().rev().map(target).collect()
        };
        // Each is listed after all that it leads to; the list is then turned around.
        let (mut seen, mut done) = (vec![false; self.chart.junctions.len()], Vec::new());
        let mut open: Vec<(usize, bool)> = targets(transitions)?.into_iter().map(|it| (it, false)).collect();
        while let Some((junction, is_done)) = open.pop() {
            if is_done {
                done.push(junction);
                continue;
            }
            if std::mem::replace(&mut seen[junction], true) {
                continue;
            }
            let next = self.after(junction);
            if next.last().is_some_and(|it| !always(it)) {
                return None;
            }
            open.push((junction, true));
            open.extend(targets(&next)?.into_iter().map(|it| (it, false)));
        }
        done.reverse();
        Some(done)
    }

    fn after(&self, junction: usize) -> Vec<&'a Transition> {
        let own = self.chart.transitions.iter().filter(|it| it.from == End::Junction(junction));
        ordered(own.collect())
    }

    /// Runs a flow chart without dead ends: junctions in their order, again and again as long as a loop leads back. Where paths meet, they
    /// go on together.
    fn flow(&mut self, transitions: &[&'a Transition], order: &[usize], guard: Expr) -> Outcome<()> {
        let mut waiting: BTreeMap<usize, Expr> = BTreeMap::new();
        let place = |junction: usize| order.iter().position(|it| *it == junction).unwrap_or(0);
        let mut rounds = 0;
        let mut next = Some((transitions.to_vec(), guard));
        while let Some((transitions, guard)) = next {
            rounds += 1;
            if rounds > MAX_FLOW {
                return Err(Fault::hint(
                    format!("a loop of junctions may run longer than {MAX_FLOW} junctions"),
                    "limit it by a counter that starts at a constant",
                ));
            }
            let mut live = guard;
            for transition in transitions {
                if live == Pool::FALSE {
                    break;
                }
                let (holds, _) = self.tried(transition, live, None)?;
                if let End::Junction(junction) = transition.to {
                    let place = place(junction);
                    let before = waiting.get(&place).copied().unwrap_or(Pool::FALSE);
                    let any = self.pool().or([before, holds]);
                    waiting.insert(place, any);
                }
                let other = self.pool().not(holds);
                live = self.pool().and([live, other]);
            }
            next = loop {
                match waiting.pop_first() {
                    Some((_, Pool::FALSE)) => {}
                    Some((place, guard)) => break Some((self.after(order[place]), guard)),
                    None => break None,
                }
            };
        }
        Ok(())
    }
}
