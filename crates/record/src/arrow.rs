//! Arrow data: one step for each row of its record batches, in memory or from a file (IPC, also called Feather). Only the columns that are
//! used are looked at.
//!
//! Columns inside structures have dotted names; lists have no single value per row and are left out. Decimals are exact, integers are as they are,
//! and a timestamp is a number in its unit.

use crate::bulk::Rows;
use crate::cell::Cell;
use crate::columns::{BLOCK, Block};
use crate::reader::{Malformed, Mark, Reader, Signal, Time, TimeUnit, filled, wrong};
use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal128Type, DurationMicrosecondType, DurationMillisecondType,
    DurationNanosecondType, DurationSecondType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::NullBuffer;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType, Fields, Schema, SchemaRef, TimeUnit as Unit};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use logic::Sort;
use std::io::{BufReader, Read, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The most structures inside each other.
const MAX_DEPTH: usize = 32;
/// The first rows that tell whether numbers are 0 and 1 alone.
const FIRST_ROWS: usize = 1000;
/// How a file begins; a stream of batches does not.
const MAGIC: &[u8] = b"ARROW1";

/// A table in memory: record batches of one schema.
#[derive(Debug, Clone)]
pub struct Frame {
    schema: SchemaRef,
    batches: Arc<[RecordBatch]>,
}

impl Frame {
    /// A table of record batches.
    pub fn new(schema: SchemaRef, batches: impl IntoIterator<Item = RecordBatch>) -> Frame {
        Frame { schema, batches: batches.into_iter().collect() }
    }

    /// Reads the table from its first row.
    ///
    /// # Errors
    /// Two columns have the same name.
    pub fn reader(&self) -> Result<Arrow, Malformed> {
        Arrow::new(&self.schema, Batches::Table(self.batches.clone(), 0))
    }
}

/// Bytes that can be read from any place.
trait Bytes: Read + Seek {}

impl<T: Read + Seek> Bytes for T {}

type Input = BufReader<Box<dyn Bytes>>;

/// Record batches one after the other.
enum Batches {
    /// With the number of the next one.
    Table(Arc<[RecordBatch]>, usize),
    File(FileReader<Input>),
    Stream(StreamReader<Input>),
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Batches::Table(batches, next) => {
                *next += 1;
                batches.get(*next - 1).cloned().map(Ok)
            }
            Batches::File(file) => file.next(),
            Batches::Stream(stream) => stream.next(),
        }
    }
}

/// Arrow data.
pub struct Arrow {
    batches: Batches,
    /// How many batches have been read.
    count: usize,
    signals: Vec<Signal>,
    /// Where each signal is: the column, and the fields of structures inside it.
    paths: Vec<Vec<usize>>,
    time: Option<Time>,
    selected: Vec<Option<usize>>,
    /// The current batch, and its next row.
    batch: Option<RecordBatch>,
    next: usize,
    broken: Option<Malformed>,
}

impl From<ArrowError> for Malformed {
    fn from(error: ArrowError) -> Malformed {
        wrong(format!("not readable Arrow data: {error}"))
    }
}

/// Runs code of a library that may panic on bytes that are not as they should be.
fn guarded<T>(run: impl FnOnce() -> Result<T, Malformed>) -> Result<T, Malformed> {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| Err(wrong("not readable Arrow data: its lengths contradict each other")))
}

impl Arrow {
    /// Reads the schema of a file or a stream in the format for interprocess communication (`.arrow`, `.feather`).
    ///
    /// # Errors
    /// It is neither, or its schema is wrong.
    pub fn open<R: Read + Seek + 'static>(mut input: R) -> Result<Arrow, Malformed> {
        let mut magic = Vec::new();
        input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic)?;
        input.rewind()?;
        let input = BufReader::with_capacity(1 << 18, Box::new(input) as Box<dyn Bytes>);
        guarded(|| {
            let (schema, batches) = if magic == MAGIC {
                let file = FileReader::try_new(input, None)?;
                (file.schema(), Batches::File(file))
            } else {
                let stream = StreamReader::try_new(input, None)?;
                (stream.schema(), Batches::Stream(stream))
            };
            Arrow::new(&schema, batches)
        })
    }

    fn new(schema: &Schema, batches: Batches) -> Result<Arrow, Malformed> {
        let mut leaves = Vec::new();
        collect(schema.fields(), "", &mut Vec::new(), &mut leaves);
        let mut arrow = Arrow {
            batches,
            count: 0,
            signals: Vec::new(),
            paths: Vec::new(),
            time: None,
            selected: Vec::new(),
            batch: None,
            next: 0,
            broken: None,
        };
        arrow.advance()?;
        for (name, path, kind) in leaves {
            if arrow.signals.iter().any(|known| known.name == name) {
                return Err(wrong(format!("the name `{name}` is used twice")));
            }
            let unit = stamp(&kind);
            let first = arrow.batch.as_ref().and_then(|batch| at(batch, &path));
            let sort = first.as_ref().map_or_else(|| sort(&kind), sort_of);
            let is_named =
                || sort == Sort::Real && Time::is_usual(&name) && first.as_ref().is_some_and(ascends);
            if arrow.time.is_none() && (unit.is_some() || is_named()) {
                let unit = unit.or_else(|| TimeUnit::of_name(&name)).unwrap_or(TimeUnit::Second);
                arrow.time = Some(Time { column: arrow.signals.len(), is_date: false, unit });
            }
            arrow.signals.push(Signal { name, unit: None, sort });
            arrow.paths.push(path);
        }
        Ok(arrow)
    }

    /// Goes to the next batch that has rows, if there is one.
    fn advance(&mut self) -> Result<(), Malformed> {
        self.next = 0;
        loop {
            self.batch = guarded(|| Ok(self.batches.next().transpose()?))?;
            self.count += 1;
            if self.batch.as_ref().is_none_or(|batch| batch.num_rows() > 0) {
                return Ok(());
            }
        }
    }

    fn rows(&mut self, block: &mut Block) -> Result<(), Malformed> {
        while block.rows < BLOCK {
            let Some(batch) = &self.batch else { break };
            let count = (batch.num_rows() - self.next).min(BLOCK - block.rows);
            let (start, row) = (block.start + block.rows as u64, block.rows);
            for (column, selected) in block.columns.iter_mut().zip(&self.selected) {
                let Some(signal) = *selected else { continue };
                let array = at(batch, &self.paths[signal])
                    .ok_or_else(|| wrong(format!("a batch has no column `{}`", self.signals[signal].name)))?;
                let array = array.slice(self.next, count);
                let name = &self.signals[signal].name;
                let place = |offset: usize| format!("row {}, column `{name}`", start + offset as u64 + 1);
                put(&mut Rows { column, row, step: start, place: &place }, &array);
            }
            block.rows += count;
            self.next += count;
            if self.next == batch.num_rows() {
                self.advance()?;
            }
        }
        Ok(())
    }
}

impl Reader for Arrow {
    fn signals(&self) -> &[Signal] {
        &self.signals
    }

    fn time(&self) -> Option<Time> {
        self.time
    }

    fn select(&mut self, columns: &[Option<usize>]) {
        self.selected = columns.to_vec();
    }

    fn fill(&mut self, block: &mut Block) -> Result<usize, Malformed> {
        block.advance();
        if self.broken.is_none() {
            self.broken = self.rows(block).err();
        }
        filled(block, self.broken.as_ref())
    }

    fn mark(&self, block: &Block) -> Option<Mark> {
        let is_within = self.batch.is_some() && !matches!(self.batches, Batches::Stream(_));
        let (step, offset) = (block.start + block.rows as u64, self.count as u64 - 1);
        is_within.then_some(Mark { step, offset, lines: self.next as u64 })
    }

    fn go_to(&mut self, mark: Mark, block: &mut Block) -> Result<(), Malformed> {
        let number = mark.offset as usize;
        if number + 1 != self.count {
            match &mut self.batches {
                Batches::Table(_, next) => *next = number,
                Batches::File(file) => file.set_index(number)?,
                Batches::Stream(_) => return Err(wrong("the steps of a stream have no places")),
            }
            self.count = number;
            self.advance()?;
        }
        self.next = mark.lines as usize;
        (block.start, block.rows, self.broken) = (mark.step, 0, None);
        Ok(())
    }
}

/// The columns with their dotted names, those of structures one by one.
fn collect(
    fields: &Fields,
    parent: &str,
    path: &mut Vec<usize>,
    leaves: &mut Vec<(String, Vec<usize>, DataType)>,
) {
    for (at, field) in fields.iter().enumerate() {
        let name =
            if parent.is_empty() { field.name().clone() } else { format!("{parent}.{}", field.name()) };
        path.push(at);
        match field.data_type() {
            DataType::Struct(fields) if path.len() < MAX_DEPTH => collect(fields, &name, path, leaves),
            DataType::Struct(_)
            | DataType::List(_)
            | DataType::LargeList(_)
            | DataType::FixedSizeList(..)
            | DataType::ListView(_)
            | DataType::LargeListView(_)
            | DataType::Map(..) => {}
            kind => leaves.push((name, path.clone(), kind.clone())),
        }
        path.pop();
    }
}

/// The array of a signal in a batch. A structure that is null makes all its fields null.
fn at(batch: &RecordBatch, path: &[usize]) -> Option<ArrayRef> {
    let (first, rest) = path.split_first()?;
    let mut array = batch.columns().get(*first)?.clone();
    for field in rest {
        let parent = array.as_struct_opt()?;
        let child = parent.columns().get(*field)?.clone();
        array = match parent.nulls() {
            None => child,
            Some(nulls) => {
                let nulls = NullBuffer::union(Some(nulls), child.nulls());
                let data = child.to_data().into_builder().nulls(nulls).build().ok()?;
                arrow_array::make_array(data)
            }
        };
    }
    Some(array)
}

/// What a column of a type has.
fn sort(kind: &DataType) -> Sort {
    match kind {
        DataType::Boolean => Sort::Bool,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Sort::Enum,
        DataType::Dictionary(_, values) => sort(values),
        _ => Sort::Real,
    }
}

/// What the first rows of a column have; numbers that are 0 or 1 alone may be Booleans.
fn sort_of(array: &ArrayRef) -> Sort {
    let first = array.slice(0, array.len().min(FIRST_ROWS));
    let is_bit = match array.data_type() {
        DataType::Int8 => first.as_primitive::<Int8Type>().values().iter().all(|it| matches!(it, 0 | 1)),
        DataType::Int32 => first.as_primitive::<Int32Type>().values().iter().all(|it| matches!(it, 0 | 1)),
        DataType::Int64 => first.as_primitive::<Int64Type>().values().iter().all(|it| matches!(it, 0 | 1)),
        DataType::UInt8 => first.as_primitive::<UInt8Type>().values().iter().all(|it| matches!(it, 0 | 1)),
        DataType::Float64 => {
            first.as_primitive::<Float64Type>().values().iter().all(|it| *it == 0.0 || *it == 1.0)
        }
        _ => false,
    };
    if is_bit { Sort::Any } else { sort(array.data_type()) }
}

/// Whether the first rows of a column ascend, as those of a time do.
fn ascends(array: &ArrayRef) -> bool {
    let first = array.slice(0, array.len().min(FIRST_ROWS));
    match array.data_type() {
        DataType::Int32 => first.as_primitive::<Int32Type>().values().is_sorted(),
        DataType::Int64 => first.as_primitive::<Int64Type>().values().is_sorted(),
        DataType::UInt64 => first.as_primitive::<UInt64Type>().values().is_sorted(),
        DataType::Float32 => first.as_primitive::<Float32Type>().values().is_sorted(),
        DataType::Float64 => first.as_primitive::<Float64Type>().values().is_sorted(),
        _ => false,
    }
}

/// The unit of a column of timestamps.
fn stamp(kind: &DataType) -> Option<TimeUnit> {
    let DataType::Timestamp(unit, _) = kind else { return None };
    Some(match unit {
        Unit::Second => TimeUnit::Second,
        Unit::Millisecond => TimeUnit::Millisecond,
        Unit::Microsecond => TimeUnit::Microsecond,
        Unit::Nanosecond => TimeUnit::Nanosecond,
    })
}

/// Puts the cells of an array, up to the first null.
fn put(rows: &mut Rows, array: &ArrayRef) {
    let nulls = array.logical_nulls().filter(|nulls| nulls.null_count() > 0);
    let valid = nulls.and_then(|nulls| (0..nulls.len()).find(|&row| nulls.is_null(row)));
    match valid {
        None => whole(rows, array),
        Some(valid) => {
            whole(rows, &array.slice(0, valid));
            rows.put(valid, Cell::Missing("there is no value (null)"));
        }
    }
}

/// Puts the cells of an array without nulls.
fn whole(rows: &mut Rows, array: &ArrayRef) {
    macro_rules! integers {
        ($type:ty) => {
            rows.integers(array.as_primitive::<$type>().values())
        };
    }
    match array.data_type() {
        _ if array.is_empty() => {}
        DataType::Boolean => {
            let bits = array.as_boolean().values().bit_chunks();
            rows.truths(bits.iter_padded(), array.len());
        }
        DataType::Int8 => integers!(Int8Type),
        DataType::Int16 => integers!(Int16Type),
        DataType::Int32 => integers!(Int32Type),
        DataType::Int64 => integers!(Int64Type),
        DataType::UInt8 => integers!(UInt8Type),
        DataType::UInt16 => integers!(UInt16Type),
        DataType::UInt32 => integers!(UInt32Type),
        DataType::UInt64 => rows.each(array.as_primitive::<UInt64Type>().values(), Cell::Natural),
        DataType::Float32 => rows.each(array.as_primitive::<Float32Type>().values(), Cell::Single),
        DataType::Float64 => rows.shared(array.as_primitive::<Float64Type>().values()),
        DataType::Date32 => integers!(Date32Type),
        DataType::Date64 => integers!(Date64Type),
        DataType::Timestamp(Unit::Second, _) => integers!(TimestampSecondType),
        DataType::Timestamp(Unit::Millisecond, _) => integers!(TimestampMillisecondType),
        DataType::Timestamp(Unit::Microsecond, _) => integers!(TimestampMicrosecondType),
        DataType::Timestamp(Unit::Nanosecond, _) => integers!(TimestampNanosecondType),
        DataType::Duration(Unit::Second) => integers!(DurationSecondType),
        DataType::Duration(Unit::Millisecond) => integers!(DurationMillisecondType),
        DataType::Duration(Unit::Microsecond) => integers!(DurationMicrosecondType),
        DataType::Duration(Unit::Nanosecond) => integers!(DurationNanosecondType),
        DataType::Decimal128(_, scale) => {
            let (power, is_whole) = (UBig::from(10_u8).pow(usize::from(scale.unsigned_abs())), *scale < 0);
            for (offset, value) in array.as_primitive::<Decimal128Type>().values().iter().enumerate() {
                let value = IBig::from(*value);
                let number = match is_whole {
                    true => RBig::from(value * IBig::from(power.clone())),
                    false => RBig::from_parts(value, power.clone()),
                };
                rows.number(offset, &number);
            }
        }
        DataType::Utf8 => texts(rows, array.as_string::<i32>().iter()),
        DataType::LargeUtf8 => texts(rows, array.as_string::<i64>().iter()),
        DataType::Utf8View => texts(rows, array.as_string_view().iter()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let (keys, values) = (dictionary.normalized_keys(), dictionary.values());
            match values.data_type() {
                DataType::Utf8 => chosen(rows, &keys, |key| values.as_string::<i32>().value(key)),
                DataType::LargeUtf8 => chosen(rows, &keys, |key| values.as_string::<i64>().value(key)),
                DataType::Utf8View => chosen(rows, &keys, |key| values.as_string_view().value(key)),
                other => unsupported(rows, other),
            }
        }
        other => unsupported(rows, other),
    }
}

fn texts<'a>(rows: &mut Rows, texts: impl Iterator<Item = Option<&'a str>>) {
    for (offset, text) in texts.enumerate() {
        rows.put(offset, Cell::Text(text.unwrap_or_default()));
    }
}

fn chosen<'a>(rows: &mut Rows, keys: &[usize], text: impl Fn(usize) -> &'a str) {
    for (offset, &key) in keys.iter().enumerate() {
        rows.put(offset, Cell::Text(text(key)));
    }
}

fn unsupported(rows: &mut Rows, kind: &DataType) {
    rows.put(0, Cell::Missing(&format!("values of the type {kind} are not supported")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Kind};
    use arrow_array::{
        BooleanArray, Decimal128Array, DictionaryArray, Float64Array, Int64Array, StringArray, StructArray,
        TimestampMicrosecondArray,
    };
    use arrow_ipc::CompressionType;
    use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
    use logic::Value;
    use std::io::Cursor;

    const ROWS: usize = BLOCK + 100;

    /// Two batches with a null in the column `hole`.
    fn batches() -> Vec<RecordBatch> {
        [0..1000, 1000..ROWS].into_iter().map(batch).collect()
    }

    fn batch(rows: std::ops::Range<usize>) -> RecordBatch {
        let of = |value: &dyn Fn(usize) -> f64| rows.clone().map(value).collect::<Vec<f64>>();
        let x: ArrayRef = Arc::new(Float64Array::from(of(&|row| row as f64 / 8.0 + 0.1)));
        let inner =
            StructArray::from(vec![(Arc::new(arrow_schema::Field::new("x", DataType::Float64, false)), x)]);
        let prices: Vec<i128> = rows.clone().map(|row| row as i128 - 50).collect();
        let names = rows.clone().map(|row| if row % 2 == 0 { "run" } else { "idle" });
        let dictionary: DictionaryArray<Int32Type> = names.clone().collect();
        let stamps: Vec<i64> = rows.clone().map(|row| row as i64 * 10).collect();
        let bits: Vec<i64> = rows.clone().map(|row| row as i64 % 2).collect();
        let holes: Vec<Option<f64>> = rows.clone().map(|row| (row != 70).then_some(1.5)).collect();
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("ts", Arc::new(TimestampMicrosecondArray::from(stamps))),
            ("on", Arc::new(rows.clone().map(|row| Some(row % 3 == 0)).collect::<BooleanArray>())),
            ("inner", Arc::new(inner)),
            (
                "price",
                Arc::new(Decimal128Array::from(prices).with_precision_and_scale(18, 2).expect("a scale")),
            ),
            ("mode", Arc::new(names.map(Some).collect::<StringArray>())),
            ("word", Arc::new(dictionary)),
            ("hole", Arc::new(Float64Array::from(holes))),
            ("bit", Arc::new(Int64Array::from(bits))),
        ];
        RecordBatch::try_from_iter(columns).expect("a batch")
    }

    fn file(compression: Option<CompressionType>) -> Vec<u8> {
        let batches = batches();
        let options = IpcWriteOptions::default().try_with_compression(compression).expect("options");
        let mut writer =
            FileWriter::try_new_with_options(Vec::new(), &batches[0].schema(), options).expect("a writer");
        batches.iter().for_each(|batch| writer.write(batch).expect("written"));
        writer.into_inner().expect("written")
    }

    fn stream() -> Vec<u8> {
        let batches = batches();
        let mut writer = StreamWriter::try_new(Vec::new(), &batches[0].schema()).expect("a writer");
        batches.iter().for_each(|batch| writer.write(batch).expect("written"));
        writer.into_inner().expect("written")
    }

    /// Reads all columns: their flaws, and the error at the end.
    fn read(mut arrow: Arrow, check: &mut dyn FnMut(&Block)) -> Result<(usize, Vec<String>), Malformed> {
        let kind = |sort: Sort| match sort {
            Sort::Bool | Sort::Any => Kind::Truth,
            Sort::Enum => Kind::Name,
            Sort::Int | Sort::Real => Kind::Number,
        };
        let inputs: Vec<Input> =
            arrow.signals().iter().map(|it| Input { name: it.name.clone(), kind: kind(it.sort) }).collect();
        arrow.select(&(0..inputs.len()).map(Some).collect::<Vec<_>>());
        let mut block = Block::new(&inputs);
        let mut count = 0;
        while arrow.fill(&mut block)? > 0 {
            count += block.rows;
            check(&block);
        }
        let flaws = block.columns.iter().filter_map(|it| it.flaw.as_ref());
        Ok((count, flaws.map(|flaw| format!("{}: {}", flaw.place, flaw.reason)).collect()))
    }

    #[test]
    fn columns_of_each_type() {
        let mut check = |block: &Block| {
            for row in 0..block.rows {
                let step = block.start as usize + row;
                let ratio = |a: i64, b: u32| Value::Num(RBig::from_parts(IBig::from(a), UBig::from(b)));
                let name = Value::Name(if step.is_multiple_of(2) { "run" } else { "idle" }.into());
                let expected = [
                    ratio(step as i64 * 10, 1),
                    Value::Bool(step.is_multiple_of(3)),
                    ratio(step as i64 * 125 + 100, 1000),
                    ratio(step as i64 - 50, 100),
                    name.clone(),
                    name,
                ];
                for (at, expected) in expected.iter().enumerate() {
                    assert_eq!(block.columns[at].value(row), *expected, "column {at}, row {step}");
                }
                assert_eq!(block.columns[7].value(row), Value::Bool(!step.is_multiple_of(2)));
            }
        };
        let all = batches();
        let schema = all[0].schema();
        let in_memory = Frame::new(schema, all).reader().expect("a table");
        let names: Vec<&str> = in_memory.signals().iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["ts", "on", "inner.x", "price", "mode", "word", "hole", "bit"]);
        assert_eq!(in_memory.time(), Some(Time { column: 0, is_date: false, unit: TimeUnit::Microsecond }));
        let flaw = "row 71, column `hole`: there is no value (null)".to_owned();
        assert_eq!(read(in_memory, &mut check), Ok((ROWS, vec![flaw.clone()])));
        let compressed = [CompressionType::LZ4_FRAME, CompressionType::ZSTD].map(|it| file(Some(it)));
        for bytes in compressed.into_iter().chain([file(None), stream()]) {
            let opened = Arrow::open(Cursor::new(bytes)).expect("a file");
            assert_eq!(read(opened, &mut check), Ok((ROWS, vec![flaw.clone()])));
        }
    }

    #[test]
    fn reading_goes_on_at_marks() {
        let all = batches();
        let frame = Frame::new(all[0].schema(), all);
        let file = Arrow::open(Cursor::new(file(None))).expect("a file");
        for mut arrow in [frame.reader().expect("a table"), file] {
            arrow.select(&[Some(0)]);
            let mut block = Block::new(&[Input { name: "ts".into(), kind: Kind::Number }]);
            let mut marks = vec![arrow.mark(&block).expect("a place")];
            while arrow.fill(&mut block).expect("rows") > 0 {
                marks.extend(arrow.mark(&block));
            }
            assert_eq!(marks.iter().map(|mark| mark.step).collect::<Vec<_>>(), [0, BLOCK as u64]);
            for mark in marks.into_iter().rev() {
                arrow.go_to(mark, &mut block).expect("a place");
                arrow.fill(&mut block).expect("rows");
                assert_eq!(block.start, mark.step);
                assert_eq!(block.columns[0].value(0), Value::Num(RBig::from(mark.step * 10)));
            }
        }
    }

    #[test]
    fn broken_files_are_errors() {
        let open = |bytes: Vec<u8>| Arrow::open(Cursor::new(bytes)).and_then(|it| read(it, &mut |_| {}));
        let file = file(None);
        for bytes in [&b""[..], b"ARROW1", b"a,b\n1,2\n", &file[..file.len() / 2], &file[..file.len() - 5]] {
            let error = open(bytes.to_vec()).expect_err("not a file").to_string();
            assert!(error.starts_with("not readable Arrow data"), "{error}");
        }
        // A stream that ends early has the steps of its whole batches, and is an error after them.
        let stream = stream();
        let error = open(stream[..stream.len() - 300].to_vec()).expect_err("cut");
        assert!(error.to_string().starts_with("not readable Arrow data"), "{error}");
        // What a panic would print is not part of the result.
        std::panic::set_hook(Box::new(|_| {}));
        let mut random = base::Random::new(3);
        for bytes in [&file, &stream] {
            for _ in 0..200 {
                let mut bytes = bytes.clone();
                for _ in 0..3 {
                    let end = if random.below(2_u64) == 0 { 1500 } else { bytes.len() };
                    let at = if random.below(3_u64) == 0 {
                        bytes.len() - 1 - random.below(900_usize)
                    } else {
                        random.below(end)
                    };
                    bytes[at] = random.bits() as u8;
                }
                let _ = open(bytes);
            }
        }
        let _ = std::panic::take_hook();
    }
}
