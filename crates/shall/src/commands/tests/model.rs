//! A model under test: a Lustre program or a Simulink model, simulated step by step.

use crate::commands::simulate::inputs::value;
use logic::{Trace, Value};
use suite::{Broken, Subject};
use system::{System, Var, simulate};

/// A model under test.
pub(super) struct Model {
    pub(super) system: System,
    pub(super) in_doubles: bool,
    /// The inputs of the steps so far.
    pub(super) rows: Vec<Vec<(String, Value)>>,
}

impl Subject for Model {
    fn restart(&mut self) -> Result<(), Broken> {
        self.rows.clear();
        Ok(())
    }

    fn step(&mut self, inputs: &[(String, Value)]) -> Result<Vec<(String, Value)>, Broken> {
        self.rows.push(inputs.to_vec());
        let trace = if self.in_doubles { self.simulated_in_doubles()? } else { self.simulated()? };
        let last = self.rows.len() - 1;
        let is_input = |name: &str| inputs.iter().any(|it| it.0 == name);
        let outputs = trace.names().iter().enumerate().filter(|it| !is_input(it.1));
        Ok(outputs.map(|(at, name)| (name.clone(), trace.value(at, last).clone())).collect())
    }
}

impl Model {
    fn simulated(&self) -> Result<Trace, Broken> {
        let run = simulate(&self.system, &self.start(), &self.inputs()?);
        run.trace(&self.system).ok_or_else(undefined)
    }

    fn simulated_in_doubles(&self) -> Result<Trace, Broken> {
        let run = simulate::<f64>(&self.system, &self.start(), &self.inputs()?).decimal();
        run.trace(&self.system).ok_or_else(undefined)
    }

    /// Any value for memory that has none at the start.
    fn start<R: system::Real>(&self) -> Vec<(Var, system::Value<R>)> {
        let free = self.system.state.iter().filter(|it| it.init.is_none());
        let zero = logic::RBig::ZERO;
        free.map(|it| {
            let ty = self.system.variables[it.var.index()].ty;
            let any = match ty {
                system::Type::Bool => system::Value::Bool(false),
                system::Type::Int => system::Value::Int(zero.floor()),
                system::Type::Real => system::Value::Real(R::from_exact(&zero)),
                system::Type::Machine(_) => system::Value::Machine(0),
                system::Type::Enum(_) => system::Value::Enum(0),
            };
            (it.var, any)
        })
        .collect()
    }

    fn inputs<R: system::Real>(&self) -> Result<Vec<Vec<system::Value<R>>>, Broken> {
        let row = |row: &Vec<(String, Value)>| -> Result<Vec<system::Value<R>>, Broken> {
            let cell = |var: &Var| {
                let variable = &self.system.variables[var.index()];
                let given = row.iter().find(|it| it.0 == variable.name);
                let given = given
                    .ok_or_else(|| Broken(format!("the tests do not set its input `{}`", variable.name)))?;
                value(&self.system, variable.ty, &given.1)
                    .ok_or_else(|| Broken(format!("its input `{}` has another type", variable.name)))
            };
            self.system.inputs.iter().map(cell).collect()
        };
        self.rows.iter().map(row).collect()
    }
}

fn undefined() -> Broken {
    Broken("the model has no step".to_owned())
}
