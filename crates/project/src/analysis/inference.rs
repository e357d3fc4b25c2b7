//! The types of variables that no table declares, by unification over a whole component: all its sentences and definitions.
//!
//! `T_0 > 3` in one sentence and `T_0 = display` in another make both integers. A number is real if it meets a real number
//! anywhere, or the result of a function without a declared type: whole numbers beside it do not make a function whole-valued.
//! Where uses contradict each other, nothing is inferred, and each sentence is read by itself.

use crate::component::{Component, Components, Symbol};
use crate::project::Known;
use crate::reading::context;
use logic::Sort;
use requirement::specification::{Definition, Kind};
use requirement::{Sorts, result};
use rustc_hash::FxHashMap;

/// A variable of the component, by its index, or the result of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Thing {
    Variable(usize),
    Result(usize),
}

/// Infers the sort of each variable without a declared type.
pub(crate) fn infer(components: &mut Components, requirements: &[Known]) {
    let mut sentences: Vec<Vec<&Sorts>> = components.iter().map(|_| Vec::new()).collect();
    for known in requirements {
        if let (Some(index), Some(reading)) = (known.component, &known.reading) {
            sentences[index].push(&reading.lowered.sorts);
        }
    }
    let definitions: Vec<Vec<Sorts>> =
        (0..sentences.len()).map(|index| definitions(components, index)).collect();
    for (component, (sentences, definitions)) in
        components.iter_mut().zip(sentences.into_iter().zip(&definitions))
    {
        if component.variables.iter().any(|symbol| symbol.type_inferred) {
            let mut classes = Classes::default();
            sentences.into_iter().chain(definitions).for_each(|sorts| classes.add(component, sorts));
            classes.apply(component);
        }
    }
}

/// What the definitions of a component tell, as far as they are about names without a declared type.
fn definitions(components: &Components, index: usize) -> Vec<Sorts> {
    let component = &components[index];
    let is_open = |name: &str| component.symbol(name).is_none_or(|symbol| symbol.type_inferred);
    let mut all = Vec::new();
    for symbol in &component.variables {
        let Some(Definition::Expression(expression)) = symbol.definition.as_deref() else { continue };
        if !symbol.type_inferred && expression.names.iter().all(|name| !is_open(&name.name)) {
            continue;
        }
        let referent = |name: &str| components.referent(Some(index), name);
        let names = expression.names.iter().map(|it| (it.name.as_str(), referent(&it.name)));
        let context = context(names, None, Vec::new());
        all.push(expression.sorts(&symbol.variable.name, &context, declared(symbol)));
    }
    all
}

/// What a table says about the sort of a variable; a mode is Boolean.
fn declared(symbol: &Symbol) -> Sort {
    match (symbol.type_inferred, symbol.variable.kind) {
        (true, Kind::Mode) => Sort::Bool,
        (true, _) => Sort::Any,
        (false, _) => symbol.variable.ty.sort(),
    }
}

/// Classes of things that have the same sort: union-find.
#[derive(Debug, Default)]
struct Classes {
    known: FxHashMap<Thing, usize>,
    things: Vec<Thing>,
    parents: Vec<usize>,
    /// The sort of a root.
    sorts: Vec<Sort>,
    /// Whether the things of a root contradict each other.
    clashes: Vec<bool>,
}

impl Classes {
    fn add(&mut self, component: &Component, sorts: &Sorts) {
        // In the order of names, so that the first use that has a sort is always the same.
        let mut names: Vec<(&String, &Sort)> = sorts.names.iter().collect();
        names.sort_unstable_by_key(|(name, _)| name.as_str());
        for (name, &sort) in names {
            if let Some(thing) = thing(component, name) {
                let class = self.class(thing);
                self.meet(class, sort);
            }
        }
        for names in &sorts.same {
            let mut classes = names.iter().filter_map(|name| thing(component, name));
            let Some(first) = classes.next() else { continue };
            let rest: Vec<Thing> = classes.collect();
            rest.into_iter().for_each(|other| self.join(first, other));
        }
    }

    fn class(&mut self, thing: Thing) -> usize {
        *self.known.entry(thing).or_insert_with(|| {
            self.things.push(thing);
            self.parents.push(self.parents.len());
            self.sorts.push(Sort::Any);
            self.clashes.push(false);
            self.parents.len() - 1
        })
    }

    fn root(&mut self, mut class: usize) -> usize {
        while self.parents[class] != class {
            self.parents[class] = self.parents[self.parents[class]];
            class = self.parents[class];
        }
        class
    }

    /// A thing of a class has this sort.
    fn meet(&mut self, class: usize, sort: Sort) {
        let root = self.root(class);
        match (self.sorts[root], sort) {
            (_, Sort::Any) => {}
            (Sort::Any, sort) | (Sort::Int, sort @ Sort::Real) => self.sorts[root] = sort,
            (Sort::Real, Sort::Int) => {}
            (known, sort) => self.clashes[root] |= known != sort,
        }
    }

    fn join(&mut self, one: Thing, other: Thing) {
        let (one, other) = (self.class(one), self.class(other));
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            let (early, late) = (one.min(other), one.max(other));
            self.parents[late] = early;
            self.clashes[early] |= self.clashes[late];
            self.meet(early, self.sorts[late]);
        }
    }

    /// Gives the variables of the component their sorts.
    fn apply(mut self, component: &mut Component) {
        let mut members: Vec<Vec<Thing>> = vec![Vec::new(); self.parents.len()];
        for at in 0..self.things.len() {
            let root = self.root(at);
            members[root].push(self.things[at]);
        }
        for (root, things) in members.into_iter().enumerate() {
            let is_function = things.iter().any(|thing| matches!(thing, Thing::Result(_)));
            let sort = match self.sorts[root] {
                Sort::Int if is_function => Sort::Real,
                sort => sort,
            };
            let mut indices: Vec<usize> = Vec::new();
            for thing in things {
                let (index, is_result) = match thing {
                    Thing::Variable(index) => (index, false),
                    Thing::Result(index) => (index, true),
                };
                let symbol = &mut component.variables[index];
                if is_result == (symbol.variable.kind == Kind::Function) {
                    symbol.take_sort(sort, !self.clashes[root]);
                }
                indices.push(index);
            }
            if self.clashes[root] {
                indices.sort_unstable();
                component.clashes.push(indices);
            }
        }
    }
}

/// The thing without a declared type that a name of [`Sorts`] stands for.
fn thing(component: &Component, name: &str) -> Option<Thing> {
    let (index, thing): (usize, fn(usize) -> Thing) = match component.index_of(name) {
        Some(index) => (index, Thing::Variable),
        None => {
            let function = name.strip_suffix("()").filter(|function| result(function) == name)?;
            (component.index_of(function)?, Thing::Result)
        }
    };
    component.variables[index].type_inferred.then(|| thing(index))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{project, pump};
    use crate::{Cache, Document, Project};

    /// The types of the variables without a declared one, and the requirements without a meaning.
    fn check(rows: &str, responses: &[&str], expected: &str) {
        let sentences: Vec<String> =
            responses.iter().map(|response| format!("the Pump shall always satisfy {response}")).collect();
        let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
        let text = pump(rows, &sentences);
        let project = Project { documents: vec![Document::read("a.md", text)], ..Project::default() };
        let analysis = project.analyse(&mut Cache::default());
        let component = analysis.components.get("Pump").expect("a component");
        let mut shown: Vec<String> = component
            .variables
            .iter()
            .filter(|symbol| symbol.type_inferred)
            .map(|symbol| match symbol.sort() {
                logic::Sort::Any => format!("{} ?", symbol.variable.name),
                _ => format!("{} {}", symbol.variable.name, symbol.variable.ty),
            })
            .collect();
        shown.extend(component.clashes.iter().map(|names| {
            let names: Vec<&str> =
                names.iter().map(|&index| component.variables[index].variable.name.as_str()).collect();
            format!("{} clash", names.join(" "))
        }));
        assert_eq!(shown.join(", "), expected, "{responses:?}");
        let mut store = logic::Store::default();
        let (_, left_out) = crate::exchange::specification(&project, &analysis, &mut store);
        assert_eq!(left_out, [], "{responses:?}");
    }

    #[test]
    fn types_pass_between_sentences() {
        for (rows, responses, expected) in [
            ("", &["T_0 > 3", "T_0 = display"][..], "T_0 int, display int"),
            ("", &["T_0 = display", "T_0 > 3"], "T_0 int, display int"),
            ("", &["a = b", "b = c", "c = d", "d > 0.5"], "a real, b real, c real, d real"),
            ("", &["a = b", "b | c"], "a bool, b bool, c bool"),
            ("", &["a = b"], "a ?, b ?"),
            ("", &["x > 3", "x > 3.5"], "x real"),
            ("r;input;real", &["x > 3", "x < r"], "x real"),
            ("n;input;int", &["x > n", "n > 0.5"], "x int"),
            ("lo;internal;;;hi - 1", &["lo > 3", "hi > 0.5"], "lo real, hi real"),
            ("lo;internal;real;;hi - 1", &["lo > 3", "hi > 5"], "hi real"),
            ("k;constant;;;2.5", &["x > k"], "k real, x real"),
            ("k;constant;real;;2", &["x > k"], "x real"),
            ("m;mode;;;x > 1", &["m & x > 2"], "m bool, x int"),
            // A function is not whole-valued because it is compared with 3.
            ("", &["sqrt(x) > 3", "y = sqrt(x)", "x > 1"], "sqrt real, x int, y real"),
            ("sqrt;function", &["sqrt(x) > 3"], "sqrt real, x ?"),
            ("sqrt;function;int", &["sqrt(x) > 3"], "x ?"),
            // What contradicts itself is read sentence by sentence.
            ("", &["x > 3", "x = y", "y | z"], "x ?, y ?, z bool, x y clash"),
        ] {
            check(rows, responses, expected);
        }
    }

    #[test]
    fn sentences_are_read_with_what_others_tell() {
        let text = pump("", &["the Pump shall always satisfy a = b", "the Pump shall always satisfy a | b"]);
        let (project, _) = project(&[&text]);
        let analysis = project.analyse(&mut Cache::default());
        let reading = analysis.requirements[0].reading.as_ref().expect("a sentence");
        let requirement = reading.lowered.requirement.as_ref().expect("a requirement");
        // Truth values are equivalent, not equal.
        assert!(matches!(reading.store.node(requirement.response), logic::Node::Iff(..)));
    }
}
