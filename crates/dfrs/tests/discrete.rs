//! Data-flow reactive systems as systems: the same observations as by the semantics of `dfrs::step`, unit by unit, in both directions;
//! and requirements that hold on the examples or do not.

extern crate shall_dfrs as dfrs;

#[path = "support/random.rs"]
mod made;
#[path = "../../system/tests/support/mod.rs"]
mod support;

use base::Random;
use engine::explicit::{Answer, Budget, explicit};
use logic::{RBig, Store, Value};
use made::random;
use shall_dfrs::step::{self, State};
use shall_dfrs::{Dfrs, Kind, Reading, Semantics};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use support::Stepper;
use system::{Expr, System, Type, add_formula, names};

fn example(name: &str) -> Dfrs {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/dfrs/{name}.req"));
    let text = std::fs::read_to_string(path).expect("the example is there");
    shall_dfrs::lower(&shall_dfrs::read(&text)).system.expect("no errors")
}

/// A state of the reference between two units: the stable state, and for how long the delay goes on. Ages are capped.
type Mid = (State, u32);

struct Reference<'d> {
    dfrs: &'d Dfrs,
    semantics: Semantics,
    cap: i64,
    inputs: Vec<Vec<(usize, Value)>>,
}

impl<'d> Reference<'d> {
    fn new(dfrs: &'d Dfrs, reading: Reading) -> Reference<'d> {
        let semantics = Semantics::discrete(reading);
        let machine = shall_dfrs::compile(dfrs, semantics).expect("finite");
        let mut inputs: Vec<Vec<(usize, Value)>> = vec![Vec::new()];
        for slot in machine.variables.iter().filter(|it| it.input) {
            let values: Vec<Value> =
                (0..slot.classes.count()).map(|class| slot.classes.value(class as u16)).collect();
            inputs = inputs
                .iter()
                .flat_map(|row| {
                    let longer =
                        |it: &Value| row.iter().cloned().chain([(slot.variable, it.clone())]).collect();
                    values.iter().map(longer).collect::<Vec<_>>()
                })
                .collect();
        }
        let bounds = step::entries(dfrs).flat_map(|it| it.timed.iter().flatten());
        let cap = bounds.filter_map(|it| i64::try_from(it.bound.floor()).ok()).max().unwrap_or(0) + 1;
        Reference { dfrs, semantics, cap, inputs }
    }

    /// The same state with the clock at `cap`, so that there are finitely many.
    fn capped(&self, mut state: State) -> State {
        let cap = RBig::from(self.cap);
        for (place, variable) in self.dfrs.variables.iter().enumerate() {
            if variable.kind == Kind::Timer {
                let Value::Num(reset) = &state.now[place] else { continue };
                let age = (&state.clock - reset).min(cap.clone());
                state.now[place] = Value::Num(&cap - age);
                state.before[place] = Value::Num(RBig::ZERO);
            }
        }
        state.clock = cap;
        state
    }

    fn seen(&self, state: &State) -> Vec<Value> {
        let visible = self.dfrs.variables.iter().zip(&state.now).filter(|(it, _)| it.kind != Kind::Timer);
        visible.map(|(_, value)| value.clone()).collect()
    }

    fn settled(&self, state: State) -> Vec<(Vec<Value>, Mid)> {
        let settled = step::settle(self.dfrs, self.semantics, state, 1000);
        settled.stable.into_iter().map(|(_, it)| (self.seen(&it), (self.capped(it), 0))).collect()
    }

    fn start(&self) -> Vec<(Vec<Value>, Mid)> {
        self.settled(step::initial(self.dfrs))
    }

    /// What can be seen one unit later.
    fn unit(&self, mid: &Mid) -> Vec<(Vec<Value>, Mid)> {
        let (state, passed) = mid;
        let mut found = Vec::new();
        let deadline = step::deadline(self.dfrs, self.semantics, state);
        let by = RBig::from(passed + 1);
        if deadline.is_none_or(|it| by < it.delay) {
            // Longer waiting than all bounds is all the same.
            found.push((self.seen(state), (state.clone(), (passed + 1).min(self.cap as u32 + 1))));
        }
        for inputs in &self.inputs {
            if let Ok(after) = step::delay(self.dfrs, self.semantics, state, &by, inputs) {
                found.extend(self.settled(after));
            }
        }
        found
    }
}

/// The lowered system, step by step, with the same values for inputs.
struct Lowered<'s> {
    stepper: Stepper<'s>,
    rows: Vec<Vec<system::Value>>,
    shown: Vec<Type>,
}

impl<'s> Lowered<'s> {
    fn new(system: &'s System, reference: &Reference<'_>) -> Lowered<'s> {
        let pool = &system.pool;
        let outputs: Vec<&system::Output> = system.outputs.iter().filter(|it| !it.local).collect();
        let read: Vec<Expr> =
            outputs.iter().map(|it| it.value).chain(system.assumptions.iter().copied()).collect();
        let shown = outputs.iter().map(|it| pool.type_of(it.value)).collect();
        let given = |name: &str, row: &[(usize, Value)]| {
            let name = name.strip_suffix("_in")?;
            let (_, value) = row.iter().find(|(it, _)| reference.dfrs.variables[*it].name == name)?;
            Some(value.clone())
        };
        let undecided = |row: &Vec<(usize, Value)>| -> Vec<system::Value> {
            let value = |var: &system::Var| {
                let variable = &system.variables[var.index()];
                given(&variable.name, row)
                    .map_or(system::Value::Undefined, |it| coded(system, variable.ty, &it))
            };
            system.inputs.iter().map(value).collect()
        };
        let rows = reference.inputs.iter().map(undecided).collect();
        Lowered { stepper: Stepper::new(system, &read), rows, shown }
    }

    /// What can be seen at the next step. What is undecided in a row is decided only if no assumption fails already.
    fn unit(&self, state: &[system::Value]) -> Vec<(Vec<Value>, Vec<system::Value>)> {
        let mut found = Vec::new();
        let mut open = self.rows.clone();
        let system = self.stepper.system;
        while let Some(row) = open.pop() {
            let (read, next) = self.stepper.step(state, &row);
            let (seen, assumed) = read.split_at(self.shown.len());
            if assumed.contains(&system::Value::Bool(false)) {
                continue;
            }
            let Some(place) = row.iter().position(|it| *it == system::Value::Undefined) else {
                assert!(assumed.iter().all(|it| *it == system::Value::Bool(true)));
                let seen = seen.iter().zip(&self.shown);
                let seen = seen.map(|(value, ty)| system::simulate::observed(&system.pool, *ty, value));
                found.push((seen.map(|it| it.expect("defined")).collect(), next));
                continue;
            };
            let domain: Vec<system::Value> = match system.variables[system.inputs[place].index()].ty {
                Type::Enum(id) => {
                    (0..system.pool.enumeration(id).literals.len() as u32).map(system::Value::Enum).collect()
                }
                _ => vec![system::Value::Bool(false), system::Value::Bool(true)],
            };
            open.extend(domain.into_iter().map(|value| {
                let mut row = row.clone();
                row[place] = value;
                row
            }));
        }
        found
    }
}

fn coded(system: &System, ty: Type, value: &Value) -> system::Value {
    match (ty, value) {
        (_, Value::Bool(truth)) => system::Value::Bool(*truth),
        (Type::Int, Value::Num(number)) => system::Value::Int(number.floor()),
        (_, Value::Num(number)) => system::Value::Real(number.clone()),
        (Type::Enum(id), Value::Name(name)) => {
            let literals = &system.pool.enumeration(id).literals;
            let place = literals.iter().position(|it| *it == shall_dfrs::discrete::plain(name));
            system::Value::Enum(place.expect("a literal") as u32)
        }
        (_, Value::Name(_)) => panic!("a name of no enumeration"),
    }
}

/// States of both sides, grouped by what is seen; names are spelled as in the lowered system.
fn grouped<S: std::fmt::Debug>(found: Vec<(Vec<Value>, S)>) -> BTreeMap<String, BTreeMap<String, S>> {
    let mut groups: BTreeMap<String, BTreeMap<String, S>> = BTreeMap::new();
    for (seen, state) in found {
        let plain = |it: &Value| match it {
            Value::Name(name) => Value::Name(shall_dfrs::discrete::plain(name)),
            other => other.clone(),
        };
        let seen: Vec<Value> = seen.iter().map(plain).collect();
        groups.entry(format!("{seen:?}")).or_default().insert(format!("{state:?}"), state);
    }
    groups
}

/// After each sequence of observations both sides can show the same next; until nothing new comes or the limit is reached.
/// Returns whether it was all.
fn same_observations(
    dfrs: &Dfrs,
    reading: Reading,
    limit: usize,
) -> Result<bool, shall_dfrs::discrete::Refusal> {
    let system = shall_dfrs::discrete::lower(dfrs, reading)?;
    assert_eq!(system.check(), Vec::<String>::new());
    let reference = Reference::new(dfrs, reading);
    let lowered = Lowered::new(&system, &reference);
    let mut known: BTreeSet<(Vec<String>, Vec<String>)> = BTreeSet::new();
    let first = (reference.start(), lowered.unit(&lowered.stepper.start()));
    let mut open = vec![first];
    while let Some((left, right)) = open.pop() {
        let (left, mut right) = (grouped(left), grouped(right));
        let keys = |it: Vec<&String>| it.into_iter().cloned().collect::<Vec<_>>();
        let (shown, found) = (keys(left.keys().collect()), keys(right.keys().collect()));
        assert_eq!(shown, found, "{reading:?}: {dfrs:#?}\n{system}");
        for (seen, mids) in left {
            let states = right.remove(&seen).expect("compared");
            let key = (keys(mids.keys().collect()), keys(states.keys().collect()));
            if known.len() < limit && known.insert(key) {
                let left = mids.values().flat_map(|mid| reference.unit(mid)).collect();
                let right = states.values().flat_map(|state| lowered.unit(state)).collect();
                open.push((left, right));
            }
        }
    }
    Ok(known.len() < limit)
}

#[test]
fn examples_show_what_they_do() {
    for (name, limit) in [
        ("vending_machine_5", 300),
        ("vending_machine_6", 300),
        ("priority_command", 100),
        ("safety_injection", 20),
        ("turn_indicator", 50),
        ("turn_indicator_tip", 10),
    ] {
        let complete = same_observations(&example(name), Reading::Synchronous, limit);
        assert!(complete.is_ok(), "{name}: {complete:?}");
    }
}

#[test]
fn random_systems_show_what_they_do() {
    let mut rng = Random::new(3);
    let (mut complete, mut refused) = (0, 0);
    for round in 0..150 {
        let dfrs = random(&mut rng);
        match same_observations(&dfrs, Reading::ALL[round % 3], 120) {
            Ok(all) => complete += usize::from(all),
            Err(shall_dfrs::discrete::Refusal::NeverStable) => refused += 1,
            Err(refusal) => panic!("{refusal}"),
        }
    }
    assert!(complete > 90 && refused < 20, "{complete} complete, {refused} refused");
}

/// The answer to a sentence on an example: `valid`, or the number of steps of the counterexample.
fn ask(dfrs: &Dfrs, sentence: &str) -> String {
    let mut system = shall_dfrs::discrete::lower(dfrs, Reading::Synchronous).expect("it can be lowered");
    let mut store = Store::default();
    let parse = syntax::fretish::parse(sentence);
    let sort = |it: &system::Output| system.pool.type_of(it.value).sort();
    let signals = Some(system.outputs.iter().map(|it| (it.name.clone(), sort(it))).collect());
    let context = requirement::Context { signals, ..requirement::Context::default() };
    let lowered = requirement::lower(&mut store, &parse, &context);
    let requirement = lowered.requirement.unwrap_or_else(|| panic!("{sentence}: {:?}", lowered.diagnostics));
    let bound = names(&mut system);
    let formula = requirement::past(&mut store, &requirement).expect("it looks back");
    let verdict = add_formula(&mut system, &mut store, formula, &|name| bound.get(name).copied());
    let verdict = verdict.unwrap_or_else(|error| panic!("{sentence}: {error}"));
    let property = system.add_property(sentence, system::Origin::Unknown, verdict);
    match explicit(&system, &[property], Budget::default()).remove(0) {
        Answer::Valid => "valid".to_owned(),
        Answer::Invalid(run) => {
            // The definitions say the same of the run, without any monitor.
            let trace = run.trace(&system).expect("steps");
            let judged = requirement::oracle::judge(&store, &requirement, &trace).expect("a verdict");
            assert!(!judged.holds(), "{sentence}\n{}", run.show(&system));
            run.steps.len().to_string()
        }
        Answer::Unknown(reason) => format!("{reason:?}"),
    }
}

#[test]
fn requirements_on_examples() {
    let vending = example("vending_machine_5");
    let priority = example("priority_command");
    let turn = example("turn_indicator");
    let injection = example("safety_injection");
    let weak = "system_mode = preparing_weak_coffee";
    let cases: [(&Dfrs, &str, &str); 18] = [
        (
            &injection,
            "the plant shall always satisfy safety_injection_mode = on => pressure_mode = low",
            "valid",
        ),
        (
            &injection,
            "the plant shall always satisfy overridden_mode => safety_injection_mode = off",
            "valid",
        ),
        (&vending, "the machine shall always satisfy system_mode = idle | system_mode = choice", "4"),
        // A coin in the very moment in which the coffee is ready hides the idle mode.
        (&vending, "upon WEAK the machine shall within 30 ticks satisfy system_mode = idle", "34"),
        (&vending, "upon WEAK the machine shall within 30 ticks satisfy !(WEAK)", "valid"),
        (&vending, "upon WEAK the machine shall within 29 ticks satisfy !(WEAK)", "33"),
        (&vending, "upon WEAK the machine shall for 9 ticks satisfy WEAK", "valid"),
        (&vending, "upon WEAK the machine shall for 10 ticks satisfy WEAK", "14"),
        (&vending, "when coin_sensor the machine shall immediately satisfy system_mode = choice", "5"),
        (&vending, "the machine shall always satisfy occurred(31, WEAK) | !preBool(false, WEAK)", "valid"),
        (
            &priority,
            "whenever left_priority_button & !right_priority_button the logic shall immediately satisfy command_in_control_output = 4",
            "valid",
        ),
        (
            &priority,
            "whenever left_priority_button the logic shall immediately satisfy command_in_control_output = 4",
            "2",
        ),
        (
            &priority,
            "the logic shall always satisfy command_in_control_output >= 0 & command_in_control_output <= 5",
            "valid",
        ),
        (&turn, "upon voltage <= 80 the lights shall immediately satisfy indication_lights = off", "valid"),
        (
            &turn,
            "whenever voltage <= 80 the lights shall immediately satisfy indication_lights = off",
            "valid",
        ),
        (
            &turn,
            "upon indication_lights = left the lights shall within 17 ticks satisfy indication_lights = off",
            "19",
        ),
        (
            &turn,
            "upon indication_lights = left the lights shall for 16 ticks satisfy voltage > 80 => indication_lights = left",
            "3",
        ),
        (
            &turn,
            "the lights shall always satisfy flashing_mode = left_flashing => indication_lights != right",
            "valid",
        ),
    ];
    let answers: Vec<(String, String)> = cases
        .iter()
        .map(|(dfrs, sentence, _)| {
            let sentence = sentence.replace("WEAK", weak);
            (ask(dfrs, &sentence), sentence)
        })
        .collect();
    let expected: Vec<(String, String)> = cases
        .iter()
        .map(|(_, sentence, answer)| (answer.to_string(), sentence.replace("WEAK", weak)))
        .collect();
    assert_eq!(answers, expected);
}
