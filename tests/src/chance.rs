//! Chance that a seed repeats: the same seed, the same story.

/// A source of numbers.
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// The source of a seed.
    pub fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number. (`SplitMix64`.)
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.any() % end as u64).unwrap_or_default()
    }

    /// The same things in an order by chance.
    pub fn shuffled<T>(&mut self, mut things: Vec<T>) -> Vec<T> {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
        things
    }
}
