//! The sort of each name, by unification over the expressions of a sentence. Names need no declaration: their uses decide, and two
//! conflicting uses are an error at the later one.
//!
//! Numbers that are compared or computed with each other have one sort, which is real if one of them is: `u < 1.5 * v` makes `u` and
//! `v` real. What is declared keeps its sort and passes it on, but takes none: with an integer `n`, `n < 1.5 & k = n` makes `k` an
//! integer.

use super::functions::Function;
use super::{Context, report, shown};
use crate::codes;
use logic::Sort;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use syntax::Diagnostic;
use syntax::Expr;
use syntax::Infix;
use syntax::NodeRef;
use syntax::Span;

/// Sort inference: classes of things that must have the same sort.
pub(super) struct Types<'a> {
    context: &'a Context,
    diagnostics: &'a mut Vec<Diagnostic>,
    names: FxHashMap<String, usize>,
    /// Union-find: the parent of each class, itself for a root, and the sort of a root.
    classes: Vec<(usize, Sort)>,
}

/// What expressions tell about the sorts of their names. The result of a function is under `name()`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sorts {
    /// The sort of each name, as far as it is determined.
    pub names: FxHashMap<String, Sort>,
    /// Names without a declared sort that must have the same one: two or more each, in alphabetical order.
    pub same: Vec<Vec<String>>,
}

impl Sorts {
    /// The sort of a name, as far as known.
    pub(super) fn named(&self, name: &str) -> Sort {
        self.names.get(name).copied().unwrap_or(Sort::Any)
    }

    /// The sort of an expression, as far as known.
    pub(super) fn of(&self, node: NodeRef) -> Sort {
        match Expr::of(node) {
            Expr::Name(name) => self.named(&name),
            Expr::Truth(_) | Expr::Not(_) | Expr::IfThen(..) | Expr::Occurrence { .. } | Expr::Is(..) => {
                Sort::Bool
            }
            Expr::TemporalPrefix(..) | Expr::TemporalInfix(..) => Sort::Bool,
            Expr::Number(_) | Expr::Minus(_) => Sort::Real,
            Expr::Infix(_, operators) => match operators[0].0 {
                Infix::Add
                | Infix::Subtract
                | Infix::Multiply
                | Infix::Divide
                | Infix::Modulo
                | Infix::Power => Sort::Real,
                Infix::Iff | Infix::Implies | Infix::Xor | Infix::Or | Infix::And => Sort::Bool,
                Infix::Less
                | Infix::LessEqual
                | Infix::Greater
                | Infix::GreaterEqual
                | Infix::Equal
                | Infix::NotEqual => Sort::Bool,
            },
            Expr::Call(name, _, arguments) => match Function::of(&name, arguments.len()) {
                Function::Stretch(_)
                | Function::PreviousOccurrence
                | Function::NextOccurrence
                | Function::PreviousTruth => Sort::Bool,
                Function::PreviousValue | Function::Arithmetic(_) => Sort::Real,
                Function::IfThenElse => arguments.get(1).map_or(Sort::Any, |&then| self.of(then)),
                Function::Free => self.named(&result(&name)),
            },
            Expr::Error => Sort::Any,
        }
    }
}

/// The key of the result of a free function.
pub fn result(name: &str) -> String {
    format!("{name}()")
}

impl<'a> Types<'a> {
    pub(super) fn new(context: &'a Context, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Types { context, diagnostics, names: FxHashMap::default(), classes: Vec::new() }
    }

    /// The inferred sorts.
    pub(super) fn finish(mut self) -> Sorts {
        let names = std::mem::take(&mut self.names);
        let mut classes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (name, &class) in &names {
            classes.entry(self.root(class)).or_default().push(name.clone());
        }
        let mut same: Vec<Vec<String>> = classes.into_values().filter(|names| names.len() > 1).collect();
        same.iter_mut().for_each(|names| names.sort_unstable());
        same.sort_unstable();
        let names = names.into_iter().map(|(name, class)| (name, self.sort(class))).collect();
        Sorts { names, same }
    }

    /// Defines a name as an expression.
    pub(super) fn define(&mut self, name: &str, root: NodeRef) {
        let earlier = self.diagnostics.len();
        let class = self.infer(root);
        self.names.insert(name.to_string(), class);
        self.diagnostics[earlier..].iter_mut().for_each(|found| found.span = Span::new(0, 0));
    }

    /// Requires an expression to be Boolean.
    pub(super) fn boolean(&mut self, node: NodeRef) {
        self.demand(node, Sort::Bool);
    }

    /// Requires an expression to have a sort, and returns its class.
    pub(super) fn demand(&mut self, node: NodeRef, sort: Sort) -> usize {
        let class = self.infer(node);
        let wanted = self.fresh(sort);
        if let Err((found, wanted)) = self.unify(class, wanted) {
            let message = format!(
                "`{}` is {}, but {} is needed here",
                shown(node),
                described(found),
                described(wanted)
            );
            let hint = match wanted {
                Sort::Bool => "compare it with a value, such as `x > 0`",
                Sort::Int | Sort::Real | Sort::Enum | Sort::Any => {
                    "use a numeric expression, or rename one of the two things that share this name"
                }
            };
            report(self.diagnostics, codes::TYPE_MISMATCH, node.span(), message, hint);
        }
        class
    }

    fn same(&mut self, left: NodeRef, right: NodeRef, whole: NodeRef) -> usize {
        let (a, b) = (self.infer(left), self.infer(right));
        if let Err((found, other)) = self.unify(a, b) {
            let message = format!(
                "`{}` is {}, but `{}` is {}",
                shown(left),
                described(found),
                shown(right),
                described(other)
            );
            let hint = "compare two values of the same type";
            report(self.diagnostics, codes::TYPE_MISMATCH, whole.span(), message, hint);
        }
        a
    }

    fn infer(&mut self, node: NodeRef) -> usize {
        match Expr::of(node) {
            Expr::Name(name) => self.name(&name),
            Expr::Truth(_) => self.fresh(Sort::Bool),
            Expr::Number(text) => {
                self.fresh(if text.contains(['.', 'e', 'E']) { Sort::Real } else { Sort::Int })
            }
            Expr::Not(operand) | Expr::Is(operand, _) => self.all([operand], Sort::Bool, Sort::Bool),
            Expr::Minus(operand) => self.numbers([operand], Sort::Int),
            Expr::IfThen(p, q) => self.all([p, q], Sort::Bool, Sort::Bool),
            Expr::Occurrence { event, then, .. } => self.all([event, then], Sort::Bool, Sort::Bool),
            Expr::TemporalPrefix(_, _, operand) => self.all([operand], Sort::Bool, Sort::Bool),
            Expr::TemporalInfix(_, _, p, q) => self.all([p, q], Sort::Bool, Sort::Bool),
            Expr::Infix(operands, operators) => match operators[0].0 {
                Infix::Iff | Infix::Implies | Infix::Xor | Infix::Or | Infix::And => {
                    self.all(operands, Sort::Bool, Sort::Bool)
                }
                Infix::Less | Infix::LessEqual | Infix::Greater | Infix::GreaterEqual => {
                    self.numbers(operands, Sort::Int);
                    self.fresh(Sort::Bool)
                }
                Infix::Equal | Infix::NotEqual => {
                    self.same(operands[0], operands[1], node);
                    self.fresh(Sort::Bool)
                }
                Infix::Add | Infix::Subtract | Infix::Multiply | Infix::Divide | Infix::Modulo => {
                    let operands = self.numbers(operands, Sort::Int);
                    // A quotient of integers need not be one.
                    let is_quotient = operators.iter().any(|(operator, _)| *operator == Infix::Divide);
                    if is_quotient { self.fresh(Sort::Real) } else { operands }
                }
                Infix::Power => {
                    let (base, exponents) = operands.split_first().expect("an infix node has operands");
                    self.numbers(exponents.iter().copied(), Sort::Int);
                    self.numbers([*base], Sort::Int)
                }
            },
            Expr::Call(name, span, arguments) => {
                let function = Function::of(&name, arguments.len());
                let (least, most) = function.arity();
                if !(least..=most).contains(&arguments.len()) {
                    let wanted = if least == most { format!("{least}") } else { format!("{least} or more") };
                    let message = format!("`{name}` has {} arguments, but takes {wanted}", arguments.len());
                    report(self.diagnostics, codes::WRONG_ARGUMENTS, span, message, usage(function));
                    return self.fresh(Sort::Any);
                }
                self.call(function, &name, node, &arguments)
            }
            Expr::Error => self.fresh(Sort::Any),
        }
    }

    fn call(&mut self, function: Function, name: &str, node: NodeRef, arguments: &[NodeRef]) -> usize {
        let operands = || arguments.iter().copied();
        match function {
            // The bounds are read where the predicate is built.
            Function::Stretch(_) => self.all(operands().skip(arguments.len() - 1), Sort::Bool, Sort::Bool),
            Function::PreviousOccurrence | Function::NextOccurrence | Function::PreviousTruth => {
                self.all(operands(), Sort::Bool, Sort::Bool)
            }
            Function::PreviousValue | Function::Arithmetic(_) => {
                self.numbers(operands(), Function::number(name))
            }
            Function::IfThenElse => {
                self.demand(arguments[0], Sort::Bool);
                self.same(arguments[1], arguments[2], node)
            }
            Function::Free => {
                for &argument in arguments {
                    self.infer(argument);
                }
                self.name(&result(name))
            }
        }
    }

    /// Requires expressions to be numbers of one sort, which is at least this one; returns their class.
    fn numbers<'t>(&mut self, operands: impl IntoIterator<Item = NodeRef<'t>>, sort: Sort) -> usize {
        let common = self.fresh(sort);
        for operand in operands {
            let class = self.demand(operand, Sort::Int);
            // What is not a number has been reported.
            let _ = self.unify(common, class);
        }
        common
    }

    fn all<'t>(
        &mut self,
        operands: impl IntoIterator<Item = NodeRef<'t>>,
        wanted: Sort,
        sort: Sort,
    ) -> usize {
        for operand in operands {
            self.demand(operand, wanted);
        }
        self.fresh(sort)
    }

    fn name(&mut self, name: &str) -> usize {
        if let Some(sort) = self.declared(name) {
            if !self.names.contains_key(name) {
                let class = self.fresh(sort);
                self.names.insert(name.to_string(), class);
            }
            // Each use has a class of its own, so that no other use changes the sort.
            return self.fresh(sort);
        }
        if let Some(&class) = self.names.get(name) {
            return class;
        }
        let class = self.fresh(Sort::Any);
        self.names.insert(name.to_string(), class);
        class
    }

    /// The sort of a name that does not depend on its uses.
    fn declared(&self, name: &str) -> Option<Sort> {
        let signal = self.context.signals.as_ref().and_then(|signals| signals.get(name).copied());
        let constant = || {
            let value = self.context.constants.get(name)?;
            Some(if value.is_int() { Sort::Int } else { Sort::Real })
        };
        let first_point = || (name == "FTP").then_some(Sort::Bool);
        signal.filter(|&sort| sort != Sort::Any).or_else(constant).or_else(first_point)
    }

    fn fresh(&mut self, sort: Sort) -> usize {
        self.classes.push((self.classes.len(), sort));
        self.classes.len() - 1
    }

    fn root(&mut self, mut class: usize) -> usize {
        while self.classes[class].0 != class {
            let grandparent = self.classes[self.classes[class].0].0;
            self.classes[class].0 = grandparent;
            class = grandparent;
        }
        class
    }

    fn sort(&mut self, class: usize) -> Sort {
        let root = self.root(class);
        self.classes[root].1
    }

    /// Merges two classes; fails with their sorts if they conflict. Integers are numbers too.
    fn unify(&mut self, a: usize, b: usize) -> Result<(), (Sort, Sort)> {
        let (a, b) = (self.root(a), self.root(b));
        let sort = match (self.classes[a].1, self.classes[b].1) {
            (Sort::Any, sort) | (sort, Sort::Any) => sort,
            (Sort::Int, Sort::Real) | (Sort::Real, Sort::Int) => Sort::Real,
            (x, y) if x == y => x,
            clash => return Err(clash),
        };
        self.classes[b].0 = a;
        self.classes[a].1 = sort;
        Ok(())
    }
}

fn described(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "a Boolean",
        Sort::Int | Sort::Real => "a number",
        Sort::Enum => "an enumeration value",
        Sort::Any => "something",
    }
}

fn usage(function: Function) -> &'static str {
    match function {
        Function::Stretch(_) => "write `persisted(n, p)` or `persisted(m, n, p)`",
        Function::PreviousOccurrence | Function::NextOccurrence => {
            "write `prevOcc(p, q)`: q held when p occurred last"
        }
        Function::PreviousTruth | Function::PreviousValue => {
            "write `preBool(i, p)`: i at the first point, afterwards p at the previous one"
        }
        Function::IfThenElse => "write `ite(p, q, r)`: q if p holds, otherwise r",
        Function::Arithmetic(_) => "write `absReal(x)`, `minReal(x, y)` or `maxReal(x, y)`",
        Function::Free => "any number of arguments will do",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sentence;

    /// The sorts of the names of a response, and which of them must be the same.
    fn sorts(response: &str, declared: &[(&str, Sort)]) -> String {
        let mut context = Context::default();
        context.constants.insert("THREE".into(), 3.into());
        let is_known = |name: &str| declared.iter().any(|(known, _)| *known == name);
        let names = ["a", "b", "k", "n", "r", "u", "v", "x"].into_iter().filter(|name| !is_known(name));
        let open = names.map(|name| (name, Sort::Any));
        let all = open.chain(declared.iter().copied()).map(|(name, sort)| (name.to_string(), sort));
        context.signals = Some(all.collect());
        let text = format!("c shall always satisfy {response}");
        let mut store = logic::Store::default();
        let lowered = crate::sentence::read(&mut store, &text, &context);
        let mut names: Vec<String> = lowered
            .sorts
            .names
            .iter()
            .filter(|(name, _)| !is_known(name) && name.as_str() != "THREE")
            .map(|(name, sort)| format!("{name} {sort:?}"))
            .collect();
        names.sort();
        let same = lowered.sorts.same.iter().map(|names| format!("; {}", names.join(" = ")));
        names.join(", ") + &same.collect::<String>()
    }

    #[test]
    fn numbers_that_meet_have_one_sort() {
        for (response, expected) in [
            ("x > 3", "x Int"),
            ("x - 1.0 < u", "u Real, x Real; u = x"),
            ("u < 1.5 * v", "u Real, v Real; u = v"),
            ("abs(k) <= 2.5", "k Real"),
            ("absReal(k) <= u", "k Real, u Real; k = u"),
            ("absInt(k) <= u", "k Int, u Int; k = u"),
            ("preReal(0, a) <= b", "a Real, b Real; a = b"),
            ("preInt(0, a) <= b", "a Int, b Int; a = b"),
            ("-x > 0.5", "x Real"),
            ("a = b", "a Any, b Any; a = b"),
            ("a = b & b > 1.5", "a Real, b Real; a = b"),
            ("x = a / b", "a Int, b Int, x Real; a = b"),
            ("x = a ^ 2", "a Int, x Int; a = x"),
            ("x = 1.5 ^ n", "n Int, x Real"),
            ("ite(a, u, 0.5) > v", "a Bool, u Real, v Real; u = v"),
            ("f(x) > u + 0.5", "f() Real, u Real, x Any; f() = u"),
            ("x > THREE", "x Int"),
            ("(a > 0) = (b > 0.5)", "a Int, b Real"),
        ] {
            assert_eq!(sorts(response, &[]), expected, "{response}");
        }
    }

    #[test]
    fn what_is_declared_passes_its_sort_on_and_takes_none() {
        let declared = [("n", Sort::Int), ("r", Sort::Real)];
        for (response, expected) in [
            ("x > n", "x Int"),
            ("x > r", "x Real"),
            ("n < 1.5 & x = n", "x Int"),
            ("n = u & r = u", "u Real"),
            ("n = u & r = v", "u Int, v Real"),
        ] {
            assert_eq!(sorts(response, &declared), expected, "{response}");
        }
    }

    #[test]
    fn conflicts_are_still_found() {
        for text in ["c shall always satisfy x & x > 3", "c shall always satisfy x + (a & b) > 3"] {
            assert!(Sentence::read(text).is_err(), "{text}");
        }
    }
}
