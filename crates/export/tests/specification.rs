//! A small project, written for every target.

mod component;

use component::{component, variable};
use logic::Store;
use requirement::specification::{Component, Kind};
use serde_json::{Value, json};
use shall_export::specification::{Form, Options, Refused, Target, Written, write};

/// A valve: all kinds of variables, names that are illegal for most targets, and a requirement that looks ahead.
fn valve(store: &mut Store) -> Component {
    let variables = vec![
        variable("mode", Kind::Input, "enum(idle, open)", None),
        variable("p.in", Kind::Input, "real 0..16", None),
        variable("steps", Kind::Input, "int 0..100", None),
        variable("H", Kind::Output, "bool", None),
        variable("limit", Kind::Constant, "real", Some("4")),
        variable("high", Kind::Internal, "bool", Some("p.in > limit & steps >= 2")),
        variable("was_high", Kind::Internal, "bool", Some("false -> pre high")),
    ];
    component(
        store,
        "Valve",
        variables,
        &[
            ("V-1", "in mode = open Valve shall always satisfy p.in <= 12"),
            ("V-2", "when high Valve shall within 3 steps satisfy H"),
            ("V-3", "Valve shall always satisfy if was_high then steps > 1.0"),
            ("V-4", "Valve shall always satisfy if H then persists(2, high)"),
        ],
    )
}

fn written(target: Target, options: Options) -> Written {
    let mut store = Store::default();
    let component = valve(&mut store);
    let components = [component];
    let first = write(&mut store, &components, target, &options).expect("there is a file");
    assert_eq!(write(&mut store, &components, target, &options).as_ref(), Ok(&first), "the same each time");
    first
}

fn check(target: Target, options: Options, expected: &str) {
    let written = written(target, options);
    assert_eq!(written.text, expected, "\n{}", written.text);
}

#[test]
fn a_module_for_nuxmv() {
    check(
        Target::Smv,
        Options::default(),
        r#"-- For nuXmv: NuSMV cannot enumerate the values of some numbers.
-- Each specification is the past formula, checked at every step.
-- H_2 is `H` of Valve
-- p_in is `p.in` of Valve

MODULE main
VAR mode : {idle, open};
VAR p_in : real;
VAR steps : 0 .. 100;
VAR H_2 : boolean;
-- left out: was_high: its definition is Lustre; the variable is free
VAR was_high : boolean;
DEFINE limit := 4.0;
DEFINE high := (p_in > limit) & (steps >= 2);
INVAR 0 <= p_in;
INVAR p_in <= 16;
-- V-1: in mode = open Valve shall always satisfy p.in <= 12
LTLSPEC NAME V-1 := G ((mode = open) -> (p_in <= 12.0));
-- V-2: when high Valve shall within 3 steps satisfy H
LTLSPEC NAME V-2 := G ((O [3,3] (high & (Z (!high)))) -> (O [0,3] H_2));
-- V-3: Valve shall always satisfy if was_high then steps > 1.0
LTLSPEC NAME V-3 := G (was_high -> (steps > 1));
-- V-4: Valve shall always satisfy if H then persists(2, high)
-- left out: V-4: `persists` looks into the future
"#,
    );
}

#[test]
fn a_contract_for_kind_2() {
    check(
        Target::CoCoSpec,
        Options::default(),
        r#"-- Contracts for Kind 2. At each step, a guarantee judges the steps so far.
-- H_2 is `H` of Valve
-- mode_2 is `mode` of Valve
-- p_in is `p.in` of Valve

type mode_type = enum { idle, open };

-- p held at all steps so far
node H(p: bool) returns (holds: bool);
let
  holds = p and (true -> pre holds);
tel

-- p held at the previous step, if there is one
node Z(p: bool) returns (holds: bool);
let
  holds = true -> pre p;
tel

-- q held n or more steps ago, and p at all steps since; count has the steps from the first such q to now
node SL(const n: int; q, p: bool) returns (holds: bool);
var count: int;
let
  count = (if q then 1 else 0) -> if p and pre count > 0 then (if pre count > n then pre count else pre count + 1)
    else if q then 1 else 0;
  holds = count > n;
tel

-- Valve
contract ValveSpec(mode_2: mode_type; p_in: real; steps: int) returns (H_2: bool);
let
  const limit: real = 4.0;
  var high: bool = (p_in > limit) and (steps >= 2);
  var was_high: bool = false -> pre high;
  assume 0.0 <= p_in and p_in <= 16.0;
  assume 0 <= steps and steps <= 100;
  -- V-1: in mode = open Valve shall always satisfy p.in <= 12
  guarantee "V-1" H((mode_2 = open) => (p_in <= 12.0));
  -- V-2: when high Valve shall within 3 steps satisfy H
  guarantee "V-2" H(not SL(3, (not H_2) and high and Z(not high), not H_2));
  -- V-3: Valve shall always satisfy if was_high then steps > 1.0
  guarantee "V-3" H(was_high => (steps > 1));
  -- V-4: Valve shall always satisfy if H then persists(2, high)
  -- left out: V-4: `persists` looks into the future
tel
"#,
    );
}

#[test]
fn a_specification_for_c2po() {
    check(
        Target::C2po,
        Options::default(),
        r#"-- For C2PO and R2U2. M is the mission time: set --mission-time to the length of the longest run, in steps.
-- The verdict at a step covers the steps so far.
-- R2U2 compares floating-point numbers up to an epsilon.
-- H_2 is `H` of Valve
-- p_in is `p.in` of Valve
-- V_1 is `V-1` of Valve
-- V_2 is `V-2` of Valve
-- V_3 is `V-3` of Valve
-- V_4 is `V-4` of Valve

INPUT
  mode: int;
  p_in: float;
  steps: int;
  H_2: bool;
  -- left out: was_high: its definition is Lustre; the variable is an input
  was_high: bool;

DEFINE
  idle := 0;
  open := 1;
  limit := 4.0;
  high := (p_in > limit) && (steps >= 2);

PTSPEC
  -- V-1: in mode = open Valve shall always satisfy p.in <= 12
  V_1: H[0,M] ((mode == open) -> (p_in <= 12.0));
  -- V-2: when high Valve shall within 3 steps satisfy H
  V_2: H[0,M] ((O[3,3] (high && (H[1,1] (!high)))) -> (O[0,3] H_2));
  -- V-3: Valve shall always satisfy if was_high then steps > 1.0
  V_3: H[0,M] (was_high -> (steps > 1));
  -- V-4: Valve shall always satisfy if H then persists(2, high)
  -- left out: V-4: `persists` looks into the future
"#,
    );
}

#[test]
fn modes_of_a_contract() {
    let text = written(Target::CoCoSpec, Options { modes: true, ..Options::default() }).text;
    for line in [
        "  mode V_1 ( require mode_2 = open; ensure p_in <= 12.0; );",
        "  mode elsewhere ( require not (mode_2 = open); );",
        "-- V_1 is `V-1` of Valve",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

#[test]
fn future_formulas_for_smv() {
    let finite = written(Target::Smv, Options { form: Form::FutureFinite, ..Options::default() });
    assert!(finite.text.contains("VAR LAST : boolean;"), "{}", finite.text);
    assert!(
        finite.text.contains("LTLSPEC NAME V-3 := (F LAST) -> (LAST V (was_high -> (steps > 1)));"),
        "{}",
        finite.text
    );
    // The requirement that looks ahead has a formula here; the Lustre definition is still missing.
    assert_eq!(finite.left_out.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["was_high"]);
    let infinite = written(Target::Smv, Options { form: Form::FutureInfinite, ..Options::default() });
    assert!(infinite.text.contains("LTLSPEC NAME V-4 := G (H_2 -> (G [0,2] high));"), "{}", infinite.text);
}

#[test]
fn json_for_ogma() {
    let written = written(Target::Ogma, Options::default());
    let document: Value = serde_json::from_str(&written.text).expect("JSON");
    let spec = &document["ValveSpec"];
    assert_eq!(
        spec["Requirements"][1],
        json!({
            "name": "V-2",
            "ptLTL": "H ((O[=3] (high & (Z (! high)))) -> (O[<=3] H_2))",
            "CoCoSpecCode": "H(OT(3, 3, high and (not Y(not (not high)))) => OT(3, 0, H_2))",
            "fretish": "when high Valve shall within 3 steps satisfy H",
        })
    );
    assert_eq!(
        spec["Internal_variables"][3],
        json!({
            "name": "high",
            "type": "bool",
            "assignmentLustre": "(p_in > limit) and (steps >= 2)",
            "assignmentCopilot": "(p_in > limit) && (steps >= 2)",
        })
    );
    assert_eq!(spec["Other_variables"][1], json!({ "name": "p_in", "type": "real" }));
    assert_eq!(spec["Left_out"][1]["id"], "V-4");
    let mut store = Store::default();
    let valve = valve(&mut store);
    let two = [valve.clone(), valve];
    let refused = write(&mut store, &two, Target::Ogma, &Options::default());
    assert_eq!(refused, Err(Refused::OneComponent { target: Target::Ogma, components: 2 }));
}

#[test]
fn json_for_programs() {
    let written = written(Target::Json, Options::default());
    let document: Value = serde_json::from_str(&written.text).expect("JSON");
    assert_eq!((&document["format"], &document["version"]), (&json!("shall-specification"), &json!(1)));
    let component = &document["components"][0];
    assert_eq!(component["variables"][1]["type"], "real 0..16");
    let requirements = &component["requirements"];
    assert_eq!(
        requirements[0],
        json!({
            "id": "V-1",
            "role": "guarantee",
            "text": "in mode = open Valve shall always satisfy p.in <= 12",
            "component": "Valve",
            "key": { "scope": "in", "condition": "null", "timing": "always" },
            "steps": null,
            "fields": {
                "scope": "in mode = open", "scope_mode": "mode = open", "component": "Valve", "timing": "always",
                "response": "p.in <= 12",
            },
            "past": "H (mode = open -> p.in <= 12)",
            "future_finite": "G (mode = open -> p.in <= 12)",
            "future_infinite": "G (mode = open -> p.in <= 12)",
            "refusals": [],
        })
    );
    assert_eq!(requirements[3]["past"], Value::Null);
    assert_eq!(requirements[3]["refusals"][0]["reason"], "`persists` looks into the future");
}

/// The line of a target for one sentence about typed variables; after `!`, why it is left out.
fn line(target: Target, sentence: &str) -> String {
    let mut store = Store::default();
    let variables = vec![
        variable("i", Kind::Input, "int", None),
        variable("n", Kind::Input, "int 0..9", None),
        variable("x", Kind::Input, "real", None),
        variable("p", Kind::Output, "bool", None),
        variable("q", Kind::Output, "bool", None),
        variable("near", Kind::Function, "bool", None),
        variable("a", Kind::Input, "enum(on, off)", None),
        variable("b", Kind::Input, "enum(off, half)", None),
    ];
    let component = component(&mut store, "C", variables, &[("R1", sentence)]);
    let written = write(&mut store, &[component], target, &Options::default()).expect("there is a file");
    let is_it = |line: &&str| {
        ["LTLSPEC NAME R1 := ", "guarantee \"R1\" ", "R1: ", "-- left out: R1: "]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let line = written.text.lines().map(str::trim).find(is_it).unwrap_or_else(|| panic!("{}", written.text));
    let line = line
        .replace("LTLSPEC NAME R1 := ", "")
        .replace("guarantee \"R1\" ", "")
        .replace("-- left out: R1:", "!");
    line.strip_prefix("R1: ").unwrap_or(&line).trim_end_matches(';').to_string()
}

#[test]
fn types_and_what_is_refused() {
    for row in [
        "x > 3  H(x > 3.0)  G (x > 3.0)  H[0,M] (x > 3.0)",
        "i > 3.0  H(i > 3)  G (i > 3)  H[0,M] (i > 3)",
        "i + 1 < x  H(real(i + 1) < x)  G ((i + 1) < x)  ! the target cannot use integers and real numbers together",
        "i / 2 > x  H((real(i) / 2.0) > x)  ! the target rounds quotients of integers  ! the target cannot use integers and real numbers together",
        "x / 4 > -1.5  H((x / 4.0) > (-1.5))  ! the target rounds  H[0,M] ((x / 4.0) > (0.0 - 1.5))",
        "n mod 2 = 0  H((n mod 2) = 0)  G ((n mod 2) = 0)  H[0,M] ((n % 2) == 0)",
        "i mod 2 = 0  H((i mod 2) = 0)  ! the target has a different `mod` for negative  ! the target has a different `mod` for negative",
        "abs(x) < 1  H(abs_real(x) < 1.0)  G (abs(x) < 1.0)  H[0,M] (abs(x) < 1.0)",
        "max(i, n, 1) < 5  H(max_int(i, max_int(n, 1)) < 5)  G (max(i, max(n, 1)) < 5)  ! the target has no function `max`",
        "x ^ 2 < 9  H((x * x) < 9.0)  G ((x * x) < 9.0)  H[0,M] ((x * x) < 9.0)",
        "x ^ 9 < 9  ! only powers  ! only powers  ! only powers",
        "near(x, i)  H(near(x, i))  G near(x, i)  ! the target has no functions",
        "near(x, i) & near(i, i)  ! `near` is used with arguments of different types  ! `near` is used  ! the target has no functions",
        "a = off & b != off  H((a = off) and (b <> off_2))  G ((a = off) & (b != off))  H[0,M] ((a == off) && (b != off_2))",
        "p = q  H(p = q)  G (p <-> q)  H[0,M] (p <-> q)",
        "preInt(0, i) < i  H((0 -> pre i) < i)  ! the target has no previous value  ! the target has no previous value",
        "preBool(false, p)  H(Y(p))  G (Y p)  H[0,M] (O[1,1] p)",
        "FTP | p  H((true -> false) or p)  G ((Z FALSE) | p)  H[0,M] ((H[1,1] false) || p)",
    ] {
        let [response, lustre, smv, c2po] = row.split("  ").collect::<Vec<_>>()[..] else { panic!("{row}") };
        let sentence = format!("C shall always satisfy {response}");
        for (target, expected) in [(Target::CoCoSpec, lustre), (Target::Smv, smv), (Target::C2po, c2po)] {
            let found = line(target, &sentence);
            let same =
                if expected.starts_with('!') { found.starts_with(expected) } else { found == expected };
            assert!(same, "{} {response}:\n{found}\n{expected}", target.name());
        }
    }
}

#[test]
fn components_have_names_of_their_own() {
    let mut store = Store::default();
    let make = |store: &mut Store, name: &str| {
        let variables =
            vec![variable("on", Kind::Output, "bool", None), variable("3d", Kind::Input, "bool", None)];
        component(store, name, variables, &[("R1", &format!("{name} shall always satisfy on"))])
    };
    let components = [make(&mut store, "A"), make(&mut store, "B")];
    let mut text =
        |target| write(&mut store, &components, target, &Options::default()).expect("there is a file").text;
    let c2po = text(Target::C2po);
    for part in [
        "  A_on: bool;\n  A_3d: bool;\n  B_on",
        "  R1: H[0,M] A_on;",
        "  R1_2: H[0,M] B_on;",
        "-- A_on is `on` of A",
    ] {
        assert!(c2po.contains(part), "{c2po}");
    }
    let smv = text(Target::Smv);
    assert!(smv.starts_with("-- For NuSMV and nuXmv.\n"), "{smv}");
    for part in ["MODULE A_2\nVAR on : boolean;\nVAR x3d : boolean;", "VAR it_B : B;", "NAME R1_2 := G on;"] {
        assert!(smv.contains(part), "{smv}");
    }
    let contracts = text(Target::CoCoSpec);
    assert!(contracts.contains("contract BSpec(x3d: bool) returns (on: bool);"), "{contracts}");
}

#[test]
fn definitions_are_read_or_passed_on_as_lustre() {
    for (definition, expected) in [
        ("2", "var d: int = 2;"),
        ("i + 1", "var d: int = i + 1;"),
        ("if p then i else 0", "var d: int = if p then i else 0;"),
        ("0 -> pre(d) + 1", "var d: int = 0 -> pre (d) + 1;"),
        ("if p && !q || i != 2 then 1 else 0", "var d: int = if p and not q or i <> 2 then 1 else 0;"),
        ("if p then mode.x else 0", "var d: int = if p then mode_x else 0;"),
        ("1; tel", "-- left out: d: `;` in its definition is not Lustre"),
        ("if p then 1 else tel", "-- left out: d: `tel` in its definition is not a variable"),
        ("(1", "-- left out: d: its definition is not Lustre"),
        ("1)", "-- left out: d: a parenthesis in its definition was never opened"),
        ("0 -> i - -- 1", "-- left out: d: its definition is not Lustre"),
    ] {
        let mut store = Store::default();
        let variables = vec![
            variable("i", Kind::Input, "int", None),
            variable("mode.x", Kind::Input, "int", None),
            variable("p", Kind::Input, "bool", None),
            variable("q", Kind::Input, "bool", None),
            variable("d", Kind::Internal, "int", Some(definition)),
        ];
        let component = component(&mut store, "C", variables, &[]);
        let written =
            write(&mut store, &[component], Target::CoCoSpec, &Options::default()).expect("there is a file");
        assert!(written.text.lines().any(|line| line.trim() == expected), "{definition}\n{}", written.text);
        assert_eq!(written.left_out.is_empty(), !expected.starts_with("--"), "{definition}");
    }
}

#[test]
fn no_text_of_the_user_leaves_its_place() {
    let mut store = Store::default();
    let mut component = valve(&mut store);
    component.name = "Val\nve\" (* \u{2028}".into();
    for item in &mut component.items {
        item.id = format!("{}\"\\\n; tel", item.id);
        item.text = format!("{}\ntel\r-- %MAIN", item.text);
    }
    for target in Target::ALL {
        let written =
            write(&mut store, &[component.clone()], target, &Options { modes: true, ..Options::default() });
        let text = written.expect("there is a file").text;
        match target {
            Target::Ogma | Target::Json => assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text}"),
            Target::Smv | Target::CoCoSpec | Target::Copilot | Target::C2po => {
                let odd = |line: &&str| !line.is_ascii() && !line.trim_start().starts_with("-- ");
                assert_eq!(text.lines().find(odd), None);
                let tel = text.lines().filter(|line| line.starts_with("tel")).count();
                assert_eq!(tel, text.lines().filter(|line| line.starts_with("let")).count(), "{text}");
            }
        }
    }
    // No components at all.
    for target in [Target::Smv, Target::CoCoSpec, Target::C2po, Target::Json] {
        assert!(write(&mut store, &[], target, &Options::default()).is_ok());
    }
}

/// Assumptions constrain the environment: nothing is owed after one of them was broken.
#[test]
fn assumptions() {
    let mut store = Store::default();
    let variables = vec![
        variable("x", Kind::Input, "int", None),
        variable("y", Kind::Output, "int", None),
        variable("calm", Kind::Internal, "bool", Some("y < 3")),
    ];
    let sentences = [
        ("C-assumption-1", "the c shall always satisfy x > 0"),
        ("C-1", "the c shall always satisfy y > x"),
        ("C-Assumption-2", "the c shall always satisfy calm => x < 9"),
    ];
    let components = [component(&mut store, "C", variables, &sentences)];
    let mut lines = |target, form| {
        let options = Options { form, ..Options::default() };
        write(&mut store, &components, target, &options).expect("there is a file").text
    };
    for (target, form, expected) in [
        (
            Target::CoCoSpec,
            Form::Past,
            &["  assume \"C-assumption-1\" H(x > 0);", "  guarantee \"C-1\" H(calm => (x < 9)) => H(y > x);"]
                [..],
        ),
        (
            Target::Smv,
            Form::Past,
            &["LTLSPEC NAME C-1 := G (((H (x > 0)) & (H (calm -> (x < 9)))) -> (y > x));"],
        ),
        (
            Target::Smv,
            Form::FutureInfinite,
            &["LTLSPEC NAME C-1 := ((G (x > 0)) & (G (calm -> (x < 9)))) -> (G (y > x));"],
        ),
        (Target::Json, Form::Past, &["          \"role\": \"assumption\","]),
    ] {
        let text = lines(target, form);
        for line in expected {
            assert!(text.lines().any(|other| other == *line), "{line}\n{text}");
        }
        let judged = |line: &str| line.contains("guarantee \"C-a") || line.contains("NAME C-a");
        assert!(!text.lines().any(judged), "{text}");
    }
}
