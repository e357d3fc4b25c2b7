//! Gates and words of bits over the built-in SAT solver: every gate is simplified and stored once.
//!
//! A word is an integer in two's complement, lowest bit first, as long as it needs to be. Operations on words never overflow: their
//! results are longer.

use crate::solver::context::{Lit, Stop};
use batsat::{Callbacks, Solver, SolverInterface, lbool};
use rustc_hash::FxHashMap;

/// The literal that is always true.
pub(crate) const TRUE: Lit = Lit(0);
/// The literal that is always false.
pub(crate) const FALSE: Lit = Lit(1);

/// Lowest bit first; the last bit is the sign.
pub(crate) type Word = Vec<Lit>;

struct Patience<'a>(Stop<'a>);

impl Callbacks for Patience<'_> {
    fn stop(&self) -> bool {
        (self.0)()
    }
}

pub(crate) struct Circuit<'a> {
    solver: Solver<Patience<'a>>,
    ands: FxHashMap<(Lit, Lit), Lit>,
    xors: FxHashMap<(Lit, Lit), Lit>,
    choices: FxHashMap<(Lit, Lit, Lit), Lit>,
}

impl<'a> Circuit<'a> {
    pub(crate) fn new(stop: Stop<'a>) -> Circuit<'a> {
        let mut solver = Solver::new(batsat::SolverOpts::default(), Patience(stop));
        let first = solver.new_var_default();
        solver.add_clause_reuse(&mut vec![batsat::Lit::new(first, true)]);
        Circuit {
            solver,
            ands: FxHashMap::default(),
            xors: FxHashMap::default(),
            choices: FxHashMap::default(),
        }
    }

    pub(crate) fn fresh(&mut self) -> Lit {
        Lit(self.solver.new_var_default().idx() << 1)
    }

    pub(crate) fn clause(&mut self, literals: &[Lit]) {
        let mut clause: Vec<batsat::Lit> = literals.iter().map(|it| self.outer(*it)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    /// Solves under assumptions; `None` if it was stopped.
    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> Option<bool> {
        let assumptions: Vec<batsat::Lit> = assumptions.iter().map(|it| self.outer(*it)).collect();
        let answer = self.solver.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            Some(true)
        } else if answer == lbool::FALSE {
            Some(false)
        } else {
            None
        }
    }

    pub(crate) fn failed(&self, assumptions: &[Lit]) -> Vec<Lit> {
        // The solver's core contains assumptions or their negations; the variables tell which are meant.
        let holds = |lit: &Lit| {
            let var = self.outer(*lit).var();
            self.solver.unsat_core().iter().any(|it| it.var() == var)
        };
        assumptions.iter().copied().filter(holds).collect()
    }

    pub(crate) fn truth(&self, lit: Lit) -> bool {
        self.solver.value_lit(self.outer(lit)) == lbool::TRUE
    }

    fn outer(&self, lit: Lit) -> batsat::Lit {
        batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.number()), !lit.negated())
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (TRUE, it) => return it,
            (FALSE, _) => return FALSE,
            (_, _) if a == b => return a,
            (_, _) if a == !b => return FALSE,
            (_, _) => {}
        }
        if let Some(gate) = self.ands.get(&(a, b)) {
            return *gate;
        }
        let gate = self.fresh();
        self.clause(&[!gate, a]);
        self.clause(&[!gate, b]);
        self.clause(&[gate, !a, !b]);
        self.ands.insert((a, b), gate);
        gate
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// A conjunction of many, as one gate.
    pub(crate) fn all(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        let mut literals: Vec<Lit> = literals.into_iter().filter(|it| *it != TRUE).collect();
        literals.sort_unstable();
        literals.dedup();
        if literals.contains(&FALSE) || literals.windows(2).any(|it| it[0] == !it[1]) {
            return FALSE;
        }
        match literals[..] {
            [] => TRUE,
            [only] => only,
            [a, b] => self.and(a, b),
            _ => {
                let gate = self.fresh();
                for it in &literals {
                    self.clause(&[!gate, *it]);
                }
                let mut last: Vec<Lit> = literals.iter().map(|it| !*it).collect();
                last.push(gate);
                self.clause(&last);
                gate
            }
        }
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flip = a.negated() != b.negated();
        let (x, y) = (Lit(a.0 & !1), Lit(b.0 & !1));
        let (x, y) = (x.min(y), x.max(y));
        let plain = if x == y {
            FALSE
        } else if x == TRUE {
            !y
        } else if let Some(gate) = self.xors.get(&(x, y)) {
            *gate
        } else {
            let gate = self.fresh();
            self.clause(&[!gate, x, y]);
            self.clause(&[!gate, !x, !y]);
            self.clause(&[gate, !x, y]);
            self.clause(&[gate, x, !y]);
            self.xors.insert((x, y), gate);
            gate
        };
        if flip { !plain } else { plain }
    }

    pub(crate) fn choose(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if a == b || c == TRUE {
            return a;
        }
        if c == FALSE {
            return b;
        }
        if c.negated() {
            return self.choose(!c, b, a);
        }
        match (a, b) {
            (TRUE, _) => return self.or(c, b),
            (FALSE, _) => return self.and(!c, b),
            (_, TRUE) => return self.or(!c, a),
            (_, FALSE) => return self.and(c, a),
            _ if a == c || b == c => return if a == c { self.or(c, b) } else { self.and(c, a) },
            _ if a == !c || b == !c => return if a == !c { self.and(!c, b) } else { self.or(!c, a) },
            _ if a == !b => return !self.xor(c, a),
            _ => {}
        }
        if let Some(gate) = self.choices.get(&(c, a, b)) {
            return *gate;
        }
        let gate = self.fresh();
        for (condition, from) in [(!c, a), (c, b)] {
            self.clause(&[condition, !from, gate]);
            self.clause(&[condition, from, !gate]);
        }
        // If both branches agree, the condition does not matter.
        self.clause(&[!a, !b, gate]);
        self.clause(&[a, b, !gate]);
        self.choices.insert((c, a, b), gate);
        gate
    }

    pub(crate) fn constant(value: i128) -> Word {
        let bits = 129 - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() };
        (0..bits.min(128)).map(|bit| if value >> bit & 1 == 1 { TRUE } else { FALSE }).collect()
    }

    /// A word for an arbitrary number in a range.
    pub(crate) fn between(&mut self, low: i128, high: i128) -> Word {
        let (least, greatest) = (Circuit::constant(low), Circuit::constant(high));
        let bits = bits(low, high);
        let mut word: Word = (0..bits).map(|_| self.fresh()).collect();
        if low >= 0 {
            word[bits - 1] = FALSE;
        }
        let (below, above) = (self.less(&word, &least), self.less(&greatest, &word));
        self.clause(&[!below]);
        self.clause(&[!above]);
        word
    }

    /// A word extended to `bits` bits by repeating its sign.
    pub(crate) fn extended(word: &[Lit], bits: usize) -> Word {
        let sign = word.last().copied().unwrap_or(FALSE);
        (0..bits).map(|bit| word.get(bit).copied().unwrap_or(sign)).collect()
    }

    pub(crate) fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit, bits: usize) -> Word {
        let (a, b) = (Self::extended(a, bits), Self::extended(b, bits));
        let mut sum = Vec::with_capacity(bits);
        for (x, y) in a.into_iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            let (both, passed) = (self.and(x, y), self.and(half, carry));
            carry = self.or(both, passed);
        }
        sum
    }

    pub(crate) fn negate(&mut self, a: &[Lit], bits: usize) -> Word {
        let flipped: Word = Self::extended(a, bits).iter().map(|it| !*it).collect();
        self.add(&flipped, &[FALSE], TRUE, bits)
    }

    pub(crate) fn multiply(&mut self, a: &[Lit], b: &[Lit], bits: usize) -> Word {
        let (a, b) = (Self::extended(a, bits), Self::extended(b, bits));
        let mut sum = vec![FALSE; bits];
        for (shift, bit) in b.iter().enumerate().filter(|(_, bit)| **bit != FALSE) {
            let mut row = vec![FALSE; shift];
            for it in &a[..bits - shift] {
                row.push(self.and(*it, *bit));
            }
            sum = self.add(&sum, &row, FALSE, bits);
        }
        sum
    }

    pub(crate) fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits = a.len().max(b.len());
        let (a, b) = (Self::extended(a, bits), Self::extended(b, bits));
        let same: Vec<Lit> = a.into_iter().zip(b).map(|(x, y)| !self.xor(x, y)).collect();
        self.all(same)
    }

    /// Whether `a < b`, as signed numbers.
    pub(crate) fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits = a.len().max(b.len()) + 1;
        let flipped: Word = Self::extended(b, bits).iter().map(|it| !*it).collect();
        let difference = self.add(a, &flipped, TRUE, bits);
        difference.last().copied().unwrap_or(FALSE)
    }

    pub(crate) fn choice(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        let bits = a.len().max(b.len());
        let (a, b) = (Self::extended(a, bits), Self::extended(b, bits));
        a.into_iter().zip(b).map(|(x, y)| self.choose(c, x, y)).collect()
    }
}

/// The length of a word that holds all numbers from `low` to `high`.
pub(crate) fn bits(low: i128, high: i128) -> usize {
    Circuit::constant(low).len().max(Circuit::constant(high).len())
}
