//! Checks contract assumptions: the caller must satisfy them, so they must not depend on an output of the same step.
//!
//! Dependencies are followed through definitions, calls and imports. Units come after those that they use, so it is already known
//! which inputs those need at the same step.

use crate::codes;
use crate::hir::{Id, Kind, Unit, UnitKind};
use crate::resolve::Resolver;
use rustc_hash::FxHashSet;

impl Resolver<'_> {
    /// Reports assumptions that depend on an output, once for each output of a contract.
    pub(super) fn assumptions(&mut self, order: &[usize]) {
        // For each unit, the inputs that its outputs need, or its assumptions if it is a contract.
        // A recursive function may need all of them, because it may come before what it uses.
        let mut needed: Vec<Vec<bool>> = self.units.iter().map(|it| vec![it.recursive; it.inputs]).collect();
        for at in order {
            let unit = &self.units[*at];
            let outputs = unit.inputs..unit.inputs + unit.outputs;
            let mut found = Needs { vars: vec![false; unit.vars.len()], seen: FxHashSet::default() };
            let mut wrong = Vec::new();
            if unit.kind.is_contract() {
                let own = unit.assumes.iter().map(|it| (it.value, it.span));
                let imported = unit.imports.iter().flat_map(|it| {
                    let inputs = self.inputs(it.inputs, &needed[it.unit.0 as usize]);
                    inputs.into_iter().map(|input| (input, it.span))
                });
                for (value, span) in own.chain(imported) {
                    let before = found.vars[outputs.clone()].to_vec();
                    self.follow(unit, vec![value], &needed, &mut found);
                    let new = outputs.clone().find(|var| found.vars[*var] && !before[*var - unit.inputs]);
                    wrong.extend(new.map(|var| (unit.file, span, unit.vars[var].name.clone())));
                }
            } else {
                let values = unit.vars[outputs].iter().filter_map(|it| it.definition.as_ref());
                self.follow(unit, values.map(|it| it.value).collect(), &needed, &mut found);
                // Without a definition, the value of a function depends on all inputs.
                let defined = unit.vars[unit.inputs..].iter().all(|it| it.definition.is_some());
                if unit.imported || (unit.kind == UnitKind::Function && !defined) {
                    found.vars.fill(true);
                }
            }
            found.vars.truncate(unit.inputs);
            if !unit.recursive {
                needed[*at] = found.vars;
            }
            for (file, span, name) in wrong {
                let message = format!("the assumption is about the output `{name}` at the same step");
                let hint = "write assumptions about inputs and previous values";
                self.report(file, span, codes::OUTPUT_ASSUMED, message, hint);
            }
        }
    }

    /// Collects what some values of a unit need at the same step.
    fn follow(&self, unit: &Unit, mut open: Vec<Id>, needed: &[Vec<bool>], found: &mut Needs) {
        while let Some(id) = open.pop() {
            if !found.seen.insert(id) {
                continue;
            }
            match self.kind(id) {
                Kind::Pre(..) => {}
                Kind::Var(var) => {
                    found.vars[*var as usize] = true;
                    open.extend(unit.vars[*var as usize].definition.as_ref().map(|it| it.value));
                }
                Kind::Call(site) => {
                    let site = &unit.sites[*site as usize];
                    open.extend(site.every.into_iter().chain(site.restart).chain(site.defaults));
                    open.extend(self.inputs(site.arguments, &needed[site.unit.0 as usize]));
                }
                Kind::Mode(path, mode) if path.is_empty() => {
                    open.extend(unit.modes[*mode as usize].requires.iter().map(|it| it.value));
                }
                // A mode of an imported contract may need any output.
                Kind::Mode(..) => found.vars.fill(true),
                kind => open.extend(kind.operands()),
            }
        }
    }

    /// The values of a list for the needed inputs.
    fn inputs(&self, list: Id, needed: &[bool]) -> Vec<Id> {
        let places = self.places(list).into_iter();
        places
            .filter(|(places, _)| needed.iter().skip(places.start).take(places.len()).any(|it| *it))
            .map(|it| it.1)
            .collect()
    }
}

/// What is needed at the same step.
struct Needs {
    /// Whether each variable is needed.
    vars: Vec<bool>,
    /// The expressions visited.
    seen: FxHashSet<Id>,
}
