//! Stateflow charts as they are in a file: states, junctions, transitions and data, with their labels as text.

use crate::blocks::BlockKind;
use crate::diagram::{BlockId, Diagram, Sheet, SheetId};
use std::collections::{BTreeMap, BTreeSet};

/// A chart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chart {
    /// The path of its block below the model.
    pub name: String,
    /// Whether its actions are in the MATLAB language, and not in the C language.
    pub matlab: bool,
    /// Whether the states at its top run side by side.
    pub parallel: bool,
    /// Whether it is a Moore machine: the actions of active states run before all transitions.
    pub moore: bool,
    /// Whether its outputs have their initial values again whenever it runs.
    pub resets_outputs: bool,
    /// Whether it is entered before the first step, which then runs it already.
    pub enters_early: bool,
    /// Whether integers wrap around, and do not saturate.
    pub wraps: bool,
    /// The sample time of a chart that is updated at times of its own; one that inherits its times has none.
    pub sample_time: Option<String>,
    /// Whether the script is that of an interpreted function, whose arrays may grow.
    pub interpreted: bool,
    /// Whether `&`, `|`, `^` and `~` of integers are operations on bits, in the C language.
    pub has_bits: bool,
    /// The code of a MATLAB Function block, which has nothing else.
    pub script: Option<String>,
    /// The function that a Truth Table block is: the place of its state.
    pub main: Option<usize>,
    /// What it has that is not supported, by name.
    pub unsupported: Option<String>,
    /// Its states. The place in the list identifies a state.
    pub states: Vec<State>,
    /// Its junctions.
    pub junctions: Vec<Junction>,
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// Its data.
    pub data: Vec<Data>,
    /// Its events.
    pub events: Vec<Event>,
    /// The names of its inputs and outputs, by port.
    pub inputs: Vec<String>,
    /// The names of its outputs, by port.
    pub outputs: Vec<String>,
}

/// A state, or a function that is drawn as one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The state around it.
    pub parent: Option<usize>,
    /// Its name and actions.
    pub label: String,
    /// What it is.
    pub kind: StateKind,
    /// Whether the states inside run side by side.
    pub parallel: bool,
    /// Its place among those that run side by side.
    pub order: i64,
    /// What a function does, if it is not drawn.
    pub code: Code,
}

/// What a function does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Code {
    /// What its transitions do.
    #[default]
    Drawn,
    /// A MATLAB function.
    Matlab(String),
    /// A truth table.
    Table(Table),
}

/// A truth table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// Whether its conditions and actions are in the MATLAB language, and not in the C language.
    pub matlab: bool,
    /// Its conditions. Each row has a description, a condition, and `T`, `F` or `-` for each decision; the last row has the actions.
    pub conditions: Vec<Vec<String>>,
    /// Its actions: descriptions and code.
    pub actions: Vec<Vec<String>>,
}

/// The kinds of states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StateKind {
    /// A state.
    #[default]
    State,
    /// A graphical function.
    Function,
    /// Something that groups or documents.
    Group,
}

/// A junction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Junction {
    /// The state around it.
    pub parent: Option<usize>,
    /// Whether it remembers the last active state.
    pub history: bool,
}

/// An end of a transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum End {
    /// A state.
    State(usize),
    /// A junction.
    Junction(usize),
    /// Nothing: a default transition has no source.
    #[default]
    None,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Transition {
    /// The state that it is drawn in.
    pub parent: Option<usize>,
    /// Where it starts.
    pub from: End,
    /// Where it ends.
    pub to: End,
    /// Event, condition and actions.
    pub label: String,
    /// Its place among those with the same source.
    pub order: i64,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Data {
    /// The function that it belongs to.
    pub parent: Option<usize>,
    /// Its name.
    pub name: String,
    /// Such as `INPUT_DATA`.
    pub scope: String,
    /// Its type.
    pub class: String,
    /// Its first value.
    pub initial: String,
    /// Its size.
    pub size: String,
    /// The index of its first element, in the C language.
    pub first: i64,
}

/// Where an event comes from, and where it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EventScope {
    /// The chart runs when it happens.
    #[default]
    Input,
    /// The chart sends it to the model.
    Output,
    /// One part of the chart sends it to another.
    Local,
}

/// An event of a chart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Event {
    /// The state that it belongs to.
    pub parent: Option<usize>,
    /// Its name.
    pub name: String,
    /// Where it comes from, and where it goes.
    pub scope: EventScope,
    /// When it happens: at an edge (`rising`, `falling`, `either`), or at a function call.
    pub trigger: String,
}

impl Chart {
    /// The events at which it runs; at every step if there are none.
    pub(crate) fn inputs_of_events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(|it| it.scope == EventScope::Input)
    }

    /// The names with a dot in its labels and code, such as `Color.Red`.
    pub(crate) fn dotted(&self) -> BTreeSet<String> {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let words = self.texts().flat_map(|it| it.split(move |c: char| !is_word(c)));
        let starts = |it: &str| it.starts_with(|c: char| c.is_alphabetic());
        let is_path =
            |it: &&str| it.split_once('.').is_some_and(|(a, b)| starts(a) && starts(b) && !b.contains('.'));
        words.filter(is_path).map(str::to_owned).collect()
    }

    /// Whether a name is anywhere in its labels and code.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        self.texts().any(|it| it.split(|c: char| !is_word(c)).any(|it| it == name))
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        let tables = self.states.iter().filter_map(|it| match &it.code {
            Code::Table(table) => Some(table.conditions.iter().chain(&table.actions).flatten()),
            Code::Matlab(_) | Code::Drawn => None,
        });
        let code = self.states.iter().filter_map(|it| match &it.code {
            Code::Matlab(text) => Some(text),
            Code::Table(_) | Code::Drawn => None,
        });
        let labels =
            self.states.iter().map(|it| &it.label).chain(self.transitions.iter().map(|it| &it.label));
        labels.chain(&self.script).chain(code).chain(tables.flatten())
    }

    /// An event that it sends to the model.
    pub(crate) fn output_event(&self, name: &str) -> Option<&Event> {
        self.events.iter().find(|it| it.scope == EventScope::Output && it.name == name)
    }

    /// An event between its parts.
    pub(crate) fn local_event(&self, name: &str) -> Option<&Event> {
        self.events.iter().find(|it| it.scope == EventScope::Local && it.name == name)
    }

    /// The events that are processed and may be counted: those at which it runs, and those between its parts.
    pub(crate) fn processed_events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(|it| it.scope != EventScope::Output)
    }
}

impl Data {
    /// Whether its type is a bus.
    pub(crate) fn is_bus(&self) -> bool {
        self.class.trim().starts_with("Bus:")
    }
}

impl Event {
    /// Whether it is a function call.
    pub(crate) fn is_call(&self) -> bool {
        self.trigger == "function-call"
    }
}

/// The charts of a model with the ports of their blocks, and the blocks.
pub(crate) fn instances(diagram: &Diagram) -> (Vec<Chart>, BTreeMap<BlockId, usize>) {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut charts, mut blocks) = (diagram.charts.clone(), BTreeMap::new());
    if charts.is_empty() {
        return (charts, blocks);
    }
    let prefix = format!("{}/", plain(&diagram.name));
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (number, chart) in charts.iter().enumerate() {
        places.entry(plain(&chart.name)).or_insert(number);
    }
    for (number, sheet) in (0..).zip(&diagram.sheets) {
        for (place, block) in (0..).zip(&sheet.blocks) {
            let id = BlockId { sheet: SheetId(number), number: place };
            if block.kind != BlockKind::SubSystem || block.inside.is_none() {
                continue;
            }
            let path = plain(&diagram.path(id));
            let path = path.strip_prefix(&prefix).unwrap_or(&path);
            let Some(&chart) = places.get(path) else { continue };
            if let Some(inside) = block.inside.and_then(|it| diagram.sheets.get(it.0 as usize)) {
                charts[chart].inputs = ports(diagram, inside, &BlockKind::Inport);
                charts[chart].outputs = ports(diagram, inside, &BlockKind::Outport);
            }
            blocks.insert(id, chart);
        }
    }
    (charts, blocks)
}

/// The names of ports, by number.
fn ports(diagram: &Diagram, sheet: &Sheet, kind: &BlockKind) -> Vec<String> {
    let number = |text: Option<&str>| text.unwrap_or("1").trim().parse::<u32>().unwrap_or(1);
    let found = sheet.blocks.iter().filter(|it| it.kind == *kind);
    let mut found: Vec<(u32, String)> =
        found.map(|it| (number(diagram.parameter(it, "Port")), it.name.clone())).collect();
    found.sort();
    // The port of a function call is named with parentheses.
    found.into_iter().map(|it| it.1.trim_end_matches("()").to_owned()).collect()
}
