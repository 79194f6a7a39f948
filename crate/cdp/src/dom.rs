//! `DOM`: what script cannot tell of a node.

use crate::{FrameId, ObjectId, command::command};
use serde::Deserialize;

command!(/// Describes a node.
DescribeNode = "DOM.describeNode", true => DescribeReply {
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
