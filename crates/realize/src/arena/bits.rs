//! Integers as bits that are diagrams, in two's complement with as many bits as needed.

use dashu_int::IBig;
use logic::bdd::{Bdd, Manager};

/// The bits, from the least significant one to the sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits(Vec<Bdd>);

impl Bits {
    pub(super) fn constant(value: &IBig) -> Bits {
        let mut bits = Vec::new();
        let mut rest = value.clone();
        let (zero, minus_one) = (IBig::ZERO, -IBig::ONE);
        while rest != zero && rest != minus_one {
            let odd = &rest & IBig::ONE == IBig::ONE;
            bits.push(Bdd::constant(odd));
            rest >>= 1;
        }
        bits.push(Bdd::constant(rest == minus_one));
        Bits(bits)
    }

    /// A number that is not negative.
    pub(super) fn unsigned(mut bits: Vec<Bdd>) -> Bits {
        bits.push(Bdd::FALSE);
        Bits(bits)
    }

    /// A bit, from the least significant one on; the sign continues.
    pub(super) fn bit(&self, place: u32) -> Bdd {
        let last = self.0.len() - 1;
        self.0[last.min(place as usize)]
    }
}

fn width(a: &Bits, b: &Bits) -> u32 {
    a.0.len().max(b.0.len()) as u32
}

/// The same number without repeated signs.
fn trimmed(mut bits: Vec<Bdd>) -> Bits {
    while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
        bits.pop();
    }
    Bits(bits)
}

pub(super) fn choice(m: &mut Manager, c: Bdd, a: &Bits, b: &Bits) -> Bits {
    trimmed((0..width(a, b)).map(|it| m.choose(c, a.bit(it), b.bit(it))).collect())
}

pub(super) fn sum(m: &mut Manager, a: &Bits, b: &Bits) -> Bits {
    let mut carry = Bdd::FALSE;
    let mut bits = Vec::new();
    for place in 0..=width(a, b) {
        let (x, y) = (a.bit(place), b.bit(place));
        let same = m.iff(x, y);
        let different = m.not(same);
        let equal = m.iff(different, carry);
        bits.push(m.not(equal));
        carry = m.choose(same, x, carry);
    }
    trimmed(bits)
}

pub(super) fn negated(m: &mut Manager, a: &Bits) -> Bits {
    let complement = Bits(a.0.iter().map(|it| m.not(*it)).collect());
    sum(m, &complement, &Bits::constant(&IBig::ONE))
}

pub(super) fn equal(m: &mut Manager, a: &Bits, b: &Bits) -> Bdd {
    (0..width(a, b)).rev().fold(Bdd::TRUE, |all, it| {
        let same = m.iff(a.bit(it), b.bit(it));
        m.and(all, same)
    })
}

/// Whether `a` is at most `b`.
pub(super) fn at_most(m: &mut Manager, a: &Bits, b: &Bits) -> Bdd {
    let top = width(a, b) - 1;
    let mut holds = Bdd::TRUE;
    for place in 0..top {
        let (x, y) = (a.bit(place), b.bit(place));
        let same = m.iff(x, y);
        holds = m.choose(same, holds, y);
    }
    // Of two different signs, the negative one is smaller.
    let (x, y) = (a.bit(top), b.bit(top));
    let same = m.iff(x, y);
    m.choose(same, holds, x)
}
