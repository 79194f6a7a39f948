//! Decides what happens in the browser: reads calls of agents, works tabs, answers. sans-IO: it takes inputs with
//! their time and gives outputs; it waits on nothing real and knows no JavaScript value, socket or file.
//!
//! `handle(now, Input)`, then `poll()` until it is empty, then sleep until `next_wake()`.

#![warn(missing_docs)]
#![allow(
    clippy::result_large_err,
    reason = "a failure is made once a call and carries the words of its reply"
)]

mod act;
mod address;
mod agent;
mod ahead;
mod browser;
mod capture;
mod census;
pub mod clock;
mod consent;
mod dialog;
mod download;
mod failure;
mod fill_in;
mod find;
mod hand;
mod host_link;
pub mod io;
mod journal;
mod ledger;
mod locate;
mod look;
mod mark;
mod navigate;
mod nodes;
mod overlay;
mod panel;
mod person;
mod place;
mod pointing;
mod popup;
mod read;
mod reading;
mod reply;
mod request;
mod scope;
mod screenshot;
mod secret;
mod session;
mod settings;
mod settle;
mod shown;
mod store;
mod tab;
mod tabs;
mod target;
mod task;
mod wait;
mod wayside;
mod welcome;
mod words;

pub use browser::Engine;
pub use cdp::Answer;
pub use clock::{Instant, Millis};
pub use io::{CallError, CallId, CallResult, ChromeCall, ChromeTab, Input, Intent, Output, Started};
pub use words::Sentence;

/// The events of `chrome.debugger` that are of any use here: the shell drops the others before they are copied.
pub const KNOWN_EVENTS: &[&str] = cdp::Event::KNOWN;
