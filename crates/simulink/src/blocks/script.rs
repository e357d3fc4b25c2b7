//! MATLAB Function blocks: their code, executed symbolically with arrays of fixed size.
//!
//! Everything happens under a guard, as in charts: a variable is `guard ? new : old` after an assignment. Loops over constants are
//! unrolled. A variable keeps its size; integers round and saturate after each operation, as in MATLAB. Persistent variables are states of
//! the system: `isempty` of one holds until it is set.

mod arrays;
mod structs;

use super::chart::CHART;
use super::{Definition, Instance, Lowering};
use crate::chart::Chart;
use crate::lower::Work;
use crate::matlab::{Expression, Function, Index, Kind, Statement, functions};
use crate::plan::{Fault, Outcome, Shape};
use arrays::Array;
use std::collections::BTreeMap;
use structs::dotted;
use system::{Expr, Pool};

/// The maximum number of statements that run, of iterations of a loop, and of functions in functions.
const MAX_STATEMENTS: usize = 100_000;
const MAX_ITERATIONS: usize = 1_000;
const MAX_CALLS: usize = 8;

pub(super) const SCRIPT: Definition = Definition { lowering: Lowering::All(run), ..CHART };

fn run(work: &mut Work, block: &Instance) -> Outcome<Vec<Vec<Expr>>> {
    let number: Option<usize> = block.word("Chart").parse().ok();
    let chart = number.and_then(|it| work.layout.plan.charts.get(it));
    let chart = chart.ok_or_else(|| Fault::new("its code is not in the file"))?;
    let script = chart.script.as_deref().unwrap_or_default();
    let functions =
        functions(script).map_err(|error| Fault::new(format!("its code is not understood: {error}")))?;
    let main = &functions[0];
    let mut variables = BTreeMap::new();
    for name in &main.inputs {
        variables.extend(input(work, block, chart, name)?);
    }
    let mut machine = Machine {
        work,
        block,
        functions: &functions,
        frames: Vec::new(),
        persistent: BTreeMap::new(),
        statements: MAX_STATEMENTS,
    };
    let outputs = machine.call(main, variables, Pool::TRUE)?;
    machine.keep()?;
    let named: BTreeMap<&String, Array> = main.outputs.iter().zip(outputs).collect();
    let value = |name: &String| {
        let found = named.get(name).map(|it| it.scalars.clone());
        found.ok_or_else(|| Fault::new(format!("its code does not set the output `{name}`")))
    };
    chart.outputs.iter().map(value).collect()
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
        let matrix = block.numbers(name)?;
        let (rows, columns, class) = (matrix.rows(), matrix.columns(), matrix.class);
        let scalars = matrix.entries.iter().map(|it| work.constant(*it, class)).collect::<Outcome<_>>()?;
        Array { class, rows, columns, scalars }
    };
    Ok(BTreeMap::from([(name.to_owned(), array)]))
}

/// A function that runs.
#[derive(Default)]
struct Frame {
    variables: BTreeMap<String, Array>,
    /// The variables that are persistent, with the names of their states.
    persistent: BTreeMap<String, String>,
    returned: Option<Expr>,
    /// For each loop around: whether it was left, and whether the iteration was.
    loops: Vec<(Expr, Expr)>,
}

struct Machine<'m, 'b, 'p> {
    work: &'m mut Work<'p>,
    block: &'m Instance<'b>,
    functions: &'m [Function],
    frames: Vec<Frame>,
    /// Persistent variables: whether each is set, and its value, once its size is known.
    persistent: BTreeMap<String, Kept>,
    statements: usize,
}

struct Kept {
    set: crate::lower::Kept,
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
    ) -> Outcome<Vec<Array>> {
        if self.frames.len() > MAX_CALLS {
            return Err(Fault::new("its functions call themselves, which is not supported"));
        }
        self.frames.push(Frame { variables, ..Frame::default() });
        let done = self.run(&function.body, guard, &function.name);
        let frame = self.frames.pop().unwrap_or_default();
        done?;
        let output = |name: &String| {
            let found = frame.variables.get(name).cloned();
            found.ok_or_else(|| Fault::new(format!("the function `{}` does not set `{name}`", function.name)))
        };
        function.outputs.iter().map(output).collect()
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
            self.statement(statement, guard, function)?;
        }
        Ok(())
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
                let value = self.scalar(value, guard)?;
                let mut rest = guard;
                for (case, body) in cases {
                    let values = match &case.kind {
                        Kind::Cell(all) => all.iter().collect(),
                        _ => vec![case],
                    };
                    let mut any = Vec::new();
                    for case in values {
                        let case = self.scalar(case, guard)?;
                        any.push(super::logic::relation(self.work, "==", value, case)?);
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
                let values = self.value(values, guard)?;
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
            Statement::While(condition, body) => {
                self.frame().loops.push((Pool::FALSE, Pool::FALSE));
                for _ in 0..MAX_ITERATIONS {
                    let now = self.live(guard);
                    let holds = self.truth(condition, now)?;
                    let now = self.pool().and([now, holds]);
                    if now == Pool::FALSE {
                        self.frame().loops.pop();
                        return Ok(());
                    }
                    let stops = self.pool().not(holds);
                    self.leave(stops, false);
                    self.run(body, now, function)?;
                    self.next();
                }
                Err(Fault::hint(
                    "the number of iterations of a loop is not known",
                    "use `for` with a constant range, and `break`",
                ))
            }
            Statement::Persistent(names) => {
                for name in names {
                    let state = format!("{function}.{name}");
                    self.frame().persistent.insert(name.clone(), state.clone());
                    if !self.persistent.contains_key(&state) {
                        let set = self.work.state(self.block.id, &format!("{state} is set"), Pool::FALSE);
                        self.persistent.insert(state, Kept { set, is_set: set.seen, value: None });
                    }
                }
                Ok(())
            }
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
            let function = self.functions.iter().find(|it| it.name == *name);
            let function = function
                .ok_or_else(|| Fault::new(format!("there is no function `{name}` with several outputs")))?;
            let variables = self.arguments(function, arguments, guard)?;
            let values = self.call(function, variables, guard)?;
            for (target, value) in targets.iter().zip(values) {
                self.put(target, value, guard)?;
            }
            return Ok(());
        }
        // A call alone may only have an effect.
        if targets.is_empty()
            && let Kind::At(function, Index::Call(arguments)) = &value.kind
            && let Kind::Name(name) = &function.kind
            && let Some(function) = self.functions.iter().find(|it| it.name == *name)
        {
            let variables = self.arguments(function, arguments, guard)?;
            return self.call(function, variables, guard).map(drop);
        }
        if let [target] = targets
            && let Some(name) = dotted(target)
        {
            let fields = self.structure(value, guard)?;
            if !fields.is_empty() {
                return fields
                    .into_iter()
                    .try_for_each(|(field, value)| self.set(&format!("{name}.{field}"), value, guard));
            }
        }
        let value = self.value(value, guard)?;
        match targets {
            [target] => self.put(target, value, guard),
            _ => Ok(()),
        }
    }

    fn put(&mut self, target: &Expression, value: Array, guard: Expr) -> Outcome<()> {
        match &target.kind {
            Kind::Name(name) if name == "~" => Ok(()),
            Kind::Name(name) => self.set(name, value, guard),
            Kind::At(inner, Index::Call(indices)) => {
                let name = dotted(inner).ok_or_else(|| Fault::new("an assignment has no variable"))?;
                let name = name.as_str();
                let mut whole = self.variable(name)?;
                let (places, _) = self.places(&whole, indices, guard)?;
                if value.scalars.len() != 1 && value.scalars.len() != places.len() {
                    return Err(Fault::new(format!(
                        "the number of values for `{name}` does not match its indices"
                    )));
                }
                for (number, place) in places.into_iter().enumerate() {
                    let new = value.scalars[if value.scalars.len() == 1 { 0 } else { number }];
                    let new = self.converted(new, whole.class);
                    let slot = whole.scalars.get_mut(place);
                    *slot.ok_or_else(|| Fault::new(format!("an index of `{name}` is outside of it")))? = new;
                }
                self.set(name, whole, guard)
            }
            _ => match dotted(target) {
                Some(name) => self.set(&name, value, guard),
                None => Err(Fault::hint("cells are not supported", "use variables of their own")),
            },
        }
    }

    /// Sets a variable under a guard.
    fn set(&mut self, name: &str, value: Array, guard: Expr) -> Outcome<()> {
        if let Some(state) = self.state_of(name) {
            self.open_field(name, &state, guard);
            return self.set_persistent(name, &state, &value, guard);
        }
        let value = match self.frame().variables.get(name).cloned() {
            // Unset elsewhere: what it would be there does not matter, because MATLAB refuses to read it.
            None => value,
            Some(_) if guard == Pool::TRUE => value,
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

    /// The states of persistent variables for the next step.
    fn keep(&mut self) -> Outcome<()> {
        for (_, kept) in std::mem::take(&mut self.persistent) {
            self.work.update(self.block.id, kept.set, kept.is_set);
            let Some((array, states)) = kept.value else { continue };
            for (state, value) in states.into_iter().zip(array.scalars) {
                self.work.update(self.block.id, state, value);
            }
        }
        Ok(())
    }
}
