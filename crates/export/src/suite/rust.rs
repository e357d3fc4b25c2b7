//! Tests as a module in Rust, which any crate can include: the monitors, the inputs, and `run` and `check` for a `System`.

use super::{Plan, numbers};
use std::fmt::Write as _;

pub(super) fn files(plan: &Plan) -> Vec<(String, String)> {
    let mut out = String::from(HEAD);
    out += "\npub mod monitor {\n";
    for line in plan.monitor.text.lines() {
        let line = if line.is_empty() { String::new() } else { format!("    {line}") };
        let _ = writeln!(out, "{line}");
    }
    out += "}\n\n";
    out += "/// The tests.\npub const TESTS: &[Test] = &[\n";
    for case in &plan.cases {
        let _ = writeln!(out, "    Test {{\n        name: {:?},\n        inputs: &[", case.name);
        for row in &case.rows {
            let fields = plan.monitor.inputs.iter().zip(row);
            let fields: Vec<String> = fields.map(|(it, value)| format!("{}: {value}", it.name)).collect();
            let _ = writeln!(out, "            Input {{ {} }},", fields.join(", "));
        }
        let _ = writeln!(out, "        ],\n        requirements: &[{}],", numbers(&case.requirements));
        let _ = writeln!(out, "        assumptions: &[{}],", numbers(&case.assumptions));
        let _ = writeln!(out, "        goals: &[{}],\n    }},", numbers(&case.goals));
    }
    out += "];\n";
    out += RUN;
    vec![(format!("{}_tests.rs", plan.base), out)]
}

const HEAD: &str = "\
//! Tests from requirements. Include the file as a module, implement `System`, and call `check` in a test.

#![allow(dead_code, clippy::all)]

use monitor::*;
";

const RUN: &str = r#"
/// A test. Requirements, assumptions and goals are numbers of the monitor.
#[derive(Debug, Clone, Copy)]
pub struct Test {
    pub name: &'static str,
    /// The inputs of each step; outputs have any value.
    pub inputs: &'static [Input],
    pub requirements: &'static [usize],
    pub assumptions: &'static [usize],
    pub goals: &'static [usize],
}

/// The system under test.
pub trait System {
    /// Goes back to the start.
    fn reset(&mut self);
    /// Reads the inputs of a step and sets the outputs.
    fn step(&mut self, values: &mut Input);
}

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    /// A requirement is violated at a step.
    Failed { requirement: &'static str, step: usize },
    /// No requirement is violated, but the system did not show what the test is for.
    Inconclusive(String),
}

/// Runs a test.
pub fn run(test: &Test, system: &mut impl System) -> Outcome {
    let mut monitor = Monitor::new();
    system.reset();
    for (step, inputs) in test.inputs.iter().enumerate() {
        let mut values = *inputs;
        system.step(&mut values);
        monitor.step(&values);
        let violated = |it: &&usize| monitor.code(**it) & (VIOLATED | VIOLATED_BEFORE) != 0;
        if let Some(it) = test.assumptions.iter().find(violated) {
            let id = IDS[*it];
            return Outcome::Inconclusive(format!("the outputs make the inputs break the assumption {id} at step {step}"));
        }
        if let Some(it) = test.requirements.iter().find(violated) {
            let step = if monitor.code(*it) & VIOLATED != 0 { step } else { step - 1 };
            return Outcome::Failed { requirement: IDS[*it], step };
        }
        // An output has no legal value.
        if let Some(it) = test.requirements.iter().find(|it| monitor.code(**it) & NOT_CHECKED != 0) {
            return Outcome::Failed { requirement: IDS[*it], step };
        }
    }
    if let Some(it) = test.requirements.iter().find(|it| monitor.code(**it) & OWED != 0) {
        return Outcome::Inconclusive(format!("{} is still owed at the end", IDS[*it]));
    }
    match test.goals.iter().find(|it| monitor.verdict(**it) != Verdict::Holds) {
        Some(it) => Outcome::Inconclusive(format!("not shown: {}", IDS[*it])),
        None => Outcome::Passed,
    }
}

/// Runs all tests, and returns the number of those that are inconclusive.
///
/// # Panics
/// A test fails.
pub fn check(system: &mut impl System) -> usize {
    let mut open = 0;
    for test in TESTS {
        match run(test, system) {
            Outcome::Passed => {}
            Outcome::Failed { requirement, step } => {
                panic!("{}: {requirement} is violated at step {step}", test.name)
            }
            Outcome::Inconclusive(why) => {
                println!("{}: inconclusive: {why}", test.name);
                open += 1;
            }
        }
    }
    open
}
"#;
