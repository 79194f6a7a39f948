//! Makes a tree short. A chain of passes, each with one reason to set nodes aside; none of them looks at rendered text.
//! What is set aside keeps its place and its reason; what is inside it stands in its place. A node with a ref is set
//! aside only where its text says it all elsewhere.

mod described;
mod drawn;
mod fold_cells;
mod fold_items;
mod fold_options;
mod heading_end;
mod hidden;
mod inside_image;
mod lone_article;
mod lone_heading;
mod lone_text;
mod lone_wrapper;
mod merge_text;
mod plain;
mod repeated;
mod same_name;
mod signs;

use crate::tree::Tree;

/// One pass.
type Pass = fn(&mut Tree);

/// The passes in their order: each relies on those before it.
const PASSES: [Pass; 18] = [
    hidden::pass,
    inside_image::pass,
    plain::pass,
    repeated::pass,
    merge_text::pass,
    drawn::pass,
    signs::pass,
    same_name::pass,
    described::pass,
    lone_heading::pass,
    heading_end::pass,
    lone_text::pass,
    // A list in a cell is text to fold, once its items are no more than that.
    lone_wrapper::pass,
    fold_cells::pass,
    fold_options::pass,
    lone_wrapper::pass,
    lone_article::pass,
    fold_items::pass,
];

/// Runs all passes.
pub(crate) fn distil(tree: &mut Tree) {
    for pass in PASSES {
        pass(tree);
    }
}

#[cfg(test)]
mod tests;
