//! A network of timed automata for UPPAAL 4: a clock for each timer, committed reactions, deadlines as an invariant.
//!
//! `System` compares every clock with the bounds that guards name, which makes all guards conditions on numbers, lets entries react one by
//! one until it is stable, and waits. `Environment` ends the waiting with new inputs. Under reading C the previous values
//! are taken when the waiting begins, else those of inputs when it ends. In discrete time the waiting goes by whole units.

use super::expr::{Expr, Language};
use super::names::{Names, Signals};
use super::plan::{Domain, Due, Plan, Signal};
use super::{Refusal, trace};
use crate::diagram::canvas::escape;
use ::dfrs::{Clock, Dfrs, Moment, Reading, Semantics};
use logic::Rel;
use std::fmt::Write;

/// The system as a file for UPPAAL.
pub fn uppaal(dfrs: &Dfrs, semantics: Semantics) -> Result<String, Refusal> {
    let plan = Plan::of(dfrs, semantics)?;
    Ok(Model::of(&plan).file())
}

struct Model<'p> {
    plan: &'p Plan<'p>,
    signals: Signals,
    /// For each bound of each timer, how the clock compares with it: below zero, zero, above.
    compared: Vec<Vec<String>>,
    rules: Vec<String>,
    nevers: Vec<String>,
    /// For each input, what the environment chooses.
    chosen: Vec<String>,
    /// What is read before it is written.
    locals: Vec<String>,
}

impl<'p> Model<'p> {
    fn of(plan: &'p Plan<'p>) -> Model<'p> {
        let mut names = Names::new(RESERVED);
        let rules = plan.rules.iter().map(|rule| names.family(&["can_", "do_", "due_"], &rule.id)).collect();
        let restrictions = plan.dfrs.restrictions.iter();
        let nevers = restrictions.map(|it| names.family(&["never_"], &it.origin.id)).collect();
        let most = plan.rules.iter().map(|rule| rule.writes.len()).max().unwrap_or(0);
        let locals = names.take_all((0..most).map(|place| format!("to{place}")));
        let inputs = plan.inputs();
        let chosen = inputs.iter().map(|&signal| format!("new_{}", plan.name(signal)));
        let chosen = chosen.map(|name| names.family(&["", "values_of_"], &name)).collect();
        let signals = Signals::of(plan, &mut names);
        let compared = (0..plan.timers.len())
            .map(|timer| {
                let bounds = plan.timers[timer].bounds.iter();
                names.take_all(bounds.map(|bound| format!("{}_vs_{bound}", plan.timer_name(timer))))
            })
            .collect();
        Model { plan, signals, compared, rules, nevers, chosen, locals }
    }

    fn file(&self) -> String {
        let mut xml = String::from(HEAD);
        xml += "<nta>\n";
        let _ = writeln!(xml, "<declaration>{}</declaration>", escape_lines(&self.declarations()));
        xml += &self.system();
        xml += &self.environment();
        xml += "<system>system System, Environment;</system>\n</nta>\n";
        xml
    }

    fn declarations(&self) -> String {
        let Plan { dfrs, semantics, signals, units, .. } = self.plan;
        let clock = match semantics.clock {
            Clock::Discrete => "discrete",
            Clock::Dense => "dense",
        };
        let mut text = format!(
            "// A data-flow reactive system, reading {}, {clock} time.\n// One unit of time of the requirements is {units} here.\n",
            semantics.reading.letter()
        );
        text += &trace(dfrs, "//");
        text += "\n// Signals, and their previous values.\n";
        for (place, signal) in signals.iter().enumerate() {
            for (value, constant) in self.signals.constants[place].iter().enumerate() {
                let _ = writeln!(text, "const int {constant} = {value};");
            }
            if let Domain::Numbers(_, scale) = &signal.domain
                && *scale > 1
            {
                let _ =
                    writeln!(text, "// {} counts parts of which {scale} are one.", self.signals.now[place]);
            }
            let (range, initial) = (range(signal), self.value(place, signal.initial));
            let _ = writeln!(text, "{range} {} = {initial};", self.signals.now[place]);
            let _ = writeln!(text, "{range} {} = {initial};", self.signals.before[place]);
        }
        text += "\n// Timers, and how they compare with bounds: -1 below, 0 equal, 1 above.\n";
        for (timer, clock) in self.signals.timers.iter().enumerate() {
            let _ = writeln!(text, "clock {clock};");
            for compared in &self.compared[timer] {
                let _ = writeln!(text, "int[-1,1] {compared} = 0;");
            }
        }
        text += "clock waited;\nchan sample;\n";
        self.reactions(&mut text);
        self.waiting(&mut text);
        self.choices(&mut text);
        text
    }

    /// For each entry whether it reacts, and what it does.
    fn reactions(&self, text: &mut String) {
        let plan = self.plan;
        for (number, rule) in plan.rules.iter().enumerate() {
            let (name, id) = (&self.rules[number], &plan.dfrs.requirements[rule.requirement].id);
            let _ = writeln!(text, "\n// {}", crate::words::plain(id));
            let _ = writeln!(text, "bool can_{name}() {{\n  return {};\n}}", self.condition(&rule.enabled()));
            let _ = writeln!(text, "void do_{name}() {{");
            // All at once: everything is read before anything is written.
            for (place, (signal, term)) in rule.writes.iter().enumerate() {
                let value = self.language(|language| language.term(&plan.signals, *signal, term));
                let _ =
                    writeln!(text, "  {} {} = {value};", range(&plan.signals[*signal]), self.locals[place]);
            }
            for (place, (signal, _)) in rule.writes.iter().enumerate() {
                if plan.semantics.reading != Reading::Synchronous {
                    let _ =
                        writeln!(text, "  {} = {};", self.signals.before[*signal], self.signals.now[*signal]);
                }
                let _ = writeln!(text, "  {} = {};", self.signals.now[*signal], self.locals[place]);
            }
            text.push_str("}\n");
        }
        let cannot: Vec<String> = self.rules.iter().map(|name| format!("!can_{name}()")).collect();
        let stable = if cannot.is_empty() { "true".to_owned() } else { cannot.join(" && ") };
        let _ = writeln!(text, "\nbool stable() {{\n  return {stable};\n}}");
    }

    /// What is noted when a delay begins and when it ends.
    fn waiting(&self, text: &mut String) {
        let plan = self.plan;
        text.push_str("\n// The entries that have to react before their deadline.\n");
        for (number, _) in plan.deadlines() {
            let _ = writeln!(text, "bool due_{} = false;", self.rules[number]);
        }
        text.push_str("void begin() {\n");
        if plan.latches() {
            (0..plan.signals.len()).for_each(|signal| self.latch(text, signal));
        }
        for (number, due) in plan.deadlines() {
            let later = Expr::Age(due.timer, Rel::Lt, due.age);
            let pending = Expr::all([plan.rules[number].pending(), later]);
            let _ = writeln!(text, "  due_{} = {};", self.rules[number], self.condition(&pending));
        }
        if !plan.latches() {
            plan.inputs().into_iter().for_each(|signal| self.latch(text, signal));
        }
        text.push_str("}\n");
    }

    fn latch(&self, text: &mut String, signal: usize) {
        let _ = writeln!(text, "  {} = {};", self.signals.before[signal], self.signals.now[signal]);
    }

    /// What the environment may choose.
    fn choices(&self, text: &mut String) {
        let plan = self.plan;
        let inputs = plan.inputs();
        for (&signal, name) in inputs.iter().zip(&self.chosen) {
            if let Domain::Numbers(values, _) = &plan.signals[signal].domain {
                let list: Vec<String> = values.iter().map(i64::to_string).collect();
                let _ =
                    writeln!(text, "const int values_of_{name}[{}] = {{ {} }};", list.len(), list.join(", "));
            }
        }
        if plan.nevers.is_empty() {
            return;
        }
        let parameters: Vec<String> = self.chosen.iter().map(|name| format!("int {name}")).collect();
        let mut allowed = Vec::new();
        for (name, never) in self.nevers.iter().zip(&plan.nevers) {
            // The inputs that are there will be the previous ones.
            let signal = |moment: Moment, signal: usize| match moment {
                Moment::Before => self.signals.now[signal].clone(),
                Moment::Now => self.choice(signal),
            };
            let condition = self.language_over(&signal, |language| language.condition(&plan.signals, never));
            let parameters = parameters.join(", ");
            let _ = writeln!(text, "bool never_{name}({parameters}) {{\n  return {condition};\n}}");
            allowed.push(format!("!never_{name}({})", self.chosen.join(", ")));
        }
        let _ = writeln!(
            text,
            "bool allowed({}) {{\n  return {};\n}}",
            parameters.join(", "),
            allowed.join(" && ")
        );
    }

    /// The value that the environment chooses for an input; the present one for an output.
    fn choice(&self, signal: usize) -> String {
        let place = self.plan.inputs().iter().position(|&input| input == signal);
        match (place, &self.plan.signals[signal].domain) {
            (None, _) => self.signals.now[signal].clone(),
            (Some(place), Domain::Numbers(..)) => format!("values_of_{0}[{0}]", self.chosen[place]),
            (Some(place), Domain::Bool | Domain::Names(_)) => self.chosen[place].clone(),
        }
    }

    fn system(&self) -> String {
        let plan = self.plan;
        let all: Vec<(usize, usize)> = (0..plan.timers.len())
            .flat_map(|timer| (0..plan.timers[timer].bounds.len()).map(move |place| (timer, place)))
            .collect();
        // React, Wait, then a place for each comparison.
        let (react, wait) = (0, 1);
        let compare = |number: usize| if number < all.len() { number + 2 } else { react };
        let mut xml = String::from("<template>\n<name>System</name>\n");
        location(&mut xml, react, "React", (0, 0), "", true);
        location(&mut xml, wait, "Wait", (0, 200), &self.invariant(), false);
        for (number, (timer, place)) in all.iter().enumerate() {
            let name = format!("Compare_{}", self.compared[*timer][*place]);
            location(&mut xml, compare(number), &name, (-300 - 200 * number as i64, -150), "", true);
        }
        let _ = writeln!(xml, "<init ref=\"id{}\"/>", compare(0));
        for (number, (timer, place)) in all.iter().enumerate() {
            let (clock, compared) = (&self.signals.timers[*timer], &self.compared[*timer][*place]);
            let bound = plan.timers[*timer].bounds[*place];
            for (relation, sign) in [("<", -1), ("==", 0), (">", 1)] {
                let guard = format!("{clock} {relation} {bound}");
                let assignment = format!("{compared} = {sign}");
                edge(
                    &mut xml,
                    compare(number),
                    compare(number + 1),
                    &[("guard", &guard), ("assignment", &assignment)],
                );
            }
        }
        for (rule, name) in plan.rules.iter().zip(&self.rules) {
            let resets = rule.resets.iter().map(|&timer| format!(", {} = 0", self.signals.timers[timer]));
            let assignment = format!("do_{name}(){}", resets.collect::<String>());
            let target = if rule.resets.is_empty() { react } else { compare(0) };
            edge(
                &mut xml,
                react,
                target,
                &[("guard", &format!("can_{name}()")), ("assignment", &assignment)],
            );
        }
        edge(&mut xml, react, wait, &[("guard", "stable()"), ("assignment", "begin(), waited = 0")]);
        let arrived = match plan.semantics.clock {
            Clock::Dense => "waited > 0",
            Clock::Discrete => "waited == 1",
        };
        edge(&mut xml, wait, compare(0), &[("guard", arrived), ("synchronisation", "sample?")]);
        if plan.semantics.clock == Clock::Discrete {
            let open = plan.deadlines().map(|(number, Due { timer, age, .. })| {
                format!(" && (!due_{} || {} < {age})", self.rules[number], self.signals.timers[timer])
            });
            let guard = format!("waited == 1{}", open.collect::<String>());
            edge(&mut xml, wait, wait, &[("guard", &guard), ("assignment", "waited = 0")]);
        }
        xml + "</template>\n"
    }

    /// How long waiting may last. A disjunction may have a condition on numbers to the left of one on a clock.
    fn invariant(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        if self.plan.semantics.clock == Clock::Discrete {
            parts.push("waited <= 1".to_owned());
        }
        for (number, Due { timer, age, included }) in self.plan.deadlines() {
            let relation = if included { "<=" } else { "<" };
            parts.push(format!(
                "(!due_{} || {} {relation} {age})",
                self.rules[number], self.signals.timers[timer]
            ));
        }
        parts.join(" && ")
    }

    fn environment(&self) -> String {
        let mut xml = String::from("<template>\n<name>Environment</name>\n");
        location(&mut xml, 0, "Choose", (0, 0), "", false);
        xml = xml.replace("id=\"id0\"", "id=\"env0\"");
        xml += "<init ref=\"env0\"/>\n";
        let inputs = self.plan.inputs();
        let mut select = Vec::new();
        let mut assignment = Vec::new();
        for (&signal, name) in inputs.iter().zip(&self.chosen) {
            let last = self.plan.signals[signal].domain.values().len() - 1;
            select.push(format!("{name} : int[0,{last}]"));
            let value = match &self.plan.signals[signal].domain {
                Domain::Bool => format!("{name} == 1"),
                Domain::Names(_) | Domain::Numbers(..) => self.choice(signal),
            };
            assignment.push(format!("{} = {value}", self.signals.now[signal]));
        }
        let (select, assignment) = (select.join(", "), assignment.join(", "));
        let guard = format!("allowed({})", self.chosen.join(", "));
        let mut labels: Vec<(&str, &str)> = Vec::new();
        if !inputs.is_empty() {
            labels.push(("select", &select));
        }
        if !self.plan.nevers.is_empty() {
            labels.push(("guard", &guard));
        }
        labels.push(("synchronisation", "sample!"));
        if !inputs.is_empty() {
            labels.push(("assignment", &assignment));
        }
        let mut loops = String::new();
        edge(&mut loops, 0, 0, &labels);
        xml + &loops.replace("\"id0\"", "\"env0\"") + "</template>\n"
    }

    fn condition(&self, expr: &Expr) -> String {
        self.language(|language| language.condition(&self.plan.signals, expr))
    }

    fn language(&self, write: impl Fn(&Language) -> String) -> String {
        let signal = |moment: Moment, signal: usize| match moment {
            Moment::Now => self.signals.now[signal].clone(),
            Moment::Before => self.signals.before[signal].clone(),
        };
        self.language_over(&signal, write)
    }

    fn language_over(
        &self,
        signal: &dyn Fn(Moment, usize) -> String,
        write: impl Fn(&Language) -> String,
    ) -> String {
        let age = |timer: usize, relation: Rel, bound: i64| {
            let place = self.plan.timers[timer].bounds.iter().position(|&it| it == bound);
            let name = place.and_then(|place| self.compared[timer].get(place)).map_or("", String::as_str);
            format!("{name} {} 0", if relation == Rel::Eq { "==" } else { relation.symbol() })
        };
        write(&Language {
            and: "&&",
            or: "||",
            not: "!",
            equal: "==",
            truth: ["false", "true"],
            has_bool: true,
            signal,
            constant: &|signal, value| self.value(signal, value),
            age: &age,
        })
    }

    fn value(&self, signal: usize, value: i64) -> String {
        match &self.plan.signals[signal].domain {
            Domain::Bool => if value == 0 { "false" } else { "true" }.to_owned(),
            Domain::Names(_) => self.signals.constants[signal]
                .get(usize::try_from(value).unwrap_or(usize::MAX))
                .cloned()
                .unwrap_or_else(|| value.to_string()),
            Domain::Numbers(..) => value.to_string(),
        }
    }
}

/// The type of a signal.
fn range(signal: &Signal) -> String {
    match &signal.domain {
        Domain::Bool => "bool".to_owned(),
        Domain::Names(names) => format!("int[0,{}]", names.len().saturating_sub(1)),
        Domain::Numbers(values, _) => {
            let ends = (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
            format!("int[{},{}]", ends.0, ends.1)
        }
    }
}

fn location(xml: &mut String, id: usize, name: &str, (x, y): (i64, i64), invariant: &str, committed: bool) {
    let _ = writeln!(xml, "<location id=\"id{id}\" x=\"{x}\" y=\"{y}\">\n<name>{name}</name>");
    if !invariant.is_empty() {
        let _ = writeln!(xml, "<label kind=\"invariant\">{}</label>", escape(invariant));
    }
    xml.push_str(if committed { "<committed/>\n</location>\n" } else { "</location>\n" });
}

fn edge(xml: &mut String, from: usize, to: usize, labels: &[(&str, &str)]) {
    let _ = writeln!(xml, "<transition>\n<source ref=\"id{from}\"/>\n<target ref=\"id{to}\"/>");
    for (kind, text) in labels {
        let _ = writeln!(xml, "<label kind=\"{kind}\">{}</label>", escape(text));
    }
    xml.push_str("</transition>\n");
}

/// Text of several lines as XML.
fn escape_lines(text: &str) -> String {
    text.lines().map(|line| escape(line) + "\n").collect()
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_1.dtd'>
";

/// The reserved words of UPPAAL 4 and 5, its functions, and the names of this model.
const RESERVED: &str = "\
    A E M R U W abs after_update and assert assign assume before_update begin bool bounds break broadcast \
    case chan clock commit committed const continue control control_t deadlock default discrete do double \
    dynamic else enum exists exit exp false float for forall foreach gantt goal guard hybrid if imply import \
    inf init input instance int int16_t int32_t int64_t int8_t invariant IO isdigit isinf isnan location log \
    max maxE maxPr message meta min minE minPr mod not numOf on or output pow prechart Pr priority process \
    progress property proportion query random rate refinement requires return sample saveStrategy scalar \
    scenario select simulate simulation sin spawn specification sqrt stable state strategy string struct \
    subst sum sup switch sync system System Environment tan cos then time trans true typedef uint16_t \
    uint32_t uint64_t uint8_t under universal urgent void waited while xor allowed React Wait Choose floor \
    ceil round fabs";
