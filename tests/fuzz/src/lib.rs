//! The parsers that read what others wrote, each as a check that takes any bytes: whatever they are, nothing panics,
//! what is refused is refused by name, and memory stays within twice the limit that is declared. The same checks run
//! under libFuzzer (`cargo xtask fuzz`, a million cases each) and, a seeded share of them, in the tests.

pub mod arguments;
pub mod chunks;
pub mod facts;
pub mod frames;
pub mod handshake;
mod mutate;

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A check, under the name of its target.
pub type Check = (&'static str, fn(&[u8]));

/// All of them.
pub const CHECKS: [Check; 5] = [
    ("frames", frames::check),
    ("chunks", chunks::check),
    ("handshake", handshake::check),
    ("arguments", arguments::check),
    ("facts", facts::check),
];

/// What is held against a limit: memory taken since it was made.
struct Memory {
    before: usize,
}

impl Memory {
    /// Counts from now on.
    fn now() -> Self {
        Self { before: MEMORY.current_usage() }
    }

    /// Does work, after which no more may have been held at its peak than twice the limit, in bytes. What is allowed
    /// besides is for the work's own frame (an error's words, an empty map), whatever the limit.
    ///
    /// # Panics
    /// When it is more. Other threads that allocate meanwhile are counted in.
    fn bounded<T>(&self, limit: usize, work: impl FnOnce() -> T) -> T {
        const BESIDES: usize = 512;
        MEMORY.reset_peak_usage();
        let made = work();
        let taken = MEMORY.peak_usage().saturating_sub(self.before);
        assert!(taken <= 2 * limit + BESIDES, "{taken} bytes of memory are held; the limit is {limit}");
        made
    }
}
