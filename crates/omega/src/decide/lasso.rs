//! Whether an automaton accepts a given word: a lasso, or a finite word.

use crate::automaton::Buchi;

/// Whether the automaton accepts the infinite word that goes through the letters and back to `loop_start` forever. A letter contains
/// the value of each atom.
///
/// False if there is no such word because the loop is empty.
pub fn accepts_lasso(buchi: &Buchi, letters: &[Vec<bool>], loop_start: usize) -> bool {
    let len = letters.len();
    if loop_start >= len {
        return false;
    }
    let n = buchi.steps.len();
    let next = |position: usize| if position + 1 == len { loop_start } else { position + 1 };
    let successors = |(state, position): (usize, usize)| {
        buchi.steps[state]
            .iter()
            .filter(move |step| buchi.guards.value(step.guard, &letters[position]))
            .map(move |step| (step.target as usize, next(position)))
    };
    let reach = |from: Vec<(usize, usize)>| {
        let mut seen = vec![false; n * len];
        let mut open = from;
        while let Some(place) = open.pop() {
            for (state, position) in successors(place) {
                if !std::mem::replace(&mut seen[state * len + position], true) {
                    open.push((state, position));
                }
            }
        }
        seen
    };
    let start = (buchi.initial as usize, 0);
    let reached = reach(vec![start]);
    let on_loop = (0..n)
        .filter(|&state| buchi.accepting[state])
        .flat_map(|state| (loop_start..len).map(move |position| (state, position)));
    on_loop
        .filter(|&(state, position)| reached[state * len + position] || (state, position) == start)
        .any(|(state, position)| reach(vec![(state, position)])[state * len + position])
}

/// Whether the automaton, as one on finite words, accepts the word.
pub fn accepts_word(buchi: &Buchi, letters: &[Vec<bool>]) -> bool {
    let mut states = vec![false; buchi.steps.len()];
    states[buchi.initial as usize] = true;
    for letter in letters {
        let mut next = vec![false; states.len()];
        for (state, steps) in buchi.steps.iter().enumerate().filter(|(state, _)| states[*state]) {
            debug_assert!(states[state], "only states that are reached are left");
            for step in steps.iter().filter(|step| buchi.guards.value(step.guard, letter)) {
                next[step.target as usize] = true;
            }
        }
        states = next;
    }
    states.iter().zip(&buchi.accepting).any(|(&reached, &accepting)| reached && accepting)
}
