//! Types, constants and single nodes in SMT-LIB 2, and values back from its answers.
//!
//! Integers are `Int`, reals `Real`, machine integers bit vectors, and enumerations the smallest bit vectors that can hold their
//! literals. A division by zero has some value that depends only on the dividend.

use crate::solver::session::Sexp;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use system::{Bits, Expr, Function, Node, Pool, Type, Value, Width};

/// The sort of a type.
pub(crate) fn sort(pool: &Pool, ty: Type) -> String {
    match ty {
        Type::Bool => "Bool".to_owned(),
        Type::Int => "Int".to_owned(),
        Type::Real => "Real".to_owned(),
        Type::Machine(width) => format!("(_ BitVec {})", width.bits),
        Type::Enum(id) => format!("(_ BitVec {})", enum_bits(pool.enumeration(id).literals.len())),
    }
}

/// The condition beyond its sort that a term of a type satisfies: it encodes an existing literal.
pub(crate) fn bound(pool: &Pool, ty: Type, term: &str) -> Option<String> {
    let Type::Enum(id) = ty else { return None };
    let count = pool.enumeration(id).literals.len();
    let bits = enum_bits(count);
    (count < 1 << bits).then(|| format!("(bvult {term} (_ bv{count} {bits}))"))
}

/// A constant, if the node is one.
pub(crate) fn constant(pool: &Pool, expr: Expr) -> Option<String> {
    match pool.node(expr) {
        Node::Bool(value) => Some(value.to_string()),
        Node::Int(value) => Some(int(value)),
        Node::Machine(width, value) => Some(format!("(_ bv{} {})", unsigned(*width, *value), width.bits)),
        Node::Real(value) => Some(real(value)),
        Node::Literal(id, place) => {
            Some(format!("(_ bv{place} {})", enum_bits(pool.enumeration(*id).literals.len())))
        }
        _ => None,
    }
}

/// A node that is neither a constant nor a variable, over the names of its children.
pub(crate) fn term(pool: &Pool, node: &Node, name: &dyn Fn(Expr) -> String) -> String {
    let two = |op: &str, a: &Expr, b: &Expr| format!("({op} {} {})", name(*a), name(*b));
    let ty = |e: &Expr| pool.type_of(*e);
    let signed = |e: &Expr| matches!(ty(e), Type::Machine(Width { signed: true, .. }));
    let machine = |e: &Expr| matches!(ty(e), Type::Machine(_));
    match node {
        Node::Bool(_)
        | Node::Int(_)
        | Node::Machine(..)
        | Node::Real(_)
        | Node::Literal(..)
        | Node::Var(_) => String::new(),
        Node::Not(a) => format!("(not {})", name(*a)),
        Node::And(operands) => list("and", operands, name),
        Node::Or(operands) => list("or", operands, name),
        Node::Eq(a, b) => two("=", a, b),
        Node::Lt(a, b) if machine(a) => two(if signed(a) { "bvslt" } else { "bvult" }, a, b),
        Node::Le(a, b) if machine(a) => two(if signed(a) { "bvsle" } else { "bvule" }, a, b),
        Node::Lt(a, b) => two("<", a, b),
        Node::Le(a, b) => two("<=", a, b),
        Node::Ite(c, a, b) => format!("(ite {} {} {})", name(*c), name(*a), name(*b)),
        Node::Neg(a) if machine(a) => format!("(bvneg {})", name(*a)),
        Node::Neg(a) => format!("(- {})", name(*a)),
        Node::Add(a, b) => two(if machine(a) { "bvadd" } else { "+" }, a, b),
        Node::Mul(a, b) => two(if machine(a) { "bvmul" } else { "*" }, a, b),
        Node::Div(a, b) => two("/", a, b),
        Node::IntDiv(a, b) => divided(pool, ["div", "bvsdiv", "bvudiv"], *a, *b, name),
        Node::Mod(a, b) => divided(pool, ["mod", "bvsrem", "bvurem"], *a, *b, name),
        Node::Cast(to, a) => cast(ty(a), *to, &name(*a)),
        Node::BitNot(a) => format!("(bvnot {})", name(*a)),
        Node::Bits(op, a, b) => {
            let op = match op {
                Bits::And => "bvand",
                Bits::Or => "bvor",
                Bits::Xor => "bvxor",
                Bits::ShiftLeft => "bvshl",
                Bits::ShiftRight if signed(a) => "bvashr",
                Bits::ShiftRight => "bvlshr",
            };
            two(op, a, b)
        }
        Node::Apply(function, arguments) => list(&function_name(*function, pool), arguments, name),
    }
}

/// The name of a function, and of the value of a division by zero.
pub(crate) fn function_name(function: Function, pool: &Pool) -> String {
    match (function.name(), function) {
        (Some(name), _) => format!("f_{name}"),
        (None, Function::Declared(id)) => {
            let place = pool.functions().position(|(it, _)| it == id).unwrap_or_default();
            format!("u_{place}")
        }
        (None, _) => "f".to_owned(),
    }
}

/// The declaration of the function that a node needs, with its name.
pub(crate) fn declaration(pool: &Pool, node: &Node) -> Option<(String, String)> {
    match node {
        Node::Apply(function, arguments) => {
            let name = function_name(*function, pool);
            let parameters: Vec<String> = arguments.iter().map(|it| sort(pool, pool.type_of(*it))).collect();
            let result = match function {
                Function::Declared(id) => sort(pool, pool.signature(*id).result),
                _ => "Real".to_owned(),
            };
            let text = format!("(declare-fun {name} ({}) {result})\n", parameters.join(" "));
            Some((name, text))
        }
        Node::IntDiv(a, _) | Node::Mod(a, _) => {
            let ty = pool.type_of(*a);
            let Type::Machine(width) = ty else { return None };
            let name = zero_name(matches!(node, Node::IntDiv(..)), width);
            let sort = sort(pool, ty);
            let text = format!("(declare-fun {name} ({sort}) {sort})\n");
            Some((name, text))
        }
        _ => None,
    }
}

/// A value of a type from an answer; `None` if it is not exact.
pub(crate) fn value(ty: Type, answer: &Sexp) -> Option<Value> {
    match ty {
        Type::Bool => match answer.atom()? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Type::Real => number(answer).map(Value::Real),
        Type::Int => number(answer).filter(RBig::is_int).map(|it| Value::Int(it.floor())),
        Type::Machine(width) => bit_vector(answer).map(|it| Value::Machine(width.wrap(it))),
        Type::Enum(_) => bit_vector(answer).and_then(|it| u32::try_from(it).ok()).map(Value::Enum),
    }
}

/// A number, possibly truncated after some decimal places (`1.414?`).
pub(crate) fn number(answer: &Sexp) -> Option<RBig> {
    match answer {
        Sexp::Atom(text) => decimal(text.strip_suffix('?').unwrap_or(text)),
        Sexp::List(items) => match (items.first()?.atom()?, &items[1..]) {
            ("-", [a]) => Some(-number(a)?),
            ("/", [a, b]) => {
                let (a, b) = (number(a)?, number(b)?);
                (!b.is_zero()).then(|| a / b)
            }
            _ => None,
        },
    }
}

fn decimal(text: &str) -> Option<RBig> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let numerator: IBig = digits.parse().ok()?;
    Some(RBig::from_parts(numerator, UBig::from(10u8).pow(fraction.len())))
}

fn bit_vector(answer: &Sexp) -> Option<i128> {
    match answer {
        Sexp::Atom(text) => match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
            (Some(digits), _) => i128::from_str_radix(digits, 16).ok(),
            (None, Some(digits)) => i128::from_str_radix(digits, 2).ok(),
            (None, None) => None,
        },
        Sexp::List(items) => match items.as_slice() {
            [Sexp::Atom(mark), Sexp::Atom(value), _] if mark == "_" => value.strip_prefix("bv")?.parse().ok(),
            _ => None,
        },
    }
}

/// An integer.
fn int(value: &IBig) -> String {
    if *value < IBig::ZERO { format!("(- {})", -value.clone()) } else { value.to_string() }
}

/// A real number.
pub(crate) fn real(value: &RBig) -> String {
    let negative = *value < RBig::ZERO;
    let numerator = if negative { -value.numerator().clone() } else { value.numerator().clone() };
    let size = if value.is_int() {
        format!("{numerator}.0")
    } else {
        format!("(/ {numerator}.0 {}.0)", value.denominator())
    };
    if negative { format!("(- {size})") } else { size }
}

fn list(op: &str, operands: &[Expr], name: &dyn Fn(Expr) -> String) -> String {
    if operands.is_empty() {
        return op.to_owned();
    }
    let operands: Vec<String> = operands.iter().map(|it| name(*it)).collect();
    format!("({op} {})", operands.join(" "))
}

fn divided(pool: &Pool, ops: [&str; 3], a: Expr, b: Expr, name: &dyn Fn(Expr) -> String) -> String {
    let (x, y) = (name(a), name(b));
    match pool.type_of(a) {
        Type::Machine(width) => {
            let op = if width.signed { ops[1] } else { ops[2] };
            let zero = zero_name(ops[0] == "div", width);
            format!("(ite (= {y} (_ bv0 {})) ({zero} {x}) ({op} {x} {y}))", width.bits)
        }
        _ => format!("({} {x} {y})", ops[0]),
    }
}

fn zero_name(quotient: bool, width: Width) -> String {
    let kind = if quotient { "div" } else { "mod" };
    format!("z_{kind}_{}{}", if width.signed { "s" } else { "u" }, width.bits)
}

fn cast(from: Type, to: Type, term: &str) -> String {
    match (from, to) {
        (Type::Int, Type::Real) => format!("(to_real {term})"),
        (Type::Real, Type::Int) => format!("(to_int {term})"),
        (Type::Int, Type::Machine(width)) => format!("((_ int2bv {}) {term})", width.bits),
        (Type::Machine(width), Type::Int) if !width.signed => format!("(bv2nat {term})"),
        (Type::Machine(width), Type::Int) => {
            let size = UBig::ONE << usize::from(width.bits);
            let zero = format!("(_ bv0 {})", width.bits);
            format!("(ite (bvslt {term} {zero}) (- (bv2nat {term}) {size}) (bv2nat {term}))")
        }
        (Type::Machine(a), Type::Machine(b)) if b.bits > a.bits => {
            let op = if a.signed { "sign_extend" } else { "zero_extend" };
            format!("((_ {op} {}) {term})", b.bits - a.bits)
        }
        (Type::Machine(a), Type::Machine(b)) if b.bits < a.bits => {
            format!("((_ extract {} 0) {term})", b.bits - 1)
        }
        _ => term.to_owned(),
    }
}

fn unsigned(width: Width, value: i128) -> i128 {
    if value < 0 { value + (1i128 << width.bits.clamp(1, 64)) } else { value }
}

pub(crate) fn enum_bits(count: usize) -> u32 {
    count.max(2).next_power_of_two().trailing_zeros()
}
