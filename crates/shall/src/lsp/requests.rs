//! Requests about open documents. Every request is answered for the text that the editor has now.

use super::open_project::{Key, OpenProject};
use super::protocol::{AtPosition, InRange, OfDocument, Position, Query, Range, References, Rename, Uri};
use super::server::{Server, arguments};
use super::text::Lines;
use super::{convert, wire};
use project::assist::{self, Found, Outline, Reference, Role};
use project::{Analysis, Document, Edit, format};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::io::Write;

/// The most symbols of a workspace that are listed.
const MAX_SYMBOLS: usize = 1_000;

type Answer = Result<Json, (i32, String)>;

/// Answers a request of the editor.
pub(super) fn answer<W: Write>(server: &mut Server<W>, method: &str, params: Json) -> Answer {
    server.refresh();
    match method {
        "textDocument/completion" => at(server, params, completion),
        "textDocument/hover" => at(server, params, hover),
        "textDocument/definition" => at(server, params, |here| here.places(assist::definitions)),
        "textDocument/documentHighlight" => at(server, params, highlights),
        "textDocument/prepareRename" => at(server, params, prepare_rename),
        "textDocument/references" => {
            let References { at, context } = arguments(params)?;
            let shown =
                |reference: &Reference| context.include_declaration || reference.role != Role::Declaration;
            Ok(here(server, &at).map_or(Json::Null, |here| {
                here.places(|project, analysis, target| {
                    assist::references(project, analysis, target).into_iter().filter(shown).collect()
                })
            }))
        }
        "textDocument/rename" => {
            let Rename { at, new_name } = arguments(params)?;
            match here(server, &at) {
                Some(here) => rename(&here, &new_name),
                None => Ok(Json::Null),
            }
        }
        "textDocument/codeAction" => {
            let params: InRange = arguments(params)?;
            server.publish();
            Ok(actions(server, &params))
        }
        "textDocument/documentSymbol" => {
            let params: OfDocument = arguments(params)?;
            Ok(document(server, &params.text_document.uri, |here| {
                assist::outline(here.text).iter().map(|line| symbol(here, line)).collect()
            }))
        }
        "textDocument/foldingRange" => {
            let params: OfDocument = arguments(params)?;
            Ok(document(server, &params.text_document.uri, folds))
        }
        "textDocument/formatting" => {
            let params: OfDocument = arguments(params)?;
            Ok(document(server, &params.text_document.uri, |here| {
                let edits = format::edits(here.text, 0, &here.analysis.phrases);
                edits.iter().map(|edit| text_edit(&here.lines, edit)).collect()
            }))
        }
        "textDocument/semanticTokens/full" => {
            let params: OfDocument = arguments(params)?;
            Ok(document(server, &params.text_document.uri, |here| tokens(here, None)))
        }
        "textDocument/semanticTokens/range" => {
            let params: InRange = arguments(params)?;
            Ok(document(server, &params.text_document.uri, |here| tokens(here, Some(params.range))))
        }
        "workspace/symbol" => {
            let params: Query = arguments(params)?;
            Ok(symbols(server, &params.query))
        }
        _ => Err((wire::METHOD_NOT_FOUND, format!("`{method}` is not supported"))),
    }
}

/// A position in an open document, with everything around it.
struct Here<'s, W> {
    server: &'s Server<W>,
    key: &'s Key,
    open: &'s OpenProject,
    analysis: &'s Analysis,
    document: usize,
    text: &'s Document,
    lines: Lines<'s>,
    offset: u32,
}

fn here<'s, W: Write>(server: &'s Server<W>, at: &AtPosition) -> Option<Here<'s, W>> {
    let mut here = whole(server, &at.text_document.uri)?;
    here.offset = here.lines.offset(at.position);
    Some(here)
}

fn whole<'s, W: Write>(server: &'s Server<W>, uri: &Uri) -> Option<Here<'s, W>> {
    let (key, open, document) = server.find(uri)?;
    let text = open.project.documents.get(document)?;
    let lines = Lines::new(&text.text, server.encoding);
    Some(Here { server, key, open, analysis: open.analysis.as_ref()?, document, text, lines, offset: 0 })
}

/// The answer at a position; null where there is none.
fn at<W: Write>(server: &Server<W>, params: Json, f: impl Fn(&Here<W>) -> Json) -> Answer {
    let params: AtPosition = arguments(params)?;
    Ok(here(server, &params).map_or(Json::Null, |here| f(&here)))
}

fn document<W: Write>(server: &Server<W>, uri: &Uri, f: impl Fn(&Here<W>) -> Json) -> Json {
    whole(server, uri).map_or(Json::Null, |here| f(&here))
}

impl<W: Write> Here<'_, W> {
    fn found(&self) -> Option<Found> {
        assist::locate(&self.open.project, self.analysis, self.document, self.offset)
    }

    /// Places of the thing at the position, as locations.
    fn places(&self, f: impl Fn(&project::Project, &Analysis, &assist::Target) -> Vec<Reference>) -> Json {
        let Some(found) = self.found() else { return Json::Null };
        // The references are in the order of the documents: lines are made once for each.
        let mut file: Option<(usize, Uri, Lines)> = None;
        let mut all = Vec::new();
        for place in f(&self.open.project, self.analysis, &found.target) {
            if file.as_ref().is_none_or(|(document, ..)| *document != place.document) {
                file = self.file(place.document).map(|(uri, lines)| (place.document, uri, lines));
            }
            if let Some((_, uri, lines)) = &file {
                all.push(json!({ "uri": uri.as_str(), "range": lines.range(place.span) }));
            }
        }
        Json::from(all)
    }

    fn file(&self, document: usize) -> Option<(Uri, Lines<'_>)> {
        let text = self.open.project.documents.get(document)?;
        let uri = self.server.uri(self.key, self.open, &text.name)?;
        Some((uri, Lines::new(&text.text, self.server.encoding)))
    }

    /// Edits of any documents of the project.
    fn workspace_edit(&self, edits: &[Edit]) -> Json {
        let mut by_document: BTreeMap<usize, Vec<&Edit>> = BTreeMap::new();
        for edit in edits {
            by_document.entry(edit.document).or_default().push(edit);
        }
        let mut changes = Map::new();
        for (document, edits) in by_document {
            if let Some((uri, lines)) = self.file(document) {
                let edits: Vec<Json> = edits.into_iter().map(|edit| text_edit(&lines, edit)).collect();
                changes.insert(uri.as_str().to_string(), Json::from(edits));
            }
        }
        json!({ "changes": changes })
    }
}

fn text_edit(lines: &Lines, edit: &Edit) -> Json {
    json!({ "range": lines.range(edit.span), "newText": edit.text })
}

fn completion<W: Write>(here: &Here<W>) -> Json {
    let completion = assist::complete(&here.open.project, here.analysis, here.document, here.offset);
    let range = here.lines.range(completion.span);
    let snippets = here.server.snippets;
    let items: Vec<Json> = completion
        .items
        .iter()
        .enumerate()
        .map(|(index, item)| convert::item(item, index, range, snippets))
        .collect();
    // The next letter may bring back what this one filtered out.
    json!({ "isIncomplete": true, "items": items })
}

fn hover<W: Write>(here: &Here<W>) -> Json {
    let found = assist::hover(&here.open.project, here.analysis, here.document, here.offset);
    found.map_or(Json::Null, |hover| {
        json!({
            "contents": { "kind": "markdown", "value": hover.markdown },
            "range": here.lines.range(hover.span),
        })
    })
}

fn highlights<W: Write>(here: &Here<W>) -> Json {
    let Some(found) = here.found() else { return Json::Null };
    assist::references(&here.open.project, here.analysis, &found.target)
        .into_iter()
        .filter(|place| place.document == here.document)
        .map(|place| {
            let kind = match place.role {
                Role::Read => 2,
                Role::Declaration | Role::Write => 3,
            };
            json!({ "range": here.lines.range(place.span), "kind": kind })
        })
        .collect()
}

fn prepare_rename<W: Write>(here: &Here<W>) -> Json {
    let found = here.found().filter(|found| assist::can_rename(&found.target));
    found.map_or(Json::Null, |found| {
        json!({ "range": here.lines.range(found.span), "placeholder": here.text.slice(found.span).trim_matches('"') })
    })
}

fn rename<W: Write>(here: &Here<W>, new: &str) -> Answer {
    let Some(found) = here.found() else {
        return Err((wire::REQUEST_FAILED, "there is no name here".into()));
    };
    let edits = assist::rename(&here.open.project, here.analysis, &found.target, new)
        .map_err(|reason| (wire::REQUEST_FAILED, reason.to_string()))?;
    Ok(here.workspace_edit(&edits))
}

/// The fixes of what is wrong in a range.
fn actions<W: Write>(server: &Server<W>, params: &InRange) -> Json {
    let Some(here) = whole(server, &params.text_document.uri) else { return Json::Null };
    let asked = here.lines.span(params.range);
    let findings = here.open.published.get(&here.text.name).map(Vec::as_slice).unwrap_or_default();
    let deny = &here.open.project.config.deny;
    findings
        .iter()
        .filter(|found| found.diagnostic.span.start <= asked.end && asked.start <= found.diagnostic.span.end)
        .filter_map(|found| Some((found, found.fix()?)))
        .map(|(found, (fix, edits))| {
            let diagnostic = convert::diagnostic(found, &here.lines, deny, |document| here.file(document));
            json!({
                "title": fix.title,
                "kind": "quickfix",
                "isPreferred": true,
                "diagnostics": [diagnostic],
                "edit": here.workspace_edit(&edits),
            })
        })
        .collect()
}

fn symbol<W: Write>(here: &Here<W>, line: &Outline) -> Json {
    // Headings are six deep at most.
    let children: Vec<Json> = line.children.iter().map(|child| symbol(here, child)).collect();
    json!({
        "name": line.name,
        "detail": line.detail,
        "kind": convert::symbol_kind(line.kind),
        "range": here.lines.range(line.span),
        "selectionRange": here.lines.range(line.selection),
        "children": children,
    })
}

fn folds<W: Write>(here: &Here<W>) -> Json {
    let mut open = assist::outline(here.text);
    let mut folds = Vec::new();
    while let Some(line) = open.pop() {
        let Position { line: first, .. } = here.lines.position(line.span.start);
        let solid = here.text.slice(line.span).trim_end().len() as u32;
        let Position { line: last, .. } = here.lines.position(line.span.start + solid);
        if first < last {
            folds.push((first, last));
        }
        open.extend(line.children);
    }
    folds.sort_unstable();
    folds
        .into_iter()
        .map(|(first, last)| json!({ "startLine": first, "endLine": last, "kind": "region" }))
        .collect()
}

fn tokens<W: Write>(here: &Here<W>, range: Option<Range>) -> Json {
    let all = assist::tokens(&here.open.project, here.analysis, here.document);
    let within = range.map(|range| here.lines.span(range));
    convert::tokens(here.text, &all, within, &here.lines, here.server.encoding)
}

fn symbols<W: Write>(server: &Server<W>, query: &str) -> Json {
    let mut all = Vec::new();
    for (key, open) in &server.projects {
        let Some(analysis) = &open.analysis else { continue };
        let limit = MAX_SYMBOLS.saturating_sub(all.len());
        let mut lines: BTreeMap<usize, Lines> = BTreeMap::new();
        for symbol in assist::find_symbols(&open.project, analysis, query, limit) {
            let Some(text) = open.project.documents.get(symbol.document) else { continue };
            let Some(uri) = server.uri(key, open, &text.name) else { continue };
            let lines =
                lines.entry(symbol.document).or_insert_with(|| Lines::new(&text.text, server.encoding));
            all.push(json!({
                "name": symbol.name,
                "kind": convert::symbol_kind(symbol.kind),
                "containerName": symbol.container,
                "location": { "uri": uri.as_str(), "range": lines.range(symbol.span) },
            }));
        }
    }
    Json::from(all)
}
