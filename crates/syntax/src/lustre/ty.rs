//! Types of Lustre.

use super::lexer::Token;
use super::parser::Parser;
use super::{ExprId, Name, TypeId, TypeKind};
use crate::codes;

impl Parser<'_> {
    /// Parses a type; `None` after a report.
    pub(super) fn ty(&mut self) -> Option<TypeId> {
        self.deeper(Self::ty_here)
    }

    /// `f, g: t; h: u`, up to the closing sign.
    pub(super) fn fields(&mut self, close: &str) -> Option<Vec<(Name, TypeId)>> {
        let mut fields = Vec::new();
        while !self.eat(close) {
            let mut names = vec![self.name()?];
            while self.eat(",") {
                names.push(self.name()?);
            }
            self.expect(":")?;
            let ty = self.ty()?;
            fields.extend(names.into_iter().map(|name| (name, ty)));
            if !self.eat(";") && !self.eat(",") {
                self.expect(close)?;
                break;
            }
        }
        Some(fields)
    }

    fn ty_here(&mut self) -> Option<TypeId> {
        let start = self.span();
        let kind = if let Some(number) = self.number_type() {
            TypeKind::Number(number)
        } else if self.eat_word("bool") {
            TypeKind::Bool
        } else if self.eat_word("subrange") {
            self.expect("[")?;
            let low = self.bound()?;
            self.expect(",")?;
            let high = self.bound()?;
            self.expect("]")?;
            self.expect_word("of")?;
            self.expect_word("int")?;
            TypeKind::Range(low, high)
        } else if self.eat_word("enum") {
            self.expect("{")?;
            let mut literals = vec![self.name()?];
            while self.eat(",") {
                literals.push(self.name()?);
            }
            self.expect("}")?;
            TypeKind::Enum(literals)
        } else if self.eat("[") {
            let mut parts = vec![self.ty()?];
            while self.eat(",") {
                parts.push(self.ty()?);
            }
            self.expect("]")?;
            TypeKind::Tuple(parts)
        } else if self.eat_word("struct") || self.at_sign("{") {
            self.expect("{")?;
            TypeKind::Record(self.fields("}")?)
        } else if self.at_word("subtype") && self.ahead(1) == Token::Sign("{") {
            self.advance();
            self.advance();
            let name = self.name()?;
            self.expect(":")?;
            let base = self.ty()?;
            self.expect("|")?;
            let condition = self.expression()?;
            self.expect("}")?;
            TypeKind::Refined(name, base, condition)
        } else if ["map", "set"].iter().any(|word| self.at_word(word)) && self.ahead(1) == Token::Sign("<") {
            let word = self.slice(start).to_owned();
            self.advance();
            self.advance();
            match (word.as_str(), &self.types_in_brackets()?[..]) {
                ("set", [part]) => TypeKind::Set(*part),
                ("map", [key, value]) => TypeKind::Map(*key, *value),
                _ => {
                    let message = format!("`{word}` has another number of types");
                    self.report(
                        codes::BAD_LUSTRE,
                        self.since(start),
                        message,
                        "write `set<t>` or `map<t, u>`",
                    );
                    TypeKind::Missing
                }
            }
        } else if self.at_word("history") && self.ahead(1) == Token::Sign("(") {
            self.unsupported(start, "the type `history`", "keep the values in a variable of your own");
            return None;
        } else {
            let name = self.name()?.text;
            let arguments = if self.at_sign("<") && self.ahead(1) == Token::Sign("<") {
                self.type_arguments()?
            } else if self.eat("<") {
                self.types_in_brackets()?
            } else {
                Vec::new()
            };
            TypeKind::Named(name, arguments)
        };
        let span = self.since(start);
        let mut found = self.add_type(kind, span);
        loop {
            let size = match self.size()? {
                Some(size) => size,
                // `int[5]`, as JKind writes it.
                None if self.eat("[") => {
                    self.higher()?;
                    let size = self.expression()?;
                    self.expect("]")?;
                    size
                }
                None => return Some(found),
            };
            let span = self.since(start);
            found = self.add_type(TypeKind::Array(found, size), span);
        }
    }

    fn bound(&mut self) -> Option<Option<ExprId>> {
        if self.eat("*") {
            return Some(None);
        }
        self.expression().map(Some)
    }
}
