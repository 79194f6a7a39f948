//! The peers' packages: a folder of their own below `target`, in the versions that `Name` pins.

use super::Name;
use crate::{process, test::npm, workspace::Workspace};
use anyhow::{Context as _, Result};
use std::{fs, path::PathBuf, process::Command};

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("peers")
}

/// Fetches what is missing or of another version.
pub fn install(workspace: &Workspace) -> Result<()> {
    if Name::ALL.iter().all(|name| is_there(workspace, *name)) {
        return Ok(());
    }
    let folder = folder(workspace);
    fs::create_dir_all(&folder)?;
    // Without it npm would look for the package that the folder belongs to.
    fs::write(folder.join("package.json"), "{ \"private\": true }\n")?;
    eprintln!("installing the peers");
    let mut install = Command::new(npm::find_npm()?);
    install.current_dir(&folder).args([
        "install",
        "--no-audit",
        "--no-fund",
        "--no-save",
        "--loglevel=error",
    ]);
    install.args(Name::ALL.iter().map(|name| format!("{}@{}", name.package(), name.version())));
    process::run(&mut install).context("the peers cannot be installed")
}

/// Whether the package is there in the pinned version.
pub fn is_there(workspace: &Workspace, name: Name) -> bool {
    let package = folder(workspace).join("node_modules").join(name.package()).join("package.json");
    let Ok(text) = fs::read_to_string(package) else { return false };
    serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|package| package["version"] == name.version())
}

/// What its package offers to be run.
pub fn program(workspace: &Workspace, name: Name) -> PathBuf {
    folder(workspace).join("node_modules/.bin").join(name.program())
}
