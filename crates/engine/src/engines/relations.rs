//! Candidates for linear invariants, from the values of numbers on random walks: affine equalities (Karr, Acta Informatica 1976) and
//! bounds of sums and differences of two numbers (octagons: Miné, HOSC 2006).
//!
//! They are only guesses: what holds on the walks need not hold always.

use dashu_int::IBig;
use dashu_int::ops::{Abs, Gcd};
use dashu_ratio::RBig;
use system::{Expr, Pool, Type};

/// The number of variables that are related with each other.
const MOST: usize = 24;
/// The largest coefficient of an equality, and the largest bound.
const LARGE: i64 = 10_000;

/// Conditions that hold for all rows of values; each row has a value for each number.
pub(crate) fn relations(pool: &mut Pool, numbers: &[(Expr, Type)], rows: &[Vec<Option<RBig>>]) -> Vec<Expr> {
    let mut found = Vec::new();
    for ty in [Type::Int, Type::Real] {
        let places: Vec<usize> = (0..numbers.len()).filter(|it| numbers[*it].1 == ty).take(MOST).collect();
        let values = |row: &Vec<Option<RBig>>| -> Option<Vec<RBig>> {
            places.iter().map(|place| row.get(*place).cloned().flatten()).collect()
        };
        let rows: Vec<Vec<RBig>> = rows.iter().filter_map(values).collect();
        let terms: Vec<Expr> = places.iter().map(|place| numbers[*place].0).collect();
        if rows.len() > places.len() && places.len() > 1 {
            found.extend(equalities(pool, ty, &terms, &rows));
            found.extend(octagons(pool, ty, &terms, &rows));
        }
    }
    found
}

/// Affine equalities with whole coefficients between at least two numbers.
fn equalities(pool: &mut Pool, ty: Type, terms: &[Expr], rows: &[Vec<RBig>]) -> Vec<Expr> {
    // Each row is a linear equation for the coefficients; the last unknown is the constant.
    let mut matrix: Vec<Vec<RBig>> = Vec::new();
    let width = terms.len() + 1;
    let mut pivots: Vec<usize> = Vec::new();
    for row in rows {
        let mut row: Vec<RBig> = row.iter().cloned().chain([RBig::ONE]).collect();
        for (done, pivot) in matrix.iter().zip(&pivots) {
            let factor = row[*pivot].clone();
            if !factor.is_zero() {
                row.iter_mut().zip(done).for_each(|(it, by)| *it -= &factor * by);
            }
        }
        let Some(pivot) = row.iter().position(|it| !it.is_zero()) else { continue };
        let by = row[pivot].clone();
        row.iter_mut().for_each(|it| *it /= &by);
        for done in &mut matrix {
            let factor = done[pivot].clone();
            if !factor.is_zero() {
                done.iter_mut().zip(&row).for_each(|(it, by)| *it -= &factor * by);
            }
        }
        matrix.push(row);
        pivots.push(pivot);
        if pivots.len() == width {
            return Vec::new();
        }
    }
    let free = (0..width).filter(|it| !pivots.contains(it));
    let mut found = Vec::new();
    for free in free {
        let mut solution = vec![RBig::ZERO; width];
        solution[free] = RBig::ONE;
        for (row, pivot) in matrix.iter().zip(&pivots) {
            solution[*pivot] = -row[free].clone();
        }
        let Some(whole) = scaled(&solution) else { continue };
        if whole[..terms.len()].iter().filter(|it| !it.is_zero()).count() < 2 {
            continue;
        }
        let Some(zero) = pool.number(ty, &IBig::ZERO) else { continue };
        let mut sum = zero;
        for (factor, term) in whole.iter().zip(terms) {
            let Some(factor) = pool.number(ty, factor) else { continue };
            let product = pool.mul(factor, *term);
            sum = pool.add(sum, product);
        }
        let Some(constant) = pool.number(ty, &-&whole[terms.len()]) else { continue };
        found.push(pool.eq(sum, constant));
    }
    found
}

/// The smallest whole multiples, unless they are large.
fn scaled(solution: &[RBig]) -> Option<Vec<IBig>> {
    let mut common = IBig::ONE;
    for it in solution {
        let denominator = IBig::from(it.denominator().clone());
        let shared = IBig::from((&common).gcd(&denominator));
        common = &common / shared * denominator;
    }
    let whole: Vec<IBig> = solution.iter().map(|it| (it * RBig::from(common.clone())).floor()).collect();
    let small = |it: &IBig| it.clone().abs() <= IBig::from(LARGE);
    whole.iter().all(small).then_some(whole)
}

/// Bounds of sums and differences of two numbers, where they are small.
fn octagons(pool: &mut Pool, ty: Type, terms: &[Expr], rows: &[Vec<RBig>]) -> Vec<Expr> {
    let mut found = Vec::new();
    for (a, x) in terms.iter().enumerate() {
        for (b, y) in terms.iter().enumerate().skip(a + 1) {
            for sum in [true, false] {
                let values =
                    || rows.iter().map(|row| if sum { &row[a] + &row[b] } else { &row[a] - &row[b] });
                let (Some(least), Some(most)) = (values().min(), values().max()) else { continue };
                let expr = if sum { pool.add(*x, *y) } else { pool.sub(*x, *y) };
                for (bound, lower) in [(least, true), (most, false)] {
                    let whole = bound.floor();
                    let small = whole.clone().abs() <= IBig::from(LARGE);
                    let Some(limit) = pool.number(ty, &whole).filter(|_| small && RBig::from(whole) == bound)
                    else {
                        continue;
                    };
                    found.push(if lower { pool.le(limit, expr) } else { pool.le(expr, limit) });
                }
            }
        }
    }
    found
}
