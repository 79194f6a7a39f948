//! Puts the text that something without a name begins with on its line: `item "Oat milk"`, `alert "Card declined"`, with
//! what can be acted on below. An item of text alone is no item any more by now: order and indentation say it.

use crate::role::Role;
use crate::text::collapse;
use crate::tree::{At, Cut, Tree};

pub(super) fn pass(tree: &mut Tree) {
    let items: Vec<At> = tree
        .shown()
        .filter(|(_, node)| begins_with_text(node.role()) && node.name().is_empty())
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

/// What a page has many of, or what interrupts, and what hardly ever has a name of its own.
fn begins_with_text(role: Role) -> bool {
    matches!(
        role,
        Role::Alert
            | Role::Article
            | Role::Blockquote
            | Role::Comment
            | Role::ListItem
            | Role::Log
            | Role::Note
            | Role::Status
    )
}
