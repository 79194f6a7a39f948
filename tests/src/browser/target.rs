//! What the judge does in a browser: looks into pages and into the extension's service worker, stops that worker,
//! opens and closes tabs. All over the pipe, nothing through the product.

use super::Browser;
use crate::pipe::SessionId;
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Something that can be attached to.
#[derive(Debug, Clone, Deserialize)]
pub struct Target {
    /// Its id.
    #[serde(rename = "targetId")]
    pub id: String,
    /// `page`, `iframe`, `service_worker`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// Its address.
    pub url: String,
}

impl Browser {
    /// Everything that can be attached to now.
    pub async fn targets(&self) -> Result<Vec<Target>> {
        let answer = self.pipe.call("Target.getTargets", json!({ "filter": [{}] })).await?;
        Ok(serde_json::from_value(answer["targetInfos"].clone())?)
    }

    /// Evaluates in the one page whose address contains `address`.
    pub async fn page_eval(&self, address: &str, expression: &str) -> Result<Value> {
        self.eval_in(&self.page(address).await?, expression).await
    }

    /// Evaluates in the one frame with a process of its own whose address contains `address`.
    pub async fn frame_eval(&self, address: &str, expression: &str) -> Result<Value> {
        self.eval_in(&self.one_of("iframe", address).await?, expression).await
    }

    /// Clicks with the mouse in the one page whose address contains `address`, which must be in front.
    pub async fn press(&self, address: &str, x: f64, y: f64) -> Result<()> {
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.page_call(address, "Input.dispatchMouseEvent", event).await?;
        }
        Ok(())
    }

    /// Crashes the process of the one page whose address contains `address`.
    pub async fn crash(&self, address: &str) -> Result<()> {
        let page = self.page(address).await?;
        let attached = self.attach(&page).await?;
        // The crash itself is never answered; the target says when it has happened.
        let crash = self.pipe.call_in(&attached, "Page.crash", json!({}));
        let _ = tokio::time::timeout(Duration::from_millis(500), crash).await;
        let _ = self.pipe.call("Target.detachFromTarget", json!({ "sessionId": attached.0 })).await;
        Ok(())
    }

    /// Evaluates in the extension's service worker, which must be running.
    pub async fn worker_eval(&self, expression: &str) -> Result<Value> {
        let worker = self.worker().await?.context("the service worker is not running")?;
        self.eval_in(&worker, expression).await
    }

    /// Asks the debugger of the one page whose address contains `address`. Gives the answer and how long it took,
    /// attaching not counted.
    pub async fn page_call(&self, address: &str, method: &str, params: Value) -> Result<(Value, Duration)> {
        let page = self.page(address).await?;
        self.call_in(&page, method, params).await
    }

    /// Stops the extension's service worker, as the browser does when it has been idle, and waits until it is gone.
    pub async fn stop_worker(&self) -> Result<()> {
        let worker = self.worker().await?.context("the service worker is not running")?;
        self.pipe.call("Target.closeTarget", json!({ "targetId": worker.id })).await?;
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(10) {
            // A worker that was woken again at once is another target.
            if self.worker().await?.is_none_or(|now| now.id != worker.id) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        bail!("the service worker does not stop")
    }

    /// One word on the service worker, for messages.
    pub async fn worker_state(&self) -> &'static str {
        match self.worker().await {
            Ok(Some(_)) => "running",
            Ok(None) => "not running",
            Err(_) => "unknown",
        }
    }

    /// Opens a tab behind the others.
    pub async fn open_behind(&self, url: &str) -> Result<String> {
        self.open(url, true).await
    }

    /// Opens a tab in front of the others.
    pub async fn open_in_front(&self, url: &str) -> Result<String> {
        self.open(url, false).await
    }

    async fn open(&self, url: &str, background: bool) -> Result<String> {
        let asked = json!({ "url": url, "background": background });
        let answer = self.pipe.call("Target.createTarget", asked).await?;
        Ok(answer["targetId"].as_str().context("the new tab has no id")?.to_owned())
    }

    /// Closes a tab.
    pub async fn close_target(&self, target_id: &str) -> Result<()> {
        self.pipe.call("Target.closeTarget", json!({ "targetId": target_id })).await?;
        Ok(())
    }

    pub(super) async fn worker(&self) -> Result<Option<Target>> {
        let ours = format!("chrome-extension://{}/", self.extension);
        let mut targets = self.targets().await?.into_iter();
        Ok(targets.find(|it| it.kind == "service_worker" && it.url.starts_with(&ours)))
    }

    pub(super) async fn page(&self, address: &str) -> Result<Target> {
        self.one_of("page", address).await
    }

    async fn one_of(&self, kind: &str, address: &str) -> Result<Target> {
        let mut found = self.targets().await?;
        found.retain(|it| it.kind == kind && it.url.contains(address));
        match found.len() {
            1 => Ok(found.remove(0)),
            several => bail!("{several} targets of kind {kind} have {address:?} in their address"),
        }
    }

    /// Attaches to a target by its id.
    pub async fn attach_to(&self, target_id: &str) -> Result<SessionId> {
        let asked = json!({ "targetId": target_id, "flatten": true });
        let attached = self.pipe.call("Target.attachToTarget", asked).await?;
        Ok(serde_json::from_value(attached["sessionId"].clone())?)
    }

    async fn attach(&self, target: &Target) -> Result<SessionId> {
        self.attach_to(&target.id).await
    }

    async fn call_in(&self, target: &Target, method: &str, params: Value) -> Result<(Value, Duration)> {
        let session = self.attach(target).await?;
        let start = Instant::now();
        let outcome = self.pipe.call_in(&session, method, params).await;
        let elapsed = start.elapsed();
        let _ = self.pipe.call("Target.detachFromTarget", json!({ "sessionId": session.0 })).await;
        Ok((outcome?, elapsed))
    }

    async fn eval_in(&self, target: &Target, expression: &str) -> Result<Value> {
        let session = self.attach(target).await?;
        let outcome = self.eval(&session, expression).await;
        // An attached debugger keeps a service worker alive: leave no trace. It may be gone by now, and then so is
        // the attachment.
        let _ = self.pipe.call("Target.detachFromTarget", json!({ "sessionId": session.0 })).await;
        outcome
    }
}
