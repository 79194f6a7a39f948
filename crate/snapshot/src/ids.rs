//! The numbers things go by. Each is its own type, so that none can stand in for another.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One loaded document in one frame. Given by the engine, never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DocumentNo(pub u32);

/// One element of one document. Given by the collector at first sight, never reused in that document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ElementNo(pub u32);

/// What an agent calls an element: `e12`. Unique over all tabs of a profile, never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ref(pub u32);

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

/// The text is no ref.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a ref looks like e12")]
pub struct NotARef;

impl FromStr for Ref {
    type Err = NotARef;

    /// Reads `e12`, `@e12` and `ref=e12`.
    fn from_str(text: &str) -> Result<Self, NotARef> {
        let text = text.trim();
        let text = text.strip_prefix("ref=").unwrap_or(text);
        let text = text.strip_prefix('@').unwrap_or(text);
        let digits = text.strip_prefix('e').ok_or(NotARef)?;
        if digits.is_empty() || digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(NotARef);
        }
        digits.parse().map(Ref).map_err(|_| NotARef)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ref_reads_in_every_form_and_nothing_else_does() {
        for text in ["e12", "@e12", "ref=e12", " e12 "] {
            assert_eq!(text.parse(), Ok(Ref(12)), "{text}");
        }
        for text in ["", "e", "12", "e0", "e01", "e-1", "e1.5", "e99999999999", "f12", "ee1"] {
            assert_eq!(text.parse::<Ref>(), Err(NotARef), "{text}");
        }
    }
}
