//! Events between the parts of a chart.
//!
//! A broadcast interrupts the action that sends it: the state that it is sent to, or the whole chart, is executed with that event, and then
//! the action goes on. What happens if the sender is no longer active by then is not modelled; such a broadcast is refused.

use super::{MAX_DEPTH, Machine};
use crate::plan::{Fault, Outcome};
use system::{Expr, Pool};

/// The number of levels that a broadcast in a broadcast counts as: each runs the chart again.
const LEVELS: usize = MAX_DEPTH / 15;

/// What is sent by `send(E)`, `send(E, S)` or `E`.
pub(super) fn sent(action: &str) -> &str {
    let inner = action.strip_prefix("send").map(str::trim_start).and_then(|it| it.strip_prefix('('));
    inner.and_then(|it| it.strip_suffix(')')).unwrap_or(action).trim()
}

impl<'a> Machine<'a, '_, '_> {
    /// The local event that an action sends, and the state that it is sent to: `E, S`, `S.E` or `E`.
    pub(super) fn local_broadcast(&self, sent: &str) -> Outcome<Option<(&'a str, Option<usize>)>> {
        let (event, target) = match (sent.split_once(','), sent.rsplit_once('.')) {
            (Some((event, target)), _) => (event.trim(), Some(target.trim())),
            (None, Some((target, event))) => (event.trim(), Some(target.trim())),
            (None, None) => (sent, None),
        };
        let Some(event) = self.chart.local_event(event) else { return Ok(None) };
        let Some(target) = target else {
            if event.parent.is_some() {
                let message = format!("the event `{}` of a state is sent to no state", event.name);
                return Err(Fault::hint(message, "send it to a state (`send(EVENT, STATE)`)"));
            }
            return Ok(Some((&event.name, None)));
        };
        let path: Vec<String> = target.split('.').map(str::to_owned).collect();
        let state = self.state_named(&path);
        let state =
            state.ok_or_else(|| Fault::new(format!("there is no state `{target}` to send an event to")))?;
        Ok(Some((&event.name, Some(state))))
    }

    /// Executes a state, or the whole chart, with an event.
    pub(super) fn broadcast(
        &mut self,
        event: &'a str,
        target: Option<usize>,
        guard: Expr,
        sender: Option<usize>,
    ) -> Outcome<()> {
        if guard == Pool::FALSE {
            return Ok(());
        }
        let around = |inner: usize, outer: usize| inner == outer || self.is_around(outer, Some(inner));
        let refused = |why: &str| {
            let message = format!("the broadcast of the event `{event}` is not supported: {why}");
            Err(Fault::hint(message, "replace the event with data"))
        };
        let Some(sender) = sender else {
            return refused("it is sent from a function or a default transition");
        };
        // What may change: the state that it is sent to, or all that runs beside the sender.
        let own = match target {
            Some(target) if around(sender, target) || around(target, sender) => {
                return refused("it is sent to a state around or in the sender");
            }
            Some(_) => None,
            None => self
                .above(sender)
                .iter()
                .rev()
                .flatten()
                .copied()
                .chain([sender])
                .find(|it| self.is_parallel(self.parent_of(&self.chart.states[*it]))),
        };
        let stays = |state: usize| match (target, own) {
            (Some(target), _) => !around(state, target),
            (None, Some(own)) => around(state, own),
            (None, None) => true,
        };
        let stays: Vec<usize> = (0..self.chart.states.len()).filter(|it| stays(*it)).collect();
        let before = self.active.clone();
        let outer = self.now.replace(event);
        let one = self.pool().int(1);
        self.pass(Some(event), guard, one);
        self.deeper(LEVELS, |machine| match target {
            Some(target) => {
                let active = machine.active[target];
                let guard = machine.pool().and([guard, active]);
                machine.run(target, guard)
            }
            None => machine.children(None, guard),
        })?;
        self.now = outer;
        if stays.iter().any(|it| self.active[*it] != before[*it]) {
            return refused("it may change the states around its sender");
        }
        Ok(())
    }
}
