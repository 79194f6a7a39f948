//! Lines that match, each with what it is in, and what could not be searched because the page has not rendered it.

use std::borrow::Cow;

use super::changes::holder_onto;
use super::line::{Style, line_onto, subject_onto};
use crate::ids::Ref;
use crate::role::Role;
use crate::text::{clip, collapse};
use crate::tree::{At, Node, Tree};

/// Named ancestors said of each match.
const MOST_HOLDERS: usize = 3;
/// Of longer texts of a match so many characters are said, around what matches: as a scope, or by `read`, it is given whole.
const LONGEST: usize = 400;
/// So many of them come before what matches.
const BEFORE: usize = 100;
/// Virtual lists told of.
const MOST_PARTIAL: usize = 5;

/// Matches as lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The lines, each ended by a newline.
    pub text: String,
    /// Every ref in the text.
    pub shown_refs: Vec<Ref>,
}

/// Says nodes: `e13 button "Delete" in e12 row "Alice" in e2 table "Orders"`. `spot` tells where in a text a match begins,
/// in bytes, if there is one.
pub fn found(tree: &Tree, nodes: &[At], spot: &dyn Fn(&str) -> Option<usize>) -> Found {
    let mut found = Found::default();
    for at in nodes {
        let node = excerpt(tree.node(*at), spot);
        line_onto(&mut found.text, &node, Style { longest: Some(LONGEST + 2), ..Style::default() });
        found.shown_refs.extend(tree.node(*at).reference());
        let holders = std::iter::successors(tree.named_ancestor(*at), |holder| tree.named_ancestor(*holder));
        for holder in holders.take(MOST_HOLDERS) {
            holder_onto(&mut found.text, tree.node(holder));
            found.shown_refs.extend(tree.node(holder).reference());
        }
        found.text.push('\n');
    }
    found
}

/// A node with its long texts cut to what is around the match.
fn excerpt<'a>(node: &'a Node, spot: &dyn Fn(&str) -> Option<usize>) -> Cow<'a, Node> {
    let is_long = |text: &str| text.len() > LONGEST;
    let value = node.value().filter(|value| is_long(value)).map(|value| around(value, spot));
    if !is_long(node.name()) && value.is_none() && !node.folded().iter().any(|text| is_long(text)) {
        return Cow::Borrowed(node);
    }
    let mut said = node.clone();
    if is_long(node.name()) {
        said.name = around(&collapse(node.name()), spot).into();
    }
    if let Some(more) = &mut said.more {
        more.value = value.map(Into::into).or(more.value.take());
        more.brief = "".into();
        for text in more.folded.iter_mut().filter(|text| is_long(text)) {
            *text = around(text, spot).into();
        }
    }
    Cow::Owned(said)
}

/// A text, or a part of it around where the match begins; `…` for what is left out.
fn around(text: &str, spot: &dyn Fn(&str) -> Option<usize>) -> String {
    if text.char_indices().nth(LONGEST).is_none() {
        return text.to_owned();
    }
    let at = spot(text).unwrap_or(0);
    let start = text[..at].char_indices().rev().nth(BEFORE - 1).map_or(0, |(start, _)| start);
    let rest = clip(&text[start..], LONGEST);
    if start == 0 { rest.into_owned() } else { format!("…{rest}") }
}

/// Lists and tables of which the page renders only a part, a sentence each.
pub fn partial(tree: &Tree) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    // Of sets that count their members: the parent, the role, what they claim, how many there are.
    let mut sets: Vec<(Option<At>, Role, i64, i64)> = Vec::new();
    for (at, node) in tree.iter().filter(|(_, node)| !node.is_hidden()) {
        let element = node.element().and_then(|number| tree.facts(node.frame())?.find(number));
        let Some(element) = element else { continue };
        let count = |name| element.said(name).and_then(|count| count.parse::<i64>().ok());
        if let Some(claimed) = count("aria-rowcount") {
            let rows = tree.inside(at).filter(|inner| tree.node(*inner).role() == Role::Row).count();
            told.extend(sentence(tree, at, "rows", whole(rows), claimed));
        }
        if let Some(claimed) = count("aria-setsize") {
            let parent = tree.ancestors(at).find(|outer| !tree.node(*outer).role().is_plain());
            match sets.iter_mut().find(|(of, role, ..)| *of == parent && *role == node.role()) {
                Some((.., most, found)) => (*most, *found) = ((*most).max(claimed), *found + 1),
                None => sets.push((parent, node.role(), claimed, 1)),
            }
        }
        if element.scrolls_y()
            && let Some(bounds) = element.bounds()
            && is_mostly_empty(element, bounds.height)
        {
            let place = subject(tree, at);
            told.push(format!("{place} shows only a part of its rows: what is further was not searched"));
        }
    }
    for (parent, _, claimed, found) in sets {
        if let Some(parent) = parent {
            told.extend(sentence(tree, parent, "items", found, claimed));
        }
    }
    told.truncate(MOST_PARTIAL);
    told
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn sentence(tree: &Tree, at: At, what: &str, found: i64, claimed: i64) -> Option<String> {
    let of = match claimed {
        -1 => "an unknown number of".to_owned(),
        claimed if claimed > found => claimed.to_string(),
        _ => return None,
    };
    Some(format!(
        "{} has only {found} of {of} {what} rendered: the others were not searched",
        subject(tree, at)
    ))
}

fn subject(tree: &Tree, at: At) -> String {
    let mut out = String::new();
    subject_onto(&mut out, tree.node(at));
    let holder = tree.node(at).name().is_empty().then(|| tree.named_ancestor(at)).flatten();
    if let Some(holder) = holder {
        holder_onto(&mut out, tree.node(holder));
    }
    out
}

/// Whether a scroller's content is far larger than what is in it: most of it is kept empty for rows to come.
fn is_mostly_empty(scroller: crate::facts::Element<'_>, height: i32) -> bool {
    let mut tallest = 0;
    let (mut top, mut bottom) = (i32::MAX, i32::MIN);
    for inner in scroller.descendants() {
        let Some(bounds) = inner.bounds() else { continue };
        tallest = tallest.max(bounds.height);
        let is_leaf = inner.children().next().is_none();
        if is_leaf && bounds.width > 0 && bounds.height > 0 && bounds.height < height.saturating_mul(2) {
            top = top.min(bounds.y);
            bottom = bottom.max(bounds.y.saturating_add(bounds.height));
        }
    }
    top < bottom && tallest > height.saturating_mul(3) && bottom.saturating_sub(top) < tallest / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{facts::sketch::sketch, page::Page, query, refs::Refs};

    #[test]
    fn of_a_long_text_the_part_around_the_match_is_said() {
        let text = format!("{}Here is ÄRGER. {}", "É before. ".repeat(90), "After. ".repeat(90));
        let facts = sketch(1, &format!("body\n  p \"{text}\"\n  p \"Short ÄRGER\""));
        let tree = Tree::build(&Page::single(facts), &mut Refs::new());
        let nodes = query::text(&tree, "ärger");
        let found = found(&tree, &nodes, &|text| text.find("ÄRGER"));
        let lines: Vec<&str> = found.text.lines().collect();
        assert!(lines[0].starts_with("\"…") && lines[0].ends_with("…\""), "{}", lines[0]);
        assert!(lines[0].contains("before. Here is ÄRGER. After."), "{}", lines[0]);
        assert_eq!(lines[0].chars().count(), LONGEST + 4);
        assert_eq!(lines[1], "\"Short ÄRGER\"");
        // What does not match in itself is said from its beginning.
        let begun = super::found(&tree, &nodes[..1], &|_| None);
        assert!(begun.text.starts_with("\"É before."), "{}", begun.text);
    }
}
