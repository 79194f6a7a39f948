//! The person's hand: the popup, opened as a tab, read and clicked over the judge's own line.

use crate::trial::Trial;
use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tests::client::Reply;

/// As a tab: the browser may show the popup itself, too.
const POPUP: &str = "/popup/popup.html?tab";

/// How long it may take until something shows: the popup asks once a second.
const SOON: Duration = Duration::from_secs(5);

/// Opens it in front, where it takes clicks.
pub async fn open(it: &Trial) -> Result<()> {
    let address = format!("chrome-extension://{}{POPUP}", it.browser().extension());
    it.browser().open_in_front(&address).await?;
    shows(it, "Tabwright").await?;
    // What it is told first moves what is below.
    let start = Instant::now();
    while eval(it, "document.querySelector('#state').textContent !== ''").await? != true {
        ensure!(start.elapsed() < SOON, "the popup says nothing");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// Evaluates in it.
pub async fn eval(it: &Trial, expression: &str) -> Result<Value> {
    it.browser().page_eval(POPUP, expression).await
}

/// Waits until it shows this text.
pub async fn shows(it: &Trial, text: &str) -> Result<()> {
    let start = Instant::now();
    loop {
        // What is drawn, its white space as one sees it.
        let shown = eval(it, "document.body?.innerText.replace(/\\s+/g, ' ') ?? ''").await;
        let shown = shown.as_ref().map(|shown| shown.as_str().unwrap_or_default());
        if shown.is_ok_and(|shown| shown.contains(text)) {
            return Ok(());
        }
        ensure!(start.elapsed() < SOON, "the popup does not show {text:?}, but {shown:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until it no longer shows this text.
pub async fn lacks(it: &Trial, text: &str) -> Result<()> {
    let start = Instant::now();
    let lacks = format!("!document.body.innerText.replace(/\\s+/g, ' ').includes({})", json!(text));
    while eval(it, &lacks).await? != true {
        ensure!(start.elapsed() < SOON, "the popup still shows {text:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// Waits until it has such an element.
pub async fn has(it: &Trial, css: &str) -> Result<()> {
    let start = Instant::now();
    while eval(it, &format!("!!document.querySelector({})", json!(css))).await? != true {
        let shown = eval(it, "document.body.innerText").await?;
        ensure!(start.elapsed() < SOON, "the popup has no {css}, but shows {shown}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// How an agent stands, as the worker says when the popup asks now.
pub async fn standing(it: &Trial, label: &str) -> Result<String> {
    let view = eval(it, "chrome.runtime.sendMessage({ intent: 'status' })").await?;
    let agents = view["agents"].as_array().context("the worker gives no view")?;
    let agent = agents.iter().find(|agent| agent["label"] == label);
    let standing = agent.and_then(|agent| agent["standing"].as_str());
    Ok(standing.with_context(|| format!("the popup has no agent {label}: {view}"))?.to_owned())
}

/// Waits until a choice can be made.
pub async fn armed(it: &Trial) -> Result<()> {
    let start = Instant::now();
    while eval(it, "document.body.classList.contains('arming')").await? != false {
        ensure!(start.elapsed() < SOON, "the popup is never armed");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// Clicks the button with a mouse once a choice can be made.
pub async fn choose(it: &Trial, css: &str) -> Result<()> {
    has(it, css).await?;
    armed(it).await?;
    press(it, css).await
}

/// Clicks the button with a mouse.
pub async fn press(it: &Trial, css: &str) -> Result<()> {
    let middle = format!(
        "(() => {{ const box = document.querySelector({}).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
        json!(css)
    );
    let middle: (f64, f64) = serde_json::from_value(eval(it, &middle).await?)?;
    it.browser().press(POPUP, middle.0, middle.1).await
}

/// Waits until the toolbar button says this.
pub async fn badge(it: &Trial, wanted: &str) -> Result<()> {
    let start = Instant::now();
    loop {
        let badge = it.browser().worker_eval("chrome.action.getBadgeText({})").await?;
        if badge == wanted {
            return Ok(());
        }
        ensure!(start.elapsed() < SOON, "the badge says {badge}, not {wanted:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// An act that the person is asked about: they press a button of the popup, after something else happened. Its reply.
pub async fn answered(
    it: &mut Trial,
    act: &Value,
    button: &str,
    meanwhile: impl AsyncFnOnce(&Trial) -> Result<()>,
) -> Result<Reply> {
    let reply = {
        let it = &*it;
        let (reply, ()) = tokio::try_join!(it.agent().call("act", act.clone()), async {
            has(it, button).await?;
            meanwhile(it).await?;
            choose(it, button).await
        })?;
        reply
    };
    it.outline.read(&reply.text);
    Ok(reply)
}
