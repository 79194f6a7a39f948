//! Puts the options of a select that shows one at a time on its line. Options of a listbox are things to act on: they
//! stay.

use crate::role::Role;
use crate::text::collapse;
use crate::tree::{At, Cut, Tree};

pub(super) fn pass(tree: &mut Tree) {
    let selects: Vec<At> = tree
        .iter()
        .filter(|(_, node)| node.role() == Role::Combobox && node.cut().is_none() && node.value().is_some())
        .map(|(at, _)| at)
        .collect();
    for select in selects {
        let mut options: Vec<Box<str>> = Vec::new();
        let mut cut = Vec::new();
        for inner in tree.inside(select) {
            let node = tree.node(inner);
            if node.is_referable() {
                continue;
            }
            if node.role() == Role::Option && node.cut().is_none() {
                options.push(collapse(node.name()).into());
            }
            if node.cut().is_none() {
                cut.push(inner);
            }
        }
        let nodes = tree.nodes_mut();
        for at in cut {
            nodes[at.index()].cut = Some(Cut::Folded);
        }
        if !options.is_empty() {
            nodes[select.index()].more_mut().folded = options;
        }
    }
}
