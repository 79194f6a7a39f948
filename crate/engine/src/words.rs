//! Sentences for the person. The engine says which, and what goes into their places; the words themselves are in the
//! extension's `_locales`, in every language that it speaks. Replies to agents are no such sentences.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A sentence by its key in `_locales`. `cargo xtask tidy` checks that every language has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    /// Names the message.
    pub key: Cow<'static, str>,
    /// What `$1`, `$2` and so on stand for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
}

impl Sentence {
    /// One without places.
    pub fn plain(key: &'static str) -> Self {
        Self { key: Cow::Borrowed(key), args: Vec::new() }
    }

    /// One with what goes into its places.
    pub fn with<const N: usize>(key: &'static str, args: [&str; N]) -> Self {
        Self { key: Cow::Borrowed(key), args: args.map(str::to_owned).to_vec() }
    }
}
