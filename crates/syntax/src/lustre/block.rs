//! Blocks of equations: `if … fi`, `when … end`, `cond … end`, `match … end` and frames.

use super::lexer::Token;
use super::parser::Parser;
use super::{Block, Frame, Item};

impl Parser<'_> {
    /// Whether a block starts here: these words are also allowed as names.
    pub(super) fn at_block(&self) -> bool {
        let opens = ["if", "when", "cond", "frame"].iter().any(|word| self.at_word(word));
        let matches = self.at_word("match") && (self.name_ahead() || self.ahead(1) == Token::Sign("("));
        matches || opens && !matches!(self.ahead(1), Token::Sign("=" | "," | "["))
    }

    /// A block; `None` after a report.
    pub(super) fn block(&mut self) -> Option<Item> {
        self.deeper(Self::block_here)
    }

    fn block_here(&mut self) -> Option<Item> {
        let span = self.span();
        if self.eat_word("frame") {
            let names = {
                self.expect("(")?;
                let mut names = Vec::new();
                while !self.eat(")") {
                    names.push(self.long_name()?);
                    if !self.eat(",") {
                        self.expect(")")?;
                        break;
                    }
                }
                names
            };
            let initial = self.block_items()?;
            self.expect_word("let")?;
            let items = self.block_items()?;
            self.expect_word("tel")?;
            self.eat(";");
            return Some(Item::Frame(Frame { names, initial, items }));
        }
        if self.eat_word("match") {
            let value = self.expression()?;
            self.expect_word("with")?;
            let branches = self.branches(Self::block_items)?;
            self.expect_word("end")?;
            self.eat(";");
            return Some(Item::Match(value, branches, span));
        }
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        let partial = self.at_word("if");
        if self.eat_word("cond") {
            while self.eat("|") {
                let condition = self.expression()?;
                self.expect(":")?;
                branches.push((condition, self.block_items()?));
            }
            if self.eat_word("otherwise") {
                self.expect(":")?;
                otherwise = self.block_items()?;
            }
            self.expect_word("end")?;
        } else {
            self.advance();
            loop {
                let condition = self.expression()?;
                self.expect_word("then")?;
                branches.push((condition, self.block_items()?));
                if !self.eat_word("elsif") {
                    break;
                }
            }
            if self.eat_word("else") {
                otherwise = self.block_items()?;
            }
            self.expect_word(if partial { "fi" } else { "end" })?;
        }
        self.eat(";");
        Some(Item::Block(Block { branches, otherwise, partial, span }))
    }

    /// Items up to a word or symbol that ends them.
    fn block_items(&mut self) -> Option<Vec<Item>> {
        let mut items = Vec::new();
        let ends = ["elsif", "else", "fi", "end", "otherwise", "let", "tel"];
        while self.token() != Token::End && !self.at_sign("|") && !ends.iter().any(|word| self.at_word(word))
        {
            items.push(self.item()?);
        }
        Some(items)
    }
}
