//! The requirements as SCR tables, as T-VEC and the SCR tools like them: a mode transition table, an event table or a condition table
//! for each output, as Markdown and as CSV.
//!
//! `@T(c)` says that c becomes true: it did not hold in the old sample and holds in the new one. A primed name is a value of the new sample, a name
//! without a prime one of the old. Time is the variable `time`, and the name of a timer stands for the time of its last reset. An
//! entry that waits for no event has `@C(time)`: it may react in any sample.

use crate::words::plain;
use ::dfrs::{Condition, Dfrs, Effect, Entry, Kind, Moment, Operand, Sort, Timed, english, step};
use logic::{RBig, Rel, Value};
use std::fmt::Write;

/// The kinds of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// From mode to mode, by events.
    Mode,
    /// New values, by events.
    Event,
    /// Values, by conditions.
    Condition,
}

/// The table of an output or timer.
struct Table {
    variable: usize,
    form: Form,
    rows: Vec<Row>,
}

struct Row {
    id: String,
    /// The mode it starts in; empty if it does not matter.
    mode: String,
    event: String,
    condition: String,
    value: String,
}

/// The tables as Markdown.
pub fn scr_tables(dfrs: &Dfrs) -> String {
    let mut text = String::from("# SCR tables\n\n");
    text += "`@T(c)`: c becomes true. `x'` is the new value of `x`, `x` the old one. A timer is the time of its last reset.\n\n";
    text += "| variable | kind | type | initial value |\n|---|---|---|---|\n| time | monitored | real, never decreases | 0 |\n";
    for variable in &dfrs.variables {
        let kind = match variable.kind {
            Kind::Input => "monitored",
            Kind::Output => "controlled",
            Kind::Timer => "term, a time",
        };
        let initial = english::plain(&variable.initial);
        let cells = [variable.name.as_str(), kind, &sort(&variable.sort), &initial];
        let _ = writeln!(text, "|{}", cells.map(|cell| format!(" {} |", cell_of(cell))).concat());
    }
    for table in tables(dfrs) {
        let name = &dfrs.variables[table.variable].name;
        let (title, heads): (&str, &[&str]) = match table.form {
            Form::Mode => ("Mode transition table", &["requirement", "old mode", "event", "new mode"]),
            Form::Event => ("Event table", &["requirement", "event", "new value"]),
            Form::Condition => ("Condition table", &["requirement", "condition", "value"]),
        };
        let _ = writeln!(text, "\n## {title} of `{}`\n", plain(name));
        let _ = writeln!(text, "| {} |\n|{}", heads.join(" | "), "---|".repeat(heads.len()));
        for row in &table.rows {
            let event = row.event(table.form);
            let cells: Vec<&str> = match table.form {
                Form::Mode => vec![&row.id, &row.mode, &event, &row.value],
                Form::Event => vec![&row.id, &event, &row.value],
                Form::Condition => vec![&row.id, &row.condition, &row.value],
            };
            let cells: String = cells.into_iter().map(|cell| format!(" {} |", cell_of(cell))).collect();
            let _ = writeln!(text, "|{cells}");
        }
    }
    if !dfrs.restrictions.is_empty() {
        text += "\n## Environment\n\n| assumption | never |\n|---|---|\n";
        for restriction in &dfrs.restrictions {
            let never: Vec<String> = restriction.never.iter().map(|it| condition(dfrs, it)).collect();
            let _ =
                writeln!(text, "| {} | {} |", cell_of(&restriction.origin.id), cell_of(&never.join(" AND ")));
        }
    }
    text += "\n## Requirements\n\n";
    for origin in &dfrs.requirements {
        let _ = writeln!(text, "- {}: {}", plain(&origin.id), plain(&origin.text));
    }
    text
}

/// All tables in one, as CSV: a row for each table and entry.
pub fn scr_csv(dfrs: &Dfrs) -> String {
    let mut text = String::from("table,variable,requirement,old mode,event,condition,new value\n");
    for table in tables(dfrs) {
        let form = match table.form {
            Form::Mode => "mode",
            Form::Event => "event",
            Form::Condition => "condition",
        };
        let name = &dfrs.variables[table.variable].name;
        for row in &table.rows {
            let event = if table.form == Form::Condition { "" } else { &row.event };
            let fields = [form, name, &row.id, &row.mode, event, &row.condition, &row.value];
            let fields: Vec<String> = fields.into_iter().map(field).collect();
            let _ = writeln!(text, "{}", fields.join(","));
        }
    }
    text
}

impl Row {
    /// The event and its condition.
    fn event(&self, form: Form) -> String {
        match (form, self.condition.is_empty()) {
            (Form::Condition, _) => self.condition.clone(),
            (Form::Mode | Form::Event, true) => self.event.clone(),
            (Form::Mode | Form::Event, false) => format!("{} WHEN {}", self.event, self.condition),
        }
    }
}

fn tables(dfrs: &Dfrs) -> Vec<Table> {
    let mut tables = Vec::new();
    for (variable, it) in dfrs.variables.iter().enumerate() {
        let writers: Vec<(&Entry, &Effect)> = step::entries(dfrs)
            .flat_map(|entry| entry.effect.iter().map(move |assignment| (entry, assignment)))
            .filter(|(_, assignment)| assignment.variable == variable)
            .map(|(entry, assignment)| (entry, &assignment.effect))
            .collect();
        if writers.is_empty() {
            continue;
        }
        let moded = |entry: &Entry| entry.guard.iter().any(|any| mode_of(any, variable).is_some());
        let is_mode = matches!(it.sort, Sort::Names(_)) && writers.iter().any(|(entry, _)| moded(entry));
        let rows: Vec<Row> =
            writers.iter().map(|(entry, effect)| row(dfrs, variable, is_mode, entry, effect)).collect();
        let form = match (is_mode, rows.iter().all(|row| row.event == ANY) && it.kind == Kind::Output) {
            (true, _) => Form::Mode,
            (false, true) => Form::Condition,
            (false, false) => Form::Event,
        };
        tables.push(Table { variable, form, rows });
    }
    tables
}

/// The event of an entry that waits for none.
const ANY: &str = "@C(time)";

fn row(dfrs: &Dfrs, variable: usize, is_mode: bool, entry: &Entry, effect: &Effect) -> Row {
    let mut mode = String::new();
    let (mut events, mut conditions): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut taken = vec![false; entry.guard.len()];
    for (place, any) in entry.guard.iter().enumerate() {
        if is_mode
            && mode.is_empty()
            && let Some(name) = mode_of(any, variable)
        {
            mode = name;
            taken[place] = true;
        }
    }
    for (place, any) in entry.guard.iter().enumerate() {
        let [now] = any.as_slice() else { continue };
        let before = (0..entry.guard.len()).find(|&other| {
            let [before] = entry.guard[other].as_slice() else { return false };
            !taken[other] && !taken[place] && becomes(before, now)
        });
        if let Some(before) = before {
            events.push(format!("@T({})", compared(dfrs, now, "")));
            taken[before] = true;
            taken[place] = true;
        }
    }
    for any in entry.guard.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(any, _)| any) {
        conditions.push(either(&any.iter().map(|it| condition(dfrs, it)).collect::<Vec<_>>()));
    }
    for any in &entry.timed {
        conditions.push(either(&any.iter().map(|it| timed(dfrs, it)).collect::<Vec<_>>()));
    }
    let event = if events.is_empty() { ANY.to_owned() } else { events.join(" AND ") };
    let value = match effect {
        Effect::Reset => "time".to_owned(),
        Effect::Assign(value) => operand(dfrs, value),
    };
    let id = dfrs.requirements.get(entry.requirement).map_or("?", |origin| origin.id.as_str()).to_owned();
    let mode = if is_mode && mode.is_empty() { "any".to_owned() } else { mode };
    Row { id, mode, event, condition: conditions.join(" AND "), value }
}

/// The mode that a clause asks for now.
fn mode_of(any: &[Condition], variable: usize) -> Option<String> {
    match any {
        [Condition { moment: Moment::Now, variable: found, relation: Rel::Eq, operand, .. }]
            if *found == variable =>
        {
            match operand {
                Operand::Constant(Value::Name(name)) => Some(name.clone()),
                Operand::Constant(_) | Operand::Variable(..) | Operand::Sum(..) => None,
            }
        }
        _ => None,
    }
}

/// Whether the first says of the old sample that what the second says of the new one did not hold.
fn becomes(before: &Condition, now: &Condition) -> bool {
    let constant = |operand: &Operand| matches!(operand, Operand::Constant(_));
    let opposite = before.relation == now.relation.complement() && before.operand == now.operand;
    let flipped = match (&before.operand, &now.operand) {
        (Operand::Constant(Value::Bool(old)), Operand::Constant(Value::Bool(new))) => {
            old != new && before.relation == Rel::Eq && now.relation == Rel::Eq
        }
        _ => false,
    };
    before.moment == Moment::Before
        && now.moment == Moment::Now
        && before.variable == now.variable
        && constant(&before.operand)
        && (opposite || flipped)
}

fn condition(dfrs: &Dfrs, found: &Condition) -> String {
    compared(dfrs, found, prime(found.moment))
}

fn compared(dfrs: &Dfrs, found: &Condition, prime: &str) -> String {
    let name = &dfrs.variables[found.variable].name;
    match &found.operand {
        Operand::Constant(Value::Bool(truth)) if (found.relation == Rel::Eq) == *truth => {
            format!("{name}{prime}")
        }
        Operand::Constant(Value::Bool(_)) => format!("NOT {name}{prime}"),
        other => format!("{name}{prime} {} {}", found.relation.symbol(), operand(dfrs, other)),
    }
}

fn timed(dfrs: &Dfrs, found: &Timed) -> String {
    let name = &dfrs.variables[found.timer].name;
    format!("time' - {name} {} {}", found.relation.symbol(), english::number(&found.bound))
}

fn operand(dfrs: &Dfrs, operand: &Operand) -> String {
    let at =
        |moment: &Moment, variable: usize| format!("{}{}", dfrs.variables[variable].name, prime(*moment));
    match operand {
        Operand::Constant(value) => english::plain(value),
        Operand::Variable(moment, variable) => at(moment, *variable),
        Operand::Sum(terms, constant) => {
            let mut parts: Vec<String> = terms
                .iter()
                .map(|(factor, moment, variable)| {
                    let name = at(moment, *variable);
                    if *factor == RBig::ONE { name } else { format!("{} * {name}", english::number(factor)) }
                })
                .collect();
            if *constant != RBig::ZERO || parts.is_empty() {
                parts.push(english::number(constant));
            }
            parts.join(" + ")
        }
    }
}

fn prime(moment: Moment) -> &'static str {
    match moment {
        Moment::Now => "'",
        Moment::Before => "",
    }
}

fn either(list: &[String]) -> String {
    if list.len() == 1 { list.concat() } else { format!("({})", list.join(" OR ")) }
}

fn sort(sort: &Sort) -> String {
    match sort {
        Sort::Bool { .. } => "boolean".to_owned(),
        Sort::Int => "integer".to_owned(),
        Sort::Real => "real".to_owned(),
        Sort::Names(names) => names.join(", "),
    }
}

/// A cell of a Markdown table.
fn cell_of(text: &str) -> String {
    plain(text).replace('\\', "\\\\").replace('|', "\\|")
}

/// A field of CSV (RFC 4180).
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
