//! A part of a diff, and how many changes of each kind there are.

use super::{Diff, Entry};
use crate::tree::{At, Tree};

/// How many changes of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Subtrees that are new.
    pub added: usize,
    /// Subtrees that are gone.
    pub removed: usize,
    /// Nodes that say something else.
    pub changed: usize,
    /// Nodes that stand elsewhere.
    pub moved: usize,
}

impl Diff {
    /// The changes at a node of the new tree and inside it.
    #[must_use]
    pub fn within(&self, new: &Tree, scope: At) -> Self {
        let inside = |at: At| at == scope || new.ancestors(at).any(|outer| outer == scope);
        let belongs = |entry: &&Entry| match entry {
            Entry::Added { at, .. } | Entry::Changed { at, .. } => inside(*at),
            Entry::Removed { within, .. } => within.is_some_and(inside),
            Entry::Moved { placed } => inside(placed.at),
        };
        Self {
            entries: self.entries.iter().filter(belongs).cloned().collect(),
            new_document: self.new_document,
        }
    }

    /// How many changes of each kind there are.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for entry in &self.entries {
            match entry {
                Entry::Added { .. } => counts.added += 1,
                Entry::Removed { .. } => counts.removed += 1,
                Entry::Changed { .. } => counts.changed += 1,
                Entry::Moved { .. } => counts.moved += 1,
            }
        }
        counts
    }
}
