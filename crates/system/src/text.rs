//! Systems, expressions and values as readable text, for debugging and snapshots.
//!
//! A shared expression is written out at each use, up to a length limit, so the text is for people, not for other tools.

use crate::expr::{Bits, Expr, Node, Pool, Type};
use crate::system::System;
use crate::value::Value;
use dashu_ratio::RBig;
use std::fmt;

/// The maximum length of an expression; `…` replaces the rest.
const LONGEST: usize = 2000;

impl System {
    /// An expression as text.
    pub fn show(&self, expr: Expr) -> String {
        let name = |var: crate::Var| self.variables.get(var.index()).map_or("?", |it| it.name.as_str());
        let mut text = String::new();
        let mut open: Vec<Piece> = vec![Piece::Expr(expr)];
        while let Some(piece) = open.pop() {
            if text.len() > LONGEST {
                text.push('…');
                return text;
            }
            match piece {
                Piece::Text(part) => text.push_str(&part),
                Piece::Expr(expr) => {
                    let pieces = pieces(&self.pool, &name, expr);
                    open.extend(pieces.into_iter().rev());
                }
            }
        }
        text
    }
}

impl Pool {
    /// The name of a type.
    pub fn show_type(&self, ty: Type) -> String {
        match ty {
            Type::Bool => "bool".to_owned(),
            Type::Int => "int".to_owned(),
            Type::Real => "real".to_owned(),
            Type::Machine(width) => format!("{}int{}", if width.signed { "" } else { "u" }, width.bits),
            Type::Enum(id) => self.enumeration(id).name.clone(),
        }
    }

    /// A value of a type.
    pub fn show_value<R: fmt::Display>(&self, ty: Type, value: &Value<R>) -> String {
        match (value, ty) {
            (Value::Bool(truth), _) => truth.to_string(),
            (Value::Int(number), _) => number.to_string(),
            (Value::Machine(number), _) => number.to_string(),
            (Value::Real(number), _) => number.to_string(),
            (Value::Enum(place), Type::Enum(id)) => {
                let name = self.enumeration(id).literals.get(*place as usize);
                name.cloned().unwrap_or_else(|| place.to_string())
            }
            (Value::Enum(place), _) => place.to_string(),
            (Value::Undefined, _) => "undefined".to_owned(),
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let declared = |var: crate::Var| {
            let variable = &self.variables[var.index()];
            format!("{}: {}", variable.name, self.pool.show_type(variable.ty))
        };
        for &var in &self.inputs {
            writeln!(f, "input {}", declared(var))?;
        }
        for state in &self.state {
            let init = state.init.map_or("any".to_owned(), |init| self.show(init));
            writeln!(f, "state {} := {init}, then {}", declared(state.var), self.show(state.next))?;
        }
        for output in &self.outputs {
            let role = if output.local { "local" } else { "output" };
            writeln!(f, "{role} {} = {}", output.name, self.show(output.value))?;
        }
        for &expr in &self.initial {
            writeln!(f, "initially {}", self.show(expr))?;
        }
        for &expr in &self.assumptions {
            writeln!(f, "assume {}", self.show(expr))?;
        }
        for property in &self.properties {
            let recurs = property.recurs.map_or(String::new(), |it| format!(", recurs {}", self.show(it)));
            writeln!(f, "check \"{}\": {}{recurs}", property.name, self.show(property.value))?;
        }
        Ok(())
    }
}

enum Piece {
    Text(String),
    Expr(Expr),
}

/// A node as text around its children.
fn pieces<'a>(pool: &Pool, name: &dyn Fn(crate::Var) -> &'a str, expr: Expr) -> Vec<Piece> {
    let infix = |operands: &[Expr], symbol: &str| {
        let mut pieces = vec![Piece::Text("(".to_owned())];
        for (place, operand) in operands.iter().enumerate() {
            if place > 0 {
                pieces.push(Piece::Text(format!(" {symbol} ")));
            }
            pieces.push(Piece::Expr(*operand));
        }
        pieces.push(Piece::Text(")".to_owned()));
        pieces
    };
    let prefix = |symbol: &str, operand: Expr| vec![Piece::Text(symbol.to_owned()), Piece::Expr(operand)];
    let call = |name: &str, arguments: &[Expr]| {
        let mut pieces = vec![Piece::Text(format!("{name}("))];
        for (place, argument) in arguments.iter().enumerate() {
            if place > 0 {
                pieces.push(Piece::Text(", ".to_owned()));
            }
            pieces.push(Piece::Expr(*argument));
        }
        pieces.push(Piece::Text(")".to_owned()));
        pieces
    };
    let text = |text: String| vec![Piece::Text(text)];
    match pool.node(expr) {
        Node::Bool(value) => text(value.to_string()),
        Node::Int(value) => text(value.to_string()),
        Node::Machine(_, value) => text(value.to_string()),
        Node::Real(value) => text(show_real(value)),
        Node::Literal(id, place) => text(pool.show_value::<RBig>(Type::Enum(*id), &Value::Enum(*place))),
        Node::Var(var) => text(name(*var).to_owned()),
        Node::Not(a) => match pool.node(*a) {
            Node::Eq(x, y) => infix(&[*x, *y], "!="),
            _ => prefix("!", *a),
        },
        Node::And(operands) => infix(operands, "&"),
        Node::Or(operands) => infix(operands, "|"),
        Node::Eq(a, b) => infix(&[*a, *b], "="),
        Node::Lt(a, b) => infix(&[*a, *b], "<"),
        Node::Le(a, b) => infix(&[*a, *b], "<="),
        Node::Ite(c, a, b) => call("ite", &[*c, *a, *b]),
        Node::Neg(a) => prefix("-", *a),
        Node::Add(a, b) => match pool.node(*b) {
            Node::Neg(subtrahend) => infix(&[*a, *subtrahend], "-"),
            _ => infix(&[*a, *b], "+"),
        },
        Node::Mul(a, b) => infix(&[*a, *b], "*"),
        Node::Div(a, b) => infix(&[*a, *b], "/"),
        Node::IntDiv(a, b) => infix(&[*a, *b], "div"),
        Node::Mod(a, b) => infix(&[*a, *b], "mod"),
        Node::Cast(ty, a) => call(&pool.show_type(*ty), &[*a]),
        Node::BitNot(a) => prefix("lnot ", *a),
        Node::Bits(op, a, b) => infix(&[*a, *b], bits_name(*op)),
        Node::Apply(function, arguments) => match function {
            crate::Function::Declared(id) => call(&pool.signature(*id).name, arguments),
            _ => call(function.name().unwrap_or_default(), arguments),
        },
    }
}

fn bits_name(op: Bits) -> &'static str {
    match op {
        Bits::And => "land",
        Bits::Or => "lor",
        Bits::Xor => "lxor",
        Bits::ShiftLeft => "lsh",
        Bits::ShiftRight => "rsh",
    }
}

/// A real number, as a decimal that cannot be mistaken for an integer, or as a fraction.
fn show_real(value: &RBig) -> String {
    match logic::format_decimal(value) {
        Some(decimal) if decimal.contains('.') => decimal,
        Some(decimal) => format!("{decimal}.0"),
        None => value.to_string(),
    }
}
