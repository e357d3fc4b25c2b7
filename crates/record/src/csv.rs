//! Separated text, read in pieces: one row per step, and only the columns that are used.
//!
//! ```
//! use shall_record::{Block, Input, Kind, csv::Csv};
//! let mut csv = Csv::open("time;x\ns;m\n0,0;1,5\n0,1;2\n".as_bytes())?;
//! assert_eq!(csv.head().signals[1].unit.as_deref(), Some("m"));
//! let inputs = [Input { name: "x".into(), kind: Kind::Number }];
//! csv.select(&[Some(1)]);
//! let mut block = Block::new(&inputs);
//! assert_eq!(csv.fill(&mut block)?, 2);
//! assert_eq!(block.columns[0].value(1), 2.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alike;
mod cell;
mod head;
mod index;
mod pieces;
mod split;
mod time;

pub use crate::reader::{Malformed, Mark, Signal, Time};
pub(crate) use cell::{A_BOOLEAN, as_truth};
pub use head::Head;
pub use pieces::Pieces;

use crate::columns::{BLOCK, Block, Kind};
use crate::reader::{Reader, filled};
use alike::Dialect;
use base::counted;
use index::Index;
use std::io::{self, Read, Seek, SeekFrom};

/// The bytes that are read at a time, so that they and their index stay near the processor.
const PIECE: usize = 1 << 17;
/// The rows that are read column by column at a time.
const AT_ONCE: usize = 2048;
/// The most bytes of one row.
const MAX_ROW: usize = 1 << 26;

/// A file of separated text.
#[derive(Debug)]
pub struct Csv<R> {
    input: R,
    /// The bytes of the file before the buffer.
    offset: u64,
    head: Head,
    buffer: Vec<u8>,
    /// The bytes of the buffer before which everything is done.
    done: usize,
    /// The bytes of the buffer that are read.
    filled: usize,
    is_end: bool,
    /// The last row of the file had no line end.
    is_cut_off: bool,
    /// The rows of the buffer that are not read, if they are as most are.
    index: Index,
    /// The lines before the next row.
    lines: u64,
    /// The columns of the file that are used, and those of the block that are read from them.
    selected: Vec<(usize, usize)>,
    broken: Option<Malformed>,
}

impl<R: Read> Csv<R> {
    /// Reads the head of a file.
    ///
    /// # Errors
    /// The file cannot be read, or has no header.
    pub fn open(input: R) -> Result<Csv<R>, Malformed> {
        let placeholder = Head {
            separator: b',',
            point: b'.',
            signals: Vec::new(),
            time: None,
            has_units: false,
            line_end: b'\n',
            length: 0,
            lines: 0,
        };
        let mut csv = Csv::empty(input, placeholder);
        csv.more()?;
        loop {
            match Head::read(&csv.buffer[..csv.filled], csv.is_end) {
                // A header of many columns takes several pieces.
                Err(_) if !csv.is_end && csv.filled < MAX_ROW => csv.more()?,
                head => {
                    csv.head = head?;
                    break;
                }
            }
        }
        csv.done = csv.head.length;
        csv.lines = csv.head.lines;
        Ok(csv)
    }

    /// A reader of which nothing is read.
    fn empty(input: R, head: Head) -> Csv<R> {
        Csv {
            input,
            offset: 0,
            head,
            buffer: Vec::new(),
            done: 0,
            filled: 0,
            is_end: false,
            is_cut_off: false,
            index: Index::default(),
            lines: 0,
            selected: Vec::new(),
            broken: None,
        }
    }

    /// What the first rows say about the file.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Selects the columns of the file that the columns of blocks are read from; `None` for those that stay empty.
    pub fn select(&mut self, columns: &[Option<usize>]) {
        let pairs = columns.iter().enumerate();
        self.selected = pairs.filter_map(|(slot, column)| Some(((*column)?, slot))).collect();
    }

    /// Reads the next steps into a block, and returns how many there are; none at the end of the file.
    ///
    /// # Errors
    /// The file cannot be read further. The steps before that have been returned.
    pub fn fill(&mut self, block: &mut Block) -> Result<usize, Malformed> {
        block.advance();
        self.append(block);
        filled(block, self.broken.as_ref())
    }

    /// Reads steps after those of the block.
    fn append(&mut self, block: &mut Block) {
        while block.rows < BLOCK && self.broken.is_none() {
            if self.index.left() > 0 {
                self.quickly(block);
                continue;
            }
            if self.is_end {
                self.end_last_row();
            }
            let whole = self.whole_rows();
            if whole == self.done {
                if self.is_end {
                    break;
                }
                self.broken = self.more().err();
                continue;
            }
            self.build_index(whole, block);
            if self.index.left() == 0 {
                self.broken = self.slowly(block, whole).err();
            }
        }
    }

    /// Finds the rows of the buffer up to a byte, if they are as most are.
    fn build_index(&mut self, whole: usize, block: &Block) {
        let Head { separator, line_end, ref signals, .. } = self.head;
        let mut kinds = vec![None; signals.len()];
        for &(column, slot) in &self.selected {
            let kind = block.columns[slot].kind();
            // A column that is read as two kinds must be of the first one, which is the narrower one.
            kinds[column] = Some(kinds[column].map_or(kind, |known: Kind| known.min(kind)));
        }
        let dialect = Dialect { separator, line_end, kinds: &kinds };
        self.index.build(&self.buffer[..whole], self.done, dialect);
    }

    /// The place after a block.
    pub fn mark(&self, block: &Block) -> Mark {
        Mark {
            step: block.start + block.rows as u64,
            offset: self.offset + self.done as u64,
            lines: self.lines,
        }
    }

    /// Goes to a place, so that the next steps of the block are those after it.
    ///
    /// # Errors
    /// The file cannot be read there.
    pub fn go_to(&mut self, mark: Mark, block: &mut Block) -> Result<(), Malformed>
    where
        R: Seek,
    {
        (block.start, block.rows) = (mark.step, 0);
        self.seek(mark)
    }

    fn seek(&mut self, mark: Mark) -> Result<(), Malformed>
    where
        R: Seek,
    {
        self.input.seek(SeekFrom::Start(mark.offset))?;
        (self.offset, self.done, self.filled, self.lines) = (mark.offset, 0, 0, mark.lines);
        (self.is_end, self.broken) = (false, None);
        self.index.clear();
        Ok(())
    }

    /// Reads more bytes after those that are not done, which move to the start.
    fn more(&mut self) -> Result<(), Malformed> {
        self.buffer.copy_within(self.done..self.filled, 0);
        self.offset += self.done as u64;
        (self.filled, self.done) = (self.filled - self.done, 0);
        if self.filled >= MAX_ROW {
            let reason =
                format!("the row is longer than {MAX_ROW} bytes, or a quotation mark is never closed");
            return Err(Malformed { line: Some(self.lines + 1), reason });
        }
        // A row that is longer than a piece doubles it, so that it is not searched again and again.
        let room = PIECE.max(self.filled);
        if self.buffer.len() < self.filled + room {
            self.buffer.resize(self.filled + room, 0);
        }
        let from = self.filled;
        while self.filled < from + room {
            match self.input.read(&mut self.buffer[self.filled..from + room]) {
                Ok(0) => {
                    self.is_end = true;
                    break;
                }
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Gives the last row of the file a line end.
    fn end_last_row(&mut self) {
        if self.filled > self.done && self.buffer[self.filled - 1] != self.head.line_end {
            self.is_cut_off = true;
            self.buffer.truncate(self.filled);
            self.buffer.push(self.head.line_end);
            self.filled += 1;
        }
    }

    /// The end of the last whole row of the buffer.
    fn whole_rows(&self) -> usize {
        let bytes = &self.buffer[self.done..self.filled];
        bytes.iter().rposition(|&byte| byte == self.head.line_end).map_or(self.done, |at| self.done + at + 1)
    }

    /// Reads the next rows of the index, column by column, a few at a time, which stay near the processor.
    fn quickly(&mut self, block: &mut Block) {
        let Csv { buffer, head, selected, lines, done, index, .. } = self;
        let rows = (BLOCK - block.rows).min(index.left()).min(AT_ONCE);
        for &(column, slot) in &*selected {
            let place = |row: usize| {
                format!("line {}, column `{}`", *lines + row as u64 + 1, head.signals[column].name)
            };
            let first = (block.rows, block.start + block.rows as u64);
            let into = &mut block.columns[slot];
            let cells = index.cells(buffer, column, into.kind(), head.point);
            cell::read_all(into, first, &cells, rows, head.point, place);
        }
        block.rows += rows;
        *lines += rows as u64;
        *done = index.advance(rows);
    }

    /// Reads rows up to a byte, one by one: cells may be quoted, rows may be empty, and some may have too many cells.
    fn slowly(&mut self, block: &mut Block, whole: usize) -> Result<(), Malformed> {
        let Csv { buffer, head, selected, lines, done, is_end, is_cut_off, .. } = self;
        let Head { separator, line_end, point, ref signals, .. } = *head;
        let width = signals.len();
        let bytes = &buffer[..whole];
        while *done < whole && block.rows < BLOCK {
            let (cells, next, is_whole) = split::row(bytes, *done, separator, line_end);
            let line = *lines + 1;
            if !is_whole && !*is_end {
                // The rest of a quoted cell is not there yet.
                return self.more();
            }
            if !is_whole {
                return Err(Malformed {
                    line: Some(line),
                    reason: "a quotation mark is never closed".into(),
                });
            }
            let last_is_empty = cells.last().is_none_or(|cell| cell::trimmed(cell).is_empty());
            let is_row = cells.len() > 1 || !last_is_empty;
            if is_row && cells.len() != width && !(cells.len() == width + 1 && last_is_empty) {
                return Err(ragged(line, cells.len(), width, *is_cut_off && next == whole));
            }
            // A row that cannot be read is not passed over.
            *lines += bytes[*done..next].iter().filter(|&&byte| byte == line_end).count() as u64;
            *done = next;
            if !is_row {
                continue;
            }
            for &(column, slot) in &*selected {
                let (row, step) = (block.rows, block.start + block.rows as u64);
                let place = || format!("line {line}, column `{}`", signals[column].name);
                let cell = cell::trimmed(&cells[column]);
                cell::read(&mut block.columns[slot], row, step, cell, point, place);
            }
            block.rows += 1;
        }
        Ok(())
    }
}

impl<R: Read + Seek> Reader for Csv<R> {
    fn signals(&self) -> &[Signal] {
        &self.head.signals
    }

    fn time(&self) -> Option<Time> {
        self.head.time
    }

    fn select(&mut self, columns: &[Option<usize>]) {
        Csv::select(self, columns);
    }

    fn fill(&mut self, block: &mut Block) -> Result<usize, Malformed> {
        Csv::fill(self, block)
    }

    fn mark(&self, block: &Block) -> Option<Mark> {
        Some(Csv::mark(self, block))
    }

    fn go_to(&mut self, mark: Mark, block: &mut Block) -> Result<(), Malformed> {
        Csv::go_to(self, mark, block)
    }
}

fn ragged(line: u64, cells: usize, width: usize, is_cut_off: bool) -> Malformed {
    let (cells, columns) = (counted(cells, "cell"), counted(width, "column"));
    let hint = if is_cut_off { "; the file may be cut off" } else { "" };
    Malformed { line: Some(line), reason: format!("{cells}, but the header has {columns}{hint}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Input, Kind};
    use crate::reader::TimeUnit;
    use logic::Value;

    /// A reader that gives a few bytes at a time.
    struct Drops<'b>(&'b [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(out.len());
            out[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn shown(value: &Value) -> String {
        match value {
            Value::Bool(truth) => u8::from(*truth).to_string(),
            Value::Num(number) => logic::format_decimal(number).unwrap_or_else(|| number.to_string()),
            Value::Name(name) => name.clone(),
        }
    }

    /// Reads the column `c` of a text as a kind: its values, flaws and errors.
    fn read(text: &[u8], kind: Kind) -> Result<String, Malformed> {
        read_in(text, kind, 5)
    }

    fn read_in(text: &[u8], kind: Kind, piece: usize) -> Result<String, Malformed> {
        let mut csv = Csv::open(Drops(text, piece))?;
        let column = csv.head().signals.iter().position(|signal| signal.name == "c");
        csv.select(&[column]);
        let mut block = Block::new(&[Input { name: "c".into(), kind }]);
        let mut out = String::new();
        loop {
            match csv.fill(&mut block) {
                Ok(0) => break,
                Ok(rows) => {
                    let flaw = block.columns[0].flaw.clone();
                    let good = |row: &usize| {
                        flaw.as_ref().is_none_or(|flaw| block.start + (*row as u64) < flaw.step)
                    };
                    (0..rows)
                        .filter(good)
                        .for_each(|row| out += &format!("{} ", shown(&block.columns[0].value(row))));
                    if let Some(flaw) = flaw {
                        out += &format!("! {}: {}", flaw.place, flaw.reason);
                    }
                }
                Err(error) => {
                    out += &format!("! {error}");
                    break;
                }
            }
        }
        Ok(out.trim_end().to_owned())
    }

    fn check(text: &str, kind: Kind, expected: &str) {
        let found = read(text.as_bytes(), kind).unwrap_or_else(|error| error.to_string());
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn values_of_each_kind() {
        use Kind::{Name, Number, Truth};
        check("a,c\n0,1\n1,0\n", Truth, "1 0");
        check("c,a\r\nTRUE, x\r\n 0 ,y\r\n", Truth, "1 0");
        check("\u{feff}c\n1.5\n-2\n1e2\n1/3", Number, "1.5 -2 100 1/3");
        check("c\n12345678901234567890.5\n3\n", Number, "12345678901234567890.5 3");
        check("a;c\n1;2,5\n1;-0,25\n", Number, "2.5 -0.25");
        check("a\tc\n1\t2.5\n", Number, "2.5");
        let alike =
            "aaaaaaa,c\n1,12.25\n1,12.26\n1,1226\n1,122.6\n1,-2.26\n1,-2.27\n1,12.2 \n1,12.9\n1,129\n1,128\n";
        check(alike, Number, "12.25 12.26 1226 122.6 -2.26 -2.27 12.2 12.9 129 128");
        check("aaaaaaa,c\n1,125\n1,12x\n", Number, "125 ! line 3, column `c`: `12x` is not a number");
        check("c\nidle\nrun\nidle\n", Name, "idle run idle");
        check("c\ridle\rrun\r", Name, "idle run");
        check("# made by x\n\nc,d\n1,2\n\n3,4\n", Number, "1 3");
        check("d,c\ns,km/h\n0,10\n1,20\n", Number, "10 20");
        check("d,c,\n0,10,\n1,20\n", Number, "10 20");
        check("\"c\",\"d, e\"\n\"1\",\"x\ny\"\n2,z\n", Number, "1 2");
        check("\"c\"\n\"a \"\"b\"\"\"\nx", Name, "a \"b\" x");
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        use Kind::{Name, Number, Truth};
        check("", Number, "the file is empty; the first line must have the names of the columns");
        check("c,c\n1,1\n", Number, "line 1: column 2: the name `c` is used twice");
        check("c,,d\n1,1,1\n", Number, "line 1: column 2: the name of the column is missing");
        check("c\n", Number, "");
        check("c,d\n1,2\n3\n", Number, "1 ! line 3: 1 cell, but the header has 2 columns");
        check(
            "c,d\n1,2\n3",
            Number,
            "1 ! line 3: 1 cell, but the header has 2 columns; the file may be cut off",
        );
        check("c,d\n1,2\n3,4,5\n", Number, "1 ! line 3: 3 cells, but the header has 2 columns");
        check("c,d\n1,2\n,4\n", Number, "1 ! line 3, column `c`: the cell is empty");
        check(
            "c,d\n1,2\nNaN,4\n",
            Number,
            "1 ! line 3, column `c`: `NaN` is not a number: it has no exact value",
        );
        check("c\n1\nhigh\n", Number, "1 ! line 3, column `c`: `high` is not a number");
        check(
            "c\n1\n2\n",
            Truth,
            "1 ! line 3, column `c`: `2` is not a Boolean (0, 1, true, false, yes, no, on or off)",
        );
        check("c\nyes\nNO\nOn\noff\n1\nTrue\n", Truth, "1 0 1 0 1 1");
        check("c\nidle\n7\n", Name, "idle ! line 3, column `c`: `7` is not a name");
        check("c,d\n1,\"x\n", Number, "! line 2: a quotation mark is never closed");
        let found = read(b"c\n1\n\xff\n", Number);
        assert_eq!(found, Ok("1 ! line 3, column `c`: the cell is not UTF-8".into()));
        // Latin-1 in the header, and UTF-16.
        let latin = b"T [\xb0C],c\n1,2\n";
        assert_eq!(read(latin, Number), Ok("2".into()));
        assert_eq!(Csv::open(&latin[..]).expect("a head").head().signals[0].name, "T [\u{b0}C]");
        let wide: Vec<u8> = "\u{feff}c\n1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let found = read(&wide, Number).map_err(|error| error.to_string());
        let reason = "line 1: the header is not text in UTF-8 or Latin-1; save the file in UTF-8";
        assert_eq!(found, Err(reason.into()));
    }

    #[test]
    fn the_head_says_what_there_is() {
        let head = |text: &str| Csv::open(text.as_bytes()).expect("a head").head().clone();
        let found = head("Time [s];on;v;mode\ns;;m/s;\n0,00;0;1,5;idle\n0,01;1;2;run\n");
        assert_eq!((found.separator, found.point, found.has_units), (b';', b',', true));
        assert_eq!(found.time, Some(Time { column: 0, is_date: false, unit: TimeUnit::Second }));
        let sorts: Vec<logic::Sort> = found.signals.iter().map(|it| it.sort).collect();
        use logic::Sort::{Any, Enum, Real};
        assert_eq!(sorts, [Real, Any, Real, Enum]);
        assert_eq!(found.signals[2].unit.as_deref(), Some("m/s"));
        let found = head("timestamp,x\n2026-01-01T00:00:00Z,1\n2026-01-01T00:00:01Z,1\n");
        assert_eq!(found.time, Some(Time { column: 0, is_date: true, unit: TimeUnit::Second }));
        // Descending values of a short name are not a time, and a first row of names is not one of units.
        assert_eq!(head("t,x\n2,1\n1,1\n").time, None);
        assert!(!head("a,b\nx,y\nz,w\n").has_units);
    }

    #[test]
    fn any_bytes_are_read_to_an_end() {
        let mut random = base::Random::new(9);
        for round in 0..6000 {
            let length = random.below(120_usize);
            let mut text = b"c,d\n"[..random.below(5_usize)].to_vec();
            text.extend((0..length).map(|_| random.pick(b",;\t\n\n\r\"\"#01.5-e/aN \xff\xc3")));
            for kind in [Kind::Truth, Kind::Number, Kind::Name] {
                let slow = read(&text, kind);
                // The same bytes at once give the same.
                let whole = read_in(&text, kind, usize::MAX);
                assert_eq!(slow, whole, "{round} {:?}", String::from_utf8_lossy(&text));
            }
        }
    }

    #[test]
    fn a_table_may_have_many_columns() {
        let names: Vec<String> = (0..200_000).map(|column| format!("v{column}")).collect();
        let cells: Vec<String> = (0..200_000).map(|column| column.to_string()).collect();
        let text = format!("{}\n{}\n", names.join(","), cells.join(","));
        let mut csv = Csv::open(text.as_bytes()).expect("a head");
        csv.select(&[Some(199_999)]);
        let mut block = Block::new(&[Input { name: "c".into(), kind: Kind::Number }]);
        assert_eq!(csv.fill(&mut block), Ok(1));
        assert_eq!(block.columns[0].value(0), 199_999.into());
    }

    #[test]
    fn reading_goes_on_from_a_mark() {
        let mut text = String::from("c\n");
        (0..20_000).for_each(|row| text += &format!("{row}\n"));
        let mut csv = Csv::open(io::Cursor::new(text.as_bytes())).expect("a head");
        csv.select(&[Some(0)]);
        let mut block = Block::new(&[Input { name: "c".into(), kind: Kind::Number }]);
        let mut marks = vec![csv.mark(&block)];
        while csv.fill(&mut block).expect("rows") > 0 {
            marks.push(csv.mark(&block));
        }
        for &mark in marks.iter().rev().skip(1) {
            csv.go_to(mark, &mut block).expect("a place");
            assert!(csv.fill(&mut block).expect("rows") > 0);
            assert_eq!(block.columns[0].value(1), (mark.step as i64 + 1).into());
        }
    }

    #[test]
    fn rows_are_the_same_whatever_the_pieces_are() {
        let mut text = String::from("a,c,d\n");
        for row in 0..10_000 {
            text += &format!("{},{}.{:02},{}\n", row % 2, row, row % 100, "x".repeat(row % 70));
        }
        for size in [1, 63, 64, 65, 4096, 1 << 20] {
            let mut csv = Csv::open(Drops(text.as_bytes(), size)).expect("a head");
            csv.select(&[Some(1), Some(0)]);
            let inputs = [("c", Kind::Number), ("a", Kind::Truth)];
            let mut block = Block::new(&inputs.map(|(name, kind)| Input { name: name.into(), kind }));
            let mut count = 0;
            while csv.fill(&mut block).expect("rows") > 0 {
                for row in 0..block.rows {
                    let expected =
                        logic::parse_decimal(&format!("{count}.{:02}", count % 100)).expect("a number");
                    assert_eq!(block.columns[0].value(row), Value::Num(expected));
                    assert_eq!(block.columns[1].value(row), Value::Bool(count % 2 == 1));
                    count += 1;
                }
            }
            assert_eq!(count, 10_000, "{size}");
        }
    }
}
