//! A module for NuSMV and nuXmv in discrete time, with the same runs as [`::dfrs::step`].
//!
//! In phase `react`, enabled entries react one after the other; once the system is stable, every step is one unit of time.
//! A delay ends when the phase is `react` again, and only then do inputs change; until then the phase is `wait`, which
//! cannot last beyond the deadline of an entry. `entry` is the entry that reacts next. Timers are counters that stop one
//! above the largest bound.

use super::Refusal;
use super::expr::{Expr, Language, Term, symbol};
use super::heading;
use super::list;
use super::names::{Names, Signals};
use super::plan::{Domain, Plan};
use super::unit;
use ::dfrs::Dfrs;
use ::dfrs::Reading;
use ::dfrs::Semantics;
use logic::{Rel, SMV};
use std::fmt::Write;

/// The system as a module for NuSMV and nuXmv.
pub fn smv(dfrs: &Dfrs, semantics: Semantics) -> Result<String, Refusal> {
    let plan = Plan::discrete(dfrs, semantics, "NuSMV")?;
    Ok(Model::of(&plan).module())
}

struct Model<'p> {
    plan: &'p Plan<'p>,
    signals: Signals,
    rules: Vec<String>,
    /// For each requirement, the name that is true while one of its entries reacts.
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
        let mut take = |wanted: &str| {
            let name = names.take(wanted);
            // A reserved word with `_` is not a reserved word.
            if SMV.is_plain(&name) { name } else { names.take(&format!("{name}_")) }
        };
        let signals = Signals::of(plan, &mut take);
        let requirements = plan.dfrs.requirements.iter().map(|it| take(&it.id)).collect();
        Model { plan, signals, rules, requirements, nevers }
    }

    fn module(&self) -> String {
        let mut text = heading(self.plan, "--");
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
            let (now, before) = (&self.signals.now[place], &self.signals.before[place]);
            *text += &unit(signal, now, "  --");
            let sort = match &signal.domain {
                Domain::Bool => "boolean".to_owned(),
                Domain::Names(_) => format!("{{{}}}", self.signals.constants[place].join(", ")),
                Domain::Numbers(values, _) => format!("{{{}}}", list(values)),
            };
            let _ = writeln!(text, "  {now} : {sort};\n  {before} : {sort};");
        }
        for (timer, name) in self.signals.timers.iter().enumerate() {
            let _ = writeln!(text, "  {name} : 0 .. {};", plan.timers[timer].cap());
        }
        let all: String = self.rules.iter().map(|rule| format!(", do_{rule}")).collect();
        let _ = writeln!(text, "  phase : {{react, wait}};\n  entry : {{none{all}}};");
    }

    fn defines(&self, text: &mut String) {
        let plan = self.plan;
        text.push_str("DEFINE\n");
        for (rule, name) in plan.rules.iter().zip(&self.rules) {
            let id = draw::terminal::plain(&plan.dfrs.requirements[rule.requirement].id);
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
            let initial = self.term(place, &Term::Constant(signal.initial));
            let (now, before) = (&self.signals.now[place], &self.signals.before[place]);
            let _ = writeln!(text, "  init({now}) := {initial};\n  init({before}) := {initial};");
            let writers: Vec<(&String, String)> = plan
                .rules
                .iter()
                .zip(&self.rules)
                .flat_map(|(rule, name)| rule.writes.iter().map(move |write| (name, write)))
                .filter(|(_, (signal, _))| *signal == place)
                .map(|(name, (_, term))| (name, self.term(place, term)))
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
        for (timer, name) in self.signals.timers.iter().enumerate() {
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
        text.push_str("-- If entries can react, one of them does; otherwise time passes.\n");
        text.push_str("INVAR (entry = none) <-> tick;\n");
        for name in &self.rules {
            let _ = writeln!(text, "INVAR entry = do_{name} -> can_{name};");
        }
        text.push_str("-- Waiting does not exceed a deadline.\nINVAR phase = wait -> !overdue;\n");
        text.push_str("-- Inputs change only when a delay ends.\n");
        for signal in self.plan.inputs() {
            let name = &self.signals.now[signal];
            let _ = writeln!(text, "TRANS (tick & next(phase) = react) | next({name}) = {name};");
        }
        for (name, restriction) in self.nevers.iter().zip(&self.plan.dfrs.restrictions) {
            let id = draw::terminal::plain(&restriction.origin.id);
            let _ = writeln!(text, "-- {id}\nTRANS (tick & next(phase) = react) -> !next(never_{name});");
        }
    }

    fn condition(&self, expr: &Expr) -> String {
        self.language(|language| language.condition(&self.plan.signals, expr))
    }

    fn term(&self, signal: usize, term: &Term) -> String {
        self.language(|language| language.term(&self.plan.signals, signal, term))
    }

    fn language(&self, write: impl Fn(&Language) -> String) -> String {
        write(&Language {
            and: "&",
            or: "|",
            not: "!",
            equal: "=",
            truth: ["FALSE", "TRUE"],
            has_bool: true,
            signal: &|moment, signal| self.signals.at(moment, signal),
            constant: &|signal, value| self.signals.value(signal, value),
            age: &|timer, relation, bound| {
                format!("{} {} {bound}", self.signals.timers[timer], symbol(relation, "="))
            },
        })
    }
}

/// The next value by cases.
fn case(text: &mut String, name: &str, cases: impl IntoIterator<Item = (String, String)>, last: &str) {
    let _ = writeln!(text, "  next({name}) := case");
    for (condition, value) in cases {
        let _ = writeln!(text, "    {condition} : {value};");
    }
    let _ = writeln!(text, "    TRUE : {last};\n  esac;");
}
