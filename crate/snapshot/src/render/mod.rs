//! Says a tree, or what changed in it, in few tokens: one line a node, `e7 button "Save" disabled`. Page text is always
//! quoted and on one line, so that no name can forge a line, a ref or a state. The first line of a reply (tab, title,
//! address) is not written here.

mod changes;
mod found;
mod json;
mod line;
mod outline;
mod tokens;

pub use changes::{Changes, diff};
pub use found::{Found, found, partial};
pub use json::{flat, json};
pub use line::line;
pub use outline::{Cursor, NotACursor, page};
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
    /// No more tokens than this, by [`estimate`].
    pub max_tokens: Option<usize>,
    /// Where an earlier reply broke off.
    pub cursor: Option<Cursor>,
    /// Whether links say where they lead.
    pub links: bool,
}

/// Lines of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The lines, each ended by a newline.
    pub text: String,
    /// Which lines these are, counted from 0.
    pub shown: Range<usize>,
    /// How many there are in all.
    pub total: usize,
    /// Where to go on; `None` when nothing follows.
    pub cursor: Option<Cursor>,
    /// Every ref in the text, in its order.
    pub shown_refs: Vec<Ref>,
    /// The text's tokens, estimated.
    pub tokens: usize,
}

impl Rendered {
    /// What is shown, for the first line of a reply: `all 8 lines`, or `lines 1-180 of 940; next: cursor=e390`.
    pub fn extent(&self) -> String {
        if self.shown.start == 0 && self.shown.end == self.total {
            return match self.total {
                0 => "empty".to_owned(),
                1 => "1 line".to_owned(),
                total => format!("all {total} lines"),
            };
        }
        let mut extent = format!("lines {}-{} of {}", self.shown.start + 1, self.shown.end, self.total);
        if let Some(cursor) = self.cursor {
            let _ = write!(extent, "; next: cursor={cursor}");
        }
        extent
    }
}
