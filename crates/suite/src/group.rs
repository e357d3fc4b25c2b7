//! The tests of one group of requirements: a shortest run for each goal that no run reaches yet, and of all these only as many steps as
//! are needed.
//!
//! Runs are found inside the winning region, so they can always go on; each is prolonged until nothing is owed. A mutant is killed
//! by a run that it rejects, or by wrong outputs at the last step of a run that it accepts.

use crate::evaluate::Coverage;
use crate::forbid::{Checked, Forbidding, Proofs, Unreached, checked, explained, forbidding};
use crate::obligations::{Mutant, Obligation};
use crate::suite::{Config, Fate, Killed, Status, Suite, Test, Violation};
use base::{Worth, cover};
use logic::{Formula, Store, Trace};
use realize::{
    Correct, Game, Gap, Known, Member, NotPlayed, Outcome, Run, Walks, Whole, decide, game_with, walk_again,
    walk_near, walk_whole,
};
use requirement::oracle::judge;
use requirement::specification::Variable;
use requirement::watch;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use system::{Expr, MonitorError, Pool, Value};

/// The largest number of nodes of one search: one goal must not take the time of all.
const NODES: usize = 500_000;

/// The smallest number of guarantees of a large group.
pub(crate) const LARGE: usize = 8;

/// The smallest number of guarantees of a group that is too large to be searched as a whole for every goal.
const HUGE: usize = 30;

/// What is near a goal: the outputs that it mentions, those that share a requirement with them, and so on.
pub(crate) const RINGS: usize = 3;

/// The limit of a search in such a group as a whole.
const FAR_NODES: usize = 75_000;

/// What the tests of a group must show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goals {
    pub(crate) members: Vec<usize>,
    /// The past-time formula of each member.
    pub(crate) verdicts: Vec<(usize, Formula)>,
    pub(crate) obligations: Vec<Obligation>,
    pub(crate) mutants: Vec<Mutant>,
}

/// A run with what it reaches.
struct Candidate {
    trace: Trace,
    reached: Vec<Reached>,
    violation: Option<Violation>,
}

/// A goal that a run reaches.
#[derive(Clone, Copy)]
struct Reached {
    goal: usize,
    step: usize,
    /// The number of steps after which that has happened and nothing is owed.
    rows: usize,
    /// It is a mutant that accepts the violation.
    accepts: bool,
}

/// A goal that no run reaches.
#[derive(Clone, Debug)]
enum Missing {
    Forbidden(Forbidding),
    Equivalent(Checked),
    Gap(String),
}

/// A group with its tests.
pub(crate) struct Solved {
    group: usize,
    goals: Goals,
    candidates: Vec<Candidate>,
    /// For each goal, why it is not reached.
    missing: Vec<Option<Missing>>,
    /// Whether inputs can force each goal, or why that is not known.
    forced: Vec<Result<bool, String>>,
    correct: Option<Correct>,
    /// The member of each guarantee of the game.
    guarantees: Vec<usize>,
}

/// Finds the tests of a group, and returns them with its game and what is known about it.
pub(crate) fn solved(
    store: &mut Store,
    variables: &[Variable],
    members: &[Member],
    goals: Goals,
    group: usize,
    config: Config,
) -> (Solved, Game, Known) {
    let all: Vec<usize> =
        (0..members.len()).filter(|it| goals.members.contains(it) || members[*it].assumption).collect();
    let chosen: Vec<Member> = all.iter().map(|it| members[*it].clone()).collect();
    let kept = store.and(goals.verdicts.iter().map(|it| it.1));
    // At the end of a run, only what must come some time can be missing.
    let mut owed = Vec::new();
    for member in &goals.members {
        owed.extend(watch(store, members[*member].requirement).map(|it| it.bad_at_end));
    }
    let owed = store.or(owed);
    let settled = store.not(owed);
    // A mutant is reached where its verdict differs.
    let mut formulas: Vec<Formula> = goals.obligations.iter().map(|it| it.formula).collect();
    for mutant in &goals.mutants {
        let verdict = goals.verdicts.iter().find(|it| it.0 == mutant.member).map_or(store.top(), |it| it.1);
        formulas.push(store.xor(verdict, mutant.formula));
    }
    let further: Vec<Formula> = goals.verdicts.iter().map(|it| it.1).chain([kept]).collect();
    let coverage = Coverage::new(store, &formulas, &further);
    let set = game_with(store, variables, &chosen, config.reading, &[]).0;
    let count = formulas.len();
    let (sender, unreached) = channel();
    let mut search = Search {
        store,
        config,
        variables,
        members: chosen,
        kept,
        settled,
        owed_nothing: Pool::TRUE,
        coverage,
        game: set.game,
        solved: Solved {
            group,
            goals,
            candidates: Vec::new(),
            missing: vec![None; count],
            forced: vec![Err("a limit was reached".to_owned()); count],
            correct: None,
            guarantees: set.members.iter().map(|it| all[*it]).collect(),
        },
        reached: vec![false; count],
        answers: Known::default(),
        proofs: Proofs::new(config.all_proofs),
        runs: Vec::new(),
        unreached: sender,
    };
    let limits = (config.order, config.budget.at_most(NODES));
    // What forbids a goal is found out while the search goes on for the others.
    let (mut solved, game, answers, explained) = std::thread::scope(move |scope| {
        let explaining = scope.spawn(move || explained(unreached, Proofs::new(config.all_proofs), limits));
        search.run();
        // No further goals come.
        drop(search.unreached);
        let explained = explaining.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (search.solved, search.game, search.answers, explained)
    });
    if solved.correct != Some(Correct::NoRun) {
        for (goal, found) in explained {
            solved.missing[goal] = Some(Missing::Forbidden(found));
        }
    }
    (solved, game, answers)
}

struct Search<'a> {
    store: &'a mut Store,
    config: Config<'a>,
    variables: &'a [Variable],
    /// The members of the group, and all assumptions.
    members: Vec<Member<'a>>,
    /// Every requirement holds if the run ends here.
    kept: Formula,
    /// Nothing is owed.
    settled: Formula,
    /// The same in the game of the current goals.
    owed_nothing: Expr,
    coverage: Option<Coverage>,
    game: Game,
    solved: Solved,
    /// Whether a run reaches each goal.
    reached: Vec<bool>,
    answers: Known,
    proofs: Proofs,
    /// The runs of the candidates.
    runs: Vec<Arc<Run>>,
    /// Where goals go whose unreachability is to be explained.
    unreached: Sender<Unreached>,
}

impl Search<'_> {
    fn run(&mut self) {
        if self.game.guarantees.len() >= LARGE {
            let game = self.game.clone();
            let (order, budget) = (self.config.order, self.config.budget);
            let mut answers = Known::default();
            let near = walk_whole(&game, &mut answers, (order, budget), |whole, answers| {
                self.answers = std::mem::take(answers);
                self.note(&Correct::Winning);
                self.all(Some(whole));
            });
            if near.is_ok() {
                return;
            }
            let correct = match decide(&game, order, budget) {
                Outcome::Realizable => Correct::Winning,
                Outcome::Unrealizable => Correct::NoneWins,
                Outcome::Unknown(gap) => Correct::Unknown(gap),
            };
            self.note(&correct);
        }
        self.all(None);
    }

    /// Deals with all goals. In a large group, what is near a goal often decides about it.
    fn all(&mut self, mut whole: Option<&mut Whole>) {
        // The goals of one requirement at a time: their memory is part of the diagrams.
        for guarantee in 0..self.solved.guarantees.len() {
            let member = self.solved.guarantees[guarantee];
            let obligations = self.solved.goals.obligations.len();
            // Whether it can be forced is asked about every obligation.
            let asked: Vec<usize> = (0..self.solved.missing.len())
                .filter(|it| {
                    self.solved.member(*it) == member && (*it < obligations || !self.is_reached(*it))
                })
                .collect();
            let (game, mut left) = self.targets(asked, member);
            let game = Arc::new(game);
            if let Some(whole) = &mut whole {
                let mut unforced = Vec::new();
                for rings in 0..RINGS {
                    let mut far = Vec::new();
                    while !left.is_empty() {
                        let near = Near { rings, whole, far: &mut far, unforced: &mut unforced };
                        left = self.batch(&game, guarantee, left, Some(near));
                    }
                    left.extend(far);
                }
                left.extend(unforced);
            }
            while !left.is_empty() && self.solved.correct != Some(Correct::NoRun) {
                left = self.batch(&game, guarantee, left, None);
            }
        }
        if self.solved.correct == Some(Correct::NoRun) {
            self.give_up();
        }
    }

    /// Deals with some goals of a guarantee, until the diagrams are too large to go on with. Returns the other goals. Near them, only
    /// what is near decides, and goals for which that is not enough are added to the list.
    fn batch(
        &mut self,
        game: &Arc<Game>,
        guarantee: usize,
        goals: Vec<(usize, Target)>,
        near: Option<Near>,
    ) -> Vec<(usize, Target)> {
        let (rings, mut far) =
            near.map_or((None, None), |it| (Some((it.rings, it.whole)), Some((it.far, it.unforced))));
        let settled = self.owed_nothing;
        let roots: Vec<Expr> = goals.iter().flat_map(|it| it.1.roots()).chain([settled]).collect();
        let order = self.config.order;
        let is_far = far.is_none() && game.guarantees.len() >= HUGE;
        let budget = self.config.budget.at_most(if is_far { FAR_NODES } else { NODES });
        let mut done = 0;
        let is_near = far.is_some();
        let mut answers = std::mem::take(&mut self.answers);
        let work = |walks: &mut Walks| {
            if !is_near {
                self.note(walks.correct());
            }
            walks.know(&self.runs);
            for (goal, target) in &goals {
                if done > 0 && walks.is_crowded() {
                    break;
                }
                done += 1;
                if *walks.correct() == Correct::NoRun {
                    continue;
                }
                if !self.is_reached(*goal) {
                    self.reach(walks, *goal, target, (guarantee, settled));
                    if let Some((far, _)) = &mut far
                        && matches!(self.solved.missing[*goal], Some(Missing::Gap(_)))
                    {
                        self.solved.missing[*goal] = None;
                        far.push((*goal, target.clone()));
                        continue;
                    }
                    if done > 1 && walks.is_full() && !self.is_reached(*goal) {
                        // In diagrams of its own it may be within the limit.
                        self.solved.missing[*goal] = None;
                        done -= 1;
                        break;
                    }
                }
                if let Target::Holds(expr) = target
                    && *walks.correct() == Correct::Winning
                    && self.is_reached(*goal)
                {
                    // What is near says nothing about what every correct system does besides, so it is asked only where it is much
                    // less than everything, or everything is too much.
                    let (core, all) = (walks.core().len(), game.guarantees.len());
                    let is_asked = !is_near || 3 * core <= all || all >= HUGE;
                    let found = is_asked.then(|| walks.forcing(*expr).map(|it| it.is_some()));
                    match (&mut far, found) {
                        (Some((_, unforced)), None | Some(Ok(false) | Err(_))) => {
                            unforced.push((*goal, target.clone()))
                        }
                        (_, Some(found)) => self.solved.forced[*goal] = found.map_err(|it| it.to_string()),
                        (None, None) => {}
                    }
                }
            }
            walks.core().to_vec()
        };
        let walked = match rings {
            Some((rings, whole)) => {
                walk_near(game, &roots, (rings, Some(whole), &mut answers), (order, budget), work)
            }
            None => walk_again(game, &roots, &mut answers, (order, budget), work),
        };
        self.answers = answers;
        let mut rest = goals;
        match walked {
            Ok(core) => {
                for (goal, target) in rest.drain(..done) {
                    self.explain((game, &core), guarantee, (goal, &target));
                }
            }
            Err(_) if is_near => far.iter_mut().for_each(|it| it.0.append(&mut rest)),
            Err(gap) => {
                for (goal, _) in rest.drain(..) {
                    if self.is_reached(goal) {
                        self.solved.forced[goal] = Err(gap.to_string());
                    } else {
                        self.solved.missing[goal] = Some(Missing::Gap(gap.to_string()));
                    }
                }
            }
        }
        rest
    }

    /// The systems of the group are the least capable ones of all searches.
    fn note(&mut self, correct: &Correct) {
        let grade = |it: &Correct| match it {
            Correct::Winning => 0,
            Correct::Unknown(_) => 1,
            Correct::NoneWins => 2,
            Correct::NoRun => 3,
        };
        let known = self.solved.correct.get_or_insert_with(|| correct.clone());
        if grade(correct) > grade(known) {
            *known = correct.clone();
        }
    }

    /// No run keeps all requirements: nothing can be shown, and the same requirements forbid everything.
    fn give_up(&mut self) {
        let all: Vec<usize> = (0..self.game.guarantees.len()).collect();
        let limits = (self.config.order, self.config.budget.at_most(NODES));
        let known = (&[][..], &mut self.answers, &mut self.proofs, &[][..]);
        let found = forbidding(&self.game, (0, Pool::TRUE), &all, known, limits);
        self.solved.candidates.clear();
        let obligations = self.solved.goals.obligations.len();
        for (goal, missing) in self.solved.missing.iter_mut().enumerate() {
            let (why, proof) = (Missing::Forbidden(found.clone()), found.proof.clone());
            *missing = Some(if goal < obligations { why } else { Missing::Equivalent(proof) });
        }
    }

    fn is_reached(&self, goal: usize) -> bool {
        self.reached[goal]
    }

    /// The game with the memory of some goals of a member, and what is looked for.
    fn targets(&mut self, goals: Vec<usize>, member: usize) -> (Game, Vec<(usize, Target)>) {
        let own = &self.solved.goals;
        let obligations = own.obligations.len();
        let formula = |goal: &usize| match goal.checked_sub(obligations) {
            None => own.obligations[*goal].formula,
            Some(mutant) => own.mutants[mutant].formula,
        };
        let verdict = own.verdicts.iter().find(|it| it.0 == member).map(|it| it.1);
        let wanted: Vec<Formula> = goals.iter().map(formula).chain(verdict).chain([self.settled]).collect();
        let (set, mut values) =
            game_with(self.store, self.variables, &self.members, self.config.reading, &wanted);
        let mut game = set.game;
        self.owed_nothing = values.pop().and_then(Result::ok).unwrap_or(Pool::TRUE);
        let verdict = verdict.and_then(|_| values.pop()).and_then(Result::ok);
        let pool = &mut game.system.pool;
        let mut target = |(goal, value): (usize, Result<Expr, MonitorError>)| {
            let target = match (value, verdict) {
                (Err(error), _) => Target::None(NotPlayed::Formula(error).to_string()),
                (Ok(expr), _) if goal < obligations => Target::Holds(expr),
                (Ok(mutant), Some(verdict)) => {
                    let (not_verdict, not_mutant) = (pool.not(verdict), pool.not(mutant));
                    Target::Differs {
                        rejects: pool.and([verdict, not_mutant]),
                        accepts: pool.and([not_verdict, mutant]),
                    }
                }
                (Ok(_), None) => Target::None("its requirement has no formula".to_owned()),
            };
            (goal, target)
        };
        let targets = goals.into_iter().zip(values).map(&mut target).collect();
        (game, targets)
    }

    /// Looks for a run to a goal.
    fn reach(
        &mut self,
        walks: &mut Walks,
        goal: usize,
        target: &Target,
        (guarantee, settled): (usize, Expr),
    ) {
        let missing = match target {
            Target::None(why) => Missing::Gap(why.clone()),
            Target::Holds(expr) => match walks.to(*expr) {
                Ok(Some(run)) => return self.add(walks, &run, None, goal, settled),
                // Why it is unreachable is asked later.
                Ok(None) if !walks.is_vague() => {
                    let proof = Err(String::new());
                    Missing::Forbidden(Forbidding { guarantees: Vec::new(), minimal: false, proof })
                }
                Ok(None) => Missing::Gap(Gap::Nonlinear.to_string()),
                Err(gap) => Missing::Gap(gap.to_string()),
            },
            Target::Differs { rejects, accepts } => match walks.to_either(*rejects, (guarantee, *accepts)) {
                Ok(Some((run, last))) => {
                    let violation = last.and_then(|it| self.violation(guarantee, &run, &it));
                    return self.add(walks, &run, violation, goal, settled);
                }
                Ok(None) if !walks.is_vague() => {
                    let core = walks.core().to_vec();
                    let goal = (*rejects, Some((guarantee, *accepts)));
                    let how = (&mut self.proofs, self.config.budget.stop);
                    Missing::Equivalent(checked(walks, &core, goal, how))
                }
                Ok(None) => Missing::Gap(Gap::Nonlinear.to_string()),
                Err(gap) => Missing::Gap(gap.to_string()),
            },
        };
        self.solved.missing[goal] = Some(missing);
    }

    fn violation(&self, guarantee: usize, run: &Run, last: &[(system::Var, Value)]) -> Option<Violation> {
        let name = |it: system::Var| self.game.system.variables[it.index()].name.clone();
        let outputs = last.iter().filter(|it| self.game.is_output(it.0));
        let outputs = outputs.map(|(var, value)| Some((name(*var), self.game.shown(*var, value)?)));
        let outputs = outputs.collect::<Option<Vec<_>>>()?;
        Some(Violation { member: self.solved.guarantees[guarantee], step: run.len() - 1, outputs })
    }

    /// Adds a run, prolonged until nothing is owed, with everything that it reaches.
    fn add(
        &mut self,
        walks: &mut Walks,
        run: &Run,
        violation: Option<Violation>,
        goal: usize,
        settled: Expr,
    ) {
        let at = run.len();
        let mut whole = run.clone();
        let mut candidate = match self.candidate(run, violation.clone()) {
            Ok(it) => it,
            Err(why) => {
                self.solved.missing[goal] = Some(Missing::Gap(why));
                return;
            }
        };
        if !candidate.1 {
            if let Ok(Some(longer)) = walks.on(run, settled)
                && let Ok(it) = self.candidate(&longer, violation)
                && it.1
            {
                (candidate, whole) = (it, longer);
            } else {
                self.solved.missing[goal] = Some(Missing::Gap("no run that reaches it can end".to_owned()));
                return;
            }
        }
        let candidate = candidate.0;
        if candidate.reached.iter().all(|it| it.goal != goal) {
            let why = format!("a run of {at} steps failed its replay; please report this");
            self.solved.missing[goal] = Some(Missing::Gap(why));
            return;
        }
        candidate.reached.iter().for_each(|it| self.reached[it.goal] = true);
        self.solved.candidates.push(candidate);
        self.runs.push(Arc::new(whole));
    }

    /// A run with everything that it reaches, and whether nothing is owed at its end.
    fn candidate(&self, run: &Run, violation: Option<Violation>) -> Result<(Candidate, bool), String> {
        let trace = self.trace(run).ok_or("a value of the run cannot be written")?;
        let Some(fresh) = &self.coverage else { return Err("a requirement looks ahead".to_owned()) };
        let mut coverage = fresh.clone();
        let mut settled: Vec<bool> = Vec::new();
        coverage.read(self.store, &trace, |it| settled.push(it.holds(self.kept)));
        let ends = settled.last().copied().unwrap_or(false);
        // A test ends where nothing is owed.
        let rows =
            |step: usize| settled[step..].iter().position(|it| *it).map_or(settled.len(), |it| step + it + 1);
        let first = coverage.first().iter().enumerate();
        let reached = first.filter_map(|(goal, step)| {
            let step = usize::try_from((*step)?).ok()?;
            Some(Reached { goal, step, rows: rows(step), accepts: false })
        });
        let mut reached: Vec<Reached> = reached.collect();
        if let Some(Violation { step, .. }) = violation {
            for goal in violation.iter().flat_map(|it| self.accepting(it, &trace)) {
                if reached.iter().all(|it| it.goal != goal) {
                    reached.push(Reached { goal, step, rows: rows(step), accepts: true });
                }
            }
        }
        Ok((Candidate { trace, reached, violation }, ends))
    }

    /// The mutants of a violated requirement that accept the violation.
    fn accepting(&self, violation: &Violation, trace: &Trace) -> Vec<usize> {
        let Some(fresh) = &self.coverage else { return Vec::new() };
        let mut coverage = fresh.clone();
        for step in 0..=violation.step {
            coverage.step(self.store, &|name| {
                let wrong = violation.outputs.iter().find(|it| step == violation.step && it.0 == name);
                match wrong {
                    Some((_, value)) => Some(value.clone()),
                    None => Some(trace.value(trace.column(name)?, step).clone()),
                }
            });
        }
        let goals = &self.solved.goals;
        let Some((_, verdict)) = goals.verdicts.iter().find(|it| it.0 == violation.member) else {
            return Vec::new();
        };
        if coverage.holds(*verdict) {
            return Vec::new();
        }
        let mutants = goals.mutants.iter().enumerate();
        let accepts = mutants.filter(|(_, it)| it.member == violation.member && coverage.holds(it.formula));
        accepts.map(|(at, _)| goals.obligations.len() + at).collect()
    }

    fn trace(&self, run: &Run) -> Option<Trace> {
        let mut trace = Trace::new(run.len(), None).ok()?;
        for (place, (var, _)) in run.first()?.iter().enumerate() {
            let column: Option<Vec<logic::Value>> =
                run.iter().map(|step| self.game.shown(*var, &step[place].1)).collect();
            trace = trace.with(&self.game.system.variables[var.index()].name, column?).ok()?;
        }
        Some(trace)
    }

    /// Asks which requirements forbid a goal, if it is unreachable.
    fn explain(
        &self,
        (game, core): (&Arc<Game>, &[usize]),
        guarantee: usize,
        (goal, target): (usize, &Target),
    ) {
        let (Some(Missing::Forbidden(_)), Target::Holds(expr)) = (&self.solved.missing[goal], target) else {
            return;
        };
        // Where nobody listens, the search ends with a panic anyway.
        let _ = self.unreached.send(Unreached {
            game: Arc::clone(game),
            goal,
            expr: *expr,
            own: guarantee,
            relevant: core.to_vec(),
            runs: self.runs.clone(),
        });
    }
}

/// A search near goals.
struct Near<'n, 'g, 'b> {
    rings: usize,
    whole: &'n mut Whole<'g, 'b>,
    /// The goals for which that is not enough.
    far: &'n mut Vec<(usize, Target)>,
    /// Goals that are reached, but what is near cannot force them.
    unforced: &'n mut Vec<(usize, Target)>,
}

/// What is looked for.
#[derive(Clone, Debug)]
enum Target {
    None(String),
    Holds(Expr),
    /// The verdicts of a requirement and its mutant differ.
    Differs {
        rejects: Expr,
        accepts: Expr,
    },
}

impl Target {
    fn roots(&self) -> impl Iterator<Item = Expr> {
        match self {
            Target::None(_) => [None, None],
            Target::Holds(expr) => [Some(*expr), None],
            Target::Differs { rejects, accepts } => [Some(*rejects), Some(*accepts)],
        }
        .into_iter()
        .flatten()
    }
}

impl Solved {
    fn member(&self, goal: usize) -> usize {
        match goal.checked_sub(self.goals.obligations.len()) {
            None => self.goals.obligations[goal].member,
            Some(mutant) => self.goals.mutants[mutant].member,
        }
    }

    /// Whether inputs can force a goal, or why that is not known.
    fn is_forced(&self, goal: usize) -> Result<bool, String> {
        match (&self.forced[goal], &self.correct) {
            (Err(_), Some(Correct::NoneWins | Correct::NoRun)) => {
                Err("no system satisfies the requirements".to_owned())
            }
            (Err(_), Some(Correct::Unknown(gap))) => {
                Err(format!("it is not known whether a system satisfies the requirements: {gap}"))
            }
            (known, _) => known.clone(),
        }
    }

    /// Adds the tests that are needed, and what became of every goal.
    pub(crate) fn add_to(self, suite: &mut Suite, store: &Store, members: &[Member]) {
        let worth = |it: &Candidate| Worth {
            rows: it.trace.len(),
            goals: it.reached.iter().map(|it| (it.goal, it.rows)).collect(),
        };
        let worths: Vec<Worth> = self.candidates.iter().map(worth).collect();
        let mut shown: Vec<Option<(usize, Reached)>> = vec![None; self.missing.len()];
        for (candidate, rows) in cover(&worths) {
            let candidate = &self.candidates[candidate];
            let Some(trace) = first_rows(&candidate.trace, rows) else { continue };
            let holds = |(member, _): &(usize, Formula)| {
                judge(store, members[*member].requirement, &trace).is_ok_and(|it| it.holds())
            };
            if !self.goals.verdicts.iter().all(holds) {
                continue;
            }
            let test = suite.tests.len();
            let needed = |it: &&Reached| it.rows <= rows && shown[it.goal].is_none();
            let new: Vec<Reached> = candidate.reached.iter().filter(needed).copied().collect();
            let violations = candidate.violation.iter().filter(|_| new.iter().any(|it| it.accepts));
            let violations = violations.cloned().collect();
            suite.tests.push(Test { group: self.group, violations, trace, expected: Vec::new() });
            new.into_iter().for_each(|it| shown[it.goal] = Some((test, it)));
        }
        for goal in 0..self.missing.len() {
            let each = self.candidates.iter().flat_map(|it| &it.reached).filter(|it| it.goal == goal);
            if let Some(rows) = each.map(|it| it.rows).min() {
                suite.one_each.0 += 1;
                suite.one_each.1 += rows;
            }
        }
        suite.groups[self.group].correct.clone_from(&self.correct);
        let failed = "a test failed its replay; please report this".to_owned();
        let why = |goal: usize| match &self.missing[goal] {
            Some(Missing::Gap(why)) => why.clone(),
            _ => failed.clone(),
        };
        let obligations = self.goals.obligations.len();
        for (goal, obligation) in self.goals.obligations.iter().enumerate() {
            let status = match (&shown[goal], &self.missing[goal]) {
                (Some((test, it)), _) => {
                    Status::Covered { test: *test, step: it.step, forced: self.is_forced(goal) }
                }
                (None, Some(Missing::Forbidden(it))) => Status::Unreachable {
                    forbidden_by: it.guarantees.iter().map(|it| self.guarantees[*it]).collect(),
                    minimal: it.minimal,
                    proof: it.proof.clone(),
                },
                (None, _) => Status::Unknown(why(goal)),
            };
            suite.obligations.push((obligation.clone(), status));
        }
        for (at, mutant) in self.goals.mutants.iter().enumerate() {
            let goal = obligations + at;
            let fate = match (&shown[goal], &self.missing[goal]) {
                (Some((test, it)), _) => {
                    Fate::Killed(Killed { test: *test, step: it.step, accepts: it.accepts })
                }
                (None, Some(Missing::Equivalent(proof))) => Fate::Equivalent { proof: proof.clone() },
                (None, _) => Fate::Undecided(why(goal)),
            };
            suite.mutants.push((mutant.clone(), fate));
        }
    }
}

/// The beginning of a trace.
fn first_rows(trace: &Trace, rows: usize) -> Option<Trace> {
    let mut cut = Trace::new(rows, None).ok()?;
    for (at, name) in trace.names().iter().enumerate() {
        cut = cut.with(name, trace.values(at).get(..rows)?.to_vec()).ok()?;
    }
    Some(cut)
}
