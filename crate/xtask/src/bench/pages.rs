//! Which pages are measured, and how often. A folder of `tests/pages` is measured whole: a page of its own needs only
//! its file, a folder only its line here.

use crate::workspace::Workspace;
use anyhow::{Context as _, Result, ensure};
use std::fs;

/// Folders of which every page is measured, each with the names of those pages that are mostly running text.
const FOLDERS: &[(&str, &[&str])] = &[("saves", &["article"])];

/// Elements of the lists.
const LISTS: &[u32] = &[100, 1_000, 10_000];

/// Elements of the list that `--large` adds.
const LARGE: u32 = 50_000;

/// How many frames stand in each other.
const FRAMES: u32 = 5;

/// The most often that a page of a folder is taken: there are many.
const OF_FOLDER: usize = 3;

/// The most often that the largest list is taken: each time takes half a minute.
const OF_LARGE: usize = 2;

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// What the tables call it.
    pub name: String,
    /// Where it is below `tests/pages`.
    pub path: String,
    pub kind: Kind,
    /// How often it is taken.
    pub times: usize,
}

/// What is special about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Rows without end, of that many elements.
    List(u32),
    /// Frames in frames, of two sites.
    Frames,
    /// As found in life. Pages of text have their size compared with their text's.
    Found { of_text: bool },
}

/// The pages of a run: the one called `only`, else all whose name contains it. The largest list is one of them when asked for, by either way.
pub fn chosen(workspace: &Workspace, times: usize, large: bool, only: Option<&str>) -> Result<Vec<Page>> {
    let times = times.max(1);
    let mut pages: Vec<Page> = LISTS.iter().map(|elements| list(*elements, times)).collect();
    let path = format!("nest.html?n={FRAMES}");
    pages.push(Page { name: "frames".to_owned(), path, kind: Kind::Frames, times });
    for (folder, of_text) in FOLDERS {
        for stem in stems(workspace, folder)? {
            let kind = Kind::Found { of_text: of_text.contains(&&*stem) };
            let name = format!("{folder}/{stem}");
            let path = format!("{name}.html");
            pages.push(Page { name, path, kind, times: times.min(OF_FOLDER) });
        }
    }
    if large || only.is_some() {
        pages.push(list(LARGE, times.min(OF_LARGE)));
    }
    if let Some(only) = only {
        // A whole name means that page, also when it begins the names of others.
        let is_whole = pages.iter().any(|page| page.name == only);
        pages.retain(|page| if is_whole { page.name == only } else { page.name.contains(only) });
        ensure!(!pages.is_empty(), "no page's name contains {only:?}");
    }
    Ok(pages)
}

fn list(elements: u32, times: usize) -> Page {
    let path = format!("large.html?n={elements}");
    Page { name: format!("list {elements}"), path, kind: Kind::List(elements), times }
}

/// The pages of a folder, in the order of their names.
fn stems(workspace: &Workspace, folder: &str) -> Result<Vec<String>> {
    let folder = workspace.root.join("tests/pages").join(folder);
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut stems = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        stems.extend(name.strip_suffix(".html").map(str::to_owned));
    }
    stems.sort_unstable();
    Ok(stems)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(large: bool, only: Option<&str>) -> Result<Vec<String>> {
        let pages = chosen(&Workspace::find().unwrap(), 5, large, only)?;
        Ok(pages.into_iter().map(|page| page.name).collect())
    }

    #[test]
    fn a_page_is_chosen_by_a_part_of_its_name_the_largest_too() {
        assert_eq!(names(false, Some("50000")).unwrap(), ["list 50000"]);
        assert_eq!(names(false, Some("news")).unwrap(), ["saves/news"]);
        assert_eq!(names(false, Some("list 100")).unwrap(), ["list 100"]);
        assert!(names(false, Some("nothing of the kind")).is_err());
    }

    #[test]
    fn the_largest_list_comes_when_asked_for() {
        assert!(!names(false, None).unwrap().contains(&"list 50000".to_owned()));
        assert!(names(true, None).unwrap().contains(&"list 50000".to_owned()));
    }
}
