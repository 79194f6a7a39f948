//! How far the two sides agree, and how far they must.

use anyhow::{Result, ensure};
use std::{fmt, ops::AddAssign};

/// How many of so many agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Nodes that can be acted on.
    pub acting: usize,
    pub acting_agree: usize,
    pub all: usize,
    pub all_agree: usize,
}

impl Tally {
    /// Counts one node.
    pub fn add(&mut self, acts: bool, agrees: bool) {
        self.all += 1;
        self.all_agree += usize::from(agrees);
        if acts {
            self.acting += 1;
            self.acting_agree += usize::from(agrees);
        }
    }

    /// 99.5 % of what can be acted on, 99 % of all.
    pub fn suffices(&self) -> Result<()> {
        ensure!(self.acting_agree * 1000 >= self.acting * 995, "too few that can be acted on agree: {self}");
        ensure!(self.all_agree * 100 >= self.all * 99, "too few agree: {self}");
        Ok(())
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.acting += other.acting;
        self.acting_agree += other.acting_agree;
        self.all += other.all;
        self.all_agree += other.all_agree;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "acted on {}/{}, all {}/{}", self.acting_agree, self.acting, self.all_agree, self.all)
    }
}
