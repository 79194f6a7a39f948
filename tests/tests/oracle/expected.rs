//! The differences that are known: one a line, `page | element | field | ours | the browser's | reason`. A difference
//! that is not listed fails the test, and so does a listed one that is no more.

use crate::compare::Difference;
use anyhow::{Context as _, Result, bail, ensure};
use std::{collections::BTreeSet, fmt::Write as _};

/// The list.
pub struct Expected {
    lines: Vec<(String, Difference)>,
}

impl Expected {
    /// Reads the list; lines that begin with `#` are remarks.
    pub fn read(text: &str) -> Result<Self> {
        let mut lines = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let parts: Vec<&str> = line.split(" | ").collect();
            let &[page, element, field, ours, theirs, reason] = parts.as_slice() else {
                bail!("not six parts: {line}");
            };
            ensure!(reason.trim().len() > 8, "no reason: {line}");
            let unquote = |text: &str| serde_json::from_str::<String>(text).with_context(|| line.to_owned());
            let difference = Difference {
                element: element.to_owned(),
                field: field.to_owned(),
                ours: unquote(ours)?,
                theirs: unquote(theirs)?,
            };
            lines.push((page.to_owned(), difference));
        }
        Ok(Self { lines })
    }

    /// Compares a page's differences with the list.
    pub fn judge(&self, page: &str, found: &[Difference]) -> Result<()> {
        let listed: BTreeSet<&Difference> =
            self.lines.iter().filter(|(of, _)| of == page).map(|(_, difference)| difference).collect();
        let found: BTreeSet<&Difference> = found.iter().collect();
        let mut complaint = String::new();
        for difference in found.difference(&listed) {
            let _ = writeln!(complaint, "new:  {page} | {difference}");
        }
        for difference in listed.difference(&found) {
            let _ = writeln!(complaint, "gone: {page} | {difference}");
        }
        ensure!(complaint.is_empty(), "differences from the browser's tree\n{complaint}");
        Ok(())
    }

    /// A page that is listed must be there.
    pub fn all_pages_exist<'a>(&self, pages: impl Iterator<Item = &'a String>) -> Result<()> {
        let pages: BTreeSet<&String> = pages.collect();
        for (page, _) in &self.lines {
            ensure!(pages.contains(page), "the page {page} is listed and not there");
        }
        Ok(())
    }
}
