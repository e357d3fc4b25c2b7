//! Small projects of our own through reading, writing, documents and sidecar, and back; random ones; damaged ones.

use super::{
    NativeRequirement, NativeVariable, Project, Shape, attribute_text, attribute_value, join, parts, read,
    rebuild, semantics, sidecar, split, variable_list, weave, write,
};
use crate::Limits;
use crate::Spot;
use base::Random;
use requirement::specification::{Kind, Type};
use serde_json::{Map, Value, json};

fn project(value: &Value) -> Project {
    read(value.to_string().as_bytes(), Limits::default()).expect("it can be read").project
}

fn written(project: &Project) -> Value {
    serde_json::from_str(&write(project)).expect("what we write is JSON")
}

/// With null for every `semantics`.
fn bare(mut value: Value) -> Value {
    let is_list = value.is_array();
    let list = if is_list { Some(&mut value) } else { value.get_mut("requirements") };
    for requirement in list.and_then(Value::as_array_mut).into_iter().flatten() {
        requirement["semantics"] = Value::Null;
    }
    value
}

/// Reading, writing, documents and sidecar give the project back.
fn check_lossless(value: &Value) {
    let first = project(value);
    let text = written(&first);
    assert_eq!(bare(text.clone()), bare(value.clone()));
    assert_eq!(project(&text), first);
    let projects = split(&first).into_iter().map(|project| {
        let parts = parts(&project);
        let kept: Value =
            serde_json::from_str(&sidecar(&project, &[]).to_string()).expect("a sidecar is JSON");
        let rebuilt = rebuild(Some(&kept), &parts.requirements, &parts.variables, &parts.name);
        assert_eq!(rebuilt, project, "{value:#}");
        (parts.name, rebuilt)
    });
    let rebuilt = join(&weave(&first), projects.collect());
    assert_eq!(rebuilt, first, "{value:#}");
    assert_eq!(bare(written(&rebuilt)).to_string(), bare(value.clone()).to_string(), "the order of members");
}

fn pumps() -> Value {
    json!({
        "about": ["unknown", 1.5, null],
        "requirements": [
            {
                "reqid": "PUMP-1", "parent_reqid": "", "project": "Pumps", "rationale": "Because.\n\nReally. ",
                "comments": "", "fulltext": " In filling mode the pump shall always satisfy level < LIMIT. ",
                "status": "open", "semantics": { "type": "nasa", "ours": [1] }, "_id": "k1"
            },
            {
                "reqid": "PUMP-2", "owner": "true", "parent_reqid": "PUMP-1", "project": "Pumps", "rationale": "",
                "fulltext": "whenever stop the pump shall within 2 ticks satisfy !running", "semantics": {},
                "_id": "k2", "weight": 3, "tags": ["a", { "b": null }]
            },
            { "reqid": "NOTE", "fulltext": "", "semantics": {} }
        ],
        "variables": [
            {
                "project": "Pumps", "component_name": "pump", "variable_name": "level", "reqs": ["k1"],
                "dataType": "single", "idType": "Input", "moduleName": "", "description": "how full",
                "assignment": "", "modeldoc": false, "extra": { "x": 1 }, "completed": true, "_id": "Pumpspumplevel"
            },
            { "modeldoc": true, "variable_name": "u1", "component_name": "m/pump", "dataType": ["double"] },
            {
                "project": "Pumps", "component_name": "pump", "variable_name": "LIMIT", "reqs": ["k1", "gone"],
                "dataType": "int32", "idType": "Internal", "description": "", "assignment": "90",
                "assignmentVariables": [], "_id": "Pumpspumplimit"
            }
        ],
        "version": 4
    })
}

#[test]
fn both_shapes_come_back() {
    check_lossless(&pumps());
    check_lossless(&pumps()["requirements"]);
    check_lossless(&json!([]));
    check_lossless(&json!({ "requirements": [] }));
    check_lossless(&json!({ "variables": [], "requirements": [] }));
    assert_eq!(project(&json!([])).shape, Shape::List);
    let kept = &written(&project(&pumps()))["requirements"][0]["semantics"];
    assert_eq!((&kept["ours"], &kept["scope_mode"]), (&json!([1]), &json!("filling")));
    assert_eq!(written(&project(&pumps()))["requirements"][2]["semantics"], json!({}));
}

/// Projects in one file that have the same ids, components and variables, mixed, with members of the file around them.
#[test]
fn several_projects_come_back() {
    let requirement = |project: &str, id: &str, key: &str| {
        json!({"reqid": id, "parent_reqid": "", "project": project, "rationale": "", "comments": "",
            "fulltext": "when p sw shall satisfy q", "status": "", "semantics": {}, "_id": key})
    };
    let variable = |project: &str, ty: &str| {
        json!({"project": project, "component_name": "sw", "variable_name": "p", "reqs": ["k"], "dataType": ty,
            "idType": "Input", "_id": format!("{project}swp")})
    };
    let requirements = json!([
        requirement("P", "R1", "a"),
        requirement("Q", "R1", "b"),
        requirement("", "R2", "c"),
        requirement("Q", "R2", "d"),
        requirement("P", "R3", "e"),
    ]);
    check_lossless(&requirements);
    let variables = json!([
        variable("Q", "integer"),
        variable("P", "boolean"),
        variable("", "double"),
        variable("S", "")
    ]);
    let file = json!({"version": 1, "variables": variables, "requirements": requirements});
    check_lossless(&file);
    let projects = split(&project(&file));
    let names: Vec<&str> = projects.iter().map(Project::name).collect();
    assert_eq!(names, ["P", "Q", "S"]);
    assert_eq!(projects[0].requirements.len(), 3, "what names no project belongs to the first");
    // A requirement that is gone, and one that is new, leave the others in their places.
    let mut first = projects[0].clone();
    first.requirements.remove(0);
    let added = Project {
        shape: Shape::Object,
        requirements: projects[1].requirements[..1].to_vec(),
        ..projects[0].clone()
    };
    let all =
        [("P", first), ("Q", projects[1].clone()), ("T", added)].map(|(name, it)| (name.to_string(), it));
    let joined = written(&join(&weave(&project(&file)), all.to_vec()));
    let keys: Vec<&str> = joined["requirements"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["_id"].as_str())
        .collect();
    assert_eq!(keys, ["c", "b", "e", "d", "b"]);
}

#[test]
fn parts_say_what_the_file_says() {
    let parts = parts(&project(&pumps()));
    assert_eq!(parts.name, "Pumps");
    let second = &parts.requirements[1];
    assert_eq!(
        (second.id.as_str(), second.parent.as_str(), second.status.as_str()),
        ("PUMP-2", "PUMP-1", "")
    );
    let attributes: Vec<(&str, &str)> =
        second.attributes.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(attributes, [("owner", "\"true\""), ("weight", "3"), ("tags", "[\"a\",{\"b\":null}]")]);
    let shown = parts.variables.iter().map(|variable| {
        let ty = variable.ty.as_ref().map(Type::to_string);
        (variable.name.as_str(), variable.kind, ty, variable.definition.as_deref())
    });
    let int32 = "int -2147483648..2147483647".to_string();
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [
            ("level", Some(Kind::Input), Some("real".to_string()), None),
            ("LIMIT", Some(Kind::Constant), Some(int32), Some("90")),
        ]
    );
}

#[test]
fn documents_win() {
    let first = project(&pumps());
    let kept = sidecar(&first, &[]);
    let mut parts = parts(&first);
    // Reflowed, changed, removed, added; a variable with another type, a new one, one that is gone.
    parts.requirements[0].rationale = "Because. Really.".into();
    parts.requirements[1].comments = "new".into();
    parts.requirements[1].attributes.remove(0);
    parts.requirements[1].text = "the pump shall always satisfy level < 3 & !alarm".into();
    parts.requirements.remove(2);
    let added = NativeRequirement {
        id: "PUMP-1b".into(),
        name: "PUMP-1b".into(),
        text: "the pump shall satisfy alarm".into(),
        ..Default::default()
    };
    parts.requirements.insert(1, added);
    parts.variables.remove(1);
    parts.variables[0].ty = Type::parse("uint8").ok();
    let alarm = NativeVariable {
        component: "pump".into(),
        name: "alarm".into(),
        kind: Some(Kind::Output),
        ty: Some(Type::Bool),
        ..Default::default()
    };
    parts.variables.push(alarm);
    let value = written(&rebuild(Some(&kept), &parts.requirements, &parts.variables, "Pumps"));
    let requirements = &value["requirements"];
    assert_eq!(requirements[0]["rationale"], "Because.\n\nReally. ");
    assert_eq!(requirements[1]["reqid"], "PUMP-1b");
    let fresh: Vec<&String> = requirements[1].as_object().expect("an object").keys().collect();
    assert_eq!(fresh, super::sidecar::ORDER.iter().collect::<Vec<_>>());
    assert_eq!((&requirements[2]["comments"], &requirements[2]["_id"]), (&json!("new"), &json!("k2")));
    assert_eq!(requirements[2].get("owner"), None);
    assert_eq!(requirements.as_array().map(Vec::len), Some(3));
    let new_key = requirements[1]["_id"].clone();
    let variables = &value["variables"];
    let level = &variables[0];
    assert_eq!(
        (&level["dataType"], &level["reqs"], &level["extra"]),
        (&json!("uint8"), &json!(["k1", "k2"]), &json!({ "x": 1 }))
    );
    assert_eq!(variables[1]["variable_name"], "u1");
    assert_eq!(variables[2]["_id"], "Pumpspumpalarm");
    assert_eq!(variables[2]["reqs"], json!([new_key, "k2"]));
    assert_eq!(variables.as_array().map(Vec::len), Some(3));

    let renamed = rebuild(Some(&kept), &parts.requirements, &parts.variables, "Valves");
    assert_eq!(renamed.name(), "Valves");
    assert_eq!(written(&renamed)["variables"][0]["_id"], "Valvespumplevel");
    // A damaged sidecar costs what it held, nothing more.
    for damaged in [json!(3), json!({ "requirements": 1, "variables": [1, {}], "rest": [] })] {
        let anew = rebuild(Some(&damaged), &parts.requirements, &parts.variables, "Pumps");
        assert_eq!(super::parts(&anew).requirements, parts.requirements);
    }
}

#[test]
fn attributes_come_back() {
    let texts = [
        "",
        "plain",
        "two\nlines",
        "true",
        "3",
        "\"q\"",
        "\"open",
        "{}",
        "[1,",
        " led",
        "trail ",
        "a\tb",
        "null",
        "1e5",
        "é\u{1}",
    ];
    for text in texts {
        let value = json!(text);
        assert_eq!(attribute_value(&attribute_text(&value)), value, "{text:?}");
    }
    for value in [json!(null), json!(true), json!(-1.5), json!([1, "x"]), json!({ "a": "\n" })] {
        assert_eq!(attribute_value(&attribute_text(&value)), value);
    }
    assert_eq!(attribute_text(&json!("two\nlines")), "two\nlines");
    assert_eq!(attribute_text(&json!("true")), "\"true\"");
}

#[test]
fn what_is_wrong_has_a_place() {
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    for (text, expected) in [
        ("", "the file is not valid JSON: EOF while parsing a value (line 1, column 0); export"),
        ("[{]", "the file is not valid JSON: key must be a string (line 1, column 3)"),
        ("[1e999]", "the file is not valid JSON: number out of range (line 1, column 6);"),
        ("3", "this is not a FRET project (line 1, column 1)"),
        ("{}", "the object has no member `requirements` (line 1, column 1)"),
        ("{\"requirements\": 3}", "the member `requirements` is not a list (line 1, column 1)"),
        ("[\n  3]", "entry 1 of `requirements` is not an object (line 2, column 3)"),
        ("[\n {\"reqid\": 7}]", "requirement 1 has no id (line 2, column 2)"),
        (&deep, "the file is not valid JSON: recursion limit exceeded (line 1, column 128);"),
    ] {
        let error = read(text.as_bytes(), Limits::default()).expect_err("it is wrong").to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let error = read(b"[\n\xff]", Limits::default()).expect_err("no UTF-8");
    assert_eq!(error.place.spot, Spot::Line(2, 1));
    let small = Limits { total: 10, ..Limits::default() };
    assert!(read(b"[{\"reqid\": 1}]", small).is_err());
    let few = Limits { nodes: 1, ..Limits::default() };
    assert!(read(b"[{\"reqid\": \"a\"}, {\"reqid\": \"b\"}]", few).is_err());

    let alike = "[{\"reqid\": \"a\", \"fulltext\": \"\"},\n{\"reqid\": \"a\", \"fulltext\": \"\"},\n{\"reqid\": \"\", \"fulltext\": \"\"}]";
    let reading = read(alike.as_bytes(), Limits::default()).expect("it is only odd");
    let warnings: Vec<String> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "requirements 1 and 2 have the same id `a` (line 2, column 1); its heading gets a number; rename one of them in FRET",
            "1 requirement has an empty id (line 3, column 1); the headings are `unnamed_1` and so on; name them in FRET",
        ]
    );

    let odd = "\u{feff}{\"requirements\": [{\"reqid\": \"a\", \"status\": null, \"status\": 2, \"semantics\": 1}],\n\"variables\": [{\"component_name\": \"c\", \"variable_name\": \"v\", \"idType\": \"Sensor\"}]}";
    let reading = read(odd.as_bytes(), Limits::default()).expect("it is only odd");
    let warnings: Vec<String> = reading.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "`status` of `a` is not a text (line 1, column 19); it is kept as it is",
            "`a` has no `fulltext` (line 1, column 19); write its sentence",
            "`semantics` of `a` is not an object (line 1, column 19); it is replaced with the meaning of the sentence",
            "the member `status` appears twice in one object (line 1, column 50); only the last is kept; remove the other",
            "the kind of the variable `v` is not known (line 2, column 15); it is kept as it is",
        ]
    );
    assert_eq!(reading.project.requirements[0].members["status"], 2);
}

#[test]
fn lists_of_variables() {
    for (text, expected) in [
        (
            r#"[{"variable_name": "v", "idType": "Input"}, {"variable_name": "w", "component_name": "c"}]"#,
            Some(" v,c w"),
        ),
        (
            r#"[{"variable_name": "v"}, {"variable_name": "a b|c"}, {"variable_name": "m", "modeldoc": true}]"#,
            Some(" v"),
        ),
        (r#"[{"variable_name": "v"}, {"reqid": "a"}]"#, None),
        (r#"[{"variable_name": "v", "reqid": "a"}]"#, None),
        ("[]", None),
        ("[1]", None),
        ("{}", None),
        ("[", None),
    ] {
        let found = variable_list(text.as_bytes(), Limits::default()).map(|list| {
            let names: Vec<String> = list.iter().map(|it| format!("{} {}", it.component, it.name)).collect();
            names.join(",")
        });
        assert_eq!(found.as_deref(), expected, "{text}");
    }
}

#[test]
fn formulas_know_the_declared_types() {
    let text = r#"{ "requirements": [{ "reqid": "a", "fulltext": "the pump shall always satisfy abs(w) <= 2", "semantics": {} }],
        "variables": [{ "component_name": "pump", "variable_name": "w", "dataType": "TYPE", "idType": "Input" }] }"#;
    for (ty, expected) in [("double", "absReal(w)"), ("integer", "absInt(w)"), ("boolean", "absInt(w)")] {
        let reading = read(text.replace("TYPE", ty).as_bytes(), Limits::default()).expect("a project");
        let written = write(&reading.project);
        assert!(written.contains(&format!("\"CoCoSpecCode\": \"H(({expected} <= 2))\"")), "{ty}: {written}");
    }
}

#[test]
fn fields_of_sentences() {
    let text = "  After boot, and when p or unless q is true, the pump shall, until s = 1, satisfy if r then x > -2.5 .";
    let found = semantics(text);
    for (name, expected) in [
        ("type", json!("nasa")),
        ("scope", json!({ "type": "after", "exclusive": false, "required": false })),
        ("condition", json!("regular")),
        ("probability", json!("null")),
        ("timing", json!("until")),
        ("variables", json!(["boot", "p", "q", "s", "r", "x"])),
        ("scope_mode", json!("boot")),
        ("scopeTextRange", json!([0, 10])),
        ("qualifier_word", json!("unless")),
        ("pre_condition", json!("(q)")),
        ("regular_condition", json!("((p) | (! (q)))")),
        ("conditionTextRange", json!([12, 42])),
        ("componentTextRange", json!([44, 51])),
        ("stop_condition", json!("(s = 1)")),
        ("timingTextRange", json!([58, 71])),
        ("post_condition", json!("(r => x > -2.5)")),
        ("responseTextRange", json!([73, 98])),
        ("diagram", json!("_media/user-interface/examples/svgDiagrams/after_regular_until_satisfaction.svg")),
        ("component", json!("pump")),
    ] {
        assert_eq!(found.get(name), Some(&expected), "{name}");
    }
    let unknown: Vec<&String> =
        found.keys().filter(|name| !super::SEMANTICS.contains(&name.as_str())).collect();
    assert_eq!(unknown, [""; 0]);
    assert_eq!(semantics("the pump shall").len(), 0);
    assert_eq!(semantics("\"just a note\"")["type"], "freeForm");
    // Positions count UTF-16 units.
    assert_eq!(semantics("the \"𝔭\" shall satisfy x")["componentTextRange"], json!([0, 7]));
}

#[test]
fn formulas_of_sentences() {
    let rows = "
        pt of the pump shall always satisfy p: (H p)
        ft of the pump shall always satisfy p: (LAST V p)
        CoCoSpecCode of the pump shall always satisfy p: H(p)
        scope_mode_pt of in m the pump shall always satisfy p: m
        post_condition_SMV_ft of the pump shall always satisfy x + 1 > 2: (x + 1 > 2)
        pt of the pump shall always satisfy Xr | r: (H (Xr | r))
        pt of the pump shall for 3 ticks satisfy p: (H (O[<=3] FTP -> p))
        ptExpanded of the pump shall for 3 ticks satisfy p: (H (O[0,3] Z FALSE -> p))
        CoCoSpecCode of the pump shall always satisfy preReal(0.0, x) <= 2.0: H(((0.0 -> pre (x)) <= 2.0))
        CoCoSpecCode of the pump shall always satisfy absReal(k) <= j: H((absReal(k) <= j))
        CoCoSpecCode of the pump shall always satisfy abs(k) < 1.5 * j: H((absReal(k) < (1.5 * j)))
        CoCoSpecCode of the pump shall always satisfy abs(k) < 2: H((absInt(k) < 2))
        ftInfAUExpanded of when p the pump shall satisfy q:
    ";
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (name, rest) = row.split_once(" of ").expect(row);
        let (text, expected) = rest.split_once(':').expect(row);
        let expected = expected.trim();
        let found = semantics(text);
        let formula = found.get(name).and_then(Value::as_str).unwrap_or("nothing");
        assert!(
            if expected.is_empty() { formula != "nothing" } else { formula == expected },
            "{text}: {formula}"
        );
    }
    let predicate = semantics("the pump shall always satisfy persisted(3, p)");
    assert_eq!(predicate.get("post_condition_unexp_pt"), None);
    assert!(predicate.contains_key("pt") && !predicate.contains_key("ft"));
}

fn value(rng: &mut Random, depth: usize) -> Value {
    const TEXTS: [&str; 9] = ["", "a", "true", " x\n\ny ", "\"", "12", "é 𝔭", "{\"a\": 1}", "a\r\nb\t"];
    match rng.below(if depth == 0 { 5 } else { 7 }) {
        0 => Value::Null,
        1 => json!(rng.below(2) == 0),
        2 => json!(rng.below(1000) as f64 / 8.0),
        3 | 4 => json!(TEXTS[rng.below(TEXTS.len())]),
        5 => (0..rng.below(3)).map(|_| value(rng, depth - 1)).collect(),
        _ => Value::Object((0..rng.below(3)).map(|k| (format!("k{k}"), value(rng, depth - 1))).collect()),
    }
}

/// Some of the names in some order, with some values.
fn members(rng: &mut Random, names: &[&str]) -> Map<String, Value> {
    let mut names = names.to_vec();
    let mut members = Map::new();
    while !names.is_empty() && rng.below(8) > 0 {
        let name = names.remove(rng.below(names.len()).min(rng.below(names.len())));
        let value = if rng.below(3) > 0 { json!("some text") } else { value(rng, 2) };
        members.insert(name.into(), value);
    }
    members
}

fn random_project(rng: &mut Random) -> Value {
    let requirements: Vec<Value> = (0..rng.below(4))
        .map(|index| {
            let mut members = members(
                rng,
                &[
                    "parent_reqid",
                    "project",
                    "rationale",
                    "comments",
                    "fulltext",
                    "status",
                    "_id",
                    "x",
                    "y",
                    "z",
                ],
            );
            members.shift_insert(rng.below(members.len() + 1), "reqid".into(), json!(format!("R{index}")));
            members.shift_insert(rng.below(members.len() + 1), "semantics".into(), json!({}));
            members.into()
        })
        .collect();
    if rng.below(3) == 0 {
        return requirements.into();
    }
    let variables: Vec<Value> = (0..rng.below(4))
        .map(|_| {
            let mut members =
                members(rng, &["project", "reqs", "dataType", "idType", "assignment", "modeldoc", "q"]);
            members.insert("component_name".into(), json!("c"));
            members.insert("variable_name".into(), json!(["u", "v"][rng.below(2)]));
            members.into()
        })
        .collect();
    let mut top = members(rng, &["a", "b"]);
    top.insert("requirements".into(), requirements.into());
    top.shift_insert(rng.below(top.len()), "variables".into(), variables.into());
    top.into()
}

#[test]
fn random_projects_come_back() {
    let mut rng = Random::new(2);
    for _ in 0..400 {
        check_lossless(&random_project(&mut rng));
    }
}

#[test]
fn damaged_files_are_refused_or_read() {
    let text = serde_json::to_string_pretty(&pumps()).expect("JSON").into_bytes();
    for end in (0..text.len()).step_by(7) {
        assert!(read(&text[..end], Limits::default()).is_err());
    }
    let mut rng = Random::new(1);
    for _ in 0..400 {
        let mut bytes = text.clone();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len());
            bytes[at] = b"\"{}[],:0a\\ \xc3\xff"[rng.below(13)];
        }
        if let Ok(reading) = read(&bytes, Limits::default()) {
            let again = read(write(&reading.project).as_bytes(), Limits::default());
            assert_eq!(again.map(|reading| reading.project), Ok(reading.project));
        }
    }
}
