//! Charts that call a subsystem in the middle of a run: what it sees, and what the chart reads afterwards.

mod common;

use common::chart::as_text;
use common::model::check_system;
use common::reading;
use shall_simulink::lower::{Options, lower};
use shall_simulink::plan::{Problem, plan};
use system::System;

/// A chart whose event `E` calls the subsystem `s`, which adds one to the first output of the chart. If the chart has an input `r`, it is
/// what the subsystem computes. The subsystem is an output of the model, too.
fn lowered(chart: &str, class: &str) -> Result<System, Vec<Problem>> {
    let line = |from: &str, to: &str| {
        let ((from, output), (to, input)) =
            (from.split_once(':').expect(from), to.split_once(':').expect(to));
        format!("Line {{\nSrcBlock \"{from}\"\nSrcPort {output}\nDstBlock \"{to}\"\nDstPort {input}\n}}\n")
    };
    let text = as_text(chart, "");
    let at = |what: &str| {
        let lines: Vec<&str> = chart.lines().filter(|it| it.starts_with(what)).collect();
        move |name: &str| lines.iter().position(|it| it.split(' ').nth(1) == Some(name)).map(|it| it + 1)
    };
    let outputs: Vec<&str> =
        chart.lines().filter(|it| it.starts_with("output ") || it.starts_with("sends ")).collect();
    let call = outputs.iter().position(|it| it.starts_with("sends E")).expect("a call") + 1;
    let last = format!("Block {{\nBlockType Outport\nName \"E\"\nPort \"{call}\"\n}}\n");
    let mut text = text.replacen(&last, "", 1).replacen(
        &line(&format!("c:{call}"), "E:1"),
        &line(&format!("c:{call}"), "s:trigger"),
        1,
    );
    if let Some(place) = at("input ")("r") {
        let port = format!(
            "Block {{\nBlockType Inport\nName \"r\"\nPort \"{place}\"\nOutDataTypeStr \"double\"\n}}\n"
        );
        assert!(text.contains(&port), "{text}");
        text = text.replacen(&port, "", 1);
        text = text.replacen(&line("r:1", &format!("c:{place}")), &line("s:1", &format!("c:{place}")), 1);
    }
    let inside = format!(
        "Block {{\nBlockType TriggerPort\nName \"t\"\nTriggerType \"function-call\"\n}}\nBlock {{\nBlockType Inport\nName \"i\"\n}}\n\
         Block {{\nBlockType Bias\nName \"k\"\nBias \"1\"\n}}\nBlock {{\nBlockType DataTypeConversion\nName \"d\"\nOutDataTypeStr \"{class}\"\n}}\n\
         Block {{\nBlockType Outport\nName \"o\"\n}}\n{}{}{}",
        line("i:1", "k:1"),
        line("k:1", "d:1"),
        line("d:1", "o:1")
    );
    let more = format!(
        "Block {{\nBlockType SubSystem\nName \"s\"\nSystem {{\n{inside}}}\n}}\nBlock {{\nBlockType Outport\nName \"z\"\nPort \"{call}\"\n}}\n{}{}",
        line("c:1", "s:1"),
        line("s:1", "z:1")
    );
    let text = text.replacen("System {\n", &format!("System {{\n{more}"), 1);
    let mut diagram = reading(text.as_bytes()).diagram;
    diagram.name = "m".to_owned();
    lower(&plan(&diagram, &[]), None, &Options::default())
}

fn check(chart: &str, steps: &str) {
    let system = lowered(chart, "double").unwrap_or_else(|problems| panic!("{chart}: {problems:?}"));
    check_system(chart, &system, steps, 1e-9);
}

#[test]
fn a_call_sees_the_outputs_of_its_moment() {
    check(
        "output y\nsends E call\nstate A during: y = y + 1; E; y = y + 10;\n-> A",
        " | 0 0\n | 11 2\n | 22 13",
    );
}

#[test]
fn a_chart_reads_what_it_called_for() {
    // Before the call, what was computed last; after it, what is computed now.
    check(
        "input r\noutput y\nsends E call\nstate A during: y = r; E; y = y + 100 * r;\n-> A",
        " | 0 0\n | 100 1\n | 201 2\n | 302 3",
    );
    let when = "input u\ninput r\noutput y\nsends E call\nstate A\n-> A\nA -> A [u > 0] {E; y = r;}";
    check(when, "1 | 0 0\n 1 | 1 1\n 0 | 1 1\n 0 | 1 1\n 1 | 2 2");
    // A condition that is evaluated after the call, as in a later transition.
    let later = "input r\noutput y\nsends E call\nstate A during: E;\nstate A.X\nstate A.Y entry: y = 10 * r;\n-> A\n-> A.X\nA.X -> A.Y [r > 0]";
    check(later, " | 0 0\n | 10 1\n | 10 11");
    // With times of its own: every second step.
    let slow = "set updateMethod DISCRETE\nset sampleTime 1\ninput r\noutput y\nsends E call\nstate A during: E; y = r;\n-> A";
    check(slow, " | 0 0\n | 0 0\n | 1 1\n | 1 1\n | 2 2");
}

#[test]
fn what_a_chart_reads_is_a_double() {
    let problems = lowered("input r\noutput y\nsends E call\nstate A during: E; y = r;\n-> A", "int8");
    let problems = problems.expect_err("an integer");
    assert!(problems.iter().any(|it| it.message.contains("is not a double")), "{problems:?}");
}
