//! Figures taken several times: what counts is the median.

use serde::Serialize;
use std::time::Duration;

/// Figures of one kind, in the order they were taken.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Series(Vec<f64>);

impl Series {
    /// Adds a figure.
    pub fn add(&mut self, figure: f64) {
        self.0.push(figure);
    }

    /// Adds a length of time, in milliseconds.
    pub fn add_time(&mut self, time: Duration) {
        self.add(time.as_secs_f64() * 1_000.0);
    }

    /// The median; of an even count, the mean of the middle two. None without figures.
    pub fn median(&self) -> Option<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let upper = *sorted.get(sorted.len() / 2)?;
        if sorted.len() % 2 == 1 {
            return Some(upper);
        }
        let lower = *sorted.get(sorted.len() / 2 - 1)?;
        Some(f64::midpoint(lower, upper))
    }

    /// The median as a multiple of another's.
    pub fn against(&self, base: &Self) -> Option<f64> {
        let (figure, base) = (self.median()?, base.median()?);
        (base > 0.0).then(|| figure / base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(figures: &[f64]) -> Series {
        Series(figures.to_vec())
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(series(&[]).median(), None);
        assert_eq!(series(&[3.0, 1.0, 2.0]).median(), Some(2.0));
        assert_eq!(series(&[4.0, 1.0, 2.0, 3.0]).median(), Some(2.5));
    }

    #[test]
    fn a_ratio_needs_both() {
        assert_eq!(series(&[6.0]).against(&series(&[3.0])), Some(2.0));
        assert_eq!(series(&[6.0]).against(&series(&[])), None);
        assert_eq!(series(&[6.0]).against(&series(&[0.0])), None);
    }
}
