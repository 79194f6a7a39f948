//! What many agents do together, and what happens when something is killed under them.

use anyhow::{Result, ensure};
use tests::{
    Product,
    browser::{self, Browser},
    crowd::Crowd,
    rounds::{self, Figures},
    site::Site,
};

/// How many agents there are at once.
const AGENTS: usize = 20;

/// Of the crowd's calls, those after which the worker's memory is first looked at.
const WARM: usize = 10;

/// How much more the worker may hold in the end.
const GROWTH: f64 = 1.1;

/// How many rounds of killing one pair of browsers is kept for.
const ROUNDS: u32 = 50;

/// How many requests must have been met between begun and done in so many rounds.
const BETWEEN: u32 = 30;

/// Plays calls of a crowd. The worker must not hold much more after all of them than after a tenth.
pub async fn crowd(product: &Product, calls: usize, seed: u32) -> Result<()> {
    let browser = Browser::launch(&browser::find_or_install()?, product, false).await?;
    browser.wait_for_host().await?;
    let site = Site::start().await?;
    let first = calls.div_ceil(WARM);
    let mut crowd = Crowd::gather(&browser, &product.host, &site, AGENTS).await?;
    let mut held = Vec::new();
    for (part, calls) in [first, calls - first].into_iter().enumerate() {
        if calls == 0 {
            continue;
        }
        let seed = u64::from(seed) + part as u64;
        let figures = crowd.play(calls, seed).await?;
        let memory = browser.worker_memory().await?;
        println!("{figures}; wasm {} kB, script {} kB", memory.wasm / 1000, memory.script / 1000);
        figures.judge()?;
        held.push(memory);
    }
    if let [before, after] = held.as_slice() {
        for (what, before, after) in
            [("wasm", before.wasm, after.wasm), ("script", before.script, after.script)]
        {
            #[expect(clippy::cast_precision_loss, reason = "bytes of a worker fit a double")]
            let growth = after as f64 / before as f64;
            ensure!(
                growth <= GROWTH,
                "{what} grew {growth:.2} × from the first tenth of the calls to the last"
            );
        }
    }
    crowd.close().await?;
    browser.close().await;
    Ok(())
}

/// Plays rounds of killing.
pub async fn killed(product: &Product, rounds: u32, seed: u32) -> Result<()> {
    let mut sum = Figures::default();
    for part in 0..rounds.div_ceil(ROUNDS) {
        let browser = Browser::launch(&browser::find_or_install()?, product, false).await?;
        browser.wait_for_host().await?;
        let site = Site::start().await?;
        let some = ROUNDS.min(rounds - part * ROUNDS);
        let figures = rounds::play(browser, &product.host, &site, some, u64::from(seed + part)).await?;
        eprintln!("seed {}: {figures}", seed + part);
        sum.add(&figures);
    }
    println!("{sum}");
    sum.judge()?;
    ensure!(
        rounds < 200 || sum.between >= BETWEEN,
        "only {} requests were met between begun and done",
        sum.between
    );
    Ok(())
}
