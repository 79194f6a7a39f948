//! One test's own things: an agent, a visit, and what the replies have shown so far. Calls are made here, so that a
//! failing test can tell what it heard.

use crate::world::{Stage, beside};
use anyhow::{Context as _, Error, Result, anyhow, bail, ensure};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use std::{path::PathBuf, sync::Arc, time::Duration};
use tests::{
    browser::Browser,
    client::{Agent, Reply},
    outline::Outline,
    site::{Entry, Visit},
};

/// How many replies a failing test shows.
const SHOWN: usize = 3;

/// How long a failing test may take to keep what it saw.
const KEEPING: Duration = Duration::from_secs(20);

/// The test's view of the world.
pub struct Trial {
    stage: Arc<Stage>,
    agent: Agent,
    pub visit: Visit,
    pub outline: Outline,
    /// The tab opened last, as in `t3`.
    pub tab: String,
    heard: Vec<String>,
}

impl Trial {
    pub fn new(stage: Arc<Stage>, agent: Agent) -> Self {
        let visit = stage.site.visit();
        Self { stage, agent, visit, outline: Outline::default(), tab: String::new(), heard: Vec::new() }
    }

    /// The browser, for what does not go through the product.
    pub fn browser(&self) -> &Browser {
        &self.stage.browser
    }

    /// The browser, the pages and the product.
    pub fn stage(&self) -> Arc<Stage> {
        Arc::clone(&self.stage)
    }

    /// The agent, for calls beside other things.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// The program.
    pub fn host(&self) -> &std::path::Path {
        &self.stage.product.host
    }

    /// Another visit of the same site, with a record of its own.
    pub fn another_visit(&self) -> Visit {
        self.stage.site.visit()
    }

    /// Another agent with a name of its own.
    pub async fn another_agent(&self, name: &str) -> Result<Agent> {
        Agent::connect(&self.stage.product.host, &self.stage.browser.runtime(), name).await
    }

    /// The product on the shell, under a name of its own: what a command prints.
    pub fn shell_as(&self, name: &str) -> impl Fn(&[&str]) -> Result<String> + use<> {
        let (host, runtime) = (self.stage.product.host.clone(), self.stage.browser.runtime());
        let name = name.to_owned();
        move |words| {
            let mut command = std::process::Command::new(&host);
            command.args(words).args(["--agent", &name]).env("TABWRIGHT_RUNTIME_DIR", &runtime);
            let output = command.output()?;
            let printed = String::from_utf8(output.stdout)?;
            ensure!(output.status.success(), "`tabwright {}` failed: {printed}", words.join(" "));
            Ok(printed)
        }
    }

    /// Runs `tabwright` on the shell, as an agent there. It must do what it is told.
    pub async fn shell(&mut self, words: &[&str]) -> Result<String> {
        let mut command = tokio::process::Command::new(&self.stage.product.host);
        command.args(words).env("TABWRIGHT_RUNTIME_DIR", self.stage.browser.runtime()).kill_on_drop(true);
        let output = command.output().await?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let shown: String = said.chars().take(2_000).collect();
        self.heard.push(format!("→ tabwright {}\n← {}\n{shown}", words.join(" "), output.status));
        ensure!(output.status.success(), "`tabwright {}` failed", words.join(" "));
        Ok(said)
    }

    /// Calls a tool, whatever it answers.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Result<Reply> {
        self.heard.push(format!("{tool} {arguments}"));
        let reply = self.agent.call(tool, arguments).await?;
        let mark = if reply.is_error { " (error)" } else { "" };
        let last = self.heard.last_mut().context("nothing was said")?;
        *last = format!("→ {last}\n← {} ms{mark}\n{}", reply.elapsed.as_millis(), reply.text);
        Ok(reply)
    }

    /// Calls a tool that must do what it is told, and reads what it shows.
    pub async fn done(&mut self, tool: &str, arguments: Value) -> Result<Reply> {
        let reply = self.call(tool, arguments).await?;
        ensure!(!reply.is_error, "{tool} failed");
        self.outline.read(&reply.text);
        Ok(reply)
    }

    /// Calls a tool that must refuse, with this code and a next step.
    pub async fn refused(&mut self, tool: &str, arguments: Value, code: &str) -> Result<Reply> {
        let reply = self.call(tool, arguments).await?;
        ensure!(reply.is_error, "{tool} was to fail with {code} and did not");
        let mut lines = reply.text.lines();
        let first = lines.next().unwrap_or_default();
        ensure!(
            first.contains(&format!("error {code}:")),
            "{tool} was to fail with {code}, and failed otherwise"
        );
        ensure!(lines.any(|line| line.starts_with("next: ")), "the failure says no next step");
        Ok(reply)
    }

    /// Opens a page of `tests/pages` in a background tab, and makes sure that it is one.
    pub async fn open(&mut self, page: &str) -> Result<Reply> {
        let url = self.visit.page(page);
        let reply = self.done("tabs", json!({ "action": "open", "url": url })).await?;
        reply.text.split(' ').next().unwrap_or_default().clone_into(&mut self.tab);
        ensure!(!self.is_in_front(page).await?, "{page} came to the front");
        Ok(reply)
    }

    /// Whether the browser has this test's page in front of its window.
    pub async fn is_in_front(&self, page: &str) -> Result<bool> {
        let tabs = self.chrome_tabs(page).await?;
        ensure!(!tabs.is_empty(), "the browser has no tab with {page}");
        Ok(tabs.iter().any(|tab| tab["active"] == true))
    }

    /// Makes sure that none of this test's tabs is in front: closing it there would bring another test's to the front.
    pub async fn stayed_behind(&self) -> Result<()> {
        let tabs = self.chrome_tabs_under(&self.visit.root()).await?;
        for tab in tabs.iter().filter(|tab| tab["active"] == true) {
            let window = format!("chrome.windows.get({}).then((it) => it.type)", tab["windowId"]);
            let kind = self.browser().worker_eval(&window).await?;
            ensure!(kind != "normal", "{} came to the front by the end", tab["url"]);
        }
        Ok(())
    }

    /// The browser's own word on its tabs with this test's page.
    pub async fn chrome_tabs(&self, page: &str) -> Result<Vec<Value>> {
        self.chrome_tabs_under(&self.visit.page(page)).await
    }

    async fn chrome_tabs_under(&self, address: &str) -> Result<Vec<Value>> {
        let mut tabs = self.browser().worker_eval("chrome.tabs.query({})").await?;
        let mut tabs = tabs.as_array_mut().map(std::mem::take).context("the browser lists no tabs")?;
        tabs.retain(|tab| tab["url"].as_str().is_some_and(|url| url.starts_with(address)));
        Ok(tabs)
    }

    /// The browser's number of its one tab with this test's page.
    pub async fn chrome_tab(&self, page: &str) -> Result<i64> {
        match self.chrome_tabs(page).await?.as_slice() {
            [tab] => tab["id"].as_i64().context("a tab has no number"),
            tabs => bail!("the browser has {} tabs with {page}", tabs.len()),
        }
    }

    /// The ref of what has this role and name.
    pub fn reference(&self, role: &str, name: &str) -> Result<String> {
        Ok(self.outline.find(role, name)?.reference.clone())
    }

    /// The ref of what has this role and name and stands under a line with `context`.
    pub fn reference_under(&self, role: &str, name: &str, context: &str) -> Result<String> {
        Ok(self.outline.find_under(role, name, context)?.reference.clone())
    }

    /// An act that must be done.
    pub async fn act(&mut self, kind: &str, more: Value) -> Result<Reply> {
        self.done("act", act(kind, more)).await
    }

    /// An act that must be refused.
    pub async fn act_refused(&mut self, kind: &str, more: Value, code: &str) -> Result<Reply> {
        self.refused("act", act(kind, more), code).await
    }

    /// Clicks what has this role and name.
    pub async fn click(&mut self, role: &str, name: &str) -> Result<Reply> {
        let reference = self.reference(role, name)?;
        self.act("click", json!({ "ref": reference })).await
    }

    /// The page must have recorded this event on this element, and the browser must have caused it.
    pub async fn recorded(&self, event: &str, id: &str) -> Result<Entry> {
        let fits = |entry: &Entry| entry.event == event && entry.id == id;
        let record = self.visit.record_once(|record| record.iter().any(fits)).await;
        let found = record.iter().rev().find(|entry| fits(entry)).cloned();
        found.ok_or_else(|| anyhow!("the page recorded no {event} on {id:?}, but {record:?}"))
    }

    /// The page must have recorded exactly these clicks by a real mouse, in this order, and no others.
    pub async fn clicked(&self, ids: &[&str]) -> Result<()> {
        let clicks = |record: &[Entry]| -> Vec<String> {
            record.iter().filter(|it| it.event == "click" && it.trusted).map(|it| it.id.clone()).collect()
        };
        self.visit.record_once(|record| clicks(record).len() >= ids.len()).await;
        // One too many would come a little later.
        tokio::time::sleep(Duration::from_millis(60)).await;
        let clicked = clicks(&self.visit.record());
        ensure!(clicked == ids, "clicked was {clicked:?}, not {ids:?}");
        Ok(())
    }

    /// A value the page recorded last for this event and element.
    pub async fn recorded_value(&self, event: &str, id: &str, value: &str) -> Result<()> {
        let fits = |entry: &Entry| entry.event == event && entry.id == id && entry.value == value;
        let record = self.visit.record_once(|record| record.iter().any(fits)).await;
        ensure!(
            record.iter().any(fits),
            "the page recorded no {event} on {id:?} with {value:?}, but {record:?}"
        );
        Ok(())
    }

    /// Evaluates in this test's page, beside the product.
    pub async fn page_eval(&self, page: &str, expression: &str) -> Result<Value> {
        let address = self.visit.page(page);
        self.browser().page_eval(address.trim_start_matches("http://"), expression).await
    }

    /// Runs a script that may `send` commands of the browser's protocol to the page, by the product's own way to it.
    pub async fn debug(&self, page: &str, script: &str) -> Result<()> {
        let page = json!(page);
        let expression = format!(
            r#"(async () => {{
                const targets = await chrome.debugger.getTargets();
                const target = targets.find((it) => it.tabId && it.attached && it.url.includes({page}));
                if (!target) throw new Error("the product is not attached to the page");
                const send = (method, params) => chrome.debugger.sendCommand({{ tabId: target.tabId }}, method, params);
                {script}
            }})()"#
        );
        self.browser().worker_eval(&expression).await?;
        Ok(())
    }

    /// Puts what was heard last under an error.
    pub fn explain(&self, error: &Error) -> Error {
        let from = self.heard.len().saturating_sub(SHOWN);
        anyhow!("{error:#}\n\nheard last:\n{}", self.heard[from..].join("\n\n"))
    }

    /// Keeps what a failing test saw: the error, all that was heard, and its tabs as they are now, as trees and as
    /// pictures. Gives the error with what was heard last and where the rest is.
    pub async fn keep(&self, name: &str, error: &Error) -> Error {
        let explained = self.explain(error);
        let kept = tokio::time::timeout(KEEPING, self.keep_in_folder(name, error)).await;
        match kept.map_err(Error::from).flatten() {
            Ok(file) => anyhow!("{explained:#}\n\nkept: {}", file.display()),
            Err(why) => anyhow!("{explained:#}\n\nnothing is kept: {why:#}"),
        }
    }

    async fn keep_in_folder(&self, name: &str, error: &Error) -> Result<PathBuf> {
        let folder = failures()?;
        std::fs::create_dir_all(&folder)?;
        let stem = name.replace("::", ".");
        let mut text = format!("{name}\n{error:#}\n\nheard:\n{}\n", self.heard.join("\n\n"));
        // The agent's tabs, by its own word.
        let list = self.agent.call("tabs", json!({})).await?;
        let tabs = list.text.split_whitespace().filter(|word| is_tab(word));
        for tab in tabs.collect::<std::collections::BTreeSet<_>>() {
            let asked = json!({ "tab": tab, "mode": "verbose", "max_tokens": 1_000_000 });
            let tree = self.agent.call("snapshot", asked).await?;
            text.push_str(&format!("\n{}\n", tree.text));
        }
        let file = folder.join(format!("{stem}.txt"));
        std::fs::write(&file, text)?;
        let ours = self.visit.root();
        let pages = self.browser().targets().await?.into_iter();
        let pages = pages.filter(|target| target.kind == "page" && target.url.starts_with(&ours));
        for (index, page) in pages.enumerate() {
            let session = self.browser().attach_to(&page.id).await?;
            let taken = self.browser().pipe().call_in(&session, "Page.captureScreenshot", json!({})).await?;
            let bytes = BASE64_STANDARD.decode(taken["data"].as_str().context("no picture")?)?;
            std::fs::write(folder.join(format!("{stem}.{index}.png")), bytes)?;
        }
        Ok(file)
    }

    /// Gives the agent up; its tabs are closed behind it.
    pub async fn close(self) {
        // A tab that is left open only costs memory.
        let _ = self.agent.close().await;
        let ours = self.visit.root();
        for target in self.stage.browser.targets().await.unwrap_or_default() {
            if target.kind == "page" && target.url.starts_with(&ours) {
                let _ = self.stage.browser.close_target(&target.id).await;
            }
        }
    }
}

fn act(kind: &str, more: Value) -> Value {
    let mut arguments = json!({ "kind": kind });
    if let (Some(all), Value::Object(more)) = (arguments.as_object_mut(), more) {
        all.extend(more);
    }
    arguments
}

/// Runs a test, or a part of one, on a stage that nobody else uses.
pub async fn on_stage(
    stage: Stage,
    name: &str,
    test: impl AsyncFnOnce(&mut Trial) -> Result<()>,
) -> Result<()> {
    let agent = Agent::connect(&stage.product.host, &stage.browser.runtime(), name).await?;
    let mut it = Trial::new(Arc::new(stage), agent);
    let outcome = match test(&mut it).await {
        Ok(()) => Ok(()),
        Err(error) => Err(it.keep(name, &error).await),
    };
    it.close().await;
    outcome
}

/// Where failing tests keep what they saw: `target/failures`.
fn failures() -> Result<PathBuf> {
    Ok(beside()?.with_file_name("failures"))
}

/// Whether a word is the name of a tab.
fn is_tab(word: &str) -> bool {
    word.strip_prefix('t')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// The text must contain all of this.
pub fn contains(reply: &Reply, parts: &[&str]) -> Result<()> {
    for part in parts {
        if !reply.text.contains(part) {
            bail!("the reply lacks {part:?}");
        }
    }
    Ok(())
}
