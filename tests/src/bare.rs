//! Pages in a browser without the extension, read over the pipe with the page scripts that a capture takes: for tests of
//! what we make of a page, not of how we get to it.

use crate::{
    COLLECTOR,
    browser::{self, Browser},
    pipe::{Pipe, SessionId},
    site::Site,
};
use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

/// A browser, and a server of pages.
pub struct Stage {
    pub browser: Browser,
    pub site: Site,
}

impl Stage {
    /// Starts both.
    pub async fn start() -> Result<Self> {
        let browser = Browser::launch_bare(&browser::find_or_install()?).await?;
        eprintln!("in {}", browser.version());
        Ok(Self { browser, site: Site::start().await? })
    }
}

/// Whether we were told to ask a browser.
pub fn is_asked_for() -> bool {
    std::env::var_os("TABWRIGHT_ORACLE").is_some()
}

/// The folder of this crate.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Names of all pages of a folder below `pages`, without `.html`.
pub fn pages(of: &str) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(folder().join("pages").join(of))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "html") {
            let stem = path.file_stem().context("a page without a name")?;
            names.insert(stem.to_string_lossy().into_owned());
        }
    }
    Ok(names)
}

/// A tab, or a frame that is a target of its own.
pub struct Tab {
    pipe: Pipe,
    session: SessionId,
    target: String,
}

impl Tab {
    /// Opens the address in a tab behind the others, and waits until it is loaded.
    pub async fn open(browser: &Browser, url: &str) -> Result<Self> {
        let target = browser.open_behind(url).await?;
        let tab = Self::attach(browser, &target).await?;
        tab.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await?;
        tab.loaded().await?;
        Ok(tab)
    }

    /// Works a target that is there.
    pub async fn attach(browser: &Browser, target: &str) -> Result<Self> {
        let session = browser.attach_to(target).await?;
        Ok(Self { pipe: browser.pipe().clone(), session, target: target.to_owned() })
    }

    pub async fn close(self, browser: &Browser) -> Result<()> {
        browser.close_target(&self.target).await
    }

    /// The frames of the session, the outermost first.
    pub async fn frames(&self) -> Result<Vec<Value>> {
        let mut all = Vec::new();
        gather(&self.call("Page.getFrameTree", json!({})).await?["frameTree"], &mut all);
        Ok(all)
    }

    /// A world of ours in a frame, with the page scripts in it.
    pub async fn world(&self, frame: &Value) -> Result<Value> {
        let world = json!({ "frameId": frame, "worldName": "bare" });
        let context = self.call("Page.createIsolatedWorld", world).await?["executionContextId"].clone();
        self.eval(&context, COLLECTOR).await?;
        Ok(context)
    }

    /// What the collector reports of the document of a world.
    pub async fn facts(&self, world: &Value) -> Result<String> {
        let facts = self.eval(world, "globalThis[Symbol.for('collector')].facts(1)").await?;
        Ok(facts.as_str().context("no facts")?.to_owned())
    }

    /// The value of an expression.
    pub async fn eval(&self, world: &Value, expression: &str) -> Result<Value> {
        Ok(self.evaluate(world, expression, true).await?["value"].clone())
    }

    /// The browser's ids of the elements with these numbers, in their order.
    pub async fn backend_ids(&self, world: &Value, numbers: &[u32]) -> Result<Vec<u64>> {
        let list = format!("{numbers:?}.map(globalThis[Symbol.for('collector')].element)");
        let list = self.evaluate(world, &list, false).await?;
        let asked = json!({ "objectId": list["objectId"], "ownProperties": true });
        let properties = self.call("Runtime.getProperties", asked).await?;
        let properties = properties["result"].as_array().cloned().unwrap_or_default();
        let elements = properties
            .iter()
            .filter(|it| it["name"].as_str().is_some_and(|name| name.parse::<u32>().is_ok()));
        let asking = elements.map(async |element| {
            let asked = json!({ "objectId": element["value"]["objectId"] });
            self.call("DOM.describeNode", asked).await?["node"]["backendNodeId"].as_u64().context("no id")
        });
        futures::future::try_join_all(asking).await
    }

    pub async fn call(&self, method: &str, params: Value) -> Result<Value> {
        self.pipe.call_in(&self.session, method, params).await
    }

    async fn evaluate(&self, world: &Value, expression: &str, by_value: bool) -> Result<Value> {
        let asked = json!({ "expression": expression, "contextId": world, "returnByValue": by_value });
        let answer = self.call("Runtime.evaluate", asked).await?;
        if let Some(thrown) = answer.get("exceptionDetails") {
            bail!("the page's world threw: {thrown}");
        }
        Ok(answer["result"].clone())
    }

    async fn loaded(&self) -> Result<()> {
        for _ in 0..500 {
            let asked = json!({ "expression": "location.href !== 'about:blank' && document.readyState" });
            let answer = self.call("Runtime.evaluate", asked).await?;
            if answer["result"]["value"] == "complete" {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        bail!("the page does not load")
    }
}

/// The ids of a frame and of those in it that are of its process.
fn gather(tree: &Value, into: &mut Vec<Value>) {
    into.push(tree["frame"]["id"].clone());
    for child in tree["childFrames"].as_array().into_iter().flatten() {
        gather(child, into);
    }
}
