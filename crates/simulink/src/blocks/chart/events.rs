//! Events between a chart and the model: those that it runs at, and those that it sends.

use super::Machine;
use crate::blocks::control::edge;
use crate::chart::Event;
use crate::plan::{Fault, Outcome};
use system::{Expr, Pool};

impl<'a> Machine<'a, '_, '_> {
    /// The events in their order, and whether each happens; a chart without events runs at every step.
    pub(super) fn events(&mut self) -> Outcome<Vec<(Option<&'a str>, Expr)>> {
        let chart = self.chart;
        let mut found = Vec::new();
        for (place, event) in chart.inputs_of_events().enumerate() {
            let signal = self.block.signals.get(chart.inputs.len());
            let signal = signal.ok_or_else(|| Fault::new("its events are not connected"))?;
            let value = signal.scalars.get(place).copied();
            let value =
                value.ok_or_else(|| Fault::new(format!("there is no signal for `{}`", event.name)))?;
            let happens = if event.is_call() {
                self.work.truth_of(value)
            } else {
                edge(self.work, self.block.id, &event.trigger, value)
            };
            found.push((Some(event.name.as_str()), happens));
        }
        Ok(if found.is_empty() { vec![(None, Pool::TRUE)] } else { found })
    }

    /// Sends an event to the model.
    pub(super) fn send(&mut self, name: &str, guard: Expr) -> Outcome<()> {
        let before = self.sent.get(name).copied().unwrap_or(Pool::FALSE);
        if self.pool().and([before, guard]) != Pool::FALSE {
            return Err(Fault::hint(
                format!("the event `{name}` is sent at several places, so it may happen twice in one step"),
                "send it at one place, or use data",
            ));
        }
        let sent = self.pool().or([before, guard]);
        self.sent.insert(name.to_owned(), sent);
        if self.chart.output_event(name).is_some_and(Event::is_call) {
            self.call(name, guard);
        }
        Ok(())
    }

    /// A call runs at once: it sees the outputs as they are, and what it computes is there afterwards.
    fn call(&mut self, name: &str, guard: Expr) {
        let Some(output) = self.chart.outputs.iter().position(|it| it == name) else { return };
        let place = (self.block.id, output);
        let mut call = self.work.calls.remove(&place).unwrap_or_default();
        let now = |name: &String| self.variables.get(name).map_or(vec![Pool::FALSE], |it| it.values.clone());
        let now: Vec<Vec<Expr>> = self.chart.outputs.iter().map(now).collect();
        call.shown = if call.shown.is_empty() {
            now
        } else {
            let both = |(now, before): (Vec<Expr>, &Vec<Expr>)| {
                now.into_iter()
                    .zip(before)
                    .map(|(now, before)| self.work.pool().ite(guard, now, *before))
                    .collect()
            };
            now.into_iter().zip(&call.shown).map(both).collect()
        };
        for (&(input, element), &answer) in &call.answers {
            let variable = self.chart.inputs.get(input).and_then(|it| self.variables.get_mut(it));
            if let Some(value) = variable.and_then(|it| it.values.get_mut(element)) {
                *value = self.work.pool().ite(guard, answer, *value);
            }
        }
        self.work.calls.insert(place, call);
    }
}
