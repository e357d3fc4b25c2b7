//! Parts of a system as nodes of their own: which equation belongs to which part, and what each part takes and gives.
//!
//! A part is a path (`Sub/Inner`), and holds the signals whose names are below it. An expression without a name belongs to the part of the
//! signal that it is the value of, otherwise to the innermost part around all that use it. Every name is unique in the
//! whole program, so it is the same in every node.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The parts of a system that become nodes.
pub struct Parts<'a> {
    /// Their paths.
    pub paths: BTreeSet<String>,
    /// Whether a signal only repeats the value of another one, such as a port.
    pub is_alias: &'a dyn Fn(&str) -> bool,
}

impl Parts<'_> {
    /// The innermost part that a signal is in.
    pub(super) fn of(&self, signal: &str) -> Option<&str> {
        let mut path = signal;
        while let Some((above, _)) = path.rsplit_once('/') {
            if let Some(part) = self.paths.get(above) {
                return Some(part);
            }
            path = above;
        }
        None
    }
}

/// An equation.
pub(super) struct Equation<'p> {
    pub(super) name: String,
    pub(super) text: String,
    /// The part that it belongs to; none for the main node. Unknown for a shared expression until all equations are there.
    pub(super) part: Option<Option<&'p str>>,
}

/// The equations of a program, by part.
pub(super) struct Plan<'p> {
    equations: Vec<(Equation<'p>, Option<&'p str>)>,
    types: &'p BTreeMap<String, String>,
    /// For each part, the part around it.
    above: BTreeMap<&'p str, Option<&'p str>>,
    inputs: BTreeMap<&'p str, BTreeSet<String>>,
    outputs: BTreeMap<&'p str, BTreeSet<String>>,
}

/// The names in a text that are signals.
fn used<'t>(text: &'t str, types: &BTreeMap<String, String>) -> impl Iterator<Item = &'t str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| types.contains_key(*word))
}

impl<'p> Plan<'p> {
    /// Distributes equations. `asked` has the names that the main node needs itself.
    pub(super) fn new(
        parts: &'p Parts<'_>,
        equations: Vec<Equation<'p>>,
        types: &'p BTreeMap<String, String>,
        asked: &[String],
    ) -> Plan<'p> {
        let above = parts.paths.iter().map(|it| (it.as_str(), parts.of(it))).collect();
        let mut plan =
            Plan { equations: Vec::new(), types, above, inputs: BTreeMap::new(), outputs: BTreeMap::new() };
        // A shared expression comes after those that it uses, so its readers are known if it is visited before them.
        let mut readers: BTreeMap<String, Option<Option<&'p str>>> = BTreeMap::new();
        let asked: BTreeSet<&str> = asked.iter().map(String::as_str).collect();
        for equation in equations.into_iter().rev() {
            let around = readers.get(&equation.name).copied().flatten().flatten();
            let part =
                equation.part.unwrap_or(if asked.contains(equation.name.as_str()) { None } else { around });
            for name in used(&equation.text, types) {
                let before = readers.entry(name.to_owned()).or_default();
                *before = Some(match *before {
                    None => part,
                    Some(other) => plan.around(part, other),
                });
            }
            plan.equations.push((equation, part));
        }
        plan.equations.reverse();
        while !plan.connect(&asked) {}
        plan
    }

    /// A part and all those around it; the main node is not among them.
    fn chain(&self, part: Option<&'p str>) -> Vec<&'p str> {
        std::iter::successors(part, |it| self.above.get(it).copied().flatten()).collect()
    }

    /// The innermost part around two.
    fn around(&self, a: Option<&'p str>, b: Option<&'p str>) -> Option<&'p str> {
        let all = self.chain(b);
        self.chain(a).into_iter().find(|it| all.contains(it))
    }

    /// Finds what each part takes and gives. Returns whether each gives something; one that does not is dissolved.
    fn connect(&mut self, asked: &BTreeSet<&str>) -> bool {
        let home: BTreeMap<&str, Option<&'p str>> =
            self.equations.iter().map(|(it, part)| (it.name.as_str(), *part)).collect();
        let (mut inputs, mut outputs) = (BTreeMap::new(), BTreeMap::new());
        let mut pass = |name: &str, to: Option<&'p str>| {
            let from = home.get(name).copied().flatten();
            let common = self.around(from, to);
            let along = |part: Option<&'p str>, all: &mut BTreeMap<&'p str, BTreeSet<String>>| {
                for inner in self.chain(part).into_iter().take_while(|it| Some(*it) != common) {
                    all.entry(inner).or_default().insert(name.to_owned());
                }
            };
            along(from, &mut outputs);
            along(to, &mut inputs);
        };
        for (equation, part) in &self.equations {
            used(&equation.text, self.types).for_each(|name| pass(name, *part));
        }
        asked.iter().for_each(|name| pass(name, None));
        let idle: Vec<&'p str> = self.above.keys().copied().filter(|it| !outputs.contains_key(it)).collect();
        for part in &idle {
            let around = self.above.remove(part).flatten();
            for other in self.above.values_mut().filter(|it| **it == Some(*part)) {
                *other = around;
            }
            for (_, own) in self.equations.iter_mut().filter(|it| it.1 == Some(*part)) {
                *own = around;
            }
        }
        (self.inputs, self.outputs) = (inputs, outputs);
        idle.is_empty()
    }

    /// The parts, each after those inside it.
    pub(super) fn parts(&self) -> Vec<&'p str> {
        let mut all: Vec<&'p str> = self.above.keys().copied().collect();
        all.sort_by_key(|it| std::cmp::Reverse(self.chain(Some(it)).len()));
        all
    }

    /// The names that are defined in a part by an equation or by a part inside it.
    pub(super) fn defined(&self, part: Option<&str>) -> BTreeSet<&str> {
        let own = self.equations.iter().filter(|it| it.1 == part).map(|it| it.0.name.as_str());
        let inner = self.above.iter().filter(|it| *it.1 == part).filter_map(|it| self.outputs.get(it.0));
        own.chain(inner.flatten().map(String::as_str)).collect()
    }

    /// The equations of a part, and the calls of the parts inside it.
    pub(super) fn body(&self, part: Option<&str>, nodes: &BTreeMap<&str, String>) -> String {
        let mut out = String::new();
        for (inner, _) in self.above.iter().filter(|it| *it.1 == part) {
            let list = |all: &BTreeMap<&'p str, BTreeSet<String>>| {
                all.get(inner).map_or(String::new(), |it| it.iter().cloned().collect::<Vec<_>>().join(", "))
            };
            let (inputs, outputs) = (list(&self.inputs), list(&self.outputs));
            let outputs = if outputs.contains(',') { format!("({outputs})") } else { outputs };
            let _ = writeln!(out, "  {outputs} = {}({inputs});", nodes[inner]);
        }
        for (equation, _) in self.equations.iter().filter(|it| it.1 == part) {
            let _ = writeln!(out, "  {} = {};", equation.name, equation.text);
        }
        out
    }

    /// The node of a part.
    pub(super) fn node(&self, part: &str, nodes: &BTreeMap<&str, String>) -> String {
        let empty = BTreeSet::new();
        let (inputs, outputs) =
            (self.inputs.get(part).unwrap_or(&empty), self.outputs.get(part).unwrap_or(&empty));
        let declared = |all: &BTreeSet<String>| {
            all.iter().map(|it| format!("{it}: {}", self.types[it])).collect::<Vec<_>>().join("; ")
        };
        let mut out = format!("-- {part}\n");
        let (takes, gives) = (declared(inputs), declared(outputs));
        let _ = writeln!(out, "node {} ({takes}) returns ({gives});", nodes[part]);
        for name in self.defined(Some(part)).into_iter().filter(|it| !outputs.contains(*it)) {
            let _ = writeln!(out, "var {name}: {};", self.types[name]);
        }
        let _ = writeln!(out, "let\n{}tel\n", self.body(Some(part), nodes));
        out
    }
}
