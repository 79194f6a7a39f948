//! A page's content for reading: markdown, plain text, its links, or its tables as comma-separated values. Made of the
//! tree, so frames, shadow roots and what is hidden are as in it; texts come from the facts, where white space is kept.
//! No refs, no budget in lines: a reader wants the words. Nothing in here knows how a page is laid out.

mod grid;
mod paragraph;
mod walk;

#[cfg(test)]
mod tests;

use crate::ids::Ref;
use crate::render::estimate;
use crate::role::Role;
use crate::text::is_treacherous;
use crate::tree::{At, Tree};

/// What is made of the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Markdown, as GitHub has it.
    #[default]
    Markdown,
    /// The words alone; the cells of a row parted by tabs.
    Text,
    /// One line a link, each once.
    Links,
    /// The tables alone (RFC 4180), an empty line between two.
    Csv,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The content; lines end with `\n`.
    pub text: String,
    /// In plain words, which part of the page it is.
    pub part: &'static str,
    /// Tables in it, for [`Form::Csv`]; links in it, for [`Form::Links`].
    pub count: usize,
}

/// Reads a page, or one element of it.
pub fn read(tree: &Tree, scope: Option<Ref>, form: Form) -> Content {
    let (from, part) = match scope {
        Some(scope) => (tree.at(scope), "the part asked for"),
        None => match main(tree) {
            Some((at, part)) => (Some(at), part),
            None => ((!tree.is_empty()).then_some(At(0)), "the whole page"),
        },
    };
    let Some(from) = from else { return Content { part, ..Content::default() } };
    let read = walk::walk(tree, from, form, scope.is_none());
    Content { part, ..read }
}

/// The part of the root document that a page is there for: its main, else its only article.
fn main(tree: &Tree) -> Option<(At, &'static str)> {
    let met = |wanted: Role| {
        let found = tree.iter().filter(move |(_, node)| node.role() == wanted && !node.is_hidden());
        found.filter(|(at, node)| node.frame() == 0 && holds_text(tree, *at)).map(|(at, _)| at)
    };
    if let Some(at) = met(Role::Main).next() {
        return Some((at, "the main content"));
    }
    let mut articles = met(Role::Article);
    match (articles.next(), articles.next()) {
        (Some(only), None) => Some((only, "the article")),
        (_, _) => None,
    }
}

fn holds_text(tree: &Tree, at: At) -> bool {
    tree.inside(at).map(|inner| tree.node(inner)).any(|node| node.is_text() && !node.is_hidden())
}

/// A part of a content within a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut<'a> {
    /// The part.
    pub text: &'a str,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends, in bytes: to go on from there.
    pub end: usize,
}

/// So much of a text from a place on as fits a budget of tokens: whole lines, unless one alone is too long.
pub fn cut(text: &str, start: usize, max_tokens: usize) -> Cut<'_> {
    let start = floor(text, start);
    let mut end = start;
    let mut left = max_tokens.max(1);
    for line in text[start..].split_inclusive('\n') {
        let tokens = estimate(line);
        if tokens <= left {
            left -= tokens;
            end += line.len();
            continue;
        }
        if end == start {
            end = floor(text, start + piece(line, left));
        }
        break;
    }
    Cut { text: &text[start..end], start, end }
}

/// So many bytes of a line that they cost no more than the budget; some in any case.
fn piece(line: &str, budget: usize) -> usize {
    let (mut low, mut high) = (line.chars().next().map_or(0, char::len_utf8), line.len());
    while low < high {
        let middle = floor(line, (low + high).div_ceil(2)).max(low);
        if middle == low {
            break;
        }
        if estimate(&line[..middle]) <= budget {
            low = middle;
        } else {
            high = floor(line, middle - 1);
        }
    }
    low
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A word to fence a content with: it does not occur in it, so nothing in it can pose as its end. Made of the content
/// itself: the same page gives the same word.
pub fn fence(text: &str) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    loop {
        for byte in text.bytes().chain([0x5c]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let word = format!("{:08x}", hash >> 32);
        if !text.contains(&word) {
            return word;
        }
    }
}

/// Whether a character stays in what is read. Scripts need joiners and marks of direction; what else cannot be seen,
/// or overrides the order of what can, goes, and so do the private signs of icon fonts.
fn is_readable(c: char) -> bool {
    matches!(c, '\n' | '\t' | '\u{200c}'..='\u{200f}') || !is_treacherous(c)
}
