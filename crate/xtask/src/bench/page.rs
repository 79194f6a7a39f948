//! One page: what an agent pays to see it, to see it again, to see what changed, and to press a button on it.

use super::{raw, series::Series};
use anyhow::{Context as _, Result, bail, ensure};
use serde::Serialize;
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tests::{
    browser::Browser,
    client::{Agent, Reply, tokens},
    outline::Outline,
    site::Visit,
};

/// No cap, as far as an agent can ask for none.
const NO_CAP: u32 = 4_000_000;

/// How long a page gets to come to rest after it was loaded or changed.
const REST: Duration = Duration::from_millis(300);

/// The figures of one page. Times in milliseconds, sizes in tokens of `o200k_base`.
#[derive(Debug, Default, Serialize)]
pub struct Measured {
    /// How many elements it has, about.
    pub elements: u32,
    /// `snapshot` of a document that was never looked at, with its usual budget.
    pub first: Series,
    /// `snapshot` once more, with nothing changed.
    pub again: Series,
    /// `diff` after one text changed.
    pub diff: Series,
    /// The size of that reply.
    pub diff_tokens: Series,
    /// `act kind=click` on a ready button, the whole call: press, settling, diff.
    pub click: Series,
    /// Of that, from the request to the press's arrival in the page.
    pub press: Series,
    /// `act kind=click` on a button far down, which must be scrolled to and come to rest first. The whole call.
    pub far_click: Series,
    /// The collector alone on a document that was never looked at.
    pub collector_first: Series,
    /// The collector alone, once more.
    pub collector_again: Series,
    /// The browser's accessibility tree, over the pipe.
    pub accessibility: Series,
    /// The size of a snapshot with its usual budget.
    pub capped_tokens: usize,
    /// The size of the whole page.
    pub whole_tokens: usize,
    /// How long the whole page took.
    pub whole: Series,
    /// The size of the whole page in interactive mode.
    pub interactive_tokens: usize,
    /// The size of the page's visible text alone: the floor.
    pub text_tokens: usize,
}

/// Measures a page of that many elements. It is closed afterwards.
pub async fn measure(
    browser: &Browser,
    agent: &Agent,
    visit: &Visit,
    elements: u32,
    times: usize,
) -> Result<Measured> {
    let address = visit.page(&format!("large.html?n={elements}"));
    let stage = Stage { browser, agent, address: &address };
    let mut measured = Measured { elements, ..Measured::default() };
    let opened = stage.done("tabs", json!({ "action": "open", "url": address })).await?;
    let tab = opened.text.split(' ').next().context("the new tab has no name")?.to_owned();
    for turn in 0..times {
        stage.product(&mut measured, turn).await?;
        stage.raw(&mut measured).await?;
    }
    stage.rest(&mut measured, times).await?;
    stage.done("tabs", json!({ "action": "close", "tab": tab })).await?;
    Ok(measured)
}

struct Stage<'a> {
    browser: &'a Browser,
    agent: &'a Agent,
    address: &'a str,
}

impl Stage<'_> {
    /// The product's turn.
    async fn product(&self, measured: &mut Measured, turn: usize) -> Result<()> {
        self.reload().await?;
        let first = self.done("snapshot", json!({})).await?;
        measured.first.add_time(first.elapsed);
        measured.capped_tokens = first.tokens();
        let again = self.done("snapshot", json!({})).await?;
        measured.again.add_time(again.elapsed);

        let text = format!("Renamed in turn {turn}");
        let change = format!(
            "document.querySelector('#list > :nth-child(3)').firstElementChild.textContent = {}",
            json!(text)
        );
        self.browser.page_eval(self.address, &change).await?;
        tokio::time::sleep(REST).await;
        let diff = self.done("diff", json!({})).await?;
        ensure!(diff.text.contains(&text), "the diff does not tell the change: {}", diff.text);
        measured.diff.add_time(diff.elapsed);
        measured.diff_tokens.add(count(diff.tokens()));

        let mut outline = Outline::default();
        outline.read(&first.text);
        let button = outline.find("button", "Change one")?.reference.clone();
        let watch = "addEventListener('mousedown', () => { globalThis.pressed = Date.now() }, true)";
        self.browser.page_eval(self.address, watch).await?;
        let asked = now()?;
        let click = self.done("act", json!({ "kind": "click", "ref": button })).await?;
        measured.click.add_time(click.elapsed);
        let pressed = self.browser.page_eval(self.address, "globalThis.pressed").await?;
        measured.press.add(pressed.as_f64().context("the press did not arrive")? - asked);
        Ok(())
    }

    /// The turn of the raw calls, on a document that the product has not seen.
    async fn raw(&self, measured: &mut Measured) -> Result<()> {
        self.reload().await?;
        measured.collector_first.add(raw::collector(self.browser, self.address).await?);
        measured.collector_again.add(raw::collector(self.browser, self.address).await?);
        measured.accessibility.add_time(raw::accessibility(self.browser, self.address).await?);
        Ok(())
    }

    /// What needs no turns: the whole page, a click far down, and sizes.
    async fn rest(&self, measured: &mut Measured, times: usize) -> Result<()> {
        self.reload().await?;
        for _ in 0..times {
            let whole = self.done("snapshot", json!({ "max_tokens": NO_CAP })).await?;
            measured.whole.add_time(whole.elapsed);
            measured.whole_tokens = whole.tokens();
        }
        let mode = json!({ "mode": "interactive", "max_tokens": NO_CAP });
        let interactive = self.done("snapshot", mode).await?;
        measured.interactive_tokens = interactive.tokens();
        let mut outline = Outline::default();
        outline
            .read(interactive.text.get(interactive.text.len().saturating_sub(2_000)..).unwrap_or_default());
        let last = outline.all("button").last().context("the page shows no button")?.reference.clone();
        for _ in 0..times {
            self.browser.page_eval(self.address, "scrollTo(0, 0)").await?;
            tokio::time::sleep(REST).await;
            let click = self.done("act", json!({ "kind": "click", "ref": last })).await?;
            measured.far_click.add_time(click.elapsed);
        }
        let text = self.browser.page_eval(self.address, "document.body.innerText").await?;
        measured.text_tokens = tokens(text.as_str().unwrap_or_default());
        Ok(())
    }

    /// Loads the page anew behind the product's back, and waits until it is at rest.
    async fn reload(&self) -> Result<()> {
        self.browser.page_eval(self.address, "globalThis.old = true; location.reload()").await?;
        let fresh = "!globalThis.old && document.readyState === 'complete'";
        for _ in 0..200 {
            // While documents change hands there is nobody to ask.
            let is_fresh = self.browser.page_eval(self.address, fresh).await.unwrap_or(Value::Null);
            if is_fresh == true {
                tokio::time::sleep(REST).await;
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("the page does not load")
    }

    async fn done(&self, tool: &str, arguments: Value) -> Result<Reply> {
        let reply = self.agent.call(tool, arguments).await?;
        ensure!(!reply.is_error, "{tool} failed: {}", reply.text);
        Ok(reply)
    }
}

/// Milliseconds since 1970, as `Date.now()` counts in the page.
fn now() -> Result<f64> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs_f64() * 1_000.0)
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub fn count(number: usize) -> f64 {
    number as f64
}
