//! Expressions with known sorts as formulas and terms. Temporal predicates become holes.

use super::functions::{Function, Stretch};
use super::types::Sorts;
use super::{Context, duration, report, shown};
use crate::Predicate;
use crate::codes;
use dashu_ratio::RBig;
use logic::{Arith, Formula, Id, Numeral, Rel, Sort, Store, Term};
use rustc_hash::FxHashMap;
use syntax::Diagnostic;
use syntax::Expr;
use syntax::Infix;
use syntax::NodeRef;
use syntax::Span;

pub(super) struct Builder<'a> {
    pub(super) store: &'a mut Store,
    context: &'a Context,
    sorts: &'a Sorts,
    diagnostics: &'a mut Vec<Diagnostic>,
    predicates: Vec<Predicate>,
    /// The expressions of defined names.
    defined: FxHashMap<String, Id>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        store: &'a mut Store,
        context: &'a Context,
        sorts: &'a Sorts,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Builder { store, context, sorts, diagnostics, predicates: Vec::new(), defined: FxHashMap::default() }
    }

    /// The predicates of the holes.
    pub(super) fn finish(self) -> Vec<Predicate> {
        self.predicates
    }

    /// Defines a name as an expression.
    pub(super) fn define(&mut self, name: &str, root: NodeRef) {
        let earlier = self.diagnostics.len();
        let id = self.expression(root);
        self.defined.insert(name.to_string(), id);
        self.diagnostics[earlier..].iter_mut().for_each(|found| found.span = Span::new(0, 0));
    }

    /// An expression as a formula if it is Boolean, otherwise as a term.
    pub(super) fn expression(&mut self, root: NodeRef) -> Id {
        if self.sorts.of(root) == Sort::Bool { self.formula(root).id() } else { self.term(root).id() }
    }

    /// A Boolean expression as a formula.
    pub(super) fn formula(&mut self, node: NodeRef) -> Formula {
        match Expr::of(node) {
            Expr::Name(name) if name == "FTP" => self.predicate(Predicate::FirstPoint),
            Expr::Name(name) => match self.defined.get(&*name) {
                Some(&id) => self.store.as_formula(id).unwrap_or(self.store.top()),
                None => {
                    let symbol = self.store.symbol(&name);
                    self.store.var(symbol)
                }
            },
            Expr::Truth(truth) => self.store.bool(truth),
            Expr::Not(operand) => {
                let operand = self.formula(operand);
                self.store.not(operand)
            }
            Expr::Is(operand, truth) => {
                let operand = self.formula(operand);
                if truth { operand } else { self.store.not(operand) }
            }
            Expr::IfThen(p, q) => {
                let (p, q) = (self.formula(p), self.formula(q));
                self.store.implies(p, q)
            }
            Expr::Occurrence { previous, event, then } => {
                let (event, then) = (self.formula(event), self.formula(then));
                self.predicate(match previous {
                    true => Predicate::PreviousOccurrence { event, then },
                    false => Predicate::NextOccurrence { event, then },
                })
            }
            Expr::Infix(operands, operators) => self.connective(&operands, operators[0].0),
            Expr::Call(name, _, arguments) => self.boolean_call(&name, &arguments),
            Expr::TemporalPrefix(operator, bound, operand) => {
                let bound = bound.map(|bound| super::formula::bound(bound, self.diagnostics));
                let operand = self.formula(operand);
                super::formula::prefix(self.store, operator, bound.flatten(), operand)
            }
            Expr::TemporalInfix(operator, bound, left, right) => {
                let bound = bound.map(|bound| super::formula::bound(bound, self.diagnostics));
                let (left, right) = (self.formula(left), self.formula(right));
                super::formula::infix(self.store, operator, bound.flatten(), left, right)
            }
            // Types were checked before, so this is only reached for text that could not be read.
            Expr::Number(_) | Expr::Minus(_) | Expr::Error => self.store.top(),
        }
    }

    fn connective(&mut self, operands: &[NodeRef], operator: Infix) -> Formula {
        let rel = match operator {
            Infix::And | Infix::Or | Infix::Xor | Infix::Implies | Infix::Iff => {
                let formulas: Vec<Formula> = operands.iter().map(|&operand| self.formula(operand)).collect();
                let store = &mut *self.store;
                return match operator {
                    Infix::And => store.and(formulas),
                    Infix::Or => store.or(formulas),
                    Infix::Xor => fold(formulas.into_iter(), |a, b| store.xor(a, b)),
                    Infix::Iff => fold(formulas.into_iter(), |a, b| store.iff(a, b)),
                    // The only right-associative connective: `a -> b -> c` is `a & b -> c`.
                    _ => {
                        let (conclusion, premises) =
                            formulas.split_last().expect("an infix node has operands");
                        let premise = store.and(premises.iter().copied());
                        store.implies(premise, *conclusion)
                    }
                };
            }
            Infix::Less => Rel::Lt,
            Infix::LessEqual => Rel::Le,
            Infix::Greater => Rel::Gt,
            Infix::GreaterEqual => Rel::Ge,
            Infix::Equal => Rel::Eq,
            Infix::NotEqual => Rel::Ne,
            Infix::Add | Infix::Subtract | Infix::Multiply | Infix::Divide | Infix::Modulo | Infix::Power => {
                return self.store.top();
            }
        };
        let (left, right) = (operands[0], operands[1]);
        let sort = match self.sorts.of(left) {
            Sort::Any => self.sorts.of(right),
            known => known,
        };
        match (sort, rel) {
            (Sort::Bool, Rel::Eq) => {
                let (left, right) = (self.formula(left), self.formula(right));
                self.store.iff(left, right)
            }
            (Sort::Bool, Rel::Ne) => {
                let (left, right) = (self.formula(left), self.formula(right));
                self.store.xor(left, right)
            }
            _ => {
                let (left, right) = (self.term(left), self.term(right));
                self.store.rel(rel, left, right)
            }
        }
    }

    fn boolean_call(&mut self, name: &str, arguments: &[NodeRef]) -> Formula {
        match Function::of(name, arguments.len()) {
            Function::Stretch(stretch) => self.stretch(stretch, arguments),
            Function::PreviousOccurrence => {
                let (event, then) = (self.formula(arguments[0]), self.formula(arguments[1]));
                self.predicate(Predicate::PreviousOccurrence { event, then })
            }
            Function::NextOccurrence => {
                let (event, then) = (self.formula(arguments[0]), self.formula(arguments[1]));
                self.predicate(Predicate::NextOccurrence { event, then })
            }
            Function::PreviousTruth => {
                let (initially, what) = (self.formula(arguments[0]), self.formula(arguments[1]));
                self.predicate(Predicate::Previously { initially, what })
            }
            Function::IfThenElse => {
                let [p, q, r] = [0, 1, 2].map(|k| self.formula(arguments[k]));
                let not_p = self.store.not(p);
                let (then, otherwise) = (self.store.and2(p, q), self.store.and2(not_p, r));
                self.store.or2(then, otherwise)
            }
            Function::Free | Function::PreviousValue | Function::Arithmetic(_) => {
                let arguments = self.arguments(arguments);
                let symbol = self.store.symbol(name);
                self.store.call(symbol, arguments)
            }
        }
    }

    fn stretch(&mut self, stretch: Stretch, arguments: &[NodeRef]) -> Formula {
        let (bounds, what) = arguments.split_at(arguments.len() - 1);
        let what = self.formula(what[0]);
        let bounds: Vec<Option<u64>> = bounds.iter().map(|&bound| self.steps(bound)).collect();
        let (near, far) = match bounds[..] {
            [Some(far)] => (0, far),
            [Some(near), Some(far)] => (near, far),
            _ => return self.store.top(),
        };
        if near > far {
            let span = arguments[0].span().to(arguments[1].span());
            let message = format!("the first bound, {near}, is greater than the second, {far}");
            let hint = "write the smaller bound first";
            report(self.diagnostics, syntax::codes::BAD_PREDICATE_BOUND, span, message, hint);
        }
        self.predicate(match stretch {
            Stretch::Persisted => Predicate::Persisted { near, far, what },
            Stretch::Occurred => Predicate::Occurred { near, far, what },
            Stretch::Persists => Predicate::Persists { near, far, what },
            Stretch::Occurs => Predicate::Occurs { near, far, what },
        })
    }

    /// A bound of a predicate: an integer number of steps, or a named constant.
    fn steps(&mut self, node: NodeRef) -> Option<u64> {
        let value = match Expr::of(node) {
            Expr::Number(text) => logic::parse_decimal(text),
            Expr::Name(name) => match self.context.constants.get(&*name) {
                Some(value) => Some(value.clone()),
                None => {
                    let message = format!("the constant `{name}` has no value");
                    let hint = "give it a value: `--const NAME=NUMBER`";
                    report(self.diagnostics, codes::UNKNOWN_CONSTANT, node.span(), message, hint);
                    return None;
                }
            },
            _ => None,
        };
        let steps = value.and_then(|value| duration::whole(&value));
        if steps.is_none() {
            let message = format!("`{}` is not a whole number of steps", shown(node));
            let hint = "write an integer or a named constant";
            report(self.diagnostics, syntax::codes::BAD_PREDICATE_BOUND, node.span(), message, hint);
        }
        steps
    }

    fn predicate(&mut self, predicate: Predicate) -> Formula {
        let hole = self.hole(predicate);
        self.store.hole(hole)
    }

    fn hole(&mut self, predicate: Predicate) -> u32 {
        let known = self.predicates.iter().position(|&earlier| earlier == predicate);
        known.unwrap_or_else(|| {
            self.predicates.push(predicate);
            self.predicates.len() - 1
        }) as u32
    }

    /// An expression as a value.
    fn term(&mut self, node: NodeRef) -> Term {
        match Expr::of(node) {
            Expr::Name(name) if self.sorts.of(node) != Sort::Bool => self.named(&name),
            Expr::Number(text) => {
                let numeral = if text.contains(['.', 'e', 'E']) { Numeral::Real } else { Numeral::Int };
                let value = logic::parse_decimal(text).unwrap_or_else(|| {
                    let message = format!("`{}` is too large", shown(node));
                    let hint = "write a smaller exponent";
                    report(self.diagnostics, syntax::codes::TOO_LARGE, node.span(), message, hint);
                    RBig::ZERO
                });
                self.store.num(value, numeral)
            }
            Expr::Minus(operand) => {
                let operand = self.term(operand);
                self.store.neg(operand)
            }
            Expr::Infix(operands, operators) if arith(operators[0].0).is_some() => {
                let terms: Vec<Term> = operands.iter().map(|&operand| self.term(operand)).collect();
                let store = &mut *self.store;
                let mut operators = operators.into_iter().filter_map(|(operator, _)| arith(operator));
                if operators.clone().next() == Some(Arith::Pow) {
                    return fold(terms.into_iter().rev(), |right, left| store.arith(Arith::Pow, left, right));
                }
                fold(terms.into_iter(), |left, right| {
                    let operator = operators.next().expect("there is one operator between two operands");
                    store.arith(operator, left, right)
                })
            }
            Expr::Call(name, _, arguments) => self.term_call(node, &name, &arguments),
            _ => {
                let formula = self.formula(node);
                self.store.term_of(formula)
            }
        }
    }

    /// A name as a value: a constant, a signal, or, if the signals are known, an enumeration value.
    fn named(&mut self, name: &str) -> Term {
        if let Some(&id) = self.defined.get(name) {
            return self.store.as_term(id);
        }
        if let Some(value) = self.context.constants.get(name) {
            let numeral = if value.is_int() { Numeral::Int } else { Numeral::Real };
            return self.store.num(value.clone(), numeral);
        }
        let symbol = self.store.symbol(name);
        let signals = self.context.signals.as_ref();
        let can_be_value = matches!(self.sorts.named(name), Sort::Enum | Sort::Any);
        match signals.is_some_and(|signals| can_be_value && !signals.contains_key(name)) {
            true => self.store.value(symbol),
            false => self.store.term_var(symbol),
        }
    }

    fn term_call(&mut self, node: NodeRef, name: &str, arguments: &[NodeRef]) -> Term {
        match Function::of(name, arguments.len()) {
            Function::Arithmetic(fun) => {
                let arguments = arguments.iter().map(|&argument| self.term(argument)).collect();
                self.store.fun(fun, arguments)
            }
            Function::PreviousValue => {
                let (initially, what) = (self.term(arguments[0]), self.term(arguments[1]));
                let hole = self.hole(Predicate::PreviousValue { initially, what });
                self.store.term_hole(hole)
            }
            Function::IfThenElse if self.sorts.of(arguments[1]) != Sort::Bool => {
                let condition = self.formula(arguments[0]);
                let (then, otherwise) = (self.term(arguments[1]), self.term(arguments[2]));
                self.store.ite(condition, then, otherwise)
            }
            Function::Free if self.sorts.of(node) != Sort::Bool => {
                let arguments = self.arguments(arguments);
                let symbol = self.store.symbol(name);
                self.store.term_call(symbol, arguments)
            }
            Function::Free
            | Function::IfThenElse
            | Function::Stretch(_)
            | Function::PreviousOccurrence
            | Function::NextOccurrence
            | Function::PreviousTruth => {
                let formula = self.boolean_call(name, arguments);
                self.store.term_of(formula)
            }
        }
    }

    /// Arguments of a free function, Boolean or not.
    fn arguments(&mut self, arguments: &[NodeRef]) -> Vec<Id> {
        arguments
            .iter()
            .map(|&argument| match self.sorts.of(argument) {
                Sort::Bool => self.formula(argument).id(),
                Sort::Int | Sort::Real | Sort::Enum | Sort::Any => self.term(argument).id(),
            })
            .collect()
    }
}

fn fold<T>(mut operands: impl Iterator<Item = T>, combine: impl FnMut(T, T) -> T) -> T {
    let first = operands.next().expect("an infix node has operands");
    operands.fold(first, combine)
}

fn arith(operator: Infix) -> Option<Arith> {
    match operator {
        Infix::Add => Some(Arith::Add),
        Infix::Subtract => Some(Arith::Sub),
        Infix::Multiply => Some(Arith::Mul),
        Infix::Divide => Some(Arith::Div),
        Infix::Modulo => Some(Arith::Mod),
        Infix::Power => Some(Arith::Pow),
        Infix::Iff | Infix::Implies | Infix::Xor | Infix::Or | Infix::And => None,
        Infix::Less
        | Infix::LessEqual
        | Infix::Greater
        | Infix::GreaterEqual
        | Infix::Equal
        | Infix::NotEqual => None,
    }
}
