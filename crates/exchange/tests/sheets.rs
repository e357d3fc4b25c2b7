//! Workbooks: what is read from another program's file, what an update keeps, what another reader sees in ours.

mod common;

use calamine::Reader as _;
use common::{archive, entries, set, workbook};
use shall_exchange::{Change, Limits, Place, Profile, Record, Records, Spot, xlsx};
use std::collections::BTreeMap;

fn read(bytes: &[u8]) -> Records {
    xlsx::read(bytes, &Profile::default(), Limits::default()).unwrap()
}

fn shown(records: &Records) -> Vec<String> {
    let line = |record: &Record| {
        let fields: Vec<&str> = record.fields.iter().map(|field| field.as_deref().unwrap_or("-")).collect();
        fields.join("|")
    };
    records.records.iter().map(line).collect()
}

#[test]
fn another_programs_workbook_is_read() {
    let table = read(&workbook());
    assert_eq!(table.columns, ["Req ID", "Requirement", "Due", ""]);
    assert_eq!(shown(&table), ["007|the pump|2024-05-01|TRUE", "42|B\r|-|0.1", "R&8|-|-|#REF!"]);
    assert_eq!(table.records[1].place, Place { part: Some("Reqs".to_owned()), spot: Spot::Row(6) });
}

#[test]
fn the_sheet_can_be_named() {
    let named =
        |sheet: &str| Profile::from_map(&BTreeMap::from([("sheet".to_owned(), sheet.to_owned())])).unwrap();
    let error = |sheet| xlsx::read(&workbook(), &named(sheet), Limits::default()).unwrap_err().to_string();
    assert!(xlsx::read(&workbook(), &named("Reqs"), Limits::default()).is_ok());
    assert_eq!(error("Nothing"), "the workbook has no sheet `Nothing`; its sheets are `Cover`, `Reqs`");
    assert!(error("Cover").starts_with("no column is the id of the requirements (Cover, row 1)"));
}

/// The worksheet after the changes, after checking that all other entries are the same.
fn updated(changes: &[Change]) -> Result<String, String> {
    let before = workbook();
    let after = xlsx::update(&before, &Profile::default(), changes, Limits::default())
        .map_err(|why| why.to_string())?;
    let mut sheet = String::new();
    for ((name, old), (other, new)) in entries(&before).into_iter().zip(entries(&after)) {
        assert_eq!(name, other);
        if name == "xl/worksheets/b.xml" {
            sheet = String::from_utf8(new).unwrap();
        } else {
            assert_eq!(old, new, "{name}");
        }
    }
    calamine::Xlsx::<_>::new(std::io::Cursor::new(&after)).unwrap().worksheet_range("Reqs").unwrap();
    Ok(sheet)
}

#[test]
fn an_update_edits_cells_in_place() {
    let old_cell = "<x:c r=\"C5\" s=\"1\" t=\"s\"><x:v>3</x:v></x:c>";
    let new = |reference: &str, style: &str, text: &str| {
        format!(
            "<x:c r=\"{reference}\"{style} t=\"inlineStr\"><x:is><x:t xml:space=\"preserve\">{text}</x:t></x:is></x:c>"
        )
    };
    let sheet =
        updated(&[set("007", &[("Requirement", Some("a < b")), ("Due", Some("2024-05-01"))])]).unwrap();
    assert_eq!(sheet, common::WORKSHEET.replace(old_cell, &new("C5", " s=\"1\"", "a &lt; b")));
    let sheet = updated(&[set("42", &[("Due", Some("x"))])]).unwrap();
    let missing = "<x:c r=\"E6\"><x:v>0.1";
    assert_eq!(sheet, common::WORKSHEET.replace(missing, &(new("D6", " s=\"2\"", "x") + missing)));
    let sheet = updated(&[set("007", &[("Requirement", None)])]).unwrap();
    assert_eq!(sheet, common::WORKSHEET.replace(old_cell, "<x:c r=\"C5\" s=\"1\"/>"));
    let sheet = updated(&[set("N1", &[("Requirement", Some("new"))])]).unwrap();
    let row = format!("<x:row r=\"9\">{}{}</x:row>", new("B9", "", "N1"), new("C9", "", "new"));
    let end = "<x:v>#REF!</x:v></x:c></x:row>";
    let grown = common::WORKSHEET.replace(end, &format!("{end}{row}")).replace("B2:E7", "B2:E9");
    assert_eq!(sheet, grown);
    let sheet = updated(&[Change::Remove { id: "007".to_owned() }]).unwrap();
    assert!(!sheet.contains("r=\"5\"") && sheet.contains("r=\"6\""));
}

#[test]
fn what_cannot_be_done_says_so() {
    let cases = [
        (
            set("42", &[("Requirement", Some("x"))]),
            "the cell has a formula, which is not overwritten (Reqs, cell C6)",
        ),
        (Change::Remove { id: "42".to_owned() }, "the row has a formula, which is not removed (Reqs, row 6)"),
        (
            set("007", &[("Requirement", Some(&"x".repeat(32768)))]),
            "the text has more than 32767 characters (Reqs, cell C5)",
        ),
        (set("007", &[("Colour", None)]), "the file has no column `Colour`"),
    ];
    for (change, message) in cases {
        let error = updated(&[change]).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
    let broken = |sheet: &str| {
        let parts = entries(&workbook());
        let parts: Vec<(&str, &[u8])> = (parts.iter())
            .map(|(name, bytes)| {
                (name.as_str(), if name.ends_with("b.xml") { sheet.as_bytes() } else { bytes.as_slice() })
            })
            .collect();
        xlsx::read(&archive(&parts), &Profile::default(), Limits::default()).unwrap_err().to_string()
    };
    let sheet = |inside: &str| broken(&format!("<worksheet><sheetData>\n{inside}</sheetData></worksheet>"));
    let part = "xl/worksheets/b.xml, line 2, column";
    assert_eq!(sheet("<row r=\"0\"/>"), format!("a row has no valid number ({part} 1)"));
    assert_eq!(sheet("<row><c r=\"XFE1\"/></row>"), format!("a cell has no valid reference ({part} 6)"));
    assert_eq!(
        sheet("<row><c t=\"s\"><v>99</v></c></row>"),
        format!("a cell names a shared string that is not there ({part} 6)")
    );
    assert!(xlsx::read(b"id,text", &Profile::default(), Limits::default()).is_err());
}

#[test]
fn a_string_for_many_cells_is_no_bomb() {
    let cells = "<row><c t=\"s\"><v>1</v></c></row>".repeat(2000);
    let sheet =
        format!("<worksheet><sheetData><row><c t=\"s\"><v>0</v></c></row>{cells}</sheetData></worksheet>");
    let strings = format!("<sst><si><t>id</t></si><si><t>{}</t></si></sst>", "x".repeat(30_000));
    let parts = entries(&workbook());
    let parts: Vec<(&str, &[u8])> = (parts.iter())
        .map(|(name, bytes)| match name.as_str() {
            "xl/worksheets/b.xml" => (name.as_str(), sheet.as_bytes()),
            "xl/sharedStrings.xml" => (name.as_str(), strings.as_bytes()),
            _ => (name.as_str(), bytes.as_slice()),
        })
        .collect();
    let limits = Limits { total: 10_000_000, ..Limits::default() };
    let error = xlsx::read(&archive(&parts), &Profile::default(), limits).unwrap_err();
    assert!(error.message.starts_with("the texts of the sheet are too large"));
}

#[test]
fn another_reader_sees_the_same_in_our_workbook() {
    let fields = [["007", "a\nb", "=1+1"], ["2", " spaces ", "ü \u{1f600} <&>"], ["", "", "x"]];
    let columns = ["ID", "Text", "Note"].map(str::to_owned).to_vec();
    let records = fields.iter().map(|row| common::record(row)).collect();
    let bytes = xlsx::write(&Records { columns, records, links: Vec::new() }).unwrap();
    assert_eq!(bytes, xlsx::write(&read(&bytes)).unwrap(), "the same records give the same bytes");
    let mut book = calamine::Xlsx::<_>::new(std::io::Cursor::new(&bytes)).unwrap();
    assert_eq!(book.sheet_names(), ["Requirements"]);
    let range = book.worksheet_range("Requirements").unwrap();
    for (row, expected) in fields.iter().enumerate() {
        for (column, text) in expected.iter().enumerate() {
            let cell =
                range.get_value((row as u32 + 1, column as u32)).map(ToString::to_string).unwrap_or_default();
            assert_eq!(cell, *text);
        }
    }
}

/// A title above the table is not its header, and an error is about the row that looks like one.
#[test]
fn a_title_above_the_table() {
    let sheet = |id: &str| {
        let columns = vec!["Our requirements".to_owned(), String::new(), String::new()];
        let records = vec![common::record(&[id, "Text", "Note"]), common::record(&["X-1", "a", "b"])];
        xlsx::write(&Records { columns, records, links: Vec::new() }).unwrap()
    };
    let table = read(&sheet("ID"));
    assert_eq!((table.columns.join("|"), shown(&table)), ("ID|Text|Note".into(), vec!["X-1|a|b".into()]));
    let error = xlsx::read(&sheet("Nummer"), &Profile::default(), Limits::default()).unwrap_err().to_string();
    let expected = "no column is the id of the requirements (Requirements, row 2); \
        say which one with the role `id` of the profile; the columns are `Nummer`, `Text`, `Note`";
    assert_eq!(error, expected);
}
