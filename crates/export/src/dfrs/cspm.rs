//! A model in CSPM with `tock` for FDR, in discrete time, with the same runs as [`::dfrs::step`].
//!
//! The state is in the parameters of the processes. Reactions are events of their own; once stable, the outputs are shown, and time goes on by `tock`
//! until `sample` brings new inputs. Nobody waits longer than to the last chance of an entry to react. Values are numbers, as in CSP#.

use super::expr::{Expr, Language};
use super::names::Names;
use super::plan::{Domain, Plan};
use super::{Refusal, trace};
use ::dfrs::{Clock, Dfrs, Moment, Semantics};
use logic::Rel;
use std::fmt::Write;

/// The system as a script for FDR.
pub fn cspm(dfrs: &Dfrs, semantics: Semantics) -> Result<String, Refusal> {
    if semantics.clock == Clock::Dense {
        return Err(Refusal::DenseTime { target: "CSPM with tock" });
    }
    let plan = Plan::of(dfrs, semantics)?;
    Ok(Model::of(&plan).script())
}

struct Model<'p> {
    plan: &'p Plan<'p>,
    now: Vec<String>,
    before: Vec<String>,
    constants: Vec<Vec<String>>,
    timers: Vec<String>,
    rules: Vec<String>,
    chosen: Vec<String>,
}

impl<'p> Model<'p> {
    fn of(plan: &'p Plan<'p>) -> Model<'p> {
        let mut names = Names::new(RESERVED);
        let rules = plan.rules.iter().map(|rule| names.family(&["can_", "event_"], &rule.id)).collect();
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
        Model { plan, now, before, constants, timers, rules, chosen }
    }

    fn script(&self) -> String {
        let plan = self.plan;
        let letter = plan.semantics.reading.letter();
        let mut text = format!("-- A data-flow reactive system, reading {letter}, discrete time.\n");
        text += &trace(plan.dfrs, "--");
        text.push('\n');
        for (place, constants) in self.constants.iter().enumerate() {
            for (value, name) in constants.iter().enumerate() {
                let _ = writeln!(text, "{name} = {value}");
            }
            if let Domain::Numbers(_, scale) = &plan.signals[place].domain
                && *scale > 1
            {
                let _ = writeln!(text, "-- {} counts parts of which {scale} are one.", self.now[place]);
            }
        }
        text.push_str("channel tock\n");
        for name in &self.rules {
            let _ = writeln!(text, "channel event_{name}");
        }
        let of = |input: bool| {
            let signals = plan.signals.iter().filter(move |signal| signal.input == input);
            let sets: Vec<String> = signals.map(|signal| set(&signal.domain.values())).collect();
            if sets.is_empty() { String::new() } else { format!(" : {}", sets.join(".")) }
        };
        let _ = writeln!(text, "channel sample{}\nchannel show{}\n", of(true), of(false));
        text.push_str("older(age, cap) = if age < cap then age + 1 else cap\n\n");
        self.processes(&mut text);
        text
    }

    /// The current and previous values and the ages, as parameters or arguments.
    fn state(&self, now: &[String], before: &[String], ages: &[String]) -> String {
        let all: Vec<&str> = now.iter().chain(before).chain(ages).map(String::as_str).collect();
        format!("({})", all.join(", "))
    }

    fn processes(&self, text: &mut String) {
        let plan = self.plan;
        let state = self.state(&self.now, &self.before, &self.timers);
        let _ = writeln!(text, "React{state} =\n  let");
        for (rule, name) in plan.rules.iter().zip(&self.rules) {
            let id = crate::words::plain(&plan.dfrs.requirements[rule.requirement].id);
            let _ = writeln!(text, "    -- {id}\n    can_{name} = {}", self.condition(&rule.enabled()));
        }
        let can: Vec<String> = self.rules.iter().map(|name| format!("can_{name}")).collect();
        let can = if can.is_empty() { "false".to_owned() } else { can.join(" or ") };
        let _ = writeln!(text, "    stable = not ({can})\n  within");
        for (rule, name) in plan.rules.iter().zip(&self.rules) {
            let (mut now, mut before, mut ages) =
                (self.now.clone(), self.before.clone(), self.timers.clone());
            for (signal, term) in &rule.writes {
                if !plan.latches() {
                    before[*signal] = self.now[*signal].clone();
                }
                let signals = |moment: Moment, signal: usize| self.signal(moment, signal);
                now[*signal] = self.language(&signals, |it| it.term(&plan.signals, *signal, term));
            }
            rule.resets.iter().for_each(|&timer| "0".clone_into(&mut ages[timer]));
            let next = self.state(&now, &before, &ages);
            let _ = writeln!(text, "    (can_{name} & (event_{name} -> React{next})) []");
        }
        let outputs = (0..plan.signals.len()).filter(|&signal| !plan.signals[signal].input);
        let shown: String = outputs.map(|signal| format!("!{}", self.now[signal])).collect();
        let before = if plan.latches() { &self.now } else { &self.before };
        let begun = self.state(&self.now, before, &self.timers);
        let _ = writeln!(text, "    (stable & (show{shown} -> Wait{begun}))\n");
        let older: Vec<String> = self
            .timers
            .iter()
            .enumerate()
            .map(|(timer, name)| format!("older({name}, {})", plan.timers[timer].cap()))
            .collect();
        let older = self.state(&self.now, &self.before, &older);
        let _ = writeln!(text, "Wait{state} = tock -> Arrived{older}\n");
        let overdue = plan.deadlines().map(|(number, due)| {
            Expr::all([plan.rules[number].pending(), Expr::Age(due.timer, Rel::Eq, due.age)])
        });
        let overdue = self.condition(&Expr::any(overdue));
        let _ = writeln!(text, "Arrived{state} =\n  let\n    overdue = {overdue}\n  within");
        let _ = writeln!(text, "    ((not overdue) & Wait{state}) [] Sample{state}\n");
        let (mut now, mut before) = (self.now.clone(), self.before.clone());
        let inputs = plan.inputs();
        let _ = write!(text, "Sample{state} = ");
        for (&signal, name) in inputs.iter().zip(&self.chosen) {
            before[signal] = self.now[signal].clone();
            now[signal].clone_from(name);
            let _ = write!(text, "([] {name} : {} @ ", set(&plan.signals[signal].domain.values()));
        }
        let nevers = plan.nevers.iter().map(|never| format!("not ({})", self.over_new(never)));
        let nevers: Vec<String> = nevers.collect();
        let guard = if nevers.is_empty() { String::new() } else { format!("({}) & ", nevers.join(" and ")) };
        let fields: String = self.chosen.iter().map(|name| format!("!{name}")).collect();
        let next = self.state(&now, &before, &self.timers);
        let _ = writeln!(text, "{guard}(sample{fields} -> React{next}){}\n", ")".repeat(inputs.len()));
        let initial: Vec<String> =
            (0..plan.signals.len()).map(|signal| self.value(signal, plan.signals[signal].initial)).collect();
        let zeros = vec!["0".to_owned(); self.timers.len()];
        let _ = writeln!(text, "System = React{}\n", self.state(&initial, &initial, &zeros));
        text.push_str("assert System :[deadlock free [F]]\n");
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
            and: "and",
            or: "or",
            not: "not ",
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

fn set(values: &[i64]) -> String {
    let list: Vec<String> = values.iter().map(i64::to_string).collect();
    format!("{{{}}}", list.join(", "))
}

/// The reserved words of CSPM, its functions, and the names of this model.
const RESERVED: &str = "\
    and assert Bool card channel CHAOS concat datatype diff div DIV elem else empty endmodule error Events \
    exports external extensions false False head if include instance Int inter Inter length let member mod \
    module nametype not null or overdue older print productions Proc RUN sample seq Seq set Set show SKIP \
    stable STOP subtype tail then timed_priority Timed tock transparent true True union Union WAIT within \
    Char Map React Wait Arrived Sample System age cap type prioritise normal diamond sbisim chase \
    mapFromList extend mtransclose relational_image transpose";
