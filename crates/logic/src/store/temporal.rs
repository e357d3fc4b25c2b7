//! Constructors of temporal formulas.
//!
//! Their identities hold at every position of finite and infinite traces. On a finite trace `X true` is false at the last position,
//! so a constant is removed only from windows that begin here. Nested windows become one window: `F[a,b] F[c,d] p` is `F[a+c,b+d] p`,
//! because every sum of two positions lies between the sums of the ends, and all of them are reached through existing positions.

use crate::store::{Binary, Bound, Formula, Node, Store, Unary};

impl Store {
    /// F: at some position of the future window.
    pub fn finally(&mut self, bound: Bound, f: Formula) -> Formula {
        self.unary(Unary::Finally, bound, f)
    }

    /// G: at every position of the future window.
    pub fn globally(&mut self, bound: Bound, f: Formula) -> Formula {
        self.unary(Unary::Globally, bound, f)
    }

    /// O: at some position of the past window.
    pub fn once(&mut self, bound: Bound, f: Formula) -> Formula {
        self.unary(Unary::Once, bound, f)
    }

    /// H: at every position of the past window.
    pub fn historically(&mut self, bound: Bound, f: Formula) -> Formula {
        self.unary(Unary::Historically, bound, f)
    }

    /// X: there is a next position, and `f` holds there.
    pub fn next(&mut self, f: Formula) -> Formula {
        self.finally(Bound::NEXT, f)
    }

    /// N: `f` holds at the next position, if there is one.
    pub fn weak_next(&mut self, f: Formula) -> Formula {
        self.globally(Bound::NEXT, f)
    }

    /// Y: there is a previous position, and `f` holds there.
    pub fn yesterday(&mut self, f: Formula) -> Formula {
        self.once(Bound::NEXT, f)
    }

    /// Z: `f` holds at the previous position, if there is one.
    pub fn weak_yesterday(&mut self, f: Formula) -> Formula {
        self.historically(Bound::NEXT, f)
    }

    /// True only at the first position: there is no previous one.
    pub fn first_point(&mut self) -> Formula {
        let bottom = self.bottom();
        self.weak_yesterday(bottom)
    }

    /// U: `b` at some position of the future window, and `a` from here until just before it.
    pub fn until(&mut self, bound: Bound, a: Formula, b: Formula) -> Formula {
        self.binary(Binary::Until, bound, a, b)
    }

    /// R: the dual of until; `b` up to and including the first `a`, or throughout.
    pub fn release(&mut self, bound: Bound, a: Formula, b: Formula) -> Formula {
        self.binary(Binary::Release, bound, a, b)
    }

    /// S: `b` at some position of the past window, and `a` since just after it.
    pub fn since(&mut self, bound: Bound, a: Formula, b: Formula) -> Formula {
        self.binary(Binary::Since, bound, a, b)
    }

    /// T: the dual of since.
    pub fn triggered(&mut self, bound: Bound, a: Formula, b: Formula) -> Formula {
        self.binary(Binary::Triggered, bound, a, b)
    }

    /// W: `a U b`, or `a` up to the end of the window.
    pub fn weak_until(&mut self, bound: Bound, a: Formula, b: Formula) -> Formula {
        let reached = self.until(bound, a, b);
        let throughout = self.globally(Bound { lo: 0, hi: bound.hi }, a);
        self.or2(reached, throughout)
    }

    /// M: `a R b`, and `a` within the window.
    pub fn strong_release(&mut self, bound: Bound, a: Formula, b: Formula) -> Formula {
        let held = self.release(bound, a, b);
        let released = self.finally(Bound { lo: 0, hi: bound.hi }, a);
        self.and2(held, released)
    }

    /// Any unary temporal operator.
    pub fn unary(&mut self, op: Unary, bound: Bound, f: Formula) -> Formula {
        // The value of the operator over an empty window; a dominant operand has the opposite effect.
        let vacuous = self.bool(!op.is_existential());
        let decisive = self.bool(op.is_existential());
        if bound.is_empty() || f == vacuous {
            return vacuous;
        }
        if f == decisive && bound.lo == 0 {
            return decisive;
        }
        if f == decisive && !bound.is_point() {
            return self.unary(op, Bound::exactly(bound.lo), f);
        }
        if bound == Bound::upto(0) {
            return f;
        }
        if let Node::Unary(inner, inner_bound, g) = *self.node(f)
            && inner == op
            && let Some(sum) = bound.plus(inner_bound)
        {
            return self.unary(op, sum, g);
        }
        Formula(self.intern(Node::Unary(op, bound, f)))
    }

    /// Any binary temporal operator.
    pub fn binary(&mut self, op: Binary, bound: Bound, a: Formula, b: Formula) -> Formula {
        // For until, `vacuous` is false and `decisive` is true; for release, the opposite.
        let existential = op.window().is_existential();
        let vacuous = self.bool(!existential);
        let decisive = self.bool(existential);
        if bound.is_empty() || b == vacuous {
            return vacuous;
        }
        if bound == Bound::upto(0) || (bound.lo == 0 && (b == decisive || a == b)) {
            return b;
        }
        if a == decisive {
            return self.unary(op.window(), bound, b);
        }
        if a == vacuous {
            return if bound.lo == 0 { b } else { vacuous };
        }
        Formula(self.intern(Node::Binary(op, bound, a, b)))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::expect_printed;

    #[test]
    fn identities() {
        expect_printed(&[
            ("(F true)", "true"),
            ("(F[0,3] true)", "true"),
            ("(X true)", "X true"),
            ("(F[1,4] true)", "X true"),
            ("(O (Y true))", "Y true"),
            ("(G[2,] false)", "G[=2] false"),
            ("(X false)", "false"),
            ("(N true)", "true"),
            ("(G false)", "false"),
            ("(Z false)", "FTP"),
            ("(Y true)", "Y true"),
            ("(O[0,0] a)", "a"),
            ("(F (F a))", "F a"),
            ("(F[1,2] (F[3,5] a))", "F[4,7] a"),
            ("(X (F a))", "F[>=1] a"),
            ("(Y (Y a))", "O[=2] a"),
            ("(H[0,3] (H[0,4] a))", "H[<=7] a"),
            ("(G (F a))", "G F a"),
            ("(F[3,2] a)", "false"),
            ("(H[3,2] a)", "true"),
            ("(U[3,2] a b)", "false"),
            ("(T[3,2] a b)", "true"),
            ("(F[1,18446744073709551615] (F[1,2] a))", "F[1,18446744073709551615] F[1,2] a"),
            ("(U a true)", "true"),
            ("(U[1,2] a true)", "a U[1,2] true"),
            ("(U a false)", "false"),
            ("(U true a)", "F a"),
            ("(U[0,3] true a)", "F[<=3] a"),
            ("(U false a)", "a"),
            ("(U[1,] false a)", "false"),
            ("(U[0,0] a b)", "b"),
            ("(S a a)", "a"),
            ("(R a true)", "true"),
            ("(R a false)", "false"),
            ("(R false a)", "G a"),
            ("(R true a)", "a"),
            ("(R[1,2] true a)", "true"),
            ("(R[1,2] a false)", "a R[1,2] false"),
            ("(T false a)", "H a"),
            ("(W a b)", "(a U b) | G a"),
            ("(M[0,3] a b)", "(a R[<=3] b) & F[<=3] a"),
        ]);
    }
}
