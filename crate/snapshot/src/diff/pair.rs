//! Which shown node of the old tree is which of the new: by identity; by a ref that passed on; then, for what was made
//! anew, by all that is in it, where as many siblings say that now as did then, and by what it says itself, where that is
//! unique among siblings both then and now.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash as _, Hasher as _};

use super::{Key, key};
use crate::role::Role;
use crate::tree::{At, Tree};

/// Shown nodes that are the same in both trees.
pub(super) struct Pairs<'a> {
    before: &'a Tree,
    old: Vec<Option<At>>,
    new: Vec<Option<At>>,
}

impl Pairs<'_> {
    /// The node of the old tree that a new one is.
    pub(super) fn old_of(&self, new: At) -> Option<At> {
        self.old[new.index()]
    }

    /// The node of the new tree that an old one is.
    pub(super) fn new_of(&self, old: At) -> Option<At> {
        self.new[old.index()]
    }

    /// The key that a node of the new tree had in the old.
    pub(super) fn old_key(&self, new: At) -> Option<Key> {
        self.old_of(new).map(|old| key(self.before, old))
    }

    fn add(&mut self, old: At, new: At) {
        self.old[new.index()] = Some(old);
        self.new[old.index()] = Some(new);
    }
}

pub(super) fn pair<'a>(old: &'a Tree, new: &Tree) -> Pairs<'a> {
    let mut pairs = Pairs { before: old, old: vec![None; new.len()], new: vec![None; old.len()] };
    let was: Vec<At> = old.shown().map(|(at, _)| at).collect();
    let now: Vec<At> = new.shown().map(|(at, _)| at).collect();
    let same = |(before, at): &(&At, &At)| key(old, **before) == key(new, **at);
    // Most of a page stays as it is: only what is between its unchanged ends is looked up.
    let head = was.iter().zip(&now).take_while(same).count();
    let (was_left, now_left) = (&was[head..], &now[head..]);
    let tail = was_left.iter().rev().zip(now_left.iter().rev()).take_while(same).count();
    let by_key: FxHashMap<Key, At> =
        was_left[..was_left.len() - tail].iter().map(|at| (key(old, *at), *at)).collect();
    let ends = was[..head].iter().zip(&now[..head]);
    let ends = ends.chain(was[was.len() - tail..].iter().zip(&now[now.len() - tail..]));
    let between = now_left[..now_left.len() - tail].iter();
    let between = between.filter_map(|at| Some((by_key.get(&key(new, *at))?, at)));
    for (before, at) in ends.chain(between) {
        if old.node(*before).role == new.node(*at).role {
            pairs.add(*before, *at);
        }
    }
    // A ref passes on only to what is proven to have taken the place of another.
    for reference in new.rebound() {
        let (Some(before), Some(at)) = (old.at(*reference), new.at(*reference)) else { continue };
        let both_shown = old.node(before).cut.is_none() && new.node(at).cut.is_none();
        let fresh = pairs.new_of(before).is_none() && pairs.old_of(at).is_none();
        if both_shown && fresh && old.node(before).role == new.node(at).role {
            pairs.add(before, at);
        }
    }
    // What was made anew, from the outside in: what is in a pair is looked at after it.
    let roots = (old.shown_roots().collect::<Vec<_>>(), new.shown_roots().collect::<Vec<_>>());
    among_siblings(old, new, &roots.0, &roots.1, &mut pairs);
    for at in now {
        let Some(before) = pairs.old_of(at) else { continue };
        let was: Vec<At> = old.shown_children(before).collect();
        let now: Vec<At> = new.shown_children(at).collect();
        among_siblings(old, new, &was, &now, &mut pairs);
    }
    pairs
}

/// Pairs siblings that are in neither tree by identity: those that are equal through and through, one after the other,
/// if there are as many of them on both sides; then those that say something unique on both sides.
fn among_siblings(old: &Tree, new: &Tree, was: &[At], now: &[At], pairs: &mut Pairs<'_>) {
    let gone: Vec<At> = was.iter().copied().filter(|at| pairs.new_of(*at).is_none()).collect();
    if gone.is_empty() {
        return;
    }
    let come: Vec<At> = now.iter().copied().filter(|at| pairs.old_of(*at).is_none()).collect();
    if come.is_empty() {
        return;
    }
    let mut equal: FxHashMap<u64, [Vec<At>; 2]> = FxHashMap::default();
    for at in &gone {
        equal.entry(whole(old, *at)).or_default()[0].push(*at);
    }
    for at in &come {
        equal.entry(whole(new, *at)).or_default()[1].push(*at);
    }
    for [was, now] in equal.values().filter(|[was, now]| was.len() == now.len()) {
        for (before, at) in was.iter().zip(now) {
            pairs.add(*before, *at);
        }
    }
    let gone: Vec<At> = gone.into_iter().filter(|at| pairs.new_of(*at).is_none()).collect();
    let come: Vec<At> = come.into_iter().filter(|at| pairs.old_of(*at).is_none()).collect();
    let before = unique(old, &gone);
    let after = unique(new, &come);
    for at in &come {
        let signature = sign(new, *at);
        let (Some(Some(was)), Some(Some(_))) = (before.get(&signature), after.get(&signature)) else {
            continue;
        };
        pairs.add(*was, *at);
    }
}

/// All that a node and what is shown in it say, refs included, in a number.
fn whole(tree: &Tree, at: At) -> u64 {
    let mut hasher = FxHasher::default();
    for inner in std::iter::once(at).chain(tree.inside(at)) {
        let node = tree.node(inner);
        if node.cut.is_none() {
            // How many stand in it tells where each stands.
            let held = tree.shown_children(inner).count();
            (held, node.reference(), node.role().as_str(), node.name(), node.folded()).hash(&mut hasher);
        }
    }
    hasher.finish()
}

type Signature<'a> = (Role, &'a str, &'a [Box<str>]);

fn sign(tree: &Tree, at: At) -> Signature<'_> {
    let node = tree.node(at);
    (node.role(), node.name(), if node.role() == Role::Row { node.folded() } else { &[] })
}

/// What siblings say, with who says it if only one does.
fn unique<'a>(tree: &'a Tree, siblings: &[At]) -> FxHashMap<Signature<'a>, Option<At>> {
    let mut seen = FxHashMap::default();
    for at in siblings {
        seen.entry(sign(tree, *at)).and_modify(|who| *who = None).or_insert(Some(*at));
    }
    seen
}
