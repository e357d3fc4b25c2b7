//! From an instance tree to a system: each slot gets its value once everything it needs is ready.
//!
//! `causality` determines the order. Reading a state needs nothing; its next value is a slot like any other.

use crate::hir::{Id, UnitId, UnitKind};
use crate::instances::{Role, Tree, What, indices};
use crate::memory::{Init, Operand, State};
use crate::types::Leaf;
use crate::watched::Gap;
use crate::{Callees, Program};
use base::names::Taken;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::Diagnostic;
use system::System;
use system::expr::{EnumId, Expr, Function, Pool, Signature, Type};

/// A system under construction.
pub(super) struct Lowering<'p> {
    pub(super) program: &'p Program,
    pub(super) tree: Tree,
    pub(super) system: System,
    pub(super) enums: Vec<EnumId>,
    pub(super) values: Vec<Option<Expr>>,
    /// Slots that a value needs and that are not ready.
    pub(super) missing: Vec<u32>,
    free: Vec<Vec<Expr>>,
    globals: Vec<u32>,
    modes: FxHashMap<(u32, u32), u32>,
    pub(super) states: Vec<State>,
    pub(super) by_operand: FxHashMap<Operand, Vec<u32>>,
    /// For each control, the state that tells whether a step is its first one.
    pub(super) firsts: FxHashMap<u32, u32>,
    pub(super) held_slots: FxHashMap<(u32, u32), u32>,
    anything: FxHashMap<(u32, Id, Vec<u32>, u32), Expr>,
    assumed: FxHashSet<Expr>,
    /// The values that are not known, and why.
    pub(super) gaps: FxHashMap<Expr, Gap>,
    /// The names of the properties.
    pub(super) titles: Taken,
    names: Taken,
    /// The number of visited parts of expressions.
    pub(super) work: u32,
}

impl<'p> Lowering<'p> {
    pub(super) fn new(
        program: &'p Program,
        top: UnitId,
        callees: Callees,
    ) -> Result<Lowering<'p>, Diagnostic> {
        let mut tree = Tree::new(program, top, callees)?;
        let mut system = System::default();
        let enums: Vec<EnumId> = program
            .types
            .enums
            .iter()
            .map(|(name, literals)| system.pool.declare_enum(name, literals))
            .collect();
        let mut globals = Vec::new();
        for (place, global) in program.globals.iter().enumerate() {
            globals.push(tree.slots.len() as u32);
            let leaves = program.types.leaf_count(program.expr(global.value).ty);
            tree.slots.extend((0..leaves).map(|leaf| What::Global(place as u32, leaf)));
        }
        let mut lowering = Lowering {
            program,
            values: vec![None; tree.slots.len()],
            tree,
            system,
            enums,
            missing: Vec::new(),
            free: Vec::new(),
            globals,
            modes: FxHashMap::default(),
            states: Vec::new(),
            by_operand: FxHashMap::default(),
            firsts: FxHashMap::default(),
            held_slots: FxHashMap::default(),
            assumed: FxHashSet::default(),
            gaps: FxHashMap::default(),
            titles: Taken::default(),
            anything: FxHashMap::default(),
            names: Taken::default(),
            work: 0,
        };
        lowering.inputs();
        Ok(lowering)
    }

    /// The inputs of the node, and the constants without a value.
    fn inputs(&mut self) {
        let top = self.tree.instances[0].unit;
        let unit = self.program.unit(top);
        for (var, variable) in unit.vars[..unit.inputs].iter().enumerate() {
            for leaf in 0..self.program.types.leaf_count(variable.ty) {
                let slot = self.tree.slot(0, var as u32, leaf);
                let at = self.tree.layouts[top.0 as usize].offsets[var] + leaf;
                let (name, ty) = (self.leaf_name(0, at), self.leaf_type(0, at));
                let value = if variable.constant { self.frozen(&name, ty) } else { self.input(&name, ty) };
                self.values[slot as usize] = Some(value);
            }
        }
        for (name, ty) in &self.program.free {
            let leaves = self.program.types.leaves(*ty);
            let mut values = Vec::new();
            for Leaf { suffix, scalar, range } in leaves {
                let value = self.frozen(&format!("{name}{suffix}"), scalar.in_system(&self.enums));
                let within = self.within(value, range.as_ref());
                self.assume(within);
                values.push(value);
                // No name of the source has this sign.
                if name.contains('#') {
                    self.hide(value);
                }
            }
            self.free.push(values);
        }
    }

    /// Adds an assumption.
    pub(super) fn assume(&mut self, expr: Expr) {
        if expr != Pool::TRUE && self.assumed.insert(expr) {
            self.system.assumptions.push(expr);
        }
    }

    pub(super) fn input(&mut self, name: &str, ty: Type) -> Expr {
        let name = self.unique(name);
        let var = self.system.add_input(&name, ty);
        self.system.expr(var)
    }

    fn frozen(&mut self, name: &str, ty: Type) -> Expr {
        let name = self.unique(name);
        let var = self.system.add_state(&name, ty, None);
        self.system.expr(var)
    }

    /// An unused name.
    pub(super) fn unique(&mut self, name: &str) -> String {
        self.names.take(name)
    }

    /// The condition that a number is in a subrange.
    pub(super) fn within(
        &mut self,
        value: Expr,
        range: Option<&(Option<dashu_int::IBig>, Option<dashu_int::IBig>)>,
    ) -> Expr {
        let Some((low, high)) = range else { return Pool::TRUE };
        let pool = &mut self.system.pool;
        let mut bounds = Vec::new();
        if let Some(low) = low {
            let low = pool.int(low.clone());
            bounds.push(pool.ge(value, low));
        }
        if let Some(high) = high {
            let high = pool.int(high.clone());
            bounds.push(pool.le(value, high));
        }
        pool.and(bounds)
    }

    pub(super) fn leaf_name(&self, instance: u32, leaf: u32) -> String {
        let it = &self.tree.instances[instance as usize];
        let layout = &self.tree.layouts[it.unit.0 as usize];
        let name = &self.program.unit(it.unit).vars[layout.variable(leaf).0 as usize].name;
        format!("{}{name}{}", it.path, layout.leaves[leaf as usize].suffix)
    }

    pub(super) fn leaf_type(&self, instance: u32, leaf: u32) -> Type {
        let unit = self.tree.instances[instance as usize].unit;
        self.tree.layouts[unit.0 as usize].leaves[leaf as usize].scalar.in_system(&self.enums)
    }

    /// The value of a slot; if it is not ready, that is recorded and the result is arbitrary.
    pub(super) fn slot(&mut self, slot: u32, ty: Type) -> Expr {
        match self.values[slot as usize] {
            Some(value) => value,
            None => {
                self.missing.push(slot);
                self.system.pool.some_constant(ty)
            }
        }
    }

    /// Whether something needed is not ready.
    pub(super) fn is_missing(&self) -> bool {
        !self.missing.is_empty()
    }

    /// The value of a slot, if everything it needs is ready.
    pub(super) fn compute(&mut self, slot: u32) -> Expr {
        match self.tree.slots[slot as usize] {
            What::Leaf(instance, leaf) => self.leaf(instance, leaf),
            What::Active(instance) => self.control(instance, true),
            What::Reset(instance) => self.control(instance, false),
            What::Held(instance, leaf) => self.held(slot, instance, leaf),
            What::Global(global, leaf) => {
                self.value(0, &[], self.program.globals[global as usize].value, leaf)
            }
            What::Mode(instance, mode) => {
                let unit = self.program.unit(self.tree.instances[instance as usize].unit);
                let requires: Vec<Expr> = unit.modes[mode as usize]
                    .requires
                    .iter()
                    .map(|it| self.value(instance, &[], it.value, 0))
                    .collect();
                self.system.pool.and(requires)
            }
            What::Sofar(instance) => self.sofar(slot, instance),
            What::Next(state) => {
                let state = self.states[state as usize].clone();
                let next = match &state.operand {
                    Operand::Leaf(instance, id, bindings, leaf) => {
                        self.value(*instance, bindings, *id, *leaf)
                    }
                    Operand::Slot(_, slot) => {
                        let ty = self.system.variables[state.var.index()].ty;
                        self.slot(*slot, ty)
                    }
                    Operand::First(_) => Pool::FALSE,
                };
                let held = self.read(&state);
                match self.active(state.instance) {
                    Some(active) => self.system.pool.ite(active, next, held),
                    None => next,
                }
            }
            What::Claim(instance, id) => self.value(instance, &[], id, 0),
        }
    }

    /// A leaf of a variable.
    fn leaf(&mut self, instance: u32, leaf: u32) -> Expr {
        let it = &self.tree.instances[instance as usize];
        let (role, parent, is_abstract) = (it.role, it.parent, it.is_abstract);
        let unit = self.program.unit(it.unit);
        let layout = &self.tree.layouts[it.unit.0 as usize];
        let (var, place) = layout.variable(leaf);
        let var = var as usize;
        let ty = layout.leaves[leaf as usize].scalar.in_system(&self.enums);
        let is_input = var < unit.inputs;
        let is_output = !is_input && var < unit.inputs + unit.outputs;
        match role {
            Role::Contract if is_input || is_output => {
                let slot = self.tree.slot(parent, var as u32, place);
                return self.slot(slot, ty);
            }
            Role::Import(import) if is_input || is_output => {
                let import =
                    &self.program.unit(self.tree.instances[parent as usize].unit).imports[import as usize];
                if is_input {
                    return self.value(parent, &[], import.inputs, leaf);
                }
                let slot = self.tree.slot(parent, import.outputs[var - unit.inputs], place);
                return self.slot(slot, ty);
            }
            Role::Call(site) if is_input => {
                let site = &self.program.unit(self.tree.instances[parent as usize].unit).sites[site as usize];
                let bindings = self.tree.instances[instance as usize].bindings.clone();
                return self.value(parent, &bindings, site.arguments, leaf);
            }
            Role::Top | Role::Call(_) | Role::Contract | Role::Import(_) => {}
        }
        let definition = unit.vars[var].definition.as_ref().filter(|_| !is_abstract);
        let Some(definition) = definition else {
            return self.unknown(instance, leaf, ty);
        };
        if definition.sizes.is_empty() {
            return self.value(instance, &[], definition.value, definition.offset + place);
        }
        let part = self.program.types.leaf_count(self.program.expr(definition.value).ty);
        let bindings = indices(place / part, &definition.sizes);
        self.value(instance, &bindings, definition.value, place % part)
    }

    /// An undefined leaf: any value at each step; in a function, a value that depends only on the inputs, or is not
    /// known if these are not.
    fn unknown(&mut self, instance: u32, leaf: u32, ty: Type) -> Expr {
        let it = &self.tree.instances[instance as usize];
        let unit = self.program.unit(it.unit);
        let name = self.leaf_name(instance, leaf);
        let layout = &self.tree.layouts[it.unit.0 as usize];
        let range = layout.leaves[leaf as usize].range.clone();
        let inputs = layout.offsets[unit.inputs];
        // A contract in place of a body is a conditional promise; a contract that observes a model is a claim.
        let is_interface = (layout.variable(leaf).0 as usize) < unit.inputs + unit.outputs;
        let promised = (it.is_abstract && it.contract.is_some()) || (unit.kind.is_contract() && is_interface);
        let value = if unit.kind == UnitKind::Function {
            let suffix = name.strip_prefix(&it.path).unwrap_or(&name);
            let single = unit.outputs == 1 && layout.offsets[unit.inputs + 1] - inputs == 1;
            let whole = if single { unit.name.clone() } else { format!("{}.{suffix}", unit.name) };
            let parameters: Vec<Type> = (0..inputs).map(|leaf| self.leaf_type(instance, leaf)).collect();
            let base = it.base;
            let arguments: Vec<Expr> =
                (0..inputs).map(|leaf| self.slot(base + leaf, parameters[leaf as usize])).collect();
            if self.is_missing() {
                return self.system.pool.some_constant(ty);
            }
            if unit.vars[..unit.inputs].iter().any(|it| self.program.is_partly_known(it.ty)) {
                // Different sets may agree on what is watched.
                let argument = self.input(&name, Type::Int);
                self.not_known(argument, ty)
            } else {
                let signature = Signature { name: whole, parameters, result: ty };
                let id = self.system.pool.declare_function(signature);
                self.system.pool.apply(Function::Declared(id), &arguments)
            }
        } else {
            if unit.imported {
                // Any output of an imported node may depend on any of its inputs.
                let base = it.base;
                for leaf in 0..inputs {
                    let ty = self.leaf_type(instance, leaf);
                    self.slot(base + leaf, ty);
                }
                if self.is_missing() {
                    return self.system.pool.some_constant(ty);
                }
            }
            self.input(&name, ty)
        };
        if !promised {
            let within = self.within(value, range.as_ref());
            self.assume(within);
        }
        value
    }

    /// Whether a leaf is an input of the system, with an arbitrary value at each step.
    pub(super) fn is_free(&self, instance: u32, leaf: u32) -> bool {
        let it = &self.tree.instances[instance as usize];
        let unit = self.program.unit(it.unit);
        let var = self.tree.layouts[it.unit.0 as usize].variable(leaf).0 as usize;
        let undefined = it.is_abstract || unit.vars[var].definition.is_none();
        var >= unit.inputs && undefined && unit.kind != UnitKind::Function
    }

    /// The condition that leaves are in their subranges.
    pub(super) fn in_ranges(&mut self, instance: u32, leaves: std::ops::Range<u32>) -> Vec<Expr> {
        let it = &self.tree.instances[instance as usize];
        let (unit, base) = (it.unit.0 as usize, it.base);
        let mut all = Vec::new();
        for leaf in leaves {
            let range = self.tree.layouts[unit].leaves[leaf as usize].range.clone();
            if range.is_some() {
                let value = self.slot(base + leaf, Type::Int);
                all.push(self.within(value, range.as_ref()));
            }
        }
        all
    }

    /// Whether an instance is active, or restarts, by the clocks of its call and those of its parent.
    fn control(&mut self, instance: u32, active: bool) -> Expr {
        let it = &self.tree.instances[instance as usize];
        let Role::Call(site) = it.role else { return Pool::TRUE };
        let (parent, bindings) = (it.parent, it.bindings.clone());
        let site = &self.program.unit(self.tree.instances[parent as usize].unit).sites[site as usize];
        if active {
            let outer = self.active(parent).unwrap_or(Pool::TRUE);
            let every = site.every.map_or(Pool::TRUE, |it| self.value(parent, &bindings, it, 0));
            return self.system.pool.and([outer, every]);
        }
        let control = self.tree.controls[self.tree.instances[parent as usize].control as usize];
        let outer = control.reset.map_or(Pool::FALSE, |slot| self.slot(slot, Type::Bool));
        let restart = site.restart.map_or(Pool::FALSE, |it| self.value(parent, &bindings, it, 0));
        let active = self.active(instance).unwrap_or(Pool::TRUE);
        let restart = self.system.pool.and([active, restart]);
        self.system.pool.or([outer, restart])
    }

    /// When an instance is active; `None` if always.
    pub(super) fn active(&mut self, instance: u32) -> Option<Expr> {
        let control = self.tree.controls[self.tree.instances[instance as usize].control as usize];
        control.active.map(|slot| self.slot(slot, Type::Bool))
    }

    /// An output of a call with a default: the last value while the call is not active, and the default before it first was.
    fn held(&mut self, slot: u32, instance: u32, leaf: u32) -> Expr {
        let it = &self.tree.instances[instance as usize];
        let Role::Call(site) = it.role else { return Pool::TRUE };
        let (parent, bindings, unit) = (it.parent, it.bindings.clone(), self.program.unit(it.unit));
        let at = self.tree.layouts[it.unit.0 as usize].offsets[unit.inputs] + leaf;
        let (base, ty) = (it.base, self.leaf_type(instance, at));
        let site = &self.program.unit(self.tree.instances[parent as usize].unit).sites[site as usize];
        let now = self.slot(base + at, ty);
        let active = self.active(instance).unwrap_or(Pool::TRUE);
        let default = match site.defaults {
            Some(defaults) => self.value(parent, &bindings, defaults, leaf),
            None => self.system.pool.some_constant(ty),
        };
        if self.is_missing() {
            return now;
        }
        let name = format!("last({})", self.leaf_name(instance, at));
        let operand = Operand::Slot(parent, slot);
        let before = if self.system.pool.node(default).is_constant() {
            self.state(parent, operand, ty, Init::Value(default), &name)
        } else {
            let before = self.state(parent, operand, ty, Init::Guarded, &name);
            let first = self.first(parent);
            self.system.pool.ite(first, default, before)
        };
        self.system.pool.ite(active, now, before)
    }

    /// Whether all assumptions of a contract and its imports have held so far, and the inputs were in their subranges.
    fn sofar(&mut self, slot: u32, instance: u32) -> Expr {
        let callee = self.tree.instances[instance as usize].parent;
        let node = self.tree.instances[callee as usize].unit;
        let inputs = self.tree.layouts[node.0 as usize].offsets[self.program.unit(node).inputs];
        let mut all = self.in_ranges(callee, 0..inputs);
        for contract in self.contracts(instance) {
            let unit = self.program.unit(self.tree.instances[contract as usize].unit);
            for claim in &unit.assumes {
                all.push(self.value(contract, &[], claim.value, 0));
            }
        }
        if all.is_empty() || self.is_missing() {
            return Pool::TRUE;
        }
        if self.program.unit(node).kind == UnitKind::Function {
            // A function has no memory of earlier steps.
            return self.system.pool.and(all);
        }
        let name = format!("{}assumed()", self.tree.instances[instance as usize].path);
        let before =
            self.state(instance, Operand::Slot(instance, slot), Type::Bool, Init::Value(Pool::TRUE), &name);
        all.push(before);
        self.system.pool.and(all)
    }

    /// A contract and its imports, outer ones first.
    pub(super) fn contracts(&self, instance: u32) -> Vec<u32> {
        let mut all = vec![instance];
        let mut next = 0;
        while let Some(contract) = all.get(next) {
            let it = &self.tree.instances[*contract as usize];
            let imports = self.program.unit(it.unit).imports.len() as u32;
            all.extend(it.imports..it.imports + imports);
            next += 1;
        }
        all
    }

    /// The slot that tells whether a mode is active.
    pub(super) fn mode(&mut self, instance: u32, mode: u32) -> u32 {
        if let Some(slot) = self.modes.get(&(instance, mode)) {
            return *slot;
        }
        let slot = self.add_slot(What::Mode(instance, mode));
        self.modes.insert((instance, mode), slot);
        slot
    }

    pub(super) fn free(&self, place: u32, leaf: u32) -> Expr {
        self.free[place as usize][leaf as usize]
    }

    pub(super) fn global(&self, place: u32, leaf: u32) -> u32 {
        self.globals[place as usize] + leaf
    }

    /// An arbitrary value at each step, used where a needed value does not exist.
    pub(super) fn anything(&mut self, instance: u32, id: Id, bindings: &[u32], leaf: u32, ty: Type) -> Expr {
        let key = (instance, id, bindings.to_vec(), leaf);
        if let Some(value) = self.anything.get(&key) {
            return *value;
        }
        let name =
            format!("{}any({})", self.tree.instances[instance as usize].path, self.place(instance, id));
        let value = self.input(&name, ty);
        self.anything.insert(key, value);
        value
    }

    /// The position of an expression, in terms of the names of its parts.
    pub(super) fn place(&self, instance: u32, id: Id) -> String {
        let file = &self.program.files[self.program.unit(self.tree.instances[instance as usize].unit).file];
        let (line, column) = file.position(self.program.expr(id).span);
        format!("l{line}c{column}")
    }
}
