//! The unattended policy: what agents may do where no person can be asked (tests, CI, the demo). It is a file
//! named in the browser's environment; the worker honours it only in a profile never used by hand.

use serde::{Deserialize, Serialize};

/// What is allowed. What it does not list fails at once, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Labels of agents that may connect; `*` matches any run of characters.
    #[serde(default)]
    pub agents: Vec<String>,
    /// Sites that may be opened, `scheme://host:port`; `*` matches any run of characters.
    #[serde(default)]
    pub sites: Vec<String>,
    /// Acts that would otherwise be asked for; `*` allows all.
    #[serde(default)]
    pub acts: Vec<String>,
    /// Absolute folders that files may be read from for uploads.
    #[serde(default)]
    pub file_roots: Vec<String>,
}
