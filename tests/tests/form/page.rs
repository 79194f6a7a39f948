//! One page: its tree, what it says in text, and beside it what the browser says that there is to read and to work.

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use snapshot::{ElementNo, Facts, Page as Facade, Refs, Tree, render};
use std::time::Duration;
use tests::{
    browser::Browser,
    pipe::{Pipe, SessionId},
};

/// What can be worked, by HTML, ARIA and habit; nothing of ours in it. What is not laid out cannot be worked.
const WORKABLE: &str = r"(numbers) => {
  const element = globalThis[Symbol.for('collector')].element;
  const numberOf = new Map(numbers.map((number) => [element(number), number]));
  const selector = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [onclick], [tabindex], ' +
    ['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemradio', 'menuitemcheckbox', 'option',
      'combobox', 'listbox', 'textbox', 'searchbox', 'slider', 'spinbutton', 'treeitem'].map((role) => `[role=${role}]`).join(', ');
  const isSeen = (it) => it.getClientRects().length > 0 && getComputedStyle(it).visibility === 'visible';
  const isStop = (it) => it.tabIndex >= 0 || !['TD', 'TH', 'TR'].includes(it.tagName);
  return [...document.querySelectorAll(selector)].filter(isSeen).filter(isStop).map((it) => numberOf.get(it) ?? 0);
}";

/// One page.
pub struct Page {
    pub name: String,
    /// What the collector reported.
    facts: String,
    /// Everything, uncut.
    pub full: String,
    /// What can be acted on, uncut.
    pub interactive: String,
    /// `innerText`.
    pub text: String,
    /// What can be worked, by the independent list.
    pub workable: Vec<ElementNo>,
}

/// Opens the address in a tab behind the others, and reads it.
pub async fn capture(browser: &Browser, name: &str, url: &str) -> Result<Page> {
    let target = browser.open_behind(url).await?;
    let session = browser.attach_to(&target).await?;
    let (facts, text, workable) = Tab { pipe: browser.pipe().clone(), session }.read().await?;
    browser.close_target(&target).await?;
    let tree = built(&facts)?;
    let say = |mode| render::page(&tree, &render::Options { mode, ..render::Options::default() }).text;
    let (full, interactive) = (say(render::Mode::Full), say(render::Mode::Interactive));
    Ok(Page { name: name.to_owned(), facts, full, interactive, text, workable })
}

impl Page {
    /// Its tree. Trees stay on their thread: it is built anew.
    pub fn tree(&self) -> Result<Tree> {
        built(&self.facts)
    }
}

fn built(facts: &str) -> Result<Tree> {
    Ok(Tree::build(&Facade::single(Facts::parse(facts)?), &mut Refs::new()))
}

struct Tab {
    pipe: Pipe,
    session: SessionId,
}

impl Tab {
    async fn read(&self) -> Result<(String, String, Vec<ElementNo>)> {
        self.call("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await?;
        self.loaded().await?;
        let frame = self.call("Page.getFrameTree", json!({})).await?["frameTree"]["frame"]["id"].clone();
        let world = json!({ "frameId": frame, "worldName": "form" });
        let context = self.call("Page.createIsolatedWorld", world).await?["executionContextId"].clone();
        self.eval(&context, tests::COLLECTOR).await?;
        let facts = self.eval(&context, "globalThis[Symbol.for('collector')].facts(1)").await?;
        let facts = facts.as_str().context("no facts")?.to_owned();
        let text = self.eval(&context, "document.body.innerText").await?;
        let numbers: Vec<u32> = Facts::parse(&facts)?.elements().map(|element| element.number().0).collect();
        let workable = self.eval(&context, &format!("({WORKABLE})({numbers:?})")).await?;
        let workable: Vec<u32> = serde_json::from_value(workable)?;
        let text = text.as_str().context("no text")?.to_owned();
        Ok((facts, text, workable.into_iter().map(ElementNo).collect()))
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

    async fn eval(&self, context: &Value, expression: &str) -> Result<Value> {
        let asked = json!({ "expression": expression, "contextId": context, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", asked).await?;
        if let Some(thrown) = answer.get("exceptionDetails") {
            bail!("the page's world threw: {thrown}");
        }
        Ok(answer["result"]["value"].clone())
    }

    async fn call(&self, method: &str, params: Value) -> Result<Value> {
        self.pipe.call_in(&self.session, method, params).await
    }
}
