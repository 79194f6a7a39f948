//! Which shown node of the old tree is which of the new: by identity; then, for what was made anew, by what it says,
//! where that is unique among siblings both then and now.

use rustc_hash::FxHashMap;

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

/// Pairs siblings that are in neither tree by identity, if what they say is unique on both sides.
fn among_siblings(old: &Tree, new: &Tree, was: &[At], now: &[At], pairs: &mut Pairs<'_>) {
    let gone: Vec<At> = was.iter().copied().filter(|at| pairs.new_of(*at).is_none()).collect();
    if gone.is_empty() {
        return;
    }
    let come: Vec<At> = now.iter().copied().filter(|at| pairs.old_of(*at).is_none()).collect();
    if come.is_empty() {
        return;
    }
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
