//! CSV: what is read, what an update keeps, what is refused.

use super::*;

fn table(text: &str) -> Records {
    read(text.as_bytes(), &Profile::default(), Limits::default()).unwrap()
}

fn set(id: &str, fields: &[(&str, Option<&str>)]) -> Change {
    let fields = fields.iter().map(|(name, text)| ((*name).to_owned(), text.map(str::to_owned))).collect();
    Change::Set { id: id.to_owned(), fields }
}

#[test]
fn tables_are_read() {
    // text, columns, fields of each record (`-` is none)
    let cases: &[(&str, &str, &[&str])] = &[
        ("id,text\nR1,a\nR2,b\n", "id|text", &["R1|a", "R2|b"]),
        ("id;text, long\r\nR1;\"a;\"\"b\"\"\"\r\n", "id|text, long", &["R1|a;\"b\""]),
        ("ID\tText\nR1\ta,b;c", "ID|Text", &["R1|a,b;c"]),
        ("\u{feff}id,text\nR1,\"line\nline\"\n\nR2\n", "id|text", &["R1|line\nline", "R2|-"]),
        ("Export of today\n,,\nid,text\nR1,\"\"\n", "id|text", &["R1|"]),
        ("sep=;\nid;text\nR1;a\n", "id|text", &["R1|a"]),
        ("sep=|\nid|x\nR1|a,b\n", "id|x", &["R1|a,b"]),
        ("id,text\n 007 ,a,extra\n", "id|text|", &[" 007 |a|extra"]),
        ("id,text\rR1,=1+1\r", "id|text", &["R1|=1+1"]),
        ("id,text\nR1,\"a\"b\nR2,a\"b\"\n", "id|text", &["R1|ab", "R2|a\"b\""]),
        ("text,id\n,\nx,\n", "text|id", &["x|-"]),
    ];
    for (text, columns, rows) in cases {
        let table = table(text);
        assert_eq!(table.columns.join("|"), *columns, "{text}");
        let shown: Vec<String> = (table.records.iter())
            .map(|record| {
                let fields: Vec<&str> = record.fields.iter().map(|f| f.as_deref().unwrap_or("-")).collect();
                fields.join("|")
            })
            .collect();
        assert_eq!(shown, *rows, "{text}");
    }
}

#[test]
fn records_know_their_line() {
    let table = table("id,text\nR1,\"a\nb\"\n\nR2,c\n");
    let lines: Vec<&Spot> = table.records.iter().map(|record| &record.place.spot).collect();
    assert_eq!(lines, [&Spot::Line(2, 1), &Spot::Line(5, 1)]);
    assert_eq!(self::table("sep=;\nid;text\nR1;a\n").records[0].place.spot, Spot::Line(3, 1));
}

#[test]
fn an_update_keeps_the_rest() {
    let cases: &[(&str, &[Change], &str)] = &[
        ("id,text\r\nR1,\"a\"\r\nR2,b", &[set("R2", &[("text", Some("c"))])], "id,text\r\nR1,\"a\"\r\nR2,c"),
        ("id;text;x\nR1;\"a\";1\n", &[set("R1", &[("text", Some("b"))])], "id;text;x\nR1;\"b\";1\n"),
        ("id;text;x\nR1\n", &[set("R1", &[("x", Some("a;b"))])], "id;text;x\nR1;;\"a;b\"\n"),
        ("id;a;b;c\nR1\n", &[set("R1", &[("c", Some("2")), ("a", Some("1"))])], "id;a;b;c\nR1;1;;2\n"),
        ("id\ttext\nR1\ta\n", &[set("R9", &[("text", Some("new"))])], "id\ttext\nR1\ta\nR9\tnew\n"),
        ("id,text\r\nR1,a", &[set("R9", &[("text", None)])], "id,text\r\nR1,a\r\nR9,"),
        (
            "\"id\",\"text\"\n\"R1\",\"a\"\n",
            &[set("R2", &[("text", Some("b"))])],
            "\"id\",\"text\"\n\"R1\",\"a\"\n\"R2\",\"b\"\n",
        ),
        ("id,text\nR1,a\nR2,b\n", &[Change::Remove { id: "R1".to_owned() }], "id,text\nR2,b\n"),
        ("id,text\nR1,a\n", &[Change::Remove { id: "R9".to_owned() }], "id,text\nR1,a\n"),
        ("id,text\nR1,\"a\"\n", &[set("R1", &[("text", Some("a"))])], "id,text\nR1,\"a\"\n"),
        ("\u{feff}id,text\nR1,a\n", &[set("R1", &[("text", Some(""))])], "\u{feff}id,text\nR1,\"\"\n"),
    ];
    for (before, changes, after) in cases {
        let result = update(before.as_bytes(), &Profile::default(), changes, Limits::default()).unwrap();
        assert_eq!(String::from_utf8(result).unwrap(), *after, "{before}");
    }
}

#[test]
fn utf_16_stays_utf_16() {
    let bytes = text::encode("\u{feff}id\ttext\r\nR1\tä\r\n", text::Encoding::Utf16Le);
    let change = set("R1", &[("text", Some("ö"))]);
    let result = update(&bytes, &Profile::default(), &[change], Limits::default()).unwrap();
    assert_eq!(result, text::encode("\u{feff}id\ttext\r\nR1\tö\r\n", text::Encoding::Utf16Le));
}

#[test]
fn what_is_refused_has_a_place() {
    let small = Limits { nodes: 3, ..Limits::default() };
    let cases: &[(&[u8], Limits, &str)] = &[
        (b"", Limits::default(), "the table is empty; the first row names the columns"),
        (b"id,text\nR1,\"a\n", Limits::default(), "a quotation mark is never closed (line 2, column 4)"),
        (b"id\nR\xe4\n", Limits::default(), "the text is not UTF-8 (line 2, column 2); save the file"),
        (
            b"name;text\nR1;a\n",
            Limits::default(),
            "no column is the id of the requirements (line 1, column 1); say",
        ),
        (
            b"name;text\nid;text\n",
            Limits::default(),
            "no column is the id of the requirements (line 1, column 1); say",
        ),
        (b"id,text\nR1,b\n", small, "the table has too many cells"),
        (b"id,text\n", Limits { total: 2, ..small }, "the file is too large"),
    ];
    for (bytes, limits, message) in cases {
        let error = read(bytes, &Profile::default(), *limits).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    let twice = b"id,text\nR1,a\nR1,b\n";
    let changes = [set("R1", &[("text", None)])];
    assert!(update(twice, &Profile::default(), &changes, Limits::default()).is_err());
    let changes = [set("R1", &[("colour", None)])];
    let error = update(b"id,text\n", &Profile::default(), &changes, Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "the file has no column `colour`; its columns are `id`, `text`");
}
