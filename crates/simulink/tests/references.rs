//! Models that refer to others, and libraries: variables, arguments, charts and variants of the files that they come from.

mod common;

use common::chart::as_text;
use common::model::{check_system, mdl};
use common::reading;
use shall_simulink::diagram::Diagram;
use shall_simulink::library::{expand, link};
use shall_simulink::lower::{Options, lower};
use shall_simulink::mat;
use shall_simulink::plan::{Problem, plan};
use shall_simulink::value::{Matrix, Value};
use std::collections::BTreeMap;
use system::System;

/// A model of a text, with variables of its own.
fn model(text: &str, variables: &[(&str, f64)]) -> Diagram {
    let mut diagram = reading(mdl(text).as_bytes()).diagram;
    diagram.name = "m".to_owned();
    let matrix = |(name, number): &(&str, f64)| ((*name).to_owned(), Matrix::scalar(*number));
    let variables: Vec<(String, Matrix)> = variables.iter().map(matrix).collect();
    diagram.workspace = (!variables.is_empty()).then(|| mat::write(&variables).expect("a file"));
    diagram
}

/// The system of a model with other files beside it, and variables of the workspace.
fn lowered(
    top: &Diagram,
    others: &[(&str, &Diagram)],
    workspace: &[(&str, f64)],
) -> Result<System, Vec<Problem>> {
    let known: BTreeMap<String, Diagram> =
        others.iter().map(|(name, it)| ((*name).to_owned(), (*it).clone())).collect();
    let mut diagram = top.clone();
    link(&mut diagram, &known);
    expand(&mut diagram);
    let workspace: Vec<(String, Value)> =
        workspace.iter().map(|(name, number)| ((*name).to_owned(), Value::scalar(*number))).collect();
    lower(&plan(&diagram, &workspace), None, &Options::default())
}

fn check(top: &Diagram, others: &[(&str, &Diagram)], workspace: &[(&str, f64)], steps: &str) {
    let system = lowered(top, others, workspace).unwrap_or_else(|problems| panic!("{problems:?}"));
    check_system("a reference", &system, steps, 1e-12);
}

fn refused(top: &Diagram, others: &[(&str, &Diagram)], workspace: &[(&str, f64)], reason: &str) {
    let problems = lowered(top, others, workspace).err().unwrap_or_default();
    assert!(problems.iter().any(|it| it.message.contains(reason)), "{reason}: {problems:?}");
}

const GAIN: &str = "Inport a\nGain g Gain=k\nOutport b\na -> g -> b";
const TOP: &str = "Inport u\nModelReference r ModelName=inner\nOutport y\nu -> r -> y";

#[test]
fn variables_of_a_model() {
    let top = model(TOP, &[]);
    // Its own come before those of the workspace.
    check(&top, &[("inner", &model(GAIN, &[("k", 3.0)]))], &[("k", 5.0)], "2 | 6");
    check(&top, &[("inner", &model(GAIN, &[]))], &[("k", 5.0)], "2 | 10");
    // Those of the model that refers to it are not seen, and neither are masks around it.
    refused(&model(TOP, &[("k", 7.0)]), &[("inner", &model(GAIN, &[]))], &[], "`k`");
    let masked = "Inport u\nSubSystem s MaskVariables=k=@1;; MaskValueString=9\nInport s/u\nModelReference s/r ModelName=inner\nOutport s/y\n\
                  s/u -> s/r -> s/y\nOutport y\nu -> s -> y";
    check(&model(masked, &[]), &[("inner", &model(GAIN, &[]))], &[("k", 2.0)], "1 | 2");
    // Two instances, and a model in a model.
    let two = "Inport u\nModelReference r ModelName=inner\nModelReference q ModelName=outer\nOutport y\nu -> r -> q -> y";
    let outer = model(
        "Inport a\nBias h Bias=k\nModelReference i ModelName=inner\nOutport b\na -> h -> i -> b",
        &[("k", 100.0)],
    );
    let inner = model(GAIN, &[("k", 3.0)]);
    check(&model(two, &[("k", 7.0)]), &[("inner", &inner), ("outer", &outer)], &[], "1 | 309");
    // What its callbacks set is in the workspace.
    let calling = model(&format!("@ InitFcn=k = 4;\n{GAIN}"), &[]);
    check(&top, &[("inner", &calling)], &[], "2 | 8");
    check(&top, &[("inner", &calling)], &[("k", 4.0)], "2 | 8");
    refused(&top, &[("inner", &calling)], &[("k", 5.0)], "`k`");
}

#[test]
fn arguments_of_a_model() {
    let text =
        "@ ParameterArgumentNames=k, o\nInport a\nGain g Gain=k\nBias c Bias=o\nOutport b\na -> g -> c -> b";
    let inner = model(text, &[("k", 3.0), ("o", 0.0)]);
    let top = |values: &str| {
        model(
            &format!(
                "Inport u\nModelReference r ModelName=inner; ParameterArgumentValues={values}\nOutport y\nu -> r -> y"
            ),
            &[("k", 9.0)],
        )
    };
    // Their expressions are those of the block that refers to the model.
    check(&top("2, k"), &[("inner", &inner)], &[], "1 | 11\n 5 | 19");
    check(&top("k+1, [0]"), &[("inner", &inner)], &[], "1 | 10");
    refused(&top("2"), &[("inner", &inner)], &[], "have no known values");
    refused(&top(""), &[("inner", &inner)], &[], "have no known values");
    refused(&top("2, missing"), &[("inner", &inner)], &[], "`o`");
    // In a mask.
    let masked = "Inport u\nSubSystem s MaskVariables=q=@1;; MaskValueString=6\nInport s/u\nModelReference s/r ModelName=inner; \
                  ParameterArgumentValues=q, 1\nOutport s/y\ns/u -> s/r -> s/y\nOutport y\nu -> s -> y";
    check(&model(masked, &[]), &[("inner", &inner)], &[], "2 | 13");
}

#[test]
fn variants_that_are_models() {
    let text = "Inport u\nSubSystem v Variant=on; VariantControlMode=label; LabelModeActiveChoice=CHOICE\nInport v/a\nModelReference v/one ModelName=one; \
                VariantControl=one\nModelReference v/two ModelName=two; VariantControl=two\nOutport v/b\nOutport y\nu -> v -> y";
    let (one, two) = (model(GAIN, &[("k", 2.0)]), model(GAIN, &[("k", 3.0)]));
    for (choice, steps) in [("one", "1 | 2"), ("two", "1 | 3")] {
        check(&model(&text.replace("CHOICE", choice), &[]), &[("one", &one), ("two", &two)], &[], steps);
    }
    // The file of a choice that is not active need not be there.
    check(&model(&text.replace("CHOICE", "one"), &[]), &[("one", &one)], &[], "1 | 2");
    refused(
        &model(&text.replace("CHOICE", "two"), &[]),
        &[("one", &one)],
        &[],
        "the model `two` that it refers to is not there",
    );
}

/// A chart as a model of its own, under the name `inner`.
fn chart(text: &str) -> Diagram {
    reading(as_text(text, "").as_bytes()).diagram
}

#[test]
fn charts_of_models_and_libraries() {
    let counts = chart("input u\noutput y\nstate A du: y = y + u;\n-> A");
    check(&model(TOP, &[]), &[("inner", &counts)], &[], "1 | 0\n 2 | 2\n 3 | 5");
    let twice = "Inport u\nReference a SourceBlock=inner/c\nSubSystem s\nInport s/u\nReference s/b SourceBlock=inner/c\nOutport s/y\n\
                 s/u -> s/b -> s/y\nOutport y\nOutport z Port=2\nu -> a -> y\nu -> s -> z";
    check(&model(twice, &[]), &[("inner", &counts)], &[], "1 | 0 0\n 2 | 2 2\n 3 | 5 5");
}

/// A chart in a subsystem that runs under a condition: the inputs are that of the chart and the condition.
fn conditional(port: &str, control: &str) -> Diagram {
    let text = format!(
        "@ Solver=FixedStepDiscrete; FixedStep=0.5\nInport u\nInport e Port=2\nSubSystem s\n{port}\nInport s/u\nModelReference s/r ModelName=inner\n\
         Outport s/y InitialOutput=-1\ns/u -> s/r -> s/y\nOutport y\nu -> s -> y\ne -> s:{control}"
    );
    model(&text, &[])
}

/// Disabled time does not count; between triggers it does.
#[test]
fn seconds_in_charts_that_do_not_always_run() {
    let waits = |time: &str| {
        chart(&format!(
            "input u\noutput y\nstate A entry: y = 0;\nstate B entry: y = 1;\n-> A\nA -> B {time}\nB -> A [u > 0]"
        ))
    };
    let held = conditional("EnablePort s/p StatesWhenEnabling=held", "enable");
    let one = waits("after(1, sec)");
    // A runs at steps 0, 1 and 4: half a second, then half a second more.
    check(&held, &[("inner", &one)], &[], "0 1 | 0\n 0 1 | 0\n 0 0 | 0\n 0 0 | 0\n 0 1 | 1\n 1 1 | 0");
    let again = conditional("EnablePort s/p StatesWhenEnabling=reset", "enable");
    check(&again, &[("inner", &one)], &[], "0 1 | 0\n 0 1 | 0\n 0 0 | 0\n 0 1 | 0\n 0 1 | 0\n 0 1 | 1");
    // At triggers: step 1 enters, step 2 is half a second later, step 5 is two seconds after step 1.
    let trigger = conditional("TriggerPort s/p TriggerType=function-call", "trigger");
    let shows = chart(
        "input u\noutput y\nstate A en, du: y = elapsed(sec);\nstate B en, du: y = 100 + et;\n-> A\nA -> B [u > 0]",
    );
    check(
        &trigger,
        &[("inner", &shows)],
        &[],
        "0 0 | -1\n 0 1 | 0\n 0 1 | 0.5\n 0 0 | 0.5\n 0 0 | 0.5\n 0 1 | 2\n 1 1 | 100\n 0 0 | 100\n 0 1 | 101",
    );
    check(
        &trigger,
        &[("inner", &waits("after(1, sec)"))],
        &[],
        "0 1 | 0\n 0 0 | 0\n 0 1 | 1\n 1 1 | 0\n 0 1 | 0",
    );
    check(
        &trigger,
        &[("inner", &waits("after(2, tick)"))],
        &[],
        "0 1 | 0\n 0 0 | 0\n 0 1 | 0\n 0 0 | 0\n 0 1 | 1",
    );
    // Both at once is not known.
    let mut both = conditional("TriggerPort s/p TriggerType=rising\nEnablePort s/q", "trigger");
    both.sheets[0].connect((1, 1), (2, shall_simulink::diagram::Port::Enable));
    refused(&both, &[("inner", &one)], &[], "at triggers and under a condition");
}
