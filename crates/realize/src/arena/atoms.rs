//! Bits and atoms of other arenas, and the thresholds around an atom.

use super::{Arena, Meaning};
use crate::linear::Atom;
use logic::bdd::Bdd;
use std::cmp::Reverse;

impl Arena<'_, '_> {
    /// The diagram of a bit or an atom of an arena with the same variables.
    pub(crate) fn placed(&mut self, meaning: &Meaning) -> Bdd {
        let variable = match meaning {
            Meaning::Bit(var, bit) => self.blocks[var.index()].map(|it| it.first + bit),
            Meaning::Atom(atom) => Some(self.atom(atom.clone())),
            Meaning::Opaque(_) | Meaning::Selector(_) => None,
        };
        match variable {
            Some(it) => self.m.variable(it),
            None => self.fresh_opaque(None),
        }
    }

    /// The nearest atoms of the same form with a smaller and with a larger threshold, among the first variables of the diagrams.
    pub(crate) fn around(&self, variable: u32, first: usize) -> [Option<u32>; 2] {
        let Meaning::Atom(atom) = &self.meanings[variable as usize] else { return [None; 2] };
        let turn = atom.form.iter().map(|it| self.turn(it.0)).min().unwrap_or(usize::MAX);
        let key = (Reverse(turn), atom.clone());
        let is_like = |it: &(&(Reverse<usize>, Atom), &u32)| it.0.1.form == atom.form;
        let is_first = |it: &(&(Reverse<usize>, Atom), &u32)| (*it.1 as usize) < first;
        let smaller = self.atoms.range(..&key).rev().take_while(is_like).find(is_first);
        let larger = self.atoms.range(&key..).take_while(is_like).find(is_first);
        [smaller, larger].map(|it| it.map(|it| *it.1))
    }
}
