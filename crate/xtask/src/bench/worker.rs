//! The worker and the host: how soon a stopped worker answers, how much is loaded, how much memory is held.

use super::series::Series;
use crate::process;
use anyhow::{Context as _, Result, bail, ensure};
use serde::Serialize;
use serde_json::{Value, json};
use std::{fs, process::Command, time::Duration};
use tests::{Product, browser::Browser, pipe::SessionId};

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
    /// The wasm's memory after all the pages.
    pub memory: u64,
    /// The host's largest resident size, where the system tells.
    pub host_peak: Option<u64>,
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

/// Measures all but the starts.
pub async fn measure(browser: &Browser, product: &Product) -> Result<Measured> {
    Ok(Measured {
        memory: memory(browser).await?,
        host_peak: host_peak(browser, product),
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

/// The wasm's memory, as large as it has grown. Its shell keeps it to itself; the debugger finds it by its prototype.
async fn memory(browser: &Browser) -> Result<u64> {
    let ours = format!("chrome-extension://{}/", browser.extension());
    let targets = browser.targets().await?;
    let worker = targets.iter().find(|it| it.kind == "service_worker" && it.url.starts_with(&ours));
    let worker = worker.context("the service worker is not running")?;
    let pipe = browser.pipe();
    let attached =
        pipe.call("Target.attachToTarget", json!({ "targetId": worker.id, "flatten": true })).await?;
    let session: SessionId = serde_json::from_value(attached["sessionId"].clone())?;
    let held = async {
        let asked = json!({ "expression": "WebAssembly.Memory.prototype" });
        let prototype = pipe.call_in(&session, "Runtime.evaluate", asked).await?;
        let asked = json!({ "prototypeObjectId": prototype["result"]["objectId"] });
        let memories = pipe.call_in(&session, "Runtime.queryObjects", asked).await?;
        let sum = json!({
            "objectId": memories["objects"]["objectId"],
            "functionDeclaration": "function () { return this.reduce((sum, it) => sum + it.buffer.byteLength, 0) }",
            "returnByValue": true,
        });
        let summed = pipe.call_in(&session, "Runtime.callFunctionOn", sum).await?;
        summed["result"]["value"].as_u64().context("the worker holds no wasm memory")
    };
    let held = held.await;
    pipe.call("Target.detachFromTarget", json!({ "sessionId": session.0 })).await?;
    held
}

/// The host of this browser, by what `tabwright browsers` says of it; then what the system says of its process.
fn host_peak(browser: &Browser, product: &Product) -> Option<u64> {
    let mut list = Command::new(&product.host);
    list.arg("browsers").env("TABWRIGHT_RUNTIME_DIR", browser.runtime());
    let said = process::output(&mut list).ok()?;
    let id = said.rsplit_once("process ")?.1.split(')').next()?.to_owned();
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
