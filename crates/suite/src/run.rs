//! Tests against a system: inputs go in, outputs come out, and the requirements judge every step.
//!
//! A system may choose other outputs than the test. That is not an error as long as no requirement is violated; if it then does not
//! show what the test is for, the test is inconclusive.

use crate::evaluate::Coverage;
use dashu_ratio::RBig;
use logic::{Formula, Node, Store, Trace, Value};
use requirement::Watch;
use requirement::specification::{Kind, Type, Variable};

/// A system under test.
pub trait Subject {
    /// Goes back to the start.
    ///
    /// # Errors
    /// The system cannot be started.
    fn restart(&mut self) -> Result<(), Broken>;

    /// Does a step with these inputs, and returns the outputs.
    ///
    /// # Errors
    /// The system does not answer, or not with outputs.
    fn step(&mut self, inputs: &[(String, Value)]) -> Result<Vec<(String, Value)>, Broken>;
}

/// What is wrong with a system that does not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken(pub String);

/// What came of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every requirement holds, and what the test is for was shown.
    Passed,
    /// A requirement is violated.
    Failed {
        /// The index of the requirement.
        member: usize,
        /// The step.
        step: usize,
    },
    /// No requirement is violated, but what the test is for was not shown, or something is owed.
    Inconclusive(String),
    /// The system did not answer.
    Broken {
        /// The step.
        step: usize,
        /// Why.
        reason: String,
    },
}

/// A test that was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// What came of it.
    pub verdict: Verdict,
    /// What happened, as far as it went.
    pub trace: Option<Trace>,
    /// The goals that were shown, by index.
    pub shown: Vec<usize>,
}

/// What a test is judged by.
#[derive(Clone, Copy, Debug)]
pub struct Judges<'a> {
    /// The requirements of the group.
    pub requirements: &'a [(usize, Watch)],
    /// The assumptions.
    pub assumptions: &'a [(usize, Watch)],
    /// What must be shown.
    pub goals: &'a [Formula],
    /// The variables that a step must have values for.
    pub needed: &'a [String],
    /// Whether nothing may be owed at the end.
    pub settles: bool,
}

/// Values of variables at a step, by name.
pub type Named = Vec<(String, Value)>;

/// Runs a test: `next` returns the inputs of each step, given the steps so far, and `None` after the last one.
pub fn attempt(
    store: &Store,
    judges: Judges,
    next: &mut dyn FnMut(&[Named]) -> Option<Named>,
    subject: &mut dyn Subject,
) -> Attempt {
    let watched = judges.requirements.iter().chain(judges.assumptions);
    let watched: Vec<Formula> = watched.flat_map(|(_, it)| [it.bad, it.bad_at_end, it.left]).collect();
    let mut steps: Vec<Vec<(String, Value)>> = Vec::new();
    let ended = |steps: &[Vec<(String, Value)>], verdict: Verdict, coverage: Option<&Coverage>| Attempt {
        verdict,
        trace: trace(steps),
        shown: coverage.map_or(Vec::new(), |it| {
            it.first().iter().enumerate().filter(|it| it.1.is_some()).map(|it| it.0).collect()
        }),
    };
    let Some(mut coverage) = Coverage::new(store, judges.goals, &watched) else {
        return ended(&steps, Verdict::Inconclusive("a requirement looks ahead".to_owned()), None);
    };
    if let Err(Broken(reason)) = subject.restart() {
        return ended(&steps, Verdict::Broken { step: 0, reason }, None);
    }
    while let Some(inputs) = next(&steps) {
        let step = steps.len();
        let outputs = match subject.step(&inputs) {
            Ok(outputs) => outputs,
            Err(Broken(reason)) => return ended(&steps, Verdict::Broken { step, reason }, Some(&coverage)),
        };
        let mut values = inputs;
        values.extend(outputs);
        if let Some(name) = judges.needed.iter().find(|it| values.iter().all(|known| known.0 != **it)) {
            let reason = format!("the system has no output `{name}`");
            return ended(&steps, Verdict::Broken { step, reason }, Some(&coverage));
        }
        coverage.step(store, &|name| values.iter().find(|it| it.0 == name).map(|it| it.1.clone()));
        steps.push(values);
        let broken = |(_, it): &&(usize, Watch)| coverage.holds(it.bad) || coverage.holds(it.left);
        if judges.assumptions.iter().any(|it| broken(&it)) {
            let why = format!("the outputs of step {step} make the next inputs break an assumption");
            return ended(&steps, Verdict::Inconclusive(why), Some(&coverage));
        }
        if let Some((member, it)) = judges.requirements.iter().find(broken) {
            // That something was owed at the end of an interval is seen one step later.
            let step = if coverage.holds(it.bad) { step } else { step.saturating_sub(1) };
            return ended(&steps, Verdict::Failed { member: *member, step }, Some(&coverage));
        }
    }
    let owed = judges.settles && judges.requirements.iter().any(|(_, it)| coverage.holds(it.bad_at_end));
    let verdict = match owed {
        true => Verdict::Inconclusive("something is still owed at the end of the test".to_owned()),
        false if coverage.first().iter().any(Option::is_none) => {
            Verdict::Inconclusive("the system chose other outputs and did not show everything".to_owned())
        }
        false => Verdict::Passed,
    };
    ended(&steps, verdict, Some(&coverage))
}

/// The variables that requirements mention.
pub fn mentioned(store: &Store, variables: &[Variable], watches: &[(usize, Watch)]) -> Vec<String> {
    let roots = watches.iter().flat_map(|(_, it)| [it.bad, it.bad_at_end, it.left]).map(Formula::id);
    let names = store.reachable(roots).into_iter().filter_map(|id| match store.node(id) {
        Node::Var(symbol) => Some(store.name(*symbol)),
        _ => None,
    });
    names.filter(|name| variables.iter().any(|it| it.name == *name)).map(str::to_owned).collect()
}

/// A value for each input, for tests that are not about it.
pub fn defaults(variables: &[Variable]) -> Vec<(String, Value)> {
    let value = |it: &Variable| match &it.ty {
        Type::Bool => Some(Value::Bool(false)),
        Type::Enum(literals) => literals.first().cloned().map(Value::Name),
        Type::Int(range) | Type::Real(range) => {
            let zero = RBig::ZERO;
            let above = range.low.as_ref().is_none_or(|low| *low <= zero);
            let below = range.high.as_ref().is_none_or(|high| zero <= *high);
            let nearest = if above { range.high.clone() } else { range.low.clone() };
            if above && below { Some(Value::Num(zero)) } else { nearest.map(Value::Num) }
        }
    };
    let inputs = variables.iter().filter(|it| it.kind == Kind::Input);
    inputs.filter_map(|it| Some((it.name.clone(), value(it)?))).collect()
}

fn trace(steps: &[Vec<(String, Value)>]) -> Option<Trace> {
    let mut trace = Trace::new(steps.len(), None).ok()?;
    for (name, _) in steps.first()? {
        let column = steps.iter().map(|step| step.iter().find(|it| it.0 == *name).map(|it| it.1.clone()));
        trace = trace.with(name, column.collect::<Option<Vec<Value>>>()?).ok()?;
    }
    Some(trace)
}
