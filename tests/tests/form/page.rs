//! One page: its tree, what it says in text, and beside it what the browser says that there is to read and to work.

use anyhow::{Context as _, Result};
use snapshot::{ElementNo, Facts, Page as Facade, Refs, Tree, render};
use tests::{bare::Tab, browser::Browser};

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
#[derive(Default)]
pub struct Page {
    pub name: String,
    /// What the collector reported.
    facts: String,
    /// Its lowest ref, at the least.
    first_ref: u32,
    /// Everything, uncut.
    pub full: String,
    /// What can be acted on, uncut.
    pub interactive: String,
    /// `innerText`.
    pub text: String,
    /// What can be worked, by the independent list.
    pub workable: Vec<ElementNo>,
}

/// Opens the address, and reads it; its refs begin there.
pub async fn capture(browser: &Browser, name: &str, url: &str, first_ref: u32) -> Result<Page> {
    let tab = Tab::open(browser, url).await?;
    let (facts, text, workable) = read(&tab).await?;
    tab.close(browser).await?;
    let mut page = Page { name: name.to_owned(), facts, first_ref, text, workable, ..Page::default() };
    let tree = page.tree()?;
    let say = |mode| render::page(&tree, &render::Options { mode, ..render::Options::default() }).text;
    (page.full, page.interactive) = (say(render::Mode::Full), say(render::Mode::Interactive));
    Ok(page)
}

impl Page {
    /// Its tree. Trees stay on their thread: it is built anew.
    pub fn tree(&self) -> Result<Tree> {
        let mut refs = Refs::new();
        refs.raise(self.first_ref);
        Ok(Tree::build(&Facade::single(Facts::parse(&self.facts)?), &mut refs))
    }
}

async fn read(tab: &Tab) -> Result<(String, String, Vec<ElementNo>)> {
    let world = tab.world(tab.frames().await?.first().context("no frame")?).await?;
    let facts = tab.facts(&world).await?;
    let text = tab.eval(&world, "document.body.innerText").await?;
    let numbers: Vec<u32> = Facts::parse(&facts)?.elements().map(|element| element.number().0).collect();
    let workable = tab.eval(&world, &format!("({WORKABLE})({numbers:?})")).await?;
    let workable: Vec<u32> = serde_json::from_value(workable)?;
    let text = text.as_str().context("no text")?.to_owned();
    Ok((facts, text, workable.into_iter().map(ElementNo).collect()))
}
