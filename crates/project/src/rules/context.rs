//! What rules about projects look at, and how they report.

use crate::component::{Component, Symbol};
use crate::document::{Row, Table};
use crate::finding::Finding;
use crate::project::{Analysis, Place, Project};
use diagnostics::{Code, Diagnostic, Hint, Span};
use requirement::Field;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::nearest;

/// A project with what several rules need.
pub(super) struct Context<'a> {
    pub(super) project: &'a Project,
    pub(super) analysis: &'a Analysis,
    /// The requirements in order.
    pub(super) places: Vec<Place>,
    /// The first requirement with each id, by its index in `places`.
    pub(super) first: FxHashMap<&'a str, usize>,
    /// The names that definitions use, for each component.
    defined: Vec<FxHashSet<String>>,
    /// For each component that is not declared, the declared one that is spelt almost like it.
    near: Vec<Option<&'a str>>,
}

/// A declared variable.
pub(super) struct Declaration<'a> {
    /// The index of its component.
    at: usize,
    pub(super) component: &'a Component,
    pub(super) symbol: &'a Symbol,
    pub(super) document: usize,
    pub(super) table: &'a Table,
    pub(super) row: &'a Row,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        project: &'a Project,
        analysis: &'a Analysis,
        defined: Vec<FxHashSet<String>>,
    ) -> Context<'a> {
        let places: Vec<Place> = project.places().collect();
        let mut first = FxHashMap::default();
        first.reserve(places.len());
        for (at, &place) in places.iter().enumerate() {
            first.entry(project.entry(place).id.text.as_str()).or_insert(at);
        }
        let components = || analysis.components.iter();
        let declared = components().filter(|component| component.declared);
        let declared: Vec<&str> = declared.map(|component| component.name.as_str()).collect();
        let near = components()
            .map(|it| if it.declared { None } else { nearest(&it.name, declared.iter().copied()) })
            .collect();
        Context { project, analysis, places, first, defined, near }
    }

    /// The components; with one that is not declared, the declared one that is spelt almost like it.
    pub(super) fn components(&self) -> impl Iterator<Item = (&'a Component, Option<&'a str>)> {
        self.analysis.components.iter().zip(self.near.iter().copied())
    }

    /// All declared variables.
    pub(super) fn declarations(&self) -> impl Iterator<Item = Declaration<'a>> {
        let project = self.project;
        self.analysis.components.iter().enumerate().flat_map(move |(at, component)| {
            component.variables.iter().filter_map(move |symbol| {
                let declared = symbol.declaration?;
                let table = &project.documents[declared.document].tables[declared.table];
                let row = &table.rows[declared.row];
                Some(Declaration { at, component, symbol, document: declared.document, table, row })
            })
        })
    }

    /// Whether a sentence or a definition uses the variable.
    pub(super) fn is_used(&self, declared: &Declaration) -> bool {
        let in_definition = |names: &FxHashSet<String>| names.contains(&declared.symbol.variable.name);
        !declared.symbol.uses.is_empty() || self.defined.get(declared.at).is_some_and(in_definition)
    }

    /// A finding about the requirement at a place.
    pub(super) fn about(
        &self,
        place: Place,
        code: Code,
        span: Span,
        message: String,
        hint: impl Into<Hint>,
    ) -> Finding {
        let diagnostic = Diagnostic::new(code, span, message, hint);
        let requirement = Some(self.project.entry(place).id.text.clone());
        Finding { requirement, ..Finding::new(place.document, diagnostic) }
    }
}

impl<'a> Declaration<'a> {
    pub(super) fn name(&self) -> &'a Field {
        &self.row.declaration.name
    }

    /// A finding about it.
    pub(super) fn finding(&self, code: Code, span: Span, message: String, hint: &str) -> Finding {
        Finding::new(self.document, Diagnostic::new(code, span, message, hint))
    }
}
