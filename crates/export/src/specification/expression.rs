//! Formulas and terms as typed text: one walk for all targets, each of which spells its own constructs.
//!
//! The text of a node is made from the texts of its children, in the order of the arena, so nothing recurses. Operands in
//! infix notation are in parentheses unless they are single words, so precedence does not matter. Integers become real
//! numbers next to real numbers.

use super::Inexpressible;
use super::scope::{Entry, Layout, Scope, Ty};
use logic::format_decimal;
use logic::{
    Arith, Binary, Bound, Dialect, Formula, Fun, Id, Node, Numeral, RBig, Rel, Store, Symbol, Term, Unary,
};
use requirement::specification::Kind;
use std::collections::BTreeMap;

/// The longest text of an expression.
const MAX_TEXT: usize = 1 << 16;

/// The text of an expression, and whether it is a single word or call.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub(super) text: String,
    closed: bool,
}

impl Text {
    pub(super) fn closed(text: impl Into<String>) -> Text {
        Text { text: text.into(), closed: true }
    }

    pub(super) fn open(text: impl Into<String>) -> Text {
        Text { text: text.into(), closed: false }
    }

    /// Whether it is a single word or call.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// As an operand.
    pub(super) fn enclosed(&self) -> String {
        if self.closed { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// The constructs that targets spell in their own ways, or do not have.
pub(super) trait Language {
    /// How connectives, comparisons and sums are spelled.
    fn dialect(&self) -> &'static Dialect;

    /// F, G, O, H.
    fn window(&mut self, op: Unary, bound: Bound, operand: &Text) -> Result<Text, Inexpressible>;

    /// U, R, S, T.
    fn way(&mut self, op: Binary, bound: Bound, way: &Text, target: &Text) -> Result<Text, Inexpressible>;

    /// An implication, if the target has no operator for it.
    fn implication(&mut self, _condition: &Text, _conclusion: &Text) -> Option<Text> {
        None
    }

    /// What stands for a formula or term that several others use, or that is long.
    fn shared(&mut self, text: Text, _ty: &Ty, _uses: usize) -> Text {
        text
    }

    /// `way S (way & target)`, if the target has something shorter.
    fn since_inclusive(&mut self, _way: &Text, _target: &Text) -> Option<Text> {
        None
    }

    /// An integer as a real number.
    fn real(&mut self, _whole: &Text) -> Result<Text, Inexpressible> {
        Err(Inexpressible::Conversion)
    }

    /// A quotient of real numbers, exactly.
    fn quotient(&mut self, a: &Text, b: &Text) -> Result<Text, Inexpressible> {
        Ok(Text::open(format!("{} / {}", a.enclosed(), b.enclosed())))
    }

    /// The remainder of integers, never negative; `safe` if no operand can be negative.
    fn remainder(&mut self, _a: &Text, _b: &Text, _safe: bool) -> Result<Text, Inexpressible> {
        Err(Inexpressible::Remainder)
    }

    /// A number that is not negative, by its digits.
    fn numeral(&mut self, digits: String, _real: bool) -> Text {
        Text::closed(digits)
    }

    /// A number with the opposite sign.
    fn negative(&mut self, number: &str, _real: bool) -> Text {
        Text::open(format!("-{number}"))
    }

    /// The largest integer that can be written.
    fn largest(&self) -> Option<u64> {
        None
    }

    /// A choice between two values.
    fn choice(&mut self, _condition: &Text, _a: &Text, _b: &Text) -> Result<Text, Inexpressible> {
        Err(Inexpressible::Choice)
    }

    /// `initial` at the first step, afterwards the previous value.
    fn previous(&mut self, _initial: &Text, _what: &Text, _ty: &Ty) -> Result<Text, Inexpressible> {
        Err(Inexpressible::Previous)
    }

    /// `abs`, `min`, `max` of numbers of one type.
    fn function(&mut self, fun: Fun, _real: bool, _arguments: &[Text]) -> Result<Text, Inexpressible> {
        Err(Inexpressible::Predefined(fun))
    }

    /// A function of the project, with the types of its arguments.
    fn call(
        &mut self,
        name: &str,
        _result: &Ty,
        _types: &[Ty],
        _arguments: &[Text],
    ) -> Result<Text, Inexpressible> {
        Err(Inexpressible::Function(name.to_owned()))
    }
}

/// A call of `abs`, or of `min` or `max` with two arguments each.
pub(super) fn nested(fun: Fun, name: &str, arguments: &[Text]) -> Result<Text, Inexpressible> {
    let mut texts = arguments.iter().rev().map(|text| text.text.clone());
    let last = texts.next().unwrap_or_default();
    Ok(Text::closed(match (fun, arguments.len()) {
        (Fun::Abs, 1) => format!("{name}({last})"),
        (Fun::Abs, _) => return Err(Inexpressible::SeveralArguments),
        (Fun::Min | Fun::Max, _) => texts.fold(last, |rest, text| format!("{name}({text}, {rest})")),
    }))
}

/// The text of a formula.
pub(super) fn formula(
    store: &Store,
    f: Formula,
    layout: &Layout,
    scope: &Scope,
    language: &mut impl Language,
) -> Result<Text, Inexpressible> {
    let mut writer = Writer { store, layout, scope, language, done: BTreeMap::new() };
    writer.run(f.id())?;
    writer.truth(f.id())
}

/// The text of a term as a value of a type.
pub(super) fn term(
    store: &Store,
    id: Id,
    ty: &Ty,
    layout: &Layout,
    scope: &Scope,
    language: &mut impl Language,
) -> Result<Text, Inexpressible> {
    let mut writer = Writer { store, layout, scope, language, done: BTreeMap::new() };
    writer.run(id)?;
    writer.of_type(id, ty)
}

/// Formulas that share what they have in common: each node is written once.
pub(super) struct Shared<'a, L> {
    writer: Writer<'a, L>,
    /// How often each node is used.
    uses: BTreeMap<Id, usize>,
}

impl<'a, L: Language> Shared<'a, L> {
    /// For these formulas.
    pub(super) fn new(
        store: &'a Store,
        formulas: &[Formula],
        layout: &'a Layout,
        scope: &'a Scope,
        language: &'a mut L,
    ) -> Shared<'a, L> {
        let writer = Writer { store, layout, scope, language, done: BTreeMap::new() };
        let mut uses: BTreeMap<Id, usize> = BTreeMap::new();
        let inner = store.reachable(formulas.iter().map(|f| f.id()));
        let children = inner.iter().flat_map(|&id| store.children(id));
        children.chain(formulas.iter().map(|f| f.id())).for_each(|id| *uses.entry(id).or_default() += 1);
        Shared { writer, uses }
    }

    pub(super) fn language(&mut self) -> &mut L {
        self.writer.language
    }

    /// The texts of some of the formulas. If one cannot be written, nothing of them is kept here.
    pub(super) fn formulas(&mut self, formulas: &[Formula]) -> Result<Vec<Text>, Inexpressible> {
        let mut new = Vec::new();
        let texts = self.write(formulas, &mut new);
        if texts.is_err() {
            new.iter().for_each(|id| drop(self.writer.done.remove(id)));
        }
        texts
    }

    fn write(&mut self, formulas: &[Formula], new: &mut Vec<Id>) -> Result<Vec<Text>, Inexpressible> {
        for id in self.writer.store.reachable(formulas.iter().map(|f| f.id())) {
            if self.writer.done.contains_key(&id) {
                continue;
            }
            let (text, ty) = self.writer.node(id)?;
            if text.text.len() > MAX_TEXT {
                return Err(Inexpressible::TooLong);
            }
            let uses = self.uses.get(&id).copied().unwrap_or(1);
            let text = self.writer.language.shared(text, &ty, uses);
            self.writer.done.insert(id, (text, ty));
            new.push(id);
        }
        formulas.iter().map(|f| self.writer.truth(f.id())).collect()
    }
}

struct Writer<'a, L> {
    store: &'a Store,
    layout: &'a Layout,
    scope: &'a Scope,
    language: &'a mut L,
    done: BTreeMap<Id, (Text, Ty)>,
}

impl<L: Language> Writer<'_, L> {
    fn run(&mut self, root: Id) -> Result<(), Inexpressible> {
        let ids = self.store.reachable([root]);
        let mut uses: BTreeMap<Id, usize> = BTreeMap::new();
        for id in ids.iter().flat_map(|&id| self.needed(id)) {
            *uses.entry(id).or_default() += 1;
        }
        for id in ids {
            let written = self.node(id)?;
            if written.0.text.len() > MAX_TEXT {
                return Err(Inexpressible::TooLong);
            }
            self.done.insert(id, written);
            // A text that is no longer needed is dropped: a deep formula has many, each almost as long as the last.
            for needed in self.needed(id) {
                if let Some(count) = uses.get_mut(&needed) {
                    *count -= 1;
                    if *count == 0 {
                        self.done.remove(&needed);
                    }
                }
            }
        }
        Ok(())
    }

    /// The nodes whose texts a node is made of.
    fn needed(&self, id: Id) -> Vec<Id> {
        let mut needed: Vec<Id> = self.store.children(id).collect();
        if let Node::Binary(Binary::Since, _, _, target) = self.store.node(id) {
            needed.extend(self.store.children(*target));
        }
        needed
    }

    fn node(&mut self, id: Id) -> Result<(Text, Ty), Inexpressible> {
        let d = self.language.dialect();
        let store = self.store;
        let text = match store.node(id) {
            Node::True => Text::closed(d.constants[1]),
            Node::False => Text::closed(d.constants[0]),
            Node::Var(symbol) => return self.variable(*symbol),
            Node::Value(symbol) => return Ok(self.value(*symbol)),
            Node::Hole(_) => return Err(Inexpressible::Hole),
            Node::Call(symbol, arguments) => return self.call(*symbol, arguments),
            Node::Not(f) => Text::open(format!("{}{}", d.not, self.truth(f.id())?.enclosed())),
            Node::And(operands) => self.connect(operands, d.and)?,
            Node::Or(operands) => self.connect(operands, d.or)?,
            Node::Xor(a, b) => self.connect(&[*a, *b], d.xor)?,
            Node::Implies(a, b) => {
                let (condition, conclusion) = (self.truth(a.id())?, self.truth(b.id())?);
                match self.language.implication(&condition, &conclusion) {
                    Some(text) => text,
                    None => self.connect(&[*a, *b], d.implies)?,
                }
            }
            Node::Iff(a, b) => self.connect(&[*a, *b], d.iff)?,
            Node::Rel(rel, a, b) => self.comparison(*rel, *a, *b)?,
            Node::Unary(op, bound, f) => {
                let operand = self.truth(f.id())?;
                self.language.window(*op, *bound, &operand)?
            }
            Node::Binary(op, bound, a, b) => {
                if let (Binary::Since, Bound::ALL, Some(rest)) = (*op, *bound, self.beside(*a, *b)) {
                    let (way, target) = (self.truth(a.id())?, self.connect(&rest, d.and)?);
                    if let Some(text) = self.language.since_inclusive(&way, &target) {
                        return Ok((text, Ty::Bool));
                    }
                }
                let (way, target) = (self.truth(a.id())?, self.truth(b.id())?);
                self.language.way(*op, *bound, &way, &target)?
            }
            Node::Num(value, _) => {
                // `2.0` can also be used as an integer.
                let real = !value.is_int();
                return Ok((self.number(value, real)?, if real { Ty::Real } else { Ty::Int }));
            }
            Node::Neg(t) => {
                let (text, ty) = self.numeric(*t)?;
                return Ok((self.language.negative(&text.enclosed(), ty == Ty::Real), ty));
            }
            Node::Arith(op, a, b) => return self.arithmetic(*op, *a, *b),
            Node::Fun(fun, arguments) => {
                let ty = self.common(arguments)?;
                let texts =
                    arguments.iter().map(|t| self.of_type(t.id(), &ty)).collect::<Result<Vec<_>, _>>()?;
                return Ok((self.language.function(*fun, ty == Ty::Real, &texts)?, ty));
            }
            Node::Ite(condition, a, b) => {
                let ty = self.common(&[*a, *b])?;
                let condition = self.truth(condition.id())?;
                let (a, b) = (self.of_type(a.id(), &ty)?, self.of_type(b.id(), &ty)?);
                return Ok((self.language.choice(&condition, &a, &b)?, ty));
            }
            Node::Pre(initial, t) => {
                let ty = self.common(&[*initial, *t])?;
                let (initial, t) = (self.of_type(initial.id(), &ty)?, self.of_type(t.id(), &ty)?);
                return Ok((self.language.previous(&initial, &t, &ty)?, ty));
            }
            Node::Bool(f) => self.truth(f.id())?,
        };
        Ok((text, Ty::Bool))
    }

    /// The operands of `b` that are not those of `a`, if `b` has all of `a` and more.
    fn beside(&self, a: Formula, b: Formula) -> Option<Vec<Formula>> {
        let Node::And(all) = self.store.node(b) else { return None };
        let mine: &[Formula] = match self.store.node(a) {
            Node::And(operands) => operands,
            _ => &[a],
        };
        let rest: Vec<Formula> = all.iter().copied().filter(|f| !mine.contains(f)).collect();
        (!rest.is_empty() && rest.len() + mine.len() == all.len()).then_some(rest)
    }

    fn variable(&mut self, symbol: Symbol) -> Result<(Text, Ty), Inexpressible> {
        let name = self.store.name(symbol);
        match self.scope.get(name) {
            Some(Entry { kind: Kind::Function, .. }) => Err(Inexpressible::NoArguments),
            Some(entry) => Ok((Text::closed(entry.emitted.as_str()), entry.sort.clone())),
            None if self.scope.is_value(name) => Ok(self.value(symbol)),
            None => Err(Inexpressible::UnknownVariable(name.to_owned())),
        }
    }

    fn value(&self, symbol: Symbol) -> (Text, Ty) {
        let name = self.store.name(symbol);
        (Text::closed(name), Ty::Value(name.to_owned()))
    }

    fn call(&mut self, symbol: Symbol, arguments: &[Id]) -> Result<(Text, Ty), Inexpressible> {
        let name = self.store.name(symbol);
        let entry = match self.scope.get(name) {
            Some(entry) if entry.kind == Kind::Function => entry.clone(),
            Some(_) | None => return Err(Inexpressible::UnknownFunction(name.to_owned())),
        };
        let mut texts = Vec::new();
        let mut types = Vec::new();
        for argument in arguments {
            let (mut text, mut ty) = self.done[argument].clone();
            if let Node::Num(value, Numeral::Real) = self.store.node(*argument) {
                (text, ty) = (self.number(value, true)?, Ty::Real);
            }
            if let Ty::Value(value) = ty {
                return Err(Inexpressible::UnknownEnumeration(value));
            }
            texts.push(text);
            types.push(ty);
        }
        Ok((self.language.call(&entry.emitted, &entry.sort, &types, &texts)?, entry.sort))
    }

    fn connect(&self, operands: &[Formula], operator: &str) -> Result<Text, Inexpressible> {
        if let [alone] = operands {
            return self.truth(alone.id());
        }
        let texts = operands
            .iter()
            .map(|f| Ok(self.truth(f.id())?.enclosed()))
            .collect::<Result<Vec<_>, Inexpressible>>()?;
        Ok(Text::open(texts.join(&format!(" {operator} "))))
    }

    fn comparison(&mut self, rel: Rel, a: Term, b: Term) -> Result<Text, Inexpressible> {
        let ty = self.common(&[a, b])?;
        let (left, right) = (self.of_type(a.id(), &ty)?, self.of_type(b.id(), &ty)?);
        let d = self.language.dialect();
        let operator = match (&ty, rel) {
            (Ty::Bool, Rel::Eq) => d.iff,
            (Ty::Bool, Rel::Ne) => d.xor,
            (Ty::Int | Ty::Real, _) | (Ty::Enum(_), Rel::Eq | Rel::Ne) => d.relations[rel as usize],
            (Ty::Bool | Ty::Enum(_) | Ty::Value(_), _) => {
                return Err(Inexpressible::Unordered);
            }
        };
        Ok(Text::open(format!("{} {operator} {}", left.enclosed(), right.enclosed())))
    }

    fn arithmetic(&mut self, op: Arith, a: Term, b: Term) -> Result<(Text, Ty), Inexpressible> {
        let ty = match op {
            // A quotient of integers is a real number.
            Arith::Div => Ty::Real,
            Arith::Add | Arith::Sub | Arith::Mul | Arith::Mod => self.common(&[a, b])?,
            Arith::Pow => return self.power(a, b),
        };
        self.numeric(a)?;
        self.numeric(b)?;
        let (left, right) = (self.of_type(a.id(), &ty)?, self.of_type(b.id(), &ty)?);
        let text = match op {
            Arith::Div => self.language.quotient(&left, &right)?,
            Arith::Mod if ty == Ty::Real => return Err(Inexpressible::RealRemainder),
            Arith::Mod => {
                let positive = matches!(self.store.node(b), Node::Num(value, _) if *value > RBig::ZERO);
                let safe = positive && self.is_non_negative(a);
                self.language.remainder(&left, &right, safe)?
            }
            Arith::Add | Arith::Sub | Arith::Mul | Arith::Pow => {
                let operator = self.language.dialect().arithmetic[op as usize].unwrap_or("?");
                Text::open(format!("{} {operator} {}", left.enclosed(), right.enclosed()))
            }
        };
        Ok((text, ty))
    }

    fn is_non_negative(&self, t: Term) -> bool {
        match self.store.node(t) {
            Node::Num(value, _) => *value >= RBig::ZERO,
            Node::Var(symbol) => {
                self.scope.get(self.store.name(*symbol)).is_some_and(|entry| entry.non_negative)
            }
            _ => false,
        }
    }

    /// A power with a small integer exponent is a product.
    fn power(&mut self, base: Term, exponent: Term) -> Result<(Text, Ty), Inexpressible> {
        let (text, ty) = self.numeric(base)?;
        let times = match self.store.node(exponent) {
            Node::Num(value, _) => (1..=8_usize).find(|&times| *value == RBig::from(times as u64)),
            _ => None,
        };
        let times = times.ok_or(Inexpressible::Exponent)?;
        Ok((Text::open(vec![text.enclosed(); times].join(" * ")), ty))
    }

    fn number(&mut self, value: &RBig, real: bool) -> Result<Text, Inexpressible> {
        let negative = *value < RBig::ZERO;
        let magnitude = if negative { -value.clone() } else { value.clone() };
        if !real && self.language.largest().is_some_and(|largest| magnitude > RBig::from(largest)) {
            return Err(Inexpressible::Large(value.to_string()));
        }
        let text = match format_decimal(&magnitude) {
            Some(text) if real && !text.contains('.') => self.language.numeral(format!("{text}.0"), real),
            Some(text) => self.language.numeral(text, real),
            None => {
                let (numerator, denominator) = magnitude.into_parts();
                let mut part = |digits: String| self.language.numeral(format!("{digits}.0"), true);
                let (numerator, denominator) = (part(numerator.to_string()), part(denominator.to_string()));
                self.language.quotient(&numerator, &denominator)?
            }
        };
        Ok(if negative { self.language.negative(&text.enclosed(), real) } else { text })
    }

    fn truth(&self, id: Id) -> Result<Text, Inexpressible> {
        match &self.done[&id] {
            (text, Ty::Bool) => Ok(text.clone()),
            (text, _) => Err(Inexpressible::NotBoolean(text.text.clone())),
        }
    }

    fn numeric(&self, t: Term) -> Result<(Text, Ty), Inexpressible> {
        match &self.done[&t.id()] {
            (text, ty @ (Ty::Int | Ty::Real)) => Ok((text.clone(), ty.clone())),
            (text, _) => Err(Inexpressible::NotNumber(text.text.clone())),
        }
    }

    /// The common type of some terms.
    fn common(&self, terms: &[Term]) -> Result<Ty, Inexpressible> {
        let mut common: Option<Ty> = None;
        for t in terms {
            let ty = &self.done[&t.id()].1;
            common = Some(match (common, ty) {
                (None, ty) | (Some(Ty::Value(_)), ty) => ty.clone(),
                (Some(Ty::Enum(number)), Ty::Value(_)) => Ty::Enum(number),
                (Some(Ty::Int), Ty::Real) | (Some(Ty::Real), Ty::Int) => Ty::Real,
                (Some(known), ty) if known == *ty => known,
                (Some(_), _) => return Err(Inexpressible::MixedTypes),
            });
        }
        match common {
            Some(Ty::Value(value)) => Err(Inexpressible::UnknownEnumeration(value)),
            Some(ty) => Ok(ty),
            None => Err(Inexpressible::NoArguments),
        }
    }

    /// The text of a term as a value of a type.
    fn of_type(&mut self, id: Id, ty: &Ty) -> Result<Text, Inexpressible> {
        let (text, known) = self.done[&id].clone();
        match (&known, ty) {
            (known, ty) if known == ty => Ok(text),
            (Ty::Value(value), Ty::Enum(number)) => match self.layout.value(*number, value) {
                Some(emitted) => Ok(Text::closed(emitted)),
                None => Err(Inexpressible::NotInEnumeration(value.clone())),
            },
            (Ty::Int, Ty::Real) => match self.store.node(id) {
                Node::Num(value, _) => self.number(value, true),
                _ => self.language.real(&text),
            },
            _ => Err(Inexpressible::OtherType(text.text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lustre::{Lustre, RULES};
    use super::super::scope::Space;
    use super::*;
    use requirement::specification::{Component, Type, Variable};

    #[test]
    fn deep_formulas_are_refused_and_not_kept() {
        let variable = |name: &str| Variable {
            name: name.into(),
            kind: Kind::Input,
            ty: Type::Bool,
            unit: None,
            definition: None,
            phrase: None,
            description: String::new(),
        };
        let component =
            Component { name: "C".into(), variables: vec![variable("a"), variable("b")], items: Vec::new() };
        let space = Space { rules: RULES, flat: false, shared_values: false, suffix: "", labels: false };
        let layout = Layout::new(&[component], space);
        let mut store = Store::default();
        let [a, b] = ["a", "b"].map(|name| {
            let symbol = store.symbol(name);
            store.var(symbol)
        });
        let mut f = a;
        let mut deep = |store: &mut Store, times: usize| {
            for _ in 0..times {
                f = store.not(f);
                f = store.since(Bound::ALL, f, b);
            }
            formula(store, f, &layout, &layout.scopes[0], &mut Lustre::default()).map(|text| text.text)
        };
        assert_eq!(deep(&mut store, 2).as_deref(), Ok("S(b, not S(b, not a))"));
        assert_eq!(deep(&mut store, 100_000), Err(Inexpressible::TooLong));
    }
}
