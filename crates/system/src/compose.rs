//! Two systems in one: an observer and a model, or two models to compare.
//!
//! The other system's expressions are rebuilt in this pool, children first; enumerations and functions are matched by name. Its
//! inputs become what the caller binds them to, or inputs of this system where nothing is bound.

use crate::expr::{EnumId, Expr, Function, Node, Pool, Type};
use crate::system::{State, System};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

impl System {
    /// Adds another system to this one: its state (with names prefixed by `prefix`), assumptions, initial constraints, lemmas and
    /// properties become part of this one. Returns its outputs by name.
    ///
    /// An input that `bind` names gets that value, which must have its type; any other becomes a new input.
    ///
    /// ```
    /// use shall_system::{Origin, System, Type};
    /// let mut observer = System::default();
    /// let seen = observer.add_input("seen", Type::Bool);
    /// let seen = observer.expr(seen);
    /// observer.add_property("always seen", Origin::Unknown, seen);
    /// let mut system = System::default();
    /// let lamp = system.add_input("lamp", Type::Bool);
    /// let lamp = system.expr(lamp);
    /// system.include(&observer, "observer.", &[("seen".to_owned(), lamp)].into());
    /// assert_eq!(system.properties[0].value, lamp);
    /// ```
    pub fn include(
        &mut self,
        other: &System,
        prefix: &str,
        bind: &BTreeMap<String, Expr>,
    ) -> BTreeMap<String, Expr> {
        let mut variables: Vec<Option<Expr>> = vec![None; other.variables.len()];
        let states = other.state.iter().map(|state| (state.var, false));
        for (var, is_input) in other.inputs.iter().map(|input| (*input, true)).chain(states) {
            let variable = &other.variables[var.index()];
            let bound = bind.get(&variable.name).filter(|_| is_input).copied();
            variables[var.index()] = Some(bound.unwrap_or_else(|| {
                let name = self.fresh_name(&format!("{prefix}{}", variable.name));
                let ty = moved_type(&mut self.pool, &other.pool, variable.ty);
                let var = if is_input { self.add_input(&name, ty) } else { self.add_state(&name, ty, None) };
                self.expr(var)
            }));
        }
        let moved = moved(&mut self.pool, &other.pool, other.roots(), &variables);
        for state in &other.state {
            let Some(Node::Var(var)) = variables[state.var.index()].map(|it| self.pool.node(it)) else {
                continue;
            };
            let var = *var;
            if let Some(own) = self.state.iter_mut().rfind(|own| own.var == var) {
                *own = State { var, init: state.init.map(|init| moved[&init]), next: moved[&state.next] };
            }
        }
        self.assumptions.extend(other.assumptions.iter().map(|it| moved[it]));
        self.initial.extend(other.initial.iter().map(|it| moved[it]));
        self.lemmas.extend(other.lemmas.iter().map(|it| moved[it]));
        for property in &other.properties {
            let new = self.add_property(&property.name, property.origin.clone(), moved[&property.value]);
            self.properties[new].goal = property.goal;
            if let Some(recurs) = property.recurs {
                self.set_recurs(new, moved[&recurs]);
            }
        }
        other.outputs.iter().map(|it| (it.name.clone(), moved[&it.value])).collect()
    }
}

/// Every expression below the roots, in the other pool.
fn moved(
    pool: &mut Pool,
    other: &Pool,
    roots: impl IntoIterator<Item = Expr>,
    variables: &[Option<Expr>],
) -> FxHashMap<Expr, Expr> {
    let mut now: FxHashMap<Expr, Expr> = FxHashMap::default();
    for expr in other.reachable(roots) {
        let new = match other.node(expr) {
            Node::Var(var) => variables[var.index()],
            Node::Literal(id, place) => {
                let id = moved_enum(pool, other, *id);
                Some(pool.literal(id, *place))
            }
            Node::Cast(ty, a) => {
                let ty = moved_type(pool, other, *ty);
                Some(pool.cast(ty, now[a]))
            }
            Node::Apply(Function::Declared(id), arguments) => {
                let mut signature = other.signature(*id).clone();
                signature.result = moved_type(pool, other, signature.result);
                for parameter in &mut signature.parameters {
                    *parameter = moved_type(pool, other, *parameter);
                }
                let id = pool.declare_function(signature);
                let arguments: Vec<Expr> = arguments.iter().map(|it| now[it]).collect();
                Some(pool.apply(Function::Declared(id), &arguments))
            }
            node => pool.rebuilt(node, &|child| now[&child]),
        };
        now.extend(new.map(|new| (expr, new)));
    }
    now
}

fn moved_type(pool: &mut Pool, other: &Pool, ty: Type) -> Type {
    match ty {
        Type::Enum(id) => Type::Enum(moved_enum(pool, other, id)),
        Type::Bool | Type::Int | Type::Machine(_) | Type::Real => ty,
    }
}

fn moved_enum(pool: &mut Pool, other: &Pool, id: EnumId) -> EnumId {
    let enumeration = other.enumeration(id);
    pool.declare_enum(&enumeration.name, &enumeration.literals)
}
