//! `DOM`: what script cannot tell of a node.

use crate::{FrameId, Nothing, ObjectId, command::command};
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

/// What is asked of a node.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// The frame that an owner element shows.
    pub frame_id: Option<FrameId>,
}

/// Answer of [`DescribeNode`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DescribeReply {
    /// The node.
    pub node: Node,
}
