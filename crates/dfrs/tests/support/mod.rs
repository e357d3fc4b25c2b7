//! The example systems, written down by hand: `name = value` guards joined by `&`, alternatives by `|`, `was` for previous values.
//!
//! The front end makes the same systems from requirements; these do not depend on it.

#![allow(dead_code)]

use logic::{RBig, Rel, Value, parse_decimal};
use shall_dfrs::{
    Assignment, Condition, Dfrs, Effect, Entry, Function, Kind, Moment, Operand, Origin, Restriction, Sort,
    Source, Timed, Variable,
};

/// `in name: sort = initial`, `out ...`, `timer name`; then `component` lines and `id: guard => effect` lines.
pub(crate) fn system(text: &str) -> Dfrs {
    let mut dfrs = Dfrs {
        variables: Vec::new(),
        functions: Vec::new(),
        requirements: Vec::new(),
        restrictions: Vec::new(),
    };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(rest) = line.strip_prefix("in ") {
            dfrs.variables.push(variable(Kind::Input, rest));
        } else if let Some(rest) = line.strip_prefix("out ") {
            dfrs.variables.push(variable(Kind::Output, rest));
        } else if let Some(name) = line.strip_prefix("timer ") {
            dfrs.variables.push(variable(Kind::Timer, &format!("{name}: real = 0")));
        } else if let Some(component) = line.strip_prefix("component ") {
            dfrs.functions.push(Function { component: component.to_owned(), entries: Vec::new() });
        } else if let Some(never) = line.strip_prefix("never ") {
            let never = never.split(" & ").map(|it| condition(&dfrs, it)).collect();
            let origin = Origin { id: "ENV".to_owned(), text: line.to_owned() };
            dfrs.restrictions.push(Restriction { never, origin });
        } else {
            let (id, rest) = line.split_once(": ").expect("an id");
            let (guard, effect) = rest.split_once(" => ").expect("an effect");
            let known = dfrs.requirements.iter().position(|it| it.id == id);
            let requirement = known.unwrap_or(dfrs.requirements.len());
            if known.is_none() {
                dfrs.requirements.push(Origin { id: id.to_owned(), text: rest.to_owned() });
            }
            let entry = entry(&dfrs, requirement, guard, effect);
            dfrs.functions.last_mut().expect("a component").entries.push(entry);
        }
    }
    dfrs
}

fn variable(kind: Kind, text: &str) -> Variable {
    let (name, rest) = text.split_once(": ").expect("a sort");
    let (sort, initial) = rest.split_once(" = ").expect("an initial value");
    let sort = match sort {
        "bool" => Sort::Bool { word: None },
        "int" => Sort::Int,
        "real" => Sort::Real,
        names => Sort::Names(names.split(", ").map(str::to_owned).collect()),
    };
    Variable { name: name.to_owned(), kind, initial: value(&sort, initial), sort, initial_given: true }
}

fn value(sort: &Sort, text: &str) -> Value {
    match sort {
        Sort::Bool { .. } => Value::Bool(text == "true"),
        Sort::Int | Sort::Real => Value::Num(parse_decimal(text).expect("a number")),
        Sort::Names(_) => Value::Name(text.to_owned()),
    }
}

fn find(dfrs: &Dfrs, name: &str) -> usize {
    dfrs.variables.iter().position(|it| it.name == name).unwrap_or_else(|| panic!("no variable {name}"))
}

fn parts(text: &str) -> (&str, Rel, &str) {
    let mut words = text.trim().splitn(3, ' ');
    let name = words.next().expect("a name");
    let relation = match words.next().expect("a relation") {
        "=" => Rel::Eq,
        "!=" => Rel::Ne,
        "<" => Rel::Lt,
        "<=" => Rel::Le,
        ">" => Rel::Gt,
        ">=" => Rel::Ge,
        other => panic!("{other} in {text}"),
    };
    (name, relation, words.next().expect("a value"))
}

fn condition(dfrs: &Dfrs, text: &str) -> Condition {
    let (moment, text) = match text.trim().strip_prefix("was ") {
        Some(rest) => (Moment::Before, rest),
        None => (Moment::Now, text),
    };
    let (name, relation, text) = parts(text);
    let variable = find(dfrs, name);
    Condition {
        moment,
        variable,
        relation,
        operand: operand(dfrs, variable, text),
        source: Source::default(),
    }
}

fn operand(dfrs: &Dfrs, variable: usize, text: &str) -> Operand {
    if let Some((name, constant)) = text.split_once(" + ") {
        let other = find(dfrs, name.trim_start_matches('$'));
        return Operand::Sum(
            vec![(RBig::ONE, Moment::Now, other)],
            parse_decimal(constant).expect("a number"),
        );
    }
    match text.strip_prefix('$') {
        Some(name) => Operand::Variable(Moment::Now, find(dfrs, name)),
        None => Operand::Constant(value(&dfrs.variables[variable].sort, text)),
    }
}

fn entry(dfrs: &Dfrs, requirement: usize, guard: &str, effect: &str) -> Entry {
    let mut entry = Entry { requirement, guard: Vec::new(), timed: Vec::new(), effect: Vec::new() };
    for clause in guard.split(" & ") {
        let first = clause.trim().split(' ').next().expect("a name");
        let timed = first != "was" && dfrs.variables[find(dfrs, first)].kind == Kind::Timer;
        if timed {
            let any = clause.split(" | ").map(|it| {
                let (name, relation, bound) = parts(it);
                let bound = parse_decimal(bound).expect("a bound");
                Timed { timer: find(dfrs, name), relation, bound, source: Source::default() }
            });
            entry.timed.push(any.collect());
        } else {
            entry.guard.push(clause.split(" | ").map(|it| condition(dfrs, it)).collect());
        }
    }
    for assignment in effect.split("; ") {
        let (name, effect) = match assignment.split_once(" := ") {
            Some((name, text)) => (name, Effect::Assign(operand(dfrs, find(dfrs, name.trim()), text.trim()))),
            None => (assignment.trim().strip_prefix("reset ").expect("reset"), Effect::Reset),
        };
        entry.effect.push(Assignment {
            variable: find(dfrs, name.trim()),
            effect,
            source: Source::default(),
        });
    }
    entry
}

pub(crate) const VM5: &str = "
    in coffee_request_button: bool = false
    in coin_sensor: bool = false
    out coffee_machine_output: strong, weak = strong
    out system_mode: choice, idle, preparing strong coffee, preparing weak coffee = idle
    timer request_timer
    component the coffee machine system
    REQ001: system_mode = idle & was coin_sensor != true & coin_sensor = true => reset request_timer; system_mode := choice
    REQ002: system_mode = choice & coin_sensor = false & was coin_sensor = false & was coffee_request_button != true & coffee_request_button = true & request_timer <= 30 => reset request_timer; system_mode := preparing weak coffee
    REQ003: system_mode = choice & coin_sensor = false & was coin_sensor = false & was coffee_request_button != true & coffee_request_button = true & request_timer > 30 => reset request_timer; system_mode := preparing strong coffee
    REQ004: system_mode = preparing weak coffee & request_timer >= 10 & request_timer <= 30 => system_mode := idle; coffee_machine_output := weak
    REQ005: system_mode = preparing strong coffee & request_timer >= 30 & request_timer <= 50 => system_mode := idle; coffee_machine_output := strong
";

pub(crate) const VM6: &str = "
    in coffee_request_button: bool = false
    in coin_sensor: bool = false
    out coffee_machine_output: strong coffee, undefined output, weak coffee = undefined output
    out system_mode: choice, idle, preparing strong coffee, preparing weak coffee, reset = idle
    timer request_timer
    component the coffee machine system
    REQ001: system_mode = idle & was coin_sensor != true & coin_sensor = true => reset request_timer; system_mode := choice
    REQ002: system_mode = choice & coin_sensor = false & was coin_sensor = false & was coffee_request_button != true & coffee_request_button = true & request_timer <= 30 => reset request_timer; system_mode := preparing weak coffee
    REQ003: system_mode = choice & coin_sensor = false & was coin_sensor = false & was coffee_request_button != true & coffee_request_button = true & request_timer > 30 => reset request_timer; system_mode := preparing strong coffee
    REQ004: system_mode = preparing weak coffee & request_timer >= 10 & request_timer <= 30 => reset request_timer; system_mode := reset; coffee_machine_output := weak coffee
    REQ005: system_mode = preparing strong coffee & request_timer >= 30 & request_timer <= 50 => reset request_timer; system_mode := reset; coffee_machine_output := strong coffee
    REQ006: system_mode = reset & request_timer = 3 => system_mode := idle; coffee_machine_output := undefined output
";

pub(crate) const NPP: &str = "
    in blockage_button: bool = false
    in reset_button: bool = false
    in water_pressure: int = 0
    out overridden_mode: bool = false
    out pressure_mode: high, low, permitted = low
    out safety_injection_mode: off, on = on
    component the safety injection system
    REQ001: pressure_mode = low & was water_pressure < 900 & water_pressure >= 900 => pressure_mode := permitted
    REQ002: pressure_mode = permitted & was water_pressure < 1000 & water_pressure >= 1000 => pressure_mode := high
    REQ003: pressure_mode = permitted & was water_pressure >= 900 & water_pressure < 900 => pressure_mode := low
    REQ004: pressure_mode = high & was water_pressure >= 1000 & water_pressure < 1000 => pressure_mode := permitted
    REQ005: pressure_mode != high & reset_button != true & was blockage_button != true & blockage_button = true => overridden_mode := true
    REQ006: pressure_mode != high & was reset_button != true & reset_button = true => overridden_mode := false
    REQ007: was pressure_mode != high & pressure_mode = high => overridden_mode := false
    REQ008: was pressure_mode = high & pressure_mode != high => overridden_mode := false
    REQ009: overridden_mode = true & pressure_mode = low => safety_injection_mode := off
    REQ010: overridden_mode = false & pressure_mode = low => safety_injection_mode := on
    REQ011: pressure_mode = high | pressure_mode = permitted => safety_injection_mode := off
";

pub(crate) const PC: &str = "
    in left_command: bool = false
    in left_priority_button: bool = false
    in right_command: bool = false
    in right_priority_button: bool = false
    out command_in_control_output: int = 3
    component the priority logic function
    REQ001: left_priority_button = false & right_priority_button = false & left_command = true & right_command = true => command_in_control_output := 0
    REQ002: left_priority_button = false & right_priority_button = false & left_command = false & right_command = true => command_in_control_output := 1
    REQ003: left_priority_button = false & right_priority_button = false & left_command = true & right_command = false => command_in_control_output := 2
    REQ004: left_priority_button = false & right_priority_button = false & left_command = false & right_command = false => command_in_control_output := 3
    REQ005: left_priority_button = true & right_priority_button = false => command_in_control_output := 4
    REQ006: right_priority_button = true & left_priority_button = false => command_in_control_output := 5
    REQ007: left_priority_button = true & was left_priority_button = true & was right_priority_button = false & right_priority_button = true => command_in_control_output := 4
    REQ008: right_priority_button = true & was right_priority_button = true & was left_priority_button = false & left_priority_button = true => command_in_control_output := 5
";

/// The turn indicator with these times for on and off: ticks 17 and 11, or milliseconds 340 and 220.
pub(crate) fn tis(on: u32, off: u32) -> Dfrs {
    let text = "
    in emergency_flashing: off, on = off
    in turn_indicator_lever: idle, left, right = idle
    in voltage: int = 0
    out flashing_mode: both flashing, left flashing, no flashing, right flashing = no flashing
    out indication_lights: both, left, off, right = off
    timer flashing_timer
    component the lights controller component
    REQ001: was voltage > 80 & voltage <= 80 => indication_lights := off; reset flashing_timer
    REQ002: was flashing_mode != left flashing | was voltage <= 80 & flashing_mode = left flashing & voltage > 80 => indication_lights := left; reset flashing_timer
    REQ003: was flashing_mode != right flashing | was voltage <= 80 & flashing_mode = right flashing & voltage > 80 => indication_lights := right; reset flashing_timer
    REQ004: was flashing_mode != both flashing | was voltage <= 80 & flashing_mode = both flashing & voltage > 80 => indication_lights := both; reset flashing_timer
    REQ005: flashing_mode = no flashing & voltage > 80 => indication_lights := off; reset flashing_timer
    REQ006: indication_lights = right | indication_lights = left & voltage > 80 & flashing_timer >= ON => indication_lights := off; reset flashing_timer
    REQ007: flashing_mode = left flashing & indication_lights = off & voltage > 80 & flashing_timer >= OFF => indication_lights := left; reset flashing_timer
    REQ008: flashing_mode = right flashing & indication_lights = off & voltage > 80 & flashing_timer >= OFF => indication_lights := right; reset flashing_timer
    REQ009: flashing_mode = both flashing & indication_lights = off & voltage > 80 & flashing_timer >= OFF => indication_lights := both; reset flashing_timer
    component the flashing mode component
    REQ010: emergency_flashing = off & was turn_indicator_lever != left & turn_indicator_lever = left => flashing_mode := left flashing; reset flashing_timer
    REQ011: emergency_flashing = off & was turn_indicator_lever != right & turn_indicator_lever = right => flashing_mode := right flashing; reset flashing_timer
    REQ012: was emergency_flashing != on & emergency_flashing = on => flashing_mode := both flashing; reset flashing_timer
    REQ013: was turn_indicator_lever != left & turn_indicator_lever = left & was emergency_flashing = on & emergency_flashing = on => flashing_mode := left flashing; reset flashing_timer
    REQ014: was turn_indicator_lever != right & turn_indicator_lever = right & was emergency_flashing = on & emergency_flashing = on => flashing_mode := right flashing; reset flashing_timer
    REQ015: flashing_mode != both flashing & was turn_indicator_lever != idle & turn_indicator_lever = idle & was emergency_flashing = on & emergency_flashing = on => flashing_mode := both flashing; reset flashing_timer
    REQ016: flashing_mode != left flashing & was turn_indicator_lever = left & turn_indicator_lever = left & was emergency_flashing != off & emergency_flashing = off => flashing_mode := left flashing; reset flashing_timer
    REQ017: flashing_mode != right flashing & was turn_indicator_lever = right & turn_indicator_lever = right & was emergency_flashing != off & emergency_flashing = off => flashing_mode := right flashing; reset flashing_timer
    ";
    system(&text.replace("OFF", &off.to_string()).replace("ON", &on.to_string()))
}

/// All examples, with names.
pub(crate) fn examples() -> Vec<(&'static str, Dfrs)> {
    vec![
        ("VM5", system(VM5)),
        ("VM6", system(VM6)),
        ("NPP", system(NPP)),
        ("PC", system(PC)),
        ("TIS", tis(17, 11)),
    ]
}

/// A finding on one line.
pub(crate) fn line(dfrs: &Dfrs, finding: &shall_dfrs::findings::Finding) -> String {
    use shall_dfrs::findings::{Values, What};
    let ids = |numbers: &[usize]| -> String {
        numbers.iter().map(|&it| dfrs.requirements[it].id.as_str()).collect::<Vec<_>>().join(" ")
    };
    let value = |variable: usize, value: &Value| {
        format!("{} {}", dfrs.variables[variable].name, shall_dfrs::replay::show(dfrs, variable, value))
    };
    let what = match &finding.what {
        What::WriteConflict { variable } => format!("conflict on {}", dfrs.variables[*variable].name),
        What::Redundant { like } => format!("redundant like [{}]", ids(like)),
        What::Uncovered { cases } => {
            let cases: Vec<String> = cases
                .iter()
                .map(|case| {
                    let was = if case.moment == Moment::Before { "was " } else { "" };
                    let values = match &case.values {
                        Values::Any(values) => values
                            .iter()
                            .map(|it| shall_dfrs::replay::show(dfrs, case.variable, it))
                            .collect::<Vec<_>>()
                            .join("|"),
                        Values::Intervals(intervals) => intervals
                            .iter()
                            .map(|it| {
                                let low = it.low.as_ref().map_or("(".to_owned(), |(low, closed)| {
                                    format!("{}{low}", if *closed { "[" } else { "(" })
                                });
                                let high = it.high.as_ref().map_or(")".to_owned(), |(high, closed)| {
                                    format!("{high}{}", if *closed { "]" } else { ")" })
                                });
                                format!("{low},{high}")
                            })
                            .collect::<Vec<_>>()
                            .join("|"),
                    };
                    format!("{was}{} = {values}", dfrs.variables[case.variable].name)
                })
                .collect();
            format!("uncovered: {}", cases.join(" & "))
        }
        What::DeadValue { variable, value: it } => format!("dead value: {}", value(*variable, it)),
        What::NoWayBack { variable, value: it } => format!("no way back: {}", value(*variable, it)),
        What::NeverEnds { variable, value: it } => format!("never ends: {}", value(*variable, it)),
        What::ResetDropped { timers } => {
            let names: Vec<&str> = timers.iter().map(|&timer| dfrs.variables[timer].name.as_str()).collect();
            format!("reset dropped: {}", names.join(" "))
        }
        other => format!("{other:?}"),
    };
    let steps = finding.scenario.as_ref().map_or("-".to_owned(), |it| it.instants.len().to_string());
    format!("{:?} {what} [{}] {steps}", finding.grade, ids(&finding.requirements))
}
