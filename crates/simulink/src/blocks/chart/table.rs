//! Truth tables. Initial actions run first; then all conditions are evaluated in their order; then the first decision whose outcomes
//! all hold runs its actions; and final actions run at the end.

use super::Machine;
use super::label::{is_word, without_comments};
use crate::chart::Table;
use crate::matlab::{self, Binary, Expression, Kind, Statement, Unary};
use crate::plan::{Fault, Outcome};
use system::{Expr, Pool};

/// A decision: the outcome that each condition must have, if it matters, and the actions by their rows.
struct Decision {
    outcomes: Vec<Option<bool>>,
    actions: Vec<usize>,
}

/// The parts of a table.
struct Parts {
    conditions: Vec<String>,
    decisions: Vec<Decision>,
    /// The code of each action.
    actions: Vec<String>,
    first: Vec<usize>,
    last: Vec<usize>,
}

/// A cell without its label (`name: code`) and comments, and the label.
fn labelled(text: &str, matlab: bool) -> (String, String) {
    let text = without_comments(text, matlab);
    let text = text.trim();
    let end = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    let starts = text.starts_with(|c: char| c.is_alphabetic());
    match text[end..].trim_start().strip_prefix(':') {
        Some(rest) if starts => (text[..end].to_owned(), rest.trim().to_owned()),
        _ => (String::new(), text.to_owned()),
    }
}

fn parts(table: &Table) -> Outcome<Parts> {
    let Some((last, rows)) = table.conditions.split_last() else {
        return Err(Fault::new("a truth table has no conditions"));
    };
    let mut labels = Vec::new();
    let mut actions = Vec::new();
    for row in &table.actions {
        let (label, code) = labelled(row.get(1).map_or("", |it| it), table.matlab);
        labels.push(label);
        actions.push(code);
    }
    let special = |name: &str| -> Outcome<Vec<usize>> {
        let like = |label: &&String| label.eq_ignore_ascii_case(name);
        if let Some(other) = labels.iter().filter(like).find(|it| *it != name) {
            return Err(Fault::hint(
                format!("the action label `{other}` is not clear"),
                format!("write `{name}`"),
            ));
        }
        Ok((0..labels.len()).filter(|it| labels[*it] == name).collect())
    };
    let numbers = |text: &str| -> Outcome<Vec<usize>> {
        let names = text.split([',', ';', ' ', '\n']).filter(|it| !it.is_empty());
        let row = |name: &str| {
            let labelled = labels.iter().position(|it| it == name);
            let numbered = name.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
            let found = labelled.or(numbered).filter(|it| *it < labels.len());
            found.ok_or_else(|| Fault::new(format!("a truth table has no action `{name}`")))
        };
        let found: Vec<usize> = names.map(row).collect::<Outcome<_>>()?;
        if found.is_empty() {
            Err(Fault::new("a decision of a truth table has no action"))
        } else {
            Ok(found)
        }
    };
    let outcome = |text: &String| match text.trim() {
        "T" | "t" => Ok(Some(true)),
        "F" | "f" => Ok(Some(false)),
        "-" => Ok(None),
        other => Err(Fault::new(format!("the outcome `{other}` of a truth table is not T, F or -"))),
    };
    let mut decisions = Vec::new();
    for column in 2..last.len() {
        let outcomes = rows.iter().map(|row| outcome(&row[column])).collect::<Outcome<_>>()?;
        decisions.push(Decision { outcomes, actions: numbers(&last[column])? });
    }
    let conditions = rows.iter().map(|row| labelled(row.get(1).map_or("", |it| it), table.matlab).1);
    Ok(Parts {
        conditions: conditions.collect(),
        decisions,
        first: special("INIT")?,
        last: special("FINAL")?,
        actions,
    })
}

/// Runs a table in the C language.
pub(super) fn run(machine: &mut Machine<'_, '_, '_>, table: &Table, guard: Expr) -> Outcome<()> {
    let parts = parts(table)?;
    let act = |machine: &mut Machine<'_, '_, '_>, rows: &[usize], guard: Expr| {
        let texts: Vec<&str> = rows.iter().map(|it| parts.actions[*it].as_str()).collect();
        machine.actions(&texts, guard, None)
    };
    act(machine, &parts.first, guard)?;
    let mut outcomes = Vec::new();
    for condition in &parts.conditions {
        let value = machine.term(condition, guard, None)?;
        outcomes.push(machine.work.truth_of(value));
    }
    let mut rest = guard;
    for decision in &parts.decisions {
        machine.visit()?;
        let mut holds = Pool::TRUE;
        for (outcome, wanted) in outcomes.iter().zip(&decision.outcomes) {
            let Some(wanted) = wanted else { continue };
            let fits = if *wanted { *outcome } else { machine.pool().not(*outcome) };
            holds = machine.pool().and([holds, fits]);
        }
        let taken = machine.pool().and([rest, holds]);
        act(machine, &decision.actions, taken)?;
        let other = machine.pool().not(holds);
        rest = machine.pool().and([rest, other]);
    }
    act(machine, &parts.last, guard)
}

/// A table in the MATLAB language as statements. The outcomes of conditions are variables that code cannot name.
pub(super) fn body(table: &Table) -> Outcome<Vec<Statement>> {
    let parts = parts(table)?;
    let wrong =
        |error: matlab::Error| Fault::new(format!("the code of a truth table is not understood: {error}"));
    let code = |rows: &[usize]| -> Outcome<Vec<Statement>> {
        let mut all = Vec::new();
        for row in rows {
            let text = format!("function action\n{}\n", parts.actions[*row]);
            all.extend(matlab::functions(&text).map_err(wrong)?.swap_remove(0).body);
        }
        Ok(all)
    };
    let name = |number: usize| Expression::new(Kind::Name(format!("condition {}", number + 1)));
    let mut body = code(&parts.first)?;
    for (number, condition) in parts.conditions.iter().enumerate() {
        let condition = matlab::expression(condition).map_err(wrong)?;
        // All elements of an array must hold, as in `if`.
        let (yes, no) =
            (Expression::new(Kind::Name("true".to_owned())), Expression::new(Kind::Name("false".to_owned())));
        let set = |value: Expression| vec![Statement::Assign(vec![name(number)], value)];
        body.push(Statement::If(vec![(condition, set(yes))], set(no)));
    }
    let mut branches = Vec::new();
    for decision in &parts.decisions {
        let mut holds = Expression::new(Kind::Name("true".to_owned()));
        for (number, wanted) in decision.outcomes.iter().enumerate() {
            let outcome = match wanted {
                Some(true) => name(number),
                Some(false) => Expression::new(Kind::Unary(Unary::Not, Box::new(name(number)))),
                None => continue,
            };
            holds = Expression::new(Kind::Binary(Binary::And, Box::new(holds), Box::new(outcome)));
        }
        branches.push((holds, code(&decision.actions)?));
    }
    body.push(Statement::If(branches, Vec::new()));
    body.extend(code(&parts.last)?);
    Ok(body)
}
