//! Controllers as programs in C99 and Rust: a state, the inputs and outputs of a step, and a function that makes a step.
//!
//! Several systems become one program: each has its own memory, inputs with the same name are one, and all of them make a step together.
//! Only what outputs depend on is written. Booleans, enumerations and integers are exact: an integer that does not fit in 64 bits is
//! noticed and never wraps around. Real numbers are doubles, which round; [`Program::rounds`] says whether that matters.
//!
//! Invariant: no statement depends on the number of steps, and no input makes a program do what its language does not define.

mod c;
mod rust;

use super::Unwritable;
use super::expression::{Spelling, infix, text, uses};
use crate::specification::monitor::RULES;
use crate::specification::names::Names;
use base::names::identifier;
use dashu_ratio::RBig;
use std::collections::BTreeMap;
use system::{Expr, Node, Pool, Real, System, Type, Var};

/// The language of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// C99.
    C,
    /// Rust without the standard library.
    Rust,
}

/// Options of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Its language.
    pub language: Language,
    /// What names in C begin with; made legal.
    pub name: String,
    /// Whether outputs are given before the inputs of the step are read. They must not depend on these.
    pub outputs_first: bool,
    /// Lines for the comment at the top.
    pub notes: Vec<String>,
}

/// A program as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The declarations, in languages that have a file for them.
    pub header: Option<String>,
    /// The text.
    pub text: String,
    /// The inputs.
    pub inputs: Vec<Signal>,
    /// The outputs.
    pub outputs: Vec<Signal>,
    /// Whether it rounds real numbers.
    pub rounds: bool,
}

/// An input or output of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// Its name in the systems.
    pub original: String,
    /// Its name in the program.
    pub name: String,
    /// The literals of its enumeration as they are written in the program.
    pub literals: Vec<String>,
}

/// Systems as one program.
///
/// # Errors
/// If the language cannot express something.
pub fn write(systems: &[System], options: &Options) -> Result<Program, Unwritable> {
    let prefix = identifier(&options.name, "c");
    let target: Box<dyn Target> = match options.language {
        Language::C => Box::new(c::C { prefix }),
        Language::Rust => Box::new(rust::Rust),
    };
    let mut plan = Plan::new(systems, &*target);
    for system in systems {
        plan.add(system, options.outputs_first, &*target)?;
    }
    let rounds = systems.iter().any(rounds);
    let mut notes = options.notes.clone();
    if rounds {
        notes.push("Real numbers are doubles, which round; what is known about the controller is about exact numbers.".to_owned());
    }
    let (header, text) = target.files(&plan, &notes);
    let literals = |kind: Kind| match kind {
        Kind::Enum(at) => plan.enumerations[at].literals.clone(),
        Kind::Bool | Kind::Int | Kind::Real => Vec::new(),
    };
    let signal = |it: &Field| Signal {
        original: it.original.clone(),
        name: it.name.clone(),
        literals: literals(it.kind),
    };
    let signals = |fields: &[Field]| fields.iter().map(signal).collect();
    Ok(Program { header, text, inputs: signals(&plan.inputs), outputs: signals(&plan.outputs), rounds })
}

/// A language of programs.
trait Target: Spelling {
    /// What comes before the names of inputs, outputs and memory.
    fn places(&self) -> [&'static str; 3];

    /// A literal of an enumeration, by their names.
    fn literal(&self, enumeration: &str, literal: &str) -> String;

    /// A value that gets a name.
    fn local(&self, plan: &Plan, name: &str, kind: Kind, value: &str) -> String;

    /// When an input has no legal value.
    fn illegal(&self, plan: &Plan, input: &Field) -> Option<String>;

    /// The header, if there is one, and the text.
    fn files(&self, plan: &Plan, notes: &[String]) -> (Option<String>, String);
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    Real,
    /// An enumeration of the plan.
    Enum(usize),
}

/// A field of the inputs, outputs or memory.
struct Field {
    /// Its name in the system.
    original: String,
    name: String,
    kind: Kind,
    /// For memory, its value at the start.
    start: String,
}

struct Enumeration {
    original: system::Enumeration,
    name: String,
    /// As they are written in expressions.
    literals: Vec<String>,
}

/// Values that get names: the name, the type, and the text.
type Locals = Vec<(String, Kind, String)>;

/// Statements: values that get names, and then values of outputs and of the next memory, by the indices of the fields.
#[derive(Default)]
struct Block {
    locals: Locals,
    outputs: Vec<(usize, String)>,
    memory: Vec<(usize, String)>,
}

/// What a program in any language is made of.
#[derive(Default)]
struct Plan {
    enumerations: Vec<Enumeration>,
    inputs: Vec<Field>,
    outputs: Vec<Field>,
    memory: Vec<Field>,
    /// What a step does.
    step: Block,
    /// What gives the outputs before the step, if they come first.
    before: Option<Block>,
    /// The number of names that were given.
    given: usize,
}

impl Plan {
    /// With the fields and enumerations of all systems.
    fn new(systems: &[System], target: &dyn Target) -> Plan {
        let mut plan = Plan::default();
        let [mut inputs, mut outputs, mut memory, mut types] = [(); 4].map(|()| Names::new(RULES));
        for word in ["Input", "Output", "Controller", "input", "output", "state", "step", "outputs", "init"] {
            types.take(word);
        }
        memory.take("exact");
        for system in systems {
            for (_, it) in system.pool.enumerations() {
                if plan.enumerations.iter().all(|known| known.original != *it) {
                    let (name, mut literals) = (types.take(&it.name), Names::new(RULES));
                    let literals =
                        it.literals.iter().map(|it| target.literal(&name, &literals.take(it))).collect();
                    plan.enumerations.push(Enumeration { original: it.clone(), name, literals });
                }
            }
            for (var, is_input) in used(system) {
                let it = &system.variables[var.index()];
                let (fields, names) = match is_input {
                    true => (&mut plan.inputs, &mut inputs),
                    false => (&mut plan.memory, &mut memory),
                };
                // Inputs with the same name are one.
                if !is_input || fields.iter().all(|known| known.original != it.name) {
                    let kind = kind(&plan.enumerations, &system.pool, it.ty);
                    let name = names.take(&it.name);
                    fields.push(Field { original: it.name.clone(), name, kind, start: String::new() });
                }
            }
            for it in &system.outputs {
                let kind = kind(&plan.enumerations, &system.pool, system.pool.type_of(it.value));
                let name = outputs.take(&it.name);
                plan.outputs.push(Field { original: it.name.clone(), name, kind, start: String::new() });
            }
        }
        plan
    }

    /// Adds the statements of the next system.
    fn add(&mut self, system: &System, outputs_first: bool, target: &dyn Target) -> Result<(), Unwritable> {
        let [input, _, memory] = target.places();
        // Fields are in the order of the systems.
        let (first_output, first_memory) = match &self.before {
            Some(before) => (before.outputs.len(), self.step.memory.len()),
            None => (self.step.outputs.len(), self.step.memory.len()),
        };
        let states: Vec<&system::State> =
            used(system).into_iter().filter_map(|(var, _)| system.state_of(var)).collect();
        let mut places: BTreeMap<Var, String> = BTreeMap::new();
        for var in &system.inputs {
            let name = &system.variables[var.index()].name;
            let field = self.inputs.iter().find(|it| it.original == *name);
            places.extend(field.map(|field| (*var, format!("{input}{}", field.name))));
        }
        for (it, field) in states.iter().zip(&self.memory[first_memory..]) {
            places.insert(it.var, format!("{memory}{}", field.name));
        }
        let mut pool = system.pool.clone();
        for (at, it) in states.iter().enumerate() {
            let start = it.init.unwrap_or_else(|| pool.some_constant(system.variables[it.var.index()].ty));
            let (_, texts) = self.texts(&pool, &[start], &places, target)?;
            self.memory[first_memory + at].start = texts.concat();
        }
        let outputs: Vec<Expr> = system.outputs.iter().map(|it| it.value).collect();
        let next: Vec<Expr> = states.iter().map(|it| it.next).collect();
        let block = |texts: Vec<String>, first: usize| (first..).zip(texts).collect::<Vec<_>>();
        if outputs_first {
            let (locals, texts) = self.texts(&pool, &outputs, &places, target)?;
            let before = self.before.get_or_insert_default();
            before.locals.extend(locals);
            before.outputs.extend(block(texts, first_output));
            let (locals, texts) = self.texts(&pool, &next, &places, target)?;
            self.step.locals.extend(locals);
            self.step.memory.extend(block(texts, first_memory));
        } else {
            let all: Vec<Expr> = outputs.iter().chain(&next).copied().collect();
            let (locals, mut texts) = self.texts(&pool, &all, &places, target)?;
            self.step.locals.extend(locals);
            self.step.memory.extend(block(texts.split_off(outputs.len()), first_memory));
            self.step.outputs.extend(block(texts, first_output));
        }
        Ok(())
    }

    /// The texts of some expressions, and of those that they share or that are long, which get names.
    fn texts(
        &mut self,
        pool: &Pool,
        roots: &[Expr],
        places: &BTreeMap<Var, String>,
        target: &dyn Target,
    ) -> Result<(Locals, Vec<String>), Unwritable> {
        let reachable = pool.reachable(roots.iter().copied());
        let uses = uses(pool, &reachable, roots);
        let mut texts: BTreeMap<Expr, String> = BTreeMap::new();
        let mut locals = Vec::new();
        for expr in reachable {
            let names = |node: &Node| match node {
                Node::Var(var) => places.get(var).cloned().unwrap_or_default(),
                Node::Literal(id, place) => {
                    let known = self.enumerations.iter().find(|it| it.original == *pool.enumeration(*id));
                    known.map(|it| it.literals[*place as usize].clone()).unwrap_or_default()
                }
                Node::Apply(system::Function::Declared(id), _) => pool.signature(*id).name.clone(),
                Node::Apply(function, _) => function.name().unwrap_or_default().to_owned(),
                _ => String::new(),
            };
            let mut written = text(pool, expr, &|child| texts[&child].clone(), &names, target)?;
            let node = pool.node(expr);
            let simple = node.is_constant() || matches!(node, Node::Var(_));
            if !simple && (uses[&expr] > 1 || written.len() > LONGEST) {
                self.given += 1;
                let name = format!("v{}", self.given);
                locals.push((name.clone(), kind(&self.enumerations, pool, pool.type_of(expr)), written));
                written = name;
            }
            texts.insert(expr, written);
        }
        Ok((locals, roots.iter().map(|it| texts[it].clone()).collect()))
    }
}

impl Block {
    /// The statements, in which `exact` says whether all values are right. Those of a step read the inputs.
    fn statements(&self, plan: &Plan, target: &dyn Target) -> Vec<String> {
        let [_, output, memory] = target.places();
        let mut lines = Vec::new();
        for (name, kind, value) in &self.locals {
            lines.push(target.local(plan, name, *kind, value));
        }
        for (at, value) in &self.outputs {
            lines.push(format!("{output}{} = {value};", plan.outputs[*at].name));
        }
        // All values of the next memory are known before the first is stored.
        for (at, value) in &self.memory {
            lines.push(target.local(plan, &format!("n{at}"), plan.memory[*at].kind, value));
        }
        for (at, _) in &self.memory {
            lines.push(format!("{memory}{} = n{at};", plan.memory[*at].name));
        }
        lines
    }
}

/// The helpers of a language that a text calls.
fn called(text: &str, prefix: &str, helpers: &[(&str, &str)]) -> String {
    let is_called = |name: &str| text.contains(&format!("{prefix}{name}("));
    let used = helpers.iter().filter(|it| is_called(it.0));
    used.map(|(name, text)| text.replace("NAME", &format!("{prefix}{name}"))).collect()
}

/// The call of a helper for what may have no exact value, by the kind of operation; `None` if the operation is that of doubles.
fn helper(pool: &Pool, expr: Expr) -> Option<&'static str> {
    let of_integers = pool.type_of(expr) == Type::Int;
    Some(match pool.node(expr) {
        Node::Neg(_) if of_integers => "negated",
        Node::Add(..) if of_integers => "sum",
        Node::Mul(..) if of_integers => "product",
        Node::IntDiv(..) => "quotient",
        Node::Mod(..) => "remainder",
        Node::Div(..) => "ratio",
        Node::Cast(..) if of_integers => "rounded_down",
        _ => return None,
    })
}

/// An operation of doubles, or that of a helper, which takes a reference to `exact` as its last argument.
fn operation(
    pool: &Pool,
    expr: Expr,
    operands: &[String],
    call: impl Fn(&str) -> String,
    as_double: impl Fn(&str) -> String,
    name: String,
) -> Result<String, Unwritable> {
    let node = pool.node(expr);
    let is_machine = |it: Expr| matches!(pool.type_of(it), Type::Machine(_));
    if is_machine(expr) || node.children().any(is_machine) {
        return Err(Unwritable::Machine);
    }
    if let Some(helper) = helper(pool, expr) {
        return Ok(call(helper));
    }
    match node {
        Node::Neg(_) => Ok(format!("(-{})", operands[0])),
        Node::Add(..) => Ok(infix("+", operands)),
        Node::Mul(..) => Ok(infix("*", operands)),
        Node::Cast(..) => Ok(as_double(&operands[0])),
        _ => Err(Unwritable::Function(name)),
    }
}

/// An integer of 64 bits, or a double as both languages write it.
fn number(node: &Node) -> Result<Number, Unwritable> {
    match node {
        Node::Int(value) => {
            let fits = i64::try_from(value).map_err(|_| Unwritable::Large(value.to_string()));
            fits.map(Number::Int)
        }
        Node::Real(value) => {
            let nearest = f64::from_exact(value);
            if !nearest.is_finite() {
                return Err(Unwritable::Large(value.to_string()));
            }
            let text = format!("{nearest:?}");
            Ok(Number::Double(if nearest < 0.0 { format!("({text})") } else { text }))
        }
        _ => Err(Unwritable::Machine),
    }
}

enum Number {
    Int(i64),
    Double(String),
}

fn kind(enumerations: &[Enumeration], pool: &Pool, ty: Type) -> Kind {
    match ty {
        Type::Bool => Kind::Bool,
        // The printers of expressions refuse machine integers.
        Type::Int | Type::Machine(_) => Kind::Int,
        Type::Real => Kind::Real,
        Type::Enum(id) => {
            let own = pool.enumeration(id);
            Kind::Enum(enumerations.iter().position(|it| it.original == *own).unwrap_or_default())
        }
    }
}

/// The inputs and then the states that outputs depend on, each with whether it is an input.
fn used(system: &System) -> Vec<(Var, bool)> {
    let cone = system.cone(system.outputs.iter().map(|it| it.value));
    let inputs = system.inputs.iter().map(|it| (*it, true));
    let all = inputs.chain(system.state.iter().map(|it| (it.var, false)));
    all.filter(|it| cone.contains(&it.0)).collect()
}

/// Whether a computation with doubles may round: there are sums and products of real numbers, or constants that are no doubles.
fn rounds(system: &System) -> bool {
    let pool = &system.pool;
    let states = used(system).into_iter().filter_map(|(var, _)| system.state_of(var));
    let roots = states.flat_map(|it| it.init.into_iter().chain([it.next]));
    let roots: Vec<Expr> = roots.chain(system.outputs.iter().map(|it| it.value)).collect();
    pool.reachable(roots).into_iter().filter(|it| pool.type_of(*it) == Type::Real).any(|expr| {
        match pool.node(expr) {
            Node::Real(value) => RBig::try_from(f64::from_exact(value)).ok().as_ref() != Some(value),
            Node::Var(_) | Node::Ite(..) | Node::Neg(_) => false,
            _ => true,
        }
    })
}

/// A longer expression gets a name.
const LONGEST: usize = 100;
