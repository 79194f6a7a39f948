//! `cargo xtask bench`: what the product costs, measured as it is used: a real browser with the extension and the
//! host, an agent over MCP. Beside each figure, in the same run and in turns, stands the raw cost of the calls under
//! it, so that ratios hold on any machine. Absolute figures are of the machine they were taken on.

mod budget;
mod page;
mod raw;
mod report;
mod series;
mod worker;

use crate::{dist, interrupt, process, workspace::Workspace};
use anyhow::{Context as _, Result};
use page::Measured;
use serde::Serialize;
use std::{fs, path::PathBuf, process::ExitCode};
use tests::{
    Product,
    browser::{self, Browser},
    client::Agent,
    site::Site,
};

#[derive(clap::Args, Debug)]
pub struct Options {
    /// Also measure a page of 50,000 elements
    #[arg(long)]
    large: bool,
    /// How often each figure is taken (3 times on the largest page); the median counts
    #[arg(long, default_value_t = 5)]
    times: usize,
    /// Write all figures to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Elements of the pages.
const SIZES: &[u32] = &[100, 1_000, 10_000];

/// Elements of the page that `--large` adds.
const LARGE: u32 = 50_000;

/// All figures of a run.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// Product and version of the browser.
    browser: String,
    /// One for each size.
    pages: Vec<Measured>,
    /// The worker and the host.
    worker: worker::Measured,
}

/// The command.
pub fn run(options: &Options) -> Result<ExitCode> {
    if cfg!(debug_assertions) {
        return optimised();
    }
    let product = build(&Workspace::find()?)?;
    let figures = interrupt::unless_interrupted(measure(&product, options));
    let Some(figures) = figures? else {
        eprintln!("interrupted");
        return Ok(ExitCode::from(interrupt::EXIT));
    };
    print!("{}", report::table(&figures));
    print!("{}", report::budgets(&budget::judge(&figures)));
    if let Some(file) = &options.json {
        let text = serde_json::to_string_pretty(&figures)? + "\n";
        fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
        eprintln!("{} written", file.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the same command compiled with optimisation: an unoptimised client would measure itself.
fn optimised() -> Result<ExitCode> {
    eprintln!("compiling optimised (minutes, the first time)");
    let mut cargo = process::cargo();
    cargo.args(["run", "--quiet", "--release", "--package", "xtask", "--manifest-path"]);
    cargo.arg(Workspace::find()?.root.join("Cargo.toml")).arg("--").args(std::env::args_os().skip(1));
    let status = cargo.status().context("cargo could not be started")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Both halves as a person installs them.
fn build(workspace: &Workspace) -> Result<Product> {
    eprintln!("building the extension");
    let built = dist::build(workspace, &dist::Options::default())?;
    eprintln!("{built}");
    eprintln!("building the host");
    let mut cargo = process::cargo();
    cargo.current_dir(&workspace.root).args(["build", "--quiet", "--release", "--package", "host"]);
    process::run(&mut cargo)?;
    Ok(Product { extension: built.folder, host: workspace.released_host() })
}

async fn measure(product: &Product, options: &Options) -> Result<Figures> {
    let executable = browser::find_or_install()?;
    let browser = Browser::launch(&executable, product, false).await?;
    browser.wait_for_host().await?;
    let version = browser.version().to_owned();
    eprintln!("measuring in {version}");
    let site = Site::start().await?;

    let times = options.times.max(1);
    eprintln!("the worker's start");
    let fresh = worker::starts(&browser, times).await?;
    let mut pages = Vec::new();
    for (elements, times) in plan(options) {
        eprintln!("a page of {elements} elements, {times} times");
        let agent = Agent::connect(&product.host, &browser.runtime(), "bench").await?;
        pages.push(page::measure(&browser, &agent, &site.visit(), elements, times).await?);
        agent.close().await?;
    }
    eprintln!("the worker's start, once more");
    let measured = worker::measure(&browser, product).await?;
    let laden = worker::starts(&browser, times).await?;
    let worker = worker::Measured { fresh, laden, ..measured };
    browser.close().await;
    Ok(Figures { browser: version, pages, worker })
}

fn plan(options: &Options) -> Vec<(u32, usize)> {
    let times = options.times.max(1);
    let mut plan: Vec<_> = SIZES.iter().map(|elements| (*elements, times)).collect();
    if options.large {
        plan.push((LARGE, times.min(3)));
    }
    plan
}
