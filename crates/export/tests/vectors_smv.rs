//! The SMV models are well formed and give the expected verdicts: formulas and signals are read back from the written text
//! and evaluated on the infinite run of the model.

use logic::{Formula, SMV, Store, Trace, Value, holds_at};
use requirement::vectors::{Setting, Templates, boundary, random};
use requirement::{Context, lower_formula};
use shall_export::vectors::smv;
use std::collections::{BTreeMap, BTreeSet};

/// The declarations of the text, and its specifications by name.
struct Model {
    names: Vec<String>,
    specs: Vec<(String, String)>,
}

/// Reads a model line by line; every line must be legal in a model.
fn read(text: &str) -> Model {
    let mut model = Model { names: Vec::new(), specs: Vec::new() };
    let mut open_cases = 0;
    assert!(text.ends_with(";\n"));
    for line in text.lines() {
        assert_eq!(line.matches('(').count(), line.matches(')').count(), "{line}");
        let word = line.trim();
        if word.is_empty()
            || word.starts_with("--")
            || ["MODULE main", "VAR", "ASSIGN", "DEFINE"].contains(&word)
        {
            assert_eq!(open_cases, 0, "{line}");
            continue;
        }
        if let Some(spec) = word.strip_prefix("LTLSPEC NAME ") {
            let (name, formula) = spec.split_once(" := ").expect("a specification has a formula");
            let formula = formula.strip_suffix(';').expect("a specification ends with a semicolon");
            model.specs.push((name.to_string(), formula.to_string()));
        } else if let Some(opened) = word.strip_suffix(" := case") {
            open_cases += 1;
            model.names.push(opened.trim_start_matches("next(").trim_end_matches(')').to_string());
        } else if word == "esac;" {
            open_cases -= 1;
        } else {
            assert!(word.ends_with(';') && !word.trim_end_matches(';').contains(';'), "{line}");
            let declares = !line.starts_with("    ") && !word.starts_with("init(");
            model
                .names
                .extend(declares.then(|| word.split([' ', ':']).next().unwrap_or_default().to_string()));
        }
    }
    assert_eq!(open_cases, 0);
    model
}

fn check_names(model: &Model) {
    let mut seen = BTreeSet::new();
    for (name, _) in &model.specs {
        assert!(SMV.is_plain(name), "{name}");
        assert!(seen.insert(name), "{name} twice");
    }
    for name in &model.names {
        assert!(SMV.is_plain(name), "{name}");
        assert!(!seen.contains(name), "{name} twice");
    }
}

fn formula(store: &mut Store, text: &str) -> Formula {
    let (formula, diagnostics) = lower_formula(store, &syntax::formula::parse(text), &Context::default());
    formula.unwrap_or_else(|| panic!("{text}: {diagnostics:?}"))
}

/// The signals at each value of the clock, by the cases of their definitions.
fn run(text: &str, length: usize) -> Trace {
    let mut columns: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut lines = text.lines().skip_while(|line| *line != "DEFINE").skip(1);
    while let Some((name, definition)) = lines.next().and_then(|line| line.trim().split_once(" := ")) {
        let mut cases: Vec<(String, bool)> = Vec::new();
        match definition {
            "FALSE;" => cases.push(("TRUE".into(), false)),
            "case" => {
                for line in lines.by_ref().take_while(|line| line.trim() != "esac;") {
                    let (condition, value) = line.trim().split_once(" : ").expect("a case has a value");
                    cases.push((condition.to_string(), value == "TRUE;"));
                }
            }
            equation => {
                let condition = equation.trim_matches(['(', ')', ';']).to_string();
                cases.extend([(condition, true), ("TRUE".into(), false)]);
            }
        }
        let value = |t: usize| {
            let applies = |condition: &str| match condition.split(' ').collect::<Vec<_>>()[..] {
                ["t", "<", number] => t < number.parse().unwrap(),
                ["t", "<=", number] => t <= number.parse().unwrap(),
                ["t", "=", number] => t == number.parse::<usize>().unwrap(),
                _ => condition == "TRUE",
            };
            cases.iter().find(|(condition, _)| applies(condition)).expect("a case applies").1
        };
        columns.insert(name.to_string(), (0..=length).map(|t| Value::Bool(value(t))).collect());
    }
    // The clock stays after the last position forever.
    let empty = Trace::new(length + 1, Some(length)).unwrap();
    columns.into_iter().fold(empty, |trace, (name, column)| trace.with(&name, column).unwrap())
}

#[test]
fn models_of_settings_replay() {
    let mut by_steps: BTreeMap<u64, (Templates, Vec<smv::Spec>)> = BTreeMap::new();
    let settings: Vec<Setting> = boundary(6, 2, 40).into_iter().chain(random(9, None, 20, 5)).collect();
    for setting in settings {
        let (templates, specs) = by_steps.entry(setting.steps).or_insert_with(|| {
            let mut templates = Templates::new(setting.steps, |_| true);
            let specs = smv::specs(&mut templates).expect("NuSMV has all operators");
            (templates, specs)
        });
        let expected = templates.verdicts(&setting).unwrap_or_else(|dissent| panic!("{dissent}"));
        let text = smv::trace_model(&setting, specs, &expected);
        let model = read(&text);
        check_names(&model);
        assert_eq!(model.names, ["t", "t", "LAST", "MODE", "COND", "STOP", "RES"]);
        assert_eq!(model.specs.len(), 2 * 264);
        let trace = run(&text, setting.length);
        let comments = text.lines().filter_map(|line| line.split_once(": expected "));
        let comments: Vec<bool> = comments.map(|(_, expected)| expected == "TRUE").collect();
        assert_eq!(comments, expected);
        let mut store = Store::default();
        for (pair, expected) in model.specs.chunks(2).zip(expected) {
            assert!(pair[0].0.starts_with("FT_") && pair[1].0.starts_with("PT_"));
            assert!(pair[1].1.starts_with("G (LAST -> "), "{}", pair[1].1);
            for (name, text) in pair {
                let formula = formula(&mut store, text);
                assert_eq!(holds_at(&store, formula, &trace, 0), Ok(expected), "{name} on {setting}");
            }
        }
    }
}

/// Past and future formulas agree on runs that continue arbitrarily after the last position.
#[test]
fn equivalences_hold() {
    for (length, steps) in [(1, 0), (4, 2), (5, 3)] {
        let mut templates = Templates::new(steps, |_| true);
        let text = smv::equivalence_model(length, &mut templates).expect("NuSMV has all operators");
        let model = read(&text);
        check_names(&model);
        assert_eq!(model.names, ["t", "mode", "cond", "stop", "res", "t", "LAST"]);
        assert_eq!(model.specs.len(), 264);
        let mut store = Store::default();
        let formulas: Vec<(String, Formula)> =
            model.specs.iter().map(|(name, text)| (name.clone(), formula(&mut store, text))).collect();
        for setting in random(length + 1, Some(steps), 60, 11) {
            let columns = ["mode", "cond", "stop", "res"].into_iter().enumerate();
            let trace = columns.fold(Trace::new(length + 1, Some(length)).unwrap(), |trace, (atom, name)| {
                let column = (0..=length).map(|t| Value::Bool(setting.holds(atom, t))).collect();
                trace.with(name, column).unwrap()
            });
            let last = (0..=length).map(|t| Value::Bool(t + 1 == length)).collect();
            let trace = trace.with("LAST", last).unwrap();
            for (name, formula) in &formulas {
                assert!(name.starts_with("EQ_"));
                assert_eq!(holds_at(&store, *formula, &trace, 0), Ok(true), "{name} on {setting}");
            }
        }
    }
}
