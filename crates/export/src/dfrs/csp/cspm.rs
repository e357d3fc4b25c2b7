//! A model in CSPM with `tock` for FDR.
//!
//! The state is in the parameters of the processes. Reactions are events; once the system is stable, it shows the outputs,
//! and time passes by `tock` until `sample` brings new inputs. Waiting ends at the latest at the deadline of an entry.
//! Values are numbers, as in CSP#.

use super::super::expr::Expr;
use super::super::names::Names;
use super::super::plan::Plan;
use super::super::{Refusal, heading, list, unit};
use super::Csp;
use ::dfrs::{Dfrs, Semantics};
use logic::Rel;
use std::fmt::Write;

/// The system as a script for FDR.
pub fn cspm(dfrs: &Dfrs, semantics: Semantics) -> Result<String, Refusal> {
    let plan = Plan::discrete(dfrs, semantics, "CSPM with tock")?;
    Ok(Model::of(&plan).script())
}

struct Model<'p> {
    csp: Csp<'p>,
}

impl<'p> Model<'p> {
    fn of(plan: &'p Plan<'p>) -> Model<'p> {
        Model { csp: Csp::of(plan, &mut Names::new(RESERVED), ["and", "or", "not "]) }
    }

    fn script(&self) -> String {
        let plan = self.csp.plan;
        let mut text = heading(plan, "--");
        text.push('\n');
        for (place, constants) in self.csp.signals.constants.iter().enumerate() {
            for (value, name) in constants.iter().enumerate() {
                let _ = writeln!(text, "{name} = {value}");
            }
            text += &unit(&plan.signals[place], &self.csp.signals.now[place], "--");
        }
        text.push_str("channel tock\n");
        for name in &self.csp.rules {
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
        let plan = self.csp.plan;
        let state = self.state(&self.csp.signals.now, &self.csp.signals.before, &self.csp.signals.timers);
        let _ = writeln!(text, "React{state} =\n  let");
        for (id, name, guard) in self.csp.guards() {
            let _ = writeln!(text, "    -- {id}\n    can_{name} = {guard}");
        }
        let can: Vec<String> = self.csp.rules.iter().map(|name| format!("can_{name}")).collect();
        let can = if can.is_empty() { "false".to_owned() } else { can.join(" or ") };
        let _ = writeln!(text, "    stable = not ({can})\n  within");
        for (rule, name) in plan.rules.iter().zip(&self.csp.rules) {
            let (mut now, mut before, mut ages) = (
                self.csp.signals.now.clone(),
                self.csp.signals.before.clone(),
                self.csp.signals.timers.clone(),
            );
            for (signal, term) in &rule.writes {
                if !plan.latches() {
                    before[*signal] = self.csp.signals.now[*signal].clone();
                }
                now[*signal] = self.csp.term(*signal, term);
            }
            rule.resets.iter().for_each(|&timer| "0".clone_into(&mut ages[timer]));
            let next = self.state(&now, &before, &ages);
            let _ = writeln!(text, "    (can_{name} & (event_{name} -> React{next})) []");
        }
        let outputs = (0..plan.signals.len()).filter(|&signal| !plan.signals[signal].input);
        let shown: String = outputs.map(|signal| format!("!{}", self.csp.signals.now[signal])).collect();
        let before = if plan.latches() { &self.csp.signals.now } else { &self.csp.signals.before };
        let begun = self.state(&self.csp.signals.now, before, &self.csp.signals.timers);
        let _ = writeln!(text, "    (stable & (show{shown} -> Wait{begun}))\n");
        let older: Vec<String> = self
            .csp
            .signals
            .timers
            .iter()
            .enumerate()
            .map(|(timer, name)| format!("older({name}, {})", plan.timers[timer].cap()))
            .collect();
        let older = self.state(&self.csp.signals.now, &self.csp.signals.before, &older);
        let _ = writeln!(text, "Wait{state} = tock -> Arrived{older}\n");
        let overdue = plan.deadlines().map(|(number, due)| {
            Expr::all([plan.rules[number].pending(), Expr::Age(due.timer, Rel::Eq, due.age)])
        });
        let overdue = self.csp.condition(&Expr::any(overdue));
        let _ = writeln!(text, "Arrived{state} =\n  let\n    overdue = {overdue}\n  within");
        let _ = writeln!(text, "    ((not overdue) & Wait{state}) [] Sample{state}\n");
        let (mut now, mut before) = (self.csp.signals.now.clone(), self.csp.signals.before.clone());
        let inputs = plan.inputs();
        let _ = write!(text, "Sample{state} = ");
        for (&signal, name) in inputs.iter().zip(&self.csp.chosen) {
            before[signal] = self.csp.signals.now[signal].clone();
            now[signal].clone_from(name);
            let _ = write!(text, "([] {name} : {} @ ", set(&plan.signals[signal].domain.values()));
        }
        let nevers = plan.nevers.iter().map(|never| format!("not ({})", self.csp.over_new(never)));
        let nevers: Vec<String> = nevers.collect();
        let guard = if nevers.is_empty() { String::new() } else { format!("({}) & ", nevers.join(" and ")) };
        let fields: String = self.csp.chosen.iter().map(|name| format!("!{name}")).collect();
        let next = self.state(&now, &before, &self.csp.signals.timers);
        let _ = writeln!(text, "{guard}(sample{fields} -> React{next}){}\n", ")".repeat(inputs.len()));
        let initial: Vec<String> = (0..plan.signals.len())
            .map(|signal| self.csp.signals.value(signal, plan.signals[signal].initial))
            .collect();
        let zeros = vec!["0".to_owned(); self.csp.signals.timers.len()];
        let _ = writeln!(text, "System = React{}\n", self.state(&initial, &initial, &zeros));
        text.push_str("assert System :[deadlock free [F]]\n");
    }
}

fn set(values: &[i64]) -> String {
    format!("{{{}}}", list(values))
}

/// The reserved words of CSPM, its functions, and the names of this model.
const RESERVED: &str = "\
    and assert Bool card channel CHAOS concat datatype diff div DIV elem else empty endmodule error Events \
    exports external extensions false False head if include instance Int inter Inter length let member mod \
    module nametype not null or overdue older print productions Proc RUN sample seq Seq set Set show SKIP \
    stable STOP subtype tail then timed_priority Timed tock transparent true True union Union WAIT within \
    Char Map React Wait Arrived Sample System age cap type prioritise normal diamond sbisim chase \
    mapFromList extend mtransclose relational_image transpose";
