//! What all pages share: one browser, one server, and the comparisons made so far.

use crate::{
    agreement::Tally,
    capture,
    compare::{self, Compared},
    coverage,
    expected::Expected,
};
use anyhow::{Context as _, Result, ensure};
use std::{collections::BTreeMap, sync::Arc};
use tests::bare::{Stage, folder, pages};
use tokio::{runtime::Runtime, sync::OnceCell};

/// At least so many pages are compared.
const FEWEST_PAGES: usize = 40;

/// The page with most frames is read over so many documents, two of another process at least.
const MOST_DOCUMENTS: usize = 9;

/// The shared things.
pub struct World {
    runtime: Runtime,
    stage: OnceCell<Stage>,
    pages: BTreeMap<String, OnceCell<Arc<Compared>>>,
    expected: Expected,
}

impl World {
    pub fn new() -> Result<Self> {
        let pages: BTreeMap<_, _> =
            pages("oracle")?.into_iter().map(|name| (name, OnceCell::new())).collect();
        ensure!(pages.len() >= FEWEST_PAGES, "only {} pages", pages.len());
        let expected = std::fs::read_to_string(folder().join("tests/oracle/expected.txt"))?;
        Ok(Self {
            runtime: Runtime::new()?,
            stage: OnceCell::new(),
            pages,
            expected: Expected::read(&expected)?,
        })
    }

    /// Names of all pages.
    pub fn pages(&self) -> Vec<String> {
        self.pages.keys().cloned().collect()
    }

    /// Compares one page: every difference must be listed, and every listed one be there.
    pub fn judge(&self, page: &str) -> Result<()> {
        let compared = self.runtime.block_on(self.compared(page))?;
        self.expected.judge(page, &compared.differences)
    }

    /// Compares all pages: so many must agree.
    pub fn agreement(&self) -> Result<()> {
        let mut sum = Tally::default();
        let mut table = String::new();
        let mut most = 0;
        for page in self.pages.keys() {
            let compared = self.runtime.block_on(self.compared(page))?;
            table.push_str(&format!("{page:24} {}\n", compared.tally));
            sum += compared.tally;
            most = most.max(compared.documents);
        }
        eprintln!("{table}in all: {sum}");
        ensure!(most >= MOST_DOCUMENTS, "no page was read over {MOST_DOCUMENTS} documents, but {most}");
        self.expected.all_pages_exist(self.pages.keys())?;
        sum.suffices()
    }

    /// The pages hold every element, role and attribute.
    pub fn coverage(&self) -> Result<()> {
        let page =
            |name: &String| std::fs::read_to_string(folder().join(format!("pages/oracle/{name}.html")));
        let pages = self.pages.keys().map(page).collect::<Result<Vec<_>, _>>()?;
        coverage::check(&pages)
    }

    /// Ends the browser.
    pub fn end(&self) {
        if let Some(stage) = self.stage.get() {
            stage.browser.end();
        }
    }

    async fn compared(&self, page: &str) -> Result<Arc<Compared>> {
        let cell = self.pages.get(page).context("no such page")?;
        let compare = async || {
            let stage = self.stage.get_or_try_init(Stage::start).await?;
            let url = stage.site.visit().page(&format!("oracle/{page}.html"));
            let captured = capture::capture(&stage.browser, &url).await.context(url)?;
            let mut compared = Compared::default();
            for (frame, document) in captured.iter().enumerate() {
                compared.add(frame, compare::compare(document)?);
            }
            anyhow::Ok(Arc::new(compared))
        };
        cell.get_or_try_init(compare).await.cloned()
    }
}
