//! Numbers that look random and are the same for the same seed: for random search and for tests, not for secrets.

/// Xorshift with 64 bits (Marsaglia 2003).
///
/// ```
/// let mut random = shall_base::Random::new(7);
/// let face = 1 + random.below(6_u8);
/// assert!((1..=6).contains(&face) && ["a", "b"].contains(&random.pick(&["a", "b"])));
/// ```
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next 64 bits; they are never all 0.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number from 0 on that is less than the limit; 0 if the limit is 0.
    pub fn below<N: TryFrom<u64>>(&mut self, limit: N) -> N
    where
        u64: TryFrom<N>,
    {
        let limit = u64::try_from(limit).unwrap_or(1).max(1);
        let number = (self.bits() >> 11) % limit;
        N::try_from(number).unwrap_or_else(|_| unreachable!("a number below the limit has the limit's type"))
    }

    /// One of these items, of which there must be at least one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the sequences of neighbouring seeds have nothing in common.
#[derive(Debug, Clone)]
pub struct SplitMix(u64);

impl SplitMix {
    /// The generator of a seed.
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
