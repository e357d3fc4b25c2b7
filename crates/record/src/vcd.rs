//! Value change dumps (IEEE 1364, section 18): one step for each time at which something changes; between its changes a signal keeps its
//! value.
//!
//! The first signal is the time. Others have their scopes in their names, as in `top.tank.level`. A signal of one bit is a Boolean, a vector an
//! integer, with a sign if it is declared as `integer`. What has an `x` or `z`, or no value yet, has no value.

use crate::cell::Cell;
use crate::columns::{BLOCK, Block};
use crate::reader::{Malformed, Reader, Signal, Time, TimeUnit, filled};
use dashu_int::{IBig, UBig};
use logic::Sort;
use rustc_hash::FxHashMap;
use std::io::{BufRead, BufReader, Read};

/// The most bytes of a word.
const MAX_WORD: usize = 1 << 20;
/// The most signals.
const MAX_SIGNALS: usize = 1 << 20;

/// A value change dump.
#[derive(Debug)]
pub struct Vcd<R: Read> {
    words: Words<R>,
    signals: Vec<Signal>,
    /// For each signal but the time, how its bits are read, and its value so far.
    current: Vec<(Type, Option<String>)>,
    /// The signals with a code.
    codes: FxHashMap<Vec<u8>, Vec<usize>>,
    unit: TimeUnit,
    /// How many of these units a time of the file has.
    scale: u64,
    /// The time of the changes that are being read.
    now: Option<u64>,
    selected: Vec<Option<usize>>,
    is_end: bool,
    broken: Option<Malformed>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Bit,
    Natural,
    Integer,
    Real,
    Text,
}

/// The words of a file, with their lines.
#[derive(Debug)]
struct Words<R: Read> {
    input: BufReader<R>,
    line: u64,
    word: Vec<u8>,
}

impl<R: Read> Words<R> {
    /// Reads the next word; whether there is one.
    fn next(&mut self) -> Result<bool, Malformed> {
        self.word.clear();
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            if bytes.is_empty() {
                return Ok(!self.word.is_empty());
            }
            if self.word.is_empty() {
                let blank = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                self.line += bytes[..blank].iter().filter(|&&byte| byte == b'\n').count() as u64;
                if blank > 0 {
                    self.input.consume(blank);
                    continue;
                }
            }
            let length = bytes.iter().position(u8::is_ascii_whitespace);
            let taken = length.unwrap_or(bytes.len());
            self.word.extend(&bytes[..taken]);
            self.input.consume(taken);
            if self.word.len() > MAX_WORD {
                return Err(self.wrong(format!("a word is longer than {MAX_WORD} bytes")));
            }
            if length.is_some() {
                return Ok(true);
            }
        }
    }

    fn wrong(&self, reason: impl Into<String>) -> Malformed {
        Malformed { line: Some(self.line), reason: reason.into() }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.word).into_owned()
    }

    /// The words up to `$end`.
    fn section(&mut self, what: &str) -> Result<Vec<String>, Malformed> {
        let line = self.line;
        let mut words = Vec::new();
        while self.next()? {
            if self.word == b"$end" {
                return Ok(words);
            }
            // Comments may be long.
            if words.len() < 64 {
                words.push(self.text());
            }
        }
        Err(Malformed {
            line: Some(line),
            reason: format!("`{what}` has no `$end`; the file may be cut off"),
        })
    }
}

impl<R: Read> Vcd<R> {
    /// Reads the declarations of a file.
    ///
    /// # Errors
    /// The file cannot be read, or its declarations are wrong.
    pub fn open(input: R) -> Result<Vcd<R>, Malformed> {
        let words = Words { input: BufReader::with_capacity(1 << 16, input), line: 1, word: Vec::new() };
        let time = Signal { name: "time".into(), unit: None, sort: Sort::Real };
        let mut vcd = Vcd {
            words,
            signals: vec![time],
            current: Vec::new(),
            codes: FxHashMap::default(),
            unit: TimeUnit::Second,
            scale: 1,
            now: None,
            selected: Vec::new(),
            is_end: false,
            broken: None,
        };
        let mut scopes: Vec<String> = Vec::new();
        let mut names = FxHashMap::default();
        while vcd.words.next()? {
            let keyword = vcd.words.text();
            match keyword.as_str() {
                "$enddefinitions" => {
                    vcd.words.section(&keyword)?;
                    return Ok(vcd);
                }
                "$timescale" => {
                    let text = vcd.words.section(&keyword)?.concat();
                    (vcd.scale, vcd.unit) = timescale(&text).ok_or_else(|| {
                        vcd.words.wrong(format!("`{text}` is not a time scale, such as `10 ns`"))
                    })?;
                }
                "$scope" => {
                    let words = vcd.words.section(&keyword)?;
                    scopes.push(words.get(1).cloned().unwrap_or_default());
                }
                "$upscope" => {
                    vcd.words.section(&keyword)?;
                    scopes.pop();
                }
                "$var" => {
                    let words = vcd.words.section(&keyword)?;
                    vcd.declare(&words, &scopes, &mut names)?;
                }
                word if word.starts_with('$') => {
                    vcd.words.section(&keyword)?;
                }
                other => {
                    let reason = format!("expected a declaration such as `$var`, found `{other}`");
                    return Err(vcd.words.wrong(reason));
                }
            }
        }
        Err(vcd.words.wrong("there is no `$enddefinitions`; the file may be cut off"))
    }

    /// Declares a signal: type, width, code, name and perhaps the range of its bits.
    fn declare(
        &mut self,
        words: &[String],
        scopes: &[String],
        names: &mut FxHashMap<String, usize>,
    ) -> Result<(), Malformed> {
        let [kind, width, code, name, ..] = words else {
            return Err(self.words.wrong("`$var` needs a type, a width, a code and a name"));
        };
        if self.current.len() == MAX_SIGNALS {
            return Err(self.words.wrong(format!("more than {MAX_SIGNALS} signals")));
        }
        let width: u32 =
            width.parse().map_err(|_| self.words.wrong(format!("`{width}` is not a number of bits")))?;
        let (kind, sort) = match (kind.as_str(), width) {
            ("real" | "realtime" | "real_parameter" | "shortreal", _) => (Type::Real, Sort::Real),
            ("string", _) => (Type::Text, Sort::Enum),
            ("integer" | "int" | "shortint" | "longint" | "byte", _) => (Type::Integer, Sort::Real),
            (_, 1) => (Type::Bit, Sort::Any),
            _ => (Type::Natural, Sort::Real),
        };
        // A range such as `[3:0]` is not part of the name, a single index is.
        let index = words.get(4).filter(|it| it.starts_with('[') && !it.contains(':'));
        let name = index.map_or(name.clone(), |index| format!("{name}{index}"));
        let mut path: Vec<&str> = scopes.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
        path.push(&name);
        let name = path.join(".");
        let at = self.current.len();
        match names.insert(name.clone(), at) {
            // Some tools declare a signal once for each of its places.
            Some(_) if self.codes.contains_key(code.as_bytes()) => return Ok(()),
            Some(_) => return Err(self.words.wrong(format!("the name `{name}` is used twice"))),
            None => {}
        }
        self.codes.entry(code.as_bytes().to_vec()).or_default().push(at);
        self.current.push((kind, None));
        self.signals.push(Signal { name, unit: None, sort });
        Ok(())
    }

    /// Reads the changes of a step up to the next time; the time of the step, or nothing at the end.
    fn step(&mut self) -> Result<Option<u64>, Malformed> {
        while self.words.next()? {
            let word = &self.words.word;
            match word[0] {
                b'#' => {
                    let text = String::from_utf8_lossy(&word[1..]).into_owned();
                    let time: u64 =
                        text.parse().map_err(|_| self.words.wrong(format!("`#{text}` is not a time")))?;
                    match self.now.replace(time) {
                        Some(now) if time < now => {
                            let reason = format!("the time {time} is before the one above, {now}");
                            return Err(self.words.wrong(reason));
                        }
                        Some(now) if time > now => return Ok(Some(now)),
                        _ => {}
                    }
                }
                b'$' => {
                    let keyword = self.words.text();
                    // The sections of dumps have changes in them.
                    if !keyword.starts_with("$dump") && keyword != "$end" {
                        self.words.section(&keyword)?;
                    }
                }
                b'b' | b'B' | b'r' | b'R' | b's' | b'S' => {
                    let value = self.words.text();
                    if !self.words.next()? {
                        let reason = format!("`{value}` has no signal; the file may be cut off");
                        return Err(self.words.wrong(reason));
                    }
                    let code = std::mem::take(&mut self.words.word);
                    self.change(value.get(1..).unwrap_or_default(), &code)?;
                }
                first if first.is_ascii() && word.len() > 1 => {
                    let (value, code) = (char::from(first).to_string(), word[1..].to_vec());
                    self.change(&value, &code)?;
                }
                _ => {
                    let reason = format!("`{}` is not a change of a value", self.words.text());
                    return Err(self.words.wrong(reason));
                }
            }
        }
        Ok(self.now.take())
    }

    /// Changes the value of the signals with a code.
    fn change(&mut self, value: &str, code: &[u8]) -> Result<(), Malformed> {
        let Some(signals) = self.codes.get(code) else {
            let reason = format!("no signal has the code `{}`", String::from_utf8_lossy(code));
            return Err(self.words.wrong(reason));
        };
        for &at in signals {
            let (kind, current) = &mut self.current[at];
            let Some(value) = kind.value(value) else {
                let (name, line) = (&self.signals[at + 1].name, self.words.line);
                return Err(Malformed {
                    line: Some(line),
                    reason: format!("`{value}` is not a value of `{name}`"),
                });
            };
            *current = Some(value);
        }
        Ok(())
    }

    fn row(&self, block: &mut Block, time: u64) {
        let (row, step) = (block.rows, block.start + block.rows as u64);
        for (column, selected) in block.columns.iter_mut().zip(&self.selected) {
            let Some(at) = *selected else { continue };
            let place = || format!("time {time}, `{}`", self.signals[at].name);
            let cell = match at.checked_sub(1).map(|at| self.current[at].1.as_deref()) {
                None => Cell::Natural(time.saturating_mul(self.scale)),
                Some(None) => Cell::Missing("there is no value yet"),
                Some(Some(value)) if value.contains(['x', 'z']) => {
                    Cell::Missing("the value is undefined (x or z)")
                }
                Some(Some(value)) => Cell::Text(value),
            };
            column.put(row, step, cell, place);
        }
        block.rows += 1;
    }
}

impl Type {
    /// A value as a text: digits, a name, or `x` where it is undefined; `None` if it is not one of this type.
    fn value(self, text: &str) -> Option<String> {
        let is_undefined = |text: &str| text.chars().any(|bit| "xXzZuUwWhHlL-".contains(bit));
        match self {
            Type::Real => logic::parse_number(text).map(|_| text.to_owned()),
            Type::Text => Some(text.to_owned()),
            Type::Bit if matches!(text, "0" | "1") => Some(text.to_owned()),
            Type::Bit => (text.len() == 1 && is_undefined(text)).then(|| "x".to_owned()),
            Type::Natural | Type::Integer if is_undefined(text) => Some("x".to_owned()),
            Type::Natural => UBig::from_str_radix(text, 2).ok().map(|number| number.to_string()),
            Type::Integer => {
                let number = IBig::from(UBig::from_str_radix(text, 2).ok()?);
                // A full word with its highest bit set is negative; shorter ones are extended with zeros.
                let is_negative = text.len() >= 32 && text.starts_with('1');
                let range = IBig::from(UBig::ONE << text.len());
                Some(if is_negative { number - range } else { number }.to_string())
            }
        }
    }
}

/// A time scale such as `10 ns`, as a number and a unit.
fn timescale(text: &str) -> Option<(u64, TimeUnit)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok().filter(|number| matches!(number, 1 | 10 | 100))?;
    Some((number, TimeUnit::parse(unit)?))
}

impl<R: Read> Reader for Vcd<R> {
    fn signals(&self) -> &[Signal] {
        &self.signals
    }

    fn time(&self) -> Option<Time> {
        Some(Time { column: 0, is_date: false, unit: self.unit })
    }

    fn select(&mut self, columns: &[Option<usize>]) {
        self.selected = columns.to_vec();
    }

    fn fill(&mut self, block: &mut Block) -> Result<usize, Malformed> {
        block.advance();
        while block.rows < BLOCK && !self.is_end && self.broken.is_none() {
            match self.step() {
                Ok(Some(time)) => self.row(block, time),
                Ok(None) => self.is_end = true,
                Err(error) => self.broken = Some(error),
            }
        }
        filled(block, self.broken.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Kind};

    /// The values of a signal and of the time at each step, and what is wrong at the end.
    fn read(text: &[u8], name: &str, kind: Kind) -> Result<String, Malformed> {
        let mut vcd = Vcd::open(text)?;
        let at = vcd.signals().iter().position(|signal| signal.name == name);
        vcd.select(&[at, Some(0)]);
        let inputs = [kind, Kind::Number].map(|kind| Input { name: name.into(), kind });
        let mut block = Block::new(&inputs);
        let mut out = String::new();
        loop {
            match vcd.fill(&mut block) {
                Ok(0) => break,
                Ok(rows) => {
                    for row in 0..rows {
                        let step = block.start + row as u64;
                        let shown = |column: usize| {
                            let column = &block.columns[column];
                            match column.flaw.as_ref().filter(|flaw| flaw.step <= step) {
                                Some(flaw) => format!("({}: {})", flaw.place, flaw.reason),
                                None => match column.value(row) {
                                    logic::Value::Num(number) => number.to_string(),
                                    logic::Value::Bool(truth) => u8::from(truth).to_string(),
                                    logic::Value::Name(name) => name,
                                },
                            }
                        };
                        out += &format!("{}@{} ", shown(0), shown(1));
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

    const HEAD: &str = "$date today $end\n$timescale 10 us $end\n$scope module top $end\n$var wire 1 ! on $end\n\
        $var reg 4 \" level [3:0] $end\n$var integer 32 # delta $end\n$scope module in $end\n$var real 64 $ x $end\n\
        $var string 1 % mode $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n";

    fn check(changes: &str, name: &str, kind: Kind, expected: &str) {
        let text = format!("{HEAD}{changes}");
        let found = read(text.as_bytes(), name, kind).unwrap_or_else(|error| error.to_string());
        assert_eq!(found, expected, "{changes}");
    }

    #[test]
    fn steps_are_the_times_of_changes() {
        use Kind::{Name, Number, Truth};
        let changes = "$dumpvars 0! b0011 \" r1.5 $ sidle % b0 # $end\n#0\n#5\n1!\n#7\nb1x \"\n#7\nr-2e1 $\nsrun %\nb11111111111111111111111111111110 #\n#9\n0!\n";
        check(changes, "top.on", Truth, "0@0 1@50 1@70 0@90");
        check(
            changes,
            "top.level",
            Number,
            "3@0 3@50 (time 7, `top.level`: the value is undefined (x or z))@70 (time 7, `top.level`: the value is undefined (x or z))@90",
        );
        check(changes, "top.in.x", Number, "3/2@0 3/2@50 -20@70 -20@90");
        check(changes, "top.in.mode", Name, "idle@0 idle@50 run@70 run@90");
        check(changes, "top.delta", Number, "0@0 0@50 -2@70 -2@90");
        check(
            "#3 1! #4",
            "top.level",
            Number,
            "(time 3, `top.level`: there is no value yet)@30 (time 3, `top.level`: there is no value yet)@40",
        );
        check("", "top.on", Truth, "");
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        use Kind::Truth;
        check("#1\n1!\n#0\n", "top.on", Truth, "! line 15: the time 0 is before the one above, 1");
        check("#1\n1!\n#2\n1?\n", "top.on", Truth, "1@10 ! line 16: no signal has the code `?`");
        check(
            "#1\n1!\n#2\nb102 \"\n",
            "top.on",
            Truth,
            "1@10 ! line 16: `102` is not a value of `top.level`",
        );
        check(
            "#1\n1!\n#2\nb1",
            "top.on",
            Truth,
            "1@10 ! line 16: `b1` has no signal; the file may be cut off",
        );
        check("#1\n1!\n#x", "top.on", Truth, "! line 15: `#x` is not a time");
        for (text, expected) in [
            ("", "line 1: there is no `$enddefinitions`; the file may be cut off"),
            ("a,b\n", "line 1: expected a declaration such as `$var`, found `a,b`"),
            ("$timescale 3 s $end", "line 1: `3s` is not a time scale, such as `10 ns`"),
            ("$var wire $end", "line 1: `$var` needs a type, a width, a code and a name"),
            ("$var wire 1 !", "line 1: `$var` has no `$end`; the file may be cut off"),
            ("$var wire 1 ! a $end\n$var wire 1 \" a $end", "line 2: the name `a` is used twice"),
        ] {
            assert_eq!(
                read(text.as_bytes(), "a", Truth).map_err(|error| error.to_string()),
                Err(expected.into())
            );
        }
    }

    #[test]
    fn any_bytes_are_read_to_an_end() {
        let mut random = base::Random::new(6);
        for _ in 0..4000 {
            let mut text = if random.below(2_u64) == 0 { HEAD.as_bytes().to_vec() } else { Vec::new() };
            let length = random.below(80_usize);
            text.extend((0..length).map(|_| random.pick(b"$$##01xzbrs!\"%  \n\nend\xff")));
            let _ = read(&text, "top.on", Kind::Truth);
        }
    }
}
