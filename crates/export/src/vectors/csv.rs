//! Vectors as CSV: `index,length,n,modes,conds,stops,resps,key,expected`.
//!
//! A list of intervals is written `0-3;5-5`, with both ends included; the key has commas and is quoted.

use requirement::Key;
use requirement::vectors::Setting;

/// The first line.
pub const HEADER: &str = "index,length,n,modes,conds,stops,resps,key,expected\n";

/// The lines of one setting: one for each template, in the order given.
pub fn rows<'a>(
    index: usize,
    setting: &Setting,
    verdicts: impl IntoIterator<Item = (&'a Key, bool)>,
) -> String {
    let [modes, conds, stops, resps] = [0, 1, 2, 3].map(|atom| setting.intervals(atom));
    let trace = format!("{index},{},{},{modes},{conds},{stops},{resps}", setting.length, setting.steps);
    verdicts.into_iter().map(|(key, expected)| format!("{trace},\"{key}\",{expected}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use requirement::oracle::Interval;

    #[test]
    fn one_row_per_template() {
        let interval = |lo, hi| Interval { lo, hi };
        let signals =
            [vec![interval(0, 3), interval(5, 5)], vec![interval(2, 2)], Vec::new(), vec![interval(0, 7)]];
        let setting = Setting { length: 8, steps: 3, signals };
        let keys = ["within", "until"].map(|timing| Key { scope: "in", condition: "regular", timing });
        let text = rows(4, &setting, keys.iter().zip([true, false]));
        assert_eq!(
            text,
            "4,8,3,0-3;5-5,2-2,,0-7,\"in,regular,within\",true\n\
             4,8,3,0-3;5-5,2-2,,0-7,\"in,regular,until\",false\n"
        );
        assert_eq!(HEADER.split(',').count(), 9);
    }
}
