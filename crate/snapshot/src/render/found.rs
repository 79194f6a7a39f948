//! Lines that match, each with what it is in, and what could not be searched because the page has not rendered it.

use super::changes::holder_onto;
use super::line::{Style, line_onto, subject_onto};
use crate::ids::Ref;
use crate::role::Role;
use crate::tree::{At, Tree};

/// Named ancestors said of each match.
const MOST_HOLDERS: usize = 3;
/// Longer texts of a match are cut: as a scope, or by `read`, it is given whole.
const LONGEST: usize = 400;
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

/// Says nodes: `e13 button "Delete" in e12 row "Alice" in e2 table "Orders"`.
pub fn found(tree: &Tree, nodes: &[At]) -> Found {
    let mut found = Found::default();
    for at in nodes {
        line_onto(&mut found.text, tree.node(*at), Style { longest: Some(LONGEST), ..Style::default() });
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
