//! What changed between two trees, keyed on identity: (document, element) of an element, (parent, order) of a text.
//! Never compares lines of text. Only what is shown counts: what the distilling passes set aside changes nothing.
//!
//! Applying a diff to the old tree's [`Outline`] gives the new tree's: see [`Diff::apply`].

mod moves;
mod outline;
mod pair;
mod part;
mod state;

pub use outline::{Item, Outline};
pub use part::Counts;
pub use state::page_state;

use rustc_hash::FxHashMap;

use crate::ids::{DocumentNo, ElementNo, Ref};
use crate::tree::{At, Node, Tree};

/// What a shown node is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// An element.
    Element(DocumentNo, ElementNo),
    /// A text, by its element and which of that element's texts it is.
    Text(DocumentNo, ElementNo, u32),
}

/// What changed.
#[derive(Clone, Debug, Default)]
pub struct Diff {
    entries: Vec<Entry>,
    new_document: bool,
}

/// One change.
#[derive(Clone, Debug)]
pub enum Entry {
    /// What is new and came as one. Nodes in it that were elsewhere before are listed, without what is in them.
    Added {
        /// Its first node, in the new tree.
        at: At,
        /// All its nodes, in document order.
        nodes: Vec<Placed>,
    },
    /// What is gone and went as one.
    Removed {
        /// Its first node, as it was.
        node: Box<Node>,
        /// Where it was, in the new tree: the nearest node around it that is still there.
        within: Option<At>,
        /// All its nodes that are gone, in document order.
        keys: Vec<Key>,
        /// The words in it, as far as they help to know it again.
        words: String,
    },
    /// A node that says something else now.
    Changed {
        /// It, in the new tree.
        at: At,
        /// Its key in the old tree.
        key: Key,
        /// As it was.
        was: Box<Node>,
    },
    /// A node that stands elsewhere now, with what is in it.
    Moved {
        /// It, in the new tree, and where it went.
        placed: Placed,
    },
}

/// Where a node stands in the new tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// It, in the new tree.
    pub at: At,
    /// What it is known by in the old tree, if it was there; else in the new.
    pub key: Key,
    /// Whether it was in the old tree.
    pub was_there: bool,
    /// What it is in.
    pub parent: Option<Key>,
    /// The sibling it comes after.
    pub after: Option<Key>,
    /// What it says.
    pub item: Item,
}

/// The key of a shown node.
pub(crate) fn key(tree: &Tree, at: At) -> Key {
    let node = tree.node(at);
    if let Some(element) = node.element() {
        return Key::Element(node.document, element);
    }
    let parent = node.parent().and_then(|parent| tree.node(parent).element());
    Key::Text(node.document, parent.unwrap_or(ElementNo(0)), node.number)
}

/// Compares two trees of a tab.
pub fn diff(old: &Tree, new: &Tree) -> Diff {
    let pairs = pair::pair(old, new);
    let mut diff = Diff { entries: Vec::new(), new_document: old.document() != new.document() };
    changed(old, new, &pairs, &mut diff.entries);
    let moved = moves::moved(old, new, &pairs);
    placed(old, new, &pairs, &moved, &mut diff.entries);
    removed(old, new, &pairs, &mut diff.entries);
    diff.entries.sort_by_key(Entry::order);
    diff
}

impl Diff {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether the trees are of different root documents: there is nothing to compare then.
    pub fn is_new_document(&self) -> bool {
        self.new_document
    }

    /// What changed, in the order of the new tree; what is gone stands with what it was in.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Nodes of the new tree that were added or say something else now, what is in added ones included: the candidates
    /// of a second step.
    pub fn added_or_changed(&self) -> Vec<At> {
        let mut found = Vec::new();
        for entry in &self.entries {
            match entry {
                Entry::Added { nodes, .. } => found.extend(nodes.iter().map(|placed| placed.at)),
                Entry::Changed { at, .. } => found.push(*at),
                Entry::Removed { .. } | Entry::Moved { .. } => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Refs that an agent learns from this diff.
    pub fn refs(&self, new: &Tree) -> Vec<Ref> {
        self.added_or_changed().into_iter().filter_map(|at| new.node(at).reference()).collect()
    }
}

impl Entry {
    /// Entries come in the order of the new tree.
    fn order(&self) -> (u32, u8) {
        match self {
            Entry::Removed { within, .. } => (within.map_or(0, |at| at.0), 0),
            Entry::Changed { at, .. } => (at.0, 1),
            Entry::Moved { placed } => (placed.at.0, 2),
            Entry::Added { at, .. } => (at.0, 3),
        }
    }
}

fn changed(old: &Tree, new: &Tree, pairs: &pair::Pairs<'_>, entries: &mut Vec<Entry>) {
    for (at, node) in new.shown() {
        let Some(before) = pairs.old_of(at) else { continue };
        let was = old.node(before);
        if !node.says_same(was) || node.reference() != was.reference() {
            entries.push(Entry::Changed { at, key: key(old, before), was: Box::new(was.clone()) });
        }
    }
}

/// New subtrees and moved nodes, in document order: so each is put after a sibling that is in place already.
fn placed(old: &Tree, new: &Tree, pairs: &pair::Pairs<'_>, moved: &moves::Moved, entries: &mut Vec<Entry>) {
    let is_new = |at: At| pairs.old_of(at).is_none() && !holds(old, new.node(at));
    // Where the entry of a new node is, for the nodes that belong to it.
    let mut entry_of: FxHashMap<At, usize> = FxHashMap::default();
    // The last shown child seen of each node.
    let mut last: Vec<Option<Key>> = vec![None; new.len() + 1];
    let mut open: Vec<(At, u32)> = Vec::new();
    for (at, node) in new.shown() {
        while open.last().is_some_and(|(_, end)| *end <= at.0) {
            open.pop();
        }
        let parent = open.last().map(|(parent, _)| *parent);
        open.push((at, node.end));
        let known = |at: At| pairs.old_key(at).unwrap_or_else(|| key(new, at));
        let my_key = known(at);
        let after = last[parent.map_or(new.len(), At::index)].replace(my_key);
        let was_there = pairs.old_of(at).is_some();
        let mut belongs = parent.and_then(|parent| entry_of.get(&parent)).copied();
        let top = if was_there || belongs.is_some() { None } else { outermost(new, at, is_new) };
        belongs = belongs.or_else(|| entry_of.get(&top?).copied());
        if was_there && belongs.is_none() && !moved.contains(&at) {
            continue;
        }
        let placed =
            Placed { at, key: my_key, was_there, parent: parent.map(known), after, item: Item::of(node) };
        match (belongs, was_there) {
            // What moved into a new subtree is part of that entry; what is in it, if new, is an entry of its own.
            (Some(index), _) => {
                if let Entry::Added { nodes, .. } = &mut entries[index] {
                    nodes.push(placed);
                }
                if !was_there {
                    entry_of.insert(at, index);
                }
            }
            (None, true) => entries.push(Entry::Moved { placed }),
            (None, false) => {
                entry_of.insert(at, entries.len());
                entry_of.extend(top.map(|top| (top, entries.len())));
                entries.push(Entry::Added { at, nodes: vec![placed] });
            }
        }
    }
}

/// Whether a tree has the element of another's node, shown or not.
fn holds(tree: &Tree, node: &Node) -> bool {
    node.element().is_some_and(|element| tree.at_element(node.document, element).is_some())
}

/// The outermost element around a node that came or went with it: what came as one is told as one.
fn outermost(tree: &Tree, at: At, with_it: impl Fn(At) -> bool) -> Option<At> {
    tree.ancestors(at).take_while(|ancestor| with_it(*ancestor)).last()
}

/// Enough words to know what went.
const LONGEST_WORDS: usize = 200;

fn removed(old: &Tree, new: &Tree, pairs: &pair::Pairs<'_>, entries: &mut Vec<Entry>) {
    let is_gone = |at: At| pairs.new_of(at).is_none() && !holds(new, old.node(at));
    let mut entry_of: FxHashMap<At, usize> = FxHashMap::default();
    for (at, node) in old.shown() {
        if pairs.new_of(at).is_some() {
            continue;
        }
        let parent = old.shown_parent(at);
        let top = outermost(old, at, is_gone);
        let belongs =
            parent.and_then(|parent| entry_of.get(&parent)).or_else(|| entry_of.get(&top?)).copied();
        if let Some(index) = belongs {
            entry_of.insert(at, index);
            if let Entry::Removed { keys, words, .. } = &mut entries[index] {
                keys.push(key(old, at));
                if words.len() < LONGEST_WORDS && !node.name.is_empty() {
                    if !words.is_empty() {
                        words.push(' ');
                    }
                    words.push_str(&node.name);
                }
            }
            continue;
        }
        let within = old.ancestors(at).find_map(|ancestor| pairs.new_of(ancestor));
        entry_of.insert(at, entries.len());
        entry_of.extend(top.map(|top| (top, entries.len())));
        entries.push(Entry::Removed {
            node: Box::new(node.clone()),
            within,
            keys: vec![key(old, at)],
            words: String::new(),
        });
    }
}

#[cfg(test)]
mod mutations;
#[cfg(test)]
mod tests;
