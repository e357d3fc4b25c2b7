//! MATLAB Function blocks: their code, executed symbolically with arrays of fixed size.
//!
//! Everything happens under a guard, as in charts: a variable is `guard ? new : old` after an assignment. Loops over constants are
//! unrolled. A variable has a known size everywhere; integers round and saturate after each operation, as in MATLAB. Persistent variables are states of
//! the system: `isempty` of one holds until it is set.

mod algebra;
mod arrays;
mod functions;
mod globals;
mod growth;
mod handles;
mod interpolation;
mod loops;
mod structs;

use super::chart::{CHART, declared_class};
use super::{BlockKind, Definition, Instance, Lowering};
use crate::chart::Chart;
use crate::diagram::SheetId;
use crate::lower::{Layout, Signal, Work};
use crate::matlab::{Binary, Expression, Function, Index, Kind, Statement, functions};
use crate::plan::{Case, Fault, Known, Outcome, Plan, Shape, Source, Unit, UnitId};
use crate::value::Class;
pub(super) use arrays::Array;
use loops::Range;
use std::collections::{BTreeMap, BTreeSet};
pub(super) use structs::Given;
use structs::{dotted, named};
use system::{Expr, Pool};

/// The maximum number of statements that run, of iterations of a loop, and of functions in functions.
const MAX_STATEMENTS: usize = 100_000;
const MAX_ITERATIONS: usize = 1_000;
const MAX_CALLS: usize = 8;
/// The maximum depth of expressions and statements in each other, with those of all functions that are running.
const MAX_NESTING: usize = 300;

pub(super) const SCRIPT: Definition = Definition { shapes, lowering: Lowering::All(run), ..CHART };

/// The types and sizes that the block declares; where it inherits them, those that its code gives for its inputs.
fn shapes(case: &Case<'_>) -> Vec<Known> {
    let declared = (CHART.shapes)(case);
    let is_open = |it: &Known| it.class().is_none() || it.size().is_none();
    if !declared.iter().any(is_open) || !case.inputs.iter().all(Known::is_whole) {
        return declared;
    }
    let chart = case.unit.word("Chart").parse::<usize>().ok().and_then(|it| case.charts.get(it));
    let inferred = chart.and_then(|it| inferred(case, it).ok()).unwrap_or_default();
    let merged = declared.into_iter().enumerate().map(|(place, own)| {
        // Code that is not understood is refused later.
        let (class, size) = inferred.get(place).cloned().unwrap_or((Class::Double, vec![1]));
        Known::new(own.class().or(Some(class)), own.size().or(Some(size)))
    });
    merged.collect()
}

/// What the code gives for inputs of these shapes: it runs on its own, in a system of its own.
fn inferred(case: &Case<'_>, chart: &Chart) -> Outcome<Vec<(Class, Vec<usize>)>> {
    let id = UnitId(case.inputs.len() as u32);
    let source = |(number, known): (u32, &Known)| Unit {
        kind: BlockKind::Ground,
        outputs: vec![known.shape()],
        path: format!("m/u{number}"),
        ..case.unit.clone()
    };
    let mut units: Vec<Unit> = (0..).zip(case.inputs).map(source).collect();
    let mut own = case.unit.clone();
    own.inputs = (0..id.0).map(|it| Some(Source { unit: UnitId(it), output: 0 })).collect();
    units.push(own);
    let sheets = BTreeMap::from([(SheetId(0), (0..=id.0).map(UnitId).collect())]);
    let plan = Plan { units, sheets, step: 1.0, ..Plan::default() };
    let layout = Layout::new(&plan, SheetId(0));
    let mut work = Work::new(&layout);
    let mut signals = Vec::new();
    for (number, unit) in (0..id.0).zip(&plan.units) {
        let scalars = work.free(&Instance { id: UnitId(number), unit, signals: &[] })?.concat();
        let dimensions = match &unit.outputs[0] {
            Shape::Signal { dimensions, .. } => dimensions.clone(),
            Shape::Bus(_) => vec![scalars.len()],
        };
        signals.push(Signal { dimensions, scalars });
    }
    let block = Instance { id, unit: &plan.units[id.0 as usize], signals: &signals };
    let (outputs, _) = results(&mut work, &block, chart)?;
    let shape = |it: Given| match it {
        Given::Array(it) if it.scalars.len() == 1 => (it.class, vec![1]),
        Given::Array(it) => (it.class, vec![it.rows, it.columns]),
        // A struct has the type that its port declares.
        Given::Struct(_) => (Class::Double, vec![1]),
    };
    Ok(outputs.into_iter().map(shape).collect())
}

fn run(work: &mut Work, block: &Instance) -> Outcome<Vec<Vec<Expr>>> {
    let number: Option<usize> = block.word("Chart").parse().ok();
    let chart = number.and_then(|it| work.layout.plan.charts.get(it));
    let chart = chart.ok_or_else(|| Fault::new("its code is not in the file"))?;
    let (outputs, memory) = results(work, block, chart)?;
    keep(work, block, memory);
    let value = |(place, output): (usize, Given)| {
        let name = &chart.outputs[place];
        let shape = block.outputs.get(place);
        let output = match (output, shape) {
            (Given::Array(array), Some(Shape::Signal { .. })) => array,
            (output, Some(shape)) => return output.scalars(name, shape),
            (_, None) => return Err(Fault::new(format!("there is no port for `{name}`"))),
        };
        let has = shape.map_or(0, Shape::width);
        let count = output.scalars.len();
        if has != count {
            let message = format!("its code gives {count} elements for the output `{name}`, which has {has}");
            return Err(Fault::hint(message, "declare its size"));
        }
        let inherits = declared_class(chart, name).is_none();
        if let Some(Shape::Signal { class, .. }) = shape.filter(|_| inherits)
            && *class != output.class
        {
            let (class, other) = (class.name(), output.class.name());
            let message = format!("its code gives `{name}` the type {other}, but {class} was assumed");
            return Err(Fault::hint(message, "declare its type"));
        }
        Ok(output.scalars)
    };
    outputs.into_iter().enumerate().map(value).collect()
}

/// The outputs by port, and the persistent variables.
fn results(work: &mut Work<'_>, block: &Instance<'_>, chart: &Chart) -> Outcome<(Vec<Given>, Memory)> {
    let script = chart.script.as_deref().unwrap_or_default();
    let functions =
        functions(script).map_err(|error| Fault::new(format!("its code is not understood: {error}")))?;
    let main = &functions[0];
    let mut variables = BTreeMap::new();
    for name in &main.inputs {
        variables.extend(input(work, block, chart, name)?);
    }
    let mut memory = Memory::default();
    let (wraps, grows) = (chart.wraps, chart.interpreted);
    let call =
        Call { functions: &functions, variables, fixed: BTreeSet::new(), wraps, grows, guard: Pool::TRUE };
    let (outputs, _) = self::call(work, block, call, &mut memory)?;
    let named: BTreeMap<&String, Given> = main.outputs.iter().zip(outputs).collect();
    let value = |name: &String| {
        let found = named.get(name).cloned();
        found.ok_or_else(|| Fault::new(format!("its code does not set the output `{name}`")))
    };
    Ok((chart.outputs.iter().map(value).collect::<Outcome<_>>()?, memory))
}

/// Persistent variables by their names.
pub(super) type Memory = BTreeMap<String, Kept>;

/// A call of the first of some functions.
pub(super) struct Call<'c> {
    pub(super) functions: &'c [Function],
    /// The variables of its arguments, and others that it may read and set.
    pub(super) variables: BTreeMap<String, Array>,
    /// Those that keep their types.
    pub(super) fixed: BTreeSet<String>,
    /// Whether integers wrap around, and do not saturate.
    pub(super) wraps: bool,
    /// Whether elements that are not there yet may be set.
    pub(super) grows: bool,
    pub(super) guard: Expr,
}

/// Runs a function, and returns its outputs and all its variables.
pub(super) fn call(
    work: &mut Work<'_>,
    block: &Instance<'_>,
    call: Call<'_>,
    memory: &mut Memory,
) -> Outcome<(Vec<Given>, BTreeMap<String, Array>)> {
    let Call { functions, variables, fixed, wraps, grows, guard } = call;
    let persistent = std::mem::take(memory);
    let mut machine = Machine {
        work,
        block,
        functions,
        frames: Vec::new(),
        persistent,
        wraps,
        grows,
        statements: MAX_STATEMENTS,
        nesting: 0,
    };
    let frame = machine.frame_of(&functions[0], Frame { variables, fixed, ..Frame::default() }, guard)?;
    *memory = machine.persistent;
    Ok((frame.outputs(&functions[0])?, frame.variables))
}

/// The states of persistent variables for the next step.
pub(super) fn keep(work: &mut Work<'_>, block: &Instance<'_>, memory: Memory) {
    for (_, kept) in memory {
        if let Some(set) = kept.set {
            work.update(block.id, set, kept.is_set);
        }
        let Some((array, states)) = kept.value else { continue };
        for (state, value) in states.into_iter().zip(array.scalars) {
            work.update(block.id, state, value);
        }
    }
}

/// The variables of an input: a signal by the name of its port, or a parameter.
fn input(work: &mut Work, block: &Instance, chart: &Chart, name: &str) -> Outcome<BTreeMap<String, Array>> {
    let array = if let Some(place) = chart.inputs.iter().position(|it| it == name) {
        let signal = block.signal(place)?;
        if let Some(shape @ Shape::Bus(_)) = work.layout.shape(block.source(place)) {
            return Ok(structs::bus(name, shape, signal));
        }
        let (rows, columns) = signal.size();
        Array { class: block.input_class(work, place), rows, columns, scalars: signal.scalars.clone() }
    } else {
        let missing = || Fault::new(format!("the parameter `{name}` has no value"));
        return structs::parameter(work, name, block.values.get(name).ok_or_else(missing)?);
    };
    Ok(BTreeMap::from([(name.to_owned(), array)]))
}

/// A function that runs.
#[derive(Default)]
struct Frame {
    variables: BTreeMap<String, Array>,
    /// Those that keep their types.
    fixed: BTreeSet<String>,
    /// The variables that are persistent, with the names of their states.
    persistent: BTreeMap<String, String>,
    returned: Option<Expr>,
    /// Function handles, by the names of their variables.
    handles: BTreeMap<String, handles::Handle>,
    /// The greatest values of variables that assertions state, and the guards of these.
    limits: BTreeMap<String, (f64, Expr)>,
    /// For each loop around: whether it was left, and whether the iteration was.
    loops: Vec<(Expr, Expr)>,
    /// The guard under which it is called.
    entry: Option<Expr>,
    /// The number of arguments that it is given.
    given: usize,
}

impl Frame {
    fn outputs(&self, function: &Function) -> Outcome<Vec<Given>> {
        let output = |name: &String| {
            if let Some(array) = self.variables.get(name) {
                return Ok(Given::Array(array.clone()));
            }
            let prefix = format!("{name}.");
            let fields = self.variables.iter();
            let fields =
                fields.filter_map(|(key, it)| Some((key.strip_prefix(&prefix)?.to_owned(), it.clone())));
            let fields: Vec<(String, Array)> = fields.collect();
            if fields.is_empty() {
                return Err(Fault::new(format!("the function `{}` does not set `{name}`", function.name)));
            }
            Ok(Given::Struct(fields))
        };
        function.outputs.iter().map(output).collect()
    }
}

struct Machine<'m, 'b, 'p> {
    work: &'m mut Work<'p>,
    block: &'m Instance<'b>,
    functions: &'m [Function],
    frames: Vec<Frame>,
    /// Persistent variables: whether each is set, and its value, once its size is known.
    persistent: Memory,
    wraps: bool,
    grows: bool,
    statements: usize,
    nesting: usize,
}

/// A persistent or global variable.
pub(super) struct Kept {
    /// Whether a persistent one was set before.
    set: Option<crate::lower::Kept>,
    is_set: Expr,
    value: Option<(Array, Vec<crate::lower::Kept>)>,
}

impl Machine<'_, '_, '_> {
    fn pool(&mut self) -> &mut Pool {
        self.work.pool()
    }

    fn frame(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The outputs of a function with the variables of its arguments.
    fn call(
        &mut self,
        function: &Function,
        variables: BTreeMap<String, Array>,
        guard: Expr,
    ) -> Outcome<Vec<Given>> {
        self.frame_of(function, Frame { variables, ..Frame::default() }, guard)?.outputs(function)
    }

    /// A function after it has run.
    fn frame_of(&mut self, function: &Function, frame: Frame, guard: Expr) -> Outcome<Frame> {
        if self.frames.len() > MAX_CALLS {
            return Err(Fault::new("its functions call themselves, which is not supported"));
        }
        let is_given = |name: &String| {
            let mut keys = frame.variables.keys();
            keys.any(|it| {
                it.strip_prefix(name.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('.'))
            })
        };
        let given = function.inputs.iter().filter(|it| is_given(it)).count();
        self.frames.push(Frame { entry: Some(guard), given, ..frame });
        let done = self.run(&function.body, guard, &function.name);
        let frame = self.frames.pop().unwrap_or_default();
        done.map(|()| frame)
    }

    /// The guard of the next statement: nothing has left the function, the loop or the iteration.
    fn live(&mut self, guard: Expr) -> Expr {
        let frame = self.frame();
        let left = frame.loops.last().copied().map_or(vec![], |(left, next)| vec![left, next]);
        let left: Vec<Expr> = frame.returned.into_iter().chain(left).collect();
        left.into_iter().fold(guard, |guard, left| {
            let stays = self.pool().not(left);
            self.pool().and([guard, stays])
        })
    }

    fn run(&mut self, body: &[Statement], guard: Expr, function: &str) -> Outcome<()> {
        for statement in body {
            let guard = self.live(guard);
            if guard == Pool::FALSE {
                break;
            }
            self.statements =
                self.statements.checked_sub(1).ok_or_else(|| Fault::new("its code runs too long"))?;
            self.work.reserve(1, 16)?;
            self.deeper(|machine| machine.statement(statement, guard, function))?;
        }
        Ok(())
    }

    /// Goes one level deeper, as far as the stack is sure to suffice.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.nesting >= MAX_NESTING {
            return Err(Fault::hint("its code is nested too deeply", "use variables for parts of it"));
        }
        self.nesting += 1;
        let found = inner(self);
        self.nesting -= 1;
        found
    }

    fn statement(&mut self, statement: &Statement, guard: Expr, function: &str) -> Outcome<()> {
        match statement {
            Statement::Assign(targets, value) => self.assignment(targets, value, guard),
            Statement::If(branches, otherwise) => {
                let mut rest = guard;
                for (condition, body) in branches {
                    let holds = self.truth(condition, rest)?;
                    let taken = self.pool().and([rest, holds]);
                    self.run(body, taken, function)?;
                    let other = self.pool().not(holds);
                    rest = self.pool().and([rest, other]);
                }
                self.run(otherwise, rest, function)
            }
            Statement::Switch(value, cases, otherwise) => {
                let value = self.value(value, guard)?;
                let mut rest = guard;
                for (case, body) in cases {
                    let values = match &case.kind {
                        Kind::Cell(all) => all.iter().collect(),
                        _ => vec![case],
                    };
                    let mut any = Vec::new();
                    for case in values {
                        // Texts are compared as a whole, and numbers one by one.
                        any.push(match case.kind {
                            Kind::Text(_) => {
                                let case = self.value(case, guard)?;
                                self.equal(&value, &case)?
                            }
                            _ => {
                                let case = self.scalar(case, guard)?;
                                super::logic::relation(self.work, "==", value.only()?, case)?
                            }
                        });
                    }
                    let holds = self.pool().or(any);
                    let taken = self.pool().and([rest, holds]);
                    self.run(body, taken, function)?;
                    let other = self.pool().not(holds);
                    rest = self.pool().and([rest, other]);
                }
                self.run(otherwise, rest, function)
            }
            Statement::For(name, values, body) => {
                let values = if let Kind::Range(first, step, last) = &values.kind {
                    let range = self.range(first, step.as_deref(), guard)?;
                    let end = self.value(last, guard)?;
                    let only = end.only()?;
                    match self.constant(only) {
                        Ok(number) => self.counted(range, number, end.class)?,
                        Err(_) => {
                            let range = Range { name, range, last, end };
                            return self.range_loop(range, body, guard, function);
                        }
                    }
                } else {
                    self.value(values, guard)?
                };
                if values.columns > MAX_ITERATIONS {
                    return Err(Fault::new(format!("a loop has more than {MAX_ITERATIONS} iterations")));
                }
                self.frame().loops.push((Pool::FALSE, Pool::FALSE));
                for column in 0..values.columns {
                    let scalars = values.scalars[column * values.rows..(column + 1) * values.rows].to_vec();
                    let value = Array { class: values.class, rows: values.rows, columns: 1, scalars };
                    let now = self.live(guard);
                    self.set(name, value, now)?;
                    self.run(body, guard, function)?;
                    self.next();
                }
                self.frame().loops.pop();
                Ok(())
            }
            Statement::While(condition, body) => self.while_loop(condition, body, guard, function),
            Statement::Persistent(names) => {
                for name in names {
                    let state = format!("{function}.{name}");
                    self.frame().persistent.insert(name.clone(), state.clone());
                    if !self.persistent.contains_key(&state) {
                        let set = self.work.state(self.block.id, &format!("{state} is set"), Pool::FALSE);
                        self.persistent.insert(state, Kept { set: Some(set), is_set: set.seen, value: None });
                    }
                }
                Ok(())
            }
            Statement::Try(..) => Err(Fault::hint("`try` is not supported", "use other statements")),
            Statement::Global(names) => names.iter().try_for_each(|name| self.global(name)),
            Statement::Break => {
                self.leave(guard, false);
                Ok(())
            }
            Statement::Continue => {
                self.leave(guard, true);
                Ok(())
            }
            Statement::Return => {
                let before = self.frame().returned.unwrap_or(Pool::FALSE);
                let returned = self.pool().or([before, guard]);
                self.frame().returned = Some(returned);
                Ok(())
            }
        }
    }

    /// Leaves the loop, or the iteration.
    fn leave(&mut self, guard: Expr, iteration: bool) {
        let Some((left, next)) = self.frame().loops.last().copied() else { return };
        let both = if iteration {
            (left, self.pool().or([next, guard]))
        } else {
            (self.pool().or([left, guard]), next)
        };
        if let Some(last) = self.frame().loops.last_mut() {
            *last = both;
        }
    }

    /// The next iteration.
    fn next(&mut self) {
        if let Some(last) = self.frame().loops.last_mut() {
            last.1 = Pool::FALSE;
        }
    }

    fn truth(&mut self, condition: &Expression, guard: Expr) -> Outcome<Expr> {
        let value = self.value(condition, guard)?;
        let truths: Vec<Expr> = value.scalars.iter().map(|it| self.work.truth_of(*it)).collect();
        Ok(self.pool().and(truths))
    }

    fn scalar(&mut self, expression: &Expression, guard: Expr) -> Outcome<Expr> {
        self.value(expression, guard)?.only()
    }

    fn assignment(&mut self, targets: &[Expression], value: &Expression, guard: Expr) -> Outcome<()> {
        if let [_, _, ..] = targets {
            let Kind::At(function, Index::Call(arguments)) = &value.kind else {
                return Err(Fault::new("several variables are set by something that is not a function"));
            };
            let Kind::Name(name) = &function.kind else { return Err(Fault::new("a function has no name")) };
            let values = match self.functions.iter().find(|it| it.name == *name) {
                Some(function) => {
                    let variables = self.arguments(function, arguments, guard)?;
                    self.call(function, variables, guard)?
                }
                None => {
                    let values = self.several(name, arguments, guard)?.ok_or_else(|| {
                        Fault::new(format!("there is no function `{name}` with several outputs"))
                    })?;
                    values.into_iter().map(Given::Array).collect()
                }
            };
            if values.len() < targets.len() {
                return Err(Fault::new(format!("the function `{name}` has {} outputs", values.len())));
            }
            return targets.iter().zip(values).try_for_each(|(target, it)| self.assign(target, it, guard));
        }
        match targets {
            [] => self.command(value, guard),
            [target, ..] if let Kind::Function(parameters, body) = &value.kind => {
                self.set_handle(target, parameters.as_deref(), body)
            }
            [target, ..] => {
                let value = self.given(value, guard)?;
                self.assign(target, value, guard)
            }
        }
    }

    fn assign(&mut self, target: &Expression, value: Given, guard: Expr) -> Outcome<()> {
        match (value, dotted(target)) {
            (Given::Array(array), _) => self.put(target, array, guard),
            (value @ Given::Struct(_), Some(name)) => {
                named(&name, value).into_iter().try_for_each(|(field, it)| self.set(&field, it, guard))
            }
            (Given::Struct(_), None) => {
                Err(Fault::hint("arrays of structs are not supported", "use a struct of arrays"))
            }
        }
    }

    /// A call alone may only have an effect. What is only shown or checked when a model runs has none here.
    fn command(&mut self, value: &Expression, guard: Expr) -> Outcome<()> {
        const SILENT: [&str; 8] = [
            "disp",
            "fprintf",
            "warning",
            "error",
            "coder.extrinsic",
            "coder.inline",
            "coder.allowpcode",
            "coder.unroll",
        ];
        let (function, arguments) = match &value.kind {
            Kind::At(function, Index::Call(arguments)) => (&**function, &arguments[..]),
            _ => (value, &[][..]),
        };
        let Some(name) = dotted(function) else { return self.value(value, guard).map(drop) };
        if let Some(function) = self.functions.iter().find(|it| it.name == name) {
            let variables = self.arguments(function, arguments, guard)?;
            return self.call(function, variables, guard).map(drop);
        }
        if let ("assert", [Expression { kind: Kind::Binary(operator, left, right), .. }, ..]) =
            (name.as_str(), arguments)
        {
            if let (Binary::Less | Binary::LessEqual, Some(variable)) = (operator, left.name())
                && let Ok(limit) = self.number(right, guard)
            {
                self.frame().limits.insert(variable.to_owned(), (limit, guard));
            }
            return Ok(());
        }
        if name == "assert" || SILENT.contains(&name.as_str()) {
            return Ok(());
        }
        self.value(value, guard).map(drop)
    }

    fn put(&mut self, target: &Expression, value: Array, guard: Expr) -> Outcome<()> {
        match &target.kind {
            Kind::Name(name) if name == "~" => Ok(()),
            Kind::Name(name) => self.set(name, value, guard),
            Kind::At(inner, Index::Call(indices)) => {
                let name = dotted(inner).ok_or_else(|| Fault::new("an assignment has no variable"))?;
                self.put_into(&name, indices, &value, guard)
            }
            _ => match dotted(target) {
                Some(name) => self.set(&name, value, guard),
                None => Err(Fault::hint("cells are not supported", "use variables of their own")),
            },
        }
    }

    /// Sets a variable under a guard.
    fn set(&mut self, name: &str, value: Array, guard: Expr) -> Outcome<()> {
        self.frame().limits.remove(name);
        if let Some(state) = self.state_of(name) {
            self.open_field(name, &state, guard);
            return self.set_persistent(name, &state, &value, guard);
        }
        let value = match self.frame().variables.get(name).cloned() {
            Some(old) if self.frame().fixed.contains(name) => self.merged(name, guard, &value, &old)?,
            // Unset elsewhere: what it would be there does not matter, because MATLAB refuses to read it.
            None => value,
            Some(_) if self.is_certain(guard) => value,
            Some(old) => self.merged(name, guard, &value, &old)?,
        };
        self.frame().variables.insert(name.to_owned(), value);
        Ok(())
    }

    fn merged(&mut self, name: &str, guard: Expr, value: &Array, old: &Array) -> Outcome<Array> {
        if (value.rows, value.columns) != (old.rows, old.columns) {
            return Err(Fault::new(format!("the variable `{name}` changes its size")));
        }
        let class = old.class;
        let mut scalars = Vec::new();
        for (new, old) in value.scalars.iter().zip(&old.scalars) {
            let new = self.converted(*new, class);
            scalars.push(self.pool().ite(guard, new, *old));
        }
        Ok(Array { scalars, class, ..*value })
    }

    fn set_persistent(&mut self, name: &str, state: &str, value: &Array, guard: Expr) -> Outcome<()> {
        let known = self.persistent.get(state).and_then(|it| it.value.as_ref().map(|it| it.0.clone()));
        let (old, states) = match known {
            Some(old) => (old, None),
            None => {
                let mut states = Vec::new();
                for _ in &value.scalars {
                    let zero = self.work.constant(0.0, value.class)?;
                    states.push(self.work.state(self.block.id, state, zero));
                }
                let scalars = states.iter().map(|it| it.seen).collect();
                (Array { scalars, ..*value }, Some(states))
            }
        };
        let merged = self.merged(name, guard, value, &old)?;
        let Some(kept) = self.persistent.get_mut(state) else { return Ok(()) };
        let before = kept.is_set;
        kept.value = match (states, kept.value.take()) {
            (Some(states), _) | (None, Some((_, states))) => Some((merged, states)),
            (None, None) => None,
        };
        let set = self.pool().or([before, guard]);
        if let Some(kept) = self.persistent.get_mut(state) {
            kept.is_set = set;
        }
        Ok(())
    }

    fn variable(&mut self, name: &str) -> Outcome<Array> {
        if let Some(state) = self.state_of(name) {
            let found = self.persistent.get(&state).and_then(|it| it.value.as_ref().map(|it| it.0.clone()));
            let unset = || {
                Fault::hint(
                    format!("the persistent variable `{name}` is read before it is set"),
                    "set it first, if it is empty",
                )
            };
            return found.ok_or_else(unset);
        }
        let found = self.frame().variables.get(name).cloned();
        found.ok_or_else(|| Fault::new(format!("unknown name `{name}` in its code")))
    }
}
