//! What it takes to try Tabwright as it is used: a real browser with the extension and the host, an agent that
//! speaks MCP, and pages that keep a record of what really happened to them. Used by the end-to-end tests and by
//! `cargo xtask demo`; never by anything that ships.

#![allow(clippy::missing_errors_doc, reason = "each error is a sentence for the person who runs the tests")]

pub mod bare;
pub mod browser;
pub mod chance;
pub mod client;
pub mod crowd;
pub mod namesakes;
pub mod outline;
pub mod pipe;
mod record;
pub mod rounds;
pub mod shop;
pub mod site;
pub mod transcript;

use std::path::PathBuf;

/// The two halves of the product, built.
#[derive(Debug, Clone)]
pub struct Product {
    /// The folder that `cargo xtask dist` wrote.
    pub extension: PathBuf,
    /// The binary `tabwright`.
    pub host: PathBuf,
}

/// The page scripts that a capture takes, in the order in which they go to a document.
pub const COLLECTOR: &str = concat!(
    include_str!("../../extension/worker/own.js"),
    include_str!("../../extension/worker/mutations.js"),
    include_str!("../../extension/worker/delta.js"),
    include_str!("../../extension/worker/names.js"),
    include_str!("../../extension/worker/element.js"),
    include_str!("../../extension/worker/collector.js"),
);
