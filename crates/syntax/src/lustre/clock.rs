//! Clocked constructs: `activate`, `restart`, `condact`, `merge`, and the clocks themselves.

use super::parser::Parser;
use super::{Call, Clock, ExprKind, Name};

impl Parser<'_> {
    /// `(activate f every c initial default d restart every r)(a)`, `(restart f every r)(a)`.
    pub(super) fn clocked_call(&mut self) -> Option<Call> {
        self.expect("(")?;
        let mut call = if self.eat_word("restart") {
            let node = self.name()?;
            self.expect_word("every")?;
            let restart = Some(self.expression()?);
            Call { node, types: Vec::new(), arguments: Vec::new(), every: None, restart, defaults: None }
        } else {
            self.expect_word("activate")?;
            let (node, mut restart) = if self.eat("(") {
                self.expect_word("restart")?;
                let node = self.name()?;
                self.expect_word("every")?;
                let restart = self.expression()?;
                self.expect(")")?;
                (node, Some(restart))
            } else {
                (self.name()?, None)
            };
            self.expect_word("every")?;
            let every = Some(self.expression()?);
            let mut defaults = None;
            if self.eat_word("initial") {
                self.expect_word("default")?;
                let values = self.expression()?;
                defaults = Some(match &self.ast.expr(values).kind {
                    ExprKind::Group(all) => all.clone(),
                    _ => vec![values],
                });
            }
            if self.eat_word("restart") {
                self.expect_word("every")?;
                restart = Some(self.expression()?);
            }
            Call { node, types: Vec::new(), arguments: Vec::new(), every, restart, defaults }
        };
        self.expect(")")?;
        self.expect("(")?;
        call.arguments = self.list(")")?;
        Some(call)
    }

    /// `condact(c, f(a), d)`; the keyword is already consumed.
    pub(super) fn condact(&mut self) -> Option<ExprKind> {
        self.expect("(")?;
        let every = self.expression()?;
        self.expect(",")?;
        let mut call = if self.at_sign("(") {
            self.clocked_call()?
        } else {
            let node = self.name()?;
            let types = self.type_arguments()?;
            self.expect("(")?;
            Call { node, types, arguments: self.list(")")?, every: None, restart: None, defaults: None }
        };
        if call.every.is_some() {
            self.unsupported(call.node.span, "`activate` in `condact`", "use one of them");
            return None;
        }
        let defaults = if self.eat(",") {
            self.list(")")?
        } else {
            self.expect(")")?;
            Vec::new()
        };
        call.every = Some(every);
        call.defaults = Some(defaults);
        Some(ExprKind::Call(call))
    }

    /// `merge(c; a; b)`, `merge c (A -> a) (B -> b)`; the keyword is already consumed.
    pub(super) fn merge(&mut self) -> Option<ExprKind> {
        if self.eat("(") {
            let clock = self.name()?;
            self.expect(";")?;
            let first = self.expression()?;
            self.expect(";")?;
            let second = self.expression()?;
            self.expect(")")?;
            let value = |text: &str| Name { text: text.to_owned(), span: clock.span };
            // The branches may be in either order if the first one is marked as the `false` branch.
            let swapped = match &self.ast.expr(first).kind {
                ExprKind::When(_, when) => when.value == "false",
                _ => false,
            };
            let (yes, no) = if swapped { (second, first) } else { (first, second) };
            let branches = vec![(value("true"), yes), (value("false"), no)];
            return Some(ExprKind::Merge(clock, branches));
        }
        let clock = self.name()?;
        let mut branches = Vec::new();
        while self.eat("(") {
            let span = self.span();
            let value = if self.at_word("true") || self.at_word("false") {
                let text = self.slice(span).to_owned();
                self.advance();
                Name { text, span }
            } else {
                self.name()?
            };
            self.expect("->")?;
            branches.push((value, self.expression()?));
            self.expect(")")?;
        }
        if branches.is_empty() {
            self.unexpected("`(`");
            return None;
        }
        Some(ExprKind::Merge(clock, branches))
    }

    /// `c`, `not c`, `not (c)`, `A(c)`.
    pub(super) fn clock(&mut self) -> Option<Clock> {
        if self.eat_word("not") {
            let closed = self.eat("(");
            let variable = self.name()?;
            if closed {
                self.expect(")")?;
            }
            return Some(Clock { variable, value: "false".to_owned() });
        }
        if self.at_sign("(") {
            self.advance();
            let clock = self.deeper(Self::clock)?;
            self.expect(")")?;
            return Some(clock);
        }
        let value = if self.at_word("true") || self.at_word("false") {
            let span = self.span();
            self.advance();
            Name { text: self.slice(span).to_owned(), span }
        } else {
            self.name()?
        };
        if self.eat("(") {
            let variable = self.name()?;
            self.expect(")")?;
            return Some(Clock { variable, value: value.text });
        }
        Some(Clock { variable: value, value: "true".to_owned() })
    }
}
