//! `shall model info` as a user meets it: the three forms, data files beside the model, exit codes.

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
    let zero = || simulink::mat::write(&[("x0".to_owned(), simulink::value::Matrix::row(vec![0.0]))]);
    // A data file of something else is not taken.
    write("");
    std::fs::write(folder.join("pu.mat"), zero().expect("bytes")).expect("a file");
    let (code, text) = verify(&[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("pump/d (UnitDelay): the parameter `InitialCondition` = `x0` has no value"),
        "{text}"
    );
    assert!(!text.contains("valid") && !text.contains("data:"), "{text}");
    // One of the model is, and it is said.
    std::fs::write(folder.join("pump_data.mat"), zero().expect("bytes")).expect("a file");
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
