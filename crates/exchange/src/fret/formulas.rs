//! Our formulas under the names that FRET has for its own: past and future, with endpoints as words and without, and
//! as code for Lustre. Expressions with a temporal predicate inside depend on the scope and are left out.

use super::lustre::lustre;
use logic::dialect::{Bounds, Names};
use logic::{Dialect, Formula, Node, SHALL, SMV, Store, adapt, print};
use requirement::{Ending, Requirement, future, past};
use serde_json::{Map, Value};

/// A formula with more operators than this is left out.
const MAX_OPERATORS: u64 = 100_000;

/// Formulas as FRET shows them.
const SHOWN: Dialect = Dialect {
    name: "fret",
    constants: ["FALSE", "TRUE"],
    windows: SMV.windows,
    ways: SMV.ways,
    bounded_ways: false,
    functions: ["absReal", "minReal", "maxReal"],
    two_arguments: true,
    pre: Some("preReal"),
    names: Names::Quoted(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || "_.%".contains(c))),
    ..SHALL
};

/// Formulas as FRET hands them to other tools.
const EXPANDED: Dialect = Dialect {
    first_point: None,
    bounds: Bounds::Interval { open: "[", between: ",", close: "]", endless: None },
    ..SHOWN
};

/// Adds the formulas of a requirement; `is_int` tells which names stand for integers.
pub(super) fn formulas(
    store: &mut Store,
    requirement: &Requirement,
    is_int: &dyn Fn(&str) -> bool,
    out: &mut Map<String, Value>,
) {
    let mut put = |name: &str, text: Option<String>| {
        if let Some(text) = text {
            out.insert(name.into(), text.into());
        }
    };
    let mode = requirement.scope.mode();
    put("scope_mode_pt", mode.map_or(Some("BAD_PT".into()), |mode| expression(store, mode)));
    put("scope_mode_ft", mode.map_or(Some("BAD_FT".into()), |mode| expression(store, mode)));
    let expressions = [
        ("regular_condition", requirement.condition.expression()),
        ("post_condition", Some(requirement.response)),
        ("stop_condition", requirement.timing.stop()),
    ];
    for (name, formula) in expressions {
        let Some(text) = formula.and_then(|formula| expression(store, formula)) else { continue };
        for form in ["unexp_pt", "unexp_ft", "SMV_pt", "SMV_ft"] {
            put(&format!("{name}_{form}"), Some(text.clone()));
        }
    }
    let past = past(store, requirement).ok();
    let finite = future(store, requirement, Ending::Last).ok();
    let infinite = future(store, requirement, Ending::Infinite).ok();
    put("ft", finite.and_then(|formula| printed(store, formula, &SHOWN)));
    put("pt", past.and_then(|formula| printed(store, formula, &SHOWN)));
    put("ptExpanded", past.and_then(|formula| printed(store, formula, &EXPANDED)));
    put(
        "CoCoSpecCode",
        past.and_then(|formula| {
            let formula = adapt(store, formula, &EXPANDED);
            lustre(store, formula, is_int)
        }),
    );
    put("ftExpanded", finite.and_then(|formula| printed(store, formula, &EXPANDED)));
    put("ftInfAUExpanded", infinite.and_then(|formula| printed(store, formula, &EXPANDED)));
}

/// An expression about one state.
fn expression(store: &mut Store, formula: Formula) -> Option<String> {
    if store.has_holes(formula) { None } else { printed(store, formula, &SHOWN) }
}

/// A formula in parentheses, unless it is a name.
fn printed(store: &mut Store, formula: Formula, dialect: &Dialect) -> Option<String> {
    if store.tree_size(formula) > MAX_OPERATORS {
        return None;
    }
    let formula = adapt(store, formula, dialect);
    let text = print(store, formula, dialect).ok()?;
    Some(match store.node(formula) {
        Node::Var(_) | Node::True | Node::False => text,
        _ => format!("({text})"),
    })
}
