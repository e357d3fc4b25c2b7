//! `shall play`: requirements as a game that people play, step by step: as the component, as its environment, or as both.
//!
//! Commands come as lines of standard input or of a script, so that a play can be repeated. Whatever is not chosen by the user is
//! chosen by the other player: by a strategy that wins where there is one.

mod table;

use super::realize::contracts;
use crate::cli::Output;
use crate::cli::realize::{EndReading, Play, Side};
use crate::files::{is_standard, read_text, write_file};
use crate::json::Lasso;
use crate::render::visible;
use crate::workspace::Workspace;
use crate::{Error, Outcome, print};
use base::listed;
use project::Cache;
use project::set::component_set;
use realize::{Budget, Game, Order, Outcome as Verdict};
use requirement::{Reading, failure};
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;
use std::time::{Duration, Instant};
pub(crate) use table::Player;
use table::{Played, Table};

const HELP: &str = "\
NAME=VALUE …   choose these values; what is left out is chosen for you
(empty line)   leave this step to the strategy
auto N         leave the next N steps to the strategies
undo           take the last step back
save FILE      write the play as a trace (CSV), which `shall eval` reads
quit           end";

/// A play.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Transcript {
    /// `endless` or `any-end`.
    reading: &'static str,
    /// `mealy` or `moore`.
    order: &'static str,
    /// Who the user was: `system`, `environment` or `both`.
    side: &'static str,
    /// Who wins from the start if nobody makes a mistake: `realizable`, `unrealizable` or `unknown`.
    verdict: &'static str,
    /// What was demanded at each step, and what it cost.
    steps: Vec<PlayedStep>,
    /// The values of the play; `null` if there is no step.
    trace: Option<Lasso>,
    /// The requirements that the play violates, and why.
    violated: Vec<Broken>,
    /// What is chosen next; `null` if the play is over.
    next: Option<Turn>,
    /// What was said about the last command, such as an error.
    message: Option<String>,
    /// Requirements that are not part of the play, and why.
    left_out: Vec<Broken>,
}

/// A step of a play that is to be made.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Turn {
    /// The variables that the user chooses.
    choices: Vec<Variable>,
    /// What the other player has chosen already.
    known: BTreeMap<String, String>,
    /// What each requirement demands of the outputs, as far as the inputs are known.
    demands: Vec<Demanded>,
    /// Choices of single outputs after which the environment can force a violation, as `name=value`.
    losing: Vec<String>,
    /// Who wins from here: `realizable`, `unrealizable` or `unknown`.
    verdict: &'static str,
}

/// A variable that the user chooses.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Variable {
    /// Its name.
    pub(crate) name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub(crate) ty: String,
    /// All its values, if they are few.
    pub(crate) values: Vec<String>,
    /// Whether it is an output.
    pub(crate) output: bool,
}

/// A step of a play.
#[derive(Serialize, JsonSchema, Clone)]
pub(crate) struct PlayedStep {
    /// What each requirement demanded of the outputs after the inputs were known.
    demands: Vec<Demanded>,
    /// Choices of single outputs after which the environment can force a violation, as `name=value`.
    losing: Vec<String>,
    /// Who wins after this step: `realizable`, `unrealizable` or `unknown`.
    verdict: &'static str,
}

/// What a requirement demands at a step.
#[derive(Serialize, JsonSchema, Clone)]
pub(crate) struct Demanded {
    /// The id of the requirement.
    requirement: String,
    /// What must hold now; `null` if anything may.
    now: Option<String>,
    /// What must hold sooner or later; otherwise `null`.
    awaited: Option<String>,
}

/// A requirement that a play violates or leaves out.
#[derive(Serialize, JsonSchema, Clone)]
pub(crate) struct Broken {
    /// The id of the requirement.
    requirement: String,
    /// Why, in the words of the requirement.
    reason: String,
}

pub(crate) fn run(command: &Play, output: Output) -> Result<Outcome, Error> {
    if contracts::is_program(
        &command.path,
        command.component.as_deref(),
        &command.only,
        command.node.as_deref(),
    )? {
        return run_contract(command, output);
    }
    let workspace = Workspace::open(&command.path)?;
    let analysis = workspace.project.analyse(&mut Cache::default());
    let all: Vec<String> = analysis.components.iter().map(|it| it.name.clone()).collect();
    let name = command.component.clone().map_or_else(|| only(&all, "component"), Ok)?;
    let mut set =
        component_set(&workspace.project, &analysis, &name, &command.only).map_err(Error::refused)?;
    let played = set.game(reading(command));
    let left_out = set.left_out.iter().cloned().chain(played.refused.iter().map(|it| set.refused(it)));
    let left_out = left_out.map(|it| Broken { requirement: it.id, reason: it.reason }).collect();
    let violation = |guarantee: usize, trace: Option<&logic::Trace>| {
        let it = &set.members[played.members[guarantee]];
        let fields = analysis.at(it.place).and_then(|it| it.reading.as_ref()).map(|it| &it.parsed.fields);
        let reason = fields
            .zip(trace)
            .and_then(|(fields, trace)| failure(&set.store, &it.requirement, fields, trace).ok().flatten());
        reason.unwrap_or_else(|| UNEXPLAINED.to_owned())
    };
    play(command, output, Playing { game: played.game, left_out, violation: &violation })
}

/// Plays with the contract of a node.
fn run_contract(command: &Play, output: Output) -> Result<Outcome, Error> {
    let games = contracts::games(&command.path, command.node.as_deref())?;
    let all: Vec<String> = games.iter().map(|it| it.0.clone()).collect();
    let name = only(&all, "node")?;
    let game = games.into_iter().find(|it| it.0 == name).map(|it| it.1).unwrap_or_default();
    let violation = |_: usize, _: Option<&logic::Trace>| UNEXPLAINED.to_owned();
    play(command, output, Playing { game, left_out: Vec::new(), violation: &violation })
}

/// Why a requirement is violated, if there are no words for it.
const UNEXPLAINED: &str = "a step of the play violates it";

/// The only one of some names.
pub(super) fn only(all: &[String], what: &str) -> Result<String, Error> {
    let [only] = all else {
        let names = listed(all.iter().map(|it| visible(it)));
        return Err(Error::Usage(format!("which {what}? `--{what}` names one of {names}")));
    };
    Ok(only.clone())
}

fn reading(command: &Play) -> Reading {
    match command.reading {
        EndReading::Endless => Reading::Endless,
        EndReading::AnyEnd => Reading::AnyEnd,
    }
}

/// What is played.
struct Playing<'a> {
    game: Game,
    left_out: Vec<Broken>,
    /// Why a trace violates a guarantee.
    violation: Violation<'a>,
}

type Violation<'a> = &'a dyn Fn(usize, Option<&logic::Trace>) -> String;

fn play(command: &Play, output: Output, playing: Playing) -> Result<Outcome, Error> {
    let order = if command.moore { Order::Moore } else { Order::Mealy };
    let begun = Instant::now();
    let timeout = Duration::from_secs(command.timeout);
    let stop = || begun.elapsed() > timeout;
    let budget = Budget { stop: &stop, ..Budget::DEFAULT };
    let Playing { game, left_out, violation } = playing;
    let table = Table::new(game, order, budget, command.seed);
    let verdict = word(&table.verdict(&[]));
    let mut dialogue = Dialogue {
        table,
        side: command.side,
        reading: reading(command).name(),
        output,
        verdict,
        steps: Vec::new(),
        left_out,
        violation,
        message: RefCell::default(),
        echoes: false,
    };
    if output == Output::Human {
        for it in &dialogue.left_out {
            let (id, reason) = (visible(&it.requirement), visible(&it.reason));
            print(format_args!("{id} is not part of the play: {reason}\n"))?;
        }
        print(dialogue.opening())?;
    }
    let last = dialogue.read(&command.script)?;
    if let Some(file) = &command.save {
        dialogue.save(file)?;
    }
    let transcript = dialogue.transcript(&last);
    if output != Output::JsonLines {
        output.show(|| closing(&transcript, dialogue.table.trace().as_ref()), || &transcript)?;
    }
    Ok(if transcript.violated.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

fn closing(transcript: &Transcript, trace: Option<&logic::Trace>) -> String {
    let mut out = String::new();
    if let Some(trace) = trace {
        out += &format!("\n{}", draw::table::text(trace));
    }
    for it in &transcript.violated {
        out += &format!("{} is violated: {}\n", visible(&it.requirement), visible(&it.reason));
    }
    if transcript.violated.is_empty() {
        out += "no requirement is violated\n";
    }
    out
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Realizable => "realizable",
        Verdict::Unrealizable => "unrealizable",
        Verdict::Unknown(_) => "unknown",
    }
}

/// A play with its user.
struct Dialogue<'b> {
    table: Table<'b>,
    side: Side,
    reading: &'static str,
    output: Output,
    /// Who wins from the start.
    verdict: &'static str,
    steps: Vec<PlayedStep>,
    left_out: Vec<Broken>,
    violation: Violation<'b>,
    /// What was said since the last line, if the answers are lines.
    message: RefCell<String>,
    /// Whether commands are written after the prompt, because nobody typed them there.
    echoes: bool,
}

impl Dialogue<'_> {
    fn opening(&self) -> String {
        let how = match self.table.verdict(&[]) {
            Verdict::Realizable => {
                "the component can satisfy all requirements, whatever the environment does".to_owned()
            }
            Verdict::Unrealizable => {
                "the environment can violate the requirements, whatever the component does".to_owned()
            }
            Verdict::Unknown(gap) => format!("who wins is not known: {gap}"),
        };
        let you = match self.side {
            Side::System => "you are the component and choose",
            Side::Environment => "you are the environment and choose",
            Side::Both => "you are the environment and the component, and choose",
        };
        let names = self.table.names(self.players().into_iter().filter(|it| self.side.plays(*it)));
        format!("{how}\n{you} {}; `help` lists the commands\n", listed(names))
    }

    fn players(&self) -> [Player; 2] {
        match self.table.order {
            Order::Mealy => [Player::Environment, Player::System],
            Order::Moore => [Player::System, Player::Environment],
        }
    }

    /// Follows the commands; returns what the other player has chosen after the last one.
    fn read(&mut self, script: &Path) -> Result<Played, Error> {
        if !is_standard(script) {
            self.echoes = true;
            let text = read_text(script)?;
            return self.follow(&mut text.lines().map(|line| Ok(line.to_owned())));
        }
        let input = std::io::stdin();
        self.echoes = !input.is_terminal();
        let lines = input.lock().lines();
        self.follow(&mut lines.map(|line| line.map_err(|error| Error::Read("standard input".into(), error))))
    }

    fn follow(&mut self, lines: &mut dyn Iterator<Item = Result<String, Error>>) -> Result<Played, Error> {
        let mut known = self.begin()?;
        loop {
            self.prompt(&known)?;
            let Some(line) = lines.next().transpose()? else { return Ok(known) };
            if self.echoes && self.output == Output::Human {
                print(format_args!("{}\n", visible(&line)))?;
            }
            let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
            match words[..] {
                ["quit" | "exit"] => return Ok(known),
                ["help"] => self.say(&format!("{HELP}\n"))?,
                ["undo" | "back"] => match self.table.undo() {
                    true => {
                        self.steps.pop();
                        known = self.begin()?;
                    }
                    false => self.say("this is the first step\n")?,
                },
                ["save", file] => {
                    let saved = self.save(Path::new(file));
                    self.answered(saved)?;
                }
                _ if self.table.is_over() => {
                    self.say("a requirement is violated: `undo`, `save FILE` or `quit`\n")?
                }
                ["auto", count] => {
                    let count: usize = count.parse().unwrap_or(1).min(table::LONGEST);
                    for _ in 0..count {
                        if self.table.is_over() || !self.step(&mut known, &[])? {
                            break;
                        }
                        known = self.begin()?;
                    }
                }
                ref chosen => {
                    if self.step(&mut known, chosen)? {
                        known = self.begin()?;
                    }
                }
            }
        }
    }

    fn answered(&self, result: Result<(), Error>) -> Result<(), Error> {
        match result {
            Ok(()) => Ok(()),
            Err(error) => self.say(&format!("error: {}\n", visible(&error.to_string()))),
        }
    }

    fn say(&self, text: &str) -> Result<(), Error> {
        match self.output {
            Output::Human => print(text),
            Output::Json => Ok(()),
            Output::JsonLines => {
                self.message.borrow_mut().push_str(text);
                Ok(())
            }
        }
    }

    /// Asks for the next command.
    fn prompt(&self, known: &Played) -> Result<(), Error> {
        match self.output {
            Output::Human => print("> "),
            Output::Json => Ok(()),
            Output::JsonLines => print(self.output.text(&self.transcript(known)) + "\n"),
        }
    }

    /// The play so far.
    fn transcript(&self, known: &Played) -> Transcript {
        let trace = self.table.trace();
        let broken = |it: usize| Broken {
            requirement: self.table.id(it).to_owned(),
            reason: (self.violation)(it, trace.as_ref()),
        };
        let violated = self.table.violated().into_iter().map(broken);
        let message = self.message.take();
        Transcript {
            reading: self.reading,
            order: self.table.order.name(),
            side: self.side.name(),
            verdict: self.verdict,
            steps: self.steps.clone(),
            violated: violated.collect(),
            trace: trace.as_ref().map(Lasso::from),
            next: (self.output != Output::Human && !self.table.is_over()).then(|| self.turn(known)),
            message: Some(message.trim().to_owned()).filter(|message| !message.is_empty()),
            left_out: self.left_out.clone(),
        }
    }

    fn turn(&self, known: &Played) -> Turn {
        Turn {
            choices: self.table.choices(&|player| self.side.plays(player)),
            known: self.table.named(known).into_iter().collect(),
            demands: self.demands(known),
            losing: self.losing(known),
            verdict: word(&self.table.verdict(known)),
        }
    }

    /// Lets the other player begin a step, if it is its turn, and shows what is demanded.
    fn begin(&mut self) -> Result<Played, Error> {
        let mut known = Played::default();
        if self.table.is_over() {
            return Ok(known);
        }
        let [first, _] = self.players();
        if !self.side.plays(first) {
            match self.table.chosen(first, &known) {
                Some(values) => known = values,
                None => self.say("no input that keeps the assumptions was found; `undo` or `quit`\n")?,
            }
        }
        if self.output == Output::Human {
            print(self.situation(&known))?;
        }
        Ok(known)
    }

    /// What is known, demanded and lost at this step.
    fn situation(&self, known: &Played) -> String {
        let mut out = format!("\nstep {}: {}\n", self.table.len(), self.table.shown(known));
        if !self.side.plays(Player::System) {
            return out;
        }
        for it in self.demands(known) {
            if let Some(now) = &it.now {
                out += &format!("  {} demands {}\n", visible(&it.requirement), visible(now));
            }
            if let Some(awaited) = &it.awaited {
                out += &format!("  {} awaits {}\n", visible(&it.requirement), visible(awaited));
            }
        }
        match self.table.verdict(known) {
            Verdict::Realizable => {
                let losing = self.losing(known);
                if !losing.is_empty() {
                    out += &format!("  you lose with {}\n", losing.join(", "));
                }
            }
            Verdict::Unrealizable => out += "  every choice loses: the environment can force a violation\n",
            Verdict::Unknown(gap) => out += &format!("  which choices lose is not known: {gap}\n"),
        }
        out
    }

    fn demands(&self, known: &Played) -> Vec<Demanded> {
        let demands = self.table.demands(known);
        demands
            .into_iter()
            .map(|(requirement, it)| Demanded { requirement, now: it.now, awaited: it.awaited })
            .collect()
    }

    fn losing(&self, known: &Played) -> Vec<String> {
        self.table.losing(known).into_iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    /// Makes a step with the values that the user gives; returns whether it was made.
    fn step(&mut self, known: &mut Played, words: &[&str]) -> Result<bool, Error> {
        let mine = |player: Player| self.side.plays(player);
        let mut all = known.clone();
        for word in words {
            match self.table.parsed(word, &|player| mine(player)) {
                Ok(value) => all.set(value),
                Err(error) => {
                    self.say(&format!("error: {}\n", visible(&error)))?;
                    return Ok(false);
                }
            }
        }
        for player in self.players() {
            if let Some(values) = self.table.chosen(player, &all) {
                all = values;
            }
        }
        if !self.table.is_complete(&all) {
            self.say("error: no values were found for the rest; choose more of them\n")?;
            return Ok(false);
        }
        if !self.table.is_allowed(&all) {
            self.say("error: these values break an assumption, or a declared range\n")?;
            return Ok(false);
        }
        let inputs = self.table.inputs(&all);
        let (demands, losing) = (self.demands(&inputs), self.losing(&inputs));
        if self.output == Output::Human {
            print(format_args!("step {}: {}\n", self.table.len(), self.table.shown(&all)))?;
        }
        let violated = self.table.play(all);
        let verdict = if violated.is_empty() { word(&self.table.verdict(&[])) } else { "unrealizable" };
        self.steps.push(PlayedStep { demands, losing, verdict });
        if !violated.is_empty() {
            let names = listed(violated.iter().map(|it| visible(it)));
            self.say(&format!("  this violates {names}\n"))?;
        }
        Ok(true)
    }

    fn save(&self, file: &Path) -> Result<(), Error> {
        let Some(trace) = self.table.trace() else { return Err(Error::usage("there is no step to save")) };
        write_file(file, draw::table::csv(&trace))
    }
}
