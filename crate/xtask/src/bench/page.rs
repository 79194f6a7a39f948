//! One page: what an agent pays to see it, to see it again, to see what changed, and to press a button on it. The
//! product, the raw calls under it and our peers take turns.

use super::{
    figures::{Figures, count},
    memory,
    pages::{Kind, Page},
    peers::Peers,
    raw::{self, Documents},
    script,
};
use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tests::{
    Product,
    browser::Browser,
    client::{Agent, Reply, tokens},
    outline::Outline,
    site::Visit,
};

/// No cap, as far as an agent can ask for none.
const NO_CAP: u32 = 4_000_000;

/// How long a page gets to come to rest after it was loaded or changed.
pub const REST: Duration = Duration::from_millis(300);

/// For how long settling wants a page without changes, in milliseconds.
const HUSH: f64 = 40.0;

/// The most often a click far down is taken.
const FAR_CLICKS: usize = 3;

/// Who and what takes part.
pub struct Stage<'a> {
    pub browser: &'a Browser,
    pub product: &'a Product,
    pub agent: &'a Agent,
}

/// Measures a page. It is closed afterwards.
pub async fn measure(stage: &Stage<'_>, visit: &Visit, page: &Page, peers: &mut Peers) -> Result<Figures> {
    let address = visit.page(&page.path);
    let mut figures = Figures::new(page.name.clone(), page.kind);
    let turns = Turns { stage, address: &address };
    let opened = turns.done("tabs", json!({ "action": "open", "url": address })).await?;
    let tab = opened.text.split(' ').next().context("the new tab has no name")?.to_owned();
    for turn in 0..page.times {
        turns.product(&mut figures, turn).await?;
        turns.whole(&mut figures).await?;
        turns.raw(&mut figures).await?;
        peers.turn(&mut figures, &address, turn).await;
    }
    turns.rest(&mut figures, page.times).await?;
    turns.done("tabs", json!({ "action": "close", "tab": tab })).await?;
    figures.wasm_memory = stage.browser.worker_memory().await?.wasm;
    figures.host_peak = memory::host(stage.browser, stage.product).and_then(memory::peak);
    figures.mcp_peak = stage.agent.process().and_then(memory::peak);
    Ok(figures)
}

struct Turns<'a> {
    stage: &'a Stage<'a>,
    address: &'a str,
}

impl Turns<'_> {
    /// The product's turn, as an agent goes through a page.
    async fn product(&self, figures: &mut Figures, turn: usize) -> Result<()> {
        self.load().await?;
        figures.at_once.add_time(self.done("snapshot", json!({})).await?.elapsed);

        self.reload().await?;
        let first = self.done("snapshot", json!({})).await?;
        figures.first.add_time(first.elapsed);
        figures.first_tokens = first.tokens();
        let again = self.done("snapshot", json!({})).await?;
        figures.again.add_time(again.elapsed);

        let words = format!("Renamed in turn {turn}");
        if self.eval(&script::change(&words)).await? == true {
            tokio::time::sleep(REST).await;
            let diff = self.done("diff", json!({})).await?;
            ensure!(diff.text.contains(&words), "the diff does not tell the change: {}", diff.text);
            figures.diff.add_time(diff.elapsed);
            figures.diff_tokens.add(count(diff.tokens()));
        }
        if let Some(button) = self.eval(script::BUTTON).await?.as_str() {
            self.click(figures, &first, button).await?;
        }
        Ok(())
    }

    async fn click(&self, figures: &mut Figures, shown: &Reply, button: &str) -> Result<()> {
        let mut outline = Outline::default();
        outline.read(&shown.text);
        if outline.find("button", button).is_err() {
            // The usual budget left it out.
            outline.read(&self.done("find", json!({ "text": button, "role": "button" })).await?.text);
        }
        let button = outline.find("button", button)?.reference.clone();
        self.eval(script::WATCH).await?;
        self.stage.browser.worker_eval(script::WATCH_ARRIVAL).await?;
        // That was a listener more: the page is clean again once it was looked at.
        self.done("snapshot", json!({})).await?;
        let asked = now()?;
        let click = self.done("act", json!({ "kind": "click", "ref": button })).await?;
        let answered = now()?;
        figures.click.add_time(click.elapsed);
        let watched = self.eval(script::WATCHED).await?;
        let (pressed, changed) = (watched["pressed"].as_f64(), watched["changed"].as_f64());
        let (pressed, changed) = pressed.zip(changed).context("the press did not arrive")?;
        let arrived = self.stage.browser.worker_eval(script::ARRIVED).await?;
        figures.press.add(pressed - asked);
        figures.reach.add(pressed - arrived.as_f64().context("the worker saw no act")?);
        figures.told.add(answered - changed - HUSH);
        Ok(())
    }

    /// The whole page at first sight.
    async fn whole(&self, figures: &mut Figures) -> Result<()> {
        self.reload().await?;
        let whole = self.done("snapshot", json!({ "max_tokens": NO_CAP })).await?;
        figures.whole.add_time(whole.elapsed);
        figures.whole_tokens = whole.tokens();
        Ok(())
    }

    /// The turn of the raw calls, on a document that the product has not seen.
    async fn raw(&self, figures: &mut Figures) -> Result<()> {
        self.reload().await?;
        let Stage { browser, .. } = self.stage;
        let has_frames = figures.kind == Kind::Frames;
        if !has_frames {
            figures.collector_first.add(raw::collector(browser, self.address).await?);
            figures.collector_again.add(raw::collector(browser, self.address).await?);
        }
        let documents = Documents::find(browser, self.address, &self.sites()?).await?;
        if has_frames {
            figures.collector_first.add_time(documents.collect().await?);
            figures.collector_again.add_time(documents.collect().await?);
        }
        figures.accessibility.add_time(documents.accessibility().await?);
        let sum = |values: Vec<Value>| values.iter().filter_map(Value::as_u64).sum();
        figures.elements = sum(documents.ask(script::ELEMENTS).await?);
        figures.controls = sum(documents.ask(script::CONTROLS).await?);
        let texts = documents.ask(script::TEXT).await?;
        figures.text_tokens = texts.iter().filter_map(Value::as_str).map(tokens).sum();
        documents.leave().await
    }

    /// What needs no turns: a size, and a click far down.
    async fn rest(&self, figures: &mut Figures, times: usize) -> Result<()> {
        self.reload().await?;
        let mode = json!({ "mode": "interactive", "max_tokens": NO_CAP });
        let interactive = self.done("snapshot", mode).await?;
        figures.interactive_tokens = interactive.tokens();
        if !matches!(figures.kind, Kind::List(_)) {
            return Ok(());
        }
        let lines: Vec<&str> = interactive.text.lines().collect();
        let mut outline = Outline::default();
        outline.read(&lines[lines.len().saturating_sub(20)..].join("\n"));
        let last = outline.all("button").last().context("the list ends with no button")?.reference.clone();
        for _ in 0..times.min(FAR_CLICKS) {
            self.eval("scrollTo(0, 0)").await?;
            tokio::time::sleep(REST).await;
            let click = self.done("act", json!({ "kind": "click", "ref": last })).await?;
            figures.far_click.add_time(click.elapsed);
        }
        Ok(())
    }

    /// Loads the page anew behind the product's back, and gives it the time to come to rest.
    async fn reload(&self) -> Result<()> {
        self.load().await?;
        tokio::time::sleep(REST).await;
        Ok(())
    }

    /// Loads the page anew behind the product's back.
    async fn load(&self) -> Result<()> {
        self.eval("globalThis.old = true; location.reload()").await?;
        let fresh = "!globalThis.old && document.readyState === 'complete'";
        for _ in 0..400 {
            // While documents change hands there is nobody to ask.
            if self.eval(fresh).await.unwrap_or(Value::Null) == true {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        bail!("the page does not load")
    }

    /// What the addresses of this visit begin with, on both sites.
    fn sites(&self) -> Result<[String; 2]> {
        let (own, _) = self.address.split_once("pages/").context("the page is none of the site's")?;
        Ok([own.to_owned(), own.replace("127.0.0.1", "localhost")])
    }

    async fn eval(&self, expression: &str) -> Result<Value> {
        self.stage.browser.page_eval(self.address, expression).await
    }

    async fn done(&self, tool: &str, arguments: Value) -> Result<Reply> {
        let reply = self.stage.agent.call(tool, arguments).await?;
        ensure!(!reply.is_error, "{tool} failed: {}", reply.text);
        Ok(reply)
    }
}

/// Milliseconds since 1970, as `Date.now()` counts in the page.
fn now() -> Result<f64> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs_f64() * 1_000.0)
}
