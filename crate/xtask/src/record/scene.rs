//! The stage of one scene: a browser with the recording build, an agent, the pages, and the lines taken so far.

use super::Recorded;
use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};
use tests::{
    Product,
    browser::Browser,
    client::{Agent, Reply},
    outline::Outline,
    site::{Site, Visit},
};
use tokio::task::JoinHandle;

/// How long anything may take that is waited for here.
const PATIENCE: Duration = Duration::from_secs(20);

/// The stage.
pub struct Scene {
    browser: Browser,
    host: PathBuf,
    agent: Arc<Agent>,
    visit: Visit,
    port: u16,
    outline: Outline,
    lines: String,
}

impl Scene {
    /// Starts a browser and an agent.
    pub async fn open(executable: &Path, product: &Product, site: &Site) -> Result<Self> {
        let browser = Browser::launch(executable, product, false).await?;
        browser.wait_for_host().await?;
        let host = product.host.clone();
        let agent = Arc::new(Agent::connect(&host, &browser.runtime(), "recorder").await?);
        let (visit, port) = (site.visit(), site.port());
        Ok(Self { browser, host, agent, visit, port, outline: Outline::default(), lines: String::new() })
    }

    /// Ends all of it and hands over what was recorded.
    pub async fn close(mut self) -> Result<Recorded> {
        self.take().await?;
        let version = self.browser.version().to_owned();
        if let Some(agent) = Arc::into_inner(self.agent) {
            agent.close().await?;
        }
        self.browser.close().await;
        Ok(Recorded { version, port: self.port, lines: self.lines })
    }

    /// The browser, for what does not go through the product.
    pub fn browser(&self) -> &Browser {
        &self.browser
    }

    /// The agent, for calls beside other things.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Ends the agent, without a word, and goes on with another.
    pub async fn another_agent(&mut self) -> Result<()> {
        let another = Agent::connect(&self.host, &self.browser.runtime(), "successor").await?;
        self.agent = Arc::new(another);
        Ok(())
    }

    /// The address of a page.
    pub fn page(&self, name: &str) -> String {
        self.visit.page(name)
    }

    /// The address of a page as the browser's targets have it, without its scheme.
    pub fn address(&self, name: &str) -> String {
        self.visit.page(name).trim_start_matches("http://").to_owned()
    }

    /// Evaluates in a page, beside the product.
    pub async fn page_eval(&self, page: &str, expression: &str) -> Result<Value> {
        self.browser.page_eval(&self.address(page), expression).await
    }

    /// Takes over what the worker has recorded since it was last asked.
    pub async fn take(&mut self) -> Result<()> {
        let taken = self.browser.worker_eval("probe.takeRecording()").await?;
        self.lines.push_str(taken.as_str().context("the worker gives no recording: is it another build?")?);
        Ok(())
    }

    /// Calls a tool that must do what it is told, and reads what it shows.
    pub async fn done(&mut self, tool: &str, arguments: Value) -> Result<Reply> {
        let reply = self.agent.call(tool, arguments).await?;
        ensure!(!reply.is_error, "{tool} failed: {}", reply.text);
        self.outline.read(&reply.text);
        Ok(reply)
    }

    /// Calls a tool that must refuse with this code.
    pub async fn refused(&mut self, tool: &str, arguments: Value, code: &str) -> Result<Reply> {
        let reply = self.agent.call(tool, arguments).await?;
        let as_wanted = reply.is_error && reply.text.contains(&format!("error {code}:"));
        ensure!(as_wanted, "{tool} was to fail with {code}, and answered: {}", reply.text);
        Ok(reply)
    }

    /// Opens a page in a tab of its own.
    pub async fn visit(&mut self, page: &str) -> Result<()> {
        let url = self.page(page);
        self.done("tabs", json!({ "action": "open", "url": url })).await?;
        Ok(())
    }

    /// The ref of what has this role and name.
    pub fn reference(&self, role: &str, name: &str) -> Result<String> {
        Ok(self.outline.find(role, name)?.reference.clone())
    }

    /// The ref of what has this role and name and stands under, or beside, a line with `context`.
    pub fn reference_under(&self, role: &str, name: &str, context: &str) -> Result<String> {
        Ok(self.outline.find_under(role, name, context)?.reference.clone())
    }

    /// Acts on what has this role and name.
    pub async fn act_on(&mut self, kind: &str, role: &str, name: &str, mut more: Value) -> Result<Reply> {
        more["kind"] = kind.into();
        more["ref"] = self.reference(role, name)?.into();
        self.done("act", more).await
    }

    /// Begins to click a button that cannot be clicked yet, and comes back when the act is under way.
    pub async fn waiting_click(&mut self, name: &str) -> Result<JoinHandle<Result<Reply>>> {
        let arguments =
            json!({ "kind": "click", "ref": self.reference("button", name)?, "timeout_ms": 30_000 });
        let agent = Arc::clone(&self.agent);
        let call = tokio::spawn(async move { agent.call("act", arguments).await });
        self.recorded(&["\"port\"", "timeout_ms"]).await?;
        Ok(call)
    }

    /// Calls until there is a host again.
    pub async fn done_when_met(&mut self, tool: &str, arguments: Value) -> Result<Reply> {
        let start = Instant::now();
        loop {
            let reply = self.agent.call(tool, arguments.clone()).await?;
            if !reply.is_error {
                self.outline.read(&reply.text);
                return Ok(reply);
            }
            let passes = ["error host_", "error interrupted:"].iter().any(|code| reply.text.contains(code));
            ensure!(passes, "{tool} failed: {}", reply.text);
            ensure!(start.elapsed() < PATIENCE, "the host does not come back");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until the recording has a line with all of these parts.
    pub async fn recorded(&mut self, parts: &[&str]) -> Result<()> {
        let start = Instant::now();
        loop {
            self.take().await?;
            if self.lines.lines().any(|line| parts.iter().all(|part| line.contains(part))) {
                return Ok(());
            }
            ensure!(start.elapsed() < PATIENCE, "nothing recorded has {parts:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
