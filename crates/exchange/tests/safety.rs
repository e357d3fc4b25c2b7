//! Files that are made to hurt are refused, and broken files never make a reader panic.

mod common;

use base::Random;
use common::archive;
use common::set;
use common::workbook;
use shall_exchange::FileError;
use shall_exchange::Limits;
use shall_exchange::Profile;
use shall_exchange::csv;
use shall_exchange::reqif;
use shall_exchange::xlsx;
use std::io::Write as _;

const DOORS: &str = include_str!("samples/doors.reqif");

fn error(bytes: &[u8], limits: Limits) -> String {
    reqif::read(bytes, &Profile::default(), limits).unwrap_err().to_string()
}

#[test]
fn xml_that_hurts_is_refused() {
    let laughs = "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><REQ-IF>&b;</REQ-IF>";
    let external = "<?xml version=\"1.0\"?>\n<!DOCTYPE x SYSTEM \"http://example.org/x.dtd\"><REQ-IF/>";
    let deep = format!("<REQ-IF>{}{}</REQ-IF>", "<a>".repeat(5000), "</a>".repeat(5000));
    let cases: &[(&str, &str)] = &[
        (laughs, "the XML has a document type (DTD), which is refused (line 1, column 1)"),
        (external, "the XML has a document type (DTD), which is refused (line 2, column 1)"),
        ("<REQ-IF>\n &b;</REQ-IF>", "the reference `&b;` is refused (line 2, column 2)"),
        ("<REQ-IF a=\"&b;\"/>", "the reference `&b;` is refused (line 1, column 1)"),
        ("<REQ-IF>&#1;</REQ-IF>", "the reference `&#1;` is refused"),
        ("<REQ-IF>\u{1}</REQ-IF>", "XML cannot hold the character U+0001 (line 1, column 9)"),
        ("<REQ-IF>a & b</REQ-IF>", "the XML is broken"),
        ("<REQ-IF a='1' a='2'/>", "the attribute `a` is there twice"),
        ("<REQ-IF a=1/>", "the attributes of an element are broken"),
        ("<REQ-IF a='1'b='2'/>", "the attributes of an element are broken"),
        ("<REQ-IF></B>", "the XML is broken"),
        ("<REQ-IF>", "the XML ends before its elements are closed (line 1, column 9)"),
        ("<REQ-IF/><REQ-IF/>", "the XML has more than one root element"),
        ("text", "there is text outside the root element"),
        ("", "the XML has no element"),
        (&deep, "the XML is nested too deeply"),
        (
            "<?xml version='1.0' encoding='windows-1252'?><REQ-IF/>",
            "the encoding `windows-1252` is not read; save",
        ),
        ("<?xml version='1.0' encoding='UTF-16'?><REQ-IF/>", "the encoding `UTF-16` is not read"),
        ("<RIF/>", "the document is `RIF`, not `REQ-IF` (line 1, column 1); export ReqIF 1.0 or later"),
        ("<REQ-IF/>", "the document has no REQ-IF-CONTENT"),
    ];
    for (text, message) in cases {
        let error = error(text.as_bytes(), Limits::default());
        assert!(error.starts_with(message), "{error}");
    }
    let lost = |old: &str, new: &str| error(DOORS.replace(old, new).as_bytes(), Limits::default());
    assert!(
        lost(">_note</SPEC", ">_gone</SPEC")
            .starts_with("the object `_lost` has no type in the document (line")
    );
    let message = "a value of the object `_so2` is for no attribute of its type (line";
    assert!(lost(">_w</ATTRIBUTE", ">_gone</ATTRIBUTE").starts_with(message));
    let few = Limits { nodes: 10, ..Limits::default() };
    assert!(error(DOORS.as_bytes(), few).starts_with("the XML has too many elements (line"));
    let small = Limits { total: 10, ..Limits::default() };
    assert!(error(DOORS.as_bytes(), small).starts_with("the file is too large"));
}

#[test]
fn archives_that_hurt_are_refused() {
    let zeros = vec![b' '; 8 << 20];
    let bomb = archive(&[("a.reqif", &zeros)]);
    assert!(bomb.len() < 20_000);
    let default = Limits::default();
    assert!(
        error(&bomb, default).starts_with("the entry is more than 300 times as large as it looks (a.reqif)")
    );
    let open = Limits { ratio: 100_000, ..default };
    assert!(error(&bomb, Limits { entry: 1 << 20, ..open }).starts_with("the entry is too large (a.reqif)"));
    let two = archive(&[("a.reqif", DOORS.as_bytes()), ("b.reqif", &zeros)]);
    assert!(error(&two, Limits { total: 1 << 20, ..open }).starts_with("the entry is too large (b.reqif)"));
    assert!(error(&two, Limits { entries: 1, ..open }).starts_with("the archive has 2 entries"));
    for name in ["../a.reqif", "/a.reqif", "x/../../a.reqif", "C:a.reqif", "x\\..\\a.reqif"] {
        // The writer may tidy a name: the bytes are patched instead.
        let plain = "n".repeat(name.len());
        let bytes = archive(&[(&plain, b"x")]);
        let bytes = replaced(&bytes, plain.as_bytes(), name.as_bytes());
        assert!(
            error(&bytes, default).starts_with("the name of the entry leads out of its folder"),
            "{name}"
        );
    }
    let twice = replaced(&archive(&[("a.reqif", b"x"), ("b.reqif", b"y")]), b"b.reqif", b"a.reqif");
    assert!(error(&twice, default).starts_with("the archive has two entries with one name"));
    // Bit 0 of the flags says that an entry is encrypted: offset 6 of the local header, 8 of the central one.
    let mut locked = archive(&[("a.reqif", DOORS.as_bytes())]);
    let central = locked.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    locked[6] |= 1;
    locked[central + 8] |= 1;
    assert!(error(&locked, default).starts_with("the entry is encrypted (a.reqif)"));
    let mut wrong = archive(&[("a.reqif", DOORS.as_bytes())]);
    wrong[60] ^= 0xff;
    assert!(error(&wrong, default).starts_with("the entry cannot be read"));
    let inside = archive(&[("folder/a.reqif", b"<REQ-IF>\n<x>")]);
    assert_eq!(
        error(&inside, default),
        "the XML ends before its elements are closed (folder/a.reqif, line 2, column 4)"
    );
}

fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut result = bytes.to_vec();
    for at in 0..=result.len() - old.len() {
        if &result[at..at + old.len()] == old {
            result[at..at + new.len()].copy_from_slice(new);
        }
    }
    result
}

type Reader = fn(&[u8]) -> Result<(), FileError>;

/// Reads, and updates what can be read.
macro_rules! both {
    ($format:ident) => {
        |bytes: &[u8]| {
            let records = $format::read(bytes, &Profile::default(), Limits::default())?;
            let fields = records.columns.iter().map(|name| (name.as_str(), Some("new"))).collect::<Vec<_>>();
            let id = records.records.first().map_or("9", |record| record.id.as_str());
            $format::update(
                bytes,
                &Profile::default(),
                &[set(id, &fields), set("77", &[])],
                Limits::default(),
            )?;
            Ok(())
        }
    };
}

#[test]
fn broken_files_never_panic() {
    let table = "\u{feff}id;\"text\"\r\nR1;\"a;\"\"b\"\"\nü\"\r\nR2;c\r\n";
    let stored = |bytes: &[u8]| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options =
            zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        for (name, bytes) in common::entries(bytes) {
            writer.start_file(name, options).unwrap();
            writer.write_all(&bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    let packed = archive(&[("a.reqif", DOORS.as_bytes()), ("x.png", b"1234")]);
    let samples: [(Vec<u8>, Reader, usize); 6] = [
        (table.as_bytes().to_vec(), both!(csv), 1500),
        (DOORS.as_bytes().to_vec(), both!(reqif), 1200),
        (packed.clone(), both!(reqif), 800),
        (stored(&packed), both!(reqif), 500),
        (workbook(), both!(xlsx), 800),
        (stored(&workbook()), both!(xlsx), 1200),
    ];
    let mut random = Random::new(7);
    for (sample, reader, rounds) in samples {
        let _ = reader(&sample);
        for round in 0..rounds {
            let mut bytes = sample.clone();
            if round % 4 == 0 {
                bytes.truncate(random.below(bytes.len()));
            }
            for _ in 0..random.below(4) {
                let at = random.below(bytes.len());
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = match random.below(3) {
                        0 => *byte ^ (1 << random.below(8)),
                        1 => b"<>&;\"'/=: \n\x00\xff,A0"[random.below(16)],
                        _ => random.bits() as u8,
                    };
                }
            }
            let _ = reader(&bytes);
        }
    }
}
