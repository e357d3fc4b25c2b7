//! A model in CSP# for PAT, in discrete time, with the same runs as [`::dfrs::step`].
//!
//! `React` lets enabled entries react, one event each, until none can; `Wait` is one `tick` of time; `Arrived` goes on waiting, unless an entry has its last
//! chance to react, or takes new inputs with `sample`. All values are numbers: truth values 0 and 1, names in alphabetical order.

use super::expr::{Expr, Language, Term};
use super::names::Names;
use super::plan::{Domain, Plan};
use super::{Refusal, trace};
use ::dfrs::{Clock, Dfrs, Moment, Semantics};
use logic::Rel;
use std::fmt::Write;

/// The system as a model for PAT.
pub fn csp_sharp(dfrs: &Dfrs, semantics: Semantics) -> Result<String, Refusal> {
    if semantics.clock == Clock::Dense {
        return Err(Refusal::DenseTime { target: "CSP#" });
    }
    let plan = Plan::of(dfrs, semantics)?;
    Ok(Model::of(&plan).file())
}

struct Model<'p> {
    plan: &'p Plan<'p>,
    now: Vec<String>,
    before: Vec<String>,
    constants: Vec<Vec<String>>,
    timers: Vec<String>,
    rules: Vec<String>,
    chosen: Vec<String>,
    locals: Vec<String>,
}

impl<'p> Model<'p> {
    fn of(plan: &'p Plan<'p>) -> Model<'p> {
        let mut names = Names::new(RESERVED);
        let rules = plan.rules.iter().map(|rule| names.family(&["can_", "event_"], &rule.id)).collect();
        let most = plan.rules.iter().map(|rule| rule.writes.len()).max().unwrap_or(0);
        let locals = names.take_all((0..most).map(|place| format!("to{place}")));
        let inputs = plan.inputs();
        let chosen = names.take_all(inputs.iter().map(|&signal| format!("new_{}", plan.name(signal))));
        let signals = 0..plan.signals.len();
        let now = names.take_all(signals.clone().map(|signal| plan.name(signal)));
        let timers = names.take_all((0..plan.timers.len()).map(|timer| plan.timer_name(timer)));
        let before = names.take_all(signals.clone().map(|signal| format!("prev_{}", plan.name(signal))));
        let constants = signals
            .map(|signal| match &plan.signals[signal].domain {
                Domain::Names(words) => {
                    names.take_all(words.iter().map(|word| format!("{}_{word}", plan.name(signal))))
                }
                Domain::Bool | Domain::Numbers(..) => Vec::new(),
            })
            .collect();
        Model { plan, now, before, constants, timers, rules, chosen, locals }
    }

    fn file(&self) -> String {
        let plan = self.plan;
        let letter = plan.semantics.reading.letter();
        let mut text = format!("// A data-flow reactive system, reading {letter}, discrete time.\n");
        text += &trace(plan.dfrs, "//");
        text.push('\n');
        for constants in &self.constants {
            for (value, name) in constants.iter().enumerate() {
                let _ = writeln!(text, "#define {name} {value};");
            }
        }
        for (place, signal) in plan.signals.iter().enumerate() {
            if let Domain::Numbers(_, scale) = &signal.domain
                && *scale > 1
            {
                let _ = writeln!(text, "// {} counts parts of which {scale} are one.", self.now[place]);
            }
            let values = signal.domain.values();
            let ends = (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
            for name in [&self.now[place], &self.before[place]] {
                let _ = writeln!(
                    text,
                    "var {name}:{{{}..{}}} = {};",
                    ends.0,
                    ends.1,
                    self.value(place, signal.initial)
                );
            }
        }
        for (timer, name) in self.timers.iter().enumerate() {
            let _ = writeln!(text, "var {name}:{{0..{}}} = 0;", plan.timers[timer].cap());
        }
        self.defines(&mut text);
        self.processes(&mut text);
        text
    }

    fn defines(&self, text: &mut String) {
        let plan = self.plan;
        text.push('\n');
        for (rule, name) in plan.rules.iter().zip(&self.rules) {
            let id = crate::words::plain(&plan.dfrs.requirements[rule.requirement].id);
            let _ = writeln!(text, "// {id}\n#define can_{name} ({});", self.condition(&rule.enabled()));
        }
        let cannot: Vec<String> = self.rules.iter().map(|name| format!("!can_{name}")).collect();
        let stable = if cannot.is_empty() { "true".to_owned() } else { cannot.join(" && ") };
        let _ = writeln!(text, "#define stable ({stable});");
        let overdue = plan.deadlines().map(|(number, due)| {
            Expr::all([plan.rules[number].pending(), Expr::Age(due.timer, Rel::Eq, due.age)])
        });
        let _ = writeln!(text, "#define overdue ({});", self.condition(&Expr::any(overdue)));
    }

    fn processes(&self, text: &mut String) {
        let plan = self.plan;
        text.push_str("\nReact() =\n");
        for (number, name) in self.rules.iter().enumerate() {
            let _ = writeln!(text, "  ([can_{name}]event_{name}{{{}}} -> React()) []", self.effect(number));
        }
        let all = 0..plan.signals.len();
        let latch = |signal: usize| format!("{} = {};", self.before[signal], self.now[signal]);
        let begin: Vec<String> = if plan.latches() { all.map(latch).collect() } else { Vec::new() };
        let begin = if begin.is_empty() { String::new() } else { format!("{{{}}}", begin.join(" ")) };
        let _ = writeln!(text, "  ([stable]begin{begin} -> Wait());");
        let older = self.timers.iter().enumerate().map(|(timer, name)| {
            format!("if ({name} < {}) {{{name} = {name} + 1;}}", plan.timers[timer].cap())
        });
        let older: Vec<String> = older.collect();
        let older = if older.is_empty() { String::new() } else { format!("{{{}}}", older.join(" ")) };
        let _ = writeln!(text, "Wait() = tick{older} -> Arrived();");
        text.push_str("Arrived() = ([!overdue]Wait()) [] Sample();\nSample() = ");
        let inputs = plan.inputs();
        let mut update: Vec<String> = Vec::new();
        for (&signal, name) in inputs.iter().zip(&self.chosen) {
            let values: Vec<String> =
                plan.signals[signal].domain.values().iter().map(i64::to_string).collect();
            let _ = write!(text, "[] {name}:{{{}}}@(", values.join(","));
            if !plan.latches() {
                update.push(latch(signal));
            }
            update.push(format!("{} = {name};", self.now[signal]));
        }
        let nevers = plan.nevers.iter().map(|never| format!("!({})", self.over_new(never)));
        let guards: Vec<String> = nevers.collect();
        let guard = if guards.is_empty() { String::new() } else { format!("[{}]", guards.join(" && ")) };
        let fields: String = self.chosen.iter().map(|name| format!(".{name}")).collect();
        let update = if update.is_empty() { String::new() } else { format!("{{{}}}", update.join(" ")) };
        let _ = writeln!(text, "{guard}sample{fields}{update} -> React(){};", ")".repeat(inputs.len()));
        text.push_str("System() = React();\n\n#assert System() deadlockfree;\n");
        for name in &self.rules {
            let _ = writeln!(text, "#assert System() reaches can_{name};");
        }
    }

    /// What an entry does, all at once.
    fn effect(&self, number: usize) -> String {
        let plan = self.plan;
        let rule = &plan.rules[number];
        let copies = rule.writes.iter().any(|(_, term)| matches!(term, Term::Signal(..)));
        let mut parts: Vec<String> = Vec::new();
        let value = |signal: usize, term: &Term| {
            self.language(&|moment, signal| self.signal(moment, signal), |it| {
                it.term(&plan.signals, signal, term)
            })
        };
        if copies {
            let reads = rule.writes.iter().zip(&self.locals);
            parts.extend(
                reads.map(|((signal, term), local)| format!("var {local} = {};", value(*signal, term))),
            );
        }
        for (place, (signal, term)) in rule.writes.iter().enumerate() {
            if !plan.latches() {
                parts.push(format!("{} = {};", self.before[*signal], self.now[*signal]));
            }
            let new = if copies { self.locals[place].clone() } else { value(*signal, term) };
            parts.push(format!("{} = {new};", self.now[*signal]));
        }
        parts.extend(rule.resets.iter().map(|&timer| format!("{} = 0;", self.timers[timer])));
        parts.join(" ")
    }

    fn signal(&self, moment: Moment, signal: usize) -> String {
        match moment {
            Moment::Now => self.now[signal].clone(),
            Moment::Before => self.before[signal].clone(),
        }
    }

    fn condition(&self, expr: &Expr) -> String {
        self.language(&|moment, signal| self.signal(moment, signal), |it| {
            it.condition(&self.plan.signals, expr)
        })
    }

    /// A condition on inputs, at the moment before they get their new values.
    fn over_new(&self, expr: &Expr) -> String {
        let inputs = self.plan.inputs();
        let signal =
            |moment: Moment, signal: usize| match (moment, inputs.iter().position(|&it| it == signal)) {
                (Moment::Now, Some(place)) => self.chosen[place].clone(),
                (Moment::Now | Moment::Before, _) => self.now[signal].clone(),
            };
        self.language(&signal, |it| it.condition(&self.plan.signals, expr))
    }

    fn language(
        &self,
        signal: &dyn Fn(Moment, usize) -> String,
        write: impl Fn(&Language) -> String,
    ) -> String {
        write(&Language {
            and: "&&",
            or: "||",
            not: "!",
            equal: "==",
            truth: ["false", "true"],
            has_bool: false,
            signal,
            constant: &|signal, value| self.value(signal, value),
            age: &|timer, relation, bound| {
                let relation = if relation == Rel::Eq { "==" } else { super::uppaal::symbol(relation) };
                format!("{} {relation} {bound}", self.timers[timer])
            },
        })
    }

    fn value(&self, signal: usize, value: i64) -> String {
        let named = usize::try_from(value).ok().and_then(|value| self.constants[signal].get(value));
        named.cloned().unwrap_or_else(|| value.to_string())
    }
}

/// The reserved words of CSP#, and the names of this model.
const RESERVED: &str = "\
    alphabet and assert atomic begin bfalse btrue call case channel deadlockfree default define \
    deterministic divergencefree do else enum false hvar if ifa ifb import include init interrupt new \
    nonterminating not or overdue reaches refines Run sample Skip stable Stop tau tick true var while with \
    xor React Wait Arrived Sample System within deadline timeout wait waituntil urgent";
