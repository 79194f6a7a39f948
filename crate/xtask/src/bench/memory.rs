//! How much memory is held: by the wasm in the worker, as the debugger finds it; by processes, as the system says.

use crate::process;
use anyhow::{Context as _, Result};
use serde_json::json;
use std::{fs, process::Command};
use tests::{Product, browser::Browser};

/// The wasm's memory, as large as it has grown. Its shell keeps it to itself; the debugger finds it by its prototype.
pub async fn of_wasm(browser: &Browser) -> Result<u64> {
    let ours = format!("chrome-extension://{}/", browser.extension());
    let targets = browser.targets().await?;
    let worker = targets.iter().find(|it| it.kind == "service_worker" && it.url.starts_with(&ours));
    let worker = worker.context("the service worker is not running")?;
    let pipe = browser.pipe();
    let session = browser.attach_to(&worker.id).await?;
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

/// The host of this browser, by what `tabwright browsers` says of it.
pub fn host(browser: &Browser, product: &Product) -> Option<u32> {
    let mut list = Command::new(&product.host);
    list.arg("browsers").env("TABWRIGHT_RUNTIME_DIR", browser.runtime());
    let said = process::output(&mut list).ok()?;
    said.rsplit_once("process ")?.1.split(')').next()?.parse().ok()
}

/// The largest resident size that a process has had, in bytes, where the system tells.
pub fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
