//! The same question about many sentences: read as they come, answered on all cores, written in their order.
//!
//! Standard input is read in pieces of whole lines. Each piece is answered by one thread, and only a few pieces are under
//! way at a time: memory does not grow with the input, and a line that comes slowly does not hold up those before it.

use crate::around::{Asked, Keeps, Sources};
use crate::cli::{Output, ProjectPath, Sentences};
use crate::files::{is_standard, print_bytes, tell};
use crate::json::List;
use crate::reading::{Given, Reading, SharedUnit, lines};
use crate::{Error, Outcome};
use logic::Store;
use requirement::Context;
use std::io::{self, BufRead, BufReader, Read as _};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

/// The most bytes of one piece of standard input, unless a line is longer.
const PIECE: usize = 1 << 16;
/// The most bytes of one line.
const MAX_LINE: u64 = 1 << 30;

/// A question about sentences.
pub(crate) struct Question<'c> {
    pub(crate) sentences: &'c [String],
    pub(crate) around: &'c ProjectPath,
    pub(crate) context: &'c Context,
    pub(crate) output: Output,
    /// The names whose definitions in the project are not used.
    pub(crate) keeps: Keeps<'c>,
    /// Whether sentences that are answered one by one share a unit of time while the length of a step is not known.
    pub(crate) share: bool,
}

impl<'c> Question<'c> {
    /// A question about the meaning of sentences, with everything that the project defines.
    pub(crate) fn of(input: &'c Sentences, context: &'c Context, output: Output) -> Question<'c> {
        let Sentences { sentences, around, .. } = input;
        Question { sentences, around, context, output, keeps: &|_| true, share: true }
    }
}

/// What is said about a sentence.
struct Answer {
    outcome: Outcome,
    /// Diagnostics for people.
    told: String,
    /// What people read, or a JSON document.
    text: String,
}

type Piece = io::Result<Vec<u8>>;
type Answers = io::Result<Vec<Answer>>;
/// Pieces that nobody has taken, and where the answers are awaited; nothing at the end.
type Queue = Mutex<Option<(Receiver<Piece>, SyncSender<Receiver<Answers>>)>>;

impl Question<'_> {
    /// Answers the sentences one by one. `work` gives the outcome and the text for a sentence.
    pub(crate) fn one_by_one(
        &self,
        mut work: impl FnMut(&mut Reading) -> (Outcome, String),
    ) -> Result<Outcome, Error> {
        let mut writer = Writer::new(self.output);
        let mut unit = SharedUnit::default();
        let mut answer = |mut reading: Reading| {
            if self.share && self.context.step.is_none() && reading.id.is_none() {
                unit.admit(&mut reading);
            }
            writer.write(vec![self.answer(reading, &mut work)])
        };
        if self.is_list() {
            for piece in pieces() {
                let given = lines(&piece.map_err(unreadable)?).into_iter();
                given.map(|given| Reading::of(given, self.context)).try_for_each(&mut answer)?;
            }
        } else {
            let sources = Sources::open(self.around, self.sentences)?;
            for asked in sources.asked(self.sentences)? {
                answer(sources.reading(asked, self.context, self.keeps)?)?;
            }
        }
        writer.end()
    }

    /// Answers the sentences of standard input on all cores, others one by one.
    pub(crate) fn in_parallel(
        &self,
        work: impl Fn(&mut Reading) -> (Outcome, String) + Sync,
    ) -> Result<Outcome, Error> {
        if !self.is_list() {
            return self.one_by_one(work);
        }
        let answers = |bytes: Vec<u8>| -> Vec<Answer> {
            let answer = |given: Given| self.answer(Reading::of(given, self.context), &work);
            lines(&bytes).into_iter().map(answer).collect()
        };
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        let (order, ordered) = sync_channel(2 * threads);
        let queue: Queue = Mutex::new(Some((pieces(), order)));
        let mut writer = Writer::new(self.output);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some((piece, done)) = next(&queue) {
                        // Nobody waits for the answer if the output cannot be written.
                        let _ = done.send(piece.map(answers));
                    }
                });
            }
            for answers in ordered {
                let answers: Answers =
                    answers.recv().map_err(|_| Error::Internal("a thread ended early".into()))?;
                writer.write(answers.map_err(unreadable)?)?;
            }
            Ok(())
        })?;
        writer.end()
    }

    /// All sentences, read into one store; `asked` is what the arguments refer to.
    pub(crate) fn readings(
        &self,
        sources: &Sources,
        asked: &[Asked],
        store: &mut Store,
    ) -> Result<Vec<Reading>, Error> {
        let mut unit = SharedUnit::default();
        let mut readings = Vec::with_capacity(asked.len());
        for asked in asked {
            let shared = std::mem::take(store);
            let mut reading = sources.reading_within(shared, asked.clone(), self.context, self.keeps)?;
            *store = std::mem::take(&mut reading.store);
            if self.share && self.context.step.is_none() && reading.id.is_none() {
                unit.admit(&mut reading);
            }
            readings.push(reading);
        }
        Ok(readings)
    }

    fn is_list(&self) -> bool {
        matches!(self.sentences, [only] if is_standard(Path::new(only)))
    }

    fn answer(
        &self,
        mut reading: Reading,
        mut work: impl FnMut(&mut Reading) -> (Outcome, String),
    ) -> Answer {
        let (outcome, text) = work(&mut reading);
        let told = if self.output == Output::Human { reading.complaints() } else { String::new() };
        Answer { outcome, told, text }
    }
}

/// The next piece and where its answers go; the answers are awaited in the order of the pieces.
fn next(queue: &Queue) -> Option<(Piece, SyncSender<Answers>)> {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    let taken = queue.as_ref().and_then(|(pieces, order)| {
        let piece = pieces.recv().ok()?;
        let (done, answers) = sync_channel(1);
        order.send(answers).ok()?;
        Some((piece, done))
    });
    if taken.is_none() {
        *queue = None;
    }
    taken
}

/// The pieces of standard input, read by a thread of its own.
fn pieces() -> Receiver<Piece> {
    let (sender, receiver) = sync_channel(2);
    std::thread::spawn(move || {
        let mut input = BufReader::with_capacity(PIECE, io::stdin().lock());
        loop {
            let piece = piece(&mut input);
            let ends = piece.as_ref().map_or(true, Vec::is_empty);
            if matches!(&piece, Ok(piece) if piece.is_empty()) || sender.send(piece).is_err() || ends {
                return;
            }
        }
    });
    receiver
}

/// The whole lines that are there, or else the next line, waited for; nothing at the end of the input.
fn piece(input: &mut impl BufRead) -> Piece {
    let mut bytes = Vec::new();
    let there = input.fill_buf()?;
    if let Some(end) = there.iter().rposition(|byte| *byte == b'\n') {
        bytes.extend(&there[..=end]);
        input.consume(end + 1);
        return Ok(bytes);
    }
    let count = input.take(MAX_LINE).read_until(b'\n', &mut bytes)?;
    if count as u64 == MAX_LINE {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a line has more than 2^30 bytes"));
    }
    Ok(bytes)
}

fn unreadable(error: io::Error) -> Error {
    Error::Read("standard input".into(), error)
}

/// Writes answers in their order.
struct Writer {
    list: List,
    outcome: Outcome,
}

impl Writer {
    fn new(output: Output) -> Writer {
        Writer { list: List::new(output, "sentences"), outcome: Outcome::Fine }
    }

    fn write(&mut self, answers: Vec<Answer>) -> Result<(), Error> {
        let mut out = Vec::new();
        for Answer { outcome, told, text } in answers {
            self.outcome = self.outcome.max(outcome);
            if !told.is_empty() {
                print_bytes(&out)?;
                out.clear();
                tell(told);
            }
            self.list.add(&mut out, &text);
        }
        print_bytes(&out)
    }

    fn end(self) -> Result<Outcome, Error> {
        self.list.end().map(|()| self.outcome)
    }
}
