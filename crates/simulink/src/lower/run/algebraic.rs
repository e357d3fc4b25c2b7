//! Algebraic loops: values that need each other in the same step.
//!
//! Some blocks of a loop are cut: their outputs are unknowns, and the rest of the loop is computed from these. If what the cut blocks then
//! compute is linear in the unknowns, elimination finds the solution, and it replaces the unknowns. (Simulink iterates to the same
//! solution.) If the coefficients depend on other signals, what is left after elimination is solved with determinants: where such a
//! determinant is zero, the loop has no single solution, and its values are those of a division by zero. Other loops are refused, and so
//! are those whose coefficients depend on conditions: they are loops at some times only, such as those through resets.

use super::{Pass, Place, Problem, Role, Shape, Task, classes, order};
use crate::plan::UnitId;
use crate::value::Class;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use system::{Expr, Node, Pool};

/// The maximum number of unknowns.
const MAX_UNKNOWNS: usize = 40;

/// The maximum number of unknowns that are left after elimination, and are solved with determinants.
const MAX_LEFT: usize = 4;

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
        let (forms, conditional) = forms(pool, &unknowns, &computed).ok_or(Unsolved::Loop)?;
        let solution = eliminate(pool, forms, &conditional).ok_or(Unsolved::Loop)?;
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

/// For each expression the coefficients of the unknowns and then the rest, both without unknowns; and the coefficients that depend on
/// conditions. None if an expression is not linear.
fn forms(pool: &mut Pool, unknowns: &[Expr], roots: &[Expr]) -> Option<(Vec<Vec<Expr>>, FxHashSet<Expr>)> {
    let mut conditional = FxHashSet::default();
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
                let both: Vec<(Expr, Expr)> = form(a).into_iter().zip(form(b)).collect();
                let form: Vec<Expr> = both.iter().map(|(a, b)| pool.ite(condition, *a, *b)).collect();
                let coefficients = form.iter().zip(&both).take(unknowns.len());
                conditional.extend(coefficients.filter(|(_, (a, b))| a != b).map(|it| *it.0));
                form
            }
            _ => return None,
        };
        known.insert(expr, form);
    }
    let forms = roots.iter().map(|it| known.get(it).cloned().unwrap_or_else(|| constant(*it))).collect();
    Some((forms, conditional))
}

/// The solution of x = A x + b, row by row; none if it is never unique.
fn eliminate(pool: &mut Pool, forms: Vec<Vec<Expr>>, conditional: &FxHashSet<Expr>) -> Option<Vec<Expr>> {
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
        let Some((row, column)) = entries.find(is_pivot) else { break };
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
    let left = by_determinants(pool, &rows, &solved, conditional)?;
    // Each row that was eliminated gives its unknown from those that are left.
    let value = |(column, row): (usize, &Option<usize>)| {
        let Some(row) = row else { return left.iter().find(|it| it.0 == column).map(|it| it.1) };
        Some(left.iter().fold(rows[*row][count], |value, (other, solution)| {
            let part = pool.mul(rows[*row][*other], *solution);
            let part = pool.neg(part);
            pool.add(value, part)
        }))
    };
    solved.iter().enumerate().map(value).collect()
}

/// The unknowns without a row of their own, by Cramer's rule; none if their determinant is zero whatever the signals are.
fn by_determinants(
    pool: &mut Pool,
    rows: &[Vec<Expr>],
    solved: &[Option<usize>],
    conditional: &FxHashSet<Expr>,
) -> Option<Vec<(usize, Expr)>> {
    let count = solved.len();
    let columns: Vec<usize> = (0..count).filter(|it| solved[*it].is_none()).collect();
    let open = (0..count).filter(|it| !solved.contains(&Some(*it)));
    let open: Vec<&Vec<Expr>> = open.map(|it| &rows[it]).collect();
    if columns.len() > MAX_LEFT {
        return None;
    }
    let below = determinant(pool, &open, &columns);
    let is_zero = matches!(pool.node(below), Node::Real(number) if number.is_zero());
    if is_zero || pool.reachable([below]).iter().any(|it| conditional.contains(it)) {
        return None;
    }
    let solution = |(place, column): (usize, &usize)| {
        let mut replaced = columns.clone();
        replaced[place] = count;
        let above = determinant(pool, &open, &replaced);
        (*column, pool.div(above, below))
    };
    Some(columns.iter().enumerate().map(solution).collect())
}

/// The determinant of some columns of a few rows, expanded along the first row.
fn determinant(pool: &mut Pool, rows: &[&Vec<Expr>], columns: &[usize]) -> Expr {
    let Some((first, rest)) = rows.split_first() else { return pool.real(RBig::ONE) };
    let mut sum = pool.real(RBig::ZERO);
    for (place, column) in columns.iter().enumerate() {
        let others: Vec<usize> = columns.iter().copied().filter(|it| it != column).collect();
        let minor = determinant(pool, rest, &others);
        let term = pool.mul(first[*column], minor);
        let term = if place % 2 == 0 { term } else { pool.neg(term) };
        sum = pool.add(sum, term);
    }
    sum
}
