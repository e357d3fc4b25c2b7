//! A workbook taken apart: its sheets, its shared strings, and the table on one sheet as a [`Grid`].

use super::dates::{self, Dates};
use super::escape;
use crate::archive::{self, Archive};
use crate::csv::HEADER_ROWS;
use crate::xml::{self, Document, Id};
use crate::{FileError, Limits, Profile, Spot};
use std::collections::BTreeMap;

/// Sheets have no more columns.
pub(super) const MAX_COLUMNS: u32 = 16_384;
/// Sheets have no more rows.
pub(super) const MAX_ROWS: u32 = 1_048_576;

/// The table on a sheet.
pub(super) struct Grid {
    /// The name of the sheet.
    pub(super) name: String,
    /// The entry of the archive.
    pub(super) entry: String,
    pub(super) document: Document,
    /// Column of the sheet and its name.
    pub(super) columns: Vec<(u32, String)>,
    /// Which of the columns is the id.
    id: usize,
    /// The rows below the header.
    pub(super) rows: Vec<Row>,
    /// The largest row number of the sheet, and the element of that row.
    pub(super) last_row: (u32, Id),
}

/// A row of a sheet.
pub(super) struct Row {
    pub(super) number: u32,
    pub(super) node: Id,
    pub(super) cells: Vec<Cell>,
}

/// A cell that the sheet has.
pub(super) struct Cell {
    pub(super) column: u32,
    pub(super) node: Id,
    value: Option<String>,
}

impl Grid {
    pub(super) fn names(&self) -> Vec<String> {
        self.columns.iter().map(|(_, name)| name.clone()).collect()
    }

    /// The column of the sheet that has the ids.
    pub(super) fn id_column(&self) -> u32 {
        self.columns[self.id].0
    }

    pub(super) fn id(&self, row: &Row) -> String {
        row.value(self.id_column()).unwrap_or_default().trim().to_owned()
    }
}

impl Row {
    pub(super) fn cell(&self, column: u32) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.column == column)
    }

    pub(super) fn value(&self, column: u32) -> Option<&str> {
        self.cell(column)?.value.as_deref()
    }
}

/// Opens a workbook and finds its table.
pub(super) fn open<'a>(
    bytes: &'a [u8],
    profile: &Profile,
    limits: Limits,
) -> Result<(Archive<'a>, Grid), FileError> {
    if !archive::is_archive(bytes) {
        return Err(FileError::new("the file is not a workbook").hint("save the sheet as `.xlsx`"));
    }
    let mut archive = archive::open(bytes, limits)?;
    let root = Part::new(&mut archive, "", limits)?;
    let book_name =
        root.targets.values().find(|(kind, _)| kind == "officeDocument").map(|(_, name)| name.clone());
    let book_name =
        book_name.ok_or_else(|| FileError::new("the file is not a workbook").part("_rels/.rels"))?;
    let book = Part::new(&mut archive, &book_name, limits)?;
    let strings = match book.targets.values().find(|(kind, _)| kind == "sharedStrings") {
        Some((_, name)) => shared_strings(&document(&mut archive, name, limits)?),
        None => Vec::new(),
    };
    let workbook = document(&mut archive, &book_name, limits)?;
    let styles = match book.targets.values().find(|(kind, _)| kind == "styles") {
        Some((_, name)) => Some(document(&mut archive, name, limits)?),
        None => None,
    };
    let dates = dates::of(&workbook, styles.as_ref());
    let context = Context { strings, dates, limits };
    let mut seen = Vec::new();
    let mut error = None;
    for (name, entry) in sheets(&workbook, &book) {
        if profile.sheet().is_none_or(|wanted| wanted == name) {
            match grid(&mut archive, &name, &entry, profile, &context)? {
                Ok(grid) => return Ok((archive, grid)),
                Err(why) => error = error.or(Some(why.part(&name))),
            }
        }
        seen.push(name);
    }
    Err(match (error, profile.sheet()) {
        (Some(why), _) => why,
        (None, Some(wanted)) => FileError::new(format!("the workbook has no sheet `{wanted}`"))
            .hint(format!("its sheets are {}", crate::records::listed(&seen))),
        (None, None) => FileError::new("the workbook has no sheet"),
    })
}

/// What every sheet of a workbook needs.
struct Context {
    strings: Vec<String>,
    dates: Dates,
    limits: Limits,
}

/// A part of the package: where its relations lead to, by their id.
struct Part {
    targets: BTreeMap<String, (String, String)>,
}

impl Part {
    fn new(archive: &mut Archive, name: &str, limits: Limits) -> Result<Part, FileError> {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let relations = format!("{folder}{}_rels/{file}.rels", if folder.is_empty() { "" } else { "/" });
        let document = document(archive, &relations, limits)?;
        let mut targets = BTreeMap::new();
        for relation in document.children(Document::ROOT) {
            let get = |name| document.attribute(relation, name).unwrap_or_default();
            let kind = get("Type");
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            targets.insert(get("Id"), (kind, resolve(folder, &get("Target"))));
        }
        Ok(Part { targets })
    }
}

/// The entry that a relation leads to.
fn resolve(folder: &str, target: &str) -> String {
    let whole = match target.strip_prefix('/') {
        Some(absolute) => absolute.to_owned(),
        None => format!("{folder}/{target}"),
    };
    let mut steps = Vec::new();
    for step in whole.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

fn document(archive: &mut Archive, name: &str, limits: Limits) -> Result<Document, FileError> {
    let bytes = archive.read(name)?;
    xml::parse(&bytes, limits).map_err(|error| error.part(name))
}

/// Name and entry of each sheet with cells, in order.
fn sheets(workbook: &Document, book: &Part) -> Vec<(String, String)> {
    let Some(list) = workbook.child(Document::ROOT, "sheets") else { return Vec::new() };
    (workbook.children(list))
        .filter_map(|sheet| {
            let (kind, entry) = book.targets.get(&workbook.attribute(sheet, "id")?)?;
            (kind == "worksheet").then_some((workbook.attribute(sheet, "name")?, entry.clone()))
        })
        .collect()
}

fn shared_strings(document: &Document) -> Vec<String> {
    document.children(Document::ROOT).map(|item| rich_text(document, item)).collect()
}

/// The text of a string item: its runs together, without hints on pronunciation.
fn rich_text(document: &Document, item: Id) -> String {
    let mut text = String::new();
    for child in document.children(item) {
        match document.name(child) {
            "t" => text.push_str(&document.all_text(child)),
            "r" => {
                let runs = document.children(child).filter(|run| document.name(*run) == "t");
                text.extend(runs.map(|run| document.all_text(run)));
            }
            _ => {}
        }
    }
    escape::decode(&text)
}

/// Reads a sheet and looks for its header. The inner error says that there is none.
fn grid(
    archive: &mut Archive,
    name: &str,
    entry: &str,
    profile: &Profile,
    context: &Context,
) -> Result<Result<Grid, FileError>, FileError> {
    let document = document(archive, entry, context.limits)?;
    let mut rows = rows(&document, context).map_err(|why| why.part(entry))?;
    let last_row = rows.iter().map(|row| (row.number, row.node)).max().unwrap_or_default();
    let mut error = None;
    let mut widest = 0;
    for header in 0..rows.len().min(HEADER_ROWS) {
        let row = &rows[header];
        let mut columns: Vec<(u32, String)> = (row.cells.iter())
            .filter_map(|cell| Some((cell.column, cell.value.clone()?)))
            .filter(|(_, name)| !name.is_empty())
            .collect();
        let names: Vec<String> = columns.iter().map(|(_, name)| name.clone()).collect();
        let id = match profile.header(&names, widest) {
            Ok(id) => columns[id].0,
            Err(why) => {
                // The row with the most names is the likeliest header, so its error helps most.
                if names.len() > widest {
                    error = Some(why.at(Spot::Row(row.number as usize)));
                }
                widest = widest.max(names.len());
                continue;
            }
        };
        rows.drain(..=header);
        let filled = rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.value.is_some());
        let mut more: Vec<u32> = filled.map(|cell| cell.column).collect();
        more.sort_unstable();
        more.dedup();
        more.retain(|column| columns.iter().all(|(other, _)| other != column));
        columns.extend(more.into_iter().map(|column| (column, String::new())));
        columns.sort();
        if columns.len().saturating_mul(rows.len()) > context.limits.nodes {
            return Err(FileError::new("the sheet has too many cells").part(name));
        }
        let id = columns.iter().position(|(column, _)| *column == id).unwrap_or(0);
        let (name, entry) = (name.to_owned(), entry.to_owned());
        return Ok(Ok(Grid { name, entry, document, columns, id, rows, last_row }));
    }
    Ok(Err(
        error.unwrap_or_else(|| FileError::new("the sheet is empty").hint("its first row names the columns"))
    ))
}

/// All rows with their cells.
fn rows(document: &Document, context: &Context) -> Result<Vec<Row>, FileError> {
    let mut rows = Vec::new();
    let Some(data) = document.child(Document::ROOT, "sheetData") else { return Ok(rows) };
    let (mut last, mut size) = (0, 0u64);
    for node in document.children(data).filter(|node| document.name(*node) == "row") {
        let number = match document.attribute(node, "r") {
            Some(text) => text.parse().ok().filter(|number| (1..=MAX_ROWS).contains(number)),
            None => Some(last + 1),
        };
        let number = number.ok_or_else(|| document.error(node, "a row has no valid number"))?;
        last = number;
        let mut cells: Vec<Cell> = Vec::new();
        for cell in document.children(node).filter(|cell| document.name(*cell) == "c") {
            let column = match document.attribute(cell, "r") {
                Some(text) => escape::reference(&text).map(|(column, _)| column),
                None => Some(cells.last().map_or(0, |last| last.column + 1)),
            };
            let column = column.ok_or_else(|| document.error(cell, "a cell has no valid reference"))?;
            let value = value(document, cell, context)?;
            size += value.as_ref().map_or(0, |text| text.len() as u64);
            if size > context.limits.total {
                return Err(document.error(cell, "the texts of the sheet are too large"));
            }
            cells.push(Cell { column, node: cell, value });
        }
        rows.push(Row { number, node, cells });
    }
    Ok(rows)
}

/// The text that a cell shows, or its cached result.
fn value(document: &Document, cell: Id, context: &Context) -> Result<Option<String>, FileError> {
    let kind = document.attribute(cell, "t").unwrap_or_default();
    if kind == "inlineStr" {
        return Ok(document.child(cell, "is").map(|item| rich_text(document, item)));
    }
    let Some(raw) = document.child(cell, "v").map(|value| document.all_text(value)) else { return Ok(None) };
    Ok(Some(match kind.as_str() {
        "s" => {
            let text = raw.trim().parse().ok().and_then(|index: usize| context.strings.get(index));
            text.cloned()
                .ok_or_else(|| document.error(cell, "a cell names a shared string that is not there"))?
        }
        "b" => if raw.trim() == "0" { "FALSE" } else { "TRUE" }.to_owned(),
        "str" => escape::decode(&raw),
        "e" | "d" => raw,
        _ if raw.trim().is_empty() => return Ok(None),
        _ => context
            .dates
            .text(document.attribute(cell, "s").as_deref(), raw.trim())
            .unwrap_or_else(|| number(raw.trim())),
    }))
}

/// A number as it is shown: `42` for `42.0`, `0.1` for `0.10000000000000001`.
fn number(raw: &str) -> String {
    let digits = raw.strip_prefix('-').unwrap_or(raw);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return raw.to_owned();
    }
    raw.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .map_or_else(|| raw.to_owned(), |number| number.to_string())
}
