//! Expressions that bind names: quantifiers, choices, and `match`.

use super::lexer::Token;
use super::parser::Parser;
use super::{Bound, Choice, ExprKind, Pattern, Quantifier};

impl Parser<'_> {
    /// `forall (x, y: t; z: u | a) b`; the keyword is already consumed.
    pub(super) fn quantified(&mut self, quantifier: Quantifier) -> Option<ExprKind> {
        self.expect("(")?;
        let mut bounds = Vec::new();
        loop {
            let mut names = vec![self.name()?];
            while self.eat(",") {
                names.push(self.name()?);
            }
            self.expect(":")?;
            let ty = self.ty()?;
            let condition = if self.eat("|") { Some(self.expression()?) } else { None };
            bounds.extend(names.into_iter().map(|name| Bound { name: Some(name), ty, condition }));
            if !self.eat(";") {
                self.expect(")")?;
                break;
            }
        }
        let body = self.quantifier_body()?;
        Some(ExprKind::Quantified(quantifier, bounds, body))
    }

    /// `{ x: t | a }`, `@<t>`, or a type; the keyword is already consumed.
    pub(super) fn chosen(&mut self, choice: Choice) -> Option<ExprKind> {
        if self.eat("@") {
            self.expect("<")?;
            let ty = self.ty()?;
            self.expect(">")?;
            return Some(ExprKind::Chosen(choice, Bound { name: None, ty, condition: None }));
        }
        if !self.eat("{") {
            let ty = self.ty()?;
            return Some(ExprKind::Chosen(choice, Bound { name: None, ty, condition: None }));
        }
        let name = Some(self.name()?);
        self.expect(":")?;
        let ty = self.ty()?;
        self.expect("|")?;
        let condition = Some(self.expression()?);
        self.expect("}")?;
        if self.at_word("assuming") {
            self.unsupported(self.span(), "`assuming`", "write the assumption in the condition");
            return None;
        }
        Some(ExprKind::Chosen(choice, Bound { name, ty, condition }))
    }

    /// `a with | C(x) : b | _ : c end`; the keyword is already consumed.
    pub(super) fn matched(&mut self) -> Option<ExprKind> {
        let value = self.expression()?;
        self.expect_word("with")?;
        let branches = self.branches(Self::expression)?;
        if branches.is_empty() {
            self.expect("|")?;
        }
        self.expect_word("end")?;
        Some(ExprKind::Match(value, branches))
    }

    /// `| C(x) : b | _ : c`.
    pub(super) fn branches<T>(&mut self, body: fn(&mut Self) -> Option<T>) -> Option<Vec<(Pattern, T)>> {
        let mut branches = Vec::new();
        while self.eat("|") {
            let pattern = self.deeper(Self::pattern)?;
            self.expect(":")?;
            branches.push((pattern, body(self)?));
        }
        Some(branches)
    }

    fn pattern(&mut self) -> Option<Pattern> {
        if self.at_word("_") {
            let span = self.span();
            self.advance();
            return Some(Pattern::Any(span));
        }
        let name = self.name()?;
        if !self.eat("(") {
            return Some(Pattern::Named(name));
        }
        let mut parts = Vec::new();
        while !self.eat(")") {
            parts.push(self.deeper(Self::pattern)?);
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Some(Pattern::Made(name, parts))
    }

    /// Types between `@<` and `>`, or between `<<` and `>>`; none if there are none.
    pub(super) fn type_arguments(&mut self) -> Option<Vec<super::TypeId>> {
        let next = self.ahead(1);
        let doubled = self.at_sign("<") && next == Token::Sign("<");
        let annotated = self.at_sign("@") && next == Token::Sign("<");
        if !doubled && !annotated {
            return Some(Vec::new());
        }
        self.advance();
        self.advance();
        let types = self.types_in_brackets()?;
        if doubled {
            self.expect(">")?;
        }
        Some(types)
    }

    /// Types with `,` or `;` between them, up to and including `>`.
    pub(super) fn types_in_brackets(&mut self) -> Option<Vec<super::TypeId>> {
        let mut types = vec![self.ty()?];
        while self.eat(";") || self.eat(",") {
            types.push(self.ty()?);
        }
        self.expect(">")?;
        Some(types)
    }

    /// Type parameters: `<T; U>`, `<<T; U>>`; none if there are none.
    pub(super) fn type_parameters(&mut self) -> Option<Vec<super::Name>> {
        if !self.eat("<") {
            return Some(Vec::new());
        }
        let doubled = self.eat("<");
        let mut names = vec![self.name()?];
        while self.eat(";") || self.eat(",") {
            names.push(self.name()?);
        }
        self.expect(">")?;
        if doubled {
            self.expect(">")?;
        }
        Some(names)
    }
}
