//! `DOM`: what script cannot tell of a node.

use crate::{BackendId, ContextId, FoundId, FrameId, Nothing, ObjectId, SearchId, command::command};
use serde::Deserialize;

command!(/// Describes a node.
DescribeNode = "DOM.describeNode", true => DescribeReply {
    /// The node.
    object_id: ObjectId,
});

command!(/// Scrolls a node into view, through frames of any origin.
ScrollIntoViewIfNeeded = "DOM.scrollIntoViewIfNeeded", true => Nothing {
    /// The node.
    object_id: ObjectId,
});

command!(/// Holds a node as an object of one of its document's worlds, the page's own where none is named.
ResolveNode = "DOM.resolveNode", true => Resolved {
    /// The node.
    backend_node_id: BackendId,
    /// The world.
    #[serde(skip_serializing_if = "Option::is_none")]
    execution_context_id: Option<ContextId>,
    /// The group to release it with; without one it is held as long as its document is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    object_group: Option<String>,
});

command!(/// Begins to serve what is searched for, and what `Overlay` draws. Of the nodes of answers it tells from then on what becomes of them.
Enable = "DOM.enable", true => Nothing {});

command!(/// Ends that, and forgets what was found.
Disable = "DOM.disable", true => Nothing {});

command!(/// Looks for words in all nodes of a session's documents, those of closed shadow roots among them: `<name>` for
/// elements of that name, nothing for every node but processing instructions.
PerformSearch = "DOM.performSearch", true => Search {
    /// The words.
    query: String,
});

command!(/// Forgets what a search found.
DiscardSearchResults = "DOM.discardSearchResults", true => Nothing {
    /// The search.
    search_id: SearchId,
});

command!(/// A part of what a search found.
GetSearchResults = "DOM.getSearchResults", true => SearchResults {
    /// The search.
    search_id: SearchId,
    /// The first of them.
    from_index: u64,
    /// The one behind the last; no more than were found.
    to_index: u64,
});

command!(/// Holds a node that was found as an object of one of its document's worlds.
ResolveFound = "DOM.resolveNode", true => Resolved {
    /// The node.
    node_id: FoundId,
    /// The world.
    execution_context_id: ContextId,
    /// The group to release it with.
    object_group: String,
});

command!(/// Gives files to a file field, in place of the person's chooser. Of paths that lead nowhere the browser says nothing.
SetFileInputFiles = "DOM.setFileInputFiles", true => Nothing {
    /// Absolute paths.
    files: Vec<String>,
    /// The field.
    object_id: ObjectId,
});

command!(/// Asks where a node's boxes are.
GetBoxModel = "DOM.getBoxModel", true => BoxModelReply {
    /// The node.
    object_id: ObjectId,
});

/// Answer of [`GetBoxModel`].
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct BoxModelReply {
    /// The boxes.
    pub model: BoxModel,
}

/// Where a node's boxes are, whatever turns them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct BoxModel {
    /// The corners of what it holds: x and y of four, in CSS pixels of the viewport of the session's outermost document.
    pub content: [f64; 8],
}

/// Answer of [`PerformSearch`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Search {
    /// Its name, until `DOM` is disabled.
    pub search_id: SearchId,
    /// How many nodes it found.
    pub result_count: u64,
}

/// Answer of [`GetSearchResults`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResults {
    /// The nodes, in the order of their documents.
    pub node_ids: Vec<FoundId>,
}

/// Answer of [`ResolveNode`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Resolved {
    /// The node.
    pub object: crate::runtime::RemoteObject,
}

/// What is asked of a node.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// What the browser calls it within the session.
    pub backend_node_id: BackendId,
    /// The frame that an owner element shows.
    pub frame_id: Option<FrameId>,
    /// Its shadow root: one at most, but for what the browser makes for itself.
    #[serde(default)]
    pub shadow_roots: Vec<ShadowRoot>,
}

/// A shadow root.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShadowRoot {
    /// The node.
    pub backend_node_id: BackendId,
    /// Who may enter it.
    pub shadow_root_type: RootKind,
}

/// Who may enter a shadow root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootKind {
    /// Any script.
    Open,
    /// Whoever made it.
    Closed,
    /// The browser alone: the inside of a control.
    UserAgent,
}

/// Answer of [`DescribeNode`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DescribeReply {
    /// The node.
    pub node: Node,
}
