//! Strategy tests: the inputs of each step depend on what the system has done, so that every correct system shows what the test is for.

use crate::evaluate::Coverage;
use crate::group::{LARGE, RINGS};
use crate::run::{Attempt, Judges, Subject, attempt, mentioned};
use crate::suite::Config;
use logic::{Formula, Store, Value};
use realize::{Game, Gap, Known, Member, Memory, Walks, game_with, walk_again, walk_near};
use requirement::specification::Variable;
use requirement::{Watch, watch};
use system::{Expr, Var};

/// A strategy test that was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Forced {
    /// What came of it.
    pub attempt: Attempt,
    /// The largest number of steps that a correct system can take.
    pub most_steps: usize,
}

/// Makes a system show each of these goals, a number of times, whatever it does; `None` if inputs cannot force that. The members are those of
/// a group, with all assumptions; `further` inputs that the group does not mention have these values. A goal has an error if a limit was
/// reached.
pub fn force(
    store: &mut Store,
    variables: &[Variable],
    members: &[Member],
    goals: &[Formula],
    config: Config,
    (further, subject, times): (&[(String, Value)], &mut dyn Subject, usize),
) -> Vec<Result<Option<Vec<Forced>>, Gap>> {
    let mut requirements: Vec<(usize, Watch)> = Vec::new();
    let mut assumptions: Vec<(usize, Watch)> = Vec::new();
    for (at, it) in members.iter().enumerate() {
        if let Ok(watch) = watch(store, it.requirement) {
            if it.assumption { assumptions.push((at, watch)) } else { requirements.push((at, watch)) }
        }
    }
    let (set, values) = game_with(store, variables, members, config.reading, goals);
    let game = set.game;
    let needed = mentioned(store, variables, &requirements);
    let judges = Judges {
        requirements: &requirements,
        assumptions: &assumptions,
        goals: &[],
        needed: &needed,
        settles: false,
    };
    let mut strategies = Strategies { store, game: &game, judges, further, subject, times };
    let mut found: Vec<Result<Option<Vec<Forced>>, Gap>> = goals.iter().map(|_| Ok(None)).collect();
    let exprs = values.into_iter().enumerate().filter_map(|(at, it)| Some((at, it.ok()?)));
    let mut left: Vec<(usize, Expr)> = exprs.collect();
    let mut known = Known::default();
    let limits = (config.order, config.budget);
    // What is near a goal often says how to force it, and is much less than everything.
    for rings in (0..RINGS).filter(|_| game.guarantees.len() >= LARGE) {
        let roots: Vec<Expr> = left.iter().map(|it| it.1).collect();
        let _ = walk_near(&game, &roots, (rings, None, &mut known), limits, |walks| {
            left.retain(|(at, expr)| match strategies.run(walks, goals[*at], *expr) {
                Ok(Some(done)) => {
                    found[*at] = Ok(Some(done));
                    false
                }
                Ok(None) | Err(_) => true,
            });
        });
    }
    for (at, expr) in left {
        let done =
            walk_again(&game, &[expr], &mut known, limits, |walks| strategies.run(walks, goals[at], expr));
        found[at] = done.and_then(|it| it);
    }
    found
}

/// What strategies of a group are run with.
struct Strategies<'a> {
    store: &'a Store,
    game: &'a Game,
    judges: Judges<'a>,
    further: &'a [(String, Value)],
    subject: &'a mut dyn Subject,
    times: usize,
}

impl Strategies<'_> {
    /// Runs the strategy for a goal, if there is one.
    fn run(&mut self, walks: &mut Walks, goal: Formula, expr: Expr) -> Result<Option<Vec<Forced>>, Gap> {
        let (store, game) = (self.store, self.game);
        let Some(fresh) = Coverage::new(store, &[goal], &[]) else { return Ok(None) };
        let Some(forcing) = walks.forcing(expr)? else { return Ok(None) };
        let mut done = Vec::new();
        for _ in 0..self.times {
            let mut gap = None;
            let mut followed = Followed { game, memory: walks.start(), coverage: fresh.clone(), steps: 0 };
            let mut next = |steps: &[Vec<(String, Value)>]| {
                followed.read(store, walks, steps);
                if followed.coverage.first()[0].is_some() || steps.len() >= forcing.steps() {
                    return None;
                }
                let inputs = walks.inputs(&forcing, &followed.memory).unwrap_or_else(|why| {
                    gap = Some(why);
                    None
                })?;
                let shown = |(var, value): &(Var, system::Value)| {
                    let name = game.system.variables[var.index()].name.clone();
                    Some((name, game.shown(*var, value)?))
                };
                let mut inputs: Vec<(String, Value)> = inputs.iter().map(shown).collect::<Option<_>>()?;
                let others = self.further.iter().filter(|it| inputs.iter().all(|known| known.0 != it.0));
                let others: Vec<(String, Value)> = others.cloned().collect();
                inputs.extend(others);
                Some(inputs)
            };
            let judges = Judges { goals: &[goal], ..self.judges };
            let attempt = attempt(store, judges, &mut next, self.subject);
            if let Some(gap) = gap {
                return Err(gap);
            }
            done.push(Forced { attempt, most_steps: forcing.steps() });
        }
        Ok(Some(done))
    }
}

/// What is known of the run so far.
struct Followed<'a> {
    game: &'a Game,
    memory: Memory,
    coverage: Coverage,
    steps: usize,
}

impl Followed<'_> {
    fn read(&mut self, store: &Store, walks: &Walks, steps: &[Vec<(String, Value)>]) {
        for step in &steps[self.steps..] {
            let named = |var: &Var| {
                let name = &self.game.system.variables[var.index()].name;
                let (_, value) = step.iter().find(|it| it.0 == *name)?;
                Some((*var, self.game.value(*var, value)?))
            };
            let choice: Vec<(Var, system::Value)> =
                self.game.system.inputs.iter().filter_map(named).collect();
            self.memory = walks.after(&self.memory, &choice);
            self.coverage.step(store, &|name| step.iter().find(|it| it.0 == name).map(|it| it.1.clone()));
        }
        self.steps = steps.len();
    }
}
