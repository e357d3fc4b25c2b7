//! The modules for NuSMV are read back by a small interpreter, which shares no code with the writer, and walked at random
//! alongside [`dfrs::step`]: in every state the same entries can react, the same delays are possible, and the same inputs
//! are allowed.

mod dfrs_common;

use dfrs::step::{self, State};
use dfrs::{Dfrs, Kind, Reading, Semantics};
use dfrs_common::{EXAMPLES, parse, system};
use logic::{RBig, Value};
use shall_export::dfrs::smv;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Val {
    Bool(bool),
    Int(i64),
    Name(Rc<str>),
}

type Row = BTreeMap<String, Val>;

#[derive(Debug, Clone)]
enum Tree {
    Val(Val),
    Name(String),
    Not(Box<Tree>),
    Next(Box<Tree>),
    Op(String, Box<Tree>, Box<Tree>),
}

#[derive(Default)]
struct Module {
    domains: Vec<(String, Vec<Val>)>,
    defines: BTreeMap<String, Tree>,
    init: Vec<(String, Tree)>,
    next: BTreeMap<String, Vec<(Tree, Vec<Tree>)>>,
    invar: Vec<Tree>,
    trans: Vec<Tree>,
}

/// Parses the tokens of an expression, starting with the loosest operator.
struct Reader {
    tokens: Vec<String>,
    at: usize,
}

const LEVELS: [&[&str]; 6] =
    [&["->"], &["<->"], &["|"], &["&"], &["=", "!=", "<", "<=", ">", ">="], &["+", "-"]];

impl Reader {
    fn of(text: &str) -> Reader {
        let spaced: String = text
            .chars()
            .map(|c| if "(){},!".contains(c) { format!(" {c} ") } else { c.to_string() })
            .collect();
        let spaced = spaced.replace("!  =", "!=").replace("! =", "!=");
        Reader { tokens: spaced.split_whitespace().map(str::to_owned).collect(), at: 0 }
    }

    fn take(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).unwrap_or_else(|| panic!("{:?} ends", self.tokens)).clone()
    }

    fn tree(&mut self, level: usize) -> Tree {
        let Some(operators) = LEVELS.get(level) else { return self.unit() };
        let mut left = self.tree(level + 1);
        while let Some(operator) = self.tokens.get(self.at).filter(|it| operators.contains(&it.as_str())) {
            let operator = operator.clone();
            self.at += 1;
            left = Tree::Op(operator, Box::new(left), Box::new(self.tree(level + 1)));
        }
        left
    }

    fn unit(&mut self) -> Tree {
        let token = self.take();
        match token.as_str() {
            "!" => Tree::Not(Box::new(self.unit())),
            "(" => {
                let tree = self.tree(0);
                assert_eq!(self.take(), ")");
                tree
            }
            "next" => Tree::Next(Box::new(self.unit())),
            "TRUE" => Tree::Val(Val::Bool(true)),
            "FALSE" => Tree::Val(Val::Bool(false)),
            name => name.parse().map_or_else(|_| Tree::Name(name.to_owned()), |int| Tree::Val(Val::Int(int))),
        }
    }
}

fn tree(text: &str) -> Tree {
    let mut reader = Reader::of(text);
    let tree = reader.tree(0);
    assert_eq!(reader.at, reader.tokens.len(), "{text}");
    tree
}

fn module(text: &str) -> Module {
    let mut module = Module::default();
    let mut section = "";
    let mut open: Option<String> = None;
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with("--")) {
        let body = line.strip_suffix(';').unwrap_or(line);
        if ["MODULE main", "VAR", "DEFINE", "ASSIGN"].contains(&line) {
            section = line;
        } else if let Some(name) = &open {
            match body.split_once(" : ") {
                Some((condition, values)) => {
                    let values = values.trim_matches(['{', '}']).split(", ").map(tree).collect();
                    let cases = module.next.entry(name.clone()).or_default();
                    cases.push((tree(condition), values));
                }
                None => {
                    assert_eq!(line, "esac;");
                    open = None;
                }
            }
        } else if let Some(condition) = body.strip_prefix("INVAR ") {
            module.invar.push(tree(condition));
        } else if let Some(condition) = body.strip_prefix("TRANS ") {
            module.trans.push(tree(condition));
        } else if section == "VAR" {
            let (name, sort) = body.split_once(" : ").expect("a variable has a type");
            let domain = match sort.split_once(" .. ") {
                Some((low, high)) => {
                    (low.parse().expect("a number")..=high.parse().expect("a number")).map(Val::Int).collect()
                }
                None if sort == "boolean" => vec![Val::Bool(false), Val::Bool(true)],
                None => sort
                    .trim_matches(['{', '}'])
                    .split(", ")
                    .map(|it| it.parse().map_or_else(|_| Val::Name(it.into()), Val::Int))
                    .collect(),
            };
            assert!(module.domains.iter().all(|(other, _)| other != name), "{name} twice");
            module.domains.push((name.to_owned(), domain));
        } else {
            let (left, right) = body.split_once(" := ").expect("an assignment");
            let inside = left.split_once('(').map(|(_, name)| name.trim_end_matches(')').to_owned());
            match inside {
                None => {
                    assert!(module.defines.insert(left.to_owned(), tree(right)).is_none(), "{left} twice")
                }
                Some(name) if left.starts_with("init") => module.init.push((name, tree(right))),
                Some(name) => {
                    assert_eq!(right, "case");
                    open = Some(name);
                }
            }
        }
    }
    module
}

impl Module {
    fn value(&self, tree: &Tree, now: &Row, next: &Row) -> Val {
        match tree {
            Tree::Val(value) => value.clone(),
            Tree::Name(name) => match (now.get(name), self.defines.get(name)) {
                (Some(value), _) => value.clone(),
                (None, Some(define)) => self.value(define, now, next),
                (None, None) => {
                    let known = self
                        .domains
                        .iter()
                        .any(|(_, domain)| domain.contains(&Val::Name(name.as_str().into())));
                    assert!(known, "{name} is not declared");
                    Val::Name(name.as_str().into())
                }
            },
            Tree::Not(tree) => Val::Bool(!self.truth(tree, now, next)),
            Tree::Next(tree) => self.value(tree, next, next),
            // The other side is not evaluated if this one decides.
            Tree::Op(operator, left, right) if operator == "&" => {
                Val::Bool(self.truth(left, now, next) && self.truth(right, now, next))
            }
            Tree::Op(operator, left, right) if operator == "|" => {
                Val::Bool(self.truth(left, now, next) || self.truth(right, now, next))
            }
            Tree::Op(operator, left, right) if operator == "->" => {
                Val::Bool(!self.truth(left, now, next) || self.truth(right, now, next))
            }
            Tree::Op(operator, left, right) => {
                let (left, right) = (self.value(left, now, next), self.value(right, now, next));
                match (operator.as_str(), left, right) {
                    ("<->", Val::Bool(left), Val::Bool(right)) => Val::Bool(left == right),
                    ("=", left, right) => Val::Bool(left == right),
                    ("!=", left, right) => Val::Bool(left != right),
                    ("<", Val::Int(left), Val::Int(right)) => Val::Bool(left < right),
                    ("<=", Val::Int(left), Val::Int(right)) => Val::Bool(left <= right),
                    (">", Val::Int(left), Val::Int(right)) => Val::Bool(left > right),
                    (">=", Val::Int(left), Val::Int(right)) => Val::Bool(left >= right),
                    ("+", Val::Int(left), Val::Int(right)) => Val::Int(left + right),
                    (operator, left, right) => panic!("{left:?} {operator} {right:?}"),
                }
            }
        }
    }

    fn truth(&self, tree: &Tree, now: &Row, next: &Row) -> bool {
        match self.value(tree, now, next) {
            Val::Bool(truth) => truth,
            other => panic!("{other:?} is not a Boolean"),
        }
    }

    /// All rows in which the fixed variables have these values and all invariants hold.
    fn rows(&self, fixed: &BTreeMap<String, Vec<Val>>) -> Vec<Row> {
        let mut rows = vec![Row::new()];
        for (name, domain) in &self.domains {
            let values = fixed.get(name).unwrap_or(domain);
            assert!(
                values.iter().all(|value| domain.contains(value)),
                "{name} leaves its domain: {values:?}"
            );
            rows = rows
                .into_iter()
                .flat_map(|row| {
                    values.iter().map(move |value| {
                        let mut row = row.clone();
                        row.insert(name.clone(), value.clone());
                        row
                    })
                })
                .collect();
        }
        rows.retain(|row| self.invar.iter().all(|tree| self.truth(tree, row, row)));
        rows
    }

    fn starts(&self) -> Vec<Row> {
        let none = Row::new();
        let fixed = self.init.iter().map(|(name, tree)| (name.clone(), vec![self.value(tree, &none, &none)]));
        self.rows(&fixed.collect())
    }

    fn follow(&self, now: &Row) -> Vec<Row> {
        let mut found = Vec::new();
        for phase in ["react", "wait"] {
            // Cases may read the next phase, but nothing else of the next row.
            let next = Row::from([("phase".to_owned(), Val::Name(phase.into()))]);
            let mut fixed: BTreeMap<String, Vec<Val>> = BTreeMap::new();
            for (name, cases) in &self.next {
                let (_, values) = cases
                    .iter()
                    .find(|(condition, _)| self.truth(condition, now, &next))
                    .expect("a case applies");
                let values = values.iter().map(|tree| self.value(tree, now, &next)).collect();
                fixed.insert(name.clone(), values);
            }
            let phases = fixed.get_mut("phase").expect("it is assigned");
            phases.retain(|value| *value == Val::Name(phase.into()));
            if !phases.is_empty() {
                let rows = self.rows(&fixed).into_iter();
                found.extend(rows.filter(|row| self.trans.iter().all(|tree| self.truth(tree, now, row))));
            }
        }
        found
    }
}

/// The value of a variable of the module.
fn shown(dfrs: &Dfrs, variable: usize, value: &Value) -> Val {
    let name = &dfrs.variables[variable].name;
    match value {
        Value::Bool(truth) => Val::Bool(*truth),
        Value::Num(number) => Val::Int(i64::try_from(number.floor()).expect("small")),
        Value::Name(words) => Val::Name(format!("{name}_{}", words.replace(' ', "_")).into()),
    }
}

fn same(dfrs: &Dfrs, state: &State, row: &Row) {
    for (place, variable) in dfrs.variables.iter().enumerate() {
        let name = &variable.name;
        if variable.kind == Kind::Timer {
            let Value::Num(reset) = &state.now[place] else { panic!("a timer is a number") };
            let age = i64::try_from((&state.clock - reset).floor()).expect("small");
            let Val::Int(found) = row[name] else { panic!("a timer is a number") };
            assert!(found == age || found < age && found > 1, "{name}: {found} is not {age}");
        } else {
            assert_eq!(row[name], shown(dfrs, place, &state.now[place]), "{name}");
            assert_eq!(row[&format!("prev_{name}")], shown(dfrs, place, &state.before[place]), "prev {name}");
        }
    }
}

fn entries(rows: &[Row]) -> Vec<String> {
    let mut names: Vec<String> = rows
        .iter()
        .filter_map(|row| match &row["entry"] {
            Val::Name(name) if &**name != "none" => Some(name.to_string()),
            _ => None,
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Walks a number of steps alongside the reference.
fn walk(dfrs: &Dfrs, semantics: Semantics, steps: usize) -> usize {
    let module = module(&smv(dfrs, semantics).expect("it can be written"));
    let names: Vec<String> = module.domains.iter().find(|(name, _)| name == "entry").expect("it is there").1
        [1..]
        .iter()
        .map(|value| match value {
            Val::Name(name) => name.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    let mut state = step::initial(dfrs);
    let mut rows = module.starts();
    let mut rng = base::Random::new(8);
    let mut fired = 0;
    for _ in 0..steps {
        // The rows differ only in the entry.
        rows.iter().for_each(|row| same(dfrs, &state, row));
        let reactions = step::react(dfrs, semantics, &state);
        let mut expected: Vec<String> = reactions.iter().map(|it| names[it.entry].clone()).collect();
        expected.sort();
        assert_eq!(entries(&rows), expected);
        if !reactions.is_empty() {
            let chosen = &reactions[rng.below(reactions.len())];
            let entry = Val::Name(names[chosen.entry].as_str().into());
            let row = rows.into_iter().find(|row| row["entry"] == entry).expect("it is there");
            state = chosen.state.clone();
            rows = module.follow(&row);
            fired += 1;
            continue;
        }
        let deadline = step::deadline(dfrs, semantics, &state).map(|it| it.delay);
        let wanted = [1, 2, 3, 7, 11, 17, 30, 31][rng.below(8)];
        let mut row = rows.pop().expect("time goes on");
        assert!(rows.is_empty());
        for elapsed in 1.. {
            let next = module.follow(&row);
            let by = RBig::from(elapsed);
            let (waiting, arrived): (Vec<Row>, Vec<Row>) =
                next.into_iter().partition(|row| row["phase"] == Val::Name("wait".into()));
            let last = deadline.as_ref().is_some_and(|deadline| by == *deadline);
            assert_eq!(waiting.is_empty(), last, "after {elapsed}");
            if !(last || elapsed == wanted) {
                row = waiting.into_iter().next().expect("waiting goes on");
                continue;
            }
            let chosen = arrived[rng.below(arrived.len())].clone();
            check_inputs(dfrs, semantics, &module, &state, &by, &arrived);
            let inputs = dfrs.variables.iter().enumerate().filter(|(_, it)| it.kind == Kind::Input);
            let inputs: Vec<(usize, Value)> =
                inputs.map(|(place, it)| (place, read(dfrs, place, &chosen[&it.name]))).collect();
            state = step::delay(dfrs, semantics, &state, &by, &inputs).expect("it is allowed");
            let same_inputs = |row: &Row| {
                inputs.iter().all(|(place, _)| {
                    let name = &dfrs.variables[*place].name;
                    row[name] == chosen[name]
                })
            };
            rows = arrived.into_iter().filter(same_inputs).collect();
            break;
        }
    }
    fired
}

fn read(dfrs: &Dfrs, variable: usize, value: &Val) -> Value {
    match (value, &dfrs.variables[variable].sort) {
        (Val::Bool(truth), _) => Value::Bool(*truth),
        (Val::Int(number), _) => Value::Num(RBig::from(*number)),
        (Val::Name(_), dfrs::Sort::Names(names)) => names
            .iter()
            .map(|name| Value::Name(name.clone()))
            .find(|name| shown(dfrs, variable, name) == *value)
            .expect("a value"),
        (Val::Name(name), _) => panic!("{name}"),
    }
}

/// The inputs with which a delay may end are the same as in the reference.
fn check_inputs(
    dfrs: &Dfrs,
    semantics: Semantics,
    module: &Module,
    state: &State,
    by: &RBig,
    arrived: &[Row],
) {
    let inputs = dfrs.variables.iter().enumerate().filter(|(_, it)| it.kind == Kind::Input);
    let mut all: Vec<Vec<(usize, Val)>> = vec![Vec::new()];
    for (place, variable) in inputs {
        let (_, domain) =
            module.domains.iter().find(|(name, _)| *name == variable.name).expect("it is declared");
        let longer = |chosen: &Vec<(usize, Val)>| {
            let chosen = chosen.clone();
            domain.iter().map(move |value| chosen.iter().cloned().chain([(place, value.clone())]).collect())
        };
        all = all.iter().flat_map(longer).collect::<Vec<Vec<(usize, Val)>>>();
    }
    for chosen in all {
        let inputs: Vec<(usize, Value)> =
            chosen.iter().map(|(place, value)| (*place, read(dfrs, *place, value))).collect();
        let allowed = step::delay(dfrs, semantics, state, by, &inputs).is_ok();
        let fits =
            |row: &&Row| chosen.iter().all(|(place, value)| row[&dfrs.variables[*place].name] == *value);
        assert_eq!(arrived.iter().any(|row| fits(&row)), allowed, "{inputs:?}");
    }
}

/// `LONG=1` walks five times as far.
#[test]
fn modules_walk_like_the_reference() {
    let times = if std::env::var_os("LONG").is_some() { 5 } else { 1 };
    for name in EXAMPLES {
        let system = system(name);
        let mut fired = 0;
        for reading in Reading::ALL {
            let steps = if reading == Reading::Synchronous { 40 } else { 20 };
            fired += walk(&system, Semantics::discrete(reading), steps * times);
        }
        assert!(fired > 4, "{name}: {fired}");
    }
}

#[test]
fn restrictions_and_resets_walk_too() {
    let text = "Initially, the lever is idle, and the lamp is off, and the mirror is off.
        If the lever was left, the lever is never right.
        REQ001: When the lever becomes left, the lamp controller shall: set the lamp to on, reset the lamp timer.
        REQ002: When the lamp is on, and the lamp timer is greater than 2, and the lamp timer is lower than 5,
            the lamp controller shall: set the lamp to off, set the mirror to on.
        REQ003: When the mirror is on, and the lamp timer is at least 7, the lamp controller shall set the mirror to off.
        REQ004: When the lever becomes idle, the lamp controller shall reset the lamp timer.
        REQ005: When the lever is right, the lamp controller shall set the lamp to on.";
    let system = parse(text);
    for reading in Reading::ALL {
        assert!(walk(&system, Semantics::discrete(reading), 120) > 10);
    }
}
