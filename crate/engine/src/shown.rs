//! What an agent was shown of a tab, ref by ref: the base of the identity check.

use snapshot::{Ref, fingerprint::Fingerprint};
use std::{
    collections::BTreeMap,
    rc::Rc,
    sync::atomic::{AtomicU64, Ordering},
};

/// How each ref read when it was last shown.
#[derive(Debug, Default)]
pub struct Shown {
    prints: BTreeMap<Ref, Rc<Fingerprint>>,
    stamp: u64,
}

/// The last stamp given.
static STAMP: AtomicU64 = AtomicU64::new(0);

impl Shown {
    /// As it was kept.
    pub fn restored(prints: impl IntoIterator<Item = (Ref, Rc<Fingerprint>)>) -> Self {
        Self { prints: prints.into_iter().collect(), stamp: fresh() }
    }

    /// How a ref read.
    pub fn get(&self, reference: Ref) -> Option<Rc<Fingerprint>> {
        self.prints.get(&reference).cloned()
    }

    /// A ref is shown.
    pub fn insert(&mut self, reference: Ref, print: Fingerprint) {
        if self.prints.get(&reference).is_none_or(|was| **was != print) {
            self.prints.insert(reference, print.into());
            self.stamp = fresh();
        }
    }

    /// Forgets refs.
    pub fn retain(&mut self, keep: impl Fn(Ref) -> bool) {
        let before = self.prints.len();
        self.prints.retain(|reference, _| keep(*reference));
        if self.prints.len() != before {
            self.stamp = fresh();
        }
    }

    /// Every ref that was shown and is something now reads as it does now.
    pub fn renew(&mut self, now: impl Fn(Ref) -> Option<Fingerprint>) {
        for (reference, print) in &mut self.prints {
            if let Some(now) = now(*reference)
                && **print != now
            {
                *print = now.into();
                self.stamp = fresh();
            }
        }
    }

    /// All of it.
    pub fn iter(&self) -> impl Iterator<Item = (Ref, Rc<Fingerprint>)> + '_ {
        self.prints.iter().map(|(reference, print)| (*reference, print.clone()))
    }

    /// Another after each change, and never one that any other had.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }
}

fn fresh() -> u64 {
    STAMP.fetch_add(1, Ordering::Relaxed) + 1
}
