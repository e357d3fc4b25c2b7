//! All meanings agree: every template, short durations, every short trace.

use logic::Store;
use shall_requirement::{agreement, template};

#[test]
fn templates_on_all_finite_traces_up_to_length_3() {
    for steps in 0..=3 {
        let mut store = Store::default();
        for requirement in template::templates(&mut store, steps) {
            if steps > 0 && requirement.timing.steps().is_none() {
                continue;
            }
            for length in 1..=3 {
                if let Err(found) = agreement::finite(&mut store, &requirement, length) {
                    panic!("{} with n = {steps}: {found:?}", requirement.key());
                }
            }
        }
    }
}

#[test]
fn templates_on_all_lassos_up_to_length_3() {
    for steps in 0..=3 {
        let mut store = Store::default();
        for requirement in template::templates(&mut store, steps) {
            if steps > 0 && requirement.timing.steps().is_none() {
                continue;
            }
            for length in 1..=3 {
                for loop_start in 0..length {
                    if let Err(found) = agreement::infinite(&mut store, &requirement, length, loop_start) {
                        panic!("{} with n = {steps}: {found:?}", requirement.key());
                    }
                }
            }
        }
    }
}
