//! `cargo xtask pictures`: takes the pictures of `docs/pictures/` anew, from the product at work in a real browser that
//! a person uses: the demo's shop after an agent ordered there, what it looked like while it was marked, and the pages
//! of the extension in both looks.

use crate::{
    demo::{self, Talk, order_some_tea},
    dist, interrupt,
    workspace::Workspace,
};
use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use std::{fs, path::Path, process::ExitCode, time::Duration};
use tests::{
    Product,
    browser::{self, Beheld, Browser, Setting},
    client::Agent,
    site::Site,
};

/// Pages of the extension, each with the size that people see it in and the name of its picture.
const PAGES: &[(&str, (u32, u32), &str)] = &[
    ("popup/popup.html", (308, 440), "popup"),
    ("panel/panel.html", (380, 900), "panel"),
    ("options/options.html", (720, 900), "options"),
    ("welcome/welcome.html", (720, 860), "welcome"),
];

/// The command.
pub fn run() -> Result<ExitCode> {
    let workspace = Workspace::find()?;
    let product = demo::build(&workspace, &dist::Options::default())?;
    let folder = workspace.root.join("docs/pictures");
    fs::create_dir_all(&folder)?;
    let taken = interrupt::unless_interrupted(take(&product, &folder))?;
    Ok(taken.map_or(ExitCode::from(interrupt::EXIT), |()| ExitCode::SUCCESS))
}

async fn take(product: &Product, folder: &Path) -> Result<()> {
    let setting = Setting { unattended: false, ..Setting::default() };
    let browser = Browser::launch_as(&browser::find_or_install()?, product, setting).await?;
    browser.wait_for_host().await?;
    let site = Site::start().await?;
    let visit = site.visit();

    // The person lets the first agent in, and allows what it orders.
    let person = browser.behold("popup/popup.html?person").await?;
    let first = Agent::connect(&product.host, &browser.runtime(), "claude-code").await?;
    let (let_in, ()) = tokio::try_join!(first.call("tabs", json!({})), person.press("#agents .allow"))?;
    anyhow::ensure!(!let_in.is_error, "the agent was not let in: {}", let_in.text);
    let mut talk = Talk::new(first);
    let shop = visit.shop();
    tokio::select! {
        ordered = order_some_tea(&mut talk, &shop) => ordered?,
        allowed = allow_what_is_asked(&person) => allowed?,
    }
    let target = browser.targets().await?.into_iter().find(|it| it.url.contains("/shop/index.html"));
    let shop = browser.attend(target.context("the shop is not open")?.id).await?;
    shop.size(1000, 900, 1.5).await?;
    shop.to_front().await?;
    shop.eval("scrollTo(0, 0)").await?;
    shoot(&shop, &folder.join("shop.png")).await?;

    let second = Agent::connect(&product.host, &browser.runtime(), "codex").await?;
    let asking = tokio::spawn(async move { second.call("tabs", json!({})).await });
    person.shows("“codex” asks to be let in").await?;
    person.close().await?;
    for (page, (width, height), name) in PAGES {
        let beheld = browser.behold(page).await?;
        beheld.size(*width, *height, 1.5).await?;
        if *name == "panel" {
            beheld.press("#agents .tabs .title").await?;
            beheld.until("document.querySelectorAll('#lines [role=option]').length > 5").await?;
            beheld.eval("scrollTo(0, 0)").await?;
        }
        // Where the program lies on this machine is nobody's affair.
        beheld.eval("for (const it of document.querySelectorAll('.program')) if (it.textContent) it.textContent = 'started by /usr/local/bin/' + (it.closest('li').textContent.includes('codex') ? 'codex' : 'claude')").await?;
        for (dark, look) in [(false, ""), (true, "-dark")] {
            beheld.look(dark).await?;
            shoot(&beheld, &folder.join(format!("{name}{look}.png"))).await?;
        }
        beheld.close().await?;
    }
    asking.abort();
    talk.close().await?;
    browser.close().await;
    Ok(())
}

/// The person allows each act once, as long as any is asked about.
async fn allow_what_is_asked(person: &Beheld<'_>) -> Result<()> {
    const ONCE: &str = "#questions [data-answer=once]";
    loop {
        if person.eval(&format!("!!document.querySelector('{ONCE}')")).await? == true {
            person.press(ONCE).await?;
            person.until(&format!("!document.querySelector('{ONCE}')")).await?;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A picture of a page as it is when it has come to rest.
async fn shoot(page: &Beheld<'_>, file: &Path) -> Result<()> {
    let settled: Value = page
        .eval("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => go(true))))")
        .await?;
    anyhow::ensure!(settled == true, "the page does not come to rest");
    tokio::time::sleep(Duration::from_millis(700)).await;
    fs::write(file, page.picture().await?).with_context(|| format!("cannot write {}", file.display()))?;
    eprintln!("{} written", file.display());
    Ok(())
}
