//! The names that agents use for things: refs and tabs.

use serde::{Deserialize, Serialize};

/// A ref as an agent writes it: `e12`, `@e12` or `ref=e12`, with an optional `label/` of its browser before it
/// (taken off by the front end). The number is the ref's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RefName(pub u32);

/// A tab as an agent writes it: `t3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TabName(pub u32);

fn number(text: &str, letter: char) -> Option<u32> {
    let digits = text.strip_prefix(letter)?;
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    if plain { digits.parse().ok() } else { None }
}

impl TryFrom<String> for RefName {
    type Error = String;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        let bare = text.trim();
        let bare = bare.strip_prefix('@').or_else(|| bare.strip_prefix("ref=")).unwrap_or(bare);
        number(bare, 'e')
            .map(Self)
            .ok_or_else(|| format!("{text:?} is no ref; a ref reads e12, as snapshots show it"))
    }
}

impl From<RefName> for String {
    fn from(name: RefName) -> Self {
        format!("e{}", name.0)
    }
}

impl TryFrom<String> for TabName {
    type Error = String;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        number(text.trim(), 't')
            .map(Self)
            .ok_or_else(|| format!("{text:?} is no tab; a tab reads t3, as `tabs` lists them"))
    }
}

impl From<TabName> for String {
    fn from(name: TabName) -> Self {
        format!("t{}", name.0)
    }
}
