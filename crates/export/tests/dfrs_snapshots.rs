//! Snapshots of the files for the example systems (`tests/dfrs`); `UPDATE=1` rewrites them.

mod dfrs_common;

use dfrs::{Semantics, compile, tiots};
use dfrs_common::{fig_3, system};
use draw::signals::{signals_svg, signals_text};
use shall_export::dfrs::{
    aldebaran, csp_sharp, cspm, scr_csv, scr_tables, smv, system_graph, transition_graph, uppaal,
};
use std::path::Path;

fn check(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dfrs").join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, found).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{name} differs:\n{found}");
}

#[test]
fn models_of_the_vending_machine() {
    let system = system("vending_machine_6");
    let discrete = Semantics::default();
    let dense = Semantics::dense(discrete.reading);
    check("vending_machine_6.smv", &smv(&system, discrete).expect("it can be written"));
    check("vending_machine_6.xml", &uppaal(&system, dense).expect("it can be written"));
    check("vending_machine_6.csp", &csp_sharp(&system, discrete).expect("it can be written"));
    check("vending_machine_6_tock.csp", &cspm(&system, discrete).expect("it can be written"));
    check("vending_machine_6.dot", &system_graph(&system));
    check("vending_machine_6.md", &scr_tables(&system));
    check("vending_machine_6.csv", &scr_csv(&system));
}

#[test]
fn a_discrete_network_with_an_environment() {
    let system = system("turn_indicator_tip");
    check("turn_indicator_tip.xml", &uppaal(&system, Semantics::default()).expect("it can be written"));
}

#[test]
fn modes_and_conditions() {
    check("safety_injection.md", &scr_tables(&system("safety_injection")));
    check("priority_command.md", &scr_tables(&system("priority_command")));
}

#[test]
fn transitions_of_the_vending_machine() {
    let system = system("vending_machine_6");
    let machine = compile(&system, Semantics::default()).expect("it is finite");
    let found = tiots::tiots(&machine, &[3, 30], 40);
    check("vending_machine_6.aut", &aldebaran(&system, &found));
    check("vending_machine_6_transitions.dot", &transition_graph(&system, &found));
}

#[test]
fn signals_of_figure_3() {
    let system = system("vending_machine_6");
    let run = fig_3(&system);
    check("figure_3.svg", &signals_svg(&system, &run, "A weak coffee").expect("it can be drawn"));
    check("figure_3.txt", &signals_text(&system, &run, 100, true).expect("it can be drawn"));
    check("figure_3_ascii.txt", &signals_text(&system, &run, 60, false).expect("it can be drawn"));
}
