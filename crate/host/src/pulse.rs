//! Whether the other end of a pipe still lives: after a silence it is asked, and what does not answer then is dead. A
//! process that hangs keeps its pipes open. Decides only; the time is given.

use std::time::Duration;
use tokio::time::Instant;

/// After how long a silence the other end is asked.
const QUIET: Duration = Duration::from_secs(20);

/// How long it may take to say anything then.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a silence means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is asked, with this number.
    Ask {
        /// Comes back in the answer; whatever comes back will do.
        nonce: u64,
    },
    /// It was asked and said nothing.
    Dead,
}

/// The pulse of one pipe.
#[derive(Debug)]
pub struct Pulse {
    last: Instant,
    asked: Option<Instant>,
    nonce: u64,
}

impl Pulse {
    /// Heard now.
    pub fn new(now: Instant) -> Self {
        Self { last: now, asked: None, nonce: 0 }
    }

    /// The other end said something.
    pub fn heard(&mut self, now: Instant) {
        self.last = now;
        self.asked = None;
    }

    /// When to ask [`Self::passed`].
    pub fn due(&self) -> Instant {
        self.asked.map_or(self.last + QUIET, |asked| asked + PATIENCE)
    }

    /// The time of [`Self::due`] has come.
    pub fn passed(&mut self, now: Instant) -> Verdict {
        if self.asked.is_some() {
            return Verdict::Dead;
        }
        self.asked = Some(now);
        self.nonce += 1;
        Verdict::Ask { nonce: self.nonce }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_is_dead_within_half_a_minute_and_what_answers_is_asked_again() {
        let start = Instant::now();
        let mut pulse = Pulse::new(start);
        let asked = pulse.due();
        assert_eq!(pulse.passed(asked), Verdict::Ask { nonce: 1 });
        let answered = asked + Duration::from_secs(9);
        assert!(answered < pulse.due());
        pulse.heard(answered);
        assert_eq!(pulse.due(), answered + QUIET);
        let again = pulse.due();
        assert_eq!(pulse.passed(again), Verdict::Ask { nonce: 2 });
        assert_eq!(pulse.due() - answered, Duration::from_secs(30));
        assert_eq!(pulse.passed(pulse.due()), Verdict::Dead);
    }
}
