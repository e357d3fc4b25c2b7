//! Scripts: the code of callbacks, masks and data files, run as far as its values are known.
//!
//! A branch or a loop runs if its condition is known. Otherwise, what it may set has no value; and if it may leave a loop or the script,
//! nothing that is set after it has one. A statement that cannot be read is skipped, and what it sets has no value.

use super::enumeration;
use super::eval;
use super::lex::{Lexed, Token, lex};
use super::parse::{Expression, Index, Kind, Parser};
use super::program::{Function, Statement, functions};
use super::{Error, Lookup, Variable, call, design};
use crate::value::{Matrix, Value};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::rc::Rc;

/// The maximum number of statements and rounds of loops that run.
const MAX_STATEMENTS: usize = 100_000;

/// The deepest nesting of scripts that run others.
const DEEPEST: usize = 8;

/// What separates folders in a list of them.
const SEPARATOR: &str = ";";

/// Commands that only show something, or that change nothing a model uses.
#[rustfmt::skip]
const COMMANDS: [&str; 52] = [
    "axis", "bar", "bdclose", "beep", "bode", "clc", "clf", "close", "colorbar", "colormap", "diary", "disp", "display",
    "drawnow", "echo", "figure", "format", "fprintf", "grid", "hold", "legend", "line", "loglog", "margin", "more",
    "open_system", "pause", "plot", "plot3", "rlocus", "save", "semilogx", "semilogy", "set", "sgtitle", "simulink",
    "print", "stairs", "stem", "step", "subplot", "surf", "text", "tic", "title", "toc", "warning", "xlabel", "xlim",
    "ylabel", "ylim", "zlabel",
];

/// Commands that remove variables.
const CLEARS: [&str; 2] = ["clear", "clearvars"];

/// Keywords that may skip or repeat what follows.
const BRANCHES: [&str; 8] = ["if", "for", "parfor", "while", "switch", "try", "return", "function"];

/// Runs a script, and returns the variables that it sets. A statement that is not an assignment or has no value is an error; the others
/// still run, so that one call to a drawing function does not hide ten constants.
pub fn run(text: &str, lookup: Lookup<'_>, fuel: &Cell<usize>) -> (BTreeMap<String, Variable>, Vec<Error>) {
    run_among(text, lookup, Around::NOTHING, fuel)
}

/// What a script uses besides variables.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Other files.
    pub files: &'a dyn Files,
    /// The name of the model. The script ends where it runs the model (`sim('NAME')`).
    pub model: &'a str,
    /// The path of the script itself.
    pub script: &'a str,
}

impl Around<'static> {
    /// A script on its own.
    pub const NOTHING: Around<'static> = Around { files: &Nowhere, model: "", script: "" };
}

/// The files around a script.
pub trait Files {
    /// The file that a name or a path in a script means.
    fn find(&self, name: &str, wanted: Wanted, script: &str) -> Option<File>;
    /// The current folder.
    fn folder(&self) -> String;
    /// A folder with all folders below it that can be on the path.
    fn below(&self, folder: &str, script: &str) -> Vec<String>;
    /// Puts folders on the path: before the others, or after them.
    fn add(&self, folders: &[&str], is_last: bool, script: &str);
}

/// How a script uses another file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// It runs it, or calls it as a function.
    Code,
    /// It loads it.
    Data,
}

/// A file that a script runs or loads.
pub enum File {
    /// The text of a script or a function, and its path.
    Code(String, String),
    /// The variables of a data file.
    Data(Vec<(String, Value)>),
}

struct Nowhere;

impl Files for Nowhere {
    fn find(&self, _: &str, _: Wanted, _: &str) -> Option<File> {
        None
    }
    fn folder(&self) -> String {
        String::new()
    }
    fn below(&self, _: &str, _: &str) -> Vec<String> {
        Vec::new()
    }
    fn add(&self, _: &[&str], _: bool, _: &str) {}
}

/// Runs a script that may run other scripts, call functions and load data files.
pub fn run_among(
    text: &str,
    lookup: Lookup<'_>,
    around: Around<'_>,
    fuel: &Cell<usize>,
) -> (BTreeMap<String, Variable>, Vec<Error>) {
    match enumeration::of_file(text) {
        Some(Ok((name, value))) => return (BTreeMap::from([(name, Some(Rc::new(value)))]), Vec::new()),
        Some(Err(error)) => return (BTreeMap::new(), vec![error]),
        None => {}
    }
    let left = Cell::new(MAX_STATEMENTS);
    let mut script = Script::new(lookup, around, fuel, &left);
    script.text(text);
    script.errors.sort_by_key(|error| error.at);
    let globals = script.globals.iter().filter_map(|name| Some((name.clone(), script.own(name)?)));
    let globals: Vec<(String, Variable)> = globals.collect();
    script.variables.extend(globals);
    (script.variables, script.errors)
}

/// The value of an expression that may call functions of other files.
pub(super) fn value(
    expression: &Expression,
    lookup: Lookup<'_>,
    around: Around<'_>,
    fuel: &Cell<usize>,
) -> Result<Value, Error> {
    let left = Cell::new(MAX_STATEMENTS);
    let script = Script::new(lookup, around, fuel, &left);
    eval::value(expression, lookup, &|name, arguments| script.call(name, arguments, 1), fuel)
}

fn branches_off(lexed: &Lexed) -> bool {
    matches!(&lexed.token, Token::Name(name) if BRANCHES.contains(&name.as_str()))
}

/// The variables on the left of each `=`; without their fields and indices.
fn targets(tokens: &[Lexed]) -> Vec<String> {
    let mut names = vec![];
    let ends = tokens.iter().enumerate().filter(|(_, it)| it.token == Token::Sign("="));
    for (end, _) in ends {
        // The brackets around a token, from the right.
        let mut around: Vec<&str> = vec![];
        for place in (0..end).rev() {
            let is_field = place.checked_sub(1).is_some_and(|it| tokens[it].token == Token::Sign("."));
            match &tokens[place].token {
                Token::Sign("=") => break,
                Token::Name(_) if branches_off(&tokens[place]) => break,
                Token::Newline | Token::Sign(";" | ",") if around.is_empty() => break,
                Token::Sign(close @ (")" | "]" | "}")) => around.push(close),
                Token::Sign("(" | "[" | "{") if around.pop().is_none() => break,
                Token::Name(name) if !is_field && matches!(around[..], [] | ["]"]) => {
                    names.push(name.clone())
                }
                _ => {}
            }
        }
    }
    names
}

/// What follows a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Continue,
    Return,
    /// The model runs, so that nothing later matters to it.
    Run,
}

/// A script or a function that runs.
struct Script<'a> {
    lookup: Lookup<'a>,
    around: Around<'a>,
    /// The path of the file that runs now.
    path: Rc<str>,
    /// The functions that this file defines.
    functions: Rc<[Function]>,
    fuel: &'a Cell<usize>,
    variables: BTreeMap<String, Variable>,
    errors: Vec<Error>,
    /// The number of statements that may still run.
    left: &'a Cell<usize>,
    /// The number of scripts that run others, and of functions that call others.
    nested: usize,
    /// Whether it is not known what runs from here on.
    is_lost: bool,
    /// The global variables of all scripts and functions, and those that this one uses.
    all_globals: Rc<RefCell<BTreeMap<String, Variable>>>,
    globals: BTreeSet<String>,
}

impl<'a> Script<'a> {
    fn new(lookup: Lookup<'a>, around: Around<'a>, fuel: &'a Cell<usize>, left: &'a Cell<usize>) -> Self {
        Script {
            lookup,
            around,
            path: around.script.into(),
            functions: Rc::new([]),
            fuel,
            variables: BTreeMap::new(),
            errors: Vec::new(),
            left,
            nested: 0,
            is_lost: false,
            all_globals: Rc::default(),
            globals: BTreeSet::new(),
        }
    }

    /// The value of a variable that is set here or global here.
    fn own(&self, name: &str) -> Option<Variable> {
        if self.globals.contains(name) {
            return self.all_globals.borrow().get(name).cloned();
        }
        self.variables.get(name).cloned()
    }

    fn set(&mut self, name: String, value: Variable) {
        if self.globals.contains(&name) {
            self.all_globals.borrow_mut().insert(name, value);
        } else {
            self.variables.insert(name, value);
        }
    }

    /// Runs the statements of a text, up to the functions that it defines.
    fn text(&mut self, text: &str) -> Flow {
        let (tokens, errors) = lex(text);
        self.errors.extend(errors);
        let is_function = |it: &Lexed| it.token == Token::Name("function".to_owned());
        let own = tokens.iter().find(|it| is_function(it)).and_then(|it| functions(&text[it.at..]).ok());
        let outer = std::mem::replace(&mut self.functions, own.unwrap_or_default().into());
        let flow = self.statements(&tokens, text.len());
        self.functions = outer;
        flow
    }

    fn statements(&mut self, tokens: &[Lexed], end: usize) -> Flow {
        let mut parser = Parser::new(tokens, end);
        loop {
            parser.blank();
            let Some(next) = parser.peek() else { return Flow::Next };
            if next.token == Token::Name("function".to_owned()) {
                return Flow::Next;
            }
            let start = parser.place();
            match parser.whole_statement() {
                Ok(statement) => match self.statement(&statement) {
                    Flow::Run => return Flow::Run,
                    Flow::Return => return Flow::Next,
                    Flow::Next | Flow::Break | Flow::Continue => {}
                },
                Err(error) => {
                    parser.recover();
                    self.errors.push(error);
                    let own = &tokens[start..parser.place()];
                    self.forget(targets(own));
                    self.is_lost |= own.iter().any(branches_off);
                }
            }
        }
    }

    /// The results of a function of this file or another one, or of one that is about files; none if there is no such function.
    fn call(&self, name: &str, arguments: &[Value], results: usize) -> Option<Result<Value, Error>> {
        Some(match self.results(name, arguments, results)? {
            Ok(values) => values.into_iter().next().ok_or_else(|| format!("`{name}` has no result").into()),
            Err(error) => Err(error),
        })
    }

    fn results(&self, name: &str, arguments: &[Value], count: usize) -> Option<Result<Vec<Value>, Error>> {
        let text = |text: String| Some(Ok(vec![Value::Text(text)]));
        match (name, arguments) {
            ("pwd", []) => return text(self.around.files.folder()),
            ("mfilename", []) => return text(stem(&self.path).to_owned()),
            ("mfilename", [Value::Text(_)]) => {
                return text(self.path.strip_suffix(".m").unwrap_or(&self.path).to_owned());
            }
            ("genpath", [Value::Text(folder)]) => {
                return text(self.around.files.below(folder, &self.path).join(SEPARATOR));
            }
            ("fileparts", [Value::Text(path)]) => return Some(Ok(parts(path))),
            ("exist", [Value::Text(name), Value::Text(kind)]) if kind == "var" => {
                let is_known = self.own(name).is_some() || (self.lookup)(name).is_some();
                return Some(Ok(vec![Value::scalar(f64::from(is_known))]));
            }
            ("exist", [Value::Text(name)]) if self.own(name).is_some() || (self.lookup)(name).is_some() => {
                return Some(Ok(vec![Value::scalar(1.0)]));
            }
            _ => {}
        }
        if let Some(function) = self.functions.iter().find(|it| it.name == name) {
            return Some(self.results_of(function, &self.functions, &self.path, arguments, count));
        }
        let File::Code(text, path) = self.around.files.find(name, Wanted::Code, &self.path)? else {
            return None;
        };
        let all: Rc<[Function]> = functions(&text).ok()?.into();
        // A function is called as its file is.
        Some(self.results_of(all.first()?, &all, &path, arguments, count))
    }

    /// Runs a function, which sees its arguments only.
    fn results_of(
        &self,
        function: &Function,
        all: &Rc<[Function]>,
        path: &str,
        arguments: &[Value],
        count: usize,
    ) -> Result<Vec<Value>, Error> {
        let Function { name, inputs, outputs, body } = function;
        if self.nested >= DEEPEST || arguments.len() > inputs.len() {
            return Err(format!("`{name}` cannot be called in this way").into());
        }
        let own = |name: &str| match name {
            "nargin" => Some(Some(Rc::new(Value::scalar(arguments.len() as f64)))),
            "nargout" => Some(Some(Rc::new(Value::scalar(count as f64)))),
            _ => None,
        };
        let known = inputs.iter().zip(arguments);
        let known = known.map(|(name, value)| (name.clone(), Some(Rc::new(value.clone()))));
        let mut inner = Script {
            path: path.into(),
            functions: all.clone(),
            variables: known.collect(),
            nested: self.nested + 1,
            all_globals: self.all_globals.clone(),
            ..Script::new(&own, self.around, self.fuel, self.left)
        };
        inner.body(body);
        let result = |output: &String| {
            let value = inner.own(output).flatten();
            value.map(Rc::unwrap_or_clone).ok_or_else(|| {
                let unknown = format!("the result `{output}` of `{name}` is not known");
                let Some(error) = inner.errors.first() else { return unknown.into() };
                Error::from(format!("{unknown}: {}", error.message))
            })
        };
        outputs.iter().take(count).map(result).collect()
    }

    fn forget(&mut self, names: Vec<String>) {
        names.into_iter().for_each(|name| self.set(name, None));
    }

    fn body(&mut self, statements: &[Statement]) -> Flow {
        for statement in statements {
            let flow = self.statement(statement);
            if flow != Flow::Next {
                return flow;
            }
        }
        Flow::Next
    }

    /// Counts a statement, or a round of a loop, which may have no statements.
    fn count(&mut self) {
        match self.left.get().checked_sub(1) {
            Some(left) => self.left.set(left),
            None => self.is_lost = true,
        }
    }

    /// Runs the body of a loop once; at the end of the loop, where to go on, which is not known if what runs became unknown.
    fn round(&mut self, body: &[Statement]) -> ControlFlow<Option<Flow>> {
        self.count();
        match self.body(body) {
            Flow::Break => ControlFlow::Break(Some(Flow::Next)),
            end @ (Flow::Return | Flow::Run) => ControlFlow::Break(Some(end)),
            Flow::Next | Flow::Continue if self.is_lost => ControlFlow::Break(None),
            Flow::Next | Flow::Continue => ControlFlow::Continue(()),
        }
    }

    fn statement(&mut self, statement: &Statement) -> Flow {
        self.count();
        let known = if self.is_lost { Ok(None) } else { self.known(statement) };
        match known {
            Ok(Some(flow)) => flow,
            Ok(None) => {
                self.skip(statement);
                Flow::Next
            }
            Err(error) => {
                self.errors.push(error);
                self.skip(statement);
                Flow::Next
            }
        }
    }

    /// Skips a statement that may run or not.
    fn skip(&mut self, statement: &Statement) {
        let mut open = vec![statement];
        while let Some(statement) = open.pop() {
            match statement {
                Statement::Assign(targets, _) => self.forget(targets.iter().filter_map(base).collect()),
                Statement::If(branches, otherwise) => {
                    open.extend(branches.iter().flat_map(|it| &it.1).chain(otherwise));
                }
                Statement::Switch(_, cases, otherwise) => {
                    open.extend(cases.iter().flat_map(|it| &it.1).chain(otherwise));
                }
                Statement::For(name, _, body) => {
                    self.forget(vec![name.clone()]);
                    open.extend(body);
                }
                Statement::While(_, body) => open.extend(body),
                Statement::Try(body, caught) => open.extend(body.iter().chain(caught)),
                Statement::Persistent(_) | Statement::Global(_) => {}
                Statement::Break | Statement::Continue | Statement::Return => self.is_lost = true,
            }
        }
    }

    /// Runs a statement; none if what runs in it became unknown.
    fn known(&mut self, statement: &Statement) -> Result<Option<Flow>, Error> {
        match statement {
            Statement::Assign(_, value) if self.simulates(value) => return Ok(Some(Flow::Run)),
            Statement::Assign(targets, value) => return self.assign(targets, value).map(Some),
            Statement::If(branches, otherwise) => {
                for (condition, body) in branches {
                    if self.truth(condition)? {
                        return Ok(Some(self.body(body)));
                    }
                }
                return Ok(Some(self.body(otherwise)));
            }
            Statement::Switch(value, cases, otherwise) => {
                let value = self.value(value)?;
                for (case, body) in cases {
                    let all = match self.value(case)? {
                        Value::Cell(all) => all,
                        other => vec![other],
                    };
                    if all.iter().any(|it| is_same(it, &value)) {
                        return Ok(Some(self.body(body)));
                    }
                }
                return Ok(Some(self.body(otherwise)));
            }
            Statement::For(name, values, body) => {
                let values = eval::numbers(self.value(values)?)?;
                let rows = values.rows().max(1);
                for column in values.entries.chunks(rows) {
                    let dimensions = vec![column.len(), 1];
                    let value = Matrix { dimensions, class: values.class, entries: column.to_vec() };
                    self.set(name.clone(), Some(Rc::new(Value::Matrix(value))));
                    if let ControlFlow::Break(end) = self.round(body) {
                        return Ok(end);
                    }
                }
            }
            Statement::While(condition, body) => {
                while self.truth(condition)? {
                    if let ControlFlow::Break(end) = self.round(body) {
                        return Ok(end);
                    }
                }
            }
            Statement::Try(body, _) => {
                let before = self.errors.len();
                let flow = self.body(body);
                // Whether MATLAB has an error there as well is not known.
                return Ok((self.errors.len() == before && !self.is_lost).then_some(flow));
            }
            Statement::Global(names) => {
                for name in names {
                    let own = self.variables.remove(name);
                    self.globals.insert(name.clone());
                    if let Some(value) = own {
                        self.all_globals.borrow_mut().entry(name.clone()).or_insert(value);
                    }
                }
            }
            Statement::Persistent(_) => {}
            Statement::Break => return Ok(Some(Flow::Break)),
            Statement::Continue => return Ok(Some(Flow::Continue)),
            Statement::Return => return Ok(Some(Flow::Return)),
        }
        Ok(Some(Flow::Next))
    }

    /// Whether a call runs the model: `sim('NAME')`.
    fn simulates(&self, call: &Expression) -> bool {
        let Kind::At(function, Index::Call(arguments)) = &call.kind else { return false };
        let (Some("sim"), Some(model)) = (function.name(), arguments.first()) else { return false };
        let named = |text: &str| !text.is_empty() && stem(text) == self.around.model;
        matches!(self.value(model), Ok(Value::Text(text)) if named(&text))
    }

    /// The file that a call runs or loads: `load('x.mat')`, `load x`, `run('x.m')`, `x`.
    fn file(&self, call: &Expression) -> Option<File> {
        let is_variable = |name: &str| self.own(name).is_some() || (self.lookup)(name).is_some();
        let (name, wanted) = match &call.kind {
            Kind::Name(name) if is_variable(name) => return None,
            Kind::Name(name) => (name.clone(), Wanted::Code),
            Kind::At(inner, Index::Field(ending)) if ending == "m" => {
                (inner.name()?.to_owned(), Wanted::Code)
            }
            Kind::At(inner, Index::Field(ending)) if ending == "mat" => {
                (inner.name()?.to_owned(), Wanted::Data)
            }
            // A script may be called as a function without arguments.
            Kind::At(script, Index::Call(arguments))
                if arguments.is_empty() && script.name().is_some_and(|it| !is_variable(it)) =>
            {
                (script.name()?.to_owned(), Wanted::Code)
            }
            Kind::At(function, Index::Call(arguments)) => {
                let wanted = match function.name()? {
                    "load" => Wanted::Data,
                    "run" => Wanted::Code,
                    _ => return None,
                };
                let Ok(Value::Text(path)) = self.value(arguments.first()?) else { return None };
                (path, wanted)
            }
            _ => return None,
        };
        let mut variables = match self.around.files.find(&name, wanted, &self.path)? {
            code @ File::Code(..) => return Some(code),
            File::Data(variables) => variables,
        };
        let Kind::At(_, Index::Call(arguments)) = &call.kind else { return Some(File::Data(variables)) };
        // Only the variables that are named.
        let named = arguments.iter().skip(1).map(|it| self.value(it));
        let named = named.map(|it| if let Ok(Value::Text(name)) = it { Some(name) } else { None });
        let named: Vec<String> = named.collect::<Option<_>>()?;
        if named.iter().any(|it| it.contains('*') || it == "-regexp") {
            return None;
        }
        let named: Vec<&String> = named.iter().filter(|it| !it.starts_with('-')).collect();
        variables.retain(|(name, _)| named.is_empty() || named.contains(&name));
        Some(File::Data(variables))
    }

    /// Puts the folders of `addpath(…)` on the path.
    fn add_folders(&self, arguments: &[Expression]) -> Result<(), Error> {
        let texts = arguments.iter().map(|it| match self.value(it)? {
            Value::Text(text) => Ok(text),
            _ => Err(Error::new(it.start(), "expected the name of a folder")),
        });
        let texts = texts.collect::<Result<Vec<String>, Error>>()?;
        let folders = texts.iter().filter(|it| !it.starts_with('-'));
        let folders: Vec<&str> =
            folders.flat_map(|it| it.split(SEPARATOR)).filter(|it| !it.is_empty()).collect();
        self.around.files.add(&folders, texts.iter().any(|it| it == "-end"), &self.path);
        Ok(())
    }

    fn assign(&mut self, targets: &[Expression], value: &Expression) -> Result<Flow, Error> {
        match targets {
            [] if let Some(arguments) = defines_enumeration(value) => {
                let values =
                    arguments.iter().map(|it| self.value(it)).collect::<Result<Vec<Value>, Error>>()?;
                let (name, value) = enumeration::of_call(&values)?;
                self.set(name, Some(Rc::new(value)));
            }
            [] if let Kind::At(function, Index::Call(arguments)) = &value.kind
                && function.name() == Some("addpath") =>
            {
                self.add_folders(arguments)?;
            }
            [] if called(value).0.name().is_some_and(|it| CLEARS.contains(&it)) => {
                self.clear(called(value).1)
            }
            [] if called(value).0.name().is_some_and(|it| self.shows(it)) => {}
            [] => match self.file(value) {
                Some(File::Code(text, path)) if self.nested < DEEPEST && functions(&text).is_err() => {
                    self.nested += 1;
                    let outer = std::mem::replace(&mut self.path, path.into());
                    let flow = self.text(&text);
                    self.path = outer;
                    self.nested -= 1;
                    return Ok(flow);
                }
                Some(File::Data(variables)) => {
                    variables.into_iter().for_each(|(name, value)| self.set(name, Some(Rc::new(value))));
                }
                _ => {
                    let (function, arguments) = called(value);
                    let arguments = arguments.iter().map(|it| self.value(it)).collect::<Result<Vec<_>, _>>();
                    // A function sets nothing here, but may add folders.
                    let called = function
                        .name()
                        .zip(arguments.ok())
                        .and_then(|(name, arguments)| self.results(name, &arguments, 0));
                    if called.is_none() {
                        let hint = "set the variable to its value";
                        return Err(Error::new(value.start(), "only assignments are run").hint(hint));
                    }
                }
            },
            [target] => {
                let is_call = matches!(value.kind, Kind::At(_, Index::Call(_)));
                let (name, value) = match (target.name(), is_call.then(|| self.file(value)).flatten()) {
                    (Some(name), Some(File::Data(fields))) => (name.to_owned(), Value::Struct(fields)),
                    _ => {
                        let all = |name: &str| self.own(name).or_else(|| (self.lookup)(name));
                        let functions = |name: &str, arguments: &[Value]| self.call(name, arguments, 1);
                        eval::assign(target, value, &all, &functions, self.fuel)?
                    }
                };
                self.set(name, Some(Rc::new(value)));
            }
            several => self.several(several, value)?,
        }
        Ok(Flow::Next)
    }

    /// Whether a function only shows something. A variable or function of the script may have its name.
    fn shows(&self, name: &str) -> bool {
        let is_own = self.own(name).is_some() || self.functions.iter().any(|it| it.name == name);
        COMMANDS.contains(&name) && !is_own
    }

    /// Removes variables: those that are named, or all.
    fn clear(&mut self, arguments: &[Expression]) {
        let names: Vec<&str> = arguments
            .iter()
            .filter_map(|it| if let Kind::Text(name) = &it.kind { Some(name.as_str()) } else { None })
            .collect();
        let is_word = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
        match &names[..] {
            [] | ["all" | "variables"] => self.variables.clear(),
            ["classes" | "functions" | "mex" | "import" | "java" | "global"] => {}
            names if names.iter().all(is_word) => {
                names.iter().for_each(|name| drop(self.variables.remove(*name)));
            }
            // Patterns and options.
            _ => {
                let all: Vec<String> = self.variables.keys().cloned().collect();
                self.forget(all);
            }
        }
    }

    /// `[m, n] = size(a)`, and functions of files.
    fn several(&mut self, targets: &[Expression], value: &Expression) -> Result<(), Error> {
        let unknown = || Error::new(value.start(), "functions with several results are not known");
        let names: Option<Vec<&str>> = targets.iter().map(|it| it.name()).collect();
        let (Some(mut names), (function, arguments)) = (names, called(value)) else { return Err(unknown()) };
        let values = arguments.iter().map(|it| self.value(it)).collect::<Result<Vec<Value>, Error>>()?;
        let results = match (function.name().unwrap_or_default(), &values[..]) {
            ("size", [of]) => {
                let of = eval::numbers(of.clone())?;
                let size = |place: usize| {
                    let sizes = of.dimensions.get(place..).unwrap_or_default();
                    let is_last = place + 1 == names.len();
                    if is_last { sizes.iter().product() } else { sizes.first().copied().unwrap_or(1) }
                };
                (0..names.len()).map(|place| Value::scalar(size(place) as f64)).collect()
            }
            ("deal", [only]) => vec![only.clone(); names.len()],
            ("deal", several) => several.to_vec(),
            (name @ ("max" | "min" | "sort"), [Value::Matrix(of)]) if names.len() == 2 => {
                call::with_places(name, of).ok_or_else(unknown)?
            }
            (name, values) => match self.results(name, values, names.len()) {
                Some(own) => own?,
                // What the first results are is known, even if the others are not.
                None => {
                    let known = design::results(name, values).ok_or_else(unknown)??;
                    let rest = names.get(known.len()..).unwrap_or_default();
                    self.forget(rest.iter().map(|it| (*it).to_owned()).collect());
                    names.truncate(known.len());
                    known
                }
            },
        };
        if results.len() < names.len() {
            return Err(unknown());
        }
        for (name, value) in names.into_iter().zip(results).filter(|(name, _)| *name != "~") {
            self.set(name.to_owned(), Some(Rc::new(value)));
        }
        Ok(())
    }

    fn value(&self, expression: &Expression) -> Result<Value, Error> {
        let all = |name: &str| self.own(name).or_else(|| (self.lookup)(name));
        let functions = |name: &str, arguments: &[Value]| self.call(name, arguments, 1);
        eval::value(expression, &all, &functions, self.fuel)
    }

    /// Whether a condition holds: it has entries, and none is zero.
    fn truth(&self, condition: &Expression) -> Result<bool, Error> {
        let value = eval::numbers(self.value(condition)?)?;
        Ok(!value.entries.is_empty() && value.entries.iter().all(|it| *it != 0.0))
    }
}

/// The arguments of a call of `Simulink.defineIntEnumType`.
fn defines_enumeration(call: &Expression) -> Option<&[Expression]> {
    let Kind::At(function, Index::Call(arguments)) = &call.kind else { return None };
    let Kind::At(base, Index::Field(name)) = &function.kind else { return None };
    (base.name() == Some("Simulink") && name == "defineIntEnumType").then_some(arguments)
}

/// The function and the arguments of a call, which may have no brackets.
fn called(call: &Expression) -> (&Expression, &[Expression]) {
    match &call.kind {
        Kind::At(function, Index::Call(arguments)) => (function, arguments),
        _ => (call, &[]),
    }
}

/// Folder, name and ending of a path.
fn parts(path: &str) -> Vec<Value> {
    let at = path.rfind(['/', '\\']);
    let (folder, name) = at.map_or(("", path), |at| (&path[..at], &path[at + 1..]));
    let (name, ending) = name.rfind('.').map_or((name, ""), |at| name.split_at(at));
    [folder, name, ending].map(|it| Value::Text(it.to_owned())).to_vec()
}

/// The name of a file without its folder and its ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |it| it.0)
}

/// The variable that a target is a part of.
fn base(target: &Expression) -> Option<String> {
    let mut target = target;
    while let Kind::At(inner, _) = &target.kind {
        target = inner;
    }
    target.name().map(str::to_owned)
}

/// Whether a value is that of a case.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Matrix(a), Value::Matrix(b)) => a.single().is_some() && a.single() == b.single(),
        _ => false,
    }
}
