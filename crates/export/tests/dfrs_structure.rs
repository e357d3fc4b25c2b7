//! Every file is well formed: tags and brackets are balanced, every name is declared once and before it is used, and every
//! requirement is there; for all examples, readings and clocks. What a target cannot express is refused.

mod dfrs_common;

use dfrs::{Dfrs, Kind, Reading, Semantics, compile, tiots};
use dfrs_common::{EXAMPLES, fig_3, parse, run, system};
use draw::signals::{signals_svg, signals_text};
use logic::Value;
use shall_export::dfrs::{
    Refusal, aldebaran, csp_sharp, cspm, scr_csv, scr_tables, smv, system_graph, transition_graph, uppaal,
};
use std::collections::BTreeSet;

/// Checks XML: one root, balanced tags, quoted attributes, no bare `&` or `<`. Returns the tags and texts.
fn xml(text: &str) -> Vec<(String, String)> {
    let mut open: Vec<String> = Vec::new();
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let before = &rest[..start];
        assert!(!before.contains('>'), "a bare > in {before}");
        for part in before.split('&').skip(1) {
            let name = part.split(';').next().unwrap_or_default();
            assert!(["lt", "gt", "amp", "quot", "#39"].contains(&name), "&{name}");
        }
        if let Some(tag) = open.last() {
            found.push((tag.clone(), before.trim().to_owned()));
        }
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if tag.starts_with(['?', '!']) {
            assert!(open.is_empty());
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_matches('/').split(' ').next().unwrap_or_default().to_owned();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    found
}

fn plain(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

/// The text without comments.
fn code(text: &str, mark: &str) -> String {
    text.lines().map(|line| line.split(mark).next().unwrap_or_default().to_owned() + "\n").collect()
}

fn balanced(text: &str) {
    let mut open = Vec::new();
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => open.push(c),
            ')' => assert_eq!(open.pop(), Some('(')),
            ']' => assert_eq!(open.pop(), Some('[')),
            '}' => assert_eq!(open.pop(), Some('{')),
            _ => {}
        }
    }
    assert!(open.is_empty());
}

/// The names in a text, without numbers.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
        .map(str::to_owned)
        .collect()
}

/// Checks that every name in a text is a keyword or declared, and that nothing is declared twice.
fn declared(text: &str, language: &str, declared: &[String]) {
    let mut known: BTreeSet<&str> = language.split(' ').collect();
    for name in declared {
        assert!(known.insert(name), "{name} is declared twice");
    }
    for word in words(text) {
        assert!(known.contains(word.as_str()), "{word} is not declared");
    }
}

fn traced(dfrs: &Dfrs, text: &str) {
    let restrictions = dfrs.restrictions.iter().map(|it| &it.origin.id);
    for id in dfrs.requirements.iter().map(|it| &it.id).chain(restrictions) {
        assert!(text.contains(id.as_str()), "{id} is missing");
    }
}

fn each(mut check: impl FnMut(&Dfrs, Semantics)) {
    for name in EXAMPLES {
        let system = system(name);
        for reading in Reading::ALL {
            check(&system, Semantics::discrete(reading));
            check(&system, Semantics::dense(reading));
        }
    }
}

#[test]
fn uppaal_files() {
    each(|dfrs, semantics| {
        let text = uppaal(dfrs, semantics).expect("it can be written");
        traced(dfrs, &text);
        let parts = xml(&text);
        let of = |tag: &'static str| {
            parts.iter().filter(move |(name, _)| name == tag).map(|(_, text)| plain(text))
        };
        let declaration: String = of("declaration").collect();
        let declaration = code(&declaration, "//");
        balanced(&declaration);
        of("label").for_each(|label| balanced(&label));
        let mut names: Vec<String> = Vec::new();
        let mut locals = BTreeSet::new();
        for line in declaration.lines() {
            let is_local = line.starts_with(' ');
            let line = line.trim();
            let sorts = ["const int ", "bool ", "clock ", "chan ", "void ", "int["];
            if let Some(sort) = sorts.iter().find(|sort| line.starts_with(**sort)) {
                let rest = &line[sort.len()..];
                let rest = if *sort == "int[" { rest.split_once(' ').expect("a name").1 } else { rest };
                let name = words(rest).remove(0);
                let parameters = rest.split_once('(').filter(|_| !is_local).map_or("", |(_, rest)| rest);
                locals.extend(words(parameters).into_iter().filter(|word| word.starts_with("new_")));
                if is_local { locals.extend([name]) } else { names.push(name) }
            }
        }
        let mut everything = declaration.clone();
        for label in of("label") {
            locals.extend(words(&label).into_iter().filter(|word| word.starts_with("new_")));
            everything += &format!("\n{label}");
        }
        names.extend(locals);
        declared(&everything, "const int bool clock chan void return true false", &names);
        let clocks = dfrs.variables.iter().filter(|it| it.kind == Kind::Timer).count();
        assert_eq!(declaration.lines().filter(|line| line.starts_with("clock ")).count(), clocks + 1);
        // Edges connect existing locations.
        let ids: BTreeSet<&str> =
            text.split("<location id=\"").skip(1).map(|it| it.split('"').next().unwrap_or("")).collect();
        for reference in text.split(" ref=\"").skip(1) {
            assert!(ids.contains(reference.split('"').next().unwrap_or("")));
        }
    });
}

#[test]
fn smv_modules() {
    each(|dfrs, semantics| {
        let text = match (smv(dfrs, semantics), semantics.clock) {
            (Ok(text), dfrs::Clock::Discrete) => text,
            (found, dfrs::Clock::Dense) => {
                return assert_eq!(found, Err(Refusal::DenseTime { target: "NuSMV" }));
            }
            (found, dfrs::Clock::Discrete) => panic!("{found:?}"),
        };
        traced(dfrs, &text);
        let code = code(&text, "--");
        balanced(&code);
        assert_eq!(code.matches(":= case").count(), code.matches("esac;").count());
        let mut names = Vec::new();
        let mut constants = BTreeSet::new();
        for line in code.lines().filter(|line| line.starts_with("  ") && !line.starts_with("    ")) {
            let is_assignment = line.starts_with("  init(")
                || line.starts_with("  next(")
                || line.trim() == "esac;"
                || line.trim().is_empty();
            if !is_assignment {
                names.push(words(line).remove(0));
                let list = line.split_once(": {").map_or("", |(_, list)| list);
                constants.extend(words(list));
            }
        }
        names.extend(constants);
        assert!(names.iter().all(|name| logic::SMV.is_plain(name)));
        declared(
            &code,
            "MODULE main VAR DEFINE ASSIGN INVAR TRANS init next case esac boolean TRUE FALSE",
            &names,
        );
    });
}

#[test]
fn csp_files() {
    each(|dfrs, semantics| {
        if semantics.clock == dfrs::Clock::Dense {
            assert!(matches!(csp_sharp(dfrs, semantics), Err(Refusal::DenseTime { .. })));
            assert!(matches!(cspm(dfrs, semantics), Err(Refusal::DenseTime { .. })));
            return;
        }
        let text = csp_sharp(dfrs, semantics).expect("it can be written");
        traced(dfrs, &text);
        let sharp = code(&text, "//");
        balanced(&sharp);
        let mut names: Vec<String> = Vec::new();
        let mut inner = BTreeSet::new();
        for line in sharp.lines() {
            if let Some(rest) = line.strip_prefix("#define ").or_else(|| line.strip_prefix("var ")) {
                assert!(line.ends_with(';'));
                names.push(words(rest).remove(0));
            } else if !line.starts_with([' ', '#']) && line.contains("() =") {
                names.push(words(line).remove(0));
            }
            inner.extend(
                words(line).into_iter().filter(|it| it.starts_with("event_") || it.starts_with("new_")),
            );
        }
        names.extend(inner);
        declared(&sharp, "define var assert if reaches deadlockfree true false begin tick sample", &names);
        let text = cspm(dfrs, semantics).expect("it can be written");
        traced(dfrs, &text);
        let script = code(&text, "--");
        balanced(&script.replace("[]", "").replace(":[deadlock free [F]]", ""));
        let mut names: BTreeSet<String> = BTreeSet::new();
        for line in script.lines() {
            // The parameters of a process are declared by its equation.
            if let Some((head, _)) = line.split_once(" =").filter(|(head, _)| !head.trim().starts_with('(')) {
                names.extend(words(head));
            } else if let Some(rest) = line.strip_prefix("channel ") {
                assert!(names.insert(words(rest).remove(0)));
            }
            names.extend(words(line).into_iter().filter(|it| it.starts_with("new_")));
        }
        declared(
            &script,
            "channel let within if then else and or not true false assert deadlock free F",
            &Vec::from_iter(names),
        );
    });
}

#[test]
fn graphs_and_tables() {
    for name in EXAMPLES {
        let system = system(name);
        let dot = system_graph(&system);
        traced(&system, &(dot.clone() + &scr_tables(&system)));
        balanced(&dot.lines().filter(|line| !line.contains('"')).collect::<String>().replace("subgraph", ""));
        for (number, _) in system.variables.iter().enumerate() {
            assert_eq!(dot.lines().filter(|line| line.starts_with(&format!("v{number} ["))).count(), 1);
        }
        let entries: usize = system.functions.iter().map(|it| it.entries.len()).sum();
        let rows = scr_csv(&system).lines().count() - 1;
        let effects = system.functions.iter().flat_map(|it| &it.entries).map(|it| it.effect.len());
        assert_eq!(rows, effects.sum::<usize>());
        assert!(rows >= entries);
        for line in scr_tables(&system).lines().filter(|line| line.starts_with('|')) {
            assert!(line.ends_with('|') && line.matches(" |").count() >= 2 || line.contains("---"), "{line}");
        }
        let machine = compile(&system, Semantics::default()).expect("it is finite");
        let found = tiots::tiots(&machine, &[1, 5], 300);
        let aut = aldebaran(&system, &found);
        let mut lines = aut.lines();
        let head = format!("des (0, {}, {})", found.transitions.len(), found.states);
        assert_eq!(lines.next(), Some(head.as_str()));
        for (line, transition) in lines.zip(&found.transitions) {
            assert!(line.starts_with(&format!("({}, ", transition.from)));
            assert!(line.ends_with(&format!(", {})", transition.to)));
            assert!(line.matches('"').count() == 2 || line.contains(", i, "));
        }
        let graph = transition_graph(&system, &found);
        assert_eq!(graph.matches(" -> ").count(), found.transitions.len() + 1);
    }
}

#[test]
fn signals_are_well_formed_and_do_not_overlap() {
    let vending = system("vending_machine_6");
    let lamps = system("turn_indicator");
    let lever = |word: &str| [("turn_indicator_lever", Value::Name(word.to_owned()))];
    let power = [("voltage", Value::Num(81.into()))];
    let blinking: Vec<(i64, Vec<(&str, Value)>)> = [(5, power.to_vec()), (1, lever("left").to_vec())]
        .into_iter()
        .chain((0..12).map(|k| (if k % 2 == 0 { 17 } else { 11 }, Vec::new())))
        .chain([(2, lever("right").to_vec()), (1, lever("idle").to_vec())])
        .collect();
    let blinking: Vec<(i64, &[(&str, Value)])> =
        blinking.iter().map(|(by, inputs)| (*by, inputs.as_slice())).collect();
    let blinking = run(&lamps, Semantics::default(), &blinking);
    if let Some(folder) = std::env::var_os("DRAW") {
        let path = std::path::Path::new(&folder).join("blinking.svg");
        let drawn = signals_svg(&lamps, &blinking, "Left, then right").expect("it can be drawn");
        std::fs::write(path, drawn).expect("it can be written");
    }
    for (system, run) in [(&vending, fig_3(&vending)), (&lamps, blinking)] {
        let drawn = signals_svg(system, &run, "a < b & \"c\"").expect("it can be drawn");
        xml(&drawn);
        assert!(
            drawn.contains("role=\"img\"") && drawn.contains("<title>a &lt; b &amp; &quot;c&quot;</title>")
        );
        assert!(drawn.contains("prefers-color-scheme:dark") && !drawn.contains("<script"));
        for variable in &system.variables {
            assert!(drawn.contains(&format!("{}:", variable.name.replace('_', " "))), "{}", variable.name);
        }
        // Marks in one row do not overlap; a letter is at most 12 pixels wide.
        let mut marks: Vec<(i32, i32, usize)> = Vec::new();
        for line in drawn.lines().filter(|line| line.contains("class=\"note id\"")) {
            let number = |name: &str| -> i32 {
                let rest = line.split(&format!(" {name}=\"")).nth(1).expect("an attribute");
                rest.split('"').next().and_then(|it| it.parse().ok()).expect("a number")
            };
            let letters = line.split('>').nth(1).expect("a text").chars().take_while(|c| *c != '<').count();
            marks.push((number("y"), number("x"), letters));
        }
        assert_eq!(marks.len(), run.instants.iter().filter(|it| !it.fired.is_empty()).count());
        marks.sort_unstable();
        for pair in marks.windows(2) {
            let ((y, x, letters), (below, next, _)) = (pair[0], pair[1]);
            assert!(y != below || x + letters as i32 * 8 <= next, "{pair:?}");
        }
        for (width, unicode) in [(100, true), (60, false), (1, true)] {
            let text = signals_text(system, &run, width, unicode).expect("it can be drawn");
            assert!(unicode || text.is_ascii());
            assert!(text.split("\n\n").all(|block| block.starts_with("time")));
            for instant in &run.instants {
                assert!(text.contains(&dfrs::english::number(&instant.time)));
            }
        }
    }
}

#[test]
fn what_a_target_cannot_say_is_refused() {
    let sums = parse(
        "Initially, the level is 0, and the flow is 0.
        REQ001: When the flow is greater than 3, the tank shall set the level to the level plus 1.",
    );
    let refused = smv(&sums, Semantics::default()).expect_err("it counts for ever");
    assert!(matches!(refused, Refusal::Infinite(_)));
    assert!(refused.reason(&sums).contains("level"), "{}", refused.reason(&sums));
    let timers = parse(
        "REQ001: When the door timer is lower than 3, and the lamp timer is greater than 5,
            the cabin shall set the lamp to off.
        REQ002: When the button becomes pressed, the cabin shall: set the lamp to on, reset the door timer, reset the lamp timer.",
    );
    for found in [smv(&timers, Semantics::default()), uppaal(&timers, Semantics::default())] {
        assert_eq!(found, Err(Refusal::SeveralTimers { requirement: 0 }));
    }
    let vending = system("vending_machine_6");
    let mut broken = fig_3(&vending);
    broken.instants[2].fired = vec![99];
    assert_eq!(signals_svg(&vending, &broken, ""), Err(draw::signals::Refusal::BadRun { instant: 2 }));
    broken.instants.clear();
    assert_eq!(signals_text(&vending, &broken, 80, true), Err(draw::signals::Refusal::EmptyRun));
}

#[test]
fn fractions_are_scaled_and_odd_names_renamed() {
    let odd = parse(
        "Initially, the case is 0.5, and the process is off, and the état is false.
        REQ-1: When the case is at least 1.25, the system shall set the process to on.
        REQ.1: When the case is lower than 1.25, and the état is true, and the next timer is at most 2.5,
            the system shall: set the process to off, reset the next timer.",
    );
    for reading in Reading::ALL {
        let module = smv(&odd, Semantics::discrete(reading)).expect("it can be written");
        assert!(module.contains("case_ : {"), "{module}");
        assert!(module.contains("counts units of 1/4"), "{module}");
        let network = uppaal(&odd, Semantics::dense(reading)).expect("it can be written");
        assert!(network.contains("Clock units per time unit of the requirements: 2."), "{network}");
        assert!(network.contains("can_REQ_1()") && network.contains("can_REQ_1_2()"));
        xml(&network);
    }
}
