//! Questions about a violated "A implies B, at every step": can A be reached, can B hold together with A, and which of the
//! model's own conditions, added to A, make the property hold.
//!
//! Mavridou et al. do this by hand ("Reasoning for violated properties", FRET and the ten Lockheed Martin challenges). Every answer
//! is a verdict of the engines: possible with a replayed trace, impossible with a checked proof, or undecided. A trace that refutes a
//! condition also refutes all others that hold at its end, so few conditions need a query of their own.

mod conditions;

use crate::portfolio::{Config, Engine, verify};
use crate::verdict::{Answer, Counterexample, Why};
use conditions::{Condition, conditions};
use std::time::Duration;
use system::{Evaluator, Expr, Node, Origin, Pool, Run, System, Value, Var};

/// The answers.
#[derive(Clone, Debug)]
pub struct Reasoning {
    /// Can A be reached?
    pub premise: Possible,
    /// Can B hold together with A?
    pub both: Possible,
    /// Can B hold at all? Decided only if it cannot hold together with A.
    pub conclusion: Option<Possible>,
    /// Conditions that make the property hold when added to A; each list is one answer. With each, A can still be reached.
    pub stronger: Vec<Vec<String>>,
    /// The number of conditions that were neither proved sufficient nor refuted.
    pub undecided: usize,
    /// Whether the timeout was reached before all conditions were tried.
    pub cut: bool,
}

/// Whether something can happen.
#[derive(Clone, Debug)]
pub enum Possible {
    /// It happens at the end of this trace; no shorter one is known.
    Yes(Box<Counterexample>),
    /// It never happens.
    Never,
    /// Not decided, for this reason.
    Unknown(Why),
}

/// A and B of a property, as its author wrote them or as its expression shows. If it is not an implication, A is `true`. `None` if
/// the property demands something to recur, because then no single step decides it.
pub fn sides(system: &mut System, property: usize) -> Option<(Expr, Expr)> {
    let property = system.properties.get(property).filter(|it| it.recurs.is_none())?;
    if let Some(sides) = property.sides {
        return Some(sides);
    }
    let pool = &mut system.pool;
    let Node::Or(operands) = pool.node(property.value).clone() else {
        return Some((Pool::TRUE, property.value));
    };
    let negated = |it: &&Expr| matches!(pool.node(**it), Node::Not(_));
    let conjunction = |it: &&Expr| match pool.node(**it) {
        Node::Not(inner) => matches!(pool.node(*inner), Node::And(_)),
        _ => false,
    };
    let only = |test: &dyn Fn(&&Expr) -> bool| {
        let found: Vec<&Expr> = operands.iter().filter(test).collect();
        if let [only] = found[..] { Some(*only) } else { None }
    };
    let Some(denied) = only(&conjunction).or_else(|| only(&negated)) else {
        return Some((Pool::TRUE, property.value));
    };
    let conclusion = pool.or(operands.iter().copied().filter(|it| *it != denied));
    Some((pool.not(denied), conclusion))
}

/// Answers the questions about "A implies B" in a system; `most` limits the number of answers about conditions.
pub fn reason(system: &System, sides: (Expr, Expr), config: &Config<'_>, most: usize) -> Reasoning {
    let (premise, conclusion) = sides;
    let mut asked = system.clone();
    asked.properties.clear();
    let never = |asked: &mut System, all: &[Expr]| {
        let both = asked.pool.and(all.iter().copied());
        let not = asked.pool.not(both);
        possible(asked, not, config)
    };
    let reached = never(&mut asked, &[premise]);
    let both = match reached {
        Possible::Never => Possible::Never,
        _ => never(&mut asked, &[premise, conclusion]),
    };
    let alone = matches!(both, Possible::Never).then(|| never(&mut asked, &[conclusion]));
    let mut reasoning = Reasoning {
        premise: reached,
        both,
        conclusion: alone,
        stronger: Vec::new(),
        undecided: 0,
        cut: false,
    };
    if most == 0 || matches!(reasoning.both, Possible::Never) {
        return reasoning;
    }
    let roots: Vec<Expr> = cone(&asked, &[premise, conclusion]);
    let conditions = conditions(&mut asked, &roots);
    let idle = conditions.iter().map(|it| it.expr == conclusion).collect();
    let (bad, good) = (Vec::new(), Vec::new());
    let mut search = Search { asked, premise, conclusion, config, conditions, idle, bad, good };
    search.remember(&reasoning.premise);
    search.remember(&reasoning.both);
    search.run(most, &mut reasoning);
    reasoning
}

/// The variables that the values of some expressions depend on, over all steps.
fn cone(system: &System, exprs: &[Expr]) -> Vec<Expr> {
    let mut sliced = system.clone();
    exprs.iter().for_each(|it| {
        sliced.add_property("", Origin::Unknown, *it);
    });
    let all: Vec<usize> = (0..sliced.properties.len()).collect();
    let sliced = sliced.slice(&all);
    let states = sliced.state.iter().map(|it| it.next);
    let outputs = sliced.outputs.iter().map(|it| it.value);
    exprs.iter().copied().chain(states).chain(outputs).collect()
}

/// Whether an expression is false at some step, and if so, a trace to it that is as short as can be found quickly.
fn possible(asked: &mut System, never: Expr, config: &Config<'_>) -> Possible {
    let answer = ask(asked, never, config, 4);
    match answer {
        Answer::Valid(_) => Possible::Never,
        Answer::Unknown(why) => Possible::Unknown(why),
        Answer::Invalid(found) => {
            let bounded = Config { engines: &[Engine::Bmc], ..*config };
            let shorter = match found.run.steps.len() {
                1 => Answer::Unknown(Why::Undecided),
                _ => ask(asked, never, &bounded, 10),
            };
            match shorter {
                Answer::Invalid(shorter) if shorter.run.steps.len() < found.run.steps.len() => {
                    Possible::Yes(Box::new(shorter))
                }
                _ => Possible::Yes(Box::new(found)),
            }
        }
    }
}

/// Decides an expression within a fraction of the remaining time.
fn ask(asked: &mut System, value: Expr, config: &Config<'_>, part: u32) -> Answer {
    asked.properties.clear();
    asked.add_property("", Origin::Unknown, value);
    let whole = (config.left)();
    let until = whole.saturating_sub((whole / part).clamp(LEAST, MOST));
    let left = || (config.left)().saturating_sub(until);
    let config = Config { left: &left, ..*config };
    let verdict = verify(asked, &[0], &config).pop();
    verdict.map_or(Answer::Unknown(Why::NoSuchProperty), |it| it.answer)
}

/// The minimum and maximum time for one query.
const LEAST: Duration = Duration::from_millis(200);
const MOST: Duration = Duration::from_secs(10);

/// The fraction of the remaining time for one condition.
const PART: u32 = 40;

/// The number of violations searched for at random before the first condition is tried: they refute most conditions.
const SAMPLES: u64 = 24;

/// The search for conditions. A point holds the Boolean values of all conditions at one step of a trace.
struct Search<'a> {
    asked: System,
    premise: Expr,
    conclusion: Expr,
    config: &'a Config<'a>,
    conditions: Vec<Condition>,
    /// Conditions that cannot be part of an answer.
    idle: Vec<bool>,
    /// Where A holds and B does not.
    bad: Vec<Vec<bool>>,
    /// Where A holds.
    good: Vec<Vec<bool>>,
}

/// The maximum number of combinations tried in each round.
const TRIED: usize = 400;

impl Search<'_> {
    fn run(&mut self, most: usize, reasoning: &mut Reasoning) {
        let count = self.conditions.len();
        let mut tried = 0;
        let none: [usize; 0] = [];
        // With no conditions, this finds the first bad point.
        if self.suffices(&none) == Some(true) {
            return;
        }
        self.sample();
        let singles = (0..count).map(|at| vec![at]);
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| vec![a, b]));
        let mut round = 1;
        for chosen in singles.chain(pairs) {
            if chosen.len() > round {
                if !reasoning.stronger.is_empty() {
                    return;
                }
                (round, tried) = (chosen.len(), 0);
            }
            if reasoning.stronger.len() >= most {
                return;
            }
            if chosen.len() == 2 && self.conditions[chosen[0]].origin == self.conditions[chosen[1]].origin
                || self.is_refuted(&chosen)
                || chosen.iter().any(|at| self.idle[*at])
            {
                continue;
            }
            if (self.config.left)().is_zero() || tried >= TRIED {
                reasoning.cut = true;
                return;
            }
            tried += 1;
            match self.suffices(&chosen) {
                Some(true) => match self.is_reached(&chosen) {
                    Some(true) if self.repeats(&chosen) => self.give_up(&chosen),
                    Some(true) => reasoning.stronger.push(self.words(&chosen)),
                    Some(false) => self.give_up(&chosen),
                    None => reasoning.undecided += 1,
                },
                Some(false) => {}
                None => reasoning.undecided += 1,
            }
        }
    }

    fn words(&self, chosen: &[usize]) -> Vec<String> {
        chosen.iter().map(|at| self.conditions[*at].words.clone()).collect()
    }

    /// Finds more violations by random search.
    fn sample(&mut self) {
        let value = self.asked.pool.implies(self.premise, self.conclusion);
        for seed in 1..=SAMPLES {
            let config = Config { engines: &[Engine::Random], seed, ..*self.config };
            let Answer::Invalid(found) = ask(&mut self.asked, value, &config, u32::MAX) else { return };
            self.bad.push(self.point(&found.run));
        }
    }

    /// A condition that adds nothing, or with which A is never reached, is not tried in pairs.
    fn give_up(&mut self, chosen: &[usize]) {
        if let [only] = chosen {
            self.idle[*only] = true;
        }
    }

    /// Whether a condition always equals the conclusion. If it is an input, it is an answer nonetheless.
    fn repeats(&mut self, chosen: &[usize]) -> bool {
        let [only] = chosen else { return false };
        let condition = self.conditions[*only].expr;
        let inputs = &self.asked.inputs;
        if matches!(self.asked.pool.node(condition), Node::Var(var) if inputs.contains(var)) {
            return false;
        }
        let same = self.asked.pool.iff(condition, self.conclusion);
        matches!(ask(&mut self.asked, same, self.config, PART), Answer::Valid(_))
    }

    /// Whether a known trace violates the property under these conditions too.
    fn is_refuted(&self, chosen: &[usize]) -> bool {
        self.bad.iter().any(|point| chosen.iter().all(|at| point[*at]))
    }

    /// A with some conditions.
    fn strengthened(&mut self, chosen: &[usize]) -> Expr {
        let conditions = chosen.iter().map(|at| self.conditions[*at].expr);
        let all: Vec<Expr> = conditions.chain([self.premise]).collect();
        self.asked.pool.and(all)
    }

    /// Whether A with some conditions implies B; `None` if undecided.
    fn suffices(&mut self, chosen: &[usize]) -> Option<bool> {
        let premise = self.strengthened(chosen);
        let value = self.asked.pool.implies(premise, self.conclusion);
        let point = self.counterexample(value)?;
        self.bad.extend(point.clone());
        Some(point.is_none())
    }

    /// Whether A can be reached with some conditions; `None` if undecided.
    fn is_reached(&mut self, chosen: &[usize]) -> Option<bool> {
        if self.good.iter().any(|point| chosen.iter().all(|at| point[*at])) {
            return Some(true);
        }
        let premise = self.strengthened(chosen);
        let never = self.asked.pool.not(premise);
        let point = self.counterexample(never)?;
        self.good.extend(point.clone());
        Some(point.is_some())
    }

    /// Where a property fails; the inner `None` if it is valid, the outer one if undecided.
    fn counterexample(&mut self, value: Expr) -> Option<Option<Vec<bool>>> {
        match ask(&mut self.asked, value, self.config, PART) {
            Answer::Valid(_) => Some(None),
            Answer::Unknown(_) => None,
            Answer::Invalid(found) => Some(Some(self.point(&found.run))),
        }
    }

    fn remember(&mut self, known: &Possible) {
        if let Possible::Yes(found) = known {
            // The trace comes from a system without the memory of the conditions, so it is simulated again.
            let inputs: Vec<Vec<Value>> = found
                .run
                .steps
                .iter()
                .map(|step| self.asked.inputs.iter().map(|var| step.values[var.index()].clone()).collect())
                .collect();
            let first = &found.run.steps[0];
            let start: Vec<(Var, Value)> = self
                .asked
                .state
                .iter()
                .filter_map(|it| Some((it.var, first.values.get(it.var.index())?.clone())))
                .collect();
            let run = system::simulate(&self.asked, &start, &inputs);
            self.good.push(self.point(&run));
        }
    }

    /// The Boolean values of all conditions at the end of a trace. Undefined values count as false, so they neither refute nor prove
    /// anything.
    fn point(&self, run: &Run) -> Vec<bool> {
        let roots = self.conditions.iter().map(|it| it.expr);
        let evaluator = Evaluator::new(&self.asked.pool, roots);
        let values: Vec<Value> = evaluator.values(&self.asked.pool, |var| {
            let step = run.steps.last();
            step.and_then(|it| it.values.get(var.index())).cloned().unwrap_or(Value::Undefined)
        });
        self.conditions.iter().map(|it| evaluator.get(&values, it.expr).truth() == Some(true)).collect()
    }
}
