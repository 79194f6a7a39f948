//! `cargo xtask bench`: what the product costs, measured as it is used: a real browser with the extension and the
//! host, an agent over MCP. Beside each figure, in the same run and in turns, stands the raw cost of the calls under
//! it, so that ratios hold on any machine. Absolute figures are of the machine they were taken on.

mod budget;
mod figures;
mod memory;
mod page;
mod pages;
mod peers;
mod raw;
mod report;
mod script;
mod series;
mod table;
mod worker;

use crate::{dist, interrupt, process, workspace::Workspace};
use anyhow::{Context as _, Result};
use pages::Page;
use peers::{Name, Peers};
use serde::Serialize;
use series::Series;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};
use tests::{
    Product,
    browser::{self, Browser},
    client::Agent,
    site::Site,
};

#[derive(clap::Args, Debug)]
pub struct Options {
    /// Also measure a list of 50,000 elements
    #[arg(long)]
    large: bool,
    /// Only pages whose name contains this, and nothing of the worker's start
    #[arg(long, value_name = "PAGE")]
    only: Option<String>,
    /// How often each figure is taken (fewer times on saved pages and on the largest list); the median counts
    #[arg(long, default_value_t = 5)]
    times: usize,
    /// Install chrome-devtools-mcp, @playwright/mcp and agent-browser with npm, and measure them in turns with us
    #[arg(long)]
    peers: bool,
    /// Write all figures to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print the tables as Markdown, as CHANGELOG.md takes them
    #[arg(long)]
    markdown: bool,
}

/// What the cold start of every tool ends with.
const FIRST_PAGE: &str = "large.html?n=100";

/// All figures of a run.
#[derive(Debug, Default, Serialize)]
pub struct Run {
    /// Product and version of the browser.
    browser: String,
    /// One for each page.
    pages: Vec<figures::Figures>,
    /// The worker.
    worker: worker::Measured,
    /// From nothing to the first snapshot, the browser's start included, in milliseconds; beside the peers' only.
    cold: Series,
    /// Those that we are compared with.
    peers: BTreeMap<Name, peers::Standing>,
}

/// The command.
pub fn run(options: &Options) -> Result<ExitCode> {
    if cfg!(debug_assertions) {
        return optimised();
    }
    let workspace = Workspace::find()?;
    let pages = pages::chosen(&workspace, options.times, options.large, options.only.as_deref())?;
    let product = build(&workspace)?;
    let measured = interrupt::unless_interrupted(measure(&workspace, &product, &pages, options));
    let Some(run) = measured? else {
        eprintln!("interrupted");
        return Ok(ExitCode::from(interrupt::EXIT));
    };
    println!("\n{}; medians", run.browser);
    for table in report::tables(&run, &budget::judge(&run)) {
        println!("\n{}", if options.markdown { table.markdown() } else { table.aligned() }.trim_end());
    }
    if let Some(file) = &options.json {
        let text = serde_json::to_string_pretty(&run)? + "\n";
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

async fn measure(workspace: &Workspace, product: &Product, pages: &[Page], options: &Options) -> Result<Run> {
    let executable = browser::find_or_install()?;
    let site = Site::start().await?;
    let mut run = Run::default();
    let mut peers = if options.peers {
        let first_page = site.visit().page(FIRST_PAGE);
        let times = options.times.clamp(1, 3);
        eprintln!("our own cold start");
        for _ in 0..times {
            run.cold.add_time(cold_start(&executable, product, &first_page).await?);
        }
        Peers::start(workspace, &executable, &first_page, times).await
    } else {
        Peers::absent(workspace)
    };

    let browser = Browser::launch(&executable, product, false).await?;
    browser.wait_for_host().await?;
    browser.version().clone_into(&mut run.browser);
    eprintln!("measuring in {}", run.browser);
    let is_whole = options.only.is_none();
    let times = options.times.max(1);
    run.worker = worker::sizes(&browser, product).await?;
    if is_whole {
        eprintln!("the worker's start");
        run.worker.fresh = worker::starts(&browser, times).await?;
    }
    for page in pages {
        eprintln!("{}, {} times", page.name, page.times);
        let agent = worker::renew(&browser, product).await?;
        let stage = page::Stage { browser: &browser, product, agent: &agent };
        run.pages.push(page::measure(&stage, &site.visit(), page, &mut peers).await?);
        agent.close().await?;
    }
    if is_whole {
        eprintln!("the worker's start, once more");
        run.worker.laden = worker::starts(&browser, times).await?;
    }
    browser.close().await;
    run.peers = peers.end().await;
    Ok(run)
}

/// From nothing to the first snapshot, as a peer's is taken: the browser's start is in it.
async fn cold_start(executable: &Path, product: &Product, first_page: &str) -> Result<std::time::Duration> {
    let start = Instant::now();
    let browser = Browser::launch(executable, product, false).await?;
    browser.wait_for_host().await?;
    let agent = Agent::connect(&product.host, &browser.runtime(), "bench").await?;
    let opened = agent.call("tabs", serde_json::json!({ "action": "open", "url": first_page })).await?;
    let elapsed = start.elapsed();
    anyhow::ensure!(!opened.is_error, "tabs failed: {}", opened.text);
    agent.close().await?;
    browser.close().await;
    Ok(elapsed)
}
