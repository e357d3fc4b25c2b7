//! Nodes, functions and contracts: their variables, equations and claims.
//!
//! There are two passes, because units may use each other before they are declared: signatures first, then bodies.

use crate::codes;
use crate::hir::Claim;
use crate::hir::Definition;
use crate::hir::Id;
use crate::hir::Import;
use crate::hir::Kind;
use crate::hir::Mode;
use crate::hir::Unit;
use crate::hir::UnitId;
use crate::hir::UnitKind;
use crate::hir::Variable;
use crate::resolve::Resolver;
use crate::small;
use crate::types::BOOL;
use crate::types::ERROR;
use crate::types::Shape;
use crate::types::Ty;
use crate::typing::Named;
use crate::typing::Scope;
use std::collections::hash_map::Entry;
use syntax::Span;
use syntax::lustre::{self as ast, ContractItem, ExprId, Item, Left};

impl Resolver<'_> {
    /// Declares a unit with its inputs, outputs and modes.
    pub(super) fn signature(&mut self, file: usize, unit: &ast::Unit) -> Option<UnitId> {
        let name = &unit.name;
        if self.by_name.contains_key(&name.text) {
            // The program may redefine what libraries define.
            if !crate::library::is_library(self.files[file].name.as_deref()) {
                let message = format!("`{}` is declared twice", name.text);
                self.report(file, name.span, codes::DEFINED_TWICE, message, "rename one of them");
            }
            return None;
        }
        let kind = match unit.kind {
            ast::UnitKind::Node => UnitKind::Node,
            ast::UnitKind::Function => UnitKind::Function,
            ast::UnitKind::Contract => UnitKind::Contract,
        };
        let mut vars = Vec::new();
        for variable in unit.inputs.iter().chain(&unit.outputs) {
            vars.push(self.variable(file, variable));
        }
        let mut new = Unit {
            name: name.text.clone(),
            kind,
            imported: unit.imported,
            main: unit.items.iter().any(|item| matches!(item, Item::Main)),
            realizable: realizable(unit),
            file,
            span: name.span,
            vars,
            inputs: unit.inputs.len(),
            outputs: unit.outputs.len(),
            sites: Vec::new(),
            asserts: Vec::new(),
            properties: Vec::new(),
            contract: None,
            assumes: Vec::new(),
            guarantees: Vec::new(),
            modes: modes(&unit.body),
            imports: Vec::new(),
        };
        if let Some(contract) = &unit.contract {
            // The contract of an imported node also has contents: its own variables, and calls in its claims.
            let (kind, modes) = (UnitKind::Inline, modes(contract));
            let inline = Unit { kind, imported: false, main: false, realizable: None, modes, ..new.clone() };
            self.units.push(inline);
            new.contract = Some(UnitId(small(self.units.len() - 1)));
        }
        self.units.push(new);
        let id = UnitId(small(self.units.len() - 1));
        self.by_name.insert(name.text.clone(), id);
        Some(id)
    }

    fn variable(&mut self, file: usize, variable: &ast::Variable) -> Variable {
        Variable {
            name: variable.name.text.clone(),
            ty: self.ty(file, variable.ty),
            span: variable.name.span,
            constant: variable.constant,
            definition: None,
        }
    }

    /// The imports of a unit's contract, so that modes can be named through them; their arguments are resolved with the body.
    pub(super) fn imports(&mut self, id: UnitId, file: usize, unit: &ast::Unit) {
        let (home, items) = match (&unit.contract, self.units[id.0 as usize].contract) {
            (Some(items), Some(inline)) => (inline, items),
            _ => (id, &unit.body),
        };
        for item in items {
            let ContractItem::Import { contract, span, .. } = item else { continue };
            let found = self.by_name.get(&contract.text).copied();
            let found = found.filter(|it| self.units[it.0 as usize].kind == UnitKind::Contract);
            let Some(found) = found else {
                let known = self.units.iter().filter(|it| it.kind == UnitKind::Contract).map(|it| &it.name);
                let hint = self.hint(&contract.text, known, "declare it with `contract`");
                let message = format!("there is no contract `{}`", contract.text);
                self.report(file, contract.span, codes::UNKNOWN_NODE, message, hint);
                continue;
            };
            let inputs = self.error(*span);
            let import = Import { unit: found, inputs, outputs: Vec::new(), span: *span };
            self.units[home.0 as usize].imports.push(import);
        }
    }

    /// Resolves the body of a unit, and its contract.
    pub(super) fn body(&mut self, id: UnitId, file: usize, unit: &ast::Unit) {
        let function = unit.kind == ast::UnitKind::Function;
        if let (Some(items), Some(inline)) = (&unit.contract, self.units[id.0 as usize].contract) {
            self.contract(inline, file, items, function);
        }
        if unit.kind == ast::UnitKind::Contract {
            return self.contract(id, file, &unit.body, false);
        }
        let locals: Vec<Variable> = unit.locals.iter().map(|it| self.variable(file, it)).collect();
        self.units[id.0 as usize].vars.extend(locals);
        let mut scope = self.scope(id, file, function);
        let mut constants = Scope::global(file);
        for constant in &unit.constants {
            self.local_constant(&mut scope, &mut constants, constant);
        }
        for item in &unit.items {
            match item {
                Item::Equation(left, value, span) => self.equation(&mut scope, id, left, *value, *span),
                Item::Assert(value, _) => {
                    let value = self.truth(&mut scope, *value, "`assert`");
                    self.units[id.0 as usize].asserts.push(value);
                }
                Item::Property(claim, guard) => {
                    let text = self.source(file, claim.value);
                    let mut claim = self.claim(&mut scope, claim, "a property");
                    claim.name = claim.name.or(text);
                    claim.guard = guard.map(|guard| self.truth(&mut scope, guard, "`provided`"));
                    self.units[id.0 as usize].properties.push(claim);
                }
                Item::Main | Item::Realizable(_) => {}
            }
        }
    }

    fn contract(&mut self, id: UnitId, file: usize, items: &[ContractItem], function: bool) {
        for item in items {
            if let ContractItem::Var(variables, ..) = item {
                let variables: Vec<Variable> = variables.iter().map(|it| self.variable(file, it)).collect();
                self.units[id.0 as usize].vars.extend(variables);
            }
        }
        let mut scope = self.scope(id, file, function);
        let mut constants = Scope::global(file);
        for item in items {
            if let ContractItem::Const(constant) = item {
                self.local_constant(&mut scope, &mut constants, constant);
            }
        }
        let (mut import, mut mode) = (0, 0);
        for item in items {
            match item {
                ContractItem::Const(_) => {}
                ContractItem::Var(variables, value, span) => {
                    let left: Vec<Left> = variables
                        .iter()
                        .map(|it| Left { name: it.name.clone(), indices: Vec::new() })
                        .collect();
                    self.equation(&mut scope, id, &left, *value, *span);
                }
                ContractItem::Assume(claim) => {
                    let claim = self.claim(&mut scope, claim, "`assume`");
                    self.units[id.0 as usize].assumes.push(claim);
                }
                ContractItem::Guarantee(claim) => {
                    let claim = self.claim(&mut scope, claim, "`guarantee`");
                    self.units[id.0 as usize].guarantees.push(claim);
                }
                ContractItem::Mode(it) => {
                    let requires =
                        it.requires.iter().map(|it| self.claim(&mut scope, it, "`require`")).collect();
                    let ensures =
                        it.ensures.iter().map(|it| self.claim(&mut scope, it, "`ensure`")).collect();
                    let found = &mut self.units[id.0 as usize].modes[mode];
                    (found.requires, found.ensures) = (requires, ensures);
                    mode += 1;
                }
                ContractItem::Import { contract, inputs, outputs, span } => {
                    if self
                        .by_name
                        .get(&contract.text)
                        .is_none_or(|it| self.units[it.0 as usize].kind != UnitKind::Contract)
                    {
                        continue;
                    }
                    self.import(&mut scope, (id, import), inputs, outputs, *span);
                    import += 1;
                }
            }
        }
    }

    fn import(
        &mut self,
        scope: &mut Scope,
        (id, place): (UnitId, usize),
        inputs: &[ExprId],
        outputs: &[ast::Name],
        span: Span,
    ) {
        let callee = &self.units[self.units[id.0 as usize].imports[place].unit.0 as usize];
        let what = format!("the contract `{}` takes", callee.name);
        let wanted: Vec<Ty> = callee.vars[..callee.inputs].iter().map(|it| it.ty).collect();
        let results: Vec<Ty> =
            callee.vars[callee.inputs..callee.inputs + callee.outputs].iter().map(|it| it.ty).collect();
        let inputs: Vec<Id> = inputs.iter().map(|it| self.expr(scope, *it, false)).collect();
        let inputs = self.list(inputs, span);
        self.fit(scope.file, inputs, &wanted, span, &what);
        let values: Vec<Id> = outputs.iter().map(|it| self.named(scope, &it.text, it.span)).collect();
        let variables = values.iter().filter_map(|it| match self.kind(*it) {
            Kind::Var(var) => Some(*var),
            _ => None,
        });
        let variables: Vec<u32> = variables.collect();
        let whole = self.list(values, span);
        self.fit(scope.file, whole, &results, span, &format!("{what} outputs:"));
        let import = &mut self.units[id.0 as usize].imports[place];
        (import.inputs, import.outputs) = (inputs, variables);
    }

    /// The scope of a unit: all its variables by name.
    fn scope(&mut self, id: UnitId, file: usize, function: bool) -> Scope {
        let mut scope = Scope { unit: Some(id), function, ..Scope::global(file) };
        let vars = self.units[id.0 as usize].vars.iter().map(|it| (it.name.clone(), it.span));
        let vars: Vec<(String, Span)> = vars.collect();
        for (place, (name, span)) in vars.into_iter().enumerate() {
            match scope.names.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert(Named::Var(small(place)));
                }
                Entry::Occupied(entry) => {
                    let message = format!("`{}` is declared twice", entry.key());
                    self.report(file, span, codes::DEFINED_TWICE, message, "rename one of them");
                }
            }
        }
        scope
    }

    fn local_constant(&mut self, scope: &mut Scope, constants: &mut Scope, constant: &ast::Const) {
        let name = &constant.name;
        let value = self.constant_of(constants, constant);
        if scope.names.contains_key(&name.text) {
            let message = format!("`{}` is declared twice", name.text);
            self.report(scope.file, name.span, codes::DEFINED_TWICE, message, "rename one of them");
            return;
        }
        scope.names.insert(name.text.clone(), Named::Const(value));
        constants.names.insert(name.text.clone(), Named::Const(value));
    }

    fn claim(&mut self, scope: &mut Scope, claim: &ast::Claim, what: &str) -> Claim {
        let value = self.truth(scope, claim.value, what);
        Claim { name: claim.name.clone(), value, guard: None, span: claim.span }
    }

    /// The text of a short expression, which names a property without a name.
    fn source(&self, file: usize, value: ExprId) -> Option<String> {
        const LONGEST: usize = 60;
        let file = &self.files[file];
        let text = file.text.get(file.ast.expr(value).span.range())?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (text.len() <= LONGEST && !text.contains("--")).then_some(text)
    }

    fn truth(&mut self, scope: &mut Scope, value: ExprId, what: &str) -> Id {
        let value = self.expr(scope, value, false);
        self.expect_type(scope.file, value, BOOL, what);
        value
    }

    fn equation(&mut self, scope: &mut Scope, id: UnitId, left: &[Left], value: ExprId, span: Span) {
        let elements = left.iter().any(|it| !it.indices.is_empty());
        if elements && left.len() > 1 {
            let message =
                "an equation defines the elements of an array together with other variables".to_owned();
            let hint = "write a separate equation for the array";
            self.report(scope.file, span, syntax::codes::NOT_SUPPORTED, message, hint);
            return;
        }
        let vars: Vec<Option<u32>> = left.iter().map(|it| self.assignable(scope, id, it)).collect();
        let ty_of = |this: &Self, var: &Option<u32>| {
            var.map_or(ERROR, |var| this.units[id.0 as usize].vars[var as usize].ty)
        };
        if let ([only], true) = (left, elements) {
            let mut part = ty_of(self, &vars[0]);
            for index in &only.indices {
                match *self.types.shape(part) {
                    Shape::Array(inner, size) => {
                        scope.indices.push((index.text.clone(), size));
                        part = inner;
                    }
                    Shape::Error => {}
                    _ => {
                        let message = format!("`{}` has fewer dimensions", only.name.text);
                        self.report(scope.file, index.span, codes::BAD_ELEMENT, message, "remove an index");
                        part = ERROR;
                    }
                }
            }
            let value = self.expr(scope, value, false);
            self.expect_type(scope.file, value, part, &format!("an element of `{}`", only.name.text));
            let sizes = scope.indices.drain(..).map(|it| it.1).collect();
            if let Some(var) = vars[0] {
                let definition = Definition { value, offset: 0, sizes };
                self.units[id.0 as usize].vars[var as usize].definition = Some(definition);
            }
            return;
        }
        let value = self.expr(scope, value, false);
        let wanted: Vec<Ty> = vars.iter().map(|var| ty_of(self, var)).collect();
        match left {
            [only] => self.expect_type(scope.file, value, wanted[0], &format!("`{}`", only.name.text)),
            _ => self.fit(scope.file, value, &wanted, span, "the left side has"),
        }
        let mut offset = 0;
        for (var, ty) in vars.iter().zip(&wanted) {
            if let Some(var) = var {
                let definition = Definition { value, offset, sizes: Vec::new() };
                self.units[id.0 as usize].vars[*var as usize].definition = Some(definition);
            }
            offset = u32::saturating_add(offset, self.types.leaf_count(*ty));
        }
    }

    /// The variable that an equation defines, if it may be assigned.
    fn assignable(&mut self, scope: &Scope, id: UnitId, left: &Left) -> Option<u32> {
        let name = &left.name;
        let var = match scope.names.get(&name.text) {
            Some(Named::Var(var)) => *var,
            Some(Named::Const(_)) => {
                let message = format!("`{}` is a constant", name.text);
                self.report(scope.file, name.span, codes::NOT_ASSIGNABLE, message, "define a local variable");
                return None;
            }
            None => {
                self.named(scope, &name.text, name.span);
                return None;
            }
        };
        let unit = &self.units[id.0 as usize];
        let outer = match unit.kind {
            UnitKind::Node | UnitKind::Function => unit.inputs,
            UnitKind::Contract | UnitKind::Inline => unit.inputs + unit.outputs,
        };
        if (var as usize) < outer {
            let message = format!("`{}` is an input here", name.text);
            self.report(scope.file, name.span, codes::NOT_ASSIGNABLE, message, "define a local variable");
            return None;
        }
        if unit.vars[var as usize].definition.is_some() {
            let message = format!("`{}` is defined twice", name.text);
            self.report(scope.file, name.span, codes::DEFINED_TWICE, message, "remove one of the equations");
            return None;
        }
        Some(var)
    }

    /// Reports recursive nodes, each cycle once. Returns all units, each after those that it uses.
    pub(super) fn recursion(&mut self) -> Vec<usize> {
        let count = self.units.len();
        let mut order = Vec::with_capacity(count);
        // 0: unvisited, 1: on the path, 2: done.
        let mut seen = vec![0u8; count];
        for start in 0..count {
            let mut path: Vec<(usize, usize)> = Vec::new();
            if seen[start] == 0 {
                seen[start] = 1;
                path.push((start, 0));
            }
            while let Some((unit, next)) = path.last_mut() {
                let it = &self.units[*unit];
                let callees = it.sites.iter().map(|site| site.unit);
                let callees = callees.chain(it.imports.iter().map(|import| import.unit)).chain(it.contract);
                match callees.map(|it| it.0 as usize).nth(*next) {
                    None => {
                        seen[*unit] = 2;
                        order.push(*unit);
                        path.pop();
                    }
                    Some(callee) => {
                        *next += 1;
                        match seen[callee] {
                            0 => {
                                seen[callee] = 1;
                                path.push((callee, 0));
                            }
                            1 => {
                                let from = path.iter().position(|it| it.0 == callee).unwrap_or(0);
                                let names: Vec<String> = path[from..]
                                    .iter()
                                    .map(|it| it.0)
                                    .chain([callee])
                                    .filter(|it| self.units[*it].kind != UnitKind::Inline)
                                    .map(|it| format!("`{}`", self.units[it].name))
                                    .collect();
                                let message = format!("a node calls itself: {}", names.join(" calls "));
                                let (file, span) = (self.units[callee].file, self.units[callee].span);
                                let hint = "remove one of the calls; Lustre has no recursion";
                                self.report(file, span, codes::RECURSIVE_NODE, message, hint);
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
        order
    }
}

/// The modes of a contract, with only their names.
fn modes(items: &[ContractItem]) -> Vec<Mode> {
    let modes = items.iter().filter_map(|item| match item {
        ContractItem::Mode(mode) => Some(mode.name.text.clone()),
        _ => None,
    });
    modes.map(|name| Mode { name, requires: Vec::new(), ensures: Vec::new() }).collect()
}

/// The inputs that `--%REALIZABLE` names; several annotations add up.
fn realizable(unit: &ast::Unit) -> Option<Vec<String>> {
    let mut found: Option<Vec<String>> = None;
    for item in &unit.items {
        if let Item::Realizable(names) = item {
            found.get_or_insert_default().extend(names.iter().map(|it| it.text.clone()));
        }
    }
    found
}
