//! Starting other programs: each is announced in one line, and its failure names what was run.

use anyhow::{Context as _, Result, bail};
use std::{ffi::OsStr, process::Command};

/// The cargo that runs us.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The command as a person would type it.
pub fn spelled(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    std::iter::once(name).chain(command.get_args()).map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

/// Runs a program to its end, its output going where ours goes.
pub fn run(command: &mut Command) -> Result<()> {
    let words = spelled(command);
    let status = command.status().with_context(|| format!("`{words}` could not be started"))?;
    if !status.success() {
        bail!("`{words}` failed ({status})");
    }
    Ok(())
}

/// Runs a program to its end and gives back what it wrote to its standard output.
pub fn output(command: &mut Command) -> Result<String> {
    let words = spelled(command);
    let output = command.output().with_context(|| format!("`{words}` could not be started"))?;
    if !output.status.success() {
        bail!("`{words}` failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
