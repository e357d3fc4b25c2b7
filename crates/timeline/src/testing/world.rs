//! Test helpers: expressions from text, and all small expressions.

use crate::expression::text::{Script, print};
use crate::expression::{Expr, Expressions};
use crate::testing::parse::parse;
use logic::{Id, Store};
use omega::{Guard, Guards};

/// A store, an arena and atoms.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) arena: Expressions,
    pub(crate) atoms: Vec<Id>,
}

impl World {
    pub(crate) fn new() -> World {
        World { store: Store::default(), arena: Expressions::new(Guards::default()), atoms: Vec::new() }
    }

    pub(crate) fn read(&mut self, text: &str) -> Expr {
        parse(&mut self.store, &mut self.arena, &mut self.atoms, text)
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    pub(crate) fn show(&mut self, expr: Expr) -> String {
        print(&mut self.store, &mut self.arena, &self.atoms, expr, Script::Unicode).expect("a short text")
    }
}

/// Small expressions over one atom, including some for each rule: their arena, those of finite words, those of infinite words.
pub(crate) fn small_expressions() -> (Expressions, Vec<Expr>, Vec<Expr>) {
    let mut arena = Expressions::new(Guards::default());
    let a = arena.guards.variable(0);
    let b = arena.guards.not(a);
    let letters = [a, b, Guard::TRUE].map(|guard| arena.step(guard));
    let mut first = vec![Expr::EPSILON];
    first.extend(letters);
    let second = grown(&mut arena, &first);
    let mut third: Vec<Expr> =
        grown(&mut arena, &second).into_iter().filter(|&expr| arena.measure(expr).size <= 7).collect();
    for expr in third.clone() {
        third.push(arena.star(expr));
        third.push(arena.union([Expr::EPSILON, expr]));
    }
    third.sort_unstable();
    third.dedup();
    for way in third.clone() {
        if !matches!(arena.operands(way), [_, _]) {
            continue;
        }
        for &other in &letters {
            let (one, two) = (arena.star(way), arena.star(other));
            third.push(arena.sequence([one, two]));
            third.push(arena.sequence([two, one]));
        }
    }
    let cycles: Vec<Expr> = third.iter().filter(|&&expr| arena.measure(expr).size <= 6).copied().collect();
    let mut infinite: Vec<Expr> = cycles.into_iter().map(|expr| arena.omega(expr)).collect();
    let short: Vec<Expr> = second.iter().map(|&expr| arena.omega(expr)).collect();
    for &way in &second {
        for &end in &short {
            infinite.push(arena.sequence([way, end]));
        }
    }
    for (k, &one) in short.iter().enumerate() {
        for &other in &infinite.clone()[..k * 3] {
            infinite.push(arena.union([one, other]));
        }
    }
    for &wait in &letters {
        for &step in &second {
            let (waiting, ever) = (arena.star(wait), arena.omega(wait));
            let cycle = arena.sequence([waiting, step]);
            let (again, forever) = (arena.star(cycle), arena.omega(cycle));
            let finally = arena.sequence([again, ever]);
            infinite.push(arena.union([forever, finally]));
        }
    }
    infinite.sort_unstable();
    infinite.dedup();
    infinite.retain(|&expr| expr != Expr::EMPTY);
    (arena, third, infinite)
}

fn grown(arena: &mut Expressions, of: &[Expr]) -> Vec<Expr> {
    let mut found = of.to_vec();
    for &x in of {
        found.push(arena.star(x));
        for &y in of {
            found.push(arena.sequence([x, y]));
            found.push(arena.union([x, y]));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
