//! MCAP files, written as <https://mcap.dev/spec> says.

mod formats;

use formats::{shown, survives};
use shall_record::mcap::read;

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn text(mut self, text: &str) -> Writer {
        self.0.extend((text.len() as u32).to_le_bytes());
        self.0.extend(text.as_bytes());
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Writer {
        self.0.extend(bytes);
        self
    }

    /// The bytes as a record with a code.
    fn record(self, code: u8) -> Vec<u8> {
        let mut record = vec![code];
        record.extend((self.0.len() as u64).to_le_bytes());
        record.extend(self.0);
        record
    }
}

fn schema(id: u16, name: &str, encoding: &str, text: &str) -> Vec<u8> {
    Writer::default().bytes(&id.to_le_bytes()).text(name).text(encoding).text(text).record(3)
}

fn channel(id: u16, schema: u16, topic: &str, encoding: &str) -> Vec<u8> {
    let head = Writer::default().bytes(&id.to_le_bytes()).bytes(&schema.to_le_bytes());
    head.text(topic).text(encoding).bytes(&0_u32.to_le_bytes()).record(4)
}

fn message(channel: u16, time: u64, data: &[u8]) -> Vec<u8> {
    let head = Writer::default().bytes(&channel.to_le_bytes()).bytes(&1_u32.to_le_bytes());
    head.bytes(&time.to_le_bytes()).bytes(&time.to_le_bytes()).bytes(data).record(5)
}

fn chunk(compression: &str, records: &[u8]) -> Vec<u8> {
    let data = match compression {
        "lz4" => {
            let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
            std::io::Write::write_all(&mut encoder, records).expect("compressed");
            encoder.finish().expect("compressed")
        }
        "zstd" => ruzstd::encoding::compress_to_vec(records, ruzstd::encoding::CompressionLevel::Fastest),
        _ => records.to_vec(),
    };
    let head = Writer::default().bytes(&[0; 16]).bytes(&(records.len() as u64).to_le_bytes());
    let head = head.bytes(&crc32fast::hash(records).to_le_bytes()).text(compression);
    head.bytes(&(data.len() as u64).to_le_bytes()).bytes(&data).record(6)
}

fn file(records: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"\x89MCAP0\r\n".to_vec();
    file.extend(Writer::default().text("").text("test").record(1));
    file.extend(records.concat());
    file.extend(Writer::default().bytes(&[0; 4]).record(0x0f));
    file.extend(Writer::default().bytes(&[0; 20]).record(2));
    file.extend(b"\x89MCAP0\r\n");
    file
}

fn check(file: &[u8], names: &str, steps: &[&str]) {
    let (found, shown) = shown(read(file).expect("a file")).expect("steps");
    assert_eq!(found.join(", "), names);
    assert_eq!(shown, steps);
}

fn fails(file: &[u8], expected: &str) {
    let error = read(file).and_then(shown).expect_err("not a file").to_string();
    assert!(error.contains(expected), "{error}");
}

const TANK: &str = "# A tank.\nuint8 FULL=3\nstd_msgs/Header header\nstring<=8 mode\nfloat64 level\nbool[] valves\nPoint[2] ends\nint16 delta 4\nuint64 big\n\
    ================================================================================\nMSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n\
    ================================================================================\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n\
    ================================================================================\nMSG: tank_msgs/Point\nfloat32 x\nfloat32 y\n";

/// A message in CDR, with its padding.
fn tank(sec: i32, mode: &str, level: f64, delta: i16) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let pad = |out: &mut Vec<u8>, size: usize| out.resize(out.len().next_multiple_of(size), 0);
    out.extend(sec.to_le_bytes());
    out.extend(7_u32.to_le_bytes());
    for text in ["map", mode] {
        pad(&mut out, 4);
        out.extend((text.len() as u32 + 1).to_le_bytes());
        out.extend(text.as_bytes());
        out.push(0);
    }
    pad(&mut out, 8);
    out.extend(level.to_le_bytes());
    out.extend(3_u32.to_le_bytes());
    out.extend([1, 0, 1]);
    pad(&mut out, 4);
    for number in [1.0_f32, 2.0, 3.0, 4.0] {
        out.extend(number.to_le_bytes());
    }
    out.extend(delta.to_le_bytes());
    pad(&mut out, 8);
    out.extend(u64::MAX.to_le_bytes());
    [vec![0, 1, 0, 0], out].concat()
}

fn bag(compression: &str) -> Vec<u8> {
    let records = [
        schema(1, "tank_msgs/msg/Tank", "ros2msg", TANK),
        channel(1, 1, "/tank", "cdr"),
        channel(2, 0, "/alarm", "json"),
        message(1, 10, &tank(5, "idle", 0.1, -3)),
        message(2, 15, br#"{"on": false, "cause": {"code": 2, "list": [1]}}"#),
        message(1, 20, &tank(6, "run", 80.5, 4)),
        message(2, 20, br#"{"on": true, "cause": {"code": 2.5}}"#),
    ];
    match compression {
        "none" => file(&records),
        _ => file(&[chunk(compression, &records[..4].concat()), chunk(compression, &records[4..].concat())]),
    }
}

#[test]
fn messages_of_ros_2_and_json_are_steps() {
    for compression in ["none", "", "lz4", "zstd"] {
        check(
            &bag(compression),
            "time, /tank.header.stamp.sec, /tank.header.stamp.nanosec, /tank.header.frame_id, /tank.mode, /tank.level, /tank.delta, /tank.big, /alarm.on, /alarm.cause.code",
            &[
                "15 5 7 map idle 0.1 -3 18446744073709551615 false 2",
                "20 6 7 map run 80.5 4 18446744073709551615 true 2.5",
            ],
        );
    }
}

#[test]
fn messages_of_ros_1_have_no_padding() {
    let text = "time stamp\nbyte small\nstring name\nfloat32 x\n";
    let mut data = Vec::new();
    data.extend(1_u32.to_le_bytes());
    data.extend(2_u32.to_le_bytes());
    data.push(0xff);
    data.extend(3_u32.to_le_bytes());
    data.extend(b"abc");
    data.extend(0.1_f32.to_le_bytes());
    let records = [schema(1, "p/T", "ros1msg", text), channel(1, 1, "/t", "ros1"), message(1, 3, &data)];
    let names = "time, /t.stamp.sec, /t.stamp.nanosec, /t.small, /t.name, /t.x";
    check(&file(&records), names, &["3 1 2 -1 abc 0.1"]);
}

#[test]
fn fields_that_are_missing_or_change_their_type_have_no_value() {
    let json = |time: u64, text: &str| message(1, time, text.as_bytes());
    let records = [
        channel(1, 0, "/a", "json"),
        json(1, r#"{"x": 1, "y": true}"#),
        json(2, r#"{"x": 1.5, "y": 3}"#),
        json(3, r#"{"y": true}"#),
    ];
    let missing = "the message does not have the field";
    let changed = "the value has another type than those before";
    let steps = ["1 1 true".to_owned(), format!("2 1.5 {changed}"), format!("3 {missing} {changed}")];
    check(&file(&records), "time, /a.x, /a.y", &steps.each_ref().map(String::as_str));
}

#[test]
fn what_cannot_be_read_is_named() {
    fails(b"a,b\n1,2\n", "not an MCAP file");
    let bag = bag("none");
    fails(&bag[..bag.len() - 60], "the file is cut off");
    // Without the record that ends the data, the footer and the end of the file.
    fails(&bag[..bag.len() - 13 - 29 - 8], "the recording was not finished");
    let whole = file(&[]);
    fails(&whole, "no signals with values");
    let proto = [schema(1, "T", "protobuf", ""), channel(1, 1, "/p", "protobuf"), message(1, 1, b"x")];
    fails(&file(&proto), "no messages can be read: `/p` (protobuf, protobuf)");
    let broken = [channel(1, 0, "/a", "json"), message(1, 1, b"{")];
    fails(&file(&broken), "the message is not JSON");
    let unknown = [schema(1, "p/T", "ros2msg", "q/Other x\n"), channel(1, 1, "/t", "cdr")];
    fails(&file(&unknown), "a type without a definition: `q/Other x`");
    let circle = "A a\n====================\nMSG: p/A\nA a\n";
    fails(&file(&[schema(1, "p/T", "ros2msg", circle), channel(1, 1, "/t", "cdr")]), "contain themselves");
    let short = [
        schema(1, "p/T", "ros2msg", "float64 x\n"),
        channel(1, 1, "/t", "cdr"),
        message(1, 1, &[0, 1, 0, 0, 9]),
    ];
    fails(&file(&short), "8 bytes are needed where 1 are left");
    let many = [
        schema(1, "p/T", "ros2msg", "float64[] x\n"),
        channel(1, 1, "/t", "cdr"),
        message(1, 1, &[0, 1, 0, 0, 255, 255, 255, 255]),
    ];
    fails(&file(&many), "`x` has 4294967295 elements");
    let huge = [&b"\x89MCAP0\r\n"[..], &[6], &u64::MAX.to_le_bytes()].concat();
    fails(&huge, "record at byte 8: it has 18446744073709551615 bytes");
    let mut flipped = self::bag("");
    let at = flipped.len() / 2;
    flipped[at] ^= 8;
    assert!(read(&flipped[..]).is_err());
}

#[test]
fn damaged_files_are_errors() {
    for compression in ["none", "zstd"] {
        survives(&bag(compression), |bytes| read(bytes).and_then(shown));
    }
}
