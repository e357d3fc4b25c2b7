//! The sort of each name, by unification over the expressions of a sentence. Names need no declaration: their uses decide, and two
//! conflicting uses are an error at the later one.

use super::functions::Function;
use super::{Context, report, shown};
use crate::codes;
use logic::Sort;
use rustc_hash::FxHashMap;
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

/// The sorts of names, and of the results of functions under `name()`.
pub(super) struct Sorts(FxHashMap<String, Sort>);

impl Sorts {
    /// All names with their sorts.
    pub(super) fn into_names(self) -> FxHashMap<String, Sort> {
        self.0
    }

    /// The sort of a name, as far as known.
    pub(super) fn named(&self, name: &str) -> Sort {
        self.0.get(name).copied().unwrap_or(Sort::Any)
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
fn result(name: &str) -> String {
    format!("{name}()")
}

impl<'a> Types<'a> {
    pub(super) fn new(context: &'a Context, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Types { context, diagnostics, names: FxHashMap::default(), classes: Vec::new() }
    }

    /// The inferred sorts.
    pub(super) fn finish(mut self) -> Sorts {
        let names = std::mem::take(&mut self.names);
        Sorts(names.into_iter().map(|(name, class)| (name, self.sort(class))).collect())
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

    pub(super) fn demand(&mut self, node: NodeRef, sort: Sort) {
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
            Expr::Minus(operand) => self.all([operand], Sort::Int, Sort::Int),
            Expr::IfThen(p, q) => self.all([p, q], Sort::Bool, Sort::Bool),
            Expr::Occurrence { event, then, .. } => self.all([event, then], Sort::Bool, Sort::Bool),
            Expr::TemporalPrefix(_, _, operand) => self.all([operand], Sort::Bool, Sort::Bool),
            Expr::TemporalInfix(_, _, p, q) => self.all([p, q], Sort::Bool, Sort::Bool),
            Expr::Infix(operands, operators) => match operators[0].0 {
                Infix::Iff | Infix::Implies | Infix::Xor | Infix::Or | Infix::And => {
                    self.all(operands, Sort::Bool, Sort::Bool)
                }
                Infix::Less | Infix::LessEqual | Infix::Greater | Infix::GreaterEqual => {
                    self.all(operands, Sort::Int, Sort::Bool)
                }
                Infix::Equal | Infix::NotEqual => {
                    self.same(operands[0], operands[1], node);
                    self.fresh(Sort::Bool)
                }
                Infix::Add
                | Infix::Subtract
                | Infix::Multiply
                | Infix::Divide
                | Infix::Modulo
                | Infix::Power => self.all(operands, Sort::Int, Sort::Int),
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
            Function::PreviousValue | Function::Arithmetic(_) => self.all(operands(), Sort::Int, Sort::Int),
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
        if let Some(&class) = self.names.get(name) {
            return class;
        }
        let known = self.context.signals.as_ref().and_then(|signals| signals.get(name).copied());
        let constant = self.context.constants.contains_key(name).then_some(Sort::Real);
        let first_point = (name == "FTP").then_some(Sort::Bool);
        let class = self.fresh(known.or(constant).or(first_point).unwrap_or(Sort::Any));
        self.names.insert(name.to_string(), class);
        class
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
