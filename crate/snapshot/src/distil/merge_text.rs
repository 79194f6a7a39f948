//! Makes one text of texts that run on: a sentence with a word in bold is one line, not three.

use crate::text::{collapse, collapse_onto};
use crate::tree::{At, Cut, Lead, Tree};

pub(super) fn pass(tree: &mut Tree) {
    // The text that a following one would continue, and what it is in.
    let mut current: Option<(At, Option<At>)> = None;
    let mut joined: Vec<(At, String)> = Vec::new();
    let mut merged = Vec::new();
    let shown: Vec<At> = tree.shown().map(|(at, _)| at).collect();
    for at in shown {
        let node = tree.node(at);
        if !node.is_text() {
            current = None;
            continue;
        }
        let parent = tree.shown_parent(at);
        let continues = node.lead != Lead::Broken && current.is_some_and(|(_, of)| of == parent);
        if continues && let Some((_, text)) = joined.last_mut() {
            if node.lead == Lead::Spaced && !text.ends_with(' ') {
                text.push(' ');
            }
            collapse_onto(text, node.name());
            merged.push(at);
        } else {
            let mut text = String::new();
            collapse_onto(&mut text, node.name());
            joined.push((at, text));
            current = Some((at, parent));
        }
    }
    let nodes = tree.nodes_mut();
    for (at, text) in joined {
        let text = collapse(&text);
        let node = &mut nodes[at.index()];
        if text != collapse(&node.name) {
            node.more_mut().own = node.name.clone();
        }
        node.name = text.into();
    }
    for at in merged {
        nodes[at.index()].cut = Some(Cut::Merged);
    }
}
