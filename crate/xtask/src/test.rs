//! `cargo xtask test`: everything that must hold, step by step. A step that fails does not keep the others from
//! running. The last line is the sum and nothing else: `N passed, N failed`.

mod demo;
mod installed;
mod lint;
pub mod npm;
mod tally;

use crate::{demo::build as product, dist, process, record, tidy, wasm, workspace::Workspace};
use anyhow::{Context as _, Result};
use std::{
    process::{Command, ExitCode},
    time::Instant,
};
use tally::Tally;

#[derive(clap::Args, Debug)]
pub struct Options {
    /// Run only the steps whose name contains this
    #[arg(long)]
    only: Option<String>,
}

type Step = fn(&Workspace) -> Result<Tally>;

/// In order: what is quick to know comes first, what needs the build comes after it.
const STEPS: &[(&str, Step)] = &[
    ("formatting", formatting),
    ("clippy, native", clippy),
    ("clippy, wasm32", clippy_wasm),
    ("clippy, the host for Windows and macOS", clippy_elsewhere),
    ("unit, property and transcript tests", crate_tests),
    ("dist", build),
    ("types of the JavaScript", npm::types),
    ("web-ext lint", lint::web_ext),
    ("tidy", |workspace| Ok(tidy::check(workspace).into())),
    ("browser, its own accessibility tree and text", oracle),
    ("browser, end to end", browser),
    ("demo", demo::whole),
    ("demo, interrupted", |workspace| Ok(demo::interrupted(workspace))),
    ("browser, as installed", installed::check),
];

/// The command.
pub fn run(options: &Options) -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    let start = Instant::now();
    let mut sum = Tally::default();
    let wanted = |name: &str| options.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    for (index, (name, step)) in STEPS.iter().enumerate().filter(|(_, (name, _))| wanted(name)) {
        eprintln!("\n[{}/{}] {name}", index + 1, STEPS.len());
        let begun = Instant::now();
        let tally = step(&workspace).unwrap_or_else(|error| {
            eprintln!("{error:#}");
            Tally::FAILED
        });
        eprintln!("      {tally} ({:.1} s)", begun.elapsed().as_secs_f32());
        sum += tally;
    }
    eprintln!("\nin all {:.0} s", start.elapsed().as_secs_f32());
    println!("{sum}");
    Ok(if sum.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn cargo(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut cargo = process::cargo();
    cargo.current_dir(&workspace.root).args(arguments);
    cargo
}

/// A program that says by its exit whether all is well.
fn holds(command: &mut Command) -> Result<Tally> {
    process::run(command).map(|()| Tally::PASSED)
}

fn formatting(workspace: &Workspace) -> Result<Tally> {
    holds(&mut cargo(workspace, &["fmt", "--all", "--check", "--", "-l"]))
}

fn clippy(workspace: &Workspace) -> Result<Tally> {
    let all = ["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"];
    holds(&mut cargo(workspace, &all))
}

fn clippy_wasm(workspace: &Workspace) -> Result<Tally> {
    let worker = ["clippy", "--quiet", "--package", "worker", "--lib", "--target", "wasm32-unknown-unknown"];
    let mut sum = Tally::default();
    for features in [&[][..], &["--features", "record"][..]] {
        sum += holds(cargo(workspace, &worker).args(features).args(["--", "-D", "warnings"]))?;
    }
    Ok(sum)
}

/// What no machine of ours runs is compiled as far as its types go, tests included; nothing is linked.
fn clippy_elsewhere(workspace: &Workspace) -> Result<Tally> {
    let mut sum = Tally::default();
    for target in ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"] {
        wasm::add_target(workspace, target)?;
        let host = ["clippy", "--quiet", "--package", "host", "--all-targets", "--target", target];
        sum += holds(cargo(workspace, &host).args(["--", "-D", "warnings"]))?;
    }
    Ok(sum)
}

/// All that needs no browser. The end-to-end tests list themselves as ignored here.
fn crate_tests(workspace: &Workspace) -> Result<Tally> {
    tally::count(&mut cargo(workspace, &["test", "--quiet", "--workspace", "--no-fail-fast"]))
}

fn build(workspace: &Workspace) -> Result<Tally> {
    product(workspace, &dist::Options::default()).map(|_| Tally::PASSED)
}

/// What we judge of pages beside what the browser does. Needs no build of the product.
fn oracle(workspace: &Workspace) -> Result<Tally> {
    let mut cargo =
        cargo(workspace, &["test", "--quiet", "--workspace", "--test", "oracle", "--test", "form"]);
    cargo.env("TABWRIGHT_ORACLE", "1");
    tally::count(&mut cargo)
}

/// `--workspace` although one package is meant: so nothing is compiled again with other features. A product that
/// does not build is no product to test, whatever an earlier build left behind. The recording build is for the tests
/// that force a panic, the libraries for those that work widgets as pages have them.
fn browser(workspace: &Workspace) -> Result<Tally> {
    let built = product(workspace, &dist::Options::default()).context("there is nothing to test")?;
    let recording = record::product(workspace)?;
    npm::libraries(workspace)?;
    let mut cargo = cargo(workspace, &["test", "--quiet", "--workspace", "--test", "browser"]);
    cargo.env("TABWRIGHT_RECORDING_DIST", recording.extension);
    cargo.env("TABWRIGHT_DIST", built.extension).env("TABWRIGHT_HOST", built.host);
    tally::count(&mut cargo)
}
