//! Expressions of charts: data, functions of the chart, whether a state is active, and how long it has been.

mod duration;

pub(super) use duration::Duration;

use super::functions::Argument;
use super::label;
use super::{Clock, Machine, SECONDS, Variable};
use crate::blocks::formula::{self, Names};
use crate::blocks::logic::relation;
use crate::blocks::selection::pick;
use crate::chart::{Data, StateKind};
use crate::lower::Work;
use crate::matlab::{self, Expression, Index, Kind};
use crate::plan::{Fault, Outcome, entry, finite};
use crate::value::Class;
use dashu_ratio::RBig;
use system::{Expr, Node, Pool, Type};

/// What may change within a step.
const CHANGING: [&str; 11] = [
    "in",
    "after",
    "before",
    "at",
    "every",
    "temporalCount",
    "elapsed",
    "duration",
    "hasChanged",
    "hasChangedFrom",
    "hasChangedTo",
];

/// A chart, at a place where an expression is: under a guard, and in a state.
struct Place<'m, 'a, 'w, 'p> {
    machine: &'m mut Machine<'a, 'w, 'p>,
    guard: Expr,
    state: Option<usize>,
    /// The text in which operators may be meant for bits.
    bits: &'m str,
    /// Whether it is the event of a label, and not a condition.
    is_event: bool,
    /// Whether only inputs and constants may be read.
    is_of_inputs: bool,
}

impl<'m, 'a, 'w, 'p> Place<'m, 'a, 'w, 'p> {
    fn new(machine: &'m mut Machine<'a, 'w, 'p>, guard: Expr, state: Option<usize>) -> Self {
        Place { machine, guard, state, bits: "", is_event: false, is_of_inputs: false }
    }
}

impl Machine<'_, '_, '_> {
    /// The value of an expression. Functions in it run under the guard.
    pub(super) fn term(&mut self, text: &str, guard: Expr, state: Option<usize>) -> Outcome<Expr> {
        let parsed = self.parsed(text)?;
        let bits = if self.chart.has_bits && !self.chart.matlab { text } else { "" };
        self.deeper(parsed.depth(), |machine| {
            formula::lower(&mut Place { bits, ..Place::new(machine, guard, state) }, &parsed)
        })
    }

    fn parsed(&self, text: &str) -> Outcome<Expression> {
        let wrong = |error| Fault::new(format!("its expression `{text}` is not understood: {error}"));
        if self.chart.matlab {
            return matlab::expression(text).map_err(wrong);
        }
        if text.contains('%') {
            let message = format!("the remainder `%%` in `{text}` is not supported");
            return Err(Fault::hint(message, "use a chart in the MATLAB language, and `rem`"));
        }
        // In the C language, indices are in brackets.
        let plain = text.replace("][", ",").replace('[', "(").replace(']', ")");
        matlab::expression(&plain).map_err(wrong)
    }

    /// The outputs of a call of a function of the chart; none if the expression is something else.
    pub(super) fn outputs_of(
        &mut self,
        text: &str,
        guard: Expr,
        state: Option<usize>,
    ) -> Option<Outcome<Vec<Variable>>> {
        let parsed = self.parsed(text).ok()?;
        let depth = parsed.depth();
        let Kind::At(inner, Index::Call(arguments)) = parsed.kind else { return None };
        let function = inner.name().filter(|it| self.variable(it).is_none());
        let function = function.and_then(|it| self.function_named(it))?;
        Some(self.deeper(depth, |it| Place::new(it, guard, state).called(function, &arguments)))
    }

    /// The position of the element that a target with indices means, from 0.
    pub(super) fn place_of(&mut self, target: &str, guard: Expr, state: Option<usize>) -> Outcome<Expr> {
        let parsed = self.parsed(target)?;
        match &parsed.kind {
            Kind::At(inner, Index::Call(indices)) if inner.name().is_some() => {
                let name = inner.name().unwrap_or_default();
                Place::new(self, guard, state).place(name, indices)
            }
            _ => Err(Fault::new(format!("there is no variable `{target}` to assign to"))),
        }
    }

    /// Whether the event of a label happens: none, or a time.
    pub(super) fn event(&mut self, text: &str, state: Option<usize>) -> Outcome<Expr> {
        match text.trim() {
            // A new transition has a question mark as its label.
            "" | "?" | "tick" | "wakeup" => Ok(Pool::TRUE),
            text if text.contains('|') && !text.contains('(') => {
                let parts = text.split('|').filter(|it| !it.trim().is_empty());
                let any = parts.map(|it| self.event(it, state)).collect::<Outcome<Vec<Expr>>>()?;
                Ok(self.work.pool().or(any))
            }
            text if self.chart.processed_events().any(|it| it.name == text) => {
                Ok(if self.now == Some(text) { Pool::TRUE } else { Pool::FALSE })
            }
            text if text.contains('(') => {
                let parsed = self.parsed(text)?;
                self.deeper(parsed.depth(), |machine| {
                    let place = Place::new(machine, Pool::TRUE, state);
                    formula::lower(&mut Place { is_event: true, ..place }, &parsed)
                })
            }
            text => Err(Fault::hint(format!("the event `{text}` is not supported"), "use a condition")),
        }
    }

    /// How often something has happened since a state became active: runs of the chart, an event, or steps of the model for seconds.
    fn count_of(&mut self, state: Option<usize>, unit: &str) -> Outcome<Expr> {
        if self.chart.enters_early {
            return Err(Fault::hint(
                "times in a chart that is entered before the first step are not supported",
                "let it enter in the first step",
            ));
        }
        let is_time = matches!(unit, "sec" | "msec" | "usec");
        if is_time && self.clock == Clock::Unknown {
            return Err(Fault::hint(
                "seconds in a chart that runs at triggers and under a condition are not supported",
                "count ticks, which are its runs",
            ));
        }
        let counted = match self.event_named(unit) {
            Some(event) => Some(event.to_owned()),
            None => (is_time && self.counts_seconds()).then(|| SECONDS.to_owned()),
        };
        let key = state.map(|it| (it, counted));
        let found = key.and_then(|it| self.count.get(&it)).copied();
        found.ok_or_else(|| Fault::new("a time is asked for where no state is active"))
    }

    /// The event of a name that may be counted.
    fn event_named(&self, name: &str) -> Option<&str> {
        self.chart.processed_events().find(|it| it.name == name).map(|it| it.name.as_str())
    }

    /// How many of a unit of time one count is: a run, an event, or a part of a second.
    fn unit_of_time(&self, unit: &str) -> Outcome<RBig> {
        let second = match self.clock {
            Clock::Triggers(_) => finite(self.work.layout.plan.step)?,
            Clock::Runs | Clock::Unknown => finite(self.work.sample_time(self.block))?,
        };
        match unit {
            "tick" | "wakeup" => Ok(RBig::ONE),
            unit if self.event_named(unit).is_some() => Ok(RBig::ONE),
            "sec" => Ok(second),
            "msec" => Ok(second * RBig::from(1_000)),
            "usec" => Ok(second * RBig::from(1_000_000)),
            other => {
                Err(Fault::hint(format!("the event `{other}` cannot be counted"), "count ticks or seconds"))
            }
        }
    }

    /// The constant that a length of time is.
    fn constant_time(&self, number: &Expression) -> Option<f64> {
        match &number.kind {
            Kind::Number(number) => Some(*number),
            Kind::Name(name) => self.block.entries(name).first().copied(),
            _ => None,
        }
    }

    /// The state of a path such as `A.B`.
    pub(super) fn state_named(&self, path: &[String]) -> Option<usize> {
        let name = |id: usize| label::state(&self.labels[id]).name;
        let fits = |id: usize| {
            let mut now = Some(id);
            path.iter().rev().all(|part| {
                let Some(state) = now.filter(|it| name(*it) == part) else { return false };
                now = self.parent_of(&self.chart.states[state]);
                true
            })
        };
        (0..self.chart.states.len()).find(|id| self.chart.states[*id].kind == StateKind::State && fits(*id))
    }
}

/// The parts of `A.B.C`.
fn path(expression: &Expression) -> Option<Vec<String>> {
    match &expression.kind {
        Kind::Name(name) => Some(vec![name.clone()]),
        Kind::At(inner, Index::Field(name)) => {
            let mut all = path(inner)?;
            all.push(name.clone());
            Some(all)
        }
        _ => None,
    }
}

impl<'p> Names<'p> for Place<'_, '_, '_, 'p> {
    fn work(&mut self) -> &mut Work<'p> {
        self.machine.work
    }

    fn name(&mut self, name: &str) -> Outcome<Expr> {
        self.readable(name)?;
        if name == "et" && self.machine.variable(name).is_none() {
            return self.counted(name, &[Expression::new(Kind::Name("sec".to_owned()))], self.state);
        }
        let guard = self.guard;
        let machine = &mut *self.machine;
        match (machine.variable(name).map(|it| &it.values[..]), name) {
            (Some(&[only]), _) => Ok(machine.seen(only, guard)),
            (Some(_), _) => Err(Fault::new(format!("the array `{name}` is used where one number is wanted"))),
            (None, "t") => machine.work.time(),
            (None, "true") => Ok(Pool::TRUE),
            (None, "false") => Ok(Pool::FALSE),
            (None, "pi") => machine.work.real(std::f64::consts::PI),
            (None, name) if name.contains('.') && machine.block.matrix(name).is_some() => {
                let matrix = machine.block.numbers(name)?;
                machine.work.constant(entry(&matrix.entries, 0), matrix.class)
            }
            (None, _) => Err(Fault::new(format!("unknown name `{name}` in its chart"))),
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expression]) -> Option<Outcome<Expr>> {
        let state = self.state;
        if let Some(values) = self.machine.variable(name).map(|it| it.values.clone()) {
            if let Err(fault) = self.readable(name) {
                return Some(Err(fault));
            }
            let values: Vec<Expr> = values.into_iter().map(|it| self.machine.seen(it, self.guard)).collect();
            let place = self.place(name, arguments);
            return Some(place.and_then(|place| pick(self.machine.work, place, &values)));
        }
        let is_of_chart = CHANGING.contains(&name) || self.machine.function_named(name).is_some();
        if self.is_of_inputs && is_of_chart {
            let message = format!("the condition of `duration` calls `{name}`");
            return Some(Err(Fault::hint(message, "use a condition on inputs")));
        }
        match name {
            "in" => Some(match arguments {
                [one] => {
                    let found = path(one).and_then(|it| self.machine.state_named(&it));
                    found.map(|it| self.machine.active[it]).ok_or_else(|| Fault::new("`in` names no state"))
                }
                _ => Err(Fault::new("`in` names one state")),
            }),
            "after" | "before" | "at" | "every" => Some(self.timed(name, arguments, state)),
            "temporalCount" | "elapsed" => Some(self.counted(name, arguments, state)),
            "duration" if self.machine.function_named(name).is_none() => Some(self.duration(arguments)),
            "hasChanged" | "hasChangedFrom" | "hasChangedTo" => Some(self.changed(name, arguments)),
            _ => {
                if let Some(class) = Class::named(name) {
                    let [one] = arguments else { return Some(Err(Fault::new("a cast has one argument"))) };
                    let value = formula::lower(self, one);
                    return Some(value.map(|it| self.machine.conformed(it, class)));
                }
                let function = self.machine.function_named(name);
                let implicit = ["enter", "en", "exit", "ex", "change", "chg", "count"];
                if function.is_none() && implicit.contains(&name) {
                    return Some(Err(Fault::hint(
                        format!("`{name}` is not supported"),
                        "use `in`, or local data",
                    )));
                }
                let function = function?;
                Some(self.called(function, arguments).and_then(|outputs| match &outputs[..] {
                    [] => Ok(Pool::FALSE),
                    [first, ..] => match first.values[..] {
                        [only] => Ok(only),
                        _ => Err(Fault::new(format!("`{name}` gives an array where one number is wanted"))),
                    },
                }))
            }
        }
    }

    fn has_bits(&self, sign: char) -> bool {
        label::has_bit_operator(self.bits, sign)
    }

    /// Integers of one type, and constants with them, give integers of that type; in MATLAB, all numbers with them do.
    fn typed(&mut self, operands: &[Expr], result: Expr) -> Expr {
        let matlab = self.machine.chart.matlab;
        let mut class = None;
        for &operand in operands {
            let pool = self.machine.pool();
            let own = match pool.type_of(operand) {
                Type::Machine(width) => Class::Integer(width.bits, width.signed),
                Type::Real if matlab => continue,
                Type::Real if matches!(pool.node(operand), Node::Real(it) if it.is_int()) => continue,
                Type::Real | Type::Int | Type::Bool | Type::Enum(_) => return result,
            };
            if class.is_some_and(|it| it != own) {
                return result;
            }
            class = Some(own);
        }
        class.map_or(result, |it| self.machine.conformed(result, it))
    }

    fn quotient(&self) -> Option<&'static str> {
        Some(if self.machine.chart.matlab { "Round" } else { "Zero" })
    }
}

impl Place<'_, '_, '_, '_> {
    /// Inputs have no values before the first step; a duration reads nothing that changes within a step.
    fn readable(&self, name: &str) -> Outcome<()> {
        let changes =
            |it: &Data| it.name == name && matches!(it.scope.as_str(), "LOCAL_DATA" | "OUTPUT_DATA");
        if self.is_of_inputs && (name == "et" || self.machine.chart.data.iter().any(changes)) {
            let message = format!("the condition of `duration` reads `{name}`, which is not an input");
            return Err(Fault::hint(message, "use a condition on inputs"));
        }
        if self.machine.is_early && self.machine.is_input(name) {
            let message =
                format!("the input `{name}` is read when its chart is entered before the first step");
            return Err(Fault::hint(message, "let it enter in the first step"));
        }
        Ok(())
    }

    /// The outputs of a function of the chart. An argument may be a whole array.
    fn called(&mut self, function: usize, arguments: &[Expression]) -> Outcome<Vec<Variable>> {
        let mut values = Vec::new();
        for argument in arguments {
            let whole = argument.name().and_then(|it| self.machine.variable(it)).cloned();
            values.push(match whole {
                Some(whole) => Argument { class: Some(whole.class), variable: whole },
                None => {
                    let value = formula::lower(self, argument)?;
                    let class = match self.machine.pool().type_of(value) {
                        Type::Bool => Some(Class::Boolean),
                        Type::Real => Some(Class::Double),
                        Type::Machine(width) => Some(Class::Integer(width.bits, width.signed)),
                        // A result of integers has the type of what it is assigned to.
                        Type::Int | Type::Enum(_) => None,
                    };
                    Argument { class, variable: Variable::scalar(class.unwrap_or_default(), value) }
                }
            });
        }
        self.machine.function(function, values, self.guard)
    }

    /// The position that indices of an array mean, from 0. Indices count from 1 in MATLAB, and from 0 in C.
    fn place(&mut self, name: &str, indices: &[Expression]) -> Outcome<Expr> {
        let variable = self.machine.variable(name);
        let rows = variable.map(|it| it.rows);
        let rows = rows.ok_or_else(|| Fault::new(format!("unknown name `{name}` in its chart")))?;
        let data = self.machine.chart.data.iter().find(|it| it.name == name);
        let first = if self.machine.chart.matlab { 1 } else { data.map_or(0, |it| it.first) };
        let mut place = self.machine.work.ratio(0, 1);
        for (dimension, index) in indices.iter().enumerate() {
            let index = formula::lower(self, index)?;
            let work = &mut *self.machine.work;
            let index = work.real_of(index);
            let index = work.round("Zero", index);
            let (first, stride) =
                (work.ratio(first, 1), work.ratio(if dimension == 0 { 1 } else { rows as i64 }, 1));
            let steps = work.pool().sub(index, first);
            let moved = work.pool().mul(steps, stride);
            place = work.pool().add(place, moved);
        }
        match indices.len() {
            1 | 2 => Ok(place),
            _ => Err(Fault::new(format!("`{name}` has one or two indices"))),
        }
    }

    fn timed(&mut self, name: &str, arguments: &[Expression], state: Option<usize>) -> Outcome<Expr> {
        let [number, Expression { kind: Kind::Name(unit) | Kind::Text(unit), .. }] = arguments else {
            return Err(Fault::new("a time has two parts: a number, and what is counted"));
        };
        let one = self.machine.unit_of_time(unit)?;
        let event = self.machine.event_named(unit).map(str::to_owned);
        if event.is_some() && !self.is_event {
            return Err(Fault::hint(
                format!("`{name}` of the event `{unit}` in a condition is not supported"),
                format!("write it before the condition, or use `temporalCount({unit})`"),
            ));
        }
        let count = self.machine.count_of(state, unit)?;
        // A time that counts an event is there only when the event happens.
        if event.is_some_and(|it| self.machine.now != Some(it.as_str())) {
            return Ok(Pool::FALSE);
        }
        let Some(constant) = self.machine.constant_time(number) else {
            return self.timed_by(name, number, one, count);
        };
        let work = &mut *self.machine.work;
        // The first step that is late enough.
        let border = work.pool().int((finite(constant)? / one).ceil());
        Ok(match name {
            "after" => work.pool().ge(count, border),
            "before" => work.pool().lt(count, border),
            "at" => work.pool().eq(count, border),
            _ => {
                let zero = work.pool().int(0);
                let rest = work.pool().modulo(count, border);
                let (whole, later) = (work.pool().eq(rest, zero), work.pool().gt(count, zero));
                work.pool().and([whole, later])
            }
        })
    }

    /// A time whose length is data, with the value that it has now.
    fn timed_by(&mut self, name: &str, length: &Expression, one: RBig, count: Expr) -> Outcome<Expr> {
        let length = formula::lower(self, length)?;
        let work = &mut *self.machine.work;
        let (length, count) = (work.real_of(length), work.real_of(count));
        let one = work.pool().real(one);
        let pool = work.pool();
        let passed = pool.mul(one, count);
        let (late, before) = (pool.ge(passed, length), pool.sub(passed, one));
        match name {
            "after" => Ok(late),
            "before" => Ok(pool.lt(passed, length)),
            "at" => {
                let early = pool.lt(before, length);
                Ok(pool.and([late, early]))
            }
            _ => Err(Fault::hint(
                "the length of a time that is repeated is not a constant",
                "give it as a number or a parameter",
            )),
        }
    }

    fn counted(&mut self, name: &str, arguments: &[Expression], state: Option<usize>) -> Outcome<Expr> {
        let unit = match arguments {
            [Expression { kind: Kind::Name(unit) | Kind::Text(unit), .. }] => unit.as_str(),
            _ => return Err(Fault::new(format!("`{name}` counts ticks or seconds"))),
        };
        let one = self.machine.unit_of_time(unit)?;
        let count = self.machine.count_of(state, unit)?;
        let work = &mut *self.machine.work;
        let (count, one) = (work.real_of(count), work.pool().real(one));
        Ok(work.pool().mul(one, count))
    }

    /// Whether an input differs from its value in the last step, perhaps from or to a value.
    fn changed(&mut self, name: &str, arguments: &[Expression]) -> Outcome<Expr> {
        let data = arguments.first().and_then(Expression::name).unwrap_or_default();
        let known = self.machine.previous.get(data).copied();
        let Some(before) = known.filter(|_| self.machine.chart.inputs_of_events().next().is_none()) else {
            let message = format!(
                "`{name}({data})` is not supported: it is only known of scalar inputs of charts without events"
            );
            return Err(Fault::hint(message, "compare with a copy of the last step"));
        };
        let now = self.name(data)?;
        let differs = relation(self.machine.work, "~=", before, now)?;
        let mut all = vec![self.machine.was_entered, differs];
        if let [_, value] = arguments {
            let value = formula::lower(self, value)?;
            let side = if name == "hasChangedFrom" { before } else { now };
            all.push(relation(self.machine.work, "==", side, value)?);
        }
        if arguments.len() != if name == "hasChanged" { 1 } else { 2 } {
            return Err(Fault::new(format!("`{name}` has another number of arguments")));
        }
        Ok(self.machine.pool().and(all))
    }
}
