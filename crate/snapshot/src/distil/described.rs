//! Sets aside a text that a control beside it says as its description: a field's hint, a switch's second line. A text
//! that is taken for one control is not taken for another.

use rustc_hash::FxHashMap;

use crate::text::collapse;
use crate::tree::{At, Cut, Tree};

/// So many shown nodes before and after a control are near it.
const NEAR: usize = 6;

pub(super) fn pass(tree: &mut Tree) {
    let shown: Vec<At> = tree.shown().map(|(at, _)| at).collect();
    let mut texts: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let described: Vec<usize> =
        (0..shown.len()).filter(|index| !tree.node(shown[*index]).description().is_empty()).collect();
    if described.is_empty() {
        return;
    }
    for (index, at) in shown.iter().enumerate() {
        let node = tree.node(*at);
        if node.is_text() {
            texts.entry(collapse(node.name())).or_default().push(index);
        }
    }
    for index in described {
        let description = collapse(tree.node(shown[index]).description());
        let Some(places) = texts.get_mut(&description) else { continue };
        // What follows comes before what went before: hints stand below their field.
        let after = places.partition_point(|place| *place < index);
        let next = (after < places.len() && places[after] <= index + NEAR).then_some(after);
        let last = after.checked_sub(1).filter(|last| places[*last] + NEAR >= index);
        if let Some(taken) = next.or(last) {
            let place = places.remove(taken);
            tree.nodes_mut()[shown[place].index()].cut = Some(Cut::Repeated);
        }
    }
}
