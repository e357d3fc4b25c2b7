//! Models for NuSMV and nuXmv, in the shape of the paper's listings 1.1 and 1.2.
//!
//! A clock `t` counts the positions and then stays one after the last, where all signals are false; `LAST` marks the last
//! position. The model of a trace has one run, so a formula is true in it exactly if it holds on the trace. In the other
//! model the signals are free: past and future formulas are equivalent in it if they agree on every trace of that length.

use super::{SIGNALS, identifier};
use logic::{Bound, Formula, SMV, Store, Symbol, Unsupported};
use requirement::oracle::Interval;
use requirement::template::ATOMS;
use requirement::vectors::{Setting, Templates};
use requirement::{Key, LAST};

/// The formulas of a template, ready for the models of all settings with one duration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    key: Key,
    future: String,
    past: String,
}

/// The formulas of all templates over the signals of a trace.
pub fn specs(templates: &mut Templates) -> Result<Vec<Spec>, Unsupported> {
    let store = &mut templates.store;
    let mut names: Vec<(Symbol, String)> =
        ATOMS.iter().zip(SIGNALS).map(|(atom, signal)| (store.symbol(atom), signal.to_string())).collect();
    names.push((store.symbol(LAST), LAST.to_string()));
    let print = |store: &mut Store, formula: Formula| {
        let formula = logic::adapt(store, formula, &SMV);
        logic::print_with(store, formula, &SMV, &names)
    };
    let mut specs = Vec::new();
    for row in &templates.rows {
        let past = at_last(store, row.past);
        let (future, past) = (print(store, row.future)?, print(store, past)?);
        specs.push(Spec { key: row.key, future, past });
    }
    Ok(specs)
}

/// The model of a setting with the formulas of its duration; the expected verdict of each is in a comment.
pub fn trace_model(setting: &Setting, specs: &[Spec], expected: &[bool]) -> String {
    let mut text = format!("-- {setting}\n{}", clock(setting.length, ""));
    text += "DEFINE\n";
    text += &format!("  {LAST} := (t = {});\n", setting.length - 1);
    for (name, intervals) in SIGNALS.iter().zip(&setting.signals) {
        text += &format!("  {name} := {};\n", cases(intervals));
    }
    for (Spec { key, future, past }, expected) in specs.iter().zip(expected) {
        let (name, expected) = (identifier(key), if *expected { "TRUE" } else { "FALSE" });
        text += &format!("\n-- {key}: expected {expected}\n");
        text += &format!("LTLSPEC NAME FT_{name} := {future};\nLTLSPEC NAME PT_{name} := {past};\n");
    }
    text
}

/// The model of all traces of a length, on which past and future formulas must agree.
pub fn equivalence_model(length: usize, templates: &mut Templates) -> Result<String, Unsupported> {
    let free: String = ATOMS.iter().map(|atom| format!("  {atom} : boolean;\n")).collect();
    let mut text =
        format!("-- all traces of length {length}, n {}\n{}", templates.steps, clock(length, &free));
    text += &format!("DEFINE\n  {LAST} := (t = {});\n", length - 1);
    let store = &mut templates.store;
    for row in &templates.rows {
        let past = at_last(store, row.past);
        let equal = store.iff(past, row.future);
        let equal = logic::adapt(store, equal, &SMV);
        let equal = logic::print(store, equal, &SMV)?;
        let name = identifier(&row.key);
        text += &format!("\n-- {}: expected TRUE\nLTLSPEC NAME EQ_{name} := {equal};\n", row.key);
    }
    Ok(text)
}

/// `G (LAST -> past)`: the past formula at the last position, evaluated at the first.
fn at_last(store: &mut Store, past: Formula) -> Formula {
    let last = store.symbol(LAST);
    let last = store.var(last);
    let then = store.implies(last, past);
    store.globally(Bound::ALL, then)
}

/// The clock and other variables.
fn clock(length: usize, variables: &str) -> String {
    format!(
        "MODULE main\nVAR\n  t : 0 .. {length};\n{variables}ASSIGN\n  init(t) := 0;\n  \
         next(t) := case\n    t < {length} : t + 1;\n    TRUE : {length};\n  esac;\n"
    )
}

/// A signal as a function of the clock; the first matching case applies.
fn cases(intervals: &[Interval]) -> String {
    if intervals.is_empty() {
        return "FALSE".into();
    }
    let mut text = "case\n".to_string();
    for &Interval { lo, hi } in intervals {
        if lo > 0 {
            text += &format!("    t < {lo} : FALSE;\n");
        }
        text += &format!("    t <= {hi} : TRUE;\n");
    }
    text + "    TRUE : FALSE;\n  esac"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The trace of the paper's figure 3.
    fn figure() -> Setting {
        let interval = |lo, hi| Interval { lo, hi };
        let signals = [
            vec![interval(0, 2), interval(6, 9)],
            vec![interval(2, 3)],
            vec![],
            vec![interval(2, 2), interval(7, 9)],
        ];
        Setting { length: 10, steps: 1, signals }
    }

    #[test]
    fn listing_one() {
        let mut templates = Templates::new(1, |key| key.to_string() == "in,null,within");
        let specs = specs(&mut templates).expect("NuSMV has all operators");
        assert_eq!(
            trace_model(&figure(), &specs, &[false]),
            "\
-- length 10, n 1, mode {0-2;6-9}, cond {2-3}, stop {}, res {2-2;7-9}
MODULE main
VAR
  t : 0 .. 10;
ASSIGN
  init(t) := 0;
  next(t) := case
    t < 10 : t + 1;
    TRUE : 10;
  esac;
DEFINE
  LAST := (t = 9);
  MODE := case
    t <= 2 : TRUE;
    t < 6 : FALSE;
    t <= 9 : TRUE;
    TRUE : FALSE;
  esac;
  COND := case
    t < 2 : FALSE;
    t <= 3 : TRUE;
    TRUE : FALSE;
  esac;
  STOP := FALSE;
  RES := case
    t < 2 : FALSE;
    t <= 2 : TRUE;
    t < 7 : FALSE;
    t <= 9 : TRUE;
    TRUE : FALSE;
  esac;

-- in,null,within: expected FALSE
LTLSPEC NAME FT_in_null_within := (MODE -> F [0,1] RES | LAST | X !MODE) & (LAST V (MODE | LAST | X (MODE -> F [0,1] RES | LAST | X !MODE)));
LTLSPEC NAME PT_in_null_within := G (LAST -> H (Y (MODE & Z !MODE) -> O [0,1] (MODE -> RES)));
"
        );
    }

    #[test]
    fn listing_two() {
        let mut templates = Templates::new(3, |key| key.to_string() == "null,null,within");
        assert_eq!(
            equivalence_model(4, &mut templates).expect("NuSMV has all operators"),
            "\
-- all traces of length 4, n 3
MODULE main
VAR
  t : 0 .. 4;
  mode : boolean;
  cond : boolean;
  stop : boolean;
  res : boolean;
ASSIGN
  init(t) := 0;
  next(t) := case
    t < 4 : t + 1;
    TRUE : 4;
  esac;
DEFINE
  LAST := (t = 3);

-- null,null,within: expected TRUE
LTLSPEC NAME EQ_null_null_within := G (LAST -> H (O [3,3] Z FALSE -> O [0,3] res)) <-> F [0,3] res | F [0,2] LAST;
"
        );
    }
}
