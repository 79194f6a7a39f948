//! Time as the engine knows it: told by the shell, never asked for.

use serde::{Deserialize, Serialize};
use std::ops::{Add, Sub};

/// A moment, in milliseconds since a fixed one that the shell chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Instant(pub u64);

/// A length of time in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Add<Millis> for Instant {
    type Output = Self;
    fn add(self, length: Millis) -> Self {
        Self(self.0.saturating_add(length.0))
    }
}

impl Add for Millis {
    type Output = Self;
    fn add(self, more: Self) -> Self {
        Self(self.0.saturating_add(more.0))
    }
}

impl Sub for Instant {
    type Output = Millis;
    fn sub(self, earlier: Self) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
}

impl std::fmt::Display for Millis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 >= 1000 && self.0.is_multiple_of(100) {
            let tenths = self.0 / 100;
            if tenths.is_multiple_of(10) {
                write!(f, "{} s", tenths / 10)
            } else {
                write!(f, "{}.{} s", tenths / 10, tenths % 10)
            }
        } else {
            write!(f, "{} ms", self.0)
        }
    }
}
