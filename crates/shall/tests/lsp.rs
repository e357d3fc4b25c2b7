//! The language server as an editor meets it: the real program over its standard input and output.

mod editor;

use editor::{Editor, uri};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

fn range(line: u32, from: u32, to: u32) -> Json {
    json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } })
}

const PUMP: &str = "# Pump\n\n| name | kind | type | definition | description |\n|---|---|---|---|---|\n\
    | größe | input | real | | how big |\n| 速度 | output | int | | |\n| state | output | enum(idle, on) | | |\n\
    | filling | mode | bool | `größe > 3` | |\n";

/// Sentences at lines 5 and 11.
const WATER: &str = "# Water 🚰\n\n## P-1: Fill 🚰\n\n```fretish\nin filling mode, when größe > 3, the Pump shall always satisfy 速度 = 1 & state = on\n```\n\n\
    ## P-2\n\n```fretish\nthe Pump shal always satisfy größe > 3\n```\n\n- parent: P-1\n";

/// A project in a folder of its own; the folder has a blank in its name.
fn project(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lsp {name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("docs")).expect("a folder");
    for (file, text) in [
        ("shall.toml", "[project]\nname = \"Pump\"\n[check]\nallow = [\"W0507\"]\n"),
        ("docs/pump.md", PUMP),
        ("docs/water.md", WATER),
    ] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    folder
}

#[test]
fn findings_follow_the_text() {
    let folder = project("findings");
    let mut editor = Editor::in_folder(&folder, json!({}));
    let water = uri(&folder.join("docs/water.md"));
    assert_eq!(editor.findings(&water, None), ["11:9 E0101"]);
    editor.open(&water, WATER);
    assert_eq!(editor.findings(&water, Some(1)), ["11:9 E0101"]);

    // Several changes at once, in units of UTF-16: the second range is that of the text after the first change.
    editor.change(
        &water,
        2,
        &json!([
            { "range": range(11, 9, 13), "text": "shall" },
            { "range": range(5, 63, 65), "text": "🚰速度 alarm" },
            { "range": range(5, 63, 65), "text": "" },
        ]),
    );
    assert_eq!(editor.findings(&water, Some(2)), ["5:63 E0201", "5:66 E0109"]);
    editor.change(&water, 3, &json!([{ "range": range(5, 65, 71), "text": "" }]));
    assert_eq!(editor.findings(&water, Some(3)), [""; 0]);

    // A burst is looked at once: only the last version is reported.
    let burst: Vec<u8> = (4..40)
        .flat_map(|version| {
            editor::change(&water, version, &json!([{ "range": range(0, 0, 0), "text": "x" }]))
        })
        .collect();
    editor.raw(&burst);
    assert_eq!(editor.findings(&water, Some(39)), [""; 0]);
    let reports = editor.kept.iter().filter(|message| message["params"]["uri"] == water.as_str()).count();
    assert!(reports < 4, "{reports} reports before the last");

    // Ranges outside the text, a change without a range, a version for a document that is not open.
    let outside =
        json!({ "start": { "line": 9999, "character": 9999 }, "end": { "line": 0, "character": 99999 } });
    editor.change(&water, 40, &json!([{ "range": outside, "text": "" }]));
    editor.change("file:///nowhere.md", 1, &json!([{ "text": "" }]));
    assert_eq!(editor.findings(&water, Some(40)), [""; 0]);
    editor.change(&water, 41, &json!([{ "text": "## A1\n\n```fretish\nPump shall not\n```\n" }]));
    assert!(!editor.findings(&water, Some(41)).is_empty());

    // The disk counts again.
    editor.say("textDocument/didClose", json!({ "textDocument": { "uri": water } }));
    assert_eq!(editor.findings(&water, None), ["11:9 E0101"]);
    editor.end(0);
}

/// Any two of these three requirements can be satisfied.
const TRIANGLE: &str = "# Pump\n\n| name | kind | type |\n|---|---|---|\n| p | input | bool |\n| q | input | bool |\n| y | output | bool |\n| z | output | bool |\n\n\
    ## P-1\n\n```fretish\nwhenever p the Pump shall immediately satisfy y\n```\n\n\
    ## P-2\n\n```fretish\nwhenever q the Pump shall immediately satisfy z\n```\n\n\
    ## P-3\n\n```fretish\nthe Pump shall always satisfy !(y & z)\n```\n";

#[test]
fn saved_requirements_are_judged_together() {
    let folder = project("saved");
    std::fs::write(folder.join("docs/pump.md"), TRIANGLE).expect("a file");
    std::fs::remove_file(folder.join("docs/water.md")).expect("a file");
    let mut editor = Editor::in_folder(&folder, json!({}));
    let pump = uri(&folder.join("docs/pump.md"));
    editor.open(&pump, TRIANGLE);
    assert_eq!(editor.findings(&pump, Some(1)), [""; 0]);
    let saved = json!({ "textDocument": { "uri": pump } });
    editor.say("textDocument/didSave", saved.clone());
    assert_eq!(editor.findings(&pump, Some(1)), ["24:0 W0530"]);
    // An edit makes it void until the next save.
    editor.change(&pump, 2, &json!([{ "range": range(12, 0, 0), "text": " " }]));
    assert_eq!(editor.findings(&pump, Some(2)), [""; 0]);
    editor.say("textDocument/didSave", saved);
    assert_eq!(editor.findings(&pump, Some(2)), ["24:0 W0530"]);
    editor.end(0);
}

#[test]
fn questions_about_a_position() {
    let folder = project("questions");
    let mut editor = Editor::in_folder(&folder, json!({}));
    let (pump, water) = (uri(&folder.join("docs/pump.md")), uri(&folder.join("docs/water.md")));
    editor.open(&water, WATER);

    // `größe` at 5:22, `速度` at 5:63, `on` at 5:80.
    let shown = editor.at("hover", &water, 5, 23);
    assert!(shown["contents"]["value"].as_str().is_some_and(|text| text.contains("how big")), "{shown}");
    assert_eq!(shown["range"], range(5, 22, 27));
    let shown = editor.at("hover", &water, 5, 50);
    assert!(shown["contents"]["value"].as_str().is_some_and(|text| text.contains("Template: ")), "{shown}");
    assert_eq!(editor.at("hover", &water, 0, 3), Json::Null);
    assert_eq!(editor.at("hover", &water, 999, 999)["contents"]["kind"], Json::Null);

    let places = editor.at("definition", &water, 5, 64);
    assert_eq!(places, json!([{ "uri": pump, "range": range(5, 2, 4) }]));
    let places = editor.at("definition", &water, 14, 11);
    assert_eq!(places, json!([{ "uri": water, "range": range(2, 3, 6) }]));
    let position = json!({ "line": 5, "character": 23 });
    for (declaration, expected) in [(true, 4), (false, 3)] {
        let found = editor.ask(
            "textDocument/references",
            json!({ "textDocument": { "uri": water }, "position": position, "context": { "includeDeclaration": declaration } }),
        );
        assert_eq!(found["result"].as_array().map(Vec::len), Some(expected), "{found}");
    }
    let marks = editor.at("documentHighlight", &water, 5, 23);
    assert_eq!(marks.as_array().map(Vec::len), Some(2), "{marks}");

    let shown = editor.at("prepareRename", &water, 5, 23);
    assert_eq!(shown, json!({ "range": range(5, 22, 27), "placeholder": "größe" }));
    assert_eq!(editor.at("prepareRename", &water, 5, 43), Json::Null);
    let mut rename = |name: &str| {
        editor.ask(
            "textDocument/rename",
            json!({ "textDocument": { "uri": water }, "position": position, "newName": name }),
        )
    };
    let edit = rename("size");
    let changes = &edit["result"]["changes"];
    assert_eq!(changes[&pump].as_array().map(Vec::len), Some(2), "{edit}");
    assert_eq!(changes[&water].as_array().map(Vec::len), Some(2), "{edit}");
    assert_eq!(changes[&water][0], json!({ "range": range(5, 22, 27), "newText": "size" }));
    assert_eq!(rename("state")["error"]["code"], -32803);

    let symbols = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": water } }));
    let chapter = &symbols["result"][0];
    assert_eq!(chapter["name"], "Water 🚰");
    let names: Vec<_> =
        chapter["children"].as_array().expect("a list").iter().map(|line| &line["name"]).collect();
    assert_eq!(names, ["P-1", "P-2"]);
    let symbols = editor.ask("workspace/symbol", json!({ "query": "fill" }));
    let names: Vec<_> =
        symbols["result"].as_array().expect("a list").iter().map(|line| &line["name"]).collect();
    assert_eq!(names, ["P-1", "filling"]);
    let folds = editor.ask("textDocument/foldingRange", json!({ "textDocument": { "uri": water } }));
    assert_eq!(folds["result"].as_array().map(Vec::len), Some(3), "{folds}");
    editor.end(0);
}

#[test]
fn proposals_and_fixes() {
    let folder = project("proposals");
    let capabilities =
        json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } });
    let mut editor = Editor::in_folder(&folder, capabilities);
    let water = uri(&folder.join("docs/water.md"));
    editor.open(&water, WATER);
    let labels = |answer: &Json| -> Vec<String> {
        let items = answer["items"].as_array().expect("a list").iter();
        items.map(|item| item["label"].as_str().expect("a label").to_string()).collect()
    };
    // Behind `速度 = 1 & state = `.
    let answer = editor.at("completion", &water, 5, 80);
    assert_eq!(labels(&answer)[..2], ["idle", "on"], "{answer}");
    assert_eq!(answer["items"][0]["textEdit"]["range"], range(5, 80, 82));
    // The text of the last change counts, before any findings are out.
    editor.change(&water, 2, &json!([{ "range": range(11, 29, 38), "text": "🚰 & pers" }]));
    let answer = editor.at("completion", &water, 11, 38);
    assert_eq!(labels(&answer), ["persisted", "persists"]);
    assert_eq!(
        answer["items"][0]["textEdit"],
        json!({ "range": range(11, 34, 38), "newText": "persisted(${1:n}, ${2:p})" })
    );
    assert_eq!(labels(&editor.at("completion", &water, 14, 10)), ["P-1"]);

    let params = json!({ "textDocument": { "uri": water }, "range": range(11, 9, 9), "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", params);
    let action = &actions["result"][0];
    assert_eq!(action["title"], "Replace with `shall`", "{actions}");
    assert_eq!(action["edit"]["changes"][&water], json!([{ "range": range(11, 9, 13), "newText": "shall" }]));
    let edits = editor.ask(
        "textDocument/formatting",
        json!({ "textDocument": { "uri": water }, "options": { "tabSize": 2, "insertSpaces": true } }),
    );
    assert_eq!(edits["error"], Json::Null, "{edits}");
    editor.end(0);
}

/// Tokens, decoded: the texts and their types.
fn decoded(answer: &Json, text: &str, units: impl Fn(char) -> usize, types: &[String]) -> Vec<String> {
    let data: Vec<usize> = answer["data"]
        .as_array()
        .expect("numbers")
        .iter()
        .map(|n| n.as_u64().expect("a number") as usize)
        .collect();
    let lines: Vec<&str> = text.lines().collect();
    let (mut line, mut start) = (0, 0);
    let mut shown = Vec::new();
    for token in data.chunks(5) {
        start = if token[0] > 0 { token[1] } else { start + token[1] };
        line += token[0];
        let mut at = 0;
        let mut piece = String::new();
        for c in lines[line].chars() {
            if start <= at && at < start + token[2] {
                piece.push(c);
            }
            at += units(c);
        }
        assert!(start + token[2] <= at, "a token ends in its line");
        shown.push(format!("{piece}:{}", types[token[3]]));
    }
    shown
}

#[test]
fn tokens_in_both_encodings() {
    let folder = project("tokens");
    let encodings = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
    for (capabilities, name) in [(json!({}), "utf-16"), (encodings, "utf-8")] {
        let units = |c: char| if name == "utf-8" { c.len_utf8() } else { c.len_utf16() };
        let mut editor = Editor::start();
        let answer = editor.ask(
            "initialize",
            json!({ "processId": null, "capabilities": capabilities, "rootUri": uri(&folder) }),
        );
        let capabilities = &answer["result"]["capabilities"];
        assert_eq!(capabilities["positionEncoding"], name);
        let types: Vec<String> =
            serde_json::from_value(capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone())
                .expect("a legend");
        editor.say("initialized", json!({}));
        let water = uri(&folder.join("docs/water.md"));
        let text = WATER.replace("always satisfy 速度", "always\r\n  satisfy \"🚰 größe\" & 速度");
        editor.open(&water, &text);
        let answer =
            editor.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": water } }));
        let shown = decoded(&answer["result"], &text, units, &types).join(" ");
        assert_eq!(
            shown,
            "in:scope filling:variable mode:scope when:condition größe:variable >:operator 3:number the:keyword \
             Pump:component shall:keyword always:timing satisfy:response \"🚰 größe\":variable &:operator 速度:variable \
             =:operator 1:number &:operator state:variable =:operator on:enumMember the:keyword Pump:component \
             always:timing satisfy:response größe:variable >:operator 3:number"
        );
        let lines = json!({ "start": { "line": 12, "character": 0 }, "end": { "line": 13, "character": 0 } });
        let answer = editor.ask(
            "textDocument/semanticTokens/range",
            json!({ "textDocument": { "uri": water }, "range": lines }),
        );
        let shown = decoded(&answer["result"], &text, units, &types);
        assert_eq!(shown.first().map(String::as_str), Some("the:keyword"));
        assert_eq!(shown.len(), 7);
        editor.end(0);
    }
}

#[test]
fn files_on_disk_and_documents_without_project() {
    let folder = project("files");
    let capabilities = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let mut editor = Editor::in_folder(&folder, capabilities);
    let asked = editor.wait(|message| message["method"] == "client/registerCapability");
    editor.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": null }));
    let water = uri(&folder.join("docs/water.md"));
    assert_eq!(editor.findings(&water, None), ["11:9 E0101"]);
    let changed = |uri: &str, kind: u8| json!({ "changes": [{ "uri": uri, "type": kind }] });

    std::fs::write(folder.join("docs/water.md"), WATER.replace("shal ", "shall ")).expect("a file");
    editor.say("workspace/didChangeWatchedFiles", changed(&water, 2));
    assert_eq!(editor.findings(&water, None), [""; 0]);
    let new = folder.join("docs/a new.md");
    std::fs::write(&new, "## A1\n\n```fretish\nthe Pump shall\n```\n").expect("a file");
    let new = uri(&new);
    editor.say("workspace/didChangeWatchedFiles", changed(&new, 1));
    assert_eq!(editor.findings(&new, None).len(), 1);
    std::fs::remove_file(folder.join("docs/a new.md")).expect("it was there");
    editor.say("workspace/didChangeWatchedFiles", changed(&new, 3));
    assert_eq!(editor.findings(&new, None), [""; 0]);

    // The project file: its own findings, and what it allows.
    let config = uri(&folder.join("shall.toml"));
    std::fs::write(folder.join("shall.toml"), "[project]\nnme = \"x\"\n").expect("a file");
    editor.say("workspace/didChangeWatchedFiles", changed(&config, 2));
    assert_eq!(editor.findings(&config, None), ["1:0 E0506"]);
    editor.open(&config, "[project]\nname = \"x\"\n");
    assert_eq!(editor.findings(&config, Some(1)), [""; 0]);

    // Documents of no project.
    for (uri, text) in [
        ("untitled:Untitled-1", "## A1\n\n```fretish\nthe Pump shall\n```\n"),
        ("file:///nowhere/at/all.fretish", "x shall"),
    ] {
        editor.open(uri, text);
        assert_eq!(editor.findings(uri, Some(1)).len(), 1, "{uri}");
        editor.say("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        assert_eq!(editor.findings(uri, None), [""; 0], "{uri}");
    }
    editor.end(0);
}

#[test]
fn nonsense_is_survived() {
    let mut editor = Editor::start();
    let refused = editor.ask("textDocument/hover", json!({}));
    assert_eq!(refused["error"]["code"], -32002);
    editor.raw(b"\xff\xfe garbage\r\n\r\nContent-Length: 3\r\n\r\n{[}");
    assert_eq!(editor.wait(|message| message["id"].is_null())["error"]["code"], -32700);
    editor.raw(b"Content-Length: 2\r\n\r\n[]");
    assert_eq!(editor.wait(|message| message["id"].is_null())["error"]["code"], -32600);
    let refused = editor.ask("initialize", json!({ "capabilities": 3 }));
    assert_eq!(refused["error"]["code"], -32602);
    editor.ask("initialize", json!({ "capabilities": {} }));
    for (method, params, code) in [
        ("textDocument/madeUp", json!({}), -32601),
        ("initialize", json!({ "capabilities": {} }), -32600),
        ("textDocument/hover", json!([1, 2]), -32602),
        ("textDocument/hover", Json::Null, -32602),
        ("textDocument/rename", json!({ "textDocument": {} }), -32602),
    ] {
        assert_eq!(editor.ask(method, params)["error"]["code"], code, "{method}");
    }
    for method in [
        "textDocument/didOpen",
        "textDocument/didChange",
        "made/up",
        "$/cancelRequest",
        "textDocument/didClose",
    ] {
        editor.say(method, json!({ "textDocument": 3 }));
        editor.say(method, Json::Null);
    }
    assert_eq!(editor.at("hover", "file:///not/open.md", 0, 0), Json::Null);

    // Any text, any position.
    for text in [
        "",
        "\r",
        "🚰",
        "## A1\n\n```fretish\n\u{0}\u{feff}速",
        "| name |\n|-|\n| 速",
        "# `\n\n|name|type|\n|-|-|\n|x|enum(|\n",
    ] {
        let uri = "untitled:any.md";
        editor.open(uri, text);
        for line in 0..6 {
            for character in [0, 1, 2, 5, 99, u32::MAX] {
                for method in ["hover", "completion", "definition", "documentHighlight", "prepareRename"] {
                    editor.at(method, uri, line, character);
                }
            }
        }
        for method in ["documentSymbol", "foldingRange", "semanticTokens/full"] {
            let answer =
                editor.ask(&format!("textDocument/{method}"), json!({ "textDocument": { "uri": uri } }));
            assert_eq!(answer["error"], Json::Null, "{method} {text}");
        }
    }
    editor.end(1);

    // The pipe is closed in the middle of a message.
    let mut editor = Editor::start();
    editor.raw(b"Content-Length: 100\r\n\r\n{");
    editor.input = None;
    assert_eq!(editor.server.wait().expect("the server ends").code(), Some(1));
}
