//! Sets aside signs that say nothing beside words: the glyph in a button that has a name in words (`×`, `▾`, `★★★`), and
//! the comma, stroke or arrow between two links of a line. Each would cost a line of its own. A sign that is all there
//! is (a cell's dash, a button's `×` without another name) stays.

use crate::role::Role;
use crate::tree::{At, Cut, Lead, Tree};

pub(super) fn pass(tree: &mut Tree) {
    let signs: Vec<At> = tree
        .shown()
        .filter(|(_, node)| node.is_text() && !node.name().chars().any(char::is_alphanumeric))
        .map(|(at, _)| at)
        .collect();
    let signs: Vec<At> = signs.into_iter().filter(|at| adds_nothing(tree, *at)).collect();
    for at in signs {
        tree.nodes_mut()[at.index()].cut = Some(Cut::Repeated);
    }
}

fn adds_nothing(tree: &Tree, at: At) -> bool {
    let node = tree.node(at);
    let Some(parent) = tree.shown_parent(at) else {
        return is_glue(node.name()) && node.lead != Lead::Broken;
    };
    let around = tree.node(parent);
    if around.role().is_cell() {
        return false;
    }
    let is_named = around.name().chars().any(char::is_alphanumeric);
    if is_named && (around.acts() || around.role() == Role::Image) && !around.role().is_text_entry() {
        return true;
    }
    is_glue(node.name()) && node.lead != Lead::Broken
}

/// Signs that only part or end what is beside them.
fn is_glue(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || ",.;:!?·•|/\\›»‹«<>→←↑↓–—-()[]…'\"“”‘’".contains(c))
}
