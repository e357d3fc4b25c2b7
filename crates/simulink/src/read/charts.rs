//! The Stateflow section of a file: in text a flat list of objects with numbers, in XML a tree of them.

use super::Section;
use crate::chart::{
    Chart, Code, Data, End, Event, EventScope, Junction, State, StateKind, Table, Transition,
};
use std::collections::BTreeMap;

/// The maximum depth of objects in objects.
const DEEPEST: usize = 100;

/// The charts of the section.
pub(super) fn charts(stateflow: &Section) -> Vec<Chart> {
    let mut objects = Vec::new();
    for object in &stateflow.sections {
        collect(object, None, None, DEEPEST, &mut objects);
    }
    let names: BTreeMap<&str, &str> = objects
        .iter()
        .filter(|it| it.section.name == "instance")
        .filter_map(|it| Some((it.section.value("chart")?, it.section.value("name")?)))
        .collect();
    let charts = objects.iter().filter(|it| it.section.name == "chart");
    charts.filter_map(|it| Some(chart(it.section, it.section.value("id")?, &names, &objects))).collect()
}

/// An object of the section.
struct Object<'a> {
    section: &'a Section,
    /// The number of its chart.
    chart: Option<&'a str>,
    /// The number of the object around it, if it is not the chart.
    parent: Option<&'a str>,
}

/// All objects below one. In text, the numbers of chart and parent are values.
fn collect<'a>(
    section: &'a Section,
    chart: Option<&'a str>,
    parent: Option<&'a str>,
    depth: usize,
    objects: &mut Vec<Object<'a>>,
) {
    let numbers = |key: &str| {
        let text = section.value(key)?.trim_matches(['[', ']']);
        text.split([' ', ',']).find(|it| !it.is_empty())
    };
    let own = numbers("treeNode").or_else(|| numbers("linkNode"));
    let chart = section.value("chart").filter(|_| section.name != "instance").or(chart);
    objects.push(Object { section, chart, parent: parent.or(own) });
    let (chart, parent) = match section.name.as_str() {
        "chart" => (section.value("id"), None),
        "state" => (chart, section.value("SSID")),
        _ => (chart, parent),
    };
    if depth > 0 {
        for inner in section.all("Children").flat_map(|it| &it.sections) {
            collect(inner, chart, parent, depth - 1, objects);
        }
    }
}

fn number(section: &Section) -> Option<&str> {
    section.value("SSID").or_else(|| section.value("id"))
}

fn chart(section: &Section, id: &str, names: &BTreeMap<&str, &str>, objects: &[Object<'_>]) -> Chart {
    let own = || objects.iter().filter(|it| it.chart == Some(id));
    let of =
        |kind: &'static str| own().filter(move |it| it.section.name == kind && number(it.section).is_some());
    let states: BTreeMap<&str, usize> = of("state").filter_map(|it| number(it.section)).zip(0..).collect();
    let junctions: BTreeMap<&str, usize> =
        of("junction").filter_map(|it| number(it.section)).zip(0..).collect();
    let inside = |object: &Object<'_>| object.parent.and_then(|it| states.get(it)).copied();
    let text = |section: &Section, key: &str| section.value(key).unwrap_or_default().to_owned();
    let order =
        |section: &Section| section.value("executionOrder").and_then(|it| it.parse().ok()).unwrap_or(0);
    let end = |section: &Section, key: &str| {
        let end = section.sections.iter().find(|it| it.name == key).and_then(number);
        match end {
            Some(end) => match (states.get(end), junctions.get(end)) {
                (Some(state), _) => End::State(*state),
                (None, Some(junction)) => End::Junction(*junction),
                (None, None) => End::None,
            },
            None => End::None,
        }
    };
    let name = names.get(id).map_or_else(|| text(section, "name"), |it| (*it).to_owned());
    let mut chart = Chart {
        name,
        matlab: section.value("actionLanguage") == Some("2"),
        parallel: section.value("decomposition").is_some_and(|it| it.starts_with("SET")),
        enters_early: section.value("executeAtInitialization") == Some("1"),
        moore: section.value("stateMachineType").is_some_and(|it| it.contains("MOORE")),
        resets_outputs: section.value("initializeOutput") == Some("1"),
        has_bits: section.value("enableBitOps") == Some("1"),
        wraps: section.value("saturateOnIntegerOverflow") == Some("0"),
        sample_time: section.value("sampleTime").filter(|_| is_discrete(section)).map(str::to_owned),
        unsupported: semantics(section).map(str::to_owned),
        ..Chart::default()
    };
    let eml = |it: &&Object<'_>| {
        it.section.sections.iter().any(|it| it.name == "eml" && it.value("script").is_some())
    };
    if section.value("type").is_some_and(|it| it.contains("EML")) {
        let code = of("state").find(eml).and_then(|it| it.section.all("eml").next()?.value("script"));
        chart.script = code.map(str::to_owned);
        chart.data = data(id, objects, &states);
        if chart.script.is_none() {
            chart.unsupported = Some("a MATLAB Function without its code".to_owned());
        }
        return chart;
    }
    if let Some(what) = own().find_map(|it| outside(it.section)) {
        chart.unsupported.get_or_insert_with(|| what.to_owned());
    }
    for object in of("state") {
        let section = object.section;
        let kind = match section.value("type").unwrap_or("OR_STATE") {
            "OR_STATE" | "AND_STATE" => StateKind::State,
            "FUNC_STATE" => StateKind::Function,
            _ => StateKind::Group,
        };
        let code = if kind == StateKind::Function { code(section, chart.matlab) } else { Ok(Code::Drawn) };
        let code = code.unwrap_or_else(|what| {
            chart.unsupported.get_or_insert(what);
            Code::Drawn
        });
        chart.states.push(State {
            parent: inside(object),
            label: text(section, "labelString"),
            kind,
            parallel: section.value("decomposition").is_some_and(|it| it.starts_with("SET")),
            order: order(section),
            code,
        });
    }
    if section.value("type").is_some_and(|it| it.contains("TRUTH")) {
        chart.main = chart.states.iter().position(|it| matches!(it.code, Code::Table(_)));
        if chart.main.is_none() {
            chart.unsupported.get_or_insert_with(|| "a truth table without its cells".to_owned());
        }
    }
    for object in of("junction") {
        let history = object.section.value("type").is_some_and(|it| it.starts_with("HISTORY"));
        chart.junctions.push(Junction { parent: inside(object), history });
    }
    for object in of("transition") {
        let section = object.section;
        chart.transitions.push(Transition {
            parent: inside(object),
            from: end(section, "src"),
            to: end(section, "dst"),
            label: text(section, "labelString"),
            order: order(section),
        });
    }
    chart.data = data(id, objects, &states);
    let is_own = |it: &&Object<'_>| match it.chart {
        Some(chart) => chart == id,
        // In text, an event names only what is around it.
        None => it.parent == Some(id) || inside(it).is_some(),
    };
    for object in objects.iter().filter(|it| it.section.name == "event").filter(is_own) {
        let section = object.section;
        let name = text(section, "name");
        let trigger = match section.value("trigger").unwrap_or_default() {
            "RISING_EDGE_EVENT" => "rising",
            "FALLING_EDGE_EVENT" => "falling",
            "FUNCTION_CALL_EVENT" => "function-call",
            _ => "either",
        };
        let scope = match section.value("scope").unwrap_or_default() {
            "INPUT_EVENT" => EventScope::Input,
            "OUTPUT_EVENT" => EventScope::Output,
            "LOCAL_EVENT" => EventScope::Local,
            other => {
                chart.unsupported.get_or_insert_with(|| format!("the event `{name}` of the scope `{other}`"));
                continue;
            }
        };
        chart.events.push(Event { parent: inside(object), name, scope, trigger: trigger.to_owned() });
    }
    chart
}

/// What an object of a chart is, if its content is elsewhere or does not run.
fn outside(section: &Section) -> Option<&'static str> {
    let is = |section: &Section, key: &str| section.value(key) == Some("1");
    let simulink =
        section.all("simulink").find(|it| it.values.iter().any(|it| it.0.starts_with("is") && it.1 == "1"));
    match simulink {
        Some(it) if is(it, "isSimulinkFcn") => return Some("a Simulink function"),
        Some(it) if is(it, "isComponent") => return Some("an atomic subchart"),
        Some(_) => return Some("a state with Simulink blocks"),
        None => {}
    }
    if section.values.iter().any(|it| it.0.contains("ommented") && it.1 == "1") {
        return Some("a part that is commented out");
    }
    is(section, "isVariant").then_some("a variant transition")
}

/// Whether a chart is updated at sample times of its own.
fn is_discrete(section: &Section) -> bool {
    section.value("updateMethod").is_some_and(|it| it.contains("DISCRETE"))
}

/// How a chart is executed, if that differs from a classic chart.
fn semantics(section: &Section) -> Option<&'static str> {
    let is = |key: &str, part: &str| section.value(key).is_some_and(|it| it.contains(part));
    if is("updateMethod", "CONTINUOUS") {
        return Some("continuous time");
    }
    is("enableNonTerminalStates", "1").then_some("super steps")
}

/// What a function does, or the name of what is not supported.
fn code(section: &Section, matlab: bool) -> Result<Code, String> {
    let inner = |name: &'static str, key: &str| {
        section.all(name).find(|it| it.value(key).is_some_and(|it| key == "script" || it == "1"))
    };
    if let Some(table) = inner("truthTable", "isTruthTable") {
        let lost = || "a truth table whose cells cannot be read".to_owned();
        return Ok(Code::Table(Table {
            matlab: matlab || table.value("useEML") == Some("1"),
            conditions: cells(table, "predicateArray").ok_or_else(lost)?,
            actions: cells(table, "actionArray").ok_or_else(lost)?,
        }));
    }
    match (inner("eml", "script"), inner("eml", "isEML")) {
        (Some(eml), _) => Ok(Code::Matlab(eml.value("script").unwrap_or_default().to_owned())),
        (None, Some(_)) => Err("a MATLAB function without its code".to_owned()),
        (None, None) => Ok(Code::Drawn),
    }
}

/// The rows of an array of texts, which the file has by columns.
fn cells(table: &Section, name: &str) -> Option<Vec<Vec<String>>> {
    let array = table.all("Array").find(|it| it.value("PropName") == Some(name))?;
    let sizes = array.value("Dimension")?.split(|c: char| !c.is_ascii_digit()).filter(|it| !it.is_empty());
    let sizes: Vec<usize> = sizes.map(|it| it.parse().ok()).collect::<Option<_>>()?;
    let [rows, columns] = sizes[..] else { return None };
    let plain = array.values.iter().filter(|it| it.0 == "Cell").map(|it| it.1.as_str());
    let marked = array.all("Cell").map(|it| it.value("").unwrap_or_default());
    let cells: Vec<&str> = plain.chain(marked).collect();
    let mixed = array.value("Cell").is_some() && array.all("Cell").next().is_some();
    if mixed || rows == 0 || rows.checked_mul(columns) != Some(cells.len()) {
        return None;
    }
    let row = |row: usize| (0..columns).map(|column| cells[column * rows + row].to_owned()).collect();
    Some((0..rows).map(row).collect())
}

/// The data of a chart and of its functions.
fn data(id: &str, objects: &[Object<'_>], states: &BTreeMap<&str, usize>) -> Vec<Data> {
    // Data of a text file names its parent only by its place.
    let inside = |object: &Object<'_>| object.parent.and_then(|it| states.get(it)).copied();
    let text = |section: &Section, key: &str| section.value(key).unwrap_or_default().to_owned();
    let mut found = Vec::new();
    let data = objects.iter().filter(|it| it.section.name == "data");
    for object in data.filter(|it| it.chart == Some(id) || it.parent == Some(id) || inside(it).is_some()) {
        let section = object.section;
        let below = |path: &[&str]| {
            path.iter().try_fold(section, |at, name| at.sections.iter().find(|it| it.name == *name))
        };
        let inherits =
            below(&["props", "type"]).and_then(|it| it.value("method")) == Some("SF_INHERITED_TYPE");
        let class = section.value("dataType").map(str::to_owned).unwrap_or_else(|| {
            if inherits {
                return "Inherit: Same as Simulink".to_owned();
            }
            let primitive =
                below(&["props", "type"]).and_then(|it| it.value("primitive")).unwrap_or_default();
            let name = primitive.trim_start_matches("SF_").trim_end_matches("_TYPE").to_lowercase();
            if name.is_empty() { "double".to_owned() } else { name }
        });
        let array = below(&["props", "array"]);
        let from_workspace = [Some(section), below(&["props"])]
            .into_iter()
            .flatten()
            .any(|it| it.value("initFromWorkspace") == Some("1"));
        found.push(Data {
            parent: inside(object),
            name: text(section, "name"),
            scope: text(section, "scope"),
            class,
            initial: if from_workspace {
                text(section, "name")
            } else {
                below(&["props"]).and_then(|it| it.value("initialValue")).unwrap_or_default().to_owned()
            },
            first: array
                .and_then(|it| it.value("firstIndex"))
                .and_then(|it| it.trim_matches(['[', ']']).parse().ok())
                .unwrap_or(0),
            size: array.and_then(|it| it.value("size")).unwrap_or_default().to_owned(),
        });
    }
    found
}
