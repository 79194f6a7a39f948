//! What changed, as lines: `+` added, `-` removed, `~` changed (what holds now first, what was after `was`), `>` moved.

use std::fmt::Write as _;

use super::estimate;
use super::line::{Style, line_onto, name_onto, says_texts, stroked, subject_onto, texts_onto, value_onto};
use crate::diff::{Diff, Entry, Placed};
use crate::ids::Ref;
use crate::state::State;
use crate::text::{clip, quote_onto};
use crate::tree::{At, Node, Tree};

/// Longer texts are cut where they only remind.
const LONGEST_WAS: usize = 120;
/// Tokens that the count of what is left out takes.
const FOR_THE_REST: usize = 24;
/// Texts are never cut shorter than this, in characters.
const SHORTEST: usize = 40;

/// Lines of a diff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The lines, each ended by a newline; `no change` if there is none.
    pub text: String,
    /// Changes said.
    pub shown: usize,
    /// Changes in all.
    pub total: usize,
    /// Every ref that is told of as it is now, in order.
    pub shown_refs: Vec<Ref>,
    /// The text's tokens, estimated.
    pub tokens: usize,
}

/// Says what changed, within so many tokens; beyond them the rest is counted.
pub fn diff(diff: &Diff, new: &Tree, max_tokens: usize) -> Changes {
    let entries: Vec<&Entry> = diff.entries().iter().filter(|entry| !is_loss_of_focus(entry, new)).collect();
    let mut changes = Changes { total: entries.len(), ..Changes::default() };
    let mut text = String::new();
    let mut refs = Vec::new();
    for (place, entry) in entries.iter().enumerate() {
        text.clear();
        refs.clear();
        let rest = if place + 1 < entries.len() { FOR_THE_REST } else { 0 };
        let left = max_tokens.saturating_sub(changes.tokens + rest);
        // One text may take half of what there is.
        let longest = (max_tokens / 2).max(SHORTEST);
        entry_onto(&mut text, entry, new, Room { tokens: left, longest }, &mut refs);
        let tokens = estimate(&text);
        if tokens > left && changes.shown > 0 {
            break;
        }
        changes.text.push_str(&text);
        changes.tokens += tokens;
        changes.shown += 1;
        changes.shown_refs.append(&mut refs);
    }
    if entries.is_empty() {
        changes.text.push_str("no change\n");
    } else if changes.shown < changes.total {
        let mut counts = [0; 4];
        for entry in &entries[changes.shown..] {
            counts[match entry {
                Entry::Added { .. } => 0,
                Entry::Removed { .. } => 1,
                Entry::Changed { .. } => 2,
                Entry::Moved { .. } => 3,
            }] += 1;
        }
        changes.text.push_str("… more:");
        for (count, word) in counts.into_iter().zip(["added", "removed", "changed", "moved"]) {
            if count > 0 {
                let _ = write!(changes.text, " {count} {word}");
            }
        }
        changes.text.push('\n');
    }
    changes
}

/// Focus that went elsewhere is told of where it went.
fn is_loss_of_focus(entry: &Entry, new: &Tree) -> bool {
    let Entry::Changed { at, was, .. } = entry else { return false };
    let node = new.node(*at);
    if !was.is(&State::Focused) || node.is(&State::Focused) {
        return false;
    }
    let mut without: Node = (**was).clone();
    without.more_mut().states.retain(|state| *state != State::Focused);
    node.says_same(&without) && node.reference() == was.reference()
}

/// What an entry may take.
#[derive(Clone, Copy)]
struct Room {
    tokens: usize,
    /// Characters of one text.
    longest: usize,
}

fn entry_onto(out: &mut String, entry: &Entry, new: &Tree, room: Room, refs: &mut Vec<Ref>) {
    match entry {
        Entry::Added { nodes, .. } => added_onto(out, nodes, new, room, refs),
        Entry::Removed { node, within, keys, words } => {
            out.push_str("- ");
            name_onto(out, node, room.longest);
            texts_or_nothing(out, node, room.longest);
            value_onto(out, node);
            if keys.len() > 1 {
                let _ = write!(out, " with {} more", keys.len() - 1);
                if node.name().is_empty() && node.folded().is_empty() && !words.is_empty() {
                    out.push_str(": ");
                    quote_onto(out, &clip(words, LONGEST_WAS));
                }
            }
            in_onto(out, new, *within, true);
            out.push('\n');
        }
        Entry::Changed { at, was, .. } => {
            let node = new.node(*at);
            refs.extend(node.reference());
            out.push_str("~ ");
            changed_onto(out, node, was, room.longest);
            if node.reference().is_none() {
                in_onto(out, new, Some(*at), false);
            }
            out.push('\n');
        }
        Entry::Moved { placed } => {
            let node = new.node(placed.at);
            refs.extend(node.reference());
            out.push_str("> ");
            name_onto(out, node, room.longest);
            texts_or_nothing(out, node, room.longest);
            match after(new, placed) {
                Some(sibling) => {
                    out.push_str(" now after ");
                    brief_onto(out, new.node(sibling));
                }
                None => out.push_str(" now first"),
            }
            in_onto(out, new, Some(placed.at), false);
            out.push('\n');
        }
    }
}

/// The sibling a moved node comes after.
fn after(new: &Tree, placed: &Placed) -> Option<At> {
    placed.after?;
    let siblings = match new.shown_parent(placed.at) {
        Some(parent) => new.shown_children(parent),
        None => new.shown_roots(),
    };
    siblings.take_while(|sibling| *sibling < placed.at).last()
}

fn added_onto(out: &mut String, nodes: &[Placed], new: &Tree, room: Room, refs: &mut Vec<Ref>) {
    let mut tokens = 0;
    let mut open: Vec<u32> = Vec::new();
    for (said, placed) in nodes.iter().enumerate() {
        let node = new.node(placed.at);
        while open.last().is_some_and(|end| *end <= placed.at.0) {
            open.pop();
        }
        let from = out.len();
        for _ in 0..open.len() {
            out.push(' ');
        }
        out.push_str(if open.is_empty() { "+ " } else { "  " });
        line_onto(out, node, Style { longest: Some(room.longest), ..Style::default() });
        if said == 0 {
            in_onto(out, new, Some(placed.at), false);
        }
        out.push('\n');
        open.push(node.end);
        tokens += estimate(&out[from..]);
        // With the line that counts the others.
        let others = if said + 1 < nodes.len() { FOR_THE_REST / 2 } else { 0 };
        if tokens + others > room.tokens && said > 0 {
            out.truncate(from);
            let _ = writeln!(out, "  … {} more lines in it", nodes.len() - said);
            return;
        }
        refs.extend(node.reference());
    }
}

fn texts_or_nothing(out: &mut String, node: &Node, longest: usize) {
    if says_texts(node.role()) {
        texts_onto(out, node, longest);
    }
}

/// A node by the words that tell it.
fn brief_onto(out: &mut String, node: &Node) {
    if node.is_text() {
        quote_onto(out, &clip(node.name(), LONGEST_WAS));
        return;
    }
    match node.reference() {
        Some(reference) => {
            let _ = write!(out, "{reference}");
        }
        None => subject_onto(out, node),
    }
}

/// What a node stands in.
fn in_onto(out: &mut String, new: &Tree, at: Option<At>, itself: bool) {
    let Some(at) = at else { return };
    let node = new.node(at);
    let is_named =
        node.cut().is_none() && (!node.name().is_empty() || node.reference().is_some()) && !node.is_text();
    let holder = if itself && is_named { Some(at) } else { new.named_ancestor(at) };
    let Some(holder) = holder else { return };
    holder_onto(out, new.node(holder));
}

/// ` in e4 row "Alice"`
pub(super) fn holder_onto(out: &mut String, node: &Node) {
    out.push_str(" in ");
    subject_onto(out, node);
    if says_texts(node.role())
        && node.name().is_empty()
        && let Some(first) = node.folded().iter().find(|text| !text.is_empty())
    {
        out.push(' ');
        quote_onto(out, &clip(first, LONGEST_WAS));
    }
}

/// A node as it is now; then, of each thing that changed, what was.
fn changed_onto(out: &mut String, node: &Node, was: &Node, longest: usize) {
    name_onto(out, node, longest);
    texts_or_nothing(out, node, longest);
    if node.value() != was.value() {
        match node.value() {
            Some(value) if !value.is_empty() => value_onto(out, node),
            Some(_) | None => out.push_str(" =\"\""),
        }
    }
    for state in node.states().iter().filter(|state| !was.is(state)) {
        let _ = write!(out, " +{state}");
    }
    for state in was.states().iter().filter(|state| !node.is(state)) {
        // A word that took another value is told once.
        if !node.states().iter().any(|now| now.word() == state.word()) {
            let _ = write!(out, " -{state}");
        }
    }
    for (word, now, before) in [
        ("icon", node.icon(), was.icon()),
        ("placeholder", node.placeholder(), was.placeholder()),
        ("href", node.href(), was.href()),
        ("label", node.label(), was.label()),
        ("range", node.range(), was.range()),
        ("description", node.description(), was.description()),
    ] {
        if now != before {
            let _ = write!(out, " {word}=");
            quote_onto(out, &clip(now, LONGEST_WAS));
        }
    }
    if !says_texts(node.role()) && node.folded() != was.folded() {
        out.push_str(" options=");
        quote_onto(out, &clip(&stroked(node.folded(), usize::MAX), LONGEST_WAS));
    }
    was_onto(out, node, was);
}

fn was_onto(out: &mut String, node: &Node, was: &Node) {
    let from = out.len();
    out.push_str(" was");
    let start = out.len();
    if node.reference() != was.reference()
        && let Some(reference) = was.reference()
    {
        let _ = write!(out, " {reference}");
    }
    if node.name() != was.name() {
        out.push(' ');
        quote_onto(out, &clip(was.name(), LONGEST_WAS));
    }
    if says_texts(node.role()) && node.folded() != was.folded() {
        texts_onto(out, was, LONGEST_WAS);
    }
    if node.value() != was.value() && was.value().is_some_and(|value| !value.is_empty()) {
        out.push_str(" =");
        quote_onto(out, &clip(was.value().unwrap_or_default(), LONGEST_WAS));
    }
    if out.len() == start {
        out.truncate(from);
    }
}
