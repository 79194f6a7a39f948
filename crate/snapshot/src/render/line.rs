//! One node as one line, without indentation.

use std::fmt::Write as _;

use super::Mode;
use crate::facts::Bounds;
use crate::role::Role;
use crate::state::State;
use crate::text::{clip, quote_onto};
use crate::tree::Node;

/// Options said on a select's line; the rest is counted.
const MOST_OPTIONS: usize = 12;
/// Longer values are cut: the field itself can be read.
const LONGEST_VALUE: usize = 400;
/// Longer addresses say no more.
const LONGEST_HREF: usize = 300;

/// Of a row that says where something is: longer cells tell no more.
const LONGEST_OF_PLACE: usize = 60;

/// How a line is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    pub links: bool,
    pub mode: Mode,
    /// All options of a select: it was asked for by itself.
    pub all_options: bool,
    /// Texts are cut to so many characters.
    pub longest: Option<usize>,
    /// Which of how many siblings that read the same.
    pub twin: Option<(u32, u32)>,
    /// Whether the line above it leaves no doubt of what it is.
    pub is_plain: bool,
    /// Its box, if it is to be said.
    pub bounds: Option<Bounds>,
}

impl Style {
    /// At most so many characters of a text.
    fn most(&self, most: usize) -> usize {
        self.longest.unwrap_or(usize::MAX).min(most)
    }
}

/// A node's line: ref, role, name, value, states.
pub fn line(node: &Node) -> String {
    let mut out = String::new();
    line_onto(&mut out, node, Style::default());
    out
}

pub(super) fn line_onto(out: &mut String, node: &Node, style: Style) {
    if style.is_plain {
        reference_onto(out, node);
        out.pop();
        brief_onto(out, node, style.most(usize::MAX));
    } else {
        name_onto(out, node, style.most(usize::MAX));
    }
    if style.longest == Some(0) {
        out.push_str(" …");
        return;
    }
    folded_onto(out, node, style);
    if !node.icon().is_empty() {
        out.push_str(" icon=");
        quote_onto(out, &clip(node.icon(), style.most(usize::MAX)));
    }
    if let Some((place, of)) = style.twin {
        let _ = write!(out, " ({place}/{of})");
    }
    if let Some(value) = node.value().filter(|value| !value.is_empty()) {
        out.push_str(" =");
        quote_onto(out, &clip(value, style.most(LONGEST_VALUE)));
    }
    if !node.placeholder().is_empty() {
        out.push_str(" placeholder=");
        quote_onto(out, &clip(node.placeholder(), style.most(usize::MAX)));
    }
    if !node.range().is_empty() {
        out.push_str(" range=");
        word_onto(out, &clip(node.range(), style.most(usize::MAX)));
    }
    for state in node.states() {
        if !goes_without_saying(state, node.role()) {
            let _ = write!(out, " {state}");
        }
    }
    if let Some(how) = node.pointed() {
        let hidden = if node.is_hidden() { " hidden" } else { "" };
        let _ = write!(out, "{hidden} [{}]", how.words());
    }
    if !node.label().is_empty() {
        out.push(' ');
        let label = clip(node.label(), style.most(usize::MAX));
        // A host without a dot or a port could read as a state.
        if label.contains(['.', ':']) { word_onto(out, &label) } else { quote_onto(out, &label) }
    }
    if (style.links || style.mode == Mode::Verbose) && !node.href().is_empty() {
        out.push_str(" href=");
        word_onto(out, &clip(node.href(), style.most(LONGEST_HREF)));
    }
    if !node.description().is_empty() {
        out.push_str(" description=");
        quote_onto(out, &clip(node.description(), style.most(usize::MAX)));
    }
    if let Some(b) = style.bounds {
        let _ = write!(out, " box={},{},{},{}", b.x, b.y, b.width, b.height);
    }
}

/// The word of a heading has its level, and what is in a tree is of the first if nothing else is said.
fn goes_without_saying(state: &State, role: Role) -> bool {
    matches!(state, State::Level(1..=6)) && role == Role::Heading
        || matches!(state, State::Level(1)) && role == Role::TreeItem
}

/// What one calls a node by: `e7 button "Save"`; a text without a ref is its words alone.
pub(super) fn subject_onto(out: &mut String, node: &Node) {
    name_onto(out, node, usize::MAX);
}

/// The same, its name cut to so many characters.
pub(super) fn name_onto(out: &mut String, node: &Node, longest: usize) {
    if node.is_text() {
        quote_onto(out, &clip(node.name(), longest));
        return;
    }
    reference_onto(out, node);
    out.push_str(word(node));
    brief_onto(out, node, longest);
}

fn reference_onto(out: &mut String, node: &Node) {
    if let Some(reference) = node.reference() {
        let _ = write!(out, "{reference} ");
    }
}

fn brief_onto(out: &mut String, node: &Node, longest: usize) {
    if !node.name().is_empty() {
        out.push(' ');
        quote_onto(out, &clip(node.brief(), longest));
    }
}

/// The word for what a node is: its role, but for two that are said more shortly.
pub(super) fn word(node: &Node) -> &'static str {
    let level = node
        .states()
        .iter()
        .find_map(|state| if let State::Level(level) = state { Some(*level) } else { None });
    match (node.role(), level) {
        (Role::Heading, Some(level @ 1..=6)) => ["h1", "h2", "h3", "h4", "h5", "h6"][level as usize - 1],
        (Role::ListItem, _) => "item",
        (role, _) => role.as_str(),
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
    if says_texts(node.role()) {
        let is_place = style.mode == Mode::Interactive && node.role() == Role::Row;
        texts_onto(out, node, style.most(if is_place { LONGEST_OF_PLACE } else { usize::MAX }));
        return;
    }
    let most = if style.all_options || style.mode == Mode::Verbose { folded.len() } else { MOST_OPTIONS };
    let shown = &folded[..folded.len().min(most)];
    out.push_str(" options=");
    quote_onto(out, &clip(&stroked(shown, usize::MAX), style.most(usize::MAX)));
    if folded.len() > most {
        let _ = write!(out, "+{}", folded.len() - most);
    }
}

/// Whether the texts on a node's line stand by themselves: a row's cells, an item's first words. Others are options.
pub(super) fn says_texts(role: Role) -> bool {
    role != Role::Combobox
}

/// A row's cells as one text, else the words that a line begins with.
pub(super) fn texts_onto(out: &mut String, node: &Node, longest: usize) {
    if node.folded().is_empty() {
        return;
    }
    out.push(' ');
    if node.role() == Role::Row {
        quote_onto(out, &stroked(node.folded(), longest));
    } else {
        quote_onto(out, &clip(&node.folded().join(" "), longest));
    }
}

/// Texts as one, with strokes between them: a quote and a blank around each would cost twice as much. A stroke in a text
/// is escaped, and so is what escapes it. Each text is cut to so many characters.
pub(super) fn stroked(texts: &[Box<str>], longest: usize) -> String {
    let texts: Vec<String> =
        texts.iter().map(|text| clip(text, longest).replace('\\', r"\\").replace('|', r"\|")).collect();
    texts.join("|")
}

/// Text of the page without quotes where it cannot be taken for anything else, else quoted.
fn word_onto(out: &mut String, text: &str) {
    let plain = !text.is_empty()
        && text.chars().all(|c| c.is_ascii_graphic() && c != '"' && c != '\\')
        && !text.starts_with('=');
    if plain { out.push_str(text) } else { quote_onto(out, text) }
}
