//! The Lustre monitors mean what the oracle says: a small interpreter of Lustre, which shares nothing with the writer, reads the
//! written program and runs every node on all traces up to length 3.

use export::vectors::lustre;
use requirement::oracle::{Interval, judge};
use requirement::vectors::{Setting, Templates};
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
enum Expr {
    Const(i64),
    Var(usize),
    /// The value of a variable or expression one step ago.
    Pre(Box<Expr>),
    Unary(fn(i64) -> i64, Box<Expr>),
    Binary(Apply, Box<Expr>, Box<Expr>),
    /// The first at the first step, afterwards the second.
    Arrow(Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
}

#[derive(Debug)]
struct NodeText {
    inputs: Vec<String>,
    outputs: Vec<String>,
    /// All variables: inputs first.
    names: Vec<String>,
    equations: Vec<(usize, Expr)>,
}

/// Words and symbols; comments are left out.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let line = line.split("--").next().unwrap_or_default();
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let word = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let symbols = ["->", "=>", "<=", ">=", "<>"];
            let length = match word {
                0 => {
                    symbols.iter().find(|symbol| rest.starts_with(**symbol)).map_or(1, |symbol| symbol.len())
                }
                word => word,
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
    names: Vec<String>,
}

type Apply = fn(i64, i64) -> i64;

/// Kind 2's operators with two operands and how tightly they bind, from its grammar.
fn operator(token: &str) -> Option<(u8, Apply)> {
    Some(match token {
        "=>" => (2, |a, b| i64::from(a == 0 || b != 0)),
        "or" => (3, |a, b| a | b),
        "xor" => (3, |a, b| a ^ b),
        "and" => (4, |a, b| a & b),
        "=" => (5, |a, b| i64::from(a == b)),
        "<" => (5, |a, b| i64::from(a < b)),
        ">=" => (5, |a, b| i64::from(a >= b)),
        "+" => (6, |a, b| a + b),
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

    #[track_caller]
    fn expect(&mut self, token: &str) {
        assert_eq!(self.next(), token, "token {}", self.at);
    }

    /// `a, b : bool; c : int`.
    fn declarations(&mut self, end: &str) -> Vec<String> {
        let mut names = Vec::new();
        while self.peek() != end {
            names.push(self.next());
            while self.peek() == "," {
                self.expect(",");
                names.push(self.next());
            }
            self.expect(":");
            assert!(["bool", "int"].contains(&self.next().as_str()));
            if self.peek() == ";" {
                self.expect(";");
            }
        }
        names
    }

    fn node(&mut self) -> (String, NodeText) {
        self.expect("node");
        let name = self.next();
        self.expect("(");
        let inputs = self.declarations(")");
        self.expect(")");
        self.expect("returns");
        self.expect("(");
        let outputs = self.declarations(")");
        self.expect(")");
        self.expect(";");
        self.names = [inputs.clone(), outputs.clone()].concat();
        if self.peek() == "var" {
            self.expect("var");
            let locals = self.declarations("let");
            self.names.extend(locals);
        }
        self.expect("let");
        let mut equations = Vec::new();
        while self.peek() != "tel" {
            let target = self.next();
            let target = self.variable(&target);
            self.expect("=");
            equations.push((target, self.expression(0)));
            self.expect(";");
        }
        self.expect("tel");
        let defined: Vec<usize> = equations.iter().map(|&(target, _)| target).collect();
        for variable in inputs.len()..self.names.len() {
            let count = defined.iter().filter(|&&target| target == variable).count();
            assert_eq!(count, 1, "{} in {name}", self.names[variable]);
        }
        (name, NodeText { inputs, outputs, names: self.names.clone(), equations })
    }

    #[track_caller]
    fn variable(&self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| panic!("{name} is not declared"))
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
            "not" => Expr::Unary(|a| 1 - a, Box::new(self.prefix())),
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
                Expr::Const(number.parse().unwrap())
            }
            name if self.peek() == "(" => {
                self.expect("(");
                let mut arguments = vec![self.expression(0)];
                while self.peek() == "," {
                    self.expect(",");
                    arguments.push(self.expression(0));
                }
                self.expect(")");
                Expr::Call(name.to_string(), arguments)
            }
            name => Expr::Var(self.variable(name)),
        }
    }
}

fn read(text: &str) -> BTreeMap<String, NodeText> {
    let mut parser = Parser { tokens: tokens(text), at: 0, names: Vec::new() };
    let mut nodes = BTreeMap::new();
    while parser.at < parser.tokens.len() {
        let (name, node) = parser.node();
        assert!(nodes.insert(name.clone(), node).is_none(), "{name} twice");
    }
    nodes
}

/// The values of all variables, step by step; `None` while they are being computed.
struct Run<'a> {
    node: &'a NodeText,
    steps: Vec<Vec<Option<i64>>>,
}

impl Run<'_> {
    fn value(&mut self, variable: usize, step: usize) -> i64 {
        if let Some(value) = self.steps[step][variable] {
            return value;
        }
        let node = self.node;
        let (_, expr) =
            node.equations.iter().find(|&&(target, _)| target == variable).expect("it is defined");
        let value = self.eval(expr, step);
        self.steps[step][variable] = Some(value);
        value
    }

    fn eval(&mut self, expr: &Expr, step: usize) -> i64 {
        match expr {
            Expr::Const(value) => *value,
            Expr::Var(variable) => self.value(*variable, step),
            Expr::Pre(inner) => {
                assert!(step > 0, "a `pre` is used at the first step");
                self.eval(inner, step - 1)
            }
            Expr::Unary(apply, a) => apply(self.eval(a, step)),
            Expr::Binary(apply, a, b) => apply(self.eval(a, step), self.eval(b, step)),
            Expr::Arrow(first, then) => self.eval(if step == 0 { first } else { then }, step),
            Expr::If(condition, a, b) => {
                let chosen = if self.eval(condition, step) != 0 { a } else { b };
                self.eval(chosen, step)
            }
            Expr::Call(name, _) => panic!("{name} is called in a monitor"),
        }
    }
}

/// What a monitor says after each step of a setting.
fn simulate(node: &NodeText, setting: &Setting) -> Vec<bool> {
    let inputs = |position| (0..4).map(move |atom| Some(i64::from(setting.holds(atom, position))));
    let empty = vec![None; node.names.len() - 4];
    let steps =
        (0..setting.length).map(|position| inputs(position).chain(empty.iter().copied()).collect()).collect();
    let mut run = Run { node, steps };
    (0..setting.length).map(|step| run.value(4, step) == 1).collect()
}

/// All settings of a length in which only some atoms ever hold.
fn settings(length: usize, steps: u64, atoms: &[usize]) -> impl Iterator<Item = Setting> {
    (0..1_u32 << (length * atoms.len())).map(move |number| {
        let holds = |atom: usize, position: usize| {
            let used = atoms.iter().position(|&used| used == atom);
            used.is_some_and(|used| number >> (used * length + position) & 1 == 1)
        };
        // Neighbours are not merged: how intervals are cut does not matter to anyone who reads them.
        let signals = [0, 1, 2, 3].map(|atom| {
            let points = (0..length).filter(|&position| holds(atom, position));
            points.map(|position| Interval { lo: position, hi: position }).collect()
        });
        Setting { length, steps, signals }
    })
}

/// Compares the monitors of a program with the oracle on all traces up to length 3. Gives the first that differs, or how
/// many verdicts were compared.
fn compare(templates: &Templates, program: &str) -> Result<usize, String> {
    let nodes = read(program);
    let mut compared = 0;
    for row in &templates.rows {
        let node = &nodes[&format!("monitor_{}", export::vectors::identifier(&row.key))];
        assert_eq!(node.inputs, ["MODE", "COND", "STOP", "RES"]);
        assert_eq!(node.outputs, ["holds"]);
        let used = [
            (row.requirement.scope.mode().is_some(), 0),
            (row.requirement.condition.expression().is_some(), 1),
            (row.requirement.timing.stop().is_some(), 2),
            (true, 3),
        ];
        let atoms: Vec<usize> = used.into_iter().filter(|&(used, _)| used).map(|(_, atom)| atom).collect();
        for setting in settings(3, templates.steps, &atoms) {
            let values = simulate(node, &setting);
            for length in 1..=3 {
                let begun = Setting { length, ..setting.clone() };
                let verdict = judge(&templates.store, &row.requirement, &begun.trace()).unwrap();
                if values[length - 1] != verdict.holds() {
                    return Err(format!("{} on {begun}", row.key));
                }
                compared += 1;
            }
        }
    }
    Ok(compared)
}

#[test]
fn monitors_say_what_the_oracle_says() {
    let mut compared = 0;
    for steps in 0..=3 {
        let timed = |timing: &str| ["within", "for", "after"].contains(&timing);
        let mut templates = Templates::new(steps, |key| steps == 0 || timed(key.timing));
        let program = lustre::program(&mut templates).expect("the past can be monitored");
        compared += compare(&templates, &program).unwrap_or_else(|differs| panic!("n {steps}: {differs}"));
    }
    assert!(compared > 500_000, "{compared}");
}

#[test]
fn broken_monitors_are_noticed() {
    let mut templates = Templates::new(1, |key| ["in", "after"].contains(&key.scope));
    let program = lustre::program(&mut templates).expect("the past can be monitored");
    for (right, wrong) in [
        ("and (true -> pre", "and (false -> pre"),
        ("or (false -> pre", "or (true -> pre"),
        ("and (false -> pre latch", "and (true -> pre latch"),
        ("= true -> pre", "= false -> pre"),
        ("= false -> pre", "= true -> pre"),
        ("(2 -> ", "(0 -> "),
        ("< 2;", "< 1;"),
        (">= 2;", ">= 3;"),
        ("+ 1", "+ 2"),
        (" => ", " and "),
    ] {
        assert!(program.contains(right), "{right}");
        assert!(compare(&templates, &program.replace(right, wrong)).is_err(), "{right}");
    }
}

#[test]
fn longer_traces_fill_the_counters() {
    for steps in [2, 5] {
        let mut templates = Templates::new(steps, |_| true);
        let nodes = read(&lustre::program(&mut templates).expect("the past can be monitored"));
        for setting in requirement::vectors::random(12, Some(steps), 40, steps) {
            let verdicts = templates.verdicts(&setting).unwrap_or_else(|dissent| panic!("{dissent}"));
            for (row, expected) in templates.rows.iter().zip(verdicts) {
                let node = &nodes[&format!("monitor_{}", export::vectors::identifier(&row.key))];
                assert_eq!(simulate(node, &setting).last(), Some(&expected), "{} on {setting}", row.key);
            }
        }
    }
}

#[test]
fn main_runs_all_monitors() {
    let mut templates = Templates::new(2, |_| true);
    let nodes = read(&lustre::program(&mut templates).expect("the past can be monitored"));
    let main = &nodes["main"];
    assert_eq!(nodes.len(), 265);
    assert_eq!(main.outputs.len(), 264);
    for (target, expr) in &main.equations {
        let key = main.names[*target].strip_prefix("PT_").expect("outputs are named after templates");
        let Expr::Call(called, arguments) = expr else { panic!("{key} is not a call") };
        assert_eq!(*called, format!("monitor_{key}"));
        assert!(nodes.contains_key(called));
        assert_eq!(arguments.len(), 4);
        assert!(
            arguments
                .iter()
                .enumerate()
                .all(|(at, argument)| matches!(argument, Expr::Var(var) if *var == at))
        );
    }
    assert!(main.equations.iter().map(|(target, _)| target - 4).eq(0..264));
}

/// The keywords of Kind 2, from the lexer of its development version.
const KEYWORDS: &str = "
type datatype int uint sint uint8 uint16 uint32 uint64 int8 int16 int32 int64 real bool subrange of
subtype struct enum history map set const param transparent opaque imported node function returns
var let tel con noc assert check reachable invariant provided from at within contract import true
false not and xor forall exists or in if then else elsif fi when cond otherwise end frame div mod
any choose current condact activate initial default every restart merge pre fby mode assume
guarantee require ensure weakly assumption_vars with match lsh rsh include
";

#[test]
fn names_are_legal() {
    let mut templates = Templates::new(3, |_| true);
    let nodes = read(&lustre::program(&mut templates).expect("the past can be monitored"));
    for name in nodes.iter().flat_map(|(name, node)| std::iter::once(name).chain(&node.names)) {
        assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()), "{name}");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
        assert!(!KEYWORDS.split_whitespace().any(|word| word == name), "{name}");
    }
}
