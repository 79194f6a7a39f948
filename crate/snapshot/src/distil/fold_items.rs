//! Puts the text that an item begins with on the item's line: `item "Oat milk"`, with what can be acted on below. An
//! item of text alone is no item any more by now: order and indentation say it.

use crate::role::Role;
use crate::text::collapse;
use crate::tree::{At, Cut, Tree};

pub(super) fn pass(tree: &mut Tree) {
    let items: Vec<At> = tree
        .shown()
        .filter(|(_, node)| matches!(node.role(), Role::ListItem | Role::Article) && node.name().is_empty())
        .map(|(at, _)| at)
        .collect();
    for item in items {
        let Some(first) = tree.shown_children(item).next().filter(|first| tree.node(*first).is_text()) else {
            continue;
        };
        let nodes = tree.nodes_mut();
        nodes[first.index()].cut = Some(Cut::Folded);
        let text: Box<str> = collapse(&nodes[first.index()].name).into();
        nodes[item.index()].more_mut().folded = vec![text];
    }
}
