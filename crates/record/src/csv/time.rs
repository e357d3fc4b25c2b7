//! Dates with times of day (ISO 8601) as exact seconds since 1970.

use dashu_ratio::RBig;

/// Whether a text looks like a date with a time of day.
pub(super) fn is_instant(text: &str) -> bool {
    instant(text).is_some()
}

/// The seconds since 1970 of `2026-11-17T08:54:31.25Z`; without a zone, the time is taken as universal.
pub(super) fn instant(text: &str) -> Option<RBig> {
    let (date, rest) = (text.get(..10)?, text.get(10..)?);
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let part = |text: &str, from: usize, to: usize| -> Option<i64> {
        text.get(from..to).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
    };
    let marks = |text: &str, mark: u8, places: [usize; 2]| {
        places.iter().all(|&at| text.as_bytes().get(at) == Some(&mark))
    };
    if !marks(date, b'-', [4, 7]) || !marks(rest, b':', [2, 5]) {
        return None;
    }
    let (year, month, day) = (part(date, 0, 4)?, part(date, 5, 7)?, part(date, 8, 10)?);
    let (hour, minute, second) = (part(rest, 0, 2)?, part(rest, 3, 5)?, part(rest, 6, 8)?);
    let tail = rest.get(8..)?;
    let zone_at = tail.find(['Z', 'z', '+', '-']).unwrap_or(tail.len());
    let (fraction, zone) = tail.split_at(zone_at);
    let fraction = match fraction.strip_prefix(['.', ',']) {
        Some(digits) => logic::parse_decimal(&format!("0.{digits}"))?,
        None if fraction.is_empty() => RBig::ZERO,
        None => return None,
    };
    let offset = match zone {
        "" | "Z" | "z" => 0,
        _ => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let digits: String = zone[1..].chars().filter(|it| *it != ':').collect();
            let minutes = if digits.len() == 2 { 0 } else { part(&digits, 2, 4)? };
            sign * (part(&digits, 0, 2)? * 3600 + minutes * 60)
        }
    };
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    Some(RBig::from(seconds) + fraction)
}

/// Days since 1970 of a date of the Gregorian calendar (Hinnant, *chrono-compatible low-level date algorithms*).
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_seconds_since_1970() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some("0")),
            ("2000-03-01 00:00:00", Some("951868800")),
            ("2026-11-17T08:54:31.25Z", Some("1794905671.25")),
            ("2026-11-17T10:54:31+02:00", Some("1794905671")),
            ("1969-12-31T23:59:59.5Z", Some("-0.5")),
            ("2026-11-17", None),
            ("2026-13-17T10:54:31", None),
            ("2026-11-17T10:54", None),
            ("x", None),
        ] {
            let found = instant(text).and_then(|seconds| logic::format_decimal(&seconds));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
