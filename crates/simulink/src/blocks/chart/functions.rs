//! Functions of charts: drawn ones, MATLAB functions and truth tables.
//!
//! MATLAB functions, and truth tables in that language, run as the code of MATLAB Function blocks does. They read and set the data of the
//! chart as variables.

use super::{MAX_CALLS, Machine, Variable, table};
use crate::blocks::script;
use crate::blocks::script::{Array, Memory};
use crate::chart::{Code, StateKind};
use crate::matlab::{self, Function};
use crate::plan::{Fault, Outcome};
use crate::value::Class;
use std::collections::{BTreeMap, BTreeSet};
use system::Expr;

/// An argument of a call.
pub(super) struct Argument {
    /// Its class, if it is known.
    pub(super) class: Option<Class>,
    pub(super) variable: Variable,
}

/// The code of a function with its persistent variables.
pub(super) struct Script {
    functions: Vec<Function>,
    memory: Memory,
}

impl Machine<'_, '_, '_> {
    /// Runs a function under a guard, and returns its outputs.
    pub(super) fn function(
        &mut self,
        state: usize,
        arguments: Vec<Argument>,
        guard: Expr,
    ) -> Outcome<Vec<Variable>> {
        if self.local.len() > MAX_CALLS {
            return Err(Fault::new("its functions call themselves, which is not supported"));
        }
        self.visit()?;
        let (results, names) = signature(&self.labels[state]);
        if names.len() != arguments.len() {
            let (wants, has) = (names.len(), arguments.len());
            return Err(Fault::new(format!("a function takes {wants} arguments, not {has}")));
        }
        let mut local: BTreeMap<String, Variable> = BTreeMap::new();
        let chart = self.chart;
        let own = || chart.data.iter().filter(|it| it.parent == Some(state));
        let declared = |name: &str| own().find(|it| it.name == name).and_then(|it| Class::named(&it.class));
        for (name, argument) in names.iter().zip(arguments) {
            let class = match (declared(name), &chart.states[state].code) {
                (Some(class), _) => class,
                (None, Code::Drawn) => Class::default(),
                (None, Code::Matlab(_) | Code::Table(_)) => argument.class.ok_or_else(|| {
                    Fault::hint(format!("the type of the argument `{name}` is not known"), "declare it")
                })?,
            };
            let Variable { rows, values, .. } = argument.variable;
            let values = values.into_iter().map(|it| self.conformed(it, class)).collect();
            local.insert(name.clone(), Variable { class, rows, values });
        }
        if let Some(outputs) = self.scripted(state, &local, guard)? {
            let typed = |(output, name): (Array, &String)| {
                let class = declared(name).unwrap_or(output.class);
                self.variable_of(output, class)
            };
            return Ok(outputs.into_iter().zip(&results).map(typed).collect());
        }
        for data in own().filter(|it| !local_input(&names, &it.name)) {
            let class = Class::named(&data.class).unwrap_or_default();
            let (rows, columns) = super::size_of(data)?.unwrap_or((1, 1));
            let values =
                (0..rows * columns).map(|_| self.work.constant(0.0, class)).collect::<Outcome<_>>()?;
            local.insert(data.name.clone(), Variable { class, rows, values });
        }
        self.local.push(local);
        let run = match &chart.states[state].code {
            Code::Table(table) => table::run(self, table, guard),
            Code::Drawn | Code::Matlab(_) => self.default(Some(state), guard),
        };
        let local = self.local.pop().unwrap_or_default();
        run?;
        let output = |name: &String| {
            let found = local.get(name).cloned();
            found.ok_or_else(|| Fault::new(format!("the function has no output `{name}`")))
        };
        results.iter().map(output).collect()
    }

    /// Runs the MATLAB code of a function, and returns its outputs; none if it has no such code.
    fn scripted(
        &mut self,
        state: usize,
        local: &BTreeMap<String, Variable>,
        guard: Expr,
    ) -> Outcome<Option<Vec<Array>>> {
        let mut script = match self.scripts.remove(&state) {
            Some(script) => script,
            None => {
                let functions = match &self.chart.states[state].code {
                    Code::Matlab(text) => matlab::functions(text)
                        .map_err(|error| Fault::new(format!("its code is not understood: {error}")))?,
                    Code::Table(table) if table.matlab => {
                        let (outputs, inputs) = signature(&self.labels[state]);
                        vec![Function {
                            body: table::body(table)?,
                            name: "table".to_owned(),
                            inputs,
                            outputs,
                        }]
                    }
                    Code::Table(_) | Code::Drawn => return Ok(None),
                };
                Script { functions, memory: Memory::default() }
            }
        };
        let (_, names) = signature(&self.labels[state]);
        let inner = names.iter().zip(&script.functions[0].inputs);
        let own =
            inner.filter_map(|(name, inner)| Some((inner.clone(), array_of(local.get(name)?)))).collect();
        let outputs = self.shared(&script.functions, own, guard, &mut script.memory)?;
        self.scripts.insert(state, script);
        Ok(Some(outputs))
    }

    /// Statements of an action in the MATLAB language.
    pub(super) fn code(&mut self, text: &str, guard: Expr) -> Outcome<()> {
        let functions = matlab::functions(&format!("function action\n{text}\n"))
            .map_err(|error| Fault::new(format!("its action `{text}` is not understood: {error}")))?;
        let mut memory = Memory::default();
        self.shared(&functions, BTreeMap::new(), guard, &mut memory)?;
        if memory.is_empty() {
            return Ok(());
        }
        Err(Fault::hint("an action has a persistent variable", "use local data"))
    }

    /// Runs code that also reads and sets the data of the chart, unless it has a variable of its own of that name.
    fn shared(
        &mut self,
        functions: &[Function],
        own: BTreeMap<String, Array>,
        guard: Expr,
        memory: &mut Memory,
    ) -> Outcome<Vec<Array>> {
        let main = &functions[0];
        let mine = |name: &String| main.outputs.contains(name) || main.inputs.contains(name);
        let local = self.local.last().into_iter().flatten();
        let all = self.variables.iter().chain(local).filter(|it| !mine(it.0));
        let all = all.filter(|it| !(self.is_early && self.is_input(it.0)));
        let mut variables: BTreeMap<String, Array> =
            all.map(|(name, it)| (name.clone(), array_of(it))).collect();
        let shared: BTreeSet<String> = variables.keys().cloned().collect();
        variables.extend(own);
        let wraps = self.chart.wraps;
        let call = script::Call { functions, variables, fixed: shared.clone(), wraps, grows: false, guard };
        let (outputs, mut after) = script::call(self.work, self.block, call, memory)?;
        let outputs = outputs.into_iter().map(script::Given::array).collect::<Outcome<Vec<Array>>>()?;
        for name in shared {
            let before = self.variable(&name).map(|it| (it.class, it.values.clone()));
            let (Some((class, before)), Some(now)) = (before, after.remove(&name)) else { continue };
            if now.scalars == before {
                continue;
            }
            if now.scalars.len() != before.len() {
                return Err(Fault::new(format!("a function changes the size of `{name}`")));
            }
            self.writable(&name)?;
            let now = self.variable_of(now, class);
            self.set(&name, now);
        }
        Ok(outputs)
    }

    fn variable_of(&mut self, array: Array, class: Class) -> Variable {
        let values = array.scalars.into_iter().map(|it| self.conformed(it, class)).collect();
        Variable { class, rows: array.rows, values }
    }

    /// The persistent variables of functions for the next step.
    pub(super) fn keep_scripts(&mut self) {
        for (_, script) in std::mem::take(&mut self.scripts) {
            script::keep(self.work, self.block, script.memory);
        }
    }

    /// The function of a name.
    pub(super) fn function_named(&self, name: &str) -> Option<usize> {
        let is = |label: &String| {
            let head = label.lines().next().unwrap_or_default();
            let head = head.rsplit('=').next().unwrap_or_default();
            let own = head.split('(').next().unwrap_or_default();
            own.trim().trim_start_matches("function").trim() == name
        };
        let functions = self.chart.states.iter().enumerate().filter(|it| it.1.kind == StateKind::Function);
        functions.map(|it| it.0).find(|id| is(&self.labels[*id]))
    }
}

fn array_of(variable: &Variable) -> Array {
    let (rows, columns) = (variable.rows, variable.values.len() / variable.rows.max(1));
    Array { class: variable.class, rows, columns, scalars: variable.values.clone() }
}

fn local_input(names: &[String], name: &str) -> bool {
    names.iter().any(|it| it == name)
}

/// The outputs and the inputs of a function: `y = f(a, b)`, `[y, z] = f(a)`.
fn signature(label: &str) -> (Vec<String>, Vec<String>) {
    let head = label.lines().next().unwrap_or_default().trim();
    let head = head.strip_prefix("function ").unwrap_or(head);
    let (results, call) = head.split_once('=').unwrap_or(("", head));
    let inside = call.split_once('(').map_or("", |it| it.1).trim_end().trim_end_matches(')');
    let names = |text: &str| -> Vec<String> {
        let parts = text.split([',', ' ', '[', ']']).filter(|it| !it.is_empty());
        parts.map(str::to_owned).collect()
    };
    (names(results), names(inside))
}
