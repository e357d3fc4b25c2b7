//! The call tree below one node: one instance per call, with a slot for each scalar of each of its variables.
//!
//! Instances are laid out breadth first, so the calls of one unit are adjacent. An abstract instance has no body: its outputs are
//! free, or values of a declared function, and its contract constrains them.

use crate::codes;
use crate::hir::{UnitId, UnitKind};
use crate::types::Leaf;
use crate::{Callees, Program};
use syntax::Diagnostic;
use syntax::lustre::Visibility;

/// The maximum number of instances in a system.
const MAX_INSTANCES: usize = 300_000;
/// The maximum number of scalars in a system.
const MAX_SLOTS: usize = 1_000_000;
/// The maximum nesting depth of calls.
const MAX_DEPTH: u32 = 200;

/// The layout of the variables of a unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// The first leaf of each variable, then the number of leaves.
    pub(super) offsets: Vec<u32>,
    pub(super) leaves: Vec<Leaf>,
    /// The first instance of each call, then their number.
    pub(super) sites: Vec<u32>,
}

/// One call of a unit, or the contract of one.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) unit: UnitId,
    pub(super) role: Role,
    pub(super) parent: u32,
    /// The values of the indices at the call.
    pub(super) bindings: Vec<u32>,
    /// The prefix of the names of its variables, ending with a dot.
    pub(super) path: String,
    /// The first slot of its variables.
    pub(super) base: u32,
    /// Its clock.
    pub(super) control: u32,
    /// The first instance of its calls.
    pub(super) children: u32,
    pub(super) contract: Option<u32>,
    /// The first instance of its imports.
    pub(super) imports: u32,
    pub(super) is_abstract: bool,
    depth: u32,
}

/// The relation of an instance to its parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Top,
    /// The call with this index.
    Call(u32),
    /// The contract of a node.
    Contract,
    /// The import with this index.
    Import(u32),
}

/// When an instance is active and when it restarts; both are slots.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Control {
    pub(super) active: Option<u32>,
    pub(super) reset: Option<u32>,
    /// The instance that it belongs to.
    pub(super) owner: u32,
}

/// The call tree and its slots.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) layouts: Vec<Layout>,
    pub(super) instances: Vec<Instance>,
    pub(super) controls: Vec<Control>,
    pub(super) slots: Vec<What>,
}

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// A leaf of a variable of an instance, counted over all its variables.
    Leaf(u32, u32),
    /// Whether an instance is active.
    Active(u32),
    /// Whether an instance restarts.
    Reset(u32),
    /// An output of an instance with a default, held while the instance is not active.
    Held(u32, u32),
    /// A leaf of a constant.
    Global(u32, u32),
    /// Whether a mode of a contract is active.
    Mode(u32, u32),
    /// Whether the assumptions of a contract have held so far.
    Sofar(u32),
    /// The next value of a state.
    Next(u32),
    /// A needed Boolean.
    Claim(u32, crate::hir::Id),
}

impl Tree {
    /// The tree below a unit.
    pub(super) fn new(program: &Program, top: UnitId, callees: Callees) -> Result<Tree, Diagnostic> {
        let count = |unit: &crate::hir::Unit| -> usize {
            unit.vars.iter().map(|it| program.types.leaf_count(it.ty) as usize).sum()
        };
        let constants = program.globals.iter().map(|it| program.expr(it.value).ty);
        let constants = constants.chain(program.free.iter().map(|it| it.1));
        let constants: usize = constants.map(|it| program.types.leaf_count(it) as usize).sum();
        if program.units.iter().map(count).sum::<usize>() + constants > MAX_SLOTS {
            return Err(too_large(program, top));
        }
        let mut tree = Tree { layouts: layouts(program), ..Tree::default() };
        tree.controls.push(Control::default());
        tree.add(program, top, Role::Top, 0, Vec::new(), String::new(), callees);
        let mut next = 0;
        while next < tree.instances.len() {
            tree.expand(program, next as u32, callees);
            next += 1;
            let deep = tree.instances.last().is_some_and(|it| it.depth > MAX_DEPTH);
            if tree.instances.len() > MAX_INSTANCES || tree.slots.len() > MAX_SLOTS || deep {
                return Err(too_large(program, top));
            }
        }
        Ok(tree)
    }

    /// Adds an instance with its slots.
    #[allow(clippy::too_many_arguments)]
    fn add(
        &mut self,
        program: &Program,
        unit: UnitId,
        role: Role,
        parent: u32,
        bindings: Vec<u32>,
        path: String,
        callees: Callees,
    ) -> u32 {
        let id = self.instances.len() as u32;
        let it = program.unit(unit);
        let called = matches!(role, Role::Call(_));
        let promised = match it.visibility {
            Visibility::Usual => callees == Callees::Contract,
            Visibility::Transparent => false,
            Visibility::Opaque => true,
        };
        let is_abstract = it.imported
            || (called && promised && it.contract.is_some())
            || (it.recursive && self.is_below(unit, parent));
        let layout = &self.layouts[unit.0 as usize];
        let count =
            if is_abstract { layout.offsets[it.inputs + it.outputs] } else { layout.leaves.len() as u32 };
        let base = self.slots.len() as u32;
        self.slots.extend((0..count).map(|leaf| What::Leaf(id, leaf)));
        let (control, depth) =
            self.instances.get(parent as usize).map_or((0, 0), |it| (it.control, it.depth + 1));
        self.instances.push(Instance {
            unit,
            role,
            parent,
            bindings,
            path,
            base,
            control,
            children: 0,
            contract: None,
            imports: 0,
            is_abstract,
            depth,
        });
        if let Role::Call(site) = role {
            let site = &program.unit(self.instances[parent as usize].unit).sites[site as usize];
            if site.every.is_some() || site.restart.is_some() {
                self.add_control(id, site.every.is_some(), site.restart.is_some());
            }
        }
        id
    }

    /// Whether an instance or one of those around it is of this unit.
    fn is_below(&self, unit: UnitId, mut instance: u32) -> bool {
        while let Some(it) = self.instances.get(instance as usize) {
            if it.unit == unit {
                return true;
            }
            if it.parent == instance {
                return false;
            }
            instance = it.parent;
        }
        false
    }

    fn add_control(&mut self, id: u32, every: bool, restart: bool) {
        let mut control =
            Control { owner: id, ..self.controls[self.instances[id as usize].control as usize] };
        if every {
            control.active = Some(self.slots.len() as u32);
            self.slots.push(What::Active(id));
        }
        if restart {
            control.reset = Some(self.slots.len() as u32);
            self.slots.push(What::Reset(id));
        }
        self.instances[id as usize].control = self.controls.len() as u32;
        self.controls.push(control);
    }

    fn expand(&mut self, program: &Program, id: u32, callees: Callees) {
        let instance = &self.instances[id as usize];
        let (unit, path) = (instance.unit, instance.path.clone());
        let it = program.unit(unit);
        if !instance.is_abstract {
            self.instances[id as usize].children = self.instances.len() as u32;
            let mut seen = rustc_hash::FxHashMap::<UnitId, (u32, u32)>::default();
            for site in &it.sites {
                seen.entry(site.unit).or_default().0 += 1;
            }
            for (place, site) in it.sites.iter().enumerate() {
                let name = &program.unit(site.unit).name;
                let count = seen.entry(site.unit).or_default();
                count.1 += 1;
                let call =
                    if count.0 > 1 { format!("{path}{name}[{}]", count.1) } else { format!("{path}{name}") };
                let total: u32 = site.sizes.iter().product();
                for element in 0..total {
                    if self.instances.len() > MAX_INSTANCES || self.slots.len() > MAX_SLOTS {
                        return;
                    }
                    let bindings = indices(element, &site.sizes);
                    let element: String = bindings.iter().map(|it| format!("[{it}]")).collect();
                    let path = format!("{call}{element}.");
                    self.add(program, site.unit, Role::Call(place as u32), id, bindings, path, callees);
                }
            }
        }
        if let Some(contract) = it.contract {
            // The contract of a callee matters for its assumptions, and where there is no body.
            let child = self.add(
                program,
                contract,
                Role::Contract,
                id,
                Vec::new(),
                format!("{path}contract."),
                callees,
            );
            self.instances[id as usize].contract = Some(child);
        }
        self.instances[id as usize].imports = self.instances.len() as u32;
        for (place, import) in it.imports.iter().enumerate() {
            // The name of an imported contract is enough to distinguish its variables.
            let outer = path.strip_suffix("contract.").unwrap_or(&path);
            let name = &program.unit(import.unit).name;
            let again = it.imports[..place].iter().filter(|it| it.unit == import.unit).count();
            let number = if again > 0 { format!("[{}]", again + 1) } else { String::new() };
            let path = format!("{outer}{name}{number}.");
            self.add(program, import.unit, Role::Import(place as u32), id, Vec::new(), path, callees);
        }
    }

    /// The instance of a call for some values of the indices.
    pub(super) fn child(&self, id: u32, site: u32, sizes: &[u32], bindings: &[u32]) -> u32 {
        let instance = &self.instances[id as usize];
        let first = self.layouts[instance.unit.0 as usize].sites[site as usize];
        let element = sizes.iter().zip(bindings).fold(0, |sum, (size, index)| sum * size + index);
        instance.children + first + element
    }

    /// The slot of a leaf of a variable.
    pub(super) fn slot(&self, id: u32, var: u32, leaf: u32) -> u32 {
        let instance = &self.instances[id as usize];
        instance.base + self.layouts[instance.unit.0 as usize].offsets[var as usize] + leaf
    }
}

pub(super) fn too_large(program: &Program, top: UnitId) -> Diagnostic {
    let unit = program.unit(top);
    let message = format!("`{}` has more parts than the limit when all calls are expanded", unit.name);
    let hint = "check a smaller node, or give its callees contracts";
    Diagnostic::new(codes::TOO_MANY_PARTS, program.files[unit.file].span(unit.span), message, hint)
}

/// The values of the indices of an element.
pub(super) fn indices(mut element: u32, sizes: &[u32]) -> Vec<u32> {
    let mut indices = vec![0; sizes.len()];
    for (index, size) in indices.iter_mut().zip(sizes).rev() {
        *index = element % size;
        element /= size;
    }
    indices
}

fn layouts(program: &Program) -> Vec<Layout> {
    let layout = |unit: &crate::hir::Unit| {
        let mut layout = Layout::default();
        for variable in &unit.vars {
            layout.offsets.push(layout.leaves.len() as u32);
            layout.leaves.extend(program.types.leaves(variable.ty));
        }
        layout.offsets.push(layout.leaves.len() as u32);
        let mut calls = 0u32;
        for site in &unit.sites {
            layout.sites.push(calls);
            calls = calls.saturating_add(site.sizes.iter().product());
        }
        layout
    };
    program.units.iter().map(layout).collect()
}

impl Layout {
    /// The variable of a leaf, and the leaf's index in it.
    pub(super) fn variable(&self, leaf: u32) -> (u32, u32) {
        // Variables without leaves share their offset with the next one.
        let var = self.offsets.partition_point(|offset| *offset <= leaf) - 1;
        (var as u32, leaf - self.offsets[var])
    }
}

impl UnitKind {
    /// Whether it is a contract.
    pub(super) fn is_contract(self) -> bool {
        match self {
            UnitKind::Contract | UnitKind::Inline => true,
            UnitKind::Node | UnitKind::Function => false,
        }
    }
}
