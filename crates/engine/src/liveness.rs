//! What must recur on every infinite behaviour: a proof by a measure that cannot go on, or a lasso on which it never holds again.
//!
//! - `measure`: bounds and ranking functions, as safety properties; their certificates are checked like all others
//! - `lasso`: loops as violations of a safety property; replayed before they are returned
//! - `explicit::cycle`: all states, if there are finitely many: a cycle or the exact bound
//!
//! In a system with finitely many states, one of them exists. In others, a condition may fail for ever without a loop, or recur
//! without a measure of this kind: then the answer is unknown when the time is over.

mod lasso;
mod measure;

pub use measure::Measure;
pub(crate) use measure::measured;

use crate::engines::explicit::Budget;
use crate::engines::explicit::cycle::{Cycle, Lasso, cycle};
use crate::portfolio::{self, Config, Engine};
use crate::prepare::simplify::simplify;
use crate::progress::Progress;
use crate::verdict::{Answer, Certificate, Counterexample, Proof, Recurrence, Verdict, Why};
use lasso::{Watch, replayed};
use measure::candidates;
use std::time::Duration;
use system::{Expr, Origin, Pool, Step, System, Value, Var, simulate};

/// Decides the properties at the given indices.
///
/// ```
/// use shall_engine::{Answer, Config, NoSolver, verify};
/// use system::{Origin, System, Type};
/// let mut system = System::default();
/// let on = system.add_input("on", Type::Bool);
/// let no = system.pool.bool(false);
/// let was = system.add_state("was", Type::Bool, Some(no));
/// let (on, was_on) = (system.expr(on), system.expr(was));
/// system.set_next(was, on);
/// let either = system.pool.or([on, was_on]);
/// system.add_property("on now or before", Origin::Unknown, either);
/// let left = || std::time::Duration::from_secs(5);
/// let verdicts = verify(&system, &[0], &Config::new(&left, &NoSolver));
/// assert!(matches!(&verdicts[0].answer, Answer::Invalid(it) if it.run.steps.len() == 1));
/// ```
pub fn verify(system: &System, properties: &[usize], config: &Config<'_>) -> Vec<Verdict> {
    let condition = |property: usize| system.properties.get(property).and_then(|it| it.recurs);
    let live: Vec<usize> = (0..properties.len()).filter(|it| condition(properties[*it]).is_some()).collect();
    if live.is_empty() {
        return portfolio::verify(system, properties, config);
    }
    let mut safe = system.clone();
    safe.properties.iter_mut().for_each(|it| it.recurs = None);
    // What must recur has the same share of the time as the rest of a property.
    let count = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let reserved = (config.left)() / count(live.len() + properties.len()) * count(live.len());
    let left = || (config.left)().saturating_sub(reserved);
    let mut verdicts = portfolio::verify(&safe, properties, &Config { left: &left, ..*config });
    for (done, place) in live.iter().enumerate() {
        let share = (config.left)() / count(live.len() - done);
        let (property, verdict) = (properties[*place], &mut verdicts[*place]);
        if let Some(condition) = condition(property) {
            let begun = (config.left)();
            (config.progress)(Progress::Begins { property });
            within(config, share, |config| conclude(&Live { system, property, condition, config }, verdict));
            let decided = !verdict.answer.is_unknown();
            (config.progress)(Progress::Ends { property, decided });
            verdict.spent += begun.saturating_sub((config.left)());
        }
    }
    verdicts
}

/// A condition that must recur in a system.
struct Live<'a> {
    system: &'a System,
    property: usize,
    condition: Expr,
    config: &'a Config<'a>,
}

/// What was found out.
enum Found {
    Recurs(Recurrence),
    Fails(Counterexample),
    Unknown(Why),
}

/// Adds what was found out about the condition that must recur to a verdict about the rest of the property.
fn conclude(live: &Live<'_>, verdict: &mut Verdict) {
    if matches!(verdict.answer, Answer::Invalid(_) | Answer::Unknown(Why::NoSuchProperty)) {
        return;
    }
    let (found, engine) = live.decide();
    match (found, &mut verdict.answer) {
        (Found::Fails(found), answer) => *answer = Answer::Invalid(found),
        (Found::Unknown(why), answer @ Answer::Valid(_)) => *answer = Answer::Unknown(why),
        (Found::Recurs(recurrence), Answer::Valid(certificate)) => {
            certificate.recurrence = Some(Box::new(recurrence));
        }
        // The rest of the property is not decided either.
        (Found::Recurs(_) | Found::Unknown(_), _) => return,
    }
    verdict.engine = engine;
}

/// The time to confirm a search through all states by a measure with a certificate.
const CONFIRMATION: Duration = Duration::from_secs(3);

/// The time of the first attempts; each round has twice as much.
const ROUND: Duration = Duration::from_millis(500);

/// The engines that look for lassos; a proof that there is none would mean nothing if there are infinitely many states.
const SEARCH: [Engine; 2] = [Engine::Bmc, Engine::Random];

impl Live<'_> {
    fn decide(&self) -> (Found, &'static str) {
        let mut asked = self.system.clone();
        asked.properties.clear();
        asked.add_property("recurs", Origin::Unknown, self.condition);
        let sliced = asked.slice(&[0]);
        let mut measures = candidates(&sliced, self.condition);
        let small = simplify(sliced).system;
        let watch = Watch::new(&small);
        let stop = || (self.config.left)().is_zero();
        let mut unsure: Option<Why> = None;
        if self.config.engines.contains(&Engine::Explicit) {
            let share = (self.config.left)() / 2;
            match within(self.config, share, |config| Live { config, ..*self }.explored(&small, &watch)) {
                Found::Unknown(why) => unsure = Some(why),
                found => return (found, "explicit"),
            }
        }
        let (mut time, mut most) = (ROUND, 1_usize);
        while (self.config.left)() > Duration::ZERO {
            let searched = within(self.config, time, |config| {
                let config = Config { engines: &SEARCH, ..*config };
                portfolio::verify(&watch.system, &[0], &config).pop()
            });
            match searched.map(|it| it.answer) {
                Some(Answer::Invalid(found)) => {
                    let lasso = watch.lasso(&found);
                    match lasso.and_then(|it| replayed(self.system, self.condition, &small, &it)) {
                        Some(found) => return (Found::Fails(found), "lasso"),
                        None => unsure = Some(Why::NotReplayed),
                    }
                }
                Some(Answer::Unknown(why)) if why != Why::Time => unsure = Some(why),
                _ => {}
            }
            // A bound that is too small is refuted soon.
            while (self.config.left)() > Duration::ZERO {
                match self.by(Measure::Steps(most), time) {
                    Answer::Valid(certificate) => {
                        let recurrence = Recurrence { measure: Measure::Steps(most), certificate };
                        return (Found::Recurs(recurrence), "k-liveness");
                    }
                    Answer::Invalid(found) => {
                        let lasso = repeated(&small, &found);
                        let lasso = lasso.map(|it| watch.simpler(&it, &stop).unwrap_or(it));
                        let found = lasso.and_then(|it| replayed(self.system, self.condition, &small, &it));
                        if let Some(found) = found {
                            return (Found::Fails(found), "k-liveness");
                        }
                        most = most.saturating_mul(2);
                    }
                    Answer::Unknown(why) => {
                        unsure = Some(why).filter(|it| *it != Why::Time).or(unsure);
                        break;
                    }
                }
            }
            for measure in std::mem::take(&mut measures) {
                match self.by(measure, time / 4) {
                    Answer::Valid(certificate) => {
                        return (Found::Recurs(Recurrence { measure, certificate }), "ranking");
                    }
                    Answer::Invalid(_) => {}
                    Answer::Unknown(_) => measures.push(measure),
                }
            }
            time = time.saturating_mul(2);
        }
        (Found::Unknown(unsure.unwrap_or(Why::Time)), "")
    }

    /// A search through all states, then for a certificate of the bound that it found.
    fn explored(&self, small: &System, watch: &Watch) -> Found {
        let states = self.config.states[1];
        // Steps of larger systems are slower, so the limit is lower.
        let steps = (states as u64 * 400 / small.pool.len() as u64).min(states as u64 * 10);
        let stop = || (self.config.left)() == Duration::ZERO;
        match cycle(small, Budget { states, steps }, &stop) {
            Cycle::Lasso(lasso) => {
                let simple = watch.simpler(&lasso, &stop).unwrap_or_else(|| lasso.clone());
                let found = [&simple, &lasso];
                let found = found.iter().find_map(|it| replayed(self.system, self.condition, small, it));
                found.map_or(Found::Unknown(Why::NotReplayed), Found::Fails)
            }
            Cycle::Bounded(most) => {
                let measure = Measure::Steps(most);
                match self.by(measure, CONFIRMATION) {
                    Answer::Valid(certificate) => Found::Recurs(Recurrence { measure, certificate }),
                    Answer::Invalid(_) => Found::Unknown(Why::BadCertificate),
                    Answer::Unknown(Why::BadCertificate) => Found::Unknown(Why::BadCertificate),
                    Answer::Unknown(_) => {
                        let pool = self.system.pool.clone();
                        let (invariant, proof) = (Pool::TRUE, Proof::Explored);
                        let certificate = Certificate { pool, invariant, proof, recurrence: None };
                        Found::Recurs(Recurrence { measure, certificate })
                    }
                }
            }
            Cycle::Unknown => Found::Unknown(Why::Time),
        }
    }

    /// Whether a measure holds.
    fn by(&self, measure: Measure, time: Duration) -> Answer {
        let Some(measured) = measured(self.system, self.property, measure) else {
            return Answer::Unknown(Why::NoSuchProperty);
        };
        let verdict = within(self.config, time, |config| portfolio::verify(&measured, &[0], config).pop());
        verdict.map_or(Answer::Unknown(Why::Time), |it| it.answer)
    }
}

/// Does something with less time.
fn within<R>(config: &Config<'_>, time: Duration, work: impl FnOnce(&Config<'_>) -> R) -> R {
    let until = (config.left)().saturating_sub(time);
    let left = || (config.left)().saturating_sub(until);
    work(&Config { left: &left, ..*config })
}

/// A lasso within a trace that ends with many steps at which the condition fails: where the state of the simplified system returns.
fn repeated(small: &System, found: &Counterexample) -> Option<Lasso> {
    let value = |step: &Step, var: &Var| step.values.get(var.index()).cloned();
    let steps = &found.run.steps;
    let rows: Option<Vec<Vec<Value>>> =
        steps.iter().map(|step| small.inputs.iter().map(|var| value(step, var)).collect()).collect();
    let mut rows = rows?;
    let free = small.state.iter().filter(|it| it.init.is_none()).map(|it| it.var);
    let start: Option<Vec<_>> = free.map(|var| Some((var, value(steps.first()?, &var)?))).collect();
    let start = start?;
    let run = simulate(small, &start, &rows);
    let fails = |step: &Step| step.properties.first() == Some(&Some(false));
    let first = run.steps.iter().rposition(|step| !fails(step)).map_or(0, |it| it + 1);
    let same = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|it| &run.steps[it].values);
        small.state.iter().all(|it| a[it.var.index()] == b[it.var.index()])
    };
    let pair = (first..run.steps.len()).find_map(|at| Some(((first..at).rfind(|it| same(*it, at))?, at)));
    let (loop_start, end) = pair?;
    rows.truncate(end);
    Some(Lasso { start, rows, loop_start })
}
