//! `cargo xtask demo`: builds the product, starts a browser with it, opens a shop, and orders something as an agent
//! does, showing each call and its reply. It succeeds only if the shop's own record holds the right order. What it
//! starts and writes is gone afterwards, also when it is interrupted.

mod story;
mod talk;

use crate::{dist, interrupt, process, workspace::Workspace};
use anyhow::{Context as _, Result};
use std::process::ExitCode;
use tests::{
    Product,
    browser::{self, Browser},
    client::Agent,
    shop::Order,
    site::Site,
};

pub use story::order_some_tea;
pub use talk::Talk;

#[derive(clap::Args, Debug)]
pub struct Options {
    /// Show the browser's window
    #[arg(long)]
    headed: bool,
}

/// The command.
pub fn run(options: &Options) -> Result<ExitCode> {
    let product = build(&Workspace::find()?, &dist::Options::default())?;
    let shown = interrupt::unless_interrupted(show(&product, options.headed));
    // What was being shown is dropped by now: the browser, its profile, the agent.
    match shown? {
        Some(true) => Ok(ExitCode::SUCCESS),
        Some(false) => Ok(ExitCode::FAILURE),
        None => {
            eprintln!("interrupted");
            Ok(ExitCode::from(interrupt::EXIT))
        }
    }
}

/// Builds both halves of the product, with a line each.
pub fn build(workspace: &Workspace, options: &dist::Options) -> Result<Product> {
    eprintln!("building the extension");
    let built = dist::build(workspace, options)?;
    eprintln!("{built}");
    eprintln!("building the host");
    let mut cargo = process::cargo();
    process::run(cargo.current_dir(&workspace.root).args(["build", "--quiet", "--package", "host"]))?;
    Ok(Product { extension: built.folder, host: workspace.host() })
}

async fn show(product: &Product, headed: bool) -> Result<bool> {
    let executable = browser::find_or_install()?;
    eprintln!("starting {}", executable.display());
    let browser = Browser::launch(&executable, product, headed).await?;
    browser.wait_for_host().await?;
    let site = Site::start().await?;
    let visit = site.visit();
    eprintln!("{} is up, the shop is at {}", browser.version(), visit.shop());

    let agent = Agent::connect(&product.host, &browser.runtime(), "demo").await?;
    let mut talk = Talk::new(agent);
    let told = order_some_tea(&mut talk, &visit.shop()).await;
    println!("\n{}", talk.sum());
    talk.close().await?;
    told.context("the order was not completed")?;

    let orders = visit.orders();
    let wanted = story::wanted();
    let right =
        matches!(orders.as_slice(), [order] if Order { token: String::new(), ..order.clone() } == wanted);
    println!("the shop's record: {}", serde_json::to_string(&orders)?);
    if right {
        println!("the right order, once");
    } else {
        println!("not what was wanted: {}", serde_json::to_string(&wanted)?);
    }
    browser.close().await;
    Ok(right)
}
