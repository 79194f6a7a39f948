//! Where a reply broke off, or where lines were folded, as an agent gives it back: `e390`, `e390+5`, `+120`, `e31:94`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::outline::Line;
use crate::ids::Ref;
use crate::tree::Tree;

/// A place among the lines of a tree: at the line of a ref, or so many lines after it; without a ref, after the first
/// line. Of what was folded, also how many lines there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The last ref before the line to go on with, or that line's own.
    pub reference: Option<Ref>,
    /// Lines after it.
    pub lines: usize,
    /// No more than so many lines.
    pub most: Option<usize>,
}

/// The text is no cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a cursor is what a reply said after cursor=, such as e390")]
pub struct NotACursor;

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reference) = self.reference {
            write!(f, "{reference}")?;
        }
        if self.lines > 0 || self.reference.is_none() {
            write!(f, "+{}", self.lines)?;
        }
        match self.most {
            Some(most) => write!(f, ":{most}"),
            None => Ok(()),
        }
    }
}

impl FromStr for Cursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let text = text.trim();
        let text = text.strip_prefix("cursor=").unwrap_or(text);
        let (place, most) = match text.split_once(':') {
            Some((place, most)) => (place, Some(most.parse().map_err(|_| NotACursor)?)),
            None => (text, None),
        };
        let (reference, lines) = place.split_once('+').unwrap_or((place, "0"));
        let reference =
            if reference.is_empty() { None } else { Some(reference.parse().map_err(|_| NotACursor)?) };
        if reference.is_none() && !place.starts_with('+') {
            return Err(NotACursor);
        }
        Ok(Self { reference, lines: lines.parse().map_err(|_| NotACursor)?, most })
    }
}

impl Cursor {
    /// The cursor of a line, by its index.
    pub(super) fn to(tree: &Tree, lines: &[Line], index: usize, most: Option<usize>) -> Self {
        for (back, line) in lines[..=index].iter().rev().enumerate() {
            if let Some(reference) = tree.node(line.at).reference() {
                return Self { reference: Some(reference), lines: back, most };
            }
        }
        Self { reference: None, lines: index, most }
    }

    /// The index of the line it means.
    pub(super) fn find(&self, tree: &Tree, lines: &[Line]) -> usize {
        let from = match self.reference {
            None => 0,
            Some(reference) => {
                let line = lines.iter().position(|line| tree.node(line.at).reference() == Some(reference));
                // What the ref stood for is no longer a line: go on with what follows its place.
                line.or_else(|| {
                    let at = tree.at(reference)?;
                    lines.iter().position(|line| line.at >= at)
                })
                .unwrap_or(0)
            }
        };
        from.saturating_add(self.lines).min(lines.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_read_back() {
        for text in ["e390", "e390+5", "+120", "+0", "e31:94", "e31+2:94", "+7:1"] {
            assert_eq!(text.parse::<Cursor>().unwrap().to_string(), text);
        }
        for text in ["", "390", "e", "+", "e1+", "x+1", "e1:", ":4", "e1:x"] {
            assert_eq!(text.parse::<Cursor>(), Err(NotACursor), "{text}");
        }
    }
}
