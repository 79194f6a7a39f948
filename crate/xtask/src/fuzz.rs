//! The parsers of `tests/fuzz` under libFuzzer, each so many cases. Needs `cargo install cargo-fuzz`, a nightly
//! toolchain and a C++ compiler; the tests run a seeded share of the same without any of them.

use crate::workspace::Workspace;
use anyhow::{Context as _, Result, ensure};
use clap::Args;
use std::{
    fs,
    process::{Command, ExitCode},
};

/// The longest case, in bytes.
const LONGEST: usize = 2_048;

/// No case takes so many seconds unless it never ends.
const PATIENCE: u32 = 20;

/// What to run.
#[derive(Args)]
pub struct Options {
    /// How many cases for each parser
    #[arg(long, default_value_t = 1_000_000)]
    runs: u64,
    /// Only these parsers
    only: Vec<String>,
}

/// Runs them; a case that does harm is kept under `target/fuzz/artifacts` and named.
///
/// # Errors
/// When a parser is not among them, or `cargo fuzz` cannot be started.
pub fn run(options: &Options) -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    let parsers = parsers(&workspace)?;
    for name in &options.only {
        ensure!(parsers.contains(name), "there is no parser {name:?}: it is one of {}", parsers.join(", "));
    }
    let mut failed = Vec::new();
    for name in parsers {
        let wanted = options.only.is_empty() || options.only.contains(&name);
        if wanted && !fuzz(&workspace, &name, options.runs)? {
            failed.push(name);
        }
    }
    if failed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("harm was done to {}", failed.join(", "));
    Ok(ExitCode::FAILURE)
}

/// The targets, by name.
fn parsers(workspace: &Workspace) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(workspace.root.join("tests/fuzz/targets"))? {
        let path = entry?.path();
        found.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    found.sort_unstable();
    Ok(found)
}

fn fuzz(workspace: &Workspace, name: &str, runs: u64) -> Result<bool> {
    let target = workspace.root.join("target/fuzz");
    let corpus = target.join("corpus").join(name);
    let kept = target.join("artifacts").join(name);
    for folder in [&corpus, &kept] {
        fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    let mut command = Command::new("cargo");
    command.current_dir(&workspace.root);
    // By rustup's proxy, not by the toolchain that runs us.
    command.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    command.args(["+nightly", "fuzz", "run", "--fuzz-dir", "tests/fuzz", "--features", "targets"]);
    // There is no unsafe code to watch over.
    command.args(["--sanitizer", "none", "--target-dir"]).arg(&target).arg(name).arg(&corpus).arg("--");
    command.arg(format!("-runs={runs}")).arg(format!("-max_len={LONGEST}"));
    command.arg(format!("-timeout={PATIENCE}")).arg("-print_final_stats=1");
    command.arg(format!("-artifact_prefix={}/", kept.display()));
    let status = command.status().context("cargo fuzz cannot be started: cargo install cargo-fuzz")?;
    Ok(status.success())
}
