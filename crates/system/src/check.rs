//! Whether a system is well formed: expressions are well typed, names are unique, constraints mention only what they may.
//!
//! Front ends check the user's text themselves and report positions in it; an error here is a bug in a front end.

use crate::expr::{Bits, Expr, Function, Node, Pool, Type, Width};
use crate::system::{Property, System};
use rustc_hash::FxHashSet;

impl System {
    /// The errors of the system, as text; empty if it is well formed.
    pub fn check(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut names: FxHashSet<&str> = FxHashSet::default();
        let outputs = self.outputs.iter().map(|it| it.name.as_str());
        for name in self.variables.iter().map(|it| it.name.as_str()).chain(outputs) {
            if !names.insert(name) {
                faults.push(format!("`{name}` is the name of two variables or outputs"));
            }
        }
        for variable in &self.variables {
            if matches!(variable.ty, Type::Machine(width) if !(1..=64).contains(&width.bits)) {
                faults.push(format!("`{}` has a width that is not 1 to 64 bits", variable.name));
            }
        }
        let mut roles = vec![0; self.variables.len()];
        for var in self.inputs.iter().copied().chain(self.state.iter().map(|it| it.var)) {
            roles[var.index()] += 1;
        }
        for state in &self.state {
            let variable = &self.variables[state.var.index()];
            for (part, expr) in state.init.iter().map(|it| ("init", *it)).chain([("next", state.next)]) {
                if self.pool.type_of(expr) != variable.ty {
                    faults.push(format!("the {part} of `{}` is not of its type", variable.name));
                }
            }
            if state.init.is_some_and(|init| !self.pool.variables([init]).is_empty()) {
                faults.push(format!("the init of `{}` depends on variables", variable.name));
            }
        }
        let conditions = self.assumptions.iter().chain(&self.initial).chain(&self.lemmas).copied();
        for expr in conditions.chain(self.properties.iter().flat_map(Property::demands)) {
            if self.pool.type_of(expr) != Type::Bool {
                faults.push(format!("`{}` is not a Boolean", self.show(expr)));
            }
        }
        for expr in self.pool.reachable(self.roots()) {
            match self.pool.node(expr) {
                Node::Var(var) if roles.get(var.index()) != Some(&1) => {
                    faults.push(format!("`{}` is not exactly one of input and state", self.show(expr)));
                }
                node if !well_typed(&self.pool, expr, node) => {
                    faults.push(format!("`{}` is not well typed", self.show(expr)));
                }
                _ => {}
            }
        }
        faults
    }

    /// Every expression of the system.
    pub fn roots(&self) -> Vec<Expr> {
        let states = self.state.iter().flat_map(|it| it.init.into_iter().chain([it.next]));
        let constraints = self.assumptions.iter().chain(&self.initial).chain(&self.lemmas).copied();
        let properties = self.properties.iter().flat_map(Property::demands);
        states.chain(self.outputs.iter().map(|it| it.value)).chain(constraints).chain(properties).collect()
    }
}

fn well_typed(pool: &Pool, expr: Expr, node: &Node) -> bool {
    let of = |expr: &Expr| pool.type_of(*expr);
    let ty = of(&expr);
    match node {
        Node::Bool(_) | Node::Int(_) | Node::Machine(..) | Node::Real(_) | Node::Var(_) => true,
        Node::Literal(id, place) => (*place as usize) < pool.enumeration(*id).literals.len(),
        Node::Not(a) => of(a) == Type::Bool,
        Node::And(operands) | Node::Or(operands) => operands.iter().all(|it| of(it) == Type::Bool),
        Node::Eq(a, b) => of(a) == of(b),
        Node::Lt(a, b) | Node::Le(a, b) => of(a) == of(b) && of(a).is_number(),
        Node::Ite(c, a, b) => of(c) == Type::Bool && of(a) == of(b),
        Node::Neg(a) => ty.is_number() && of(a) == ty,
        Node::Add(a, b) | Node::Mul(a, b) => ty.is_number() && of(a) == ty && of(b) == ty,
        Node::Div(a, b) => of(a) == Type::Real && of(b) == Type::Real,
        Node::IntDiv(a, b) | Node::Mod(a, b) => {
            of(a) == of(b) && matches!(of(a), Type::Int | Type::Machine(_))
        }
        Node::Cast(to, a) => matches!(
            (of(a), to),
            (Type::Int, Type::Real | Type::Machine(_))
                | (Type::Real, Type::Int)
                | (Type::Machine(_), Type::Int | Type::Machine(_))
        ),
        Node::BitNot(a) => matches!(of(a), Type::Machine(_)),
        Node::Bits(op, a, b) => match (op, of(a), of(b)) {
            (Bits::And | Bits::Or | Bits::Xor, Type::Machine(x), Type::Machine(y)) => x == y,
            (Bits::ShiftLeft | Bits::ShiftRight, Type::Machine(x), Type::Machine(y)) => {
                y == Width { signed: false, ..x }
            }
            _ => false,
        },
        Node::Apply(function, arguments) => match function {
            Function::Declared(id) => {
                let expected = &pool.signature(*id).parameters;
                expected.len() == arguments.len()
                    && arguments.iter().zip(expected).all(|(a, ty)| of(a) == *ty)
            }
            _ => function.arity() == Some(arguments.len()) && arguments.iter().all(|it| of(it) == Type::Real),
        },
    }
}
