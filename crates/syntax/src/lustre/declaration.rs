//! Declarations of Lustre: constants, types, nodes, functions, contracts, and the items of their bodies.

use super::lexer::{CONTRACT, CONTRACT_END, MAIN, PROPERTY, REALIZABLE, Token};
use super::parser::Parser;
use super::{
    Claim, Const, Constructor, ContractItem, Declaration, Item, Left, Mode, TypeKind, Unit, UnitKind,
    Variable, Visibility, Within,
};

impl Parser<'_> {
    pub(super) fn declarations(&mut self) {
        while self.token() != Token::End {
            let before = self.at;
            if self.declaration().is_none() {
                if self.at == before {
                    self.advance();
                }
                self.recover_declaration();
            }
        }
    }

    fn declaration(&mut self) -> Option<()> {
        let start = self.span();
        let opens = self.at_sign("#") && self.word_ahead(1, "open");
        if opens {
            self.advance();
        }
        if self.eat_word("include") || (opens && self.eat_word("open")) {
            let brackets = opens && self.eat("<");
            let file = if brackets { Some(self.name()?) } else { self.quoted() };
            if brackets {
                self.expect(">")?;
            }
            let Some(file) = file else {
                self.unexpected("the name of a file in quotes");
                return None;
            };
            self.eat(";");
            self.ast.declarations.push(Declaration::Include(file));
        } else if self.eat_word("const") || self.eat_word("param") {
            while self.token() == Token::Name && !self.at_opening() {
                for constant in self.constants()? {
                    self.ast.declarations.push(Declaration::Const(constant));
                }
            }
        } else if self.eat_word("type") {
            self.types()?;
        } else if self.eat_word("node") {
            self.unit(UnitKind::Node, Visibility::Usual)?;
        } else if self.eat_word("function") {
            self.unit(UnitKind::Function, Visibility::Usual)?;
        } else if self.eat_word("contract") {
            self.unit(UnitKind::Contract, Visibility::Usual)?;
        } else if self.eat(CONTRACT) {
            self.unit(UnitKind::Contract, Visibility::Usual)?;
            self.expect(CONTRACT_END)?;
        } else if self.eat(";") {
            // Some tools emit one after `tel`.
        } else if self.at_word("datatype") {
            self.advance();
            self.data()?;
        } else if self.eat_word("lemma") {
            self.lemma()?;
        } else if self.at_word("open") {
            self.unsupported(start, "`open`", "use `include`");
            return None;
        } else if (self.at_word("opaque") || self.at_word("transparent"))
            && (self.word_ahead(1, "node") || self.word_ahead(1, "function"))
        {
            let visibility =
                if self.at_word("opaque") { Visibility::Opaque } else { Visibility::Transparent };
            self.advance();
            let kind = if self.at_word("node") { UnitKind::Node } else { UnitKind::Function };
            self.advance();
            self.unit(kind, visibility)?;
        } else {
            self.unexpected("a declaration");
            return None;
        }
        Some(())
    }

    /// `a, b: t;`, `a: t = e;`, `a = e;`, after `const`.
    fn constants(&mut self) -> Option<Vec<Const>> {
        let mut names = vec![self.name()?];
        while self.eat(",") {
            names.push(self.name()?);
        }
        let ty = if self.eat(":") { Some(self.ty()?) } else { None };
        let value = if self.eat("=") { Some(self.expression()?) } else { None };
        if ty.is_none() && value.is_none() {
            self.unexpected("`:` or `=`");
            return None;
        }
        self.expect(";")?;
        Some(names.into_iter().map(|name| Const { name, ty, value }).collect())
    }

    fn types(&mut self) -> Option<()> {
        loop {
            let name = self.name()?;
            if self.at_sign(";") || self.at_sign(",") {
                let mut names = vec![name];
                while self.eat(",") {
                    names.push(self.name()?);
                }
                self.expect(";")?;
                for name in names {
                    let ty = self.add_type(TypeKind::Abstract, name.span);
                    self.ast.declarations.push(Declaration::Type(name, Vec::new(), ty));
                }
            } else {
                let parameters = self.type_parameters()?;
                self.expect("=")?;
                let ty = self.ty()?;
                self.expect(";")?;
                self.ast.declarations.push(Declaration::Type(name, parameters, ty));
            }
            if self.token() != Token::Name || self.at_opening() {
                return Some(());
            }
        }
    }

    /// `t = A | B(f: u, g: v);`, after `datatype`.
    fn data(&mut self) -> Option<()> {
        let name = self.name()?;
        let parameters = self.type_parameters()?;
        self.expect("=")?;
        let mut constructors = Vec::new();
        loop {
            let name = self.name()?;
            let fields = if self.eat("(") { self.fields(")")? } else { Vec::new() };
            constructors.push(Constructor { name, fields });
            if !self.eat("|") {
                break;
            }
        }
        self.expect(";")?;
        self.ast.declarations.push(Declaration::Data(name, parameters, constructors));
        Some(())
    }

    /// A node, a function or a contract, after its keyword.
    fn unit(&mut self, kind: UnitKind, visibility: Visibility) -> Option<()> {
        let recursive = kind == UnitKind::Function && self.at_word("rec") && self.ahead(1) == Token::Name;
        if recursive {
            self.advance();
        }
        let imported = kind != UnitKind::Contract && self.eat_word("imported");
        let mut unit = self.heading(kind, visibility, true)?;
        (unit.imported, unit.recursive) = (imported, recursive);
        self.contents(unit)
    }

    /// A function without outputs whose guarantees are facts for its callers, after `lemma`.
    fn lemma(&mut self) -> Option<()> {
        let mut unit = self.heading(UnitKind::Function, Visibility::Opaque, false)?;
        unit.recursive = true;
        self.contents(unit)
    }

    /// The name, the type parameters, the inputs and the outputs of a unit.
    fn heading(&mut self, kind: UnitKind, visibility: Visibility, returns: bool) -> Option<Unit> {
        let name = self.long_name()?;
        let parameters = self.type_parameters()?;
        self.expect("(")?;
        let inputs = self.parameters()?;
        let mut outputs = Vec::new();
        if returns {
            self.expect_word("returns")?;
            self.expect("(")?;
            outputs = self.parameters()?;
        }
        self.eat(";");
        Some(Unit {
            kind,
            imported: false,
            visibility,
            recursive: false,
            name,
            parameters,
            inputs,
            outputs,
            contract: None,
            locals: Vec::new(),
            constants: Vec::new(),
            items: Vec::new(),
            body: Vec::new(),
        })
    }

    /// The contract and the body of a unit.
    fn contents(&mut self, mut unit: Unit) -> Option<()> {
        let kind = unit.kind;
        if kind == UnitKind::Contract {
            self.expect_word("let")?;
            unit.body = self.contract_items();
            self.closing("tel");
        } else {
            while self.at_sign(CONTRACT) || self.at_word("con") {
                let comment = self.at_sign(CONTRACT);
                self.advance();
                let items = self.contract_items();
                unit.contract.get_or_insert_default().extend(items);
                if comment {
                    self.expect(CONTRACT_END)?;
                } else {
                    self.expect_word("noc")?;
                }
            }
            // JKind declares a function without a body where Kind 2 writes `imported`.
            let bodiless = kind == UnitKind::Function
                && !["var", "const", "let"].iter().any(|word| self.at_word(word))
                && (self.token() == Token::End || self.at_opening());
            unit.imported |= bodiless;
            if !unit.imported {
                self.body(&mut unit)?;
            }
        }
        self.ast.declarations.push(Declaration::Unit(Box::new(unit)));
        Some(())
    }

    /// `a, b: t; const c: u)`, including the parenthesis.
    fn parameters(&mut self) -> Option<Vec<Variable>> {
        let mut found = Vec::new();
        while !self.eat(")") {
            let constant = self.eat_word("const");
            self.typed_names(constant, &mut found)?;
            if !self.eat(";") {
                self.expect(")")?;
                break;
            }
        }
        Some(found)
    }

    fn typed_names(&mut self, constant: bool, found: &mut Vec<Variable>) -> Option<()> {
        let mut names = vec![self.long_name()?];
        while self.eat(",") {
            names.push(self.long_name()?);
        }
        self.expect(":")?;
        let ty = self.ty()?;
        if self.at_word("when") {
            self.unsupported(self.span(), "a variable with a clock", "use `merge` and `activate`");
            return None;
        }
        let condition = if self.eat("|") { Some(self.expression()?) } else { None };
        found.extend(names.into_iter().map(|name| Variable { name, ty, constant, condition }));
        Some(())
    }

    /// Local declarations, `let`, items, `tel`.
    fn body(&mut self, unit: &mut Unit) -> Option<()> {
        loop {
            if self.eat_word("var") {
                while self.at_local() {
                    let before = self.at;
                    let read = self.typed_names(false, &mut unit.locals);
                    if read.and_then(|()| self.expect(";")).is_none() {
                        self.recover_from(before);
                    }
                }
            } else if self.eat_word("const") {
                while self.at_local() {
                    let before = self.at;
                    match self.constants() {
                        Some(constants) => unit.constants.extend(constants),
                        None => self.recover_from(before),
                    }
                }
            } else {
                break;
            }
        }
        self.expect_word("let")?;
        while self.token() != Token::End && !self.at_word("tel") && !self.at_unit() {
            let before = self.at;
            match self.item() {
                Some(item) => unit.items.push(item),
                None => self.recover_from(before),
            }
        }
        self.closing("tel");
        Some(())
    }

    /// Whether another local variable or constant may be declared here.
    fn at_local(&self) -> bool {
        let ends = ["let", "var", "tel"].iter().any(|word| self.at_word(word));
        self.token() == Token::Name && !ends && !self.at_opening()
    }

    /// Whether a new unit starts here, so that a `tel` is missing.
    fn at_unit(&self) -> bool {
        ["node", "function", "contract"].iter().any(|word| self.at_word(word))
    }

    fn closing(&mut self, word: &str) {
        if self.expect_word(word).is_some() {
            self.eat(";");
            self.eat(".");
        }
    }

    pub(super) fn item(&mut self) -> Option<Item> {
        let start = self.span();
        if self.eat(MAIN) {
            if self.eat(":") {
                self.advance();
            }
            self.eat(";");
            return Some(Item::Main);
        }
        if self.eat(REALIZABLE) {
            self.eat(":");
            let mut names = Vec::new();
            while self.token() == Token::Name && !self.at_word("tel") {
                names.push(self.long_name()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.eat(";");
            return Some(Item::Realizable(names));
        }
        if self.eat(PROPERTY) {
            self.eat(":");
            return self.property(start.start);
        }
        if self.at_word("check") && !matches!(self.ahead(1), Token::Sign("=" | "," | "[")) {
            self.advance();
            return self.property(start.start);
        }
        if self.eat_word("assert") {
            let value = self.expression()?;
            self.expect(";")?;
            return Some(Item::Assert(value, start));
        }
        if self.at_block() {
            return self.block();
        }
        if self.at_word("auto") && self.ahead(1) == Token::Sign(";") {
            self.advance();
            self.advance();
            return Some(Item::Auto);
        }
        if self.token() == Token::Name && (self.ahead(1) == Token::Sign("(") || self.at_dotted_call()) {
            // A call of something without outputs.
            let value = self.expression()?;
            self.expect(";")?;
            return Some(Item::Equation(Vec::new(), value, self.since(start)));
        }
        let closed = self.eat("(");
        let mut left = Vec::new();
        let nothing = if closed { self.at_sign(")") } else { self.at_sign("=") };
        if !nothing {
            loop {
                let name = self.long_name()?;
                let mut indices = Vec::new();
                while self.eat("[") {
                    indices.push(self.name()?);
                    self.expect("]")?;
                }
                left.push(Left { name, indices });
                if !self.eat(",") {
                    break;
                }
            }
        }
        if closed {
            self.expect(")")?;
        }
        self.expect("=")?;
        let value = self.expression()?;
        self.expect(";")?;
        Some(Item::Equation(left, value, self.since(start)))
    }

    /// `"name" e;`, `"name" e provided g;`, `reachable "name" e from a within b;`, `reachable "name" e at a;`.
    fn property(&mut self, start: u32) -> Option<Item> {
        if self.at_word("reachable") && !matches!(self.ahead(1), Token::Sign(";")) {
            self.advance();
            let mut span = self.last();
            span.start = start;
            let claim = self.claim(span)?;
            let mut within = Within::default();
            if self.eat_word("at") {
                let step = Some(self.expression()?);
                within = Within { from: step, to: step };
            }
            if self.eat_word("from") {
                within.from = Some(self.expression()?);
            }
            if self.eat_word("within") {
                within.to = Some(self.expression()?);
            }
            self.expect(";")?;
            return Some(Item::Reachable(claim, within));
        }
        if self.at_word("invariant") && !matches!(self.ahead(1), Token::Sign(";")) {
            self.advance();
        }
        let mut span = self.last();
        span.start = start;
        let claim = self.claim(span)?;
        let guard = if self.eat_word("provided") { Some(self.expression()?) } else { None };
        self.expect(";")?;
        Some(Item::Property(claim, guard))
    }

    /// `"name" e`.
    fn claim(&mut self, span: crate::Span) -> Option<Claim> {
        let name = self.quoted().map(|name| name.text);
        if name.is_some() {
            self.eat(":");
        }
        let value = self.expression()?;
        Some(Claim { name, value, span })
    }

    fn contract_items(&mut self) -> Vec<ContractItem> {
        let mut items = Vec::new();
        while self.token() != Token::End
            && !self.at_sign(CONTRACT_END)
            && !self.at_word("tel")
            && !self.at_word("noc")
            && !self.at_word("let")
            && !self.at_unit()
        {
            let before = self.at;
            match self.contract_item() {
                Some(found) => items.extend(found),
                None => self.recover_from(before),
            }
        }
        items
    }

    fn contract_item(&mut self) -> Option<Vec<ContractItem>> {
        let start = self.span();
        let weakly = self.eat_word("weakly");
        let item = if self.eat_word("assume") {
            let claim = self.claim(start)?;
            self.expect(";")?;
            ContractItem::Assume(claim)
        } else if self.eat_word("guarantee") {
            let claim = self.claim(start)?;
            self.expect(";")?;
            ContractItem::Guarantee(claim)
        } else if weakly {
            self.unexpected("`assume`");
            return None;
        } else if self.eat_word("const") {
            return Some(self.constants()?.into_iter().map(ContractItem::Const).collect());
        } else if self.eat_word("var") {
            let mut variables = Vec::new();
            loop {
                self.typed_names(false, &mut variables)?;
                if !self.eat(",") && !self.eat(";") {
                    break;
                }
            }
            self.expect("=")?;
            let value = self.expression()?;
            self.expect(";")?;
            ContractItem::Var(variables, value, start)
        } else if self.eat_word("decreases") {
            let mut measures = vec![self.expression()?];
            while self.eat(",") {
                measures.push(self.expression()?);
            }
            self.expect(";")?;
            ContractItem::Decreases(measures)
        } else if self.eat_word("mode") {
            ContractItem::Mode(self.mode()?)
        } else if self.eat_word("import") {
            self.import(start)?
        } else if self.at_word("assumption_vars") {
            self.unsupported(start, "`assumption_vars`", "remove it");
            return None;
        } else {
            self.unexpected("`assume`, `guarantee`, `mode`, `var`, `const` or `import`");
            return None;
        };
        Some(vec![item])
    }

    fn mode(&mut self) -> Option<Mode> {
        let name = self.name()?;
        self.expect("(")?;
        let mut mode = Mode { name, requires: Vec::new(), ensures: Vec::new() };
        while !self.eat(")") {
            let span = self.span();
            let requires = self.eat_word("require");
            if !requires {
                self.expect_word("ensure")?;
            }
            let claim = self.claim(span)?;
            if requires { &mut mode.requires } else { &mut mode.ensures }.push(claim);
            if !self.eat(";") {
                self.expect(")")?;
                break;
            }
        }
        self.expect(";")?;
        Some(mode)
    }

    fn import(&mut self, span: crate::Span) -> Option<ContractItem> {
        let contract = self.name()?;
        let types = self.type_arguments()?;
        let inputs = self.in_parentheses(Self::expression)?;
        self.expect_word("returns")?;
        let outputs = self.in_parentheses(Self::name)?;
        self.expect(";")?;
        Some(ContractItem::Import { contract, types, inputs, outputs, span })
    }

    /// Items between parentheses, with commas between them.
    fn in_parentheses<T>(&mut self, item: fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.expect("(")?;
        let mut items = Vec::new();
        while !self.eat(")") {
            items.push(item(self)?);
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Some(items)
    }
}
