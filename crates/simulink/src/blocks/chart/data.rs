//! Data of a chart: variables, what is assigned to them, and in which type.

use super::{MAX_ELEMENTS, Machine, Variable, declared_class};
use crate::chart::Data;
use crate::plan::{Fault, Outcome};
use crate::value::Class;
use system::{Expr, Node, Pool, Type};

impl Machine<'_, '_, '_> {
    /// A variable of the function that runs, or of the chart.
    pub(super) fn variable(&self, name: &str) -> Option<&Variable> {
        self.local.last().and_then(|it| it.get(name)).or_else(|| self.variables.get(name))
    }

    /// Gives the outputs their initial values again.
    pub(super) fn reset_outputs(&mut self, guard: Expr) {
        for (name, initial) in std::mem::take(&mut self.initial) {
            let mut variable = self.variables[&name].clone();
            for (slot, initial) in variable.values.iter_mut().zip(&initial) {
                *slot = self.pool().ite(guard, *initial, *slot);
            }
            self.variables.insert(name.clone(), variable);
            self.initial.insert(name, initial);
        }
    }

    pub(super) fn assign(
        &mut self,
        target: &str,
        guard: Expr,
        value: Expr,
        state: Option<usize>,
    ) -> Outcome<()> {
        let end = target.find(['[', '(']).unwrap_or(target.len());
        let name = target[..end].trim();
        let place = if end < target.len() { Some(self.place_of(target, guard, state)?) } else { None };
        let mut variable = self.writable(name)?;
        self.check_inherited(name, value)?;
        let value = self.conformed(value, variable.class);
        if place.is_none() && variable.values.len() > 1 {
            return Err(Fault::new(format!("the array `{name}` is set to one number")));
        }
        for (number, slot) in variable.values.iter_mut().enumerate() {
            let guard = match place {
                None => guard,
                Some(place) => {
                    let here = self.work.ratio(number as i64, 1);
                    let chosen = self.pool().eq(place, here);
                    self.pool().and([guard, chosen])
                }
            };
            *slot = self.pool().ite(guard, value, *slot);
        }
        self.set(name, variable);
        Ok(())
    }

    /// Sets one or several variables to the outputs of a function.
    pub(super) fn assign_outputs(
        &mut self,
        targets: &str,
        outputs: Vec<Variable>,
        guard: Expr,
        state: Option<usize>,
    ) -> Outcome<()> {
        let list = targets.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let targets: Vec<&str> = match list {
            Some(list) => list.split([',', ' ']).filter(|it| !it.is_empty()).collect(),
            None => vec![targets],
        };
        if targets.len() > outputs.len() {
            let message =
                format!("{} variables are set to the {} outputs of a function", targets.len(), outputs.len());
            return Err(Fault::new(message));
        }
        for (target, output) in targets.into_iter().zip(outputs) {
            match output.values[..] {
                _ if target == "~" => {}
                [only] => self.assign(target, guard, only, state)?,
                _ => self.assign_all(target, output.values, guard)?,
            }
        }
        Ok(())
    }

    /// Sets all elements of an array: to those of another one, or to a list.
    pub(super) fn assign_array(
        &mut self,
        name: &str,
        value: &str,
        guard: Expr,
        state: Option<usize>,
    ) -> Outcome<()> {
        let values: Vec<Expr> = match self.variable(value) {
            Some(other) => other.values.clone(),
            None => {
                let list = value.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
                let message = format!("`{name} = {value}` is not supported: `{name}` is an array");
                let list = list.ok_or_else(|| Fault::hint(message, "set its elements"))?;
                let parts = list.split([',', ';', ' ']).filter(|it| !it.is_empty());
                parts.map(|it| self.term(it, guard, state)).collect::<Outcome<_>>()?
            }
        };
        self.assign_all(name, values, guard)
    }

    fn assign_all(&mut self, name: &str, values: Vec<Expr>, guard: Expr) -> Outcome<()> {
        let mut variable = self.writable(name)?;
        if values.len() != variable.values.len() {
            return Err(Fault::new(format!("`{name}` is set to an array of another size")));
        }
        for (slot, value) in variable.values.iter_mut().zip(values) {
            self.check_inherited(name, value)?;
            let value = self.conformed(value, variable.class);
            *slot = self.pool().ite(guard, value, *slot);
        }
        self.set(name, variable);
        Ok(())
    }

    /// Data that inherits its type is a double here, so it must be one in Simulink too.
    fn check_inherited(&mut self, name: &str, value: Expr) -> Outcome<()> {
        let local = self.local.last().is_some_and(|it| it.contains_key(name));
        let inherits = !local && declared_class(self.chart, name).is_none();
        if inherits && self.pool().type_of(value) != Type::Real {
            return Err(Fault::hint(
                format!("the type of `{name}` is inherited, and what it is set to is not a double"),
                "declare its type",
            ));
        }
        Ok(())
    }

    /// A value where a guard holds, as far as it is a choice by something that the guard decides.
    pub(super) fn seen(&mut self, value: Expr, guard: Expr) -> Expr {
        let mut value = value;
        while let Node::Ite(condition, yes, no) = *self.work.pool().node(value) {
            let otherwise = self.work.pool().not(condition);
            value = match () {
                () if implies(self.work.pool(), guard, condition) => yes,
                () if implies(self.work.pool(), guard, otherwise) => no,
                () => break,
            };
        }
        value
    }

    /// Whether a guard contradicts itself, as far as its parts show it: a state that was left under it does not run under it.
    pub(super) fn is_never(&mut self, guard: Expr) -> bool {
        let pool = self.work.pool();
        let Node::And(parts) = pool.node(guard) else { return guard == Pool::FALSE };
        let excludes = |part: &Expr| matches!(pool.node(*part), Node::Not(it) if implies(pool, guard, *it));
        parts.iter().any(excludes)
    }

    /// A variable that may be assigned to.
    pub(super) fn writable(&self, name: &str) -> Outcome<Variable> {
        let found = self.variable(name).filter(|_| !self.is_input(name)).cloned();
        found.ok_or_else(|| Fault::new(format!("there is no variable `{name}` to assign to")))
    }

    pub(super) fn set(&mut self, name: &str, variable: Variable) {
        match self.local.last_mut().filter(|it| it.contains_key(name)) {
            Some(local) => local.insert(name.to_owned(), variable),
            None => self.variables.insert(name.to_owned(), variable),
        };
    }

    /// A value in the class of a variable: the C language cuts fractions off, MATLAB rounds; both saturate, unless the chart wraps around.
    pub(super) fn conformed(&mut self, value: Expr, class: Class) -> Expr {
        let method = if self.chart.matlab { "Round" } else { "Zero" };
        let real = self.pool().type_of(value) == Type::Real;
        let value =
            if real && matches!(class, Class::Integer(..)) { self.work.round(method, value) } else { value };
        if self.chart.wraps { self.work.wrapped(class, value) } else { self.work.saturated(class, value) }
    }
}

/// Whether one condition includes another, as far as their parts show it; long ones are not looked at.
fn implies(pool: &Pool, a: Expr, b: Expr) -> bool {
    const MOST: usize = 64;
    let parts = |it: Expr| match pool.node(it) {
        Node::And(parts) if parts.len() <= MOST => parts.to_vec(),
        _ => vec![it],
    };
    let includes = |a: Expr| {
        let has = parts(a);
        parts(b).iter().all(|part| has.contains(part))
    };
    match pool.node(a) {
        Node::Or(all) if a != b && all.len() <= MOST => all.iter().all(|it| includes(*it)),
        _ => includes(a),
    }
}

/// The rows and columns of data; none if they are those of its signal.
pub(super) fn size_of(data: &Data) -> Outcome<Option<(usize, usize)>> {
    let text = data.size.trim_matches(['[', ']', ' ']);
    if matches!(text, "" | "-1") {
        return Ok(if data.scope == "INPUT_DATA" { None } else { Some((1, 1)) });
    }
    let sizes = text.split([' ', ',']).filter(|it| !it.is_empty()).map(|it| it.parse::<usize>().ok());
    let sizes: Option<Vec<usize>> = sizes.collect();
    let size = match sizes.as_deref() {
        Some([rows]) => Some((*rows, 1)),
        Some([rows, columns]) => Some((*rows, *columns)),
        _ => None,
    };
    let size = size.filter(|it| (1..=MAX_ELEMENTS).contains(&it.0.saturating_mul(it.1)));
    let message = format!("the size `{}` of the data `{}` is not supported", data.size, data.name);
    size.map(Some).ok_or_else(|| Fault::hint(message, "give it as one or two numbers"))
}
