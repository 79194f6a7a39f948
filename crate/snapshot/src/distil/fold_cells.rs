//! Puts the text of a row's cells on the row's line: `row "Alice" "3 May"`. What can be acted on in a cell stays below, and
//! so does a cell that has a state of its own (a column that is sorted, a cell that is selected).

use crate::role::Role;
use crate::text::collapse;
use crate::tree::{At, Cut, Node, Tree};

pub(super) fn pass(tree: &mut Tree) {
    let rows: Vec<At> = tree
        .iter()
        .filter(|(_, node)| node.role() == Role::Row && node.cut().is_none())
        .map(|(at, _)| at)
        .collect();
    for row in rows {
        fold(tree, row);
    }
}

fn fold(tree: &mut Tree, row: At) {
    let mut texts: Vec<Box<str>> = Vec::new();
    let mut cut = Vec::new();
    let cells: Vec<At> = tree.shown_children(row).collect();
    if !cells.iter().all(|cell| tree.node(*cell).role().is_cell()) {
        return;
    }
    for cell in cells {
        let mut text = String::new();
        for inner in tree.inside(cell) {
            let node = tree.node(inner);
            if node.is_text() && node.cut().is_none() && is_own(tree, inner, cell) {
                text.push(' ');
                text.push_str(node.name());
                cut.push(inner);
            }
        }
        let node = tree.node(cell);
        // A cell that is named otherwise than by its text keeps its own line, as one that can be acted on does.
        if folds(node) {
            if text.is_empty() && node.source() == crate::name::Source::Label {
                node.name().clone_into(&mut text);
            }
            cut.push(cell);
        }
        texts.push(collapse(&text).into());
    }
    while texts.last().is_some_and(|text| text.is_empty()) {
        texts.pop();
    }
    let nodes = tree.nodes_mut();
    for at in cut {
        nodes[at.index()].cut = Some(Cut::Folded);
    }
    if !texts.is_empty() {
        nodes[row.index()].more_mut().folded = texts;
    }
}

/// Whether a cell's line is no more than its text.
pub(super) fn folds(cell: &Node) -> bool {
    !cell.is_referable() && cell.states().is_empty()
}

/// Whether a text is the cell's own, and not that of something shown in it.
fn is_own(tree: &Tree, text: At, cell: At) -> bool {
    folds(tree.node(cell)) && tree.shown_parent(text) == Some(cell)
}
