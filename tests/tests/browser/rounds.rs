//! Browsers, workers, hosts and agents are killed while agents are at work. `cargo xtask soak` plays more of the same.

use crate::{cases, trial::Trial, world::Stage};
use anyhow::Result;
use tests::rounds;

cases!(alone: whatever_is_killed_nothing_is_done_twice_and_all_comes_back);

/// How many rounds are played.
const ROUNDS: u32 = 10;

async fn whatever_is_killed_nothing_is_done_twice_and_all_comes_back(_: &mut Trial) -> Result<()> {
    let Stage { browser, site, product } = Stage::start().await?;
    let figures = rounds::play(browser, &product.host, &site, ROUNDS, 1).await?;
    eprintln!("{figures}");
    Ok(())
}
