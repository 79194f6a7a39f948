//! A tree reduced to what a diff speaks of, and a diff applied to it: the proof that a diff says everything.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Diff, Entry, Key, Placed, key};
use crate::ids::Ref;
use crate::role::Role;
use crate::state::State;
use crate::tree::{Node, Tree};

/// What a node says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its ref.
    pub reference: Option<Ref>,
    /// Its role.
    pub role: Role,
    /// Its name.
    pub name: Rc<str>,
    /// Its value.
    pub value: Option<Box<str>>,
    /// The states that hold.
    pub states: Vec<State>,
    /// Everything else on its line.
    pub rest: Vec<Box<str>>,
}

impl Item {
    pub(super) fn of(node: &Node) -> Self {
        let mut rest: Vec<Box<str>> =
            [node.icon(), node.placeholder(), node.href(), node.label(), node.description(), node.range()]
                .map(Into::into)
                .into();
        rest.extend(node.folded().iter().cloned());
        Self {
            reference: node.reference(),
            role: node.role,
            name: node.name.clone(),
            value: node.value().map(Into::into),
            states: node.states().to_vec(),
            rest,
        }
    }
}

/// The shown nodes of a tree. Two are equal when they say the same in the same places.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    items: FxHashMap<Key, Item>,
    children: FxHashMap<Option<Key>, Vec<Key>>,
    parents: FxHashMap<Key, Option<Key>>,
}

impl Outline {
    /// The outline of a tree.
    pub fn of(tree: &Tree) -> Self {
        let mut outline = Self::default();
        for (at, node) in tree.shown() {
            let parent = tree.shown_parent(at).map(|parent| key(tree, parent));
            let key = key(tree, at);
            outline.items.insert(key, Item::of(node));
            outline.children.entry(parent).or_default().push(key);
            outline.parents.insert(key, parent);
        }
        outline
    }

    /// The items in document order, each with its depth.
    pub fn lines(&self) -> Vec<(usize, &Item)> {
        let mut lines = Vec::new();
        let mut open: Vec<(usize, Key)> = self.children_of(None).rev().map(|key| (0, key)).collect();
        while let Some((depth, key)) = open.pop() {
            lines.extend(self.items.get(&key).map(|item| (depth, item)));
            open.extend(self.children_of(Some(key)).rev().map(|child| (depth + 1, child)));
        }
        lines
    }

    fn children_of(&self, parent: Option<Key>) -> impl DoubleEndedIterator<Item = Key> {
        self.children.get(&parent).into_iter().flatten().copied()
    }

    /// Takes a node out; its children stand in its place if it is gone for good.
    fn take(&mut self, key: Key, children_stay: bool) {
        let Some(parent) = self.parents.remove(&key) else { return };
        let mut children =
            if children_stay { self.children.remove(&Some(key)).unwrap_or_default() } else { Vec::new() };
        for child in &children {
            self.parents.insert(*child, parent);
        }
        if let Some(siblings) = self.children.get_mut(&parent)
            && let Some(place) = siblings.iter().position(|sibling| *sibling == key)
        {
            siblings.splice(place..=place, children.drain(..));
        }
    }

    fn put(&mut self, placed: &Placed) {
        let siblings = self.children.entry(placed.parent).or_default();
        let place = placed
            .after
            .and_then(|after| siblings.iter().position(|sibling| *sibling == after))
            .map_or(0, |place| place + 1);
        siblings.insert(place, placed.key);
        self.parents.insert(placed.key, placed.parent);
    }
}

impl PartialEq for Outline {
    fn eq(&self, other: &Self) -> bool {
        self.lines() == other.lines()
    }
}

impl Diff {
    /// The outline of the new tree, made of that of the old and this diff alone. `new` gives what changed nodes say.
    pub fn apply(&self, old: &Outline, new: &Tree) -> Outline {
        let mut outline = old.clone();
        for entry in &self.entries {
            if let Entry::Removed { keys, .. } = entry {
                for key in keys {
                    outline.take(*key, true);
                    outline.items.remove(key);
                }
            }
        }
        let mut places: Vec<&Placed> = Vec::new();
        for entry in &self.entries {
            match entry {
                Entry::Added { nodes, .. } => places.extend(nodes),
                Entry::Moved { placed } => places.push(placed),
                Entry::Changed { at, key, .. } => {
                    outline.items.insert(*key, Item::of(new.node(*at)));
                }
                Entry::Removed { .. } => {}
            }
        }
        for placed in &places {
            if placed.was_there {
                outline.take(placed.key, false);
            }
        }
        places.sort_by_key(|placed| placed.at);
        for placed in places {
            if !placed.was_there {
                outline.items.insert(placed.key, placed.item.clone());
            }
            outline.put(placed);
        }
        outline
    }
}
