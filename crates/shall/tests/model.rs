//! `shall model` as a user meets it: the three forms, data files beside the model, exit codes, drawings, and what is said about models that
//! cannot be run or only approximately.

use std::process::Command;

const MODEL: &str = r#"Model {
  Name "saved_under_another_name"
  BlockParameterDefaults {
    Block {
      BlockType Gain
      Gain "1"
    }
  }
  System {
    Block {
      BlockType Inport
      Name "u"
      OutDataTypeStr "int32"
    }
    Block {
      BlockType Gain
      Name "k"
      Gain "factor"
    }
    Block {
      BlockType Outport
      Name "y"
    }
    Line {
      SrcBlock "u"
      SrcPort 1
      DstBlock "k"
      DstPort 1
    }
    Line {
      SrcBlock "k"
      SrcPort 1
      DstBlock "y"
      DstPort 1
    }
  }
}
"#;

#[test]
fn forms_and_data() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("model");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("gain.mdl");
    std::fs::write(&file, MODEL).expect("a file");
    let data = folder.join("gain_data.mat");
    let matrix = simulink::value::Matrix::row(vec![1.0, 2.0, 3.0]);
    let bytes = simulink::mat::write(&[("factor".to_owned(), matrix)]).expect("bytes");
    let ask = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_shall"))
            .args(["model", "info"])
            .args(arguments)
            .arg(&file)
            .env("NO_COLOR", "1")
            .output()
            .expect("the command starts");
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("output is UTF-8");
        (output.status.code(), text)
    };
    let _ = std::fs::remove_file(&data);
    let (code, text) = ask(&[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("gain/k (Gain): the parameter `Gain` = `factor` has no value"), "{text}");
    std::fs::write(&data, bytes).expect("a file");
    let (code, text) = ask(&[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("in   1  u  int32\n  out  1  y  int32[3]\n"), "{text}");
    let (code, text) = ask(&["--output-format", "fret-json"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("\"component_name\": \"gain\""), "{text}");
    let (code, text) = ask(&["--output-format", "json"]);
    assert!(code == Some(0) && text.contains("\"problems\": []"), "{text}");
    let (code, text) = ask(&["--data", "there_is_no_such_file.mat"]);
    assert!(code == Some(2) && text.contains("there_is_no_such_file.mat"), "{text}");
}

/// A delayed Boolean or its negation, which always holds; the delay begins with `x0`.
fn assertion() -> String {
    let block = |kind: &str, name: &str, rest: &str| {
        format!("Block {{\nBlockType {kind}\nName \"{name}\"\n{rest}\n}}\n")
    };
    let line = |from: &str, to: &str, port: u32| {
        format!("Line {{\nSrcBlock \"{from}\"\nSrcPort 1\nDstBlock \"{to}\"\nDstPort {port}\n}}\n")
    };
    let parts = [
        block("Inport", "u", "OutDataTypeStr \"boolean\""),
        block("UnitDelay", "d", "InitialCondition \"x0\""),
        block("Logic", "not", "Operator \"NOT\"\nPorts [1, 1]"),
        block("Logic", "or", "Operator \"OR\"\nPorts [2, 1]"),
        block("Assertion", "a", ""),
        line("u", "d", 1),
        line("d", "not", 1),
        line("d", "or", 1),
        line("not", "or", 2),
        line("or", "a", 1),
    ];
    parts.concat()
}

#[test]
fn what_is_not_known_decides_nothing() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("model_verify");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("pump.mdl");
    let write = |more: &str| {
        let text = format!("Model {{\nSystem {{\n{}{more}}}\n}}\n", assertion());
        std::fs::write(&file, text).expect("a file");
    };
    let verify = |arguments: &[&str]| {
        let command = ["verify", "--timeout", "20"];
        let mut shall = Command::new(env!("CARGO_BIN_EXE_shall"));
        let output = shall.args(command).args(arguments).arg(&file).env("NO_COLOR", "1").output();
        let output = output.expect("the command starts");
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("output is UTF-8");
        (output.status.code(), text)
    };
    let data = |name: &str, x0: f64| {
        let bytes = simulink::mat::write(&[("x0".to_owned(), simulink::value::Matrix::row(vec![x0]))]);
        std::fs::write(folder.join(name), bytes.expect("bytes")).expect("a file");
    };
    // Data files of something else are not taken if they disagree.
    write("");
    data("pu.mat", 0.0);
    data("pa.mat", 1.0);
    let (code, text) = verify(&[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("pump/d (UnitDelay): the parameter `InitialCondition` = `x0` has no value"),
        "{text}"
    );
    assert!(!text.contains("valid") && !text.contains("data:"), "{text}");
    // One of the model is, and it is said.
    data("pump_data.mat", 0.0);
    let (code, text) = verify(&[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("valid") && text.contains("pump_data.mat\n") && !text.contains("pu.mat"), "{text}");
    let (code, text) = verify(&["--output-format", "json"]);
    assert!(code == Some(0) && text.contains("pump_data.mat\"\n"), "{text}");
    // A line that leads nowhere may have been the one that matters.
    write("Line {\nSrcBlock \"gone\"\nSrcPort 1\nDstBlock \"a\"\nDstPort 1\n}\n");
    let (code, text) = verify(&[]);
    assert!(code == Some(3) && text.contains("`gone 1`"), "{code:?} {text}");
}

/// A model of blocks (`Kind name key=value; …`) and wires (`a -> b:2`), one in each line.
fn model(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines().map(str::trim).filter(|it| !it.is_empty()) {
        let entries = |text: &str| -> String {
            let pairs = text.split("; ").filter_map(|it| it.split_once('='));
            pairs.map(|(key, value)| format!("{key} \"{value}\"\n")).collect()
        };
        if let Some((from, to)) = line.split_once(" -> ") {
            let (to, port) = to.split_once(':').unwrap_or((to, "1"));
            out +=
                &format!("Line {{\nSrcBlock \"{from}\"\nSrcPort 1\nDstBlock \"{to}\"\nDstPort {port}\n}}\n");
        } else {
            let mut words = line.splitn(3, ' ');
            let (kind, name) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
            let rest = entries(words.next().unwrap_or(""));
            out += &format!("Block {{\nBlockType {kind}\nName \"{name}\"\n{rest}}}\n");
        }
    }
    format!("Model {{\nSolver \"ode2\"\nFixedStep \"0.5\"\nSystem {{\n{out}}}\n}}\n")
}

/// Runs a command in a folder of its own with these files; the exit code, standard output and standard error.
fn asked(folder: &str, files: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String, String) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in files {
        std::fs::create_dir_all(folder.join(name).parent().expect("a folder")).expect("a folder");
        std::fs::write(folder.join(name), text).expect("a file");
    }
    let mut shall = Command::new(env!("CARGO_BIN_EXE_shall"));
    let output =
        shall.args(arguments).current_dir(&folder).env("NO_COLOR", "1").output().expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn many_problems_with_one_cause_are_told_together() {
    let links = (0..12).map(|k| format!("Reference r{k} SourceBlock=mylib/F{k}\nu -> r{k}\n"));
    let text = model(&format!(
        "Inport u\nGain g Gain=secret\nOutport y\nu -> g\ng -> y\n{}",
        links.collect::<String>()
    ));
    let (code, _, told) = asked("model_many", &[("m.mdl", &text)], &["model", "info", "m.mdl"]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.starts_with("13 problems: 2 causes\n"), "{told}");
    assert!(
        told.contains("the library `mylib` is not resolved (12 times: `m/r0`, `m/r1`, `m/r2` and 9 more)"),
        "{told}"
    );
    assert!(told.contains("m/g (Gain): the parameter `Gain` = `secret` has no value"), "{told}");
}

#[test]
fn info_is_fine_only_if_the_model_can_be_run() {
    // The product has no inverse, which only lowering finds.
    let text = model(
        "Inport u PortDimensions=[2 3]\nProduct p Inputs=/; Multiplication=Matrix(*)\nOutport y\nu -> p\np -> y",
    );
    let (code, _, told) = asked("model_info_run", &[("m.mdl", &text)], &["model", "info", "m.mdl"]);
    assert!(code == Some(1) && told.contains("a 2x3 matrix has no inverse"), "{code:?} {told}");
}

/// What could not be understood is told once and never ends with the exit code 0: 2 if nothing can be run, 1 if only a part cannot.
#[test]
fn what_cannot_be_run_is_told_once() {
    let simulate = ["simulate", "m.mdl", "--format", "csv", "-o", "-", "--steps", "1"];
    let run = |text: &str| asked("model_refused", &[("m.mdl", text)], &simulate);
    let count = |told: &str| told.matches("`nowhere` is not a known variable").count();
    for block in
        ["StateSpace k A=[]; B=[]; C=[]; D=nowhere", "Gain k Gain=nowhere", "Selector k Indices=nowhere"]
    {
        let sum = "Constant v Value=[1 2]\nSum s Inputs=++\nOutport y\nk -> s\nv -> s:2\ns -> y";
        let (code, shown, told) = run(&model(&format!("Constant c Value=[3 4 5]\n{block}\nc -> k\n{sum}")));
        assert_eq!((code, shown.as_str(), count(&told)), (Some(2), "", 1), "{block}: {told}");
        assert!(!told.contains("elements"), "{block}: {told}");
    }
    let part = "Constant c Value=3\nGain k Gain=nowhere\nTerminator t\nOutport y\nc -> k\nk -> t\nc -> y";
    let (code, shown, told) = run(&model(part));
    assert_eq!((code, shown.as_str(), count(&told)), (Some(1), "y\n3\n", 1), "{told}");
    let clock = model("Clock c\nOutport y\nc -> y").replace("ode2", "ode45");
    let (code, _, told) = run(&clock);
    assert!(code == Some(0) && told.contains("a step of 0.2 s is used"), "{told}");
}

#[test]
fn without_outputs_inner_signals_are_shown() {
    let text = model("Inport u\nGain g Gain=2\nScope s\nu -> g\ng -> s");
    let files = [("m.mdl", text.as_str()), ("in.csv", "u\n1\n2\n")];
    let (code, shown, told) = asked("model_no_outputs", &files, &["simulate", "m.mdl", "--trace", "in.csv"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(
        shown.contains('g') && told.contains("`m` has no outputs; its inner signals are shown"),
        "{shown} {told}"
    );
}

#[test]
fn variables_come_from_scripts() {
    let text = model("Inport u\nGain g Gain=factor\nOutport y\nu -> g\ng -> y");
    let script = "% constants\nclear all\nbase = [1 2];\nfactor = base(2) * 3; % six\nother = secret(4);\n";
    let (code, shown, told) =
        asked("model_script", &[("m.mdl", &text), ("m_data.m", script)], &["model", "info", "m.mdl"]);
    assert!(code == Some(0) && told.contains("m_data.m"), "{shown} {told}");
    let text = text.replace("Model {", "Model {\nInitFcn \"constants;\"");
    let files = [("m.mdl", text.as_str()), ("constants.m", script), ("in.csv", "u\n1\n")];
    let (code, shown, told) =
        asked("model_script", &files, &["simulate", "m.mdl", "--trace", "in.csv", "--format", "csv"]);
    assert!(code == Some(0) && shown.ends_with("1,6\n"), "{shown} {told}");
}

/// Scripts and data beside a model that set what it lacks: values at the place where a script runs it, and none that files disagree about.
#[test]
fn missing_variables_are_found_beside_the_model() {
    let text = model("Constant c Value=k*w\nOutport y\nc -> y");
    let simulated = |files: &[(&str, &str)]| {
        let files = [&[("m.mdl", text.as_str())][..], files].concat();
        asked("model_beside", &files, &["simulate", "m.mdl", "--steps", "1", "--format", "csv"])
    };
    let found: [&[(&str, &str)]; 9] = [
        &[("parameters.m", "clear all; close all\nk = 2;\nw = 3;\nfigure; plot(w, 'r')")],
        &[("work.m", "k = 2; w = 3;\nout = sim('m.mdl', 10);\nk = 7;")],
        &[("main.m", "constants\nk = c;"), ("constants.m", "c = 2; w = 3;")],
        &[("a.m", "k = 2;"), ("b.m", "w = 3;")],
        // A file that runs the model, or that is called as it is, is meant.
        &[("a.m", "k = 1;"), ("b.m", "k = 2; w = 3; sim('m')")],
        &[("a.m", "k = 1;"), ("M.m", "k = 2; w = 3;")],
        // A script that another one runs counts as a part of that one.
        &[("all.m", "run('one')\nrun('two')"), ("one.m", "k = 1;"), ("two.m", "k = 2; w = 3;")],
        &[("one.m", "k = 1; w = 3;"), ("two.m", "one; k = 2;")],
        &[("one.m", "k = 1; w = 3;"), ("two.m", "one\nk = 5;"), ("zen.m", "two, k = 2;")],
    ];
    for files in found {
        let (code, shown, told) = simulated(files);
        assert!(code == Some(0) && shown == "y\n6\n", "{files:?} {shown} {told}");
        assert!(told.contains("data: "), "{files:?} {told}");
    }
    let refused: [(&[(&str, &str)], &str); 6] = [
        // What the script that runs the model sets is not replaced with another value.
        (
            &[("run.m", "k = 3; w = nothing(1); k = w; w = 3; sim('m')"), ("a.m", "k = 2;")],
            "`run.m` sets it, but to what is not known: `nothing` is not a known variable or function",
        ),
        (
            &[("a.m", "one; k = 4;"), ("b.m", "one; k = 2;"), ("one.m", "k = 1; w = 3;")],
            "it has different values in `a.m`, `b.m`: choose one with `--data`",
        ),
        // Scripts that run each other.
        (
            &[("a.m", "b; k = 2; w = 3;"), ("b.m", "a; k = 4; w = 3;")],
            "it has different values in `a.m`, `b.m`: choose one with `--data`",
        ),
        (&[("f.m", "function f\nk = 2; w = 3;")], "`k` is not a known variable"),
        (&[("f.m", "k = rand(1); w = 3;")], "`k` is not a known variable"),
        (
            &[("a.m", "k = 1; w = 3;"), ("b.m", "k = 2; w = 3;")],
            "it has different values in `a.m`, `b.m`: choose one with `--data`",
        ),
    ];
    for (files, want) in refused {
        let (code, _, told) = simulated(files);
        assert!(code != Some(0) && told.contains(want), "{files:?} {code:?} {told}");
    }
}

/// A model without inputs runs up to its stop time; if its solver chooses the step, with one for which the values hardly change.
/// A library with a gain, and a model with a link to it.
fn library(gain: &str) -> String {
    model(&format!("Gain F Gain={gain}")).replacen("Model {", "Library {", 1)
}

fn linked(callback: &str) -> String {
    let text = model("Inport u\nReference r SourceBlock=mylib/F\nOutport y\nu -> r\nr -> y");
    text.replace("Model {", &format!("Model {{\nPreLoadFcn \"{callback}\""))
}

/// Files in other folders: what is found, what is said about it, and what is refused.
#[test]
fn files_of_a_project_are_found() {
    let (two, three) = (library("2"), library("3"));
    let plain = linked("");
    let constant = model("Constant c Value=k\nOutport y\nc -> y");
    let run = ["simulate", "models/m.mdl", "--trace", "in.csv", "--format", "csv"];
    let steps = ["simulate", "models/m.mdl", "--steps", "1", "--format", "csv"];
    /// The files, the command, its output, and the files that it names.
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str], &'a str, &'a [&'a str]);
    let cases: [Case; 12] = [
        (&[("models/m.mdl", &plain), ("models/mylib.mdl", &two)], &run, "u,y\n1,2\n", &[]),
        (
            &[("models/m.mdl", &plain), ("models/lib/deep/mylib.mdl", &two)],
            &run,
            "u,y\n1,2\n",
            &["models/lib/deep/mylib.mdl"],
        ),
        // The folder of a project, which may be marked in several ways.
        (
            &[("models/m.mdl", &plain), ("lib/mylib.mdl", &two), ("p.prj", "")],
            &run,
            "u,y\n1,2\n",
            &["lib/mylib.mdl"],
        ),
        (
            &[("models/m.mdl", &plain), ("lib/mylib.mdl", &two), ("resources/project/x.xml", "")],
            &run,
            "u,y\n1,2\n",
            &["lib/mylib.mdl"],
        ),
        // Copies are one file, what is nearer counts, and what is generated does not.
        (
            &[("models/m.mdl", &plain), ("a/mylib.mdl", &two), ("b/mylib.mdl", &two), ("startup.m", "")],
            &run,
            "u,y\n1,2\n",
            &["a/mylib.mdl"],
        ),
        (
            &[
                ("models/m.mdl", &plain),
                ("models/x/mylib.mdl", &two),
                ("b/mylib.mdl", &three),
                ("startup.m", ""),
            ],
            &run,
            "u,y\n1,2\n",
            &["models/x/mylib.mdl"],
        ),
        (
            &[("models/m.mdl", &plain), ("models/x/mylib.mdl", &two), ("models/slprj/mylib.mdl", &three)],
            &run,
            "u,y\n1,2\n",
            &["models/x/mylib.mdl"],
        ),
        // The path decides between different files.
        (
            &[("models/m.mdl", &linked("addpath('../b')")), ("a/mylib.mdl", &three), ("b/mylib.mdl", &two)],
            &run,
            "u,y\n1,2\n",
            &["b/mylib.mdl"],
        ),
        (
            &[
                ("models/m.mdl", &plain),
                ("a/mylib.mdl", &three),
                ("b/mylib.mdl", &two),
                (
                    "startup.m",
                    "here = fileparts(mfilename('fullpath'));\naddpath(fullfile(here, 'a'));\naddpath(genpath([here '/b']));",
                ),
            ],
            &run,
            "u,y\n1,2\n",
            &["b/mylib.mdl"],
        ),
        // Variables: functions that callbacks call, and scripts that set them.
        (
            &[
                (
                    "models/m.mdl",
                    &constant.replace("Model {", "Model {\nInitFcn \"p = parameters(); k = p.gain;\""),
                ),
                ("scripts/parameters.m", "function p = parameters()\n% caf\u{e9}\np.gain = twice(4);\nend"),
                ("scripts/twice.m", "function y = twice(x)\ny = 2*x;"),
                ("startup.m", ""),
            ],
            &steps,
            "y\n8\n",
            &["scripts/parameters.m", "scripts/twice.m"],
        ),
        (
            &[
                ("models/m.mdl", &constant),
                ("models/data/a.m", "run('../more/b')"),
                ("models/more/b.m", "k = 5;"),
            ],
            &steps,
            "y\n5\n",
            &["models/data/a.m", "models/more/b.m"],
        ),
        (
            &[
                ("models/m.mdl", &constant),
                ("models/near/a.m", "k = 5;"),
                ("far/b.m", "k = 6;"),
                ("startup.m", ""),
            ],
            &steps,
            "y\n5\n",
            &["models/near/a.m"],
        ),
    ];
    for (number, (files, arguments, want, named)) in cases.into_iter().enumerate() {
        let files = [files, &[("in.csv", "u\n1\n")]].concat();
        let (code, shown, told) = asked(&format!("model_project_{number}"), &files, arguments);
        assert!(code == Some(0) && shown == want, "{files:?} {code:?} {shown} {told}");
        let said: Vec<&str> = told.lines().filter_map(|it| it.strip_prefix("data: ")).collect();
        assert!(named.iter().all(|it| said.contains(it)), "{named:?} {told}");
    }
    let calls = model("Constant c Value=f(2)\nOutport y\nc -> y");
    let refused: [(&[(&str, &str)], &str); 5] = [
        (
            &[
                ("models/m.mdl", &calls),
                ("models/a/f.m", "function y = f(x)\ny = x;"),
                ("models/b/f.m", "function y = f(x)\ny = 2*x;"),
            ],
            "different files have the name `f`: `models/a/f.m`, `models/b/f.m`; put the one",
        ),
        (
            &[("models/m.mdl", &plain), ("models/a/mylib.mdl", &two), ("models/b/mylib.mdl", &three)],
            "different files have the name `mylib`: `models/a/mylib.mdl`, `models/b/mylib.mdl`; put the one",
        ),
        // Neither above a project, nor in what is private.
        (
            &[("p/models/m.mdl", &plain), ("mylib.mdl", &two), ("p/startup.m", "")],
            "the link to the library block `mylib/F`",
        ),
        (
            &[("models/m.mdl", &plain), ("models/private/mylib.mdl", &two)],
            "the link to the library block `mylib/F`",
        ),
        (
            &[("models/m.mdl", &constant), ("models/a/a.m", "k = 1;"), ("models/b/b.m", "k = 2;")],
            "it has different values in `models/a/a.m`, `models/b/b.m`: choose one with `--data`",
        ),
    ];
    for (number, (files, want)) in refused.into_iter().enumerate() {
        let path = files[0].0;
        let (code, _, told) = asked(&format!("model_apart_{number}"), files, &["model", "info", path]);
        assert!(code == Some(1) && told.contains(want), "{files:?} {code:?} {told}");
    }
}

/// Links to folders that lead back do not make the search endless.
#[cfg(unix)]
#[test]
fn links_to_folders_are_not_followed() {
    let files = [("m.mdl", linked("")), ("a/mylib.mdl", library("2")), ("startup.m", String::new())];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    asked("model_links", &files, &["model", "info", "m.mdl"]);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("model_links");
    std::os::unix::fs::symlink("..", folder.join("a/again")).expect("a link");
    let output = Command::new(env!("CARGO_BIN_EXE_shall"))
        .args(["model", "info", "m.mdl"])
        .current_dir(&folder)
        .output()
        .expect("the command starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(0) && told.contains("data: a/mylib.mdl"), "{told}");
}

#[test]
fn models_without_inputs() {
    let counter = model(
        "UnitDelay d InitialCondition=1; SampleTime=0.5\nGain g Gain=2\nOutport y\nd -> g\ng -> d\nd -> y",
    );
    let counter = counter.replace("FixedStep", "StopTime \"1.5\"\nFixedStep");
    let run = |text: &str, more: &[&str]| {
        asked("model_alone", &[("m.mdl", text)], &[&["simulate", "m.mdl", "--format", "csv"], more].concat())
    };
    let (code, shown, told) = run(&counter, &[]);
    assert_eq!((code, shown.as_str()), (Some(0), "y\n1\n2\n4\n8\n"), "{told}");
    assert_eq!(run(&counter, &["--steps", "2"]).1, "y\n1\n2\n");
    let open = model("Inport u\nOutport y\nu -> y");
    let (code, _, told) = run(&open, &[]);
    assert!(code != Some(0) && told.contains("`m` has inputs: give them with `--trace`"), "{code:?} {told}");
    // x' = -1000 x is far too fast for a fiftieth of the run.
    let stiff =
        model("Integrator x InitialCondition=1\nGain g Gain=-1000\nOutport y\nx -> g\ng -> x\nx -> y");
    let stiff = stiff.replace("ode2", "ode45").replace("FixedStep", "StopTime \"1\"\nFixedStep");
    let (code, shown, told) = run(&stiff, &[]);
    let values: Vec<f64> = shown.lines().skip(1).map(|it| it.parse().expect("a number")).collect();
    assert!(code == Some(0) && values.len() == 51 && values[0] == 1.0, "{shown} {told}");
    assert!(values[1..].iter().all(|it| it.abs() < 1e-3), "{shown} {told}");
    let (_, shown, told) = run(&stiff, &["--step", "0.5", "--steps", "2"]);
    assert!(shown.lines().count() == 3 && told.contains("a fixed step of 0.5 s"), "{shown} {told}");
    // The rows of a trace stay as far apart, and inputs are held in between: x' = 1000 (u - x).
    let driven = "Inport u\nSum e Inputs=+-\nGain g Gain=1000\nIntegrator x InitialCondition=0\nOutport y\n\
                  u -> e\nx -> e:2\ne -> g\ng -> x\nx -> y";
    let driven = model(driven).replace("ode2", "ode45").replace("FixedStep", "StopTime \"1\"\nFixedStep");
    let files = [("m.mdl", driven.as_str()), ("in.csv", "u\n1\n3\n2\n2\n")];
    let traced = ["simulate", "m.mdl", "--trace", "in.csv", "--format", "csv", "-o", "-"];
    let (code, shown, told) = asked("model_driven", &files, &traced);
    let values: Vec<f64> =
        shown.lines().skip(1).filter_map(|it| it.rsplit(',').next()?.parse().ok()).collect();
    assert!(code == Some(0) && values.len() == 4, "{shown} {told}");
    let is_near = |(value, want): (&f64, f64)| (value - want).abs() < 1e-2;
    assert!(values.iter().zip([0.0, 1.0, 3.0, 2.0]).all(is_near), "{shown} {told}");
    // The derivative of a jump doubles whenever the step is halved.
    let unsettled = "but values may change by more than 0.1 % with a smaller one";
    assert!(!told.contains(unsettled), "{told}");
    let jump = model(
        "Step s Time=0.5; Before=0; After=1; SampleTime=0\nDerivative d\nIntegrator x InitialCondition=0\nOutport y\n\
         Outport z Port=2\ns -> d\nd -> y\ns -> x\nx -> z",
    );
    let jump = jump.replace("ode2", "ode45").replace("FixedStep", "StopTime \"1\"\nFixedStep");
    let (code, _, told) = run(&jump, &[]);
    assert!(code == Some(0) && told.contains(unsettled), "{code:?} {told}");
}

#[test]
fn approximations_and_abstractions_are_part_of_the_verdict() {
    let text = model(
        "Inport u\nS-Function f FunctionName=secret; Ports=[1, 1]\nIntegrator i InitialCondition=1\nGain g Gain=-1\n\
         RelationalOperator r Operator=>\nConstant z Value=0\nAssertion a\nOutport y\nOutport w Port=2\n\
         i -> g\ng -> i\ni -> r\nz -> r:2\nr -> a\ni -> y\nu -> f\nf -> w",
    );
    let files = [("m.mdl", text.as_str()), ("in.csv", "u,f\n0,7\n0,8\n")];
    let (code, _, told) = asked("model_premises", &files, &["simulate", "m.mdl", "--trace", "in.csv"]);
    assert!(
        code == Some(2) && told.contains("m/f (S-Function)") && told.contains("--abstract"),
        "{code:?} {told}"
    );
    let run = ["simulate", "m.mdl", "--trace", "in.csv", "--abstract", "f", "--format", "csv", "-o", "-"];
    let (code, shown, told) = asked("model_premises", &files, &run);
    assert!(code == Some(0) && shown.ends_with("0,8,0.625,8\n"), "{shown} {told}");
    assert!(told.contains("continuous blocks are integrated with ode2 and a fixed step of 0.5 s"), "{told}");
    let verify = ["verify", "m.mdl", "--abstract", "m/f", "--timeout", "20"];
    let (_, shown, _) = asked("model_premises", &files, &verify);
    let premises =
        "continuous blocks are integrated with ode2 and a fixed step of 0.5 s; `m/f` may do anything";
    assert!(shown.contains("a: ") && shown.contains(premises), "{shown}");
    let (_, shown, _) =
        asked("model_premises", &files, &[&verify[..], &["--output-format", "json"]].concat());
    assert!(shown.contains("\"premises\": [\n") && shown.contains("`m/f` may do anything"), "{shown}");
    let (code, _, told) = asked("model_premises", &files, &["verify", "m.mdl", "--abstract", "nothing"]);
    assert!(code == Some(2) && told.contains("there is no block `nothing`"), "{told}");
}

#[test]
fn sheets_are_drawn_with_values() {
    let text = model(
        "Inport u Position=[20, 30, 50, 44]\nGain g Gain=2; Position=[100, 20, 140, 54]\nSubSystem s Position=[200, 20, 260, 60]\n\
         Outport y Position=[320, 30, 350, 44]\nu -> g\ng -> s\ns -> y",
    );
    let inside = model("Inport a\nBias b Bias=1\nOutport c\na -> b\nb -> c");
    let inside = inside.split_once("System {").expect("a system").1.trim_end().trim_end_matches('}');
    let text = text.replacen("Name \"s\"\n", &format!("Name \"s\"\nPorts [1, 1]\nSystem {{{inside}"), 1);
    let files = [("m.mdl", text.as_str()), ("in.csv", "u\n1\n2.5\n")];
    let draw = |more: &[&str]| {
        asked("model_diagram", &files, &[&["model", "diagram", "m.mdl", "-o", "-"], more].concat())
    };
    let (code, shown, told) = draw(&[]);
    assert_eq!(code, Some(0), "{told}");
    for part in ["<title>m</title>", "<desc>4 blocks, 3 lines</desc>", "<title>g: Gain</title>"] {
        assert!(shown.contains(part), "{part} is missing in {shown}");
    }
    let (code, shown, told) = draw(&["--trace", "in.csv", "--step", "1"]);
    assert!(
        code == Some(0) && shown.contains(">2.5<") && shown.contains(">5<") && shown.contains(">6<"),
        "{shown} {told}"
    );
    let (code, shown, _) = draw(&["--subsystem", "m/s", "--trace", "in.csv", "--step", "1"]);
    assert!(code == Some(0) && shown.contains("<title>m/s</title>") && shown.contains(">6<"), "{shown}");
    let (code, _, told) = draw(&["--subsystem", "m/t"]);
    assert!(code == Some(2) && told.contains("there is no subsystem `m/t`; did you mean `m/s`?"), "{told}");
    let (code, _, told) = draw(&["--trace", "in.csv", "--step", "2"]);
    assert!(code == Some(2) && told.contains("there is no step 2; the last one is 1"), "{told}");
}
