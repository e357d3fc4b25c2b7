//! Large formulas get an answer or a limit, soon, and nothing worse.

mod common;

use base::Random;
use common::{Operators, random};
use logic::{Bound, Formula, Store};
use shall_omega::decide::{Setting, satisfiable};
use shall_omega::{Limits, class, translate, translate_at_end, translate_finite};
use std::time::{Duration, Instant};

fn propositions(store: &mut Store, count: usize) -> Vec<Formula> {
    (0..count)
        .map(|k| {
            let symbol = store.symbol(&format!("p{k}"));
            store.var(symbol)
        })
        .collect()
}

/// Everything is asked of the formula; how the answers turn out does not matter here.
fn check(name: &str, build: impl Fn(&mut Store) -> Formula) {
    let mut store = Store::default();
    let f = build(&mut store);
    let limits = Limits { states: 2_000, nodes: 100_000, steps: 500_000 };
    let setting = Setting { limits, ..Setting::default() };
    let start = Instant::now();
    let mut times = Vec::new();
    let mut told = |what: &str, answer: String| times.push(format!("{what} {answer} {:?}", start.elapsed()));
    let shown = |error: Option<shall_omega::Limit>| error.map_or("ok".to_string(), |limit| limit.to_string());
    told("translate", shown(translate(&store, f, limits).err()));
    told("satisfiable", shown(satisfiable(&store, f, setting).err()));
    told("finite", shown(translate_finite(&store, f, &[], limits).err()));
    told("at end", shown(translate_at_end(&store, f, &[], limits).err()));
    told("class", shown(class(&store, f, limits).err()));
    println!("{name}: {}", times.join(", "));
    assert!(start.elapsed() < Duration::from_secs(20), "{name}: {times:?}");
}

#[test]
fn deep() {
    check("nested until", |store| {
        let p = propositions(store, 7);
        (0..10_000).fold(p[0], |f, k| store.until(Bound::ALL, p[k % 7], f))
    });
    check("nested release and until", |store| {
        let p = propositions(store, 5);
        (0..10_000).fold(p[0], |f, k| {
            if k % 2 == 0 {
                store.until(Bound::ALL, f, p[k % 5])
            } else {
                store.release(Bound::ALL, p[k % 5], f)
            }
        })
    });
    check("alternating junctions", |store| {
        let p = propositions(store, 3);
        let next: Vec<Formula> = p.iter().map(|&f| store.next(f)).collect();
        (0..10_000).fold(p[0], |f, k| {
            let x = if k % 3 == 0 { p[k % 3] } else { next[k % 3] };
            if k % 2 == 0 { store.and2(x, f) } else { store.or2(x, f) }
        })
    });
    check("many steps", |store| {
        let p = propositions(store, 2);
        (0..10_000).fold(p[0], |f, _| {
            let next = store.next(f);
            store.and2(p[1], next)
        })
    });
    check("equivalences", |store| {
        let p = propositions(store, 3);
        (0..10_000).fold(p[0], |f, k| {
            let next = store.next(f);
            store.iff(p[k % 3], next)
        })
    });
    check("past", |store| {
        let p = propositions(store, 3);
        (0..10_000).fold(p[0], |f, k| store.since(Bound::ALL, p[k % 3], f))
    });
}

#[test]
fn wide() {
    check("30 responses", |store| {
        let p = propositions(store, 30);
        let parts: Vec<Formula> = (0..15)
            .map(|k| {
                let later = store.finally(Bound::ALL, p[2 * k + 1]);
                let response = store.implies(p[2 * k], later);
                store.globally(Bound::ALL, response)
            })
            .collect();
        store.and(parts)
    });
    check("30 recurrences", |store| {
        let p = propositions(store, 30);
        let parts: Vec<Formula> = p
            .iter()
            .map(|&f| {
                let later = store.finally(Bound::ALL, f);
                store.globally(Bound::ALL, later)
            })
            .collect();
        store.and(parts)
    });
    check("30 alternatives", |store| {
        let p = propositions(store, 30);
        let parts: Vec<Formula> = p.iter().map(|&f| store.finally(Bound::ALL, f)).collect();
        store.or(parts)
    });
    check("3000 propositions", |store| {
        let p = propositions(store, 3_000);
        store.and(p)
    });
    check("long bounds", |store| {
        let p = propositions(store, 2);
        let within = store.finally(Bound::upto(1_000_000_000), p[0]);
        let ago = store.once(Bound::new(100, 100_000), p[1]);
        let both = store.and2(within, ago);
        store.globally(Bound::ALL, both)
    });
    check("long random", |store| {
        let p = propositions(store, 30);
        let mut rng = Random::new(77);
        random(store, &mut rng, &p, Operators { past: true, bounds: true }, 10_000)
    });
    check("long random future", |store| {
        let p = propositions(store, 10);
        let mut rng = Random::new(78);
        random(store, &mut rng, &p, Operators::default(), 3_000)
    });
}
