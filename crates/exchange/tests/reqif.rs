//! ReqIF: documents of other tools are read, updated in place, and our own documents have the structure they need.

mod common;

use common::{archive, entries, set};
use quick_xml::events::Event;
use shall_exchange::{Change, Limits, Link, Profile, Records, Role, Spot, reqif};
use std::collections::{BTreeMap, BTreeSet};

const DOORS: &str = include_str!("samples/doors.reqif");

fn read(text: &str) -> Records {
    reqif::read(text.as_bytes(), &Profile::default(), Limits::default()).unwrap()
}

fn update(text: &str, changes: &[Change]) -> Result<String, String> {
    let bytes = reqif::update(text.as_bytes(), &Profile::default(), changes, Limits::default());
    let text = bytes.map(|bytes| String::from_utf8(bytes).unwrap()).map_err(|why| why.to_string())?;
    check_structure(&text);
    Ok(text)
}

fn field<'a>(records: &'a Records, id: &str, column: &str) -> Option<&'a str> {
    let column = records.columns.iter().position(|name| name == column).unwrap();
    let record = records.records.iter().find(|record| record.id == id).unwrap();
    record.fields[column].as_deref()
}

#[test]
fn every_kind_of_attribute_is_read() {
    let records = read(DOORS);
    check_structure(DOORS);
    let ids: Vec<&str> = records.records.iter().map(|record| record.id.as_str()).collect();
    assert_eq!(ids, ["1", "2", "4", "3", "_lost"], "the order of the hierarchy, then what is outside it");
    let cases = [
        ("1", "ReqIF.ChapterName", Some("Pump & valve")),
        ("1", "ReqIF.Text", None),
        (
            "2",
            "ReqIF.Text",
            Some("The pump shall\nstop.\n\nConditions:\n\n- low level\n- no power\n  1. main\n  2. backup"),
        ),
        ("2", "Priority", Some("high")),
        ("2", "Variants", Some("A; B")),
        ("2", "Safety", Some("true")),
        ("2", "Weight", Some("0.5")),
        ("2", "ReqIF.ForeignCreatedOn", Some("2024-05-01T12:30:00Z")),
        ("2", "Comment", Some("two\nlines & \"quotes\" and  a space")),
        ("3", "ReqIF.Text", Some("See [files/pump.png] for a picture:\na\tb\nc\td")),
        ("4", "ReqIF.Text", Some("  kept   as is\n\tx")),
        ("4", "Variants", None),
        ("2", "parent", Some("1")),
        ("4", "parent", Some("2")),
        ("3", "parent", None),
    ];
    for (id, column, expected) in cases {
        assert_eq!(field(&records, id, column), expected, "{id} {column}");
    }
    let link = Link { kind: "satisfies".to_owned(), from: "4".to_owned(), to: "1".to_owned() };
    assert_eq!(records.links, [link]);
    assert_eq!(records.records[1].place.spot, Spot::Object("_so2".to_owned()));
    let profile = Profile::default();
    assert_eq!(records.value(&records.records[0], Role::Title, &profile), Some("Pump & valve"));
    assert_eq!(records.value(&records.records[2], Role::Title, &profile), Some("Name of four"));
}

#[test]
fn an_update_changes_values_in_place() {
    let old_text =
        "<reqif-xhtml:div><reqif-xhtml:pre>  kept   as is\n\tx</reqif-xhtml:pre></reqif-xhtml:div>";
    #[rustfmt::skip]
    let cases: &[(&str, &str, &str, &str, &str)] = &[
        ("4", "ReqIF.Text", "a < b\nc", old_text, "<reqif-xhtml:div>a &lt; b<reqif-xhtml:br/>c</reqif-xhtml:div>"),
        ("2", "Comment", "one\nmore", "'two&#10;lines &amp; \"quotes\" and\n a space'", "'one&#10;more'"),
        ("2", "Comment", "it's", "'two&#10;lines &amp; \"quotes\" and\n a space'", "'it&apos;s'"),
        ("2", "Safety", "false", "BOOLEAN THE-VALUE=\"true\"", "BOOLEAN THE-VALUE=\"false\""),
        ("2", "Variants", "B", "<ENUM-VALUE-REF>_va</ENUM-VALUE-REF>\n                <ENUM-VALUE-REF>_vb</ENUM-VALUE-REF>\n              </VALUES>", "<ENUM-VALUE-REF>_vb</ENUM-VALUE-REF></VALUES>"),
        ("4", "Weight", "1.25", "<!-- end of four -->", "\n            <ATTRIBUTE-VALUE-REAL THE-VALUE=\"1.25\"><DEFINITION><ATTRIBUTE-DEFINITION-REAL-REF>_w</ATTRIBUTE-DEFINITION-REAL-REF></DEFINITION></ATTRIBUTE-VALUE-REAL><!-- end of four -->"),
    ];
    for (id, column, text, old, new) in cases {
        let after = update(DOORS, &[set(id, &[(column, Some(text))])]).unwrap();
        let expected = if old.starts_with("<ENUM") {
            let start = DOORS.find(old).unwrap();
            let space = DOORS[..start].trim_end().len();
            format!("{}{new}{}", &DOORS[..space], &DOORS[start + old.len()..])
        } else {
            assert_eq!(DOORS.matches(old).count(), 1, "{old}");
            DOORS.replace(old, new)
        };
        assert_eq!(after, expected);
    }
    let after = update(DOORS, &[set("2", &[("Safety", None)])]).unwrap();
    assert_eq!(field(&read(&after), "2", "Safety"), None);
    let same = read(DOORS);
    assert_eq!(update(DOORS, &same.changes_to(&same)).unwrap(), DOORS);
}

#[test]
fn new_objects_are_appended() {
    let changes = [
        set("9", &[("ReqIF.Text", Some("new")), ("Priority", Some("low"))]),
        set("10", &[("ReqIF.Text", Some("below")), ("parent", Some("9"))]),
        set("11", &[("ReqIF.Text", Some("below two")), ("parent", Some("2"))]),
        set("12", &[("ReqIF.Text", Some("below four")), ("parent", Some("4"))]),
    ];
    let after = update(DOORS, &changes).unwrap();
    let records = read(&after);
    let parent =
        |id: &str| field(&records, id, "parent").map_or(String::new(), |parent| format!("<{parent}"));
    let shown: Vec<String> =
        records.records.iter().map(|it| format!("{}{}", it.id, parent(&it.id))).collect();
    assert_eq!(shown.join(" "), "1 2<1 4<2 12<4 11<2 3 9 10<9 _lost");
    assert_eq!(field(&records, "9", "Priority"), Some("low"));
    assert!(after.contains("<SPEC-OBJECT IDENTIFIER=\"object-9\" LAST-CHANGE=\"2024-05-03T00:00:00Z\">"));
    let mut bytes = after.bytes();
    assert!(
        DOORS.bytes().all(|byte| bytes.any(|other| other == byte)),
        "all that was there is there, in order"
    );
}

#[test]
fn objects_are_removed_if_nothing_needs_them() {
    let remove = |id: &str| Change::Remove { id: id.to_owned() };
    let after = update(DOORS, &[remove("3")]).unwrap();
    assert!(!after.contains("_so3") && read(&after).records.len() == 4);
    let refused = |changes: &[Change]| update(DOORS, changes).unwrap_err();
    assert_eq!(refused(&[remove("4")]), "the object has relations and is not removed (object _so4)");
    assert_eq!(refused(&[remove("2")]), "the object has others below it and is not removed (object _so2)");
    assert_eq!(
        refused(&[remove("3"), set("9", &[("parent", Some("3"))])]),
        "the parent of the new `9` is to be removed"
    );
}

#[test]
fn what_cannot_be_done_says_so() {
    #[rustfmt::skip]
    let cases = [
        ("2 Priority=urgent", "`urgent` is not a value of the column `Priority` (object _so2); its values are `low`, `high`"),
        ("2 ReqIF.ForeignID=x", "`x` of the column `ReqIF.ForeignID` is not an integer (object _so2)"),
        ("2 Weight=heavy", "`heavy` of the column `Weight` is not a number (object _so2)"),
        ("2 Safety=yes", "`yes` of the column `Safety` is not `true` or `false` (object _so2)"),
        ("2 ReqIF.ForeignCreatedOn=today", "`today` of the column `ReqIF.ForeignCreatedOn` is not a time"),
        ("3 ReqIF.Text=x", "the text of the column `ReqIF.Text` has a table or an embedded object"),
        ("2 parent", "objects cannot be moved to another parent (object _so2)"),
        ("2 Colour", "the file has no column `Colour`"),
        ("9 parent=8", "the parent `8` of `9` is not in the hierarchy"),
        ("N", "`N` of the column `ReqIF.ForeignID` is not an integer"),
        ("_lost Weight=1", "objects of the type `Note` have no attribute `Weight` (object _lost)"),
    ];
    for (change, message) in cases {
        let (id, field) = change.split_once(' ').unzip();
        let field = field.map(|field: &str| {
            field.split_once('=').map_or((field, None), |(name, text)| (name, Some(text)))
        });
        let fields: Vec<_> = field.into_iter().collect();
        let error = update(DOORS, &[set(id.unwrap_or(change), &fields)]).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn archives_keep_their_attachments() {
    let second = DOORS.replace("_so", "_other").replace("THE-VALUE=\"4\"", "THE-VALUE=\"44\"");
    let second = ["1", "2", "3"].iter().fold(second, |text, id| {
        text.replace(
            &format!("<ATTRIBUTE-VALUE-INTEGER THE-VALUE=\"{id}\">"),
            &format!("<ATTRIBUTE-VALUE-INTEGER THE-VALUE=\"1{id}\">"),
        )
    });
    let parts: [(&str, &[u8]); 3] = [
        ("a.reqif", DOORS.as_bytes()),
        ("files/pump.png", b"\x89PNG not really"),
        ("b.reqif", second.as_bytes()),
    ];
    let bytes = archive(&parts);
    let profile = Profile::default();
    let records = reqif::read(&bytes, &profile, Limits::default()).unwrap();
    assert_eq!(records.records.len(), 10);
    assert_eq!(records.duplicates().len(), 1, "`_lost` is in both");
    assert_eq!(records.records.last().unwrap().place.part.as_deref(), Some("b.reqif"));
    let changes = [set("44", &[("ReqIF.Text", Some("new"))])];
    let after = reqif::update(&bytes, &profile, &changes, Limits::default()).unwrap();
    for ((name, old), (other, new)) in parts.iter().zip(entries(&after)) {
        assert_eq!(*name, other);
        assert_eq!(*old == new.as_slice(), *name != "b.reqif", "{name}");
    }
    assert_eq!(reqif::update(&bytes, &profile, &[], Limits::default()).unwrap(), bytes);
    let none = reqif::read(&archive(&parts[1..2]), &profile, Limits::default()).unwrap_err();
    assert_eq!(none.to_string(), "the archive has no `.reqif` document");
}

#[test]
fn encodings_are_kept() {
    let text = DOORS.replace("Pump &amp; valve", "Pümp");
    let change = [set("4", &[("ReqIF.Text", Some("ä €"))])];
    let utf16: Vec<u8> = format!("\u{feff}{}", text.replace("UTF-8", "UTF-16"))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let latin: Vec<u8> = text.replace("UTF-8", "ISO-8859-1").chars().map(|c| u32::from(c) as u8).collect();
    for bytes in [utf16, latin] {
        let after = reqif::update(&bytes, &Profile::default(), &change, Limits::default()).unwrap();
        let records = reqif::read(&after, &Profile::default(), Limits::default()).unwrap();
        assert_eq!(field(&records, "4", "ReqIF.Text"), Some("ä €"));
        assert_eq!(field(&records, "1", "ReqIF.ChapterName"), Some("Pümp"));
        assert_eq!(after[..60], bytes[..60]);
    }
}

#[test]
fn a_new_document_has_the_structure_of_reqif() {
    let columns = ["ID", "Text", "Status", "Parent ID"].map(str::to_owned).to_vec();
    let rows = [
        ["R1", "When x > 3 the pump shall\nstop", "draft", ""],
        ["R 2/ü", "  two  ", "", "R1"],
        ["R3", "", "<done>", "R 2/ü"],
        ["R4", "a", "b", "R1"],
        ["R5", "a", "b", ""],
    ];
    let records = rows.iter().map(|row| common::record(row)).collect();
    let links = vec![Link { kind: "refines".to_owned(), from: "R3".to_owned(), to: "R1".to_owned() }];
    let mut table = Records { columns, records, links };
    let head = reqif::Head { title: "Pump & co".to_owned(), time: "2024-05-01T00:00:00Z".to_owned() };
    let bytes = reqif::write(&table, &Profile::default(), &head).unwrap();
    check_structure(std::str::from_utf8(&bytes).unwrap());
    let back = reqif::read(&bytes, &Profile::default(), Limits::default()).unwrap();
    assert_eq!(back.columns, ["ID", "Text", "Status", "parent"]);
    table.columns[3] = "parent".to_owned();
    assert_eq!(common::placeless(back), table);
    let wrong = |id: usize, parent: &str| {
        let mut table = table.clone();
        table.records[id].fields[3] = Some(parent.to_owned());
        reqif::write(&table, &Profile::default(), &head).unwrap_err().message
    };
    assert_eq!(wrong(0, "R9"), "the parent `R9` of `R1` is not a record");
    assert_eq!(wrong(0, "R3"), "`R1` is its own parent, or more than 80 levels deep");
}

#[test]
fn prefixes_and_short_forms_are_kept() {
    let definition = |id: &str, name: &str| {
        format!(
            "<r:ATTRIBUTE-DEFINITION-XHTML IDENTIFIER=\"{id}\" LAST-CHANGE=\"x\" LONG-NAME=\"{name}\"><r:TYPE><r:DATATYPE-DEFINITION-XHTML-REF>dt</r:DATATYPE-DEFINITION-XHTML-REF></r:TYPE></r:ATTRIBUTE-DEFINITION-XHTML>"
        )
    };
    let (id, text) = (definition("a1", "ID"), definition("a2", "Description"));
    let document = |objects: &str, children: &str| {
        format!(
            "<r:REQ-IF xmlns:r=\"http://www.omg.org/spec/ReqIF/20110401/reqif.xsd\"><r:THE-HEADER><r:REQ-IF-HEADER IDENTIFIER=\"h\">\
             <r:CREATION-TIME>t</r:CREATION-TIME><r:REQ-IF-TOOL-ID/><r:REQ-IF-VERSION/><r:SOURCE-TOOL-ID/><r:TITLE/></r:REQ-IF-HEADER></r:THE-HEADER>\
             <r:CORE-CONTENT><r:REQ-IF-CONTENT><r:DATATYPES><r:DATATYPE-DEFINITION-XHTML IDENTIFIER=\"dt\" LAST-CHANGE=\"x\"/></r:DATATYPES>\
             <r:SPEC-TYPES><r:SPEC-OBJECT-TYPE IDENTIFIER=\"ty\" LAST-CHANGE=\"x\"><r:SPEC-ATTRIBUTES>{id}{text}</r:SPEC-ATTRIBUTES></r:SPEC-OBJECT-TYPE>\
             <r:SPECIFICATION-TYPE IDENTIFIER=\"st\" LAST-CHANGE=\"x\"/></r:SPEC-TYPES>{objects}<r:SPECIFICATIONS><r:SPECIFICATION IDENTIFIER=\"sp\" LAST-CHANGE=\"x\">\
             <r:TYPE><r:SPECIFICATION-TYPE-REF>st</r:SPECIFICATION-TYPE-REF></r:TYPE>{children}</r:SPECIFICATION></r:SPECIFICATIONS></r:REQ-IF-CONTENT></r:CORE-CONTENT></r:REQ-IF>"
        )
    };
    let value = |id: &str, text: &str| {
        format!(
            "<r:ATTRIBUTE-VALUE-XHTML><r:THE-VALUE><div xmlns=\"http://www.w3.org/1999/xhtml\">{text}</div></r:THE-VALUE><r:DEFINITION><r:ATTRIBUTE-DEFINITION-XHTML-REF>{id}</r:ATTRIBUTE-DEFINITION-XHTML-REF></r:DEFINITION></r:ATTRIBUTE-VALUE-XHTML>"
        )
    };
    let object = |values: &str, id: &str, time: &str| {
        format!(
            "<r:SPEC-OBJECT IDENTIFIER=\"{id}\" LAST-CHANGE=\"{time}\">{values}<r:TYPE><r:SPEC-OBJECT-TYPE-REF>ty</r:SPEC-OBJECT-TYPE-REF></r:TYPE></r:SPEC-OBJECT>"
        )
    };
    let added =
        object(&format!("<r:VALUES>{}{}</r:VALUES>", value("a1", "N"), value("a2", "new")), "object-N", "t");
    let entry = "<r:CHILDREN><r:SPEC-HIERARCHY IDENTIFIER=\"entry-N\" LAST-CHANGE=\"t\"><r:OBJECT><r:SPEC-OBJECT-REF>object-N</r:SPEC-OBJECT-REF></r:OBJECT></r:SPEC-HIERARCHY></r:CHILDREN>";
    let changes = [set("N", &[("Description", Some("new"))])];
    let expected = document(&format!("<r:SPEC-OBJECTS>{added}</r:SPEC-OBJECTS>"), entry);
    for (objects, children) in
        [("", ""), ("<r:SPEC-OBJECTS/>", ""), ("<r:SPEC-OBJECTS></r:SPEC-OBJECTS>", "<r:CHILDREN/>")]
    {
        assert_eq!(update(&document(objects, children), &changes).unwrap(), expected);
    }
    for values in ["", "<r:VALUES/>", "<r:VALUES></r:VALUES>"] {
        let before = document(&format!("<r:SPEC-OBJECTS>{}</r:SPEC-OBJECTS>", object(values, "o1", "t")), "");
        let after = update(&before, &[set("o1", &[("Description", Some("x"))])]).unwrap();
        assert!(after.contains(&format!("<r:VALUES>{}</r:VALUES>", value("a2", "x"))), "{after}");
        assert_eq!(field(&read(&after), "o1", "Description"), Some("x"));
    }
}

/// Required elements and attributes are there, identifiers are unique, every reference leads to one.
fn check_structure(text: &str) {
    let required: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("REQ-IF", &["THE-HEADER", "CORE-CONTENT"] as &[&str]),
        ("REQ-IF-HEADER", &["CREATION-TIME", "REQ-IF-TOOL-ID", "REQ-IF-VERSION", "SOURCE-TOOL-ID", "TITLE"]),
        ("CORE-CONTENT", &["REQ-IF-CONTENT"]),
        ("SPEC-OBJECT", &["TYPE"]),
        ("SPECIFICATION", &["TYPE"]),
        ("SPEC-HIERARCHY", &["OBJECT"]),
        ("SPEC-RELATION", &["SOURCE", "TARGET", "TYPE"]),
        ("ATTRIBUTE-VALUE-XHTML", &["DEFINITION", "THE-VALUE"]),
        ("ATTRIBUTE-VALUE-STRING", &["DEFINITION"]),
        ("ATTRIBUTE-DEFINITION-STRING", &["TYPE"]),
        ("ATTRIBUTE-DEFINITION-XHTML", &["TYPE"]),
    ]);
    let mut reader = quick_xml::Reader::from_str(text.trim_start_matches('\u{feff}'));
    reader.config_mut().expand_empty_elements = true;
    let mut open: Vec<(String, Vec<String>)> = Vec::new();
    let (mut ids, mut references) = (BTreeSet::new(), Vec::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) => {
                let name = tag.local_name().into_inner().to_owned();
                let attributes: BTreeMap<String, String> = (tag.attributes())
                    .map(|attribute| attribute.unwrap())
                    .map(|attribute| (attribute.key.into_inner().to_owned(), attribute.value.into_owned()))
                    .collect();
                if let Some(id) = attributes.get("IDENTIFIER") {
                    assert!(id.starts_with(|c: char| c.is_alphabetic() || c == '_'), "{id}");
                    assert!(ids.insert(id.clone()), "the identifier {id} is there twice");
                    assert!(
                        name == "REQ-IF-HEADER" || attributes.contains_key("LAST-CHANGE"),
                        "{id} has no LAST-CHANGE"
                    );
                }
                if let Some((_, children)) = open.last_mut() {
                    children.push(name.clone());
                }
                open.push((name, Vec::new()));
            }
            Event::End(_) => {
                let (name, children) = open.pop().unwrap();
                for child in required.get(name.as_str()).copied().unwrap_or_default() {
                    assert!(children.iter().any(|other| other == child), "a {name} has no {child}");
                }
            }
            Event::Text(text) => {
                if let Some((name, _)) = open.last().filter(|(name, _)| name.ends_with("-REF")) {
                    references.push((name.clone(), text.trim().to_owned()));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    for (name, id) in references {
        assert!(ids.contains(&id), "{name} leads to {id}, which is not there");
    }
}
