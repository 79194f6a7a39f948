//! `Fetch`: requests for documents are stopped on their way until we say that they may go on. Nothing of them is changed,
//! and no other request is stopped.

use crate::{FetchRequestId, Nothing, command::command};
use serde::Serialize;

command!(/// Stops requests that fit, before they leave, and tells of each.
Enable = "Fetch.enable", false => Nothing {
    /// Which.
    patterns: Vec<Pattern>,
});

command!(/// Stops no more requests; those that are stopped go on.
    Disable = "Fetch.disable", false => Nothing {});

command!(/// Lets a request go on as it is.
Continue = "Fetch.continueRequest", false => Nothing {
    /// Which.
    request_id: FetchRequestId,
});

command!(/// Ends a request. It never leaves.
Fail = "Fetch.failRequest", false => Nothing {
    /// Which.
    request_id: FetchRequestId,
    /// What the page is told.
    error_reason: Reason,
});

/// Which requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pattern {
    /// `*` for any address.
    pub url_pattern: &'static str,
    /// What it is for.
    pub resource_type: &'static str,
    /// Before it leaves, or when the answer's head has come.
    pub request_stage: &'static str,
}

/// What a page is told of a request that was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Reason {
    /// As if the person had stopped it: what was shown stays.
    Aborted,
    /// An error page takes the place.
    BlockedByClient,
}

impl Enable {
    /// Documents alone: of pages, frames, and what becomes a download.
    pub fn documents() -> Self {
        let documents = Pattern { url_pattern: "*", resource_type: "Document", request_stage: "Request" };
        Self { patterns: vec![documents] }
    }
}
