//! Monitors: one file with a `step` function for all requirements of a project, without any other code at run time.
//!
//! At each step the monitor reads the inputs, updates a state of constant size, and gives each requirement a code: violated, violated at
//! the step before (an interval ended there), violated if the run ends here, triggered, not checked. `body` has the statements for any
//! language, `ranges` what their arithmetic needs; `c`, `rust` and `python` write the files.
//!
//! Invariants: verdicts and violating steps are those of [`requirement::watch()`]; no statement depends on the number of steps; a value
//! that is not in the type of its variable makes the requirements that use it *not checked*, never satisfied.

mod body;
mod c;
mod python;
pub(super) mod ranges;
mod rust;

use super::expression::{Shared, Text};
use super::names::{Names, Renamed, Rules};
use super::scope::{Layout, Space};
use super::subjects::{Subject, Subjects};
use super::{Inexpressible, LeftOut};
use base::names::is_identifier;
use body::{Body, ROOM, Spelling};
use logic::memory::oldest_only;
use logic::{Bound, Formula, Node, Store, Unary};
use ranges::Integers;
use requirement::specification::{Component, Type, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The language of a monitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// C99.
    C,
    /// Rust without the standard library.
    Rust,
    /// Python 3 without packages.
    Python,
}

/// Options of a monitor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What the names of a file in C begin with.
    pub name: String,
    /// Whether real numbers are `float` and not `double`; C and Rust only.
    pub single: bool,
}

/// A monitor as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Monitor {
    /// The declarations, in languages that have a file for them.
    pub header: Option<String>,
    /// The text.
    pub text: String,
    /// The names that differ from those in the project.
    pub renamed: Vec<Renamed>,
    /// What the monitor does not watch.
    pub left_out: Vec<LeftOut>,
    /// The requirements that it watches, in the order of their numbers.
    pub watched: Vec<Watched>,
    /// The inputs of its `step` function.
    pub inputs: Vec<Field>,
    /// The bytes of the state in C, without padding.
    pub bytes: u64,
}

/// A requirement in a monitor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// Its id.
    pub id: String,
    /// The bytes of state that it adds to those of the requirements before it.
    pub bytes: u64,
    /// Whether it depends on floating-point numbers that are rounded.
    pub is_rounded: bool,
}

/// An input of a monitor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The variable.
    pub variable: Variable,
    /// Its name in the file.
    pub name: String,
    /// The literals of its enumeration as they are written in the file.
    pub literals: Vec<String>,
}

/// Why there is no monitor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoMonitor {
    /// The name is not an identifier.
    Name(String),
    /// There is no requirement that can be watched; the first reason is given.
    Nothing(Option<LeftOut>),
}

impl fmt::Display for NoMonitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoMonitor::Name(name) => {
                write!(
                    f,
                    "`{name}` cannot begin a name: use letters, digits and `_`, and begin with a letter"
                )
            }
            NoMonitor::Nothing(None) => write!(f, "there is no requirement to watch"),
            NoMonitor::Nothing(Some(first)) => write!(f, "no requirement can be watched; {first}"),
        }
    }
}

impl std::error::Error for NoMonitor {}

/// The monitor of the requirements of components.
///
/// # Errors
/// No requirement can be watched, or the name is not one.
pub fn write(
    store: &mut Store,
    components: &[Component],
    language: Language,
    options: &Options,
) -> Result<Monitor, NoMonitor> {
    let subjects = Subjects::of(store, components);
    write_subjects(store, subjects, language, options)
}

/// The monitor of requirements, or of other formulas that are judged in the same way.
///
/// # Errors
/// None of them can be watched, or the name is not one.
pub fn write_subjects(
    store: &mut Store,
    mut subjects: Subjects,
    language: Language,
    options: &Options,
) -> Result<Monitor, NoMonitor> {
    let Options { name, single } = options;
    if !is_identifier(name, "") || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err(NoMonitor::Name(name.clone()));
    }
    for subject in &mut subjects.list {
        subject.watch.bad = without_long_delay(store, subject.watch.bad);
    }
    match language {
        Language::C => c::write(store, &subjects, name, *single),
        Language::Rust => rust::write(store, &subjects, *single),
        Language::Python => python::write(store, &subjects),
    }
}

/// `within n` remembers n steps exactly. Where they are too many, one counter of the oldest trigger without a response is enough for the
/// first violation; after it, the requirement stays violated until the response.
fn without_long_delay(store: &mut Store, bad: Formula) -> Formula {
    let too_long = |id: logic::Id| match store.node(id) {
        Node::Unary(Unary::Once | Unary::Historically, bound, _) => {
            logic::memory::plan(*bound, ROOM).is_err()
        }
        _ => false,
    };
    if !store.reachable([bad.id()]).into_iter().any(too_long) {
        return bad;
    }
    let met = match *store.node(bad) {
        Node::And(ref operands) => {
            let due = |f: &&Formula| matches!(store.node(**f), Node::Unary(Unary::Once, bound, _) if bound.is_point());
            let Some(due) = operands.iter().find(due).copied() else { return bad };
            let others: Vec<Formula> = operands.iter().copied().filter(|f| *f != due).collect();
            let late = store.and(others);
            let met = store.not(late);
            let met = logic::simplify(store, met);
            store.implies(due, met)
        }
        _ => return bad,
    };
    let always = store.historically(Bound::ALL, met);
    let counted = oldest_only(store, always);
    match *store.node(counted) {
        Node::Unary(Unary::Historically, Bound::ALL, good) if counted != always => store.not(good),
        _ => bad,
    }
}

/// An input of the step function.
struct Input<'s> {
    variable: &'s Variable,
    /// Its name in the file.
    name: String,
    /// The name of its type, if it is an enumeration.
    enumeration: Option<usize>,
}

/// A requirement in the file.
struct Judged<'s> {
    id: &'s str,
    text: &'s str,
    /// Its name in the file.
    label: String,
    /// Violated now, violated at the step before, violated if the run ends here, triggered.
    truths: [Text; 4],
    /// The inputs that it uses.
    inputs: Vec<usize>,
    bytes: u64,
    is_rounded: bool,
}

/// What the file of any language is made of.
struct Prepared<'s> {
    layout: Layout,
    inputs: Vec<Input<'s>>,
    judged: Vec<Judged<'s>>,
    left_out: Vec<LeftOut>,
    renamed: Vec<Renamed>,
    /// The bytes of the state in C.
    bytes: u64,
}

/// Writes the statements of all requirements. `digits` is the precision of real numbers, and `value` how a value of an enumeration is
/// written, by the name of the enumeration, the value's name in the file and the value itself.
fn prepare<'s, S: Spelling>(
    store: &Store,
    subjects: &'s Subjects,
    body: &mut Body<S>,
    digits: Option<usize>,
    value: impl Fn(&str, &str, &str) -> String,
) -> Result<Prepared<'s>, NoMonitor> {
    let merged =
        Component { name: "monitor".into(), variables: subjects.variables.clone(), items: Vec::new() };
    let space = Space { rules: RULES, flat: true, shared_values: false, suffix: "", labels: false };
    let mut layout = Layout::new(&[merged], space);
    for it in &mut layout.enumerations {
        let pairs = it.emitted.iter().zip(&it.values);
        it.emitted = pairs.map(|(emitted, original)| value(&it.name, emitted, original)).collect();
    }
    let scope = &layout.scopes[0];
    let types: BTreeMap<&str, &Type> =
        subjects.variables.iter().map(|it| (it.name.as_str(), &it.ty)).collect();
    let formulas: Vec<Formula> = subjects.list.iter().flat_map(Subject::formulas).collect();
    let mut shared = Shared::new(store, &formulas, &layout, scope, body);
    let mut left_out = subjects.left_out.clone();
    let mut labels = Names::new(RULES);
    let mut judged = Vec::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut names: Vec<BTreeSet<String>> = Vec::new();
    for subject in &subjects.list {
        let mark = shared.language().mark();
        let ids: Vec<logic::Id> = subject.formulas().iter().map(|formula| formula.id()).collect();
        let checked = ranges::check(store, &ids, &types, digits);
        let written = checked.and_then(|is_rounded| Ok((is_rounded, shared.formulas(&subject.formulas())?)));
        let truths = written.map(|(is_rounded, texts)| (is_rounded, <[Text; 4]>::try_from(texts)));
        match truths {
            Ok((is_rounded, Ok(truths))) => {
                let own = subject.names(store);
                used.extend(own.iter().cloned());
                names.push(own);
                let bytes = shared.language().bytes_since(mark);
                let (id, text, label) =
                    (subject.id.as_str(), subject.text.as_str(), labels.take(&subject.id));
                judged.push(Judged { id, text, label, truths, inputs: Vec::new(), bytes, is_rounded });
            }
            Ok((_, Err(_))) => left_out.push(LeftOut::new(&subject.id, Inexpressible::NoFormula)),
            Err(why) => {
                shared.language().undo(mark);
                left_out.push(LeftOut::new(&subject.id, why));
            }
        }
    }
    if judged.is_empty() {
        return Err(NoMonitor::Nothing(left_out.into_iter().next()));
    }
    let mut inputs = Vec::new();
    for variable in subjects.variables.iter().filter(|it| used.contains(&it.name)) {
        let Some(entry) = scope.get(&variable.name) else { continue };
        let enumeration = match entry.sort {
            super::scope::Ty::Enum(number) => Some(number),
            _ => None,
        };
        inputs.push(Input { variable, name: entry.emitted.clone(), enumeration });
    }
    for (it, names) in judged.iter_mut().zip(names) {
        it.inputs = (0..inputs.len()).filter(|&at| names.contains(&inputs[at].variable.name)).collect();
    }
    let renamed = layout.renamed.clone();
    // The fields, a byte for the start, and two bytes for each requirement.
    let bytes = body.fields.iter().map(body::Field::bytes).sum::<u64>() + 1 + 2 * judged.len() as u64;
    Ok(Prepared { layout, inputs, judged, left_out, renamed, bytes })
}

impl Prepared<'_> {
    /// The monitor with a text.
    fn finished(self, header: Option<String>, text: String) -> Monitor {
        let watched = self.judged.iter().map(|it| Watched {
            id: it.id.to_owned(),
            bytes: it.bytes,
            is_rounded: it.is_rounded,
        });
        let watched = watched.collect();
        let literals = |it: &Input| {
            it.enumeration.map_or(Vec::new(), |number| self.layout.enumerations[number].emitted.clone())
        };
        let field = |it: &Input| Field {
            variable: it.variable.clone(),
            name: it.name.clone(),
            literals: literals(it),
        };
        let inputs = self.inputs.iter().map(field).collect();
        let Prepared { left_out, renamed, bytes, .. } = self;
        Monitor { header, text, renamed, left_out, watched, inputs, bytes }
    }

    /// The lines that open the file, without the signs of a comment.
    fn notes(&self) -> Vec<String> {
        let mut notes = vec![format!("The state has {} bytes, without padding.", self.bytes)];
        for it in self.judged.iter().filter(|it| it.is_rounded) {
            notes.push(format!("{} depends on floating-point numbers that are rounded.", it.id));
        }
        for input in &self.inputs {
            if let Type::Int(range) = &input.variable.ty
                && let Ok(Integers { width, low, high }) = Integers::of(range)
            {
                notes.push(format!("{} is an integer of {width} bits, from {low} to {high}.", input.name));
            }
        }
        for Renamed { original, emitted, .. } in &self.renamed {
            notes.push(format!("{emitted} is `{original}`."));
        }
        for LeftOut { id, reason } in &self.left_out {
            notes.push(format!("left out: {id}: {reason}"));
        }
        notes.iter().map(|note| draw::terminal::plain(note)).collect()
    }
}

/// The names of generated programs.
pub(crate) const RULES: Rules = Rules { is_plain, longest: 100 };

/// Names of C, Rust and Python that mean the same in all three, and none of the file.
fn is_plain(name: &str) -> bool {
    let is_given = name.starts_with(['v', 'm', 'f']) && name[1..].bytes().all(|byte| byte.is_ascii_digit());
    is_identifier(name, "")
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !(is_given && name.len() > 1)
        && RESERVED.split_whitespace().all(|word| word != name)
}

/// The keywords of C, Rust and Python, and names of the files.
const RESERVED: &str = "\
    auto break case char const continue default do double else enum extern float for goto if inline int long register restrict \
    return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false NULL int8_t \
    int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t INT64_C UINT64_C asm errno linux unix \
    as async await become box crate dyn final fn gen impl in let loop macro match mod move mut override priv pub ref self Self \
    super trait try type typeof unsafe unsized use virtual where yield abstract i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 usize str \
    Monitor Input Verdict Option None Some \
    False True and assert class def del elif except finally from global import is lambda nonlocal not or pass raise with \
    Fraction print match s input values started code seen";
