//! Sets aside what a person does not meet. What can be worked all the same (a file field behind a styled button) stays.

use crate::tree::{Cut, Tree};

pub(super) fn pass(tree: &mut Tree) {
    for node in tree.nodes_mut() {
        if node.hidden && !node.wants_ref {
            node.cut = Some(Cut::Hidden);
        }
    }
}
