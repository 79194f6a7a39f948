//! `cargo xtask tidy`: rules of the house that no compiler knows, each a function from the repository to what breaks
//! it. A rule that cannot be checked counts as broken.

mod edges;
mod extension;
mod files;
mod words;

use crate::workspace::Workspace;
use anyhow::{Context as _, Result};
use std::process::ExitCode;

/// What came of the rules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    pub kept: usize,
    pub broken: usize,
}

type Rule = fn(&Workspace) -> Result<Vec<String>>;

const RULES: &[(&str, Rule)] = &[
    ("crates depend only along the allowed edges", edges::allowed),
    ("every source file states its promise first", files::headers),
    ("no file is longer than 800 lines", files::sizes),
    ("file names say what is in them", files::names),
    ("every file that the manifest names exists", extension::files),
    ("the manifest's key gives the id that the host expects", extension::id),
    ("the extension asks for what it uses, and for no sites", extension::permissions),
    ("every language says all that the person reads", words::languages),
    ("what is said is there, and what is there is said", words::named),
    ("pages hold no words of their own", words::pages),
    ("docs/tools.md is what the declarations say", reference_page),
];

/// The command.
pub fn run() -> Result<ExitCode> {
    let outcome = check(&Workspace::find()?);
    Ok(if outcome.broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks all rules and prints what breaks them.
pub fn check(workspace: &Workspace) -> Kept {
    let mut outcome = Kept::default();
    for (name, rule) in RULES {
        let breaches = rule(workspace).unwrap_or_else(|error| vec![format!("{error:#}")]);
        if breaches.is_empty() {
            outcome.kept += 1;
            eprintln!("  ok  {name}");
        } else {
            outcome.broken += 1;
            eprintln!("  NO  {name}");
            for breach in breaches {
                eprintln!("        {breach}");
            }
        }
    }
    outcome
}

fn reference_page(workspace: &Workspace) -> Result<Vec<String>> {
    let committed = std::fs::read_to_string(workspace.reference_page())
        .context("it cannot be read; `cargo xtask docs` writes it")?;
    let stale = committed != tools::reference::reference();
    Ok(stale.then(|| "it is not; `cargo xtask docs` writes it".to_owned()).into_iter().collect())
}
