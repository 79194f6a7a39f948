//! What `install` wrote, so that `uninstall` takes back exactly that: each file with the hash of what was written, the
//! folders and keys that were made for it, and the entries in settings of clients.

use crate::trouble::Trouble;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

/// The record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The version that wrote last.
    pub version: String,
    /// Files, each with the hash of its content.
    pub files: BTreeMap<PathBuf, String>,
    /// Folders that were not there before.
    pub folders: BTreeSet<PathBuf>,
    /// Registry keys, each with its value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub keys: BTreeMap<String, String>,
    /// Clients whose settings got an entry.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub clients: BTreeMap<String, Entry>,
}

/// An entry in a client's settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The file.
    pub file: PathBuf,
    /// The program that it names.
    pub program: PathBuf,
    /// How much of it is ours.
    pub made: Made,
    /// What brings back every byte, as long as nobody else wrote to the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<Undo>,
}

/// How to get from a text back to the one before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// Hash of the text.
    pub hash: String,
    /// Where the texts part, in bytes.
    at: usize,
    /// How many bytes are new from there.
    new: usize,
    /// What was there instead.
    was: String,
}

impl Undo {
    /// What leads back from `after` to `before`.
    pub fn between(before: &str, after: &str) -> Self {
        let same = |(a, b): &(char, char)| a == b;
        let width = |(a, _): (char, char)| a.len_utf8();
        let at: usize = before.chars().zip(after.chars()).take_while(same).map(width).sum();
        let (was, new) = (&before[at..], &after[at..]);
        let end: usize = was.chars().rev().zip(new.chars().rev()).take_while(same).map(width).sum();
        Self {
            hash: hash(after.as_bytes()),
            at,
            new: new.len() - end,
            was: was[..was.len() - end].to_owned(),
        }
    }

    /// The text before, if this is the text after.
    pub fn apply(&self, text: &str) -> Option<String> {
        if hash(text.as_bytes()) != self.hash {
            return None;
        }
        Some(text.get(..self.at)?.to_owned() + &self.was + text.get(self.at + self.new..)?)
    }
}

/// How much of a client's settings is ours: uninstalling takes away no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Made {
    /// The program's path in an entry that was there.
    Path,
    /// The entry, in a list that was there.
    Entry,
    /// The list of servers.
    List,
    /// The whole file.
    File,
}

impl Record {
    /// Where it is kept.
    pub fn path(data: &Path) -> PathBuf {
        data.join("installed.json")
    }

    /// Reads it; an empty one if there is none.
    pub fn read(data: &Path) -> Result<Option<Self>, Trouble> {
        let path = Self::path(data);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(Trouble::File { what: "cannot read", path, source }),
        };
        match serde_json::from_slice(&text) {
            Ok(record) => Ok(Some(record)),
            Err(error) => Err(Trouble::Record { path, why: error.to_string() }),
        }
    }

    /// Its text.
    pub fn text(&self) -> Result<String, Trouble> {
        Ok(serde_json::to_string_pretty(self).map_err(io::Error::from)? + "\n")
    }
}

/// What tells two contents apart.
pub fn hash(content: &[u8]) -> String {
    format!("{:x}", Sha256::digest(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undo_leads_back() {
        for (before, after) in [
            ("", "new"),
            ("{}", "{\"a\": 1}"),
            ("aa", "aaa"),
            ("{\"ä\": \"é\"}", "{\"ä\": \"è\"}"),
            ("gone", ""),
            ("same", "same"),
        ] {
            let undo = Undo::between(before, after);
            assert_eq!(undo.apply(after).as_deref(), Some(before));
            assert_eq!(undo.apply("another"), None);
        }
    }
}
