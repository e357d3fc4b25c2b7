//! The constructors of formulas, with rewrite rules that make the automata smaller.
//!
//! The rules are those of Somenzi and Bloem (2000), of Etessami and Holzmann (2000) for pure eventualities and pure universalities,
//! and of the syntactic implication of `implication`. Each is written for conjunction or `until`; the dual uses negation. On finite
//! words only the rules that need no next position hold.

use crate::translate::ltl::{Arena, Ltl, Op, Span};
use rustc_hash::FxHashMap;

/// Longer conjunctions are not searched for pairs that imply each other.
const PAIRS: usize = 24;

impl Arena {
    /// Disjunction.
    pub(crate) fn or(&mut self, operands: impl IntoIterator<Item = Ltl>) -> Ltl {
        let negated: Vec<Ltl> = operands.into_iter().map(|f| !f).collect();
        !self.and(negated)
    }

    /// `a R b`; `b` up to and including the first `a`, or for the whole span.
    pub(crate) fn release(&mut self, span: Span, a: Ltl, b: Ltl) -> Ltl {
        !self.until(span, !a, !b)
    }

    /// `F f`.
    pub(crate) fn finally(&mut self, f: Ltl) -> Ltl {
        self.until(None, Ltl::TRUE, f)
    }

    /// `G f`.
    pub(crate) fn globally(&mut self, f: Ltl) -> Ltl {
        self.release(None, Ltl::FALSE, f)
    }

    /// `f` after `steps` steps.
    pub(crate) fn next(&mut self, strong: bool, steps: u64, f: Ltl) -> Ltl {
        if steps == 0 || self.is_timeless(f) {
            return f;
        }
        let strong = strong || !self.finite;
        match *self.op(f) {
            // A strong next of false is false, and a weak next of true is true.
            Op::False if strong => f,
            Op::True if !strong => f,
            Op::Next { strong: same, steps: more, f: g } if same == strong => match steps.checked_add(more) {
                Some(sum) => self.intern(Op::Next { strong, steps: sum, f: g }),
                None => self.intern(Op::Next { strong, steps, f }),
            },
            _ => self.intern(Op::Next { strong, steps, f }),
        }
    }

    /// Conjunction.
    pub(crate) fn and(&mut self, operands: impl IntoIterator<Item = Ltl>) -> Ltl {
        let list = self.flat(operands);
        if list.len() > 1
            && list.len() <= PAIRS
            && let Some(simpler) = self.conjunction(&list)
        {
            return simpler;
        }
        self.all_of(list)
    }

    /// Conjunction of formulas that must stay as they are, because promises refer to them.
    pub(crate) fn and_plain(&mut self, operands: impl IntoIterator<Item = Ltl>) -> Ltl {
        let list = self.flat(operands);
        self.all_of(list)
    }

    fn all_of(&mut self, list: Vec<Ltl>) -> Ltl {
        match list.as_slice() {
            [] => Ltl::TRUE,
            [one] => *one,
            _ => self.intern(Op::And(list.into())),
        }
    }

    /// The operands in order, without duplicates; only false if two exclude each other.
    fn flat(&self, operands: impl IntoIterator<Item = Ltl>) -> Vec<Ltl> {
        let mut list = Vec::new();
        for f in operands {
            match self.op(f) {
                Op::And(inner) => list.extend(inner.iter().copied()),
                _ => list.push(f),
            }
        }
        list.sort_unstable();
        list.dedup();
        list.retain(|&f| f != Ltl::TRUE);
        if list.contains(&Ltl::FALSE) || list.windows(2).any(|pair| pair[1] == !pair[0]) {
            return vec![Ltl::FALSE];
        }
        list
    }

    /// A simpler conjunction of the operands, if a rule applies.
    fn conjunction(&mut self, list: &[Ltl]) -> Option<Ltl> {
        for (i, &f) in list.iter().enumerate() {
            for (j, &g) in list.iter().enumerate() {
                if i == j {
                    continue;
                }
                if self.implies(f, !g) {
                    return Some(Ltl::FALSE);
                }
                if self.implies(f, g) {
                    return Some(self.with(list, &[j], []));
                }
                if let Op::Or(_) = self.op(g) {
                    // An alternative that the other operand excludes is dropped.
                    let alternatives = self.disjuncts(g);
                    let left: Vec<Ltl> =
                        alternatives.iter().copied().filter(|&x| !self.implies(f, !x)).collect();
                    if left.len() < alternatives.len() {
                        let g = self.or(left);
                        return Some(self.with(list, &[j], [g]));
                    }
                }
                if i < j
                    && let Some(both) = self.merge(f, g)
                {
                    return Some(self.with(list, &[i, j], [both]));
                }
            }
        }
        None
    }

    /// The conjunction without the operands at some indices, and with others.
    fn with<const N: usize>(&mut self, list: &[Ltl], without: &[usize], more: [Ltl; N]) -> Ltl {
        let kept = list.iter().enumerate().filter(|(i, _)| !without.contains(i)).map(|(_, &f)| f);
        let kept: Vec<Ltl> = kept.chain(more).collect();
        self.and(kept)
    }

    /// One formula for two operands of a conjunction.
    fn merge(&mut self, f: Ltl, g: Ltl) -> Option<Ltl> {
        // F G a & F G b = F G (a & b).
        let persistent = |arena: &Arena, f: Ltl| arena.sometime(f).and_then(|g| arena.always(g));
        if !self.finite
            && let (Some(a), Some(b)) = (persistent(self, f), persistent(self, g))
        {
            let both = self.and([a, b]);
            let always = self.globally(both);
            return Some(self.finally(always));
        }
        match (self.op(f).clone(), self.op(g).clone()) {
            // (a R b) & (a R c) = a R (b & c); what must happen infinitely often stays apart.
            (Op::Release(n, a, b), Op::Release(m, c, d)) if n == m && a == c => {
                if a == Ltl::FALSE && (self.is_eventual(b) || self.is_eventual(d)) {
                    return None;
                }
                let both = self.and([b, d]);
                Some(self.release(n, a, both))
            }
            // (a R b) & F a = b U (a & b); the dual is (a U b) | G a.
            (Op::Release(None, a, b), Op::Until(None, Ltl::TRUE, c))
            | (Op::Until(None, Ltl::TRUE, c), Op::Release(None, a, b))
                if a == c =>
            {
                let goal = self.and([a, b]);
                Some(self.until(None, b, goal))
            }
            // (a U b) & (c U b) = (a & c) U b.
            (Op::Until(n, a, b), Op::Until(m, c, d)) if n == m && b == d => {
                let both = self.and([a, c]);
                Some(self.until(n, both, b))
            }
            (Op::Next { strong: s, steps: n, f: a }, Op::Next { strong: t, steps: m, f: b })
                if s == t && n == m =>
            {
                let both = self.and([a, b]);
                Some(self.next(s, n, both))
            }
            // a & X G a = G a.
            (Op::Next { strong: false, steps: 1, f: a }, _) if self.always(a) == Some(g) => Some(a),
            (_, Op::Next { strong: false, steps: 1, f: b }) if self.always(b) == Some(f) => Some(b),
            (Op::Next { steps: 1, f: a, .. }, _) if !self.finite && self.always(a) == Some(g) => Some(a),
            (_, Op::Next { steps: 1, f: b, .. }) if !self.finite && self.always(b) == Some(f) => Some(b),
            _ => None,
        }
    }

    /// `a U b`; `b` within the span, and `a` until then.
    pub(crate) fn until(&mut self, span: Span, a: Ltl, b: Ltl) -> Ltl {
        if span == Some(0) || a == Ltl::FALSE || self.implies(a, b) || self.is_eventual(b) {
            return b;
        }
        if b == Ltl::TRUE || b == Ltl::FALSE {
            return b;
        }
        let simpler = self.shorter_way(span, a, b);
        if let Some(simpler) = simpler {
            return simpler;
        }
        if span.is_none()
            && !self.finite
            && let Some(simpler) = self.endless_until(a, b)
        {
            return simpler;
        }
        self.intern(Op::Until(span, a, b))
    }

    /// Drops from the first operand what the goal already implies: (a | b) U b = a U b, (a & !b) U b = a U b.
    fn shorter_way(&mut self, span: Span, a: Ltl, b: Ltl) -> Option<Ltl> {
        if a != Ltl::TRUE && self.implies(!b, a) {
            return Some(self.until(span, Ltl::TRUE, b));
        }
        let parts = self.disjuncts(a);
        if parts.len() > 1 && parts.len() <= PAIRS {
            let kept: Vec<Ltl> = parts.iter().copied().filter(|&x| !self.implies(x, b)).collect();
            if kept.len() < parts.len() {
                let a = self.or(kept);
                return Some(self.until(span, a, b));
            }
        }
        let parts = self.conjuncts(a);
        if parts.len() > 1 && parts.len() <= PAIRS {
            let kept: Vec<Ltl> = parts.iter().copied().filter(|&x| !self.implies(!b, x)).collect();
            if kept.len() < parts.len() {
                let a = self.and(kept);
                return Some(self.until(span, a, b));
            }
        }
        None
    }

    /// Rules for unbounded `a U b` on infinite words.
    fn endless_until(&mut self, a: Ltl, b: Ltl) -> Option<Ltl> {
        match self.op(b).clone() {
            // F (a U b) = F b, a U (b U c) = b U c or a U c if one way implies the other.
            Op::Until(None, c, d) => {
                if self.implies(a, c) {
                    return Some(b);
                }
                if self.implies(c, a) {
                    return Some(self.until(None, a, d));
                }
            }
            Op::Until(Some(_), _, d) if a == Ltl::TRUE => return Some(self.finally(d)),
            // Steps go outside: F X a = X F a, X a U X b = X (a U b).
            Op::Next { steps, f: d, .. } => {
                let ahead = match *self.op(a) {
                    Op::True => Some((steps, a)),
                    Op::Next { steps: n, f: c, .. } => Some((n, c)),
                    _ => None,
                };
                if let Some((n, c)) = ahead {
                    let common = n.min(steps);
                    let c = if a == Ltl::TRUE { a } else { self.next(true, n - common, c) };
                    let d = self.next(true, steps - common, d);
                    let inner = self.until(None, c, d);
                    return Some(self.next(true, common, inner));
                }
            }
            // a U (b | e) = (a U b) | e for an eventuality.
            Op::Or(parts) => {
                let (out, kept): (Vec<Ltl>, Vec<Ltl>) = parts.iter().partition(|&&x| self.is_eventual(x));
                if !out.is_empty() {
                    let kept = self.or(kept);
                    let inner = self.until(None, a, kept);
                    return Some(self.or(out.into_iter().chain([inner])));
                }
            }
            // a U (b & q) = (a U b) & q if the value of q does not depend on the position; F (b & u) = F b & F u for a universal u
            // only with both at once.
            Op::And(parts) => {
                let (out, kept): (Vec<Ltl>, Vec<Ltl>) = parts.iter().partition(|&&x| self.is_timeless(x));
                if !out.is_empty() {
                    let kept = self.and(kept);
                    let inner = self.until(None, a, kept);
                    return Some(self.and(out.into_iter().chain([inner])));
                }
            }
            _ => {}
        }
        if a == Ltl::TRUE {
            // F (a & b) with universals: dual to G (a | e); nothing more.
            return self.split_eventually(b);
        }
        // u U b = b | (u & F b) for a universality.
        if self.is_universal(a) {
            let later = self.finally(b);
            let held = self.and([a, later]);
            return Some(self.or([b, held]));
        }
        None
    }

    /// F (a | u) = F a | F u for a universality u: so G (a & F b) becomes G a & G F b, each with its own mark.
    fn split_eventually(&mut self, b: Ltl) -> Option<Ltl> {
        let Op::Or(parts) = self.op(b).clone() else { return None };
        let (out, kept): (Vec<Ltl>, Vec<Ltl>) = parts.iter().partition(|&&x| self.is_universal(x));
        if out.is_empty() || (kept.is_empty() && out.len() == 1) {
            return None;
        }
        let mut split: Vec<Ltl> = out.into_iter().map(|u| self.finally(u)).collect();
        if !kept.is_empty() {
            let kept = self.or(kept);
            split.push(self.finally(kept));
        }
        Some(self.or(split))
    }

    /// Rebuilds the formula from its parts, some of which are given.
    pub(crate) fn rebuild(&mut self, root: Ltl, known: FxHashMap<Ltl, Ltl>) -> Ltl {
        self.transform(root, known, |arena, op| match op {
            Op::True | Op::False | Op::Literal { .. } => arena.intern(op),
            Op::And(operands) => arena.and(operands),
            Op::Or(operands) => arena.or(operands),
            Op::Next { strong, steps, f } => arena.next(strong, steps, f),
            Op::Until(span, a, b) => arena.until(span, a, b),
            Op::Release(span, a, b) => arena.release(span, a, b),
        })
    }

    /// Moves eventualities into F: F a | e = F (a | e). This makes a state wait for all of them at once.
    pub(crate) fn waiting(&mut self, root: Ltl) -> Ltl {
        self.transform(root, FxHashMap::default(), |arena, op| match op {
            Op::And(operands) => arena.and_plain(operands),
            Op::Or(operands) => arena.drawn_in(operands.into()),
            op => arena.intern(op),
        })
    }

    /// Rebuilds a formula, operands first; `make` receives each node with its new operands.
    fn transform(
        &mut self,
        root: Ltl,
        mut known: FxHashMap<Ltl, Ltl>,
        make: impl Fn(&mut Arena, Op) -> Ltl,
    ) -> Ltl {
        let mut open = vec![root];
        while let Some(&f) = open.last() {
            let before = open.len();
            if !known.contains_key(&f) {
                open.extend(self.operands(f).into_iter().filter(|g| !known.contains_key(g)));
            }
            if open.len() > before {
                continue;
            }
            open.pop();
            if !known.contains_key(&f) {
                let op = self.op(f).with_operands(|g| known[&g]);
                let result = make(self, op);
                known.insert(f, result);
            }
        }
        known[&root]
    }

    fn drawn_in(&mut self, operands: Vec<Ltl>) -> Ltl {
        let (eventual, other): (Vec<Ltl>, Vec<Ltl>) =
            operands.into_iter().partition(|&f| self.is_eventual(f));
        let sometime: Vec<Ltl> = eventual.iter().filter_map(|&f| self.sometime(f)).collect();
        if sometime.is_empty() || eventual.len() < 2 {
            return !self.and_plain(eventual.into_iter().chain(other).map(|f| !f).collect::<Vec<_>>());
        }
        let goals = eventual.into_iter().map(|f| self.sometime(f).unwrap_or(f)).map(|f| !f);
        let goals: Vec<Ltl> = goals.collect();
        let goal = !self.and_plain(goals);
        let waiting = self.intern(Op::Until(None, Ltl::TRUE, goal));
        !self.and_plain(other.into_iter().chain([waiting]).map(|f| !f).collect::<Vec<_>>())
    }
}
