//! The tables of the report: variables of each component, and traceability.

use super::Report;
use super::html::{Html, anchor};
use crate::component::{Component, Symbol};
use crate::project::Place;
use std::collections::BTreeMap;

/// Beyond this many variables a matrix does not fit on paper; the table of variables says the same.
const WIDEST: usize = 40;

impl Report<'_> {
    pub(super) fn variables(&self, page: &mut Html) {
        page.raw("<section id=\"variables\">\n<h2>Variables</h2>\n");
        for component in self.analysis.components.iter().filter(|component| !component.variables.is_empty()) {
            page.element("h3", "", &component.name);
            page.raw("\n<table class=\"variables\">\n<tr>");
            for title in ["name", "kind", "type", "unit", "definition", "phrase", "description", "used in"] {
                page.element("th", "", title);
            }
            page.raw("</tr>\n");
            for symbol in &component.variables {
                self.variable(page, symbol);
            }
            page.raw("</table>\n");
        }
        page.raw("</section>\n");
    }

    fn variable(&self, page: &mut Html, symbol: &Symbol) {
        let variable = &symbol.variable;
        page.raw("<tr><td>");
        page.element("code", "", &variable.name);
        page.raw("</td>");
        let class = |inferred: bool| if inferred { "inferred" } else { "" };
        page.element("td", class(symbol.kind_inferred), variable.kind.name());
        page.element("td", class(symbol.type_inferred), &variable.ty.to_string());
        page.element("td", "", variable.unit.as_deref().unwrap_or_default());
        page.raw("<td>");
        if let Some(definition) = &variable.definition {
            page.element("code", "", definition);
        }
        page.raw("</td>");
        page.element("td", "", variable.phrase.as_deref().unwrap_or_default());
        page.element("td", "", &variable.description);
        page.raw("<td>");
        let mut places: Vec<Place> = symbol.uses.iter().map(|used| used.place).collect();
        places.dedup();
        for (index, &place) in places.iter().enumerate() {
            let id = &self.project.entry(place).id.text;
            page.raw(if index == 0 { "" } else { ", " });
            page.link(&anchor("requirement", id), id);
        }
        page.raw("</td></tr>\n");
    }

    pub(super) fn traces(&self, page: &mut Html) {
        page.raw("<section id=\"traces\">\n<h2>Traceability</h2>\n");
        self.parents(page);
        for component in self.analysis.components.iter() {
            if !component.variables.is_empty() && component.variables.len() <= WIDEST {
                self.matrix(page, component);
            }
        }
        page.raw("</section>\n");
    }

    /// Each requirement that others trace to, and those.
    fn parents(&self, page: &mut Html) {
        let parents: Vec<Place> = self
            .project
            .places()
            .filter(|&place| {
                let id = self.project.entry(place).id.text.as_str();
                self.by_id.get(id) == Some(&place) && self.children.contains_key(id)
            })
            .collect();
        if parents.is_empty() {
            return;
        }
        page.raw("<table>\n<tr><th>requirement</th><th>refined by</th></tr>\n");
        for place in parents {
            let entry = self.project.entry(place);
            page.raw("<tr><td>");
            page.link(&anchor("requirement", &entry.id.text), &entry.id.text);
            page.raw("</td><td>");
            for (index, &child) in self.children[entry.id.text.as_str()].iter().enumerate() {
                let id = &self.project.entry(child).id.text;
                page.raw(if index == 0 { "" } else { ", " });
                page.link(&anchor("requirement", id), id);
            }
            page.raw("</td></tr>\n");
        }
        page.raw("</table>\n");
    }

    /// Requirements against variables: ● where the response mentions it, ○ where only scope or condition do.
    fn matrix(&self, page: &mut Html, component: &Component) {
        let mut marks: BTreeMap<Place, Vec<&str>> = BTreeMap::new();
        for (column, symbol) in component.variables.iter().enumerate() {
            for used in &symbol.uses {
                let row = marks.entry(used.place).or_insert_with(|| vec![""; component.variables.len()]);
                row[column] = if used.in_response || row[column] == "●" { "●" } else { "○" };
            }
        }
        page.element("h3", "", &component.name);
        page.raw("\n<p class=\"legend\">● in the response, ○ in scope, condition or timing only</p>\n");
        page.raw("<table class=\"matrix\">\n<tr><th></th>");
        for symbol in &component.variables {
            page.raw("<th>");
            page.element("span", "", &symbol.variable.name);
            page.raw("</th>");
        }
        page.raw("</tr>\n");
        for (place, row) in marks {
            let id = &self.project.entry(place).id.text;
            page.raw("<tr><th>");
            page.link(&anchor("requirement", id), id);
            page.raw("</th>");
            row.into_iter().for_each(|mark| page.element("td", "", mark));
            page.raw("</tr>\n");
        }
        page.raw("</table>\n");
    }
}
