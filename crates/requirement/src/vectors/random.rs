//! Random settings: up to three intervals per signal, with ends drawn from all points.

use super::Setting;
use base::SplitMix;

/// The maximum number of intervals of a signal, as in the paper.
const MOST_INTERVALS: u64 = 3;

/// `count` settings of this length. Without `steps` the durations are random too, from zero to the length plus one. Equal seeds
/// produce equal settings.
pub fn random(length: usize, steps: Option<u64>, count: usize, seed: u64) -> Vec<Setting> {
    let mut rng = SplitMix::new(seed);
    let setting = |_| {
        let drawn = rng.bits() % (length as u64 + 2);
        let columns = std::array::from_fn(|_| column(&mut rng, length));
        Setting::from_columns(steps.unwrap_or(drawn), &columns)
    };
    (0..count).map(setting).collect()
}

/// A column with a random number of intervals, as far as they fit.
fn column(rng: &mut SplitMix, length: usize) -> Vec<bool> {
    let asked = (rng.bits() % (MOST_INTERVALS + 1)) as usize;
    let mut ends: Vec<usize> = Vec::new();
    // Two different points delimit a nonempty interval, and different ends keep intervals apart.
    while ends.len() < 2 * asked.min(length.div_ceil(2)) {
        let end = (rng.bits() % (length as u64 + 1)) as usize;
        if !ends.contains(&end) {
            ends.push(end);
        }
    }
    ends.sort_unstable();
    (0..length).map(|position| ends.iter().filter(|&&end| end <= position).count() % 2 == 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_decide() {
        assert_eq!(random(8, None, 50, 7), random(8, None, 50, 7));
        assert_ne!(random(8, None, 50, 7), random(8, None, 50, 8));
        assert_eq!(random(8, None, 50, 7)[..20], random(8, None, 20, 7));
        assert!(random(8, Some(4), 50, 7).iter().all(|setting| setting.steps == 4));
    }

    #[test]
    fn everything_can_be_drawn() {
        for length in 1..=12 {
            let settings = random(length, None, 2_000, 1);
            for steps in 0..=length as u64 + 1 {
                assert!(settings.iter().any(|setting| setting.steps == steps));
            }
            for signal in 0..4 {
                let most = MOST_INTERVALS as usize;
                for count in 0..=most.min(length.div_ceil(2)) {
                    let drawn = |setting: &Setting| setting.signals[signal].len() == count;
                    assert!(settings.iter().any(drawn), "{count} intervals in {length}");
                }
                assert!(settings.iter().all(|setting| setting.signals[signal].len() <= most));
            }
        }
    }
}
