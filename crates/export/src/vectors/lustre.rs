//! The past formulas as streaming monitors in Lustre: a node per template, and `main`, which runs all of them.
//!
//! The operators over time are the nodes of the library that contracts use, so that what replays a monitor replays these too. The value of
//! a node at a step is the verdict on the trace so far, so the value at the last step is the verdict.

use super::{SIGNALS, identifier};
use crate::specification::{LeftOut, lustre_monitors};
use logic::{Formula, Node, Store};
use requirement::template::ATOMS;
use requirement::vectors::{Setting, Templates};

/// The program: the library, a monitor for each template, and `main`.
pub fn program(templates: &mut Templates) -> Result<String, LeftOut> {
    let store = &mut templates.store;
    let formulas: Vec<(String, Formula)> =
        templates.rows.iter().map(|row| (row.key.to_string(), over_signals(store, row.past))).collect();
    let (library, monitors) = lustre_monitors(store, &SIGNALS, formulas)?;
    let inputs = format!("{} : bool", SIGNALS.join(", "));
    let mut text = format!(
        "-- monitors for n {}: the value at the last step is the verdict\n\n{library}",
        templates.steps
    );
    let mut outputs = Vec::new();
    let mut calls = String::new();
    for (row, holds) in templates.rows.iter().zip(monitors) {
        let name = identifier(&row.key);
        text += &format!(
            "node monitor_{name}({inputs}) returns (holds : bool);\nlet\n  holds = {holds};\ntel\n\n"
        );
        outputs.push(format!("\n  PT_{name} : bool"));
        calls += &format!("  PT_{name} = monitor_{name}({});\n", SIGNALS.join(", "));
    }
    text += &format!("node main({inputs}) returns ({}\n);\nlet\n  --%MAIN;\n{calls}tel\n", outputs.join(";"));
    Ok(text)
}

/// The formula with the names of the signals in the place of those of the atoms.
fn over_signals(store: &mut Store, formula: Formula) -> Formula {
    let renamed = store.map(formula.id(), |store, id| {
        let Node::Var(symbol) = *store.node(id) else { return None };
        let atom = ATOMS.iter().position(|&atom| atom == store.name(symbol))?;
        let signal = store.symbol(SIGNALS[atom]);
        Some(store.var(signal).id())
    });
    store.as_formula(renamed).unwrap_or(formula)
}

/// The inputs of a setting, step by step, as Kind 2's interpreter reads them from a file whose name ends with `.json`.
pub fn input(setting: &Setting) -> String {
    let step = |position: usize| {
        let cell = |(atom, name): (usize, &&str)| format!("\"{name}\": {}", setting.holds(atom, position));
        let cells: Vec<String> = SIGNALS.iter().enumerate().map(cell).collect();
        format!("  {{{}}}", cells.join(", "))
    };
    let steps: Vec<String> = (0..setting.length).map(step).collect();
    format!("[\n{}\n]\n", steps.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use requirement::oracle::Interval;

    #[test]
    fn a_program() {
        let mut templates = Templates::new(3, |key| key.to_string() == "null,regular,within");
        assert_eq!(
            program(&mut templates).expect("the past can be monitored"),
            "\
-- monitors for n 3: the value at the last step is the verdict

-- p held at the previous step, if there is one
node Z(p: bool) returns (holds: bool);
let
  holds = true -> pre p;
tel

-- p held one step ago
node delay_1(p: bool) returns (holds: bool);
let
  holds = false -> pre p;
tel

-- p held 2 steps ago
node delay_2(p: bool) returns (holds: bool);
let
  holds = delay_1(delay_1(p));
tel

-- p held 3 steps ago
node delay_3(p: bool) returns (holds: bool);
let
  holds = delay_2(delay_1(p));
tel

-- p held at some step from 3 to 3 steps ago
node O_3_3(p: bool) returns (holds: bool);
let
  holds = delay_3(p);
tel

-- p held at some of the last n + 1 steps; age counts the steps since then
node OT(const n: int; p: bool) returns (holds: bool);
var age: int;
let
  age = if p then 0 else (n + 1 -> if pre age <= n then pre age + 1 else n + 1);
  holds = age <= n;
tel

-- p held at all steps so far
node H(p: bool) returns (holds: bool);
let
  holds = p and (true -> pre holds);
tel

node monitor_null_regular_within(MODE, COND, STOP, RES : bool) returns (holds : bool);
let
  holds = H(O_3_3(COND and Z(not COND)) => OT(3, RES));
tel

node main(MODE, COND, STOP, RES : bool) returns (
  PT_null_regular_within : bool
);
let
  --%MAIN;
  PT_null_regular_within = monitor_null_regular_within(MODE, COND, STOP, RES);
tel
"
        );
    }

    #[test]
    fn inputs_of_an_interpreter() {
        let signals = [vec![Interval { lo: 0, hi: 0 }], vec![], vec![], vec![Interval { lo: 0, hi: 1 }]];
        assert_eq!(
            input(&Setting { length: 2, steps: 0, signals }),
            "[\n  {\"MODE\": true, \"COND\": false, \"STOP\": false, \"RES\": true},\n  \
             {\"MODE\": false, \"COND\": false, \"STOP\": false, \"RES\": true}\n]\n"
        );
    }

    #[test]
    fn long_delays_are_refused() {
        let timed =
            |steps| program(&mut Templates::new(steps, |key| key.to_string() == "null,regular,within"));
        assert!(timed(65_536).is_ok());
        let error = timed(65_537).expect_err("one step more");
        assert_eq!(
            error.to_string(),
            "null,regular,within: it remembers 65537 single steps; the limit is 65536"
        );
    }
}
