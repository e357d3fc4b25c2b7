//! Algebraic loops: values that need each other in the same step.
//!
//! Some blocks of a loop are cut: their outputs are unknowns, and the rest of the loop is computed from these. If what the cut blocks then
//! compute is linear in the unknowns, and there is one solution whatever the values of other signals are, elimination finds it, and it
//! replaces the unknowns. (Simulink iterates to the same solution.) Other loops are refused.

use super::{Pass, Place, Problem, Role, Shape, Task, classes, order};
use crate::plan::UnitId;
use crate::value::Class;
use dashu_ratio::RBig;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use system::{Expr, Node, Pool};

/// The maximum number of unknowns.
const MAX_UNKNOWNS: usize = 40;

/// Why a loop has no values: one of its blocks fails, or it is not linear.
pub(super) enum Unsolved {
    Block(Option<Problem>),
    Loop,
}

impl Pass<'_> {
    /// Computes tasks that need each other.
    pub(super) fn solve(&mut self, tasks: &[Task]) -> Result<(), Unsolved> {
        let units = self.members(tasks).ok_or(Unsolved::Loop)?;
        let is_tainted =
            |it: &Task| self.failed.contains_key(it) && !matches!(it, Task::Unit(id) if units.contains(id));
        if tasks.iter().any(|it| self.needs(*it, false).iter().any(is_tainted)) {
            return Err(Unsolved::Block(None));
        }
        for &id in &units {
            self.layout.sound(id).map_err(|fault| Unsolved::Block(Some(self.problem(id, fault))))?;
        }
        let (cuts, rest) = self.cut(&units).ok_or(Unsolved::Loop)?;
        let count = cuts.iter().map(|it| self.outputs_of(*it)).sum();
        let mark = self.work.mark();
        let unknowns = self.work.unknowns(count);
        let mut open = &unknowns[..];
        let mut places = Vec::new();
        for &id in &cuts {
            for (output, shape) in self.layout.unit(id).outputs.iter().enumerate() {
                if classes(shape).iter().any(|it| *it != Class::Double) {
                    return Err(Unsolved::Loop);
                }
                let own;
                (own, open) = open.split_at(shape.width());
                self.work.values.insert((id, output), own.to_vec());
                places.push(((id, output), own));
            }
        }
        for id in rest {
            self.unit(id).map_err(|fault| Unsolved::Block(Some(self.problem(id, fault))))?;
        }
        let mut computed = Vec::new();
        for &id in &cuts {
            self.unit(id).map_err(|fault| Unsolved::Block(Some(self.problem(id, fault))))?;
            for (place, own) in places.iter().filter(|it| it.0.0 == id) {
                computed.extend(self.work.values.insert(*place, own.to_vec()).unwrap_or_default());
            }
        }
        let pool = self.work.pool();
        let forms = forms(pool, &unknowns, &computed).ok_or(Unsolved::Loop)?;
        let solution = eliminate(pool, forms).ok_or(Unsolved::Loop)?;
        let known: FxHashMap<Expr, Expr> = unknowns.iter().copied().zip(solution).collect();
        self.work.replace(mark, &units, &known);
        Ok(())
    }

    /// The blocks of a loop; none if it goes through something else, or through blocks of both continuous and discrete time.
    fn members(&self, tasks: &[Task]) -> Option<BTreeSet<UnitId>> {
        let unit = |task: &Task| match task {
            Task::Unit(id) if self.layout.role(*id) == Role::Compute => Some(*id),
            Task::Unit(_) | Task::Port(..) | Task::State(_) | Task::Sheet(_) | Task::Loop(_) => None,
        };
        let units: BTreeSet<UnitId> = tasks.iter().map(unit).collect::<Option<_>>()?;
        let kinds: BTreeSet<bool> = units.iter().map(|it| self.layout.unit(*it).continuous).collect();
        (kinds.len() == 1).then_some(units)
    }

    /// Blocks without which no loop is left, and the others in order; none if there are too many unknowns.
    fn cut(&self, units: &BTreeSet<UnitId>) -> Option<(Vec<UnitId>, Vec<UnitId>)> {
        let mut cuts: Vec<UnitId> = Vec::new();
        loop {
            let is_open =
                |task: &Task| matches!(task, Task::Unit(id) if units.contains(id) && !cuts.contains(id));
            let needs =
                |task: Task| -> Vec<Task> { self.needs(task, false).into_iter().filter(is_open).collect() };
            let (mut rest, mut more) = (Vec::new(), Vec::new());
            for place in order(units.iter().map(|it| Task::Unit(*it)).filter(is_open), needs) {
                match place {
                    Place::Task(task) => rest.extend(self.block(task)),
                    Place::Loop(tasks) => {
                        let ids = tasks.iter().filter_map(|it| self.block(*it));
                        more.extend(ids.min_by_key(|it| (self.outputs_of(*it), *it)));
                    }
                }
            }
            if more.is_empty() {
                return Some((cuts, rest));
            }
            cuts.extend(more);
            if cuts.iter().map(|it| self.outputs_of(*it)).sum::<usize>() > MAX_UNKNOWNS {
                return None;
            }
        }
    }

    /// The number of scalars that a block computes.
    fn outputs_of(&self, id: UnitId) -> usize {
        self.layout.unit(id).outputs.iter().map(Shape::width).sum()
    }
}

/// For each expression the coefficients of the unknowns and then the rest, both without unknowns; none if one is not linear.
fn forms(pool: &mut Pool, unknowns: &[Expr], roots: &[Expr]) -> Option<Vec<Vec<Expr>>> {
    let (zero, one) = (pool.real(RBig::ZERO), pool.real(RBig::ONE));
    let constant = |expr: Expr| {
        let mut form = vec![zero; unknowns.len()];
        form.push(expr);
        form
    };
    let mut known: FxHashMap<Expr, Vec<Expr>> = FxHashMap::default();
    for expr in pool.reachable(roots.iter().copied()) {
        if let Some(place) = unknowns.iter().position(|it| *it == expr) {
            let mut form = constant(zero);
            form[place] = one;
            known.insert(expr, form);
            continue;
        }
        let node = pool.node(expr).clone();
        if !node.children().any(|it| known.contains_key(&it)) {
            continue;
        }
        let form = |of: Expr| known.get(&of).cloned().unwrap_or_else(|| constant(of));
        let form: Vec<Expr> = match node {
            Node::Neg(a) => form(a).into_iter().map(|it| pool.neg(it)).collect(),
            Node::Add(a, b) => form(a).into_iter().zip(form(b)).map(|(a, b)| pool.add(a, b)).collect(),
            Node::Mul(a, b) if !known.contains_key(&b) => {
                form(a).into_iter().map(|it| pool.mul(it, b)).collect()
            }
            Node::Mul(a, b) if !known.contains_key(&a) => {
                form(b).into_iter().map(|it| pool.mul(a, it)).collect()
            }
            Node::Div(a, b) if !known.contains_key(&b) => {
                form(a).into_iter().map(|it| pool.div(it, b)).collect()
            }
            Node::Ite(condition, a, b) if !known.contains_key(&condition) => {
                form(a).into_iter().zip(form(b)).map(|(a, b)| pool.ite(condition, a, b)).collect()
            }
            _ => return None,
        };
        known.insert(expr, form);
    }
    Some(roots.iter().map(|it| known.get(it).cloned().unwrap_or_else(|| constant(*it))).collect())
}

/// The solution of x = A x + b, row by row; none if it is not unique, or if that depends on signals.
fn eliminate(pool: &mut Pool, forms: Vec<Vec<Expr>>) -> Option<Vec<Expr>> {
    let count = forms.len();
    let mut rows = forms;
    for (place, row) in rows.iter_mut().enumerate() {
        let one = pool.real(RBig::ONE);
        for (column, entry) in row.iter_mut().enumerate().take(count) {
            let other = pool.neg(*entry);
            *entry = if column == place { pool.add(one, other) } else { other };
        }
    }
    // The row that gives each unknown.
    let mut solved: Vec<Option<usize>> = vec![None; count];
    for _ in 0..count {
        let open = (0..count).filter(|it| !solved.contains(&Some(*it)));
        let entries = open.flat_map(|row| (0..count).map(move |column| (row, column)));
        let mut entries = entries.filter(|(_, column)| solved[*column].is_none());
        let is_pivot = |&(row, column): &(usize, usize)| match pool.node(rows[row][column]) {
            Node::Real(number) => !number.is_zero(),
            _ => false,
        };
        let (row, column) = entries.find(is_pivot)?;
        solved[column] = Some(row);
        let pivot = rows[row][column];
        for entry in &mut rows[row] {
            *entry = pool.div(*entry, pivot);
        }
        let own = rows[row].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|(place, _)| *place != row) {
            let factor = pool.neg(other[column]);
            for (entry, own) in other.iter_mut().zip(&own) {
                let change = pool.mul(factor, *own);
                *entry = pool.add(*entry, change);
            }
        }
    }
    solved.into_iter().map(|row| Some(rows[row?][count])).collect()
}
