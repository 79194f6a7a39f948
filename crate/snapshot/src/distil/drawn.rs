//! Makes one text of the words that are drawn in an image: the numbers along an axis, the labels of a plan. Each stands
//! where it is drawn, which a line of its own does not tell either.

use crate::role::Role;
use crate::text::collapse;
use crate::tree::{At, Cut, Tree};

pub(super) fn pass(tree: &mut Tree) {
    let images: Vec<At> =
        tree.shown().filter(|(_, node)| node.role() == Role::Image).map(|(at, _)| at).collect();
    for image in images {
        let shown: Vec<(At, bool)> =
            tree.shown_children(image).map(|at| (at, tree.node(at).is_text())).collect();
        for run in shown.chunk_by(|one, other| one.1 && other.1) {
            join(tree, run);
        }
    }
}

/// Joins texts that follow each other.
fn join(tree: &mut Tree, run: &[(At, bool)]) {
    let Some(((first, true), others)) = run.split_first() else { return };
    let words: Vec<String> = run.iter().map(|(at, _)| collapse(tree.node(*at).name())).collect();
    let nodes = tree.nodes_mut();
    nodes[first.index()].name = words.join(" ").into();
    for (other, _) in others {
        nodes[other.index()].cut = Some(Cut::Merged);
    }
}
