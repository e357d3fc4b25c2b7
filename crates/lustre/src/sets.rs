//! Sets and maps: `set<t>`, `map<t, u>`.
//!
//! A set is a sequence of Booleans: for each of some elements, whether it is in the set. A map has for each of some keys whether it has
//! a value, and which. If the type has few values, these are all of them. Otherwise they are watched: constants, different from each
//! other, that may be anything. What is looked up for another element is not known, so that each run of the program is a run of the
//! system, whatever is watched; a property need only hold where everything it looks up is watched (`watched`).

use crate::codes;
use crate::hir::{Id, Kind, Restriction};
use crate::resolve::{File, Resolver};
use crate::small;
use crate::types::{BOOL, ERROR, INT, Scalar, Shape, Ty};
use crate::typing::Scope;
use dashu_int::IBig;
use syntax::Span;
use syntax::lustre::{Binary, ExprKind, TypeId, TypeKind};

/// The maximum number of values of a type that are all listed.
const FEW: usize = 64;

/// Whether a program has sets or maps. If not, `{a, b}` is a tuple.
pub(super) fn occur(files: &[File]) -> bool {
    files.iter().any(|file| {
        let in_type = |it: &TypeKind| matches!(it, TypeKind::Set(_) | TypeKind::Map(..));
        let in_expr = |it: &ExprKind| match it {
            ExprKind::Braces(parts, types) => parts.is_empty() || !types.is_empty(),
            ExprKind::Map(..) => true,
            ExprKind::Chain(_, rest) => rest.iter().any(|it| it.0 == Binary::In),
            _ => false,
        };
        file.ast.types.iter().any(|it| in_type(&it.kind)) || file.ast.exprs.iter().any(|it| in_expr(&it.kind))
    })
}

/// The number of elements to watch: one for each place that may look one up, within limits, and one in which two sets differ.
pub(super) fn watched(files: &[File]) -> u32 {
    let lookups = files.iter().flat_map(|file| &file.ast.exprs).map(|it| match &it.kind {
        ExprKind::Chain(_, rest) => rest.iter().filter(|it| it.0 == Binary::In).count(),
        ExprKind::Index(..) => 1,
        _ => 0,
    });
    small(lookups.sum::<usize>().clamp(1, 5) + 1)
}

impl Resolver<'_> {
    /// The type of sets of these elements.
    pub(super) fn set_type(&mut self, file: usize, part: Ty, span: Span) -> Ty {
        let part = self.types.base(part);
        match self.keys(file, part, span) {
            Some(keys) => self.shaped(file, span, Shape::Set(part, small(keys.len()))),
            None => ERROR,
        }
    }

    /// The type of maps between these types.
    pub(super) fn map_type(&mut self, file: usize, key: Ty, value: Ty, span: Span) -> Ty {
        let key = self.types.base(key);
        match self.keys(file, key, span) {
            Some(keys) if value != ERROR => {
                self.shaped(file, span, Shape::Map([key, value], small(keys.len())))
            }
            _ => ERROR,
        }
    }

    /// The elements or keys of a type that sets and maps tell of; `None` after a report.
    fn keys(&mut self, file: usize, ty: Ty, span: Span) -> Option<Vec<Id>> {
        if ty == ERROR {
            return None;
        }
        if let Some(keys) = self.keys.get(&ty) {
            return Some(keys.clone());
        }
        let keys = match self.values(ty, span) {
            Some(values) => values,
            None if self.is_plain(ty) && self.is_large(ty) => self.watched_keys(file, ty, span),
            None => {
                let message = format!("a set or map over {} is not supported", self.types.show(ty));
                let hint = "use Booleans, an enumeration, numbers, or tuples and records of these";
                self.report(file, span, syntax::codes::NOT_SUPPORTED, message, hint);
                return None;
            }
        };
        self.keys.insert(ty, keys.clone());
        Some(keys)
    }

    /// Constants of a type, different from each other, that may be anything.
    fn watched_keys(&mut self, file: usize, ty: Ty, span: Span) -> Vec<Id> {
        let mut keys = Vec::new();
        for place in 1..=self.watched {
            self.free.push((format!("{}#{place}", self.types.show(ty)), ty));
            keys.push(self.add(Kind::Free(small(self.free.len() - 1)), ty, span));
        }
        for (place, key) in keys.iter().enumerate() {
            for other in &keys[..place] {
                let value = self.add(Kind::Chain(*other, vec![(Binary::NotEqual, *key)]), BOOL, span);
                let name = self.types.show(ty);
                self.restrictions.push(Restriction { value, name, free: true, file, span });
            }
        }
        keys
    }

    /// All values of a type, if they are few.
    fn values(&mut self, ty: Ty, span: Span) -> Option<Vec<Id>> {
        match self.types.shape(ty).clone() {
            Shape::Bool => Some([false, true].map(|it| self.add(Kind::Bool(it), BOOL, span)).to_vec()),
            Shape::Enum(which) => {
                let count = small(self.types.enums[which as usize].1.len());
                Some((0..count).map(|it| self.add(Kind::Literal(which, it), ty, span)).collect())
            }
            Shape::Machine(width) if width.bits <= 6 => {
                let first = if width.signed { -(1 << (width.bits - 1)) } else { 0 };
                let numbers = (0..1 << width.bits).map(|it: i32| {
                    let number = self.add(Kind::Int(IBig::from(first + it)), INT, span);
                    self.add(Kind::Cast(Scalar::Machine(width), number), ty, span)
                });
                Some(numbers.collect())
            }
            Shape::Tuple(_) | Shape::Record(_) => {
                let mut all: Vec<Vec<Id>> = vec![Vec::new()];
                for part in self.types.members(ty)? {
                    let values = self.values(self.types.base(part), span)?;
                    let with = |it: Vec<Id>| values.iter().map(move |value| [&it[..], &[*value]].concat());
                    all = all.into_iter().flat_map(with).collect();
                    if all.len() > FEW {
                        return None;
                    }
                }
                Some(all.into_iter().map(|parts| self.add(Kind::Parts(parts), ty, span)).collect())
            }
            _ => None,
        }
    }

    /// Whether a type has no arrays, sets or maps in it.
    fn is_plain(&self, ty: Ty) -> bool {
        match self.types.shape(ty) {
            Shape::Array(..) | Shape::Set(..) | Shape::Map(..) => false,
            Shape::Refined(base, _) => self.is_plain(*base),
            _ => self.types.members(ty).is_none_or(|all| all.into_iter().all(|it| self.is_plain(it))),
        }
    }

    /// Whether a type has more values than are ever watched.
    fn is_large(&self, ty: Ty) -> bool {
        let ty = self.types.base(ty);
        match self.types.shape(ty) {
            Shape::Int | Shape::Real | Shape::Abstract(_) => true,
            Shape::Machine(width) => width.bits > 6,
            _ => self.types.members(ty).is_some_and(|all| all.into_iter().any(|it| self.is_large(it))),
        }
    }

    /// `{a, b}`, `{}@<t>`.
    pub(super) fn set_of(&mut self, scope: &Scope, parts: &[Id], types: &[TypeId], span: Span) -> Id {
        let part = match (parts, types) {
            (_, [ty]) => {
                let ty = self.ty(scope.file, *ty);
                for part in parts {
                    self.expect_type(scope.file, *part, ty, "the set");
                }
                ty
            }
            ([_, ..], _) => self.alike(scope.file, parts, span, "the elements of a set"),
            ([], _) => return self.without_type(scope, span, "an empty set", "write `{}@<t>`"),
        };
        let ty = self.set_type(scope.file, part, span);
        if ty == ERROR {
            return self.error(span);
        }
        let keys = self.keys(scope.file, self.types.base(part), span).unwrap_or_default();
        let entries = keys.iter().map(|key| {
            let equal: Vec<(Binary, Id)> =
                parts.iter().map(|part| (Binary::Or, self.equal(*part, *key, span))).collect();
            let none = self.add(Kind::Bool(false), BOOL, span);
            self.add(Kind::Chain(none, equal), BOOL, span)
        });
        let entries = entries.collect();
        self.add(Kind::Parts(entries), ty, span)
    }

    /// `map[a := b]`, `map[]@<t, u>`.
    pub(super) fn map_of(&mut self, scope: &Scope, pairs: &[[Id; 2]], types: &[TypeId], span: Span) -> Id {
        let [key, value] = match (pairs, types) {
            (_, [key, value]) => [self.ty(scope.file, *key), self.ty(scope.file, *value)],
            ([[key, value], ..], _) => [self.ty_of(*key), self.ty_of(*value)].map(|it| self.types.base(it)),
            ([], _) => return self.without_type(scope, span, "an empty map", "write `map[]@<t, u>`"),
        };
        let ty = self.map_type(scope.file, key, value, span);
        let Shape::Map([key, value], _) = *self.types.shape(ty) else { return self.error(span) };
        let mut entries = Vec::new();
        for _ in self.keys(scope.file, key, span).unwrap_or_default() {
            entries.push(self.add(Kind::Bool(false), BOOL, span));
            entries.push(self.add(Kind::Unknown(None), value, span));
        }
        let empty = self.add(Kind::Parts(entries), ty, span);
        pairs.iter().fold(empty, |map, pair| self.with_entry(scope, map, *pair, span))
    }

    fn without_type(&mut self, scope: &Scope, span: Span, what: &str, hint: &'static str) -> Id {
        let message = format!("the type of {what} is not known here");
        self.report(scope.file, span, codes::WRONG_TYPE, message, hint);
        self.error(span)
    }

    /// A map with one more value.
    pub(super) fn with_entry(&mut self, scope: &Scope, map: Id, [key, new]: [Id; 2], span: Span) -> Id {
        let ty = self.ty_of(map);
        let Shape::Map([key_type, value], _) = *self.types.shape(ty) else { return self.error(span) };
        self.expect_type(scope.file, key, key_type, "the key");
        self.expect_type(scope.file, new, value, "the value");
        let mut entries = Vec::new();
        for (place, watched) in self.keys(scope.file, key_type, span).unwrap_or_default().iter().enumerate() {
            let here = self.equal(key, *watched, span);
            let [has, old] = self.entry(map, place, span);
            entries.push(self.add(Kind::Chain(here, vec![(Binary::Or, has)]), BOOL, span));
            entries.push(self.add(Kind::If(here, new, old), value, span));
        }
        self.add(Kind::Parts(entries), ty, span)
    }

    /// `m[k]`.
    pub(super) fn looked_up(&mut self, scope: &Scope, map: Id, key: Id, span: Span) -> Id {
        let Shape::Map([key_type, value], _) = *self.types.shape(self.ty_of(map)) else {
            return self.error(span);
        };
        self.expect_type(scope.file, key, key_type, "the key");
        self.chosen(scope, key, self.types.base(value), span, |this, place| this.entry(map, place, span)[1])
    }

    /// Whether an operator means something else for sets and maps.
    pub(super) fn is_for_sets(&self, operator: Binary, left: Ty) -> bool {
        let on_sets = matches!(self.types.shape(left), Shape::Set(..) | Shape::Map(..));
        operator == Binary::In
            || (on_sets && matches!(operator, Binary::Plus | Binary::Minus | Binary::Times))
    }

    /// `s + t`, `s * t`, `s - t`, `m - s`, `a in s`, `a in m`.
    pub(super) fn set_operation(
        &mut self,
        scope: &Scope,
        operator: Binary,
        [a, b]: [Id; 2],
        span: Span,
    ) -> Id {
        let [left, right] = [a, b].map(|it| self.types.base(self.ty_of(it)));
        if left == ERROR || right == ERROR {
            return self.error(span);
        }
        match (operator, self.types.shape(left).clone(), self.types.shape(right).clone()) {
            (Binary::In, _, Shape::Set(part, _)) if self.types.same(left, part) => {
                self.chosen(scope, a, BOOL, span, |this, place| this.entry(b, place, span)[0])
            }
            (Binary::In, _, Shape::Map([key, _], _)) if self.types.same(left, key) => {
                self.chosen(scope, a, BOOL, span, |this, place| this.entry(b, place, span)[0])
            }
            (Binary::Plus | Binary::Minus | Binary::Times, Shape::Set(_, size), _) if left == right => {
                let entries = (0..size as usize).map(|place| {
                    let [x, y] = [a, b].map(|it| self.entry(it, place, span)[0]);
                    let with = match operator {
                        Binary::Plus => (Binary::Or, y),
                        Binary::Times => (Binary::And, y),
                        _ => (Binary::And, self.negated(y)),
                    };
                    self.add(Kind::Chain(x, vec![with]), BOOL, span)
                });
                let entries = entries.collect();
                self.add(Kind::Parts(entries), left, span)
            }
            (Binary::Minus, Shape::Map([key, _], size), Shape::Set(part, _)) if key == part => {
                let mut entries = Vec::new();
                for place in 0..size as usize {
                    let removed = self.entry(b, place, span)[0];
                    let kept = self.negated(removed);
                    let [has, value] = self.entry(a, place, span);
                    entries.push(self.add(Kind::Chain(has, vec![(Binary::And, kept)]), BOOL, span));
                    entries.push(value);
                }
                self.add(Kind::Parts(entries), left, span)
            }
            _ => {
                let what = match operator {
                    Binary::In => "`in` needs an element and a set, or a key and a map, not",
                    _ => {
                        "`+`, `-` and `*` need two sets of one type, or `-` a map and a set of its keys, not"
                    }
                };
                let message = format!("{what} {} and {}", self.types.show(left), self.types.show(right));
                let hint = "change the operands or the operator";
                self.report(scope.file, span, codes::WRONG_TYPE, message, hint);
                self.error(span)
            }
        }
    }

    /// The entry for a key: of all values of its type, or of those that are watched, or what is not known.
    fn chosen(
        &mut self,
        scope: &Scope,
        key: Id,
        ty: Ty,
        span: Span,
        entry: impl Fn(&mut Self, usize) -> Id,
    ) -> Id {
        let key_type = self.types.base(self.ty_of(key));
        let keys = self.keys(scope.file, key_type, span).unwrap_or_default();
        let conditions: Vec<Id> = keys.iter().map(|it| self.equal(key, *it, span)).collect();
        let Some((first, rest)) = conditions.split_first() else { return self.error(span) };
        let mut found = if matches!(self.kind(keys[0]), Kind::Free(_)) {
            let rest = rest.iter().map(|it| (Binary::Or, *it)).collect();
            let watched = self.add(Kind::Chain(*first, rest), BOOL, span);
            self.add(Kind::Unknown(Some(watched)), ty, span)
        } else {
            entry(self, keys.len() - 1)
        };
        for (place, condition) in conditions.iter().enumerate().rev() {
            let this = entry(self, place);
            found = self.add(Kind::If(*condition, this, found), ty, span);
        }
        found
    }

    /// Whether a set or map has an entry, and its value in a map.
    fn entry(&mut self, whole: Id, place: usize, span: Span) -> [Id; 2] {
        let place = small(place);
        match *self.types.shape(self.types.base(self.ty_of(whole))) {
            Shape::Map([_, value], _) => {
                let offset = place * (self.types.leaf_count(value) + 1);
                let has = self.add(Kind::Select(whole, offset), BOOL, span);
                [has, self.add(Kind::Select(whole, offset + 1), self.types.base(value), span)]
            }
            _ => [self.add(Kind::Select(whole, place), BOOL, span); 2],
        }
    }

    fn equal(&mut self, a: Id, b: Id, span: Span) -> Id {
        self.add(Kind::Chain(a, vec![(Binary::Equal, b)]), BOOL, span)
    }
}
