//! What the tests of several formats share: a seeded source of numbers, tables of nasty texts, archives.

#![allow(dead_code, unreachable_pub)]

use base::Random;
use shall_exchange::{Change, Place, Record, Records};
use std::io::Write as _;

/// Pieces that a careless writer loses.
const PIECES: &[&str] = &[
    "a",
    "Z",
    "7",
    "007",
    "=1+1",
    "+49",
    "-2",
    "@x",
    "'",
    "\"",
    "\"\"",
    ",",
    ";",
    "\t",
    "\n",
    "\r\n",
    "\r",
    " ",
    "  ",
    "ü",
    "€",
    "\u{1f600}",
    "\u{a0}",
    "<b>",
    "&amp;",
    "&",
    "]]>",
    "_x000D_",
    "_x",
    "_",
    "sep=;",
    "\u{feff}",
    "TRUE",
    "1e5",
    "\u{2028}",
    "when x > 3 the pump shall",
    "\u{85}",
    "<!--",
    "\\",
    "|",
];

/// What XML cannot hold.
const CONTROLS: &[&str] = &["\u{0}", "\u{1}", "\u{8}", "\u{b}", "\u{1f}", "\u{fffe}", "\u{ffff}"];

/// A record that starts with its id; empty texts are absent.
pub fn record(row: &[&str]) -> Record {
    let fields = row.iter().map(|text| Some((*text).to_owned()).filter(|text| !text.is_empty()));
    Record { id: row[0].to_owned(), fields: fields.collect(), place: Place::default() }
}

pub fn text(random: &mut Random, controls: bool) -> String {
    let length = match random.below(20) {
        0 => 0,
        1 => 200 + random.below(1500),
        _ => 1 + random.below(8),
    };
    let mut text = String::new();
    for _ in 0..length {
        let pool = if controls && random.below(8) == 0 { CONTROLS } else { PIECES };
        text.push_str(pool[random.below(pool.len())]);
    }
    text
}

/// A table with an id column somewhere, and texts of all sorts.
pub fn table(random: &mut Random, controls: bool) -> Records {
    let mut columns: Vec<String> =
        ["Text", "Rationale", "Status of work", "näme, \"odd\"; x"].map(str::to_owned).to_vec();
    columns.truncate(1 + random.below(4));
    let at = random.below(columns.len() + 1);
    columns.insert(at, "ID".to_owned());
    let records = (0..random.below(8))
        .map(|row| {
            let id = format!("R-{row}{}", ["", " x", "ü", "/1", "<&>"][random.below(5)]);
            let fields = (0..columns.len())
                .map(|column| match (column == at, random.below(6)) {
                    (true, _) => Some(id.clone()),
                    (false, 0) => None,
                    (false, _) => Some(text(random, controls)),
                })
                .collect();
            Record { id: id.clone(), fields, place: Place::default() }
        })
        .collect();
    Records { columns, records, links: Vec::new() }
}

/// Without places: they differ before and after writing.
pub fn placeless(mut records: Records) -> Records {
    for record in &mut records.records {
        record.place = Place::default();
    }
    records
}

pub fn set(id: &str, fields: &[(&str, Option<&str>)]) -> Change {
    let fields = fields.iter().map(|(name, text)| ((*name).to_owned(), text.map(str::to_owned))).collect();
    Change::Set { id: id.to_owned(), fields }
}

/// An archive of these entries.
pub fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The entries of an archive.
pub fn entries(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut entry = archive.by_index(index).unwrap();
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
            (entry.name().unwrap().into_owned(), bytes)
        })
        .collect()
}

pub const WORKSHEET: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:dimension ref="B2:E7"/><x:sheetData>
<x:row r="2" spans="2:5"><x:c r="B2" t="inlineStr"><x:is><x:t>Pump, issue 3</x:t></x:is></x:c></x:row>
<x:row r="4" ht="20"><x:c r="B4" s="1" t="s"><x:v>0</x:v></x:c><x:c r="C4" s="1" t="s"><x:v>1</x:v></x:c><x:c r="D4" t="str"><x:v>Due</x:v></x:c></x:row>
<x:row r="5"><x:c r="B5" t="s"><x:v>2</x:v></x:c><x:c r="C5" s="1" t="s"><x:v>3</x:v></x:c><x:c r="D5" s="2"><x:v>45413</x:v></x:c><x:c r="E5" t="b"><x:v>1</x:v></x:c></x:row>
<x:row r="6"><x:c r="B6"><x:v>42</x:v></x:c><x:c r="C6" t="str"><x:f>UPPER("b")</x:f><x:v>B_x000D_</x:v></x:c><x:c r="E6"><x:v>0.10000000000000001</x:v></x:c></x:row>
<x:row r="7"/><x:row r="8"><x:c r="B8" t="s"><x:v>4</x:v></x:c><x:c r="E8" t="e"><x:v>#REF!</x:v></x:c></x:row>
</x:sheetData><x:pageMargins left="0.7" right="0.7" top="0.7" bottom="0.7" header="0.3" footer="0.3"/></x:worksheet>"#;

/// A workbook as another program writes it: two sheets, shared strings with runs, prefixes, formulas, dates.
pub fn workbook() -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let package = "http://schemas.openxmlformats.org/package/2006";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let types = format!(
        "<Types xmlns=\"{package}/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/><Override PartName=\"/xl/workbook.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/>\
         <Override PartName=\"/xl/worksheets/a.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/>\
         <Override PartName=\"/xl/worksheets/b.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/>\
         <Override PartName=\"/xl/styles.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml\"/>\
         <Override PartName=\"/xl/sharedStrings.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml\"/></Types>"
    );
    let relation = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"{office}/{kind}\" Target=\"{target}\"/>")
    };
    let relations =
        |inside: &str| format!("<Relationships xmlns=\"{package}/relationships\">{inside}</Relationships>");
    let book = format!(
        "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets><sheet name=\"Cover\" sheetId=\"1\" r:id=\"r1\"/>\
         <sheet name=\"Reqs\" sheetId=\"2\" r:id=\"r2\"/></sheets></workbook>"
    );
    let cover = format!(
        "<worksheet xmlns=\"{main}\"><sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>Pump</t></is></c></row></sheetData></worksheet>"
    );
    let strings = format!(
        "<sst xmlns=\"{main}\"><si><t>Req ID</t></si><si><t>Requirement</t></si><si><t xml:space=\"preserve\">007</t></si>\
         <si><r><t>the </t></r><r><rPr><b/></rPr><t>pump</t></r><rPh sb=\"0\" eb=\"1\"><t>x</t></rPh></si><si><t>R&amp;8</t></si></sst>"
    );
    let styles = format!(
        "<styleSheet xmlns=\"{main}\"><fonts count=\"1\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>\
         <fills count=\"1\"><fill><patternFill patternType=\"none\"/></fill></fills><borders count=\"1\"><border/></borders>\
         <cellStyleXfs count=\"1\"><xf/></cellStyleXfs><cellXfs count=\"3\"><xf/><xf fontId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"
    );
    let root = relations(&relation("r1", "officeDocument", "/xl/workbook.xml"));
    let parts = [
        relation("r1", "worksheet", "worksheets/a.xml"),
        relation("r2", "worksheet", "/xl/worksheets/b.xml"),
        relation("r3", "sharedStrings", "../xl/sharedStrings.xml"),
        relation("r4", "styles", "styles.xml"),
    ];
    archive(&[
        ("[Content_Types].xml", types.as_bytes()),
        ("_rels/.rels", root.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations(&parts.concat()).as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/worksheets/a.xml", cover.as_bytes()),
        ("xl/worksheets/b.xml", WORKSHEET.as_bytes()),
        ("xl/sharedStrings.xml", strings.as_bytes()),
        ("xl/styles.xml", styles.as_bytes()),
        ("customXml/item1.xml", b"<anything/>"),
    ])
}
