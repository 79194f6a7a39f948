//! Sets aside the drawn parts of something that is one image: the bars and points of a chart, each with a `<title>` that
//! shows only under the mouse. The children of an image are presentational (ARIA 1.2); what can be acted on in it, and
//! words that are drawn, stay.

use crate::role::Role;
use crate::tree::{At, Cut, Tree};

pub(super) fn pass(tree: &mut Tree) {
    let images: Vec<At> = tree
        .shown()
        .filter(|(_, node)| node.role() == Role::Image && !node.name().is_empty())
        .map(|(at, _)| at)
        .collect();
    for image in images {
        let parts: Vec<At> = tree.inside(image).collect();
        for part in parts {
            let node = &mut tree.nodes_mut()[part.index()];
            if node.role == Role::Image && !node.acts && node.cut.is_none() {
                node.cut = Some(Cut::Repeated);
                node.wants_ref = false;
            }
        }
    }
}
