//! `shall vectors` as a user meets it: what is written where, and what is refused.

mod common;

use common::{Run, command};
use std::path::PathBuf;

fn vectors(arguments: &[&str]) -> Run {
    Run::of(command(&["vectors"]).args(arguments).output().expect("the program starts"))
}

#[track_caller]
fn fine(arguments: &[&str]) -> String {
    let run = vectors(arguments);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}");
    run.out
}

/// A name for a new file or folder; what an earlier run left there is gone.
fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn the_default_is_a_table_of_boundary_settings() {
    let out = fine(&[]);
    assert_eq!(out.lines().count(), 1 + 100 * 264);
    assert!(out.starts_with("index,length,n,modes,conds,stops,resps,key,expected\n0,8,3,"));
    assert_eq!(
        out,
        fine(&["--format", "csv", "--boundary", "--length", "8", "--steps", "3", "--limit-settings", "100"])
    );
    let falses = out.lines().filter(|line| line.ends_with(",false")).count();
    assert!(falses > 5_000 && falses < 21_400, "{falses}");
    let few = fine(&["--limit-settings", "7"]);
    assert_eq!(few.lines().count(), 1 + 7 * 264);
    assert!(out.starts_with(&few));
}

#[test]
fn random_settings_follow_the_seed() {
    let one = ["--random", "20", "--key", "in,regular,within"];
    let out = fine(&one);
    assert_eq!(out.lines().count(), 21);
    assert_eq!(out, fine(&[&one[..], &["--seed", "1"]].concat()));
    assert_ne!(out, fine(&[&one[..], &["--seed", "2"]].concat()));
    let both = fine(&[&one[..], &["--boundary", "--limit-settings", "5"]].concat());
    assert_eq!(both.lines().count(), 26);
    let steps = fine(&[&one[..], &["--steps", "4", "--length", "12"]].concat());
    assert!(steps.lines().skip(1).all(|line| line.split(',').skip(1).take(2).eq(["12", "4"])));
}

#[test]
fn json_says_the_same() {
    let asked = ["--limit-settings", "12", "--key", "*,regular,within", "--key", "onlyIn,null,after"];
    let rows = fine(&asked);
    let document = fine(&[&asked[..], &["--format", "json"]].concat());
    assert_eq!(document, fine(&[&asked[..], &["--output-format", "json"]].concat()));
    let lines = fine(&[&asked[..], &["--output-format", "json-lines"]].concat());
    let settings: Vec<serde_json::Value> = serde_json::from_str(&document).expect("JSON");
    let by_line: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(settings, by_line);
    let mut same = rows.lines().next().map(|header| format!("{header}\n")).unwrap_or_default();
    for setting in &settings {
        let list = |name: &str| {
            let pairs = setting[name].as_array().expect("a list").iter();
            pairs.map(|pair| format!("{}-{}", pair[0], pair[1])).collect::<Vec<_>>().join(";")
        };
        let lists = ["modes", "conds", "stops", "resps"].map(list).join(",");
        for (key, expected) in setting["expected"].as_object().expect("an object") {
            let [index, length, n] = ["index", "length", "n"].map(|name| setting[name].to_string());
            same += &format!("{index},{length},{n},{lists},\"{key}\",{expected}\n");
        }
    }
    assert_eq!(same, rows);
    assert_eq!(settings[0]["expected"].as_object().map(serde_json::Map::len), Some(9));
}

#[test]
fn models_for_nusmv() {
    let one = fine(&["--format", "smv", "--limit-settings", "1"]);
    assert!(one.contains("MODULE main\n") && one.contains("DEFINE\n  LAST := (t = 7);\n"));
    assert_eq!(one.matches("LTLSPEC NAME FT_").count(), 264);
    assert_eq!(one.matches("LTLSPEC NAME PT_").count(), 264);
    let folder = place("models");
    fine(&["--format", "smv", "--limit-settings", "12", "-o", folder.to_str().unwrap()]);
    assert_eq!(std::fs::read_to_string(folder.join("setting_00.smv")).unwrap(), one);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 12);
    let file = place("equivalence.smv");
    fine(&["--format", "smv-equivalence", "--length", "10", "-o", file.to_str().unwrap()]);
    let model = std::fs::read_to_string(&file).unwrap();
    assert!(model.contains("  t : 0 .. 10;\n  mode : boolean;\n"));
    assert_eq!(model.matches("LTLSPEC NAME EQ_").count(), 264);
}

#[test]
fn monitors_for_kind_2() {
    let folder = place("monitors");
    let path = folder.to_str().unwrap();
    fine(&["--format", "lustre", "--random", "11", "--steps", "2", "--length", "5", "-o", path]);
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 13);
    assert_eq!(names[..2], ["expected.csv", "monitors_n2.lus"]);
    assert_eq!(names[2], "setting_00_n2.json");
    let input = std::fs::read_to_string(folder.join(&names[2])).unwrap();
    let steps: Vec<serde_json::Value> = serde_json::from_str(&input).expect("JSON");
    assert_eq!(steps.len(), 5);
    assert!(
        steps.iter().all(|step| ["MODE", "COND", "STOP", "RES"].iter().all(|name| step[name].is_boolean()))
    );
    let expected = std::fs::read_to_string(folder.join("expected.csv")).unwrap();
    assert_eq!(expected.lines().count(), 1 + 11 * 264);
}

#[test]
fn wrong_use() {
    let full = place("full");
    std::fs::create_dir(&full).unwrap();
    std::fs::write(full.join("note.txt"), "kept\n").unwrap();
    for (arguments, part) in [
        (&["--key", "in,regular"][..], "there is no template `in,regular`"),
        (&["--key", "in,regular,soon"], "there is no template"),
        (&["--format", "smv"], "name a folder with -o"),
        (&["--format", "lustre", "--limit-settings", "1"], "name a folder with -o"),
        (&["--format", "smv", "-o", full.to_str().unwrap()], "the folder is not empty"),
        (&["--format", "smv", "--output-format", "json"], "contradict each other"),
        (&["--limit-settings", "0"], "no settings"),
        (&["--length", "0"], "0 is not in 1..=1000"),
        (&["--seed", "4"], "--random"),
        (&["--format", "lustre", "--random", "1", "--steps", "65537", "-o", "unused"], "single steps"),
        (&["-o", "no/such/folder/file.csv"], "no/such/folder/file.csv"),
    ] {
        let run = vectors(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains(part), "{arguments:?}: {}", run.err);
    }
    assert_eq!(std::fs::read_dir(&full).unwrap().count(), 1);
}
