//! The constructions, checked word by word.

use super::{Dfa, Track};

const A: Track = Track(0);
const B: Track = Track(1);

/// Somewhere track A, exactly `n` steps later track B.
fn later(n: u32) -> Dfa {
    // 0: not yet; 1..=n: that number of steps to go; then seen, or failed.
    let (seen, failed) = (n + 1, n + 2);
    let mut accepting = vec![false; n as usize + 3];
    accepting[seen as usize] = true;
    Dfa::new(&[A, B], accepting, |state, letter| match state {
        0 if letter & 1 == 0 => 0,
        0 if n == 0 => {
            if letter & 2 != 0 {
                seen
            } else {
                failed
            }
        }
        0 => 1,
        _ if state < n => state + 1,
        _ if state == n => {
            if letter & 2 != 0 {
                seen
            } else {
                failed
            }
        }
        _ => state,
    })
}

fn run(dfa: &Dfa, tracks: &[Track], word: &[u32]) -> bool {
    let letters = dfa.restriction(tracks);
    dfa.accepts(word.iter().fold(0, |state, &letter| dfa.step(state, letters[letter as usize])))
}

fn words(length: usize) -> impl Iterator<Item = Vec<u32>> {
    (0..1u32 << (2 * length)).map(move |number| (0..length).map(|k| number >> (2 * k) & 3).collect())
}

#[test]
fn products_complements_and_reversal() {
    for n in 0..3 {
        let (one, two) = (later(n), later(n + 1));
        let both = one.and(&two);
        let neither = one.or(&two).complement();
        let back = one.reversed().unwrap();
        for length in 0..=4 {
            for word in words(length) {
                let tracks = [A, B];
                let (x, y) = (run(&one, &tracks, &word), run(&two, &tracks, &word));
                assert_eq!(run(&both, &tracks, &word), x && y);
                assert_eq!(run(&neither, &tracks, &word), !(x || y));
                let reversed: Vec<u32> = word.iter().rev().copied().collect();
                assert_eq!(run(&back, &tracks, &reversed), x, "{word:?}");
            }
        }
        assert_eq!(back.reversed().unwrap(), one);
    }
}

#[test]
fn projection_guesses_the_track() {
    let some = later(1).project(B).unwrap();
    for length in 0..=4 {
        for word in words(length) {
            let first = word.iter().position(|letter| letter & 1 == 1);
            assert_eq!(run(&some, &[A, B], &word), first.is_some_and(|at| at + 1 < length), "{word:?}");
        }
    }
    assert_eq!(some.tracks(), [A]);
}

#[test]
fn differences_are_shortest() {
    let (tracks, word) = later(1).difference(&later(2)).unwrap();
    assert_eq!((tracks, word), (vec![A, B], vec![1, 2]));
    assert_eq!(later(2).difference(&later(2)), None);
    assert_eq!(Dfa::constant(true).difference(&Dfa::constant(false)).unwrap().1, vec![0]);
    assert_eq!(Dfa::constant(true).shortest_nonempty(), Some(vec![0]));
}
