//! Whether one formula implies another, as far as their syntax shows (Somenzi and Bloem 2000, section 3).
//!
//! A negative answer only means that no rule applies. The rules are closed under negation of both sides. Formulas are inspected to a
//! small depth, so the recursion is bounded.

use crate::translate::ltl::{Arena, Ltl, Op, Span};

/// The depth to which formulas are inspected.
const DEPTH: u32 = 12;

/// The maximum number of cached answers before the search gives up.
const ANSWERS: usize = 200_000;

impl Arena {
    /// Whether `a` certainly implies `b`.
    pub(crate) fn implies(&mut self, a: Ltl, b: Ltl) -> bool {
        self.implies_within(a, b, DEPTH)
    }

    fn implies_within(&mut self, a: Ltl, b: Ltl, depth: u32) -> bool {
        if a == b || a == Ltl::FALSE || b == Ltl::TRUE {
            return true;
        }
        if a == !b || a == Ltl::TRUE || b == Ltl::FALSE {
            return false;
        }
        if let (Op::Literal { .. }, Op::Literal { .. }) = (self.op(a), self.op(b)) {
            return false;
        }
        if let Some(&known) = self.implied.get(&(a, b)) {
            return known;
        }
        if depth == 0 || self.implied.len() > ANSWERS {
            return false;
        }
        let answer = self.implied_by_form(a, b, depth - 1);
        // A negative answer for lack of depth is not cached.
        if answer || depth == DEPTH {
            self.implied.insert((a, b), answer);
        }
        answer
    }

    fn implied_by_form(&mut self, a: Ltl, b: Ltl, depth: u32) -> bool {
        let (left, right) = (self.op(a).clone(), self.op(b).clone());
        if let Op::And(operands) = &right {
            return operands.iter().all(|&f| self.implies_within(a, f, depth));
        }
        if let Op::Or(operands) = &left {
            return operands.iter().all(|&f| self.implies_within(f, b, depth));
        }
        if let Op::And(operands) = &left
            && operands.iter().any(|&f| self.implies_within(f, b, depth))
        {
            return true;
        }
        if let Op::Or(operands) = &right
            && operands.iter().any(|&f| self.implies_within(a, f, depth))
        {
            return true;
        }
        let (lasting, eventual) = (self.is_universal(a), self.is_eventual(b));
        match (&left, &right) {
            (Op::Until(n, x, y), Op::Until(m, v, w))
                if within(*n, *m)
                    && self.implies_within(*y, *w, depth)
                    && self.implies_within(*x, *v, depth) =>
            {
                return true;
            }
            (Op::Release(n, x, y), Op::Release(m, v, w))
                if within(*m, *n)
                    && self.implies_within(*y, *w, depth)
                    && self.implies_within(*x, *v, depth) =>
            {
                return true;
            }
            (Op::Next { strong: s, steps: n, f: x }, Op::Next { strong: t, steps: m, f: y })
                if n == m && (*s || !*t) && self.implies_within(*x, *y, depth) =>
            {
                return true;
            }
            _ => {}
        }
        let by_left = match left {
            // Now y, or now x and later y.
            Op::Until(_, x, y) => {
                self.implies_within(y, b, depth) && (eventual || self.implies_within(x, b, depth))
            }
            Op::Release(_, _, y) => self.implies_within(y, b, depth),
            Op::Next { f: x, .. } => eventual && self.implies_within(x, b, depth),
            _ => false,
        };
        by_left
            || match right {
                Op::Release(_, v, w) => {
                    self.implies_within(a, w, depth) && (lasting || self.implies_within(a, v, depth))
                }
                Op::Until(_, _, w) => self.implies_within(a, w, depth),
                Op::Next { f: y, .. } => lasting && self.implies_within(a, y, depth),
                _ => false,
            }
    }
}

fn within(n: Span, m: Span) -> bool {
    match (n, m) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(n), Some(m)) => n <= m,
    }
}
