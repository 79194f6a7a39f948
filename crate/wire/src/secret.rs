//! Stored secrets, as host and worker speak of them. A value goes one way, from the host to the worker, once an act names
//! it; agents' front ends have no message that could carry one.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A text that must not be seen: whoever prints it prints dots.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hidden(pub String);

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("•••")
    }
}

/// A stored secret without its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secret {
    /// Its name.
    pub name: String,
    /// Where it may be typed: `scheme://host:port`.
    pub origins: Vec<String>,
}

/// What the keyring answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Keyring {
    /// What is stored.
    Listed {
        /// By name.
        secrets: Vec<Secret>,
    },
    /// A secret, for the origin that was asked for.
    Value {
        /// The value.
        value: Hidden,
        /// Where it may be typed.
        origins: Vec<String>,
    },
    /// There is none of that name for that origin.
    Absent,
    /// The keyring cannot be used.
    Unavailable {
        /// Why, in words.
        why: String,
        /// What to do about it.
        next: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_prints_as_dots() {
        let value = Keyring::Value { value: Hidden("hunter2".into()), origins: Vec::new() };
        assert!(!format!("{value:?}").contains("hunter2"));
    }
}
