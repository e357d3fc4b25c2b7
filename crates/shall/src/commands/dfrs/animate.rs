//! `shall dfrs animate`: the model run by hand. A command goes in, what happened comes out, for people or as JSON.

use super::{Loaded, fired, named};
use crate::cli::Output;
use crate::cli::dfrs::Animate;
use crate::{Outcome, json, print, render};
use dfrs::scenario::{Instant, Scenario};
use dfrs::step::{Deadline, Refusal, State, deadline, delay, initial, settle};
use dfrs::{Dfrs, Kind, Moment, Semantics, Sort, english};
use draw::signals::signals_svg;
use logic::{RBig, Value};
use serde_json::{Value as Json, json};
use std::io::{BufRead as _, IsTerminal as _};

/// One reaction may pass through so many states.
const MAX_REACTION: usize = 10_000;

const HELP: &str = "\
wait DELAY [NAME=VALUE ...]  let time go on, then change inputs
choose N                     take one of several outcomes
back                         undo the last step
show                         show the state
save FILE                    write the run as test vectors (.csv) or as a picture (.svg)
quit                         end";

pub(super) fn run(command: &Animate, output: Output) -> Result<Outcome, String> {
    let loaded = Loaded::read(&command.source)?;
    let Some(system) = loaded.system(output) else { return loaded.failed(output) };
    let mut run = Run::new(system, command.meaning.semantics());
    let human = output == Output::Human;
    let prompt = human && std::io::stdin().is_terminal();
    respond(output, &run, Ok(run.view()))?;
    if prompt {
        print(format_args!("{HELP}\n"))?;
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("standard input cannot be read: {error}"))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words[..] {
            [] => continue,
            ["quit" | "exit"] => break,
            ["help"] => Err(HELP.to_string()),
            ["show"] => Ok(run.view()),
            ["back"] => run.back(),
            ["choose", number] => run.choose(number),
            ["save", file] => run.save(file),
            ["wait", by, ref inputs @ ..] => run.wait(by, inputs),
            _ => Err(format!("there is no command `{}`; try `help`", render::visible(&line))),
        };
        respond(output, &run, answer)?;
    }
    Ok(Outcome::Fine)
}

fn respond(output: Output, run: &Run, answer: Result<View, String>) -> Result<(), String> {
    match output {
        Output::Human => match answer {
            Ok(view) => print(render::lines(&run.human(&view))),
            Err(reason) => print(format_args!("{}\n", render::lines(&reason))),
        },
        Output::Json | Output::JsonLines => {
            let twin = answer.map_or_else(|reason| json!({ "error": reason }), |view| run.document(&view));
            json::write(&[twin], Output::JsonLines, false)
        }
    }
}

/// A run so far. The last state is where it is.
struct Run<'s> {
    system: &'s Dfrs,
    semantics: Semantics,
    steps: Vec<(State, Vec<usize>)>,
    /// Outcomes to choose from; empty if there is nothing to choose.
    open: Vec<(Vec<usize>, State)>,
    /// Whether the last reaction never ends.
    endless: bool,
}

/// What is shown after a command.
struct View {
    deadline: Option<Deadline>,
}

impl<'s> Run<'s> {
    fn new(system: &'s Dfrs, semantics: Semantics) -> Run<'s> {
        let mut run = Run { system, semantics, steps: Vec::new(), open: Vec::new(), endless: false };
        run.arrive(initial(system));
        run
    }

    fn state(&self) -> Option<&State> {
        self.steps.last().map(|(state, _)| state)
    }

    fn view(&self) -> View {
        let state = self.state().filter(|_| self.open.is_empty());
        View { deadline: state.and_then(|state| deadline(self.system, self.semantics, state)) }
    }

    /// Lets the system react until it is stable.
    fn arrive(&mut self, state: State) {
        let settled = settle(self.system, self.semantics, state.clone(), MAX_REACTION);
        self.endless = settled.stable.is_empty();
        self.open = settled.stable;
        match self.open.len() {
            0 => self.steps.push((state, Vec::new())),
            1 => self.take(0),
            _ => {}
        }
    }

    fn take(&mut self, number: usize) {
        let (fired, state) = self.open.swap_remove(number);
        self.open.clear();
        self.steps.push((state, fired));
    }

    fn choose(&mut self, number: &str) -> Result<View, String> {
        let number = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match number.filter(|&number| number < self.open.len()) {
            Some(number) => {
                self.take(number);
                Ok(self.view())
            }
            None => Err("there is no such outcome".into()),
        }
    }

    fn back(&mut self) -> Result<View, String> {
        if !self.open.is_empty() && !self.steps.is_empty() {
            self.open.clear();
        } else if self.steps.len() > 1 {
            self.steps.pop();
        } else {
            return Err("this is the start".into());
        }
        self.endless = false;
        Ok(self.view())
    }

    fn wait(&mut self, by: &str, inputs: &[&str]) -> Result<View, String> {
        if !self.open.is_empty() {
            return Err("choose an outcome first".into());
        }
        let by = logic::parse_decimal(by).ok_or(format!("`{by}` is not a number"))?;
        let inputs = inputs.iter().map(|text| self.input(text)).collect::<Result<Vec<_>, _>>()?;
        let state = self.state().cloned().ok_or("the system never settles")?;
        let next =
            delay(self.system, self.semantics, &state, &by, &inputs).map_err(|it| self.refusal(&it))?;
        self.arrive(next);
        Ok(self.view())
    }

    /// `name=value`, with `_` for spaces in values.
    fn input(&self, text: &str) -> Result<(usize, Value), String> {
        let (name, value) = text.split_once('=').ok_or(format!("`{text}` is not of the form NAME=VALUE"))?;
        let inputs = || self.system.variables.iter().enumerate().filter(|(_, it)| it.kind == Kind::Input);
        let found = inputs().find(|(_, variable)| variable.name == name);
        let (place, variable) = found.ok_or_else(|| {
            let names: Vec<&str> = inputs().map(|(_, variable)| variable.name.as_str()).collect();
            format!("there is no input `{name}`; there are {}", names.join(", "))
        })?;
        let words = value.replace('_', " ");
        let value = match &variable.sort {
            Sort::Bool { word } => match words.as_str() {
                "true" | "1" => Some(Value::Bool(true)),
                "false" | "0" => Some(Value::Bool(false)),
                _ => word.as_ref().filter(|word| **word == words).map(|_| Value::Bool(true)),
            },
            Sort::Int | Sort::Real => logic::parse_decimal(&words).map(Value::Num),
            Sort::Names(names) => names.contains(&words).then_some(Value::Name(words)),
        };
        value.map(|value| (place, value)).ok_or(format!("`{name}` has no value `{}`", render::visible(text)))
    }

    fn refusal(&self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::Unstable => "the system reacts for ever: time cannot go on".into(),
            Refusal::NotPositive => "a delay is greater than 0".into(),
            Refusal::NotWhole => "a delay is a whole number; --dense allows others".into(),
            Refusal::Late(deadline) => format!("too long: {}", self.until(deadline)),
            Refusal::NotAnInput(variable) => {
                format!("`{}` is no input", self.system.variables[*variable].name)
            }
            Refusal::WrongSort(variable) => {
                format!("`{}` has no such value", self.system.variables[*variable].name)
            }
            Refusal::Restricted(number) => {
                format!("the environment never does that: {}", self.system.restrictions[*number].origin.text)
            }
        }
    }

    fn until(&self, deadline: &Deadline) -> String {
        let most = if deadline.included { "at most" } else { "less than" };
        let by = fired(self.system, &[deadline.entry]).concat();
        format!("{by} has to react after {most} {}", english::number(&deadline.delay))
    }

    /// Current values; of timers, how long they have run.
    fn values(&self, state: &State) -> Vec<(usize, Value)> {
        let value = |(place, variable): (usize, &dfrs::Variable)| {
            let value = match (&state.now[place], variable.kind) {
                (Value::Num(reset), Kind::Timer) => Value::Num(&state.clock - reset),
                (value, _) => value.clone(),
            };
            (place, value)
        };
        self.system.variables.iter().enumerate().map(value).collect()
    }

    fn facts(&self, state: &State) -> String {
        let fact =
            |(variable, value): &(usize, Value)| english::fact(self.system, *variable, Moment::Now, value);
        self.values(state).iter().map(fact).collect::<Vec<_>>().join("\n  ")
    }

    fn human(&self, view: &View) -> String {
        let mut out = String::new();
        for (number, (entries, state)) in self.open.iter().enumerate() {
            let by = fired(self.system, entries).join(", ");
            out.push_str(&format!("{}. by {by}:\n  {}\n", number + 1, self.facts(state)));
        }
        if !self.open.is_empty() {
            out.push_str("several outcomes are possible: `choose` one\n");
            return out;
        }
        let Some((state, entries)) = self.steps.last() else { return out };
        out.push_str(&format!("time {}", english::number(&state.clock)));
        let by = fired(self.system, entries);
        if !by.is_empty() {
            out.push_str(&format!(", after {}", by.join(", ")));
        }
        out.push_str(&format!("\n  {}\n", self.facts(state)));
        if self.endless {
            out.push_str("  the system reacts for ever: time cannot go on\n");
        }
        if let Some(deadline) = &view.deadline {
            out.push_str(&format!("  {}\n", self.until(deadline)));
        }
        out
    }

    fn document(&self, view: &View) -> Json {
        let state = |state: &State| {
            let values = self.values(state);
            json!({
                "time": english::number(&state.clock),
                "values": named(self.system, values.iter().map(|(variable, value)| (*variable, value))),
            })
        };
        let choices: Vec<Json> = self
            .open
            .iter()
            .map(|(entries, then)| json!({ "fired": fired(self.system, entries), "state": state(then) }))
            .collect();
        json!({
            "state": self.state().map(state),
            "fired": self.steps.last().map(|(_, entries)| fired(self.system, entries)),
            "choices": choices,
            "endless": self.endless,
            "deadline": view.deadline.as_ref().map(|deadline| json!({
                "delay": english::number(&deadline.delay),
                "included": deadline.included,
                "requirement": fired(self.system, &[deadline.entry]).concat(),
            })),
            "error": null,
        })
    }

    fn save(&self, file: &str) -> Result<View, String> {
        let text = match file.ends_with(".svg") {
            true => signals_svg(self.system, &self.scenario(), "").map_err(|refusal| refusal.to_string())?,
            false => self.vectors(),
        };
        std::fs::write(file, text).map(|()| self.view()).map_err(|error| format!("{file}: {error}"))
    }

    fn scenario(&self) -> Scenario {
        let of = |state: &State, kind: Kind| -> Vec<(usize, Value)> {
            let variables = self.system.variables.iter().enumerate().filter(|(_, it)| it.kind == kind);
            variables.map(|(place, _)| (place, state.now[place].clone())).collect()
        };
        let instant = |(state, fired): &(State, Vec<usize>)| Instant {
            time: state.clock.clone(),
            inputs: of(state, Kind::Input),
            fired: fired.clone(),
            outputs: of(state, Kind::Output),
        };
        Scenario { instants: self.steps.iter().map(instant).collect() }
    }

    /// The run as vectors that `shall dfrs replay` reads.
    fn vectors(&self) -> String {
        let shown = |(_, variable): &(usize, &dfrs::Variable)| variable.kind != Kind::Timer;
        let columns: Vec<(usize, &dfrs::Variable)> =
            self.system.variables.iter().enumerate().filter(shown).collect();
        let names: Vec<&str> = columns.iter().map(|(_, variable)| variable.name.as_str()).collect();
        let mut out = format!("time,{}\n", names.join(","));
        for (state, _) in &self.steps {
            let cell = |(place, _): &(usize, &dfrs::Variable)| match &state.now[*place] {
                Value::Bool(truth) => truth.to_string(),
                Value::Num(number) => english::number(number),
                Value::Name(name) => name.clone(),
            };
            let cells: Vec<String> = columns.iter().map(cell).collect();
            let clock: &RBig = &state.clock;
            out.push_str(&format!("{},{}\n", english::number(clock), cells.join(",")));
        }
        out
    }
}
