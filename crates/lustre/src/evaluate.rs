//! Leaves of expressions as expressions of a system, in an instance and for some values of the indices.
//!
//! The recursion depth is that of the text, which the parser limits; variables, modes and constants are slots.

use crate::hir::{Id, Kind};
use crate::instances::What;
use crate::lower::Lowering;
use crate::memory::{Init, Operand};
use crate::types::{Shape, Ty};
use syntax::lustre::{Binary, Unary};
use system::expr::{Bits, Expr, Node, Pool, Type};

/// The maximum number of visited parts of expressions per system: a limit on time and size.
pub(super) const MAX_WORK: u32 = 1 << 22;

impl Lowering<'_> {
    /// A leaf of an expression. If something it needs is not ready, that is recorded and the result is arbitrary.
    pub(super) fn value(&mut self, instance: u32, bindings: &[u32], id: Id, leaf: u32) -> Expr {
        let program = self.program;
        let expr = program.expr(id);
        self.work = self.work.saturating_add(1);
        if self.work > MAX_WORK {
            return self.any_leaf(id, leaf);
        }
        match &expr.kind {
            Kind::Error => Pool::TRUE,
            Kind::Bool(value) => self.system.pool.bool(*value),
            Kind::Int(value) => self.system.pool.int(value.clone()),
            Kind::Real(value) => self.system.pool.real(value.clone()),
            Kind::Literal(which, place) => {
                let which = self.enums[*which as usize];
                self.system.pool.literal(which, *place)
            }
            Kind::Free(place) => self.free(*place, leaf),
            Kind::Global(place) => {
                let (slot, ty) = (self.global(*place, leaf), self.type_of(id, leaf));
                self.slot(slot, ty)
            }
            Kind::Var(var) => {
                let (slot, ty) = (self.tree.slot(instance, *var, leaf), self.type_of(id, leaf));
                self.slot(slot, ty)
            }
            Kind::Index(place) => {
                let index = bindings.get(*place as usize).copied().unwrap_or(0);
                self.system.pool.int(index)
            }
            Kind::Unary(operator, operand) => {
                let operand = self.value(instance, bindings, *operand, leaf);
                match operator {
                    Unary::Not => self.system.pool.not(operand),
                    Unary::Minus => self.system.pool.neg(operand),
                    Unary::BitNot => self.system.pool.bit_not(operand),
                    Unary::Pre => operand,
                }
            }
            Kind::Pre(operand, guarded) => {
                let init = if *guarded { Init::Guarded } else { Init::Any(id, bindings.to_vec()) };
                self.previous(instance, bindings, *operand, leaf, init)
            }
            Kind::Arrow(a, b) => self.arrow(instance, bindings, *a, *b, leaf),
            Kind::Chain(first, rest) => self.chain(instance, bindings, *first, rest),
            Kind::Implies(a, b) => {
                let (a, b) = (self.value(instance, bindings, *a, 0), self.value(instance, bindings, *b, 0));
                self.system.pool.implies(a, b)
            }
            Kind::If(condition, a, b) => {
                let before = self.missing.len();
                let condition = self.value(instance, bindings, *condition, 0);
                if self.missing.len() > before {
                    // Which branch is needed is not known yet.
                    return self.any_leaf(id, leaf);
                }
                match condition {
                    Pool::TRUE => return self.value(instance, bindings, *a, leaf),
                    Pool::FALSE => return self.value(instance, bindings, *b, leaf),
                    _ => {}
                }
                let (a, b) =
                    (self.value(instance, bindings, *a, leaf), self.value(instance, bindings, *b, leaf));
                self.system.pool.ite(condition, a, b)
            }
            Kind::Cast(scalar, operand) => {
                let operand = self.value(instance, bindings, *operand, 0);
                let ty = scalar.in_system(&self.enums);
                self.system.pool.cast(ty, operand)
            }
            Kind::Parts(parts) => {
                let mut leaf = leaf;
                for part in parts {
                    let count = program.types.leaf_count(program.expr(*part).ty);
                    if leaf < count {
                        return self.value(instance, bindings, *part, leaf);
                    }
                    leaf -= count;
                }
                Pool::TRUE
            }
            Kind::Repeat(part) => {
                let count = program.types.leaf_count(program.expr(*part).ty).max(1);
                self.value(instance, bindings, *part, leaf % count)
            }
            Kind::Update(whole, offset, part) => {
                let count = program.types.leaf_count(program.expr(*part).ty);
                match leaf.checked_sub(*offset).filter(|leaf| *leaf < count) {
                    Some(leaf) => self.value(instance, bindings, *part, leaf),
                    None => self.value(instance, bindings, *whole, leaf),
                }
            }
            Kind::Store(array, index, part) => {
                let count = program.types.leaf_count(program.expr(*part).ty).max(1);
                let index = self.value(instance, bindings, *index, 0);
                let old = self.value(instance, bindings, *array, leaf);
                let new = self.value(instance, bindings, *part, leaf % count);
                if self.is_missing() {
                    return old;
                }
                let at = self.system.pool.int(leaf / count);
                let here = self.system.pool.eq(index, at);
                self.system.pool.ite(here, new, old)
            }
            Kind::Default => self.any_leaf(id, leaf),
            Kind::Unknown(unless) => self.not_watched(instance, bindings, (id, *unless), leaf),
            Kind::Select(whole, offset) => self.value(instance, bindings, *whole, leaf + offset),
            Kind::Element(array, index) => self.element(instance, bindings, (id, *array, *index), leaf),
            Kind::Math(function, arguments) => {
                let arguments: Vec<Expr> =
                    arguments.iter().map(|it| self.value(instance, bindings, *it, 0)).collect();
                self.system.pool.apply(*function, &arguments)
            }
            Kind::Call(site) => self.output(instance, bindings, *site, id, leaf),
            Kind::Merge(clock, branches) => {
                let clock = self.value(instance, bindings, *clock, 0);
                let mut branches = branches.iter().rev();
                let Some((_, last)) = branches.next() else { return Pool::TRUE };
                let mut value = self.value(instance, bindings, *last, leaf);
                for (literal, branch) in branches {
                    let literal = self.value(instance, bindings, *literal, 0);
                    let branch = self.value(instance, bindings, *branch, leaf);
                    let chosen = self.system.pool.eq(clock, literal);
                    value = self.system.pool.ite(chosen, branch, value);
                }
                value
            }
            Kind::Mode(path, mode) => {
                let mut contract = instance;
                for import in path {
                    contract = self.tree.instances[contract as usize].imports + import;
                }
                let slot = self.mode(contract, *mode);
                self.slot(slot, Type::Bool)
            }
        }
    }

    /// The type of a leaf of an expression.
    pub(super) fn type_of(&self, id: Id, leaf: u32) -> Type {
        let types = &self.program.types;
        let mut ty = self.program.expr(id).ty;
        let mut leaf = leaf;
        // Down to the scalar, without a list of all leaves.
        loop {
            if let Shape::Array(part, _) = types.shape(ty) {
                leaf %= types.leaf_count(*part).max(1);
                ty = *part;
                continue;
            }
            if let Shape::Refined(base, _) = types.shape(ty) {
                ty = *base;
                continue;
            }
            if let Shape::Map([_, part], _) = types.shape(ty) {
                leaf %= types.leaf_count(*part) + 1;
                if leaf > 0 {
                    (leaf, ty) = (leaf - 1, *part);
                    continue;
                }
                return Type::Bool;
            }
            let Some(parts) = types.members(ty) else { break };
            let Some(inner) = parts.into_iter().find(|part| {
                let count = types.leaf_count(*part);
                let inside = leaf < count;
                if !inside {
                    leaf -= count;
                }
                inside
            }) else {
                break;
            };
            ty = inner;
        }
        ty.scalar(types).map_or(Type::Bool, |scalar| scalar.in_system(&self.enums))
    }

    pub(super) fn any_leaf(&mut self, id: Id, leaf: u32) -> Expr {
        let ty = self.type_of(id, leaf);
        self.system.pool.some_constant(ty)
    }

    fn chain(&mut self, instance: u32, bindings: &[u32], first: Id, rest: &[(Binary, Id)]) -> Expr {
        let program = self.program;
        let count = program.types.leaf_count(program.expr(first).ty);
        if count != 1 || matches!(program.types.shape(program.expr(first).ty), Shape::Set(..)) {
            // Only equality compares values with several leaves.
            let Some((operator, second)) = rest.first() else { return Pool::TRUE };
            let same = self.same(instance, bindings, [first, *second], program.expr(first).ty, 0);
            let value = if *operator == Binary::NotEqual { self.system.pool.not(same) } else { same };
            return self.rest(instance, bindings, value, &rest[1..]);
        }
        let value = self.value(instance, bindings, first, 0);
        self.rest(instance, bindings, value, rest)
    }

    /// Whether two values agree in a part of this type that begins at a leaf. Fields of a `datatype` count only for their constructor.
    pub(super) fn same(
        &mut self,
        instance: u32,
        bindings: &[u32],
        [a, b]: [Id; 2],
        ty: Ty,
        leaf: u32,
    ) -> Expr {
        let program = self.program;
        let types = &program.types;
        let ty = types.base(ty);
        if let Shape::Array(part, size) = *types.shape(ty) {
            let count = types.leaf_count(part);
            let all: Vec<Expr> =
                (0..size).map(|at| self.same(instance, bindings, [a, b], part, leaf + at * count)).collect();
            return self.system.pool.and(all);
        }
        if let Shape::Set(..) | Shape::Map(..) = types.shape(ty) {
            return self.same_entries(instance, bindings, [a, b], ty, leaf);
        }
        let Some(parts) = types.members(ty) else {
            let (a, b) = (self.value(instance, bindings, a, leaf), self.value(instance, bindings, b, leaf));
            return self.system.pool.eq(a, b);
        };
        let mut tags: Vec<Option<u32>> = vec![None];
        if let Shape::Data(place) = types.shape(ty) {
            for (tag, (_, fields)) in types.datas[*place as usize].constructors.iter().enumerate() {
                tags.extend(fields.iter().map(|_| Some(tag as u32)));
            }
        }
        let mut all = Vec::new();
        let mut at = leaf;
        for (place, part) in parts.into_iter().enumerate() {
            let mut equal = self.same(instance, bindings, [a, b], part, at);
            if let (Some(Some(tag)), Shape::Data(data)) = (tags.get(place), types.shape(ty)) {
                let made = self.value(instance, bindings, a, leaf);
                let which = self.enums[types.datas[*data as usize].tag as usize];
                let literal = self.system.pool.literal(which, *tag);
                let made = self.system.pool.eq(made, literal);
                equal = self.system.pool.implies(made, equal);
            }
            all.push(equal);
            at += types.leaf_count(part);
        }
        self.system.pool.and(all)
    }

    fn rest(&mut self, instance: u32, bindings: &[u32], first: Expr, rest: &[(Binary, Id)]) -> Expr {
        let mut rest = rest;
        let mut a = first;
        while let Some((operator, operand)) = rest.first() {
            // `and` and `or` take all their operands at once.
            let alike = matches!(operator, Binary::And | Binary::Or);
            let more = rest[1..].iter().take_while(|it| alike && it.0 == *operator).count();
            let b = self.value(instance, bindings, *operand, 0);
            let mut all = vec![a, b];
            all.extend(rest[1..=more].iter().map(|it| self.value(instance, bindings, it.1, 0)));
            let pool = &mut self.system.pool;
            a = match operator {
                Binary::Or | Binary::OrElse => pool.or(all),
                Binary::And | Binary::AndThen => pool.and(all),
                Binary::Xor => pool.xor(a, b),
                Binary::Less => pool.lt(a, b),
                Binary::LessEqual => pool.le(a, b),
                Binary::Equal => pool.eq(a, b),
                Binary::NotEqual => pool.ne(a, b),
                Binary::GreaterEqual => pool.ge(a, b),
                Binary::Greater => pool.gt(a, b),
                Binary::Plus => pool.add(a, b),
                Binary::Minus => pool.sub(a, b),
                Binary::Times => pool.mul(a, b),
                Binary::Divide => pool.div(a, b),
                Binary::IntDivide => pool.int_div(a, b),
                Binary::Modulo => pool.modulo(a, b),
                Binary::BitOr => pool.bits(Bits::Or, a, b),
                Binary::BitAnd => pool.bits(Bits::And, a, b),
                Binary::ShiftLeft => pool.bits(Bits::ShiftLeft, a, b),
                Binary::ShiftRight => pool.bits(Bits::ShiftRight, a, b),
                // Sets and maps have their own expressions.
                Binary::In => Pool::TRUE,
            };
            rest = &rest[1 + more..];
        }
        a
    }

    /// `a -> b`. If `a` is a constant and `b` is `pre c`, the constant is the first value of a state.
    fn arrow(&mut self, instance: u32, bindings: &[u32], a: Id, b: Id, leaf: u32) -> Expr {
        let start = self.value(instance, bindings, a, leaf);
        if let Kind::Pre(operand, _) = self.program.expr(b).kind {
            if self.is_missing() {
                return start;
            }
            if self.system.pool.node(start).is_constant() {
                return self.previous(instance, bindings, operand, leaf, Init::Value(start));
            }
        }
        let then = self.value(instance, bindings, b, leaf);
        let first = self.first(instance);
        self.system.pool.ite(first, start, then)
    }

    /// The previous value of an expression.
    fn previous(&mut self, instance: u32, bindings: &[u32], operand: Id, leaf: u32, init: Init) -> Expr {
        let expr = self.program.expr(operand);
        let path = &self.tree.instances[instance as usize].path;
        let (key, name) = match expr.kind {
            Kind::Var(var) => {
                let unit = self.tree.instances[instance as usize].unit;
                let at = self.tree.layouts[unit.0 as usize].offsets[var as usize] + leaf;
                let name = self.leaf_name(instance, at);
                let inner = name.strip_prefix(path.as_str()).unwrap_or(&name);
                (Operand::Slot(instance, self.tree.slot(instance, var, leaf)), format!("{path}pre({inner})"))
            }
            _ => {
                let name = format!("{path}pre({})", self.place(instance, operand));
                (Operand::Leaf(instance, operand, bindings.to_vec(), leaf), name)
            }
        };
        let ty = self.type_of(operand, leaf);
        self.state(instance, key, ty, init, &name)
    }

    fn element(
        &mut self,
        instance: u32,
        bindings: &[u32],
        (id, array, index): (Id, Id, Id),
        leaf: u32,
    ) -> Expr {
        let ty = self.program.expr(array).ty;
        let Shape::Array(part, size) = *self.program.types.shape(ty) else { return Pool::TRUE };
        let count = self.program.types.leaf_count(part);
        let before = self.missing.len();
        let place = self.value(instance, bindings, index, 0);
        if self.missing.len() > before {
            // Which element is needed is not known yet.
            return self.any_leaf(id, leaf);
        }
        let outside = |this: &mut Self| {
            let ty = this.type_of(id, leaf);
            this.anything(instance, id, bindings, leaf, ty)
        };
        if let Node::Int(place) = self.system.pool.node(place) {
            return match u32::try_from(place).ok().filter(|place| *place < size) {
                Some(place) => self.value(instance, bindings, array, place * count + leaf),
                None => outside(self),
            };
        }
        // Each element costs a comparison and a choice, which is more than a visit.
        self.work = self.work.saturating_add(size.saturating_mul(8));
        let elements: Vec<Expr> =
            (0..size).map(|at| self.value(instance, bindings, array, at * count + leaf)).collect();
        if self.is_missing() || self.work > MAX_WORK {
            return elements[0];
        }
        let mut value = outside(self);
        for (at, element) in elements.into_iter().enumerate().rev() {
            let at = self.system.pool.int(at);
            let here = self.system.pool.eq(place, at);
            value = self.system.pool.ite(here, element, value);
        }
        value
    }

    /// An output of a call.
    fn output(&mut self, instance: u32, bindings: &[u32], site: u32, id: Id, leaf: u32) -> Expr {
        let program = self.program;
        let call = &program.unit(self.tree.instances[instance as usize].unit).sites[site as usize];
        let child = self.tree.child(instance, site, &call.sizes, bindings);
        let ty = self.type_of(id, leaf);
        let slot = if call.defaults.is_some() {
            match self.held_slots.get(&(child, leaf)) {
                Some(slot) => *slot,
                None => {
                    let slot = self.add_slot(What::Held(child, leaf));
                    self.held_slots.insert((child, leaf), slot);
                    slot
                }
            }
        } else {
            let inputs = program.unit(call.unit).inputs;
            let layout = &self.tree.layouts[call.unit.0 as usize];
            self.tree.instances[child as usize].base + layout.offsets[inputs] + leaf
        };
        self.slot(slot, ty)
    }
}
