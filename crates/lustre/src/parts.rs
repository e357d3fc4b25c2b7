//! Values with parts: elements of arrays, fields of records, parts of tuples, and lists of values.

use crate::codes;
use crate::hir::Id;
use crate::hir::Kind;
use crate::resolve::Resolver;
use crate::small;
use crate::types::ERROR;
use crate::types::INT;
use crate::types::Shape;
use crate::types::Ty;
use crate::typing::Scope;
use syntax::Span;
use syntax::lustre::{ExprId, ExprKind, Name, Step};

impl Resolver<'_> {
    pub(super) fn element(
        &mut self,
        scope: &mut Scope,
        array: ExprId,
        index: ExprId,
        span: Span,
        guarded: bool,
    ) -> Id {
        let array = self.expr(scope, array, guarded);
        self.element_of(scope, array, index, span, guarded)
    }

    fn element_of(&mut self, scope: &mut Scope, array: Id, index: ExprId, span: Span, guarded: bool) -> Id {
        let index = self.expr(scope, index, guarded);
        if let Shape::Map(..) = self.types.shape(self.ty_of(array)) {
            return self.looked_up(scope, array, index, span);
        }
        if let (Shape::Tuple(_), Some(place)) =
            (self.types.shape(self.ty_of(array)), self.int_value(index).and_then(|it| u32::try_from(it).ok()))
        {
            return self.project(scope, array, place, span, span);
        }
        self.expect_type(scope.file, index, INT, "an index");
        let (part, size) = match *self.types.shape(self.ty_of(array)) {
            Shape::Array(part, size) => (part, size),
            Shape::Error => return self.error(span),
            _ => {
                let message =
                    format!("a value of type {} has no elements", self.types.show(self.ty_of(array)));
                self.report(scope.file, span, codes::WRONG_TYPE, message, "only arrays have elements");
                return self.error(span);
            }
        };
        let Some(place) = self.int_value(index) else {
            return self.add(Kind::Element(array, index), part, span);
        };
        match u32::try_from(&place).ok().filter(|place| *place < size) {
            Some(place) => {
                let offset = self.types.leaf_count(part) * place;
                self.add(Kind::Select(array, offset), part, span)
            }
            None => {
                let message = format!("there is no element {place}: the last one is {}", size - 1);
                self.report(scope.file, span, codes::BAD_ELEMENT, message, "elements are counted from 0");
                self.error(span)
            }
        }
    }

    pub(super) fn field(&mut self, scope: &Scope, record: Id, field: &Name, span: Span) -> Id {
        if let Shape::Data(data) = *self.types.shape(self.ty_of(record))
            && let Some(found) = self.data_field(scope, record, data, &field.text, span)
        {
            return found;
        }
        let fields = match *self.types.shape(self.ty_of(record)) {
            Shape::Record(place) => self.types.records[place as usize].1.clone(),
            Shape::Error => return self.error(span),
            _ => Vec::new(),
        };
        let mut offset = 0;
        for (name, part) in &fields {
            if *name == field.text {
                return self.add(Kind::Select(record, offset), *part, span);
            }
            offset += self.types.leaf_count(*part);
        }
        let shown = self.types.show(self.ty_of(record));
        let message = format!("a value of type {shown} has no field `{}`", field.text);
        let hint = self.hint(&field.text, fields.iter().map(|it| &it.0), "use a field of its type");
        self.report(scope.file, field.span, codes::BAD_ELEMENT, message, hint);
        self.error(span)
    }

    /// A value with the part at the end of a path replaced.
    pub(super) fn updated(
        &mut self,
        scope: &mut Scope,
        whole: Id,
        path: &[Step],
        value: Id,
        span: Span,
    ) -> Id {
        let Some((first, rest)) = path.split_first() else {
            let ty = self.ty_of(whole);
            self.expect_type(scope.file, value, ty, "the updated part");
            return value;
        };
        if self.ty_of(whole) == ERROR {
            return self.error(span);
        }
        let files = self.files;
        if let (Shape::Map(..), Step::Index(key), []) = (self.types.shape(self.ty_of(whole)), first, rest) {
            let key = self.expr(scope, *key, false);
            return self.with_entry(scope, whole, [key, value], span);
        }
        let old = match first {
            Step::Field(name) => self.field(scope, whole, name, span),
            Step::Part(place, at) => self.project(scope, whole, *place, *at, span),
            Step::Index(index) => {
                match (self.types.shape(self.ty_of(whole)), &files[scope.file].ast.expr(*index).kind) {
                    // The index of a record is the name of a field.
                    (Shape::Record(_), ExprKind::Name(name)) => {
                        let name = Name { text: name.clone(), span: files[scope.file].ast.expr(*index).span };
                        self.field(scope, whole, &name, span)
                    }
                    _ => self.element_of(scope, whole, *index, span, false),
                }
            }
        };
        let new = self.updated(scope, old, rest, value, span);
        let ty = self.ty_of(whole);
        match *self.kind(old) {
            Kind::Select(_, offset) => self.add(Kind::Update(whole, offset, new), ty, span),
            Kind::Element(_, index) => self.add(Kind::Store(whole, index, new), ty, span),
            _ => self.error(span),
        }
    }

    pub(super) fn project(&mut self, scope: &Scope, tuple: Id, place: u32, at: Span, span: Span) -> Id {
        let parts = match self.types.shape(self.ty_of(tuple)) {
            Shape::Tuple(parts) => parts.clone(),
            Shape::Error => return self.error(span),
            _ => Vec::new(),
        };
        if let Some(part) = parts.get(place as usize) {
            let offset = parts[..place as usize].iter().map(|it| self.types.leaf_count(*it)).sum();
            return self.add(Kind::Select(tuple, offset), *part, span);
        }
        let message = format!("a value of type {} has no part {place}", self.types.show(self.ty_of(tuple)));
        self.report(scope.file, at, codes::BAD_ELEMENT, message, "parts of a tuple are counted from 0");
        self.error(span)
    }

    pub(super) fn record(
        &mut self,
        scope: &mut Scope,
        name: &Name,
        fields: &[(Name, ExprId)],
        span: Span,
        guarded: bool,
    ) -> Id {
        let place = self.types.records.iter().position(|it| it.0 == name.text);
        let Some(place) = place else {
            let hint =
                self.hint(&name.text, self.types.records.iter().map(|it| &it.0), "declare it with `type`");
            let message = format!("there is no record type `{}`", name.text);
            self.report(scope.file, name.span, codes::UNKNOWN_TYPE, message, hint);
            return self.error(span);
        };
        let declared = self.types.records[place].1.clone();
        let mut parts: Vec<Option<Id>> = vec![None; declared.len()];
        for (field, value) in fields {
            let value = self.expr(scope, *value, guarded);
            match declared.iter().position(|it| it.0 == field.text) {
                Some(at) if parts[at].is_none() => {
                    self.expect_type(
                        scope.file,
                        value,
                        declared[at].1,
                        &format!("the field `{}`", field.text),
                    );
                    parts[at] = Some(value);
                }
                found => {
                    let why = if found.is_some() { "is given twice" } else { "does not exist" };
                    let message = format!("the field `{}` of `{}` {why}", field.text, name.text);
                    self.report(scope.file, field.span, codes::BAD_ELEMENT, message, "give each field once");
                }
            }
        }
        if let Some(missing) = parts.iter().position(Option::is_none) {
            let message = format!("the field `{}` of `{}` is missing", declared[missing].0, name.text);
            self.report(scope.file, span, codes::BAD_ELEMENT, message, "give each field once");
            return self.error(span);
        }
        let ty = self.types.get(Shape::Record(small(place))).unwrap_or(ERROR);
        self.add(Kind::Parts(parts.into_iter().flatten().collect()), ty, span)
    }

    /// Several values as one.
    pub(super) fn list(&mut self, parts: Vec<Id>, span: Span) -> Id {
        let types: Vec<Ty> = parts.iter().flat_map(|it| self.types.parts(self.ty_of(*it))).collect();
        let ty = self.types.list(types);
        self.add(Kind::Parts(parts), ty, span)
    }
}
