//! Scripts: the code of callbacks, masks and data files, run as far as its values are known.
//!
//! A branch or a loop runs if its condition is known. Otherwise, what it may set has no value; and if it may leave a loop or the script,
//! nothing that is set after it has one. A statement that cannot be read is skipped, and what it sets has no value.

use super::enumeration;
use super::eval;
use super::lex::{Lexed, Token, lex};
use super::parse::{Expression, Index, Kind, Parser};
use super::program::Statement;
use super::{Error, Lookup, Variable};
use crate::value::{Matrix, Value};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

/// The maximum number of statements and rounds of loops that run.
const MAX_STATEMENTS: usize = 100_000;

/// The deepest nesting of scripts that run others.
const DEEPEST: usize = 8;

/// Keywords that may skip or repeat what follows.
const BRANCHES: [&str; 8] = ["if", "for", "parfor", "while", "switch", "try", "return", "function"];

/// Runs a script, and returns the variables that it sets. A statement that is not an assignment or has no value is an error; the others
/// still run, so that one call to a drawing function does not hide ten constants.
pub fn run(text: &str, lookup: Lookup<'_>, fuel: &Cell<usize>) -> (BTreeMap<String, Variable>, Vec<Error>) {
    run_among(text, lookup, Around { files: &|_| None, model: "" }, fuel)
}

/// What a script uses besides variables.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Other files, by their names without a folder and an ending.
    pub files: &'a dyn Fn(&str) -> Option<File>,
    /// The name of the model. The script ends where it runs the model (`sim('NAME')`).
    pub model: &'a str,
}

/// A file that a script runs or loads.
pub enum File {
    /// The text of a script.
    Script(String),
    /// The variables of a data file.
    Data(Vec<(String, Value)>),
}

/// Runs a script that may run other scripts and load data files.
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
    let mut script = Script {
        lookup,
        around,
        fuel,
        variables: BTreeMap::new(),
        errors: Vec::new(),
        left: MAX_STATEMENTS,
        nested: 0,
        is_lost: false,
    };
    script.text(text);
    script.errors.sort_by_key(|error| error.at);
    (script.variables, script.errors)
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

/// A script that runs.
struct Script<'a> {
    lookup: Lookup<'a>,
    around: Around<'a>,
    fuel: &'a Cell<usize>,
    variables: BTreeMap<String, Variable>,
    errors: Vec<Error>,
    /// The number of statements that may still run.
    left: usize,
    /// The number of scripts that run others.
    nested: usize,
    /// Whether it is not known what runs from here on.
    is_lost: bool,
}

impl Script<'_> {
    /// Runs the statements of a text, up to the functions that it defines.
    fn text(&mut self, text: &str) -> Flow {
        let (tokens, errors) = lex(text);
        self.errors.extend(errors);
        let mut parser = Parser::new(&tokens, text.len());
        loop {
            parser.blank();
            if parser.peek().is_none_or(|it| it.token == Token::Name("function".to_owned())) {
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

    fn forget(&mut self, names: Vec<String>) {
        self.variables.extend(names.into_iter().map(|name| (name, None)));
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
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
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
                Statement::Persistent(_) => {}
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
                    self.variables.insert(name.clone(), Some(Rc::new(Value::Matrix(value))));
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
        let is_variable = |name: &str| self.variables.contains_key(name) || (self.lookup)(name).is_some();
        let name = match &call.kind {
            Kind::Name(name) if !is_variable(name) => name,
            Kind::At(inner, Index::Field(ending)) if ["m", "mat"].contains(&ending.as_str()) => {
                inner.name()?
            }
            Kind::At(function, Index::Call(arguments)) => match (function.name()?, &arguments[..]) {
                ("load" | "run", [Expression { kind: Kind::Text(path), .. }, ..]) => path,
                _ => return None,
            },
            _ => return None,
        };
        (self.around.files)(stem(name))
    }

    fn assign(&mut self, targets: &[Expression], value: &Expression) -> Result<Flow, Error> {
        match targets {
            [] if let Some(arguments) = defines_enumeration(value) => {
                let values =
                    arguments.iter().map(|it| self.value(it)).collect::<Result<Vec<Value>, Error>>()?;
                let (name, value) = enumeration::of_call(&values)?;
                self.variables.insert(name, Some(Rc::new(value)));
            }
            [] => match self.file(value) {
                Some(File::Script(text)) if self.nested < DEEPEST => {
                    self.nested += 1;
                    let flow = self.text(&text);
                    self.nested -= 1;
                    return Ok(flow);
                }
                Some(File::Data(variables)) => {
                    let known = |(name, value): (String, Value)| (name, Some(Rc::new(value)));
                    self.variables.extend(variables.into_iter().map(known));
                }
                _ => {
                    let hint = "set the variable to its value";
                    return Err(Error::new(value.start(), "only assignments are run").hint(hint));
                }
            },
            [target] => {
                let is_call = matches!(value.kind, Kind::At(_, Index::Call(_)));
                let (name, value) = match (target.name(), is_call.then(|| self.file(value)).flatten()) {
                    (Some(name), Some(File::Data(fields))) => (name.to_owned(), Value::Struct(fields)),
                    _ => {
                        let all =
                            |name: &str| self.variables.get(name).cloned().or_else(|| (self.lookup)(name));
                        eval::assign(target, value, &all, self.fuel)?
                    }
                };
                self.variables.insert(name, Some(Rc::new(value)));
            }
            several => self.sizes(several, value)?,
        }
        Ok(Flow::Next)
    }

    /// `[m, n] = size(a)`: the only function with several results that is known.
    fn sizes(&mut self, targets: &[Expression], value: &Expression) -> Result<(), Error> {
        let unknown = || Error::new(value.start(), "functions with several results are not known");
        let names: Option<Vec<&str>> = targets.iter().map(|it| it.name()).collect();
        let (Some(names), Kind::At(function, Index::Call(arguments))) = (names, &value.kind) else {
            return Err(unknown());
        };
        let ("size", [of]) = (function.name().unwrap_or_default(), &arguments[..]) else {
            return Err(unknown());
        };
        let of = eval::numbers(self.value(of)?)?;
        for (place, name) in names.iter().enumerate() {
            let last = place + 1 == names.len();
            let sizes = of.dimensions.get(place..).unwrap_or_default();
            let size = if last { sizes.iter().product() } else { sizes.first().copied().unwrap_or(1) };
            self.variables.insert((*name).to_owned(), Some(Rc::new(Value::scalar(size as f64))));
        }
        Ok(())
    }

    fn value(&self, expression: &Expression) -> Result<Value, Error> {
        let all = |name: &str| self.variables.get(name).cloned().or_else(|| (self.lookup)(name));
        eval::value(expression, &all, self.fuel)
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
