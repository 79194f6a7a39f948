//! Lets a ref pass on to the element that took the place of its own. Only within one document, only when the element is
//! gone, and only when the fingerprint was unique then and is unique now.

use rustc_hash::FxHashMap;

use super::{At, Tree};
use crate::fingerprint::{self, Fingerprint};
use crate::ids::Ref;
use crate::refs::Refs;

/// Rebinds what can be proven; returns those refs.
pub(super) fn rebind(tree: &Tree, refs: &mut Refs, previous: &Tree) -> Vec<Ref> {
    let gone: Vec<(Ref, At)> = previous
        .iter()
        .filter_map(|(at, node)| {
            let (reference, element) = (node.reference()?, node.element()?);
            let facts = tree.facts(tree.frame_of(node.document)?)?;
            // Bound otherwise by now, or still there (hidden, perhaps): nothing took its place.
            let stands =
                facts.find(element).is_some() || refs.lookup(reference) != Some((node.document, element));
            (!stands && node.wants_ref && !node.hidden).then_some((reference, at))
        })
        .collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let was = count(previous);
    let now = count(tree);
    let mut rebound = Vec::new();
    for (reference, at) in gone {
        let old = previous.node(at);
        let print = fingerprint::at(previous, at);
        let key = (old.document, print);
        let (Some(Seen::Once(_)), Some(Seen::Once(new))) = (was.get(&key), now.get(&key)) else { continue };
        let new = tree.node(*new);
        let Some(element) = new.element() else { continue };
        // An element that was there before is another one.
        let is_new = previous
            .facts(previous.frame_of(old.document).unwrap_or(0))
            .is_none_or(|f| f.find(element).is_none());
        if is_new && refs.rebind(reference, element) {
            rebound.push(reference);
        }
    }
    rebound
}

enum Seen {
    Once(At),
    Often,
}

fn count(tree: &Tree) -> FxHashMap<(crate::ids::DocumentNo, Fingerprint), Seen> {
    let mut seen = FxHashMap::default();
    for (at, node) in tree.iter() {
        if node.wants_ref && !node.hidden {
            seen.entry((node.document, fingerprint::at(tree, at)))
                .and_modify(|seen| *seen = Seen::Often)
                .or_insert(Seen::Once(at));
        }
    }
    seen
}
