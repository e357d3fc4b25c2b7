//! The order in which values are computed, and algebraic loops.
//!
//! A slot whose value needs slots that are not ready is retried after them; a slot that depends on itself is an algebraic loop. The
//! stack of slots is explicit, so long chains of definitions do not overflow it.

use crate::codes;
use crate::evaluate::MAX_WORK;
use crate::hir::Id;
use crate::instances::What;
use crate::instances::too_large;
use crate::lower::Lowering;
use rustc_hash::FxHashSet;
use syntax::Diagnostic;
use syntax::Span;
use system::expr::Expr;
use system::expr::Pool;

impl Lowering<'_> {
    /// Computes a slot and everything it needs.
    pub(super) fn demand(&mut self, slot: u32) -> Result<Expr, Diagnostic> {
        let mut open: FxHashSet<u32> = FxHashSet::default();
        let mut stack: Vec<(u32, Vec<u32>)> = vec![(slot, Vec::new())];
        open.insert(slot);
        loop {
            let Some((top, pending)) = stack.last_mut() else {
                return Ok(self.values[slot as usize].unwrap_or(Pool::TRUE));
            };
            let top = *top;
            if let Some(next) = pending.pop() {
                if self.values[next as usize].is_some() {
                    continue;
                }
                if !open.insert(next) {
                    let from = stack.iter().position(|it| it.0 == next).unwrap_or(0);
                    let circle: Vec<u32> = stack[from..].iter().map(|it| it.0).collect();
                    return Err(self.algebraic_loop(&circle));
                }
                stack.push((next, Vec::new()));
                continue;
            }
            if self.values[top as usize].is_none() {
                self.missing.clear();
                let value = self.compute(top);
                if self.work > MAX_WORK {
                    return Err(too_large(self.program, self.tree.instances[0].unit));
                }
                if !self.missing.is_empty() {
                    let mut needed = std::mem::take(&mut self.missing);
                    needed.sort_unstable();
                    needed.dedup();
                    needed.reverse();
                    if let Some(frame) = stack.last_mut() {
                        frame.1 = needed;
                    }
                    continue;
                }
                self.values[top as usize] = Some(value);
            }
            open.remove(&top);
            stack.pop();
        }
    }

    /// A Boolean of an instance.
    pub(super) fn claim(&mut self, instance: u32, id: Id) -> Result<Expr, Diagnostic> {
        let slot = self.add_slot(What::Claim(instance, id));
        self.demand(slot)
    }

    pub(super) fn add_slot(&mut self, what: What) -> u32 {
        self.tree.slots.push(what);
        self.values.push(None);
        self.tree.slots.len() as u32 - 1
    }

    fn algebraic_loop(&self, circle: &[u32]) -> Diagnostic {
        let mut names: Vec<String> = Vec::new();
        let mut at: Option<Span> = None;
        for slot in circle {
            let (name, instance, span) = match self.tree.slots[*slot as usize] {
                What::Leaf(instance, leaf) => {
                    let it = &self.tree.instances[instance as usize];
                    let var = self.tree.layouts[it.unit.0 as usize].variable(leaf).0;
                    (
                        self.leaf_name(instance, leaf),
                        instance,
                        self.program.unit(it.unit).vars[var as usize].span,
                    )
                }
                What::Mode(instance, mode) => {
                    let unit = self.program.unit(self.tree.instances[instance as usize].unit);
                    (format!("::{}", unit.modes[mode as usize].name), instance, unit.span)
                }
                What::Active(_)
                | What::Reset(_)
                | What::Held(..)
                | What::Global(..)
                | What::Sofar(_)
                | What::Next(_)
                | What::Claim(..) => continue,
            };
            let file = self.program.unit(self.tree.instances[instance as usize].unit).file;
            at.get_or_insert_with(|| self.program.files[file].span(span));
            names.push(format!("`{name}`"));
        }
        names.extend(names.first().cloned());
        let message = format!("a value depends on itself at the same step: {}", names.join(" needs "));
        let hint = "break the loop with a `pre`";
        Diagnostic::new(codes::ALGEBRAIC_LOOP, at.unwrap_or(Span::new(0, 0)), message, hint)
    }
}
