//! A module for NuSMV and nuXmv in discrete time, with the same runs as [`::dfrs::step`].
//!
//! In phase `react` one enabled entry after the other reacts; once stable, every step is one unit of time. A delay ends when the phase is
//! `react` again, and only then inputs are new; until then it is `wait`, which no entry may be in that has its last chance to react.
//! `entry` says which entry reacts next. Timers are counters that stop one above the greatest bound.

use super::expr::{Expr, Language};
use super::names::Names;
use super::plan::{Domain, Plan};
use super::{Refusal, trace};
use ::dfrs::{Dfrs, Moment, Reading, Semantics};
use logic::{Rel, SMV};
use std::fmt::Write;

/// The system as a module for NuSMV and nuXmv.
pub fn smv(dfrs: &Dfrs, semantics: Semantics) -> Result<String, Refusal> {
    let plan = Plan::discrete(dfrs, semantics, "NuSMV")?;
    Ok(Model::of(&plan).module())
}

struct Model<'p> {
    plan: &'p Plan<'p>,
    now: Vec<String>,
    before: Vec<String>,
    constants: Vec<Vec<String>>,
    timers: Vec<String>,
    rules: Vec<String>,
    /// For each requirement the name that is true while one of its entries reacts.
    requirements: Vec<String>,
    nevers: Vec<String>,
}

impl<'p> Model<'p> {
    fn of(plan: &'p Plan<'p>) -> Model<'p> {
        let mut names = Names::new("phase entry stable tick overdue react wait none");
        let families = ["guard_", "changes_", "can_", "do_"];
        let rules = plan.rules.iter().map(|rule| names.family(&families, &rule.id)).collect();
        let restrictions = plan.dfrs.restrictions.iter();
        let nevers = restrictions.map(|it| names.family(&["never_"], &it.origin.id)).collect();
        let mut take = |wanted: String| {
            let name = names.take(&wanted);
            // A reserved word becomes another one only once.
            if SMV.is_plain(&name) { name } else { names.take(&format!("{name}_")) }
        };
        let signals = 0..plan.signals.len();
        let now = signals.clone().map(|signal| take(plan.name(signal).to_owned())).collect();
        let timers = (0..plan.timers.len()).map(|timer| take(plan.timer_name(timer).to_owned())).collect();
        let before = signals.clone().map(|signal| take(format!("prev_{}", plan.name(signal)))).collect();
        let constants = signals
            .map(|signal| match &plan.signals[signal].domain {
                Domain::Names(words) => {
                    words.iter().map(|word| take(format!("{}_{word}", plan.name(signal)))).collect()
                }
                Domain::Bool | Domain::Numbers(..) => Vec::new(),
            })
            .collect();
        let requirements = plan.dfrs.requirements.iter().map(|it| take(it.id.clone())).collect();
        Model { plan, now, before, constants, timers, rules, requirements, nevers }
    }

    fn module(&self) -> String {
        let letter = self.plan.semantics.reading.letter();
        let mut text = format!("-- A data-flow reactive system, reading {letter}, discrete time.\n");
        text += &trace(self.plan.dfrs, "--");
        self.variables(&mut text);
        self.defines(&mut text);
        self.assigns(&mut text);
        self.constraints(&mut text);
        text
    }

    fn variables(&self, text: &mut String) {
        let plan = self.plan;
        text.push_str("MODULE main\nVAR\n");
        for (place, signal) in plan.signals.iter().enumerate() {
            if let Domain::Numbers(_, scale) = &signal.domain
                && *scale > 1
            {
                let _ = writeln!(text, "  -- {} counts parts of which {scale} are one.", self.now[place]);
            }
            let sort = match &signal.domain {
                Domain::Bool => "boolean".to_owned(),
                Domain::Names(_) => format!("{{{}}}", self.constants[place].join(", ")),
                Domain::Numbers(values, _) => {
                    let list: Vec<String> = values.iter().map(i64::to_string).collect();
                    format!("{{{}}}", list.join(", "))
                }
            };
            let _ = writeln!(text, "  {} : {sort};\n  {} : {sort};", self.now[place], self.before[place]);
        }
        for (timer, name) in self.timers.iter().enumerate() {
            let _ = writeln!(text, "  {name} : 0 .. {};", plan.timers[timer].cap());
        }
        let all: String = self.rules.iter().map(|rule| format!(", do_{rule}")).collect();
        let _ = writeln!(text, "  phase : {{react, wait}};\n  entry : {{none{all}}};");
    }

    fn defines(&self, text: &mut String) {
        let plan = self.plan;
        text.push_str("DEFINE\n");
        for (rule, name) in plan.rules.iter().zip(&self.rules) {
            let id = crate::words::plain(&plan.dfrs.requirements[rule.requirement].id);
            let guard = self.condition(&Expr::all([rule.guard.clone(), rule.timed.clone()]));
            let changes = self.condition(&rule.changes);
            let _ = writeln!(text, "  -- {id}");
            let _ = writeln!(text, "  guard_{name} := {guard};\n  changes_{name} := {changes};");
            let _ = writeln!(text, "  can_{name} := guard_{name} & changes_{name};");
        }
        for (number, name) in self.requirements.iter().enumerate() {
            let mine = plan.rules.iter().zip(&self.rules).filter(|(rule, _)| rule.requirement == number);
            let reacts: Vec<String> = mine.map(|(_, rule)| format!("entry = do_{rule}")).collect();
            let reacts = if reacts.is_empty() { "FALSE".to_owned() } else { reacts.join(" | ") };
            let _ = writeln!(text, "  {name} := {reacts};");
        }
        let can: Vec<String> = self.rules.iter().map(|name| format!("can_{name}")).collect();
        let can = if can.is_empty() { "FALSE".to_owned() } else { can.join(" | ") };
        let _ = writeln!(text, "  stable := !({can});\n  tick := phase = wait | stable;");
        let overdue: Vec<Expr> = plan
            .deadlines()
            .map(|(number, due)| {
                Expr::all([plan.rules[number].pending(), Expr::Age(due.timer, Rel::Eq, due.age)])
            })
            .collect();
        let _ = writeln!(text, "  overdue := {};", self.condition(&Expr::any(overdue)));
        for (name, never) in self.nevers.iter().zip(&plan.nevers) {
            let _ = writeln!(text, "  never_{name} := {};", self.condition(never));
        }
    }

    fn assigns(&self, text: &mut String) {
        let plan = self.plan;
        text.push_str("ASSIGN\n");
        for (place, signal) in plan.signals.iter().enumerate() {
            let initial = self.value(place, signal.initial);
            let (now, before) = (&self.now[place], &self.before[place]);
            let _ = writeln!(text, "  init({now}) := {initial};\n  init({before}) := {initial};");
            let writers: Vec<(&String, String)> = plan
                .rules
                .iter()
                .zip(&self.rules)
                .flat_map(|(rule, name)| rule.writes.iter().map(move |write| (name, write)))
                .filter(|(_, (signal, _))| *signal == place)
                .map(|(name, (_, term))| {
                    (name, self.language(|language| language.term(&plan.signals, place, term)))
                })
                .collect();
            if !signal.input {
                let cases = writers.iter().map(|(rule, value)| (format!("entry = do_{rule}"), value.clone()));
                case(text, now, cases, now);
            }
            match (plan.semantics.reading, signal.input) {
                (Reading::Synchronous, _) => case(text, before, [("tick".to_owned(), now.clone())], before),
                (Reading::Literal | Reading::Current, true) => {
                    case(text, before, [("tick & next(phase) = react".to_owned(), now.clone())], before);
                }
                (Reading::Literal | Reading::Current, false) => {
                    let cases = writers.iter().map(|(rule, _)| (format!("entry = do_{rule}"), now.clone()));
                    case(text, before, cases, before);
                }
            }
        }
        for (timer, name) in self.timers.iter().enumerate() {
            let resets = plan.rules.iter().zip(&self.rules).filter(|(rule, _)| rule.resets.contains(&timer));
            let resets = resets.map(|(_, rule)| (format!("entry = do_{rule}"), "0".to_owned()));
            let grows = (format!("tick & {name} < {}", plan.timers[timer].cap()), format!("{name} + 1"));
            let _ = writeln!(text, "  init({name}) := 0;");
            case(text, name, resets.chain([grows]), name);
        }
        text.push_str("  init(phase) := react;\n");
        case(text, "phase", [("tick".to_owned(), "{react, wait}".to_owned())], "react");
    }

    fn constraints(&self, text: &mut String) {
        text.push_str("-- One of the entries that can react does; if none can, time goes on.\n");
        text.push_str("INVAR (entry = none) <-> tick;\n");
        for name in &self.rules {
            let _ = writeln!(text, "INVAR entry = do_{name} -> can_{name};");
        }
        text.push_str("-- Nobody waits who would miss a deadline.\nINVAR phase = wait -> !overdue;\n");
        text.push_str("-- Inputs are new when a delay ends.\n");
        for signal in self.plan.inputs() {
            let name = &self.now[signal];
            let _ = writeln!(text, "TRANS (tick & next(phase) = react) | next({name}) = {name};");
        }
        for (name, restriction) in self.nevers.iter().zip(&self.plan.dfrs.restrictions) {
            let id = crate::words::plain(&restriction.origin.id);
            let _ = writeln!(text, "-- {id}\nTRANS (tick & next(phase) = react) -> !next(never_{name});");
        }
    }

    fn condition(&self, expr: &Expr) -> String {
        self.language(|language| language.condition(&self.plan.signals, expr))
    }

    fn language(&self, write: impl Fn(&Language) -> String) -> String {
        write(&Language {
            and: "&",
            or: "|",
            not: "!",
            equal: "=",
            truth: ["FALSE", "TRUE"],
            has_bool: true,
            signal: &|moment, signal| match moment {
                Moment::Now => self.now[signal].clone(),
                Moment::Before => self.before[signal].clone(),
            },
            constant: &|signal, value| self.value(signal, value),
            age: &|timer, relation, bound| format!("{} {} {bound}", self.timers[timer], relation.symbol()),
        })
    }

    fn value(&self, signal: usize, value: i64) -> String {
        match &self.plan.signals[signal].domain {
            Domain::Bool => if value == 0 { "FALSE" } else { "TRUE" }.to_owned(),
            Domain::Names(_) => self.constants[signal]
                .get(usize::try_from(value).unwrap_or(usize::MAX))
                .cloned()
                .unwrap_or_else(|| value.to_string()),
            Domain::Numbers(..) => value.to_string(),
        }
    }
}

/// The next value by cases; without any it stays.
fn case(text: &mut String, name: &str, cases: impl IntoIterator<Item = (String, String)>, last: &str) {
    let _ = writeln!(text, "  next({name}) := case");
    for (condition, value) in cases {
        let _ = writeln!(text, "    {condition} : {value};");
    }
    let _ = writeln!(text, "    TRUE : {last};\n  esac;");
}
