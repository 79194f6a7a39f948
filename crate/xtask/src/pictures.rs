//! `cargo xtask pictures`: takes the pictures of `docs/pictures/` anew, from the product at work in a real browser:
//! the demo's shop after an agent ordered there, and the popup while a second agent asks to be let in.

use crate::{
    demo::{self, Talk, order_some_tea},
    dist, interrupt,
    workspace::Workspace,
};
use anyhow::{Context as _, Result, bail};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use std::{fs, path::Path, process::ExitCode, time::Duration};
use tests::{
    Product,
    browser::{self, Browser},
    client::Agent,
    pipe::SessionId,
    site::Site,
};

const POPUP: &str = "popup/popup.html";

/// The command.
pub fn run() -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    let product = demo::build(&workspace, &dist::Options::default())?;
    let folder = workspace.root.join("docs/pictures");
    fs::create_dir_all(&folder)?;
    let taken = interrupt::unless_interrupted(take(&product, &folder))?;
    Ok(taken.map_or(ExitCode::from(interrupt::EXIT), |()| ExitCode::SUCCESS))
}

async fn take(product: &Product, folder: &Path) -> Result<()> {
    let browser = Browser::launch(&browser::find_or_install()?, product, false).await?;
    browser.wait_for_host().await?;
    let site = Site::start().await?;
    let visit = site.visit();

    // A person's decision ends the unattended policy: from here on the browser is as one in daily use.
    browser.open_behind(&format!("chrome-extension://{}/{POPUP}", browser.extension())).await?;
    tell_worker(&browser, &json!({ "intent": "allow", "label": "claude-code" })).await?;
    let first = Agent::connect(&product.host, &browser.runtime(), "claude-code").await?;
    let mut talk = Talk::new(first);
    order_some_tea(&mut talk, &visit.shop()).await?;
    shoot(&browser, "/shop/index.html", (1000, 900), &folder.join("shop.png")).await?;

    let second = Agent::connect(&product.host, &browser.runtime(), "codex").await?;
    let asking = tokio::spawn(async move { second.call("tabs", json!({})).await });
    tokio::time::sleep(Duration::from_secs(2)).await;
    shoot(&browser, POPUP, (352, 420), &folder.join("popup.png")).await?;
    asking.abort();
    talk.close().await?;
    browser.close().await;
    Ok(())
}

/// Sends what a button of the popup would send.
async fn tell_worker(browser: &Browser, intent: &Value) -> Result<()> {
    let expression = format!("globalThis.chrome?.runtime?.id ? chrome.runtime.sendMessage({intent}) : null");
    for _ in 0..100 {
        if browser.page_eval(POPUP, &expression).await.is_ok_and(|view| view.is_object()) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("the extension's page does not load")
}

/// A picture of a page at a size, at twice the density.
async fn shoot(browser: &Browser, address: &str, (width, height): (u32, u32), file: &Path) -> Result<()> {
    let targets = browser.targets().await?;
    let page = targets.iter().find(|it| it.kind == "page" && it.url.contains(address));
    let page = page.with_context(|| format!("no page has {address} in its address"))?;
    let pipe = browser.pipe();
    let attached =
        pipe.call("Target.attachToTarget", json!({ "targetId": page.id, "flatten": true })).await?;
    let session: SessionId = serde_json::from_value(attached["sessionId"].clone())?;
    let size = json!({ "width": width, "height": height, "deviceScaleFactor": 2, "mobile": false });
    pipe.call_in(&session, "Emulation.setDeviceMetricsOverride", size).await?;
    // A tab behind others draws nothing.
    pipe.call_in(&session, "Page.bringToFront", json!({})).await?;
    let top = json!({ "expression": "scrollTo(0, 0)" });
    pipe.call_in(&session, "Runtime.evaluate", top).await?;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let shot = pipe.call_in(&session, "Page.captureScreenshot", json!({ "format": "png" })).await?;
    let bytes = BASE64_STANDARD.decode(shot["data"].as_str().context("the browser gave no picture")?)?;
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    eprintln!("{} written", file.display());
    pipe.call("Target.detachFromTarget", json!({ "sessionId": session.0 })).await?;
    Ok(())
}
