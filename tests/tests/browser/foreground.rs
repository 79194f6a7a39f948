//! A tab that an agent brings to the front is in front, and is worked there as it is behind the others.

use crate::{
    cases,
    trial::{Trial, contains},
};
use anyhow::{Result, ensure};
use serde_json::json;

cases!(alone:
    an_activated_tab_is_in_front,
    a_form_in_front_is_filled,
    frames_and_menus_in_front_are_worked,
);

/// Opens a page, which is behind then, and brings it to the front.
async fn open_in_front(it: &mut Trial, page: &str) -> Result<()> {
    it.open(page).await?;
    let tab = it.tab.clone();
    let reply = it.done("tabs", json!({ "action": "activate", "tab": tab })).await?;
    contains(&reply, &[&tab, "in front"])?;
    ensure!(it.is_in_front(page).await?, "{page} is not in front");
    Ok(())
}

async fn an_activated_tab_is_in_front(it: &mut Trial) -> Result<()> {
    open_in_front(it, "links.html").await?;
    open_in_front(it, "rows.html").await?;
    ensure!(!it.is_in_front("links.html").await?, "two tabs are in front");
    let window = it.chrome_tabs("rows.html").await?[0]["windowId"].clone();
    let focused = it.browser().worker_eval(&format!("chrome.windows.get({window})")).await?;
    ensure!(focused["focused"] == true, "its window is behind another: {focused}");
    it.click("button", "Swap").await?;
    it.clicked(&["swap"]).await?;
    ensure!(it.is_in_front("rows.html").await?, "an act took the tab from the front");
    Ok(())
}

async fn a_form_in_front_is_filled(it: &mut Trial) -> Result<()> {
    open_in_front(it, "form.html").await?;
    let notes = it.reference("textbox", "Notes")?;
    it.act("fill", json!({ "ref": notes, "value": "in front" })).await?;
    it.act("press", json!({ "key": "Tab" })).await?;
    it.recorded_value("change", "form", "in front").await
}

async fn frames_and_menus_in_front_are_worked(it: &mut Trial) -> Result<()> {
    open_in_front(it, "frames.html").await?;
    it.call("wait", json!({ "text": ["Press fourth"] })).await?;
    it.done("snapshot", json!({})).await?;
    for name in ["Press fourth", "Press outer"] {
        it.click("button", name).await?;
    }
    it.clicked(&["fourth", "outer"]).await
}
