//! Past formulas as expressions of Lustre over FRET's library of operators: `H(p)`, `O(p)`, `YtoPre(p)`, `ZtoPre(p)`,
//! `S(q, p)` for `p` since `q`, and with a window `HT(far, near, p)` and `OT(far, near, p)`.

use logic::{Arith, Binary, Bound, Formula, Fun, Id, Node, Numeral, Rel, Store, Unary, format_decimal};
use std::collections::BTreeMap;

/// The longest text that is made.
const MAX_TEXT: usize = 1 << 20;

/// A past formula; nothing if it looks ahead, is too long, or has something that Lustre cannot say.
pub(super) fn lustre(store: &Store, formula: Formula, is_int: &dyn Fn(&str) -> bool) -> Option<String> {
    // Children come before their parents, so each text is made of finished ones.
    let mut texts: BTreeMap<Id, String> = BTreeMap::new();
    for id in store.reachable([formula.id()]) {
        let text = node(store, id, &texts, is_int).filter(|text| text.len() <= MAX_TEXT)?;
        texts.insert(id, text);
    }
    texts.remove(&formula.id())
}

fn node(
    store: &Store,
    id: Id,
    texts: &BTreeMap<Id, String>,
    is_int: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let of = |id: Id| texts.get(&id).map(String::as_str);
    let pair = |operator: &str, a: Id, b: Id| Some(format!("({} {operator} {})", of(a)?, of(b)?));
    let list = |ids: &mut dyn Iterator<Item = Id>, between: &str| {
        Some(ids.map(of).collect::<Option<Vec<_>>>()?.join(between))
    };
    match store.node(id) {
        Node::True => Some("true".into()),
        Node::False => Some("false".into()),
        Node::Var(name) | Node::Value(name) => Some(store.name(*name).to_string()),
        Node::Hole(_) => None,
        Node::Call(name, arguments) => {
            Some(format!("{}({})", store.name(*name), list(&mut arguments.iter().copied(), ", ")?))
        }
        Node::Not(f) => Some(format!("not ({})", of(f.id())?)),
        Node::And(all) => Some(format!("({})", list(&mut all.iter().map(|f| f.id()), " and ")?)),
        Node::Or(all) => Some(format!("({})", list(&mut all.iter().map(|f| f.id()), " or ")?)),
        Node::Xor(a, b) => pair("xor", a.id(), b.id()),
        Node::Implies(a, b) => pair("=>", a.id(), b.id()),
        Node::Iff(a, b) => pair("=", a.id(), b.id()),
        Node::Rel(rel, a, b) => pair(relation(*rel), a.id(), b.id()),
        Node::Unary(unary, bound, f) => window(*unary, *bound, of(f.id())?),
        Node::Binary(Binary::Since, Bound::ALL, a, b) => Some(format!("S({}, {})", of(b.id())?, of(a.id())?)),
        Node::Binary(Binary::Triggered, Bound::ALL, a, b) => {
            Some(format!("not (S(not ({}), not ({})))", of(b.id())?, of(a.id())?))
        }
        Node::Binary(..) => None,
        Node::Num(value, numeral) => {
            let text = format_decimal(value)?;
            let whole = *numeral == Numeral::Real && !text.contains('.');
            Some(if whole { format!("{text}.0") } else { text })
        }
        Node::Neg(t) => Some(format!("(- {})", of(t.id())?)),
        Node::Arith(arith, a, b) => match arith {
            Arith::Add => pair("+", a.id(), b.id()),
            Arith::Sub => pair("-", a.id(), b.id()),
            Arith::Mul => pair("*", a.id(), b.id()),
            Arith::Div => pair("/", a.id(), b.id()),
            Arith::Mod => pair("mod", a.id(), b.id()),
            Arith::Pow => None,
        },
        Node::Fun(fun, arguments) => {
            let name = match fun {
                Fun::Abs => "abs",
                Fun::Min => "min",
                Fun::Max => "max",
            };
            let kind = if is_whole(store, id, is_int) { "Int" } else { "Real" };
            let mut parts = arguments.iter().map(|t| of(t.id()));
            let first = parts.next()??;
            if *fun == Fun::Abs {
                return Some(format!("{name}{kind}({first})"));
            }
            // The functions of the library have two arguments.
            parts.try_fold(first.to_string(), |text, part| Some(format!("{name}{kind}({text}, {})", part?)))
        }
        Node::Ite(c, a, b) => Some(format!("(if {} then {} else {})", of(c.id())?, of(a.id())?, of(b.id())?)),
        Node::Pre(initial, t) => Some(format!("({} -> pre ({}))", of(initial.id())?, of(t.id())?)),
        Node::Bool(f) => of(f.id()).map(str::to_string),
    }
}

/// An operator over a window of the past.
fn window(unary: Unary, bound: Bound, f: &str) -> Option<String> {
    let (plain, timed) = match unary {
        Unary::Once => ("O", "OT"),
        Unary::Historically => ("H", "HT"),
        Unary::Finally | Unary::Globally => return None,
    };
    match (bound.lo, bound.hi) {
        (0, None) => Some(format!("{plain}({f})")),
        (1, Some(1)) if unary == Unary::Once => Some(format!("YtoPre({f})")),
        (1, Some(1)) => Some(format!("ZtoPre({f})")),
        (near, Some(far)) => Some(format!("{timed}({far}, {near}, {f})")),
        // From `near` steps ago on: at that step it holds of everything before.
        (near, None) => Some(format!("{timed}({near}, {near}, {plain}({f}))")),
    }
}

fn relation(rel: Rel) -> &'static str {
    if rel == Rel::Ne { "<>" } else { rel.symbol() }
}

/// Whether all names in it stand for integers.
fn is_whole(store: &Store, id: Id, is_int: &dyn Fn(&str) -> bool) -> bool {
    store.reachable([id]).into_iter().all(|id| match store.node(id) {
        Node::Var(name) => is_int(store.name(*name)),
        Node::Num(_, numeral) => *numeral == Numeral::Int,
        Node::Call(..) => false,
        _ => true,
    })
}
