//! Logs of any length: what the engine finds in them, what is said about time, and what bad files do.

mod common;
mod folder;

use folder::Folder;
use serde_json::Value as Json;

/// Each line as JSON.
fn lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
}

const LONG: u64 = 20_000;
const LIMIT: &str = "the Tank shall always satisfy level < 90";
const ALARM: &str = "when level > 80 the Tank shall within 3 ticks satisfy alarm";

/// A log in which the level is too high at two places, the alarm is late once, and the clock has a gap.
fn log() -> String {
    let mut text = String::from("time,level,alarm,mode\n");
    for step in 0..LONG {
        let clock = step * 10 + if step >= 9_000 { 4_000 } else { 0 };
        let level = match step {
            6_000..=6_002 | 15_000 => "90.000000000000000000001".into(),
            12_000..=12_010 => "85.5".into(),
            _ => format!("{}.25", step % 70),
        };
        let alarm = u64::from((6_000..6_010).contains(&step) || step == 15_001);
        let mode = if step < 10 { "idle" } else { "run" };
        text += &format!("{}.{:03},{level},{alarm},{mode}\n", clock / 1000, clock % 1000);
    }
    text
}

const TANK: &str = "# Tank

## T-1

```fretish
the Tank shall always satisfy level < 90
```

## T-2

```fretish
when level > 80 the Tank shall within 3 ticks satisfy alarm
```

## T-3

```fretish
in off mode the Tank shall always satisfy !alarm
```
";

fn folder(name: &str) -> Folder {
    Folder::new(
        name,
        &[
            ("shall.toml", "[project]\nname = \"Tank\"\n"),
            ("tank.md", TANK),
            ("logs/a.csv", &log()),
            ("logs/b.csv", "time,level,alarm,off\n0,1,0,0\n1,2,0,1\n"),
            ("ragged.csv", "time,level,alarm\n0,1,0\n1,2\n"),
            ("early.csv", "time,level,alarm\n0,99,0\n1,2\n"),
            ("hole.csv", "time,level,alarm\n0,1,0\n1,,0\n2,NaN,0\n"),
            ("back.csv", "time,level,alarm\n0,1,0\n2,1,0\n1,1,0\n"),
            ("other.csv", "zeit;Level;alert\n0;1,5;0\n1;95,5;0\n"),
        ],
    )
}

#[test]
fn every_violation_of_a_long_log_has_its_step_time_trigger_and_reason() {
    let folder = folder("logs-long");
    let out = folder.check(
        &["eval", "--trace", "logs/a.csv", "--output-format", "json-lines", LIMIT, ALARM],
        1,
        &[],
    );
    let [limit, alarm] = &lines(&out)[..] else { panic!("{out}") };
    assert_eq!(
        (&limit["verdict"], &limit["count"], &limit["steps"]),
        (&"violated".into(), &4.into(), &LONG.into())
    );
    let first = &limit["violations"][0];
    assert_eq!((&first["step"], &first["steps"], &first["trigger"]), (&6000.into(), &3.into(), &0.into()));
    assert_eq!((&first["time"], &first["rechecked"]), (&60.into(), &true.into()));
    assert_eq!(limit["violations"][1]["time"], 154);
    assert_eq!(first["around"][2]["values"]["level"], "90.000000000000000000001");
    assert_eq!(limit["file"], "logs/a.csv");
    let late = &alarm["violations"];
    assert_eq!(
        (&alarm["count"], &late[0]["step"], &late[0]["trigger"]),
        (&1.into(), &12_003.into(), &12_000.into())
    );
    assert!(
        late[0]["reason"].as_str().is_some_and(|it| it.contains("`alarm` must hold by step 12003")),
        "{late}"
    );
    // The slow meanings say the same.
    folder.check(
        &["eval", "--trace", "logs/a.csv", "--meaning", "all", LIMIT, ALARM],
        1,
        &["step 6000", "step 12003"],
    );
    let heading = "20000 steps, one for each row; `time` from 0 to 203.99, usually 0.01 apart; 1 gap, the first of 4.01 before step 9000";
    folder.check(
        &["eval", "--trace", "logs/a.csv", LIMIT],
        1,
        &[heading, "It lasts from step 6000 to 6002. Time: 60."],
    );
}

#[test]
fn a_project_is_checked_on_files_folders_and_patterns() {
    let folder = folder("logs-many");
    for trace in ["logs", "logs/*.csv", "log?/*.csv"] {
        let out = folder.check(&["eval", ".", "--trace", trace, "--output-format", "json-lines"], 3, &[]);
        let found: Vec<String> = lines(&out)
            .iter()
            .map(|it| format!("{} {} {}", it["file"], it["requirement"], it["verdict"]).replace('"', ""))
            .collect();
        let expected = [
            "logs/a.csv T-1 violated",
            "logs/a.csv T-2 violated",
            "logs/a.csv T-3 not_checked",
            "logs/b.csv T-1 holds",
            "logs/b.csv T-2 vacuous",
            "logs/b.csv T-3 holds",
        ];
        assert_eq!(found, expected, "{trace}");
    }
    let junit = [
        "<testsuite name=\"logs/a.csv\" tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"1\">",
        "<testcase classname=\"logs/b.csv\" name=\"T-1\"><system-out>",
        "name=\"T-3\"><skipped message=\"the trace has no column `off`\"/>",
    ];
    folder.check(&["eval", "--trace", "logs", "--output-format", "junit"], 3, &junit);
    let sarif = folder.check(&["eval", "--trace", "logs", "--output-format", "sarif"], 3, &[]);
    let sarif: Json = serde_json::from_str(&sarif).expect("JSON");
    let run = &sarif["runs"][0];
    let steps: Vec<&Json> =
        run["results"].as_array().expect("a list").iter().map(|it| &it["properties"]["step"]).collect();
    assert_eq!(steps, [6000, 15_000, 12_003]);
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"].as_array().map(Vec::len), Some(1));
    let all = "3 requirements on 2 traces: 2 violated, 2 satisfied, 1 never triggered, 1 not checked";
    folder.check(
        &["eval", "--trace", "logs/a.csv", "logs/b.csv"],
        3,
        &[all, "the trace has no column `off`"],
    );
    folder.check(&["eval", "--trace", "logs/*.tsv"], 2, &["no file has such a name"]);
}

#[test]
fn bad_files_are_not_checked_and_the_others_are() {
    let folder = folder("logs-bad");
    let ragged = "not checked: line 3: 2 cells, but the header has 3 columns";
    folder.check(&["eval", "--trace", "ragged.csv", LIMIT], 3, &[ragged]);
    // A violation before the place is one whatever comes after it.
    folder.check(&["eval", "--trace", "early.csv", LIMIT], 1, &["violated: triggered at step 0"]);
    let empty = "not checked: line 3, column `level`: the cell is empty";
    folder.check(&["eval", "--trace", "hole.csv", LIMIT], 3, &[empty]);
    folder.check(&["eval", "--trace", "hole.csv", "the Tank shall never satisfy alarm"], 0, &["holds"]);
    let back = "not checked: the time at step 2 is not after the one before; `--time rows` ignores it";
    folder.check(&["eval", "--trace", "back.csv", LIMIT], 3, &[back]);
    folder.check(&["eval", "--trace", "back.csv", "--time", "rows", LIMIT], 0, &["holds"]);
    let both = ["eval", "--trace", "gone.csv", "--trace", "logs/b.csv", LIMIT];
    folder.check(&both, 2, &["cannot read gone.csv", "logs/b.csv: 2 steps", "holds"]);
}

#[test]
fn columns_with_other_names_are_mapped() {
    let folder = folder("logs-map");
    let other = ["eval", "--trace", "other.csv", ALARM];
    folder.check(&other, 2, &["the trace has no column `alarm`"]);
    let mapped = [&other[..], &["--map", "alarm=alert"]].concat();
    folder.check(&mapped, 0, &["note: `level` is read from the column `Level`"]);
    folder.check(
        &[&other[..], &["--map", "alarm=alrt"]].concat(),
        2,
        &["no column `alrt`; did you mean `alert`?"],
    );
}

#[test]
fn a_log_is_described() {
    let folder = folder("logs-info");
    let parts = [
        "logs/a.csv: 20000 steps, 4 signals; separated by `,`",
        "time: `time` from 0 to 203.99, usually 0.01 apart (0.01 to 4.01); 1 gap, the first before step 9000",
        "number from 0.25 to 90.000000000000000000001",
        "bool, true at 11 steps, 4 changes",
        "enum: idle, run, 1 change",
    ];
    folder.check(&["log", "info", "logs/a.csv"], 0, &parts);
    let json = folder.check(&["log", "info", "hole.csv", "--output-format", "json"], 3, &[]);
    let json: Json = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["files"][0]["signals"][1]["flaw"], "line 3, column `level`: the cell is empty");
    folder.check(&["log", "info", "ragged.csv"], 3, &["not read further: line 3"]);
}
