//! The raw cost of the calls under the product's, on the same page: the collector alone, through the same
//! `chrome.debugger` and in the same world as the product asks it; and the browser's accessibility tree, over the
//! debugging pipe, as other tools ask for it.

use anyhow::{Context as _, Result, bail};
use serde_json::json;
use std::time::Duration;
use tests::browser::Browser;

/// A document that has no number gets this one from us. The page is loaded anew before the product looks again.
const FOREIGN_DOCUMENT: u32 = 4_000_000_000;

/// The collector's facts of the root document, asked from the service worker and timed there. Gives milliseconds.
pub async fn collector(browser: &Browser, address: &str) -> Result<f64> {
    let address = json!(address);
    let expression = format!(
        r#"(async () => {{
            const targets = await chrome.debugger.getTargets();
            const target = targets.find((it) => it.tabId && it.attached && it.url.includes({address}));
            if (!target) throw new Error("the product is not attached to the page");
            const send = (method, params) => chrome.debugger.sendCommand({{ tabId: target.tabId }}, method, params);
            const frame = (await send("Page.getFrameTree", {{}})).frameTree.frame.id;
            const world = await send("Page.createIsolatedWorld", {{ frameId: frame, worldName: "tabwright" }});
            const expression = 'globalThis[Symbol.for("collector")].facts({FOREIGN_DOCUMENT})';
            const start = performance.now();
            const answer = await send("Runtime.evaluate",
                {{ expression, contextId: world.executionContextId, returnByValue: true }});
            const elapsed = performance.now() - start;
            if (typeof answer.result.value !== "string") throw new Error("the collector gave no facts");
            return elapsed;
        }})()"#
    );
    browser.worker_eval(&expression).await?.as_f64().context("the worker gave no time")
}

/// The accessibility tree of the root document, over the pipe.
pub async fn accessibility(browser: &Browser, address: &str) -> Result<Duration> {
    let (tree, elapsed) = browser.page_call(address, "Accessibility.getFullAXTree", json!({})).await?;
    if tree["nodes"].as_array().is_none_or(Vec::is_empty) {
        bail!("the browser gave no accessibility tree");
    }
    Ok(elapsed)
}
