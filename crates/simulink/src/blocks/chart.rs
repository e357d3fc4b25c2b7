//! Stateflow charts as expressions: one step of a chart, executed symbolically.
//!
//! The order of execution is the documented one. A chart is entered in its first step; in every other step each active state, from
//! the outside in, first tries its outer transitions in their order, then runs its during actions, then tries its inner transitions, and
//! then the states inside run. States that run side by side run in their order. A transition exits its source from the inside out, runs
//! its actions, and enters its target from the outside in. A condition action runs as soon as its condition holds, even if the
//! path ends at a junction without a way on and another path is tried.
//!
//! Everything happens under a guard: a variable is `guard ? new : old` after an assignment. So each state and each transition of a
//! path is visited once, and expressions stay as large as the chart, not as the number of its runs.

mod label;
mod paths;
mod terms;

use super::{Definition, ELEMENTWISE, Instance, Lowering};
use crate::chart::{Chart, End, State, StateKind, Transition};
use crate::lower::{Kept, Work};
use crate::plan::{Fault, Known, Outcome};
use crate::value::Class;
use label::{StateLabel, Statement};
use std::collections::BTreeMap;
use system::{Expr, Pool, Type};

/// The maximum number of states and transitions that one step visits.
const MAX_VISITS: usize = 20_000;
/// The maximum number of junctions on a path, of functions in functions, and of states in states: each recurses.
const MAX_PATH: usize = 40;
const MAX_CALLS: usize = 8;
const MAX_NESTING: usize = 40;

pub(super) const CHART: Definition = Definition {
    outputs: |_| None,
    shapes: |case| {
        let class = |text: &str| Known::new(Some(Class::named(text).unwrap_or(Class::Double)), Some(vec![1]));
        case.unit.list("ChartTypes").take(case.unit.outputs.len()).map(class).collect()
    },
    remembers: true,
    sample_time: |unit| unit.words.contains_key("SystemSampleTime").then_some("SystemSampleTime"),
    lowering: Lowering::All(run),
    ..ELEMENTWISE
};

/// The parameters that a unit has for its chart: the types of its outputs, and its number.
pub(crate) fn words(chart: &Chart, number: usize) -> [(String, String); 3] {
    let class = |name: &String| {
        let data = chart.data.iter().find(|it| it.parent.is_none() && it.name == *name);
        let size = data.map_or("", |it| it.size.trim_matches(['[', ']', ' ']));
        let size = size.split([' ', ',']).filter(|it| !it.is_empty()).collect::<Vec<_>>().join("x");
        let class = data.map_or("double", |it| it.class.as_str());
        if chart.script.is_some() { format!("{class}:{size}") } else { class.to_owned() }
    };
    let types: Vec<String> = chart.outputs.iter().map(class).collect();
    let ports = format!("[{}, {}]", chart.inputs.len(), chart.outputs.len());
    [
        ("Chart".to_owned(), number.to_string()),
        ("ChartTypes".to_owned(), types.join(",")),
        ("Ports".to_owned(), ports),
    ]
}

/// Why a chart cannot be executed.
pub(crate) fn refusal(chart: &Chart) -> Option<Fault> {
    let hint = "replace it with blocks, or with free inputs (`--abstract PATH`)";
    let what = chart.unsupported.as_ref()?;
    Some(Fault::hint(format!("its chart has {what}, which is not supported"), hint))
}

/// A variable of a chart.
#[derive(Clone, Copy)]
struct Variable {
    class: Class,
    value: Expr,
}

/// A chart that is being executed.
struct Machine<'a, 'w, 'p> {
    work: &'a mut Work<'p>,
    block: &'a Instance<'w>,
    chart: &'a Chart,
    labels: &'a [String],
    /// Variables of the chart, and of the function that runs.
    variables: BTreeMap<String, Variable>,
    local: Vec<BTreeMap<String, Variable>>,
    /// Whether each state is active, how many steps it has been, and whether it was the last active one of its parent.
    active: Vec<Expr>,
    count: BTreeMap<usize, Expr>,
    last: BTreeMap<usize, Expr>,
    visits: usize,
}

/// A state variable of the system, with what is to become of it.
enum Slot {
    Variable(String),
    Active(usize),
    Count(usize),
    Last(usize),
    Entered,
}

fn run(work: &mut Work, block: &Instance) -> Outcome<Vec<Vec<Expr>>> {
    let number: Option<usize> = block.word("Chart").parse().ok();
    let chart = number.and_then(|it| work.layout.plan.charts.get(it));
    let chart = chart.ok_or_else(|| Fault::new("its chart is not in the file"))?;
    let around = |state: &State| {
        std::iter::successors(state.parent, |it| chart.states[*it].parent).take(MAX_NESTING + 1).count()
    };
    if chart.states.iter().any(|it| around(it) > MAX_NESTING) {
        return Err(Fault::new(format!("its states are nested more than {MAX_NESTING} levels deep")));
    }
    let labels: Vec<String> =
        chart.states.iter().map(|it| label::without_comments(&it.label, chart.matlab)).collect();
    let mut machine = Machine {
        work,
        block,
        chart,
        labels: &labels,
        variables: BTreeMap::new(),
        local: Vec::new(),
        active: vec![Pool::FALSE; chart.states.len()],
        count: BTreeMap::new(),
        last: BTreeMap::new(),
        visits: MAX_VISITS,
    };
    let mut slots = machine.begin()?;
    let entered = machine.work.state(block.id, "entered", Pool::FALSE);
    slots.push((Slot::Entered, entered));
    let first = machine.work.pool().not(entered.seen);
    machine.step(entered.seen, first)?;
    machine.end(slots)
}

impl<'a> Machine<'a, '_, '_> {
    fn pool(&mut self) -> &mut Pool {
        self.work.pool()
    }

    /// Inputs, and states of the system with the values of the last step.
    fn begin(&mut self) -> Outcome<Vec<(Slot, Kept)>> {
        let mut slots = Vec::new();
        for data in self.chart.data.iter().filter(|it| it.parent.is_none()) {
            let sizes = data.size.trim_matches(['[', ']', ' ']);
            if !matches!(sizes, "" | "1" | "-1" | "1 1" | "1,1" | "1, 1") {
                return Err(Fault::new(format!(
                    "the data `{}` is an array, which is not supported in charts",
                    data.name
                )));
            }
            let class = Class::named(&data.class);
            let initial = |machine: &mut Self, class: Class| {
                let number = machine.block.entries(&format!("initial {}", data.name)).first().copied();
                let unknown = || {
                    Fault::new(format!(
                        "the initial value `{}` of `{}` has no value",
                        data.initial, data.name
                    ))
                };
                let number = if data.initial.trim().is_empty() { 0.0 } else { number.ok_or_else(unknown)? };
                machine.work.constant(number, class)
            };
            let (class, value) = match data.scope.as_str() {
                "INPUT_DATA" => {
                    let place = self.chart.inputs.iter().position(|it| *it == data.name);
                    let place =
                        place.ok_or_else(|| Fault::new(format!("there is no port for `{}`", data.name)))?;
                    let own = self.block.input_class(self.work, place);
                    let signal = self.block.signal(place)?;
                    let [value] = signal.scalars[..] else {
                        return Err(Fault::new(format!("the input `{}` is not a scalar", data.name)));
                    };
                    (class.unwrap_or(own), value)
                }
                "OUTPUT_DATA" | "LOCAL_DATA" => {
                    let class = class.unwrap_or_default();
                    let init = initial(self, class)?;
                    let kept = self.work.state(self.block.id, &data.name, init);
                    slots.push((Slot::Variable(data.name.clone()), kept));
                    (class, kept.seen)
                }
                "CONSTANT_DATA" => {
                    let class = class.unwrap_or_default();
                    (class, initial(self, class)?)
                }
                "PARAMETER_DATA" => {
                    let class = class.unwrap_or_default();
                    let number = self.block.numbers(&data.name)?.single();
                    let number = number.ok_or_else(|| {
                        Fault::new(format!("the parameter `{}` is not a scalar", data.name))
                    })?;
                    (class, self.work.constant(number, class)?)
                }
                other => return Err(Fault::new(format!("data of the scope `{other}` is not supported"))),
            };
            self.variables.insert(data.name.clone(), Variable { class, value });
        }
        for (id, state) in self.chart.states.iter().enumerate().filter(|it| it.1.kind == StateKind::State) {
            let name = label::state(&self.labels[id]).name.to_owned();
            let kept = self.work.state(self.block.id, &format!("in {name}"), Pool::FALSE);
            self.active[id] = kept.seen;
            slots.push((Slot::Active(id), kept));
            if self.is_timed(id) {
                let zero = self.pool().int(0);
                let kept = self.work.state(self.block.id, &format!("steps in {name}"), zero);
                self.count.insert(id, kept.seen);
                slots.push((Slot::Count(id), kept));
            }
            if self.has_history(state.parent) {
                let kept = self.work.state(self.block.id, &format!("last {name}"), Pool::FALSE);
                self.last.insert(id, kept.seen);
                slots.push((Slot::Last(id), kept));
            }
        }
        Ok(slots)
    }

    /// The states of the system for the next step, and the outputs.
    fn end(self, slots: Vec<(Slot, Kept)>) -> Outcome<Vec<Vec<Expr>>> {
        for (slot, kept) in slots {
            let next = match slot {
                Slot::Variable(name) => self.variables[&name].value,
                Slot::Active(state) => self.active[state],
                Slot::Count(state) => self.count[&state],
                Slot::Last(state) => self.last[&state],
                Slot::Entered => Pool::TRUE,
            };
            self.work.update(self.block.id, kept, next);
        }
        let outputs = self.chart.outputs.iter().map(|name| {
            let found = self.variables.get(name).map(|it| vec![it.value]);
            found.ok_or_else(|| Fault::new(format!("there is no data for the output `{name}`")))
        });
        outputs.collect()
    }

    /// Whether a time since a state became active is asked for somewhere.
    fn is_timed(&self, state: usize) -> bool {
        let words = ["after", "before", "at", "every", "temporalCount", "elapsed"];
        let timed = |text: &str| {
            words.iter().any(|word| text.contains(&format!("{word}(")) || text.contains(&format!("{word} (")))
        };
        let below = |mut inner: Option<usize>| {
            for _ in 0..=self.chart.states.len() {
                match inner {
                    Some(it) if it == state => return true,
                    Some(it) => inner = self.chart.states[it].parent,
                    None => return false,
                }
            }
            false
        };
        // A path through junctions may ask far from its source.
        timed(&self.labels[state])
            || self.chart.transitions.iter().any(|it| {
                timed(&it.label)
                    && (matches!(it.from, End::Junction(_))
                        || it.from == End::State(state)
                        || below(it.parent))
            })
    }

    fn has_history(&self, parent: Option<usize>) -> bool {
        self.chart.junctions.iter().any(|it| it.history && it.parent == parent)
    }

    /// One step: the chart is entered, or its active states run.
    fn step(&mut self, runs: Expr, enters: Expr) -> Outcome<()> {
        for (id, count) in self.count.clone() {
            let one = self.pool().int(1);
            let more = self.pool().add(count, one);
            let active = self.active[id];
            let more = self.pool().ite(active, more, count);
            self.count.insert(id, more);
        }
        let stateless = self.chart.states.iter().all(|it| it.kind != StateKind::State);
        if stateless {
            // A chart without states is a flow chart, which runs at every step.
            return self.default(None, Pool::TRUE);
        }
        if self.chart.enters_early {
            return Err(Fault::hint(
                "its chart is entered before the first step, which is not supported",
                "let it enter in the first step",
            ));
        }
        self.children(None, runs)?;
        self.enter_inside(None, enters)
    }

    /// The states directly inside another, in their order.
    fn inside(&self, parent: Option<usize>) -> Vec<usize> {
        let states = self.chart.states.iter().enumerate();
        let mut found: Vec<usize> = states
            .filter(|(_, it)| it.kind == StateKind::State && self.parent_of(it) == parent)
            .map(|(id, _)| id)
            .collect();
        found.sort_by_key(|id| self.chart.states[*id].order);
        found
    }

    /// The state around a state; groups do not count.
    fn parent_of(&self, state: &State) -> Option<usize> {
        let mut parent = state.parent;
        for _ in 0..self.chart.states.len() {
            match parent {
                Some(it) if self.chart.states[it].kind == StateKind::Group => {
                    parent = self.chart.states[it].parent
                }
                _ => break,
            }
        }
        parent
    }

    fn is_parallel(&self, parent: Option<usize>) -> bool {
        parent.map_or(self.chart.parallel, |it| self.chart.states[it].parallel)
    }

    fn visit(&mut self) -> Outcome<()> {
        self.visits = self.visits.checked_sub(1).ok_or_else(|| Fault::new("its chart is too large"))?;
        self.work.reserve(1, 16)
    }

    /// Runs the active states inside another.
    fn children(&mut self, parent: Option<usize>, guard: Expr) -> Outcome<()> {
        let parallel = self.is_parallel(parent);
        let before = self.active.clone();
        for child in self.inside(parent) {
            // One that left in this step does not run, and one that was entered in this step neither.
            let now = if parallel { self.active[child] } else { Pool::TRUE };
            let guard = self.pool().and([guard, before[child], now]);
            self.run(child, guard)?;
        }
        Ok(())
    }

    fn run(&mut self, state: usize, guard: Expr) -> Outcome<()> {
        if guard == Pool::FALSE {
            return Ok(());
        }
        self.visit()?;
        let outer = self.leaving(state, false);
        let left = self.transitions(&outer, guard, Some(state), &mut Vec::new(), 0)?;
        let left = self.pool().not(left);
        let stays = self.pool().and([guard, left]);
        let labels = self.labels;
        let StateLabel { during, on, .. } = label::state(&labels[state]);
        self.actions(&during, stays, Some(state))?;
        for (event, action) in on {
            let holds = self.event(event, Some(state))?;
            let guard = self.pool().and([stays, holds]);
            self.actions(&[action], guard, Some(state))?;
        }
        let inner = self.leaving(state, true);
        let moved = self.transitions(&inner, stays, Some(state), &mut Vec::new(), 0)?;
        let moved = self.pool().not(moved);
        let rests = self.pool().and([stays, moved]);
        self.children(Some(state), rests)
    }

    /// The transitions that leave a state, by order: those that are drawn inside, or the others.
    fn leaving(&self, state: usize, inner: bool) -> Vec<&'a Transition> {
        let own = self.chart.transitions.iter();
        let own = own.filter(|it| it.from == End::State(state) && (it.parent == Some(state)) == inner);
        ordered(own.collect())
    }

    fn actions(&mut self, actions: &[&str], guard: Expr, state: Option<usize>) -> Outcome<()> {
        for text in actions {
            for statement in label::statements(text) {
                self.statement(&statement, guard, state)?;
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement, guard: Expr, state: Option<usize>) -> Outcome<()> {
        match *statement {
            Statement::Assign(name, value) => {
                let value = self.term(value, guard, state)?;
                self.assign(name, guard, value)
            }
            Statement::Change(name, operator, value) => {
                let value = self.term(&format!("{name} {operator} ({value})"), guard, state)?;
                self.assign(name, guard, value)
            }
            Statement::Other(text) if text.contains('(') && !text.starts_with("send") => {
                self.term(text, guard, state).map(drop)
            }
            Statement::Other(text) => {
                let hint = "replace events with data";
                Err(Fault::hint(
                    format!("the action `{text}` is not supported: it broadcasts an event or is code"),
                    hint,
                ))
            }
        }
    }

    fn assign(&mut self, name: &str, guard: Expr, value: Expr) -> Outcome<()> {
        let is_input = self.chart.data.iter().any(|it| it.name == name && it.scope == "INPUT_DATA");
        let local = self.local.last().is_some_and(|it| it.contains_key(name));
        let variables =
            if local { self.local.last().and_then(|it| it.get(name)) } else { self.variables.get(name) };
        let Some(&Variable { class, value: old }) = variables.filter(|_| local || !is_input) else {
            return Err(Fault::new(format!("there is no variable `{name}` to assign to")));
        };
        let value = self.conformed(value, class);
        let value = self.pool().ite(guard, value, old);
        let variable = Variable { class, value };
        match self.local.last_mut().filter(|_| local) {
            Some(all) => all.insert(name.to_owned(), variable),
            None => self.variables.insert(name.to_owned(), variable),
        };
        Ok(())
    }

    /// A value in the class of a variable: the C language cuts fractions off, MATLAB rounds; both saturate.
    fn conformed(&mut self, value: Expr, class: Class) -> Expr {
        let method = if self.chart.matlab { "Round" } else { "Zero" };
        let real = self.pool().type_of(value) == Type::Real;
        let value =
            if real && matches!(class, Class::Integer(..)) { self.work.round(method, value) } else { value };
        self.work.saturated(class, value)
    }
}

fn ordered(mut transitions: Vec<&Transition>) -> Vec<&Transition> {
    transitions.sort_by_key(|it| it.order);
    transitions
}

/// Puts the values that a chart needs into its unit: parameters, and initial values of data.
pub(crate) fn evaluated(chart: &Chart) -> impl Iterator<Item = (String, &str)> {
    let of_chart = chart.data.iter().filter(|it| it.parent.is_none());
    of_chart.filter_map(|data| match data.scope.as_str() {
        "PARAMETER_DATA" => Some((data.name.clone(), data.name.as_str())),
        "OUTPUT_DATA" | "LOCAL_DATA" | "CONSTANT_DATA" if !data.initial.trim().is_empty() => {
            Some((format!("initial {}", data.name), data.initial.as_str()))
        }
        _ => None,
    })
}
