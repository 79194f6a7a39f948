//! A token of what a tree says: equal for two trees between which [`super::diff`] finds nothing.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

use super::{Item, Outline};
use crate::tree::Tree;

/// The token of a tree: 16 hexadecimal digits.
pub fn page_state(tree: &Tree) -> String {
    let mut hasher = FxHasher::default();
    tree.document().hash(&mut hasher);
    for (depth, item) in Outline::of(tree).lines() {
        depth.hash(&mut hasher);
        let Item { reference, role, name, value, states, rest } = item;
        (reference, role.as_str(), name, value, rest).hash(&mut hasher);
        for state in states {
            state.to_string().hash(&mut hasher);
        }
    }
    format!("{:016x}", hasher.finish())
}
