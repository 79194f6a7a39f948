//! What tells an element from its namesakes: its role, its name, the key of what it stands in, and, where namesakes
//! are, what stands beside it. Counters and times have no part in it, so that a ticking clock makes no one another.

mod beside;
mod key;
mod steady;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

pub use beside::{Beside, Surroundings};
pub use steady::steady;

use crate::ids::Ref;
use crate::name::{Source, generated};
use crate::role::Role;
use crate::text::{clip, quote};
use crate::tree::{At, Tree};

/// What an element was when it was shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint {
    /// What it is.
    pub role: Role,
    /// Its name, without counters and times.
    pub name: String,
    /// What it stands in.
    pub context: Option<Context>,
    /// What stands beside it, where it had namesakes.
    pub beside: Option<Beside>,
}

/// What an element stands in: the nearest thing that has a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Context {
    /// What that is.
    pub role: Role,
    /// A row's header or first cell, an item's first words, a group's name, a heading's words.
    pub key: String,
}

/// Longer names tell no more.
const LONGEST_NAME: usize = 80;

/// The fingerprint of what a ref stands for.
pub fn of(tree: &Tree, reference: Ref) -> Option<Fingerprint> {
    tree.at(reference).map(|at| self::at(tree, at))
}

/// The fingerprint of a node.
pub fn at(tree: &Tree, at: At) -> Fingerprint {
    let context = key::around(tree, at);
    let beside = key::beside(tree, at, context.as_ref());
    Fingerprint { role: tree.node(at).role(), name: name(tree, at), context, beside }
}

fn name(tree: &Tree, at: At) -> String {
    let node = tree.node(at);
    if node.role() == Role::Row { key::row(tree, at) } else { steady(without_generated(tree, at)) }
}

/// A name without what the element's own style writes before and behind it: that comes with the mouse, and goes.
fn without_generated(tree: &Tree, at: At) -> &str {
    let node = tree.node(at);
    let name = node.name();
    if node.source() != Source::Content {
        return name;
    }
    let element = node.element().and_then(|element| tree.facts(node.frame())?.find(element));
    let Some(element) = element else { return name };
    let written = |content: Option<&str>| content.map(generated).unwrap_or_default();
    let (before, after) = (written(element.before()), written(element.after()));
    let bare = name.strip_prefix(before.trim()).unwrap_or(name);
    let bare = bare.strip_suffix(after.trim()).unwrap_or(bare).trim();
    if bare.is_empty() { node.name() } else { bare }
}

/// Whether a ref stands for what had a fingerprint. Namesakes that came or went since make no difference.
pub fn stands_for(tree: &Tree, reference: Ref, was: &Fingerprint) -> bool {
    tree.at(reference).is_some_and(|at| is_same(tree, at, was))
}

fn is_same(tree: &Tree, at: At, was: &Fingerprint) -> bool {
    tree.node(at).role() == was.role
        && name(tree, at) == was.name
        && key::around(tree, at) == was.context
        && was.beside.as_ref().is_none_or(|beside| beside::is_same(tree, at, beside))
}

/// Every ref whose element has that fingerprint, in document order.
pub fn find(tree: &Tree, wanted: &Fingerprint) -> Vec<Ref> {
    tree.iter()
        .filter(|(_, node)| node.role() == wanted.role && !node.is_hidden())
        .filter(|(at, _)| is_same(tree, *at, wanted))
        .filter_map(|(_, node)| node.reference())
        .collect()
}

impl Fingerprint {
    /// The words that tell it best from its namesakes.
    pub fn telling(&self) -> &str {
        let key =
            self.context.as_ref().filter(|context| context.role != Role::Heading || self.beside.is_none());
        key.map(|context| context.key.as_str())
            .or_else(|| self.beside.as_ref().and_then(|beside| beside.said().next()))
            .unwrap_or(&self.name)
    }

    /// All words that tell it: its name's, those of what it stands in, those beside it.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let around = self.context.iter().map(|context| context.key.as_str());
        let beside = self.beside.iter().flat_map(Beside::said);
        std::iter::once(self.name.as_str()).chain(around).chain(beside)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.role.as_str())?;
        if !self.name.is_empty() {
            write!(f, " {}", quote(&clip(&self.name, LONGEST_NAME)))?;
        }
        if let Some(context) = &self.context {
            let place = if context.role == Role::Heading { "under" } else { "in" };
            write!(f, " {place} {context}")?;
        }
        let known = self.context.as_ref().map_or("", |context| &context.key);
        let keyed = self.context.as_ref().is_some_and(|context| key::is_item(context.role));
        let mut lead = if keyed { "" } else { " beside" };
        for said in self.beside.iter().flat_map(Beside::said).filter(|said| *said != known) {
            write!(f, "{lead} {}", quote(said))?;
            lead = "";
        }
        Ok(())
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.role, quote(&self.key))
    }
}

/// How fingerprints are stored: roles by the word.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    role: Cow<'a, str>,
    name: Cow<'a, str>,
    context: Option<(Cow<'a, str>, Cow<'a, str>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beside: Option<(u32, Vec<String>, Option<String>)>,
}

impl Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Stored {
            role: self.role.as_str().into(),
            name: self.name.as_str().into(),
            context: self
                .context
                .as_ref()
                .map(|context| (context.role.as_str().into(), context.key.as_str().into())),
            beside: self.beside.clone().map(|Beside { height, words, number }| (height, words, number)),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        let role = |word: &str| word.parse::<Role>().map_err(serde::de::Error::custom);
        let context = match &stored.context {
            Some((word, key)) => Some(Context { role: role(word)?, key: key.to_string() }),
            None => None,
        };
        let beside = stored.beside.map(|(height, words, number)| Beside { height, words, number });
        Ok(Self { role: role(&stored.role)?, name: stored.name.into_owned(), context, beside })
    }
}
