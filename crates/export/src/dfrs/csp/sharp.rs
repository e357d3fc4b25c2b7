//! A model in CSP# for PAT.
//!
//! `React` lets enabled entries react, one event each, until none can; `Wait` is one `tick` of time; `Arrived` continues to
//! wait, unless an entry reaches its deadline, or takes new inputs with `sample`. All values are numbers: Booleans are
//! 0 and 1, names are numbered in alphabetical order.

use super::super::expr::{Expr, Term};
use super::super::names::Names;
use super::super::plan::Plan;
use super::super::{Refusal, heading, unit};
use super::Csp;
use ::dfrs::{Dfrs, Semantics};
use logic::Rel;
use std::fmt::Write;

/// The system as a model for PAT.
pub fn csp_sharp(dfrs: &Dfrs, semantics: Semantics) -> Result<String, Refusal> {
    let plan = Plan::discrete(dfrs, semantics, "CSP#")?;
    Ok(Model::of(&plan).file())
}

struct Model<'p> {
    csp: Csp<'p>,
    locals: Vec<String>,
}

impl<'p> Model<'p> {
    fn of(plan: &'p Plan<'p>) -> Model<'p> {
        let mut names = Names::new(RESERVED);
        let csp = Csp::of(plan, &mut names, ["&&", "||", "!"]);
        let most = plan.rules.iter().map(|rule| rule.writes.len()).max().unwrap_or(0);
        let locals = names.take_all((0..most).map(|place| format!("to{place}")));
        Model { csp, locals }
    }

    fn file(&self) -> String {
        let plan = self.csp.plan;
        let mut text = heading(plan, "//");
        text.push('\n');
        for constants in &self.csp.signals.constants {
            for (value, name) in constants.iter().enumerate() {
                let _ = writeln!(text, "#define {name} {value};");
            }
        }
        for (place, signal) in plan.signals.iter().enumerate() {
            text += &unit(signal, &self.csp.signals.now[place], "//");
            let values = signal.domain.values();
            let ends = (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
            for name in [&self.csp.signals.now[place], &self.csp.signals.before[place]] {
                let _ = writeln!(
                    text,
                    "var {name}:{{{}..{}}} = {};",
                    ends.0,
                    ends.1,
                    self.csp.signals.value(place, signal.initial)
                );
            }
        }
        for (timer, name) in self.csp.signals.timers.iter().enumerate() {
            let _ = writeln!(text, "var {name}:{{0..{}}} = 0;", plan.timers[timer].cap());
        }
        self.defines(&mut text);
        self.processes(&mut text);
        text
    }

    fn defines(&self, text: &mut String) {
        let plan = self.csp.plan;
        text.push('\n');
        for (id, name, guard) in self.csp.guards() {
            let _ = writeln!(text, "// {id}\n#define can_{name} ({guard});");
        }
        let cannot: Vec<String> = self.csp.rules.iter().map(|name| format!("!can_{name}")).collect();
        let stable = if cannot.is_empty() { "true".to_owned() } else { cannot.join(" && ") };
        let _ = writeln!(text, "#define stable ({stable});");
        let overdue = plan.deadlines().map(|(number, due)| {
            Expr::all([plan.rules[number].pending(), Expr::Age(due.timer, Rel::Eq, due.age)])
        });
        let _ = writeln!(text, "#define overdue ({});", self.csp.condition(&Expr::any(overdue)));
    }

    fn processes(&self, text: &mut String) {
        let plan = self.csp.plan;
        text.push_str("\nReact() =\n");
        for (number, name) in self.csp.rules.iter().enumerate() {
            let _ = writeln!(text, "  ([can_{name}]event_{name}{{{}}} -> React()) []", self.effect(number));
        }
        let all = 0..plan.signals.len();
        let latch = |signal: usize| {
            format!("{} = {};", self.csp.signals.before[signal], self.csp.signals.now[signal])
        };
        let begin: Vec<String> = if plan.latches() { all.map(latch).collect() } else { Vec::new() };
        let begin = if begin.is_empty() { String::new() } else { format!("{{{}}}", begin.join(" ")) };
        let _ = writeln!(text, "  ([stable]begin{begin} -> Wait());");
        let older = self.csp.signals.timers.iter().enumerate().map(|(timer, name)| {
            format!("if ({name} < {}) {{{name} = {name} + 1;}}", plan.timers[timer].cap())
        });
        let older: Vec<String> = older.collect();
        let older = if older.is_empty() { String::new() } else { format!("{{{}}}", older.join(" ")) };
        let _ = writeln!(text, "Wait() = tick{older} -> Arrived();");
        text.push_str("Arrived() = ([!overdue]Wait()) [] Sample();\nSample() = ");
        let inputs = plan.inputs();
        let mut update: Vec<String> = Vec::new();
        for (&signal, name) in inputs.iter().zip(&self.csp.chosen) {
            let values: Vec<String> =
                plan.signals[signal].domain.values().iter().map(i64::to_string).collect();
            let _ = write!(text, "[] {name}:{{{}}}@(", values.join(","));
            if !plan.latches() {
                update.push(latch(signal));
            }
            update.push(format!("{} = {name};", self.csp.signals.now[signal]));
        }
        let nevers = plan.nevers.iter().map(|never| format!("!({})", self.csp.over_new(never)));
        let guards: Vec<String> = nevers.collect();
        let guard = if guards.is_empty() { String::new() } else { format!("[{}]", guards.join(" && ")) };
        let fields: String = self.csp.chosen.iter().map(|name| format!(".{name}")).collect();
        let update = if update.is_empty() { String::new() } else { format!("{{{}}}", update.join(" ")) };
        let _ = writeln!(text, "{guard}sample{fields}{update} -> React(){};", ")".repeat(inputs.len()));
        text.push_str("System() = React();\n\n#assert System() deadlockfree;\n");
        for name in &self.csp.rules {
            let _ = writeln!(text, "#assert System() reaches can_{name};");
        }
    }

    /// The effect of an entry, in one step.
    fn effect(&self, number: usize) -> String {
        let plan = self.csp.plan;
        let rule = &plan.rules[number];
        let copies = rule.writes.iter().any(|(_, term)| matches!(term, Term::Signal(..)));
        let mut parts: Vec<String> = Vec::new();
        if copies {
            let reads = rule.writes.iter().zip(&self.locals);
            parts.extend(
                reads.map(|((signal, term), local)| {
                    format!("var {local} = {};", self.csp.term(*signal, term))
                }),
            );
        }
        for (place, (signal, term)) in rule.writes.iter().enumerate() {
            if !plan.latches() {
                parts.push(format!(
                    "{} = {};",
                    self.csp.signals.before[*signal], self.csp.signals.now[*signal]
                ));
            }
            let new = if copies { self.locals[place].clone() } else { self.csp.term(*signal, term) };
            parts.push(format!("{} = {new};", self.csp.signals.now[*signal]));
        }
        parts.extend(rule.resets.iter().map(|&timer| format!("{} = 0;", self.csp.signals.timers[timer])));
        parts.join(" ")
    }
}

/// The reserved words of CSP#, and the names of this model.
const RESERVED: &str = "\
    alphabet and assert atomic begin bfalse btrue call case channel deadlockfree default define \
    deterministic divergencefree do else enum false hvar if ifa ifb import include init interrupt new \
    nonterminating not or overdue reaches refines Run sample Skip stable Stop tau tick true var while with \
    xor React Wait Arrived Sample System within deadline timeout wait waituntil urgent";
