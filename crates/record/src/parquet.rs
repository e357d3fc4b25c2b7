//! Parquet files: one step for each row, read column by column in row groups. Only the columns that are used are read.
//!
//! Columns inside structures have dotted names; lists have no single value per row and are left out. Decimals are exact, integers are as they are,
//! and a timestamp is a number in its unit.

mod pages;

use crate::bulk::Rows;
use crate::cell::Cell;
use crate::columns::{BLOCK, Block};
use crate::reader::{Malformed, Mark, Reader, Signal, Time, TimeUnit, filled};
use ::parquet::basic::{ConvertedType, LogicalType, TimeUnit as Unit, Type as Physical};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::data_type::DataType;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ColumnChunkMetaData;
use ::parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use ::parquet::file::statistics::Statistics;
use ::parquet::schema::types::ColumnDescriptor;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use logic::Sort;
use pages::Pages;

/// A Parquet file.
pub struct Parquet<R: ChunkReader> {
    file: SerializedFileReader<R>,
    signals: Vec<Signal>,
    /// The column of the file of each signal, and what it has.
    leaves: Vec<(usize, Meaning)>,
    time: Option<Time>,
    selected: Vec<Option<usize>>,
    /// The number of the next row group.
    group: usize,
    /// The rows of the current one that are not read, and the readers of the selected columns.
    left: usize,
    readers: Vec<Option<Leaf>>,
    broken: Option<Malformed>,
}

/// The cells of a column in a row group.
enum Leaf {
    /// As most columns have them.
    Pages(Pages),
    Any(Box<ColumnReader>),
}

/// What the numbers of a column mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Plain,
    /// An unsigned integer.
    Natural,
    /// An integer with decimal places.
    Decimal(u32),
    /// Not supported.
    Unknown,
}

impl From<ParquetError> for Malformed {
    fn from(error: ParquetError) -> Malformed {
        Malformed { line: None, reason: format!("not a readable Parquet file: {error}") }
    }
}

impl<R: ChunkReader + 'static> Parquet<R> {
    /// Reads the footer of a file.
    ///
    /// # Errors
    /// The file is not a Parquet file, or its footer is wrong.
    pub fn open(input: R) -> Result<Parquet<R>, Malformed> {
        let length = input.len();
        let file = SerializedFileReader::new(input)?;
        let metadata = file.metadata();
        for (number, group) in metadata.row_groups().iter().enumerate() {
            if let Some(column) = group.columns().iter().find(|column| !lies_within(column, length)) {
                let name = column.column_path();
                let reason = format!("row group {}: `{name}` is outside of the file", number + 1);
                return Err(Malformed { line: None, reason });
            }
        }
        let (mut signals, mut leaves, mut time) = (Vec::new(), Vec::new(), None);
        for (at, leaf) in metadata.file_metadata().schema_descr().columns().iter().enumerate() {
            if leaf.max_rep_level() > 0 {
                continue;
            }
            let name = leaf.path().string();
            if signals.iter().any(|known: &Signal| known.name == name) {
                return Err(Malformed { line: None, reason: format!("the name `{name}` is used twice") });
            }
            let meaning = meaning(leaf);
            let statistics = metadata.row_groups().iter().map(|group| group.column(at).statistics());
            let is_bit = statistics.clone().count() > 0 && statistics.into_iter().all(is_bit);
            let sort = match leaf.physical_type() {
                Physical::BOOLEAN => Sort::Bool,
                Physical::BYTE_ARRAY if meaning == Meaning::Plain => Sort::Enum,
                _ if is_bit => Sort::Any,
                _ => Sort::Real,
            };
            let unit = timestamp(leaf);
            if time.is_none() && (unit.is_some() || (sort == Sort::Real && Time::is_usual(&name))) {
                let unit = unit.or_else(|| TimeUnit::of_name(&name)).unwrap_or(TimeUnit::Second);
                time = Some(Time { column: signals.len(), is_date: false, unit });
            }
            signals.push(Signal { name, unit: None, sort });
            leaves.push((at, meaning));
        }
        Ok(Parquet {
            file,
            signals,
            leaves,
            time,
            selected: Vec::new(),
            group: 0,
            left: 0,
            readers: Vec::new(),
            broken: None,
        })
    }

    /// Opens the next row group that has rows; whether there is one.
    fn next_group(&mut self) -> Result<bool, Malformed> {
        while self.left == 0 {
            if self.group == self.file.num_row_groups() {
                return Ok(false);
            }
            let group = self.file.get_row_group(self.group)?;
            self.group += 1;
            let rows = group.metadata().num_rows();
            self.left = usize::try_from(rows)
                .map_err(|_| Malformed { line: None, reason: format!("a row group has {rows} rows") })?;
            self.readers = Vec::with_capacity(self.selected.len());
            for selected in &self.selected {
                let leaf = selected.map(|at| -> Result<Leaf, ParquetError> {
                    let (leaf, meaning) = self.leaves[at];
                    let described = group.metadata().column(leaf).column_descr();
                    let pages = match meaning {
                        Meaning::Plain => Pages::new(
                            group.get_column_page_reader(leaf)?,
                            described.physical_type(),
                            described.max_def_level(),
                        ),
                        Meaning::Natural | Meaning::Decimal(_) | Meaning::Unknown => None,
                    };
                    Ok(match pages {
                        Some(pages) => Leaf::Pages(pages),
                        None => Leaf::Any(Box::new(group.get_column_reader(leaf)?)),
                    })
                });
                self.readers.push(leaf.transpose()?);
            }
        }
        Ok(true)
    }

    /// The rows of the current row group that are read.
    fn done(&self) -> usize {
        let group = self.group.checked_sub(1).map(|group| self.file.metadata().row_group(group));
        let rows = group.map_or(0, |group| usize::try_from(group.num_rows()).unwrap_or(0));
        rows.saturating_sub(self.left)
    }

    /// The general reader of a column of the current row group, after some rows.
    fn general(&self, at: usize, done: usize) -> Result<Box<ColumnReader>, Malformed> {
        let group = self.file.get_row_group(self.group.saturating_sub(1))?;
        let mut reader = Box::new(group.get_column_reader(self.leaves[at].0)?);
        skip(&mut reader, done)?;
        Ok(reader)
    }

    fn rows(&mut self, block: &mut Block) -> Result<(), Malformed> {
        while block.rows < BLOCK && self.next_group()? {
            let count = self.left.min(BLOCK - block.rows);
            let done = self.done();
            for slot in 0..self.readers.len() {
                let (Some(mut leaf), Some(at)) = (self.readers[slot].take(), self.selected[slot]) else {
                    continue;
                };
                let name = &self.signals[at].name;
                let (row, step) = (block.rows, block.start + block.rows as u64);
                let place = |offset: usize| format!("row {}, column `{name}`", step + offset as u64 + 1);
                let mut rows = Rows { column: &mut block.columns[slot], row, step, place: &place };
                let read = loop {
                    match &mut leaf {
                        Leaf::Pages(pages) => match pages.read(&mut rows, count) {
                            Ok(read) => break read,
                            Err(pages::Other) => leaf = Leaf::Any(self.general(at, done)?),
                        },
                        Leaf::Any(reader) => break read(&mut rows, reader, count, self.leaves[at].1)?,
                    }
                };
                self.readers[slot] = Some(leaf);
                if read != count {
                    let (group, left) = (self.group, self.left);
                    let reason = format!("row group {group}: `{name}` ends {left} rows early");
                    return Err(Malformed { line: None, reason });
                }
            }
            block.rows += count;
            self.left -= count;
        }
        Ok(())
    }
}

/// Passes over some rows of any column.
fn skip(reader: &mut ColumnReader, rows: usize) -> Result<usize, ParquetError> {
    match reader {
        ColumnReader::BoolColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int32ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int64ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int96ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::FloatColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::DoubleColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => reader.skip_records(rows),
    }
}

/// Reads some cells, and returns how many there were.
fn read(
    rows: &mut Rows,
    reader: &mut ColumnReader,
    count: usize,
    meaning: Meaning,
) -> Result<usize, Malformed> {
    let unknown = Cell::Missing("values of this type are not supported");
    match reader {
        ColumnReader::BoolColumnReader(reader) => all(rows, reader, count, |rows, it| {
            let word = |bits: &[bool]| {
                bits.iter().enumerate().fold(0, |word, (at, bit)| word | u64::from(*bit) << at)
            };
            rows.truths(it.chunks(64).map(word), it.len());
        }),
        ColumnReader::Int32ColumnReader(reader) => match meaning {
            Meaning::Natural => {
                all(rows, reader, count, |rows, it| rows.each(it, |it| Cell::Integer(i64::from(it as u32))))
            }
            Meaning::Decimal(places) => decimals(rows, reader, count, places, |it| IBig::from(*it)),
            Meaning::Plain => all(rows, reader, count, Rows::integers),
            Meaning::Unknown => all(rows, reader, count, |rows, it| rows.each(it, |_| unknown)),
        },
        ColumnReader::Int64ColumnReader(reader) => match meaning {
            Meaning::Natural => {
                all(rows, reader, count, |rows, it| rows.each(it, |it| Cell::Natural(it as u64)))
            }
            Meaning::Decimal(places) => decimals(rows, reader, count, places, |it| IBig::from(*it)),
            Meaning::Plain => all(rows, reader, count, Rows::integers),
            Meaning::Unknown => all(rows, reader, count, |rows, it| rows.each(it, |_| unknown)),
        },
        ColumnReader::FloatColumnReader(reader) => {
            all(rows, reader, count, |rows, it| rows.each(it, Cell::Single))
        }
        ColumnReader::DoubleColumnReader(reader) => all(rows, reader, count, Rows::doubles),
        ColumnReader::ByteArrayColumnReader(reader) => match meaning {
            Meaning::Plain => cells(rows, reader, count, |it| match std::str::from_utf8(it.data()) {
                Ok(text) => Cell::Text(text),
                Err(_) => Cell::Missing("the text is not UTF-8"),
            }),
            Meaning::Decimal(places) => decimals(rows, reader, count, places, |it| big_endian(it.data())),
            Meaning::Natural | Meaning::Unknown => cells(rows, reader, count, |_| unknown),
        },
        ColumnReader::FixedLenByteArrayColumnReader(reader) => match meaning {
            Meaning::Decimal(places) => decimals(rows, reader, count, places, |it| big_endian(it.data())),
            Meaning::Plain | Meaning::Natural | Meaning::Unknown => cells(rows, reader, count, |_| unknown),
        },
        ColumnReader::Int96ColumnReader(reader) => cells(rows, reader, count, |_| unknown),
    }
}

fn cells<T: DataType>(
    rows: &mut Rows,
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
    cell: impl Fn(&T::T) -> Cell<'_>,
) -> Result<usize, Malformed> {
    all(rows, reader, count, |rows, values| {
        values.iter().enumerate().for_each(|(offset, value)| rows.put(offset, cell(value)));
    })
}

fn decimals<T: DataType>(
    rows: &mut Rows,
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
    places: u32,
    number: impl Fn(&T::T) -> IBig,
) -> Result<usize, Malformed> {
    let denominator = UBig::from(10_u8).pow(places as usize);
    all(rows, reader, count, |rows, values| {
        for (offset, value) in values.iter().enumerate() {
            rows.number(offset, &RBig::from_parts(number(value), denominator.clone()));
        }
    })
}

/// Reads some cells and puts those before the first null, after which no value of the column means anything.
fn all<'r, T: DataType>(
    rows: &mut Rows<'r>,
    reader: &mut ColumnReaderImpl<T>,
    count: usize,
    put: impl FnOnce(&mut Rows<'r>, &[T::T]),
) -> Result<usize, Malformed> {
    let (mut levels, mut values) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let (read, ..) = reader.read_records(count, Some(&mut levels), None, &mut values)?;
    // Without levels, every row has a value.
    let most = levels.iter().copied().max().unwrap_or(0);
    let null = levels.iter().position(|level| *level != most).filter(|_| values.len() < read);
    let present = null.unwrap_or(read).min(values.len());
    put(rows, &values[..present]);
    if present < read {
        rows.put(present, Cell::Missing("there is no value (null)"));
    }
    Ok(read)
}

/// Whether a column is where the footer says, in a file of this length.
fn lies_within(column: &ColumnChunkMetaData, length: u64) -> bool {
    let data = u64::try_from(column.data_page_offset());
    let first = column.dictionary_page_offset().map_or(data, u64::try_from);
    let size = u64::try_from(column.compressed_size());
    let (Ok(data), Ok(first), Ok(size)) = (data, first, size) else { return false };
    column.num_values() >= 0
        && column.uncompressed_size() >= 0
        && data <= length
        && first.checked_add(size).is_some_and(|end| end <= length)
}

fn is_bit(statistics: Option<&Statistics>) -> bool {
    match statistics {
        Some(Statistics::Int32(known)) => {
            matches!((known.min_opt(), known.max_opt()), (Some(0..), Some(..=1)))
        }
        Some(Statistics::Int64(known)) => {
            matches!((known.min_opt(), known.max_opt()), (Some(0..), Some(..=1)))
        }
        _ => false,
    }
}

fn meaning(leaf: &ColumnDescriptor) -> Meaning {
    let is_bytes = matches!(leaf.physical_type(), Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY);
    let places = u32::try_from(leaf.type_scale()).unwrap_or(0);
    match (leaf.logical_type_ref(), leaf.converted_type()) {
        (Some(LogicalType::Decimal(_)), _) | (None, ConvertedType::DECIMAL) => Meaning::Decimal(places),
        (Some(LogicalType::Integer(kind)), _) if !kind.is_signed => Meaning::Natural,
        (
            None,
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64,
        ) => Meaning::Natural,
        (Some(LogicalType::String | LogicalType::Enum | LogicalType::Json), _)
        | (None, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON) => Meaning::Plain,
        _ if is_bytes || leaf.physical_type() == Physical::INT96 => Meaning::Unknown,
        _ => Meaning::Plain,
    }
}

/// The unit of a column of timestamps.
fn timestamp(leaf: &ColumnDescriptor) -> Option<TimeUnit> {
    match (leaf.logical_type_ref(), leaf.converted_type()) {
        (Some(LogicalType::Timestamp(stamp)), _) => Some(match stamp.unit {
            Unit::MILLIS => TimeUnit::Millisecond,
            Unit::MICROS => TimeUnit::Microsecond,
            Unit::NANOS => TimeUnit::Nanosecond,
        }),
        (None, ConvertedType::TIMESTAMP_MILLIS) => Some(TimeUnit::Millisecond),
        (None, ConvertedType::TIMESTAMP_MICROS) => Some(TimeUnit::Microsecond),
        _ => None,
    }
}

/// An integer in two's complement, with its highest byte first.
fn big_endian(bytes: &[u8]) -> IBig {
    let number = IBig::from(UBig::from_be_bytes(bytes));
    let is_negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
    if is_negative { number - IBig::from(UBig::ONE << (8 * bytes.len())) } else { number }
}

impl<R: ChunkReader + 'static> Reader for Parquet<R> {
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
        let step = block.start + block.rows as u64;
        Some(match self.left {
            0 => Mark { step, offset: self.group as u64, lines: 0 },
            _ => Mark { step, offset: self.group as u64 - 1, lines: self.done() as u64 },
        })
    }

    fn go_to(&mut self, mark: Mark, block: &mut Block) -> Result<(), Malformed> {
        (self.group, self.left, self.broken) = (mark.offset as usize, 0, None);
        (block.start, block.rows) = (mark.step, 0);
        let rows = mark.lines as usize;
        if rows == 0 || !self.next_group()? {
            return Ok(());
        }
        self.left -= rows.min(self.left);
        for slot in 0..self.readers.len() {
            let (Some(leaf), Some(at)) = (&mut self.readers[slot], self.selected[slot]) else { continue };
            let skipped = if let Leaf::Pages(pages) = leaf { pages.skip(rows).ok() } else { None };
            if skipped.is_none() {
                self.readers[slot] = Some(Leaf::Any(self.general(at, rows)?));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Kind};
    use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
    use ::parquet::file::properties::{WriterProperties, WriterVersion};
    use ::parquet::file::writer::SerializedFileWriter;
    use ::parquet::schema::parser::parse_message_type;
    use bytes::Bytes;
    use logic::Value;
    use std::sync::Arc;

    const ROWS: usize = BLOCK + 100;

    /// A file in two row groups, with a null in the column `hole`.
    fn file() -> Vec<u8> {
        file_with(WriterProperties::default())
    }

    fn file_with(properties: WriterProperties) -> Vec<u8> {
        let schema = "message log { required int64 ts (TIMESTAMP(MICROS,true)); required boolean on; optional double x; \
            required int64 price (DECIMAL(18,2)); required binary mode (STRING); optional double hole; required int64 bit; \
            repeated int64 list; }";
        let schema = Arc::new(parse_message_type(schema).expect("a schema"));
        let mut writer =
            SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).expect("a writer");
        for rows in [0..1000, 1000..ROWS] {
            let count = rows.len();
            let mut group = writer.next_row_group().expect("a group");
            let longs = |value: &dyn Fn(usize) -> i64| rows.clone().map(value).collect::<Vec<i64>>();
            let doubles: Vec<f64> = rows.clone().map(|row| row as f64 / 8.0 + 0.1).collect();
            let modes: Vec<ByteArray> =
                rows.clone().map(|row| if row % 2 == 0 { "run" } else { "idle" }.into()).collect();
            for at in 0..8 {
                let mut column = group.next_column().expect("a column").expect("a column");
                let all = vec![1_i16; count];
                match at {
                    0 => column.typed::<Int64Type>().write_batch(&longs(&|row| row as i64 * 10), None, None),
                    1 => {
                        let truths: Vec<bool> = rows.clone().map(|row| row % 3 == 0).collect();
                        column.typed::<BoolType>().write_batch(&truths, None, None)
                    }
                    2 => column.typed::<DoubleType>().write_batch(&doubles, Some(&all), None),
                    3 => column.typed::<Int64Type>().write_batch(&longs(&|row| row as i64 - 50), None, None),
                    4 => column.typed::<ByteArrayType>().write_batch(&modes, None, None),
                    5 => {
                        let levels: Vec<i16> = rows.clone().map(|row| i16::from(row != 70)).collect();
                        let present = levels.iter().filter(|level| **level == 1).count();
                        column.typed::<DoubleType>().write_batch(&doubles[..present], Some(&levels), None)
                    }
                    6 => column.typed::<Int64Type>().write_batch(&longs(&|row| row as i64 % 2), None, None),
                    _ => column.typed::<Int64Type>().write_batch(
                        &[],
                        Some(&vec![0; count]),
                        Some(&vec![0; count]),
                    ),
                }
                .expect("written");
                column.close().expect("written");
            }
            group.close().expect("written");
        }
        writer.into_inner().expect("written")
    }

    /// Reads all columns: their flaws, and the error at the end.
    fn read(bytes: Vec<u8>, check: &mut dyn FnMut(&Block)) -> Result<(usize, Vec<String>), Malformed> {
        let mut file = Parquet::open(Bytes::from(bytes))?;
        let kind = |sort: Sort| match sort {
            Sort::Bool | Sort::Any => Kind::Truth,
            Sort::Enum => Kind::Name,
            Sort::Int | Sort::Real => Kind::Number,
        };
        let inputs: Vec<Input> =
            file.signals().iter().map(|it| Input { name: it.name.clone(), kind: kind(it.sort) }).collect();
        file.select(&(0..inputs.len()).map(Some).collect::<Vec<_>>());
        let mut block = Block::new(&inputs);
        let mut count = 0;
        while file.fill(&mut block)? > 0 {
            count += block.rows;
            check(&block);
        }
        let flaws = block.columns.iter().filter_map(|it| it.flaw.as_ref());
        Ok((count, flaws.map(|flaw| format!("{}: {}", flaw.place, flaw.reason)).collect()))
    }

    #[test]
    fn columns_of_each_type() {
        let file = file();
        let opened = Parquet::open(Bytes::from(file.clone())).expect("a file");
        let names: Vec<&str> = opened.signals().iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["ts", "on", "x", "price", "mode", "hole", "bit"]);
        assert_eq!(opened.time(), Some(Time { column: 0, is_date: false, unit: TimeUnit::Microsecond }));
        assert_eq!(opened.signals()[6].sort, Sort::Any);
        let (mut pages, mut others) = (0, 0);
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for has_dictionary in [true, false] {
                for rows in [100, 20_000] {
                    let properties = WriterProperties::builder()
                        .set_writer_version(version)
                        .set_dictionary_enabled(has_dictionary)
                        .set_write_batch_size(50)
                        .set_data_page_row_count_limit(rows)
                        .build();
                    let bytes = file_with(properties);
                    let (count, flaws) = read(bytes.clone(), &mut values).expect("rows");
                    let null = "row 71, column `hole`: there is no value (null)";
                    assert_eq!((count, flaws.join("").as_str()), (ROWS, null));
                    let mut opened = Parquet::open(Bytes::from(bytes)).expect("a file");
                    opened.select(&[Some(1), Some(2)]);
                    opened.next_group().expect("a group");
                    for leaf in opened.readers.iter_mut().flatten() {
                        let skipped = if let Leaf::Pages(pages) = leaf { pages.skip(999).ok() } else { None };
                        *if skipped == Some(999) { &mut pages } else { &mut others } += 1;
                    }
                }
            }
        }
        assert_eq!((pages, others), (16, 0));
    }

    fn values(block: &Block) {
        for row in 0..block.rows {
            let step = block.start as usize + row;
            let ratio = |a: i64, b: u32| Value::Num(RBig::from_parts(IBig::from(a), UBig::from(b)));
            let expected = [
                ratio(step as i64 * 10, 1),
                Value::Bool(step.is_multiple_of(3)),
                ratio(step as i64 * 125 + 100, 1000),
                ratio(step as i64 - 50, 100),
                Value::Name(if step.is_multiple_of(2) { "run" } else { "idle" }.into()),
            ];
            for (at, expected) in expected.iter().enumerate() {
                assert_eq!(block.columns[at].value(row), *expected, "column {at}, row {step}");
            }
        }
    }

    #[test]
    fn reading_goes_on_from_a_mark() {
        let small = WriterProperties::builder().set_write_batch_size(10).set_data_page_row_count_limit(300);
        for properties in [WriterProperties::default(), small.build()] {
            let mut file = Parquet::open(Bytes::from(file_with(properties))).expect("a file");
            let kinds = [Kind::Number, Kind::Truth, Kind::Number, Kind::Number, Kind::Name];
            let inputs = kinds.map(|kind| Input { name: String::new(), kind });
            file.select(&[0, 1, 2, 3, 4].map(Some));
            let mut block = Block::new(&inputs);
            let mut marks = vec![file.mark(&block).expect("a place")];
            while file.fill(&mut block).expect("rows") > 0 {
                marks.push(file.mark(&block).expect("a place"));
            }
            // Other places than those after blocks, too.
            marks.extend([1, 299, 300, 999].map(|rows| Mark { step: rows, offset: 0, lines: rows }));
            marks.extend([0, 3, 700].map(|rows| Mark { step: 1000 + rows, offset: 1, lines: rows }));
            for mark in marks {
                file.go_to(mark, &mut block).expect("a place");
                let count = file.fill(&mut block).expect("rows");
                assert_eq!(count, (ROWS - mark.step as usize).min(BLOCK), "{mark:?}");
                assert_eq!(block.start, mark.step);
                values(&block);
            }
        }
    }

    #[test]
    fn broken_files_are_errors() {
        let file = file();
        let wrong = |bytes: &[u8]| read(bytes.to_vec(), &mut |_| {}).expect_err("not a file").to_string();
        for bytes in [&b""[..], b"PAR1", b"a,b\n1,2\n", &file[..file.len() / 2], &file[..file.len() - 5]] {
            // The message says what is wrong.
            assert!(wrong(bytes).starts_with("not a readable Parquet file"), "{}", wrong(bytes));
        }
        // The footer says how long it is: nothing is believed about that.
        let mut hostile = file.clone();
        let at = hostile.len() - 8;
        hostile[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(wrong(&hostile).starts_with("not a readable Parquet file"));
        let mut random = base::Random::new(3);
        for _ in 0..300 {
            let mut bytes = file.clone();
            for _ in 0..3 {
                // Mostly in the footer.
                let from = if random.below(3_u64) == 0 { 4 } else { bytes.len() - 900 };
                let at = from + random.below(bytes.len() - from);
                bytes[at] = random.bits() as u8;
            }
            let _ = read(bytes, &mut |_| {});
        }
    }
}
