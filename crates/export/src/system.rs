//! Systems as Lustre programs for Kind 2, with a table of what the names mean; controllers also in C and Rust ([`program`]) and as
//! tables ([`table`]).
//!
//! A system becomes one node, or one for each of its parts that are given: state is a definition with `->` and `pre`, an assumption an assertion, a property a
//! `--%PROPERTY`; requirements stay contracts, which the node imports. An expression that is used more than once is a
//! local variable, so the text grows with the system and not with its unfolding.

mod expression;
mod parts;
pub mod program;
pub mod table;

use crate::specification::names::Names;
use expression::{Lustre, number_type, text, uses};
pub use parts::Parts;
use parts::{Equation, Plan};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use system::{Expr, Function, Node, System, Type, Var};

/// A Lustre program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The program.
    pub text: String,
    /// Each name of an input, state or output in the program, and its name in the system.
    pub names: Vec<(String, String)>,
}

/// A contract that the node imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attached {
    /// Its declaration.
    pub text: String,
    /// Its name.
    pub name: String,
    /// For each of its inputs, a signal of the system.
    pub inputs: Vec<String>,
    /// For each of its outputs, a signal of the system.
    pub outputs: Vec<String>,
}

/// What a language cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unwritable {
    /// Machine integers with this number of bits, in Lustre.
    Bits(u8),
    /// Machine integers, in a program.
    Machine,
    /// An integer of more than 64 bits, in a program.
    Large(String),
    /// A function without a definition, in a program.
    Function(String),
    /// The model and the contract use a function with different types.
    Signature(String),
}

impl std::fmt::Display for Unwritable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unwritable::Bits(bits) => {
                write!(f, "Lustre cannot express machine integers of {bits} bits: there are 8, 16, 32 and 64")
            }
            Unwritable::Machine => f.write_str("machine integers are not written in C and Rust"),
            Unwritable::Large(number) => write!(f, "{number} does not fit in 64 bits"),
            Unwritable::Function(name) => write!(f, "the function `{name}` has no definition in C and Rust"),
            Unwritable::Signature(name) => {
                write!(f, "the model and the contract use the function `{name}` with different types")
            }
        }
    }
}

impl std::error::Error for Unwritable {}

/// A longer expression gets a name, so that lines stay readable and nesting stays shallow.
const LONGEST: usize = 120;

/// A system as a Lustre node that imports the contracts.
///
/// # Errors
///
/// If Lustre cannot express the system.
pub fn lustre(system: &System, node: &str, contracts: &[Attached]) -> Result<Text, Unwritable> {
    lustre_in_parts(system, node, contracts, &Parts { paths: BTreeSet::new(), is_alias: &|_| false })
}

/// A system as a Lustre node that imports the contracts, with a node for each of its parts.
///
/// # Errors
///
/// If Lustre cannot express the system.
pub fn lustre_in_parts(
    system: &System,
    node: &str,
    contracts: &[Attached],
    parts: &Parts<'_>,
) -> Result<Text, Unwritable> {
    let mut names = Names::new(crate::specification::LUSTRE);
    for contract in contracts {
        names.take(&contract.name);
        imported(&contract.text).for_each(|(name, _)| {
            names.take(name);
        });
    }
    let node = names.take(node);
    let variables = system.inputs.iter().copied().chain(system.state.iter().map(|it| it.var));
    let variables = variables.map(|var| system.variables[var.index()].name.as_str());
    let all: Vec<&str> = variables.chain(system.outputs.iter().map(|it| it.name.as_str())).collect();
    let signals = names.take_all(all.iter().copied());
    let table = all.iter().map(|name| (signals[*name].clone(), (*name).to_owned())).collect();
    let mut writer = Writer {
        system,
        names,
        signals,
        functions: BTreeMap::new(),
        enumerations: BTreeMap::new(),
        literals: BTreeMap::new(),
        parts,
        locals: Vec::new(),
        equations: Vec::new(),
        claims: String::new(),
    };
    let mut out: String = contracts.iter().map(|contract| format!("{}\n", contract.text)).collect();
    let imported: BTreeMap<&str, &str> =
        contracts.iter().flat_map(|contract| imported(&contract.text)).collect();
    writer.declarations(&mut out, &imported)?;
    writer.node(&mut out, &node, contracts)?;
    Ok(Text { text: out, names: table })
}

/// The functions that a contract declares, each with what comes after its name.
fn imported(contract: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = contract.lines().filter_map(|line| line.strip_prefix("function imported "));
    lines.filter_map(|line| line.find('(').map(|at| line.split_at(at)))
}

/// The types of a signature, in order.
fn types(signature: &str) -> Vec<&str> {
    signature.split(':').skip(1).filter_map(|rest| rest.split([';', ')']).next()).map(str::trim).collect()
}

struct Writer<'a> {
    system: &'a System,
    names: Names,
    /// The written names of variables and outputs.
    signals: BTreeMap<String, String>,
    functions: BTreeMap<Function, String>,
    /// The written names of enumerations and of their literals.
    enumerations: BTreeMap<system::EnumId, String>,
    literals: BTreeMap<(system::EnumId, u32), String>,
    parts: &'a Parts<'a>,
    /// The names and types of what is not an input or an output.
    locals: Vec<(String, String)>,
    equations: Vec<Equation<'a>>,
    /// Assumptions and properties.
    claims: String,
}

impl Writer<'_> {
    /// Enumerations, and the functions that no contract declares: `imported` has the signatures of those that one does.
    fn declarations(&mut self, out: &mut String, imported: &BTreeMap<&str, &str>) -> Result<(), Unwritable> {
        let pool = &self.system.pool;
        let mut types_taken = Names::new(crate::specification::LUSTRE);
        for (id, enumeration) in pool.enumerations() {
            let name = types_taken.take(&enumeration.name);
            let mut literals = Vec::new();
            for (place, literal) in enumeration.literals.iter().enumerate() {
                let name = self.names.take(literal);
                self.literals.insert((id, place as u32), name.clone());
                literals.push(name);
            }
            let _ = writeln!(out, "type {name} = enum {{ {} }};", literals.join(", "));
            self.enumerations.insert(id, name);
        }
        for expr in pool.reachable(self.system.roots()) {
            let Node::Apply(function, arguments) = pool.node(expr) else { continue };
            if *function == Function::Single || self.functions.contains_key(function) {
                continue;
            }
            let own = match function {
                Function::Declared(id) => pool.signature(*id).name.clone(),
                _ => function.name().unwrap_or_default().to_owned(),
            };
            let mut parameters = Vec::new();
            for (place, argument) in arguments.iter().enumerate() {
                parameters.push(format!("x{place}: {}", self.type_name(pool.type_of(*argument))?));
            }
            let result = self.type_name(pool.type_of(expr))?;
            if let Some(signature) = imported.get(own.as_str()) {
                let mine = format!("({}) returns (y: {result});", parameters.join("; "));
                if types(&mine) != types(signature) {
                    return Err(Unwritable::Signature(own));
                }
                self.functions.insert(*function, own);
                continue;
            }
            let name = self.names.take(&own);
            let _ =
                writeln!(out, "function imported {name}({}) returns (y: {result});", parameters.join("; "));
            self.functions.insert(*function, name);
        }
        Ok(())
    }

    fn type_name(&self, ty: Type) -> Result<String, Unwritable> {
        match ty {
            Type::Enum(id) => Ok(self.enumerations[&id].clone()),
            ty => number_type(&self.system.pool, ty),
        }
    }

    fn node(&mut self, out: &mut String, name: &str, contracts: &[Attached]) -> Result<(), Unwritable> {
        let system = self.system;
        let inputs: Vec<(String, String)> =
            system.inputs.iter().map(|var| self.declared(*var)).collect::<Result<_, _>>()?;
        let asked =
            |name: &String| contracts.iter().any(|it| it.inputs.contains(name) || it.outputs.contains(name));
        let mut outputs = Vec::new();
        for output in &system.outputs {
            let ty = self.type_name(system.pool.type_of(output.value))?;
            let declared = (self.signals[&output.name].clone(), ty);
            let shown = !output.local || asked(&output.name);
            if shown { &mut outputs } else { &mut self.locals }.push(declared);
        }
        if outputs.is_empty() {
            let name = self.names.take("nothing");
            self.equations.push(Equation { name: name.clone(), text: "true".to_owned(), part: Some(None) });
            outputs.push((name, "bool".to_owned()));
        }
        for state in &system.state {
            let declared = self.declared(state.var)?;
            self.locals.push(declared);
        }
        let texts = self.texts()?;
        self.definitions(&texts);
        let types: BTreeMap<String, String> =
            inputs.iter().chain(&outputs).chain(&self.locals).cloned().collect();
        let given: BTreeSet<&String> = inputs.iter().map(|it| &it.0).collect();
        // What assumptions, properties and contracts say is in the main node.
        let contracted =
            contracts.iter().flat_map(|it| [self.written(&it.inputs), self.written(&it.outputs)]);
        let said = contracted.chain([self.claims.clone()]).collect::<Vec<_>>().join(" ");
        let words = said.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned);
        let words = words.filter(|it| types.contains_key(it) && !given.contains(it));
        let needed: Vec<String> = words.chain(outputs.iter().map(|it| it.0.clone())).collect();
        let plan = Plan::new(self.parts, std::mem::take(&mut self.equations), &types, &needed);
        let mut nodes: BTreeMap<&str, String> = BTreeMap::new();
        for part in plan.parts() {
            nodes.insert(part, self.names.take(part.rsplit('/').next().unwrap_or(part)));
        }
        plan.parts().into_iter().for_each(|part| out.push_str(&plan.node(part, &nodes)));
        let list = |all: &[(String, String)]| {
            all.iter().map(|(name, ty)| format!("{name}: {ty}")).collect::<Vec<_>>().join("; ")
        };
        let _ = writeln!(out, "node {name} ({}) returns ({});", list(&inputs), list(&outputs));
        if !contracts.is_empty() {
            let _ = writeln!(out, "(*@contract");
            for contract in contracts {
                let (inputs, outputs) = (self.written(&contract.inputs), self.written(&contract.outputs));
                let _ = writeln!(out, "  import {}({inputs}) returns ({outputs});", contract.name);
            }
            let _ = writeln!(out, "*)");
        }
        let own = plan.defined(None);
        for (name, ty) in self.locals.iter().filter(|it| own.contains(it.0.as_str())) {
            let _ = writeln!(out, "var {name}: {ty};");
        }
        let _ = writeln!(out, "let\n  --%MAIN;\n{}{}tel", plan.body(None, &nodes), self.claims);
        Ok(())
    }

    /// Outputs, state, assumptions and properties.
    fn definitions(&mut self, texts: &BTreeMap<Expr, String>) {
        let system = self.system;
        for output in &system.outputs {
            let part = if output.local { self.parts.of(&output.name) } else { None };
            let (name, text) = (self.signals[&output.name].clone(), texts[&output.value].clone());
            self.equations.push(Equation { name, text, part: Some(part) });
        }
        for state in &system.state {
            let own = &system.variables[state.var.index()].name;
            let first = state.init.map(|init| format!("{} -> ", texts[&init])).unwrap_or_default();
            let (name, text) = (self.signals[own].clone(), format!("{first}pre {}", texts[&state.next]));
            self.equations.push(Equation { name, text, part: Some(self.parts.of(own)) });
        }
        let out = &mut self.claims;
        for initial in &system.initial {
            let _ = writeln!(out, "  assert {} -> true;", texts[initial]);
        }
        for assumption in &system.assumptions {
            let _ = writeln!(out, "  assert {};", texts[assumption]);
        }
        for property in &system.properties {
            let name = property.name.replace(['"', '\n', '\r'], " ");
            let _ = writeln!(out, "  --%PROPERTY \"{name}\" {};", texts[&property.value]);
        }
    }

    /// The text of each reachable expression; one that is used twice gets a name and an equation.
    fn texts(&mut self) -> Result<BTreeMap<Expr, String>, Unwritable> {
        let pool = &self.system.pool;
        let roots = self.system.roots();
        let reachable = pool.reachable(roots.iter().copied());
        let uses = uses(pool, &reachable, &roots);
        // The part of a shared expression is that of the signal that it is the value of.
        let mut home = BTreeMap::new();
        for output in self.system.outputs.iter().filter(|it| it.local && !(self.parts.is_alias)(&it.name)) {
            home.entry(output.value).or_insert(self.parts.of(&output.name));
        }
        let mut texts: BTreeMap<Expr, String> = BTreeMap::new();
        for expr in reachable {
            let names = |node: &Node| match node {
                Node::Var(var) => self.signals[&self.system.variables[var.index()].name].clone(),
                Node::Literal(id, place) => self.literals[&(*id, *place)].clone(),
                Node::Apply(function, _) => self.functions.get(function).cloned().unwrap_or_default(),
                _ => String::new(),
            };
            let mut written = text(pool, expr, &|child| texts[&child].clone(), &names, &Lustre)?;
            let node = pool.node(expr);
            let simple = node.is_constant() || matches!(node, Node::Var(_));
            if !simple && (uses[&expr] > 1 || written.len() > LONGEST) {
                let name = self.names.take(&format!("e{}", expr.index()));
                self.locals.push((name.clone(), self.type_name(pool.type_of(expr))?));
                let part = home.get(&expr).copied();
                self.equations.push(Equation { name: name.clone(), text: written, part });
                written = name;
            }
            texts.insert(expr, written);
        }
        Ok(texts)
    }

    fn declared(&self, var: Var) -> Result<(String, String), Unwritable> {
        let variable = &self.system.variables[var.index()];
        Ok((self.signals[&variable.name].clone(), self.type_name(variable.ty)?))
    }

    fn written(&self, signals: &[String]) -> String {
        let written = |name: &String| self.signals.get(name).unwrap_or(name).clone();
        signals.iter().map(written).collect::<Vec<_>>().join(", ")
    }
}
