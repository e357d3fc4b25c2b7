//! Strategies tried on correct systems: the synthesized controller, and systems that choose among all correct outputs at random. Each of them
//! must show what a strategy is for.

use crate::force::force;
use crate::run::{Broken, Subject, Verdict, defaults};
use crate::suite::{Config, Group, Status, Suite};
use logic::{Formula, Store, Value};
use realize::{Anything, Correct, Game, Known, Member, Whole, game, synthesize, walk_whole};
use requirement::specification::Variable;
use system::{System, Var, simulate};

/// What came of strategies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rehearsal {
    /// The number of strategies.
    pub strategies: usize,
    /// The number of times that one was run against a system.
    pub runs: usize,
    /// What was not shown, by the index of the obligation, and why.
    pub not_shown: Vec<(usize, String)>,
}

/// Runs the strategy of each obligation that can be forced against the synthesized controller and a number of random systems.
pub fn rehearse(
    store: &mut Store,
    variables: &[Variable],
    members: &[Member],
    (suite, systems): (&Suite, usize),
    config: Config,
) -> Rehearsal {
    let mut rehearsal = Rehearsal::default();
    for group in suite.groups.iter().filter(|it| it.correct == Some(Correct::Winning)) {
        let in_group = |at: &usize| group.members.contains(at) || members[*at].assumption;
        let chosen = (0..members.len()).filter(in_group).map(|at| members[at].clone());
        let chosen: Vec<Member> = chosen.collect();
        of_group(store, variables, &chosen, (suite, group, systems), config, &mut rehearsal);
    }
    rehearsal
}

fn of_group(
    store: &mut Store,
    variables: &[Variable],
    members: &[Member],
    (suite, group, systems): (&Suite, &Group, usize),
    config: Config,
    rehearsal: &mut Rehearsal,
) {
    let can_be_forced = |at: &usize| {
        let (obligation, status) = &suite.obligations[*at];
        group.members.contains(&obligation.member)
            && matches!(status, Status::Covered { forced: Ok(true), .. })
    };
    let forced: Vec<usize> = (0..suite.obligations.len()).filter(can_be_forced).collect();
    let game = game(store, variables, members, config.reading).game;
    let limits = (config.order, config.budget);
    let strategy = synthesize(&game, config.order, config.budget).strategy;
    let controller = match strategy {
        Some(Ok(strategy)) => Ok(strategy.controller()),
        Some(Err(why)) => Err(why.to_string()),
        None => Err("no controller was found".to_owned()),
    };
    let inputs = defaults(variables);
    rehearsal.strategies += forced.len();
    let done = walk_whole(&game, &mut Known::default(), limits, |whole, _| {
        let now = Now::Controller(Vec::new());
        let mut crowd = Crowd { game: &game, controller, whole, systems, turn: systems, now };
        for same in forced.chunk_by(|a, b| suite.obligations[*a].0.member == suite.obligations[*b].0.member) {
            let goals: Vec<Formula> = same.iter().map(|at| suite.obligations[*at].0.formula).collect();
            let with = (&inputs[..], &mut crowd as &mut dyn Subject, systems + 1);
            let done = force(store, variables, members, &goals, config, with);
            for (at, done) in same.iter().zip(done) {
                let failed = match done {
                    Err(gap) => vec![gap.to_string()],
                    Ok(None) => vec!["no strategy was found".to_owned()],
                    Ok(Some(done)) => {
                        rehearsal.runs += done.len();
                        done.into_iter().filter_map(|it| failure(it.attempt.verdict)).collect()
                    }
                };
                rehearsal.not_shown.extend(failed.into_iter().map(|why| (*at, why)));
            }
        }
    });
    if let Err(gap) = done {
        rehearsal.not_shown.extend(forced.into_iter().map(|at| (at, gap.to_string())));
    }
}

fn failure(verdict: Verdict) -> Option<String> {
    match verdict {
        Verdict::Passed => None,
        Verdict::Failed { step, .. } => Some(format!("a requirement is violated at step {step}")),
        Verdict::Inconclusive(why) => Some(why),
        Verdict::Broken { step, reason } => Some(format!("{reason} at step {step}")),
    }
}

/// Correct systems, each of which takes its turn.
struct Crowd<'a, 'g, 'b> {
    game: &'a Game,
    controller: Result<System, String>,
    whole: &'a mut Whole<'g, 'b>,
    /// The number of random systems.
    systems: usize,
    turn: usize,
    now: Now,
}

/// The system whose turn it is.
enum Now {
    /// With the inputs so far.
    Controller(Vec<Vec<system::Value>>),
    Random(Anything),
}

impl Subject for Crowd<'_, '_, '_> {
    fn restart(&mut self) -> Result<(), Broken> {
        self.turn = (self.turn + 1) % (self.systems + 1);
        self.now = match self.turn {
            0 => Now::Controller(Vec::new()),
            seed => Now::Random(self.whole.anything(seed as u64)),
        };
        Ok(())
    }

    fn step(&mut self, inputs: &[(String, Value)]) -> Result<Vec<(String, Value)>, Broken> {
        let variables = &self.game.system.variables;
        let given = |var: &Var| {
            let (_, value) = inputs.iter().find(|it| it.0 == variables[var.index()].name)?;
            self.game.value(*var, value)
        };
        match &mut self.now {
            Now::Controller(rows) => {
                let system = self.controller.as_ref().map_err(|why| Broken(why.clone()))?;
                let any = |var: &Var| system::Value::any_of(system.variables[var.index()].ty);
                rows.push(system.inputs.iter().map(|it| given(it).unwrap_or_else(|| any(it))).collect());
                let run = simulate(system, &[], rows);
                let trace = run.trace(system).ok_or_else(|| Broken("no step".to_owned()))?;
                let last = trace.len() - 1;
                let outputs = trace.names().iter().enumerate();
                let outputs = outputs.filter(|it| inputs.iter().all(|input| input.0 != *it.1));
                Ok(outputs.map(|(at, name)| (name.clone(), trace.value(at, last).clone())).collect())
            }
            Now::Random(at) => {
                let given = self.game.system.inputs.iter().filter_map(|it| Some((*it, given(it)?)));
                let given: Vec<(Var, system::Value)> = given.collect();
                let step = self.whole.answer(at, &given).map_err(|gap| Broken(gap.to_string()))?;
                let outputs = step.into_iter().filter(|it| self.game.is_output(it.0));
                let shown = |(var, value): (Var, system::Value)| {
                    Some((variables[var.index()].name.clone(), self.game.shown(var, &value)?))
                };
                Ok(outputs.filter_map(shown).collect())
            }
        }
    }
}
