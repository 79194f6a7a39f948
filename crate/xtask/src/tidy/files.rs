//! Rules for each file that we wrote: it begins with what it promises, it is short, its name says something.

use crate::workspace::Workspace;
use anyhow::{Context as _, Result};
use std::{fs, path::Path};
use walkdir::WalkDir;

const LONGEST: usize = 800;

/// Folders that hold nothing of ours.
const SKIPPED: &[&str] = &["target", "dist"];

/// What npm brings, wherever it stands.
const INSTALLED: &str = "node_modules";

/// Names that would fit any file.
const EMPTY_NAMES: &[&str] = &["common", "helper", "helpers", "manager", "misc", "types", "util", "utils"];

struct Source {
    /// Relative to the repository.
    path: String,
    ending: String,
    text: String,
}

/// Every `.rs` file opens with `//!`, every script of the extension with a comment.
pub fn headers(workspace: &Workspace) -> Result<Vec<String>> {
    let lacks_header = |source: &Source| match source.ending.as_str() {
        "rs" => !source.text.starts_with("//! "),
        "js" => !["//", "/*"].iter().any(|mark| source.text.starts_with(mark)),
        _ => false,
    };
    let sources = sources(workspace)?;
    Ok(sources.iter().filter(|source| lacks_header(source)).map(|source| source.path.clone()).collect())
}

/// No file is longer than anyone reads.
pub fn sizes(workspace: &Workspace) -> Result<Vec<String>> {
    let mut long = Vec::new();
    for source in sources(workspace)? {
        let lines = source.text.lines().count();
        if lines > LONGEST {
            long.push(format!("{} has {lines} lines", source.path));
        }
    }
    Ok(long)
}

/// No file is called what any file could be called.
pub fn names(workspace: &Workspace) -> Result<Vec<String>> {
    let empty = |source: &Source| {
        let stem = Path::new(&source.path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        EMPTY_NAMES.contains(&stem)
    };
    Ok(sources(workspace)?.iter().filter(|source| empty(source)).map(|source| source.path.clone()).collect())
}

fn sources(workspace: &Workspace) -> Result<Vec<Source>> {
    let ours = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let is_skipped = entry.depth() == 1 && SKIPPED.contains(&&*name);
        entry.depth() == 0 || !(name.starts_with('.') || name == INSTALLED || is_skipped)
    };
    let mut sources = Vec::new();
    for entry in WalkDir::new(&workspace.root).sort_by_file_name().into_iter().filter_entry(ours) {
        let entry = entry?;
        let ending = entry.path().extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if entry.file_type().is_file() && ["rs", "js", "mjs", "css", "html"].contains(&ending) {
            let path = entry.path().strip_prefix(&workspace.root)?.display().to_string();
            let text = fs::read_to_string(entry.path()).with_context(|| format!("{path} is not UTF-8"))?;
            sources.push(Source { path, ending: ending.to_owned(), text });
        }
    }
    Ok(sources)
}
