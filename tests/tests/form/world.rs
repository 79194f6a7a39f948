//! What all tests share: one browser, one server, and the pages, each captured once.

use crate::page::{self, Page};
use anyhow::{Context as _, Result, ensure};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};
use tests::{
    browser::{self, Browser},
    site::Site,
};
use tokio::{runtime::Runtime, sync::OnceCell};

/// Pages that are not of the widget examples: they have no long explanations.
const OTHERS: [&str; 5] = ["docs", "issues", "mail", "settings", "shop"];

/// The long list.
pub const LIST: &str = "list";

/// The shared things.
pub struct World {
    runtime: Runtime,
    stage: OnceCell<Stage>,
    pages: OnceCell<Vec<Page>>,
}

struct Stage {
    browser: Browser,
    site: Site,
}

impl World {
    pub fn new() -> Result<Self> {
        Ok(Self { runtime: Runtime::new()?, stage: OnceCell::new(), pages: OnceCell::new() })
    }

    /// All pages but the long list.
    pub fn pages(&self) -> Result<impl Iterator<Item = &Page>> {
        Ok(self.all()?.iter().filter(|page| page.name != LIST))
    }

    /// The widget examples.
    pub fn examples(&self) -> Result<impl Iterator<Item = &Page>> {
        Ok(self.pages()?.filter(|page| !OTHERS.contains(&&*page.name)))
    }

    /// All other pages.
    pub fn others(&self) -> Result<impl Iterator<Item = &Page>> {
        Ok(self.pages()?.filter(|page| OTHERS.contains(&&*page.name)))
    }

    /// The long list.
    pub fn list(&self) -> Result<&Page> {
        self.all()?.iter().find(|page| page.name == LIST).context("no list")
    }

    /// Ends the browser.
    pub fn end(&self) {
        if let Some(stage) = self.stage.get() {
            stage.browser.end();
        }
    }

    fn all(&self) -> Result<&[Page]> {
        self.runtime.block_on(self.pages.get_or_try_init(|| self.capture())).map(Vec::as_slice)
    }

    async fn capture(&self) -> Result<Vec<Page>> {
        let stage = self.stage.get_or_try_init(Stage::start).await?;
        let mut names = BTreeSet::new();
        for entry in std::fs::read_dir(folder().join("pages/form"))? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "html") {
                names.insert(
                    path.file_stem().context("a page without a name")?.to_string_lossy().into_owned(),
                );
            }
        }
        ensure!(names.len() >= 12 + OTHERS.len(), "only {} pages", names.len());
        let site = stage.site.visit();
        let mut pages = Vec::new();
        for name in names {
            let url = site.page(&format!("form/{name}.html"));
            pages.push(page::capture(&stage.browser, &name, &url).await.context(url)?);
        }
        let url = site.page("large.html?n=10000");
        pages.push(page::capture(&stage.browser, LIST, &url).await.context(url)?);
        let kept = folder().with_file_name("target").join("form");
        std::fs::create_dir_all(&kept)?;
        for page in &pages {
            std::fs::write(kept.join(format!("{}.txt", page.name)), &page.full)?;
            std::fs::write(kept.join(format!("{}.interactive.txt", page.name)), &page.interactive)?;
            std::fs::write(kept.join(format!("{}.text.txt", page.name)), &page.text)?;
        }
        Ok(pages)
    }
}

impl Stage {
    async fn start() -> Result<Self> {
        let browser = Browser::launch_bare(&browser::find_or_install()?).await?;
        eprintln!("in {}", browser.version());
        Ok(Self { browser, site: Site::start().await? })
    }
}

/// Whether we were told to ask a browser.
pub fn is_asked_for() -> bool {
    std::env::var_os("TABWRIGHT_ORACLE").is_some()
}

/// The folder of these tests.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}
