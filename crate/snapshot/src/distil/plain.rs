//! Sets aside elements that say nothing their content does not: generic boxes, paragraphs, emphasis. What has a ref
//! stays, but for one whose sole content is another thing to act on.

use crate::role::Role;
use crate::tree::{Cut, Tree};

pub(super) fn pass(tree: &mut Tree) {
    for node in tree.nodes_mut() {
        if node.cut.is_some() || node.is_referable() {
            continue;
        }
        if node.role.is_plain() || node.role == Role::Document {
            node.cut = Some(Cut::Plain);
        }
    }
}
