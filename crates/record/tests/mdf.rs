//! MDF 4 files, written as the standard of ASAM says.

mod formats;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use formats::{shown, survives};
use shall_record::mdf::read;
use std::io::Write as _;

/// A file whose blocks are written one after the other.
struct Writer(Vec<u8>);

impl Writer {
    fn new(start: &[u8; 8], version: u16) -> Writer {
        let mut bytes = start.to_vec();
        bytes.extend(b"4.10    test    ");
        bytes.extend([0; 4]);
        bytes.extend(version.to_le_bytes());
        bytes.resize(64, 0);
        // The header comes first; its link is set at the end.
        let mut writer = Writer(bytes);
        writer.block("HD", &[0; 6], &[0; 32]);
        writer
    }

    /// Writes a block and returns its place.
    fn block(&mut self, id: &str, links: &[u64], data: &[u8]) -> u64 {
        self.0.resize(self.0.len().next_multiple_of(8), 0);
        let at = self.0.len() as u64;
        self.0.extend([b"##", id.as_bytes(), &[0; 4]].concat());
        self.0.extend((24 + 8 * links.len() as u64 + data.len() as u64).to_le_bytes());
        self.0.extend((links.len() as u64).to_le_bytes());
        links.iter().for_each(|link| self.0.extend(link.to_le_bytes()));
        self.0.extend(data);
        at
    }

    fn text(&mut self, text: &str) -> u64 {
        let mut data = text.as_bytes().to_vec();
        data.push(0);
        self.block("TX", &[], &data)
    }

    /// A channel: its name, type (2 for the time), data type, place, unit and conversion.
    fn channel(&mut self, next: u64, of: &Channel) -> u64 {
        let name = self.text(of.name);
        let unit = if of.unit.is_empty() { 0 } else { self.text(of.unit) };
        let mut data = vec![of.kind, u8::from(of.kind == 2), of.data, of.bit];
        data.extend(of.byte.to_le_bytes());
        data.extend(of.bits.to_le_bytes());
        data.extend(u32::from(of.invalid.is_some()).wrapping_mul(2).to_le_bytes());
        data.extend(of.invalid.unwrap_or(0).to_le_bytes());
        data.extend([0; 52]);
        self.block("CN", &[next, of.parts, name, 0, of.conversion, 0, unit, 0], &data)
    }

    fn channels(&mut self, channels: &[Channel]) -> u64 {
        channels.iter().rev().fold(0, |next, channel| self.channel(next, channel))
    }

    /// A channel group: its record id, the number of records, and their sizes.
    fn group(&mut self, next: u64, channels: u64, id: u64, count: u64, size: u32, invalid: u32) -> u64 {
        let mut data = id.to_le_bytes().to_vec();
        data.extend(count.to_le_bytes());
        data.extend([0; 8]);
        data.extend(size.to_le_bytes());
        data.extend(invalid.to_le_bytes());
        self.block("CG", &[next, channels, 0, 0, 0, 0], &data)
    }

    fn conversion(&mut self, kind: u8, texts: &[&str], numbers: &[f64]) -> u64 {
        let mut links = vec![0; 4];
        links.extend(
            texts.iter().map(|text| if text.is_empty() { 0 } else { self.text(text) }).collect::<Vec<_>>(),
        );
        let mut data = vec![kind, 0, 0, 0];
        data.extend((texts.len() as u16).to_le_bytes());
        data.extend((numbers.len() as u16).to_le_bytes());
        data.extend([0; 16]);
        numbers.iter().for_each(|number| data.extend(number.to_le_bytes()));
        self.block("CC", &links, &data)
    }

    fn data_group(&mut self, next: u64, group: u64, data: u64, id_size: u8) -> u64 {
        self.block("DG", &[next, group, data, 0], &[id_size, 0, 0, 0, 0, 0, 0, 0])
    }

    /// The file with its first data group.
    fn finish(mut self, first: u64) -> Vec<u8> {
        self.0[88..96].copy_from_slice(&first.to_le_bytes());
        self.0
    }

    fn zipped(&mut self, data: &[u8], columns: usize) -> u64 {
        let rows = data.len() / columns.max(1);
        let turned: Vec<u8> = match columns {
            0 => data.to_vec(),
            _ => {
                let cell = |at: usize| data[at % rows * columns + at / rows];
                (0..rows * columns).map(cell).chain(data[rows * columns..].iter().copied()).collect()
            }
        };
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&turned).expect("compressed");
        let bytes = encoder.finish().expect("compressed");
        let mut head = b"DT".to_vec();
        head.extend([u8::from(columns > 0), 0]);
        head.extend((columns as u32).to_le_bytes());
        head.extend((data.len() as u64).to_le_bytes());
        head.extend((bytes.len() as u64).to_le_bytes());
        head.extend(bytes);
        self.block("DZ", &[], &head)
    }
}

#[derive(Clone, Default)]
struct Channel {
    name: &'static str,
    unit: &'static str,
    kind: u8,
    data: u8,
    byte: u32,
    bit: u8,
    bits: u32,
    invalid: Option<u32>,
    conversion: u64,
    parts: u64,
}

const TIME: Channel = Channel {
    name: "t",
    unit: "s",
    kind: 2,
    data: 4,
    byte: 0,
    bit: 0,
    bits: 64,
    invalid: None,
    conversion: 0,
    parts: 0,
};

fn check(file: &[u8], names: &str, steps: &[&str]) {
    let (found, shown) = shown(read(file).expect("a file")).expect("steps");
    assert_eq!(found.join(", "), names);
    assert_eq!(shown, steps);
}

fn fails(file: &[u8], expected: &str) {
    let error = read(file).and_then(shown).expect_err("not a file").to_string();
    assert!(error.contains(expected), "{error}");
}

/// Two records of each type of number; the data is stored in one of several ways.
fn types(storage: &str) -> Vec<u8> {
    let mut writer = Writer::new(b"MDF     ", 410);
    let linear = writer.conversion(1, &[], &[-1.0, 0.1]);
    let texts = writer.conversion(7, &["off", "on", "broken"], &[0.0, 1.0]);
    let number = Channel { byte: 8, ..Channel::default() };
    let channels = [
        TIME,
        Channel { name: "big", data: 1, bits: 16, ..number.clone() },
        Channel { name: "speed", unit: "km/h", byte: 10, bits: 16, conversion: linear, ..number.clone() },
        Channel { name: "signed", data: 2, byte: 12, bit: 3, bits: 5, ..number.clone() },
        Channel { name: "x", data: 4, byte: 13, bits: 32, ..number.clone() },
        Channel { name: "mode", byte: 17, bits: 8, conversion: texts, ..number.clone() },
        Channel { name: "word", data: 7, byte: 18, bits: 24, ..number.clone() },
        Channel { name: "sure", byte: 17, bits: 8, invalid: Some(1), ..number },
    ];
    let channels = writer.channels(&channels);
    let mut records = Vec::new();
    for (time, big, speed, signed, x, mode, word, invalid) in
        [(0.1, 258_u16, 13_u16, -3_i8, 0.1_f32, 1_u8, b"ab\0", 0_u8), (0.2, 1, 100, 7, 2.5, 9, b"xyz", 2)]
    {
        records.extend(f64::to_le_bytes(time));
        records.extend(big.to_be_bytes());
        records.extend(speed.to_le_bytes());
        records.extend(((signed as u8) << 3 | 5).to_le_bytes());
        records.extend(x.to_le_bytes());
        records.push(mode);
        records.extend(word);
        records.push(invalid);
    }
    let data = match storage {
        "plain" => writer.block("DT", &[], &records),
        "zipped" => writer.zipped(&records, 0),
        "turned" => writer.zipped(&records, 22),
        _ => {
            let (one, other) = records.split_at(30);
            let parts = [writer.zipped(one, 22), writer.block("DT", &[], other)];
            let list = writer.block("DL", &[0, parts[0], parts[1]], &[0; 24]);
            writer.block("HL", &[list], &[0; 8])
        }
    };
    let group = writer.group(0, channels, 0, 2, 21, 1);
    let first = writer.data_group(0, group, data, 0);
    writer.finish(first)
}

#[test]
fn channels_of_each_type() {
    for storage in ["plain", "zipped", "turned", "listed"] {
        check(
            &types(storage),
            "time, big, speed [km/h], signed, x, mode, word, sure",
            &["0.1 258 0.3 -3 0.1 on ab 1", "0.2 1 9 7 2.5 broken xyz the value is marked as invalid"],
        );
    }
}

/// Two groups in one list of records, and a third one of its own with another unit of time.
fn groups() -> Vec<u8> {
    let mut writer = Writer::new(b"MDF     ", 420);
    let value = |name| Channel { name, byte: 8, bits: 8, ..Channel::default() };
    let lists: Vec<u64> = ["a", "b"].iter().map(|name| writer.channels(&[TIME, value(name)])).collect();
    let record = |id: u8, time: f64, value: u8| [vec![id], time.to_le_bytes().to_vec(), vec![value]].concat();
    let records =
        [record(1, 0.0, 1), record(2, 0.5, 7), record(1, 1.0, 2), record(2, 1.0, 8), record(1, 2.0, 3)]
            .concat();
    let data = writer.block("DT", &[], &records);
    let second = writer.group(0, lists[1], 2, 2, 9, 0);
    let first = writer.group(second, lists[0], 1, 3, 9, 0);
    let milliseconds = Channel { unit: "ms", data: 0, bits: 64, ..TIME };
    let channels = writer.channels(&[milliseconds, value("a")]);
    let own = [250_u64.to_le_bytes().to_vec(), vec![9]].concat();
    let own = writer.block("DT", &[], &own);
    let third = writer.group(0, channels, 0, 1, 9, 0);
    let other = writer.data_group(0, third, own, 0);
    let both = writer.data_group(other, first, data, 1);
    writer.finish(both)
}

#[test]
fn groups_are_merged_by_their_times() {
    check(&groups(), "time, a, b, a#2", &["0.5 1 7 9", "1 2 8 9", "2 3 8 9"]);
}

#[test]
fn conversions() {
    for (kind, texts, numbers, expected) in [
        (0, &[][..], &[][..], "0 3 5"),
        (1, &[], &[0.5, 2.0], "0.5 6.5 10.5"),
        // Integers stay exact where doubles do not: 3 * 0.1 is 0.3.
        (1, &[], &[0.0, 0.1], "0 0.3 0.5"),
        (2, &[], &[0.0, 1.0, 1.0, 0.0, 0.0, 2.0], "0.5 2 3"),
        (4, &[], &[0.0, 10.0, 4.0, 20.0], "10 17.5 20"),
        (5, &[], &[0.0, 10.0, 4.0, 20.0], "10 20 20"),
        (6, &[], &[0.0, 2.0, 7.0, 3.0, 4.0, 8.0, -1.0], "7 8 -1"),
        (8, &["low", "high", ""], &[0.0, 2.0, 3.0, 5.0], "low high high"),
        (
            3,
            &[],
            &[],
            "its conversion is not supported its conversion is not supported its conversion is not supported",
        ),
    ] {
        let mut writer = Writer::new(b"MDF     ", 410);
        let conversion = writer.conversion(kind, texts, numbers);
        let channels = writer
            .channels(&[TIME, Channel { name: "x", byte: 8, bits: 8, conversion, ..Channel::default() }]);
        let records: Vec<u8> = [(0.0_f64, 0_u8), (1.0, 3), (2.0, 5)]
            .iter()
            .flat_map(|(time, value)| [time.to_le_bytes().to_vec(), vec![*value]].concat())
            .collect();
        let data = writer.block("DT", &[], &records);
        let group = writer.group(0, channels, 0, 3, 9, 0);
        let first = writer.data_group(0, group, data, 0);
        let (_, steps) = shown(read(&writer.finish(first)).expect("a file")).expect("steps");
        let values: Vec<&str> = steps.iter().filter_map(|step| Some(step.split_once(' ')?.1)).collect();
        assert_eq!(values.join(" "), expected, "conversion {kind}");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    fails(b"a,b\n1,2\n", "not an MDF file");
    fails(&Writer::new(b"UnFinMF ", 410).finish(0), "the recording was not finished");
    fails(&Writer::new(b"MDF     ", 330).finish(0), "version 330 of MDF");
    fails(&Writer::new(b"MDF     ", 410).finish(0), "no group has both a time channel and values");
    fails(
        &Writer::new(b"MDF     ", 410).finish(u64::MAX),
        "block at byte 18446744073709551615: it is outside of the file",
    );
    let short = types("plain");
    let mut cut = short.clone();
    let at = short.windows(4).position(|it| it == b"##CG").expect("a group");
    // The number of records is after six links and the record id.
    cut[at + 24 + 48 + 8] = 9;
    fails(&cut, "2 of 9 records; the file may be cut off");
    let mut writer = Writer::new(b"MDF     ", 410);
    let channels = writer.channels(&[TIME, Channel { name: "x", byte: 8, bits: 64, ..Channel::default() }]);
    let data = writer.block("DT", &[], &[0; 9]);
    let group = writer.group(0, channels, 0, 1, 9, 0);
    let first = writer.data_group(0, group, data, 0);
    fails(&writer.finish(first), "channel `x` is outside of its records of 9 bytes");
    let mut writer = Writer::new(b"MDF     ", 410);
    let group = writer.group(0, 0, 0, 1, 9, 0);
    let data = writer.block("DV", &[], &[]);
    let first = writer.data_group(0, group, data, 0);
    fails(&writer.finish(first), "DV block at byte");
    // A block that refers to itself.
    let mut writer = Writer::new(b"MDF     ", 410);
    let at = writer.data_group(0, 0, 0, 0);
    let mut circle = writer.finish(at);
    let link = at as usize + 24;
    circle[link..link + 8].copy_from_slice(&at.to_le_bytes());
    fails(&circle, "in a circle");
}

#[test]
fn damaged_files_are_errors() {
    for file in [types("listed"), types("plain"), groups()] {
        survives(&file, |bytes| read(bytes).and_then(shown));
    }
}
