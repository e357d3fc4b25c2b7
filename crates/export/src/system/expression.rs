//! The text of an expression of a system in a language: one walk, and a [`Spelling`] for each language.

use super::Unwritable;
use dashu_ratio::RBig;
use std::collections::BTreeMap;
use system::{Bits, Expr, Function, Node, Pool, Type, Width};

/// How a language spells what differs.
pub(super) trait Spelling {
    /// Negation, conjunction, disjunction, equality.
    fn words(&self) -> [&'static str; 4];

    /// An integer, machine integer or real number.
    fn number(&self, node: &Node) -> Result<String, Unwritable>;

    /// A choice between two values.
    fn choice(&self, condition: &str, a: &str, b: &str) -> String;

    /// Arithmetic, conversions, operations on bits and functions, with the texts of the operands. `name` is that of a function.
    fn operation(
        &self,
        pool: &Pool,
        expr: Expr,
        operands: &[String],
        name: String,
    ) -> Result<String, Unwritable>;
}

/// The text of a node; `at` gives the texts of children, `names` those of variables, literals and functions. Every
/// compound text is in parentheses.
pub(super) fn text(
    pool: &Pool,
    expr: Expr,
    at: &dyn Fn(Expr) -> String,
    names: &dyn Fn(&Node) -> String,
    spelling: &dyn Spelling,
) -> Result<String, Unwritable> {
    let node = pool.node(expr);
    let operands: Vec<String> = node.children().map(at).collect();
    let [not, and, or, equal] = spelling.words();
    Ok(match node {
        Node::Bool(value) => value.to_string(),
        Node::Int(_) | Node::Machine(..) | Node::Real(_) => spelling.number(node)?,
        Node::Literal(..) | Node::Var(_) => names(node),
        Node::Not(_) => format!("({not}{})", operands[0]),
        Node::And(_) => infix(and, &operands),
        Node::Or(_) => infix(or, &operands),
        Node::Eq(..) => infix(equal, &operands),
        Node::Lt(..) => infix("<", &operands),
        Node::Le(..) => infix("<=", &operands),
        Node::Ite(..) => spelling.choice(&operands[0], &operands[1], &operands[2]),
        Node::Neg(_)
        | Node::Add(..)
        | Node::Mul(..)
        | Node::Div(..)
        | Node::IntDiv(..)
        | Node::Mod(..)
        | Node::Cast(..)
        | Node::BitNot(_)
        | Node::Bits(..)
        | Node::Apply(..) => spelling.operation(pool, expr, &operands, names(node))?,
    })
}

/// Operands with a sign between them.
pub(super) fn infix(sign: &str, operands: &[String]) -> String {
    format!("({})", operands.join(&format!(" {sign} ")))
}

/// How often each of some expressions is used, by others of them and as a root.
pub(super) fn uses(pool: &Pool, reachable: &[Expr], roots: &[Expr]) -> BTreeMap<Expr, u32> {
    let mut uses: BTreeMap<Expr, u32> = BTreeMap::new();
    let children = reachable.iter().flat_map(|expr| pool.node(*expr).children());
    children.chain(roots.iter().copied()).for_each(|it| *uses.entry(it).or_default() += 1);
    uses
}

/// Lustre, as Kind 2 reads it.
pub(super) struct Lustre;

impl Spelling for Lustre {
    fn words(&self) -> [&'static str; 4] {
        ["not ", "and", "or", "="]
    }

    fn number(&self, node: &Node) -> Result<String, Unwritable> {
        Ok(match node {
            Node::Machine(width, value) => format!("({} {})", machine(*width)?, signed(value.to_string())),
            Node::Real(value) => real(value),
            Node::Int(value) => signed(value.to_string()),
            _ => String::new(),
        })
    }

    fn choice(&self, condition: &str, a: &str, b: &str) -> String {
        format!("(if {condition} then {a} else {b})")
    }

    fn operation(
        &self,
        pool: &Pool,
        expr: Expr,
        operands: &[String],
        name: String,
    ) -> Result<String, Unwritable> {
        Ok(match pool.node(expr) {
            Node::Neg(_) => format!("(-{})", operands[0]),
            Node::Add(..) => infix("+", operands),
            Node::Mul(..) => infix("*", operands),
            Node::Div(..) => infix("/", operands),
            Node::IntDiv(..) => infix("div", operands),
            Node::Mod(..) => infix("mod", operands),
            Node::Cast(ty, _) => format!("({} {})", number_type(pool, *ty)?, operands[0]),
            Node::BitNot(_) => format!("(!{})", operands[0]),
            Node::Bits(Bits::And, ..) => infix("&&", operands),
            Node::Bits(Bits::Or, ..) => infix("||", operands),
            Node::Bits(Bits::Xor, ..) => {
                let (a, b) = (&operands[0], &operands[1]);
                format!("(({a} || {b}) && (!({a} && {b})))")
            }
            Node::Bits(Bits::ShiftLeft, ..) => infix("lsh", operands),
            Node::Bits(Bits::ShiftRight, ..) => infix("rsh", operands),
            // Lustre has real numbers only.
            Node::Apply(Function::Single, _) => operands.concat(),
            _ => format!("{name}({})", operands.join(", ")),
        })
    }
}

/// A type that is not an enumeration, by its name in Lustre.
pub(super) fn number_type(pool: &Pool, ty: Type) -> Result<String, Unwritable> {
    match ty {
        Type::Machine(width) => machine(width),
        ty => Ok(pool.show_type(ty)),
    }
}

fn machine(width: Width) -> Result<String, Unwritable> {
    match width.bits {
        8 | 16 | 32 | 64 => Ok(format!("{}int{}", if width.signed { "" } else { "u" }, width.bits)),
        bits => Err(Unwritable::Bits(bits)),
    }
}

/// A decimal if there is one, otherwise a quotient of decimals.
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
