//! Random data-flow reactive systems, small enough to be explored. The including test has the crate as `dfrs`.

use super::dfrs::{
    Assignment, Condition, Dfrs, Effect, Entry, Function, Kind, Moment, Operand, Origin, Restriction, Sort,
    Source, Timed, Variable,
};
use base::Random;
use logic::{RBig, Rel, Value};

/// One or two inputs, one or two outputs, up to two timers, up to four entries.
pub(crate) fn random(rng: &mut Random) -> Dfrs {
    let variable = |name: &str, kind, sort: &Sort, initial: &Value| Variable {
        name: name.to_owned(),
        kind,
        sort: sort.clone(),
        initial: initial.clone(),
        initial_given: true,
    };
    let truth = (Sort::Bool { word: None }, Value::Bool(false));
    let whole = (Sort::Int, Value::Num(RBig::ONE));
    let colours: Vec<String> = ["blue", "dark red"].map(str::to_owned).into();
    let colour = (Sort::Names(colours.clone()), Value::Name("blue".to_owned()));
    let first = if rng.below(2) == 0 { &truth } else { &whole };
    let mut variables = vec![variable("a", Kind::Input, &first.0, &first.1)];
    if rng.below(3) == 0 {
        variables.push(variable("b", Kind::Input, &truth.0, &truth.1));
    }
    variables.push(variable("x", Kind::Output, &colour.0, &colour.1));
    if rng.below(2) == 0 {
        variables.push(variable("y", Kind::Output, &truth.0, &truth.1));
    }
    let values = variables.len();
    for timer in ["s", "t"].into_iter().take(rng.below(3) as usize) {
        variables.push(variable(timer, Kind::Timer, &Sort::Real, &Value::Num(RBig::ZERO)));
    }
    let relations = [Rel::Eq, Rel::Ne, Rel::Lt, Rel::Le, Rel::Gt, Rel::Ge];
    let some_value = |rng: &mut Random, sort: &Sort| match sort {
        Sort::Bool { .. } => Value::Bool(rng.below(2) == 0),
        Sort::Int | Sort::Real => Value::Num(RBig::from(rng.below(3))),
        Sort::Names(names) => Value::Name(names[rng.below(names.len() as u64) as usize].clone()),
    };
    let condition = |rng: &mut Random, count: usize| {
        let place = rng.below(count as u64) as usize;
        let order = matches!(variables[place].sort, Sort::Int | Sort::Real);
        Condition {
            moment: if rng.below(3) == 0 { Moment::Before } else { Moment::Now },
            variable: place,
            relation: relations[rng.below(if order { 6 } else { 2 }) as usize],
            operand: Operand::Constant(some_value(rng, &variables[place].sort)),
            source: Source::default(),
        }
    };
    let mut entries = Vec::new();
    for requirement in 0..1 + rng.below(4) as usize {
        let guard = (0..1 + rng.below(2))
            .map(|_| (0..1 + rng.below(5) / 4).map(|_| condition(rng, values)).collect())
            .collect();
        let mut timed = Vec::new();
        for _ in 0..if variables.len() > values { rng.below(3) } else { 0 } {
            let any = (0..1 + rng.below(5) / 4).map(|_| Timed {
                timer: values + rng.below((variables.len() - values) as u64) as usize,
                relation: relations[rng.below(6) as usize],
                bound: RBig::from_parts((1 + rng.below(6) as i64).into(), 2u8.into()),
                source: Source::default(),
            });
            timed.push(any.collect());
        }
        let mut effect = Vec::new();
        for (place, it) in variables.iter().enumerate() {
            let done = match it.kind {
                Kind::Input => continue,
                Kind::Output => Effect::Assign(Operand::Constant(some_value(rng, &it.sort))),
                Kind::Timer => Effect::Reset,
            };
            if rng.below(2) == 0 || place + 1 == values && effect.is_empty() {
                effect.push(Assignment { variable: place, effect: done, source: Source::default() });
            }
        }
        entries.push(Entry { requirement, guard, timed, effect });
    }
    let origin = |number: usize| Origin { id: format!("R{number}"), text: String::new() };
    let requirements = (0..entries.len()).map(origin).collect();
    let mut restrictions = Vec::new();
    if rng.below(3) == 0 {
        let inputs = variables.iter().filter(|it| it.kind == Kind::Input).count();
        let never = (0..2).map(|_| condition(rng, inputs)).collect();
        restrictions.push(Restriction { never, origin: origin(9) });
    }
    let functions = vec![Function { component: "c".to_owned(), entries }];
    Dfrs { variables, functions, requirements, restrictions }
}
