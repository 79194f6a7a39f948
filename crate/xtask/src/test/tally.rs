//! Counting what passed and what failed, also out of what cargo's test programs say.

use crate::{process, tidy};
use anyhow::{Context as _, Result};
use std::{
    fmt,
    io::{BufRead as _, BufReader},
    ops::AddAssign,
    process::{Command, Stdio},
};

/// How many checks passed and how many failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
}

impl Tally {
    /// One check, passed.
    pub const PASSED: Self = Self { passed: 1, failed: 0 };
    /// One check, failed.
    pub const FAILED: Self = Self { passed: 0, failed: 1 };
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl From<tidy::Kept> for Tally {
    fn from(rules: tidy::Kept) -> Self {
        Self { passed: rules.kept, failed: rules.broken }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Runs test programs, shows what they say, and adds up their results. Programs that end badly without saying that
/// a test failed (they did not compile, or crashed) count as one failure.
pub fn count(command: &mut Command) -> Result<Tally> {
    let words = process::spelled(command);
    let mut child =
        command.stdout(Stdio::piped()).spawn().with_context(|| format!("`{words}` could not be started"))?;
    let mut tally = Tally::default();
    if let Some(said) = child.stdout.take() {
        for line in BufReader::new(said).lines() {
            let line = line.with_context(|| format!("what `{words}` says is not UTF-8"))?;
            if let Some(result) = read(&line) {
                tally += result;
            }
            if worth_showing(&line) {
                eprintln!("{line}");
            }
        }
    }
    if !child.wait()?.success() && tally.failed == 0 {
        eprintln!("`{words}` failed without a failed test");
        tally += Tally::FAILED;
    }
    Ok(tally)
}

/// `test result: ok. 12 passed; 0 failed; 1 ignored; …`
fn read(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    let number = |word: &str| {
        let part = counts.split("; ").find(|part| part.ends_with(word))?;
        part.split(' ').next()?.parse().ok()
    };
    Some(Tally { passed: number(" passed")?, failed: number(" failed")? })
}

/// Crates without tests say so at length, and tests that do not run one by one.
fn worth_showing(line: &str) -> bool {
    !line.trim().is_empty()
        && line != "running 0 tests"
        && !line.contains("ok. 0 passed; 0 failed; 0 ignored")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_test_programs_are_read() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s";
        assert_eq!(read(line), Some(Tally { passed: 12, failed: 3 }));
        assert_eq!(read("test foo ... ok"), None);
    }

    #[test]
    fn the_sum_is_one_plain_line() {
        assert_eq!(Tally { passed: 7, failed: 0 }.to_string(), "7 passed, 0 failed");
    }
}
