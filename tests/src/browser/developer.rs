//! The browser's developer tools, opened on a page as a person opens them: what is selected in their Elements panel, and
//! the product's pane beside it.

use super::Browser;
use crate::pipe::SessionId;
use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long it may take until the tools, or something in them, are there.
const SOON: Duration = Duration::from_secs(20);

/// Developer tools that are open on a page.
pub struct DeveloperTools<'a> {
    browser: &'a Browser,
    /// The tools themselves.
    tools: SessionId,
    /// The product's page in them.
    page: SessionId,
    /// The browser's number of the tab they are open on.
    pub tab: i64,
}

impl Browser {
    /// Opens developer tools on the one page whose address contains `address`.
    pub async fn open_developer_tools(&self, address: &str) -> Result<DeveloperTools<'_>> {
        let page = self.page(address).await?;
        let opened = self.pipe.call("Target.openDevTools", json!({ "targetId": page.id })).await?;
        let tools = opened["targetId"].as_str().context("the tools have no target")?;
        let tools = self.attach_to(tools).await?;
        let worker = format!(
            "chrome.tabs.query({{}}).then((tabs) => tabs.find((tab) => tab.url.includes({}))?.id)",
            json!(address)
        );
        let start = Instant::now();
        let tab = loop {
            // The page's target is there before the tab says where it goes.
            if let Some(tab) = self.worker_eval(&worker).await?.as_i64() {
                break tab;
            }
            ensure!(start.elapsed() < SOON, "no tab has {address} in its address");
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let page = self.in_tools("devtools/devtools.html", tab).await?;
        Ok(DeveloperTools { browser: self, tools, page, tab })
    }

    /// The page of ours that stands in the tools of that tab.
    async fn in_tools(&self, name: &str, tab: i64) -> Result<SessionId> {
        let ours = format!("chrome-extension://{}/{name}", self.extension);
        let start = Instant::now();
        while start.elapsed() < SOON {
            for target in self.targets().await?.iter().filter(|target| target.url == ours) {
                // One that is just being opened, or closed, answers nothing yet.
                let Ok(session) = self.attach_to(&target.id).await else { continue };
                let of =
                    self.eval(&session, "globalThis.chrome?.devtools?.inspectedWindow.tabId ?? null").await;
                if of.is_ok_and(|of| of == tab) {
                    return Ok(session);
                }
                let _ = self.pipe.call("Target.detachFromTarget", json!({ "sessionId": session.0 })).await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        bail!("the tools show no {name}")
    }
}

impl DeveloperTools<'_> {
    /// Selects the node that an expression of the page gives in the Elements panel; `frame` is the address of the frame
    /// to evaluate it in, the page's own if empty.
    pub async fn select(&self, frame: &str, node: &str) -> Result<()> {
        let options = if frame.is_empty() { json!({}) } else { json!({ "frameURL": frame }) };
        let expression = format!(
            "new Promise((tell) => chrome.devtools.inspectedWindow.eval({}, {options}, (value, failure) => \
             tell(failure ? JSON.stringify(failure) : value)))",
            json!(format!("inspect({node}), 'selected'"))
        );
        let start = Instant::now();
        loop {
            // The tools hear of a frame a moment after it is there.
            let told = self.browser.eval(&self.page, &expression).await?;
            if told == "selected" {
                return Ok(());
            }
            ensure!(start.elapsed() < SOON, "{node} cannot be selected: {told}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Selects, by the tools' own means, what a selector finds in the frame with a process of its own whose address
    /// contains `frame`: also where no extension may ask.
    pub async fn reveal(&self, frame: &str, css: &str) -> Result<()> {
        let reveal = format!(
            "(async () => {{
                const SDK = await import('devtools://devtools/bundled/core/sdk/sdk.js');
                const Common = await import('devtools://devtools/bundled/core/common/common.js');
                for (const model of SDK.TargetManager.TargetManager.instance().models(SDK.DOMModel.DOMModel)) {{
                    if (!model.target().inspectedURL().includes({})) continue;
                    const root = await model.requestDocument();
                    const node = model.nodeForId(await model.querySelector(root.id, {}));
                    if (node) {{ await Common.Revealer.reveal(node); return true; }}
                }}
                return false;
            }})()",
            json!(frame),
            json!(css)
        );
        let start = Instant::now();
        while self.browser.eval(&self.tools, &reveal).await? != true {
            ensure!(start.elapsed() < SOON, "the tools have no {css} in {frame}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// Gives the tools a window of their own.
    pub async fn undock(&self) -> Result<()> {
        let undock = "import('devtools://devtools/bundled/ui/legacy/legacy.js').then(({ DockController }) => { \
            const it = DockController.DockController.instance(); const was = it.dockSide(); \
            it.setDockSide('undocked'); return `${was} ${it.dockSide()}`; })";
        let sides = self.browser.eval(&self.tools, undock).await?;
        let is_out =
            sides.as_str().is_some_and(|sides| sides != "undocked undocked" && sides.ends_with(" undocked"));
        ensure!(is_out, "the tools were not docked, or still are: {sides}");
        Ok(())
    }

    /// Shows the product's pane.
    pub async fn show_pane(&self) -> Result<()> {
        let show = "import('devtools://devtools/bundled/panels/elements/elements.js').then(({ ElementsPanel }) => \
            ElementsPanel.ElementsPanel.instance().sidebarPaneView.tabbedPane().selectTab('tabwright'))";
        let start = Instant::now();
        while self.browser.eval(&self.tools, show).await? != true {
            ensure!(start.elapsed() < SOON, "the tools have no pane of ours");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.browser.in_tools("devtools/pane.html", self.tab).await.map(drop)
    }

    /// Evaluates in the pane.
    pub async fn pane_eval(&self, expression: &str) -> Result<Value> {
        let pane = self.browser.in_tools("devtools/pane.html", self.tab).await?;
        self.browser.eval(&pane, expression).await
    }

    /// Waits until the pane shows this text.
    pub async fn pane_shows(&self, text: &str) -> Result<()> {
        let pane = self.browser.in_tools("devtools/pane.html", self.tab).await?;
        let start = Instant::now();
        loop {
            let shown = self.browser.eval(&pane, "document.body.innerText.replace(/\\s+/g, ' ')").await?;
            if shown.as_str().is_some_and(|shown| shown.contains(text)) {
                return Ok(());
            }
            ensure!(start.elapsed() < SOON, "the pane does not show {text:?}, but {shown}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Clicks a button of the pane with the mouse.
    pub async fn pane_press(&self, css: &str) -> Result<()> {
        let pane = self.browser.in_tools("devtools/pane.html", self.tab).await?;
        let middle = format!(
            "(() => {{ const it = document.querySelector({}); it.scrollIntoView({{ block: 'center' }});
                const box = it.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(css)
        );
        let (x, y): (f64, f64) = serde_json::from_value(self.browser.eval(&pane, &middle).await?)?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.browser.pipe.call_in(&pane, "Input.dispatchMouseEvent", event).await?;
        }
        Ok(())
    }
}
