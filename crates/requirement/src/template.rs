//! The 264 templates: 8 scopes × 3 conditions × 11 timings, over the atoms mode, cond, stop and res. Tests, proofs and measurements
//! iterate over this list.

use crate::{Condition, Requirement, Scope, Timing};
use logic::{Formula, Store};

/// The names of the four atoms of a template.
pub const ATOMS: [&str; 4] = ["mode", "cond", "stop", "res"];

/// All templates with this duration, in the order scope, condition, timing.
pub fn templates(store: &mut Store, steps: u64) -> Vec<Requirement> {
    let [mode, cond, stop, res] = ATOMS.map(|name| {
        let symbol = store.symbol(name);
        store.var(symbol)
    });
    let mut all = Vec::with_capacity(264);
    for scope in scopes(mode) {
        for condition in [Condition::Null, Condition::Regular(cond), Condition::Holding(cond)] {
            for timing in timings(stop, steps) {
                let component = "sw".to_string();
                all.push(Requirement {
                    scope,
                    condition,
                    component,
                    timing,
                    response: res,
                    predicates: Vec::new(),
                });
            }
        }
    }
    all
}

/// The 8 scopes.
pub fn scopes(mode: Formula) -> [Scope; 8] {
    [
        Scope::Global,
        Scope::In(mode),
        Scope::NotIn(mode),
        Scope::Before(mode),
        Scope::After(mode),
        Scope::OnlyIn(mode),
        Scope::OnlyBefore(mode),
        Scope::OnlyAfter(mode),
    ]
}

/// The 11 timings.
pub fn timings(stop: Formula, steps: u64) -> [Timing; 11] {
    [
        Timing::Immediately,
        Timing::Next,
        Timing::Finally,
        Timing::Always,
        Timing::Never,
        Timing::Eventually,
        Timing::Within(steps),
        Timing::For(steps),
        Timing::After(steps),
        Timing::Until(stop),
        Timing::Before(stop),
    ]
}
