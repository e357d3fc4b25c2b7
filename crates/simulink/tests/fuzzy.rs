//! Blocks of fuzzy systems in small models, with outputs from the formulas of membership functions, rules and defuzzification.

mod common;

use common::model::{check, check_near, check_system, lowered};
use shall_simulink::library;
use shall_simulink::lower::{Options, lower};

/// A membership function of one input.
fn membership(kind: &str) -> String {
    format!("Inport u\nReference k SourceBlock=fuzblock/Membership Functions/{kind}\nOutport y\nu -> k -> y")
}

#[test]
fn membership_functions() {
    check(
        &membership("Triangular MF; a=0; b=2; c=6"),
        "-1 | 0\n 0 | 0\n 1 | 0.5\n 2 | 1\n 4 | 0.5\n 6 | 0\n 7 | 0",
    );
    // One side may be upright.
    check(&membership("Triangular MF; a=0; b=0; c=4"), "-1 | 0\n 0 | 1\n 1 | 0.75\n 4 | 0");
    check(&membership("Triangular MF; a=0; b=4; c=4"), "1 | 0.25\n 4 | 1\n 5 | 0");
    check(
        &format!("@ InitFcn=p = [1 4];\n{}", membership("Trapezoidal MF; a=-p(1); b=1; c=2; d=p(2)")),
        "0 | 0.5\n 1.5 | 1\n 3 | 0.5\n 9 | 0",
    );
    let near = |kind: &str, rows: &str| check_near(&membership(kind), rows, 1e-12);
    near("Gaussian MF; sig=1; c=3", "3 | 1\n 5 | 0.1353352832366127");
    near("Generalized Bell MF; a=2; b=1; c=1", "3 | 0.5\n 5 | 0.2");
    near("Sigmoidal MF; a=1; c=2", "2 | 0.5\n 3 | 0.7310585786300049");
    // A parameter is missing, or the function is not known.
    for kind in ["Triangular MF; a=0; b=2", "Pi-shaped MF; a=0; b=1; c=2; d=3"] {
        let problems = lowered(&membership(kind)).expect_err(kind);
        assert!(problems[0].message.contains("is not resolved"), "{problems:?}");
    }
}

/// A controller with a number of inputs, and the text of its file.
fn controller(inputs: usize, file: &str, rows: &str) {
    let text = format!(
        "Inport u PortDimensions={inputs}\nReference k SourceBlock=fuzblock/Fuzzy Logic Controller; FIS=f\nOutport y\nu -> k -> y"
    );
    let system = inferred(&text, Some(file)).expect("a system");
    check_system(&text, &system, rows, 1e-9);
}

fn inferred(text: &str, file: Option<&str>) -> Result<system::System, Vec<shall_simulink::plan::Problem>> {
    let reading =
        shall_simulink::read(common::model::mdl(text).as_bytes(), &shall_simulink::Limits::default());
    let mut diagram = reading.diagram;
    assert_eq!(library::systems(&diagram), ["f"]);
    library::infer(&mut diagram, &|_| file.map(str::to_owned));
    library::expand(&mut diagram);
    lower(&shall_simulink::plan::plan(&diagram, &[]), None, &Options::default())
}

/// A file: the main section, inputs with two triangles each, outputs, and rules.
fn file(kind: &str, methods: [&str; 5], inputs: usize, outputs: &[&str], rules: &[&str]) -> String {
    let [and, or, implication, aggregation, last] = methods;
    let mut text = format!(
        "[System]\nName='f'\nType='{kind}'\nVersion=2.0\nNumInputs={inputs}\nNumOutputs={}\nNumRules={}\nAndMethod='{and}'\n\
         OrMethod='{or}'\nImpMethod='{implication}'\nAggMethod='{aggregation}'\nDefuzzMethod='{last}'\n\n",
        outputs.len(),
        rules.len()
    );
    for number in 1..=inputs {
        text += &format!(
            "[Input{number}]\nName='x'\nRange=[-1 1]\nNumMFs=2\nMF1='low':'trimf',[-3 -1 1]\nMF2='high':'trimf',[-1 1 3]\n\n"
        );
    }
    for (number, output) in (1..).zip(outputs) {
        text += &format!("[Output{number}]\nName='y'\n{output}\n\n");
    }
    text + "[Rules]\n" + &rules.join("\n") + "\n"
}

#[test]
fn sugeno_systems() {
    let constants = "Range=[0 30]\nNumMFs=2\nMF1='a':'constant',[0]\nMF2='b':'constant',[10]";
    let methods = ["min", "max", "prod", "sum", "wtaver"];
    // The degrees are (1 - u)/2 and (1 + u)/2; without a rule that holds, the middle of the range.
    let mean = file("sugeno", methods, 1, &[constants], &["1, 1 (1) : 1", "2, 2 (1) : 1"]);
    controller(1, &mean, "-1 | 0\n 0 | 5\n 0.5 | 7.5\n 5 | 15");
    let linear = "Range=[0 1]\nNumMFs=2\nMF1='a':'linear',[2 0 1]\nMF2='b':'constant',[8]";
    let both = file("sugeno", methods, 2, &[linear], &["1 1, 1 (1) : 1", "2 2, 2 (1) : 1"]);
    // At (0, 0) both rules have 1/2, and say 1 and 8.
    controller(2, &both, "0 0 | 4.5\n -1 -1 | -1");
    // The degrees at (-0.5, 0.5) are 3/4, 1/4 and 1/4, 3/4.
    let sum = |methods: [&str; 2], rule: &str| {
        let [and, or] = methods;
        file("sugeno", [and, or, "prod", "sum", "wtsum"], 2, &[linear], &[rule])
    };
    for (methods, rule, want) in [
        (["min", "max"], "2 2, 2 (1) : 1", 2.0),
        (["prod", "max"], "2 2, 2 (1) : 1", 1.5),
        (["min", "max"], "2 2, 2 (0.5) : 2", 3.0),
        (["min", "probor"], "2 2, 2 (1) : 2", 6.5),
        (["min", "max"], "-2 0, 2 (1) : 1", 6.0),
        (["min", "max"], "0 0, 2 (1) : 1", 8.0),
    ] {
        controller(2, &sum(methods, rule), &format!("-0.5 0.5 | {want}"));
    }
}

#[test]
fn mamdani_systems() {
    let halves = "Range=[0 10]\nNumMFs=2\nMF1='a':'trimf',[0 2.5 5]\nMF2='b':'trimf',[5 7.5 10]";
    let rules = ["1, 1 (1) : 1", "2, 2 (1) : 1"];
    // Triangles of the same area: the mean of their middles.
    let sums = file("mamdani", ["min", "max", "prod", "sum", "centroid"], 1, &[halves], &rules);
    controller(1, &sums, "-1 | 2.5\n 0 | 5\n 0.5 | 6.25\n 1 | 7.5\n 9 | 5");
    let usual = file("mamdani", ["min", "max", "min", "max", "centroid"], 1, &[halves], &rules);
    controller(1, &usual, "-1 | 2.5\n 0 | 5\n 1 | 7.5\n -9 | 5");
    // Two outputs; the second has the opposite of its function, which is 0 everywhere.
    let whole = "Range=[0 4]\nNumMFs=1\nMF1='a':'trapmf',[0 0 4 4]";
    let two = file(
        "mamdani",
        ["min", "max", "min", "max", "centroid"],
        1,
        &[halves, whole],
        &["1, 1 -1 (1) : 1", "2, 2 0 (1) : 1"],
    );
    controller(1, &two, "-1 | 2.5 2\n 1 | 7.5 2");
}

#[test]
fn other_systems_are_refused() {
    let constants = "Range=[0 30]\nNumMFs=1\nMF1='a':'constant',[0]";
    let good = file("sugeno", ["min", "max", "prod", "sum", "wtaver"], 1, &[constants], &["1, 1 (1) : 1"]);
    let text =
        "Inport u\nReference k SourceBlock=fuzblock/Fuzzy Logic Controller; FIS=f\nOutport y\nu -> k -> y";
    let refused = |file: Option<&str>| inferred(text, file).expect_err("a problem")[0].message.clone();
    for (from, to, message) in [
        ("'sugeno'", "'anfis'", "has the type `anfis`"),
        ("'wtaver'", "'bisector'", "has the method `bisector`"),
        ("AndMethod='min'", "AndMethod='mine'", "has the method `mine`"),
        ("'trimf',[-3", "'mymf',[-3", "which is not supported"),
        ("[-3 -1 1]", "[3 -1 1]", "which is not supported"),
        ("1, 1 (1) : 1", "3, 1 (1) : 1", "has rules that are not supported"),
        ("1, 1 (1) : 1", "if x is low", "is not understood"),
        ("[Rules]", "[Rule]", "has no section `[Rules]`"),
    ] {
        assert!(refused(Some(&good.replace(from, to))).contains(message), "{to}: {message}");
    }
    assert!(refused(None).contains("the fuzzy system `f` is not found"));
}
