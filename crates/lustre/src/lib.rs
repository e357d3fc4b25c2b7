//! Lustre in Kind 2's dialect: names, types, clocks and causality, and the systems of its nodes.
//!
//! [`read`] resolves and checks a program and never fails; [`Program::system`] builds the system of one node: calls are expanded, or
//! replaced with their contracts. `resolve`, `units`, `typing`, `parts`, `calls` and `assumptions` analyse the program (`hir`,
//! `types`), with `generic` for type parameters, `refine` for types with conditions, `data` for `datatype`s, `blocks` for blocks of
//! equations and `binders` for quantifiers and choices; `instances` lays out the call tree, `lower`, `causality`, `evaluate` and `memory` compute its values, and `claims` its
//! assumptions and properties.

mod assumptions;
mod binders;
mod blocks;
mod calls;
mod causality;
mod claims;
pub mod codes;
mod data;
mod evaluate;
mod generic;
mod hir;
mod instances;
mod library;
mod lower;
mod memory;
pub mod modular;
mod parts;
mod refine;
mod resolve;
mod sets;
mod types;
mod typing;
mod units;
mod watched;

use hir::{Expr, Global, Id, Restriction, Unit, UnitId, UnitKind};
use resolve::{File, Resolver};
use rustc_hash::FxHashMap;
use syntax::Diagnostic;
use syntax::Hint;
use syntax::Severity;
use syntax::Span;
use syntax::lustre::Declaration;
use syntax::nearest;
use system::System;
use types::{Ty, Types};

/// The maximum number of included files.
const MAX_FILES: usize = 1000;

/// A program that has been read.
#[derive(Clone, Debug)]
pub struct Program {
    files: Vec<File>,
    types: Types,
    exprs: Vec<Expr>,
    units: Vec<Unit>,
    by_name: FxHashMap<String, UnitId>,
    free: Vec<(String, Ty)>,
    globals: Vec<Global>,
    restrictions: Vec<Restriction>,
    /// The elements of each type that sets tell of, and how many of them are watched where these are not all.
    keys: FxHashMap<Ty, Vec<hir::Id>>,
    watched: u32,
    /// The diagnostics by position. Those of an included file are reported at its `include`.
    pub diagnostics: Vec<Diagnostic>,
}

/// A public view of a node or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// The span of its name.
    pub span: Span,
    /// Whether it is a function, which has no memory.
    pub function: bool,
    /// Whether it has no body.
    pub imported: bool,
    /// Whether it is marked with `--%MAIN`.
    pub main: bool,
    /// Whether it is in an included file or in a library.
    pub included: bool,
    /// The inputs that `--%REALIZABLE` names: the environment chooses them, and an implementation the others.
    pub realizable: Option<Vec<String>>,
    /// Whether it has a contract.
    pub contract: bool,
    /// Whether callers always see its body.
    pub transparent: bool,
    /// Whether callers always see its contract.
    pub opaque: bool,
    /// Whether it may call itself: then a call inside it sees its contract.
    pub recursive: bool,
    /// Whether its body has properties.
    pub claims: bool,
    /// The names of the properties in its body.
    pub properties: Vec<String>,
    /// The nodes and functions that its body calls, without repetition, in source order, calls in arguments before the call; then
    /// those that only its contract calls.
    pub calls: Vec<String>,
    /// The names of its inputs.
    pub inputs: Vec<String>,
    /// The names of its outputs.
    pub outputs: Vec<String>,
}

/// How calls are translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Callees {
    /// The body of a callee becomes part of the system.
    #[default]
    Inline,
    /// A callee with a contract is replaced with it: its outputs are free within the contract.
    Contract,
}

/// The options of [`Program::system`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How calls are translated.
    pub callees: Callees,
    /// The names of the properties to keep; all of them if `None`.
    pub only: Option<Vec<String>>,
}

/// Reads a program. `loader` returns the text of an included file.
///
/// ```
/// let text = "node up(x: bool) returns (y: bool); let y = x -> x and not pre x; check not y or x; tel";
/// let program = shall_lustre::read(text, &|_| None);
/// assert!(program.diagnostics.is_empty());
/// let system = program.system("up", &Default::default()).unwrap();
/// assert_eq!(system.properties[0].name, "not y or x");
/// ```
pub fn read(text: &str, loader: &dyn Fn(&str) -> Option<String>) -> Program {
    let mut missing = Vec::new();
    let (files, math) = load(text, loader, &mut missing);
    let mut resolver = Resolver::new(&files, math);
    for (file, span, name) in missing {
        let message = format!("cannot find the file `{name}`");
        let hint = "put it next to this file, or remove the line";
        resolver.report(file, span, codes::MISSING_FILE, message, hint);
    }
    resolver.run();
    let Resolver {
        types,
        exprs,
        units,
        by_name,
        free,
        globals,
        restrictions,
        keys,
        watched,
        mut diagnostics,
        ..
    } = resolver;
    diagnostics.sort_by_key(|it| (it.span.start, it.span.end));
    diagnostics.dedup();
    Program { files, types, exprs, units, by_name, free, globals, restrictions, keys, watched, diagnostics }
}

/// The text and everything it includes, each file once, libraries last; and whether the mathematical functions are available.
fn load(
    text: &str,
    loader: &dyn Fn(&str) -> Option<String>,
    missing: &mut Vec<(usize, Span, String)>,
) -> (Vec<File>, bool) {
    let mut files = vec![File::new(None, text, None)];
    let mut libraries: Vec<File> = Vec::new();
    let mut math = false;
    let mut next = 0;
    while next < files.len() {
        let includes = files[next].ast.declarations.iter().filter_map(|it| match it {
            Declaration::Include(name) => Some(name.clone()),
            Declaration::Type(..) | Declaration::Data(..) | Declaration::Const(_) | Declaration::Unit(_) => {
                None
            }
        });
        for name in includes.collect::<Vec<_>>() {
            let known = |it: &File| it.name.as_deref() == Some(&name.text);
            if files.iter().any(known) || files.len() >= MAX_FILES {
                continue;
            }
            let place = files[next].span(name.span);
            match (loader(&name.text), library::library(&name.text)) {
                (Some(text), _) => files.push(File::new(Some(name.text), &text, Some(place))),
                (None, Some(library)) => {
                    math |= library.math;
                    let name = library::library_name(&name.text);
                    if libraries.iter().all(|it| it.name.as_ref() != Some(&name)) {
                        libraries.push(File::new(Some(name), library.text, Some(place)));
                    }
                }
                (None, None) => missing.push((next, name.span, name.text)),
            }
        }
        next += 1;
    }
    files.extend(libraries);
    (files, math)
}

impl Program {
    /// The nodes and functions, in source order, followed by those of included files and libraries.
    pub fn nodes(&self) -> Vec<Node> {
        let units =
            self.units.iter().filter(|it| !it.kind.is_contract() && self.by_name.contains_key(&it.name));
        units.map(|unit| self.node(unit)).collect()
    }

    /// Whether there are errors, so that no system can be built.
    pub fn is_wrong(&self) -> bool {
        self.diagnostics.iter().any(|it| it.severity() == Severity::Error)
    }

    /// Warnings about outputs and local variables without a definition: they have an arbitrary value at each step.
    pub fn undefined(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for unit in self.units.iter().filter(|it| !it.imported && !it.kind.is_contract()) {
            for variable in unit.vars[unit.inputs..].iter().filter(|it| it.definition.is_none() && !it.hidden)
            {
                let span = self.files[unit.file].span(variable.span);
                let message = format!("`{}` of `{}` has no definition", variable.name, unit.name);
                let hint = "write an equation for it, unless any value is intended";
                found.push(Diagnostic::new(codes::NO_EQUATION, span, message, hint));
            }
        }
        found
    }

    /// The named contracts, in source order.
    pub fn contracts(&self) -> Vec<Node> {
        let units = self.units.iter().filter(|it| it.kind == UnitKind::Contract);
        units.map(|unit| self.node(unit)).collect()
    }

    /// The observer of a contract, or of the contract of a node: the contract's inputs and outputs are its inputs, the guarantees and
    /// modes its properties. Included in a model ([`System::include`]), it checks the model.
    ///
    /// # Errors
    ///
    /// The errors of the program, an unknown contract, a cyclic definition, or an exceeded limit.
    pub fn observer(&self, contract: &str) -> Result<System, Vec<Diagnostic>> {
        self.without_errors()?;
        let found = self.by_name.get(contract).copied();
        let own = |it: UnitId| match self.unit(it).kind {
            UnitKind::Contract => Some(it),
            _ => self.unit(it).contract,
        };
        match found.and_then(own) {
            Some(top) => claims::lower(self, top, Callees::Inline).map_err(|it| vec![it]),
            None => Err(unknown("contract", contract, &self.contracts())),
        }
    }

    /// The system of a node.
    ///
    /// # Errors
    ///
    /// The errors of the program, an unknown or imported node, an algebraic loop, or an exceeded limit.
    pub fn system(&self, node: &str, options: &Options) -> Result<System, Vec<Diagnostic>> {
        self.without_errors()?;
        let found = self.by_name.get(node).copied();
        let Some(top) = found.filter(|it| !self.unit(*it).kind.is_contract()) else {
            return Err(unknown("node", node, &self.nodes()));
        };
        if self.unit(top).imported {
            let span = self.files[self.unit(top).file].span(self.unit(top).span);
            let message = format!("`{node}` is imported: there is no body to check");
            let hint = "name a node with a body";
            return Err(vec![Diagnostic::new(codes::UNKNOWN_NODE, span, message, hint)]);
        }
        let mut system = claims::lower(self, top, options.callees).map_err(|it| vec![it])?;
        if let Some(only) = &options.only {
            system.properties.retain(|it| only.contains(&it.name));
        }
        Ok(system)
    }

    fn without_errors(&self) -> Result<(), Vec<Diagnostic>> {
        let errors = self.diagnostics.iter().filter(|it| it.severity() == Severity::Error);
        let errors: Vec<Diagnostic> = errors.cloned().collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn node(&self, unit: &Unit) -> Node {
        let mut calls: Vec<String> = Vec::new();
        let mut units = vec![unit];
        while let Some(unit) = units.pop() {
            for site in &unit.sites {
                let name = &self.unit(site.unit).name;
                if !calls.contains(name) {
                    calls.push(name.clone());
                }
            }
            let imports = unit.imports.iter().map(|it| it.unit);
            units.extend(unit.contract.into_iter().chain(imports).map(|it| self.unit(it)));
        }
        let names =
            |range: std::ops::Range<usize>| unit.vars[range].iter().map(|it| it.name.clone()).collect();
        Node {
            name: unit.name.clone(),
            span: self.files[unit.file].span(unit.span),
            function: unit.kind == UnitKind::Function,
            imported: unit.imported,
            main: unit.main,
            included: unit.file > 0,
            realizable: unit.realizable.clone(),
            contract: unit.contract.is_some(),
            transparent: unit.visibility == syntax::lustre::Visibility::Transparent,
            opaque: unit.visibility == syntax::lustre::Visibility::Opaque,
            recursive: unit.recursive,
            claims: !unit.properties.is_empty(),
            properties: unit.properties.iter().filter_map(|it| it.name.clone()).collect(),
            calls,
            inputs: names(0..unit.inputs),
            outputs: names(unit.inputs..unit.inputs + unit.outputs),
        }
    }

    /// Whether a node is checked in its own scope, because it has properties or a contract.
    fn is_checked(&self, id: UnitId) -> bool {
        let unit = self.unit(id);
        !unit.imported && (unit.contract.is_some() || !unit.properties.is_empty())
    }

    /// Whether one recursive function calls another, which calls it back, directly or through others.
    fn calls_back(&self, from: UnitId, to: UnitId) -> bool {
        self.reaches(from, to) && self.reaches(to, from)
    }

    fn reaches(&self, from: UnitId, to: UnitId) -> bool {
        let mut seen = vec![false; self.units.len()];
        let mut open = vec![from];
        while let Some(id) = open.pop() {
            for site in self.unit(id).sites.iter().filter(|it| self.unit(it.unit).recursive) {
                if site.unit == to {
                    return true;
                }
                if !std::mem::replace(&mut seen[site.unit.0 as usize], true) {
                    open.push(site.unit);
                }
            }
        }
        false
    }

    fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.0 as usize]
    }

    fn expr(&self, id: Id) -> &Expr {
        &self.exprs[id.0 as usize]
    }
}

fn unknown(kind: &str, name: &str, known: &[Node]) -> Vec<Diagnostic> {
    let like = nearest(name, known.iter().map(|it| it.name.as_str()));
    let hint = Hint::near(like, || format!("name a {kind} of the program"));
    vec![Diagnostic::new(codes::UNKNOWN_NODE, Span::new(0, 0), format!("there is no {kind} `{name}`"), hint)]
}

/// Converts a count, which the limits on programs keep far below 2³².
fn small(number: usize) -> u32 {
    u32::try_from(number).expect("fewer than 2^32")
}
