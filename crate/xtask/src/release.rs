//! `cargo xtask release`: the program as a person gets it, optimised and with the extension within.

use crate::{
    dist::{self, Built},
    process,
    workspace::Workspace,
};
use anyhow::Result;
use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// The command.
pub fn run() -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    let built = dist::build(&workspace, &dist::Options::default())?;
    eprintln!("{built}");
    process::run(with_extension(&workspace, &built.folder).arg("--release"))?;
    println!("{}", workspace.released_host().display());
    Ok(ExitCode::SUCCESS)
}

/// Both halves in one program, compiled as tests are.
pub fn for_tests(workspace: &Workspace) -> Result<(Built, PathBuf)> {
    let built = dist::build(workspace, &dist::Options::default())?;
    process::run(&mut with_extension(workspace, &built.folder))?;
    Ok((built, workspace.host()))
}

fn with_extension(workspace: &Workspace, extension: &Path) -> Command {
    let mut cargo = process::cargo();
    cargo.current_dir(&workspace.root).env("TABWRIGHT_DIST", extension);
    cargo.args(["build", "--quiet", "--package", "host", "--features", "embed"]);
    cargo
}
