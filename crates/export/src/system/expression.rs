//! Expressions of systems in Lustre: one node as text around the texts of its children.

use super::Unwritable;
use dashu_ratio::RBig;
use system::{Bits, Expr, Function, Node, Pool, Type, Width};

/// The text of a node; `at` gives the texts of children, `names` those of variables, literals and functions. Every
/// compound text stands in parentheses.
pub(super) fn text(
    pool: &Pool,
    expr: Expr,
    at: &dyn Fn(Expr) -> String,
    names: &dyn Fn(&Node) -> String,
) -> Result<String, Unwritable> {
    let infix = |sign: &str, operands: &[Expr]| {
        let operands: Vec<String> = operands.iter().map(|it| at(*it)).collect();
        format!("({})", operands.join(&format!(" {sign} ")))
    };
    let node = pool.node(expr);
    Ok(match node {
        Node::Bool(value) => value.to_string(),
        Node::Int(value) => signed(value.to_string()),
        Node::Machine(width, value) => format!("({} {})", machine(*width)?, signed(value.to_string())),
        Node::Real(value) => real(value),
        Node::Literal(..) | Node::Var(_) => names(node),
        Node::Not(a) => format!("(not {})", at(*a)),
        Node::And(operands) => infix("and", operands),
        Node::Or(operands) => infix("or", operands),
        Node::Eq(a, b) => infix("=", &[*a, *b]),
        Node::Lt(a, b) => infix("<", &[*a, *b]),
        Node::Le(a, b) => infix("<=", &[*a, *b]),
        Node::Ite(c, a, b) => format!("(if {} then {} else {})", at(*c), at(*a), at(*b)),
        Node::Neg(a) => format!("(-{})", at(*a)),
        Node::Add(a, b) => infix("+", &[*a, *b]),
        Node::Mul(a, b) => infix("*", &[*a, *b]),
        Node::Div(a, b) => infix("/", &[*a, *b]),
        Node::IntDiv(a, b) => infix("div", &[*a, *b]),
        Node::Mod(a, b) => infix("mod", &[*a, *b]),
        Node::Cast(ty, a) => format!("({} {})", type_name(pool, *ty)?, at(*a)),
        Node::BitNot(a) => format!("(!{})", at(*a)),
        Node::Bits(Bits::And, a, b) => infix("&&", &[*a, *b]),
        Node::Bits(Bits::Or, a, b) => infix("||", &[*a, *b]),
        Node::Bits(Bits::Xor, a, b) => {
            let (a, b) = (at(*a), at(*b));
            format!("(({a} || {b}) && (!({a} && {b})))")
        }
        Node::Bits(Bits::ShiftLeft, a, b) => infix("lsh", &[*a, *b]),
        Node::Bits(Bits::ShiftRight, a, b) => infix("rsh", &[*a, *b]),
        // Lustre has real numbers only.
        Node::Apply(Function::Single, arguments) => arguments.iter().map(|it| at(*it)).collect(),
        Node::Apply(_, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|it| at(*it)).collect();
            format!("{}({})", names(node), arguments.join(", "))
        }
    })
}

/// A type by its name in Lustre.
pub(super) fn type_name(pool: &Pool, ty: Type) -> Result<String, Unwritable> {
    match ty {
        Type::Machine(width) => machine(width),
        Type::Bool | Type::Int | Type::Real | Type::Enum(_) => Ok(pool.show_type(ty)),
    }
}

fn machine(width: Width) -> Result<String, Unwritable> {
    match width.bits {
        8 | 16 | 32 | 64 => Ok(format!("{}int{}", if width.signed { "" } else { "u" }, width.bits)),
        bits => Err(Unwritable(format!("machine integers of {bits} bits: there are 8, 16, 32 and 64"))),
    }
}

/// A decimal where there is one, otherwise a quotient of decimals.
fn real(value: &RBig) -> String {
    match logic::format_decimal(value) {
        Some(decimal) if decimal.contains('.') => signed(decimal),
        Some(decimal) => signed(format!("{decimal}.0")),
        None => format!("({} / {}.0)", signed(format!("{}.0", value.numerator())), value.denominator()),
    }
}

fn signed(text: String) -> String {
    if text.starts_with('-') { format!("({text})") } else { text }
}
