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
use crate::types::INT;
use crate::types::Shape;
use crate::types::Ty;
use crate::typing::Named;
use crate::typing::Scope;
use std::collections::hash_map::Entry;
use syntax::Span;
use syntax::lustre::{self as ast, ContractItem, ExprId, Item, Left};

impl Resolver<'_> {
    /// Declares a unit with its inputs, outputs and modes.
    pub(super) fn signature(&mut self, file: usize, unit: &ast::Unit, title: String) -> Option<UnitId> {
        let name = &unit.name;
        if self.by_name.contains_key(&title) {
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
            imported: unit.imported,
            visibility: unit.visibility,
            recursive: unit.recursive,
            main: unit.items.iter().any(|item| matches!(item, Item::Main)),
            realizable: realizable(unit),
            modes: modes(&unit.body),
            ..Unit::new(title.clone(), kind, (file, name.span), vars, unit.inputs.len())
        };
        if let Some(contract) = &unit.contract {
            // The contract of an imported node also has contents: its own variables, and calls in its claims.
            let (kind, modes) = (UnitKind::Inline, modes(contract));
            let inline = Unit {
                kind,
                imported: false,
                recursive: false,
                main: false,
                realizable: None,
                modes,
                ..new.clone()
            };
            self.units.push(inline);
            new.contract = Some(UnitId(small(self.units.len() - 1)));
        }
        self.units.push(new);
        let id = UnitId(small(self.units.len() - 1));
        self.by_name.insert(title, id);
        Some(id)
    }

    fn variable(&mut self, file: usize, variable: &ast::Variable) -> Variable {
        Variable {
            name: variable.name.text.clone(),
            ty: self.ty(file, variable.ty),
            span: variable.name.span,
            constant: variable.constant,
            conditions: Vec::new(),
            hidden: false,
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
            let ContractItem::Import { contract, types, span, .. } = item else { continue };
            let known =
                self.by_name.contains_key(&contract.text) || self.generics.contains_key(&contract.text);
            let found = if known { self.instance_of(file, contract, types, None) } else { None };
            if known && found.is_none() {
                continue;
            }
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
            self.contract(inline, file, items, function, unit.imported);
        }
        if unit.kind == ast::UnitKind::Contract {
            return self.contract(id, file, &unit.body, false, false);
        }
        let locals: Vec<Variable> = unit.locals.iter().map(|it| self.variable(file, it)).collect();
        self.units[id.0 as usize].vars.extend(locals);
        let mut scope = self.scope(id, file, function);
        let mut constants = Scope::global(file);
        for constant in &unit.constants {
            self.local_constant(&mut scope, &mut constants, constant);
        }
        self.variable_conditions(&mut scope, id, unit.inputs.iter().chain(&unit.outputs).chain(&unit.locals));
        for item in &unit.items {
            match item {
                Item::Block(_) | Item::Match(..) => self.block(&mut scope, id, item),
                Item::Frame(frame) => self.frame(&mut scope, id, frame),
                Item::Equation(left, value, span) => self.equation(&mut scope, id, left, *value, *span),
                Item::Assert(value, _) => {
                    scope.polarity = Some(false);
                    let value = self.truth(&mut scope, *value, "`assert`");
                    self.units[id.0 as usize].asserts.push(value);
                }
                Item::Property(claim, guard) => {
                    let text = self.source(file, claim.value);
                    scope.polarity = Some(true);
                    let mut claim = self.claim(&mut scope, claim, "a property");
                    claim.name = claim.name.or(text);
                    claim.guard = guard.map(|guard| self.truth(&mut scope, guard, "`provided`"));
                    self.units[id.0 as usize].properties.push(claim);
                }
                Item::Reachable(claim, within) => {
                    let text = self.source(file, claim.value).map(|text| format!("reachable {text}"));
                    let mut claim = self.claim(&mut scope, claim, "`reachable`");
                    claim.name = claim.name.or(text);
                    claim.reach = Some(
                        [within.from, within.to].map(|it| it.and_then(|it| self.constant_int(file, it))),
                    );
                    self.units[id.0 as usize].properties.push(claim);
                }
                Item::Main | Item::Auto | Item::Realizable(_) => {}
            }
        }
    }

    fn contract(&mut self, id: UnitId, file: usize, items: &[ContractItem], function: bool, imported: bool) {
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
        for item in items {
            if let ContractItem::Var(variables, ..) = item {
                self.variable_conditions(&mut scope, id, variables.iter());
            }
        }
        // The contract of an imported node is assumed, not shown.
        let positive = Some(true).filter(|_| !imported);
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
                    scope.polarity = positive;
                    let claim = self.claim(&mut scope, claim, "`guarantee`");
                    self.units[id.0 as usize].guarantees.push(claim);
                }
                ContractItem::Decreases(measures) => {
                    for measure in measures {
                        let value = self.expr(&mut scope, *measure, false);
                        self.expect_type(file, value, INT, "`decreases`");
                        self.units[id.0 as usize].decreases.push(value);
                    }
                }
                ContractItem::Mode(it) => {
                    let requires =
                        it.requires.iter().map(|it| self.claim(&mut scope, it, "`require`")).collect();
                    let ensures = it.ensures.iter().map(|it| {
                        scope.polarity = positive;
                        self.claim(&mut scope, it, "`ensure`")
                    });
                    let ensures = ensures.collect();
                    let found = &mut self.units[id.0 as usize].modes[mode];
                    (found.requires, found.ensures) = (requires, ensures);
                    mode += 1;
                }
                ContractItem::Import { inputs, outputs, span, .. } => {
                    // Those that were not found are already reported.
                    if self.units[id.0 as usize].imports.get(import).is_none_or(|it| it.span != *span) {
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

    /// What the types of declared variables require of them, besides subranges.
    fn variable_conditions<'v>(
        &mut self,
        scope: &mut Scope,
        id: UnitId,
        variables: impl Iterator<Item = &'v ast::Variable>,
    ) {
        for variable in variables {
            let name = &variable.name;
            let Some(Named::Var(var)) = scope.names.get(&name.text).cloned() else { continue };
            let ty = self.units[id.0 as usize].vars[var as usize].ty;
            let value = self.add(Kind::Var(var), self.types.base(ty), name.span);
            let mut conditions = self.conditions(scope, value, ty);
            if let Some(condition) = variable.condition {
                conditions.push(self.truth(scope, condition, "the condition of a declaration"));
            }
            self.units[id.0 as usize].vars[var as usize].conditions = conditions;
        }
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
        let span = self.units[id.0 as usize].span;
        self.bind_sizes(&mut scope, span);
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
        Claim { name: claim.name.clone(), value, guard: None, reach: None, span: claim.span }
    }

    /// The text of a short expression, which names a property without a name.
    fn source(&self, file: usize, value: ExprId) -> Option<String> {
        const LONGEST: usize = 60;
        let file = &self.files[file];
        let text = file.text.get(file.ast.expr(value).span.range())?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (text.len() <= LONGEST && !text.contains("--")).then_some(text)
    }

    pub(super) fn truth(&mut self, scope: &mut Scope, value: ExprId, what: &str) -> Id {
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
        let vars = self.left_side(scope, id, left);
        let ty_of = |this: &Self, var: &Option<u32>| {
            var.map_or(ERROR, |var| this.units[id.0 as usize].vars[var as usize].ty)
        };
        if let ([only], true) = (left, elements) {
            let mut part = self.types.base(ty_of(self, &vars[0]));
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
        let (vars, value) = self.defined(scope, id, left, &vars, value, span);
        let mut offset = 0;
        for (var, ty) in vars {
            if let Some(var) = var {
                let definition = Definition { value, offset, sizes: Vec::new() };
                self.units[id.0 as usize].vars[var as usize].definition = Some(definition);
            }
            offset = u32::saturating_add(offset, self.types.leaf_count(ty));
        }
    }

    /// The variables of an equation without indices with their types, and the value of all of them.
    pub(super) fn whole_equation(
        &mut self,
        scope: &mut Scope,
        id: UnitId,
        left: &[Left],
        value: ExprId,
        span: Span,
    ) -> (Vec<(Option<u32>, Ty)>, Id) {
        let vars = self.left_side(scope, id, left);
        self.defined(scope, id, left, &vars, value, span)
    }

    fn defined(
        &mut self,
        scope: &mut Scope,
        id: UnitId,
        left: &[Left],
        vars: &[Option<u32>],
        value: ExprId,
        span: Span,
    ) -> (Vec<(Option<u32>, Ty)>, Id) {
        let value = self.expr(scope, value, false);
        let ty_of =
            |var: &Option<u32>| var.map_or(ERROR, |var| self.units[id.0 as usize].vars[var as usize].ty);
        let wanted: Vec<Ty> = vars.iter().map(ty_of).collect();
        match left {
            [only] => self.expect_type(scope.file, value, wanted[0], &format!("`{}`", only.name.text)),
            _ => self.fit(scope.file, value, &wanted, span, "the left side has"),
        }
        (vars.iter().copied().zip(wanted).collect(), value)
    }

    /// The variables that an equation defines.
    fn left_side(&mut self, scope: &Scope, id: UnitId, left: &[Left]) -> Vec<Option<u32>> {
        let mut vars: Vec<Option<u32>> = Vec::with_capacity(left.len());
        for it in left {
            let var = self.assignable(scope, id, it);
            let again = var.filter(|var| vars.contains(&Some(*var)));
            if again.is_some() {
                let message = format!("`{}` is defined twice", it.name.text);
                self.report(
                    scope.file,
                    it.name.span,
                    codes::DEFINED_TWICE,
                    message,
                    "name each variable once",
                );
            }
            vars.push(var.filter(|_| again.is_none()));
        }
        vars
    }

    /// The variable that an equation defines, if it may be assigned.
    pub(super) fn assignable(&mut self, scope: &Scope, id: UnitId, left: &Left) -> Option<u32> {
        let name = &left.name;
        let var = match scope.names.get(&name.text) {
            Some(Named::Var(var)) => *var,
            Some(Named::Const(_)) => return self.not_assignable(scope, name, "is a constant"),
            None => {
                let known = self.named(scope, &name.text, name.span);
                return match self.kind(known) {
                    Kind::Error => None,
                    Kind::Literal(..) => self.not_assignable(scope, name, "is a value of an enumeration"),
                    _ => self.not_assignable(scope, name, "is a constant"),
                };
            }
        };
        let unit = &self.units[id.0 as usize];
        let outer = match unit.kind {
            UnitKind::Node | UnitKind::Function => unit.inputs,
            UnitKind::Contract | UnitKind::Inline => unit.inputs + unit.outputs,
        };
        if (var as usize) < outer {
            return self.not_assignable(scope, name, "is an input here");
        }
        if unit.vars[var as usize].definition.is_some() {
            let message = format!("`{}` is defined twice", name.text);
            self.report(scope.file, name.span, codes::DEFINED_TWICE, message, "remove one of the equations");
            return None;
        }
        Some(var)
    }

    /// Reports an equation for something that is not a variable of the unit.
    fn not_assignable(&mut self, scope: &Scope, name: &ast::Name, what: &str) -> Option<u32> {
        let message = format!("`{}` {what}", name.text);
        self.report(scope.file, name.span, codes::NOT_ASSIGNABLE, message, "define a local variable");
        None
    }

    /// Reports recursive nodes, each cycle once, unless all of the cycle are recursive functions with a measure. Returns all units,
    /// each after those that it uses, as far as possible.
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
                                if path[from..].iter().all(|it| self.may_recur(it.0)) {
                                    continue;
                                }
                                let names: Vec<String> = path[from..]
                                    .iter()
                                    .map(|it| it.0)
                                    .chain([callee])
                                    .filter(|it| self.units[*it].kind != UnitKind::Inline)
                                    .map(|it| format!("`{}`", self.units[it].name))
                                    .collect();
                                let message = format!("a node calls itself: {}", names.join(" calls "));
                                let (file, span) = (self.units[callee].file, self.units[callee].span);
                                let hint = if self.units[callee].recursive {
                                    "write `decreases` in the contract of each of them, about their inputs"
                                } else {
                                    "remove one of the calls, or write `function rec` with `decreases`"
                                };
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

    /// Whether a unit may be part of a cycle of calls: a recursive function whose measure is about its inputs. Contracts are about
    /// values of the function, so they may not.
    fn may_recur(&self, unit: usize) -> bool {
        let unit = &self.units[unit];
        let Some(contract) = unit.contract.filter(|_| unit.recursive) else { return false };
        let contract = &self.units[contract.0 as usize];
        let mut open = contract.decreases.clone();
        let mut about_inputs = !open.is_empty();
        while let Some(id) = open.pop() {
            about_inputs &= match self.kind(id) {
                Kind::Var(var) => (*var as usize) < contract.inputs,
                Kind::Call(_) | Kind::Mode(..) => false,
                _ => true,
            };
            open.extend(self.kind(id).operands());
        }
        about_inputs
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
