//! `shall verify` with requirements, questions and contracts, as a user meets it: verdicts, reasons, findings, exit codes.

use std::path::{Path, PathBuf};
use std::process::Command;

const MODEL: &str = "\
node keep(x: bool) returns (y: bool);
(*@contract guarantee \"kept\" x => y; *)
let y = x -> x or pre y; tel

node lamp(on_1, off: bool) returns (lit: bool);
(*@contract guarantee \"dark\" off => not lit; *)
var was: bool;
let
  was = keep(on_1);
  lit = was and not off;
  check \"lit after on\" on_1 => lit;
tel
";

const DOCUMENT: &str = "\
# Lamp

## Lamp

| name | kind   | type | definition |
|------|--------|------|------------|
| on   | input  | bool |            |
| stop | input  | bool |            |
| lit  | output | bool |            |
| go   | mode   | bool | `on & !stop` |

## L-1: Off

```fretish
whenever stop Lamp shall immediately satisfy !lit
```

## L-2: On

```fretish
whenever on Lamp shall immediately satisfy lit
```

## L-3: In time

```fretish
in go mode Lamp shall within 2 ticks satisfy lit
```
";

fn folder(name: &str, document: &str, config: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify_requirements").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in [("shall.toml", config), ("lamp.md", document), ("lamp.lus", MODEL)] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    folder
}

fn shall(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_shall"))
        .arg("verify")
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command starts");
    let shown = String::from_utf8([output.stdout, output.stderr].concat()).expect("output is UTF-8");
    (output.status.code(), shown)
}

#[test]
fn verdicts() {
    let mapped = "[model.Lamp]\nfile = \"lamp.lus\"\nnode = \"lamp\"\nmap = { stop = \"off\" }\n";
    let wrong = DOCUMENT
        .replace("| stop | input  | bool |", "| stop | input  | real |")
        .replace("whenever stop", "whenever stop > 1");
    for (name, document, config, arguments, code, parts) in [
        (
            "mapped",
            DOCUMENT,
            mapped,
            "--component Lamp",
            1,
            &["L-1: valid", "L-2: invalid, fails at step 0", "L-3: valid", "on_1    1"][..],
        ),
        (
            "one",
            DOCUMENT,
            mapped,
            "lamp.lus --component Lamp --requirement L-1 --requirement L-3",
            0,
            &["L-3: valid"],
        ),
        (
            "said",
            DOCUMENT,
            "",
            "lamp.lus --component Lamp --map stop=off --requirement L-1",
            0,
            &["L-1: valid"],
        ),
        (
            "why",
            DOCUMENT,
            mapped,
            "--component Lamp --requirement L-2 --why",
            1,
            &[
                "the condition is met: after 1 step",
                "the response holds together with it: after 1 step",
                "in addition: not off",
            ],
        ),
        (
            "vacuous",
            DOCUMENT,
            mapped,
            "--component Lamp --requirement L-1 --why",
            0,
            &["the condition is met: after 1 step"],
        ),
        (
            "unmapped",
            DOCUMENT,
            "",
            "lamp.lus --component Lamp --requirement L-1",
            3,
            &[
                "E0519",
                "lamp.md:8:3",
                "the model has no signal with this name",
                "L-1: not checked",
                "no requirement could be checked",
            ],
        ),
        (
            "type",
            &wrong,
            mapped,
            "--component Lamp",
            1,
            &["E0520", "shall.toml:4:16", "L-1: not checked", "L-2: invalid"],
        ),
        (
            "signal",
            DOCUMENT,
            &mapped.replace("\"off\"", "\"of\""),
            "--component Lamp",
            1,
            &["E0519", "shall.toml:4:16"],
        ),
        ("variable", DOCUMENT, mapped, "--component Lamp --map stpo=off", 2, &["did you mean `stop`?"]),
        ("component", DOCUMENT, mapped, "lamp.lus --component Lmap", 2, &["did you mean `Lamp`?"]),
        ("requirement", DOCUMENT, mapped, "--component Lamp --requirement L-9", 2, &["no requirement `L-9`"]),
        (
            "node",
            DOCUMENT,
            mapped,
            "--component Lamp --node lamb",
            2,
            &["there is no such node; there are keep, lamp"],
        ),
        ("file", DOCUMENT, "", "--component Lamp", 2, &["name the file of the model"]),
        ("pair", DOCUMENT, "", "lamp.lus --component Lamp --map stop", 2, &["VARIABLE=SIGNAL"]),
        ("own", DOCUMENT, "", "lamp.lus", 1, &["dark: valid", "lit after on: invalid"]),
        (
            "modular",
            DOCUMENT,
            "",
            "lamp.lus --modular",
            3,
            &[
                "keep: kept: valid",
                "lamp: dark: valid (",
                "by the contracts of `keep`",
                "lamp: lit after on: not decided",
            ],
        ),
        (
            "compositional",
            DOCUMENT,
            "",
            "lamp.lus --compositional",
            1,
            &["dark: valid (", "lit after on: invalid, fails at step 0"],
        ),
        (
            "json",
            DOCUMENT,
            mapped,
            "--component Lamp --requirement L-2 --why --output-format json",
            1,
            &[
                "\"on\": \"on_1\"",
                "\"assumes\": []",
                "\"answer\": \"yes\"",
                "\"stronger\": [",
                "\"not off\"",
                "\"complete\": true",
            ],
        ),
    ] {
        // Variables that no sentence of the choice uses need no signal.
        let (found, shown) = shall(&folder(name, document, config), arguments);
        assert_eq!(found, Some(code), "{name}: {shown}");
        for part in parts {
            assert!(shown.contains(part), "{name}: {part}\n{shown}");
        }
    }
}

#[test]
fn what_is_not_proved_is_a_condition() {
    let folder = folder("condition", DOCUMENT, "");
    let broken = MODEL.replace("let y = x -> x or pre y; tel", "let y = x -> x and pre y; tel");
    std::fs::write(folder.join("lamp.lus"), broken.replace("on_1 => lit", "on_1 and not off => lit"))
        .expect("a file");
    let (code, shown) = shall(&folder, "lamp.lus --modular --output-format json");
    assert_eq!(code, Some(3), "{shown}");
    assert!(shown.contains("\"assumes\": [\n        \"keep\"\n      ]"), "{shown}");
    let (code, shown) = shall(&folder, "lamp.lus --compositional");
    assert_eq!(code, Some(1), "{shown}");
    assert!(shown.contains("lit after on: invalid, fails at step 1"), "{shown}");
}
