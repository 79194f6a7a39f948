//! [`fuzz::handshake`] under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::handshake::check(bytes));
