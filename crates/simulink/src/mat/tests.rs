//! Data files made here byte by byte, in both orders, whole and broken.

use super::{Data, Limits, read, write};
use crate::value::{Class, Matrix, Value};
use std::io::Write;

/// Makes files of either byte order.
#[derive(Clone, Copy)]
struct Maker {
    big: bool,
}

impl Maker {
    fn word(self, number: u32) -> [u8; 4] {
        if self.big { number.to_be_bytes() } else { number.to_le_bytes() }
    }

    fn element(self, kind: u32, bytes: &[u8]) -> Vec<u8> {
        let mut all = [self.word(kind), self.word(bytes.len() as u32)].concat();
        all.extend(bytes);
        if kind != 15 {
            all.resize(all.len().next_multiple_of(8), 0);
        }
        all
    }

    fn small(self, kind: u32, bytes: &[u8]) -> Vec<u8> {
        let mut all = self.word((bytes.len() as u32) << 16 | kind).to_vec();
        all.extend(bytes);
        all.resize(8, 0);
        all
    }

    fn array(self, flags: u32, dimensions: &[u32], name: &str, rest: &[Vec<u8>]) -> Vec<u8> {
        let mut all = self.element(6, &[self.word(flags), self.word(0)].concat());
        all.extend(
            self.element(5, &dimensions.iter().flat_map(|&size| self.word(size)).collect::<Vec<u8>>()),
        );
        all.extend(if name.len() <= 4 && !name.is_empty() {
            self.small(1, name.as_bytes())
        } else {
            self.element(1, name.as_bytes())
        });
        all.extend(rest.concat());
        self.element(14, &all)
    }

    fn file(self, arrays: &[Vec<u8>]) -> Vec<u8> {
        let mut all = b"MATLAB 5.0 MAT-file".to_vec();
        all.resize(124, b' ');
        all.extend(if self.big { *b"\x01\x00MI" } else { *b"\x00\x01IM" });
        all.extend(arrays.concat());
        all
    }
}

const LITTLE: Maker = Maker { big: false };
const BIG: Maker = Maker { big: true };

fn all(bytes: &[u8]) -> Data {
    read(bytes, Limits::default()).expect("a file")
}

fn message(bytes: &[u8], limits: Limits) -> String {
    read(bytes, limits).expect_err("an error").message
}

#[test]
fn both_byte_orders_and_all_classes() {
    for maker in [LITTLE, BIG] {
        let shorts: Vec<u8> = [1u16, 65535]
            .iter()
            .flat_map(|&n| maker.word(u32::from(n) << if maker.big { 16 } else { 0 })[..2].to_vec())
            .collect();
        let file = maker.file(&[
            maker.array(6, &[1, 2], "w", &[maker.small(2, &[3, 200])]),
            maker.array(9 | 0x0200, &[1, 1], "flag", &[maker.small(2, &[1])]),
            maker.array(10, &[2, 1], "shorts", &[maker.small(3, &shorts)]),
            maker.array(4, &[1, 2], "text", &[maker.small(16, b"ab")]),
            maker.array(
                1,
                &[1, 2],
                "cells",
                &[maker.array(4, &[1, 1], "", &[maker.small(16, b"x")]), maker.element(14, &[])],
            ),
            maker.array(
                2,
                &[1, 1],
                "s",
                &[
                    maker.small(5, &maker.word(4)),
                    maker.element(1, b"a\0\0\0bc\0\0"),
                    maker.array(6, &[1, 1], "", &[maker.small(2, &[7])]),
                    maker.array(6, &[0, 0], "", &[maker.element(9, &[])]),
                ],
            ),
        ]);
        let data = all(&file);
        assert_eq!(data.refused, vec![]);
        let numbers = |class, dimensions: &[usize], entries: &[f64]| {
            Value::Matrix(Matrix { dimensions: dimensions.to_vec(), class, entries: entries.to_vec() })
        };
        let empty = numbers(Class::Double, &[0, 0], &[]);
        let want = [
            ("w", numbers(Class::Double, &[1, 2], &[3.0, 200.0])),
            ("flag", numbers(Class::Boolean, &[1, 1], &[1.0])),
            ("shorts", numbers(Class::Integer(16, true), &[2, 1], &[1.0, -1.0])),
            ("text", Value::Text("ab".into())),
            ("cells", Value::Cell(vec![Value::Text("x".into()), empty.clone()])),
            ("s", Value::Struct(vec![("a".into(), Value::scalar(7.0)), ("bc".into(), empty)])),
        ];
        let want: Vec<(String, Value)> =
            want.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        assert_eq!(data.variables, want);
    }
}

#[test]
fn what_is_not_supported_is_refused_by_name_and_the_rest_is_read() {
    let one = |name: &str| LITTLE.array(6, &[1, 1], name, &[LITTLE.small(2, &[1])]);
    let file = LITTLE.file(&[
        one("a"),
        LITTLE.array(5, &[1, 1], "sparse", &[LITTLE.element(9, &[])]),
        LITTLE.array(6 | 0x0800, &[1, 1], "complex", &[LITTLE.small(2, &[1]), LITTLE.small(2, &[1])]),
        LITTLE.array(16, &[1, 1], "handle", &[]),
        one("b"),
    ]);
    let data = all(&file);
    assert_eq!(data.variables.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    let refused: Vec<String> = data.refused.iter().map(ToString::to_string).collect();
    assert_eq!(refused[0], "`sparse`: a sparse matrix is not supported (byte 184)");
    assert_eq!(refused.len(), 3);
}

#[test]
fn compressed_elements_within_the_limit() {
    let squeeze = |bytes: &[u8]| {
        let mut encoder = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::best());
        encoder.write_all(bytes).expect("memory");
        LITTLE.element(15, &encoder.finish().expect("memory"))
    };
    let zeros = LITTLE.array(6, &[1, 100_000], "zeros", &[LITTLE.element(9, &vec![0; 800_000])]);
    let file = LITTLE.file(&[squeeze(&zeros), squeeze(&zeros)]);
    assert!(file.len() < 4000);
    assert_eq!(all(&file).variables.len(), 2);
    let small = Limits { inflated: 1_000_000, ..Limits::default() };
    assert!(message(&file, small).starts_with("compressed elements exceed"));
    let mut damaged = file.clone();
    damaged[140] ^= 0xff;
    assert!(read(&damaged, Limits::default()).is_err());
}

#[test]
fn small_numbers_grow_within_the_limit() {
    let bytes = LITTLE.array(9, &[1, 1000], "x", &[LITTLE.element(2, &[7; 1000])]);
    let file = LITTLE.file(&[bytes.clone(), bytes]);
    let within = |inflated: usize| Limits { inflated, ..Limits::default() };
    assert!(read(&file, within(14_000)).is_ok());
    assert!(message(&file, within(13_999)).starts_with("the numbers of the file exceed"));
}

#[test]
fn hostile_files_are_errors() {
    let one = LITTLE.array(6, &[1, 1], "a", &[LITTLE.small(2, &[1])]);
    let nested = (0..40).fold(one.clone(), |inner, _| LITTLE.array(1, &[1, 1], "", &[inner]));
    let cases: [(Vec<u8>, &str); 8] = [
        (vec![], "this is not a MATLAB data file"),
        (b"\x89HDF\r\n\x1a\n".to_vec(), "this is a data file of version 7.3"),
        (vec![0; 128], "this is not a MATLAB data file"),
        (
            LITTLE.file(&[LITTLE.array(6, &[u32::MAX >> 1, 2], "a", &[LITTLE.small(2, &[1])])]),
            "an array of size",
        ),
        (LITTLE.file(&[LITTLE.array(1, &[1 << 30, 1 << 30], "a", &[])]), "a cell array of size"),
        (LITTLE.file(&[[LITTLE.word(14), LITTLE.word(u32::MAX)].concat()]), "the file ends"),
        (LITTLE.file(&[nested]), "cells and structs are nested"),
        (LITTLE.file(&[LITTLE.small(3, &[1, 2])]), "expected an array, found an element of type 3"),
    ];
    for (bytes, want) in cases {
        let found = message(&bytes, Limits::default());
        assert!(found.starts_with(want), "{found} is not {want}");
    }
    let file = LITTLE.file(&[one]);
    for end in 129..file.len() {
        assert!(read(&file[..end], Limits::default()).is_err(), "{end}");
    }
}

#[test]
fn matrices_survive_the_round_trip() {
    let matrices = [
        (
            "time".to_string(),
            Matrix { dimensions: vec![3, 1], class: Class::Double, entries: vec![0.0, 0.1, -0.0] },
        ),
        (
            "a_long_name_1".to_string(),
            Matrix {
                dimensions: vec![1, 2, 2],
                class: Class::Double,
                entries: vec![f64::MAX, f64::INFINITY, 1e-300, 3.0],
            },
        ),
        ("e".to_string(), Matrix { dimensions: vec![0, 4], class: Class::Double, entries: vec![] }),
    ];
    let bytes = write(&matrices).expect("bytes");
    let back: Vec<(String, Matrix)> = all(&bytes)
        .variables
        .into_iter()
        .map(|(name, value)| (name, value.matrix().expect("numbers").clone()))
        .collect();
    assert_eq!(back, matrices);
    assert_eq!(bytes.len() % 8, 0);
    for name in ["", "1a", "a b", "ä"] {
        assert!(write(&[(name.to_string(), Matrix::scalar(1.0))]).is_err(), "{name}");
    }
    assert!(write(&[("a".to_string(), Matrix { dimensions: vec![2, 2], ..Matrix::scalar(1.0) })]).is_err());
}
