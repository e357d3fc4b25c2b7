//! What is written is read back; an update without a change is the same bytes; an update of one record leaves the rest.

mod common;

use base::Random;
use common::placeless;
use common::table;
use common::text;
use shall_exchange::Change;
use shall_exchange::FileError;
use shall_exchange::Limits;
use shall_exchange::Profile;
use shall_exchange::Records;
use shall_exchange::csv;
use shall_exchange::reqif;
use shall_exchange::xlsx;

type Update = fn(&[u8], &Profile, &[Change], Limits) -> Result<Vec<u8>, FileError>;

/// A format by its functions.
struct Format {
    name: &'static str,
    controls: bool,
    write: fn(&Records) -> Vec<u8>,
    read: fn(&[u8], &Profile, Limits) -> Result<Records, FileError>,
    update: Update,
}

const FORMATS: [Format; 3] = [
    Format { name: "csv", controls: true, write: csv::write, read: csv::read, update: csv::update },
    Format {
        name: "xlsx",
        controls: true,
        write: |records| xlsx::write(records).unwrap(),
        read: xlsx::read,
        update: xlsx::update,
    },
    Format {
        name: "reqif",
        controls: false,
        write: |records| reqif::write(records, &Profile::default(), &reqif::Head::default()).unwrap(),
        read: reqif::read,
        update: reqif::update,
    },
];

fn every_table(rounds: u64, check: impl Fn(&Format, &Records, &mut Random)) {
    for format in &FORMATS {
        for seed in 0..rounds {
            let mut random = Random::new(seed + 1);
            let records = table(&mut random, format.controls);
            check(format, &records, &mut random);
        }
    }
}

#[test]
fn what_is_written_is_read_back() {
    every_table(120, |format, records, _| {
        let bytes = (format.write)(records);
        let back = (format.read)(&bytes, &Profile::default(), Limits::default()).unwrap();
        assert_eq!(placeless(back), *records, "{}", format.name);
    });
}

#[test]
fn an_update_without_a_change_is_the_same() {
    every_table(50, |format, records, _| {
        let bytes = (format.write)(records);
        let same = records.records.iter().map(|record| {
            let fields = records.columns.iter().cloned().zip(record.fields.iter().cloned()).collect();
            Change::Set { id: record.id.clone(), fields }
        });
        for changes in [Vec::new(), same.collect()] {
            let after = (format.update)(&bytes, &Profile::default(), &changes, Limits::default()).unwrap();
            assert_eq!(after, bytes, "{}", format.name);
        }
    });
}

#[test]
fn an_update_changes_what_it_is_asked_to() {
    every_table(120, |format, records, random| {
        let bytes = (format.write)(records);
        let mut wanted = records.clone();
        for _ in 0..1 + random.below(3) {
            let Some(id) = wanted.columns.iter().position(|name| name == "ID") else { continue };
            let column = random.below(wanted.columns.len());
            let field = if random.below(4) == 0 { None } else { Some(text(random, format.controls)) };
            let at = random.below(wanted.records.len());
            if let Some(record) = wanted.records.get_mut(at).filter(|_| column != id) {
                record.fields[column] = field;
            }
        }
        if random.below(2) == 0 {
            let mut new = table(random, format.controls);
            new.records.truncate(1);
            new.columns.clone_from(&wanted.columns);
            for mut record in new.records {
                record.id = "new 1".to_owned();
                record.fields = wanted.columns.iter().map(|_| Some(text(random, format.controls))).collect();
                let id = wanted.columns.iter().position(|name| name == "ID").unwrap();
                record.fields[id] = Some(record.id.clone());
                wanted.records.push(record);
            }
        }
        let changes = records.changes_to(&wanted);
        let after = (format.update)(&bytes, &Profile::default(), &changes, Limits::default()).unwrap();
        let back = (format.read)(&after, &Profile::default(), Limits::default()).unwrap();
        assert_eq!(placeless(back), wanted, "{}", format.name);
        // Undone, the file is the same again, but for the way a text is spelled: compare what is read.
        if wanted.records.len() == records.records.len() {
            let undone =
                (format.update)(&after, &Profile::default(), &wanted.changes_to(records), Limits::default());
            let back = (format.read)(&undone.unwrap(), &Profile::default(), Limits::default()).unwrap();
            assert_eq!(placeless(back), *records, "{}", format.name);
        }
    });
}

#[test]
fn an_update_of_one_record_leaves_the_other_bytes() {
    every_table(100, |format, records, random| {
        if format.name == "xlsx" || records.records.is_empty() {
            return; // the entries of the archive are compared in the tests of sheets
        }
        let bytes = (format.write)(records);
        let at = random.below(records.records.len());
        let id = records.columns.iter().position(|name| name == "ID").unwrap();
        let column = (id + 1) % records.columns.len();
        let mark = "marker of the change";
        let fields = vec![(records.columns[column].clone(), Some(mark.to_owned()))];
        let change = Change::Set { id: records.records[at].id.clone(), fields };
        let after = (format.update)(&bytes, &Profile::default(), &[change], Limits::default()).unwrap();
        let (before, after) = (String::from_utf8(bytes).unwrap(), String::from_utf8(after).unwrap());
        let start = before.bytes().zip(after.bytes()).take_while(|(one, other)| one == other).count();
        let end =
            before.bytes().rev().zip(after.bytes().rev()).take_while(|(one, other)| one == other).count();
        let changed = after.len() - start.min(after.len()) - end.min(after.len() - start);
        assert!(changed <= mark.len() + 250, "{}: {changed} bytes changed", format.name);
    });
}

#[test]
fn characters_that_xml_cannot_hold_are_refused_in_reqif() {
    let mut random = Random::new(1);
    let mut records = table(&mut random, false);
    records.records.truncate(1);
    let id = records.columns.iter().position(|name| name == "ID").unwrap();
    let column = (id + 1) % records.columns.len();
    let bytes = reqif::write(&records, &Profile::default(), &reqif::Head::default()).unwrap();
    records.records[0].fields[column] = Some("a\u{1}b".to_owned());
    let error = reqif::write(&records, &Profile::default(), &reqif::Head::default()).unwrap_err();
    assert!(error.message.contains("U+0001"), "{error}");
    let fields = vec![(records.columns[column].clone(), Some("a\u{ffff}b".to_owned()))];
    let change = Change::Set { id: records.records[0].id.clone(), fields };
    assert!(reqif::update(&bytes, &Profile::default(), &[change], Limits::default()).is_err());
}

/// Our way of reading CSV is that of everyone else.
#[test]
fn another_reader_sees_the_same_csv() {
    for seed in 0..300 {
        let records = table(&mut Random::new(seed + 1), true);
        let bytes = csv::write(&records);
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
        let rows: Vec<Vec<String>> =
            reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(rows[0], records.columns);
        let ours: Vec<Vec<String>> = (records.records.iter())
            .map(|record| record.fields.iter().map(|field| field.clone().unwrap_or_default()).collect())
            .collect();
        assert_eq!(rows[1..], ours);
    }
}
