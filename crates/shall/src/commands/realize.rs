//! `shall realize`: requirements judged together, component by component, with conflicts and plays.

pub(crate) mod contracts;
mod show;

use crate::cli::Output;
use crate::cli::realize::{EndReading, Realize};
use crate::json::{Lasso, LeftOut};
use crate::solver::Driver;
use crate::workspace::Workspace;
use crate::{Error, Outcome};
use logic::Trace;
use project::set::{ComponentSet, component_set};
use project::{Analysis, Cache, Place, Project};
use realize::{
    Answer, Budget, Change, Config, Due, FoundConflict, Game, Guarantee, Judged, Order, Outcome as Verdict,
    Repair, assumptions_possible, due, ladder, report,
};
use requirement::oracle::judge;
use requirement::{Reading, failure};
use schemars::JsonSchema;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Whether any implementation can satisfy requirements together.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Realized {
    /// `endless`: runs go on for ever; `any-end`: a run may end after any step, as in FRET.
    reading: &'static str,
    /// `mealy`: outputs may depend on the inputs of the same step; `moore`: only on earlier ones.
    order: &'static str,
    /// `realizable`, `unrealizable` or `unknown`, for everything together.
    verdict: &'static str,
    /// The time it took.
    seconds: f64,
    /// Groups of requirements that share outputs.
    components: Vec<Group>,
    /// Requirements that could not be judged; the verdict says nothing about them.
    not_judged: Vec<LeftOut>,
    /// Variables whose role is not declared; it was inferred from their use.
    inferred: Vec<String>,
    /// Components whose assumptions the environment cannot always keep: they may be realizable for that reason alone.
    stuck: Vec<String>,
}

/// Requirements that share outputs.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Group {
    /// The component of the project, or the node.
    component: String,
    /// The ids of the requirements.
    requirements: Vec<String>,
    /// The outputs that they share.
    outputs: Vec<String>,
    /// `realizable`, `unrealizable` or `unknown`.
    verdict: &'static str,
    /// Why the verdict is `unknown`; otherwise `null`.
    reason: Option<String>,
    /// `checked`, or why the certificate of the verdict was not checked; `null` if there is no verdict.
    certificate: Option<String>,
    /// Sets of requirements that are unrealizable although each smaller set is realizable.
    conflicts: Vec<Conflict>,
    /// Why there may be more conflicts; otherwise `null`.
    more: Option<String>,
    /// The answers to `--questions`; otherwise `null`.
    questions: Option<Questions>,
}

/// More about a group. Each answer is `yes`, `no`, or `unknown: ` with the reason.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Questions {
    /// Whether all requirements and assumptions have a run in common.
    consistent: String,
    /// Whether every finite run that keeps everything can go on.
    free_of_dead_ends: String,
    /// Whether the environment can always keep the assumptions.
    assumptions_possible: String,
    /// Whether they can be kept after every run that keeps them so far, so that the component cannot lead the environment into a state
    /// in which it must break them.
    well_separated: String,
    /// The answers about each requirement.
    requirements: Vec<AboutRequirement>,
}

/// More about a requirement in its group.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AboutRequirement {
    /// The id of the requirement.
    id: String,
    /// Whether it has a run of its own.
    satisfiable: String,
    /// How its trigger can come about against a component that wins: `forced` by the environment, `needs the system`, `impossible`,
    /// or `unknown: ` with the reason; `null` if the group is not realizable.
    trigger: Option<String>,
    /// Whether it follows from the other requirements of the group.
    redundant: String,
}

impl Questions {
    fn new(part: &Game, order: Order, budget: Budget) -> Questions {
        let ladder = ladder(part, order, budget);
        let word = |it: &Answer| match it {
            Ok(true) => "yes".to_owned(),
            Ok(false) => "no".to_owned(),
            Err(gap) => format!("unknown: {gap}"),
        };
        let about = |(place, it): (usize, &Guarantee)| AboutRequirement {
            id: it.id.clone(),
            satisfiable: word(&ladder.satisfiable[place]),
            trigger: ladder.triggers.get(place).map(|it| match it {
                Ok(trigger) => trigger.name().to_owned(),
                Err(gap) => format!("unknown: {gap}"),
            }),
            redundant: word(&ladder.redundant[place]),
        };
        Questions {
            consistent: word(&ladder.consistent),
            free_of_dead_ends: word(&ladder.free_of_dead_ends),
            assumptions_possible: word(&ladder.assumptions_possible),
            well_separated: word(&ladder.well_separated),
            requirements: part.guarantees.iter().enumerate().map(about).collect(),
        }
    }
}

/// Requirements that no implementation satisfies together.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Conflict {
    /// The ids of the requirements.
    requirements: Vec<String>,
    /// Those of them that are not shown to be needed for the conflict.
    not_shown_needed: Vec<String>,
    /// A play that the component cannot win: each input is the environment's choice, each output one choice of the component; at the
    /// last step no choice satisfies all of these requirements. `null` if there is none to show.
    trace: Option<Lasso>,
    /// The same as a table.
    #[serde(skip)]
    table: String,
    /// What each requirement leaves of the outputs at the last step.
    demands: Vec<Demand>,
    /// Which requirements the play violates, and why.
    violated: Vec<Violation>,
    /// Ways out, each of which was tried.
    repairs: Vec<ShownRepair>,
}

/// A way out of a conflict.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownRepair {
    /// `duration`, `assumption`, `exemption` or `drop`.
    kind: &'static str,
    /// What to do.
    text: String,
    /// Whether all requirements of the group are then realizable together; otherwise only those of the conflict.
    whole_group: bool,
}

impl ShownRepair {
    fn new<'a>(
        repair: &Repair,
        set: &ComponentSet,
        component: &str,
        sentence: &dyn Fn(usize) -> Option<Sentence<'a>>,
    ) -> ShownRepair {
        let id = |member: usize| &set.members[member].id;
        match repair {
            Repair::Duration { member, from, to, whole } => ShownRepair {
                kind: "duration",
                text: format!("change the duration of {} from {from} to {to} steps", id(*member)),
                whole_group: *whole,
            },
            Repair::Assumption { inputs, whole } => {
                let literal = |(name, value): &(String, String)| match value.as_str() {
                    "true" => name.clone(),
                    "false" => format!("!{name}"),
                    value => format!("{name} = {value}"),
                };
                let together: Vec<String> = inputs.iter().map(literal).collect();
                let text = format!("assume: the {component} shall never satisfy ({})", together.join(" & "));
                ShownRepair { kind: "assumption", text, whole_group: *whole }
            }
            Repair::Exemption { member, other, change, whole } => {
                let due = due(&set.members[*other].requirement, &set.members[*member].requirement);
                let both = sentence(*member).zip(sentence(*other)).zip(due);
                let text = both.and_then(|((it, other), due)| it.exempted(&other, due, *change));
                let text = match text {
                    Some(text) => format!("change {} to: {text}", id(*member)),
                    None => format!("exempt {} while {} is due", id(*member), id(*other)),
                };
                ShownRepair { kind: "exemption", text, whole_group: *whole }
            }
            Repair::Drop { member, whole } => ShownRepair {
                kind: "drop",
                text: format!("drop or weaken {}", id(*member)),
                whole_group: *whole,
            },
        }
    }
}

/// A sentence of the project.
struct Sentence<'a> {
    text: &'a str,
    fields: &'a requirement::Fields,
}

impl Sentence<'_> {
    /// The sentence for which another one takes precedence.
    fn exempted(&self, other: &Sentence, due: Due, change: Change) -> Option<String> {
        let (mode, condition) = (&other.fields.scope_mode, &other.fields.condition);
        let condition = condition.as_ref().map(|it| it.text.as_str());
        let due = match (due, mode) {
            (Due::Condition, _) => condition?.to_owned(),
            (Due::Mode, Some(mode)) => mode.text.clone(),
            (Due::Both, Some(mode)) => format!("{} & {}", operand(&mode.text), operand(condition?)),
            (Due::Mode | Due::Both, None) => return None,
        };
        let is_name = due.chars().all(|it| it.is_alphanumeric() || it == '_');
        let free = if is_name { format!("!{due}") } else { format!("!({due})") };
        let (span, new) = match change {
            Change::Condition => {
                let field = self.fields.condition.as_ref()?;
                let span = field.span;
                let keyword = self.text.get(span.start as usize..)?.split_whitespace().next()?;
                (span, format!("{keyword} {} & {free}", operand(&field.text)))
            }
            Change::Response => {
                let field = self.fields.response.as_ref()?;
                (field.span, format!("if {free} then {}", operand(&field.text)))
            }
        };
        let (before, after) = (self.text.get(..span.start as usize)?, self.text.get(span.end as usize..)?);
        let text = format!("{before}{new}{after}");
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// An expression as an operand of a conjunction, or after `then`.
fn operand(text: &str) -> String {
    let binds = |it: &str| text.contains(it);
    if binds("|") || binds("=>") || binds("xor") { format!("({text})") } else { text.to_owned() }
}

/// What a requirement leaves of the outputs at a step.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Demand {
    /// The id of the requirement.
    requirement: String,
    /// The values that it leaves.
    leaves: String,
}

/// A requirement that a play violates.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Violation {
    /// The id of the requirement.
    requirement: String,
    /// Why, in the words of the requirement.
    reason: String,
}

pub(crate) fn run(command: &Realize, output: Output) -> Result<Outcome, Error> {
    let begun = Instant::now();
    let reading = match command.reading {
        EndReading::Endless => Reading::Endless,
        EndReading::AnyEnd => Reading::AnyEnd,
    };
    let order = if command.moore { Order::Moore } else { Order::Mealy };
    let driver = Driver::chosen(&command.solver)?;
    let timeout = Duration::from_secs(command.timeout);
    let left = || timeout.saturating_sub(begun.elapsed());
    let stop = || left().is_zero();
    let budget = Budget { stop: &stop, ..Budget::DEFAULT };
    let config = Config { order, budget, left: &left, solver: &driver, all_conflicts: command.conflicts };
    let mut realized = Realized {
        reading: reading.name(),
        order: order.name(),
        verdict: "realizable",
        seconds: 0.0,
        components: Vec::new(),
        not_judged: Vec::new(),
        inferred: Vec::new(),
        stuck: Vec::new(),
    };
    let mut texts = show::Texts::default();
    if contracts::is_program(
        &command.path,
        command.component.as_deref(),
        &command.only,
        command.node.as_deref(),
    )? {
        realized.add_program(command, config)?;
    } else {
        realized.add_project(command, reading, config, &mut texts)?;
    }
    realized.seconds = begun.elapsed().as_secs_f64();
    realized.verdict = realized.together();
    let outcome = match (realized.verdict, realized.not_judged.is_empty()) {
        ("unrealizable", _) => Outcome::Findings,
        ("realizable", true) => Outcome::Fine,
        _ => Outcome::Inconclusive,
    };
    output.show(|| show::human(&realized, &texts), || &realized)?;
    Ok(outcome)
}

impl Realized {
    /// What is unrealizable in part is unrealizable as a whole; what is unknown in part is realizable nowhere.
    fn together(&self) -> &'static str {
        let any = |verdict: &str| self.components.iter().any(|it| it.verdict == verdict);
        match (any("unrealizable"), any("unknown")) {
            (true, _) => "unrealizable",
            (false, true) => "unknown",
            (false, false) => "realizable",
        }
    }

    fn add_project(
        &mut self,
        command: &Realize,
        reading: Reading,
        config: Config,
        texts: &mut show::Texts,
    ) -> Result<(), Error> {
        let workspace = Workspace::open(&command.path)?;
        let project = &workspace.project;
        let analysis = project.analyse(&mut Cache::default());
        let names: Vec<String> = match &command.component {
            Some(name) => vec![name.clone()],
            None => analysis.components.iter().map(|it| it.name.clone()).collect(),
        };
        for (done, name) in names.iter().enumerate() {
            config.shared(names.len() - done, |config| {
                self.add_component(command, (project, &analysis, name), (reading, config), texts)
            })?;
        }
        Ok(())
    }

    fn add_component(
        &mut self,
        command: &Realize,
        (project, analysis, name): (&Project, &Analysis, &str),
        (reading, config): (Reading, Config),
        texts: &mut show::Texts,
    ) -> Result<(), Error> {
        let mut set = component_set(project, analysis, name, &command.only).map_err(Error::refused)?;
        let played = set.game(reading);
        let refused = played.refused.iter().map(|it| set.refused(it));
        let left_out = set.left_out.iter().cloned().chain(refused);
        self.not_judged.extend(left_out.map(|it| LeftOut { id: it.id, reason: it.reason }));
        self.inferred.extend(set.inferred.iter().cloned());
        if assumptions_possible(&played.game, config.budget) == Ok(false) {
            self.stuck.push(name.to_owned());
        }
        for it in &set.members {
            texts.add(&it.id, project.sentence(it.place).unwrap_or_default());
        }
        let places: Vec<Place> = set.members.iter().map(|it| it.place).collect();
        let fields = |member: usize| Some(&analysis.at(places[member])?.reading.as_ref()?.parsed.fields);
        let mut groups = Vec::new();
        for judged in report(&played.game, config) {
            let violated = |guarantees: &[usize], trace: &Trace| {
                let mut found = Vec::new();
                for guarantee in guarantees {
                    let member = played.members[*guarantee];
                    let InOracle::Violated(reason) = replayed(&set, member, fields(member), trace) else {
                        continue;
                    };
                    found.push(Violation { requirement: set.members[member].id.clone(), reason });
                }
                found
            };
            let mut group = Group::new(name, &played.game, &judged, &violated);
            group.ask(command, &played.game, &judged, config);
            groups.push((group, judged));
        }
        let members = |guarantees: &[usize]| -> Vec<usize> {
            guarantees.iter().map(|it| played.members[*it]).collect()
        };
        for (mut group, judged) in groups {
            let of_group = members(&judged.component.guarantees);
            for (shown, conflict) in group.conflicts.iter_mut().zip(&judged.conflicts) {
                let of_conflict = members(&conflict.guarantees);
                let found = set.repairs(
                    (&of_group, &of_conflict),
                    conflict.play.as_ref(),
                    (reading, config.order),
                    config.budget,
                );
                let sentence = |member: usize| {
                    let text = project.sentence(places[member])?;
                    Some(Sentence { text, fields: fields(member)? })
                };
                shown.repairs = found.iter().map(|it| ShownRepair::new(it, &set, name, &sentence)).collect();
            }
            self.components.push(group);
        }
        Ok(())
    }

    fn add_program(&mut self, command: &Realize, config: Config) -> Result<(), Error> {
        let games = contracts::games(&command.path, command.node.as_deref())?;
        for (done, (node, game)) in games.iter().enumerate() {
            config.shared(games.len() - done, |config| {
                for judged in report(game, config) {
                    let mut group = Group::new(node, game, &judged, &|_, _| Vec::new());
                    group.ask(command, game, &judged, config);
                    self.components.push(group);
                }
            });
        }
        Ok(())
    }
}

/// What the definitions of the language say about a play.
enum InOracle {
    Kept,
    Violated(String),
}

fn replayed(
    set: &ComponentSet,
    member: usize,
    fields: Option<&requirement::Fields>,
    trace: &Trace,
) -> InOracle {
    let it = &set.members[member].requirement;
    let reason = match fields {
        Some(fields) => failure(&set.store, it, fields, trace).ok().flatten(),
        None => {
            judge(&set.store, it, trace).ok().filter(|it| !it.holds()).map(|_| "it is violated".to_owned())
        }
    };
    reason.map_or(InOracle::Kept, InOracle::Violated)
}

type Violated<'a> = &'a dyn Fn(&[usize], &Trace) -> Vec<Violation>;

impl Group {
    fn new(component: &str, game: &Game, judged: &Judged, violated: Violated) -> Group {
        let id = |it: &usize| game.guarantees[*it].id.clone();
        let (verdict, reason) = match &judged.outcome {
            Verdict::Realizable => ("realizable", None),
            Verdict::Unrealizable => ("unrealizable", None),
            Verdict::Unknown(gap) => ("unknown", Some(gap.to_string())),
        };
        Group {
            component: component.to_owned(),
            requirements: judged.component.guarantees.iter().map(id).collect(),
            outputs: judged
                .component
                .outputs
                .iter()
                .map(|it| game.system.variables[it.index()].name.clone())
                .collect(),
            verdict,
            reason,
            certificate: judged.certificate.as_ref().map(|it| match it {
                Ok(()) => "checked".to_owned(),
                Err(why) => format!("not checked: {why}"),
            }),
            conflicts: judged.conflicts.iter().map(|it| Conflict::new(game, it, violated)).collect(),
            more: judged.gap.as_ref().map(ToString::to_string),
            questions: None,
        }
    }

    fn ask(&mut self, command: &Realize, game: &Game, judged: &Judged, config: Config) {
        if command.questions {
            let part = game.part(&judged.component.guarantees);
            self.questions = Some(Questions::new(&part, config.order, config.budget));
        }
    }
}

impl Conflict {
    fn new(game: &Game, it: &FoundConflict, violated: Violated) -> Conflict {
        let id = |it: &usize| game.guarantees[*it].id.clone();
        let play = it.play.as_ref();
        let trace = play.and_then(|it| it.trace(game));
        let demands = play.map_or(&[][..], |it| &it.demands);
        // At the end of a finite play, what is only awaited is not violated.
        let decided: Vec<usize> = match demands {
            [] => it.guarantees.clone(),
            demands => demands.iter().map(|it| it.0).collect(),
        };
        Conflict {
            requirements: it.guarantees.iter().map(id).collect(),
            not_shown_needed: it.doubtful.iter().map(id).collect(),
            demands: demands
                .iter()
                .map(|(it, leaves)| Demand { requirement: id(it), leaves: leaves.clone() })
                .collect(),
            violated: trace.as_ref().map_or(Vec::new(), |trace| violated(&decided, trace)),
            table: trace.as_ref().map_or(String::new(), draw::table::text),
            trace: trace.as_ref().map(Lasso::from),
            repairs: Vec::new(),
        }
    }
}
