//! The raw cost of the calls under the product's, on the same page: the collector alone and the browser's
//! accessibility tree, as other tools ask for it.
//!
//! Of a page without frames the collector is asked through the same `chrome.debugger` and in the same world as the
//! product asks it; the documents of a page with frames are asked one after the other, over the debugging pipe.

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tests::{browser::Browser, pipe::SessionId};

/// A document that has no number gets this one from us. The page is loaded anew before the product looks again.
const FOREIGN_DOCUMENT: u32 = 4_000_000_000;

/// The collector's facts of the root document, asked from the service worker and timed there. Gives milliseconds.
pub async fn collector(browser: &Browser, address: &str) -> Result<f64> {
    let address = json!(address);
    let expression = format!(
        r#"(async () => {{
            const address = {address};
            const targets = await chrome.debugger.getTargets();
            const target = targets.find((it) => it.tabId && it.attached && it.url.includes(address));
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

/// All documents of a page, over its frames. Let go of them when done.
pub struct Documents<'a> {
    browser: &'a Browser,
    sessions: Vec<SessionId>,
    found: Vec<Document>,
}

struct Document {
    session: SessionId,
    frame: String,
    /// A world of ours in it, with the collector.
    world: Value,
}

impl<'a> Documents<'a> {
    /// Finds those of the page at `address`, and of the frames with a process of their own whose address contains
    /// `run`, and brings the collector into each.
    pub async fn find(browser: &'a Browser, address: &str, run: &[String]) -> Result<Documents<'a>> {
        let source = tests::COLLECTOR.to_owned();
        let mut documents = Self { browser, sessions: Vec::new(), found: Vec::new() };
        for target in browser.targets().await? {
            let is_page = target.kind == "page" && target.url.contains(address);
            let is_frame = target.kind == "iframe" && run.iter().any(|run| target.url.starts_with(run));
            if !is_page && !is_frame {
                continue;
            }
            let session = browser.attach_to(&target.id).await?;
            documents.sessions.push(session.clone());
            let tree = browser.pipe().call_in(&session, "Page.getFrameTree", json!({})).await?;
            for frame in frames(&tree["frameTree"]) {
                let asked = json!({ "frameId": frame, "worldName": "bench" });
                let world = browser.pipe().call_in(&session, "Page.createIsolatedWorld", asked).await?;
                let world = world["executionContextId"].clone();
                documents.found.push(Document { session: session.clone(), frame, world });
            }
        }
        for document in &documents.found {
            documents.evaluate(document, &source).await?;
        }
        Ok(documents)
    }

    /// The collector's facts of all, one after the other.
    pub async fn collect(&self) -> Result<Duration> {
        let question = format!("globalThis[Symbol.for('collector')].facts({FOREIGN_DOCUMENT})");
        let start = Instant::now();
        for document in &self.found {
            if !self.evaluate(document, &question).await?.is_string() {
                bail!("the collector gave no facts");
            }
        }
        Ok(start.elapsed())
    }

    /// The accessibility trees of all, one after the other.
    pub async fn accessibility(&self) -> Result<Duration> {
        let start = Instant::now();
        for document in &self.found {
            let asked = json!({ "frameId": document.frame });
            let pipe = self.browser.pipe();
            let tree = pipe.call_in(&document.session, "Accessibility.getFullAXTree", asked).await?;
            if tree["nodes"].as_array().is_none_or(Vec::is_empty) {
                bail!("the browser gave no accessibility tree");
            }
        }
        Ok(start.elapsed())
    }

    /// What an expression gives in each.
    pub async fn ask(&self, expression: &str) -> Result<Vec<Value>> {
        let mut values = Vec::new();
        for document in &self.found {
            values.push(self.evaluate(document, expression).await?);
        }
        Ok(values)
    }

    /// Leaves no debugger behind.
    pub async fn leave(self) -> Result<()> {
        for session in &self.sessions {
            let asked = json!({ "sessionId": session.0 });
            self.browser.pipe().call("Target.detachFromTarget", asked).await?;
        }
        Ok(())
    }

    async fn evaluate(&self, document: &Document, expression: &str) -> Result<Value> {
        let asked = json!({ "expression": expression, "contextId": document.world, "returnByValue": true });
        let answer = self.browser.pipe().call_in(&document.session, "Runtime.evaluate", asked).await?;
        if let Some(thrown) = answer.get("exceptionDetails") {
            bail!("a document threw: {}", thrown["exception"]["description"].as_str().unwrap_or("something"));
        }
        Ok(answer["result"]["value"].clone())
    }
}

/// The frames of a session's tree, the outermost first.
fn frames(tree: &Value) -> Vec<String> {
    let own = tree["frame"]["id"].as_str().map(str::to_owned);
    let below = tree["childFrames"].as_array().into_iter().flatten().flat_map(frames);
    own.into_iter().chain(below).collect()
}
