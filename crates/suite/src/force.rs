//! Strategy tests: the inputs of each step depend on what the system has done, so that every correct system shows what the test is for.

use crate::evaluate::Coverage;
use crate::run::{Attempt, Judges, Subject, attempt, mentioned};
use crate::suite::Config;
use logic::{Formula, Store, Value};
use realize::{Game, Gap, Member, Memory, Walks, game_with, walk};
use requirement::specification::Variable;
use requirement::{Watch, watch};
use system::Var;

/// A strategy test that was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Forced {
    /// What came of it.
    pub attempt: Attempt,
    /// The largest number of steps that a correct system can take.
    pub most_steps: usize,
}

/// Makes a system show something, whatever it does; `None` if inputs cannot force that. The members are those of a group, with all
/// assumptions; `further` inputs that the group does not mention have these values.
///
/// # Errors
/// A limit was reached.
pub fn force(
    store: &mut Store,
    variables: &[Variable],
    members: &[Member],
    goal: Formula,
    config: Config,
    (further, subject): (&[(String, Value)], &mut dyn Subject),
) -> Result<Option<Forced>, Gap> {
    let mut requirements: Vec<(usize, Watch)> = Vec::new();
    let mut assumptions: Vec<(usize, Watch)> = Vec::new();
    for (at, it) in members.iter().enumerate() {
        if let Ok(watch) = watch(store, it.requirement) {
            if it.assumption { assumptions.push((at, watch)) } else { requirements.push((at, watch)) }
        }
    }
    let (set, values) = game_with(store, variables, members, config.reading, &[goal]);
    let Some(Ok(expr)) = values.into_iter().next() else { return Ok(None) };
    let game = set.game;
    let store: &Store = store;
    let needed = mentioned(store, variables, &requirements);
    let Some(fresh) = Coverage::new(store, &[goal], &[]) else { return Ok(None) };
    walk(&game, &[expr], config.order, config.budget, |walks| {
        let Some(forcing) = walks.forcing(expr)? else { return Ok(None) };
        let mut gap = None;
        let mut followed = Followed { game: &game, memory: walks.start(), coverage: fresh, steps: 0 };
        let judges = Judges {
            requirements: &requirements,
            assumptions: &assumptions,
            goals: &[goal],
            needed: &needed,
            settles: false,
        };
        let attempt = attempt(
            store,
            judges,
            &mut |steps| {
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
                let inputs: Option<Vec<(String, Value)>> = inputs.iter().map(shown).collect();
                let mut inputs = inputs?;
                let others = further.iter().filter(|it| inputs.iter().all(|known| known.0 != it.0));
                let others: Vec<(String, Value)> = others.cloned().collect();
                inputs.extend(others);
                Some(inputs)
            },
            subject,
        );
        gap.map_or(Ok(Some(Forced { attempt, most_steps: forcing.steps() })), Err)
    })?
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
