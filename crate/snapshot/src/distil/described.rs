//! Sets aside a text that a control beside it says as its description or, by `aria-labelledby`, as its name: a field's
//! hint, a switch's words. A text that is taken for one control is not taken for another, and a cell's is never taken:
//! it heads a column.

use rustc_hash::FxHashMap;

use crate::name::Source;
use crate::text::collapse;
use crate::tree::{At, Cut, Node, Tree};

/// So many shown nodes before and after a control are near it.
const NEAR: usize = 6;

/// Where a text stands that says the same as a control.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Before it, if there is one: names do.
    Before,
    /// Behind it, if there is one: hints do.
    Behind,
}

pub(super) fn pass(tree: &mut Tree) {
    let shown: Vec<At> = tree.shown().map(|(at, _)| at).collect();
    let claims: Vec<(usize, Side, String)> =
        shown.iter().enumerate().flat_map(|(index, at)| claims(index, tree.node(*at))).collect();
    if claims.is_empty() {
        return;
    }
    let mut texts: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (index, at) in shown.iter().enumerate() {
        let in_cell = || tree.shown_parent(*at).is_some_and(|parent| tree.node(parent).role().is_cell());
        if tree.node(*at).is_text() && !in_cell() {
            texts.entry(collapse(tree.node(*at).name())).or_default().push(index);
        }
    }
    for (index, side, said) in claims {
        let Some(places) = texts.get_mut(&said) else { continue };
        let after = places.partition_point(|place| *place < index);
        let behind = (after < places.len() && places[after] <= index + NEAR).then_some(after);
        let before = after.checked_sub(1).filter(|last| places[*last] + NEAR >= index);
        let taken = match side {
            Side::Before => before.or(behind),
            Side::Behind => behind.or(before),
        };
        if let Some(taken) = taken {
            let place = places.remove(taken);
            tree.nodes_mut()[shown[place].index()].cut = Some(Cut::Repeated);
        }
    }
}

/// What a node says that a text beside it may say, too.
fn claims(index: usize, node: &Node) -> impl Iterator<Item = (usize, Side, String)> {
    let named = (node.source() == Source::LabelledBy && node.acts()).then(|| node.name());
    let described = Some(node.description());
    let claims = [(Side::Before, named), (Side::Behind, described)];
    claims.into_iter().filter_map(move |(side, said)| {
        let said = collapse(said.filter(|said| !said.is_empty())?);
        Some((index, side, said))
    })
}
