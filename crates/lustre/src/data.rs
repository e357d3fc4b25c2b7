//! Values of `datatype`s: constructors, testers, fields, and `match`.
//!
//! A value is a tag and the fields of all constructors; those of other constructors do not matter. Reading a field requires that the
//! value was made by its constructor.

use crate::codes;
use crate::hir::{Id, Kind};
use crate::resolve::Resolver;
use crate::types::{BOOL, ERROR, Shape, Ty};
use crate::typing::{Named, Scope};
use syntax::Span;
use syntax::lustre::{Binary, ExprId, Name, Pattern, TypeId};

impl Resolver<'_> {
    /// A value made by a constructor.
    pub(super) fn made(
        &mut self,
        scope: &Scope,
        (data, tag): (u32, u32),
        arguments: &[Id],
        span: Span,
    ) -> Id {
        let ty = self.types.get(Shape::Data(data)).unwrap_or(ERROR);
        let it = self.types.datas[data as usize].clone();
        let (name, fields) = &it.constructors[tag as usize];
        let wanted: Vec<Ty> = fields.iter().map(|it| it.1).collect();
        let list = self.list(arguments.to_vec(), span);
        if arguments.len() != wanted.len() {
            let message = format!("`{name}` takes {} values, not {}", wanted.len(), arguments.len());
            let hint = "give as many values as there are fields";
            self.report(scope.file, span, codes::WRONG_ARITY, message, hint);
            return self.error(span);
        }
        self.fit(scope.file, list, &wanted, span, &format!("`{name}` takes"));
        let tag_type = self.types.get(Shape::Enum(it.tag)).unwrap_or(ERROR);
        let mut parts = vec![self.add(Kind::Literal(it.tag, tag), tag_type, span)];
        for (place, (_, fields)) in it.constructors.iter().enumerate() {
            if place == tag as usize {
                parts.extend(arguments);
            } else {
                for (_, ty) in fields {
                    parts.push(self.add(Kind::Default, self.types.base(*ty), span));
                }
            }
        }
        self.add(Kind::Parts(parts), ty, span)
    }

    /// Whether a value was made by a constructor.
    fn made_by(&mut self, value: Id, (data, tag): (u32, u32), span: Span) -> Id {
        let which = self.types.datas[data as usize].tag;
        let ty = self.types.get(Shape::Enum(which)).unwrap_or(ERROR);
        let found = self.part(value, 0, ty, span);
        let literal = self.add(Kind::Literal(which, tag), ty, span);
        self.add(Kind::Chain(found, vec![(Binary::Equal, literal)]), BOOL, span)
    }

    /// `C?(a)`.
    pub(super) fn tested(&mut self, scope: &Scope, name: &Name, value: Id, span: Span) -> Id {
        let ty = self.ty_of(value);
        if ty == ERROR {
            return self.error(span);
        }
        match self.constructor_of(ty, &name.text) {
            Some(made) => self.made_by(value, made, span),
            None => {
                self.not_a_constructor(scope, name, ty);
                self.error(span)
            }
        }
    }

    fn not_a_constructor(&mut self, scope: &Scope, name: &Name, ty: Ty) {
        let message = format!("`{}` is not a constructor of {}", name.text, self.types.show(ty));
        let known = match self.types.shape(self.types.base(ty)) {
            Shape::Data(data) => {
                self.types.datas[*data as usize].constructors.iter().map(|it| it.0.clone()).collect()
            }
            _ => Vec::new(),
        };
        let hint = self.hint(&name.text, known.iter(), "use a constructor of its type");
        self.report(scope.file, name.span, codes::BAD_ELEMENT, message, hint);
    }

    /// A constructor by name, of a `datatype` with type parameters for given types or for those of the arguments; `None` if there is
    /// none, or after a report.
    pub(super) fn constructor(
        &mut self,
        file: usize,
        name: &Name,
        types: &[TypeId],
        arguments: &[Id],
    ) -> Option<(u32, u32)> {
        if let Some(made) = self.constructors.get(&name.text) {
            return Some(*made);
        }
        let (data, tag) = self.generic_constructors.get(&name.text).cloned()?;
        let (home, parameters, constructors) = self.generic_datas.get(&data).copied()?;
        let mut found: Vec<Option<Ty>> = vec![None; parameters.len()];
        if types.len() == found.len() {
            for (place, ty) in types.iter().enumerate() {
                found[place] = Some(self.ty(file, *ty));
            }
        } else {
            for ((_, declared), value) in constructors[tag as usize].fields.iter().zip(arguments) {
                self.infer(home, *declared, self.ty_of(*value), parameters, &mut found);
            }
        }
        let Some(types) = found.into_iter().collect::<Option<Vec<Ty>>>() else {
            let message = format!("the types for `{}` are not known here", name.text);
            let hint = format!("write `{}@<…>` with a type for each type parameter of `{data}`", name.text);
            self.report(file, name.span, codes::WRONG_ARITY, message, hint);
            return None;
        };
        let ty = self.applied_data(file, &data, types, name.span);
        self.constructor_of(ty, &name.text)
    }

    /// The field of a value of a `datatype`, with the obligation that it has one; `None` if there is no such field.
    pub(super) fn data_field(
        &mut self,
        scope: &Scope,
        value: Id,
        data: u32,
        name: &str,
        span: Span,
    ) -> Option<Id> {
        let constructors = self.types.datas[data as usize].constructors.clone();
        let with = constructors.iter().filter(|it| it.1.iter().any(|field| field.0 == name));
        let with: Vec<String> = with.map(|it| format!("`{}`", it.0)).collect();
        if with.len() > 1 {
            let message = format!("`{name}` is a field of {}", with.join(" and "));
            self.report(scope.file, span, codes::BAD_ELEMENT, message, "use `match`");
            return Some(self.error(span));
        }
        let mut offset = 1;
        for (tag, (_, fields)) in constructors.iter().enumerate() {
            for (field, ty) in fields {
                if field == name {
                    let made = self.made_by(value, (data, tag as u32), span);
                    self.obligation(scope, made, span);
                    return Some(self.part(value, offset, self.types.base(*ty), span));
                }
                offset += self.types.leaf_count(*ty);
            }
        }
        None
    }

    /// `match a with | p : b | q : c end`: the first branch that fits.
    pub(super) fn matched(
        &mut self,
        scope: &mut Scope,
        value: Id,
        branches: &[(Pattern, ExprId)],
        span: Span,
        guarded: bool,
    ) -> Id {
        let ty = self.types.base(self.ty_of(value));
        if ty == ERROR {
            return self.error(span);
        }
        let depth = scope.path.len();
        let mut found: Vec<(Option<Id>, Id)> = Vec::new();
        for (pattern, body) in branches {
            let branch = self
                .with_pattern(scope, value, pattern, span, |this, scope| this.expr(scope, *body, guarded));
            let Some(branch) = branch else { return self.error(span) };
            found.push(branch);
        }
        scope.path.truncate(depth);
        let rows: Vec<Vec<&Pattern>> = branches.iter().map(|it| vec![&it.0]).collect();
        let mut fuel = 10_000;
        if !self.covers(&rows, &[ty], &mut fuel) {
            let message = "`match` has no branch for some values".to_owned();
            let hint = "write a branch for each constructor, or `| _ : …`";
            self.report(scope.file, span, codes::BAD_ELEMENT, message, hint);
            return self.error(span);
        }
        let values: Vec<Id> = found.iter().map(|it| it.1).collect();
        let ty = self.alike(scope.file, &values, span, "the branches of `match`");
        let Some((_, mut result)) = found.pop() else { return self.error(span) };
        for (condition, body) in found.into_iter().rev() {
            result = match condition {
                Some(condition) => self.add(Kind::If(condition, body, result), ty, span),
                None => body,
            };
        }
        result
    }

    /// Resolves what belongs to a pattern, and returns it with the condition that the pattern fits, if it does not always fit. The
    /// path is then that of the following branches. `None` after a report.
    pub(super) fn with_pattern<T>(
        &mut self,
        scope: &mut Scope,
        value: Id,
        pattern: &Pattern,
        span: Span,
        work: impl FnOnce(&mut Self, &mut Scope) -> T,
    ) -> Option<(Option<Id>, T)> {
        let ty = self.types.base(self.ty_of(value));
        let (mut conditions, mut names) = (Vec::new(), Vec::new());
        self.fits(scope, value, ty, pattern, &mut conditions, &mut names)?;
        let condition = conditions.split_first().map(|(first, rest)| {
            let rest: Vec<(Binary, Id)> = rest.iter().map(|it| (Binary::And, *it)).collect();
            if rest.is_empty() { *first } else { self.add(Kind::Chain(*first, rest), BOOL, span) }
        });
        scope.path.extend(condition);
        let mut before = Vec::with_capacity(names.len());
        for (name, value) in names {
            before.push((name.clone(), scope.names.insert(name, Named::Const(value))));
        }
        let result = work(self, scope);
        for (name, before) in before.into_iter().rev() {
            match before {
                Some(before) => scope.names.insert(name, before),
                None => scope.names.remove(&name),
            };
        }
        if let Some(condition) = condition {
            scope.path.pop();
            let not = self.negated(condition);
            scope.path.push(not);
        }
        Some((condition, result))
    }

    /// When a pattern fits a value, and the values of its names; `None` after a report.
    fn fits(
        &mut self,
        scope: &Scope,
        value: Id,
        ty: Ty,
        pattern: &Pattern,
        conditions: &mut Vec<Id>,
        names: &mut Vec<(String, Id)>,
    ) -> Option<()> {
        let (name, parts): (&Name, &[Pattern]) = match pattern {
            Pattern::Any(_) => return Some(()),
            Pattern::Named(name) => match self.constructor_of(ty, &name.text) {
                Some(_) => (name, &[]),
                None => {
                    names.push((name.text.clone(), value));
                    return Some(());
                }
            },
            Pattern::Made(name, parts) => (name, parts),
        };
        let Some((data, tag)) = self.constructor_of(ty, &name.text) else {
            self.not_a_constructor(scope, name, ty);
            return None;
        };
        let constructors = self.types.datas[data as usize].constructors.clone();
        let fields = &constructors[tag as usize].1;
        if fields.len() != parts.len() {
            let message = format!("`{}` has {} fields, not {}", name.text, fields.len(), parts.len());
            let hint = "write `_` for fields that do not matter";
            self.report(scope.file, name.span, codes::WRONG_ARITY, message, hint);
            return None;
        }
        let made = self.made_by(value, (data, tag), name.span);
        conditions.push(made);
        let earlier = constructors[..tag as usize].iter().flat_map(|it| &it.1);
        let mut offset = 1 + earlier.map(|it| self.types.leaf_count(it.1)).sum::<u32>();
        for ((_, ty), part) in fields.iter().zip(parts) {
            let base = self.types.base(*ty);
            let field = self.part(value, offset, base, name.span);
            self.fits(scope, field, base, part, conditions, names)?;
            offset += self.types.leaf_count(*ty);
        }
        Some(())
    }

    /// The constructor of a type with a name.
    fn constructor_of(&self, ty: Ty, name: &str) -> Option<(u32, u32)> {
        let Shape::Data(data) = *self.types.shape(self.types.base(ty)) else { return None };
        let constructors = &self.types.datas[data as usize].constructors;
        constructors.iter().position(|it| it.0 == name).map(|tag| (data, tag as u32))
    }

    /// Whether each value of these types fits a row of patterns (Maranget, 2007).
    pub(super) fn covers(&self, rows: &[Vec<&Pattern>], types: &[Ty], fuel: &mut u32) -> bool {
        let Some((first, rest)) = types.split_first() else { return !rows.is_empty() };
        if rows.is_empty() || *fuel == 0 {
            return false;
        }
        *fuel -= 1;
        let made = |pattern: &Pattern| match pattern {
            Pattern::Any(_) => None,
            Pattern::Named(name) | Pattern::Made(name, _) => self.constructor_of(*first, &name.text),
        };
        let Shape::Data(data) = *self.types.shape(self.types.base(*first)) else {
            let rows: Vec<Vec<&Pattern>> = rows.iter().map(|row| row[1..].to_vec()).collect();
            return self.covers(&rows, rest, fuel);
        };
        let constructors = &self.types.datas[data as usize].constructors;
        constructors.iter().enumerate().all(|(tag, (_, fields))| {
            let any = Pattern::Any(Span::new(0, 0));
            let matching = rows.iter().filter_map(|row| {
                let parts: Vec<&Pattern> = match (made(row[0]), row[0]) {
                    (None, _) => vec![&any; fields.len()],
                    (Some((_, its)), Pattern::Made(_, parts)) if its as usize == tag => {
                        parts.iter().collect()
                    }
                    (Some((_, its)), _) if its as usize == tag => Vec::new(),
                    (Some(_), _) => return None,
                };
                Some(parts.into_iter().chain(row[1..].iter().copied()).collect())
            });
            let matching: Vec<Vec<&Pattern>> = matching.collect();
            let types: Vec<Ty> = fields.iter().map(|it| it.1).chain(rest.iter().copied()).collect();
            self.covers(&matching, &types, fuel)
        })
    }
}
