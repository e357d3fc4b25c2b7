//! Temporal formulas from their trees. The predicates of sentences may be used too; their past begins with the trace.

use super::build::Builder;
use super::types::{Sorts, Types};
use super::{Context, duration, has_errors, report};
use crate::meaning::Cut;
use crate::meaning::fill;
use crate::meaning::fill_term;
use logic::Bound;
use logic::Formula;
use logic::Id;
use logic::Sort;
use logic::Store;
use syntax::Diagnostic;
use syntax::Kind;
use syntax::NodeRef;
use syntax::Parse;

/// Lowers a parsed temporal formula; `None` if there are errors.
pub fn lower_formula(
    store: &mut Store,
    parse: &Parse,
    context: &Context,
) -> (Option<Formula>, Vec<Diagnostic>) {
    let mut diagnostics = parse.diagnostics.clone();
    let root = parse.tree.root().children().next();
    let (Some(root), false) = (root, has_errors(&diagnostics)) else { return (None, diagnostics) };
    let mut types = Types::new(context, &mut diagnostics);
    types.boolean(root);
    let sorts = types.finish();
    if has_errors(&diagnostics) {
        return (None, diagnostics);
    }
    let mut builder = Builder::new(store, context, &sorts, &mut diagnostics);
    let formula = builder.formula(root);
    let predicates = builder.finish();
    let formula = fill(store, &predicates, formula, &Cut::Trace).unwrap_or_else(|refusal| {
        let message = format!("{refusal}, which a formula says with an operator");
        let hint = "write `G[0,3] p` or `F[0,3] p`";
        report(&mut diagnostics, syntax::codes::UNEXPECTED, root.span(), message, hint);
        formula
    });
    ((!has_errors(&diagnostics)).then_some(formula), diagnostics)
}

/// An expression as a formula or term of a sort, with its predicates filled in; `None` if it does not have this sort.
pub(crate) fn lower_term(store: &mut Store, root: NodeRef, context: &Context, sort: Sort) -> Option<Id> {
    let mut diagnostics = Vec::new();
    let mut types = Types::new(context, &mut diagnostics);
    types.demand(root, sort);
    let sorts = types.finish();
    let mut builder = Builder::new(store, context, &sorts, &mut diagnostics);
    let id = builder.expression(root);
    let predicates = builder.finish();
    if has_errors(&diagnostics) {
        return None;
    }
    if sort == Sort::Bool {
        let formula = store.as_formula(id)?;
        return Some(fill(store, &predicates, formula, &Cut::Trace).ok()?.id());
    }
    let term = store.as_term(id);
    Some(fill_term(store, &predicates, term, &Cut::Trace).ok()?.id())
}

/// What the definition of a name tells about the sorts of names, including its own; `sort` is what is declared for it.
pub(crate) fn lower_sorts(name: &str, root: NodeRef, context: &Context, sort: Sort) -> Sorts {
    let mut diagnostics = Vec::new();
    let mut types = Types::new(context, &mut diagnostics);
    types.define(name, root);
    types.demand(root, sort);
    types.finish()
}

/// A bound as written; `None`, with a diagnostic, if its numbers exceed the limit. `X[!]` has no bound.
pub(super) fn bound(node: NodeRef, diagnostics: &mut Vec<Diagnostic>) -> Option<Bound> {
    let mut relation = None;
    let mut endless = false;
    let mut numbers = Vec::new();
    for (kind, span, text) in node.own_tokens() {
        match kind {
            Kind::Number => match logic::parse_decimal(text).and_then(|number| duration::whole(&number)) {
                Some(number) => numbers.push(number),
                None => {
                    let message = format!("the bound `{text}` is too large");
                    let hint = "write a smaller number of steps";
                    report(diagnostics, syntax::codes::TOO_LARGE, span, message, hint);
                    return None;
                }
            },
            Kind::LessEqual | Kind::Less | Kind::GreaterEqual | Kind::Greater => relation = Some(kind),
            _ => endless |= text == "∞",
        }
    }
    match (relation, numbers[..].first().copied(), numbers.get(1).copied()) {
        (_, None, _) => None,
        (Some(Kind::LessEqual), Some(n), _) => Some(Bound::upto(n)),
        // `[<0]` is empty.
        (Some(Kind::Less), Some(n), _) => Some(n.checked_sub(1).map_or(Bound::new(1, 0), Bound::upto)),
        (Some(Kind::GreaterEqual), Some(n), _) => Some(Bound::new(n, None)),
        (Some(_), Some(n), _) => Some(Bound::new(n + 1, None)),
        (None, Some(n), None) if endless => Some(Bound::new(n, None)),
        (None, Some(n), None) => Some(Bound::exactly(n)),
        (None, Some(lo), Some(hi)) => Some(Bound::new(lo, hi)),
    }
}

/// Applies a prefix operator. The bound of a next or yesterday is its number of steps.
pub(super) fn prefix(s: &mut Store, operator: &str, bound: Option<Bound>, operand: Formula) -> Formula {
    let all = bound.unwrap_or(Bound::ALL);
    let one = bound.unwrap_or(Bound::NEXT);
    match operator {
        "X" | "○" | "◯" => s.finally(one, operand),
        "N" => s.globally(one, operand),
        "F" | "◇" | "<>" => s.finally(all, operand),
        "Y" | "●" => s.once(one, operand),
        "Z" => s.historically(one, operand),
        "O" | "◆" => s.once(all, operand),
        "H" | "■" => s.historically(all, operand),
        // `G`, `□` and `[]`
        _ => s.globally(all, operand),
    }
}

/// Applies an infix operator.
pub(super) fn infix(
    s: &mut Store,
    operator: &str,
    bound: Option<Bound>,
    left: Formula,
    right: Formula,
) -> Formula {
    let bound = bound.unwrap_or(Bound::ALL);
    match operator {
        "U" => s.until(bound, left, right),
        "W" => s.weak_until(bound, left, right),
        "M" => s.strong_release(bound, left, right),
        "S" => s.since(bound, left, right),
        "T" => s.triggered(bound, left, right),
        // `R` and `V`
        _ => s.release(bound, left, right),
    }
}
