//! The real program against a played browser: who meets whom, and whether every call is answered.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod browser;
mod doctor;
mod hostile;
mod installing;
mod meeting;
mod outcomes;
mod round_trip;
