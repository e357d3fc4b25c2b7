//! Separated text read on several cores: pieces that end with a row become columns in other threads, and are put together in their order.
//!
//! A piece with anything but whole rows with values, and everything after it, is left to the usual reader. So the steps, the flaws and
//! their words are the same on any number of cores.

use super::Csv;
use crate::columns::{BLOCK, Block};
use crate::reader::{Malformed, Mark, Reader, Signal, Time, filled};
use std::collections::BTreeMap;
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The most columns that are read in this way, because several pieces are in memory at a time.
const MAX_COLUMNS: usize = 32;

/// A file of separated text that is read on several cores.
#[derive(Debug)]
pub struct Pieces<R> {
    csv: Csv<R>,
    cores: usize,
    work: Work,
    /// The blocks of the current piece, the one that is being read, and its next row.
    blocks: Vec<Block>,
    current: usize,
    next: usize,
    /// The place of the current piece.
    mark: Mark,
}

#[derive(Debug)]
enum Work {
    NotBegun,
    Pieces(Workers),
    /// By the usual reader.
    Usual,
}

#[derive(Debug)]
struct Workers {
    pieces: Sender<Piece>,
    columns: Receiver<(Piece, bool)>,
    /// Pieces that are done before others; those that have anything but rows with values are missing.
    done: BTreeMap<u64, Option<Vec<Block>>>,
    /// Memory to be used again.
    spare_bytes: Vec<Vec<u8>>,
    spare_blocks: Vec<Vec<Block>>,
    /// The pieces that were sent, those that were taken, and where each that was not begins in the file.
    sent: u64,
    taken: u64,
    offsets: BTreeMap<u64, u64>,
    /// Whether nothing is left to be read, and why.
    end: Option<Result<(), Malformed>>,
}

/// The offset of rows in the file, and bytes with the range in which they are.
type WholeRows = (u64, Vec<u8>, Range<usize>);

/// Bytes that end with a row, and what becomes of them.
#[derive(Debug)]
struct Piece {
    number: u64,
    bytes: Vec<u8>,
    rows: Range<usize>,
    /// The first of these that have rows are the columns of the piece.
    blocks: Vec<Block>,
}

impl<R: Read + Seek> Pieces<R> {
    /// Reads a file on several cores.
    pub fn new(csv: Csv<R>, cores: usize) -> Pieces<R> {
        let mark = Mark { step: 0, offset: csv.offset + csv.done as u64, lines: csv.lines };
        Pieces { csv, cores, work: Work::NotBegun, blocks: Vec::new(), current: 0, next: 0, mark }
    }

    /// Starts the threads, if the file is long enough for them.
    fn begin(&mut self, like: &Block) {
        if self.csv.is_end || self.cores < 2 || self.csv.selected.len() > MAX_COLUMNS {
            self.work = Work::Usual;
            return;
        }
        let (pieces, received) = channel();
        let (sender, columns) = channel();
        let received = Arc::new(Mutex::new(received));
        for _ in 0..self.cores {
            let (received, sender, worker) = (received.clone(), sender.clone(), self.csv.for_pieces());
            let like = like.empty();
            thread::spawn(move || work(worker, &like, &received, &sender));
        }
        self.work = Work::Pieces(Workers {
            pieces,
            columns,
            done: BTreeMap::new(),
            spare_bytes: Vec::new(),
            spare_blocks: Vec::new(),
            sent: 0,
            taken: 0,
            offsets: BTreeMap::new(),
            end: None,
        });
    }

    /// Goes to the next piece; false if there is none, or if the usual reader goes on from here.
    fn next_piece(&mut self, block: &Block) -> Result<bool, Malformed> {
        let Work::Pieces(workers) = &mut self.work else { return Ok(false) };
        workers.spare_blocks.push(std::mem::take(&mut self.blocks));
        workers.send(&mut self.csv, 2 * self.cores as u64);
        if workers.taken == workers.sent {
            return workers.end.take().unwrap_or(Ok(())).map(|()| false);
        }
        let (offset, blocks) = workers.take();
        let step = block.start + block.rows as u64;
        // Each row of a piece is a line.
        self.mark = Mark { step, offset, lines: self.mark.lines + (step - self.mark.step) };
        match blocks.filter(|blocks| blocks.iter().all(|it| block.has_room_for_names(it))) {
            Some(blocks) => {
                (self.blocks, self.current, self.next) = (blocks, 0, 0);
                Ok(true)
            }
            None => {
                self.work = Work::Usual;
                self.csv.seek(self.mark)?;
                Ok(false)
            }
        }
    }

    fn rows(&mut self, block: &mut Block) -> Result<(), Malformed> {
        while block.rows < BLOCK {
            let Some(from) = self.blocks.get(self.current).filter(|from| from.rows > 0) else {
                if self.next_piece(block)? {
                    continue;
                }
                if matches!(self.work, Work::Usual) {
                    self.csv.append(block);
                }
                break;
            };
            let count = (BLOCK - block.rows).min(from.rows - self.next);
            block.append(from, self.next, count);
            self.next += count;
            if self.next == from.rows {
                (self.current, self.next) = (self.current + 1, 0);
            }
        }
        Ok(())
    }
}

impl Workers {
    /// Sends pieces until so many are not taken.
    fn send<R: Read>(&mut self, csv: &mut Csv<R>, most: u64) {
        while self.end.is_none() && self.sent < self.taken + most {
            match csv.piece(self.spare_bytes.pop().unwrap_or_default()) {
                Ok(Some((offset, bytes, rows))) => {
                    let (number, blocks) = (self.sent, self.spare_blocks.pop().unwrap_or_default());
                    self.sent += 1;
                    self.offsets.insert(number, offset);
                    if self.pieces.send(Piece { number, bytes, rows, blocks }).is_err() {
                        self.done.insert(number, None);
                    }
                }
                Ok(None) => self.end = Some(Ok(())),
                Err(error) => self.end = Some(Err(error)),
            }
        }
    }

    /// The next piece in the order of the file: its offset and its columns.
    fn take(&mut self) -> (u64, Option<Vec<Block>>) {
        let due = self.taken;
        while !self.done.contains_key(&due) {
            match self.columns.recv() {
                Ok((piece, has_values)) => {
                    self.spare_bytes.push(piece.bytes);
                    self.done.insert(piece.number, has_values.then_some(piece.blocks));
                }
                Err(_) => _ = self.done.insert(due, None),
            }
        }
        self.taken += 1;
        (self.offsets.remove(&due).unwrap_or_default(), self.done.remove(&due).flatten())
    }
}

/// Turns pieces into columns, until there are no more.
fn work(
    mut csv: Csv<io::Empty>,
    like: &Block,
    pieces: &Mutex<Receiver<Piece>>,
    columns: &Sender<(Piece, bool)>,
) {
    loop {
        let piece = pieces.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut piece) = piece else { break };
        // Whatever a piece does, others wait for it.
        let has_values = catch_unwind(AssertUnwindSafe(|| csv.columns(&mut piece, like))).unwrap_or(false);
        if columns.send((piece, has_values)).is_err() {
            break;
        }
    }
}

impl<R> Csv<R> {
    /// A reader of pieces with the same columns.
    fn for_pieces(&self) -> Csv<io::Empty> {
        Csv { selected: self.selected.clone(), ..Csv::empty(io::empty(), self.head.clone()) }
    }
}

impl<R: Read> Csv<R> {
    /// Takes the next whole rows out of the buffer, which another one replaces: their offset in the file, and the bytes with the range in
    /// which they are; `None` at the end of the file.
    fn piece(&mut self, mut other: Vec<u8>) -> Result<Option<WholeRows>, Malformed> {
        loop {
            if self.is_end {
                self.end_last_row();
            }
            let (from, to) = (self.done, self.whole_rows());
            if from == to {
                if self.is_end {
                    return Ok(None);
                }
                self.more()?;
                continue;
            }
            let rest = &self.buffer[to..self.filled];
            other.resize(other.len().max(rest.len()), 0);
            other[..rest.len()].copy_from_slice(rest);
            let bytes = std::mem::replace(&mut self.buffer, other);
            let offset = self.offset + from as u64;
            self.offset += to as u64;
            (self.filled, self.done) = (self.filled - to, 0);
            return Ok(Some((offset, bytes, from..to)));
        }
    }
}

impl Csv<io::Empty> {
    /// Reads the columns of a piece; false if it has anything but rows with values.
    fn columns(&mut self, piece: &mut Piece, like: &Block) -> bool {
        std::mem::swap(&mut self.buffer, &mut piece.bytes);
        (self.done, self.filled) = (piece.rows.start, piece.rows.end);
        self.build_index(piece.rows.end, like);
        piece.blocks.iter_mut().for_each(Block::clear);
        let mut at = 0;
        while self.index.left() > 0 {
            if at == piece.blocks.len() {
                piece.blocks.push(like.empty());
            }
            let block = &mut piece.blocks[at];
            while block.rows < BLOCK && self.index.left() > 0 {
                self.quickly(block);
            }
            if block.columns.iter_mut().any(|column| column.flaw.take().is_some()) {
                self.index.clear();
                at = 0;
                break;
            }
            at += 1;
        }
        std::mem::swap(&mut self.buffer, &mut piece.bytes);
        at > 0
    }
}

impl<R: Read + Seek> Reader for Pieces<R> {
    fn signals(&self) -> &[Signal] {
        &self.csv.head.signals
    }

    fn time(&self) -> Option<Time> {
        self.csv.head.time
    }

    fn select(&mut self, columns: &[Option<usize>]) {
        self.csv.select(columns);
    }

    fn fill(&mut self, block: &mut Block) -> Result<usize, Malformed> {
        block.advance();
        if matches!(self.work, Work::NotBegun) {
            self.begin(block);
        }
        if self.csv.broken.is_none() {
            let read = self.rows(block);
            self.csv.broken = self.csv.broken.take().or(read.err());
        }
        filled(block, self.csv.broken.as_ref())
    }

    fn mark(&self, block: &Block) -> Option<Mark> {
        match self.work {
            Work::Usual => Some(self.csv.mark(block)),
            Work::NotBegun | Work::Pieces(_) => Some(self.mark),
        }
    }

    fn go_to(&mut self, mark: Mark, block: &mut Block) -> Result<(), Malformed> {
        self.work = Work::Usual;
        self.blocks.clear();
        self.csv.go_to(mark, block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Input, Kind};
    use base::Random;

    /// All values, flaws and errors, and the marks.
    fn read(mut reader: impl Reader, inputs: &[Input]) -> (Vec<String>, Vec<Mark>) {
        reader.select(&(0..inputs.len()).map(Some).collect::<Vec<_>>());
        let mut block = Block::new(inputs);
        let (mut found, mut marks) = (Vec::new(), Vec::new());
        loop {
            match reader.fill(&mut block) {
                Ok(0) => break,
                Ok(rows) => {
                    for row in 0..rows {
                        let step = block.start + row as u64;
                        let value = |column: &crate::Column| match &column.flaw {
                            Some(flaw) if flaw.step <= step => format!("{}: {}", flaw.place, flaw.reason),
                            _ => format!("{:?}", column.value(row)),
                        };
                        found.push(format!(
                            "{step} {:?}",
                            block.columns.iter().map(value).collect::<Vec<_>>()
                        ));
                    }
                    assert!(rows == BLOCK || marks.len() * BLOCK + rows == found.len());
                    marks.extend(reader.mark(&block));
                }
                Err(error) => {
                    found.push(error.to_string());
                    break;
                }
            }
        }
        (found, marks)
    }

    #[test]
    fn any_number_of_cores_reads_the_same() {
        let mut random = Random::new(14);
        let kinds = [("t", Kind::Number), ("on", Kind::Truth), ("mode", Kind::Name)];
        let inputs = kinds.map(|(name, kind)| Input { name: name.into(), kind });
        for odd in ["", "\n", "9,2,x\n", "9,1\n", "9,1,\"a,b\"\n", "1e3,1,x\n", "9,1,7\n"] {
            let mut text = String::from("t,on,mode\n");
            let at = random.below(40_000_u64);
            for row in 0..40_000 {
                let (on, mode) = (random.below(2_u64), random.below(row / 1000 + 1));
                text += &format!("{row}.{:02},{on},m{mode}\n", row % 100);
                text += if row == at { odd } else { "" };
            }
            // The last row may have no line end.
            text.truncate(text.len() - random.below(2_usize));
            let open = || Csv::open(io::Cursor::new(text.as_bytes())).expect("a head");
            let (expected, _) = read(open(), &inputs);
            for cores in [1, 2, 5] {
                let (found, marks) = read(Pieces::new(open(), cores), &inputs);
                assert!(found == expected, "{odd:?} on {cores} cores");
                let mut csv = open();
                csv.select(&[Some(0)]);
                let mut block = Block::new(&inputs[..1]);
                for mark in marks.into_iter().filter(|mark| mark.step + 1 < 40_000 && odd.is_empty()) {
                    csv.go_to(mark, &mut block).expect("a place");
                    assert!(csv.fill(&mut block).expect("rows") > 0);
                    let (step, value) = (mark.step, block.columns[0].value(0));
                    let expected = logic::parse_decimal(&format!("{step}.{:02}", step % 100));
                    assert_eq!(value, logic::Value::Num(expected.expect("a decimal")));
                }
            }
        }
    }
}
