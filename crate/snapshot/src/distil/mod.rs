//! Makes a tree short. A chain of passes, each with one reason to set nodes aside; none of them looks at rendered text.
//! What is set aside keeps its place and its reason; what is inside it stands in its place. A node with a ref is set
//! aside only where its text says it all elsewhere.

mod fold_cells;
mod fold_options;
mod hidden;
mod lone_text;
mod lone_wrapper;
mod merge_text;
mod plain;
mod repeated;

use crate::tree::Tree;

/// One pass.
type Pass = fn(&mut Tree);

/// The passes in their order: each relies on those before it.
const PASSES: [Pass; 8] = [
    hidden::pass,
    plain::pass,
    repeated::pass,
    merge_text::pass,
    lone_text::pass,
    fold_cells::pass,
    fold_options::pass,
    lone_wrapper::pass,
];

/// Runs all passes.
pub(crate) fn distil(tree: &mut Tree) {
    for pass in PASSES {
        pass(tree);
    }
}
