//! What tells an element from its namesakes: its role, its name, and the key of what it stands in. Counters and times
//! have no part in it, so that a ticking clock makes no one another.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ids::Ref;
use crate::role::Role;
use crate::text::{clip, collapse, quote};
use crate::tree::{At, Node, Tree};

/// What an element was when it was shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint {
    /// What it is.
    pub role: Role,
    /// Its name, without counters and times.
    pub name: String,
    /// What it stands in.
    pub context: Option<Context>,
}

/// What an element stands in: the nearest thing that has a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Context {
    /// What that is.
    pub role: Role,
    /// A row's header or first cell, an item's first words, a group's name.
    pub key: String,
}

/// Longer keys tell no more.
const LONGEST_KEY: usize = 80;
/// So many nodes of an item are looked at for its key.
const FAR_ENOUGH: usize = 64;

/// The fingerprint of what a ref stands for.
pub fn of(tree: &Tree, reference: Ref) -> Option<Fingerprint> {
    tree.at(reference).map(|at| self::at(tree, at))
}

/// The fingerprint of a node.
pub fn at(tree: &Tree, at: At) -> Fingerprint {
    let node = tree.node(at);
    let name = if node.role() == Role::Row { row_key(tree, at) } else { steady(node.name()) };
    let context = tree.ancestors(at).find_map(|ancestor| context(tree, ancestor, at));
    Fingerprint { role: node.role(), name, context }
}

/// Every ref whose element has that fingerprint, in document order.
pub fn find(tree: &Tree, wanted: &Fingerprint) -> Vec<Ref> {
    tree.iter()
        .filter(|(_, node)| node.role() == wanted.role && !node.is_hidden())
        .filter(|(at, _)| self::at(tree, *at) == *wanted)
        .filter_map(|(_, node)| node.reference())
        .collect()
}

/// What an ancestor says of what is in it, if it has a key.
fn context(tree: &Tree, ancestor: At, of: At) -> Option<Context> {
    let node = tree.node(ancestor);
    let role = node.role();
    let key = if role == Role::Row {
        row_key(tree, ancestor)
    } else if matches!(role, Role::ListItem | Role::Article | Role::TreeItem) {
        item_key(tree, ancestor, of)
    } else if is_place(role) {
        steady(node.name())
    } else {
        return None;
    };
    (!key.is_empty()).then(|| Context { role: node.role(), key })
}

/// Whether a role is that of something whose name tells where one is.
fn is_place(role: Role) -> bool {
    role.is_landmark()
        || matches!(
            role,
            Role::AlertDialog
                | Role::Dialog
                | Role::Figure
                | Role::Grid
                | Role::Group
                | Role::Iframe
                | Role::Listbox
                | Role::Menu
                | Role::RadioGroup
                | Role::TabList
                | Role::Table
                | Role::TabPanel
                | Role::Toolbar
        )
}

/// A row's header, else the first of its cells that says more than a number or a time.
fn row_key(tree: &Tree, row: At) -> String {
    let node = tree.node(row);
    if !node.name().is_empty() {
        return steady(node.name());
    }
    let cells =
        || tree.inside(row).map(|at| tree.node(at)).filter(|node| node.role().is_cell() && !node.is_hidden());
    let header =
        cells().filter(|cell| cell.role() == Role::RowHeader).map(key_of).find(|key| !key.is_empty());
    header.or_else(|| cells().map(key_of).find(|key| !key.is_empty())).unwrap_or_default()
}

/// The first words in an item that are not those of the element itself.
fn item_key(tree: &Tree, item: At, of: At) -> String {
    let node = tree.node(item);
    if !node.name().is_empty() {
        return steady(node.name());
    }
    tree.inside(item)
        .take(FAR_ENOUGH)
        .filter(|at| *at != of && !is_within(tree, *at, of))
        .map(|at| tree.node(at))
        .filter(|node| !node.is_hidden() && !matches!(node.role(), Role::Button | Role::Checkbox))
        .map(key_of)
        .find(|key| !key.is_empty())
        .unwrap_or_default()
}

fn is_within(tree: &Tree, at: At, outer: At) -> bool {
    at > outer && at.0 < tree.node(outer).end
}

fn key_of(node: &Node) -> String {
    let key = steady(node.name());
    if key.chars().any(char::is_alphabetic) { clip(&key, LONGEST_KEY).into_owned() } else { String::new() }
}

/// A name without what changes by itself: times, and counts in brackets.
pub fn steady(name: &str) -> String {
    if !name.bytes().any(|b| b.is_ascii_digit()) {
        return collapse(name);
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    let mut kept: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let ago = words[at..]
            .iter()
            .take(3)
            .position(|word| word.trim_matches(is_edge).eq_ignore_ascii_case("ago"));
        if let Some(ago) = ago.filter(|_| words[at].starts_with(|c: char| c.is_ascii_digit())) {
            at += ago + 1;
        } else if is_time(words[at]) || is_count(words[at]) {
            at += 1;
        } else {
            kept.push(words[at]);
            at += 1;
        }
    }
    // What is nothing but a number is its name all the same: a page's "3", a key's "7".
    if kept.is_empty() && !words.iter().any(|word| is_time(word)) { words.join(" ") } else { kept.join(" ") }
}

fn is_edge(c: char) -> bool {
    matches!(c, ',' | '.' | ';' | '(' | ')' | '[' | ']')
}

/// `12:30`, `1:02:03`.
fn is_time(word: &str) -> bool {
    let word = word.trim_matches(is_edge);
    let parts: Vec<&str> = word.split(':').collect();
    (2..=3).contains(&parts.len())
        && parts.iter().all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit()))
}

/// `(12)`, `[3]`, `(99+)`.
fn is_count(word: &str) -> bool {
    let inner = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
    let inner = inner.or_else(|| word.strip_prefix('[').and_then(|word| word.strip_suffix(']')));
    inner.is_some_and(|inner| {
        let digits = inner.trim_end_matches('+');
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b',' || b == b'.')
    })
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.role.as_str())?;
        if !self.name.is_empty() {
            write!(f, " {}", quote(&clip(&self.name, LONGEST_KEY)))?;
        }
        match &self.context {
            Some(context) => write!(f, " in {context}"),
            None => Ok(()),
        }
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
        Ok(Self { role: role(&stored.role)?, name: stored.name.into_owned(), context })
    }
}

#[cfg(test)]
mod tests {
    use super::steady;

    #[test]
    fn what_changes_by_itself_is_left_out() {
        for (name, kept) in [
            ("Inbox (12)", "Inbox"),
            ("Alerts [99+]", "Alerts"),
            ("Edited 5 minutes ago", "Edited"),
            ("Started 12:30:05", "Started"),
            ("Item 12", "Item 12"),
            ("3", "3"),
            ("12:30", ""),
            ("  plain \n name ", "plain name"),
        ] {
            assert_eq!(steady(name), kept, "{name}");
        }
    }
}
