//! The past formulas as streaming monitors in Lustre: a node per template, and `main`, which runs all of them.
//!
//! Each temporal subformula is one equation with its memory: a latch for operators without bounds, a counter of steps for `[0,n]`,
//! a line of delays for `[n,n]`. The value of a node at a step is the verdict on the trace so far, so the value at the last
//! step is the verdict. Only `pre`, `->`, `if` and Boolean operators are used, and every `pre` is behind a `->`.

use super::{SIGNALS, identifier};
use logic::{Binary, Bound, Formula, Id, Node, SMV, Store, Unary, Unsupported};
use requirement::template::ATOMS;
use requirement::vectors::{Setting, Templates};
use std::collections::BTreeMap;

/// The longest line of delays that is written.
pub const MAX_DELAY: u64 = 1_000;

/// The program: a monitor for each template, and `main`.
pub fn program(templates: &mut Templates) -> Result<String, Unsupported> {
    let inputs = format!("{} : bool", SIGNALS.join(", "));
    let mut text =
        format!("-- monitors for n {}: the value at the last step is the verdict\n", templates.steps);
    let mut outputs = Vec::new();
    let mut calls = String::new();
    for row in &templates.rows {
        // Like NuSMV, monitors have no bounds on since and triggered.
        let formula = logic::adapt(&mut templates.store, row.past, &SMV);
        let monitor = Monitor::new(&templates.store, formula)?;
        let name = identifier(&row.key);
        text += &format!("\nnode monitor_{name}({inputs}) returns (holds : bool);\n{}", monitor.body());
        outputs.push(format!("\n  PT_{name} : bool"));
        calls += &format!("  PT_{name} = monitor_{name}({});\n", SIGNALS.join(", "));
    }
    text +=
        &format!("\nnode main({inputs}) returns ({}\n);\nlet\n  --%MAIN;\n{calls}tel\n", outputs.join(";"));
    Ok(text)
}

/// The inputs of a setting, step by step, as Kind 2's interpreter reads them from a file whose name ends with `.json`.
pub fn input(setting: &Setting) -> String {
    let step = |position: usize| {
        let cell = |(atom, name): (usize, &&str)| format!("\"{name}\": {}", setting.holds(atom, position));
        let cells: Vec<String> = SIGNALS.iter().enumerate().map(cell).collect();
        format!("  {{{}}}", cells.join(", "))
    };
    let steps: Vec<String> = (0..setting.length).map(step).collect();
    format!("[\n{}\n]\n", steps.join(",\n"))
}

/// The equations of a node, in an order in which each uses only what is above it, or what was one step ago.
#[derive(Default)]
struct Monitor {
    /// Name, type and definition.
    locals: Vec<(String, &'static str, String)>,
    /// The definition of the output.
    output: String,
}

impl Monitor {
    fn new(store: &Store, root: Formula) -> Result<Monitor, Unsupported> {
        let ids = store.reachable([root.id()]);
        let mut uses: BTreeMap<Id, usize> = BTreeMap::new();
        for &id in &ids {
            store.children(id).for_each(|child| *uses.entry(child).or_default() += 1);
        }
        let mut monitor = Monitor::default();
        let mut texts: BTreeMap<Id, String> = BTreeMap::new();
        for &id in &ids {
            let mut text = monitor.expression(store, id, &texts)?;
            // What is used twice is computed once.
            if is_compound(&text) && uses.get(&id).is_some_and(|&count| count > 1) {
                text = monitor.local("shared", "bool", |_| text);
            }
            texts.insert(id, text);
        }
        monitor.output = texts.remove(&root.id()).expect("the root is reachable");
        Ok(monitor)
    }

    fn body(&self) -> String {
        let line = |(name, sort, _): &(String, &str, String)| format!("  {name} : {sort};\n");
        let variables: String = self.locals.iter().map(line).collect();
        let equations: String =
            self.locals.iter().map(|(name, _, text)| format!("  {name} = {text};\n")).collect();
        let variables = if variables.is_empty() { variables } else { format!("var\n{variables}") };
        format!("{variables}let\n{equations}  holds = {};\ntel\n", self.output)
    }

    /// A new local variable; its definition may use its name.
    fn local(&mut self, word: &str, sort: &'static str, define: impl FnOnce(&str) -> String) -> String {
        let name = format!("{word}{}", self.locals.len() + 1);
        let text = define(&name);
        self.locals.push((name.clone(), sort, text));
        name
    }

    fn expression(
        &mut self,
        store: &Store,
        id: Id,
        texts: &BTreeMap<Id, String>,
    ) -> Result<String, Unsupported> {
        let operand = |f: &Formula| enclosed(&texts[&f.id()]);
        let infix = |operands: &[Formula], operator: &str| {
            operands.iter().map(operand).collect::<Vec<_>>().join(&format!(" {operator} "))
        };
        Ok(match store.node(id) {
            Node::True => "true".into(),
            Node::False => "false".into(),
            Node::Var(symbol) => match ATOMS.iter().position(|&atom| atom == store.name(*symbol)) {
                Some(atom) => SIGNALS[atom].into(),
                None => return refuse("a variable", "monitors read only mode, cond, stop and res"),
            },
            Node::Not(f) => format!("not {}", operand(f)),
            Node::And(operands) => infix(operands, "and"),
            Node::Or(operands) => infix(operands, "or"),
            Node::Xor(a, b) => infix(&[*a, *b], "xor"),
            Node::Implies(a, b) => infix(&[*a, *b], "=>"),
            Node::Iff(a, b) => infix(&[*a, *b], "="),
            Node::Unary(op, bound, f) => self.window(*op, *bound, &operand(f))?,
            Node::Binary(op, bound, a, b) => self.way(*op, *bound, &operand(a), &operand(b))?,
            Node::Hole(_)
            | Node::Call(..)
            | Node::Rel(..)
            | Node::Num(..)
            | Node::Value(_)
            | Node::Neg(_)
            | Node::Arith(..)
            | Node::Fun(..)
            | Node::Ite(..)
            | Node::Pre(..)
            | Node::Bool(_) => return refuse("a term", "templates are Boolean"),
        })
    }

    /// O and H: a window that begins later is a window of what was later; of nothing, O says false and H says true.
    fn window(&mut self, op: Unary, bound: Bound, operand: &str) -> Result<String, Unsupported> {
        let (once, nothing) = match op {
            Unary::Once => (true, "false"),
            Unary::Historically => (false, "true"),
            Unary::Finally | Unary::Globally => return refuse("the future", "a monitor knows only the past"),
        };
        if bound.lo > MAX_DELAY {
            return refuse("a long delay", "a line of more than 1000 delays is not written");
        }
        let mut delayed = operand.to_string();
        for _ in 0..bound.lo {
            delayed = self.local("delayed", "bool", |_| format!("{nothing} -> pre {delayed}"));
        }
        Ok(match bound.hi.map(|hi| hi - bound.lo) {
            Some(0) => delayed,
            None if once => self.local("once", "bool", |name| format!("{delayed} or (false -> pre {name})")),
            None => self.local("always", "bool", |name| format!("{delayed} and (true -> pre {name})")),
            Some(width) => {
                // The steps since it held, or since it failed; as many as the window has if that is longer ago.
                let all = width + 1;
                let count =
                    |name: &str| format!("({all} -> (if pre {name} < {all} then pre {name} + 1 else {all}))");
                let since = self.local("since", "int", |name| match once {
                    true => format!("if {delayed} then 0 else {}", count(name)),
                    false => format!("if {delayed} then {} else 0", count(name)),
                });
                let (word, relation) = if once { ("once", "<") } else { ("always", ">=") };
                self.local(word, "bool", |_| format!("{since} {relation} {all}"))
            }
        })
    }

    /// S and T.
    fn way(&mut self, op: Binary, bound: Bound, way: &str, target: &str) -> Result<String, Unsupported> {
        if bound != Bound::ALL {
            return refuse("bounds", "the formula has to be adapted before");
        }
        Ok(match op {
            Binary::Since => {
                self.local("latch", "bool", |name| format!("{target} or ({way} and (false -> pre {name}))"))
            }
            Binary::Triggered => {
                self.local("latch", "bool", |name| format!("{target} and ({way} or (true -> pre {name}))"))
            }
            Binary::Until | Binary::Release => return refuse("the future", "a monitor knows only the past"),
        })
    }
}

fn is_compound(text: &str) -> bool {
    text.contains(' ')
}

fn enclosed(text: &str) -> String {
    if is_compound(text) { format!("({text})") } else { text.into() }
}

fn refuse<T>(operator: &'static str, reason: &'static str) -> Result<T, Unsupported> {
    Err(Unsupported { dialect: "lustre", operator, reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use requirement::oracle::Interval;

    #[test]
    fn a_program() {
        let mut templates = Templates::new(3, |key| key.to_string() == "null,regular,within");
        assert_eq!(
            program(&mut templates).expect("the past can be monitored"),
            "\
-- monitors for n 3: the value at the last step is the verdict

node monitor_null_regular_within(MODE, COND, STOP, RES : bool) returns (holds : bool);
var
  delayed1 : bool;
  delayed2 : bool;
  delayed3 : bool;
  delayed4 : bool;
  since5 : int;
  once6 : bool;
  always7 : bool;
let
  delayed1 = true -> pre (not COND);
  delayed2 = false -> pre (COND and delayed1);
  delayed3 = false -> pre delayed2;
  delayed4 = false -> pre delayed3;
  since5 = if RES then 0 else (4 -> (if pre since5 < 4 then pre since5 + 1 else 4));
  once6 = since5 < 4;
  always7 = (delayed4 => once6) and (true -> pre always7);
  holds = always7;
tel

node main(MODE, COND, STOP, RES : bool) returns (
  PT_null_regular_within : bool
);
let
  --%MAIN;
  PT_null_regular_within = monitor_null_regular_within(MODE, COND, STOP, RES);
tel
"
        );
    }

    #[test]
    fn inputs_of_an_interpreter() {
        let signals = [vec![Interval { lo: 0, hi: 0 }], vec![], vec![], vec![Interval { lo: 0, hi: 1 }]];
        assert_eq!(
            input(&Setting { length: 2, steps: 0, signals }),
            "[\n  {\"MODE\": true, \"COND\": false, \"STOP\": false, \"RES\": true},\n  \
             {\"MODE\": false, \"COND\": false, \"STOP\": false, \"RES\": true}\n]\n"
        );
    }

    #[test]
    fn long_delays_are_refused() {
        let timed =
            |steps| program(&mut Templates::new(steps, |key| key.to_string() == "null,regular,within"));
        assert!(timed(MAX_DELAY).is_ok());
        assert!(timed(MAX_DELAY + 1).is_err());
    }
}
