//! All meanings agree: every template, short durations, every short trace.

use logic::Store;
use shall_requirement::agreement::{self, Disagreement};
use shall_requirement::{Requirement, template};

/// Asks about every template with each of some durations and each length up to 3.
fn check(agree: impl Fn(&mut Store, &Requirement, usize) -> Result<u64, Box<Disagreement>>) {
    for steps in 0..=3 {
        let mut store = Store::default();
        for requirement in template::templates(&mut store, steps) {
            if steps > 0 && requirement.timing.steps().is_none() {
                continue;
            }
            for length in 1..=3 {
                if let Err(found) = agree(&mut store, &requirement, length) {
                    panic!("{} with n = {steps}: {found:?}", requirement.key());
                }
            }
        }
    }
}

#[test]
fn templates_on_all_finite_traces_up_to_length_3() {
    check(agreement::finite);
}

#[test]
fn templates_on_all_lassos_up_to_length_3() {
    check(|store, requirement, length| {
        (0..length).map(|loop_start| agreement::infinite(store, requirement, length, loop_start)).sum()
    });
}
