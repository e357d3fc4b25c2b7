//! `shall import`, `shall export`, `shall report` and `shall new` as a user meets them: what goes out comes back, and only what
//! changed is rewritten.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("exchange-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        Folder(folder)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("the file is there")
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("the file can be written");
    }

    /// Runs the command here and gives exit code, stdout and stderr.
    fn shall(&self, arguments: &[&str]) -> (i32, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_shall"))
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("shall can be started");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
    }
}

const FRET: &str = r##"{
    "requirements": [
        {
            "reqid": "P-1",
            "parent_reqid": "P",
            "project": "Pump",
            "rationale": "# not a heading\n- nor a list",
            "comments": "Two\n\nparagraphs ",
            "fulltext": "the pump shall always satisfy pressure < LIMIT",
            "status": "",
            "review": {"by": ["A", 3]},
            "semantics": {},
            "_id": "1"
        },
        {
            "reqid": "P 2: odd id",
            "parent_reqid": "",
            "project": "Pump",
            "rationale": "",
            "fulltext": " when  start the pump shall within 3 ticks satisfy running ",
            "_id": "2",
            "semantics": {}
        }
    ],
    "variables": [
        {
            "project": "Pump",
            "component_name": "pump",
            "variable_name": "LIMIT",
            "dataType": "double",
            "idType": "Internal",
            "description": "two\nlines | and a bar",
            "assignment": "3.5",
            "_id": "v1"
        }
    ]
}
"##;

fn without_semantics(text: &str) -> serde_json::Value {
    let mut value: serde_json::Value = serde_json::from_str(text).expect("JSON");
    for requirement in value["requirements"].as_array_mut().expect("a list") {
        requirement.as_object_mut().expect("an object").remove("semantics");
    }
    value
}

#[test]
fn a_fret_project_comes_back_as_it_was() {
    let folder = Folder::new("fret");
    folder.write("in.json", FRET);
    let (code, out, err) = folder.shall(&["import", "in.json"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.starts_with("2 added, 0 changed, 0 unchanged"), "{out}");
    assert_eq!(folder.shall(&["export", "fret-json", "-o", "out.json"]).0, 0);
    assert_eq!(without_semantics(&folder.read("out.json")), without_semantics(FRET));
    let exported: serde_json::Value = serde_json::from_str(&folder.read("out.json")).expect("JSON");
    assert_eq!(exported["requirements"][1]["semantics"]["timing"], "within");

    // The same again changes nothing; a changed member changes its requirement alone.
    let before = folder.read("requirements/pump.md");
    let (_, out, _) = folder.shall(&["import", "in.json"]);
    assert!(out.starts_with("0 added, 0 changed, 2 unchanged"), "{out}");
    assert_eq!(folder.read("requirements/pump.md"), before);
    folder.write("in.json", &FRET.replace("pressure < LIMIT", "pressure < 2"));
    let (_, out, _) = folder.shall(&["import", "in.json"]);
    assert!(out.starts_with("0 added, 1 changed, 1 unchanged"), "{out}");
    assert_eq!(folder.read("requirements/pump.md"), before.replace("pressure < LIMIT", "pressure < 2"));
}

#[test]
fn sheets_and_reqif_come_back_and_only_changed_rows_are_rewritten() {
    for file in ["sheet.csv", "book.xlsx", "document.reqif", "archive.reqifz"] {
        let folder = Folder::new(file);
        assert_eq!(folder.shall(&["init", "."]).0, 0);
        let target = if file.ends_with('z') { "reqif" } else { file.split_once('.').expect("an ending").1 };
        let (code, _, err) = folder.shall(&["export", target, "-o", file]);
        assert_eq!(code, 0, "{file}: {err}");
        let bytes = std::fs::read(folder.0.join(file)).expect("the file is there");
        assert_eq!(folder.shall(&["export", target, "-o", file]).0, 0);
        let again = std::fs::read(folder.0.join(file)).expect("the file is there");
        assert!(again == bytes, "{file}: nothing changed");
        let (code, out, err) = folder.shall(&["import", file]);
        assert_eq!(code, 0, "{file}: {err}");
        assert!(out.starts_with("0 added, 0 changed"), "{file}: {out}");
        // Into a new project, every sentence arrives.
        let other = Folder::new(&format!("{file}-new"));
        std::fs::copy(folder.0.join(file), other.0.join(file)).expect("a copy");
        let (code, out, err) = other.shall(&["import", file]);
        assert_eq!(code, 0, "{file}: {err}");
        assert!(!out.starts_with("0 added"), "{file}: {out}");
        let sentences = |folder: &Folder| {
            let (_, out, _) = folder.shall(&["export", "json"]);
            let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
            let mut all = Vec::new();
            for component in value["components"].as_array().expect("components") {
                for requirement in component["requirements"].as_array().expect("requirements") {
                    all.push(requirement["text"].as_str().expect("a text").to_string());
                }
            }
            all.sort();
            all
        };
        assert_eq!(sentences(&other), sentences(&folder), "{file}");
    }
}

#[test]
fn a_profile_says_which_column_is_what() {
    let folder = Folder::new("profile");
    folder.write("a.csv", "Nummer;Wortlaut;Colour\nX-1;the pump shall always satisfy p < 3;red\n");
    let (code, _, err) = folder.shall(&["import", "a.csv"]);
    assert_eq!(code, 2, "{err}");
    let profile = ["--profile", "id=Nummer", "--profile", "sentence=Wortlaut"];
    let (code, out, err) = folder.shall(&[&["import", "a.csv"], &profile[..]].concat());
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("1 added"), "{out}");
    assert!(folder.read("requirements/pump.md").contains("- Colour: red"));
    // The project remembers it.
    folder.write("a.csv", "Nummer;Wortlaut;Colour\nX-1;the pump shall always satisfy p < 3;blue\n");
    assert!(folder.shall(&["import", "a.csv"]).1.starts_with("0 added, 1 changed"));
    assert!(folder.read("requirements/pump.md").contains("- Colour: blue"));
    assert_eq!(folder.shall(&["import", "a.csv", "--profile", "colour"]).0, 2);
}

#[test]
fn every_target_has_a_file_and_a_report() {
    let folder = Folder::new("targets");
    assert_eq!(folder.shall(&["init", "."]).0, 0);
    for (target, expected) in [
        ("smv", "LTLSPEC"),
        ("cocospec", "guarantee"),
        ("ogma", "\"Requirements\""),
        ("copilot", "trigger"),
        ("c2po", "PTSPEC"),
        ("json", "\"past\""),
    ] {
        let (code, out, err) = folder.shall(&["export", target]);
        assert_eq!(code, 0, "{target}: {err}");
        assert!(out.contains(expected), "{target}: {out}");
    }
    let (code, _, err) = folder.shall(&["export", "smv", "--component", "nobody"]);
    assert_eq!(code, 2);
    assert!(err.contains("the project has no component `nobody`"), "{err}");
    assert_eq!(folder.shall(&["report", "-o", "report.html"]).0, 0);
    let report = folder.read("report.html");
    for expected in [
        "<!DOCTYPE html>",
        "class=\"sentence\"",
        "<svg",
        "Traceability",
        "Hierarchy",
        "class=\"bar\"",
        "</html>",
    ] {
        assert!(report.contains(expected), "{expected}");
    }
    assert!(!report.contains("<script") && !report.contains("src="), "it needs no other file");
}

#[test]
fn bad_files_are_refused_and_change_nothing() {
    for (file, content) in [
        ("a.json", "{\"requirements\": 3}"),
        ("a.json", "[{]"),
        ("a.xlsx", "PK\u{3}\u{4}"),
        ("a.reqif", "<!DOCTYPE x [<!ENTITY a \"b\">]><REQ-IF/>"),
        ("a.csv", "colour,shape\n1,2\n"),
        ("a.txt", "x"),
    ] {
        let folder = Folder::new("bad");
        folder.write(file, content);
        let (code, _, err) = folder.shall(&["import", file]);
        assert_eq!(code, 2, "{file} {content}: {err}");
        assert!(err.starts_with("error: "), "{err}");
        assert!(!folder.0.join("shall.toml").exists(), "{file} {content}");
    }
}

#[test]
fn what_exports_leave_out_is_reported() {
    let folder = Folder::new("left-out");
    folder.write("shall.toml", "[check]\nexports = [\"cocospec\"]\n");
    folder.write(
        "a.md",
        "# Pump\n\n| name | kind | type |\n|---|---|---|\n| on | output | bool |\n\n## P-1\n\n```fretish\nthe Pump shall always satisfy \
         persists(3, on)\n```\n\n## P-2\n\n```fretish\nthe Pump shall always satisfy persisted(3, on)\n```\n",
    );
    let (code, out, err) = folder.shall(&["check", ".", "--output-format", "concise"]);
    assert_eq!(code, 1, "{out}{err}");
    let lines: Vec<&str> = out.lines().filter(|line| line.contains("W0521")).collect();
    assert_eq!(lines.len(), 1, "{out}");
    assert!(lines[0].contains("`P-1` is left out of the export to cocospec"), "{out}");
    folder.write("shall.toml", "[check]\nexports = [\"smw\"]\n");
    let (code, _, err) = folder.shall(&["check", "."]);
    assert_eq!(code, 2);
    assert!(err.contains("the targets are smv, cocospec, ogma, copilot, c2po, json"), "{err}");
}

#[test]
fn requirements_are_written_from_templates() {
    let folder = Folder::new("new");
    assert_eq!(folder.shall(&["init", "."]).0, 0);
    let set =
        ["--set", "component=TankController", "--set", "condition=level > 3", "--set", "response=alarm"];
    let new = |id: &'static str, more: &[&'static str]| {
        folder.shall(&[&["new", id, "--template", "within"][..], &set, more].concat())
    };
    let (code, out, _) = new("T-99", &[]);
    let sentence = "when level > 3, the TankController shall within 5 ticks satisfy alarm";
    assert_eq!((code, out), (0, format!("## T-99\n\n```fretish\n{sentence}\n```\n")));
    let before = folder.read("requirements.md");
    let (code, out, _) =
        new("T-99", &["-o", "requirements.md", "--title", "Alarm", "--set", "duration=2 seconds"]);
    assert_eq!((code, out.as_str()), (0, "added T-99 to requirements.md\n"));
    let after = folder.read("requirements.md");
    assert!(after.starts_with(before.trim_end()), "{after}");
    assert!(after.ends_with(&format!(
        "## T-99: Alarm\n\n```fretish\n{}\n```\n",
        sentence.replace("5 ticks", "2 seconds")
    )));
    for (arguments, expected) in [
        (&["new", "T-99", "-o", "requirements.md"][..], "the project has a requirement `T-99` already"),
        (&["new", "T 100"], "the id must be one word"),
        (
            &["new", "T-100", "--set", "stop=x"],
            "`always` has no field `stop`; its fields are component, response",
        ),
        (&["new", "T-100", "--template", "sometimes"], "mode-within"),
    ] {
        let (code, _, err) = folder.shall(arguments);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(expected), "{err}");
    }
    assert_eq!(folder.read("requirements.md"), after);
}
