//! Days in sheets: a number with a date format is shown as `2024-05-01` or `2024-05-01T12:30:00`.
//!
//! A date is a count of days from the end of 1899 (or from 1904); the sheet counts a 29 February 1900 that never was.

use crate::xml::Document;
use std::collections::BTreeMap;

/// Which styles of a workbook are dates.
pub(super) struct Dates {
    /// Per style (`s` of a cell): whether it is a date.
    styles: Vec<bool>,
    from_1904: bool,
}

/// Reads the formats of a workbook.
pub(super) fn of(workbook: &Document, styles: Option<&Document>) -> Dates {
    let properties = workbook.child(Document::ROOT, "workbookPr");
    let flag = properties.and_then(|properties| workbook.attribute(properties, "date1904"));
    let from_1904 = flag.is_some_and(|flag| flag == "1" || flag == "true");
    let Some(styles) = styles else { return Dates { styles: Vec::new(), from_1904 } };
    let listed = |name| styles.child(Document::ROOT, name).into_iter().flat_map(|list| styles.children(list));
    let formats: BTreeMap<String, bool> = listed("numFmts")
        .filter_map(|format| {
            Some((styles.attribute(format, "numFmtId")?, is_date(&styles.attribute(format, "formatCode")?)))
        })
        .collect();
    let known = |id: String| match formats.get(&id) {
        Some(date) => *date,
        None => matches!(id.parse(), Ok(14..=17 | 22 | 27..=31 | 36 | 50..=54 | 57 | 58)),
    };
    let dates =
        listed("cellXfs").map(|style| styles.attribute(style, "numFmtId").is_some_and(known)).collect();
    Dates { styles: dates, from_1904 }
}

impl Dates {
    /// The date of a number in a cell with this style; none if it is not a date.
    pub(super) fn text(&self, style: Option<&str>, raw: &str) -> Option<String> {
        let style: usize = style?.parse().ok()?;
        if !*self.styles.get(style)? {
            return None;
        }
        let days: f64 = raw.parse().ok().filter(|days| (0.0..2_958_466.0).contains(days))?;
        let seconds = (days.fract() * 86_400.0).round() as u64;
        let day = days.trunc() as u64 + seconds / 86_400;
        let seconds = seconds % 86_400;
        // 1970-01-01 is day 25569 of the count from 1900 and day 24107 of that from 1904.
        let since_1970 = day as i64 - if self.from_1904 { 24_107 } else { 25_569 };
        if !self.from_1904 && day < 61 {
            return None; // around the day that never was
        }
        let (year, month, day) = civil(since_1970);
        let date = format!("{year:04}-{month:02}-{day:02}");
        Some(match seconds {
            0 => date,
            _ => format!("{date}T{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
        })
    }
}

/// Whether a format shows a year or a day, outside quotes, brackets and escapes.
fn is_date(code: &str) -> bool {
    let mut closing = None;
    let mut skip = false;
    for c in code.chars() {
        match (closing, c) {
            _ if skip => skip = false,
            (Some(end), _) => {
                if c == end {
                    closing = None;
                }
            }
            (None, '"') => closing = Some('"'),
            (None, '[') => closing = Some(']'),
            (None, '\\' | '_' | '*') => skip = true,
            (None, 'd' | 'D' | 'y' | 'Y') => return true,
            (None, _) => {}
        }
    }
    false
}

/// Year, month and day for days since 1970-01-01, counted in years that begin in March.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_days() {
        let dates = Dates { styles: vec![false, true], from_1904: false };
        let cases = [
            ("45413", Some("2024-05-01")),
            ("45413.5208333333", Some("2024-05-01T12:30:00")),
            ("61", Some("1900-03-01")),
            ("60", None),
            ("36584.99999999999", Some("2000-02-29")),
            ("-1", None),
            ("1e300", None),
            ("x", None),
        ];
        for (raw, expected) in cases {
            assert_eq!(dates.text(Some("1"), raw).as_deref(), expected, "{raw}");
        }
        assert_eq!(dates.text(Some("0"), "45413"), None);
        assert_eq!(dates.text(Some("9"), "45413"), None);
        let other = Dates { styles: vec![true], from_1904: true };
        assert_eq!(other.text(Some("0"), "43951").as_deref(), Some("2024-05-01"));
    }

    #[test]
    fn formats_are_told_apart() {
        for (code, expected) in [
            ("yyyy-mm-dd", true),
            ("0.00", false),
            ("[Red]0", false),
            ("\"day\" 0", false),
            ("\\d0", false),
            ("h:mm", false),
        ] {
            assert_eq!(is_date(code), expected, "{code}");
        }
    }
}
