//! `cargo xtask docs`: writes the pages that are derived from declarations.

use crate::workspace::Workspace;
use anyhow::Result;
use std::{fs, process::ExitCode};

/// The command.
pub fn run() -> Result<ExitCode> {
    let page = Workspace::find()?.reference_page();
    if let Some(folder) = page.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&page, tools::reference::reference())?;
    eprintln!("{} written", page.display());
    Ok(ExitCode::SUCCESS)
}
