//! Says a tree, or what changed in it, in few tokens: one line a node, `e7 button "Save" disabled`. Page text is always
//! quoted and on one line, so that no name can forge a line, a ref or a state. The first line of a reply (tab, title,
//! address) is not written here.
//!
//! A line: a blank for each level; the ref; the role (`h2` is a heading of level 2, `item` a list item; a row right under its
//! table goes without); the name; texts that stand on the line (a row's cells, `"Alice|3 May"`; an item's first words);
//! `="value"`; `(2/3)` where siblings read the same; icon, placeholder, range, states. A text that has no element of its own is its words alone.
//!
//! What is quoted is a JSON string. In it are escaped, besides quotes, backslashes and line breaks: all control
//! characters (C0, C1, U+0085 and tabs among them), line and paragraph separators (U+2028, U+2029), zero-width, joining
//! and bidirectional controls, soft hyphens, private-use characters, tags, interlinear marks and noncharacters. They are
//! shown as `\u` escapes rather than dropped, so that what differs on the page differs here. A lone surrogate is
//! U+FFFD since the facts were read. Words without quotes (states, a frame's host, an address) are plain ASCII without
//! blanks and quotes, else they are quoted too.

mod changes;
mod cursor;
mod fold;
mod found;
mod json;
mod line;
mod outline;
mod tokens;
mod urgent;

pub use changes::{Changes, diff};
pub use cursor::{Cursor, NotACursor};
pub use found::{Found, found, partial};
pub use json::{flat, json};
pub use line::line;
pub use outline::page;
pub use tokens::estimate;

pub use crate::text::{is_treacherous, quote};

use std::fmt::Write as _;
use std::ops::Range;

use crate::ids::Ref;

/// How much of a tree is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Everything a person can read and work.
    #[default]
    Full,
    /// What can be acted on, with the names of what it stands in.
    Interactive,
    /// Also what the distilling passes set aside, descriptions, links and boxes.
    Verbose,
}

/// What is to be said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How much.
    pub mode: Mode,
    /// Only this element and what is in it.
    pub scope: Option<Ref>,
    /// Levels below the outermost lines.
    pub depth: Option<u32>,
    /// No more tokens than this, by [`estimate`]; there is always room for one line.
    pub max_tokens: Option<usize>,
    /// Where an earlier reply broke off.
    pub cursor: Option<Cursor>,
    /// Whether links say where they lead.
    pub links: bool,
    /// What a reply told of just now: it is not folded away.
    pub told: Vec<Ref>,
}

/// Lines of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The lines, each ended by a newline.
    pub text: String,
    /// Which lines these are, counted from 0; folded ones are among them.
    pub shown: Range<usize>,
    /// How many there are in all.
    pub total: usize,
    /// How many lines are said, folded ones not counted.
    pub lines: usize,
    /// How many are folded.
    pub folded: usize,
    /// Where each fold is unfolded.
    pub folds: Vec<Cursor>,
    /// How many are left out by the depth.
    pub deeper: usize,
    /// Where to go on; `None` when nothing follows.
    pub cursor: Option<Cursor>,
    /// Every ref in the text, in its order.
    pub shown_refs: Vec<Ref>,
    /// The text's tokens, estimated.
    pub tokens: usize,
    /// Whether what is open above the page was put first.
    pub urgent_first: bool,
    /// Whether a line was too long for the budget and is said in part.
    pub clipped: bool,
    /// Lines there would be in full mode, where another was asked for.
    pub of_full: Option<usize>,
}

impl Rendered {
    /// What is shown and what is left out, for the first line of a reply: `all 8 lines`, or
    /// `lines 1-180 of 940; next: cursor=e390`.
    pub fn extent(&self) -> String {
        let is_all = self.shown.start == 0 && self.shown.end == self.total;
        let mut extent = match self.total {
            0 => "empty".to_owned(),
            1 if is_all => "1 line".to_owned(),
            total if is_all && self.folded == 0 => format!("all {total} lines"),
            total if is_all => format!("all {total} lines, {} of them folded", self.folded),
            total => format!("lines {}-{} of {total}", self.shown.start + 1, self.shown.end),
        };
        if !is_all && self.folded > 0 {
            let _ = write!(extent, ", {} of them folded", self.folded);
        }
        if let Some(full) = self.of_full.filter(|full| *full > self.total) {
            let _ = write!(extent, " that can be acted on (mode=full has {full})");
        }
        if self.urgent_first {
            extent.push_str(", what is open above the page first");
        }
        if self.deeper > 0 {
            let _ = write!(extent, "; {} lines are deeper: give more depth, or a scope", self.deeper);
        }
        if self.clipped {
            extent.push_str("; a text is cut: `read` has all of it");
        }
        if let Some(cursor) = self.cursor {
            let _ = write!(extent, "; next: cursor={cursor}");
        }
        extent
    }
}

#[cfg(test)]
mod tests;
