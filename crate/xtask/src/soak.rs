//! `cargo xtask soak`: what `cargo xtask test` plays a share of, in full. Acts on namesakes that change by chance, in
//! several tabs at once: fails when a single act lied, or when more than one in a hundred on what stood unchanged was
//! refused. A crowd of agents on one browser. Rounds of killing browsers, workers, hosts and agents.

mod together;

use crate::{demo, dist, interrupt, workspace::Workspace};
use anyhow::{Context as _, Result};
use std::{
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Instant,
};
use tests::{
    Product,
    browser::{self, Browser},
    client::Agent,
    namesakes::{self, Figures},
    site::Site,
};
use tokio::task::JoinSet;

#[derive(clap::Args, Debug)]
pub struct Options {
    /// How many acts on namesakes, about; 0 for none
    #[arg(long, default_value_t = 10_000)]
    acts: u32,
    /// The first seed; the same seeds play the same rounds
    #[arg(long, default_value_t = 10_000_000)]
    seed: u32,
    /// How many tabs are worked at once
    #[arg(long, default_value_t = 3)]
    tabs: u32,
    /// How many calls each of twenty agents makes; 0 for none
    #[arg(long, default_value_t = 500)]
    calls: usize,
    /// How many rounds of killing are played; 0 for none
    #[arg(long, default_value_t = 200)]
    kills: u32,
}

/// How many rounds an agent plays in one tab.
const ROUNDS: u32 = 50;

/// How many acts a round has.
const ACTS: u32 = 4;

/// The command.
pub fn run(options: &Options) -> Result<ExitCode> {
    let product = demo::build(&Workspace::find()?, &dist::Options::default())?;
    let work = async {
        let start = Instant::now();
        if options.acts > 0 {
            let figures = play(&product, options).await?;
            println!("{figures}, in {:.0} s", start.elapsed().as_secs_f32());
            figures.judge()?;
        }
        if options.calls > 0 {
            together::crowd(&product, options.calls, options.seed).await?;
        }
        if options.kills > 0 {
            together::killed(&product, options.kills, options.seed).await?;
        }
        anyhow::Ok(())
    };
    if interrupt::unless_interrupted(work)?.is_none() {
        eprintln!("interrupted");
        return Ok(ExitCode::from(interrupt::EXIT));
    }
    Ok(ExitCode::SUCCESS)
}

async fn play(product: &Product, options: &Options) -> Result<Figures> {
    let executable = browser::find_or_install()?;
    let browser = Arc::new(Browser::launch(&executable, product, false).await?);
    browser.wait_for_host().await?;
    let site = Arc::new(Site::start().await?);
    let parts = options.acts.div_ceil(ROUNDS * ACTS);
    let next = Arc::new(AtomicU32::new(0));
    let mut players = JoinSet::new();
    for player in 0..options.tabs.max(1) {
        let (browser, site, next) = (Arc::clone(&browser), Arc::clone(&site), Arc::clone(&next));
        let (host, seed) = (product.host.clone(), options.seed);
        players.spawn(async move {
            let agent = Agent::connect(&host, &browser.runtime(), &format!("soak {player}")).await?;
            let mut sum = Figures::default();
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= parts {
                    break;
                }
                let first = seed.wrapping_add(part * ROUNDS);
                let played = namesakes::play(&browser, &agent, &site.visit(), first..first + ROUNDS).await;
                let played = played.with_context(|| format!("seeds from {first}"))?;
                eprintln!("seeds from {first}: {played}");
                for story in played.lies.iter().chain(&played.refused_unchanged) {
                    eprintln!("    {story}");
                }
                sum.add(played);
            }
            agent.close().await?;
            anyhow::Ok(sum)
        });
    }
    let mut figures = Figures::default();
    while let Some(played) = players.join_next().await {
        figures.add(played??);
    }
    Ok(figures)
}
