//! Requirements on a recorded trace: all in one pass over its blocks, in constant memory.
//!
//! A violation is a run of consecutive steps that violate the requirement; [`Findings`] counts the steps and lists the runs.

use crate::columns::{Bits, Block, Input, Kind, Purpose, WORDS};
use crate::deadline::{Pending, Sample, Timed};
use crate::machine::Machine;
use crate::program::{NotPast, Op, Program, Rail, Register};
use logic::{EvalError, Formula, Store};
use requirement::Watch;
use std::collections::BTreeSet;

/// The most runs that are listed for a requirement.
pub const MAX_RUNS: usize = 1000;

/// Requirements in the course of a trace.
#[derive(Debug, Clone)]
pub struct Check {
    machine: Machine,
    watched: Vec<Watched>,
    steps: u64,
}

/// What was found about one requirement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// The number of steps that violate it.
    pub count: u64,
    /// The number of runs of such steps.
    pub run_count: u64,
    /// The first [`MAX_RUNS`] runs.
    pub runs: Vec<Run>,
    /// Whether it was ever triggered.
    pub triggered: bool,
    /// Whether it was ever in scope.
    pub in_scope: bool,
    /// The first step at which an undefined value leaves it open whether the requirement is violated.
    pub undefined: Option<(u64, EvalError)>,
    /// The last step so far that violates it.
    last: Option<u64>,
}

/// Consecutive steps that violate a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The first step.
    pub first: u64,
    /// The last step.
    pub last: u64,
    /// The first step of the scope interval.
    pub interval: u64,
    /// The trigger that was active for longest; `None` if it is found at a bounded distance before the first step.
    pub trigger: Option<u64>,
}

#[derive(Debug, Clone)]
struct Watched {
    bad: Option<Rail>,
    bad_at_end: Option<Rail>,
    left: Option<Rail>,
    trigger: Register,
    scope: Since,
    active: Option<Since>,
    deadline: Option<Deadline>,
    readers: BTreeSet<Register>,
    columns: BTreeSet<usize>,
    /// Whether a cell without a value was met, so that the verdict at the end is not known.
    is_open: bool,
    findings: Findings,
}

/// A duration in real time.
#[derive(Debug, Clone)]
struct Deadline {
    unmet: Register,
    pending: Pending,
}

/// A formula of which the start of the current run is known.
#[derive(Debug, Clone)]
struct Since {
    register: Register,
    /// The first step of the run that reaches the end of the last block.
    start: u64,
}

impl Check {
    /// A check of requirements in one store. `kind` says what a variable is read as where it is compared or computed with.
    ///
    /// # Errors
    /// One of the formulas is not of past time.
    pub fn new(store: &Store, watches: &[Watch], kind: impl Fn(&str) -> Kind) -> Result<Check, NotPast> {
        let watches: Vec<(Watch, Option<Timed>)> = watches.iter().map(|watch| (*watch, None)).collect();
        Check::timed(store, &watches, kind)
    }

    /// As [`new`](Check::new), where some requirements have a duration in real time: only their scopes and triggers are watched as
    /// formulas, and each block must come with its times.
    ///
    /// # Errors
    /// One of the formulas is not of past time.
    pub fn timed(
        store: &Store,
        watches: &[(Watch, Option<Timed>)],
        kind: impl Fn(&str) -> Kind,
    ) -> Result<Check, NotPast> {
        let roots: Vec<Formula> = watches.iter().flat_map(formulas).collect();
        let program = Program::new(store, &roots, kind)?;
        let watched = watches.iter().map(|watch| Watched::new(store, &program, watch)).collect();
        Ok(Check { machine: Machine::new(program), watched, steps: 0 })
    }

    /// The columns that the requirements need, in the order in which blocks have them.
    pub fn inputs(&self) -> &[Input] {
        &self.machine.program.inputs
    }

    /// A block for these columns, and for those after them that the clock reads.
    pub fn block_of(&self, inputs: &[Input]) -> Block {
        let mut block = Block::new(inputs);
        for column in self.machine.program.compared().into_iter().chain(self.inputs().len()..inputs.len()) {
            block.columns[column].purpose = Purpose::Order;
        }
        block
    }

    /// The columns that one requirement needs, as indices into [`inputs`](Check::inputs).
    pub fn columns(&self, requirement: usize) -> impl Iterator<Item = usize> + '_ {
        self.watched[requirement].columns.iter().copied()
    }

    /// The number of operations of the whole check.
    pub fn operations(&self) -> usize {
        self.machine.program.ops.len()
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Reads the next block.
    pub fn block(&mut self, store: &Store, block: &Block) {
        self.block_at(store, block, &[]);
    }

    /// Reads the next block with the times of its steps.
    pub fn block_at(&mut self, store: &Store, block: &Block, times: &[i128]) {
        if block.rows == 0 {
            return;
        }
        self.machine.run(store, block);
        for watched in &mut self.watched {
            watched.block(&self.machine, block, times);
        }
        self.steps = block.start + block.rows as u64;
    }

    /// What was found up to here, for each requirement, in a trace whose end is not known.
    pub fn stop(self) -> Vec<Findings> {
        self.watched.into_iter().map(|it| it.findings).collect()
    }

    /// What was found, for each requirement; the trace ends here.
    pub fn finish(mut self) -> Vec<Findings> {
        let Some(last) = self.steps.checked_sub(1) else { return self.stop() };
        // The block that ended the trace may have been full.
        let row = (last % crate::BLOCK as u64) as usize;
        for watched in &mut self.watched {
            watched.end(&self.machine, row, last);
            // What is compared with something of another kind has no value at any step.
            let wrong = watched.readers.iter().filter_map(|reader| self.machine.wrong.get(reader));
            if let Some((step, error)) =
                wrong.filter(|(_, error)| !error.is_of_values()).min_by_key(|it| it.0)
            {
                watched.findings.undefined = Some((*step, error.clone()));
            }
        }
        self.stop()
    }
}

fn formulas((watch, timed): &(Watch, Option<Timed>)) -> Vec<Formula> {
    let Watch { bad, bad_at_end, left, trigger, scope, active } = *watch;
    match timed {
        None => [bad, bad_at_end, left, trigger, scope].into_iter().chain(active).collect(),
        Some(timed) => vec![trigger, scope, timed.unmet],
    }
}

impl Watched {
    fn new(store: &Store, program: &Program, of: &(Watch, Option<Timed>)) -> Watched {
        let (watch, timed) = of;
        let used = |formula: Formula| {
            let rail = program.rail(formula);
            (!matches!(program.ops[rail.holds], Op::Constant(false))).then_some(rail)
        };
        let since = |formula: Formula| Since { register: program.rail(formula).holds, start: 0 };
        let readers = program.readers(store, &formulas(of));
        // Durations in real time have none of these.
        let by_steps = |formula: Formula| if timed.is_none() { used(formula) } else { None };
        let deadline = timed.map(|timed| Deadline {
            unmet: program.rail(timed.unmet).holds,
            pending: Pending::new(timed.demand, timed.length),
        });
        Watched {
            bad: by_steps(watch.bad),
            bad_at_end: by_steps(watch.bad_at_end),
            left: by_steps(watch.left),
            deadline,
            trigger: program.rail(watch.trigger).holds,
            scope: since(watch.scope),
            active: watch.active.filter(|_| timed.is_none()).map(since),
            columns: readers.iter().flat_map(|&reader| program.columns(reader)).collect(),
            readers,
            is_open: false,
            findings: Findings::default(),
        }
    }

    /// The rows of a block before the first cell of a column of this requirement that has no value: from there on nothing is known.
    fn rows(&self, block: &Block) -> usize {
        let flaws = self.columns.iter().filter_map(|&column| block.columns[column].flaw.as_ref());
        let until = flaws.map(|flaw| flaw.step.saturating_sub(block.start)).min().unwrap_or(u64::MAX);
        usize::try_from(until).unwrap_or(usize::MAX).min(block.rows)
    }

    fn block(&mut self, machine: &Machine, block: &Block, times: &[i128]) {
        let rows = self.rows(block);
        self.is_open |= rows < block.rows;
        if rows == 0 {
            return;
        }
        let any = |register: Register| is_any(machine.register(register), rows);
        self.findings.in_scope = self.findings.in_scope || any(self.scope.register);
        self.findings.triggered = self.findings.triggered || any(self.trigger);
        // A formula is judged at a step, or one step later.
        for (rail, later) in [(self.bad, 0), (self.left, 1)] {
            let Some(rail) = rail else { continue };
            let holds = machine.register(rail.holds);
            let is_bad = is_any(holds, rows);
            if is_bad && self.findings.runs.len() == MAX_RUNS {
                self.findings.count(holds, block.start.saturating_sub(later), rows);
            } else if is_bad {
                for (from, to) in runs(holds, rows) {
                    let first = (block.start + from as u64).saturating_sub(later);
                    let last = (block.start + to as u64).saturating_sub(later);
                    self.add(machine, block, first, last);
                }
            }
            if let Some(fails) = rail.fails {
                let known = machine.register(fails);
                let open = masked(holds, rows).find_map(|(at, word)| {
                    let valid = mask(rows - 64 * at);
                    let open = !(word | known[at]) & valid;
                    (open != 0).then(|| block.start + 64 * at as u64 + u64::from(open.trailing_zeros()))
                });
                self.open(machine, open.map(|step| step.saturating_sub(later)));
            }
        }
        self.deadlines(machine, block, &times[..rows.min(times.len())]);
        self.scope.advance(machine, block);
        if let Some(active) = &mut self.active {
            active.advance(machine, block);
        }
    }

    /// Judges durations in real time.
    fn deadlines(&mut self, machine: &Machine, block: &Block, times: &[i128]) {
        let Some(deadline) = &mut self.deadline else { return };
        if deadline.pending.is_empty() && !is_any(machine.register(self.trigger), block.rows) {
            return;
        }
        let at = |register: Register, row: usize| machine.register(register)[row / 64] >> (row % 64) & 1 == 1;
        for (row, &time) in times.iter().enumerate() {
            let step = block.start + row as u64;
            let sample = Sample {
                step,
                time,
                in_scope: at(self.scope.register, row),
                trigger: at(self.trigger, row),
                unmet: at(deadline.unmet, row),
            };
            if let Some(trigger) = deadline.pending.sample(sample) {
                let interval = self.scope.at(machine, block, step);
                self.findings.add(Run { first: step, last: step, interval, trigger: Some(trigger) });
            }
        }
    }

    /// Judges the last step of the trace.
    fn end(&mut self, machine: &Machine, row: usize, last: u64) {
        let Some(rail) = self.bad_at_end.filter(|_| !self.is_open) else { return };
        let bit = |register: Register| machine.register(register)[row / 64] >> (row % 64) & 1 == 1;
        if bit(rail.holds) {
            let interval = self.scope.start;
            let trigger = self.active.as_ref().map(|active| active.start);
            self.findings.add(Run { first: last, last, interval, trigger });
        } else if rail.fails.is_some_and(|fails| !bit(fails)) {
            self.open(machine, Some(last));
        }
    }

    /// Records a step at which the verdict is open.
    fn open(&mut self, machine: &Machine, step: Option<u64>) {
        if let (Some(step), None) = (step, &self.findings.undefined) {
            let why =
                self.readers.iter().filter_map(|reader| machine.wrong.get(reader)).min_by_key(|it| it.0);
            let error = why.map_or(EvalError::UnfilledHole, |(_, error)| error.clone());
            self.findings.undefined = Some((step, error));
        }
    }

    fn add(&mut self, machine: &Machine, block: &Block, first: u64, last: u64) {
        let interval = self.scope.at(machine, block, first);
        let trigger = self.active.as_ref().map(|active| active.at(machine, block, first));
        self.findings.add(Run { first, last, interval, trigger });
    }
}

impl Findings {
    /// Adds a run, which continues the last one if it begins right after it.
    fn add(&mut self, run: Run) {
        self.count += run.last - run.first + 1;
        let goes_on = self.last.is_some_and(|last| last + 1 == run.first);
        self.last = Some(run.last);
        self.run_count += u64::from(!goes_on);
        // Beyond the most that are listed, runs are only counted.
        if self.run_count <= MAX_RUNS as u64 {
            match self.runs.last_mut() {
                Some(before) if goes_on => before.last = run.last,
                _ => self.runs.push(run),
            }
        }
    }

    /// Counts the steps and runs of a block that begins at a step, after the list is full.
    fn count(&mut self, holds: &Bits, start: u64, rows: usize) {
        let was_bad = self.last.is_some_and(|last| last + 1 == start);
        let listed = self.run_count <= MAX_RUNS as u64;
        // Simple loops over whole words, which the compiler turns into vector operations.
        let mut bad = [0; WORDS];
        masked(holds, rows).for_each(|(at, word)| bad[at] = word);
        let mut first = [0; WORDS];
        first[0] = bad[0] & !(bad[0] << 1 | u64::from(was_bad));
        for (first, pair) in first[1..].iter_mut().zip(bad.windows(2)) {
            *first = pair[1] & !(pair[1] << 1 | pair[0] >> 63);
        }
        let ones = |words: &Bits| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        self.count += ones(&bad);
        self.run_count += ones(&first);
        if let Some(at) = bad.iter().rposition(|&word| word != 0) {
            self.last = Some(start + 64 * at as u64 + 63 - u64::from(bad[at].leading_zeros()));
        }
        // The last run of the list may go on.
        if let Some(last) = self.runs.last_mut().filter(|_| listed && was_bad) {
            let length = runs(holds, rows).first().filter(|run| run.0 == 0).map_or(0, |run| run.1 + 1);
            last.last += length as u64;
        }
    }
}

impl Since {
    /// The first step of the run in which a step is, which is in this block or the last one before it.
    fn at(&self, machine: &Machine, block: &Block, step: u64) -> u64 {
        let Some(row) = step.checked_sub(block.start) else { return self.start };
        let bits = machine.register(self.register);
        let row = row as usize;
        let mut word = !bits[row / 64] & mask(row % 64 + 1);
        for at in (0..=row / 64).rev() {
            if word != 0 {
                return block.start + (64 * at + 64 - word.leading_zeros() as usize) as u64;
            }
            word = if at == 0 { 0 } else { !bits[at - 1] };
        }
        self.start
    }

    fn advance(&mut self, machine: &Machine, block: &Block) {
        self.start = self.at(machine, block, block.start + block.rows as u64 - 1);
    }
}

/// The lowest bits of a word.
fn mask(bits: usize) -> u64 {
    if bits >= 64 { !0 } else { (1 << bits) - 1 }
}

/// Whether a bit is set in the first rows.
fn is_any(bits: &Bits, rows: usize) -> bool {
    let whole = rows / 64;
    let last = if whole == WORDS { 0 } else { bits[whole] & mask(rows % 64) };
    bits[..whole].iter().fold(last, |any, word| any | word) != 0
}

/// The words of the first rows, without what is after them.
fn masked(bits: &Bits, rows: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
    (0..rows.div_ceil(64).min(WORDS)).map(move |at| (at, bits[at] & mask(rows - 64 * at)))
}

/// The runs of set bits in the first rows, as their first and last rows.
fn runs(bits: &Bits, rows: usize) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, mut word) in masked(bits, rows) {
        let mut offset = 64 * at;
        while word != 0 {
            let skip = word.trailing_zeros();
            let length = (word >> skip).trailing_ones();
            let from = offset + skip as usize;
            let to = from + length as usize - 1;
            match runs.last_mut() {
                Some(last) if last.1 + 1 == from => last.1 = to,
                _ => runs.push((from, to)),
            }
            let used = skip + length;
            word = if used == 64 { 0 } else { word >> used };
            offset += used as usize;
        }
    }
    runs
}
