//! The sorts of variables from the values they are compared with and assigned (Algorithm 2 of the paper).
//!
//! Variables that are compared with or assigned to each other share a sort. Names of an enumeration are in alphabetical order; an
//! enumeration of one name is a Boolean with that word. Whole and other numbers together are reals.

use super::names::{Meaning, Names, computes, is_order};
use super::{Diagnostics, Reader};
use crate::codes;
use crate::frames::{Operand, Role, Term};
use crate::system::{Kind, Sort};
use std::collections::BTreeSet;
use syntax::Span;

/// What a value says about the sort of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Class {
    Truth,
    /// Whether it is written as an integer, if it is written at all.
    Number(Option<bool>),
    Name(String),
}

struct Evidence {
    variable: usize,
    class: Class,
    text: String,
    span: Span,
}

/// Collects evidence.
struct Sorting<'n> {
    names: &'n Names,
    /// Variables of one sort have one representative.
    parent: Vec<usize>,
    evidence: Vec<Evidence>,
    /// Variables that are compared by order with each other.
    ordered: Vec<(usize, Span, String)>,
}

/// What is known of the variables that share a sort.
#[derive(Default)]
struct Group {
    first: Option<usize>,
    names: BTreeSet<String>,
    whole: Option<usize>,
    real: Option<usize>,
    noted: bool,
}

/// The sort of each variable.
pub(super) fn sorts(names: &Names, readers: &[Reader], out: &mut Diagnostics) -> Vec<Sort> {
    let mut sorting =
        Sorting { names, parent: (0..names.list.len()).collect(), evidence: Vec::new(), ordered: Vec::new() };
    for reader in readers {
        for found in reader.conditions() {
            let variable = names.of(&found.variable);
            let ordered = is_order(found.relation);
            if let Some(term) = &found.cfv {
                sorting.relate(reader, variable, &found.cpt, term, Use { ordered: false, sum: false }, out);
            }
            sorting.relate(reader, variable, &found.cpt, &found.ctv, Use { ordered, sum: false }, out);
        }
        for found in &reader.frame.actions {
            let variable = names.of(&found.variable);
            if let Some(term) = &found.tov {
                let how = Use { ordered: false, sum: computes(found.verb) };
                sorting.relate(reader, variable, &found.pat, term, how, out);
            }
        }
    }
    sorting.finish(out)
}

/// How a value is used.
#[derive(Clone, Copy)]
struct Use {
    ordered: bool,
    sum: bool,
}

impl Sorting<'_> {
    fn relate(
        &mut self,
        reader: &Reader,
        variable: usize,
        subject: &Role,
        term: &Term,
        how: Use,
        out: &mut Diagnostics,
    ) {
        let sum = how.sum || term.operands.len() > 1;
        let is_timer = |at: usize| self.names.list[at].kind == Kind::Timer;
        let timer = is_timer(variable);
        if sum {
            let class = Class::Number(None);
            self.add(reader, variable, class, term.role.text.clone(), &term.role.span);
        }
        for (_, operand) in &term.operands {
            let Operand { role, .. } = operand;
            let span = reader.sentence.place(&role.span);
            let class = match self.names.meaning(operand) {
                Meaning::Number(_, whole) => Class::Number(Some(whole)),
                // What a timer is compared with is checked with its condition.
                _ if timer => continue,
                Meaning::Variable(other) if is_timer(other) => continue,
                Meaning::Variable(other) => {
                    self.join(variable, other);
                    if how.ordered {
                        self.ordered.push((variable, span, subject.text.clone()));
                    }
                    continue;
                }
                Meaning::Truth(_) | Meaning::Name(_) | Meaning::Not(_) if sum => {
                    let message = format!("`{}` is not a number", role.text);
                    let hint = "add only numbers, and variables with their article: `the speed plus 1`";
                    out.report(codes::SORT_CLASH, span, message, hint);
                    continue;
                }
                Meaning::Truth(_) | Meaning::Name(_) | Meaning::Not(_) if how.ordered => {
                    let message = format!("`{}` has no order, so nothing is greater or lower", role.text);
                    let hint = "compare it with `is` or `is not`; write a variable with its article";
                    out.report(codes::UNORDERED, span, message, hint);
                    continue;
                }
                Meaning::Truth(_) => Class::Truth,
                Meaning::Name(words) | Meaning::Not(words) => Class::Name(words.to_string()),
            };
            self.add(reader, variable, class, role.text.clone(), &role.span);
        }
    }

    fn add(
        &mut self,
        reader: &Reader,
        variable: usize,
        class: Class,
        text: String,
        span: &std::ops::Range<usize>,
    ) {
        self.evidence.push(Evidence { variable, class, text, span: reader.sentence.place(span) });
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }

    fn finish(mut self, out: &mut Diagnostics) -> Vec<Sort> {
        let mut groups: Vec<Group> = self.parent.iter().map(|_| Group::default()).collect();
        let evidence = std::mem::take(&mut self.evidence);
        for (index, found) in evidence.iter().enumerate() {
            let root = self.root(found.variable);
            let group = &mut groups[root];
            let first = &evidence[*group.first.get_or_insert(index)];
            match (&first.class, &found.class) {
                (Class::Truth, Class::Truth) => {}
                (Class::Number(_), Class::Number(whole)) => {
                    match whole {
                        Some(true) => group.whole = group.whole.or(Some(index)),
                        Some(false) => group.real = group.real.or(Some(index)),
                        None => {}
                    }
                    if let (Some(_), Some(_), false) = (group.whole, group.real, group.noted) {
                        group.noted = true;
                        let name = &self.names.list[found.variable].name;
                        let message =
                            format!("`{name}` has whole and fractional numbers: all are read as reals");
                        let hint = "write all of its numbers with a decimal point, or none";
                        out.report(codes::WHOLE_AS_REAL, found.span, message, hint);
                    }
                }
                (Class::Name(_), Class::Name(words)) => {
                    group.names.insert(words.clone());
                }
                _ => clash(self.names, first, found, out),
            }
        }
        let sorts: Vec<Sort> = (0..self.parent.len())
            .map(|at| {
                let group = &groups[self.root(at)];
                match group.first.map(|first| &evidence[first].class) {
                    Some(Class::Truth) => Sort::Bool { word: None },
                    Some(Class::Name(_)) if group.names.len() == 1 => {
                        Sort::Bool { word: group.names.first().cloned() }
                    }
                    Some(Class::Name(_)) => Sort::Names(group.names.iter().cloned().collect()),
                    Some(Class::Number(_)) if group.real.is_some() => Sort::Real,
                    None if self.names.list[at].kind == Kind::Timer => Sort::Real,
                    Some(Class::Number(_)) | None => Sort::Int,
                }
            })
            .collect();
        for (variable, span, shown) in std::mem::take(&mut self.ordered) {
            if matches!(sorts[variable], Sort::Bool { .. } | Sort::Names(_)) {
                let message = format!("the values of `{shown}` have no order, so none is greater or lower");
                out.report(codes::UNORDERED, span, message, "compare it with `is` or `is not`");
            }
        }
        sorts
    }
}

fn clash(names: &Names, first: &Evidence, found: &Evidence, out: &mut Diagnostics) {
    let shown = |evidence: &Evidence| match evidence.class {
        Class::Truth => format!("the Boolean `{}`", evidence.text),
        Class::Number(Some(_)) => format!("the number `{}`", evidence.text),
        Class::Number(None) => format!("the sum with `{}`", evidence.text),
        Class::Name(_) => format!("the name `{}`", evidence.text),
    };
    let variable = names.list[found.variable].name.replace('_', " ");
    let message = format!("`the {variable}` has {} here, but {} elsewhere", shown(found), shown(first));
    let hint = match (&first.class, &found.class) {
        (Class::Truth, Class::Name(_)) | (Class::Name(_), Class::Truth) => {
            "use either `true` and `false`, or words, for all of its values"
        }
        _ => {
            "use only numbers, only Booleans or only names; write a variable that is compared with its article"
        }
    };
    out.report(codes::SORT_CLASH, found.span, message, hint);
}
