//! The worker: how soon it answers when it was stopped, how much is loaded.

use super::series::Series;
use anyhow::{Context as _, Result, bail, ensure};
use serde::Serialize;
use serde_json::{Value, json};
use std::{fs, time::Duration};
use tests::{Product, browser::Browser, client::Agent};

/// The figures. Times in milliseconds, sizes in bytes.
#[derive(Debug, Default, Serialize)]
pub struct Measured {
    /// How soon it answers when the extension is new.
    pub fresh: Starts,
    /// How soon it answers after all the pages, whose refs it takes up again.
    pub laden: Starts,
    /// The wasm as it is loaded.
    pub wasm: u64,
    /// The wasm as gzip packs it.
    pub wasm_gzip: u64,
}

/// How soon the worker answers its own page.
#[derive(Debug, Default, Serialize)]
pub struct Starts {
    /// From the page's message, with the worker stopped, to the engine's answer.
    pub cold: Series,
    /// The same message with the worker running.
    pub warm: Series,
}

const PAGE: &str = "popup/popup.html";

const ASK: &str = "(async () => {
    const start = performance.now();
    const view = await chrome.runtime.sendMessage({ intent: 'status' });
    const elapsed = performance.now() - start;
    if (!view || typeof view.state !== 'string') throw new Error('the engine did not answer');
    return elapsed;
})()";

const PACKED: &str = "(async () => {
    const file = await fetch(chrome.runtime.getURL('worker/core/core_bg.wasm'));
    const packed = file.body.pipeThrough(new CompressionStream('gzip'));
    return (await new Response(packed).arrayBuffer()).byteLength;
})()";

/// Measures the sizes.
pub async fn sizes(browser: &Browser, product: &Product) -> Result<Measured> {
    Ok(Measured {
        wasm: fs::metadata(product.extension.join("worker/core/core_bg.wasm"))?.len(),
        wasm_gzip: browser.worker_eval(PACKED).await?.as_u64().context("the wasm was not packed")?,
        ..Measured::default()
    })
}

/// Stops the worker and wakes it again by a message, several times. This ends the host and empties the wasm's memory.
pub async fn starts(browser: &Browser, times: usize) -> Result<Starts> {
    let mut starts = Starts::default();
    let page = browser.open_behind(&format!("chrome-extension://{}/{PAGE}", browser.extension())).await?;
    settle_page(browser).await?;
    for _ in 0..times {
        starts.warm.add(ask(browser).await?);
        browser.stop_worker().await?;
        // Time for the browser to take down what the worker held.
        tokio::time::sleep(Duration::from_millis(300)).await;
        ensure!(browser.worker_state().await == "not running", "something else woke the worker");
        starts.cold.add(ask(browser).await?);
        // Time for the host to come back.
        tokio::time::sleep(Duration::from_millis(700)).await;
    }
    browser.close_target(&page).await?;
    Ok(starts)
}

/// A worker and a host that have seen no page, and an agent that has met them.
pub async fn renew(browser: &Browser, product: &Product) -> Result<Agent> {
    let page = browser.open_behind(&format!("chrome-extension://{}/{PAGE}", browser.extension())).await?;
    settle_page(browser).await?;
    browser.stop_worker().await?;
    ask(browser).await?;
    browser.close_target(&page).await?;
    let agent = Agent::connect(&product.host, &browser.runtime(), "bench").await?;
    for _ in 0..200 {
        // The new host takes its time.
        if !agent.call("tabs", json!({ "action": "list" })).await?.is_error {
            return Ok(agent);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("the browser's new host is not met")
}

async fn ask(browser: &Browser) -> Result<f64> {
    browser.page_eval(PAGE, ASK).await?.as_f64().context("the page gave no time")
}

/// Waits until the page has its extension's functions, and keeps it from asking by itself.
async fn settle_page(browser: &Browser) -> Result<()> {
    let quiet = "(() => {
        if (document.readyState !== 'complete' || !globalThis.chrome?.runtime?.id) return false;
        for (let timer = 0; timer < 1000; timer += 1) clearInterval(timer);
        return true;
    })()";
    for _ in 0..100 {
        if browser.page_eval(PAGE, quiet).await.unwrap_or(Value::Null) == true {
            tokio::time::sleep(Duration::from_millis(300)).await;
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("the extension's page does not load")
}
