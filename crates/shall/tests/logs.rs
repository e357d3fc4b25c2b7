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
fn time_is_rows_a_grid_or_real() {
    let uneven = "time,p,q\n0,0,0\n0.5,1,0\n0.9,0,0\n2.4,0,1\n2.6,1,0\n5,0,1\n";
    let project = "[project]\nname = \"Tank\"\nstep = \"100 ms\"\n\n[logs.map]\nlevel = \"Tank.Level\"\n";
    let folder = Folder::new(
        "logs-time",
        &[
            ("uneven.csv", uneven),
            ("ms.csv", "time [ms],p,q\n0,0,0\n500,1,0\n900,0,0\n2400,0,1\n2600,1,0\n4600,0,1\n"),
            ("back.csv", "time,p,q\n0,0,0\n2,1,0\n1,0,0\n"),
            ("timeless.csv", "p,q\n0,0\n"),
            ("p/shall.toml", project),
            (
                "p/tank.md",
                "# T\n\n## T-1\n\n```fretish\nwhen level > 80 the Tank shall within 2 seconds satisfy alarm\n```\n",
            ),
            ("p/other.csv", "Tank.Level,Tank.Alarm\n0,0\n"),
            ("p/log.csv", "time,Tank.Level,alarm\n0,0,0\n1,90,0\n2.5,90,0\n3.5,90,1\n"),
        ],
    );
    let sentence = "when p the sys shall within 2 seconds satisfy q";
    let eval = |file: &str, options: &[&str], code: i32, expected: &[&str]| {
        let mut arguments = vec!["eval", "--trace", file, sentence];
        arguments.extend(options);
        folder.check(&arguments, code, expected);
    };
    // The trigger at 0.5 is answered at 2.4, in 1.9 seconds; the one at 2.6 at 5, in 2.4 seconds.
    let late = "triggered at step 4; `q` must hold within 2 seconds, that is, at 4.6, and does not. Time: 5.";
    let words = "6 steps, one for each row; durations are measured on the times, in seconds";
    eval("uneven.csv", &["--time", "real"], 1, &[late, words]);
    folder.check(
        &[
            "eval",
            "--trace",
            "uneven.csv",
            "--time",
            "real",
            "when p the sys shall within 1.8 seconds satisfy q",
        ],
        1,
        &["triggered at step 1; `q` must hold within 1.8 seconds, that is, at 2.3, and does not. Time: 2.4."],
    );
    eval("ms.csv", &["--time", "real"], 0, &["in milliseconds", "holds"]);
    let grid = ["51 steps, one every 100 ms, with the latest values", "triggered at step 26", "Time: 4.6."];
    eval("uneven.csv", &["--time", "hold", "--step", "100 ms"], 1, &grid);
    let grid = ["51 steps, one every 100 ms, with the nearest values", "triggered at step 25"];
    eval("uneven.csv", &["--time", "nearest", "--step", "100 ms"], 0, &grid[..1]);
    eval("uneven.csv", &["--time", "hold"], 2, &["the length of a step must be known"]);
    eval("timeless.csv", &["--time", "hold", "--step", "1 s"], 2, &["there is no column of time"]);
    eval("timeless.csv", &["--time", "real"], 2, &["there is no column of time"]);
    // Whether the mode ends there is not known, so nothing is known about what was due before its end.
    std::fs::write(folder.0.join("mode.csv"), "step,m,q\n0,1,0\n1,1,0\n2,,0\n3,0,0\n").expect("a log");
    let mode = "in m mode the Tank shall eventually satisfy q";
    folder.check(&["eval", "--trace", "mode.csv", mode], 3, &["not checked", "`m`: the cell is empty"]);
    let back = "not checked: the time at step 2 is not after the one before";
    eval("back.csv", &["--time", "real"], 3, &[back]);
    let back = "not checked: the time of sample 3 is not after the one before";
    eval("back.csv", &["--time", "hold", "--step", "1 s"], 3, &[back]);
    let hint = "the trace has no column `alarm`; if it is called otherwise: `--map alarm=Tank.Alarm`";
    folder.check(&["eval", "p", "--trace", "p/other.csv"], 3, &[hint]);
    // The project knows the length of a step and the column of a variable.
    folder.check(
        &["eval", "p", "--trace", "p/log.csv", "--time", "real"],
        1,
        &["that is, at 3", "Time: 3.5."],
    );
    folder.check(
        &["eval", "p", "--trace", "p/log.csv", "--time", "hold"],
        1,
        &["36 steps, one every 100 ms", "Time: 3."],
    );
    folder.check(
        &["eval", "--trace", "uneven.csv", "--formula", "q -> O[0,3] p", "--formula", "p S"],
        2,
        &["q -> O[0,3] p\n  holds", "error"],
    );
}

#[test]
fn other_formats_have_the_same_verdicts() {
    let vcd = "$timescale 100 ms $end\n$scope module tank $end\n$var real 64 ! level $end\n$var wire 1 \" alarm $end\n\
        $upscope $end\n$enddefinitions $end\n#0\nr70 !\n0\"\n#3\nr95.5 !\n#4\n#5\n1\"\n#8\nr60 !\n0\"\n";
    let cut = vcd.split_once(" !\n#4").map_or("", |(before, _)| before);
    let folder = Folder::new("logs-formats", &[("tank.vcd", vcd), ("cut.vcd", cut), ("x.vcd", "$var")]);
    let matrix = |entries: &[f64]| simulink::value::Matrix {
        dimensions: vec![entries.len(), 1],
        class: simulink::value::Class::Double,
        entries: entries.to_vec(),
    };
    let mat = [
        ("tout".to_owned(), matrix(&[0.0, 0.3, 0.4, 0.5, 0.8])),
        ("level".to_owned(), matrix(&[70.0, 95.5, 95.5, 95.5, 60.0])),
        ("alarm".to_owned(), matrix(&[0.0, 0.0, 0.0, 1.0, 0.0])),
        ("gain".to_owned(), matrix(&[3.0])),
    ];
    let bytes = simulink::mat::write(&mat).expect("a file");
    std::fs::write(folder.0.join("tank.mat"), &bytes).expect("written");
    std::fs::write(folder.0.join("cut.mat"), &bytes[..bytes.len() / 2]).expect("written");
    for (file, limit, alarm) in [("tank.vcd", "tank.level", "tank.alarm"), ("tank.mat", "level", "alarm")] {
        let (level, alarm) = (format!("level={limit}"), format!("alarm={alarm}"));
        let late = "when level > 80 the Tank shall within 1 tick satisfy alarm";
        let out = folder.check(
            &[
                "eval",
                "--trace",
                file,
                LIMIT,
                late,
                "--map",
                &level,
                "--map",
                &alarm,
                "--output-format",
                "json-lines",
            ],
            1,
            &[],
        );
        let found: Vec<Json> = lines(&out).iter().map(|it| it["violations"].clone()).collect();
        let steps: Vec<(u64, u64)> = found
            .iter()
            .map(|it| (it[0]["step"].as_u64().expect("a step"), it[0]["steps"].as_u64().expect("a number")))
            .collect();
        assert_eq!(steps, [(1, 3), (2, 1)], "{file}");
    }
    folder.check(
        &["log", "info", "tank.vcd"],
        0,
        &["5 steps, 3 signals; VCD", "from 0 to 800 milliseconds", "tank.level"],
    );
    folder.check(
        &["log", "info", "tank.mat"],
        0,
        &["5 steps, 3 signals; MATLAB", "`tout` from 0 to 0.8 seconds"],
    );
    let cut = "not checked: line 11: `r95.5` has no signal; the file may be cut off";
    folder.check(&["eval", "--trace", "cut.vcd", LIMIT, "--map", "level=tank.level"], 3, &[cut]);
    folder.check(&["eval", "--trace", "x.vcd", LIMIT], 2, &["`$var` has no `$end`; the file may be cut off"]);
    folder.check(&["eval", "--trace", "cut.mat", LIMIT], 2, &["cut.mat"]);
}

#[test]
fn a_page_has_a_waveform_around_each_violation() {
    let folder = folder("logs-page");
    let page =
        folder.check(&["eval", "--trace", "logs/a.csv", "--output-format", "html", LIMIT, ALARM], 1, &[]);
    for expected in [
        "<!DOCTYPE html>",
        "violated",
        "✗ the requirement fails at step 6000",
        "fails at step 12003",
        "zoom-8",
    ] {
        assert!(page.contains(expected), "{expected}");
    }
    assert_eq!(page.matches("<svg").count(), 3);
    for foreign in ["<script", "src=", "http://", "https://"] {
        let own = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains(foreign), "{foreign}");
    }
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
    // A violation before the place is one whatever comes after it, and every format says that the rest was not checked.
    let rest = "not checked from step 1 on: line 3: 2 cells, but the header has 3 columns";
    folder.check(&["eval", "--trace", "early.csv", LIMIT], 1, &["violated: triggered at step 0", rest]);
    for format in ["json", "json-lines", "sarif", "junit", "html"] {
        folder.check(&["eval", "--trace", "early.csv", "--output-format", format, LIMIT], 1, &[rest]);
    }
    std::fs::write(folder.0.join("late.csv"), "level,n\n95,0\n5,0\n,0\n95,0\n").expect("a log");
    let rest = "not checked from step 2 on: line 4, column `level`: the cell is empty";
    folder.check(&["eval", "--trace", "late.csv", LIMIT], 1, &["is false at step 0", rest]);
    let all = "not checked from step";
    assert!(!folder.check(&["eval", "--trace", "logs/a.csv", LIMIT], 1, &[]).contains(all));
    let empty = "not checked: line 3, column `level`: the cell is empty";
    folder.check(&["eval", "--trace", "hole.csv", LIMIT], 3, &[empty]);
    folder.check(&["eval", "--trace", "hole.csv", "the Tank shall never satisfy alarm"], 0, &["holds"]);
    // Whether the mode ends there is not known, so nothing is known about what was due before its end.
    std::fs::write(folder.0.join("mode.csv"), "step,m,q\n0,1,0\n1,1,0\n2,,0\n3,0,0\n").expect("a log");
    let mode = "in m mode the Tank shall eventually satisfy q";
    folder.check(&["eval", "--trace", "mode.csv", mode], 3, &["not checked", "`m`: the cell is empty"]);
    let back = "not checked: the time at step 2 is not after the one before; `--time rows` ignores it";
    folder.check(&["eval", "--trace", "back.csv", LIMIT], 3, &[back]);
    folder.check(&["eval", "--trace", "back.csv", "--time", "rows", LIMIT], 0, &["holds"]);
    // Without a time, too, the order of the rows is in doubt.
    let time = |row: u32| if row == 250 { String::new() } else { row.to_string() };
    let rows: String = (0..300).map(|row| format!("{},10\n", time(row))).collect();
    std::fs::write(folder.0.join("untimed.csv"), format!("time,level\n{rows}")).expect("a log");
    let untimed = "not checked: line 252, column `time`: the cell is empty; `--time rows` ignores it";
    folder.check(&["eval", "--trace", "untimed.csv", LIMIT], 3, &[untimed]);
    folder.check(&["eval", "--trace", "untimed.csv", "--time", "rows", LIMIT], 0, &["holds"]);
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
        "time: `time` from 0 to 203.99 seconds, usually 0.01 apart (0.01 to 4.01); 1 gap, the first before step 9000",
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

#[test]
fn a_column_is_read_as_it_is_used() {
    let folder = Folder::new(
        "logs-words",
        &[
            ("yes.csv", "p,q\nyes,off\nNo,ON\n1,on\n"),
            ("maybe.csv", "p,q\n0,1\n1,maybe\n"),
            ("two.csv", "p,q\n2,1\n1,1\n"),
        ],
    );
    let sentence = "the Tank shall always satisfy p | q";
    folder.check(&["eval", "--trace", "yes.csv", sentence], 0, &["holds"]);
    folder.check(&["eval", "--trace", "yes.csv", "--formula", "p -> !q"], 1, &["is false at step 2"]);
    // The same words are names where they are compared.
    let names = "the Tank shall always satisfy q = off | q = ON | q = on";
    folder.check(&["eval", "--trace", "yes.csv", names], 0, &["holds"]);
    let booleans = "is not a Boolean (0, 1, true, false, yes, no, on or off)";
    let maybe = format!("not checked: line 3, column `q`: `maybe` {booleans}");
    folder.check(&["eval", "--trace", "maybe.csv", sentence], 3, &[&maybe]);
    folder.check(&["eval", "--trace", "maybe.csv", "--formula", "H (p | q)"], 3, &[&maybe]);
    let two = format!("not checked: line 2, column `p`: `2` {booleans}");
    folder.check(&["eval", "--trace", "two.csv", sentence], 3, &[&two]);
    let number = "not checked: line 3, column `q`: `maybe` is not a number";
    folder.check(&["eval", "--trace", "maybe.csv", "the Tank shall always satisfy q < 3"], 3, &[number]);
    // A sentence that is wrong whatever the columns have.
    let wrong = "the Tank shall always satisfy p & p > 3";
    folder.check(&["eval", "--trace", "yes.csv", wrong], 2, &["the sentence has errors"]);
}

#[test]
fn violations_after_a_missing_value_do_not_count_however_many_there_are() {
    let mut text = String::from("level\n");
    for step in 0..10_000 {
        text += match step {
            7_001 => "\n",
            _ if step % 2 == 0 => "95\n",
            _ => "5\n",
        };
    }
    let text = text.replace("level\n", "level,x\n").replace("5\n", "5,0\n").replace("\n\n", "\n,0\n");
    let folder = Folder::new("logs-cut", &[("many.csv", &text)]);
    let out = folder.check(&["eval", "--trace", "many.csv", "--output-format", "json-lines", LIMIT], 1, &[]);
    let [found] = &lines(&out)[..] else { panic!("{out}") };
    assert_eq!((&found["count"], &found["more"]), (&3501.into(), &2501.into()));
}

#[test]
fn bags_that_are_not_read_are_named() {
    let folder = Folder::new(
        "logs-bags",
        &[("run.db3", "SQLite"), ("run.bag", "#ROSBAG V2.0"), ("run.mcap", "x"), ("run.mf4", "y")],
    );
    folder.check(&["eval", "--trace", "run.db3", LIMIT], 2, &["run.db3: not a database of SQLite 3"]);
    folder.check(&["eval", "--trace", "run.bag", LIMIT], 2, &["run.bag: bags of ROS 1 are not read"]);
    folder.check(&["eval", "--trace", "run.mcap", LIMIT], 2, &["run.mcap: not an MCAP file"]);
    folder.check(&["eval", "--trace", "run.mf4", LIMIT], 2, &["run.mf4: not an MDF file"]);
}

#[test]
fn a_bag_of_ros_2_is_checked() {
    let folder = Folder::new("logs-rosbag", &[("README.md", "")]);
    let bag = folder.0.join("run.db3");
    std::fs::write(&bag, include_bytes!("../../record/tests/data/small.db3")).expect("a file");
    let told = ["60 steps, 4 signals; ROS 2 bag", "not read: `/other` (the bag has no definition of"];
    folder.check(&["log", "info", "run.db3"], 0, &told);
    let sentence = "the Tank shall always satisfy level < 12";
    let call = ["eval", "--trace", ".", "--map", "level=/tank.level", sentence];
    folder.check(&call, 1, &["`level < 12` must always hold and is false at step 48"]);
    std::fs::write(folder.0.join("run.db3-wal"), "more").expect("a file");
    folder.check(&call, 2, &["its last messages are still in `./run.db3-wal`"]);
}

#[test]
fn old_values_are_not_checked() {
    let folder = Folder::new("logs-age", &[("slow.csv", "time,level\n0,1\n1,2\n9,3\n")]);
    let call = ["eval", "--trace", "slow.csv", "--time", "hold", "--step", "1 s", LIMIT];
    folder.check(&call, 0, &["one every 1 s, with the latest values; "]);
    let old = ["values older than 2 s are missing", "not checked", "step 4: the latest value is too old"];
    folder.check(&[&call[..], &["--max-age", "2 seconds"]].concat(), 3, &old);
    folder.check(&[&call[..], &["--max-age", "two"]].concat(), 2, &["--max-age: `two` is not a"]);
}

/// The Python that engines run in, if it has DuckDB.
fn duckdb() -> Option<String> {
    let python = std::env::var("SHALL_PYTHON").unwrap_or_else(|_| "python3".into());
    let mut command = std::process::Command::new(&python);
    let found = command.args(["-c", "import duckdb"]).stderr(std::process::Stdio::null()).status();
    found.is_ok_and(|status| status.success()).then_some(python)
}

#[test]
fn an_engine_gives_the_same_verdicts() {
    if duckdb().is_none() {
        println!("skipped: there is no Python with DuckDB");
        return;
    }
    let folder = folder("logs-engine");
    let long = log();
    let mut fleet = String::from("vin,time,level,alarm\n");
    for (run, level) in [("b", 95), ("a", 5)] {
        (0..5).for_each(|step| fleet += &format!("{run},{step},{level},0\n"));
    }
    std::fs::write(folder.0.join("fleet.csv"), fleet).expect("the folder can be written");
    std::fs::write(folder.0.join("exact.csv"), long.replace("90.000000000000000000001", "90.5"))
        .expect("the folder can be written");
    let run = |arguments: &[&str]| {
        let output = common::command(&[&["eval", "--output-format", "json-lines"], arguments].concat())
            .current_dir(&folder.0)
            .output()
            .expect("the program runs");
        let text = String::from_utf8(output.stdout).expect("text");
        let fields = ["requirement", "verdict", "count", "violated_at", "vacuous", "steps"];
        let short = |it: &Json| Json::from(fields.map(|field| it[field].clone()).to_vec());
        (output.status.code(), lines(&text).iter().map(short).collect::<Vec<Json>>())
    };
    for trace in ["exact.csv", "hole.csv", "logs/b.csv"] {
        let own = ["--trace", trace];
        let engine = ["--trace", trace, "--engine", "duckdb"];
        assert_eq!(run(&own), run(&engine), "{trace}");
    }
    // What is not a number is missing, in integers as well.
    for cell in ["NaN", "-inf"] {
        std::fs::write(folder.0.join("odd.csv"), format!("time,level\n0,10.5\n1,{cell}\n2,10.5\n"))
            .expect("a log");
        let own = run(&["--trace", "odd.csv", LIMIT]);
        assert_eq!((own.0, &own.1[0][1]), (Some(3), &Json::from("not_checked")), "{cell}");
        assert_eq!(own, run(&["--trace", "odd.csv", "--engine", "duckdb", LIMIT]), "{cell}");
    }
    // Nor is the order of the steps known if a time is not one.
    for cell in ["NaN", "inf", "-inf"] {
        std::fs::write(folder.0.join("odd.csv"), format!("time,level\n0.5,10\n{cell},10\n2.5,10\n"))
            .expect("a log");
        let (code, found) = run(&["--trace", "odd.csv", "--engine", "duckdb", "--order", "time", LIMIT]);
        assert_eq!((code, &found[0][1]), (Some(3), &Json::from("not_checked")), "{cell}");
    }
    let (_, fleet) = run(&["--trace", "fleet.csv", "--engine", "duckdb", "--run", "vin", LIMIT]);
    assert_eq!(
        fleet,
        [
            serde_json::json!([LIMIT, "holds", 0, null, false, 5]),
            serde_json::json!([LIMIT, "violated", 5, 0, false, 5])
        ]
    );
    let none = ["eval", "--trace", "logs/b.csv", "--engine", "duckdb", "--order", "when", LIMIT];
    folder.check(
        &none,
        2,
        &["there is no column `when`; name the column that orders the steps with `--order`"],
    );
    folder.check(
        &["eval", "--trace", "nowhere.csv", "--engine", "duckdb", LIMIT],
        2,
        &["nowhere.csv: DuckDB: "],
    );
}
