//! The theorems about the formulas that the generators print for temporal predicates: each predicate as the response, in every scope.
//!
//! A predicate has two bounds, and a printed formula has one variable. So a predicate is proved in three families: from now to n
//! steps away, at n steps away, and from 1 to n + 1 steps away.

use crate::coq::terms::cases;
use crate::coq::theorems::{KINDS, Printed, identifier, template};
use crate::failure::{OrFail, Result};
use crate::prove::carries_predicates;
use logic::{Formula, Store};
use requirement::template::templates;
use requirement::{Predicate, Requirement};

/// A predicate whose bounds depend on the duration.
struct Family {
    /// The name in theorems and tables.
    name: &'static str,
    /// The predicate as a function of the duration in Coq.
    coq: &'static str,
    make: fn(&Atoms, u64) -> Predicate,
}

/// The propositions that predicates are about.
struct Atoms {
    res: Formula,
    stop: Formula,
}

macro_rules! families {
    ($($variant:ident $name:literal,)*) => {
        [$(
            Family {
                name: concat!($name, "(0,n)"),
                coq: concat!("(fun x => ", stringify!($variant), " (K 0) x)"),
                make: |atoms, n| Predicate::$variant { near: 0, far: n, what: atoms.res },
            },
            Family {
                name: concat!($name, "(n,n)"),
                coq: concat!("(fun x => ", stringify!($variant), " x x)"),
                make: |atoms, n| Predicate::$variant { near: n, far: n, what: atoms.res },
            },
            Family {
                name: concat!($name, "(1,n+1)"),
                coq: concat!("(fun x => ", stringify!($variant), " (K 1) (succ x))"),
                make: |atoms, n| Predicate::$variant { near: 1, far: n + 1, what: atoms.res },
            },
        )*]
    };
}

const BOUNDED: [Family; 12] = families! {
    Persisted "persisted",
    Occurred "occurred",
    Persists "persists",
    Occurs "occurs",
};

const OTHERS: [Family; 4] = [
    Family {
        name: "prevOcc",
        coq: "(fun _ => PrevOcc)",
        make: |atoms, _| Predicate::PreviousOccurrence { event: atoms.res, then: atoms.stop },
    },
    Family {
        name: "preBool",
        coq: "(fun _ => PreBool)",
        make: |atoms, _| Predicate::Previously { initially: atoms.stop, what: atoms.res },
    },
    Family { name: "FTP", coq: "(fun _ => FirstPoint)", make: |_, _| Predicate::FirstPoint },
    Family {
        name: "nextOcc",
        coq: "(fun _ => NextOcc)",
        make: |atoms, _| Predicate::NextOccurrence { event: atoms.res, then: atoms.stop },
    },
];

/// Every predicate in every scope, with its formulas of every kind. A predicate has formulas of its own direction only.
pub(crate) fn printed() -> Result<Vec<Printed>> {
    let mut store = Store::default();
    let mut all = Vec::new();
    for Family { name, coq, make } in BOUNDED.iter().chain(&OTHERS) {
        let predicate = |store: &mut Store, n: u64| {
            let [res, stop] = ["res", "stop"].map(|name| {
                let symbol = store.symbol(name);
                store.var(symbol)
            });
            make(&Atoms { res, stop }, n)
        };
        let looks_ahead = predicate(&mut store, 0).looks_ahead();
        for (index, plain) in templates(&mut store, 0).iter().enumerate() {
            if !carries_predicates(plain) {
                continue;
            }
            for kind in KINDS.into_iter().filter(|kind| kind.looks_ahead == looks_ahead) {
                let key = format!("{} {name}", plain.key());
                let cases = cases(&mut store, |store, n| {
                    let plain = templates(store, n).swap_remove(index);
                    let (response, predicates) = (store.hole(0), vec![predicate(store, n)]);
                    (kind.generate)(store, &Requirement { response, predicates, ..plain }).about(&key)
                })?;
                let file = format!("Printed_{}_{}", kind.name, identifier(name));
                all.push(Printed { kind, key, template: template(plain), predicate: Some(coq), file, cases });
            }
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every predicate has its theorems, with names of their own.
    #[test]
    fn theorems_are_those_of_all_predicates() {
        let printed = printed().expect("formulas of all predicates");
        let names: BTreeSet<String> = printed.iter().map(Printed::name).collect();
        assert_eq!((printed.len(), names.len()), (1440, 1440));
    }
}
