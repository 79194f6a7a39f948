//! The real program against a played browser: who meets whom, and whether every call is answered.
#![cfg(unix)]

mod browser;
mod meeting;
mod round_trip;
