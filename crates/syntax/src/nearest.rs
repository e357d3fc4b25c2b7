//! "Did you mean": the nearest of some known words.

/// The candidate with the fewest edits from `word`, if it is close enough to be a typo. Case is ignored; among equally close
/// candidates the first wins.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    const LONGEST: usize = 40;
    if word.len() > LONGEST {
        return None;
    }
    let word: Vec<char> = word.to_lowercase().chars().collect();
    let allowed = match word.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    candidates
        .into_iter()
        .filter(|candidate| {
            candidate.len() <= LONGEST && candidate.chars().count().abs_diff(word.len()) <= allowed
        })
        .map(|candidate| (edits(&word, &candidate.to_lowercase().chars().collect::<Vec<_>>()), candidate))
        .filter(|&(edits, _)| edits <= allowed)
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, replacements and swaps of adjacent characters that turn one word into the other (optimal
/// string alignment).
fn edits(from: &[char], to: &[char]) -> usize {
    let mut rows = vec![vec![0; to.len() + 1]; from.len() + 1];
    for i in 0..=from.len() {
        for j in 0..=to.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let differs = usize::from(from[i - 1] != to[j - 1]);
                let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + differs);
                if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn typos_are_corrected_and_other_words_left_alone() {
        let known = ["shall", "satisfy", "within", "seconds"];
        for (word, expected) in [
            ("shal", Some("shall")),
            ("hsall", Some("shall")),
            ("SATISFIES", None),
            ("satsify", Some("satisfy")),
            ("withn", Some("within")),
            ("secnds", Some("seconds")),
            ("nickel", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }
}
