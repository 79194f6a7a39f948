//! What is measured of one page.

use super::{pages::Kind, peers, series::Series};
use serde::Serialize;
use std::collections::BTreeMap;

/// The figures of one page. Times in milliseconds, sizes in tokens of `o200k_base`, memory in bytes.
#[derive(Debug, Serialize)]
pub struct Figures {
    pub name: String,
    #[serde(skip)]
    pub kind: Kind,
    /// How many elements it has, over all frames.
    pub elements: u64,
    /// How many of them can be acted on, by what anybody would take for such a thing.
    pub controls: u64,

    /// `snapshot` in the moment in which a document has loaded, with its usual budget: nothing was read ahead.
    pub at_once: Series,
    /// `snapshot` of a document that no call looked at, once it has come to rest.
    pub first: Series,
    /// `snapshot` of such a document, all of it.
    pub whole: Series,
    /// `snapshot` once more, with nothing changed.
    pub again: Series,
    /// `diff` after one text changed and the page came to rest: no settling is in it.
    pub diff: Series,
    /// `act kind=click` on a ready button, the whole call: press, settling, diff.
    pub click: Series,
    /// Of that, from the request to the press's arrival in the page.
    pub press: Series,
    /// Of that, from the request's arrival in the worker.
    pub reach: Series,
    /// Of the whole call, what is beyond settling: from when the page had been quiet for as long as settling asks, to the reply.
    pub told: Series,
    /// `act kind=click` on a button far down, which must be scrolled to and come to rest first. The whole call. Taken
    /// on lists.
    pub far_click: Series,

    /// The collector alone on a document that was never looked at.
    pub collector_first: Series,
    /// The collector alone, once more.
    pub collector_again: Series,
    /// The browser's accessibility tree, over the pipe.
    pub accessibility: Series,

    /// The size of a snapshot with its usual budget.
    pub first_tokens: usize,
    /// The size of the whole page.
    pub whole_tokens: usize,
    /// The size of the whole page in interactive mode.
    pub interactive_tokens: usize,
    /// The size of the page's visible text alone: the floor.
    pub text_tokens: usize,
    /// The size of the diff.
    pub diff_tokens: Series,

    /// The wasm's memory, of a worker that saw no other page.
    pub wasm_memory: u64,
    /// The largest resident size of the host that the browser started, where the system tells.
    pub host_peak: Option<u64>,
    /// The largest resident size of the agent's `tabwright mcp`, where the system tells.
    pub mcp_peak: Option<u64>,

    /// The same page seen by others.
    pub peers: BTreeMap<peers::Name, peers::Figures>,
}

impl Figures {
    pub fn new(name: String, kind: Kind) -> Self {
        Self {
            name,
            kind,
            elements: 0,
            controls: 0,
            at_once: Series::default(),
            first: Series::default(),
            whole: Series::default(),
            again: Series::default(),
            diff: Series::default(),
            click: Series::default(),
            press: Series::default(),
            reach: Series::default(),
            told: Series::default(),
            far_click: Series::default(),
            collector_first: Series::default(),
            collector_again: Series::default(),
            accessibility: Series::default(),
            first_tokens: 0,
            whole_tokens: 0,
            interactive_tokens: 0,
            text_tokens: 0,
            diff_tokens: Series::default(),
            wasm_memory: 0,
            host_peak: None,
            mcp_peak: None,
            peers: BTreeMap::new(),
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub fn count(number: usize) -> f64 {
    number as f64
}

/// Bytes as megabytes.
#[allow(clippy::cast_precision_loss, reason = "sizes far below 2^52")]
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1_000_000.0
}
