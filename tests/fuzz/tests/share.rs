//! A seeded share of what `cargo xtask fuzz` runs by the million.

use proptest::{
    collection::vec,
    prelude::any,
    strategy::{Strategy as _, ValueTree as _},
    test_runner::TestRunner,
};

/// How many cases each check is given.
const CASES: usize = 1_000;

/// One after the other: memory is counted for the whole process.
#[test]
fn no_bytes_do_harm() {
    let mut runner = TestRunner::deterministic();
    let bytes = vec(any::<u8>(), 0..1_500);
    for (name, check) in fuzz::CHECKS {
        for case in 0..CASES {
            let bytes = bytes.new_tree(&mut runner).expect("there are bytes").current();
            let held = std::panic::catch_unwind(|| check(&bytes));
            assert!(held.is_ok(), "{name}: case {case} does harm: {bytes:?}");
        }
    }
}
