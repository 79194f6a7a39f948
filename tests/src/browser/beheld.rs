//! One of the extension's own pages, held open by one session for as long as it is looked at: what is set for it (its
//! look, its size) stays, and what is pressed in it comes from a real mouse or keyboard.

use super::Browser;
use crate::pipe::SessionId;
use anyhow::{Context as _, Result, bail, ensure};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long it may take until something shows: pages ask once a second.
const SOON: Duration = Duration::from_secs(15);

/// A page of ours.
pub struct Beheld<'a> {
    browser: &'a Browser,
    session: SessionId,
    target: String,
}

impl Browser {
    /// Opens a page of the extension's in a tab in front, and waits until it is drawn.
    pub async fn behold(&self, page: &str) -> Result<Beheld<'_>> {
        let target = self.open_in_front(&format!("chrome-extension://{}/{page}", self.extension())).await?;
        self.behold_target(target).await
    }

    /// The same for one that is open.
    pub async fn behold_target(&self, target: String) -> Result<Beheld<'_>> {
        let beheld = self.attend(target).await?;
        beheld.until("document.body?.classList.contains('drawn')").await?;
        Ok(beheld)
    }

    /// Holds any page open so.
    pub async fn attend(&self, target: String) -> Result<Beheld<'_>> {
        Ok(Beheld { browser: self, session: self.attach_to(&target).await?, target })
    }
}

impl Beheld<'_> {
    /// Evaluates in it.
    pub async fn eval(&self, expression: &str) -> Result<Value> {
        self.browser.eval(&self.session, expression).await
    }

    /// Sends its session a command.
    pub async fn call(&self, method: &str, params: Value) -> Result<Value> {
        self.browser.pipe.call_in(&self.session, method, params).await
    }

    /// Waits until an expression holds; it may await.
    pub async fn until(&self, expression: &str) -> Result<()> {
        let start = Instant::now();
        loop {
            // While it loads, its document may go under the question.
            let held = self.eval(&format!("(async () => !!({expression}))()")).await;
            if held.as_ref().is_ok_and(|held| *held == true) {
                return Ok(());
            }
            if start.elapsed() > SOON {
                let shown = self.eval("document.body?.innerText").await;
                bail!("never: {expression} ({held:?}); it shows {shown:?}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until it shows this text.
    pub async fn shows(&self, text: &str) -> Result<()> {
        let shown = "document.body.innerText.replace(/\\s+/g, ' ')";
        self.until(&format!("{shown}.includes({})", json!(text))).await
    }

    /// Brings it in front of its window.
    pub async fn to_front(&self) -> Result<()> {
        self.call("Page.bringToFront", json!({})).await.map(drop)
    }

    /// Clicks what is found by a selector with the mouse, once it can be chosen.
    pub async fn press(&self, css: &str) -> Result<()> {
        let found = format!("document.querySelector({})", json!(css));
        self.until(&format!("{found}?.getBoundingClientRect().width > 0")).await?;
        self.until("!document.body.classList.contains('arming')").await?;
        let middle = format!(
            "(() => {{ const it = {found}; it.scrollIntoView({{ block: 'center' }}); const box = it.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        let (x, y): (f64, f64) = serde_json::from_value(self.eval(&middle).await?)?;
        for (kind, button) in [("mouseMoved", "none"), ("mousePressed", "left"), ("mouseReleased", "left")] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event).await?;
        }
        Ok(())
    }

    /// Presses a key.
    pub async fn key(&self, key: &str, code: u32) -> Result<()> {
        let text = if key == "Enter" { "\r" } else { "" };
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        for kind in [down, "keyUp"] {
            let event =
                json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text });
            self.call("Input.dispatchKeyEvent", event).await?;
        }
        Ok(())
    }

    /// Shows it light or dark.
    pub async fn look(&self, dark: bool) -> Result<()> {
        let scheme = if dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", features).await.map(drop)
    }

    /// Gives it a size, in CSS pixels, at a density.
    pub async fn size(&self, width: u32, height: u32, density: f64) -> Result<()> {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": density, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size).await.map(drop)
    }

    /// A picture of it, as a PNG.
    pub async fn picture(&self) -> Result<Vec<u8>> {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" })).await?;
        let bytes = BASE64_STANDARD.decode(shot["data"].as_str().context("the browser gave no picture")?)?;
        ensure!(!bytes.is_empty(), "the picture is empty");
        Ok(bytes)
    }

    /// Closes it.
    pub async fn close(self) -> Result<()> {
        self.browser.close_target(&self.target).await
    }
}
