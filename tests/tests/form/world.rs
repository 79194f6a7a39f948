//! What all tests share: one browser, one server, and the pages, each captured once.

use crate::page::{self, Page};
use anyhow::{Context as _, Result, ensure};
use tests::bare::{self, Stage};
use tokio::{runtime::Runtime, sync::OnceCell};

/// Pages that are not of the widget examples: they have no long explanations.
const OTHERS: [&str; 5] = ["docs", "issues", "mail", "settings", "shop"];

/// The long list.
pub const LIST: &str = "list";

/// What the names of pages as found in life begin with.
const SAVED: &str = "saves-";

/// Where the refs of those begin: as in a browser in which pages were seen before.
const LATE: u32 = 2_000;

/// The shared things.
pub struct World {
    runtime: Runtime,
    stage: OnceCell<Stage>,
    pages: OnceCell<Vec<Page>>,
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
        Ok(self.pages()?.filter(|page| !OTHERS.contains(&&*page.name) && !page.name.starts_with(SAVED)))
    }

    /// All other pages.
    pub fn others(&self) -> Result<impl Iterator<Item = &Page>> {
        Ok(self.pages()?.filter(|page| OTHERS.contains(&&*page.name)))
    }

    /// Pages as found in life.
    pub fn saves(&self) -> Result<impl Iterator<Item = &Page>> {
        Ok(self.pages()?.filter(|page| page.name.starts_with(SAVED)))
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
        let examples = bare::pages("form")?;
        ensure!(examples.len() >= 12 + OTHERS.len(), "only {} pages", examples.len());
        let mut wanted: Vec<(String, String, u32)> = Vec::new();
        wanted.extend(examples.iter().map(|name| (name.clone(), format!("form/{name}.html"), 1)));
        let saves = bare::pages("saves")?;
        wanted
            .extend(saves.iter().map(|name| (format!("{SAVED}{name}"), format!("saves/{name}.html"), LATE)));
        wanted.push((LIST.to_owned(), "large.html?n=10000".to_owned(), 1));
        let site = stage.site.visit();
        let mut pages = Vec::new();
        for (name, path, first_ref) in wanted {
            let url = site.page(&path);
            pages.push(page::capture(&stage.browser, &name, &url, first_ref).await.context(url)?);
        }
        let kept = bare::folder().with_file_name("target").join("form");
        std::fs::create_dir_all(&kept)?;
        for page in &pages {
            std::fs::write(kept.join(format!("{}.txt", page.name)), &page.full)?;
            std::fs::write(kept.join(format!("{}.interactive.txt", page.name)), &page.interactive)?;
            std::fs::write(kept.join(format!("{}.text.txt", page.name)), &page.text)?;
        }
        Ok(pages)
    }
}
