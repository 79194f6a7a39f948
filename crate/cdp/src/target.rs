//! `Target`: sessions of cross-process frames.

use crate::{Nothing, command::command};
use serde::Serialize;

command!(/// Attaches to the cross-process frames below this session. Not recursive: each child is asked again.
SetAutoAttach = "Target.setAutoAttach", false => Nothing {
    /// On or off.
    auto_attach: bool,
    /// Whether a new frame waits until we let it go on.
    wait_for_debugger_on_start: bool,
    /// Sessions by id; true from the very first call on.
    flatten: bool,
    /// What to attach to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    filter: Vec<FilterEntry>,
});

/// One rule of a filter; the first that fits decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FilterEntry {
    /// The type of target; any when absent.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Whether to leave such targets out.
    pub exclude: bool,
}

impl SetAutoAttach {
    /// Frames only, waiting until we let them go on.
    pub fn frames() -> Self {
        let frames = FilterEntry { kind: Some("iframe".into()), exclude: false };
        let others = FilterEntry { kind: None, exclude: true };
        Self {
            auto_attach: true,
            wait_for_debugger_on_start: true,
            flatten: true,
            filter: vec![frames, others],
        }
    }

    /// Nothing any more: sessions of frames end. Chrome takes no filter with it.
    pub fn off() -> Self {
        Self { auto_attach: false, wait_for_debugger_on_start: false, flatten: true, filter: Vec::new() }
    }
}
