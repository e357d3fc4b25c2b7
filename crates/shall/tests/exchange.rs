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
    let list = if value.is_array() { &mut value } else { &mut value["requirements"] };
    for requirement in list.as_array_mut().expect("a list") {
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

/// A requirement of FRET.
fn requirement(project: &str, id: &str, text: &str, key: &str) -> serde_json::Value {
    serde_json::json!({"reqid": id, "parent_reqid": "", "project": project, "rationale": "", "comments": "",
        "fulltext": text, "status": "", "semantics": {}, "_id": key})
}

/// A variable of FRET.
fn variable(project: &str, component: &str, name: &str, ty: &str) -> serde_json::Value {
    serde_json::json!({"project": project, "component_name": component, "variable_name": name, "reqs": [],
        "dataType": ty, "idType": "Input", "moduleName": "", "description": "", "assignment": "",
        "modeRequirement": "", "modeldoc": false, "_id": format!("{project}{component}{name}")})
}

/// The shapes that public exports of FRET have. Each is imported twice and exported again, and is what it was.
#[test]
fn every_shape_of_fret_comes_back() {
    let p = "when p the sw shall immediately satisfy q";
    let shapes = [
        ("one project", 1, serde_json::json!([requirement("P", "R1", p, "1")])),
        (
            "the same id in two projects",
            2,
            serde_json::json!([
                requirement("P", "R1", p, "1"),
                requirement("Q q.1", "R1", "the sw shall satisfy !q", "2")
            ]),
        ),
        (
            "the same variable in two projects",
            2,
            serde_json::json!({"requirements": [requirement("P", "R1", p, "1"), requirement("Q", "R2", "when p > 3 the sw shall satisfy q", "2"),
                requirement("P", "R3", p, "3")],
                "variables": [variable("P", "sw", "p", "boolean"), variable("Q", "sw", "p", "integer"), variable("P", "sw", "q", "boolean")],
                "version": 4}),
        ),
        (
            "empty ids",
            1,
            serde_json::json!([
                requirement("P", "", "the b shall satisfy q", "1"),
                requirement("P", "", "the a shall satisfy q", "2"),
                requirement("P", "R1", p, "3"),
                requirement("P", "", "", "4")
            ]),
        ),
        (
            "one id twice in a project",
            1,
            serde_json::json!([
                requirement("P", "R1", "the b shall satisfy q", "1"),
                requirement("P", "R1", "the a shall satisfy q", "2"),
                requirement("P", "R1_2", p, "3")
            ]),
        ),
        (
            "an empty project",
            1,
            serde_json::json!([
                requirement("P", "R1", p, "1"),
                requirement("", "R2", p, "2"),
                requirement("", "R1", p, "3")
            ]),
        ),
        ("no project", 1, serde_json::json!([requirement("", "R1", p, "1")])),
        (
            "a component with a digit",
            1,
            serde_json::json!([requirement("P", "R1", "when p the esp32_twai shall satisfy q", "1")]),
        ),
        (
            "a component with a digit and variables",
            1,
            serde_json::json!({"requirements": [requirement("P", "R1", "when p sw3 shall satisfy q", "1")],
                "variables": [variable("P", "sw3", "p", "boolean"), variable("P", "Variables", "q", ""), variable("P", "", "r", "integer"),
                    variable("P", "42", "s", "boolean")]}),
        ),
        (
            "no sentence and no digit",
            1,
            serde_json::json!([
                requirement("P", "NOTE", "", "1"),
                requirement("P", "1.2", "", "2"),
                requirement("P", "7", "prose ``` here", "3")
            ]),
        ),
        ("no variables", 1, serde_json::json!({"requirements": [requirement("P", "R1", p, "1")]})),
        ("nothing", 1, serde_json::json!({"requirements": [], "variables": []})),
    ];
    for (what, projects, file) in shapes {
        let folder = Folder::new("shape");
        folder.write("in.json", &file.to_string());
        for round in ["first", "second"] {
            let (code, out, err) = folder.shall(&["import", "in.json", "--project", "new"]);
            assert_eq!(code, 0, "{what}: {out}{err}");
            let count = file.as_array().or(file["requirements"].as_array()).expect("a list").len();
            let (added, unchanged) = if round == "first" { (count, 0) } else { (0, count) };
            let counts = format!("{added} added, 0 changed, {unchanged} unchanged");
            let last = out.lines().last().unwrap_or_default();
            assert!(last.starts_with(&counts), "{what}, {round}: {out}");
            assert_eq!(out.lines().count(), if projects == 1 { 1 } else { projects + 1 }, "{what}: {out}");
        }
        let (code, _, err) = folder.shall(&["export", "fret-json", "--project", "new", "-o", "out.json"]);
        assert_eq!(code, 0, "{what}: {err}");
        let text = folder.read("out.json");
        assert_eq!(without_semantics(&text), without_semantics(&file.to_string()), "{what}");
        // No requirement is there that the file does not have, and none is missing.
        if projects == 1 {
            let (_, out, err) = folder.shall(&["check", "new", "--output-format", "json"]);
            let found: serde_json::Value =
                serde_json::from_str(&out).unwrap_or_else(|_| panic!("{what}: {err}"));
            let count = file.as_array().or(file["requirements"].as_array()).expect("a list").len();
            assert_eq!(found["requirements"], count, "{what}: {out}");
        }
    }
}

/// A folder of projects: each one is a project, and the folder says so.
#[test]
fn a_folder_of_projects_is_no_project() {
    let folder = Folder::new("set");
    let text = "the sw shall always satisfy q";
    folder.write(
        "in.json",
        &serde_json::json!([requirement("P", "R1", text, "1"), requirement("Q", "R1", text, "2")])
            .to_string(),
    );
    assert_eq!(folder.shall(&["import", "in.json"]).0, 0);
    let (code, _, err) = folder.shall(&["check"]);
    assert_eq!(code, 2);
    assert!(err.contains("holds several projects: `P`, `Q`; go to one of them, as in `cd P`"), "{err}");
    let (code, out, _) = folder.shall(&["export", "fret-json", "--project", "Q"]);
    assert!(code == 0 && out.contains("\"_id\": \"2\"") && !out.contains("\"_id\": \"1\""), "{out}");
    // A third project in the file becomes a third folder; what is gone from the file stays.
    folder.write(
        "in.json",
        &serde_json::json!([requirement("S", "R1", text, "3"), requirement("Q", "R1", text, "2")])
            .to_string(),
    );
    let (code, out, err) = folder.shall(&["import", "in.json"]);
    assert_eq!((code, out.lines().count()), (0, 3), "{out}{err}");
    let (_, out, _) = folder.shall(&["export", "fret-json"]);
    let keys: Vec<&str> =
        ["3", "2", "1"].into_iter().filter(|key| out.contains(&format!("\"_id\": \"{key}\""))).collect();
    assert_eq!(keys.len(), 3, "{out}");
    // Sheets go into one of them, and several projects do not go into one.
    folder.write("a.csv", "id,sentence\nX-1,the sw shall satisfy q\n");
    let (code, _, err) = folder.shall(&["import", "a.csv"]);
    assert!(code == 2 && err.contains("only FRET files can be imported into a folder of projects"), "{err}");
    let (code, _, err) = folder.shall(&["import", "in.json", "--project", "P"]);
    assert!(code == 2 && err.contains("the file has several projects"), "{err}");
}

/// A folder that does not exist is a new project, also inside another one.
#[test]
fn a_new_folder_is_a_new_project() {
    let folder = Folder::new("inside");
    folder.write("a.csv", "id,sentence\nX-1,the sw shall satisfy q\n");
    assert_eq!(folder.shall(&["import", "a.csv"]).0, 0);
    folder.write("b.csv", "id,sentence\nY-1,the sw shall satisfy r\n");
    let (code, out, err) = folder.shall(&["import", "b.csv", "--project", "q/r"]);
    assert_eq!(
        (code, out.lines().next()),
        (0, Some("1 added, 0 changed, 0 unchanged; 0 variables; 1 new document")),
        "{err}"
    );
    let (_, outer, _) = folder.shall(&["export", "csv"]);
    let (code, inner, err) = folder.shall(&["export", "csv", "--project", "q/r"]);
    assert!(code == 0 && inner.contains("Y-1") && !inner.contains("X-1"), "{inner}{err}");
    assert!(outer.contains("X-1") && !outer.contains("Y-1"), "{outer}");
    let (code, out, _) = folder.shall(&["propose"]);
    assert_eq!((code, out.as_str()), (0, "no requirement is in prose\n"));
}

/// A list of variables alone declares them for the components that mention them, and leaves the rest of the project as it is.
#[test]
fn variables_come_in_a_file_of_their_own() {
    let folder = Folder::new("variables");
    folder.write(
        "in.json",
        r#"[{"reqid": "a", "project": "P", "fulltext": "the sw shall always satisfy q", "semantics": {}},
            {"reqid": "b", "project": "P", "fulltext": "the hw shall always satisfy if n > 1 then q", "semantics": {}}]"#,
    );
    assert_eq!(folder.shall(&["import", "in.json"]).0, 0);
    let sidecar = folder.read("fret.json");
    folder.write(
        "vars.json",
        r#"[{"variable_name": "q", "dataType": "boolean", "idType": "Output"},
            {"variable_name": "n", "dataType": "integer", "idType": "Input"},
            {"variable_name": "m", "dataType": "integer", "idType": "Input"}]"#,
    );
    let (code, out, err) = folder.shall(&["import", "vars.json"]);
    assert_eq!((code, err.as_str()), (0, "warning: no requirement mentions `m`; left out\n"), "{out}");
    for (document, rows) in [("sw", &["q"][..]), ("hw", &["q", "n"])] {
        let text = folder.read(&format!("requirements/{document}.md"));
        let declared = |name: &str| text.lines().any(|it| it.starts_with(&format!("| {name} ")));
        assert!(["q", "n", "m"].iter().all(|it| declared(it) == rows.contains(it)), "{text}");
    }
    assert_eq!(folder.read("fret.json"), sidecar);
    let (code, out, err) = folder.shall(&["check"]);
    assert_eq!((code, out.as_str()), (0, "no findings in 2 requirements of 2 documents\n"), "{err}");
}

/// A sentence with phrases goes to FRET with names, and comes back as it was; sheets have the source text.
#[test]
fn phrases_are_written_as_names() {
    let folder = Folder::new("phrases");
    folder.write("shall.toml", "[project]\nname = \"Door\"\nstep = \"1 s\"\n");
    let text = "# light\n\n| name      | kind   | type | phrase           |\n|-----------|--------|------|------------------|\n\
        | door_open | input  | bool | the door is open |\n| light_on  | output | bool | the light is on  |\n\n## L-1\n\n```fretish\n\
        when the door is open, the light shall within 2 seconds satisfy the light is on\n```\n";
    folder.write("door.md", text);
    let (code, out, err) = folder.shall(&["check"]);
    assert_eq!((code, out.as_str()), (0, "no findings in 1 requirement of 1 document\n"), "{err}");
    let sentence = "when door_open, the light shall within 2 seconds satisfy light_on";
    for target in ["fret-json", "json", "smv", "cocospec", "c2po", "copilot", "ogma"] {
        let (code, out, err) = folder.shall(&["export", target, "-o", "-"]);
        assert!(
            code == 0 && out.contains(sentence) && !out.contains("satisfy the light"),
            "{target}: {out}{err}"
        );
    }
    let (_, out, _) = folder.shall(&["export", "csv", "-o", "-"]);
    assert!(out.contains("satisfy the light is on"), "{out}");
    let (_, fret, _) = folder.shall(&["export", "fret-json", "-o", "-"]);
    folder.write("back.json", &fret);
    let (code, out, err) = folder.shall(&["import", "back.json"]);
    assert!(code == 0 && out.starts_with("0 added, 0 changed, 1 unchanged"), "{out}{err}");
    assert_eq!(folder.read("door.md"), text);
    let (code, out, err) =
        folder.shall(&["rename", "phrase", "the light is on", "the lamp glows", "--dry-run"]);
    assert!(
        code == 0
            && out
                .contains("+when the door is open, the light shall within 2 seconds satisfy the lamp glows"),
        "{out}{err}"
    );
    let (code, out, err) = folder.shall(&["fmt", "--check"]);
    assert_eq!(code, 0, "{out}{err}");
    let (code, out, err) = folder.shall(&["explain", "L-1"]);
    assert!(
        code == 0
            && out.contains("`the door is open` becomes true")
            && out.contains("the door is open = door_open"),
        "{out}{err}"
    );
}

/// A probability is about all runs: no target has a formula for it, and each says so.
#[test]
fn probabilities_are_left_out_with_a_reason() {
    let folder = Folder::new("probable");
    folder.write("shall.toml", "[project]\nname = \"P\"\n");
    folder.write("p.md", "# p\n\n## P-1\n\n```fretish\nthe p shall with probability > 0.9 always satisfy x\n```\n\n## P-2\n\n```fretish\nthe p shall always satisfy x\n```\n");
    for target in ["smv", "cocospec", "c2po", "copilot", "ogma", "json"] {
        let (code, out, err) = folder.shall(&["export", target, "-o", "-"]);
        let all = format!("{out}{err}");
        assert!(
            code == 1
                && all.contains("P-1")
                && all.contains("it states a probability, which is about all runs"),
            "{target}: {code} {all}"
        );
    }
}

/// The title of a document is not a requirement, whatever the project is called.
#[test]
fn a_new_project_has_no_requirement_for_its_name() {
    let folder = Folder::new("named");
    for name in ["demo2", "2"] {
        assert_eq!(folder.shall(&["init", name]).0, 0);
        let (code, out, _) = folder.shall(&["check", name, "--output-format", "json"]);
        let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!((code, &found["requirements"]), (0, &serde_json::json!(6)), "{out}");
    }
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

/// What is exported after an import with a profile: the columns of the profile in a new file, and nothing is dropped in
/// silence.
#[test]
fn nothing_is_dropped_from_a_profiled_sheet() {
    let profile =
        ["--profile", "id=Nummer", "--profile", "sentence=Wortlaut", "--profile", "rationale=Grund"];
    for end in ["csv", "xlsx", "reqif"] {
        let folder = Folder::new(&format!("dropped-{end}"));
        folder.write(
            "a.csv",
            "Nummer;Wortlaut;Grund;Colour\nX-1;the pump shall always satisfy p < 3;why;red\n",
        );
        assert_eq!(folder.shall(&[&["import", "a.csv"], &profile[..]].concat()).0, 0);
        let (code, _, err) = folder.shall(&["export", end, "-o", &format!("new.{end}")]);
        assert_eq!(code, 0, "{end}: {err}");
        let other = Folder::new(&format!("dropped-{end}-new"));
        std::fs::copy(folder.0.join(format!("new.{end}")), other.0.join(format!("new.{end}")))
            .expect("a copy");
        let (code, _, err) = other.shall(&[&["import", &format!("new.{end}")], &profile[..]].concat());
        assert_eq!(code, 0, "{end}: {err}");
        assert_eq!(other.read("requirements/pump.md"), folder.read("requirements/pump.md"), "{end}");
    }
    let folder = Folder::new("dropped");
    folder.write("a.csv", "ID,Title\nX-1,A pump\nX-2,A valve\n");
    assert_eq!(folder.shall(&["import", "a.csv"]).0, 0);
    // A sentence and an attribute that the sheet has no column for.
    let text = folder.read("requirements/requirements.md");
    folder.write(
        "requirements/requirements.md",
        &text.replace(
            "## X-1: A pump\n",
            "## X-1: A pump\n\n```fretish\nthe pump shall satisfy p\n```\n\n- owner: Ann\n",
        ),
    );
    let (code, _, err) = folder.shall(&["export", "csv", "-o", "a.csv"]);
    assert_eq!(code, 1, "{err}");
    for part in ["sentence", "owner"] {
        let column = format!(
            "the {part} of `X-1` is not written: the file has no column for it; add a column `{part}` to it"
        );
        assert!(err.contains(&column), "{err}");
    }
    folder.write("a.csv", "ID,Title,sentence,owner\nX-1,A pump\nX-2,A valve\n");
    assert_eq!(folder.shall(&["export", "csv", "-o", "a.csv"]).0, 0);
    assert_eq!(
        folder.read("a.csv"),
        "ID,Title,sentence,owner\nX-1,A pump,the pump shall satisfy p,Ann\nX-2,A valve\n"
    );
}

/// Prose becomes informal requirements, in order, in one document; a sentence is proposed, and written only on request.
#[test]
fn prose_comes_first() {
    let folder = Folder::new("prose");
    let mut sheet = String::from("ID,Requirement,Rationale,Owner\n");
    for number in 1..=40 {
        let text = match number % 4 {
            0 => "The operator is trained.",
            1 => "When the door is open, the light shall turn on within 2 s.",
            2 => "The pump must not run dry; see [the manual].",
            _ => "If the level exceeds 90 %, the pump has to stop within five seconds.",
        };
        sheet += &format!("{number},\"{text}\",because {number},Ann\n");
    }
    folder.write("prose.csv", &sheet);
    let (code, out, err) = folder.shall(&["import", "prose.csv"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.starts_with(
            "40 added, 0 changed, 0 unchanged; 0 variables; 1 new document\n40 of 40 are in prose; "
        ),
        "{out}"
    );
    assert_eq!(out.lines().count(), 2, "{out}");
    let text = folder.read("requirements/requirements.md");
    let ids: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let expected: Vec<String> = (1..=40).map(|number| format!("{number}:")).collect();
    assert_eq!(ids, expected);
    let (code, out, err) = folder.shall(&["check"]);
    assert_eq!(
        (code, out.as_str()),
        (0, "no findings in 40 requirements, none of them formal, of 1 document\n"),
        "{err}"
    );
    // Twice the same, out again the same.
    assert!(folder.shall(&["import", "prose.csv"]).1.starts_with("0 added, 0 changed, 40 unchanged"));
    assert_eq!(folder.shall(&["export", "csv", "-o", "prose.csv"]).0, 0);
    assert_eq!(folder.read("prose.csv"), sheet);

    // Proposals change nothing until they are asked for.
    let (code, out, _) = folder.shall(&["propose"]);
    assert_eq!(code, 0);
    assert!(
        out.contains("1: when door_is_open, the light shall within 2 seconds satisfy turn_on\n"),
        "{out}"
    );
    assert!(out.contains("3: if level > 90, the pump shall within 5 seconds satisfy stop\n"), "{out}");
    assert!(out.ends_with("`shall propose --apply 1` writes one\n"), "{out}");
    assert_eq!(folder.read("requirements/requirements.md"), text);
    let (code, out, err) = folder.shall(&["propose", "--apply", "1"]);
    assert_eq!(code, 0, "{out}{err}");
    let (code, out, _) = folder.shall(&["propose", "4"]);
    assert!(code == 1 && out.contains("4: no proposal: it has no `shall`, `must` or `has to`"), "{out}");
    let (code, _, err) = folder.shall(&["propose", "1"]);
    assert!(code == 2 && err.contains("`1` has a sentence already"), "{err}");
    assert_eq!(folder.shall(&["propose", "77"]).0, 2);
    let formal = folder.read("requirements/requirements.md");
    assert!(
        formal
            .contains("```fretish\nwhen door_is_open, the light shall within 2 seconds satisfy turn_on\n```"),
        "{formal}"
    );
    // The sheet keeps the prose, and has no column for the sentence until one is added.
    let (code, _, err) = folder.shall(&["export", "csv", "-o", "prose.csv"]);
    assert!(code == 1 && err.contains("the FRETish sentence of `1` is not written"), "{err}");
    assert_eq!(folder.read("prose.csv"), sheet);
    folder.write("prose.csv", &sheet.replace("Owner\n", "Owner,FRETish\n"));
    assert_eq!(folder.shall(&["export", "csv", "-o", "prose.csv"]).0, 0);
    assert!(folder.read("prose.csv").contains("because 1,Ann,\"when door_is_open, the light shall"));
    let (_, out, _) = folder.shall(&["import", "prose.csv"]);
    assert!(out.starts_with("0 added, 0 changed, 40 unchanged"), "{out}");
    assert_eq!(folder.read("requirements/requirements.md"), formal);
    // A new file has both as well.
    let (code, _, err) = folder.shall(&["export", "csv", "-o", "new.csv"]);
    assert_eq!(code, 0, "{err}");
    let other = Folder::new("prose-new");
    other.write("new.csv", &folder.read("new.csv"));
    assert_eq!(other.shall(&["import", "new.csv"]).0, 0);
    assert!(other.read("requirements/light.md").contains("satisfy turn_on\n```"));
}

/// Sheets as people have them: each is read, or refused with what to do.
#[test]
fn sheets_of_all_kinds() {
    let sentence = "the pump shall always satisfy p";
    for (text, profile, code, expected) in [
        (format!("Our requirements;;\n;;\nID;Text;Note\nX-1;{sentence};3,5\n"), "", 0, "1 added"),
        (format!("ID,Text,\nX-1,\u{200b}{sentence}\u{200b},\n"), "", 0, "1 added"),
        (
            format!("ID,Text\nX-1,{sentence}\n"),
            "rationale=Grund",
            2,
            "there is no column `Grund` for the role `rationale`; the columns are `ID`, `Text`",
        ),
        (
            format!("Our list\nNummer,Text,Note\nX-1,{sentence},x\n"),
            "",
            2,
            "say which one with the role `id` of the profile; the columns are `Nummer`, `Text`, `Note`",
        ),
    ] {
        let folder = Folder::new("kinds");
        folder.write("a.csv", &text);
        let profile: Vec<&str> = if profile.is_empty() { Vec::new() } else { vec!["--profile", profile] };
        let (found, out, err) = folder.shall(&[&["import", "a.csv"], &profile[..]].concat());
        assert_eq!(found, code, "{text}: {out}{err}");
        assert!(format!("{out}{err}").contains(expected), "{text}: {out}{err}");
        if code == 0 {
            assert!(folder.read("requirements/pump.md").contains(&format!("\n{sentence}\n")), "{text}");
        }
    }
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
    assert!(err.contains("the project has no component `nobody`; it has TankController"), "{err}");
    let (_, _, err) = folder.shall(&["export", "smv", "--component", "TankControler"]);
    assert!(err.contains("did you mean `TankController`?"), "{err}");
    assert_eq!(folder.shall(&["report", "-o", "report.html"]).0, 0);
    let report = folder.read("report.html");
    for expected in [
        "<!DOCTYPE html>",
        "class=\"sentence\"",
        "<svg",
        "Traceability",
        "Hierarchy",
        "class=\"bar\"",
        "A trace that satisfies it",
        "A trace that violates it",
        "class=\"shall-waveform\"",
        ": a step is 100 ms.",
        "</html>",
    ] {
        assert!(report.contains(expected), "{expected}");
    }
    let outline = report.split("</nav>").next().unwrap_or_default();
    assert!(outline.contains("The inlet closes at the high mark"), "titles are in the outline: {outline}");
    assert!(!report.contains("<script") && !report.contains("src="), "it needs no other file");
}

#[test]
fn a_report_shows_what_recorded_traces_violate() {
    let folder = Folder::new("report-logs");
    folder.write(
        "tank.md",
        "# Tank\n\n## Tank\n\n| name | kind | type |\n|---|---|---|\n| alarm | input | bool |\n| level | output | real |\n\n\
         ## R-1: Below the mark\n\n```fretish\nthe Tank shall always satisfy level < 5\n```\n\n\
         ## R-2: Answered\n\n```fretish\nwhen alarm, the Tank shall immediately satisfy level < 2\n```\n\n\
         ## R-3: Unseen\n\n```fretish\nthe Tank shall always satisfy pressure < 1\n```\n",
    );
    let rows = |high: usize| {
        let row = |at: usize| format!("{},0,{}\n", at, if at % 100 == high { 7 } else { 1 });
        format!("time,alarm,level\n{}", (0..1000).map(row).collect::<String>())
    };
    folder.write("a.csv", &rows(42));
    folder.write("b.csv", &rows(100));
    folder.write("c.json", r#"[{"alarm": true, "level": 1}, {"alarm": false, "level": 9}]"#);
    let config = |files: &str| {
        folder.write(
            "shall.toml",
            &format!("[project]\ndocuments = [\"*.md\"]\n\n[logs]\nfiles = [{files}]\n"),
        );
    };
    let section = |report: &str, id: &str| {
        let after = report.split(&format!("<article id=\"requirement-{id}\">")).nth(1).unwrap_or_default();
        after.split("</article>").next().unwrap_or_default().to_owned()
    };
    config("\"*.csv\", \"none/*.csv\"");
    let (code, out, err) = folder.shall(&["report"]);
    let expected = "report.html with 3 requirements on 2 recorded traces, 1 violated\n";
    assert_eq!((code, out.as_str()), (0, expected), "{err}");
    let report = folder.read("report.html");
    assert!(report.contains("<a href=\"#logs\">Recorded traces</a>"));
    let first = section(&report, "R-1");
    assert!(first.contains("Violated in a.csv at step 42") && !first.contains("b.csv"), "{first}");
    // Five are drawn where they are, the others are counted.
    for (text, count) in [
        ("<strong class=\"error\">Violated in a.csv", 5),
        (" at step 442</strong>", 1),
        ("class=\"shall-waveform\"", 7),
    ] {
        assert_eq!(first.matches(text).count(), count, "{text}: {first}");
    }
    assert!(first.contains("and 5 more violations in a.csv"), "{first}");
    assert!(!section(&report, "R-2").contains("Violated"));
    for part in ["never triggered", "1 requirement not checked", "the trace has no column"] {
        assert!(report.contains(part), "{part}");
    }
    assert!(!report.contains("<script") && !report.contains("src="), "it needs no other file");
    // Those of the command line instead; one that cannot be read is named, and the report is there.
    folder.write("d.csv", "alarm,level\n");
    let arguments = ["report", "--trace", "c.json", "--trace", "d.csv", "-o", "other.html"];
    let (code, _, err) = folder.shall(&arguments);
    assert!(code == 2 && err.contains("the file has a header but no rows"), "{code} {err}");
    let report = folder.read("other.html");
    assert!(section(&report, "R-1").contains("Violated in c.json at step 1"));
    assert!(report.contains("not read") && !report.contains("a.csv"));
    config("");
    assert_eq!(folder.shall(&["report"]).1, "report.html with 3 requirements\n");
    assert!(!folder.read("report.html").contains("Recorded traces"));
    let (code, _, err) = folder.shall(&["report", "--trace", "missing.csv"]);
    assert!(code == 2 && err.contains("missing.csv"), "{err}");
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
