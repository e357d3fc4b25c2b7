//! Moore machines: outputs depend on the active states alone, so actions come before transitions.

use super::{Machine, label};
use crate::plan::{Fault, Outcome};
use system::Expr;

impl Machine<'_, '_, '_> {
    /// Runs the actions of the active states of a Moore machine, from the outside in.
    pub(super) fn moore_actions(&mut self, parent: Option<usize>, guard: Expr) -> Outcome<()> {
        for state in self.inside(parent) {
            self.visit()?;
            let labels = self.labels;
            let label = label::state(&labels[state]);
            if !(label.during.is_empty() && label.exit.is_empty() && label.on.is_empty()) {
                return Err(Fault::hint(
                    format!("the state `{}` of a Moore machine has an action with a keyword", label.name),
                    "write its action without `during`, `exit` or `on`",
                ));
            }
            let active = self.active[state];
            let guard = self.pool().and([guard, active]);
            self.actions(&label.entry, guard, Some(state))?;
            self.moore_actions(Some(state), guard)?;
        }
        Ok(())
    }
}
