//! The assumptions and proof obligations of a system: assertions, contracts, properties, subranges; and the names of all values.
//!
//! The contract of the node becomes assumptions and properties. The assumptions of a callee's contract become properties where it is
//! called. Where a callee has no body, the guarantees of its contract are assumed, as long as its assumptions have held.

use crate::hir::{Claim, Kind, UnitId, UnitKind};
use crate::instances::{Role, What};
use crate::lower::Lowering;
use crate::{Callees, Program};
use dashu_int::IBig;
use syntax::{Diagnostic, Span};
use system::expr::{Expr, Pool, Type};
use system::{Origin, System};

/// The system of a node.
pub(super) fn lower(program: &Program, top: UnitId, callees: Callees) -> Result<System, Diagnostic> {
    let mut lowering = Lowering::new(program, top, callees)?;
    // All variables first, so that each one exists whether it is needed or not.
    for instance in 0..lowering.tree.instances.len() as u32 {
        let it = &lowering.tree.instances[instance as usize];
        let (base, unit) = (it.base, it.unit);
        let layout = &lowering.tree.layouts[unit.0 as usize];
        let it = program.unit(unit);
        let is_abstract = lowering.tree.instances[instance as usize].is_abstract;
        let count =
            if is_abstract { layout.offsets[it.inputs + it.outputs] } else { layout.leaves.len() as u32 };
        for leaf in 0..count {
            lowering.demand(base + leaf)?;
        }
    }
    for instance in 0..lowering.tree.instances.len() as u32 {
        lowering.instance(instance)?;
    }
    lowering.watch();
    lowering.nexts()?;
    lowering.show()?;
    crate::memory::share(&mut lowering.system);
    Ok(lowering.system)
}

impl Lowering<'_> {
    fn instance(&mut self, instance: u32) -> Result<(), Diagnostic> {
        let it = &self.tree.instances[instance as usize];
        let (role, unit, is_abstract, contract) = (it.role, it.unit, it.is_abstract, it.contract);
        let unit = self.program.unit(unit);
        if !is_abstract {
            for assert in &unit.asserts {
                let value = self.when_active(instance, *assert)?;
                self.assume(value);
            }
        }
        self.ranges(instance)?;
        self.conditions(instance)?;
        self.obligations(instance)?;
        match role {
            Role::Top => {
                self.constants()?;
                let own = if unit.kind.is_contract() { Some(instance) } else { contract };
                if let Some(contract) = own {
                    self.own_contract(contract)?;
                }
                for claim in &unit.properties {
                    let mut value = self.claim(instance, claim.value)?;
                    let mut sides = self.sides(instance, claim.value)?;
                    let origin = Origin::Text(self.span(instance, claim.span));
                    let title = self.title(instance, claim, "property");
                    if let Some(bounds) = &claim.reach {
                        let inside = self.between(bounds);
                        let reached = self.system.pool.and([inside, value]);
                        let title = self.titles.take(&title);
                        self.system.add_reachable(&title, origin, reached);
                        continue;
                    }
                    let guard = claim.guard.map(|guard| self.claim(instance, guard)).transpose()?;
                    if let Some(guard) = guard {
                        sides = Some((guard, value));
                        value = self.system.pool.implies(guard, value);
                    }
                    self.property(&title, origin.clone(), value, sides);
                    if let Some(guard) = guard {
                        // What is required only under a condition that never holds is not required at all.
                        let title = self.titles.take(&format!("{title}.provided"));
                        self.system.add_reachable(&title, origin, guard);
                    }
                }
            }
            Role::Call(_) => {
                if let Some(contract) = contract {
                    self.callee_contract(instance, contract, is_abstract)?;
                    self.decreases(instance, contract)?;
                }
            }
            Role::Contract | Role::Import(_) => {}
        }
        Ok(())
    }

    /// The subranges of constants whose values are computed.
    fn constants(&mut self) -> Result<(), Diagnostic> {
        for (place, global) in self.program.globals.iter().enumerate() {
            let leaves = global.ty.map(|ty| self.program.types.leaves(ty)).unwrap_or_default();
            for (leaf, it) in leaves.iter().enumerate().filter(|it| it.1.range.is_some()) {
                let slot = self.global(place as u32, leaf as u32);
                let value = self.demand(slot)?;
                let within = self.within(value, it.range.as_ref());
                if within != Pool::TRUE {
                    let span = self.program.files[global.file].span(global.span).range();
                    let name = format!("{}{}._bounds", global.name, it.suffix);
                    self.property(&name, Origin::Text(span), within, None);
                }
            }
        }
        for it in &self.program.restrictions {
            let value = self.claim(0, it.value)?;
            if it.free {
                self.assume(value);
            } else if value != Pool::TRUE {
                let span = self.program.files[it.file].span(it.span).range();
                self.property(&format!("{}._type", it.name), Origin::Text(span), value, None);
            }
        }
        Ok(())
    }

    /// The subranges of the node's own variables and of the inputs of its callees.
    fn ranges(&mut self, instance: u32) -> Result<(), Diagnostic> {
        let it = &self.tree.instances[instance as usize];
        let (role, unit, base, contract, is_abstract) =
            (it.role, it.unit, it.base, it.contract, it.is_abstract);
        let layout = &self.tree.layouts[unit.0 as usize];
        let (inputs, interface) = self.interface(instance);
        let leaves = match role {
            Role::Top => 0..layout.leaves.len() as u32,
            // Other subranges of a callee are checked in its own scope, if it has one.
            Role::Call(_) if is_abstract || self.program.is_checked(unit) => 0..inputs,
            Role::Call(_) => 0..layout.leaves.len() as u32,
            Role::Contract | Role::Import(_) => return Ok(()),
        };
        for leaf in leaves {
            let Some(range) = self.tree.layouts[unit.0 as usize].leaves[leaf as usize].range.clone() else {
                continue;
            };
            let value = self.demand(base + leaf)?;
            let within = self.within(value, Some(&range));
            let name = self.leaf_name(instance, leaf);
            let any = self.is_free(instance, leaf) && !self.program.unit(unit).kind.is_contract();
            if role == Role::Top && (leaf < inputs || any) {
                self.assume(within);
                continue;
            }
            if any && leaf >= inputs {
                // Its values are already restricted.
                continue;
            }
            let within = self.gated(instance, within)?;
            let within = self.where_used(instance, within)?;
            let var = self.tree.layouts[unit.0 as usize].variable(leaf).0;
            let span = self.program.unit(unit).vars[var as usize].span;
            // Callers rely on the subrange of an output as on a guarantee.
            let origin = if contract.is_some() && (inputs..interface).contains(&leaf) {
                self.contract_origin(instance, span)
            } else {
                Origin::Text(self.span(instance, span))
            };
            self.property(&format!("{name}._bounds"), origin, within, None);
        }
        Ok(())
    }

    /// What the types of variables require besides subranges: assumed where the environment or a contract decides the value, and to be
    /// shown elsewhere.
    fn conditions(&mut self, instance: u32) -> Result<(), Diagnostic> {
        let it = &self.tree.instances[instance as usize];
        let (role, id, is_abstract, has_contract) = (it.role, it.unit, it.is_abstract, it.contract.is_some());
        let unit = self.program.unit(id);
        let interface = unit.inputs + unit.outputs;
        for (place, variable) in unit.vars.iter().enumerate().filter(|it| !it.1.conditions.is_empty()) {
            let (is_input, is_output) = (place < unit.inputs, (unit.inputs..interface).contains(&place));
            if (is_abstract && place >= interface)
                || (unit.kind.is_contract() && place < interface && role != Role::Top)
            {
                continue;
            }
            let undefined = variable.definition.is_none() || is_abstract;
            let assumed = match role {
                Role::Top if is_input => true,
                Role::Call(_) if is_input => false,
                // The contract of a callee promises its outputs.
                Role::Call(_) if is_abstract && has_contract => continue,
                Role::Call(_) if !undefined && self.program.is_checked(id) => continue,
                Role::Top | Role::Call(_) | Role::Contract | Role::Import(_) => {
                    undefined && !(unit.kind.is_contract() && is_output)
                }
            };
            for condition in &variable.conditions {
                let value = self.when_active(instance, *condition)?;
                let value = self.where_used(instance, value)?;
                if assumed {
                    self.assume(value);
                    continue;
                }
                let path = self.tree.instances[instance as usize].path.clone();
                let origin = if has_contract && is_output {
                    self.contract_origin(instance, variable.span)
                } else {
                    Origin::Text(self.span(instance, variable.span))
                };
                self.property(&format!("{path}{}._type", variable.name), origin, value, None);
            }
        }
        Ok(())
    }

    /// What expressions require of their parts.
    fn obligations(&mut self, instance: u32) -> Result<(), Diagnostic> {
        let it = &self.tree.instances[instance as usize];
        let (role, unit, is_abstract) = (it.role, it.unit, it.is_abstract);
        let elsewhere = matches!(role, Role::Call(_)) && self.program.is_checked(unit);
        if is_abstract || elsewhere {
            return Ok(());
        }
        for claim in &self.program.unit(unit).obligations {
            let value = self.when_active(instance, claim.value)?;
            let path = self.tree.instances[instance as usize].path.clone();
            let name = format!("{path}{}", self.title(instance, claim, "obligation"));
            let origin = Origin::Text(self.span(instance, claim.span));
            self.property(&name, origin, value, None);
        }
        Ok(())
    }

    /// A condition on a callee, where its value is used.
    fn where_used(&mut self, instance: u32, value: Expr) -> Result<Expr, Diagnostic> {
        let it = &self.tree.instances[instance as usize];
        let Role::Call(site) = it.role else { return Ok(value) };
        let parent = it.parent;
        let unit = self.program.unit(self.tree.instances[parent as usize].unit);
        let Some(guard) = unit.sites[site as usize].guard else { return Ok(value) };
        let guard = self.claim(parent, guard)?;
        Ok(self.system.pool.implies(guard, value))
    }

    /// The contract of the node itself.
    fn own_contract(&mut self, contract: u32) -> Result<(), Diagnostic> {
        for contract in self.contracts(contract) {
            let unit = self.program.unit(self.tree.instances[contract as usize].unit);
            for claim in &unit.assumes {
                let value = self.claim(contract, claim.value)?;
                self.assume(value);
            }
            let scope = self.scope(contract);
            for claim in &unit.guarantees {
                let value = self.claim(contract, claim.value)?;
                let name = format!("{scope}{}", self.title(contract, claim, "guarantee"));
                let origin = self.contract_origin(contract, claim.span);
                let sides = self.sides(contract, claim.value)?;
                self.property(&name, origin, value, sides);
            }
            let mut active = Vec::new();
            for (place, mode) in unit.modes.iter().enumerate() {
                let slot = self.mode(contract, place as u32);
                let requires = self.demand(slot)?;
                active.push(requires);
                for claim in &mode.ensures {
                    let ensures = self.claim(contract, claim.value)?;
                    let value = self.system.pool.implies(requires, ensures);
                    let ensure = self.title(contract, claim, &format!("{}.ensure", mode.name));
                    let origin = self.contract_origin(contract, claim.span);
                    self.property(&format!("{scope}{ensure}"), origin, value, Some((requires, ensures)));
                }
            }
            if !active.is_empty() {
                let value = self.system.pool.or(active);
                let outer = match unit.kind {
                    UnitKind::Contract => format!("{}.", unit.name),
                    UnitKind::Inline | UnitKind::Node | UnitKind::Function => String::new(),
                };
                let origin = self.contract_origin(contract, unit.span);
                self.property(&format!("{outer}_one_mode_active"), origin, value, None);
            }
        }
        Ok(())
    }

    /// The contract of a callee.
    fn callee_contract(&mut self, instance: u32, contract: u32, is_abstract: bool) -> Result<(), Diagnostic> {
        let all = self.contracts(contract);
        for contract in &all {
            let unit = self.program.unit(self.tree.instances[*contract as usize].unit);
            let (path, scope) = (self.tree.instances[instance as usize].path.clone(), self.scope(*contract));
            for claim in &unit.assumes {
                let value = self.when_active(*contract, claim.value)?;
                let value = self.where_used(instance, value)?;
                let name = format!("{path}{scope}{}", self.title(*contract, claim, "assume"));
                let origin = self.contract_origin(*contract, claim.span);
                self.property(&name, origin, value, None);
            }
        }
        if !is_abstract {
            return Ok(());
        }
        let sofar = self.add_slot(What::Sofar(contract));
        let sofar = self.demand(sofar)?;
        let (inputs, interface) = self.interface(instance);
        let mut known = self.in_ranges(instance, inputs..interface);
        let callee = self.program.unit(self.tree.instances[instance as usize].unit);
        for output in &callee.vars[callee.inputs..callee.inputs + callee.outputs] {
            for condition in &output.conditions {
                known.push(self.claim(instance, *condition)?);
            }
        }
        for contract in all {
            let unit = self.program.unit(self.tree.instances[contract as usize].unit);
            for claim in &unit.guarantees {
                known.push(self.claim(contract, claim.value)?);
            }
            for (place, mode) in unit.modes.iter().enumerate() {
                let slot = self.mode(contract, place as u32);
                let requires = self.demand(slot)?;
                for claim in &mode.ensures {
                    let ensures = self.claim(contract, claim.value)?;
                    known.push(self.system.pool.implies(requires, ensures));
                }
            }
        }
        for value in known {
            let value = self.system.pool.implies(sofar, value);
            let value = self.gated(instance, value)?;
            // What a recursive call promises is known only where its measure is smaller.
            let value = self.where_used(instance, value)?;
            self.assume(value);
        }
        Ok(())
    }

    /// The measure of a recursive function is smaller at a call inside it, and not negative: that is why its contract may be used
    /// there. Callers from outside rely on its own scope.
    fn decreases(&mut self, instance: u32, contract: u32) -> Result<(), Diagnostic> {
        let unit = |this: &Self, instance: u32| this.tree.instances[instance as usize].unit;
        let parent = self.tree.instances[instance as usize].parent;
        let cycle = [0, parent, instance].map(|it| unit(self, it));
        let inside = |it: &[UnitId]| it.windows(2).all(|pair| self.program.calls_back(pair[0], pair[1]));
        let Some(around) = self.tree.instances[parent as usize].contract.filter(|_| inside(&cycle)) else {
            return Ok(());
        };
        let [outer, inner] = [around, contract].map(|it| self.program.unit(unit(self, it)).decreases.clone());
        // Measures of different lengths cannot be compared.
        let comparable = !inner.is_empty() && outer.len() == inner.len();
        let mut smaller = Pool::FALSE;
        let mut bounded = Vec::new();
        for (before, after) in outer.iter().zip(&inner).rev() {
            let (before, after) = (self.claim(around, *before)?, self.claim(contract, *after)?);
            let pool = &mut self.system.pool;
            let (less, same, zero) = (pool.lt(after, before), pool.eq(after, before), pool.int(0));
            let later = pool.and([same, smaller]);
            smaller = pool.or([less, later]);
            bounded.push(pool.le(zero, after));
        }
        let smaller = if comparable { smaller } else { Pool::FALSE };
        let value = self.system.pool.and(bounded.into_iter().chain([smaller]));
        let value = self.where_used(instance, value)?;
        let path = self.tree.instances[instance as usize].path.clone();
        let span = self.program.unit(cycle[0]).span;
        let origin = self.contract_origin(0, span);
        self.property(&format!("{path}decreases"), origin, value, None);
        Ok(())
    }

    /// The condition that the current step is between two steps, by a counter that stops after the last one that matters.
    fn between(&mut self, [from, to]: &[Option<IBig>; 2]) -> Expr {
        let after = from.iter().cloned().chain(to.iter().map(|it| it + IBig::ONE)).max();
        let Some(most) = after.filter(|it| *it > IBig::ZERO) else {
            return if to.is_some() { Pool::FALSE } else { Pool::TRUE };
        };
        let name = self.unique("step()");
        let zero = self.system.pool.int(0);
        let counter = self.system.add_state(&name, Type::Int, Some(zero));
        let now = self.system.expr(counter);
        let pool = &mut self.system.pool;
        let (one, most) = (pool.int(1), pool.int(most));
        let (more, ended) = (pool.add(now, one), pool.ge(now, most));
        let next = pool.ite(ended, now, more);
        let from = from.clone().map_or(Pool::TRUE, |from| {
            let from = pool.int(from);
            pool.ge(now, from)
        });
        let to = to.clone().map_or(Pool::TRUE, |to| {
            let to = pool.int(to);
            pool.le(now, to)
        });
        let inside = pool.and([from, to]);
        self.system.set_next(counter, next);
        inside
    }

    /// The range of the leaves of an instance's outputs.
    fn interface(&self, instance: u32) -> (u32, u32) {
        let id = self.tree.instances[instance as usize].unit;
        let (unit, layout) = (self.program.unit(id), &self.tree.layouts[id.0 as usize]);
        (layout.offsets[unit.inputs], layout.offsets[unit.inputs + unit.outputs])
    }

    /// A Boolean where the instance is active.
    fn when_active(&mut self, instance: u32, id: crate::hir::Id) -> Result<Expr, Diagnostic> {
        let value = self.claim(instance, id)?;
        self.gated(instance, value)
    }

    fn gated(&mut self, instance: u32, value: Expr) -> Result<Expr, Diagnostic> {
        let control = self.tree.controls[self.tree.instances[instance as usize].control as usize];
        let active = match control.active {
            Some(slot) => self.demand(slot)?,
            None => Pool::TRUE,
        };
        Ok(self.system.pool.implies(active, value))
    }

    /// A and B of a claim that is written `A => B`.
    fn sides(&mut self, instance: u32, id: crate::hir::Id) -> Result<Option<(Expr, Expr)>, Diagnostic> {
        let Kind::Implies(premise, conclusion) = self.program.expr(id).kind else { return Ok(None) };
        Ok(Some((self.claim(instance, premise)?, self.claim(instance, conclusion)?)))
    }

    fn property(&mut self, name: &str, origin: Origin, value: Expr, sides: Option<(Expr, Expr)>) {
        let name = self.titles.take(name);
        let place = self.system.add_property(&name, origin, value);
        if let Some(sides) = sides {
            self.system.set_sides(place, sides);
        }
    }

    /// The name of a claim, or its kind and position.
    fn title(&self, instance: u32, claim: &Claim, kind: &str) -> String {
        if let Some(name) = &claim.name {
            return name.clone();
        }
        let file = &self.program.files[self.program.unit(self.tree.instances[instance as usize].unit).file];
        let (line, column) = file.position(claim.span);
        format!("{kind}[l{line}c{column}]")
    }

    /// The prefix of the claims of an imported contract: its name and where it is imported.
    fn scope(&self, contract: u32) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut at = contract;
        while let Role::Import(place) = self.tree.instances[at as usize].role {
            let parent = self.tree.instances[at as usize].parent;
            let importer = self.program.unit(self.tree.instances[parent as usize].unit);
            let import = &importer.imports[place as usize];
            let (line, column) = self.program.files[importer.file].position(import.span);
            parts.push(format!("{}[l{line}c{column}].", self.program.unit(import.unit).name));
            at = parent;
        }
        parts.reverse();
        parts.concat()
    }

    /// The byte range in the first text.
    fn span(&self, instance: u32, span: Span) -> std::ops::Range<usize> {
        let unit = self.program.unit(self.tree.instances[instance as usize].unit);
        self.program.files[unit.file].span(span).range()
    }

    fn contract_origin(&self, contract: u32, span: Span) -> Origin {
        let mut node = contract;
        while matches!(self.tree.instances[node as usize].role, Role::Contract | Role::Import(_)) {
            node = self.tree.instances[node as usize].parent;
        }
        let component = self.program.unit(self.tree.instances[node as usize].unit).name.clone();
        Origin::Contract { component, span: self.span(contract, span) }
    }

    /// Names the outputs and all internal values.
    fn show(&mut self) -> Result<(), Diagnostic> {
        for instance in 0..self.tree.instances.len() as u32 {
            let it = &self.tree.instances[instance as usize];
            let (role, base, is_abstract) = (it.role, it.base, it.is_abstract);
            let leaves = self.tree.layouts[it.unit.0 as usize].leaves.len() as u32;
            let (inputs, interface) = self.interface(instance);
            let end = if is_abstract { interface } else { leaves };
            let leaves = match role {
                Role::Top => inputs..end,
                Role::Call(_) => 0..end,
                Role::Contract | Role::Import(_) => interface..end,
            };
            for leaf in leaves {
                if self.is_free(instance, leaf) {
                    continue;
                }
                let (value, name) = (self.demand(base + leaf)?, self.leaf_name(instance, leaf));
                let name = self.unique(&name);
                if role == Role::Top && leaf < interface {
                    self.system.add_output(&name, value);
                } else {
                    self.system.add_local(&name, value);
                }
            }
        }
        Ok(())
    }
}
