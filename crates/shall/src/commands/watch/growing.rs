//! Standard input as bytes that grow: what has arrived is an end until more arrives, so that a reader of files can follow it.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// The most bytes that are read at a time, unless a row is longer.
const PIECE: usize = 1 << 16;
/// The most bytes of a row.
const MAX_ROW: usize = 1 << 26;
/// The lines that tell what the columns are: the header, units, and a row.
const HEAD: usize = 3;

/// The bytes that have arrived and are still needed.
pub(super) struct Growing<R>(RefCell<State<R>>);

struct State<R> {
    input: BufReader<R>,
    bytes: Vec<u8>,
    /// The number of bytes before these.
    start: u64,
    /// The next byte to read.
    next: usize,
}

impl<R: Read> Growing<R> {
    /// Waits for the first lines.
    pub(super) fn of(input: R) -> io::Result<Growing<R>> {
        let input = BufReader::with_capacity(PIECE, input);
        let growing = Growing(RefCell::new(State { input, bytes: Vec::new(), start: 0, next: 0 }));
        while growing.0.borrow().lines() < HEAD && growing.more()? {}
        Ok(growing)
    }

    /// Waits for the next whole row, and takes all that have arrived; false at the end of the input.
    pub(super) fn more(&self) -> io::Result<bool> {
        let state = &mut *self.0.borrow_mut();
        let old = state.bytes.len();
        loop {
            let there = state.input.fill_buf()?;
            let whole = there.iter().rposition(|byte| *byte == b'\n').map_or(there.len(), |end| end + 1);
            if whole == 0 {
                return Ok(state.bytes.len() > old);
            }
            state.bytes.extend(&there[..whole]);
            state.input.consume(whole);
            let new = &state.bytes[old..];
            // A quoted cell may have line ends.
            let is_open = new.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
            if (new.ends_with(b"\n") && !is_open) || new.len() > MAX_ROW {
                return Ok(true);
            }
        }
    }
}

impl<R> State<R> {
    /// The number of whole lines that are not comments.
    fn lines(&self) -> usize {
        let lines = self.bytes.split_inclusive(|byte| *byte == b'\n');
        lines.filter(|line| line.ends_with(b"\n") && !line.starts_with(b"#") && line.len() > 1).count()
    }
}

impl<R> Read for &Growing<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let state = &mut *self.0.borrow_mut();
        let count = (&state.bytes[state.next..]).read(out)?;
        state.next += count;
        Ok(count)
    }
}

impl<R> Seek for &Growing<R> {
    /// Goes to a place that was not passed before; what is before it is forgotten.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let state = &mut *self.0.borrow_mut();
        let SeekFrom::Start(to) = to else { return Err(io::ErrorKind::Unsupported.into()) };
        let passed = to.checked_sub(state.start).and_then(|passed| usize::try_from(passed).ok());
        let passed =
            passed.filter(|&passed| passed <= state.bytes.len()).ok_or(io::ErrorKind::InvalidInput)?;
        state.bytes.drain(..passed);
        (state.start, state.next) = (to, 0);
        Ok(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its texts one by one.
    struct Pieces(Vec<&'static str>);

    impl Read for Pieces {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let text = self.0.remove(0).as_bytes();
            out[..text.len()].copy_from_slice(text);
            Ok(text.len())
        }
    }

    fn read(mut growing: &Growing<Pieces>) -> String {
        let mut text = String::new();
        growing.read_to_string(&mut text).expect("text");
        text
    }

    #[test]
    fn rows_arrive_whole() {
        let pieces = vec!["# note\na,b\n", "s,", "m\n1,2\n", "3", ",4\n5,\"x", "\ny\"\n", "6,7"];
        let growing = Growing::of(Pieces(pieces)).expect("a head");
        assert_eq!(read(&growing), "# note\na,b\ns,m\n1,2\n");
        (&growing).seek(SeekFrom::Start(15)).expect("a place");
        assert_eq!(read(&growing), "1,2\n");
        let mut arrived = Vec::new();
        while growing.more().expect("more") {
            arrived.push(read(&growing));
        }
        assert_eq!(arrived, ["3,4\n", "5,\"x\ny\"\n", "6,7"]);
        assert!((&growing).seek(SeekFrom::Start(3)).is_err());
    }
}
