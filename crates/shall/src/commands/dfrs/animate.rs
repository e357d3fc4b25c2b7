//! `shall dfrs animate`: the model run step by step: commands in, reactions out, for people or as JSON.

use super::{Loaded, fired, named};
use crate::cli::Output;
use crate::cli::dfrs::{Animate, Dialogue};
use crate::files::write_file;
use crate::json::Values;
use crate::{Error, Outcome, print, render};
use dfrs::scenario::{Instant, Scenario};
use dfrs::step::{Deadline, Refusal, State, deadline, delay, initial, settle};
use dfrs::{Dfrs, Kind, Moment, Semantics, Sort, english};
use draw::signals::signals_svg;
use logic::{RBig, Value};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;

/// The most states that one reaction may pass through.
const MAX_REACTION: usize = 10_000;

const HELP: &str = "\
wait DELAY [NAME=VALUE ...]  let time pass, then change inputs
choose N                     take one of several outcomes
back                         undo the last step
show                         show the state
save FILE                    write the run as test vectors (.csv) or as a picture (.svg)
quit                         end";

pub(super) fn run(command: &Animate, output: Dialogue) -> Result<Outcome, Error> {
    let loaded = Loaded::read(&command.source)?;
    let plain = match output {
        Dialogue::Human => Output::Human,
        Dialogue::JsonLines => Output::JsonLines,
    };
    let Some(system) = loaded.system(plain) else { return loaded.failed(plain) };
    let mut run = Run::new(system, command.meaning.semantics());
    let prompt = output == Dialogue::Human && std::io::stdin().is_terminal();
    respond(plain, &run, Ok(run.view()))?;
    if prompt {
        print(format_args!("{HELP}\n"))?;
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Error::Read("standard input".into(), error))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words[..] {
            [] => continue,
            ["quit" | "exit"] => break,
            ["help"] => Err(Error::usage(HELP)),
            ["show"] => Ok(run.view()),
            ["back"] => run.back(),
            ["choose", number] => run.choose(number),
            ["save", file] => run.save(file),
            ["wait", by, ref inputs @ ..] => run.wait(by, inputs),
            _ => Err(Error::Usage(format!("unknown command `{}`; try `help`", render::visible(&line)))),
        };
        respond(plain, &run, answer)?;
    }
    Ok(Outcome::Fine)
}

fn respond(output: Output, run: &Run, answer: Result<View, Error>) -> Result<(), Error> {
    let (human, document) = match answer {
        Ok(view) => (run.human(&view), Shown { view: Some(run.document(&view)), error: None }),
        Err(reason) => (format!("{reason}\n"), Shown { view: None, error: Some(reason.to_string()) }),
    };
    output.show(|| render::lines(&human), || document)
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

    fn choose(&mut self, number: &str) -> Result<View, Error> {
        let number = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match number.filter(|&number| number < self.open.len()) {
            Some(number) => {
                self.take(number);
                Ok(self.view())
            }
            None => Err(Error::usage("there is no such outcome")),
        }
    }

    fn back(&mut self) -> Result<View, Error> {
        if !self.open.is_empty() && !self.steps.is_empty() {
            self.open.clear();
        } else if self.steps.len() > 1 {
            self.steps.pop();
        } else {
            return Err(Error::usage("this is the start"));
        }
        self.endless = false;
        Ok(self.view())
    }

    fn wait(&mut self, by: &str, inputs: &[&str]) -> Result<View, Error> {
        if !self.open.is_empty() {
            return Err(Error::usage("choose an outcome first"));
        }
        let by = logic::parse_decimal(by).ok_or_else(|| Error::Usage(format!("`{by}` is not a number")))?;
        let inputs = inputs.iter().map(|text| self.input(text)).collect::<Result<Vec<_>, _>>()?;
        let state = self.state().cloned().ok_or_else(|| Error::refused("the system never settles"))?;
        let next =
            delay(self.system, self.semantics, &state, &by, &inputs).map_err(|it| self.refusal(&it))?;
        self.arrive(next);
        Ok(self.view())
    }

    /// `name=value`, with `_` for spaces in values.
    fn input(&self, text: &str) -> Result<(usize, Value), Error> {
        let malformed = || Error::Usage(format!("`{text}` is not of the form NAME=VALUE"));
        let (name, value) = text.split_once('=').ok_or_else(malformed)?;
        let inputs = || self.system.variables.iter().enumerate().filter(|(_, it)| it.kind == Kind::Input);
        let found = inputs().find(|(_, variable)| variable.name == name);
        let (place, variable) = found.ok_or_else(|| {
            let names: Vec<&str> = inputs().map(|(_, variable)| variable.name.as_str()).collect();
            Error::Usage(format!("there is no input `{name}`; there are {}", names.join(", ")))
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
        let unknown = || Error::Usage(format!("`{name}` has no value `{}`", render::visible(text)));
        value.map(|value| (place, value)).ok_or_else(unknown)
    }

    fn refusal(&self, refusal: &Refusal) -> Error {
        Error::Refused(match refusal {
            Refusal::Unstable => "the system reacts for ever: time cannot pass".into(),
            Refusal::NotPositive => "a delay must be greater than 0".into(),
            Refusal::NotWhole => "a delay must be an integer; --dense allows others".into(),
            Refusal::Late(deadline) => format!("too long: {}", self.until(deadline)),
            Refusal::NotAnInput(variable) => {
                format!("`{}` is not an input", self.system.variables[*variable].name)
            }
            Refusal::WrongSort(variable) => {
                format!("`{}` has no such value", self.system.variables[*variable].name)
            }
            Refusal::Restricted(number) => {
                format!("the environment never does that: {}", self.system.restrictions[*number].origin.text)
            }
        })
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
            out.push_str("  the system reacts for ever: time cannot pass\n");
        }
        if let Some(deadline) = &view.deadline {
            out.push_str(&format!("  {}\n", self.until(deadline)));
        }
        out
    }

    fn document(&self, view: &View) -> Situation {
        let state = |state: &State| {
            let values = self.values(state);
            let values = named(self.system, values.iter().map(|(variable, value)| (*variable, value)));
            Snapshot { time: english::number(&state.clock), values }
        };
        let choice = |(entries, then): &(Vec<usize>, State)| Choice {
            fired: fired(self.system, entries),
            state: state(then),
        };
        Situation {
            state: self.state().map(state),
            fired: self.steps.last().map(|(_, entries)| fired(self.system, entries)),
            choices: self.open.iter().map(choice).collect(),
            endless: self.endless,
            deadline: view.deadline.as_ref().map(|deadline| Due {
                delay: english::number(&deadline.delay),
                included: deadline.included,
                requirement: fired(self.system, &[deadline.entry]).concat(),
            }),
        }
    }

    fn save(&self, file: &str) -> Result<View, Error> {
        let text = match file.ends_with(".svg") {
            true => signals_svg(self.system, &self.scenario(), "")
                .map_err(|refusal| Error::Refused(refusal.to_string()))?,
            false => self.vectors(),
        };
        write_file(Path::new(file), text).map(|()| self.view())
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

/// What is shown at the start and after each command. After a command that failed, only `error` is there.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Shown {
    #[serde(flatten)]
    view: Option<Situation>,
    /// Why a command failed, or `null`.
    error: Option<String>,
}

/// Where a run is.
#[derive(Serialize, JsonSchema)]
struct Situation {
    /// The state.
    state: Option<Snapshot>,
    /// The ids of the requirements that reacted last.
    fired: Option<Vec<String>>,
    /// The outcomes to choose from; empty if there is nothing to choose.
    choices: Vec<Choice>,
    /// Whether the last reaction never ends.
    endless: bool,
    /// When the system has to react, or `null`.
    deadline: Option<Due>,
}

/// A state.
#[derive(Serialize, JsonSchema)]
struct Snapshot {
    /// The time.
    time: String,
    /// The values of the variables; of timers, the time since they were started.
    values: Values,
}

/// A possible outcome.
#[derive(Serialize, JsonSchema)]
struct Choice {
    /// The ids of the requirements that react.
    fired: Vec<String>,
    /// The state afterwards.
    state: Snapshot,
}

/// When the system has to react.
#[derive(Serialize, JsonSchema)]
struct Due {
    /// The longest delay.
    delay: String,
    /// Whether that delay itself is possible.
    included: bool,
    /// The id of the requirement that reacts.
    requirement: String,
}
