//! The names that agents use for things: refs and tabs.

use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A word that does not read; says what would.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Misspelt(pub String);

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
    type Error = Misspelt;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        let bare = text.trim();
        let bare = bare.strip_prefix('@').or_else(|| bare.strip_prefix("ref=")).unwrap_or(bare);
        number(bare, 'e')
            .map(Self)
            .ok_or_else(|| Misspelt(format!("{text:?} is no ref; a ref reads e12, as snapshots show it")))
    }
}

impl FromStr for RefName {
    type Err = Misspelt;
    fn from_str(text: &str) -> Result<Self, Misspelt> {
        Self::try_from(text.to_owned())
    }
}

impl From<RefName> for String {
    fn from(name: RefName) -> Self {
        format!("e{}", name.0)
    }
}

impl TryFrom<String> for TabName {
    type Error = Misspelt;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        number(text.trim(), 't')
            .map(Self)
            .ok_or_else(|| Misspelt(format!("{text:?} is no tab; a tab reads t3, as `tabs` lists them")))
    }
}

impl FromStr for TabName {
    type Err = Misspelt;
    fn from_str(text: &str) -> Result<Self, Misspelt> {
        Self::try_from(text.to_owned())
    }
}

impl From<TabName> for String {
    fn from(name: TabName) -> Self {
        format!("t{}", name.0)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use super::{RefName, TabName};
    use crate::schema::text_schema;

    text_schema!(RefName);
    text_schema!(TabName);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_and_tabs_are_read_as_agents_write_them() {
        for text in ["e12", "@e12", "ref=e12", " e12 "] {
            assert_eq!(text.parse(), Ok(RefName(12)), "{text}");
        }
        assert_eq!("t3".parse(), Ok(TabName(3)));
        for text in ["", "e", "e0", "e01", "12", "E12", "t3", "e12x", "e-1", "e99999999999"] {
            assert!(text.parse::<RefName>().is_err(), "{text}");
        }
        assert_eq!(String::from(RefName(7)), "e7");
    }
}
