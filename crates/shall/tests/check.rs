//! `shall check`, `shall rule` and `shall schema` as a user meets them: findings, formats, fixes, baselines, exit codes.

mod common;
mod folder;

use folder::Folder;
use serde_json::Value as Json;
use std::path::Path;
use std::process::Command;

fn read(folder: &Folder, file: &str) -> String {
    std::fs::read_to_string(folder.0.join(file)).expect("the file is there")
}

fn shall(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_shall"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

const CONFIG: &str = "[project]\nname = \"Pump\"\n";

/// A document without findings.
const GOOD: &str = "# Pump

| name  | kind   | type       |
|-------|--------|------------|
| level | input  | int 0..255 |
| state | output | enum(idle, ready) |

## P-1: Ready

```fretish
when level > 200, the Pump shall immediately satisfy state = ready
```
";

/// The same with an error that can be mended, an undeclared variable and a comparison that is always false.
fn bad() -> String {
    GOOD.replace("state = ready\n", "state = redy & größe\n").replace("200", "300")
        + "\n- parent: P22\n\n## P-22: Größe, \"<now>\"\n"
}

#[test]
fn exit_codes() {
    let folder = Folder::new("check-codes", &[("shall.toml", CONFIG), ("a/good.md", GOOD)]);
    let (code, out, err) = shall(&folder.0, &["check"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "no findings in 1 requirement of 1 document\n", ""));
    let (code, ..) = shall(&folder.0.join("a"), &["check", "good.md"]);
    assert_eq!(code, 0);
    let warned = GOOD.replace("state = ready\n", "state = ready & other\n");
    let folder = Folder::new("check-warned", &[("shall.toml", CONFIG), ("a.md", &warned)]);
    assert_eq!(shall(&folder.0, &["check"]).0, 1);
    assert_eq!(shall(&folder.0, &["check", "--allow-warnings"]).0, 0);
    std::fs::write(folder.0.join("shall.toml"), "[check]\ndeny = [\"W0501\"]\n")
        .expect("the file can be written");
    assert_eq!(shall(&folder.0, &["check", "--allow-warnings"]).0, 1);
    let nonlinear = GOOD.replace("level > 200", "level * level < 0");
    let folder = Folder::new("check-open", &[("shall.toml", CONFIG), ("a.md", &nonlinear)]);
    let (code, out, _) = shall(&folder.0, &["check"]);
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("P-1: not decided: "), "{out}");
    assert_eq!(shall(&folder.0, &["check", "--allow-unknown"]).0, 0);
    let folder = Folder::new("check-broken", &[("shall.toml", "[project]\nnam = 3\n"), ("a.md", GOOD)]);
    let (code, out, _) = shall(&folder.0, &["check"]);
    assert_eq!(code, 1);
    assert!(out.contains("shall.toml:2:1"), "{out}");
    assert_eq!(shall(&folder.0, &["check", "nowhere"]).0, 2);
}

#[test]
fn people_see_places_related_places_and_fixes() {
    let folder = Folder::new("check-people", &[("shall.toml", CONFIG), ("a/p.md", &bad())]);
    let (code, out, _) = shall(&folder.0, &["check"]);
    assert_eq!(code, 1);
    for expected in [
        "error[E0513]: `redy` is not a value of `state`",
        "a/p.md:11:62",
        "`state` is declared here",
        "help: did you mean `ready`?",
        "`--fix` does this: Replace with `ready`",
        "warning[W0503]: `level > 300` is always false: `level` is `int 0..255`",
        "`größe` is not declared; it is read as a bool output",
        "error[E0510]",
        "2 errors, 2 warnings in 2 requirements of 1 document",
    ] {
        assert!(out.contains(expected), "{expected}\n{out}");
    }
    let (_, out, _) = shall(&folder.0, &["check", "--output-format", "concise"]);
    assert!(out.contains("a/p.md:11:62: error[E0513]: `redy` is not a value of `state`\n"), "{out}");
    // Paths are those from the current folder.
    let above = folder.0.parent().expect("there is a folder above");
    let name = folder.0.file_name().and_then(|name| name.to_str()).expect("a name");
    let (_, out, _) = shall(above, &["check", name, "--output-format", "concise"]);
    assert!(out.contains(&format!("{name}/a/p.md:11:62: ")), "{out}");
}

#[test]
fn machines_read_the_same() {
    let folder = Folder::new("check-machines", &[("shall.toml", CONFIG), ("a b.md", &bad())]);
    let (code, out, _) = shall(&folder.0, &["check", "--output-format", "json"]);
    let document: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!(code, 1);
    assert_eq!(document["errors"], 2);
    assert_eq!(document["requirements"], 2);
    let count = document["findings"].as_array().expect("a list").len();
    let (_, out, _) = shall(&folder.0, &["check", "--output-format", "json-lines"]);
    assert_eq!(out.lines().count(), count);
    for line in out.lines() {
        assert!(serde_json::from_str::<Json>(line).expect("JSON")["code"].is_string());
    }

    let (_, out, _) = shall(&folder.0, &["check", "--output-format", "sarif"]);
    let log: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), count);
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("an index") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b.md");
        assert!(place["region"]["startLine"].as_u64() >= Some(1));
    }
    let mended = results.iter().find(|result| result["ruleId"] == "E0513").expect("the error");
    assert_eq!(mended["level"], "error");
    assert_eq!(mended["relatedLocations"][0]["id"], 1);
    let replacement = &mended["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], "ready");
    assert_eq!(replacement["deletedRegion"]["startColumn"], 62);

    let (_, out, _) = shall(&folder.0, &["check", "--output-format", "junit"]);
    assert!(
        out.contains("<testsuite name=\"a b.md\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">"),
        "{out}"
    );
    assert_eq!(out.matches("<testcase ").count(), 2, "{out}");
    assert_eq!(out.matches("<failure ").count(), 2, "{out}");
    assert!(!out.contains("<now>"), "{out}");

    let (_, out, _) = shall(&folder.0, &["check", "--output-format", "github"]);
    assert_eq!(out.lines().count(), count);
    let line = out.lines().find(|line| line.contains("E0513")).expect("the error");
    assert!(
        line.starts_with("::error file=a b.md,line=11,endLine=11,col=62,endColumn=66,title=E0513 P-1::"),
        "{line}"
    );
    assert_eq!(shall(&folder.0, &["rule", "--output-format", "sarif"]).0, 2);
}

#[test]
fn fixes_change_their_own_bytes_only() {
    let text = bad().replace('\n', "\r\n");
    let folder = Folder::new("check-fix", &[("shall.toml", CONFIG), ("p.md", &text)]);
    let (_, out, _) = shall(&folder.0, &["check", "--fix"]);
    assert!(out.contains("3 fixes made"), "{out}");
    let expected = text
        .replace("redy", "ready")
        .replace("parent: P22\r\n", "parent: P-22\r\n")
        .replace("enum(idle, ready) |\r\n", "enum(idle, ready) |\r\n| größe | output | bool |\r\n");
    assert_eq!(read(&folder, "p.md"), expected);
    let (code, out, _) = shall(&folder.0, &["check", "--fix", "--allow-warnings"]);
    assert_eq!((code, read(&folder, "p.md")), (0, expected), "{out}");
    assert!(!out.contains("made"), "{out}");
}

#[test]
fn known_findings_are_not_reported() {
    let folder = Folder::new("check-baseline", &[("shall.toml", CONFIG), ("p.md", &bad())]);
    assert_eq!(shall(&folder.0, &["check", "--write-baseline"]).0, 2);
    let (code, _, err) = shall(&folder.0, &["check", "--baseline", "known.json", "--write-baseline"]);
    assert_eq!((code, err.as_str()), (0, "4 known findings in known.json\n"));
    let (code, out, _) = shall(&folder.0, &["check", "--baseline", "known.json"]);
    assert_eq!((code, out.as_str()), (0, "no findings in 2 requirements, 1 of them formal, of 1 document\n"));
    // Lines move, one finding goes, one comes.
    let moved = format!("New text.\n\n{}", bad().replace("300", "100").replace("P22\n", "P33\n"));
    std::fs::write(folder.0.join("p.md"), moved).expect("the file can be written");
    std::fs::write(folder.0.join("shall.toml"), "[check]\nbaseline = \"known.json\"\n")
        .expect("the file can be written");
    let (code, out, _) = shall(&folder.0, &["check"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("there is no requirement `P33`"), "{out}");
    assert!(out.contains("no longer found: W0503 P-1: "), "{out}");
    assert!(out.contains("1 error, 0 warnings"), "{out}");
    assert_eq!(shall(&folder.0, &["check", "--baseline", "p.md"]).0, 2);
}

#[test]
fn rules_are_listed_and_explained() {
    let here = std::env::temp_dir();
    let (code, out, _) = shall(&here, &["rule"]);
    assert_eq!(code, 0);
    assert!(out.lines().count() > 100 && out.contains("W0503  The ranges"), "{out}");
    let (_, out, _) = shall(&here, &["rule", "w0503"]);
    assert!(
        out.starts_with("W0503 (warning): ") && out.contains("\nWrong:\n") && out.contains("\nRight:\n"),
        "{out}"
    );
    let (code, _, err) = shall(&here, &["rule", "W053"]);
    assert_eq!(code, 2);
    assert!(err.contains("did you mean"), "{err}");
    let (_, out, _) = shall(&here, &["rule", "--output-format", "json"]);
    assert!(
        serde_json::from_str::<Json>(&out).expect("JSON")["rules"].as_array().expect("a list").len() > 100
    );
    let (code, out, _) = shall(&here, &["schema"]);
    let schema: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &schema["properties"]["project"]["type"]), (0, &Json::from("object")));
}

#[test]
fn each_example_has_its_flaws() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (project, codes) in [
        ("roll_autopilot", &["W0530", "W0503"][..]),
        ("infusion_pump", &["W0530", "W0204"]),
        ("cruise", &["W0530"]),
        ("simulink", &[]),
    ] {
        let (exit, out, _) = shall(&examples, &["check", project, "--output-format", "json-lines"]);
        let found = out.lines().map(|it| serde_json::from_str::<Json>(it).expect("JSON")["code"].clone());
        assert_eq!(
            (exit, found.collect::<Vec<_>>()),
            (i32::from(!codes.is_empty()), codes.iter().map(|it| Json::from(*it)).collect()),
            "{out}"
        );
    }
}
