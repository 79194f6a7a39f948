//! One node as one line, without indentation.

use std::fmt::Write as _;

use super::Mode;
use crate::role::Role;
use crate::text::{clip, quote_onto};
use crate::tree::Node;

/// Options said on a select's line; the rest is counted.
const MOST_OPTIONS: usize = 12;
/// Longer values are cut: the field itself can be read.
const LONGEST_VALUE: usize = 400;
/// Longer addresses say no more.
const LONGEST_HREF: usize = 300;

/// How a line is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    pub links: bool,
    pub mode: Mode,
    /// All options of a select: it was asked for by itself.
    pub all_options: bool,
}

/// A node's line: ref, role, name, value, states.
pub fn line(node: &Node) -> String {
    let mut out = String::new();
    line_onto(&mut out, node, Style::default());
    out
}

pub(super) fn line_onto(out: &mut String, node: &Node, style: Style) {
    subject_onto(out, node);
    folded_onto(out, node, style);
    value_onto(out, node);
    if !node.placeholder().is_empty() {
        out.push_str(" placeholder=");
        quote_onto(out, node.placeholder());
    }
    if !node.range().is_empty() {
        out.push_str(" range=");
        word_onto(out, node.range());
    }
    for state in node.states() {
        let _ = write!(out, " {state}");
    }
    if !node.label().is_empty() {
        out.push(' ');
        word_onto(out, node.label());
    }
    if (style.links || style.mode == Mode::Verbose) && !node.href().is_empty() {
        out.push_str(" href=");
        word_onto(out, &clip(node.href(), LONGEST_HREF));
    }
    if !node.description().is_empty() {
        out.push_str(" description=");
        quote_onto(out, node.description());
    }
    if style.mode == Mode::Verbose
        && let Some(b) = node.bounds()
    {
        let _ = write!(out, " box={},{},{},{}", b.x, b.y, b.width, b.height);
    }
}

/// What one calls a node by: `e7 button "Save"`; a text without a ref is its words alone.
pub(super) fn subject_onto(out: &mut String, node: &Node) {
    if node.is_text() {
        quote_onto(out, node.name());
        return;
    }
    if let Some(reference) = node.reference() {
        let _ = write!(out, "{reference} ");
    }
    out.push_str(node.role().as_str());
    if !node.name().is_empty() {
        out.push(' ');
        quote_onto(out, node.name());
    }
}

pub(super) fn value_onto(out: &mut String, node: &Node) {
    if let Some(value) = node.value().filter(|value| !value.is_empty()) {
        out.push_str(" =");
        quote_onto(out, &clip(value, LONGEST_VALUE));
    }
}

/// Texts that stand on this node's line.
fn folded_onto(out: &mut String, node: &Node, style: Style) {
    let folded = node.folded();
    if folded.is_empty() {
        return;
    }
    if node.role() == Role::Row {
        cells_onto(out, node);
        return;
    }
    let most = if style.all_options || style.mode == Mode::Verbose { folded.len() } else { MOST_OPTIONS };
    let mut list = String::new();
    for (index, option) in folded.iter().take(most).enumerate() {
        if index > 0 {
            list.push('|');
        }
        list.push_str(&option.replace('|', "\\|"));
    }
    out.push_str(" options=");
    quote_onto(out, &list);
    if folded.len() > most {
        let _ = write!(out, "+{}", folded.len() - most);
    }
}

/// A row's cells.
pub(super) fn cells_onto(out: &mut String, node: &Node) {
    for text in node.folded() {
        out.push(' ');
        quote_onto(out, text);
    }
}

/// Text of the page without quotes where it cannot be taken for anything else, else quoted.
fn word_onto(out: &mut String, text: &str) {
    let plain = !text.is_empty()
        && text.chars().all(|c| c.is_ascii_graphic() && c != '"' && c != '\\')
        && !text.starts_with('=');
    if plain { out.push_str(text) } else { quote_onto(out, text) }
}
