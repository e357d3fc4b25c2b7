//! Renaming on one small project of two documents.

use super::*;
use crate::reading::Cache;

const CONFIG: &str = "[project]\nname = \"p\"\n\n[components.Pump]\ndescription = \"it\"\n\n\
    [model.Pump]\nfile = \"p.lus\"\nmap = { m = \"mode_1\" }\n";

const PUMP: &str = "# Pump\n\n| name | kind | type | definition |\n|---|---|---|---|\n| x | input | int | |\n| `LIMIT` | constant | int | 3 |\n\
    | m | mode | bool | `x > LIMIT \\| x < 0` |\n| s | output | enum(on, off) | |\n\n## P-1: Fill x\n\nWhen x.\n\n```fretish\nin m mode, when x > 3, \
    the Pump shall within LIMIT ticks satisfy s = on\n```\n\n- parent: P-0, Q-9\n\n## P-0\n\nTop.\n";

const VALVE: &str =
    "# Valve\n\n## V-1\n\n```fretish\nthe Valve shall always satisfy x\n```\n\n- parent: P-1\n";

fn project() -> Project {
    let documents = vec![Document::read("pump.md", PUMP), Document::read("valve.md", VALVE)];
    Project { config: Config::read(CONFIG).0, documents }
}

fn run(kind: &str, old: &str, new: &str) -> String {
    let project = project();
    let analysis = project.analyse(&mut Cache::default());
    let (kind, of) = kind.split_once(' ').map_or((kind, None), |(kind, of)| (kind, Some(of)));
    let change = match kind {
        "variable" => variable(&project, &analysis, of, old, new),
        "requirement" => requirement(&project, old, new),
        _ => component(&project, &analysis, Some(CONFIG), old, new),
    };
    let change = match change {
        Ok(change) => change,
        Err(refused) => return format!("! {refused}"),
    };
    let shown = |edit: &Edit, text: &str| {
        let line = text[..edit.span.start as usize].matches('\n').count() + 1;
        format!("{line}:{}>{}", &text[edit.span.range()], edit.text)
    };
    let documents = change.edits.iter().map(|edit| shown(edit, &project.documents[edit.document].text));
    documents.chain(change.config.iter().map(|edit| shown(edit, CONFIG))).collect::<Vec<_>>().join(" ")
}

#[test]
fn names() {
    for row in [
        "variable | m | n | 7:m>n 15:m>n 9:m>n",
        "variable Pump | x | level | 5:x>level 7:x>level 7:x>level 15:x>level",
        "variable | x | level | ! the name is used in several places: component `Pump`, component `Valve`; say which one is meant",
        "variable | LIMIT | MAX | 6:LIMIT>MAX 7:LIMIT>MAX 15:LIMIT>MAX",
        "variable | s | my s | 8:s>my s 15:s>\"my s\"",
        "variable | s | x | ! the new name is taken: it is a variable of `Pump` (input)",
        "variable | s | on | ! the new name is taken: it is a value of `s`",
        "variable | s | FTP | ! the new name is taken: it is predefined",
        "variable | s | when | 8:s>when 15:s>\"when\"",
        "variable | s | a\"b | ! the new name does not work: it has quotation marks, backslashes or control characters",
        "variable | LIMT | y | ! there is no variable `LIMT`; did you mean `LIMIT`?",
        "variable Vale | x | y | ! there is no component `Vale`; did you mean `Valve`?",
        "requirement | P-1 | P-7 | 10:P-1>P-7 9:P-1>P-7",
        "requirement | P-0 | P-00 | 18:P-0>P-00 20:P-0>P-00",
        "requirement | P-0 | Top | ! `pump.md` would be read differently with the new name; choose another one",
        "requirement | P-1 | V-1 | ! the new name is taken: it is a requirement in `valve.md`",
        "requirement | P-1 | a b | ! the new name does not work: an id has no spaces, colons or commas",
        "requirement | P-3 | x1 | ! there is no requirement `P-3`; did you mean `P-1`?",
        "component | Pump | Motor | 1:Pump>Motor 15:Pump>Motor 4:Pump>Motor 7:Pump>Motor",
        "component | Pump | The Motor | 1:Pump>The Motor 15:Pump>\"The Motor\" 4:Pump>\"The Motor\" 7:Pump>\"The Motor\"",
        "component | Pump | Valve | ! the new name is taken: it is a component",
        "component | Pump | Variables | ! `pump.md` would be read differently with the new name; choose another one",
    ] {
        let [kind, old, new, expected] = row.split(" | ").collect::<Vec<_>>()[..] else { panic!("{row}") };
        assert_eq!(run(kind, old, new), expected, "{kind} {old} {new}");
    }
}

/// A mode that is called like a value: the mode gets the new name, the value keeps its own.
#[test]
fn values_keep_their_names() {
    let text = "# Pump\n\n| name | kind | type | definition |\n|---|---|---|---|\n| s | input | enum(idle, on) | |\n\
        | on | mode | bool | `s = on` |\n\n## P-1\n\n```fretish\nin on mode, when s = on & on, the Pump shall always satisfy x\n```\n";
    let project = Project { config: Config::default(), documents: vec![Document::read("pump.md", text)] };
    let analysis = project.analyse(&mut Cache::default());
    let change = variable(&project, &analysis, None, "on", "is_on").expect("the name is free");
    let text = apply(text, &change.edits).expect("edits fit");
    assert!(text.contains("| is_on | mode | bool | `s = on` |"), "{text}");
    assert!(text.contains("in is_on mode, when s = on & is_on, the Pump"), "{text}");
}
