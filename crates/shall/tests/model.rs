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
    assert!(code == Some(0) && text.contains("\"troubles\": []"), "{text}");
    let (code, text) = ask(&["--data", "there_is_no_such_file.mat"]);
    assert!(code == Some(2) && text.contains("there_is_no_such_file.mat"), "{text}");
}
