//! `DOM`: what script cannot tell of a node.

use crate::{BackendId, ContextId, FrameId, Nothing, ObjectId, command::command};
use serde::Deserialize;

command!(/// Has the browser keep track of nodes; `Overlay` wants it.
Enable = "DOM.enable", true => Nothing {});

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
