//! `DOMDebugger`: which nodes the page listens on. No breakpoints.

use crate::{BackendId, ObjectId, command::command};
use serde::Deserialize;

command!(/// The listeners of a node and, at depth -1, of all that is in it.
GetEventListeners = "DOMDebugger.getEventListeners", true => Listeners {
    /// The node.
    object_id: ObjectId,
    /// How many levels; -1 for all.
    depth: i32,
    /// Whether listeners of every script world are told, and shadow roots and frames are entered.
    pierce: bool,
});

/// Answer of [`GetEventListeners`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Listeners {
    /// In document order.
    pub listeners: Vec<Listener>,
}

/// One listener.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Listener {
    /// The event.
    #[serde(rename = "type")]
    pub event: String,
    /// The node; none for the window.
    pub backend_node_id: Option<BackendId>,
}
