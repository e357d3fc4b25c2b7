//! A new workbook: one sheet, a bold header that stays in view, texts as inline strings.
//!
//! Cells have the text format, so `007` and `=1+1` stay what they are when someone edits them.

use super::book::{MAX_COLUMNS, MAX_ROWS};
use super::escape;
use crate::{FileError, Records, Spot, archive};
use std::fmt::Write as _;

/// A cell holds no more UTF-16 units.
const MAX_UNITS: usize = 32_767;
const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
const TYPES: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/// Writes a workbook with one sheet. Sheets have limits: texts of 32767 characters, 16384 columns, 1048576 rows.
pub fn write(records: &Records) -> Result<Vec<u8>, FileError> {
    if records.columns.len() > MAX_COLUMNS as usize || records.records.len() >= MAX_ROWS as usize {
        return Err(FileError::new("the table is larger than a sheet can be"));
    }
    archive::create(&[
        ("[Content_Types].xml", content_types()),
        ("_rels/.rels", relations(&[("officeDocument", "xl/workbook.xml")])),
        ("xl/workbook.xml", workbook()),
        (
            "xl/_rels/workbook.xml.rels",
            relations(&[("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml")]),
        ),
        ("xl/styles.xml", styles()),
        ("xl/worksheets/sheet1.xml", sheet(records)?),
    ])
}

/// A cell with a text, or a blank one.
pub(super) fn cell(
    prefix: &str,
    reference: &str,
    style: Option<&str>,
    text: Option<&str>,
) -> Result<String, FileError> {
    let style =
        style.map(|style| format!(" s=\"{}\"", crate::xml::escape_attribute(style))).unwrap_or_default();
    let Some(text) = text else { return Ok(format!("<{prefix}c r=\"{reference}\"{style}/>")) };
    if text.encode_utf16().count() > MAX_UNITS {
        return Err(FileError::new(format!("the text has more than {MAX_UNITS} characters"))
            .at(Spot::Cell(reference.to_owned()))
            .hint("a cell of a sheet cannot hold it: cut the text, or use CSV or ReqIF"));
    }
    let text = escape::encode(text);
    Ok(format!(
        "<{prefix}c r=\"{reference}\"{style} t=\"inlineStr\"><{prefix}is><{prefix}t xml:space=\"preserve\">{text}</{prefix}t></{prefix}is></{prefix}c>"
    ))
}

fn sheet(records: &Records) -> Result<String, FileError> {
    let width = records.columns.len();
    let last = format!("{}{}", escape::letters(width.saturating_sub(1) as u32), records.records.len() + 1);
    let mut text = format!(
        "{DECLARATION}<worksheet xmlns=\"{MAIN}\"><dimension ref=\"A1:{last}\"/><sheetViews><sheetView workbookViewId=\"0\">\
         <pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>"
    );
    if width > 0 {
        text.push_str("<cols>");
        for (index, name) in records.columns.iter().enumerate() {
            let fields = records.records.iter().filter_map(|record| record.fields.get(index)?.as_deref());
            let lines = fields.chain([name.as_str()]).flat_map(str::lines);
            let longest = lines.map(|line| line.chars().take(80).count()).max().unwrap_or(0);
            let number = index + 1;
            let _ = write!(
                text,
                "<col min=\"{number}\" max=\"{number}\" width=\"{}\" customWidth=\"1\"/>",
                longest.clamp(8, 70) + 2
            );
        }
        text.push_str("</cols>");
    }
    text.push_str("<sheetData>");
    let header: Vec<Option<&str>> =
        records.columns.iter().map(|name| Some(name.as_str()).filter(|name| !name.is_empty())).collect();
    row(&mut text, 1, &header, "1")?;
    for (index, record) in records.records.iter().enumerate() {
        let fields: Vec<Option<&str>> =
            (0..width).map(|column| record.fields.get(column)?.as_deref()).collect();
        row(&mut text, index + 2, &fields, "2")?;
    }
    text.push_str("</sheetData></worksheet>\n");
    Ok(text)
}

fn row(text: &mut String, number: usize, fields: &[Option<&str>], style: &str) -> Result<(), FileError> {
    let _ = write!(text, "<row r=\"{number}\">");
    for (column, field) in fields.iter().enumerate().filter(|(_, field)| field.is_some()) {
        let reference = format!("{}{number}", escape::letters(column as u32));
        text.push_str(&cell("", &reference, Some(style), *field)?);
    }
    text.push_str("</row>");
    Ok(())
}

fn content_types() -> String {
    let part = |name: &str, kind: &str| {
        format!("<Override PartName=\"{name}\" ContentType=\"{TYPES}.{kind}+xml\"/>")
    };
    format!(
        "{DECLARATION}<Types xmlns=\"{PACKAGE}/content-types\">\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>{}{}{}</Types>\n",
        part("/xl/workbook.xml", "sheet.main"),
        part("/xl/styles.xml", "styles"),
        part("/xl/worksheets/sheet1.xml", "worksheet"),
    )
}

fn relations(targets: &[(&str, &str)]) -> String {
    let mut text = format!("{DECLARATION}<Relationships xmlns=\"{PACKAGE}/relationships\">");
    for (index, (kind, target)) in targets.iter().enumerate() {
        let _ = write!(
            text,
            "<Relationship Id=\"rId{}\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"/>",
            index + 1
        );
    }
    text + "</Relationships>\n"
}

fn workbook() -> String {
    format!(
        "{DECLARATION}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\">\
         <sheets><sheet name=\"Requirements\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>\n"
    )
}

/// Style 1 is the header, style 2 a text.
fn styles() -> String {
    format!(
        "{DECLARATION}<styleSheet xmlns=\"{MAIN}\">\
         <fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>\
         <font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>\
         <fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>\
         <fill><patternFill patternType=\"gray125\"/></fill></fills>\
         <borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
         <cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
         <cellXfs count=\"3\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>\
         <xf numFmtId=\"49\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\" applyFont=\"1\"/>\
         <xf numFmtId=\"49\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\" applyAlignment=\"1\">\
         <alignment vertical=\"top\" wrapText=\"1\"/></xf></cellXfs>\
         <cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>\n"
    )
}
