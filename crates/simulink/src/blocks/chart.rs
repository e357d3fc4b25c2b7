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

mod broadcast;
mod data;
mod events;
mod functions;
mod label;
mod moore;
mod paths;
mod table;
mod terms;

use super::{Definition, ELEMENTWISE, Instance, Lowering};
use crate::chart::{Chart, Code, Data, End, Event, EventScope, State, StateKind, Transition};
use crate::diagram::Port;
use crate::lower::{Kept, Work};
use crate::plan::{Fault, Known, Outcome, entry};
use crate::value::Class;
use data::size_of;
use label::{StateLabel, Statement};
use terms::Duration;

use std::collections::BTreeMap;
use system::{Expr, Pool};

/// The maximum number of states and transitions that one step visits.
const MAX_VISITS: usize = 20_000;
/// The maximum number of junctions on a path, of functions in functions, and of states in states: each recurses.
const MAX_PATH: usize = 40;
const MAX_CALLS: usize = 8;
const MAX_NESTING: usize = 40;
/// The maximum depth of junctions and expressions in each other, with those of all functions that are running.
const MAX_DEPTH: usize = 300;
/// The maximum number of junctions that a flow chart passes, with all rounds of its loops.
const MAX_FLOW: usize = 5_000;
/// What is counted for seconds in a chart whose runs are not regular: steps of the model.
const SECONDS: &str = "sec";
/// The maximum number of elements of an array.
const MAX_ELEMENTS: usize = 1_000;

pub(super) const CHART: Definition = Definition {
    outputs: |_| None,
    shapes: |case| {
        let shape = |text: &str| {
            if let Some(name) = text.strip_prefix(BUS) {
                return case.bus_named(&bus_key(name)).unwrap_or(Known::NOTHING);
            }
            // A question mark is what code decides.
            let (class, size) = text.split_once(':').unwrap_or((text, ""));
            let sizes: Vec<usize> = size.split('x').filter_map(|it| it.parse().ok()).collect();
            let sizes = if sizes.is_empty() { vec![1] } else { sizes };
            let class = (class != "?").then(|| Class::named(class).unwrap_or_default());
            Known::new(class, (size != "?").then_some(sizes))
        };
        case.unit.list("ChartTypes").take(case.unit.outputs.len()).map(shape).collect()
    },
    remembers: true,
    momentary: |unit, output| unit.list("ChartCalls").any(|it| it == output.to_string()),
    sample_time: |unit| unit.words.contains_key("SystemSampleTime").then_some("SystemSampleTime"),
    lowering: Lowering::All(run),
    ..ELEMENTWISE
};

/// What stands before the name of an output that is a bus, among the types of outputs.
const BUS: &str = "bus ";

/// The value of a unit with the elements of the bus that an output is.
pub(crate) fn bus_key(output: &str) -> String {
    format!("bus {output}")
}

/// The parameters that a unit has for its chart: the types of its outputs, those that are function calls, and its number.
pub(crate) fn words(chart: &Chart, number: usize) -> [(String, String); 4] {
    let class = |name: &String| {
        if chart.output_event(name).is_some() {
            return "boolean".to_owned();
        }
        let data = chart.data.iter().find(|it| it.parent.is_none() && it.name == *name);
        if data.is_some_and(Data::is_bus) {
            return format!("{BUS}{name}");
        }
        let size = data.map_or("", |it| it.size.trim_matches(['[', ']', ' ']));
        let inherits = chart.script.is_some() && size == "-1";
        let size = size.split([' ', ',']).filter(|it| !it.is_empty()).collect::<Vec<_>>().join("x");
        let class = match declared_class(chart, name) {
            Some(class) => class.name(),
            None if chart.script.is_some() => "?",
            None => "double",
        };
        let scalar = chart.script.is_none() && size.split('x').all(|it| it == "1");
        match (inherits, scalar) {
            (true, _) => format!("{class}:?"),
            (false, true) => class.to_owned(),
            (false, false) => format!("{class}:{size}"),
        }
    };
    let is_call = |name: &String| chart.output_event(name).is_some_and(Event::is_call);
    let calls = chart.outputs.iter().enumerate().filter(|it| is_call(it.1));
    let calls: Vec<String> = calls.map(|it| it.0.to_string()).collect();
    let types: Vec<String> = chart.outputs.iter().map(class).collect();
    let ports = format!("[{}, {}]", chart.inputs.len(), chart.outputs.len());
    [
        ("Chart".to_owned(), number.to_string()),
        ("ChartTypes".to_owned(), types.join(",")),
        ("ChartCalls".to_owned(), calls.join(",")),
        ("Ports".to_owned(), ports),
    ]
}

/// The class that data of a chart is declared with; none if it inherits it.
pub(super) fn declared_class(chart: &Chart, name: &str) -> Option<Class> {
    let data = chart.data.iter().find(|it| it.parent.is_none() && it.name == name)?;
    Class::named(&data.class)
}

/// Why a chart cannot be executed.
pub(crate) fn refusal(chart: &Chart) -> Option<Fault> {
    let hint = "replace it with blocks, or with free inputs (`--abstract PATH`)";
    if let Some(what) = &chart.unsupported {
        return Some(Fault::hint(format!("its chart has {what}, which is not supported"), hint));
    }
    let is_known = |it: &Data| {
        let outside = it.scope == "INPUT_DATA" || chart.script.is_some() && it.scope != "OUTPUT_DATA";
        let class = it.class.trim();
        outside
            || chart.script.is_some() && it.is_bus()
            || class.is_empty()
            || class.starts_with("Inherit")
            || Class::named(class).is_some()
    };
    let data = chart.data.iter().find(|it| !is_known(it))?;
    let message = format!("the type `{}` of `{}` in its chart is not supported", data.class, data.name);
    Some(Fault::hint(message, "use double, single, boolean, an integer type or an enumeration"))
}

/// A variable of a chart: a scalar, or an array by columns.
#[derive(Clone)]
struct Variable {
    class: Class,
    rows: usize,
    values: Vec<Expr>,
}

impl Variable {
    fn scalar(class: Class, value: Expr) -> Variable {
        Variable { class, rows: 1, values: vec![value] }
    }
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
    /// Whether each state is active, and whether it was the last active one of its parent.
    active: Vec<Expr>,
    /// How often the chart ran, or an event happened, since each state became active.
    count: BTreeMap<(usize, Option<String>), Expr>,
    last: BTreeMap<usize, Expr>,
    /// When each state was entered in this step, and how long conditions have held while a state was active.
    entries: BTreeMap<usize, Expr>,
    durations: Vec<Duration>,
    /// The initial values of outputs.
    initial: BTreeMap<String, Vec<Expr>>,
    /// The inputs of the last step, whether there was one, and whether the chart is entered before the first one now.
    previous: BTreeMap<String, Expr>,
    was_entered: Expr,
    is_early: bool,
    /// The event that is being processed.
    now: Option<&'a str>,
    clock: Clock,
    /// When each event was sent in this step.
    sent: BTreeMap<String, Expr>,
    /// The MATLAB code of functions.
    scripts: BTreeMap<usize, functions::Script>,
    visits: usize,
    depth: usize,
}

/// How the time between two runs of a chart is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Clock {
    /// A run is a sample time after the last one. While a subsystem around the chart is disabled, its time stands still.
    Runs,
    /// The chart runs at triggers or calls: the number of steps since the last run.
    Triggers(Expr),
    /// Both.
    Unknown,
}

/// A state variable of the system, with what is to become of it.
enum Slot {
    Variable(String, usize),
    Edge(String),
    Active(usize),
    Count(usize, Option<String>),
    Last(usize),
    Previous(String),
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
        entries: BTreeMap::new(),
        durations: Vec::new(),
        initial: BTreeMap::new(),
        previous: BTreeMap::new(),
        was_entered: Pool::FALSE,
        is_early: false,
        now: None,
        clock: Clock::Runs,
        sent: BTreeMap::new(),
        scripts: BTreeMap::new(),
        visits: MAX_VISITS,
        depth: 0,
    };
    machine.check_order()?;
    machine.clock = machine.find_clock();
    let mut slots = machine.begin()?;
    let kept = machine.work.state(block.id, "entered", Pool::FALSE);
    slots.push((Slot::Entered, kept));
    let mut entered = kept.seen;
    machine.was_entered = entered;
    if chart.enters_early {
        machine.enter_early(entered)?;
        entered = Pool::TRUE;
    }
    let steps = match machine.clock {
        Clock::Triggers(since) => since,
        Clock::Runs | Clock::Unknown => machine.pool().int(1),
    };
    machine.pass(Some(SECONDS), Pool::TRUE, steps);
    // The chart runs once for each event that happens, in their order.
    for (name, happens) in machine.events()? {
        machine.now = name;
        let new = machine.pool().not(entered);
        let (runs, enters) = (machine.pool().and([happens, entered]), machine.pool().and([happens, new]));
        machine.step(runs, enters, happens)?;
        entered = machine.pool().or([entered, happens]);
    }
    machine.check_outputs()?;
    machine.keep_scripts();
    machine.end(slots, entered)
}

impl<'a> Machine<'a, '_, '_> {
    fn pool(&mut self) -> &mut Pool {
        self.work.pool()
    }

    /// Inputs, and states of the system with the values of the last step.
    fn begin(&mut self) -> Outcome<Vec<(Slot, Kept)>> {
        let mut slots = Vec::new();
        for data in self.chart.data.iter().filter(|it| it.parent.is_none()) {
            let size = size_of(data)?;
            let class = Class::named(&data.class);
            let initial = |machine: &mut Self, class: Class, element: usize| {
                let numbers = machine.block.entries(&format!("initial {}", data.name));
                if numbers.is_empty() && !data.initial.trim().is_empty() {
                    let message =
                        format!("the initial value `{}` of `{}` has no value", data.initial, data.name);
                    return Err(Fault::new(message));
                }
                machine.work.constant(entry(numbers, element), class)
            };
            let (rows, columns) = size.unwrap_or((1, 1));
            let count = rows * columns;
            let variable = match data.scope.as_str() {
                "INPUT_DATA" => {
                    let place = self.chart.inputs.iter().position(|it| *it == data.name);
                    let place =
                        place.ok_or_else(|| Fault::new(format!("there is no port for `{}`", data.name)))?;
                    let own = self.block.input_class(self.work, place);
                    let signal = self.block.signal(place)?;
                    if size.is_some() && signal.scalars.len() != count {
                        let message = format!("the input `{}` does not have {count} elements", data.name);
                        return Err(Fault::new(message));
                    }
                    let rows = if size.is_some() { rows } else { signal.size().0 };
                    Variable { class: class.unwrap_or(own), rows, values: signal.scalars.clone() }
                }
                "OUTPUT_DATA" | "LOCAL_DATA" => {
                    let class = class.unwrap_or_default();
                    let mut values = Vec::new();
                    for element in 0..count {
                        let init = initial(self, class, element)?;
                        let kept = self.work.state(self.block.id, &data.name, init);
                        slots.push((Slot::Variable(data.name.clone(), element), kept));
                        values.push(kept.seen);
                        if data.scope == "OUTPUT_DATA" {
                            self.initial.entry(data.name.clone()).or_default().push(init);
                        }
                    }
                    Variable { class, rows, values }
                }
                "CONSTANT_DATA" => {
                    let class = class.unwrap_or_default();
                    let values = (0..count).map(|it| initial(self, class, it)).collect::<Outcome<_>>()?;
                    Variable { class, rows, values }
                }
                "PARAMETER_DATA" => {
                    let class = class.unwrap_or_default();
                    let matrix = self.block.numbers(&data.name)?;
                    let values = matrix.entries.iter().map(|it| self.work.constant(*it, class));
                    let values = values.collect::<Outcome<_>>()?;
                    Variable { class, rows: matrix.rows(), values }
                }
                other => return Err(Fault::new(format!("data of the scope `{other}` is not supported"))),
            };
            self.variables.insert(data.name.clone(), variable);
        }
        if self.asks_for_changes() {
            let inputs = self.variables.iter().filter(|it| self.is_input(it.0) && it.1.values.len() == 1);
            let inputs: Vec<(String, Class)> = inputs.map(|it| (it.0.clone(), it.1.class)).collect();
            for (name, class) in inputs {
                let zero = self.work.constant(0.0, class)?;
                let kept = self.work.state(self.block.id, &format!("previous {name}"), zero);
                self.previous.insert(name.clone(), kept.seen);
                slots.push((Slot::Previous(name), kept));
            }
        }
        for event in self.chart.events.iter().filter(|it| it.scope == EventScope::Output) {
            self.sent.insert(event.name.clone(), Pool::FALSE);
            if !event.is_call() {
                let kept = self.work.state(self.block.id, &format!("event {}", event.name), Pool::FALSE);
                slots.push((Slot::Edge(event.name.clone()), kept));
            }
        }
        for (id, state) in self.chart.states.iter().enumerate().filter(|it| it.1.kind == StateKind::State) {
            let name = label::state(&self.labels[id]).name.to_owned();
            let kept = self.work.state(self.block.id, &format!("in {name}"), Pool::FALSE);
            self.active[id] = kept.seen;
            slots.push((Slot::Active(id), kept));
            let timed = self.is_timed(id);
            let units = if timed { self.counted_units() } else { Vec::new() };
            for unit in units {
                let zero = self.pool().int(0);
                let what = unit.as_deref().unwrap_or("steps");
                let kept = self.work.state(self.block.id, &format!("{what} in {name}"), zero);
                self.count.insert((id, unit.clone()), kept.seen);
                slots.push((Slot::Count(id, unit), kept));
            }
            if self.has_history(state.parent) {
                let kept = self.work.state(self.block.id, &format!("last {name}"), Pool::FALSE);
                self.last.insert(id, kept.seen);
                slots.push((Slot::Last(id), kept));
            }
        }
        Ok(slots)
    }

    /// The activity of states may be an output, whose data nothing sets.
    fn check_outputs(&self) -> Outcome<()> {
        let is_set = |name: &&String| self.chart.output_event(name).is_some() || self.chart.mentions(name);
        let Some(name) = self.chart.outputs.iter().find(|it| !is_set(it)) else { return Ok(()) };
        let message =
            format!("nothing in its chart sets the output `{name}`, as if it were the activity of states");
        Err(Fault::hint(message, "set it in actions"))
    }

    /// The states of the system for the next step, and the outputs.
    fn end(mut self, slots: Vec<(Slot, Kept)>, entered: Expr) -> Outcome<Vec<Vec<Expr>>> {
        self.count_durations();
        let mut events: BTreeMap<String, Expr> = BTreeMap::new();
        for (name, sent) in self.sent {
            let runs = self.work.runs(self.block.id);
            events.insert(name, self.work.pool().and([sent, runs]));
        }
        for (slot, kept) in slots {
            let next = match slot {
                Slot::Variable(name, element) => self.variables[&name].values[element],
                // The output changes with every event.
                Slot::Edge(name) => {
                    let now = self.work.pool().xor(kept.seen, events[&name]);
                    events.insert(name, now);
                    now
                }
                Slot::Active(state) => self.active[state],
                Slot::Count(state, unit) => self.count[&(state, unit)],
                Slot::Previous(name) => self.variables[&name].values[0],
                Slot::Last(state) => self.last[&state],
                Slot::Entered => entered,
            };
            self.work.update(self.block.id, kept, next);
        }
        let outputs = self.chart.outputs.iter().map(|name| {
            let data = self.variables.get(name).map(|it| it.values.clone());
            let found = data.or_else(|| events.get(name).map(|it| vec![*it]));
            found.ok_or_else(|| Fault::new(format!("there is no data for the output `{name}`")))
        });
        outputs.collect()
    }

    /// Whether a time since a state became active is asked for somewhere.
    fn is_timed(&self, state: usize) -> bool {
        let words = ["after", "before", "at", "every", "temporalCount", "elapsed"];
        let timed = |text: &str| {
            words.iter().any(|word| text.contains(&format!("{word}(")) || text.contains(&format!("{word} (")))
                || label::has_word(text, "et")
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

    fn asks_for_changes(&self) -> bool {
        self.has_text("hasChanged")
    }

    fn has_text(&self, text: &str) -> bool {
        self.all_labels().any(|it| it.contains(text))
    }

    fn has_elapsed(&self) -> bool {
        self.all_labels().any(|it| label::has_word(it, "et"))
    }

    fn all_labels(&self) -> impl Iterator<Item = &String> {
        self.labels.iter().chain(self.chart.transitions.iter().map(|it| &it.label))
    }

    /// What is counted while a state is active: runs of the chart, and the events of times.
    fn counted_units(&self) -> Vec<Option<String>> {
        let events = self.chart.processed_events().map(|it| it.name.clone());
        let events =
            events.filter(|it| self.has_text(&format!("{it})")) || self.has_text(&format!("{it} )")));
        let asks = || self.has_text("sec") || self.has_elapsed();
        let seconds = (self.counts_seconds() && asks()).then(|| SECONDS.to_owned());
        [None].into_iter().chain(events.chain(seconds).map(Some)).collect()
    }

    /// Whether seconds are counted on their own, because they are not runs of the chart.
    fn counts_seconds(&self) -> bool {
        self.chart.inputs_of_events().next().is_some() || matches!(self.clock, Clock::Triggers(_))
    }

    fn find_clock(&mut self) -> Clock {
        let id = self.block.id;
        let ports = self.work.layout.around(id).flat_map(|it| &it.controls).map(|(port, _)| *port);
        let conditions: Vec<Port> = ports.filter(|it| *it != Port::Reset).collect();
        match conditions[..] {
            [Port::Trigger] => {
                let none = self.pool().int(0);
                let since = self.work.state(id, "steps since the last run", none);
                let (runs, one) = (self.work.runs(id), self.pool().int(1));
                let more = self.pool().add(since.seen, one);
                let next = self.pool().ite(runs, one, more);
                self.work.update_always(since, next);
                Clock::Triggers(since.seen)
            }
            _ if conditions.contains(&Port::Trigger) => Clock::Unknown,
            _ => Clock::Runs,
        }
    }

    fn is_input(&self, name: &str) -> bool {
        let local = self.local.last().is_some_and(|it| it.contains_key(name));
        !local && self.chart.data.iter().any(|it| it.name == name && it.scope == "INPUT_DATA")
    }

    fn has_history(&self, parent: Option<usize>) -> bool {
        self.chart.junctions.iter().any(|it| it.history && it.parent == parent)
    }

    /// One step: the chart is entered, or its active states run, if it runs at all.
    fn step(&mut self, runs: Expr, enters: Expr, any: Expr) -> Outcome<()> {
        let one = self.pool().int(1);
        self.pass(None, any, one);
        if self.chart.resets_outputs {
            self.reset_outputs(any);
        }
        if self.now.is_some() {
            self.pass(self.now, any, one);
        }
        if let Some(main) = self.chart.main {
            return self.function(main, Vec::new(), any).map(drop);
        }
        if self.is_flow() {
            // A chart without states is a flow chart, which runs at every step.
            return self.default(None, any);
        }
        if self.chart.moore {
            self.moore_actions(None, runs)?;
        }
        self.children(None, runs)?;
        self.enter_inside(None, enters)
    }

    /// Counts something that happens under a guard, for all states that are active: an event, a run of the chart, or steps.
    fn pass(&mut self, unit: Option<&str>, guard: Expr, many: Expr) {
        for (key, count) in self.count.clone().into_iter().filter(|it| it.0.1.as_deref() == unit) {
            let more = self.pool().add(count, many);
            let active = self.active[key.0];
            let counts = self.pool().and([active, guard]);
            let more = self.pool().ite(counts, more, count);
            self.count.insert(key, more);
        }
    }

    fn is_flow(&self) -> bool {
        self.chart.states.iter().all(|it| it.kind != StateKind::State)
    }

    /// Enters the chart before the first step, if it was not entered yet.
    fn enter_early(&mut self, entered: Expr) -> Outcome<()> {
        if self.work.runs(self.block.id) != Pool::TRUE || self.is_flow() {
            return Err(Fault::hint(
                "its chart is entered before the first step, which is only supported for charts with states that run at every step",
                "let it enter in the first step",
            ));
        }
        let enters = self.pool().not(entered);
        self.is_early = true;
        self.enter_inside(None, enters)?;
        self.is_early = false;
        Ok(())
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

    /// What competes has an order, which the file must have.
    fn check_order(&self) -> Outcome<()> {
        let places = |orders: &mut Vec<i64>| {
            orders.sort_unstable();
            orders.windows(2).any(|it| it[0] == it[1])
        };
        let mut transitions: BTreeMap<(End, Option<usize>, bool), Vec<i64>> = BTreeMap::new();
        // What is drawn in a function with code was made from it.
        let is_drawn = |it: usize| self.chart.states[it].code == Code::Drawn;
        for transition in self.chart.transitions.iter().filter(|it| it.parent.is_none_or(is_drawn)) {
            let inner = transition.from == transition.parent.map_or(End::None, End::State);
            let parent = transition.parent.filter(|_| transition.from == End::None);
            transitions.entry((transition.from, parent, inner)).or_default().push(transition.order);
        }
        let mut states: BTreeMap<Option<usize>, Vec<i64>> = BTreeMap::new();
        for state in self.chart.states.iter().filter(|it| it.kind == StateKind::State) {
            let parent = self.parent_of(state);
            if self.is_parallel(parent) {
                states.entry(parent).or_default().push(state.order);
            }
        }
        let what = if transitions.values_mut().any(places) {
            "transitions with the same source"
        } else if states.values_mut().any(places) {
            "parallel states"
        } else {
            return Ok(());
        };
        Err(Fault::hint(
            format!("the order of {what} is not in the file"),
            "save the model with a newer version of Simulink, or set the order in the chart",
        ))
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

    /// Goes some levels deeper, as far as the stack is sure to suffice.
    fn deeper<T>(&mut self, levels: usize, inner: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.depth + levels > MAX_DEPTH {
            return Err(Fault::hint(
                "its chart is nested too deeply",
                "use data for parts of its expressions",
            ));
        }
        self.depth += levels;
        let found = inner(self);
        self.depth -= levels;
        found
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
        if self.is_never(guard) {
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
            if self.chart.matlab && label::has_control(text) {
                self.code(text, guard)?;
                continue;
            }
            for statement in label::statements(text) {
                self.statement(&statement, guard, state)?;
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement, guard: Expr, state: Option<usize>) -> Outcome<()> {
        match *statement {
            Statement::Assign(target, value) => {
                if let Some(outputs) = self.outputs_of(value, guard, state) {
                    return self.assign_outputs(target, outputs?, guard, state);
                }
                if self.variable(target).is_some_and(|it| it.values.len() > 1) {
                    return self.assign_array(target, value, guard, state);
                }
                let value = self.term(value, guard, state)?;
                self.assign(target, guard, value, state)
            }
            Statement::Change(target, operator, value) => {
                let value = self.term(&format!("{target} {operator} ({value})"), guard, state)?;
                self.assign(target, guard, value, state)
            }
            Statement::Other(text) => {
                let sent = broadcast::sent(text);
                if self.chart.output_event(sent).is_some() {
                    self.send(sent, guard)
                } else if let Some((event, target)) = self.local_broadcast(sent)? {
                    self.broadcast(event, target, guard, state)
                } else if text.contains('(') && !text.starts_with("send") {
                    self.term(text, guard, state).map(drop)
                } else {
                    let message =
                        format!("the action `{text}` is not supported: it broadcasts an event or is code");
                    Err(Fault::hint(message, "replace events with data"))
                }
            }
        }
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
