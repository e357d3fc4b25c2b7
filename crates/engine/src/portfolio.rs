//! The portfolio: properties that depend on common variables are tried together; each undecided one gets a quick round of its own; all
//! engines then work in parallel on what is still undecided. At last, counterexamples are made short and simple.
//!
//! The first definite answer wins. Which engine finds it may differ between runs; the verdict does not, because every `valid` is
//! checked and every `invalid` replayed. Whether the time limit suffices may differ.

use crate::engines::bmc::bmc;
use crate::engines::boxes::boxes;
use crate::engines::explicit::{self, Budget, explicit_until};
use crate::engines::ic3::ic3;
use crate::engines::induction::induction;
use crate::engines::invariants::{Candidates, mine, prove};
use crate::engines::joint::joint;
use crate::engines::task::{Found, Shared, Task};
use crate::evidence::certificate::check;
use crate::evidence::minimize::minimize;
use crate::evidence::replay::confirm;
use crate::prepare::groups::{by_cone, groups};
use crate::prepare::simplify::{Simple, simplify};
use crate::progress::Progress;
use crate::solver::bits::{Blast, BuiltIn};
use crate::solver::context::{Context, Open, Start, Stop};
use crate::solver::process::Processes;
use crate::solver::session::Connect;
use crate::verdict::{Answer, Certificate, Proof, Verdict, Why};
use crate::walk::random::falsify;
use crate::walk::sample::Walk;
use rustc_hash::FxHashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use system::{Expr, Pool, System, Value, Var};

/// The engines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Engine {
    /// Bounded model checking.
    Bmc,
    /// k-induction.
    Induction,
    /// IC3 over predicates.
    Ic3,
    /// Template invariants, which help the others.
    Invariants,
    /// Random behaviours.
    Random,
    /// Search through all states.
    Explicit,
    /// Branch and bound over values.
    Boxes,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 7] = [
        Engine::Boxes,
        Engine::Bmc,
        Engine::Induction,
        Engine::Ic3,
        Engine::Invariants,
        Engine::Random,
        Engine::Explicit,
    ];

    /// The name used in verdicts.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Bmc => "bmc",
            Engine::Induction => "induction",
            Engine::Ic3 => "ic3",
            Engine::Invariants => "invariants",
            Engine::Random => "random",
            Engine::Explicit => "explicit",
            Engine::Boxes => "boxes",
        }
    }
}

/// The settings of an analysis.
pub struct Config<'a> {
    /// The remaining time; the library reads no clock.
    pub left: &'a (dyn Fn() -> Duration + Sync),
    /// Opens solver sessions.
    pub solver: &'a dyn Connect,
    /// The number of properties checked together in the first round.
    pub threads: usize,
    /// The seed of random walks.
    pub seed: u64,
    /// The number of states that an explicit search may visit, in the first round and later.
    pub states: [usize; 2],
    /// The engines to use.
    pub engines: &'a [Engine],
    /// Whether the built-in solver is used where it can be.
    pub built_in: bool,
    /// Receives progress.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl<'a> Config<'a> {
    /// The usual settings.
    pub fn new(left: &'a (dyn Fn() -> Duration + Sync), solver: &'a dyn Connect) -> Config<'a> {
        let states = [20_000, 200_000];
        let progress: &(dyn Fn(Progress) + Sync) = &|_| {};
        Config { left, solver, threads: 2, seed: 1, states, engines: &Engine::ALL, built_in: true, progress }
    }
}

/// Decides what the properties at the given indices demand of every step; `liveness` decides the rest.
pub(crate) fn verify(system: &System, properties: &[usize], config: &Config<'_>) -> Vec<Verdict> {
    let mut known = together(system, properties, config);
    let open: Vec<usize> = properties.iter().copied().filter(|it| !known.contains_key(it)).collect();
    let some = u32::try_from(open.len()).unwrap_or(u32::MAX).max(1).saturating_mul(3);
    // With many properties, a quick round is shorter than the least time that helps, and there may be none at all.
    let quickly = ((config.left)() / some).clamp(QUICK[0], QUICK[1]);
    let quick =
        in_parallel(&open, config, |property| decide(system, *property, config, Effort::Quick(quickly)));
    known.extend(quick.into_iter().map(|verdict| (verdict.property, verdict)));
    let mut verdicts: Vec<Verdict> = properties
        .iter()
        .map(|property| known.get(property).cloned().unwrap_or_else(|| unknown(*property, Why::Time)))
        .collect();
    let open: Vec<usize> = (0..verdicts.len()).filter(|it| worth_more(&verdicts[*it])).collect();
    let failing = verdicts.iter().filter(|it| matches!(it.answer, Answer::Invalid(_))).count();
    for (done, place) in open.iter().enumerate() {
        let whole = (config.left)();
        let reserved = (NEATNESS * u32::try_from(failing).unwrap_or(u32::MAX)).min(whole / 10);
        let whole = whole.saturating_sub(reserved);
        let share = whole / u32::try_from(open.len() - done).unwrap_or(u32::MAX);
        let until = whole.saturating_sub(share) + reserved;
        let left = || (config.left)().saturating_sub(until);
        let config = Config { left: &left, ..*config };
        let before = &verdicts[*place];
        let refuted = matches!(before.answer, Answer::Unknown(Why::BadCertificate));
        let mut verdict = decide(system, properties[*place], &config, Effort::Full { refuted });
        verdict.depth = verdict.depth.max(before.depth);
        verdict.spent += before.spent;
        verdicts[*place] = verdict;
    }
    let stop = || (config.left)().is_zero();
    in_parallel(&verdicts, config, |verdict| {
        let answer = match &verdict.answer {
            Answer::Invalid(found) => Answer::Invalid(minimize(system, verdict.property, found, &stop)),
            answer => answer.clone(),
        };
        Verdict { answer, ..verdict.clone() }
    })
}

/// Works on items in the threads of the configuration. The results are in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], config: &Config<'_>, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        while let (place, Some(item)) = {
            let place = next.fetch_add(1, Ordering::Relaxed);
            (place, items.get(place))
        } {
            let result = work(item);
            found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((place, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..config.threads.min(items.len()) {
            scope.spawn(run);
        }
        run();
    });
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.sort_by_key(|it| it.0);
    found.into_iter().map(|it| it.1).collect()
}

/// What can be decided about groups of properties, each with one encoding, in a part of the time.
fn together(system: &System, properties: &[usize], config: &Config<'_>) -> FxHashMap<usize, Verdict> {
    if properties.len() < 2 || !config.engines.contains(&Engine::Induction) {
        return FxHashMap::default();
    }
    let mut groups = groups(system, properties);
    groups.retain(|group| group.len() > 1);
    let budget = (config.left)() * TOGETHER.0 / TOGETHER.1;
    let all: usize = groups.iter().map(Vec::len).sum();
    let found = in_parallel(&groups, config, |group| {
        let share =
            budget.mul_f64(group.len() as f64 / all as f64) * u32::try_from(config.threads).unwrap_or(1);
        group_verdicts(system, group, config, share.min(budget))
    });
    found.into_iter().flatten().map(|verdict| (verdict.property, verdict)).collect()
}

/// What can be decided about one group within a time: of all together, and then, so that hard properties do not stop the others, of those
/// that depend on the same variables.
fn group_verdicts(system: &System, group: &[usize], config: &Config<'_>, time: Duration) -> Vec<Verdict> {
    let until = (config.left)().saturating_sub(time);
    let mut decided = joint_verdicts(system, group, config, time);
    let open: Vec<usize> =
        group.iter().copied().filter(|it| decided.iter().all(|verdict| verdict.property != *it)).collect();
    let parts = by_cone(system, &open);
    for part in parts.iter().filter(|it| it.len() > 1 && it.len() < group.len()) {
        let left = (config.left)().saturating_sub(until);
        decided.extend(joint_verdicts(system, part, config, left));
    }
    decided
}

/// What can be decided about properties with one encoding within a time.
fn joint_verdicts(whole: &System, group: &[usize], config: &Config<'_>, time: Duration) -> Vec<Verdict> {
    let begun = (config.left)();
    let until = begun.saturating_sub(time);
    let stop = || (config.left)() <= until;
    for &property in group {
        (config.progress)(Progress::Begins { property });
        (config.progress)(Progress::Engine { property, engine: Engine::Induction.name() });
    }
    let Simple { system: sliced, back, bounds } = simplify(whole.slice(group));
    let processes = Processes(config.solver);
    let sayable = if config.built_in { on_bits(&sliced, &bounds, &stop) } else { None };
    let open: &dyn Open = if sayable.is_some() { &BuiltIn } else { &processes };
    let shared = Shared::default();
    shared.publish(&sayable.unwrap_or(bounds));
    let property = group[0];
    let task = Task { whole, property, system: &sliced, back: &back, open, stop: &stop, shared: &shared };
    let walks = if config.engines.contains(&Engine::Random) { FIRST_WALKS[1] } else { 0 };
    let found = joint(task, group, config.solver, (config.seed, walks));
    let spent = begun.saturating_sub((config.left)()) / u32::try_from(group.len()).unwrap_or(u32::MAX);
    let decided = found.answers.into_iter().map(|(place, engine, answer)| Verdict {
        property: group[place],
        depth: match &answer {
            Answer::Invalid(it) => it.run.steps.len() - 1,
            Answer::Valid(_) | Answer::Unknown(_) => found.depth,
        },
        answer,
        engine: engine.name(),
        vacuous: false,
        spent,
    });
    let decided: Vec<Verdict> = decided.collect();
    for &property in group {
        let decided = decided.iter().any(|it| it.property == property);
        (config.progress)(Progress::Ends { property, decided });
    }
    decided
}

/// Whether a property gets a second round.
fn worth_more(verdict: &Verdict) -> bool {
    !matches!(verdict.answer, Answer::Valid(_) | Answer::Invalid(_) | Answer::Unknown(Why::NoSuchProperty))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    Quick(Duration),
    /// Whether a proof of the first round failed its re-check.
    Full {
        refuted: bool,
    },
}

/// The minimum and maximum time that the quick round spends on a property.
const QUICK: [Duration; 2] = [Duration::from_millis(20), Duration::from_secs(6)];

/// The time limit of one query of the quick round in milliseconds.
const QUERY: u32 = 1500;

/// The part of the time that properties have together, before each of them is looked at alone.
const TOGETHER: (u32, u32) = (2, 5);

/// The time that is kept free to make one counterexample short and simple.
const NEATNESS: Duration = Duration::from_millis(100);

fn decide(whole: &System, property: usize, config: &Config<'_>, effort: Effort) -> Verdict {
    if property >= whole.properties.len() {
        return unknown(property, Why::NoSuchProperty);
    }
    if (config.left)().is_zero() {
        return unknown(property, Why::Time);
    }
    let until = match effort {
        Effort::Quick(time) => (config.left)().saturating_sub(time),
        Effort::Full { .. } => Duration::ZERO,
    };
    let begun = (config.left)();
    let done = AtomicBool::new(false);
    let confirmed_by = AtomicU64::new(0);
    let shared = Shared::default();
    let stop = || {
        (config.progress)(Progress::Depth { property, depth: shared.depth() });
        let until = until.max(Duration::from_millis(confirmed_by.load(Ordering::Relaxed)));
        done.load(Ordering::Relaxed) || (config.left)() <= until
    };
    (config.progress)(Progress::Begins { property });
    let Simple { system: mut sliced, back, bounds } = simplify(whole.slice(&[property]));
    let processes = Processes(config.solver);
    let sayable = if config.built_in { on_bits(&sliced, &bounds, &stop) } else { None };
    let open: &dyn Open = if sayable.is_some() { &BuiltIn } else { &processes };
    shared.publish(&sayable.unwrap_or(bounds));
    let candidates = match effort {
        Effort::Full { .. } if config.engines.contains(&Engine::Invariants) => {
            mine(&mut sliced, &stop, config.seed)
        }
        Effort::Quick(_) | Effort::Full { .. } => Candidates::default(),
    };
    let task = Task { whole, property, system: &sliced, back: &back, open, stop: &stop, shared: &shared };
    let judge = Judge {
        task,
        config,
        best: Mutex::new(None),
        done: &done,
        confirmed_by: &confirmed_by,
        unsure: Mutex::default(),
    };
    if effort == (Effort::Full { refuted: true }) {
        judge.doubt(Why::BadCertificate);
    }
    match effort {
        Effort::Quick(_) => quick(&judge),
        Effort::Full { .. } => full(&judge, &candidates),
    }
    let spent = begun.saturating_sub((config.left)());
    let verdict = Verdict { spent, ..judge.verdict() };
    (config.progress)(Progress::Ends { property, decided: !verdict.answer.is_unknown() });
    verdict
}

/// If the built-in solver supports the whole system: the conditions that it supports as well.
fn on_bits(system: &System, conditions: &[Expr], stop: Stop<'_>) -> Option<Vec<Expr>> {
    let mut context = Blast::new(system, Start::Free, stop);
    let all = system.assumptions.iter().chain(&system.initial).copied();
    for expr in all.chain(system.properties.iter().map(|it| it.value)) {
        context.literal(system, expr, 0).ok()?;
    }
    for state in &system.state {
        context.touch(system, state.var, 1).ok()?;
    }
    Some(conditions.iter().copied().filter(|it| context.literal(system, *it, 0).is_ok()).collect())
}

fn quick(judge: &Judge<'_>) {
    let task = judge.task;
    if task.good() == Pool::TRUE {
        // It may hold only within the bounds.
        let bounds = task.shared.invariants(0);
        let proof = Proof::Induction { k: 1, distinct: false };
        let certificate = task.certificate(&task.system.pool, &bounds, proof);
        judge.hear("constant", Ok(Some(Found::Valid(certificate))));
    }
    if !task.open.on_bits() && judge.wants(Engine::Random) {
        judge.hear("random", Ok(falsify(task, judge.config.seed, FIRST_WALKS[0])));
    }
    if !task.open.on_bits() && judge.wants(Engine::Boxes) {
        judge.hear("boxes", boxes(task));
    }
    if judge.wants(Engine::Induction) {
        judge.hear("induction", induction(task, 3, QUERY));
    }
    if judge.wants(Engine::Explicit) {
        // On bits, IC3 is better on all but small systems.
        let share = if task.open.on_bits() { 10 } else { 1 };
        judge.explicit(judge.config.states[0] / share);
        if (judge.explored() || task.open.on_bits()) && judge.wants(Engine::Ic3) {
            judge.hear("ic3", ic3(task));
        }
    }
    if judge.wants(Engine::Random) {
        judge.hear("random", Ok(falsify(task, judge.config.seed, 12)));
    }
}

fn full(judge: &Judge<'_>, candidates: &Candidates) {
    let task = judge.task;
    let run = |engine: Engine| match engine {
        Engine::Bmc => judge.hear(engine.name(), bmc(task, usize::MAX)),
        Engine::Induction => judge.hear(engine.name(), induction(task, usize::MAX, 0)),
        Engine::Ic3 => judge.hear(engine.name(), ic3(task)),
        Engine::Invariants => judge.hear(engine.name(), prove(task, candidates).map(|()| None)),
        Engine::Random => judge.hear(engine.name(), Ok(falsify(task, judge.config.seed + 1, usize::MAX))),
        Engine::Explicit => judge.explicit(judge.config.states[1]),
        Engine::Boxes => judge.hear(engine.name(), boxes(task)),
    };
    std::thread::scope(|scope| {
        for engine in Engine::ALL.into_iter().filter(|it| judge.wants(*it)) {
            let run = &run;
            scope.spawn(move || run(engine));
        }
    });
}

/// Collects the engines' results and accepts only what passes its check.
struct Judge<'a> {
    task: Task<'a>,
    config: &'a Config<'a>,
    best: Mutex<Option<(Answer, &'static str)>>,
    done: &'a AtomicBool,
    /// The time left, in milliseconds, at which the search for a certificate ends although none was found.
    confirmed_by: &'a AtomicU64,
    unsure: Mutex<Vec<Why>>,
}

impl Judge<'_> {
    fn wants(&self, engine: Engine) -> bool {
        let wanted = !self.decided() && self.config.engines.contains(&engine);
        if wanted {
            let (property, engine) = (self.task.property, engine.name());
            (self.config.progress)(Progress::Engine { property, engine });
        }
        wanted
    }

    fn decided(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    /// Whether there is an answer that an inductive argument could still confirm.
    fn explored(&self) -> bool {
        !self.decided() && self.best.lock().is_ok_and(|it| it.is_some())
    }

    fn hear(&self, engine: &'static str, found: Result<Option<Found>, Why>) {
        match found {
            Ok(None) => {}
            Err(why) => self.doubt(why),
            Ok(Some(Found::Invalid(it))) => self.settle(Answer::Invalid(it), engine),
            Ok(Some(Found::Valid(certificate))) => {
                let task = self.task;
                match check(task.whole, task.property, &certificate, self.config.solver, task.stop) {
                    Ok(true) => self.settle(Answer::Valid(certificate), engine),
                    Ok(false) => self.doubt(Why::BadCertificate),
                    Err(why) => self.doubt(why),
                }
            }
        }
    }

    /// A search through all states. Visiting all of them is not a certificate; it decides only if nothing else does.
    fn explicit(&self, states: usize) {
        // Steps of larger systems are slower, so the limit is lower.
        let steps = (states as u64 * 400 / self.task.system.pool.len() as u64).min(states as u64 * 10);
        let budget = Budget { states, steps };
        let task = self.task;
        match explicit_until(task.system, 0, budget, task.stop) {
            explicit::Answer::Invalid(run) => {
                let value = |var: Var, step: u32| {
                    let value = run.steps.get(step as usize)?.values.get(var.index())?;
                    Some(value.clone()).filter(|it| *it != Value::Undefined)
                };
                match confirm(task.whole, task.property, run.steps.len(), &value) {
                    Some(found) => self.settle(Answer::Invalid(found), "explicit"),
                    None => self.doubt(Why::NotReplayed),
                }
            }
            explicit::Answer::Valid => {
                let system = self.task.whole;
                let certificate = Certificate {
                    pool: system.pool.clone(),
                    invariant: Pool::TRUE,
                    proof: Proof::Explored,
                    recurrence: None,
                };
                let mut best = self.best.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if best.is_none() {
                    *best = Some((Answer::Valid(certificate), "explicit"));
                    let by = (self.config.left)().saturating_sub(CONFIRMATION).as_millis();
                    self.confirmed_by.store(u64::try_from(by).unwrap_or(u64::MAX), Ordering::Relaxed);
                }
            }
            explicit::Answer::Unknown(_) => {}
        }
    }

    fn settle(&self, answer: Answer, engine: &'static str) {
        let mut best = self.best.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !self.done.swap(true, Ordering::Relaxed) {
            *best = Some((answer, engine));
        }
    }

    fn doubt(&self, why: Why) {
        self.unsure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(why);
    }

    fn verdict(self) -> Verdict {
        let depth = self.task.shared.depth();
        let best = self.best.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let unsure = self.unsure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        // If a proof failed its re-check, a search on the same simplified system is not evidence.
        let doubtful = |answer: &Answer| {
            matches!(answer, Answer::Valid(it) if it.proof == Proof::Explored)
                && unsure.contains(&Why::BadCertificate)
        };
        let best = best.filter(|it| !doubtful(&it.0));
        let (answer, engine) = best.unwrap_or_else(|| (Answer::Unknown(most_telling(unsure)), ""));
        let until = (self.config.left)().saturating_sub(PATIENCE);
        let stop = || (self.config.left)() <= until;
        let vacuous =
            matches!(answer, Answer::Valid(_)) && !self.task.shared.alive() && !alive(&self.task, &stop);
        Verdict { property: self.task.property, answer, engine, depth, vacuous, spent: Duration::ZERO }
    }
}

/// Whether some behaviour satisfies the assumptions at its first step. If undecided, returns true: there is no reason to warn.
fn alive(task: &Task<'_>, stop: Stop<'_>) -> bool {
    if task.whole.assumptions.is_empty() && task.whole.initial.is_empty() {
        return true;
    }
    if (0..WALKS).any(|seed| Walk::new(task.system, &[], seed).begin(false)) {
        return true;
    }
    let asked = || {
        let mut context = task.open.open(task.system, Start::Initial, stop)?;
        task.assume(&mut *context, 0, Start::Initial)?;
        context.solve(&[])
    };
    asked().unwrap_or_else(|_: Why| {
        let mut system = task.system.clone();
        system.properties[0].value = Pool::FALSE;
        let budget = Budget { states: 1000, steps: 100_000 };
        !matches!(explicit_until(&system, 0, budget, stop), explicit::Answer::Valid)
    })
}

/// The time that engines have to confirm a search through all states by an inductive argument.
const CONFIRMATION: Duration = Duration::from_secs(3);

/// The number of walks that look for a violation before a solver does: of one property, and of several together.
const FIRST_WALKS: [usize; 2] = [4, 6];

/// The number of walks that look for a behaviour before a solver does.
const WALKS: u64 = 4;

/// The time limit of the query whether there is any behaviour.
const PATIENCE: Duration = Duration::from_secs(2);

/// The most informative reason.
fn most_telling(reasons: Vec<Why>) -> Why {
    let rank = |why: &Why| match why {
        Why::BadCertificate => 0,
        Why::Solver(_) => 1,
        Why::NotReplayed => 2,
        Why::NoSuchProperty | Why::OnlyAbstract => 3,
        Why::Unsupported(_) => 4,
        Why::Undecided => 5,
        Why::Time => 6,
        Why::Limit(_) => 7,
    };
    reasons.into_iter().min_by_key(rank).unwrap_or(Why::Time)
}

fn unknown(property: usize, why: Why) -> Verdict {
    let answer = Answer::Unknown(why);
    Verdict { property, answer, engine: "", depth: 0, vacuous: false, spent: Duration::ZERO }
}
