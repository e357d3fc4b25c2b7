//! Findings that a sentence and the tables of its component have alone: what is wrong with its text, its types, units, ranges
//! and values, and the likely mistakes that its meaning reveals. They are remembered as long as neither changes.

use super::Open;
use super::decided_by_range;
use super::enumerations;
use super::unit_mismatch;
use crate::component::Component;
use crate::finding::Finding;
use crate::parallel;
use crate::project::{Analysis, Known, Project};
use crate::reading::Reading;
use check::Linter;
use check::lint::no_timing;
use diagnostics::{Code, Diagnostic, Hint, Related, Span};
use requirement::codes::{FRACTIONAL_STEPS, UNITS_AS_STEPS, UNKNOWN_CONSTANT};
use requirement::specification::Variable;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What has been found before. What one look did not use is forgotten with the next; what is known of the forms of
/// requirements stays.
#[derive(Debug, Default)]
pub struct Memory {
    linter: Linter,
    /// By the address of the reading, which the slot keeps alive.
    slots: FxHashMap<usize, Slot>,
    /// The declared variables of components, each state of them with a number of its own.
    tables: FxHashMap<String, (u64, Vec<Variable>)>,
    states: u64,
    pub(super) pairs: super::pairs::Memory,
    pub(super) english: FxHashMap<String, Arc<Vec<Diagnostic>>>,
}

#[derive(Debug)]
struct Slot {
    reading: Arc<Reading>,
    state: u64,
    local: Local,
}

/// What is wrong with a sentence; spans are those of the sentence.
#[derive(Debug, Default)]
struct Local {
    remarks: Vec<Remark>,
    undecided: Option<String>,
}

/// Something wrong with a sentence.
#[derive(Debug)]
pub(super) struct Remark {
    pub(super) diagnostic: Diagnostic,
    /// The variables whose declarations are shown with it.
    pub(super) variables: Vec<String>,
}

impl Remark {
    pub(super) fn new(code: Code, span: Span, message: String, hint: impl Into<Hint>) -> Remark {
        Diagnostic::new(code, span, message, hint).into()
    }
}

impl From<Diagnostic> for Remark {
    fn from(diagnostic: Diagnostic) -> Remark {
        Remark { diagnostic, variables: Vec::new() }
    }
}

/// Adds what is wrong with each sentence; returns those that could not be decided.
pub(super) fn check(
    project: &Project,
    analysis: &Analysis,
    memory: &mut Memory,
    states: &[u64],
    findings: &mut Vec<Finding>,
) -> Vec<Open> {
    let mut old = std::mem::take(&mut memory.slots);
    let mut missing: Vec<(usize, u64, &Arc<Reading>, Option<&Component>)> = Vec::new();
    for known in &analysis.requirements {
        let Some(reading) = &known.reading else { continue };
        let address = Arc::as_ptr(reading) as usize;
        if memory.slots.contains_key(&address) {
            continue;
        }
        let state = known.component.map_or(0, |component| states[component]);
        match old.remove(&address).filter(|slot| slot.state == state && Arc::ptr_eq(&slot.reading, reading)) {
            Some(slot) => {
                memory.slots.insert(address, slot);
            }
            None => missing.push((
                address,
                state,
                reading,
                known.component.and_then(|at| analysis.components.at(at)),
            )),
        }
    }
    missing.sort_by_key(|&(address, ..)| address);
    missing.dedup_by_key(|&mut (address, ..)| address);
    let linter = &memory.linter;
    let made = parallel::map(&missing, |(_, _, reading, component)| local(reading, *component, linter));
    for ((address, state, reading, _), local) in missing.into_iter().zip(made) {
        memory.slots.insert(address, Slot { reading: reading.clone(), state, local });
    }
    let mut undecided = Vec::new();
    for known in &analysis.requirements {
        let slot =
            known.reading.as_ref().and_then(|reading| memory.slots.get(&(Arc::as_ptr(reading) as usize)));
        let Some(Slot { local, .. }) = slot else { continue };
        findings.extend(local.remarks.iter().map(|remark| finding(project, analysis, known, remark)));
        undecided
            .extend(local.undecided.iter().map(|reason| Open { place: known.place, reason: reason.clone() }));
    }
    undecided
}

impl Memory {
    /// A number for each component that changes when its declarations do.
    pub(super) fn states(&mut self, analysis: &Analysis) -> Vec<u64> {
        let mut tables = FxHashMap::default();
        let mut states = Vec::new();
        for component in analysis.components.iter() {
            let declared = || component.variables.iter().filter(|symbol| symbol.declaration.is_some());
            let (name, (state, variables)) = match self.tables.remove_entry(&component.name) {
                Some((name, (state, known))) if declared().map(|symbol| &symbol.variable).eq(&known) => {
                    (name, (state, known))
                }
                Some(_) | None => {
                    self.states += 1;
                    let variables = declared().map(|symbol| symbol.variable.clone()).collect();
                    (component.name.clone(), (self.states, variables))
                }
            };
            states.push(state);
            tables.insert(name, (state, variables));
        }
        self.tables = tables;
        states
    }
}

fn finding(project: &Project, analysis: &Analysis, known: &Known, remark: &Remark) -> Finding {
    let place = |span: Span| Analysis::in_document(project, known.place, span);
    let mut diagnostic = remark.diagnostic.clone().moved(place);
    let component = known.component.and_then(|at| analysis.components.at(at));
    diagnostic.related.extend(remark.variables.iter().filter_map(|name| {
        let declared = component?.symbol(name)?.declaration?;
        let row = &project.documents[declared.document].tables[declared.table].rows[declared.row];
        let message = format!("`{name}` is declared here");
        Some(Related { file: Some(declared.document), span: row.declaration.name.span, message })
    }));
    let requirement = Some(project.entry(known.place).id.text.clone());
    Finding { requirement, ..Finding::new(known.place.document, diagnostic) }
}

fn local(reading: &Reading, component: Option<&Component>, linter: &Linter) -> Local {
    let mut local = Local::default();
    for found in reading.diagnostics() {
        // In a project, other words replace hints about the command line.
        let hint = match found.code {
            UNITS_AS_STEPS => "set the length of a step: `step = \"100 ms\"` in the project file",
            FRACTIONAL_STEPS => "choose a step that divides it: `step = \"1 ms\"` in the project file",
            UNKNOWN_CONSTANT => "declare it as a constant, with a number as its definition",
            _ => &found.hint,
        };
        let hint = hint.to_string();
        local.remarks.push(Diagnostic { hint, ..found.clone() }.into());
    }
    let Some(requirement) = reading.lowered.requirement.as_ref().filter(|_| reading.is_sound()) else {
        return local;
    };
    if let Some(component) = component {
        unit_mismatch::check(reading, component, &mut local.remarks);
        decided_by_range::check(reading, component, &mut local.remarks);
        enumerations::check(reading, component, &mut local.remarks);
    }
    let whole = reading.parsed.parse.tree.root().span();
    let fields = &reading.parsed.fields;
    local.remarks.extend(no_timing(reading.lowered.key, fields, whole).map(Remark::from));
    match linter.lint(&reading.store, requirement) {
        Ok(found) => local.remarks.extend(found.iter().map(|it| it.diagnostic(fields, whole).into())),
        Err(reason) => local.undecided = Some(reason.to_string()),
    }
    local
}
