//! A small reader and runner of the Lustre that contracts are written in. It shares nothing with the writer.
//!
//! Node calls are replaced by instances with variables of their own; then every variable is computed at every step, on all
//! traces of a length at once: a value is a column with one number per trace. Division and real numbers are not known here.

use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Debug, Clone)]
pub(crate) enum Expr {
    Const(i64),
    Name(String),
    Var(usize),
    Pre(Box<Expr>),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Binary(fn(i64, i64) -> i64, Box<Expr>, Box<Expr>),
    Arrow(Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
}

/// A node, a function or a contract.
#[derive(Debug, Default)]
pub(crate) struct Unit {
    pub(crate) inputs: Vec<String>,
    pub(crate) outputs: Vec<String>,
    pub(crate) locals: Vec<String>,
    pub(crate) equations: Vec<(String, Expr)>,
    pub(crate) guarantees: Vec<(String, Expr)>,
    pub(crate) assumptions: Vec<Expr>,
    /// Name, require, ensure.
    pub(crate) modes: Vec<(String, Vec<Expr>, Vec<Expr>)>,
}

#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) units: BTreeMap<String, Unit>,
    pub(crate) types: Vec<String>,
}

pub(crate) fn read(text: &str) -> File {
    let mut parser = Parser { tokens: tokens(text), at: 0 };
    let mut file = File::default();
    while parser.at < parser.tokens.len() {
        parser.item(&mut file);
    }
    file
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim_start();
        while !rest.is_empty() && !rest.starts_with("--") {
            let symbols = ["->", "=>", "<=", ">=", "<>"];
            let word =
                rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c))).unwrap_or(rest.len());
            let length = if let Some(string) = rest.strip_prefix('"') {
                let mut escaped = false;
                let end = string.find(|c| {
                    let ends = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                end.expect("strings end on their line") + 2
            } else if word > 0 {
                word
            } else {
                symbols.iter().find(|symbol| rest.starts_with(**symbol)).map_or(1, |symbol| symbol.len())
            };
            tokens.push(rest[..length].to_string());
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
}

type Apply = fn(i64, i64) -> i64;

/// Kind 2's operators with two operands and how tightly they bind.
fn operator(token: &str) -> Option<(u8, Apply)> {
    Some(match token {
        "=>" => (2, |a, b| i64::from(a == 0 || b != 0)),
        "or" => (3, |a, b| a | b),
        "xor" => (3, |a, b| a ^ b),
        "and" => (4, |a, b| a & b),
        "=" => (5, |a, b| i64::from(a == b)),
        "<>" => (5, |a, b| i64::from(a != b)),
        "<" => (5, |a, b| i64::from(a < b)),
        "<=" => (5, |a, b| i64::from(a <= b)),
        ">" => (5, |a, b| i64::from(a > b)),
        ">=" => (5, |a, b| i64::from(a >= b)),
        "+" => (6, |a, b| a + b),
        "-" => (6, |a, b| a - b),
        "*" => (7, |a, b| a * b),
        _ => return None,
    })
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn eat(&mut self, token: &str) -> bool {
        let there = self.peek() == token;
        self.at += usize::from(there);
        there
    }

    #[track_caller]
    fn expect(&mut self, token: &str) {
        let found = self.next();
        assert_eq!(
            found,
            token,
            "token {}: {:?}",
            self.at,
            &self.tokens[self.at.saturating_sub(12)..self.at]
        );
    }

    fn item(&mut self, file: &mut File) {
        let keyword = self.next();
        if keyword == "type" {
            file.types.push(self.next());
            while self.next() != ";" {}
            return;
        }
        assert!(["node", "function", "contract"].contains(&keyword.as_str()), "{keyword}");
        let imported = self.eat("imported");
        let name = self.next();
        let mut unit = Unit::default();
        self.expect("(");
        unit.inputs = self.declarations(")");
        self.expect(")");
        self.expect("returns");
        self.expect("(");
        unit.outputs = self.declarations(")");
        self.expect(")");
        self.expect(";");
        if self.eat("var") {
            unit.locals = self.declarations("let");
        }
        if !imported {
            self.expect("let");
            while !self.eat("tel") {
                self.statement(&mut unit);
            }
        }
        assert!(file.units.insert(name.clone(), unit).is_none(), "{name} twice");
    }

    fn statement(&mut self, unit: &mut Unit) {
        let word = self.next();
        match word.as_str() {
            "const" | "var" => {
                let name = self.next();
                self.expect(":");
                self.next();
                self.expect("=");
                unit.locals.push(name.clone());
                let value = self.expression(0);
                unit.equations.push((name, value));
            }
            "assume" => {
                let assumption = self.expression(0);
                unit.assumptions.push(assumption);
            }
            "guarantee" => {
                let name = self.next();
                let guarantee = self.expression(0);
                unit.guarantees.push((name.trim_matches('"').to_string(), guarantee));
            }
            "mode" => {
                let name = self.next();
                let (mut require, mut ensure) = (Vec::new(), Vec::new());
                self.expect("(");
                while !self.eat(")") {
                    let list = if self.next() == "require" { &mut require } else { &mut ensure };
                    list.push(self.expression(0));
                    self.expect(";");
                }
                unit.modes.push((name, require, ensure));
            }
            _ => {
                self.expect("=");
                let value = self.expression(0);
                unit.equations.push((word, value));
            }
        }
        self.expect(";");
    }

    /// `const n: int; a, b: bool`.
    fn declarations(&mut self, end: &str) -> Vec<String> {
        let mut names = Vec::new();
        while self.peek() != end {
            self.eat("const");
            names.push(self.next());
            while self.eat(",") {
                names.push(self.next());
            }
            self.expect(":");
            self.next();
            self.eat(";");
        }
        names
    }

    fn expression(&mut self, tightness: u8) -> Expr {
        let mut left = self.prefix();
        loop {
            let token = self.peek().to_string();
            if token == "->" && tightness <= 1 {
                self.next();
                left = Expr::Arrow(Box::new(left), Box::new(self.expression(1)));
            } else if let Some((level, apply)) = operator(&token).filter(|&(level, _)| level > tightness) {
                self.next();
                left = Expr::Binary(apply, Box::new(left), Box::new(self.expression(level)));
            } else {
                return left;
            }
        }
    }

    fn prefix(&mut self) -> Expr {
        let token = self.next();
        match token.as_str() {
            "true" => Expr::Const(1),
            "false" => Expr::Const(0),
            // Tighter than comparisons are only arithmetic operators.
            "not" => Expr::Not(Box::new(self.expression(5))),
            "-" => Expr::Minus(Box::new(self.prefix())),
            "pre" => Expr::Pre(Box::new(self.prefix())),
            "(" => {
                let inner = self.expression(0);
                self.expect(")");
                inner
            }
            "if" => {
                let condition = self.expression(0);
                self.expect("then");
                let then = self.expression(0);
                self.expect("else");
                Expr::If(Box::new(condition), Box::new(then), Box::new(self.expression(0)))
            }
            number if number.starts_with(|c: char| c.is_ascii_digit()) => {
                Expr::Const(number.trim_end_matches(".0").parse().expect("whole numbers only"))
            }
            name if self.peek() == "(" => {
                self.expect("(");
                let mut arguments = vec![self.expression(0)];
                while self.eat(",") {
                    arguments.push(self.expression(0));
                }
                self.expect(")");
                Expr::Call(name.to_string(), arguments)
            }
            name => Expr::Name(name.to_string()),
        }
    }
}

/// One number per trace.
pub(crate) type Column = Rc<Vec<i64>>;

/// A contract on many traces at once.
pub(crate) struct Run<'f> {
    file: &'f File,
    /// The definition of each variable; inputs have none.
    definitions: Vec<Option<Rc<Expr>>>,
    values: BTreeMap<(usize, usize), Column>,
    traces: usize,
}

impl<'f> Run<'f> {
    /// The values of an expression of a contract at each step. `input` gives the columns of free variables.
    pub(crate) fn values(
        file: &'f File,
        contract: &str,
        expr: &Expr,
        steps: usize,
        traces: usize,
        input: impl Fn(&str, usize) -> Vec<i64>,
    ) -> Vec<Column> {
        let unit = &file.units[contract];
        let mut run = Run { file, definitions: Vec::new(), values: BTreeMap::new(), traces };
        let mut names = BTreeMap::new();
        for name in unit.inputs.iter().chain(&unit.outputs) {
            let variable = run.variable(None);
            names.insert(name.clone(), variable);
            for step in 0..steps {
                run.values.insert((variable, step), Rc::new(input(name, step)));
            }
        }
        run.define(unit, &mut names);
        let expr = run.resolve(expr, &names);
        (0..steps).map(|step| run.eval(&expr, step)).collect()
    }

    fn variable(&mut self, definition: Option<Expr>) -> usize {
        self.definitions.push(definition.map(Rc::new));
        self.definitions.len() - 1
    }

    /// Adds the equations of a unit.
    fn define(&mut self, unit: &Unit, names: &mut BTreeMap<String, usize>) {
        for (target, _) in &unit.equations {
            let variable = self.variable(None);
            assert!(names.insert(target.clone(), variable).is_none(), "{target} is defined twice");
        }
        for (target, value) in &unit.equations {
            let value = self.resolve(value, names);
            self.definitions[names[target]] = Some(Rc::new(value));
        }
    }

    fn resolve(&mut self, expr: &Expr, names: &BTreeMap<String, usize>) -> Expr {
        let mut boxed = |expr: &Expr| Box::new(self.resolve(expr, names));
        match expr {
            Expr::Const(value) => Expr::Const(*value),
            Expr::Name(name) => {
                Expr::Var(*names.get(name).unwrap_or_else(|| panic!("{name} is not declared")))
            }
            Expr::Var(variable) => Expr::Var(*variable),
            Expr::Pre(a) => Expr::Pre(boxed(a)),
            Expr::Not(a) => Expr::Not(boxed(a)),
            Expr::Minus(a) => Expr::Minus(boxed(a)),
            Expr::Binary(apply, a, b) => Expr::Binary(*apply, boxed(a), boxed(b)),
            Expr::Arrow(a, b) => Expr::Arrow(boxed(a), boxed(b)),
            Expr::If(c, a, b) => Expr::If(boxed(c), boxed(a), boxed(b)),
            Expr::Call(name, arguments) => {
                let file = self.file;
                let unit = file.units.get(name).unwrap_or_else(|| panic!("{name} is not there"));
                assert_eq!(unit.inputs.len(), arguments.len(), "{name}");
                let mut inside = BTreeMap::new();
                for (input, argument) in unit.inputs.iter().zip(arguments) {
                    let argument = self.resolve(argument, names);
                    inside.insert(input.clone(), self.variable(Some(argument)));
                }
                self.define(unit, &mut inside);
                Expr::Var(inside[&unit.outputs[0]])
            }
        }
    }

    fn eval(&mut self, expr: &Expr, step: usize) -> Column {
        let map = |a: &Column, f: &dyn Fn(i64) -> i64| Rc::new(a.iter().map(|&a| f(a)).collect());
        match expr {
            Expr::Const(value) => Rc::new(vec![*value; self.traces]),
            Expr::Name(name) => panic!("{name} is not resolved"),
            Expr::Var(variable) => {
                if let Some(value) = self.values.get(&(*variable, step)) {
                    return value.clone();
                }
                let definition = self.definitions[*variable].clone().expect("it is defined");
                let value = self.eval(&definition, step);
                self.values.insert((*variable, step), value.clone());
                value
            }
            Expr::Pre(inner) => {
                assert!(step > 0, "a `pre` is used at the first step");
                self.eval(inner, step - 1)
            }
            Expr::Not(a) => map(&self.eval(a, step), &|a| 1 - a),
            Expr::Minus(a) => map(&self.eval(a, step), &|a| -a),
            Expr::Binary(apply, a, b) => {
                let (a, b) = (self.eval(a, step), self.eval(b, step));
                Rc::new(a.iter().zip(b.iter()).map(|(&a, &b)| apply(a, b)).collect())
            }
            Expr::Arrow(first, then) => self.eval(if step == 0 { first } else { then }, step),
            Expr::If(condition, a, b) => {
                let (condition, a, b) = (self.eval(condition, step), self.eval(a, step), self.eval(b, step));
                let choose = |at: usize| if condition[at] != 0 { a[at] } else { b[at] };
                Rc::new((0..self.traces).map(choose).collect())
            }
            Expr::Call(name, _) => panic!("{name} is not resolved"),
        }
    }
}
