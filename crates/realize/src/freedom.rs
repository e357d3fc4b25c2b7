//! What requirements leave open: the outputs to which a steady controller could give another value, each with a run that shows it.

use crate::certificate::Strategy;
use engine::{Answer, Config, Why, verify};
use system::{Origin, Run, Value, Var};

/// Whether the guarantees leave a controller a choice of an output, given the outputs that are chosen before it.
#[derive(Clone, Debug)]
pub enum Freedom {
    /// Never: its value is determined at every step.
    Determined,
    /// At the last step of a run of the controller, it has the first value and could have the second.
    Open {
        /// The values of the inputs at each step.
        inputs: Vec<Vec<(Var, Value)>>,
        /// The value that it has.
        value: Value,
        /// Another value that the guarantees allow.
        other: Value,
    },
    /// Not known.
    Unknown(Why),
}

impl Strategy {
    /// What the guarantees leave open of each output of a steady controller. As far as something must happen sooner or later, they leave
    /// open when.
    pub fn freedom(&self, config: &Config) -> Vec<(Var, Freedom)> {
        let mut system = self.system.clone();
        system.properties.clear();
        system.outputs.clear();
        system.lemmas.push(self.certificate.invariant);
        let mut others = Vec::new();
        for (var, allowed) in &self.allowed {
            let Some((_, value)) = self.moves.iter().find(|it| it.0 == *var) else { continue };
            let (name, ty) = (system.variables[var.index()].name.clone(), system.variables[var.index()].ty);
            let fresh = system.fresh_name(&format!("other {name}"));
            let other = system.add_input(&fresh, ty);
            let now = system.expr(other);
            let pool = &mut system.pool;
            let allowed = pool.substitute(&[*allowed], &|it| (it == *var).then_some(now))[0];
            let same = pool.eq(now, *value);
            let determined = pool.implies(allowed, same);
            system.add_property(&name, Origin::Unknown, determined);
            system.add_output(&name, *value);
            others.push((*var, other));
        }
        let all: Vec<usize> = (0..others.len()).collect();
        let verdicts = verify(&system, &all, config);
        let found = verdicts.into_iter().map(|verdict| {
            let (var, other) = others[verdict.property];
            let freedom = match verdict.answer {
                Answer::Valid(_) => Freedom::Determined,
                Answer::Invalid(it) => open(&self.system.inputs, &it.run, verdict.property, other),
                Answer::Unknown(why) => Freedom::Unknown(why),
            };
            (var, freedom)
        });
        found.collect()
    }
}

fn open(inputs: &[Var], run: &Run, output: usize, other: Var) -> Freedom {
    let at = |values: &[Value], var: Var| values.get(var.index()).cloned().unwrap_or(Value::Undefined);
    let last = run.steps.last();
    Freedom::Open {
        inputs: run
            .steps
            .iter()
            .map(|step| inputs.iter().map(|var| (*var, at(&step.values, *var))).collect())
            .collect(),
        value: last.and_then(|it| it.outputs.get(output).cloned()).unwrap_or(Value::Undefined),
        other: last.map_or(Value::Undefined, |it| at(&it.values, other)),
    }
}
